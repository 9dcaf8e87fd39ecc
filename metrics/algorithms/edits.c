/*
 * Edit distances with unit costs, by bit-parallel matrices.
 *
 * The matrix holds D[i][j], the distance of the first i tokens of one sequence (rows) and the
 * first j of the other (columns). Neighbors differ by -1, 0 or 1, so a column is kept as two bits
 * a row, and a word holds 64 rows of it.
 *
 * Source: Myers (1999), A fast bit-vector algorithm for approximate string matching, in the form
 * of Hyyro (2003), A bit-vector algorithm for computing Levenshtein and Damerau edit distances.
 */
#include "metrics/algorithms/algorithms.h"

#include <string.h>

#include "core/deadline.h"

#define BLOCK_ROWS 64

static void trim_end(TgSequence *a, TgSequence *b)
{
    while (a->n > 0 && b->n > 0 && a->ids[a->n - 1] == b->ids[b->n - 1]) {
        a->n--;
        b->n--;
    }
}

static void trim_start(TgSequence *a, TgSequence *b)
{
    const guint32 least = MIN(a->n, b->n);
    guint32 common = 0;

    while (common < least && a->ids[common] == b->ids[common])
        common++;
    if (common == 0)
        return; /* so that no NULL pointer is moved */
    a->ids += common;
    a->n -= common;
    b->ids += common;
    b->n -= common;
}

/* ---- One step: 64 rows of one column --------------------------------------------------------- */

/* The innermost loops: inlined whatever compilers think, with @transpose known. */
#define MYERS_INLINE inline __attribute__((always_inline))

/* 64 rows of the latest column. */
typedef struct {
    guint64 plus;  /* bit i: D[i][j] = D[i-1][j] + 1 */
    guint64 minus; /* bit i: D[i][j] = D[i-1][j] - 1 */
    guint64 zero;  /* bit i: D[i][j] = D[i-1][j-1], no cost along the diagonal */
    guint64 equal; /* bit i: the token of row i is that of the column */
} Block;

/* Column 0, where D[i][0] = i. */
#define BLOCK_START ((Block){ .plus = ~G_GUINT64_CONSTANT(0) })

/* One bit each about the row between two blocks, from the upper block to the lower one. */
typedef struct {
    guint64 not_plus; /* clear: D[i][j] = D[i][j-1] + 1 */
    guint64 minus;    /* set: D[i][j] = D[i][j-1] - 1 */
    guint64 swap;     /* set: a transposition may end in the row below */
} Carry;

/* Above the first row, where D[0][j] = j. */
#define CARRY_TOP ((Carry){ 0 })

/*
 * Move a block to the next column.
 *
 * @equal: bit i is set where the token of row i is that of the new column
 * @above: what the block above gave for the same column
 * @transpose: whether swapping two neighbors costs 1 (optimal string alignment); constant
 *
 * The loop is as fast as the chain of operations from one column's `plus` to the next is short, so
 * the differences along the row are kept as `not_plus`, which takes seven of them.
 */
static MYERS_INLINE Carry take_step(Block *block, guint64 equal, Carry above, gboolean transpose)
{
    const guint64 eq = equal | above.minus;
    const guint64 sum = (eq & block->plus) + block->plus;
    const guint64 level = eq | block->minus;
    guint64 zero = (sum ^ block->plus) | level;
    guint64 not_plus = (sum | block->plus | level) & ~block->minus;
    Carry below = { 0 };

    if (transpose) {
        const guint64 half = ~block->zero & equal;
        const guint64 swapped = (half << 1 | above.swap) & block->equal;

        zero |= swapped;
        not_plus |= swapped & ~block->minus;
        below.swap = half >> 63;
        block->equal = equal;
    }

    const guint64 minus = block->plus & zero;
    const guint64 not_plus_down = (not_plus << 1) + above.not_plus;
    const guint64 minus_down = (minus << 1) + above.minus;

    below.not_plus = not_plus >> 63;
    below.minus = minus >> 63;
    block->plus = minus_down | (~zero & not_plus_down);
    block->minus = zero & ~not_plus_down;
    block->zero = zero;
    return below;
}

/* ---- Distances ------------------------------------------------------------------------------- */

/* Blocks of a pass: each is a chain of dependent operations, and two chains overlap. */
#define LANES 2

/* For each token id, which rows of the pass hold it. */
typedef struct {
    guint64 *upper;
    guint64 *lower;
} Rows;

/* From a pass to the pass below it: the same with one bit a column. */
typedef Carry Border;

/* Take the blocks from column 0 to the last, where @lanes of them hold all rows. */
static MYERS_INLINE void run_all_rows(Block block[LANES], Rows rows, TgSequence columns,
                                      guint lanes, gboolean transpose)
{
    Block upper = block[0], lower = block[1]; /* in registers */

    for (guint32 j = 0; j < columns.n; j++) {
        const guint32 id = columns.ids[j];
        const Carry carry = take_step(&upper, rows.upper[id], CARRY_TOP, transpose);

        if (lanes == LANES)
            take_step(&lower, rows.lower[id], carry, transpose);
    }
    block[0] = upper;
    block[1] = lower;
}

/* The same for a strip of the rows; @border has the carries of the strip above, then its own. */
static MYERS_INLINE void run_strip(Block block[LANES], Rows rows, TgSequence columns,
                                   Border *border, gboolean transpose)
{
    Block upper = block[0], lower = block[1];

    for (guint32 from = 0; from < columns.n; from += BLOCK_ROWS) {
        const guint32 n = MIN(columns.n - from, BLOCK_ROWS);
        const Border above = border[from / BLOCK_ROWS];
        Border below = { 0 };

        for (guint32 j = 0; j < n; j++) {
            const guint32 id = columns.ids[from + j];
            Carry carry = { above.not_plus >> j & 1, above.minus >> j & 1, above.swap >> j & 1 };

            carry = take_step(&upper, rows.upper[id], carry, transpose);
            carry = take_step(&lower, rows.lower[id], carry, transpose);
            below.not_plus |= carry.not_plus << j;
            below.minus |= carry.minus << j;
            below.swap |= carry.swap << j;
        }
        border[from / BLOCK_ROWS] = below;
    }
    block[0] = upper;
    block[1] = lower;
}

/* Every combination of the constants is a loop of its own. */
static void run_pass(Block block[LANES], Rows rows, TgSequence columns, Border *border, guint lanes,
                     gboolean transpose)
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

/* The sum of the differences in the first @n rows of a block's last column. */
static gint64 sum_differences(const Block *block, guint32 n)
{
    const guint64 mask = n < BLOCK_ROWS ? (G_GUINT64_CONSTANT(1) << n) - 1 : ~G_GUINT64_CONSTANT(0);

    return (gint64) __builtin_popcountll(block->plus & mask) -
           __builtin_popcountll(block->minus & mask);
}

/* D[rows][columns] = D[0][columns] and the differences down the last column. */
static guint32 run_matrix(TgArena *arena, TgSequence rows, TgSequence columns, gboolean transpose)
{
    const guint32 bound = MAX(rows.id_bound, columns.id_bound);
    const gsize border_size = sizeof(Border) * (columns.n / BLOCK_ROWS + 1);
    const guint lanes = rows.n > BLOCK_ROWS || transpose ? LANES : 1;
    guint64 *table = tg_arena_alloc(arena, LANES * bound * sizeof *table);
    const Rows equal = { table, table + bound };
    Border *border = NULL;
    gint64 distance = columns.n;

    memset(table, 0, lanes * bound * sizeof *table);
    if (rows.n > LANES * BLOCK_ROWS) {
        border = tg_arena_alloc(arena, border_size);
        memset(border, 0, border_size); /* as CARRY_TOP */
    }
    for (guint32 from = 0; from < rows.n && !tg_deadline_spend(columns.n);
         from += LANES * BLOCK_ROWS) {
        const guint32 *ids = rows.ids + from;
        const guint32 n_upper = MIN(rows.n - from, BLOCK_ROWS);
        const guint32 n_lower = MIN(rows.n - from - n_upper, BLOCK_ROWS);
        Block block[LANES] = { BLOCK_START, BLOCK_START };

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

static guint64 matrix_steps(guint32 rows, guint32 columns)
{
    return ((guint64) rows + LANES * BLOCK_ROWS - 1) / (LANES * BLOCK_ROWS) * columns;
}

static guint32 trimmed_distance(TgArena *arena, TgSequence a, TgSequence b, gboolean transpose)
{
    trim_end(&a, &b);
    trim_start(&a, &b);
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
            gint64 row = errors == 0 ? 0 : MIN(edited, MIN(a.n, b.n - d));

            if (row < MAX(0, -d))
                row = NOWHERE;
            else /* equal tokens cost nothing on the diagonal @d, column minus row */
                while (row < a.n && row + d < b.n && a.ids[row] == b.ids[row + d])
                    row++;
            now[d] = row;
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

/* ---- Which edits ----------------------------------------------------------------------------- */

/* Words of 64 cells that are kept at once (more only where a single column has more). */
#define MAX_KEPT (1u << 18)

/* The two facts about a cell (i, j) that the walk needs. */
typedef struct {
    guint64 zero; /* D[i][j] = D[i-1][j-1] */
    guint64 plus; /* D[i][j] = D[i-1][j] + 1 */
} Cells;

typedef struct {
    TgSequence ref;
    TgSequence hyp;
    guint64 *equal; /* for each id, the rows of the present block that hold it */
    Carry *carry;   /* for each column, what the block above gave */
    Cells *kept;    /* [block][column of the part], MAX_KEPT at most */
    TgEdit *edits;  /* filled from the end */
    guint32 free;   /* edits[free..] are in use */
} Walk;

static guint32 blocks_of(guint32 rows)
{
    return (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
}

/*
 * Take the column @state of the first @rows rows from @from to @to (columns from 0 on), and keep
 * the cells passed if @keep.
 */
static void advance_column(const Walk *walk, Block *state, guint32 rows, guint32 from, guint32 to,
                           gboolean keep)
{
    const guint32 n = to - from;
    const guint32 *columns = n > 0 ? walk->hyp.ids + from : NULL;

    for (guint32 j = 0; j < n; j++)
        walk->carry[j] = CARRY_TOP;
    for (guint32 b = 0; b < blocks_of(rows) && !tg_deadline_spend(n); b++) {
        const guint32 *ids = walk->ref.ids + b * BLOCK_ROWS;
        const guint32 n_ids = MIN(rows - b * BLOCK_ROWS, BLOCK_ROWS);
        Cells *kept = walk->kept + (gsize) b * n;

        enter_rows(walk->equal, ids, n_ids);
        for (guint32 j = 0; j < n; j++) {
            walk->carry[j] = take_step(&state[b], walk->equal[columns[j]], walk->carry[j], FALSE);
            if (keep)
                kept[j] = (Cells){ state[b].zero, state[b].plus };
        }
        remove_rows(walk->equal, ids, n_ids);
    }
}

static void add_edit(Walk *walk, TgEditKind kind, guint32 ref, guint32 hyp)
{
    walk->edits[--walk->free] = (TgEdit){ kind, ref, hyp };
}

/* Walk from cell (@row, @to) back to column @from through the kept cells; returns the row there. */
static guint32 walk_back(Walk *walk, guint32 row, guint32 from, guint32 to)
{
    const guint32 n = to - from;
    guint32 j = to;

    while (j > from && row > 0) {
        const Cells *cells = &walk->kept[(gsize) ((row - 1) / BLOCK_ROWS) * n + (j - 1 - from)];
        const guint64 bit = G_GUINT64_CONSTANT(1) << (row - 1) % BLOCK_ROWS;

        if (walk->ref.ids[row - 1] == walk->hyp.ids[j - 1]) {
            row--, j--;
        } else if ((cells->zero & bit) == 0) {
            row--, j--;
            add_edit(walk, TG_EDIT_SUBSTITUTE, row, j);
        } else if ((cells->plus & bit) != 0) {
            row--;
            add_edit(walk, TG_EDIT_DELETE, row, j);
        } else {
            j--;
            add_edit(walk, TG_EDIT_INSERT, row, j);
        }
    }
    for (; j > from; j--)
        add_edit(walk, TG_EDIT_INSERT, 0, j - 1);
    return row;
}

/* Walk from (@row, @to) back to column @from, whose state is given; halves what is too large. */
static guint32 trace_edits(Walk *walk, Block *state, guint32 row, guint32 from, guint32 to)
{
    const gsize n_blocks = blocks_of(row);

    if (n_blocks * (to - from) <= MAX_KEPT || to - from == 1) {
        advance_column(walk, state, row, from, to, TRUE);
        if (tg_deadline_spend(0)) /* cells are missing */
            return row;
        return walk_back(walk, row, from, to);
    }

    const guint32 middle = from + (to - from) / 2;
    g_autofree Block *half = g_memdup2(state, n_blocks * sizeof *state);
    advance_column(walk, half, row, from, middle, FALSE);
    if (tg_deadline_spend(0))
        return row;
    row = trace_edits(walk, half, row, middle, to);
    return trace_edits(walk, state, row, from, middle);
}

TgAlignment tg_align(TgArena *arena, TgSequence ref, TgSequence hyp)
{
    trim_end(&ref, &hyp); /* the walk would take the same way */

    const guint32 bound = MAX(ref.id_bound, hyp.id_bound);
    const guint32 most = ref.n + hyp.n;
    const gsize n_blocks = blocks_of(ref.n);
    const gsize n_kept = MIN(n_blocks * hyp.n, MAX(n_blocks, MAX_KEPT));
    Block *state = tg_arena_alloc(arena, n_blocks * sizeof *state);
    Walk walk = {
        .ref = ref,
        .hyp = hyp,
        .equal = tg_arena_alloc(arena, bound * sizeof *walk.equal),
        .carry = tg_arena_alloc(arena, hyp.n * sizeof *walk.carry),
        .kept = tg_arena_alloc(arena, n_kept * sizeof *walk.kept),
        .edits = tg_arena_alloc(arena, most * sizeof *walk.edits),
        .free = most,
    };

    memset(walk.equal, 0, bound * sizeof *walk.equal);
    for (gsize b = 0; b < n_blocks; b++)
        state[b] = BLOCK_START;
    for (guint32 row = trace_edits(&walk, state, ref.n, 0, hyp.n); row > 0; row--)
        add_edit(&walk, TG_EDIT_DELETE, row - 1, 0);
    return (TgAlignment){ walk.edits + walk.free, most - walk.free };
}

/* ---- The longest common subsequence ---------------------------------------------------------- */

/*
 * Take a block of rows from the first column to the last. A row's bit is cleared where the length
 * grows by one from the row above; the rows of a column are added as one long number, whose carry
 * out of the block is kept in @carry, one bit a column, for the block below.
 */
static guint64 run_block(const guint64 *equal, TgSequence columns, guint64 *carry)
{
    guint64 rows = ~G_GUINT64_CONSTANT(0);

    for (guint32 from = 0; from < columns.n; from += BLOCK_ROWS, carry++) {
        const guint32 n = MIN(columns.n - from, BLOCK_ROWS);
        guint64 out = 0;

        for (guint32 j = 0; j < n; j++) {
            const guint64 matches = rows & equal[columns.ids[from + j]];
            const guint64 in = *carry >> j & 1;
            const guint64 sum = rows + matches;
            const guint64 whole = sum + in;

            out |= (guint64) (sum < rows || whole < sum) << j;
            rows = whole | (rows - matches);
        }
        *carry = out;
    }
    return rows;
}

guint32 tg_lcs_length(TgArena *arena, TgSequence a, TgSequence b)
{
    const guint32 untrimmed = a.n;

    trim_end(&a, &b);
    trim_start(&a, &b);
    guint32 length = untrimmed - a.n;
    if (a.n == 0 || b.n == 0)
        return length;

    guint64 *equal = tg_arena_alloc(arena, sizeof *equal * MAX(a.id_bound, b.id_bound));
    guint64 *carry = tg_arena_alloc(arena, sizeof *carry * (b.n / BLOCK_ROWS + 1));
    memset(carry, 0, sizeof *carry * (b.n / BLOCK_ROWS + 1));
    remove_rows(equal, a.ids, a.n);
    remove_rows(equal, b.ids, b.n);
    for (guint32 from = 0; from < a.n && !tg_deadline_spend(b.n / 4); from += BLOCK_ROWS) {
        const guint32 n = MIN(a.n - from, BLOCK_ROWS);

        enter_rows(equal, a.ids + from, n);
        /* Rows beyond the last have no matches, so their bits stay set. */
        length += (guint32) __builtin_popcountll(~run_block(equal, b, carry));
        remove_rows(equal, a.ids + from, n);
    }
    return length;
}
