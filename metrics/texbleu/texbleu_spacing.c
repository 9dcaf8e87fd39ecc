/* The spaces that TeXBLEU inserts before commands. */
#include "metrics/texbleu/texbleu_spacing.h"

#include "core/utf8.h"

static gsize space_as_repo(const char *text, gsize len, char *out)
{
    gsize n = 0;

    for (gsize i = 0; i < len; i++) {
        if (text[i] == '\\' && (i == 0 || text[i - 1] != ' '))
            out[n++] = ' ';
        out[n++] = text[i];
    }
    return n;
}

static gsize space_as_paper(const char *text, gsize len, char *out)
{
    gboolean wants_space = FALSE; /* before the next character, unless it is the first */
    gboolean in_command = FALSE;  /* the character before was a backslash that starts a command */
    gsize n = 0;
    guint size;

    for (gsize i = 0; i < len; i += size) {
        gunichar c;
        size = tg_utf8_decode(text + i, len - i, &c);
        if (tg_is_space(c)) {
            wants_space = TRUE;
            in_command = FALSE;
            continue;
        }
        const gboolean starts_command = c == '\\' && !in_command;
        if ((wants_space || starts_command) && n > 0)
            out[n++] = ' ';
        for (guint k = 0; k < size; k++)
            out[n++] = text[i + k];
        wants_space = FALSE;
        in_command = starts_command;
    }
    return n;
}

gsize tg_texbleu_space(TgTexbleuSpacing spacing, const char *text, gsize len, char *out)
{
    return spacing == TG_TEXBLEU_SPACING_REPO ? space_as_repo(text, len, out)
                                              : space_as_paper(text, len, out);
}
