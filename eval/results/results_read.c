/* Reading results.jsonl. */
#include "eval/results/results.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "metrics/metric.h"

/* A pair of formulas at the readers' limit, with its scores and details. */
#define MAX_LINE ((gsize) 1 << 30)

struct TgResultsReader {
    char *path;
    FILE *file;
    GString *line;
    guint64 n_lines;
    guint64 offset;
    json_t *header;
    json_t *footer;
    TgScoreLayout *layout;
    TgResultsRow row;
};

static void fault(const TgResultsReader *self, GError **error, const char *what)
{
    g_set_error(error, TG_ERROR, TG_ERROR_INPUT, "%s:%" G_GUINT64_FORMAT ": %s", self->path,
                self->n_lines, what);
}

/* Read a whole line, with its newline; FALSE without @error at the end, also behind half a line. */
static gboolean next_line(TgResultsReader *self, GError **error)
{
    char part[4096];

    g_string_truncate(self->line, 0);
    do {
        if (fgets(part, sizeof part, self->file) == NULL) {
            if (ferror(self->file))
                fault(self, error, g_strerror(errno));
            return FALSE;
        }
        g_string_append(self->line, part);
        if (self->line->len > MAX_LINE || *part == '\0') {
            self->n_lines++;
            fault(self, error, "not a line of results: too long, or not text");
            return FALSE;
        }
    } while (self->line->str[self->line->len - 1] != '\n');
    self->n_lines++;
    self->offset += self->line->len;
    return TRUE;
}

/* The next whole line as JSON; NULL without @error at the end, also behind half a line. */
static json_t *next_json(TgResultsReader *self, GError **error)
{
    json_error_t trouble;

    if (!next_line(self, error))
        return NULL;
    json_t *value = json_loadb(self->line->str, self->line->len, 0, &trouble);
    if (value == NULL) {
        fault(self, error, trouble.text);
        return NULL;
    }
    if (!json_is_object(value)) {
        json_decref(value);
        fault(self, error, "not an object");
        return NULL;
    }
    return value;
}

/* Make metric number @i of the header, and check that it is the one that scored. */
static TgMetric *remake_metric(const TgResultsReader *self, const json_t *entry, GError **error)
{
    const char *spec = json_string_value(json_object_get(entry, "spec"));
    const char *signature = json_string_value(json_object_get(entry, "signature"));
    const char *label = json_string_value(json_object_get(entry, "label"));
    GError *cause = NULL;

    if (spec == NULL || signature == NULL || label == NULL) {
        fault(self, error, "a metric without spec, label or signature");
        return NULL;
    }
    g_autoptr(TgMetric) metric = tg_metric_new_as(spec, label, &cause);
    if (metric == NULL) {
        fault(self, error, cause->message);
        g_error_free(cause);
        return NULL;
    }
    if (!tg_metric_has_signature(metric, signature)) {
        g_set_error(error, TG_ERROR, TG_ERROR_INPUT,
                    "%s: scored with %s, this program has %s; score again to compare", self->path,
                    signature, tg_metric_signature(metric));
        return NULL;
    }
    return g_steal_pointer(&metric);
}

static void free_metric(gpointer metric)
{
    tg_metric_free(metric);
}

static gboolean read_header(TgResultsReader *self, GError **error)
{
    GError *cause = NULL;

    self->header = next_json(self, &cause);
    if (self->header == NULL ||
        json_integer_value(json_object_get(self->header, "texgauge_results")) != 1) {
        g_set_error(error, TG_ERROR, TG_ERROR_INPUT, "%s: not a results file of texgauge",
                    self->path);
        g_clear_error(&cause);
        return FALSE;
    }

    g_autoptr(GPtrArray) metrics = g_ptr_array_new_with_free_func(free_metric);
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(self->header, "metrics"), i, entry)
    {
        TgMetric *metric = remake_metric(self, entry, error);
        if (metric == NULL)
            return FALSE;
        g_ptr_array_add(metrics, metric);
    }
    self->layout = tg_score_layout_new(g_steal_pointer(&metrics));
    tg_scores_init(&self->row.scores, self->layout);
    return TRUE;
}

TgResultsReader *tg_results_open(const char *path, GError **error)
{
    g_autoptr(TgResultsReader) self = g_new0(TgResultsReader, 1);

    self->path = g_strdup(path);
    self->line = g_string_new(NULL);
    self->file = fopen(path, "rb");
    if (self->file == NULL) {
        g_set_error(error, TG_ERROR, TG_ERROR_INPUT, "%s: %s", path, g_strerror(errno));
        return NULL;
    }
    if (!read_header(self, error))
        return NULL;
    return g_steal_pointer(&self);
}

json_t *tg_results_peek(const char *path)
{
    g_autoptr(TgResultsReader) self = g_new0(TgResultsReader, 1);

    self->path = g_strdup(path);
    self->line = g_string_new(NULL);
    self->file = fopen(path, "rb");
    return self->file != NULL ? next_json(self, NULL) : NULL;
}

void tg_results_close(TgResultsReader *reader)
{
    if (reader == NULL)
        return;
    if (reader->file != NULL)
        fclose(reader->file);
    if (reader->line != NULL)
        g_string_free(reader->line, TRUE);
    if (reader->layout != NULL)
        tg_scores_clear(&reader->row.scores, reader->layout);
    tg_score_layout_unref(reader->layout);
    json_decref(reader->header);
    json_decref(reader->footer);
    json_decref(reader->row.json);
    g_free(reader->path);
    g_free(reader);
}

TgScoreLayout *tg_results_layout(const TgResultsReader *reader)
{
    return reader->layout;
}

const json_t *tg_results_header_json(const TgResultsReader *reader)
{
    return reader->header;
}

const json_t *tg_results_footer_json(const TgResultsReader *reader)
{
    return reader->footer;
}

guint64 tg_results_offset(const TgResultsReader *reader)
{
    return reader->offset;
}

/* Fill one metric's statistics from their array. */
static gboolean take_stats(TgResultsReader *self, guint metric, const json_t *list, GError **error)
{
    const guint first = self->layout->first_stat[metric];
    const guint n = self->layout->first_stat[metric + 1] - first;

    if (list == NULL)
        return TRUE;
    if (json_array_size(list) != n) {
        fault(self, error, "wrong number of statistics");
        return FALSE;
    }
    for (guint i = 0; i < n; i++)
        self->row.scores.stats[first + i] = json_number_value(json_array_get(list, i));
    self->row.scores.has_stats[metric] = TRUE;
    return TRUE;
}

static gboolean take_scores(TgResultsReader *self, GError **error)
{
    const TgScoreLayout *layout = self->layout;
    const json_t *scores = json_object_get(self->row.json, "scores");
    const json_t *stats = json_object_get(self->row.json, "stats");
    const json_t *status = json_object_get(self->row.json, "status");

    tg_scores_reset(&self->row.scores, layout);
    for (guint i = 0; i < layout->n_columns; i++) {
        const json_t *value = json_object_get(scores, tg_score_layout_column_name(layout, i));
        if (value == NULL) {
            fault(self, error, "a score is missing");
            return FALSE;
        }
        if (json_is_number(value))
            self->row.scores.columns[i] = json_number_value(value);
    }
    for (guint m = 0; m < layout->metrics->len; m++) {
        const char *label = tg_metric_label(tg_score_layout_metric(layout, m));
        const char *text = json_string_value(json_object_get(status, label));

        if (text != NULL && strcmp(text, "ok") != 0)
            tg_scores_set_status(&self->row.scores, m, text);
        if (!take_stats(self, m, json_object_get(stats, label), error))
            return FALSE;
    }
    return TRUE;
}

gboolean tg_results_next(TgResultsReader *reader, const TgResultsRow **row, GError **error)
{
    if (reader->footer != NULL)
        return FALSE;
    json_decref(reader->row.json);
    reader->row.json = next_json(reader, error);
    if (reader->row.json == NULL)
        return FALSE;
    if (json_is_true(json_object_get(reader->row.json, "end"))) {
        reader->footer = reader->row.json;
        reader->row.json = NULL;
        return FALSE;
    }

    const json_t *number = json_object_get(reader->row.json, "row");
    if (!json_is_integer(number) || json_integer_value(number) < 1) {
        fault(reader, error, "no row number");
        return FALSE;
    }
    reader->row.row = (guint64) json_integer_value(number);
    reader->row.id = json_string_value(json_object_get(reader->row.json, "id"));
    reader->row.model = json_string_value(json_object_get(reader->row.json, "model"));
    reader->row.subset = json_string_value(json_object_get(reader->row.json, "subset"));
    if (!take_scores(reader, error))
        return FALSE;
    *row = &reader->row;
    return TRUE;
}
