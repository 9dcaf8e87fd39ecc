/* Scripts and bonds as mhchem's \ce sets them. */
#include "render/typeset/builders.h"

/* ---- Scripts --------------------------------------------------------------------------------- */

/* A character of the roman font in the style in force, without ink and width. */
static TgItem *roman_strut(TgLayout *self, guint slot, int style)
{
    TgField field = tg_char_field(self, TG_MATH_ROMAN, slot, TG_NO_TOKEN);
    TgItem *box = tg_hpack(&self->arena, tg_clean_box(self, &field, style));

    box->list = NULL;
    box->width = 0;
    return box;
}

/* {\vphantom{X}}, which carries the scripts so that all stand alike. */
static TgItem *capital_strut(TgLayout *self, G_GNUC_UNUSED const TgNode *node)
{
    return roman_strut(self, 'X', self->style);
}

/* \smash[t]{list} */
static TgItem *smashed_script(TgLayout *self, const TgNode *list)
{
    TgItem *box = tg_layout_formula(self, list, self->style & ~TG_CRAMPED);

    box->height = 0;
    return box;
}

/* The same, as high as a digit. */
static TgItem *digit_script(TgLayout *self, const TgNode *list)
{
    TgItem *box = smashed_script(self, list);

    box->height = roman_strut(self, '2', self->style)->height;
    return box;
}

static TgNoad *append_strut(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    return tg_append_noad(self, out, TG_NOAD_ORD, tg_make_field(self, capital_strut, node));
}

/* @box to the left of here. */
static TgField left_of_here(TgLayout *self, TgItem *box)
{
    TgItem *kern = tg_item_kern(&self->arena, -box->width);

    kern->next = box;
    return tg_box_field(tg_hpack(&self->arena, kern));
}

/* The scripts of an isotope: their right ends above each other, close to what follows. */
static TgItem *scripts_before(TgLayout *self, const TgNode *node)
{
    const int style = self->style, script = tg_sup_style(style) & ~TG_CRAMPED;
    TgNoadList list;
    TgScaled width = 0;

    tg_noad_list_init(&list);
    TgNoad *strut = append_strut(self, node, &list);
    if (node->u.scripts.sup != NULL) {
        TgItem *box = tg_layout_formula(self, node->u.scripts.sup, script);

        width = box->width;
        strut->sup = left_of_here(self, box);
    }
    if (node->u.scripts.sub != NULL) {
        tg_layout_set_style(self, script);
        TgItem *box = digit_script(self, node->u.scripts.sub);
        tg_layout_set_style(self, style);

        width = MAX(width, box->width);
        strut->sub = left_of_here(self, box);
    }
    TgItem *room = tg_item_kern(&self->arena, width);
    room->next = tg_hpack(&self->arena, tg_set_list(self, list.first, style));
    return tg_hpack(&self->arena, room);
}

void tg_build_chemistry_scripts(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgScriptsForm form = node->u.scripts.form;
    const TgNode *sub = node->u.scripts.sub, *sup = node->u.scripts.sup;

    if (form == TG_SCRIPTS_BEFORE) {
        tg_append_noad(self, out, TG_NOAD_ORD, tg_make_field(self, scripts_before, node));
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

static const Bond bonds[] = {
    { "-", { 0 }, 1, 0 },
    { "=", { 20, -20 }, 2, 0 },
    { "equiv", { 40, 0, -40 }, 3, 0 },
    { "sim", { 0 }, 1, 1 },
    { "simeq", { 20, -20 }, 2, 1 },
    { "cong", { 40, 0, -40 }, 3, 1 },
    { "approxeq", { 40, 0, -40 }, 3, 2 },
};

static const Bond *find_bond(const TgNode *node)
{
    for (guint i = 0; i < G_N_ELEMENTS(bonds); i++) {
        if (g_str_equal(bonds[i].symbol, node->u.symbol.symbol->name))
            return &bonds[i];
    }
    return NULL;
}

/* The minus of text size. */
static TgItem *full_line(TgLayout *self, const TgNode *node)
{
    TgField field = tg_char_field(self, TG_MATH_SYMBOLS, 0x00, node->token);

    return tg_hpack(&self->arena, tg_clean_box(self, &field, TG_TEXT));
}

/* Three short lines as wide together as @line, between the minus's bearings, with gaps as wide as
 * two bearings. */
static TgItem *dotted_line(TgLayout *self, const TgNode *node, const TgItem *line)
{
    const TgScaled left = tg_layout_em(self) * 6 / 100, right = tg_layout_em(self) * 11 / 100;
    const TgScaled dash = (line->width - 2 * (left + right)) / 3;
    const TgScaled thick = tg_rule_thickness(self);
    const TgScaled middle = tg_math_sy(self, TG_PARAM_AXIS_HEIGHT, TG_MATH_TEXT);
    TgItemList list;

    tg_item_list_init(&list);
    tg_item_list_add(&list, tg_item_kern(&self->arena, left));
    for (guint i = 0; i < 3; i++) {
        TgItem *rule = tg_item_rule(&self->arena, MAX(dash, 0), middle + thick / 2,
                                    thick - thick / 2 - middle);
        rule->token = tg_ink(self, node->token);
        rule->color = self->color;
        if (i > 0)
            tg_item_list_add(&list, tg_item_kern(&self->arena, (left + right) / 2));
        tg_item_list_add(&list, rule);
    }
    TgItem *box = tg_hpack(&self->arena, list.first);
    box->width = line->width;
    box->height = line->height;
    box->depth = line->depth;
    return box;
}

static TgItem *bond_box(TgLayout *self, const TgNode *node)
{
    const Bond *bond = find_bond(node);
    TgItemList list;

    tg_item_list_init(&list);
    for (guint i = 0; i < bond->n; i++) {
        TgItem *line = full_line(self, node);

        if (bond->dotted == i + 1)
            line = dotted_line(self, node, line);
        line->shift = -tg_layout_ex(self) * bond->heights[i] / 100;
        tg_item_list_add(&list, line);
        if (i + 1 < bond->n)
            tg_item_list_add(&list, tg_item_kern(&self->arena, -line->width));
    }
    return tg_hpack(&self->arena, list.first);
}

/* ---- Signs ----------------------------------------------------------------------------------- */

/* {}\mathop{\downarrow}{} */
static void append_vertical_arrow(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgField nothing = { .kind = TG_FIELD_EMPTY };
    const TgField arrow =
        tg_char_field(self, TG_MATH_SYMBOLS, node->u.symbol.symbol->slot, node->token);
    TgNoadList body;

    tg_noad_list_init(&body);
    tg_append_noad(self, &body, TG_NOAD_REL, arrow);
    tg_append_noad(self, out, TG_NOAD_ORD, nothing);
    tg_append_noad(self, out, TG_NOAD_OP, tg_list_field(body.first));
    tg_append_noad(self, out, TG_NOAD_ORD, nothing);
}

/* A bond, an arrow without labels, or the sign of a gas or precipitate. */
void tg_build_chemistry_sign(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const char *name = node->u.symbol.symbol->name;

    if (g_str_equal(name, "uparrow") || g_str_equal(name, "downarrow"))
        append_vertical_arrow(self, node, out);
    else if (find_bond(node) != NULL)
        tg_append_noad(self, out, TG_NOAD_ORD, tg_make_field(self, bond_box, node));
    else
        tg_build_chemistry_arrow(self, node, out);
}
