/* Characters of mathematics, Unicode ones included. */
#include "core/utf8.h"
#include "tokenizer/latex/handlers.h"
#include "tokenizer/symbols/symbols.h"

/* The inside of "^{2}" or "_{2}" as tokens at the place of @token; FALSE if it is none. */
static gboolean lex_script(TgParser *self, const TgTexToken *token, char kind, TgTexTokens *list)
{
    char source[TG_UNICODE_SOURCE_MAX];

    if (token->kind != TG_TOK_CHAR || !tg_unicode_source(token->code, source) ||
        source[0] != kind || source[1] != '{')
        return FALSE;

    const gsize len = strlen(source) - strlen("^{}");
    char *text = tg_arena_alloc(self->in.arena, len);
    memcpy(text, source + 2, len);
    *list = tg_expander_lex(&self->in, text, len, token);
    return TRUE;
}

/* Raised or lowered characters in a row make one script: `x\u00B9\u00B2` is x^{12}. */
static void append_unicode_script(TgParser *self, const TgTexToken *first, char kind)
{
    const TgTexToken script = { .kind = kind == '^' ? TG_TOK_SUP : TG_TOK_SUB,
                                .text = kind == '^' ? "^" : "_",
                                .len = 1,
                                .start = first->start,
                                .end = first->end,
                                .lexeme = first->lexeme };
    TgTexTokens pieces[32];
    TgTexToken token = *first;
    guint n = 0;

    while (n < G_N_ELEMENTS(pieces) && lex_script(self, &token, kind, &pieces[n])) {
        token = tg_expander_raw(&self->in);
        n++;
    }
    tg_expander_unread(&self->in, &token);

    const TgTexToken open = { .kind = TG_TOK_OPEN,
                              .text = "{",
                              .len = 1,
                              .code = '{',
                              .start = first->start,
                              .end = first->start };
    const TgTexToken close = { .kind = TG_TOK_CLOSE,
                               .text = "}",
                               .len = 1,
                               .code = '}',
                               .start = first->end,
                               .end = first->end };
    tg_expander_unread(&self->in, &close);
    while (n > 0)
        tg_expander_insert(&self->in, pieces[--n], 1);
    tg_expander_unread(&self->in, &open);
    tg_parser_script(self, &script);
}

/* A character that the table of sources spells out. */
static void append_source(TgParser *self, const TgTexToken *token, const char *source)
{
    if (source[0] == '^' || source[0] == '_') {
        append_unicode_script(self, token, source[0]);
        return;
    }
    tg_parser_splice(
        self, tg_parser_sublist(self, tg_expander_lex(&self->in, source, strlen(source), token),
                                FALSE, token));
}

/* A combining mark makes an accent over the item before. */
static void append_mark(TgParser *self, const TgTexToken *token, gunichar mark)
{
    const TgNode *base;

    if (mark == TG_MARK_CIRCLE && tg_parser_circle_last(self, token))
        return;
    if (self->scope->last == NULL) {
        base = tg_parser_empty_list(self, token);
        tg_parser_append(self, tg_parser_node(self, TG_NODE_ACCENT, token));
    } else {
        base = tg_parser_list_of(self, tg_parser_wrap_last(self, TG_NODE_ACCENT));
    }

    TgNode *node = self->scope->last;
    node->u.accent.base = base;
    node->u.accent.symbol = tg_parser_accent_of_mark(mark);
    node->u.accent.code = mark;
    node->end = MAX(node->end, token->end);
    node->token = tg_parser_ink(self, token, 0);
}

static void append_unicode(TgParser *self, const TgTexToken *token)
{
    char source[TG_UNICODE_SOURCE_MAX];
    gunichar base, mark;
    const TgSymbol *symbol = tg_symbol_find_char(token->code);

    if (symbol != NULL) {
        tg_parser_symbol(self, token, symbol);
    } else if (tg_unicode_source(token->code, source)) {
        append_source(self, token, source);
    } else if (g_unichar_ismark(token->code)) {
        append_mark(self, token, token->code);
    } else if (token->code >= 0xFF01 && token->code <= 0xFF5E) {
        /* full-width forms of ASCII */
        const gunichar plain = token->code - 0xFEE0;
        const TgSymbol *ascii = tg_symbol_find_char(plain);
        char name = (char) plain;
        tg_parser_append(
            self, tg_parser_symbol_node(self, token,
                                        ascii != NULL ? ascii : tg_symbol_find(&name, 1), plain));
    } else if (g_unichar_decompose(token->code, &base, &mark) &&
               tg_parser_accent_of_mark(mark) != NULL) {
        TgTexToken part = *token;
        part.code = base;
        tg_parser_character(self, &part);
        append_mark(self, token, mark);
    } else {
        tg_parser_append(self, tg_parser_symbol_node(self, token, NULL, token->code));
    }
}

void tg_parser_character(TgParser *self, const TgTexToken *token)
{
    const gunichar code = token->code;

    if (tg_parser_is_prime(token) > 0) {
        tg_parser_primes(self, token);
    } else if (code == TG_UTF8_INVALID) {
        tg_parser_error_node(self, token, TG_PARSE_CHARACTER, "invalid UTF-8");
    } else if (code >= 0x20 && code < 0x7F) {
        tg_parser_append(self, tg_parser_symbol_node(self, token, tg_symbol_find_char(code), code));
    } else if (g_unichar_iscntrl(code)) {
        tg_parser_error(self, token, TG_PARSE_CHARACTER, "control character U+%04X", code);
    } else {
        append_unicode(self, token);
    }
}
