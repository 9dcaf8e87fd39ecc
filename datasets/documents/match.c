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

/* Environments that one parser writes around a formula and another leaves out. */
static const char *const wrappers[] = { "equation", "align",       "gather",  "multline", "flalign",
                                        "eqnarray", "displaymath", "aligned", "gathered", "split" };

/* Take `\begin{X}` and `\end{X}` off @text, if it is one of the wrappers. */
static gboolean unwrap(const char **text, gsize *len)
{
    for (guint i = 0; i < 2 * G_N_ELEMENTS(wrappers); i++) {
        const char *star = i % 2 == 0 ? "" : "*";
        g_autofree char *open = g_strdup_printf("\\begin{%s%s}", wrappers[i / 2], star);
        g_autofree char *close = g_strdup_printf("\\end{%s%s}", wrappers[i / 2], star);
        const gsize n_open = strlen(open), n_close = strlen(close);
        if (*len >= n_open + n_close && memcmp(*text, open, n_open) == 0 &&
            memcmp(*text + *len - n_close, close, n_close) == 0) {
            *text += n_open;
            *len -= n_open + n_close;
            return TRUE;
        }
    }
    return FALSE;
}

/* A formula as numbers of code points. */
static TgSequence make_sequence(TgArena *arena, const char *latex, TgPairTable *numbers)
{
    g_autoptr(GString) dense = g_string_new(NULL);
    const char *text;
    gsize len;

    for (const char *p = latex; *p != '\0'; p++)
        if (!g_ascii_isspace(*p))
            g_string_append_c(dense, *p);
    text = dense->str;
    len = dense->len;
    while (unwrap(&text, &len))
        ;
    TgSequence sequence = { 0 };
    guint32 *ids = tg_arena_alloc(arena, (len + 1) * sizeof *ids);
    for (gsize i = 0; i < len;) {
        gunichar code;
        i += tg_utf8_decode(text + i, len - i, &code);
        guint64 *number = tg_pair_table_at(numbers, code);
        if (*number == 0)
            *number = tg_pair_table_size(numbers);
        ids[sequence.n++] = (guint32) (*number - 1);
    }
    sequence.ids = ids;
    return sequence;
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
    for (guint i = 0; i < n_truths; i++)
        partner[i] = TG_UNMATCHED;
    if (n == 0)
        return;
    tg_assignment_solve(cost, n_truths, n_predictions, partner);
    for (guint i = 0; i < n_truths; i++) {
        if (partner[i] == TG_UNASSIGNED ||
            !(distances[(gsize) i * n_predictions + partner[i]] < limit))
            partner[i] = TG_UNMATCHED;
    }
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
    json_t *row =
        json_pack("{so so so so so so so ss}", "id", tg_json_text(id), "document",
                  tg_json_text(document), "gt", tg_json_text(truth != NULL ? truth->latex : ""),
                  "pred", tg_json_text(prediction != NULL ? prediction->latex : ""), "gt_line",
                  truth != NULL ? json_integer(truth->line) : json_null(), "pred_line",
                  prediction != NULL ? json_integer(prediction->line) : json_null(), "distance",
                  both ? tg_json_number(distance) : json_null(), "match", how);
    tg_json_append(line, row);
    json_decref(row);
    match->options->row(line->str, match->options->data);
}

static const Formula *formula_at(const Document *document, guint side, guint i)
{
    return &g_array_index(document->sides[side], Formula, i);
}

static void write_document(const Match *match, const Document *document, const double *distances,
                           const guint *partner, double first)
{
    const guint n_truths = document->sides[0]->len, n_predictions = document->sides[1]->len;
    const gboolean optimal = match->options->assign == TG_MATCH_OPTIMAL;
    g_autofree gboolean *taken = g_new0(gboolean, n_predictions + 1);

    for (guint i = 0; i < n_truths; i++) {
        const Formula *truth = formula_at(document, 0, i);
        if (partner[i] == TG_UNMATCHED) {
            write_row(match, document->name, i + 1, truth, NULL, 0, "missed");
            continue;
        }
        const double distance = distances[(gsize) i * n_predictions + partner[i]];
        taken[partner[i]] = TRUE;
        write_row(match, document->name, i + 1, truth, formula_at(document, 1, partner[i]),
                  distance,
                  optimal            ? "optimal"
                  : distance < first ? "first"
                                     : "second");
    }
    for (guint j = 0; j < n_predictions && !match->options->drop_extras; j++)
        if (!taken[j])
            write_row(match, document->name, j + 1, NULL, formula_at(document, 1, j), 0, "extra");
}

static void add_counts(TgMatchCounts *counts, const double *distances, guint n_truths,
                       guint n_predictions, guint *const partners[2])
{
    counts->truths += n_truths;
    counts->predictions += n_predictions;
    for (guint i = 0; i < n_truths; i++) {
        counts->different += partners[0][i] != partners[1][i];
        for (guint way = 0; way < 2; way++)
            if (partners[way][i] != TG_UNMATCHED) {
                counts->pairs[way]++;
                counts->distance[way] += distances[(gsize) i * n_predictions + partners[way][i]];
            }
    }
}

static const char **texts_of(const Document *document, guint side)
{
    const char **texts = g_new(const char *, document->sides[side]->len + 1);

    for (guint i = 0; i < document->sides[side]->len; i++)
        texts[i] = formula_at(document, side, i)->latex;
    return texts;
}

static gboolean match_document(const Match *match, const Document *document, GError **error)
{
    const guint n_truths = document->sides[0]->len, n_predictions = document->sides[1]->len;
    const double first = match->options->first > 0 ? match->options->first : 0.4;
    const double second = match->options->second > 0 ? match->options->second : 0.8;
    const gsize n_cells = (gsize) n_truths * n_predictions;

    if (n_cells > TG_MATCH_MAX_CELLS)
        return tg_fail_input(error, "document '%s': too many formulas to match, %u and %u",
                             document->name, n_truths, n_predictions);
    g_autofree const char **truths = texts_of(document, 0), **predictions = texts_of(document, 1);
    g_autofree double *distances = g_new(double, n_cells + 1);
    g_autofree guint *greedy = g_new(guint, n_truths + 1), *optimal = g_new(guint, n_truths + 1);
    guint *const partners[2] = { greedy, optimal };

    tg_formula_distances(truths, n_truths, predictions, n_predictions, distances);
    tg_match_greedy(distances, n_truths, n_predictions, first, second, greedy);
    tg_match_optimal(distances, n_truths, n_predictions, second, optimal);
    add_counts(match->counts, distances, n_truths, n_predictions, partners);
    write_document(match, document, distances, partners[match->options->assign], first);
    return TRUE;
}

/* A single document on either side is the same one, whatever the files are called. */
static void join_lone_documents(Match *match)
{
    Document *lone[2] = { NULL, NULL };

    if (match->documents->len != 2)
        return;
    for (guint i = 0; i < 2; i++) {
        Document *document = match->documents->pdata[i];
        const guint side = document->sides[0]->len > 0 ? 0 : 1;
        if (document->sides[1 - side]->len > 0)
            return;
        lone[side] = document;
    }
    if (lone[0] == NULL || lone[1] == NULL)
        return;
    GArray *empty = lone[0]->sides[1];
    lone[0]->sides[1] = lone[1]->sides[1];
    lone[1]->sides[1] = empty;
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
    join_lone_documents(&match);
    for (guint i = 0; i < documents->len; i++)
        if (!match_document(&match, documents->pdata[i], error))
            return FALSE;
    return TRUE;
}
