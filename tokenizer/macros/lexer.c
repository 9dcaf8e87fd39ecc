/* The lexer of LaTeX source, used by the `latex` tokenizer and the TeX parser. */
#include "tokenizer/macros/lexer.h"

#include <string.h>

#include "core/utf8.h"

static inline gboolean is_letter(char c)
{
    return (guchar) ((c | 0x20) - 'a') < 26;
}

/* The end of the white space after @pos. */
static gsize skip_spaces(const TgLexer *lexer, gsize pos)
{
    while (pos < lexer->len) {
        gunichar code;
        const guint length = tg_utf8_decode(lexer->text + pos, lexer->len - pos, &code);

        if (!tg_is_space(code))
            break;
        pos += length;
    }
    return pos;
}

/* Read the lexeme that a backslash begins. */
static TgLexeme control_sequence(const TgLexer *lexer)
{
    const gsize after = lexer->pos + 1;
    TgLexeme lexeme = { .kind = TG_LEX_BACKSLASH, .start = lexer->pos, .len = 1 };
    gunichar code;

    if (after == lexer->len)
        return lexeme;
    if (is_letter(lexer->text[after])) {
        gsize end = after + 1;

        while (end < lexer->len && is_letter(lexer->text[end]))
            end++;
        lexeme.kind = TG_LEX_CONTROL_WORD;
        lexeme.len = end - lexer->pos;
        return lexeme;
    }

    const guint length = tg_utf8_decode(lexer->text + after, lexer->len - after, &code);
    if (!tg_is_space(code)) {
        lexeme.kind = TG_LEX_CONTROL_SYMBOL;
        lexeme.code = code;
        lexeme.len += length;
    }
    return lexeme;
}

TgLexeme tg_lexer_next(TgLexer *lexer)
{
    TgLexeme lexeme = { .kind = TG_LEX_END, .start = lexer->pos };

    if (lexer->pos == lexer->len)
        return lexeme;
    if (lexer->text[lexer->pos] == '\\') {
        lexeme = control_sequence(lexer);
    } else {
        lexeme.kind = TG_LEX_CHARACTER;
        lexeme.len =
            tg_utf8_decode(lexer->text + lexer->pos, lexer->len - lexer->pos, &lexeme.code);
        if (tg_is_space(lexeme.code)) {
            lexeme.kind = TG_LEX_SPACE;
            lexeme.code = 0;
            lexeme.len = skip_spaces(lexer, lexer->pos + lexeme.len) - lexer->pos;
        }
    }
    lexer->pos += lexeme.len;
    return lexeme;
}

/* ---- Sources that are not parsed ------------------------------------------------------------ */

static const char *source_skip_blanks(const char *p)
{
    return p + strspn(p, " \t\n\r\f\v");
}

/* The end of the group at @p, counting braces, escaped ones too; NULL: it does not end. */
static const char *source_group_end(const char *p)
{
    gint depth = 0;

    for (; *p != '\0'; p++) {
        depth += (*p == '{') - (*p == '}');
        if (depth == 0)
            return p + 1;
    }
    return NULL;
}

const char *tg_source_command_end(const char *p, const char *command, gboolean *never_closed)
{
    const char *word_end = p + strlen(command), *group = source_skip_blanks(word_end);

    if (*group == '*')
        group = source_skip_blanks(group + 1);
    if (g_ascii_isalpha(*word_end) || *group != '{')
        return p;
    const char *end = *never_closed ? NULL : source_group_end(group);
    *never_closed = end == NULL;
    return end != NULL ? end : word_end;
}

gboolean tg_is_escaped(const char *start, const char *at)
{
    const char *first = at;

    while (first > start && first[-1] == '\\')
        first--;
    return (at - first) % 2 == 1;
}
