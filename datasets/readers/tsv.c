/* TSV: a header row, cells between tabs, and no quoting, since LaTeX contains quotes. */
#include "datasets/readers/builtin.h"
#include "datasets/readers/tabular.h"

#include <string.h>

static gboolean tsv_sniff(const TgSniff *sniff)
{
    return strchr(sniff->line, '\t') != NULL && tg_tabular_sniff(sniff, "\t");
}

static void split_at_tabs(GArray *cells, char *line, gsize n)
{
    char *end = line + n;

    g_array_set_size(cells, 0);
    for (;;) {
        char *tab = memchr(line, '\t', (gsize) (end - line));
        const TgTabularCell cell = { line, (gsize) ((tab != NULL ? tab : end) - line) };

        g_array_append_val(cells, cell);
        if (tab == NULL)
            return;
        line = tab + 1;
    }
}

/* The next line that is not empty, as cells; those of a line with a fault are not split. */
static TgReadStatus read_cells(TgTabular *self, TgRecord *out, GError **error)
{
    TgReadStatus status;
    char *line;
    gsize n;

    do {
        status = tg_reader_read_line(&self->base, out, &line, &n, error);
    } while (status == TG_READ_LINE && n == 0);
    g_array_set_size(self->cells, 0);
    if (status == TG_READ_LINE)
        split_at_tabs(self->cells, line, n);
    return status;
}

static gboolean tsv_open(TgReader *reader, GError **error)
{
    return tg_tabular_open((TgTabular *) reader, read_cells, error);
}

const TgReaderClass tg_reader_tsv = {
    .name = "tsv",
    .summary = "a header and cells between tabs, without quoting",
    .sniff = tsv_sniff,
    .size = sizeof(TgTabular),
    .open = tsv_open,
    .next = tg_tabular_next,
    .close = tg_tabular_close,
};
