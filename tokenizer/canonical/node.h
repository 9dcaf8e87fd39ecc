/* The canonical form of single nodes. */
#pragma once

#include "tokenizer/canonical/writer.h"

/** TgCanonicalWriter.write_node. */
TgNode *tg_canonical_node(TgCanonicalWriter *self, const TgNode *node);
