/* Edit distances with unit costs: the matrix in blocks of 64 rows, two blocks at a time. */
#include "metrics/levenshtein.h"

#include <string.h>

#include "metrics/myers.h"

#define BLOCK 64

/* Blocks of a pass: each is a chain of dependent operations, and two chains overlap. */
#define LANES 2

/* For each token id, the rows of the pass that hold it. */
typedef struct {
    guint64 lane[LANES];
} Rows;

/* What a pass hands to the one below it, one bit a column, as TgMyersCarry. */
typedef struct {
    guint64 plus;
    guint64 minus;
    guint64 swap;
} Border;

/* Take blocks from column 0 to the last; inlined for constant @lanes and @transpose. */
static inline void run_pass(TgMyersBlock block[LANES], const Rows *rows, TgSequence columns,
                            Border *border, guint lanes, gboolean transpose)
{
    for (guint32 from = 0; from < columns.n; from += BLOCK, border++) {
        const guint32 n = MIN(columns.n - from, BLOCK);
        Border below = { 0 };

        for (guint32 j = 0; j < n; j++) {
            const guint64 *equal = rows[columns.ids[from + j]].lane;
            TgMyersCarry carry = { border->plus >> j & 1, border->minus >> j & 1,
                                   border->swap >> j & 1 };

            for (guint k = 0; k < lanes; k++)
                carry = tg_myers_step(&block[k], equal[k], carry, transpose);
            below.plus |= carry.plus << j;
            below.minus |= carry.minus << j;
            below.swap |= carry.swap << j;
        }
        *border = below;
    }
}

static void run(TgMyersBlock block[LANES], const Rows *rows, TgSequence columns, Border *border,
                guint lanes, gboolean transpose)
{
    if (transpose)
        run_pass(block, rows, columns, border, LANES, TRUE);
    else if (lanes == 1)
        run_pass(block, rows, columns, border, 1, FALSE);
    else
        run_pass(block, rows, columns, border, LANES, FALSE);
}

/* The sum of the differences in the first @n rows of a block's last column. */
static gint64 sum_differences(const TgMyersBlock *block, guint32 n)
{
    const guint64 mask = n < BLOCK ? (G_GUINT64_CONSTANT(1) << n) - 1 : ~G_GUINT64_CONSTANT(0);

    return __builtin_popcountll(block->plus & mask) - __builtin_popcountll(block->minus & mask);
}

/* D[rows][columns] = D[0][columns] and the differences down the last column. */
static guint32 run_matrix(TgEnv *env, TgSequence rows, TgSequence columns, gboolean transpose)
{
    Rows *table = tg_env_scratch(env, sizeof(Rows) * MAX(rows.id_bound, columns.id_bound));
    Border *border = tg_env_scratch(env, sizeof(Border) * (columns.n / BLOCK + 1));
    gint64 distance = columns.n;

    for (guint32 i = 0; i <= columns.n / BLOCK; i++)
        border[i] = (Border){ .plus = ~G_GUINT64_CONSTANT(0) };
    for (guint32 i = 0; i < columns.n; i++)
        table[columns.ids[i]] = (Rows){ { 0 } };
    for (guint32 i = 0; i < rows.n; i++)
        table[rows.ids[i]] = (Rows){ { 0 } };

    for (guint32 from = 0; from < rows.n; from += LANES * BLOCK) {
        const guint32 n = MIN(rows.n - from, LANES * BLOCK);
        TgMyersBlock block[LANES] = { TG_MYERS_START, TG_MYERS_START };

        for (guint32 i = 0; i < n; i++)
            table[rows.ids[from + i]].lane[i / BLOCK] |= G_GUINT64_CONSTANT(1) << i % BLOCK;
        run(block, table, columns, border, (n + BLOCK - 1) / BLOCK, transpose);
        for (guint32 i = 0; i < n; i++)
            table[rows.ids[from + i]] = (Rows){ { 0 } };

        for (guint32 k = 0; k * BLOCK < n; k++)
            distance += sum_differences(&block[k], n - k * BLOCK);
    }
    return (guint32) distance;
}

static guint64 cost(guint32 rows, guint32 columns)
{
    return ((guint64) rows + BLOCK - 1) / BLOCK * columns;
}

static guint32 distance(TgEnv *env, TgSequence a, TgSequence b, gboolean transpose)
{
    tg_sequence_trim_end(&a, &b);
    tg_sequence_trim_start(&a, &b);
    if (a.n == 0 || b.n == 0)
        return a.n + b.n;
    /* The distance is symmetric, so what fills its blocks better makes the rows. */
    return cost(a.n, b.n) <= cost(b.n, a.n) ? run_matrix(env, a, b, transpose)
                                            : run_matrix(env, b, a, transpose);
}

guint32 tg_levenshtein(TgEnv *env, TgSequence a, TgSequence b)
{
    return distance(env, a, b, FALSE);
}

guint32 tg_osa(TgEnv *env, TgSequence a, TgSequence b)
{
    return distance(env, a, b, TRUE);
}
