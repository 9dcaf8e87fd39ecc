/* The alignment of rows against an exhaustive search over all pairings that keep the structure. */
#include "tests/support/test_support.h"

#include "core/random.h"
#include "metrics/cdm_strict/strict.h"

#define N_TREES 3000

/* ---- Formulas by hand ---------------------------------------------------------------------- */

typedef struct {
    GArray *elements, *groups, *children;
} Lists;

/*
 * Letters are elements, capitals bold ones; ^(..) and _(..) are rows. Reads to the end or to the
 * closing bracket and returns what is after it.
 */
static const char *read_row(Lists *formula, const char *text, TgStrictRole role)
{
    g_autoptr(GArray) children = g_array_new(FALSE, FALSE, sizeof(guint32));

    for (; *text != '\0' && *text != ')';) {
        guint32 child = formula->elements->len;

        if (*text == '^' || *text == '_') {
            text = read_row(formula, text + 2, *text == '^' ? TG_STRICT_SUP : TG_STRICT_SUB);
            child = (formula->groups->len - 1) | TG_STRICT_GROUP_BIT;
        } else {
            const TgStrictElement element = {
                .glyph = { .sign = (guchar) g_ascii_tolower(*text),
                           .face = TG_STRICT_ITALIC,
                           .bold = (guint8) (g_ascii_isupper(*text) ? 1 : 0) },
                .cell = { .n_columns = 1 },
            };
            g_array_append_val(formula->elements, element);
            text++;
        }
        g_array_append_val(children, child);
    }
    const TgStrictGroup group = { (guint8) role, formula->children->len, children->len };
    if (children->len > 0)
        g_array_append_vals(formula->children, children->data, children->len);
    g_array_append_val(formula->groups, group);
    return *text == ')' ? text + 1 : text;
}

static TgStrictFormula *read_formula(const char *text)
{
    Lists lists = {
        .elements = g_array_new(FALSE, TRUE, sizeof(TgStrictElement)),
        .groups = g_array_new(FALSE, FALSE, sizeof(TgStrictGroup)),
        .children = g_array_new(FALSE, FALSE, sizeof(guint32)),
    };
    TgStrictFormula *formula = g_atomic_rc_box_new0(TgStrictFormula);

    read_row(&lists, text, TG_STRICT_ROOT);
    formula->n_elements = lists.elements->len;
    formula->n_groups = lists.groups->len;
    formula->n_children = lists.children->len;
    formula->elements = (TgStrictElement *) (gpointer) g_array_free(lists.elements, FALSE);
    formula->groups = (TgStrictGroup *) (gpointer) g_array_free(lists.groups, FALSE);
    formula->children = (guint32 *) (gpointer) g_array_free(lists.children, FALSE);
    return formula;
}

/* ---- Weight -------------------------------------------------------------------------------- */

static guint32 child_of(const TgStrictFormula *formula, guint32 row, guint32 k)
{
    return formula->children[formula->groups[row].first_child + k];
}

static guint search(const TgStrictFormula *a, const TgStrictFormula *b, guint32 row_a,
                    guint32 row_b, guint32 i, guint32 j);

static guint pair_weight(const TgStrictFormula *a, const TgStrictFormula *b, guint32 x, guint32 y)
{
    const gboolean is_row = (x & TG_STRICT_GROUP_BIT) != 0;

    if (is_row != ((y & TG_STRICT_GROUP_BIT) != 0))
        return 0;
    if (!is_row)
        return tg_strict_weight(&a->elements[x], &b->elements[y], FALSE);
    x ^= TG_STRICT_GROUP_BIT;
    y ^= TG_STRICT_GROUP_BIT;
    return a->groups[x].role == b->groups[y].role ? search(a, b, x, y, 0, 0) : 0;
}

/* The greatest weight of the children from @i on with those from @j on: all partners are tried. */
static guint search(const TgStrictFormula *a, const TgStrictFormula *b, guint32 row_a,
                    guint32 row_b, guint32 i, guint32 j)
{
    if (i == a->groups[row_a].n_children)
        return 0;

    guint best = search(a, b, row_a, row_b, i + 1, j);
    for (guint32 k = j; k < b->groups[row_b].n_children; k++) {
        const guint weight = pair_weight(a, b, child_of(a, row_a, i), child_of(b, row_b, k));
        if (weight > 0)
            best = MAX(best, weight + search(a, b, row_a, row_b, i + 1, k + 1));
    }
    return best;
}

/* The weight of the alignment; every partner must be one sign, and elements keep their order. */
static guint aligned_weight(const TgStrictFormula *a, const TgStrictFormula *b)
{
    g_autofree guint32 *partner = g_new(guint32, a->n_elements + 1);
    guint sum = 0;
    gint64 last = -1;

    tg_strict_align(a, b, FALSE, partner);
    for (guint32 i = 0; i < a->n_elements; i++) {
        if (partner[i] == TG_STRICT_ALONE)
            continue;
        const guint weight = tg_strict_weight(&a->elements[i], &b->elements[partner[i]], FALSE);
        assert_true(weight > 0);
        assert_true(partner[i] > last);
        last = partner[i];
        sum += weight;
    }
    return sum;
}

TEST(test_cdm_strict_align__by_hand)
{
    static const struct {
        const char *a, *b;
        guint weight;
    } cases[] = {
        { "abc", "abc", 12 },
        { "abc", "acb", 8 },
        { "abc", "aBc", 11 },
        { "a^(b)", "b^(a)", 0 },
        { "a^(b)", "a_(b)", 4 },
        { "a^(bc)d", "a^(cb)d", 12 },
        { "a^(b_(c))", "a^(b)_(c)", 8 },
        { "^(a)^(b)", "^(ab)", 4 }, /* one row has one partner */
        { "", "a", 0 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TgStrictFormula) a = read_formula(cases[i].a), b = read_formula(cases[i].b);

        assert_int_equal(aligned_weight(a, b), cases[i].weight);
    }
}

static void append_row(TgRandom *random, GString *out, guint depth)
{
    const guint n = tg_random_below(random, 5);

    for (guint i = 0; i < n; i++) {
        if (depth > 0 && tg_random_below(random, 3) == 0) {
            g_string_append(out, tg_random_below(random, 2) == 0 ? "^(" : "_(");
            append_row(random, out, depth - 1);
            g_string_append_c(out, ')');
        } else {
            g_string_append_c(out, "abAB"[tg_random_below(random, 4)]);
        }
    }
}

TEST(test_cdm_strict_align__finds_the_greatest_weight)
{
    TgRandom random;

    tg_random_seed(&random, 1, 0);
    for (guint i = 0; i < N_TREES; i++) {
        g_autoptr(GString) a = g_string_new(NULL), b = g_string_new(NULL);

        append_row(&random, a, 2);
        append_row(&random, b, 2);
        g_autoptr(TgStrictFormula) left = read_formula(a->str), right = read_formula(b->str);
        const guint wanted = search(left, right, left->n_groups - 1, right->n_groups - 1, 0, 0);
        if (aligned_weight(left, right) != wanted)
            fail_msg("%s | %s", a->str, b->str);
    }
}
