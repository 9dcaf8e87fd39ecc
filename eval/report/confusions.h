/* Counts of confusions: which name of a reference meets which one of a hypothesis. */
#pragma once

#include "eval/results/grid.h"

/** Counts of ordered pairs of names. */
typedef struct TgConfusions TgConfusions;

TgConfusions *tg_confusions_new(void);
void tg_confusions_free(TgConfusions *confusions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgConfusions, tg_confusions_free)

/** Count that @ref was predicted as @hyp, of so many bytes each; -1: up to the NUL. */
void tg_confusions_count(TgConfusions *confusions, const char *ref, gssize ref_len, const char *hyp,
                         gssize hyp_len);

/** How many were counted, and how many different ones. */
guint64 tg_confusions_total(const TgConfusions *confusions);
guint tg_confusions_n_kinds(const TgConfusions *confusions);

/**
 * The most frequent ones, @limit at most, by count, then by name: truth, prediction, times,
 * share of all. (transfer full)
 */
TgGrid *tg_confusions_grid(TgConfusions *confusions, const char *title, guint limit);
