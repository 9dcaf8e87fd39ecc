/* The life of a layout, and the two passes over a formula in turn. */
#include "render/typeset/layout.h"

#include "core/deadline.h"
#include "render/typeset/build.h"
#include "render/typeset/build_formula.h"
#include "render/typeset/mlist.h"

/* Nodes that may be built in addition to a multiple of the tree's. */
#define SPARE_NODES 200000

TgLayout *tg_layout_new(TgFontSet *fonts)
{
    TgLayout *self = g_new0(TgLayout, 1);

    self->fonts = tg_font_set_ref(fonts);
    self->set_mlist = tg_set_mlist;
    self->builders = tg_builders;
    self->composites = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify) tg_tree_free);
    return self;
}

void tg_layout_free(TgLayout *self)
{
    if (self == NULL)
        return;
    g_hash_table_unref(self->composites);
    tg_arena_clear(&self->arena);
    for (guint i = 0; i < TG_MATH_FONT_SETS; i++)
        g_free(self->sets[i]);
    g_clear_error(&self->error);
    tg_font_set_unref(self->fonts);
    g_free(self);
}

void tg_layout_reset(TgLayout *self)
{
    tg_arena_reset(&self->arena);
    g_clear_error(&self->error);
    self->text.font = (TgTextFont){ .size = TG_SIZE_NORMAL };
    tg_layout_set_text_size(self, TG_SIZE_NORMAL);
    self->color = 0;
    self->token = TG_NO_TOKEN;
    self->bold = FALSE;
    self->measuring = 0;
    self->hollow = (TgHollow){ NULL, NULL };
    self->null_delimiter_space = TG_PT(1.2);
}

const TgItem *tg_layout_tree(TgLayout *self, const TgTree *tree, int style, GError **error)
{
    tg_layout_reset(self);
    self->math = NULL;
    self->budget = 4 * (guint64) tree->n_nodes + SPARE_NODES;

    const TgItem *box = tg_layout_formula(self, tg_tree_root(tree), style);
    if (self->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&self->error));
        return NULL;
    }
    return tg_deadline_check(error) ? box : NULL;
}

TgArena *tg_layout_arena(TgLayout *self)
{
    return &self->arena;
}
