/* Runs a fuzz target over its seed files as an ordinary test, where there is no libFuzzer;
 * --formulas N adds N pairs of formulas by the grammar, the same each time; --whole FOLDER adds
 * files that are not tried cut off. */
#include "tests/fuzz/fuzz.h"

#include "tests/fuzz/grammar.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* Seeds up to this size are tried cut off at every byte too. */
#define MAX_CUT 512

static void try_bytes(const char *data, gsize size)
{
    uint8_t *exact = malloc(size > 0 ? size : 1); /* so that ASan sees a read beyond the end */

    if (size > 0)
        memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static guint try_file(const char *path, gsize max_cut)
{
    g_autofree char *data = NULL;
    gsize size;

    if (!g_file_get_contents(path, &data, &size, NULL)) {
        g_printerr("%s cannot be read\n", path);
        exit(EXIT_FAILURE);
    }
    try_bytes(data, size);
    for (gsize cut = 0; cut < size && size <= max_cut; cut++)
        try_bytes(data, cut);
    return 1;
}

static guint try_folder(const char *path, gsize max_cut)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    const char *name;
    guint n = 0;

    if (folder == NULL) {
        g_printerr("%s cannot be opened\n", path);
        exit(EXIT_FAILURE);
    }
    while ((name = g_dir_read_name(folder)) != NULL) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        n += try_file(file, max_cut);
    }
    return n;
}

/* A formula, NUL, and the same with a change: what targets of pairs and of single formulas take. */
static guint try_formulas(guint n)
{
    for (guint i = 0; i < n; i++) {
        TgRandom random;

        tg_random_seed(&random, 34, i);
        g_autofree char *formula = fuzz_formula(&random, 1 + i % 20);
        g_autofree char *changed = fuzz_mutated(&random, formula);
        g_autoptr(GString) pair = g_string_new(formula);

        g_string_append_len(g_string_append_c(pair, '\0'), changed, (gssize) strlen(changed));
        try_bytes(i % 2 == 0 ? pair->str : changed, i % 2 == 0 ? pair->len : strlen(changed));
    }
    return n;
}

int main(int argc, char **argv)
{
    guint n = 0;

    for (; argc > 2 && argv[1][0] == '-'; argv += 2, argc -= 2)
        n += strcmp(argv[1], "--whole") == 0
                 ? try_folder(argv[2], 0)
                 : try_formulas((guint) g_ascii_strtoull(argv[2], NULL, 10));
    for (int i = 1; i < argc; i++)
        n += g_file_test(argv[i], G_FILE_TEST_IS_DIR) ? try_folder(argv[i], MAX_CUT)
                                                      : try_file(argv[i], MAX_CUT);
    g_print("%u seeds tried\n", n);
    return n > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
