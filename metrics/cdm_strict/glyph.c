/* A sign is the font and slot that it is drawn from, so synonyms need no table. */
#include <string.h>

#include "metrics/cdm_strict/strict.h"

/* Signs that are no Unicode character (code points end at 0x10FFFF) have a number space each. */
enum {
    SPACE_SLOT = 0x200000,      /* plus family * 256 + slot */
    SPACE_ACCENT = 0x300000,    /* plus the combining character */
    SPACE_CONSTRUCT = 0x600000, /* plus a TgStrictConstruct */
    SPACE_SYMBOL = 0x700000,    /* plus the row in the table of symbols */
    SPACE_RULE = 0x1000000,     /* plus half points of width and height */
};

static guint32 slot_sign(const TgSymbol *symbol)
{
    return SPACE_SLOT + 256u * symbol->family + symbol->slot;
}

static guint32 command_sign(const char *name)
{
    return slot_sign(tg_symbol_find(name, strlen(name)));
}

/* ---- Negations ----------------------------------------------------------------------------- */

/* Symbols that are another one with a stroke through it. */
static const struct {
    const char *name, *plain;
} negations[] = {
#include "negations.inc"
};

/* The symbol below the stroke, or NULL: it has none. */
static const TgSymbol *without_stroke(const TgSymbol *symbol)
{
    if (symbol->name[0] != 'n')
        return NULL;
    for (guint i = 0; i < G_N_ELEMENTS(negations); i++) {
        if (strcmp(negations[i].name, symbol->name) == 0)
            return negations[i].plain[1] == '\0'
                       ? tg_symbol_find_char((guchar) negations[i].plain[0])
                       : tg_symbol_find(negations[i].plain, strlen(negations[i].plain));
    }
    return NULL;
}

/* ---- Symbols ------------------------------------------------------------------------------- */

/* The sign of a symbol; composites that stand for one character are that character. */
static guint32 symbol_sign(const TgSymbol *symbol)
{
    const TgSymbol *character;
    guint n;

    if (symbol->kind == TG_SYMBOL_CHAR)
        return slot_sign(symbol);
    switch (symbol->codepoint) {
    case 0:
        return SPACE_SYMBOL + (guint32) (symbol - tg_symbol_list(&n));
    case 0x2026:
        return SPACE_CONSTRUCT + TG_STRICT_ELLIPSIS;
    case 0x22EF:
        return SPACE_CONSTRUCT + TG_STRICT_CENTERED_ELLIPSIS;
    default:
        character = tg_symbol_find_char(symbol->codepoint);
        return character != NULL && character->kind == TG_SYMBOL_CHAR ? slot_sign(character)
                                                                      : symbol->codepoint;
    }
}

static guint8 face_of(const TgSymbol *symbol, guint8 alphabet)
{
    static const guint8 faces[] = {
        [TG_ALPHABET_NORMAL] = TG_STRICT_ITALIC, [TG_ALPHABET_RM] = TG_STRICT_UPRIGHT,
        [TG_ALPHABET_BF] = TG_STRICT_UPRIGHT,    [TG_ALPHABET_IT] = TG_STRICT_TEXT_ITALIC,
        [TG_ALPHABET_SF] = TG_STRICT_SANS,       [TG_ALPHABET_TT] = TG_STRICT_TYPEWRITER,
        [TG_ALPHABET_CAL] = TG_STRICT_SCRIPT, /* Unicode has one script alphabet for both */
        [TG_ALPHABET_SCR] = TG_STRICT_SCRIPT,    [TG_ALPHABET_BB] = TG_STRICT_BLACKBOARD,
        [TG_ALPHABET_FRAK] = TG_STRICT_FRAKTUR,
    };

    if (alphabet != TG_ALPHABET_DEFAULT)
        return faces[alphabet];
    return symbol->family == TG_MATH_FAMILY_LETTERS ? TG_STRICT_ITALIC : TG_STRICT_UPRIGHT;
}

TgStrictGlyph tg_strict_symbol(const TgNode *node)
{
    const TgSymbol *symbol = node->u.symbol.symbol;
    const gunichar code = node->u.symbol.code;
    TgStrictGlyph glyph = { .bold = node->bold == 1 };

    if (symbol != NULL && code != symbol->codepoint && code != 0) /* the angle of \left< */
        symbol = tg_symbol_find_char(code);
    if (symbol == NULL) {
        glyph.sign = code;
        return glyph;
    }

    const TgSymbol *plain = without_stroke(symbol);
    glyph.negated = plain != NULL;
    glyph.sign = symbol_sign(plain != NULL ? plain : symbol);
    if ((symbol->flags & TG_SYMBOL_ALPHABETIC) != 0) {
        glyph.face = face_of(symbol, node->alphabet);
        glyph.bold |= node->alphabet == TG_ALPHABET_BF;
    }
    return glyph;
}

/* ---- Text ---------------------------------------------------------------------------------- */

/* Characters that text draws as mathematics does. */
static gboolean is_shared(gunichar code)
{
    return g_ascii_isalnum((gchar) MIN(code, 0x7F)) ||
           (code < 0x80 && strchr("()[]{}.,:;!?/+=|<>&%$#", (int) code) != NULL && code != 0);
}

static guint8 text_face(TgTextFont font)
{
    if (font.family == TG_FAMILY_TT)
        return TG_STRICT_TYPEWRITER;
    if (font.family == TG_FAMILY_SF)
        return TG_STRICT_SANS;
    if (font.shape == TG_SHAPE_IT || font.shape == TG_SHAPE_SL)
        return TG_STRICT_TEXT_ITALIC;
    return font.shape == TG_SHAPE_SC ? TG_STRICT_SMALL_CAPS : TG_STRICT_UPRIGHT;
}

TgStrictGlyph tg_strict_char(gunichar code, TgTextFont font, gboolean named)
{
    const char name = (char) code;
    const gboolean bare = !named && font.family != TG_FAMILY_TT;
    const TgSymbol *symbol = NULL;
    TgStrictGlyph glyph = { .sign = code, .bold = font.bold };

    if (bare) /* TeX's roman fonts have inverted ! and ? for < and >, a dash for | */
        code = glyph.sign = code == '<' ? 0xA1 : code == '>' ? 0xBF : code == '|' ? 0x2014 : code;
    if (code < 0x80 && strchr("{}\\%&#$", (int) code) != NULL && code != 0)
        symbol = code == '\\' ? tg_symbol_find("backslash", strlen("backslash"))
                              : tg_symbol_find(&name, 1);
    else if (is_shared(code))
        symbol = tg_symbol_find_char(code);

    if (symbol == NULL)
        return glyph;
    glyph.sign = symbol_sign(symbol);
    if ((symbol->flags & TG_SYMBOL_ALPHABETIC) != 0)
        glyph.face = text_face(font);
    return glyph;
}

/* ---- Others -------------------------------------------------------------------------------- */

TgStrictGlyph tg_strict_accent(gunichar code, gboolean wide)
{
    return (TgStrictGlyph){ .sign = SPACE_ACCENT + code,
                            .face = wide ? TG_STRICT_UPRIGHT : TG_STRICT_PLAIN };
}

TgStrictGlyph tg_strict_rule(double width_pt, double height_pt)
{
    enum { MOST = 0x3FF };
    const guint32 width = (guint32) CLAMP(2 * ABS(width_pt) + 0.5, 0, MOST);
    const guint32 height = (guint32) CLAMP(2 * ABS(height_pt) + 0.5, 0, MOST);

    return (TgStrictGlyph){ .sign = SPACE_RULE + (width << 10 | height) };
}

TgStrictGlyph tg_strict_construct(guint construct)
{
    return (TgStrictGlyph){ .sign = SPACE_CONSTRUCT + construct };
}

gboolean tg_strict_is_construct(TgStrictGlyph glyph)
{
    return glyph.sign >= SPACE_CONSTRUCT && glyph.sign < SPACE_SYMBOL;
}

gboolean tg_strict_join(TgStrictGlyph glyph, guint n, TgStrictGlyph *joined)
{
    if (glyph.negated || glyph.bold)
        return FALSE;
    if (n == 3 && glyph.sign == command_sign("ldotp"))
        *joined = tg_strict_construct(TG_STRICT_ELLIPSIS);
    else if (n == 3 && glyph.sign == command_sign("cdotp"))
        *joined = tg_strict_construct(TG_STRICT_CENTERED_ELLIPSIS);
    else if (n == 2 && glyph.sign == command_sign("vert"))
        joined->sign = command_sign("Vert");
    else
        return FALSE;
    return TRUE;
}

/* ---- Comparison ---------------------------------------------------------------------------- */

/* Letters of these shapes differ in boldness or slant alone; the others are letters of their own.
 */
static gboolean is_ordinary(guint8 face)
{
    enum {
        ORDINARY = 1 << TG_STRICT_PLAIN | 1 << TG_STRICT_UPRIGHT | 1 << TG_STRICT_ITALIC |
                   1 << TG_STRICT_TEXT_ITALIC | 1 << TG_STRICT_SANS | 1 << TG_STRICT_TYPEWRITER
    };

    return (ORDINARY >> face & 1) != 0;
}

guint tg_strict_compare(TgStrictGlyph a, TgStrictGlyph b, gboolean any_style)
{
    if (a.sign != b.sign || a.negated != b.negated || a.moved != b.moved || a.shape != b.shape ||
        a.sign == SPACE_CONSTRUCT + TG_STRICT_ERROR)
        return TG_STRICT_OTHER;
    if (any_style || (a.face == b.face && a.bold == b.bold))
        return TG_STRICT_SAME;
    return a.face == b.face || (is_ordinary(a.face) && is_ordinary(b.face)) ? TG_STRICT_VARIANT
                                                                            : TG_STRICT_OTHER;
}
