/* Truth and predictions from different files, joined by id or by line. */
#pragma once

#include "datasets/chain.h"

typedef struct TgJoin TgJoin;

/** The files of one model. */
typedef struct {
    char *model;
    GPtrArray *paths; /**< char * */
} TgJoinModel;

/**
 * Join truths and predictions as tg_source_open() says. Lists to be joined by line are counted
 * first where the files can be read twice, so that a difference shows before any row is scored.
 *
 * @truths: char *
 * @models: TgJoinModel *, each model once
 * @options: how to read; the side is set here
 *
 * Returns: (transfer full), or NULL with the errors of tg_source_open()
 */
TgJoin *tg_join_open(const GPtrArray *truths, const GPtrArray *models,
                     const TgChainOptions *options, gboolean allow_duplicates, GError **error);

/** Read the next record, but for its row number, as tg_source_next() does. */
gboolean tg_join_next(TgJoin *self, TgRecord *out, GError **error);

/** The chain of the truths (@i 0) and of each model (from 1); NULL behind the last. */
const TgChain *tg_join_chain(const TgJoin *self, guint i);

void tg_join_free(TgJoin *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgJoin, tg_join_free)
