/* The ids that occurred: 128-bit hashes, so that memory does not depend on their length. */
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
