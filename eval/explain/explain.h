/* What an explanation holds; what users see of it is in <texgauge/explain.h>. */
#pragma once

#include <texgauge/explain.h>

enum { TG_EXPLAIN_TRUTH, TG_EXPLAIN_PRED, TG_N_EXPLAIN_SIDES };

/** A token of FORTE's; see the detail in docs/metrics/forte.md. */
typedef struct {
    const char *name;
    const char *font; /**< "", b, bb, cal or fr */
    char kind;        /**< a letter of TG_FORTE_KIND_LETTERS */
    gboolean upright;
    guint32 start, end; /**< bytes of its source */
    const char *opener; /**< of the mark that ends or parts a construct: the one that begins it */
    gboolean is_binary; /**< an operator or relation between two things, not a sign before one */
} TgExplainToken;

/** One formula. */
typedef struct {
    const char *source;
    guint n_repairs;
    guint n_tokens;
    TgExplainToken *tokens;
} TgExplainSide;

/** An edit; it is a loss without a token of the prediction, an addition without one of the truth.
 */
typedef struct {
    const char *class;
    double cost;                    /**< of its own */
    double counted;                 /**< after the discount of repeats */
    guint32 at[TG_N_EXPLAIN_SIDES]; /**< its token, or the one before which something is missing */
    gboolean has[TG_N_EXPLAIN_SIDES];
    guint run;
} TgExplainEdit;

/** Neighbouring edits that are read as one: a lost or added sub-expression, or a single edit. */
typedef struct {
    guint first, n;
} TgExplainRun;

/** Two tokens one above the other. */
typedef struct {
    const TgExplainToken *tokens[TG_N_EXPLAIN_SIDES]; /**< NULL where there is none */
    const TgExplainEdit *edit;                        /**< NULL: they are equal */
} TgExplainColumn;

struct TgExplanation {
    char *signature; /**< of the metric */
    GVariant *detail;
    char *sources[TG_N_EXPLAIN_SIDES];
    TgExplainSide sides[TG_N_EXPLAIN_SIDES];
    double score, severity, distance, size;
    guint n_edits, n_runs, n_columns;
    TgExplainEdit *edits; /**< from left to right */
    TgExplainRun *runs;
    TgExplainColumn *columns; /**< the alignment */
};

/** Sum of what the edits of a run count. */
double tg_explain_run_counted(const TgExplanation *explanation, const TgExplainRun *run);

/** "sub-expression" where a run is of more than one class, else the class. */
const char *tg_explain_run_class(const TgExplanation *explanation, const TgExplainRun *run);

/**
 * Append a token as people write it: `\alpha`, `^{`, `}{` for a fraction's bar. Control characters
 * become their number.
 */
void tg_explain_spell(GString *out, const TgExplainToken *token);

/** Append the tokens of one side of a run, with blanks where two would run together. */
void tg_explain_spell_run(GString *out, const TgExplanation *explanation, const TgExplainRun *run,
                          guint side);

/** Whether a blank stands between two spelled tokens: round operators, and behind commands. */
gboolean tg_explain_needs_blank(const TgExplainToken *left, const TgExplainToken *right);

/** A mark of structure in words, "superscript"; NULL for all other tokens. (transfer full) */
char *tg_explain_mark_in_words(const TgExplainToken *token);

/** What a run is: "n -> m", "lost ^{2}", "added superscript". (transfer full) */
char *tg_explain_run_text(const TgExplanation *explanation, const TgExplainRun *run);
