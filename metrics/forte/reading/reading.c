/* Reads a formula as FORTE's tokens: parsing, and which function reads which kind of node. */
#include "metrics/forte/reading/reading.h"

#include <string.h>

#include "metrics/forte/reading/reader.h"
#include "metrics/forte/reading/reading_structure.h"
#include "metrics/forte/reading/reading_symbols.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/tree/reading.h"

/* ---- Nodes --------------------------------------------------------------------------------- */

static void forte_read_list(TgForteReader *self, const TgNode *list)
{
    const gboolean no_primes = list == self->no_primes;

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (tg_node_is_symbol(item, "surd"))
            item = tg_forte_read_surd(self, item);
        else if (!no_primes || !tg_forte_is_prime(list, item))
            tg_forte_read_item(self, item);
    }
}

/* An equation number counts only against another one, so it is kept apart. */
static void forte_read_tag(TgForteReader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;
    TgForteReading *reading = self->reading;

    self->read_node(self, node->u.body.body);
    const guint32 n = self->tokens->len - begin;
    if (reading->n_tag == 0 && n > 0 && n <= TG_FORTE_TAG_MAX) {
        memcpy(reading->tag, &g_array_index(self->tokens, TgForteToken, begin),
               n * sizeof(TgForteToken));
        reading->n_tag = (guint8) n;
    }
    g_array_set_size(self->tokens, begin);
}

static void forte_read_bold(TgForteReader *self, const TgNode *node)
{
    const gboolean before = self->bold;

    self->bold = TRUE;
    self->read_node(self, node->u.body.body);
    self->bold = before;
}

static void read_node(TgForteReader *self, const TgNode *node)
{
    static void (*const by_kind[TG_N_NODE_KINDS])(TgForteReader *, const TgNode *) = {
        [TG_NODE_LIST] = forte_read_list,
        [TG_NODE_SYMBOL] = tg_forte_read_symbol,
        [TG_NODE_CHAR] = tg_forte_read_char,
        [TG_NODE_TEXT] = tg_forte_read_text,
        [TG_NODE_ERROR] = tg_forte_read_error,
        [TG_NODE_OPERATOR] = tg_forte_read_operator,
        [TG_NODE_ACCENT] = tg_forte_read_accent,
        [TG_NODE_STRETCH] = tg_forte_read_stretch,
        [TG_NODE_ENCLOSE] = tg_forte_read_enclosure,
        [TG_NODE_SCRIPTS] = tg_forte_read_scripts,
        [TG_NODE_STACK] = tg_forte_read_stack,
        [TG_NODE_ARROW] = tg_forte_read_arrow,
        [TG_NODE_FRACTION] = tg_forte_read_fraction,
        [TG_NODE_RADICAL] = tg_forte_read_radical,
        [TG_NODE_ARRAY] = tg_forte_read_array,
        [TG_NODE_BREAK] = tg_forte_read_break,
        [TG_NODE_TAG] = forte_read_tag,
        [TG_NODE_BOLD] = forte_read_bold,
        [TG_NODE_SPACE] = tg_forte_read_space,
    };

    if (by_kind[node->kind] != NULL)
        by_kind[node->kind](self, node);
    else
        tg_forte_read_children(self, node);
}

/* ---- Sources ------------------------------------------------------------------------------- */

/* Where the formula's body lies between outer dollar signs and spaces. */
static void find_body(const char *source, gsize *start, gsize *end)
{
    *start = strspn(source, " \t\n$");
    *end = strlen(source);
    while (*end > *start && strchr(" \t\n", source[*end - 1]) != NULL)
        (*end)--;
    while (*end > *start && source[*end - 1] == '$')
        (*end)--;
}

/* Faults that stop LaTeX, but for lost outer dollar signs, which are the document's, and primes
 * typed apart, as tokenized data has them. */
static guint count_repairs(const TgTree *tree)
{
    guint n, repairs = 0;
    const TgParseError *errors = tg_tree_errors(tree, &n);
    const char *source = tg_tree_source(tree, NULL);
    gsize body = 0, body_end = 0;

    if (n > 0)
        find_body(source, &body, &body_end);
    for (guint i = 0; i < n; i++) {
        const guint32 at = errors[i].start;
        const gboolean is_outer_dollar = source[at] == '$' && (at < body || at >= body_end);

        repairs += !is_outer_dollar && (errors[i].kind != TG_PARSE_SCRIPT || source[at] != '\'');
    }
    return repairs;
}

/* Add the tokens of @tex; FALSE with @error when it cannot be parsed. */
static gboolean read_source(TgForteReader *self, const char *tex, gsize len, GError **error)
{
    g_autoptr(TgTree) tree = tg_tree_parse(tex, len, NULL, error);

    if (tree == NULL)
        return FALSE;
    self->source = tg_tree_source(tree, NULL);
    read_node(self, tg_tree_root(tree));
    self->reading->repairs = count_repairs(tree);
    return TRUE;
}

/* @tex with spaces for the signs that begin comments, or NULL: there are none. */
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

gboolean tg_forte_read(TgForteNames *names, const char *tex, GArray *tokens, TgForteReading *out,
                       GError **error)
{
    TgForteReader reader = {
        .tables = tg_forte_names_tables(names),
        .names = names,
        .tokens = tokens,
        .reading = out,
        .text_end = G_MAXUINT32,
        .read_node = read_node,
        .tail = { .end = G_MAXUINT32, .sub = TG_FORTE_NO_GROUP, .sup = TG_FORTE_NO_GROUP },
    };

    g_array_set_size(tokens, 0);
    *out = (TgForteReading){ 0 };
    if (!read_source(&reader, tex, strlen(tex), error))
        return FALSE;
    if (tokens->len == 0) { /* a line that begins with % is the formula, not a comment */
        g_autofree char *text = without_comment_signs(tex);
        if (text != NULL && !read_source(&reader, text, strlen(text), error))
            return FALSE;
    }
    tg_forte_finish(&reader);
    return TRUE;
}
