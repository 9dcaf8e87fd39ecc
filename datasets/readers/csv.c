/*
 * CSV: a header, cells between commas or semicolons, quoting as in RFC 4180 (libcsv, strict).
 *
 * libcsv gets one line at a time, so the line of every row is known, a quote that is never closed
 * cannot take more than the limit, and a broken row costs no other.
 */
#include "datasets/readers/builtin.h"
#include "datasets/readers/tabular.h"

#include <string.h>

#include <csv.h>

typedef struct {
    TgTabular base;
    struct csv_parser parser;
    gboolean parser_ready;
    GString *text; /* the cells of this row, one after the other */
    GArray *ends;  /* gsize: where in @text each one ends */
    gboolean row_ended;
} CsvReader;

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

static void on_cell(void *text, size_t n, void *data)
{
    CsvReader *self = data;

    g_string_append_len(self->text, text, (gssize) n);
    g_array_append_val(self->ends, self->text->len);
}

static void on_row(int end, void *data)
{
    CsvReader *self = data;

    (void) end;
    self->row_ended = TRUE;
}

static gboolean csv_sniff(const TgSniff *sniff)
{
    return strcmp(sniff->suffix, "csv") == 0 || tg_tabular_sniff(sniff, ",") ||
           tg_tabular_sniff(sniff, ";");
}

static void forget_row(CsvReader *self)
{
    csv_fini(&self->parser, NULL, NULL, NULL);
    g_string_truncate(self->text, 0);
    g_array_set_size(self->ends, 0);
    self->row_ended = FALSE;
}

static void collect_cells(CsvReader *self)
{
    gsize start = 0;

    g_array_set_size(self->base.cells, 0);
    for (guint i = 0; i < self->ends->len; i++) {
        const gsize end = g_array_index(self->ends, gsize, i);
        const TgTabularCell cell = { self->text->str + start, end - start };

        g_array_append_val(self->base.cells, cell);
        start = end;
    }
}

/* Feed one line to libcsv; what it refuses becomes the row's fault. */
static void parse_line(CsvReader *self, const char *line, gsize n, TgRecord *out)
{
    gsize at = csv_parse(&self->parser, line, n, on_cell, on_row, self);

    if (at == n)
        at += csv_parse(&self->parser, "\n", 1, on_cell, on_row, self);
    if (at == n + 1)
        return;
    tg_record_set_fault(out,
                        "byte %" G_GSIZE_FORMAT " of line %" G_GSIZE_FORMAT
                        ": a quote inside a cell that is not quoted, or text behind a closing one",
                        at + 1, tg_stream_line(self->base.base.stream));
    self->row_ended = TRUE;
}

/* One row into self->base.cells; @out has its line, and a fault if it is broken. */
static TgReadStatus read_cells(TgTabular *reader, TgRecord *out, GError **error)
{
    CsvReader *self = (CsvReader *) reader;
    const gsize limit = tg_stream_max_line(self->base.base.stream);
    gsize first = 0, taken = 0;

    for (forget_row(self); !self->row_ended;) {
        char *line;
        gsize n = 0;
        const TgLineStatus status = tg_stream_read_line(self->base.base.stream, &line, &n, error);

        if (status == TG_LINE_ERROR)
            return TG_READ_ERROR;
        if (status == TG_LINE_END && first == 0)
            return TG_READ_END;
        if (status == TG_LINE_READ && n == 0 && first == 0)
            continue; /* a blank line between rows */
        if (first == 0)
            out->line = first = tg_stream_line(self->base.base.stream);
        if (status == TG_LINE_END) {
            tg_record_set_fault(out, "a quote is not closed before the end of the file");
            break;
        }
        taken += n + 1;
        if (status == TG_LINE_TOO_LONG || taken > limit + 1) {
            tg_record_set_fault(out, "the row is longer than %" G_GSIZE_FORMAT " bytes", limit);
            break;
        }
        g_autofree char *what = tg_reader_check_text(&self->base.base, line, n);
        if (what != NULL)
            tg_record_set_fault(out, "%s", what);
        parse_line(self, line, n, out);
    }
    collect_cells(self);
    return out->fault == NULL ? TG_READ_LINE : TG_READ_FAULT;
}

/* Semicolons are what separates cells where the header has more of them than commas. */
static gboolean csv_find_separator(CsvReader *self, GError **error)
{
    const char *text;
    gboolean whole;
    gsize len, n_commas = 0, n_semicolons = 0;

    if (!tg_stream_peek(self->base.base.stream, &text, &len, &whole, error))
        return FALSE;
    while (len > 0 && g_ascii_isspace(*text)) {
        text++;
        len--;
    }
    for (gsize i = 0; i < len && text[i] != '\n'; i++) {
        n_commas += text[i] == ',';
        n_semicolons += text[i] == ';';
    }
    if (n_semicolons > n_commas)
        csv_set_delim(&self->parser, ';');
    return TRUE;
}

static gboolean csv_open(TgReader *reader, GError **error)
{
    CsvReader *self = (CsvReader *) reader;

    if (csv_init(&self->parser, CSV_STRICT) != 0)
        g_error("libcsv cannot start"); /* only without memory */
    self->parser_ready = TRUE;
    csv_set_space_func(&self->parser, is_no_space);
    csv_set_term_func(&self->parser, is_line_feed);
    self->text = g_string_new(NULL);
    self->ends = g_array_new(FALSE, FALSE, sizeof(gsize));
    self->base.fills_faulty = TRUE;
    return csv_find_separator(self, error) && tg_tabular_open(&self->base, read_cells, error);
}

static void csv_close(TgReader *reader)
{
    CsvReader *self = (CsvReader *) reader;

    if (!self->parser_ready)
        return;
    csv_free(&self->parser);
    g_string_free(self->text, TRUE);
    g_array_unref(self->ends);
    tg_tabular_close(reader);
}

const TgReaderClass tg_reader_csv = {
    .name = "csv",
    .summary = "a header and cells between commas or semicolons, quoted as in RFC 4180",
    .sniff = csv_sniff,
    .size = sizeof(CsvReader),
    .open = csv_open,
    .next = tg_tabular_next,
    .close = csv_close,
};
