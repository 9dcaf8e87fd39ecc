/* Arrows of amscd's diagrams: in a cell of CD, @>a>b> and its kin make cells of their own. */
#include "tokenizer/latex/handlers.h"

static void put_token(TgParser *self, const TgTexToken *at, TgTexTokenKind kind, const char *text)
{
    TgTexToken token = *at;

    token.kind = kind;
    token.text = text;
    token.len = (guint32) strlen(text);
    token.code = (guchar) text[0];
    token.command = NULL;
    token.symbol = NULL;
    g_array_append_val(self->in.scratch, token);
}

/* {what stands before the next @end} */
static void put_label(TgParser *self, const TgTexToken *at, gunichar end)
{
    guint depth = 0;

    put_token(self, at, TG_TOK_OPEN, "{");
    for (;;) {
        const TgTexToken token = tg_expander_raw(&self->in);

        if (token.kind == TG_TOK_END) {
            tg_parser_error(self, at, TG_PARSE_MISSING_ARGUMENT, "@ needs labels");
            break;
        }
        if (depth == 0 && tg_token_is_char(&token, end))
            break;
        depth += token.kind == TG_TOK_OPEN;
        depth -= token.kind == TG_TOK_CLOSE && depth > 0;
        g_array_append_val(self->in.scratch, token);
    }
    put_token(self, at, TG_TOK_CLOSE, "}");
}

/* The command that @key stands for, or NULL. */
static const char *arrow_command(gunichar key)
{
    switch (key) {
    case '>':
    case ')':
        return "\\CD>";
    case '<':
    case '(':
        return "\\CD<";
    case 'A':
        return "\\CD^";
    case 'V':
        return "\\CD_";
    case '=':
        return "\\CD=";
    case '|':
        return "\\CD|";
    case '.':
        return "\\relax";
    default:
        return NULL;
    }
}

gboolean tg_parser_diagram_arrow(TgParser *self, const TgTexToken *token)
{
    const TgScope *scope = self->scope;

    if (scope->kind != TG_SCOPE_CELL || strcmp(scope->name, "CD") != 0)
        return FALSE;

    const TgTexToken key = tg_expander_raw(&self->in);
    const char *command = key.kind == TG_TOK_CHAR ? arrow_command(key.code) : NULL;
    if (command == NULL) {
        tg_expander_unread(&self->in, &key);
        return FALSE;
    }

    const guint from = self->in.scratch->len;
    const gboolean across = strchr("><)(=", (int) key.code) != NULL;
    if (across)
        put_token(self, token, TG_TOK_AMPERSAND, "&");
    put_token(self, token, TG_TOK_COMMAND, command);
    if (strchr("=|.", (int) key.code) == NULL) {
        put_label(self, token, key.code);
        put_label(self, token, key.code);
    }
    for (guint i = 0; i < (across ? 1u : 2u); i++)
        put_token(self, token, TG_TOK_AMPERSAND, "&");
    tg_expander_insert(&self->in, tg_expander_take_scratch(&self->in, from), 1);
    return TRUE;
}

/* An arrow across, with its labels if value is 1: detail is the TgArrow. */
void tg_parser_cd_arrow(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_ARROW, token);

    node->u.arrow.form = token->command->detail;
    node->u.arrow.chemistry = TG_ARROW_OF_DIAGRAM;
    node->token = tg_parser_ink(self, token, 0);
    if (token->command->value != 0) {
        node->u.arrow.above = tg_parser_argument(self, token, "two labels");
        node->u.arrow.below = tg_parser_argument(self, token, "two labels");
    } else {
        node->u.arrow.above = tg_parser_empty_list(self, token);
    }
    tg_parser_append(self, node);
}
