/* Walks over the formula tree and says what each node is in FORTE's tokens. */
#include "metrics/forte/reading.h"

#include <string.h>

#include "metrics/forte/reader.h"

/* ---- Nodes --------------------------------------------------------------------------------- */

static void read_operator(TgForteReader *self, const TgNode *node)
{
    const gboolean before = self->function;

    self->function = TRUE;
    tg_forte_read_node(self, node->u.op.body);
    self->function = before;
}

static void read_list(TgForteReader *self, const TgNode *list)
{
    const gboolean no_primes = list == self->no_primes;

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (no_primes && tg_forte_is_prime(item))
            continue;
        tg_forte_read_item(self, item);
    }
}

/* Nodes that only dress their body. */
static const TgNode *body_of(const TgNode *node)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_CLASS:
    case TG_NODE_BOLD:
    case TG_NODE_MATH:
    case TG_NODE_VCENTER:
        return node->u.body.body;
    case TG_NODE_LAP:
        return node->u.lap.body;
    case TG_NODE_RAISE:
        return node->u.raise.body;
    case TG_NODE_COLOR:
        return node->u.color.body;
    case TG_NODE_CHOICE:
        return node->u.choice.style[TG_STYLE_DISPLAY];
    case TG_NODE_PHANTOM:
        return (node->u.phantom.flags & TG_PHANTOM_NO_INK) != 0 ? NULL : node->u.phantom.body;
    default: /* spaces, styles, rules, tags */
        return NULL;
    }
}

void tg_forte_read_node(TgForteReader *self, const TgNode *node)
{
    const TgNode *body;

    switch ((TgNodeKind) node->kind) {
    case TG_NODE_LIST:
        read_list(self, node);
        break;
    case TG_NODE_SYMBOL:
        tg_forte_read_symbol(self, node, FALSE);
        break;
    case TG_NODE_CHAR:
        tg_forte_read_char(self, node);
        break;
    case TG_NODE_ERROR:
        tg_forte_read_error(self, node);
        break;
    case TG_NODE_OPERATOR:
        read_operator(self, node);
        break;
    case TG_NODE_SCRIPTS:
        tg_forte_read_scripts(self, node);
        break;
    case TG_NODE_SIDESET:
        tg_forte_read_sideset(self, node);
        break;
    case TG_NODE_FRACTION:
        tg_forte_read_fraction(self, node);
        break;
    case TG_NODE_RADICAL:
        tg_forte_read_radical(self, node);
        break;
    case TG_NODE_ACCENT:
        tg_forte_read_accent(self, node);
        break;
    case TG_NODE_STRETCH:
        tg_forte_read_stretch(self, node);
        break;
    case TG_NODE_STACK:
        tg_forte_read_stack(self, node);
        break;
    case TG_NODE_ARROW:
        tg_forte_read_arrow(self, node);
        break;
    case TG_NODE_TEXT:
        if (!tg_forte_read_boxed_accent(self, node))
            tg_forte_read_node(self, node->u.text.body);
        break;
    case TG_NODE_DELIMITED:
        tg_forte_read_delimited(self, node);
        break;
    case TG_NODE_MIDDLE:
    case TG_NODE_BIG:
        if (node->u.big.delimiter != NULL)
            tg_forte_read_symbol(self, node->u.big.delimiter, FALSE);
        break;
    case TG_NODE_ARRAY:
        tg_forte_read_array(self, node);
        break;
    case TG_NODE_BREAK:
        tg_forte_put_mark(self, TG_FORTE_NEXT_ROW, node);
        break;
    case TG_NODE_ENCLOSE:
        tg_forte_read_enclosure(self, node);
        break;
    default:
        if ((body = body_of(node)) != NULL)
            tg_forte_read_node(self, body);
        break;
    }
}

/* An item of a list; \not is a stroke through the one behind it. */
void tg_forte_read_item(TgForteReader *self, const TgNode *node)
{
    const gboolean negated = self->negate;
    const guint32 begin = self->tokens->len;

    if (node->kind == TG_NODE_SYMBOL && node->u.symbol.symbol != NULL &&
        strcmp(node->u.symbol.symbol->name, "not") == 0) {
        self->negate = TRUE;
        return;
    }
    if (node->kind == TG_NODE_SCRIPTS) { /* the stroke goes through the nucleus */
        tg_forte_read_scripts(self, node);
        return;
    }
    self->negate = FALSE;
    tg_forte_read_node(self, node);
    if (negated)
        tg_forte_negate(self, begin, node);
}

/* Write what @tex means; FALSE with @error when it cannot be parsed. */
static gboolean read_source(TgForteReader *self, const char *tex, gsize len, guint *repairs,
                            GError **error)
{
    g_autoptr(TgTree) tree = tg_tree_parse(tex, len, NULL, error);

    if (tree == NULL)
        return FALSE;
    self->source = tg_tree_source(tree, NULL);
    tg_forte_read_node(self, tg_tree_root(tree));
    tg_tree_errors(tree, repairs);
    return TRUE;
}

/* @tex with blanks for the signs that begin comments, or NULL: there are none. */
static char *without_comment_signs(const char *tex)
{
    g_autofree char *text = g_strdup(tex);
    gboolean found = FALSE;

    for (char *at = text; *at != '\0'; at++) {
        if (at[0] == '\\' && at[1] != '\0') {
            at++;
        } else if (*at == '%') {
            *at = ' ';
            found = TRUE;
        }
    }
    return found ? g_steal_pointer(&text) : NULL;
}

gboolean tg_forte_read(TgForteNames *names, const char *tex, GArray *tokens, guint *repairs,
                       GError **error)
{
    TgForteReader reader = {
        .tables = tg_forte_names_tables(names),
        .names = names,
        .tokens = tokens,
        .tail = { .end = G_MAXUINT32, .sub = TG_FORTE_NO_GROUP, .sup = TG_FORTE_NO_GROUP },
    };

    g_array_set_size(tokens, 0);
    *repairs = 0;
    if (!read_source(&reader, tex, strlen(tex), repairs, error))
        return FALSE;
    if (tokens->len == 0) { /* a formula on a line that begins with % was not meant as comment */
        g_autofree char *text = without_comment_signs(tex);
        if (text != NULL && !read_source(&reader, text, strlen(text), repairs, error))
            return FALSE;
    }
    tg_forte_finish(&reader);
    return TRUE;
}
