/* Two models on the same formulas: how many only one of them has right. */
#include "eval/report/sections.h"
#include "eval/results/table.h"

enum { MAX_MODELS = 8 };

static void put_models(const TgReport *report, TgGrid *grid, guint a, guint b)
{
    g_auto(TgPairing) pairing = { 0 };
    guint n[2][2] = { { 0 } };

    if (!tg_pairing_init(&pairing, report->table, a, b, NULL) || pairing.n == 0)
        return;
    for (guint i = 0; i < pairing.n; i++)
        n[tg_report_is_wrong(report, pairing.a[i])][tg_report_is_wrong(report, pairing.b[i])]++;
    tg_grid_put(grid, tg_report_model_name(report, a));
    tg_grid_put(grid, tg_report_model_name(report, b));
    tg_grid_put_count(grid, pairing.n);
    tg_grid_put_count(grid, n[1][0]);
    tg_grid_put_count(grid, n[0][1]);
    tg_grid_put_count(grid, n[1][1]);
    tg_grid_put_count(grid, n[0][0]);
}

void tg_report_add_changes(TgReport *report)
{
    const guint n_models = MIN(report->table->models->len, MAX_MODELS);
    TgReportSection *section;
    TgGrid *grid;

    if (report->table->n_rows == 0 || n_models < 2)
        return;
    section = tg_report_add_section(report, "changes", "What changed", NULL);
    grid = tg_grid_new("Formulas without error, model against model", 2);
    tg_grid_heads(grid, (const char *const[]){ "from", "to", "pairs", "improved", "regressed",
                                               "both wrong", "both right", NULL });
    for (guint a = 0; a < n_models; a++) {
        for (guint b = a + 1; b < n_models; b++)
            put_models(report, grid, a, b);
    }
    tg_grid_note(grid, "Improved: only the second model is without error; regressed: only the "
                       "first.");
    g_ptr_array_add(section->grids, grid);
}
