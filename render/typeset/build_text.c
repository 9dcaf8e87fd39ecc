/* Text: kerns, ligatures, accents and spaces of text fonts, and mathematics inside. */
#include "core/utf8.h"
#include "render/typeset/typeset.h"

/* A line of text being set. */
typedef struct {
    TgLayout *layout;
    TgItemList list;
    TgItem *last;       /* the character before, or NULL */
    guint space_factor; /* TeX's \spacefactor, usually 1000 */
    int math_style;     /* style of $..$ in the line */
} Line;

static void set_items(Line *line, const TgNode *list);
static TgItem *text_line(TgLayout *self, const TgNode *list, int math_style);

/* A character of @font, or NULL: the font lacks it, or @slot is negative. */
static TgItem *char_item(TgLayout *self, const TgFont *font, gint slot, guint32 token)
{
    return slot >= 0 ? tg_char(self, font, (guint) slot, tg_ink(self, token)) : NULL;
}

/* ---- Signs that LaTeX takes from other fonts or draws with rules ----------------------------- */

static TgScaled parameter(const TgFont *font, guint n, TgScaled factor)
{
    return tg_xn_over_d(font->metrics->params[n], factor, 65536);
}

/* .06em of space and a line of .3em; with ticks of .3ex at its ends it is the visible space. */
static TgItem *underscore(TgLayout *self, const TgFont *font, gboolean ticks, guint32 token)
{
    const TgScaled thick = TG_PT(0.4); /* of \hrule and \vrule */
    const TgScaled tick = parameter(font, TG_PARAM_X_HEIGHT, 19661);
    const TgInk ink = tg_ink(self, token);

    return tg_items(tg_kern(self, parameter(font, TG_PARAM_QUAD, 3932)),
                    ticks ? tg_rule(self, thick, tick, 0, ink) : NULL,
                    tg_rule(self, parameter(font, TG_PARAM_QUAD, 19661), thick, 0, ink),
                    ticks ? tg_rule(self, thick, tick, 0, ink) : NULL);
}

/* Three full stops, a stretch of the font's word space after each. */
static TgItem *ellipsis(TgLayout *self, const TgFont *font, guint32 token)
{
    const TgScaled stretch = font->metrics->params[TG_PARAM_STRETCH];
    TgItemList list = { NULL, NULL };

    for (guint i = 0; i < 3; i++)
        tg_item_list_add(&list,
                         tg_items(char_item(self, font, '.', token), tg_kern(self, stretch)));
    return list.first;
}

/* The sign @code of text in font @wanted, when it comes from another font than that; @named: of a
   command like \textless, not typed. Returns: a horizontal list; NULL: the font has it, or none. */
static TgItem *text_sign(TgLayout *self, TgTextFont wanted, TgScaled size, gunichar code,
                         gboolean named, guint32 token)
{
    TgFontId id = TG_FONT_COMPANION;
    gint slot = (gint) code;

    if (code < 0x80 && !named)
        return NULL;
    if (code == '_' || code == 0x2026 || code == 0x2423) {
        const TgFont *font = tg_text_font(self, wanted, size);

        return font == NULL     ? NULL
               : code == 0x2026 ? ellipsis(self, font, token)
                                : underscore(self, font, code == 0x2423, token);
    }
    if (named && (code == '<' || code == '>')) {
        id = wanted.bold ? TG_FONT_LETTERS_BOLD : TG_FONT_LETTERS;
    } else if (!(named && code == '\'') &&
               (code < 0x80 || (slot = tg_text_slot_in(tg_companion_slots, code)) < 0)) {
        id = TG_FONT_SYMBOLS;
        slot = tg_text_slot_in(tg_symbol_slots, code);
    }
    const TgFont *font = slot >= 0 ? tg_layout_font(self, id, size) : NULL;
    return font != NULL ? char_item(self, font, slot, token) : NULL;
}

TgItem *tg_make_text_sign(TgLayout *self, const TgNode *node)
{
    return tg_hpack(self, text_sign(self, (TgTextFont){ .family = 0 }, tg_math_size(self),
                                    node->u.symbol.code, TRUE, node->token));
}

TgItem *tg_text_stroked(TgLayout *self, const TgFont *font, gunichar letter, guint32 token)
{
    TgItem *stroke = char_item(self, font, TG_TEXT_STROKE_SLOT, token);
    TgItem *item = char_item(self, font, (gint) letter, token);

    if (stroke == NULL || item == NULL)
        return item;

    const TgCharPair pair = tg_metrics_pair(font->metrics, TG_TEXT_STROKE_SLOT, (guint8) letter);
    const TgScaled before = letter == 'L' ? -stroke->width - pair.kern : 0; /* as wide as the L */
    return tg_items(tg_kern(self, before), stroke, tg_kern(self, pair.kern), item);
}

/* ---- Accents --------------------------------------------------------------------------------- */

enum { DOT_BELOW = 0x323, CEDILLA = 0x327, MACRON_BELOW = 0x331, RING = 0x30A, TIE = 0x361 };

/* TeX's \accent (§1123): centered over the letter, shifted by the slant, raised by the excess of
   its height over an x. */
static TgItem *accent_above(TgLayout *self, const TgFont *font, TgItem *mark, TgItem *letter)
{
    const TgScaled x_height = font->metrics->params[TG_PARAM_X_HEIGHT];
    const double slant = (double) font->metrics->params[TG_PARAM_SLANT] / 65536.0;
    const TgScaled width = mark->width;
    const double exact = (double) (letter->width - width) / 2.0 + (double) letter->height * slant -
                         (double) x_height * slant;
    const TgScaled delta = (TgScaled) (exact < 0 ? exact - 0.5 : exact + 0.5);

    if (letter->height != x_height) {
        mark = tg_hpack(self, mark);
        mark->shift = x_height - letter->height;
    }
    return tg_items(tg_kern(self, delta), mark, tg_kern(self, -width - delta), letter);
}

/* LaTeX sets the ring of the letter A separately, at its left end and lower than over others. */
static TgItem *ring_over_a(TgLayout *self, const TgFont *font, TgItem *ring, TgItem *letter)
{
    const TgMetrics *metrics = font->metrics;
    const TgScaled room = metrics->chars['!'].height - metrics->params[TG_PARAM_X_HEIGHT];
    TgItem *box = tg_hpack(self, ring);

    box->width = 0;
    box->shift = -tg_xn_over_d(room, 43909, 65536); /* .67 of it */
    return tg_items(box, letter);
}

/* LaTeX's \o@lign: \c touches the letter's baseline, \d and \b lie .25 ex below its lowest point.
 */
static TgItem *accent_below(TgLayout *self, const TgFont *font, gunichar code, TgItem *mark,
                            TgItem *letter)
{
    const TgScaled x_height = font->metrics->params[TG_PARAM_X_HEIGHT];
    const TgScaled width = letter->width, mark_width = mark->width;
    const TgScaled before = tg_half(width - mark_width);

    if (code != CEDILLA) {
        const TgScaled top = code == MACRON_BELOW ? x_height / 5 : mark->height;
        mark = tg_hpack(self, mark);
        mark->shift = letter->depth + x_height / 4 + mark->height;
        mark->depth = top - mark->height;
        mark->height = 0;
    }
    TgItem *box = tg_hbox(self, letter, tg_kern(self, before - width), mark,
                          tg_kern(self, width - before - mark_width));
    box->width = width;
    return box;
}

/* The accent @code alone, or NULL when TeX's fonts lack it. */
static TgItem *mark_item(TgLayout *self, const TgFont *font, gunichar code, guint32 token)
{
    enum { TIE_SLOT = 0x1A };

    if (code == TIE) { /* \t: of the math italics */
        font = tg_layout_font(self, TG_FONT_COMPANION, font->size);
        return font != NULL ? char_item(self, font, TIE_SLOT, token) : NULL;
    }
    const gint slot = code == DOT_BELOW
                          ? '.'
                          : tg_text_slot_in(tg_accent_slots, code == MACRON_BELOW ? 0x304 : code);
    return char_item(self, font, slot, token);
}

/* The letter under an accent: i and j lose their dots; a letter of another script has a fixed
 * box. */
static TgItem *base_item(TgLayout *self, const TgFont *font, const TgNode *letter, gboolean below)
{
    const gboolean mono = letter->u.character.font.family == TG_FAMILY_TT;
    gunichar code = letter->u.character.code;

    if (!below && (code == 'i' || code == 'j'))
        code = code == 'i' ? 0x131 : 0x237;
    TgItem *item = char_item(self, font, tg_text_slot(code, mono), letter->token);
    return item != NULL ? item : tg_unicode(self, code, font->size, tg_ink(self, letter->token));
}

/* ---- Characters ------------------------------------------------------------------------------ */

/* \sfcode of LaTeX: longer spaces after the end of a sentence. */
static void note_space_factor(Line *line, gunichar code)
{
    static const guint16 factors[] = { 3000, 3000, 3000, 2000, 1500, 1250 };
    static const char signs[] = ".?!:;,";
    const char *sign = code != 0 && code < 0x80 ? strchr(signs, (int) code) : NULL;
    const guint factor = sign != NULL              ? factors[sign - signs]
                         : g_unichar_isupper(code) ? 999
                                                   : 1000;

    if (code == ')' || code == '\'' || code == ']' || code == 0x2019 || code == 0x201D)
        return; /* unchanged */
    line->space_factor = factor > 1000 && line->space_factor < 1000 ? 1000 : factor;
}

static void line_add(Line *line, TgItem *item)
{
    tg_item_list_add(&line->list, item);
    line->last = NULL;
}

static TgScaled size_of(const Line *line, TgTextFont font)
{
    return font.size == TG_SIZE_NORMAL ? line->layout->now.text.size : tg_text_size(font.size);
}

/* One character of @font, joined to the one before as the font's lig/kern program says. Returns:
   FALSE when the font lacks it. */
static gboolean set_slot(Line *line, const TgFont *font, gint slot, guint32 token)
{
    TgLayout *self = line->layout;
    TgItem *item = char_item(self, font, slot, token), *last = line->last;

    if (item == NULL)
        return FALSE;
    if (last != NULL && last->font == font) {
        const TgCharPair pair = tg_metrics_pair(font->metrics, (guint8) last->code, (guint8) slot);

        if (pair.kern != 0)
            line_add(line, tg_kern(self, pair.kern));
        /* a ligature is the ink of its first letter */
        const TgItem *joined = pair.ligature >= 0 ? tg_char(self, font, (guint) pair.ligature,
                                                            (TgInk){ last->token, last->color })
                                                  : NULL;
        if (joined != NULL) {
            *last = *joined;
            return TRUE;
        }
    }
    line_add(line, item);
    line->last = item;
    return TRUE;
}

static void set_char(Line *line, const TgNode *node)
{
    TgLayout *self = line->layout;
    const gunichar code = node->u.character.code;
    const TgTextFont wanted = node->u.character.font;
    const TgScaled size = size_of(line, wanted);
    const TgFont *font = tg_text_font(self, wanted, size);
    const gboolean mono = wanted.family == TG_FAMILY_TT;
    gint slot = tg_text_slot(code, mono);

    self->now.text.font = wanted;
    TgItem *sign = text_sign(self, wanted, size, code, node->u.character.named, node->token);
    if (sign == NULL && slot < 0 && mono && (slot = tg_text_slot(code, FALSE)) >= 0)
        font = tg_text_font(self, (TgTextFont){ .family = TG_FAMILY_RM }, size);
    if (font == NULL)
        return;
    note_space_factor(line, code);
    if (sign != NULL)
        line_add(line, sign);
    else if (code == 0x141 || code == 0x142)
        line_add(line, tg_text_stroked(self, font, code == 0x141 ? 'L' : 'l', node->token));
    else if (!set_slot(line, font, slot, node->token))
        line_add(line, tg_unicode(self, code, size, tg_ink(self, node->token)));
}

/* An accent above is put on the first letter, and the rest follows, as with TeX's \accent, which
 * sets it before what does not begin with a letter; one below under all of it. LaTeX has a group
 * around either, so nothing kerns across. A mark that no font of TeX has stands after its base. */
static void set_accent(Line *line, const TgNode *node)
{
    TgLayout *self = line->layout;
    const gunichar code = node->u.accent.code;
    const TgNode *list = node->u.accent.base;
    const TgNode *first = list != NULL ? list->u.list.first : NULL;
    const TgNode *letter = first != NULL && first->kind == TG_NODE_CHAR ? first : NULL;
    const TgTextFont wanted = letter != NULL ? letter->u.character.font : self->now.text.font;
    const gboolean below = code == DOT_BELOW || code == CEDILLA || code == MACRON_BELOW,
                   more = letter != NULL ? letter->next != NULL : first != NULL;
    const TgFont *font = tg_text_font(self, wanted, size_of(line, wanted));
    TgItem *mark = font != NULL ? mark_item(self, font, code, node->token) : NULL, *body;

    if (mark == NULL) {
        if (list != NULL)
            set_items(line, list);
        line_add(line, tg_unicode(self, code, size_of(line, self->now.text.font),
                                  tg_ink(self, node->token)));
        return;
    }
    if (below && (more || letter == NULL)) {
        body = tg_hpack(self, more ? text_line(self, list, line->math_style) : NULL);
        line_add(line, accent_below(self, font, code, mark, body));
    } else if (letter == NULL) { /* \^{}: the accent as a character */
        line_add(line, mark);
    } else {
        body = base_item(self, font, letter, below);
        line_add(line, below ? accent_below(self, font, code, mark, body)
                       : code == RING && letter->u.character.code == 'A'
                           ? ring_over_a(self, font, mark, body)
                           : accent_above(self, font, mark, body));
    }
    line->space_factor = 1000;
    if (more && !below) {
        TgNode rest = *list;
        rest.u.list.first = letter != NULL ? letter->next : first;
        set_items(line, &rest);
        line->last = NULL;
    }
}

/* ---- Spaces and the rest --------------------------------------------------------------------- */

static void set_space(Line *line, const TgNode *node)
{
    TgLayout *self = line->layout;
    const TgLength amount = node->u.space.amount;
    const TgItem *last = line->list.last;

    if (node->u.space.vertical)
        return;
    if (amount.unit == TG_UNIT_ITALIC) { /* of characters of TeX's fonts only */
        if (last != NULL)
            line_add(line, tg_kern(self, last->kind == TG_ITEM_CHAR ? last->italic : 0));
        return;
    }
    TgItem *item = tg_kern(self, tg_length(self, amount));
    item->fil = amount.fil;
    if (tg_node_is_blank(node) && line->space_factor >= 2000)
        item->width += tg_text_param(self, TG_PARAM_EXTRA_SPACE);
    line_add(line, item);
}

static void set_item(Line *line, const TgNode *item)
{
    TgLayout *self = line->layout;
    const guint32 color = self->now.color;

    if (item->kind == TG_NODE_CHAR) {
        set_char(line, item);
    } else if (item->kind == TG_NODE_ACCENT) {
        set_accent(line, item);
    } else if (item->kind == TG_NODE_SPACE) {
        set_space(line, item);
    } else if (item->kind == TG_NODE_MATH) {
        line_add(line, tg_formula_box(self, item->u.body.body,
                                      item->u.body.flag ? TG_DISPLAY : line->math_style));
        line->space_factor = 1000;
    } else if (item->kind == TG_NODE_LIST) {
        line->last = NULL;
        set_items(line, item);
        line->last = NULL;
    } else if (item->kind == TG_NODE_SIZE) {
        tg_set_text_size(self, item->u.change.style);
    } else if (item->kind == TG_NODE_COLOR) {
        self->now.color = item->u.color.rgb;
        if (item->u.color.body != NULL) {
            set_items(line, item->u.color.body);
            self->now.color = color;
        }
    } else if (item->kind != TG_NODE_BREAK && item->kind != TG_NODE_STYLE &&
               item->kind !=
                   TG_NODE_TAG) { /* text is one line; the rest is a formula of one item */
        const TgLayoutState kept = tg_enter_math(self, TG_TEXT);
        TgNoadList list = { NULL, NULL };

        tg_build_node(self, item, &list);
        line_add(line, tg_mlist_to_hlist(self, list.first, TG_TEXT));
        self->now = kept;
        line->space_factor = 1000;
    }
}

static void set_items(Line *line, const TgNode *list)
{
    const TgLayoutState kept = line->layout->now;
    const TgNode *item = list->u.list.first;

    /* the font that a list begins with decides the spaces before its first letter */
    while (item != NULL && item->kind != TG_NODE_CHAR)
        item = item->next;
    if (item != NULL)
        line->layout->now.text.font = item->u.character.font;
    for (item = list->u.list.first; item != NULL; item = item->next)
        set_item(line, item);
    line->layout->now = kept;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Text as a horizontal list; `$..$` in it is set in @math_style. */
static TgItem *text_line(TgLayout *self, const TgNode *list, int math_style)
{
    Line line = { .layout = self, .space_factor = 1000, .math_style = math_style };

    set_items(&line, list);
    return line.list.first;
}

TgItem *tg_trimmed_line(TgLayout *self, const TgNode *list)
{
    TgNode trimmed = *list;

    while (tg_node_is_blank(trimmed.u.list.first))
        trimmed.u.list.first = trimmed.u.list.first->next;

    TgItem *line = text_line(self, &trimmed, TG_TEXT);
    TgItem **last = &line;
    const TgNode *item = trimmed.u.list.first;
    while (item != NULL && item->next != NULL)
        item = item->next;
    if (!tg_node_is_blank(item) || line == NULL)
        return line;
    while ((*last)->next != NULL)
        last = &(*last)->next;
    *last = NULL;
    return line;
}

/* The lines of a \parbox, which \\ ends. */
static TgItem *make_paragraph(TgLayout *self, const TgNode *node)
{
    const TgScaled width = tg_length(self, node->u.text.width);
    TgLeading leading = { self->now.text.baselineskip, TG_PT(1), 0, -1 };
    const TgNode *item = node->u.text.body->u.list.first;
    TgItemList pile = { NULL, NULL };

    while (item != NULL) {
        Line line = { .layout = self, .space_factor = 1000, .math_style = TG_TEXT };

        while (tg_node_is_blank(item))
            item = item->next;
        for (; item != NULL && item->kind != TG_NODE_BREAK; item = item->next)
            set_item(&line, item);
        tg_add_line(self, &pile, tg_hpack_to(self, tg_items(line.list.first, tg_fil(self)), width),
                    &leading);
        if (item != NULL) {
            const TgScaled gap = tg_length(self, item->u.line_break.gap);
            if (gap != 0)
                tg_item_list_add(&pile, tg_kern(self, gap));
            item = item->next;
        }
    }
    TgItem *box = tg_vpack(self, pile.first);
    return node->u.text.place == 't' ? tg_top_aligned(box) : box;
}

/* \text takes the size of the style around it, and mathematics in it is in display style when it
 * is. */
TgItem *tg_make_text(TgLayout *self, const TgNode *node)
{
    int math_style = TG_TEXT;

    if (node->u.text.place != 0)
        return make_paragraph(self, node);

    if (node->u.text.scales && self->now.math != NULL) {
        self->now.text.size = tg_math_size(self);
        math_style = self->now.style < TG_TEXT ? TG_DISPLAY : TG_TEXT;
    }
    TgItem *line = text_line(self, node->u.text.body, math_style);
    TgItem *box = tg_hpack(self, line);
    if (node->u.text.has_width)
        box = tg_hpack_to(self,
                          tg_items(node->u.text.align != 'l' ? tg_fil(self) : NULL, line,
                                   node->u.text.align != 'r' ? tg_fil(self) : NULL),
                          tg_length(self, node->u.text.width));
    if (node->u.text.shape != NULL)
        box = tg_shaped_box(self, box, node->u.text.shape);
    return box;
}

void tg_build_char(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgLayoutState kept = self->now;
    Line line = { .layout = self, .space_factor = 1000 };

    set_char(&line, node);
    self->now = kept;
    tg_append(self, out, TG_NOAD_ORD, tg_box_field(tg_hpack(self, line.list.first)));
}

/* Source that could not be parsed is shown verbatim, in red. */
void tg_build_error(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const char *text = node->u.error.text;
    const TgScaled size = self->now.text.size;
    const TgFont *font = tg_text_font(self, (TgTextFont){ .family = TG_FAMILY_TT }, size);
    const TgInk ink = { tg_ink(self, node->token).token, 0xC00000 };
    const gsize len = font != NULL ? strlen(text) : 0;
    TgItemList list = { NULL, NULL };

    for (gsize at = 0; at < len;) {
        gunichar code;

        at += tg_utf8_decode(text + at, len - at, &code); /* it may not be valid UTF-8 */
        const gint slot = tg_text_slot(code, TRUE);
        TgItem *item = slot >= 0 ? tg_char(self, font, (guint) slot, ink) : NULL;
        tg_item_list_add(&list, item != NULL ? item : tg_unicode(self, code, size, ink));
    }
    tg_append(self, out, TG_NOAD_ORD, tg_box_field(tg_hpack(self, list.first)));
}
