/* Commands that leave no ink: labels, breaks, penalties, tags. */
#include "tokenizer/latex/handlers.h"

/* Takes as many arguments as value says, with a star and a bracket, and leaves nothing. */
void tg_parser_ignore(TgParser *self, const TgTexToken *token)
{
    TgTexTokens list;

    if (token->command->value == 0)
        return;
    tg_expander_star(&self->in);
    tg_expander_optional(&self->in, &list);
    for (gint32 i = 0; i < token->command->value; i++)
        tg_parser_tokens_argument(self, token, "an argument", &list);
}

/* \penalty-100: a sign, digits and a space. */
void tg_parser_penalty(TgParser *self, const TgTexToken *token)
{
    TgTexToken next = tg_expander_next_nonspace(&self->in);
    guint n_digits = 0;

    while (tg_token_is_char_of(&next, "+-"))
        next = tg_expander_next_nonspace(&self->in);
    for (; tg_token_is_digit(&next); n_digits++)
        next = tg_expander_next(&self->in);
    if (n_digits == 0)
        tg_parser_error(self, token, TG_PARSE_LENGTH, "\\penalty needs a number");
    if (next.kind != TG_TOK_SPACE)
        tg_expander_unread(&self->in, &next);
}

/* \space: ignored in mathematics. */
void tg_parser_space(TgParser *self, const TgTexToken *token)
{
    if (self->scope->text)
        tg_parser_interword_space(self, token);
}

/* \tag{..}, \tag*{..} */
void tg_parser_tag(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_TAG, token);

    node->u.body.flag = tg_expander_star(&self->in) != FALSE;
    node->u.body.body = tg_parser_text_argument(self, token, "an argument");
    tg_parser_append(self, node);
}
