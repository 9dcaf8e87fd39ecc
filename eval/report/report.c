#include "eval/report/report.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/visible.h"
#include "eval/report/html.h"
#include "eval/report/sections.h"

enum { DEFAULT_RESAMPLES = 1000, MAX_RESAMPLES = 100000 };

static const char default_pairs[] = "worst:50,median:10,disputed:20";

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
    const char *pairs = options->pictures != NULL ? options->pictures : default_pairs;

    report->errors = tg_report_errors_new(report->table, &report->listener, error);
    if (report->errors == NULL || !draw_pairs(report, *pairs != '\0', error))
        return FALSE;
    tg_report_add_overview(report);
    tg_report_add_headline(report);
    tg_report_add_rendering(report);
    tg_report_add_errors(report);
    tg_report_add_changes(report);
    tg_report_add_agreement(report);
    return tg_report_add_human(report, options->stored, options->lower, error) &&
           tg_report_add_pairs(report, pairs, error);
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
    return tg_fail_usage(error, "'%s' does not end in .html, .md, .csv, .json or .tex", path);
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
    if (style == TG_GRID_LATEX)
        g_string_append(out, "% made by texgauge\n\n");
    if (style == TG_GRID_MARKDOWN) {
        g_string_append_printf(out, "# %s\n\n<!-- made by texgauge -->\n\n", title);
        for (guint i = 0; i < report->headline->len; i++)
            g_string_append_printf(out, "%s\n\n", (const char *) report->headline->pdata[i]);
    }
    for (guint i = 0; i < report->sections->len; i++) {
        const TgReportSection *section = report->sections->pdata[i];

        append_heading(out, style, section->title, section->text);
        for (guint g = 0; g < section->grids->len; g++) {
            const TgGrid *grid = section->grids->pdata[g];

            if (style == TG_GRID_CSV) {
                tg_csv_append_text(out, tg_grid_title(grid) != NULL ? tg_grid_title(grid)
                                                                    : section->title);
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
