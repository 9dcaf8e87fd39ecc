/* Fractions, binomials and roots; \over and related commands, which split their list. */
#include "tokenizer/latex/handlers.h"
#include "tokenizer/symbols/symbols.h"

#define WANTS_TWO "two arguments"

/* Delimiters of their own, with the command's ink. */
static void set_fences(TgParser *self, const TgTexToken *token, TgNode *node, const char *pair)
{
    const char left[2] = { pair[0], '\0' }, right[2] = { pair[1], '\0' };

    node->u.fraction.left = tg_parser_fence(self, token, left);
    node->u.fraction.right = tg_parser_fence(self, token, right);
}

/* \frac, \dfrac, \tfrac and, with @text "()", \binom: value is the style. */
void tg_parser_frac(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_FRACTION, token);

    node->u.fraction.style = (guint8) token->command->value;
    node->u.fraction.form = token->command->detail;
    node->u.fraction.align = 'c';
    if (token->command->text != NULL) {
        set_fences(self, token, node, token->command->text);
    } else {
        node->u.fraction.has_bar = 1;
        node->token = tg_parser_ink(self, token, 0);
    }
    node->u.fraction.num = tg_parser_argument(self, token, WANTS_TWO);
    node->u.fraction.den = tg_parser_argument(self, token, WANTS_TWO);
    tg_parser_append(self, node);
}

void tg_parser_cfrac(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_FRACTION, token);
    g_autofree char *align = tg_parser_string_optional(self);

    node->u.fraction.form = TG_FRACTION_CFRAC;
    node->u.fraction.style = TG_STYLE_DISPLAY;
    node->u.fraction.align = align != NULL && strchr("lr", align[0]) != NULL && align[0] != '\0'
                                 ? (guint8) align[0]
                                 : 'c';
    node->u.fraction.has_bar = 1;
    node->token = tg_parser_ink(self, token, 0);
    node->u.fraction.num = tg_parser_argument(self, token, WANTS_TWO);
    node->u.fraction.den = tg_parser_argument(self, token, WANTS_TWO);
    tg_parser_append(self, node);
}

/* A delimiter as a whole argument: empty means none. */
static TgNode *delimiter_argument(TgParser *self, const TgTexToken *token, const char *wants)
{
    TgTexTokens list;

    if (!tg_parser_tokens_argument(self, token, wants, &list))
        return NULL;
    for (guint32 i = 0; i < list.n; i++) {
        if (list.tokens[i].kind == TG_TOK_SPACE)
            continue;
        tg_expander_insert(&self->in, (TgTexTokens){ list.tokens + i, 1 }, 1);
        return tg_parser_delimiter(self, token);
    }
    return NULL;
}

/* \genfrac{(}{)}{thickness}{style}{..}{..} */
void tg_parser_genfrac(TgParser *self, const TgTexToken *token)
{
    static const char wants[] = "six arguments";
    TgNode *node = tg_parser_node(self, TG_NODE_FRACTION, token);
    TgTexTokens thickness;

    node->u.fraction.left = delimiter_argument(self, token, wants);
    node->u.fraction.right = delimiter_argument(self, token, wants);
    node->u.fraction.has_bar = 1;
    node->u.fraction.align = 'c';
    if (tg_expander_argument(&self->in, &thickness) && thickness.n > 0) {
        tg_parser_length_of(self, thickness, token, FALSE, &node->u.fraction.bar);
        node->u.fraction.has_bar = node->u.fraction.bar.value != 0 ? 2 : 0;
    }
    if (node->u.fraction.has_bar != 0)
        node->token = tg_parser_ink(self, token, 0);

    g_autofree char *style = tg_parser_string_argument(self, token, wants);
    node->u.fraction.style = TG_STYLE_INHERIT;
    if (style != NULL && style[0] >= '0' && style[0] <= '3')
        node->u.fraction.style = (guint8) (style[0] - '0');
    node->u.fraction.num = tg_parser_argument(self, token, wants);
    node->u.fraction.den = tg_parser_argument(self, token, wants);
    tg_parser_append(self, node);
}

/* ---- Infix forms --------------------------------------------------------------------------- */

/* @text: delimiters that it brings along, "dd" when two are to be read; value: 'l' with a length,
 * 0 with a bar, 'n' without. */
void tg_parser_infix(TgParser *self, const TgTexToken *token)
{
    const TgCommand *command = token->command;

    if (self->scope->fraction != NULL) {
        tg_parser_error(self, token, TG_PARSE_FRACTION,
                        "ambiguous second %.*s in one group: use braces", TG_TOKEN_TEXT(token));
        tg_parser_finish_infix(self);
        if (self->depth + ++self->scope->n_fractions > self->options.max_depth)
            tg_parser_error(self, token, TG_PARSE_LIMIT, "more than %u levels of nesting",
                            self->options.max_depth);
    }

    TgNode *node = tg_parser_node(self, TG_NODE_FRACTION, token);
    node->u.fraction.form = TG_FRACTION_INFIX;
    node->u.fraction.style = TG_STYLE_INHERIT;
    node->u.fraction.align = 'c';
    node->u.fraction.has_bar = command->value == 0;
    node->u.fraction.num = tg_parser_take_items(self);
    node->start = MIN(node->start, node->u.fraction.num->start);
    self->scope->fraction = node;

    if (command->text != NULL && strcmp(command->text, "dd") == 0) {
        node->u.fraction.left = tg_parser_delimiter(self, token);
        node->u.fraction.right = tg_parser_delimiter(self, token);
    } else if (command->text != NULL) {
        set_fences(self, token, node, command->text);
    }
    if (command->value == 'l') {
        tg_parser_length(self, token, FALSE, &node->u.fraction.bar);
        node->u.fraction.has_bar = node->u.fraction.bar.value != 0 ? 2 : 0;
    }
    if (node->u.fraction.has_bar != 0)
        node->token = tg_parser_ink(self, token, 0);
}

/* ---- Roots --------------------------------------------------------------------------------- */

static TgNode *new_radical(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_RADICAL, token);

    node->token = tg_parser_ink(self, token, 0);
    return node;
}

void tg_parser_sqrt(TgParser *self, const TgTexToken *token)
{
    TgNode *node = new_radical(self, token);

    self->uproot = self->leftroot = 0;
    node->u.radical.index = tg_parser_optional(self);
    node->u.radical.uproot = self->uproot;
    node->u.radical.leftroot = self->leftroot;
    /* Without an index \sqrt is a primitive, which takes what a script takes. */
    node->u.radical.body = node->u.radical.index == NULL
                               ? tg_parser_script_argument(self, token)
                               : tg_parser_argument(self, token, "an argument");
    tg_parser_append(self, node);
}

/* \root 3 \of x */
void tg_parser_root(TgParser *self, const TgTexToken *token)
{
    TgNode *node = new_radical(self, token);
    TgTexTokens index;

    if (!tg_expander_until(&self->in, "\\of", &index))
        tg_parser_error(self, token, TG_PARSE_MISSING_ARGUMENT, "\\root needs \\of");
    self->uproot = self->leftroot = 0;
    node->u.radical.index = tg_parser_sublist(self, index, FALSE, token);
    node->u.radical.uproot = self->uproot;
    node->u.radical.leftroot = self->leftroot;
    node->u.radical.body = tg_parser_argument(self, token, "an argument");
    tg_parser_append(self, node);
}

/* \uproot, \leftroot in the index of a root: value tells them apart. */
void tg_parser_move_root(TgParser *self, const TgTexToken *token)
{
    g_autofree char *text = tg_parser_string_argument(self, token, "a number");
    const gint64 number = text != NULL ? g_ascii_strtoll(text, NULL, 10) : 0;

    if (token->command->value == 'u')
        self->uproot = (gint16) CLAMP(number, -1000, 1000);
    else
        self->leftroot = (gint16) CLAMP(number, -1000, 1000);
}
