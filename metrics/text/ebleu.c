/* EBLEU: BLEU that knows synonyms and gives rare words more weight. */
#include <texgauge/metric.h>

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "metrics/base/base.h"
#include "metrics/text/text.h"
#include "tokenizer/subword/tables.h"

#define N_ORDERS         4
#define DEFAULT_SYNONYMS "synonyms/latex.txt"

/* What an n-gram counts that is made by a synonym, and the factor of one with a rare word. */
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

    TgSynonyms *synonyms; /* NULL: none */
    TgVocab *rare;        /* NULL: none */
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

void tg_synonyms_free(TgSynonyms *table)
{
    if (table == NULL)
        return;
    tg_vocab_free(table->words);
    g_array_unref(table->groups);
    g_free(table);
}

TgSynonyms *tg_synonyms_load(const char *path, GError **error)
{
    g_autofree char *text = read_text(path, error);
    g_autoptr(TgSynonyms) table = g_new0(TgSynonyms, 1);

    table->words = tg_vocab_new();
    table->groups = g_array_new(FALSE, FALSE, sizeof(TgSynonymGroup));
    if (text == NULL)
        return NULL;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        g_auto(GStrv) words = g_strsplit_set(lines[i], " \t\r", -1);
        TgSynonymGroup group = { table->groups->len, table->groups->len };

        for (guint k = 0; words[k] != NULL && !g_str_has_prefix(lines[i], "# "); k++) {
            if (words[k][0] == '\0')
                continue;
            if (group.end == TG_SYNONYMS_MAX) {
                tg_fail_input(error, "%s: more than %d words", path, TG_SYNONYMS_MAX);
                return NULL;
            }
            if (!tg_vocab_add(table->words, words[k], strlen(words[k]), group.end++)) {
                tg_fail_input(error, "%s:%u: '%s' is in the table already", path, i + 1, words[k]);
                return NULL;
            }
        }
        for (guint k = group.first; k < group.end; k++)
            g_array_append_val(table->groups, group);
    }
    return g_steal_pointer(&table);
}

/* The rarest so many percent of the distinct words, if there are more than MIN_WORDS. */
#define RARE_PERCENT 10.0
#define MIN_WORDS    20

typedef struct {
    guint32 word; /* numbered by first appearance */
    guint count;
} Frequency;

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

/* The last 10 %, rounded down, of the distinct words of a text by falling frequency (the one that
 * comes first on a tie); of 20 words or fewer none is rare. NULL with TG_ERROR_INPUT or
 * TG_ERROR_DATA. */
static TgVocab *load_rare_words(const char *path, const TgTextInput *input, GError **error)
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

    TgVocab *rare = tg_vocab_new();
    const guint n_rare = counts->len > MIN_WORDS ? (guint) (counts->len * RARE_PERCENT / 100.0) : 0;
    for (guint i = 0; i < n_rare; i++) {
        gsize len;
        const Frequency *one = &g_array_index(counts, Frequency, counts->len - n_rare + i);
        const char *word = tg_vocab_text(words, one->word, &len);
        tg_vocab_add(rare, word, len, i);
    }
    return rare;
}

static gboolean load_synonyms(Ebleu *self, GError **error)
{
    const gboolean preset = strcmp(self->synonyms_name, "default") == 0;

    if (strcmp(self->synonyms_name, "none") == 0)
        return TRUE;
    g_autofree char *path =
        preset ? tg_datadir_find(DEFAULT_SYNONYMS, error) : g_strdup(self->synonyms_name);
    self->synonyms = path != NULL ? tg_synonyms_load(path, error) : NULL;
    return self->synonyms != NULL;
}

static gboolean ebleu_init(gpointer instance, GError **error)
{
    Ebleu *self = instance;

    if (!tg_text_input_init(&self->input, error) || !load_synonyms(self, error))
        return FALSE;
    if (strcmp(self->rare_corpus, "none") == 0)
        return TRUE;
    self->rare = load_rare_words(self->rare_corpus, &self->input, error);
    return self->rare != NULL;
}

static void ebleu_clear(gpointer instance)
{
    Ebleu *self = instance;

    tg_text_input_clear(&self->input);
    tg_synonyms_free(self->synonyms);
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

static guint ebleu_n_stats(gconstpointer instance)
{
    (void) instance;
    return N_STATS;
}

/* What the lengths add to the exponent of every cumulative score. */
static double length_term(const Ebleu *self, double n_ref, double n_hyp)
{
    double term = 0.0;

    if (self->brevity)
        term += fmin(0.0, 1.0 - n_ref / n_hyp);
    if (self->compat == COMPAT_2014)
        term += fmin(0.0, 1.0 - floor(n_ref / n_hyp));
    return term;
}

/* An order that no hypothesis is long enough for is left out: the scores before it stand. */
static void ebleu_pool(gconstpointer instance, const double *stats, double *out)
{
    const Ebleu *self = instance;
    const double n_hyp = stats[STAT_HYP_LENGTH], n_ref = stats[STAT_REF_LENGTH];
    double sum = 0.0, cumulative = n_hyp == n_ref ? 1.0 : 0.0; /* of empty texts */

    for (guint i = 0; i < N_ORDERS; i++) {
        const double counted = stats[STAT_COUNTED + i];
        out[COLUMN_SINGLE + i] = counted > 0 ? stats[STAT_MATCHED + i] / counted : NAN;
        if (counted > 0) {
            sum += log(out[COLUMN_SINGLE + i]); /* log 0 makes it 0 from here on */
            cumulative = exp(sum / (i + 1) + length_term(self, n_ref, n_hyp));
        }
        out[COLUMN_CUMULATIVE + i] = cumulative;
    }
    out[COLUMN_EBLEU] = out[COLUMN_MEAN] = cumulative;
}

/* ---- a pair ---- */

/* A text as tokens that may be changed. */
typedef struct {
    guint32 *ids;
    gboolean *rare; /* by token; NULL: none is */
    guint n;
} Words;

static gboolean is_rare(const Ebleu *self, const char *text, gsize len)
{
    guint32 number;

    return self->rare != NULL && tg_vocab_find(self->rare, text, len, &number);
}

static Words copy_words(const Ebleu *self, TgEnv *env, const TgTokens *tokens)
{
    Words words = { 0 };
    const guint32 *ids = tg_tokens_ids(tokens, &words.n);

    words.ids = tg_env_scratch(env, (words.n + 1) * sizeof *words.ids);
    memcpy(words.ids, ids, words.n * sizeof *ids);
    if (self->rare == NULL)
        return words;
    words.rare = tg_env_scratch(env, (words.n + 1) * sizeof *words.rare);
    for (guint i = 0; i < words.n; i++) {
        gsize len;
        const char *text = tg_tokens_text(tokens, i, &len);
        words.rare[i] = is_rare(self, text, len);
    }
    return words;
}

/* How often each word of the synonym table occurs in the references, and as which token. */
typedef struct {
    guint *count; /* the most in any one reference */
    guint32 *id;  /* valid where count > 0 */
    gboolean *rare;
} Supply;

static Supply count_synonyms(const Ebleu *self, TgEnv *env, const TgTokens *const *refs,
                             guint n_refs)
{
    const guint size = self->synonyms->groups->len;
    Supply supply = { tg_env_scratch(env, size * sizeof(guint)),
                      tg_env_scratch(env, size * sizeof(guint32)),
                      tg_env_scratch(env, size * sizeof(gboolean)) };
    guint *here = tg_env_scratch(env, size * sizeof(guint));

    memset(supply.count, 0, size * sizeof *supply.count);
    for (guint r = 0; r < n_refs; r++) {
        guint n, word;
        const guint32 *ids = tg_tokens_ids(refs[r], &n);
        memset(here, 0, size * sizeof *here);
        for (guint i = 0; i < n; i++) {
            gsize len;
            const char *text = tg_tokens_text(refs[r], i, &len);
            if (!tg_vocab_find(self->synonyms->words, text, len, &word))
                continue;
            here[word]++;
            supply.count[word] = MAX(supply.count[word], here[word]);
            supply.id[word] = ids[i];
            supply.rare[word] = is_rare(self, text, len);
        }
    }
    return supply;
}

/* Put in place of each word the synonym that the references hold most often; itself on a tie. */
static void replace_synonyms(const Ebleu *self, TgEnv *env, const TgTokens *hyp,
                             const TgTokens *const *refs, guint n_refs, Words *words)
{
    guint own;

    if (self->synonyms == NULL)
        return;
    const Supply supply = count_synonyms(self, env, refs, n_refs);
    for (guint i = 0; i < words->n; i++) {
        gsize len;
        const char *text = tg_tokens_text(hyp, i, &len);
        if (!tg_vocab_find(self->synonyms->words, text, len, &own))
            continue;
        const TgSynonymGroup group = g_array_index(self->synonyms->groups, TgSynonymGroup, own);
        guint best = own;
        for (guint other = group.first; other < group.end; other++)
            if (supply.count[other] > supply.count[best])
                best = other;
        if (best == own)
            continue;
        words->ids[i] = supply.id[best];
        if (words->rare != NULL)
            words->rare[i] = supply.rare[best];
    }
}

/* All texts of a pair with the number of the n-gram at each place: equal n-grams, equal numbers. */
typedef struct {
    Words *texts; /* references, the hypothesis as it is, the hypothesis with synonyms */
    guint n_texts;
    guint32 **grams;
    guint32 n_grams; /* numbers are below */
} Grams;

/* From numbers of (order - 1)-grams to those of @order-grams: a pair of number and last token. */
static void lengthen_grams(Grams *grams, guint order)
{
    g_autoptr(TgPairTable) numbers = tg_pair_table_new();

    for (guint t = 0; t < grams->n_texts; t++) {
        const Words *text = &grams->texts[t];
        for (guint i = 0; i + order <= text->n; i++) {
            const guint32 before = order == 1 ? 0 : grams->grams[t][i];
            guint64 *number =
                tg_pair_table_at(numbers, tg_pair_key(before, text->ids[i + order - 1]));
            if (*number == 0)
                *number = tg_pair_table_size(numbers);
            grams->grams[t][i] = (guint32) (*number - 1);
        }
    }
    grams->n_grams = (guint32) tg_pair_table_size(numbers);
}

static gboolean holds_rare(const Words *text, guint start, guint order)
{
    for (guint i = start; text->rare != NULL && i < start + order; i++)
        if (text->rare[i])
            return TRUE;
    return FALSE;
}

/* The weight of the hypothesis' n-grams that the references have, each as often as in one of them,
 * at most the number of all. */
static double matched_weight(const Grams *grams, guint order)
{
    const guint n_refs = grams->n_texts - 2;
    const Words *hyp = &grams->texts[n_refs + 1];
    const guint32 *hyp_grams = grams->grams[n_refs + 1];
    g_autofree guint *most = g_new0(guint, grams->n_grams + 1);
    g_autofree guint *here = g_new0(guint, grams->n_grams + 1);
    g_autofree gboolean *original = g_new0(gboolean, grams->n_grams + 1);
    double weight = 0.0;

    for (guint r = 0; r < n_refs; r++) {
        const guint n = tg_ngram_total(grams->texts[r].n, order);
        for (guint i = 0; i < n; i++) {
            const guint32 gram = grams->grams[r][i];
            here[gram]++;
            most[gram] = MAX(most[gram], here[gram]);
        }
        for (guint i = 0; i < n; i++)
            here[grams->grams[r][i]] = 0;
    }
    for (guint i = 0; i < tg_ngram_total(grams->texts[n_refs].n, order); i++)
        original[grams->grams[n_refs][i]] = TRUE;
    for (guint i = 0; i < tg_ngram_total(hyp->n, order); i++) {
        const guint32 gram = hyp_grams[i];
        if (most[gram] == 0)
            continue;
        most[gram]--;
        weight += (original[gram] ? 1.0 : SYNONYM_WEIGHT) *
                  (holds_rare(hyp, i, order) ? RARE_WEIGHT : 1.0);
    }
    return fmin(weight, tg_ngram_total(hyp->n, order));
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

static const TgTokens *ebleu_tokenize(const Ebleu *self, TgEnv *env, const char *text,
                                      GError **error)
{
    const char *form = tg_text_input_form(&self->input, env, text);

    return tg_env_tokenize(env, self->input.tokenizer, self->clean ? clean_text(env, form) : form,
                           error);
}

/* The length of the reference that is closest to the hypothesis, the shorter on a tie. */
static guint ebleu_closest_length(const Words *refs, guint n_refs, guint n_hyp)
{
    guint closest = refs[0].n;

    for (guint r = 1; r < n_refs; r++) {
        const gint64 gap = ABS((gint64) refs[r].n - n_hyp), least = ABS((gint64) closest - n_hyp);
        if (gap < least || (gap == least && refs[r].n < closest))
            closest = refs[r].n;
    }
    return closest;
}

/* An empty prediction counts as one as long as the truth in which nothing matches: without n-grams
 * of its own it would leave the score of a set as it is. */
static void fill_stats(TgEnv *env, Grams *grams, double *stats)
{
    const guint n_refs = grams->n_texts - 2;
    const Words *hyp = &grams->texts[n_refs];

    const guint n_ref = ebleu_closest_length(grams->texts, n_refs, hyp->n);

    stats[STAT_HYP_LENGTH] = hyp->n;
    stats[STAT_REF_LENGTH] = n_ref;
    grams->grams = tg_env_scratch(env, grams->n_texts * sizeof *grams->grams);
    for (guint t = 0; t < grams->n_texts; t++)
        grams->grams[t] = tg_env_scratch(env, (grams->texts[t].n + 1) * sizeof *grams->grams[t]);
    for (guint order = 1; order <= N_ORDERS; order++) {
        lengthen_grams(grams, order);
        stats[STAT_MATCHED + order - 1] = matched_weight(grams, order);
        stats[STAT_COUNTED + order - 1] = tg_ngram_total(hyp->n > 0 ? hyp->n : n_ref, order);
    }
}

static gboolean ebleu_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                            GError **error)
{
    const Ebleu *self = instance;
    const TgTokens **refs = tg_env_scratch(env, pair->n_refs * sizeof *refs);
    const TgTokens *hyp = ebleu_tokenize(self, env, pair->hyp, error);
    Words *texts = tg_env_scratch(env, (pair->n_refs + 2) * sizeof *texts);
    Grams grams = { .texts = texts, .n_texts = pair->n_refs + 2 };
    double stats[N_STATS], values[G_N_ELEMENTS(columns)];

    if (hyp == NULL)
        return FALSE;
    for (guint r = 0; r < pair->n_refs; r++) {
        if ((refs[r] = ebleu_tokenize(self, env, pair->refs[r], error)) == NULL)
            return FALSE;
        texts[r] = copy_words(self, env, refs[r]);
    }
    texts[pair->n_refs] = copy_words(self, env, hyp);
    texts[pair->n_refs + 1] = copy_words(self, env, hyp);
    replace_synonyms(self, env, hyp, refs, pair->n_refs, &texts[pair->n_refs + 1]);
    fill_stats(env, &grams, stats);

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
    .version = "2",
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
