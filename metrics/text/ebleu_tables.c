/* Tables of words for EBLEU. */
#include "metrics/text/ebleu_tables.h"

#include <string.h>

#include <texgauge/env.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "metrics/base/env.h"
#include "tokenizer/subword/vocab.h"

/* The text of a file, NUL-terminated; NULL with TG_ERROR_INPUT. */
static char *read_text(const char *path, GError **error)
{
    g_autoptr(GError) local = NULL;
    char *text = NULL;
    gsize len;

    if (!g_file_get_contents(path, &text, &len, &local)) {
        tg_fail_input(error, "%s", local->message);
    } else if (!g_utf8_validate(text, (gssize) len, NULL)) {
        tg_fail_input(error, "%s: not UTF-8 text", path);
    } else {
        tg_used_files_note(path, text, len);
        return text;
    }
    g_free(text);
    return NULL;
}

/* ---- synonyms ---- */

struct TgSynonyms {
    TgVocab *words;
    GArray *group_of; /* guint by word */
    GArray *first_of; /* guint by group: its first word; one more at the end */
};

void tg_synonyms_free(TgSynonyms *table)
{
    if (table == NULL)
        return;
    tg_vocab_free(table->words);
    g_array_unref(table->group_of);
    g_array_unref(table->first_of);
    g_free(table);
}

/* Add the words of one line as a group. */
static gboolean add_group(TgSynonyms *table, char *line, const char *where, guint line_number,
                          GError **error)
{
    const guint group = table->first_of->len;
    const guint first = table->group_of->len;
    g_auto(GStrv) words = g_strsplit_set(line, " \t\r", -1);

    for (guint i = 0; words[i] != NULL; i++) {
        if (words[i][0] == '\0')
            continue;
        if (table->group_of->len == TG_SYNONYMS_MAX)
            return tg_fail_input(error, "%s: more than %d words", where, TG_SYNONYMS_MAX);
        if (!tg_vocab_add(table->words, words[i], strlen(words[i]), table->group_of->len))
            return tg_fail_input(error, "%s:%u: '%s' is in the table already", where, line_number,
                                 words[i]);
        g_array_append_val(table->group_of, group);
    }
    if (table->group_of->len > first)
        g_array_append_val(table->first_of, first);
    return TRUE;
}

TgSynonyms *tg_synonyms_load(const char *path, GError **error)
{
    g_autofree char *text = read_text(path, error);
    g_autoptr(TgSynonyms) table = g_new0(TgSynonyms, 1);

    table->words = tg_vocab_new();
    table->group_of = g_array_new(FALSE, FALSE, sizeof(guint));
    table->first_of = g_array_new(FALSE, FALSE, sizeof(guint));
    if (text == NULL)
        return NULL;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        if (g_str_has_prefix(lines[i], "# "))
            continue;
        if (!add_group(table, lines[i], path, i + 1, error))
            return NULL;
    }
    g_array_append_val(table->first_of, table->group_of->len);
    return g_steal_pointer(&table);
}

guint tg_synonyms_size(const TgSynonyms *table)
{
    return table->group_of->len;
}

gboolean tg_synonyms_find(const TgSynonyms *table, const char *word, gsize len, guint *number)
{
    return tg_vocab_find(table->words, word, len, number);
}

void tg_synonyms_group(const TgSynonyms *table, guint number, guint *first, guint *end)
{
    const guint group = g_array_index(table->group_of, guint, number);

    *first = g_array_index(table->first_of, guint, group);
    *end = g_array_index(table->first_of, guint, group + 1);
}

/* ---- rare words ---- */

/* The rarest so many percent of the distinct words, if there are more than MIN_WORDS. */
#define RARE_PERCENT 10.0
#define MIN_WORDS    20

struct TgRareWords {
    TgVocab *words;
};

typedef struct {
    guint32 word; /* numbered by first appearance */
    guint count;
} Frequency;

void tg_rare_words_free(TgRareWords *rare)
{
    if (rare == NULL)
        return;
    tg_vocab_free(rare->words);
    g_free(rare);
}

static gboolean count_line(TgEnv *env, const TgTextInput *input, const char *line, TgVocab *words,
                           GArray *counts, GError **error)
{
    tg_env_next_pair(env);
    const TgTokens *tokens =
        tg_env_tokenize(env, input->tokenizer, tg_text_input_form(input, env, line), error);
    guint n;

    if (tokens == NULL)
        return FALSE;
    tg_tokens_ids(tokens, &n);
    for (guint i = 0; i < n; i++) {
        gsize len;
        const char *text = tg_tokens_text(tokens, i, &len);
        guint32 word = counts->len;
        if (!tg_vocab_find(words, text, len, &word)) {
            const Frequency fresh = { word, 0 };
            tg_vocab_add(words, text, len, word);
            g_array_append_val(counts, fresh);
        }
        g_array_index(counts, Frequency, word).count++;
    }
    return TRUE;
}

static gint compare_frequency(gconstpointer a, gconstpointer b)
{
    const Frequency *x = a, *y = b;

    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->word < y->word ? -1 : x->word > y->word;
}

TgRareWords *tg_rare_words_load(const char *path, const TgTextInput *input, GError **error)
{
    g_autofree char *text = read_text(path, error);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgVocab) words = tg_vocab_new();
    g_autoptr(GArray) counts = g_array_new(FALSE, FALSE, sizeof(Frequency));

    if (text == NULL)
        return NULL;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++)
        if (!count_line(env, input, lines[i], words, counts, error)) {
            g_prefix_error(error, "%s:%u: ", path, i + 1);
            return NULL;
        }
    g_array_sort(counts, compare_frequency);

    TgRareWords *rare = g_new0(TgRareWords, 1);
    const guint n_rare = counts->len > MIN_WORDS ? (guint) (counts->len * RARE_PERCENT / 100.0) : 0;
    rare->words = tg_vocab_new();
    for (guint i = 0; i < n_rare; i++) {
        gsize len;
        const Frequency *one = &g_array_index(counts, Frequency, counts->len - n_rare + i);
        const char *word = tg_vocab_text(words, one->word, &len);
        tg_vocab_add(rare->words, word, len, i);
    }
    return rare;
}

gboolean tg_rare_words_contain(const TgRareWords *rare, const char *word, gsize len)
{
    guint32 number;

    return tg_vocab_find(rare->words, word, len, &number);
}
