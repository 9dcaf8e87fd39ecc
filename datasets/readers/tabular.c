/*
 * Formats with a row on each line. CSV and TSV have a header and cells between delimiters; captions
 * (CROHME, HME100K) are id, tab and formula, lists (UniMERNet, im2latex) a formula alone, the empty
 * line being the empty formula.
 */
#include "datasets/readers/reader.h"

#include <string.h>

#include <csv.h>

#include "core/fail.h"

/* A cell of a row: @len bytes, not always ended by NUL. */
typedef struct {
    const char *text;
    gsize len;
} Cell;

typedef struct Table Table;

/* The reader of a table with a header. */
struct Table {
    TgReader base;
    /* Reads the next row into @cells; @out has its line, and a fault if the row is broken. */
    TgReadStatus (*read_cells)(Table *self, TgRecord *out, GError **error);
    GArray *cells; /* Cell: of the last row */
    char **names;  /* of the columns, stripped */
    guint n_names;
    int *columns; /* the column of each slot of the map, or -1 */

    struct csv_parser parser; /* of CSV; the rest is for it, too */
    GString *text;            /* the cells of this row, one after the other */
    gboolean row_ended;
};

/* ---- the header ---- */

/* Whether a header with the cells of the first line would be understood. */
static gboolean header_is_known(const TgSniff *sniff, const char *separator)
{
    g_auto(GStrv) names = g_strsplit(sniff->line, separator, -1);

    if (names[0] == NULL || names[1] == NULL)
        return FALSE;
    for (guint i = 0; names[i] != NULL; i++) {
        char *name = g_strstrip(names[i]);
        const gsize n = strlen(name);

        if (n > 1 && name[0] == '"' && name[n - 1] == '"') {
            name[n - 1] = '\0';
            name++;
        }
        if (tg_field_map_knows(sniff->fields, sniff->side, name))
            return TRUE;
    }
    return FALSE;
}

static gboolean read_header(Table *self, GError **error)
{
    const TgReader *reader = &self->base;
    const char *name = reader->stream->name;
    g_auto(TgRecord) header = { .file = name };
    g_autofree char *reason = NULL;

    self->cells = g_array_new(FALSE, FALSE, sizeof(Cell));
    const TgReadStatus status = self->read_cells(self, &header, error);
    if (status == TG_READ_ERROR)
        return FALSE;
    if (status == TG_READ_FAULT)
        return tg_fail_input(error, "%s", header.fault);
    if (status == TG_READ_END)
        return tg_fail_input(error,
                             "%s:%" G_GSIZE_FORMAT
                             ": the file ends before a header with the names of the columns",
                             name, reader->stream->line + 1);
    self->n_names = self->cells->len;
    self->names = g_new0(char *, self->n_names + 1);
    for (guint i = 0; i < self->n_names; i++) {
        const Cell *cell = &g_array_index(self->cells, Cell, i);

        self->names[i] = g_strstrip(g_strndup(cell->text, cell->len));
    }
    self->columns = g_new(int, tg_field_map_n_slots(reader->fields));
    return tg_field_map_bind(reader->fields, reader->side, self->names, self->columns, &reason) ||
           tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": %s", name, header.line, reason);
}

/* ---- rows ---- */

static gboolean table_next(TgReader *reader, TgRecord *out, GError **error)
{
    Table *self = (Table *) reader;
    const TgReadStatus status = self->read_cells(self, out, error);
    const guint n_cells = self->cells->len;

    if (status == TG_READ_END || status == TG_READ_ERROR)
        return FALSE;
    if (status == TG_READ_FAULT && self->text == NULL)
        return TRUE; /* the line of a TSV, which was not split */
    if (n_cells != self->n_names)
        tg_record_set_fault(out, "%u column%s, and the header has %u", n_cells,
                            n_cells == 1 ? "" : "s", self->n_names);
    /* A broken row of CSV is filled from the cells that could be read. */
    for (guint slot = 0; slot < tg_field_map_n_slots(reader->fields); slot++) {
        const int column = self->columns[slot];

        reader->values[slot] = (TgValue){ 0 };
        if (column < 0 || (guint) column >= n_cells)
            continue;
        const Cell *cell = &g_array_index(self->cells, Cell, column);
        if (out->fault == NULL || g_utf8_validate_len(cell->text, cell->len, NULL))
            reader->values[slot] =
                (TgValue){ .name = self->names[column], .text = cell->text, .len = cell->len };
    }
    tg_row_fill(reader->fields, reader->side, reader->values, NULL, out);
    for (guint i = 0; out->fault == NULL && reader->fields->keep_others && i < n_cells; i++) {
        const Cell *cell = &g_array_index(self->cells, Cell, i);
        const TgValue other = { .name = self->names[i], .text = cell->text, .len = cell->len };

        tg_row_keep_other(reader->fields, reader->values, &other, out);
    }
    return TRUE;
}

static void table_close(TgReader *reader)
{
    Table *self = (Table *) reader;

    g_clear_pointer(&self->cells, g_array_unref);
    g_strfreev(self->names);
    g_free(self->columns);
}

/*
 * ---- CSV ----
 *
 * Quoting is as in RFC 4180 (libcsv, strict). libcsv gets one line at a time, so the line of every
 * row is known, a quote that is never closed cannot take more than the limit, and a broken row
 * costs no other.
 */

static gboolean csv_sniff(const TgSniff *sniff)
{
    return strcmp(sniff->suffix, "csv") == 0 || header_is_known(sniff, ",") ||
           header_is_known(sniff, ";");
}

/* Spaces belong to a cell (RFC 4180). */
static int is_no_space(unsigned char c)
{
    (void) c;
    return 0;
}

/* The stream has removed CR before LF; any other CR is a character. */
static int is_line_feed(unsigned char c)
{
    return c == '\n';
}

/* The text may move until the row is whole, so that cells have their lengths alone. */
static void on_cell(void *text, size_t n, void *data)
{
    Table *self = data;
    const Cell cell = { NULL, n };

    g_string_append_len(self->text, text, (gssize) n);
    g_array_append_val(self->cells, cell);
}

static void on_row(int end, void *data)
{
    (void) end;
    ((Table *) data)->row_ended = TRUE;
}

/* Feed one line to libcsv; what it refuses becomes the row's fault. */
static void parse_line(Table *self, const char *line, gsize n, TgRecord *out)
{
    gsize at = csv_parse(&self->parser, line, n, on_cell, on_row, self);

    if (at == n)
        at += csv_parse(&self->parser, "\n", 1, on_cell, on_row, self);
    if (at == n + 1)
        return;
    tg_record_set_fault(out,
                        "byte %" G_GSIZE_FORMAT " of line %" G_GSIZE_FORMAT
                        ": a quote inside a cell that is not quoted, or text after a closing one",
                        at + 1, self->base.stream->line);
    self->row_ended = TRUE;
}

static TgReadStatus csv_read_cells(Table *self, TgRecord *out, GError **error)
{
    TgStream *stream = self->base.stream;
    const gsize limit = stream->max_line;
    gsize first = 0, taken = 0;

    csv_fini(&self->parser, NULL, NULL, NULL);
    g_string_truncate(self->text, 0);
    g_array_set_size(self->cells, 0);
    for (self->row_ended = FALSE; !self->row_ended;) {
        char *line;
        gsize n = 0;
        const TgLineStatus status = tg_stream_read_line(stream, &line, &n, error);

        if (status == TG_LINE_ERROR)
            return TG_READ_ERROR;
        if (status == TG_LINE_END && first == 0)
            return TG_READ_END;
        if (status == TG_LINE_READ && n == 0 && first == 0)
            continue; /* a blank line between rows */
        if (first == 0)
            out->line = first = stream->line;
        if (status == TG_LINE_END) {
            tg_record_set_fault(out, "a quote is not closed before the end of the file");
            break;
        }
        taken += n + 1;
        if (status == TG_LINE_TOO_LONG || taken > limit + 1) {
            tg_record_set_fault(out, "the row is longer than %" G_GSIZE_FORMAT " bytes", limit);
            break;
        }
        tg_reader_check_text(&self->base, line, n, out);
        parse_line(self, line, n, out);
    }
    const char *text = self->text->str;
    for (guint i = 0; i < self->cells->len; i++) {
        Cell *cell = &g_array_index(self->cells, Cell, i);

        cell->text = text;
        text += cell->len;
    }
    return out->fault == NULL ? TG_READ_LINE : TG_READ_FAULT;
}

/* Semicolons are what separates cells where the header has more of them than commas. */
static gboolean csv_open(TgReader *reader, GError **error)
{
    Table *self = (Table *) reader;
    gint n_more = 0; /* semicolons than commas */
    const char *text;
    gboolean whole;
    gsize len, i = 0;

    if (!tg_stream_peek(reader->stream, &text, &len, &whole, error))
        return FALSE;
    while (i < len && g_ascii_isspace(text[i]))
        i++;
    for (; i < len && text[i] != '\n'; i++)
        n_more += (text[i] == ';') - (text[i] == ',');
    if (csv_init(&self->parser, CSV_STRICT) != 0)
        g_error("libcsv cannot start"); /* only without memory */
    csv_set_space_func(&self->parser, is_no_space);
    csv_set_term_func(&self->parser, is_line_feed);
    if (n_more > 0)
        csv_set_delim(&self->parser, ';');
    self->text = g_string_new(NULL);
    self->read_cells = csv_read_cells;
    return read_header(self, error);
}

static void csv_close(TgReader *reader)
{
    Table *self = (Table *) reader;

    if (self->text == NULL)
        return; /* it did not come to be opened */
    csv_free(&self->parser);
    g_string_free(self->text, TRUE);
    table_close(reader);
}

const TgReaderClass tg_reader_csv = {
    .name = "csv",
    .sniff = csv_sniff,
    .size = sizeof(Table),
    .open = csv_open,
    .next = table_next,
    .close = csv_close,
};

/* ---- TSV: no quoting, since LaTeX contains quotes ---- */

/* The next line that is not empty. */
static TgReadStatus read_full_line(TgReader *reader, TgRecord *out, char **line, gsize *n,
                                   GError **error)
{
    TgReadStatus status;

    do {
        status = tg_reader_read_line(reader, out, line, n, error);
    } while (status == TG_READ_LINE && *n == 0);
    return status;
}

static gboolean tsv_sniff(const TgSniff *sniff)
{
    return strchr(sniff->line, '\t') != NULL && header_is_known(sniff, "\t");
}

/* The cells of a line with a fault are not split. */
static TgReadStatus tsv_read_cells(Table *self, TgRecord *out, GError **error)
{
    char *line;
    gsize n;
    const TgReadStatus status = read_full_line(&self->base, out, &line, &n, error);

    g_array_set_size(self->cells, 0);
    if (status != TG_READ_LINE)
        return status;
    for (const char *from = line, *tab; from != NULL; from = tab != NULL ? tab + 1 : NULL) {
        tab = memchr(from, '\t', (gsize) (line + n - from));
        const Cell cell = { from, (gsize) ((tab != NULL ? tab : line + n) - from) };

        g_array_append_val(self->cells, cell);
    }
    return status;
}

static gboolean tsv_open(TgReader *reader, GError **error)
{
    ((Table *) reader)->read_cells = tsv_read_cells;
    return read_header((Table *) reader, error);
}

const TgReaderClass tg_reader_tsv = {
    .name = "tsv",
    .sniff = tsv_sniff,
    .size = sizeof(Table),
    .open = tsv_open,
    .next = table_next,
    .close = table_close,
};

/* ---- captions: id, tab and formula, without a header ---- */

/* Whether [@line, @end) is an id, which has no LaTeX in it, one tab and a formula. */
static gboolean is_caption(const char *line, const char *end)
{
    const char *tab = memchr(line, '\t', (gsize) (end - line));

    if (tab == NULL || tab == line || memchr(tab + 1, '\t', (gsize) (end - tab) - 1) != NULL)
        return FALSE;
    for (const char *c = line; c < tab; c++)
        if (strchr("\\{}^$ ", *c) != NULL)
            return FALSE;
    return TRUE;
}

static gboolean captions_sniff(const TgSniff *sniff)
{
    const char *end = sniff->text + sniff->len, *lf;
    gboolean any = FALSE;

    for (const char *line = sniff->text; line < end; line = lf + 1) {
        lf = memchr(line, '\n', (gsize) (end - line));
        if (lf == NULL) {
            if (!sniff->whole)
                break; /* the rest of this line is not in sight */
            lf = end;
        }
        if (line[0] == '\n' || line[0] == '\r')
            continue;
        if (!is_caption(line, lf))
            return FALSE;
        any = TRUE;
    }
    return any;
}

static gboolean captions_next(TgReader *self, TgRecord *out, GError **error)
{
    char *line;
    gsize n;
    const TgReadStatus status = read_full_line(self, out, &line, &n, error);

    if (status != TG_READ_LINE)
        return status == TG_READ_FAULT;
    const char *tab = memchr(line, '\t', n);
    if (tab == NULL || tab == line) {
        tg_record_set_fault(out, "the line does not begin with an id and a tab");
        return TRUE;
    }
    out->id = g_strndup(line, (gsize) (tab - line));
    tg_row_take_formula(self->fields, self->side, tab + 1, n - (gsize) (tab + 1 - line), out);
    return TRUE;
}

const TgReaderClass tg_reader_captions = {
    .name = "captions",
    .sniff = captions_sniff,
    .size = sizeof(TgReader),
    .next = captions_next,
};

/* ---- lists: a formula on each line ---- */

static gboolean list_sniff(const TgSniff *sniff)
{
    (void) sniff;
    return TRUE; /* any text can be one */
}

static gboolean list_next(TgReader *self, TgRecord *out, GError **error)
{
    char *line;
    gsize n;
    const TgReadStatus status = tg_reader_read_line(self, out, &line, &n, error);

    if (status == TG_READ_LINE)
        tg_row_take_formula(self->fields, self->side, line, n, out);
    return status == TG_READ_LINE || status == TG_READ_FAULT;
}

const TgReaderClass tg_reader_list = {
    .name = "list",
    .sniff = list_sniff,
    .size = sizeof(TgReader),
    .next = list_next,
};
