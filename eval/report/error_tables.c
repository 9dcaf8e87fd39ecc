/* What goes wrong, as tables: by class, the most frequent, by construct and by length. */
#include <math.h>
#include <string.h>

#include "eval/report/sections.h"

enum { MAX_ERRORS = 40, DIGITS = 1, SHARE_DIGITS = 4 };

/* Numbers by some kind and by model. */
typedef struct {
    guint n_kinds, n_models;
    guint *n; /* [n_kinds][n_models] */
} Counts;

static Counts counts_new(guint n_kinds, guint n_models)
{
    return (Counts){ n_kinds, n_models, g_new0(guint, MAX((gsize) n_kinds * n_models, 1)) };
}

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

static guint *pairs_per_model(const TgReport *report)
{
    guint *n = g_new0(guint, report->table->models->len);

    for (guint i = 0; i < report->table->n_rows; i++)
        n[report->table->rows[i].model]++;
    return n;
}

static void head_models(const TgReport *report, TgGrid *grid)
{
    for (guint m = 0; m < report->table->models->len; m++)
        tg_grid_head(grid, tg_report_model_name(report, m));
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

/* Counts errors by what @kind_of says of each. */
static Counts count_errors(const TgReport *report, guint n_kinds, gsize member)
{
    const TgReportErrors *errors = report->errors;
    Counts counts = counts_new(n_kinds, report->table->models->len);

    for (guint i = 0; i < report->table->n_rows; i++) {
        for (guint e = 0; e < errors->of[i].n; e++) {
            const TgReportError *each =
                &g_array_index(errors->list, TgReportError, errors->of[i].first + e);

            ++*count_at(&counts, G_STRUCT_MEMBER(guint, each, member),
                        report->table->rows[i].model);
        }
    }
    return counts;
}

static TgGrid *class_grid(const TgReport *report)
{
    const GPtrArray *classes = report->errors->classes;
    Counts counts = count_errors(report, classes->len, G_STRUCT_OFFSET(TgReportError, class));
    g_autofree guint *order = by_total(&counts), *n_pairs = pairs_per_model(report);
    TgGrid *grid = tg_grid_new("Errors per 1,000 formulas", 1);

    tg_grid_head(grid, "class");
    head_models(report, grid);
    for (guint k = 0; k < classes->len; k++) {
        tg_grid_put(grid, classes->pdata[order[k]]);
        for (guint m = 0; m < counts.n_models; m++)
            tg_grid_put_number(grid, 1000.0 * *count_at(&counts, order[k], m) / n_pairs[m], DIGITS);
    }
    g_free(counts.n);
    return grid;
}

static TgGrid *frequent_grid(const TgReport *report)
{
    const TgReportErrors *errors = report->errors;
    Counts counts = count_errors(report, errors->words->len, G_STRUCT_OFFSET(TgReportError, text));
    g_autofree guint *order = by_total(&counts);
    TgGrid *grid = tg_grid_new("Most frequent errors", 1);

    tg_grid_head(grid, "truth -> prediction");
    tg_grid_head(grid, "times");
    head_models(report, grid);
    for (guint k = 0; k < MIN(counts.n_kinds, MAX_ERRORS); k++) {
        if (total_of(&counts, order[k]) == 0)
            break;
        tg_grid_put(grid, errors->words->pdata[order[k]]);
        tg_grid_put_count(grid, total_of(&counts, order[k]));
        for (guint m = 0; m < counts.n_models; m++)
            tg_grid_put_count(grid, *count_at(&counts, order[k], m));
    }
    tg_grid_note(grid, "Tokens as FORTE reads them, whatever the spelling.");
    g_free(counts.n);
    return grid;
}

/* The share of formulas with an error, among those of each kind: kinds as bits of a row. */
static TgGrid *share_grid(const TgReport *report, const char *title, const char *head,
                          guint n_kinds, guint (*kinds_of)(const TgReportFindings *findings),
                          char *(*name)(guint kind))
{
    const guint n_models = report->table->models->len;
    Counts all = counts_new(n_kinds, n_models), wrong = counts_new(n_kinds, n_models);
    TgGrid *grid = tg_grid_new(title, 1);

    for (guint i = 0; i < report->table->n_rows; i++) {
        const guint kinds = kinds_of(&report->errors->of[i]);

        for (guint k = 0; k < n_kinds; k++) {
            if ((kinds & 1u << k) == 0)
                continue;
            ++*count_at(&all, k, report->table->rows[i].model);
            *count_at(&wrong, k, report->table->rows[i].model) +=
                tg_report_is_wrong(report, i) != 0;
        }
    }
    tg_grid_head(grid, head);
    tg_grid_head(grid, "pairs");
    head_models(report, grid);
    for (guint k = 0; k < n_kinds; k++) {
        g_autofree char *text = name(k);

        if (total_of(&all, k) == 0)
            continue;
        tg_grid_put(grid, text);
        tg_grid_put_count(grid, total_of(&all, k));
        for (guint m = 0; m < n_models; m++) {
            tg_grid_put_number(grid, (double) *count_at(&wrong, k, m) / *count_at(&all, k, m),
                               SHARE_DIGITS);
            tg_grid_share(grid);
        }
    }
    g_free(all.n);
    g_free(wrong.n);
    return grid;
}

static guint constructs_of(const TgReportFindings *findings)
{
    return findings->constructs;
}

static char *construct_name(guint kind)
{
    return g_strdup(tg_report_construct_name(kind));
}

static guint length_of(const TgReportFindings *findings)
{
    guint k = 0;

    while (findings->length >= tg_report_lengths[k + 1])
        k++;
    return 1u << k;
}

static char *length_name(guint kind)
{
    const guint from = tg_report_lengths[kind], to = tg_report_lengths[kind + 1];

    return to == G_MAXUINT ? g_strdup_printf("%u or more", from)
                           : g_strdup_printf("%u to %u", from, to - 1);
}

void tg_report_add_errors(TgReport *report)
{
    TgReportSection *section;

    if (report->table->n_rows == 0)
        return;
    section = tg_report_add_section(report, "errors", "What goes wrong",
                                    "The edits between truth and prediction as FORTE reads them.");
    g_ptr_array_add(section->grids, class_grid(report));
    g_ptr_array_add(section->grids, frequent_grid(report));
    g_ptr_array_add(section->grids,
                    share_grid(report, "Share of formulas with an error, by construct of the truth",
                               "construct", TG_REPORT_N_CONSTRUCTS, constructs_of, construct_name));
    g_ptr_array_add(section->grids,
                    share_grid(report, "Share of formulas with an error, by length of the truth",
                               "LaTeX tokens", TG_REPORT_N_LENGTHS, length_of, length_name));
}
