/* Reads the formula tree: one element for each thing with ink, one row for each place. */
#include "metrics/cdm_strict/reader.h"

#include <string.h>

#include "metrics/cdm_strict/reader_array.h"
#include "metrics/cdm_strict/rows.h"
#include "tokenizer/symbols/symbols.h"
#include "tokenizer/tree/tree.h"

static void read_node(TgStrictReader *self, const TgNode *node);

static void read_covered(TgStrictReader *self, TgStrictGlyph glyph, const TgNode *node,
                         const TgNode *body)
{
    const guint32 cover = tg_strict_add(self, glyph, node->token);

    if (body != NULL)
        read_node(self, body);
    tg_strict_end_stroke(self);
    tg_strict_end_cover(self, cover);
}

/* ---- Lists --------------------------------------------------------------------------------- */

/* In text a list is a row of words; nothing but style ends with it. */
static void strict_read_list(TgStrictReader *self, const TgNode *list)
{
    const guint8 style = self->style;

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (tg_node_is_symbol(item, "not")) {
            tg_strict_end_stroke(self);
            self->stroke = item;
        } else {
            read_node(self, item);
        }
    }
    tg_strict_end_stroke(self);
    self->style = style;
}

/* ---- Symbols and text ---------------------------------------------------------------------- */

static void read_symbol(TgStrictReader *self, const TgNode *node)
{
    const TgSymbol *symbol = node->u.symbol.symbol;
    const guint n = symbol != NULL ? tg_symbol_n_integrals(symbol) : 0;

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

/* A row of a fenced array is a row even when it is the only one. */
static void read_delimited(TgStrictReader *self, const TgNode *node)
{
    const TgNode *body = node->u.delimited.body;

    tg_strict_read_delimiter(self, node->u.delimited.left);
    if (tg_strict_first(body) == tg_strict_last(body))
        self->fenced = tg_strict_first(body);
    read_node(self, body);
    tg_strict_read_delimiter(self, node->u.delimited.right);
}

/* A letter with an accent is both, as when the accent is written as a command. */
static void read_char(TgStrictReader *self, const TgNode *node)
{
    gunichar base, mark;

    if (g_unichar_decompose(node->u.character.code, &base, &mark) && mark >= 0x300 &&
        mark < 0x370) {
        const guint32 accent = tg_strict_add(self, tg_strict_accent(mark), node->token);
        tg_strict_add(self, tg_strict_char(base, node->u.character.font), node->token);
        tg_strict_end_cover(self, accent);
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

/* ---- Structure ----------------------------------------------------------------------------- */

/* A child in its place: most are rows of their own. */
static void read_child(TgStrictReader *self, const TgNode *child, TgRole role, guint8 style)
{
    switch (role) {
    case TG_ROLE_LEFT:
    case TG_ROLE_RIGHT:
    case TG_ROLE_DELIMITER:
        tg_strict_read_delimiter(self, child);
        break;
    case TG_ROLE_SUB:
    case TG_ROLE_PRE_SUB:
        tg_strict_read_row(self, child, TG_STRICT_SUB, style);
        break;
    case TG_ROLE_SUP:
    case TG_ROLE_PRE_SUP:
        tg_strict_read_row(self, child, TG_STRICT_SUP, style);
        break;
    case TG_ROLE_INDEX:
        tg_strict_read_row(self, child, TG_STRICT_INDEX, style);
        break;
    default:
        tg_strict_read_in_style(self, child, style);
        break;
    }
}

/* The children that are drawn, in their order; what has no token of its own has that of @node. */
static void read_children(TgStrictReader *self, const TgNode *node)
{
    const guint32 token = self->token;
    const guint8 style = self->style;
    TgChildIter iter;
    const TgNode *child;

    if (node->token != TG_NO_TOKEN)
        self->token = node->token;
    tg_child_iter_init(&iter, node);
    while ((child = tg_child_iter_next(&iter)) != NULL) {
        if (tg_child_is_seen(node, iter.role, style))
            read_child(self, child, iter.role,
                       tg_style_of_child(node, iter.content, iter.role, style));
    }
    self->token = token;
}

/*
 * Whether the scripts stand above and below. Those of \sideset count as its corners, though TeX
 * sets them as limits: golden scores of version 1 say so.
 */
static gboolean has_limits(const TgStrictReader *self, const TgNode *node)
{
    const TgNode *nucleus = node->u.scripts.nucleus;

    if (node->u.scripts.limits == TG_LIMITS_DEFAULT && nucleus != NULL &&
        nucleus->kind == TG_NODE_SIDESET)
        return FALSE;
    return tg_scripts_are_limits(node, self->style);
}

/* x^{'} is a script of an empty script; it is meant, and mostly drawn, as x' is. */
static const TgNode *without_empty_nucleus(const TgNode *sup)
{
    const TgNode *only = sup != NULL ? sup->u.list.first : NULL;

    if (only == NULL || only->next != NULL || only->kind != TG_NODE_SCRIPTS ||
        only->u.scripts.sub != NULL || only->u.scripts.sup == NULL ||
        (only->u.scripts.nucleus != NULL && (only->u.scripts.nucleus->kind != TG_NODE_LIST ||
                                             only->u.scripts.nucleus->u.list.first != NULL)))
        return sup;
    return only->u.scripts.sup;
}

static void read_scripts(TgStrictReader *self, const TgNode *node)
{
    const TgStyle style = tg_style_of_scripts(self->style);
    const gboolean limits = has_limits(self, node);

    if (node->u.scripts.nucleus != NULL)
        read_node(self, node->u.scripts.nucleus);
    tg_strict_read_row(self, node->u.scripts.sub, limits ? TG_STRICT_BELOW : TG_STRICT_SUB, style);
    tg_strict_read_row(self, without_empty_nucleus(node->u.scripts.sup),
                       limits ? TG_STRICT_ABOVE : TG_STRICT_SUP, style);
}

static void read_stack(TgStrictReader *self, const TgNode *node)
{
    const TgStyle style = tg_style_of_scripts(self->style);

    read_node(self, node->u.stack.base);
    tg_strict_end_stroke(self);
    tg_strict_read_row(self, node->u.stack.under, TG_STRICT_BELOW, style);
    tg_strict_read_row(self, node->u.stack.over, TG_STRICT_ABOVE, style);
}

static void read_arrow(TgStrictReader *self, const TgNode *node)
{
    tg_strict_add(self, tg_strict_construct(TG_STRICT_ARROW + node->u.arrow.form), node->token);
    tg_strict_read_row(self, node->u.arrow.below, TG_STRICT_BELOW, TG_STYLE_SCRIPT);
    tg_strict_read_row(self, node->u.arrow.above, TG_STRICT_ABOVE, TG_STYLE_SCRIPT);
}

/* Without a bar it is two lines of a grid, as an array would draw it. */
static void read_fraction(TgStrictReader *self, const TgNode *node)
{
    const gboolean bar = node->u.fraction.has_bar != 0;
    const TgStyle style = tg_style_of_child(node, TG_CONTENT_PART, TG_ROLE_NUM, self->style);

    tg_strict_read_delimiter(self, node->u.fraction.left);
    const TgStrictMark mark = tg_strict_open(self);
    if (bar)
        tg_strict_add(self, tg_strict_construct(TG_STRICT_FRACTION_BAR), node->token);
    tg_strict_read_row(self, node->u.fraction.num, bar ? TG_STRICT_NUM : TG_STRICT_LINE, style);
    tg_strict_read_row(self, node->u.fraction.den, bar ? TG_STRICT_DEN : TG_STRICT_LINE, style);
    tg_strict_close(self, mark, bar ? TG_STRICT_FRACTION : TG_STRICT_GRID);
    tg_strict_read_delimiter(self, node->u.fraction.right);
}

/* The index comes before the sign, which covers the body. */
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
        tg_strict_construct(strikes                     ? TG_STRICT_CANCEL + (guint) form
                            : form == TG_ENCLOSE_CIRCLE ? (guint) TG_STRICT_CIRCLE
                                                        : (guint) TG_STRICT_FRAME);

    if (form == TG_ENCLOSE_BOXED)
        self->style = TG_STYLE_DISPLAY;
    if (form == TG_ENCLOSE_COLORBOX)
        read_node(self, node->u.enclose.body);
    else
        read_covered(self, glyph, node, node->u.enclose.body);
    self->style = style;
}

/* ---- Nodes --------------------------------------------------------------------------------- */

static void read_accent(TgStrictReader *self, const TgNode *node)
{
    read_covered(self, tg_strict_accent(node->u.accent.code), node, node->u.accent.base);
}

static void read_stretch(TgStrictReader *self, const TgNode *node)
{
    read_covered(self, tg_strict_construct(TG_STRICT_STRETCH + node->u.stretch.form), node,
                 node->u.stretch.body);
}

static void read_rule(TgStrictReader *self, const TgNode *node)
{
    tg_strict_add(self, tg_strict_construct(TG_STRICT_RULE), node->token);
}

static void read_array(TgStrictReader *self, const TgNode *node)
{
    tg_strict_read_array(self, node, FALSE);
}

static void read_style(TgStrictReader *self, const TgNode *node)
{
    self->style = node->u.change.style;
}

static void read_break(TgStrictReader *self, const TgNode *node)
{
    (void) node;
    self->line++;
}

static void read_node(TgStrictReader *self, const TgNode *node)
{
    static void (*const by_kind[TG_N_NODE_KINDS])(TgStrictReader *, const TgNode *) = {
        [TG_NODE_LIST] = strict_read_list,    [TG_NODE_SYMBOL] = read_symbol,
        [TG_NODE_CHAR] = read_char,           [TG_NODE_SCRIPTS] = read_scripts,
        [TG_NODE_FRACTION] = read_fraction,   [TG_NODE_RADICAL] = read_radical,
        [TG_NODE_ACCENT] = read_accent,       [TG_NODE_STRETCH] = read_stretch,
        [TG_NODE_STACK] = read_stack,         [TG_NODE_ARROW] = read_arrow,
        [TG_NODE_DELIMITED] = read_delimited, [TG_NODE_ARRAY] = read_array,
        [TG_NODE_STYLE] = read_style,         [TG_NODE_ENCLOSE] = read_enclosure,
        [TG_NODE_RULE] = read_rule,           [TG_NODE_BREAK] = read_break,
        [TG_NODE_ERROR] = read_error,
    };

    if (by_kind[node->kind] != NULL)
        by_kind[node->kind](self, node);
    else
        read_children(self, node);
}

/* ---- The whole ----------------------------------------------------------------------------- */

/* The array of an item that reads as lines: by itself, or as cases behind a brace; else NULL. */
static const TgNode *lines_of(const TgNode *item, gboolean *is_cases)
{
    *is_cases = FALSE;
    if (item->kind == TG_NODE_ARRAY) {
        *is_cases = item->u.array->environment == TG_ENV_CASES ||
                    item->u.array->environment == TG_ENV_PLAIN_CASES;
        return *is_cases || tg_strict_is_lines(item) ? item : NULL;
    }
    if (item->kind != TG_NODE_DELIMITED || item->u.delimited.left == NULL ||
        !tg_node_is_symbol(item->u.delimited.left, "{") || item->u.delimited.right != NULL)
        return NULL;
    const TgNode *first = tg_strict_first(item->u.delimited.body);
    *is_cases = first != NULL && first == tg_strict_last(item->u.delimited.body) &&
                first->kind == TG_NODE_ARRAY && tg_strict_is_lines(first);
    return *is_cases ? first : NULL;
}

/* Whether nothing of it is more than space and punctuation between lines. */
static gboolean is_between_lines(const TgNode *item)
{
    switch ((TgNodeKind) item->kind) {
    case TG_NODE_SYMBOL:
        return !tg_node_is_symbol(item, "not") &&
               (item->math_class == TG_CLASS_PUNCT || item->u.symbol.code == '.');
    case TG_NODE_STYLE:
    case TG_NODE_SIZE:
    case TG_NODE_SPACE:
    case TG_NODE_BREAK:
    case TG_NODE_TAG:
        return TRUE;
    default:
        return FALSE;
    }
}

/* Whether all of the formula is arrays that read as lines, or some of it is cases. */
static gboolean is_broken_text(const TgNode *root)
{
    gboolean any = FALSE, any_cases = FALSE, others = FALSE, is_cases;

    for (const TgNode *item = root->u.list.first; item != NULL; item = item->next) {
        if (lines_of(item, &is_cases) != NULL)
            any = TRUE;
        else
            others = others || !is_between_lines(item);
        any_cases = any_cases || is_cases;
    }
    return any && (any_cases || !others);
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
    gboolean is_cases;

    for (const TgNode *item = root->u.list.first; item != NULL; item = item->next) {
        const TgNode *lines = lines_of(item, &is_cases);

        if (lines == NULL) {
            read_node(self, item);
            continue;
        }
        if (lines != item)
            tg_strict_read_delimiter(self, item->u.delimited.left);
        tg_strict_read_array(self, lines, TRUE);
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
        .read_node = read_node,
    };

    tg_tree_tokens(tree, &reader.n_tokens);
    g_autofree guint32 *n_parts = g_new0(guint32, (gsize) reader.n_tokens + 1);
    reader.n_parts = n_parts;
    const TgStrictMark mark = tg_strict_open(&reader);
    if (as_lines)
        read_lines(&reader, innermost(tg_tree_root(tree)));
    else
        strict_read_list(&reader, tg_tree_root(tree));
    tg_strict_close(&reader, mark, TG_STRICT_ROOT);
    out->n_unplaced = out->n_grave - MIN(out->n_grave, reader.n_error_elements);
}
