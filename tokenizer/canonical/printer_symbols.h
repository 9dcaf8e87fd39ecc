/* Writing symbols, named operators and accents as LaTeX. */
#pragma once

#include "tokenizer/canonical/latex_writer.h"

/** A SYMBOL in the alphabet in force. */
void tg_latex_put_plain_symbol(TgLatexWriter *self, const TgNode *node);

/** A SYMBOL; as \mathbf{x} where its alphabet is not the one in force. */
void tg_latex_put_symbol(TgLatexWriter *self, const TgNode *node);

/** {..}, or \mathbf{..} when all in the LIST is bold. */
void tg_latex_put_group(TgLatexWriter *self, const TgNode *list);

/** A delimiter, `.` for NULL. */
void tg_latex_put_delimiter(TgLatexWriter *self, const TgNode *delimiter);

/** An OPERATOR. */
void tg_latex_put_operator(TgLatexWriter *self, const TgNode *node);

/** An ACCENT of mathematics. */
void tg_latex_put_accent(TgLatexWriter *self, const TgNode *node);
