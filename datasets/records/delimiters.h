/* The rule by which outer math delimiters are removed from a formula. */
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
 * White space is ASCII white space; a space behind a final backslash belongs to `\ ` and stays.
 *
 * @text: @len bytes of UTF-8, need not end in NUL
 * @inner_len: (out) length of the part
 *
 * Returns: its beginning inside @text. Linear in @len.
 */
const char *tg_delimiters_strip(const char *text, gsize len, gsize *inner_len);
