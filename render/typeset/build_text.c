/* Text: kerns, ligatures and spaces of text fonts, and mathematics inside. */
#include "render/typeset/builders.h"

#include "core/utf8.h"
#include "render/fonts/text_encoding.h"
#include "render/typeset/text_accent.h"
#include "render/typeset/text_symbol.h"

/* A line of text being set. */
typedef struct {
    TgLayout *layout;
    TgItemList list;
    TgItem *last;       /* the character just before, or NULL */
    guint space_factor; /* TeX's, 1000 normally */
    int math_style;     /* of $..$ here */
} Line;

static void set_items(Line *line, const TgNode *list);

/* ---- Characters ------------------------------------------------------------------------------ */

/* \sfcode of LaTeX: longer spaces behind the end of a sentence. */
static guint space_factor_code(gunichar code)
{
    switch (code) {
    case '.':
    case '?':
    case '!':
        return 3000;
    case ':':
        return 2000;
    case ';':
        return 1500;
    case ',':
        return 1250;
    case ')':
    case '\'':
    case ']':
    case 0x2019:
    case 0x201D:
        return 0; /* unchanged */
    default:
        return g_unichar_isupper(code) ? 999 : 1000;
    }
}

static void note_space_factor(Line *line, gunichar code)
{
    const guint factor = space_factor_code(code);

    if (factor == 0)
        return;
    line->space_factor = factor > 1000 && line->space_factor < 1000 ? 1000 : factor;
}

static void line_add(Line *line, TgItem *item)
{
    tg_item_list_add(&line->list, item);
    line->last = NULL;
}

/* Join @slot to the character before, as the font's lig/kern program says. Returns: TRUE when it
   became part of a ligature. */
static gboolean line_join_ligature(Line *line, const TgFont *font, guint slot)
{
    TgItem *last = line->last;

    if (last == NULL || last->font != font)
        return FALSE;

    const TgCharPair pair = tg_metrics_pair(font->metrics, (guint8) last->code, (guint8) slot);
    if (pair.kind == TG_PAIR_KERN)
        line_add(line, tg_item_kern(&line->layout->arena, pair.kern));
    if (pair.kind != TG_PAIR_LIGATURE || pair.op != 0)
        return FALSE;
    /* the ligature is the ink of its first letter */
    const TgCharMetrics *metrics = &font->metrics->chars[pair.character];
    last->code = pair.character;
    last->width = metrics->width;
    last->height = metrics->height;
    last->depth = metrics->depth;
    last->italic = metrics->italic;
    return TRUE;
}

static TgScaled size_of(const Line *line, TgTextFont font)
{
    return font.size == TG_SIZE_NORMAL ? line->layout->text.size : tg_text_size(font.size);
}

/* One character of @font, joined to the one before. Returns: FALSE when the font lacks it. */
static gboolean set_slot(Line *line, const TgFont *font, gint slot, guint32 token)
{
    TgLayout *self = line->layout;
    TgItem *item = slot >= 0 ? tg_item_char(&self->arena, font, (guint) slot) : NULL;

    if (item == NULL)
        return FALSE;
    if (line_join_ligature(line, font, (guint) slot))
        return TRUE;
    item->token = token;
    item->color = self->color;
    tg_item_list_add(&line->list, item);
    line->last = item;
    return TRUE;
}

static void set_char(Line *line, const TgNode *node)
{
    TgLayout *self = line->layout;
    const gunichar code = node->u.character.code;
    const TgTextFont wanted = node->u.character.font;
    const TgScaled size = size_of(line, wanted);
    const TgFont *font = tg_layout_text_font(self, wanted, size);
    const gboolean mono = wanted.family == TG_FAMILY_TT;
    gint slot = tg_text_slot(code, mono);
    const guint32 token = tg_ink(self, node->token);

    self->text.font = wanted;
    TgItem *symbol = tg_text_symbol(self, wanted, size, node, token);
    if (symbol == NULL && slot < 0 && mono && (slot = tg_text_slot(code, FALSE)) >= 0)
        font = tg_layout_text_font(self, (TgTextFont){ .family = TG_FAMILY_RM }, size);
    if (font == NULL)
        return;
    note_space_factor(line, code);
    if (symbol != NULL) {
        line_add(line, symbol);
    } else if (code == 0x141 || code == 0x142) {
        line_add(line, tg_text_stroked(self, font, code == 0x141 ? 'L' : 'l', token));
    } else if (!set_slot(line, font, slot, token)) {
        line_add(line, tg_unicode_item(self, code, size, token, self->color));
    }
}

/* A mark that no font of TeX has: behind its base. */
static void set_foreign_mark(Line *line, const TgNode *node)
{
    TgLayout *self = line->layout;

    if (node->u.accent.base != NULL)
        set_items(line, node->u.accent.base);
    line_add(line, tg_unicode_item(self, node->u.accent.code, size_of(line, self->text.font),
                                   tg_ink(self, node->token), self->color));
}

/* An accent above is put on the first letter, and the rest follows, as with TeX's \accent, which
 * sets it before what does not begin with a letter; one below under all of it. LaTeX has a group
 * around either, so nothing kerns across. */
static void set_accent(Line *line, const TgNode *node)
{
    TgLayout *self = line->layout;
    const TgNode *list = node->u.accent.base;
    const TgNode *first = list != NULL ? list->u.list.first : NULL;
    const gboolean is_letter = first != NULL && first->kind == TG_NODE_CHAR;
    const TgTextFont wanted = is_letter ? first->u.character.font : self->text.font;
    const gboolean under = tg_text_accent_is_below(node->u.accent.code);
    TgItem *items = NULL;
    TgTextAccent accent = {
        .font = tg_layout_text_font(self, wanted, size_of(line, wanted)),
        .letter = is_letter ? first->u.character.code : 0,
        .mark = node->u.accent.code,
        .letter_token = is_letter ? tg_ink(self, first->token) : TG_NO_TOKEN,
        .mark_token = tg_ink(self, node->token),
    };

    if (under && first != NULL && (!is_letter || first->next != NULL))
        accent.body = tg_hpack(&self->arena, tg_layout_line(self, list, line->math_style));
    if (accent.font != NULL)
        items = tg_text_accent(self, &accent);
    if (items == NULL) {
        set_foreign_mark(line, node);
        return;
    }
    line_add(line, items);
    line->space_factor = 1000;
    if (first != NULL && !under && (!is_letter || first->next != NULL)) {
        TgNode rest = *list;
        rest.u.list.first = is_letter ? first->next : first;
        set_items(line, &rest);
        line->last = NULL;
    }
}

/* ---- Spaces and the rest --------------------------------------------------------------------- */

/* The item at the end of the line, which is not empty. */
static const TgItem *last_item(const Line *line)
{
    G_STATIC_ASSERT(G_STRUCT_OFFSET(TgItem, next) == 0);
    return (const TgItem *) (gconstpointer) line->list.end;
}

/* Of characters of TeX's fonts only. */
static TgItem *italic_correction(TgLayout *self, const TgItem *last)
{
    return tg_item_kern(&self->arena, last->kind == TG_ITEM_CHAR ? last->italic : 0);
}

static void set_space(Line *line, const TgNode *node)
{
    TgLayout *self = line->layout;

    if (node->u.space.vertical)
        return;
    if (node->u.space.amount.unit == TG_UNIT_ITALIC) {
        if (line->list.end != &line->list.first)
            line_add(line, italic_correction(self, last_item(line)));
        return;
    }
    TgItem *item = tg_item_kern(&self->arena, tg_layout_length(self, node->u.space.amount));
    if (node->u.space.amount.unit == TG_UNIT_INTERWORD) {
        const TgFont *font = tg_layout_text_font(self, self->text.font, self->text.size);

        if (node->u.space.interword == TG_INTERWORD_BLANK && line->space_factor >= 2000 &&
            font != NULL)
            item->width += font->metrics->params[TG_PARAM_EXTRA_SPACE];
    }
    item->fil = node->u.space.amount.fil;
    line_add(line, item);
}

/* Other nodes, set as a formula of one item. */
static void set_math_node(Line *line, const TgNode *node)
{
    TgLayout *self = line->layout;
    TgMathFonts *math = self->math;
    TgNoadList list;

    self->math = tg_layout_math_fonts(self, self->text.size);
    tg_noad_list_init(&list);
    tg_build_node(self, node, &list);
    TgItem *items = tg_mlist_to_hlist(self, list.first, TG_TEXT);
    self->math = math;
    line_add(line, items);
    line->space_factor = 1000;
}

static void set_math(Line *line, const TgNode *node)
{
    const int style = node->u.body.flag ? TG_DISPLAY : line->math_style;

    line_add(line, tg_layout_formula(line->layout, node->u.body.body, style));
    line->space_factor = 1000;
}

static void set_item(Line *line, const TgNode *item)
{
    switch ((TgNodeKind) item->kind) {
    case TG_NODE_CHAR:
        set_char(line, item);
        break;
    case TG_NODE_ACCENT:
        set_accent(line, item);
        break;
    case TG_NODE_SPACE:
        set_space(line, item);
        break;
    case TG_NODE_MATH:
        set_math(line, item);
        break;
    case TG_NODE_LIST:
        line->last = NULL;
        set_items(line, item);
        line->last = NULL;
        break;
    case TG_NODE_SIZE:
        tg_layout_set_text_size(line->layout, item->u.change.style);
        break;
    case TG_NODE_COLOR:
        if (item->u.color.body == NULL) {
            line->layout->color = item->u.color.rgb;
        } else {
            const guint32 color = line->layout->color;
            line->layout->color = item->u.color.rgb;
            set_items(line, item->u.color.body);
            line->layout->color = color;
        }
        break;
    case TG_NODE_BREAK: /* text is one line */
    case TG_NODE_STYLE:
    case TG_NODE_TAG:
        break;
    default:
        set_math_node(line, item);
        break;
    }
}

/* The font that a list begins with decides the spaces before its first letter. */
static void enter_font(Line *line, const TgNode *list)
{
    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_CHAR) {
            line->layout->text.font = item->u.character.font;
            return;
        }
    }
}

static void set_items(Line *line, const TgNode *list)
{
    const TgTextState text = line->layout->text;
    const guint32 color = line->layout->color;

    enter_font(line, list);
    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next)
        set_item(line, item);
    line->layout->text = text;
    line->layout->color = color;
}

/* ---- Interface ------------------------------------------------------------------------------- */

TgItem *tg_layout_line(TgLayout *self, const TgNode *list, int math_style)
{
    Line line = { .layout = self, .space_factor = 1000, .math_style = math_style };
    const int style = self->style;

    tg_item_list_init(&line.list);
    set_items(&line, list);
    if (self->math != NULL)
        tg_layout_set_style(self, style);
    return line.list.first;
}

static gboolean is_interword_space(const TgNode *item)
{
    return item->kind == TG_NODE_SPACE && item->u.space.amount.unit == TG_UNIT_INTERWORD &&
           item->u.space.interword == TG_INTERWORD_BLANK;
}

TgItem *tg_layout_trimmed_line(TgLayout *self, const TgNode *list)
{
    TgNode trimmed = *list;

    while (trimmed.u.list.first != NULL && is_interword_space(trimmed.u.list.first))
        trimmed.u.list.first = trimmed.u.list.first->next;

    TgItem *line = tg_layout_line(self, &trimmed, TG_TEXT);
    TgItem **last = &line;
    const TgNode *item = trimmed.u.list.first;
    while (item != NULL && item->next != NULL)
        item = item->next;
    if (item == NULL || !is_interword_space(item) || line == NULL)
        return line;
    while ((*last)->next != NULL)
        last = &(*last)->next;
    *last = NULL;
    return line;
}

/* Boxes below each other with TeX's interline glue, whose \lineskip is 1 pt. */
static TgItem *stacked_boxes(TgLayout *self, const TgNode *node, int math_style)
{
    const gboolean top = node->u.text.stacked == 't';
    TgItemList list;
    TgScaled depth = 0;
    gboolean first = TRUE;

    tg_item_list_init(&list);
    for (const TgNode *item = node->u.text.body->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_SPACE) {
            if (item->u.space.amount.unit == TG_UNIT_INTERWORD)
                continue;
            TgItem *kern = tg_item_kern(&self->arena, tg_layout_length(self, item->u.space.amount));
            kern->fil = item->u.space.amount.fil;
            tg_item_list_add(&list, kern);
            continue;
        }
        TgNode alone = *item;
        alone.next = NULL;
        const TgNode line = { .kind = TG_NODE_LIST, .u.list = { .first = &alone, .n_items = 1 } };
        TgItem *box = tg_hpack(&self->arena, tg_layout_line(self, &line, math_style));
        const TgScaled glue = self->text.baselineskip - depth - box->height;
        if (!first)
            tg_item_list_add(&list, tg_item_kern(&self->arena, glue < 0 ? TG_PT(1) : glue));
        tg_item_list_add(&list, box);
        depth = box->depth;
        first = FALSE;
    }
    return top ? tg_vtop(&self->arena, list.first) : tg_vpack(&self->arena, list.first);
}

/* A stack as high as asked for: what is missing goes to the stretch of the highest order. */
static TgItem *stack_box(TgLayout *self, const TgNode *node, int math_style)
{
    TgItem *box = stacked_boxes(self, node, math_style);
    guint order = 0, n = 0;

    if (!node->u.text.has_width)
        return box;
    for (const TgItem *item = box->list; item != NULL; item = item->next)
        order = item->kind == TG_ITEM_KERN ? MAX(order, item->fil) : order;
    const TgScaled more = tg_layout_length(self, node->u.text.width) -
                          (node->u.text.has_width == 2 ? 0 : box->height);
    for (const TgItem *item = box->list; item != NULL && order > 0; item = item->next)
        n += item->kind == TG_ITEM_KERN && item->fil == order;
    for (TgItem *item = box->list; item != NULL && n > 0; item = item->next)
        item->width += item->kind == TG_ITEM_KERN && item->fil == order ? more / n : 0;
    if (node->u.text.stacked == 't')
        box->depth += more;
    else
        box->height += more;
    return box;
}

TgItem *tg_text_to_width(TgLayout *self, const TgNode *node, TgItem *line, TgScaled less)
{
    const TgItem *natural = tg_hpack(&self->arena, line);
    TgItemList list;

    tg_item_list_init(&list);
    if (node->u.text.align != 'l')
        tg_item_list_add(&list, tg_item_fil(&self->arena, 1));
    tg_item_list_add(&list, line);
    if (node->u.text.align != 'r')
        tg_item_list_add(&list, tg_item_fil(&self->arena, 1));
    const TgScaled more = node->u.text.has_width == 2 ? tg_list_width(list.first) : 0;
    const TgScaled width = tg_layout_length_of(self, node->u.text.width, natural);
    return tg_hpack_to(&self->arena, list.first, more + width - less);
}

/* \text takes the size of the style around it, and mathematics in it is in display style when it
 * is. */
static TgItem *text_box(TgLayout *self, const TgNode *node)
{
    const TgTextState text = self->text;
    int math_style = TG_TEXT;

    if (node->u.text.scales && self->math != NULL) {
        self->text.size = self->math->sizes.size[self->size];
        math_style = self->style < TG_TEXT ? TG_DISPLAY : TG_TEXT;
    }
    TgItem *line = node->u.text.stacked ? stack_box(self, node, math_style)
                                        : tg_layout_line(self, node->u.text.body, math_style);
    TgItem *box;
    if (node->u.text.stacked) {
        box = line;
    } else if (!node->u.text.has_width) {
        box = tg_hpack(&self->arena, line);
    } else {
        box = tg_text_to_width(self, node, line, 0);
    }
    self->text = text;
    return box;
}

void tg_build_text(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    if (node->kind == TG_NODE_TEXT) {
        tg_append_noad(self, out, TG_NOAD_ORD, tg_make_field(self, text_box, node));
        return;
    }

    const TgNode list = { .kind = TG_NODE_LIST, .u.list = { .first = node, .n_items = 1 } };
    TgNode *copy = tg_arena_alloc(&self->arena, sizeof *copy); /* without what follows it */
    *copy = *node;
    copy->next = NULL;
    TgNode alone = list;
    alone.u.list.first = copy;
    tg_append_noad(self, out, TG_NOAD_ORD,
                   tg_box_field(tg_hpack(&self->arena, tg_layout_line(self, &alone, TG_TEXT))));
}

/* Source that could not be parsed is shown verbatim, in red. */
void tg_build_error(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const char *text = node->kind == TG_NODE_ERROR ? node->u.error.text : "?";
    const TgTextFont mono = { .family = TG_FAMILY_TT, .size = TG_SIZE_NORMAL };
    const TgFont *font = tg_layout_text_font(self, mono, self->text.size);
    const gsize len = font != NULL ? strlen(text) : 0;
    TgItemList list;

    tg_item_list_init(&list);
    for (gsize at = 0; at < len;) {
        gunichar code;

        at += tg_utf8_decode(text + at, len - at, &code); /* it may not be valid UTF-8 */
        const gint slot = tg_text_slot(code, TRUE);
        TgItem *item = slot >= 0 ? tg_item_char(&self->arena, font, (guint) slot) : NULL;

        if (item == NULL)
            item = tg_unicode_item(self, code, self->text.size, node->token, 0);
        item->token = tg_ink(self, node->token);
        item->color = 0xC00000;
        tg_item_list_add(&list, item);
    }
    tg_append_noad(self, out, TG_NOAD_ORD, tg_box_field(tg_hpack(&self->arena, list.first)));
}
