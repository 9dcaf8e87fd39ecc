/* Reads scripts, fractions, roots and rows as FORTE's tokens. */
#include "metrics/forte/reading/reading_structure.h"

#include <string.h>

#include "metrics/forte/reading/reading_symbols.h"
#include "tokenizer/tree/array.h"
#include "tokenizer/tree/reading.h"

/* ---- Scripts ------------------------------------------------------------------------------- */

static void read_script(TgForteReader *self, TgForteMark mark, const TgNode *list)
{
    const guint32 begin = self->tokens->len;
    const TgForteTail tail = self->tail;

    if (list == NULL)
        return;
    tg_forte_put_mark(self, mark, list);
    self->read_node(self, list);
    tg_forte_close_script(self, begin, tail, list);
}

/* Primes without a nucleus: what ' in braces of its own is. */
static gboolean is_bare_primes(const TgNode *item)
{
    return item->kind == TG_NODE_SCRIPTS && item->u.scripts.nucleus == NULL &&
           item->u.scripts.sub == NULL && item->u.scripts.sup != NULL &&
           item->u.scripts.n_primes > 0 &&
           item->u.scripts.n_primes == item->u.scripts.sup->u.list.n_items;
}

gboolean tg_forte_is_prime(const TgNode *sup, const TgNode *item)
{
    return tg_node_is_symbol(item, "prime") || (sup->u.list.n_items == 1 && is_bare_primes(item));
}

/* The primes of a superscript, which stand before the subscript. */
static void read_primes(TgForteReader *self, const TgNode *sup)
{
    for (const TgNode *item = sup->u.list.first; item != NULL; item = item->next) {
        if (!tg_forte_is_prime(sup, item))
            continue;
        if (item->kind == TG_NODE_SCRIPTS)
            read_primes(self, item->u.scripts.sup);
        else
            tg_forte_read_symbol(self, item);
    }
}

void tg_forte_read_scripts(TgForteReader *self, const TgNode *node)
{
    if (node->u.scripts.nucleus != NULL)
        tg_forte_read_item(self, node->u.scripts.nucleus);

    const TgForteTail tail = self->tail;
    const guint32 begin = self->tokens->len;
    if (node->u.scripts.sup != NULL)
        read_primes(self, node->u.scripts.sup);
    tg_forte_close_primes(self, begin, tail);
    read_script(self, TG_FORTE_SUB, node->u.scripts.sub);
    self->no_primes = node->u.scripts.sup;
    read_script(self, TG_FORTE_SUP, node->u.scripts.sup);
}

/* The accent that one sign over one letter is, or 0; @over is the mark before the sign. */
static TgForteName accent_over(const TgForteReader *self, guint32 begin, guint32 over)
{
    const TgForteToken *body = &g_array_index(self->tokens, TgForteToken, begin);

    if (over != begin + 1 || self->tokens->len != over + 2)
        return 0;

    const TgForteName name = tg_forte_tables_over(
        self->tables, g_array_index(self->tokens, TgForteToken, over + 1).name);
    if (body->kind == TG_FORTE_LATIN || body->kind == TG_FORTE_GREEK)
        return name;
    return body->name == '=' && name == tg_forte_tables_accent(self->tables, "hat") ? name : 0;
}

void tg_forte_read_stack(TgForteReader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;

    self->read_node(self, node->u.stack.base);
    if (node->u.stack.over != NULL) {
        const guint32 over = self->tokens->len;
        const TgForteTail tail = self->tail;

        tg_forte_put_mark(self, TG_FORTE_SUP, node->u.stack.over);
        self->read_node(self, node->u.stack.over);
        const TgForteName accent = accent_over(self, begin, over);
        if (accent != 0) {
            g_array_set_size(self->tokens, over);
            tg_forte_accent(self, begin, accent, tg_forte_look_of(node));
        } else {
            tg_forte_close_script(self, over, tail, node->u.stack.over);
        }
    }
    read_script(self, TG_FORTE_SUB, node->u.stack.under);
}

void tg_forte_read_arrow(TgForteReader *self, const TgNode *node)
{
    const char *name = tg_arrow_names[node->u.arrow.form];

    tg_forte_put_command(self, name, strlen(name), tg_forte_look_of(node));
    tg_forte_read_children(self, node);
}

void tg_forte_read_break(TgForteReader *self, const TgNode *node)
{
    tg_forte_end_row(self, 0);
    tg_forte_put_mark(self, TG_FORTE_NEXT_ROW, node);
}

static void read_child(TgForteReader *self, const TgNode *child, TgRole role)
{
    switch (role) {
    case TG_ROLE_LEFT:
    case TG_ROLE_RIGHT:
        tg_forte_read_delimiter(self, child);
        break;
    case TG_ROLE_SUB:
    case TG_ROLE_PRE_SUB:
    case TG_ROLE_UNDER:
        read_script(self, TG_FORTE_SUB, child);
        break;
    case TG_ROLE_SUP:
    case TG_ROLE_PRE_SUP:
    case TG_ROLE_OVER:
        read_script(self, TG_FORTE_SUP, child);
        break;
    default:
        self->read_node(self, child);
        break;
    }
}

void tg_forte_read_children(TgForteReader *self, const TgNode *node)
{
    TgChildIter iter;
    const TgNode *child;

    tg_child_iter_init(&iter, node);
    while ((child = tg_child_iter_next(&iter)) != NULL) {
        if (tg_child_is_seen(node, iter.role, TG_STYLE_DISPLAY))
            read_child(self, child, iter.role);
    }
}

/* ---- Fractions, roots, rows ---------------------------------------------------------------- */

static void read_fence(TgForteReader *self, const TgNode *fence)
{
    if (fence != NULL)
        tg_forte_read_delimiter(self, fence);
}

void tg_forte_read_fraction(TgForteReader *self, const TgNode *node)
{
    const gboolean bar = node->u.fraction.has_bar != 0;

    read_fence(self, node->u.fraction.left);
    tg_forte_put_mark(self, bar ? TG_FORTE_FRAC : TG_FORTE_MAT, node);
    self->read_node(self, node->u.fraction.num);
    tg_forte_put_mark(self, bar ? TG_FORTE_DEN : TG_FORTE_NEXT_ROW, node);
    self->read_node(self, node->u.fraction.den);
    tg_forte_put_mark(self, TG_FORTE_FINISH, node);
    read_fence(self, node->u.fraction.right);
}

void tg_forte_read_radical(TgForteReader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len + 1;

    tg_forte_put_mark(self, TG_FORTE_SQRT, node);
    if (node->u.radical.index != NULL)
        self->read_node(self, node->u.radical.index);
    if (self->tokens->len > begin)
        tg_forte_put_mark(self, TG_FORTE_IDX, node);
    self->read_node(self, node->u.radical.body);
    tg_forte_put_mark(self, TG_FORTE_FINISH, node);
}

/* Whether columns count in an environment; in the others only the rows do. */
static gboolean is_grid(const TgArray *array)
{
    return array->environment == TG_ENV_ARRAY || array->environment == TG_ENV_MATRIX ||
           array->environment == TG_ENV_SMALLMATRIX || array->environment == TG_ENV_CASES ||
           array->environment == TG_ENV_PLAIN_MATRIX || array->environment == TG_ENV_PLAIN_CASES;
}

static void read_between(TgForteReader *self, const TgArray *array, guint32 row)
{
    for (guint32 i = 0; i < array->n_between; i++) {
        if (array->between[i].row == row && array->between[i].text != NULL)
            self->read_node(self, array->between[i].text);
    }
}

void tg_forte_read_array(TgForteReader *self, const TgNode *node)
{
    const TgArray *array = node->u.array;
    const gboolean grid = is_grid(array);
    guint32 filled;

    read_fence(self, array->left);
    if (grid)
        tg_forte_put_mark(self, TG_FORTE_MAT, node);
    filled = self->tokens->len;
    for (guint32 r = 0; r < array->n_rows; r++) {
        const TgRow *row = &array->rows[r];
        guint32 begin;

        if (r > 0)
            tg_forte_put_mark(self, TG_FORTE_NEXT_ROW, node);
        begin = self->tokens->len;
        read_between(self, array, r);
        for (guint32 c = 0; c < row->n_cells; c++) {
            if (grid && c > 0) {
                begin += self->tokens->len == begin; /* empty cells do not fill a row */
                tg_forte_put_mark(self, TG_FORTE_NEXT_CELL, node);
            }
            self->read_node(self, row->cells[c].content);
        }
        tg_forte_end_row(self, begin);
        if (self->tokens->len > begin)
            filled = self->tokens->len;
    }
    g_array_set_size(self->tokens, filled); /* empty rows at the end */
    read_between(self, array, array->n_rows);
    if (grid)
        tg_forte_put_mark(self, TG_FORTE_FINISH, node);
    read_fence(self, array->right);
}

/* ---- Roots typed as signs ---- */

static const TgNode *skip_spaces(const TgNode *item)
{
    while (item != NULL && item->kind == TG_NODE_SPACE)
        item = item->next;
    return item;
}

static gboolean is_digit(const TgNode *item)
{
    return item != NULL && item->kind == TG_NODE_SYMBOL && g_unichar_isdigit(item->u.symbol.code);
}

/* The last item of what a root's sign before @item is over: a number, a bracket, or one item. */
static const TgNode *end_of_radicand(const TgNode *item)
{
    const TgNode *last = item;

    if (is_digit(item)) {
        while (is_digit(last->next))
            last = last->next;
    } else if (item->kind == TG_NODE_SYMBOL && item->u.symbol.code == '(') {
        guint depth = 1;

        while (depth > 0 && last->next != NULL) {
            last = last->next;
            if (last->kind == TG_NODE_SYMBOL)
                depth += (last->u.symbol.code == '(') - (last->u.symbol.code == ')');
        }
        return depth == 0 ? last : item;
    }
    return last;
}

const TgNode *tg_forte_read_surd(TgForteReader *self, const TgNode *surd)
{
    const TgNode *item = skip_spaces(surd->next);

    if (item == NULL || item->kind == TG_NODE_BREAK) {
        tg_forte_read_symbol(self, surd);
        return surd;
    }
    const TgNode *last = end_of_radicand(item);
    tg_forte_put_mark(self, TG_FORTE_SQRT, surd);
    for (const TgNode *at = item; at != last->next; at = at->next)
        tg_forte_read_item(self, at);
    tg_forte_put_mark(self, TG_FORTE_FINISH, surd);
    return last;
}
