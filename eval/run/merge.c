/* Shards of one run -> its summary. */
#include "core/fail.h"
#include "eval/run/run.h"

#include "core/json.h"
#include "eval/results/model_names.h"
#include "eval/results/results.h"
#include "eval/results/same_scoring.h"
#include "eval/run/summary.h"

/* What all files must agree in: the header but for the shard's number, and with @force but for what
 * tg_scoring_check() sees to. */
static char *run_identity(const TgResultsReader *reader, gboolean force)
{
    g_autoptr(GString) text = g_string_new(NULL);
    json_t *header = json_deep_copy(tg_results_header_json(reader));

    json_object_set_new(json_object_get(header, "shard"), "index", json_integer(0));
    if (force) {
        json_object_del(header, "options");
        json_object_del(header, "metrics");
    }
    tg_json_append(text, header);
    json_decref(header);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* A complete file's checksums of its inputs, as text. */
static char *checksums(const TgResultsReader *reader)
{
    g_autoptr(GString) text = g_string_new(NULL);

    tg_json_append(text, json_object_get(tg_results_footer_json(reader), "inputs"));
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static gint shard_field(const TgResultsReader *reader, const char *name)
{
    const json_t *shard = json_object_get(tg_results_header_json(reader), "shard");

    return (gint) json_integer_value(json_object_get(shard, name));
}

typedef struct {
    TgModelNames *names;
    TgSummary *summary; /* of the first file's metrics */
    const TgMergeOptions *options;
    TgScoring *scoring; /* of the first file */
    char *identity;
    char *sums;
    gint n_shards;
    GHashTable *seen; /* shard numbers */
} Merge;

static gboolean refuse(GError **error, const char *path, const char *why)
{
    return tg_fail_input(error, "%s: %s", path, why);
}

/* Make the summary from the first file's metrics. */
static gboolean start(Merge *merge, TgResultsReader *reader, const char *path, GError **error)
{
    merge->summary = tg_summary_new(tg_score_layout_ref(tg_results_layout(reader)));
    merge->identity = run_identity(reader, merge->options->force);
    merge->scoring = tg_scoring_new(reader, path);
    merge->n_shards = shard_field(reader, "of");
    if (merge->options->confidence)
        tg_summary_want_intervals(merge->summary);
    if (!tg_summary_want_mean(merge->summary, merge->options->mean, error))
        return FALSE;
    tg_summary_want_by(merge->summary, merge->options->by);
    return TRUE;
}

static gboolean add_rows(const Merge *merge, TgResultsReader *reader, guint file, GError **error)
{
    const gboolean named = tg_model_names_is_named(merge->names, file);
    const TgResultsRow *row;
    GError *trouble = NULL;

    while (tg_results_next(reader, &row, &trouble)) { /* all are of one run */
        if (named && !tg_model_names_see(merge->names, file, row, error))
            return FALSE;
        g_autofree char *name = named ? tg_model_names_get(merge->names, file, row->model) : NULL;
        const TgSummaryPair pair = tg_summary_pair_of_row(row, named ? name : row->model);
        tg_summary_add_pair(merge->summary, &pair, &row->scores);
    }
    if (trouble != NULL)
        g_propagate_error(error, trouble);
    return trouble == NULL;
}

static gboolean add_file(Merge *merge, guint file, GError **error)
{
    const char *path = tg_model_names_path(merge->names, file);
    g_autoptr(TgResultsReader) reader = tg_results_open(path, error);

    if (reader == NULL || (merge->summary == NULL && !start(merge, reader, path, error)))
        return FALSE;
    g_autofree char *identity = run_identity(reader, merge->options->force);
    g_autoptr(TgScoring) scoring = tg_scoring_new(reader, path);
    if (!tg_scoring_check(merge->scoring, scoring, merge->options->force, error))
        return FALSE;
    if (!g_str_equal(identity, merge->identity))
        return refuse(error, path, "belongs to another run: metrics, options or inputs differ");
    if (!g_hash_table_add(merge->seen, GINT_TO_POINTER(shard_field(reader, "index"))))
        return refuse(error, path, "this shard was already given");
    if (!add_rows(merge, reader, file, error))
        return FALSE;
    if (!tg_results_check_whole(reader, error))
        return FALSE;
    g_autofree char *sums = checksums(reader);
    if (merge->sums != NULL && !g_str_equal(sums, merge->sums))
        return refuse(error, path, "was made from inputs with other contents");
    if (merge->sums == NULL)
        merge->sums = g_steal_pointer(&sums);
    return TRUE;
}

static gboolean check_all_there(const Merge *merge, GError **error)
{
    g_autoptr(GString) missing = g_string_new(NULL);

    for (gint i = 1; i <= merge->n_shards; i++)
        if (!g_hash_table_contains(merge->seen, GINT_TO_POINTER(i)))
            g_string_append_printf(missing, "%s%d/%d", missing->len > 0 ? ", " : "", i,
                                   merge->n_shards);
    if (missing->len == 0)
        return TRUE;
    return tg_fail_input(error, "missing shard %s", missing->str);
}

TgSummary *tg_eval_merge(const char *const *paths, const TgMergeOptions *options, GError **error)
{
    static const TgMergeOptions none = { 0 };
    g_autoptr(TgModelNames) names = tg_model_names_new(paths, error);
    Merge merge = { .names = names, .options = options != NULL ? options : &none };
    gboolean good = names != NULL;

    if (!good)
        return NULL;
    merge.seen = g_hash_table_new(NULL, NULL);
    for (guint i = 0; good && i < tg_model_names_n_files(names); i++)
        good = add_file(&merge, i, error);
    good = good && check_all_there(&merge, error) && tg_summary_check_mean(merge.summary, error);
    if (!good)
        g_clear_pointer(&merge.summary, tg_summary_free);
    tg_scoring_free(merge.scoring);
    g_free(merge.identity);
    g_free(merge.sums);
    g_hash_table_unref(merge.seen);
    return merge.summary;
}
