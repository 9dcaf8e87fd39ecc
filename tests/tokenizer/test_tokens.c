/* Tokenisation rules, and the tokens that an env keeps for a pair. */
#include "tests/support/golden.h"

#include <texgauge/env.h>
#include <texgauge/tokens.h>

#include "core/arena.h"
#include "core/utf8.h"
#include "metrics/base/base.h"
#include "tokenizer/rules/tokenizer.h"

/* The tokens of @text joined by '|'. */
static char *cut_with(const char *name, TgTokenizerFlags flags, const char *text)
{
    g_autoptr(TgTokenizer) tokenizer = tg_tokenizer_new(name, flags, NULL);
    g_autoptr(TgEnv) env = tg_env_new();
    GString *out = g_string_new(NULL);
    guint n;

    assert_non_null(tokenizer);
    const TgTokens *tokens = tg_must(tg_env_tokenize(env, tokenizer, text, &error));
    const guint32 *ids = tg_tokens_ids(tokens, &n);
    for (guint i = 0; i < n; i++) {
        gsize len;
        const char *token = tg_tokens_text(tokens, i, &len);

        assert_true(ids[i] < tg_tokens_id_bound(tokens));
        if (i > 0)
            g_string_append_c(out, '|');
        g_string_append_len(out, token, (gssize) len);
    }
    return g_string_free(out, FALSE);
}

static void assert_cut(const char *name, const char *text, const char *wanted)
{
    tg_assert_text(cut_with(name, TG_TOKENIZER_DEFAULT, text), wanted);
}

TEST(test_tokens__hand_worked)
{
    assert_cut("latex", "\\frac {a}\\{ \\\\\\ b\\", "\\frac|{|a|}|\\{|\\\\|\\|b|\\");
    assert_cut("latex", "\\operatorname*{\xC3\xA9}12", "\\operatorname|*|{|é|}|1|2");
    assert_cut("char", " a \xC3\xA9\n", "a|é");
    assert_cut("codepoint", "a \xC3\xA9", "a| |é");
    assert_cut("codepoint", "a b", "a| |b");
    assert_cut("words",
               "\t\\frac{a} b\xC2\xA0"
               "cd ",
               "\\frac{a}|b|cd");
    assert_cut("none", "a  b", "a|b");
    assert_cut("alnum", "\\Frac{A1}+b_2", "frac|a1|b|2");
    assert_cut("chrf-words", "(hi) (a ) x, \xC3\xA9! $", "(hi|)|(|a|)|x|,|é|!|$");
    static const char *const all[] = { "latex", "char",  "codepoint", "words",
                                       "13a",   "alnum", "chrf-words" };
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        assert_cut(all[i], "", "");
}

/* By hand from the four patterns; the last two show that a pass consumes its neighbor. */
TEST(test_tokens__13a_hand_worked)
{
    assert_cut("13a", "Hello, world. 1,000.5 a-b 3-4", "Hello|,|world|.|1,000.5|a-b|3|-|4");
    assert_cut("13a", "&quot;x&quot; &amp;lt; &gt;", "\"|x|\"|<|>");
    assert_cut("13a", "<skipped>a-\nb\nc", "ab|c");
    assert_cut("13a", "\\frac{a}{b}", "\\|frac|{|a|}|{|b|}");
    assert_cut("13a", "it's", "it's");
    assert_cut("13a", ",,,", ",|,|,");
    assert_cut("13a", "a,,,b", "a|,|,|,|b");
}

TEST(test_tokens__lower_case)
{
    static const char *const cases[][2] = {
        { "\\Delta X", "\\delta|x" },
        { "\xC3\x89\xD0\x96", "é|ж" },
        { "\xC4\xB0", "i|\xCC\x87" },                 /* U+0130 */
        { "\xE2\x84\xAA\xC8\xBA", "k|\xE2\xB1\xA5" }, /* U+212A Kelvin, U+023A: a longer letter */
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        tg_assert_text(cut_with("latex", TG_TOKENIZER_LOWERCASE, cases[i][0]), cases[i][1]);
    char out[4];
    assert_int_equal(tg_utf8_lower("\xFF\xC3", 2, out), 2); /* not UTF-8: as it is */
    assert_memory_equal(out, "\xFF\xC3", 2);
}

TEST(test_tokens__unknown_name_is_refused)
{
    tg_assert_fails(tg_tokenizer_new("moses", TG_TOKENIZER_DEFAULT, &error), TG_ERROR_USAGE,
                    "latex");
    for (guint i = 0; tg_tokenizer_list()[i] != NULL; i++) {
        g_autoptr(TgTokenizer) tokenizer =
            tg_tokenizer_new(tg_tokenizer_list()[i], TG_TOKENIZER_DEFAULT, NULL);
        assert_string_equal(tg_tokenizer_name(tokenizer), tg_tokenizer_list()[i]);
    }
}

TEST(test_env__equal_tokens_have_equal_ids)
{
    g_autoptr(TgTokenizer) tokenizer = tg_tokenizer_new("latex", TG_TOKENIZER_DEFAULT, NULL);
    g_autoptr(TgEnv) env = tg_env_new();
    guint n_a, n_b;

    for (guint round = 0; round < 3; round++) {
        const TgTokens *a = tg_env_tokenize(env, tokenizer, "\\alpha + \\beta x", NULL);
        const TgTokens *b = tg_env_tokenize(env, tokenizer, "x \\beta\\alpha \\gamma", NULL);
        const guint32 *id_a = tg_tokens_ids(a, &n_a), *id_b = tg_tokens_ids(b, &n_b);

        assert_int_equal(n_a, 4);
        assert_int_equal(n_b, 4);
        assert_int_equal(id_a[0], id_b[2]);
        assert_int_equal(id_a[2], id_b[1]);
        assert_int_equal(id_a[3], id_b[0]);
        assert_int_not_equal(id_b[3], id_a[0]);
        assert_int_not_equal(id_b[3], id_a[2]);
        tg_env_next_pair(env);
    }
}

TEST(test_env__keeps_tokens_for_the_pair)
{
    g_autoptr(TgTokenizer) one = tg_tokenizer_new("words", TG_TOKENIZER_DEFAULT, NULL);
    g_autoptr(TgTokenizer) same = tg_tokenizer_new("none", TG_TOKENIZER_DEFAULT, NULL);
    g_autoptr(TgTokenizer) lower = tg_tokenizer_new("words", TG_TOKENIZER_LOWERCASE, NULL);
    g_autoptr(TgEnv) env = tg_env_new();
    char text[] = "A b";

    const TgTokens *tokens = tg_env_tokenize(env, one, text, NULL);
    assert_ptr_equal(tg_env_tokenize(env, same, text, NULL), tokens);
    assert_ptr_not_equal(tg_env_tokenize(env, lower, text, NULL), tokens);

    guint n;
    tg_env_next_pair(env);
    text[1] = '-'; /* the buffer serves another pair */
    tg_tokens_ids(tg_env_tokenize(env, one, text, NULL), &n);
    assert_int_equal(n, 1);
}

TEST(test_env__refuses_a_text_beyond_the_limit)
{
    g_autoptr(TgTokenizer) tokenizer = tg_tokenizer_new("13a", TG_TOKENIZER_DEFAULT, NULL);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strnfill(TG_TEXT_MAX + 1, '.');

    assert_null(tg_env_tokenize(env, tokenizer, text, &error));
    tg_assert_error(error, TG_ERROR_DATA, "too long");
    text[TG_TEXT_MAX] = '\0';
    assert_non_null(tg_env_tokenize(env, tokenizer, text, &error));
}

TEST(test_vocab__numbers_by_first_appearance)
{
    g_autoptr(TgVocab) strings = tg_vocab_new();
    char text[1000][8];

    for (guint round = 0; round < 2; round++) {
        for (guint32 i = 0; i < 1000; i++) {
            g_snprintf(text[i], sizeof text[i], "%u", i * 7919 % 100000);
            assert_int_equal(tg_vocab_number(strings, text[i], strlen(text[i])), i);
        }
        for (guint32 i = 0; i < 1000; i++)
            assert_int_equal(tg_vocab_number(strings, text[i], strlen(text[i])), i);
        tg_vocab_reset(strings);
    }
    assert_int_equal(tg_vocab_number(strings, "long enough for two words", 25), 0);
    assert_int_equal(tg_vocab_number(strings, "long enough for two words", 24), 1);
    assert_int_equal(tg_vocab_number(strings, "", 0), 2);
}

TEST(test_arena__memory_is_apart_and_aligned)
{
    TgArena arena = { 0 };

    for (guint round = 0; round < 3; round++) {
        char *block[64];

        for (guint i = 0; i < G_N_ELEMENTS(block); i++) {
            block[i] = tg_arena_alloc(&arena, i * 997);
            assert_int_equal((guintptr) block[i] % 16, 0);
            memset(block[i], (int) i, i * 997);
        }
        for (guint i = 0; i < G_N_ELEMENTS(block); i++)
            for (guint k = 0; k < i * 997; k++)
                assert_int_equal(block[i][k], i);
        tg_arena_alloc(&arena, 8u << 20);
        tg_arena_reset(&arena);
    }
    tg_arena_clear(&arena);
}

/* ---- reference values ---- */

static void assert_tokens(const char *name, const char *text, const json_t *wanted)
{
    g_autofree char *got = cut_with(name, TG_TOKENIZER_DEFAULT, text);
    GString *list = g_string_new(NULL);

    tg_golden_each(token, wanted)
        g_string_append_printf(list, "%s%s", token_at > 0 ? "|" : "", json_string_value(token));
    assert_string_equal(got, list->str);
    g_string_free(list, TRUE);
}

static guint count(const char *name, const char *text)
{
    g_autoptr(TgTokenizer) tokenizer = tg_tokenizer_new(name, TG_TOKENIZER_DEFAULT, NULL);
    g_autoptr(TgEnv) env = tg_env_new();
    guint n;

    tg_tokens_ids(tg_env_tokenize(env, tokenizer, text, NULL), &n);
    return n;
}

TEST(test_tokens__latex_reference)
{
    json_auto_t *records = tg_golden_shared("reference/text/edit-rouge.jsonl");

    tg_golden_each(record, records)
    {
        const gboolean latex = strcmp(tg_golden_string(record, "token_rule"), "latex") == 0;
        const char *name = latex ? "latex" : "words";
        const char *ref = tg_golden_string(record, "ref"), *hyp = tg_golden_string(record, "hyp");
        const json_t *lengths = json_object_get(record, "char");

        assert_tokens(name, ref, json_object_get(record, "ref_tokens"));
        assert_tokens(name, hyp, json_object_get(record, "hyp_tokens"));
        assert_int_equal(count("codepoint", ref), (int) tg_golden_number(lengths, "n_ref"));
        assert_int_equal(count("codepoint", hyp), (int) tg_golden_number(lengths, "n_hyp"));
    }
}

TEST(test_tokens__13a_and_char_reference)
{
    json_auto_t *records = tg_golden_shared("reference/text/bleu-sentence.jsonl");
    guint checked = 0;

    tg_golden_each(record, records)
    {
        const json_t *tokens = json_object_get(record, "tokens_13a");
        const json_t *lengths = json_object_get(record, "tokens_char_n");
        const json_t *refs = json_object_get(record, "refs");

        if (tokens == NULL)
            continue;
        for (size_t k = 0; k < json_array_size(tokens); k++) {
            const char *text = k == 0 ? tg_golden_string(record, "hyp")
                                      : json_string_value(json_array_get(refs, k - 1));
            assert_tokens("13a", text, json_array_get(tokens, k));
            assert_int_equal(count("char", text), json_integer_value(json_array_get(lengths, k)));
            checked++;
        }
    }
    assert_true(checked > 50);
}
