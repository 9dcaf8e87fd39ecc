#include "tests/support/results_support.h"

#include "eval/select/select.h"

#include "core/files/output.h"
#include "eval/results/results.h"

static const char *const stored[] = { "x", "err", "note", NULL };
static const TgEvalOptions plain = { .metrics = "edit,exprate", .source.columns = stored };

#define ROW(id, rest) "{\"id\": \"" id "\", \"gt\": \"ab\", " rest "}\n"

#define ROWS                                                                                       \
    ROW("a", "\"pred\": \"ab\", \"x\": 1, \"err\": 4, \"note\": \"good\", \"human\": [1, 3]")      \
    ROW("b", "\"pred\": \"ac\", \"x\": 4, \"err\": 3, \"note\": \"bad\", \"subset\": \"s\"")       \
    ROW("c", "\"pred\": \"cd\", \"x\": null, \"err\": 2, \"note\": \"good\", \"human\": [5]")      \
    ROW("d", "\"pred\": \"a\", \"x\": 2, \"err\": 1, \"note\": null")

/* The ids that are selected, in order, as one word. (transfer full) */
static char *ids_of(const char *folder, TgSelectOptions options, guint64 *n_pairs)
{
    g_autofree char *input = tg_results_of_lines(folder, "rows", ROWS, &plain);
    g_autofree char *output = g_build_filename(folder, "selected.jsonl", NULL);
    const char *const paths[] = { input, NULL };
    g_autofree char *text = NULL;
    GString *ids = g_string_new(NULL);
    guint64 n_selected;

    options.output = output;
    tg_must(tg_select_run(paths, &options, &n_selected, n_pairs, &error));
    assert_true(g_file_get_contents(output, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++) {
        json_auto_t *row = json_loads(lines[i], 0, NULL);

        if (json_object_get(row, "scores") == NULL) { /* the header and the footer of results */
            assert_true(i == 0 || lines[i + 1] == NULL || *lines[i + 1] == '\0');
            continue;
        }
        g_string_append(ids, json_string_value(json_object_get(row, "id")));
    }
    assert_int_equal(ids->len, n_selected);
    g_unlink(input);
    return g_string_free(ids, FALSE);
}

/* A file that select writes can be read as its input can, whatever the order of its lines. */
TEST(test_select__results_are_results)
{
    static const char *const below[] = { "edit<1", NULL }, *const none[] = { "edit>1", NULL };
    const struct {
        TgSelectOptions options;
        const char *ids;
    } cases[] = { { { .where = below }, "bcd" },
                  { { .worst = 3 }, "cbd" },
                  { { .disputed = "edit,x" }, "abd" },
                  { { .where = none }, "" } };
    g_autofree char *input = tg_results_of_lines(*state, "again", ROWS, &plain);
    const char *const paths[] = { input, NULL };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = g_strdup_printf("chosen-%u.jsonl", i);
        g_autofree char *output = g_build_filename(*state, name, NULL);
        TgSelectOptions options = cases[i].options;
        g_autoptr(GString) ids = g_string_new(NULL);
        const TgResultsRow *row;
        guint64 n_selected, n_pairs;

        options.output = output;
        tg_must(tg_select_run(paths, &options, &n_selected, &n_pairs, &error));
        g_autoptr(TgResultsReader) reader = tg_must(tg_results_open(output, &error));
        while (tg_must(tg_results_next(reader, &row, &error)) == TG_NEXT_ROW)
            g_string_append(ids, row->id);
        assert_string_equal(ids->str, cases[i].ids);
        g_autofree char *remark = tg_results_remark(reader);
        assert_true(g_str_has_suffix(remark, ".jsonl: pairs that select chose"));
    }
}

TEST(test_select__conditions)
{
    static const struct {
        const char *where[3];
        const char *ids;
    } cases[] = {
        { { "edit<1" }, "bcd" },
        { { "edit<=0.5" }, "bcd" },
        { { "edit < 0.5" }, "c" },
        { { "exprate=1" }, "a" },
        { { "exprate!=1" }, "bcd" },
        { { "x>1" }, "bd" },
        { { "x>=1", "x<4" }, "ad" },
        { { "x=null" }, "c" },
        { { "x!=null" }, "abd" },
        { { "x!=1" }, "bd" }, /* what is undefined is not unequal either */
        { { "note=good" }, "ac" },
        { { "note==null" }, "d" },
        { { "subset=s" }, "b" },
        { { "subset!=s" }, "" },
        { { "id=d" }, "d" },
        { { "human>=2" }, "ac" },
        { { "human>2" }, "c" },
        { { "status.edit=ok", "edit=1" }, "a" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const TgSelectOptions options = { .where = cases[i].where };
        guint64 n_pairs;
        g_autofree char *ids = ids_of(*state, options, &n_pairs);

        if (strcmp(ids, cases[i].ids) != 0)
            fail_msg("%s selects '%s', not '%s'", cases[i].where[0], ids, cases[i].ids);
        assert_int_equal(n_pairs, 4);
    }
}

/* x orders a d b (c has none), err as it is d b a: positions differ by a 2, d 1, b 1. */
TEST(test_select__the_worst_and_the_disputed)
{
    static const char *const lower[] = { "err", NULL };
    static const char *const some[] = { "edit>0", NULL }, *const wrong[] = { "edit<1", NULL };
    const struct {
        TgSelectOptions options;
        const char *ids;
    } cases[] = {
        { { .worst = 2 }, "cb" }, /* edit: 1 .5 0 .5 */
        { { .worst = 9 }, "cbda" },
        { { .worst = 2, .by = "x" }, "ad" },
        { { .worst = 2, .by = "err" }, "dc" },
        { { .worst = 2, .by = "err", .lower = lower }, "ab" },
        { { .worst = 2, .by = "edit.distance" }, "cb" },
        { { .worst = 2, .where = some }, "bd" },
        { { .worst = 3, .limit = 1 }, "c" },
        { { .disputed = "x,err" }, "abd" },
        { { .disputed = "x,err", .limit = 1 }, "a" },
        /* lower is better: a b d against a d b */
        { { .disputed = "x,err", .lower = lower, .limit = 2 }, "bd" },
        { { .where = wrong, .limit = 2 }, "bc" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        guint64 n_pairs;

        tg_assert_text(ids_of(*state, cases[i].options, &n_pairs), cases[i].ids);
    }
}

TEST(test_select__refuses_what_it_cannot_read)
{
    static const char *const broken[] = { "edit", "<3", "edit<", "edit<abc", "", "id>b" };
    g_autofree char *input = tg_results_of_lines(*state, "errors", ROWS, &plain);
    const char *const paths[] = { input, NULL }, *const missing[] = { TG_NO_SUCH_PATH, NULL };
    const TgSelectOptions wrong[] = {
        { .where = (const char *const[]){ "zzz<3", NULL } },
        { .worst = 1, .by = "zzz" },
        { .disputed = "edit,zzz" },
        { .disputed = "edit" },
        { .disputed = "edit,x", .worst = 3 },
    };
    guint64 n_selected, n_pairs;

    for (guint i = 0; i < G_N_ELEMENTS(broken); i++)
        tg_assert_fails(tg_condition_new(broken[i], &error), TG_ERROR_USAGE, broken[i]);
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        TgSelectOptions options = wrong[i];
        g_autofree char *output = g_build_filename(*state, "none", NULL);

        options.output = output;
        tg_assert_fails(tg_select_run(paths, &options, &n_selected, &n_pairs, &error),
                        TG_ERROR_USAGE, i < 3 ? "'zzz'" : "disputed");
    }
    const TgSelectOptions worst = { .worst = 1 },
                          nowhere = { .worst = 1, .output = TG_NO_SUCH_PATH };
    tg_assert_fails(tg_select_run(missing, &worst, &n_selected, &n_pairs, &error), TG_ERROR_INPUT,
                    TG_NO_SUCH_PATH);
    tg_assert_fails(tg_select_run(paths, &nowhere, &n_selected, &n_pairs, &error), TG_ERROR_OUTPUT,
                    TG_NO_SUCH_PATH);
}

/* The last operator counts, since columns may be called by their options. */
TEST(test_select__columns_with_signs_in_their_names)
{
    const TgFieldValue low = { TRUE, 0.25, NULL };
    g_autoptr(TgCondition) condition = tg_condition_new("bleu:order=2<=0.5", NULL);

    assert_non_null(condition);
    assert_string_equal(condition->field, "bleu:order=2");
    assert_true(tg_condition_holds(condition, &low));
}

TEST(test_select__of_nothing_is_nothing)
{
    g_autofree char *input = tg_results_of_lines(*state, "empty", "", &plain);
    g_autofree char *output = g_build_filename(*state, "empty.out", NULL);
    const char *const paths[] = { input, NULL };
    const TgSelectOptions options[] = {
        { .where = (const char *const[]){ "edit<1", NULL }, .output = output },
        { .worst = 3, .output = output },
        { .disputed = "edit,exprate", .output = output },
    };
    guint64 n_selected, n_pairs;

    for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
        tg_run_files_begin();
        tg_must(tg_select_run(paths, &options[i], &n_selected, &n_pairs, &error));
        assert_int_equal(n_selected + n_pairs, 0);
    }
}

TEST_GROUP(test_make_scratch, test_remove_scratch)
