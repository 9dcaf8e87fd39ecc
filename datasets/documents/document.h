/* The inner parts of documents.h: first those that both protocols share, then those of the CDM
 * paper, then those of OmniDocBench 1.6 (9dc1dec, 2026-06-11, quick_match), whose defects are
 * reproduced. All texts are UTF-8; positions in pages are counted in code points. */
#pragma once

#include <jansson.h>

#include <texgauge/types.h>

#include "metrics/algorithms/algorithms.h"
#include "tokenizer/subword/tables.h"

/* ---- Words and texts (words.c, page_words.tsv) ----------------------------------------------- */

/** Lists of words; page_words.tsv says what they are. */
typedef enum {
    TG_WORDS_CIRCLED,
    TG_WORDS_SIGNS,
    TG_WORDS_DROPPED,
    TG_WORDS_COMPLEX,
    TG_WORDS_MATH,
    TG_WORDS_LIGATURES,
    TG_WORDS_ENVIRONMENTS,
    TG_WORDS_LOGIC,
    TG_WORDS_CASE,
    TG_WORDS_LABEL_SPACES,
    TG_WORDS_MARGIN_SPACES,
    TG_WORDS_OPERATORS,
    TG_WORDS_CELL,
    TG_WORDS_RELATIONS,
    TG_WORDS_NO_ARITHMETIC,
    TG_WORDS_STRONG,
    TG_WORDS_SYMBOLS,
    TG_WORDS_FENCES,
    TG_WORDS_HTML_FRAMES,
    TG_WORDS_DESCRIPTIONS,
    TG_WORDS_ENTITIES,
    TG_WORDS_VOID,
    TG_WORDS_REGIONS,
    TG_WORDS_DISPLAYS,
    TG_WORDS_INLINES,
    TG_WORDS_WRAPPERS,
    TG_N_WORD_LISTS
} TgWordList;

/** A word, and its replacement or the word that closes it; NULL where a list has only words. */
typedef struct {
    TgWordList list;
    const char *word, *with;
} TgWord;

const TgWord *tg_words(TgWordList list, guint *n);

/** The first word of a list that stands at a place, or anywhere in a text; NULL if there is none.
 */
const TgWord *tg_word_at(TgWordList list, const char *at);
const TgWord *tg_word_in(TgWordList list, const char *text);

/** Replace the words of a list everywhere, one word after the other. */
void tg_words_replace(TgWordList list, GString *text);

/**
 * The end of what opens at @at: behind `with` of the first word that stands there and is closed
 * somewhere; or NULL.
 *
 * @missing: (inout) bits of words that are closed nowhere from there on, at first 0
 * @found: (out) that word; or the first that opens there if none is closed; or NULL
 */
const char *tg_word_close(TgWordList list, const char *at, guint64 *missing, const TgWord **found);

/** How U+0000 stands in a text: as in Java's modified UTF-8, which is no UTF-8, so that no other
 * text has it. GLib decodes it as U+0000. */
#define TG_TEXT_NUL "\xC0\x80"

glong tg_text_length(const char *text); /**< in code points */
gboolean tg_text_is_longer(const char *text, glong most);

/** A path without its extension. (transfer full) */
char *tg_without_extension(const char *path);

/** White space is as in Python (see tg_is_space()). */
gboolean tg_is_blank_at(const char *at);
const char *tg_skip_blanks(const char *at);
const char *tg_skip_blanks_back(const char *start, const char *end); /**< from @end */

/** Whether the character at @at is one of these; a decimal digit of any script. */
gboolean tg_is_one_of(const char *at, const char *letters);
gboolean tg_is_digit_at(const char *at);

/** How many decimal digits a text has; commands (`\a`); bytes that are one of @bytes; words of
 * @least or more Latin letters. */
guint tg_count_digits(const char *text);
guint tg_count_commands(const char *text);
guint tg_count_any(const char *text, const char *bytes);
guint tg_count_words(const char *text, guint least);

/** Whether a text has `\frac`, or a slash between digits. */
gboolean tg_has_fraction(const char *text);

void tg_text_trim(GString *text); /**< cut white space around it */
GString *tg_text_trimmed(const char *start,
                         const char *end);             /**< a part, trimmed (transfer full) */
void tg_text_fold(GString *text, const char *between); /**< trim; this for white space inside */
void tg_text_replace(GString *text, const char *word, const char *with);

/** Cut white space and the spacings of a list, like `\quad` and `~`, from the end. */
void tg_text_cut_spaces(GString *text, TgWordList spaces);

/** The brace that closes the group at @open, which has no other braces; NULL: there is none. */
const char *tg_flat_group(const char *open);

/** Appends what stands for a command and its arguments, and returns the end of these; or NULL, and
 * the command stays. @after: behind the command's name */
typedef const char *(*TgCommandFunc)(const char *after, GString *out, gpointer data);

/** Replace a command everywhere. */
void tg_text_replace_command(GString *text, const char *command, TgCommandFunc replace,
                             gpointer data);

/** A search for a word from places that never go back. Set @word, zero the rest. */
typedef struct {
    const char *word, *found;
    gboolean asked;
} TgSearch;

/** The first place of the word from @from on, or NULL. All searches take the time of one. */
const char *tg_search(TgSearch *search, const char *from);

/** Replace each OPEN...CLOSE, the shortest, from left to right, by its content between two of
 * @around; NULL: by nothing. @in_line: no line ends inside */
void tg_text_replace_enclosed(GString *text, const char *open, const char *close, gboolean in_line,
                              const char *around);

/* ---- Texts by OmniDocBench (page_text.c, latex_text.c, page_rows.c, page_html.c) ------------ */

void tg_text_uncircle(GString *text);     /**< `\textcircled{3}` and U+2462 become 3 */
void tg_text_bare(GString *text);         /**< take delimiters off a formula */
void tg_text_untag(GString *text);        /**< take `\tag{1}`, `\notag`, `\nonumber` out */
void tg_text_formula_form(GString *text); /**< the normal form of a formula */
void tg_text_text_form(GString *text);    /**< the normal form of a text */
void tg_text_inline(GString *text);       /**< inline formulas of a text as characters */

/** The places of the braces that close those at a place, 0 for others. (transfer full) */
guint *tg_closing_braces(const char *text);

/** LaTeX as characters, or trimmed as it is where it stays LaTeX. */
void tg_latex_to_text(GString *text);

/** The rows of a formula, if these are formulas of their own, two or more. (transfer full) NULL: it
 * is one formula. */
char **tg_formula_rows(const char *formula);

/** Rows as one formula without delimiters. (transfer full) */
char *tg_formula_of_rows(const char *const *rows, guint n);

/** Case distinctions that are logic become arrays. Returns whether there were any. */
gboolean tg_formula_logic_form(GString *formula);

/** Write a text that may be a formula without delimiters as a display; tg_page_rescue() returns
 * FALSE for a text that is unlike a formula. */
void tg_page_sanitize(GString *text);
gboolean tg_page_rescue(GString *text);

/** The text of each cell of a table, up to 120 characters; longer ones are empty.
 * (transfer container) (element-type GString), whose texts the caller frees, too */
GPtrArray *tg_html_cells(const char *html);

/** A paragraph without white space around its lines; of HTML its text. */
void tg_html_block_text(GString *text);

/* ---- Elements of the reference (pages.c) and items of a page (page_items.c) ------------------ */

#define TG_PAGE_FORMULA "equation_isolated"

/** A piece of a page, or an element of its reference; positions in code points. */
typedef struct TgPageItem {
    const char *category; /**< "text_all", "equation_isolated", "formula_rescue", "html_table"; of
                               the reference its own */
    const char *kind;     /**< "equation_inline", ...; NULL: none */
    glong start, end;
    char *content;
    gboolean is_silent; /**< of a kind of the reference that only takes items away */
    double order;       /**< in the reference; 0: none */

    /* While it is matched: */
    const struct TgPageForm *form;            /**< normal form */
    guint place;                              /**< among the items that have a normal form */
    struct TgPageItem *source, *taken_source; /**< the page item it comes from / the item that the
                                                 original program mistakes it for; may be NULL */
    const char *const *rows;     /**< the formulas that it is made of, NULL last; or NULL */
    const char *own_kind;        /**< its kind on the page, or category */
    guint state, number, n_more; /**< for page_match.c */
} TgPageItem;

/** The most items of a page. Texts come last, so that texts are left out first. */
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

/** A page of the reference. */
typedef struct {
    char *name;       /**< the last part of `page_info.image_path` */
    char *attributes; /**< as OmniDocBench groups by them: "data_source: book; ...", "special_issue"
                           ones by their value alone */
    guint
        n_formulas; /**< display formulas that are not ignored; those of several rows count once */
    GArray *ref;    /**< TgPageItem: texts and formulas by order, */
    GStringChunk *strings; /**< and their contents */
} TgPage;

/**
 * Read a reference file: JSON as OmniDocBench.json. Pages stand in the order of the file; an entry
 * that is no page, and a name that occurred, are faults and left out.
 *
 * @faults: gets "FILE: page N: ..." (transfer full); nothing where no entry is a page
 *
 * Returns: (transfer full) (element-type TgPage) the pages; or NULL with TG_ERROR_INPUT: a file
 * that cannot be read or is no JSON list, or holds no page
 */
GPtrArray *tg_pages_load(const char *path, GPtrArray *faults, GError **error);

/** The file of a page in a model's folder, or NULL where there is none: for NAME.jpg NAME.md,
 * then NAME.mmd, NAME.md (both without ".pdf"), NAME.jpg.md; then as Marker and MinerU write them,
 * NAME/NAME.md, NAME/auto/NAME.md. (transfer full) */
char *tg_page_find(const TgPage *page, const char *folder);

/** FALSE, and say in @error that a folder has none of the pages, what it needs and what it has. */
gboolean tg_pages_fail_to_find(const GPtrArray *pages, const char *folder, const char *ref,
                               GError **error);

/** A formula of the reference, and the items of the page that are its partner. */
typedef struct {
    const char *ref, *hyp;    /**< as they are scored; hyp "" without a partner */
    int ref_idx;              /**< place in the reference after rows were split; -1: none */
    TgPageItem *const *items; /**< the page's items, n_items of them; none without a partner */
    guint n_items;
    double order;         /**< of the reference; 0: none */
    const char *hyp_type; /**< "equation_isolated", "equation_inline", "" */
    double match_edit;    /**< distance when they were matched, 0 to 1 */
    guint32 edits;        /**< edit distance of the normal forms, */
    guint32 length;       /**< and the longer length: the score is edits / length */
} TgPageRow;

typedef struct {
    /** The page is read in part (see TG_PAGE_MAX), or there is more to match than a page has: more
     * than 1,000,000 pairs of texts, or 2 * 10^10 pairs of characters in all. Ways of matching that
     * take more are left out; formulas are paired in their order unless another is as good. */
    gboolean is_cut;
    const char *choice;    /**< the way of matching that won, as OmniDocBench calls it; or NULL */
    const TgPageRow *rows; /**< in the order of the official rows */
    guint n_rows;
    GPtrArray *extras; /**< display formulas that no row takes, so that they are not scored */
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
