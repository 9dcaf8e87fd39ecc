/* One spelling for formulas that draw alike, by rules. */
#pragma once

#include <texgauge/formula.h>

#include "tokenizer/latex/parse.h"
#include "tokenizer/tree/tree.h"

/**
 * The tree in the form that @rules give. Tokens of ink and their ids are those of @tree, which must
 * live as long: names and texts are borrowed from it. It has no errors.
 *
 * Returns: (transfer full) a new tree
 */
TgTree *tg_canonical_tree(const TgTree *tree, TgCanonicalRules rules);

/**
 * A formula in canonical LaTeX: tg_tree_to_latex() of tg_canonical_tree(). Reading the result and
 * making it canonical again gives the same bytes.
 *
 * @options: how to read @tex; NULL for tolerant
 *
 * Returns: (transfer full) the source, or NULL with @error as from tg_tree_parse()
 */
char *tg_canonical_latex(const char *tex, gsize len, const TgParseOptions *options,
                         TgCanonicalRules rules, GError **error);

/**
 * Set one space between the tokens of LaTeX, and no other white space.
 *
 * @out: (out) NUL-terminated; room for twice the bytes of @latex and one
 */
void tg_latex_space_out(const char *latex, char *out);

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
