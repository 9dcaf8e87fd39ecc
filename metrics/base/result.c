/* The result of a metric for one pair: values, statistics, status, detail. */
#include "metrics/base/base.h"

#include <math.h>

#include "core/number.h"

void tg_result_reset(TgResult *result)
{
    for (guint i = 0; i < result->n_columns; i++)
        result->values[i] = NAN;
    result->headline = result->rank = NAN;
    result->has_stats = FALSE;
    result->is_broken = FALSE;
    g_clear_pointer(&result->status, g_free);
    g_clear_pointer(&result->note, g_free);
    g_clear_pointer(&result->detail, g_variant_unref);
}

void tg_result_free(TgResult *result)
{
    if (result == NULL)
        return;
    tg_result_reset(result);
    g_free(result->values);
    g_free(result);
}

void tg_result_set(TgResult *result, guint column, double value)
{
    if (column < result->n_columns && isfinite(value))
        result->values[column] = tg_number_round(value);
    else
        result->is_broken = TRUE;
    if (column == 0)
        result->headline = value;
}

void tg_result_set_rank(TgResult *result, double rank)
{
    result->rank = rank;
}

double tg_result_get(const TgResult *result, guint column)
{
    g_return_val_if_fail(column < result->n_columns, NAN);
    return result->values[column];
}

void tg_result_set_stats(TgResult *result, const double *stats)
{
    double *own = result->values + result->n_columns;

    for (guint i = 0; i < result->n_stats; i++) {
        result->is_broken = result->is_broken || !isfinite(stats[i]);
        own[i] = tg_number_round(stats[i]);
    }
    result->has_stats = TRUE;
}

const double *tg_result_stats(const TgResult *result, guint *n)
{
    *n = result->has_stats ? result->n_stats : 0;
    return result->has_stats ? result->values + result->n_columns : NULL;
}

void tg_result_set_status(TgResult *result, const char *status)
{
    g_free(result->status);
    result->status = g_strdup(status);
}

void tg_result_set_blank(TgResult *result, const char *trouble)
{
    g_free(result->status);
    result->status =
        trouble != NULL ? g_strconcat("pred-unrenderable: ", trouble, NULL) : g_strdup("empty");
}

void tg_result_set_note(TgResult *result, const char *note)
{
    g_free(result->note);
    result->note = g_strdup(note);
}

const char *tg_result_status(const TgResult *result)
{
    return result->status != NULL ? result->status : "ok";
}

gboolean tg_result_wants_detail(const TgResult *result)
{
    return result->wants_detail;
}

void tg_result_take_detail(TgResult *result, GVariant *detail)
{
    g_clear_pointer(&result->detail, g_variant_unref);
    result->detail = g_variant_ref_sink(detail);
}
