/* Definitions and groups without braces. */
#include "tokenizer/latex/define.h"
#include "tokenizer/latex/handlers.h"

void tg_parser_def(TgParser *self, const TgTexToken *token)
{
    tg_define_macro(&self->in, token);
}

/* \newcommand and related commands: value says which. */
void tg_parser_newcommand(TgParser *self, const TgTexToken *token)
{
    tg_define_newcommand(&self->in, token, (char) token->command->value);
}

void tg_parser_let(TgParser *self, const TgTexToken *token)
{
    tg_define_let(&self->in, token);
}

void tg_parser_declare_operator(TgParser *self, const TgTexToken *token)
{
    tg_define_operator(&self->in, token);
}

/* \begingroup: definitions and fonts are local, but the items join the list around. */
void tg_parser_open_group(TgParser *self, const TgTexToken *token)
{
    tg_parser_splice(self, tg_parser_list(self, TG_SCOPE_GROUP, self->scope->text, token));
}

void tg_parser_close_group(TgParser *self, const TgTexToken *token)
{
    if (!tg_parser_close(self, token, TG_SCOPE_GROUP))
        tg_parser_error(self, token, TG_PARSE_BRACE, "this \\endgroup has no \\begingroup");
}

/* \bgroup: a brace that need not be balanced in arguments. */
void tg_parser_open_brace(TgParser *self, const TgTexToken *token)
{
    TgNode *list = tg_parser_list(self, TG_SCOPE_BRACE, self->scope->text, token);

    list->start = token->start;
    list->u.list.braced = 1;
    tg_parser_append(self, list);
}

void tg_parser_close_brace(TgParser *self, const TgTexToken *token)
{
    if (!tg_parser_close(self, token, TG_SCOPE_BRACE))
        tg_parser_error(self, token, TG_PARSE_BRACE, "this \\egroup closes nothing");
}
