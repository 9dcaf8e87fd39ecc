/* The cheapest edits between two lists, and those of styles. */
#include "metrics/forte/forte.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "metrics/algorithms/algorithms.h"

/* ---- Costs ---------------------------------------------------------------------------------- */

static double cost_of_loss(const TgForteToken *token)
{
    return token->name == TG_FORTE_BLANK ? 0.2 : tg_forte_tables.losses[token->kind];
}

/* Whether two names are one letter in two cases; Greek ones differ in their first letter. */
static gboolean differ_in_case(const TgForteToken *a, const TgForteToken *b)
{
    if (a->name < TG_FORTE_NAMES && b->name < TG_FORTE_NAMES)
        return g_unichar_tolower(a->name) == g_unichar_tolower(b->name);
    if (a->name < TG_FORTE_NAMES || b->name < TG_FORTE_NAMES)
        return FALSE;
    return g_ascii_strcasecmp(tg_forte_tables.texts[a->name - TG_FORTE_NAMES],
                              tg_forte_tables.texts[b->name - TG_FORTE_NAMES]) == 0;
}

/* The event of one symbol in two fonts. */
static TgForteType type_of_style(const TgForteToken *a, const TgForteToken *b)
{
    const guint8 font = MAX(a->font, b->font);

    return !(tg_forte_is_operand(a) || a->kind == TG_FORTE_SYMBOL) ||
                   (MIN(a->font, b->font) == TG_FORTE_PLAIN &&
                    (font == TG_FORTE_BOLD || font == TG_FORTE_SANS || font == TG_FORTE_TYPEWRITER))
               ? TG_FORTE_EVENT_STYLE_BOLD
               : TG_FORTE_EVENT_STYLE_OTHER;
}

/* The event of a change between two marks of structure or two accents; each kind changes only among
 * itself. */
static TgForteType type_of_marks(const TgForteToken *a, const TgForteToken *b)
{
    if (a->kind == b->kind) {
        switch ((TgForteKind) a->kind) {
        case TG_FORTE_ACCENT:
            return MAX(a->name, b->name) >= TG_FORTE_UNKNOWN ? TG_FORTE_EVENT_INK
                                                             : TG_FORTE_EVENT_ACCENT_OTHER;
        case TG_FORTE_OPEN:
            return TG_FORTE_EVENT_ROOT_MARKS;
        case TG_FORTE_SCRIPT:
            return TG_FORTE_EVENT_SUB_SUPER;
        case TG_FORTE_END:
            return TG_FORTE_EVENT_MARK;
        default:
            return TG_N_FORTE_TYPES;
        }
    }
    if (MIN(a->kind, b->kind) == TG_FORTE_ROW && MAX(a->kind, b->kind) == TG_FORTE_CELL)
        return TG_FORTE_EVENT_ROW_MARK;
    return (a->name == TG_FORTE_DEN && b->name == '/') ||
                   (a->name == '/' && b->name == TG_FORTE_DEN)
               ? TG_FORTE_EVENT_SLASH
               : TG_N_FORTE_TYPES;
}

TgForteType tg_forte_type_of_change(const TgForteToken *a, const TgForteToken *b)
{
    const TgFortePair pair = tg_forte_pair(a->name, b->name);
    const gboolean letters = tg_forte_is_letter(a) && tg_forte_is_letter(b);
    const gboolean digit = a->kind == TG_FORTE_DIGIT || b->kind == TG_FORTE_DIGIT;
    const TgForteKind low = (TgForteKind) MIN(a->kind, b->kind);
    const TgForteKind high = (TgForteKind) MAX(a->kind, b->kind);

    if (a->name == b->name && low == high)
        return type_of_style(a, b);
    if (!tg_forte_is_symbol(a) || !tg_forte_is_symbol(b))
        return type_of_marks(a, b);
    if (pair.change < TG_N_FORTE_TYPES)
        return (TgForteType) pair.change;
    if (letters && low == high && differ_in_case(a, b))
        return a->name < 128 && strchr("cosuvwxzpky", g_ascii_tolower((char) a->name)) != NULL
                   ? TG_FORTE_EVENT_SAME_SHAPE
                   : TG_FORTE_EVENT_CASE;
    if (pair.likeness == TG_FORTE_VARIANT || low == TG_FORTE_DOTS)
        return TG_FORTE_EVENT_VARIANT;
    if (pair.likeness == TG_FORTE_LOOK_ALIKE)
        return letters ? TG_FORTE_EVENT_LOOK_LETTER
               : digit ? TG_FORTE_EVENT_LOOK_DIGIT
                       : TG_FORTE_EVENT_LOOK_SYMBOL;
    if (letters)
        return a->name == TG_FORTE_PI || b->name == TG_FORTE_PI ? TG_FORTE_EVENT_PI
               : low == high                                    ? TG_FORTE_EVENT_LETTER
                                                                : TG_FORTE_EVENT_CROSS_ALPHABET;
    if (digit)
        return high == TG_FORTE_DIGIT ? TG_FORTE_EVENT_DIGIT : TG_FORTE_EVENT_DIGIT_LETTER;
    if (low == TG_FORTE_DELIMITER && high == TG_FORTE_DELIMITER)
        return TG_FORTE_EVENT_DELIMITER;
    if (low == TG_FORTE_DELIMITER && high == TG_FORTE_RELATION)
        return TG_FORTE_EVENT_DELIMITER_BAR;
    if (low == TG_FORTE_PUNCTUATION && high == TG_FORTE_PUNCTUATION)
        return TG_FORTE_EVENT_PUNCTUATION;
    if (tg_forte_is_sign(a) && tg_forte_is_sign(b))
        return low == TG_FORTE_RELATION && high == TG_FORTE_RELATION ? TG_FORTE_EVENT_RELATION
                                                                     : TG_FORTE_EVENT_OPERATOR;
    if (!tg_forte_is_operand(a) && !tg_forte_is_operand(b))
        return TG_FORTE_EVENT_SYMBOL;
    return tg_forte_is_sign(a) || tg_forte_is_sign(b) ? TG_FORTE_EVENT_OPERAND_OPERATOR
                                                      : TG_FORTE_EVENT_LETTER_SYMBOL;
}

/* ---- Alignment ------------------------------------------------------------------------------ */

typedef struct {
    const TgForteToken *ref, *hyp;
    guint32 n_ref, n_hyp;
} Problem;

/* The cost of reading token @i of the reference as token @j of the hypothesis; symmetric. */
static double cost_of_change(gconstpointer data, guint32 i, guint32 j)
{
    const Problem *self = data;
    const TgForteToken *a = &self->ref[i], *b = &self->hyp[j];

    if (tg_forte_same_token(a, b))
        return 0;

    const TgForteType type = tg_forte_type_of_change(a, b);
    const TgForteLikeness likeness = tg_forte_pair(a->name, b->name).likeness;
    return likeness != TG_FORTE_UNLIKE ? (likeness == TG_FORTE_VARIANT ? 0.25 : 0.5)
           : type < TG_N_FORTE_TYPES   ? tg_forte_tables.swaps[type]
                                       : INFINITY;
}

/* Leave out the common end of both lists. At equal cost the last tokens are aligned with each
 * other, and no other alignment is cheaper, because losing another token instead costs as much as
 * losing it and changing the two. Punctuation and bars are an exception: `.` is like \cdot, a bar
 * like a slash. */
static void trim_end(Problem *self)
{
    while (self->n_ref > 0 && self->n_hyp > 0) {
        const TgForteToken *last = &self->ref[self->n_ref - 1];

        if (last->kind == TG_FORTE_PUNCTUATION || last->name == TG_FORTE_DEN ||
            !tg_forte_same_token(last, &self->hyp[self->n_hyp - 1]))
            return;
        self->n_ref--;
        self->n_hyp--;
    }
}

/* Whether one list is the beginning of the other; the alignment that says so is preferred among the
 * cheapest. */
static gboolean is_beginning(const Problem *self)
{
    for (guint32 i = 0; i < self->n_ref && i < self->n_hyp; i++) {
        if (!tg_forte_same_token(&self->ref[i], &self->hyp[i]))
            return FALSE;
    }
    return TRUE;
}

static guint32 solve_alignment(const Problem *self, guint8 *path)
{
    const gsize n = (gsize) self->n_ref + self->n_hyp;
    g_autofree guint64 *items = g_new(guint64, n + 1);
    g_autofree double *costs = g_new(double, n + 1);
    const TgWeighted weighted = { .items = items,
                                  .costs = costs,
                                  .n_ref = self->n_ref,
                                  .n_hyp = self->n_hyp,
                                  .change = cost_of_change,
                                  .data = (gpointer) self,
                                  .effort = 1,
                                  .tolerance = 1e-9 };

    for (gsize k = 0; k < n; k++) {
        const TgForteToken *token = k < self->n_ref ? &self->ref[k] : &self->hyp[k - self->n_ref];

        items[k] = (guint64) token->name << 16 | token->kind << 8 | token->font;
        costs[k] = cost_of_loss(token);
    }
    return tg_weighted_align(&weighted, path);
}

/* ---- Where runs begin ----------------------------------------------------------------------- */

/* The first edit behind a run of losses or additions of neighboring tokens that begins with edit
 * @first. */
static guint end_of_run(const GArray *edits, guint first)
{
    guint end = first + 1;

    for (; end < edits->len; end++) {
        const TgForteEdit *before = tg_forte_edit(edits, end - 1), *edit = before + 1;

        if (edit->lost == edit->added || before->lost != edit->lost ||
            before->added != edit->added || edit->ref != before->ref + edit->lost ||
            edit->hyp != before->hyp + edit->added)
            break;
    }
    return end;
}

/* Whether the run of edits @first to before @end may stand one token further, because the token
 * after the run equals its first token and has no edit. */
static gboolean may_slide(const GArray *tokens, const GArray *edits, guint first, guint end)
{
    const TgForteEdit *begin = tg_forte_edit(edits, first), *last = tg_forte_edit(edits, end - 1);
    const guint32 from = begin->lost ? begin->ref : begin->hyp;
    const guint32 after = (begin->lost ? last->ref : last->hyp) + 1;

    if (after >= tokens->len ||
        !tg_forte_same_token(tg_forte_at(tokens, from), tg_forte_at(tokens, after)))
        return FALSE;
    if (end == edits->len)
        return TRUE;
    const TgForteEdit *next = tg_forte_edit(edits, end);
    return (begin->lost ? next->ref : next->hyp) != after && next->ref > last->ref &&
           next->hyp > last->hyp;
}

/* Among alignments that cost the same, choose the one whose runs begin with a script: in `x_x` for
 * `x` the script was added, not `x_` before it. */
static void begin_with_scripts(const GArray *ref, const GArray *hyp, GArray *edits)
{
    for (guint e = 0, end; e < edits->len; e = end) {
        const TgForteEdit *edit = tg_forte_edit(edits, e);
        const GArray *tokens = edit->lost ? ref : hyp;

        end = end_of_run(edits, e);
        for (guint steps = 0;
             edit->lost != edit->added && steps < MIN(8, end - e) &&
             tg_forte_at(tokens, edit->lost ? edit->ref : edit->hyp)->kind != TG_FORTE_SCRIPT &&
             may_slide(tokens, edits, e, end);
             steps++) {
            for (guint k = e; k < end; k++) {
                tg_forte_edit(edits, k)->ref++;
                tg_forte_edit(edits, k)->hyp++;
            }
        }
    }
}

gboolean tg_forte_align(const GArray *ref, const GArray *hyp, GArray *edits, GError **error)
{
    const gsize width = (gsize) hyp->len + 1, height = (gsize) ref->len + 1;
    Problem problem = { (gconstpointer) ref->data, (gconstpointer) hyp->data, ref->len, hyp->len };

    g_array_set_size(edits, 0);
    if (ref->len == hyp->len && is_beginning(&problem))
        return TRUE;
    if (height > TG_FORTE_MAX_CELLS / width)
        return tg_fail(error, TG_ERROR_DATA, "formulas of %u and %u tokens are too long to align",
                       ref->len, hyp->len);
    g_autofree guint8 *path = g_malloc(width + height);
    guint32 n, i = 0, j = 0;

    trim_end(&problem);
    if (is_beginning(&problem)) {
        const guint32 n_both = MIN(problem.n_ref, problem.n_hyp);

        n = MAX(problem.n_ref, problem.n_hyp);
        memset(path, TG_STEP_CHANGE, n_both);
        memset(path + n_both, problem.n_ref > n_both ? TG_STEP_LOSS : TG_STEP_ADDITION, n - n_both);
    } else {
        n = solve_alignment(&problem, path);
    }
    for (guint32 k = 0; k < n; k++) {
        const guint8 step = path[k];
        const TgForteEdit edit = {
            .cost = step == TG_STEP_CHANGE
                        ? cost_of_change(&problem, i, j)
                        : cost_of_loss(step == TG_STEP_LOSS ? &problem.ref[i] : &problem.hyp[j]),
            .lost = step != TG_STEP_ADDITION,
            .added = step != TG_STEP_LOSS,
            .ref = i,
            .hyp = j
        };

        if (edit.cost > 0)
            g_array_append_val(edits, edit);
        i += edit.lost;
        j += edit.added;
    }
    begin_with_scripts(ref, hyp, edits);
    return TRUE;
}

TgForteSums tg_forte_measure(const GArray *tokens)
{
    TgForteSums sums = { 0 };

    for (guint32 i = 0; i < tokens->len; i++) {
        const TgForteToken *token = tg_forte_at(tokens, i);

        sums.size += cost_of_loss(token);
        sums.n_symbols += tg_forte_is_symbol(token);
        sums.weight += tg_forte_weight(token);
    }
    sums.size = MAX(sums.size, 1);
    return sums;
}
