/* The tokens that FORTE compares: canonical names, marks of structure, and their source spans. */
#pragma once

#include <glib.h>

/** The kind of a token; the specification writes it as the letter in the comment. */
typedef enum {
    TG_FORTE_DIGIT,       /**< D */
    TG_FORTE_LATIN,       /**< L: one Latin (or other non-Greek) letter */
    TG_FORTE_GREEK,       /**< G */
    TG_FORTE_DELIMITER,   /**< X */
    TG_FORTE_OPERATOR,    /**< O: binary operators */
    TG_FORTE_RELATION,    /**< R */
    TG_FORTE_BIG,         /**< B: sums and integrals */
    TG_FORTE_PUNCTUATION, /**< P */
    TG_FORTE_PRIME,       /**< Q */
    TG_FORTE_DOTS,        /**< Z */
    TG_FORTE_SYMBOL,      /**< N: any other symbol */
    TG_FORTE_ACCENT,      /**< A, behind its body */
    TG_FORTE_OPEN,        /**< F: FRAC and SQRT */
    TG_FORTE_SCRIPT,      /**< S: _( and ^( */
    TG_FORTE_GRID,        /**< M: MAT */
    TG_FORTE_ROW,         /**< V */
    TG_FORTE_END,         /**< E: ) of a script, and the marks den, end, idx, acc */
    TG_FORTE_CELL,        /**< C */
    TG_N_FORTE_KINDS,
} TgForteKind;

/** The letters of the kinds, in their order. */
#define TG_FORTE_KIND_LETTERS "DLGXORBPQZNAFSMVEC"

typedef enum {
    TG_FORTE_PLAIN,
    TG_FORTE_BOLD,
    TG_FORTE_BLACKBOARD,
    TG_FORTE_CALLIGRAPHIC, /**< \mathcal and \mathscr */
    TG_FORTE_FRAKTUR,
    TG_FORTE_SANS,
    TG_FORTE_TYPEWRITER,
    TG_N_FORTE_FONTS,
} TgForteFont;

/** Names as the reference data write them: "", b, bb, cal, fr, and sf, tt; static. */
const char *tg_forte_font_name(TgForteFont font);

/**
 * A name: a character is its code point; names of more than one character that the tables know
 * begin at TG_FORTE_NAMES, those met in a formula only at TG_FORTE_STRANGERS.
 */
typedef guint32 TgForteName;

#define TG_FORTE_NAMES     0x200000u
#define TG_FORTE_STRANGERS 0x400000u

/** The blank between two words of text, a name: U+2423, the sign for it. */
#define TG_FORTE_BLANK 0x2423u

/** The marks, the first names of every table in this order. */
typedef enum {
    TG_FORTE_FRAC = TG_FORTE_NAMES,
    TG_FORTE_SQRT,
    TG_FORTE_SUB,
    TG_FORTE_SUP,
    TG_FORTE_CLOSE, /**< of a script; another one than the delimiter ) */
    TG_FORTE_DEN,
    TG_FORTE_FINISH, /**< `|end|` of a fraction, root or grid */
    TG_FORTE_IDX,
    TG_FORTE_ACC,
    TG_FORTE_MAT,
    TG_FORTE_NEXT_ROW,
    TG_FORTE_NEXT_CELL,
    TG_FORTE_MARKS_END,
} TgForteMark;

typedef struct {
    TgForteName name;
    guint8 kind;    /**< TgForteKind */
    guint8 font;    /**< TgForteFont */
    guint8 upright; /**< 1 for letters of \mathrm, text and function names */
    guint32 start;  /**< source span in bytes; of a mark, that of its construct */
    guint32 end;
} TgForteToken;

/** The longest equation number that is compared, in tokens. */
#define TG_FORTE_TAG_MAX 12

/** What was read beside the tokens. */
typedef struct {
    guint repairs;     /**< faults of the source that were mended */
    gboolean has_text; /**< some tokens are characters of text */
    guint8 n_tag;
    TgForteToken tag[TG_FORTE_TAG_MAX]; /**< of the first \tag */
} TgForteReading;
