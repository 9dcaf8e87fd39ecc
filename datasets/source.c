/* Files in, records out: inputs one after the other, or a join. */
#include "datasets/source.h"

#include <string.h>

#include "core/fail.h"
#include "datasets/chain.h"
#include "datasets/id_set.h"
#include "datasets/input_files.h"
#include "datasets/input_names.h"
#include "datasets/join.h"
#include "datasets/ratings.h"
#include "datasets/records/formula.h"

struct TgSource {
    TgFieldMap *fields;
    TgChainOptions options;
    char *format;
    char *model;         /* for rows without one, or NULL */
    TgInputNames names;  /* of the inputs */
    char **subsets;      /* of the inputs, where a model has several */
    char **found_models; /* per input that the user named: what its rows call their model */
    TgChain *chain;      /* of the inputs, or NULL */
    TgJoin *join;        /* ... or this */
    TgRatings *ratings;  /* NULL: in the rows, if anywhere */
    TgIdSet *seen;       /* NULL: duplicates are allowed */
    gsize n_rows;
    GArray *inputs; /* TgSourceInput, for tg_source_inputs() */
};

/* The files that names of truths stand for; NULL with @error. */
static GPtrArray *as_truths(const char *const *names, GError **error)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; names != NULL && names[i] != NULL; i++) {
        g_auto(GStrv) files = tg_input_files(names[i], error);

        if (files == NULL) {
            g_ptr_array_unref(paths);
            return NULL;
        }
        for (guint k = 0; files[k] != NULL; k++)
            g_ptr_array_add(paths, g_strdup(files[k]));
    }
    return paths;
}

static GPtrArray *as_paths(const char *const *names)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; names != NULL && names[i] != NULL; i++)
        g_ptr_array_add(paths, g_strdup(names[i]));
    return paths;
}

static void free_join_model(gpointer data)
{
    TgJoinModel *model = data;

    g_free(model->model);
    g_ptr_array_unref(model->paths);
    g_free(model);
}

/* The models in the order of their first file. */
static GPtrArray *read_predictions(const TgInputNames *names)
{
    GPtrArray *models = g_ptr_array_new_with_free_func(free_join_model);

    for (guint i = 0; i < names->n; i++) {
        TgJoinModel *found = NULL;

        for (guint k = 0; k < models->len && found == NULL; k++)
            if (strcmp(((TgJoinModel *) models->pdata[k])->model, names->models[i]) == 0)
                found = models->pdata[k];
        if (found == NULL) {
            found = g_new0(TgJoinModel, 1);
            found->model = g_strdup(names->models[i]);
            found->paths = g_ptr_array_new_with_free_func(g_free);
            g_ptr_array_add(models, found);
        }
        g_ptr_array_add(found->paths, g_strdup(names->paths[i]));
    }
    return models;
}

static gboolean fail_usage(const char *message, GError **error)
{
    g_set_error_literal(error, TG_ERROR, TG_ERROR_USAGE, message);
    return FALSE;
}

/* stdin can be read once. */
static gboolean check_stdin(const GPtrArray *paths, guint *n_stdin, GError **error)
{
    for (guint i = 0; i < paths->len; i++)
        *n_stdin += strcmp(paths->pdata[i], "-") == 0;
    return *n_stdin <= 1 || fail_usage("stdin ('-') can be given for one file only", error);
}

static gboolean open_join(TgSource *self, const TgSourceOptions *options, GError **error)
{
    g_autoptr(GPtrArray) truths = as_truths(options->truths, error);
    g_auto(TgInputNames) names = { 0 };
    guint n_stdin = 0;

    if (truths == NULL || !tg_input_names_init(&names, options->predictions, NULL, error))
        return FALSE;
    g_autoptr(GPtrArray) models = read_predictions(&names);
    if (truths->len == 0)
        return fail_usage("predictions need a file of truths", error);
    if (models->len == 0)
        return fail_usage("truths need a file of predictions", error);
    if (!check_stdin(truths, &n_stdin, error))
        return FALSE;
    for (guint i = 0; i < models->len; i++)
        if (!check_stdin(((TgJoinModel *) models->pdata[i])->paths, &n_stdin, error))
            return FALSE;
    self->join = tg_join_open(truths, models, &self->options, options->allow_duplicates, error);
    return self->join != NULL;
}

/* Several files of one model are its subsets; NULL where no model has several. (transfer full) */
static char **name_subsets(const TgInputNames *names)
{
    char **subsets = g_new0(char *, names->n + 1);
    gboolean any = FALSE;

    for (guint first = 0; first < names->n; first++) {
        g_autoptr(GPtrArray) own = g_ptr_array_new();
        guint k = 0;

        for (guint i = 0; i < names->n; i++)
            if (strcmp(names->models[i], names->models[first]) == 0)
                g_ptr_array_add(own, names->paths[i]);
        g_auto(GStrv) words = subsets[first] == NULL ? tg_input_subsets(own) : NULL;
        for (guint i = first; words != NULL && i < names->n; i++)
            if (strcmp(names->models[i], names->models[first]) == 0)
                subsets[i] = g_strdup(words[k++]);
        any = any || words != NULL;
    }
    if (any)
        return subsets;
    g_free(subsets);
    return NULL;
}

static gboolean open_chain(TgSource *self, const char *const *inputs,
                           const TgSourceOptions *options, GError **error)
{
    guint n_stdin = 0;

    if (!tg_input_names_init(&self->names, inputs, self->model, error))
        return FALSE;
    g_autoptr(GPtrArray) paths = as_paths((const char *const *) self->names.paths);
    if (paths->len == 0)
        return fail_usage("no input given", error);
    if (!check_stdin(paths, &n_stdin, error))
        return FALSE;
    self->found_models = g_new0(char *, paths->len + 1);
    if (!options->allow_duplicates)
        self->seen = tg_id_set_new();
    self->options.subsets = self->subsets = name_subsets(&self->names);
    self->chain = tg_chain_open(paths, &self->options, error);
    return self->chain != NULL;
}

static gboolean open_any(TgSource *self, const char *const *inputs, const TgSourceOptions *options,
                         GError **error)
{
    const gboolean joins = options->truths != NULL || options->predictions != NULL;
    const gboolean has_inputs = inputs != NULL && inputs[0] != NULL;

    if (joins && has_inputs)
        return fail_usage("give either inputs, or truths and predictions", error);
    return joins ? open_join(self, options, error) : open_chain(self, inputs, options, error);
}

TgSource *tg_source_open(const char *const *inputs, const TgSourceOptions *options, GError **error)
{
    g_autoptr(TgSource) self = g_new0(TgSource, 1);

    self->inputs = g_array_new(FALSE, TRUE, sizeof(TgSourceInput));
    self->fields = tg_field_map_new(options->maps, options->ratings == NULL ? options->human : NULL,
                                    options->columns, error);
    if (self->fields == NULL)
        return NULL;
    if (options->ratings != NULL) {
        self->ratings =
            tg_ratings_read(options->ratings, options->human, TG_SOURCE_MAX_LINE, error);
        if (self->ratings == NULL)
            return NULL;
    }
    if (!tg_clean_parse(options->clean, &self->fields->clean, error))
        return NULL;
    self->fields->keep_delimiters = options->keep_delimiters;
    self->fields->token_ids = options->token_ids;
    self->format = g_strdup(options->format);
    self->model = g_strdup(options->model);
    self->options = (TgChainOptions){
        .format = self->format,
        .fields = self->fields,
        .side = options->truth_only ? TG_FILE_REFERENCES : TG_FILE_PAIRS,
        .max_line = options->max_line != 0 ? options->max_line : TG_SOURCE_MAX_LINE,
    };
    return open_any(self, inputs, options, error) ? g_steal_pointer(&self) : NULL;
}

void tg_source_free(TgSource *self)
{
    if (self == NULL)
        return;
    tg_chain_free(self->chain);
    tg_join_free(self->join);
    tg_id_set_free(self->seen);
    tg_ratings_free(self->ratings);
    tg_field_map_free(self->fields);
    for (guint i = 0; self->found_models != NULL && i < self->names.n; i++)
        g_free(self->found_models[i]);
    g_free(self->found_models);
    for (guint i = 0; self->subsets != NULL && i < self->names.n; i++)
        g_free(self->subsets[i]);
    g_free(self->subsets);
    tg_input_names_clear(&self->names);
    g_free(self->format);
    g_free(self->model);
    g_array_unref(self->inputs);
    g_free(self);
}

/* The id must be new for its model; what stdin brings is never kept. */
static void check_duplicate(TgSource *self, TgRecord *record)
{
    const guint file = tg_chain_file(self->chain);
    TgPlace first;

    if (self->seen == NULL || record->id == NULL ||
        strcmp(tg_chain_input(self->chain, file)->name, "-") == 0)
        return;
    if (tg_id_set_add(self->seen, record->model, record->subset, record->id,
                      (TgPlace){ file, record->line }, &first))
        return;
    tg_record_set_fault(record, "duplicate id '%s', first in %s:%" G_GSIZE_FORMAT, record->id,
                        tg_chain_label(self->chain, first.file), first.line);
}

/* A name that the user gives replaces that of the rows, which must be one model's. */
static gboolean name_model(TgSource *self, TgRecord *record, GError **error)
{
    const guint file = tg_chain_file(self->chain);
    const TgInputNames *names = &self->names;

    if (!names->named[file]) {
        if (record->model == NULL)
            record->model =
                g_strdup(self->model == NULL && names->n > 1 ? names->models[file] : self->model);
        return TRUE;
    }
    if (record->model != NULL && self->found_models[file] == NULL)
        self->found_models[file] = g_strdup(record->model);
    else if (record->model != NULL && strcmp(record->model, self->found_models[file]) != 0)
        return tg_fail_input(error, TG_INPUT_SEVERAL_MODELS, names->models[file],
                             names->paths[file], self->found_models[file], record->model);
    g_free(record->model);
    record->model = g_strdup(names->models[file]);
    return TRUE;
}

gboolean tg_source_next(TgSource *self, TgRecord *out, GError **error)
{
    if (self->join != NULL) {
        if (!tg_join_next(self->join, out, error))
            return FALSE;
    } else {
        if (!tg_chain_next(self->chain, out, error))
            return FALSE;
        if (!name_model(self, out, error))
            return FALSE;
        check_duplicate(self, out);
    }
    out->row = ++self->n_rows;
    if (self->ratings != NULL)
        tg_ratings_apply(self->ratings, out);
    return TRUE;
}

/* All chains, one after the other; NULL behind the last. */
static const TgChain *chain_at(const TgSource *self, guint i)
{
    if (self->join != NULL)
        return tg_join_chain(self->join, i);
    return i == 0 ? self->chain : NULL;
}

void tg_source_progress(const TgSource *self, guint64 *bytes_read, guint64 *bytes_total)
{
    const TgChain *chain;
    gboolean known = TRUE;

    *bytes_read = *bytes_total = 0;
    for (guint i = 0; (chain = chain_at(self, i)) != NULL; i++) {
        guint64 read, total;
        tg_chain_progress(chain, &read, &total);
        known = known && total > 0;
        *bytes_read += read;
        *bytes_total += total;
    }
    if (!known)
        *bytes_total = 0;
}

const TgSourceInput *tg_source_inputs(TgSource *self, guint *n)
{
    const TgChain *chain;

    g_array_set_size(self->inputs, 0);
    for (guint i = 0; (chain = chain_at(self, i)) != NULL; i++)
        for (guint k = 0; k < tg_chain_n_files(chain); k++)
            g_array_append_vals(self->inputs, tg_chain_input(chain, k), 1);
    if (self->ratings != NULL)
        g_array_append_vals(self->inputs, tg_ratings_input(self->ratings), 1);
    *n = self->inputs->len;
    return (const TgSourceInput *) self->inputs->data;
}

const char *tg_source_unmet_field(const TgSource *self)
{
    return tg_field_map_unmet(self->fields);
}
