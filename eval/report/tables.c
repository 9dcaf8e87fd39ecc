/* The tables of a report: values, what was run, faults, errors, changes, agreement of metrics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/report/private.h"
#include "tokenizer/latex/parse.h"

enum { DIGITS = 4, RATE_DIGITS = 1, RANK_DIGITS = 3, MAX_ERRORS = 40, MAX_MODELS = 8 };

/* ---- values ---- */

static TgGrid *new_values_grid(const TgReport *report, gboolean with_subset)
{
    TgGrid *grid = tg_grid_new("Values", with_subset ? 2 : 1);

    if (with_subset)
        tg_grid_head(grid, "subset");
    tg_grid_heads(grid, (const char *const[]){ "model", "pairs", NULL });
    for (guint i = 0; i < report->shown->len; i++) {
        const TgTableColumn *column = tg_report_column(report, i);

        tg_grid_head(grid, column->name);
        tg_grid_column_scores(grid, column->is_share,
                              column->pooling == TG_POOL_SUM ? NULL
                              : column->lower_is_better      ? "↓"
                                                             : "↑");
        tg_grid_head(grid, "±");
        tg_grid_column_scores(grid, column->is_share, NULL);
    }
    return grid;
}

/* @values: [n_shown], or NULL: means over the subsets, which are all blocks but the first */
static void put_values(const TgReport *report, TgGrid *grid, const char *subset, guint model,
                       guint n, const TgReportValue *values)
{
    const guint n_subsets = report->blocks->len - 1;

    if (subset != NULL)
        tg_grid_put(grid, subset);
    tg_grid_put(grid, tg_report_model_name(report, model));
    tg_grid_put_count(grid, n);
    for (guint i = 0; i < report->shown->len; i++) {
        TgReportValue value = { .interval = { NAN, NAN }, .best = -1 };

        for (guint b = 1; values == NULL && b <= n_subsets; b++)
            value.value +=
                tg_report_value(report, report->blocks->pdata[b], model, i)->value / n_subsets;
        if (values != NULL)
            value = values[i];
        tg_grid_put_number(grid, value.value, DIGITS);
        tg_grid_mark(grid, value.is_best,
                     value.best >= 0 && !tg_report_is_worse(&value) ? "=" : NULL);
        tg_grid_put_number(grid, (value.interval[1] - value.interval[0]) / 2, DIGITS);
    }
}

gboolean tg_report_add_values(TgReport *report, GError **error)
{
    const TgTable *table = report->table;
    const guint n_models = table->models->len;
    const gboolean with_subset = table->subsets->len > 1;
    const TgMeanOver over = report->mean.mean.over;
    g_autofree char *text = over == TG_MEAN_PAIRS
                                ? g_strdup("Pooled over all pairs, as eval does.")
                                : g_strdup_printf("Means over %s, as eval --mean %s has them.",
                                                  tg_mean_name(over), tg_mean_name(over));
    TgGrid *grid = new_values_grid(report, with_subset);

    g_ptr_array_add(tg_report_add_section(report, "overview", "Overview", text)->grids, grid);
    if (table->n_rows == 0) {
        tg_grid_note(grid, "These results hold no pairs.");
        return TRUE;
    }
    if (!tg_report_measure(report, error))
        return FALSE;
    for (guint i = 0; i < report->blocks->len; i++) {
        const TgReportBlock *block = report->blocks->pdata[i];
        const char *subset = !with_subset        ? NULL
                             : block->subset < 0 ? "all"
                                                 : tg_report_subset_name(report, block->subset);

        for (guint m = 0; m < n_models; m++)
            put_values(report, grid, subset, m, block->n[m], tg_report_value(report, block, m, 0));
    }
    for (guint m = 0; with_subset && over != TG_MEAN_SUBSETS && m < n_models; m++)
        put_values(report, grid, TG_MEAN_OF_SUBSETS, m,
                   ((const TgReportBlock *) report->blocks->pdata[0])->n[m], NULL);
    tg_grid_note(grid,
                 "±: half the 95 %% bootstrap interval, %u resamples, seed %" G_GUINT64_FORMAT ".",
                 report->resamples, report->seed);
    if (n_models > 1)
        tg_grid_note(grid, "Bold: the best model. =: no significant difference from the best one, "
                           "by the verdict of texgauge compare at 0.05.");
    return TRUE;
}

/* ---- what was run ---- */

void tg_report_add_run(TgReport *report)
{
    static const char *const keys[] = { "file", "format", "sha256", NULL };
    const TgScoreLayout *layout = report->table->layout;
    const json_t *inputs = report->table->inputs;
    const GPtrArray *remarks = report->table->remarks;
    TgReportSection *section = tg_report_add_section(report, "run", "What was run", NULL);
    TgGrid *metrics = tg_grid_new("Metrics", 2), *data = tg_grid_new("Data", 3);

    tg_grid_heads(metrics, (const char *const[]){ "metric", "signature", NULL });
    for (guint m = 0; m < layout->metrics->len; m++) {
        tg_grid_put(metrics, tg_metric_label(tg_score_layout_metric(layout, m)));
        tg_grid_put(metrics, tg_metric_signature(tg_score_layout_metric(layout, m)));
    }
    g_ptr_array_add(section->grids, metrics);
    tg_grid_heads(data, keys);
    for (guint i = 0; i < json_array_size(inputs); i++) {
        for (guint k = 0; keys[k] != NULL; k++) {
            const char *text =
                json_string_value(json_object_get(json_array_get(inputs, i), keys[k]));

            tg_grid_put(data, text != NULL ? text : "-");
        }
    }
    for (guint i = 0; i < remarks->len; i++)
        tg_grid_note(data, "%s.", (const char *) remarks->pdata[i]);
    g_ptr_array_add(section->grids, data);
}

/* ---- numbers by kind and by model ---- */

typedef struct {
    guint n_kinds, n_models;
    guint *n; /* [n_kinds][n_models] */
} Counts;

static void counts_init(Counts *counts, const TgReport *report, guint n_kinds)
{
    counts->n_kinds = n_kinds;
    counts->n_models = report->table->models->len;
    counts->n = g_new0(guint, MAX((gsize) n_kinds * counts->n_models, 1));
}

static void counts_clear(Counts *counts)
{
    g_free(counts->n);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Counts, counts_clear)

static guint *count_at(const Counts *counts, guint kind, guint model)
{
    return &counts->n[(gsize) kind * counts->n_models + model];
}

static guint total_of(const Counts *counts, guint kind)
{
    guint total = 0;

    for (guint m = 0; m < counts->n_models; m++)
        total += *count_at(counts, kind, m);
    return total;
}

static void head_models(const TgReport *report, TgGrid *grid)
{
    for (guint m = 0; m < report->table->models->len; m++)
        tg_grid_head(grid, tg_report_model_name(report, m));
}

/* ---- what can be read and drawn ---- */

enum { N_FAULTS = TG_PARSE_LIMIT + 1, MISSING = N_FAULTS, GOOD, ALL, N_STATES };

/* A prediction counts once for each kind of fault that it has. */
static void count_prediction(Counts *counts, guint model, const char *tex)
{
    g_autoptr(TgTree) tree = tex != NULL ? tg_tree_parse(tex, strlen(tex), NULL, NULL) : NULL;
    const TgParseError *faults = NULL;
    gboolean has[N_STATES] = { [ALL] = TRUE };
    guint n = 0;

    if (tree != NULL)
        faults = tg_tree_errors(tree, &n);
    for (guint i = 0; i < n; i++)
        has[faults[i].kind] = TRUE;
    has[MISSING] = tex == NULL;
    has[TG_PARSE_LIMIT] |= tex != NULL && tree == NULL;
    has[GOOD] = tree != NULL && n == 0;
    for (guint k = 0; k < N_STATES; k++)
        *count_at(counts, k, model) += has[k] != FALSE;
}

static gint compare_faults(gconstpointer a, gconstpointer b)
{
    return strcmp(tg_parse_error_kind_name(*(const TgParseErrorKind *) a),
                  tg_parse_error_kind_name(*(const TgParseErrorKind *) b));
}

static TgGrid *rendering_grid(const TgReport *report)
{
    const TgTable *table = report->table;
    g_auto(Counts) counts = { 0 };
    TgParseErrorKind kinds[N_FAULTS];
    TgGrid *grid = tg_grid_new("Predictions that can be drawn", 1);

    counts_init(&counts, report, N_STATES);
    for (guint i = 0; i < table->n_rows; i++)
        count_prediction(&counts, table->rows[i].model, table->rows[i].hyp);
    for (guint k = 0; k < N_FAULTS; k++)
        kinds[k] = (TgParseErrorKind) k;
    qsort(kinds, N_FAULTS, sizeof *kinds, compare_faults);
    tg_grid_heads(grid, (const char *const[]){ "model", "pairs", "no prediction", "without fault",
                                               "share", NULL });
    for (guint k = 0; k < N_FAULTS; k++) {
        if (total_of(&counts, kinds[k]) > 0)
            tg_grid_head(grid, tg_parse_error_kind_name(kinds[k]));
    }
    for (guint m = 0; m < counts.n_models; m++) {
        const guint n = *count_at(&counts, ALL, m), n_good = *count_at(&counts, GOOD, m);

        tg_grid_put(grid, tg_report_model_name(report, m));
        tg_grid_put_count(grid, n);
        tg_grid_put_count(grid, *count_at(&counts, MISSING, m));
        tg_grid_put_count(grid, n_good);
        tg_grid_put_number(grid, (double) n_good / n, DIGITS);
        tg_grid_share(grid);
        for (guint k = 0; k < N_FAULTS; k++) {
            if (total_of(&counts, kinds[k]) > 0)
                tg_grid_put_count(grid, *count_at(&counts, kinds[k], m));
        }
    }
    tg_grid_note(grid, "Faults of the source, by kind; a prediction counts once for each kind.");
    return grid;
}

static gint compare_keys(gconstpointer a, gconstpointer b, gpointer data)
{
    (void) data;
    return strcmp(a, b);
}

/* One row per model, metric and class of status other than "ok", which ends at the first colon. */
static TgGrid *status_grid(const TgReport *report)
{
    const TgTable *table = report->table;
    g_autoptr(GTree) counts = g_tree_new_full(compare_keys, NULL, g_free, NULL);
    TgGrid *grid = tg_grid_new("What metrics said about pairs, other than ok", 3);

    for (guint i = 0; i < table->n_rows; i++) {
        for (guint m = 0; m < table->layout->metrics->len; m++) {
            const char *status = tg_table_status(table, i, m);

            if (status == NULL)
                continue;
            /* in the order of models and metrics */
            char *key = g_strdup_printf("%08x%08x%.*s", table->rows[i].model, m,
                                        (int) strcspn(status, ":"), status);
            const guint n = GPOINTER_TO_UINT(g_tree_lookup(counts, key)) + 1;
            g_tree_replace(counts, key, GUINT_TO_POINTER(n));
        }
    }
    tg_grid_heads(grid, (const char *const[]){ "model", "metric", "status", "pairs", NULL });
    for (GTreeNode *node = g_tree_node_first(counts); node != NULL; node = g_tree_node_next(node)) {
        const char *key = g_tree_node_key(node);
        guint model, metric;

        (void) sscanf(key, "%8x%8x", &model, &metric);
        tg_grid_put(grid, tg_report_model_name(report, model));
        tg_grid_put(grid, tg_metric_label(tg_score_layout_metric(table->layout, metric)));
        tg_grid_put(grid, key + 16);
        tg_grid_put_count(grid, GPOINTER_TO_UINT(g_tree_node_value(node)));
    }
    return grid;
}

void tg_report_add_rendering(TgReport *report)
{
    TgReportSection *section =
        tg_report_add_section(report, "rendering", "Rendering and faults", NULL);
    g_autoptr(TgGrid) status = status_grid(report);

    g_ptr_array_add(section->grids, rendering_grid(report));
    if (tg_grid_n_rows(status) > 0)
        g_ptr_array_add(section->grids, g_steal_pointer(&status));
}

/* ---- what goes wrong ---- */

/* Counts the pairs that have an error of each kind, so that one prediction that runs on does not
 * lead the lists.
 *
 * @member: of an error: the number of its kind
 * @times: [n_kinds] how many errors of each kind there are; NULL: not needed */
static void count_errors(Counts *counts, const TgReport *report, guint n_kinds, gsize member,
                         guint *times)
{
    const TgReportErrors *errors = report->errors;
    g_autofree guint *seen = g_new0(guint, MAX(n_kinds, 1)); /* the last pair that had it, + 1 */

    counts_init(counts, report, n_kinds);
    for (guint i = 0; i < report->table->n_rows; i++) {
        for (guint e = 0; e < errors->of[i].n; e++) {
            const TgReportError *each =
                &g_array_index(errors->list, TgReportError, errors->of[i].first + e);
            const guint kind = G_STRUCT_MEMBER(guint, each, member);

            *count_at(counts, kind, report->table->rows[i].model) += seen[kind] != i + 1;
            seen[kind] = i + 1;
            if (times != NULL)
                times[kind]++;
        }
    }
}

/* Kinds by their totals, the most frequent first, then in the order met. */
static gint compare_totals(gconstpointer a, gconstpointer b, gpointer data)
{
    const guint x = *(const guint *) a, y = *(const guint *) b;
    const guint n_x = total_of(data, x), n_y = total_of(data, y);

    return n_x != n_y ? (n_x < n_y ? 1 : -1) : (x > y) - (x < y);
}

static guint *by_total(Counts *counts)
{
    guint *order = g_new(guint, MAX(counts->n_kinds, 1));

    for (guint i = 0; i < counts->n_kinds; i++)
        order[i] = i;
    g_qsort_with_data(order, (gint) counts->n_kinds, sizeof *order, compare_totals, counts);
    return order;
}

static TgGrid *class_grid(const TgReport *report)
{
    const GPtrArray *classes = report->errors->classes;
    g_auto(Counts) counts = { 0 }, pairs = { 0 };
    TgGrid *grid = tg_grid_new("Share of pairs with an error, by class, in %", 1);

    count_errors(&counts, report, classes->len, G_STRUCT_OFFSET(TgReportError, class), NULL);
    counts_init(&pairs, report, 1);
    for (guint i = 0; i < report->table->n_rows; i++)
        ++*count_at(&pairs, 0, report->table->rows[i].model);
    g_autofree guint *order = by_total(&counts);
    tg_grid_head(grid, "class");
    head_models(report, grid);
    for (guint k = 0; k < classes->len; k++) {
        tg_grid_put(grid, classes->pdata[order[k]]);
        for (guint m = 0; m < counts.n_models; m++)
            tg_grid_put_number(grid,
                               100.0 * *count_at(&counts, order[k], m) / *count_at(&pairs, 0, m),
                               RATE_DIGITS);
    }
    return grid;
}

static TgGrid *frequent_grid(const TgReport *report)
{
    const TgReportErrors *errors = report->errors;
    g_auto(Counts) counts = { 0 };
    TgGrid *grid = tg_grid_new("Most frequent errors", 1);

    g_autofree guint *times = g_new0(guint, MAX(errors->words->len, 1));
    count_errors(&counts, report, errors->words->len, G_STRUCT_OFFSET(TgReportError, text), times);
    g_autofree guint *order = by_total(&counts);
    tg_grid_heads(grid, (const char *const[]){ "truth -> prediction", "pairs", "times", NULL });
    head_models(report, grid);
    for (guint k = 0; k < MIN(counts.n_kinds, MAX_ERRORS); k++) {
        const guint total = total_of(&counts, order[k]);

        if (total == 0)
            break;
        tg_grid_put(grid, errors->words->pdata[order[k]]);
        tg_grid_put_count(grid, total);
        tg_grid_put_count(grid, times[order[k]]);
        for (guint m = 0; m < counts.n_models; m++)
            tg_grid_put_count(grid, *count_at(&counts, order[k], m));
    }
    tg_grid_note(grid, "Pairs that have the error, and how often they have it; models: pairs. "
                       "Tokens are as FORTE reads them, whatever the spelling.");
    return grid;
}

/* The share of formulas with an error, among those with a construct, or of a length. */
static TgGrid *share_grid(const TgReport *report, gboolean by_length)
{
    const guint n_kinds = by_length ? TG_REPORT_N_LENGTHS : TG_REPORT_N_CONSTRUCTS;
    g_auto(Counts) all = { 0 }, wrong = { 0 };
    TgGrid *grid =
        tg_grid_new(by_length ? "Share of formulas with an error, by length of the truth"
                              : "Share of formulas with an error, by construct of the truth",
                    1);

    counts_init(&all, report, n_kinds);
    counts_init(&wrong, report, n_kinds);
    for (guint i = 0; i < report->table->n_rows; i++) {
        const TgReportFindings *of = &report->errors->of[i];
        const guint model = report->table->rows[i].model;

        for (guint k = 0; k < n_kinds; k++) {
            const gboolean is_one = by_length ? of->length >= tg_report_lengths[k] &&
                                                    of->length < tg_report_lengths[k + 1]
                                              : (of->constructs & 1u << k) != 0;

            *count_at(&all, k, model) += is_one;
            *count_at(&wrong, k, model) += is_one && tg_report_is_wrong(report, i);
        }
    }
    tg_grid_heads(grid,
                  (const char *const[]){ by_length ? "LaTeX tokens" : "construct", "pairs", NULL });
    head_models(report, grid);
    for (guint k = 0; k < n_kinds; k++) {
        const guint from = tg_report_lengths[by_length ? k : 0];

        if (total_of(&all, k) == 0)
            continue;
        if (!by_length)
            tg_grid_put(grid, tg_report_constructs[k]);
        else if (tg_report_lengths[k + 1] == G_MAXUINT)
            tg_grid_putf(grid, "%u or more", from);
        else
            tg_grid_putf(grid, "%u to %u", from, tg_report_lengths[k + 1] - 1);
        tg_grid_put_count(grid, total_of(&all, k));
        for (guint m = 0; m < all.n_models; m++) {
            tg_grid_put_number(grid, (double) *count_at(&wrong, k, m) / *count_at(&all, k, m),
                               DIGITS);
            tg_grid_share(grid);
        }
    }
    return grid;
}

void tg_report_add_errors(TgReport *report)
{
    TgReportSection *section =
        tg_report_add_section(report, "errors", "What goes wrong",
                              "The edits between truth and prediction as FORTE reads them.");

    g_ptr_array_add(section->grids, class_grid(report));
    g_ptr_array_add(section->grids, frequent_grid(report));
    g_ptr_array_add(section->grids, share_grid(report, FALSE));
    g_ptr_array_add(section->grids, share_grid(report, TRUE));
}

/* ---- two models on the same formulas: how many only one of them has right ---- */

void tg_report_add_changes(TgReport *report)
{
    const guint n_models = MIN(report->table->models->len, MAX_MODELS);
    TgGrid *grid = tg_grid_new("Formulas without error, model against model", 2);

    tg_grid_heads(grid, (const char *const[]){ "from", "to", "pairs", "improved", "regressed",
                                               "both wrong", "both right", NULL });
    for (guint a = 0; a < n_models; a++) {
        for (guint b = a + 1; b < n_models; b++) {
            g_auto(TgPairing) pairing = { 0 };
            guint n[2][2] = { { 0 } };

            if (!tg_pairing_init(&pairing, report->table, a, b, NULL) || pairing.n == 0)
                continue;
            for (guint i = 0; i < pairing.n; i++)
                n[tg_report_is_wrong(report, pairing.a[i])]
                 [tg_report_is_wrong(report, pairing.b[i])]++;
            tg_grid_put(grid, tg_report_model_name(report, a));
            tg_grid_put(grid, tg_report_model_name(report, b));
            tg_grid_put_count(grid, pairing.n);
            tg_grid_put_count(grid, n[1][0]);
            tg_grid_put_count(grid, n[0][1]);
            tg_grid_put_count(grid, n[1][1]);
            tg_grid_put_count(grid, n[0][0]);
        }
    }
    tg_grid_note(grid, "Improved: only the second model is without error; regressed: only the "
                       "first.");
    g_ptr_array_add(tg_report_add_section(report, "changes", "What changed", NULL)->grids, grid);
}

/* ---- rank correlations of the metrics with each other ---- */

static double correlation_of(const TgReport *report, const TgTableColumn *a, const TgTableColumn *b)
{
    const guint n_rows = report->table->n_rows;
    g_autofree double *x = g_new(double, n_rows), *y = g_new(double, n_rows);
    guint n = 0;

    for (guint i = 0; i < n_rows; i++) {
        if (isnan(a->values[i]) || isnan(b->values[i]))
            continue;
        x[n] = tg_table_aligned(a, i);
        y[n++] = tg_table_aligned(b, i);
    }
    g_autoptr(TgRanked) ranked_x = tg_ranked_new(x, n);
    g_autoptr(TgRanked) ranked_y = tg_ranked_new(y, n);
    return tg_stats_correlation(TG_SPEARMAN, ranked_x, ranked_y, NULL, n);
}

void tg_report_add_agreement(TgReport *report)
{
    const guint n = report->shown->len;
    TgGrid *grid = tg_grid_new("Spearman's rank correlation between metrics", 1);

    tg_grid_head(grid, "metric");
    for (guint i = 0; i < n; i++)
        tg_grid_head(grid, tg_report_column(report, i)->name);
    for (guint i = 0; i < n; i++) {
        tg_grid_put(grid, tg_report_column(report, i)->name);
        for (guint k = 0; k < n; k++) {
            if (k > i)
                tg_grid_put(grid, "");
            else
                tg_grid_put_number(grid,
                                   correlation_of(report, tg_report_column(report, i),
                                                  tg_report_column(report, k)),
                                   RANK_DIGITS);
        }
    }
    tg_grid_note(grid, "Over all pairs that both score; metrics where lower is better are taken "
                       "with the opposite sign.");
    g_ptr_array_add(
        tg_report_add_section(report, "agreement", "Metric against metric", NULL)->grids, grid);
}
