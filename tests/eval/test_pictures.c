/* The folder of pictures of a run, from C. */
#include "tests/support/results_support.h"

#include "eval/select/select.h"

static const TgEvalOptions drawn = { .metrics = "edit,cdm" };

#define ROWS                                                                                       \
    "{\"id\": \"a\", \"gt\": \"x\", \"pred\": \"x\"}\n"                                            \
    "{\"id\": \"b\", \"gt\": \"x+y\", \"pred\": \"x+z\"}\n"                                        \
    "{\"id\": \"c\", \"gt\": \"x\", \"pred\": \"y\"}\n"

/* Each call as "done/total ". */
static void note(const char *stage, guint done, guint total, gpointer data)
{
    assert_string_equal(stage, "pictures");
    g_string_append_printf(data, "%u/%u ", done, total);
}

/* @progress: "" where nothing is to be called */
static void assert_writes(const char *folder, const char *only, guint64 n_wanted,
                          const char *progress)
{
    g_autofree char *results = tg_results_of_lines(folder, "rows", ROWS, &drawn);
    g_autofree char *pictures = g_build_filename(folder, "pictures", NULL);
    g_autofree char *index = g_build_filename(pictures, "index.jsonl", NULL);
    g_autoptr(GString) calls = g_string_new(NULL);
    g_autofree char *lines = NULL;
    guint64 n = 0, n_lines = 0;
    const TgPicturesOptions options = { pictures,
                                        only,
                                        { *progress != '\0' ? note : NULL, calls } };

    tg_must(tg_pictures_write(results, &options, &n, &error));
    assert_int_equal(n, n_wanted);
    assert_string_equal(calls->str, progress);
    assert_true(g_file_get_contents(index, &lines, NULL, NULL));
    for (const char *at = lines; (at = strstr(at, "\"file\":")) != NULL; at++)
        n_lines++;
    assert_int_equal(n_lines, n_wanted);
    g_unlink(results);
}

TEST(test_pictures__tell_how_far_they_are)
{
    assert_writes(*state, "all", 3, "1/0 2/0 3/0 ");
    assert_writes(*state, "worst:2", 2, "1/2 2/2 ");
    assert_writes(*state, "worst:2", 2, "");
}

TEST_GROUP(cli_make_scratch, cli_remove_scratch)
