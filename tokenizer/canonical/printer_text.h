/* Writing words as LaTeX. */
#pragma once

#include "tokenizer/canonical/latex_writer.h"

/** A CHAR. */
void tg_latex_put_char(TgLatexWriter *self, const TgNode *node);

/** An ACCENT of text. */
void tg_latex_put_text_accent(TgLatexWriter *self, const TgNode *node);

/** A TEXT: \text, \mbox, \makebox, \textbf. */
void tg_latex_put_text(TgLatexWriter *self, const TgNode *node);

/** A MATH: $..$ in text. */
void tg_latex_put_math(TgLatexWriter *self, const TgNode *node);

/** The items of a list of text. */
void tg_latex_put_words(TgLatexWriter *self, const TgNode *list);

/** The body of the TEXT or LIST @node in braces. */
void tg_latex_put_words_argument(TgLatexWriter *self, const TgNode *node);
