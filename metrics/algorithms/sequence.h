/* A token sequence as the plain algorithms see it: numbers and how large they are. */
#pragma once

#include <texgauge/tokens.h>

typedef struct {
    const guint32 *ids;
    guint32 n;
    guint32 id_bound; /* every id is below */
} TgSequence;

static inline TgSequence tg_sequence(const TgTokens *tokens)
{
    guint n;
    const guint32 *ids = tg_tokens_ids(tokens, &n);

    return (TgSequence){ ids, n, tg_tokens_id_bound(tokens) };
}

/** Whether both hold the same tokens. */
gboolean tg_sequence_equal(TgSequence a, TgSequence b);

/** Cut off the longest common end of both. */
void tg_sequence_trim_end(TgSequence *a, TgSequence *b);

/** Cut off the longest common start of both. */
void tg_sequence_trim_start(TgSequence *a, TgSequence *b);
