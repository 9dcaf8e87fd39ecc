/* What the files of the canonical form share. */
#pragma once

#include "tokenizer/canonical/canonical.h"
#include "tokenizer/symbols/symbols.h"

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

/** A canonical tree being made. */
typedef struct {
    TgTree *tree; /**< new */
    TgCanonicalRules rules;
    guint8 style;    /**< TgStyle that TeX is in where we are */
    guint8 alphabet; /**< in force, as it will be when the result is read */
    gboolean text;   /**< words, not mathematics */
} TgCanonicalWriter;

static inline gboolean tg_canonical_has(const TgCanonicalWriter *self, TgCanonicalRuleBit rule)
{
    return (self->rules & 1u << rule) != 0;
}

/** A copy of @node for the new tree, in no list. */
TgNode *tg_canonical_copy(TgCanonicalWriter *self, const TgNode *node);

/** The canonical form of a list; NULL gives NULL. */
const TgNode *tg_canonical_list(TgCanonicalWriter *self, const TgNode *list);

/** The same in another style. */
const TgNode *tg_canonical_list_in(TgCanonicalWriter *self, const TgNode *list, guint8 style);

/**
 * The canonical form of a node, in no list; NULL when it goes (canonical_node.c). A LIST without
 * braces stands for its items.
 */
TgNode *tg_canonical_node(TgCanonicalWriter *self, const TgNode *node);

/** The group @group as an item: without braces when they change nothing. */
TgNode *tg_canonical_group(TgCanonicalWriter *self, const TgNode *group);

/** What the scripts @around hang on; a group of its own where it was NULL or needs braces. */
const TgNode *tg_canonical_nucleus(TgCanonicalWriter *self, const TgNode *nucleus,
                                   const TgNode *around);

/** Whether @node is an ordinary atom. */
gboolean tg_canonical_is_ord(const TgNode *node);

/** The canonical form of an array (canonical_array.c). */
const TgArray *tg_canonical_array(TgCanonicalWriter *self, const TgArray *array);
