/* Pages of a document parser by OmniDocBench's protocol: a truth of pages, a page in Markdown, and
 * the rows of display formulas that are scored.
 *
 * Source: OmniDocBench 1.6 (9dc1dec, 2026-06-11), quick_match; its defects are reproduced. Texts
 * are counted in code points. */
#pragma once

#include <texgauge/types.h>

#include "datasets/documents/documents.h"

/** Pages in Markdown that are longer are scored as empty, in bytes; of others 50,000 formulas and
 * texts are read, formulas first. */
#define TG_PAGE_MAX (16u << 20)

/** A page of the truth. */
typedef struct {
    char *name;     /**< the last part of `page_info.image_path` */
    char **subsets; /**< page attributes as OmniDocBench groups by them, NULL last:
                         "data_source: book", "special_issue" ones by their value alone */
    guint
        n_formulas; /**< display formulas that are not ignored; those of several rows count once */
    GArray *truth;  /**< for the matcher: texts and formulas, */
    GStringChunk *strings; /**< and what they are of */
} TgPage;

/**
 * Read a truth file: JSON as OmniDocBench.json. Pages stand in the order of the file; an entry that
 * is no page, and a name that occurred, are faults and left out.
 *
 * @fault: told "FILE: page N: ..." (may be NULL)
 *
 * Returns: (transfer full) (element-type TgPage) the pages; or NULL with TG_ERROR_INPUT: a file
 * that cannot be read or is no JSON list, or holds no page
 */
GPtrArray *tg_pages_load(const char *path, TgLineFunc fault, gpointer data, GError **error);

/** The file of a page in a model's folder, or NULL where there is none: for NAME.jpg NAME.md,
 * then NAME.mmd, NAME.md (both without ".pdf"), NAME.jpg.md. (transfer full) */
char *tg_page_find(const TgPage *page, const char *folder);

/** What became of a page. */
typedef enum {
    TG_PAGE_MATCHED,
    /** The page is read in part (see TG_PAGE_MAX), or there is more to match than a page has: more
     * than 1,000,000 pairs of texts, or 2 * 10^10 pairs of characters in all. Ways of matching that
     * take more are left out; if none remains, formulas are paired in their order. */
    TG_PAGE_TOO_LARGE,
} TgPageStatus;

/** A truth, alone or as one row of several, and what the page has for it. */
typedef struct {
    const char *gt, *pred;           /**< as they are scored; pred "" for a truth without partner */
    const char *gt_norm, *pred_norm; /**< normal forms */
    const guint *gt_idx;             /**< places in the truth after rows were split, n_gt of them */
    const guint *pred_idx;           /**< places of items, n_pred of them; none without partner */
    guint n_gt, n_pred;
    const double *order;   /**< of the truths, n_gt of them; 0: none */
    const char *pred_type; /**< "equation_isolated", "equation_inline", "" */
    double match_edit;     /**< distance when they were matched, 0 to 1 */
    guint32 edits;         /**< edit distance of the normal forms, */
    guint32 length;        /**< and the longer length: the score is edits / length */
} TgPageRow;

typedef struct {
    TgPageStatus status;
    const char *choice;  /**< the way of matching that won, as OmniDocBench calls it; or NULL */
    GArray *rows;        /**< TgPageRow, in the order of the official rows */
    guint n_predictions; /**< display formulas of the page: what nobody scores is among them */
    guint n_extra;       /**< those of them that no row takes */
    char **extras;       /**< these, NULL last */
    struct TgPageMemory *memory;
} TgPageMatch;

/**
 * Match a page. Any bytes do: what is not UTF-8 becomes U+FFFD.
 *
 * @markdown: @len bytes; a page that is missing is ""
 *
 * Time is bounded (TG_PAGE_TOO_LARGE); threads may match the same page.
 *
 * Returns: (transfer full)
 */
TgPageMatch *tg_page_match(const TgPage *page, const char *markdown, gsize len);

void tg_page_match_free(TgPageMatch *match);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgPageMatch, tg_page_match_free)
