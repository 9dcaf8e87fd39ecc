/* Canonical names of tokens: the official rules with their slips. */
#include "tests/support/cdm_support.h"
#include "tests/support/golden_rows.h"

static void assert_canonical_in(TgCdmVocabulary vocabulary, const char *token, const char *wanted)
{
    g_autoptr(GPtrArray) others = NULL;

    assert_string_equal(tg_cdm_canonical_token(token, vocabulary, &others), wanted);
}

static void assert_canonical(const char *token, const char *wanted)
{
    assert_canonical_in(TG_CDM_VOCABULARY_2025, token, wanted);
}

static void assert_canonical_2024(const char *token, const char *wanted)
{
    assert_canonical_in(TG_CDM_VOCABULARY_2024, token, wanted);
}

/* The specification of the older program, which has no table of its own for most of them. */
TEST(test_cdm_equivalence__names_of_2024)
{
    assert_canonical_2024("\\left(", "(");
    assert_canonical_2024("\\left<", "\\langle");
    assert_canonical_2024("\\leftarrow", "arrow");
    assert_canonical_2024("\\to", "arrow");
    assert_canonical_2024("\\longrightarrow", "\\rightarrow");
    assert_canonical_2024("\\cdots", "\\dots");
    assert_canonical_2024("\\leq", "\\le");
    assert_canonical_2024("\\neq", "\\neq");
    assert_canonical_2024("\\lVert", "\\|");
    assert_canonical_2024("\\rvert", "|");
    assert_canonical_2024("\\Biggl\\lfloor", "\\lfloor");
    assert_canonical_2024("\\widehat", "\\hat");
    assert_canonical_2024("\\varphi", "phi");
    assert_canonical_2024("\\dot", "\\dot");
}

TEST(test_cdm_equivalence__sizes_of_delimiters_are_lost)
{
    assert_canonical("\\left(", "(");
    assert_canonical("\\left\\{", "\\{");
    assert_canonical("\\right.", ".");
    assert_canonical("\\bigl(", "(");
    assert_canonical("\\Big\\|", "\\|");
    assert_canonical("\\Biggl\\lfloor", "\\lfloor");
    assert_canonical("\\bigé", "é");
}

TEST(test_cdm_equivalence__angles_and_arrows_keep_left_and_right)
{
    assert_canonical("\\left<", "\\langle");
    assert_canonical("\\right>", "\\rangle");
    assert_canonical("\\leftarrow", "\\leftarrow");
    assert_canonical("\\rightharpoonup", "\\rightharpoonup");
    assert_canonical("\\rightarrow", "\\to");
}

TEST(test_cdm_equivalence__synonyms_have_one_name)
{
    assert_canonical("\\leq", "\\le");
    assert_canonical("\\lVert", "\\|");
    assert_canonical("\\mid", "|");
    assert_canonical("\\prime", "'");
    assert_canonical("\\widehat", "\\hat");
    assert_canonical("\\varepsilon", "\\epsilon");
    assert_canonical("\\string\\x", "\\x");
    assert_canonical("x", "x");
    assert_canonical("", "");
}

/* Wrong, but what the official program does. */
TEST(test_cdm_equivalence__slips_are_kept)
{
    assert_canonical("\\bigcup", "p");
    assert_canonical("\\bigcap", "p");
    assert_canonical("\\bigstar", "r");
    assert_canonical("\\leftthreetimes", "threetimes");
    assert_canonical("\\textbackslash", "n");
    assert_canonical("\\neq", "\\not=");
    assert_canonical("\\ne", "\\ne");
    assert_canonical("\\top", "T");
}

/* The table and the examples of the specification of the official program (section 6.1). */
TEST(test_cdm_equivalence__table_is_the_official_one)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("cdm_synonyms.tsv", 2);
    guint n_changed = 0;

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);

        assert_canonical(row[0], row[1]);
        for (guint k = 0; k < tg_cdm_n_synonyms; k++)
            n_changed += strcmp(tg_cdm_synonyms[k].token, row[0]) == 0;
    }
    assert_int_equal(n_changed, tg_cdm_n_synonyms); /* no row besides */
}
