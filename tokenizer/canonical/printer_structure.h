/* Writing scripts, fractions, roots, stacks and delimiters as LaTeX: a function for each kind. */
#pragma once

#include "tokenizer/canonical/latex_writer.h"

void tg_latex_put_scripts(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_sideset(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_fraction(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_radical(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_stretch(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_stack(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_arrow(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_big(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_delimited(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_bold(TgLatexWriter *self, const TgNode *node);
