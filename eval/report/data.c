#include "eval/report/data.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

#include "core/json.h"

/* Smaller data stay readable and need nothing of the browser. */
enum { PLAIN_BYTES = 512 * 1024, LEVEL = 5 };

static json_t *names_json(const GPtrArray *names)
{
    json_t *list = json_array();

    for (guint i = 0; i < names->len; i++)
        json_array_append_new(list, tg_json_text(names->pdata[i]));
    return list;
}

/* Enough digits to look at. */
static json_t *rounded(double value)
{
    return tg_json_number(round(value * 1e5) / 1e5);
}

/* ---- the summary ---- */

static json_t *columns_json(const TgReport *report)
{
    json_t *list = json_array();

    for (guint i = 0; i < report->shown->len; i++) {
        const TgTableColumn *column = tg_report_column(report, i);

        json_array_append_new(list, json_pack("{s:s, s:b, s:b, s:b}", "name", column->name, "lower",
                                              column->lower_is_better, "share", column->is_share,
                                              "mean", column->pooling == TG_POOL_MEAN));
    }
    return list;
}

static json_t *value_json(const TgReportValue *value)
{
    return json_pack("[o, o, o, i, o, o, o, o]", rounded(value->value), rounded(value->interval[0]),
                     rounded(value->interval[1]),
                     value->is_best               ? 1
                     : tg_report_is_behind(value) ? -1
                                                  : 0,
                     tg_json_number(value->is_tested ? value->p : NAN), rounded(value->behind),
                     rounded(value->behind_range[0]), rounded(value->behind_range[1]));
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

/* JSON with nothing that HTML looks for inside a script element: these occur in strings only. */
static void append_safe(GString *out, const char *json)
{
    for (const char *c = json; *c != '\0'; c++) {
        if (*c == '<' || *c == '>' || *c == '&')
            g_string_append_printf(out, "\\u%04x", (guint) *c);
        else
            g_string_append_c(out, *c);
    }
}

static json_t *constructs_json(void)
{
    json_t *list = json_array();

    for (guint i = 0; i < TG_REPORT_N_CONSTRUCTS; i++)
        json_array_append_new(list, json_string(tg_report_construct_name(i)));
    return list;
}

static json_t *lengths_json(void)
{
    json_t *list = json_array();

    for (guint i = 0; i < TG_REPORT_N_LENGTHS; i++)
        json_array_append_new(list, json_integer(tg_report_lengths[i]));
    return list;
}

char *tg_report_summary_json(const TgReport *report)
{
    json_t *all = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:i}", "models",
        names_json(report->table->models), "subsets", names_json(report->table->subsets), "columns",
        columns_json(report), "blocks", blocks_json(report), "constructs", constructs_json(),
        "lengths", lengths_json(), "agreement",
        report->agreement != NULL ? json_incref(report->agreement) : json_array(), "percent",
        report->form.percent, "digits", report->form.fixed ? report->form.digits : -1);
    g_autoptr(GString) plain = g_string_new(NULL);
    GString *safe = g_string_new(NULL);

    tg_json_append(plain, all);
    json_decref(all);
    append_safe(safe, plain->str);
    return g_string_free(safe, FALSE);
}

/* ---- every pair ---- */

static json_t *remarks_json(const TgReport *report, guint row)
{
    const TgScoreLayout *layout = report->table->layout;
    json_t *remarks = NULL;

    for (guint m = 0; m < layout->metrics->len; m++) {
        const char *status = tg_table_status(report->table, row, m);

        if (status == NULL)
            continue;
        if (remarks == NULL)
            remarks = json_object();
        json_object_set_new(remarks, tg_metric_label(tg_score_layout_metric(layout, m)),
                            tg_json_text(status));
    }
    return remarks;
}

/* [row, {metric: remark}, ...] of the pairs that have one */
static json_t *all_remarks_json(const TgReport *report)
{
    json_t *list = json_array();

    for (guint i = 0; i < report->table->n_rows; i++) {
        json_t *remarks = remarks_json(report, i);

        if (remarks == NULL)
            continue;
        json_array_append_new(list, json_integer(i));
        json_array_append_new(list, remarks);
    }
    return list;
}

static json_t *scores_json(const TgReport *report)
{
    json_t *columns = json_array();

    for (guint c = 0; c < report->shown->len; c++) {
        json_t *values = json_array();

        for (guint i = 0; i < report->table->n_rows; i++)
            json_array_append_new(values, rounded(tg_report_column(report, c)->values[i]));
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
            json_array_append_new(values, rounded(group->ratings[i]));
        json_array_append_new(groups,
                              json_pack("{s:o, s:i, s:o}", "name", tg_json_text(group->name),
                                        "raters", (int) group->n_raters, "ratings", values));
    }
    return groups;
}

/* Further truths of the pairs that have several: [row, [source, ...], ...]. */
static json_t *truths_json(const TgReport *report)
{
    json_t *list = json_array();

    for (guint i = 0; i < report->table->n_rows; i++) {
        const char *const *refs = report->table->rows[i].refs;
        json_t *others;

        if (refs[0] == NULL || refs[1] == NULL)
            continue;
        others = json_array();
        for (guint r = 0; refs[r] != NULL; r++) {
            if (r != report->errors->of[i].reference)
                json_array_append_new(others, tg_json_text(refs[r]));
        }
        json_array_append_new(list, json_integer(i));
        json_array_append_new(list, others);
    }
    return list;
}

static void append_integer(json_t *list, gint64 value)
{
    json_array_append_new(list, json_integer(value));
}

/* A column of whole numbers for each thing that is known of every pair. */
static json_t *rows_json(const TgReport *report)
{
    static const char *const names[] = { "model",  "subset",    "truth", "pred",
                                         "length", "construct", "n" };
    json_t *lists[G_N_ELEMENTS(names)], *ids = json_array(), *severity = json_array();
    json_t *all = json_object();

    for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
        lists[k] = json_array();
        json_object_set_new(all, names[k], lists[k]);
    }
    for (guint i = 0; i < report->table->n_rows; i++) {
        const TgTableRow *row = &report->table->rows[i];
        const TgReportFindings *of = &report->errors->of[i];
        const gint64 numbers[] = { row->model,
                                   row->subset,
                                   row->refs[0] != NULL ? (gint64) report->formulas[i][0] : -1,
                                   row->hyp != NULL ? (gint64) report->formulas[i][1] : -1,
                                   of->length,
                                   of->constructs,
                                   of->n };

        for (guint k = 0; k < G_N_ELEMENTS(names); k++)
            append_integer(lists[k], numbers[k]);
        json_array_append_new(ids, tg_json_text(row->id));
        json_array_append_new(severity, rounded(of->severity));
    }
    json_object_set_new(all, "id", ids);
    json_object_set_new(all, "severity", severity);
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
                append_integer(spans, tg_report_utf16_offset(sides[s], each->start[s]));
                append_integer(spans, tg_report_utf16_offset(sides[s], each->end[s]));
            }
        }
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "class", class, "text", text, "names",
                     names, "cost", cost, "spans", spans, "words", names_json(errors->words),
                     "classes", names_json(errors->classes));
}

char *tg_report_pairs_json(const TgReport *report)
{
    GString *out = g_string_new(NULL);
    json_t *all =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "rows", rows_json(report), "scores",
                  scores_json(report), "errors", errors_json(report), "ratings",
                  ratings_json(report), "remarks", all_remarks_json(report), "truths",
                  truths_json(report), "formulas", tg_report_drawings_json(report->drawings));

    tg_json_append(out, all);
    json_decref(all);
    return g_string_free(out, FALSE);
}

const char *tg_report_pack(GString *out, const char *json)
{
    const gsize n = strlen(json);
    uLongf n_packed = compressBound(n);
    g_autofree guint8 *packed = NULL;
    g_autofree char *text = NULL;

    if (n > PLAIN_BYTES) {
        packed = g_malloc(n_packed);
        if (compress2(packed, &n_packed, (const guint8 *) json, n, LEVEL) == Z_OK) {
            text = g_base64_encode(packed, n_packed);
            g_string_append(out, text);
            return "text/plain";
        }
    }
    append_safe(out, json);
    return "application/json";
}
