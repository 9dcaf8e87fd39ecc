/* From a token to what reads it. */
#pragma once

#include "tokenizer/latex/parser.h"

/** The TgItemReader of LaTeX: @token as the mode of the list being read takes it. */
void tg_parser_dispatch(TgParser *self, const TgTexToken *token);
