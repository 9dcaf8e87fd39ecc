/* Why FORTE gave a pair its score: both formulas as it read them, and the errors between. */
#pragma once

#include <string.h>

#include <texgauge/env.h>
#include <texgauge/metric.h>
#include <texgauge/registry.h>
#include <texgauge/types.h>

#include "metrics/forte/forte.h"
#include "metrics/metric.h"

/** The explanation of one pair. */
typedef struct TgExplanation TgExplanation;

/**
 * Score a pair with FORTE and explain its comparison.
 *
 * @metric: an instance of `forte`, with any options
 * @env: of the calling thread
 * @pair: of several references the one counts that scores best
 *
 * Returns: (transfer none) the explanation, valid until the next pair of @env and as long as
 * @metric and @pair; or NULL with @error set to
 *   TG_ERROR_USAGE  @metric is another one
 *   TG_ERROR_PARSE, TG_ERROR_DATA  the pair has no score
 */
const TgExplanation *tg_explanation_new(const TgMetric *metric, TgEnv *env, const TgPair *pair,
                                        GError **error);

/** The row of a file; zero it, set what is known; strings are borrowed for the call. */
typedef struct {
    const char *input;       /**< any file that tg_eval_run() reads, results files among them */
    const char *format;      /**< reader to use; NULL finds out */
    const char *id;          /**< NULL: any */
    const char *model;       /**< NULL: any */
    guint64 row;             /**< its place in the file, from 1; 0: any */
    const char *const *maps; /**< names of fields, as TgSourceOptions has them; or NULL */
} TgExplanationRow;

/** A pair from a file. */
typedef struct {
    GPtrArray *refs; /**< of char * */
    char *hyp;
    char *model;       /**< NULL: the row names none */
    GPtrArray *others; /**< of char *: models that have the same id, where no model was wanted */
    char *first;       /**< how the first pair of the file is called; NULL: it has none */
    char *remark;      /**< a message about results that were changed after the run; or NULL */
} TgExplainPair;

void tg_explain_pair_clear(TgExplainPair *pair);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgExplainPair, tg_explain_pair_clear)

/** The pair of the chosen row of a file. FALSE with TG_ERROR_INPUT where the file cannot be read,
 * or has no such row with a pair. */
gboolean tg_explain_find_pair(const TgExplanationRow *row, TgExplainPair *out, GError **error);

/** How explanations look as text. */
typedef struct {
    guint width;     /**< columns of the page; at least 40 are used */
    gboolean colors; /**< with the control sequences of terminals */
} TgExplanationStyle;

/**
 * For people: score, both formulas one above the other with the errors numbered below, and what
 * each error costs and why. UTF-8 that ends in a newline; control characters of the formulas are
 * made visible. (transfer full)
 */
char *tg_explanation_text(const TgExplanation *explanation, const TgExplanationStyle *style);

/**
 * For programs: one JSON object without newline, with all tokens, edits and events and their
 * positions in both sources, in bytes; docs/metrics/forte.md lists the fields. (transfer full)
 */
char *tg_explanation_json(const TgExplanation *explanation);

/**
 * The explanation of a pair by any metric that has one. FORTE's is tg_explanation_text(); of the
 * others: the metric's columns, both sources with the differences marked, and a line for each edit,
 * or for each element without a partner that counts.
 *
 * @metric: forte; one whose texts become tokens that are edited (edit, edit-ops, exprate); or one
 *   that matches elements (cdm, cdm-strict)
 * @env: of the calling thread
 * @pair: of several references the one counts that scores best
 *   Edits are those of one best alignment by Levenshtein's distance, whatever the variant
 * @json: instead one JSON object without newline
 *
 * Returns: (transfer full) UTF-8, text with a newline at its end; or NULL with @error set to
 *   TG_ERROR_USAGE  @metric does none of these
 *   TG_ERROR_PARSE, TG_ERROR_DATA  the pair has no score
 */
char *tg_explain_why(const TgMetric *metric, TgEnv *env, const TgPair *pair,
                     const TgExplanationStyle *style, gboolean json, GError **error);

enum { TG_EXPLAIN_REF, TG_EXPLAIN_HYP, TG_N_EXPLAIN_SIDES };

/** A token of FORTE's; see the detail in docs/metrics/forte.md. */
typedef struct TgExplainToken TgExplainToken;
struct TgExplainToken {
    const char *name;
    const char *font; /**< "", b, bb, cal or fr */
    char kind;        /**< a letter of TG_FORTE_KIND_LETTERS */
    gboolean upright;
    guint32 start, end;           /**< bytes of its source */
    const TgExplainToken *opener; /**< of the mark that ends or parts a construct: the one that
                                       begins it; else NULL */
    gboolean is_binary; /**< an operator or relation between two things, not a sign before one */
};

/** Whether the token is a mark of structure. */
static inline gboolean tg_explain_is_mark(const TgExplainToken *token)
{
    return strchr("FSMVEC", token->kind) != NULL;
}

/** One formula. */
typedef struct {
    const char *source;
    guint n_tokens;
    TgExplainToken *tokens;
} TgExplainSide;

struct TgExplanation {
    const TgMetric *metric;
    const TgForteComparison *found;
    TgExplainSide sides[TG_N_EXPLAIN_SIDES];
};

/** The token of an edit, or the one before which something is missing. */
static inline guint32 tg_explain_place(const TgForteEdit *edit, guint side)
{
    return side == TG_EXPLAIN_REF ? edit->ref : edit->hyp;
}

/** The next token that event @number, from 1, has on a side; NULL: there is none. @e: the edit from
 * which to look, 0 at first. */
const TgExplainToken *tg_explain_next(const TgExplanation *explanation, guint number, guint side,
                                      guint *e);

/** The price of an event. */
typedef struct {
    double price;   /**< the product of its factors */
    double without; /**< the score that the pair would have without it */
    guint n_factors;
    TgForteFactor factors[TG_FORTE_MAX_FACTORS];
} TgExplainPrice;

TgExplainPrice tg_explain_price(const TgExplanation *explanation, const TgForteEvent *event);

/**
 * Append a token as people write it: `\alpha`, `^{`, `}{` for a fraction's bar. Control characters
 * become their number.
 */
void tg_explain_spell(GString *out, const TgExplainToken *token);

/** The text of event @number, from 1: "n -> m", "lost superscript 2 of x". (transfer full) */
char *tg_explain_event_text(const TgExplanation *explanation, guint number);
