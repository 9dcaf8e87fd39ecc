#include <unistd.h>

#include "core/random.h"
#include "datasets/source.h"
#include "eval/explain/explain.h"
#include "eval/results/table.h"
#include "metrics/metric.h"
#include "tests/support/results_support.h"

/* A layout of one averaged and one pooled metric, and the files that a run of it would leave. */
typedef struct {
    char *folder;
    TgScoreLayout *layout;
} Fixture;

static int set_up(void **state)
{
    Fixture *fixture = g_new0(Fixture, 1);

    fixture->folder = test_scratch_new();
    fixture->layout = tg_score_layout_new(tg_metric_new_list("exprate,cer", NULL));
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *fixture = *state;

    test_scratch_free(fixture->folder);
    tg_score_layout_unref(fixture->layout);
    g_free(fixture);
    return 0;
}

static char *header(const Fixture *fixture, guint shard, guint n_shards)
{
    const TgSourceInput input = { .name = "a.jsonl" };
    json_auto_t *options = json_pack("{s:s, s:s}", "delimiters", "strip", "undefined", "default");
    const TgResultsInfo info = { fixture->layout, &input, 1, options, NULL, shard, n_shards };

    return tg_results_header(&info);
}

static char *row(const Fixture *fixture, gsize number, double edits)
{
    GString *out = g_string_new(NULL);
    TgRecord record = { 0 };
    TgScores scores;

    tg_record_reset(&record);
    record.row = number;
    record.id = g_strdup_printf("id \"%" G_GSIZE_FORMAT "\"", number);
    record.subset = g_strdup("\xce\xb1");
    record.hyp = g_strdup("\\frac{a}{b}");
    g_ptr_array_add(record.refs, g_strdup("a/b"));
    tg_scores_init(&scores, fixture->layout);
    scores.columns[0] = 0;
    scores.columns[fixture->layout->first_column[1]] = edits / 10;
    scores.stats[fixture->layout->first_stat[1]] = edits;
    scores.stats[fixture->layout->first_stat[1] + 1] = 10;
    scores.has_stats[1] = TRUE;
    tg_scores_set_status(&scores, 0, "as a test");
    tg_results_append_row(out, fixture->layout, &record, &scores);
    tg_record_clear(&record);
    tg_scores_clear(&scores, fixture->layout);
    return g_string_free(out, FALSE);
}

static char *footer(guint64 n_rows)
{
    const TgSourceInput input = { "a.jsonl", "jsonl", "00ff" };

    return tg_results_footer(n_rows, &input, 1);
}

/* The whole lines of @text, which is freed, with checksums that fit. */
static char *sealed(char *text)
{
    GString *out = g_string_new(NULL);
    const char *at = text;
    TgSeal seal = { 0 };

    for (const char *end; (end = strchr(at, '\n')) != NULL; at = end + 1)
        tg_seal_append(&seal, at, (gsize) (end - at), out);
    g_free(text);
    return g_string_free(out, FALSE);
}

/* Write @text, which is freed, into a file of the scratch folder. */
static char *put(const Fixture *fixture, const char *name, char *text)
{
    char *path = g_build_filename(fixture->folder, name, NULL);

    assert_true(g_file_set_contents(path, text, -1, NULL));
    g_free(text);
    return path;
}

/*
 * A file of pieces: h is the header, 1 and 2 are rows, e is the last line, w is the whole of them.
 * (transfer full)
 */
static char *pieces_of(const Fixture *fixture, const char *pieces)
{
    g_autofree char *head = header(fixture, 1, 1);
    g_autofree char *one = row(fixture, 1, 3), *two = row(fixture, 2, 4), *end = footer(2);
    GString *text = g_string_new(NULL);

    for (; *pieces != '\0'; pieces++)
        g_string_append_printf(text, "%s%s",
                               *pieces == 'h'   ? head
                               : *pieces == 'e' ? end
                               : *pieces == '1' ? one
                                                : two,
                               *pieces == 'h' || *pieces == 'e' ? "\n" : "");
    return g_string_free(text, FALSE);
}

static char *plain_file(const Fixture *fixture)
{
    return pieces_of(fixture, "h12e");
}

static char *whole_file(const Fixture *fixture)
{
    return sealed(plain_file(fixture));
}

/* Read what is left, which must be without an error; the number of rows. */
static guint count_rows(TgResultsReader *reader)
{
    GError *error = NULL;
    const TgResultsRow *got;

    for (guint n = 0;; n++) {
        tg_results_next(reader, &got, &error);
        tg_assert_no_error(error);
        if (got == NULL)
            return n;
    }
}

TEST(test_results__written_is_what_is_read)
{
    const Fixture *fixture = *state;
    g_autofree char *path = put(fixture, "whole.jsonl", whole_file(fixture));
    const TgResultsRow *got;
    g_autoptr(TgResultsReader) reader = tg_must(tg_results_open(path, &error));
    assert_int_equal(reader->header->layout->n_columns, fixture->layout->n_columns);
    assert_int_equal(tg_results_next(reader, &got, NULL), TG_NEXT_ROW);
    assert_int_equal(got->row, 1);
    assert_string_equal(got->id, "id \"1\"");
    assert_null(got->model);
    assert_string_equal(got->subset, "\xce\xb1");
    assert_string_equal(got->scores.status[0], "as a test");
    assert_null(got->scores.status[1]);
    tg_assert_near(got->scores.columns[fixture->layout->first_column[1]], 0.3, 0.0);
    assert_true(isnan(got->scores.columns[1])); /* exprate.1 was left undefined */
    assert_false(got->scores.has_stats[0]);
    assert_true(got->scores.has_stats[1]);
    assert_int_equal(tg_results_next(reader, &got, NULL), TG_NEXT_ROW);
    assert_null(reader->footer);
    assert_int_equal(count_rows(reader), 0);
    assert_non_null(reader->footer);
}

/* Cut anywhere after the header, a file reads as far as its last whole line, without an error. */
TEST(test_results__any_cut_is_an_interruption)
{
    const Fixture *fixture = *state;
    g_autofree char *whole = whole_file(fixture);
    const gsize head = (gsize) (strchr(whole, '\n') - whole) + 1;

    for (gsize len = head; len < strlen(whole); len++) {
        g_autofree char *path = put(fixture, "cut.jsonl", g_strndup(whole, len));
        g_autoptr(TgResultsReader) reader = tg_results_open(path, NULL);
        guint n_lines = 0;

        reader->is_continued = TRUE;
        for (gsize i = head; i < len; i++)
            n_lines += whole[i] == '\n';
        assert_int_equal(count_rows(reader), n_lines);
        assert_null(reader->footer);
        assert_true(reader->offset <= len);
        assert_int_equal(whole[reader->offset - 1], '\n');
    }
}

static void expect_merge_error(const Fixture *fixture, char *text, const char *part)
{
    g_autofree char *path = put(fixture, "bad.jsonl", text);
    const char *const paths[] = { path, NULL };

    tg_assert_fails(tg_eval_merge(paths, NULL, &error), TG_ERROR_INPUT, part);
}

/* The same of lines whose checksums fit. */
static void expect_fault(const Fixture *fixture, char *text, const char *part)
{
    expect_merge_error(fixture, sealed(text), part);
}

/* The whole file with the first @from put as @to. */
static char *changed(const Fixture *fixture, const char *from, const char *to)
{
    g_autofree char *whole = plain_file(fixture);
    const char *at = strstr(whole, from);

    assert_non_null(at);
    g_autofree char *before = g_strndup(whole, (gsize) (at - whole));
    return g_strconcat(before, to, at + strlen(from), NULL);
}

/* A score is within its range; what joining and sorting files by hand leaves is a fault, too, and
 * every reader says so. */
TEST(test_results__damage_is_an_error_with_its_line)
{
    static const char *const changes[][3] = {
        { "\"rows\":2", "\"rows\":1", "has more rows than its last line counts" },
        { "|v:", "|v:9", "score again to compare" },
        { "\"spec\":\"cer\"", "\"spec\":\"cerr\"", "unknown metric 'cerr'" },
        { "\"row\":2", "\"row\":0", "bad.jsonl:3: no row" },
        { "{\"row\":2", "{row:2", "bad.jsonl:3: " },
        { "[3,10", "[3,10,1", "wrong number of statistics" },
        { "\"exprate\":0,", "", "a score is missing" },
        { "\"of\":1", "\"of\":2000000000", "the header names shard 1 of 2000000000" },
        { "{\"end\":true", "{\"end\":false", "no row" },
        { "\"exprate\":0,", "\"exprate\":1.5,",
          "bad.jsonl:2: the score 'exprate' is 1.5, outside [0, 1]" },
        { "\"exprate\":0,", "\"exprate\":-1,", "outside" },
        { "\"exprate\":0,", "\"exprate\":\"0\",", "the score 'exprate' is not a number" },
        { "[3,10", "[\"3\",10", "a statistic is not a number" },
        { "\"cer\":\"ok\"", "\"other\":\"ok\"", "the status of 'cer' is missing" },
        { "\"stats\":{\"cer\":", "\"stats\":{\"other\":", "statistics are missing" },
    };
    static const char *const joined[][2] = {
        { "", "not a results file" },
        { "h12eh12e", "continues after its last line" },
        { "h1h12e", "bad.jsonl:3: another results file begins here" },
        { "h11e", "bad.jsonl:3: row 1 comes twice, or out of order" },
        { "h21e", "bad.jsonl:3: row 1 comes twice, or out of order" },
        { "12e", "its first line, which says how the pairs were scored, is missing" },
    };

    expect_fault(*state, g_strdup("{\"a\":1}\n"), "not a results file");
    for (guint i = 0; i < G_N_ELEMENTS(changes); i++)
        expect_fault(*state, changed(*state, changes[i][0], changes[i][1]), changes[i][2]);
    for (guint i = 0; i < G_N_ELEMENTS(joined); i++)
        expect_fault(*state, pieces_of(*state, joined[i][0]), joined[i][1]);
}

/* ext4 and XFS leave zeros where a file grew and its bytes had not arrived. */
TEST(test_results__a_tail_of_zeros_is_an_interruption)
{
    const Fixture *fixture = *state;
    g_autofree char *whole = whole_file(fixture);
    g_autofree char *path = g_build_filename(fixture->folder, "zeros.jsonl", NULL);
    const gsize rows = (gsize) (strstr(whole, "{\"end\"") - whole);
    g_autofree char *bytes = g_malloc0(rows + 5000);

    memcpy(bytes, whole, rows);
    assert_true(g_file_set_contents(path, bytes, (gssize) rows + 5000, NULL));
    g_autoptr(TgResultsReader) reader = tg_results_open(path, NULL);
    reader->is_continued = TRUE;
    assert_int_equal(count_rows(reader), 2);
    assert_int_equal(reader->offset, rows);
    assert_null(reader->footer);
}

TEST(test_results__shards_must_be_of_one_input)
{
    const Fixture *fixture = *state;
    g_autofree char *head1 = header(fixture, 1, 2), *head2 = header(fixture, 2, 2);
    g_autofree char *one = row(fixture, 1, 3), *two = row(fixture, 2, 4), *end = footer(1);
    g_autofree char *path1 =
        put(fixture, "1.jsonl", sealed(g_strconcat(head1, "\n", one, end, "\n", NULL)));
    g_autofree char *path2 =
        put(fixture, "2.jsonl", sealed(g_strconcat(head2, "\n", two, end, "\n", NULL)));
    const char *const paths[] = { path2, path1, NULL };
    g_autoptr(TgSummary) summary = tg_must(tg_eval_merge(paths, NULL, &error));

    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    assert_int_equal(((const TgSummaryRow *) rows->pdata[0])->n_pairs, 2);
    tg_assert_near(test_summary_value(summary, NULL, NULL, "cer"), 7.0 / 20, 1e-9);

    char *text = g_strconcat(head2, "\n", two, end, "\n", NULL);
    memcpy(strstr(text, "00ff"), "11ff", 4);
    g_free(put(fixture, "2.jsonl", sealed(text)));
    tg_assert_fails(tg_eval_merge(paths, NULL, &error), TG_ERROR_INPUT,
                    "inputs with other contents");
}

/* ---- checksums ---- */

/* Files that runs of eval leave: rows with everything they can have, of one file and of two shards.
 */
static void write_runs(const Fixture *fixture, char *paths[3])
{
    static const char lines[] =
        "{\"id\":\"a\",\"model\":\"M\",\"subset\":\"s\",\"gt\":[\"x^2\",\"x^{2}\"],\"pred\":\"x^"
        "3\",\"page\":7}\n"
        "{\"id\":\"b\",\"model\":\"M\",\"subset\":\"t\",\"gt\":\"\\\\frac{\xce\xb1}{b}\",\"pred\":"
        "\"\\\\frac{a}{b}\"}\n"
        "{\"id\":\"c\",\"gt\":\"y\",\"pred\":\"\\\\frac{\",\"score\":0.25}\n"
        "{\"id\":\"d\",\"gt\":\"\\\\sqrt{2}\"}\n";
    TgEvalOptions runs[3] = {
        { .metrics = "edit,bleu,exprate", .scorer.detail = TRUE },
        { .metrics = "cer,cdm", .scorer.detail = TRUE, .n_shards = 2, .shard = 1 }
    };

    runs[2] = runs[1];
    runs[2].shard = 2;
    for (guint i = 0; i < 3; i++) { /* shards have the name of their input in common */
        g_autofree char *output = tg_results_of_lines(fixture->folder, "run", lines, &runs[i]);

        paths[i] = g_strdup_printf("%s/run%u.jsonl", fixture->folder, i);
        assert_int_equal(g_rename(output, paths[i]), 0);
    }
}

/* In its place: file systems wait for the disk when a file is cut and written again. */
static void flip(const char *path, gsize at, guint bit)
{
    FILE *file = fopen(path, "r+b");

    assert_non_null(file);
    assert_int_equal(fseek(file, (long) at, SEEK_SET), 0);
    const int byte = getc(file);
    assert_int_equal(fseek(file, (long) at, SEEK_SET), 0);
    putc(byte ^ 1 << bit, file);
    assert_int_equal(fclose(file), 0);
}

/* Whether a file can be read as pairs, of which one can be used. */
static gboolean read_pairs(const char *path, char **noticed, GError **error)
{
    const char *const inputs[] = { path, NULL };
    g_autoptr(TgSource) source = tg_source_open(inputs, &(TgSourceOptions){ 0 }, error);
    g_auto(TgRecord) record = { 0 };
    GError *trouble = NULL;
    gboolean any = FALSE;
    guint n;

    while (source != NULL && tg_source_next(source, &record, &trouble) == TG_NEXT_ROW)
        any = any || record.fault == NULL;
    if (trouble != NULL)
        g_propagate_error(error, trouble);
    else if (source != NULL && !any)
        g_set_error(error, TG_ERROR, TG_ERROR_INPUT, "%s: no pairs", path);
    if (source != NULL)
        *noticed = tg_damage_text(&tg_source_inputs(source, &n)->damage, path);
    return trouble == NULL && any;
}

/* Reading results as compare, report and study do, as eval does, and as pairs: an error or a
 * remark. */
static void expect_noticed(const char *const *paths, const char *name, const char *what)
{
    const TgTableOptions options = { 0 };
    gboolean pairs = TRUE;
    guint n = 0;

    for (guint i = 0; i < 2; i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(TgTable) table = i == 0 ? tg_table_read(paths, &options, &error) : NULL;
        g_autoptr(TgSummary) summary = i == 1 ? tg_eval_merge(paths, NULL, &error) : NULL;
        const GPtrArray *remarks = table != NULL     ? table->remarks
                                   : summary != NULL ? summary->remarks
                                                     : NULL;

        if (remarks != NULL && remarks->len == 0)
            fail_msg("%s: nobody notices it", what);
        if (remarks == NULL && !g_error_matches(error, TG_ERROR, TG_ERROR_INPUT))
            fail_msg("%s: %s", what, error->message);
        if (strstr(remarks != NULL ? remarks->pdata[0] : error->message, name) == NULL)
            fail_msg("%s: no name of the file", what);
    }
    for (; paths[n] != NULL && pairs; n++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *noticed = NULL;

        pairs = read_pairs(paths[n], &noticed, &error) && noticed == NULL;
        if (error != NULL && !g_error_matches(error, TG_ERROR, TG_ERROR_INPUT))
            fail_msg("%s: %s", what, error->message);
    }
    if (pairs)
        fail_msg("%s: nobody notices it in pairs", what);
}

/* A run by itself, or the shards of the other one. */
static const char *const *run_of(char *paths[3], guint i, const char *out[3])
{
    out[0] = paths[i == 0 ? 0 : 1];
    out[1] = i == 0 ? NULL : paths[2];
    out[2] = NULL;
    return out;
}

TEST(test_results__no_flipped_bit_of_2000_goes_unnoticed)
{
    const Fixture *fixture = *state;
    g_auto(GStrv) paths = g_new0(char *, 4);
    const char *run[3];
    TgRandom random;

    write_runs(fixture, paths);
    tg_random_seed(&random, 34, 0);
    for (guint k = 0; k < 2000; k++) {
        const guint i = k % 3;
        GStatBuf info;

        assert_int_equal(g_stat(paths[i], &info), 0);
        const guint at = tg_random_below(&random, (guint) info.st_size);
        const guint bit = tg_random_below(&random, 8);
        g_autofree char *what = g_strdup_printf("bit %u of byte %u of file %u", bit, at, i);

        flip(paths[i], at, bit);
        expect_noticed(run_of(paths, i, run), "run", what);
        flip(paths[i], at, bit);
    }
    for (guint i = 0; i < 3; i++) {
        g_autoptr(TgTable) table =
            tg_table_read(run_of(paths, i, run), &(TgTableOptions){ 0 }, NULL);

        assert_non_null(table);
        assert_int_equal(table->n_rows, 4);
        assert_int_equal(table->remarks->len, 0);
    }
}

static void expect_pairs(const Fixture *fixture, char *text, const char *wanted)
{
    g_autofree char *path = put(fixture, "changed.jsonl", text);
    g_autofree char *noticed = NULL;

    tg_must(read_pairs(path, &noticed, &error));
    if (wanted == NULL)
        assert_null(noticed);
    else
        tg_assert_holds(noticed, wanted, NULL);
}

TEST(test_results__pairs_of_results_that_were_changed)
{
    const Fixture *fixture = *state;
    g_autofree char *text = whole_file(fixture);

    expect_pairs(fixture, whole_file(fixture), NULL);
    strstr(text, "a/b")[0] = 'c';
    expect_pairs(fixture, g_strdup(text),
                 "changed.jsonl: 1 line was changed after the run; first: line 2");

    /* two files one after the other, and the last line lost */
    char *joined = g_strconcat(text, text, NULL);
    strstr(strstr(joined, "{\"end\"") + 1, "{\"end\"")[0] = '\0';
    expect_pairs(fixture, joined,
                 "changed.jsonl: 2 lines were changed after the run, the last line is missing");

    /* checksums that are not those of results are a field like others */
    expect_pairs(fixture,
                 g_strdup("{\"gt\":\"a\",\"pred\":\"a\",\"crc\":\"01234567\"}\n"
                          "{\"gt\":\"a\",\"pred\":\"a\",\"crc\":\"01234567\"}\n"),
                 NULL);
}

/* explain takes a pair of what it is given, results or not. */
TEST(test_results__explain_names_a_damaged_header)
{
    const Fixture *fixture = *state;
    g_autofree char *path = put(fixture, "bad.jsonl", whole_file(fixture));
    g_autofree char *whole = whole_file(fixture);
    const guint end = (guint) (strchr(whole, '\n') - whole);
    const TgExplanationRow row = { .input = path, .row = 1 };

    for (guint at = 0; at < end; at++) {
        g_auto(TgExplainPair) pair = { 0 };
        g_autoptr(GError) error = NULL;

        flip(path, at, at % 7);
        if (tg_explain_find_pair(&row, &pair, &error) && pair.remark == NULL)
            fail_msg("bit %u of byte %u: nobody notices it", at % 7, at);
        if (error != NULL && strstr(error->message, "bad.jsonl") == NULL)
            fail_msg("bit %u of byte %u: %s", at % 7, at, error->message);
        flip(path, at, at % 7);
    }
}

TEST(test_results__no_cut_goes_unnoticed)
{
    const Fixture *fixture = *state;
    g_auto(GStrv) paths = g_new0(char *, 4);
    const char *run[3];

    write_runs(fixture, paths);
    for (guint i = 0; i < 2; i++) {
        GStatBuf info;

        assert_int_equal(g_stat(paths[i], &info), 0);
        for (long n = info.st_size; n-- > 0;) {
            g_autofree char *what = g_strdup_printf("cut after %ld bytes", n);

            assert_int_equal(truncate(paths[i], n), 0);
            expect_noticed(run_of(paths, i, run), "run", what);
        }
    }
}

/* Digits of a checksum have one spelling: "a" is not "A". */
TEST(test_results__no_bit_of_a_checksum_is_free)
{
    const Fixture *fixture = *state;
    g_autofree char *path = put(fixture, "bad.jsonl", whole_file(fixture));
    const char *const paths[] = { path, NULL };
    g_autofree char *whole = whole_file(fixture);
    const guint end = (guint) (strstr(whole, "{\"row\":2") - whole);

    for (guint at = end - 20; at < end; at++)
        for (guint bit = 0; bit < 8; bit++) {
            g_autofree char *what = g_strdup_printf("bit %u of byte %u", bit, at);

            flip(path, at, bit);
            expect_noticed(paths, "bad.jsonl", what);
            flip(path, at, bit);
        }
}

/* Check the remark on @text when it is read. */
static void expect_remark(const Fixture *fixture, char *text, const char *wanted)
{
    g_autofree char *path = put(fixture, "bad.jsonl", text);
    const char *const paths[] = { path, NULL };
    g_autoptr(TgTable) table = tg_must(tg_table_read(paths, &(TgTableOptions){ 0 }, &error));
    g_autoptr(TgSummary) summary = tg_must(tg_eval_merge(paths, NULL, &error));

    assert_int_equal(table->remarks->len, 1);
    assert_true(g_str_has_suffix(table->remarks->pdata[0], wanted));
    tg_assert_says(tg_summary_format(summary, &(TgSummaryFormat){ 0 }), wanted, NULL);
    tg_assert_says(tg_summary_format(summary, &(TgSummaryFormat){ .form.style = TG_GRID_JSON }),
                   wanted, NULL);
}

/* Each line is one that a run wrote, with its checksum: of a, of b with other rows, of c with
 * another header, or a row without one (x). A row after a gap cannot be checked. */
TEST(test_results__lines_of_two_runs_do_not_mix_unnoticed)
{
    static const char *const cases[][2] = {
        { "a0b1a2a3", "bad.jsonl: 1 line was changed after the run; first: line 3" },
        { "a0a1b2a3", "bad.jsonl: 2 lines were changed after the run; first: line 3" },
        { "a0a1a2b3", "bad.jsonl: 1 line was changed after the run; first: line 4" },
        { "c0a1a2a3", "bad.jsonl: 1 line was changed after the run; first: line 2" },
        { "a0a1x2a3", "bad.jsonl: 2 lines were changed after the run; first: line 3" },
        { "a0a2a3", "bad.jsonl: 1 of 2 rows is missing; first: line 2" },
        { "a0a1a3", "bad.jsonl: 1 of 2 rows is missing; first: line 3" },
        { "a0a3", "bad.jsonl: 2 of 2 rows are missing; first: line 2" },
        { "a0a1a2",
          "bad.jsonl: the last line is missing: the run was interrupted, or rows were cut "
          "off after row 2; first: line 4" },
    };
    const Fixture *fixture = *state;
    g_autofree char *head = header(fixture, 1, 1), *end = footer(2);
    g_autofree char *one = row(fixture, 1, 5), *two = row(fixture, 2, 6);
    g_autofree char *plain = plain_file(fixture), *whole = whole_file(fixture);
    g_autofree char *other = sealed(g_strconcat(head, "\n", one, two, end, "\n", NULL));
    g_autofree char *other_head = sealed(changed(fixture, "a.jsonl", "b.jsonl"));
    g_auto(GStrv) a = g_strsplit(whole, "\n", -1), b = g_strsplit(other, "\n", -1),
                  c = g_strsplit(other_head, "\n", -1), x = g_strsplit(plain, "\n", -1);

    assert_string_equal(a[0], b[0]);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        GString *text = g_string_new(NULL);

        for (const char *at = cases[i][0]; *at != '\0'; at += 2) {
            char **file = *at == 'a' ? a : *at == 'b' ? b : *at == 'c' ? c : x;

            g_string_append_printf(text, "%s\n", file[at[1] - '0']);
        }
        expect_remark(fixture, g_string_free(text, FALSE), cases[i][1]);
    }
}

TEST(test_results__changes_are_told)
{
    const Fixture *fixture = *state;
    g_autofree char *whole = whole_file(fixture), *plain = plain_file(fixture);
    char *score = strstr(whole, "\"cer\":0.3");

    score[8] = '4';
    expect_remark(fixture, g_strdup(whole),
                  "bad.jsonl: 1 line was changed after the run; first: line 2");
    /* without their checksums, and under a header that says they have them */
    expect_remark(fixture, g_strdup(plain),
                  "bad.jsonl: 4 lines were changed after the run; first: line 1");
}

/* ---- options that change numbers ---- */

/* An option more than eval has: two rows of a table are all that there is of it. */
typedef struct {
    TgEvalOptions run;
    gint rule;
    guint depth;
} MoreOptions;

static const char *const more_rules[] = { "mild", "harsh", NULL };
#define MORE(member) G_STRUCT_OFFSET(MoreOptions, member)
static const TgArg more_args[] = {
    { .kind = TG_ARG_TABLE, .offset = MORE(run), .table = tg_run_args },
    { "rule", TG_ARG_CHOICE, MORE(rule), .choices = more_rules, .recorded = "rule" },
    { "depth", TG_ARG_COUNT, MORE(depth), .recorded = "depth" },
    { 0 },
};

static char *file_with(const Fixture *fixture, const char *name, const MoreOptions *options)
{
    const TgSourceInput input = { .name = "a.jsonl" };
    json_auto_t *recorded = tg_args_record(more_args, options);
    const TgResultsInfo info = { fixture->layout, &input, 1, recorded, NULL, 1, 1 };
    g_autofree char *head = tg_results_header(&info), *one = row(fixture, 1, 3), *end = footer(1);

    return put(fixture, name, sealed(g_strconcat(head, "\n", one, end, "\n", NULL)));
}

/* Whoever adds an option to the table need not think of this. */
TEST(test_results__a_new_option_keeps_results_apart)
{
    const MoreOptions plain = { 0 }, others[] = { { .rule = 1 }, { .depth = 3 } };
    static const char *const messages[] = { "rule 'none', ", "depth 'none', " };
    g_autofree char *a = file_with(*state, "a.jsonl", &plain);
    g_autoptr(GPtrArray) pool = g_ptr_array_new_with_free_func(g_free);
    MoreOptions read = { 0 };

    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autofree char *b = file_with(*state, "b.jsonl", &others[i]);
        g_autofree char *c = file_with(*state, "c.jsonl", &others[i]);
        const char *const differ[] = { b, a, NULL }, *const same[] = { b, c, NULL };

        tg_assert_fails(tg_table_read(differ, &(TgTableOptions){ 0 }, &error), TG_ERROR_INPUT,
                        messages[i]);
        g_autoptr(TgTable) table = tg_must(tg_table_read(same, &(TgTableOptions){ 0 }, &error));
        assert_int_equal(table->n_rows, 2);
        tg_must(tg_args_restore(more_args, &read, json_object_get(table->run->json, "options"),
                                pool, &error));
    }
    assert_int_equal(read.rule, 1);
    assert_int_equal(read.depth, 3);
}

/* A file may end in half a line after a crash. */
TEST(test_results__half_a_line_is_an_error)
{
    g_autofree char *whole = whole_file(*state);

    expect_merge_error(*state, g_strndup(whole, strlen(whole) - 5), "half a line");
}

TEST_GROUP(set_up, tear_down)
