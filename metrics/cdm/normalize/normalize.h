/* The official programs' normalizers: from LaTeX to space-separated tokens with all braces, as
 * UniMERNet/cdm at commit 5a2c80d makes them and docs/metrics/cdm.md records it. */
#pragma once

#include <texgauge/types.h>

#include "core/arena.h"

/* ---- Differences between the programs that are called CDM ------------------------------------ */

/** How the strings of a pair are cleaned before they are normalized. */
typedef enum {
    TG_CDM_CLEAN_NOTHING,
    TG_CDM_CLEAN_DOLLARS,  /**< outer dollar signs; a code fence around the prediction */
    TG_CDM_CLEAN_VARIANTS, /**< also tags and delimiters; the better of two spellings counts */
} TgCdmCleaning;

/** The year of the program whose commands and synonyms the textual rules and the element walk
 * know. */
typedef enum {
    TG_CDM_VOCABULARY_2025, /**< UniMERNet since 2025-06-16 */
    TG_CDM_VOCABULARY_2024, /**< before that */
} TgCdmVocabulary;

/** The position check: RANSAC over translation and scale, in rounds. */
typedef struct {
    guint seed;            /**< of numpy's default_rng(): 42 or 2026 */
    guint n_trials;        /**< in each round */
    guint n_sample;        /**< pairs in a sample, 2 or 3; so many pairs have nothing to be compared
                                with */
    guint max_rounds;      /**< groups that are accepted one after the other */
    double tolerance_px;   /**< accepted pairs are nearer than this to where the model puts them */
    gboolean sums_inliers; /**< of equally many, the trial with the smaller sum of the accepted
                                pairs' errors is better; else that of all squared errors */
} TgCdmRansacRules;

/** A program. */
typedef struct {
    const char *name; /**< as the option `dialect` has it */
    TgCdmCleaning cleaning;
    gboolean is_tolerant; /**< LaTeX is read by pylatexenc; else by an old KaTeX */
    TgCdmVocabulary vocabulary;
    double dpi;
    gboolean grows_paper; /**< a formula that is too large for its page is set on larger paper, up
                             to A1, of which all pages count; else nothing of it is found */
    gboolean smooths;     /**< a letter has the pixels with one of 4 x 4 samples inside; else those
                               with their center inside */
    double same_symbol_cost; /**< of two names of one symbol */
    gboolean has_own_order;  /**< in the order term, indices are divided by the length of their own
                                  list; else by that of the longer one */
    TgCdmRansacRules ransac;
    gboolean counts_blank_refs; /**< a pair whose reference has no ink scores 0; else it has none */
} TgCdmDialect;

/** In the order of tg_cdm_dialects. */
typedef enum {
    TG_CDM_UNIMERNET,
    TG_CDM_OMNIDOCBENCH_15,
    TG_CDM_OMNIDOCBENCH_16,
    TG_CDM_N_DIALECTS,
} TgCdmDialectId;

/** Constants for the life of the program; any thread may read them. */
extern const TgCdmDialect tg_cdm_dialects[TG_CDM_N_DIALECTS];

static inline const TgCdmDialect *tg_cdm_dialect(TgCdmDialectId id)
{
    return &tg_cdm_dialects[id];
}

/* ---- A text with the origin of every byte ---------------------------------------------------- */

/** Bytes of a text; none when both are equal. */
typedef struct {
    guint32 start, end;
} TgCdmRange;

static const TgCdmRange tg_cdm_no_origin = { 0, 0 };

/**
 * A text, and if it is traced, for every byte the bytes of the user's string that it comes from:
 * the whole character, or all that a stage replaced at once. What a stage added has no origin.
 */
typedef struct {
    GString *string;
    GArray *origins; /**< of TgCdmRange, one a byte; NULL: not traced */
} TgCdmText;

/** The user's string. */
TgCdmText *tg_cdm_text_new(const char *latex, gboolean traced);

/** An empty text to build what will replace @text. */
TgCdmText *tg_cdm_text_new_like(const TgCdmText *text);
void tg_cdm_text_free(TgCdmText *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCdmText, tg_cdm_text_free)

/** Exchange the contents. */
void tg_cdm_text_swap(TgCdmText *text, TgCdmText *other);

/** The source range of bytes @start to @end; none if @text is not traced. */
TgCdmRange tg_cdm_text_origin(const TgCdmText *text, gsize start, gsize end);

/** Append bytes @start to @end of @from. */
void tg_cdm_text_copy(TgCdmText *out, const TgCdmText *from, gsize start, gsize end);

/** Append @string, which replaces bytes @start to @end of @from. */
void tg_cdm_text_put(TgCdmText *out, const char *string, const TgCdmText *from, gsize start,
                     gsize end);

void tg_cdm_text_append(TgCdmText *out, const char *string, TgCdmRange origin);

/** Put @string in the place of bytes @start to @end. */
void tg_cdm_text_splice(TgCdmText *text, gsize start, gsize end, const char *string);

/** Keep only the bytes @start to @end. */
void tg_cdm_text_keep(TgCdmText *text, gsize start, gsize end);

/** Put @to for every @from, or for the first @limit of them; 0: all. FALSE when there is none. */
gboolean tg_cdm_text_replace(TgCdmText *text, const char *from, const char *to, guint limit);

/**
 * Take out the first stretch that begins with @open and ends with the next @close after it; FALSE
 * when there is none.
 */
gboolean tg_cdm_text_delete_first(TgCdmText *text, const char *open, const char *close);

/** The regular expression @pattern of the calling thread; a dot matches every character. It is
 * compiled at its first use, so this is for constant patterns. */
const GRegex *tg_cdm_regex(const char *pattern);

/** Every match becomes @before, what its @group matches, and @after; FALSE when there is none. */
gboolean tg_cdm_text_replace_around(TgCdmText *text, const GRegex *regex, gint group,
                                    const char *before, const char *after);

/** Keep the words that Python's str.split() finds, joined by single spaces. */
void tg_cdm_text_squeeze(TgCdmText *text);

/** The bytes @at of @string without what Python's str.strip() takes off. */
TgCdmRange tg_cdm_strip(const char *string, TgCdmRange at);

/** The same for all of a text. */
void tg_cdm_text_strip(TgCdmText *text);

/** Whether Python's str.isspace() says so. */
gboolean tg_cdm_is_space(gunichar c);

/* ---- Commands by their arguments, and the braces around these -------------------------------- */

/** The roles in which the official program knows commands. */
typedef enum {
    TG_CDM_ROLE_NONE,
    TG_CDM_ROLE_ONE_VISIBLE,   /**< one argument, draws something of its own: `\hat` */
    TG_CDM_ROLE_ONE_INVISIBLE, /**< one argument and nothing else: `\mathbf` */
    TG_CDM_ROLE_BRACKET,       /**< an optional argument and one: `\sqrt` */
    TG_CDM_ROLE_TWO_VISIBLE,   /**< two arguments: `\frac` */
    TG_CDM_ROLE_TWO_INVISIBLE, /**< `\overset` */
    TG_CDM_ROLE_MULTICOLUMN,   /**< only the last of three arguments is visible */
    TG_CDM_ROLE_PHANTOM,       /**< passed over with the group that follows */
    TG_CDM_ROLE_SKIPPED,       /**< draws nothing: `\quad` */
} TgCdmRole;

TgCdmRole tg_cdm_role(const char *token, gsize length, TgCdmVocabulary vocabulary);

/** Give every command a brace group for each argument; FALSE where braces do not match. */
gboolean tg_cdm_fill_braces(TgCdmText *text, TgCdmVocabulary vocabulary);

/* ---- Normalizing ----------------------------------------------------------------------------- */

/** Facts about a formula beside its tokens. */
typedef struct {
    gboolean is_table;         /**< the letters `tabular` occur in the input */
    gboolean is_chinese;       /**< Han characters occur: set with the CJK template */
    gboolean tokenizer_failed; /**< the tokens are the raw input, split at its spaces only */
} TgCdmNormalized;

/**
 * Clean up, tokenize and normalize one formula: a model of the official program, slips included. It
 * decides what an element is and how it is called, so reproducing scores begins here. It is no
 * parser for any other purpose; that is in tokenizer/.
 *
 * @text: UTF-8; replaced by tokens with single spaces between, one of which may be empty. Those of
 *   a table are not traced any more
 * @out: (out) all of it
 *
 * Returns: TRUE, or FALSE with @error set to TG_ERROR_PARSE where the official program gives up:
 * braces that do not match, an argument after the end
 */
gboolean tg_cdm_normalize(TgCdmText *text, const TgCdmDialect *dialect, TgCdmNormalized *out,
                          GError **error);

/** The first two stages: clean up @text in place and read it, by the reader of @dialect. */
void tg_cdm_read_tokens(TgCdmText *text, const TgCdmDialect *dialect, TgCdmNormalized *out);

/** Longest formula, in characters, that the walker reads. */
#define TG_CDM_GUARD_MAX_LENGTH 20000

/** The readers: TRUE with tokens, a space after each, in @text; FALSE, and @text stays, where the
 * official one fails. The tokens of a table are not printed but listed as they are read. */
gboolean tg_cdm_read_by_katex(TgCdmText *text, gboolean is_table);
gboolean tg_cdm_read_by_walker(TgCdmText *text, gboolean is_table);

/** Rename display environments to those that a parser knows, as both normalizers do before they
 * read; the contents are not searched again. */
void tg_cdm_rename_environments(TgCdmText *text);

/** Delete a comment, and a percent sign that begins the line. */
void tg_cdm_delete_comment(TgCdmText *line);

/** Turn line breaks outside of arrays into thin spaces, at most @rounds of them; 0: all. */
void tg_cdm_replace_line_breaks(TgCdmText *line, guint rounds);

/** Prepare the text of a table for either reader. */
void tg_cdm_prepare_table(TgCdmText *line);

/** Whether @name, without backslash, is an operator that `\operatorname` may spell. */
gboolean tg_cdm_is_operator(const char *name);

/** Enter each of @names, which single spaces part, with @value; the first call makes @table. */
void tg_cdm_add_names(GHashTable **table, const char *names, gconstpointer value);

/** A formula that was read: nodes and texts in an arena, and lists of nodes. */
typedef struct {
    TgArena arena;
    GPtrArray *lists;
} TgCdmPool;

GPtrArray *tg_cdm_pool_list(TgCdmPool *pool);
void tg_cdm_pool_clear(TgCdmPool *pool);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgCdmPool, tg_cdm_pool_clear)

/** Stage 3: apply all rules of the vocabulary, one after the other over the whole text of tokens.
 */
void tg_cdm_apply_rules(TgCdmText *tokens, gboolean is_table, TgCdmVocabulary vocabulary);

/* ---- Spellings of a pair --------------------------------------------------------------------- */

/** The strings of a pair after a program has cleaned them, before it normalizes them; traced. */
typedef struct {
    TgCdmText *ref, *hyp;
    TgCdmText *alternative; /**< another spelling of @hyp, which counts where its F1 is strictly
                                 greater; or NULL */
} TgCdmSpellings;

/** The spellings of a pair. @out: (out) what tg_cdm_spellings_clear() frees */
void tg_cdm_spellings_find(const TgCdmDialect *dialect, const char *ref, const char *hyp,
                           TgCdmSpellings *out);

void tg_cdm_spellings_clear(TgCdmSpellings *spellings);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgCdmSpellings, tg_cdm_spellings_clear)
