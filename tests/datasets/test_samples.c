/* The bundled sample sets are what their manifest says, and read without a fault. */
#include "tests/support/test_support.h"

#include "core/files/datadir.h"
#include "datasets/source.h"

static GKeyFile *load_manifest(void)
{
    g_autofree char *path = tg_datadir_find("manifest.ini", NULL);
    GKeyFile *manifest = g_key_file_new();

    assert_non_null(path);
    assert_true(g_key_file_load_from_file(manifest, path, G_KEY_FILE_NONE, NULL));
    return manifest;
}

static gsize count_rows(const char *path, char **format, char **sha256)
{
    const char *const inputs[] = { path, NULL };
    const TgSourceOptions options = { .truth_only = g_str_has_suffix(path, ".txt") };
    g_autoptr(GError) error = NULL;
    g_autoptr(TgSource) source = tg_source_open(inputs, &options, &error);
    g_auto(TgRecord) record = { 0 };
    gsize rows = 0;
    guint n;

    tg_assert_no_error(error);
    for (; tg_source_next(source, &record, &error); rows++)
        if (record.fault != NULL)
            fail_msg("%s", record.fault);
    tg_assert_no_error(error);
    *format = g_strdup(tg_source_inputs(source, &n)->format);
    *sha256 = g_strdup(tg_source_inputs(source, &n)->sha256);
    return rows;
}

TEST(test_samples__are_what_the_manifest_says)
{
    g_autoptr(GKeyFile) manifest = load_manifest();
    g_auto(GStrv) groups = g_key_file_get_groups(manifest, NULL);
    guint n_files = 0;

    for (guint i = 0; groups[i] != NULL; i++) {
        if (!g_str_has_prefix(groups[i], "samples/"))
            continue;
        g_autofree char *path = tg_datadir_find(groups[i], NULL);
        assert_non_null(path);
        g_autofree char *set = g_key_file_get_string(manifest, groups[i], "set", NULL);
        g_autofree char *about = g_key_file_get_string(manifest, "sets", set, NULL);
        assert_non_null(about);

        g_autofree char *format = NULL, *sha256 = NULL;
        const gsize rows = count_rows(path, &format, &sha256);
        assert_int_equal(rows, g_key_file_get_integer(manifest, groups[i], "rows", NULL));
        g_autofree char *wanted = g_key_file_get_string(manifest, groups[i], "sha256", NULL);
        assert_string_equal(sha256, wanted);
        g_autofree char *wanted_format = g_key_file_get_string(manifest, groups[i], "format", NULL);
        assert_string_equal(format, wanted_format);
        n_files++;
    }
    assert_int_equal(n_files, 13);
}

TEST(test_samples__no_file_is_missing_from_the_manifest)
{
    g_autoptr(GKeyFile) manifest = load_manifest();
    g_autofree char *folder = tg_datadir_find("samples", NULL);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;

    while ((name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *group = g_strconcat("samples/", name, NULL);
        if (!g_key_file_has_group(manifest, group))
            fail_msg("%s stands in no manifest", group);
    }
}

/* Two groups of three raters for each of 40 formulas and two models. */
TEST(test_samples__mathbridge_has_two_groups_of_raters)
{
    static const char *const human[] = { "experts=expert_1,expert_2,expert_3",
                                         "students=student_1,student_2,student_3", NULL };
    const TgSourceOptions options = { .human = human };
    g_autofree char *path = tg_datadir_find("samples/mathbridge.csv", NULL);
    const char *const inputs[] = { path, NULL };
    g_autoptr(TgSource) source = tg_source_open(inputs, &options, NULL);
    g_auto(TgRecord) record = { 0 };

    while (tg_source_next(source, &record, NULL)) {
        assert_int_equal(record.human->len, 2);
        assert_string_equal(record.model, record.row % 2 == 1 ? "aster" : "birch");
        assert_non_null(record.hyp);
        assert_false(g_str_has_prefix(record.refs->pdata[0], "$"));
        for (guint i = 0; i < 2; i++)
            assert_int_equal(((const TgHumanGroup *) record.human->pdata[i])->n_scores, 3);
    }
}
