#include "datasets/documents/scan.h"

#include <string.h>

/* Environments that are formulas. Each also has a form with a star. */
static const struct {
    const char *name, *starred;
    gboolean display;
} environments[] = {
    { "equation", "equation*", TRUE }, { "align", "align*", TRUE },
    { "gather", "gather*", TRUE },     { "multline", "multline*", TRUE },
    { "flalign", "flalign*", TRUE },   { "alignat", "alignat*", TRUE },
    { "eqnarray", "eqnarray*", TRUE }, { "displaymath", "displaymath*", TRUE },
    { "dmath", "dmath*", TRUE },       { "IEEEeqnarray", "IEEEeqnarray*", TRUE },
    { "math", "math*", FALSE },
};

enum { CLOSE_BRACKET, CLOSE_PAREN, CLOSE_DOLLARS, CLOSE_ENVIRONMENT };
#define N_CLOSERS (CLOSE_ENVIRONMENT + 2 * G_N_ELEMENTS(environments))

typedef struct {
    const char *text;
    gsize len;
    TgDocumentKind kind;
    gsize next_blank_line;       /* the first at or after what was asked for last */
    gboolean missing[N_CLOSERS]; /* no such closing delimiter is left in the text */
} Scanner;

static gboolean at_word(const Scanner *scanner, gsize at, const char *word)
{
    const gsize n = strlen(word);

    return at <= scanner->len && scanner->len - at >= n && memcmp(scanner->text + at, word, n) == 0;
}

/* Where the first blank line at or after @from starts; formulas do not reach over it. */
static gsize blank_line(Scanner *scanner, gsize from)
{
    const char *text = scanner->text;

    if (scanner->next_blank_line >= from && scanner->next_blank_line > 0)
        return scanner->next_blank_line;
    for (gsize i = from; i < scanner->len; i++) {
        if (text[i] != '\n')
            continue;
        gsize end = i + 1;
        while (end < scanner->len && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r'))
            end++;
        if (end < scanner->len && text[end] == '\n')
            return scanner->next_blank_line = i;
        i = end - 1;
    }
    return scanner->next_blank_line = scanner->len;
}

/* Where @word starts, @from on and before @stop; a backslash and what follows it belong together.
 * @stop if nowhere. */
static gsize find_closing(const Scanner *scanner, gsize from, gsize stop, const char *word)
{
    for (gsize i = from; i < stop; i++) {
        if (at_word(scanner, i, word))
            return i;
        if (scanner->text[i] == '\\')
            i++;
    }
    return stop;
}

/* The end of a formula whose inside starts at @from: behind @word. 0 if it is not closed. */
static gsize close_at(Scanner *scanner, gsize from, guint closer, const char *word)
{
    if (scanner->missing[closer])
        return 0;
    const gsize stop = blank_line(scanner, from);
    const gsize at = find_closing(scanner, from, stop, word);
    if (at < stop)
        return at + strlen(word);
    if (stop == scanner->len)
        scanner->missing[closer] = TRUE;
    return 0;
}

/* Markdown's rule (Pandoc's) keeps prices apart: no space inside the dollars, no digit behind. */
static gboolean is_inline(const Scanner *scanner, gsize open, gsize close)
{
    const char *text = scanner->text;

    if (close == open + 1)
        return FALSE;
    if (scanner->kind == TG_DOCUMENT_LATEX)
        return TRUE;
    return !g_ascii_isspace(text[open + 1]) && !g_ascii_isspace(text[close - 1]) &&
           !(close + 1 < scanner->len && g_ascii_isdigit(text[close + 1]));
}

/* `$...$`: FALSE if this dollar opens nothing. */
static gboolean scan_dollar(Scanner *scanner, gsize at, TgFoundFormula *found)
{
    const gsize stop = blank_line(scanner, at);
    const gsize close = find_closing(scanner, at + 1, stop, "$");

    if (close == stop || !is_inline(scanner, at, close))
        return FALSE;
    *found = (TgFoundFormula){ at, close + 1, "$", FALSE };
    return TRUE;
}

/* Which environment `\begin{...}` at @at opens; FALSE if none of ours. */
static gboolean match_environment(const Scanner *scanner, gsize at, guint *closer,
                                  const char **name)
{
    const gsize start = at + strlen("\\begin{");

    for (guint i = 0; i < 2 * G_N_ELEMENTS(environments); i++) {
        *name = i % 2 == 0 ? environments[i / 2].name : environments[i / 2].starred;
        const gsize end = start + strlen(*name);
        if (at_word(scanner, start, *name) && at_word(scanner, end, "}")) {
            *closer = CLOSE_ENVIRONMENT + i;
            return TRUE;
        }
    }
    return FALSE;
}

/* What a delimiter at @at opens: the formula, with end 0 if it is not closed. FALSE: no delimiter.
 */
static gboolean scan_opening(Scanner *scanner, gsize at, TgFoundFormula *found)
{
    guint closer;
    const char *name;

    if (at_word(scanner, at, "$$")) {
        *found = (TgFoundFormula){ at, close_at(scanner, at + 2, CLOSE_DOLLARS, "$$"), "$$", TRUE };
    } else if (at_word(scanner, at, "\\[")) {
        *found =
            (TgFoundFormula){ at, close_at(scanner, at + 2, CLOSE_BRACKET, "\\]"), "\\[", TRUE };
    } else if (at_word(scanner, at, "\\(")) {
        *found =
            (TgFoundFormula){ at, close_at(scanner, at + 2, CLOSE_PAREN, "\\)"), "\\(", FALSE };
    } else if (at_word(scanner, at, "\\begin{") && match_environment(scanner, at, &closer, &name)) {
        g_autofree char *word = g_strdup_printf("\\end{%s}", name);
        const guint index = (closer - CLOSE_ENVIRONMENT) / 2;
        *found = (TgFoundFormula){
            at, close_at(scanner, at + strlen("\\begin{}") + strlen(name), closer, word), name,
            environments[index].display
        };
    } else {
        return FALSE;
    }
    return TRUE;
}

GArray *tg_document_scan(const char *text, gsize len, gsize from, TgDocumentKind kind,
                         TgUnclosed unclosed, gpointer data)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(TgFoundFormula));
    Scanner scanner = { .text = text, .len = len, .kind = kind };
    TgFoundFormula found;

    for (gsize i = from; i < len;) {
        if (text[i] != '$' && text[i] != '\\') {
            i++;
        } else if (scan_opening(&scanner, i, &found)) {
            if (found.end > 0)
                g_array_append_val(out, found);
            else
                unclosed(i, found.environment, data);
            i = found.end > 0 ? found.end : i + 2;
        } else if (text[i] == '$' && scan_dollar(&scanner, i, &found)) {
            g_array_append_val(out, found);
            i = found.end;
        } else {
            i += text[i] == '\\' ? 2 : 1;
        }
    }
    return out;
}
