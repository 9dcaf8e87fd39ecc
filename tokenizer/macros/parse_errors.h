/* Collects the faults that reading a formula meets, and decides whether reading goes on. */
#pragma once

#include <texgauge/formula.h>

#include "core/arena.h"
#include "tokenizer/tree/tree.h"

/** The faults of one formula. */
typedef struct {
    TgArena *arena; /**< holds the faults and their messages */
    const char *source;
    gsize len;
    gboolean strict;      /**< the first fault stops */
    gboolean stopped;     /**< nothing more is read or reported */
    gboolean limit;       /**< stopped by a bound: an error in both modes */
    TgParseError *faults; /**< @n of them, in @arena */
    guint n, max;
    gsize offset;   /**< where the last column was counted */
    guint32 column; /**< of @offset */
} TgParseErrors;

void tg_parse_errors_init(TgParseErrors *errors, TgArena *arena, const char *source, gsize len,
                          gboolean strict);

/**
 * Report a fault; nothing happens once reading has stopped.
 *
 * @kind: TG_PARSE_LIMIT stops in both modes
 * @start, @end: span in the source
 * @format: the sentence, without full stop and column
 *
 * Returns: its index
 */
guint32 tg_parse_errors_add(TgParseErrors *errors, TgParseErrorKind kind, guint32 start,
                            guint32 end, const char *format, ...) G_GNUC_PRINTF(5, 6);

/** The faults of @tree in their public form, @n (out) of them, in @arena. */
TgFormulaFault *tg_tree_faults(const TgTree *tree, TgArena *arena, guint *n);
