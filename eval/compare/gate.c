/* Thresholds: is every model good enough? */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "eval/compare/compare.h"

#include "core/number.h"
#include "eval/results/results.h"
#include "eval/results/table.h"

/* The lines of the report, and whether all values pass. */
typedef struct {
    const TgTable *table;
    GString *report;
    gboolean passed;
    gboolean force;
} Gate;

/* The pooled value of a column over all pairs of one model. */
static double pooled_value(const TgTable *table, const TgTableColumn *column, guint model)
{
    TgTablePool pool = tg_table_pool(table, column);
    g_autofree TgExactSum *sums = g_new0(TgExactSum, pool.n_stats);
    g_autofree double *row = g_new(double, pool.n_stats);

    for (guint i = 0; i < table->n_rows; i++) {
        if (table->rows[i].model != model)
            continue;
        tg_table_pool_row(&pool, i, row);
        for (guint s = 0; s < pool.n_stats; s++)
            tg_exact_sum_add(&sums[s], row[s]);
    }
    for (guint s = 0; s < pool.n_stats; s++)
        row[s] = tg_exact_sum_value(&sums[s]);
    return tg_table_pool_value(row, &pool);
}

/* Split `COLUMN=NUMBER`; the column is NULL where only the number is there. */
static gboolean parse_limit(const char *text, const char *option, char **column, double *value,
                            GError **error)
{
    const char *equals = strrchr(text, '=');

    *column = equals != NULL ? g_strndup(text, (gsize) (equals - text)) : NULL;
    if (tg_number_parse(equals != NULL ? equals + 1 : text, value))
        return TRUE;
    return tg_fail_usage(error, "%s: no number in '%s'", option, text);
}

static void put_number(GString *out, double value)
{
    char text[32] = "undefined";

    if (!isnan(value))
        tg_number_format(value, text);
    g_string_append(out, text);
}

/* How much worse @value is than @limit; the digits that results have decide, not the last bit. */
static gboolean is_worse(const TgTableColumn *column, double value, double limit, double tolerance)
{
    const double loss = column->lower_is_better ? value - limit : limit - value;

    return isnan(loss) || tg_number_round(loss) > tolerance;
}

/* One line of the report; what follows the value is still open. */
static void begin_line(Gate *gate, gboolean good, guint model, const TgTableColumn *column,
                       double value)
{
    const char *name = tg_table_model(gate->table, model);

    gate->passed = gate->passed && good;
    g_string_append_printf(gate->report, "%s %s%s%s ", good ? "ok  " : "FAIL", name,
                           *name != '\0' ? ": " : "", column->name);
    put_number(gate->report, value);
}

/* ---- fixed values ---- */

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
    if (column == NULL)
        return FALSE;
    for (guint m = 0; m < gate->table->models->len; m++) {
        const double value = pooled_value(gate->table, column, m);
        const gboolean good = !is_worse(column, value, limit, 0.0);

        begin_line(gate, good, m, column, value);
        g_string_append(gate->report, column->lower_is_better ? ", at most " : ", at least ");
        put_number(gate->report, limit);
        g_string_append_c(gate->report, '\n');
    }
    return TRUE;
}

/* ---- a baseline ---- */

/* What is tolerated for @column: its own number, else the one for all; @named: it has its own. */
static gboolean find_tolerance(const char *const *tolerances, const char *column, double *out,
                               gboolean *named, GError **error)
{
    *out = 0.0;
    *named = FALSE;
    for (guint i = 0; tolerances != NULL && tolerances[i] != NULL; i++) {
        g_autofree char *name = NULL;
        double value;

        if (!parse_limit(tolerances[i], "--tolerance", &name, &value, error))
            return FALSE;
        if (name == NULL && !*named)
            *out = value;
        if (name != NULL && strcmp(name, column) == 0) {
            *out = value;
            *named = TRUE;
        }
    }
    return TRUE;
}

/* Every column that a tolerance names must be there. */
static gboolean check_names(const TgTable *table, const char *const *tolerances, GError **error)
{
    for (guint i = 0; tolerances != NULL && tolerances[i] != NULL; i++) {
        g_autofree char *name = NULL;
        double value;

        if (!parse_limit(tolerances[i], "--tolerance", &name, &value, error) ||
            (name != NULL && tg_table_find(table, name, error) == NULL))
            return FALSE;
    }
    return TRUE;
}

/* The baseline's model that model @model is compared with. */
static gboolean match_model(const Gate *gate, const TgTable *baseline, guint model, guint *out,
                            GError **error)
{
    const char *name = tg_table_model(gate->table, model);

    *out = 0;
    if (baseline->models->len == 1)
        return TRUE;
    for (guint i = 0; i < baseline->models->len; i++) {
        if (strcmp(tg_table_model(baseline, i), name) == 0) {
            *out = i;
            return TRUE;
        }
    }
    return tg_fail_input(error, "the baseline has no model '%s'", name);
}

/* The same column of the baseline, scored in the same way. */
static const TgTableColumn *match_column(const Gate *gate, const TgTable *baseline,
                                         const TgTableColumn *column, GError **error)
{
    const TgTableColumn *theirs = tg_table_find(baseline, column->name, NULL);
    const char *signature, *their_signature;

    if (theirs == NULL || theirs->is_stored != column->is_stored) {
        g_set_error(error, TG_ERROR, TG_ERROR_INPUT, "the baseline has no column '%s'",
                    column->name);
        return NULL;
    }
    if (column->is_stored)
        return theirs;
    signature = tg_metric_signature(tg_score_layout_metric(gate->table->layout, column->metric));
    their_signature = tg_metric_signature(tg_score_layout_metric(baseline->layout, theirs->metric));
    if (gate->force || strcmp(signature, their_signature) == 0)
        return theirs;
    g_set_error(error, TG_ERROR, TG_ERROR_INPUT, "the baseline's %s is %s, here it is %s",
                column->name, their_signature, signature);
    return NULL;
}

static gboolean check_column(Gate *gate, const TgTable *baseline, const TgTableColumn *column,
                             double tolerance, GError **error)
{
    const TgTableColumn *theirs = match_column(gate, baseline, column, error);

    if (theirs == NULL)
        return FALSE;
    for (guint m = 0; m < gate->table->models->len; m++) {
        const double value = pooled_value(gate->table, column, m);
        double limit;
        guint model;

        if (!match_model(gate, baseline, m, &model, error))
            return FALSE;
        limit = pooled_value(baseline, theirs, model);
        begin_line(gate, !is_worse(column, value, limit, tolerance), m, column, value);
        g_string_append(gate->report, ", baseline ");
        put_number(gate->report, limit);
        g_string_append(gate->report, ", tolerance ");
        put_number(gate->report, tolerance);
        g_string_append_c(gate->report, '\n');
    }
    return TRUE;
}

/* What makes a pair the same in both: its subset, id and truths. (transfer full) */
static char *gate_pair_key(const TgTable *table, guint row)
{
    const TgTableRow *r = &table->rows[row];
    GString *key = g_string_new(tg_table_subset(table, r->subset));

    g_string_append_c(key, '\n');
    g_string_append(key, r->id != NULL ? r->id : "");
    for (guint i = 0; r->refs[i] != NULL; i++) {
        g_string_append_c(key, '\n');
        g_string_append(key, r->refs[i]);
    }
    return g_string_free(key, FALSE);
}

/* Add @step to the number of every pair of a model. */
static void gate_count_pairs(GHashTable *counts, const TgTable *table, guint model, gint step)
{
    for (guint i = 0; i < table->n_rows; i++) {
        if (table->rows[i].model != model)
            continue;
        char *key = gate_pair_key(table, i);
        const gint count = GPOINTER_TO_INT(g_hash_table_lookup(counts, key)) + step;

        g_hash_table_replace(counts, key, GINT_TO_POINTER(count));
    }
}

/* A model that leaves out what is hard is not as good as one that does not. */
static gboolean check_pairs(Gate *gate, const TgTable *baseline, GError **error)
{
    for (guint m = 0; !gate->force && m < gate->table->models->len; m++) {
        g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        const char *name = tg_table_model(gate->table, m);
        guint missing = 0, more = 0, model;
        GHashTableIter iter;
        gpointer count;

        if (!match_model(gate, baseline, m, &model, error))
            return FALSE;
        gate_count_pairs(counts, baseline, model, 1);
        gate_count_pairs(counts, gate->table, m, -1);
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
    const TgTableOptions table_options = { options->stored, options->lower, options->force };
    g_autoptr(TgTable) baseline = tg_table_read(paths, &table_options, error);

    if (baseline == NULL || !check_names(gate->table, options->tolerances, error) ||
        (!gate->force && !tg_run_header_check_options(gate->table->run, baseline->run, error)) ||
        !check_pairs(gate, baseline, error))
        return FALSE;
    for (guint c = 0; c < gate->table->columns->len; c++) {
        const TgTableColumn *column = tg_table_column(gate->table, c);
        gboolean named;
        double tolerance;

        if (!find_tolerance(options->tolerances, column->name, &tolerance, &named, error))
            return FALSE;
        if ((named || (column->is_headline && !column->is_stored)) &&
            !check_column(gate, baseline, column, tolerance, error))
            return FALSE;
    }
    return TRUE;
}

gboolean tg_gate_check(const char *const *paths, const TgGateOptions *options, char **report,
                       gboolean *passed, GError **error)
{
    const TgTableOptions table_options = { options->stored, options->lower, options->force };
    g_autoptr(TgTable) table = tg_table_read(paths, &table_options, error);
    g_autoptr(GString) text = g_string_new(NULL);
    Gate gate = { table, text, TRUE, options->force };

    if (table == NULL)
        return FALSE;
    if (table->n_rows == 0) {
        g_set_error_literal(error, TG_ERROR, TG_ERROR_INPUT,
                            "the results hold no pairs, so no threshold can be met");
        return FALSE;
    }
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
