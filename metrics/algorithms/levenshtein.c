/* Edit distances with unit costs: the matrix in blocks of 64 rows, two blocks at a time. */
#include "metrics/algorithms/levenshtein.h"

#include <string.h>

#include "core/deadline.h"
#include "metrics/algorithms/myers.h"

#define BLOCK 64

/* Blocks of a pass: each is a chain of dependent operations, and two chains overlap. */
#define LANES 2

/* For each token id, which rows of the pass hold it. */
typedef struct {
    guint64 *upper;
    guint64 *lower;
} Rows;

/* What a pass hands to the one below it, one bit a column, as TgMyersCarry. */
typedef struct {
    guint64 not_plus;
    guint64 minus;
    guint64 swap;
} Border;

/* Take the blocks from column 0 to the last, where @lanes of them hold all rows. */
static TG_MYERS_INLINE void run_all_rows(TgMyersBlock block[LANES], Rows rows, TgSequence columns,
                                         guint lanes, gboolean transpose)
{
    TgMyersBlock upper = block[0], lower = block[1]; /* in registers */

    for (guint32 j = 0; j < columns.n; j++) {
        const guint32 id = columns.ids[j];
        const TgMyersCarry carry = tg_myers_step(&upper, rows.upper[id], TG_MYERS_TOP, transpose);

        if (lanes == LANES)
            tg_myers_step(&lower, rows.lower[id], carry, transpose);
    }
    block[0] = upper;
    block[1] = lower;
}

/* The same for a strip of the rows; @border is what the strip above gave, then what this gives. */
static TG_MYERS_INLINE void run_strip(TgMyersBlock block[LANES], Rows rows, TgSequence columns,
                                      Border *border, gboolean transpose)
{
    TgMyersBlock upper = block[0], lower = block[1];

    for (guint32 from = 0; from < columns.n; from += BLOCK) {
        const guint32 n = MIN(columns.n - from, BLOCK);
        const Border above = border[from / BLOCK];
        Border below = { 0 };

        for (guint32 j = 0; j < n; j++) {
            const guint32 id = columns.ids[from + j];
            TgMyersCarry carry = { above.not_plus >> j & 1, above.minus >> j & 1,
                                   above.swap >> j & 1 };

            carry = tg_myers_step(&upper, rows.upper[id], carry, transpose);
            carry = tg_myers_step(&lower, rows.lower[id], carry, transpose);
            below.not_plus |= carry.not_plus << j;
            below.minus |= carry.minus << j;
            below.swap |= carry.swap << j;
        }
        border[from / BLOCK] = below;
    }
    block[0] = upper;
    block[1] = lower;
}

/* Every combination of the constants is a loop of its own. */
static void run_pass(TgMyersBlock block[LANES], Rows rows, TgSequence columns, Border *border,
                     guint lanes, gboolean transpose)
{
    if (border != NULL && transpose)
        run_strip(block, rows, columns, border, TRUE);
    else if (border != NULL)
        run_strip(block, rows, columns, border, FALSE);
    else if (transpose)
        run_all_rows(block, rows, columns, LANES, TRUE);
    else if (lanes == LANES)
        run_all_rows(block, rows, columns, LANES, FALSE);
    else
        run_all_rows(block, rows, columns, 1, FALSE);
}

/* Enter a block's tokens in the table. */
static void enter_rows(guint64 *table, const guint32 *ids, guint32 n)
{
    for (guint32 i = 0; i < n; i++)
        table[ids[i]] |= G_GUINT64_CONSTANT(1) << i;
}

static void remove_rows(guint64 *table, const guint32 *ids, guint32 n)
{
    for (guint32 i = 0; i < n; i++)
        table[ids[i]] = 0;
}

static guint32 count_bits(guint64 word)
{
    word -= word >> 1 & G_GUINT64_CONSTANT(0x5555555555555555);
    word = (word & G_GUINT64_CONSTANT(0x3333333333333333)) +
           (word >> 2 & G_GUINT64_CONSTANT(0x3333333333333333));
    word = (word + (word >> 4)) & G_GUINT64_CONSTANT(0x0F0F0F0F0F0F0F0F);
    return (guint32) (word * G_GUINT64_CONSTANT(0x0101010101010101) >> 56);
}

/* The sum of the differences in the first @n rows of a block's last column. */
static gint64 sum_differences(const TgMyersBlock *block, guint32 n)
{
    const guint64 mask = n < BLOCK ? (G_GUINT64_CONSTANT(1) << n) - 1 : ~G_GUINT64_CONSTANT(0);

    return (gint64) count_bits(block->plus & mask) - count_bits(block->minus & mask);
}

/* D[rows][columns] = D[0][columns] and the differences down the last column. */
static guint32 run_matrix(TgArena *arena, TgSequence rows, TgSequence columns, gboolean transpose)
{
    const guint32 bound = MAX(rows.id_bound, columns.id_bound);
    const gsize border_size = sizeof(Border) * (columns.n / BLOCK + 1);
    const guint lanes = rows.n > BLOCK || transpose ? LANES : 1;
    guint64 *table = tg_arena_alloc(arena, LANES * bound * sizeof *table);
    const Rows equal = { table, table + bound };
    Border *border = NULL;
    gint64 distance = columns.n;

    memset(table, 0, lanes * bound * sizeof *table);
    if (rows.n > LANES * BLOCK) {
        border = tg_arena_alloc(arena, border_size);
        memset(border, 0, border_size); /* as TG_MYERS_TOP */
    }
    for (guint32 from = 0; from < rows.n && !tg_too_long(columns.n); from += LANES * BLOCK) {
        const guint32 *ids = rows.ids + from;
        const guint32 n_upper = MIN(rows.n - from, BLOCK);
        const guint32 n_lower = MIN(rows.n - from - n_upper, BLOCK);
        TgMyersBlock block[LANES] = { TG_MYERS_START, TG_MYERS_START };

        enter_rows(equal.upper, ids, n_upper);
        enter_rows(equal.lower, ids + n_upper, n_lower);
        run_pass(block, equal, columns, border, lanes, transpose);
        distance += sum_differences(&block[0], n_upper) + sum_differences(&block[1], n_lower);
        if (border != NULL) {
            remove_rows(equal.upper, ids, n_upper);
            remove_rows(equal.lower, ids + n_upper, n_lower);
        }
    }
    return (guint32) distance;
}

/* Steps that the matrix takes. */
static guint64 matrix_steps(guint32 rows, guint32 columns)
{
    return ((guint64) rows + LANES * BLOCK - 1) / (LANES * BLOCK) * columns;
}

static guint32 trimmed_distance(TgArena *arena, TgSequence a, TgSequence b, gboolean transpose)
{
    tg_sequence_trim_end(&a, &b);
    tg_sequence_trim_start(&a, &b);
    if (a.n == 0 || b.n == 0)
        return a.n + b.n;
    /* The distance is symmetric, so what fills its blocks better makes the rows. */
    return matrix_steps(a.n, b.n) <= matrix_steps(b.n, a.n) ? run_matrix(arena, a, b, transpose)
                                                            : run_matrix(arena, b, a, transpose);
}

guint32 tg_levenshtein(TgArena *arena, TgSequence a, TgSequence b)
{
    return trimmed_distance(arena, a, b, FALSE);
}

/* How far equal tokens reach from row @i of @a on the diagonal @d, column minus row. */
static gint64 follow_diagonal(TgSequence a, TgSequence b, gint64 i, gint64 d)
{
    while (i < a.n && i + d < b.n && a.ids[i] == b.ids[i + d])
        i++;
    return i;
}

guint32 tg_levenshtein_within(TgSequence a, TgSequence b, guint32 limit)
{
    enum { MIDDLE = TG_LEVENSHTEIN_MAX_LIMIT + 1, NOWHERE = -2 };
    gint64 reach[2][2 * MIDDLE + 1]; /* rows of @a reached with one error less, and with these */
    const gint64 last = (gint64) b.n - a.n;

    g_return_val_if_fail(limit <= TG_LEVENSHTEIN_MAX_LIMIT, limit + 1);
    for (guint i = 0; i < G_N_ELEMENTS(reach[0]); i++)
        reach[0][i] = reach[1][i] = NOWHERE;
    for (gint64 errors = 0; errors <= limit; errors++) {
        const gint64 *before = reach[errors & 1] + MIDDLE;
        gint64 *now = reach[(errors + 1) & 1] + MIDDLE;

        for (gint64 d = -errors; d <= errors; d++) {
            const gint64 edited = MAX(before[d] + 1, MAX(before[d - 1], before[d + 1] + 1));
            const gint64 start = errors == 0 ? 0 : MIN(edited, MIN(a.n, b.n - d));

            now[d] = start < MAX(0, -d) ? NOWHERE : follow_diagonal(a, b, start, d);
        }
        if (ABS(last) <= errors && now[last] == a.n)
            return (guint32) errors;
    }
    return limit + 1;
}

guint32 tg_osa(TgArena *arena, TgSequence a, TgSequence b)
{
    return trimmed_distance(arena, a, b, TRUE);
}
