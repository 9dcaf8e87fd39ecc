/* Training of a model folder from a corpus: a tokenizer file, and vectors for its tokens. */
#include "tokenizer/train/train.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <texgauge/types.h>

#include "core/fail.h"
#include "core/files/output.h"
#include "core/files/stream.h"
#include "tokenizer/subword/bpe.h"
#include "tokenizer/subword/subword.h"
#include "tokenizer/subword/subword_model.h"

/* ---- A tokenizer file from a corpus ---------------------------------------------------------- */

/* The vocabulary before training, beside the special tokens. */
typedef enum { START_EMPTY, START_BYTE_TOKENS, START_BYTE_CHARS } Start;

typedef struct {
    Start start;
    const char *file; /* the tokenizer.json but for learnt tokens and merges */
} Kind;

#define TOKENIZER(special, pre_tokenizer, decoder, unknown, byte_fallback, vocab)                  \
    "{\"version\":\"1.0\",\"truncation\":null,\"padding\":null,\"added_tokens\":[" special         \
    "],\"normalizer\":null,\"pre_tokenizer\":" pre_tokenizer                                       \
    ",\"post_processor\":null,\"decoder\":" decoder                                                \
    ",\"model\":{\"type\":\"BPE\",\"dropout\":null,\"unk_token\":" unknown                         \
    ",\"continuing_subword_prefix\":null,\"end_of_word_suffix\":null,\"fuse_unk\":false,"          \
    "\"byte_fallback\":" byte_fallback ",\"ignore_merges\":false,\"vocab\":{" vocab                \
    "},\"merges\":[]}}"
#define LATEX                                                                                      \
    "{\"type\":\"Split\",\"pattern\":{\"Regex\":"                                                  \
    "\"\\\\\\\\[A-Za-z]+|\\\\\\\\\\\\S|[A-Za-z]+|[0-9]+|\\\\S\"},\"behavior\":\"Removed\","        \
    "\"invert\":true}"
#define BYTE_LEVEL                                                                                 \
    "{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"trim_offsets\":true,\"use_regex\":true}"
#define METASPACE                                                                                  \
    "{\"type\":\"Metaspace\",\"replacement\":\"\xE2\x96\x81\",\"prepend_scheme\":\"always\","      \
    "\"split\":true}"
#define UNKNOWN                                                                                    \
    "{\"id\":0,\"content\":\"[UNK]\",\"single_word\":false,\"lstrip\":false,"                      \
    "\"rstrip\":false,\"normalized\":false,\"special\":true}"

static const char *const kind_names[] = { "latex", "whitespace", "byte-level", "metaspace", NULL };

static const Kind kinds[] = {
    { START_BYTE_TOKENS, TOKENIZER("", LATEX, "null", "null", "true", "") },
    { START_EMPTY, TOKENIZER(UNKNOWN, "{\"type\":\"Whitespace\"}", "null", "\"[UNK]\"", "false",
                             "\"[UNK]\":0") },
    { START_BYTE_CHARS, TOKENIZER("", BYTE_LEVEL, BYTE_LEVEL, "null", "false", "") },
    { START_BYTE_TOKENS, TOKENIZER("", METASPACE, METASPACE, "null", "true", "") },
};

static const Kind *find_kind(const char *name, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (strcmp(kind_names[i], name) == 0)
            return &kinds[i];
    g_autofree char *names = g_strjoinv(", ", (char **) kind_names);
    return tg_null_usage(error, "unknown kind of words '%s'; the kinds are %s", name, names);
}

static void add_token(TgVocab *vocab, const char *text)
{
    tg_vocab_number(vocab, text, strlen(text));
}

/* The vocabulary before training: special tokens, then the tokens of bytes. */
static TgVocab *start_vocab(const Kind *kind, json_t *special)
{
    TgVocab *vocab = tg_vocab_new();
    const char *text;
    json_t *id;

    json_object_foreach(special, text, id) add_token(vocab, text);
    for (guint byte = 0; byte < 256 && kind->start != START_EMPTY; byte++) {
        char token[8] = { 0 };
        if (kind->start == START_BYTE_TOKENS)
            g_snprintf(token, sizeof token, "<0x%02X>", byte);
        else
            tg_byte_to_char((guchar) byte, token);
        add_token(vocab, token);
    }
    return vocab;
}

static json_t *token_json(const TgVocab *vocab, guint32 id)
{
    gsize len;
    const char *text = tg_vocab_text(vocab, id, &len);

    return json_stringn(text, len);
}

/* The text of the tokenizer file. (transfer full) */
static char *learn_tokenizer(const Kind *kind, const TgVocab *words, const TgTrainBpe *how,
                             const TgTrainInput *input)
{
    json_t *file = json_loads(kind->file, 0, NULL);
    json_t *model = json_object_get(file, "model"), *merges = json_object_get(model, "merges");
    json_t *tokens = json_object_get(model, "vocab");
    g_autoptr(TgVocab) vocab = start_vocab(kind, tokens);
    g_autoptr(GArray) learnt = tg_bpe_train(words, how, &input->listener, vocab);

    for (guint32 id = 0; id < vocab->size; id++) {
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

/* ---- Training of tokenizers and embeddings: corpus files in, a model folder out -------------- */

#define MAX_LINE       ((gsize) 1 << 20)
#define REPORT_LINES   1000
#define TOKENIZER_FILE "tokenizer.json"
#define MANIFEST_FILE  "manifest.json"

/* ---- reading a corpus ---- */

typedef gboolean (*UseLine)(gpointer user, const char *line, gsize n, GError **error);

/* Hand every line of one file to @use; its manifest entry, or NULL with @error. */
static json_t *read_corpus_file(const TgTrainInput *input, const char *path, const char *stage,
                                guint64 *bytes_before, guint64 bytes_total, UseLine use,
                                gpointer user, GError **error)
{
    g_autoptr(TgStream) stream = tg_stream_open(path, MAX_LINE, error);
    TgLineStatus status = TG_LINE_ERROR;
    gboolean good = stream != NULL;
    char *line;
    gsize n;

    while (good && (status = tg_stream_read_line(stream, &line, &n, error)) != TG_LINE_END) {
        if (status == TG_LINE_ERROR)
            return NULL;
        if (status == TG_LINE_TOO_LONG)
            good = tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": the line is longer than 1 MB",
                                 path, stream->line);
        else if (memchr(line, '\0', n) != NULL || !g_utf8_validate(line, (gssize) n, NULL))
            good =
                tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": not UTF-8 text", path, stream->line);
        else
            good = use(user, line, n, error);
        if (stream->line % REPORT_LINES == 0)
            tg_listener_tell(&input->listener, stage, *bytes_before + stream->bytes_read,
                             bytes_total);
    }
    if (!good || !tg_stream_finish(stream, error))
        return NULL;
    *bytes_before += stream->bytes_read;
    g_autofree char *name = g_path_get_basename(path);
    return json_pack("{s: s, s: I, s: s}", "file", name, "lines", (json_int_t) stream->line,
                     "sha256", tg_stream_sha256(stream));
}

/* Hand every line of the corpus to @use. Returns (new reference) the list of files. */
static json_t *read_corpus(const TgTrainInput *input, const char *stage, UseLine use, gpointer user,
                           GError **error)
{
    guint64 bytes_before = 0, bytes_total = 0;
    json_t *files = json_array();
    json_int_t n_lines = 0;
    GStatBuf info;

    for (guint i = 0; input->corpus[i] != NULL; i++)
        if (g_stat(input->corpus[i], &info) == 0)
            bytes_total += (guint64) info.st_size;
    for (guint i = 0; input->corpus[i] != NULL; i++) {
        json_t *entry = read_corpus_file(input, input->corpus[i], stage, &bytes_before, bytes_total,
                                         use, user, error);
        if (entry == NULL) {
            json_decref(files);
            return NULL;
        }
        n_lines += json_integer_value(json_object_get(entry, "lines"));
        json_array_append_new(files, entry);
    }
    if (n_lines > 0)
        return files;
    json_decref(files);
    return tg_null_input(error, "the corpus is empty");
}

/* ---- writing a model folder ---- */

/* Lock the folder, so that no process sees a file of another without its entry in the manifest.
 * Returns what close() unlocks, or -1 where there is no folder. */
static int lock_folder(const char *folder, int operation)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    while (fd >= 0 && flock(fd, operation) != 0 && errno == EINTR)
        ;
    return fd;
}

/* A file of the corpus, or one that we did not train, is not replaced. */
static gboolean check_model_file(const TgTrainInput *input, const char *name, const char *wanted,
                                 GError **error)
{
    g_autofree char *path = g_build_filename(input->folder, name, NULL);
    g_autofree char *bytes = NULL;
    gsize len;

    if (!tg_output_check(path, NULL, NULL, error))
        return FALSE;
    if (!g_file_get_contents(path, &bytes, &len, NULL) || len == 0)
        return TRUE;
    g_autofree char *found = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (guchar *) bytes, len);
    if (g_strcmp0(found, wanted) == 0)
        return TRUE;
    return tg_fail(error, TG_ERROR_OUTPUT,
                   "%s was not made by this program: remove it or choose another folder", path);
}

/* The manifest has the sha256 of what was trained last; its other members stay as they are. */
static gboolean check_folder(const TgTrainInput *input, const char *name, const char *key,
                             GError **error)
{
    g_autofree char *path = g_build_filename(input->folder, MANIFEST_FILE, NULL);
    const int lock = lock_folder(input->folder, LOCK_SH);
    /* A folder that was not there can only hold what other runs of this program write meanwhile. */
    const gboolean is_new = lock < 0 && errno == ENOENT;
    json_t *manifest = json_load_file(path, 0, NULL);
    const char *ours = json_string_value(json_object_get(json_object_get(manifest, key), "sha256"));
    const gboolean good =
        tg_output_check(path, NULL, NULL, error) &&
        (is_new || (check_model_file(input, name, ours, error) &&
                    (manifest != NULL || check_model_file(input, MANIFEST_FILE, NULL, error))));

    if (lock >= 0)
        close(lock);
    json_decref(manifest);
    return good;
}

/* Set @key of the folder's manifest to @entry; other members stay. */
static gboolean write_manifest(const char *folder, const char *key, json_t *entry, GError **error)
{
    g_autofree char *path = g_build_filename(folder, MANIFEST_FILE, NULL);
    json_t *manifest = json_load_file(path, 0, NULL);

    if (!json_is_object(manifest)) {
        json_decref(manifest);
        manifest = json_object();
    }
    json_object_set(manifest, key, entry);
    char *dump = json_dumps(manifest, JSON_INDENT(2));
    g_autofree char *text = g_strconcat(dump, "\n", NULL);
    free(dump);
    json_decref(manifest);
    return tg_output_write(path, text, strlen(text), error);
}

/* Write the file @name, and into the manifest what it is made of (@files, stolen) and the
 * @command that repeats the training, but for the corpus. */
static gboolean write_result(const TgTrainInput *input, const char *name, const char *key,
                             const char *command, json_t *files, const void *bytes, gsize len,
                             GError **error)
{
    g_autofree char *hash = g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes, len);
    g_autofree char *path = g_build_filename(input->folder, name, NULL);
    g_autoptr(GString) line = g_string_new(command);

    if (g_mkdir_with_parents(input->folder, 0777) != 0) {
        json_decref(files);
        return tg_fail(error, TG_ERROR_OUTPUT, "%s: the folder cannot be created", path);
    }
    for (guint i = 0; input->corpus[i] != NULL; i++) {
        g_autofree char *file = g_path_get_basename(input->corpus[i]);
        g_string_append_printf(line, " %s", file);
    }
    json_t *entry =
        json_pack("{s: s, s: s, s: o}", "command", line->str, "sha256", hash, "corpus", files);
    const int lock = lock_folder(input->folder, LOCK_EX);
    const gboolean good = tg_output_write(path, bytes, len, error) &&
                          write_manifest(input->folder, key, entry, error);
    if (lock >= 0)
        close(lock);
    json_decref(entry);
    return good;
}

/* ---- tokenizers ---- */

typedef struct {
    const TgBpe *frame; /* without tokens, for its pre-tokenizers: no kind has normalizers */
    TgSpanText split;
    TgVocab *words;
} WordCounter;

static gboolean count_words(gpointer user, const char *line, gsize n, GError **error)
{
    WordCounter *counter = user;
    TgSpanText *split = &counter->split;
    const GArray *pretokenizers = counter->frame->pretokenizers;

    (void) error;
    tg_span_text_set(split, line, n, 0);
    for (guint i = 0; i < pretokenizers->len; i++)
        tg_pretokenizer_apply(&g_array_index(pretokenizers, TgPretokenizer, i), split);
    for (guint i = 0; i < split->words->len; i++) {
        const TgByteRange word = g_array_index(split->words, TgByteRange, i);
        tg_word_counts_add(counter->words, split->text + word.start, word.end - word.start, 1);
    }
    return TRUE;
}

gboolean tg_train_bpe(const TgTrainInput *input, const TgTrainBpe *how, GError **error)
{
    const Kind *kind = find_kind(how->words, error);

    if (kind == NULL || !check_folder(input, TOKENIZER_FILE, "tokenizer", error))
        return FALSE;
    g_autoptr(TgBpe) frame = tg_bpe_load_json(kind->file, strlen(kind->file), NULL);
    g_autoptr(TgVocab) words = tg_vocab_new();
    WordCounter counter = { .frame = frame, .words = words };
    tg_span_text_init(&counter.split);
    json_t *files = read_corpus(input, "counting words", count_words, &counter, error);
    tg_span_text_clear(&counter.split);
    if (files == NULL)
        return FALSE;

    g_autofree char *json = learn_tokenizer(kind, words, how, input);
    g_autofree char *command =
        g_strdup_printf("texgauge train bpe --words %s --vocab-size %u --min-count "
                        "%" G_GUINT64_FORMAT " --alphabet %u -o MODEL",
                        how->words, how->vocab_size, how->min_count, how->max_alphabet);
    return write_result(input, TOKENIZER_FILE, "tokenizer", command, files, json, strlen(json),
                        error);
}

/* ---- embeddings ---- */

typedef struct {
    TgBpeEncoder *encoder;
    TgCooccurrences counts;
    GArray *ids; /* guint32 */
} Counter;

static gboolean count_neighbors(gpointer user, const char *line, gsize n, GError **error)
{
    Counter *counter = user;
    guint n_subwords;
    const TgSubword *subwords = tg_bpe_encode(counter->encoder, line, n, &n_subwords, error);

    if (subwords == NULL)
        return FALSE;
    g_array_set_size(counter->ids, n_subwords);
    for (guint i = 0; i < n_subwords; i++)
        g_array_index(counter->ids, guint32, i) = subwords[i].id;
    tg_cooccurrences_add(&counter->counts, (const guint32 *) (gconstpointer) counter->ids->data,
                         n_subwords);
    return TRUE;
}

gboolean tg_train_embeddings(const TgTrainInput *input, const TgTrainEmbeddings *how,
                             GError **error)
{
    g_autoptr(TgBpe) bpe = tg_bpe_load(input->folder, error);

    if (bpe == NULL || !check_folder(input, TG_MODEL_FILE, "embeddings", error))
        return FALSE;
    const guint32 n_tokens = tg_bpe_id_bound(bpe);
    g_autoptr(TgBpeEncoder) encoder = tg_bpe_encoder_new(bpe);
    g_autoptr(TgVocab) right = tg_vocab_new();
    g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(guint32));
    Counter counter = { encoder, { n_tokens, how->window, right }, ids };
    json_t *files = read_corpus(input, "counting neighbors", count_neighbors, &counter, error);
    if (files == NULL)
        return FALSE;

    gsize len;
    g_autofree float *table = g_new(float, (gsize) n_tokens * how->dim);
    tg_embedding_train(&counter.counts, how, &input->listener, table);
    g_autofree guint8 *bytes =
        tg_safetensors_write_f16(TG_TOKEN_TENSOR, table, n_tokens, how->dim, &len);
    g_autofree char *command =
        g_strdup_printf("texgauge train embeddings --dim %u --window %u --rounds %u --seed "
                        "%" G_GUINT64_FORMAT " -o MODEL",
                        how->dim, how->window, how->rounds, how->seed);
    return write_result(input, TG_MODEL_FILE, "embeddings", command, files, bytes, len, error);
}
