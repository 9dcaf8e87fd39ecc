/* Inside documents.h: what both protocols have, that of the CDM paper, that of OmniDocBench 1.6
 * (9dc1dec, 2026-06-11, quick_match; its defects are reproduced). All is UTF-8; pages are counted
 * in code points. */
#pragma once

#include <jansson.h>

#include <texgauge/types.h>

#include "metrics/algorithms/algorithms.h"
#include "tokenizer/subword/tables.h"

/* ---- Rules (rules.c, page_rules.tsv) --------------------------------------------------------- */

/** What a rule does. Those from TG_RULE_RE on have a pattern. */
typedef enum {
    TG_RULE_END,     /**< nothing: it is the last one */
    TG_RULE_WORD,    /**< a word becomes another */
    TG_RULE_FOLD,    /**< words get this between them, white space else goes */
    TG_RULE_TRIM,    /**< white space around the text goes */
    TG_RULE_USE,     /**< the rules of another name are applied */
    TG_RULE_AGAIN,   /**< those up to here are applied again, until nothing changes */
    TG_RULE_NUMBER,  /**< the text is a number, and becomes the character that has it */
    TG_RULE_LOWER,   /**< letters become small */
    TG_RULE_COMPOSE, /**< characters are composed (NFC) */
    TG_RULE_RE,      /**< matches are replaced */
    TG_RULE_WITHIN,  /**< each match is changed by the rules of another name */
    TG_RULE_LOOKUP,  /**< by those that have its group as name; if none have it becomes this */
    TG_RULE_STOP,    /**< the rules that follow are left out if it matches */
    TG_RULE_SPLIT,   /**< the text is cut at matches, for tg_rule_split() */
} TgRuleKind;

typedef struct {
    TgRuleKind kind;
    gboolean raw; /* of bytes, not of characters */
    const char *what, *with;
    gsize regex; /* compiled when it is first used */
} TgRule;

/** The rules of a name, which go one by one. */
typedef struct {
    const char *name;
    TgRule *rules;
} TgRules;

extern TgRules tg_rules[]; /**< sorted by name */
extern const guint tg_n_rules;

/** Places of a match in bytes: [2 * n] and [2 * n + 1] of group n, -1 where it took no part. */
typedef int TgSpans[8];

/** Search the first pattern of this name from byte @from on. A search that takes too long finds
 * nothing. */
gboolean tg_rule_find(const char *name, const GString *text, gsize from, TgSpans spans);

/** How often patterns of this name match. */
guint tg_rule_count(const char *name, const char *text);

/** Apply all rules of this name; on a copy (transfer full). */
void tg_rule_apply(const char *name, GString *text);
GString *tg_rule_made(const char *name, const char *text);

/** Replace what the first pattern of this name matches by what a function appends. */
void tg_rule_replace(const char *name, GString *text, GRegexEvalCallback replace, gpointer data);

/** Apply the rules and cut where the last one matches, keeping groups; if it names others they are
 * applied to the parts, and those that are empty then left out. (transfer full) */
char **tg_rule_split(const char *name, const char *text);

/**
 * The end of the pair that opens at @at: the first rule of this name whose word stands there and
 * whose second one follows somewhere.
 *
 * @missing: (inout) bits of rules that close nowhere from there on, at first 0
 * @rule: (out) that rule; or the first that opens there where none closes; or NULL
 */
const char *tg_rule_pair(const char *name, const char *at, guint64 *missing, const TgRule **rule);

/* ---- Elements of the truth (pages.c) and items of a page (page_items.c) ---------------------- */

#define TG_PAGE_FORMULA "equation_isolated"

/** A piece of a page, or an element of its truth; positions in code points. */
typedef struct TgPageItem {
    const char *category; /**< "text_all", "equation_isolated", "formula_rescue", "html_table"; of
                               the truth its own */
    const char *kind;     /**< "equation_inline", ...; NULL: none */
    glong start, end;
    char *content;
    gboolean is_silent; /**< of a kind of the truth that only takes items away */
    double order;       /**< in the truth; 0: none */

    /* While it is matched: */
    const struct TgPageForm *form;            /**< normal form */
    guint place;                              /**< among the items that have a normal form */
    struct TgPageItem *source, *taken_source; /**< of the page, and what it is taken for or NULL */
    const char *rows;                         /**< of a formula, with U+001E between them */
    const char *own_kind;                     /**< its kind on the page, or category */
    guint state, number, n_more;              /**< for page_match.c */
} TgPageItem;

/** No more are taken: what comes last are texts. */
#define TG_PAGE_MAX_ITEMS 50000u

/**
 * The items of a page, grouped by category.
 *
 * @cut: (out) whether the page is too long, and read as empty, or has too many items
 *
 * Returns: (transfer full) (element-type TgPageItem)
 */
GArray *tg_page_items(const char *markdown, gsize len, gboolean *cut);

/* ---- extract.c ---- */

/** Larger documents are refused, in bytes. */
#define TG_DOCUMENT_MAX (16u << 20)

/**
 * The displayed formulas of a document, and others where @with_inline, in order.
 *
 * LaTeX: comments, `\iffalse`, verbatim text and package code are skipped, the author's macros
 * are expanded, and formulas are taken from after `\begin{document}` where there is one. Markdown:
 * code and HTML comments are skipped. In both, a formula ends at its own delimiter, the first
 * one that comes.
 *
 * @text: @len bytes, TG_DOCUMENT_MAX at most
 * @macros: LaTeX with definitions that hold for the document, too
 *
 * Returns: (transfer full) a list of {"line", "kind", "environment", "latex"}: where it starts in
 * the file, from 1; "display" or "inline"; what is around it ("align*", "$$", ...); the formula on
 * one line without labels, tags and outer delimiters, missing where it is not closed before the end
 * of its paragraph. NULL with TG_ERROR_INPUT: not UTF-8, macros without end
 */
json_t *tg_document_extract(const char *text, gsize len, gboolean markdown, const char *macros,
                            gboolean with_inline, GError **error);

/** The characters of a text, numbered in the order in which they come up, from 1. */
TgSequence tg_number_characters(TgArena *arena, const char *text, TgPairTable *numbers);

/* ---- Pages (pages.c, page_match.c) ---------------------------------------------------------- */

/** Pages in Markdown that are longer are scored as empty, in bytes; of others 50,000 formulas and
 * texts are read, formulas first. */
#define TG_PAGE_MAX (16u << 20)

/** A page of the truth. */
typedef struct {
    char *name;       /**< the last part of `page_info.image_path` */
    char *attributes; /**< as OmniDocBench groups by them: "data_source: book; ...", "special_issue"
                           ones by their value alone */
    guint
        n_formulas; /**< display formulas that are not ignored; those of several rows count once */
    GArray *truth;  /**< TgPageItem: texts and formulas by order, */
    GStringChunk *strings; /**< and their contents */
} TgPage;

/**
 * Read a truth file: JSON as OmniDocBench.json. Pages stand in the order of the file; an entry that
 * is no page, and a name that occurred, are faults and left out.
 *
 * @faults: gets "FILE: page N: ..." (transfer full)
 *
 * Returns: (transfer full) (element-type TgPage) the pages; or NULL with TG_ERROR_INPUT: a file
 * that cannot be read or is no JSON list, or holds no page
 */
GPtrArray *tg_pages_load(const char *path, GPtrArray *faults, GError **error);

/** The file of a page in a model's folder, or NULL where there is none: for NAME.jpg NAME.md,
 * then NAME.mmd, NAME.md (both without ".pdf"), NAME.jpg.md. (transfer full) */
char *tg_page_find(const TgPage *page, const char *folder);

/** A truth, and what the page has for it. */
typedef struct {
    const char *gt, *pred;    /**< as they are scored; pred "" for a truth without partner */
    int gt_idx;               /**< place in the truth after rows were split; -1: none */
    TgPageItem *const *preds; /**< the page's items, n_pred of them; none without partner */
    guint n_pred;
    double order;          /**< of the truth; 0: none */
    const char *pred_type; /**< "equation_isolated", "equation_inline", "" */
    double match_edit;     /**< distance when they were matched, 0 to 1 */
    guint32 edits;         /**< edit distance of the normal forms, */
    guint32 length;        /**< and the longer length: the score is edits / length */
} TgPageRow;

typedef struct {
    /** The page is read in part (see TG_PAGE_MAX), or there is more to match than a page has: more
     * than 1,000,000 pairs of texts, or 2 * 10^10 pairs of characters in all. Ways of matching that
     * take more are left out; formulas are paired in their order unless another is as good. */
    gboolean is_cut;
    const char *choice;    /**< the way of matching that won, as OmniDocBench calls it; or NULL */
    const TgPageRow *rows; /**< in the order of the official rows */
    guint n_rows;
    GPtrArray *extras; /**< display formulas that no row takes: nobody scores them */
} TgPageMatch;

/**
 * Match a page. Any bytes do: what is not UTF-8 becomes U+FFFD.
 *
 * @markdown: @len bytes; a page that is missing is ""
 *
 * Time is bounded (see is_cut); threads may match the same page.
 *
 * Returns: (transfer full)
 */
TgPageMatch *tg_page_match(const TgPage *page, const char *markdown, gsize len);

void tg_page_match_free(TgPageMatch *match);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgPageMatch, tg_page_match_free)
