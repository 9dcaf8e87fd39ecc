/* Truth and predictions from different files, joined by id or by line. */
#include "datasets/join.h"

#include <string.h>

#include "core/fail.h"
#include "datasets/id_set.h"
#include "datasets/input_names.h"

typedef struct {
    const char *name;
    TgChain *chain;
    gboolean by_id;
    gboolean ended;
    gsize n_read;
    GHashTable *waiting; /* by id: read, and its truth has not come yet; row counts from 1 */
} Model;

struct TgJoin {
    TgChain *truths;
    GPtrArray *models; /* Model */
    char **names;      /* of the models */
    char **subsets;    /* of the files of truths, or NULL */
    TgIdSet *seen;     /* ids of truths and, per model, of predictions */
    gboolean allow_duplicates;

    TgRecord truth;
    gboolean repeated; /* its id came before: no prediction is for it */
    gsize n_truths;
    guint next_model; /* to be delivered with @truth; all were when it is models->len */
    gboolean ended;   /* no more truths */
    GQueue *strays;   /* TgRecord *: faulty predictions that belong to no truth */
};

static void free_model(gpointer data)
{
    Model *self = data;

    tg_chain_free(self->chain);
    g_hash_table_unref(self->waiting);
    g_free(self);
}

void tg_join_free(TgJoin *self)
{
    if (self == NULL)
        return;
    tg_chain_free(self->truths);
    g_ptr_array_unref(self->models);
    g_strfreev(self->names);
    g_strfreev(self->subsets);
    tg_id_set_free(self->seen);
    tg_record_clear(&self->truth);
    g_queue_free_full(self->strays, tg_record_free);
    g_free(self);
}

const TgChain *tg_join_chain(const TgJoin *self, guint i)
{
    if (i == 0)
        return self->truths;
    return i <= self->models->len ? ((const Model *) self->models->pdata[i - 1])->chain : NULL;
}

/* The files of a chain for messages: "a.txt" or "a.txt and 2 more". (transfer full) */
static char *describe_files(const TgChain *chain)
{
    const guint n = tg_chain_n_files(chain);

    if (n == 1)
        return g_strdup(tg_chain_label(chain, 0));
    return g_strdup_printf("%s and %u more", tg_chain_label(chain, 0), n - 1);
}

static gboolean fail_lengths(const char *truths, gsize n_truths, const char *predictions,
                             gsize n_predictions, GError **error)
{
    return tg_fail_input(
        error,
        "%s has %" G_GSIZE_FORMAT " rows and %s has %" G_GSIZE_FORMAT
        ": without ids on both sides they are joined by line and must be equally long",
        truths, n_truths, predictions, n_predictions);
}

/* Count the rows of each file. (transfer full), or NULL with @error */
static gsize *count_rows(const GPtrArray *paths, const TgChainOptions *options, GError **error)
{
    g_autoptr(TgChain) chain = tg_chain_open(paths, options, error);
    g_autofree gsize *counts = g_new0(gsize, paths->len);
    g_autoptr(GError) problem = NULL;
    g_auto(TgRecord) record = { 0 };

    if (chain == NULL)
        return NULL;
    while (tg_chain_next(chain, &record, &problem))
        counts[tg_chain_file(chain)]++;
    if (problem != NULL) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return NULL;
    }
    return g_steal_pointer(&counts);
}

static gsize sum_counts(const gsize *counts, guint n)
{
    gsize total = 0;

    for (guint i = 0; i < n; i++)
        total += counts[i];
    return total;
}

/* The files of a model must be in the order of the truth's. */
static gboolean check_subsets(const TgJoin *self, const Model *model, GError **error)
{
    for (guint i = 0; i < tg_chain_n_files(model->chain); i++) {
        const char *truth = tg_chain_label(self->truths, i);
        const char *prediction = tg_chain_label(model->chain, i);
        const char *a = tg_subset_of_name(truth), *b = tg_subset_of_name(prediction);

        if (a == NULL || b == NULL || a == b)
            continue;
        return tg_fail_input(error,
                             "%s (%s) is joined with %s (%s): give both sides in the same order",
                             prediction, b, truth, a);
    }
    return TRUE;
}

/* Compare lengths ahead of the run: file by file where both sides have as many files. */
static gboolean check_lengths(const TgJoin *self, const Model *model, const GPtrArray *truth_paths,
                              const GPtrArray *paths, const TgChainOptions *truth_options,
                              const TgChainOptions *options, GError **error)
{
    const gboolean pairs = truth_paths->len == paths->len;

    if (pairs && !check_subsets(self, model, error))
        return FALSE;
    if (!tg_chain_is_regular(self->truths) || !tg_chain_is_regular(model->chain))
        return TRUE; /* then the end of the run tells */
    g_autofree gsize *n_truths = count_rows(truth_paths, truth_options, error);
    g_autofree gsize *n_rows = n_truths != NULL ? count_rows(paths, options, error) : NULL;
    if (n_rows == NULL)
        return FALSE;
    for (guint i = 0; pairs && i < paths->len; i++)
        if (n_truths[i] != n_rows[i])
            return fail_lengths(truth_paths->pdata[i], n_truths[i], paths->pdata[i], n_rows[i],
                                error);
    const gsize a = sum_counts(n_truths, truth_paths->len), b = sum_counts(n_rows, paths->len);
    if (a == b)
        return TRUE;
    g_autofree char *truths = describe_files(self->truths);
    g_autofree char *predictions = describe_files(model->chain);
    return fail_lengths(truths, a, predictions, b, error);
}

static Model *add_model(TgJoin *self, const char *name, const GPtrArray *paths,
                        const TgChainOptions *options, GError **error)
{
    TgChain *chain = tg_chain_open(paths, options, error);

    if (chain == NULL)
        return NULL;
    Model *model = g_new0(Model, 1);
    model->name = name;
    model->chain = chain;
    model->waiting = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, tg_record_free);
    g_ptr_array_add(self->models, model);
    return model;
}

TgJoin *tg_join_open(const GPtrArray *truths, const GPtrArray *models,
                     const TgChainOptions *options, gboolean allow_duplicates, GError **error)
{
    TgChainOptions truth_options = *options, options_of_models = *options;
    g_autoptr(TgJoin) self = g_new0(TgJoin, 1);
    gboolean truths_have_ids, has_ids;

    truth_options.side = TG_FILE_REFERENCES;
    self->subsets = tg_input_subsets(truths);
    truth_options.subsets = self->subsets;
    options_of_models.side = TG_FILE_HYPOTHESES;
    self->models = g_ptr_array_new_with_free_func(free_model);
    self->next_model = models->len;
    self->names = g_new0(char *, models->len + 1);
    self->strays = g_queue_new();
    self->seen = tg_id_set_new();
    self->allow_duplicates = allow_duplicates;
    self->truths = tg_chain_open(truths, &truth_options, error);
    if (self->truths == NULL || !tg_chain_has_ids(self->truths, &truths_have_ids, error))
        return NULL;
    for (guint i = 0; i < models->len; i++) {
        const TgJoinModel *wanted = models->pdata[i];

        self->names[i] = g_strdup(wanted->model);
        Model *model = add_model(self, self->names[i], wanted->paths, &options_of_models, error);
        if (model == NULL || !tg_chain_has_ids(model->chain, &has_ids, error))
            return NULL;
        model->by_id = truths_have_ids && has_ids;
        if (model->by_id)
            self->allow_duplicates = FALSE;
        else if (!check_lengths(self, model, truths, wanted->paths, &truth_options,
                                &options_of_models, error))
            return NULL;
    }
    return g_steal_pointer(&self);
}

/* Note down @record's id; if it came before, that is a fault, and FALSE is returned. */
static gboolean check_new(TgJoin *self, const TgChain *chain, const char *model, TgRecord *record)
{
    const TgPlace place = { tg_chain_file(chain), record->line };
    TgPlace first;

    if (tg_id_set_add(self->seen, model, NULL, record->id, place, &first))
        return TRUE;
    tg_record_set_fault(record, "duplicate id '%s', first in %s:%" G_GSIZE_FORMAT, record->id,
                        tg_chain_label(chain, first.file), first.line);
    return FALSE;
}

static void push_stray(TgJoin *self, const Model *model, TgRecord *record)
{
    g_free(record->model);
    record->model = g_strdup(model->name);
    g_queue_push_tail(self->strays, record);
}

/*
 * Read the next prediction that can wait for a truth: those that cannot become strays.
 *
 * Returns: (transfer full), or NULL at the end or with @error
 */
static TgRecord *read_with_id(TgJoin *self, Model *model, GError **error)
{
    while (!model->ended) {
        TgRecord *record = g_new0(TgRecord, 1);
        g_autoptr(GError) problem = NULL;

        if (!tg_chain_next(model->chain, record, &problem)) {
            tg_record_free(record);
            model->ended = TRUE;
            if (problem != NULL)
                g_propagate_error(error, g_steal_pointer(&problem));
            return NULL;
        }
        record->row = ++model->n_read;
        if (record->id != NULL && check_new(self, model->chain, model->name, record))
            return record;
        tg_record_set_fault(record, "the row has no id, but rows are joined by id");
        push_stray(self, model, record);
    }
    return NULL;
}

/* The prediction for @id; NULL if there is none, or with @error. (transfer full) */
static TgRecord *find_by_id(TgJoin *self, Model *model, const char *id, GError **error)
{
    TgRecord *record = g_hash_table_lookup(model->waiting, id);

    if (record != NULL) {
        g_hash_table_steal(model->waiting, id);
        return record;
    }
    while ((record = read_with_id(self, model, error)) != NULL) {
        if (strcmp(record->id, id) == 0)
            return record;
        g_hash_table_insert(model->waiting, record->id, record);
    }
    return NULL;
}

/* Count what is left of both sides for the message, and fail. */
static gboolean fail_at_end(TgJoin *self, Model *model, gsize n_truths, gsize n_predictions,
                            GError **error)
{
    g_autofree char *truths = describe_files(self->truths);
    g_autofree char *predictions = describe_files(model->chain);
    g_auto(TgRecord) record = { 0 };

    while (tg_chain_next(self->truths, &record, NULL))
        n_truths++;
    while (tg_chain_next(model->chain, &record, NULL))
        n_predictions++;
    return fail_lengths(truths, n_truths, predictions, n_predictions, error);
}

/* The prediction on the same line. (transfer full), or NULL with @error */
static TgRecord *find_by_line(TgJoin *self, Model *model, GError **error)
{
    TgRecord *record = g_new0(TgRecord, 1);
    g_autoptr(GError) problem = NULL;

    if (tg_chain_next(model->chain, record, &problem)) {
        model->n_read++;
        return record;
    }
    tg_record_free(record);
    if (problem != NULL)
        g_propagate_error(error, g_steal_pointer(&problem));
    else
        fail_at_end(self, model, self->n_truths, model->n_read, error);
    return NULL;
}

static GPtrArray *copy_human(const GPtrArray *groups)
{
    if (groups == NULL)
        return NULL;
    GPtrArray *copy = g_ptr_array_new_with_free_func((GDestroyNotify) tg_human_group_free);
    for (guint i = 0; i < groups->len; i++) {
        const TgHumanGroup *group = groups->pdata[i];
        TgHumanGroup *twin = tg_human_group_new(group->name, group->n_scores);
        memcpy(twin->scores, group->scores, group->n_scores * sizeof(double));
        g_ptr_array_add(copy, twin);
    }
    return copy;
}

/* The columns of the prediction, and where it has none those of the truth, which are copied since
 * the records of several models may go to several threads. */
static json_t *merge_stored(const json_t *truth, json_t *prediction)
{
    const char *name;
    json_t *value;

    if (truth == NULL)
        return json_incref(prediction);
    json_t *merged = json_deep_copy(truth);
    json_object_foreach(prediction, name, value) if (!json_is_null(value))
        json_object_set_nocheck(merged, name, value);
    return merged;
}

/* Truth and @prediction, which may be NULL, as one record. */
static void combine_records(const TgRecord *truth, TgRecord *prediction, const char *model,
                            TgRecord *out)
{
    tg_record_reset(out);
    out->id = g_strdup(truth->id);
    out->model = g_strdup(model);
    out->subset = g_strdup(truth->subset);
    out->file = truth->file;
    out->line = truth->line;
    out->fault = g_strdup(truth->fault);
    for (guint i = 0; i < truth->refs->len; i++)
        g_ptr_array_add(out->refs, g_strdup(truth->refs->pdata[i]));
    if (prediction == NULL) {
        out->human = copy_human(truth->human);
        out->stored = json_deep_copy(truth->stored);
        return;
    }
    out->file = prediction->file;
    out->line = prediction->line;
    out->hyp = g_steal_pointer(&prediction->hyp);
    if (out->id == NULL)
        out->id = g_steal_pointer(&prediction->id);
    if (out->subset == NULL)
        out->subset = g_steal_pointer(&prediction->subset);
    if (out->fault == NULL)
        out->fault = g_steal_pointer(&prediction->fault);
    out->human =
        prediction->human != NULL ? g_steal_pointer(&prediction->human) : copy_human(truth->human);
    out->stored = merge_stored(truth->stored, prediction->stored);
}

/* Deliver the truth at hand with the next model. */
static gboolean deliver_record(TgJoin *self, TgRecord *out, GError **error)
{
    Model *model = self->models->pdata[self->next_model++];
    g_autoptr(GError) problem = NULL;
    TgRecord *prediction = NULL;

    if (!model->by_id)
        prediction = find_by_line(self, model, &problem);
    else if (self->truth.id != NULL && !self->repeated)
        prediction = find_by_id(self, model, self->truth.id, &problem);
    if (problem != NULL) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    combine_records(&self->truth, prediction, model->name, out);
    if (prediction != NULL)
        tg_record_free(prediction);
    return TRUE;
}

/* A row by id without an id cannot have a prediction; say so once, at the truth. */
static void check_truth(TgJoin *self)
{
    TgRecord *truth = &self->truth;

    self->repeated = FALSE;
    if (truth->id != NULL) {
        if (!self->allow_duplicates)
            self->repeated = !check_new(self, self->truths, NULL, truth);
        return;
    }
    for (guint i = 0; i < self->models->len; i++)
        if (((const Model *) self->models->pdata[i])->by_id)
            tg_record_set_fault(truth, "the row has no id, but rows are joined by id");
}

static int compare_rows(gconstpointer a, gconstpointer b)
{
    const TgRecord *first = a, *second = b;

    return first->row < second->row ? -1 : first->row > second->row;
}

/* No more truths: predictions that are left become strays, in the order of their files. */
static gboolean end_model(TgJoin *self, Model *model, GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_auto(TgRecord) extra = { 0 };
    TgRecord *record;

    if (!model->by_id) {
        if (!tg_chain_next(model->chain, &extra, &problem) && problem == NULL)
            return TRUE;
        if (problem == NULL)
            return fail_at_end(self, model, self->n_truths, model->n_read + 1, error);
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    while ((record = read_with_id(self, model, &problem)) != NULL)
        g_hash_table_insert(model->waiting, record->id, record);
    if (problem != NULL) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    g_autoptr(GList) left = g_hash_table_get_values(model->waiting);
    g_hash_table_steal_all(model->waiting);
    left = g_list_sort(left, compare_rows);
    for (const GList *item = left; item != NULL; item = item->next) {
        record = item->data;
        tg_record_set_fault(record, "no truth has the id '%s'", record->id);
        push_stray(self, model, record);
    }
    return TRUE;
}

/* Read a truth, or find that there are no more and end all models. */
static gboolean read_truth(TgJoin *self, GError **error)
{
    g_autoptr(GError) problem = NULL;

    if (tg_chain_next(self->truths, &self->truth, &problem)) {
        self->n_truths++;
        self->next_model = 0;
        check_truth(self);
        return TRUE;
    }
    self->ended = TRUE;
    if (problem != NULL) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    for (guint i = 0; i < self->models->len; i++)
        if (!end_model(self, self->models->pdata[i], error))
            return FALSE;
    return TRUE;
}

gboolean tg_join_next(TgJoin *self, TgRecord *out, GError **error)
{
    while (self->next_model == self->models->len) {
        TgRecord *stray = g_queue_pop_head(self->strays);

        if (stray != NULL) {
            tg_record_clear(out);
            *out = *stray;
            g_free(stray);
            return TRUE;
        }
        if (self->ended || !read_truth(self, error))
            return FALSE;
    }
    return deliver_record(self, out, error);
}
