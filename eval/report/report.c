#include "eval/report/report.h"

#include "core/fail.h"
#include "core/json.h"
#include "eval/report/private.h"
#include "eval/study/study.h"

enum { DEFAULT_RESAMPLES = 1000, MAX_RESAMPLES = 100000, MAX_SHOWN = 12 };

/* ---- what a report holds ---- */

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
    json_decref(report->pages);
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

TgReportValue *tg_report_value(const TgReport *report, const TgReportBlock *block, guint model,
                               guint column)
{
    return &block->values[(gsize) model * report->shown->len + column];
}

gboolean tg_report_is_worse(const TgReportValue *value)
{
    return value->verdict == TG_VERDICT_BETTER;
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

/* ---- making it ---- */

/* Pearson's coefficients of the shown columns over all pairs. (transfer full) */
static json_t *report_correlations(const TgReport *report, const TgStudy *study)
{
    json_t *list = json_array();

    for (guint g = 0; g < study->table->groups->len; g++) {
        for (guint i = 0; i < report->shown->len; i++) {
            const TgStudyCorrelation *each =
                tg_study_correlation(study, 0, g, g_array_index(report->shown, guint, i));
            const TgStudyCoefficient *r = &each->coefficient[TG_PEARSON];

            json_array_append_new(
                list, json_pack("{s:i, s:i, s:i, s:o, s:o, s:o}", "group", (int) g, "column",
                                (int) i, "n", (int) each->n, "r", tg_json_number(r->value), "low",
                                tg_json_number(r->bootstrap.percentile[0]), "high",
                                tg_json_number(r->bootstrap.percentile[1])));
        }
    }
    return list;
}

/* Human scores: the tables of a study, and how the shown columns agree with people. */
static gboolean add_human(TgReport *report, const TgReportOptions *options, GError **error)
{
    const TgStudyOptions study_options = {
        .stored = options->stored,
        .lower = options->lower,
        .force = TRUE, /* the report has checked them, or was told not to */
        .edited = TRUE,
        .resamples = report->resamples,
        .seed = report->seed,
        .threads = report->threads,
    };
    g_autoptr(TgStudy) study = NULL;
    g_autoptr(GPtrArray) grids = NULL;
    TgReportSection *section;

    study = tg_study_run((const char *const *) report->paths, &study_options, error);
    if (study == NULL)
        return FALSE;
    report->agreement = report_correlations(report, study);
    section = tg_report_add_section(report, "study", "Human scores", NULL);
    grids = tg_study_grids(study, TG_STUDY_ALL, &(TgGridForm){ 0 });
    while (grids->len > 0)
        g_ptr_array_add(section->grids, g_ptr_array_steal_index(grids, 0));
    return TRUE;
}

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
    const TgTable *table = report->table;

    report->errors = tg_report_errors_new(table, &report->listener, error);
    if (report->errors == NULL || !draw_pairs(report, !options->no_drawings, error))
        return FALSE;
    if (!tg_report_add_values(report, error))
        return FALSE;
    tg_report_add_run(report);
    tg_report_add_headline(report);
    if (report->mean.mean.over == TG_MEAN_PAGES)
        tg_report_add_pages(report);
    if (table->n_rows > 0) {
        tg_report_add_rendering(report);
        tg_report_add_errors(report);
    }
    if (table->n_rows > 0 && table->models->len > 1)
        tg_report_add_changes(report);
    if (table->n_rows > 0 && report->shown->len > 1)
        tg_report_add_agreement(report);
    return table->groups->len == 0 || add_human(report, options, error);
}

TgReport *tg_report_new(const char *const *paths, const TgReportOptions *options, GError **error)
{
    const TgTableOptions table_options = { options->stored, options->lower, options->force,
                                           options->edited };
    g_autoptr(TgReport) report = NULL;
    TgTable *table;

    if (options->resamples > MAX_RESAMPLES)
        return tg_null_usage(error, "there are at most %d resamples", MAX_RESAMPLES);
    table = tg_table_read(paths, &table_options, error);
    if (table == NULL)
        return NULL;
    report = g_new(TgReport, 1);
    *report = (TgReport){
        .table = table,
        .title = g_strdup(options->title != NULL ? options->title : "texgauge report"),
        .paths = g_strdupv((char **) paths),
        .form = options->form,
        .resamples = options->resamples > 0 ? options->resamples : DEFAULT_RESAMPLES,
        .seed = options->seed,
        .threads = options->threads,
        .listener = options->listener,
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
    if (!tg_table_mean_init(&report->mean, table, options->mean, error) ||
        !add_sections(report, options, error))
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

    form.style = TG_GRID_MARKDOWN;
    g_string_append(out, "# ");
    tg_markdown_append_line(out, report->title);
    g_string_append(out, "\n<!-- made by texgauge -->\n\n");
    for (guint i = 0; i < report->headline->len; i++) {
        tg_markdown_append_line(out, report->headline->pdata[i]);
        g_string_append_c(out, '\n');
    }
    for (guint i = 0; i < report->sections->len; i++) {
        const TgReportSection *section = report->sections->pdata[i];

        g_string_append_printf(out, "## %s\n\n", section->title);
        if (section->text != NULL) {
            tg_markdown_append_line(out, section->text);
            g_string_append_c(out, '\n');
        }
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
