/* Groups of edits: what the search for slips has in hand, and what a slip costs. */
#pragma once

#include <string.h>

#include "metrics/forte/align.h"

/** The lists, their edits, and how much more may be aligned to explain them. */
typedef struct {
    const TgForteTables *tables;
    const GArray *ref, *hyp;
    GArray *edits;
    guint32 n_groups;
    gsize cells; /**< products of lengths */
} TgForteGroups;

/** Tokens or edits from @start to before @end. */
typedef struct {
    guint32 start, end;
} TgForteRange;

/** A slip that is not a group yet. */
typedef struct {
    TgForteSlip slip;
    guint32 parts[2];
    double rest;
} TgForteGroup;

static inline const TgForteToken *tg_forte_at(const GArray *tokens, guint32 i)
{
    return &g_array_index(tokens, TgForteToken, i);
}

static inline TgForteEdit *tg_forte_edit_at(const TgForteGroups *self, guint e)
{
    return &g_array_index(self->edits, TgForteEdit, e);
}

static inline gboolean tg_forte_begins(const TgForteToken *token)
{
    return token->kind == TG_FORTE_OPEN || token->kind == TG_FORTE_GRID ||
           token->kind == TG_FORTE_SCRIPT;
}

static inline gboolean tg_forte_ends(const TgForteToken *token)
{
    return token->name == TG_FORTE_FINISH || token->name == TG_FORTE_CLOSE;
}

/** Whether @n tokens are the same in both lists. */
gboolean tg_forte_same_tokens(const GArray *a, guint32 at_a, const GArray *b, guint32 at_b,
                              guint32 n);

/** What losing all tokens of a range costs. */
double tg_forte_cost_of_range(const GArray *tokens, TgForteRange range);

/**
 * What aligning a range of the reference with one of the hypothesis costs; INFINITY where that is
 * more than @self may still align.
 */
double tg_forte_cost_of_ranges(TgForteGroups *self, TgForteRange ref, TgForteRange hyp);

/** Make the edits of @n ranges one slip, where they are not part of one. */
void tg_forte_make_group(TgForteGroups *self, const TgForteRange *ranges, guint n,
                         const TgForteGroup *group);

/**
 * The edits between two ranges of tokens: none of them is part of a slip or of what is outside.
 *
 * @cost: (out) their sum
 *
 * Returns: FALSE where there are none
 */
gboolean tg_forte_edits_between(const TgForteGroups *self, TgForteRange ref, TgForteRange hyp,
                                TgForteRange *edits, double *cost);

/** What @group costs for edits whose costs are @sum together; more than @sum: it explains nothing.
 */
double tg_forte_price_of_group(const TgForteGroup *group, double sum);
