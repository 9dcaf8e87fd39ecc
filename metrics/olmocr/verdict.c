#include "metrics/olmocr/verdict.h"

#include <math.h>
#include <string.h>

#include "core/deadline.h"
#include "metrics/olmocr/katex.h"

const char *const tg_olmocr_verdicts[] = {
    "fail", "string", "mathml", "symbols", "reference without symbols", NULL
};
G_STATIC_ASSERT(G_N_ELEMENTS(tg_olmocr_verdicts) == TG_OLMOCR_NO_SYMBOLS + 2);

enum { TOLERANCE = 5, MAX_STEPS = 300000, MAX_SYMBOLS = 3000, N_SIDES = 4 };

#define NOBODY G_MAXUINT

/* ---- Formulas -------------------------------------------------------------------------------- */

static void clear_formula(gpointer data)
{
    TgOlmocrFormula *formula = data;

    g_free(formula->latex);
    g_free(formula->error);
    g_free(formula->symbols);
    g_free(formula->mathml);
}

TgOlmocrFormula *tg_olmocr_formula_new(const char *latex)
{
    TgOlmocrFormula *formula = g_atomic_rc_box_new0(TgOlmocrFormula);
    TgArena memory = { 0 };
    TgKatexFormula read;

    tg_katex_read(latex, &memory, &read);
    formula->latex = g_strdup(latex);
    formula->bytes = strlen(latex);
    formula->error = g_strdup(read.error);
    formula->error_column = g_utf8_pointer_to_offset(latex, latex + read.error_at) + 1;
    formula->not_modeled = read.not_modeled;
    if (read.error == NULL) {
        formula->symbols = tg_katex_set(&read, &memory, &formula->n_symbols);
        formula->mathml = tg_katex_mathml(&read);
        formula->bytes += formula->n_symbols * sizeof *formula->symbols + strlen(formula->mathml);
    }
    tg_arena_clear(&memory);
    return formula;
}

void tg_olmocr_formula_unref(TgOlmocrFormula *formula)
{
    g_atomic_rc_box_release_full(formula, clear_formula);
}

/* ---- Neighbors ------------------------------------------------------------------------------- */

/* The nearest symbols of each one, or NOBODY. */
typedef guint Neighbors[N_SIDES];

static Neighbors *find_neighbors(const TgOlmocrFormula *formula, float tolerance)
{
    const guint n = formula->n_symbols;
    Neighbors *all = g_new(Neighbors, MAX(n, 1));

    for (guint i = 0; i < n; i++) {
        float best[N_SIDES];
        for (guint side = 0; side < N_SIDES; side++) {
            all[i][side] = NOBODY;
            best[side] = INFINITY;
        }
        for (guint k = 0; k < n; k++) {
            const float dx = formula->symbols[k].x - formula->symbols[i].x;
            const float dy = formula->symbols[k].y - formula->symbols[i].y;
            const guint vertical = dy < 0 ? TG_OLMOCR_UP : TG_OLMOCR_DOWN;
            const guint horizontal = dx < 0 ? TG_OLMOCR_LEFT : TG_OLMOCR_RIGHT;
            if (dy != 0 && ABS(dx) <= tolerance && ABS(dy) < best[vertical]) {
                all[i][vertical] = k;
                best[vertical] = ABS(dy);
            }
            if (dx != 0 && ABS(dy) <= tolerance && ABS(dx) < best[horizontal]) {
                all[i][horizontal] = k;
                best[horizontal] = ABS(dx);
            }
        }
        tg_deadline_spend(n / 4);
    }
    return all;
}

/* ---- The search ------------------------------------------------------------------------------ */

typedef struct {
    const TgOlmocrFormula *ref, *hyp;
    const Neighbors *near_ref, *near_hyp;
    guint *partner;  /* of symbols of the reference */
    gboolean *taken; /* symbols of the hypothesis */
    guint deepest;
    gint wrong_side; /* at the deepest place */
} Search;

/* Whether symbol @i of the reference may be symbol @k: its neighbors must have their partners, or
 * their characters, at the same sides. */
static gboolean search_fits(Search *search, guint i, guint k)
{
    for (guint side = 0; side < N_SIDES; side++) {
        const guint near = search->near_ref[i][side], there = search->near_hyp[k][side];
        if (near == NOBODY)
            continue;
        const gboolean fits =
            there != NOBODY && (near < i ? search->partner[near] == there
                                         : search->ref->symbols[near].character ==
                                               search->hyp->symbols[there].character);
        if (!fits) {
            if (i >= search->deepest) {
                search->deepest = i;
                search->wrong_side = (gint) side;
            }
            return FALSE;
        }
    }
    return TRUE;
}

/* Depth first, without recursion. FALSE with @gave_up set after too many steps. */
static gboolean search_run(Search *search, gboolean *gave_up)
{
    g_autofree guint *next = g_new0(guint, search->ref->n_symbols + 1);
    guint i = 0, steps = 0;

    *gave_up = FALSE;
    while (i < search->ref->n_symbols) {
        guint k = next[i];
        for (; k < search->hyp->n_symbols; k++)
            if (!search->taken[k] &&
                search->ref->symbols[i].character == search->hyp->symbols[k].character) {
                if (++steps > MAX_STEPS || tg_deadline_spend(8)) {
                    *gave_up = TRUE;
                    return FALSE;
                }
                if (search_fits(search, i, k))
                    break;
            }
        if (k < search->hyp->n_symbols) {
            search->partner[i] = k;
            search->taken[k] = TRUE;
            next[i] = k + 1;
            i++;
            next[i] = 0;
            if (i > search->deepest) {
                search->deepest = i;
                search->wrong_side = -1;
            }
        } else if (i == 0) {
            return FALSE;
        } else {
            i--;
            search->taken[search->partner[i]] = FALSE;
        }
    }
    return TRUE;
}

/* The first symbol of the reference that the hypothesis does not have, or @n. */
static guint find_missing(const TgOlmocrFormula *ref, const TgOlmocrFormula *hyp)
{
    g_autoptr(GHashTable) there = g_hash_table_new(NULL, NULL);
    guint i = 0;

    for (guint k = 0; k < hyp->n_symbols; k++)
        g_hash_table_add(there, GUINT_TO_POINTER(hyp->symbols[k].character));
    while (i < ref->n_symbols &&
           g_hash_table_contains(there, GUINT_TO_POINTER(ref->symbols[i].character)))
        i++;
    return i;
}

static gboolean symbols_equal(const TgOlmocrFormula *ref, const TgOlmocrFormula *hyp,
                              float tolerance, TgOlmocrOutcome *out)
{
    g_autofree Neighbors *near_ref = find_neighbors(ref, tolerance);
    g_autofree Neighbors *near_hyp = find_neighbors(hyp, tolerance);
    g_autofree guint *partner = g_new0(guint, ref->n_symbols + 1);
    g_autofree gboolean *taken = g_new0(gboolean, hyp->n_symbols + 1);
    Search search = { .ref = ref,
                      .hyp = hyp,
                      .near_ref = (const Neighbors *) near_ref,
                      .near_hyp = (const Neighbors *) near_hyp,
                      .partner = partner,
                      .taken = taken,
                      .wrong_side = -1 };
    const gboolean equal = search_run(&search, &out->gave_up);

    out->matched = MIN(search.deepest, ref->n_symbols);
    out->side = equal ? -1 : search.wrong_side;
    return equal;
}

void tg_olmocr_compare(const TgOlmocrFormula *ref, const TgOlmocrFormula *hyp, TgOlmocrOutcome *out)
{
    guint missing;

    *out = (TgOlmocrOutcome){ .side = -1 };
    if (ref->mathml != NULL && hyp->mathml != NULL && strstr(hyp->mathml, ref->mathml) != NULL) {
        out->verdict = TG_OLMOCR_MATHML;
    } else if (ref->not_modeled) {
        out->verdict = strcmp(ref->latex, hyp->latex) == 0 ? TG_OLMOCR_MATHML : TG_OLMOCR_FAIL;
    } else if (ref->n_symbols == 0) {
        out->verdict = TG_OLMOCR_NO_SYMBOLS;
    } else if ((missing = find_missing(ref, hyp)) < ref->n_symbols) {
        out->matched = missing;
        out->is_missing = TRUE;
    } else if (ref->n_symbols > MAX_SYMBOLS || hyp->n_symbols > MAX_SYMBOLS) {
        out->gave_up = TRUE;
    } else {
        const gboolean equal = symbols_equal(ref, hyp, TOLERANCE, out);
        TgOlmocrOutcome other = { 0 };
        out->verdict = equal ? TG_OLMOCR_SYMBOLS : TG_OLMOCR_FAIL;
        out->is_near = !out->gave_up && (symbols_equal(ref, hyp, TOLERANCE - 1, &other) != equal ||
                                         symbols_equal(ref, hyp, TOLERANCE + 1, &other) != equal);
    }
}

double tg_olmocr_likeness(const TgOlmocrFormula *ref, const TgOlmocrFormula *hyp)
{
    g_autoptr(GHashTable) left = g_hash_table_new(NULL, NULL);
    guint common = 0;

    for (guint i = 0; i < ref->n_symbols; i++) {
        const gpointer key = GUINT_TO_POINTER(ref->symbols[i].character);
        const guint n = GPOINTER_TO_UINT(g_hash_table_lookup(left, key));
        g_hash_table_insert(left, key, GUINT_TO_POINTER(n + 1));
    }
    for (guint i = 0; i < hyp->n_symbols; i++) {
        const gpointer key = GUINT_TO_POINTER(hyp->symbols[i].character);
        const guint n = GPOINTER_TO_UINT(g_hash_table_lookup(left, key));
        if (n > 0) {
            g_hash_table_insert(left, key, GUINT_TO_POINTER(n - 1));
            common++;
        }
    }
    return 2.0 * common / MAX(ref->n_symbols + hyp->n_symbols, 1);
}

char *tg_olmocr_explain(const TgOlmocrFormula *ref, const TgOlmocrFormula *hyp,
                        const TgOlmocrOutcome *outcome)
{
    static const char *const sides[] = { "above", "below", "left of", "right of" };
    char symbol[8] = "";

    if (outcome->verdict != TG_OLMOCR_FAIL)
        return NULL;
    if (ref->not_modeled)
        return g_strdup_printf("the reference: %s", ref->error);
    if (hyp->error != NULL)
        return g_strdup_printf("refused at %ld: %s", hyp->error_column, hyp->error);
    if (outcome->gave_up)
        return g_strdup("the search was ended: too many equal symbols");
    if (outcome->matched >= ref->n_symbols)
        return g_strdup(hyp->latex[0] == '\0' ? "the prediction is empty"
                                              : "no assignment of equal symbols fits");
    g_unichar_to_utf8(ref->symbols[outcome->matched].character, symbol);
    if (outcome->is_missing)
        return g_strdup_printf("'%s' is missing", symbol);
    if (outcome->side < 0)
        return g_strdup_printf("'%s' (symbol %u) is too few times there", symbol,
                               outcome->matched + 1);
    return g_strdup_printf("another neighbor %s '%s' (symbol %u)", sides[outcome->side], symbol,
                           outcome->matched + 1);
}
