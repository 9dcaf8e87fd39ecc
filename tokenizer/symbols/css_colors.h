/* Colours as style sheets of browsers have them, which KaTeX and MathJax take. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * "#f80", "#ff8800" or a name such as "cornflowerblue".
 *
 * @rgb: (out) 0xRRGGBB; only set when the colour is known
 */
gboolean tg_css_color_parse(const char *spec, guint32 *rgb);

/** A row of css_colors.tsv; in the order of their names. */
typedef struct {
    const char *name;
    guint32 rgb;
} TgCssColor;

extern const TgCssColor tg_css_colors[];
extern const guint tg_css_n_colors;

G_END_DECLS
