/* Over what the value of a model is the mean: over all its pairs, or over pages or subsets, as
 * leaderboards have it. */
#pragma once

#include <jansson.h>
#include <texgauge/types.h>

/** Over what is averaged. */
typedef enum {
    TG_MEAN_PAIRS,   /**< pairs are pooled together */
    TG_MEAN_PAGES,   /**< pairs are pooled by page, and the pages' values averaged */
    TG_MEAN_SUBSETS, /**< likewise by subset */
} TgMeanOver;

/** A mean, and what names a pair's page or subset. Zero: over pairs. */
typedef struct {
    TgMeanOver over;
    char *field; /**< a stored field; NULL: what tg_mean_group() says */
} TgMean;

/**
 * Read "pairs", "pages", "subsets", "pages=FIELD" or "subsets=FIELD"; NULL is "pairs".
 *
 * Returns: FALSE with TG_ERROR_USAGE
 */
gboolean tg_mean_parse(const char *text, TgMean *out, GError **error);
void tg_mean_clear(TgMean *mean);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgMean, tg_mean_clear)

/** Set TG_ERROR_INPUT: no pair names a page or subset as @mean wants it. */
void tg_mean_fail_unnamed(const TgMean *mean, GError **error);

/**
 * The values of an attribute, as a group's name has them: a text, a number, true or false, or a
 * list of these. (transfer full) NULL last; none for null and what is nothing of these.
 */
char **tg_attribute_values(const json_t *value);

/** "pages" or "subsets", and "pairs". */
const char *tg_mean_name(TgMeanOver over);

/**
 * The page or subset that a pair names: the field's value, a text or whole number. Without a field
 * a subset is @subset, and a page the image in an id of OmniDocBench's layout, "IMAGE#BLOCK": what
 * ends in .jpg or .png as it is, else without its last part behind "_" (OmniDocBench, show_result).
 *
 * @stored: the fields kept with the pair; NULL: none
 *
 * Returns: (transfer full) its name, or NULL where the pair names none
 */
char *tg_mean_group(const TgMean *mean, const char *id, const char *subset, const json_t *stored);
