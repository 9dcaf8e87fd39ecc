/* The declarations that a metric consists of: the header for authors of metrics. */
#pragma once

#include <texgauge/env.h>
#include <texgauge/option.h>
#include <texgauge/picture.h>
#include <texgauge/result.h>
#include <texgauge/tokens.h>
#include <texgauge/types.h>

G_BEGIN_DECLS

/** Raised by any change of layout or meaning in this header or those it includes. */
#define TG_METRIC_ABI 7u

/** The symbol that a plugin exports: `const TgMetricInfo *const tg_plugin_metrics[]`, NULL last. */
#define TG_PLUGIN_SYMBOL "tg_plugin_metrics"

/** Reference and hypothesis; all strings are valid UTF-8 without NUL, borrowed for the call. */
typedef struct {
    const char *id;
    const char *const *refs; /**< the correct formula in one or more spellings */
    guint n_refs;            /**< at least 1 */
    const char *hyp;         /**< the model's output; may be empty, never NULL */
    const struct json_t
        *fields; /**< other fields of the row, a JSON object of jansson; NULL: none */
} TgPair;

/** The number that the row of @pair has in field @name; NaN where it has none. */
TG_API double tg_pair_number(const TgPair *pair, const char *name);

typedef enum {
    TG_HIGHER_IS_BETTER,
    TG_LOWER_IS_BETTER,
} TgDirection;

/** Rules that make the value of a set of pairs from the pairs' values of a column. */
typedef enum {
    TG_POOL_MEAN,  /**< mean over the pairs where it is defined */
    TG_POOL_SUM,   /**< sum over them (counts) */
    TG_POOL_STATS, /**< pool() of the summed statistics (BLEU, micro error rates) */
} TgPooling;

/** Rules for pairs that cannot be scored. A pair with an unusable reference never counts. */
typedef enum {
    TG_UNDEFINED_DEFAULT, /**< what the metric says; in a descriptor: TG_UNDEFINED_WORST */
    TG_UNDEFINED_WORST,   /**< as an empty prediction would */
    TG_UNDEFINED_SKIP,    /**< not at all; it is counted as undefined */
    TG_UNDEFINED_STOP,    /**< the run stops with an error */
} TgUndefined;

/** How `texgauge explain` shows why a pair has its score. */
typedef enum {
    TG_EXPLAIN_NONE,
    TG_EXPLAIN_ELEMENTS, /**< by the matched elements of the detail (docs/reference/results.md) */
    TG_EXPLAIN_EDITS,    /**< by the edits of the tokens that the metric compares; built in only */
    TG_EXPLAIN_EVENTS,   /**< by FORTE's events; built in only */
} TgExplain;

/** One number that a metric gives; the table ends with a NULL name. */
typedef struct {
    const char *name; /**< the first column is the headline and has the metric's name */
    TgDirection direction;
    double min; /**< range of a pair's value; G_MAXDOUBLE for no bound */
    double max;
    TgPooling pooling;
    const char *help;    /**< one sentence without full stop */
    gboolean as_percent; /**< --percent multiplies it by 100 although its range does not end at 1 */
} TgColumn;

/**
 * A metric; constant, one per metric. A pair is scored by score(), which may run on many threads
 * at once on the same instance, each with its own env and result: the instance is constant after
 * init().
 */
typedef struct {
    guint abi;               /**< TG_METRIC_ABI; a loader reads nothing else until it matches */
    const char *name;        /**< lower case; what users write after --metrics */
    const char *version;     /**< raised whenever any score may change */
    const char *summary;     /**< one line for `texgauge metrics` */
    const char *citation;    /**< paper or program that defines it */
    const TgColumn *columns; /**< see TgColumn */
    const TgOption *options; /**< see TgOption; NULL for none */
    TgUndefined undefined;   /**< unless the user says otherwise */
    gboolean each_reference; /**< score() and show() see one reference at a time, and the best one
                                  counts: by the first column, or by tg_result_set_rank(); the first
                                  of equal ones. One that fails with TG_ERROR_PARSE is passed over
                                  where another does not fail. FALSE: they see all references */
    TgExplain explain;
    gsize instance_size; /**< zeroed, then filled from the options, before init() */

    /** Load tables, make tokenizers, check options against each other. Optional. */
    gboolean (*init)(gpointer self, GError **error);

    /** Free what init() made; option strings are freed by the caller. Optional. */
    void (*clear)(gpointer self);

    /** How many additive numbers a pair leaves; constant after init(). NULL: none. */
    guint (*n_stats)(gconstpointer self);

    /**
     * Score one pair. An empty hypothesis must be scored, not refused: a missing prediction
     * counts as one. Returns FALSE with TG_ERROR_DATA or TG_ERROR_PARSE when this pair has no
     * score, with any other code to stop the run.
     */
    gboolean (*score)(gconstpointer self, TgEnv *env, const TgPair *pair, TgResult *out,
                      GError **error);

    /**
     * Turn summed statistics into values: @out has one number per column, of which those pooled
     * by TG_POOL_STATS are read; NaN means undefined. Pooling one pair's statistics gives the
     * pair's own values unless the metric's documentation says otherwise (bleu). Needed if n_stats
     * is given.
     */
    void (*pool)(gconstpointer self, const double *stats, double *out);

    /**
     * Draw how this pair is scored: fill the empty @picture with drawings, marks, headings and
     * names of tones. Optional. A side that cannot be drawn has no drawing but a heading that says
     * why.
     * @renderer draws formulas for those that have no drawings of their own. Errors as of score().
     */
    gboolean (*show)(gconstpointer self, TgEnv *env, TgRenderer *renderer, const TgPair *pair,
                     TgPairPicture *picture, GError **error);
} TgMetricInfo;

G_END_DECLS
