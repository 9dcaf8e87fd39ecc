/* Fonts: metrics as TeX has them, outlines, encodings, and the set of all fonts. */
#pragma once

#include <texgauge/render.h>

/* ---- Metrics --------------------------------------------------------------------------------- */

/**
 * Lengths in this folder are TeX's scaled points: 65,536 sp = 1 pt = 1/72.27 inch. 64 bits never
 * overflow, even for the longest formulas, and give the same results wherever TeX does not
 * overflow.
 */
typedef gint64 TgScaled;

#define TG_SP_PER_PT 65536

/** Points, an integer or decimal constant, in sp. */
#define TG_PT(x) ((TgScaled) ((x) *TG_SP_PER_PT + 0.5))

typedef enum {
    TG_CHAR_PLAIN,
    TG_CHAR_LIGATURES,  /**< @rest: start of its lig/kern program */
    TG_CHAR_NEXT,       /**< @rest: the next larger character */
    TG_CHAR_EXTENSIBLE, /**< @rest: its recipe */
    TG_CHAR_ABSENT,     /**< the font has no such character */
} TgCharTag;

typedef struct {
    TgScaled width, height, depth, italic;
    TgScaled skew; /**< how far an accent over it moves: its kern with the font's \skewchar */
    guint8 tag;    /**< TgCharTag */
    guint8 rest;   /**< meaning depends on @tag */
} TgCharMetrics;

/** Pieces of an extensible character; 0 for top, mid, bottom: no such piece. */
typedef struct {
    guint8 top, mid, bottom, repeat;
} TgRecipe;

/** One step of a lig/kern program (The TeXbook, appendix F; TeX §545). */
typedef struct {
    guint8 skip, next, op, rest;
} TgLigKern;

/** Font parameters by their TeX numbers; text fonts have the first 7. */
enum {
    TG_PARAM_SLANT = 1,
    TG_PARAM_SPACE = 2,
    TG_PARAM_STRETCH = 3,
    TG_PARAM_X_HEIGHT = 5,
    TG_PARAM_QUAD = 6,
    TG_PARAM_EXTRA_SPACE = 7,
    /* symbol fonts: sigma 8 to 22 of appendix G */
    TG_PARAM_NUM1 = 8,
    TG_PARAM_NUM2 = 9,
    TG_PARAM_NUM3 = 10,
    TG_PARAM_DENOM1 = 11,
    TG_PARAM_DENOM2 = 12,
    TG_PARAM_SUP1 = 13,
    TG_PARAM_SUP2 = 14,
    TG_PARAM_SUP3 = 15,
    TG_PARAM_SUB1 = 16,
    TG_PARAM_SUB2 = 17,
    TG_PARAM_SUP_DROP = 18,
    TG_PARAM_SUB_DROP = 19,
    TG_PARAM_DELIM1 = 20,
    TG_PARAM_DELIM2 = 21,
    TG_PARAM_AXIS_HEIGHT = 22,
    /* extension fonts: xi 8 to 13 */
    TG_PARAM_RULE_THICKNESS = 8,
    TG_PARAM_BIG_OP_1 = 9,
    TG_PARAM_BIG_OP_2 = 10,
    TG_PARAM_BIG_OP_3 = 11,
    TG_PARAM_BIG_OP_4 = 12,
    TG_PARAM_BIG_OP_5 = 13,
    TG_N_PARAMS = 32
};

/** Immutable once made; any thread may read it. Every index in it has been checked. */
typedef struct {
    TgScaled size;
    TgCharMetrics chars[256];
    TgScaled params[TG_N_PARAMS]; /**< by number; 0 for parameters that the font lacks */
    TgLigKern *program;
    guint n_program;
    TgScaled *kerns;
    guint n_kerns;
    TgRecipe *recipes;
    guint n_recipes;
} TgMetrics;

/**
 * Scale one fix_word, a multiple of 2^-20 of the font's size, exactly as TeX does (§572).
 *
 * @fix_word: in [-2^24, 2^24), that is, at most 16 times the size in magnitude
 * @size: in [1, 2^27), below 2,048 pt
 */
TgScaled tg_metrics_scale(gint32 fix_word, TgScaled size);

/** The ligature or kern between two neighbors. */
typedef struct {
    TgScaled kern; /**< 0: none */
    gint ligature; /**< the character that replaces both, or -1; those that keep one do not count */
} TgCharPair;

/** Run the lig/kern program of @left up to @right. */
TgCharPair tg_metrics_pair(const TgMetrics *metrics, guint8 left, guint8 right);

void tg_metrics_free(TgMetrics *metrics);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgMetrics, tg_metrics_free)

/**
 * Read a font's metrics at a size.
 *
 * @data: the whole file, @len bytes; may be anything
 * @size: in sp, in [1, 2^27)
 *
 * Returns: (transfer full) the metrics, or NULL with @error set to TG_ERROR_FONT: no TFM file, or
 * one whose parts contradict each other. Missing characters and parameters are no error.
 *
 * Threads: any. Source: TeX §§539-575, format of TFM files.
 */
TgMetrics *tg_tfm_read(const guint8 *data, gsize len, TgScaled size, GError **error);

/* ---- Outlines -------------------------------------------------------------------------------- */

typedef enum { TG_PATH_MOVE, TG_PATH_LINE, TG_PATH_CURVE, TG_PATH_CLOSE } TgPathOp;

/**
 * The pixels that a glyph touches at one size and resolution, measured if they do not follow from
 * the outline: columns and rows from its reference point, y downwards, both ends included.
 */
typedef struct {
    guint8 slot, size_pt; /**< size 0 ends a table */
    guint16 dpi;
    gint16 x0, x1, y0, y1;
} TgGlyphPixels;

/** A font file; outlines are read once, when first needed. */
typedef struct TgFace TgFace;

/** A glyph's outline in units of its font size, y upwards; immutable. */
typedef struct {
    guint n_ops;
    guint8 *ops;    /**< TgPathOp; MOVE and LINE take one point, CURVE (a cubic) three */
    double *points; /**< x, y in turn */
    double x_min, y_min, x_max, y_max; /**< of the ink, exactly; all 0 when it has none */
    double advance;
    const TgGlyphPixels *measured; /**< the first row of its slot in a table; NULL: none */
} TgOutline;

/**
 * A face of a TeX font. The file is opened with the first outline.
 *
 * @metrics_name: name of the TeX font, "rm-lmr12", "msbm10": decides file and encoding
 * @measured: its table of pixels, ordered by slot; static; NULL: none
 */
TgFace *tg_face_new(const char *metrics_name, const TgGlyphPixels *measured);

/** A face of any font file, whose slots are Unicode code points. */
TgFace *tg_face_new_from_file(const char *path, gint index);

void tg_face_free(TgFace *face);

/** The pixels that ghostscript touches for a glyph of Computer Modern at a size and resolution, or
 * NULL where they follow from its outline. */
const TgGlyphPixels *tg_outline_measured(const TgOutline *outline, double size_pt, guint dpi);

/**
 * The outline of a slot: a TeX character code, or a code point for a face made from a file.
 *
 * Returns: (transfer none) valid as long as the face; empty when the font lacks the glyph; NULL
 * with @error set to TG_ERROR_FONT when the file is missing or broken.
 *
 * Threads: any at once.
 */
const TgOutline *tg_face_outline(TgFace *face, guint32 slot, GError **error);

/* ---- Fonts at a size ------------------------------------------------------------------------- */

/** A font family and shape; together with a size it names one font, as in LaTeX's NFSS. */
typedef enum {
    TG_FONT_ROMAN,
    TG_FONT_ROMAN_ITALIC,
    TG_FONT_ROMAN_SLANTED,
    TG_FONT_ROMAN_CAPS,
    TG_FONT_BOLD,
    TG_FONT_BOLD_ITALIC,
    TG_FONT_BOLD_SLANTED,
    TG_FONT_SANS,
    TG_FONT_SANS_SLANTED,
    TG_FONT_SANS_BOLD,
    TG_FONT_SANS_BOLD_SLANTED,
    TG_FONT_MONO,
    TG_FONT_MONO_ITALIC,
    TG_FONT_MONO_SLANTED,
    TG_FONT_MONO_BOLD,
    TG_FONT_LETTERS, /**< math italic */
    TG_FONT_LETTERS_BOLD,
    TG_FONT_SYMBOLS,
    TG_FONT_SYMBOLS_BOLD,
    TG_FONT_LARGE, /**< the extension font */
    TG_FONT_AMS_A,
    TG_FONT_AMS_B,
    TG_FONT_FRAKTUR,
    TG_FONT_FRAKTUR_BOLD,
    TG_FONT_SCRIPT,
    TG_FONT_EULER, /**< upright Greek */
    TG_FONT_EULER_BOLD,
    TG_FONT_STMARY,
    TG_FONT_COMPANION, /**< symbols of text: copyright, degree */
    TG_N_FONTS
} TgFontId;

/** A font at a size. Belongs to its font set; immutable. */
typedef struct {
    const char *name; /**< name of its metrics, "rm-lmr12" */
    TgScaled size;
    const TgMetrics *metrics;
    TgFace *face; /**< its outlines */
} TgFont;

/**
 * The font @id at @size, which chooses among design sizes as LaTeX does.
 *
 * Returns: (transfer none) valid as long as the set, or NULL with @error set to TG_ERROR_FONT.
 */
const TgFont *tg_fonts_get(TgFonts *set, TgFontId id, TgScaled size, GError **error);

/**
 * A face for characters that no TeX font has (Chinese, Cyrillic, emoji), found by fontconfig.
 *
 * Returns: (transfer none) a face that has @code, or NULL when no installed font has it.
 */
TgFace *tg_fonts_fallback(TgFonts *set, gunichar code);

/**
 * Make layout with @set choose sizes and places as it would with Computer Modern: letters have the
 * same widths, but other heights, which now and then decides the size of a parenthesis or
 * root, and big operators in scripts have designs of their own. Outlines stay as they are.
 *
 * @set: fresh, not yet shared
 *
 * Returns: FALSE with @error set to TG_ERROR_FONT
 */
gboolean tg_fonts_imitate_computer_modern(TgFonts *set, GError **error);

/* ---- Characters of text: OT1, as Latin Modern extends it ------------------------------------- */

/** The stroke of the Polish letters L and l, which kerns put over the letter. */
#define TG_TEXT_STROKE_SLOT 0x20

/** The slot of @code in a text font, or -1. @mono: in a typewriter font, which has all characters
 * of ASCII. */
gint tg_text_slot(gunichar code, gboolean mono);

/** The slot of a character in an encoding; code 0 ends a table. */
typedef struct {
    guint16 code;
    guint8 slot;
} TgTextSlot;

/** The symbol font, which LaTeX uses for some characters of text; the companion font (TS1), which
 * has copyright, degree and so on; combining marks as accents of text fonts. */
extern const TgTextSlot tg_symbol_slots[], tg_companion_slots[], tg_accent_slots[];

/** The slot of @code in one of these tables, or -1. */
gint tg_text_slot_in(const TgTextSlot *table, gunichar code);

/* ---- Files ----------------------------------------------------------------------------------- */

/**
 * The path of a font file, or NULL with @error set to TG_ERROR_FONT, naming the package.
 *
 * @name: file name without folder, "lmr12.pfb"
 */
char *tg_font_find_file(const char *name, GError **error);

/** One file of each family that formulas are drawn with, NULL last. */
extern const char *const tg_font_families[];

/**
 * The digest that tells one set of fonts from another: the first 12 hexadecimal digits of the
 * sha256 over the files of all families. Computed once. Static.
 */
const char *tg_fonts_hash(void);
