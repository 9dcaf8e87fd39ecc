/* Clipped n-gram matches against counting by hand and by strings. */
#include "tests/support/test_support.h"

#include "core/random.h"
#include "metrics/algorithms/algorithms.h"
#include "metrics/base/base.h"
#include "tests/support/cpu_time.h"

#define MAX_LEN  120
#define MAX_REFS 3
#define N_ROUNDS TG_SHORTENED(40)

static void assert_matches(const guint32 *ids, guint n_refs, const guint32 lengths[], guint order,
                           const guint32 wanted[])
{
    TgArena arena = { 0 };
    TgSequence refs[MAX_REFS], hyp;
    guint32 got[TG_MAX_ORDER];

    for (guint r = 0; r < n_refs; ids += lengths[r++])
        refs[r] = (TgSequence){ ids, lengths[r], 10 };
    hyp = (TgSequence){ ids, lengths[n_refs], 10 };
    tg_ngram_matches(&arena, refs, n_refs, hyp, order, got);
    for (guint n = 0; n < order; n++)
        assert_int_equal(got[n], wanted[n]);
    tg_arena_clear(&arena);
}

/* The worked counts of the sacRebleu vignette, and Papineni's "the the the". */
TEST(test_ngram__by_hand)
{
    static const guint32 vignette[] = { 1, 2, 3, /**/ 2, 3, 4, /**/ 1, 2, 3 };
    static const guint32 the[] = { 1, 2, 3, 4, 1, 5, /* the cat on a the mat */
                                   6, 7, 1, 2,       /* there is the cat */
                                   1, 1, 1, 1, 1 };  /* the the the the the */
    static const guint32 gap[] = { 1, 2, 3, 4, 1, 2, 9, 3, 4 };

    assert_matches(vignette, 2, (guint32[]){ 3, 3, 3 }, 4, (guint32[]){ 3, 2, 1, 0 });
    assert_matches(the, 2, (guint32[]){ 6, 4, 5 }, 2, (guint32[]){ 2, 0 });
    assert_matches(gap, 1, (guint32[]){ 4, 5 }, 3, (guint32[]){ 4, 2, 0 });
    assert_matches(gap, 1, (guint32[]){ 0, 5 }, 2, (guint32[]){ 0, 0 });
    assert_matches(gap, 1, (guint32[]){ 5, 0 }, 2, (guint32[]){ 0, 0 });
}

/* ---- counting by strings ---- */

static char *spell(TgSequence text, guint32 from, guint n)
{
    GString *out = g_string_new(NULL);

    for (guint k = 0; k < n; k++)
        g_string_append_printf(out, "%u ", text.ids[from + k]);
    return g_string_free(out, FALSE);
}

static guint32 count_of(TgSequence text, guint n, const char *ngram)
{
    guint32 count = 0;

    for (guint32 i = 0; i < tg_ngram_total(text.n, n); i++) {
        g_autofree char *other = spell(text, i, n);
        count += strcmp(other, ngram) == 0;
    }
    return count;
}

static guint32 plain_matches(const TgSequence *refs, guint n_refs, TgSequence hyp, guint n)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    guint32 matches = 0;

    for (guint32 i = 0; i < tg_ngram_total(hyp.n, n); i++) {
        char *ngram = spell(hyp, i, n);
        guint32 limit = 0;

        if (g_hash_table_contains(seen, ngram)) {
            g_free(ngram);
            continue;
        }
        for (guint r = 0; r < n_refs; r++)
            limit = MAX(limit, count_of(refs[r], n, ngram));
        matches += MIN(limit, count_of(hyp, n, ngram));
        g_hash_table_add(seen, ngram);
    }
    return matches;
}

TEST(test_ngram__equals_counting_by_strings)
{
    static guint32 ids[MAX_REFS + 1][MAX_LEN];
    TgArena arena = { 0 };
    TgRandom random;

    tg_random_seed(&random, 1, 0);
    for (guint round = 0; round < N_ROUNDS; round++) {
        const guint n_refs = 1 + round % MAX_REFS;
        const guint32 n_ids = round < N_ROUNDS / 2 ? 3 : 12;
        TgSequence text[MAX_REFS + 1];
        guint32 got[6];

        for (guint r = 0; r <= n_refs; r++) {
            text[r] = (TgSequence){ ids[r], tg_random_below(&random, MAX_LEN), n_ids };
            for (guint32 i = 0; i < MAX_LEN; i++)
                ids[r][i] = tg_random_below(&random, n_ids);
        }
        tg_ngram_matches(&arena, text, n_refs, text[n_refs], 6, got);
        for (guint n = 1; n <= 6; n++)
            assert_int_equal(got[n - 1], plain_matches(text, n_refs, text[n_refs], n));
        tg_arena_reset(&arena);
    }
    tg_arena_clear(&arena);
}
