#include "eval/report/pairs.h"

#include <string.h>

#include "core/json.h"

static json_t *names_json(const GPtrArray *names)
{
    json_t *list = json_array();

    for (guint i = 0; i < names->len; i++)
        json_array_append_new(list, tg_json_text(names->pdata[i]));
    return list;
}

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
    return remarks != NULL ? remarks : json_null();
}

static json_t *edits_json(const TgReport *report, guint row)
{
    json_t *lines;

    if (report->edits == NULL || report->edits[row] == NULL)
        return json_null();
    lines = json_array();
    for (guint i = 0; report->edits[row][i] != NULL; i++)
        json_array_append_new(lines, tg_json_text(report->edits[row][i]));
    return lines;
}

/* [id, model, subset, [truths], prediction, [scores], remarks, [edits]] */
static json_t *row_json(const TgReport *report, guint i)
{
    const TgTableRow *row = &report->table->rows[i];
    json_t *refs = json_array(), *scores = json_array();

    for (guint r = 0; row->refs[r] != NULL; r++)
        json_array_append_new(refs, tg_json_text(row->refs[r]));
    for (guint c = 0; c < report->shown->len; c++)
        json_array_append_new(scores, tg_json_number(tg_report_column(report, c)->values[i]));
    return json_pack("[o, i, i, o, o, o, o, o]", tg_json_text(row->id), (int) row->model,
                     (int) row->subset, refs, tg_json_text(row->hyp), scores,
                     remarks_json(report, i), edits_json(report, i));
}

char *tg_report_pairs_json(const TgReport *report)
{
    json_t *columns = json_array(), *rows = json_array(), *all;
    g_autoptr(GString) plain = g_string_new(NULL);
    GString *safe;

    for (guint c = 0; c < report->shown->len; c++)
        json_array_append_new(columns, tg_json_text(tg_report_column(report, c)->name));
    for (guint i = 0; i < report->table->n_rows; i++)
        json_array_append_new(rows, row_json(report, i));
    all = json_pack("{s:o, s:o, s:o, s:o, s:o}", "columns", columns, "edits",
                    tg_json_text(report->edits_by), "models", names_json(report->table->models),
                    "subsets", names_json(report->table->subsets), "rows", rows);
    tg_json_append(plain, all);
    json_decref(all);

    /* Nothing that HTML looks for inside a script element: these occur in strings only. */
    safe = g_string_sized_new(plain->len + plain->len / 16);
    for (const char *c = plain->str; *c != '\0'; c++) {
        if (*c == '<' || *c == '>' || *c == '&')
            g_string_append_printf(safe, "\\u%04x", (guint) *c);
        else
            g_string_append_c(safe, *c);
    }
    return g_string_free(safe, FALSE);
}
