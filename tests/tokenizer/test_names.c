/* One hash for the names of all tables. */
#include "tests/support/test_support.h"

#include "tokenizer/macros/commands.h"
#include "tokenizer/symbols/symbols.h"

static const TgName *find(const char *name)
{
    const TgName *found = tg_name_find(name, strlen(name));

    assert_non_null(found);
    assert_string_equal(found->name, name);
    return found;
}

TEST(test_names__every_row_of_every_table)
{
    guint n;

    for (guint i = 0; i < tg_n_commands; i++)
        assert_ptr_equal(find(tg_commands[i].name)->command, &tg_commands[i]);

    const TgSymbol *symbols = tg_symbol_list(&n);
    for (guint i = 0; i < n; i++)
        assert_ptr_equal(find(symbols[i].name)->symbol, &symbols[i]);
}

TEST(test_names__only_the_whole_name)
{
    assert_ptr_equal(tg_name_find("fraction", 4), find("frac"));
    assert_null(tg_name_find("frac", 3));
    assert_null(tg_name_find("fracc", 5));
    assert_null(tg_name_find("Frac", 4));
    assert_null(tg_name_find("", 0));
    assert_null(find("alpha")->command);
    assert_null(find("frac")->symbol);
    assert_null(tg_command_find("alpha", 5));
    assert_null(tg_command_find("infin", 5)); /* of browsers alone */
    assert_ptr_equal(tg_command_find("bra", 3), find("bra")->command);
}
