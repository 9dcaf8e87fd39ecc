/* Spellings: does a metric give the same score to every way of writing one formula? */
#include <math.h>

#include "core/fail.h"
#include "eval/study/parts.h"

/* The rows that name one group. */
typedef struct {
    const char *name; /* borrowed from the rows */
    GArray *rows;     /* guint */
} Spelling;

static void free_spelling(gpointer data)
{
    Spelling *group = data;

    g_array_unref(group->rows);
    g_free(group);
}

/* A text for the field's value: groups may be named by text or number. (transfer full) */
static char *name_of(const json_t *value)
{
    if (json_is_string(value))
        return g_strdup(json_string_value(value));
    if (json_is_integer(value))
        return g_strdup_printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return NULL;
}

/* The groups in the order of their first row. (transfer full) (element-type Spelling) */
static GPtrArray *group_rows(const TgTable *table, const char *field)
{
    GPtrArray *groups = g_ptr_array_new_with_free_func(free_spelling);
    g_autoptr(GHashTable) by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = 0; i < table->n_rows; i++) {
        g_autofree char *name = name_of(json_object_get(table->rows[i].stored, field));
        Spelling *group;

        if (name == NULL)
            continue;
        group = g_hash_table_lookup(by_name, name);
        if (group == NULL) {
            group = g_new(Spelling, 1);
            group->name = g_string_chunk_insert(table->texts, name);
            group->rows = g_array_new(FALSE, FALSE, sizeof(guint));
            g_ptr_array_add(groups, group);
            g_hash_table_insert(by_name, g_steal_pointer(&name), group);
        }
        g_array_append_val(group->rows, i);
    }
    return groups;
}

/* Highest less lowest, and standard deviation, of the defined values; FALSE for fewer than two. */
static gboolean spread_of(const TgTableColumn *column, const Spelling *group, double *range,
                          double *deviation)
{
    double low = INFINITY, high = -INFINITY, sum = 0.0, squares = 0.0;
    guint n = 0;

    for (guint i = 0; i < group->rows->len; i++) {
        const double value = column->values[g_array_index(group->rows, guint, i)];

        if (isnan(value))
            continue;
        low = MIN(low, value);
        high = MAX(high, value);
        sum += value;
        n++;
    }
    if (n < 2)
        return FALSE;
    for (guint i = 0; i < group->rows->len; i++) {
        const double d = column->values[g_array_index(group->rows, guint, i)] - sum / n;

        squares += isnan(d) ? 0.0 : d * d;
    }
    *range = high - low;
    *deviation = high > low ? sqrt(squares / (n - 1)) : 0.0;
    return TRUE;
}

static void add_column(TgStudy *study, const char *field, const GPtrArray *groups, guint column)
{
    TgStudySpellings *out = g_new0(TgStudySpellings, 1);
    double range, deviation;

    out->field = g_string_chunk_insert(study->table->texts, field);
    out->column = column;
    for (guint g = 0; g < groups->len; g++) {
        const Spelling *group = groups->pdata[g];

        if (!spread_of(tg_table_column(study->table, column), group, &range, &deviation))
            continue;
        if (out->n_groups == 0 || range > out->largest_spread) {
            out->largest_spread = range;
            out->worst_group = group->name;
        }
        out->n_groups++;
        out->n_invariant += range == 0.0;
        out->mean_spread += range;
        out->mean_deviation += deviation;
    }
    if (out->n_groups == 0) {
        out->mean_spread = out->largest_spread = out->mean_deviation = NAN;
    } else {
        out->mean_spread /= out->n_groups;
        out->mean_deviation /= out->n_groups;
    }
    g_ptr_array_add(study->spellings, out);
}

gboolean tg_study_add_spellings(TgStudy *study, const TgStudyOptions *options, GError **error)
{
    for (guint i = 0; options->spellings != NULL && options->spellings[i] != NULL; i++) {
        const char *field = options->spellings[i];
        g_autoptr(GPtrArray) groups = group_rows(study->table, field);

        if (groups->len == 0)
            return tg_fail_usage(
                error, "no pair has a stored field '%s' that names its group of spellings", field);
        for (guint c = 0; c < study->table->columns->len; c++)
            add_column(study, field, groups, c);
    }
    return TRUE;
}
