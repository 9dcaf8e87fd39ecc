/* Ids: the set of those that occurred, as 128-bit hashes, so that memory does not depend on their
 * length; and how those of two sides are compared. */
#pragma once

#include <texgauge/types.h>

/** Freed with g_hash_table_unref(). */
typedef GHashTable TgIdSet;

/** Where an id stands. */
typedef struct {
    guint file; /**< below 2^24 */
    gsize line; /**< below 2^40 */
} TgPlace;

TgIdSet *tg_id_set_new(void);

/**
 * Note down that @model has a row @id in @subset (each NULL: none) at @place. Two ids are taken for
 * one with a probability of about n^2 / 2^129 for n ids.
 *
 * Returns: TRUE if it is new; FALSE with the place of the first one in @first
 */
gboolean tg_id_set_add(TgIdSet *set, const char *model, const char *subset, const char *id,
                       TgPlace place, TgPlace *first);

/** How ids are compared. */
enum { TG_ID_WHOLE, TG_ID_WITHOUT_SUFFIX, TG_ID_WITHOUT_FOLDER, TG_ID_NAME_ALONE, TG_N_ID_LEVELS };

/** "", "without their extensions", ... */
extern const char *const tg_id_level_names[];

/** An id as it is compared at a level: whole, or without what says how a file is called or where it
 * is. (transfer full) */
char *tg_id_key(guint level, const char *id);

/** How well the ids of two sides fit. */
typedef struct {
    gboolean total;     /**< every id of the smaller side has its partner, and one only */
    guint level, n_met; /**< the first level at which any do; 0 met: at none */
    const char *a, *b;  /**< two of one side that are one at this level, or NULL; borrowed */
} TgIdFit;

/** @refs, @hyps: (element-type char *) */
TgIdFit tg_ids_fit(const GPtrArray *refs, const GPtrArray *hyps);
