/* A report as one HTML page, with the data that its script reads. */
#include <math.h>
#include <string.h>

#include "core/json.h"
#include "core/number.h"
#include "eval/report/private.h"

/* Enough digits to look at. */
static json_t *rounded_number(double value)
{
    return tg_json_number(round(value * 1e5) / 1e5);
}

static void append_integer(json_t *list, gint64 value)
{
    json_array_append_new(list, json_integer(value));
}

/* ---- the summary ---- */

static json_t *value_json(const TgReportValue *value)
{
    return json_pack("[o, o, o, i, o, o, o, o]", rounded_number(value->value),
                     rounded_number(value->interval[0]), rounded_number(value->interval[1]),
                     value->is_best                               ? 1
                     : value->verdict == TG_VERDICT_NO_DIFFERENCE ? 0
                                                                  : -1,
                     tg_json_number(value->best >= 0 ? value->p : NAN), rounded_number(value->gap),
                     rounded_number(value->gap_range[0]), rounded_number(value->gap_range[1]));
}

static json_t *blocks_json(const TgReport *report)
{
    json_t *blocks = json_array();

    for (guint b = 0; b < report->blocks->len; b++) {
        const TgReportBlock *block = report->blocks->pdata[b];
        json_t *models = json_array();

        for (guint m = 0; m < report->table->models->len; m++) {
            json_t *values = json_array();

            for (guint c = 0; c < report->shown->len; c++)
                json_array_append_new(values, value_json(tg_report_value(report, block, m, c)));
            json_array_append_new(
                models, json_pack("{s:i, s:o}", "n", (int) block->n[m], "values", values));
        }
        json_array_append_new(blocks,
                              json_pack("{s:i, s:o}", "subset", block->subset, "models", models));
    }
    return blocks;
}

/* [column][model][other model]: the verdict of the second beside the first, which is
 * "better", "worse", ..., by how much it is better, the interval of that, p. */
static json_t *against_json(const TgReport *report)
{
    const guint n = report->table->models->len;
    json_t *columns = json_array();

    for (guint c = 0; report->against != NULL && c < report->shown->len; c++) {
        json_t *column = json_array();

        for (guint i = 0; i < n * n; i++) {
            const TgReportValue *value = &report->against[(gsize) c * n * n + i];

            json_array_append_new(
                column,
                i / n == i % n
                    ? json_null()
                    : json_pack("[s, o, o, o, o]", tg_verdict_name(value->verdict),
                                rounded_number(value->gap), rounded_number(value->gap_range[0]),
                                rounded_number(value->gap_range[1]), tg_json_number(value->p)));
        }
        json_array_append_new(columns, column);
    }
    return columns;
}

static gboolean is_of_pages(const TgReport *report)
{
    return report->mean.mean.unit == TG_MEAN_PAGES;
}

static json_t *summary_json(const TgReport *report)
{
    json_t *constructs = json_array(), *lengths = json_array(), *columns = json_array();

    for (guint i = 0; i < report->shown->len; i++) {
        const TgTableColumn *column = tg_report_column(report, i);

        json_array_append_new(columns,
                              json_pack("{s:s, s:b, s:b, s:b}", "name", column->name, "lower",
                                        column->lower_is_better, "share", column->is_share, "mean",
                                        column->pool.pooling == TG_POOL_MEAN));
    }
    for (guint i = 0; i < TG_REPORT_N_CONSTRUCTS; i++)
        json_array_append_new(constructs, json_string(tg_report_constructs[i]));
    for (guint i = 0; i < TG_REPORT_N_LENGTHS; i++)
        json_array_append_new(lengths, json_integer(tg_report_lengths[i]));
    json_t *summary = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "models",
                                tg_json_texts(report->table->models), "subsets",
                                tg_json_texts(report->table->subsets), "columns", columns, "blocks",
                                blocks_json(report), "against", against_json(report), "constructs",
                                constructs, "lengths", lengths);
    json_object_update(summary, report->parts);
    json_object_set_new(summary, "percent", json_boolean(report->options.form.percent));
    json_object_set_new(
        summary, "digits",
        json_integer(report->options.form.fixed ? report->options.form.digits : -1));
    return summary;
}

/* ---- every pair ---- */

static json_t *scores_json(const TgReport *report)
{
    json_t *columns = json_array();

    for (guint c = 0; c < report->shown->len; c++) {
        json_t *values = json_array();

        for (guint i = 0; i < report->table->n_rows; i++)
            json_array_append_new(values,
                                  rounded_number(tg_table_number(tg_report_column(report, c), i)));
        json_array_append_new(columns, values);
    }
    return columns;
}

static json_t *ratings_json(const TgReport *report)
{
    json_t *groups = json_array();

    for (guint g = 0; g < report->table->groups->len; g++) {
        const TgTableGroup *group = tg_table_group(report->table, g);
        json_t *values = json_array();

        for (gsize i = 0; i < (gsize) report->table->n_rows * group->n_raters; i++)
            json_array_append_new(values, rounded_number(group->ratings[i]));
        json_array_append_new(groups,
                              json_pack("{s:o, s:i, s:o}", "name", tg_json_text(group->name),
                                        "raters", (int) group->n_raters, "ratings", values));
    }
    return groups;
}

/* {metric: remark, ...} */
static json_t *remarks_of(const TgReport *report, guint row)
{
    const GPtrArray *metrics = report->table->layout->metrics;
    json_t *remarks = NULL;

    for (guint m = 0; m < metrics->len; m++) {
        const char *status = tg_table_status(report->table, row, m);
        const char *note = tg_table_note(report->table, row, m);
        g_autofree char *noted = note != NULL ? g_strdup_printf("ok (%s)", note) : NULL;

        if (status == NULL && note == NULL)
            continue;
        remarks = remarks != NULL ? remarks : json_object();
        json_object_set_new(remarks, tg_metric_label(metrics->pdata[m]),
                            tg_json_text(status != NULL ? status : noted));
    }
    return remarks;
}

/* The references of a pair that has several, but the one that counted. */
static json_t *others_of(const TgReport *report, guint row)
{
    const char *const *refs = report->table->rows[row].refs;
    json_t *others = refs[0] != NULL && refs[1] != NULL ? json_array() : NULL;

    for (guint r = 0; others != NULL && refs[r] != NULL; r++) {
        if (r != report->errors->of[row].reference)
            json_array_append_new(others, tg_json_text(refs[r]));
    }
    return others;
}

/* The address of a pair's picture. */
static json_t *picture_of(const TgReport *report, guint row)
{
    const char *name = report->pictures != NULL ? report->pictures->pdata[row] : NULL;

    return name != NULL ? tg_report_address(report, name) : NULL;
}

/* [row, value, ...] of the pairs that have one. */
static json_t *some_rows(const TgReport *report, json_t *(*value_of)(const TgReport *, guint))
{
    json_t *list = json_array();

    for (guint i = 0; i < report->table->n_rows; i++) {
        json_t *value = value_of(report, i);

        if (value == NULL)
            continue;
        append_integer(list, i);
        json_array_append_new(list, value);
    }
    return list;
}

/* A column for each thing that is known of every pair. */
static json_t *rows_json(const TgReport *report)
{
    static const char *const names[] = { "model", "subset", "truth", "pred", "length", "construct",
                                         "n",     "page",   "graph", "id",   "price",  "order" };
    json_t *all = json_object();

    for (guint k = 0; k < G_N_ELEMENTS(names); k++)
        json_object_set_new(all, names[k], json_array());
    for (guint i = 0; i < report->table->n_rows; i++) {
        const TgTableRow *row = &report->table->rows[i];
        const TgReportFindings *of = &report->errors->of[i];
        const json_t *place = json_object_get(row->stored, "order"); /* on the page */
        json_t *const values[G_N_ELEMENTS(names)] = {
            json_integer(row->model),
            json_integer(row->subset),
            json_integer(row->refs[0] != NULL ? (gint64) report->formulas[i][0] : -1),
            json_integer(row->hyp != NULL ? (gint64) report->formulas[i][1] : -1),
            json_integer(of->length),
            json_integer(of->constructs),
            json_integer(of->n),
            json_integer(is_of_pages(report) ? (gint64) report->mean.group[i] : 0),
            json_integer(of->is_graph),
            tg_json_text(row->id),
            rounded_number(of->price),
            tg_json_number(json_is_number(place) ? json_number_value(place) : NAN),
        };

        for (guint k = 0; k < G_N_ELEMENTS(names); k++)
            json_array_append_new(json_object_get(all, names[k]), values[k]);
    }
    return all;
}

/* A column for each thing that is known of every error, in the order of the pairs. */
static json_t *errors_json(const TgReport *report)
{
    const TgReportErrors *errors = report->errors;
    json_t *class = json_array(), *text = json_array(), *names = json_array();
    json_t *cost = json_array(), *spans = json_array();

    for (guint i = 0; i < report->table->n_rows; i++) {
        const TgTableRow *row = &report->table->rows[i];
        const char *const sides[2] = { row->refs[errors->of[i].reference],
                                       row->hyp != NULL ? row->hyp : "" };

        for (guint e = errors->of[i].first; e < errors->of[i].first + errors->of[i].n; e++) {
            const TgReportError *each = &g_array_index(errors->list, TgReportError, e);

            append_integer(class, each->class);
            append_integer(text, each->text);
            json_array_append_new(cost, tg_json_number(round(each->counted * 100) / 100));
            for (guint s = 0; s < 2; s++) {
                append_integer(names,
                               each->names[s] != TG_REPORT_NONE ? (gint64) each->names[s] : -1);
                append_integer(spans, tg_page_utf16_offset(sides[s], each->start[s]));
                append_integer(spans, tg_page_utf16_offset(sides[s], each->end[s]));
            }
        }
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "class", class, "text", text, "names",
                     names, "cost", cost, "spans", spans, "words", tg_json_texts(errors->words),
                     "classes", tg_json_texts(errors->classes));
}

/* ---- the page ---- */

/* The tables of all sections. */
static void append_details(GString *out, const TgReport *report)
{
    for (guint i = 0; i < report->sections->len; i++) {
        const TgReportSection *section = report->sections->pdata[i];

        g_string_append_printf(out, "<details><summary>%s</summary>\n", section->title);
        if (section->text != NULL)
            tg_html_append(out, "<p class=\"soft\">%s</p>\n", section->text);
        for (guint g = 0; g < section->grids->len; g++)
            tg_grid_append_html(out, section->grids->pdata[g], &report->options.form);
        g_string_append(out, "</details>\n");
    }
}

char *tg_report_html(const TgReport *report)
{
    const TgTable *table = report->table;
    json_auto_t *summary = summary_json(report);
    json_auto_t *pairs =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "rows", rows_json(report), "scores",
                  scores_json(report), "errors", errors_json(report), "ratings",
                  ratings_json(report), "remarks", some_rows(report, remarks_of), "truths",
                  some_rows(report, others_of), "pictures", some_rows(report, picture_of),
                  "formulas", tg_page_drawings_json(report->drawings));
    g_autofree char *n_pairs = tg_count_text(table->n_rows);
    g_autofree char *title = g_markup_escape_text(report->title, -1);
    g_autoptr(GString) headline = g_string_new(NULL), details = g_string_new(NULL);
    const TgMeanUnit unit = report->mean.mean.unit;
    g_autofree char *subsets =
        table->subsets->len > 1 ? g_strdup_printf(", %u subsets", table->subsets->len) : NULL;
    g_autofree char *about = g_strdup_printf(
        "%s pair%s, %u model%s%s; %s%s%smade by texgauge %s", n_pairs, tg_plural(table->n_rows),
        table->models->len, tg_plural(table->models->len), subsets != NULL ? subsets : "",
        unit != TG_MEAN_PAIRS ? "values are means over " : "",
        unit != TG_MEAN_PAIRS ? tg_mean_name(unit) : "", unit != TG_MEAN_PAIRS ? "; " : "",
        tg_version());

    for (guint i = 0; i < report->headline->len; i++) /* the first large, the others below it */
        tg_html_append(headline, i > 0 ? "<small>%s</small>" : "%s",
                       (const char *) report->headline->pdata[i]);
    append_details(details, report);
    g_autofree char *summary_element = tg_page_data("summary", summary);
    g_autofree char *data_element = tg_page_data("data", pairs);
    const TgPagePart parts[] = {
        { "@TITLE@", title },          { "@HEADLINE@", headline->str },  { "@ABOUT@", about },
        { "@DETAILS@", details->str }, { "@SUMMARY@", summary_element }, { "@DATA@", data_element },
    };
    return tg_page_fill(tg_report_page_html, tg_report_page_css, tg_report_page_js,
                        report->images != NULL ? TG_PAGE_PICTURES : "", parts, G_N_ELEMENTS(parts));
}
