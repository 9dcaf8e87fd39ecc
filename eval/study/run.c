/* Runs a study: reads the table, chooses the pairs, and computes part after part. */
#include <string.h>

#include "core/fail.h"
#include "eval/results/results.h"
#include "eval/stats/stats.h"
#include "eval/study/parts.h"

enum { DEFAULT_RESAMPLES = 1000, MAX_RESAMPLES = 1000000, MAX_COMPARISON_RESAMPLES = 100000 };
#define DEFAULT_LEVEL 0.95

static void add_pairs(TgStudy *study, const char *name, guint subset, guint model)
{
    const TgTable *table = study->table;
    TgStudySlice *slice = g_new(TgStudySlice, 1);

    *slice = (TgStudySlice){ name, g_new(guint32, table->n_rows), 0 };
    for (guint i = 0; i < table->n_rows; i++) {
        if ((subset == G_MAXUINT || table->rows[i].subset == subset) &&
            (model == G_MAXUINT || table->rows[i].model == model))
            slice->rows[slice->n++] = i;
    }
    g_ptr_array_add(study->slices, slice);
}

/* The pairs of each value of a stored field, in the order of their first pairs. A pair with a list
 * of values is in all their slices. */
static gboolean add_pairs_of_field(TgStudy *study, const char *field, GError **error)
{
    TgTable *table = study->table;
    g_autoptr(GHashTable) slices = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < table->n_rows; i++) {
        g_auto(GStrv) values = tg_attribute_values(json_object_get(table->rows[i].stored, field));

        for (guint v = 0; values[v] != NULL; v++) {
            TgStudySlice *slice = g_hash_table_lookup(slices, values[v]);

            if (slice == NULL) {
                g_autofree char *name = g_strdup_printf("%s: %s", field, values[v]);

                add_pairs(study, g_string_chunk_insert(table->texts, name), G_MAXUINT, G_MAXUINT);
                slice = study->slices->pdata[study->slices->len - 1];
                slice->n = 0;
                g_hash_table_insert(slices, g_string_chunk_insert(table->texts, values[v]), slice);
            }
            if (slice->n == 0 || slice->rows[slice->n - 1] != i)
                slice->rows[slice->n++] = i;
        }
    }
    if (g_hash_table_size(slices) > 0)
        return TRUE;
    return tg_fail_usage(
        error,
        "--by takes subset, model, or a field of the results; no pair has a value of '%s' "
        "(eval --columns %s keeps it)",
        field, field);
}

static gboolean add_all_pairs(TgStudy *study, const TgStudyOptions *options, GError **error)
{
    const TgTable *table = study->table;

    add_pairs(study, "all", G_MAXUINT, G_MAXUINT);
    for (const char *const *by = options->by; by != NULL && *by != NULL; by++) {
        if (strcmp(*by, "subset") == 0)
            for (guint i = 0; i < table->subsets->len; i++)
                add_pairs(study, tg_table_subset(table, i), i, G_MAXUINT);
        else if (strcmp(*by, "model") == 0)
            for (guint i = 0; i < table->models->len; i++)
                add_pairs(study, tg_table_model(table, i), G_MAXUINT, i);
        else if (!add_pairs_of_field(study, *by, error))
            return FALSE;
    }
    return TRUE;
}

/* As many as the comparisons of one family need, where the caller named none. */
static void set_resamples(TgStudy *study, const TgStudyOptions *options)
{
    guint n = 0;

    for (guint c = 0; c < study->table->columns->len; c++)
        n += tg_study_shows(study, c);
    study->resamples = options->resamples > 0 ? options->resamples : DEFAULT_RESAMPLES;
    study->comparison_resamples = study->resamples;
    if (options->resamples == 0)
        study->comparison_resamples = tg_stats_draws_for(
            n * (n - (n > 0)) / 2, TG_STUDY_ALPHA, DEFAULT_RESAMPLES, MAX_COMPARISON_RESAMPLES);
}

static gboolean check_options(const TgStudyOptions *options, GError **error)
{
    if (options->level < 0.0 || options->level >= 1.0 || options->resamples > MAX_RESAMPLES)
        return tg_fail_usage(
            error, "an interval's level lies between 0 and 1, and there are at most %d resamples",
            MAX_RESAMPLES);
    return TRUE;
}

TgStudy *tg_study_run(const char *const *paths, const TgStudyOptions *options, GError **error)
{
    const TgTableOptions table_options = { options->stored, options->lower, options->force };
    g_autoptr(TgStudy) study = NULL;
    TgTable *table;

    if (!check_options(options, error))
        return NULL;
    table = tg_table_read(paths, &table_options, error);
    if (table == NULL)
        return NULL;
    study = tg_study_new(table);
    study->seed = options->seed;
    study->all_columns = options->all_columns;
    study->level = options->level > 0 ? options->level : DEFAULT_LEVEL;
    set_resamples(study, options);
    if (!add_all_pairs(study, options, error) ||
        !tg_study_add_correlations(study, options, error) ||
        !tg_study_add_comparisons(study, options, error) ||
        !tg_study_add_preferences(study, options, error) ||
        !tg_study_add_spellings(study, options, error) ||
        !tg_study_add_raters(study, options, error))
        return NULL;
    tg_study_add_systems(study);
    return g_steal_pointer(&study);
}
