/* Which predictions can be read and drawn, and what metrics could not score. */
#include <string.h>

#include "eval/report/sections.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/tree/tree.h"

enum { DIGITS = 4 };

/* How one model's predictions fare with the parser. */
typedef struct {
    guint n;            /* predictions */
    guint missing;      /* no prediction at all */
    guint good;         /* without fault */
    GHashTable *faults; /* kind name (static) to number of predictions that have it */
} Tally;

static void count_fault(Tally *tally, const char *kind)
{
    const guint before = GPOINTER_TO_UINT(g_hash_table_lookup(tally->faults, kind));

    g_hash_table_insert(tally->faults, (gpointer) kind, GUINT_TO_POINTER(before + 1));
}

/* A prediction counts once for each kind of fault that it has. */
static void tally_prediction(Tally *tally, const char *tex)
{
    g_autoptr(TgTree) tree = NULL;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    const TgParseError *faults;
    guint n = 0;

    tally->n++;
    if (tex == NULL) {
        tally->missing++;
        return;
    }
    tree = tg_tree_parse(tex, strlen(tex), NULL, NULL);
    if (tree == NULL) {
        count_fault(tally, tg_parse_error_kind_name(TG_PARSE_LIMIT));
        return;
    }
    faults = tg_tree_errors(tree, &n);
    tally->good += n == 0;
    for (guint i = 0; i < n; i++) {
        const char *kind = tg_parse_error_kind_name(faults[i].kind);

        if (g_hash_table_add(seen, (gpointer) kind))
            count_fault(tally, kind);
    }
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}

/* All kinds that some model has, by name. (transfer container) */
static GPtrArray *all_kinds(const Tally *tallies, guint n)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *kinds = g_ptr_array_new();
    GHashTableIter iter;
    gpointer kind;

    for (guint m = 0; m < n; m++) {
        g_hash_table_iter_init(&iter, tallies[m].faults);
        while (g_hash_table_iter_next(&iter, &kind, NULL)) {
            if (g_hash_table_add(seen, kind))
                g_ptr_array_add(kinds, kind);
        }
    }
    g_ptr_array_sort(kinds, compare_names);
    return kinds;
}

static TgGrid *rendering_grid(const TgReport *report, const Tally *tallies)
{
    const guint n_models = report->table->models->len;
    g_autoptr(GPtrArray) kinds = all_kinds(tallies, n_models);
    TgGrid *grid = tg_grid_new("Predictions that can be drawn", 1);

    tg_grid_heads(grid, (const char *const[]){ "model", "pairs", "no prediction", "without fault",
                                               "share", NULL });
    for (guint k = 0; k < kinds->len; k++)
        tg_grid_head(grid, kinds->pdata[k]);
    for (guint m = 0; m < n_models; m++) {
        const Tally *tally = &tallies[m];

        tg_grid_put(grid, tg_report_model_name(report, m));
        tg_grid_put_count(grid, tally->n);
        tg_grid_put_count(grid, tally->missing);
        tg_grid_put_count(grid, tally->good);
        tg_grid_put_number(grid, (double) tally->good / tally->n, DIGITS);
        tg_grid_share(grid);
        for (guint k = 0; k < kinds->len; k++)
            tg_grid_put_count(
                grid, GPOINTER_TO_UINT(g_hash_table_lookup(tally->faults, kinds->pdata[k])));
    }
    tg_grid_note(grid, "Faults of the source, by kind; a prediction counts once for each kind.");
    return grid;
}

/* What a metric said about a pair, without its details: up to the first colon. */
static char *status_class(const char *status)
{
    const char *colon = strchr(status, ':');

    return colon != NULL ? g_strndup(status, (gsize) (colon - status)) : g_strdup(status);
}

/* How many pairs of one model a metric had the same to say about. */
typedef struct {
    guint model, metric;
    char *class;
    guint n;
} StatusCount;

static void free_count(gpointer data)
{
    StatusCount *count = data;

    g_free(count->class);
    g_free(count);
}

static int compare_counts(gconstpointer a, gconstpointer b)
{
    const StatusCount *x = *(StatusCount *const *) a, *y = *(StatusCount *const *) b;

    if (x->model != y->model)
        return x->model < y->model ? -1 : 1;
    if (x->metric != y->metric)
        return x->metric < y->metric ? -1 : 1;
    return strcmp(x->class, y->class);
}

static void count_status(GPtrArray *counts, GHashTable *by_key, guint model, guint metric,
                         const char *status)
{
    g_autofree char *class = status_class(status);
    char *key = g_strdup_printf("%u %u %s", model, metric, class);
    StatusCount *count = g_hash_table_lookup(by_key, key);

    if (count == NULL) {
        count = g_new(StatusCount, 1);
        *count = (StatusCount){ model, metric, g_steal_pointer(&class), 0 };
        g_ptr_array_add(counts, count);
        g_hash_table_insert(by_key, key, count);
    } else {
        g_free(key);
    }
    count->n++;
}

/* One row per model, metric and class of status other than "ok"; NULL where all is well. */
static TgGrid *status_grid(const TgReport *report)
{
    const TgTable *table = report->table;
    g_autoptr(GPtrArray) counts = g_ptr_array_new_with_free_func(free_count);
    g_autoptr(GHashTable) by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    TgGrid *grid;

    for (guint i = 0; i < table->n_rows; i++) {
        for (guint m = 0; m < table->layout->metrics->len; m++) {
            if (tg_table_status(table, i, m) != NULL)
                count_status(counts, by_key, table->rows[i].model, m, tg_table_status(table, i, m));
        }
    }
    if (counts->len == 0)
        return NULL;
    g_ptr_array_sort(counts, compare_counts);
    grid = tg_grid_new("What metrics said about pairs, other than ok", 3);
    tg_grid_heads(grid, (const char *const[]){ "model", "metric", "status", "pairs", NULL });
    for (guint i = 0; i < counts->len; i++) {
        const StatusCount *count = counts->pdata[i];

        tg_grid_put(grid, tg_report_model_name(report, count->model));
        tg_grid_put(grid, tg_metric_label(tg_score_layout_metric(table->layout, count->metric)));
        tg_grid_put(grid, count->class);
        tg_grid_put_count(grid, count->n);
    }
    return grid;
}

void tg_report_add_rendering(TgReport *report)
{
    const guint n_models = report->table->models->len;
    g_autofree Tally *tallies = g_new0(Tally, n_models);
    TgReportSection *section;
    TgGrid *status;

    if (report->table->n_rows == 0)
        return;
    for (guint m = 0; m < n_models; m++)
        tallies[m].faults = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < report->table->n_rows; i++)
        tally_prediction(&tallies[report->table->rows[i].model], report->table->rows[i].hyp);
    section = tg_report_add_section(report, "rendering", "Rendering and faults", NULL);
    g_ptr_array_add(section->grids, rendering_grid(report, tallies));
    status = status_grid(report);
    if (status != NULL)
        g_ptr_array_add(section->grids, status);
    for (guint m = 0; m < n_models; m++)
        g_hash_table_unref(tallies[m].faults);
}
