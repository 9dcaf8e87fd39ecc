/* From the tree to math lists: lists and fields, and constructs that are little more than one noad:
 * symbols, scripts, fractions, roots, delimiters, spaces. */
#include "core/deadline.h"
#include "render/typeset/typeset.h"
#include "tokenizer/latex/parse.h"

/* ---- Fields and noads ------------------------------------------------------------------------ */

TgNoad *tg_noad_new(TgLayout *self, TgNoadType type, TgField nucleus)
{
    TgNoad *noad = tg_arena_alloc(&self->arena, sizeof *noad);

    noad->next = NULL;
    noad->type = (guint8) type;
    noad->limits = noad->style = noad->in_word = 0;
    noad->nucleus = nucleus;
    noad->sub = noad->sup = TG_NO_FIELD;
    noad->hlist = NULL;
    if (tg_noad_forms[type].kind != TG_ATOM_PLAIN) /* most are plain and have no more */
        memset(&noad->u, 0, sizeof noad->u);
    return noad;
}

TgField tg_char_field(TgLayout *self, guint font, guint slot, guint32 token)
{
    return (TgField){ .kind = TG_FIELD_CHAR,
                      .font = (guint8) font,
                      .slot = (guint8) slot,
                      .ink = tg_ink(self, token) };
}

TgField tg_list_field(TgNoad *list)
{
    return (TgField){ .kind = TG_FIELD_LIST, .ink = TG_NO_INK, .u.list = list };
}

TgField tg_box_field(TgItem *box)
{
    return (TgField){ .kind = TG_FIELD_BOX, .ink = TG_NO_INK, .u.box = box };
}

TgField tg_deferred_field(TgLayout *self, TgMakeBox *make, const TgNode *node)
{
    TgDeferred *deferred = tg_arena_alloc(&self->arena, sizeof *deferred);

    *deferred = (TgDeferred){ make, node, self->now };
    return (TgField){ .kind = TG_FIELD_DEFERRED, .ink = TG_NO_INK, .u.make = deferred };
}

TgNoad *tg_append(TgLayout *self, TgNoadList *out, TgNoadType type, TgField nucleus)
{
    TgNoad *noad = tg_noad_new(self, type, nucleus);

    tg_noad_list_add(out, noad);
    return noad;
}

void tg_append_empty(TgLayout *self, TgNoadList *out)
{
    tg_append(self, out, TG_NOAD_ORD, TG_NO_FIELD);
}

static TgNoad *append_space(TgLayout *self, TgNoadList *out, TgScaled amount, gboolean mu)
{
    TgNoad *noad = tg_append(self, out, TG_NOAD_SPACE, TG_NO_FIELD);

    noad->u.space.amount = amount;
    noad->u.space.mu = mu;
    return noad;
}

TgNoad *tg_append_kern(TgLayout *self, TgNoadList *out, TgScaled amount)
{
    return append_space(self, out, amount, FALSE);
}

TgNoad *tg_append_mu(TgLayout *self, TgNoadList *out, gint mu)
{
    return append_space(self, out, (TgScaled) mu * 65536, TRUE);
}

static void append_style(TgLayout *self, TgNoadList *out, int style)
{
    tg_append(self, out, TG_NOAD_STYLE, TG_NO_FIELD)->style = (guint8) style;
}

TgNoad *tg_limits_noad(TgLayout *self, TgField nucleus)
{
    TgNoad *op = tg_noad_new(self, TG_NOAD_OP, nucleus);

    op->limits = TG_LIMITS_ON;
    return op;
}

TgItem *tg_math_char_box(TgLayout *self, guint font, guint slot, guint32 token, int style)
{
    const TgField field = tg_char_field(self, font, slot, token);

    return tg_hpack(self, tg_clean_box(self, &field, style));
}

/* ---- Lists and formulas ---------------------------------------------------------------------- */

void tg_build_items(TgLayout *self, const TgNode *list, TgNoadList *out)
{
    const TgLayoutState kept = self->now;

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next)
        tg_build_node(self, item, out);
    self->now = kept;
}

TgNoad *tg_build_mlist(TgLayout *self, const TgNode *list)
{
    TgNoadList out = { NULL, NULL };

    tg_build_items(self, list, &out);
    return out.first;
}

static gboolean is_plain_ord(const TgNoad *mlist)
{
    return mlist != NULL && mlist->next == NULL && mlist->type == TG_NOAD_ORD &&
           mlist->sub.kind == TG_FIELD_EMPTY && mlist->sup.kind == TG_FIELD_EMPTY;
}

TgField tg_build_field(TgLayout *self, const TgNode *list)
{
    TgNoad *mlist = tg_build_mlist(self, list);

    return is_plain_ord(mlist) ? mlist->nucleus : tg_list_field(mlist);
}

/* Whether @node begins in the bold math version. */
static gboolean begins_bold(const TgNode *node)
{
    TgChildIter iter = tg_child_iter(node);

    if (node->kind == TG_NODE_SYMBOL)
        return node->bold == 1;
    if (node->kind == TG_NODE_BOLD || node->kind == TG_NODE_TEXT) /* bold applies inside only */
        return FALSE;
    const TgNode *child = tg_child_iter_next(&iter);
    return child != NULL && begins_bold(child);
}

TgItem *tg_formula_box(TgLayout *self, const TgNode *list, int style)
{
    const TgLayoutState kept = tg_enter_math(self, style);

    self->now.bold = begins_bold(list);
    TgItem *box = tg_hpack(self, tg_mlist_to_hlist(self, tg_build_mlist(self, list), style));
    self->now = kept;
    return box;
}

TgItem *tg_formula_here(TgLayout *self, const TgNode *list)
{
    return tg_formula_box(self, list, self->now.style & ~TG_CRAMPED);
}

TgItem *tg_body_box(TgLayout *self, const TgNode *body, int style)
{
    TgNoadList list = { NULL, NULL };

    if (body->kind == TG_NODE_LIST)
        return tg_formula_box(self, body, style);
    tg_build_node(self, body, &list);
    return tg_list_box(self, list.first, style);
}

/* ---- Symbols --------------------------------------------------------------------------------- */

guint tg_symbol_font(const TgSymbol *symbol, TgAlphabet alphabet)
{
    static const guint8 fonts[] = {
        [TG_ALPHABET_NORMAL] = TG_MATH_LETTERS, [TG_ALPHABET_RM] = TG_MATH_ROMAN,
        [TG_ALPHABET_BF] = TG_MATH_BF,          [TG_ALPHABET_IT] = TG_MATH_IT,
        [TG_ALPHABET_SF] = TG_MATH_SF,          [TG_ALPHABET_TT] = TG_MATH_TT,
        [TG_ALPHABET_CAL] = TG_MATH_SYMBOLS,    [TG_ALPHABET_SCR] = TG_MATH_SCR,
        [TG_ALPHABET_BB] = TG_MATH_AMS_B,       [TG_ALPHABET_FRAK] = TG_MATH_FRAK,
    };
    const gboolean changes =
        (symbol->flags & TG_SYMBOL_ALPHABETIC) != 0 && alphabet != TG_ALPHABET_DEFAULT;

    return changes ? fonts[alphabet] : symbol->family;
}

static void build_char(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgSymbol *symbol = node->u.symbol.symbol;
    TgAlphabet alphabet = node->alphabet;

    if ((alphabet == TG_ALPHABET_SCR && !g_ascii_isupper((gchar) symbol->slot)) || /* of rsfs */
        (alphabet == TG_ALPHABET_FRAK && !g_ascii_isalnum((gchar) symbol->slot)))
        alphabet = TG_ALPHABET_DEFAULT;
    const guint font = tg_symbol_font(symbol, alphabet);
    /* these are the same in the bold version */
    const gboolean lacks_bold = font == TG_MATH_LARGE || font == TG_MATH_AMS_A ||
                                font == TG_MATH_AMS_B || font == TG_MATH_STMARY ||
                                font == TG_MATH_SCR;
    const gboolean is_poor = self->now.in_bm && node->bold == 1 && lacks_bold;
    TgNoad *noad = tg_append(
        self, out, node->math_class,
        is_poor ? tg_deferred_field(self, tg_make_poor_symbol, node)
                : tg_char_field(self, font | tg_bold(self, node), symbol->slot, node->token));
    if ((symbol->flags & TG_SYMBOL_NO_LIMITS) != 0)
        noad->limits = TG_LIMITS_OFF;
}

/* Whether text takes @code from another font. */
static gboolean is_text_sign(gunichar code)
{
    if (code < 0x80)
        return strchr("'<>_{|}\\", (int) code) != NULL;
    return code == 0x2026 || code == 0x2423 || tg_text_slot_in(tg_companion_slots, code) >= 0;
}

/* A character without a symbol: a letter of the roman text font, or one that no TeX font has. */
static void build_unicode(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const gunichar code = node->u.symbol.code;
    const guint bold = tg_bold(self, node);
    TgField field;

    if (code == 0x142) { /* \l: the stroke is lost in mathematics */
        field = tg_char_field(self, TG_MATH_LETTERS | bold, 'l', node->token);
    } else if (code == 0x141) {
        const TgFont *font = tg_text_font(self, self->now.text.font, self->now.text.size);
        TgItem *items = font != NULL ? tg_text_stroked(self, font, 'L', node->token) : NULL;
        field = tg_box_field(tg_hpack(self, items));
    } else if (node->alphabet == TG_ALPHABET_RM && is_text_sign(code)) {
        field = tg_deferred_field(self, tg_make_text_sign, node);
    } else {
        const gint slot = tg_text_slot(code, FALSE);
        field = tg_char_field(self, TG_MATH_ROMAN | bold, (guint) MAX(slot, 0), node->token);
        if (slot < 0)
            field.code = code;
    }
    tg_append(self, out, TG_NOAD_ORD, field);
}

/* Build a symbol that consists of other symbols; its definition is parsed once for the life of the
 * layout. */
static void build_composite(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgSymbol *symbol = node->u.symbol.symbol;
    const TgLayoutState kept = self->now;
    const guint64 budget = self->budget;
    TgTree *tree = g_hash_table_lookup(self->composites, symbol);

    if (tree == NULL) {
        const TgParseOptions options = { .source = TG_SOURCE_MATH };
        tg_deadline_suspend(); /* the tree is kept */
        tree = tg_tree_parse(symbol->latex, strlen(symbol->latex), &options, NULL);
        tg_deadline_resume();
        g_return_if_fail(tree != NULL);
        g_hash_table_insert(self->composites, (gpointer) symbol, tree);
    }
    self->now.token = tg_ink(self, node->token).token;
    self->now.bold = tg_bold(self, node) != 0;
    tg_build_items(self, tree->root, out);
    self->budget = budget; /* the whole counts as one node of the formula */
    self->now = kept;
}

/* ---- Symbols that LaTeX's kernel builds of boxes --------------------------------------------- */

/* One of the parts, as `$style symbol$`. */
static TgItem *symbol_part(TgLayout *self, const TgNode *node, guint font, guint slot, gint mu)
{
    TgNoadList list = { NULL, NULL };

    if (mu != 0)
        tg_append_mu(self, &list, mu);
    tg_append(self, &list, TG_NOAD_ORD,
              tg_char_field(self, font | tg_bold(self, node), slot, node->token));
    return tg_list_box(self, list.first, self->now.style & ~TG_CRAMPED);
}

/* A full stop of the text font. */
static TgItem *text_dot(TgLayout *self, const TgNode *node)
{
    const TgFont *font = tg_text_font(self, self->now.text.font, self->now.text.size);

    return tg_hpack(self,
                    font != NULL ? tg_char(self, font, '.', tg_ink(self, node->token)) : NULL);
}

/* \vbox{\baselineskip4pt \kern6pt \hbox{.}\hbox{.}\hbox{.}} */
static TgItem *vdots(TgLayout *self, const TgNode *node)
{
    TgItemList list = { NULL, NULL };
    TgLeading leading = { TG_PT(4), 0, G_MININT, -1 };

    tg_item_list_add(&list, tg_kern(self, TG_PT(6)));
    for (guint i = 0; i < 3; i++)
        tg_add_line(self, &list, text_dot(self, node), &leading);
    return tg_vpack(self, list.first);
}

/* \mkern1mu \raise7pt\vbox{\kern7pt\hbox{.}} \mkern2mu \raise4pt. \mkern2mu \raise1pt. \mkern1mu */
static TgItem *ddots(TgLayout *self, const TgNode *node)
{
    const TgScaled mu = tg_mu(self, 65536), double_mu = tg_mu(self, 2 * 65536);
    TgItem *first = tg_vbox(self, tg_kern(self, TG_PT(7)), text_dot(self, node));
    TgItem *second = text_dot(self, node), *third = text_dot(self, node);

    first->shift = -TG_PT(7);
    second->shift = -TG_PT(4);
    third->shift = -TG_PT(1);
    return tg_hbox(self, tg_kern(self, mu), first, tg_kern(self, double_mu), second,
                   tg_kern(self, double_mu), third, tg_kern(self, mu));
}

/* \lower.5pt\vbox{\lineskip-.5pt ~ over =} */
static TgItem *cong(TgLayout *self, const TgNode *node)
{
    TgItem *sim = symbol_part(self, node, TG_MATH_SYMBOLS, 0x18, 0);
    TgItem *equals = symbol_part(self, node, TG_MATH_ROMAN, '=', 0);
    const TgScaled width = MAX(sim->width, equals->width);
    TgItem *box = tg_vbox(self, tg_rebox(self, sim, width), tg_kern(self, -TG_PT(1) / 2),
                          tg_rebox(self, equals, width));

    box->shift = TG_PT(1) / 2;
    return tg_hpack(self, box);
}

/* \ooalign{\hfil$\mkern1mu/$\hfil\crcr$\in$}: the second row lies on the first. */
static TgItem *notin(TgLayout *self, const TgNode *node)
{
    TgItem *slash = symbol_part(self, node, TG_MATH_LETTERS, '=', 1);
    TgItem *in = symbol_part(self, node, TG_MATH_SYMBOLS, 0x32, 0);
    const TgScaled width = MAX(slash->width, in->width);
    const TgScaled height = slash->height, depth = in->depth;
    TgItem *box = tg_hbox(self, tg_rebox(self, slash, width), tg_kern(self, -width),
                          tg_hpack_to(self, in, width));

    box->height = height;
    box->depth = depth;
    return box;
}

static TgItem *make_drawn(TgLayout *self, const TgNode *node)
{
    const char *name = node->u.symbol.symbol->name;

    return g_str_equal(name, "vdots")   ? vdots(self, node)
           : g_str_equal(name, "ddots") ? ddots(self, node)
           : g_str_equal(name, "cong")  ? cong(self, node)
                                        : notin(self, node);
}

static void build_symbol(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgSymbol *symbol = node->u.symbol.symbol;

    if (symbol == NULL)
        build_unicode(self, node, out);
    else if (node->u.symbol.chemistry)
        tg_build_chemistry_arrow(self, node, out);
    else if (symbol->kind == TG_SYMBOL_COMPOSITE)
        build_composite(self, node, out);
    else if (symbol->kind == TG_SYMBOL_DRAWN)
        tg_append(self, out, symbol->math_class, tg_deferred_field(self, make_drawn, node));
    else if (symbol->kind == TG_SYMBOL_CHAR)
        build_char(self, node, out);
}

/* ---- Operators ------------------------------------------------------------------------------- */

static void build_operator(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoadList body = { NULL, NULL };

    tg_append_kern(self, &body, 0); /* so that a lone letter is not centered on the axis */
    for (const TgNode *item = node->u.op.body->u.list.first; item != NULL; item = item->next) {
        const TgSymbol *symbol = item->kind == TG_NODE_SYMBOL ? item->u.symbol.symbol : NULL;
        const char c = symbol != NULL && symbol->name[1] == '\0' ? symbol->name[0] : '\0';
        if (c == '\0' || strchr("-*/:.", c) == NULL) {
            tg_build_node(self, item, &body);
            continue;
        }
        /* these are set as text, a hyphen instead of a minus (amsopn's \newmcodes@) */
        tg_append(self, &body, c == '.' || c == ':' ? TG_NOAD_PUNCT : TG_NOAD_ORD,
                  tg_char_field(self, c == '.' ? TG_MATH_LETTERS : TG_MATH_ROMAN,
                                c == '.' ? 0x3A : (guchar) c, item->token));
    }
    tg_append(self, out, TG_NOAD_OP, tg_list_field(body.first))->limits = node->u.op.limits;
}

/* ---- Scripts --------------------------------------------------------------------------------- */

static gboolean is_multiple_integral(const TgNode *node)
{
    return node->kind == TG_NODE_SYMBOL && node->u.symbol.symbol != NULL &&
           node->u.symbol.symbol->kind == TG_SYMBOL_COMPOSITE &&
           g_str_has_prefix(node->u.symbol.symbol->latex, "\\intop");
}

/* Append @amount mu, and @more mu in display style. */
static void append_display_mu(TgLayout *self, TgNoadList *out, gint amount, gint more)
{
    TgNoadList display = { NULL, NULL };

    tg_append_mu(self, out, amount);
    tg_append_mu(self, &display, more);
    tg_append(self, out, TG_NOAD_CHOICE, TG_NO_FIELD)->u.choice[TG_STYLE_DISPLAY] = display.first;
}

/* Whether TeX sets @nucleus as a \mathchoice or with a change of color at its end: an empty atom
 * after it has the scripts. */
static gboolean takes_no_scripts(const TgNode *nucleus)
{
    switch (nucleus != NULL ? (TgNodeKind) nucleus->kind : TG_N_NODE_KINDS) {
    case TG_NODE_STRETCH: /* amsmath's arrows over and under something */
        return tg_stretch_forms[nucleus->u.stretch.form].shape == TG_SHAPE_OF_ARROW;
    case TG_NODE_PHANTOM:
        return (nucleus->u.phantom.flags & TG_PHANTOM_CRAMPED) != 0;
    case TG_NODE_LAP: /* \mathrlap; \rlap is a box of text */
        return nucleus->u.lap.body->kind == TG_NODE_LIST;
    case TG_NODE_ENCLOSE:
        return nucleus->u.enclose.form != TG_ENCLOSE_STRIKE &&
               tg_enclosure_shapes[nucleus->u.enclose.form] == TG_SHAPE_OF_STROKE;
    case TG_NODE_BOLD:
        return nucleus->u.body.flag == TG_BOLD_POOR;
    case TG_NODE_COLOR:
        return nucleus->u.color.body != NULL;
    default:
        return FALSE;
    }
}

static void build_scripts(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgNode *nucleus = node->u.scripts.nucleus;
    const TgNoad *before = out->last;
    TgNoadList integrals = { NULL, NULL };

    if (nucleus != NULL && node->u.scripts.limits == TG_LIMITS_ON &&
        is_multiple_integral(nucleus)) {
        /* the integrals are one operator, with space before them, taken back outside, that centers
         * the limits (amsmath's \ints@b) */
        append_display_mu(self, &integrals, 7, 2);
        tg_build_node(self, nucleus, &integrals);
        append_display_mu(self, out, -7, -2);
        tg_append(self, out, TG_NOAD_OP, tg_list_field(integrals.first));
    } else if (nucleus != NULL) {
        tg_build_node(self, nucleus, out);
    }
    if (node->u.scripts.form != TG_SCRIPTS_PLAIN) {
        tg_build_chemistry_scripts(self, node, out);
        return;
    }
    /* of several atoms (\neq is \not and =) the last has them; without an atom an empty one */
    const TgNode *sub = node->u.scripts.sub, *sup = node->u.scripts.sup;
    TgNoad *noad = out->last;
    const gboolean is_atom = noad != before && (tg_noad_forms[noad->type].kind == TG_ATOM_PLAIN ||
                                                tg_noad_forms[noad->type].kind == TG_ATOM_BUILT);
    if (!is_atom || (sub != NULL && noad->sub.kind != TG_FIELD_EMPTY) ||
        (sup != NULL && noad->sup.kind != TG_FIELD_EMPTY) || /* as \bar{x}^2 in a group has */
        takes_no_scripts(nucleus))
        noad = tg_append(self, out, TG_NOAD_ORD, TG_NO_FIELD);
    if (node->u.scripts.limits != TG_LIMITS_DEFAULT)
        noad->limits = node->u.scripts.limits;
    if (sub != NULL)
        noad->sub = tg_build_field(self, sub);
    if (sup != NULL)
        noad->sup = tg_build_field(self, sup);
}

/* ---- Delimiters ------------------------------------------------------------------------------ */

static TgDelimiter delimiter_of(TgLayout *self, const TgNode *node)
{
    const TgSymbol *symbol = node != NULL ? node->u.symbol.symbol : NULL;

    if (symbol == NULL || (symbol->flags & TG_SYMBOL_DELIMITER) == 0)
        return (TgDelimiter){ .ink = TG_NO_INK };

    const guint bold = tg_bold(self, node);
    return (TgDelimiter){ .present = 1,
                          .small_font = (guint8) (symbol->small_family | bold),
                          .small_slot = symbol->small_slot,
                          .large_font = (guint8) (symbol->large_family | bold),
                          .large_slot = symbol->large_slot,
                          .ink = tg_ink(self, node->token) };
}

void tg_append_delimiter(TgLayout *self, TgNoadList *out, TgNoadType type, const TgNode *symbol)
{
    tg_append(self, out, type, TG_NO_FIELD)->u.delimiter = delimiter_of(self, symbol);
}

static void build_delimited(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoadList body = { NULL, NULL };

    tg_append_delimiter(self, &body, TG_NOAD_LEFT, node->u.delimited.left);
    tg_build_items(self, node->u.delimited.body, &body);
    tg_append_delimiter(self, &body, TG_NOAD_RIGHT, node->u.delimited.right);
    tg_append(self, out, TG_NOAD_INNER, tg_list_field(body.first));
}

/* `$\left( \vcenter to f\big@size{} \right.$` in text style, without \nulldelimiterspace. amsmath's
   \big@size is 1.2 times the extent of the math font's parenthesis. */
static TgItem *make_big(TgLayout *self, const TgNode *node)
{
    static const TgScaled factors[] = { 0, 65536, 98304, 131072, 163840 };
    const TgDelimiter delimiter = delimiter_of(self, node->u.big.delimiter);
    const TgFont *font = tg_math_font_at(self, TG_MATH_ROMAN, TG_MATH_TEXT);
    TgScaled size = 0;

    if (font != NULL) {
        const TgCharMetrics *paren = &font->metrics->chars['('];
        size = paren->height + tg_xn_over_d(paren->height, 13107, 65536) + paren->depth +
               tg_xn_over_d(paren->depth, 13107, 65536);
    }
    size = tg_xn_over_d(size, factors[MIN(node->u.big.size, 4)], 65536);
    tg_set_style(self, TG_TEXT);
    const TgScaled height = tg_axis_height(self) + tg_half(size);
    TgItem *sign = tg_left_right(self, &delimiter, height, size - height);
    if (sign->list == NULL)
        sign->width = 0;

    TgItem *box = tg_hpack(self, sign);
    box->height = MAX(box->height, height);
    box->depth = MAX(box->depth, size - height);
    return box;
}

/* ---- Fractions ------------------------------------------------------------------------------- */

static void build_fraction(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoad *noad = tg_noad_new(self, TG_NOAD_FRACTION, TG_NO_FIELD);
    const guint8 bar = node->u.fraction.has_bar;
    const gboolean is_cfrac = node->u.fraction.form == TG_FRACTION_CFRAC;
    TgNoadList num = { NULL, NULL }, group = { NULL, NULL };

    if (is_cfrac)
        tg_append(self, &num, TG_NOAD_ORD, tg_box_field(tg_strut(self, 65536)));
    tg_build_items(self, node->u.fraction.num, &num);
    noad->u.fraction.num = tg_list_field(num.first);
    noad->u.fraction.den = tg_list_field(tg_build_mlist(self, node->u.fraction.den));
    noad->u.fraction.left = delimiter_of(self, node->u.fraction.left);
    noad->u.fraction.right = delimiter_of(self, node->u.fraction.right);
    noad->u.fraction.thickness = bar == 0   ? 0
                                 : bar == 1 ? -1
                                            : tg_length(self, node->u.fraction.bar);
    noad->u.fraction.ink = tg_ink(self, node->token);
    if (node->u.fraction.form == TG_FRACTION_INFIX) {
        tg_noad_list_add(out, noad);
        return;
    }
    if (is_cfrac)
        append_style(self, &group, TG_DISPLAY);
    else if (node->u.fraction.style != TG_STYLE_INHERIT)
        append_style(self, &group, 2 * node->u.fraction.style);
    tg_append(self, &group, TG_NOAD_ORD, tg_list_field(noad));
    tg_append(self, out, TG_NOAD_ORD, tg_list_field(group.first));
    if (is_cfrac)
        tg_append_kern(self, out, -TG_NULL_DELIMITER_SPACE);
}

/* ---- Roots ----------------------------------------------------------------------------------- */

static TgNoad *radical_noad(TgLayout *self, const TgNode *node)
{
    enum { SIGN = 0x70 };
    const guint bold = self->now.bold ? TG_MATH_BOLD : 0u;
    TgNoad *noad = tg_noad_new(self, TG_NOAD_RADICAL, tg_build_field(self, node->u.radical.body));

    noad->u.delimiter = (TgDelimiter){ .present = 1,
                                       .small_font = (guint8) (TG_MATH_SYMBOLS | bold),
                                       .small_slot = SIGN,
                                       .large_font = (guint8) (TG_MATH_LARGE | bold),
                                       .large_slot = SIGN,
                                       .ink = tg_ink(self, node->token) };
    return noad;
}

/* The \root of plain TeX and amsmath: index in scriptscript size, raised, over the sign's tail. */
static TgItem *root_with_index(TgLayout *self, const TgNode *node)
{
    const int style = self->now.style & ~TG_CRAMPED;
    TgItem *index = tg_list_box(self, tg_build_mlist(self, node->u.radical.index), TG_SCRIPTSCRIPT);
    TgItem *root = tg_list_box(self, radical_noad(self, node), style);

    index->shift = -tg_xn_over_d(root->height - root->depth, 39322, 65536); /* .6 of it */
    return tg_hbox(self, tg_kern(self, tg_mu(self, 5 * 65536)), index,
                   tg_kern(self, tg_mu(self, -10 * 65536)), root);
}

static void build_radical(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    if (node->u.radical.index == NULL)
        tg_noad_list_add(out, radical_noad(self, node));
    else
        tg_append(self, out, TG_NOAD_ORD, tg_deferred_field(self, root_with_index, node));
}

/* ---- Groups, spaces and changes -------------------------------------------------------------- */

/* A group: an Ord, but for an accent alone in it, which takes its place (TeX §1187). */
static void build_group(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoad *mlist = tg_build_mlist(self, node);

    if (is_plain_ord(mlist) ||
        (mlist != NULL && mlist->next == NULL && mlist->type == TG_NOAD_ACCENT))
        tg_noad_list_add(out, mlist);
    else
        tg_append(self, out, TG_NOAD_ORD, tg_list_field(mlist));
}

static TgItem *make_text_formula(TgLayout *self, const TgNode *node)
{
    return tg_formula_box(self, node->u.body.body, TG_TEXT);
}

/* The argument of \mathop and its kin: a symbol without braces loses its own class. */
static TgField class_field(TgLayout *self, const TgNode *list)
{
    const gboolean is_bare = !list->u.list.braced && tg_list_only(list, TG_NODE_SYMBOL) != NULL;
    TgNoad *mlist = tg_build_mlist(self, list);
    const gboolean loses_class =
        is_bare && mlist != NULL && mlist->next == NULL &&
        (mlist->type == TG_NOAD_INNER || tg_noad_forms[mlist->type].kind == TG_ATOM_PLAIN);
    return loses_class || is_plain_ord(mlist) ? mlist->nucleus : tg_list_field(mlist);
}

/* The operator of \sideset{left}{right}\sum, a style, what is left, and {\sum\nolimits right}: as
 * wide at both sides of the bare operator as its scripts at the right, so that limits are centered
 * on it. Returns FALSE where a formula with errors has another form. */
static gboolean build_sideset(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgNode *item = node->u.body.body->u.list.first;
    TgNoadList left = { NULL, NULL }, bare = { NULL, NULL };

    if (item == NULL || item->kind != TG_NODE_STYLE)
        return FALSE;
    const TgNode *left_items = item->next, *group = left_items;
    while (group != NULL && group->next != NULL)
        group = group->next;
    const TgNode *op = group != NULL && group->kind == TG_NODE_LIST ? group->u.list.first : NULL;
    if (op != NULL && op->kind == TG_NODE_SCRIPTS)
        op = op->u.scripts.nucleus;
    if (op == NULL)
        return FALSE;
    for (item = left_items; item != group; item = item->next)
        tg_build_node(self, item, &left);
    tg_build_node(self, op, &bare);
    TgItem *before = tg_list_box(self, left.first, TG_DISPLAY);
    TgItem *after = tg_list_box(self, tg_build_mlist(self, group), TG_DISPLAY);
    const TgScaled shift =
        before->width + tg_list_box(self, bare.first, TG_DISPLAY)->width - after->width;
    tg_append_kern(self, out, shift);
    tg_append(self, out, node->math_class,
              tg_box_field(tg_hbox(self, tg_kern(self, -shift), before, after)));
    return TRUE;
}

/* Nodes that become one noad, or that change the current style. */
static void build_simple(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoad *noad;

    switch ((TgNodeKind) node->kind) {
    case TG_NODE_BIG:
        tg_append(self, out, node->math_class, tg_deferred_field(self, make_big, node));
        break;
    case TG_NODE_MIDDLE:
        tg_append_delimiter(self, out, TG_NOAD_MIDDLE, node->u.big.delimiter);
        break;
    case TG_NODE_CLASS:
        if (node->u.body.flag != 0 && build_sideset(self, node, out))
            break;
        tg_append(self, out, node->math_class, class_field(self, node->u.body.body));
        break;
    case TG_NODE_CHOICE:
        noad = tg_append(self, out, TG_NOAD_CHOICE, TG_NO_FIELD);
        for (guint i = 0; i < 4; i++)
            noad->u.choice[i] = tg_build_mlist(self, node->u.choice.style[i]);
        break;
    case TG_NODE_MATH: /* `$..$` where mathematics is already: its inside as a group */
        tg_append(self, out, TG_NOAD_ORD, tg_box_field(make_text_formula(self, node)));
        break;
    case TG_NODE_VCENTER:
        tg_append(self, out, TG_NOAD_VCENTER, tg_deferred_field(self, make_text_formula, node));
        break;
    case TG_NODE_STYLE:
        append_style(self, out, 2 * node->u.change.style);
        break;
    case TG_NODE_SIZE:
        tg_set_text_size(self, node->u.change.style);
        break;
    case TG_NODE_BREAK: /* TeX sets a formula on one line; \\ leaves an empty group there */
        tg_append_empty(self, out);
        break;
    default: /* TAG */
        break;
    }
}

static void build_space(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgLength amount = node->u.space.amount;

    if (node->u.space.vertical)
        return;
    TgNoad *space = amount.unit == TG_UNIT_MU
                        ? append_space(self, out, amount.value, TRUE)
                        : append_space(self, out, tg_length(self, amount), FALSE);
    space->u.space.nonscript = node->u.space.nonscript;
    space->u.space.fil = amount.fil;
    if (amount.unit == TG_UNIT_INTERWORD && node->u.space.interword == TG_INTERWORD_TIE)
        tg_append_empty(self, out);
}

static void build_color(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const guint32 color = self->now.color;

    self->now.color = node->u.color.rgb;
    if (node->u.color.body == NULL)
        return; /* to the end of the list */
    tg_append(self, out, TG_NOAD_ORD, tg_list_field(tg_build_mlist(self, node->u.color.body)));
    self->now.color = color;
}

/* ---- All kinds ------------------------------------------------------------------------------- */

static TgBuildNode *const builders[TG_N_NODE_KINDS] = {
    [TG_NODE_LIST] = build_group,          [TG_NODE_SYMBOL] = build_symbol,
    [TG_NODE_OPERATOR] = build_operator,   [TG_NODE_SCRIPTS] = build_scripts,
    [TG_NODE_FRACTION] = build_fraction,   [TG_NODE_RADICAL] = build_radical,
    [TG_NODE_ACCENT] = tg_build_accent,    [TG_NODE_STRETCH] = tg_build_stretch,
    [TG_NODE_STACK] = tg_build_stack,      [TG_NODE_ARROW] = tg_build_arrow,
    [TG_NODE_DELIMITED] = build_delimited, [TG_NODE_BOLD] = tg_build_bold,
    [TG_NODE_ARRAY] = tg_build_array,      [TG_NODE_CHAR] = tg_build_char,
    [TG_NODE_COLOR] = build_color,         [TG_NODE_SPACE] = build_space,
    [TG_NODE_RULE] = tg_build_rule,        [TG_NODE_ERROR] = tg_build_error,
};

/* The kinds that are an Ord of one box. */
static TgMakeBox *const boxes[TG_N_NODE_KINDS] = {
    [TG_NODE_TEXT] = tg_make_text,         [TG_NODE_PHANTOM] = tg_make_phantom,
    [TG_NODE_LAP] = tg_make_lap,           [TG_NODE_RAISE] = tg_make_raised,
    [TG_NODE_ENCLOSE] = tg_make_enclosure,
};

void tg_build_node(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    if (tg_deadline_spend(30))
        return;
    /* a box that is measured before it is set doubles the work with each level of nesting */
    if (!tg_layout_spend(self))
        return;
    if (builders[node->kind] != NULL)
        builders[node->kind](self, node, out);
    else if (boxes[node->kind] != NULL)
        tg_append(self, out, TG_NOAD_ORD, tg_deferred_field(self, boxes[node->kind], node));
    else
        build_simple(self, node, out);
}
