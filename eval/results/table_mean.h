/* The mean over pages or subsets of a table's pairs, as sums that can be resampled. */
#pragma once

#include "eval/results/mean.h"
#include "eval/results/table.h"

/** What a table's values are means over. */
typedef struct {
    TgMean mean;
    guint *group; /**< [n_rows] page or subset of each pair; NULL where the mean is over pairs */
} TgTableMean;

/**
 * Read @text as tg_mean_parse() does and find the page or subset of every pair. Subsets that a
 * field names become those of the table.
 *
 * Returns: FALSE with TG_ERROR_USAGE, or TG_ERROR_INPUT where no pair names one
 */
gboolean tg_table_mean_init(TgTableMean *out, TgTable *table, const char *text, GError **error);
void tg_table_mean_clear(TgTableMean *mean);

/** Pairs or pages, by what each adds to the value of a column; as eval/stats wants it. */
typedef struct {
    TgTablePool column; /**< how pairs are pooled */
    double *rows;       /**< [n][n_stats] */
    guint n;            /**< pairs, or pages where the mean is over these */
    guint n_stats;
    guint n_groups; /**< 0: pairs are pooled together */
    double (*pool)(const double *sum, gpointer self);
} TgTableSample;

/**
 * The pairs @rows of a table as a sample of @column.
 *
 * @named: [n] the rows that say where each pair belongs: @rows themselves, or of paired samples
 *   those of one side, so that both have the same pages
 * @out: (out) what tg_table_sample_clear() frees; must stay where it is, as pool() is given it
 */
void tg_table_sample_init(TgTableSample *out, const TgTableMean *mean, const TgTable *table,
                          const TgTableColumn *column, const guint32 *rows, const guint32 *named,
                          guint n);
void tg_table_sample_clear(TgTableSample *sample);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgTableSample, tg_table_sample_clear)
