#include "tests/support/results_support.h"

#include "core/random.h"
#include "eval/compare/compare.h"
#include "eval/report/private.h"

static const TgEvalOptions how = { .metrics = "edit,cer" };

#define ROW(model, id, ref, hyp)                                                                   \
    "{\"model\": \"" model "\", \"id\": \"" id "\", \"gt\": \"" ref "\", \"pred\": \"" hyp         \
    "\", \"subset\": \"s" id "\", \"human\": [" id ", 3]}\n"

/* b reads z as 2 twice, and loses a letter; a is right but for the last pair. */
/* clang-format off */
#define TWO_MODELS                                                                                 \
    ROW("a", "1", "x+z", "x+z")                                                                    \
    ROW("a", "2", "z^2", "z^2")                                                                    \
    ROW("a", "3", "\\\\frac{a}{b}", "\\\\frac{a}{c}")                                              \
    ROW("b", "1", "x+z", "x+2") ROW("b", "2", "z^2", "2^2")                                        \
        ROW("b", "3", "\\\\frac{a}{b}", "\\\\frac{a}{")
/* clang-format on */

static TgReport *report_of(const char *path, const TgReportOptions *options)
{
    const char *const paths[] = { path, NULL };

    return tg_must(tg_report_new(paths, options, &error));
}

static const TgReportSection *find_section(const TgReport *report, const char *title)
{
    for (guint i = 0; i < report->sections->len; i++) {
        const TgReportSection *section = report->sections->pdata[i];

        if (strcmp(section->title, title) == 0)
            return section;
    }
    return NULL;
}

/* The beginning of a row of a table, as CSV has it. */
typedef struct {
    const char *section;
    guint grid, row;
    const char *wanted;
} Row;

static void assert_row(const TgReport *report, const Row *row)
{
    const TgReportSection *section = find_section(report, row->section);
    g_autoptr(GString) csv = g_string_new(NULL);

    assert_non_null(section);
    assert_true(row->grid < section->grids->len);
    tg_grid_append(csv, section->grids->pdata[row->grid], &(TgGridForm){ TG_GRID_CSV });
    g_auto(GStrv) lines = g_strsplit(csv->str, "\n", -1);
    assert_true(row->row + 1 < g_strv_length(lines));
    if (!g_str_has_prefix(lines[row->row + 1], row->wanted))
        fail_msg("%s, row %u: %s", row->section, row->row, lines[row->row + 1]);
}

TEST(test_report__tables)
{
    static const Row rows[] = {
        /* all pairs first: edit of a is (1 + 1 + 6/7)/3 by its 7 tokens, cer 1/17; then three
         * subsets, and their mean */
        { "Overview", 0, 0, "\"all\",\"a\",3,0.9523809524," },
        { "Overview", 0, 8, "\"mean of subsets\",\"a\",3," },
        { "Overview", 0, 9, "\"mean of subsets\",\"b\",3," },
        { "Rendering and faults", 0, 1, "\"b\",3,0,0,2," }, /* \frac{a}{ is not closed */
        /* a has the first two right, both have the third wrong */
        { "What changed", 0, 0, "\"a\",\"b\",3,0,2,1,0" },
    };
    g_autofree char *path = tg_results_of_lines(*state, "tables", TWO_MODELS, &how);
    const TgReportOptions options = { .resamples = 50, .no_drawings = TRUE };
    g_autoptr(TgReport) report = report_of(path, &options);

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        assert_row(report, &rows[i]);
}

/* exprate of page q is 0, of p of b 1/2; unused predictions stand on every row of a page. */
TEST(test_report__pages_come_the_worst_first)
{
    static const char lines[] =
        "{\"model\":\"a\",\"id\":\"p.jpg#0\",\"gt\":\"x\",\"pred\":\"x\",\"match\":\"matched\","
        "\"page_unused\":2}\n"
        "{\"model\":\"a\",\"id\":\"q.jpg#0\",\"gt\":\"x\",\"pred\":\"\",\"match\":\"missed\","
        "\"page_unused\":0}\n"
        "{\"model\":\"b\",\"id\":\"p.jpg#0\",\"gt\":\"x\",\"pred\":\"x\",\"match\":\"matched\","
        "\"page_unused\":1}\n"
        "{\"model\":\"b\",\"id\":\"p.jpg#1\",\"gt\":\"x\",\"pred\":\"y\",\"match\":\"matched\","
        "\"page_unused\":1}\n";
    static const TgEvalOptions exprate = { .metrics = "exprate" };
    static const Row rows[] = { { "Pages", 0, 0, "\"q.jpg\",\"a\",1,1,0,0" },
                                { "Pages", 0, 1, "\"p.jpg\",\"b\",2,0,1,0.5" },
                                { "Pages", 0, 2, "\"p.jpg\",\"a\",1,0,2,1" } };
    g_autofree char *path = tg_results_of_lines(*state, "pages", lines, &exprate);
    const TgReportOptions options = { .resamples = 10, .mean = "pages", .no_drawings = TRUE };
    g_autoptr(TgReport) report = report_of(path, &options);
    g_autoptr(TgReport) pairs = report_of(path, &(TgReportOptions){ .resamples = 10 });

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        assert_row(report, &rows[i]);
    assert_null(find_section(pairs, "Pages"));
}

TEST(test_report__empty_predictions_are_not_without_fault)
{
    static const Row row = { "Rendering and faults", 0, 0, "\"a\",3,0,2,1," };
    g_autofree char *path = tg_results_of_lines(
        *state, "blank", ROW("a", "1", "x", "x") ROW("a", "2", "x", "") ROW("a", "3", "x", "  "),
        &how);
    const TgReportOptions options = { .resamples = 10, .no_drawings = TRUE };
    g_autoptr(TgReport) report = report_of(path, &options);

    assert_row(report, &row);
}

/* Spellings of one thing are no error, and an error is counted in the tokens of the formula. */
TEST(test_report__errors_are_of_canonical_tokens)
{
    g_autofree char *path =
        tg_results_of_lines(*state, "canonical",
                            "{\"gt\": \"a \\\\le b\", \"pred\": \"{a}\\\\leq b\"}\n"
                            "{\"gt\": \"\\\\alpha x^{\\\\prime}\", \"pred\": \"\\\\beta x'\"}\n",
                            &how);
    const TgReportOptions options = { .resamples = 10 };
    g_autoptr(TgReport) report = report_of(path, &options);

    assert_false(tg_report_is_wrong(report, 0));
    assert_true(tg_report_is_wrong(report, 1));
    assert_int_equal(report->errors->list->len, 1);
    const TgReportError *error = &g_array_index(report->errors->list, TgReportError, 0);
    assert_string_equal(report->errors->words->pdata[error->text], "\\alpha -> \\beta");
    assert_int_equal(error->start[1], 0);
    assert_int_equal(error->end[1], 5);
}

/* A fraction that is lost is one error, whatever marks it has: not its bar and its end besides. */
TEST(test_report__a_lost_construct_is_one_error)
{
    g_autofree char *path = tg_results_of_lines(
        *state, "moved", "{\"gt\": \"\\\\frac{a}{b}\", \"pred\": \"ab\"}\n", &how);
    const TgReportOptions options = { .resamples = 10 };
    g_autoptr(TgReport) report = report_of(path, &options);
    const TgReportError *error = &g_array_index(report->errors->list, TgReportError, 0);

    assert_int_equal(report->errors->list->len, 1);
    assert_string_equal(report->errors->words->pdata[error->text], "lost fraction");
    assert_int_equal(error->start[0], 0); /* \frac stands for the whole of it */
    assert_int_equal(error->end[0], 5);
}

/* Of 40 formulas model a has @right right, b all, and c, unless it is 0, @third: the headline says
 * what the tests do. */
static void assert_headline(const char *folder, guint right, guint third, const char *one,
                            const char *other)
{
    static const TgEvalOptions metrics = { .metrics = "exprate,edit" };
    const TgReportOptions options = { .resamples = 50 };
    g_autoptr(GString) lines = g_string_new(NULL), all = g_string_new(NULL);

    for (guint model = 0; model < (third > 0 ? 3 : 2); model++)
        for (guint i = 0; i < 40; i++)
            g_string_append_printf(
                lines, "{\"model\": \"%c\", \"id\": \"%u\", \"gt\": \"x\", \"pred\": \"%s\"}\n",
                'a' + (int) model, i, i < (const guint[]){ right, 40, third }[model] ? "x" : "y");
    g_autofree char *path = tg_results_of_lines(folder, "headline", lines->str, &metrics);
    g_autoptr(TgReport) report = report_of(path, &options);

    for (guint i = 0; i < report->headline->len; i++)
        g_string_append_printf(all, "%s\n", (const char *) report->headline->pdata[i]);
    tg_assert_holds(all->str, one, other, NULL);
}

TEST(test_report__headline_says_who_is_better)
{
    assert_headline(*state, 20, 0, "b is better than a on every metric: exprate differs by 0.500 ",
                    "from a (95 % interval 0.");
    assert_headline(*state, 39, 0, "On every metric there is no significant difference between a ",
                    " and b (exprate differs most, by 0.025).\n");
    assert_headline(*state, 39, 38, "On every metric no model is significantly different from the ",
                    "best one (exprate differs most, by at most 0.050).\n");
    assert_headline(*state, 20, 39,
                    "b is better than a on every metric, and not significantly different from c: "
                    "exprate differs by 0.500 from a (95 % interval 0.",
                    ").\n");
}

/* ---- headlines of generated verdicts ---- */

enum { MAX_NAMED = 6 };
static const char *const named_models[MAX_NAMED] = { "ma", "mb", "mc", "md", "me", "mf" };
static const char *const named_columns[MAX_NAMED] = { "xa", "xb", "xc", "xd", "xe", "xf" };

/* Tests of every two models, a best model for each column and some with the same value. Half of the
 * columns repeat the tests of another one, so that sentences have several metrics. */
static void draw_verdicts(TgRandom *random, TgReportVerdicts *of, TgReportValue *values,
                          TgReportValue *against)
{
    const guint n = of->n_models = 2 + tg_random_below(random, MAX_NAMED - 1);

    of->n_columns = 1 + tg_random_below(random, MAX_NAMED);
    for (guint c = 0; c < of->n_columns; c++) {
        const guint best = tg_random_below(random, n);
        const guint rare = tg_random_below(random, 2) == 0 ? 3 : 4;
        TgReportValue *tests = against + (gsize) c * n * n;

        for (guint a = 0; a < n; a++) {
            for (guint b = 0; b <= a; b++) {
                const TgVerdict drawn = (TgVerdict) tg_random_below(random, rare);
                const TgVerdict verdict =
                    rare == 3 ? (TgVerdict[]){ TG_VERDICT_BETTER, TG_VERDICT_NO_DIFFERENCE,
                                               TG_VERDICT_BETTER }[drawn]
                              : drawn;
                const TgVerdict turned = verdict == TG_VERDICT_BETTER  ? TG_VERDICT_WORSE
                                         : verdict == TG_VERDICT_WORSE ? TG_VERDICT_BETTER
                                                                       : verdict;

                tests[a * n + b] =
                    (TgReportValue){ .verdict = verdict, .gap = 0.25, .gap_range = { 0.125, 0.5 } };
                tests[b * n + a] = (TgReportValue){ .verdict = a == b ? TG_VERDICT_NONE : turned,
                                                    .gap = -0.25,
                                                    .gap_range = { -0.5, -0.125 } };
            }
        }
        if (c > 0 && tg_random_below(random, 2) == 0)
            memcpy(tests, tests - (gsize) n * n, (gsize) n * n * sizeof *tests);
        for (guint m = 0; m < n; m++) {
            const gboolean same = m == best || tg_random_below(random, 8) == 0;

            values[m * of->n_columns + c] = tests[m * n + best];
            values[m * of->n_columns + c].is_best = same;
            values[m * of->n_columns + c].best = same ? -1 : (gint) best;
        }
    }
}

/* The bits of the @names in a part of a sentence; all of @n where it says "every". */
static guint names_in(const char *part, const char *const *names, guint n)
{
    const char *but = strstr(part, " but ");
    guint bits = 0;

    for (guint i = 0; i < n; i++)
        bits |= strstr(part, names[i]) != NULL ? 1u << i : 0;
    return strstr(part, "every metric") == NULL ? bits
           : but == NULL                        ? (1u << n) - 1
                                                : ((1u << n) - 1) & ~bits;
}

static guint match_names(const char *sentence, const char *pattern, const char *const *names,
                         guint n)
{
    g_autoptr(GRegex) regex = tg_must(g_regex_new(pattern, 0, 0, &error));
    g_autoptr(GMatchInfo) info = NULL;

    if (!g_regex_match(regex, sentence, 0, &info))
        return 0;
    g_autofree char *part = g_match_info_fetch(info, 1);
    return names_in(part, names, n);
}

/* The mark that the verdict of a model should have, by the sentence about it. */
static char claim_of(const char *sentence, guint model, guint n_models)
{
    const guint bit = 1u << model;
    const guint better = match_names(sentence, "^(m.) is better", named_models, n_models);
    const guint best =
        better | match_names(sentence, "best value is that of (m.)", named_models, n_models);
    const guint worse = match_names(sentence, "is better than (m.*?) on ", named_models, n_models);
    const guint equal =
        match_names(sentence, "(?:different from|difference between) (m.*?)(?:[:;(]|$)",
                    named_models, n_models);
    const guint above =
        match_names(sentence, "it is worse than (m.*?)(?:;|$)", named_models, n_models);
    const guint unknown = match_names(sentence, "not compared: (m.*)$", named_models, n_models);

    assert_int_equal((best & worse) | (worse & equal) | (best & equal) | (above & equal), 0);
    assert_true(better == 0 || (better & (better - 1)) == 0);
    if (best & bit)
        return '*';
    if ((worse & bit) || (strstr(sentence, "every other model") != NULL && !(best & bit)))
        return '-';
    return unknown & bit                                              ? '?'
           : above & bit                                              ? '+'
           : (equal & bit) || strstr(sentence, "no model is") != NULL ? '='
                                                                      : ' ';
}

/* Whether a claim is what the test of the subject beside a model says. */
static gboolean is_true(char claim, const TgReportValue *test)
{
    switch (test->verdict) {
    case TG_VERDICT_BETTER:
        return claim == '-';
    case TG_VERDICT_WORSE:
        return claim == '+';
    case TG_VERDICT_NO_DIFFERENCE:
        return claim == '=';
    case TG_VERDICT_NONE:
        break;
    }
    return claim == '?';
}

/* The model that a sentence is about; in a column without a name of one, the best model. */
static guint subject_of(const TgReportVerdicts *of, const char *sentence, guint column)
{
    const guint named =
        match_names(sentence, "^(m.) is better", named_models, of->n_models) |
        match_names(sentence, "best value is that of (m.)", named_models, of->n_models);
    guint subject = 0;

    while (named != 0 ? (named & 1u << subject) == 0
                      : !of->values[subject * of->n_columns + column].is_best)
        subject++;
    return subject;
}

/* The claim of a sentence about a column equals the tests of the subject against each model. Where
 * the column is the one of "every metric but", the tests say otherwise of each model. */
static void assert_claims(const TgReportVerdicts *of, const char *sentence, guint column,
                          gboolean excepted)
{
    const guint n = of->n_models, subject = subject_of(of, sentence, column);

    for (guint m = 0; m < n; m++) {
        const char claim = claim_of(sentence, m, n);
        const gboolean holds = is_true(claim, &of->against[((gsize) column * n + m) * n + subject]);

        if (m != subject ? holds == excepted : strchr("*=", claim) == NULL)
            fail_msg("%s: %c of %s on %s", sentence, claim, named_models[m], of->columns[column]);
    }
}

/* Every metric with a best model is in one sentence, whose claims hold. */
static void assert_sentences(const TgReportVerdicts *of, const GPtrArray *sentences)
{
    guint met = 0;

    for (guint i = 0; i < sentences->len; i++) {
        const char *sentence = sentences->pdata[i];
        /* its metrics come before the first number or further clause */
        g_autofree char *head = g_strndup(sentence, strcspn(sentence, ":(;"));
        const guint named = names_in(head, of->columns, of->n_columns);
        const gboolean has_but = strstr(head, "every metric but ") != NULL;

        assert_int_not_equal(named, 0);
        assert_int_equal(met & named, 0);
        met |= named;
        for (guint c = 0; c < of->n_columns; c++) {
            if ((named & 1u << c) || has_but)
                assert_claims(of, sentence, c, !(named & 1u << c));
        }
    }
    assert_int_equal(met, (1u << of->n_columns) - 1);
}

/* So no two sentences contradict each other, nor what "every metric but" leaves unsaid. */
TEST(test_report__sentences_say_what_the_tests_say)
{
    TgReportValue values[MAX_NAMED * MAX_NAMED], against[MAX_NAMED * MAX_NAMED * MAX_NAMED];
    TgReportVerdicts of = { named_models, named_columns, 0, 0, values, against };
    TgRandom random;
    guint n_but = 0;

    tg_random_seed(&random, 1, 0);
    for (guint run = 0; run < 3000; run++) {
        draw_verdicts(&random, &of, values, against);
        g_autoptr(GPtrArray) sentences = tg_report_sentences(&of);

        assert_sentences(&of, sentences);
        for (guint i = 0; i < sentences->len; i++)
            n_but += strstr(sentences->pdata[i], "every metric but ") != NULL;
    }
    assert_true(n_but > 10);
}

/* All of one subset is right and nothing of the other: whole subsets that are drawn are right,
 * wrong or one of each. */
TEST(test_report__intervals_of_means_over_subsets_draw_these_whole)
{
    static const TgEvalOptions exprate = { .metrics = "exprate" };
    const TgReportOptions options = { .resamples = 200, .mean = "subsets", .no_drawings = TRUE };
    g_autoptr(GString) lines = g_string_new(NULL);

    for (guint i = 0; i < 20; i++)
        g_string_append_printf(
            lines, "{\"id\": \"%u\", \"subset\": \"%s\", \"gt\": \"x\", \"pred\": \"%s\"}\n", i,
            i < 10 ? "s" : "t", i < 10 ? "x" : "y");
    g_autofree char *path = tg_results_of_lines(*state, "whole", lines->str, &exprate);
    g_autoptr(TgReport) report = report_of(path, &options);
    const TgReportValue *all = tg_report_value(report, report->blocks->pdata[0], 0, 0);
    const TgReportValue *first = tg_report_value(report, report->blocks->pdata[1], 0, 0);

    tg_assert_near(all->value, 0.5, 1e-9);
    assert_true(all->interval[0] == 0 && all->interval[1] == 1);
    assert_true(first->interval[0] == 1 && first->interval[1] == 1);
}

/* Write 12 subsets of 10 pairs each, of which b reads fewer right, and of some subsets all. */
static char *results_of_subsets(const char *folder, TgRandom *random)
{
    static const TgEvalOptions metrics = { .metrics = "exprate,edit" };
    g_autoptr(GString) lines = g_string_new(NULL);
    const double worse = 0.4 * tg_random_double(random);

    for (guint m = 0; m < 2; m++)
        for (guint i = 0; i < 120; i++)
            g_string_append_printf(
                lines,
                "{\"model\": \"%c\", \"id\": \"%u\", \"subset\": \"s%02u\", "
                "\"gt\": \"xx\", \"pred\": \"%s\"}\n",
                'a' + (int) m, i, i / 10,
                tg_random_double(random) < 0.9 - m * worse * (i / 10 % 3) ? "xx" : "xy");
    return tg_results_of_lines(folder, "subsets", lines->str, &metrics);
}

/* Over all subsets, which are drawn whole, and of each of them; also where nobody says how many
 * resamples there are: compare draws 3000 for these 26 tests. */
TEST(test_report__verdicts_over_subsets_are_those_of_compare)
{
    guint n_verdicts[2] = { 0 };
    TgRandom random;

    tg_random_seed(&random, 11, 0);
    for (guint run = 0; run < 12; run++) {
        const guint resamples = run % 2 == 0 ? 200 : 0;
        const TgReportOptions options = { .resamples = resamples,
                                          .mean = "subsets",
                                          .no_drawings = TRUE };
        const TgCompareOptions how_compared = { .tests.resamples = resamples, .mean = "subsets" };
        g_autofree char *path = results_of_subsets(*state, &random);
        g_autoptr(TgReport) report = report_of(path, &options);
        g_autoptr(TgComparison) comparison =
            tg_must(tg_compare_run((const char *const[]){ path, NULL }, &how_compared, &error));

        assert_int_equal(comparison->columns->len, 2 * 13);
        assert_int_equal(comparison->options.tests.resamples, resamples > 0 ? 200 : 3000);
        for (guint i = 0; i < comparison->columns->len; i++) {
            const TgComparedColumn *c = comparison->columns->pdata[i];
            const TgReportBlock *block = report->blocks->pdata[c->subset + 1];
            guint k = 0;

            while (g_array_index(report->shown, guint, k) != c->column)
                k++;
            const TgReportValue *a = tg_report_value(report, block, 0, k);
            const TgReportValue *b = tg_report_value(report, block, 1, k);

            assert_int_equal(c->n, c->subset < 0 ? 12 : 10);
            tg_assert_near(a->value, c->test.base, 1e-9);
            tg_assert_near(b->value, c->test.system, 1e-9);
            n_verdicts[c->verdict == TG_VERDICT_WORSE] += c->subset < 0;
            if (b->best == 0) { /* a is better */
                assert_int_equal(b->verdict == TG_VERDICT_BETTER, c->verdict == TG_VERDICT_WORSE);
                if (isnan(b->gap_range[0])) /* no pair differs */
                    continue;
                tg_assert_near(b->gap_range[0], -c->test.bootstrap.t[1], 0);
                tg_assert_near(b->gap_range[1], -c->test.bootstrap.t[0], 0);
            } else if (a->best == 1)
                assert_int_equal(a->verdict == TG_VERDICT_BETTER, c->verdict == TG_VERDICT_BETTER);
        }
        g_unlink(path);
    }
    assert_true(n_verdicts[0] > 2 && n_verdicts[1] > 2);
}

/* The page and compare say the same of two models, whichever others there are. */
TEST(test_report__verdicts_are_those_of_compare)
{
    static const TgEvalOptions metrics = { .metrics = "exprate,edit" };
    const TgReportOptions options = { .resamples = 200, .no_drawings = TRUE };
    TgRandom random;

    tg_random_seed(&random, 7, 0);
    for (guint n_models = 2; n_models <= MAX_NAMED; n_models++) {
        g_autoptr(GString) lines = g_string_new(NULL);
        guint n_seen = 0;

        for (guint m = 0; m < n_models; m++)
            for (guint i = 0; i < 60; i++)
                g_string_append_printf(
                    lines,
                    "{\"model\": \"%s\", \"id\": \"%u\", \"gt\": \"xx\", \"pred\": \"%s\"}\n",
                    named_models[m], i, tg_random_double(&random) < 0.3 + 0.08 * m ? "xx" : "xy");
        g_autofree char *path = tg_results_of_lines(*state, "verdicts", lines->str, &metrics);
        const char *const paths[] = { path, NULL };
        g_autoptr(TgReport) report = report_of(path, &options);

        for (guint base = 0; base + 1 < n_models; base++) {
            const TgCompareOptions how_compared = { .base = named_models[base],
                                                    .tests.resamples = 200 };
            g_autoptr(TgComparison) comparison =
                tg_must(tg_compare_run(paths, &how_compared, &error));

            for (guint i = 0; i < comparison->columns->len; i++) {
                const TgComparedColumn *c = comparison->columns->pdata[i];

                for (guint k = 0; k < report->shown->len; k++) {
                    if (g_array_index(report->shown, guint, k) != c->column || c->model < base)
                        continue;
                    const TgReportValue *value =
                        &report->against[(k * n_models + base) * n_models + c->model];
                    const TgReportValue *back =
                        &report->against[(k * n_models + c->model) * n_models + base];

                    n_seen++;
                    assert_int_equal(value->verdict, c->verdict);
                    assert_int_equal(back->verdict == TG_VERDICT_BETTER,
                                     c->verdict == TG_VERDICT_WORSE);
                    assert_int_equal(back->gap == -value->gap, TRUE);
                }
            }
        }
        assert_int_equal(n_seen, n_models * (n_models - 1)); /* of two metrics */
        assert_sentences(
            &(const TgReportVerdicts){
                named_models, (const char *const[]){ "exprate", "edit" }, n_models, 2,
                ((const TgReportBlock *) report->blocks->pdata[0])->values, report->against },
            report->headline);
        g_unlink(path);
    }
}

/* Ids, names, formulas and titles that try to be markup stay text in every place. */
TEST(test_report__html_is_escaped)
{
    static const char attack[] = "</script><img src=x onerror=alert(1)>";
    g_autofree char *lines = g_strdup_printf("{\"id\": \"%s\", \"model\": \"%s\", \"subset\": "
                                             "\"%s\", \"gt\": \"%s\", \"pred\": \"%s\"}\n",
                                             attack, attack, attack, attack, attack);
    g_autofree char *path = tg_results_of_lines(*state, "attack", lines, &how);
    const TgReportOptions options = { .title = attack, .resamples = 10 };
    g_autoptr(TgReport) report = report_of(path, &options);
    g_autofree char *html = tg_report_format(report, TG_REPORT_HTML);
    guint scripts = 0;

    assert_null(strstr(html, "<img src=x"));
    assert_null(strstr(html, "onerror=alert(1)>\""));
    for (const char *at = html; (at = strstr(at, "</script>")) != NULL; at++)
        scripts++;
    assert_int_equal(scripts, 3); /* summary, data and the page's own */
    tg_assert_holds(html, "\\u003c/script\\u003e", "&lt;/script&gt;", "default-src 'none'", NULL);
    /* and it needs nothing from elsewhere */
    assert_null(strstr(html, "http://"));
    assert_null(strstr(html, "https://"));
    assert_null(strstr(html, "@import"));
}

/*
 * b is wrong on 6 of 20 pairs: exactly 2 of 64 ways to swap them are as far apart, p = 0.031. Alone
 * that tells b from a; as one of two tests, of edit and exprate, it is 0.062 and does not.
 */
TEST(test_report__marks_hold_for_all_tests_of_the_table)
{
    static const TgEvalOptions metrics[] = { { .metrics = "exprate" },
                                             { .metrics = "exprate,edit" } };
    const TgReportOptions options = { .resamples = 10 };
    g_autoptr(GString) lines = g_string_new(NULL);

    for (guint i = 0; i < 40; i++)
        g_string_append_printf(
            lines, "{\"model\": \"%s\", \"id\": \"%u\", \"gt\": \"x\", \"pred\": \"%s\"}\n",
            i % 2 ? "b" : "a", i / 2, i % 2 && i / 2 < 6 ? "y" : "x");
    for (guint i = 0; i < 2; i++) {
        g_autofree char *path =
            tg_results_of_lines(*state, i == 0 ? "one-test" : "two-tests", lines->str, &metrics[i]);
        g_autoptr(TgReport) report = report_of(path, &options);
        g_autofree char *text = tg_report_format(report, TG_REPORT_MARKDOWN);

        tg_assert_holds(text, i == 0 ? "0.7000 |" : "0.7000= |", NULL);
        assert_int_equal(strstr(text, "0.7000= |") == NULL, i == 0);
    }
}

TEST(test_report__same_bytes_in_both_styles)
{
    g_autofree char *path = tg_results_of_lines(*state, "styles", TWO_MODELS, &how);
    const TgReportOptions options = { .title = "Two models", .resamples = 10 };
    g_autoptr(TgReport) report = report_of(path, &options);
    g_autoptr(TgReport) again = report_of(path, &options);
    g_autofree char *markdown = tg_report_format(report, TG_REPORT_MARKDOWN);

    assert_true(g_str_has_prefix(markdown, "# Two models\n"));
    tg_assert_holds(markdown, "\n## Rendering and faults\n\n", "no significant difference between",
                    NULL);
    for (TgReportStyle style = TG_REPORT_HTML; style <= TG_REPORT_MARKDOWN; style++) {
        g_autofree char *one = tg_report_format(report, style);
        g_autofree char *two = tg_report_format(again, style);

        assert_string_equal(one, two);
        assert_true(g_utf8_validate(one, -1, NULL));
        assert_true(g_str_has_suffix(one, "\n"));
    }
}

TEST(test_report__says_so_where_nothing_is_defined)
{
    static const struct {
        TgEvalOptions how;
        const char *lines, *message;
    } cases[] = {
        { { .metrics = "edit,cer" }, "", "These results hold no pairs" },
        { { .metrics = "edit,cer" },
          "{\"gt\": \"x\", \"pred\": \"x\", \"human\": 3}\n",
          "fewer than 2 items" },
        { { .metrics = "edit,cer" },
          "{\"gt\": \"x\", \"pred\": \"x\", \"human\": 3}\n"
          "{\"gt\": \"y\", \"pred\": \"y\", \"human\": 4}\n",
          "all values of edit are equal" },
        { { .metrics = "edit,cer" },
          "{\"gt\": \"\", \"pred\": null}\n{\"gt\": \"\", \"pred\": \"x\"}\n",
          "no prediction" },
        /* metrics that draw and explain */
        { { .metrics = "cdm,forte" }, "", "These results hold no pairs" },
        { { .metrics = "cdm,forte" },
          "{\"gt\": \"x\", \"pred\": \"y\"}\n",
          "Predictions that can be typeset" },
        { { .metrics = "cdm,forte" },
          "{\"gt\": \"x\", \"pred\": \"x\"}\n{\"gt\": \"x\"}\n",
          "no prediction" },
        { { .metrics = "cdm,forte" }, "{\"gt\": \"{{\", \"pred\": \"}\"}\n", "cdm" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path =
            tg_results_of_lines(*state, "degenerate", cases[i].lines, &cases[i].how);
        g_autoptr(TgReport) report = report_of(path, &(TgReportOptions){ .resamples = 10 });

        for (TgReportStyle style = TG_REPORT_HTML; style <= TG_REPORT_MARKDOWN; style++) {
            g_autofree char *text = tg_report_format(report, style);

            assert_null(strstr(text, ">nan<"));
            tg_assert_holds(text, cases[i].message, NULL);
        }
        g_unlink(path);
    }
}

TEST(test_report__one_metric_is_not_compared_with_itself)
{
    static const TgEvalOptions one = { .metrics = "cer" };
    g_autofree char *path = tg_results_of_lines(*state, "one", TWO_MODELS, &one);
    g_autoptr(TgReport) report = report_of(path, &(TgReportOptions){ .no_drawings = TRUE });

    assert_non_null(find_section(report, "What changed"));
    assert_null(find_section(report, "Metric against metric"));
}

TEST(test_report__refuses_what_it_cannot_do)
{
    g_autofree char *path = tg_results_of_lines(*state, "wrong", TWO_MODELS, &how);
    const char *const paths[] = { path, NULL };
    TgReportStyle style;

    tg_assert_fails(tg_report_new(paths, &(TgReportOptions){ .resamples = 1000000 }, &error),
                    TG_ERROR_USAGE, "resamples");
    tg_assert_fails(tg_report_style_of_file("report.pdf", &style, &error), TG_ERROR_USAGE,
                    "report.pdf");
    tg_must(tg_report_style_of_file("a.b/report.md", &style, &error));
    assert_int_equal(style, TG_REPORT_MARKDOWN);
}

TEST_GROUP(test_make_scratch, test_remove_scratch)
