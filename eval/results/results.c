/* results.jsonl: its lines written and read; several files read as one. */
#include "eval/results/results.h"

#include <glib/gstdio.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/stream.h"
#include "core/json.h"
#include "datasets/id_set.h"
#include "datasets/input_names.h"
#include "metrics/metric.h"
#include "render/fonts/font.h"

/* Files of version 1 have no checksums. */
#define FORMAT_VERSION 2

/* A pair of formulas at the readers' limit, with its scores and details. */
#define MAX_LINE ((gsize) 1 << 30)

#define MAX_SHARDS 1000000

/* ---- writing ---- */

char *tg_results_header(const TgResultsInfo *info)
{
    static const char *const pooling[] = { "mean", "sum", "stats" };
    g_autoptr(GPtrArray) drawn = tg_metric_sets_expand("drawn");
    json_t *metrics = json_array(), *inputs = json_array(), *fields = json_array();
    json_t *options = json_deep_copy(info->options);
    gboolean any_fields = FALSE, has_drawings = FALSE; /* scores depend on the fonts */

    for (guint m = 0; m < info->layout->metrics->len; m++) {
        const TgMetric *metric = info->layout->metrics->pdata[m];
        const char *name = tg_metric_info(metric)->name;
        json_t *columns = json_array();

        for (guint i = 0; i < tg_metric_n_columns(metric); i++) {
            const TgColumn *column = &tg_metric_info(metric)->columns[i];

            json_array_append_new(
                columns,
                json_pack("{s:s, s:s, s:s}", "name", tg_metric_column_name(metric, i), "better",
                          column->direction == TG_HIGHER_IS_BETTER ? "higher" : "lower", "pooling",
                          pooling[column->pooling]));
        }
        json_array_append_new(
            metrics, json_pack("{s:s, s:s, s:s, s:i, s:o}", "label", tg_metric_label(metric),
                               "spec", metric->spec, "signature", tg_metric_signature(metric),
                               "n_stats", (int) metric->n_stats, "columns", columns));
        has_drawings |= g_ptr_array_find_with_equal_func(drawn, name, g_str_equal, NULL);
    }
    for (guint i = 0; i < info->n_inputs; i++) {
        json_array_append_new(inputs, tg_json_text(info->inputs[i].name));
        json_array_append_new(fields, tg_json_text(info->inputs[i].roles));
        any_fields = any_fields || info->inputs[i].roles != NULL;
    }
    if (!any_fields || !info->has_fields)
        g_clear_pointer(&fields, json_decref);
    if (has_drawings)
        json_object_set_new(options, "fonts", json_string(tg_fonts_hash()));
    return tg_json_take(json_pack("{s:i, s:s, s:o, s:o, s:s*, s:o, s:o*, s:{s:i, s:i}}",
                                  "texgauge_results", FORMAT_VERSION, "version", tg_version(),
                                  "metrics", metrics, "options", options, "mean", info->mean,
                                  "inputs", inputs, "fields", fields, "shard", "index",
                                  (int) info->shard, "of", (int) info->n_shards),
                        "");
}

static void append_numbers(GString *out, const char *name, const double *values, gsize n)
{
    tg_json_append_key(out, name);
    g_string_append_c(out, '[');
    for (gsize i = 0; i < n; i++) {
        if (i > 0)
            g_string_append_c(out, ',');
        tg_json_append_number(out, values[i]);
    }
    g_string_append_c(out, ']');
}

static void append_text(GString *out, const char *name, const char *text)
{
    tg_json_append_key(out, name);
    tg_json_append_text(out, text);
}

/* Written member by member: to build an object of each row first takes as long as to score it. */
void tg_results_append_row(GString *out, const TgScoreLayout *layout, const TgRecord *record,
                           const TgScores *scores)
{
    const guint n_metrics = layout->metrics->len;
    gboolean has_notes = FALSE, has_details = FALSE;
#define LABEL(m) tg_metric_label(layout->metrics->pdata[m])

    g_string_append(out, "{\"row\":");
    tg_json_append_number(out, (double) record->row);
    append_text(out, "id", record->id);
    append_text(out, "model", record->model);
    append_text(out, "subset", record->subset);
    g_string_append(out, ",\"gt\":[");
    for (guint i = 0; record->refs != NULL && i < record->refs->len; i++) {
        if (i > 0)
            g_string_append_c(out, ',');
        tg_json_append_text(out, record->refs->pdata[i]);
    }
    g_string_append_c(out, ']');
    append_text(out, "pred", record->hyp);
    g_string_append(out, ",\"human\":{");
    for (guint i = 0; record->human != NULL && i < record->human->len; i++) {
        const TgHumanGroup *group = record->human->pdata[i];
        append_numbers(out, group->name, group->scores, group->n_scores);
    }
    g_string_append_c(out, '}');
    if (record->stored != NULL) {
        tg_json_append_key(out, "stored");
        tg_json_append(out, record->stored);
    }
    g_string_append(out, ",\"scores\":{");
    for (guint i = 0; i < layout->n_columns; i++) {
        if (i > 0)
            g_string_append_c(out, ',');
        g_string_append(out, layout->keys[i]);
        tg_json_append_number(out, scores->columns[i]);
    }
    g_string_append(out, "},\"stats\":{");
    for (guint m = 0; m < n_metrics; m++)
        if (scores->has_stats[m] > 0)
            append_numbers(out, LABEL(m), scores->stats + layout->first_stat[m],
                           layout->first_stat[m + 1] - layout->first_stat[m]);
    g_string_append(out, "},\"status\":{");
    for (guint m = 0; m < n_metrics; m++) {
        append_text(out, LABEL(m), scores->status[m] != NULL ? scores->status[m] : "ok");
        has_notes |= scores->note[m] != NULL;
        has_details |= scores->detail[m] != NULL;
    }
    g_string_append_c(out, '}');
    if (has_notes)
        g_string_append(out, ",\"notes\":{");
    for (guint m = 0; m < n_metrics; m++)
        if (scores->note[m] != NULL)
            append_text(out, LABEL(m), scores->note[m]);
    g_string_append(out, has_notes ? "}" : "");
    if (has_details)
        g_string_append(out, ",\"detail\":{");
    for (guint m = 0; m < n_metrics; m++)
        if (scores->detail[m] != NULL) {
            json_auto_t *detail = tg_json_variant(scores->detail[m]);
            tg_json_append_key(out, LABEL(m));
            tg_json_append(out, detail);
        }
    g_string_append(out, has_details ? "}}\n" : "}\n");
#undef LABEL
}

char *tg_results_footer(guint64 n_rows, const TgSourceInput *inputs, guint n_inputs)
{
    json_t *list = json_array(), *changed = json_array();

    for (guint i = 0; i < n_inputs; i++) {
        g_autofree char *damage = tg_damage_text(&inputs[i].damage, inputs[i].name);

        if (damage != NULL)
            json_array_append_new(changed, tg_json_text(damage));
        json_t *input =
            json_pack("{s:o, s:o, s:o}", "file", tg_json_text(inputs[i].name), "format",
                      tg_json_text(inputs[i].format), "sha256", tg_json_text(inputs[i].sha256));
        if (inputs[i].roles != NULL) /* which fields were which */
            json_object_set_new(input, "fields", tg_json_text(inputs[i].roles));
        json_array_append_new(list, input);
    }
    if (json_array_size(changed) == 0)
        g_clear_pointer(&changed, json_decref);
    return tg_json_take(json_pack("{s:b, s:I, s:o, s:o*}", "end", 1, "rows", (json_int_t) n_rows,
                                  "inputs", list, "changed", changed),
                        "");
}

/* ---- headers ---- */

TgRunHeader *tg_run_header_ref(TgRunHeader *header)
{
    return g_rc_box_acquire(header);
}

static void clear_header(gpointer data)
{
    TgRunHeader *header = data;

    g_free(header->path);
    json_decref(header->json);
    tg_score_layout_unref(header->layout);
}

void tg_run_header_unref(TgRunHeader *header)
{
    g_rc_box_release_full(header, clear_header);
}

const char *tg_run_header_mean(const TgRunHeader *header)
{
    return json_string_value(json_object_get(header->json, "mean"));
}

/* The value of an option of a header; a number in digits. (transfer full) */
static char *option_text(const json_t *value)
{
    if (json_is_number(value))
        return g_strdup_printf("%.10g", json_number_value(value));
    return g_strdup(json_is_string(value) ? json_string_value(value)
                    : json_is_true(value) ? "yes"
                                          : "none");
}

gboolean tg_run_header_check_options(const TgRunHeader *first, const TgRunHeader *other,
                                     GError **error)
{
    json_t *ours = json_object_get(first->json, "options");
    json_t *theirs = json_object_get(other->json, "options");
    json_auto_t *both = json_object();
    const char *name;
    json_t *value;

    json_object_update(both, ours);
    json_object_update_missing(both, theirs);
    json_object_foreach(both, name, value)
    {
        const json_t *a = json_object_get(ours, name), *b = json_object_get(theirs, name);

        /* An option that a header lacks was not set; fonts are there where a metric draws. */
        if (strcmp(name, "fonts") == 0 && (a == NULL || b == NULL))
            continue;
        g_autofree char *our_text = option_text(a), *their_text = option_text(b);
        if (strcmp(our_text, their_text) != 0)
            return tg_fail_input(error,
                                 "%s: was scored with %s '%s', %s with '%s'; score both in the "
                                 "same way, or use --force",
                                 other->path, name, their_text, first->path, our_text);
    }
    return TRUE;
}

/* Whether scores of two files may stand side by side; @force: only that they have the same columns
 * and statistics. */
static gboolean check_same(const TgRunHeader *first, const TgRunHeader *other, gboolean force,
                           GError **error)
{
    const GPtrArray *a = first->layout->metrics, *b = other->layout->metrics;
    gboolean has_same_shape = a->len == b->len;

    for (guint m = 0; m < a->len && has_same_shape; m++) {
        const TgMetric *x = a->pdata[m], *y = b->pdata[m];

        has_same_shape = tg_metric_info(x) == tg_metric_info(y) && x->n_stats == y->n_stats;
    }
    if (!has_same_shape)
        return tg_fail_input(error,
                             "%s: was scored by other metrics than %s; score both with the same "
                             "--metrics",
                             other->path, first->path);
    for (guint m = 0; m < a->len && !force; m++) {
        const char *ours = tg_metric_signature(a->pdata[m]);
        const char *theirs = tg_metric_signature(b->pdata[m]);

        if (strcmp(ours, theirs) != 0)
            return tg_fail_input(error,
                                 "%s: was scored by other metrics, options or versions than %s: %s "
                                 "is not %s; score both in the same way, or use --force",
                                 other->path, first->path, theirs, ours);
    }
    return force || tg_run_header_check_options(first, other, error);
}

/* ---- reading ---- */

G_GNUC_PRINTF(3, 4)
static gboolean line_fault(const TgResultsReader *self, GError **error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": %s", self->header->path,
                         self->stream->line, what);
}

/* A run that is continued goes on with the checksum of the latest line, which must be its own. */
static gboolean check_continued(const TgResultsReader *self, GError **error)
{
    return !self->is_continued || self->damage.first == 0 ||
           line_fault(
               self, error,
               "the checksum differs, or rows are missing: the file was changed after the run; "
               "score "
               "it again with --force");
}

/* The next whole line as JSON, with which @out is replaced. Half a line is the end of a file that
 * is continued, because the part that a crash leaves may end in zeros. */
static TgNext next_json(TgResultsReader *self, json_t **out, GError **error)
{
    json_error_t trouble;
    char *line;
    gsize n;

    json_decref(*out);
    *out = NULL;
    switch (tg_stream_read_line(self->stream, &line, &n, error)) {
    case TG_LINE_READ:
        if (!self->stream->line_has_end) {
            if (self->is_continued)
                return TG_NEXT_END;
            return line_fault(self, error, "half a line: finish the run with eval --resume");
        }
        self->offset = self->stream->offset;
        tg_seal_check(&self->seal, line, &n);
        *out = json_loadb(line, n, 0, &trouble);
        if (*out == NULL)
            return line_fault(self, error, "%s", trouble.text);
        if (json_is_object(*out))
            return TG_NEXT_ROW;
        g_clear_pointer(out, json_decref);
        return line_fault(self, error, "not an object");
    case TG_LINE_TOO_LONG:
        return line_fault(self, error, "too long for a line of results");
    case TG_LINE_END:
        return TG_NEXT_END;
    default:
        return TG_NEXT_ERROR;
    }
}

/* Make metric number @i of the header, and check that it is the one that scored. */
static TgMetric *remake_metric(const TgResultsReader *self, const json_t *entry, GError **error)
{
    const char *spec = json_string_value(json_object_get(entry, "spec"));
    const char *signature = json_string_value(json_object_get(entry, "signature"));
    const char *label = json_string_value(json_object_get(entry, "label"));
    GError *cause = NULL;

    if (spec == NULL || signature == NULL || label == NULL) {
        line_fault(self, error, "a metric without spec, label or signature");
        return NULL;
    }
    g_autoptr(TgMetric) metric = tg_metric_new_as(spec, label, &cause);
    if (metric == NULL) {
        line_fault(self, error, "%s", cause->message);
        g_error_free(cause);
        return NULL;
    }
    if (strcmp(signature, tg_metric_signature(metric)) != 0)
        return tg_null_input(error,
                             "%s: scored with %s, this program has %s; score again to compare",
                             self->header->path, signature, tg_metric_signature(metric));
    return g_steal_pointer(&metric);
}

static gboolean read_header(TgResultsReader *self, GError **error)
{
    TgRunHeader *header = self->header;

    next_json(self, &header->json, NULL);
    const json_int_t version =
        json_integer_value(json_object_get(header->json, "texgauge_results"));
    if (version != FORMAT_VERSION)
        return tg_fail_input(
            error, "%s: %s", header->path,
            json_object_get(header->json, "scores") != NULL
                ? "its first line, which says how the pairs were scored, is missing: "
                  "keep it when you filter results, as select -o does"
            : g_file_test(header->path, G_FILE_TEST_IS_REGULAR) &&
                    tg_results_recognize(header->path)
                ? "the first line is damaged, or of another version of texgauge"
                : "not a results file of texgauge");
    tg_damage_add_line(&self->damage, self->seal.fits, self->stream->line);
    const json_t *shard = json_object_get(header->json, "shard");
    const json_int_t index = json_integer_value(json_object_get(shard, "index"));
    const json_int_t of = json_integer_value(json_object_get(shard, "of"));
    if (of < 1 || of > MAX_SHARDS || index < 1 || index > of)
        return line_fault(
            self, error, "the header names shard %" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT,
            index, of);
    header->shard = (guint64) index;
    header->n_shards = (guint64) of;
    self->damage.expected_row = header->shard;
    self->damage.step = header->n_shards;

    g_autoptr(GPtrArray) metrics = g_ptr_array_new_with_free_func((GDestroyNotify) tg_metric_free);
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(header->json, "metrics"), i, entry)
    {
        TgMetric *metric = remake_metric(self, entry, error);
        if (metric == NULL)
            return FALSE;
        g_ptr_array_add(metrics, metric);
    }
    header->layout = tg_score_layout_new(g_steal_pointer(&metrics));
    self->row.layout = header->layout;
    tg_scores_init(&self->row.scores, header->layout);
    return TRUE;
}

static TgResultsReader *reader_new(const char *path, GError **error)
{
    TgStream *stream = tg_stream_open(path, MAX_LINE, error);

    if (stream == NULL)
        return NULL;
    TgResultsReader *self = g_new0(TgResultsReader, 1);
    self->header = g_rc_box_new0(TgRunHeader);
    self->header->path = g_strdup(path);
    self->stream = stream;
    g_clear_pointer(&stream->checksum, g_checksum_free);
    return self;
}

TgResultsReader *tg_results_open(const char *path, GError **error)
{
    g_autoptr(TgResultsReader) self = reader_new(path, error);

    if (self == NULL)
        return NULL;
    return read_header(self, error) ? g_steal_pointer(&self) : NULL;
}

gboolean tg_results_recognize(const char *path)
{
    g_autoptr(TgStream) stream = tg_stream_open(path, MAX_LINE, NULL);
    char *line;
    gsize n;

    return stream != NULL && tg_stream_read_line(stream, &line, &n, NULL) == TG_LINE_READ &&
           tg_seal_is_results(line);
}

gboolean tg_results_recognize_all(const char *const *inputs)
{
    g_auto(TgInputNames) names = { 0 };
    gboolean all = *inputs != NULL && tg_input_names_init(&names, inputs, NULL, NULL);

    for (guint i = 0; all && i < names.n; i++)
        all = g_file_test(names.at[i].path, G_FILE_TEST_IS_REGULAR) &&
              tg_results_recognize(names.at[i].path);
    return all;
}

void tg_results_close(TgResultsReader *reader)
{
    if (reader == NULL)
        return;
    tg_stream_free(reader->stream);
    if (reader->row.layout != NULL)
        tg_scores_clear(&reader->row.scores, reader->row.layout);
    json_decref(reader->footer);
    json_decref(reader->row.json);
    tg_run_header_unref(reader->header);
    g_free(reader);
}

/* Whether select wrote the file: rows may have any order, and lack others. */
static gboolean is_selected(const TgResultsReader *self)
{
    return json_is_true(json_object_get(self->header->json, "selected"));
}

char *tg_results_remark(const TgResultsReader *reader)
{
    const json_t *changed = json_object_get(reader->footer, "changed");
    char *own = tg_damage_text(&reader->damage, reader->header->path);
    GString *out = g_string_new(own);

    g_free(own);
    if (is_selected(reader))
        g_string_append_printf(out, "%s%s", out->len > 0 ? "; " : reader->header->path,
                               out->len > 0 ? "pairs that select chose"
                                            : ": pairs that select chose");
    for (gsize i = 0; i < json_array_size(changed); i++) {
        const char *text = json_string_value(json_array_get(changed, i));

        if (text != NULL)
            g_string_append_printf(out, "%s%s%s", out->len > 0 ? "; " : reader->header->path,
                                   out->len > 0 ? "made from " : ": made from ", text);
    }
    return g_string_free(out, out->len == 0);
}

/* Columns that older files have under another name. */
static const struct {
    const char *metric, *was, *is;
} RENAMED[] = {
    { "forte", "errors", "price" },
};

/* The value of column @c, which the row gets under its name of today; NULL: it has none. */
static const json_t *renamed_score(const TgScoreLayout *layout, guint c, json_t *scores)
{
    guint m = 0;

    while (c >= layout->first_column[m + 1])
        m++;
    const TgMetric *metric = layout->metrics->pdata[m];
    for (guint i = 0; i < G_N_ELEMENTS(RENAMED); i++) {
        g_autofree char *was = g_strconcat(tg_metric_label(metric), ".", RENAMED[i].was, NULL);
        json_t *value = json_object_get(scores, was);

        if (value != NULL && strcmp(tg_metric_info(metric)->name, RENAMED[i].metric) == 0 &&
            strcmp(layout->columns[c]->name, RENAMED[i].is) == 0) {
            json_object_set(scores, layout->names[c], value);
            json_object_del(scores, was);
            return json_object_get(scores, layout->names[c]);
        }
    }
    return NULL;
}

static gboolean take_scores(TgResultsReader *self, GError **error)
{
    const TgScoreLayout *layout = self->row.layout;
    TgScores *out = &self->row.scores;
    json_t *scores = json_object_get(self->row.json, "scores");

    tg_scores_reset(out, layout);
    for (guint i = 0; i < layout->n_columns; i++) {
        const TgColumn *column = layout->columns[i];
        const char *name = layout->names[i];
        const json_t *value = json_object_get(scores, name);

        if (value == NULL)
            value = renamed_score(layout, i, scores);
        const double number = json_number_value(value);
        if (value == NULL)
            return line_fault(self, error, "a score is missing: '%s'", name);
        if (json_is_null(value))
            continue;
        if (!json_is_number(value))
            return line_fault(self, error, "the score '%s' is not a number", name);
        if (number < column->min || number > column->max)
            return line_fault(self, error, "the score '%s' is %.10g, outside [%g, %g]", name,
                              number, column->min, column->max);
        out->columns[i] = number;
    }
    for (guint m = 0; m < layout->metrics->len; m++) {
        const char *label = tg_metric_label(layout->metrics->pdata[m]);
        const guint first = layout->first_stat[m], n = layout->first_stat[m + 1] - first;
        const json_t *list = json_object_get(json_object_get(self->row.json, "stats"), label);
        const char *status =
            json_string_value(json_object_get(json_object_get(self->row.json, "status"), label));

        if (status == NULL)
            return line_fault(self, error, "the status of '%s' is missing", label);
        if (strcmp(status, "ok") != 0)
            tg_scores_set_status(out, m, status);
        if (list == NULL && n > 0 && out->status[m] == NULL)
            return line_fault(self, error, "statistics are missing");
        if (list != NULL && json_array_size(list) != n)
            return line_fault(self, error, "wrong number of statistics");
        for (guint i = 0; list != NULL && i < n; i++) {
            const json_t *value = json_array_get(list, i);

            if (!json_is_number(value))
                return line_fault(self, error, "a statistic is not a number");
            out->stats[first + i] = json_number_value(value);
        }
        out->has_stats[m] = list != NULL;
    }
    return TRUE;
}

/* Rows come in the order of the input, none twice; those that were left out are counted. */
static gboolean take_row_number(TgResultsReader *self, GError **error)
{
    const json_t *number = json_object_get(self->row.json, "row");
    const guint64 expected = self->damage.expected_row;
    const gboolean selected = is_selected(self);

    if (json_object_get(self->row.json, "texgauge_results") != NULL)
        return line_fault(self, error,
                          "another results file begins here; name the files one by one instead of "
                          "joining them");
    if (!json_is_integer(number) || json_integer_value(number) < 1)
        return line_fault(self, error, "no row number");
    self->row.row = (guint64) json_integer_value(number);
    if (!selected &&
        (self->row.row < expected || (self->row.row - expected) % self->header->n_shards != 0))
        return line_fault(self, error, "row %" G_GUINT64_FORMAT " comes twice, or out of order",
                          self->row.row);
    tg_damage_add_row(&self->damage, selected ? expected : self->row.row, self->seal.fits,
                      self->stream->line);
    return check_continued(self, error);
}

/* After the last row: a footer that counts them, and nothing after it. */
static TgNext check_end(TgResultsReader *self, GError **error)
{
    json_auto_t *more = NULL;

    self->is_at_end = TRUE;
    if (self->footer == NULL) {
        tg_damage_add_no_end(&self->damage, self->stream->line);
        return TG_NEXT_END;
    }
    const json_int_t n_whole = json_integer_value(json_object_get(self->footer, "rows"));
    if (n_whole < 0 || (guint64) n_whole < self->damage.n_rows + self->damage.n_missing)
        return line_fault(self, error, "has more rows than its last line counts");
    tg_damage_add_end(&self->damage, (guint64) n_whole, self->seal.fits, self->stream->line);
    if (!check_continued(self, error))
        return TG_NEXT_ERROR;
    if (next_json(self, &more, NULL) == TG_NEXT_END)
        return TG_NEXT_END;
    return line_fault(self, error, "continues after its last line");
}

TgNext tg_results_next(TgResultsReader *reader, const TgResultsRow **out, GError **error)
{
    TgResultsRow *row = &reader->row;

    *out = NULL;
    if (reader->is_at_end)
        return TG_NEXT_END;
    if (next_json(reader, &row->json, error) == TG_NEXT_ERROR)
        return TG_NEXT_ERROR;
    if (json_is_true(json_object_get(row->json, "end")))
        reader->footer = g_steal_pointer(&row->json);
    if (row->json == NULL)
        return check_end(reader, error);
    row->id = json_string_value(json_object_get(row->json, "id"));
    row->model = json_string_value(json_object_get(row->json, "model"));
    row->subset = json_string_value(json_object_get(row->json, "subset"));
    if (!take_row_number(reader, error) || !take_scores(reader, error))
        return TG_NEXT_ERROR;
    *out = row;
    return TG_NEXT_ROW;
}

/* ---- several files ---- */

enum { MAX_OPEN = 500 }; /* shards that are read side by side */

/* One file, or the shards of a run. */
typedef struct {
    char *identity;     /* header without the shard's number; NULL: it cannot be read */
    GArray *files;      /* guint */
    GHashTable *shards; /* gint: their numbers */
    gint n_shards;      /* of the whole run */
    guint first;        /* file */
    char *name;         /* that its path tells */
    GHashTable *models; /* what its rows say; "" for nothing */
} Run;

/* A file that is being read beside the other shards of its run. */
typedef struct {
    guint file;
    TgResultsReader *reader;
    const TgResultsRow *row; /* the next one; NULL: none left */
} Shard;

static void run_free(gpointer data)
{
    Run *run = data;

    g_free(run->identity);
    g_array_unref(run->files);
    g_hash_table_unref(run->shards);
    g_free(run->name);
    g_hash_table_unref(run->models);
    g_free(run);
}

static void close_shard(gpointer data)
{
    tg_results_close(((Shard *) data)->reader);
}

void tg_results_set_free(TgResultsSet *set)
{
    if (set == NULL)
        return;
    tg_input_names_clear(&set->inputs);
    g_free(set->run_of);
    g_ptr_array_unref(set->runs);
    g_clear_pointer(&set->ids, g_hash_table_unref);
    g_hash_table_unref(set->shared);
    if (set->header != NULL)
        tg_run_header_unref(set->header);
    g_free(set->mean);
    json_decref(set->data);
    g_ptr_array_unref(set->remarks);
    g_array_unref(set->open);
    g_free(set);
}

/* The text that all shards of a run share: the header without the shard's number. */
static char *identity_of(const TgResultsSet *set, const char *path, gint *number, gint *of)
{
    GStatBuf info;
    /* a pipe can be read only once */
    const gboolean is_file = g_stat(path, &info) == 0 && S_ISREG(info.st_mode);
    g_autoptr(TgResultsReader) reader = is_file ? reader_new(path, NULL) : NULL;
    json_t *header = NULL;

    if (reader != NULL)
        next_json(reader, &header, NULL);
    json_t *shard = json_object_get(header, "shard");
    *number = (gint) json_integer_value(json_object_get(shard, "index"));
    *of = (gint) json_integer_value(json_object_get(shard, "of"));
    if (header == NULL)
        return NULL;
    json_object_set_new(shard, "index", json_integer(0));
    if (set->likeness == TG_RESULTS_ONE_RUN && set->force) {
        json_object_del(header, "options");
        json_object_del(header, "metrics");
    }
    return tg_json_take(header, "");
}

/* The run that a file belongs to: a new one, or that of the shards before it. */
static guint run_of_file(TgResultsSet *set, guint file)
{
    gint number, of;
    g_autofree char *identity = identity_of(set, set->inputs.at[file].path, &number, &of);
    guint i = of > 1 ? 0 : set->runs->len;
    Run *run = NULL;

    for (; i < set->runs->len; i++) {
        run = set->runs->pdata[i];
        if (g_strcmp0(run->identity, identity) == 0 &&
            !g_hash_table_contains(run->shards, GINT_TO_POINTER(number)))
            break;
    }
    if (i == set->runs->len) {
        run = g_new0(Run, 1);
        run->identity = g_steal_pointer(&identity);
        run->files = g_array_new(FALSE, FALSE, sizeof(guint));
        run->shards = g_hash_table_new(NULL, NULL);
        run->n_shards = of;
        run->first = file;
        run->models = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        g_ptr_array_add(set->runs, run);
    }
    g_array_append_val(run->files, file);
    g_hash_table_add(run->shards, GINT_TO_POINTER(number));
    return i;
}

static gboolean check_shards(const TgResultsSet *set, GError **error)
{
    for (guint i = 0; i < set->runs->len; i++) {
        const Run *run = set->runs->pdata[i];
        g_autoptr(GString) missing = g_string_new(NULL);

        if (run->n_shards < 2 || run->n_shards > MAX_SHARDS)
            continue; /* no header that can be read */
        for (gint k = 1; k <= run->n_shards; k++) {
            if (g_hash_table_contains(run->shards, GINT_TO_POINTER(k)))
                continue;
            if (set->likeness == TG_RESULTS_ALIKE)
                return tg_fail_input(error,
                                     "%s is one of %d shards, and shard %d is missing; name all "
                                     "shards, or use --force",
                                     set->inputs.at[run->first].path, run->n_shards, k);
            g_string_append_printf(missing, "%s%d/%d", missing->len > 0 ? ", " : "", k,
                                   run->n_shards);
        }
        if (missing->len > 0 && set->runs->len == 1)
            return tg_fail_input(error, "%s: missing shard %s", set->inputs.at[run->first].path,
                                 missing->str);
    }
    return TRUE;
}

TgResultsSet *tg_results_set_new(const char *const *texts, TgResultsLikeness likeness,
                                 gboolean force, GError **error)
{
    g_autoptr(TgResultsSet) set = g_new0(TgResultsSet, 1);

    set->likeness = likeness;
    set->force = force;
    set->remarks = g_ptr_array_new_with_free_func(g_free);
    set->runs = g_ptr_array_new_with_free_func(run_free);
    set->shared = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    set->data = json_array();
    set->open = g_array_new(FALSE, FALSE, sizeof(Shard));
    g_array_set_clear_func(set->open, close_shard);
    if (!tg_input_names_init(&set->inputs, texts, NULL, error))
        return NULL;
    if (set->inputs.n == 0)
        return tg_null_usage(error, "no results file given");
    set->run_of = g_new0(guint, set->inputs.n);
    for (guint i = 0; i < set->inputs.n; i++)
        set->run_of[i] = run_of_file(set, i);
    /* Runs are told apart by the paths of their first files. */
    g_autoptr(GPtrArray) paths = g_ptr_array_new();

    for (guint i = 0; i < set->runs->len; i++)
        g_ptr_array_add(paths, set->inputs.at[((const Run *) set->runs->pdata[i])->first].path);
    g_ptr_array_add(paths, NULL);
    g_auto(GStrv) parts = tg_input_parts((const char *const *) paths->pdata);
    for (guint i = 0; i < set->runs->len; i++) {
        Run *run = set->runs->pdata[i];

        run->name = g_strdup(parts != NULL && set->runs->len < set->inputs.n
                                 ? parts[i]
                                 : set->inputs.at[run->first].model);
    }
    if (set->runs->len > 1)
        set->ids = tg_id_set_new();
    tg_results_set_rewind(set);
    if ((likeness == TG_RESULTS_ONE_RUN || (likeness == TG_RESULTS_ALIKE && !force)) &&
        !check_shards(set, error))
        return NULL;
    return g_steal_pointer(&set);
}

void tg_results_set_rewind(TgResultsSet *set)
{
    set->next_run = set->next_file = 0;
    g_array_set_size(set->open, 0);
}

/* Note the model and the id of a row. */
static gboolean note_row_model(TgResultsSet *set, guint file, const TgResultsRow *row,
                               GError **error)
{
    const guint run_number = set->run_of[file];
    const Run *run = set->runs->pdata[run_number];
    const gboolean named = set->inputs.at[file].named;
    const char *model = named ? set->inputs.at[file].model : row->model;
    const char *own = row->model != NULL ? row->model : "";
    g_autofree char *number = NULL;
    TgPlace first;

    if (!g_hash_table_contains(run->models, own)) {
        g_hash_table_add(run->models, g_strdup(own));
        if (named && g_hash_table_size(run->models) > 1) { /* one name for several models */
            g_autoptr(GList) found =
                g_list_sort(g_hash_table_get_keys(run->models), (GCompareFunc) strcmp);

            return tg_fail_input(error, TG_INPUT_SEVERAL_MODELS, model, set->inputs.at[file].path,
                                 (const char *) found->data, (const char *) found->next->data);
        }
    }
    if (set->ids == NULL || model == NULL)
        return TRUE; /* without a model, the run's name is that of no other */
    if (row->id == NULL)
        number = g_strdup_printf("\n%" G_GUINT64_FORMAT, row->row); /* no id has such a line */
    if (tg_id_set_add(set->ids, model, row->subset, row->id != NULL ? row->id : number,
                      (TgPlace){ file, row->row }, &first) ||
        set->run_of[first.file] == run_number)
        return TRUE;
    if (named && set->inputs.at[first.file].named)
        return tg_fail_input(error,
                             "%s '%s' of model '%s' is in %s and in %s; give them different names",
                             row->id != NULL ? "id" : "row", row->id != NULL ? row->id : number + 1,
                             model, set->inputs.at[first.file].path, set->inputs.at[file].path);
    if (!g_hash_table_contains(set->shared, model))
        g_hash_table_add(set->shared, g_strdup(model));
    return TRUE;
}

/* Note the data files that the last line of a file names. */
static gboolean take_inputs(TgResultsSet *set, const Shard *shard, GError **error)
{
    json_t *inputs = json_object_get(shard->reader->footer, "inputs"), *input, *known;
    const gboolean is_first = json_array_size(set->data) == 0;
    char *remark = set->was_read ? NULL : tg_results_remark(shard->reader);
    size_t i, k;

    if (remark != NULL)
        g_ptr_array_add(set->remarks, remark);

    json_array_foreach(inputs, i, input)
    {
        gboolean is_known = FALSE;

        json_array_foreach(set->data, k, known) is_known = is_known || json_equal(known, input);
        if (!is_known && !is_first && set->likeness == TG_RESULTS_ONE_RUN)
            return tg_fail_input(error, "%s: was made from inputs with other contents",
                                 set->inputs.at[shard->file].path);
        if (!is_known)
            json_array_append(set->data, input);
    }
    return TRUE;
}

/* Step to the next row of a file. */
static gboolean step_shard(TgResultsSet *set, Shard *shard, GError **error)
{
    if (tg_results_next(shard->reader, &shard->row, error) == TG_NEXT_ERROR)
        return FALSE;
    if (shard->row == NULL)
        return take_inputs(set, shard, error);
    return set->was_read || note_row_model(set, shard->file, shard->row, error);
}

/* Whether a file is as the first one. */
static gboolean check_alike(TgResultsSet *set, const Shard *shard, GError **error)
{
    const Run *run = set->runs->pdata[set->run_of[shard->file]], *first = set->runs->pdata[0];
    TgRunHeader *header = shard->reader->header;

    if (set->header == NULL) {
        set->header = tg_run_header_ref(header);
        set->mean = g_strdup(tg_run_header_mean(header));
    } else if (g_strcmp0(set->mean, tg_run_header_mean(header)) != 0) {
        /* Averages over pages and over pairs do not stand side by side unless the user says which.
         */
        g_clear_pointer(&set->mean, g_free);
        if (!set->was_read)
            g_ptr_array_add(
                set->remarks,
                g_strdup_printf("%s and %s were not averaged over the same (pages, pairs): "
                                "values are over pairs unless --mean says otherwise",
                                set->header->path, header->path));
    }
    if (set->likeness != TG_RESULTS_ANY && !check_same(set->header, header, set->force, error))
        return FALSE;
    if (run == first || set->likeness != TG_RESULTS_ONE_RUN)
        return TRUE;
    return tg_fail_input(error, "%s: %s", header->path,
                         g_strcmp0(run->identity, first->identity) == 0
                             ? "this shard was already given"
                             : "belongs to another run: metrics, options or inputs differ");
}

/* Open the files of the next run, or of many shards the next. */
static gboolean open_run(TgResultsSet *set, GError **error)
{
    const Run *run = set->runs->pdata[set->next_run];
    const guint n = run->files->len > MAX_OPEN ? 1 : run->files->len;

    set->last = G_MAXUINT;
    set->expected_row = 1;
    while (set->open->len < n) {
        Shard shard = { .file = g_array_index(run->files, guint, set->next_file++) };

        shard.reader = tg_results_open(set->inputs.at[shard.file].path, error);
        if (shard.reader == NULL)
            return FALSE;
        g_array_append_val(set->open, shard);
        if (!check_alike(set, &shard, error) ||
            !step_shard(set, &g_array_index(set->open, Shard, set->open->len - 1), error))
            return FALSE;
    }
    if (set->next_file == run->files->len) {
        set->next_run++;
        set->next_file = 0;
    }
    return TRUE;
}

/* The open file with the lowest row; NULL: all are at their end. Shards take turns. */
static const Shard *lowest_open(TgResultsSet *set)
{
    const guint latest = set->last;
    const Shard *lowest = NULL;

    for (guint k = 1; k <= set->open->len; k++) {
        const guint i = (latest + k) % set->open->len;
        const Shard *shard = &g_array_index(set->open, Shard, i);

        if (shard->row == NULL || (lowest != NULL && shard->row->row >= lowest->row->row))
            continue;
        lowest = shard;
        set->last = i;
        if (shard->row->row == set->expected_row)
            break;
    }
    return lowest;
}

TgNext tg_results_set_next(TgResultsSet *set, const TgResultsRow **row, guint *file, GError **error)
{
    *row = NULL;
    if (set->open->len > 0 && set->last != G_MAXUINT &&
        !step_shard(set, &g_array_index(set->open, Shard, set->last), error))
        return TG_NEXT_ERROR;
    for (;;) {
        const Shard *shard = set->open->len > 0 ? lowest_open(set) : NULL;

        if (shard != NULL) {
            *row = shard->row;
            set->expected_row = shard->row->row + 1;
            if (file != NULL)
                *file = shard->file;
            return TG_NEXT_ROW;
        }
        g_array_set_size(set->open, 0);
        if (set->next_run == set->runs->len)
            break;
        if (!open_run(set, error))
            return TG_NEXT_ERROR;
    }
    set->was_read = TRUE;
    return TG_NEXT_END;
}

gboolean tg_results_set_needs_rows(const TgResultsSet *set)
{
    for (guint i = 0; i < set->inputs.n; i++)
        if (set->inputs.at[i].named)
            return TRUE;
    return set->ids != NULL;
}

/* The name of a run that is no model's of another: its path at last. */
static const char *own_name(const TgResultsSet *set, const Run *run)
{
    for (guint i = 0; i < set->inputs.n; i++)
        if (set->inputs.at[i].named && strcmp(set->inputs.at[i].model, run->name) == 0)
            return set->inputs.at[run->first].path;
    for (guint i = 0; i < set->runs->len; i++) {
        const Run *other = set->runs->pdata[i];

        if (other != run && g_hash_table_contains(other->models, run->name))
            return set->inputs.at[run->first].path;
    }
    return run->name;
}

char *tg_results_set_model(const TgResultsSet *set, guint file, const char *model)
{
    const Run *run = set->runs->pdata[set->run_of[file]];

    if (set->inputs.at[file].named)
        return g_strdup(set->inputs.at[file].model);
    if (set->runs->len == 1 || (model != NULL && !g_hash_table_contains(set->shared, model)))
        return g_strdup(model);
    if (model == NULL || g_hash_table_size(run->models) < 2)
        return g_strdup(own_name(set, run));
    return g_strconcat(own_name(set, run), "/", model, NULL);
}
