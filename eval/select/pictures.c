/* Choosing pairs of a results file and drawing them again. */
#include "eval/select/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "core/random.h"
#include "eval/results/results.h"
#include "eval/select/picture_folder.h"
#include "metrics/metric.h"
#include "render/pictures/pair_picture.h"

static const char preset[] = "worst:100";

typedef enum { ALL, WORST, MEDIAN, RANDOM } Choice;

/* What `only` says. */
typedef struct {
    Choice choice;
    guint n;
    guint64 seed;
} Only;

/* A pair with a score; the lowest key is the worst. */
typedef struct {
    guint64 number; /* of the pair in the file, from 0 */
    double key;
} Candidate;

/* One call of tg_pictures_write(). */
typedef struct {
    const char *results;
    const TgPicturesOptions *options;
    Only only;
    GHashTable *places; /* number to place + 1; NULL: all pairs as they come */
    TgEnv *env;
    TgRenderer *renderer;
    TgPictureFolder *folder;
    guint metric; /* of the layout */
    guint64 n_done, n_drawn;
} Job;

/* ---- which pairs ----------------------------------------------------------------------------- */

static gboolean parse_only(const char *text, Only *only, GError **error)
{
    static const char *const names[] = { "all", "worst", "median", "random" };
    g_auto(GStrv) parts = g_strsplit(text, ":", 3);
    const guint n_parts = g_strv_length(parts);
    guint64 n = 0;
    gboolean good = FALSE;

    *only = (Only){ .seed = 1 };
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (n_parts > 0 && strcmp(parts[0], names[i]) == 0) {
            only->choice = (Choice) i;
            good = n_parts == (i == ALL ? 1 : 2) || (i == RANDOM && n_parts == 3);
        }
    if (good && n_parts > 1)
        good = g_ascii_string_to_unsigned(parts[1], 10, 1, G_MAXINT, &n, NULL);
    if (good && n_parts > 2)
        good = g_ascii_string_to_unsigned(parts[2], 10, 0, G_MAXUINT64, &only->seed, NULL);
    only->n = (guint) n;
    if (!good)
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                    "pairs to draw must be all, worst:N, median:N or random:N[:SEED], not '%s'",
                    text);
    return good;
}

static int pictures_compare(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;

    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->number > y->number) - (x->number < y->number);
}

/* The first @n of a shuffle, in their old order: the pairs of the seed. */
static guint keep_random(Candidate *list, guint n, const Only *only)
{
    const guint wanted = MIN(only->n, n);
    TgRandom random;

    tg_random_seed(&random, only->seed, 0);
    for (guint i = 0; i < wanted; i++) {
        const guint k = i + tg_random_below(&random, n - i);
        const Candidate other = list[k];

        list[k] = list[i];
        list[i] = other;
    }
    return wanted;
}

/* Put the wanted candidates at the start of the list, worst first; returns how many. */
static guint choose_candidates(GArray *candidates, const Only *only)
{
    Candidate *list = (Candidate *) (void *) candidates->data;
    guint n = candidates->len;

    if (n == 0)
        return 0;
    if (only->choice == RANDOM)
        n = keep_random(list, n, only);
    qsort(list, n, sizeof *list, pictures_compare);
    const guint wanted = MIN(only->n, n);
    if (only->choice == MEDIAN)
        memmove(list, list + (n - wanted) / 2, wanted * sizeof *list);
    return wanted;
}

static double score_of(const Job *job, const TgScoreLayout *layout, const TgResultsRow *row)
{
    return row->scores.columns[layout->first_column[job->metric]];
}

/* ---- the file -------------------------------------------------------------------------------- */

static gboolean find_metric(Job *job, const TgScoreLayout *layout, GError **error)
{
    for (guint m = 0; m < layout->metrics->len; m++) {
        const TgMetric *metric = layout->metrics->pdata[m];

        if (!tg_metric_has_picture(metric))
            continue;
        job->metric = m;
        return TRUE;
    }
    return tg_fail_usage(error, "%s: no metric of this run has pictures", job->results);
}

static gboolean each_row(Job *job,
                         gboolean (*visit)(Job *job, const TgScoreLayout *layout,
                                           const TgResultsRow *row, guint64 number, gpointer data,
                                           GError **error),
                         gpointer data, GError **error)
{
    g_autoptr(TgResultsReader) reader = tg_results_open(job->results, error);
    const TgResultsRow *row;

    if (reader == NULL)
        return FALSE;
    for (guint64 number = 0;; number++) {
        if (!tg_results_next(reader, &row, error))
            return FALSE;
        if (row == NULL)
            return TRUE;
        if (!visit(job, row->layout, row, number, data, error))
            return FALSE;
    }
}

/* @data: GArray of Candidate */
static gboolean collect_candidate(Job *job, const TgScoreLayout *layout, const TgResultsRow *row,
                                  guint64 number, gpointer data, GError **error)
{
    const TgMetricInfo *info = tg_metric_info(layout->metrics->pdata[job->metric]);
    const double score = score_of(job, layout, row);
    const Candidate candidate = { number, info->columns[0].direction == TG_HIGHER_IS_BETTER
                                              ? score
                                              : -score };

    (void) error;
    if (!isnan(score))
        g_array_append_val((GArray *) data, candidate);
    return TRUE;
}

static gboolean choose_places(Job *job, GError **error)
{
    g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(Candidate));

    if (job->only.choice == ALL)
        return TRUE;
    if (!each_row(job, collect_candidate, candidates, error))
        return FALSE;
    const guint n = choose_candidates(candidates, &job->only);
    job->places = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < n; i++)
        g_hash_table_insert(job->places,
                            GSIZE_TO_POINTER(g_array_index(candidates, Candidate, i).number),
                            GUINT_TO_POINTER(i + 1));
    return TRUE;
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* Which pair it is, beside the title. */
static void pictures_name(TgPairPicture *picture, const char *id, const char *model)
{
    const gboolean has_model = model != NULL && *model != '\0';
    g_autofree char *name =
        g_strconcat(*id != '\0' ? "id " : "", id, *id != '\0' && has_model ? ", " : "",
                    has_model ? "model " : "", has_model ? model : "", NULL);

    if (*name != '\0')
        tg_pair_picture_set_name(picture, name);
}

/* NULL with @error unset: the pair cannot be drawn, and @fault says why. */
static GBytes *draw_pair(const Job *job, const TgMetric *metric, const TgPair *pair,
                         const char *model, char **fault, GError **error)
{
    g_autoptr(TgPairPicture) picture = NULL;
    GError *trouble = NULL;

    if (pair->n_refs == 0) {
        *fault = g_strdup("no truth");
        return NULL;
    }
    picture = tg_metric_picture(metric, job->env, job->renderer, pair, &trouble);
    if (picture != NULL)
        pictures_name(picture, pair->id, model);
    if (picture != NULL) {
        TgPairPictureOptions how = TG_PAIR_PICTURE_OPTIONS_INIT;

        if (picture->notes->len > 0) /* which go by the numbers at the boxes */
            how.labels = TG_LABELS_WRONG;
        return tg_pair_picture_encode(picture, job->renderer, TG_FORMAT_SVG, &how, error);
    }
    if (g_error_matches(trouble, TG_ERROR, TG_ERROR_PARSE) ||
        g_error_matches(trouble, TG_ERROR, TG_ERROR_DATA)) {
        *fault = g_strdup(trouble->message);
        g_error_free(trouble);
    } else {
        g_propagate_error(error, trouble);
    }
    return NULL;
}

/* @data: guint, the place of the next pair where they come as they are */
static gboolean add_row(Job *job, const TgScoreLayout *layout, const TgResultsRow *row,
                        guint64 number, gpointer data, GError **error)
{
    const TgMetric *metric = layout->metrics->pdata[job->metric];
    const char *prediction = json_string_value(json_object_get(row->json, "pred"));
    guint n_truths, place = (*(guint *) data)++;
    g_autofree char *fault = NULL;

    if (job->places != NULL) {
        const guint found =
            GPOINTER_TO_UINT(g_hash_table_lookup(job->places, GSIZE_TO_POINTER((gsize) number)));
        if (found == 0)
            return TRUE;
        place = found - 1;
    }
    g_autofree const char **truths = tg_results_truths(row, &n_truths);
    const TgPair pair = { row->id != NULL ? row->id : "", truths, n_truths,
                          prediction != NULL ? prediction : "" };
    GError *trouble = NULL;
    g_autoptr(GBytes) picture = draw_pair(job, metric, &pair, row->model, &fault, &trouble);
    if (trouble != NULL) {
        g_propagate_error(error, trouble);
        return FALSE;
    }
    const TgPictureEntry entry = {
        .row = row->row,
        .id = row->id,
        .model = row->model,
        .truth = n_truths > 0 ? truths[0] : "",
        .prediction = pair.hyp,
        .score = score_of(job, layout, row),
        .fault = fault,
    };
    job->n_drawn += picture != NULL;
    job->n_done++;
    if (job->options->progress != NULL)
        job->options->progress(job->n_done,
                               job->places != NULL ? g_hash_table_size(job->places) : 0,
                               job->options->data);
    return tg_picture_folder_add(job->folder, &entry, place, picture, error);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static gboolean open_folder(Job *job, const char *only, const TgMetric *metric, GError **error)
{
    const TgPictureFolderInfo info = {
        .metric = tg_metric_signature(metric),
        .only = only,
        .n_places = job->places != NULL ? g_hash_table_size(job->places) : 0,
    };

    job->folder = tg_picture_folder_open(job->options->folder, &info, error);
    return job->folder != NULL;
}

static gboolean write_all(Job *job, const char *only, GError **error)
{
    g_autoptr(TgResultsReader) reader = tg_results_open(job->results, error);
    g_autoptr(TgFonts) fonts = NULL;
    guint place = 0;

    if (reader == NULL)
        return FALSE;
    const TgScoreLayout *layout = tg_results_layout(reader);
    if (!find_metric(job, layout, error) || !choose_places(job, error))
        return FALSE;
    fonts = tg_fonts_new(error);
    if (fonts == NULL || !open_folder(job, only, layout->metrics->pdata[job->metric], error))
        return FALSE;
    job->renderer = tg_renderer_new(fonts);
    job->env = tg_env_new();
    return each_row(job, add_row, &place, error) && tg_picture_folder_finish(job->folder, error);
}

gboolean tg_pictures_check(const char *only, const char *metrics, GError **error)
{
    g_autoptr(GPtrArray) list = NULL;
    Only parsed;

    if (!parse_only(only != NULL ? only : preset, &parsed, error))
        return FALSE;
    if (metrics == NULL)
        return TRUE;
    list = tg_metric_new_list(metrics, error);
    if (list == NULL)
        return FALSE;
    for (guint m = 0; m < list->len; m++)
        if (tg_metric_has_picture(list->pdata[m]))
            return TRUE;
    return tg_fail_usage(error, "none of the metrics '%s' draws pictures", metrics);
}

gboolean tg_pictures_write(const char *results, const TgPicturesOptions *options, guint64 *n_drawn,
                           GError **error)
{
    const char *only = options->only != NULL ? options->only : preset;
    Job job = { .results = results, .options = options };

    if (!parse_only(only, &job.only, error))
        return FALSE;
    const gboolean good = write_all(&job, only, error);
    *n_drawn = job.n_drawn;
    g_clear_pointer(&job.places, g_hash_table_unref);
    g_clear_pointer(&job.folder, tg_picture_folder_free);
    g_clear_pointer(&job.renderer, tg_renderer_free);
    g_clear_pointer(&job.env, tg_env_free);
    return good;
}
