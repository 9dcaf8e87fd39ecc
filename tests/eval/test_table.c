#include "tests/support/results_support.h"

#include "eval/results/table.h"

static const char *const stored[] = { "price", "mark.x", "note", NULL };

static const TgEvalOptions by_edit = { .metrics = "edit", .source.columns = stored };
static const TgEvalOptions by_words = { .metrics = "edit:tokenize=words",
                                        .source.columns = stored };
static const TgEvalOptions by_two = { .metrics = "edit,exprate", .source.columns = stored };
static const TgEvalOptions by_cer = { .metrics = "edit,cer", .source.columns = stored };

#define FIRST                                                                                      \
    "{\"id\": \"p\", \"subset\": \"s\", \"gt\": \"ab\", \"pred\": \"ab\", \"price\": 2,"           \
    " \"mark\": {\"x\": 0.5}, \"note\": \"good\", \"human\": [1, 2]}\n"                            \
    "{\"id\": \"q\", \"subset\": \"t\", \"gt\": \"abcd\", \"pred\": \"abxy\", \"price\": null,"    \
    " \"note\": \"bad\", \"human\": [4, null]}\n"                                                  \
    "{\"id\": \"r\", \"gt\": \"a\", \"pred\": \"b\", \"price\": 5, \"note\": \"good\"}\n"

static TgTable *read_table(const char *const *paths, const TgTableOptions *options)
{
    return tg_must(tg_table_read(paths, options, &error));
}

TEST(test_table__holds_scores_stored_numbers_and_ratings)
{
    g_autofree char *path = tg_results_of_lines(*state, "one", FIRST, &by_two);
    const TgTableOptions options = { .lower = (const char *const[]){ "price", NULL } };
    g_autoptr(TgTable) table = read_table((const char *const[]){ path, NULL }, &options);
    const TgTableColumn *edit = tg_table_find(table, "edit", NULL);
    const TgTableColumn *distance = tg_table_find(table, "edit.distance", NULL);
    const TgTableColumn *price = tg_table_find(table, "price", NULL);
    const TgTableColumn *mark = tg_table_find(table, "mark.x", NULL);

    assert_int_equal(table->n_rows, 3);
    assert_string_equal(table->rows[1].id, "q");
    assert_string_equal(table->rows[1].refs[0], "abcd");
    assert_string_equal(table->rows[1].hyp, "abxy");
    assert_int_equal(table->models->len, 1);
    assert_string_equal(tg_table_model(table, 0), "");
    assert_int_equal(table->subsets->len, 3);
    assert_string_equal(tg_table_subset(table, table->rows[1].subset), "t");
    assert_string_equal(tg_table_subset(table, table->rows[2].subset), "");
    tg_assert_near(tg_table_number(edit, 1), 0.5, 0);
    assert_true(edit->is_headline && !edit->lower_is_better && !edit->is_stored);
    assert_true(distance->lower_is_better && !distance->is_headline);
    assert_true(price->is_stored && price->lower_is_better && price->is_headline);
    assert_true(tg_table_number(price, 0) == 2 && isnan(tg_table_number(price, 1)) &&
                tg_table_number(price, 2) == 5);
    assert_true(tg_table_number(mark, 0) == 0.5 && isnan(tg_table_number(mark, 1)));
    assert_int_equal(table->groups->len, 1);
    assert_int_equal(tg_table_group(table, 0)->n_raters, 2);
    tg_assert_near(tg_table_group(table, 0)->mean[0], 1.5, 0);
    tg_assert_near(tg_table_group(table, 0)->mean[1], 4, 0);
    assert_true(isnan(tg_table_group(table, 0)->mean[2]));
    assert_true(isnan(tg_table_group(table, 0)->ratings[3]));
    tg_assert_fails(tg_table_find(table, "note", &error), TG_ERROR_USAGE, /* kept, but no number */
                    "unknown column 'note'; the columns are edit,");
    assert_string_equal(json_string_value(json_object_get(table->rows[1].stored, "note")), "bad");
}

static double pooled(const TgTable *table, const char *name)
{
    g_auto(TgSelection) all = tg_table_select(table, NULL, 0, -1, NULL, table->n_rows);

    assert_int_equal(all.n, table->n_rows);
    return tg_pool(&tg_table_find(table, name, NULL)->pool, &all);
}

/* cer is pooled: 3 edits over 7 characters; edit is the mean of 1, 1/2, 0; price of 2 and 5. */
TEST(test_table__pools_as_the_summary_does)
{
    g_autofree char *path = tg_results_of_lines(*state, "pool", FIRST, &by_cer);
    const TgTableOptions options = { 0 };
    g_autoptr(TgTable) table = read_table((const char *const[]){ path, NULL }, &options);

    tg_assert_near(pooled(table, "cer"), 3.0 / 7, 1e-9);
    tg_assert_near(pooled(table, "edit"), 0.5, 1e-9);
    tg_assert_near(pooled(table, "price"), 3.5, 1e-9);
    assert_true(isnan(tg_pool(&tg_table_find(table, "cer", NULL)->pool, &(TgSelection){ 0 })));
}

/* Two pages of two pairs and of one: 1, 0 and 1. */
static const double values[] = { 1, 0, 1 };
static guint32 rows[] = { 0, 1, 2 };
static guint groups[] = { 0, 0, 1 };

TEST(test_pool__a_mean_is_over_pairs_pages_or_subsets)
{
    const TgPoolColumn mean = { .pooling = TG_POOL_MEAN, .values = values, .step = 1 };
    const TgPoolColumn sum = { .pooling = TG_POOL_SUM, .values = values, .step = 1 };
    TgSelection selection = { rows, 3, TG_MEAN_PAIRS, groups, 2 };

    tg_assert_near(tg_pool(&mean, &selection), 2.0 / 3, 1e-9);
    for (selection.unit = TG_MEAN_PAGES; selection.unit <= TG_MEAN_SUBSETS; selection.unit++) {
        tg_assert_near(tg_pool(&mean, &selection), 0.75, 1e-9);
        tg_assert_near(tg_pool(&sum, &selection), 2, 0);
    }
}

/* Only the mean over subsets is undefined where one of these is. */
TEST(test_pool__a_subset_without_a_value_leaves_no_mean)
{
    static const double holes[] = { 1, 0, NAN };
    const TgPoolColumn mean = { .pooling = TG_POOL_MEAN, .values = holes, .step = 1 };
    TgSelection selection = { rows, 3, TG_MEAN_PAGES, groups, 2 };
    double value, interval[1][2];

    tg_assert_near(tg_pool(&mean, &selection), 0.5, 1e-9);
    selection.unit = TG_MEAN_SUBSETS;
    assert_true(isnan(tg_pool(&mean, &selection)));
    tg_pool_measure(&mean, 1, &selection, 50, 1, NULL, &value, interval);
    assert_true(isnan(value) && isnan(interval[0][0]));
}

/* A page that is drawn brings both its pairs, also to a count. */
TEST(test_pool__pages_are_drawn_whole)
{
    static const double counts[] = { 1, 2, 6 };
    const TgPoolColumn columns[] = { { .pooling = TG_POOL_SUM, .values = counts, .step = 1 },
                                     { .pooling = TG_POOL_MEAN, .values = values, .step = 1 } };
    const TgSelection pages = { rows, 3, TG_MEAN_PAGES, groups, 2 };
    double replicates[2][200] = { { 0 } };
    double found[2], intervals[2][2];
    guint seen[3] = { 0 };

    tg_pool_measure(columns, 2, &pages, 200, 1, replicates[0], found, intervals);
    for (guint k = 0; k < 200; k++) {
        const guint second = (guint) ((replicates[0][k] - 6) / 3); /* times that page 2 is drawn */

        assert_true(replicates[0][k] == 6 || replicates[0][k] == 9 || replicates[0][k] == 12);
        tg_assert_near(replicates[1][k], 0.5 + 0.25 * second, 1e-9);
        seen[second]++;
    }
    assert_true(seen[0] > 20 && seen[1] > 60 && seen[2] > 20);
    tg_assert_near(found[0], 9, 0);
    tg_assert_near(found[1], 0.75, 1e-9);
    assert_true(intervals[0][0] == 6 && intervals[0][1] == 12);
}

TEST(test_table__several_files_are_several_models)
{
    g_autofree char *one = tg_results_of_lines(*state, "aster", FIRST, &by_edit);
    g_autofree char *two = tg_results_of_lines(*state, "birch", FIRST, &by_edit);
    g_autofree char *other = tg_results_of_lines(*state, "other", FIRST, &by_words);
    const TgTableOptions options = { .stored = (const char *const[]){ "mark.x", NULL } };
    g_autoptr(TgTable) table = read_table((const char *const[]){ one, two, NULL }, &options);
    const char *const mixed[] = { one, other, NULL };

    assert_int_equal(table->n_rows, 6);
    assert_int_equal(table->models->len, 2);
    assert_string_equal(tg_table_model(table, table->rows[0].model), "aster");
    assert_string_equal(tg_table_model(table, table->rows[3].model), "birch");
    assert_null(tg_table_find(table, "price", NULL)); /* not asked for */
    tg_assert_fails(tg_table_read(mixed, &options, &error), TG_ERROR_INPUT, "other metrics");
}

/* Files written before columns were called after specs have "chrf" for chrf:word-order=2. */
TEST(test_table__names_written_before_stay)
{
    static const TgEvalOptions named = { .metrics = "chrf=chrf:word-order=2",
                                         .source.columns = stored };
    static const TgEvalOptions after = { .metrics = "chrf:word-order=2", .source.columns = stored };
    const TgTableOptions options = { 0 };
    g_autofree char *path = tg_results_of_lines(*state, "before", FIRST, &named);
    g_autofree char *now = tg_results_of_lines(*state, "now", FIRST, &after);
    g_autofree char *text = NULL;

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_auto(GStrv) parts = g_strsplit(text, "chrf=chrf:", 2);
    g_autofree char *before = g_strjoinv("chrf:", parts);
    assert_true(g_file_set_contents(path, before, -1, NULL));

    g_autoptr(TgTable) table = read_table((const char *const[]){ path, NULL }, &options);
    assert_non_null(tg_table_find(table, "chrf", NULL));
    g_autoptr(TgTable) both = read_table((const char *const[]){ now, path, NULL }, &options);
    const TgTableColumn *column = tg_table_find(both, "chrf:word-order=2", NULL);
    assert_int_equal(both->n_rows, 6);
    tg_assert_near(tg_table_number(column, 1), tg_table_number(column, 4), 0);
}

TEST(test_table__refuses_what_it_cannot_use)
{
    g_autofree char *path = tg_results_of_lines(*state, "good", FIRST, &by_edit);
    g_autofree char *half = g_build_filename(*state, "half.jsonl", NULL);
    g_autofree char *input = g_build_filename(*state, "good.in", NULL);
    g_autofree char *text = NULL;
    const TgTableOptions options = { .stored = (const char *const[]){ "note", NULL } };
    const TgTableOptions defaults = { 0 };
    const char *const none[] = { NULL }, *const good[] = { path, NULL },
                      *const raw[] = { input, NULL }, *const cut[] = { half, NULL };

    tg_assert_fails(tg_table_read(none, &defaults, &error), TG_ERROR_USAGE, "no results file");
    tg_assert_fails(tg_table_read(good, &options, &error), TG_ERROR_USAGE,
                    "no stored column 'note' of numbers");
    tg_assert_fails(tg_table_read(raw, &defaults, &error), TG_ERROR_INPUT, "not a results file");
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    *strstr(text, "\"end\"") = '\0';
    assert_true(g_file_set_contents(half, text, -1, NULL));
    tg_assert_fails(tg_table_read(cut, &defaults, &error), TG_ERROR_INPUT, "half a line");
}

TEST_GROUP(test_make_scratch, test_remove_scratch)
