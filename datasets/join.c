/* Truth and predictions from different files, joined by id or by line. */
#include "datasets/chain.h"

#include <string.h>

#include "core/fail.h"

typedef struct {
    char *name;
    TgChain *chain;
    gboolean by_id;
    gboolean ended;
    gsize n_read;
    GHashTable *waiting; /* by id: read, and its truth has not come yet; row counts from 1 */
} Model;

#define NO_ID "the row has no id, but rows are joined by id"

struct TgJoin {
    TgChain *truths;
    GPtrArray *models; /* Model */
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
    g_free(self->name);
    g_free(self);
}

void tg_join_free(TgJoin *self)
{
    if (self == NULL)
        return;
    tg_chain_free(self->truths);
    g_ptr_array_unref(self->models);
    g_strfreev(self->subsets);
    g_clear_pointer(&self->seen, g_hash_table_unref);
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

/* The files of a chain for messages: "a.txt" or "a.txt and 2 more". */
static char *describe_files(const TgChain *chain)
{
    if (chain->n_files == 1)
        return g_strdup(chain->labels[0]);
    return g_strdup_printf("%s and %u more", chain->labels[0], chain->n_files - 1);
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

/* The same of all files of two chains. */
static gboolean fail_totals(const TgChain *truths, gsize n_truths, const TgChain *predictions,
                            gsize n_predictions, GError **error)
{
    g_autofree char *of_truths = describe_files(truths);
    g_autofree char *of_predictions = describe_files(predictions);

    return fail_lengths(of_truths, n_truths, of_predictions, n_predictions, error);
}

/* Read the files of a chain once more. Their rows, and after them those of all files (transfer
 * full); NULL with @error */
static gsize *count_rows(const TgChain *of, GError **error)
{
    g_autoptr(TgChain) chain = tg_chain_open((const char *const *) of->labels, &of->options, error);
    g_autofree gsize *counts = g_new0(gsize, of->n_files + 1);
    g_auto(TgRecord) record = { 0 };
    TgNext next;

    if (chain == NULL)
        return NULL;
    while ((next = tg_chain_next(chain, &record, error)) == TG_NEXT_ROW) {
        counts[chain->last_file]++;
        counts[of->n_files]++;
    }
    return next == TG_NEXT_END ? g_steal_pointer(&counts) : NULL;
}

/* Compare what is to be joined by line ahead of the run: file by file where both sides have as many
 * files. */
static gboolean check_lines(const TgChain *truths, const TgChain *predictions, GError **error)
{
    const guint n = predictions->n_files;
    const gboolean pairs = truths->n_files == n;

    /* The files of a model must be in the order of the truth's. */
    for (guint i = 0; pairs && i < n; i++) {
        const char *a = tg_subset_of_name(truths->labels[i]);
        const char *b = tg_subset_of_name(predictions->labels[i]);

        if (a != NULL && b != NULL && a != b)
            return tg_fail_input(
                error, "%s (%s) is joined with %s (%s): give both sides in the same order",
                predictions->labels[i], b, truths->labels[i], a);
    }
    if (!truths->regular || !predictions->regular)
        return TRUE; /* then the end of the run tells */
    g_autofree gsize *n_truths = count_rows(truths, error);
    g_autofree gsize *n_rows = n_truths != NULL ? count_rows(predictions, error) : NULL;
    if (n_rows == NULL)
        return FALSE;
    for (guint i = 0; pairs && i < n; i++)
        if (n_truths[i] != n_rows[i])
            return fail_lengths(truths->labels[i], n_truths[i], predictions->labels[i], n_rows[i],
                                error);
    return n_truths[truths->n_files] == n_rows[n] ||
           fail_totals(truths, n_truths[truths->n_files], predictions, n_rows[n], error);
}

TgJoin *tg_join_open(const char *const *truths, const TgInputNames *predictions,
                     const TgChainOptions *options, gboolean allow_duplicates, GError **error)
{
    TgChainOptions how = *options;
    g_autoptr(TgJoin) self = g_new0(TgJoin, 1);
    gboolean truths_have_ids, has_ids;

    self->models = g_ptr_array_new_with_free_func(free_model);
    self->strays = g_queue_new();
    self->seen = tg_id_set_new();
    self->allow_duplicates = allow_duplicates;
    self->subsets = tg_input_subsets((char *const *) truths);
    how.side = TG_FILE_REFERENCES;
    how.subsets = self->subsets;
    self->truths = tg_chain_open(truths, &how, error);
    if (self->truths == NULL || !tg_chain_has_ids(self->truths, &truths_have_ids, error))
        return NULL;
    how.side = TG_FILE_HYPOTHESES;
    how.subsets = NULL;
    for (guint i = 0; i < predictions->n; i++) {
        g_autofree const char **paths = tg_input_files_of(predictions, i);

        if (paths[0] != predictions->paths[i])
            continue; /* not the first file of its model */
        TgChain *chain = tg_chain_open(paths, &how, error);
        if (chain == NULL)
            return NULL;
        Model *model = g_new0(Model, 1);
        model->name = g_strdup(predictions->models[i]);
        model->chain = chain;
        model->waiting = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, tg_record_free);
        g_ptr_array_add(self->models, model);
        if (!tg_chain_has_ids(chain, &has_ids, error))
            return NULL;
        model->by_id = truths_have_ids && has_ids;
        if (model->by_id)
            self->allow_duplicates = FALSE;
        else if (!check_lines(self->truths, chain, error))
            return NULL;
    }
    self->next_model = self->models->len;
    return g_steal_pointer(&self);
}

/* Note down @record's id; if it came before, that is a fault, and FALSE is returned. */
static gboolean check_new(TgJoin *self, const TgChain *chain, const char *model, TgRecord *record)
{
    const TgPlace place = { chain->last_file, record->line };
    TgPlace first;

    if (tg_id_set_add(self->seen, model, NULL, record->id, place, &first))
        return TRUE;
    tg_chain_set_duplicate(chain, record, first);
    return FALSE;
}

static void push_stray(TgJoin *self, const Model *model, TgRecord *record)
{
    g_free(record->model);
    record->model = g_strdup(model->name);
    g_queue_push_tail(self->strays, record);
}

/* Read the next prediction into *@out (transfer full) that can wait for a truth: those that cannot
 * become strays. */
static TgNext read_with_id(TgJoin *self, Model *model, TgRecord **out, GError **error)
{
    while (!model->ended) {
        TgRecord *record = g_new0(TgRecord, 1);
        const TgNext next = tg_chain_next(model->chain, record, error);

        if (next != TG_NEXT_ROW) {
            tg_record_free(record);
            model->ended = TRUE;
            return next;
        }
        record->row = ++model->n_read;
        if (record->id != NULL && check_new(self, model->chain, model->name, record)) {
            *out = record;
            return TG_NEXT_ROW;
        }
        tg_record_set_fault(record, NO_ID);
        push_stray(self, model, record);
    }
    return TG_NEXT_END;
}

/* The prediction for @id into *@out (transfer full), NULL if there is none; FALSE with @error. */
static gboolean find_by_id(TgJoin *self, Model *model, const char *id, TgRecord **out,
                           GError **error)
{
    TgNext next;

    *out = g_hash_table_lookup(model->waiting, id);
    if (*out != NULL) {
        g_hash_table_steal(model->waiting, id);
        return TRUE;
    }
    while ((next = read_with_id(self, model, out, error)) == TG_NEXT_ROW) {
        if (strcmp((*out)->id, id) == 0)
            return TRUE;
        g_hash_table_insert(model->waiting, (*out)->id, *out);
    }
    *out = NULL;
    return next == TG_NEXT_END;
}

/* Count what is left of both sides for the message, and fail. */
static gboolean fail_at_end(TgJoin *self, Model *model, gsize n_predictions, GError **error)
{
    g_auto(TgRecord) record = { 0 };
    gsize n_truths = self->n_truths;

    while (tg_chain_next(self->truths, &record, NULL) == TG_NEXT_ROW)
        n_truths++;
    while (tg_chain_next(model->chain, &record, NULL) == TG_NEXT_ROW)
        n_predictions++;
    return fail_totals(self->truths, n_truths, model->chain, n_predictions, error);
}

/* Truth and @prediction, which may be NULL, as one record. */
static void combine_records(const TgRecord *truth, TgRecord *prediction, const char *model,
                            TgRecord *out)
{
    const char *name;
    json_t *value;

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
        out->human = tg_human_groups_copy(truth->human);
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
    out->human = prediction->human != NULL ? g_steal_pointer(&prediction->human)
                                           : tg_human_groups_copy(truth->human);
    /* The columns of the prediction, and where it has none those of the truth, which are copied
     * since the records of several models may go to several threads. */
    out->stored = json_deep_copy(truth->stored);
    if (out->stored == NULL)
        out->stored = json_incref(prediction->stored);
    else
        json_object_foreach(prediction->stored, name, value) if (!json_is_null(value))
            json_object_set_nocheck(out->stored, name, value);
}

/* Deliver the truth at hand with the next model. */
static gboolean deliver_record(TgJoin *self, TgRecord *out, GError **error)
{
    Model *model = self->models->pdata[self->next_model++];
    TgRecord *prediction = NULL;

    if (!model->by_id) { /* it is on the same line */
        prediction = g_new0(TgRecord, 1);
        const TgNext next = tg_chain_next(model->chain, prediction, error);
        if (next != TG_NEXT_ROW) {
            tg_record_free(prediction);
            return next == TG_NEXT_END && fail_at_end(self, model, model->n_read, error);
        }
        model->n_read++;
    } else if (self->truth.id != NULL && !self->repeated) {
        if (!find_by_id(self, model, self->truth.id, &prediction, error))
            return FALSE;
    }
    combine_records(&self->truth, prediction, model->name, out);
    if (prediction != NULL)
        tg_record_free(prediction);
    return TRUE;
}

static int compare_rows(gconstpointer a, gconstpointer b)
{
    const TgRecord *first = a, *second = b;

    return first->row < second->row ? -1 : first->row > second->row;
}

/* No more truths: predictions that are left become strays, in the order of their files. */
static gboolean end_model(TgJoin *self, Model *model, GError **error)
{
    TgRecord *record;
    TgNext next;

    if (!model->by_id) {
        g_auto(TgRecord) extra = { 0 };

        next = tg_chain_next(model->chain, &extra, error);
        return next == TG_NEXT_ROW ? fail_at_end(self, model, model->n_read + 1, error)
                                   : next == TG_NEXT_END;
    }
    while ((next = read_with_id(self, model, &record, error)) == TG_NEXT_ROW)
        g_hash_table_insert(model->waiting, record->id, record);
    if (next == TG_NEXT_ERROR)
        return FALSE;
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

TgNext tg_join_next(TgJoin *self, TgRecord *out, GError **error)
{
    while (self->next_model == self->models->len) {
        TgRecord *stray = g_queue_pop_head(self->strays);

        if (stray != NULL) {
            tg_record_clear(out);
            *out = *stray;
            g_free(stray);
            return TG_NEXT_ROW;
        }
        if (self->ended)
            return TG_NEXT_END;
        const TgNext next = tg_chain_next(self->truths, &self->truth, error);
        if (next == TG_NEXT_ROW) {
            self->n_truths++;
            self->next_model = 0;
            self->repeated = !self->allow_duplicates && self->truth.id != NULL &&
                             !check_new(self, self->truths, NULL, &self->truth);
            /* A row by id without an id cannot have a prediction; say so once, at the truth. */
            for (guint i = 0; self->truth.id == NULL && i < self->models->len; i++)
                if (((const Model *) self->models->pdata[i])->by_id)
                    tg_record_set_fault(&self->truth, NO_ID);
            continue;
        }
        self->ended = TRUE;
        for (guint i = 0; next == TG_NEXT_END && i < self->models->len; i++)
            if (!end_model(self, self->models->pdata[i], error))
                return TG_NEXT_ERROR;
        if (next == TG_NEXT_ERROR)
            return next;
    }
    return deliver_record(self, out, error) ? TG_NEXT_ROW : TG_NEXT_ERROR;
}
