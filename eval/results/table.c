#include "eval/results/table.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/number.h"
#include "eval/results/model_names.h"
#include "eval/results/results.h"
#include "eval/results/same_scoring.h"
#include "metrics/metric.h"

static void free_column(gpointer data)
{
    TgTableColumn *column = data;

    g_free(column->values);
    g_free(column);
}

static void free_group(gpointer data)
{
    TgTableGroup *group = data;

    g_free(group->ratings);
    g_free(group->mean);
    g_free(group);
}

void tg_table_free(TgTable *table)
{
    if (table == NULL)
        return;
    for (guint i = 0; i < table->n_rows; i++) {
        g_free((gpointer) table->rows[i].refs);
        json_decref(table->rows[i].stored);
    }
    g_free(table->rows);
    g_free(table->stats);
    g_free(table->has_stats);
    g_free(table->status);
    g_clear_pointer(&table->models, g_ptr_array_unref);
    g_clear_pointer(&table->subsets, g_ptr_array_unref);
    g_clear_pointer(&table->columns, g_ptr_array_unref);
    g_clear_pointer(&table->groups, g_ptr_array_unref);
    g_clear_pointer(&table->texts, g_string_chunk_free);
    json_decref(table->inputs);
    tg_score_layout_unref(table->layout);
    tg_scoring_free(table->scoring);
    g_free(table);
}

const TgTableColumn *tg_table_column(const TgTable *table, guint index)
{
    return table->columns->pdata[index];
}

const TgTableGroup *tg_table_group(const TgTable *table, guint index)
{
    return table->groups->pdata[index];
}

const char *tg_table_model(const TgTable *table, guint index)
{
    return table->models->pdata[index];
}

const char *tg_table_subset(const TgTable *table, guint index)
{
    return table->subsets->pdata[index];
}

const char *tg_table_status(const TgTable *table, guint row, guint metric)
{
    return table->status[(gsize) row * table->layout->metrics->len + metric];
}

const TgTableColumn *tg_table_find(const TgTable *table, const char *name, GError **error)
{
    g_autoptr(GString) known = g_string_new(NULL);

    for (guint i = 0; i < table->columns->len; i++) {
        const TgTableColumn *column = tg_table_column(table, i);

        if (strcmp(column->name, name) == 0)
            return column;
        g_string_append_printf(known, "%s%s", i > 0 ? ", " : "", column->name);
    }
    g_set_error(error, TG_ERROR, TG_ERROR_USAGE, "no column '%s' in the results; there are: %s",
                name, known->str);
    return NULL;
}

/* ---- reading ---- */

/* A table that is being filled. Numbers stand row by row until their number is known. */
typedef struct {
    TgTable *table;
    GArray *rows;   /* TgTableRow */
    GArray *scores; /* double, n_columns of the layout a row */
    GArray *stats;  /* double, n_stats of the layout a row */
    GByteArray *has_stats;
    GPtrArray *status; /* const char * */
    GPtrArray *human;  /* json_t: the row's groups */
    GHashTable *seen;  /* name of a model or subset to its number + 1 */
    gboolean force;    /* also what was not scored alike */
    TgModelNames *names;
    GPtrArray *as_read; /* Model: the models as the files call them */
} Filling;

/* A model as a file calls it; the table's rows have its number until all files are read. */
typedef struct {
    guint file;
    const char *name; /* NULL for none */
} Model;

/* The number of @text in a list that grows by what it does not hold yet. */
static guint number_of(Filling *f, GPtrArray *list, const char *kind, const char *text)
{
    g_autofree char *key = g_strconcat(kind, text != NULL ? text : "", NULL);
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(f->seen, key));

    if (number == 0) {
        g_ptr_array_add(list, g_string_chunk_insert(f->table->texts, text != NULL ? text : ""));
        number = list->len;
        g_hash_table_insert(f->seen, g_steal_pointer(&key), GUINT_TO_POINTER(number));
    }
    return number - 1;
}

static const char *keep(Filling *f, const char *text)
{
    return text != NULL ? g_string_chunk_insert(f->table->texts, text) : NULL;
}

/* Kept once however often it comes. */
static const char *keep_const(Filling *f, const char *text)
{
    return text != NULL ? g_string_chunk_insert_const(f->table->texts, text) : NULL;
}

static const char *const *keep_refs(Filling *f, const json_t *list)
{
    const char **refs = g_new0(const char *, json_array_size(list) + 1);
    guint n = 0;

    for (guint i = 0; i < json_array_size(list); i++) {
        const char *ref = json_string_value(json_array_get(list, i));

        if (ref != NULL)
            refs[n++] = keep(f, ref);
    }
    return refs;
}

/* The number of a model as @file calls it. */
static guint model_of(Filling *f, guint file, const char *name)
{
    g_autofree char *key =
        g_strdup_printf("file %u %s%s", file, name != NULL ? "=" : "", name != NULL ? name : "");
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(f->seen, key));

    if (number == 0) {
        Model *model = g_new(Model, 1);

        *model = (Model){ file, keep(f, name) };
        g_ptr_array_add(f->as_read, model);
        number = f->as_read->len;
        g_hash_table_insert(f->seen, g_steal_pointer(&key), GUINT_TO_POINTER(number));
    }
    return number - 1;
}

/* Give every row its model, now that all are known. */
static void settle_models(Filling *f)
{
    g_autofree guint *numbers = g_new(guint, MAX(f->as_read->len, 1));

    for (guint i = 0; i < f->as_read->len; i++) {
        const Model *model = f->as_read->pdata[i];
        g_autofree char *name = tg_model_names_get(f->names, model->file, model->name);

        numbers[i] = number_of(f, f->table->models, "model ", name);
    }
    for (guint i = 0; i < f->table->n_rows; i++)
        f->table->rows[i].model = numbers[f->table->rows[i].model];
}

static void add_row(Filling *f, const TgResultsRow *row, guint file)
{
    const TgScoreLayout *layout = f->table->layout;
    TgTableRow out = {
        .row = row->row,
        .id = keep(f, row->id),
        .model = model_of(f, file, row->model),
        .subset = number_of(f, f->table->subsets, "subset ", row->subset),
        .refs = keep_refs(f, json_object_get(row->json, "gt")),
        .hyp = keep(f, json_string_value(json_object_get(row->json, "pred"))),
        .stored = json_incref(json_object_get(row->json, "stored")),
    };

    g_array_append_val(f->rows, out);
    g_array_append_vals(f->scores, row->scores.columns, layout->n_columns);
    for (guint m = 0; m < layout->metrics->len; m++) {
        const guint8 has_stats = row->scores.has_stats[m] ? 1 : 0;

        g_byte_array_append(f->has_stats, &has_stats, 1);
        g_ptr_array_add(f->status, (gpointer) keep_const(f, row->scores.status[m]));
        for (guint i = layout->first_stat[m]; i < layout->first_stat[m + 1]; i++) {
            const double stat = has_stats ? row->scores.stats[i] : 0.0;

            g_array_append_val(f->stats, stat);
        }
    }
    g_ptr_array_add(f->human, json_incref(json_object_get(row->json, "human")));
}

/* The layout of the first file is the table's, and every other must be scored alike. */
static gboolean take_layout(Filling *f, TgResultsReader *reader, const char *path, GError **error)
{
    g_autoptr(TgScoring) scoring = tg_scoring_new(reader, path);

    if (f->table->layout != NULL)
        return tg_scoring_check(f->table->scoring, scoring, f->force, error);
    f->table->layout = tg_score_layout_ref(tg_results_layout(reader));
    f->table->scoring = g_steal_pointer(&scoring);
    return TRUE;
}

/* Shards of a run read the same files. */
static void add_inputs(TgTable *table, const json_t *footer)
{
    json_t *inputs = json_object_get(footer, "inputs"), *input, *known;
    size_t i, k;

    json_array_foreach(inputs, i, input)
    {
        gboolean is_known = FALSE;

        json_array_foreach(table->inputs, k, known) is_known = is_known || json_equal(known, input);
        if (!is_known)
            json_array_append(table->inputs, input);
    }
}

/* A file that is being read beside the other shards of its run. */
typedef struct {
    guint file;
    TgResultsReader *reader;
    const TgResultsRow *row; /* the next one; NULL: none left */
} Shard;

static void shard_clear(gpointer data)
{
    tg_results_close(((Shard *) data)->reader);
}

/* Step to the shard's next row; at the end, see whether it is the end. */
static gboolean next_row(Filling *f, Shard *shard, GError **error)
{
    GError *trouble = NULL;

    if (tg_results_next(shard->reader, &shard->row, &trouble))
        return tg_model_names_see(f->names, shard->file, shard->row, error);
    shard->row = NULL;
    if (trouble != NULL) {
        g_propagate_error(error, trouble);
        return FALSE;
    }
    if (!tg_results_check_whole(shard->reader, error))
        return FALSE;
    add_inputs(f->table, tg_results_footer_json(shard->reader));
    return TRUE;
}

static gboolean open_shards(Filling *f, guint first, GArray *shards, GError **error)
{
    const guint run = tg_model_names_run(f->names, first);

    for (guint file = first; file < tg_model_names_n_files(f->names); file++) {
        const char *path = tg_model_names_path(f->names, file);
        Shard shard = { .file = file };

        if (tg_model_names_run(f->names, file) != run)
            continue;
        shard.reader = tg_results_open(path, error);
        if (shard.reader == NULL)
            return FALSE;
        g_array_append_val(shards, shard);
        if (!take_layout(f, shard.reader, path, error) ||
            !next_row(f, &g_array_index(shards, Shard, shards->len - 1), error))
            return FALSE;
    }
    return TRUE;
}

/* All files of a run, their rows in the order of its input: what is drawn from them at random is
 * the same in shards as in one file. */
static gboolean read_run(Filling *f, guint first, GError **error)
{
    g_autoptr(GArray) shards = g_array_new(FALSE, FALSE, sizeof(Shard));

    g_array_set_clear_func(shards, shard_clear);
    if (!open_shards(f, first, shards, error))
        return FALSE;
    for (;;) {
        Shard *next = NULL;

        for (guint i = 0; i < shards->len; i++) {
            Shard *shard = &g_array_index(shards, Shard, i);

            if (shard->row != NULL && (next == NULL || shard->row->row < next->row->row))
                next = shard;
        }
        if (next == NULL)
            return TRUE;
        add_row(f, next->row, next->file);
        if (!next_row(f, next, error))
            return FALSE;
    }
}

static gboolean is_first_of_run(const TgModelNames *names, guint file)
{
    for (guint i = 0; i < file; i++)
        if (tg_model_names_run(names, i) == tg_model_names_run(names, file))
            return FALSE;
    return TRUE;
}

/* ---- columns ---- */

static void add_metric_columns(Filling *f)
{
    TgTable *table = f->table;
    const TgScoreLayout *layout = table->layout;

    for (guint m = 0; m < layout->metrics->len; m++) {
        for (guint c = layout->first_column[m]; c < layout->first_column[m + 1]; c++) {
            const TgColumn *info = tg_score_layout_column(layout, c);
            TgTableColumn *column = g_new(TgTableColumn, 1);

            *column = (TgTableColumn){
                .name = keep(f, tg_score_layout_column_name(layout, c)),
                .lower_is_better = info->direction == TG_LOWER_IS_BETTER,
                .is_share = tg_score_layout_is_share(layout, c),
                .is_headline = c == layout->first_column[m],
                .metric = m,
                .index = c - layout->first_column[m],
                .pooling = info->pooling,
                .values = g_new(double, table->n_rows),
            };
            for (guint i = 0; i < table->n_rows; i++)
                column->values[i] =
                    g_array_index(f->scores, double, (gsize) i * layout->n_columns + c);
            g_ptr_array_add(table->columns, column);
        }
    }
}

/* Whether a stored field has numbers, and nothing but numbers where it is not null. */
static gboolean is_numeric(const TgTable *table, const char *name)
{
    gboolean found = FALSE;

    for (guint i = 0; i < table->n_rows; i++) {
        const json_t *value = json_object_get(table->rows[i].stored, name);

        if (json_is_number(value))
            found = TRUE;
        else if (value != NULL && !json_is_null(value))
            return FALSE;
    }
    return found;
}

static void add_stored_column(Filling *f, const char *name, const TgTableOptions *options)
{
    TgTable *table = f->table;
    TgTableColumn *column = g_new(TgTableColumn, 1);

    *column = (TgTableColumn){
        .name = keep(f, name),
        .lower_is_better = options->lower != NULL && g_strv_contains(options->lower, name),
        .is_stored = TRUE,
        .is_headline = TRUE,
        .pooling = TG_POOL_MEAN,
        .values = g_new(double, table->n_rows),
    };
    for (guint i = 0; i < table->n_rows; i++) {
        const json_t *value = json_object_get(table->rows[i].stored, name);

        column->values[i] = json_is_number(value) ? json_number_value(value) : NAN;
    }
    g_ptr_array_add(table->columns, column);
}

static gboolean add_stored_columns(Filling *f, const TgTableOptions *options, GError **error)
{
    const TgTable *table = f->table;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const char *name;
    json_t *value;

    for (guint i = 0; options->stored != NULL && options->stored[i] != NULL; i++) {
        if (!is_numeric(table, options->stored[i]))
            return tg_fail_usage(
                error,
                "no stored column '%s' of numbers in the results; eval, study and report "
                "keep fields of the data with --columns",
                options->stored[i]);
        add_stored_column(f, options->stored[i], options);
    }
    if (options->stored != NULL)
        return TRUE;
    for (guint i = 0; i < table->n_rows; i++) {
        json_object_foreach(table->rows[i].stored, name, value)
        {
            if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
                g_ptr_array_add(names, (gpointer) name);
        }
    }
    for (guint i = 0; i < names->len; i++) {
        if (is_numeric(table, names->pdata[i]))
            add_stored_column(f, names->pdata[i], options);
    }
    return TRUE;
}

/* A misspelt name would leave a column's sign as it is; metrics know theirs. */
static gboolean check_lower(const TgTable *table, const TgTableOptions *options, GError **error)
{
    for (guint i = 0; options->lower != NULL && options->lower[i] != NULL; i++) {
        const TgTableColumn *column = tg_table_find(table, options->lower[i], NULL);

        if (column != NULL && column->is_stored)
            continue;
        return tg_fail_usage(error, "no stored column '%s' in which lower could be better",
                             options->lower[i]);
    }
    return TRUE;
}

/* ---- human scores ---- */

static TgTableGroup *find_group(Filling *f, const char *name)
{
    TgTable *table = f->table;
    TgTableGroup *group;

    for (guint i = 0; i < table->groups->len; i++) {
        if (strcmp(tg_table_group(table, i)->name, name) == 0)
            return table->groups->pdata[i];
    }
    group = g_new0(TgTableGroup, 1);
    group->name = keep(f, name);
    g_ptr_array_add(table->groups, group);
    return group;
}

static void fill_group(const Filling *f, TgTableGroup *group)
{
    const guint n = f->table->n_rows, k = group->n_raters;

    group->ratings = g_new(double, (gsize) n *k);
    group->mean = g_new(double, n);
    for (guint i = 0; i < n; i++) {
        const json_t *scores = json_object_get(f->human->pdata[i], group->name);
        double sum = 0.0;
        guint rated = 0;

        for (guint r = 0; r < k; r++) {
            const json_t *score = json_array_get(scores, r);
            const gboolean given = json_is_number(score);

            group->ratings[(gsize) i * k + r] = given ? json_number_value(score) : NAN;
            sum += given ? json_number_value(score) : 0.0;
            rated += given;
        }
        group->mean[i] = rated > 0 ? sum / rated : NAN;
    }
}

static void add_groups(Filling *f)
{
    const char *name;
    json_t *scores;

    for (guint i = 0; i < f->human->len; i++) {
        json_object_foreach(f->human->pdata[i], name, scores)
        {
            TgTableGroup *group = find_group(f, name);

            group->n_raters = MAX(group->n_raters, json_array_size(scores));
        }
    }
    for (guint i = 0; i < f->table->groups->len; i++)
        fill_group(f, f->table->groups->pdata[i]);
}

static void free_json(gpointer value)
{
    json_decref(value);
}

TgTable *tg_table_read(const char *const *paths, const TgTableOptions *options, GError **error)
{
    g_autoptr(TgTable) table = g_new0(TgTable, 1);
    g_autoptr(GArray) scores = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GPtrArray) human = g_ptr_array_new_with_free_func(free_json);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) as_read = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(TgModelNames) names = tg_model_names_new(paths, error);
    Filling f = {
        .table = table,
        .rows = g_array_new(FALSE, FALSE, sizeof(TgTableRow)),
        .scores = scores,
        .stats = g_array_new(FALSE, FALSE, sizeof(double)),
        .has_stats = g_byte_array_new(),
        .status = g_ptr_array_new(),
        .human = human,
        .seen = seen,
        .names = names,
        .as_read = as_read,
        .force = options->force,
    };
    gboolean good = names != NULL && (options->force || tg_model_names_check_shards(names, error));

    table->texts = g_string_chunk_new(1 << 16);
    table->inputs = json_array();
    table->models = g_ptr_array_new();
    table->subsets = g_ptr_array_new();
    table->columns = g_ptr_array_new_with_free_func(free_column);
    table->groups = g_ptr_array_new_with_free_func(free_group);
    for (guint i = 0; good && i < tg_model_names_n_files(names); i++)
        good = !is_first_of_run(names, i) || read_run(&f, i, error);
    table->n_rows = f.rows->len;
    table->rows = (TgTableRow *) (void *) g_array_free(f.rows, FALSE);
    table->stats = (double *) (void *) g_array_free(f.stats, FALSE);
    table->has_stats = g_byte_array_free(f.has_stats, FALSE);
    table->status = (const char **) g_ptr_array_free(f.status, FALSE);
    if (!good)
        return NULL;
    settle_models(&f);
    add_metric_columns(&f);
    add_groups(&f);
    if (!add_stored_columns(&f, options, error) || !check_lower(table, options, error))
        return NULL;
    return g_steal_pointer(&table);
}

/* ---- pooling ---- */

TgTablePool tg_table_pool(const TgTable *table, const TgTableColumn *column)
{
    guint n_stats = 1; /* the sum of the values, or the metric's statistics; then a count */

    if (column->pooling == TG_POOL_STATS)
        n_stats = tg_metric_n_stats(tg_score_layout_metric(table->layout, column->metric));
    return (TgTablePool){ table, column, n_stats + 1 };
}

void tg_table_pool_row(const TgTablePool *pool, guint row, double *out)
{
    const TgTable *table = pool->table;
    const TgScoreLayout *layout = table->layout;
    const TgTableColumn *column = pool->column;
    double *count = &out[pool->n_stats - 1];

    if (column->pooling == TG_POOL_STATS) {
        memcpy(out,
               table->stats + (gsize) row * layout->n_stats + layout->first_stat[column->metric],
               (pool->n_stats - 1) * sizeof *out);
        *count = table->has_stats[(gsize) row * layout->metrics->len + column->metric];
    } else {
        out[0] = isnan(column->values[row]) ? 0.0 : column->values[row];
        *count = !isnan(column->values[row]);
    }
}

double tg_table_pool_value(const double *sum, gpointer data)
{
    const TgTablePool *pool = data;
    const TgTableColumn *column = pool->column;
    const double count = sum[pool->n_stats - 1];

    if (count == 0.0)
        return NAN;
    if (column->pooling == TG_POOL_STATS) {
        const TgMetric *metric = tg_score_layout_metric(pool->table->layout, column->metric);
        g_autofree double *values = g_new(double, tg_metric_n_columns(metric));

        tg_metric_pool(metric, sum, values);
        return values[column->index];
    }
    return tg_number_round(column->pooling == TG_POOL_SUM ? sum[0] : sum[0] / count);
}
