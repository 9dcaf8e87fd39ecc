/* Pairs with official scores (datasets/cdm-official.tsv), scored and compared. */
#include "cli/self_check.h"

#include <math.h>
#include <string.h>

#include <texgauge/scorer.h>

#include "cli/cli.h"
#include "core/files/datadir.h"

enum { DIALECT, TRUTH, PREDICTION, RECALL, PRECISION, F1, CASE, N_FIELDS };

/* Scores are published with three decimals. */
static const double rounding = 0.0005 + 1e-9;

/* The rows of the table, each of N_FIELDS. (element-type GStrv) */
static GPtrArray *self_check_read_rows(GError **error)
{
    g_autofree char *path = tg_datadir_find("cdm-official.tsv", error);
    g_autofree char *text = NULL;

    if (path == NULL || !g_file_get_contents(path, &text, NULL, error))
        return NULL;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
    for (guint i = 0; lines[i] != NULL; i++) {
        if (lines[i][0] == '#' || lines[i][0] == '\0')
            continue;
        g_auto(GStrv) fields = g_strsplit(lines[i], "\t", -1);
        if (g_strv_length(fields) != N_FIELDS) {
            g_set_error(error, TG_ERROR, TG_ERROR_INPUT, "%s:%u: %d fields are expected", path,
                        i + 1, N_FIELDS);
            return NULL;
        }
        g_ptr_array_add(rows, g_steal_pointer(&fields));
    }
    return g_steal_pointer(&rows);
}

/* Neither has a score, or both have the same. */
static gboolean self_check_agrees(double value, const char *official)
{
    if (strcmp(official, "-") == 0)
        return isnan(value);
    return fabs(value - g_ascii_strtod(official, NULL)) <= rounding;
}

static void self_check_append_difference(GString *out, char *const *row, double value)
{
    g_string_append_printf(out, "%s: %s | %s: %.3f, officially %s\n", row[DIALECT], row[TRUTH],
                           row[PREDICTION], value, row[F1]);
}

/* The rows @first to @end, all of one dialect; a line for each that differs, and their counts. */
static gboolean self_check_dialect(const GPtrArray *rows, guint first, guint end, GString *out,
                                   gboolean *all_equal, GError **error)
{
    char *const *head = rows->pdata[first];
    const TgScorerOptions options = { .size = sizeof options,
                                      .undefined = TG_UNDEFINED_SKIP,
                                      .keep_delimiters = TRUE };
    g_autofree char *spec = g_strdup_printf("cdm:dialect=%s", head[DIALECT]);
    g_autofree TgPair *pairs = g_new0(TgPair, end - first);
    g_autoptr(TgScorer) scorer = tg_scorer_new(spec, &options, error);
    guint n_equal = 0;

    for (guint i = first; i < end; i++) {
        char **row = rows->pdata[i];
        pairs[i - first] = (TgPair){ "", (const char *const *) &row[TRUTH], 1, row[PREDICTION] };
    }
    g_autoptr(TgBatch) batch =
        scorer != NULL ? tg_scorer_score(scorer, pairs, end - first, NULL, error) : NULL;
    if (batch == NULL)
        return FALSE;
    const double *f1 = tg_batch_column(batch, 0), *precision = tg_batch_column(batch, 1),
                 *recall = tg_batch_column(batch, 2);
    for (guint i = first; i < end; i++) {
        char *const *row = rows->pdata[i];
        const guint k = i - first;

        if (self_check_agrees(f1[k], row[F1]) && self_check_agrees(precision[k], row[PRECISION]) &&
            self_check_agrees(recall[k], row[RECALL]))
            n_equal++;
        else
            self_check_append_difference(out, row, f1[k]);
    }
    *all_equal = *all_equal && n_equal == end - first;
    g_string_append_printf(out, "%-20s %u of %u as the official program\n", head[DIALECT], n_equal,
                           end - first);
    return TRUE;
}

gboolean cli_self_check(gboolean *all_equal, GError **error)
{
    g_autoptr(GPtrArray) rows = self_check_read_rows(error);
    g_autoptr(GString) out = g_string_new(NULL);

    *all_equal = TRUE;
    if (rows == NULL)
        return FALSE;
    for (guint first = 0, end = 0; first < rows->len; first = end) {
        const char *dialect = ((char **) rows->pdata[first])[DIALECT];

        while (end < rows->len && strcmp(((char **) rows->pdata[end])[DIALECT], dialect) == 0)
            end++;
        if (!self_check_dialect(rows, first, end, out, all_equal, error))
            return FALSE;
    }
    return cli_print(out->str) == EXIT_DONE;
}
