/* Reading definitions: \def, \let, \newcommand and related commands. */
#pragma once

#include "tokenizer/macros/expander.h"

/** \def, \gdef, \edef, \xdef: reads name, parameter text and body. */
void tg_define_macro(TgExpander *in, const TgTexToken *command);

/** \newcommand ('n'), \renewcommand ('r'), \providecommand ('p'), with or without star. */
void tg_define_newcommand(TgExpander *in, const TgTexToken *command, char how);

/** \let: reads name, optional = and target. */
void tg_define_let(TgExpander *in, const TgTexToken *command);

/** \DeclareMathOperator: reads star, name and text. */
void tg_define_operator(TgExpander *in, const TgTexToken *command);
