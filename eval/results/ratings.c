/* Files of ratings: every member is checked, as people send them by mail and open them in editors.
 */
#include "eval/results/ratings.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/stream.h"
#include "core/json.h"
#include "core/number.h"
#include "core/utf8.h"

enum { FORMAT = 1, MAX_BYTES = 64 << 20, MAX_SECONDS = 1000000, LEAST_ALIKE = 10 };

static const char mark[] = "\"texgauge_ratings\"";

/* A file while it is read. */
typedef struct {
    TgRatings *ratings;
    const TgTable *table;
    GHashTable *rows;  /* key and checksum to the row + 1 */
    GHashTable *known; /* keys alone */
    const json_t *json;
    const char *path;
    guint rater;
    GHashTable *seen; /* pairs, with "again" where they come twice */
    guint n_found, n_changed;
    char *changed;       /* the first pair of these */
    const char *unknown; /* the first pair that is not in the results */
} RatingsFile;

void tg_ratings_free(TgRatings *ratings)
{
    if (ratings == NULL)
        return;
    g_ptr_array_unref(ratings->raters);
    g_array_unref(ratings->answers);
    g_ptr_array_unref(ratings->remarks);
    json_decref(ratings->files);
    g_free(ratings);
}

char *tg_ratings_id(const TgTableRow *row)
{
    return row->id != NULL ? g_strdup(row->id) : g_strdup_printf("#%" G_GUINT64_FORMAT, row->row);
}

char *tg_ratings_checksum(const char *ref, const char *hyp)
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);

    g_checksum_update(checksum, (const guchar *) ref, (gssize) strlen(ref) + 1); /* with its NUL */
    g_checksum_update(checksum, (const guchar *) hyp, (gssize) strlen(hyp));
    return g_strndup(g_checksum_get_string(checksum), TG_RATINGS_CHECKSUM);
}

gboolean tg_ratings_recognize(const char *path)
{
    char head[64] = "";
    FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rb") : NULL;

    if (file != NULL) {
        head[fread(head, 1, sizeof head - 1, file)] = '\0';
        fclose(file);
    }
    return g_str_has_prefix(g_strchug(head), "{") && strstr(head, mark) != NULL;
}

static char *key_of(const char *subset, const char *id, const char *model)
{
    return g_strdup_printf("%s\n%s\n%s", subset, id, model);
}

/* ---- one file ---- */

static gboolean fail_answer(const RatingsFile *f, const json_t *answer, const char *what,
                            GError **error)
{
    const char *id = json_string_value(json_object_get(answer, "id"));

    return tg_fail_input(error, "%s: the answer to pair '%s' %s", f->path, id != NULL ? id : "?",
                         what);
}

/* The number of an answer on the scale of the file, or among what may be answered; FALSE: none. */
static gboolean value_of(const RatingsFile *f, const json_t *answer, double *out)
{
    static const char *const further[][2] = {
        [TG_RATINGS_SCALE] = { NULL, NULL },
        [TG_RATINGS_PREFERENCE] = { "both", "neither" },
        [TG_RATINGS_DUEL] = { "tie", NULL },
    };
    const gboolean is_scale = f->ratings->kind == TG_RATINGS_SCALE;
    const json_t *given = json_object_get(answer, "answer");
    const json_t *words = json_object_get(json_object_get(f->json, "scale"), "words");
    const json_t *names = is_scale ? words
                          : f->ratings->kind == TG_RATINGS_DUEL
                              ? json_object_get(answer, "model")
                              : json_object_get(f->json, "metrics");
    const gsize n = is_scale ? json_array_size(words) : 2;

    if (is_scale && words == NULL) {
        *out = json_number_value(given);
        return json_is_integer(given) && *out >= f->ratings->low && *out <= f->ratings->high;
    }
    for (gsize i = 0; json_is_string(given) && i < n + G_N_ELEMENTS(further[0]); i++) {
        const char *choice =
            i < n ? json_string_value(json_array_get(names, i)) : further[f->ratings->kind][i - n];

        if (g_strcmp0(json_string_value(given), choice) == 0) {
            *out = is_scale ? (double) (n - 1 - i) : (double) i;
            return TRUE;
        }
    }
    return FALSE;
}

/* The row of an answer; of a duel that of model number @i. G_MAXUINT: the table has none. */
static gboolean find_row(RatingsFile *f, const json_t *answer, guint i, guint *row, GError **error)
{
    const gboolean is_duel = f->ratings->kind == TG_RATINGS_DUEL;
    const json_t *models = json_object_get(answer, "model");
    const json_t *sums = json_object_get(answer, "checksum");
    const char *id = json_string_value(json_object_get(answer, "id"));
    const char *subset = json_string_value(json_object_get(answer, "subset"));
    const char *model = json_string_value(is_duel ? json_array_get(models, i) : models);
    const char *sum = json_string_value(is_duel ? json_array_get(sums, i) : sums);

    if (id == NULL || model == NULL || sum == NULL)
        return fail_answer(f, answer, "lacks its id, model or checksum", error);
    g_autofree char *key = key_of(subset != NULL ? subset : "", id, model);
    g_autofree char *exact = g_strconcat(key, "\n", sum, NULL);
    *row = GPOINTER_TO_UINT(g_hash_table_lookup(f->rows, exact)) - 1;
    if (*row == G_MAXUINT && g_hash_table_contains(f->known, key)) {
        if (f->n_changed++ == 0)
            f->changed = g_strdup_printf("'%s'%s%s", id, *model != '\0' ? " of model " : "", model);
    }
    return TRUE;
}

/* An answer that the page does not offer. */
static gboolean fail_value(const RatingsFile *f, const json_t *answer, GError **error)
{
    const json_t *given = json_object_get(answer, "answer");
    const json_t *skip = json_object_get(answer, "skip");
    const json_t *shown = skip != NULL ? skip : given;
    g_autoptr(GString) what = g_string_new(NULL);
    enum { MOST = 60 };

    if (shown == NULL)
        return fail_answer(f, answer, "is missing: it has no \"answer\" and no \"skip\"", error);
    tg_json_append(what, shown);
    if (what->len > MOST)
        g_string_assign(what, json_is_string(shown) ? "a long text" : "no text and no number");
    if (skip != NULL)
        g_string_append(what, ", but only \"cannot judge\" and \"wrong reference\" are no answers");
    else if (f->ratings->kind == TG_RATINGS_SCALE &&
             json_object_get(json_object_get(f->json, "scale"), "words") == NULL)
        g_string_append_printf(what, ", not a whole number from %d to %d", (int) f->ratings->low,
                               (int) f->ratings->high);
    else
        g_string_append(what, ", which the page does not offer");
    g_string_prepend(what, "is ");
    return fail_answer(f, answer, what->str, error);
}

static gboolean read_answer(RatingsFile *f, const json_t *answer, GError **error)
{
    TgRatings *ratings = f->ratings;
    const char *skip = json_string_value(json_object_get(answer, "skip"));
    const json_t *seconds = json_object_get(answer, "seconds");
    const json_t *pair = json_object_get(answer, "pair");
    const json_t *n_pairs = json_object_get(f->json, "pairs");
    const json_int_t time = json_integer_value(json_object_get(answer, "time"));
    TgRatingsAnswer out = { .rater = f->rater, .other = G_MAXUINT, .value = NAN };

    if (!json_is_object(answer) || !json_is_integer(pair) || (time != 1 && time != 2))
        return tg_fail_input(error, "%s: has an answer that is none of a page", f->path);
    if (json_object_get(answer, "skip") == NULL
            ? !value_of(f, answer, &out.value)
            : g_strcmp0(skip, "cannot judge") != 0 && g_strcmp0(skip, "wrong reference") != 0)
        return fail_value(f, answer, error);
    if (json_integer_value(pair) < 0 ||
        (json_is_integer(n_pairs) && json_integer_value(pair) >= json_integer_value(n_pairs)))
        return fail_answer(f, answer, "has a number (\"pair\") that the page does not have", error);
    g_autofree char *again =
        g_strdup_printf("%" JSON_INTEGER_FORMAT " %d", json_integer_value(pair), (int) time);
    if (!g_hash_table_add(f->seen, g_steal_pointer(&again)))
        return fail_answer(f, answer, "comes twice", error);
    out.is_repeat = time == 2;
    out.is_wrong = g_strcmp0(skip, "wrong reference") == 0;
    out.seconds = CLAMP(json_number_value(seconds), 0, MAX_SECONDS);
    out.note = json_string_value(json_object_get(answer, "note"));
    if (!find_row(f, answer, 0, &out.row, error) ||
        (ratings->kind == TG_RATINGS_DUEL && !find_row(f, answer, 1, &out.other, error)))
        return FALSE;
    if (out.row == G_MAXUINT || (ratings->kind == TG_RATINGS_DUEL && out.other == G_MAXUINT)) {
        if (((TgRatingsRater *) ratings->raters->pdata[f->rater])->n_unknown++ == 0)
            f->unknown = json_string_value(json_object_get(answer, "id"));
        return TRUE;
    }
    f->n_found++;
    g_array_append_val(ratings->answers, out);
    return TRUE;
}

/* The JSON of a file, which its first bytes and its members say is one of ratings. */
static json_t *load_file(const char *path, GError **error)
{
    g_autoptr(TgStream) stream = tg_stream_open(path, MAX_BYTES, error);
    g_autoptr(GError) trouble = NULL;
    json_error_t place;

    if (stream == NULL)
        return NULL;
    GString *text = tg_stream_read_rest(stream, MAX_BYTES, &trouble);
    if (text == NULL)
        return tg_null_input(error, "%s: %s", path, trouble->message);
    json_t *json = json_loadb(text->str, text->len, JSON_REJECT_DUPLICATES, &place);
    const gboolean has_mark = strstr(text->str, mark) != NULL;
    g_string_free(text, TRUE);
    if (json == NULL && has_mark)
        return tg_null_input(error, "%s: is cut short or was damaged: line %d: %s", path,
                             place.line, place.text);
    const json_t *format = json_object_get(json, "texgauge_ratings");
    if (!json_is_integer(format) || !json_is_string(json_object_get(json, "rater")) ||
        !json_is_string(json_object_get(json, "study")) ||
        !json_is_array(json_object_get(json, "answers")))
        tg_fail_input(error, "%s: no file of ratings that a page of 'texgauge rate' saved", path);
    else if (json_integer_value(format) != FORMAT)
        tg_fail_input(error, "%s: was saved by a newer texgauge, in format %d", path,
                      (int) json_integer_value(format));
    else
        return json;
    json_decref(json);
    return NULL;
}

/* Refuse a file whose raters were asked something else; unless @force, also one of another page. */
static gboolean check_study(const json_t *first, const char *first_path, const json_t *json,
                            const char *path, gboolean force, GError **error)
{
    static const char *const members[] = { "kind", "scale", "metrics" };

    for (guint i = 0; i < G_N_ELEMENTS(members); i++)
        if (!json_equal(json_object_get(first, members[i]), json_object_get(json, members[i])) &&
            json_object_get(first, members[i]) != json_object_get(json, members[i]))
            return tg_fail_input(error, "%s: is of another study than %s: its %s differs", path,
                                 first_path, members[i]);
    return force || json_equal(json_object_get(first, "study"), json_object_get(json, "study")) ||
           tg_fail_input(error,
                         "%s: is of another study than %s, or of a page that was changed since "
                         "(--force takes them together)",
                         path, first_path);
}

const char *const tg_ratings_kinds[3] = { "scale", "preference", "duel" };
G_STATIC_ASSERT(G_N_ELEMENTS(tg_ratings_kinds) == TG_RATINGS_DUEL + 1);

static gboolean read_kind(TgRatings *ratings, const json_t *json, const char *path, GError **error)
{
    const char *kind = json_string_value(json_object_get(json, "kind"));
    const json_t *scale = json_object_get(json, "scale");
    const json_t *words = json_object_get(scale, "words");
    const json_t *metrics = json_object_get(json, "metrics");
    guint k = 0;

    while (k < G_N_ELEMENTS(tg_ratings_kinds) && g_strcmp0(kind, tg_ratings_kinds[k]) != 0)
        k++;
    ratings->kind = (TgRatingsKind) k;
    ratings->low = json_number_value(json_object_get(scale, "low"));
    ratings->high = words != NULL ? (double) json_array_size(words) - 1
                                  : json_number_value(json_object_get(scale, "high"));
    ratings->first = json_string_value(json_array_get(metrics, 0));
    ratings->second = json_string_value(json_array_get(metrics, 1));
    if (k < G_N_ELEMENTS(tg_ratings_kinds) &&
        (k != TG_RATINGS_SCALE || ratings->high > ratings->low) &&
        (k != TG_RATINGS_PREFERENCE || (ratings->first != NULL && ratings->second != NULL)))
        return TRUE;
    return tg_fail_input(error, "%s: does not say what was asked: its kind or scale is damaged",
                         path);
}

/* Two files of one person, or two people of one name: who is who cannot be told. */
static gboolean add_rater(TgRatings *ratings, const json_t *json, const char *path, GError **error)
{
    TgRatingsRater *rater = g_new0(TgRatingsRater, 1);

    rater->name = json_string_value(json_object_get(json, "rater"));
    rater->path = path;
    rater->is_partial = (gint64) json_array_size(json_object_get(json, "answers")) <
                        json_integer_value(json_object_get(json, "steps"));
    g_ptr_array_add(ratings->raters, rater);
    for (guint i = 0; i + 1 < ratings->raters->len; i++) {
        const TgRatingsRater *other = ratings->raters->pdata[i];

        if (strcmp(other->name, rater->name) == 0)
            return tg_fail_input(error,
                                 "%s and %s: both are of a rater called '%s'; give the later file "
                                 "of one person alone, or change the \"rater\" of one of two",
                                 other->path, path, rater->name);
    }
    return TRUE;
}

static gboolean read_file(RatingsFile *f, GError **error)
{
    TgRatingsRater *rater = f->ratings->raters->pdata[f->rater];
    const json_t *answers = json_object_get(f->json, "answers"), *answer;
    gsize i;

    json_array_foreach(answers, i, answer)
    {
        if (!read_answer(f, answer, error))
            return FALSE;
    }
    if (f->n_changed > 0)
        return tg_fail_input(error,
                             "%s: %u %s rated in another version: %s%s, whose reference or "
                             "prediction has changed since",
                             f->path, f->n_changed, f->n_changed == 1 ? "pair was" : "pairs were",
                             f->n_changed == 1 ? "" : "the first is ", f->changed);
    if (f->n_found == 0 && json_array_size(answers) > 0)
        return tg_fail_input(error, "%s: is of another study: none of its pairs is in the results",
                             f->path);
    if (rater->n_unknown > 0)
        g_ptr_array_add(f->ratings->remarks,
                        g_strdup_printf("%s: %u %s not in the results, %s'%s'", f->path,
                                        rater->n_unknown,
                                        rater->n_unknown == 1 ? "answer is about a pair that is"
                                                              : "answers are about pairs that are",
                                        rater->n_unknown == 1 ? "" : "the first ", f->unknown));
    if (rater->is_partial)
        g_ptr_array_add(
            f->ratings->remarks,
            g_strdup_printf("%s: is not finished: answers so far: %u of %u", f->path,
                            (guint) json_array_size(answers),
                            (guint) json_integer_value(json_object_get(f->json, "steps"))));
    return TRUE;
}

/* Remark on answers that are all one, and on two names that seem to be those of one person. */
static void remark_raters(TgRatings *ratings, guint n_rows)
{
    g_autofree double *matrix = tg_ratings_matrix(ratings, n_rows);
    const guint n = ratings->raters->len;

    for (guint a = 0; a < n; a++)
        for (guint b = a; b < n; b++) {
            const TgRatingsRater *one = ratings->raters->pdata[a], *two = ratings->raters->pdata[b];
            g_autofree char *name = g_strstrip(g_utf8_casefold(one->name, -1));
            g_autofree char *other = g_strstrip(g_utf8_casefold(two->name, -1));
            guint n_common = 0, n_same = 0;
            double first = NAN;

            for (gsize row = 0; row < n_rows; row++) {
                const double x = matrix[row * n + a];
                const double y = a == b ? first : matrix[row * n + b];

                first = isnan(first) ? x : first;
                n_common += !isnan(x) && !isnan(y);
                n_same += x == y;
            }
            const gboolean alike = n_common >= LEAST_ALIKE && n_same == n_common;
            if (a == b && alike)
                g_ptr_array_add(ratings->remarks,
                                g_strdup_printf("%s: all answers are the same", one->path));
            else if (a != b && (alike || strcmp(name, other) == 0))
                g_ptr_array_add(
                    ratings->remarks,
                    g_strdup_printf("%s and %s: '%s' and '%s' may be one person: %s", one->path,
                                    two->path, one->name, two->name,
                                    alike ? "the answers are the same" : "the names are alike"));
        }
}

TgRatings *tg_ratings_read(const char *const *paths, const TgTable *table, gboolean force,
                           GError **error)
{
    g_autoptr(TgRatings) ratings = g_new0(TgRatings, 1);
    g_autoptr(GHashTable) rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    ratings->raters = g_ptr_array_new_with_free_func(g_free);
    ratings->answers = g_array_new(FALSE, FALSE, sizeof(TgRatingsAnswer));
    ratings->remarks = g_ptr_array_new_with_free_func(g_free);
    ratings->files = json_array();
    for (guint i = table->n_rows; i-- > 0;) { /* of equal pairs the first counts */
        const TgTableRow *row = &table->rows[i];
        g_autofree char *id = tg_ratings_id(row);
        char *key =
            key_of(tg_table_subset(table, row->subset), id, tg_table_model(table, row->model));

        if (row->refs[0] != NULL && row->hyp != NULL) {
            g_autofree char *sum = tg_ratings_checksum(row->refs[0], row->hyp);

            g_hash_table_replace(rows, g_strconcat(key, "\n", sum, NULL), GUINT_TO_POINTER(i + 1));
        }
        g_hash_table_add(known, key);
    }
    for (guint i = 0; paths[i] != NULL; i++) {
        json_t *json = load_file(paths[i], error);
        g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        const char *path;

        if (json == NULL)
            return NULL;
        json_array_append_new(ratings->files, json);
        path = json_object_set_new(json, "path", tg_json_text(paths[i])) == 0
                   ? json_string_value(json_object_get(json, "path"))
                   : "";
        const json_t *first = json_array_get(ratings->files, 0);
        const char *first_path = json_string_value(json_object_get(first, "path"));
        RatingsFile f = { ratings, table, rows, known, json, path, i, seen, 0, 0, NULL, NULL };
        const gboolean good = read_kind(ratings, json, path, error) &&
                              check_study(first, first_path, json, path, force, error) &&
                              add_rater(ratings, json, path, error) && read_file(&f, error);
        g_free(f.changed);
        if (!good)
            return NULL;
    }
    remark_raters(ratings, table->n_rows);
    return g_steal_pointer(&ratings);
}

double *tg_ratings_matrix(const TgRatings *ratings, guint n_rows)
{
    const guint n = ratings->raters->len;
    double *out = g_new(double, MAX((gsize) n_rows * n, 1));

    for (gsize i = 0; i < (gsize) n_rows * n; i++)
        out[i] = NAN;
    for (guint i = 0; i < ratings->answers->len; i++) {
        const TgRatingsAnswer *answer = &g_array_index(ratings->answers, TgRatingsAnswer, i);

        if (!answer->is_repeat)
            out[(gsize) answer->row * n + answer->rater] = answer->value;
    }
    return out;
}
