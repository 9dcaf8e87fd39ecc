/* CDM after a formula is drawn: matching, the position check, the score, and how to explain it. */
#pragma once

#include "metrics/cdm/draw/draw.h"
#include "metrics/cdm/matched.h"

/* ---- the position check ---- */

__extension__ typedef unsigned __int128 TgUint128;

/** The random numbers of numpy's default generator, for samples equal to the official ones: PCG64
 * (XSL-RR 128/64) with the second half of its last output kept for the next request. */
typedef struct {
    TgUint128 state, increment;
    guint32 kept;
    gboolean has_kept;
} TgPcg64;

/** The generator as numpy.random.default_rng(@seed) makes it; the seeds of the official programs,
 * 42 and 2026, are known. */
void tg_pcg64_init(TgPcg64 *random, guint seed);

/** The most numbers that tg_pcg64_choose() draws at once. */
#define TG_PCG64_MAX_CHOSEN 3

/** @count different numbers below @n (at least @count, at most 10,000), as Generator.choice(n,
 * count, replace=False). */
void tg_pcg64_choose(TgPcg64 *random, guint32 n, guint count, guint32 *chosen);

/** A point in pixels. */
typedef struct {
    double x, y;
} TgCdmPoint;

/**
 * Find the pairs that lie as on one drawing moved and scaled, or on several pieces of it: each
 * round fits a translation and a scale to the pairs left over by those before, and accepts what it
 * maps to within the tolerance. Up to a sample's size there is nothing to compare, and all are
 * accepted.
 *
 * @ref, @hyp: @n centers each, in pixels of their own picture
 * @accepted: (out) @n flags
 *
 * Source: UniMERNet/cdm at commit 5a2c80d, with skimage.measure.ransac 0.19.3 and numpy 1.24.2;
 * OmniDocBench at commit c3e100b3; Fischler and Bolles (1981), CACM 24(6).
 */
void tg_cdm_check_positions(const TgCdmPoint *ref, const TgCdmPoint *hyp, guint n,
                            const TgCdmRansacRules *rules, gboolean *accepted);

/* ---- the score ---- */

/* Costs of differences. The paper names the three terms; the program has the numbers. */
#define TG_CDM_COST_OTHER_TOKEN 1.0  /**< different symbols */
#define TG_CDM_COST_POSITION    0.05 /**< weight of the position term */
#define TG_CDM_COST_ORDER       0.15 /**< weight of the order term */

/** One element of either side, assigned to each other, and what that cost. */
typedef struct {
    guint ref, hyp;  /**< indices into the inked elements of the two formulas */
    double token;    /**< 0, the dialect's cost of another name, or TG_CDM_COST_OTHER_TOKEN */
    double position; /**< mean difference of the box coordinates over the picture's size, 0..1 */
    double order;    /**< difference of the indices over the list's length, 0..1 */
    const char *verdict; /**< TG_MATCHED_ACCEPTED, TG_MATCHED_MISPLACED by the position check, or
                              TG_MATCHED_OTHER_TOKEN in its place */
} TgCdmMatch;

/** A score as the official program rounds it. */
typedef struct {
    double f1, precision, recall; /**< in [0, 1], three decimals; 0 where a side has no element */
} TgCdmScore;

/**
 * Assign the inked elements of @ref and @hyp to each other at the least total cost, where a pair
 * costs token + 0.05 position + 0.15 order; elements of the longer side that are left over have no
 * partner. Check positions, then tokens, and count what is left.
 *
 * @matches: (out) room for MIN(ref->n_inked, hyp->n_inked) pairs, which come in the
 *   order of @ref
 *
 * Source: CDM (arXiv:2409.03643), section 4.2; UniMERNet/cdm at commit 5a2c80d.
 */
TgCdmScore tg_cdm_score(const TgCdmFormula *ref, const TgCdmFormula *hyp,
                        const TgCdmDialect *dialect, TgCdmMatch *matches);

/** @value with three decimals as Python's round() gives them: exact ties go to the even digit. */
double tg_cdm_round(double value);

/* ---- explanation ---- */

/**
 * The bytes of a formula that each of its elements comes from. A token that the normalizer made of
 * several, or several of one, has all their bytes: each letter of `\sin` has the whole command.
 *
 * @latex: what was drawn, traced to the user's string; it is normalized
 * @dialect: the one that it was normalized in
 * @elements: of its normalized source
 * @spans: (out) as many as elements; none where it is not known: in a table, in a formula of more
 *   than 20,000 bytes
 */
void tg_cdm_find_spans(TgCdmText *latex, const TgCdmDialect *dialect, const TgCdmElements *elements,
                       TgCdmRange *spans);
