/* Colours as xcolor names and mixes them, and as browsers have them. */
#include "tokenizer/symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

/* xcolor's base colours (manual, section 2.4). */
static const struct {
    const char *name;
    guint32 rgb;
} names[] = {
    { "black", 0x000000 },   { "blue", 0x0000FF },      { "brown", 0xBF8040 },
    { "cyan", 0x00FFFF },    { "darkgray", 0x404040 },  { "gray", 0x808080 },
    { "green", 0x00FF00 },   { "lightgray", 0xBFBFBF }, { "lime", 0xBFFF00 },
    { "magenta", 0xFF00FF }, { "olive", 0x808000 },     { "orange", 0xFF8000 },
    { "pink", 0xFFBFBF },    { "purple", 0xBF0040 },    { "red", 0xFF0000 },
    { "teal", 0x008080 },    { "violet", 0x800080 },    { "white", 0xFFFFFF },
    { "yellow", 0xFFFF00 },
};

typedef struct {
    double part[3]; /* red, green, blue in [0, 1] */
} Color;

static guint32 pack(Color color)
{
    guint32 rgb = 0;

    for (guint i = 0; i < 3; i++)
        rgb = rgb << 8 | (guint32) (CLAMP(color.part[i], 0.0, 1.0) * 255.0 + 0.5);
    return rgb;
}

static gboolean find_name(const char *name, gsize len, Color *color)
{
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strlen(names[i].name) == len && strncmp(names[i].name, name, len) == 0) {
            for (guint part = 0; part < 3; part++)
                color->part[part] = ((names[i].rgb >> (16 - 8 * part)) & 0xFF) / 255.0;
            return TRUE;
        }
    }
    return FALSE;
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
static gboolean mix(const char *spec, Color *color)
{
    const char *bar = spec + strcspn(spec, "!");

    if (!find_name(spec, (gsize) (bar - spec), color))
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
            if (!find_name(name, (gsize) (bar - name), &other))
                return FALSE;
        }
        for (guint i = 0; i < 3; i++)
            color->part[i] = share * color->part[i] + (1.0 - share) * other.part[i];
    }
    return *bar == '\0';
}

static gboolean read_html(const char *spec, guint32 *rgb)
{
    if (strlen(spec) != 6 || strspn(spec, "0123456789abcdefABCDEF") != 6)
        return FALSE;
    *rgb = (guint32) g_ascii_strtoull(spec, NULL, 16);
    return TRUE;
}

gboolean tg_color_parse(const char *model, const char *spec, guint32 *rgb)
{
    Color color = { { 0.0, 0.0, 0.0 } };
    double p[4];
    gboolean ok = FALSE;

    *rgb = 0;
    if (model == NULL) {
        ok = mix(spec, &color);
    } else if (strcmp(model, "HTML") == 0) {
        return read_html(spec, rgb);
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
    *rgb = ok ? pack(color) : 0;
    return ok;
}

/* ---- Style sheets ---------------------------------------------------------------------------- */

static int compare_names(const void *key, const void *color)
{
    return g_ascii_strcasecmp(key, ((const TgCssColor *) color)->name);
}

/* "#RGB" or "#RRGGBB" */
static gboolean read_number(const char *spec, guint32 *rgb)
{
    const gsize n = strlen(spec + 1);
    const guint32 value = (guint32) g_ascii_strtoull(spec + 1, NULL, 16);

    if ((n != 3 && n != 6) || strspn(spec + 1, "0123456789abcdefABCDEF") != n)
        return FALSE;
    *rgb = n == 6 ? value
                  : 0x110000 * (value >> 8) + 0x1100 * (value >> 4 & 0xF) + 0x11 * (value & 0xF);
    return TRUE;
}

gboolean tg_css_color_parse(const char *spec, guint32 *rgb)
{
    if (spec[0] == '#')
        return read_number(spec, rgb);

    const TgCssColor *found =
        bsearch(spec, tg_css_colors, tg_css_n_colors, sizeof tg_css_colors[0], compare_names);
    if (found != NULL)
        *rgb = found->rgb;
    return found != NULL;
}
