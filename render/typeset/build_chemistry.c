/* Scripts as mhchem's \ce sets them. */
#include "render/typeset/typeset.h"

/* {\vphantom{X}}, which carries the scripts so that all stand alike. */
static TgItem *capital_strut(TgLayout *self, G_GNUC_UNUSED const TgNode *node)
{
    const TgItem *x = tg_math_char_box(self, TG_MATH_ROMAN, 'X', TG_NO_TOKEN, self->now.style);

    return tg_empty_box(self, 0, x->height, x->depth);
}

static TgItem *smashed_script(TgLayout *self, const TgNode *list)
{
    TgItem *box = tg_formula_here(self, list);

    box->height = 0;
    return box;
}

static TgNoad *append_strut(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    return tg_append(self, out, TG_NOAD_ORD, tg_deferred_field(self, capital_strut, node));
}

static TgField left_of_here(TgLayout *self, TgItem *box)
{
    return tg_box_field(tg_hbox(self, tg_kern(self, -box->width), box));
}

/* The scripts of an isotope: their right ends above each other, close to what follows. */
static TgItem *scripts_before(TgLayout *self, const TgNode *node)
{
    const int style = self->now.style, script = tg_sup_style(style) & ~TG_CRAMPED;
    TgNoadList list = { NULL, NULL };
    TgNoad *strut = append_strut(self, node, &list);
    TgScaled width = 0;

    if (node->u.scripts.sup != NULL) {
        TgItem *box = tg_formula_box(self, node->u.scripts.sup, script);

        width = box->width;
        strut->sup = left_of_here(self, box);
    }
    if (node->u.scripts.sub != NULL) {
        TgItem *box = tg_formula_box(self, node->u.scripts.sub, script);

        box->height = tg_math_char_box(self, TG_MATH_ROMAN, '2', TG_NO_TOKEN, script)->height;
        width = MAX(width, box->width);
        strut->sub = left_of_here(self, box);
    }
    return tg_hbox(self, tg_kern(self, width), tg_list_box(self, list.first, style));
}

void tg_build_chemistry_scripts(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgNode *sub = node->u.scripts.sub, *sup = node->u.scripts.sup;

    if (node->u.scripts.form == TG_SCRIPTS_BEFORE) {
        tg_append(self, out, TG_NOAD_ORD, tg_deferred_field(self, scripts_before, node));
        return;
    }
    if (sub != NULL)
        append_strut(self, node, out)->sub = tg_deferred_field(self, smashed_script, sub);
    if (sup != NULL)
        append_strut(self, node, out)->sup = tg_build_field(self, sup);
}
