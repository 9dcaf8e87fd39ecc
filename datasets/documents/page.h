/* Inside pages.h: rules, strings, items of a page in Markdown, rows of formulas. All is UTF-8. */
#pragma once

#include <texgauge/types.h>

/* ---- Rules (page_rules.tsv) ----------------------------------------------------------------- */

/** What is looked for, and what it becomes. Rules of a name stand together and go one by one. */
typedef struct {
    const char *name, *word, *pattern, *with; /* a word or a regular expression */
    gboolean raw;                             /* bytes are matched, not characters */
    gsize regex;                              /* compiled when it is first used */
} TgRule;

extern TgRule tg_rules[]; /**< sorted by name */
extern const guint tg_n_rules;

/** Places of a match in bytes: [2 * n] and [2 * n + 1] of group n, -1 where it took no part. */
typedef int TgSpans[8];

/** Search the first pattern of this name from byte @from on. A search that takes too long finds
 * nothing. */
gboolean tg_rule_find(const char *name, const GString *text, gsize from, TgSpans spans);

/** Whether any rule of this name matches, and how often the first does. */
gboolean tg_rule_has(const char *name, const char *text);
guint tg_rule_count(const char *name, const char *text);

/** Replace all matches by all rules of this name; or by so many spaces. */
void tg_rule_apply(const char *name, GString *text);
void tg_rule_blank(const char *name, GString *text);

/**
 * The end of the pair that opens at @at: the first rule of this name whose word stands there and
 * whose second one follows somewhere.
 *
 * @missing: (inout) bits of rules that close nowhere from there on, at first 0
 * @rule: (out) that rule; or the first that opens there where none closes; or NULL
 */
const char *tg_rule_pair(const char *name, const char *at, guint64 *missing, const TgRule **rule);

/* ---- Strings (page_text.c) ------------------------------------------------------------------ */

/** These change a text as OmniDocBench does: */
void tg_page_trim(GString *text);
void tg_page_fold(GString *text, const char *between); /**< words with this between them */
void tg_page_uncircle(GString *text);                  /**< circled numbers and letters */
void tg_page_strip_delimiters(GString *text);          /**< `$$`, `\[`, `\(`, `$` around it */
void tg_page_strip_tags(GString *text);                /**< `\tag{..}`, `\notag`, `\nonumber` */
void tg_page_formula_form(GString *text);              /**< normal form of a formula */
void tg_page_text_form(GString *text);                 /**< normal form of a text */
void tg_page_plain_inline(GString *text);              /**< inline formulas as characters */
void tg_page_plain(GString *text);                     /**< a formula as characters */

/** Delimiters around a text, if they are @text's ends: which, or 4. */
guint tg_page_delimiters(const GString *text, const char **open, const char **close);

/** The rows of a formula of several. */
typedef struct {
    GString *body;
    glong body_start; /**< in the raw text */
    glong suffix_end; /**< place after a number that follows the environment; -1: none */
    GPtrArray *raw;   /**< rows (char *) as they stand in the body */
    GPtrArray *rows;  /**< the same without tags */
} TgPageRows;

/** (transfer full) The rows of a formula, or NULL for one that is not split. */
TgPageRows *tg_page_rows(const char *raw);
void tg_page_rows_free(TgPageRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgPageRows, tg_page_rows_free)

/** Case distinctions that are logic as arrays; FALSE if nothing changed. */
gboolean tg_page_logic_form(GString *text);

/** LaTeX as characters: facts about pylatexenc 2.10 (MIT, Philippe Faist). */
typedef enum {
    TG_LATEX_TEXT,
    TG_LATEX_DROP,
    TG_LATEX_RARE,
    TG_LATEX_ARGS,
    TG_LATEX_STYLE,
    TG_LATEX_ACCENT,
    TG_LATEX_FILL,
    TG_LATEX_LETTERS,
} TgLatexKind;

typedef struct {
    const char *name, *arguments;
    TgLatexKind kind;
    const char *output;
} TgLatexText;

extern const TgLatexText tg_latex_texts[]; /**< sorted by name */
extern const guint tg_n_latex_texts;

/* ---- Elements of the truth (page_truth.c) and items of a page (page_items.c) ----------------- */

#define TG_PAGE_FORMULA "equation_isolated"

/** What is matched: of the truth, or of a page. */
typedef struct {
    const char *text, *kind;
    gboolean is_formula; /**< its normal form is that of a formula */
    gboolean is_silent;  /**< of a kind that only takes predictions away */
    gboolean is_display; /**< a formula between the delimiters of displays */
    double order;        /**< in the truth */
    glong start, end;    /**< in the page, in code points */
    guint source;        /**< place in the pool, or G_MAXUINT */
} TgPageUnit;

/** A piece of a page; positions in code points. */
typedef struct {
    const char *category; /**< "text_all", "equation_isolated", "formula_rescue", "html_table" */
    const char *kind;     /**< "equation_inline", ...; NULL: none */
    glong start, end;
    char *content;
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

/** Whether a text may be a formula without delimiters, and that formula. */
gboolean tg_page_is_formula_like(const char *text);
void tg_page_sanitize(GString *text);
