/* Characters by number, in the other case, and as they stand in the source. */
#include "tokenizer/latex/handlers.h"
#include "tokenizer/symbols/symbols.h"

#define NO_SLOT G_MAXUINT64

/* The character in slot @slot of a font in OT1, in the list being read. */
static void append_slot(TgParser *self, const TgTexToken *token, guint64 slot)
{
    static const struct {
        guint8 slot;
        guint16 code;
    } moved[] = { { 0x22, 0x201D }, { 0x5C, 0x201C }, { 0x7B, 0x2013 }, { 0x7C, 0x2014 } };
    static const guint16 capitals[] = {
        0x393, 0x394, 0x398, 0x39B, 0x39E, 0x3A0, 0x3A3, 0x3A5, 0x3A6, 0x3A8, 0x3A9,
    };
    gunichar code = (gunichar) slot;

    if (slot > 0xFF && slot <= 0x10FFFF && !self->options.strict) { /* browsers know Unicode only */
        const TgTexToken character = { .kind = TG_TOK_CHAR,
                                       .text = token->text,
                                       .len = token->len,
                                       .code = code,
                                       .start = token->start,
                                       .end = token->end,
                                       .lexeme = token->lexeme };
        self->read_item(self, &character);
        return;
    }
    if (slot < G_N_ELEMENTS(capitals)) {
        code = capitals[slot];
    } else if (slot < 0x21 || slot > 0x7E) {
        tg_parser_error(self, token, TG_PARSE_CHARACTER, "%.*s needs the number of a character",
                        TG_TOKEN_TEXT(token));
        return;
    }
    if (!self->scope->text) {
        tg_parser_append(self, tg_parser_symbol_node(self, token, tg_symbol_find_char(code), code));
        return;
    }
    for (guint i = 0; i < G_N_ELEMENTS(moved) && self->font.text.family != TG_FAMILY_TT; i++) {
        if (moved[i].slot == slot)
            code = moved[i].code;
    }
    tg_parser_text_char(self, token, code);
}

/* \char65, \char'101, \char"41, \char`A, \char`\% */
void tg_parser_char_number(TgParser *self, const TgTexToken *token)
{
    TgTexToken next = tg_expander_raw_nonspace(&self->in);
    guint64 number = 0;
    gboolean found = FALSE;

    if (tg_token_is_char(&next, '`')) {
        next = tg_expander_raw(&self->in);
        append_slot(self, token, next.kind == TG_TOK_COMMAND ? (guchar) next.text[1] : next.code);
        return;
    }

    const guint base = tg_token_is_char(&next, '"') ? 16 : tg_token_is_char(&next, '\'') ? 8 : 10;
    if (base != 10)
        next = tg_expander_raw(&self->in);
    while (next.kind == TG_TOK_CHAR && next.code < 0x80 && g_ascii_isxdigit((char) next.code) &&
           (guint) g_ascii_xdigit_value((char) next.code) < base) {
        found = TRUE;
        number = MIN(number * base + (guint) g_ascii_xdigit_value((char) next.code), 0x10000);
        next = tg_expander_raw(&self->in);
    }
    if (next.kind != TG_TOK_SPACE)
        tg_expander_unread(&self->in, &next);
    append_slot(self, token, found ? number : NO_SLOT);
}

/* \symbol{65} is \char65\relax: of {6 5} the character 6 and a 5. */
void tg_parser_symbol_number(TgParser *self, const TgTexToken *token)
{
    static const char relax[] = "\\relax";
    TgTexTokens list;

    if (!tg_parser_tokens_argument(self, token, "a number", &list))
        return;
    const TgTexTokens end = tg_expander_lex(&self->in, relax, strlen(relax), token);
    tg_expander_insert(&self->in, end, 1);
    tg_expander_insert(&self->in, list, 1);
    tg_parser_char_number(self, token);
}

/* \csname alpha\endcsname: the command of that name. */
void tg_parser_csname(TgParser *self, const TgTexToken *token)
{
    TgTexTokens list;

    if (!tg_expander_until(&self->in, "\\endcsname", &list)) {
        tg_parser_error(self, token, TG_PARSE_MISSING_ARGUMENT, "\\csname without \\endcsname");
        return;
    }
    g_autofree char *name = tg_parser_spelling(list);
    const gsize len = strlen(name) + 1;
    char *text = tg_arena_alloc(self->in.arena, len + 1);
    TgTexToken command = *token;

    text[0] = '\\';
    memcpy(text + 1, name, len);
    command.text = text;
    command.len = (guint32) len;
    command.command = NULL;
    command.symbol = NULL;
    tg_expander_unread(&self->in, &command);
}

/* \uppercase{..}, \lowercase{..} and LaTeX's forms of them: value 'u' or 'l'. Commands stay. */
void tg_parser_change_case(TgParser *self, const TgTexToken *token)
{
    TgTexTokens list;

    if (!tg_parser_tokens_argument(self, token, "an argument", &list))
        return;

    TgTexToken *changed = tg_arena_alloc(self->in.arena, (list.n + 1) * sizeof *changed);
    for (guint32 i = 0; i < list.n; i++) {
        changed[i] = list.tokens[i];
        if (changed[i].kind == TG_TOK_CHAR)
            changed[i].code = token->command->value == 'u' ? g_unichar_toupper(changed[i].code)
                                                           : g_unichar_tolower(changed[i].code);
    }
    tg_expander_insert(&self->in, (TgTexTokens){ changed, list.n }, 1);
}

/* \verb|..|: a box of typewriter characters. */
void tg_parser_verb(TgParser *self, const TgTexToken *token)
{
    const TgFontState before = self->font;
    TgTexTokens list;

    if (!tg_expander_verbatim(&self->in, &list)) {
        tg_parser_error(self, token, TG_PARSE_MISSING_ARGUMENT,
                        "\\verb needs its end on the line, and is not allowed in arguments");
        return;
    }
    TgNode *node = tg_parser_node(self, TG_NODE_TEXT, token);
    self->font.text = (TgTextFont){ .family = TG_FAMILY_TT, .size = before.text.size };
    node->u.text.body = tg_parser_sublist(self, list, TRUE, token);
    node->u.text.align = 'c';
    self->font = before;
    tg_parser_append(self, node);
}
