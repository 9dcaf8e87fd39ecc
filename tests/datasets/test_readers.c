/* Every format, sound and broken, against records written by hand (tests/golden/readers). */
#include "tests/support/test_support.h"

#include <stdio.h>
#include <unistd.h>

#include "datasets/source.h"

#define FOLDER    TG_SOURCE_ROOT "/tests/golden/readers"
#define MAX_TEXTS 4

/* Inputs that are opened together, and the file in expected/ with the records. */
typedef struct {
    const char *expected;
    const char *inputs[MAX_TEXTS];
    const char *format;
    const char *maps[MAX_TEXTS], *human[MAX_TEXTS], *columns[MAX_TEXTS];
    const char *refs[MAX_TEXTS], *hyps[MAX_TEXTS];
    const char *model;
    gboolean refs_only, keep_delimiters, allow_duplicates;
    gsize max_line;
} Case;

static const Case cases[] = {
    /* JSONL */
    { .expected = "rows.jsonl", .inputs = { "rows.jsonl" } },
    { .expected = "rows-mapped",
      .inputs = { "rows.jsonl" },
      .maps = { "gt=truth", "gt=Reference,id=", "model=subset" } },
    { .expected = "rows-columns",
      .inputs = { "rows.jsonl" },
      .columns = { "human,bleu", "no.such" } },
    { .expected = "broken.jsonl", .inputs = { "broken.jsonl" } },
    { .expected = "wide.jsonl", .inputs = { "wide.jsonl" }, .human = { "H=score" } },
    { .expected = "long.jsonl", .inputs = { "rows.jsonl" }, .max_line = 60 },
    { .expected = "crlf.jsonl", .inputs = { "crlf.jsonl" }, .allow_duplicates = TRUE },
    { .expected = "format-forced", .inputs = { "truth_cpe.txt" }, .format = "jsonl" },

    /* JSON documents */
    { .expected = "cdm.json", .inputs = { "cdm.json" } },
    { .expected = "cdm-kept",
      .inputs = { "cdm.json" },
      .keep_delimiters = TRUE,
      .allow_duplicates = TRUE },
    { .expected = "dict.json", .inputs = { "dict.json" } },
    { .expected = "dict-mapped", .inputs = { "dict.json" }, .maps = { "id=img_id" } },
    { .expected = "pages.json", .inputs = { "pages.json" } },
    { .expected = "pairs.json", .inputs = { "pairs.json" }, .columns = { "metric.Edit_dist" } },
    { .expected = "study.json", .inputs = { "study.json" } },
    { .expected = "study-nested",
      .inputs = { "study.json" },
      .maps = { "human=scores.human_study_scores+human_study_scores" },
      .columns = { "scores.bleu,scores.cdm" } },
    { .expected = "cut.json", .inputs = { "cut.json" } },
    { .expected = "comma.json", .inputs = { "comma.json" } },
    { .expected = "colon.json", .inputs = { "colon.json" } },
    { .expected = "colon2.json", .inputs = { "colon2.json" } },
    { .expected = "name.json", .inputs = { "name.json" } },
    { .expected = "more.json", .inputs = { "more.json" } },
    { .expected = "nothing.json", .inputs = { "nothing.json" } },
    { .expected = "scalar.json", .inputs = { "scalar.json" } },
    { .expected = "encoding.json", .inputs = { "encoding.json" } },

    { .expected = "document", .inputs = { "document" } },

    /* tables */
    { .expected = "mathbridge.csv", .inputs = { "mathbridge.csv" } },
    { .expected = "mathbridge-kept", .inputs = { "mathbridge.csv" }, .keep_delimiters = TRUE },
    { .expected = "ratings.csv",
      .inputs = { "ratings.csv" },
      .maps = { "gt=latex_true+also_true" },
      .human = { "H1=a,b", "H2=c" },
      .columns = { "score" } },
    { .expected = "ratings-unknown-column",
      .inputs = { "ratings.csv" },
      .maps = { "gt=latex_truth" } },
    { .expected = "ratings-bad-score", .inputs = { "ratings.csv" }, .maps = { "human=score" } },
    { .expected = "broken.csv", .inputs = { "broken.csv" } },
    { .expected = "broken-csv-short", .inputs = { "broken.csv" }, .max_line = 13 },
    { .expected = "unknown.csv", .inputs = { "unknown.csv" } },
    { .expected = "no_prediction.csv", .inputs = { "no_prediction.csv" } },
    { .expected = "no_prediction-truth-only",
      .inputs = { "no_prediction.csv" },
      .refs_only = TRUE },
    { .expected = "twice.csv", .inputs = { "twice.csv" } },
    { .expected = "header.csv", .inputs = { "header.csv" } },
    { .expected = "empty.csv", .inputs = { "empty.csv" } },
    { .expected = "table.tsv", .inputs = { "table.tsv" } },
    { .expected = "broken.tsv", .inputs = { "broken.tsv" } },
    { .expected = "header-too-long", .inputs = { "broken.tsv" }, .max_line = 5 },
    { .expected = "empty-tsv", .inputs = { "empty.txt" }, .format = "tsv" },

    /* lines */
    { .expected = "captions.txt", .inputs = { "captions.txt" }, .refs_only = TRUE },
    { .expected = "broken.captions", .inputs = { "broken.captions" }, .format = "captions" },
    { .expected = "broken.txt", .inputs = { "broken.txt" } },
    { .expected = "empty.txt", .inputs = { "empty.txt" } },
    { .expected = "list.txt.gz", .inputs = { "list.txt.gz" } },
    { .expected = "list.txt.zst", .inputs = { "list.txt.zst" } },
    { .expected = "cut.txt.gz", .inputs = { "cut.txt.gz" } },
    { .expected = "cut.txt.zst", .inputs = { "cut.txt.zst" } },
    { .expected = "utf16.txt", .inputs = { "utf16.txt" } },
    { .expected = "control.txt",
      .inputs = { "control.txt" } }, /* as many control characters as may be */
    { .expected = "binary.dat", .inputs = { "binary.dat" } },

    /* label graphs */
    { .expected = "label-graphs", .inputs = { "a_1.lg", "b.v2.lg", "c.lg" }, .refs_only = TRUE },
    { .expected = "label-graphs-joined",
      .refs = { "a_1.lg", "b.v2.lg", "c.lg" },
      .hyps = { "graphs.captions" } },

    /* several files */
    { .expected = "several", .inputs = { "truth_spe.txt", "crlf.jsonl", "truth_cpe.txt" } },
    { .expected = "several-named", .inputs = { "truth_spe.txt", "truth_cpe.txt" }, .model = "m" },
    { .expected = "several-one-missing", .inputs = { "truth_spe.txt", "missing.txt" } },
    { .expected = "several-duplicates", .inputs = { "crlf.jsonl", "crlf.jsonl" }, .model = "m" },
    { .expected = "stdin-twice", .inputs = { "-", "-" } },
    { .expected = "no-input", .inputs = { NULL } },

    /* joins */
    { .expected = "join-by-id",
      .refs = { "truth.csv" },
      .hyps = { "first.json", "B=second.jsonl" } },
    { .expected = "join-mixed",
      .refs = { "truth.csv" },
      .hyps = { "C=third.txt", "A=first.json" },
      .columns = { "human" } },
    { .expected = "join-by-line",
      .refs = { "truth_spe.txt", "truth_cpe.txt" },
      .hyps = { "A=pred-spe.txt", "B=pred-spe.txt", "A=pred-cpe.txt", "B=pred-cpe.txt" } },
    { .expected = "join-one-file",
      .refs = { "truth_spe.txt", "truth_cpe.txt" },
      .hyps = { "list.txt.gz" } },
    { .expected = "join-lengths",
      .refs = { "truth_spe.txt", "truth_cpe.txt" },
      .hyps = { "A=pred-spe.txt", "A=long-cpe.txt" } },
    { .expected = "join-lengths-all", .refs = { "truth_spe.txt" }, .hyps = { "A=list.txt.gz" } },
    { .expected = "join-order",
      .refs = { "truth_spe.txt", "truth_cpe.txt" },
      .hyps = { "A=pred-cpe.txt", "A=pred-spe.txt" } },
    { .expected = "join-missing", .refs = { "truth_spe.txt" }, .hyps = { "A=missing.txt" } },
    { .expected = "join-broken", .refs = { "broken.txt" }, .hyps = { "A=broken.txt" } },
    { .expected = "join-cut", .refs = { "list.txt.gz" }, .hyps = { "A=cut.txt.zst" } },
    { .expected = "join-no-truth", .hyps = { "A=list.txt.gz" } },
    { .expected = "join-no-prediction", .refs = { "list.txt.gz" } },
    { .expected = "join-and-inputs", .inputs = { "list.txt.gz" }, .refs = { "list.txt.gz" } },

    { .expected = "join-truth-breaks", .refs = { "late_cut.json" }, .hyps = { "A=late.jsonl" } },
    { .expected = "join-prediction-breaks",
      .refs = { "late.jsonl" },
      .hyps = { "A=late_cut_pred.json" },
      .maps = { "gt=pred" } },
    { .expected = "join-prediction-breaks-at-end",
      .refs = { "crlf.jsonl" },
      .hyps = { "A=late_cut_pred.json" } },

    /* options */
    { .expected = "no-such-format", .inputs = { "rows.jsonl" }, .format = "xml" },
    { .expected = "map-unknown-role", .inputs = { "rows.jsonl" }, .maps = { "gt=a,truth=b" } },
    { .expected = "map-no-equals", .inputs = { "rows.jsonl" }, .maps = { "gt" } },
    { .expected = "map-empty-name", .inputs = { "rows.jsonl" }, .maps = { "gt=a+" } },
    { .expected = "map-no-truth", .inputs = { "crlf.jsonl" }, .maps = { "gt=" } },
    { .expected = "human-no-group", .inputs = { "rows.jsonl" }, .human = { "a,b" } },
    { .expected = "human-twice", .inputs = { "rows.jsonl" }, .human = { "H=a", "H=b" } },
    { .expected = "human-and-map",
      .inputs = { "rows.jsonl" },
      .human = { "H=a" },
      .maps = { "human=b" } },
    { .expected = "columns-empty", .inputs = { "rows.jsonl" }, .columns = { "a,,b" } },
};

static void append_json(GString *out, const char *name, const char *text)
{
    if (text == NULL)
        return;
    json_auto_t *json = json_string(text);
    assert_non_null(json); /* all that is delivered is UTF-8 */
    g_autofree char *dump = json_dumps(json, JSON_ENCODE_ANY);
    g_string_append_printf(out, " %s=%s", name, dump);
}

static void append_human(GString *out, const TgHumanGroup *group)
{
    g_string_append_printf(out, " %s=", group->name);
    for (guint i = 0; i < group->n_scores; i++) {
        if (isnan(group->scores[i]))
            g_string_append_printf(out, "%snull", i > 0 ? "," : "");
        else
            g_string_append_printf(out, "%s%g", i > 0 ? "," : "", group->scores[i]);
    }
}

/* A record as one line: `ROW FILE:LINE id="..." ...`, and below it `! fault`. */
static void append_record(GString *out, const TgRecord *record)
{
    g_string_append_printf(out, "%" G_GSIZE_FORMAT " %s:%" G_GSIZE_FORMAT, record->row,
                           record->file, record->line);
    append_json(out, "id", record->id);
    append_json(out, "model", record->model);
    append_json(out, "subset", record->subset);
    for (guint i = 0; i < record->refs->len; i++)
        append_json(out, "gt", record->refs->pdata[i]);
    append_json(out, "pred", record->hyp);
    for (guint i = 0; record->human != NULL && i < record->human->len; i++)
        append_human(out, record->human->pdata[i]);
    if (record->stored != NULL) {
        g_autofree char *dump = json_dumps(record->stored, JSON_COMPACT);
        g_string_append_printf(out, " stored=%s", dump);
    }
    g_string_append_c(out, '\n');
    if (record->fault != NULL)
        g_string_append_printf(out, "! %s\n", record->fault);
    else
        assert_true(record->refs->len > 0);
}

static const char *const *texts_or_null(const char *const *texts)
{
    return texts[0] != NULL ? texts : NULL;
}

/* All that a case delivers, and at the end its error. */
static char *records_of(const Case *c)
{
    const TgSourceOptions options = {
        .format = c->format,
        .maps = c->maps,
        .human = c->human,
        .columns = c->columns,
        .refs = texts_or_null(c->refs),
        .hyps = texts_or_null(c->hyps),
        .model = c->model,
        .refs_only = c->refs_only,
        .keep_delimiters = c->keep_delimiters,
        .allow_duplicates = c->allow_duplicates,
        .max_line = c->max_line,
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(TgSource) source = tg_source_open(c->inputs, &options, &error);
    g_auto(TgRecord) record = { 0 };
    GString *out = g_string_new(NULL);

    while (source != NULL && tg_source_next(source, &record, &error) == TG_NEXT_ROW)
        append_record(out, &record);
    if (error != NULL) {
        assert_true(error->domain == TG_ERROR);
        g_string_append_printf(out, "error: %s: %s\n",
                               error->code == TG_ERROR_USAGE ? "usage" : "input", error->message);
        assert_true(error->code == TG_ERROR_USAGE || error->code == TG_ERROR_INPUT);
    }
    return g_string_free(out, FALSE);
}

TEST(test_readers__golden_records)
{
    guint n_wrong = 0;

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_build_filename("expected", cases[i].expected, NULL);
        g_autofree char *got = records_of(&cases[i]);
        g_autofree char *wanted = NULL;

        if (!g_file_get_contents(path, &wanted, NULL, NULL))
            wanted = g_strdup("(nothing is expected yet)\n");
        if (strcmp(got, wanted) == 0)
            continue;
        fprintf(stderr, "%s gives\n%swanted\n%s", cases[i].expected, got, wanted);
        n_wrong++;
    }
    assert_int_equal(n_wrong, 0);
}

TEST(test_readers__what_is_expected_has_a_case)
{
    g_autoptr(GDir) folder = g_dir_open("expected", 0, NULL);
    const char *name;

    assert_non_null(folder);
    while ((name = g_dir_read_name(folder)) != NULL) {
        guint i = 0;
        while (i < G_N_ELEMENTS(cases) && strcmp(cases[i].expected, name) != 0)
            i++;
        if (i == G_N_ELEMENTS(cases))
            fail_msg("expected/%s belongs to no case", name);
    }
}

static int enter_folder(G_GNUC_UNUSED void **state)
{
    return chdir(FOLDER);
}

TEST_GROUP(enter_folder, NULL)
