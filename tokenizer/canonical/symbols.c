/* Symbols that draw alike under several names: one stands for all. */
#include <stdlib.h>
#include <string.h>

#include "tokenizer/canonical/canonical_private.h"

typedef struct {
    const char *name;
    const char *canonical; /* a command, or a single character that is typed as it is */
} Synonym;

/* In strcmp() order. */
static const Synonym synonyms[] = {
    { "Box", "square" },
    { "Diamond", "lozenge" },
    { "ast", "*" },
    { "dasharrow", "dashrightarrow" },
    { "doteqdot", "Doteq" },
    { "dots", "ldots" },
    { "dotsb", "cdots" },
    { "dotsc", "ldots" },
    { "dotsm", "cdots" },
    { "dotso", "ldots" },
    { "doublecap", "Cap" },
    { "doublecup", "Cup" },
    { "ge", "geq" },
    { "gets", "leftarrow" },
    { "gggtr", "ggg" },
    { "land", "wedge" },
    { "lbrace", "{" },
    { "lbrack", "[" },
    { "le", "leq" },
    { "leadsto", "rightsquigarrow" },
    { "llless", "lll" },
    { "lnot", "neg" },
    { "lor", "vee" },
    { "mathellipsis", "ldots" },
    { "mathparagraph", "P" },
    { "mathsection", "S" },
    { "mathsterling", "pounds" },
    { "ne", "neq" },
    { "owns", "ni" },
    { "rbrace", "}" },
    { "rbrack", "]" },
    { "restriction", "upharpoonright" },
    { "slash", "/" },
    { "to", "rightarrow" },
    { "upvarrho", "uprho" },
    { "upvarsigma", "upsigma" },
    { "varbigtriangledown", "bigtriangledown" },
    { "varbigtriangleup", "bigtriangleup" },
    { "vert", "|" },
    { "|", "Vert" },
};

static int compare_names(const void *key, const void *row)
{
    return strcmp(key, ((const Synonym *) row)->name);
}

/* A character is preferred to the command of that name: `|` is no \|. */
static const TgSymbol *find(const char *name)
{
    const TgSymbol *typed = NULL;

    if (name[1] == '\0' && strchr("{}PS", name[0]) == NULL)
        typed = tg_symbol_find_char((guchar) name[0]);
    return typed != NULL ? typed : tg_symbol_find(name, strlen(name));
}

const TgSymbol *tg_canonical_symbol(const TgSymbol *symbol)
{
    const Synonym *synonym;

    if (symbol->name[1] == '\0' && tg_symbol_find_char((guchar) symbol->name[0]) == symbol)
        return symbol;
    synonym =
        bsearch(symbol->name, synonyms, G_N_ELEMENTS(synonyms), sizeof synonyms[0], compare_names);
    return synonym != NULL ? find(synonym->canonical) : symbol;
}
