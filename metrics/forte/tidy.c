/* Rules for finished lists, because the meaning of some signs depends on all their neighbors. */
#include "metrics/forte/forte.h"

/* ---- Grids ---------------------------------------------------------------------------------- */

static gboolean is_fence(const GArray *tokens, guint32 i)
{
    if (i >= tokens->len)
        return FALSE;

    const TgForteToken *token = tg_forte_at(tokens, i);
    return token->kind == TG_FORTE_DELIMITER || token->name == '|' ||
           (token->kind == TG_FORTE_RELATION && token->name == TG_FORTE_PARALLEL);
}

static gboolean is_operand(const TgForteToken *token)
{
    return !tg_forte_is_mark(token->name) && token->kind != TG_FORTE_RELATION &&
           token->kind != TG_FORTE_OPERATOR && token->kind != TG_FORTE_PUNCTUATION;
}

/* Whether the cell break at @i separates two things. A break beside a relation or, where there are
 * no delimiters, beside a sign or an empty cell only shows where rows are aligned. */
static gboolean parts_operands(const GArray *tokens, guint32 i, gboolean is_bare)
{
    const TgForteToken *before = tg_forte_at(tokens, i - 1), *after = tg_forte_at(tokens, i + 1);

    if (!is_bare)
        return before->kind != TG_FORTE_RELATION && after->kind != TG_FORTE_RELATION;
    return (is_operand(before) || before->kind == TG_FORTE_END) &&
           (is_operand(after) || after->kind == TG_FORTE_OPEN || after->name == TG_FORTE_ACC);
}

/* Read a grid without a delimiter directly before or after it as rows, like `aligned`: only breaks
 * that separate things stay. A table, in which no break aligns, keeps all breaks, because the
 * column of each entry is visible. */
static void drop_bare_grids(GArray *tokens)
{
    /* constructs that are open */
    g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autofree guint32 *construct = g_new(guint32, tokens->len); /* the construct of each token */
    g_autofree gboolean *bare = g_new0(gboolean, (gsize) tokens->len + 1);
    g_autofree gboolean *aligned = g_new0(gboolean, (gsize) tokens->len + 1);
    guint32 n = 0;

    for (guint32 i = 0; i < tokens->len; i++) {
        const TgForteToken *token = tg_forte_at(tokens, i);

        if (token->kind == TG_FORTE_OPEN || token->kind == TG_FORTE_GRID)
            g_array_append_val(stack, i);
        construct[i] = stack->len > 0 ? g_array_index(stack, guint32, stack->len - 1) : tokens->len;
        if (token->name == TG_FORTE_NEXT_CELL) /* beside a relation or before a sign */
            aligned[construct[i]] |= token[-1].kind == TG_FORTE_RELATION ||
                                     token[1].kind == TG_FORTE_RELATION ||
                                     token[1].kind == TG_FORTE_OPERATOR;
        if (token->name == TG_FORTE_FINISH) {
            const guint32 open = construct[i];

            bare[open] = tg_forte_at(tokens, open)->kind == TG_FORTE_GRID &&
                         !is_fence(tokens, open - 1) && !is_fence(tokens, i + 1);
            g_array_set_size(stack, stack->len - 1);
        }
    }
    for (guint32 i = 0; i < tokens->len; i++) {
        const TgForteToken token = *tg_forte_at(tokens, i);
        const gboolean is_bare = bare[construct[i]];
        const gboolean goes =
            token.name == TG_FORTE_NEXT_CELL
                ? (!is_bare || aligned[construct[i]]) && !parts_operands(tokens, i, is_bare)
                : is_bare && (token.kind == TG_FORTE_GRID || token.name == TG_FORTE_FINISH);

        if (!goes)
            *tg_forte_at(tokens, n++) = token;
    }
    g_array_set_size(tokens, n);
}

/* ---- Angles --------------------------------------------------------------------------------- */

/* Whether an operand must follow @i, so that `<` there is no relation. */
static gboolean wants_operand(const GArray *tokens, guint32 i)
{
    if (i == 0)
        return TRUE;

    const TgForteToken *before = tg_forte_at(tokens, i - 1);
    if (tg_forte_is_mark(before->name))
        return before->name != TG_FORTE_CLOSE && before->name != TG_FORTE_FINISH;
    if (before->kind == TG_FORTE_DELIMITER)
        return before->name == '(' || before->name == '[' || before->name == '{';
    return (before->kind == TG_FORTE_OPERATOR && before->name != '!' && before->name != '%') ||
           before->kind == TG_FORTE_RELATION || before->kind == TG_FORTE_PUNCTUATION;
}

/* Whether no operand follows @i, so that `>` there is no relation. */
static gboolean ends_operand(const GArray *tokens, guint32 i)
{
    if (i + 1 >= tokens->len)
        return TRUE;

    const TgForteToken *after = tg_forte_at(tokens, i + 1);
    if (tg_forte_is_mark(after->name))
        return after->kind == TG_FORTE_END || after->kind == TG_FORTE_SCRIPT ||
               after->kind == TG_FORTE_ROW || after->kind == TG_FORTE_CELL;
    if (after->kind == TG_FORTE_DELIMITER)
        return after->name == ')' || after->name == ']' || after->name == '}';
    return after->kind == TG_FORTE_RELATION || after->kind == TG_FORTE_PUNCTUATION;
}

static void make_angle(TgForteToken *token, TgForteName name)
{
    token->name = name;
    token->kind = TG_FORTE_DELIMITER;
    token->font = TG_FORTE_PLAIN;
}

/* The `>`, or in a bra the `|`, that closes the `<` at @open in the same list; 0 if there is
 * none. */
static guint32 find_closing_angle(const GArray *tokens, guint32 open)
{
    guint32 bra = 0;
    guint depth = 0;

    for (guint32 i = open + 1; i < tokens->len; i++) {
        const TgForteToken *token = tg_forte_at(tokens, i);

        if (tg_forte_begins(token)) {
            depth++;
        } else if (tg_forte_ends(token)) {
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

/* Read `<x>` and `|x>` as angles where the signs cannot be relations. */
static void find_angles(GArray *tokens)
{
    gboolean bar = FALSE;      /* a bar before @i that > may close */
    gboolean bra = FALSE;      /* after \langle, where no bar is a right one */
    guint32 ket = G_MAXUINT32; /* place after which a bra may begin */

    for (guint32 i = 0; i < tokens->len; i++) {
        TgForteToken *token = tg_forte_at(tokens, i);

        if (token->name == '<' && (i == ket || wants_operand(tokens, i))) {
            const guint32 closing = find_closing_angle(tokens, i);

            if (closing == 0)
                continue;
            make_angle(token, TG_FORTE_LEFT_ANGLE);
            if (tg_forte_at(tokens, closing)->name == '>')
                make_angle(tg_forte_at(tokens, closing), TG_FORTE_RIGHT_ANGLE);
        } else if (token->name == '>' && bar && ends_operand(tokens, i)) {
            make_angle(token, TG_FORTE_RIGHT_ANGLE);
            ket = i + 1;
            bar = bra = FALSE;
        } else if (token->name == TG_FORTE_LEFT_ANGLE || token->name == TG_FORTE_RIGHT_ANGLE) {
            bra = token->name == TG_FORTE_LEFT_ANGLE;
        } else if (token->name == '|') {
            bar = bra || !bar;
        }
    }
}

/* ---- Signs of several characters ------------------------------------------------------------ */

static gboolean is_run(const GArray *tokens, guint32 i, TgForteName name, guint32 n)
{
    if (n > tokens->len - i)
        return FALSE;
    for (guint32 k = 0; k < n; k++) {
        if (tg_forte_at(tokens, i + k)->name != name)
            return FALSE;
    }
    return TRUE;
}

/* Join signs that are typed as several characters: || << >> ..., and \cdot\cdot\cdot. */
static void merge_runs(GArray *tokens)
{
    static const struct {
        TgForteName name;
        guint32 n;
        TgForteName merged;
    } runs[] = { { '|', 2, TG_FORTE_PARALLEL },
                 { '<', 2, TG_FORTE_LL },
                 { '>', 2, TG_FORTE_GG },
                 { '.', 3, TG_FORTE_ELLIPSIS },
                 { TG_FORTE_CDOT, 3, TG_FORTE_ELLIPSIS } };
    guint32 n = 0;

    for (guint32 i = 0, taken; i < tokens->len; i += taken) {
        TgForteToken token = *tg_forte_at(tokens, i);

        taken = 1;
        for (guint r = 0; r < G_N_ELEMENTS(runs); r++) {
            if (token.name != runs[r].name || !is_run(tokens, i, runs[r].name, runs[r].n))
                continue;
            taken = runs[r].n;
            token.name = runs[r].merged;
            token.kind = (guint8) tg_forte_kind(token.name);
            token.font = TG_FORTE_PLAIN;
            token.upright = 0;
            token.end = tg_forte_at(tokens, i + taken - 1)->end;
            break;
        }
        *tg_forte_at(tokens, n++) = token;
    }
    g_array_set_size(tokens, n);
}

/* ---- The ends of rows ----------------------------------------------------------------------- */

void tg_forte_end_row(GArray *tokens, guint32 begin)
{
    const guint32 n = tokens->len;
    /* dots that are typed as three stops are no punctuation */
    const gboolean has_dots = n >= begin + 3 && is_run(tokens, n - 3, '.', 3) &&
                              (n < begin + 4 || tg_forte_at(tokens, n - 4)->name != '.');

    if (n > begin && tg_forte_at(tokens, n - 1)->kind == TG_FORTE_PUNCTUATION && !has_dots)
        g_array_set_size(tokens, n - 1);
}

void tg_forte_tidy(GArray *tokens)
{
    guint32 n_before = 0;
    gboolean has_grid = FALSE;

    while (n_before < tokens->len && tg_forte_at(tokens, n_before)->name == TG_FORTE_NEXT_ROW)
        n_before++;
    g_array_remove_range(tokens, 0, n_before);
    while (tokens->len > 0 && tg_forte_at(tokens, tokens->len - 1)->name == TG_FORTE_NEXT_ROW)
        g_array_set_size(tokens, tokens->len - 1);
    for (guint32 i = 0; i < tokens->len; i++)
        has_grid |= tg_forte_at(tokens, i)->kind == TG_FORTE_GRID;
    if (has_grid)
        drop_bare_grids(tokens);
    merge_runs(tokens);
    find_angles(tokens);
    tg_forte_end_row(tokens, 0);
}

/* ---- Parts that count only if both formulas have them ---------------------------------------- */

void tg_forte_drop_blanks(GArray *tokens)
{
    guint32 n = 0;

    for (guint32 i = 0; i < tokens->len; i++) {
        if (tg_forte_at(tokens, i)->name != TG_FORTE_BLANK)
            *tg_forte_at(tokens, n++) = *tg_forte_at(tokens, i);
    }
    g_array_set_size(tokens, n);
}

void tg_forte_cut_loop(GArray *tokens, guint32 n_ref)
{
    static const guint32 longest = 256, rounds = 6;
    const guint32 n = tokens->len;

    for (guint32 period = 1; n > n_ref + 1 && period <= longest; period++) {
        guint32 length = period;
        gint depth = 0;

        while (length < n && tg_forte_same_token(tg_forte_at(tokens, n - 1 - length),
                                                 tg_forte_at(tokens, n - 1 - length + period)))
            length++;
        if (length <= rounds * period)
            continue;
        guint32 kept = n;
        for (guint32 i = n; i > MAX(n - length + rounds * period, n_ref + period); i--) {
            const TgForteToken *token = tg_forte_at(tokens, i - 1);

            depth += tg_forte_ends(token) - tg_forte_begins(token);
            if (depth == 0) /* all open constructs are closed */
                kept = i - 1;
        }
        g_array_set_size(tokens, kept);
        tg_forte_end_row(tokens, n_ref + 1);
        return;
    }
}
