/* Pairs to look at: per model, the worst by errors lost, typical ones, those that metrics dispute.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/report/sections.h"
#include "eval/stats/ranked.h"

enum { MAX_PAIRS = 1000, DIGITS = 4 };

/* A pair and its place in an order. */
typedef struct {
    guint row;
    double key; /* lower comes first */
} Candidate;

static int choose_compare(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;

    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->row > y->row) - (x->row < y->row);
}

/* How much a pair loses: the severity of its errors. One that cannot be read comes last. */
static double loss_of(const TgReport *report, guint row)
{
    const double severity = report->errors->of[row].severity;

    return isnan(severity) ? 0 : severity;
}

static GArray *worst_of(const TgReport *report, guint model)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Candidate));

    for (guint i = 0; i < report->table->n_rows; i++) {
        const Candidate candidate = { i, -loss_of(report, i) };

        if (report->table->rows[i].model == model && tg_report_is_wrong(report, i))
            g_array_append_val(list, candidate);
    }
    g_array_sort(list, choose_compare);
    return list;
}

/* Those with errors from the middle of the order outwards. */
static GArray *typical_of(const TgReport *report, guint model)
{
    GArray *list = worst_of(report, model);

    for (guint i = 0; i < list->len; i++)
        g_array_index(list, Candidate, i).key = fabs(i - (list->len - 1) / 2.0);
    g_array_sort(list, choose_compare);
    return list;
}

static double aligned(const TgTableColumn *column, guint row)
{
    return column->lower_is_better ? -column->values[row] : column->values[row];
}

/* The two columns that people most like to see in a dispute, else the first two. */
static gboolean disputing_columns(const TgReport *report, const TgTableColumn *out[2])
{
    static const char *const preferred[2] = { "cdm", "forte" };

    for (guint k = 0; k < 2; k++) {
        out[k] = NULL;
        for (guint i = report->shown->len; i-- > 0;) {
            const TgTableColumn *column = tg_report_column(report, i);

            if (k == 1 && column == out[0])
                continue;
            if (out[k] == NULL || strcmp(out[k]->name, preferred[k]) != 0)
                out[k] = column;
        }
    }
    return out[1] != NULL;
}

/* Pairs that two columns place most differently in their orders. */
static GArray *disputed_of(const TgReport *report, guint model)
{
    const guint n_rows = report->table->n_rows;
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Candidate));
    g_autofree double *x = g_new(double, n_rows), *y = g_new(double, n_rows);
    const TgTableColumn *columns[2];

    if (!disputing_columns(report, columns))
        return list;
    for (guint i = 0; i < n_rows; i++) {
        const Candidate candidate = { i, 0 };

        if (report->table->rows[i].model != model || isnan(columns[0]->values[i]) ||
            isnan(columns[1]->values[i]))
            continue;
        x[list->len] = aligned(columns[0], i);
        y[list->len] = aligned(columns[1], i);
        g_array_append_val(list, candidate);
    }
    g_autoptr(TgRanked) by_x = tg_ranked_new(x, list->len);
    g_autoptr(TgRanked) by_y = tg_ranked_new(y, list->len);
    tg_ranked_mid_ranks(by_x, NULL, list->len, x);
    tg_ranked_mid_ranks(by_y, NULL, list->len, y);
    for (guint i = 0; i < list->len; i++)
        g_array_index(list, Candidate, i).key = -fabs(x[i] - y[i]);
    g_array_sort(list, choose_compare);
    return list;
}

static TgGrid *new_grid(const TgReport *report, const char *title)
{
    TgGrid *grid = tg_grid_new(title, 5);

    tg_grid_heads(grid,
                  (const char *const[]){ "id", "model", "subset", "truth", "prediction", NULL });
    tg_grid_head(grid, "errors");
    for (guint c = 0; c < report->shown->len; c++)
        tg_grid_head(grid, tg_report_column(report, c)->name);
    return grid;
}

static void put_pair(const TgReport *report, TgGrid *grid, guint i)
{
    const TgTableRow *row = &report->table->rows[i];

    tg_grid_put(grid, row->id != NULL ? row->id : "-");
    tg_grid_put(grid, tg_report_model_name(report, row->model));
    tg_grid_put(grid, tg_report_subset_name(report, row->subset));
    tg_grid_put(grid, row->refs[0] != NULL ? row->refs[0] : "");
    tg_grid_put(grid, row->hyp != NULL ? row->hyp : "-");
    tg_grid_put_number(grid, report->errors->of[i].severity, 2);
    for (guint c = 0; c < report->shown->len; c++)
        tg_grid_put_number(grid, tg_report_column(report, c)->values[i], DIGITS);
}

/* The name of a formula: its subset and id, or without id its first truth. (transfer full) */
static char *formula_name(const TgReport *report, guint i)
{
    const TgTableRow *row = &report->table->rows[i];

    return g_strdup_printf("%u %s %s", row->subset, row->id != NULL ? "id" : "tex",
                           row->id != NULL        ? row->id
                           : row->refs[0] != NULL ? row->refs[0]
                                                  : "");
}

static const struct {
    const char *name, *id, *title, *text;
    GArray *(*list)(const TgReport *report, guint model);
} kinds[] = {
    { "worst", "worst", "Worst pairs",
      "For each model the pairs that lose most by their errors; no formula twice.", worst_of },
    { "median", "typical", "Typical errors",
      "For each model the pairs in the middle of those with errors; no formula twice.",
      typical_of },
    { "disputed", "disputed", "Disputed pairs",
      "For each model the pairs that two metrics rank most differently; no formula twice.",
      disputed_of },
};

static void add_kind(TgReport *report, guint kind, guint limit)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    TgGrid *grid = new_grid(report, kinds[kind].title);
    TgReportSection *section;

    for (guint m = 0; m < report->table->models->len; m++) {
        g_autoptr(GArray) list = kinds[kind].list(report, m);
        guint taken = 0;

        for (guint i = 0; i < list->len && taken < limit; i++) {
            const guint row = g_array_index(list, Candidate, i).row;

            if (!g_hash_table_add(seen, formula_name(report, row)))
                continue;
            put_pair(report, grid, row);
            taken++;
        }
    }
    if (tg_grid_n_rows(grid) == 0) {
        tg_grid_free(grid);
        return;
    }
    section = tg_report_add_section(report, kinds[kind].id, kinds[kind].title, kinds[kind].text);
    g_ptr_array_add(section->grids, grid);
}

/* "worst:50" into its kind and number; -1 for anything else. */
static gint parse_kind(const char *text, guint *limit)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", 2);
    guint64 number;

    if (g_strv_length(parts) != 2 ||
        !g_ascii_string_to_unsigned(parts[1], 10, 0, MAX_PAIRS, &number, NULL))
        return -1;
    *limit = (guint) number;
    for (guint k = 0; k < G_N_ELEMENTS(kinds); k++) {
        if (strcmp(parts[0], kinds[k].name) == 0)
            return (gint) k;
    }
    return -1;
}

gboolean tg_report_add_pairs(TgReport *report, const char *wanted, GError **error)
{
    g_auto(GStrv) words = g_strsplit(wanted, ",", -1);

    for (guint i = 0; words[i] != NULL; i++) {
        guint limit = 0;
        const gint kind = parse_kind(words[i], &limit);

        if (kind < 0) {
            g_set_error(
                error, TG_ERROR, TG_ERROR_USAGE,
                "pictures must be a list of worst:N, median:N and disputed:N with N up to %d, "
                "not '%s'",
                MAX_PAIRS, words[i]);
            return FALSE;
        }
        if (limit > 0 && report->table->n_rows > 0)
            add_kind(report, (guint) kind, limit);
    }
    return TRUE;
}
