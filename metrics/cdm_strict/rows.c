/* Collects elements in rows that are open, innermost last. */
#include "metrics/cdm_strict/rows.h"

TgStrictMark tg_strict_open(TgStrictReader *self)
{
    const TgStrictMark mark = { self->row_start, self->pending->len, self->out->elements->len };

    self->row_start = self->pending->len;
    return mark;
}

void tg_strict_end_stroke(TgStrictReader *self)
{
    const TgNode *stroke = self->stroke;

    self->stroke = NULL;
    if (stroke != NULL)
        tg_strict_add(self, tg_strict_symbol(stroke), stroke->token);
}

void tg_strict_close(TgStrictReader *self, TgStrictMark mark, TgStrictRole role)
{
    tg_strict_end_stroke(self);
    self->row_start = mark.row_start;
    if (self->out->elements->len > mark.n_elements) {
        const TgStrictGroup group = { (guint8) role, self->out->children->len,
                                      self->pending->len - mark.pending };
        const guint32 child = self->out->groups->len | TG_STRICT_GROUP_BIT;

        g_array_append_vals(self->out->children,
                            &g_array_index(self->pending, guint32, mark.pending), group.n_children);
        g_array_append_val(self->out->groups, group);
        g_array_set_size(self->pending, mark.pending);
        g_array_append_val(self->pending, child);
    } else {
        g_array_set_size(self->pending, mark.pending);
    }
}

/* Three dots in a row are an ellipsis and two bars a double line, however they are written. */
static void join_last(TgStrictReader *self, guint32 n)
{
    GArray *elements = self->out->elements;
    const guint32 n_elements = elements->len, n_pending = self->pending->len;
    TgStrictGlyph joined = { 0 };

    if (n_elements < n || n_pending < self->row_start + n)
        return;
    TgStrictElement *first = &g_array_index(elements, TgStrictElement, n_elements - n);
    if (!tg_strict_join(first->glyph, n, &joined))
        return;
    for (guint32 i = 0; i < n; i++) {
        if (g_array_index(self->pending, guint32, n_pending - n + i) != n_elements - n + i ||
            tg_strict_compare(first[i].glyph, first->glyph, FALSE) != TG_STRICT_SAME ||
            (i > 0 && first[i].cell.is_first))
            return;
    }
    first->glyph = joined;
    first->last_token = first[n - 1].token;
    g_array_set_size(elements, n_elements - n + 1);
    g_array_set_size(self->pending, n_pending - n + 1);
}

guint32 tg_strict_add(TgStrictReader *self, TgStrictGlyph glyph, guint32 token)
{
    const guint32 index = self->out->elements->len;

    if (token == TG_NO_TOKEN)
        token = self->token;
    if (token >= self->n_tokens || !self->has_ink[token])
        return TG_NO_TOKEN;

    TgStrictElement element = {
        .glyph = glyph,
        .cell = self->cell,
        .line = self->line,
        .token = token,
        .last_token = token,
        .part = self->n_parts[token]++,
    };
    if (self->stroke != NULL) {
        element.glyph.negated ^= 1;
        element.token = self->stroke->token < self->n_tokens ? self->stroke->token : token;
        self->stroke = NULL;
    }
    self->cell.is_first = 0;
    g_array_append_val(self->out->elements, element);
    g_array_append_val(self->pending, index);
    join_last(self, 2);
    join_last(self, 3);
    return index;
}

void tg_strict_end_cover(TgStrictReader *self, guint32 cover)
{
    if (cover != TG_NO_TOKEN)
        g_array_index(self->out->elements, TgStrictElement, cover).cover_end =
            self->out->elements->len;
}

void tg_strict_read_in_style(TgStrictReader *self, const TgNode *list, guint8 style)
{
    const guint8 around = self->style;

    self->style = style;
    self->read_node(self, list);
    self->style = around;
}

void tg_strict_read_row(TgStrictReader *self, const TgNode *list, TgStrictRole role, TgStyle style)
{
    if (list == NULL)
        return;

    const TgStrictMark mark = tg_strict_open(self);
    tg_strict_read_in_style(self, list, (guint8) style);
    tg_strict_close(self, mark, role);
}

void tg_strict_read_delimiter(TgStrictReader *self, const TgNode *delimiter)
{
    if (delimiter != NULL)
        tg_strict_add(self, tg_strict_symbol(delimiter), delimiter->token);
}
