/* Tokens of LaTeX: control words, control symbols and single characters; blanks only separate. */
#include "tokenizer/lexer.h"
#include "tokenizer/rules.h"

TgTokens *tg_rule_latex(const TgTokenScope *scope, const char *text, gsize len)
{
    TgTokens *list = tg_token_list_new(scope, text, len);
    TgLexer lexer;

    tg_lexer_init(&lexer, text, len);
    for (TgLexeme l = tg_lexer_next(&lexer); l.kind != TG_LEX_END; l = tg_lexer_next(&lexer))
        if (l.kind != TG_LEX_SPACE)
            tg_token_list_add(list, scope, l.start, l.len);
    return list;
}
