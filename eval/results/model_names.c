#include "eval/results/model_names.h"

#include <string.h>

#include "core/fail.h"
#include "core/json.h"
#include "datasets/id_set.h"
#include "datasets/input_names.h"

/* The files of one run: one, or its shards. */
typedef struct {
    char *identity;     /* header without the shard's number; NULL: not in shards */
    GArray *shards;     /* gint: their numbers */
    gint n_shards;      /* of the whole run */
    guint first;        /* file */
    char *name;         /* that its path tells */
    GHashTable *models; /* what its rows say; "" for nothing */
} Run;

struct TgModelNames {
    TgInputNames inputs;
    guint *run_of;      /* [inputs.n] */
    GPtrArray *runs;    /* of Run */
    TgIdSet *ids;       /* NULL: one run only */
    GHashTable *shared; /* models that rows of several runs name, and the same ids with them */
};

static void run_free(gpointer data)
{
    Run *run = data;

    g_free(run->identity);
    g_array_unref(run->shards);
    g_free(run->name);
    g_hash_table_unref(run->models);
    g_free(run);
}

void tg_model_names_free(TgModelNames *names)
{
    if (names == NULL)
        return;
    tg_input_names_clear(&names->inputs);
    g_free(names->run_of);
    g_ptr_array_unref(names->runs);
    tg_id_set_free(names->ids);
    g_hash_table_unref(names->shared);
    g_free(names);
}

/* ---- runs ---- */

/* What the header of a shard shares with the others of its run; NULL where it is none. */
static char *shard_identity(const char *path, gint *number, gint *of)
{
    json_t *header = tg_results_peek(path);
    json_t *shard = json_object_get(header, "shard");
    char *text = NULL;

    *number = (gint) json_integer_value(json_object_get(shard, "index"));
    *of = (gint) json_integer_value(json_object_get(shard, "of"));
    if (*of > 1) {
        GString *out = g_string_new(NULL);

        json_object_set_new(shard, "index", json_integer(0));
        tg_json_append(out, header);
        text = g_string_free(out, FALSE);
    }
    json_decref(header);
    return text;
}

static gboolean run_has_shard(const Run *run, gint number)
{
    for (guint i = 0; i < run->shards->len; i++)
        if (g_array_index(run->shards, gint, i) == number)
            return TRUE;
    return FALSE;
}

/* The run that a file belongs to: a new one, or that of the shards before it. */
static guint run_of_file(TgModelNames *names, guint file)
{
    gint number, of;
    g_autofree char *identity = shard_identity(names->inputs.paths[file], &number, &of);
    Run *run = NULL;
    guint i;

    for (i = 0; identity != NULL && i < names->runs->len; i++) {
        run = names->runs->pdata[i];
        if (g_strcmp0(run->identity, identity) == 0 && !run_has_shard(run, number))
            break;
    }
    if (identity == NULL || i == names->runs->len) {
        run = g_new0(Run, 1);
        run->identity = g_steal_pointer(&identity);
        run->shards = g_array_new(FALSE, FALSE, sizeof(gint));
        run->n_shards = of;
        run->first = file;
        run->models = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        i = names->runs->len;
        g_ptr_array_add(names->runs, run);
    }
    g_array_append_val(run->shards, number);
    return i;
}

guint tg_model_names_run(const TgModelNames *names, guint file)
{
    return names->run_of[file];
}

gboolean tg_model_names_check_shards(const TgModelNames *names, GError **error)
{
    for (guint i = 0; i < names->runs->len; i++) {
        const Run *run = names->runs->pdata[i];

        for (gint k = 1; run->identity != NULL && k <= run->n_shards; k++)
            if (!run_has_shard(run, k))
                return tg_fail_input(error,
                                     "%s is one of %d shards, and shard %d is missing; name all, "
                                     "or take what there is with --force",
                                     names->inputs.paths[run->first], run->n_shards, k);
    }
    return TRUE;
}

/* Runs are told apart by the paths of their first files. */
static void name_runs(TgModelNames *names)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new();

    for (guint i = 0; i < names->runs->len; i++)
        g_ptr_array_add(paths, names->inputs.paths[((const Run *) names->runs->pdata[i])->first]);
    g_ptr_array_add(paths, NULL);
    g_auto(GStrv) parts = tg_input_parts((const char *const *) paths->pdata);
    for (guint i = 0; i < names->runs->len; i++) {
        Run *run = names->runs->pdata[i];

        run->name = g_strdup(parts != NULL && names->runs->len < names->inputs.n
                                 ? parts[i]
                                 : names->inputs.models[run->first]);
    }
}

TgModelNames *tg_model_names_new(const char *const *texts, GError **error)
{
    g_autoptr(TgModelNames) names = g_new0(TgModelNames, 1);

    names->runs = g_ptr_array_new_with_free_func(run_free);
    names->shared = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (!tg_input_names_init(&names->inputs, texts, NULL, error))
        return NULL;
    if (names->inputs.n == 0) {
        g_set_error_literal(error, TG_ERROR, TG_ERROR_USAGE, "no results file given");
        return NULL;
    }
    names->run_of = g_new0(guint, names->inputs.n);
    for (guint i = 0; i < names->inputs.n; i++)
        names->run_of[i] = run_of_file(names, i);
    name_runs(names);
    if (names->runs->len > 1)
        names->ids = tg_id_set_new();
    return g_steal_pointer(&names);
}

guint tg_model_names_n_files(const TgModelNames *names)
{
    return names->inputs.n;
}

const char *tg_model_names_path(const TgModelNames *names, guint file)
{
    return names->inputs.paths[file];
}

gboolean tg_model_names_is_named(const TgModelNames *names, guint file)
{
    return names->inputs.named[file];
}

gboolean tg_model_names_needs_rows(const TgModelNames *names)
{
    for (guint i = 0; i < names->inputs.n; i++)
        if (names->inputs.named[i])
            return TRUE;
    return names->ids != NULL;
}

/* ---- rows ---- */

/* One name cannot be that of several models. */
static gboolean check_one_model(const TgModelNames *names, guint file, const Run *run,
                                GError **error)
{
    g_autoptr(GList) found = NULL;

    if (!names->inputs.named[file] || g_hash_table_size(run->models) < 2)
        return TRUE;
    found = g_list_sort(g_hash_table_get_keys(run->models), (GCompareFunc) strcmp);
    return tg_fail_input(error, TG_INPUT_SEVERAL_MODELS, names->inputs.models[file],
                         names->inputs.paths[file], (const char *) found->data,
                         (const char *) found->next->data);
}

gboolean tg_model_names_see(TgModelNames *names, guint file, const TgResultsRow *row,
                            GError **error)
{
    const guint run_number = names->run_of[file];
    const Run *run = names->runs->pdata[run_number];
    const gboolean named = names->inputs.named[file];
    const char *model = named ? names->inputs.models[file] : row->model;
    g_autofree char *number = NULL;
    TgPlace first;

    if (!g_hash_table_contains(run->models, row->model != NULL ? row->model : "")) {
        g_hash_table_add(run->models, g_strdup(row->model != NULL ? row->model : ""));
        if (!check_one_model(names, file, run, error))
            return FALSE;
    }
    if (names->ids == NULL || model == NULL)
        return TRUE; /* without a model, the run's name is that of no other */
    if (row->id == NULL)
        number = g_strdup_printf("\n%" G_GUINT64_FORMAT, row->row); /* no id has such a line */
    if (tg_id_set_add(names->ids, model, row->subset, row->id != NULL ? row->id : number,
                      (TgPlace){ file, row->row }, &first) ||
        names->run_of[first.file] == run_number)
        return TRUE;
    if (named && names->inputs.named[first.file])
        return tg_fail_input(error,
                             "%s '%s' of model '%s' stands in %s and in %s; give them "
                             "different names",
                             row->id != NULL ? "id" : "row", row->id != NULL ? row->id : number + 1,
                             model, names->inputs.paths[first.file], names->inputs.paths[file]);
    if (!g_hash_table_contains(names->shared, model))
        g_hash_table_add(names->shared, g_strdup(model));
    return TRUE;
}

/* The name of a run that is no model's of another: its path at last. */
static const char *own_name(const TgModelNames *names, const Run *run)
{
    for (guint i = 0; i < names->inputs.n; i++)
        if (names->inputs.named[i] && strcmp(names->inputs.models[i], run->name) == 0)
            return names->inputs.paths[run->first];
    for (guint i = 0; i < names->runs->len; i++) {
        const Run *other = names->runs->pdata[i];

        if (other != run && g_hash_table_contains(other->models, run->name))
            return names->inputs.paths[run->first];
    }
    return run->name;
}

char *tg_model_names_get(const TgModelNames *names, guint file, const char *model)
{
    const Run *run = names->runs->pdata[names->run_of[file]];

    if (names->inputs.named[file])
        return g_strdup(names->inputs.models[file]);
    if (names->runs->len == 1 || (model != NULL && !g_hash_table_contains(names->shared, model)))
        return g_strdup(model);
    if (model == NULL || g_hash_table_size(run->models) < 2)
        return g_strdup(own_name(names, run));
    return g_strconcat(own_name(names, run), "/", model, NULL);
}
