/* A token sequence for the algorithms: token ids and a bound on them. */
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

/** Take the longest common end off both. */
void tg_sequence_trim_end(TgSequence *a, TgSequence *b);

/** Take the longest common start off both. */
void tg_sequence_trim_start(TgSequence *a, TgSequence *b);
