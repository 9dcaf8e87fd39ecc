/* The source as a whole: real data, hashes, progress, stdin, and memory that stays flat. */
#include "tests/support/test_support.h"

#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "datasets/id_set.h"
#include "datasets/input_names.h"
#include "datasets/source.h"
#include "tests/support/cpu_time.h"

#define FOLDER TG_SOURCE_ROOT "/tests/golden/readers/"

/* Counts of what a source delivered. */
typedef struct {
    gsize rows, faults, hyps;
} Totals;

static Totals read_all(TgSource *source)
{
    g_autoptr(GError) error = NULL;
    g_auto(TgRecord) record = { 0 };
    Totals totals = { 0 };

    while (tg_source_next(source, &record, &error) == TG_NEXT_ROW) {
        assert_int_equal(record.row, ++totals.rows);
        totals.faults += record.fault != NULL;
        totals.hyps += record.hyp != NULL;
    }
    tg_assert_no_error(error);
    return totals;
}

static TgSource *open_one(const char *path, const TgSourceOptions *options)
{
    const char *const inputs[] = { path, NULL };
    g_autoptr(GError) error = NULL;
    TgSource *source = tg_source_open(inputs, options, &error);

    tg_assert_no_error(error);
    return source;
}

/* The row counts stand in the data's README. */
TEST(test_source__reads_the_shared_data)
{
    static const struct {
        const char *path, *format;
        gsize rows, hyps;
    } files[] = {
        { "uni-mumer/crohme_2014.3b.json", "json", 986, 986 },
        { "uni-mumer/crohme_2014.7b.json", "json", 986, 986 },
        { "uni-mumer/crohme_2016.3b.json", "json", 1147, 1147 },
        { "uni-mumer/crohme_2016.7b.json", "json", 1147, 1147 },
        { "uni-mumer/crohme_2019.3b.json", "json", 1199, 1199 },
        { "uni-mumer/crohme_2019.7b.json", "json", 1199, 1199 },
        { "im2latex/test.formulas.norm.txt", "list", 9444, 0 },
        { "im2latex/val.formulas.norm.txt", "list", 8475, 0 },
        { "speech2latex/metrics_disjoint_eng.csv", "csv", 3050, 3050 },
        { "omnidocbench/OmniDocBench_demo_formula.json", "json", 17, 17 },
        { "omnidocbench/end2end_quick_match_display_formula_formula.json", "json", 17, 17 },
        { "omnidocbench/end2end_quick_match_display_formula_result.json", "json", 17, 17 },
        { "pdf-parse-bench/gt_formulas.json", "json", 2052, 0 },
        { "../cdm-reference/dev.jsonl", "jsonl", 546, 546 },
    };
    g_autofree char *folder = tg_shared_or_skip("data");

    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(folder, files[i].path, NULL);
        const TgSourceOptions options = { 0 };
        g_autoptr(TgSource) source = open_one(path, &options);
        const Totals totals = read_all(source);
        guint n;
        const TgSourceInput *inputs = tg_source_inputs(source, &n);

        if (totals.rows != files[i].rows || totals.faults != 0 || totals.hyps != files[i].hyps)
            fail_msg("%s: %zu rows, %zu faults, %zu predictions", files[i].path, totals.rows,
                     totals.faults, totals.hyps);
        assert_int_equal(n, 1);
        assert_string_equal(inputs[0].format, files[i].format);
    }
}

/* Three raters and the study's own scores, of the first row of dev.jsonl. */
TEST(test_source__reads_scores_of_the_study)
{
    g_autofree char *path = tg_shared_or_skip("cdm-reference/dev.jsonl");
    static const char *const maps[] = { "subset=kind", NULL };
    static const char *const columns[] = { "study_metrics.bleu_score,official.gt_size", NULL };
    const TgSourceOptions options = { .maps = maps, .columns = columns };
    g_auto(TgRecord) record = { 0 };

    g_autoptr(TgSource) source = open_one(path, &options);
    assert_int_equal(tg_source_next(source, &record, NULL), TG_NEXT_ROW);
    assert_string_equal(record.id, "hs_000_001");
    assert_string_equal(record.subset, "human-study");
    const TgHumanGroup *group = record.human->pdata[0];
    assert_string_equal(group->name, "human");
    assert_int_equal(group->n_scores, 3);
    assert_true(group->scores[2] == 10.0);
    assert_true(json_number_value(json_object_get(record.stored, "study_metrics.bleu_score")) ==
                0.9334);
    assert_int_equal(json_array_size(json_object_get(record.stored, "official.gt_size")), 2);
}

TEST(test_source__joins_two_models_of_the_shared_data)
{
    g_autofree char *first = tg_shared_or_skip("data/uni-mumer/crohme_2014.3b.json");
    g_autofree char *second = tg_shared_or_skip("data/uni-mumer/crohme_2014.7b.json");
    g_autoptr(GError) error = NULL;
    g_auto(TgRecord) record = { 0 };

    const char *const refs[] = { first, NULL };
    const char *const hyps[] = { first, second, NULL };
    const TgSourceOptions options = { .refs = refs, .hyps = hyps };
    g_autoptr(TgSource) source = tg_source_open(NULL, &options, &error);
    tg_assert_no_error(error);
    assert_int_equal(tg_source_next(source, &record, &error), TG_NEXT_ROW);
    assert_string_equal(record.model, "crohme_2014.3b");
    assert_int_equal(tg_source_next(source, &record, &error), TG_NEXT_ROW);
    assert_string_equal(record.model, "crohme_2014.7b");
    gsize rows = 2;
    for (; tg_source_next(source, &record, &error) == TG_NEXT_ROW; rows++)
        assert_null(record.fault);
    tg_assert_no_error(error);
    assert_int_equal(rows, 2 * 986);
}

/* sha256sum of the files in tests/golden/readers. */
TEST(test_source__lists_inputs_with_their_hashes)
{
    static const char *const refs[] = { FOLDER "truth_spe.txt", FOLDER "truth_cpe.txt", NULL };
    static const char *const hyps[] = { "A=" FOLDER "list.txt.gz", NULL };
    const TgSourceOptions options = { .refs = refs, .hyps = hyps };
    g_autoptr(TgSource) source = tg_source_open(NULL, &options, NULL);
    guint64 bytes_read, bytes_total;
    guint n;

    assert_non_null(source);
    read_all(source);
    const TgSourceInput *inputs = tg_source_inputs(source, &n);
    assert_int_equal(n, 3);
    assert_string_equal(inputs[1].name, FOLDER "truth_cpe.txt");
    assert_string_equal(inputs[0].sha256,
                        "09834d488008f5f1ef589a2d7cedc52425bee9dd23b2212e4c1d673c5cbb54e4");
    assert_string_equal(inputs[1].sha256,
                        "c865f6c5ab8d1b0bcd383a5e1e3879d22681c96bf462c269b7581d523fbe70ab");
    assert_string_equal(inputs[2].sha256,
                        "9f092897bf15f3633ada420dfdb5e3884c16f3397aac1cbf91a33ee2ebc64123");
    assert_string_equal(inputs[2].format, "list");
    tg_source_progress(source, &bytes_read, &bytes_total);
    assert_int_equal(bytes_total, 4 + 2 + 25);
    assert_int_equal(bytes_read, bytes_total);
}

/* The second id is the first one's again, which is not looked for here. */
TEST(test_source__stdin_is_a_stream_of_jsonl)
{
    static const char row[] = "{\"id\": 1, \"gt\": \"x\", \"pred\": \"y\"}\n";
    const TgSourceOptions options = { 0 };
    g_auto(TgRecord) record = { 0 };
    guint64 bytes_read, bytes_total;
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    alarm(10); /* the pipe stays open: waiting for more would be for ever */
    g_autoptr(TgSource) source = open_one("-", &options);
    for (gsize i = 1; i <= 2; i++) {
        assert_int_equal(write(ends[1], row, strlen(row)), strlen(row));
        assert_int_equal(tg_source_next(source, &record, NULL), TG_NEXT_ROW);
        assert_int_equal(record.row, i);
        assert_int_equal(record.line, i);
        assert_string_equal(record.file, "stdin");
        assert_null(record.fault);
    }
    alarm(0);
    tg_source_progress(source, &bytes_read, &bytes_total);
    assert_int_equal(bytes_read, 2 * strlen(row));
    assert_int_equal(bytes_total, 0);
    close(ends[1]);
    assert_int_equal(tg_source_next(source, &record, NULL), TG_NEXT_END);
    guint n;
    assert_string_equal(tg_source_inputs(source, &n)[0].name, "-");
    close(ends[0]);
}

/* stdin cannot be counted ahead: the lengths are compared at the end. */
TEST(test_source__stdin_of_another_length_fails_at_the_end)
{
    static const char *const refs[] = { FOLDER "truth_spe.txt", NULL };
    static const char *const hyps[] = { "A=-", NULL };
    static const struct {
        const char *text;
        gsize rows;
        const char *message;
    } cases[] = {
        { "x\n", 1, "truth_spe.txt has 2 rows and stdin has 1" },
        { "x\ny\nz\nw\n", 2, "truth_spe.txt has 2 rows and stdin has 4" },
    };
    const TgSourceOptions options = { .refs = refs, .hyps = hyps, .format = "list" };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(TgRecord) record = { 0 };
        g_autoptr(GError) error = NULL;
        int ends[2];

        assert_int_equal(pipe(ends), 0);
        assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
        assert_int_equal(write(ends[1], cases[i].text, strlen(cases[i].text)),
                         strlen(cases[i].text));
        close(ends[1]);
        g_autoptr(TgSource) source = tg_source_open(NULL, &options, &error);
        gsize rows = 0;
        while (tg_source_next(source, &record, &error) == TG_NEXT_ROW)
            rows++;
        assert_int_equal(rows, cases[i].rows);
        tg_assert_error(error, TG_ERROR_INPUT, cases[i].message);
        close(ends[0]);
    }
}

static void write_rows(const char *path, const char *header, const char *front, const char *back,
                       gsize n)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(header, file);
    for (gsize i = 0; i < n; i++)
        fprintf(file, "%s%zu%s\n", front, i, back);
    assert_int_equal(fclose(file), 0);
}

/* The most memory in use while @path is read, seen at every 1000th row, less that before. */
static gsize peak_bytes(const char *path)
{
    const TgSourceOptions options = { .allow_duplicates = TRUE };
    const gsize before = mallinfo2().uordblks + mallinfo2().hblkhd;
    g_autoptr(TgSource) source = open_one(path, &options);
    g_auto(TgRecord) record = { 0 };
    gsize peak = 0;

    while (tg_source_next(source, &record, NULL) == TG_NEXT_ROW) {
        assert_null(record.fault);
        if (record.row % 1000 == 0)
            peak = MAX(peak, mallinfo2().uordblks + mallinfo2().hblkhd);
    }
    return peak - before;
}

/* Ten times the rows take no more memory, but for a page of slack. */
TEST(test_source__memory_does_not_grow_with_the_rows)
{
    enum { N_ROWS = TG_SHORTENED(20000) };
    static const struct {
        const char *name, *header, *front, *back;
    } formats[] = {
        { "rows.jsonl", "", "{\"id\": ", ", \"gt\": \"\\\\frac{a}{b}\", \"pred\": \"a / b\"}" },
        { "rows.csv", "id,gt,pred\n", "", ",\"\\frac{a}{b}\",a / b" },
        { "rows.tsv", "id\tgt\tpred\n", "", "\t\\frac{a}{b}\ta / b" },
        { "rows.txt", "", "\\frac{a}{b} + ", "" },
        { "rows.captions", "", "", "\t\\frac{a}{b}" },
    };
    g_autofree char *folder = g_dir_make_tmp("texgauge-XXXXXX", NULL);

    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        g_autofree char *path = g_build_filename(folder, formats[i].name, NULL);

        write_rows(path, formats[i].header, formats[i].front, formats[i].back, N_ROWS);
        const gsize small = peak_bytes(path);
        write_rows(path, formats[i].header, formats[i].front, formats[i].back, 10 * N_ROWS);
        const gsize large = peak_bytes(path);
        g_remove(path);
        if (large > small + 4096 || large > 1000000)
            fail_msg("%s: %zu bytes for %d rows, %zu for ten times", formats[i].name, small, N_ROWS,
                     large);
    }
    g_rmdir(folder);
}

TEST(test_source__a_line_of_100_MB_is_one_fault)
{
    g_autofree char *folder = g_dir_make_tmp("texgauge-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "long.txt", NULL);
    g_autofree char *block = g_strnfill(1 << 20, 'x');
    const TgSourceOptions options = { 0 };
    g_auto(TgRecord) record = { 0 };

    FILE *file = fopen(path, "w");
    fputs("before\n", file);
    for (guint i = 0; i < 100; i++)
        fputs(block, file);
    fputs("\nafter\n", file);
    assert_int_equal(fclose(file), 0);

    g_autoptr(TgSource) source = open_one(path, &options);
    assert_int_equal(tg_source_next(source, &record, NULL), TG_NEXT_ROW);
    assert_null(record.fault);
    assert_int_equal(tg_source_next(source, &record, NULL), TG_NEXT_ROW);
    g_autofree char *wanted = g_strdup_printf("%s:2: the line is longer than 67108864 bytes", path);
    assert_string_equal(record.fault, wanted);
    assert_int_equal(tg_source_next(source, &record, NULL), TG_NEXT_ROW);
    assert_string_equal(record.refs->pdata[0], "after");
    assert_int_equal(record.line, 3);
    assert_int_equal(tg_source_next(source, &record, NULL), TG_NEXT_END);
    g_remove(path);
    g_rmdir(folder);
}

TEST(test_id_set__tells_ids_and_models_apart)
{
    TgIdSet *set = tg_id_set_new();
    TgPlace first;

    for (guint i = 0; i < 5000; i++) {
        g_autofree char *id = g_strdup_printf("row-%u", i);
        assert_true(
            tg_id_set_add(set, i % 2 == 0 ? "m" : NULL, NULL, id, (TgPlace){ i % 3, i }, &first));
    }
    assert_true(tg_id_set_add(set, NULL, NULL, "row-4998", (TgPlace){ 0, 1 }, &first));
    assert_true(tg_id_set_add(set, "m", NULL, "row-1", (TgPlace){ 0, 1 }, &first));
    assert_true(tg_id_set_add(set, "mr", NULL, "ow-0", (TgPlace){ 0, 1 }, &first));
    assert_false(tg_id_set_add(set, "m", NULL, "row-4998", (TgPlace){ 0, 1 }, &first));
    assert_int_equal(first.file, 4998 % 3);
    assert_int_equal(first.line, 4998);
    assert_true(tg_id_set_add(set, "m", NULL, "far", (TgPlace){ 70000, 1 }, &first));
    assert_false(tg_id_set_add(set, "m", NULL, "far", (TgPlace){ 0, 1 }, &first));
    assert_int_equal(first.file, 70000);
    g_hash_table_unref(set);
}

TEST(test_chain__names_tell_subset_and_stem)
{
    static const struct {
        const char *path, *subset, *stem;
    } names[] = {
        { "test_spe.txt", "spe", "test_spe" },
        { "a/pred-CPE.txt.gz", "cpe", "pred-CPE" },
        { "hwe", "hwe", "hwe" },
        { "x.sce.jsonl.zst", "sce", "x.sce" },
        { "special.txt", NULL, "special" },
        { "spe/model.txt", NULL, "model" },
        { "crohme_2014.3b.json", NULL, "crohme_2014.3b" },
        { ".hidden", NULL, ".hidden" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *stem = tg_stem_of_name(names[i].path);
        assert_string_equal(stem, names[i].stem);
        assert_int_equal(g_strcmp0(tg_subset_of_name(names[i].path), names[i].subset), 0);
    }
}

TEST(test_source__takes_pairs_in_memory)
{
    static const char *const refs[] = { "$x$", "```\ny\n```" };
    static const TgPair pairs[] = {
        { .refs = refs, .n_refs = 2, .hyp = "```\nx\n```" },
        { .hyp = "x" },
        { .refs = refs, .n_refs = 1 },
        { .refs = refs, .n_refs = 1, .hyp = "\xff" },
    };
    const TgSourceOptions options = {
        .pairs = pairs, .n_pairs = G_N_ELEMENTS(pairs), .clean = "fences", .model = "m"
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(TgSource) source = tg_source_open(NULL, &options, &error);
    g_auto(TgRecord) record = { 0 };
    guint n;

    tg_assert_no_error(error);
    assert_int_equal(tg_source_next(source, &record, &error), TG_NEXT_ROW);
    assert_string_equal(record.refs->pdata[0], "x");
    assert_string_equal(record.refs->pdata[1], "```\ny\n```"); /* fences are the prediction's */
    assert_string_equal(record.hyp, "x");
    assert_string_equal(record.model, "m");
    assert_int_equal(tg_source_next(source, &record, &error), TG_NEXT_ROW);
    assert_string_equal(record.fault, "data:2: there is no reference");
    assert_int_equal(tg_source_next(source, &record, &error), TG_NEXT_ROW);
    assert_null(record.hyp);
    assert_null(record.fault);
    assert_int_equal(tg_source_next(source, &record, &error), TG_NEXT_ROW);
    assert_string_equal(record.fault, "data:4: a formula is not UTF-8");
    assert_int_equal(tg_source_next(source, &record, &error), TG_NEXT_END);
    tg_assert_no_error(error);
    assert_string_equal(tg_source_inputs(source, &n)[0].name, "data");
    assert_int_equal(n, 1);
}
