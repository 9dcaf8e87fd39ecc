/* Results files in memory, column by column, and sets of their pairs: pooled, averaged over pages
 * or subsets, and paired. */
#include "eval/results/table.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/hash.h"
#include "core/number.h"
#include "core/utf8.h"
#include "datasets/id_set.h"
#include "datasets/records/formula.h"
#include "eval/results/ratings.h"
#include "metrics/metric.h"

void tg_table_free(TgTable *table)
{
    if (table == NULL)
        return;
    for (guint i = 0; i < table->n_rows; i++) {
        g_free((gpointer) table->rows[i].refs);
        json_decref(table->rows[i].stored);
    }
    g_free(table->rows);
    g_free(table->numbers);
    g_clear_pointer(&table->status, g_ptr_array_unref);
    g_clear_pointer(&table->notes, g_ptr_array_unref);
    g_clear_pointer(&table->models, g_ptr_array_unref);
    g_clear_pointer(&table->subsets, g_ptr_array_unref);
    g_clear_pointer(&table->columns, g_ptr_array_unref);
    g_clear_pointer(&table->groups, g_ptr_array_unref);
    g_clear_pointer(&table->owned, g_ptr_array_unref);
    tg_ratings_free(table->ratings);
    g_clear_pointer(&table->texts, g_string_chunk_free);
    json_decref(table->inputs);
    g_clear_pointer(&table->remarks, g_ptr_array_unref);
    tg_score_layout_unref(table->layout);
    g_clear_pointer(&table->run, tg_run_header_unref);
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

double *tg_table_values(const TgTable *table, const TgTableColumn *column)
{
    double *values = g_new(double, MAX(table->n_rows, 1));

    for (guint i = 0; i < table->n_rows; i++)
        values[i] = tg_table_aligned(column, i);
    return values;
}

const char *tg_table_model(const TgTable *table, guint index)
{
    return table->models->pdata[index];
}

gboolean tg_table_find_model(const TgTable *table, const char *name, guint *out, GError **error)
{
    g_autofree const char **known = g_new0(const char *, table->models->len + 1);

    for (*out = 0; *out < table->models->len; ++*out) {
        known[*out] = tg_table_model(table, *out);
        if (strcmp(known[*out], name) == 0)
            return TRUE;
    }
    return tg_fail_unknown(error, "model", name, known);
}

const char *tg_table_subset(const TgTable *table, guint index)
{
    return table->subsets->pdata[index];
}

const char *tg_table_status(const TgTable *table, guint row, guint metric)
{
    return table->status->pdata[(gsize) row * table->layout->metrics->len + metric];
}

const char *tg_table_note(const TgTable *table, guint row, guint metric)
{
    return table->notes->pdata[(gsize) row * table->layout->metrics->len + metric];
}

const char *tg_table_picture(const TgTableRow *row)
{
    static const char *const fields[] = { "image_path", "image", "image_name", NULL };
    const char *name = NULL;

    for (guint i = 0; fields[i] != NULL && name == NULL; i++)
        name = json_string_value(json_object_get(row->stored, fields[i]));
    return name != NULL ? name : row->id != NULL && strchr(row->id, '.') != NULL ? row->id : NULL;
}

const TgTableColumn *tg_table_find(const TgTable *table, const char *name, GError **error)
{
    g_autofree const char **known = g_new0(const char *, table->columns->len + 1);

    for (guint i = 0; i < table->columns->len; i++) {
        known[i] = tg_table_column(table, i)->name;
        if (strcmp(known[i], name) == 0)
            return tg_table_column(table, i);
    }
    tg_fail_unknown(error, "column", name, known);
    return NULL;
}

/* ---- reading ---- */

/* State that is needed only while a table is filled. */
typedef struct {
    TgTable *table;
    GArray *rows;     /* TgTableRow */
    GArray *numbers;  /* double */
    GPtrArray *human; /* json_t: the row's groups */
    GPtrArray *said;  /* char *: the row's model as its file calls it; NULL: none */
    GHashTable *seen; /* name of a model or subset to its number + 1 */
    TgResultsSet *set;
} TableFilling;

static const char *keep_text(TableFilling *f, const char *text)
{
    return text != NULL ? g_string_chunk_insert(f->table->texts, text) : NULL;
}

/* Keep a text of which there are few. */
static gpointer keep_once(TableFilling *f, const char *text)
{
    return text != NULL ? g_string_chunk_insert_const(f->table->texts, text) : NULL;
}

/* The number of @text in a list that grows by what it does not hold yet. */
static guint number_of(TableFilling *f, GPtrArray *list, const char *kind, const char *text)
{
    g_autofree char *key = g_strconcat(kind, text != NULL ? text : "", NULL);
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(f->seen, key));

    if (number == 0) {
        g_ptr_array_add(list, (gpointer) keep_text(f, text != NULL ? text : ""));
        number = list->len;
        g_hash_table_insert(f->seen, g_steal_pointer(&key), GUINT_TO_POINTER(number));
    }
    return number - 1;
}

/* A formula of a page without its outer delimiters and white space: the protocol writes them
 * differently for models whose formulas it splits differently. (transfer full) */
static char *formula_key(const char *page, const char *ref)
{
    GString *out = g_string_new(page);
    gsize n;
    const char *inner = tg_delimiters_strip(ref, strlen(ref), &n);

    g_string_append_c(out, '\n');
    for (gsize i = 0; i < n; i++)
        if (!g_ascii_isspace(inner[i]))
            g_string_append_c(out, inner[i]);
    return g_string_free(out, FALSE);
}

static void add_row(TableFilling *f, const TgResultsRow *row, guint file)
{
    const json_t *notes = json_object_get(row->json, "notes");
    const GPtrArray *metrics = row->layout->metrics;
    guint n_refs;
    const char **refs = tg_results_refs(row, &n_refs);
    TgTableRow out = {
        .row = row->row,
        .id = keep_text(f, row->id),
        .model = file, /* until all models are known */
        .subset = number_of(f, f->table->subsets, "subset ", row->subset),
        .refs = refs,
        .hyp = keep_text(f, json_string_value(json_object_get(row->json, "pred"))),
        .stored = json_incref(json_object_get(row->json, "stored")),
    };

    for (guint i = 0; i < n_refs; i++)
        refs[i] = keep_text(f, refs[i]);
    if (json_is_string(json_object_get(out.stored, "match")) && n_refs > 0) {
        const char *page = json_string_value(json_object_get(out.stored, "page"));
        g_autofree char *formula = page != NULL ? formula_key(page, refs[0]) : NULL;

        out.formula = keep_text(f, formula);
    }
    g_array_append_val(f->rows, out);
    g_array_append_vals(f->numbers, row->scores.columns, row->layout->width);
    for (guint m = 0; m < metrics->len; m++) {
        const char *note =
            json_string_value(json_object_get(notes, tg_metric_label(metrics->pdata[m])));
        const gboolean is_right = row->scores.columns[row->layout->first_column[m]] == 1;
        g_ptr_array_add(f->table->status, keep_once(f, row->scores.status[m]));
        g_ptr_array_add(f->table->notes, keep_once(f, is_right ? NULL : note));
    }
    g_ptr_array_add(f->human, json_incref(json_object_get(row->json, "human")));
    g_ptr_array_add(f->said, keep_once(f, row->model));
}

/* The data files, with the many of one folder as one that has the checksum of their checksums.
 * (transfer full) */
static json_t *fold_folders(const json_t *files)
{
    enum { MANY = 10 };
    json_t *folded = json_array();
    const gsize n = json_array_size(files);

    for (gsize i = 0, end; i < n; i = end) {
        const json_t *first = json_array_get(files, i);
        const char *name = json_string_value(json_object_get(first, "file"));
        g_autofree char *folder = g_path_get_dirname(name != NULL ? name : "");
        g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

        for (end = i; end < n; end++) {
            const json_t *file = json_array_get(files, end);
            const char *other = json_string_value(json_object_get(file, "file"));
            const char *sha256 = json_string_value(json_object_get(file, "sha256"));
            g_autofree char *its = g_path_get_dirname(other != NULL ? other : "");

            if (other == NULL || sha256 == NULL || strcmp(its, folder) != 0 ||
                g_strcmp0(json_string_value(json_object_get(file, "format")),
                          json_string_value(json_object_get(first, "format"))) != 0 ||
                g_strcmp0(json_string_value(json_object_get(file, "fields")),
                          json_string_value(json_object_get(first, "fields"))) != 0)
                break;
            g_checksum_update(sum, (const guchar *) sha256, -1);
        }
        if (end - i < MANY) {
            json_array_append(folded, json_array_get(files, i));
            end = i + 1;
            continue;
        }
        json_t *whole = json_copy((json_t *) first);
        g_autofree char *title =
            g_strdup_printf("%s/ (%" G_GSIZE_FORMAT " files)", folder, end - i);
        json_object_set_new(whole, "file", tg_json_text(title));
        json_object_set_new(whole, "sha256", tg_json_text(g_checksum_get_string(sum)));
        json_array_append_new(folded, whole);
    }
    return folded;
}

static gboolean read_rows(TableFilling *f, GError **error)
{
    TgTable *table = f->table;
    const TgResultsRow *row;
    TgNext next;
    guint file;

    while ((next = tg_results_set_next(f->set, &row, &file, error)) == TG_NEXT_ROW)
        add_row(f, row, file);
    if (next == TG_NEXT_ERROR)
        return FALSE;
    table->run = tg_run_header_ref(f->set->header);
    table->layout = tg_score_layout_ref(table->run->layout);
    table->mean = keep_text(f, f->set->mean);
    table->inputs = fold_folders(f->set->data);
    table->remarks = g_ptr_array_ref(f->set->remarks);

    /* Every row gets its model, now that all are known. */
    for (guint i = 0; i < f->rows->len; i++) {
        guint *model = &g_array_index(f->rows, TgTableRow, i).model;
        g_autofree char *name = tg_results_set_model(f->set, *model, f->said->pdata[i]);

        *model = number_of(f, table->models, "model ", name);
    }
    return TRUE;
}

/* Put the subsets in the order of their names, as every table of subsets has them. */
static void sort_subsets(TgTable *table)
{
    g_autoptr(GPtrArray) sorted = g_ptr_array_copy(table->subsets, NULL, NULL);
    g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL); /* each name is kept once */

    tg_texts_sort(sorted);
    for (guint i = 0; i < sorted->len; i++)
        g_hash_table_insert(places, sorted->pdata[i], GUINT_TO_POINTER(i));
    for (guint i = 0; i < table->n_rows; i++)
        table->rows[i].subset = GPOINTER_TO_UINT(
            g_hash_table_lookup(places, tg_table_subset(table, table->rows[i].subset)));
    g_ptr_array_set_size(table->subsets, 0);
    g_ptr_array_extend(table->subsets, sorted, NULL, NULL);
}

/* ---- columns ---- */

/* Numbers that the table owns. */
static double *new_numbers(TgTable *table, gsize n)
{
    double *numbers = g_new(double, MAX(n, 1));

    g_ptr_array_add(table->owned, numbers);
    return numbers;
}

static void add_metric_columns(TableFilling *f)
{
    TgTable *table = f->table;
    const TgScoreLayout *layout = table->layout;
    g_autofree TgPoolColumn *columns = tg_pool_columns(layout, table->numbers, layout->width);

    for (guint c = 0; c < layout->n_columns; c++) {
        TgTableColumn *column = g_new(TgTableColumn, 1);

        *column = (TgTableColumn){
            .name = keep_text(f, layout->names[c]),
            .lower_is_better = layout->columns[c]->direction == TG_LOWER_IS_BETTER,
            .is_share = tg_score_layout_is_share(layout, c),
            .is_headline = columns[c].index == 0,
            .pool = columns[c],
        };
        g_ptr_array_add(table->columns, column);
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

static void add_stored_column(TableFilling *f, const char *name, const TgTableOptions *options)
{
    TgTable *table = f->table;
    TgTableColumn *column = g_new(TgTableColumn, 1);
    double *values = new_numbers(table, table->n_rows);

    *column = (TgTableColumn){
        .name = keep_text(f, name),
        .lower_is_better = options->lower != NULL && g_strv_contains(options->lower, name),
        .is_stored = TRUE,
        .is_headline = TRUE,
        .pool = { .pooling = TG_POOL_MEAN, .values = values, .step = 1 },
    };
    for (guint i = 0; i < table->n_rows; i++) {
        const json_t *value = json_object_get(table->rows[i].stored, name);

        values[i] = json_is_number(value) ? json_number_value(value) : NAN;
    }
    g_ptr_array_add(table->columns, column);
}

static gboolean add_stored_columns(TableFilling *f, const TgTableOptions *options, GError **error)
{
    const TgTable *table = f->table;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const char *name;
    json_t *value;

    for (guint i = 0; options->stored != NULL && options->stored[i] != NULL; i++) {
        if (!is_numeric(table, options->stored[i]))
            return tg_fail_usage(
                error,
                tg_table_find(table, options->stored[i], NULL) != NULL
                    ? "'%s' is a column of a metric, not of the data: compare has all of a "
                      "metric's columns with --all"
                    : "no stored column '%s' of numbers in the results; eval, study and report "
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

/* ---- human scores ---- */

/* The means of all that rated. */
static void fill_means(TgTable *table, TgTableGroup *group)
{
    const double *rating = group->ratings;

    group->mean = new_numbers(table, table->n_rows);
    group->pool = (TgPoolColumn){ .pooling = TG_POOL_MEAN, .values = group->mean, .step = 1 };
    for (guint i = 0; i < table->n_rows; i++) {
        double sum = 0.0;
        guint rated = 0;

        for (guint r = 0; r < group->n_raters; r++, rating++) {
            sum += isnan(*rating) ? 0.0 : *rating;
            rated += !isnan(*rating);
        }
        group->mean[i] = rated > 0 ? sum / rated : NAN;
    }
}

/* A group for each name that a row has, with as many raters as any row of it. */
static void add_groups(TableFilling *f)
{
    TgTable *table = f->table;
    const char *name;
    json_t *scores;

    for (guint i = 0; i < f->human->len; i++) {
        json_object_foreach(f->human->pdata[i], name, scores)
        {
            TgTableGroup *group = NULL;

            for (guint k = 0; k < table->groups->len && group == NULL; k++)
                if (strcmp(tg_table_group(table, k)->name, name) == 0)
                    group = table->groups->pdata[k];
            if (group == NULL) {
                group = g_new0(TgTableGroup, 1);
                group->name = keep_text(f, name);
                g_ptr_array_add(table->groups, group);
            }
            group->n_raters = MAX(group->n_raters, json_array_size(scores));
        }
    }
    for (guint k = 0; k < table->groups->len; k++) {
        TgTableGroup *group = table->groups->pdata[k];
        double *rating = group->ratings =
            new_numbers(table, (gsize) table->n_rows * group->n_raters);

        for (guint i = 0; i < table->n_rows; i++) {
            scores = json_object_get(f->human->pdata[i], group->name);
            for (guint r = 0; r < group->n_raters; r++, rating++) {
                const json_t *score = json_array_get(scores, r);

                *rating = json_is_number(score) ? json_number_value(score) : NAN;
            }
        }
        fill_means(table, group);
    }
}

/* The ratings of a page: people in the order of their files are one more group. */
static gboolean add_ratings(TgTable *table, const TgTableOptions *options, GError **error)
{
    if (options->ratings == NULL || *options->ratings == NULL)
        return TRUE;
    table->ratings = tg_ratings_read(options->ratings, table, options->force, error);
    if (table->ratings == NULL)
        return FALSE;
    for (guint i = 0; i < table->ratings->remarks->len; i++)
        g_ptr_array_add(table->remarks, g_strdup(table->ratings->remarks->pdata[i]));
    if (table->ratings->kind == TG_RATINGS_SCALE) {
        TgTableGroup *group = g_new0(TgTableGroup, 1);

        group->name = TG_RATINGS_GROUP;
        group->n_raters = table->ratings->raters->len;
        group->ratings = tg_ratings_matrix(table->ratings, table->n_rows);
        g_ptr_array_add(table->owned, group->ratings);
        fill_means(table, group);
        g_ptr_array_add(table->groups, group);
    }
    return TRUE;
}

TgTable *tg_table_read(const char *const *paths, const TgTableOptions *options, GError **error)
{
    g_autoptr(TgTable) table = g_new0(TgTable, 1);
    g_autoptr(GPtrArray) human = g_ptr_array_new_with_free_func((GDestroyNotify) json_decref);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) said = g_ptr_array_new();
    g_autoptr(TgResultsSet) set =
        tg_results_set_new(paths, TG_RESULTS_ALIKE, options->force, error);
    TableFilling f = {
        .table = table,
        .rows = g_array_new(FALSE, FALSE, sizeof(TgTableRow)),
        /* some memory, so that columns have an address where there is no row */
        .numbers = g_array_sized_new(FALSE, FALSE, sizeof(double), 64),
        .human = human,
        .said = said,
        .seen = seen,
        .set = set,
    };

    table->texts = g_string_chunk_new(1 << 16);
    table->models = g_ptr_array_new();
    table->status = g_ptr_array_new();
    table->notes = g_ptr_array_new();
    table->subsets = g_ptr_array_new();
    table->columns = g_ptr_array_new_with_free_func(g_free);
    table->groups = g_ptr_array_new_with_free_func(g_free);
    table->owned = g_ptr_array_new_with_free_func(g_free);
    const gboolean good = set != NULL && read_rows(&f, error);
    table->n_rows = f.rows->len;
    table->rows = (TgTableRow *) (void *) g_array_free(f.rows, FALSE);
    table->numbers = (double *) (void *) g_array_free(f.numbers, FALSE);
    if (!good)
        return NULL;
    sort_subsets(table);
    add_metric_columns(&f);
    add_groups(&f);
    if (!add_stored_columns(&f, options, error) || !add_ratings(table, options, error))
        return NULL;
    /* A misspelt name would leave a column's sign as it is; metrics know theirs. */
    for (guint i = 0; options->lower != NULL && options->lower[i] != NULL; i++) {
        const TgTableColumn *column = tg_table_find(table, options->lower[i], NULL);

        if (column == NULL || !column->is_stored)
            return tg_null_usage(error, "no stored column '%s' in which lower could be better",
                                 options->lower[i]);
    }
    return g_steal_pointer(&table);
}

/* ---- where pairs belong ---- */

gboolean tg_table_mean_init(TgTableMean *out, TgTable *table, const char *text, GError **error)
{
    g_autoptr(GHashTable) numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    gboolean any = FALSE;

    *out = (TgTableMean){ 0 };
    if (!tg_mean_parse(text != NULL ? text : table->mean, &out->mean, error))
        return FALSE;
    if (out->mean.unit == TG_MEAN_PAIRS)
        return TRUE;
    out->group = g_new(guint, MAX(table->n_rows, 1));
    out->names = g_ptr_array_new();
    for (guint i = 0; i < table->n_rows; i++) {
        const TgTableRow *row = &table->rows[i];
        const char *subset = tg_table_subset(table, row->subset);
        char *name =
            tg_mean_group(&out->mean, row->id, *subset != '\0' ? subset : NULL, row->stored);

        any = any || name != NULL;
        name = name != NULL ? name : g_strdup("");
        if (!g_hash_table_contains(numbers, name))
            g_ptr_array_add(out->names, g_string_chunk_insert(table->texts, name));
        out->group[i] = tg_hash_number(numbers, name);
    }
    if (!any && table->n_rows > 0)
        return tg_mean_fail_unnamed(&out->mean, error);
    if (out->mean.unit == TG_MEAN_SUBSETS && out->mean.field != NULL) {
        g_ptr_array_unref(table->subsets);
        table->subsets = g_ptr_array_ref(out->names);
        for (guint i = 0; i < table->n_rows; i++)
            table->rows[i].subset = out->group[i];
        sort_subsets(table);
        for (guint i = 0; i < table->n_rows; i++)
            out->group[i] = table->rows[i].subset;
    }
    return TRUE;
}

void tg_table_mean_clear(TgTableMean *mean)
{
    tg_mean_clear(&mean->mean);
    g_clear_pointer(&mean->group, g_free);
    g_clear_pointer(&mean->names, g_ptr_array_unref);
}

/* ---- sets of pairs ---- */

TgSelection tg_table_select(const TgTable *table, const TgTableMean *mean, gint model, gint subset,
                            const guint32 *rows, guint n)
{
    TgSelection out = { .rows = g_new(guint32, MAX(n, 1)) };

    for (guint i = 0; i < n; i++) {
        const guint32 row = rows != NULL ? rows[i] : i;

        if ((model < 0 || table->rows[row].model == (guint) model) &&
            (subset < 0 || table->rows[row].subset == (guint) subset))
            out.rows[out.n++] = row;
    }
    if (mean == NULL || mean->group == NULL)
        return out;
    g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL);
    out.unit = mean->mean.unit;
    out.groups = g_new(guint, MAX(out.n, 1));
    for (guint i = 0; i < out.n; i++)
        out.groups[i] = tg_hash_number(numbers, GUINT_TO_POINTER(mean->group[out.rows[i]]));
    out.n_groups = g_hash_table_size(numbers);
    return out;
}

void tg_table_slice_free(gpointer slice)
{
    g_free(((TgTableSlice *) slice)->rows);
    g_free(slice);
}

GPtrArray *tg_table_slices(TgTable *table, const char *field,
                           char **(*values_of)(const json_t *value))
{
    GPtrArray *slices = g_ptr_array_new_with_free_func(tg_table_slice_free);
    g_autoptr(GHashTable) by_value = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < table->n_rows; i++) {
        g_auto(GStrv) values = values_of(json_object_get(table->rows[i].stored, field));

        for (guint v = 0; values[v] != NULL; v++) {
            TgTableSlice *slice = g_hash_table_lookup(by_value, values[v]);

            if (slice == NULL) {
                slice = g_new0(TgTableSlice, 1);
                slice->name = g_string_chunk_insert(table->texts, values[v]);
                g_hash_table_insert(by_value, (gpointer) slice->name, slice);
                g_ptr_array_add(slices, slice);
            }
            if (slice->n > 0 && slice->rows[slice->n - 1] == i)
                continue; /* the value comes twice */
            if ((slice->n & (slice->n - 1)) == 0)
                slice->rows = g_renew(guint32, slice->rows, 2 * (gsize) slice->n + 1);
            slice->rows[slice->n++] = i;
        }
    }
    return slices;
}

/* ---- two models ---- */

/* Two rows belong together if their keys are equal; @level: how ids are compared. @counts knows how
 * many rows of the model had this subset, and id or page and reference, before. (transfer full) */
static char *key_of(const TgTable *table, guint row, guint level, GHashTable *counts)
{
    const TgTableRow *r = &table->rows[row];
    g_autofree char *id = r->formula != NULL ? g_strdup(r->formula)
                          : r->id != NULL    ? tg_id_key(level, r->id)
                                             : g_strdup("");
    char *key = g_strdup_printf("%u %s", r->subset, id);
    const guint before = GPOINTER_TO_UINT(g_hash_table_lookup(counts, key));
    char *numbered = g_strdup_printf("%u %s", before, key);

    g_hash_table_replace(counts, key, GUINT_TO_POINTER(before + 1));
    return numbered;
}

static GHashTable *new_counts(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static gboolean check_refs(const TgTable *table, guint a, guint b, GError **error)
{
    const TgTableRow *x = &table->rows[a], *y = &table->rows[b];

    if (x->formula != NULL ||
        g_strv_equal((const char *const *) x->refs, (const char *const *) y->refs))
        return TRUE;
    return tg_fail_input(
        error,
        "models '%s' and '%s' have different references for %s '%s' (rows %" G_GUINT64_FORMAT
        " and %" G_GUINT64_FORMAT "); they were not scored on the same pairs",
        tg_table_model(table, x->model), tg_table_model(table, y->model),
        x->id != NULL ? "id" : "the same place in subset",
        x->id != NULL ? x->id : tg_table_subset(table, x->subset), x->row, y->row);
}

/* tg_pairing_init() with ids that are compared at @level. */
static gboolean pair_rows(TgPairing *pairing, const TgTable *table, guint model_a, guint model_b,
                          guint level, GError **error)
{
    g_autoptr(GHashTable) others = new_counts(); /* key to row + 1 of the other model's rows */
    g_autoptr(GHashTable) counts = new_counts(), counts_b = new_counts();

    for (guint i = 0; i < table->n_rows; i++)
        if (table->rows[i].model == model_b)
            g_hash_table_replace(others, key_of(table, i, level, counts_b),
                                 GUINT_TO_POINTER(i + 1));
    *pairing = (TgPairing){ .a = g_new(guint32, table->n_rows),
                            .b = g_new(guint32, table->n_rows),
                            .ids = level != TG_ID_WHOLE ? tg_id_level_names[level] : NULL };
    for (guint i = 0; i < table->n_rows; i++) {
        if (table->rows[i].model != model_a)
            continue;
        g_autofree char *key = key_of(table, i, level, counts);
        const guint other = GPOINTER_TO_UINT(g_hash_table_lookup(others, key));
        if (other == 0) {
            pairing->n_only_a++;
            continue;
        }
        if (!check_refs(table, i, other - 1, error))
            return FALSE;
        pairing->a[pairing->n] = i;
        pairing->b[pairing->n++] = other - 1;
    }
    pairing->n_only_b = g_hash_table_size(others) - pairing->n;
    return TRUE;
}

/* How the ids of two models without a common pair are compared. */
static guint level_of_ids(const TgTable *table, guint model_a, guint model_b)
{
    g_autoptr(GPtrArray) a = g_ptr_array_new(), b = g_ptr_array_new();

    for (guint i = 0; i < table->n_rows; i++) {
        const TgTableRow *row = &table->rows[i];

        if (row->id != NULL && (row->model == model_a || row->model == model_b))
            g_ptr_array_add(row->model == model_a ? a : b, (gpointer) row->id);
    }
    const TgIdFit fit = tg_ids_fit(a, b);
    return fit.total ? fit.level : TG_ID_WHOLE;
}

gboolean tg_pairing_init(TgPairing *pairing, const TgTable *table, guint model_a, guint model_b,
                         GError **error)
{
    if (!pair_rows(pairing, table, model_a, model_b, TG_ID_WHOLE, error))
        return FALSE;
    const guint level = pairing->n == 0 ? level_of_ids(table, model_a, model_b) : TG_ID_WHOLE;
    if (level == TG_ID_WHOLE)
        return TRUE;
    tg_pairing_clear(pairing);
    return pair_rows(pairing, table, model_a, model_b, level, error);
}

void tg_pairing_clear(TgPairing *pairing)
{
    g_free(pairing->a);
    g_free(pairing->b);
    memset(pairing, 0, sizeof *pairing);
}
