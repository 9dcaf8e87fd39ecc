/* Byte-pair encoding against Hugging Face's core and against files made to be hard. */
#include "tests/support/test_support.h"

#include <jansson.h>

#include "tests/support/bpe_support.h"
#include "tokenizer/subword/bpe.h"
#include "tokenizer/subword/subword.h"

static json_t *load_json(const char *path)
{
    json_error_t where;
    json_t *root = json_load_file(path, JSON_ALLOW_NUL, &where);

    if (root == NULL)
        fail_msg("%s:%d: %s", path, where.line, where.text);
    return root;
}

/* Code points of @text before byte @at. */
static guint code_points(const char *text, guint at)
{
    guint n = 0;

    for (guint i = 0; i < at; i++)
        n += ((guchar) text[i] & 0xC0) != 0x80;
    return n;
}

static void assert_encodes(TgBpeEncoder *encoder, const char *label, json_t *text, json_t *ids,
                           json_t *offsets)
{
    const char *string = json_string_value(text);
    guint n;
    const TgSubword *got =
        tg_must(tg_bpe_encode(encoder, string, json_string_length(text), &n, &error));

    if (n != json_array_size(ids))
        fail_msg("%s '%s': %u tokens, wanted %zu", label, string, n, json_array_size(ids));
    for (guint i = 0; i < n; i++) {
        if (got[i].id != json_integer_value(json_array_get(ids, i)))
            fail_msg("%s '%s': token %u is %u", label, string, i, got[i].id);
        json_t *span = json_array_get(offsets, i);
        if (!json_is_array(span))
            continue;
        const guint start = code_points(string, got[i].start),
                    end = code_points(string, got[i].end);
        if (start != json_integer_value(json_array_get(span, 0)) ||
            end != json_integer_value(json_array_get(span, 1)))
            fail_msg("%s '%s': token %u spans %u to %u", label, string, i, start, end);
    }
}

TEST(test_bpe__equals_hugging_face_on_own_files)
{
    json_auto_t *root = load_json(TG_SOURCE_ROOT "/tests/golden/bpe-hf.json");
    json_t *texts = json_object_get(root, "texts"), *one;
    size_t c, i;

    assert_true(json_array_size(json_object_get(root, "cases")) >= 8);
    json_array_foreach(json_object_get(root, "cases"), c, one)
    {
        const char *name = json_string_value(json_object_get(one, "name"));
        g_autofree char *json = json_dumps(json_object_get(one, "tokenizer"), 0);
        g_autoptr(TgBpe) bpe = tg_must(tg_bpe_load_json(json, strlen(json), &error));
        g_autoptr(TgBpeEncoder) encoder = tg_bpe_encoder_new(bpe);
        json_t *result;
        json_array_foreach(json_object_get(one, "results"), i, result)
        {
            assert_encodes(encoder, name, json_array_get(texts, i), json_object_get(result, "ids"),
                           json_object_get(result, "offsets"));
        }
    }
}

/* Every line of a JSONL file, split on LF bytes alone. */
static GPtrArray *load_lines(const char *path)
{
    g_autofree char *text = NULL;
    gsize len;
    GPtrArray *lines = g_ptr_array_new_with_free_func((GDestroyNotify) json_decref);

    assert_true(g_file_get_contents(path, &text, &len, NULL));
    for (char *p = text, *end; p < text + len; p = end + 1) {
        end = memchr(p, '\n', (gsize) (text + len - p));
        if (end == NULL)
            end = text + len;
        json_t *line = json_loadb(p, (size_t) (end - p), JSON_ALLOW_NUL, NULL);
        assert_non_null(line);
        g_ptr_array_add(lines, line);
    }
    return lines;
}

static void check_reference(const char *tokenizer, const char *reference)
{
    g_autofree char *model = tg_shared_or_skip(tokenizer);
    g_autofree char *golden = tg_shared_or_skip(reference);

    g_autoptr(TgBpe) bpe = tg_must(tg_bpe_load(model, &error));
    g_autoptr(TgBpeEncoder) encoder = tg_bpe_encoder_new(bpe);
    g_autoptr(GPtrArray) lines = load_lines(golden);
    assert_true(lines->len > 0);
    for (guint i = 0; i < lines->len; i++) {
        json_t *line = g_ptr_array_index(lines, i), *ids = json_object_get(line, "ids"), *token;
        size_t k;
        assert_encodes(encoder, json_string_value(json_object_get(line, "id")),
                       json_object_get(line, "text"), ids, json_object_get(line, "offsets"));
        json_array_foreach(json_object_get(line, "tokens"), k, token)
        {
            gsize len;
            const guint32 id = (guint32) json_integer_value(json_array_get(ids, k));
            const char *text = test_bpe_text(bpe, id, &len);
            assert_int_equal(len, json_string_length(token));
            assert_memory_equal(text, json_string_value(token), len);
        }
    }
}

TEST(test_bpe__equals_reference_small)
{
    check_reference("reference/text/bpe-small-tokenizer.json", "reference/text/bpe-small.jsonl");
}

TEST(test_bpe__equals_reference_hand)
{
    check_reference("reference/text/bpe-hand-tokenizer.json", "reference/text/bpe-hand.jsonl");
}

/* Needs tokenizer.json of KyuDan1/TeXBLEU, which has no license and is not shipped. */
TEST(test_bpe__equals_reference_texbleu)
{
    check_reference("reference/text/bpe-texbleu-tokenizer.json",
                    "reference/text/bpe-texbleu.jsonl");
}

/* The first special token at or after @from written in @text; its end in @end. */
static const char *next_special(const char *from, const char *end_of_text, const char **end)
{
    static const char *const special[] = { "[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]" };

    for (const char *p = from; p < end_of_text; p++)
        for (guint i = 0; i < G_N_ELEMENTS(special); i++) {
            const gsize len = strlen(special[i]);
            if ((gsize) (end_of_text - p) >= len && memcmp(p, special[i], len) == 0) {
                *end = p + len;
                return p;
            }
        }
    return NULL;
}

/* Append the words of @text up to @len, as code point ranges in the whole text @all. */
static void append_words(GArray *out, TgSpanText *st, const char *all, const char *text, gsize len)
{
    const TgPretokenizer whitespace = { .kind = TG_PRETOKENIZE_WHITESPACE };

    tg_span_text_set(st, text, len, (guint32) (text - all));
    tg_pretokenizer_apply(&whitespace, st);
    for (guint i = 0; i < st->words->len; i++) {
        const TgByteRange w = g_array_index(st->words, TgByteRange, i);
        TgByteRange span = tg_span_text_origin(st, w.start, w.end);
        span = (TgByteRange){ code_points(all, span.start), code_points(all, span.end) };
        g_array_append_val(out, span);
    }
}

/* The word ranges of bpe-texbleu.jsonl check the pre-tokenizer alone: no tokenizer file needed. */
TEST(test_pretokenize__whitespace_equals_reference)
{
    g_autofree char *golden = tg_shared_or_skip("reference/text/bpe-texbleu.jsonl");

    g_autoptr(GPtrArray) lines = load_lines(golden);
    TgSpanText st;
    tg_span_text_init(&st);
    for (guint i = 0; i < lines->len; i++) {
        json_t *line = g_ptr_array_index(lines, i), *words = json_object_get(line, "words");
        json_t *offsets = json_object_get(line, "offsets"), *text = json_object_get(line, "text");
        const char *all = json_string_value(text), *from = all, *end = all;
        const char *stop = all + json_string_length(text);
        g_autoptr(GArray) got = g_array_new(FALSE, FALSE, sizeof(TgByteRange));
        for (const char *at; (at = next_special(from, stop, &end)) != NULL; from = end) {
            append_words(got, &st, all, from, (gsize) (at - from));
            const TgByteRange span = { code_points(all, (guint) (at - all)),
                                       code_points(all, (guint) (end - all)) };
            g_array_append_val(got, span);
        }
        append_words(got, &st, all, from, (gsize) (stop - from));
        guint word = 0;
        for (size_t k = 0, next; k < json_array_size(words); k = next, word++) {
            for (next = k + 1; next < json_array_size(words) &&
                               json_equal(json_array_get(words, k), json_array_get(words, next));)
                next++;
            assert_true(word < got->len);
            const TgByteRange span = g_array_index(got, TgByteRange, word);
            json_t *first = json_array_get(offsets, k), *last = json_array_get(offsets, next - 1);
            if (span.start != json_integer_value(json_array_get(first, 0)) ||
                span.end != json_integer_value(json_array_get(last, 1)))
                fail_msg("'%s': word %u spans %u to %u", all, word, span.start, span.end);
        }
        assert_int_equal(word, got->len);
    }
    tg_span_text_clear(&st);
}

/* A file with @model as its model and @rest as further members. */
static TgBpe *load_model(const char *model, const char *rest, GError **error)
{
    g_autofree char *json = g_strdup_printf("{\"model\": %s%s}", model, rest);

    return tg_bpe_load_json(json, strlen(json), error);
}

#define TINY                                                                                       \
    "{\"type\": \"BPE\", \"vocab\": {\"a\": 0, \"b\": 1, \"ab\": 2}, \"merges\": [[\"a\", "        \
    "\"b\"]]}"

/* The tokenizer file of TeXBLEU's authors has the token U+0000: a key that jansson refuses. */
TEST(test_bpe__nul_in_a_key_is_a_token)
{
    static const struct {
        const char *vocab, *wanted;
        gsize len;
        guint32 id;
    } cases[] = {
        { "{\"a\": 0, \"\\u0000\": 1}", "", 1, 1 },
        { "{\"x\\u0000\\\"y\" : 2, \"a\": 0}", "x\0\"y", 4, 2 },
        { "{\"\\\\u0000\": 1, \"\\u0000b\": 0}", "\\u0000", 6, 1 }, /* no NUL: \\, u0000 */
        { "{\"\xF4\x8F\xBF\xBD\": 1, \"\\u0000\": 0}", "\xF4\x8F\xBF\xBD", 4, 1 },
        { "{\"\\uDBFF\\udffd\": 1, \"\\u0000\": 0}", "\xF4\x8F\xBF\xBD", 4, 1 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *model =
            g_strdup_printf("{\"vocab\": %s, \"merges\": [], \"unk_token\": null}", cases[i].vocab);
        GError *error = NULL;
        g_autoptr(TgBpe) bpe = load_model(model, ", \"note\": \"\\u0000: a value\"", &error);
        gsize len;

        tg_assert_no_error(error);
        const char *text = test_bpe_text(bpe, cases[i].id, &len);
        assert_int_equal(len, cases[i].len);
        assert_memory_equal(text, cases[i].wanted, len);
    }
    GError *error = NULL;
    assert_null(load_model("{\"vocab\": {\"\\u0000\": 0, \"\\u0000\"", "", &error)); /* cut */
    tg_assert_error(error, TG_ERROR_INPUT, "line 1");
}

TEST(test_bpe__composed_character_spans_its_cluster)
{
    g_autoptr(TgBpe) bpe = load_model("{\"vocab\": {\"\u00e9\": 0, \"a\": 1}, \"merges\": []}",
                                      ", \"normalizer\": {\"type\": \"NFC\"}", NULL);
    g_autoptr(TgBpeEncoder) encoder = tg_bpe_encoder_new(bpe);
    guint n;
    const TgSubword *got = tg_bpe_encode(encoder, "ae\u0301a", 5, &n, NULL);

    assert_int_equal(n, 3);
    assert_int_equal(got[1].id, 0);
    assert_int_equal(got[1].start, 1);
    assert_int_equal(got[1].end, 4);
    assert_int_equal(got[2].start, 4);
}

TEST(test_bpe__unknown_components_are_named)
{
    static const struct {
        const char *model, *rest, *message;
    } cases[] = {
        { "{\"type\": \"WordPiece\"}", "", "'WordPiece'" },
        { "{}", "", "no type" },
        { TINY, ", \"normalizer\": {\"type\": \"Lowercase\"}", "'Lowercase'" },
        { TINY, ", \"pre_tokenizer\": {\"type\": \"BertPreTokenizer\"}", "'BertPreTokenizer'" },
        { TINY, ", \"pre_tokenizer\": {\"type\": \"Split\", \"pattern\": {\"Regex\": \"a\"}}",
          "'Split'" },
        { TINY,
          ", \"pre_tokenizer\": {\"type\": \"Sequence\", \"pretokenizers\": [{\"type\": \"X\"}]}",
          "'X'" },
        { TINY, ", \"post_processor\": {\"type\": \"BertProcessing\"}", "'BertProcessing'" },
        { TINY, ", \"truncation\": {\"max_length\": 5}", "truncation is set" },
        { TINY, ", \"added_tokens\": [{\"id\": 1, \"content\": \"x\"}]", "id 1 is taken" },
        { "{\"vocab\": {\"a\": 0, \"b\": 0}, \"merges\": []}", "", "occurs twice" },
        { "{\"vocab\": {\"a\": 99999999}, \"merges\": []}", "", "is not a number from 0" },
        { "{\"vocab\": {\"a\": 0}, \"merges\": [\"a b\"]}", "", "not in the vocabulary" },
        { "{\"vocab\": {\"a\": 0}, \"merges\": [\"a a a\"]}", "", "is not two tokens" },
        { "{\"vocab\": {\"a\": 0}, \"merges\": [\"a a\"]}", "", "'aa' is not in the vocabulary" },
        { "{\"vocab\": {\"a\": 0}, \"merges\": [], \"dropout\": 0.1}", "", "dropout" },
        { "[", "", "line 1" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        tg_assert_fails(load_model(cases[i].model, cases[i].rest, &error), TG_ERROR_INPUT,
                        cases[i].message);
}

TEST(test_bpe__nested_sequences_are_bounded)
{
    g_autoptr(GString) rest = g_string_new(", \"normalizer\": ");

    for (guint i = 0; i < 500; i++)
        g_string_append(rest, "{\"type\": \"Sequence\", \"normalizers\": [");
    for (guint i = 0; i < 500; i++)
        g_string_append(rest, "]}");
    tg_assert_fails(load_model(TINY, rest->str, &error), TG_ERROR_INPUT, "inside one another");
}

/* A word of a million equal letters, and one that is all unknown, end at once. */
TEST(test_bpe__long_words_are_quick)
{
    g_autoptr(TgBpe) bpe = load_model("{\"vocab\": {\"a\": 0, \"aa\": 1, \"aaaa\": 2, \"?\": 3}, "
                                      "\"merges\": [\"a a\", \"aa aa\"],"
                                      " \"unk_token\": \"?\"}",
                                      ", \"normalizer\": {\"type\": \"NFKC\"}", NULL);
    g_autoptr(TgBpeEncoder) encoder = tg_bpe_encoder_new(bpe);
    const gsize len = 1000000;
    g_autofree char *text = g_malloc(len);
    guint n;

    memset(text, 'a', len);
    tg_bpe_encode(encoder, text, len, &n, NULL);
    assert_int_equal(n, len / 4);
    for (gsize i = 0; i < len; i += 2) /* U+0301, over and over */
        memcpy(text + i, "\xCC\x81", 2);
    tg_bpe_encode(encoder, text, len, &n, NULL);
    assert_int_equal(n, len / 2);
}

TEST(test_bpe__loads_gpt2_files)
{
    static const char vocab[] =
        "{\"a\": 0, \"b\": 1, \"\u0120\": 2, \"ab\": 3, \"\u0120ab\": 4, \"<|endoftext|>\": 5}";
    static const char merges[] = "#version: 0.2\na b\n\u0120 ab\n";
    g_autoptr(TgBpe) bpe =
        tg_must(tg_bpe_load_gpt2(vocab, strlen(vocab), merges, strlen(merges), &error));
    g_autoptr(TgBpeEncoder) encoder = tg_bpe_encoder_new(bpe);
    guint n;
    const TgSubword *got = tg_bpe_encode(encoder, "ab ab<|endoftext|>b", 19, &n, NULL);

    assert_int_equal(n, 4);
    assert_int_equal(got[0].id, 3);
    assert_int_equal(got[1].id, 4);
    assert_int_equal(got[1].start, 2);
    assert_int_equal(got[2].id, 5);
    assert_int_equal(got[2].end, 18);
    assert_int_equal(got[3].id, 1);
}
