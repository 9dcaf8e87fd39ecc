/* Fonts, styles, sizes and classes of mathematics. */
#include "tokenizer/latex/handlers.h"

/* \mathrm{..} and related commands: value is the TgAlphabet. The argument becomes a group. */
void tg_parser_alphabet(TgParser *self, const TgTexToken *token)
{
    const TgFontState before = self->font;
    TgNode *list;

    self->font.alphabet = (guint8) token->command->value;
    list = tg_parser_argument(self, token, "an argument");
    self->font = before;
    list->start = MIN(list->start, token->start); /* \cramped[\scr] reads itself behind \scr */
    list->u.list.braced = 1;
    tg_parser_append(self, list);
}

/* \boldmath, \unboldmath. In the middle of a formula LaTeX only warns: noted, without effect. */
void tg_parser_boldmath(TgParser *self, const TgTexToken *token)
{
    const gboolean on = token->command->value != 0;

    if (self->scope->text)
        self->font.bold = on;
    else
        self->font.bold = self->font.bold == 1 ? 1 : 2 * on;
}

/* \boldsymbol, \bm: value 0; \pmb: value 1. */
void tg_parser_boldsymbol(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_BOLD, token);
    const TgFontState before = self->font;

    node->u.body.flag = (guint8) token->command->value;
    if (node->u.body.flag == 0)
        self->font.bold = 1;
    node->u.body.body = tg_parser_argument(self, token, "an argument");
    self->font = before;
    tg_parser_append(self, node);
}

/* \mathop{..} to \mathinner{..}: value is the TgMathClass. */
void tg_parser_class(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_CLASS, token);

    node->math_class = (guint8) token->command->value;
    node->u.body.body = tg_parser_script_argument(self, token);
    tg_parser_append(self, node);
}

/* \operatorname{..}, with a star or as \operatornamewithlimits like \lim. */
void tg_parser_operatorname(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_OPERATOR, token);
    const TgFontState before = self->font;
    const gboolean limits = token->command->value != 0 || tg_expander_star(&self->in);

    node->u.op.limits = limits ? TG_LIMITS_DISPLAY : TG_LIMITS_OFF;
    node->math_class = TG_CLASS_OP;
    self->font.alphabet = TG_ALPHABET_RM;
    node->u.op.body = tg_parser_argument(self, token, "an argument");
    self->font = before;
    tg_parser_append(self, node);
}

/* \displaystyle and related commands (STYLE), \large and related commands (SIZE): detail is the
 * kind of node. */
void tg_parser_change(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, (TgNodeKind) token->command->detail, token);

    node->u.change.style = (guint8) token->command->value;
    if (node->kind == TG_NODE_SIZE)
        self->font.text.size = node->u.change.style;
    tg_parser_append(self, node);
}

/* \mathchoice{..}{..}{..}{..} */
void tg_parser_mathchoice(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_CHOICE, token);

    for (guint i = 0; i < 4; i++)
        node->u.choice.style[i] = tg_parser_argument(self, token, "four arguments");
    tg_parser_append(self, node);
}
