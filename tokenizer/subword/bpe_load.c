/* Reads tokenizer files: Hugging Face's tokenizer.json, GPT-2's vocab.json and merges.txt. */
#include <jansson.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "tokenizer/subword/bpe.h"
#include "tokenizer/subword/bpe_components.h"
#include "tokenizer/subword/bpe_merge.h"
#include "tokenizer/subword/bpe_model.h"
#include "tokenizer/subword/nul_keys.h"

#define MAX_FILE (512u << 20)
#define MAX_ID   (1u << 21) /* so that a small file cannot make a large table */

/* A tokenizer file as JSON. */
typedef struct {
    json_t *root;
    char nul[7]; /* what stands for NUL in its keys; "" for nothing */
} Document;

static gboolean read_vocab(TgBpe *bpe, json_t *vocab, const Document *document, GError **error)
{
    const char *key;
    json_t *id;

    if (!json_is_object(vocab))
        return tg_fail_input(error, "model.vocab is not an object");
    json_object_foreach(vocab, key, id)
    {
        gsize len;
        g_autofree char *text = tg_nul_keys_restore(key, document->nul, &len);
        const json_int_t value = json_integer_value(id);
        if (!json_is_integer(id) || value < 0 || value >= MAX_ID)
            return tg_fail_input(error, "model.vocab: the id of '%s' is not a number from 0 to %u",
                                 text, MAX_ID - 1);
        if (!tg_vocab_add(bpe->vocab, text, len, (guint32) value))
            return tg_fail_input(error, "model.vocab: the id %d occurs twice", (int) value);
    }
    return TRUE;
}

/* Add the merge of two tokens; its rank is the number of merges before it. */
static gboolean add_merge(TgBpe *bpe, const char *left, gsize left_len, const char *right,
                          gsize right_len, guint32 rank, GError **error)
{
    const gsize skip = strlen(bpe->prefix);
    guint32 left_id, right_id, joined_id;

    if (!tg_vocab_find(bpe->vocab, left, left_len, &left_id) ||
        !tg_vocab_find(bpe->vocab, right, right_len, &right_id))
        return tg_fail_input(
            error, "model.merges[%u]: '%.*s %.*s' has a token that is not in the vocabulary", rank,
            (int) MIN(left_len, 200), left, (int) MIN(right_len, 200), right);
    g_autoptr(GString) joined = g_string_new_len(left, (gssize) left_len);
    if (right_len >= skip)
        g_string_append_len(joined, right + skip, (gssize) (right_len - skip));
    if (!tg_vocab_find(bpe->vocab, joined->str, joined->len, &joined_id))
        return tg_fail_input(error, "model.merges[%u]: '%s' is not in the vocabulary", rank,
                             joined->str);
    /* Of a merge that occurs twice, the later rank counts, as in Hugging Face's table. */
    *tg_pair_table_at(bpe->merges, tg_pair_key(left_id, right_id)) =
        tg_bpe_merge_value(rank, joined_id);
    return TRUE;
}

/* A merge written as one string: two tokens separated by a space. */
static gboolean add_merge_text(TgBpe *bpe, const char *text, gsize len, guint32 rank,
                               GError **error)
{
    const char *space = memchr(text, ' ', len);

    if (space == NULL || memchr(space + 1, ' ', (gsize) (text + len - space - 1)) != NULL)
        return tg_fail_input(error, "model.merges[%u]: '%.*s' is not two tokens", rank,
                             (int) MIN(len, 200), text);
    return add_merge(bpe, text, (gsize) (space - text), space + 1, (gsize) (text + len - space - 1),
                     rank, error);
}

static gboolean read_merges(TgBpe *bpe, json_t *merges, GError **error)
{
    size_t i;
    json_t *item;

    if (!json_is_array(merges))
        return tg_fail_input(error, "model.merges is not an array");
    json_array_foreach(merges, i, item)
    {
        json_t *left = json_array_get(item, 0), *right = json_array_get(item, 1);
        gboolean done;
        if (json_is_string(item))
            done = add_merge_text(bpe, json_string_value(item), json_string_length(item),
                                  (guint32) i, error);
        else if (json_array_size(item) == 2 && json_is_string(left) && json_is_string(right))
            done =
                add_merge(bpe, json_string_value(left), json_string_length(left),
                          json_string_value(right), json_string_length(right), (guint32) i, error);
        else
            done = tg_fail_input(
                error, "model.merges[%u] is neither a string nor a pair of strings", (guint) i);
        if (!done)
            return FALSE;
    }
    return TRUE;
}

static gboolean read_unknown(TgBpe *bpe, json_t *token, GError **error)
{
    if (token == NULL || json_is_null(token))
        return TRUE;
    if (!json_is_string(token) || !tg_vocab_find(bpe->vocab, json_string_value(token),
                                                 json_string_length(token), &bpe->unk_id))
        return tg_fail_input(error, "model.unk_token is not in the vocabulary");
    return TRUE;
}

/* Tokens <0x00> to <0xFF>; a byte without one is never encoded by fallback. */
static void find_byte_tokens(TgBpe *bpe)
{
    for (guint byte = 0; byte < 256; byte++) {
        char text[8];
        g_snprintf(text, sizeof text, "<0x%02X>", byte);
        tg_vocab_find(bpe->vocab, text, strlen(text), &bpe->byte_ids[byte]);
    }
}

static char *string_or_empty(json_t *value)
{
    return g_strdup(json_is_string(value) ? json_string_value(value) : "");
}

static gboolean read_model(TgBpe *bpe, const Document *document, GError **error)
{
    json_t *model = json_object_get(document->root, "model");
    const char *type = json_string_value(json_object_get(model, "type"));
    json_t *dropout = json_object_get(model, "dropout");

    if (!json_is_object(model))
        return tg_fail_input(error, "no model");
    if (type == NULL && json_object_get(model, "merges") == NULL)
        return tg_fail_input(error, "the model has no type and no merges");
    if (type != NULL && strcmp(type, "BPE") != 0)
        return tg_fail_input(error, "model '%s' is not supported (only BPE)", type);
    if (dropout != NULL && json_number_value(dropout) != 0.0)
        return tg_fail_input(error, "model.dropout is not supported: it makes encoding random");

    bpe->prefix = string_or_empty(json_object_get(model, "continuing_subword_prefix"));
    bpe->suffix = string_or_empty(json_object_get(model, "end_of_word_suffix"));
    bpe->fuse_unk = json_is_true(json_object_get(model, "fuse_unk"));
    bpe->ignore_merges = json_is_true(json_object_get(model, "ignore_merges"));
    if (!read_vocab(bpe, json_object_get(model, "vocab"), document, error) ||
        !read_merges(bpe, json_object_get(model, "merges"), error) ||
        !read_unknown(bpe, json_object_get(model, "unk_token"), error))
        return FALSE;
    if (json_is_true(json_object_get(model, "byte_fallback")))
        find_byte_tokens(bpe);
    return TRUE;
}

/* Make @text an added token with the id that the model or the file gives it. */
static gboolean add_token(TgBpe *bpe, const char *text, gsize len, gboolean normalized,
                          TgAddedToken token, GError **error)
{
    guint32 known;

    if (tg_vocab_find(bpe->vocab, text, len, &known)) {
        if (known != token.id)
            return tg_fail_input(error, "added token '%s' has id %u, but %u in the vocabulary",
                                 text, token.id, known);
    } else {
        gsize other;
        if (tg_vocab_text(bpe->vocab, token.id, &other) != NULL ||
            !tg_vocab_add(bpe->extra, text, len, token.id))
            return tg_fail_input(error, "added token '%s': id %u is taken", text, token.id);
    }
    g_autofree char *form =
        normalized
            ? tg_normalize_string((const TgNormalizer *) (gconstpointer) bpe->normalizers->data,
                                  bpe->normalizers->len, text)
            : g_strdup(text);
    if (!tg_added_tokens_add(normalized ? bpe->added_normalized : bpe->added_raw, form,
                             strlen(form), token))
        return tg_fail_input(error,
                             "added token '%s' is empty, longer than %d bytes, or a duplicate",
                             text, TG_ADDED_TOKEN_MAX);
    return TRUE;
}

static gboolean read_added_tokens(TgBpe *bpe, json_t *list, GError **error)
{
    size_t i;
    json_t *item;

    if (list == NULL || json_is_null(list))
        return TRUE;
    if (!json_is_array(list))
        return tg_fail_input(error, "added_tokens is not an array");
    json_array_foreach(list, i, item)
    {
        json_t *id = json_object_get(item, "id"), *content = json_object_get(item, "content");
        if (!json_is_integer(id) || json_integer_value(id) < 0 ||
            json_integer_value(id) >= MAX_ID || !json_is_string(content))
            return tg_fail_input(error, "added_tokens[%u] has no valid id and content", (guint) i);
        const TgAddedToken token = {
            .id = (guint32) json_integer_value(id),
            .single_word = json_is_true(json_object_get(item, "single_word")),
            .lstrip = json_is_true(json_object_get(item, "lstrip")),
            .rstrip = json_is_true(json_object_get(item, "rstrip")),
        };
        if (!add_token(bpe, json_string_value(content), json_string_length(content),
                       json_is_true(json_object_get(item, "normalized")), token, error))
            return FALSE;
    }
    return TRUE;
}

/* Truncation and padding serve networks; refused rather than ignored. */
static gboolean check_unset(json_t *root, const char *key, GError **error)
{
    json_t *value = json_object_get(root, key);

    if (value == NULL || json_is_null(value))
        return TRUE;
    return tg_fail_input(error, "%s is set; scoring needs whole formulas: set it to null", key);
}

static gboolean parse_json(Document *document, const char *json, gsize len, GError **error)
{
    json_error_t where;
    gsize n = len;
    g_autofree char *without = tg_nul_keys_replace(json, len, &n, document->nul);

    document->root = json_loadb(without != NULL ? without : json, n, JSON_ALLOW_NUL, &where);
    if (document->root == NULL)
        tg_fail_input(error, "line %d: %s", where.line, where.text);
    return document->root != NULL;
}

static gboolean read_tokenizer(TgBpe *bpe, const Document *document, GError **error)
{
    json_t *root = document->root;

    return check_unset(root, "truncation", error) && check_unset(root, "padding", error) &&
           read_model(bpe, document, error) &&
           tg_bpe_read_normalizer(bpe, json_object_get(root, "normalizer"), error) &&
           tg_bpe_read_pretokenizer(bpe, json_object_get(root, "pre_tokenizer"), error) &&
           tg_bpe_read_post_processor(bpe, json_object_get(root, "post_processor"), error) &&
           read_added_tokens(bpe, json_object_get(root, "added_tokens"), error);
}

TgBpe *tg_bpe_load_json(const char *json, gsize len, GError **error)
{
    Document document = { 0 };
    g_autoptr(TgBpe) bpe = tg_bpe_new();
    const gboolean done =
        parse_json(&document, json, len, error) && read_tokenizer(bpe, &document, error);

    json_decref(document.root);
    return done ? g_steal_pointer(&bpe) : NULL;
}

/* The lines of a merges.txt without the version on top. */
static gboolean read_merge_lines(TgBpe *bpe, const char *text, gsize len, GError **error)
{
    const char *end = text + len;
    guint32 rank = 0;

    while (text < end) {
        const char *eol = memchr(text, '\n', (gsize) (end - text));
        gsize n = (gsize) ((eol != NULL ? eol : end) - text);
        const char *line = text;
        text = eol != NULL ? eol + 1 : end;
        if (n > 0 && line[n - 1] == '\r')
            n--;
        if (n == 0 || (n >= 8 && memcmp(line, "#version", 8) == 0))
            continue;
        if (!add_merge_text(bpe, line, n, rank++, error))
            return FALSE;
    }
    return TRUE;
}

TgBpe *tg_bpe_load_gpt2(const char *vocab, gsize vocab_len, const char *merges, gsize merges_len,
                        GError **error)
{
    static const char end_of_text[] = "<|endoftext|>";
    const TgPretokenizer byte_level = { .kind = TG_PRETOKENIZE_BYTE_LEVEL, .gpt2_split = TRUE };
    Document document = { 0 };
    g_autoptr(TgBpe) bpe = tg_bpe_new();
    TgAddedToken special = { 0 };

    bpe->prefix = g_strdup("");
    bpe->suffix = g_strdup("");
    gboolean done = parse_json(&document, vocab, vocab_len, error) &&
                    read_vocab(bpe, document.root, &document, error) &&
                    read_merge_lines(bpe, merges, merges_len, error);
    json_decref(document.root);
    if (done && tg_vocab_find(bpe->vocab, end_of_text, strlen(end_of_text), &special.id))
        done = add_token(bpe, end_of_text, strlen(end_of_text), FALSE, special, error);
    g_array_append_val(bpe->pretokenizers, byte_level);
    return done ? g_steal_pointer(&bpe) : NULL;
}

static GMappedFile *map_file(const char *path, GError **error)
{
    g_autoptr(GError) local = NULL;
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, &local);

    if (file == NULL) {
        tg_fail_input(error, "%s", local->message);
        return NULL;
    }
    if (g_mapped_file_get_length(file) > MAX_FILE) {
        tg_fail_input(error, "%s: larger than %u MB", path, MAX_FILE >> 20);
        return NULL;
    }
    tg_used_files_note(path, g_mapped_file_get_contents(file), g_mapped_file_get_length(file));
    return g_steal_pointer(&file);
}

static TgBpe *load_gpt2_files(const char *vocab_path, const char *merges_path, GError **error)
{
    g_autoptr(GMappedFile) vocab = map_file(vocab_path, error);
    g_autoptr(GMappedFile) merges = vocab != NULL ? map_file(merges_path, error) : NULL;

    if (merges == NULL)
        return NULL;
    return tg_bpe_load_gpt2(g_mapped_file_get_contents(vocab), g_mapped_file_get_length(vocab),
                            g_mapped_file_get_contents(merges), g_mapped_file_get_length(merges),
                            error);
}

TgBpe *tg_bpe_load(const char *path, GError **error)
{
    const gboolean is_dir = g_file_test(path, G_FILE_TEST_IS_DIR);
    g_autofree char *dir = is_dir ? g_strdup(path) : g_path_get_dirname(path);
    g_autofree char *json = is_dir ? g_build_filename(dir, "tokenizer.json", NULL) : g_strdup(path);
    g_autofree char *vocab = is_dir ? g_build_filename(dir, "vocab.json", NULL) : g_strdup(path);
    g_autofree char *merges = g_build_filename(dir, "merges.txt", NULL);
    g_autofree char *base = g_path_get_basename(path);
    const gboolean has_json = g_file_test(json, G_FILE_TEST_EXISTS);
    const gboolean is_gpt2 = is_dir ? !has_json && g_file_test(vocab, G_FILE_TEST_EXISTS)
                                    : strcmp(base, "vocab.json") == 0;
    g_autoptr(TgBpe) bpe = NULL;

    if (is_gpt2) {
        bpe = load_gpt2_files(vocab, merges, error);
    } else {
        g_autoptr(GMappedFile) file = map_file(json, error);
        if (file != NULL)
            bpe = tg_bpe_load_json(g_mapped_file_get_contents(file), g_mapped_file_get_length(file),
                                   error);
    }
    if (bpe == NULL)
        g_prefix_error(error, "%s: ", path);
    return g_steal_pointer(&bpe);
}
