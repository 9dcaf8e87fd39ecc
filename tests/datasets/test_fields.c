/* The aliases of fields are those that docs/reference/formats.md lists. */
#include "tests/support/test_support.h"

#include "datasets/records/fields.h"

/* The names in the table of the documents, every second part, from "## Field names" on. */
static char **read_names(void)
{
    g_autofree char *text = NULL;

    if (!g_file_get_contents(TG_SOURCE_ROOT "/docs/reference/formats.md", &text, NULL, NULL))
        return NULL;
    g_auto(GStrv) before = g_strsplit(text, "## Field names", 2);
    g_auto(GStrv) table = g_strsplit(before[1], "`--map", 2);
    return g_strsplit(table[0], "`", -1);
}

TEST(test_fields__every_documented_name_is_known)
{
    g_autoptr(TgFieldMap) map = tg_field_map_new(NULL, NULL, NULL, NULL);
    g_auto(GStrv) parts = read_names();
    guint n = 0;

    assert_non_null(parts);
    for (guint i = 1; parts[i] != NULL; i += 2, n++)
        if (!tg_field_map_knows(map, TG_FILE_PAIRS, parts[i]))
            fail_msg("'%s' is documented and not known", parts[i]);
    assert_true(n > 50);
}

TEST(test_fields__sides_see_their_own_formula)
{
    static const char *const maps[] = { "gt=other", NULL };
    g_autoptr(TgFieldMap) map = tg_field_map_new(NULL, NULL, NULL, NULL);
    g_autoptr(TgFieldMap) mapped = tg_field_map_new(maps, NULL, NULL, NULL);

    assert_true(tg_field_map_knows(map, TG_FILE_REFERENCES, "GT"));
    assert_false(tg_field_map_knows(map, TG_FILE_REFERENCES, "pred"));
    assert_false(tg_field_map_knows(map, TG_FILE_HYPOTHESES, "gt"));
    assert_true(tg_field_map_knows(map, TG_FILE_HYPOTHESES, "latex"));
    assert_false(tg_field_map_knows(map, TG_FILE_PAIRS, "other"));
    assert_true(tg_field_map_knows(mapped, TG_FILE_PAIRS, "other"));
    assert_false(tg_field_map_knows(mapped, TG_FILE_PAIRS, "gt"));
}
