/* Runs a study: reads the table, chooses the pairs, computes part after part, writes them. */
#include "eval/study/study.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/json.h"
#include "eval/results/results.h"
#include "eval/study/private.h"

enum { DEFAULT_RESAMPLES = 1000, MAX_RESAMPLES = 1000000, MAX_COMPARISON_RESAMPLES = 100000 };
#define DEFAULT_LEVEL 0.95

/* ---- what a study holds ---- */

static void free_correlation(gpointer data)
{
    TgStudyCorrelation *cell = data;

    g_free(cell->undefined);
    g_free(cell->pearsons);
    g_free(cell);
}

static void free_raters(gpointer data)
{
    TgStudyRaters *raters = data;

    g_free(raters->ratings);
    g_free(raters->undefined);
    g_free(raters);
}

void tg_study_free(TgStudy *study)
{
    if (study == NULL)
        return;
    g_ptr_array_unref(study->slices);
    g_ptr_array_unref(study->correlations);
    g_ptr_array_unref(study->systems);
    g_ptr_array_unref(study->comparisons);
    g_ptr_array_unref(study->raters);
    g_ptr_array_unref(study->groups);
    g_ptr_array_unref(study->preferences);
    g_ptr_array_unref(study->spellings);
    tg_table_free(study->table);
    g_free(study);
}

const TgStudyCorrelation *tg_study_correlation(const TgStudy *study, guint slice, guint group,
                                               guint column)
{
    const guint n_groups = study->table->groups->len, n_columns = study->table->columns->len;

    return study->correlations->pdata[(slice * n_groups + group) * n_columns + column];
}

gboolean tg_study_shows(const TgStudy *study, guint column)
{
    return study->all_columns || tg_table_column(study->table, column)->is_headline;
}

const char *tg_study_slice_name(const TgStudy *study, guint slice)
{
    return ((const TgStudySlice *) study->slices->pdata[slice])->name;
}

const char *tg_study_group_name(const TgStudy *study, guint group)
{
    return tg_table_group(study->table, group)->name;
}

const char *tg_study_column_name(const TgStudy *study, guint column)
{
    return tg_table_column(study->table, column)->name;
}

/* ---- slices of the pairs ---- */

static TgStudySlice *add_slice(TgStudy *study, const char *name, guint subset, guint model)
{
    const TgTable *table = study->table;
    TgStudySlice *slice = g_malloc(sizeof *slice + table->n_rows * sizeof *slice->rows);

    *slice = (TgStudySlice){ name, (guint32 *) (slice + 1), 0 };
    for (guint i = 0; i < table->n_rows; i++) {
        if ((subset == G_MAXUINT || table->rows[i].subset == subset) &&
            (model == G_MAXUINT || table->rows[i].model == model))
            slice->rows[slice->n++] = i;
    }
    g_ptr_array_add(study->slices, slice);
    return slice;
}

/* The pairs of each value of a stored field, in the order of their first pairs. A pair with a list
 * of values is in all their slices. */
static gboolean add_slices_of_field(TgStudy *study, const char *field, GError **error)
{
    TgTable *table = study->table;
    g_autoptr(GHashTable) slices = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < table->n_rows; i++) {
        g_auto(GStrv) values = tg_attribute_values(json_object_get(table->rows[i].stored, field));

        for (guint v = 0; values[v] != NULL; v++) {
            TgStudySlice *slice = g_hash_table_lookup(slices, values[v]);

            if (slice == NULL) {
                g_autofree char *name = g_strdup_printf("%s: %s", field, values[v]);

                slice = add_slice(study, g_string_chunk_insert(table->texts, name), G_MAXUINT,
                                  G_MAXUINT);
                slice->n = 0;
                g_hash_table_insert(slices, g_string_chunk_insert(table->texts, values[v]), slice);
            }
            if (slice->n == 0 || slice->rows[slice->n - 1] != i)
                slice->rows[slice->n++] = i;
        }
    }
    return g_hash_table_size(slices) > 0 ||
           tg_fail_usage(
               error,
               "--by takes subset, model, or a field of the results; no pair has a value of '%s' "
               "(eval --columns %s keeps it)",
               field, field);
}

static gboolean add_slices(TgStudy *study, const TgStudyOptions *options, GError **error)
{
    const TgTable *table = study->table;

    add_slice(study, "all", G_MAXUINT, G_MAXUINT);
    for (const char *const *by = options->by; by != NULL && *by != NULL; by++) {
        if (strcmp(*by, "subset") == 0)
            for (guint i = 0; i < table->subsets->len; i++)
                add_slice(study, tg_table_subset(table, i), i, G_MAXUINT);
        else if (strcmp(*by, "model") == 0)
            for (guint i = 0; i < table->models->len; i++)
                add_slice(study, tg_table_model(table, i), G_MAXUINT, i);
        else if (!add_slices_of_field(study, *by, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- running it ---- */

TgStudy *tg_study_run(const char *const *paths, const TgStudyOptions *options, GError **error)
{
    const TgTableOptions table_options = { options->stored, options->lower, options->force,
                                           options->edited };
    g_autoptr(TgStudy) study = NULL;
    TgTable *table;
    guint n_shown = 0;

    if (options->level < 0.0 || options->level >= 1.0 || options->resamples > MAX_RESAMPLES)
        return tg_null_usage(error,
                             "an interval's level lies between 0 and 1, and there are at most %d "
                             "resamples",
                             MAX_RESAMPLES);
    table = tg_table_read(paths, &table_options, error);
    if (table == NULL)
        return NULL;
    study = g_new(TgStudy, 1);
    *study = (TgStudy){
        .table = table,
        .resamples = options->resamples > 0 ? options->resamples : DEFAULT_RESAMPLES,
        .seed = options->seed,
        .level = options->level > 0 ? options->level : DEFAULT_LEVEL,
        .all_columns = options->all_columns,
        .slices = g_ptr_array_new_with_free_func(g_free),
        .correlations = g_ptr_array_new_with_free_func(free_correlation),
        .systems = g_ptr_array_new_with_free_func(g_free),
        .comparisons = g_ptr_array_new_with_free_func(g_free),
        .raters = g_ptr_array_new_with_free_func(free_raters),
        .groups = g_ptr_array_new_with_free_func(g_free),
        .preferences = g_ptr_array_new_with_free_func(g_free),
        .spellings = g_ptr_array_new_with_free_func(g_free),
    };
    for (guint c = 0; c < table->columns->len; c++)
        n_shown += tg_study_shows(study, c);
    /* as many as the comparisons of one family need, where the caller named none */
    study->comparison_resamples =
        options->resamples > 0
            ? options->resamples
            : tg_stats_draws_for(n_shown * (n_shown - (n_shown > 0)) / 2, TG_STUDY_ALPHA,
                                 DEFAULT_RESAMPLES, MAX_COMPARISON_RESAMPLES);
    if (!add_slices(study, options, error) || !tg_study_add_correlations(study, options, error) ||
        !tg_study_add_comparisons(study, options, error) ||
        !tg_study_add_preferences(study, options, error) ||
        !tg_study_add_spellings(study, options, error) ||
        !tg_study_add_raters(study, options, error))
        return NULL;
    tg_study_add_systems(study);
    return g_steal_pointer(&study);
}

/* ---- samples ---- */

guint32 *tg_study_common_rows(const TgStudy *study, guint slice, guint group, guint a, guint b,
                              guint *n)
{
    const TgStudySlice *from = study->slices->pdata[slice];
    const double *mean = tg_table_group(study->table, group)->mean;
    const double *value_a = tg_table_column(study->table, a)->values;
    const double *value_b = tg_table_column(study->table, b)->values;
    guint32 *rows = g_new(guint32, from->n);

    *n = 0;
    for (guint i = 0; i < from->n; i++) {
        const guint32 row = from->rows[i];

        if (!isnan(mean[row]) && !isnan(value_a[row]) && !isnan(value_b[row]))
            rows[(*n)++] = row;
    }
    return rows;
}

TgRanked *tg_study_ranked(const TgStudy *study, guint group, guint column, const guint32 *rows,
                          guint n)
{
    g_autofree double *values = g_new(double, n);

    for (guint i = 0; i < n; i++)
        values[i] = column == G_MAXUINT
                        ? tg_table_group(study->table, group)->mean[rows[i]]
                        : tg_table_aligned(tg_table_column(study->table, column), rows[i]);
    return tg_ranked_new(values, n);
}

double tg_study_correlation_p(TgCorrelationKind kind, double coefficient, const TgRanked *x,
                              const TgRanked *y)
{
    return kind != TG_PEARSON && x->n <= TG_MAX_PERMUTED
               ? tg_stats_permutation_p(kind, x, y)
               : tg_stats_correlation_p(kind, coefficient, x, y);
}

void tg_study_bootstrap(const TgStudy *study, TgStatisticFunc statistic, gpointer data, guint n,
                        const double *replicates, guint n_replicates, TgBootstrap *out)
{
    double *const intervals[] = { out->percentile, out->bca, out->t };
    const guint n_jackknife = tg_bootstrap_n_jackknife(n);
    g_autofree double *jackknife = g_new(double, n_jackknife);

    tg_bootstrap_jackknife(statistic, data, n, jackknife);
    tg_bootstrap_intervals(statistic(NULL, n, data), replicates, n_replicates, jackknife,
                           n_jackknife, study->level, out);
    for (guint i = 0; i < G_N_ELEMENTS(intervals); i++) {
        if (!(intervals[i][1] - intervals[i][0] > 1e-12))
            intervals[i][0] = intervals[i][1] = NAN;
    }
}

/* ---- tables ---- */

gboolean tg_study_for_programs(const TgStudyWriter *w)
{
    return w->form->style == TG_GRID_CSV || w->form->style == TG_GRID_JSON;
}

void tg_study_keep_grid(TgStudyWriter *w, TgGrid *grid, const char *member)
{
    if (w->form->style != TG_GRID_JSON && tg_grid_n_rows(grid) > 0) {
        g_ptr_array_add(w->grids, grid);
        return;
    }
    if (w->form->style == TG_GRID_JSON)
        json_object_set_new(w->json, member, tg_grid_rows_json(grid, w->form));
    tg_grid_free(grid);
}

char *tg_study_slice_suffix(const TgStudyWriter *w, guint slice)
{
    const char *name = tg_study_slice_name(w->study, slice);

    if (w->study->slices->len == 1)
        return g_strdup("");
    return g_strdup_printf(", pairs: %s", *name != '\0' ? name : "(none)");
}

char *tg_study_level_text(const TgStudy *study)
{
    char text[32];

    return g_strdup_printf("%s %%", g_ascii_formatd(text, sizeof text, "%.4g", 100 * study->level));
}

json_t *tg_study_bootstrap_json(gconstpointer bootstrap)
{
    const TgBootstrap *b = bootstrap;

    return json_pack("{s:o, s:[o,o], s:[o,o], s:o, s:o, s:i}", "se", tg_json_number(b->se),
                     "percentile", tg_json_number(b->percentile[0]),
                     tg_json_number(b->percentile[1]), "bca", tg_json_number(b->bca[0]),
                     tg_json_number(b->bca[1]), "z0", tg_json_number(b->z0), "acceleration",
                     tg_json_number(b->acceleration), "undefined_resamples", (int) b->n_undefined);
}

static void write_parts(TgStudyWriter *w, TgStudyParts parts)
{
    static const struct {
        TgStudyParts part;
        void (*write)(TgStudyWriter *w);
    } writers[] = {
        { TG_STUDY_CORRELATIONS, tg_study_write_correlations },
        { TG_STUDY_SYSTEMS, tg_study_write_systems },
        { TG_STUDY_COMPARISONS, tg_study_write_comparisons },
        { TG_STUDY_RATERS, tg_study_write_raters },
        { TG_STUDY_PREFERENCES, tg_study_write_preferences },
        { TG_STUDY_SPELLINGS, tg_study_write_spellings },
    };

    for (guint i = 0; i < G_N_ELEMENTS(writers); i++) {
        if ((parts & writers[i].part) != 0)
            writers[i].write(w);
    }
}

GPtrArray *tg_study_grids(const TgStudy *study, TgStudyParts parts, const TgGridForm *form)
{
    TgStudyWriter w = { study, form, g_ptr_array_new_with_free_func((GDestroyNotify) tg_grid_free),
                        NULL };

    write_parts(&w, parts);
    return w.grids;
}

char *tg_study_format(const TgStudy *study, TgStudyParts parts, const TgGridForm *form)
{
    GString *out = g_string_new(NULL);

    if (form->style == TG_GRID_JSON) {
        json_auto_t *all = json_pack(
            "{s:s, s:o, s:O, s:o*, s:i, s:I, s:o}", "version", tg_version(), "signatures",
            tg_signatures_json(study->table->layout), "inputs", study->table->inputs, "remarks",
            tg_remarks_json(study->table->remarks), "resamples", (int) study->resamples, "seed",
            (json_int_t) study->seed, "level", tg_json_number(study->level));
        TgStudyWriter w = { study, form, NULL, all };

        if (form->percent)
            json_object_set_new(all, "percent", json_true());
        write_parts(&w, parts);
        tg_json_append(out, all);
        g_string_append_c(out, '\n');
        return g_string_free(out, FALSE);
    }
    g_autoptr(GPtrArray) grids = tg_study_grids(study, parts, form);
    if (grids->len > 0)
        tg_signatures_note(grids->pdata[grids->len - 1], study->table->layout,
                           study->table->remarks);
    for (guint i = 0; i < grids->len; i++) {
        g_string_append(out, i > 0 ? "\n" : "");
        tg_grid_append(out, grids->pdata[i], form);
    }
    if (grids->len == 0)
        g_string_append(out, "nothing to study: no human scores in these results; --human names "
                             "their fields when the pairs are scored\n");
    return g_string_free(out, FALSE);
}
