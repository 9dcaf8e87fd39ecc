/* Writing spaces, styles, colours, boxes and rules as LaTeX: a function for each kind. */
#pragma once

#include "tokenizer/canonical/latex_writer.h"

/** {mathematics} or {text}, as @body is. */
void tg_latex_put_box_argument(TgLatexWriter *self, const TgNode *body);

void tg_latex_put_space(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_color(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_phantom(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_vcenter(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_lap(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_raise(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_enclose(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_rule(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_break(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_error(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_style(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_size(TgLatexWriter *self, const TgNode *node);
void tg_latex_put_tag(TgLatexWriter *self, const TgNode *node);
