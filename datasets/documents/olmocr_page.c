/* The formulas of a page as olmOCR-bench finds them. */
#include "datasets/documents/documents.h"

#include <string.h>

#include "datasets/documents/document.h"

/* The text of a page that is left, and the place in the page where each of its bytes stood. */
typedef struct {
    GString *text;
    GArray *origins; /* of guint32 */
} Rest;

/* Number of the line at @offset. */
static guint line_at(const char *page, guint32 offset)
{
    guint line = 1;

    for (guint32 i = 0; i < offset; i++)
        line += page[i] == '\n';
    return line;
}

/* Take out all matches of @open, one or more characters, and @close. */
static void take_between(Rest *rest, const char *open, const char *close, const char *page,
                         GArray *formulas)
{
    const gsize n_open = strlen(open), n_close = strlen(close);
    const char *text = rest->text->str;
    Rest left = { g_string_sized_new(rest->text->len), g_array_new(FALSE, FALSE, 4) };
    gsize done = 0;

    for (;;) {
        const char *found = strstr(text + done, open), *end = NULL;
        if (found != NULL && found[n_open] != '\0')
            end = strstr(g_utf8_next_char(found + n_open), close);
        const gsize until = end != NULL ? (gsize) (found - text) : rest->text->len;
        g_string_append_len(left.text, text + done, (gssize) (until - done));
        if (until > done)
            g_array_append_vals(left.origins, &g_array_index(rest->origins, guint32, done),
                                (guint) (until - done));
        if (end == NULL)
            break;
        const guint32 origin = g_array_index(rest->origins, guint32, until + n_open);
        const TgOlmocrFormulaAt formula = {
            g_string_free(tg_text_trimmed(found + n_open, end), FALSE), line_at(page, origin)
        };
        g_array_append_val(formulas, formula);
        done = (gsize) (end - text) + n_close;
    }
    g_string_free(rest->text, TRUE);
    g_array_unref(rest->origins);
    *rest = left;
}

static void clear_formula(gpointer data)
{
    g_free(((TgOlmocrFormulaAt *) data)->text);
}

GArray *tg_olmocr_page_formulas(const char *page, gboolean ignore_dollars)
{
    static const char *const delimiters[][2] = {
        { "\\(", "\\)" }, { "\\[", "\\]" }, { "$$", "$$" }, { "$", "$" }
    };
    GArray *formulas = g_array_new(FALSE, FALSE, sizeof(TgOlmocrFormulaAt));
    const gsize length = strlen(page);
    Rest rest = { g_string_new_len(page, (gssize) length), g_array_new(FALSE, FALSE, 4) };

    g_array_set_clear_func(formulas, clear_formula);
    g_array_set_size(rest.origins, (guint) length);
    for (guint32 i = 0; i < length; i++)
        g_array_index(rest.origins, guint32, i) = i;
    for (guint i = 0; i < (ignore_dollars ? 2 : G_N_ELEMENTS(delimiters)); i++)
        take_between(&rest, delimiters[i][0], delimiters[i][1], page, formulas);
    g_string_free(rest.text, TRUE);
    g_array_unref(rest.origins);
    return formulas;
}
