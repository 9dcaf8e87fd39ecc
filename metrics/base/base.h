/* Envs and results as those who call metrics see them; what metrics may ask and set is
 * in <texgauge/env.h> and <texgauge/result.h>. */
#pragma once

#include <texgauge/metric.h>

#include "core/arena.h"

/* ---- Envs ------------------------------------------------------------------------------------ */

TgEnv *tg_env_new(void);

/** An env for another thread of the same run: it finds and keeps drawings where @env does. */
TgEnv *tg_env_new_beside(const TgEnv *env);
void tg_env_free(TgEnv *env);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgEnv, tg_env_free)

/**
 * Drop what was made for the pair before: tokens, canonical forms, scratch memory. Called before
 * each pair, not between the metrics of one pair.
 */
void tg_env_next_pair(TgEnv *env);

/**
 * Drop the tokens and canonical forms made so far, of a metric that was cut short. Scratch memory
 * stays: it may hold the pair itself.
 */
void tg_env_forget_texts(TgEnv *env);

/** Set tg_env_reference(). */
void tg_env_set_reference(TgEnv *env, guint reference);

/** The arena behind tg_env_scratch(), reset by tg_env_next_pair(). */
TgArena *tg_env_arena(TgEnv *env);

/* ---- Results --------------------------------------------------------------------------------- */

struct TgResult {
    guint n_columns;
    guint n_stats;
    gboolean has_stats;
    gboolean is_broken; /* something was set that is no finite number, or no column */
    gboolean wants_detail;
    guint reference; /* which one counted, of a metric that sees each reference by itself */
    double headline; /* before it was rounded; NaN: not set */
    double rank;     /* tg_result_set_rank(); likewise */
    char *status;    /* NULL: ok */
    char *note;
    GVariant *detail;
    double *values; /* n_columns values, then n_stats statistics */
};

void tg_result_free(TgResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgResult, tg_result_free)

/** Make @result empty again, to be used for the next pair. */
void tg_result_reset(TgResult *result);

/** The value of column @column, or NaN where it is undefined. */
double tg_result_get(const TgResult *result, guint column);

/** The status of a pair whose prediction shows nothing: "empty", or with the reason, @trouble. */
void tg_result_set_blank(TgResult *result, const char *trouble);

/** The statistics, @n of them (out); NULL where there are none. Borrowed. */
const double *tg_result_stats(const TgResult *result, guint *n);

/** "ok", or why the pair is not; borrowed. */
const char *tg_result_status(const TgResult *result);
