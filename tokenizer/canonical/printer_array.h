/* Writing arrays as LaTeX. */
#pragma once

#include "tokenizer/canonical/latex_writer.h"

/** An ARRAY: an environment, \matrix{..}, \substack. */
void tg_latex_put_array(TgLatexWriter *self, const TgNode *node);
