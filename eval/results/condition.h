/* Fields of a results row by name, and conditions on them. */
#pragma once

#include "eval/results/results.h"

/** The value of a field in one row. */
typedef struct {
    gboolean is_known; /**< the row's file has such a field */
    double number;     /**< NaN where undefined or a text */
    const char *text;  /**< borrowed from the row; NULL where it is a number or undefined */
} TgFieldValue;

/**
 * Field @name of a row: a metric's column, a stored field, a group of raters (their mean), `id`,
 * `model`, `subset`, or `status.METRIC`; the first that fits.
 */
TgFieldValue tg_results_field(const TgScoreLayout *layout, const TgResultsRow *row,
                              const char *name);

/** A condition such as `edit<0.5`; constant once made. */
typedef struct TgCondition TgCondition;

/** Read a condition; (transfer full), or NULL with TG_ERROR_USAGE. */
TgCondition *tg_condition_new(const char *text, GError **error);
void tg_condition_free(TgCondition *condition);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCondition, tg_condition_free)

/** The field that it is about. */
const char *tg_condition_field(const TgCondition *condition);

/** Whether @value meets it. */
gboolean tg_condition_holds(const TgCondition *condition, const TgFieldValue *value);
