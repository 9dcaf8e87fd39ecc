/* The verdict of olmOCR-bench's math tests on two formulas. */
#pragma once

#include <texgauge/types.h>

/** A character of the formula as a browser shows it, and the center of its share of its element. */
typedef struct {
    gunichar character;
    float x, y; /**< px, y downwards */
} TgOlmocrSymbol;

/** A formula as the comparison sees it. */
typedef struct {
    char *latex;
    char *error;          /**< why KaTeX refuses it, or NULL; then it has no symbols */
    glong error_column;   /**< where, from 1: the character of @latex */
    gboolean not_modeled; /**< KaTeX accepts it, but a command of it is not modeled here */
    guint n_symbols;
    TgOlmocrSymbol *symbols;
    char *mathml; /**< without white space; NULL with @error */
    gsize bytes;  /**< of memory */
} TgOlmocrFormula;

/** Read and set a formula. (transfer full) an atomic reference-counted box */
TgOlmocrFormula *tg_olmocr_formula_new(const char *latex);
void tg_olmocr_formula_unref(TgOlmocrFormula *formula);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgOlmocrFormula, tg_olmocr_formula_unref)

/** The comparison by which a hypothesis passes. */
typedef enum {
    TG_OLMOCR_FAIL,
    TG_OLMOCR_STRING, /**< it is the reference, character by character */
    TG_OLMOCR_MATHML, /**< its MathML contains the reference's */
    TG_OLMOCR_SYMBOLS,
    TG_OLMOCR_NO_SYMBOLS, /**< the reference has none, or KaTeX refuses it: anything passes */
} TgOlmocrVerdict;

/** Their names: "string" and so on. */
extern const char *const tg_olmocr_verdicts[];

typedef enum { TG_OLMOCR_UP, TG_OLMOCR_DOWN, TG_OLMOCR_LEFT, TG_OLMOCR_RIGHT } TgOlmocrSide;

/** Result of the comparison. */
typedef struct {
    TgOlmocrVerdict verdict;
    gboolean is_near;    /**< the verdict would be another with 1 px more or less of tolerance */
    gboolean gave_up;    /**< the search took too long, which counts as a failure */
    guint matched;       /**< symbols of the reference, from the first one, that found a place */
    gboolean is_missing; /**< of a failure: symbol @matched does not occur at all */
    gint side;           /**< else the neighbor of symbol @matched that is wrong, or -1 */
} TgOlmocrOutcome;

/**
 * Compare two formulas: containment of MathML, or of symbols with their neighbors.
 *
 * Source: allenai/olmocr at f7cfe4c, olmocr/bench/katex/render.py, compare_rendered_equations().
 * Its search has no bound.
 */
void tg_olmocr_compare(const TgOlmocrFormula *ref, const TgOlmocrFormula *hyp,
                       TgOlmocrOutcome *out);

/** How alike two formulas are, from 0 to 1: twice the symbols that both have, wherever they are, in
 * all symbols of both. */
double tg_olmocr_likeness(const TgOlmocrFormula *ref, const TgOlmocrFormula *hyp);

/** Why the pair fails, in a sentence without full stop; (transfer full), NULL: it passes. */
char *tg_olmocr_explain(const TgOlmocrFormula *ref, const TgOlmocrFormula *hyp,
                        const TgOlmocrOutcome *outcome);
