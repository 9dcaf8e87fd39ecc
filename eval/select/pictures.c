/* Pairs of a results file drawn again, into a folder with its index, which also says what in the
 * folder is ours. */
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

/* What the index says of a pair. Borrowed. */
typedef struct {
    guint64 row;
    const char *id, *model; /* NULL: none */
    const char *truth, *prediction;
    double score;      /* NaN: none */
    const char *fault; /* why there is no picture; NULL: there is one */
} Entry;

/* A folder of pictures. Its index.jsonl names every picture of ours at any moment, so that a run
 * that was killed can be repeated: names are added to it as pictures are drawn, and at the end the
 * whole index takes its place. */
typedef struct {
    const char *path;
    GHashTable *ours;      /* names of files that an earlier run wrote */
    FILE *names;           /* index.jsonl until the end */
    TgOutput *list, *page; /* index.jsonl, index.html */
    GPtrArray *cards;      /* of the page, by place; NULL: written as they come */
} Folder;

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
    Folder folder;
    guint metric; /* of the layout */
    guint64 n_done, n_drawn;
} Job;

/* ---- the folder ------------------------------------------------------------------------------ */

static gboolean fail_file(const char *path, GError **error)
{
    return tg_fail(error, TG_ERROR_OUTPUT, "%s: %s", path, g_strerror(errno));
}

static gboolean write_text(FILE *file, const char *text, const Folder *folder, GError **error)
{
    return (fputs(text, file) >= 0 && fflush(file) == 0) || fail_file(folder->path, error);
}

static TgOutput *create(const Folder *folder, const char *name, GError **error)
{
    g_autofree char *path = g_build_filename(folder->path, name, NULL);

    return tg_output_open(path, error);
}

static gboolean exists(const Folder *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder->path, name, NULL);

    return g_file_test(path, G_FILE_TEST_EXISTS) || g_file_test(path, G_FILE_TEST_IS_SYMLINK);
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

/* ---- what is ours ---------------------------------------------------------------------------- */

static gboolean not_ours(const Folder *folder, const char *name, GError **error)
{
    return tg_fail(error, TG_ERROR_OUTPUT,
                   "%s/%s exists and was not written by this program; choose another folder",
                   folder->path, name);
}

/* The names in an earlier index; FALSE when the file is something else. */
static gboolean read_index(Folder *folder, FILE *file)
{
    gboolean good = TRUE;

    for (guint i = 0; good; i++) {
        json_t *line = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL);
        const char *name = json_string_value(json_object_get(line, "file"));

        if (line == NULL)
            return i > 0; /* an interrupted run may have left half a line */
        if (i == 0)
            good = json_object_get(line, "texgauge_pictures") != NULL;
        else if (name != NULL)
            g_hash_table_add(folder->ours, g_strdup(name));
        json_decref(line);
    }
    return FALSE;
}

static gboolean find_ours(Folder *folder, GError **error)
{
    g_autofree char *path = g_build_filename(folder->path, "index.jsonl", NULL);
    FILE *file;

    if (!exists(folder, "index.jsonl"))
        return !exists(folder, "index.html") || not_ours(folder, "index.html", error);
    file = fopen(path, "rb");
    if (file == NULL)
        return fail_file(path, error);
    const gboolean good = read_index(folder, file);
    fclose(file);
    return good || not_ours(folder, "index.jsonl", error);
}

/* A line of the index that names a picture. */
static void append_name(GString *out, const char *name)
{
    json_auto_t *line = json_pack("{s:s}", "file", name);

    tg_json_append(out, line);
    g_string_append_c(out, '\n');
}

/* Write an index of the pictures that are there, to which further names are added. */
static gboolean begin_names(Folder *folder, const char *head, GError **error)
{
    g_autofree char *path = g_build_filename(folder->path, "index.jsonl", NULL);
    g_autoptr(GString) text = g_string_new(head);
    GHashTableIter iter;
    gpointer name;

    g_hash_table_iter_init(&iter, folder->ours);
    while (g_hash_table_iter_next(&iter, &name, NULL))
        append_name(text, name);
    if (!tg_output_write(path, text->str, text->len, error))
        return FALSE;
    tg_run_files_allow(path); /* by the list of what is drawn, at the end */
    folder->names = fopen(path, "ab");
    return folder->names != NULL || fail_file(path, error);
}

/* Open the folder and begin its index; @n_places: how many entries are put into an order, or 0. */
static gboolean open_folder(Job *job, const char *signature, GError **error)
{
    Folder *folder = &job->folder;
    json_t *head = json_pack("{s:i, s:s, s:s}", "texgauge_pictures", 1, "metric", signature, "only",
                             job->only);
    g_autoptr(GString) line = g_string_new(NULL), page = g_string_new(tg_pictures_page);
    g_autofree char *escaped = g_markup_escape_text(signature, -1);

    tg_json_append(line, head);
    g_string_append_c(line, '\n');
    json_decref(head);
    g_string_truncate(page, (gsize) (strstr(page->str, "@cards@") - page->str));
    g_string_replace(page, "@only@", job->only, 1);
    g_string_replace(page, "@metric@", escaped, 1);

    folder->path = job->options->folder;
    folder->ours = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (job->places != NULL) {
        folder->cards = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_set_size(folder->cards, (gint) g_hash_table_size(job->places));
    }
    if (g_mkdir_with_parents(folder->path, 0777) != 0)
        return fail_file(folder->path, error);
    return find_ours(folder, error) && begin_names(folder, line->str, error) &&
           (folder->list = create(folder, "index.jsonl", error)) != NULL &&
           (folder->page = create(folder, "index.html", error)) != NULL &&
           write_text(folder->list->file, line->str, folder, error) &&
           write_text(folder->page->file, page->str, folder, error);
}

static gboolean finish_folder(Folder *folder, GError **error)
{
    FILE *page = folder->page->file;

    for (guint i = 0; folder->cards != NULL && i < folder->cards->len; i++)
        if (folder->cards->pdata[i] != NULL &&
            !write_text(page, folder->cards->pdata[i], folder, error))
            return FALSE;
    return write_text(page, strstr(tg_pictures_page, "@cards@") + strlen("@cards@"), folder,
                      error) &&
           tg_output_finish(folder->page, error) && tg_output_finish(folder->list, error);
}

/* The card of a pair on the page; @name: of its picture's file. (transfer full) */
static char *card_of(const Entry *entry, const char *name, guint place)
{
    const char *id = entry->id != NULL ? entry->id : "";
    const char *model = entry->model != NULL ? entry->model : "";
    char score[32] = "", rounded[32] = "no score";
    g_autofree char *shown =
        entry->fault != NULL
            ? g_markup_printf_escaped("<p>%s</p>", entry->fault)
            : g_markup_printf_escaped("<a href=\"%s\"><img src=\"%s\" loading=\"lazy\" "
                                      "alt=\"picture of row %" G_GUINT64_FORMAT "\"></a>",
                                      name, name, entry->row);

    if (!isnan(entry->score)) {
        tg_number_format(entry->score, score);
        g_ascii_formatd(rounded, sizeof rounded, "%.4f", entry->score);
    }
    g_autofree char *start = g_markup_printf_escaped("<figure id=\"row-%" G_GUINT64_FORMAT
                                                     "\" data-row=\"%" G_GUINT64_FORMAT
                                                     "\" data-score=\"%s\" data-model=\"%s\">\n",
                                                     entry->row, entry->row, score, model);
    g_autofree char *caption = g_markup_printf_escaped(
        "<figcaption><a href=\"#row-%" G_GUINT64_FORMAT "\">%u</a> <b>%s</b> <span>%s</span> "
        "<span>%s</span></figcaption>\n",
        entry->row, place + 1, rounded, id, model);
    g_autofree char *sources =
        g_markup_printf_escaped("<dl><dt>reference</dt><dd><code>%s</code></dd>\n<dt>prediction</"
                                "dt><dd><code>%s</code></dd>"
                                "</dl>\n",
                                entry->truth, entry->prediction);

    return g_strconcat(start, caption, sources, shown, "\n</figure>\n", NULL);
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
    const Entry entry = {
        .row = row->row,
        .id = row->id,
        .model = row->model,
        .truth = n_truths > 0 ? truths[0] : "",
        .prediction = pair.hyp,
        .score = row->scores.columns[row->layout->first_column[job->metric]],
        .fault = fault,
    };
    job->n_drawn += picture != NULL;
    job->n_done++;
    tg_listener_tell(&job->options->listener, "pictures", (guint) job->n_done,
                     job->places != NULL ? g_hash_table_size(job->places) : 0);
    /* Write a picture (NULL: the entry has a fault) and its entry, at @place of the order. */
    g_autofree char *name = picture_file_name(entry.row, entry.id);
    g_autofree char *card = card_of(&entry, name, place);
    g_autoptr(GString) line = g_string_new(NULL);
    json_auto_t *object = json_pack(
        "{s:s?, s:I, s:I, s:o, s:o, s:o, s:o*}", "file", entry.fault == NULL ? name : NULL, "rank",
        (json_int_t) place + 1, "row", (json_int_t) entry.row, "id", tg_json_text(entry.id),
        "model", tg_json_text(entry.model), "score", tg_json_number(entry.score), "fault",
        entry.fault != NULL ? tg_json_text(entry.fault) : NULL);

    tg_json_append(line, object);
    g_string_append_c(line, '\n');

    if (picture != NULL && exists(&job->folder, name) &&
        !g_hash_table_contains(job->folder.ours, name))
        return not_ours(&job->folder, name, error);
    if (!write_text(job->folder.list->file, line->str, &job->folder, error))
        return FALSE;
    if (picture != NULL) {
        g_autofree char *path = g_build_filename(job->folder.path, name, NULL);
        g_autoptr(GString) own = g_string_new(NULL);
        gsize n;
        const void *data = g_bytes_get_data(picture, &n);

        append_name(own, name);
        if (!write_text(job->folder.names, own->str, &job->folder, error) ||
            !tg_output_write(path, data, n, error))
            return FALSE;
    }
    if (job->folder.cards == NULL)
        return write_text(job->folder.page->file, card, &job->folder, error);
    g_free(job->folder.cards->pdata[place]);
    job->folder.cards->pdata[place] = g_steal_pointer(&card);
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
    return good && finish_folder(&job->folder, error);
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
    g_clear_pointer(&job.folder.names, fclose);
    tg_output_free(job.folder.page);
    tg_output_free(job.folder.list);
    g_clear_pointer(&job.folder.ours, g_hash_table_unref);
    g_clear_pointer(&job.folder.cards, g_ptr_array_unref);
    g_clear_pointer(&job.renderer, tg_renderer_free);
    g_clear_pointer(&job.env, tg_env_free);
    return good;
}
