/* Runs a fuzz target over its seed files as an ordinary test, where there is no libFuzzer. */
#include "tests/fuzz/fuzz.h"

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

static guint try_file(const char *path)
{
    g_autofree char *data = NULL;
    gsize size;

    if (!g_file_get_contents(path, &data, &size, NULL)) {
        g_printerr("%s cannot be read\n", path);
        exit(EXIT_FAILURE);
    }
    try_bytes(data, size);
    for (gsize cut = 0; cut < size && size <= MAX_CUT; cut++)
        try_bytes(data, cut);
    return 1;
}

static guint try_folder(const char *path)
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
        n += try_file(file);
    }
    return n;
}

int main(int argc, char **argv)
{
    guint n = 0;

    for (int i = 1; i < argc; i++)
        n += g_file_test(argv[i], G_FILE_TEST_IS_DIR) ? try_folder(argv[i]) : try_file(argv[i]);
    g_print("%u seeds tried\n", n);
    return n > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
