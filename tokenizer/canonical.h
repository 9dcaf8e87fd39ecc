/* One form for formulas that draw alike: rules that settle how a formula is written. */
#pragma once

#include "tokenizer/tree.h"

/** A way of writing that has no meaning of its own. */
typedef struct {
    const char *name;    /**< what users write */
    const char *summary; /**< one sentence without full stop */
    gboolean preset;     /**< whether it is on by default */
} TgCanonicalRule;

/** Rules as bits, by their place in tg_canonical_rules(). */
typedef guint32 TgCanonicalRules;

/** All rules, @n (out) of them; static. */
const TgCanonicalRule *tg_canonical_rules(guint *n);

/** The rules that are on by default. */
TgCanonicalRules tg_canonical_preset(void);

/**
 * Read a choice of rules: names between commas, each with `+` or `-` before it to change the
 * preset, or `all` or `none` first to begin elsewhere: "-groups,+spaces", "none,+symbols".
 *
 * Returns: TRUE, or FALSE with @error set to TG_ERROR_USAGE: an unknown name
 */
gboolean tg_canonical_parse_rules(const char *spec, TgCanonicalRules *rules, GError **error);

/**
 * The tree in the form that @rules give. Tokens of ink, their ids and the errors are those of
 * @tree; spans point into its source.
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
