/* Reading results.jsonl. */
#include "eval/results/results.h"

#include <glib/gstdio.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/stream.h"
#include "metrics/metric.h"

/* A pair of formulas at the readers' limit, with its scores and details. */
#define MAX_LINE ((gsize) 1 << 30)

#define MAX_SHARDS 1000000

struct TgResultsReader {
    char *path;
    TgStream *stream;
    guint64 offset;
    json_t *header;
    json_t *footer;
    guint64 shard, n_shards; /* rows are shard, shard + n_shards, ... */
    guint64 n_rows;
    TgScoreLayout *layout;
    TgResultsRow row;
};

G_GNUC_PRINTF(3, 4)
static gboolean fault(const TgResultsReader *self, GError **error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": %s", self->path,
                         tg_stream_line(self->stream), what);
}

/* Read a whole line; FALSE without @error at the end, also behind half a line: what a crash leaves
 * may end in zeros. */
static gboolean next_line(TgResultsReader *self, char **line, gsize *n, GError **error)
{
    switch (tg_stream_read_line(self->stream, line, n, error)) {
    case TG_LINE_READ:
        if (!tg_stream_line_has_end(self->stream))
            return FALSE;
        self->offset = tg_stream_offset(self->stream);
        return TRUE;
    case TG_LINE_TOO_LONG:
        return fault(self, error, "too long for a line of results");
    case TG_LINE_END:
    case TG_LINE_ERROR:
        break;
    }
    return FALSE;
}

/* The next whole line as JSON; NULL without @error at the end, also behind half a line. */
static json_t *next_json(TgResultsReader *self, GError **error)
{
    json_error_t trouble;
    char *line;
    gsize n;

    if (!next_line(self, &line, &n, error))
        return NULL;
    json_t *value = json_loadb(line, n, 0, &trouble);
    if (value == NULL) {
        fault(self, error, "%s", trouble.text);
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
        fault(self, error, "%s", cause->message);
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

/* Which rows of the input the file has. */
static gboolean read_shard(TgResultsReader *self, GError **error)
{
    const json_t *shard = json_object_get(self->header, "shard");
    const json_int_t index = json_integer_value(json_object_get(shard, "index"));
    const json_int_t of = json_integer_value(json_object_get(shard, "of"));

    if (of < 1 || of > MAX_SHARDS || index < 1 || index > of)
        return fault(self, error,
                     "the header names shard %" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT,
                     index, of);
    self->shard = (guint64) index;
    self->n_shards = (guint64) of;
    return TRUE;
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
    if (!read_shard(self, error))
        return FALSE;

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

static TgResultsReader *reader_new(const char *path, GError **error)
{
    TgStream *stream = tg_stream_open(path, MAX_LINE, error);

    if (stream == NULL)
        return NULL;
    TgResultsReader *self = g_new0(TgResultsReader, 1);
    self->path = g_strdup(path);
    self->stream = stream;
    tg_stream_skip_hash(stream);
    return self;
}

TgResultsReader *tg_results_open(const char *path, GError **error)
{
    g_autoptr(TgResultsReader) self = reader_new(path, error);

    if (self == NULL || !read_header(self, error))
        return NULL;
    return g_steal_pointer(&self);
}

json_t *tg_results_peek(const char *path)
{
    GStatBuf info;

    if (g_stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return NULL; /* what is read from a pipe is gone */
    g_autoptr(TgResultsReader) self = reader_new(path, NULL);

    return self != NULL ? next_json(self, NULL) : NULL;
}

void tg_results_close(TgResultsReader *reader)
{
    if (reader == NULL)
        return;
    tg_stream_free(reader->stream);
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

gboolean tg_results_is_compressed(const TgResultsReader *reader)
{
    return tg_stream_is_compressed(reader->stream);
}

gboolean tg_results_check_whole(const TgResultsReader *reader, GError **error)
{
    return reader->footer != NULL ||
           tg_fail_input(error,
                         "%s: is interrupted: its last line is missing; finish it with eval "
                         "--resume",
                         reader->path);
}

/* Fill one metric's statistics from their array. */
static gboolean take_stats(TgResultsReader *self, guint metric, const json_t *list, GError **error)
{
    const guint first = self->layout->first_stat[metric];
    const guint n = self->layout->first_stat[metric + 1] - first;

    if (list == NULL)
        return n == 0 || self->row.scores.status[metric] != NULL ||
               fault(self, error, "statistics are missing");
    if (json_array_size(list) != n)
        return fault(self, error, "wrong number of statistics");
    for (guint i = 0; i < n; i++) {
        const json_t *value = json_array_get(list, i);

        if (!json_is_number(value))
            return fault(self, error, "a statistic is not a number");
        self->row.scores.stats[first + i] = json_number_value(value);
    }
    self->row.scores.has_stats[metric] = TRUE;
    return TRUE;
}

static gboolean take_column(TgResultsReader *self, guint i, const json_t *value, GError **error)
{
    const TgColumn *column = tg_score_layout_column(self->layout, i);
    const char *name = tg_score_layout_column_name(self->layout, i);
    const double number = json_number_value(value);

    if (value == NULL)
        return fault(self, error, "a score is missing: '%s'", name);
    if (json_is_null(value))
        return TRUE;
    if (!json_is_number(value))
        return fault(self, error, "the score '%s' is not a number", name);
    if (number < column->min || number > column->max)
        return fault(self, error, "the score '%s' is %.10g, outside [%g, %g]", name, number,
                     column->min, column->max);
    self->row.scores.columns[i] = number;
    return TRUE;
}

static gboolean take_scores(TgResultsReader *self, GError **error)
{
    const TgScoreLayout *layout = self->layout;
    const json_t *scores = json_object_get(self->row.json, "scores");
    const json_t *stats = json_object_get(self->row.json, "stats");
    const json_t *status = json_object_get(self->row.json, "status");

    tg_scores_reset(&self->row.scores, layout);
    for (guint i = 0; i < layout->n_columns; i++)
        if (!take_column(self, i, json_object_get(scores, tg_score_layout_column_name(layout, i)),
                         error))
            return FALSE;
    for (guint m = 0; m < layout->metrics->len; m++) {
        const char *label = tg_metric_label(tg_score_layout_metric(layout, m));
        const char *text = json_string_value(json_object_get(status, label));

        if (text == NULL)
            return fault(self, error, "the status of '%s' is missing", label);
        if (strcmp(text, "ok") != 0)
            tg_scores_set_status(&self->row.scores, m, text);
        if (!take_stats(self, m, json_object_get(stats, label), error))
            return FALSE;
    }
    return TRUE;
}

/* Rows come in the order of the input, none twice and none left out. */
static gboolean take_row_number(TgResultsReader *self, GError **error)
{
    const json_t *number = json_object_get(self->row.json, "row");
    const guint64 due = self->shard + self->n_rows * self->n_shards;

    if (json_object_get(self->row.json, "texgauge_results") != NULL)
        return fault(self, error,
                     "another results file begins here; name the files one by one instead of "
                     "joining them");
    if (!json_is_integer(number) || json_integer_value(number) < 1)
        return fault(self, error, "no row number");
    self->row.row = (guint64) json_integer_value(number);
    if (self->row.row < due)
        return fault(self, error, "row %" G_GUINT64_FORMAT " comes twice, or out of order",
                     self->row.row);
    if (self->row.row > due)
        return fault(self, error, "row %" G_GUINT64_FORMAT " is missing", due);
    self->n_rows++;
    return TRUE;
}

/* The footer counts the rows, and nothing comes after it. */
static gboolean check_footer(TgResultsReader *self, GError **error)
{
    GError *trouble = NULL;
    char *line;
    gsize n;

    if (json_integer_value(json_object_get(self->footer, "rows")) != (json_int_t) self->n_rows)
        return fault(self, error, "has lost rows: the count in its last line differs");
    if (next_line(self, &line, &n, &trouble))
        return fault(self, error, "goes on behind its last line");
    if (trouble != NULL)
        g_propagate_error(error, trouble);
    return trouble == NULL;
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
        reader->footer = g_steal_pointer(&reader->row.json);
        check_footer(reader, error);
        return FALSE;
    }
    if (!take_row_number(reader, error))
        return FALSE;
    reader->row.id = json_string_value(json_object_get(reader->row.json, "id"));
    reader->row.model = json_string_value(json_object_get(reader->row.json, "model"));
    reader->row.subset = json_string_value(json_object_get(reader->row.json, "subset"));
    if (!take_scores(reader, error))
        return FALSE;
    *row = &reader->row;
    return TRUE;
}

json_t *tg_results_steal_json(TgResultsReader *reader)
{
    return g_steal_pointer(&reader->row.json);
}
