/*
 * JSON lines, and JSON documents: a list of rows (CDM, Uni-MuMER, OmniDocBench, pdf-parse-bench) or
 * an object that gives each id its row, its formula or its list of references.
 *
 * jansson reads every value; of a document only the punctuation between the rows is read here. So
 * each row's line is known, and a document takes its text in memory and not a tree several times as
 * large.
 */
#include "datasets/readers/reader.h"

#include <string.h>

#include "core/fail.h"
#include "core/json.h"

/* ---- values ---- */

/* The length of the constant that stands at the front of the @n bytes, 0 if none does. */
static gsize constant_length(const char *text, gsize n)
{
    static const char *const constants[] = { "NaN", "-NaN", "Infinity", "-Infinity" };

    if (text[0] != 'N' && text[0] != 'I' && text[0] != '-')
        return 0;
    for (guint i = 0; i < G_N_ELEMENTS(constants); i++) {
        const gsize length = strlen(constants[i]);
        if (n >= length && memcmp(text, constants[i], length) == 0)
            return length;
    }
    return 0;
}

/* Where programs write NaN and infinities as values, which JSON does not know (Python does so), put
 * null instead. NULL if there is nothing to replace. */
static GString *replace_nan(const char *text, gsize n)
{
    GString *out = NULL;
    gboolean quoted = FALSE;
    gsize copied = 0; /* of @text */

    for (gsize i = 0; i < n; i++) {
        const gsize length = quoted ? 0 : constant_length(text + i, n - i);

        if (text[i] == '"')
            quoted = !quoted;
        else if (quoted && text[i] == '\\')
            i++;
        if (length == 0)
            continue;
        if (out == NULL)
            out = g_string_sized_new(n);
        g_string_append_len(out, text + copied, (gssize) (i - copied));
        g_string_append(out, "null");
        copied = i + length;
        i = copied - 1;
    }
    if (out != NULL)
        g_string_append_len(out, text + copied, (gssize) (n - copied));
    return out;
}

/* Parse @n bytes, which must hold one value; member names must not repeat. @at: NULL, or where to
 * put the number of bytes read; text after the value is then allowed. */
static json_t *parse_json(const char *text, gsize n, gsize *at, json_error_t *error)
{
    /* NUL is let in so that it costs a row and not the document; tg_row_fill() refuses it */
    const gsize flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL |
                        (at != NULL ? JSON_DISABLE_EOF_CHECK : 0);
    json_t *value = json_loadb(text, n, flags, error);

    if (value != NULL && at != NULL)
        *at = (gsize) error->position;
    return value;
}

/*
 * What is special in OmniDocBench's JSON (github opendatalab/OmniDocBench). A result is a list of
 * pairs, several of one page, which differ in the positions of their blocks. A data set is a list
 * of pages, each with its blocks; the formulas among them are rows.
 */

/* Append the whole numbers in @list, joined by '+'; FALSE if there are none. */
static gboolean append_positions(GString *id, const char *prefix, json_t *list)
{
    gboolean any = FALSE;
    json_t *item;
    gsize i;

    json_array_foreach(list, i, item)
    {
        if (!json_is_integer(item))
            continue;
        g_string_append_printf(id, "%s%" JSON_INTEGER_FORMAT, any ? "+" : prefix,
                               json_integer_value(item));
        any = TRUE;
    }
    return any;
}

/* In a pair, whose image is that of the page, add the positions to the id: "page.jpg#3", or
 * "page.jpg#pred-5" where no truth belongs to the prediction. Other objects are left alone, so
 * those of texgauge documents, whose gt_idx is no list and whose id is whole. */
static void complete_id(json_t *object, char **id)
{
    json_t *truth = json_object_get(object, "gt_idx");

    if (!json_is_array(truth) || *id == NULL)
        return;
    GString *whole = g_string_new(*id);
    if (!append_positions(whole, "#", truth))
        append_positions(whole, "#pred-", json_object_get(object, "pred_idx"));
    g_free(*id);
    *id = g_string_free(whole, FALSE);
}

/* Whether a block is a formula; tables have LaTeX too. */
static gboolean is_formula(json_t *block)
{
    const char *type = json_string_value(json_object_get(block, "category_type"));

    return type != NULL && g_str_has_prefix(type, "equation") &&
           json_object_get(block, "latex") != NULL;
}

/* "page.jpg#12" for the block number 12 of a page; NULL if one of the two is missing. */
static char *block_id(json_t *page, json_t *block)
{
    json_t *image = json_object_get(json_object_get(page, "page_info"), "image_path");
    json_t *number = json_object_get(block, "anno_id");

    if (!json_is_string(image) || !json_is_integer(number))
        return NULL;
    return g_strdup_printf("%s#%" JSON_INTEGER_FORMAT, json_string_value(image),
                           json_integer_value(number));
}

static void take_text(TgReader *reader, json_t *value, TgRecord *out)
{
    const char *text = json_string_value(value);
    const gsize n = json_string_length(value);

    if (text == NULL)
        tg_record_set_fault(out, "the list has an element that is not text");
    else if (memchr(text, '\0', n) != NULL)
        tg_record_set_fault(out, "the formula holds a NUL character");
    else
        tg_row_take_formula(reader->fields, reader->side, text, n, out);
}

/* Fill @out, whose file and line are set, from an object (by its fields), a text (the formula), a
 * list of texts (several references), or on the side of the predictions null (there is none).
 * Anything else is a fault. */
static void fill_row(TgReader *reader, json_t *value, TgRecord *out)
{
    json_t *item;
    gsize i;

    if (json_is_string(value)) {
        take_text(reader, value, out);
        return;
    }
    if (json_array_size(value) > 0 && reader->side != TG_FILE_HYPOTHESES) {
        json_array_foreach(value, i, item) take_text(reader, item, out);
        return;
    }
    if (json_is_null(value) && reader->side == TG_FILE_HYPOTHESES)
        return;
    if (!json_is_object(value)) {
        tg_record_set_fault(out, "the row is not a JSON object");
        return;
    }
    tg_field_map_collect(reader->fields, reader->side, value, reader->values);
    tg_row_fill(reader->fields, reader->side, reader->values, value, out);
    if (!reader->fields->mapped[TG_ROLE_ID])
        complete_id(value, &out->id);
}

/* ---- a row on each line ---- */

static gboolean jsonl_sniff(const TgSniff *sniff)
{
    json_error_t error;
    const char *rest;

    if (strcmp(sniff->suffix, "jsonl") == 0 || strcmp(sniff->suffix, "ndjson") == 0)
        return TRUE;
    if (sniff->line[0] != '{')
        return FALSE;
    json_auto_t *value = parse_json(sniff->line, strlen(sniff->line), NULL, &error);
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

/* This program's own results may be read as pairs. The first and the last line are no rows. */
typedef struct {
    TgReader base;
    TgSeal seal;
    gboolean is_begun, is_results, is_ended;
    guint64 rows_before; /* of the files before this one, where several were joined */
} LineReader;

static gboolean is_frame_of_results(const json_t *value)
{
    return json_object_get(value, "texgauge_results") != NULL ||
           (json_is_true(json_object_get(value, "end")) &&
            json_object_get(value, "inputs") != NULL);
}

/* Take the checksum off a line of results. One file may follow another. */
static void unseal_line(LineReader *self, char *line, gsize *n)
{
    if ((!self->is_begun || self->is_ended) && tg_seal_is_results(line)) {
        self->is_results = TRUE;
        self->is_ended = FALSE;
        self->seal = (TgSeal){ 0 };
    }
    self->is_begun = TRUE;
    if (self->is_results)
        tg_seal_check(&self->seal, line, n);
}

/* Note what a line of results shows of changes after the run; a line that cannot be read is a fault
 * of its row. Returns: FALSE with @error for a row that comes twice or out of order */
static gboolean check_line(LineReader *self, const json_t *value, GError **error)
{
    TgDamage *damage = &self->base.damage;
    const TgStream *stream = self->base.stream;
    const json_t *shard = json_object_get(value, "shard"), *row = json_object_get(value, "row");
    const gboolean fits = self->seal.fits;

    if (!self->is_results || value == NULL)
        return TRUE;
    if (json_object_get(value, "texgauge_results") != NULL) {
        damage->due = (guint64) MAX(json_integer_value(json_object_get(shard, "index")), 1);
        damage->step = (guint64) MAX(json_integer_value(json_object_get(shard, "of")), 1);
        self->rows_before = damage->n_rows + damage->n_missing;
        tg_damage_add_line(damage, fits, stream->line);
    } else if (is_frame_of_results(value)) {
        const guint64 n = (guint64) MAX(json_integer_value(json_object_get(value, "rows")), 0);

        tg_damage_add_end(damage, self->rows_before + n, fits, stream->line);
    } else if (!json_is_integer(row) || json_integer_value(row) < 1) {
        tg_damage_add_line(damage, FALSE, stream->line);
    } else {
        const guint64 number = (guint64) json_integer_value(row);

        if (number < damage->due)
            return tg_fail_input(error,
                                 "%s:%" G_GSIZE_FORMAT ": row %" G_GUINT64_FORMAT
                                 " of these results comes twice, or out of order",
                                 stream->name, stream->line, number);
        tg_damage_add_row(damage, number, fits, stream->line);
    }
    return TRUE;
}

static gboolean jsonl_next(TgReader *base, TgRecord *out, GError **error)
{
    LineReader *self = (LineReader *) base;
    json_error_t problem;
    char *line;
    gsize n;

    for (;;) {
        const TgReadStatus status = tg_reader_read_raw(base, out, &line, &n, error);

        if (status == TG_READ_END && self->is_results && !self->is_ended)
            tg_damage_add_no_end(&base->damage, base->stream->line);
        if (status != TG_READ_LINE)
            return status == TG_READ_FAULT;
        if (strspn(line, " \t\r") == n)
            continue;
        unseal_line(self, line, &n);
        json_auto_t *value = parse_json(line, n, NULL, &problem);
        if (!check_line(self, value, error))
            return FALSE;
        if (is_frame_of_results(value)) {
            self->is_ended =
                json_is_true(json_object_get(value, "end")) && base->stream->line_has_end;
            continue;
        }
        if (value == NULL && tg_reader_check_text(base, line, n, out)) {
            g_autoptr(GString) text = replace_nan(line, n);
            value = text != NULL ? parse_json(text->str, text->len, NULL, &problem) : NULL;
        }
        if (value == NULL)
            tg_record_set_fault(out, "column %d: not valid JSON: %s", problem.column, problem.text);
        else
            fill_row(base, value, out);
        return TRUE;
    }
}

const TgReaderClass tg_reader_jsonl = {
    .name = "jsonl",
    .sniff = jsonl_sniff,
    .size = sizeof(LineReader),
    .next = jsonl_next,
};

/* ---- documents ---- */

#define MAX_DOCUMENT ((gsize) 1 << 30) /* bytes */
#define LOOK_AHEAD   32                /* members */

typedef struct {
    TgReader base;
    GString *text; /* the document; NULL before the first row is asked for */
    gsize at;      /* position in it */
    gsize line, line_start;
    char close;         /* what ends the document: ']' or '}' */
    gboolean first;     /* no row was read yet */
    gboolean has_lists; /* rows are in lists that stand beside other members */

    json_t *element; /* a row, a page or a list of rows */
    json_t *rows;    /* the rows inside @element, or NULL when it is one itself */
    gsize next_row;
    json_t *key; /* of @element in an object */
    gsize element_line;
} JsonReader;

static gboolean json_sniff(const TgSniff *sniff)
{
    const char *text = sniff->text, *end = sniff->text + sniff->len;

    if (strcmp(sniff->suffix, "json") == 0)
        return TRUE;
    while (text < end && g_ascii_isspace(*text))
        text++;
    if (text == end || (*text != '[' && *text != '{'))
        return FALSE;
    const char open = *text++;
    while (text < end && (g_ascii_isspace(*text) || (open == '[' && *text == '{')))
        text++;
    return text < end && *text == '"';
}

/* Fail at @line and @column; @column counts characters. */
static gboolean fail(JsonReader *self, gsize line, gsize column, const char *message,
                     GError **error)
{
    return tg_fail_input(error,
                         "%s:%" G_GSIZE_FORMAT ": column %" G_GSIZE_FORMAT ": not valid JSON: %s",
                         self->base.stream->name, line, column, message);
}

/* Characters since the line began, for messages. */
static gsize column_here(const JsonReader *self)
{
    gsize n = 0;

    for (gsize i = self->line_start; i < self->at; i++)
        n += ((guchar) self->text->str[i] & 0xC0) != 0x80;
    return n;
}

static gboolean fail_here(JsonReader *self, const char *message, GError **error)
{
    return fail(self, self->line, column_here(self) + 1, message, error);
}

/* Move on by @n bytes, counting lines. */
static void advance(JsonReader *self, gsize n)
{
    const char *text = self->text->str, *end = text + self->at + n;
    const char *from = text + self->at, *lf;

    while ((lf = memchr(from, '\n', (gsize) (end - from))) != NULL) {
        from = lf + 1;
        self->line++;
        self->line_start = (gsize) (from - text);
    }
    self->at += n;
}

/* Move on to the next character that is no white space, and return it; NUL at the end. */
static char skip_space(JsonReader *self)
{
    advance(self, strspn(self->text->str + self->at, " \t\r\n"));
    return self->text->str[self->at];
}

/* Parse the value at the current position. */
static json_t *read_value(JsonReader *self, GError **error)
{
    json_error_t parse_error;
    gsize n;
    json_t *value =
        parse_json(self->text->str + self->at, self->text->len - self->at, &n, &parse_error);

    if (value == NULL) {
        const gsize line = self->line + (gsize) MAX(parse_error.line, 1) - 1;
        const gsize before = parse_error.line > 1 ? 0 : column_here(self);
        fail(self, line, before + (gsize) MAX(parse_error.column, 1), parse_error.text, error);
        return NULL;
    }
    advance(self, n);
    return value;
}

static gboolean start_document(JsonReader *self, GError **error)
{
    self->text = tg_stream_read_rest(self->base.stream, MAX_DOCUMENT, error);
    if (self->text == NULL)
        return FALSE;
    GString *text = replace_nan(self->text->str, self->text->len);
    if (text != NULL) {
        g_string_free(self->text, TRUE);
        self->text = text;
    }
    self->line = 1;
    self->first = TRUE;
    const char open = skip_space(self);
    if (open != '[' && open != '{')
        return fail_here(self, "expected a list or an object", error);
    self->close = open == '[' ? ']' : '}';
    advance(self, 1);
    return TRUE;
}

/* Read the next element of the document, and its key; FALSE at the end. */
static gboolean read_element(JsonReader *self, GError **error)
{
    char c = skip_space(self);

    if (c == self->close) {
        advance(self, 1);
        skip_space(self);
        if (self->at < self->text->len)
            fail_here(self, "unexpected text after the end of the document", error);
        self->close = '\0';
        return FALSE;
    }
    if (!self->first) {
        if (c != ',')
            return fail_here(
                self, self->close == ']' ? "expected ',' or ']'" : "expected ',' or '}'", error);
        advance(self, 1);
        c = skip_space(self);
    }
    self->first = FALSE;
    self->element_line = self->line;
    if (self->close == '}') {
        if (c != '"')
            return fail_here(self, "expected a name in quotes", error);
        self->key = read_value(self, error);
        if (self->key == NULL)
            return FALSE;
        if (skip_space(self) != ':')
            return fail_here(self, "expected ':'", error);
        advance(self, 1);
        skip_space(self);
    }
    self->element = read_value(self, error);
    return self->element != NULL;
}

static void drop_element(JsonReader *self)
{
    g_clear_pointer(&self->element, json_decref);
    g_clear_pointer(&self->key, json_decref);
    self->rows = NULL;
    self->next_row = 0;
}

static gboolean knows_fields_of(const JsonReader *self, json_t *object)
{
    const char *name;
    json_t *member;

    json_object_foreach(object, name, member)
    {
        if (tg_field_map_knows(self->base.fields, self->base.side, name))
            return TRUE;
    }
    return FALSE;
}

/* Whether a value is a list of objects of which the first has a known field. */
static gboolean is_list_of_rows(const JsonReader *self, json_t *value)
{
    return knows_fields_of(self, json_array_get(value, 0));
}

/*
 * An object may hold lists of rows beside what is no row: {"info": {...}, "annotations": [...]}.
 * Found by its first members, and then read from the start.
 */
static void find_lists(JsonReader *self)
{
    const gsize at = self->at, line = self->line, line_start = self->line_start;
    gboolean has_rows = FALSE, has_others = FALSE, ended = FALSE;
    GError *ignored = NULL;

    for (guint i = 0; i < LOOK_AHEAD && !ended && read_element(self, &ignored); i++) {
        const gboolean is_list = is_list_of_rows(self, self->element);

        has_rows = has_rows || is_list;
        has_others = has_others || !is_list;
        ended = knows_fields_of(self, self->element) || (has_rows && has_others);
        drop_element(self);
    }
    g_clear_error(&ignored);
    drop_element(self);
    self->has_lists = has_rows && has_others;
    self->at = at;
    self->line = line;
    self->line_start = line_start;
    self->close = '}';
    self->first = TRUE;
}

/* Fill a row; FALSE if the key beside it cannot be a name. */
static gboolean fill_element(JsonReader *self, json_t *row, TgRecord *out)
{
    const gboolean good = self->key == NULL || memchr(json_string_value(self->key), '\0',
                                                      json_string_length(self->key)) == NULL;

    if (good)
        fill_row(&self->base, row, out);
    else
        tg_record_set_fault(out, "the row's name holds a NUL character");
    return good;
}

/* The next row inside the element; FALSE when there are no more. */
static gboolean fill_from_rows(JsonReader *self, TgRecord *out)
{
    /* Names of lists that say nothing about their rows, so that they are no subsets. */
    static const char *const plain[] = { "annotations", "data",        "rows",
                                         "items",       "samples",     "examples",
                                         "results",     "predictions", NULL };
    const gboolean is_page = self->rows != self->element;
    const char *name = json_string_value(self->key);
    json_t *row;

    do {
        row = json_array_get(self->rows, self->next_row++);
        if (row == NULL)
            return FALSE;
    } while (is_page && !is_formula(row));
    if (!fill_element(self, row, out))
        return TRUE;
    if (is_page && out->id == NULL)
        out->id = block_id(self->element, row);
    if (!is_page && out->subset == NULL && !g_strv_contains(plain, name))
        out->subset = g_strdup(name);
    return TRUE;
}

static gboolean json_next(TgReader *reader, TgRecord *out, GError **error)
{
    JsonReader *self = (JsonReader *) reader;

    if (self->text == NULL) {
        if (!start_document(self, error))
            return FALSE;
        if (self->close == '}')
            find_lists(self);
    }
    while (self->close != '\0') {
        out->line = self->element_line;
        if (self->rows != NULL && fill_from_rows(self, out))
            return TRUE;
        drop_element(self);
        if (!read_element(self, error))
            return FALSE;
        out->line = self->element_line;
        if (self->has_lists && !is_list_of_rows(self, self->element))
            continue;
        /* The rows inside it: a page's blocks, or a list of objects below a key. */
        self->rows = json_object_get(self->element, "layout_dets");
        if (json_is_array(self->rows))
            continue;
        self->rows = self->key != NULL && json_is_object(json_array_get(self->element, 0))
                         ? self->element
                         : NULL;
        if (self->rows != NULL)
            continue;
        /* It is a row itself; its key is its id. */
        if (fill_element(self, self->element, out) && self->key != NULL &&
            !self->base.fields->mapped[TG_ROLE_ID]) {
            g_free(out->id);
            out->id = g_strdup(json_string_value(self->key));
        }
        return TRUE;
    }
    return FALSE;
}

static void close_document(TgReader *reader)
{
    JsonReader *self = (JsonReader *) reader;

    drop_element(self);
    if (self->text != NULL)
        g_string_free(self->text, TRUE);
}

const TgReaderClass tg_reader_json = {
    .name = "json",
    .sniff = json_sniff,
    .size = sizeof(JsonReader),
    .next = json_next,
    .close = close_document,
};
