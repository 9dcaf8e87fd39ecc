/* The inside of a formula tree, for those who build it. */
#pragma once

#include "core/arena.h"
#include "tokenizer/tree/node.h"
#include "tokenizer/tree/parse_error.h"

struct TgTree {
    TgArena arena; /**< nodes, arrays, messages, the source */
    const char *source;
    gsize len;
    const TgNode *root;
    TgInkToken *tokens;
    guint n_tokens;
    TgParseError *errors;
    guint n_errors;
    guint n_nodes;
};

/** A tree without nodes that holds a copy of the source. (transfer full) */
TgTree *tg_tree_new(const char *tex, gsize len);
