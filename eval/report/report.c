#include "eval/report/report.h"

#include "core/fail.h"
#include "core/utf8.h"
#include "eval/report/html.h"
#include "eval/report/sections.h"

enum { DEFAULT_RESAMPLES = 1000, MAX_RESAMPLES = 100000 };

/* Draws what the page shows: the truth that counted and the prediction of every pair. */
static gboolean draw_pairs(TgReport *report, gboolean draw, GError **error)
{
    const TgTable *table = report->table;

    report->drawings = tg_report_drawings_new(draw, error);
    report->formulas = (guint(*)[2]) g_new0(guint, 2 * ((gsize) table->n_rows + 1));
    if (report->drawings == NULL)
        return FALSE;
    for (guint i = 0; i < table->n_rows; i++) {
        const TgTableRow *row = &table->rows[i];
        const char *const sides[2] = { row->refs[report->errors->of[i].reference], row->hyp };

        tg_listener_tell(&report->listener, "drawings", i, table->n_rows);
        for (guint s = 0; s < 2; s++) {
            if (sides[s] != NULL &&
                !tg_report_drawings_add(report->drawings, sides[s], &report->formulas[i][s], error))
                return FALSE;
        }
    }
    return TRUE;
}

static gboolean add_sections(TgReport *report, const TgReportOptions *options, GError **error)
{
    report->errors = tg_report_errors_new(report->table, &report->listener, error);
    if (report->errors == NULL || !draw_pairs(report, !options->no_drawings, error))
        return FALSE;
    tg_report_add_overview(report);
    tg_report_add_headline(report);
    tg_report_add_rendering(report);
    tg_report_add_errors(report);
    tg_report_add_changes(report);
    tg_report_add_agreement(report);
    return tg_report_add_human(report, options->stored, options->lower, error);
}

TgReport *tg_report_new(const char *const *paths, const TgReportOptions *options, GError **error)
{
    const TgTableOptions table_options = { options->stored, options->lower, options->force };
    g_autoptr(TgReport) report = NULL;
    TgTable *table;

    if (options->resamples > MAX_RESAMPLES) {
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE, "there are at most %d resamples",
                    MAX_RESAMPLES);
        return NULL;
    }
    table = tg_table_read(paths, &table_options, error);
    if (table == NULL)
        return NULL;
    report = tg_report_new_for_table(table);
    if (!tg_table_mean_init(&report->mean, table, options->mean, error))
        return NULL;
    report->title = g_strdup(options->title != NULL ? options->title : "texgauge report");
    report->paths = g_strdupv((char **) paths);
    report->form = options->form;
    report->resamples = options->resamples > 0 ? options->resamples : DEFAULT_RESAMPLES;
    report->seed = options->seed;
    report->threads = options->threads;
    report->listener = options->listener;
    if (!add_sections(report, options, error))
        return NULL;
    return g_steal_pointer(&report);
}

/* ---- writing ---- */

gboolean tg_report_style_of_file(const char *path, TgReportStyle *out, GError **error)
{
    *out = g_str_has_suffix(path, ".md") ? TG_REPORT_MARKDOWN : TG_REPORT_HTML;
    return *out == TG_REPORT_MARKDOWN || g_str_has_suffix(path, ".html") ||
           g_str_has_suffix(path, ".htm") ||
           tg_fail_usage(error, "'%s' does not end in .html or .md", path);
}

static char *format_markdown(const TgReport *report)
{
    TgGridForm form = report->form;
    GString *out = g_string_new(NULL);
    g_autofree char *title = tg_visible(report->title, NULL);

    form.style = TG_GRID_MARKDOWN;
    g_string_append_printf(out, "# %s\n\n<!-- made by texgauge -->\n\n", title);
    for (guint i = 0; i < report->headline->len; i++)
        g_string_append_printf(out, "%s\n\n", (const char *) report->headline->pdata[i]);
    for (guint i = 0; i < report->sections->len; i++) {
        const TgReportSection *section = report->sections->pdata[i];

        g_string_append_printf(out, "## %s\n\n", section->title);
        if (section->text != NULL)
            g_string_append_printf(out, "%s\n\n", section->text);
        for (guint g = 0; g < section->grids->len; g++) {
            tg_grid_append(out, section->grids->pdata[g], &form);
            g_string_append_c(out, '\n');
        }
    }
    return g_string_free(out, FALSE);
}

char *tg_report_format(const TgReport *report, TgReportStyle style)
{
    return style == TG_REPORT_HTML ? tg_report_html(report) : format_markdown(report);
}
