/* Tokens of LaTeX: control words, control symbols and other characters, without white space. */
#include "core/utf8.h"
#include "tokenizer/macros/lexer.h"
#include "tokenizer/rules/rules.h"

TgTokens *tg_rule_latex(const TgTokenScope *scope, const char *text, gsize len)
{
    TgTokens *list = tg_token_list_new(scope, text, len);

    for (gsize pos = 0; pos < len;) {
        const guchar byte = (guchar) text[pos];

        if (byte < 0x80 && byte != '\\') { /* as the lexer would, but most tokens are such */
            if (!tg_is_space(byte))
                tg_token_list_add(list, scope, pos, 1);
            pos++;
            continue;
        }
        TgLexer lexer = { text, len, pos };
        const TgLexeme lexeme = tg_lexer_next(&lexer);
        if (lexeme.kind != TG_LEX_SPACE)
            tg_token_list_add(list, scope, pos, lexeme.len);
        pos = lexer.pos;
    }
    return list;
}
