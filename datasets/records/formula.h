/* What comes off a formula that is read: outer math delimiters, and by named rules what models
 * write around it and what is no part of its drawing. */
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
 * brace inside is open, so a broken prediction loses its delimiters as its truth does. An alignment
 * of several cells stays whole, as its rows and columns are part of the picture. So the rule only
 * takes text away from both ends, and what is drawn does not change (but for an equation number).
 *
 * White space is ASCII white space; a space after a final backslash belongs to `\ ` and stays.
 *
 * @text: @len bytes of UTF-8, need not end in NUL
 * @inner_len: (out) length of the part
 *
 * Returns: its beginning inside @text. Linear in @len.
 */
const char *tg_delimiters_strip(const char *text, gsize len, gsize *inner_len);

/**
 * Read "RULE,RULE...": fences, dollars, brackets, parens, tags, labels, nonumber, punctuation; all
 * for all of these; omnidocbench for what OmniDocBench 1.6 does; none. docs/reference/formats.md
 * says what each takes off. NULL is none.
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

/** Whether a prediction begins with a code fence. */
gboolean tg_clean_is_fenced(const char *text);

/**
 * @text without what the rules take off. Rules only delete; fences come off predictions alone.
 *
 * @text: @len bytes of UTF-8
 *
 * Returns: (transfer full). Linear in @len.
 */
char *tg_clean_apply(guint rules, gboolean is_prediction, const char *text, gsize len);
