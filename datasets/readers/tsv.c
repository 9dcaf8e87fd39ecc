/* TSV: a header, cells between tabs, and no quoting, as LaTeX holds quotes. */
#include "datasets/readers/builtin.h"
#include "datasets/readers/tabular.h"

#include <string.h>

typedef struct {
    TgReader base;
    TgTable table;
    GArray *cells;
} TsvReader;

static gboolean sniff(const TgSniff *sniff)
{
    return strchr(sniff->line, '\t') != NULL && tg_table_sniff(sniff, "\t");
}

static void split(GArray *cells, char *line, gsize n)
{
    char *end = line + n;

    g_array_set_size(cells, 0);
    for (;;) {
        char *tab = memchr(line, '\t', (gsize) (end - line));
        const TgCell cell = { line, (gsize) ((tab != NULL ? tab : end) - line) };

        g_array_append_val(cells, cell);
        if (tab == NULL)
            return;
        line = tab + 1;
    }
}

/* The next line that is not empty, as cells; those of a line with a fault are not split. */
static TgReadStatus read_cells(TsvReader *self, TgRecord *out, GError **error)
{
    TgReadStatus status;
    char *line;
    gsize n;

    do {
        status = tg_reader_read_line(&self->base, out, &line, &n, error);
    } while (status == TG_READ_LINE && n == 0);
    g_array_set_size(self->cells, 0);
    if (status == TG_READ_LINE)
        split(self->cells, line, n);
    return status;
}

static gboolean open_table(TgReader *reader, GError **error)
{
    TsvReader *self = (TsvReader *) reader;
    g_auto(TgRecord) header = { .file = tg_stream_name(reader->stream) };

    self->cells = g_array_new(FALSE, FALSE, sizeof(TgCell));
    const TgReadStatus status = read_cells(self, &header, error);
    return tg_table_open(&self->table, reader, status, self->cells, &header, error);
}

static gboolean next(TgReader *reader, TgRecord *out, GError **error)
{
    TsvReader *self = (TsvReader *) reader;
    const TgReadStatus status = read_cells(self, out, error);

    if (status == TG_READ_LINE)
        tg_table_fill(&self->table, reader, self->cells, out);
    return status == TG_READ_LINE || status == TG_READ_FAULT;
}

static void close_table(TgReader *reader)
{
    TsvReader *self = (TsvReader *) reader;

    g_clear_pointer(&self->cells, g_array_unref);
    tg_table_close(&self->table);
}

const TgReaderClass tg_reader_tsv = {
    .name = "tsv",
    .summary = "a header and cells between tabs, without quoting",
    .sniff = sniff,
    .size = sizeof(TsvReader),
    .open = open_table,
    .next = next,
    .close = close_table,
};
