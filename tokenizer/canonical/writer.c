/* Memory of a canonical tree being made. */
#include "tokenizer/canonical/writer.h"

#include <string.h>

#include "tokenizer/tree/tree.h"

TgNode *tg_canonical_copy(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_keep(self, node, sizeof *node);

    copy->next = NULL;
    self->tree->n_nodes++;
    return copy;
}

gpointer tg_canonical_keep(TgCanonicalWriter *self, gconstpointer data, gsize size)
{
    return size > 0 ? memcpy(tg_arena_alloc(&self->tree->arena, size), data, size) : NULL;
}
