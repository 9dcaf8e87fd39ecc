/* The canonical form of lists: groups, runs of one font, neighbours. */
#pragma once

#include "tokenizer/canonical/writer.h"

/** The canonical form of a list; NULL gives NULL. */
const TgNode *tg_canonical_list(TgCanonicalWriter *self, const TgNode *list);

/** The same in another style. */
const TgNode *tg_canonical_list_in(TgCanonicalWriter *self, const TgNode *list, guint8 style);

/** The group @group as an item: without braces when they change nothing. */
TgNode *tg_canonical_group(TgCanonicalWriter *self, const TgNode *group);

/**
 * The base of scripts: @nucleus, in a group of its own where it is NULL or needs braces.
 *
 * @scripts: the SCRIPTS, whose span such a group has
 */
const TgNode *tg_canonical_nucleus(TgCanonicalWriter *self, const TgNode *nucleus,
                                   const TgNode *scripts);
