/* olmOCR-bench's math tests on parsers' pages. */
#pragma once

#include "datasets/documents/documents.h"
#include "metrics/olmocr/verdict.h"

/** A page with its formulas set; each is read once for all tests of the page. */
typedef struct TgOlmocrPage TgOlmocrPage;

/** @text: the page, any bytes and ends of lines. (transfer full) */
TgOlmocrPage *tg_olmocr_page_new(const char *text, gsize length);
void tg_olmocr_page_free(TgOlmocrPage *page);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgOlmocrPage, tg_olmocr_page_free)

/** The outcome of a test on a page. */
typedef struct {
    TgOlmocrOutcome outcome; /**< of @formula; of a failure is_near and gave_up of any formula */
    const char *formula;     /**< that passes, else the nearest one; NULL: the page has none */
    guint line;              /**< of the page, where it begins */
    char *why;               /**< the test fails, or NULL; freed by tg_olmocr_result_clear() */
} TgOlmocrResult;

void tg_olmocr_result_clear(TgOlmocrResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgOlmocrResult, tg_olmocr_result_clear)

/** Look for @math on the page. @ref: @math as a formula, or NULL to make it. */
void tg_olmocr_page_test(TgOlmocrPage *page, const char *math, TgOlmocrFormula *ref,
                         gboolean ignore_dollars, TgOlmocrResult *out);

/**
 * Run the tests of type "math" of all files of a bench, in order of names; tests of other types are
 * counted. The Markdown of page p of a/b.pdf is a/b_pg{p}_repeat{r}.md in the candidate's folder,
 * for all r; a test passes if more than half of them do. A row is a test on a file, and a pair for
 * eval. The figure of a candidate is the mean of its files' rates, as officially, with a bootstrap
 * interval that draws tests within each file. Threads work on pages; rows are in the order of
 * tests.
 *
 * @options: the inputs, which are folders, and where rows, faults and notes go; no other member
 * counts but @threads
 * @bench: a folder of *.jsonl, or one such file
 * @seed: of the intervals
 * @n_faults: (out) lines and pages that cannot be used
 *
 * Returns: FALSE with TG_ERROR_USAGE (a candidate named twice) or TG_ERROR_INPUT (no folder, no
 * test)
 */
gboolean tg_olmocr_run(const TgDocumentsOptions *options, const char *bench, guint64 seed,
                       guint64 *n_faults, GError **error);
