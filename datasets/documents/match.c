/* Pairs the formulas of two extracted files, document by document. */
#include "datasets/documents/document.h"

#include <string.h>

#include "core/fail.h"
#include "core/files/stream.h"
#include "core/json.h"
#include "core/utf8.h"
#include "metrics/algorithms/algorithms.h"
#include "tokenizer/subword/tables.h"

#define MAX_LINE ((gsize) 16 << 20)

/* ---- how close two formulas are ---- */

/* A formula as numbers of code points, without white space and outer environments. */
static TgSequence make_sequence(TgArena *arena, const char *latex, TgPairTable *numbers)
{
    g_autoptr(GString) text = g_string_new(latex);
    gsize before;

    tg_page_fold(text, "");
    do {
        before = text->len;
        tg_rule_apply("wrapper", text);
    } while (text->len < before);
    return tg_number_characters(arena, text->str, numbers);
}

void tg_formula_distances(const char *const *truths, guint n_truths, const char *const *predictions,
                          guint n_predictions, double *distances)
{
    g_autoptr(TgPairTable) numbers = tg_pair_table_new();
    TgArena texts = { 0 }, arena = { 0 };
    TgSequence *rows = tg_arena_alloc(&texts, (n_truths + 1) * sizeof *rows);
    TgSequence *columns = tg_arena_alloc(&texts, (n_predictions + 1) * sizeof *columns);

    for (guint i = 0; i < n_truths; i++)
        rows[i] = make_sequence(&texts, truths[i], numbers);
    for (guint j = 0; j < n_predictions; j++)
        columns[j] = make_sequence(&texts, predictions[j], numbers);
    const guint32 bound = (guint32) tg_pair_table_size(numbers) + 1;
    for (guint i = 0; i < n_truths; i++)
        for (guint j = 0; j < n_predictions; j++) {
            const guint32 longer = MAX(rows[i].n, columns[j].n);
            rows[i].id_bound = columns[j].id_bound = bound;
            tg_arena_reset(&arena);
            distances[(gsize) i * n_predictions + j] =
                longer > 0 ? (double) tg_levenshtein(&arena, rows[i], columns[j]) / longer : 0.0;
        }
    tg_arena_clear(&arena);
    tg_arena_clear(&texts);
}

void tg_match_greedy(const double *distances, guint n_truths, guint n_predictions, double first,
                     double second, guint *partner)
{
    g_autofree gboolean *taken = g_new0(gboolean, n_predictions + 1);

    for (guint i = 0; i < n_truths; i++)
        partner[i] = TG_UNMATCHED;
    for (guint i = 0; i < 2 * n_truths; i++) { /* two rounds */
        const guint truth = i % n_truths;
        const double *row = distances + (gsize) truth * n_predictions;
        const double limit = i < n_truths ? first : second;
        guint best = TG_UNMATCHED;
        if (partner[truth] != TG_UNMATCHED)
            continue;
        for (guint j = 0; j < n_predictions; j++)
            if (!taken[j] && row[j] < limit && (best == TG_UNMATCHED || row[j] < row[best]))
                best = j;
        partner[truth] = best;
        if (best != TG_UNMATCHED)
            taken[best] = TRUE;
    }
}

void tg_match_optimal(const double *distances, guint n_truths, guint n_predictions, double limit,
                      guint *partner)
{
    const gsize n = (gsize) n_truths * n_predictions;
    g_autofree double *cost = g_new(double, n + 1);

    /* A pair too far apart is no better than none. */
    for (gsize i = 0; i < n; i++)
        cost[i] = MIN(distances[i], limit);
    if (n > 0)
        tg_assignment_solve(cost, n_truths, n_predictions, partner);
    for (guint i = 0; i < n_truths; i++)
        if (n == 0 || partner[i] == TG_UNASSIGNED ||
            !(distances[(gsize) i * n_predictions + partner[i]] < limit))
            partner[i] = TG_UNMATCHED;
}

/* ---- two files ---- */

/* A formula of one of the files. */
typedef struct {
    char *latex;
    json_int_t line; /* 0: unknown */
} Formula;

/* The formulas of one document on both sides. */
typedef struct {
    char *name;
    GArray *sides[2]; /* Formula: truth, prediction */
} Document;

typedef struct {
    const TgMatchOptions *options;
    TgMatchCounts *counts;
    GPtrArray *documents; /* in order of appearance, the truth's first */
    GHashTable *by_name;
} Match;

static void clear_formula(gpointer formula)
{
    g_free(((Formula *) formula)->latex);
}

static void free_document(gpointer data)
{
    Document *document = data;

    g_free(document->name);
    g_array_unref(document->sides[0]);
    g_array_unref(document->sides[1]);
    g_free(document);
}

static Document *get_document(Match *match, const char *name)
{
    Document *document = g_hash_table_lookup(match->by_name, name);

    if (document != NULL)
        return document;
    document = g_new0(Document, 1);
    document->name = g_strdup(name);
    for (guint side = 0; side < 2; side++) {
        document->sides[side] = g_array_new(FALSE, FALSE, sizeof(Formula));
        g_array_set_clear_func(document->sides[side], clear_formula);
    }
    g_ptr_array_add(match->documents, document);
    g_hash_table_insert(match->by_name, document->name, document);
    return document;
}

/* One row of an extracted file. */
static gboolean read_row(Match *match, guint side, const char *text, gsize len, const char *where,
                         GError **error)
{
    json_t *row = json_loadb(text, len, 0, NULL);
    const char *latex = json_string_value(json_object_get(row, "latex"));
    const char *name = json_string_value(json_object_get(row, "document"));

    if (latex == NULL) {
        json_decref(row);
        return tg_fail_input(error, "%s: not a JSON object with \"latex\"", where);
    }
    const Formula formula = { g_strdup(latex), json_integer_value(json_object_get(row, "line")) };
    g_array_append_val(get_document(match, name != NULL ? name : "")->sides[side], formula);
    json_decref(row);
    return TRUE;
}

static gboolean read_side(Match *match, guint side, const char *path, GError **error)
{
    g_autoptr(TgStream) stream = tg_stream_open(path, MAX_LINE, error);
    TgLineStatus status;
    char *line;
    gsize n;

    if (stream == NULL)
        return FALSE;
    while ((status = tg_stream_read_line(stream, &line, &n, error)) != TG_LINE_END) {
        g_autofree char *where = g_strdup_printf("%s:%" G_GSIZE_FORMAT, path, stream->line);
        if (status == TG_LINE_ERROR)
            return FALSE;
        if (status == TG_LINE_TOO_LONG)
            return tg_fail_input(error, "%s: the line is too long", where);
        if (n > 0 && !read_row(match, side, line, n, where, error))
            return FALSE;
    }
    return TRUE;
}

static void write_row(const Match *match, const char *document, guint number, const Formula *truth,
                      const Formula *prediction, double distance, const char *how)
{
    g_autofree char *id = g_strdup_printf("%s%s%u", document, truth != NULL ? "#" : "+", number);
    g_autoptr(GString) line = g_string_new(NULL);
    const gboolean both = truth != NULL && prediction != NULL;
    json_t *row = json_pack(
        "{so ss* so so so so so so ss}", "id", tg_json_text(id), "model", match->options->model,
        "document", tg_json_text(document), "gt", tg_json_text(truth != NULL ? truth->latex : ""),
        "pred", tg_json_text(prediction != NULL ? prediction->latex : ""), "gt_line",
        truth != NULL ? json_integer(truth->line) : json_null(), "pred_line",
        prediction != NULL ? json_integer(prediction->line) : json_null(), "distance",
        both ? tg_json_number(distance) : json_null(), "match", how);
    tg_json_append(line, row);
    json_decref(row);
    match->options->row(line->str, match->options->data);
}

static const char **texts_of(const GArray *formulas)
{
    const char **texts = g_new(const char *, formulas->len + 1);

    for (guint i = 0; i < formulas->len; i++)
        texts[i] = g_array_index(formulas, Formula, i).latex;
    return texts;
}

static gboolean match_document(const Match *match, const Document *document, GError **error)
{
    const GArray *truths = document->sides[0], *predictions = document->sides[1];
    const TgMatchOptions *options = match->options;
    TgMatchCounts *counts = match->counts;
    const double first = options->first > 0 ? options->first : 0.4;
    const double second = options->second > 0 ? options->second : 0.8;
    const gsize n_cells = (gsize) truths->len * predictions->len;

    if (n_cells > TG_MATCH_MAX_CELLS)
        return tg_fail_input(error, "document '%s': too many formulas to match, %u and %u",
                             document->name, truths->len, predictions->len);
    g_autofree const char **left = texts_of(truths), **right = texts_of(predictions);
    g_autofree double *distances = g_new(double, n_cells + 1);
    g_autofree guint *partners = g_new(guint, 2 * (gsize) truths->len + 1); /* by both ways */
    g_autofree gboolean *taken = g_new0(gboolean, predictions->len + 1);
    guint *const optimal = partners + truths->len;

    tg_formula_distances(left, truths->len, right, predictions->len, distances);
    tg_match_greedy(distances, truths->len, predictions->len, first, second, partners);
    tg_match_optimal(distances, truths->len, predictions->len, second, optimal);
    counts->truths += truths->len;
    counts->predictions += predictions->len;
    for (guint i = 0; i < truths->len; i++) {
        const Formula *truth = &g_array_index(truths, Formula, i), *found = NULL;
        double distance = 0;
        counts->different += partners[i] != optimal[i];
        for (guint way = 0; way < 2; way++) {
            const guint partner = partners[way * truths->len + i];
            if (partner == TG_UNMATCHED)
                continue;
            const double apart = distances[(gsize) i * predictions->len + partner];
            counts->pairs[way]++;
            counts->distance[way] += apart;
            if (way != options->assign)
                continue;
            found = &g_array_index(predictions, Formula, partner);
            distance = apart;
            taken[partner] = TRUE;
        }
        write_row(match, document->name, i + 1, truth, found, distance,
                  found == NULL                         ? "missed"
                  : options->assign == TG_MATCH_OPTIMAL ? "optimal"
                  : distance < first                    ? "first"
                                                        : "second");
    }
    for (guint j = 0; j < predictions->len && !options->drop_extras; j++)
        if (!taken[j])
            write_row(match, document->name, j + 1, NULL, &g_array_index(predictions, Formula, j),
                      0, "extra");
    return TRUE;
}

gboolean tg_match_run(const TgMatchOptions *options, TgMatchCounts *counts, GError **error)
{
    g_autoptr(GPtrArray) documents = g_ptr_array_new_with_free_func(free_document);
    g_autoptr(GHashTable) by_name = g_hash_table_new(g_str_hash, g_str_equal);
    Match match = { options, counts, documents, by_name };

    *counts = (TgMatchCounts){ 0 };
    if (!read_side(&match, 0, options->truth, error) ||
        !read_side(&match, 1, options->prediction, error))
        return FALSE;
    if (documents->len == 0)
        return tg_fail_input(error, "the inputs hold no formulas");
    if (documents->len == 2) { /* one on either side is the same, whatever the files are called */
        Document *truth = documents->pdata[0], *prediction = documents->pdata[1];
        GArray *none = truth->sides[1];
        if (none->len == 0 && prediction->sides[0]->len == 0) {
            truth->sides[1] = prediction->sides[1];
            prediction->sides[1] = none;
        }
    }
    for (guint i = 0; i < documents->len; i++)
        if (!match_document(&match, documents->pdata[i], error))
            return FALSE;
    return TRUE;
}
