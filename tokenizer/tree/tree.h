/* The formula tree: what a formula's source means, before anything is laid out. */
#pragma once

#include <texgauge/types.h>

#include "tokenizer/tree/array.h"
#include "tokenizer/tree/children.h"
#include "tokenizer/tree/node.h"
#include "tokenizer/tree/parse_error.h"

G_BEGIN_DECLS

void tg_tree_free(TgTree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgTree, tg_tree_free)

/** The whole formula: a LIST, not braced. */
const TgNode *tg_tree_root(const TgTree *tree);

/** The source, @len bytes (out, may be NULL), followed by a NUL; borrowed. */
const char *tg_tree_source(const TgTree *tree, gsize *len);

/** The tokens of ink in source order, @n of them (out); borrowed. */
const TgInkToken *tg_tree_tokens(const TgTree *tree, guint *n);

/** The faults in the order met, @n of them (out); borrowed. Empty for a strict tree. */
const TgParseError *tg_tree_errors(const TgTree *tree, guint *n);

/** The number of nodes. */
guint tg_tree_n_nodes(const TgTree *tree);

G_END_DECLS
