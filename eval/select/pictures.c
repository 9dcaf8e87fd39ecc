/* Pairs of a results file drawn again, into a folder with its index. */
#include "eval/select/select.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/output.h"
#include "core/json.h"
#include "core/number.h"
#include "eval/results/results.h"
#include "metrics/metric.h"
#include "render/pictures/pair_picture.h"

enum { MAX_ID = 80 };

static const char preset[] = "worst:100";

extern const char tg_pictures_page[]; /* page.html; it loads nothing from outside the folder */

/* One call of tg_pictures_write(). */
typedef struct {
    const char *results;
    const TgPicturesOptions *options;
    const char *only;
    TgChoice choice;
    guint n_wanted;
    guint64 seed;
    GHashTable *places; /* number to place + 1; NULL: all pairs as they come */
    TgEnv *env;
    TgRenderer *renderer;
    TgOutput *list, *page; /* index.jsonl, index.html */
    GPtrArray *cards;      /* of the page, by place; NULL: written as they come */
    guint metric;          /* of the layout */
    guint64 n_done, n_drawn;
} Job;

/* ---- the folder ------------------------------------------------------------------------------ */

/* A path in the folder, where a file of the same kind may be replaced; (transfer full), or NULL. */
static char *place_file(const Job *job, const char *name, GError **error)
{
    static const char *const marks[] = { "<svg", "texgauge_pictures", "<title>Pairs</title>",
                                         NULL };
    g_autofree char *path = g_build_filename(job->options->folder, name, NULL);

    return tg_output_check(path, marks, "choose another folder", error) ? g_steal_pointer(&path)
                                                                        : NULL;
}

static TgOutput *create(const Job *job, const char *name, GError **error)
{
    g_autofree char *path = place_file(job, name, error);

    return path != NULL ? tg_output_open(path, error) : NULL;
}

static gboolean write_text(TgOutput *output, const char *text, GError **error)
{
    return fputs(text, output->file) >= 0 ||
           tg_fail(error, TG_ERROR_OUTPUT, "%s: %s", output->name, g_strerror(errno));
}

/* `000012-name.svg`: the row, and of @id what any file system takes. (transfer full) */
static char *picture_file_name(guint64 row, const char *id)
{
    GString *name = g_string_new(NULL);

    g_string_printf(name, "%06" G_GUINT64_FORMAT, row);
    if (id != NULL && *id != '\0') {
        g_string_append_c(name, '-');
        for (guint i = 0; i < MAX_ID && id[i] != '\0'; i++)
            g_string_append_c(name,
                              g_ascii_isalnum(id[i]) || strchr("_-.", id[i]) != NULL ? id[i] : '_');
    }
    g_string_append(name, ".svg");
    return g_string_free(name, FALSE);
}

static gboolean open_folder(Job *job, const char *signature, GError **error)
{
    json_auto_t *head = json_pack("{s:i, s:s, s:s}", "texgauge_pictures", 1, "metric", signature,
                                  "only", job->only);
    g_autoptr(GString) line = g_string_new(NULL), page = g_string_new(tg_pictures_page);
    g_autofree char *escaped = g_markup_escape_text(signature, -1);

    tg_json_append(line, head);
    g_string_append_c(line, '\n');
    g_string_truncate(page, (gsize) (strstr(page->str, "@cards@") - page->str));
    g_string_replace(page, "@only@", job->only, 1);
    g_string_replace(page, "@metric@", escaped, 1);
    if (job->places != NULL) {
        job->cards = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_set_size(job->cards, (gint) g_hash_table_size(job->places));
    }
    if (g_mkdir_with_parents(job->options->folder, 0777) != 0)
        return tg_fail(error, TG_ERROR_OUTPUT, "%s: %s", job->options->folder, g_strerror(errno));
    return (job->list = create(job, "index.jsonl", error)) != NULL &&
           (job->page = create(job, "index.html", error)) != NULL &&
           write_text(job->list, line->str, error) && write_text(job->page, page->str, error);
}

static gboolean finish_folder(Job *job, GError **error)
{
    for (guint i = 0; job->cards != NULL && i < job->cards->len; i++)
        if (job->cards->pdata[i] != NULL && !write_text(job->page, job->cards->pdata[i], error))
            return FALSE;
    return write_text(job->page, strstr(tg_pictures_page, "@cards@") + strlen("@cards@"), error) &&
           tg_output_finish(job->page, error) && tg_output_finish(job->list, error);
}

/* The card of a pair on the page; @name: of its picture's file; @fault: why it has none, or NULL.
 * (transfer full) */
static char *card_of(const TgResultsRow *row, const TgPair *pair, double value, const char *name,
                     const char *fault, guint place)
{
    const char *model = row->model != NULL ? row->model : "";
    char score[32] = "", rounded[32] = "no score";
    g_autofree char *shown =
        fault != NULL ? g_markup_printf_escaped("<p>%s</p>", fault)
                      : g_markup_printf_escaped("<a href=\"%s\"><img src=\"%s\" loading=\"lazy\" "
                                                "alt=\"picture of row %" G_GUINT64_FORMAT "\"></a>",
                                                name, name, row->row);

    if (!isnan(value)) {
        tg_number_format(value, score);
        g_ascii_formatd(rounded, sizeof rounded, "%.4f", value);
    }
    g_autofree char *texts = g_markup_printf_escaped(
        "<figure id=\"row-%" G_GUINT64_FORMAT "\" data-row=\"%" G_GUINT64_FORMAT
        "\" data-score=\"%s\" data-model=\"%s\">\n<figcaption><a href=\"#row-%" G_GUINT64_FORMAT
        "\">%u</a> <b>%s</b> <span>%s</span> <span>%s</span></figcaption>\n"
        "<dl><dt>reference</dt><dd><code>%s</code></dd>\n<dt>prediction</dt><dd><code>%s</code>"
        "</dd></dl>\n",
        row->row, row->row, score, model, row->row, place + 1, rounded, pair->id, model,
        pair->n_refs > 0 ? pair->refs[0] : "", pair->hyp);

    return g_strconcat(texts, shown, "\n</figure>\n", NULL);
}

/* ---- which pairs ----------------------------------------------------------------------------- */

static gboolean parse_only(Job *job, const char *text, GError **error)
{
    static const char *const names[] = { "all", "worst", "median", "random" };
    g_auto(GStrv) parts = g_strsplit(text, ":", 3);
    const guint n_parts = g_strv_length(parts);
    guint64 n = 0;
    gboolean good = FALSE;

    job->only = text;
    job->seed = 1;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (n_parts > 0 && strcmp(parts[0], names[i]) == 0) {
            job->choice = (TgChoice) i;
            good =
                n_parts == (i == TG_CHOOSE_ALL ? 1 : 2) || (i == TG_CHOOSE_RANDOM && n_parts == 3);
        }
    if (good && n_parts > 1)
        good = g_ascii_string_to_unsigned(parts[1], 10, 1, G_MAXINT, &n, NULL);
    if (good && n_parts > 2)
        good = g_ascii_string_to_unsigned(parts[2], 10, 0, G_MAXUINT64, &job->seed, NULL);
    job->n_wanted = (guint) n;
    return good || tg_fail_usage(error,
                                 "pairs to draw must be all, worst:N, median:N or "
                                 "random:N[:SEED], not '%s'",
                                 text);
}

/* Fill job->places, unless all pairs are wanted. */
static gboolean choose_places(Job *job, GError **error)
{
    g_autoptr(TgResultsReader) reader = tg_results_open(job->results, FALSE, error);
    g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(TgCandidate));
    const TgResultsRow *row;
    gboolean good;

    if (reader == NULL)
        return FALSE;
    const GPtrArray *metrics = reader->header->layout->metrics;
    while (job->metric < metrics->len && !tg_metric_has_picture(metrics->pdata[job->metric]))
        job->metric++;
    if (job->metric == metrics->len)
        return tg_fail_usage(error, "%s: no metric of this run has pictures", job->results);
    if (job->choice == TG_CHOOSE_ALL)
        return TRUE;
    for (guint64 number = 0; (good = tg_results_next(reader, &row, error)) && row != NULL;
         number++) {
        const guint column = row->layout->first_column[job->metric];
        const double score = row->scores.columns[column];
        const TgCandidate candidate = {
            .number = number,
            .a = row->layout->columns[column]->direction == TG_HIGHER_IS_BETTER ? score : -score,
        };

        if (!isnan(score))
            g_array_append_val(candidates, candidate);
    }
    job->places = tg_choose(candidates, job->choice, job->n_wanted, job->seed);
    return good;
}

/* ---- drawing --------------------------------------------------------------------------------- */

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
    if (picture != NULL) {
        const gboolean has_id = *pair->id != '\0', has_model = model != NULL && *model != '\0';
        g_autofree char *name =
            g_strconcat(has_id ? "id " : "", pair->id, has_id && has_model ? ", " : "",
                        has_model ? "model " : "", has_model ? model : "", NULL);
        TgPairPictureOptions how = TG_PAIR_PICTURE_OPTIONS_INIT;

        if (*name != '\0') /* which pair it is, beside the title */
            tg_pair_picture_set_name(picture, name);
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

/* Draw a pair at @place of the order. */
static gboolean add_row(Job *job, const TgResultsRow *row, guint place, GError **error)
{
    const TgMetric *metric = row->layout->metrics->pdata[job->metric];
    const char *prediction = json_string_value(json_object_get(row->json, "pred"));
    guint n_truths;
    g_autofree const char **truths = tg_results_truths(row, &n_truths);
    const TgPair pair = { row->id != NULL ? row->id : "", truths, n_truths,
                          prediction != NULL ? prediction : "" };
    g_autofree char *fault = NULL;
    GError *trouble = NULL;
    g_autoptr(GBytes) picture = draw_pair(job, metric, &pair, row->model, &fault, &trouble);

    if (trouble != NULL) {
        g_propagate_error(error, trouble);
        return FALSE;
    }
    const double score = row->scores.columns[row->layout->first_column[job->metric]];

    job->n_drawn += picture != NULL;
    job->n_done++;
    tg_listener_tell(&job->options->listener, "pictures", (guint) job->n_done,
                     job->places != NULL ? g_hash_table_size(job->places) : 0);
    g_autofree char *name = picture_file_name(row->row, row->id);
    g_autofree char *card = card_of(row, &pair, score, name, fault, place);
    g_autoptr(GString) line = g_string_new(NULL);
    json_auto_t *object =
        json_pack("{s:s?, s:I, s:I, s:o, s:o, s:o, s:o*}", "file", fault == NULL ? name : NULL,
                  "rank", (json_int_t) place + 1, "row", (json_int_t) row->row, "id",
                  tg_json_text(row->id), "model", tg_json_text(row->model), "score",
                  tg_json_number(score), "fault", fault != NULL ? tg_json_text(fault) : NULL);

    tg_json_append(line, object);
    g_string_append_c(line, '\n');

    if (!write_text(job->list, line->str, error))
        return FALSE;
    if (picture != NULL) {
        g_autofree char *path = place_file(job, name, error);
        gsize n;
        const void *data = g_bytes_get_data(picture, &n);

        if (path == NULL || !tg_output_write(path, data, n, error))
            return FALSE;
    }
    if (job->cards == NULL)
        return write_text(job->page, card, error);
    g_free(job->cards->pdata[place]);
    job->cards->pdata[place] = g_steal_pointer(&card);
    return TRUE;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static gboolean write_all(Job *job, GError **error)
{
    g_autoptr(TgResultsReader) reader = NULL;
    g_autoptr(TgFonts) fonts = NULL;
    const TgResultsRow *row;
    gboolean good;

    if (!choose_places(job, error) || (fonts = tg_fonts_new(error)) == NULL ||
        (reader = tg_results_open(job->results, FALSE, error)) == NULL)
        return FALSE;
    job->renderer = tg_renderer_new(fonts);
    job->env = tg_env_new();
    if (!open_folder(job, tg_metric_signature(reader->header->layout->metrics->pdata[job->metric]),
                     error))
        return FALSE;
    for (gsize number = 0; (good = tg_results_next(reader, &row, error)) && row != NULL; number++) {
        guint place = (guint) number + 1;

        if (job->places != NULL)
            place = GPOINTER_TO_UINT(g_hash_table_lookup(job->places, GSIZE_TO_POINTER(number)));
        if (place > 0 && !add_row(job, row, place - 1, error))
            return FALSE;
    }
    return good && finish_folder(job, error);
}

gboolean tg_pictures_check(const char *only, const char *metrics, GError **error)
{
    g_autoptr(GPtrArray) list = NULL;
    Job parsed = { 0 };

    if (!parse_only(&parsed, only != NULL ? only : preset, error))
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
    Job job = { .results = results, .options = options };

    if (!parse_only(&job, options->only != NULL ? options->only : preset, error))
        return FALSE;
    const gboolean good = write_all(&job, error);
    *n_drawn = job.n_drawn;
    g_clear_pointer(&job.places, g_hash_table_unref);
    tg_output_free(job.page);
    tg_output_free(job.list);
    g_clear_pointer(&job.cards, g_ptr_array_unref);
    g_clear_pointer(&job.renderer, tg_renderer_free);
    g_clear_pointer(&job.env, tg_env_free);
    return good;
}
