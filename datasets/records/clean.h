/* Taking off what models write around a formula and what is no part of its drawing, by named rules.
 */
#pragma once

#include <texgauge/types.h>

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
