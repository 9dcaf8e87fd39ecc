/* The choice of the pairs that people rate, and the data of the page on which they rate them. */
#include "eval/rate/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/output.h"
#include "core/json.h"
#include "core/number.h"
#include "core/random.h"
#include "datasets/source.h"
#include "eval/page/page.h"
#include "eval/results/ratings.h"
#include "eval/select/select.h"

enum { N_STRATA = 5, MAX_WORDS = 9, MAX_LEVELS = 11, MAX_IMAGE = 4 << 20, MAX_ANCHORS = 100 };

extern const char tg_rate_page_html[], tg_rate_page_css[], tg_rate_page_js[];

/* A pair that may be drawn; of a duel the rows of two models. */
typedef struct {
    guint row, other; /* @other: G_MAXUINT but in duels */
    guint group;      /* groups take turns */
    double value;     /* drawn first where it is high */
    guint place;      /* of equal ones: where the shuffle put it */
} RateItem;

typedef struct {
    const TgRateOptions *options;
    TgTable *table;
    GArray *items;      /* of RateItem */
    guint n_candidates; /* before they were drawn */
    guint n_incomplete; /* without reference, prediction or a score that is asked about */
    guint n_same;     /* nothing to choose: predictions of a duel, or scores as shown, are equal */
    guint columns[2]; /* of a preference */
    TgPageDrawings *drawings;
    json_t *images;
    guint n_without_image;
} RatePage;

/* ---- drawing a sample ---- */

static gboolean has_texts(const TgTableRow *row)
{
    return row->refs[0] != NULL && row->hyp != NULL;
}

/* A score as the page shows it; NULL: the row has none. (transfer full) */
static char *shown_score(const RatePage *page, guint which, guint row)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    const double score = tg_table_number(tg_table_column(page->table, page->columns[which]), row);

    return isnan(score) ? NULL : g_strdup(g_ascii_formatd(text, sizeof text, "%.3f", score));
}

static void add_item(RatePage *page, guint row, guint other, guint group)
{
    const RateItem item = { row, other, group, 0.0, 0 };

    g_array_append_val(page->items, item);
}

/* The formulas that two of the models read, each pair of models a group. */
static gboolean add_duels(RatePage *page, GError **error)
{
    const char *const *names = page->options->models;
    const guint n = g_strv_length((char **) names);
    g_autofree guint *models = g_new(guint, MAX(n, 1));

    if (n < 2)
        return tg_fail_usage(error, "--models takes two models or more, A,B");
    for (guint i = 0; i < n; i++)
        if (!tg_table_find_model(page->table, names[i], &models[i], error))
            return FALSE;
    for (guint a = 0, group = 0; a < n; a++)
        for (guint b = a + 1; b < n; b++, group++) {
            g_auto(TgPairing) pairing = { 0 };

            if (models[a] == models[b])
                return tg_fail_usage(error, "--models names '%s' twice", names[a]);
            if (!tg_pairing_init(&pairing, page->table, models[a], models[b], error))
                return FALSE;
            for (guint i = 0; i < pairing.n; i++) {
                const TgTableRow *one = &page->table->rows[pairing.a[i]];
                const TgTableRow *two = &page->table->rows[pairing.b[i]];

                if (!has_texts(one) || !has_texts(two))
                    page->n_incomplete++;
                else if (strcmp(one->hyp, two->hyp) == 0)
                    page->n_same++;
                else
                    add_item(page, pairing.a[i], pairing.b[i], group);
            }
        }
    return TRUE;
}

/* Disagreement of the columns that @names has, or of all first columns for NULL. */
static gboolean value_disputes(RatePage *page, const char *names, GError **error)
{
    const TgTable *table = page->table;
    RateItem *items = (RateItem *) (void *) page->items->data;
    const guint n = page->items->len;
    g_auto(GStrv) parts = g_strsplit(names != NULL ? names : "", ",", -1);
    g_autoptr(GPtrArray) columns = g_ptr_array_new(),
                         values = g_ptr_array_new_with_free_func(g_free);
    g_autofree guint *scored = g_new(guint, MAX(n, 1));
    g_autofree double *disputes = g_new(double, MAX(n, 1));
    guint n_scored = 0;

    for (guint i = 0; names != NULL && parts[i] != NULL; i++) {
        const TgTableColumn *column = tg_table_find(table, parts[i], error);

        if (column == NULL)
            return FALSE;
        g_ptr_array_add(columns, (gpointer) column);
    }
    for (guint i = 0; names == NULL && i < table->columns->len; i++)
        if (tg_table_column(table, i)->is_headline && !tg_table_column(table, i)->is_stored)
            g_ptr_array_add(columns, table->columns->pdata[i]);
    if (columns->len < 2)
        return tg_fail_usage(error, "disagreement is that of two metrics or more: name them with "
                                    "--metrics when the pairs are scored");
    for (guint i = 0; i < n; i++) {
        gboolean defined = TRUE;

        items[i].value = -INFINITY; /* last */
        for (guint c = 0; c < columns->len; c++)
            defined &= !isnan(tg_table_number(columns->pdata[c], items[i].row));
        if (defined)
            scored[n_scored++] = i;
    }
    for (guint c = 0; c < columns->len; c++) {
        double *list = g_new(double, MAX(n_scored, 1));

        for (guint i = 0; i < n_scored; i++)
            list[i] = tg_table_aligned(columns->pdata[c], items[scored[i]].row);
        g_ptr_array_add(values, list);
    }
    tg_select_disputes((const double *const *) values->pdata, columns->len, n_scored, disputes);
    for (guint i = 0; i < n_scored; i++)
        items[scored[i]].value = disputes[i];
    return TRUE;
}

static gboolean group_by_strata(RatePage *page, const char *name, GError **error)
{
    const TgTableColumn *column = tg_table_find(page->table, name, error);
    double low = INFINITY, high = -INFINITY;

    if (column == NULL)
        return FALSE;
    for (guint pass = 0; pass < 2; pass++)
        for (guint i = 0; i < page->items->len; i++) {
            RateItem *item = &g_array_index(page->items, RateItem, i);
            const double value = tg_table_number(column, item->row);

            if (isnan(value))
                item->group = N_STRATA;
            else if (pass == 1)
                item->group =
                    high > low ? (guint) MIN((value - low) / (high - low) * N_STRATA, N_STRATA - 1)
                               : 0;
            low = fmin(low, value);
            high = fmax(high, value);
        }
    return TRUE;
}

/* Give every candidate its group and its value as --by wants them. */
static gboolean apply_by(RatePage *page, GError **error)
{
    const char *by = page->options->by;
    const gboolean is_duel = page->options->models != NULL;

    if (by == NULL || strcmp(by, "random") == 0)
        return TRUE;
    if (page->options->sample == 0)
        return tg_fail_usage(error, "--by says how the pairs of --sample are drawn: give --sample");
    if (strcmp(by, "subset") == 0) {
        for (guint i = 0; i < page->items->len; i++) {
            RateItem *item = &g_array_index(page->items, RateItem, i);

            item->group =
                item->group * page->table->subsets->len + page->table->rows[item->row].subset;
        }
        return TRUE;
    }
    if (!is_duel && strcmp(by, "disagreement") == 0)
        return value_disputes(page, NULL, error);
    if (!is_duel && g_str_has_prefix(by, "disagreement:"))
        return value_disputes(page, by + strlen("disagreement:"), error);
    if (!is_duel && g_str_has_prefix(by, "strata:"))
        return group_by_strata(page, by + strlen("strata:"), error);
    return tg_fail_usage(error,
                         is_duel ? "--by takes random or subset with --models, not '%s'"
                                 : "--by takes random, subset, strata:COLUMN, disagreement or "
                                   "disagreement:A,B, not '%s'",
                         by);
}

static int by_draw(gconstpointer x, gconstpointer y)
{
    const RateItem *a = x, *b = y;

    if (a->group != b->group)
        return (a->group > b->group) - (a->group < b->group);
    if (a->value != b->value)
        return (a->value < b->value) - (a->value > b->value);
    return (a->place > b->place) - (a->place < b->place);
}

static int by_row(gconstpointer x, gconstpointer y)
{
    const RateItem *a = x, *b = y;

    return a->row != b->row ? (a->row > b->row) - (a->row < b->row)
                            : (a->other > b->other) - (a->other < b->other);
}

/* Take the best of each group in turn until there are enough, a reference once unless asked. */
static void draw_sample(RatePage *page)
{
    const TgRateOptions *options = page->options;
    g_autoptr(GArray) from = page->items;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    g_autofree guint *order = g_new(guint, MAX(from->len, 1));
    g_autoptr(GArray) starts = g_array_new(FALSE, FALSE, sizeof(guint)); /* of groups; the end */
    const guint wanted = options->sample > 0 ? options->sample : from->len;
    gboolean took = TRUE;
    TgRandom random;

    page->items = g_array_new(FALSE, FALSE, sizeof(RateItem));
    page->n_candidates = from->len;
    tg_random_seed(&random, options->seed, 0);
    for (guint i = 0; i < from->len; i++) {
        const guint k = tg_random_below(&random, i + 1);

        order[i] = order[k];
        order[k] = i;
    }
    for (guint i = 0; i < from->len; i++)
        g_array_index(from, RateItem, order[i]).place = i;
    g_array_sort(from, by_draw);
    for (guint i = 0; i < from->len; i++)
        if (i == 0 ||
            g_array_index(from, RateItem, i).group != g_array_index(from, RateItem, i - 1).group)
            g_array_append_val(starts, i);
    g_array_append_val(starts, from->len);
    g_autoptr(GArray) next = g_array_copy(starts); /* of each group */
    while (took && page->items->len < wanted) {
        took = FALSE;
        for (guint g = 0; g + 1 < starts->len && page->items->len < wanted; g++) {
            guint *at = &g_array_index(next, guint, g);
            gboolean is_new = FALSE;

            while (!is_new && *at < g_array_index(starts, guint, g + 1)) {
                const RateItem *item = &g_array_index(from, RateItem, (*at)++);
                const char *ref = page->table->rows[item->row].refs[0];

                is_new = g_hash_table_add(seen, (gpointer) ref) || options->same_references;
                if (is_new)
                    g_array_append_val(page->items, *item);
            }
            took |= is_new;
        }
    }
    g_array_sort(page->items, by_row);
}

/* ---- what is asked ---- */

/* {low, high} or {words}; NULL with @error. (transfer full) */
static json_t *scale_json(const char *text, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    const guint n = g_strv_length(words);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    guint64 low, high;
    char *rest;

    if (n == 1) {
        low = g_ascii_strtoull(text, &rest, 10);
        if (g_ascii_isdigit(*text) && *rest == '-' && g_ascii_isdigit(rest[1])) {
            high = g_ascii_strtoull(rest + 1, &rest, 10);
            if (*rest == '\0' && low < high && high <= MAX_LEVELS - 1)
                return json_pack("{s:i, s:i}", "low", (int) low, "high", (int) high);
        }
    }
    json_t *list = json_array();
    for (guint i = 0; i < n; i++) {
        g_strstrip(words[i]);
        if (*words[i] != '\0' && g_utf8_validate(words[i], -1, NULL) &&
            g_hash_table_add(seen, words[i]))
            json_array_append_new(list, tg_json_text(words[i]));
    }
    if (n >= 2 && n <= MAX_WORDS && json_array_size(list) == n)
        return json_pack("{s:o}", "words", list);
    json_decref(list);
    return tg_null_usage(error,
                         "--scale takes two numbers from 0 to 10 such as 1-5 or 0-10, or 2 to 9 "
                         "different words from best to worst such as good,bad; not '%s'",
                         text);
}

/* How many pairs there was room for, but that have the reference of another. */
static guint count_doubled(const RatePage *page)
{
    return page->options->sample == 0 || page->items->len < page->options->sample
               ? page->n_candidates - page->items->len
               : 0;
}

/* "40 of 415 pairs, ..." (transfer full) */
static char *describe_sample(const RatePage *page)
{
    const TgRateOptions *options = page->options;
    GString *out = g_string_new(NULL);
    const char *by = options->by != NULL ? options->by : "random";

    g_string_append_printf(out, "%u of %u pair%s", page->items->len, page->n_candidates,
                           tg_plural(page->n_candidates));
    if (options->sample > 0)
        g_string_append_printf(out, ", drawn by %s with seed %" G_GUINT64_FORMAT, by,
                               options->seed);
    g_string_append(out, options->same_references ? "; references may repeat"
                                                  : "; no reference comes with two predictions");
    if (count_doubled(page) > 0)
        g_string_append_printf(out, " (%u left out)", count_doubled(page));
    if (page->n_incomplete > 0)
        g_string_append_printf(out, "; none without reference%s (%u left out)",
                               options->preference != NULL ? ", prediction or score"
                                                           : " or prediction",
                               page->n_incomplete);
    if (page->n_same > 0)
        g_string_append_printf(out, "; no %s (%u left out)",
                               options->models != NULL ? "duels of equal predictions"
                                                       : "pairs with equal scores",
                               page->n_same);
    if (options->repeat > 0)
        g_string_append_printf(out, "; %u come%s twice", options->repeat,
                               options->repeat == 1 ? "s" : "");
    g_string_append_c(out, '.');
    return g_string_free(out, FALSE);
}

/* ---- pictures ---- */

static const char *type_of_image(const char *bytes, gsize n)
{
    static const struct {
        const char *start, *type;
        guint n;
    } types[] = { { "\x89PNG", "image/png", 4 },
                  { "\xff\xd8\xff", "image/jpeg", 3 },
                  { "GIF8", "image/gif", 4 },
                  { "RIFF", "image/webp", 4 } };

    for (guint i = 0; i < G_N_ELEMENTS(types); i++)
        if (n > types[i].n && memcmp(bytes, types[i].start, types[i].n) == 0)
            return types[i].type;
    return NULL;
}

/* The number of the picture of a row among those of the page; -1: it names none. */
static gboolean add_image(RatePage *page, const TgTableRow *row, gint *number, GError **error)
{
    const char *name = tg_table_picture(row), *type;
    g_autofree char *bytes = NULL, *path = NULL;
    g_autoptr(GError) trouble = NULL;
    gsize n;

    *number = -1;
    if (name == NULL) {
        page->n_without_image++;
        return TRUE;
    }
    path = page->options->images != NULL && !g_path_is_absolute(name)
               ? g_build_filename(page->options->images, name, NULL)
               : g_strdup(name);
    if (!g_file_get_contents(path, &bytes, &n, &trouble))
        return tg_fail_input(error,
                             "the picture of a pair cannot be read: %s (--images names its "
                             "folder)",
                             trouble->message);
    type = type_of_image(bytes, n);
    if (type == NULL || n > MAX_IMAGE)
        return tg_fail_input(error, "%s: is no PNG, JPEG, GIF or WebP of at most 4 MiB", path);
    g_autofree char *code = g_base64_encode((const guchar *) bytes, n);
    *number = (gint) json_array_size(page->images);
    json_array_append_new(page->images, json_sprintf("data:%s;base64,%s", type, code));
    return TRUE;
}

/* ---- data of the page ---- */

static json_t *number_of_drawing(RatePage *page, const char *tex, GError **error)
{
    guint number;

    return tg_page_drawings_add(page->drawings, tex, &number, error) ? json_integer(number) : NULL;
}

/* A pair as the page has it; of a duel model, checksum and prediction are lists. NULL with @error
 */
static json_t *pair_json(RatePage *page, const RateItem *item, GError **error)
{
    const TgTable *table = page->table;
    const TgTableRow *row = &table->rows[item->row];
    const guint rows[2] = { item->row, item->other };
    const guint n = item->other != G_MAXUINT ? 2 : 1;
    json_auto_t *models = json_array(), *sums = json_array(), *preds = json_array();
    json_t *gt = number_of_drawing(page, row->refs[0], error), *pair;
    gint image = -1;

    if (gt == NULL || (page->options->with_images && !add_image(page, row, &image, error)))
        return NULL;
    for (guint i = 0; i < n; i++) {
        const TgTableRow *each = &table->rows[rows[i]];
        g_autofree char *sum = tg_ratings_checksum(row->refs[0], each->hyp);
        json_t *pred = number_of_drawing(page, each->hyp, error);

        if (pred == NULL)
            return NULL;
        json_array_append_new(models, tg_json_text(tg_table_model(table, each->model)));
        json_array_append_new(sums, json_string(sum));
        json_array_append_new(preds, pred);
    }
    g_autofree char *id = tg_ratings_id(row);
    pair = json_pack("{s:o, s:o, s:o}", "id", tg_json_text(id), "subset",
                     tg_json_text(tg_table_subset(table, row->subset)), "gt", gt);
    json_object_set(pair, "model", n > 1 ? models : json_array_get(models, 0));
    json_object_set(pair, "checksum", n > 1 ? sums : json_array_get(sums, 0));
    json_object_set(pair, "pred", n > 1 ? preds : json_array_get(preds, 0));
    if (image >= 0)
        json_object_set_new(pair, "image", json_integer(image));
    if (page->options->preference != NULL) {
        g_autofree char *one = shown_score(page, 0, item->row);
        g_autofree char *two = shown_score(page, 1, item->row);

        json_object_set_new(pair, "scores", json_pack("[s, s]", one, two));
    }
    return pair;
}

/* The pairs of the file of examples, with the mean of their ratings. NULL with @error */
static json_t *anchors_json(RatePage *page, GError **error)
{
    const char *const paths[] = { page->options->anchors, NULL };
    const TgSourceOptions options = { .keep_others = TRUE, .allow_duplicates = TRUE };
    json_auto_t *list = json_array();
    g_auto(TgRecord) record = { 0 };
    TgNext next;

    if (paths[0] == NULL)
        return json_incref(list);
    g_autoptr(TgSource) source = tg_source_open(paths, &options, error);
    if (source == NULL)
        return NULL;
    while ((next = tg_source_next(source, &record, error)) == TG_NEXT_ROW) {
        const TgHumanGroup *group = record.human != NULL ? record.human->pdata[0] : NULL;
        const json_t *why = json_object_get(record.stored, "why");
        guint n = 0;
        g_autofree double *ratings =
            group != NULL ? tg_stats_defined(group->scores, group->n_scores, &n) : NULL;

        if (record.fault != NULL || n == 0 || record.hyp == NULL ||
            json_array_size(list) == MAX_ANCHORS)
            return tg_null_input(error, "%s",
                                 record.fault != NULL ? record.fault
                                                      : "--anchors takes up to 100 pairs, each "
                                                        "with a reference, a prediction and a "
                                                        "rating");
        json_t *gt = number_of_drawing(page, record.refs->pdata[0], error);
        json_t *pred = gt != NULL ? number_of_drawing(page, record.hyp, error) : NULL;
        if (pred == NULL)
            return NULL;
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "gt", gt, "pred", pred,
                                              "rating", tg_json_number(tg_stats_mean(ratings, n)),
                                              "why", tg_json_text(json_string_value(why))));
    }
    return next == TG_NEXT_END ? json_incref(list) : NULL;
}

/* The checksum of a study: of its pairs and of how people are asked about them. Pages with the
 * same checksum belong to one study. */
static char *study_checksum(const json_t *data)
{
    static const char *const members[] = { "kind",    "question", "scale", "ends",
                                           "metrics", "seed",     "repeat" };
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autoptr(GString) text = g_string_new(NULL);
    const json_t *pair;
    gsize i;

    for (guint k = 0; k < G_N_ELEMENTS(members); k++)
        tg_json_append(text, json_object_get(data, members[k]));
    json_array_foreach(json_object_get(data, "pairs"), i, pair)
    {
        tg_json_append(text, json_object_get(pair, "id"));
        tg_json_append(text, json_object_get(pair, "model"));
        tg_json_append(text, json_object_get(pair, "checksum"));
    }
    g_checksum_update(checksum, (const guchar *) text->str, (gssize) text->len);
    return g_strndup(g_checksum_get_string(checksum), TG_RATINGS_CHECKSUM);
}

/* A column with the range of its scores and its better direction. */
static json_t *metric_json(const TgTable *table, const TgTableColumn *column)
{
    double low = 0.0, high = 1.0;

    for (guint i = 0; i < table->n_rows; i++) {
        low = fmin(low, tg_table_number(column, i));
        high = fmax(high, tg_table_number(column, i));
    }
    return json_pack("{s:o, s:b, s:o, s:o}", "name", tg_json_text(column->name), "lower",
                     column->lower_is_better, "low", tg_json_number(low), "high",
                     tg_json_number(high));
}

/* All that the script reads; NULL with @error. (transfer full) */
static json_t *page_json(RatePage *page, GError **error)
{
    static const char *const questions[] = {
        "How well does the prediction say what the reference says?",
        "Which score is right for this pair?",
        "Which prediction says better what the reference says?",
    };
    const TgRateOptions *options = page->options;
    const guint kind = options->preference != NULL ? 1 : options->models != NULL ? 2 : 0;
    const char *const *ends = options->ends;
    g_autofree char *drawn = describe_sample(page);
    json_auto_t *data = json_pack(
        "{s:s, s:s, s:o, s:o, s:b, s:i, s:I, s:o, s:{s:i, s:i, s:o}}", "version", tg_version(),
        "kind", tg_ratings_kinds[kind], "title",
        tg_json_text(options->title != NULL ? options->title : "Rate formulas"), "question",
        tg_json_text(options->question != NULL ? options->question : questions[kind]), "source",
        options->source, "repeat", (int) options->repeat, "seed", (json_int_t) options->seed,
        "drawn", tg_json_text(drawn), "sample", "pairs", (int) page->items->len, "of",
        (int) page->n_candidates, "how", tg_json_text(drawn));
    json_t *pairs = json_array(), *anchors;

    json_object_set_new(data, "pairs", pairs);
    if (kind == 0) {
        json_t *scale = scale_json(options->scale != NULL ? options->scale : "1-5", error);

        if (scale == NULL)
            return NULL;
        json_object_set_new(data, "scale", scale);
        json_object_set_new(data, "ends",
                            json_pack("[o, o]",
                                      tg_json_text(ends != NULL ? ends[0] : "nothing in common"),
                                      tg_json_text(ends != NULL ? ends[1] : "says the same")));
    }
    if (kind == 1) {
        json_t *metrics = json_array();

        for (guint i = 0; i < 2; i++)
            json_array_append_new(
                metrics, metric_json(page->table, tg_table_column(page->table, page->columns[i])));
        json_object_set_new(data, "metrics", metrics);
    }
    for (guint i = 0; i < page->items->len; i++) {
        json_t *pair = pair_json(page, &g_array_index(page->items, RateItem, i), error);

        tg_listener_tell(&options->listener, "drawings", i, page->items->len);
        if (pair == NULL)
            return NULL;
        json_array_append_new(pairs, pair);
    }
    anchors = anchors_json(page, error);
    if (anchors == NULL)
        return NULL;
    g_autofree char *study = study_checksum(data);
    json_object_set_new(data, "anchors", anchors);
    json_object_set_new(data, "study", json_string(study));
    json_object_set(data, "images", page->images);
    json_object_set_new(data, "formulas", tg_page_drawings_json(page->drawings));
    return json_incref(data);
}

/* ---- the whole ---- */

/* The table of results, or of inputs that are scored for it. (transfer full) */
static TgTable *read_table(const char *const *paths, const TgRateOptions *options, GError **error)
{
    if (options->eval.source.refs == NULL && tg_results_recognize_all(paths))
        return tg_table_read(paths, &options->table, error);
    TgEvalOptions eval = options->eval;
    char *results = tg_temporary_new(error);
    const char *const files[] = { results, NULL };
    g_autoptr(TgSummary) summary = NULL;
    TgTable *table = NULL;
    guint64 n_faults;

    if (results == NULL)
        return NULL;
    eval.inputs = *paths != NULL ? paths : NULL;
    eval.output = results;
    eval.summary.force = TRUE;
    eval.metrics = eval.metrics != NULL ? eval.metrics : "edit,bleu";
    summary = tg_eval_run(&eval, &n_faults, error);
    if (summary != NULL)
        table = tg_table_read(files, &options->table, error);
    if (table != NULL && n_faults > 0 && options->remarks != NULL)
        g_ptr_array_add(options->remarks,
                        g_strdup_printf("%" G_GUINT64_FORMAT " row%s cannot be read as pairs; "
                                        "'texgauge eval' says why",
                                        n_faults, tg_plural(n_faults)));
    tg_temporary_remove(results);
    return table;
}

static gboolean read_options(RatePage *page, GError **error)
{
    const TgRateOptions *options = page->options;

    if (options->preference != NULL && options->models != NULL)
        return tg_fail_usage(error, "--preference and --models ask two questions: make two pages");
    if ((options->preference != NULL || options->models != NULL) &&
        (options->scale != NULL || options->ends != NULL))
        return tg_fail_usage(error, "--scale and --ends are not for --preference and --models");
    if (options->ends != NULL && g_strv_length((char **) options->ends) != 2)
        return tg_fail_usage(error, "--ends takes what the lowest and the highest number mean, "
                                    "LOW,HIGH");
    if (options->preference == NULL)
        return TRUE;
    if (g_strv_length((char **) options->preference) != 2)
        return tg_fail_usage(error, "--preference takes two columns, A,B");
    for (guint i = 0; i < 2; i++) {
        const TgTableColumn *column = tg_table_find(page->table, options->preference[i], error);

        if (column == NULL)
            return FALSE;
        g_ptr_array_find(page->table->columns, column, &page->columns[i]);
    }
    return TRUE;
}

static gboolean fill_page(RatePage *page, GError **error)
{
    if (!read_options(page, error))
        return FALSE;
    if (page->options->models != NULL && !add_duels(page, error))
        return FALSE;
    for (guint i = 0; page->options->models == NULL && i < page->table->n_rows; i++) {
        const gboolean asks_scores = page->options->preference != NULL;
        g_autofree char *one = asks_scores ? shown_score(page, 0, i) : NULL;
        g_autofree char *two = asks_scores ? shown_score(page, 1, i) : NULL;

        if (!has_texts(&page->table->rows[i]) || (asks_scores && (one == NULL || two == NULL)))
            page->n_incomplete++;
        else if (asks_scores && strcmp(one, two) == 0)
            page->n_same++;
        else
            add_item(page, i, G_MAXUINT, 0);
    }
    if (!apply_by(page, error))
        return FALSE;
    draw_sample(page);
    if (page->items->len == 0)
        return tg_fail_input(error, "no pair to rate: each needs a reference and a prediction%s",
                             page->options->models != NULL       ? " of both models that differ"
                             : page->options->preference != NULL ? ", and two scores that differ"
                                                                 : "");
    return page->options->repeat <= page->items->len ||
           tg_fail_usage(error, "--repeat %u: the page has only %u pair%s", page->options->repeat,
                         page->items->len, tg_plural(page->items->len));
}

char *tg_rate_page(const char *const *paths, const TgRateOptions *options, guint *n_pairs,
                   GError **error)
{
    g_autoptr(TgTable) table = read_table(paths, options, error);
    RatePage page = { .options = options, .table = table };
    char *html = NULL;

    if (table == NULL)
        return NULL;
    page.items = g_array_new(FALSE, FALSE, sizeof(RateItem));
    page.images = json_array();
    page.drawings = fill_page(&page, error) ? tg_page_drawings_new(TRUE, error) : NULL;
    json_auto_t *data = page.drawings != NULL ? page_json(&page, error) : NULL;
    if (data != NULL && options->remarks != NULL) {
        const guint n_doubled = count_doubled(&page);

        for (guint i = 0; i < table->remarks->len; i++)
            g_ptr_array_add(options->remarks, g_strdup(table->remarks->pdata[i]));
        if (n_doubled + page.n_same + page.n_incomplete > 0 || page.items->len < options->sample)
            g_ptr_array_add(options->remarks,
                            g_strconcat(json_string_value(json_object_get(data, "drawn")),
                                        n_doubled > 0 ? " --same-references takes them." : NULL,
                                        NULL));
        if (page.n_without_image > 0)
            g_ptr_array_add(options->remarks,
                            g_strdup_printf("%u pair%s without a picture's name",
                                            page.n_without_image, tg_plural(page.n_without_image)));
    }
    if (data != NULL) {
        const char *given = json_string_value(json_object_get(data, "title"));
        g_autofree char *title = g_markup_escape_text(given, -1);
        g_autofree char *element = tg_page_data("data", data);
        const TgPagePart parts[] = { { "@TITLE@", title }, { "@DATA@", element } };

        html = tg_page_fill(tg_rate_page_html, tg_rate_page_css, tg_rate_page_js, "", parts,
                            G_N_ELEMENTS(parts));
    }
    *n_pairs = page.items->len;
    tg_page_drawings_free(page.drawings);
    json_decref(page.images);
    g_array_unref(page.items);
    return html;
}
