/* The numbers that all metrics of a run give for one pair. */
#pragma once

#include <texgauge/registry.h>

/** The metrics of a run and the place of each one's numbers; constant, shared by all threads. */
typedef struct {
    gatomicrefcount n_owners;
    GPtrArray *metrics;  /* of TgMetric, owned */
    guint *first_column; /* per metric, and one more for the end */
    guint *first_stat;
    guint n_columns;
    guint n_stats;
} TgScoreLayout;

/** One pair's numbers, in the places of a layout. */
typedef struct {
    double *columns;     /* NaN: undefined */
    double *stats;       /* meaningful where has_stats */
    gboolean *has_stats; /* per metric */
    char **status;       /* per metric; NULL: ok */
    char **note;         /* per metric; may be NULL */
    GVariant **detail;   /* per metric; may be NULL */
} TgScores;

/** Takes the array over. (transfer full) */
TgScoreLayout *tg_score_layout_new(GPtrArray *metrics);
TgScoreLayout *tg_score_layout_ref(TgScoreLayout *layout);
void tg_score_layout_unref(TgScoreLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgScoreLayout, tg_score_layout_unref)

const TgMetric *tg_score_layout_metric(const TgScoreLayout *layout, guint metric);
const TgColumn *tg_score_layout_column(const TgScoreLayout *layout, guint column);
const char *tg_score_layout_column_name(const TgScoreLayout *layout, guint column);

/** Whether @column is a metric's first one. */
gboolean tg_score_layout_is_headline(const TgScoreLayout *layout, guint column);

/** Whether --percent shows the scores of @column from 0 to 100. */
gboolean tg_score_layout_is_share(const TgScoreLayout *layout, guint column);

/** The index of the column called @name, or -1. */
gint tg_score_layout_find_column(const TgScoreLayout *layout, const char *name);

void tg_scores_init(TgScores *scores, const TgScoreLayout *layout);
void tg_scores_reset(TgScores *scores, const TgScoreLayout *layout);
void tg_scores_clear(TgScores *scores, const TgScoreLayout *layout);

/** Take over what @result says for metric number @metric. */
void tg_scores_take(TgScores *scores, const TgScoreLayout *layout, guint metric,
                    const TgResult *result);

/** Give metric @metric of this pair a status of its own, instead of any it has. Copied. */
void tg_scores_set_status(TgScores *scores, guint metric, const char *status);
