/* Colors as xcolor names and mixes them, and as browsers have them. */
#include "tokenizer/symbols/symbols.h"

#include <math.h>
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
    const TgNamedColor *found;

    for (; len > 0 && g_ascii_isspace(*name); len--) /* after the name a space is part of it */
        name++;
    found = find_name(name, len);
    if (found == NULL || found->xcolor < 0 || strncmp(found->name, name, len) != 0)
        return FALSE;
    for (guint part = 0; part < 3; part++)
        color->part[part] = ((found->xcolor >> (16 - 8 * part)) & 0xFF) / 255.0;
    return TRUE;
}

/* @n numbers between commas, each up to its limit, and spaces. */
static gboolean read_parts(const char *spec, guint n, const double *limits, double *parts)
{
    for (guint i = 0; i < n; i++) {
        char *end;

        parts[i] = g_ascii_strtod(spec, &end) / limits[i];
        if (end == spec || !(parts[i] >= 0.0 && parts[i] <= 1.0))
            return FALSE;
        while (g_ascii_isspace(*end))
            end++;
        if (*end != (i + 1 < n ? ',' : '\0'))
            return FALSE;
        spec = end + 1;
    }
    return TRUE;
}

/* `-red!30!blue!50`: 30 % red in blue, and of that 50 % in white; of all of it the complement. */
static gboolean mix_colors(const char *spec, Color *color)
{
    gboolean complement = FALSE;

    spec += strspn(spec, " ");
    for (; *spec == '-'; spec++)
        complement = !complement;
    const char *bar = spec + strcspn(spec, "!");

    if (!find_xcolor(spec, (gsize) (bar - spec), color))
        return FALSE;
    while (*bar == '!') {
        Color other = { { 1.0, 1.0, 1.0 } };
        char *end;
        const double share = g_ascii_strtod(bar + 1, &end) / 100.0;

        if (end == bar + 1)
            return FALSE;
        bar = end + strspn(end, " ");
        if (*bar == '!') {
            const char *name = bar + 1;
            bar = name + strcspn(name, "!");
            if (!find_xcolor(name, (gsize) (bar - name), &other))
                return FALSE;
        }
        for (guint i = 0; i < 3; i++)
            color->part[i] = share * color->part[i] + (1.0 - share) * other.part[i];
    }
    for (guint i = 0; i < 3; i++) {
        if (!(color->part[i] > -1e-6 && color->part[i] < 1.0 + 1e-6)) /* red!150 */
            return FALSE;
        if (complement)
            color->part[i] = 1.0 - color->part[i];
    }
    return *bar == '\0';
}

/* `rgb,2:red,1;blue,1`: each color times its number, over the number after rgb or else their sum.
 */
static gboolean add_colors(const char *spec, Color *color)
{
    double divisor = 0.0;
    double sum = 0.0;
    char *end = (char *) spec;

    if (*spec == ',') {
        divisor = g_ascii_strtod(spec + 1, &end);
        if (divisor <= 0.0)
            return FALSE;
    }
    if (*end != ':')
        return FALSE;
    do {
        const char *name = end + 1;
        const gsize len = strcspn(name, ",;");
        Color term;

        if (name[len] != ',' || !find_xcolor(name, len, &term))
            return FALSE;
        const double weight = g_ascii_strtod(name + len + 1, &end);
        for (guint i = 0; i < 3; i++)
            color->part[i] += weight * term.part[i];
        sum += weight;
    } while (*end == ';');

    if (divisor == 0.0)
        divisor = sum;
    for (guint i = 0; i < 3; i++) {
        color->part[i] /= divisor;
        if (!(color->part[i] >= 0.0 && color->part[i] <= 1.0))
            return FALSE;
    }
    return *end == '\0';
}

/* Hue, saturation and brightness in [0, 1]: xcolor's manual, section 6.3.1, equation 19. */
static Color color_of_hue(const double *hsb)
{
    const double hue = 6.0 * hsb[0];
    Color color;

    for (guint i = 0; i < 3; i++) {
        /* red is full about 0, green about 2, blue about 4 of 6; it has left two steps further */
        const double way = fabs(fmod(hue - 2.0 * i + 9.0, 6.0) - 3.0);

        color.part[i] = hsb[2] * (1.0 - hsb[1] * CLAMP(way - 1.0, 0.0, 1.0));
    }
    return color;
}

/* Numbers of a model, and how they become red, green and blue. */
typedef struct {
    const char *name;
    guint n;
    double limits[4]; /* of the numbers */
    enum { PARTS_GRAY, PARTS_RGB, PARTS_CMYK, PARTS_HUE } are;
} ColorModel;

static const ColorModel color_models[] = {
    { "gray", 1, { 1 }, PARTS_GRAY },           { "rgb", 3, { 1, 1, 1 }, PARTS_RGB },
    { "RGB", 3, { 255, 255, 255 }, PARTS_RGB }, { "cmy", 3, { 1, 1, 1 }, PARTS_CMYK },
    { "cmyk", 4, { 1, 1, 1, 1 }, PARTS_CMYK },  { "hsb", 3, { 1, 1, 1 }, PARTS_HUE },
    { "HSB", 3, { 240, 240, 240 }, PARTS_HUE }, { "Hsb", 3, { 360, 1, 1 }, PARTS_HUE },
};

static gboolean read_model(const char *model, const char *spec, Color *color)
{
    double p[4] = { 0.0 };

    for (guint i = 0; i < G_N_ELEMENTS(color_models); i++) {
        const ColorModel *row = &color_models[i];

        if (strcmp(row->name, model) != 0)
            continue;
        if (!read_parts(spec, row->n, row->limits, p))
            return FALSE;
        if (row->are == PARTS_HUE)
            *color = color_of_hue(p);
        else if (row->are == PARTS_CMYK)
            *color = (Color){ { 1 - p[0] - p[3], 1 - p[1] - p[3], 1 - p[2] - p[3] } };
        else
            *color = row->are == PARTS_RGB ? (Color){ { p[0], p[1], p[2] } }
                                           : (Color){ { p[0], p[0], p[0] } };
        return TRUE;
    }
    return FALSE;
}

gboolean tg_color_parse(const char *model, const char *spec, guint32 *rgb)
{
    Color color = { { 0.0, 0.0, 0.0 } };
    gboolean ok;

    *rgb = 0;
    if (model == NULL) {
        ok = g_str_has_prefix(spec, "rgb:") || g_str_has_prefix(spec, "rgb,")
                 ? add_colors(spec + strlen("rgb"), &color)
                 : mix_colors(spec, &color);
    } else if (strcmp(model, "HTML") == 0) {
        spec += strspn(spec, " ");
        if (strspn(spec, "0123456789abcdefABCDEF") != 6 ||
            strspn(spec + 6, " ") != strlen(spec + 6))
            return FALSE;
        *rgb = (guint32) g_ascii_strtoull(spec, NULL, 16);
        return TRUE;
    } else if (strcmp(model, "named") == 0) {
        ok = find_xcolor(spec, strlen(spec), &color);
    } else {
        ok = read_model(model, spec, &color);
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
