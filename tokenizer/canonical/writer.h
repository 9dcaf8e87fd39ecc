/* A canonical tree being made. */
#pragma once

#include <texgauge/formula.h>

#include "tokenizer/tree/tree.h"

/** The bits of TgCanonicalRules. */
typedef enum {
    TG_RULE_SYMBOLS,
    TG_RULE_INFIX,
    TG_RULE_GROUPS,
    TG_RULE_PRIMES,
    TG_RULE_LIMITS,
    TG_RULE_STYLES,
    TG_RULE_FENCES,
    TG_RULE_TEXT,
    TG_RULE_TAGS,
    TG_RULE_SPACES,
    TG_RULE_DELIMITERS,
    TG_RULE_COLORS,
    TG_N_CANONICAL_RULES,
} TgCanonicalRuleBit;

typedef struct TgCanonicalWriter TgCanonicalWriter;

/** A canonical tree being made. */
struct TgCanonicalWriter {
    TgTree *tree; /**< new */
    TgCanonicalRules rules;
    guint8 style;    /**< TgStyle in force */
    guint8 alphabet; /**< in force, as it will be when the result is read */
    gboolean text;   /**< words, not mathematics */

    /**
     * The canonical form of a node, in no list; NULL when it goes. A LIST without braces stands for
     * its items. Lists, arrays and nodes call each other through it.
     */
    TgNode *(*write_node)(TgCanonicalWriter *self, const TgNode *node);
};

static inline gboolean tg_canonical_has(const TgCanonicalWriter *self, TgCanonicalRuleBit rule)
{
    return (self->rules & 1u << rule) != 0;
}

/** A copy of @node for the new tree, in no list. */
TgNode *tg_canonical_copy(TgCanonicalWriter *self, const TgNode *node);

/** A copy of @size bytes that lives as long as the new tree; NULL for no bytes. */
gpointer tg_canonical_keep(TgCanonicalWriter *self, gconstpointer data, gsize size);
