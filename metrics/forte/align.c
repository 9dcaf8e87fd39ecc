/* The cheapest edits between two lists, and those of styles. */
#include "metrics/forte/forte.h"

#include <math.h>

#include "core/fail.h"
#include "metrics/algorithms/algorithms.h"

/* ---- Costs ---------------------------------------------------------------------------------- */

double tg_forte_cost_of_loss(const TgForteToken *token)
{
    static const double losses[TG_N_FORTE_KINDS] = {
        [TG_FORTE_DIGIT] = 1,    [TG_FORTE_LATIN] = 1,       [TG_FORTE_GREEK] = 1,
        [TG_FORTE_OPERATOR] = 1, [TG_FORTE_RELATION] = 1,    [TG_FORTE_BIG] = 1,
        [TG_FORTE_SYMBOL] = 1,   [TG_FORTE_PRIME] = 0.7,     [TG_FORTE_DOTS] = 0.7,
        [TG_FORTE_ACCENT] = 0.9, [TG_FORTE_DELIMITER] = 0.6, [TG_FORTE_PUNCTUATION] = 0.4,
        [TG_FORTE_OPEN] = 1,     [TG_FORTE_SCRIPT] = 0.6,    [TG_FORTE_GRID] = 0.5,
        [TG_FORTE_ROW] = 0.5,    [TG_FORTE_END] = 0.3,       [TG_FORTE_CELL] = 0.1,
    };

    return token->name == TG_FORTE_BLANK ? 0.2 : losses[token->kind];
}

static double cost_of_font(guint8 a, guint8 b)
{
    const guint other = MIN(a, b) == TG_FORTE_PLAIN ? MAX(a, b) : TG_N_FORTE_FONTS;

    if (other == TG_FORTE_BOLD || other == TG_FORTE_SANS || other == TG_FORTE_TYPEWRITER)
        return 0.12;
    return MIN(a, b) == TG_FORTE_CALLIGRAPHIC && MAX(a, b) == TG_FORTE_FRAKTUR ? 0.15 : 0.35;
}

/* Marks of structure and accents, which change only among themselves. */
static gboolean is_structure(guint8 kind)
{
    return kind == TG_FORTE_ACCENT || (kind >= TG_FORTE_SCRIPT && kind <= TG_FORTE_CELL);
}

static double cost_of_structure(guint8 a, guint8 b)
{
    if (a == TG_FORTE_SCRIPT && b == TG_FORTE_SCRIPT)
        return 0.8;
    if (a == TG_FORTE_END && b == TG_FORTE_END)
        return 0.3;
    return MIN(a, b) == TG_FORTE_ROW && MAX(a, b) == TG_FORTE_CELL ? 0.5 : INFINITY;
}

/* Whether two names are one letter in two cases; Greek ones differ in their first letter. */
gboolean tg_forte_differ_in_case(const TgForteToken *a, const TgForteToken *b)
{
    if (a->kind != b->kind || !tg_forte_is_letter(a))
        return FALSE;
    if (a->name < TG_FORTE_NAMES && b->name < TG_FORTE_NAMES)
        return g_unichar_tolower(a->name) == g_unichar_tolower(b->name);
    if (a->name < TG_FORTE_NAMES || b->name < TG_FORTE_NAMES)
        return FALSE;
    return g_ascii_strcasecmp(tg_forte_tables.texts[a->name - TG_FORTE_NAMES],
                              tg_forte_tables.texts[b->name - TG_FORTE_NAMES]) == 0;
}

static gboolean is_operator(guint8 kind)
{
    return kind == TG_FORTE_OPERATOR || kind == TG_FORTE_RELATION || kind == TG_FORTE_BIG;
}

/* Putting one token for another; symmetric. */
static double cost_of_swap(const TgForteToken *a, const TgForteToken *b)
{
    const gboolean same_kind = a->kind == b->kind;
    const gboolean letters = tg_forte_is_letter(a) && tg_forte_is_letter(b);

    if (a->name == b->name && same_kind)
        return a->font == b->font ? 0 : cost_of_font(a->font, b->font);
    if ((a->name == TG_FORTE_DEN && b->name == '/') || (a->name == '/' && b->name == TG_FORTE_DEN))
        return 0.3;
    if (a->kind == TG_FORTE_ACCENT && same_kind)
        return 0.7;
    if (is_structure(a->kind) || is_structure(b->kind))
        return cost_of_structure(a->kind, b->kind);
    if (a->kind == TG_FORTE_OPEN || b->kind == TG_FORTE_OPEN)
        return same_kind ? 1.2 : INFINITY;

    const TgFortePair pair = tg_forte_pair(a->name, b->name);
    if (pair == TG_FORTE_VARIANT)
        return 0.25;
    if (pair == TG_FORTE_LOOK_ALIKE)
        return 0.5;
    if (tg_forte_differ_in_case(a, b))
        return 0.5;
    if (letters && (a->name == TG_FORTE_PI || b->name == TG_FORTE_PI))
        return 1.6; /* a number, too */

    if (same_kind && a->kind == TG_FORTE_PUNCTUATION)
        return 0.3;
    if (same_kind && a->kind == TG_FORTE_DELIMITER)
        return 0.7;
    if (same_kind && a->kind == TG_FORTE_DOTS)
        return 0.3;
    if (same_kind && a->kind == TG_FORTE_DIGIT)
        return 1.6;
    if (letters)
        return same_kind ? 1 : 1.15;
    if (is_operator(a->kind) && is_operator(b->kind))
        return 1.2;
    if (a->kind == TG_FORTE_DIGIT || b->kind == TG_FORTE_DIGIT) /* a number is wrong either way */
        return 1.6;
    return 1.3;
}

/* ---- Alignment ------------------------------------------------------------------------------ */

typedef struct {
    const TgForteToken *ref, *hyp;
    guint32 n_ref, n_hyp;
} Problem;

static double cost_of_change(gconstpointer data, guint32 ref, guint32 hyp)
{
    const Problem *self = data;

    return cost_of_swap(&self->ref[ref], &self->hyp[hyp]);
}

/* Leave out what both lists end in: at equal cost the last tokens are aligned with each other, and
 * nothing is cheaper while losing any other token instead costs no more than losing it and changing
 * the two. Of punctuation and bars that is not so: `.` is like \cdot, a bar like a slash. */
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

/* Tokens as numbers, and what losing them costs. */
static void number_tokens(const TgForteToken *tokens, guint32 n, guint64 *numbers, double *losses)
{
    for (guint32 i = 0; i < n; i++) {
        numbers[i] = (guint64) tokens[i].name << 16 | tokens[i].kind << 8 | tokens[i].font;
        losses[i] = tg_forte_cost_of_loss(&tokens[i]);
    }
}

static void solve(const Problem *self, guint8 *path, guint32 *n_path)
{
    const gsize n = (gsize) self->n_ref + self->n_hyp;
    g_autofree guint64 *numbers = g_new(guint64, n + 1);
    g_autofree double *losses = g_new(double, n + 1);
    const TgWeighted weighted = { .ref = numbers,
                                  .hyp = numbers + self->n_ref,
                                  .n_ref = self->n_ref,
                                  .n_hyp = self->n_hyp,
                                  .losses = losses,
                                  .additions = losses + self->n_ref,
                                  .change = cost_of_change,
                                  .data = (gpointer) self,
                                  .effort = 1,
                                  .tolerance = 1e-9 };

    number_tokens(self->ref, self->n_ref, numbers, losses);
    number_tokens(self->hyp, self->n_hyp, numbers + self->n_ref, losses + self->n_ref);
    tg_weighted_align(&weighted, path, n_path);
}

static gboolean are_equal(const GArray *a, const GArray *b)
{
    if (a->len != b->len)
        return FALSE;
    for (guint i = 0; i < a->len; i++) {
        if (!tg_forte_same_token(tg_forte_at(a, i), tg_forte_at(b, i)))
            return FALSE;
    }
    return TRUE;
}

/* ---- Where runs begin ----------------------------------------------------------------------- */

/* The edit after the losses or additions of neighbouring tokens that begin with edit @first. */
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

/* Whether the run of edits @first to before @end may stand one token further: the token after it is
 * the one that it begins with, and has no edit. */
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

/* Of the alignments that cost the same, the one whose runs begin with a script: in `x_x` for `x`
 * the script was added, not `x_` before it. */
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

    g_array_set_size(edits, 0);
    if (are_equal(ref, hyp))
        return TRUE;
    if (height > TG_FORTE_MAX_CELLS / width)
        return tg_fail(error, TG_ERROR_DATA, "formulas of %u and %u tokens are too long to align",
                       ref->len, hyp->len);

    Problem problem = { (gconstpointer) ref->data, (gconstpointer) hyp->data, ref->len, hyp->len };
    g_autofree guint8 *path = g_malloc(width + height);
    guint32 n, i = 0, j = 0;

    trim_end(&problem);
    solve(&problem, path, &n);
    for (guint32 k = 0; k < n; k++) {
        const guint8 step = path[k];
        const TgForteEdit edit = { .cost = step == TG_STEP_CHANGE
                                               ? cost_of_swap(&problem.ref[i], &problem.hyp[j])
                                               : tg_forte_cost_of_loss(step == TG_STEP_LOSS
                                                                           ? &problem.ref[i]
                                                                           : &problem.hyp[j]),
                                   .lost = step != TG_STEP_ADDITION,
                                   .added = step != TG_STEP_LOSS,
                                   .ref = i,
                                   .hyp = j };

        if (edit.cost > 0)
            g_array_append_val(edits, edit);
        i += edit.lost;
        j += edit.added;
    }
    begin_with_scripts(ref, hyp, edits);
    return TRUE;
}

/* ---- Styles --------------------------------------------------------------------------------- */

gboolean tg_forte_is_upright_letter(const GArray *tokens, guint32 i)
{
    return i < tokens->len && tg_forte_at(tokens, i)->kind == TG_FORTE_LATIN &&
           tg_forte_at(tokens, i)->upright;
}

/* A letter by itself: those of a word are upright because it is a word. */
static gboolean is_single_letter(const GArray *tokens, guint32 i)
{
    if (!tg_forte_is_upright_letter(tokens, i))
        return tg_forte_is_letter(tg_forte_at(tokens, i));
    return (i == 0 || !tg_forte_is_upright_letter(tokens, i - 1)) &&
           !tg_forte_is_upright_letter(tokens, i + 1);
}

/* Whether a list has the letter in the style of @like, beside @like itself. */
static gboolean has_letter(const GArray *tokens, const TgForteToken *like)
{
    for (guint32 i = 0; i < tokens->len; i++) {
        const TgForteToken *token = tg_forte_at(tokens, i);

        if (tg_forte_same_token(token, like) && token->upright == like->upright &&
            is_single_letter(tokens, i))
            return TRUE;
    }
    return FALSE;
}

void tg_forte_add_styles(const GArray *ref, const GArray *hyp, GArray *edits)
{
    guint e = 0;

    for (guint32 i = 0, j = 0; i < ref->len && j < hyp->len;) {
        const TgForteEdit *edit = e < edits->len ? tg_forte_edit(edits, e) : NULL;
        const TgForteToken *a = tg_forte_at(ref, i), *b = tg_forte_at(hyp, j);

        if (edit != NULL && edit->ref == i && edit->hyp == j) {
            i += edit->lost;
            j += edit->added;
            e++;
            continue;
        }
        if (a->upright != b->upright && is_single_letter(ref, i) && is_single_letter(hyp, j) &&
            (has_letter(ref, b) || has_letter(hyp, a))) {
            const TgForteEdit style = { .cost = 0.35, .lost = 1, .added = 1, .ref = i, .hyp = j };
            g_array_insert_val(edits, e, style);
            e++;
        }
        i++;
        j++;
    }
}

double tg_forte_size(const GArray *ref)
{
    double n = 0;

    for (guint32 i = 0; i < ref->len; i++)
        n += tg_forte_cost_of_loss(tg_forte_at(ref, i));
    return MAX(n, 1);
}
