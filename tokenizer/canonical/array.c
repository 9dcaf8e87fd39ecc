/* The canonical form of arrays: the same rows, their parts made canonical. */
#include "tokenizer/canonical/array.h"

#include <string.h>

#include "tokenizer/canonical/list.h"
#include "tokenizer/tree/tree.h"

static const TgColumnItem *copy_columns(TgCanonicalWriter *self, const TgColumnItem *items,
                                        guint32 n)
{
    TgColumnItem *copy = tg_canonical_keep(self, items, n * sizeof *items);

    for (guint32 i = 0; i < n; i++)
        copy[i].material = tg_canonical_list(self, copy[i].material);
    return copy;
}

/* A space that was a tie: as a plain one it would be lost at the end of a cell of text. */
static void keep_tie(const TgNode *item)
{
    TgNode *copy = (TgNode *) item; /* made by tg_canonical_list() a moment ago */

    if (item != NULL && item->kind == TG_NODE_SPACE &&
        item->u.space.amount.unit == TG_UNIT_INTERWORD &&
        item->u.space.interword == TG_INTERWORD_BLANK)
        copy->u.space.interword = TG_INTERWORD_TIE;
}

static void keep_outer_ties(const TgNode *list)
{
    const TgNode *last = NULL;

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next)
        last = item;
    keep_tie(list->u.list.first);
    keep_tie(last);
}

static const TgRow *copy_cells(TgCanonicalWriter *self, const TgArray *array)
{
    TgRow *rows = tg_canonical_keep(self, array->rows, array->n_rows * sizeof *rows);

    for (guint32 r = 0; r < array->n_rows; r++) {
        TgCell *cells = tg_canonical_keep(self, rows[r].cells, rows[r].n_cells * sizeof *cells);

        for (guint32 i = 0; i < rows[r].n_cells; i++) {
            cells[i].columns = copy_columns(self, cells[i].columns, cells[i].n_columns);
            self->text = cells[i].text;
            cells[i].content = tg_canonical_list(self, cells[i].content);
            if (cells[i].text)
                keep_outer_ties(cells[i].content);
        }
        rows[r].cells = cells;
    }
    return rows;
}

static const TgBetween *copy_between(TgCanonicalWriter *self, const TgArray *array)
{
    TgBetween *between =
        tg_canonical_keep(self, array->between, array->n_between * sizeof *between);

    for (guint32 i = 0; i < array->n_between; i++) {
        if (between[i].text != NULL)
            between[i].text = self->write_node(self, between[i].text);
    }
    return between;
}

const TgArray *tg_canonical_array(TgCanonicalWriter *self, const TgArray *array)
{
    const guint8 style = self->style;
    const gboolean text = self->text;
    TgArray *copy = tg_canonical_keep(self, array, sizeof *copy);

    self->style = tg_style_of_cells(array);
    copy->name = tg_canonical_keep(self, array->name, strlen(array->name) + 1);
    copy->columns = copy_columns(self, array->columns, array->n_column_items);
    copy->rows = copy_cells(self, array);
    self->text = array->text;
    copy->between = copy_between(self, array);
    self->text = text;
    self->style = style;
    if (copy->left != NULL)
        copy->left = tg_canonical_copy(self, copy->left);
    if (copy->right != NULL)
        copy->right = tg_canonical_copy(self, copy->right);
    return copy;
}
