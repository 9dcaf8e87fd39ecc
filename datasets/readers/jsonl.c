/* JSONL: a JSON object, or a formula as JSON text, on each line; blank lines are no rows. */
#include "datasets/readers/builtin.h"
#include "datasets/readers/json_row.h"

#include <string.h>

static gboolean jsonl_sniff(const TgSniff *sniff)
{
    json_error_t error;
    const char *rest;

    if (strcmp(sniff->suffix, "jsonl") == 0 || strcmp(sniff->suffix, "ndjson") == 0)
        return TRUE;
    if (sniff->line[0] != '{')
        return FALSE;
    json_auto_t *value = tg_json_parse(sniff->line, strlen(sniff->line), NULL, &error);
    if (!json_is_object(value) || json_object_size(value) == 0)
        return FALSE;
    if (strcmp(sniff->suffix, "json") != 0)
        return TRUE;
    /* a document on one line, or does another row follow? */
    rest = g_strstr_len(sniff->text, (gssize) sniff->len, "\n");
    for (; rest != NULL && rest < sniff->text + sniff->len; rest++)
        if (!g_ascii_isspace(*rest))
            return TRUE;
    return FALSE;
}

/* What jansson cannot read, with NaN replaced; or NULL. */
static json_t *parse_again(TgReader *self, const char *line, gsize n, TgRecord *out,
                           json_error_t *error)
{
    g_autofree char *what = tg_reader_check_text(self, line, n);

    if (what != NULL) {
        tg_record_set_fault(out, "%s", what);
        return NULL;
    }
    GString *text = tg_json_replace_nan(line, n);
    if (text == NULL)
        return NULL;
    json_t *value = tg_json_parse(text->str, text->len, NULL, error);
    g_string_free(text, TRUE);
    return value;
}

/* The first and the last line of this program's own results are no rows. */
static gboolean is_frame_of_results(const json_t *value)
{
    return json_object_get(value, "texgauge_results") != NULL ||
           (json_is_true(json_object_get(value, "end")) &&
            json_object_get(value, "inputs") != NULL);
}

static gboolean jsonl_next(TgReader *self, TgRecord *out, GError **error)
{
    TgReadStatus status;
    json_error_t problem;
    char *line;
    gsize n;

    do {
        status = tg_reader_read_raw(self, out, &line, &n, error);
    } while (status == TG_READ_LINE && strspn(line, " \t\r") == n);
    if (status != TG_READ_LINE)
        return status == TG_READ_FAULT;

    json_auto_t *value = tg_json_parse(line, n, NULL, &problem);
    if (is_frame_of_results(value))
        return jsonl_next(self, out, error);
    if (value == NULL)
        value = parse_again(self, line, n, out, &problem);
    if (value == NULL)
        tg_record_set_fault(out, "column %d: not valid JSON: %s", problem.column, problem.text);
    else
        tg_json_fill(self, value, out);
    return TRUE;
}

const TgReaderClass tg_reader_jsonl = {
    .name = "jsonl",
    .summary = "a JSON object on each line",
    .sniff = jsonl_sniff,
    .size = sizeof(TgReader),
    .next = jsonl_next,
};
