/* From a token to what reads it: handlers of commands by their action, the rest by its kind. */
#include "tokenizer/latex/handlers.h"
#include "tokenizer/symbols/symbols.h"

static const TgCommandHandler handlers[TG_N_ACTIONS] = {
#define TG_HANDLER(action, handler) [TG_ACTION_##action] = tg_parser_##handler,
    TG_COMMAND_ACTIONS(TG_HANDLER)
#undef TG_HANDLER
};

/* What mathematics and text share: ends of lists, &, groups. FALSE when @token is none of these. */
static gboolean end_or_open(TgParser *self, const TgTexToken *token)
{
    switch ((TgTexTokenKind) token->kind) {
    case TG_TOK_END:
        tg_parser_close_input(self, token);
        return TRUE;
    case TG_TOK_CLOSE:
        tg_parser_close_braced(self, token);
        return TRUE;
    case TG_TOK_AMPERSAND:
        tg_parser_ampersand(self, token);
        return TRUE;
    case TG_TOK_OPEN: {
        TgNode *list = tg_parser_list(self, TG_SCOPE_BRACE, self->scope->text, token);
        list->u.list.braced = 1;
        tg_parser_append(self, list);
        return TRUE;
    }
    case TG_TOK_CHAR:
        return token->code == ']' && self->scope->kind == TG_SCOPE_BRACKET &&
               tg_parser_close(self, token, TG_SCOPE_BRACKET);
    default:
        return FALSE;
    }
}

/* ---- Mathematics --------------------------------------------------------------------------- */

/* A $ ends a formula inside text; in a formula that is itself between dollars it begins text. */
static void dollar_in_math(TgParser *self, const TgTexToken *token)
{
    if (self->scope->kind == TG_SCOPE_TOP && self->options.source == TG_SOURCE_MATH) {
        TgNode *node = tg_parser_node(self, TG_NODE_TEXT, token);

        node->u.text.body = tg_parser_list(self, TG_SCOPE_DOLLAR, TRUE, token);
        tg_parser_append(self, node);
    } else if (!tg_parser_close(self, token, TG_SCOPE_DOLLAR)) {
        tg_parser_error(self, token, TG_PARSE_MODE, "unmatched $");
    }
}

static void command_in_math(TgParser *self, const TgTexToken *token)
{
    const TgCommand *command = token->command;

    if (command != NULL && (command->flags & TG_COMMAND_MATH) != 0)
        handlers[command->action](self, token);
    else if (token->symbol != NULL)
        tg_parser_symbol(self, token, token->symbol);
    else if (command != NULL)
        tg_parser_error_node(self, token, TG_PARSE_MODE, "%.*s is allowed in text mode only",
                             TG_TOKEN_TEXT(token));
    else
        tg_parser_error_node(self, token, TG_PARSE_UNKNOWN_COMMAND, "unknown command %.*s",
                             TG_TOKEN_TEXT(token));
}

static void read_in_math(TgParser *self, const TgTexToken *token)
{
    if (end_or_open(self, token))
        return;
    switch ((TgTexTokenKind) token->kind) {
    case TG_TOK_SUP:
    case TG_TOK_SUB:
        tg_parser_script(self, token);
        break;
    case TG_TOK_CHAR:
        tg_parser_character(self, token);
        break;
    case TG_TOK_COMMAND:
        command_in_math(self, token);
        break;
    case TG_TOK_TILDE:
        tg_parser_interword_space(self, token);
        break;
    case TG_TOK_DOLLAR:
        dollar_in_math(self, token);
        break;
    case TG_TOK_HASH:
        tg_parser_error_node(self, token, TG_PARSE_CHARACTER,
                             "misplaced #: write \\# for the character");
        break;
    default: /* a space */
        break;
    }
}

/* ---- Text ---------------------------------------------------------------------------------- */

/* Mathematics in text without dollars is read as if they were there. */
static void append_stray_math(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_MATH, token);

    tg_parser_error(self, token, TG_PARSE_MODE, "%.*s is allowed in math mode only",
                    TG_TOKEN_TEXT(token));
    node->u.body.body = tg_parser_single(self, token, FALSE);
    tg_parser_append(self, node);
}

/* Symbols that LaTeX also sets in text. */
static gboolean works_in_text(const TgTexToken *token)
{
    static const char *const names[] = {
        "#",       "$",        "%",    "&",     "P",      "S",     "_", "copyright",
        "dag",     "ddag",     "dots", "ldots", "pounds", "{",     "}", "checkmark",
        "maltese", "circledR", "yen",  "lq",    "rq",     "slash",
    };

    return tg_token_is_command_of(token, names, G_N_ELEMENTS(names));
}

static void command_in_text(TgParser *self, const TgTexToken *token)
{
    static const guint16 here = TG_COMMAND_TEXT | TG_COMMAND_ENDS;

    if (token->command != NULL && (token->command->flags & here) != 0)
        handlers[token->command->action](self, token);
    else if (token->symbol != NULL && works_in_text(token))
        tg_parser_text_sign(self, token, token->symbol->codepoint);
    else if (token->command != NULL || token->symbol != NULL)
        append_stray_math(self, token);
    else
        tg_parser_error_node(self, token, TG_PARSE_UNKNOWN_COMMAND, "unknown command %.*s",
                             TG_TOKEN_TEXT(token));
}

static void read_in_text(TgParser *self, const TgTexToken *token)
{
    if (end_or_open(self, token))
        return;
    switch ((TgTexTokenKind) token->kind) {
    case TG_TOK_CHAR:
        tg_parser_text_char(self, token, token->code);
        break;
    case TG_TOK_COMMAND:
        command_in_text(self, token);
        break;
    case TG_TOK_TILDE:
    case TG_TOK_SPACE:
        tg_parser_interword_space(self, token);
        break;
    case TG_TOK_DOLLAR:
        tg_parser_text_dollar(self, token);
        break;
    case TG_TOK_SUP:
    case TG_TOK_SUB:
    case TG_TOK_HASH:
        tg_parser_error(self, token, TG_PARSE_MODE, "%.*s is allowed in math mode only",
                        TG_TOKEN_TEXT(token));
        tg_parser_text_char(self, token, (guchar) token->text[0]);
        break;
    default:
        break;
    }
}

void tg_parser_dispatch(TgParser *self, const TgTexToken *token)
{
    if (self->scope->text)
        read_in_text(self, token);
    else
        read_in_math(self, token);
}
