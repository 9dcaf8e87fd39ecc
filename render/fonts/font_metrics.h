/* Metrics of one font at one size, as TeX knows them: boxes of characters, kerns, parameters. */
#pragma once

#include <texgauge/types.h>

G_BEGIN_DECLS

/**
 * Lengths in this folder are TeX's scaled points: 65,536 sp = 1 pt = 1/72.27 inch. With 64 bits
 * sums never overflow, however long a formula; whatever TeX itself can hold comes out the same.
 */
typedef gint64 TgScaled;

#define TG_SP_PER_PT 65536

/** Points, an integer or decimal constant, in sp. */
#define TG_PT(x) ((TgScaled) ((x) *TG_SP_PER_PT + 0.5))

typedef enum {
    TG_CHAR_PLAIN,
    TG_CHAR_LIGATURES,  /**< @rest: where its lig/kern program starts */
    TG_CHAR_NEXT,       /**< @rest: the next larger character */
    TG_CHAR_EXTENSIBLE, /**< @rest: its recipe */
    TG_CHAR_ABSENT,     /**< the font has no such character */
} TgCharTag;

typedef struct {
    TgScaled width, height, depth, italic;
    guint8 tag;  /**< TgCharTag */
    guint8 rest; /**< meaning depends on @tag */
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
    TG_PARAM_SHRINK = 4,
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
    TgScaled params[TG_N_PARAMS]; /**< by number; those that the font lacks are 0 */
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

typedef enum { TG_PAIR_NOTHING, TG_PAIR_KERN, TG_PAIR_LIGATURE } TgCharPairKind;

/** What happens between two neighbours. */
typedef struct {
    TgCharPairKind kind;
    TgScaled kern;    /**< of a KERN */
    guint8 character; /**< of a LIGATURE */
    guint8 op;        /**< of a LIGATURE: 4a + 2b + c as in TeX §545 */
} TgCharPair;

/** Run the lig/kern program of @left up to @right. */
TgCharPair tg_metrics_pair(const TgMetrics *metrics, guint8 left, guint8 right);

void tg_metrics_free(TgMetrics *metrics);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgMetrics, tg_metrics_free)

G_END_DECLS
