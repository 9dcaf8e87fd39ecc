/* The formula tree: what a formula's source means, before anything is laid out. */
#pragma once

#include <texgauge/types.h>

#include "tokenizer/tree/array.h"
#include "tokenizer/tree/children.h"
#include "tokenizer/tree/node.h"
#include "tokenizer/tree/parse_error.h"

G_BEGIN_DECLS

/** What the string as a whole is. */
typedef enum {
    /**
     * Dollars decide: none (or one pair around everything, \[..\] and \(..\) alike) means all is
     * mathematics; otherwise mathematics is what lies between dollars and the rest is text.
     */
    TG_SOURCE_AUTO,
    TG_SOURCE_MATH, /**< it stands between dollars: a dollar leaves mathematics, as in TeX */
} TgSourceMode;

/** How to parse; zero in a number means its default. */
typedef struct {
    gboolean strict;      /**< stop at the first error in place of marking it and going on */
    TgSourceMode source;  /**< see TgSourceMode */
    guint max_depth;      /**< nested nodes and groups, 250 */
    guint max_expansions; /**< macro calls, 10,000 */
    guint max_nodes;      /**< nodes, cells and tokens, 2,000,000 */
    guint max_columns;    /**< columns of an array, 1,000 */
    gsize max_bytes;      /**< of source, 2^20 */
} TgParseOptions;

/**
 * Read a formula.
 *
 * @tex: UTF-8 of @len bytes; may hold anything, also NUL
 * @options: NULL for the defaults (tolerant)
 *
 * Returns: (transfer full) the tree, or NULL with @error set to TG_ERROR_PARSE: a bound was
 * exceeded, or with @strict the first fault, as "\frac needs two arguments, column 17"
 *
 * Time and memory grow linearly with @len. Threads: any.
 */
TgTree *tg_tree_parse(const char *tex, gsize len, const TgParseOptions *options, GError **error);
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
