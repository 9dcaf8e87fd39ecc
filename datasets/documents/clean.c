#include "datasets/documents/clean.h"

#include <string.h>

static void blank_out(char *text, gsize start, gsize end)
{
    memset(text + start, ' ', end - start);
}

static gboolean starts_with(const char *text, gsize len, gsize at, const char *word)
{
    const gsize n = strlen(word);

    return len - at >= n && memcmp(text + at, word, n) == 0;
}

/* Where @word starts at or after @from; @len if nowhere. */
static gsize find_word(const char *text, gsize len, gsize from, const char *word)
{
    const char *at = from < len ? g_strstr_len(text + from, (gssize) (len - from), word) : NULL;

    return at != NULL ? (gsize) (at - text) : len;
}

/* Skipped regions of LaTeX, with what starts and ends them. */
static const struct {
    const char *open, *close;
} regions[] = {
    { "\\iffalse", "\\fi" },
    { "\\makeatletter", "\\makeatother" },
    { "\\begin{comment}", "\\end{comment}" },
    { "\\begin{verbatim}", "\\end{verbatim}" },
    { "\\begin{verbatim*}", "\\end{verbatim*}" },
    { "\\begin{Verbatim}", "\\end{Verbatim}" },
    { "\\begin{lstlisting}", "\\end{lstlisting}" },
    { "\\begin{minted}", "\\end{minted}" },
};

/* The end of a comment: it takes the line's end along, unless the next line is blank, which ends a
 * paragraph. */
static gsize comment_end(const char *text, gsize len, gsize at)
{
    const gsize newline = find_word(text, len, at, "\n");
    gsize next = newline + 1;

    while (next < len && (text[next] == ' ' || text[next] == '\t' || text[next] == '\r'))
        next++;
    return next >= len || text[next] == '\n' ? newline : newline + 1;
}

/* `\verb|...|` on one line. */
static gsize verb_end(const char *text, gsize len, gsize at)
{
    gsize i = at + strlen("\\verb");

    if (i < len && text[i] == '*')
        i++;
    if (i >= len || g_ascii_isalpha(text[i]) || text[i] == '\n')
        return at;
    for (gsize end = i + 1; end < len && text[end] != '\n'; end++)
        if (text[end] == text[i])
            return end + 1;
    return at;
}

/* The end of the region skipped from @at on; @at if none starts there. A region without end is
 * text: a file that was cut off still has formulas. */
static gsize latex_region_end(const char *text, gsize len, gsize at, gboolean *missing)
{
    for (guint i = 0; i < G_N_ELEMENTS(regions); i++) {
        if (missing[i] || !starts_with(text, len, at, regions[i].open))
            continue;
        const gsize close = find_word(text, len, at, regions[i].close);
        if (close < len)
            return close + strlen(regions[i].close);
        missing[i] = TRUE; /* nor for any that follows */
    }
    return starts_with(text, len, at, "\\verb") ? verb_end(text, len, at) : at;
}

void tg_document_clean_latex(char *text, gsize len)
{
    gboolean missing[G_N_ELEMENTS(regions)] = { FALSE };

    for (gsize i = 0; i < len;) {
        gsize end = i;
        if (text[i] == '%')
            end = MIN(comment_end(text, len, i), len);
        else if (text[i] == '\\')
            end = latex_region_end(text, len, i, missing);
        if (end > i) {
            blank_out(text, i, end);
            i = end;
        } else {
            i += text[i] == '\\' && i + 1 < len ? 2 : 1;
        }
    }
}

/* The fence that starts a line: its length, 0 for none. */
static gsize fence_length(const char *text, gsize len, gsize line)
{
    gsize i = line, n = 0;

    while (i < len && text[i] == ' ' && i - line < 3)
        i++;
    if (i >= len || (text[i] != '`' && text[i] != '~'))
        return 0;
    while (i + n < len && text[i + n] == text[i])
        n++;
    return n >= 3 ? n : 0;
}

/* Code blocks between fences; one without end reaches to the end of the text, as in CommonMark,
 * but text follows a parser's stray fence, so it is left. */
static void clean_fences(char *text, gsize len)
{
    gsize open_at = 0, open_length = 0;

    for (gsize line = 0; line < len;) {
        const gsize next = MIN(find_word(text, len, line, "\n") + 1, len);
        const gsize fence = fence_length(text, len, line);
        if (fence > 0 && open_length == 0) {
            open_at = line;
            open_length = fence;
        } else if (fence >= open_length && open_length > 0) {
            blank_out(text, open_at, next);
            open_length = 0;
        }
        line = next;
    }
}

/* `code` inside a line. */
static void clean_inline_code(char *text, gsize len)
{
    for (gsize i = 0; i < len;) {
        gsize n = 0, end;
        while (i + n < len && text[i + n] == '`')
            n++;
        if (n == 0) {
            i++;
            continue;
        }
        for (end = i + n; end < len && text[end] != '\n' && text[end] != '`'; end++)
            ;
        if (end + n <= len && end < len && text[end] == '`')
            blank_out(text, i, end + n);
        i = MAX(end, i + n);
    }
}

void tg_document_clean_markdown(char *text, gsize len)
{
    gsize open, close;

    clean_fences(text, len);
    clean_inline_code(text, len);
    for (open = find_word(text, len, 0, "<!--"); open < len;
         open = find_word(text, len, close, "<!--")) {
        close = find_word(text, len, open, "-->");
        if (close == len)
            break;
        blank_out(text, open, close + strlen("-->"));
    }
}
