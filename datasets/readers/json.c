/*
 * JSON documents: a list of rows (CDM, Uni-MuMER, OmniDocBench, pdf-parse-bench) or an object that
 * gives each id its row, its formula or its list of references.
 *
 * jansson reads every value; only the punctuation between the rows is read here. So each row's line
 * is known, and a document takes its text in memory and not a tree several times as large.
 */
#include "datasets/readers/builtin.h"
#include "datasets/readers/json_row.h"

#include <string.h>

#include "core/fail.h"
#include "datasets/readers/omnidocbench.h"

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
                         tg_stream_name(self->base.stream), line, column, message);
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

/* Whatever stands here. */
static json_t *read_value(JsonReader *self, GError **error)
{
    json_error_t parse_error;
    gsize n;
    json_t *value =
        tg_json_parse(self->text->str + self->at, self->text->len - self->at, &n, &parse_error);

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
    GString *text = tg_json_replace_nan(self->text->str, self->text->len);
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

/* Behind the end of the document only white space may stand. */
static gboolean finish_document(JsonReader *self, GError **error)
{
    advance(self, 1);
    skip_space(self);
    if (self->at < self->text->len)
        fail_here(self, "unexpected text after the end of the document", error);
    self->close = '\0';
    return FALSE;
}

/* Read the next element of the document, and its key; FALSE at the end. */
static gboolean read_element(JsonReader *self, GError **error)
{
    char c = skip_space(self);

    if (c == self->close)
        return finish_document(self, error);
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

/* The rows inside an element: a page's blocks, or a list of objects below a key. */
static json_t *rows_in(const JsonReader *self)
{
    json_t *blocks = tg_omnidocbench_blocks(self->element);

    if (blocks != NULL)
        return blocks;
    return self->key != NULL && json_is_object(json_array_get(self->element, 0)) ? self->element
                                                                                 : NULL;
}

static gboolean has_bad_key(JsonReader *self, TgRecord *out)
{
    if (self->key == NULL ||
        memchr(json_string_value(self->key), '\0', json_string_length(self->key)) == NULL)
        return FALSE;
    tg_record_set_fault(out, "the row's name holds a NUL character");
    return TRUE;
}

/* An element that is a row itself; its key is its id. */
static void fill_from_element(JsonReader *self, TgRecord *out)
{
    if (has_bad_key(self, out))
        return;
    tg_json_fill(&self->base, self->element, out);
    if (self->key != NULL && !self->base.fields->mapped[TG_ROLE_ID]) {
        g_free(out->id);
        out->id = g_strdup(json_string_value(self->key));
    }
}

/* Whether the name of a list says nothing about its rows, so that it is no subset. */
static gboolean is_plain_name(const char *name)
{
    static const char *const names[] = { "annotations", "data",        "rows",
                                         "items",       "samples",     "examples",
                                         "results",     "predictions", NULL };

    return g_strv_contains(names, name);
}

/* The next row inside the element; FALSE when there are no more. */
static gboolean fill_from_rows(JsonReader *self, TgRecord *out)
{
    const gboolean is_page = self->rows != self->element;
    json_t *row;

    do {
        row = json_array_get(self->rows, self->next_row++);
        if (row == NULL)
            return FALSE;
    } while (is_page && !tg_omnidocbench_is_formula(row));
    if (has_bad_key(self, out))
        return TRUE;
    tg_json_fill(&self->base, row, out);
    if (is_page && out->id == NULL)
        out->id = tg_omnidocbench_block_id(self->element, row);
    if (!is_page && out->subset == NULL && !is_plain_name(json_string_value(self->key)))
        out->subset = g_strdup(json_string_value(self->key));
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
        self->rows = rows_in(self);
        if (self->rows == NULL) {
            fill_from_element(self, out);
            return TRUE;
        }
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
    .summary = "one JSON document: a list of objects, or an object of rows by id",
    .sniff = json_sniff,
    .size = sizeof(JsonReader),
    .next = json_next,
    .close = close_document,
};
