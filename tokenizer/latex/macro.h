/* What the expander and the reader of definitions share. */
#pragma once

#include "tokenizer/latex/expander.h"

#define TG_TEX_MAX_ARGS 9

/** What the user defined a command to mean. */
typedef struct {
    TgTexTokens pattern; /**< parameter text: PARAM tokens and delimiters */
    TgTexTokens preset;  /**< of the optional argument */
    TgTexTokens body;
    TgTexToken target; /**< of an alias (\let): what it stands for */
    guint8 n_args;
    guint8 has_preset; /**< the first argument is optional */
    guint8 is_alias;
} TgTexMacro;

/** The user's definition of the command @token, or NULL. */
const TgTexMacro *tg_expander_find(const TgExpander *self, const TgTexToken *token);

/** The tokens collected in the scratch array from @from on, moved to the arena and counted. */
TgTexTokens tg_expander_take_scratch(TgExpander *self, guint from);
