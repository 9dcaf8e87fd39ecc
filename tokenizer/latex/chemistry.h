/* The steps of mhchem's \ce: a reaction is split into formulas, and these are written as nodes. */
#pragma once

#include "tokenizer/latex/handlers.h"

/* ---- Lists (chemistry_list.c) ---------------------------------------------------------------- */

/** A list of the tree being written at its end. */
typedef struct {
    TgParser *parser;
    TgNode *first, *last;
    guint32 n;
    gboolean scripted; /**< the last element has a script */
} TgChemList;

void tg_chem_add(TgChemList *self, TgNode *node);

/** Add @tokens, read as mathematics; letters are in @alphabet. */
void tg_chem_add_run(TgChemList *self, TgTexTokens tokens, TgAlphabet alphabet);

/** Add constant LaTeX at the place of @at. */
void tg_chem_add_latex(TgChemList *self, const char *latex, const TgTexToken *at);

/** Add the symbol @name at the place of @at, set as mhchem does. */
void tg_chem_add_sign(TgChemList *self, const char *name, const TgTexToken *at);

/** The items as a {group} that spans @from to @to. */
TgNode *tg_chem_take(TgChemList *self, const TgTexToken *from, const TgTexToken *to);

/* ---- Scripts (chemistry_script.c) ------------------------------------------------------------ */

/**
 * Whether @tokens are signs and single lower-case letters (n+1), which are then italic.
 */
gboolean tg_chem_is_counted(TgTexTokens tokens);

/** The tokens of a script as LIST; @sup: points are radicals, asterisks excited states. */
TgNode *tg_chem_script(TgParser *parser, TgTexTokens tokens, gboolean sup);

/** Whether @token is a Greek letter, as a command. */
gboolean tg_chem_is_greek(const TgTexToken *token);

/** Add `$..$` (with its dollars): a counter without spaces, or mathematics. */
void tg_chem_add_math(TgChemList *self, TgTexTokens tokens);

/* ---- Formulas (chemistry_formula.c) ---------------------------------------------------------- */

/** Add the formula @tokens, which has no arrows and operators. */
void tg_chem_formula(TgChemList *self, TgTexTokens tokens);

/* ---- Looking --------------------------------------------------------------------------------- */

/** @tokens from @from up to @to. */
static inline TgTexTokens tg_chem_slice(TgTexTokens tokens, guint32 from, guint32 to)
{
    return (TgTexTokens){ tokens.tokens + from, to - from };
}

/** Where what begins at @at ends: behind a {group}, behind `$..$`, or behind the token. */
guint32 tg_chem_end_of(TgTexTokens tokens, guint32 at);

static inline gboolean tg_chem_is_lower(const TgTexToken *token)
{
    return token->kind == TG_TOK_CHAR && token->code >= 'a' && token->code <= 'z';
}
