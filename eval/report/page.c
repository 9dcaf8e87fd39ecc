/* A report as one HTML page, with the data that its script reads. */
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "core/json.h"
#include "eval/report/private.h"

/* Smaller data stay readable and need nothing of the browser. */
enum { PLAIN_BYTES = 512 * 1024, LEVEL = 5 };

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
                     value->is_best                        ? 1
                     : value->verdict == TG_VERDICT_BETTER ? -1
                                                           : 0,
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

static char *summary_json(const TgReport *report)
{
    json_t *constructs = json_array(), *lengths = json_array(), *columns = json_array();

    for (guint i = 0; i < report->shown->len; i++) {
        const TgTableColumn *column = tg_report_column(report, i);

        json_array_append_new(columns,
                              json_pack("{s:s, s:b, s:b, s:b}", "name", column->name, "lower",
                                        column->lower_is_better, "share", column->is_share, "mean",
                                        column->pooling == TG_POOL_MEAN));
    }
    for (guint i = 0; i < TG_REPORT_N_CONSTRUCTS; i++)
        json_array_append_new(constructs, json_string(tg_report_constructs[i]));
    for (guint i = 0; i < TG_REPORT_N_LENGTHS; i++)
        json_array_append_new(lengths, json_integer(tg_report_lengths[i]));
    json_t *all = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:i}", "models",
        tg_json_texts(report->table->models), "subsets", tg_json_texts(report->table->subsets),
        "columns", columns, "blocks", blocks_json(report), "constructs", constructs, "lengths",
        lengths, "agreement",
        report->agreement != NULL ? json_incref(report->agreement) : json_array(), "pages",
        report->pages != NULL ? json_incref(report->pages) : json_array(), "page_names",
        report->pages != NULL ? tg_json_texts(report->mean.names) : json_array(), "attributes",
        report->pages != NULL ? json_incref(report->attributes) : json_array(), "scans",
        report->pages != NULL ? json_incref(report->scans) : json_array(), "percent",
        report->form.percent, "digits", report->form.fixed ? report->form.digits : -1);
    g_autoptr(GString) plain = g_string_new(NULL);
    GString *safe = g_string_new(NULL);

    tg_json_append(plain, all);
    json_decref(all);
    append_safe(safe, plain->str);
    return g_string_free(safe, FALSE);
}

/* ---- every pair ---- */

/* [row, {metric: remark}, ...] of the pairs that have one */
static json_t *remarks_json(const TgReport *report)
{
    const TgScoreLayout *layout = report->table->layout;
    json_t *list = json_array();

    for (guint i = 0; i < report->table->n_rows; i++) {
        json_t *remarks = NULL;

        for (guint m = 0; m < layout->metrics->len; m++) {
            const char *status = tg_table_status(report->table, i, m);

            if (status == NULL)
                continue;
            if (remarks == NULL) {
                remarks = json_object();
                append_integer(list, i);
                json_array_append_new(list, remarks);
            }
            json_object_set_new(remarks, tg_metric_label(layout->metrics->pdata[m]),
                                tg_json_text(status));
        }
    }
    return list;
}

static json_t *scores_json(const TgReport *report)
{
    json_t *columns = json_array();

    for (guint c = 0; c < report->shown->len; c++) {
        json_t *values = json_array();

        for (guint i = 0; i < report->table->n_rows; i++)
            json_array_append_new(values, rounded_number(tg_report_column(report, c)->values[i]));
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

/* A column of whole numbers for each thing that is known of every pair. */
static json_t *rows_json(const TgReport *report)
{
    static const char *const names[] = { "model",  "subset",    "truth", "pred",
                                         "length", "construct", "n",     "page" };
    json_t *lists[G_N_ELEMENTS(names)], *ids = json_array(), *severity = json_array();
    json_t *order = json_array(); /* on the page */
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
                                   of->n,
                                   report->pages != NULL ? (gint64) report->mean.group[i] : 0 };

        for (guint k = 0; k < G_N_ELEMENTS(names); k++)
            append_integer(lists[k], numbers[k]);
        json_array_append_new(ids, tg_json_text(row->id));
        json_array_append_new(severity, rounded_number(of->severity));
        const json_t *place = json_object_get(row->stored, "order");
        json_array_append_new(
            order, tg_json_number(json_is_number(place) ? json_number_value(place) : NAN));
    }
    json_object_set_new(all, "id", ids);
    json_object_set_new(all, "severity", severity);
    json_object_set_new(all, "order", order);
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
                     names, "cost", cost, "spans", spans, "words", tg_json_texts(errors->words),
                     "classes", tg_json_texts(errors->classes));
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

/* ---- the page ---- */

/* 'sha256-...' of an inline script or style, by which the page allows it. */
static char *hash_of(const char *text)
{
    GChecksum *checksum = g_checksum_new(G_CHECKSUM_SHA256);
    guint8 digest[32];
    gsize length = sizeof digest;
    g_autofree char *encoded = NULL;

    g_checksum_update(checksum, (const guchar *) text, (gssize) strlen(text));
    g_checksum_get_digest(checksum, digest, &length);
    g_checksum_free(checksum);
    encoded = g_base64_encode(digest, length);
    return g_strdup_printf("'sha256-%s'", encoded);
}

/* The tables of all sections. */
static void append_details(GString *out, const TgReport *report)
{
    for (guint i = 0; i < report->sections->len; i++) {
        const TgReportSection *section = report->sections->pdata[i];

        g_string_append_printf(out, "<details><summary>%s</summary>\n", section->title);
        if (section->text != NULL) {
            g_string_append(out, "<p class=\"soft\">");
            tg_html_append_text(out, section->text);
            g_string_append(out, "</p>\n");
        }
        for (guint g = 0; g < section->grids->len; g++)
            tg_grid_append_html(out, section->grids->pdata[g], &report->form);
        g_string_append(out, "</details>\n");
    }
}

char *tg_report_html(const TgReport *report)
{
    enum { POLICY, TITLE, STYLE, HEADLINE, ABOUT, DETAILS, SUMMARY, DATA, SCRIPT, N_PARTS };
    static const char *const names[N_PARTS] = { "@POLICY@",   "@TITLE@", "@STYLE@",
                                                "@HEADLINE@", "@ABOUT@", "@DETAILS@",
                                                "@SUMMARY@",  "@DATA@",  "@SCRIPT@" };
    const TgTable *table = report->table;
    g_autofree char *script = hash_of(tg_page_js), *style = hash_of(tg_page_css);
    g_autofree char *summary = summary_json(report);
    json_auto_t *pairs =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "rows", rows_json(report), "scores",
                  scores_json(report), "errors", errors_json(report), "ratings",
                  ratings_json(report), "remarks", remarks_json(report), "truths",
                  truths_json(report), "formulas", tg_report_drawings_json(report->drawings));
    g_autofree char *n_pairs = tg_count_text(table->n_rows);
    g_autoptr(GString) plain = g_string_new(NULL), packed = g_string_new(NULL);
    tg_json_append(plain, pairs);
    const char *type = tg_report_pack(packed, plain->str);
    GString *parts[N_PARTS], *out = g_string_new(NULL);

    for (guint i = 0; i < N_PARTS; i++)
        parts[i] = g_string_new(NULL);
    /* the page's own script and style and nothing else: no network, no handlers */
    g_string_printf(parts[POLICY],
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                    "img-src data:; script-src %s; style-src %s\">",
                    script, style);
    tg_html_append_text(parts[TITLE], report->title);
    g_string_append(parts[STYLE], tg_page_css);
    for (guint i = 0; i < report->headline->len; i++) { /* the first large, the others below it */
        g_string_append(parts[HEADLINE], i > 0 ? "<small>" : "");
        tg_html_append_text(parts[HEADLINE], report->headline->pdata[i]);
        g_string_append(parts[HEADLINE], i > 0 ? "</small>" : "");
    }
    g_string_printf(parts[ABOUT], "%s pair%s, %u model%s, %u subset%s; made by texgauge %s",
                    n_pairs, table->n_rows == 1 ? "" : "s", table->models->len,
                    table->models->len == 1 ? "" : "s", table->subsets->len,
                    table->subsets->len == 1 ? "" : "s", tg_version());
    append_details(parts[DETAILS], report);
    g_string_append(parts[SUMMARY], summary);
    g_string_printf(parts[DATA], "<script type=\"%s\" id=\"data\">%s</script>", type, packed->str);
    g_string_append(parts[SCRIPT], tg_page_js);
    for (const char *at = tg_page_html; *at != '\0';) {
        guint i = 0;

        while (i < N_PARTS && !g_str_has_prefix(at, names[i]))
            i++;
        if (i == N_PARTS) {
            g_string_append_c(out, *at++);
        } else {
            g_string_append_len(out, parts[i]->str, (gssize) parts[i]->len);
            at += strlen(names[i]);
        }
    }
    for (guint i = 0; i < N_PARTS; i++)
        g_string_free(parts[i], TRUE);
    return g_string_free(out, FALSE);
}
