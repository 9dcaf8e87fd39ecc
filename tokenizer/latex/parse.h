/* From LaTeX source to the formula tree. */
#pragma once

#include "tokenizer/tree/tree.h"

/** How the whole string is read. */
typedef enum {
    /**
     * Dollars decide: without dollars (or with one pair around everything, also \[..\] or \(..\))
     * all is mathematics; otherwise mathematics lies between dollars and the rest is text.
     */
    TG_SOURCE_AUTO,
    TG_SOURCE_MATH, /**< mathematics, as if between dollars: a dollar leaves it, as in TeX */
} TgSourceMode;

/** Options of parsing; a number 0 means its default. */
typedef struct {
    gboolean strict;      /**< stop at the first fault instead of marking it and going on */
    TgSourceMode source;  /**< see TgSourceMode */
    guint max_depth;      /**< nested nodes and groups, 250 */
    guint max_expansions; /**< macro calls, 10,000 */
    guint max_nodes;      /**< nodes, cells, columns and tokens, 2,000,000 */
    guint max_columns;    /**< columns of an array, 1,000 */
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

/** The character that TeX's text fonts draw for two neighbors, an en dash for two hyphens; 0 for
 * none. Ligatures of letters are left to typesetting. */
gunichar tg_text_ligature(gunichar first, gunichar second);
