/* What FORTE's edits cost (section b.5 of the specification), and the cheapest of them. */
#include "metrics/forte/forte.h"

#include <math.h>

#include "core/fail.h"
#include "metrics/algorithms/algorithms.h"

const char *tg_forte_edit_class_name(TgForteEditClass class)
{
    static const char *const names[] = {
#define X(id, name, help, strict, ocr) name,
        TG_FORTE_CLASSES(X)
#undef X
            "none",
    };

    return names[class];
}

/* ---- Prices --------------------------------------------------------------------------------- */

/* An edit's price and class. */
typedef struct {
    double cost; /* infinite: the two may not be aligned */
    TgForteEditClass class;
} Price;

static Price price_of_loss(const TgForteToken *token)
{
    static const Price losses[TG_N_FORTE_KINDS] = {
        [TG_FORTE_DIGIT] = { 1, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_LATIN] = { 1, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_GREEK] = { 1, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_OPERATOR] = { 1, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_RELATION] = { 1, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_BIG] = { 1, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_SYMBOL] = { 1, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_PRIME] = { 0.7, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_DOTS] = { 0.7, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_ACCENT] = { 0.9, TG_FORTE_EDIT_ACCENT },
        [TG_FORTE_DELIMITER] = { 0.6, TG_FORTE_EDIT_DELIMITER },
        [TG_FORTE_PUNCTUATION] = { 0.4, TG_FORTE_EDIT_PUNCTUATION },
        [TG_FORTE_OPEN] = { 1, TG_FORTE_EDIT_STRUCTURE },
        [TG_FORTE_SCRIPT] = { 0.6, TG_FORTE_EDIT_STRUCTURE },
        [TG_FORTE_GRID] = { 0.5, TG_FORTE_EDIT_STRUCTURE },
        [TG_FORTE_ROW] = { 0.5, TG_FORTE_EDIT_STRUCTURE },
        [TG_FORTE_END] = { 0.3, TG_FORTE_EDIT_STRUCTURE },
        [TG_FORTE_CELL] = { 0.1, TG_FORTE_EDIT_STRUCTURE },
    };

    if (token->name == TG_FORTE_BLANK)
        return (Price){ 0.2, TG_FORTE_EDIT_PUNCTUATION };
    return losses[token->kind];
}

double tg_forte_cost_of_loss(const TgForteToken *token)
{
    return price_of_loss(token).cost;
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
static gboolean differ_in_case(const TgForteToken *a, const TgForteToken *b)
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
static Price price_of_change(const TgForteToken *a, const TgForteToken *b)
{
    const gboolean same_kind = a->kind == b->kind;
    const gboolean letters = tg_forte_is_letter(a) && tg_forte_is_letter(b);

    if (a->name == b->name && same_kind)
        return a->font == b->font ? (Price){ 0, TG_FORTE_EDIT_NONE }
                                  : (Price){ cost_of_font(a->font, b->font), TG_FORTE_EDIT_STYLE };
    if ((a->name == TG_FORTE_DEN && b->name == '/') || (a->name == '/' && b->name == TG_FORTE_DEN))
        return (Price){ 0.3, TG_FORTE_EDIT_STRUCTURE };
    if (a->kind == TG_FORTE_ACCENT && same_kind)
        return (Price){ 0.7, TG_FORTE_EDIT_ACCENT };
    if (is_structure(a->kind) || is_structure(b->kind))
        return (Price){ cost_of_structure(a->kind, b->kind), TG_FORTE_EDIT_STRUCTURE };
    if (a->kind == TG_FORTE_OPEN || b->kind == TG_FORTE_OPEN)
        return (Price){ same_kind ? 1.2 : INFINITY, TG_FORTE_EDIT_STRUCTURE };

    const TgFortePair pair = tg_forte_pair(a->name, b->name);
    if (pair == TG_FORTE_VARIANT)
        return (Price){ 0.25, TG_FORTE_EDIT_VARIANT };
    if (pair == TG_FORTE_LOOK_ALIKE)
        return (Price){ 0.5, TG_FORTE_EDIT_LOOK_ALIKE };
    if (differ_in_case(a, b))
        return (Price){ 0.5, TG_FORTE_EDIT_CASE };
    if (letters && (a->name == TG_FORTE_PI || b->name == TG_FORTE_PI))
        return (Price){ 1.6, TG_FORTE_EDIT_LETTER }; /* a number, too */

    if (same_kind && a->kind == TG_FORTE_PUNCTUATION)
        return (Price){ 0.3, TG_FORTE_EDIT_PUNCTUATION };
    if (same_kind && a->kind == TG_FORTE_DELIMITER)
        return (Price){ 0.7, TG_FORTE_EDIT_DELIMITER };
    if (same_kind && a->kind == TG_FORTE_DOTS)
        return (Price){ 0.3, TG_FORTE_EDIT_VARIANT };
    if (same_kind && a->kind == TG_FORTE_DIGIT)
        return (Price){ 1.6, TG_FORTE_EDIT_DIGIT };
    if (letters)
        return (Price){ same_kind ? 1 : 1.15, TG_FORTE_EDIT_LETTER };
    if (is_operator(a->kind) && is_operator(b->kind))
        return (Price){ 1.2, TG_FORTE_EDIT_OPERATOR };
    if (a->kind == TG_FORTE_DIGIT || b->kind == TG_FORTE_DIGIT) /* a number is wrong either way */
        return (Price){ 1.6, TG_FORTE_EDIT_CROSS_KIND };
    return (Price){ 1.3, TG_FORTE_EDIT_CROSS_KIND };
}

/* ---- Alignment ------------------------------------------------------------------------------ */

typedef struct {
    const TgForteToken *ref, *hyp;
    guint32 n_ref, n_hyp;
} Problem;

static double cost_of_change(gconstpointer data, guint32 ref, guint32 hyp)
{
    const Problem *self = data;

    return price_of_change(&self->ref[ref], &self->hyp[hyp]).cost;
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

static double solve(Problem *self, guint8 *path, guint32 *n_path)
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
                                  .data = self,
                                  .effort = 1,
                                  .tolerance = 1e-9 };

    number_tokens(self->ref, self->n_ref, numbers, losses);
    number_tokens(self->hyp, self->n_hyp, numbers + self->n_ref, losses + self->n_ref);
    return tg_weighted_align(&weighted, path, n_path);
}

double tg_forte_distance(const TgForteToken *ref, guint32 n_ref, const TgForteToken *hyp,
                         guint32 n_hyp)
{
    Problem problem = { ref, hyp, n_ref, n_hyp };

    trim_end(&problem);
    return solve(&problem, NULL, NULL);
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

gboolean tg_forte_align(const GArray *ref, const GArray *hyp, GArray *edits, double *distance,
                        GError **error)
{
    const gsize width = (gsize) hyp->len + 1, height = (gsize) ref->len + 1;

    g_array_set_size(edits, 0);
    *distance = 0;
    if (are_equal(ref, hyp))
        return TRUE;
    if (height > TG_FORTE_MAX_CELLS / width)
        return tg_fail(error, TG_ERROR_DATA, "formulas of %u and %u tokens are too long to align",
                       ref->len, hyp->len);

    Problem problem = { (gconstpointer) ref->data, (gconstpointer) hyp->data, ref->len, hyp->len };
    g_autofree guint8 *path = g_malloc(width + height);
    guint32 n, i = 0, j = 0;

    trim_end(&problem);
    *distance = solve(&problem, path, &n);
    for (guint32 k = 0; k < n; k++) {
        const guint8 step = path[k];
        const Price price =
            step == TG_STEP_CHANGE
                ? price_of_change(&problem.ref[i], &problem.hyp[j])
                : price_of_loss(step == TG_STEP_LOSS ? &problem.ref[i] : &problem.hyp[j]);
        const TgForteEdit edit = { .cost = price.cost,
                                   .class = (guint8) price.class,
                                   .lost = step != TG_STEP_ADDITION,
                                   .added = step != TG_STEP_LOSS,
                                   .ref = i,
                                   .hyp = j };

        if (price.class != TG_FORTE_EDIT_NONE)
            g_array_append_val(edits, edit);
        i += edit.lost;
        j += edit.added;
    }
    return TRUE;
}
