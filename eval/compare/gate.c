/* Thresholds: is every model good enough? */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/number.h"
#include "eval/compare/compare.h"
#include "eval/results/results.h"

/* The lines of the report, and whether all values pass. */
typedef struct {
    const TgTable *table, *baseline;
    GString *report;
    gboolean passed;
    gboolean force;
} Gate;

/* The pooled value of a column over all pairs of one model. */
static double pooled_value(const TgTable *table, const TgTableColumn *column, guint model)
{
    guint n;
    g_autofree guint32 *rows = tg_table_rows(table, model, -1, &n);

    return tg_table_value(table, column, rows, n);
}

static void put_number(GString *out, double value)
{
    char text[32] = "undefined";

    if (!isnan(value))
        tg_number_format(value, text);
    g_string_append(out, text);
}

/* One line of the report: the value of a column, @words and what it is compared with. */
static void add_line(Gate *gate, guint model, const TgTableColumn *column, const char *words,
                     double limit, double tolerance)
{
    const char *name = tg_table_model(gate->table, model);
    const double value = pooled_value(gate->table, column, model);
    const double loss = column->lower_is_better ? value - limit : limit - value;
    /* the digits that results have decide, not the last bit */
    const gboolean good = !isnan(loss) && tg_number_round(loss) <= tolerance;

    gate->passed = gate->passed && good;
    g_string_append_printf(gate->report, "%s %s%s%s ", good ? "ok  " : "FAIL", name,
                           *name != '\0' ? ": " : "", column->name);
    put_number(gate->report, value);
    g_string_append(gate->report, words);
    put_number(gate->report, limit);
}

/* ---- fixed values ---- */

/* Split `COLUMN=NUMBER`; the column is NULL where only the number is there. */
static gboolean parse_limit(const char *text, const char *option, char **column, double *value,
                            GError **error)
{
    const char *equals = strrchr(text, '=');

    *column = equals != NULL ? g_strndup(text, (gsize) (equals - text)) : NULL;
    return tg_number_parse(equals != NULL ? equals + 1 : text, value) ||
           tg_fail_usage(error, "%s: no number in '%s'", option, text);
}

static gboolean check_limit(Gate *gate, const char *text, GError **error)
{
    g_autofree char *name = NULL;
    const TgTableColumn *column;
    double limit;

    if (!parse_limit(text, "--fail-under", &name, &limit, error))
        return FALSE;
    if (name == NULL)
        return tg_fail_usage(error, "--fail-under takes COLUMN=VALUE, not '%s'", text);
    column = tg_table_find(gate->table, name, error);
    for (guint m = 0; column != NULL && m < gate->table->models->len; m++) {
        add_line(gate, m, column, column->lower_is_better ? ", at most " : ", at least ", limit, 0);
        g_string_append_c(gate->report, '\n');
    }
    return column != NULL;
}

/* ---- a baseline ---- */

/* What is tolerated, by column; "" for all others. NULL where one that is named is not there.
 * (transfer full) (element-type char* double*) */
static GHashTable *read_tolerances(const TgTable *table, const char *const *texts, GError **error)
{
    g_autoptr(GHashTable) out = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

    for (guint i = 0; texts != NULL && texts[i] != NULL; i++) {
        char *name = NULL;
        double value = 0;
        const gboolean good = parse_limit(texts[i], "--tolerance", &name, &value, error) &&
                              (name == NULL || tg_table_find(table, name, error) != NULL);

        g_hash_table_insert(out, name != NULL ? name : g_strdup(""),
                            g_memdup2(&value, sizeof value));
        if (!good)
            return NULL;
    }
    return g_steal_pointer(&out);
}

/* The baseline's model that model @model is compared with. */
static gboolean match_model(const Gate *gate, guint model, guint *out, GError **error)
{
    const char *name = tg_table_model(gate->table, model);
    const guint n = gate->baseline->models->len;

    for (*out = 0; n > 1 && *out < n; ++*out) {
        if (strcmp(tg_table_model(gate->baseline, *out), name) == 0)
            return TRUE;
    }
    return n == 1 || tg_fail_input(error, "the baseline has no model '%s'", name);
}

/* The same column of the baseline, scored in the same way. */
static const TgTableColumn *match_column(const Gate *gate, const TgTableColumn *column,
                                         GError **error)
{
    const TgTableColumn *theirs = tg_table_find(gate->baseline, column->name, NULL);
    const char *signature, *their_signature;

    if (theirs == NULL || theirs->is_stored != column->is_stored)
        return tg_null_input(error, "the baseline has no column '%s'", column->name);
    if (column->is_stored || gate->force)
        return theirs;
    signature = tg_metric_signature(gate->table->layout->metrics->pdata[column->metric]);
    their_signature = tg_metric_signature(gate->baseline->layout->metrics->pdata[theirs->metric]);
    if (strcmp(signature, their_signature) == 0)
        return theirs;
    return tg_null_input(error, "the baseline's %s is %s, here it is %s", column->name,
                         their_signature, signature);
}

static gboolean check_column(Gate *gate, const TgTableColumn *column, double tolerance,
                             GError **error)
{
    const TgTableColumn *theirs = match_column(gate, column, error);

    for (guint m = 0; theirs != NULL && m < gate->table->models->len; m++) {
        guint model;

        if (!match_model(gate, m, &model, error))
            return FALSE;
        add_line(gate, m, column, ", baseline ", pooled_value(gate->baseline, theirs, model),
                 tolerance);
        g_string_append(gate->report, ", tolerance ");
        put_number(gate->report, tolerance);
        g_string_append_c(gate->report, '\n');
    }
    return theirs != NULL;
}

/* Add @step to the number of every pair of a model: the same are those of one subset, id, truths.
 */
static void count_pairs(GHashTable *counts, const TgTable *table, guint model, gint step)
{
    for (guint i = 0; i < table->n_rows; i++) {
        const TgTableRow *row = &table->rows[i];

        if (row->model != model)
            continue;
        g_autofree char *truths = g_strjoinv("\n", (char **) row->refs);
        char *key = g_strdup_printf("%s\n%s\n%s", tg_table_subset(table, row->subset),
                                    row->id != NULL ? row->id : "", truths);
        const gint count = GPOINTER_TO_INT(g_hash_table_lookup(counts, key)) + step;

        g_hash_table_replace(counts, key, GINT_TO_POINTER(count));
    }
}

/* A model that leaves out what is hard is not as good as one that does not. */
static gboolean check_pairs(Gate *gate, GError **error)
{
    for (guint m = 0; !gate->force && m < gate->table->models->len; m++) {
        g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        const char *name = tg_table_model(gate->table, m);
        guint missing = 0, more = 0, model;
        GHashTableIter iter;
        gpointer count;

        if (!match_model(gate, m, &model, error))
            return FALSE;
        count_pairs(counts, gate->baseline, model, 1);
        count_pairs(counts, gate->table, m, -1);
        g_hash_table_iter_init(&iter, counts);
        while (g_hash_table_iter_next(&iter, NULL, &count)) {
            missing += (guint) MAX(GPOINTER_TO_INT(count), 0);
            more += (guint) MAX(-GPOINTER_TO_INT(count), 0);
        }
        if (missing == 0 && more == 0)
            continue;
        gate->passed = FALSE;
        g_string_append_printf(gate->report,
                               "FAIL %s%spairs: %u of the baseline's are missing, %u are not in "
                               "it\n",
                               name, *name != '\0' ? ": " : "", missing, more);
    }
    return TRUE;
}

static gboolean check_baseline(Gate *gate, const TgGateOptions *options, GError **error)
{
    const char *const paths[] = { options->baseline, NULL };
    const TgTableOptions table_options = { options->stored, options->lower, options->force,
                                           options->edited };
    g_autoptr(TgTable) baseline = tg_table_read(paths, &table_options, error);
    g_autoptr(GHashTable) tolerances =
        baseline != NULL ? read_tolerances(gate->table, options->tolerances, error) : NULL;

    gate->baseline = baseline;
    if (tolerances == NULL ||
        (!gate->force && !tg_run_header_check_options(gate->table->run, baseline->run, error)) ||
        !check_pairs(gate, error))
        return FALSE;
    for (guint c = 0; c < gate->table->columns->len; c++) {
        const TgTableColumn *column = tg_table_column(gate->table, c);
        const double *own = g_hash_table_lookup(tolerances, column->name);
        const double *all = g_hash_table_lookup(tolerances, "");

        if ((own != NULL || (column->is_headline && !column->is_stored)) &&
            !check_column(gate, column,
                          own != NULL   ? *own
                          : all != NULL ? *all
                                        : 0,
                          error))
            return FALSE;
    }
    return TRUE;
}

gboolean tg_gate_check(const char *const *paths, const TgGateOptions *options, char **report,
                       gboolean *passed, GError **error)
{
    const TgTableOptions table_options = { options->stored, options->lower, options->force,
                                           options->edited };
    g_autoptr(TgTable) table = tg_table_read(paths, &table_options, error);
    g_autoptr(GString) text = g_string_new(NULL);
    Gate gate = { table, NULL, text, TRUE, options->force };

    if (table == NULL)
        return FALSE;
    if (table->n_rows == 0)
        return tg_fail_input(error, "the results hold no pairs, so no threshold can be met");
    for (guint i = 0; options->fail_under != NULL && options->fail_under[i] != NULL; i++) {
        if (!check_limit(&gate, options->fail_under[i], error))
            return FALSE;
    }
    if (options->baseline != NULL && !check_baseline(&gate, options, error))
        return FALSE;
    *report = g_string_free(g_steal_pointer(&text), FALSE);
    *passed = gate.passed;
    return TRUE;
}
