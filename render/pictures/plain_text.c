/* Plain text as LaTeX. */
#include "render/pictures/plain_text.h"

#include <string.h>

static const struct {
    char character;
    const char *latex;
} escapes[] = {
    { '\\', "\\textbackslash{}" },
    { '{', "\\{" },
    { '}', "\\}" },
    { '_', "\\_" },
    { '^', "\\^{}" },
    { '~', "\\~{}" },
    { '%', "\\%" },
    { '#', "\\#" },
    { '&', "\\&" },
    { '$', "\\$" },
    { '\n', "\\ " },
    { ' ', "\\ " }, /* as wide behind a full stop as elsewhere */
    { '-', "{-}" }, /* no dashes and quotation marks of several characters */
    { '\'', "{'}" },
    { '`', "{`}" },
};

/* Characters that are commands in LaTeX, as text. (transfer full) */
static char *escape_latex(const char *text)
{
    GString *out = g_string_new(NULL);

    for (; *text != '\0'; text++) {
        const char *latex = NULL;

        for (guint i = 0; i < G_N_ELEMENTS(escapes) && latex == NULL; i++)
            if (escapes[i].character == *text)
                latex = escapes[i].latex;
        if (latex != NULL)
            g_string_append(out, latex);
        else
            g_string_append_c(out, *text);
    }
    return g_string_free(out, FALSE);
}

char *tg_plain_text_shorten(const char *text, glong n)
{
    if (g_utf8_strlen(text, -1) <= n)
        return g_strdup(text);
    g_autofree char *start = g_utf8_substring(text, 0, n);
    return g_strconcat(start, "...", NULL);
}

TgDrawing *tg_plain_text_draw(TgRenderer *renderer, const char *text, TgPlainFont font,
                              double size_pt, double dpi, GError **error)
{
    static const char *const commands[] = { "text", "textbf", "texttt" };
    TgRenderOptions options = TG_RENDER_OPTIONS_INIT;
    g_autofree char *escaped = escape_latex(text);
    g_autofree char *latex = g_strdup_printf("\\%s{%s}", commands[font], escaped);

    options.size_pt = size_pt;
    options.dpi = dpi;
    options.margin_px = 0;
    return tg_renderer_draw(renderer, latex, strlen(latex), &options, error);
}
