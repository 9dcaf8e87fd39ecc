/* Rules for FORTE's finished list: what a sign means is seen when all its neighbours are there. */
#include <string.h>

#include "metrics/forte/reading/reader.h"

static TgForteToken *token_at(const TgForteReader *self, guint32 i)
{
    return &g_array_index(self->tokens, TgForteToken, i);
}

static gboolean is_mark(const TgForteToken *token)
{
    return token->name >= TG_FORTE_NAMES && token->name < TG_FORTE_MARKS_END;
}

/* ---- Grids ---- */

static gboolean is_fence(const TgForteReader *self, guint32 i)
{
    if (i >= self->tokens->len)
        return FALSE;

    const TgForteToken *token = token_at(self, i);
    return token->kind == TG_FORTE_DELIMITER || token->name == '|' ||
           (token->kind == TG_FORTE_RELATION &&
            token->name == tg_forte_tables_find(self->tables, "parallel", strlen("parallel")));
}

/* An open construct: where its first mark is, and whether its marks are dropped. */
typedef struct {
    guint32 open;
    gboolean bare; /* a grid with no delimiter beside it */
} Construct;

/* For each MAT whether it stays: a delimiter stands directly before it or behind its end. */
static void find_bare_grids(const TgForteReader *self, GArray *stack, gboolean *bare)
{
    for (guint32 i = 0; i < self->tokens->len; i++) {
        const TgForteToken *token = token_at(self, i);

        if (token->kind == TG_FORTE_OPEN || token->kind == TG_FORTE_GRID) {
            const Construct construct = { .open = i };
            g_array_append_val(stack, construct);
        } else if (token->name == TG_FORTE_FINISH) {
            const guint32 open = g_array_index(stack, Construct, stack->len - 1).open;
            bare[open] = !is_fence(self, open - 1) && !is_fence(self, i + 1);
            g_array_set_size(stack, stack->len - 1);
        }
    }
}

static gboolean has_grid(const TgForteReader *self)
{
    for (guint32 i = 0; i < self->tokens->len; i++) {
        if (token_at(self, i)->kind == TG_FORTE_GRID)
            return TRUE;
    }
    return FALSE;
}

static gboolean is_operand(const TgForteToken *token)
{
    return !is_mark(token) && token->kind != TG_FORTE_RELATION &&
           token->kind != TG_FORTE_OPERATOR && token->kind != TG_FORTE_PUNCTUATION;
}

/* Whether the cell break at @i parts two things. One beside a relation, a sign or an empty cell
 * only says where rows are aligned. */
static gboolean parts_operands(const TgForteReader *self, guint32 i)
{
    const TgForteToken *before = token_at(self, i - 1), *behind = token_at(self, i + 1);

    return (is_operand(before) || before->kind == TG_FORTE_END) &&
           (is_operand(behind) || behind->kind == TG_FORTE_OPEN || behind->name == TG_FORTE_ACC);
}

/* A grid without delimiters is read as rows, like `aligned`: only its breaks between things stay.
 */
static void drop_bare_grids(TgForteReader *self)
{
    g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(Construct));
    g_autofree gboolean *bare = g_new0(gboolean, (gsize) self->tokens->len + 1);
    guint32 n = 0;

    find_bare_grids(self, stack, bare);
    for (guint32 i = 0; i < self->tokens->len; i++) {
        const TgForteToken token = *token_at(self, i);
        const gboolean in_bare =
            stack->len > 0 && g_array_index(stack, Construct, stack->len - 1).bare;
        gboolean drop = FALSE;

        if (token.kind == TG_FORTE_OPEN || token.kind == TG_FORTE_GRID) {
            drop = token.kind == TG_FORTE_GRID && bare[i];
            const Construct construct = { .open = i, .bare = drop };
            g_array_append_val(stack, construct);
        } else if (token.name == TG_FORTE_FINISH) {
            drop = in_bare;
            g_array_set_size(stack, stack->len - 1);
        } else if (token.name == TG_FORTE_NEXT_CELL) {
            drop = in_bare && !parts_operands(self, i);
        }
        if (!drop)
            *token_at(self, n++) = token;
    }
    g_array_set_size(self->tokens, n);
}

/* ---- Angles ---- */

/* Whether what stands behind @i must be an operand, so that `<` there is no relation. */
static gboolean wants_operand(const TgForteReader *self, guint32 i)
{
    if (i == 0)
        return TRUE;

    const TgForteToken *before = token_at(self, i - 1);
    if (is_mark(before))
        return before->name != TG_FORTE_CLOSE && before->name != TG_FORTE_FINISH;
    if (before->kind == TG_FORTE_DELIMITER)
        return before->name == '(' || before->name == '[' || before->name == '{';
    return (before->kind == TG_FORTE_OPERATOR && before->name != '!' && before->name != '%') ||
           before->kind == TG_FORTE_RELATION || before->kind == TG_FORTE_PUNCTUATION;
}

/* Whether no operand follows @i: there `>` is no relation. */
static gboolean ends_operand(const TgForteReader *self, guint32 i)
{
    if (i + 1 >= self->tokens->len)
        return TRUE;

    const TgForteToken *behind = token_at(self, i + 1);
    if (is_mark(behind))
        return behind->kind == TG_FORTE_END || behind->kind == TG_FORTE_SCRIPT ||
               behind->kind == TG_FORTE_ROW || behind->kind == TG_FORTE_CELL;
    if (behind->kind == TG_FORTE_DELIMITER)
        return behind->name == ')' || behind->name == ']' || behind->name == '}';
    return behind->kind == TG_FORTE_RELATION || behind->kind == TG_FORTE_PUNCTUATION;
}

static void make_angle(TgForteReader *self, guint32 i, const char *name)
{
    TgForteToken *token = token_at(self, i);

    token->name = tg_forte_tables_find(self->tables, name, strlen(name));
    token->kind = TG_FORTE_DELIMITER;
    token->font = TG_FORTE_PLAIN;
}

/* The `>` or, in a bra, the `|` that closes the `<` at @open, in the same list; 0 if none does. */
static guint32 find_closing_angle(const TgForteReader *self, guint32 open)
{
    guint32 bra = 0;
    guint depth = 0;

    for (guint32 i = open + 1; i < self->tokens->len; i++) {
        const TgForteToken *token = token_at(self, i);

        if (token->kind == TG_FORTE_OPEN || token->kind == TG_FORTE_GRID ||
            token->kind == TG_FORTE_SCRIPT) {
            depth++;
        } else if (token->name == TG_FORTE_CLOSE || token->name == TG_FORTE_FINISH) {
            if (depth-- == 0)
                break;
        } else if (depth == 0) {
            if (token->name == '>')
                return i > open + 1 ? i : 0;
            if (token->name == '<' || token->kind == TG_FORTE_ROW || token->kind == TG_FORTE_CELL ||
                token->kind == TG_FORTE_END)
                break;
            if (token->name == '|' && bra == 0 && i > open + 1)
                bra = i;
        }
    }
    return bra;
}

/* `<x>` and `|x>` where the signs can be no relations: they are typed for angles. */
static void find_angles(TgForteReader *self)
{
    gboolean bar = FALSE;
    guint32 ket = G_MAXUINT32; /* behind which a bra may begin */

    for (guint32 i = 0; i < self->tokens->len; i++) {
        const TgForteName name = token_at(self, i)->name;

        if (name == '<' && (i == ket || wants_operand(self, i))) {
            const guint32 closing = find_closing_angle(self, i);

            if (closing == 0)
                continue;
            make_angle(self, i, "<<");
            if (token_at(self, closing)->name == '>')
                make_angle(self, closing, ">>");
        } else if (name == '>' && bar && ends_operand(self, i)) {
            make_angle(self, i, ">>");
            ket = i + 1;
            bar = FALSE;
        } else if (name == '|') {
            bar = !bar;
        }
    }
}

/* ---- Signs of several characters ---- */

static gboolean is_run(const TgForteReader *self, guint32 i, TgForteName name, guint32 n)
{
    if (n > self->tokens->len - i)
        return FALSE;
    for (guint32 k = 0; k < n; k++) {
        if (token_at(self, i + k)->name != name)
            return FALSE;
    }
    return TRUE;
}

/* Signs typed as several characters, || << >> ..., and \cdot\cdot\cdot. */
static void merge_runs(TgForteReader *self)
{
    const struct {
        TgForteName name;
        guint32 n;
        const char *merged;
    } runs[] = { { '|', 2, "parallel" },
                 { '<', 2, "ll" },
                 { '>', 2, "gg" },
                 { '.', 3, "dots" },
                 { tg_forte_tables_find(self->tables, "cdot", strlen("cdot")), 3, "dots" } };
    guint32 n = 0;

    for (guint32 i = 0; i < self->tokens->len;) {
        TgForteToken token = *token_at(self, i);
        guint32 taken = 1;

        for (guint r = 0; r < G_N_ELEMENTS(runs); r++) {
            if (token.name != runs[r].name || !is_run(self, i, runs[r].name, runs[r].n))
                continue;
            taken = runs[r].n;
            token.name = tg_forte_tables_find(self->tables, runs[r].merged, strlen(runs[r].merged));
            token.kind = (guint8) tg_forte_tables_kind(self->tables, token.name);
            token.font = TG_FORTE_PLAIN;
            token.upright = 0;
            token.end = token_at(self, i + taken - 1)->end;
            break;
        }
        *token_at(self, n++) = token;
        i += taken;
    }
    g_array_set_size(self->tokens, n);
}

/* ---- The ends of rows ---- */

/* Dots typed as three stops are no punctuation. */
static gboolean ends_in_dots(const TgForteReader *self, guint32 begin)
{
    const guint32 n = self->tokens->len;

    return n >= begin + 3 && is_run(self, n - 3, '.', 3) &&
           (n < begin + 4 || token_at(self, n - 4)->name != '.');
}

void tg_forte_end_row(TgForteReader *self, guint32 begin)
{
    GArray *tokens = self->tokens;

    while (tokens->len > begin && token_at(self, tokens->len - 1)->kind == TG_FORTE_PUNCTUATION &&
           !ends_in_dots(self, begin))
        g_array_set_size(tokens, tokens->len - 1);
}

void tg_forte_finish(TgForteReader *self)
{
    GArray *tokens = self->tokens;
    guint32 n_before = 0;

    while (n_before < tokens->len && token_at(self, n_before)->name == TG_FORTE_NEXT_ROW)
        n_before++;
    g_array_remove_range(tokens, 0, n_before);
    while (tokens->len > 0 && token_at(self, tokens->len - 1)->name == TG_FORTE_NEXT_ROW)
        g_array_set_size(tokens, tokens->len - 1);
    if (has_grid(self))
        drop_bare_grids(self);
    merge_runs(self);
    find_angles(self);
    tg_forte_end_row(self, 0);
}
