/* Caption files: id, tab, formula on each line, without a header (CROHME, HME100K). */
#include "datasets/readers/builtin.h"
#include "datasets/records/row.h"

#include <string.h>

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
    TgReadStatus status;
    char *line;
    gsize n;

    do {
        status = tg_reader_read_line(self, out, &line, &n, error);
    } while (status == TG_READ_LINE && n == 0);
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
    .summary = "id, tab and formula on each line, without a header",
    .sniff = captions_sniff,
    .size = sizeof(TgReader),
    .next = captions_next,
};
