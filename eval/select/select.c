/* Selecting pairs of results files. */
#include "eval/select/select.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/output.h"
#include "core/json.h"
#include "core/utf8.h"
#include "eval/grid/grid.h"
#include "eval/results/results.h"
#include "eval/stats/stats.h"

enum { DEFAULT_DISPUTED = 20 };

/* A pair that meets the conditions, and what it is ordered by; the first comes first. */
typedef struct {
    guint64 number; /* of the pair, over all files */
    double key;     /* lower comes first */
    double a, b;    /* values of the columns that order it; higher is better */
} Candidate;

typedef struct {
    const TgSelectOptions *options;
    TgResultsSet *set;
    GPtrArray *conditions; /* of TgCondition */
    gboolean *seen;        /* per condition: some pair has its field */
    char *a, *b;           /* columns of the order; NULL for none */
    gboolean seen_a, seen_b;
    GArray *candidates; /* Candidate; for orders */
    GHashTable *wanted; /* pair number to place + 1; for the second pass of orders */
    GPtrArray *lines;   /* char *, by place */
    TgOutput *out;
    guint64 n_pairs, n_written;
} Selection;

/* ---- passes over the files ---- */

typedef gboolean (*RowFunc)(Selection *s, const TgScoreLayout *layout, const TgResultsRow *row,
                            GError **error);

/* Call @each with a row whose model is what it is among all files. */
static gboolean visit_row(Selection *s, RowFunc each, guint file, const TgScoreLayout *layout,
                          const TgResultsRow *row, GError **error)
{
    g_autofree char *model = tg_results_set_model(s->set, file, row->model);
    TgResultsRow named = *row;

    named.model = model;
    if (g_strcmp0(model, row->model) != 0)
        json_object_set_new(named.json, "model", tg_json_text(model));
    return each(s, layout, &named, error);
}

/* @each: NULL to look at the models alone */
static gboolean pass(Selection *s, RowFunc each, GError **error)
{
    const TgResultsRow *row;
    guint file;

    s->n_pairs = 0;
    tg_results_set_rewind(s->set);
    for (;;) {
        if (!tg_results_set_next(s->set, &row, &file, error))
            return FALSE;
        if (row == NULL)
            return TRUE;
        if (each != NULL && !visit_row(s, each, file, row->layout, row, error))
            return FALSE;
        s->n_pairs++;
    }
}

static gboolean meets_conditions(Selection *s, const TgResultsRow *row)
{
    gboolean good = TRUE;

    for (guint i = 0; i < s->conditions->len; i++) {
        const TgCondition *condition = s->conditions->pdata[i];
        const TgFieldValue value = tg_results_field(row, tg_condition_field(condition));

        s->seen[i] |= value.is_known;
        good = good && tg_condition_holds(condition, &value);
    }
    return good;
}

static gboolean write_line(Selection *s, const char *line, GError **error)
{
    if (fputs(line, tg_output_file(s->out)) < 0)
        return tg_fail(error, TG_ERROR_OUTPUT, "%s: %s",
                       s->options->output != NULL ? s->options->output : "stdout",
                       g_strerror(errno));
    s->n_written++;
    return TRUE;
}

/* A score as --percent and --digits want it. */
static double shown_score(const TgGridForm *form, gboolean is_share, double score)
{
    char pattern[16], text[400];
    const double value = form->percent && is_share ? 100 * score : score;

    if (!form->fixed)
        return value;
    g_snprintf(pattern, sizeof pattern, "%%.%df", CLAMP(form->digits, 0, 15));
    return g_ascii_strtod(g_ascii_formatd(text, sizeof text, pattern, value), NULL);
}

static void shape_scores(const TgGridForm *form, const TgScoreLayout *layout,
                         const TgResultsRow *row)
{
    json_t *scores = json_object_get(row->json, "scores");

    for (guint i = 0; (form->percent || form->fixed) && i < layout->n_columns; i++) {
        const char *name = tg_score_layout_column_name(layout, i);
        const json_t *score = json_object_get(scores, name);

        if (json_is_number(score))
            json_object_set_new(
                scores, name,
                tg_json_number(shown_score(form, tg_score_layout_is_share(layout, i),
                                           json_number_value(score))));
    }
}

/* A heading: where the pair is from, and the first column of each metric. */
static void append_heading(GString *out, const TgGridForm *form, const TgScoreLayout *layout,
                           const TgResultsRow *row, guint width)
{
    g_autoptr(GString) heading = g_string_new(NULL);
    const json_t *scores = json_object_get(row->json, "scores");
    const char *const parts[] = { row->id, row->model,
                                  json_string_value(json_object_get(row->json, "subset")) };

    g_string_append_printf(heading, "row %" G_GUINT64_FORMAT, row->row);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (parts[i] != NULL && *parts[i] != '\0') {
            g_string_append(heading, "  ");
            tg_visible_append(heading, parts[i], NULL);
        }
    }
    for (guint m = 0; m < layout->metrics->len; m++) {
        const char *label = tg_metric_label(tg_score_layout_metric(layout, m));
        const json_t *score = json_object_get(scores, label);
        char text[32];

        const gboolean is_percent =
            form->percent && tg_score_layout_is_share(layout, layout->first_column[m]);

        g_string_append_printf(heading, "  %s%s %s", label, is_percent ? " %" : "",
                               json_is_number(score) ? g_ascii_formatd(text, sizeof text, "%.4g",
                                                                       json_number_value(score))
                                                     : "-");
    }
    tg_wrap_append(out, heading->str, 2, width);
}

static void append_text(GString *out, const TgGridForm *form, const TgScoreLayout *layout,
                        const TgResultsRow *row, guint width)
{
    const char *truth = json_string_value(json_array_get(json_object_get(row->json, "gt"), 0));
    const char *prediction = json_string_value(json_object_get(row->json, "pred"));

    append_heading(out, form, layout, row, width);
    tg_side_by_side_append(out, truth != NULL ? truth : "", prediction != NULL ? prediction : "",
                           width);
    g_string_append_c(out, '\n');
}

/* A pair as it is written. (transfer full) */
static char *line_of(const Selection *s, const TgScoreLayout *layout, const TgResultsRow *row)
{
    GString *line = g_string_new(NULL);

    shape_scores(&s->options->form, layout, row);
    if (s->options->text_width > 0) {
        append_text(line, &s->options->form, layout, row, s->options->text_width);
    } else {
        tg_json_append(line, row->json);
        g_string_append_c(line, '\n');
    }
    return g_string_free(line, FALSE);
}

/* The only pass of conditions alone. */
static gboolean copy_row(Selection *s, const TgScoreLayout *layout, const TgResultsRow *row,
                         GError **error)
{
    g_autofree char *line = NULL;

    if (!meets_conditions(s, row) || (s->options->limit > 0 && s->n_written >= s->options->limit))
        return TRUE;
    line = line_of(s, layout, row);
    return write_line(s, line, error);
}

/* ---- orders ---- */

/* The value of a column, turned so that higher is better. */
static double aligned_value(const Selection *s, const TgScoreLayout *layout,
                            const TgResultsRow *row, const char *name, gboolean *seen)
{
    const TgFieldValue value = tg_results_field(row, name);
    const gint column = tg_score_layout_find_column(layout, name);
    gboolean lower;

    *seen |= value.is_known;
    if (column >= 0)
        lower = tg_score_layout_column(layout, (guint) column)->direction == TG_LOWER_IS_BETTER;
    else
        lower = s->options->lower != NULL && g_strv_contains(s->options->lower, name);
    return lower ? -value.number : value.number;
}

/* The first pass of an order: note what each pair is ordered by. */
static gboolean note_row(Selection *s, const TgScoreLayout *layout, const TgResultsRow *row,
                         GError **error)
{
    Candidate candidate = { .number = s->n_pairs };

    (void) error;
    if (s->a == NULL && layout->n_columns > 0)
        s->a = g_strdup(tg_score_layout_column_name(layout, 0));
    if (s->a == NULL)
        return tg_fail_usage(error, "these results have no column to order by");
    candidate.a = aligned_value(s, layout, row, s->a, &s->seen_a);
    candidate.b = s->b != NULL ? aligned_value(s, layout, row, s->b, &s->seen_b) : candidate.a;
    candidate.key = candidate.a;
    if (meets_conditions(s, row) && !isnan(candidate.a) && !isnan(candidate.b))
        g_array_append_val(s->candidates, candidate);
    return TRUE;
}

/* Its last pass: keep the lines of the pairs that were chosen. */
static gboolean keep_row(Selection *s, const TgScoreLayout *layout, const TgResultsRow *row,
                         GError **error)
{
    const guint64 number = s->n_pairs;
    const guint place = GPOINTER_TO_UINT(g_hash_table_lookup(s->wanted, &number));

    (void) error;
    if (place > 0)
        s->lines->pdata[place - 1] = line_of(s, layout, row);
    return TRUE;
}

static int select_compare(const void *x, const void *y)
{
    const Candidate *a = x, *b = y;

    return a->key != b->key ? (a->key > b->key) - (a->key < b->key)
                            : (a->number > b->number) - (a->number < b->number);
}

/* Make the key the difference of the positions in two orders, largest first. */
static void rank_disputes(Candidate *candidates, guint n)
{
    g_autofree double *a = g_new(double, n);
    g_autofree double *b = g_new(double, n);

    for (guint i = 0; i < n; i++) {
        a[i] = candidates[i].a;
        b[i] = candidates[i].b;
    }
    g_autoptr(TgRanked) by_a = tg_ranked_new(a, n);
    g_autoptr(TgRanked) by_b = tg_ranked_new(b, n);
    tg_ranked_mid_ranks(by_a, NULL, n, a);
    tg_ranked_mid_ranks(by_b, NULL, n, b);
    for (guint i = 0; i < n; i++)
        candidates[i].key = -fabs(a[i] - b[i]);
}

/* How many pairs an order gives. */
static guint order_limit(const TgSelectOptions *options)
{
    guint limit = options->limit > 0 ? options->limit : G_MAXUINT;

    if (options->disputed != NULL)
        return options->limit > 0 ? options->limit : DEFAULT_DISPUTED;
    return MIN(limit, options->worst);
}

/* Sort the candidates and note the places of the first ones. */
static void choose_rows(Selection *s)
{
    Candidate *candidates = (Candidate *) (void *) s->candidates->data;
    const guint n = s->candidates->len, limit = MIN(n, order_limit(s->options));

    if (s->b != NULL)
        rank_disputes(candidates, n);
    if (n > 1)
        qsort(candidates, n, sizeof *candidates, select_compare);
    for (guint i = 0; i < limit; i++)
        g_hash_table_insert(s->wanted, g_memdup2(&candidates[i].number, sizeof(guint64)),
                            GUINT_TO_POINTER(i + 1));
    g_ptr_array_set_size(s->lines, (gint) limit);
}

static gboolean select_in_order(Selection *s, GError **error)
{
    if (!pass(s, note_row, error))
        return FALSE;
    if (s->n_pairs > 0 && s->a != NULL && !s->seen_a)
        return tg_fail_usage(error, "no pair has a column '%s'", s->a);
    if (s->n_pairs > 0 && s->b != NULL && !s->seen_b)
        return tg_fail_usage(error, "no pair has a column '%s'", s->b);
    choose_rows(s);
    if (!pass(s, keep_row, error))
        return FALSE;
    for (guint i = 0; i < s->lines->len; i++) {
        if (s->lines->pdata[i] != NULL && !write_line(s, s->lines->pdata[i], error))
            return FALSE;
    }
    return TRUE;
}

/* ---- the whole ---- */

static void free_condition(gpointer condition)
{
    tg_condition_free(condition);
}

static gboolean read_options(Selection *s, GError **error)
{
    const TgSelectOptions *options = s->options;

    for (guint i = 0; options->where != NULL && options->where[i] != NULL; i++) {
        TgCondition *condition = tg_condition_new(options->where[i], error);

        if (condition == NULL)
            return FALSE;
        g_ptr_array_add(s->conditions, condition);
    }
    s->seen = g_new0(gboolean, s->conditions->len);
    if (options->worst > 0 && options->disputed != NULL)
        return tg_fail_usage(error, "worst and disputed are two orders; choose one");
    if (options->worst > 0)
        s->a = g_strdup(options->by);
    if (options->disputed != NULL) {
        g_auto(GStrv) names = g_strsplit(options->disputed, ",", -1);

        if (g_strv_length(names) != 2)
            return tg_fail_usage(error, "disputed takes two columns, A,B, not '%s'",
                                 options->disputed);
        s->a = g_strdup(names[0]);
        s->b = g_strdup(names[1]);
    }
    for (guint i = 0; options->lower != NULL && options->lower[i] != NULL; i++)
        if (g_strcmp0(options->lower[i], s->a) != 0 && g_strcmp0(options->lower[i], s->b) != 0)
            return tg_fail_usage(error, "'%s' has no direction here: no order has this column",
                                 options->lower[i]);
    return TRUE;
}

/* A run alone, without a name by the user, needs no look at its rows. */
static gboolean name_models(Selection *s, const char *const *paths, GError **error)
{
    s->set = tg_results_set_new(paths, TG_RESULTS_ANY, error);
    return s->set != NULL && (!tg_results_set_needs_rows(s->set) || pass(s, NULL, error));
}

static gboolean check_fields(const Selection *s, GError **error)
{
    for (guint i = 0; s->n_pairs > 0 && i < s->conditions->len; i++) {
        if (!s->seen[i])
            return tg_fail_usage(error, "no pair has a field '%s'",
                                 tg_condition_field(s->conditions->pdata[i]));
    }
    return TRUE;
}

gboolean tg_select_run(const char *const *paths, const TgSelectOptions *options,
                       guint64 *n_selected, guint64 *n_pairs, GError **error)
{
    g_autoptr(GPtrArray) conditions = g_ptr_array_new_with_free_func(free_condition);
    g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(Candidate));
    g_autoptr(GHashTable) wanted = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    Selection s = { .options = options,
                    .conditions = conditions,
                    .candidates = candidates,
                    .wanted = wanted,
                    .lines = lines };
    GError *trouble = NULL;
    gboolean good = read_options(&s, &trouble) && name_models(&s, paths, &trouble) &&
                    (s.out = tg_output_open(options->output, &trouble)) != NULL;

    if (good && (options->worst > 0 || options->disputed != NULL))
        good = select_in_order(&s, &trouble);
    else if (good)
        good = pass(&s, copy_row, &trouble);
    good = good && check_fields(&s, &trouble);
    good = good && tg_output_finish(s.out, &trouble);
    tg_output_free(s.out);
    *n_selected = s.n_written;
    *n_pairs = s.n_pairs;
    g_free(s.a);
    g_free(s.b);
    g_free(s.seen);
    tg_results_set_free(s.set);
    if (trouble != NULL)
        g_propagate_error(error, trouble);
    return good;
}
