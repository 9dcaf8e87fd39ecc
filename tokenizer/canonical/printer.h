/* Writing a formula tree back as LaTeX, in one fixed spelling. */
#pragma once

#include "tokenizer/tree/tree.h"

/**
 * LaTeX that reads as @tree again: macros expanded, arguments in braces, subscript before
 * superscript, spaces only where a command needs one to end.
 *
 * Exact for trees of tg_canonical_tree(); of others, symbols in a font of their own come out as
 * groups (`{\bf ab=c}` as `{\mathbf{a}\mathbf{b}=\mathbf{c}}`).
 *
 * Returns: (transfer full) the source
 */
char *tg_tree_to_latex(const TgTree *tree);
