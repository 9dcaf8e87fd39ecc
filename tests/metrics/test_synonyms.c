/* The installed synonyms of ebleu: the groups that TeX makes the same lists of
 * (tests/tools/make_symbol_golden.py). */
#include "tests/support/golden_rows.h"

#include "core/files/datadir.h"
#include "metrics/text/text.h"
#include "tokenizer/symbols/symbols.h"

static TgSynonyms *load(void)
{
    g_autofree char *path = tg_must(tg_datadir_find("synonyms/latex.txt", &error));

    return tg_must(tg_synonyms_load(path, &error));
}

static guint group_of(const TgSynonyms *table, const char *word)
{
    guint32 number = 0;

    if (!tg_vocab_find(table->words, word, strlen(word), &number))
        fail_msg("%s is in no group", word);
    return g_array_index(table->groups, TgSynonymGroup, number).first;
}

TEST(test_synonyms__groups_are_those_of_tex)
{
    g_autoptr(TgSynonyms) table = load();
    g_autoptr(GPtrArray) rows = tg_golden_rows("synonyms.tsv", 2);

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        char **before = g_ptr_array_index(rows, MAX(i, 1) - 1);

        if (group_of(table, row[0]) != group_of(table, row[1]))
            fail_msg("%s is no synonym of %s", row[0], row[1]);
        if (strcmp(row[1], before[1]) != 0)
            assert_int_not_equal(group_of(table, row[0]), group_of(table, before[0]));
    }
    assert_int_equal(table->groups->len, rows->len);
}

/* Synonyms among the symbols have one canonical form. */
TEST(test_synonyms__are_canonically_the_same)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("synonyms.tsv", 2);

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        const TgSymbol *one = tg_symbol_find(row[0] + 1, strlen(row[0]) - 1);
        const TgSymbol *other = tg_symbol_find(row[1] + 1, strlen(row[1]) - 1);

        if (one != NULL && other != NULL)
            assert_ptr_equal(tg_symbol_canonical(one), tg_symbol_canonical(other));
    }
}
