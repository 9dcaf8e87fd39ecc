/* Spaces: \, to \qquad, \hspace, \kern and related commands. */
#include "tokenizer/latex/handlers.h"

static TgNode *append_space(TgParser *self, const TgTexToken *token, TgLength amount)
{
    TgNode *node = tg_parser_node(self, TG_NODE_SPACE, token);

    node->u.space.amount = amount;
    node->u.space.nonscript = self->nonscript;
    self->nonscript = 0;
    tg_parser_append(self, node);
    return node;
}

void tg_parser_interword_space(TgParser *self, const TgTexToken *token)
{
    TgNode *node =
        append_space(self, token, (TgLength){ .value = 65536, .unit = TG_UNIT_INTERWORD });

    node->u.space.interword = token->kind == TG_TOK_TILDE   ? TG_INTERWORD_TIE
                              : token->kind == TG_TOK_SPACE ? TG_INTERWORD_BLANK
                                                            : TG_INTERWORD_CONTROL;
}

/* \/, which mathematics has no use for. */
void tg_parser_italic_correction(TgParser *self, const TgTexToken *token)
{
    if (self->scope->text)
        append_space(self, token, (TgLength){ .value = 65536, .unit = TG_UNIT_ITALIC })
            ->u.space.kern = 1;
}

/* \, \quad \!: value is the amount in 2^-16 of the unit, which is detail. */
void tg_parser_fixed_space(TgParser *self, const TgTexToken *token)
{
    append_space(self, token,
                 (TgLength){ .value = token->command->value, .unit = token->command->detail });
}

/* \enspace, \thinspace in text: as before, but a kern. */
void tg_parser_fixed_kern(TgParser *self, const TgTexToken *token)
{
    append_space(self, token,
                 (TgLength){ .value = token->command->value, .unit = token->command->detail })
        ->u.space.kern = 1;
}

/* \hfil, \hfill, \hss: value is the order of the stretch. */
void tg_parser_fill(TgParser *self, const TgTexToken *token)
{
    append_space(self, token, (TgLength){ .fil = (guint8) token->command->value });
}

/* \hskip, \kern, \mskip, \mkern with a length behind them: value 'k' for kerns, detail 1 for mu. */
void tg_parser_skip(TgParser *self, const TgTexToken *token)
{
    TgLength amount;

    tg_parser_length(self, token, token->command->detail != 0, &amount);
    append_space(self, token, amount)->u.space.kern = token->command->value == 'k';
}

/* \hspace{..}, \hspace*{..}, \mspace{..}: detail 1 for mu; \vspace: value 'v'. */
void tg_parser_hspace(TgParser *self, const TgTexToken *token)
{
    TgLength amount;

    tg_expander_star(&self->in);
    tg_parser_length_argument(self, token, token->command->detail != 0, &amount);
    append_space(self, token, amount)->u.space.vertical = token->command->value == 'v';
}

/* \vskip, \smallskip: no width on a line; value l when a length follows, else the order of its
 * stretch; detail its points. */
void tg_parser_vskip(TgParser *self, const TgTexToken *token)
{
    TgLength amount = { .value = token->command->detail * 65536, .unit = TG_UNIT_PT };

    if (token->command->value != 0 && !self->scope->text) /* LaTeX's own go by \vadjust */
        tg_parser_error(self, token, TG_PARSE_MODE, "%.*s is not allowed in mathematics",
                        TG_TOKEN_TEXT(token));
    if (token->command->value == 'l')
        tg_parser_length(self, token, FALSE, &amount);
    else
        amount.fil = (guint8) token->command->value;
    append_space(self, token, amount)->u.space.vertical = 1;
}

void tg_parser_nonscript(TgParser *self, const TgTexToken *token)
{
    (void) token;
    self->nonscript = 1;
}
