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

/* ---- Elements (chemistry_element.c) ---------------------------------------------------------- */

/** Where in a formula reading is. */
typedef enum {
    TG_CHEM_AT_START,       /**< nothing of an element yet */
    TG_CHEM_AT_ELEMENT,     /**< inside or behind one */
    TG_CHEM_AT_PARENTHESIS, /**< behind (, which may begin an amount */
    TG_CHEM_AT_DOLLARS,     /**< behind $..$ at the start, which may be an amount */
    TG_CHEM_AT_AMOUNT,
    TG_CHEM_AT_BARE_AMOUNT, /**< without a space behind it */
    TG_CHEM_AT_MINUS,       /**< behind -, a bond or a charge */
    TG_CHEM_AT_SUP,         /**< these six: before and behind the first token of a script */
    TG_CHEM_AT_SUP_MORE,
    TG_CHEM_AT_SUB,
    TG_CHEM_AT_SUB_MORE,
    TG_CHEM_AT_PRESUP,
    TG_CHEM_AT_PRESUP_MORE,
    TG_CHEM_AT_PRESUB,
    TG_CHEM_AT_PRESUB_MORE,
} TgChemState;

/** What is collected of an element until it is written. */
typedef enum {
    TG_CHEM_ELEMENT,
    TG_CHEM_SUP,
    TG_CHEM_SUB,
    TG_CHEM_PRESUP,
    TG_CHEM_PRESUB,
    TG_N_CHEM_PARTS,
} TgChemPart;

/** A formula being read. */
typedef struct {
    TgChemList *out;
    TgTexTokens in;
    guint32 i;
    TgChemState state;
    GArray *parts[TG_N_CHEM_PARTS];  /**< of TgTexToken */
    gboolean begun[TG_N_CHEM_PARTS]; /**< a script has begun, perhaps without a token yet */
    gboolean sup_first;              /**< the superscript was written before any subscript */
    gboolean counter;                /**< the element is a number's letter: italic */
    gboolean locant;        /**< the element written last is one: - behind it is a hyphen */
    gboolean takes_scripts; /**< the item written last is a bracket or a command */
    gboolean bond;          /**< the formula began with - */
    TgTexToken minus;
} TgChemFormula;

/** Whether @tokens are digits and nothing else. */
gboolean tg_chem_is_number(TgTexTokens tokens);

/** A lower-case letter, a number, (a number, a quotient: 1,2-, \alpha-, n-. */
gboolean tg_chem_is_locant(TgTexTokens tokens);

/** A sum of at most two numbers and letters in dollars, which is an amount: $n$, $2-x$. */
gboolean tg_chem_is_amount(TgTexTokens tokens);

/** Write the element with its scripts, if there is anything of it. */
void tg_chem_flush(TgChemFormula *self);

static inline TgTexTokens tg_chem_part(const TgChemFormula *self, TgChemPart part)
{
    const GArray *tokens = self->parts[part];

    return (TgTexTokens){ (const TgTexToken *) tokens->data, tokens->len };
}

static inline gboolean tg_chem_has_no(const TgChemFormula *self, TgChemPart part)
{
    return self->parts[part]->len == 0;
}

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
