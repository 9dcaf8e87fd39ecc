#include "tests/support/scratch.h"

char *test_scratch_new(void)
{
    GError *error = NULL;
    char *folder = g_dir_make_tmp("texgauge-test-XXXXXX", &error);

    if (folder == NULL)
        g_error("%s", error->message);
    return folder;
}

void test_scratch_free(char *folder)
{
    const char *command[] = { "rm", "-rf", "--", folder, NULL };

    if (!g_spawn_sync(NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
                      NULL, NULL))
        g_warning("cannot remove %s", folder);
    g_free(folder);
}

int test_make_scratch(void **state)
{
    *state = test_scratch_new();
    return 0;
}

int test_remove_scratch(void **state)
{
    test_scratch_free(*state);
    return 0;
}

void test_write_file(void **state, const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(*state, name, NULL);
    g_autofree char *folder = g_path_get_dirname(path);

    assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
    assert_true(g_file_set_contents(path, text, -1, NULL));
}
