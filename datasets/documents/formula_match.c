/* Pairing two lists of formulas by how close they are. */
#include "datasets/documents/formula_match.h"

#include <string.h>

#include "core/utf8.h"
#include "metrics/algorithms/assignment.h"
#include "metrics/algorithms/levenshtein.h"
#include "tokenizer/subword/pair_table.h"

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

/* A formula as numbers of code points, in memory of its own. */
static TgSequence make_sequence(const char *latex, TgPairTable *numbers)
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
    guint32 *ids = g_new(guint32, len + 1);
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

static TgSequence *make_sequences(const char *const *texts, guint n, TgPairTable *numbers)
{
    TgSequence *list = g_new(TgSequence, n + 1);

    for (guint i = 0; i < n; i++)
        list[i] = make_sequence(texts[i], numbers);
    return list;
}

static void free_sequences(TgSequence *list, guint n)
{
    for (guint i = 0; i < n; i++)
        g_free((gpointer) list[i].ids);
    g_free(list);
}

void tg_formula_distances(const char *const *truths, guint n_truths, const char *const *predictions,
                          guint n_predictions, double *distances)
{
    g_autoptr(TgPairTable) numbers = tg_pair_table_new();
    TgArena arena = { 0 };
    TgSequence *rows = make_sequences(truths, n_truths, numbers);
    TgSequence *columns = make_sequences(predictions, n_predictions, numbers);
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
    free_sequences(rows, n_truths);
    free_sequences(columns, n_predictions);
}

static void match_round(const double *distances, guint n_truths, guint n_predictions, double limit,
                        guint *partner, gboolean *taken)
{
    for (guint i = 0; i < n_truths; i++) {
        const double *row = distances + (gsize) i * n_predictions;
        guint best = TG_UNMATCHED;
        if (partner[i] != TG_UNMATCHED)
            continue;
        for (guint j = 0; j < n_predictions; j++)
            if (!taken[j] && row[j] < limit && (best == TG_UNMATCHED || row[j] < row[best]))
                best = j;
        partner[i] = best;
        if (best != TG_UNMATCHED)
            taken[best] = TRUE;
    }
}

void tg_match_greedy(const double *distances, guint n_truths, guint n_predictions, double first,
                     double second, guint *partner)
{
    g_autofree gboolean *taken = g_new0(gboolean, n_predictions + 1);

    for (guint i = 0; i < n_truths; i++)
        partner[i] = TG_UNMATCHED;
    match_round(distances, n_truths, n_predictions, first, partner, taken);
    match_round(distances, n_truths, n_predictions, second, partner, taken);
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
