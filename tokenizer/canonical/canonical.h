/* One spelling for formulas that draw alike, by rules. */
#pragma once

#include <texgauge/formula.h>

#include "tokenizer/latex/parse.h"
#include "tokenizer/tree/tree.h"

/** Give a tree that no other code uses the form of @rules. Its tokens of ink keep their ids. */
void tg_tree_make_canonical(TgTree *tree, TgCanonicalRules rules);

/**
 * A formula in canonical LaTeX: tg_tree_to_latex() after tg_tree_make_canonical(). Reading the
 * result and making it canonical again gives the same bytes.
 *
 * @options: how to read @tex; NULL for tolerant
 *
 * Returns: (transfer full) the source, or NULL with @error as from tg_tree_parse()
 */
char *tg_canonical_latex(const char *tex, gsize len, const TgParseOptions *options,
                         TgCanonicalRules rules, GError **error);

/** Write the blanks between words of text in what tg_tree_to_latex() gave as ties, so that
 * tokenizers that drop white space have tokens for them. */
void tg_latex_tie_blanks(char *latex);

/**
 * Set one space between the tokens of LaTeX, and no other white space.
 *
 * @out: (out) NUL-terminated; room for twice the bytes of @latex and one
 */
void tg_latex_space_out(const char *latex, char *out);

/**
 * LaTeX that gives @tree again when it is parsed: macros expanded, arguments in braces, subscript
 * before superscript, spaces only where a command needs one to end.
 *
 * This is exact after tg_tree_make_canonical(); in other trees, symbols in a font of their own
 * become groups (`{\bf ab=c}` as `{\mathbf{a}\mathbf{b}=\mathbf{c}}`).
 *
 * Returns: (transfer full) the source
 */
char *tg_tree_to_latex(const TgTree *tree);

/** Whether all of @list is in one other alphabet than @alphabet, so that it is \mathbf{ab}. */
gboolean tg_canonical_is_styled(const TgNode *list, guint8 alphabet);

/** The symbol whose letters are the body of the OPERATOR @node, whatever its limits are, or NULL.
 */
const TgSymbol *tg_canonical_operator(const TgNode *node);
