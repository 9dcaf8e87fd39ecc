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

static char *sha256_of(const char *path)
{
    g_autofree char *text = NULL;
    gsize n;

    assert_true(g_file_get_contents(path, &text, &n, NULL));
    return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *) text, n);
}

static gsize count_rows(const char *path, char **format)
{
    const char *const inputs[] = { path, NULL };
    const TgSourceOptions options = { .refs_only = !g_str_has_suffix(path, ".csv") };
    g_autoptr(GError) error = NULL;
    g_autoptr(TgSource) source = tg_source_open(inputs, &options, &error);
    g_auto(TgRecord) record = { 0 };
    gsize rows = 0;
    guint n;

    tg_assert_no_error(error);
    for (; tg_source_next(source, &record, &error) == TG_NEXT_ROW; rows++)
        if (record.fault != NULL)
            fail_msg("%s", record.fault);
    tg_assert_no_error(error);
    *format = g_strdup(tg_source_inputs(source, &n)->format);
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

        g_autofree char *sha256 = sha256_of(path), *format = NULL;
        g_autofree char *wanted = g_key_file_get_string(manifest, groups[i], "sha256", NULL);
        assert_string_equal(sha256, wanted);
        n_files++;
        g_autofree char *wanted_format = g_key_file_get_string(manifest, groups[i], "format", NULL);
        if (strcmp(wanted_format, "markdown") == 0 || strcmp(wanted_format, "tests") == 0)
            continue;
        const gsize rows = count_rows(path, &format);
        assert_int_equal(rows, g_key_file_get_integer(manifest, groups[i], "rows", NULL));
        assert_string_equal(format, wanted_format);
    }
    assert_int_equal(n_files, 26);
}

/* @folder: below the data folder */
static void check_folder(GKeyFile *manifest, const char *folder)
{
    g_autofree char *path = tg_datadir_find(folder, NULL);
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *name;

    if (dir == NULL && !g_key_file_has_group(manifest, folder))
        fail_msg("%s stands in no manifest", folder);
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *below = g_strconcat(folder, "/", name, NULL);

        check_folder(manifest, below);
    }
}

TEST(test_samples__no_file_is_missing_from_the_manifest)
{
    g_autoptr(GKeyFile) manifest = load_manifest();

    check_folder(manifest, "samples");
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

    while (tg_source_next(source, &record, NULL) == TG_NEXT_ROW) {
        assert_int_equal(record.human->len, 2);
        assert_string_equal(record.model, record.row % 2 == 1 ? "aster" : "birch");
        assert_non_null(record.hyp);
        assert_false(g_str_has_prefix(record.refs->pdata[0], "$"));
        for (guint i = 0; i < 2; i++)
            assert_int_equal(((const TgHumanGroup *) record.human->pdata[i])->n_scores, 3);
    }
}
