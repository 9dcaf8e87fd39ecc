/* Reads the components of a tokenizer.json; what it does not know is an error that names it. */
#include "tokenizer/subword/bpe_components.h"

#include <string.h>

#include "core/fail.h"
#include "tokenizer/subword/pretokenize_scan.h"

#define MAX_DEPTH 8 /* of Sequences inside Sequences */

/* One kind of component: where its steps go and how each is read. */
typedef struct Kind {
    const char *key;  /* its name in the file */
    const char *list; /* the member of a Sequence that holds the parts */
    gboolean (*read)(TgBpe *bpe, const char *type, json_t *node, GError **error);
    const char *known; /* for the message */
} Kind;

static gboolean read_component(const Kind *kind, TgBpe *bpe, json_t *node, guint depth,
                               GError **error)
{
    const char *type = json_string_value(json_object_get(node, "type"));
    size_t i;
    json_t *part;

    if (node == NULL || json_is_null(node))
        return TRUE;
    if (type == NULL)
        return tg_fail_input(error, "%s has no type", kind->key);
    if (strcmp(type, "Sequence") != 0)
        return kind->read(bpe, type, node, error);
    if (depth == MAX_DEPTH)
        return tg_fail_input(error, "%s: more than %d Sequences inside one another", kind->key,
                             MAX_DEPTH);
    if (!json_is_array(json_object_get(node, kind->list)))
        return tg_fail_input(error, "%s: the Sequence has no %s", kind->key, kind->list);
    json_array_foreach(json_object_get(node, kind->list), i,
                       part) if (!read_component(kind, bpe, part, depth + 1, error)) return FALSE;
    return TRUE;
}

static gboolean unsupported(const Kind *kind, const char *type, GError **error)
{
    return tg_fail_input(error, "%s '%s' is not supported (known: %s)", kind->key, type,
                         kind->known);
}

/* A string member; NULL with @error if it is missing or no string. */
static const char *need_string(json_t *node, const char *key, const char *type, GError **error)
{
    const char *value = json_string_value(json_object_get(node, key));

    if (value == NULL)
        tg_fail_input(error, "%s: %s is not a string", type, key);
    return value;
}

/* A truth value that is @preset where it is missing. */
static gboolean flag_member(json_t *node, const char *key, gboolean preset)
{
    json_t *value = json_object_get(node, key);

    return value == NULL ? preset : json_is_true(value);
}

/* The pattern {"String": "..."} of Replace; regular expressions are refused. */
static const char *string_pattern(json_t *node, const char *type, GError **error)
{
    json_t *pattern = json_object_get(node, "pattern");
    const char *text = json_string_value(json_object_get(pattern, "String"));

    if (text == NULL || text[0] == '\0') {
        tg_fail_input(
            error, "%s: the pattern is not a string (regular expressions are not supported)", type);
        return NULL;
    }
    return text;
}

/* Normalizers */

static gboolean read_normalizer(TgBpe *bpe, const char *type, json_t *node, GError **error);

static const Kind normalizer_kind = {
    "normalizer",
    "normalizers",
    read_normalizer,
    "NFC, NFD, NFKC, NFKD, Prepend, Replace, Sequence",
};

static gboolean read_normalizer(TgBpe *bpe, const char *type, json_t *node, GError **error)
{
    static const struct {
        const char *type;
        GNormalizeMode mode;
    } forms[] = {
        { "NFC", G_NORMALIZE_NFC },
        { "NFD", G_NORMALIZE_NFD },
        { "NFKC", G_NORMALIZE_NFKC },
        { "NFKD", G_NORMALIZE_NFKD },
    };
    TgNormalizer step = { 0 };
    const char *pattern, *content;

    if (strcmp(type, "Prepend") == 0) {
        if ((content = need_string(node, "prepend", type, error)) == NULL)
            return FALSE;
        step.kind = TG_NORMALIZE_PREPEND;
        step.content = g_strdup(content);
    } else if (strcmp(type, "Replace") == 0) {
        if ((pattern = string_pattern(node, type, error)) == NULL ||
            (content = need_string(node, "content", type, error)) == NULL)
            return FALSE;
        step.kind = TG_NORMALIZE_REPLACE;
        step.pattern = g_strdup(pattern);
        step.content = g_strdup(content);
    } else {
        guint i = 0;
        while (i < G_N_ELEMENTS(forms) && strcmp(type, forms[i].type) != 0)
            i++;
        if (i == G_N_ELEMENTS(forms))
            return unsupported(&normalizer_kind, type, error);
        step.kind = TG_NORMALIZE_UNICODE;
        step.mode = forms[i].mode;
    }
    g_array_append_val(bpe->normalizers, step);
    return TRUE;
}

/* Pre-tokenizers */

static gboolean read_pretokenizer(TgBpe *bpe, const char *type, json_t *node, GError **error);

static const Kind pretokenizer_kind = {
    "pre_tokenizer",
    "pretokenizers",
    read_pretokenizer,
    "Whitespace, WhitespaceSplit, Punctuation, Digits, ByteLevel, Metaspace, Split, Sequence",
};

/* prepend_scheme, or add_prefix_space as older files have it. */
static gboolean read_prepend(json_t *node, TgPrepend *prepend, GError **error)
{
    json_t *scheme = json_object_get(node, "prepend_scheme");
    const char *text = json_string_value(scheme);

    if (scheme == NULL)
        *prepend =
            flag_member(node, "add_prefix_space", TRUE) ? TG_PREPEND_ALWAYS : TG_PREPEND_NEVER;
    else if (g_strcmp0(text, "always") == 0)
        *prepend = TG_PREPEND_ALWAYS;
    else if (g_strcmp0(text, "first") == 0)
        *prepend = TG_PREPEND_FIRST;
    else if (g_strcmp0(text, "never") == 0)
        *prepend = TG_PREPEND_NEVER;
    else
        return tg_fail_input(error, "Metaspace: prepend_scheme is not always, first or never");
    return TRUE;
}

static gboolean is_one_character(const char *text)
{
    return text != NULL && g_utf8_strlen(text, -1) == 1;
}

static gboolean read_metaspace(json_t *node, TgPretokenizer *step, GError **error)
{
    const char *space = json_string_value(json_object_get(node, "replacement"));

    if (!is_one_character(space))
        return tg_fail_input(error, "Metaspace: replacement is not one character");
    step->kind = TG_PRETOKENIZE_METASPACE;
    g_strlcpy(step->space, space, sizeof step->space);
    step->keep_whole = !flag_member(node, "split", TRUE);
    return read_prepend(node, &step->prepend, error);
}

/* Split by a pattern for which there is a scanner. */
static gboolean read_split(json_t *node, TgPretokenizer *step, GError **error)
{
    const char *regex =
        json_string_value(json_object_get(json_object_get(node, "pattern"), "Regex"));
    const char *behavior = json_string_value(json_object_get(node, "behavior"));

    if (g_strcmp0(regex, TG_PATTERN_LATEX) != 0 || g_strcmp0(behavior, "Removed") != 0 ||
        !flag_member(node, "invert", FALSE))
        return tg_fail_input(
            error,
            "pre_tokenizer 'Split' is only supported with the pattern %s, behavior Removed "
            "and invert",
            TG_PATTERN_LATEX);
    step->kind = TG_PRETOKENIZE_SPLIT;
    step->scan = tg_pretokenize_latex;
    return TRUE;
}

static gboolean read_pretokenizer(TgBpe *bpe, const char *type, json_t *node, GError **error)
{
    TgPretokenizer step = { 0 };

    if (strcmp(type, "Whitespace") == 0) {
        step.kind = TG_PRETOKENIZE_WHITESPACE;
    } else if (strcmp(type, "WhitespaceSplit") == 0) {
        step.kind = TG_PRETOKENIZE_WHITESPACE_SPLIT;
    } else if (strcmp(type, "Digits") == 0) {
        step.kind = TG_PRETOKENIZE_DIGITS;
        step.single_digits = flag_member(node, "individual_digits", FALSE);
    } else if (strcmp(type, "ByteLevel") == 0) {
        step.kind = TG_PRETOKENIZE_BYTE_LEVEL;
        step.prefix_space = flag_member(node, "add_prefix_space", TRUE);
        step.gpt2_split = flag_member(node, "use_regex", TRUE);
    } else if (strcmp(type, "Punctuation") == 0) {
        const char *behavior = json_string_value(json_object_get(node, "behavior"));
        if (behavior != NULL && strcmp(behavior, "Isolated") != 0)
            return tg_fail_input(
                error, "pre_tokenizer 'Punctuation' is only supported with behavior Isolated");
        step.kind = TG_PRETOKENIZE_PUNCTUATION;
    } else if (strcmp(type, "Metaspace") == 0) {
        if (!read_metaspace(node, &step, error))
            return FALSE;
    } else if (strcmp(type, "Split") == 0) {
        if (!read_split(node, &step, error))
            return FALSE;
    } else {
        return unsupported(&pretokenizer_kind, type, error);
    }
    g_array_append_val(bpe->pretokenizers, step);
    return TRUE;
}

/* Post-processors: only ByteLevel's trimming changes anything beside the tokens that are added. */

static gboolean read_post_processor(TgBpe *bpe, const char *type, json_t *node, GError **error);

static const Kind post_processor_kind = {
    "post_processor",
    "processors",
    read_post_processor,
    "ByteLevel, TemplateProcessing, Sequence",
};

static gboolean read_post_processor(TgBpe *bpe, const char *type, json_t *node, GError **error)
{
    if (strcmp(type, "ByteLevel") == 0)
        bpe->trim_offsets = flag_member(node, "trim_offsets", TRUE);
    else if (strcmp(type, "TemplateProcessing") != 0)
        return unsupported(&post_processor_kind, type, error);
    return TRUE;
}

gboolean tg_bpe_read_normalizer(TgBpe *bpe, json_t *node, GError **error)
{
    return read_component(&normalizer_kind, bpe, node, 0, error);
}

gboolean tg_bpe_read_pretokenizer(TgBpe *bpe, json_t *node, GError **error)
{
    return read_component(&pretokenizer_kind, bpe, node, 0, error);
}

gboolean tg_bpe_read_post_processor(TgBpe *bpe, json_t *node, GError **error)
{
    return read_component(&post_processor_kind, bpe, node, 0, error);
}
