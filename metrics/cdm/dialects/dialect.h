/* Differences between the programs that are called CDM: one constant struct for each. */
#pragma once

#include <glib.h>

/** How the strings of a pair are cleaned before they are normalized. */
typedef enum {
    TG_CDM_CLEAN_NOTHING,
    TG_CDM_CLEAN_DOLLARS,  /**< outer dollar signs; a code fence around the prediction */
    TG_CDM_CLEAN_VARIANTS, /**< also tags and delimiters; the better of two spellings counts */
} TgCdmCleaning;

/** The normalizer that turns LaTeX into tokens. */
typedef enum {
    TG_CDM_NORMALIZER_KATEX,       /**< an old KaTeX, metrics/cdm/normalize/ */
    TG_CDM_NORMALIZER_LATEXWALKER, /**< pylatexenc */
} TgCdmNormalizer;

/** The year of the program whose commands and synonyms the textual rules and the element walk
 * know. */
typedef enum {
    TG_CDM_VOCABULARY_2025, /**< UniMERNet since 2025-06-16 */
    TG_CDM_VOCABULARY_2024, /**< before that */
} TgCdmVocabulary;

/** How a formula is scored that is too large for its page. */
typedef enum {
    TG_CDM_PAGES_ONE,  /**< a second page, and nothing is found */
    TG_CDM_PAGES_LAST, /**< the last page is looked at, which is empty */
    TG_CDM_PAGES_GROW, /**< larger paper is tried, up to A1; then all pages are stacked */
} TgCdmPages;

/** The rule for the pixels of a letter. */
typedef enum {
    TG_CDM_PIXELS_SMOOTH,  /**< those with one of 4 x 4 samples inside */
    TG_CDM_PIXELS_CENTERS, /**< those with their center inside */
} TgCdmPixels;

/** By what the index of an element in its list is divided in the order term. */
typedef enum {
    TG_CDM_ORDER_LONGER, /**< the length of the longer list */
    TG_CDM_ORDER_OWN,    /**< that of its own list */
} TgCdmOrder;

/** The position check: RANSAC over translation and scale, in rounds. */
typedef struct {
    guint seed;            /**< of numpy's default_rng(): 42 or 2026 */
    guint n_trials;        /**< in each round */
    guint n_sample;        /**< pairs in a sample, 2 or 3; so many pairs have nothing to be compared
                                with */
    guint max_rounds;      /**< groups that are accepted one after the other */
    double tolerance_px;   /**< accepted pairs are nearer than this to where the model puts them */
    gboolean sums_inliers; /**< of equally many, the trial with the smaller sum of the accepted
                                pairs' errors is better; else that of all squared errors */
} TgCdmRansacRules;

/** A program. */
typedef struct {
    const char *name; /**< as the option `dialect` has it */
    TgCdmCleaning cleaning;
    TgCdmNormalizer normalizer;
    TgCdmVocabulary vocabulary;
    double dpi;
    TgCdmPages pages;
    TgCdmPixels pixels;
    double same_symbol_cost; /**< of two names of one symbol */
    TgCdmOrder order;
    TgCdmRansacRules ransac;
    gboolean counts_blank_refs; /**< a pair whose reference has no ink scores 0; else it has none */
} TgCdmDialect;

/** In the order of tg_cdm_dialects. */
typedef enum {
    TG_CDM_UNIMERNET,
    TG_CDM_OMNIDOCBENCH_15,
    TG_CDM_OMNIDOCBENCH_16,
    TG_CDM_N_DIALECTS,
} TgCdmDialectId;

/** Constants for the life of the program; any thread may read them. */
extern const TgCdmDialect tg_cdm_dialects[TG_CDM_N_DIALECTS];

static inline const TgCdmDialect *tg_cdm_dialect(TgCdmDialectId id)
{
    return &tg_cdm_dialects[id];
}
