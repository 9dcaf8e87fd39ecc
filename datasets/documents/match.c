/* Pairs the formulas of two extracted files, document by document. */
#include "datasets/documents/document.h"

#include <string.h>

#include "core/fail.h"
#include "core/files/stream.h"
#include "core/json.h"

#define MAX_LINE ((gsize) 16 << 20)

/* ---- how close two formulas are ---- */

void tg_formula_distances(const char *const *truths, guint n_truths, const char *const *predictions,
                          guint n_predictions, double *distances)
{
    const guint n = n_truths + n_predictions;
    g_autoptr(TgPairTable) numbers = tg_pair_table_new();
    TgArena texts = { 0 }, arena = { 0 };
    TgSequence *sequences = tg_arena_alloc(&texts, (n + 1) * sizeof *sequences);

    for (guint i = 0; i < n; i++) { /* without white space and outer environments */
        g_autoptr(GString) text =
            g_string_new(i < n_truths ? truths[i] : predictions[i - n_truths]);
        gsize before;
        tg_page_fold(text, "");
        do {
            before = text->len;
            tg_rule_apply("wrapper", text);
        } while (text->len < before);
        sequences[i] = tg_number_characters(&texts, text->str, numbers);
    }
    for (guint i = 0; i < n; i++)
        sequences[i].id_bound = (guint32) tg_pair_table_size(numbers) + 1;
    for (guint i = 0; i < n_truths; i++)
        for (guint j = n_truths; j < n; j++) {
            const guint32 longer = MAX(sequences[i].n, sequences[j].n);
            tg_arena_reset(&arena);
            *distances++ =
                longer > 0 ? (double) tg_levenshtein(&arena, sequences[i], sequences[j]) / longer
                           : 0.0;
        }
    tg_arena_clear(&arena);
    tg_arena_clear(&texts);
}

void tg_match_pairs(const double *distances, guint n_truths, guint n_predictions,
                    TgMatchAssign assign, double first, double second, guint *partner)
{
    const gsize n = (gsize) n_truths * n_predictions;
    g_autofree gboolean *taken = g_new0(gboolean, n_predictions + 1);
    g_autofree double *cost = g_new(double, n + 1);

    for (guint i = 0; i < n_truths; i++)
        partner[i] = TG_UNMATCHED;
    for (gsize i = 0; i < n; i++) /* a pair too far apart is no better than none */
        cost[i] = MIN(distances[i], second);
    if (assign == TG_MATCH_OPTIMAL)
        tg_assignment_solve(cost, n_truths, n_predictions, partner);
    for (guint i = 0; i < n_truths && assign == TG_MATCH_OPTIMAL; i++)
        if (partner[i] != TG_UNASSIGNED && cost[(gsize) i * n_predictions + partner[i]] >= second)
            partner[i] = TG_UNMATCHED;
    for (guint i = 0; i < 2 * n_truths && assign == TG_MATCH_GREEDY; i++) { /* two rounds */
        const guint truth = i % n_truths;
        const double *row = distances + (gsize) truth * n_predictions;
        double least = i < n_truths ? first : second;
        if (partner[truth] != TG_UNMATCHED)
            continue;
        for (guint j = 0; j < n_predictions; j++)
            if (!taken[j] && row[j] < least) {
                partner[truth] = j;
                least = row[j];
            }
        taken[MIN(partner[truth], n_predictions)] = TRUE;
    }
}

/* ---- two files ---- */

/* Add the formulas of a file to those of their documents: {NAME: [TRUTHS, PREDICTIONS]}, in order
 * of appearance, each as [LATEX, LINE]. */
static gboolean read_side(json_t *documents, size_t side, const char *path, GError **error)
{
    g_autoptr(TgStream) stream = tg_stream_open(path, MAX_LINE, error);
    TgLineStatus status;
    char *line;
    gsize n;

    if (stream == NULL)
        return FALSE;
    while ((status = tg_stream_read_line(stream, &line, &n, error)) != TG_LINE_END) {
        if (status == TG_LINE_ERROR)
            return FALSE;
        if (status == TG_LINE_TOO_LONG)
            return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": the line is too long", path,
                                 stream->line);
        json_t *row = json_loadb(line, n, 0, NULL), *latex = json_object_get(row, "latex");
        const char *document = json_string_value(json_object_get(row, "document"));
        const char *name = document != NULL ? document : "";
        const gboolean good = json_is_string(latex);
        if (good && json_object_get(documents, name) == NULL)
            json_object_set_new(documents, name, json_pack("[[][]]"));
        if (good)
            json_array_append_new(
                json_array_get(json_object_get(documents, name), side),
                json_pack("[OI]", latex, json_integer_value(json_object_get(row, "line"))));
        json_decref(row);
        if (!good && n > 0)
            return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": not a JSON object with \"latex\"",
                                 path, stream->line);
    }
    return TRUE;
}

/* @truth, @prediction: as read_side() has them, NULL: none */
static void write_row(const TgMatchOptions *options, const char *document, guint number,
                      const json_t *truth, const json_t *prediction, double distance,
                      const char *how)
{
    g_autofree char *id = g_strdup_printf("%s%s%u", document, truth != NULL ? "#" : "+", number);
    g_autoptr(GString) line = g_string_new(NULL);
    json_t *row = json_pack(
        "{ss ss* ss ss ss sO? sO? so ss}", "id", id, "model", options->model, "document", document,
        "gt", truth != NULL ? json_string_value(json_array_get(truth, 0)) : "", "pred",
        prediction != NULL ? json_string_value(json_array_get(prediction, 0)) : "", "gt_line",
        json_array_get(truth, 1), "pred_line", json_array_get(prediction, 1), "distance",
        truth != NULL && prediction != NULL ? tg_json_number(distance) : json_null(), "match", how);

    tg_json_append(line, row);
    json_decref(row);
    options->row(line->str, options->data);
}

static const char **texts_of(const json_t *formulas)
{
    const char **texts = g_new(const char *, json_array_size(formulas) + 1);
    json_t *formula;
    size_t i;

    json_array_foreach(formulas, i, formula) texts[i] =
        json_string_value(json_array_get(formula, 0));
    return texts;
}

static gboolean match_document(const TgMatchOptions *options, const char *name,
                               const json_t *document, TgMatchCounts *counts, GError **error)
{
    const json_t *truths = json_array_get(document, 0), *predictions = json_array_get(document, 1);
    const guint n = (guint) json_array_size(truths), m = (guint) json_array_size(predictions);
    const double first = options->first > 0 ? options->first : 0.4;
    const double second = options->second > 0 ? options->second : 0.8;
    const gsize n_cells = (gsize) n * m;

    if (n_cells > TG_MATCH_MAX_CELLS)
        return tg_fail_input(error, "document '%s': too many formulas to match, %u and %u", name, n,
                             m);
    g_autofree const char **left = texts_of(truths), **right = texts_of(predictions);
    g_autofree double *distances = g_new(double, n_cells + 1);
    g_autofree guint *partners = g_new(guint, 2 * (gsize) n + 1); /* by both ways */
    g_autofree gboolean *taken = g_new0(gboolean, m + 1);

    tg_formula_distances(left, n, right, m, distances);
    for (guint way = 0; way < 2; way++) {
        guint *partner = partners + way * n;
        tg_match_pairs(distances, n, m, way, first, second, partner);
        for (guint i = 0; i < n; i++)
            if (partner[i] != TG_UNMATCHED) {
                counts->pairs[way]++;
                counts->distance[way] += distances[(gsize) i * m + partner[i]];
            }
    }
    counts->truths += n;
    counts->predictions += m;
    for (guint i = 0; i < n; i++) {
        const guint j = partners[options->assign * n + i];
        const double distance = j != TG_UNMATCHED ? distances[(gsize) i * m + j] : 0;
        counts->different += partners[i] != partners[n + i];
        taken[MIN(j, m)] = TRUE;
        write_row(options, name, i + 1, json_array_get(truths, i), json_array_get(predictions, j),
                  distance,
                  j == TG_UNMATCHED                     ? "missed"
                  : options->assign == TG_MATCH_OPTIMAL ? "optimal"
                  : distance < first                    ? "first"
                                                        : "second");
    }
    for (guint j = 0; j < m && !options->drop_extras; j++)
        if (!taken[j])
            write_row(options, name, j + 1, NULL, json_array_get(predictions, j), 0, "extra");
    return TRUE;
}

gboolean tg_match_run(const TgMatchOptions *options, TgMatchCounts *counts, GError **error)
{
    json_t *documents = json_object(), *document;
    const char *name;

    *counts = (TgMatchCounts){ 0 };
    gboolean good =
        read_side(documents, 0, options->truth, error) &&
        read_side(documents, 1, options->prediction, error) &&
        (json_object_size(documents) > 0 || tg_fail_input(error, "the inputs hold no formulas"));
    if (good && json_object_size(documents) == 2) {
        /* One on either side is the same, whatever the files are called. */
        void *truth = json_object_iter(documents);
        json_t *none = json_array_get(json_object_iter_value(truth), 1);
        document = json_object_iter_value(json_object_iter_next(documents, truth));
        if (json_array_size(none) == 0 && json_array_size(json_array_get(document, 0)) == 0) {
            json_array_extend(none, json_array_get(document, 1));
            json_array_clear(json_array_get(document, 1));
        }
    }
    json_object_foreach(documents, name, document) good =
        good && match_document(options, name, document, counts, error);
    json_decref(documents);
    return good;
}
