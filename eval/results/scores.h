/* The numbers that all metrics of a run give for one pair. */
#pragma once

#include <texgauge/registry.h>

/** The metrics of a run, and where each one's numbers stand; constant, shared by all threads. */
typedef struct {
    gatomicrefcount n_owners;
    GPtrArray *metrics;  /* of TgMetric, owned */
    guint *first_column; /* per metric, and one more for the end */
    guint *first_stat;
    guint n_columns;
    guint n_stats;
} TgSheet;

/** One pair's numbers, laid out by a sheet. */
typedef struct {
    double *columns;     /* NaN: undefined */
    double *stats;       /* meaningful where has_stats */
    gboolean *has_stats; /* per metric */
    char **status;       /* per metric; NULL: ok */
    char **note;         /* per metric; may be NULL */
    GVariant **detail;   /* per metric; may be NULL */
} TgScores;

/** Takes the array over. (transfer full) */
TgSheet *tg_sheet_new(GPtrArray *metrics);
TgSheet *tg_sheet_ref(TgSheet *sheet);
void tg_sheet_unref(TgSheet *sheet);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgSheet, tg_sheet_unref)

const TgMetric *tg_sheet_metric(const TgSheet *sheet, guint metric);
const TgColumn *tg_sheet_column(const TgSheet *sheet, guint column);
const char *tg_sheet_column_name(const TgSheet *sheet, guint column);

/** Whether @column is a metric's first one. */
gboolean tg_sheet_is_headline(const TgSheet *sheet, guint column);

/** The index of the column called @name, or -1. */
gint tg_sheet_find_column(const TgSheet *sheet, const char *name);

void tg_scores_init(TgScores *scores, const TgSheet *sheet);
void tg_scores_reset(TgScores *scores, const TgSheet *sheet);
void tg_scores_clear(TgScores *scores, const TgSheet *sheet);

/** Take over what @result says for metric number @metric. */
void tg_scores_take(TgScores *scores, const TgSheet *sheet, guint metric, const TgResult *result);

/** Give metric @metric of this pair a status of its own, instead of any it has. Copied. */
void tg_scores_set_status(TgScores *scores, guint metric, const char *status);
