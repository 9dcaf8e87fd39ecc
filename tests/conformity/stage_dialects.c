/* Dialects and probes: the metric's F1 against the scores that each program gave. */
#include <texgauge/texgauge.h>

#include "metrics/metric.h"
#include "tests/conformity/stages.h"
#include "tests/conformity/tally.h"
#include "tests/support/golden.h"
#include "tokenizer/latex/parse.h"

static const double rounding = 0.0005 + 1e-9;

/* A file of scores, and what is asked of the metric on it. */
typedef struct {
    const char *title, *metric, *file;
    gboolean own_pairs; /* the formulas are in the file; else those of dev.jsonl */
    double min_share, min_r;
    /* Scores that differ by more than 0.02 without a word: of well-formed pairs that turn on a
     * random sample of the program's. And the share of the pairs whose formulas LaTeX accepts that
     * are called malformed, because the program's normalizer breaks them. */
    guint max_silent;
    double max_called;
} Gate;

static const Gate gates[] = {
    { "UniMERNet", "cdm", "dev.jsonl", FALSE, 0.99, 0.998, 0, 0.02 },
    { "Small pairs of one construct each", "cdm", "probes.jsonl", TRUE, 0.98, 0, 0, 0.03 },
    { "OmniDocBench up to 1.5", "cdm:dialect=omnidocbench-1.5", "dialect-a-dev.jsonl", FALSE, 0.93,
      0, 1, 0.02 },
    { "OmniDocBench 1.6", "cdm:dialect=omnidocbench-1.6", "dialect-c-dev.jsonl", FALSE, 0.97, 0.998,
      1, 0.02 },
};

/* F1 of a pair, NaN where it has none; @is_guess: (out) whether the metric says so. */
static double score_pair(const TgMetric *metric, TgEnv *env, const char *ref, const char *hyp,
                         gboolean *is_guess)
{
    g_autoptr(TgResult) result = tg_result_new(metric, FALSE);
    const TgPair pair = { "pair", &ref, 1, hyp };
    const gboolean has_score = tg_metric_score(metric, env, &pair, result, NULL);
    const char *note = result->note;

    *is_guess = note != NULL && strstr(note, "drawn by a guess") != NULL;
    return has_score ? tg_result_get(result, 0) : NAN;
}

/* Whether LaTeX accepts a formula, with whatever packages. */
static gboolean is_accepted(const char *latex)
{
    static const TgPackages any = ~0u;
    g_autoptr(TgTree) tree = tg_tree_parse(latex, strlen(latex), NULL, NULL);

    return tree != NULL && tg_tree_refusal(tree, any) == NULL;
}

static const CdmReferencePair *find_pair(const GPtrArray *pairs, const char *id)
{
    for (guint i = 0; i < pairs->len; i++) {
        const CdmReferencePair *pair = ((const ConformityPair *) pairs->pdata[i])->official;

        if (strcmp(pair->id, id) == 0)
            return pair;
    }
    return NULL;
}

typedef struct {
    const GPtrArray *pairs;
    const Gate *gate;
    TgMetric *metric;
    TgEnv *env;
    Tally *sound, *broken;
    guint n_silent, n_sound, n_called;
    GArray *ours, *wanted; /* of the well-formed pairs with a score */
} Comparison;

static void compare(Comparison *self, const char *id, const char *kind, const char *ref,
                    const char *hyp, double wanted)
{
    gboolean is_guess;
    const double f1 = score_pair(self->metric, self->env, ref, hyp, &is_guess);
    const gboolean agrees =
        isnan(f1) || isnan(wanted) ? isnan(f1) && isnan(wanted) : fabs(f1 - wanted) <= rounding;
    const gboolean is_broken = strcmp(kind, "broken") == 0;
    const gboolean is_sound = !is_broken && is_accepted(ref) && is_accepted(hyp);
    Tally *tally = is_broken ? self->broken : self->sound;

    tally_add(tally, kind, agrees);
    if (!agrees) {
        g_autofree char *note = g_strdup_printf("%.3f, official %.3f%s", f1, wanted,
                                                is_guess ? ", called a guess" : "");
        tally_note(tally, id, note);
    }
    self->n_silent += !agrees && !is_guess && !(fabs(f1 - wanted) <= 0.02);
    self->n_sound += is_sound;
    self->n_called += is_sound && is_guess;
    if (is_broken || isnan(f1) || isnan(wanted))
        return;
    g_array_append_val(self->ours, f1);
    g_array_append_val(self->wanted, wanted);
}

static void compare_row(Comparison *self, const json_t *row)
{
    const json_t *official = json_object_get(row, "official");
    const json_t *f1 = json_object_get(official != NULL ? official : row, "f1");
    const double wanted = json_is_number(f1) ? json_number_value(f1) : NAN;
    const char *id = json_string_value(json_object_get(row, "id"));

    if (self->gate->own_pairs) {
        compare(self, id, json_string_value(json_object_get(row, "kind")),
                json_string_value(json_object_get(row, "gt")),
                json_string_value(json_object_get(row, "pred")), wanted);
        return;
    }
    const CdmReferencePair *pair = find_pair(self->pairs, id);
    g_assert(pair != NULL);
    compare(self, id, pair->kind, pair->ref, pair->hyp, wanted);
}

static void compare_file(Comparison *self)
{
    g_autofree char *relative = g_strdup_printf("cdm-reference/%s", self->gate->file);
    json_auto_t *rows = tg_golden_if_shared(relative);

    tg_golden_each(row, rows) compare_row(self, row);
}

static gboolean pass_gate(const GPtrArray *pairs, const Gate *gate)
{
    g_autoptr(TgMetric) metric = tg_metric_new(gate->metric, NULL);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(Tally) sound = tally_new(), broken = tally_new();
    g_autoptr(GArray) ours = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GArray) wanted = g_array_new(FALSE, FALSE, sizeof(double));
    Comparison comparison = { .pairs = pairs,
                              .gate = gate,
                              .metric = metric,
                              .env = env,
                              .sound = sound,
                              .broken = broken,
                              .ours = ours,
                              .wanted = wanted };

    g_assert(metric != NULL);
    compare_file(&comparison);
    if (tally_count(broken) > 0)
        tally_print(broken, gate->title);
    tally_print(sound, gate->title);
    const double r = conformity_pearson((const double *) (gpointer) ours->data,
                                        (const double *) (gpointer) wanted->data, ours->len);
    g_print("%s, without broken: Pearson %.4f\n\n", gate->title, r);
    g_print("%s: %u scores differ by more than .02 without a word; %u of %u well-formed pairs are "
            "called a guess\n\n",
            gate->title, comparison.n_silent, comparison.n_called, comparison.n_sound);
    return tally_share(sound) >= gate->min_share && (ours->len < 2 || r >= gate->min_r) &&
           comparison.n_silent <= gate->max_silent &&
           comparison.n_called <= gate->max_called * comparison.n_sound;
}

gboolean conformity_dialects(const GPtrArray *pairs, TgLayout *setter)
{
    gboolean all = TRUE;

    (void) setter;
    for (guint i = 0; i < G_N_ELEMENTS(gates); i++)
        all = pass_gate(pairs, &gates[i]) && all;
    return all;
}
