/* Lists: a formula on each line, an empty line being the empty formula (UniMERNet, im2latex). */
#include "datasets/readers/builtin.h"
#include "datasets/records/row.h"

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
    .summary = "a formula on each line",
    .sniff = list_sniff,
    .size = sizeof(TgReader),
    .next = list_next,
};
