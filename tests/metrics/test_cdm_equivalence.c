/* Canonical names of tokens: the official rules with their slips. */
#include "tests/support/cdm_support.h"
#include "tests/support/golden_rows.h"

static void assert_canonical(TgCdmVocabulary vocabulary, const char *token, const char *wanted)
{
    g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);

    if (wanted != NULL)
        assert_string_equal(tg_cdm_canonical_token(token, vocabulary, others), wanted);
}
/* Rows of a token, and its name in 2024 and 2025; NULL for what was not worked out. */
TEST(test_cdm_equivalence__names_by_hand)
{
    static const struct {
        const char *token, *in_2024, *in_2025;
    } cases[] = {
        /* sizes of delimiters are lost; angles and arrows keep left and right since 2025 */
        { "\\left(", "(", "(" },
        { "\\left\\{", NULL, "\\{" },
        { "\\right.", NULL, "." },
        { "\\bigl(", NULL, "(" },
        { "\\Big\\|", NULL, "\\|" },
        { "\\Biggl\\lfloor", "\\lfloor", "\\lfloor" },
        { "\\bigé", NULL, "é" },
        { "\\left<", "\\langle", "\\langle" },
        { "\\right>", NULL, "\\rangle" },
        { "\\leftarrow", "arrow", "\\leftarrow" },
        { "\\rightharpoonup", NULL, "\\rightharpoonup" },
        { "\\rightarrow", NULL, "\\to" },
        { "\\to", "arrow", NULL },
        { "\\longrightarrow", "\\rightarrow", NULL },
        /* synonyms have one name; the older program has no table of its own for most of them */
        { "\\leq", "\\le", "\\le" },
        { "\\lVert", "\\|", "\\|" },
        { "\\rvert", "|", NULL },
        { "\\mid", NULL, "|" },
        { "\\prime", NULL, "'" },
        { "\\widehat", "\\hat", "\\hat" },
        { "\\varepsilon", NULL, "\\epsilon" },
        { "\\varphi", "phi", NULL },
        { "\\cdots", "\\dots", NULL },
        { "\\dot", "\\dot", NULL },
        { "\\string\\x", NULL, "\\x" },
        { "x", NULL, "x" },
        { "", NULL, "" },
        /* wrong, but what the official program does */
        { "\\bigcup", NULL, "p" },
        { "\\bigcap", NULL, "p" },
        { "\\bigstar", NULL, "r" },
        { "\\leftthreetimes", NULL, "threetimes" },
        { "\\textbackslash", NULL, "n" },
        { "\\neq", "\\neq", "\\not=" },
        { "\\ne", NULL, "\\ne" },
        { "\\top", NULL, "T" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_canonical(TG_CDM_VOCABULARY_2024, cases[i].token, cases[i].in_2024);
        assert_canonical(TG_CDM_VOCABULARY_2025, cases[i].token, cases[i].in_2025);
    }
}

/* The table and the examples of the specification of the official program (section 6.1). */
TEST(test_cdm_equivalence__table_is_the_official_one)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("cdm_synonyms.tsv", 2);
    guint n_changed = 0;

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);

        assert_canonical(TG_CDM_VOCABULARY_2025, row[0], row[1]);
        for (guint k = 0; k < tg_cdm_n_synonyms; k++)
            n_changed += strcmp(tg_cdm_synonyms[k].token, row[0]) == 0;
    }
    assert_int_equal(n_changed, tg_cdm_n_synonyms); /* no row besides */
}
