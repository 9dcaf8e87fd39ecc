/* The published scores of 3,050 predictions (speech2latex), row by row. */
#include "tests/support/metric_support.h"

#include <csv.h>

/* Columns of the file, which begins with prediction, truth and what was said. */
enum { PREDICTION, TRUTH, FIRST_SCORE = 3 };

/* The scores in the order of the file, then the same on lower-case text. METEOR is not ours. */
static const char *const metrics[] = {
    "cer",
    "wer",
    "rouge:tokenize=alnum",
    "chrf",
    "chrf:word-order=2",
    "bleu:tokenize=13a:smooth=none:effective-order=no",
    "bleu:tokenize=13a:effective-order=no",
    NULL,
};

#define N_METRICS G_N_ELEMENTS(metrics)
#define N_SCORES  (2 * N_METRICS)
#define N_FIELDS  (FIRST_SCORE + N_SCORES)

typedef struct {
    TestScorer scorers[N_SCORES];
    char *fields[N_FIELDS];
    guint n_fields;
    guint n_rows;
} Reader;

static void take_field(void *bytes, size_t len, void *data)
{
    Reader *reader = data;

    assert_true(reader->n_fields < N_FIELDS);
    g_free(reader->fields[reader->n_fields]);
    reader->fields[reader->n_fields++] = g_strndup(bytes, len);
}

static void take_row(int end, void *data)
{
    Reader *reader = data;

    (void) end;
    assert_int_equal(reader->n_fields, N_FIELDS);
    reader->n_fields = 0;
    if (reader->n_rows++ == 0)
        return; /* the header */

    const char *truth = g_strstrip(reader->fields[TRUTH]);
    const char *prediction = g_strstrip(reader->fields[PREDICTION]);
    for (guint i = 0; i < N_SCORES; i++)
        if (metrics[i % N_METRICS] != NULL)
            tg_assert_near(test_scorer_add(&reader->scorers[i], truth, prediction),
                           g_ascii_strtod(reader->fields[FIRST_SCORE + i], NULL), 1e-6);
}

TEST(test_speech2latex__every_row)
{
    g_autofree char *path = tg_shared_or_skip("data/speech2latex/metrics_disjoint_eng.csv");
    g_autofree char *text = NULL;
    gsize size;
    struct csv_parser parser;
    Reader reader = { .n_rows = 0 };

    assert_true(g_file_get_contents(path, &text, &size, NULL));
    for (guint i = 0; i < N_SCORES; i++)
        if (metrics[i % N_METRICS] != NULL) {
            g_autofree char *spec =
                g_strconcat(metrics[i % N_METRICS], i < N_METRICS ? "" : ":lowercase=yes", NULL);
            reader.scorers[i] = test_scorer_new(spec);
        }

    assert_int_equal(csv_init(&parser, CSV_STRICT | CSV_APPEND_NULL), 0);
    assert_int_equal(csv_parse(&parser, text, size, take_field, take_row, &reader), size);
    assert_int_equal(csv_fini(&parser, take_field, take_row, &reader), 0);
    csv_free(&parser);
    assert_int_equal(reader.n_rows, 1 + 3050);

    for (guint i = 0; i < N_SCORES; i++)
        if (metrics[i % N_METRICS] != NULL)
            test_scorer_clear(&reader.scorers[i]);
    for (guint i = 0; i < N_FIELDS; i++)
        g_free(reader.fields[i]);
}
