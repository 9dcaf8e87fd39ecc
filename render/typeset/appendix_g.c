/* From math lists to boxes: the two passes and the rules of The TeXbook's appendix G (TeX
 * §§699-767).
 */
#include "core/deadline.h"
#include "render/typeset/typeset.h"

#define SCRIPT_SPACE TG_PT(0.5)

/* \delimiterfactor and \delimitershortfall of plain TeX. */
enum { DELIMITER_FACTOR = 901 };
#define DELIMITER_SHORTFALL TG_PT(5)

/* ---- Styles and spaces ----------------------------------------------------------------------- */

static int num_style(int style)
{
    return style + 2 - 2 * (style / 6);
}

static gboolean is_display(const TgLayout *self)
{
    return self->now.style < TG_TEXT;
}

/* ---- Characters and fields ------------------------------------------------------------------- */

/* The metrics of a CHAR field at the current size, or NULL when there is no such character. */
static const TgCharMetrics *fetch(TgLayout *self, const TgField *field, const TgFont **font)
{
    *font = tg_math_font_at(self, field->font, self->now.size);
    if (*font == NULL || (*font)->metrics->chars[field->slot].tag == TG_CHAR_ABSENT)
        return NULL;
    return &(*font)->metrics->chars[field->slot];
}

TgScaled tg_skew(TgLayout *self, const TgField *nucleus)
{
    const TgFont *font;
    const gboolean is_char = nucleus->kind == TG_FIELD_CHAR && nucleus->code == 0;
    const TgCharMetrics *metrics = is_char ? fetch(self, nucleus, &font) : NULL;

    return metrics != NULL ? metrics->skew : 0;
}

static gboolean has_scripts(const TgNoad *noad)
{
    return noad->sub.kind != TG_FIELD_EMPTY || noad->sup.kind != TG_FIELD_EMPTY;
}

static TgItem *set_list(TgLayout *self, TgNoad *list, int style)
{
    const int kept = self->now.style;
    TgItem *items = tg_mlist_to_hlist(self, list, style);

    tg_set_style(self, kept);
    return items;
}

TgItem *tg_list_box(TgLayout *self, TgNoad *mlist, int style)
{
    return tg_hpack(self, set_list(self, mlist, style));
}

/* A field as items in @style. */
static TgItem *set_field(TgLayout *self, const TgField *field, int style)
{
    const TgLayoutState kept = self->now;
    TgItem *box;

    switch ((TgFieldKind) field->kind) {
    case TG_FIELD_CHAR:
        return set_list(self, tg_noad_new(self, TG_NOAD_ORD, *field), style);
    case TG_FIELD_LIST:
        return set_list(self, field->u.list, style);
    case TG_FIELD_BOX:
        return field->u.box;
    case TG_FIELD_DEFERRED:
        self->now = field->u.make->state;
        tg_set_style(self, style);
        box = field->u.make->make(self, field->u.make->node);
        self->now = kept;
        return box;
    case TG_FIELD_EMPTY:
    default:
        return NULL;
    }
}

TgItem *tg_clean_box(TgLayout *self, const TgField *field, int style)
{
    TgItem *list = set_field(self, field, style);
    const gboolean is_box =
        list != NULL && (list->kind == TG_ITEM_HBOX || list->kind == TG_ITEM_VBOX);
    TgItem *box = is_box && list->next == NULL && list->shift == 0 ? list : tg_hpack(self, list);
    /* simplify a trivial box: a character keeps its italic correction in the width only */
    TgItem *first = box->list;
    if (first != NULL && first->kind == TG_ITEM_CHAR && first->next != NULL &&
        first->next->kind == TG_ITEM_KERN && first->next->next == NULL)
        first->next = NULL;
    return box;
}

/* ---- Delimiters that grow (§§706-715, 762; rules 19 and 15e) --------------------------------- */

typedef struct {
    const TgFont *font;
    guint slot;
    TgScaled extent; /* height plus depth of the best character so far */
} Choice;

static TgScaled extent_of(const TgFont *font, guint slot)
{
    return font->metrics->chars[slot].height + font->metrics->chars[slot].depth;
}

/* Walk the chain of sizes from @slot; TRUE when one is large enough or grows without bound. */
static gboolean search_chain(const TgFont *font, guint slot, TgScaled size, Choice *best)
{
    for (;;) {
        const TgCharMetrics *metrics = &font->metrics->chars[slot];

        if (metrics->tag == TG_CHAR_ABSENT)
            return FALSE;
        if (metrics->tag == TG_CHAR_EXTENSIBLE) {
            *best = (Choice){ font, slot, size };
            return TRUE;
        }
        if (extent_of(font, slot) > best->extent) {
            *best = (Choice){ font, slot, extent_of(font, slot) };
            if (best->extent >= size)
                return TRUE;
        }
        if (metrics->tag != TG_CHAR_NEXT)
            return FALSE;
        slot = metrics->rest;
    }
}

/* Search the fonts of one family from the current size up to text size. */
static gboolean search_family(TgLayout *self, guint family, guint slot, TgScaled size, Choice *best)
{
    for (gint s = (gint) self->now.size; s >= 0; s--) {
        const TgFont *font = tg_math_font_at(self, family, (TgMathSize) s);

        if (font != NULL && search_chain(font, slot, size, best))
            return TRUE;
    }
    return FALSE;
}

static TgItem *on_top_of(TgLayout *self, TgItem *pile, const TgFont *font, guint slot, TgInk ink)
{
    TgItem *piece = tg_char_box(self, font, slot, ink);

    piece->next = pile;
    return piece;
}

/* A character made of pieces: bottom, middle and top, and as many repeated pieces between them as
 * @size needs. */
static TgItem *extensible(TgLayout *self, const Choice *choice, TgInk ink, TgScaled size)
{
    const TgFont *font = choice->font;
    const TgCharMetrics *chars = font->metrics->chars;
    const TgRecipe *recipe = &font->metrics->recipes[chars[choice->slot].rest];
    const guint8 fixed[] = { recipe->bottom, recipe->mid, recipe->top };
    const TgScaled unit = extent_of(font, recipe->repeat);
    const TgScaled step = recipe->mid != 0 ? 2 * unit : unit;
    TgScaled total = 0, n = 0;
    TgItem *pile = NULL;

    for (guint i = 0; i < G_N_ELEMENTS(fixed); i++)
        total += fixed[i] != 0 ? extent_of(font, fixed[i]) : 0;
    if (unit > 0 && total < size)
        n = (size - total + step - 1) / step;
    total += n * step;
    n = MIN(n, TG_MAX_PIECES);
    for (guint i = 0; i < G_N_ELEMENTS(fixed); i++) {
        const gboolean repeats = i == 0 || (i == 1 && recipe->mid != 0);

        if (fixed[i] != 0)
            pile = on_top_of(self, pile, font, fixed[i], ink);
        for (TgScaled k = 0; repeats && k < n; k++)
            pile = on_top_of(self, pile, font, recipe->repeat, ink);
    }

    const TgScaled height = pile != NULL ? pile->height : 0;
    return tg_box(self, TG_ITEM_VBOX, pile,
                  chars[recipe->repeat].width + chars[recipe->repeat].italic, height,
                  total - height);
}

/* A delimiter of at least height plus depth @size, centered on the axis (TeX's var_delimiter). */
static TgItem *var_delimiter(TgLayout *self, const TgDelimiter *delimiter, TgScaled size)
{
    Choice best = { NULL, 0, 0 };
    TgItem *box;

    if (delimiter->present &&
        !search_family(self, delimiter->small_font, delimiter->small_slot, size, &best))
        search_family(self, delimiter->large_font, delimiter->large_slot, size, &best);

    if (best.font == NULL)
        box = tg_empty_box(self, TG_NULL_DELIMITER_SPACE, 0, 0);
    else if (best.font->metrics->chars[best.slot].tag == TG_CHAR_EXTENSIBLE)
        box = extensible(self, &best, delimiter->ink, size);
    else
        box = tg_char_box(self, best.font, best.slot, delimiter->ink);
    box->shift = tg_half(box->height - box->depth) - tg_axis_height(self);
    return box;
}

TgItem *tg_left_right(TgLayout *self, const TgDelimiter *delimiter, TgScaled height, TgScaled depth)
{
    const TgScaled below = depth + tg_axis_height(self);
    const TgScaled reach = MAX(below, height + depth - below);
    const TgScaled size = MAX(reach / 500 * DELIMITER_FACTOR, reach + reach - DELIMITER_SHORTFALL);

    return var_delimiter(self, delimiter, size);
}

/* ---- Overlines, underlines, \vcenter, roots (§§734-737, rules 8 to 11) ----------------------- */

/* Rule of @thickness, @gap above the box. */
static TgItem *overbar(TgLayout *self, TgItem *box, TgScaled gap, TgScaled thickness, TgInk ink)
{
    return tg_vbox(self, tg_kern(self, thickness), tg_rule(self, box->width, thickness, 0, ink),
                   tg_kern(self, gap), box);
}

static void make_over(TgLayout *self, TgNoad *noad)
{
    const TgScaled rule = tg_rule_thickness(self);
    TgItem *box = tg_clean_box(self, &noad->nucleus, self->now.style | TG_CRAMPED);

    noad->nucleus = tg_box_field(overbar(self, box, 3 * rule, rule, noad->u.line));
}

static void make_under(TgLayout *self, TgNoad *noad)
{
    const TgScaled thickness = tg_rule_thickness(self);
    TgItem *box = tg_clean_box(self, &noad->nucleus, self->now.style);
    TgItem *rule = tg_rule(self, box->width, thickness, 0, noad->u.line);
    TgItem *out = tg_vtop(self, box, tg_kern(self, 3 * thickness), rule);

    out->depth += thickness;
    noad->nucleus = tg_box_field(out);
}

static void make_vcenter(TgLayout *self, TgNoad *noad)
{
    TgItem *box = tg_clean_box(self, &noad->nucleus, self->now.style);
    const TgScaled total = box->height + box->depth;
    const TgScaled height = tg_axis_height(self) + tg_half(total);

    noad->nucleus =
        tg_box_field(tg_box(self, TG_ITEM_VBOX, box, box->width, height, total - height));
}

static void make_radical(TgLayout *self, TgNoad *noad)
{
    const TgScaled rule = tg_rule_thickness(self);
    TgItem *body = tg_clean_box(self, &noad->nucleus, self->now.style | TG_CRAMPED);
    const TgScaled total = body->height + body->depth;
    TgScaled gap = rule + ABS(is_display(self) ? tg_math_sy(self, TG_PARAM_X_HEIGHT) : rule) / 4;
    TgItem *sign = var_delimiter(self, &noad->u.delimiter, total + gap + rule);
    const TgScaled surplus = sign->depth - (total + gap);

    if (surplus > 0)
        gap += tg_half(surplus); /* the sign is larger than requested: center the body in it */
    sign->shift = -(body->height + gap);
    /* the bar is as thick as the sign is high: TeX's fonts put the sign below its baseline */
    noad->nucleus = tg_box_field(
        tg_hbox(self, sign, overbar(self, body, gap, sign->height, noad->u.delimiter.ink)));
}

/* ---- Accents (§§738-742, rule 12) ------------------------------------------------------------ */

static void make_accent(TgLayout *self, TgNoad *noad)
{
    const TgFont *font;

    if (fetch(self, &noad->u.accent, &font) == NULL)
        return;

    const TgScaled skew = tg_skew(self, &noad->nucleus);
    TgItem *box = tg_clean_box(self, &noad->nucleus, self->now.style | TG_CRAMPED);
    const TgScaled width = box->width;
    TgScaled delta = MIN(box->height, font->metrics->params[TG_PARAM_X_HEIGHT]);
    const TgCharMetrics *chars = font->metrics->chars;
    guint slot = noad->u.accent.slot;
    while (chars[slot].tag == TG_CHAR_NEXT && chars[chars[slot].rest].width <= width)
        slot = chars[slot].rest; /* the widest form that is no wider than the base */

    if (noad->nucleus.kind == TG_FIELD_CHAR && has_scripts(noad)) {
        /* scripts of an accented letter hang on the letter, not on the accent */
        TgNoad *letter = tg_noad_new(self, TG_NOAD_ORD, noad->nucleus);
        letter->sub = noad->sub;
        letter->sup = noad->sup;
        noad->sub = noad->sup = TG_NO_FIELD;
        const TgField base = tg_list_field(letter);
        const TgScaled height = box->height;
        box = tg_clean_box(self, &base, self->now.style);
        delta += box->height - height;
    }

    TgItem *accent = tg_char_box(self, font, slot, noad->u.accent.ink);
    accent->shift = skew + tg_half(width - accent->width);
    accent->width = 0;
    TgItem *out = tg_vbox(self, accent, tg_kern(self, -delta), box);
    out->width = box->width;
    if (out->height < box->height) {
        out->list = tg_items(tg_kern(self, box->height - out->height), out->list);
        out->height = box->height;
    }
    noad->nucleus = tg_box_field(out);
}

/* ---- Fractions (§§743-748, rules 15 to 15e) -------------------------------------------------- */

static void make_fraction(TgLayout *self, TgNoad *noad)
{
    const int style = self->now.style;
    const gboolean display = is_display(self);
    const TgScaled thickness =
        noad->u.fraction.thickness < 0 ? tg_rule_thickness(self) : noad->u.fraction.thickness;
    TgItem *num = tg_clean_box(self, &noad->u.fraction.num, num_style(style));
    TgItem *den = tg_clean_box(self, &noad->u.fraction.den, num_style(style) | TG_CRAMPED);
    TgItem *list;

    if (num->width < den->width)
        num = tg_rebox(self, num, den->width);
    else
        den = tg_rebox(self, den, num->width);

    TgScaled up = tg_math_sy(self, display          ? TG_PARAM_NUM1
                                   : thickness != 0 ? TG_PARAM_NUM2
                                                    : TG_PARAM_NUM3);
    TgScaled down = tg_math_sy(self, display ? TG_PARAM_DENOM1 : TG_PARAM_DENOM2);
    if (thickness == 0) { /* the two keep a distance from each other */
        const TgScaled clearance = (display ? 7 : 3) * tg_rule_thickness(self);
        const TgScaled gap = (up - num->depth) - (den->height - down);
        const TgScaled missing = MAX(tg_half(clearance - gap), 0);

        up += missing;
        down += missing;
        list = tg_items(num, tg_kern(self, gap + 2 * missing), den);
    } else { /* each keeps its distance from the bar */
        const TgScaled clearance = display ? 3 * thickness : thickness;
        const TgScaled axis = tg_axis_height(self), half = tg_half(thickness);
        const TgScaled above = (up - num->depth) - (axis + half);
        const TgScaled below = (axis - half) - (den->height - down);

        up += MAX(clearance - above, 0);
        down += MAX(clearance - below, 0);
        list = tg_items(num, tg_kern(self, MAX(above, clearance)),
                        tg_rule(self, num->width, thickness, 0, noad->u.fraction.ink),
                        tg_kern(self, MAX(below, clearance)), den);
    }

    TgItem *box = tg_box(self, TG_ITEM_VBOX, list, num->width, up + num->height, den->depth + down);
    const TgScaled size = tg_math_sy(self, display ? TG_PARAM_DELIM1 : TG_PARAM_DELIM2);
    noad->hlist = tg_hbox(self, var_delimiter(self, &noad->u.fraction.left, size), box,
                          var_delimiter(self, &noad->u.fraction.right, size));
}

/* ---- Big operators and their limits (§§749-751, rules 13 and 13a) ---------------------------- */

/* The nucleus of an operator that is one character: larger in displays, centered on the axis.
   Returns its italic correction. */
static TgScaled set_symbol(TgLayout *self, TgNoad *noad)
{
    const TgFont *font;
    const TgCharMetrics *metrics = fetch(self, &noad->nucleus, &font);

    if (metrics == NULL)
        return 0;
    if (is_display(self) && metrics->tag == TG_CHAR_NEXT) {
        noad->nucleus.slot = metrics->rest;
        metrics = &font->metrics->chars[metrics->rest];
    }
    TgItem *box = tg_clean_box(self, &noad->nucleus, self->now.style);
    if (noad->sub.kind != TG_FIELD_EMPTY && noad->limits != TG_LIMITS_ON)
        box->width -= metrics->italic; /* a subscript goes below the italic part */
    box->shift = tg_half(box->height - box->depth) - tg_axis_height(self);
    noad->nucleus = tg_box_field(box);
    return metrics->italic;
}

static void set_limits(TgLayout *self, TgNoad *noad, TgScaled delta)
{
    const int style = self->now.style;
    const TgScaled padding = tg_math_ex(self, TG_PARAM_BIG_OP_5);
    TgItem *sup = tg_clean_box(self, &noad->sup, tg_sup_style(style));
    TgItem *base = tg_clean_box(self, &noad->nucleus, style);
    TgItem *sub = tg_clean_box(self, &noad->sub, tg_sup_style(style) | TG_CRAMPED);
    const TgScaled width = MAX(base->width, MAX(sup->width, sub->width));

    sup = tg_rebox(self, sup, width);
    base = tg_rebox(self, base, width);
    sub = tg_rebox(self, sub, width);
    sup->shift = tg_half(delta);
    sub->shift = -sup->shift;
    TgItem *out = tg_box(self, TG_ITEM_VBOX, base, width, base->height, base->depth);
    if (noad->sup.kind != TG_FIELD_EMPTY) {
        const TgScaled gap = MAX(tg_math_ex(self, TG_PARAM_BIG_OP_3) - sup->depth,
                                 tg_math_ex(self, TG_PARAM_BIG_OP_1));
        out->list = tg_items(tg_kern(self, padding), sup, tg_kern(self, gap), base);
        out->height += padding + sup->height + sup->depth + gap;
    }
    if (noad->sub.kind != TG_FIELD_EMPTY) {
        const TgScaled gap = MAX(tg_math_ex(self, TG_PARAM_BIG_OP_4) - sub->height,
                                 tg_math_ex(self, TG_PARAM_BIG_OP_2));
        out->list = tg_items(out->list, tg_kern(self, gap), sub, tg_kern(self, padding));
        out->depth += padding + sub->height + sub->depth + gap;
    }
    noad->hlist = out;
}

/* ---- Superscripts and subscripts (§§756-759, rules 18a to 18f) ------------------------------- */

static TgItem *script_box(TgLayout *self, const TgField *field, int style)
{
    TgItem *box = tg_clean_box(self, field, style);

    box->width += SCRIPT_SPACE; /* the box is not shared */
    return box;
}

/* @delta: how far a superscript moves to the right of a subscript */
static void make_scripts(TgLayout *self, TgNoad *noad, TgScaled delta)
{
    const int style = self->now.style;
    const TgScaled x_height = tg_math_sy(self, TG_PARAM_X_HEIGHT);
    TgScaled up = 0, down = 0;
    TgItem *sup = NULL, *sub = NULL, *box;

    if (noad->hlist == NULL || noad->hlist->kind != TG_ITEM_CHAR) {
        const TgItem *base = tg_hpack(self, noad->hlist);
        const TgMathSize size = style < TG_SCRIPT ? TG_MATH_SCRIPT : TG_MATH_SCRIPTSCRIPT;

        up = base->height - tg_math_sy_at(self, TG_PARAM_SUP_DROP, size);
        down = base->depth + tg_math_sy_at(self, TG_PARAM_SUB_DROP, size);
    }
    if (noad->sup.kind != TG_FIELD_EMPTY) {
        sup = script_box(self, &noad->sup, tg_sup_style(style));
        up = MAX(up, tg_math_sy(self, (style & TG_CRAMPED) != 0 ? TG_PARAM_SUP3
                                      : is_display(self)        ? TG_PARAM_SUP1
                                                                : TG_PARAM_SUP2));
        up = MAX(up, sup->depth + ABS(x_height) / 4);
    }
    if (noad->sub.kind != TG_FIELD_EMPTY)
        sub = script_box(self, &noad->sub, tg_sup_style(style) | TG_CRAMPED);

    if (sub == NULL) {
        sup->shift = -up;
        box = sup;
    } else if (sup == NULL) {
        down = MAX(down, tg_math_sy(self, TG_PARAM_SUB1));
        sub->shift = MAX(down, sub->height - ABS(x_height * 4) / 5);
        box = sub;
    } else { /* in one box, apart by at least four rules */
        down = MAX(down, tg_math_sy(self, TG_PARAM_SUB2));
        TgScaled missing = 4 * tg_rule_thickness(self) - ((up - sup->depth) - (sub->height - down));
        if (missing > 0) {
            down += missing;
            missing = ABS(x_height * 4) / 5 - (up - sup->depth);
            if (missing > 0) {
                up += missing;
                down -= missing;
            }
        }
        sup->shift = delta;
        box = tg_vbox(self, sup, tg_kern(self, (up - sup->depth) - (sub->height - down)), sub);
        box->shift = down;
    }
    noad->hlist = tg_items(noad->hlist, box);
}

/* ---- First pass: atoms become horizontal lists ----------------------------------------------- */

/* A field that is one character: the character, and a kern for its italic correction unless a
   subscript follows; *delta is then the move of a superscript to the right. */
static TgItem *char_nucleus(TgLayout *self, const TgNoad *noad, TgScaled *delta)
{
    const TgField *nucleus = &noad->nucleus;
    const TgFont *font;

    *delta = 0;
    if (nucleus->code != 0)
        return tg_unicode(self, nucleus->code, tg_math_size(self), nucleus->ink);
    if (fetch(self, nucleus, &font) == NULL)
        return NULL;

    TgItem *item = tg_char(self, font, nucleus->slot, nucleus->ink);
    if (noad->in_word && font->metrics->params[TG_PARAM_SPACE] != 0)
        return item; /* no italic correction in mid-word of a text font */
    if (noad->sub.kind == TG_FIELD_EMPTY && item->italic != 0)
        item->next = tg_kern(self, item->italic);
    else
        *delta = item->italic;
    return item;
}

/* Whether an atom is a character of a math font. */
static gboolean is_math_char(const TgNoad *noad)
{
    return noad->nucleus.kind == TG_FIELD_CHAR && noad->nucleus.code == 0;
}

/* Kern or join consecutive letters of one font by that font's program (TeX's make_ord). */
static void make_ord(TgLayout *self, TgNoad *noad)
{
    const TgFont *font;

    for (TgNoad *next = noad->next; !has_scripts(noad) && is_math_char(noad) && next != NULL &&
                                    tg_noad_forms[next->type].kind == TG_ATOM_PLAIN &&
                                    is_math_char(next) && next->nucleus.font == noad->nucleus.font;
         next = noad->next) {
        noad->in_word = 1;
        if (fetch(self, &noad->nucleus, &font) == NULL)
            return;

        const TgCharPair pair =
            tg_metrics_pair(font->metrics, noad->nucleus.slot, next->nucleus.slot);
        if (pair.kern != 0) {
            TgNoad *kern = tg_noad_new(self, TG_NOAD_SPACE, TG_NO_FIELD);
            kern->u.space.amount = pair.kern;
            kern->next = next;
            noad->next = kern;
        }
        if (pair.ligature < 0)
            return;
        noad->nucleus.slot = (guint8) pair.ligature;
        noad->sub = next->sub;
        noad->sup = next->sup;
        noad->next = next->next;
        noad->in_word = 0;
    }
}

/* Set one atom; delta, the distance that a superscript moves to the right, is the italic correction
 * of an operator or a letter. */
static void set_atom(TgLayout *self, TgNoad *noad)
{
    static void (*const makers[TG_N_NOADS])(TgLayout *, TgNoad *) = {
        [TG_NOAD_ORD] = make_ord,           [TG_NOAD_RADICAL] = make_radical,
        [TG_NOAD_FRACTION] = make_fraction, [TG_NOAD_OVER] = make_over,
        [TG_NOAD_UNDER] = make_under,       [TG_NOAD_ACCENT] = make_accent,
        [TG_NOAD_VCENTER] = make_vcenter,
    };
    TgScaled delta = 0;

    if (makers[noad->type] != NULL)
        makers[noad->type](self, noad);
    if (noad->type == TG_NOAD_FRACTION)
        return;
    if (noad->type == TG_NOAD_OP) {
        if (noad->limits != TG_LIMITS_ON && noad->limits != TG_LIMITS_OFF)
            noad->limits = is_display(self) ? TG_LIMITS_ON : TG_LIMITS_OFF;
        if (noad->nucleus.kind == TG_FIELD_CHAR)
            delta = set_symbol(self, noad);
        if (noad->limits == TG_LIMITS_ON) {
            set_limits(self, noad, delta);
            return;
        }
    }
    if (noad->nucleus.kind == TG_FIELD_CHAR)
        noad->hlist = char_nucleus(self, noad, &delta);
    else
        noad->hlist = set_field(self, &noad->nucleus, self->now.style);
    if (noad->nucleus.kind == TG_FIELD_LIST)
        noad->hlist = tg_hpack(self, noad->hlist);
    if (has_scripts(noad))
        make_scripts(self, noad, delta);
}

void tg_settle_bins(guint8 *before, guint8 *after)
{
    if (*after == TG_NOAD_BIN &&
        (*before == TG_NOAD_BIN || *before == TG_NOAD_OP || *before == TG_NOAD_REL ||
         *before == TG_NOAD_OPEN || *before == TG_NOAD_PUNCT || *before == TG_NOAD_LEFT ||
         *before == TG_NOAD_MIDDLE))
        *after = TG_NOAD_ORD;
    if (*before == TG_NOAD_BIN &&
        (*after == TG_NOAD_REL || *after == TG_NOAD_CLOSE || *after == TG_NOAD_PUNCT ||
         *after == TG_NOAD_RIGHT || *after == TG_NOAD_MIDDLE))
        *before = TG_NOAD_ORD;
}

/* Replace a \mathchoice by the alternative of the current style. */
static void splice_choice(TgLayout *self, TgNoad *choice)
{
    TgNoad *list = choice->u.choice[self->now.style / 2];
    TgNoad **end = &list;

    while (*end != NULL)
        end = &(*end)->next;
    *end = choice->next;
    choice->next = list;
}

/* Returns an item as high and deep as the list. */
static TgItem first_pass(TgLayout *self, TgNoad *mlist)
{
    TgItem extent = { .kind = TG_ITEM_HBOX };
    guint8 start = TG_NOAD_OP, end = TG_NOAD_RIGHT, *before = &start;

    for (TgNoad *noad = mlist; noad != NULL && !tg_deadline_spend(30); noad = noad->next) {
        switch ((TgNoadType) noad->type) {
        case TG_NOAD_STYLE:
            tg_set_style(self, noad->style);
            continue;
        case TG_NOAD_CHOICE:
            splice_choice(self, noad);
            continue;
        case TG_NOAD_SPACE:
            continue;
        default:
            break;
        }
        tg_settle_bins(before, &noad->type);
        if (tg_noad_forms[noad->type].kind != TG_ATOM_FENCE) {
            set_atom(self, noad);
            tg_box_grow(&extent, noad->hlist);
        }
        before = &noad->type;
    }
    tg_settle_bins(before, &end);
    return extent;
}

/* ---- Second pass: spaces between them, and delimiters ---------------------------------------- */

#define FORM_OF_NOAD(name, class, kind) { TG_CLASS_##class, TG_ATOM_##kind },
const TgNoadForm tg_noad_forms[] = { TG_NOAD_LIST(FORM_OF_NOAD) };

TgItem *tg_mlist_to_hlist(TgLayout *self, TgNoad *mlist, int style)
{
    TgItemList out = { NULL, NULL };
    gint before = -1;

    tg_set_style(self, style);
    const TgItem extent = first_pass(self, mlist);

    tg_set_style(self, style);
    for (TgNoad *noad = mlist; noad != NULL && !tg_deadline_spend(10); noad = noad->next) {
        if (noad->type == TG_NOAD_STYLE)
            tg_set_style(self, noad->style);
        if (noad->type == TG_NOAD_SPACE &&
            !(noad->u.space.nonscript && self->now.size != TG_MATH_TEXT)) {
            /* glue and kerns become kerns; in math units they depend on the style */
            TgItem *kern = tg_kern(self, noad->u.space.mu ? tg_mu(self, noad->u.space.amount)
                                                          : noad->u.space.amount);
            kern->fil = noad->u.space.fil;
            tg_item_list_add(&out, kern);
        }
        const TgNoadForm form = tg_noad_forms[noad->type];
        if (form.kind == TG_ATOM_NONE)
            continue;
        if (form.kind == TG_ATOM_FENCE) {
            /* the delimiters have the size of the style in which their list began */
            const int here = self->now.style;
            tg_set_style(self, style);
            noad->hlist = tg_left_right(self, &noad->u.delimiter, extent.height, extent.depth);
            tg_set_style(self, here);
        }
        const guint space = before >= 0 ? tg_class_space((guint) before, form.math_class,
                                                         self->now.style >= TG_SCRIPT)
                                        : 0;
        if (space != 0)
            tg_item_list_add(&out, tg_kern(self, tg_mu(self, (TgScaled) space * 65536)));
        tg_item_list_add(&out, noad->hlist);
        /* \middle closes the items before it and opens the items after it */
        before = noad->type == TG_NOAD_MIDDLE ? TG_CLASS_OPEN : form.math_class;
    }
    return out.first;
}
