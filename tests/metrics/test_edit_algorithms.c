/* Bit-parallel distances, subsequences and alignments against the plain dynamic programmes. */
#include "tests/support/test_support.h"

#include "core/random.h"
#include "metrics/algorithms/algorithms.h"
#include "metrics/base/base.h"

#define MAX_LEN 300

/* ---- the plain programmes, cell by cell ---- */

typedef guint32 Matrix[MAX_LEN + 1][MAX_LEN + 1];

static Matrix cell; /* too large for a stack */

static guint32 plain_distance(TgSequence a, TgSequence b, gboolean transpose)
{
    for (guint32 i = 0; i <= a.n; i++)
        for (guint32 j = 0; j <= b.n; j++) {
            if (i == 0 || j == 0) {
                cell[i][j] = i + j;
                continue;
            }
            const guint32 differ = a.ids[i - 1] != b.ids[j - 1];
            cell[i][j] = MIN(cell[i - 1][j - 1] + differ, MIN(cell[i - 1][j], cell[i][j - 1]) + 1);
            if (transpose && i > 1 && j > 1 && a.ids[i - 1] == b.ids[j - 2] &&
                a.ids[i - 2] == b.ids[j - 1])
                cell[i][j] = MIN(cell[i][j], cell[i - 2][j - 2] + 1);
        }
    return cell[a.n][b.n];
}

static guint32 plain_lcs(TgSequence a, TgSequence b)
{
    for (guint32 i = 0; i <= a.n; i++)
        for (guint32 j = 0; j <= b.n; j++)
            cell[i][j] = i == 0 || j == 0               ? 0
                         : a.ids[i - 1] == b.ids[j - 1] ? cell[i - 1][j - 1] + 1
                                                        : MAX(cell[i - 1][j], cell[i][j - 1]);
    return cell[a.n][b.n];
}

/* The choice at each cell when walking back: equal, substitution, deletion, insertion. */
static char choose(guint32 diagonal, guint32 above, guint32 here, gboolean equal)
{
    if (equal)
        return '=';
    if (diagonal + 1 == here)
        return 'S';
    return above + 1 == here ? 'D' : 'I';
}

/* The edits of the stated alignment, from right to left, with two rows of distances at a time. */
static GArray *plain_alignment(TgSequence a, TgSequence b)
{
    const gsize width = b.n + 1;
    g_autofree char *choice = g_malloc((a.n + 1) * width);
    g_autofree guint32 *above = g_new(guint32, width), *here = g_new(guint32, width);
    GArray *edits = g_array_new(FALSE, FALSE, sizeof(TgEdit));

    for (guint32 i = 0; i <= a.n; i++) {
        for (guint32 j = 0; j <= b.n; j++) {
            if (i == 0 || j == 0) {
                here[j] = i + j;
                choice[i * width + j] = j > 0 ? 'I' : 'D';
                continue;
            }
            const gboolean equal = a.ids[i - 1] == b.ids[j - 1];
            here[j] = MIN(above[j - 1] + (equal ? 0 : 1), MIN(above[j], here[j - 1]) + 1);
            choice[i * width + j] = choose(above[j - 1], above[j], here[j], equal);
        }
        guint32 *swap = above;
        above = here;
        here = swap;
    }
    for (guint32 i = a.n, j = b.n; i > 0 || j > 0;) {
        const char c = choice[i * width + j];
        i -= c != 'I';
        j -= c != 'D';
        if (c != '=') {
            const TgEdit edit = { c == 'S'   ? TG_EDIT_SUBSTITUTE
                                  : c == 'D' ? TG_EDIT_DELETE
                                             : TG_EDIT_INSERT,
                                  i, j };
            g_array_append_val(edits, edit);
        }
    }
    return edits;
}

/* ---- pairs of sequences ---- */

typedef struct {
    guint32 a[MAX_LEN];
    guint32 b[MAX_LEN];
} Pair;

/* Two related sequences: the second is the first with some tokens changed, lost, added, swapped. */
static void make_pair(TgRandom *random, Pair *pair, guint32 n, guint32 n_ids, TgSequence *a,
                      TgSequence *b)
{
    guint32 m = 0;
    const guint32 noise = tg_random_below(random, 8);

    for (guint32 i = 0; i < n; i++)
        pair->a[i] = tg_random_below(random, n_ids);
    for (guint32 i = 0; i < n && m + 2 < MAX_LEN; i++) {
        const guint32 what = tg_random_below(random, 10) < noise ? tg_random_below(random, 5) : 9;

        if (what == 1 || what == 2)
            pair->b[m++] = tg_random_below(random, n_ids);
        if (what != 0 && what != 1)
            pair->b[m++] = pair->a[i];
        if (what == 4 && m > 1) {
            const guint32 swap = pair->b[m - 1];
            pair->b[m - 1] = pair->b[m - 2];
            pair->b[m - 2] = swap;
        }
    }
    *a = (TgSequence){ pair->a, n, n_ids };
    *b = (TgSequence){ pair->b, m, n_ids };
}

static void assert_same_edits(TgAlignment got, TgSequence a, TgSequence b)
{
    g_autoptr(GArray) wanted = plain_alignment(a, b);

    assert_int_equal(got.n, wanted->len);
    for (guint32 i = 0; i < got.n; i++) {
        const TgEdit *edit = &g_array_index(wanted, TgEdit, wanted->len - 1 - i);
        assert_int_equal(got.edits[i].kind, edit->kind);
        assert_int_equal(got.edits[i].ref, edit->ref);
        assert_int_equal(got.edits[i].hyp, edit->hyp);
    }
}

static void check_pair(TgArena *arena, TgSequence a, TgSequence b)
{
    const guint32 distance = tg_levenshtein(arena, a, b);

    assert_int_equal(distance, plain_distance(a, b, FALSE));
    assert_int_equal(tg_levenshtein(arena, b, a), distance);
    for (guint32 limit = 0; limit <= TG_LEVENSHTEIN_MAX_LIMIT; limit++)
        assert_int_equal(tg_levenshtein_within(a, b, limit), MIN(distance, limit + 1));
    assert_int_equal(tg_osa(arena, a, b), plain_distance(a, b, TRUE));
    assert_int_equal(tg_osa(arena, b, a), tg_osa(arena, a, b));
    assert_int_equal(tg_lcs_length(arena, a, b), plain_lcs(a, b));
    assert_int_equal(tg_lcs_length(arena, b, a), plain_lcs(a, b));
    assert_same_edits(tg_align(arena, a, b), a, b);
    tg_arena_reset(arena);
}

/* Related sequences of every length up to 300, so that every word boundary is met. */
TEST(test_edit_algorithms__equal_the_plain_programmes)
{
    static const guint32 alphabets[] = { 2, 4, 30, 1000 };
    TgArena arena = { 0 };
    TgRandom random;
    Pair pair;
    TgSequence a, b;

    tg_random_seed(&random, 1, 0);
    for (guint32 n = 0; n <= MAX_LEN; n++)
        for (guint k = 0; k < G_N_ELEMENTS(alphabets); k++) {
            make_pair(&random, &pair, n, alphabets[k], &a, &b);
            check_pair(&arena, a, b);
        }
    tg_arena_clear(&arena);
}

/* Unrelated sequences of lengths about the word boundaries. */
TEST(test_edit_algorithms__unrelated_sequences)
{
    static const guint32 lengths[] = { 0, 1, 2, 63, 64, 65, 127, 128, 129, 192, 193, 256, 257 };
    TgArena arena = { 0 };
    TgRandom random;
    Pair pair;

    tg_random_seed(&random, 2, 0);
    for (guint i = 0; i < G_N_ELEMENTS(lengths); i++)
        for (guint k = 0; k < G_N_ELEMENTS(lengths); k++) {
            const TgSequence a = { pair.a, lengths[i], 5 }, b = { pair.b, lengths[k], 5 };

            for (guint32 t = 0; t < MAX_LEN; t++) {
                pair.a[t] = tg_random_below(&random, 5);
                pair.b[t] = tg_random_below(&random, 5);
            }
            check_pair(&arena, a, b);
        }
    tg_arena_clear(&arena);
}

/* A matrix too large to be kept in one piece: 313 blocks of rows, 2,500 columns. */
TEST(test_alignment__in_parts_is_the_same)
{
    enum { ROWS = 20000, COLUMNS = 2500 };
    TgArena arena = { 0 };
    g_autofree guint32 *a = g_new(guint32, ROWS), *b = g_new(guint32, COLUMNS);
    TgRandom random;

    tg_random_seed(&random, 3, 0);
    for (guint32 i = 0; i < ROWS; i++)
        a[i] = tg_random_below(&random, 20);
    for (guint32 j = 0; j < COLUMNS; j++)
        b[j] = tg_random_below(&random, 20);

    const TgSequence ref = { a, ROWS, 20 }, hyp = { b, COLUMNS, 20 };
    const TgAlignment alignment = tg_align(&arena, ref, hyp);
    assert_same_edits(alignment, ref, hyp);
    assert_int_equal(alignment.n, tg_levenshtein(&arena, ref, hyp));
    tg_arena_clear(&arena);
}

static guint32 distance_of(guint32 (*distance)(TgArena *, TgSequence, TgSequence), const char *a,
                           const char *b)
{
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgTokenizer) tokenizer = tg_tokenizer_new("codepoint", TG_TOKENIZER_DEFAULT, NULL);

    return distance(tg_env_arena(env), tg_sequence(tg_env_tokenize(env, tokenizer, a, NULL)),
                    tg_sequence(tg_env_tokenize(env, tokenizer, b, NULL)));
}

/* Textbook pairs. */
TEST(test_edit_algorithms__known_distances)
{
    assert_int_equal(distance_of(tg_levenshtein, "kitten", "sitting"), 3);
    assert_int_equal(distance_of(tg_levenshtein, "saturday", "sunday"), 3);
    assert_int_equal(distance_of(tg_levenshtein, "ca", "abc"), 3);
    assert_int_equal(distance_of(tg_levenshtein, "", "\xC3\xA9\xE2\x88\x91"), 2);
    assert_int_equal(distance_of(tg_osa, "ca", "abc"), 3);
    assert_int_equal(distance_of(tg_osa, "ab", "ba"), 1);
    assert_int_equal(distance_of(tg_lcs_length, "AGGTAB", "GXTXAYB"), 4);
}
