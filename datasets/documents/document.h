/* The inner parts of documents.h: first the parts that both protocols share, then the parts of the
 * CDM paper, then the parts of OmniDocBench 1.6 (9dc1dec, 2026-06-11, quick_match), whose defects
 * are reproduced. All texts are UTF-8; positions in pages are counted in code points. */
#pragma once

#include <jansson.h>

#include <texgauge/types.h>

#include "core/vocab.h"
#include "metrics/algorithms/algorithms.h"

/* ---- Words and texts (words.c, page_words.tsv) ----------------------------------------------- */

/** Lists of words; page_words.tsv describes them. */
typedef enum {
    TG_WORDS_DELIMITERS,
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
    TG_WORDS_HTML_FRAMES,
    TG_WORDS_DESCRIPTIONS,
    TG_WORDS_ENTITIES,
    TG_WORDS_VOID,
    TG_WORDS_REGIONS,
    TG_WORDS_DISPLAYS,
    TG_WORDS_MATHML,
    TG_WORDS_INLINES,
    TG_WORDS_WRAPPERS,
    TG_N_WORD_LISTS
} TgWordList;

/** A word with its replacement, or with the word that closes it; NULL where a list has only
 * words. */
typedef struct {
    TgWordList list;
    const char *word, *with;
} TgWord;

/** The words of a list, one after the other; the first word of another list ends them. */
const TgWord *tg_words(TgWordList list);

/** The word of a list that is the @n bytes at @name; NULL: none is. */
const TgWord *tg_word_named(TgWordList list, const char *name, gsize n);

/** The first word of a list that stands at a place, or anywhere in a text; NULL if there is none.
 */
const TgWord *tg_word_at(TgWordList list, const char *at);
const TgWord *tg_word_in(TgWordList list, const char *text);

/** Replace the words of a list everywhere, one word after the other. */
void tg_words_replace(TgWordList list, GString *text);

/**
 * The end of the text that a word opens at @at, behind its closing word `with`: for the first word
 * of the list that stands there and is closed. NULL: none is.
 *
 * @missing: (inout) bits of words whose closing word does not follow, at first 0
 * @found: (out) that word; or the first that opens there if none is closed; or NULL
 */
const char *tg_word_close(TgWordList list, const char *at, guint64 *missing, const TgWord **found);

/** U+0000 in a text is written as in Java's modified UTF-8. No other text has these bytes, because
 * they are not valid UTF-8. GLib decodes them as U+0000. */
#define TG_TEXT_NUL "\xC0\x80"

gboolean tg_text_is_longer(const char *text, glong most); /**< in code points */

/** Whether a file is Markdown by its name, in any case; and the endings for messages. */
gboolean tg_is_markdown_file(const char *path);
#define TG_MARKDOWN_ENDINGS ".md, .mmd or .markdown"

/** A path without its extension. (transfer full) */
char *tg_without_extension(const char *path);

/** White space is the white space of Python (see tg_is_space()). */
gboolean tg_is_blank_at(const char *at);
const char *tg_skip_blanks(const char *at);
const char *tg_skip_blanks_back(const char *start, const char *end); /**< from @end */

gboolean tg_is_digit_at(const char *at); /**< a decimal digit of any script */

/** The number of commands (`\a`) of a text; of bytes that are in @bytes; of words of @least or more
 * Latin letters. */
guint tg_count_commands(const char *text);
guint tg_count_any(const char *text, const char *bytes);
guint tg_count_words(const char *text, guint least);

void tg_text_trim(GString *text); /**< cut white space around it */
GString *tg_text_trimmed(const char *start,
                         const char *end); /**< a part, trimmed (transfer full) */
/** trim, and write @between for white space inside */
void tg_text_fold(GString *text, const char *between);
void tg_text_replace(GString *text, const char *word, const char *with);

/** Cut white space and the spacings of a list, like `\quad` and `~`, from the end. */
void tg_text_cut_spaces(GString *text, TgWordList spaces);

/** The brace that closes the group at @open if the group has no braces inside; else NULL. */
const char *tg_flat_group(const char *open);

/** Appends the replacement of a command with its arguments, and returns the end of the arguments;
 * or returns NULL, so that the command stays. @after: behind the command's name */
typedef const char *(*TgCommandFunc)(const char *after, GString *out, gpointer data);

/** Replace all uses of a command. */
void tg_text_replace_command(GString *text, const char *command, TgCommandFunc replace,
                             gpointer data);

/** A search for a word from places that only go forward. Set @word, zero the rest. */
typedef struct {
    const char *word, *found;
    gboolean asked;
} TgSearch;

/** The first place of the word from @from on, or NULL. All searches together take the time of one
 * search. */
const char *tg_search(TgSearch *search, const char *from);

/** Replace each OPEN...CLOSE, the shortest, from left to right, by its content between the two
 * texts of @around; if @around is NULL, delete it. @in_line: OPEN and CLOSE stand on one line */
void tg_text_replace_enclosed(GString *text, const char *open, const char *close, gboolean in_line,
                              const char *around);

/* ---- Texts by OmniDocBench (page_text.c, latex_text.c, page_rows.c, page_html.c) ------------ */

void tg_text_uncircle(GString *text);     /**< `\textcircled{3}` and U+2462 become 3 */
void tg_text_bare(GString *text);         /**< take delimiters off a formula */
void tg_text_untag(GString *text);        /**< take `\tag{1}`, `\notag`, `\nonumber` out */
void tg_text_formula_form(GString *text); /**< the normal form of a formula */
void tg_text_text_form(GString *text);    /**< the normal form of a text */
void tg_text_inline(GString *text);       /**< inline formulas of a text as characters */

/** For each place the place of the brace that closes the brace there; 0 for other characters.
 * (transfer full) */
guint *tg_closing_braces(const char *text);

/** Convert LaTeX to characters; where it must stay LaTeX, only trim it. */
void tg_latex_to_text(GString *text);

/** The rows of a formula, if it has two or more that are formulas of their own. (transfer full)
 * NULL: the rows are one formula. */
char **tg_formula_rows(const char *formula);

/** Rows as one formula without delimiters. (transfer full) */
char *tg_formula_of_rows(const char *const *rows, guint n);

/** Case distinctions that are logic become arrays. Returns whether there were any. */
gboolean tg_formula_logic_form(GString *formula);

/** Write a text that may be a formula without delimiters as a display; tg_page_rescue() returns
 * FALSE for a text that does not look like a formula. */
void tg_page_sanitize(GString *text);
gboolean tg_page_rescue(GString *text);

/** The text of each cell of a table, up to 120 characters; longer ones are empty.
 * (transfer container) (element-type GString), whose texts the caller frees, too */
GPtrArray *tg_html_cells(const char *html);

/** Trim the lines of a paragraph; replace HTML by its text. */
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
    /** of a kind of the reference whose elements only take items away and are not scored */
    gboolean is_silent;
    double order; /**< order in the reference; 0: none */

    /* While the item is matched: */
    const struct TgPageForm *form; /**< normal form */
    guint place;                   /**< among the items that have a normal form */
    /** the page item that this one comes from / the item that the original program mistakes for
     * that one; may be NULL */
    struct TgPageItem *source, *taken_source;
    /** the formulas that this one consists of, NULL last; or NULL */
    const char *const *rows;
    const char *own_kind;        /**< its kind on the page, or category */
    guint state, number, n_more; /**< for page_match.c */
} TgPageItem;

/** The maximum number of items of a page. Texts are found last, so that texts are left out first.
 */
#define TG_PAGE_MAX_ITEMS 50000u

/**
 * The items of a page, grouped by category.
 *
 * @cut: (out) whether the page is too long, so that it is read as empty, or has too many items
 *
 * Returns: (transfer full) (element-type TgPageItem)
 */
GArray *tg_page_items(const char *markdown, gsize len, gboolean *cut);

/* ---- extract.c ---- */

/** The maximum size of a document in bytes; larger ones are refused. */
#define TG_DOCUMENT_MAX (16u << 20)

/**
 * The displayed formulas of a document, and others where @with_inline, in order.
 *
 * LaTeX: comments, `\iffalse`, verbatim text and package code are skipped, the author's macros are
 * expanded, and formulas are taken from after `\begin{document}` where there is one. Markdown: code
 * and HTML comments are skipped. In both, a formula ends at the first delimiter that closes it and
 * is not in braces of text.
 *
 * @text: @len bytes, TG_DOCUMENT_MAX at most
 * @macros: LaTeX whose macro definitions also apply to the document
 *
 * Returns: (transfer full) a list of {"line", "kind", "environment", "latex"}: the line in the file
 * where it starts, from 1; "display" or "inline"; the delimiters around it ("align*", "$$", ...);
 * the formula on one line without labels, tags and outer delimiters, missing where it is not closed
 * before the end of its paragraph. NULL with TG_ERROR_INPUT: not UTF-8, macros without end
 */
json_t *tg_document_extract(const char *text, gsize len, gboolean markdown, const char *macros,
                            gboolean with_inline, GError **error);

/** The characters of a text as numbers: each new character gets the next number, from 1. */
TgSequence tg_number_characters(TgArena *arena, const char *text, TgVocab *numbers);

/* ---- Pages (pages.c, page_match.c) ---------------------------------------------------------- */

/** The maximum size of a page in Markdown, in bytes; longer pages are scored as empty. Of other
 * pages 50,000 formulas and texts are read, formulas first. */
#define TG_PAGE_MAX (16u << 20)

/** A page of the reference. */
typedef struct {
    char *name;       /**< the last part of `page_info.image_path` */
    char *attributes; /**< as OmniDocBench groups by them: "data_source: book; ...", "special_issue"
                           ones by their value alone */
    guint
        /** display formulas that are not ignored; a formula of several rows counts once */
        n_formulas;
    GArray *ref;           /**< TgPageItem: texts and formulas by order, */
    GStringChunk *strings; /**< and their contents */
} TgPage;

/**
 * Read a reference file: JSON as OmniDocBench.json, or JSON lines, a page each. Pages stand in the
 * order of the file; an entry that is no page, a page with the name of an earlier one, and a
 * formula without LaTeX are faults and left out.
 *
 * @faults: gets "FILE: page N: ..." (transfer full); nothing where no entry is a page
 * @notes: the same of elements that count otherwise than a user may expect
 *
 * Returns: (transfer full) (element-type TgPage) the pages; or NULL with TG_ERROR_INPUT: a file
 * that cannot be read or is no JSON, or holds no page
 */
GPtrArray *tg_pages_load(const char *path, GPtrArray *faults, GPtrArray *notes, GError **error);

/** The files of a page in a model's folder, as OmniDocBench, Marker and MinerU name them; the first
 * counts. (transfer full) */
GPtrArray *tg_page_find(const TgPage *page, const char *folder);

/** Return FALSE with an @error that says that a folder has none of the pages, which names it needs
 * and which it has. */
gboolean tg_pages_fail_to_find(const GPtrArray *pages, const char *folder, const char *ref,
                               GError **error);

/** A formula of the reference, and the items of the page that it is paired with. */
typedef struct {
    const char *ref, *hyp; /**< the texts that are scored; hyp is "" without a partner */
    /** its place in the reference after formulas were split into rows; -1: none */
    int ref_idx;
    TgPageItem *const *items; /**< the page's items, n_items of them; none without a partner */
    guint n_items;
    double order;         /**< order in the reference; 0: none */
    const char *hyp_type; /**< "equation_isolated", "equation_inline", "" */
    double match_edit;    /**< the distance by which they were matched, 0 to 1 */
    guint32 edits;        /**< edit distance of the normal forms; */
    guint32 length;       /**< length of the longer form: the score is edits / length */
} TgPageRow;

typedef struct {
    /** Only a part of the page was used: the page is read in part (see TG_PAGE_MAX), or matching
     * needs more than 1,000,000 pairs of texts, or 2 * 10^10 pairs of characters in all. Ways of
     * matching that need more are left out; formulas are then paired in their order unless another
     * way is as good. */
    gboolean is_cut;
    const char *choice;    /**< OmniDocBench's name of the way of matching that won; or NULL */
    const TgPageRow *rows; /**< in the order of the official rows */
    guint n_rows;
    /** display formulas of the page that are in no row, so that they are not scored */
    GPtrArray *extras;
} TgPageMatch;

/**
 * Match a page. Any bytes may occur: bytes that are not UTF-8 become U+FFFD.
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
