/* The formulas of a page as olmOCR-bench finds them. */
#include "datasets/documents/documents.h"

#include <string.h>

#include "datasets/documents/document.h"

/* Take all matches of @open, one or more characters, and @close out of @text. @lines: the line of
 * the page where each byte of the text stood */
static void take_between(GString *text, guint32 *lines, const char *open, const char *close,
                         GArray *formulas)
{
    const gsize n_open = strlen(open), n_close = strlen(close);
    gsize n = 0, done = 0; /* bytes that stay, and bytes that are read */

    for (;;) {
        const char *found = strstr(text->str + done, open), *end = NULL;
        if (found != NULL && found[n_open] != '\0')
            end = strstr(g_utf8_next_char(found + n_open), close);
        const gsize until = end != NULL ? (gsize) (found - text->str) : text->len;
        memmove(text->str + n, text->str + done, until - done);
        memmove(lines + n, lines + done, (until - done) * sizeof *lines);
        n += until - done;
        if (end == NULL)
            break;
        const TgOlmocrFormulaAt formula = {
            g_string_free(tg_text_trimmed(found + n_open, end), FALSE), lines[until + n_open]
        };
        g_array_append_val(formulas, formula);
        done = (gsize) (end - text->str) + n_close;
    }
    g_string_truncate(text, n);
}

static void clear_formula(gpointer data)
{
    g_free(((TgOlmocrFormulaAt *) data)->text);
}

GArray *tg_olmocr_page_formulas(const char *page, guint *n_outside)
{
    static const char *const delimiters[][2] = {
        { "\\(", "\\)" }, { "\\[", "\\]" }, { "$$", "$$" }, { "$", "$" }
    };
    GArray *formulas = g_array_new(FALSE, FALSE, sizeof(TgOlmocrFormulaAt));
    g_autoptr(GString) text = g_string_new(page);
    g_autofree guint32 *lines = g_new(guint32, text->len + 1);

    g_array_set_clear_func(formulas, clear_formula);
    for (guint32 i = 0, line = 1; i < text->len; line += page[i++] == '\n')
        lines[i] = line;
    for (guint i = 0; i < G_N_ELEMENTS(delimiters); i++) {
        take_between(text, lines, delimiters[i][0], delimiters[i][1], formulas);
        if (delimiters[i][0][0] == '\\')
            *n_outside = formulas->len;
    }
    return formulas;
}
