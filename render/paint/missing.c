/* Asking for the outline of every character that no TeX font has. */
#include "render/paint/missing.h"

#include "render/paint/paint.h"

char *tg_drawing_missing(const TgDrawing *drawing)
{
    enum { MOST = 40 };
    g_autoptr(GString) missing = g_string_new(NULL);
    guint n = 0;

    for (guint i = 0; i < drawing->n_marks && n < MOST; i++) {
        const TgMark *mark = &drawing->marks[i];
        double x, y, stretch;

        if (mark->kind == TG_MARK_UNICODE && g_utf8_strchr(missing->str, -1, mark->code) == NULL &&
            tg_paint_unicode_outline(drawing, mark, &x, &y, &stretch) == NULL) {
            g_string_append_unichar(missing, mark->code);
            n++;
        }
    }
    return missing->len > 0 ? g_strdup(missing->str) : NULL;
}
