#include "metrics/metric.h"
#include "tests/support/results_support.h"

/* Two metrics: one that is averaged, one that is pooled by statistics. */
static TgScoreLayout *make_layout(void)
{
    return tg_score_layout_new(tg_metric_new_list("exprate,cer", NULL));
}

static TgSummary *new_summary(const TgSummaryOptions *options)
{
    TgSummary *summary = tg_summary_new(make_layout(), options, NULL);

    assert_non_null(summary);
    return summary;
}

/* @pair with exprate @exact and @edits character edits over @length characters, unless that is 0.
 */
static void add_pair(TgSummary *summary, TgSummaryPair pair, double exact, double edits,
                     double length)
{
    const TgScoreLayout *layout = summary->layout;
    TgScores scores;

    tg_scores_init(&scores, layout);
    scores.columns[0] = exact;
    if (length > 0)
        scores.columns[layout->first_column[1]] = edits / length;
    scores.stats[layout->first_stat[1]] = edits;
    scores.stats[layout->first_stat[1] + 1] = length;
    scores.has_stats[1] = length > 0;
    tg_summary_add_pair(summary, &pair, &scores);
    tg_scores_clear(&scores, layout);
}

static void add(TgSummary *summary, const char *model, const char *subset, double exact,
                double edits, double length)
{
    add_pair(summary, (TgSummaryPair){ .model = model, .subset = subset }, exact, edits, length);
}

static TgSummary *make_summary(gboolean backwards)
{
    TgSummary *summary = new_summary(NULL);
    static const struct {
        const char *model, *subset;
        double exact, edits, length;
    } pairs[] = {
        { "B", "long", 1, 0, 30 }, { "B", "short", 0, 2, 4 },  { "B", "short", 0, 1, 6 },
        { "A", "long", 0, 9, 30 }, { "A", "short", 1, 0, 10 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        const guint k = backwards ? (guint) G_N_ELEMENTS(pairs) - 1 - i : i;
        add(summary, pairs[k].model, pairs[k].subset, pairs[k].exact, pairs[k].edits,
            pairs[k].length);
    }
    return summary;
}

/* cer of B: 3 edits over 40 characters; short: 3/10; long 0/30; macro (3/10 + 0)/2. */
TEST(test_summary__micro_subset_and_macro)
{
    g_autoptr(TgSummary) summary = make_summary(FALSE);
    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    const TgSummaryRow *macro = rows->pdata[7];
    const guint cer = summary->layout->first_column[1];

    assert_int_equal(rows->len, 8); /* per model: all, long, short, macro */
    tg_assert_near(test_summary_value(summary, "B", NULL, "cer"), 3.0 / 40, 1e-9);
    tg_assert_near(test_summary_value(summary, "B", "short", "cer"), 3.0 / 10, 1e-9);
    tg_assert_near(test_summary_value(summary, "B", "long", "cer"), 0.0, 0.0);
    tg_assert_near(test_summary_value(summary, "B", NULL, "exprate"), 1.0 / 3, 1e-9);
    tg_assert_near(test_summary_value(summary, "A", NULL, "cer"), 9.0 / 40, 1e-9);
    assert_true(macro->is_macro);
    tg_assert_near(macro->values[cer], 0.15, 1e-9);
    tg_assert_near(macro->values[0], 0.5, 1e-9);
    assert_true(isnan(test_summary_value(summary, "C", NULL, "cer")));
    assert_true(isnan(test_summary_value(summary, "B", NULL, "bleu")));
}

TEST(test_summary__order_of_pairs_does_not_show)
{
    g_autoptr(TgSummary) forward = make_summary(FALSE);
    g_autoptr(TgSummary) backward = make_summary(TRUE);

    for (TgGridStyle style = TG_GRID_TABLE; style <= TG_GRID_LATEX; style++) {
        const TgSummaryFormat format = { .form.style = style };
        g_autofree char *one = tg_summary_format(forward, &format);
        g_autofree char *two = tg_summary_format(backward, &format);
        assert_string_equal(one, two);
    }
}

TEST(test_summary__table_is_aligned)
{
    static const char wanted[] = "model  subset           pairs  exprate ↑   cer ↓\n"
                                 "A      all                  2     0.5000  0.2250\n"
                                 "A      long                 1     0.0000  0.3000\n"
                                 "A      short                1     1.0000  0.0000\n"
                                 "A      mean of subsets      2     0.5000  0.1500\n"
                                 "B      all                  3     0.3333  0.0750\n"
                                 "B      long                 1     1.0000  0.0000\n"
                                 "B      short                2     0.0000  0.3000\n"
                                 "B      mean of subsets      3     0.5000  0.1500\n"
                                 "The models have different pairs; compare takes those that both "
                                 "have.\n"
                                 "Metrics: exprate v4; cer v4.\n";
    g_autoptr(TgSummary) summary = make_summary(FALSE);

    tg_assert_text(tg_summary_format(summary, &(TgSummaryFormat){ 0 }), wanted);
}

TEST(test_summary__percent_leaves_open_ranges_alone)
{
    g_autoptr(TgSummary) summary = new_summary(NULL);

    add(summary, NULL, NULL, 1, 1, 8);
    tg_assert_text(tg_summary_format(summary, &(TgSummaryFormat){ .form.percent = TRUE }),
                   "pairs  exprate % ↑   cer ↓\n"
                   "    1       100.00  0.1250\n"
                   "Metrics: exprate v4; cer v4.\n");
}

TEST(test_summary__names_are_escaped)
{
    static const struct {
        TgGridStyle style;
        const char *name;
    } cases[] = { { TG_GRID_CSV, "\n\"a,\"\"b\"\"_&\"," },
                  { TG_GRID_LATEX, "a,\"b\"\\_\\&" },
                  { TG_GRID_JSON, "\"a,\\\"b\\\"_&\"" } };
    g_autoptr(TgSummary) summary = new_summary(NULL);

    add(summary, "a,\"b\"_&", NULL, 1, 0, 8);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const TgSummaryFormat format = { .form.style = cases[i].style };

        tg_assert_says(tg_summary_format(summary, &format), cases[i].name, NULL);
    }
}

TEST(test_summary__undefined_pairs_are_counted)
{
    g_autoptr(TgSummary) summary = new_summary(NULL);
    const TgScoreLayout *layout = summary->layout;
    TgScores scores;

    add(summary, NULL, NULL, 1, 1, 8);
    tg_scores_init(&scores, layout);
    tg_scores_set_status(&scores, 0, "no truth");
    tg_scores_set_status(&scores, 1, "no truth");
    tg_summary_add_pair(summary, &(TgSummaryPair){ 0 }, &scores);
    tg_scores_clear(&scores, layout);
    tg_assert_text(tg_summary_format(summary, &(TgSummaryFormat){ 0 }),
                   "pairs  exprate ↑   cer ↓  not ok  left out\n"
                   "    2     1.0000  0.1250       1         1\n"
                   "Metrics: exprate v4; cer v4.\n");
}

/* Models come as their first rows do, or by a column with the best first: cer of A .225, B .075. */
TEST(test_summary__models_in_the_order_given)
{
    static const struct {
        guint64 row;
        const char *model;
        double exact, edits;
    } pairs[] = { { 4, "C", 1, 8 }, { 2, "B", 0, 0 }, { 3, "A", 0, 2 }, { 7, "B", 1, 0 } };
    g_autoptr(TgSummary) summary = new_summary(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        add_pair(summary, (TgSummaryPair){ .row = pairs[i].row, .model = pairs[i].model },
                 pairs[i].exact, pairs[i].edits, 8);
    g_autofree char *text = tg_summary_format(summary, &(TgSummaryFormat){ 0 });

    assert_true(strstr(text, "\nB") < strstr(text, "\nA"));
    assert_true(strstr(text, "\nA") < strstr(text, "\nC"));
    assert_ptr_equal(strstr(text, "\nB"), strchr(text, '\n'));
}

/* exprate of B: 1 and 0, of A: 0 and 1; the means are both 1/2. */
TEST(test_summary__pivot_has_models_by_subsets_and_the_best)
{
    g_autoptr(TgSummary) summary = make_summary(FALSE);
    const TgSummaryFormat table = { .pivot = "exprate" },
                          md = { .pivot = "cer", .form.style = TG_GRID_MARKDOWN };
    g_autofree char *text = tg_summary_format(summary, &table);
    g_autofree char *best = tg_summary_format(summary, &md);
    g_autoptr(TgSummary) apart = new_summary(NULL);

    for (guint i = 0; i < 4; i++)
        add(apart, i < 2 ? "A" : "B", i % 3 > 0 ? "u" : i == 0 ? "t" : "s", 1, 0, 1);
    g_autofree char *sorted = tg_summary_format(apart, &table);
    assert_true(strstr(sorted, " s ") < strstr(sorted, " u "));
    assert_string_equal(text, "exprate ↑\n"
                              "model    long    short   mean of subsets\n"
                              "A      0.0000   1.0000*           0.5000*\n"
                              "B      1.0000*  0.0000            0.5000*\n"
                              "The models have different pairs; compare takes those that both "
                              "have.\n"
                              "*: the best.\n"
                              "Metrics: exprate v4; cer v4.\n");
    assert_non_null(strstr(best, "| A     |     0.3000 | **0.0000** |      **0.1500** |\n"
                                 "| B     | **0.0000** |     0.3000 |      **0.1500** |\n"));
}

/* Pairs that are all alike have intervals of no width; else the value lies inside, for every form.
 */
TEST(test_summary__intervals_beside_the_values)
{
    const TgSummaryOptions options = { .confidence = TRUE };
    g_autoptr(TgSummary) same = new_summary(&options);
    g_autoptr(TgSummary) mixed = new_summary(&options);
    const TgSummaryFormat table = { 0 }, csv = { .form.style = TG_GRID_CSV },
                          json = { .form.style = TG_GRID_JSON };

    for (guint i = 0; i < 20; i++) {
        add(same, NULL, NULL, 1, 1, 4);
        add(mixed, NULL, NULL, i % 2, i % 3, 4);
    }
    g_autofree char *text = tg_summary_format(same, &table);
    assert_true(g_str_has_prefix(text,
                                 "pairs  exprate ↑          interval   cer ↓          interval\n"
                                 "   20     1.0000  [1.0000, 1.0000]  0.2500  [0.2500, 0.2500]\n"));
    tg_assert_says(tg_summary_format(same, &csv), "\"exprate\",\"exprate_low\",\"exprate_high\"",
                   NULL);
    tg_assert_says(tg_summary_format(same, &json), "\"intervals\":{\"exprate\":[1,1]", NULL);

    g_autoptr(GPtrArray) rows = tg_summary_rows(mixed);
    const TgSummaryRow *row = rows->pdata[0];
    /* a proportion of 1/2 of 20: standard error .112, so the interval is [.25 or .30, .70 or .75]
     */
    tg_assert_near(row->intervals[0][0], 0.275, 0.03);
    tg_assert_near(row->intervals[0][1], 0.725, 0.03);
}

/* Every pair of one subset has 2 edits, every pair of the other 1, whatever is drawn: the sum over
 * both is 3 * 2 + 2 * 1, and so are the ends of its interval. The mean of the counts would be 4. */
TEST(test_summary__counts_of_subsets_are_summed_in_intervals_too)
{
    TgScoreLayout *layout = tg_score_layout_new(tg_metric_new_list("edit-ops", NULL));
    g_autoptr(TgSummary) summary =
        tg_summary_new(layout, &(TgSummaryOptions){ .confidence = TRUE }, NULL);
    TgScores scores;

    tg_scores_init(&scores, layout);
    for (guint i = 0; i < 5; i++) {
        const TgSummaryPair pair = { .row = i + 1, .subset = i < 3 ? "long" : "short" };

        scores.columns[0] = i < 3 ? 2 : 1;
        tg_summary_add_pair(summary, &pair, &scores);
    }
    tg_scores_clear(&scores, layout);
    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    const TgSummaryRow *macro = rows->pdata[rows->len - 1];
    assert_true(macro->is_macro);
    tg_assert_near(macro->values[0], 8, 0);
    tg_assert_near(macro->intervals[0][0], 8, 0);
    tg_assert_near(macro->intervals[0][1], 8, 0);
}

/* Pairs of two subsets on three pages, of cer: p 1/4, q (2 + 3)/10 in both subsets, r 0/4. */
static TgSummary *make_pages(const char *mean, gboolean intervals)
{
    TgSummary *summary = new_summary(&(TgSummaryOptions){ .mean = mean, .confidence = intervals });
    static const struct {
        const char *id, *subset;
        double exact, edits, length;
    } pairs[] = { { "p.jpg#1", "x", 1, 1, 4 },
                  { "q.jpg#1", "x", 0, 2, 2 },
                  { "q.jpg#2", "y", 0, 3, 8 },
                  { "r_7#1", "y", 1, 0, 4 } };

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        json_auto_t *stored = json_pack("{s:s}", "part", pairs[i].exact > 0 ? "good" : "bad");
        const TgSummaryPair pair = { i + 1, NULL, pairs[i].subset, pairs[i].id, stored };

        add_pair(summary, pair, pairs[i].exact, pairs[i].edits, pairs[i].length);
    }
    return summary;
}

/* By page in all: (1/4 + 5/10 + 0/4) / 3; in x: (1/4 + 2/2) / 2; in y: (3/8 + 0) / 2. */
TEST(test_summary__mean_over_pages)
{
    g_autoptr(TgSummary) summary = make_pages("pages", TRUE);
    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    const TgSummaryRow *all = rows->pdata[0], *x = rows->pdata[1], *macro = rows->pdata[3];
    const guint cer = summary->layout->first_column[1];

    assert_int_equal(rows->len, 4); /* all, x, y, macro */
    assert_int_equal(all->n_pairs, 4);
    assert_int_equal(all->n_pages, 3);
    tg_assert_near(all->values[cer], 0.25, 1e-9);
    tg_assert_near(all->values[0], 2.0 / 3, 1e-9);
    assert_int_equal(x->n_pages, 2);
    tg_assert_near(x->values[cer], 0.625, 1e-9);
    tg_assert_near(test_summary_value(summary, NULL, "y", "cer"), 0.1875, 1e-9);
    tg_assert_near(macro->values[cer], (0.625 + 0.1875) / 2, 1e-9);
    /* pages are drawn again: x is p twice, q twice, or both */
    tg_assert_near(x->intervals[cer][0], 0.25, 1e-9);
    tg_assert_near(x->intervals[cer][1], 1, 1e-9);
}

/* A page is in two subsets; its unused predictions count once in all, and in each of them. */
TEST(test_summary__pages_count_missed_and_unused)
{
    static const struct {
        const char *id, *subset, *match;
        int unused;
    } pairs[] = { { "p.jpg#0", "x", "matched", 3 },
                  { "p.jpg#1", "y", "missed", 3 },
                  { "p.jpg#2", "y", "missed", 3 },
                  { "q.jpg#0", "y", "matched", 4 },
                  { "r.jpg#", "y", "void", 0 } };
    g_autoptr(TgSummary) summary = new_summary(&(TgSummaryOptions){ .mean = "pages" });

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        json_auto_t *stored =
            json_pack("{s:s, s:i}", "match", pairs[i].match, "page_unused", pairs[i].unused);

        add_pair(summary, (TgSummaryPair){ i + 1, NULL, pairs[i].subset, pairs[i].id, stored }, 1,
                 0, 0);
    }
    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    const TgSummaryRow *all = rows->pdata[0], *x = rows->pdata[1], *y = rows->pdata[2];
    g_autofree char *text = tg_summary_format(summary, &(TgSummaryFormat){ 0 });

    assert_true(all->page_counts.n_missed == 2 && all->page_counts.n_unused == 7);
    assert_true(x->page_counts.n_missed == 0 && x->page_counts.n_unused == 3);
    assert_true(y->page_counts.n_missed == 2 && y->page_counts.n_unused == 7);
    assert_true(g_str_has_prefix(text, "subset           pairs  pages  missed  unused  exprate ↑"));
}

/* x: 3/6, y: 3/12, so their mean .375 stands for all; by the field: bad 5/10, good 1/8. */
TEST(test_summary__mean_over_subsets)
{
    g_autoptr(TgSummary) summary = make_pages("subsets", FALSE);
    g_autoptr(TgSummary) by_field = make_pages("subsets=part", TRUE);
    g_autoptr(GPtrArray) rows = tg_summary_rows(by_field);

    tg_assert_near(test_summary_value(summary, NULL, NULL, "cer"), 0.375, 1e-9);
    tg_assert_near(test_summary_value(summary, NULL, "y", "cer"), 0.25, 1e-9);
    assert_int_equal(rows->len, 3); /* no macro row: it is the first */
    tg_assert_near(test_summary_value(by_field, NULL, "bad", "cer"), 0.5, 1e-9);
    tg_assert_near(test_summary_value(by_field, NULL, NULL, "cer"), 0.3125, 1e-9);
    assert_non_null(((const TgSummaryRow *) rows->pdata[0])->intervals);
}

static void assert_fails(TgSummary *summary, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(tg_summary_check(summary, &error));
    assert_string_equal(error->message, message);
}

TEST(test_summary__mean_without_names_is_an_error)
{
    g_autoptr(TgSummary) summary = make_pages("pages=image", FALSE);

    assert_fails(summary, "no pair has a page in its field 'image'");
    tg_assert_fails(tg_summary_new(make_layout(), &(TgSummaryOptions){ .mean = "page" }, &error),
                    TG_ERROR_USAGE, "");
    assert_null(tg_summary_new(make_layout(), &(TgSummaryOptions){ .mean = "pairs=x" }, NULL));
}

/* The value of a field is a row of its own beside the subsets, and no part of their mean. Several
 * values are rows each. */
TEST(test_summary__rows_by_fields)
{
    static const char *const fields[] = { "kind", "size", NULL };
    static const char *const stored[] = { "{\"kind\":\"a\",\"size\":1}",
                                          "{\"kind\":\"a; b; page: odd\"}",
                                          "{\"kind\":null,\"size\":2.5}" };
    static const char *const unknown[] = { "nothing", NULL };
    g_autoptr(TgSummary) summary = new_summary(&(TgSummaryOptions){ .by = fields });
    g_autoptr(TgSummary) other = new_summary(&(TgSummaryOptions){ .by = unknown });

    for (guint i = 0; i < G_N_ELEMENTS(stored); i++) {
        json_auto_t *object = json_loads(stored[i], 0, NULL);
        const TgSummaryPair pair = { .row = i, .subset = i < 2 ? "x" : "y", .stored = object };

        add_pair(summary, pair, i, 0, 0);
        add_pair(other, pair, i, 0, 0);
    }
    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    assert_int_equal(rows->len, 9); /* all, x, y, macro, kind a and b, page, size 1 and 2.5 */
    tg_assert_near(test_summary_value(summary, NULL, NULL, "exprate"), 1, 1e-9);
    tg_assert_near(test_summary_value(summary, NULL, "kind: a", "exprate"), 0.5, 1e-9);
    tg_assert_near(test_summary_value(summary, NULL, "kind: b", "exprate"), 1, 1e-9);
    tg_assert_near(test_summary_value(summary, NULL, "page: odd", "exprate"), 1, 1e-9);
    tg_assert_near(test_summary_value(summary, NULL, "size: 2.5", "exprate"), 2, 1e-9);
    tg_assert_near(((const TgSummaryRow *) rows->pdata[3])->values[0], 1.25, 1e-9);
    assert_true(tg_summary_check(summary, NULL));
    assert_fails(other, "no pair has a field 'nothing' to group by");
}
