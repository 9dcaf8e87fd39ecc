/* Metrics on pairs made for this project: what looks the same, and what does not. */
#include "cli/challenge.h"

#include <math.h>
#include <string.h>

#include <texgauge/scorer.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "core/json.h"
#include "eval/grid/grid.h"

#define METRICS                                                                                    \
    "forte,cdm,cdm-strict,edit,cer,bleu,chrf,texbleu,exprate,exprate:normalize=canonical"

enum { KIND, SEVERITY, MADE_BY, REASON, TRUTH, PREDICTION, N_FIELDS };

/* The kinds in the order of the columns. */
static const char *const kinds[] = { "same", "visible", "moved", "broken" };

enum { SAME, N_KINDS = G_N_ELEMENTS(kinds) };

/* One pair of the file; strings are of its fields. */
typedef struct {
    guint kind;
    guint severity;
    const char *truth, *prediction;
} ChallengePair;

typedef struct {
    GPtrArray *lines; /* of GStrv */
    GArray *pairs;    /* of ChallengePair, those of one truth are neighbours or not */
} Challenge;

static void challenge_clear(Challenge *self)
{
    g_ptr_array_unref(self->lines);
    g_array_unref(self->pairs);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Challenge, challenge_clear)

/* ---- The file ---- */

static gboolean challenge_add(Challenge *self, const char *path, guint number, const char *line,
                              GError **error)
{
    g_auto(GStrv) fields = g_strsplit(line, "\t", -1);
    ChallengePair pair = { .kind = 0 };

    if (g_strv_length(fields) == N_FIELDS) {
        while (pair.kind < N_KINDS && strcmp(fields[KIND], kinds[pair.kind]) != 0)
            pair.kind++;
        pair.severity = (guint) g_ascii_strtoull(fields[SEVERITY], NULL, 10);
    }
    if (g_strv_length(fields) != N_FIELDS || pair.kind == N_KINDS)
        return tg_fail_input(error, "%s:%u: no pair of a challenge", path, number);
    pair.truth = fields[TRUTH];
    pair.prediction = fields[PREDICTION];
    g_array_append_val(self->pairs, pair);
    g_ptr_array_add(self->lines, g_steal_pointer(&fields));
    return TRUE;
}

static gboolean challenge_read(Challenge *self, GError **error)
{
    g_autofree char *path = tg_datadir_find("challenge.tsv", error);
    g_autofree char *text = NULL;

    self->lines = g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
    self->pairs = g_array_new(FALSE, FALSE, sizeof(ChallengePair));
    if (path == NULL || !g_file_get_contents(path, &text, NULL, error))
        return FALSE;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        if (lines[i][0] != '#' && lines[i][0] != '\0' &&
            !challenge_add(self, path, i + 1, lines[i], error))
            return FALSE;
    }
    return TRUE;
}

static const ChallengePair *pair_at(const Challenge *self, guint i)
{
    return &g_array_index(self->pairs, ChallengePair, i);
}

/* ---- What a metric makes of it ---- */

/* The values so that higher is better. A pair without a value has the worst. */
static double *oriented(const TgBatch *batch, const TgColumn *column, guint index)
{
    const double *values = tg_batch_column(batch, index);
    const gsize n = tg_batch_n_pairs(batch);
    double *out = g_new(double, n);

    for (gsize i = 0; i < n; i++)
        out[i] = isnan(values[i])                          ? -G_MAXDOUBLE
                 : column->direction == TG_LOWER_IS_BETTER ? -values[i]
                                                           : values[i];
    return out;
}

/* How many pairs of a kind are as they should: at the value of the truth itself, which stands
 * behind all predictions, or below it. */
static double share_right(const Challenge *self, const double *values, guint kind, guint *n)
{
    guint right = 0;

    *n = 0;
    for (guint i = 0; i < self->pairs->len; i++) {
        if (pair_at(self, i)->kind != kind)
            continue;
        ++*n;
        right += (values[i] >= values[self->pairs->len + i] - 1e-9) == (kind == SAME);
    }
    return *n > 0 ? (double) right / *n : NAN;
}

/* Of every two predictions for one truth, of different severity: how often the milder scores
 * higher; a tie is half. */
static double share_ordered(const Challenge *self, const double *values, guint *n)
{
    double right = 0;

    *n = 0;
    for (guint i = 0; i < self->pairs->len; i++) {
        for (guint k = i + 1; k < self->pairs->len; k++) {
            const ChallengePair *a = pair_at(self, i), *b = pair_at(self, k);

            if (a->severity == b->severity || strcmp(a->truth, b->truth) != 0)
                continue;
            ++*n;
            right += fabs(values[i] - values[k]) <= 1e-12                     ? 0.5
                     : (a->severity < b->severity) == (values[i] > values[k]) ? 1
                                                                              : 0;
        }
    }
    return *n > 0 ? right / *n : NAN;
}

static void put_share(TgGrid *grid, double share)
{
    tg_grid_put_number(grid, share, 3);
    tg_grid_share(grid);
}

static TgGrid *challenge_grid(const Challenge *self, const TgScorer *scorer, const TgBatch *batch)
{
    static const TgGridColumn columns[] = {
        { "metric", "metric", "metric" },        { "same = 1", "same", "same" },
        { "visible < 1", "visible", "visible" }, { "moved < 1", "moved", "moved" },
        { "broken < 1", "broken", "broken" },    { "order", "order", "order" },
        { NULL, "signature", "signature" },
    };
    TgGrid *grid = tg_grid_new(NULL, 1);
    guint n[N_KINDS] = { 0 }, n_ordered = 0, column = 0;

    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    for (guint m = 0; m < tg_scorer_n_metrics(scorer); m++) {
        const TgMetric *metric = tg_scorer_metric(scorer, m);
        g_autofree double *values = oriented(batch, tg_scorer_column(scorer, column), column);

        tg_grid_put(grid, tg_scorer_column_name(scorer, column));
        for (guint k = 0; k < N_KINDS; k++)
            put_share(grid, share_right(self, values, k, &n[k]));
        put_share(grid, share_ordered(self, values, &n_ordered));
        tg_grid_put(grid, tg_metric_signature(metric));
        column += tg_metric_n_columns(metric);
    }
    tg_grid_note(
        grid,
        "= 1: as high as the truth against itself. %u pairs that look the same, %u visible "
        "edits,",
        n[0], n[1]);
    tg_grid_note(
        grid,
        "%u with moved parts, %u that do not compile; order: of %u times two predictions for "
        "one truth,",
        n[2], n[3], n_ordered);
    tg_grid_note(
        grid,
        "the milder error scores higher, a tie is half. What a metric cannot score is worst.");
    return grid;
}

/* ---- The command ---- */

static gboolean print_grid(const TgGrid *grid, const TgGridForm *form)
{
    g_autoptr(GString) out = g_string_new(NULL);

    if (form->style == TG_GRID_JSON) {
        json_t *all = json_pack("{s:s, s:o}", "version", tg_version(), "challenge",
                                tg_grid_rows_json(grid, form));
        tg_json_append(out, all);
        g_string_append_c(out, '\n');
        json_decref(all);
    } else {
        tg_grid_append(out, grid, form);
    }
    return cli_print(out->str) == EXIT_DONE;
}

gboolean cli_challenge(const CliScoring *scoring, const TgGridForm *form, GError **error)
{
    const TgScorerOptions options = { .size = sizeof options, .undefined = TG_UNDEFINED_SKIP };
    const TgBatchOptions batch_options = { .size = sizeof batch_options,
                                           .threads = (guint) scoring->threads };
    g_auto(Challenge) challenge = { 0 };

    if (!challenge_read(&challenge, error))
        return FALSE;
    g_autoptr(TgScorer) scorer =
        tg_scorer_new(scoring->metrics != NULL ? scoring->metrics : METRICS, &options, error);
    if (scorer == NULL)
        return FALSE;
    g_autofree TgPair *pairs = g_new0(TgPair, 2 * (gsize) challenge.pairs->len + 1);
    for (guint i = 0; i < challenge.pairs->len; i++) {
        ChallengePair *pair = &g_array_index(challenge.pairs, ChallengePair, i);
        pairs[i] = (TgPair){ "", &pair->truth, 1, pair->prediction };
        pairs[challenge.pairs->len + i] = (TgPair){ "", &pair->truth, 1, pair->truth };
    }
    g_autoptr(TgBatch) batch =
        tg_scorer_score(scorer, pairs, 2 * (gsize) challenge.pairs->len, &batch_options, error);
    if (batch == NULL)
        return FALSE;
    g_autoptr(TgGrid) grid = challenge_grid(&challenge, scorer, batch);
    return print_grid(grid, form);
}
