/* KaTeX's symbols and dimensions, and the widths of Times. */
#include "metrics/olmocr/katex.h"

#include <pthread.h>
#include <string.h>

typedef enum { UPRIGHT, SLANTED, WIDTH_BOLD, BOLD_SLANTED, FALLBACK, N_STYLES } WidthStyle;

static const TgKatexSymbol symbols[] = {
#include "olmocr_symbols.inc"
};

static const struct {
    WidthStyle style;
    guint16 width; /* in 2048ths of the size */
    const char *characters;
} widths[] = {
#include "times_widths.inc"
};

static const TgKatexGlyph glyphs[] = {
#include "olmocr_glyphs.inc"
};

/* Constant once they are filled. Characters are keys, widths are stored with one added. */
static GHashTable *symbols_by_name, *glyphs_by_character[N_OF_FONTS],
    *widths_by_character[N_STYLES];

static void make_tables(void)
{
    symbols_by_name = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < G_N_ELEMENTS(symbols); i++)
        g_hash_table_insert(symbols_by_name, (gpointer) symbols[i].name, (gpointer) &symbols[i]);
    g_hash_table_insert(symbols_by_name, (gpointer) "-",
                        g_hash_table_lookup(symbols_by_name, "\\hyphen"));
    for (guint i = 0; i < N_OF_FONTS; i++)
        glyphs_by_character[i] = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(glyphs); i++)
        for (const char *p = glyphs[i].characters; *p != '\0'; p = g_utf8_next_char(p))
            g_hash_table_insert(glyphs_by_character[glyphs[i].font],
                                GUINT_TO_POINTER(g_utf8_get_char(p)), (gpointer) &glyphs[i]);
    for (guint i = 0; i < N_STYLES; i++)
        widths_by_character[i] = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(widths); i++)
        for (const char *p = widths[i].characters; *p != '\0'; p = g_utf8_next_char(p))
            g_hash_table_insert(widths_by_character[widths[i].style],
                                GUINT_TO_POINTER(g_utf8_get_char(p)),
                                GUINT_TO_POINTER(widths[i].width + 1u));
}

static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

const TgKatexSymbol *tg_katex_symbol(const char *name)
{
    pthread_once(&tables_once, make_tables);
    return g_hash_table_lookup(symbols_by_name, name);
}

const char *tg_katex_shown(const char *name, gboolean in_text)
{
    const TgKatexSymbol *symbol = tg_katex_symbol(name);

    if (in_text)
        return symbol != NULL && symbol->text != NULL && strcmp(name, "-") != 0 ? symbol->text
                                                                                : name;
    return symbol != NULL && symbol->shown != NULL ? symbol->shown : name;
}

const TgKatexMathFont *tg_katex_math_font(const char *name)
{
    static const TgKatexMathFont fonts[] = {
        { "mathbf", BOLD, "bold" },         { "mathrm", MAIN, NULL },
        { "mathit", ITALIC, "italic" },     { "mathnormal", MATH, NULL },
        { "mathbb", AMS, "double-struck" }, { "mathcal", CAL, "script" },
        { "mathfrak", FRAK, "fraktur" },    { "mathscr", SCRIPT, "script" },
        { "mathsf", SANS, "sans-serif" },   { "mathsfit", SANS_ITALIC, "sans-serif-italic" },
        { "mathtt", TT, "monospace" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(fonts); i++)
        if (strcmp(fonts[i].name, name) == 0)
            return &fonts[i];
    return NULL;
}

const TgKatexGlyph *tg_katex_glyph(TgKatexFont font, const char *shown, gboolean in_text)
{
    pthread_once(&tables_once, make_tables);
    const gunichar c = g_utf8_get_char(shown);
    const TgKatexGlyph *glyph = g_hash_table_lookup(glyphs_by_character[font], GUINT_TO_POINTER(c));

    if (glyph == NULL && in_text && c >= 0x80 && g_unichar_isalpha(c))
        glyph = g_hash_table_lookup(glyphs_by_character[font], GUINT_TO_POINTER('M'));
    return glyph;
}

static guint width_of(gunichar c, WidthStyle style)
{
    const WidthStyle styles[] = { style, UPRIGHT, FALLBACK };
    for (guint i = 0; i < G_N_ELEMENTS(styles); i++) {
        const guint found = GPOINTER_TO_UINT(
            g_hash_table_lookup(widths_by_character[styles[i]], GUINT_TO_POINTER(c)));
        if (found != 0)
            return found - 1;
    }
    return g_unichar_iszerowidth(c) ? 0 : 2048;
}

double tg_times_width(const char *text, gboolean slanted, gboolean bold)
{
    const WidthStyle style = bold      ? slanted ? BOLD_SLANTED : WIDTH_BOLD
                             : slanted ? SLANTED
                                       : UPRIGHT;
    guint sum = 0;

    pthread_once(&tables_once, make_tables);
    for (const char *p = text; *p != '\0'; p = g_utf8_next_char(p)) {
        const gunichar c = g_utf8_get_char(p);
        sum += c == 0xA0 || c == ' ' ? 512 : width_of(c, style);
    }
    return sum / 2048.0;
}

gboolean tg_katex_is_invisible(gunichar c)
{
    return g_unichar_isspace(c) || (c >= 0x200A && c <= 0x200D) || c == 0x2060 || c == 0xFEFF;
}
