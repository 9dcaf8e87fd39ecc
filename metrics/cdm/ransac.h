/* Which matched elements stand where they should: the official position check. */
#pragma once

#include <glib.h>

#include "metrics/cdm/dialects/dialect.h"

/** A point in pixels. */
typedef struct {
    double x, y;
} TgCdmPoint;

/** Where the two-point samples come from. */
typedef enum {
    TG_CDM_RANSAC_OFFICIAL,   /**< random ones, the very ones that the official program draws */
    TG_CDM_RANSAC_EXHAUSTIVE, /**< all of them, so no seed and no order matters */
} TgCdmRansac;

/** Exhaustive search, of two points each, looks at no more samples than this: every k-th one beyond
 * it. */
#define TG_CDM_MAX_SAMPLES 8192

/**
 * Find the pairs that lie as on one drawing moved and scaled, or on several pieces of it: each
 * round fits a translation and a scale to the pairs left over by those before, and accepts what it
 * maps to within the tolerance. Up to a sample's size there is nothing to compare, and all are
 * accepted.
 *
 * @ref, @hyp: @n centres each, in pixels of their own picture
 * @accepted: (out) @n flags
 *
 * Source: UniMERNet/cdm at commit 5a2c80d, with skimage.measure.ransac 0.19.3 and numpy 1.24.2;
 * OmniDocBench at commit c3e100b3; Fischler and Bolles (1981), CACM 24(6).
 */
void tg_cdm_check_positions(const TgCdmPoint *ref, const TgCdmPoint *hyp, guint n,
                            const TgCdmRansacRules *rules, TgCdmRansac method, gboolean *accepted);
