/* Material above and below: stretchy lines and arrows, \overset, \stackrel, \sideset. */
#include "tokenizer/latex/handlers.h"

/* \overline, \underbrace, \overrightarrow ..: value is the TgStretch. */
/* [thickness][height] */
static void read_bracket_options(TgParser *self, const TgTexToken *token, TgNode *node)
{
    TgLength *const lengths[] = { &node->u.stretch.line, &node->u.stretch.height };
    TgTexTokens list;

    for (guint8 i = 0; i < 2 && tg_expander_optional(&self->in, &list); i++) {
        tg_parser_length_of(self, list, token, FALSE, lengths[i]);
        node->u.stretch.has = (guint8) (i + 1);
    }
}

void tg_parser_stretch(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_STRETCH, token);

    node->u.stretch.form = (guint8) token->command->value;
    node->token = tg_parser_ink(self, token, 0);
    if (node->u.stretch.form == TG_STRETCH_OVERBRACKET ||
        node->u.stretch.form == TG_STRETCH_UNDERBRACKET)
        read_bracket_options(self, token, node);
    node->u.stretch.body = tg_parser_argument(self, token, "an argument");
    tg_parser_append(self, node);
}

/* \overset{above}{base}, \underset{below}{base}, \stackrel[below]{above}{base}: value is the
 * TgStackForm, detail 'o' or 'u'. */
void tg_parser_overset(TgParser *self, const TgTexToken *token)
{
    static const char wants[] = "two arguments";
    TgNode *node = tg_parser_node(self, TG_NODE_STACK, token);
    const TgNode *mark = tg_parser_argument(self, token, wants);

    node->u.stack.form = (guint8) token->command->value;
    if (token->command->detail == 'u')
        node->u.stack.under = mark;
    else
        node->u.stack.over = mark;
    node->u.stack.base = tg_parser_argument(self, token, wants);
    tg_parser_append(self, node);
}

/* \overunderset{above}{below}{base} */
void tg_parser_overunderset(TgParser *self, const TgTexToken *token)
{
    static const char wants[] = "three arguments";
    TgNode *node = tg_parser_node(self, TG_NODE_STACK, token);

    node->u.stack.form = TG_STACK_OVERSET;
    node->u.stack.over = tg_parser_argument(self, token, wants);
    node->u.stack.under = tg_parser_argument(self, token, wants);
    node->u.stack.base = tg_parser_argument(self, token, wants);
    tg_parser_append(self, node);
}

/* \buildrel above \over base */
void tg_parser_buildrel(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_STACK, token);
    TgTexTokens above;

    node->u.stack.form = TG_STACK_REL;
    if (!tg_expander_until(&self->in, "\\over", &above))
        tg_parser_error(self, token, TG_PARSE_MISSING_ARGUMENT, "\\buildrel needs \\over");
    node->u.stack.over = tg_parser_sublist(self, above, FALSE, token);
    node->u.stack.base = tg_parser_argument(self, token, "a base after \\over");
    tg_parser_append(self, node);
}

/* \xrightarrow[below]{above} and related commands: value is the TgArrow. */
void tg_parser_arrow(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_ARROW, token);

    node->u.arrow.form = (guint8) token->command->value;
    node->token = tg_parser_ink(self, token, 0);
    node->u.arrow.below = tg_parser_optional(self);
    node->u.arrow.above = tg_parser_argument(self, token, "an argument");
    tg_parser_append(self, node);
}

/* The scripts of `{_a^b}`: the first SCRIPTS without an atom in the list. */
static const TgNode *bare_scripts(TgParser *self, const TgTexToken *token, const TgNode *list)
{
    const TgNode *item = list->u.list.first;

    if (item == NULL)
        return NULL;
    if (item->kind == TG_NODE_SCRIPTS && item->u.scripts.nucleus == NULL && item->next == NULL)
        return item;
    tg_parser_error(self, token, TG_PARSE_SCRIPT,
                    "only scripts are allowed in the arguments of %.*s", TG_TOKEN_TEXT(token));
    return item->kind == TG_NODE_SCRIPTS ? item : NULL;
}

/* \sideset{_a^b}{_c^d}\sum */
void tg_parser_sideset(TgParser *self, const TgTexToken *token)
{
    static const char wants[] = "two arguments and an operator";
    TgNode *node = tg_parser_node(self, TG_NODE_SIDESET, token);
    const TgNode *pre = bare_scripts(self, token, tg_parser_argument(self, token, wants));
    const TgNode *post = bare_scripts(self, token, tg_parser_argument(self, token, wants));

    if (pre != NULL) {
        node->u.sideset.pre_sub = pre->u.scripts.sub;
        node->u.sideset.pre_sup = pre->u.scripts.sup;
    }
    if (post != NULL) {
        node->u.sideset.post_sub = post->u.scripts.sub;
        node->u.sideset.post_sup = post->u.scripts.sup;
    }
    node->u.sideset.limits_base = 1;
    node->math_class = TG_CLASS_OP;
    node->u.sideset.base = tg_parser_argument(self, token, wants);
    tg_parser_append(self, node);
}

/* \prescript{sup}{sub}{base} */
void tg_parser_prescript(TgParser *self, const TgTexToken *token)
{
    static const char wants[] = "three arguments";
    TgNode *node = tg_parser_node(self, TG_NODE_SIDESET, token);

    node->u.sideset.pre_sup = tg_parser_argument(self, token, wants);
    node->u.sideset.pre_sub = tg_parser_argument(self, token, wants);
    node->u.sideset.base = tg_parser_argument(self, token, wants);
    tg_parser_append(self, node);
}
