/* Scripts, bonds and signs as mhchem's \ce sets them. */
#include "render/typeset/typeset.h"

/* ---- Scripts --------------------------------------------------------------------------------- */

/* {\vphantom{X}}, which carries the scripts so that all stand alike. */
static TgItem *capital_strut(TgLayout *self, G_GNUC_UNUSED const TgNode *node)
{
    const TgItem *x = tg_math_char_box(self, TG_MATH_ROMAN, 'X', TG_NO_TOKEN, self->now.style);

    return tg_empty_box(self, 0, x->height, x->depth);
}

/* \smash[t]{list} */
static TgItem *smashed_script(TgLayout *self, const TgNode *list)
{
    TgItem *box = tg_formula_here(self, list);

    box->height = 0;
    return box;
}

/* The same, as high as a digit. */
static TgItem *digit_script(TgLayout *self, const TgNode *list)
{
    TgItem *box = tg_formula_here(self, list);

    box->height = tg_math_char_box(self, TG_MATH_ROMAN, '2', TG_NO_TOKEN, self->now.style)->height;
    return box;
}

static TgNoad *append_strut(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    return tg_append(self, out, TG_NOAD_ORD, tg_make_field(self, capital_strut, node));
}

/* @box to the left of here. */
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
        tg_set_style(self, script);
        TgItem *box = digit_script(self, node->u.scripts.sub);
        tg_set_style(self, style);

        width = MAX(width, box->width);
        strut->sub = left_of_here(self, box);
    }
    return tg_hbox(self, tg_kern(self, width), tg_list_box(self, list.first, style));
}

void tg_build_chemistry_scripts(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgScriptsForm form = node->u.scripts.form;
    const TgNode *sub = node->u.scripts.sub, *sup = node->u.scripts.sup;

    if (form == TG_SCRIPTS_BEFORE) {
        tg_append(self, out, TG_NOAD_ORD, tg_make_field(self, scripts_before, node));
        return;
    }
    if (form == TG_SCRIPTS_STACKED && sub != NULL && sup != NULL) {
        TgNoad *strut = append_strut(self, node, out);

        strut->sub = tg_make_field(self, digit_script, sub);
        strut->sup = tg_build_field(self, sup);
        return;
    }
    if (sup != NULL && form == TG_SCRIPTS_SUP_SUB)
        append_strut(self, node, out)->sup = tg_build_field(self, sup);
    if (sub != NULL)
        append_strut(self, node, out)->sub = tg_make_field(self, smashed_script, sub);
    if (sup != NULL && form != TG_SCRIPTS_SUP_SUB)
        append_strut(self, node, out)->sup = tg_build_field(self, sup);
}

/* ---- Bonds ----------------------------------------------------------------------------------- */

/* Lines above each other; heights in hundredths of an ex. */
typedef struct {
    const char *symbol; /* that stands for it in the tree */
    gint8 heights[3];
    guint8 n, dotted; /* dotted: which of them, from 1; 0: none */
} Bond;

static const Bond *find_bond(const TgNode *node)
{
    static const Bond bonds[] = {
        { "-", { 0 }, 1, 0 },
        { "=", { 20, -20 }, 2, 0 },
        { "equiv", { 40, 0, -40 }, 3, 0 },
        { "sim", { 0 }, 1, 1 },
        { "simeq", { 20, -20 }, 2, 1 },
        { "cong", { 40, 0, -40 }, 3, 1 },
        { "approxeq", { 40, 0, -40 }, 3, 2 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(bonds); i++) {
        if (g_str_equal(bonds[i].symbol, node->u.symbol.symbol->name))
            return &bonds[i];
    }
    return NULL;
}

/* Three short lines as wide together as @line, between the minus's bearings, with gaps as wide as
 * two bearings. */
static TgItem *dotted_line(TgLayout *self, const TgNode *node, const TgItem *line)
{
    const TgScaled left = tg_em(self) * 6 / 100, right = tg_em(self) * 11 / 100;
    const TgScaled dash = MAX((line->width - 2 * (left + right)) / 3, 0);
    const TgScaled thick = tg_rule_thickness(self);
    const TgScaled middle = tg_math_sy_at(self, TG_PARAM_AXIS_HEIGHT, TG_MATH_TEXT);
    TgItemList list = { NULL, NULL };

    for (guint i = 0; i < 3; i++)
        tg_item_list_add(&list,
                         tg_items(tg_kern(self, i == 0 ? left : (left + right) / 2),
                                  tg_rule(self, dash, middle + thick / 2,
                                          thick - thick / 2 - middle, tg_ink(self, node->token))));
    TgItem *box = tg_empty_box(self, line->width, line->height, line->depth);
    box->list = list.first;
    return box;
}

/* Each line is a minus of text size. */
static TgItem *make_bond(TgLayout *self, const TgNode *node)
{
    const Bond *bond = find_bond(node);
    TgItemList list = { NULL, NULL };

    for (guint i = 0; i < bond->n; i++) {
        TgItem *line = tg_math_char_box(self, TG_MATH_SYMBOLS, 0x00, node->token, TG_TEXT);

        if (bond->dotted == i + 1)
            line = dotted_line(self, node, line);
        line->shift = -tg_ex(self) * bond->heights[i] / 100;
        tg_item_list_add(&list, line);
        if (i + 1 < bond->n)
            tg_item_list_add(&list, tg_kern(self, -line->width));
    }
    return tg_hpack(self, list.first);
}

/* ---- Signs ----------------------------------------------------------------------------------- */

/* A bond, an arrow without labels, or the sign of a gas or precipitate: {}\mathop{\downarrow}{} */
void tg_build_chemistry_sign(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgSymbol *symbol = node->u.symbol.symbol;

    if (g_str_equal(symbol->name, "uparrow") || g_str_equal(symbol->name, "downarrow")) {
        const TgField arrow = tg_char_field(self, TG_MATH_SYMBOLS, symbol->slot, node->token);

        tg_append_empty(self, out);
        tg_append(self, out, TG_NOAD_OP, tg_list_field(tg_noad_new(self, TG_NOAD_REL, arrow)));
        tg_append_empty(self, out);
    } else if (find_bond(node) != NULL) {
        tg_append(self, out, TG_NOAD_ORD, tg_make_field(self, make_bond, node));
    } else {
        tg_build_chemistry_arrow(self, node, out);
    }
}
