/* From LaTeX source to the formula tree. */
#pragma once

#include "tokenizer/latex/parse_options.h"
#include "tokenizer/tree/tree.h"

G_BEGIN_DECLS

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

G_END_DECLS
