/* Parsed LaTeX formulas: faults, tokens, tree and canonical form. */
#pragma once

#include <texgauge/types.h>

G_BEGIN_DECLS

/** A parsed formula. Immutable, so any thread may use it. */
typedef struct TgFormula TgFormula;

typedef enum {
    TG_FORMULA_TOLERANT = 0,    /**< faults are recorded, and what can be parsed is parsed */
    TG_FORMULA_STRICT = 1 << 0, /**< the first fault is an error */
} TgFormulaFlags;

/**
 * Parse a formula as pdflatex with amsmath would: macros are expanded, fonts resolved, arguments
 * read. docs/reference/parsing.md describes the treatment of faults, of text that holds several
 * formulas, and what is accepted although TeX rejects it.
 *
 * @tex: @len bytes of LaTeX, with or without dollars around it; may hold anything, also NUL
 *
 * Returns: (transfer full) the formula, or NULL with @error set to TG_ERROR_PARSE
 *   strict    the first fault as a sentence with its column: "\frac needs two arguments, column 17"
 *   always    a formula beyond the bounds: longer than 1 MiB, nested deeper than 250, more than
 *             10,000 macro calls or 1,000 columns
 *
 * Time and memory grow linearly with @len. Threads: any.
 */
TG_API TgFormula *tg_formula_parse(const char *tex, gsize len, TgFormulaFlags flags,
                                   GError **error);
TG_API TgFormula *tg_formula_ref(TgFormula *formula);
TG_API void tg_formula_unref(TgFormula *formula);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgFormula, tg_formula_unref)

/** The source as it was given, followed by a NUL; @len (out, may be NULL) bytes. Borrowed. */
TG_API const char *tg_formula_source(const TgFormula *formula, gsize *len);

/* ---- Faults and tokens --------------------------------------------------------------------- */

/** A fault in the source. */
typedef struct {
    const char *kind;    /**< stable name, static: "unknown-command" */
    guint32 start, end;  /**< bytes at fault */
    guint32 column;      /**< of @start, in characters from 1 */
    const char *message; /**< a sentence without full stop, the column not included */
} TgFormulaFault;

/** The faults in the order of the source, @n (out) of them; none after strict parsing. Borrowed. */
TG_API const TgFormulaFault *tg_formula_faults(const TgFormula *formula, guint *n);

typedef enum {
    TG_TOKEN_FENCE = 1 << 0, /**< a delimiter added by an environment */
    TG_TOKEN_RULE = 1 << 1,  /**< a line of a table, \rule, the frame of \boxed */
    TG_TOKEN_ERROR = 1 << 2, /**< stands for something that could not be parsed */
} TgTokenFlags;

/**
 * A piece of source that makes ink: `x`, `\alpha`, `\frac` (its bar), one letter of \text{..}. What
 * only arranges (braces, `^`, `\left`, `&`, spaces) is not a token. All that a macro draws from its
 * body belongs to the call; what it draws from its arguments keeps its own place.
 */
typedef struct {
    guint32 start; /**< its first byte in the source */
    guint32 end;   /**< after its last byte */
    guint32 flags; /**< TgTokenFlags */
} TgFormulaToken;

/** The tokens in the order of the source, @n (out) of them; their index is their id. Borrowed. */
TG_API const TgFormulaToken *tg_formula_tokens(const TgFormula *formula, guint *n);

/* ---- The tree ------------------------------------------------------------------------------ */

/**
 * The formula as a tree, in JSON on one line without a line end:
 *
 *   {"tree": {"kind": "list", "span": [0, 3], "items": [..]},
 *    "tokens": [{"span": [0, 1], "text": "x"}],
 *    "errors": [{"kind": "brace", "span": [3, 4], "column": 4, "message": ".."}]}
 *
 * docs/reference/parsing.md lists the kinds of nodes and what each holds. Spans are in bytes of the
 * source; a node's "token" is an index into "tokens".
 *
 * Returns: (transfer full) the text, or NULL with @error set to TG_ERROR_PARSE: the tree has more
 * than TG_JSON_MAX_NODES nodes
 */
TG_API char *tg_formula_to_json(const TgFormula *formula, GError **error);

/** The largest tree that is written as JSON; this takes about half a second. */
#define TG_JSON_MAX_NODES 100000u

/* ---- The canonical form -------------------------------------------------------------------- */

/** A rule that gives spellings with the same, or nearly the same, drawing one form. */
typedef struct {
    const char *name;    /**< what users write */
    const char *summary; /**< one sentence without full stop */
    gboolean preset;     /**< whether it is on by default */
} TgCanonicalRule;

/** A choice of rules: bit i is rule i of tg_canonical_rules(). */
typedef guint32 TgCanonicalRules;

/** All rules, @n (out) of them; static. */
TG_API const TgCanonicalRule *tg_canonical_rules(guint *n);

/** The default rules: those that do not change the drawing of a formula. */
TG_API TgCanonicalRules tg_canonical_preset(void);

/**
 * Parse a choice of rules: names, each with `+` or `-` before it, which change the preset; or first
 * `default`, `all` or `none`, and the names change that. Commas and spaces may separate them:
 * "-groups,+spaces", "none+symbols".
 *
 * @rules: (out) the choice
 *
 * Returns: TRUE, or FALSE with @error set to TG_ERROR_USAGE: an unknown name
 */
TG_API gboolean tg_canonical_parse_rules(const char *spec, TgCanonicalRules *rules, GError **error);

/**
 * One spelling for formulas with the same drawing: macros expanded, arguments in braces, subscript
 * before superscript, spaces only where a command needs one to end, and the changes of @rules. The
 * canonical form of a canonical form is itself. What could not be parsed is kept as written.
 *
 * Returns: (transfer full) LaTeX without delimiters around it
 */
TG_API char *tg_formula_canonical(const TgFormula *formula, TgCanonicalRules rules);

G_END_DECLS
