/* Differences between the programs that are called CDM: one constant struct for each. */
#pragma once

#include <glib.h>

/** How the strings of a pair are cleaned before they are normalized. */
typedef enum {
    TG_CDM_CLEAN_NOTHING,
    TG_CDM_CLEAN_DOLLARS,  /**< outer dollar signs; a code fence around the prediction */
    TG_CDM_CLEAN_VARIANTS, /**< also tags and delimiters; the better of two spellings counts */
} TgCdmCleaning;

/** The year of the program whose commands and synonyms the textual rules and the element walk
 * know. */
typedef enum {
    TG_CDM_VOCABULARY_2025, /**< UniMERNet since 2025-06-16 */
    TG_CDM_VOCABULARY_2024, /**< before that */
} TgCdmVocabulary;

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
    gboolean is_tolerant; /**< LaTeX is read by pylatexenc; else by an old KaTeX */
    TgCdmVocabulary vocabulary;
    double dpi;
    gboolean grows_paper; /**< a formula that is too large for its page is set on larger paper, up
                             to A1, of which all pages count; else nothing of it is found */
    gboolean smooths;     /**< a letter has the pixels with one of 4 x 4 samples inside; else those
                               with their center inside */
    double same_symbol_cost; /**< of two names of one symbol */
    gboolean has_own_order;  /**< in the order term, indices are divided by the length of their own
                                  list; else by that of the longer one */
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
