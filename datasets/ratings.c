/* Human scores from a file of their own. */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/number.h"
#include "datasets/parts.h"

struct TgRowRatings {
    GHashTable *rated;   /* rows of the test set */
    GHashTable *raters;  /* char * to index + 1 */
    char *first;         /* the first id */
    char *shared;        /* the first that several pairs have, or NULL */
    gsize n_taken;       /* rows with human scores */
    TgSourceInput input; /* the file they are from */
};

/* The ratings of one row of the test set; TgRowRatings has them by key_of(). */
typedef struct {
    GPtrArray *human; /* TgHumanGroup *, or NULL */
    GArray *scores;   /* double, by rater; NaN where one gave none */
    guint n_pairs;    /* of the test set that have this id */
} Rated;

static void rated_free(gpointer data)
{
    Rated *rated = data;

    g_clear_pointer(&rated->human, g_ptr_array_unref);
    g_array_unref(rated->scores);
    g_free(rated);
}

void tg_row_ratings_free(TgRowRatings *ratings)
{
    if (ratings == NULL)
        return;
    g_hash_table_unref(ratings->rated);
    g_hash_table_unref(ratings->raters);
    g_free(ratings->first);
    g_free(ratings->shared);
    g_free((char *) ratings->input.name);
    g_free((char *) ratings->input.format);
    g_free((char *) ratings->input.sha256);
    g_free(ratings);
}

/* A model and an id as one key. Models have no line feed, so that different pairs have different
 * keys. */
static char *key_of(const char *model, const char *id)
{
    return g_strconcat(model != NULL ? model : "", "\n", id, NULL);
}

/* The first of @names that the row has. */
static json_t *stored_member(const TgRecord *record, const char *const *names)
{
    for (guint i = 0; names[i] != NULL; i++) {
        json_t *value = json_object_get(record->stored, names[i]);

        if (value != NULL && !json_is_null(value))
            return value;
    }
    return NULL;
}

/* The name of the rater of a single score; NULL where the row is of another form. */
static char *rater_of(const TgRecord *record)
{
    static const char *const names[] = { "rater", "annotator", "rater_id", "annotator_id", NULL };
    const json_t *rater = stored_member(record, names);
    char text[32];

    if (json_is_string(rater))
        return g_strdup(json_string_value(rater));
    if (!json_is_number(rater))
        return NULL;
    tg_number_format(json_number_value(rater), text);
    return g_strdup(text);
}

static double score_of(const TgRecord *record)
{
    static const char *const names[] = { "score", "value", NULL };
    const json_t *score = stored_member(record, names);
    const TgHumanGroup *group = record->human != NULL ? record->human->pdata[0] : NULL;

    if (json_is_number(score))
        return json_number_value(score);
    return group != NULL && group->n_scores == 1 ? group->scores[0] : NAN;
}

static gboolean add_score(TgRowRatings *ratings, Rated *rated, const TgRecord *record,
                          const char *rater, GError **error)
{
    const double score = score_of(record), none = NAN;
    guint index = GPOINTER_TO_UINT(g_hash_table_lookup(ratings->raters, rater));

    if (isnan(score))
        return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": no field 'score' with a number",
                             record->file, record->line);
    if (index == 0) {
        index = g_hash_table_size(ratings->raters) + 1;
        g_hash_table_insert(ratings->raters, g_strdup(rater), GUINT_TO_POINTER(index));
    }
    while (rated->scores->len < index)
        g_array_append_val(rated->scores, none);
    if (!isnan(g_array_index(rated->scores, double, index - 1)))
        return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": a second score of rater '%s' for '%s'",
                             record->file, record->line, rater, record->id);
    g_array_index(rated->scores, double, index - 1) = score;
    ratings->n_taken++;
    return TRUE;
}

static gboolean add_row(TgRowRatings *ratings, TgRecord *record, GError **error)
{
    g_autofree char *rater = rater_of(record);

    if (record->fault != NULL)
        return tg_fail_input(error, "%s", record->fault);
    if (record->id == NULL)
        return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": a rating without an id", record->file,
                             record->line);
    if (ratings->first == NULL)
        ratings->first = g_strdup(record->id);
    char *key = key_of(record->model, record->id);
    Rated *rated = g_hash_table_lookup(ratings->rated, key);
    if (rated != NULL) {
        g_free(key);
    } else {
        rated = g_new0(Rated, 1);
        rated->scores = g_array_new(FALSE, FALSE, sizeof(double));
        g_hash_table_insert(ratings->rated, key, rated);
    }
    if (rater != NULL)
        return add_score(ratings, rated, record, rater, error);
    if (rated->human != NULL)
        return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": a second row of ratings for '%s'",
                             record->file, record->line, record->id);
    if (record->human == NULL && !isnan(score_of(record))) { /* of a single, unnamed rater */
        TgHumanGroup *group = tg_human_group_new("human", 1);

        group->scores[0] = score_of(record);
        tg_record_add_group(record, group);
    }
    rated->human = g_steal_pointer(&record->human);
    ratings->n_taken += rated->human != NULL;
    return TRUE;
}

TgRowRatings *tg_row_ratings_read(const char *path, const char *const *human, GError **error)
{
    static const char *const columns[] = { "rater,annotator,rater_id,annotator_id,score,value",
                                           NULL };
    g_autoptr(TgFieldMap) fields = tg_field_map_new(NULL, human, columns, error);
    g_autoptr(TgRowRatings) ratings = g_new0(TgRowRatings, 1);
    g_auto(TgRecord) record = { 0 };
    TgNext next;

    ratings->rated = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, rated_free);
    ratings->raters = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (fields == NULL)
        return NULL;
    const TgChainFile file = { .path = path, .fields = fields };
    const TgChainOptions options = { .side = TG_FILE_RATINGS, .max_line = TG_SOURCE_MAX_LINE };
    g_autoptr(TgChain) chain = tg_chain_open(&file, 1, &options, error);
    if (chain == NULL)
        return NULL;
    while ((next = tg_chain_next(chain, &record, error)) == TG_NEXT_ROW)
        if (!add_row(ratings, &record, error))
            return NULL;
    if (next == TG_NEXT_ERROR)
        return NULL;
    if (g_hash_table_size(ratings->rated) == 0)
        return tg_null_input(error, "%s: has no ratings", path);
    if (ratings->n_taken == 0) {
        g_autofree char *names =
            chain->sample != NULL ? tg_field_sample_names(chain->sample) : g_strdup("none");

        return tg_null_input(error,
                             "%s: no row has human scores in a field that is known as such "
                             "(fields: %s); name those of a group of raters: --human GROUP=FIELD,"
                             "FIELD",
                             path, names);
    }
    const TgSourceInput *input = &chain->inputs[0];
    ratings->input =
        (TgSourceInput){ g_strdup(input->name), g_strdup(input->format), g_strdup(input->sha256) };
    return g_steal_pointer(&ratings);
}

void tg_row_ratings_remark(const TgRowRatings *ratings, const char *id, GPtrArray *notes)
{
    const guint n = g_hash_table_size(ratings->rated);
    const char *file = ratings->input.name;
    GHashTableIter iter;
    gpointer key, rated;
    guint n_met = 0, n_shared = 0;

    g_hash_table_iter_init(&iter, ratings->rated);
    while (g_hash_table_iter_next(&iter, &key, &rated)) {
        n_met += ((const Rated *) rated)->n_pairs > 0;
        n_shared += ((const Rated *) rated)->n_pairs > 1;
    }
    if (n_met == 0)
        g_ptr_array_add(notes,
                        g_strdup_printf("%s: no pair has one of its ids and models, so that no "
                                        "human score is taken: its first id is '%s', the pairs' is "
                                        "'%s'",
                                        file, ratings->first, id != NULL ? id : ""));
    else if (n_met < n)
        g_ptr_array_add(
            notes, g_strdup_printf("%s: %u of %u rated ids are no pair's", file, n - n_met, n));
    if (n_shared > 0)
        g_ptr_array_add(notes,
                        g_strdup_printf("%s: %u of %u rated ids are those of several pairs (first: "
                                        "'%s'), and each of them has the score; where the models "
                                        "were rated one by one, a field 'model' tells them apart",
                                        file, n_shared, n, ratings->shared));
}

void tg_row_ratings_apply(TgRowRatings *ratings, TgRecord *record)
{
    if (record->id == NULL)
        return;
    g_autofree char *own = key_of(record->model, record->id), *any = key_of(NULL, record->id);
    Rated *rated = g_hash_table_lookup(ratings->rated, own);
    if (rated == NULL)
        rated = g_hash_table_lookup(ratings->rated, any);
    if (rated == NULL)
        return;
    /* a second row of one pair is a fault, and no other pair */
    rated->n_pairs = record->fault == NULL ? rated->n_pairs + 1 : MAX(rated->n_pairs, 1);
    if (rated->n_pairs > 1 && ratings->shared == NULL)
        ratings->shared = g_strdup(record->id);
    g_clear_pointer(&record->human, g_ptr_array_unref);
    record->human = tg_human_groups_copy(rated->human);
    if (rated->scores->len > 0) {
        TgHumanGroup *group = tg_human_group_new("human", g_hash_table_size(ratings->raters));

        memcpy(group->scores, rated->scores->data, rated->scores->len * sizeof(double));
        tg_record_add_group(record, group);
    }
}

const TgSourceInput *tg_row_ratings_input(const TgRowRatings *ratings)
{
    return &ratings->input;
}
