/* What a run comes to: values per model and subset, and how they are shown. */
#pragma once

#include <texgauge/registry.h>
#include <texgauge/types.h>

G_BEGIN_DECLS

/**
 * Pooled values per model and subset: micro over all pairs of a model, per subset, and macro, the
 * plain mean over its subsets. The order in which pairs were added does not matter.
 */
typedef struct TgSummary TgSummary;

TG_API void tg_summary_free(TgSummary *summary);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgSummary, tg_summary_free)

/** How a summary is written. */
typedef enum {
    TG_SUMMARY_TABLE, /**< aligned text for people */
    TG_SUMMARY_JSON,
    TG_SUMMARY_CSV,
    TG_SUMMARY_MARKDOWN,
    TG_SUMMARY_LATEX, /**< booktabs */
} TgSummaryStyle;

/** Details of the writing; zero it for the defaults. */
typedef struct {
    TgSummaryStyle style;
    gboolean percent; /**< columns that end at 1 are shown from 0 to 100 */
    gint digits;      /**< decimals in tables; 0: four, two with percent */
    gboolean all;     /**< in tables every column, not the headline ones alone */
} TgSummaryFormat;

/** The style called "table", "json", "csv", "md" or "latex"; TG_ERROR_USAGE for any other. */
TG_API gboolean tg_summary_style_parse(const char *name, TgSummaryStyle *out, GError **error);

/** The summary as UTF-8 text that ends in a newline. (transfer full) */
TG_API char *tg_summary_format(const TgSummary *summary, const TgSummaryFormat *format);

/** How many pairs were added. */
TG_API guint64 tg_summary_n_pairs(const TgSummary *summary);

/**
 * The pooled value of a column.
 *
 * @model: NULL for pairs without a model
 * @subset: NULL for all pairs of the model
 * @column: full name, as "bleu" or "rouge.l"
 *
 * Returns: the value, or NaN where it is undefined or there is no such group or column
 */
TG_API double tg_summary_get(const TgSummary *summary, const char *model, const char *subset,
                             const char *column);

G_END_DECLS
