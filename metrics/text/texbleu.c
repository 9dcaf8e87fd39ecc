/* TeXBLEU: n-grams of subwords, compared by the distance of the tokens' vectors instead of by
 * equality. */
#include <texgauge/metric.h>

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "core/utf8.h"
#include "metrics/text/text.h"
#include "tokenizer/subword/subword_model.h"

/* ---- Equations (1) and (2) ------------------------------------------------------------------- */

/* Of equation (1). */
#define BETA 0.1

double tg_texbleu_distance(const TgTexbleuRule *rule, const TgEmbedding *tokens,
                           const TgEmbedding *positions, TgPlacedToken a, TgPlacedToken b)
{
    /* Rounding may leave a distance just below 0, of which no power should be taken. */
    const double cosine = fmax(tg_embedding_cosine_distance(tokens, a.id, b.id), 0.0);
    const double token = cosine * cosine;

    if (a.place == b.place)
        return token / 2.0;
    const guint32 last = positions->rows - 1;
    double place = tg_embedding_l1_distance(positions, MIN(a.place, last), MIN(b.place, last));
    if (rule->position == TG_POSITION_MEAN)
        place /= positions->dim;
    return (token + tanh(BETA * (rule->position_scale * place))) / 2.0;
}

/* 1 - the mean distance over all n-grams of length @order and their tokens. */
static double order_similarity(const double *distances, guint n, guint order)
{
    const guint n_grams = n - order + 1;
    double sum = 0.0;

    for (guint i = 0; i < n; i++) {
        const guint covers = MIN(MIN(i + 1, n - i), MIN(order, n_grams));
        sum += covers * distances[i];
    }
    return 1.0 - sum / ((double) n_grams * order);
}

double tg_texbleu_score(const TgTexbleuRule *rule, const double *distances, guint n,
                        double *similarities)
{
    double sum = 0.0;
    guint n_used = 0;

    for (guint order = 1; order <= rule->order; order++) {
        double *sim = &similarities[order - 1];
        if (order > n && !rule->keep_orders) {
            *sim = NAN;
            continue;
        }
        *sim = order > n ? 0.0 : order_similarity(distances, n, order);
        n_used++;
        sum += log(fmax(*sim, rule->floor)); /* log 0 makes the score 0 */
    }
    return n > 0 && n_used > 0 ? exp(sum / n_used) : 0.0;
}

/* ---- Alignment ------------------------------------------------------------------------------- */

/* The cost of a change: the distance of the tokens without their positions. */
typedef struct {
    const TgTexbleuRule *rule;
    const TgEmbedding *tokens;
    TgSequence ref, hyp;
} Alignment;

static double pair_cost(gconstpointer data, guint32 ref, guint32 hyp)
{
    const Alignment *self = data;

    return tg_texbleu_distance(self->rule, self->tokens, NULL,
                               (TgPlacedToken){ self->ref.ids[ref], 0 },
                               (TgPlacedToken){ self->hyp.ids[hyp], 0 });
}

const guint8 *tg_texbleu_align(TgEnv *env, const TgTexbleuRule *rule, const TgEmbedding *tokens,
                               TgSequence ref, TgSequence hyp, double gap, guint *n, GError **error)
{
    const Alignment alignment = { rule, tokens, ref, hyp };
    const gsize size = (gsize) ref.n + hyp.n + 1;

    if (((gsize) ref.n + 1) * ((gsize) hyp.n + 1) > TG_TEXBLEU_MAX_CELLS)
        return tg_null(error, TG_ERROR_DATA,
                       "too long to align: %u tokens with %u; align=none takes any length", ref.n,
                       hyp.n);
    guint8 *path = tg_env_scratch(env, size);
    guint64 *items = tg_env_scratch(env, size * sizeof *items);
    double *gaps = tg_env_scratch(env, size * sizeof *gaps);
    for (guint k = 0; k < ref.n + hyp.n; k++) {
        items[k] = k < ref.n ? ref.ids[k] : hyp.ids[k - ref.n];
        gaps[k] = gap;
    }
    const TgWeighted weighted = { .items = items,
                                  .costs = gaps,
                                  .n_ref = ref.n,
                                  .n_hyp = hyp.n,
                                  .change = pair_cost,
                                  .data = &alignment,
                                  .effort = 20 };
    *n = tg_weighted_align(&weighted, path);
    return path;
}

/* ---- Spaces before commands ------------------------------------------------------------------ */

static gsize space_as_repo(const char *text, gsize len, char *out)
{
    gsize n = 0;

    for (gsize i = 0; i < len; i++) {
        if (text[i] == '\\' && (i == 0 || text[i - 1] != ' '))
            out[n++] = ' ';
        out[n++] = text[i];
    }
    return n;
}

static gsize space_as_paper(const char *text, gsize len, char *out)
{
    gboolean wants_space = FALSE; /* before the next character, unless it is the first */
    gboolean in_command = FALSE;  /* the character before was a backslash that starts a command */
    gsize n = 0;
    guint size;

    for (gsize i = 0; i < len; i += size) {
        gunichar c;
        size = tg_utf8_decode(text + i, len - i, &c);
        if (tg_is_space(c)) {
            wants_space = TRUE;
            in_command = FALSE;
            continue;
        }
        const gboolean starts_command = c == '\\' && !in_command;
        if ((wants_space || starts_command) && n > 0)
            out[n++] = ' ';
        for (guint k = 0; k < size; k++)
            out[n++] = text[i + k];
        wants_space = FALSE;
        in_command = starts_command;
    }
    return n;
}

gsize tg_texbleu_space(TgTexbleuSpacing spacing, const char *text, gsize len, char *out)
{
    return spacing == TG_TEXBLEU_SPACING_REPO ? space_as_repo(text, len, out)
                                              : space_as_paper(text, len, out);
}

/* ---- The metric ------------------------------------------------------------------------------ */

#define DEFAULT_MODEL "models/texbleu-default"

/* Rows of the position table for a model without one. */
#define SINUSOIDAL_ROWS 1024

static const char *const variants[] = { "paper", "repo", NULL };
static const char *const alignments[] = { "none", "edit", NULL };

enum { ALIGN_NONE, ALIGN_EDIT };

/* Distance of a token without a partner: what two unrelated tokens at one place cost. */
#define GAP 0.5

/* By variant: the paper's, and what its repository's new_metric.py computes. */
static const TgTexbleuRule rules[] = {
    { .spacing = TG_TEXBLEU_SPACING_PAPER,
      .order = 3,
      .position = TG_POSITION_L1,
      .position_scale = 1.0 },
    { .spacing = TG_TEXBLEU_SPACING_REPO,
      .max_tokens = 512,
      .order = 2,
      .position = TG_POSITION_MEAN,
      .position_scale = 100.0,
      .floor = 1e-10,
      .keep_orders = TRUE,
      .four_decimals = TRUE },
};

typedef struct {
    char *model_name;
    gint variant;
    gint align;
    TgTextForm form;
    gboolean brevity;

    const TgTexbleuRule *rule;
    TgSubwordModel *model;
    TgEmbedding *sinusoidal; /* NULL when the model has a table of positions */
} Texbleu;

static const TgOption options[] = {
    TG_OPTION_STRING(Texbleu, model_name, "model", "default",
                     "folder of a tokenizer and its vectors; default is the one installed"),
    TG_OPTION_CHOICE(Texbleu, variant, "variant", "paper", variants,
                     "the paper's definition, or its repository's code"),
    TG_OPTION_CHOICE(Texbleu, align, "align", "none", alignments,
                     "pair tokens by place, or by an optimal alignment"),
    TG_TEXT_OPTION_NORMALIZE(Texbleu, form),
    TG_OPTION_BOOL(Texbleu, brevity, "brevity", "no",
                   "multiply by BLEU's brevity penalty, which the paper tried and rejected"),
    { 0 },
};

static const TgColumn columns[] = {
    { "texbleu", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "TeXBLEU" },
    { 0 },
};

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

static gboolean texbleu_init(gpointer instance, GError **error)
{
    Texbleu *self = instance;
    const gboolean preset = strcmp(self->model_name, "default") == 0;
    g_autofree char *folder =
        preset ? tg_datadir_find(DEFAULT_MODEL, error) : g_strdup(self->model_name);

    self->rule = &rules[self->variant];
    if (folder == NULL || !tg_text_form_init(&self->form, error))
        return FALSE;
    self->model = tg_subword_model_load(folder, error);
    if (self->model == NULL)
        return FALSE;
    if (self->model->positions == NULL)
        self->sinusoidal = sinusoidal_positions(self->model->tokens->dim);
    return TRUE;
}

static void texbleu_clear(gpointer instance)
{
    Texbleu *self = instance;

    tg_embedding_free(self->sinusoidal);
    tg_subword_model_free(self->model);
}

/* ---- A pair ---------------------------------------------------------------------------------- */

/* The token ids of a text, in memory of @env. */
static gboolean texbleu_encode(const Texbleu *self, TgEnv *env, const char *text, TgSequence *out,
                               GError **error)
{
    TgBpeEncoder *encoder = tg_env_local(env, self->model->bpe, (TgLocalMake) tg_bpe_encoder_new,
                                         (GDestroyNotify) tg_bpe_encoder_free);
    guint n;

    text = tg_text_form_apply(&self->form, env, text, TG_CANONICAL_COMPACT);
    char *spaced = tg_env_scratch(env, TG_TEXBLEU_SPACED_MAX(strlen(text)));
    const gsize len = tg_texbleu_space(self->rule->spacing, text, strlen(text), spaced);
    const TgSubword *subwords = tg_bpe_encode(encoder, spaced, len, &n, error);
    if (subwords == NULL)
        return FALSE;
    if (self->rule->max_tokens > 0)
        n = MIN(n, self->rule->max_tokens);
    guint32 *ids = tg_env_scratch(env, (n + 1) * sizeof *ids);
    for (guint i = 0; i < n; i++)
        ids[i] = subwords[i].id;
    *out = (TgSequence){ ids, n, tg_bpe_id_bound(self->model->bpe) };
    return TRUE;
}

/* The hypothesis against one reference. */
typedef struct {
    double score;
    double similarities[TG_TEXBLEU_MAX_ORDER];
    const guint8 *path; /* of TgWeightedStep */
    double *distances;  /* of each step */
    guint n;
} Comparison;

static gboolean texbleu_compare(const Texbleu *self, TgEnv *env, TgSequence ref, TgSequence hyp,
                                Comparison *out, GError **error)
{
    const TgTexbleuRule *rule = self->rule;
    const TgEmbedding *tokens = self->model->tokens;
    const TgEmbedding *places =
        self->sinusoidal != NULL ? self->sinusoidal : self->model->positions;
    guint32 i = 0, j = 0;
    char rounded[32];

    if (self->align == ALIGN_EDIT) {
        out->path = tg_texbleu_align(env, rule, tokens, ref, hyp, GAP, &out->n, error);
        if (out->path == NULL)
            return FALSE;
    } else { /* the paper pairs the i-th token with the i-th */
        out->n = MIN(ref.n, hyp.n);
        out->path = memset(tg_env_scratch(env, out->n + 1), TG_STEP_CHANGE, out->n);
    }
    out->distances = tg_env_scratch(env, (out->n + 1) * sizeof *out->distances);
    for (guint k = 0; k < out->n; k++) {
        const guint8 step = out->path[k];

        out->distances[k] = GAP;
        if (step == TG_STEP_CHANGE)
            out->distances[k] =
                tg_texbleu_distance(rule, tokens, places, (TgPlacedToken){ ref.ids[i], i },
                                    (TgPlacedToken){ hyp.ids[j], j });
        i += step != TG_STEP_ADDITION;
        j += step != TG_STEP_LOSS;
    }
    out->score = tg_texbleu_score(rule, out->distances, out->n, out->similarities);
    if (ref.n == 0 || hyp.n == 0)
        out->score = ref.n == hyp.n ? 1.0 : 0.0;
    if (self->brevity)
        out->score *= tg_brevity_penalty(hyp.n, ref.n);
    out->score = fmin(out->score, 1.0);
    if (self->rule->four_decimals) /* as printf rounds: by the double's own expansion */
        out->score =
            g_ascii_strtod(g_ascii_formatd(rounded, sizeof rounded, "%.4f", out->score), NULL);
    return TRUE;
}

/* Similarity of every order (those in use), and (reference token, hypothesis token, distance), with
 * -1 for no token. */
static GVariant *texbleu_describe(const Texbleu *self, const Comparison *comparison)
{
    GVariantBuilder similarities, pairs;
    gint32 i = 0, j = 0;

    g_variant_builder_init(&similarities, G_VARIANT_TYPE("ad"));
    for (guint n = 0; n < self->rule->order; n++)
        if (!isnan(comparison->similarities[n]))
            g_variant_builder_add(&similarities, "d", comparison->similarities[n]);
    g_variant_builder_init(&pairs, G_VARIANT_TYPE("a(iid)"));
    for (guint k = 0; k < comparison->n; k++)
        g_variant_builder_add(&pairs, "(iid)", comparison->path[k] != TG_STEP_ADDITION ? i++ : -1,
                              comparison->path[k] != TG_STEP_LOSS ? j++ : -1,
                              comparison->distances[k]);
    return g_variant_new("(ada(iid))", &similarities, &pairs);
}

static gboolean texbleu_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                              GError **error)
{
    const Texbleu *self = instance;
    TgSequence hyp, ref;
    Comparison comparison;

    if (!texbleu_encode(self, env, pair->hyp, &hyp, error) ||
        !texbleu_encode(self, env, pair->refs[0], &ref, error) ||
        !texbleu_compare(self, env, ref, hyp, &comparison, error))
        return FALSE;
    tg_result_set(out, 0, comparison.score);
    if (tg_result_wants_detail(out))
        tg_result_take_detail(out, texbleu_describe(self, &comparison));
    return TRUE;
}

const TgMetricInfo tg_metric_texbleu = {
    .abi = TG_METRIC_ABI,
    .name = "texbleu",
    .version = "4",
    .summary = "TeXBLEU: n-grams of subwords compared by their embeddings",
    .citation = "Jung et al. 2024, arXiv:2409.06639",
    .columns = columns,
    .options = options,
    .each_reference = TRUE,
    .instance_size = sizeof(Texbleu),
    .init = texbleu_init,
    .clear = texbleu_clear,
    .score = texbleu_score,
};
