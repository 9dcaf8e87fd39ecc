/* TeXBLEU: n-grams of subwords, compared by what the tokens mean instead of by equality. */
#include <texgauge/metric.h>

#include <math.h>
#include <string.h>

#include "core/datadir.h"
#include "core/number.h"
#include "metrics/texbleu/texbleu_align.h"
#include "metrics/texbleu/texbleu_score.h"
#include "metrics/texbleu/texbleu_spacing.h"
#include "metrics/text/text_input.h"
#include "tokenizer/subword/subword_model.h"

#define DEFAULT_MODEL "models/texbleu-default"

/* Places that the table of a model without one has. */
#define SINUSOIDAL_ROWS 1024

static const char *const variants[] = { "paper", "repo", NULL };
static const char *const alignments[] = { "none", "edit", NULL };
static const char *const positions[] = { "variant", "l1", "mean", "index", NULL };
static const char *const spacings[] = { "variant", "none", "paper", "repo", NULL };

enum { VARIANT_PAPER, VARIANT_REPO };
enum { ALIGN_NONE, ALIGN_EDIT };

typedef struct {
    char *model_name;
    gint variant;
    gint order;
    char *weights;
    double alpha;
    double beta;
    gint align;
    double gap;
    gint position;
    double position_scale;
    gint spacing;
    TgTextForm form;
    gint max_tokens;
    gint digits;
    gboolean brevity;

    TgTexbleuRule rule; /* what the options come to */
    TgSubwordModel *model;
    TgEmbedding *sinusoidal; /* NULL when the model has a table of positions */
} Texbleu;

static const TgOption options[] = {
    TG_OPTION_STRING(Texbleu, model_name, "model", "default",
                     "folder of a tokenizer and its vectors; default is the one installed"),
    TG_OPTION_CHOICE(Texbleu, variant, "variant", "paper", variants,
                     "the paper's definition, or its repository's code"),
    TG_OPTION_INT(Texbleu, order, "order", "0", 0, TG_TEXBLEU_MAX_ORDER,
                  "longest n-grams; 0: the variant's (paper 3, repo 2)"),
    TG_OPTION_STRING(Texbleu, weights, "weights", "equal", "weight of each order, as 0.5/0.3/0.2"),
    TG_OPTION_DOUBLE(Texbleu, alpha, "alpha", "2", 0.01, 100,
                     "power of the distance of two tokens' vectors"),
    TG_OPTION_DOUBLE(Texbleu, beta, "beta", "0.1", 0, 1000, "factor of the distance of two places"),
    TG_OPTION_CHOICE(Texbleu, align, "align", "none", alignments,
                     "pair tokens by place, or by an optimal alignment"),
    TG_OPTION_DOUBLE(Texbleu, gap, "gap", "0.5", 0, 1,
                     "distance of a token without a partner (align=edit)"),
    TG_OPTION_CHOICE(Texbleu, position, "position", "variant", positions,
                     "distance of two places: sum or mean over the vectors, or of the indices"),
    TG_OPTION_DOUBLE(Texbleu, position_scale, "position-scale", "0", 0, 1e6,
                     "factor of the position vectors; 0: the variant's (paper 1, repo 100)"),
    TG_OPTION_CHOICE(Texbleu, spacing, "spacing", "variant", spacings,
                     "how blanks are set before tokens are cut"),
    TG_TEXT_OPTION_NORMALIZE(Texbleu, form),
    TG_OPTION_INT(Texbleu, max_tokens, "max-tokens", "-1", -1, G_MAXINT,
                  "use so many tokens of a text; 0: all, -1: the variant's (paper all, repo 512)"),
    TG_OPTION_INT(Texbleu, digits, "digits", "-1", -1, 10,
                  "round to so many decimals; 0: no rounding, -1: the variant's (paper 0, repo 4)"),
    TG_OPTION_BOOL(Texbleu, brevity, "brevity", "no",
                   "multiply by BLEU's brevity penalty, which the paper tried and rejected"),
    { 0 },
};

static const TgColumn columns[] = {
    { "texbleu", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "TeXBLEU" },
    { 0 },
};

/* ---- options ---- */

static gboolean set_weights(Texbleu *self, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(self->weights, "/", -1);
    gboolean good = g_strv_length(parts) == self->rule.order;
    double sum = 0.0;

    if (strcmp(self->weights, "equal") == 0) {
        for (guint n = 0; n < self->rule.order; n++)
            self->rule.weights[n] = 1.0;
        return TRUE;
    }
    for (guint n = 0; good && n < self->rule.order; n++) {
        good = tg_number_parse(parts[n], &self->rule.weights[n]) && self->rule.weights[n] > 0;
        sum += self->rule.weights[n];
    }
    if (good && fabs(sum - 1.0) <= 0.001)
        return TRUE;
    g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                "texbleu: weights must be %u positive numbers whose sum is 1, as 0.6/0.4, not '%s'",
                self->rule.order, self->weights);
    return FALSE;
}

/* Put the variant's value where an option leaves it open. */
static void settle_variant(Texbleu *self)
{
    const gboolean repo = self->variant == VARIANT_REPO;

    if (self->order == 0)
        self->order = repo ? 2 : 3;
    if (self->position == 0)
        self->position = 1 + (repo ? TG_POSITION_MEAN : TG_POSITION_L1);
    if (self->position_scale == 0.0)
        self->position_scale = repo ? 100.0 : 1.0;
    if (self->spacing == 0)
        self->spacing = 1 + (repo ? TG_TEXBLEU_SPACING_REPO : TG_TEXBLEU_SPACING_PAPER);
    if (self->max_tokens < 0)
        self->max_tokens = repo ? 512 : 0;
    if (self->digits < 0)
        self->digits = repo ? 4 : 0;
    self->rule = (TgTexbleuRule){
        .order = (guint) self->order,
        .alpha = self->alpha,
        .beta = self->beta,
        .position = (TgPositionDistance) (self->position - 1),
        .position_scale = self->position_scale,
        .floor = repo ? 1e-10 : 0.0,
        .keep_orders = repo,
    };
}

/* The positions of Vaswani et al. (2017), section 3.5, scaled to length 1 as our token vectors. */
static TgEmbedding *sinusoidal_positions(guint32 dim)
{
    g_autofree float *values = g_new(float, (gsize) SINUSOIDAL_ROWS *dim);
    const double scale = sqrt(2.0 / dim);

    for (guint32 row = 0; row < SINUSOIDAL_ROWS; row++)
        for (guint32 i = 0; i < dim; i++) {
            const double angle = row / pow(10000.0, (double) (i - i % 2) / dim);
            values[(gsize) row * dim + i] =
                (float) (scale * (i % 2 == 0 ? sin(angle) : cos(angle)));
        }
    return tg_embedding_new_from_values(values, SINUSOIDAL_ROWS, dim);
}

static gboolean init(gpointer instance, GError **error)
{
    Texbleu *self = instance;
    const gboolean preset = strcmp(self->model_name, "default") == 0;
    g_autofree char *folder =
        preset ? tg_datadir_find(DEFAULT_MODEL, error) : g_strdup(self->model_name);

    settle_variant(self);
    if (folder == NULL || !set_weights(self, error) || !tg_text_form_init(&self->form, error))
        return FALSE;
    self->model = tg_subword_model_load(folder, error);
    if (self->model == NULL)
        return FALSE;
    if (self->model->positions == NULL)
        self->sinusoidal = sinusoidal_positions(tg_embedding_dim(self->model->tokens));
    return TRUE;
}

static void clear(gpointer instance)
{
    Texbleu *self = instance;

    tg_embedding_free(self->sinusoidal);
    tg_subword_model_free(self->model);
}

/* ---- a pair ---- */

static gpointer make_encoder(gpointer bpe)
{
    return tg_bpe_encoder_new(bpe);
}

static void free_encoder(gpointer encoder)
{
    tg_bpe_encoder_free(encoder);
}

/* The token ids of a text, in memory of @env; NULL with @error. */
static guint32 *encode(const Texbleu *self, TgEnv *env, const char *text, guint *n, GError **error)
{
    TgBpeEncoder *encoder = tg_env_local(env, self->model->bpe, make_encoder, free_encoder);
    const TgTexbleuSpacing spacing = (TgTexbleuSpacing) (self->spacing - 1);

    text = tg_text_form_apply(&self->form, env, text, TG_CANONICAL_COMPACT);
    gsize len = strlen(text);
    if (spacing != TG_TEXBLEU_SPACING_NONE) {
        char *spaced = tg_env_scratch(env, TG_TEXBLEU_SPACED_MAX(len));
        len = tg_texbleu_space(spacing, text, len, spaced);
        text = spaced;
    }
    const TgSubword *subwords = tg_bpe_encode(encoder, text, len, n, error);
    if (subwords == NULL)
        return NULL;
    if (self->max_tokens > 0)
        *n = MIN(*n, (guint) self->max_tokens);
    guint32 *ids = tg_env_scratch(env, (*n + 1) * sizeof *ids);
    for (guint i = 0; i < *n; i++)
        ids[i] = subwords[i].id;
    return ids;
}

/* The paper's pairing: the i-th token with the i-th. */
static const TgTexbleuColumn *pair_by_place(TgEnv *env, guint n_ref, guint n_hyp, guint *n)
{
    TgTexbleuColumn *pairs = tg_env_scratch(env, (MIN(n_ref, n_hyp) + 1) * sizeof *pairs);

    *n = MIN(n_ref, n_hyp);
    for (guint i = 0; i < *n; i++)
        pairs[i] = (TgTexbleuColumn){ (gint32) i, (gint32) i };
    return pairs;
}

/* What came of one reference and the hypothesis. */
typedef struct {
    double score;
    double similarities[TG_TEXBLEU_MAX_ORDER];
    const TgTexbleuColumn *pairs;
    const double *distances;
    guint n;
} Comparison;

static double brevity_penalty(guint n_ref, guint n_hyp)
{
    return n_hyp >= n_ref ? 1.0 : n_hyp == 0 ? 0.0 : exp(1.0 - (double) n_ref / n_hyp);
}

static double round_decimals(double value, gint digits)
{
    char format[8], text[32];

    if (digits == 0)
        return value;
    /* As printf rounds: exactly, by the double's own decimal expansion. */
    g_snprintf(format, sizeof format, "%%.%df", digits);
    return g_ascii_strtod(g_ascii_formatd(text, sizeof text, format, value), NULL);
}

static gboolean compare(const Texbleu *self, TgEnv *env, const guint32 *ref, guint n_ref,
                        const guint32 *hyp, guint n_hyp, Comparison *out, GError **error)
{
    const TgEmbedding *places =
        self->sinusoidal != NULL ? self->sinusoidal : self->model->positions;

    out->pairs = self->align == ALIGN_NONE
                     ? pair_by_place(env, n_ref, n_hyp, &out->n)
                     : tg_texbleu_align(env, &self->rule, self->model->tokens, ref, n_ref, hyp,
                                        n_hyp, self->gap, &out->n, error);
    if (out->pairs == NULL)
        return FALSE;
    double *distances = tg_env_scratch(env, (out->n + 1) * sizeof *distances);
    for (guint i = 0; i < out->n; i++) {
        const TgTexbleuColumn pair = out->pairs[i];
        distances[i] = self->gap;
        if (pair.ref != TG_TEXBLEU_NONE && pair.hyp != TG_TEXBLEU_NONE)
            distances[i] =
                tg_texbleu_distance(&self->rule, self->model->tokens, places,
                                    (TgPlacedToken){ ref[pair.ref], (guint32) pair.ref },
                                    (TgPlacedToken){ hyp[pair.hyp], (guint32) pair.hyp });
    }
    out->distances = distances;
    out->score = tg_texbleu_score(&self->rule, distances, out->n, out->similarities);
    if (n_ref == 0 || n_hyp == 0)
        out->score = n_ref == n_hyp ? 1.0 : 0.0;
    if (self->brevity)
        out->score *= brevity_penalty(n_ref, n_hyp);
    out->score = round_decimals(fmin(out->score, 1.0), self->digits);
    return TRUE;
}

/* Similarity of every order (those in use), and (reference token, hypothesis token, distance). */
static GVariant *describe(const Texbleu *self, const Comparison *best)
{
    GVariantBuilder similarities, pairs;

    g_variant_builder_init(&similarities, G_VARIANT_TYPE("ad"));
    for (guint n = 0; n < self->rule.order; n++)
        if (!isnan(best->similarities[n]))
            g_variant_builder_add(&similarities, "d", best->similarities[n]);
    g_variant_builder_init(&pairs, G_VARIANT_TYPE("a(iid)"));
    for (guint i = 0; i < best->n; i++)
        g_variant_builder_add(&pairs, "(iid)", best->pairs[i].ref, best->pairs[i].hyp,
                              best->distances[i]);
    return g_variant_new("(ada(iid))", &similarities, &pairs);
}

static gboolean score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                      GError **error)
{
    const Texbleu *self = instance;
    guint n_hyp, n_ref;
    const guint32 *hyp = encode(self, env, pair->hyp, &n_hyp, error);
    Comparison best = { .score = -1.0 };

    if (hyp == NULL)
        return FALSE;
    for (guint r = 0; r < pair->n_refs; r++) {
        const guint32 *ref = encode(self, env, pair->refs[r], &n_ref, error);
        Comparison one;
        if (ref == NULL || !compare(self, env, ref, n_ref, hyp, n_hyp, &one, error))
            return FALSE;
        if (one.score > best.score)
            best = one;
    }
    tg_result_set(out, 0, best.score);
    if (tg_result_wants_detail(out))
        tg_result_take_detail(out, describe(self, &best));
    return TRUE;
}

const TgMetricInfo tg_metric_texbleu = {
    .abi = TG_METRIC_ABI,
    .name = "texbleu",
    .version = "1",
    .summary = "TeXBLEU: n-grams of subwords compared by their embeddings",
    .citation = "Jung et al. 2024, arXiv:2409.06639",
    .columns = columns,
    .options = options,
    .instance_size = sizeof(Texbleu),
    .init = init,
    .clear = clear,
    .score = score,
};
