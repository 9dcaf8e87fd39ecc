/*
 * Which edits turn one token sequence into another. The matrix has a row for each token of the
 * reference and a column for each of the hypothesis; its cells are kept as two bits, from which
 * the walk back reads every choice.
 */
#include "metrics/algorithms/alignment.h"

#include <string.h>

#include "core/deadline.h"
#include "metrics/algorithms/myers.h"

#define BLOCK 64

/* Words of 64 cells that are kept at once (more only where a single column has more). */
#define MAX_KEPT (1u << 18)

/* What the walk must know of a cell (i, j). */
typedef struct {
    guint64 zero; /* D[i][j] = D[i-1][j-1] */
    guint64 plus; /* D[i][j] = D[i-1][j] + 1 */
} Cells;

typedef struct {
    TgSequence ref;
    TgSequence hyp;
    guint64 *equal;      /* for each id, the rows of the present block that hold it */
    TgMyersCarry *carry; /* for each column, what the block above gave */
    Cells *kept;         /* [block][column of the part], MAX_KEPT at most */
    TgEdit *edits;       /* filled from the end */
    guint32 free;        /* edits[free..] are in use */
} Walk;

static guint32 blocks_of(guint32 rows)
{
    return (rows + BLOCK - 1) / BLOCK;
}

/*
 * Take the column @state of the first @rows rows from @from to @to (columns from 0 on), and keep
 * the cells passed if @keep.
 */
static void advance_column(const Walk *walk, TgMyersBlock *state, guint32 rows, guint32 from,
                           guint32 to, gboolean keep)
{
    const guint32 n = to - from;
    const guint32 *columns = n > 0 ? walk->hyp.ids + from : NULL;

    for (guint32 j = 0; j < n; j++)
        walk->carry[j] = TG_MYERS_TOP;
    for (guint32 b = 0; b < blocks_of(rows) && !tg_too_long(n); b++) {
        const guint32 *ids = walk->ref.ids + b * BLOCK;
        const guint32 n_ids = MIN(rows - b * BLOCK, BLOCK);
        Cells *kept = walk->kept + (gsize) b * n;

        for (guint32 i = 0; i < n_ids; i++)
            walk->equal[ids[i]] |= G_GUINT64_CONSTANT(1) << i;
        for (guint32 j = 0; j < n; j++) {
            walk->carry[j] =
                tg_myers_step(&state[b], walk->equal[columns[j]], walk->carry[j], FALSE);
            if (keep)
                kept[j] = (Cells){ state[b].zero, state[b].plus };
        }
        for (guint32 i = 0; i < n_ids; i++)
            walk->equal[ids[i]] = 0;
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
        const Cells *cells = &walk->kept[(gsize) ((row - 1) / BLOCK) * n + (j - 1 - from)];
        const guint64 bit = G_GUINT64_CONSTANT(1) << (row - 1) % BLOCK;

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
static guint32 trace_edits(Walk *walk, TgMyersBlock *state, guint32 row, guint32 from, guint32 to)
{
    const gsize n_blocks = blocks_of(row);

    if (n_blocks * (to - from) <= MAX_KEPT || to - from == 1) {
        advance_column(walk, state, row, from, to, TRUE);
        if (tg_too_long(0)) /* cells are missing */
            return row;
        return walk_back(walk, row, from, to);
    }

    const guint32 middle = from + (to - from) / 2;
    g_autofree TgMyersBlock *half = g_memdup2(state, n_blocks * sizeof *state);
    advance_column(walk, half, row, from, middle, FALSE);
    if (tg_too_long(0))
        return row;
    row = trace_edits(walk, half, row, middle, to);
    return trace_edits(walk, state, row, from, middle);
}

TgAlignment tg_align(TgArena *arena, TgSequence ref, TgSequence hyp)
{
    tg_sequence_trim_end(&ref, &hyp); /* the walk would take the same way */

    const guint32 bound = MAX(ref.id_bound, hyp.id_bound);
    const guint32 most = ref.n + hyp.n;
    const gsize n_blocks = blocks_of(ref.n);
    const gsize n_kept = MIN(n_blocks * hyp.n, MAX(n_blocks, MAX_KEPT));
    TgMyersBlock *state = tg_arena_alloc(arena, n_blocks * sizeof *state);
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
        state[b] = TG_MYERS_START;
    for (guint32 row = trace_edits(&walk, state, ref.n, 0, hyp.n); row > 0; row--)
        add_edit(&walk, TG_EDIT_DELETE, row - 1, 0);
    return (TgAlignment){ walk.edits + walk.free, most - walk.free };
}
