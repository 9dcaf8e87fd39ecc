/* The canonical form of single nodes. */
#include <string.h>

#include "tokenizer/canonical/canonical_private.h"
#include "tokenizer/canonical/printer_private.h"
#include "tokenizer/symbols/symbols.h"
#include "tokenizer/tree/tree_private.h"

static guint8 smaller(guint8 style)
{
    return style <= TG_STYLE_TEXT ? TG_STYLE_SCRIPT : TG_STYLE_SCRIPTSCRIPT;
}

/* ---- Symbols and operators ----------------------------------------------------------------- */

/* Whether the alphabet @node is in changes how it looks where it will stand. */
static gboolean is_changed(const TgCanonicalWriter *self, const TgNode *node,
                           const TgSymbol *symbol)
{
    const gboolean upright_here =
        self->alphabet == TG_ALPHABET_DEFAULT || self->alphabet == TG_ALPHABET_RM;
    const gboolean upright =
        node->alphabet == TG_ALPHABET_DEFAULT || node->alphabet == TG_ALPHABET_RM;

    if (symbol == NULL) /* \i, \o and other characters of text are upright */
        return node->alphabet == TG_ALPHABET_RM && tg_latex_text_symbol(node->u.symbol.code);
    if ((symbol->flags & TG_SYMBOL_ALPHABETIC) == 0)
        return FALSE;
    return symbol->family != TG_MATH_FAMILY_ROMAN || !upright || !upright_here;
}

static TgNode *copy_symbol(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_copy(self, node);
    const TgSymbol *symbol = copy->u.symbol.symbol;

    if (copy->bold == 2)
        copy->bold = 0;
    if (!is_changed(self, node, symbol))
        copy->alphabet = self->alphabet;
    if (symbol != NULL && tg_canonical_has(self, TG_RULE_SYMBOLS)) {
        copy->u.symbol.symbol = tg_symbol_canonical(symbol);
        if (copy->u.symbol.symbol != symbol)
            copy->u.symbol.code = copy->u.symbol.symbol->codepoint;
    }
    return copy;
}

static TgNode *copy_delimiter(TgCanonicalWriter *self, const TgNode *delimiter)
{
    TgNode *copy;

    if (delimiter == NULL)
        return NULL;
    copy = copy_symbol(self, delimiter);
    copy->u.symbol.code = delimiter->u.symbol.code; /* an angle stays one */
    copy->alphabet = self->alphabet;
    return copy;
}

/* A delimiter of its own size as a symbol between others. */
static TgNode *plain_delimiter(TgCanonicalWriter *self, const TgNode *delimiter)
{
    TgNode *copy = copy_delimiter(self, delimiter);
    const char *name;

    if (copy == NULL)
        return NULL;
    name = copy->u.symbol.symbol->name;
    if (strcmp(name, "<") == 0 || strcmp(name, ">") == 0) {
        name = name[0] == '<' ? "langle" : "rangle";
        copy->u.symbol.symbol = tg_symbol_find(name, strlen(name));
    }
    copy->math_class = copy->u.symbol.symbol->math_class;
    return copy;
}

static TgNode *copy_operator(TgCanonicalWriter *self, const TgNode *node)
{
    const guint8 alphabet = self->alphabet;
    TgNode *copy = tg_canonical_copy(self, node);

    self->alphabet = TG_ALPHABET_RM;
    copy->u.op.body = tg_canonical_list(self, node->u.op.body);
    self->alphabet = alphabet;
    return copy;
}

/* The accent's own sign follows the alphabet in force where it stands. */
static TgNode *copy_accent(TgCanonicalWriter *self, const TgNode *node)
{
    const guint8 alphabet = self->alphabet;
    TgNode *copy = tg_canonical_copy(self, node);
    const TgSymbol *symbol = node->u.accent.symbol;

    if (self->text || symbol == NULL || !is_changed(self, node, symbol))
        copy->alphabet = alphabet;
    self->alphabet = copy->alphabet;
    copy->u.accent.base = tg_canonical_list(self, node->u.accent.base);
    self->alphabet = alphabet;
    return copy;
}

/* ---- Scripts ------------------------------------------------------------------------------- */

/* Where the scripts of @nucleus stand when nothing is said: a TgLimits. */
static TgLimits default_limits(const TgNode *nucleus)
{
    switch ((TgNodeKind) nucleus->kind) {
    case TG_NODE_SYMBOL:
        return nucleus->u.symbol.symbol != NULL &&
                       (nucleus->u.symbol.symbol->flags & TG_SYMBOL_NO_LIMITS) != 0
                   ? TG_LIMITS_OFF
                   : TG_LIMITS_DISPLAY;
    case TG_NODE_OPERATOR:
        return (TgLimits) nucleus->u.op.limits;
    case TG_NODE_STRETCH:
        return TG_LIMITS_ON;
    default:
        return TG_LIMITS_DISPLAY;
    }
}

/* ON or OFF in the style in force. */
static TgLimits settled_limits(const TgCanonicalWriter *self, TgLimits limits)
{
    if (limits != TG_LIMITS_DISPLAY)
        return limits;
    return self->style == TG_STYLE_DISPLAY ? TG_LIMITS_ON : TG_LIMITS_OFF;
}

/* How many primes a superscript begins with. */
static guint16 count_primes(const TgNode *sup)
{
    guint16 n = 0;

    for (const TgNode *item = sup->u.list.first; item != NULL && n < G_MAXUINT16;
         item = item->next) {
        if (item->kind != TG_NODE_SYMBOL || item->u.symbol.symbol == NULL ||
            strcmp(item->u.symbol.symbol->name, "prime") != 0)
            break;
        n++;
    }
    return n;
}

static TgNode *copy_scripts(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_copy(self, node);
    const guint8 script = smaller(self->style);
    const TgNode *nucleus = tg_canonical_nucleus(self, node->u.scripts.nucleus, node);
    const TgLimits limits = (TgLimits) node->u.scripts.limits;

    copy->u.scripts.nucleus = nucleus;
    copy->u.scripts.sub = tg_canonical_list_in(self, node->u.scripts.sub, script);
    copy->u.scripts.sup = tg_canonical_list_in(self, node->u.scripts.sup, script);
    if (copy->u.scripts.sup != NULL && tg_canonical_has(self, TG_RULE_PRIMES))
        copy->u.scripts.n_primes = count_primes(copy->u.scripts.sup);
    if (limits != TG_LIMITS_DEFAULT && tg_canonical_has(self, TG_RULE_LIMITS) &&
        settled_limits(self, limits) == settled_limits(self, default_limits(nucleus)))
        copy->u.scripts.limits = TG_LIMITS_DEFAULT;
    if (copy->u.scripts.sub == NULL && copy->u.scripts.sup == NULL &&
        copy->u.scripts.limits == TG_LIMITS_DEFAULT)
        return (TgNode *) nucleus; /* of the new tree */
    return copy;
}

static TgNode *copy_sideset(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_copy(self, node);
    const guint8 script = smaller(self->style);

    copy->u.sideset.pre_sub = tg_canonical_list_in(self, node->u.sideset.pre_sub, script);
    copy->u.sideset.pre_sup = tg_canonical_list_in(self, node->u.sideset.pre_sup, script);
    copy->u.sideset.post_sub = tg_canonical_list_in(self, node->u.sideset.post_sub, script);
    copy->u.sideset.post_sup = tg_canonical_list_in(self, node->u.sideset.post_sup, script);
    copy->u.sideset.base = tg_canonical_list(self, node->u.sideset.base);
    return copy;
}

/* ---- Fractions, delimiters ----------------------------------------------------------------- */

static TgNode *copy_fraction(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_copy(self, node);
    guint8 style = self->style;

    if (node->u.fraction.style != TG_STYLE_INHERIT)
        style = node->u.fraction.style;
    if (node->u.fraction.form == TG_FRACTION_FRAC && style == self->style &&
        tg_canonical_has(self, TG_RULE_STYLES))
        copy->u.fraction.style = TG_STYLE_INHERIT;
    style = style == TG_STYLE_DISPLAY ? TG_STYLE_TEXT : smaller(style);
    copy->u.fraction.num = tg_canonical_list_in(self, node->u.fraction.num, style);
    copy->u.fraction.den = tg_canonical_list_in(self, node->u.fraction.den, style);
    copy->u.fraction.left = copy_delimiter(self, node->u.fraction.left);
    copy->u.fraction.right = copy_delimiter(self, node->u.fraction.right);
    return copy;
}

/* The fences that are an environment of their own, by their canonical symbols. */
static const struct {
    const char *left, *right, *name;
} fences[] = {
    { "(", ")", "pmatrix" }, { "[", "]", "bmatrix" },       { "{", "}", "Bmatrix" },
    { "|", "|", "vmatrix" }, { "Vert", "Vert", "Vmatrix" },
};

static gboolean is_symbol(const TgNode *node, const char *name)
{
    return node != NULL && strcmp(tg_symbol_canonical(node->u.symbol.symbol)->name, name) == 0;
}

/* \left(\begin{matrix}..\end{matrix}\right) as pmatrix, or NULL. */
static TgNode *fenced_matrix(TgCanonicalWriter *self, const TgNode *node)
{
    const TgNode *array = node->u.delimited.body->u.list.first;

    if (!tg_canonical_has(self, TG_RULE_FENCES) || array == NULL || array->next != NULL ||
        array->kind != TG_NODE_ARRAY || strcmp(array->u.array->name, "matrix") != 0 ||
        array->u.array->environment != TG_ENV_MATRIX)
        return NULL;
    for (guint i = 0; i < G_N_ELEMENTS(fences); i++) {
        if (!is_symbol(node->u.delimited.left, fences[i].left) ||
            !is_symbol(node->u.delimited.right, fences[i].right))
            continue;

        TgArray *fenced = tg_arena_alloc(&self->tree->arena, sizeof(TgArray));
        *fenced = *array->u.array;
        fenced->name = fences[i].name;
        fenced->left = copy_delimiter(self, node->u.delimited.left);
        fenced->right = copy_delimiter(self, node->u.delimited.right);

        TgNode *copy = tg_canonical_copy(self, array);
        copy->start = node->start;
        copy->end = node->end;
        copy->u.array = fenced;
        return copy;
    }
    return NULL;
}

/* The delimiters and what stands between them side by side. */
static TgNode *undelimited(TgCanonicalWriter *self, TgNode *copy)
{
    const TgNode *body = copy->u.delimited.body;
    TgNode *left = plain_delimiter(self, copy->u.delimited.left);
    TgNode *right = plain_delimiter(self, copy->u.delimited.right);
    TgNode *last = (TgNode *) body->u.list.first; /* of the new tree */

    while (last != NULL && last->next != NULL)
        last = (TgNode *) last->next;
    if (last != NULL)
        last->next = right;
    if (left != NULL)
        left->next = last != NULL ? body->u.list.first : right;

    TgNode *list = (TgNode *) body;
    if (left != NULL)
        list->u.list.first = left;
    else if (last == NULL)
        list->u.list.first = right;
    list->u.list.braced = 0;
    return list;
}

static TgNode *copy_delimited(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_copy(self, node);
    TgNode *matrix;

    copy->u.delimited.body = tg_canonical_list(self, node->u.delimited.body);
    copy->u.delimited.left = copy_delimiter(self, node->u.delimited.left);
    copy->u.delimited.right = copy_delimiter(self, node->u.delimited.right);
    matrix = fenced_matrix(self, copy);
    if (matrix != NULL)
        return matrix;
    return tg_canonical_has(self, TG_RULE_DELIMITERS) ? undelimited(self, copy) : copy;
}

static TgNode *copy_big(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy;

    if (tg_canonical_has(self, TG_RULE_DELIMITERS))
        return plain_delimiter(self, node->u.big.delimiter);
    copy = tg_canonical_copy(self, node);
    copy->u.big.delimiter = copy_delimiter(self, node->u.big.delimiter);
    return copy;
}

/* ---- Text ---------------------------------------------------------------------------------- */

/* A list of words. */
static const TgNode *copy_words(TgCanonicalWriter *self, const TgNode *list)
{
    const gboolean text = self->text;
    const TgNode *copy;

    self->text = TRUE;
    copy = tg_canonical_list(self, list);
    self->text = text;
    return copy;
}

static TgNode *copy_text(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_copy(self, node);

    copy->u.text.body = copy_words(self, node->u.text.body);
    return copy;
}

static TgNode *copy_math(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_copy(self, node);
    const guint8 alphabet = self->alphabet;

    self->text = FALSE;
    self->alphabet = TG_ALPHABET_DEFAULT;
    copy->u.body.body = tg_canonical_list_in(self, node->u.body.body,
                                             node->u.body.flag ? TG_STYLE_DISPLAY : TG_STYLE_TEXT);
    self->alphabet = alphabet;
    self->text = TRUE;
    return copy;
}

static TgNode *copy_space(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy;

    if (!self->text && tg_canonical_has(self, TG_RULE_SPACES))
        return NULL;
    copy = tg_canonical_copy(self, node);
    if (self->text && tg_canonical_has(self, TG_RULE_TEXT))
        copy->u.space.interword = TG_INTERWORD_BLANK;
    return copy;
}

/* ---- Boxes and changes --------------------------------------------------------------------- */

/* A body that is a TEXT, or a list of mathematics; a list that only holds a TEXT is that. */
static const TgNode *copy_box(TgCanonicalWriter *self, const TgNode *body)
{
    const TgNode *only = body->kind == TG_NODE_LIST ? body->u.list.first : body;

    if (only != NULL && only->kind == TG_NODE_TEXT && (only == body || only->next == NULL))
        return copy_text(self, only);
    return tg_canonical_list(self, body);
}

static TgNode *copy_change(TgCanonicalWriter *self, const TgNode *node)
{
    if (node->kind == TG_NODE_STYLE) {
        const guint8 before = self->style;

        self->style = node->u.change.style;
        if (before == self->style && tg_canonical_has(self, TG_RULE_STYLES))
            return NULL;
    }
    return tg_canonical_copy(self, node);
}

static TgNode *copy_color(TgCanonicalWriter *self, const TgNode *node)
{
    const gboolean drop = tg_canonical_has(self, TG_RULE_COLORS);
    TgNode *copy;

    if (drop)
        return node->u.color.body != NULL ? tg_canonical_group(self, node->u.color.body) : NULL;
    copy = tg_canonical_copy(self, node);
    copy->u.color.body = tg_canonical_list(self, node->u.color.body);
    return copy;
}

static TgNode *copy_tag(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy;

    if (tg_canonical_has(self, TG_RULE_TAGS))
        return NULL;
    copy = tg_canonical_copy(self, node);
    copy->u.body.body = copy_words(self, node->u.body.body);
    return copy;
}

static TgNode *copy_error(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_copy(self, node);
    const gsize size = strlen(node->u.error.text) + 1;

    copy->u.error.text = memcpy(tg_arena_alloc(&self->tree->arena, size), node->u.error.text, size);
    return copy;
}

static TgNode *copy_choice(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_copy(self, node);

    for (guint8 i = 0; i < 4; i++)
        copy->u.choice.style[i] = tg_canonical_list_in(self, node->u.choice.style[i], i);
    return copy;
}

static TgNode *copy_stack(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_copy(self, node);
    const guint8 script = smaller(self->style);

    copy->u.stack.base = tg_canonical_list(self, node->u.stack.base);
    copy->u.stack.over = tg_canonical_list_in(self, node->u.stack.over, script);
    copy->u.stack.under = tg_canonical_list_in(self, node->u.stack.under, script);
    return copy;
}

/* Kinds that need nothing but canonical children. */
static TgNode *copy_plain(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_copy(self, node);

    switch ((TgNodeKind) node->kind) {
    case TG_NODE_RADICAL:
        copy->u.radical.body = tg_canonical_list(self, node->u.radical.body);
        copy->u.radical.index =
            tg_canonical_list_in(self, node->u.radical.index, TG_STYLE_SCRIPTSCRIPT);
        break;
    case TG_NODE_STRETCH:
        copy->u.stretch.body = tg_canonical_list(self, node->u.stretch.body);
        break;
    case TG_NODE_ARROW:
        copy->u.arrow.above = tg_canonical_list_in(self, node->u.arrow.above, TG_STYLE_SCRIPT);
        copy->u.arrow.below = tg_canonical_list_in(self, node->u.arrow.below, TG_STYLE_SCRIPT);
        break;
    case TG_NODE_MIDDLE:
        copy->u.big.delimiter = copy_delimiter(self, node->u.big.delimiter);
        break;
    case TG_NODE_CLASS:
    case TG_NODE_BOLD:
        copy->u.body.body = tg_canonical_list(self, node->u.body.body);
        break;
    case TG_NODE_VCENTER:
        copy->u.body.body = copy_words(self, node->u.body.body);
        break;
    case TG_NODE_PHANTOM:
        copy->u.phantom.body = tg_canonical_list(self, node->u.phantom.body);
        break;
    case TG_NODE_LAP:
        copy->u.lap.body = copy_box(self, node->u.lap.body);
        break;
    case TG_NODE_RAISE:
        copy->u.raise.body = copy_box(self, node->u.raise.body);
        break;
    case TG_NODE_ENCLOSE:
        copy->u.enclose.body = node->u.enclose.body->kind == TG_NODE_TEXT
                                   ? copy_text(self, node->u.enclose.body)
                                   : tg_canonical_list(self, node->u.enclose.body);
        break;
    case TG_NODE_ARRAY:
        copy->u.array = tg_canonical_array(self, node->u.array);
        break;
    default:
        break;
    }
    return copy;
}

TgNode *tg_canonical_node(TgCanonicalWriter *self, const TgNode *node)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_LIST:
        return tg_canonical_group(self, node);
    case TG_NODE_SYMBOL:
        return copy_symbol(self, node);
    case TG_NODE_OPERATOR:
        return copy_operator(self, node);
    case TG_NODE_ACCENT:
        return copy_accent(self, node);
    case TG_NODE_SCRIPTS:
        return copy_scripts(self, node);
    case TG_NODE_SIDESET:
        return copy_sideset(self, node);
    case TG_NODE_FRACTION:
        return copy_fraction(self, node);
    case TG_NODE_DELIMITED:
        return copy_delimited(self, node);
    case TG_NODE_BIG:
        return copy_big(self, node);
    case TG_NODE_STACK:
        return copy_stack(self, node);
    case TG_NODE_CHOICE:
        return copy_choice(self, node);
    case TG_NODE_TEXT:
        return copy_text(self, node);
    case TG_NODE_MATH:
        return copy_math(self, node);
    case TG_NODE_STYLE:
    case TG_NODE_SIZE:
        return copy_change(self, node);
    case TG_NODE_COLOR:
        return copy_color(self, node);
    case TG_NODE_SPACE:
        return copy_space(self, node);
    case TG_NODE_TAG:
        return copy_tag(self, node);
    case TG_NODE_ERROR:
        return copy_error(self, node);
    default:
        return copy_plain(self, node);
    }
}
