/* Formulas in documents: taking them out, and pairing those of a parser with the truth. */
#pragma once

#include <stdio.h>

#include <texgauge/types.h>

#include "core/pipeline.h"

/** Called with a row or a message, without newline; borrowed for the call. */
typedef void (*TgLineFunc)(const char *line, gpointer data);

/** What to take out of which documents. Zero it, set what differs; strings are borrowed. */
typedef struct {
    const char *const *inputs; /**< files and folders, NULL last */
    const char *const *macros; /**< LaTeX files whose definitions hold for all papers; or NULL */
    const char *kind;          /**< "latex", "markdown", or NULL: by the file's name and content */
    gboolean with_inline;      /**< formulas inside lines too */
    TgLineFunc row;            /**< each formula as a JSON object */
    TgLineFunc fault;          /**< "FILE: ..." or "FILE:LINE: ..."; the rest goes on */
    gpointer data;             /**< for both */
} TgExtractOptions;

/** The outcome. */
typedef struct {
    guint64 files;
    guint64 formulas;
    guint64 faults;
} TgExtractCounts;

/**
 * Take the formulas out of documents, in the order of the inputs; folders are walked in the order
 * of names, for .tex, .ltx, .md, .mmd and .markdown. A row is
 *
 *   {"id", "document", "file", "line", "kind": "display" or "inline", "environment", "latex"}
 *
 * where "document" is the path without its extension, relative to the folder that was named.
 *
 * Returns: FALSE with TG_ERROR_USAGE (no such kind) or TG_ERROR_INPUT (a macro file that cannot be
 * used); a document that cannot be read is a fault, and the others are read
 */
gboolean tg_extract_run(const TgExtractOptions *options, TgExtractCounts *counts, GError **error);

/** How formulas are paired. */
typedef enum {
    TG_MATCH_GREEDY,  /**< each truth in order takes the closest free prediction; two rounds */
    TG_MATCH_OPTIMAL, /**< the assignment of least total distance */
} TgMatchAssign;

/** What to pair. Zero it, set what differs; strings are borrowed. */
typedef struct {
    const char *truth; /**< JSONL as tg_extract_run() writes it */
    const char *prediction;
    const char *model; /**< whose predictions these are, for the rows; or NULL */
    TgMatchAssign assign;
    double first;         /**< pairs of the first round are closer than this; 0: 0.4 */
    double second;        /**< pairs of the second round (or of the assignment); 0: 0.8 */
    gboolean drop_extras; /**< no rows for predictions without truth */
    TgLineFunc row;
    gpointer data;
} TgMatchOptions;

/** The outcome by both ways of pairing. */
typedef struct {
    guint64 truths;
    guint64 predictions;
    guint64 pairs[2];   /**< by TgMatchAssign */
    double distance[2]; /**< sum over the pairs */
    guint64 different;  /**< truths that the two ways give different partners, or one none */
} TgMatchCounts;

/**
 * Pair the formulas of each document. The distance of two is the edit distance over code points
 * without white space and outer environments, divided by the longer length. A row is input for a
 * run:
 *
 *   {"id", "model" if it is named, "document", "gt", "pred", "gt_line", "pred_line", "distance",
 * "match": "first", "second", "optimal", "missed" or "extra"}
 *
 * with pred "" for a truth that was missed and gt "" for a prediction too many.
 *
 * Returns: FALSE with TG_ERROR_INPUT: a file that cannot be read or is not such a file, a document
 * with too many formulas
 *
 * Source: Wang et al., CDM (arXiv:2409.03643), section 8, for the two rounds.
 */
gboolean tg_match_run(const TgMatchOptions *options, TgMatchCounts *counts, GError **error);

/** Folders of pages to match with a truth. Zero it, set what differs; strings are borrowed. */
typedef struct {
    const char *truth;          /**< JSON as OmniDocBench.json */
    const char *const *folders; /**< "MODEL=FOLDER" or FOLDER, NULL last */
    guint threads;              /**< 0: one per processor; the rows do not depend on it */
    FILE *rows;                 /**< gets each formula as a JSON object on a line */
    TgLineFunc fault;           /**< what of the truth, or which page, cannot be used; or NULL */
    TgLineFunc note; /**< at the end: the counts of each model, its missing pages; or NULL */
    /** Told now and then, on the calling thread, how many pages are begun; FALSE ends the run with
     * TG_ERROR_CANCELLED. May be NULL. */
    gboolean (*progress)(const TgProgress *progress, gpointer data);
    gpointer data; /**< for all; faults come from any thread, one at a time */
} TgPagesOptions;

/**
 * Match every page of every model with the truth by OmniDocBench's protocol. Models come in the
 * order given, pages in that of the truth, rows as OmniDocBench has them:
 *
 *   {"id": "PAGE#INDEX", "model", "page", "gt", "pred", "match": "matched" or "missed",
 *    "match_edit", "norm_distance", "norm_length", "gt_idx", "pred_idx", "order", "pred_type",
 *    "choice", "file", "page_attributes": "KEY: VALUE; ...", "page_unused": N}
 *
 * (docs/reference/formats.md). The first row of a page lists the predictions that no truth takes,
 * "page_extras". A page with formulas of which the protocol keeps none has one row of length 0.
 *
 * @n_faults: (out) pages and entries of the truth that cannot be used; the others are matched
 *
 * Returns: FALSE with TG_ERROR_USAGE (a model named twice, no folder), TG_ERROR_INPUT (the truth as
 * a whole, a folder that is not there or has none of the pages) or TG_ERROR_CANCELLED
 */
gboolean tg_pages_run(const TgPagesOptions *options, guint64 *n_faults, GError **error);
