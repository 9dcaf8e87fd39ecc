/* Runs a fuzz target over its inputs as an ordinary test, where there is no libFuzzer.
 * Usage: fuzz_TARGET [--formulas N] [--found FILE] [--regressions FILE TARGET] SEED...
 * --formulas adds N pairs of formulas by the grammar, the same each time. The two files have an
 * input a line (README.md). Seeds, which may be folders of them, and regressions are tried cut off
 * too. */
#include "tests/fuzz/fuzz.h"

#include "tests/fuzz/grammar.h"

#include <glib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Seeds up to this size are tried cut off at every byte too. */
#define MAX_CUT 512

static char current_input[512]; /* the file and the line or name of the input that is tried */

/* Say which input it was that ended the program. */
static void report_input(int number)
{
    static const char says[] = "fuzz: the input that failed: ";

    if (write(STDERR_FILENO, says, sizeof says - 1) > 0 &&
        write(STDERR_FILENO, current_input, strlen(current_input)) > 0 &&
        write(STDERR_FILENO, "\n", 1) > 0)
        signal(number, SIG_DFL);
    raise(number);
}

static void try_bytes(const char *data, gsize size)
{
    uint8_t *exact = malloc(size > 0 ? size : 1); /* so that ASan sees a read beyond the end */

    if (size > 0)
        memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void try_cut(const char *data, gsize size)
{
    try_bytes(data, size);
    for (gsize cut = 0; cut < size && size <= MAX_CUT; cut++)
        try_bytes(data, cut);
}

static char *read_file(const char *path, gsize *size)
{
    char *data = NULL;

    if (!g_file_get_contents(path, &data, size, NULL)) {
        g_printerr("%s cannot be read\n", path);
        exit(EXIT_FAILURE);
    }
    return data;
}

static guint try_seed(const char *path)
{
    gsize size;
    g_autofree char *data = read_file(path, &size);

    g_strlcpy(current_input, path, sizeof current_input);
    try_cut(data, size);
    return 1;
}

static guint try_seeds(const char *path)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    const char *name;
    guint n = 0;

    if (folder == NULL)
        return try_seed(path);
    while ((name = g_dir_read_name(folder)) != NULL) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        n += try_seed(file);
    }
    return n;
}

/* Each line of @path is an input; with a @target, lines are "TARGET NAME INPUT", separated by tabs,
 * and the inputs of other targets are left out. */
static guint try_lines(const char *path, const char *target)
{
    gsize size;
    g_autofree char *text = read_file(path, &size);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint n = 0;

    for (guint i = 0; lines[i] != NULL; i++) {
        if (lines[i][0] == '#' || lines[i][0] == '\0')
            continue;
        g_auto(GStrv) fields = g_strsplit(lines[i], "\t", target != NULL ? 3 : 1);
        if (target != NULL && strcmp(fields[0], target) != 0)
            continue;
        g_autoptr(GBytes) input =
            g_uri_unescape_bytes(fields[g_strv_length(fields) - 1], -1, NULL, NULL);
        gsize length;
        const char *data = input != NULL ? g_bytes_get_data(input, &length) : NULL;

        g_snprintf(current_input, sizeof current_input, "%s:%u", path, i + 1);
        if (data == NULL || (target != NULL && g_strv_length(fields) != 3)) {
            g_printerr("%s: not an input\n", current_input);
            exit(EXIT_FAILURE);
        }
        if (target != NULL)
            try_cut(data, length);
        else
            try_bytes(data, length);
        n++;
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

        g_snprintf(current_input, sizeof current_input, "formula %u of the grammar", i);
        g_string_append_len(g_string_append_c(pair, '\0'), changed, (gssize) strlen(changed));
        try_bytes(i % 2 == 0 ? pair->str : changed, i % 2 == 0 ? pair->len : strlen(changed));
    }
    return n;
}

int main(int argc, char **argv)
{
    void (*previous)(int);
    guint n = 0;
    int i = 1;

    signal(SIGABRT, report_input);
    previous = signal(SIGSEGV, report_input);
    if (previous != SIG_DFL) /* a sanitizer's own report says more */
        signal(SIGSEGV, previous);
    for (; i + 2 < argc && argv[i][0] == '-'; i += 2) {
        if (strcmp(argv[i], "--formulas") == 0)
            n += try_formulas((guint) g_ascii_strtoull(argv[i + 1], NULL, 10));
        else if (strcmp(argv[i], "--found") == 0)
            n += try_lines(argv[i + 1], NULL);
        else
            n += try_lines(argv[i + 1], argv[i + 2]), i++;
    }
    for (; i < argc; i++)
        n += try_seeds(argv[i]);
    g_print("%u inputs tried\n", n);
    return n > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
