#include "eval/report/report.h"

#include "core/json.h"
#include "core/visible.h"
#include "eval/report/html.h"
#include "eval/report/sections.h"

enum { DEFAULT_RESAMPLES = 1000, MAX_RESAMPLES = 100000 };

static gboolean add_plots(TgReport *report, GError **error)
{
    if (report->table->n_rows == 0 || report->shown->len == 0)
        return TRUE;
    return tg_report_add_distributions(report, error) && tg_report_add_human_plots(report, error) &&
           tg_report_add_agreement(report, error) && tg_report_add_lengths(report, error);
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
    report = tg_report_new_for_table(table, error);
    if (report == NULL || !tg_table_mean_init(&report->mean, table, options->mean, error))
        return NULL;
    report->title = g_strdup(options->title != NULL ? options->title : "texgauge report");
    report->paths = g_strdupv((char **) paths);
    report->form = options->form;
    report->resamples = options->resamples > 0 ? options->resamples : DEFAULT_RESAMPLES;
    report->seed = options->seed;
    report->threads = options->threads;
    tg_report_add_overview(report);
    tg_report_add_rendering(report);
    if (!tg_report_add_human(report, options->stored, options->lower, error) ||
        !add_plots(report, error))
        return NULL;
    tg_report_add_edits(report);
    tg_report_add_matches(report);
    tg_report_add_confusions(report);
    if (!tg_report_add_pictures(report,
                                options->pictures != NULL ? options->pictures
                                                          : "worst:50,median:10,disputed:20",
                                error))
        return NULL;
    return g_steal_pointer(&report);
}

/* ---- writing ---- */

gboolean tg_report_style_of_file(const char *path, TgReportStyle *out, GError **error)
{
    static const struct {
        const char *suffix;
        TgReportStyle style;
    } styles[] = {
        { ".html", TG_REPORT_HTML }, { ".htm", TG_REPORT_HTML },  { ".md", TG_REPORT_MARKDOWN },
        { ".csv", TG_REPORT_CSV },   { ".json", TG_REPORT_JSON }, { ".tex", TG_REPORT_LATEX },
    };

    for (guint i = 0; i < G_N_ELEMENTS(styles); i++) {
        if (g_str_has_suffix(path, styles[i].suffix)) {
            *out = styles[i].style;
            return TRUE;
        }
    }
    g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                "'%s' does not end in .html, .md, .csv, .json or .tex", path);
    return FALSE;
}

static char *format_json(const TgReport *report)
{
    json_t *sections = json_array(), *all;
    GString *out = g_string_new(NULL);

    for (guint i = 0; i < report->sections->len; i++) {
        const TgReportSection *section = report->sections->pdata[i];
        json_t *grids = json_array();

        for (guint g = 0; g < section->grids->len; g++)
            json_array_append_new(grids, tg_grid_json(section->grids->pdata[g], &report->form));
        json_array_append_new(sections, json_pack("{s:s, s:s, s:o, s:o}", "id", section->id,
                                                  "title", section->title, "text",
                                                  tg_json_text(section->text), "tables", grids));
    }
    all = json_pack("{s:o, s:s, s:o}", "title", tg_json_text(report->title), "version",
                    tg_version(), "sections", sections);
    if (report->form.percent)
        json_object_set_new(all, "percent", json_true());
    tg_json_append(out, all);
    g_string_append_c(out, '\n');
    json_decref(all);
    return g_string_free(out, FALSE);
}

/* A heading and text in the comments of each style. */
static void append_heading(GString *out, TgGridStyle style, const char *heading, const char *text)
{
    const char *const mark = style == TG_GRID_MARKDOWN ? "## " : "% ";

    if (style == TG_GRID_CSV)
        return; /* the first cell of each table says what it is */
    g_string_append_printf(out, "%s%s\n\n", mark, heading);
    if (style == TG_GRID_MARKDOWN && text != NULL)
        g_string_append_printf(out, "%s\n\n", text);
}

static char *format_tables(const TgReport *report, TgGridStyle style)
{
    TgGridForm form = report->form;
    GString *out = g_string_new(NULL);

    form.style = style;
    g_autofree char *title = tg_visible(report->title, NULL);
    if (style == TG_GRID_MARKDOWN)
        g_string_append_printf(out, "# %s\n\n<!-- made by texgauge -->\n\n", title);
    if (style == TG_GRID_LATEX)
        g_string_append(out, "% made by texgauge\n\n");
    for (guint i = 0; i < report->sections->len; i++) {
        const TgReportSection *section = report->sections->pdata[i];

        if (section->grids->len > 0 || section->plots->len == 0)
            append_heading(out, style, section->title, section->text);
        for (guint g = 0; g < section->grids->len; g++) {
            const TgGrid *grid = section->grids->pdata[g];

            if (style == TG_GRID_CSV) {
                tg_csv_append_text(
                    out, tg_grid_title(grid) != NULL ? tg_grid_title(grid) : section->title, &form);
                g_string_append_c(out, '\n');
            }
            tg_grid_append(out, grid, &form);
            g_string_append_c(out, '\n');
        }
    }
    return g_string_free(out, FALSE);
}

char *tg_report_format(const TgReport *report, TgReportStyle style)
{
    switch (style) {
    case TG_REPORT_HTML:
        return tg_report_html(report);
    case TG_REPORT_MARKDOWN:
        return format_tables(report, TG_GRID_MARKDOWN);
    case TG_REPORT_CSV:
        return format_tables(report, TG_GRID_CSV);
    case TG_REPORT_JSON:
        return format_json(report);
    case TG_REPORT_LATEX:
        return format_tables(report, TG_GRID_LATEX);
    }
    g_return_val_if_reached(NULL);
}
