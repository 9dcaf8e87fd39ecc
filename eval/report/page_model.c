#include "eval/report/page_model.h"

#include <string.h>

#include "tokenizer/latex/lexer.h"

enum { MAX_SHOWN = 12 };

static void free_plot(gpointer data)
{
    TgReportPlot *plot = data;

    g_free(plot->svg);
    g_free(plot->alt);
    g_free(plot);
}

static void report_picture_free(gpointer data)
{
    TgReportPicture *picture = data;

    g_ptr_array_unref(picture->images);
    g_free(picture->fault);
    g_free(picture);
}

static void free_section(gpointer data)
{
    TgReportSection *section = data;

    g_free(section->text);
    g_ptr_array_unref(section->grids);
    g_ptr_array_unref(section->plots);
    g_ptr_array_unref(section->pictures);
    g_free(section);
}

void tg_report_free(TgReport *report)
{
    if (report == NULL)
        return;
    g_ptr_array_unref(report->sections);
    g_array_unref(report->shown);
    for (guint i = 0; report->edits != NULL && i < report->table->n_rows; i++)
        g_strfreev(report->edits[i]);
    g_free(report->edits);
    g_free(report->length);
    g_strfreev(report->paths);
    g_free(report->title);
    tg_face_free(report->font);
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
        .plots = g_ptr_array_new_with_free_func(free_plot),
        .pictures = g_ptr_array_new_with_free_func(report_picture_free),
    };
    g_ptr_array_add(report->sections, section);
    return section;
}

gboolean tg_report_add_plot(TgReport *report, TgReportSection *section, const TgPlot *plot,
                            const char *alt, GError **error)
{
    char *svg = tg_plot_svg(plot, report->font, error);
    TgReportPlot *out;

    if (svg == NULL)
        return FALSE;
    out = g_new(TgReportPlot, 1);
    *out = (TgReportPlot){ svg, g_strdup(alt) };
    g_ptr_array_add(section->plots, out);
    return TRUE;
}

const TgTableColumn *tg_report_column(const TgReport *report, guint i)
{
    return tg_table_column(report->table, g_array_index(report->shown, guint, i));
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

/* Each metric's first column and the stored ones, as many as a page can show. */
static void choose_columns(TgReport *report)
{
    for (guint i = 0; i < report->table->columns->len && report->shown->len < MAX_SHOWN; i++) {
        if (tg_table_column(report->table, i)->is_headline)
            g_array_append_val(report->shown, i);
    }
}

static guint latex_length(const char *tex)
{
    TgLexer lexer;
    TgLexeme lexeme;
    guint n = 0;

    tg_lexer_init(&lexer, tex, strlen(tex));
    do {
        lexeme = tg_lexer_next(&lexer);
        n += lexeme.kind != TG_LEX_SPACE && lexeme.kind != TG_LEX_END;
    } while (lexeme.kind != TG_LEX_END);
    return n;
}

static void measure_lengths(TgReport *report)
{
    report->length = g_new0(guint, report->table->n_rows);
    for (guint i = 0; i < report->table->n_rows; i++) {
        if (report->table->rows[i].refs[0] != NULL)
            report->length[i] = latex_length(report->table->rows[i].refs[0]);
    }
}

TgReport *tg_report_new_for_table(TgTable *table, GError **error)
{
    g_autoptr(TgReport) report = g_new(TgReport, 1);

    *report = (TgReport){
        .table = table,
        .shown = g_array_new(FALSE, FALSE, sizeof(guint)),
        .sections = g_ptr_array_new_with_free_func(free_section),
        .font = tg_plot_font(error),
    };
    if (report->font == NULL)
        return NULL;
    choose_columns(report);
    measure_lengths(report);
    return g_steal_pointer(&report);
}
