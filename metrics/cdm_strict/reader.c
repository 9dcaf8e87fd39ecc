/* Walks over the formula tree: one element for each thing with ink, one row for each place. */
#include "metrics/cdm_strict/reader.h"

#include <string.h>

#include "tokenizer/symbols/math_class.h"

/* ---- Rows and elements --------------------------------------------------------------------- */

TgStrictMark tg_strict_open(TgStrictReader *self)
{
    const TgStrictMark mark = { self->row_start, self->pending->len, self->out->elements->len };

    self->row_start = self->pending->len;
    return mark;
}

/* \not before nothing is a sign by itself. */
static void end_stroke(TgStrictReader *self)
{
    const TgNode *stroke = self->stroke;

    self->stroke = NULL;
    if (stroke != NULL)
        tg_strict_add(self, tg_strict_symbol(stroke), stroke->token);
}

void tg_strict_close(TgStrictReader *self, TgStrictMark mark, TgStrictRole role)
{
    end_stroke(self);
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

/* Three dots in a row are an ellipsis, however they are written. */
static void join_dots(TgStrictReader *self)
{
    GArray *elements = self->out->elements;
    const guint32 n = elements->len, last = self->pending->len;
    TgStrictElement *dots = &g_array_index(elements, TgStrictElement, MAX(n, 3) - 3);
    TgStrictGlyph ellipsis;

    if (last < self->row_start + 3 || g_array_index(self->pending, guint32, last - 3) != n - 3 ||
        g_array_index(self->pending, guint32, last - 2) != n - 2 ||
        !tg_strict_three(dots[2].glyph, &ellipsis) || dots[0].glyph.sign != dots[2].glyph.sign ||
        dots[1].glyph.sign != dots[2].glyph.sign || dots[1].cell.is_first || dots[2].cell.is_first)
        return;
    dots[0].glyph = ellipsis;
    dots[0].last_token = dots[2].token;
    g_array_set_size(elements, n - 2);
    g_array_set_size(self->pending, last - 2);
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
    if (index >= 2)
        join_dots(self);
    return index;
}

/* What is read now lies under the element @cover. */
static void end_cover(TgStrictReader *self, guint32 cover)
{
    if (cover != TG_NO_TOKEN)
        g_array_index(self->out->elements, TgStrictElement, cover).cover_end =
            self->out->elements->len;
}

static void read_covered(TgStrictReader *self, TgStrictGlyph glyph, const TgNode *node,
                         const TgNode *body)
{
    const guint32 cover = tg_strict_add(self, glyph, node->token);

    if (body != NULL)
        tg_strict_read_node(self, body);
    end_stroke(self);
    end_cover(self, cover);
}

/* ---- Lists --------------------------------------------------------------------------------- */

/* In text a list is a row of words; nothing but style ends with it. */
static void read_list(TgStrictReader *self, const TgNode *list)
{
    const guint8 style = self->style;

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (tg_strict_is_not(item)) {
            end_stroke(self);
            self->stroke = item;
        } else {
            tg_strict_read_node(self, item);
        }
    }
    end_stroke(self);
    self->style = style;
}

static void read_in_style(TgStrictReader *self, const TgNode *list, guint8 style)
{
    const guint8 around = self->style;

    self->style = style;
    tg_strict_read_node(self, list);
    self->style = around;
}

void tg_strict_read_row(TgStrictReader *self, const TgNode *list, TgStrictRole role, TgStyle style)
{
    if (list == NULL)
        return;

    const TgStrictMark mark = tg_strict_open(self);
    read_in_style(self, list, (guint8) style);
    tg_strict_close(self, mark, role);
}

static guint8 smaller(guint8 style)
{
    return style <= TG_STYLE_TEXT ? TG_STYLE_SCRIPT : TG_STYLE_SCRIPTSCRIPT;
}

/* ---- Symbols and text ---------------------------------------------------------------------- */

static void read_symbol(TgStrictReader *self, const TgNode *node)
{
    const TgSymbol *symbol = node->u.symbol.symbol;
    const guint n = symbol != NULL ? tg_strict_integrals(symbol) : 0;

    if (n == 0) {
        tg_strict_add(self, tg_strict_symbol(node), node->token);
        return;
    }
    TgNode integral = *node;
    integral.u.symbol.symbol = tg_symbol_find("int", strlen("int"));
    integral.u.symbol.code = integral.u.symbol.symbol->codepoint;
    for (guint i = 0; i < n; i++)
        tg_strict_add(self, tg_strict_symbol(&integral), node->token);
}

static void read_delimiter(TgStrictReader *self, const TgNode *delimiter)
{
    if (delimiter != NULL)
        tg_strict_add(self, tg_strict_symbol(delimiter), delimiter->token);
}

/* A row of a fenced array is a row even when it is the only one. */
static void read_delimited(TgStrictReader *self, const TgNode *node)
{
    const TgNode *body = node->u.delimited.body;

    read_delimiter(self, node->u.delimited.left);
    if (tg_strict_first(body) == tg_strict_last(body))
        self->fenced = tg_strict_first(body);
    tg_strict_read_node(self, body);
    read_delimiter(self, node->u.delimited.right);
}

/* A letter with an accent is both, as when the accent is written as a command. */
static void read_char(TgStrictReader *self, const TgNode *node)
{
    gunichar base, mark;

    if (g_unichar_decompose(node->u.character.code, &base, &mark) && mark >= 0x300 &&
        mark < 0x370) {
        const guint32 accent = tg_strict_add(self, tg_strict_accent(mark), node->token);
        tg_strict_add(self, tg_strict_char(base, node->u.character.font), node->token);
        end_cover(self, accent);
        return;
    }
    if (!g_unichar_isspace(node->u.character.code))
        tg_strict_add(self, tg_strict_char(node->u.character.code, node->u.character.font),
                      node->token);
}

static void read_error(TgStrictReader *self, const TgNode *node)
{
    self->stroke = NULL;
    if (tg_strict_add(self, tg_strict_construct(TG_STRICT_ERROR), node->token) != TG_NO_TOKEN)
        self->n_error_elements++;
}

/* ---- Scripts ------------------------------------------------------------------------------- */

/* The limits that @nucleus has when nothing is said. */
static TgLimits default_limits(const TgNode *nucleus)
{
    switch ((TgNodeKind) nucleus->kind) {
    case TG_NODE_SYMBOL:
        if (nucleus->math_class != TG_CLASS_OP)
            return TG_LIMITS_OFF;
        if (nucleus->u.symbol.symbol != NULL &&
            ((nucleus->u.symbol.symbol->flags & TG_SYMBOL_NO_LIMITS) != 0 ||
             tg_strict_integrals(nucleus->u.symbol.symbol) > 0))
            return TG_LIMITS_OFF;
        return TG_LIMITS_DISPLAY;
    case TG_NODE_OPERATOR:
        return (TgLimits) nucleus->u.op.limits;
    case TG_NODE_CLASS:
        return nucleus->math_class == TG_CLASS_OP ? TG_LIMITS_DISPLAY : TG_LIMITS_OFF;
    case TG_NODE_STRETCH:
        return nucleus->u.stretch.form >= TG_STRETCH_OVERBRACE &&
                       nucleus->u.stretch.form <= TG_STRETCH_UNDERPAREN
                   ? TG_LIMITS_ON
                   : TG_LIMITS_OFF;
    default:
        return TG_LIMITS_OFF;
    }
}

/* Whether the scripts stand above and below. */
static gboolean has_limits(const TgStrictReader *self, const TgNode *node)
{
    TgLimits limits = (TgLimits) node->u.scripts.limits;

    if (limits == TG_LIMITS_DEFAULT)
        limits = node->u.scripts.nucleus != NULL ? default_limits(node->u.scripts.nucleus)
                                                 : TG_LIMITS_OFF;
    return limits == TG_LIMITS_ON ||
           (limits == TG_LIMITS_DISPLAY && self->style == TG_STYLE_DISPLAY);
}

static void read_scripts(TgStrictReader *self, const TgNode *node)
{
    const TgStyle style = smaller(self->style);
    const gboolean limits = has_limits(self, node);

    if (node->u.scripts.nucleus != NULL)
        tg_strict_read_node(self, node->u.scripts.nucleus);
    tg_strict_read_row(self, node->u.scripts.sub, limits ? TG_STRICT_BELOW : TG_STRICT_SUB, style);
    tg_strict_read_row(self, node->u.scripts.sup, limits ? TG_STRICT_ABOVE : TG_STRICT_SUP, style);
}

static void read_sideset(TgStrictReader *self, const TgNode *node)
{
    const TgStyle style = smaller(self->style);

    tg_strict_read_row(self, node->u.sideset.pre_sub, TG_STRICT_SUB, style);
    tg_strict_read_row(self, node->u.sideset.pre_sup, TG_STRICT_SUP, style);
    tg_strict_read_node(self, node->u.sideset.base);
    tg_strict_read_row(self, node->u.sideset.post_sub, TG_STRICT_SUB, style);
    tg_strict_read_row(self, node->u.sideset.post_sup, TG_STRICT_SUP, style);
}

static void read_stack(TgStrictReader *self, const TgNode *node)
{
    tg_strict_read_node(self, node->u.stack.base);
    end_stroke(self);
    tg_strict_read_row(self, node->u.stack.under, TG_STRICT_BELOW, TG_STYLE_SCRIPT);
    tg_strict_read_row(self, node->u.stack.over, TG_STRICT_ABOVE, TG_STYLE_SCRIPT);
}

static void read_arrow(TgStrictReader *self, const TgNode *node)
{
    tg_strict_add(self, tg_strict_construct(TG_STRICT_ARROW + node->u.arrow.form), node->token);
    tg_strict_read_row(self, node->u.arrow.below, TG_STRICT_BELOW, TG_STYLE_SCRIPT);
    tg_strict_read_row(self, node->u.arrow.above, TG_STRICT_ABOVE, TG_STYLE_SCRIPT);
}

/* ---- Fractions, roots, boxes --------------------------------------------------------------- */

/* Without a bar it is two lines of a grid, as an array would draw it. */
static void read_fraction(TgStrictReader *self, const TgNode *node)
{
    const gboolean bar = node->u.fraction.has_bar != 0;
    const guint8 forced = node->u.fraction.style;
    const guint8 around = forced == TG_STYLE_INHERIT ? self->style : forced;
    const TgStyle style = around == TG_STYLE_DISPLAY ? TG_STYLE_TEXT : smaller(around);

    read_delimiter(self, node->u.fraction.left);
    const TgStrictMark mark = tg_strict_open(self);
    if (bar)
        tg_strict_add(self, tg_strict_construct(TG_STRICT_FRACTION_BAR), node->token);
    tg_strict_read_row(self, node->u.fraction.num, bar ? TG_STRICT_NUM : TG_STRICT_LINE, style);
    tg_strict_read_row(self, node->u.fraction.den, bar ? TG_STRICT_DEN : TG_STRICT_LINE, style);
    tg_strict_close(self, mark, bar ? TG_STRICT_FRACTION : TG_STRICT_GRID);
    read_delimiter(self, node->u.fraction.right);
}

static void read_radical(TgStrictReader *self, const TgNode *node)
{
    tg_strict_read_row(self, node->u.radical.index, TG_STRICT_INDEX, TG_STYLE_SCRIPTSCRIPT);
    read_covered(self, tg_strict_construct(TG_STRICT_RADICAL), node, node->u.radical.body);
}

static void read_enclosure(TgStrictReader *self, const TgNode *node)
{
    const guint8 form = node->u.enclose.form, style = self->style;
    const gboolean strikes = form >= TG_ENCLOSE_CANCEL && form <= TG_ENCLOSE_STRIKE;
    const TgStrictGlyph glyph =
        tg_strict_construct(strikes ? TG_STRICT_CANCEL + (guint) form : (guint) TG_STRICT_FRAME);

    if (form == TG_ENCLOSE_BOXED)
        self->style = TG_STYLE_DISPLAY;
    if (form == TG_ENCLOSE_COLORBOX)
        tg_strict_read_node(self, node->u.enclose.body);
    else
        read_covered(self, glyph, node, node->u.enclose.body);
    self->style = style;
}

/* ---- Nodes --------------------------------------------------------------------------------- */

/* Nodes that only dress their body, or NULL. */
static const TgNode *body_of(const TgStrictReader *self, const TgNode *node)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_CLASS:
    case TG_NODE_BOLD:
    case TG_NODE_VCENTER:
        return node->u.body.body;
    case TG_NODE_TEXT:
        return node->u.text.body;
    case TG_NODE_LAP:
        return node->u.lap.body;
    case TG_NODE_RAISE:
        return node->u.raise.body;
    case TG_NODE_COLOR:
        return node->u.color.body;
    case TG_NODE_CHOICE:
        return node->u.choice.style[MIN(self->style, TG_STYLE_SCRIPTSCRIPT)];
    case TG_NODE_PHANTOM:
        return (node->u.phantom.flags & TG_PHANTOM_NO_INK) != 0 ? NULL : node->u.phantom.body;
    case TG_NODE_OPERATOR:
        return node->u.op.body;
    default: /* spaces, sizes, breaks, tags */
        return NULL;
    }
}

static void read_other(TgStrictReader *self, const TgNode *node)
{
    const guint32 token = self->token;
    const TgNode *body = body_of(self, node);

    if (body == NULL)
        return;
    if (node->token != TG_NO_TOKEN)
        self->token = node->token;
    tg_strict_read_node(self, body);
    self->token = token;
}

void tg_strict_read_node(TgStrictReader *self, const TgNode *node)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_LIST:
        read_list(self, node);
        break;
    case TG_NODE_SYMBOL:
        read_symbol(self, node);
        break;
    case TG_NODE_CHAR:
        read_char(self, node);
        break;
    case TG_NODE_SCRIPTS:
        read_scripts(self, node);
        break;
    case TG_NODE_SIDESET:
        read_sideset(self, node);
        break;
    case TG_NODE_FRACTION:
        read_fraction(self, node);
        break;
    case TG_NODE_RADICAL:
        read_radical(self, node);
        break;
    case TG_NODE_ACCENT:
        read_covered(self, tg_strict_accent(node->u.accent.code), node, node->u.accent.base);
        break;
    case TG_NODE_STRETCH:
        read_covered(self, tg_strict_construct(TG_STRICT_STRETCH + node->u.stretch.form), node,
                     node->u.stretch.body);
        break;
    case TG_NODE_STACK:
        read_stack(self, node);
        break;
    case TG_NODE_ARROW:
        read_arrow(self, node);
        break;
    case TG_NODE_DELIMITED:
        read_delimited(self, node);
        break;
    case TG_NODE_MIDDLE:
    case TG_NODE_BIG:
        read_delimiter(self, node->u.big.delimiter);
        break;
    case TG_NODE_ARRAY:
        tg_strict_read_array(self, node, FALSE);
        break;
    case TG_NODE_MATH:
        read_in_style(self, node->u.body.body,
                      node->u.body.flag != 0 ? TG_STYLE_DISPLAY : TG_STYLE_TEXT);
        break;
    case TG_NODE_STYLE:
        self->style = node->u.change.style;
        break;
    case TG_NODE_ENCLOSE:
        read_enclosure(self, node);
        break;
    case TG_NODE_RULE:
        tg_strict_add(self, tg_strict_construct(TG_STRICT_RULE), node->token);
        break;
    case TG_NODE_BREAK:
        self->line++;
        break;
    case TG_NODE_ERROR:
        read_error(self, node);
        break;
    default:
        read_other(self, node);
        break;
    }
}

/* ---- The whole ----------------------------------------------------------------------------- */

/* Whether all of the formula is arrays that read as lines, with nothing but punctuation between. */
static gboolean is_broken_text(const TgNode *root)
{
    gboolean any = FALSE;

    for (const TgNode *item = root->u.list.first; item != NULL; item = item->next) {
        switch ((TgNodeKind) item->kind) {
        case TG_NODE_ARRAY:
            if (!tg_strict_is_lines(item))
                return FALSE;
            any = TRUE;
            break;
        case TG_NODE_SYMBOL:
            if (tg_strict_is_not(item) ||
                (item->math_class != TG_CLASS_PUNCT && item->u.symbol.code != '.'))
                return FALSE;
            break;
        case TG_NODE_STYLE:
        case TG_NODE_SIZE:
        case TG_NODE_SPACE:
        case TG_NODE_BREAK:
        case TG_NODE_TAG:
            break;
        default:
            return FALSE;
        }
    }
    return any;
}

/* {{..}}: the list that holds more than another one. */
static const TgNode *innermost(const TgNode *root)
{
    while (root->u.list.first != NULL && root->u.list.first->next == NULL &&
           root->u.list.first->kind == TG_NODE_LIST)
        root = root->u.list.first;
    return root;
}

gboolean tg_strict_is_broken(const TgTree *tree)
{
    return is_broken_text(innermost(tg_tree_root(tree)));
}

static void read_lines(TgStrictReader *self, const TgNode *root)
{
    for (const TgNode *item = root->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_ARRAY)
            tg_strict_read_array(self, item, TRUE);
        else
            tg_strict_read_node(self, item);
    }
}

void tg_strict_read(const TgTree *tree, const gboolean *has_ink, gboolean as_lines,
                    TgStrictFormula *out)
{
    g_autoptr(GArray) pending = g_array_new(FALSE, FALSE, sizeof(guint32));
    TgStrictReader reader = {
        .out = out,
        .has_ink = has_ink,
        .pending = pending,
        .style = TG_STYLE_DISPLAY,
        .token = TG_NO_TOKEN,
        .cell = { .n_columns = 1 },
    };

    tg_tree_tokens(tree, &reader.n_tokens);
    g_autofree guint32 *n_parts = g_new0(guint32, (gsize) reader.n_tokens + 1);
    reader.n_parts = n_parts;
    const TgStrictMark mark = tg_strict_open(&reader);
    if (as_lines)
        read_lines(&reader, innermost(tg_tree_root(tree)));
    else
        read_list(&reader, tg_tree_root(tree));
    tg_strict_close(&reader, mark, TG_STRICT_ROOT);
    out->n_unplaced = out->n_grave - MIN(out->n_grave, reader.n_error_elements);
}
