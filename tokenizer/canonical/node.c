/* The canonical form of single nodes. */
#include "tokenizer/canonical/node.h"

#include <string.h>

#include "tokenizer/canonical/array.h"
#include "tokenizer/canonical/list.h"
#include "tokenizer/canonical/text_symbol.h"
#include "tokenizer/symbols/symbols.h"
#include "tokenizer/tree/tree.h"

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

/* A delimiter of any size as an ordinary symbol. */
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

/* ---- Children by the table of fields --------------------------------------------------------- */

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

/* The TEXT that a list consists of, or @body itself. */
static const TgNode *only_text(const TgNode *body)
{
    const TgNode *only = body->kind == TG_NODE_LIST ? body->u.list.first : NULL;

    return only != NULL && only->kind == TG_NODE_TEXT && only->next == NULL ? only : body;
}

static const TgNode *copy_child(TgCanonicalWriter *self, const TgNode *parent,
                                const TgNodeField *field)
{
    const TgContent content = (TgContent) field->content;
    const TgNode *child = tg_node_child(parent, field);

    switch (content) {
    case TG_CONTENT_DELIMITER:
        return copy_delimiter(self, child);
    case TG_CONTENT_NUCLEUS:
        return tg_canonical_nucleus(self, child, parent);
    case TG_CONTENT_WORDS:
        return copy_words(self, child);
    case TG_CONTENT_BOX:
        if (parent->kind != TG_NODE_ENCLOSE) /* \rlap{\text{a}} is \rlap{a}; \boxed needs \text */
            child = only_text(child);
        if (child->kind == TG_NODE_TEXT)
            return self->write_node(self, child);
        break;
    default:
        break;
    }
    return tg_canonical_list_in(
        self, child, tg_style_of_child(parent, content, (TgRole) field->role, self->style));
}

/* A copy whose children are canonical. */
static TgNode *copy_node(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_copy(self, node);

    for (const TgNodeField *field = tg_node_fields((TgNodeKind) node->kind);
         field->type != TG_NODE_FIELD_END; field++) {
        if (field->type == TG_NODE_FIELD_CHILD)
            *(const TgNode **) (gpointer) ((guint8 *) copy + field->offset) =
                copy_child(self, node, field);
    }
    return copy;
}

/* ---- Kinds with rules of their own --------------------------------------------------------- */

static TgNode *copy_operator(TgCanonicalWriter *self, const TgNode *node)
{
    const guint8 alphabet = self->alphabet;
    TgNode *copy;

    self->alphabet = TG_ALPHABET_RM;
    copy = copy_node(self, node);
    self->alphabet = alphabet;
    return copy;
}

/* The accent's own sign follows the alphabet in force where it stands. */
static TgNode *copy_accent(TgCanonicalWriter *self, const TgNode *node)
{
    const guint8 alphabet = self->alphabet;
    const TgSymbol *symbol = node->u.accent.symbol;
    TgNode *copy;

    if (!self->text && symbol != NULL && is_changed(self, node, symbol))
        self->alphabet = node->alphabet;
    copy = copy_node(self, node);
    copy->alphabet = self->alphabet;
    self->alphabet = alphabet;
    return copy;
}

/* How many primes a superscript begins with. */
static guint16 count_primes(const TgNode *sup)
{
    const TgNode *item = sup->u.list.first;
    guint16 n = 0;

    for (; tg_node_is_symbol(item, "prime") && n < G_MAXUINT16; item = item->next)
        n++;
    return n;
}

/* Whether what \limits or \nolimits says holds without it in the style in force. */
static gboolean limits_are_default(const TgCanonicalWriter *self, const TgNode *scripts)
{
    TgNode bare = *scripts;

    bare.u.scripts.limits = TG_LIMITS_DEFAULT;
    return tg_scripts_are_limits(scripts, self->style) == tg_scripts_are_limits(&bare, self->style);
}

static TgNode *copy_scripts(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = copy_node(self, node);

    if (copy->u.scripts.sup != NULL && tg_canonical_has(self, TG_RULE_PRIMES))
        copy->u.scripts.n_primes = count_primes(copy->u.scripts.sup);
    if (tg_canonical_has(self, TG_RULE_LIMITS) && limits_are_default(self, copy))
        copy->u.scripts.limits = TG_LIMITS_DEFAULT;
    if (copy->u.scripts.sub == NULL && copy->u.scripts.sup == NULL &&
        copy->u.scripts.limits == TG_LIMITS_DEFAULT)
        return (TgNode *) copy->u.scripts.nucleus; /* of the new tree */
    return copy;
}

static TgNode *copy_fraction(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = copy_node(self, node);

    if (node->u.fraction.form == TG_FRACTION_FRAC && node->u.fraction.style == self->style &&
        tg_canonical_has(self, TG_RULE_STYLES))
        copy->u.fraction.style = TG_STYLE_INHERIT;
    return copy;
}

/* ---- Delimiters ---------------------------------------------------------------------------- */

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

        TgArray *fenced = tg_canonical_keep(self, array->u.array, sizeof *fenced);
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

/* The delimiters and their body as items of one list. */
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
    TgNode *copy = copy_node(self, node);
    TgNode *matrix = fenced_matrix(self, copy);

    if (matrix != NULL)
        return matrix;
    return tg_canonical_has(self, TG_RULE_DELIMITERS) ? undelimited(self, copy) : copy;
}

static TgNode *copy_big(TgCanonicalWriter *self, const TgNode *node)
{
    return tg_canonical_has(self, TG_RULE_DELIMITERS) ? plain_delimiter(self, node->u.big.delimiter)
                                                      : copy_node(self, node);
}

/* ---- Text, space, styles, colours ---------------------------------------------------------- */

/* An empty formula in text is nothing: $$ would begin a display. */
static TgNode *copy_math(TgCanonicalWriter *self, const TgNode *node)
{
    const guint8 alphabet = self->alphabet;
    TgNode *copy;

    self->text = FALSE;
    self->alphabet = TG_ALPHABET_DEFAULT;
    copy = copy_node(self, node);
    self->alphabet = alphabet;
    self->text = TRUE;
    return copy->u.body.body->u.list.first != NULL ? copy : NULL;
}

static TgNode *copy_space(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy;

    if (!self->text && tg_canonical_has(self, TG_RULE_SPACES))
        return NULL;
    if (node->u.space.amount.unit == TG_UNIT_ITALIC && tg_canonical_has(self, TG_RULE_TEXT))
        return NULL;
    copy = tg_canonical_copy(self, node);
    if (self->text && tg_canonical_has(self, TG_RULE_TEXT))
        copy->u.space.interword = TG_INTERWORD_BLANK;
    return copy;
}

static TgNode *copy_style(TgCanonicalWriter *self, const TgNode *node)
{
    const guint8 before = self->style;

    self->style = node->u.change.style;
    if (before == self->style && tg_canonical_has(self, TG_RULE_STYLES))
        return NULL;
    return tg_canonical_copy(self, node);
}

static TgNode *copy_color(TgCanonicalWriter *self, const TgNode *node)
{
    if (!tg_canonical_has(self, TG_RULE_COLORS))
        return copy_node(self, node);
    return node->u.color.body != NULL ? tg_canonical_group(self, node->u.color.body) : NULL;
}

static TgNode *copy_tag(TgCanonicalWriter *self, const TgNode *node)
{
    return tg_canonical_has(self, TG_RULE_TAGS) ? NULL : copy_node(self, node);
}

static TgNode *copy_array(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_copy(self, node);

    copy->u.array = tg_canonical_array(self, node->u.array);
    return copy;
}

static TgNode *copy_error(TgCanonicalWriter *self, const TgNode *node)
{
    TgNode *copy = tg_canonical_copy(self, node);

    copy->u.error.text =
        tg_canonical_keep(self, node->u.error.text, strlen(node->u.error.text) + 1);
    return copy;
}

/* ---- Nodes --------------------------------------------------------------------------------- */

TgNode *tg_canonical_node(TgCanonicalWriter *self, const TgNode *node)
{
    static TgNode *(*const by_kind[TG_N_NODE_KINDS])(TgCanonicalWriter *, const TgNode *) = {
        [TG_NODE_LIST] = tg_canonical_group,  [TG_NODE_SYMBOL] = copy_symbol,
        [TG_NODE_OPERATOR] = copy_operator,   [TG_NODE_SCRIPTS] = copy_scripts,
        [TG_NODE_FRACTION] = copy_fraction,   [TG_NODE_ACCENT] = copy_accent,
        [TG_NODE_DELIMITED] = copy_delimited, [TG_NODE_BIG] = copy_big,
        [TG_NODE_ARRAY] = copy_array,         [TG_NODE_MATH] = copy_math,
        [TG_NODE_STYLE] = copy_style,         [TG_NODE_COLOR] = copy_color,
        [TG_NODE_SPACE] = copy_space,         [TG_NODE_TAG] = copy_tag,
        [TG_NODE_ERROR] = copy_error,
    };

    return by_kind[node->kind] != NULL ? by_kind[node->kind](self, node) : copy_node(self, node);
}
