/* Label graphs of CROHME (.lg): a file is one row, its text the formula and its name the id. */
#include "datasets/readers/reader.h"

#include <string.h>

#include "core/label_graph.h"

typedef struct {
    TgReader base;
    gboolean is_read;
} LabelGraph;

static gboolean label_graph_sniff(const TgSniff *sniff)
{
    return strcmp(sniff->suffix, "lg") == 0;
}

static TgNext label_graph_next(TgReader *self, TgRecord *out, GError **error)
{
    LabelGraph *reader = (LabelGraph *) self;
    g_autoptr(GString) text = g_string_new(NULL);
    TgNext next;
    char *line, *end = NULL; /* of the name without .lg */
    gsize n;

    if (reader->is_read)
        return TG_NEXT_END;
    while ((next = tg_reader_read_line(self, out, &line, &n, error)) == TG_NEXT_ROW) {
        if (line != NULL && text->len + n < self->stream->max_line)
            g_string_append_printf(text, "%s\n", line);
        else if (line != NULL)
            tg_record_set_fault(out, "the label graph is longer than %" G_GSIZE_FORMAT " bytes",
                                self->stream->max_line);
    }
    if (next == TG_NEXT_ERROR)
        return next;
    reader->is_read = TRUE;
    out->line = 1;
    out->id = g_path_get_basename(self->stream->name);
    for (char *dot = strchr(out->id, '.'); dot != NULL; dot = strchr(dot + 1, '.'))
        if (g_ascii_strncasecmp(dot, ".lg", 3) == 0)
            end = dot;
    if (end != NULL && end > out->id)
        *end = '\0'; /* with what says that the file is compressed */
    if (self->side == TG_FILE_HYPOTHESES && out->fault != NULL) { /* a prediction that is wrong */
        out->remark = g_steal_pointer(&out->fault);
        g_string_truncate(text, 0);
    }
    g_string_append(text, TG_LABEL_GRAPH_MARK);
    tg_row_take_formula(self->fields, self->side, text->str, text->len, out);
    return TG_NEXT_ROW;
}

const TgReaderClass tg_reader_label_graph = {
    .name = "label-graph",
    .sniff = label_graph_sniff,
    .size = sizeof(LabelGraph),
    .next = label_graph_next,
    .is_row = TRUE,
};
