/* The one rule by which outer math delimiters come off a formula. */
#include "datasets/records/formula.h"

#include <string.h>

#include "tokenizer/macros/lexer.h"

/* A text or a part of it. */
typedef struct {
    const char *text;
    gsize len;
} Span;

#define MAX_NAME 16 /* of an environment; longer ones are none of ours */

static const struct {
    const char *name;
    gboolean starred; /* there is a form with a star */
    gboolean rows;    /* its body may have rows and columns */
} environments[] = {
    { "equation", TRUE, FALSE }, { "displaymath", FALSE, FALSE }, { "math", FALSE, FALSE },
    { "align", TRUE, TRUE },     { "flalign", TRUE, TRUE },       { "gather", TRUE, TRUE },
    { "multline", TRUE, TRUE },  { "eqnarray", TRUE, TRUE },
};

static Span trim_span(Span span)
{
    while (span.len > 0 && g_ascii_isspace(span.text[0]) &&
           tg_escaped_letter(span.text, span.text + span.len) == '\0') {
        span.text++;
        span.len--;
    }
    gsize end = span.len;
    while (end > 0 && g_ascii_isspace(span.text[end - 1]))
        end--;
    gsize n_backslashes = 0;
    while (n_backslashes < end && span.text[end - 1 - n_backslashes] == '\\')
        n_backslashes++;
    if (n_backslashes % 2 == 1 && end < span.len)
        end++; /* the space of a final control space */
    span.len = end;
    return span;
}

static int brace_step(const TgLexeme *lexeme)
{
    if (lexeme->kind != TG_LEX_CHARACTER)
        return 0;
    return lexeme->code == '{' ? 1 : lexeme->code == '}' ? -1 : 0;
}

static gboolean is_word(const char *text, const TgLexeme *lexeme, const char *word)
{
    return lexeme->kind == TG_LEX_CONTROL_WORD && lexeme->len == strlen(word) &&
           memcmp(text + lexeme->start, word, lexeme->len) == 0;
}

/* `$..$`, `$$..$$`, `\(..\)` or `\[..\]`, whose ends have @n bytes: any other sign of the kind
 * outside braces before the end means that the first one closes, or opens again, there. */
static gboolean strip_signs(Span *span, TgLexKind kind, gunichar open, gunichar close, gsize n)
{
    const gsize end = span->len - n;
    TgLexer lexer = { span->text, span->len, n };
    int depth = 0;

    if (span->len < 2 * n)
        return FALSE;
    for (;;) {
        const TgLexeme lexeme = tg_lexer_next(&lexer);

        if (lexeme.kind == TG_LEX_END)
            return FALSE;
        depth += brace_step(&lexeme);
        if (lexeme.kind != kind || (lexeme.code != open && lexeme.code != close))
            continue;
        if (lexeme.start == end && lexeme.code == close)
            break;
        if (depth <= 0)
            return FALSE;
    }
    if ((guchar) span->text[span->len - 1] != close)
        return FALSE; /* `$$..$x` */
    *span = (Span){ span->text + n, end - n };
    return TRUE;
}

/* The `{name}` after `\begin` or `\end`, without spaces; FALSE if it is not one or too long. */
static gboolean read_name(TgLexer *lexer, char name[MAX_NAME])
{
    TgLexer ahead = *lexer;
    TgLexeme lexeme = tg_lexer_next(&ahead);
    gsize n = 0;

    if (lexeme.kind == TG_LEX_SPACE)
        lexeme = tg_lexer_next(&ahead);
    if (lexeme.kind != TG_LEX_CHARACTER || lexeme.code != '{')
        return FALSE;
    while ((lexeme = tg_lexer_next(&ahead)).kind == TG_LEX_CHARACTER ||
           lexeme.kind == TG_LEX_SPACE) {
        if (lexeme.kind == TG_LEX_SPACE)
            continue;
        if (lexeme.code == '}') {
            name[n] = '\0';
            *lexer = ahead;
            return TRUE;
        }
        if (n + 1 == MAX_NAME || lexeme.len != 1)
            return FALSE;
        name[n++] = ahead.text[lexeme.start];
    }
    return FALSE;
}

/* Whether a text begins with an environment that is a delimiter. @lexer: (out) behind its `{name}`;
 * @rows: (out) whether its body may have rows */
static gboolean read_begin(const Span *span, TgLexer *lexer, char name[MAX_NAME], gboolean *rows)
{
    *lexer = (TgLexer){ span->text, span->len, 0 };
    const TgLexeme begin = tg_lexer_next(lexer);
    if (!is_word(span->text, &begin, "\\begin") || !read_name(lexer, name))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(environments); i++) {
        const gsize n = strlen(environments[i].name);

        *rows = environments[i].rows;
        if (strncmp(name, environments[i].name, n) == 0 &&
            (name[n] == '\0' || (environments[i].starred && strcmp(name + n, "*") == 0)))
            return TRUE;
    }
    return FALSE;
}

/* `\begin{X}`...`\end{X}`, X nested in itself or not, with nothing after it. */
static gboolean strip_environment(Span *span)
{
    char outer[MAX_NAME], name[MAX_NAME];
    int braces = 0, depth = 1, same = 1; /* open braces, environments, environments X */
    gboolean rows, several_cells = FALSE;
    TgLexer lexer;

    if (!read_begin(span, &lexer, outer, &rows))
        return FALSE;
    const gsize start = lexer.pos;
    for (;;) {
        const TgLexeme lexeme = tg_lexer_next(&lexer);

        if (lexeme.kind == TG_LEX_END)
            return FALSE;
        braces += brace_step(&lexeme);
        if (braces <= 0 && depth <= 1 &&
            (lexeme.code == '&' ? lexeme.kind == TG_LEX_CHARACTER
                                : lexeme.kind == TG_LEX_CONTROL_SYMBOL && lexeme.code == '\\'))
            several_cells = TRUE;
        if (is_word(span->text, &lexeme, "\\Aboxed")) /* whose argument has an & */
            several_cells = TRUE;

        const gboolean begins = is_word(span->text, &lexeme, "\\begin");
        if (!begins && !is_word(span->text, &lexeme, "\\end"))
            continue;
        depth += begins ? 1 : -1;
        if (!read_name(&lexer, name) || strcmp(name, outer) != 0)
            continue;
        same += begins ? 1 : -1;
        if (same > 0)
            continue;
        if (lexer.pos != span->len || (rows && several_cells))
            return FALSE;
        *span = (Span){ span->text + start, lexeme.start - start };
        return TRUE;
    }
}

static gboolean strip_pair(Span *span)
{
    if (span->len < 2)
        return FALSE;
    const char second = span->text[1];
    if (span->text[0] == '$')
        return (second == '$' && strip_signs(span, TG_LEX_CHARACTER, '$', '$', 2)) ||
               strip_signs(span, TG_LEX_CHARACTER, '$', '$', 1);
    if (span->text[0] != '\\')
        return FALSE;
    if (second == '[' || second == '(')
        return strip_signs(span, TG_LEX_CONTROL_SYMBOL, (guchar) second, second == '[' ? ']' : ')',
                           2);
    return second == 'b' && strip_environment(span);
}

const char *tg_delimiters_strip(const char *text, gsize len, gsize *inner_len)
{
    Span span = trim_span((Span){ text, len });
    char name[MAX_NAME];
    gboolean rows;
    TgLexer lexer;

    for (guint i = 0; i < TG_DELIMITERS_MAX_PAIRS; i++) {
        const Span outer = span;

        if (!strip_pair(&span))
            break;
        span = trim_span(span);
        if (read_begin(&outer, &lexer, name, &rows) && read_begin(&span, &lexer, name, &rows)) {
            span = outer; /* LaTeX refuses a display in a display: it stays */
            break;
        }
    }
    *inner_len = span.len;
    return span.text;
}
