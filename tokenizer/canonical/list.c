/* The canonical form of lists: groups, runs of one font, neighbours. */
#include "tokenizer/canonical/list.h"

#include <string.h>

#include "tokenizer/symbols/symbols.h"
#include "tokenizer/tree/tree.h"

/* A list being filled. */
typedef struct {
    TgCanonicalWriter *writer;
    TgNode *list;
    TgNode *last;        /* its last item */
    TgNode *styled_last; /* last symbol of that item, when it is a run in a font of its own */
} ListBuilder;

/* ---- Properties ---------------------------------------------------------------------------- */

/* Whether braces around or before @node change nothing. Those of \mathord are kept, and `{}` before
 * a script would be its nucleus. */
static gboolean is_plain_ord(const TgNode *node)
{
    if (node->kind == TG_NODE_SCRIPTS)
        return node->u.scripts.nucleus != NULL && is_plain_ord(node->u.scripts.nucleus);
    return node->kind != TG_NODE_CLASS && tg_node_class(node) == TG_CLASS_ORD;
}

/* Whether taking the braces off @group leaves the drawing as it is. */
static gboolean is_loose(const TgNode *group)
{
    const TgNode *item = group->u.list.first;

    if (item == NULL)
        return FALSE;
    for (; item != NULL; item = item->next) {
        if (!is_plain_ord(item))
            return FALSE;
    }
    return TRUE;
}

/* Whether a node is in an alphabet that is not the one in force; accents have one as symbols do. */
static gboolean has_own_alphabet(const TgCanonicalWriter *self, const TgNode *node)
{
    return (node->kind == TG_NODE_SYMBOL || node->kind == TG_NODE_ACCENT) &&
           node->alphabet != self->alphabet && !self->text;
}

/* A list in one alphabet that is not the one in force: \mathbf{ab}. */
static gboolean is_styled(const TgCanonicalWriter *self, const TgNode *list)
{
    const TgNode *first = list->u.list.first;

    for (const TgNode *item = first; item != NULL; item = item->next) {
        if (!has_own_alphabet(self, item) || item->alphabet != first->alphabet)
            return FALSE;
    }
    return first != NULL;
}

/* ---- Filling a list ------------------------------------------------------------------------ */

static TgNode *new_list(TgCanonicalWriter *self, const TgNode *from)
{
    TgNode *list = tg_canonical_copy(self, from);

    list->kind = TG_NODE_LIST;
    list->alphabet = list->math_class = list->bold = 0;
    list->token = TG_NO_TOKEN;
    memset(&list->u, 0, sizeof list->u);
    return list;
}

static void link_item(ListBuilder *self, TgNode *node)
{
    if (self->last != NULL)
        self->last->next = node;
    else
        self->list->u.list.first = node;
    self->last = node;
    self->styled_last = NULL;
    self->list->u.list.n_items++;
}

/* Symbols in a font of their own go into a group, together with neighbours in the same font. */
static void add_styled(ListBuilder *self, TgNode *symbol)
{
    if (self->styled_last == NULL || self->styled_last->alphabet != symbol->alphabet) {
        TgNode *group = new_list(self->writer, symbol);

        group->u.list.braced = 1;
        group->u.list.first = symbol;
        link_item(self, group);
    } else {
        self->styled_last->next = symbol;
        self->last->end = MAX(self->last->end, symbol->end);
    }
    self->last->u.list.n_items++;
    self->styled_last = symbol;
}

/* `\not` `=` is \neq. */
static gboolean join_not(ListBuilder *self, const TgNode *node)
{
    const TgSymbol *neq = tg_symbol_find("neq", strlen("neq"));

    if (!tg_canonical_has(self->writer, TG_RULE_SYMBOLS) || !tg_node_is_symbol(self->last, "not") ||
        !tg_node_is_symbol(node, "="))
        return FALSE;
    self->last->u.symbol.symbol = neq;
    self->last->u.symbol.code = neq->codepoint;
    self->last->end = node->end;
    return TRUE;
}

static void add_item(ListBuilder *self, TgNode *node)
{
    const gboolean list = node->kind == TG_NODE_LIST;

    if (list && (!node->u.list.braced || is_styled(self->writer, node))) {
        for (TgNode *item = (TgNode *) node->u.list.first; item != NULL;) {
            TgNode *next = (TgNode *) item->next; /* of the new tree, still being built */
            item->next = NULL;
            add_item(self, item);
            item = next;
        }
    } else if (has_own_alphabet(self->writer, node)) {
        add_styled(self, node);
    } else if (!join_not(self, node)) {
        link_item(self, node);
    }
}

/* ---- Rules of lists ------------------------------------------------------------------------ */

/* `{}` between ordinary atoms, or at an end beside one, changes nothing. */
static void drop_empty_groups(TgNode *list)
{
    TgNode *before = NULL;
    TgNode *next;

    for (TgNode *item = (TgNode *) list->u.list.first; item != NULL; item = next) {
        const gboolean empty = item->kind == TG_NODE_LIST && item->u.list.first == NULL;

        next = (TgNode *) item->next;
        if (empty && (before == NULL || is_plain_ord(before)) &&
            (next == NULL || is_plain_ord(next))) {
            if (before != NULL)
                before->next = next;
            else
                list->u.list.first = next;
            list->u.list.n_items--;
        } else {
            before = item;
        }
    }
}

/* A list that holds one group and nothing else needs no second pair of braces. */
static void lift_only_group(const TgCanonicalWriter *self, TgNode *list)
{
    const TgNode *only = list->u.list.first;

    while (only != NULL && only->next == NULL && only->kind == TG_NODE_LIST &&
           !is_styled(self, only)) {
        list->u.list.first = only->u.list.first;
        list->u.list.n_items = only->u.list.n_items;
        only = list->u.list.first;
    }
}

/* a \over b fills its list; \frac draws the same there. */
static void settle_infix(const TgCanonicalWriter *self, TgNode *list)
{
    TgNode *only = (TgNode *) list->u.list.first;

    if (tg_canonical_has(self, TG_RULE_INFIX) && only != NULL && only->kind == TG_NODE_FRACTION &&
        only->u.fraction.form == TG_FRACTION_INFIX)
        only->u.fraction.form = TG_FRACTION_FRAC;
}

const TgNode *tg_canonical_list(TgCanonicalWriter *self, const TgNode *list)
{
    const guint8 style = self->style;
    ListBuilder builder = { .writer = self };

    if (list == NULL)
        return NULL;
    builder.list = new_list(self, list);
    builder.list->u.list.braced = list->u.list.braced;
    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        TgNode *node = self->write_node(self, item);
        if (node != NULL)
            add_item(&builder, node);
    }
    self->style = style;

    settle_infix(self, builder.list);
    if (!self->text && tg_canonical_has(self, TG_RULE_GROUPS)) {
        drop_empty_groups(builder.list);
        lift_only_group(self, builder.list);
    }
    return builder.list;
}

const TgNode *tg_canonical_list_in(TgCanonicalWriter *self, const TgNode *list, guint8 style)
{
    const guint8 around = self->style;
    const TgNode *copy;

    self->style = style;
    copy = tg_canonical_list(self, list);
    self->style = around;
    return copy;
}

/* Whether the braces of a group of text matter: a switch ends with them, or they keep a space. */
static gboolean needs_braces(const TgNode *list)
{
    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_SIZE || item->kind == TG_NODE_COLOR)
            return TRUE;
        if (item->kind == TG_NODE_SPACE && (item == list->u.list.first || item->next == NULL))
            return TRUE;
    }
    return FALSE;
}

TgNode *tg_canonical_group(TgCanonicalWriter *self, const TgNode *group)
{
    TgNode *copy = (TgNode *) tg_canonical_list(self, group); /* of the new tree */

    if (self->text)
        copy->u.list.braced = !tg_canonical_has(self, TG_RULE_TEXT) || needs_braces(copy);
    else
        copy->u.list.braced = !tg_canonical_has(self, TG_RULE_GROUPS) || !is_loose(copy);
    return copy;
}

/* Whether the only item of a group may have scripts without the braces. */
static gboolean carries_scripts(const TgNode *node)
{
    if (node->kind == TG_NODE_ACCENT) /* TeX treats accents of accents otherwise */
        return node->u.accent.base->u.list.first == NULL ||
               node->u.accent.base->u.list.first->kind != TG_NODE_ACCENT;
    return node->kind == TG_NODE_SYMBOL || node->kind == TG_NODE_LIST ||
           node->kind == TG_NODE_FRACTION || node->kind == TG_NODE_TEXT;
}

const TgNode *tg_canonical_nucleus(TgCanonicalWriter *self, const TgNode *nucleus,
                                   const TgNode *scripts)
{
    ListBuilder builder = { .writer = self, .list = new_list(self, scripts) };
    const gboolean group = nucleus == NULL || nucleus->kind == TG_NODE_LIST;
    TgNode *node = nucleus != NULL ? self->write_node(self, nucleus) : NULL;

    if (node != NULL)
        add_item(&builder, node);

    const TgNode *only = builder.list->u.list.first;
    if (only != NULL && only->next == NULL && (!group || carries_scripts(only)))
        return only;
    builder.list->u.list.braced = 1;
    return builder.list;
}
