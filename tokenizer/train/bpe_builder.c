/* A tokenizer file from a corpus. */
#include "tokenizer/train/bpe_builder.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tokenizer/subword/bpe_model.h"
#include "tokenizer/subword/byte_level.h"

/* What is in the vocabulary before training, beside the special tokens. */
typedef enum { START_EMPTY, START_BYTE_TOKENS, START_BYTE_CHARS } Start;

typedef struct {
    const char *name;
    Start start;
    const char *file; /* the tokenizer.json but for vocabulary and merges */
} Kind;

#define HEAD "{\"version\":\"1.0\",\"truncation\":null,\"padding\":null,\"added_tokens\":["
#define SPECIAL(id, text)                                                                          \
    "{\"id\":" id ",\"content\":\"" text "\",\"single_word\":false,\"lstrip\":false,"              \
    "\"rstrip\":false,\"normalized\":false,\"special\":true}"
#define MODEL(unknown, fallback)                                                                   \
    "\"model\":{\"type\":\"BPE\",\"dropout\":null,\"unk_token\":" unknown                          \
    ",\"continuing_subword_prefix\":null,\"end_of_word_suffix\":null,\"fuse_unk\":false,"          \
    "\"byte_fallback\":" fallback ",\"ignore_merges\":false,\"vocab\":{},\"merges\":[]}}"
#define BYTE_LEVEL                                                                                 \
    "{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"trim_offsets\":true,\"use_regex\":true}"
#define METASPACE                                                                                  \
    "{\"type\":\"Metaspace\",\"replacement\":\"\xE2\x96\x81\",\"prepend_scheme\":\"always\","      \
    "\"split\":true}"

static const Kind kinds[] = {
    { "latex", START_BYTE_TOKENS,
      HEAD "],\"normalizer\":null,\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":"
           "\"\\\\\\\\[A-Za-z]+|\\\\\\\\\\\\S|[A-Za-z]+|[0-9]+|\\\\S\"},\"behavior\":\"Removed\","
           "\"invert\":true},\"post_processor\":null,\"decoder\":null," MODEL("null", "true") },
    { "whitespace", START_EMPTY,
      HEAD SPECIAL("0", "[UNK]") "],\"normalizer\":null,\"pre_tokenizer\":{\"type\":"
                                 "\"Whitespace\"},\"post_processor\":null,\"decoder\":null," MODEL(
                                     "\"[UNK]\"", "false") },
    { "byte-level", START_BYTE_CHARS,
      HEAD "],\"normalizer\":null,\"pre_tokenizer\":" BYTE_LEVEL
           ",\"post_processor\":null,\"decoder\":" BYTE_LEVEL "," MODEL("null", "false") },
    { "metaspace", START_BYTE_TOKENS,
      HEAD "],\"normalizer\":null,\"pre_tokenizer\":" METASPACE
           ",\"post_processor\":null,\"decoder\":" METASPACE "," MODEL("null", "true") },
};

struct TgBpeBuilder {
    const Kind *kind;
    TgBpe *frame; /* a tokenizer without tokens, for its normalizers and pre-tokenizers */
    TgSpanText split;
    TgWordCounts *words;
};

const char *const *tg_bpe_builder_kinds(void)
{
    static const char *const names[] = { "latex", "whitespace", "byte-level", "metaspace", NULL };

    return names;
}

/* A kind's file, with its special tokens in the vocabulary. */
static json_t *make_file(const Kind *kind)
{
    json_error_t where;
    json_t *root = json_loads(kind->file, 0, &where);
    json_t *vocab, *token;
    size_t i;

    g_assert(root != NULL); /* a constant of ours */
    vocab = json_object_get(json_object_get(root, "model"), "vocab");
    json_array_foreach(json_object_get(root, "added_tokens"), i, token) json_object_set(
        vocab, json_string_value(json_object_get(token, "content")), json_object_get(token, "id"));
    return root;
}

TgBpeBuilder *tg_bpe_builder_new(const char *kind, GError **error)
{
    guint i = 0;

    while (i < G_N_ELEMENTS(kinds) && strcmp(kinds[i].name, kind) != 0)
        i++;
    if (i == G_N_ELEMENTS(kinds)) {
        g_autofree char *names = g_strjoinv(", ", (char **) tg_bpe_builder_kinds());
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE, "unknown kind of words '%s'; the kinds are %s",
                    kind, names);
        return NULL;
    }

    TgBpeBuilder *builder = g_new0(TgBpeBuilder, 1);
    json_t *file = make_file(&kinds[i]);
    char *json = json_dumps(file, JSON_COMPACT);
    builder->kind = &kinds[i];
    builder->frame = tg_bpe_load_json(json, strlen(json), NULL);
    builder->words = tg_word_counts_new();
    tg_span_text_init(&builder->split);
    free(json);
    json_decref(file);
    return builder;
}

void tg_bpe_builder_free(TgBpeBuilder *builder)
{
    if (builder == NULL)
        return;
    tg_bpe_unref(builder->frame);
    tg_span_text_clear(&builder->split);
    tg_word_counts_free(builder->words);
    g_free(builder);
}

void tg_bpe_builder_add(TgBpeBuilder *builder, const char *text, gsize len)
{
    TgSpanText *split = &builder->split;
    const GArray *normalizers = builder->frame->normalizers;
    const GArray *pretokenizers = builder->frame->pretokenizers;

    tg_span_text_set(split, text, len, 0);
    for (guint i = 0; i < normalizers->len; i++)
        tg_normalizer_apply(&g_array_index(normalizers, TgNormalizer, i), split);
    for (guint i = 0; i < pretokenizers->len; i++)
        tg_pretokenizer_apply(&g_array_index(pretokenizers, TgPretokenizer, i), split);
    for (guint i = 0; i < split->words->len; i++) {
        const TgByteRange word = g_array_index(split->words, TgByteRange, i);
        tg_word_counts_add(builder->words, split->text + word.start, word.end - word.start, 1);
    }
}

static void add_next(TgVocab *vocab, const char *text)
{
    tg_vocab_add(vocab, text, strlen(text), tg_vocab_size(vocab));
}

/* The vocabulary before training: special tokens, then the tokens of bytes. */
static TgVocab *start_vocab(const TgBpeBuilder *builder, json_t *file)
{
    TgVocab *vocab = tg_vocab_new();
    const char *text;
    json_t *id;

    json_object_foreach(json_object_get(json_object_get(file, "model"), "vocab"), text, id)
        add_next(vocab, text);
    for (guint byte = 0; byte < 256; byte++) {
        char token[8] = { 0 };
        if (builder->kind->start == START_BYTE_TOKENS)
            g_snprintf(token, sizeof token, "<0x%02X>", byte);
        else if (builder->kind->start == START_BYTE_CHARS)
            tg_byte_to_char((guchar) byte, token);
        if (token[0] != '\0')
            add_next(vocab, token);
    }
    return vocab;
}

static json_t *token_json(const TgVocab *vocab, guint32 id)
{
    gsize len;
    const char *text = tg_vocab_text(vocab, id, &len);

    return json_stringn(text, len);
}

char *tg_bpe_builder_finish(const TgBpeBuilder *builder, const TgBpeTraining *how)
{
    json_t *file = make_file(builder->kind);
    json_t *model = json_object_get(file, "model"), *merges = json_object_get(model, "merges");
    json_t *tokens = json_object_get(model, "vocab");
    g_autoptr(TgVocab) vocab = start_vocab(builder, file);
    g_autoptr(GArray) learnt = tg_bpe_train(builder->words, how, vocab);

    for (guint32 id = 0; id < tg_vocab_id_bound(vocab); id++) {
        gsize len;
        const char *text = tg_vocab_text(vocab, id, &len);
        g_autofree char *key = g_strndup(text, len);
        json_object_set_new(tokens, key, json_integer(id));
    }
    for (guint i = 0; i < learnt->len; i++) {
        const TgBpeMerge merge = g_array_index(learnt, TgBpeMerge, i);
        json_array_append_new(merges, json_pack("[o, o]", token_json(vocab, merge.left),
                                                token_json(vocab, merge.right)));
    }
    char *dump = json_dumps(file, JSON_COMPACT);
    char *json = g_strdup_printf("%s\n", dump);
    free(dump);
    json_decref(file);
    return json;
}
