/* Training of byte-pair encoding against merges worked out step by step. */
#include "tests/support/test_support.h"

#include <glib/gstdio.h>
#include <jansson.h>

#include "tokenizer/train/train.h"

static void add_token(TgVocab *vocab, const char *text)
{
    assert_true(tg_vocab_add(vocab, text, strlen(text), vocab->size));
}

static void assert_text(const TgVocab *vocab, guint32 id, const char *wanted)
{
    gsize len;
    const char *text = tg_vocab_text(vocab, id, &len);

    assert_non_null(text);
    assert_int_equal(len, strlen(wanted));
    assert_memory_equal(text, wanted, len);
}

static void check_example(json_t *example)
{
    static const char *const special[] = { "[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]" };
    g_autoptr(TgVocab) words = tg_vocab_new();
    g_autoptr(TgVocab) vocab = tg_vocab_new();
    const guint size = (guint) json_object_size(json_object_get(example, "vocab"));
    const TgTrainBpe how = { .vocab_size = size, .min_count = 1 };
    json_t *steps = json_object_get(example, "steps"), *value;
    const char *text;

    json_object_foreach(json_object_get(example, "words"), text, value)
        tg_word_counts_add(words, text, strlen(text), (guint64) json_integer_value(value));
    for (guint i = 0; i < G_N_ELEMENTS(special); i++)
        add_token(vocab, special[i]);
    g_autoptr(GArray) merges = tg_bpe_train(words, &how, NULL, vocab);

    assert_int_equal(vocab->size, size);
    json_object_foreach(json_object_get(example, "vocab"), text, value)
        assert_text(vocab, (guint32) json_integer_value(value), text);
    assert_int_equal(merges->len, json_array_size(steps));
    for (guint i = 0; i < merges->len; i++) {
        const TgBpeMerge merge = g_array_index(merges, TgBpeMerge, i);
        json_t *pair = json_object_get(json_array_get(steps, i), "pair");
        assert_text(vocab, merge.left, json_string_value(json_array_get(pair, 0)));
        assert_text(vocab, merge.right, json_string_value(json_array_get(pair, 1)));
    }
}

TEST(test_bpe_train__equals_reference_steps)
{
    g_autofree char *path = tg_shared_or_skip("reference/text/bpe-training-tiny.json");
    json_t *example;
    size_t i;

    json_auto_t *root = json_load_file(path, 0, NULL);
    assert_true(json_array_size(json_object_get(root, "examples")) > 0);
    json_array_foreach(json_object_get(root, "examples"), i, example) check_example(example);
}

/* By hand: aaab x3, aab x2. (a,a) 3*2+2*1 = 8, (a,b) 5: join aa. aa|a|b, aa|b: (aa,a) 3, (a,b) 3,
 * (aa,b) 2; of the tied pairs a b has the smaller left id. aa|ab, aa|b: (aa,ab) 3, (aa,b) 2. */
TEST(test_bpe_train__hand_worked)
{
    g_autoptr(TgVocab) words = tg_vocab_new();
    g_autoptr(TgVocab) vocab = tg_vocab_new();
    const TgTrainBpe how = { .vocab_size = 5, .min_count = 2 };

    tg_word_counts_add(words, "aab", 3, 2);
    tg_word_counts_add(words, "aaab", 4, 3);
    g_autoptr(GArray) merges = tg_bpe_train(words, &how, NULL, vocab);
    assert_int_equal(merges->len, 3);
    assert_text(vocab, 2, "aa");
    assert_text(vocab, 3, "ab");
    assert_text(vocab, 4, "aaab");
}

TEST(test_bpe_train__stops_at_rare_pairs_and_small_alphabet)
{
    g_autoptr(TgVocab) words = tg_vocab_new();
    g_autoptr(TgVocab) vocab = tg_vocab_new();
    const TgTrainBpe how = { .vocab_size = 100, .min_count = 3, .max_alphabet = 2 };

    tg_word_counts_add(words, "xyzxy", 5, 2);
    tg_word_counts_add(words, "x", 1, 1);
    g_autoptr(GArray) merges = tg_bpe_train(words, &how, NULL, vocab);
    assert_int_equal(merges->len, 1); /* x y four times; z is left out, nothing else is left */
    assert_int_equal(vocab->size, 3);
    assert_text(vocab, 2, "xy");
}

/* The order in which words come must not matter, nor that a word comes in parts of its count. */
TEST(test_bpe_train__order_changes_nothing)
{
    static const char *const texts[] = { "\\alpha",  "\\beta", "alpha",   "beta",
                                         "betalpha", "lala",   "aaaaaaa", "abababab" };
    g_autofree TgBpeMerge *first = NULL;
    guint n_first = 0;

    for (guint turn = 0; turn < 8; turn++) {
        g_autoptr(TgVocab) words = tg_vocab_new();
        g_autoptr(TgVocab) vocab = tg_vocab_new();
        const TgTrainBpe how = { .vocab_size = 40, .min_count = 1 };
        for (guint i = 0; i < 16; i++) {
            const char *text = texts[(i * 3 + turn) % 8];
            tg_word_counts_add(words, text, strlen(text), 1 + strlen(text) % 3);
        }
        g_autoptr(GArray) merges = tg_bpe_train(words, &how, NULL, vocab);
        if (first == NULL) {
            n_first = merges->len;
            first = g_memdup2(merges->data, n_first * sizeof(TgBpeMerge));
        }
        assert_int_equal(merges->len, n_first);
        assert_memory_equal(merges->data, first, n_first * sizeof(TgBpeMerge));
    }
}

typedef struct {
    guint64 last;
    guint n;
} Reading;

static void note_reading(const char *stage, guint64 done, guint64 wanted, gpointer data)
{
    Reading *reading = data;

    if (strcmp(stage, "counting words") != 0)
        return;
    assert_true(done > reading->last && done <= wanted);
    reading->last = done;
    reading->n++;
}

TEST(test_bpe_train__tells_how_much_is_read)
{
    g_autofree char *folder = g_dir_make_tmp("texgauge-XXXXXX", NULL);
    g_autofree char *few = g_build_filename(folder, "few", NULL);
    g_autofree char *many = g_build_filename(folder, "many", NULL);
    g_autofree char *model = g_build_filename(folder, "model", NULL);
    g_autofree char *lines = tg_repeat("a+b\n", 6000);
    const char *const corpus[] = { many, few, many, NULL };
    Reading reading = { 0 };
    const TgTrainInput input = { .corpus = corpus,
                                 .folder = model,
                                 .listener = { note_reading, &reading } };
    static const char *const left[] = {
        "few", "many", "model/tokenizer.json", "model/manifest.json", "model", ""
    };
    const TgTrainBpe how = { .words = "latex", .vocab_size = 20, .min_count = 1 };
    GError *error = NULL;

    assert_true(g_file_set_contents(few, "a+c\n", -1, NULL));
    assert_true(g_file_set_contents(many, lines, -1, NULL));
    assert_true(tg_train_bpe(&input, &how, &error));
    tg_assert_no_error(error);
    assert_int_equal(reading.n, 2); /* after each thousand lines of a file */
    for (guint i = 0; i < G_N_ELEMENTS(left); i++) {
        g_autofree char *path = g_build_filename(folder, left[i], NULL);
        assert_int_equal(g_remove(path), 0);
    }
}
