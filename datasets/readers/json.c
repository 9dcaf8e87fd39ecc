/*
 * JSON lines, and JSON documents: a list of rows (CDM, Uni-MuMER, OmniDocBench, pdf-parse-bench),
 * an object that gives each id its row, its formula or its list of references, a single row, or
 * columns (pandas, W&B, Nougat, Hugging Face evaluate).
 *
 * jansson reads every value; of a document only the punctuation between the rows is read here. So
 * each row's line is known, and a document takes its text in memory and not a tree several times as
 * large.
 */
#include "datasets/readers/reader.h"

#include <string.h>
#include <unistd.h>

#include "core/fail.h"
#include "core/json.h"

/* ---- values ---- */

/* The length of the constant that stands at the front of the @n bytes, 0 if none does. */
static gsize constant_length(const char *text, gsize n)
{
    const gsize sign = text[0] == '-';

    if (n >= sign + 3 && memcmp(text + sign, "NaN", 3) == 0)
        return sign + 3;
    return n >= sign + 8 && memcmp(text + sign, "Infinity", 8) == 0 ? sign + 8 : 0;
}

/* The length of the number at the front of the @n bytes that no double or 64 bits hold; 0: it is
 * none. @whole: (out) whether it is an integer. */
static gsize huge_length(const char *text, gsize n, gboolean *whole)
{
    const gsize sign = text[0] == '-';
    gsize length = sign;

    *whole = TRUE;
    if (n == sign || !g_ascii_isdigit(text[sign]))
        return 0;
    for (; length < n && (g_ascii_isalnum(text[length]) || strchr("+-.", text[length]) != NULL);
         length++)
        *whole = *whole && g_ascii_isdigit(text[length]);
    if (!*whole) {
        g_autofree char *number = g_strndup(text, length);
        const double value = g_ascii_strtod(number, NULL);

        return value - value != 0 ? length : 0;
    }
    return length - sign > 18 ? length : 0;
}

/* The number of a \\uXXXX at @text, or G_MAXUINT. */
static guint escaped_unit(const char *text, gsize n)
{
    guint unit = 0;

    if (n < 6 || text[0] != '\\' || text[1] != 'u')
        return G_MAXUINT;
    for (guint i = 2; i < 6; i++) {
        const int digit = g_ascii_xdigit_value(text[i]);

        if (digit < 0)
            return G_MAXUINT;
        unit = unit * 16 + (guint) digit;
    }
    return unit;
}

/* The length of the escape at the front of the @n bytes that is half of a character; 0: it is none.
 * *@pair: (out) the length of a whole one, which is left alone. */
static gsize half_length(const char *text, gsize n, gsize *pair)
{
    const guint unit = escaped_unit(text, n);

    *pair = 2;
    if (unit < 0xD800 || unit > 0xDFFF)
        return 0;
    if (unit < 0xDC00) {
        const guint second = escaped_unit(text + 6, n - 6);

        *pair = 12;
        if (second >= 0xDC00 && second <= 0xDFFF)
            return 0;
    }
    return 6;
}

/*
 * Replace values that programs write although JSON or its reader does not know them, so that they
 * cost a row at most: NaN, infinities and numbers beyond doubles become null, integers beyond 64
 * bits texts, and half of a surrogate pair NUL, which is a fault where it is used. NULL if there is
 * nothing to replace.
 */
static GString *replace_values(const char *text, gsize n)
{
    GString *out = NULL;
    gboolean quoted = FALSE, whole = FALSE;
    gsize copied = 0; /* of @text */

    for (gsize i = 0; i < n; i++) {
        gsize length = 0, skip = 0;
        const char *instead = "null";

        if (quoted && text[i] == '\\') {
            length = half_length(text + i, n - i, &skip);
            instead = "\\u0000";
        } else if (!quoted) {
            length = constant_length(text + i, n - i);
            if (length == 0 && (i == 0 || !g_ascii_isalnum(text[i - 1])))
                length = huge_length(text + i, n - i, &whole);
            whole = whole && text[i] != 'N' && text[i] != 'I';
        }
        if (text[i] == '"')
            quoted = !quoted;
        if (length == 0) {
            i += skip > 0 ? skip - 1 : 0;
            continue;
        }
        if (out == NULL)
            out = g_string_sized_new(n);
        g_string_append_len(out, text + copied, (gssize) (i - copied));
        if (!quoted && whole && g_ascii_isdigit(text[i + length - 1]))
            g_string_append_printf(out, "\"%.*s\"", (int) length, text + i);
        else
            g_string_append(out, instead);
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
 * OmniDocBench's JSON (github opendatalab/OmniDocBench) has two forms. A result is a list of
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
 * "page.jpg#pred-5" where no reference belongs to the prediction. Other objects are left alone, so
 * those of texgauge documents, whose gt_idx is no list and whose id is whole. */
static void complete_id(json_t *object, char **id)
{
    json_t *ref = json_object_get(object, "gt_idx");

    if (!json_is_array(ref) || *id == NULL)
        return;
    GString *whole = g_string_new(*id);
    if (!append_positions(whole, "#", ref))
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
        tg_record_set_fault(out, "the formula holds a NUL character, or half of a surrogate pair");
    else
        tg_row_take_formula(reader->fields, reader->side, text, n, out);
}

/* The roles of a row's fields: those of the file, or its own where it lacks a formula of these.
 * FALSE: the row is faulty. */
static gboolean row_roles(TgReader *reader, json_t *object, TgRoles *own, const TgRoles **roles,
                          TgRecord *out)
{
    const char *ref = reader->roles.fields[TG_ROLE_REF], *hyp = reader->roles.fields[TG_ROLE_HYP];
    g_autoptr(TgFieldSample) sample = NULL;
    g_autofree char *reason = NULL;

    *roles = &reader->roles;
    if (reader->decided && (ref == NULL || json_object_get(object, ref) != NULL) &&
        (hyp == NULL || json_object_get(object, hyp) != NULL))
        return TRUE;
    sample = tg_field_sample_new();
    tg_field_sample_add(sample, object);
    if (!reader->decided) {
        g_autoptr(GError) trouble = NULL;

        if (tg_reader_decide(reader, g_steal_pointer(&sample), 0, &trouble))
            return TRUE;
        tg_record_set_fault(out, "%s", trouble->message + strlen(reader->stream->name) + 2);
        return FALSE;
    }
    *roles = own;
    if (!tg_roles_decide(reader->fields, reader->side, sample, reader->stream->name, TRUE, own,
                         &reason))
        tg_record_set_fault(out, "%s", reason);
    return reason == NULL;
}

/* Fill @out, whose file and line are set, from an object (by its fields), a text (the formula), a
 * list of texts (several references), or on the side of the predictions null (there is none).
 * Anything else is a fault. */
static void fill_row(TgReader *reader, json_t *value, TgRecord *out)
{
    const gboolean is_prediction = reader->side == TG_FILE_HYPOTHESES;
    TgRoles own = { 0 };
    const TgRoles *roles;
    json_t *item;
    gsize i;

    if (json_is_string(value)) {
        take_text(reader, value, out);
        return;
    }
    if (!is_prediction && tg_row_is_tokens(value)) {
        tg_record_set_fault(out, "the row is a list of tokens, not text; join them");
        return;
    }
    if (!is_prediction ? json_array_size(value) > 0
                       : json_array_size(value) == 1 && json_is_string(json_array_get(value, 0))) {
        json_array_foreach(value, i, item) take_text(reader, item, out);
        return;
    }
    if (json_is_null(value) && is_prediction)
        return;
    if (!json_is_object(value)) {
        tg_record_set_fault(out, "the row is not a JSON object");
        return;
    }
    if (!row_roles(reader, value, &own, &roles, out))
        roles = &own; /* the row still has its id, model and columns */
    tg_row_fill(reader->fields, reader->side, roles, value, FALSE, out);
    tg_roles_clear(&own);
    if (!reader->fields->mapped[TG_ROLE_ID])
        complete_id(value, &out->id);
}

/* ---- a row on each line ---- */

/* Whether a file named as lines is one document: its first line opens a value and does not close
 * it, or is a list of objects. */
static gboolean is_document(const TgSniff *sniff)
{
    json_error_t error;

    if (strcmp(sniff->line, "[") == 0 || strcmp(sniff->line, "{") == 0)
        return TRUE;
    if (sniff->line[0] != '[')
        return FALSE;
    json_auto_t *value = parse_json(sniff->line, strlen(sniff->line), NULL, &error);
    return json_is_object(json_array_get(value, 0));
}

static gboolean is_frame_of_results(const json_t *value)
{
    return json_object_get(value, "texgauge_results") != NULL ||
           (json_is_true(json_object_get(value, "end")) &&
            json_object_get(value, "inputs") != NULL);
}

/* The value of a line, with what programs write that JSON does not know. */
static json_t *parse_line(const char *text, gsize n, json_error_t *problem)
{
    json_t *value = parse_json(text, n, NULL, problem);
    g_autoptr(GString) repaired =
        value == NULL && g_utf8_validate_len(text, n, NULL) ? replace_values(text, n) : NULL;

    return repaired != NULL ? parse_json(repaired->str, repaired->len, NULL, problem) : value;
}

/* Decide the roles of the fields by the lines in sight. */
static gboolean jsonl_open(TgReader *self, GError **error)
{
    const gsize n_sealed = strlen("{\"texgauge_results\"");
    const char *text, *lf;
    json_error_t problem;
    gboolean whole;
    gsize len;

    if (self->stream->fd == STDIN_FILENO)
        return TRUE; /* the first row decides the roles */
    if (!tg_stream_peek(self->stream, &text, &len, &whole, error))
        return FALSE;
    g_autoptr(TgFieldSample) sample = tg_field_sample_new();
    for (const char *end = text + len; text < end; text = lf + 1) {
        lf = memchr(text, '\n', (gsize) (end - text));
        if (lf == NULL && !whole)
            break; /* the rest of this line is not in sight */
        if (lf == NULL)
            lf = end;
        json_auto_t *value = parse_line(text, (gsize) (lf - text), &problem);
        if (json_is_object(value) &&
            ((gsize) (lf - text) < n_sealed || !is_frame_of_results(value)))
            tg_field_sample_add(sample, value);
        if (tg_field_sample_n_rows(sample) == TG_READER_SAMPLE)
            break;
    }
    return tg_field_sample_n_rows(sample) == 0 ||
           tg_reader_decide(self, g_steal_pointer(&sample), 0, error);
}

static gboolean jsonl_sniff(const TgSniff *sniff)
{
    json_error_t error;
    const char *rest;

    if (strcmp(sniff->suffix, "jsonl") == 0 || strcmp(sniff->suffix, "ndjson") == 0)
        return !is_document(sniff);
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
        damage->expected_row =
            (guint64) MAX(json_integer_value(json_object_get(shard, "index")), 1);
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

        if (number < damage->expected_row)
            return tg_fail_input(error,
                                 "%s:%" G_GSIZE_FORMAT ": row %" G_GUINT64_FORMAT
                                 " of these results comes twice, or out of order",
                                 stream->name, stream->line, number);
        tg_damage_add_row(damage, number, fits, stream->line);
    }
    return TRUE;
}

static TgNext jsonl_next(TgReader *base, TgRecord *out, GError **error)
{
    LineReader *self = (LineReader *) base;
    json_error_t problem;
    char *line;
    gsize n;

    for (;;) {
        const TgNext next = tg_reader_read_raw(base, out, &line, &n, error);

        if (next == TG_NEXT_END && self->is_results && !self->is_ended)
            tg_damage_add_no_end(&base->damage, base->stream->line);
        if (next != TG_NEXT_ROW || line == NULL)
            return next;
        if (strspn(line, " \t\r") == n)
            continue;
        unseal_line(self, line, &n);
        json_auto_t *value = parse_line(line, n, &problem);
        if (!check_line(self, value, error))
            return TG_NEXT_ERROR;
        if (is_frame_of_results(value)) {
            self->is_ended =
                json_is_true(json_object_get(value, "end")) && base->stream->line_has_end;
            continue;
        }
        if (value == NULL && tg_reader_check_text(base, line, n, out))
            tg_record_set_fault(out, "column %d: not valid JSON: %s", problem.column, problem.text);
        if (value != NULL)
            fill_row(base, value, out);
        return TG_NEXT_ROW;
    }
}

const TgReaderClass tg_reader_jsonl = {
    .name = "jsonl",
    .sniff = jsonl_sniff,
    .size = sizeof(LineReader),
    .open = jsonl_open,
    .next = jsonl_next,
};

/* ---- documents ---- */

#define MAX_DOCUMENT ((gsize) 1 << 30) /* bytes */
#define MAX_SAMPLE   ((gsize) 4 << 20) /* bytes of a document by which its shape is decided */

/* The kind of a document's members. */
typedef enum {
    SHAPE_ROWS,    /* a list of rows, or an object of ids and rows */
    SHAPE_LISTS,   /* an object with lists of rows, perhaps beside other members */
    SHAPE_SUBSETS, /* an object of objects of ids and rows */
    SHAPE_SINGLES, /* an object of ids and lists of one row */
    SHAPE_PAIRS,   /* a list of lists of an id and a formula */
    SHAPE_TABLE,   /* read as a whole: columns, or a single row */
} Shape;

/* A place in a document. */
typedef struct {
    gsize at, line, line_start;
    char close;     /* end of the document, ']' or '}'; NUL behind its end */
    gboolean first; /* no element was read yet */
} Place;

typedef struct {
    TgReader base;
    GString *text; /* the document */
    Place now;
    Shape shape;

    json_t *element; /* a row, a page or a list of rows */
    json_t *rows;    /* the rows inside @element, or NULL when it is one itself */
    gsize next_row;
    void *next_member; /* of @rows that is an object */
    json_t *key;       /* of @element in an object */
    gsize element_line;

    /* of SHAPE_TABLE: an object of columns, which are lists of as many values, or objects with
     * values by @keys */
    json_t *table;
    json_t *keys; /* a list of ids, or NULL */
    gsize n_table;

    GHashTable *pictures; /* COCO's "images": names of files by the texts of ids; or NULL */
} JsonReader;

static gboolean json_sniff(const TgSniff *sniff)
{
    const char *text = sniff->text, *end = sniff->text + sniff->len;

    if (strcmp(sniff->suffix, "json") == 0 || strcmp(sniff->suffix, "jsonl") == 0 ||
        strcmp(sniff->suffix, "ndjson") ==
            0) /* these suffixes, where the file has no rows in lines */
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
static gboolean fail_syntax(JsonReader *self, gsize line, gsize column, const char *message,
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

    for (gsize i = self->now.line_start; i < self->now.at; i++)
        n += ((guchar) self->text->str[i] & 0xC0) != 0x80;
    return n;
}

static gboolean fail_here(JsonReader *self, const char *message, GError **error)
{
    return fail_syntax(self, self->now.line, column_here(self) + 1, message, error);
}

/* Move on by @n bytes, counting lines. */
static void advance_position(JsonReader *self, gsize n)
{
    const char *text = self->text->str, *end = text + self->now.at + n;
    const char *from = text + self->now.at, *lf;

    while ((lf = memchr(from, '\n', (gsize) (end - from))) != NULL) {
        from = lf + 1;
        self->now.line++;
        self->now.line_start = (gsize) (from - text);
    }
    self->now.at += n;
}

/* Move on to the next character that is no white space, and return it; NUL at the end. */
static char skip_space(JsonReader *self)
{
    advance_position(self, strspn(self->text->str + self->now.at, " \t\r\n"));
    return self->text->str[self->now.at];
}

/* Parse the value at the current position. */
static json_t *read_value(JsonReader *self, GError **error)
{
    json_error_t parse_error;
    gsize n;
    json_t *value = parse_json(self->text->str + self->now.at, self->text->len - self->now.at, &n,
                               &parse_error);

    if (value == NULL) {
        const gsize line = self->now.line + (gsize) MAX(parse_error.line, 1) - 1;
        const gsize before = parse_error.line > 1 ? 0 : column_here(self);
        fail_syntax(self, line, before + (gsize) MAX(parse_error.column, 1), parse_error.text,
                    error);
        return NULL;
    }
    advance_position(self, n);
    return value;
}

static gboolean start_document(JsonReader *self, GError **error)
{
    self->text = tg_stream_read_rest(self->base.stream, MAX_DOCUMENT, error);
    if (self->text == NULL)
        return FALSE;
    GString *text = replace_values(self->text->str, self->text->len);
    if (text != NULL) {
        g_string_free(self->text, TRUE);
        self->text = text;
    }
    self->now.line = 1;
    self->now.first = TRUE;
    const char open = skip_space(self);
    if (open != '[' && open != '{')
        return fail_here(self, "expected a list or an object", error);
    self->now.close = open == '[' ? ']' : '}';
    advance_position(self, 1);
    return TRUE;
}

/* Read the next element of the document, and its key. */
static TgNext read_element(JsonReader *self, GError **error)
{
    char c = skip_space(self);

    if (c == self->now.close) {
        advance_position(self, 1);
        skip_space(self);
        self->now.close = '\0';
        if (self->now.at < self->text->len)
            return fail_here(self, "unexpected text after the end of the document", error);
        return TG_NEXT_END;
    }
    if (!self->now.first) {
        if (c != ',')
            return fail_here(self,
                             self->now.close == ']' ? "expected ',' or ']'" : "expected ',' or '}'",
                             error);
        advance_position(self, 1);
        c = skip_space(self);
    }
    self->now.first = FALSE;
    self->element_line = self->now.line;
    if (self->now.close == '}') {
        if (c != '"')
            return fail_here(self, "expected a name in quotes", error);
        self->key = read_value(self, error);
        if (self->key == NULL)
            return TG_NEXT_ERROR;
        if (skip_space(self) != ':')
            return fail_here(self, "expected ':'", error);
        advance_position(self, 1);
        skip_space(self);
    }
    self->element = read_value(self, error);
    return self->element != NULL ? TG_NEXT_ROW : TG_NEXT_ERROR;
}

static void drop_element(JsonReader *self)
{
    g_clear_pointer(&self->element, json_decref);
    g_clear_pointer(&self->key, json_decref);
    self->rows = NULL;
    self->next_row = 0;
}

/* Whether a member of an object has a name that @is_meant is true of. */
static gboolean has_member(const JsonReader *self, json_t *object,
                           gboolean (*is_meant)(const JsonReader *self, const char *name))
{
    const char *name;
    json_t *member;

    json_object_foreach(object, name, member)
    {
        if (is_meant(self, name))
            return TRUE;
    }
    return FALSE;
}

static gboolean is_known_field(const JsonReader *self, const char *name)
{
    return tg_field_map_knows(self->base.fields, self->base.side, name);
}

/* The row inside a row of Hugging Face's dataset viewer, {"row_idx": 0, "row": {...}}; other rows
 * are returned as they are. */
static json_t *unwrap_viewer_row(json_t *row)
{
    json_t *inside = json_object_get(row, "row");

    return json_is_object(inside) && json_is_integer(json_object_get(row, "row_idx")) ? inside
                                                                                      : row;
}

/* ---- the shape of a document ---- */

static gboolean is_text_or_list(json_t *value)
{
    return json_is_string(value) || json_is_string(json_array_get(value, 0));
}

/* Whether a name is that of a formula on this side, by the table or by the user's map. */
static gboolean is_formula_field(const JsonReader *self, const char *name)
{
    const TgFieldMap *map = self->base.fields;
    TgRole role;

    for (guint i = 0; i < 2; i++) {
        const TgSlotRange *range = &map->roles[i == 0 ? TG_ROLE_REF : TG_ROLE_HYP];

        for (guint k = range->first; k < range->first + range->n; k++)
            if (strcmp(((const TgFieldPath *) map->paths->pdata[k])->steps[0], name) == 0)
                return TRUE;
    }
    return tg_roles_know(map, self->base.side, name, &role) &&
           (role == TG_ROLE_REF || role == TG_ROLE_HYP);
}

static gboolean is_id_field(const JsonReader *self, const char *name)
{
    TgRole role;

    return tg_roles_know(self->base.fields, self->base.side, name, &role) && role == TG_ROLE_ID;
}

/* The first value of an object that is not null. */
static json_t *first_member(json_t *object)
{
    const char *name;
    json_t *value;

    json_object_foreach(object, name, value) if (!json_is_null(value)) return value;
    return NULL;
}

/* Whether a member says something of pictures, kinds or columns, as in COCO's files and in Hugging
 * Face's, and has no formulas. */
static gboolean is_beside_rows(const JsonReader *self, const char *name, json_t *value)
{
    static const char *const names[] = { "images",   "categories", "licenses",
                                         "features", "info",       NULL };
    json_t *first = json_is_object(value) ? value : json_array_get(value, 0);

    if (strcmp(name, "data") == 0 && json_object_size(first) == 2 && /* Mathpix */
        json_is_string(json_object_get(first, "type")) &&
        json_is_string(json_object_get(first, "value")))
        return TRUE;
    return g_strv_contains(names, name) && json_is_object(first) &&
           !has_member(self, first, is_formula_field);
}

/* Counts of the members read so far, by kind. */
typedef struct {
    guint n, n_columns, n_texts, n_lists, n_singles, n_with_id, n_maps, n_rows, n_pairs,
        n_text_lists;
    gboolean has_columns, has_data, is_error;
    const char *page; /* the program whose pages these are, or NULL */
} Members;

/* The program whose pages a member belongs to; NULL: none. */
static const char *page_program(const char *name, json_t *value)
{
    static const char *const members[][2] = {
        { "pdf_info", "MinerU" },        { "parsing_res_list", "PP-Structure" },
        { "layout_det_res", "PaddleX" }, { "block_type", "Marker" },
        { "line_data", "Mathpix" },      { "formula_res_list", "PaddleX" },
    };
    const char *schema = strcmp(name, "schema_name") == 0 ? json_string_value(value) : NULL;

    if (g_strcmp0(schema, "DoclingDocument") == 0)
        return "Docling";
    for (guint i = 0; i < G_N_ELEMENTS(members); i++)
        if (strcmp(name, members[i][0]) == 0)
            return members[i][1];
    return NULL;
}

/* The program whose blocks of pages the rows of a list are. */
static const char *block_program(json_t *row)
{
    const char *type = json_string_value(json_object_get(row, "type"));

    if (type != NULL && json_object_get(row, "page_idx") != NULL)
        return "MinerU";
    return json_object_get(row, "block_type") != NULL ? "Marker" : NULL;
}

/* Whether the first of two texts names the second. */
static gboolean is_id_and_formula(json_t *pair)
{
    const char *id = json_string_value(json_array_get(pair, 0));
    const char *formula = json_string_value(json_array_get(pair, 1));

    return json_array_size(pair) == 2 && id != NULL && formula != NULL && strlen(id) >= 3 &&
           strpbrk(id, "\\{}^$=+ ") == NULL && strpbrk(id, "0123456789_./-") != NULL;
}

/* Keep what COCO's "images" say: {"id": 7, "file_name": "a.png"}. */
static void keep_pictures(JsonReader *self, json_t *images)
{
    json_t *image;
    gsize i;

    json_array_foreach(images, i, image)
    {
        json_t *id = json_object_get(image, "id");
        const char *name = json_string_value(json_object_get(image, "file_name"));

        if (id == NULL || name == NULL)
            continue;
        if (self->pictures == NULL)
            self->pictures = g_hash_table_new_full(g_str_hash, g_str_equal, free, g_free);
        g_hash_table_insert(self->pictures, json_dumps(id, JSON_ENCODE_ANY), g_strdup(name));
    }
}

/* Give a row of COCO the file name of its picture, by which others may know it. */
static void name_picture(const JsonReader *self, json_t *row)
{
    json_t *id = json_object_get(row, "image_id");

    if (self->pictures == NULL || id == NULL || json_object_get(row, "file_name") != NULL)
        return;
    char *text = json_dumps(id, JSON_ENCODE_ANY);
    const char *name = text != NULL ? g_hash_table_lookup(self->pictures, text) : NULL;
    if (name != NULL)
        json_object_set_new_nocheck(row, "file_name", json_string_nocheck(name));
    free(text);
}

static void sample_rows(const JsonReader *self, TgFieldSample *sample, json_t *rows)
{
    const char *name;
    json_t *row;
    gsize i;

    json_array_foreach(rows, i, row)
    {
        if (!json_is_object(row) || tg_field_sample_n_rows(sample) >= TG_READER_SAMPLE)
            continue;
        name_picture(self, row);
        tg_field_sample_add(sample, unwrap_viewer_row(row));
    }
    json_object_foreach(rows, name, row) if (json_is_object(row) &&
                                             tg_field_sample_n_rows(sample) < TG_READER_SAMPLE)
        tg_field_sample_add(sample, row);
}

/* @sample: of the rows, if the members are rows or hold them in any way; @of_lists: of those in
 * lists alone */
static void count_member(JsonReader *self, Members *members, TgFieldSample *sample,
                         TgFieldSample *of_lists)
{
    json_t *value = self->element, *first = json_array_get(value, 0), *inner = first_member(value);
    const char *name = json_string_value(self->key);

    members->n++;
    if (name == NULL) {
        json_t *blocks = json_object_get(value, "layout_dets"), *block;
        gsize i;

        members->n_pairs += is_id_and_formula(value);
        members->n_text_lists += json_is_string(first) && json_array_size(value) > 1;
        json_array_foreach(blocks, i, block) if (is_formula(block))
            tg_field_sample_add(sample, block);
        if (blocks == NULL && json_is_object(value))
            tg_field_sample_add(sample, value);
        if (members->page == NULL)
            members->page = block_program(value);
        return;
    }
    const gboolean is_formula_name = is_formula_field(self, name);
    json_auto_t *text = tg_value_as_text(value);
    /* a list of objects of which the first has a known field, or of one object */
    const gboolean has_rows = has_member(self, unwrap_viewer_row(first), is_known_field) ||
                              (json_is_object(first) && json_array_size(value) == 1);

    if (is_beside_rows(self, name, value))
        return;
    if (members->page == NULL)
        members->page = page_program(name, value);
    members->has_columns |= strcmp(name, "columns") == 0 && json_is_string(first);
    members->has_data |= strcmp(name, "data") == 0 && json_is_array(first);
    members->is_error |= strcmp(name, "error") == 0;
    members->n_columns +=
        is_formula_name && !has_rows && (is_text_or_list(first) || is_text_or_list(inner));
    members->n_texts += is_formula_name && (json_is_string(value) || /* or a conversation */
                                            (json_is_object(first) && text != NULL));
    members->n_lists += has_rows;
    members->n_singles += has_rows && json_array_size(value) == 1;
    members->n_maps += json_is_object(inner) && !has_member(self, value, is_known_field) &&
                       has_member(self, inner, is_known_field);
    members->n_rows += json_is_object(value) && has_member(self, value, is_formula_field);
    if (has_rows) {
        sample_rows(self, sample, value);
        sample_rows(self, of_lists, value);
        members->n_with_id += has_member(self, first, is_id_field);
    } else if (json_is_object(inner) && !has_member(self, value, is_known_field)) {
        sample_rows(self, sample, value);
    } else if (json_is_object(value)) {
        tg_field_sample_add(sample, value);
    }
}

/* Go back to where the members of the document begin. */
static void rewind_document(JsonReader *self, Place start)
{
    drop_element(self);
    self->now = start;
}

/* Find the names of COCO's pictures, which may stand before or behind the rows. */
static void find_pictures(JsonReader *self)
{
    const Place start = self->now;
    GError *ignored = NULL;

    if (start.close != '}' || strstr(self->text->str + start.at, "\"images\"") == NULL)
        return;
    while (self->pictures == NULL && read_element(self, &ignored) == TG_NEXT_ROW) {
        const char *name = json_string_value(self->key);

        if (strcmp(name, "images") == 0 && is_beside_rows(self, name, self->element))
            keep_pictures(self, self->element);
        drop_element(self);
    }
    g_clear_error(&ignored);
    rewind_document(self, start);
}

/* Columns of as many values each, from lists or from objects by the same keys. */
static gboolean fill_table(JsonReader *self, json_t *root, GError **error)
{
    const char *name, *main_name = NULL, *key;
    json_t *value, *main = NULL, *item;

    json_object_foreach(root, name, value)
    {
        const gboolean is_columns = is_formula_field(self, name);
        const gsize n = json_is_array(value) ? json_array_size(value) : json_object_size(value);

        if (!is_columns || !(json_is_array(value) || json_is_object(value)))
            continue;
        if (main == NULL) {
            main = value;
            main_name = name;
            self->n_table = n;
        } else if (n != self->n_table) {
            return tg_fail_input(error,
                                 "%s: '%s' has %" G_GSIZE_FORMAT
                                 " values and '%s' has %" G_GSIZE_FORMAT ": as many are needed",
                                 self->base.stream->name, main_name, self->n_table, name, n);
        }
    }
    if (json_is_object(main)) {
        self->keys = json_array();
        json_object_foreach(main, key, item)
            json_array_append_new(self->keys, json_string_nocheck(key));
    }
    json_object_foreach(root, name, value)
    {
        gsize i;

        if (json_typeof(value) != json_typeof(main) ||
            (json_is_array(value) && json_array_size(value) != self->n_table))
            continue;
        json_array_foreach(self->keys, i, item)
        {
            key = json_string_value(item);
            if (json_object_get(value, key) == NULL && is_formula_field(self, name))
                return tg_fail_input(error, "%s: '%s' has a value for '%s' and '%s' has none",
                                     self->base.stream->name, main_name, key, name);
        }
        json_object_set_nocheck(self->table, name, value);
    }
    return TRUE;
}

/* The names of columns in one list, the cells of each row in another, and perhaps the rows' names
 * in a third, which is a column like others. */
static gboolean fill_split(JsonReader *self, json_t *root, GError **error)
{
    json_t *names = json_object_get(root, "columns"), *rows = json_object_get(root, "data");
    json_t *index = json_object_get(root, "index"), *name, *row;
    gsize i, k;

    self->n_table = json_array_size(rows);
    json_array_foreach(rows, i, row)
    {
        if (json_array_size(row) != json_array_size(names))
            return tg_fail_input(error,
                                 "%s: row %" G_GSIZE_FORMAT " of 'data' has %" G_GSIZE_FORMAT
                                 " cells, and 'columns' has %" G_GSIZE_FORMAT,
                                 self->base.stream->name, i + 1, json_array_size(row),
                                 json_array_size(names));
    }
    json_array_foreach(names, k, name)
    {
        json_t *column = json_array();

        json_array_foreach(rows, i, row) json_array_append(column, json_array_get(row, k));
        json_object_set_new_nocheck(self->table,
                                    json_is_string(name) ? json_string_value(name) : "", column);
    }
    if (json_array_size(index) == self->n_table && json_object_get(self->table, "index") == NULL)
        json_object_set_nocheck(self->table, "index", index);
    return TRUE;
}

/* Row number @i of the table. (transfer full) */
static json_t *table_row(const JsonReader *self, gsize i)
{
    const char *name, *key = json_string_value(json_array_get(self->keys, i));
    json_t *row = json_object(), *column;

    json_object_foreach(self->table, name, column)
    {
        json_t *cell = key != NULL ? json_object_get(column, key) : json_array_get(column, i);

        json_object_set_new_nocheck(row, name, cell != NULL ? json_incref(cell) : json_null());
    }
    return row;
}

static gboolean open_table(JsonReader *self, gboolean is_split, gboolean is_row,
                           TgFieldSample **sample, GError **error)
{
    json_t *root = NULL, *value;
    const char *name;

    self->now = (Place){ .at = strspn(self->text->str, " \t\r\n"), .line = 1 };
    root = read_value(self, error);
    if (root == NULL)
        return FALSE;
    gboolean good = TRUE;
    skip_space(self);
    if (self->now.at < self->text->len)
        good = fail_here(self, "unexpected text after the end of the document", error);
    self->table = json_object();
    if (good && is_row) {
        self->n_table = 1;
        json_object_foreach(root, name, value)
            json_object_set_new_nocheck(self->table, name, json_pack("[O]", value));
    } else if (good) {
        good = (is_split ? fill_split : fill_table)(self, root, error);
    }
    json_decref(root);
    tg_field_sample_free(*sample);
    *sample = tg_field_sample_new();
    for (gsize i = 0; good && i < MIN(self->n_table, TG_READER_SAMPLE); i++) {
        json_auto_t *row = table_row(self, i);
        tg_field_sample_add(*sample, row);
    }
    return good;
}

/* Decide by the first members what the document is, and which of its fields are which. */
static gboolean json_open(TgReader *reader, GError **error)
{
    JsonReader *self = (JsonReader *) reader;
    g_autoptr(TgFieldSample) sample = tg_field_sample_new(), of_lists = tg_field_sample_new();
    Members members = { 0 };
    GError *ignored = NULL;

    if (!start_document(self, error))
        return FALSE;
    find_pictures(self);
    const Place start = self->now;
    while (members.n < TG_READER_SAMPLE && self->now.at - start.at < MAX_SAMPLE &&
           read_element(self, &ignored) == TG_NEXT_ROW) {
        count_member(self, &members, sample, of_lists);
        drop_element(self);
    }
    const gboolean ended = self->now.close == '\0';
    g_clear_error(&ignored);
    rewind_document(self, start);
    if (members.page != NULL && reader->fields->roles[TG_ROLE_REF].n == 0 &&
        reader->fields->roles[TG_ROLE_HYP].n == 0)
        return tg_fail_input(error,
                             "%s: are pages of %s, whose blocks are text and formulas; 'texgauge "
                             "documents' scores their Markdown, or name the field of rows that are "
                             "formulas alone with --map",
                             reader->stream->name, members.page);
    if (start.close == ']') {
        if (members.n_pairs == members.n && members.n > 1 && reader->side != TG_FILE_PAIRS)
            self->shape = SHAPE_PAIRS;
        else if (members.n_text_lists == members.n && members.n > 0 &&
                 reader->side == TG_FILE_PAIRS)
            return tg_fail_input(error,
                                 "%s: the rows are lists of texts, which could be several "
                                 "references, or a reference and a prediction; write objects with "
                                 "names, such as {\"gt\": ..., \"pred\": ...}",
                                 reader->stream->name);
    } else {
        const gboolean is_split = members.has_columns && members.has_data;
        const gboolean is_row =
            ended && (members.n_texts > 0 || (members.is_error && members.n_rows == 0)) &&
            members.n_lists == 0 && members.n_columns == 0 && members.n_maps == 0;

        if (is_split || is_row || (ended && members.n_columns > 0 && members.n_lists == 0)) {
            self->shape = SHAPE_TABLE;
            if (!open_table(self, is_split, is_row, &sample, error))
                return FALSE;
        } else if (members.n_lists > 1 && members.n_singles == members.n &&
                   members.n_with_id == 0) {
            self->shape = SHAPE_SINGLES;
        } else if (members.n_lists > 0 && members.n_rows == 0) {
            self->shape = SHAPE_LISTS;
            tg_field_sample_free(sample); /* objects beside the lists are no rows */
            sample = g_steal_pointer(&of_lists);
        } else if (members.n_maps > 0) {
            self->shape = SHAPE_SUBSETS;
        }
    }
    reader->keyed = start.close == '}' && self->shape != SHAPE_LISTS &&
                    (self->shape != SHAPE_TABLE || self->keys != NULL);
    return tg_field_sample_n_rows(sample) == 0 ||
           tg_reader_decide(reader, g_steal_pointer(&sample), 0, error);
}

/* ---- rows ---- */

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

/* The next of the rows inside the element, and its name where these are an object. */
static json_t *next_of_rows(JsonReader *self, const char **name)
{
    json_t *row = json_object_iter_value(self->next_member);

    *name = json_object_iter_key(self->next_member);
    if (json_is_array(self->rows))
        return unwrap_viewer_row(json_array_get(self->rows, self->next_row++));
    self->next_member = json_object_iter_next(self->rows, self->next_member);
    return row;
}

/* The next row inside the element; FALSE when there are no more. */
static gboolean fill_from_rows(JsonReader *self, TgRecord *out)
{
    /* Names of lists that say nothing about their rows, so that they are no subsets. */
    static const char *const plain[] = { "annotations", "data",     "rows",    "items",
                                         "samples",     "examples", "results", "predictions",
                                         "text",        "records",  "pairs",   "outputs",
                                         "details",     NULL };
    const gboolean is_page = self->rows != self->element;
    const char *key = json_string_value(self->key), *name;
    json_t *row;

    do {
        row = next_of_rows(self, &name);
        if (row == NULL)
            return FALSE;
    } while (is_page && !is_formula(row));
    name_picture(self, row);
    if (!fill_element(self, row, out))
        return TRUE;
    if (is_page && out->id == NULL)
        out->id = block_id(self->element, row);
    if (self->shape == SHAPE_SINGLES) {
        if (json_array_size(self->rows) > 1)
            tg_record_set_fault(out, "'%s' has several rows, and the others have one", key);
        g_free(out->id);
        out->id = g_strdup(key);
    } else if (!is_page && out->subset == NULL && !g_strv_contains(plain, key)) {
        out->subset = g_strdup(key);
    }
    if (name != NULL && !self->base.fields->mapped[TG_ROLE_ID]) {
        g_free(out->id);
        out->id = g_strdup(name);
    }
    return TRUE;
}

/* A row of columns. */
static TgNext next_of_table(JsonReader *self, TgRecord *out)
{
    if (self->next_row == self->n_table)
        return TG_NEXT_END;
    json_auto_t *row = table_row(self, self->next_row);
    const char *key = json_string_value(json_array_get(self->keys, self->next_row++));

    out->line = 1;
    fill_row(&self->base, row, out);
    if (out->id == NULL && key != NULL)
        out->id = g_strdup(key);
    return TG_NEXT_ROW;
}

/* The rows inside an element: a page's blocks, a list of objects below a key, or an object of
 * rows; NULL: it is a row itself. */
static json_t *rows_inside(const JsonReader *self)
{
    json_t *blocks = json_object_get(self->element, "layout_dets");

    if (json_is_array(blocks))
        return blocks;
    if (self->key == NULL)
        return NULL;
    if (json_is_object(json_array_get(self->element, 0)))
        return self->element;
    return self->shape == SHAPE_SUBSETS && json_is_object(first_member(self->element))
               ? self->element
               : NULL;
}

static TgNext json_next(TgReader *reader, TgRecord *out, GError **error)
{
    JsonReader *self = (JsonReader *) reader;

    if (self->shape == SHAPE_TABLE)
        return next_of_table(self, out);
    while (self->now.close != '\0') {
        out->line = self->element_line;
        if (self->rows != NULL && fill_from_rows(self, out))
            return TG_NEXT_ROW;
        drop_element(self);
        const TgNext next = read_element(self, error);
        if (next != TG_NEXT_ROW)
            return next;
        out->line = self->element_line;
        if (self->shape == SHAPE_LISTS &&
            (is_beside_rows(self, json_string_value(self->key), self->element) ||
             !json_is_object(json_array_get(self->element, 0))))
            continue; /* beside the rows */
        if (self->shape == SHAPE_SUBSETS && json_object_size(self->element) == 0 &&
            json_array_size(self->element) == 0)
            continue; /* a mean, say */
        self->rows = rows_inside(self);
        self->next_member = json_object_iter(self->rows);
        if (self->rows != NULL)
            continue;
        if (self->shape == SHAPE_PAIRS && is_id_and_formula(self->element)) {
            take_text(reader, json_array_get(self->element, 1), out);
            out->id = g_strdup(json_string_value(json_array_get(self->element, 0)));
            return TG_NEXT_ROW;
        }
        /* The element is a row; its key is its id unless the user named a field that it has. */
        if (fill_element(self, self->element, out) && self->key != NULL &&
            (!reader->fields->mapped[TG_ROLE_ID] ||
             (out->id == NULL && reader->fields->roles[TG_ROLE_ID].n > 0))) {
            g_free(out->id);
            out->id = g_strdup(json_string_value(self->key));
        }
        return TG_NEXT_ROW;
    }
    return TG_NEXT_END;
}

static void close_document(TgReader *reader)
{
    JsonReader *self = (JsonReader *) reader;

    drop_element(self);
    json_decref(self->table);
    json_decref(self->keys);
    g_clear_pointer(&self->pictures, g_hash_table_unref);
    if (self->text != NULL)
        g_string_free(self->text, TRUE);
}

const TgReaderClass tg_reader_json = {
    .name = "json",
    .sniff = json_sniff,
    .size = sizeof(JsonReader),
    .open = json_open,
    .next = json_next,
    .close = close_document,
};
