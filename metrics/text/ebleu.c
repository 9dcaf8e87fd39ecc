/* EBLEU: BLEU that knows synonyms and gives rare words more weight. */
#include <texgauge/metric.h>

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "core/vocab.h"
#include "metrics/base/base.h"
#include "metrics/text/text.h"

#define N_ORDERS         4
#define DEFAULT_SYNONYMS "synonyms/latex.txt"

/* The weight of an n-gram that is made by a synonym, and the factor of an n-gram with a rare
 * word. */
#define SYNONYM_WEIGHT 0.9
#define RARE_WEIGHT    1.5

static const char *const programs[] = { "none", "2014", NULL };

enum { COMPAT_NONE, COMPAT_2014 };

typedef struct {
    TgTextInput input;
    char *synonyms_name;
    char *rare_corpus;
    gboolean brevity;
    gboolean clean;
    gint compat;

    /* numbered from 0, groups without gaps; the value is the pair of the first number of its group
     * and the one behind the last; NULL: none */
    TgVocab *synonyms;
    TgVocab *rare; /* words with the value 1 are; NULL: none */
} Ebleu;

static const TgOption options[] = {
    TG_TEXT_OPTIONS(Ebleu, input, "latex"),
    TG_OPTION_STRING(Ebleu, synonyms_name, "synonyms", "default",
                     "file with a group of equal words on each line; default is LaTeX's, or none"),
    TG_OPTION_STRING(Ebleu, rare_corpus, "rare-corpus", "none",
                     "text file whose rare words count more: the references, one on each line"),
    TG_OPTION_BOOL(Ebleu, brevity, "brevity", "no", "multiply by BLEU's brevity penalty"),
    TG_OPTION_BOOL(Ebleu, clean, "clean", "no",
                   "lower-case, and drop digits and punctuation as the 2014 script does"),
    TG_OPTION_CHOICE(Ebleu, compat, "compat", "none", programs,
                     "2014: the script's length term with its integer division"),
    { 0 },
};

enum { COLUMN_EBLEU, COLUMN_MEAN, COLUMN_CUMULATIVE, COLUMN_SINGLE = COLUMN_CUMULATIVE + N_ORDERS };

static const TgColumn columns[] = {
    { "ebleu", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS, "cumulative score of orders 1 to 4",
      .as_percent = TRUE },
    { "mean", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "mean of the pairs' scores",
      .as_percent = TRUE },
    { "c1", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS, "cumulative score of order 1" },
    { "c2", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS, "cumulative score of orders 1 and 2" },
    { "c3", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS, "cumulative score of orders 1 to 3" },
    { "c4", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS, "cumulative score of orders 1 to 4" },
    { "b1", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS, "score of order 1 alone" },
    { "b2", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS, "score of order 2 alone" },
    { "b3", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS, "score of order 3 alone" },
    { "b4", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS, "score of order 4 alone" },
    { 0 },
};

/* ---- Tables of words ------------------------------------------------------------------------- */

/* The text of a file, NUL-terminated; NULL with TG_ERROR_INPUT. */
static char *read_text(const char *path, GError **error)
{
    g_autoptr(GError) local = NULL;
    g_autofree char *text = NULL;
    gsize len;

    if (!g_file_get_contents(path, &text, &len, &local))
        return tg_null_input(error, "%s", local->message);
    if (!g_utf8_validate(text, (gssize) len, NULL))
        return tg_null_input(error, "%s: not UTF-8 text", path);
    tg_used_files_note(path, text, len);
    return g_steal_pointer(&text);
}

/* The most synonyms of a table. */
#define MAX_SYNONYMS 100000

/* Read a table of synonyms: a group of words on each line, whitespace-separated; "#" and a space
 * start a comment line. FALSE with TG_ERROR_INPUT: not readable, a word in two groups, too large.
 */
static gboolean load_synonyms(Ebleu *self, const char *path, GError **error)
{
    g_autofree char *text = read_text(path, error);

    if (text == NULL)
        return FALSE;
    self->synonyms = tg_vocab_new();
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        g_auto(GStrv) words = g_strsplit_set(lines[i], " \t\r", -1);
        const guint first = self->synonyms->size;
        guint end = first;

        for (guint k = 0; words[k] != NULL && !g_str_has_prefix(lines[i], "# "); k++) {
            if (words[k][0] == '\0')
                continue;
            if (end == MAX_SYNONYMS)
                return tg_fail_input(error, "%s: more than %d words", path, MAX_SYNONYMS);
            if (!tg_vocab_add(self->synonyms, words[k], strlen(words[k]), end++))
                return tg_fail_input(error, "%s:%u: '%s' is in the table already", path, i + 1,
                                     words[k]);
        }
        for (guint k = first; k < end; k++)
            *tg_vocab_value(self->synonyms, k) = tg_pair_key(first, end);
    }
    return TRUE;
}

/* The share of the distinct words that is rare, where there are more than MIN_WORDS of them. */
#define RARE_PERCENT 10.0
#define MIN_WORDS    20

/* Count the words of a line, in their values. */
static gboolean count_line(TgEnv *env, const TgTextInput *input, const char *line, TgVocab *words,
                           GError **error)
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
        (*tg_vocab_value(words, tg_vocab_number(words, text, len)))++;
    }
    return TRUE;
}

/* The words of a text, with the value 1 for rare ones: the last 10 %, rounded down, of the distinct
 * words by falling frequency (the one that comes first on a tie); of 20 words or fewer none is
 * rare. NULL with TG_ERROR_INPUT or TG_ERROR_DATA. */
static TgVocab *load_rare_words(const char *path, const TgTextInput *input, GError **error)
{
    g_autofree char *text = read_text(path, error);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgVocab) words = tg_vocab_new();
    g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(guint64));

    if (text == NULL)
        return NULL;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++)
        if (!count_line(env, input, lines[i], words, error)) {
            g_prefix_error(error, "%s:%u: ", path, i + 1);
            return NULL;
        }
    for (guint32 word = 0; word < words->size; word++) {
        const guint32 rarity = G_MAXUINT32 - (guint32) *tg_vocab_value(words, word);
        const guint64 key = tg_pair_key(rarity, word);
        g_array_append_val(order, key);
    }
    g_array_sort(order, tg_pair_compare);

    const guint n_rare = order->len > MIN_WORDS ? (guint) (order->len * RARE_PERCENT / 100.0) : 0;
    for (guint i = 0; i < order->len; i++)
        *tg_vocab_value(words, (guint32) g_array_index(order, guint64, i)) =
            i >= order->len - n_rare;
    return g_steal_pointer(&words);
}

static gboolean ebleu_init(gpointer instance, GError **error)
{
    Ebleu *self = instance;
    const gboolean preset = strcmp(self->synonyms_name, "default") == 0;

    if (!tg_text_input_init(&self->input, error))
        return FALSE;
    if (strcmp(self->synonyms_name, "none") != 0) {
        g_autofree char *path =
            preset ? tg_datadir_find(DEFAULT_SYNONYMS, error) : g_strdup(self->synonyms_name);
        if (path == NULL || !load_synonyms(self, path, error))
            return FALSE;
    }
    if (strcmp(self->rare_corpus, "none") == 0)
        return TRUE;
    self->rare = load_rare_words(self->rare_corpus, &self->input, error);
    return self->rare != NULL;
}

static void ebleu_clear(gpointer instance)
{
    Ebleu *self = instance;

    tg_text_input_clear(&self->input);
    tg_vocab_free(self->synonyms);
    tg_vocab_free(self->rare);
}

/* ---- statistics and scores ---- */

enum {
    STAT_HYP_LENGTH,
    STAT_REF_LENGTH,
    STAT_MATCHED,
    STAT_COUNTED = STAT_MATCHED + N_ORDERS,
    N_STATS = STAT_COUNTED + N_ORDERS
};

static guint ebleu_n_stats(G_GNUC_UNUSED gconstpointer instance)
{
    return N_STATS;
}

/* An order that no hypothesis is long enough for is left out: the scores before it stand. */
static void ebleu_pool(gconstpointer instance, const double *stats, double *out)
{
    const Ebleu *self = instance;
    const double n_hyp = stats[STAT_HYP_LENGTH], n_ref = stats[STAT_REF_LENGTH];
    double sum = 0.0, cumulative = n_hyp == n_ref ? 1.0 : 0.0; /* of empty texts */
    double of_lengths = self->brevity ? fmin(0.0, 1.0 - n_ref / n_hyp) : 0.0;

    if (self->compat == COMPAT_2014)
        of_lengths += fmin(0.0, 1.0 - floor(n_ref / n_hyp));
    for (guint i = 0; i < N_ORDERS; i++) {
        const double counted = stats[STAT_COUNTED + i];
        out[COLUMN_SINGLE + i] = counted > 0 ? stats[STAT_MATCHED + i] / counted : NAN;
        if (counted > 0) {
            sum += log(out[COLUMN_SINGLE + i]); /* log 0 makes it 0 from here on */
            cumulative = exp(sum / (i + 1) + of_lengths);
        }
        out[COLUMN_CUMULATIVE + i] = cumulative;
    }
    out[COLUMN_EBLEU] = out[COLUMN_MEAN] = cumulative;
}

/* ---- a pair ---- */

/* Whether each word is rare, by token id; NULL: none is. */
static gboolean *find_rare(const Ebleu *self, TgEnv *env, const TgTokens *const *tokens, guint n)
{
    guint32 bound = 0, number;

    if (self->rare == NULL)
        return NULL;
    for (guint t = 0; t < n; t++)
        bound = MAX(bound, tg_tokens_id_bound(tokens[t]));
    gboolean *rare = tg_env_scratch(env, (bound + 1) * sizeof *rare);
    for (guint t = 0; t < n; t++) {
        const TgSequence text = tg_sequence(tokens[t]);

        for (guint i = 0; i < text.n; i++) {
            gsize len;
            const char *word = tg_tokens_text(tokens[t], i, &len);
            rare[text.ids[i]] = tg_vocab_find(self->rare, word, len, &number) &&
                                *tg_vocab_value(self->rare, number) == 1;
        }
    }
    return rare;
}

/* The hypothesis, the text behind the references, with, in place of each word, the synonym that the
 * references hold most often; itself on a tie. A word counts as often as in any one reference. */
static TgSequence replace_synonyms(const Ebleu *self, TgEnv *env, const TgTokens *const *tokens,
                                   const TgSequence *texts, guint n_refs)
{
    TgSequence text = texts[n_refs];
    guint32 *ids = tg_env_scratch(env, (text.n + 1) * sizeof *ids), own;
    gsize len;

    if (self->synonyms == NULL)
        return text;
    const guint size = self->synonyms->size;
    guint *most = tg_env_scratch(env, size * sizeof *most);
    guint32 *id_of = tg_env_scratch(env, size * sizeof *id_of); /* where @most is above 0 */
    memset(most, 0, size * sizeof *most);
    TgNgrams words = tg_ngrams(tg_env_arena(env), texts, n_refs, n_refs);
    tg_ngrams_lengthen(&words);
    for (guint r = 0; r < n_refs; r++) {
        for (guint i = 0; i < texts[r].n; i++) {
            const char *word = tg_tokens_text(tokens[r], i, &len);
            if (!tg_vocab_find(self->synonyms, word, len, &own))
                continue;
            most[own] = words.slots[words.names[r][i]].limit;
            id_of[own] = texts[r].ids[i];
        }
    }
    for (guint i = 0; i < text.n; i++) {
        const char *word = tg_tokens_text(tokens[n_refs], i, &len);

        ids[i] = text.ids[i];
        if (!tg_vocab_find(self->synonyms, word, len, &own))
            continue;
        const guint64 group = *tg_vocab_value(self->synonyms, own);
        guint best = own;
        for (guint other = group >> 32; other < (guint32) group; other++)
            if (most[other] > most[best])
                best = other;
        if (best != own)
            ids[i] = id_of[best];
    }
    text.ids = ids;
    return text;
}

/* The weight of the hypothesis' n-grams that the references have, each as often as in one of them,
 * at most the number of all. The last two texts are the hypothesis as it is and with synonyms. */
static double matched_weight(const TgNgrams *ngrams, const gboolean *rare)
{
    const guint plain = ngrams->n_refs, order = ngrams->order;
    const TgSequence hyp = ngrams->texts[plain + 1];
    const guint32 n = tg_ngram_total(hyp.n, order);
    g_autofree gboolean *original = g_new0(gboolean, ngrams->n_slots);
    double weight = 0.0;

    for (guint i = 0; i < n; i++)
        original[ngrams->names[plain][i]] = TRUE;
    for (guint i = 0; i < n; i++) {
        const guint32 gram = ngrams->names[plain + 1][i];
        gboolean is_rare = FALSE;

        if (ngrams->slots[gram].limit == 0)
            continue;
        ngrams->slots[gram].limit--;
        for (guint k = i; rare != NULL && k < i + order; k++)
            is_rare |= rare[hyp.ids[k]];
        weight += (original[gram] ? 1.0 : SYNONYM_WEIGHT) * (is_rare ? RARE_WEIGHT : 1.0);
    }
    return fmin(weight, n);
}

/* The text in lower case, without the characters that the script drops: its class `,-:` is a range
 * in which all digits stand. */
static const char *clean_text(TgEnv *env, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1); /* else GLib reads beyond the end */
    g_autofree char *lower = g_utf8_strdown(valid, -1);
    char *out = tg_env_scratch(env, strlen(lower) + 1);
    gsize n = 0;

    for (const char *p = lower; *p != '\0'; p++)
        if (!(*p >= ',' && *p <= ':') && strchr("'\"?!;$%\n", *p) == NULL)
            out[n++] = *p;
    out[n] = '\0';
    return out;
}

static gboolean ebleu_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                            GError **error)
{
    const Ebleu *self = instance;
    const guint n_refs = pair->n_refs, n_texts = n_refs + 2;
    const TgTokens **tokens = tg_env_scratch(env, n_texts * sizeof *tokens);
    TgSequence *texts = tg_env_scratch(env, n_texts * sizeof *texts);
    double stats[N_STATS], values[G_N_ELEMENTS(columns)];

    for (guint t = 0; t <= n_refs; t++) {
        const char *text =
            tg_text_input_form(&self->input, env, t < n_refs ? pair->refs[t] : pair->hyp);

        tokens[t] = tg_env_tokenize(env, self->input.tokenizer,
                                    self->clean ? clean_text(env, text) : text, error);
        if (tokens[t] == NULL)
            return FALSE;
        texts[t] = tg_sequence(tokens[t]);
    }
    texts[n_refs + 1] = replace_synonyms(self, env, tokens, texts, n_refs);
    const gboolean *rare = find_rare(self, env, tokens, n_refs + 1);
    TgNgrams ngrams = tg_ngrams(tg_env_arena(env), texts, n_refs, n_texts);

    /* An empty prediction counts as one of the reference's length in which nothing matches, because
     * without n-grams of its own it would leave the score of a set as it is. */
    const guint n_hyp = texts[n_refs].n;
    const guint n_ref = tg_closest_length(texts, n_refs, n_hyp, FALSE);
    stats[STAT_HYP_LENGTH] = n_hyp;
    stats[STAT_REF_LENGTH] = n_ref;
    for (guint order = 1; order <= N_ORDERS; order++) {
        tg_ngrams_lengthen(&ngrams);
        stats[STAT_MATCHED + order - 1] = matched_weight(&ngrams, rare);
        stats[STAT_COUNTED + order - 1] = tg_ngram_total(n_hyp > 0 ? n_hyp : n_ref, order);
    }

    ebleu_pool(self, stats, values);
    for (guint c = 0; columns[c].name != NULL; c++)
        if (!isnan(values[c]))
            tg_result_set(out, c, values[c]);
    tg_result_set_stats(out, stats);
    return TRUE;
}

const TgMetricInfo tg_metric_ebleu = {
    .abi = TG_METRIC_ABI,
    .name = "ebleu",
    .version = "5",
    .summary = "EBLEU: BLEU with synonyms and weight for rare words",
    .citation = "Wolk and Marasek 2014, Enhanced Bilingual Evaluation Understudy",
    .columns = columns,
    .options = options,
    .instance_size = sizeof(Ebleu),
    .init = ebleu_init,
    .clear = ebleu_clear,
    .n_stats = ebleu_n_stats,
    .score = ebleu_score,
    .pool = ebleu_pool,
};
