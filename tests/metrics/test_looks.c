/* Formulas that look the same are one for exact, cdm-strict and the canonical form, and formulas
 * that do not are not. */
#include "tests/support/golden_rows.h"
#include "tests/support/metric_support.h"

enum { ROW_KIND, ROW_A, ROW_B, ROW_LOOK, ROW_AGAINST, N_FIELDS };

#define KNOWN_PACKAGES "physics+siunitx+mhchem+array"

static const struct {
    const char *name, *spec, *column;
} claims[] = {
    { "forte", "forte:packages=" KNOWN_PACKAGES, "exact" },
    { "cdm-strict", "cdm-strict", "cdm-strict" },
    { "canonical", "exprate:normalize=canonical", "exprate" },
};

enum { CLAIM_FORTE, CLAIM_STRICT, CLAIM_CANONICAL, N_CLAIMS = G_N_ELEMENTS(claims) };

/* The verdict that a metric must give on two formulas that look so: 1, 0, or -1 for any. */
static gint wanted_claim(const char *look, guint claim)
{
    if (strcmp(look, "different") == 0)
        return 0;
    if (strcmp(look, "same") == 0 || claim == CLAIM_FORTE)
        return 1;
    return strcmp(look, "spacing") == 0 && claim == CLAIM_STRICT ? 1 : -1;
}

static gboolean is_one(TestScorer *scorer, guint claim, const char *ref, const char *hyp)
{
    test_scorer_add(scorer, ref, hyp);
    return test_scorer_get(scorer, claims[claim].column) > 1.0 - 1e-9;
}

TEST(test_looks__metrics_say_what_tex_draws)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("looks.tsv", N_FIELDS);
    guint n_wrong = 0;

    for (guint claim = 0; claim < N_CLAIMS; claim++) {
        g_auto(TestScorer) scorer = test_scorer_new(claims[claim].spec);

        for (guint i = 0; i < rows->len; i++) {
            char **row = rows->pdata[i];
            g_auto(GStrv) against = g_strsplit(row[ROW_AGAINST], " ", -1);
            gint wanted = wanted_claim(row[ROW_LOOK], claim);

            if (wanted < 0)
                continue;
            if (g_strv_contains((const char *const *) against, claims[claim].name))
                wanted = !wanted;
            const gboolean one = is_one(&scorer, claim, row[ROW_A], row[ROW_B]);
            if (one == wanted && is_one(&scorer, claim, row[ROW_B], row[ROW_A]) == one)
                continue;
            print_error("%s: %s and %s, %s: %s\n", row[ROW_KIND], row[ROW_A], row[ROW_B],
                        row[ROW_LOOK], claims[claim].name);
            n_wrong++;
        }
    }
    assert_int_equal(n_wrong, 0);
}

/* Fails unless the table has @n_kinds kinds with 15 rows or more each. */
static void check_kinds(const GPtrArray *rows, guint n_kinds)
{
    g_autoptr(GHashTable) n_of = g_hash_table_new(g_str_hash, g_str_equal);
    GHashTableIter each;
    gpointer kind, n;

    for (guint i = 0; i < rows->len; i++) {
        char *name = ((char **) rows->pdata[i])[ROW_KIND];
        g_hash_table_insert(
            n_of, name, GUINT_TO_POINTER(GPOINTER_TO_UINT(g_hash_table_lookup(n_of, name)) + 1));
    }
    assert_int_equal(g_hash_table_size(n_of), n_kinds);
    g_hash_table_iter_init(&each, n_of);
    while (g_hash_table_iter_next(&each, &kind, &n))
        if (GPOINTER_TO_UINT(n) < 15)
            fail_msg("%s has %u rows", (const char *) kind, GPOINTER_TO_UINT(n));
}

/* No kind is left with the one pair that a report quoted. */
TEST(test_looks__every_kind_has_pairs)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("looks.tsv", N_FIELDS);

    check_kinds(rows, 17);
}

/* The formula is valid for render, and exact for forte, only where LaTeX accepts it. */
TEST(test_render__says_what_latex_says)
{
    enum { PACKAGES = 1, VERDICT, FORMULA, N_COLUMNS };
    g_autoptr(GPtrArray) rows = tg_golden_rows("render.tsv", N_COLUMNS);
    guint n_wrong = 0;

    check_kinds(rows, 16);
    for (guint i = 0; i < rows->len; i++) {
        char **row = rows->pdata[i];
        g_autofree char *formula = tg_golden_unfold(row[FORMULA]);
        g_autofree char *render = g_strconcat("render:packages=", row[PACKAGES], NULL);
        g_autofree char *forte = g_strconcat("forte:packages=", row[PACKAGES], NULL);
        g_auto(TestScorer) verdict = test_scorer_new(render), reader = test_scorer_new(forte);
        const gboolean valid = test_scorer_add(&verdict, "x", formula) > 0.5;
        const char *said = tg_result_status(verdict.result);
        const char *found = valid ? "ok" : g_str_has_prefix(said, "empty") ? "empty" : "refused";

        test_scorer_add(&reader, formula, formula);
        const gboolean exact = test_scorer_get(&reader, "exact") > 0.5;
        if (strcmp(found, row[VERDICT]) == 0 && (valid || strcmp(found, "empty") == 0 || !exact))
            continue;
        print_error("%s with %s: TeX %s, render %s (%s)%s\n", formula, row[PACKAGES], row[VERDICT],
                    found, said, exact ? ", exact" : "");
        n_wrong++;
    }
    assert_int_equal(n_wrong, 0);
}

/* Joiners, marks of direction, the soft hyphen, tags and comments draw nothing. */
TEST(test_looks__what_draws_nothing_is_nothing)
{
    static const char *const nothing[] = {
        "\xE2\x80\x8B",     /* U+200B zero-width space */
        "\xE2\x80\x8C",     /* U+200C non-joiner */
        "\xE2\x80\x8D",     /* U+200D joiner */
        "\xE2\x80\x8E",     /* U+200E left-to-right mark */
        "\xE2\x80\x8F",     /* U+200F right-to-left mark */
        "\xE2\x80\xAA",     /* U+202A embedding */
        "\xE2\x80\xAE",     /* U+202E override */
        "\xE2\x81\xA0",     /* U+2060 word joiner */
        "\xE2\x81\xA1",     /* U+2061 function application */
        "\xE2\x81\xA2",     /* U+2062 invisible times */
        "\xE2\x81\xA3",     /* U+2063 invisible separator */
        "\xE2\x81\xA6",     /* U+2066 isolate */
        "\xE2\x81\xAF",     /* U+206F nominal digit shapes */
        "\xC2\xAD",         /* U+00AD soft hyphen */
        "\xEF\xBB\xBF",     /* U+FEFF byte order mark */
        "\xF3\xA0\x81\x81", /* U+E0041 tag */
        "% words\n",        "%\n",
    };

    for (guint claim = 0; claim < N_CLAIMS; claim++) {
        g_auto(TestScorer) scorer = test_scorer_new(claims[claim].spec);

        for (guint i = 0; i < G_N_ELEMENTS(nothing); i++) {
            g_autofree char *hyp = g_strconcat("a", nothing[i], "b^2", NULL);

            if (!is_one(&scorer, claim, "ab^2", hyp))
                fail_msg("%s: %s", claims[claim].name, hyp);
        }
    }
}
