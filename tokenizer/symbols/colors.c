/* Colors as xcolor names and mixes them, and as browsers have them. */
#include "tokenizer/symbols/symbols.h"

#include <string.h>

/* The row of @name, in letters of either case, or NULL. */
static const TgNamedColor *find_name(const char *name, gsize len)
{
    for (guint i = 0; i < tg_n_named_colors; i++) {
        if (g_ascii_strncasecmp(tg_named_colors[i].name, name, len) == 0 &&
            tg_named_colors[i].name[len] == '\0')
            return &tg_named_colors[i];
    }
    return NULL;
}

typedef struct {
    double part[3]; /* red, green, blue in [0, 1] */
} Color;

static gboolean find_xcolor(const char *name, gsize len, Color *color)
{
    const TgNamedColor *found = find_name(name, len);

    if (found == NULL || found->xcolor < 0 || strncmp(found->name, name, len) != 0)
        return FALSE;
    for (guint part = 0; part < 3; part++)
        color->part[part] = ((found->xcolor >> (16 - 8 * part)) & 0xFF) / 255.0;
    return TRUE;
}

/* @n numbers between commas. */
static gboolean read_parts(const char *spec, guint n, double *parts)
{
    for (guint i = 0; i < n; i++) {
        char *end;

        parts[i] = g_ascii_strtod(spec, &end);
        if (end == spec)
            return FALSE;
        while (g_ascii_isspace(*end))
            end++;
        if (*end != (i + 1 < n ? ',' : '\0'))
            return FALSE;
        spec = end + 1;
    }
    return TRUE;
}

/* `red!30!blue!50`: 30 % red in blue, and of that 50 % in white. */
static gboolean mix_colors(const char *spec, Color *color)
{
    const char *bar = spec + strcspn(spec, "!");

    if (!find_xcolor(spec, (gsize) (bar - spec), color))
        return FALSE;
    while (*bar == '!') {
        Color other = { { 1.0, 1.0, 1.0 } };
        char *end;
        const double share = g_ascii_strtod(bar + 1, &end) / 100.0;

        if (end == bar + 1)
            return FALSE;
        bar = end;
        if (*bar == '!') {
            const char *name = bar + 1;
            bar = name + strcspn(name, "!");
            if (!find_xcolor(name, (gsize) (bar - name), &other))
                return FALSE;
        }
        for (guint i = 0; i < 3; i++)
            color->part[i] = share * color->part[i] + (1.0 - share) * other.part[i];
    }
    return *bar == '\0';
}

gboolean tg_color_parse(const char *model, const char *spec, guint32 *rgb)
{
    Color color = { { 0.0, 0.0, 0.0 } };
    double p[4];
    gboolean ok = FALSE;

    *rgb = 0;
    if (model == NULL) {
        ok = mix_colors(spec, &color);
    } else if (strcmp(model, "HTML") == 0) {
        if (strlen(spec) != 6 || strspn(spec, "0123456789abcdefABCDEF") != 6)
            return FALSE;
        *rgb = (guint32) g_ascii_strtoull(spec, NULL, 16);
        return TRUE;
    } else if (strcmp(model, "gray") == 0) {
        ok = read_parts(spec, 1, p);
        if (ok)
            color = (Color){ { p[0], p[0], p[0] } };
    } else if (strcmp(model, "rgb") == 0 || strcmp(model, "RGB") == 0) {
        const double scale = model[0] == 'R' ? 255.0 : 1.0;
        ok = read_parts(spec, 3, p);
        if (ok)
            color = (Color){ { p[0] / scale, p[1] / scale, p[2] / scale } };
    } else if (strcmp(model, "cmyk") == 0 || strcmp(model, "cmy") == 0) {
        p[3] = 0.0;
        ok = read_parts(spec, (guint) strlen(model), p);
        if (ok)
            color = (Color){ { 1 - p[0] - p[3], 1 - p[1] - p[3], 1 - p[2] - p[3] } };
    }
    for (guint i = 0; ok && i < 3; i++)
        *rgb = *rgb << 8 | (guint32) (CLAMP(color.part[i], 0.0, 1.0) * 255.0 + 0.5);
    return ok;
}

/* ---- Style sheets ---------------------------------------------------------------------------- */

gboolean tg_css_color_parse(const char *spec, guint32 *rgb)
{
    const gsize n = strlen(spec);

    if (spec[0] == '#') {
        const guint32 value = (guint32) g_ascii_strtoull(spec + 1, NULL, 16);

        if ((n != 4 && n != 7) || strspn(spec + 1, "0123456789abcdefABCDEF") != n - 1)
            return FALSE;
        *rgb = n == 7
                   ? value
                   : 0x110000 * (value >> 8) + 0x1100 * (value >> 4 & 0xF) + 0x11 * (value & 0xF);
        return TRUE;
    }

    const TgNamedColor *found = find_name(spec, n);
    if (found != NULL)
        *rgb = found->css;
    return found != NULL;
}
