/* Reads tokenizer files: Hugging Face's tokenizer.json, GPT-2's vocab.json and merges.txt. */
#include <jansson.h>
#include <string.h>
#include <texgauge/types.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "tokenizer/subword/bpe.h"
#include "tokenizer/subword/subword.h"

/* ---- Keys with NUL, which JSON allows and jansson does not ----------------------------------- */

#define NUL_ESCAPE "\\u0000"

/* Find a character for NUL whose bytes are not in @json, nor its escape as a pair of surrogates:
 * one of the private use characters of the last plane, which hardly any tokenizer has. */
static gboolean choose_stand_in(const char *json, gsize len, char stand_in[7])
{
    for (gunichar c = 0x10FFFD; c > 0x10FFFD - 16; c--) {
        char escape[16];
        gboolean occurs;

        stand_in[g_unichar_to_utf8(c, stand_in)] = '\0';
        g_snprintf(escape, sizeof escape, "\\udbff\\u%04x", 0xDC00 + (c & 0x3FF));
        occurs = g_strstr_len(json, (gssize) len, stand_in) != NULL;
        for (gsize i = 0; i + 12 <= len && !occurs; i++)
            occurs = json[i] == '\\' && g_ascii_strncasecmp(json + i, escape, 12) == 0;
        if (!occurs)
            return TRUE;
    }
    stand_in[0] = '\0';
    return FALSE;
}

/* @json with a character in the place of every NUL in a key; NULL where there is nothing to
 * replace. (transfer full) */
static char *hide_nul_in_keys(const char *json, gsize len, gsize *out_len, char stand_in[7])
{
    stand_in[0] = '\0';
    if (g_strstr_len(json, (gssize) len, NUL_ESCAPE) == NULL ||
        !choose_stand_in(json, len, stand_in))
        return NULL;

    g_autoptr(GString) out = g_string_sized_new(len);
    for (gsize i = 0; i < len;) {
        const gsize start = i, before = out->len;

        g_string_append_c(out, json[i]);
        if (json[i++] != '"')
            continue;
        while (i < len && json[i] != '"') {
            const gboolean nul = len - i >= 6 && memcmp(json + i, NUL_ESCAPE, 6) == 0;
            const gsize n = nul ? 6 : json[i] == '\\' ? MIN(2, len - i) : 1;

            g_string_append_len(out, nul ? stand_in : json + i, nul ? -1 : (gssize) n);
            i += n; /* past whatever is escaped, even a quote or a backslash */
        }
        if (i < len)
            g_string_append_c(out, json[i++]);

        gsize next = i;
        while (next < len && json[next] != '\0' && strchr(" \t\r\n", json[next]) != NULL)
            next++;
        if (next == len || json[next] != ':') { /* no key: jansson can have NUL in it */
            g_string_truncate(out, before);
            g_string_append_len(out, json + start, (gssize) (i - start));
        }
    }
    *out_len = out->len;
    return g_string_free(g_steal_pointer(&out), FALSE);
}

/* The key as it stands in the file. (transfer full) */
static char *restore_nul(const char *key, const char *stand_in, gsize *len)
{
    g_autoptr(GString) out = g_string_new(NULL);
    const char *found;

    while (*stand_in != '\0' && (found = strstr(key, stand_in)) != NULL) {
        g_string_append_len(out, key, found - key);
        g_string_append_c(out, '\0');
        key = found + strlen(stand_in);
    }
    g_string_append(out, key);
    *len = out->len;
    return g_string_free(g_steal_pointer(&out), FALSE);
}

/* ---- Components of a tokenizer.json; what is not known is an error that names it --------------
 */

#define MAX_DEPTH 8 /* of Sequences inside Sequences */

static gboolean fail_unsupported(const char *what, const char *type, const char *known,
                                 GError **error)
{
    return tg_fail_input(error, "%s '%s' is not supported (known: %s)", what, type, known);
}

/* A boolean member; @preset where it is missing. */
static gboolean flag_member(json_t *node, const char *key, gboolean preset)
{
    json_t *value = json_object_get(node, key);

    return value == NULL ? preset : json_is_true(value);
}

/* The pattern of a component, where it is of the kind @key. */
static const char *pattern_of(json_t *node, const char *key)
{
    return json_string_value(json_object_get(json_object_get(node, "pattern"), key));
}

static gboolean read_normalizer(TgBpe *bpe, const char *type, json_t *node, GError **error)
{
    static const struct {
        const char *type, *content; /* the member with the string that it puts in */
        TgNormalizerKind kind;
        GNormalizeMode mode;
    } rows[] = {
        { "NFC", NULL, TG_NORMALIZE_UNICODE, G_NORMALIZE_NFC },
        { "NFD", NULL, TG_NORMALIZE_UNICODE, G_NORMALIZE_NFD },
        { "NFKC", NULL, TG_NORMALIZE_UNICODE, G_NORMALIZE_NFKC },
        { "NFKD", NULL, TG_NORMALIZE_UNICODE, G_NORMALIZE_NFKD },
        { "Prepend", "prepend", TG_NORMALIZE_PREPEND, G_NORMALIZE_NFC },
        { "Replace", "content", TG_NORMALIZE_REPLACE, G_NORMALIZE_NFC },
    };
    const char *pattern = pattern_of(node, "String"), *content = NULL;
    guint i = 0;

    while (i < G_N_ELEMENTS(rows) && strcmp(type, rows[i].type) != 0)
        i++;
    if (i == G_N_ELEMENTS(rows))
        return fail_unsupported("normalizer", type,
                                "NFC, NFD, NFKC, NFKD, Prepend, Replace, Sequence", error);
    if (rows[i].kind == TG_NORMALIZE_REPLACE && (pattern == NULL || pattern[0] == '\0'))
        return tg_fail_input(
            error, "%s: the pattern is not a string (regular expressions are not supported)", type);
    if (rows[i].content != NULL &&
        (content = json_string_value(json_object_get(node, rows[i].content))) == NULL)
        return tg_fail_input(error, "%s: %s is not a string", type, rows[i].content);
    const TgNormalizer step = { rows[i].kind, rows[i].mode, g_strdup(pattern), g_strdup(content) };
    g_array_append_val(bpe->normalizers, step);
    return TRUE;
}

/* The character for spaces, and prepend_scheme, or add_prefix_space as older files have it. */
static gboolean read_metaspace(json_t *node, TgPretokenizer *step, GError **error)
{
    static const char *const schemes[] = { "always", "first", "never" }; /* by TgPrepend */
    const char *space = json_string_value(json_object_get(node, "replacement"));
    json_t *scheme = json_object_get(node, "prepend_scheme");
    guint i = 0;

    if (space == NULL || g_utf8_strlen(space, -1) != 1)
        return tg_fail_input(error, "Metaspace: replacement is not one character");
    g_strlcpy(step->space, space, sizeof step->space);
    step->keep_whole = !flag_member(node, "split", TRUE);
    if (scheme == NULL)
        i = flag_member(node, "add_prefix_space", TRUE) ? TG_PREPEND_ALWAYS : TG_PREPEND_NEVER;
    else
        while (i < G_N_ELEMENTS(schemes) && g_strcmp0(json_string_value(scheme), schemes[i]) != 0)
            i++;
    if (i == G_N_ELEMENTS(schemes))
        return tg_fail_input(error, "Metaspace: prepend_scheme is not always, first or never");
    step->prepend = (TgPrepend) i;
    return TRUE;
}

static gboolean read_pretokenizer(TgBpe *bpe, const char *type, json_t *node, GError **error)
{
    static const char *const types[] = { /* by kind */
                                         "Whitespace", "WhitespaceSplit", "Punctuation", "Digits",
                                         "ByteLevel",  "Metaspace",       "Split",       NULL
    };
    const char *behavior = json_string_value(json_object_get(node, "behavior"));
    TgPretokenizer step = { 0 };

    while (types[step.kind] != NULL && strcmp(type, types[step.kind]) != 0)
        step.kind++;
    switch (step.kind) {
    case TG_PRETOKENIZE_WHITESPACE:
    case TG_PRETOKENIZE_WHITESPACE_SPLIT:
        break;
    case TG_PRETOKENIZE_PUNCTUATION:
        if (behavior != NULL && strcmp(behavior, "Isolated") != 0)
            return tg_fail_input(
                error, "pre_tokenizer 'Punctuation' is only supported with behavior Isolated");
        break;
    case TG_PRETOKENIZE_DIGITS:
        step.single_digits = flag_member(node, "individual_digits", FALSE);
        break;
    case TG_PRETOKENIZE_BYTE_LEVEL:
        step.prefix_space = flag_member(node, "add_prefix_space", TRUE);
        step.gpt2_split = flag_member(node, "use_regex", TRUE);
        break;
    case TG_PRETOKENIZE_METASPACE:
        if (!read_metaspace(node, &step, error))
            return FALSE;
        break;
    case TG_PRETOKENIZE_SPLIT:
        if (g_strcmp0(pattern_of(node, "Regex"), TG_PATTERN_LATEX) != 0 ||
            g_strcmp0(behavior, "Removed") != 0 || !flag_member(node, "invert", FALSE))
            return tg_fail_input(
                error,
                "pre_tokenizer 'Split' is only supported with the pattern %s, behavior Removed "
                "and invert",
                TG_PATTERN_LATEX);
        break;
    default:
        return fail_unsupported(
            "pre_tokenizer", type,
            "Whitespace, WhitespaceSplit, Punctuation, Digits, ByteLevel, Metaspace, "
            "Split, Sequence",
            error);
    }
    g_array_append_val(bpe->pretokenizers, step);
    return TRUE;
}

/* Post-processors: only ByteLevel's trimming changes anything beside the tokens that are added. */

static gboolean read_post_processor(TgBpe *bpe, const char *type, json_t *node, GError **error)
{
    if (strcmp(type, "ByteLevel") == 0)
        bpe->trim_offsets = flag_member(node, "trim_offsets", TRUE);
    else if (strcmp(type, "TemplateProcessing") != 0)
        return fail_unsupported("post_processor", type, "ByteLevel, TemplateProcessing, Sequence",
                                error);
    return TRUE;
}

/* A component, or the parts of a Sequence of them, which stand in its member @list. */
static gboolean read_component(TgBpe *bpe, json_t *node, const char *what, const char *list,
                               gboolean (*read)(TgBpe *, const char *, json_t *, GError **),
                               guint depth, GError **error)
{
    const char *type = json_string_value(json_object_get(node, "type"));
    json_t *parts = json_object_get(node, list);

    if (node == NULL || json_is_null(node))
        return TRUE;
    if (type == NULL)
        return tg_fail_input(error, "%s has no type", what);
    if (strcmp(type, "Sequence") != 0)
        return read(bpe, type, node, error);
    if (depth == MAX_DEPTH)
        return tg_fail_input(error, "%s: more than %d Sequences inside one another", what,
                             MAX_DEPTH);
    if (!json_is_array(parts))
        return tg_fail_input(error, "%s: the Sequence has no %s", what, list);
    for (gsize i = 0; i < json_array_size(parts); i++)
        if (!read_component(bpe, json_array_get(parts, i), what, list, read, depth + 1, error))
            return FALSE;
    return TRUE;
}

/* ---- Files ----------------------------------------------------------------------------------- */

#define MAX_FILE (512u << 20)
#define MAX_ID   (1u << 21) /* so that a small file cannot make a large table */

/* A tokenizer file as JSON. */
typedef struct {
    json_t *root;
    char nul[7]; /* the character that stands for NUL in its keys; "": there is none */
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
        g_autofree char *text = restore_nul(key, document->nul, &len);
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
    /* The later rank counts if a merge occurs twice, as in Hugging Face's table. */
    *tg_vocab_pair_at(bpe->merges, tg_pair_key(left_id, right_id)) =
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

static char *string_or_empty(json_t *value)
{
    return g_strdup(json_is_string(value) ? json_string_value(value) : "");
}

static gboolean read_model(TgBpe *bpe, const Document *document, GError **error)
{
    json_t *model = json_object_get(document->root, "model");
    const char *type = json_string_value(json_object_get(model, "type"));
    json_t *dropout = json_object_get(model, "dropout");
    json_t *unknown = json_object_get(model, "unk_token");

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
        !read_merges(bpe, json_object_get(model, "merges"), error))
        return FALSE;
    if (unknown != NULL && !json_is_null(unknown) &&
        (!json_is_string(unknown) || !tg_vocab_find(bpe->vocab, json_string_value(unknown),
                                                    json_string_length(unknown), &bpe->unk_id)))
        return tg_fail_input(error, "model.unk_token is not in the vocabulary");
    /* tokens <0x00> to <0xFF>; a byte without one is never encoded by fallback */
    for (guint byte = 0; byte < 256 && json_is_true(json_object_get(model, "byte_fallback"));
         byte++) {
        g_autofree char *text = g_strdup_printf("<0x%02X>", byte);
        tg_vocab_find(bpe->vocab, text, strlen(text), &bpe->byte_ids[byte]);
    }
    return TRUE;
}

/* Make @text an added token with the id that the model or the file gives it. */
static gboolean add_token(TgBpe *bpe, const char *text, gsize len, gboolean normalized,
                          TgAddedToken token, GError **error)
{
    TgSpanText form;
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
    tg_span_text_init(&form);
    tg_span_text_set(&form, text, strlen(text), 0);
    for (guint i = 0; normalized && i < bpe->normalizers->len; i++)
        tg_normalizer_apply(&g_array_index(bpe->normalizers, TgNormalizer, i), &form);
    const gboolean added = tg_added_tokens_add(normalized ? bpe->added_normalized : bpe->added_raw,
                                               form.text, form.len, token);
    tg_span_text_clear(&form);
    if (!added)
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
    g_autofree char *without = hide_nul_in_keys(json, len, &n, document->nul);

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
           read_component(bpe, json_object_get(root, "normalizer"), "normalizer", "normalizers",
                          read_normalizer, 0, error) &&
           read_component(bpe, json_object_get(root, "pre_tokenizer"), "pre_tokenizer",
                          "pretokenizers", read_pretokenizer, 0, error) &&
           read_component(bpe, json_object_get(root, "post_processor"), "post_processor",
                          "processors", read_post_processor, 0, error) &&
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
    g_autoptr(GMappedFile) file = tg_used_file_map(is_gpt2 ? vocab : json, MAX_FILE, error);
    g_autoptr(GMappedFile) lines =
        is_gpt2 && file != NULL ? tg_used_file_map(merges, MAX_FILE, error) : NULL;
    TgBpe *bpe = NULL;

    if (lines != NULL)
        bpe = tg_bpe_load_gpt2(g_mapped_file_get_contents(file), g_mapped_file_get_length(file),
                               g_mapped_file_get_contents(lines), g_mapped_file_get_length(lines),
                               error);
    else if (file != NULL && !is_gpt2)
        bpe = tg_bpe_load_json(g_mapped_file_get_contents(file), g_mapped_file_get_length(file),
                               error);
    if (bpe == NULL)
        g_prefix_error(error, "%s: ", path);
    return bpe;
}
