/* Putting a report together. */
#include "eval/report/report.h"

#include <string.h>

#include "core/json.h"
#include "tokenizer/latex/lexer.h"

enum { DEFAULT_RESAMPLES = 1000, MAX_RESAMPLES = 100000, MAX_SHOWN = 12 };

static void free_grid(gpointer grid)
{
    tg_grid_free(grid);
}

static void free_plot(gpointer data)
{
    TgReportPlot *plot = data;

    g_free(plot->svg);
    g_free(plot->alt);
    g_free(plot);
}

static void free_picture(gpointer data)
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
    tg_table_free(report->table);
    g_free(report);
}

TgReportSection *tg_report_section(TgReport *report, const char *id, const char *title,
                                   const char *text)
{
    TgReportSection *section = g_new(TgReportSection, 1);

    *section = (TgReportSection){
        .id = id,
        .title = title,
        .text = g_strdup(text),
        .grids = g_ptr_array_new_with_free_func(free_grid),
        .plots = g_ptr_array_new_with_free_func(free_plot),
        .pictures = g_ptr_array_new_with_free_func(free_picture),
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

const char *tg_report_model(const TgReport *report, guint model)
{
    const char *name = tg_table_model(report->table, model);

    return *name != '\0' ? name : "(none)";
}

const char *tg_report_subset(const TgReport *report, guint subset)
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

TgReport *tg_report_new(const char *const *paths, const TgReportOptions *options, GError **error)
{
    const TgTableOptions table_options = { options->stored, options->lower };
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
    report = g_new(TgReport, 1);
    *report = (TgReport){
        .table = table,
        .title = g_strdup(options->title != NULL ? options->title : "texgauge report"),
        .paths = g_strdupv((char **) paths),
        .resamples = options->resamples > 0 ? options->resamples : DEFAULT_RESAMPLES,
        .seed = options->seed,
        .threads = options->threads,
        .shown = g_array_new(FALSE, FALSE, sizeof(guint)),
        .sections = g_ptr_array_new_with_free_func(free_section),
        .font = tg_plot_font(error),
    };
    if (report->font == NULL)
        return NULL;
    choose_columns(report);
    measure_lengths(report);
    tg_report_add_overview(report);
    tg_report_add_rendering(report);
    if (!tg_report_add_study(report, options, error) || !tg_report_add_plots(report, error))
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
                "a report's file ends in .html, .md, .csv, .json or .tex, not like '%s'", path);
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
            json_array_append_new(grids, tg_grid_json(section->grids->pdata[g]));
        json_array_append_new(sections, json_pack("{s:s, s:s, s:o, s:o}", "id", section->id,
                                                  "title", section->title, "text",
                                                  tg_json_text(section->text), "tables", grids));
    }
    all = json_pack("{s:o, s:s, s:o}", "title", tg_json_text(report->title), "version",
                    tg_version(), "sections", sections);
    tg_json_append(out, all);
    g_string_append_c(out, '\n');
    json_decref(all);
    return g_string_free(out, FALSE);
}

/* A heading and text in the comments of each style. */
static void append_heading(GString *out, TgSummaryStyle style, const char *heading,
                           const char *text)
{
    const char *const mark = style == TG_SUMMARY_MARKDOWN ? "## " : "% ";

    if (style == TG_SUMMARY_CSV)
        return; /* the first cell of each table says what it is */
    g_string_append_printf(out, "%s%s\n\n", mark, heading);
    if (style == TG_SUMMARY_MARKDOWN && text != NULL)
        g_string_append_printf(out, "%s\n\n", text);
}

static char *format_tables(const TgReport *report, TgSummaryStyle style)
{
    GString *out = g_string_new(NULL);

    if (style == TG_SUMMARY_MARKDOWN)
        g_string_append_printf(out, "# %s\n\n", report->title);
    for (guint i = 0; i < report->sections->len; i++) {
        const TgReportSection *section = report->sections->pdata[i];

        if (section->grids->len > 0 || section->plots->len == 0)
            append_heading(out, style, section->title, section->text);
        for (guint g = 0; g < section->grids->len; g++) {
            const TgGrid *grid = section->grids->pdata[g];

            if (style == TG_SUMMARY_CSV) {
                tg_csv_append(out,
                              tg_grid_title(grid) != NULL ? tg_grid_title(grid) : section->title);
                g_string_append_c(out, '\n');
            }
            tg_grid_append(out, grid, style);
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
        return format_tables(report, TG_SUMMARY_MARKDOWN);
    case TG_REPORT_CSV:
        return format_tables(report, TG_SUMMARY_CSV);
    case TG_REPORT_JSON:
        return format_json(report);
    case TG_REPORT_LATEX:
        return format_tables(report, TG_SUMMARY_LATEX);
    }
    g_return_val_if_reached(NULL);
}
