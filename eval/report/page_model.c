#include "eval/report/page_model.h"

enum { MAX_SHOWN = 12 };
#define ALPHA 0.05

static void free_section(gpointer data)
{
    TgReportSection *section = data;

    g_free(section->text);
    g_ptr_array_unref(section->grids);
    g_free(section);
}

static void free_block(gpointer data)
{
    TgReportBlock *block = data;

    g_free(block->n);
    g_free(block->values);
    g_free(block);
}

void tg_report_free(TgReport *report)
{
    if (report == NULL)
        return;
    g_ptr_array_unref(report->sections);
    g_ptr_array_unref(report->blocks);
    g_ptr_array_unref(report->headline);
    g_array_unref(report->shown);
    tg_report_errors_free(report->errors);
    tg_report_drawings_free(report->drawings);
    json_decref(report->agreement);
    g_free(report->formulas);
    g_strfreev(report->paths);
    g_free(report->title);
    tg_table_mean_clear(&report->mean);
    tg_table_free(report->table);
    g_free(report);
}

TgReportSection *tg_report_add_section(TgReport *report, const char *id, const char *title,
                                       const char *text)
{
    TgReportSection *section = g_new(TgReportSection, 1);

    *section = (TgReportSection){
        .id = id,
        .title = title,
        .text = g_strdup(text),
        .grids = g_ptr_array_new_with_free_func((GDestroyNotify) tg_grid_free),
    };
    g_ptr_array_add(report->sections, section);
    return section;
}

gboolean tg_report_is_wrong(const TgReport *report, guint row)
{
    return !(report->errors->of[row].severity <= 0);
}

const TgTableColumn *tg_report_column(const TgReport *report, guint i)
{
    return tg_table_column(report->table, g_array_index(report->shown, guint, i));
}

const TgReportValue *tg_report_value(const TgReport *report, const TgReportBlock *block,
                                     guint model, guint column)
{
    return &block->values[(gsize) model * report->shown->len + column];
}

gboolean tg_report_is_behind(const TgReportValue *value)
{
    return value->is_tested && value->p < ALPHA;
}

const char *tg_report_model_name(const TgReport *report, guint model)
{
    const char *name = tg_table_model(report->table, model);

    return *name != '\0' ? name : "(none)";
}

const char *tg_report_subset_name(const TgReport *report, guint subset)
{
    const char *name = tg_table_subset(report->table, subset);

    return *name != '\0' ? name : "(none)";
}

TgReport *tg_report_new_for_table(TgTable *table)
{
    TgReport *report = g_new(TgReport, 1);

    *report = (TgReport){
        .table = table,
        .shown = g_array_new(FALSE, FALSE, sizeof(guint)),
        .blocks = g_ptr_array_new_with_free_func(free_block),
        .headline = g_ptr_array_new_with_free_func(g_free),
        .sections = g_ptr_array_new_with_free_func(free_section),
    };
    /* each metric's first column and the stored ones, as many as a page can show */
    for (guint i = 0; i < table->columns->len && report->shown->len < MAX_SHOWN; i++) {
        if (tg_table_column(table, i)->is_headline)
            g_array_append_val(report->shown, i);
    }
    return report;
}
