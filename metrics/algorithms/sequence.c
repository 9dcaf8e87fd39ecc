/* A token sequence for the algorithms: token ids and a bound on them. */
#include "metrics/algorithms/sequence.h"

void tg_sequence_trim_end(TgSequence *a, TgSequence *b)
{
    while (a->n > 0 && b->n > 0 && a->ids[a->n - 1] == b->ids[b->n - 1]) {
        a->n--;
        b->n--;
    }
}

void tg_sequence_trim_start(TgSequence *a, TgSequence *b)
{
    const guint32 least = MIN(a->n, b->n);
    guint32 common = 0;

    while (common < least && a->ids[common] == b->ids[common])
        common++;
    if (common == 0)
        return; /* nor move a null pointer */
    a->ids += common;
    a->n -= common;
    b->ids += common;
    b->n -= common;
}
