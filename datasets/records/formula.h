/* Clean-up of formulas that are read: outer math delimiters come off, and by named rules what
 * models write around it and what is no part of its drawing. */
#pragma once

#include <texgauge/types.h>

/** Pairs of delimiters that come off at most. */
#define TG_DELIMITERS_MAX_PAIRS 8

/**
 * The part of a formula inside its outer math delimiters.
 *
 * White space at both ends comes off, then one outer pair, again and again:
 *
 * - `$$...$$`, `$...$`, `\[...\]`, `\(...\)`;
 * - `\begin{X}...\end{X}` with X one of equation, displaymath, math;
 * - the same with X one of align, flalign, gather, multline, eqnarray, where the body is a single
 *   cell: no `&` and no `\\` outside braces and inner environments.
 *
 * A star may follow each environment's name but math and displaymath, and spaces may surround
 * braces, as in tokenised data. A pair comes off only where its two ends are partners: `$a$ and
 * $b$` stays as it is, and so does `\[a\]\[b\]`. The end of the text closes a pair even where a
 * brace inside is open, so that a broken prediction loses its delimiters as its reference does. An
 * alignment of several cells stays whole, as its rows and columns are part of the picture. So the
 * rule only takes text away from both ends, and what is drawn does not change (but for an equation
 * number).
 *
 * White space is ASCII white space; a space after a final backslash belongs to `\ ` and stays, and
 * so does a control character that an escape left of a command (see tg_escaped_letter()).
 *
 * @text: @len bytes of UTF-8, need not end in NUL
 * @inner_len: (out) length of the part
 *
 * Returns: its beginning inside @text. Linear in @len.
 */
const char *tg_delimiters_strip(const char *text, gsize len, gsize *inner_len);

/* ---- what models and programs write around a formula, or do to it ---- */

/**
 * The formula in a model's answer, found in the first of @ways that finds one: the content of the
 * last \\boxed{...} ("boxed"); of the last code fence, or a display in it ("fence"); the last
 * display: $$, \\[, or an environment, which stays ("display"); the last $...$ or \\(...\\)
 * ("inline"); the whole if it is nothing but a formula ("bare"); or the whole, whatever it is
 * ("whole"). The text before the last "</think>" is left out, and everything after a "<think>" that
 * is never closed, all outside the last "<answer>" and "</answer>", and of a long answer all but
 * its last 256 KiB.
 *
 * @ways: NULL last
 * @n: (out) its length
 * @way: (out) the way that found it, or why there is none; static
 *
 * Returns: its beginning inside @text, or NULL. Linear in @len.
 */
const char *tg_answer_find(const char *text, gsize len, const char *const *ways, gsize *n,
                           const char **way);

/** Signs that a text is not, or not only, the formula that was meant. */
enum {
    TG_SIGN_THINK = 1 << 0,       /**< <think> */
    TG_SIGN_SPECIAL = 1 << 1,     /**< tokens such as <|im_end|>, <latex> */
    TG_SIGN_ENTITY = 1 << 2,      /**< &lt; */
    TG_SIGN_ESCAPE = 1 << 3,      /**< a control character that ate the first letter of a command */
    TG_SIGN_DOUBLED = 1 << 4,     /**< every command has two backslashes */
    TG_SIGN_PROSE = 1 << 5,       /**< words, or marks of Markdown or HTML, around the formula */
    TG_SIGN_NOTHING = 1 << 6,     /**< "nan", "None" */
    TG_SIGN_LIST = 1 << 7,        /**< the text of a Python list */
    TG_SIGN_FENCE = 1 << 8,       /**< a code fence somewhere */
    TG_SIGN_SPREADSHEET = 1 << 9, /**< what Excel makes of a text: "#NAME?", "02-Jan", "1E+11" */
    TG_SIGN_MATHML = 1 << 10,     /**< <math> */
};

/** The signs in @len bytes of UTF-8; TG_SIGN_PROSE is looked for in predictions only. Linear. */
guint tg_signs_of(const char *text, gsize len, gboolean is_prediction);

/** The letter of the command that the control character at @c has eaten, as a form feed before
 * "rac" has; NUL: none. */
char tg_escaped_letter(const char *c, const char *end);

/** @text as the rules of --clean for these signs leave it. (transfer full) */
char *tg_clean_think(const char *text);
char *tg_clean_special(const char *text);
char *tg_clean_entities(const char *text);
char *tg_clean_escapes(const char *text);
char *tg_clean_answer(const char *text);

/* ---- rules ---- */

/**
 * Read "RULE,RULE...": think, tokens, entities, fences, dollars, brackets, parens, tags, labels,
 * nonumber, punctuation; all for all of these; escapes; answer; omnidocbench for what
 * OmniDocBench 1.6 does; none. docs/reference/formats.md says what each takes off. NULL is none.
 *
 * @out: (out) a set of rules; 0: none
 *
 * Returns: FALSE with TG_ERROR_USAGE
 */
gboolean tg_clean_parse(const char *text, guint *out, GError **error);

/** The rules of a set as tg_clean_parse() reads them, in one order; NULL for none. (transfer full)
 */
char *tg_clean_name(guint rules);

/** Whether a set takes code fences off. */
gboolean tg_clean_has_fences(guint rules);

/** The signs that a set of rules takes care of. */
guint tg_clean_signs(guint rules);

/** Whether a prediction begins with a code fence. */
gboolean tg_clean_is_fenced(const char *text);

/**
 * @text without what the rules take off. fences, think and answer change predictions alone.
 *
 * @text: @len bytes of UTF-8
 *
 * Returns: (transfer full). Linear in @len.
 */
char *tg_clean_apply(guint rules, gboolean is_prediction, const char *text, gsize len);
