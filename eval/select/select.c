/* Choosing pairs of results files, and copying them. Where values are means over pages, what is
 * worst or disputed is a page of a model, with all its pairs. */
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
#include "eval/results/table.h"
#include "eval/stats/stats.h"

enum { DEFAULT_DISPUTED = 20 };

/* ---- choosing ---- */

/* A pair or a page of a model that may be chosen. */
typedef struct {
    guint64 number;   /* of the pair among all, or of the page */
    double values[2]; /* of the column that orders it, or of two; higher is better; no NaN */
} Candidate;

static int by_first_value(const void *x, const void *y)
{
    const Candidate *c = x, *d = y;
    const double a = c->values[0], b = d->values[0];

    return a != b ? (a > b) - (a < b) : (c->number > d->number) - (c->number < d->number);
}

void tg_select_disputes(const double *const *columns, guint n_columns, guint n, double *out)
{
    g_autofree double *ranks = g_new(double, MAX(n, 1)), *lowest = g_new(double, MAX(n, 1));

    for (guint c = 0; c < n_columns; c++) {
        g_autoptr(TgRanked) ranked = tg_ranked_new(columns[c], n);

        tg_ranked_mid_ranks(ranked, NULL, n, ranks);
        for (guint i = 0; i < n; i++) { /* out holds the highest until the end */
            lowest[i] = c == 0 ? ranks[i] : MIN(lowest[i], ranks[i]);
            out[i] = c == 0 ? ranks[i] : MAX(out[i], ranks[i]);
        }
    }
    for (guint i = 0; i < n; i++)
        out[i] -= lowest[i];
}

/* Make the value the difference of the positions in two orders, largest first. */
static void rank_disputes(Candidate *list, guint n)
{
    g_autofree double *values = g_new(double, 2 * (gsize) n + 1);
    g_autofree double *disputes = g_new(double, MAX(n, 1));
    const double *const columns[] = { values, values + n };

    for (guint i = 0; i < 2 * n; i++)
        values[i] = list[i % n].values[i / n];
    tg_select_disputes(columns, 2, n, disputes);
    for (guint i = 0; i < n; i++)
        list[i].values[0] = -disputes[i];
}

/* ---- copies ---- */

typedef struct {
    const TgSelectOptions *options;
    const char *const *paths;
    TgResultsSet *set;
    GPtrArray *conditions; /* of TgCondition */
    gboolean *seen;        /* per condition: some pair has its field */
    char *by[2];           /* columns of the order; NULL for none */
    gboolean seen_by[2];   /* some pair has them */
    GArray *candidates;    /* Candidate; for orders */
    GArray *numbers;       /* guint32: of the pairs that meet the conditions; likewise */
    GPtrArray *pages;      /* of GArray of guint32: the pairs of each page; NULL: of no page */
    GHashTable *wanted;    /* number (a size as a pointer) to place + 1; for their second pass */
    GPtrArray *lines;      /* char *, by place */
    TgOutput *out;
    gboolean as_results; /* the output has the header and the footer of results */
    TgSeal seal;         /* of its lines */
    guint64 n_pairs, n_written;
} Selection;

typedef gboolean (*RowFunc)(Selection *s, const TgResultsRow *row, GError **error);

/* Call @each with every row, whose model is what it is among all files; NULL to look at the models
 * alone. */
static gboolean pass_rows(Selection *s, RowFunc each, GError **error)
{
    const TgResultsRow *row;
    TgNext next;
    guint file;

    tg_results_set_rewind(s->set);
    for (s->n_pairs = 0; (next = tg_results_set_next(s->set, &row, &file, error)) == TG_NEXT_ROW;
         s->n_pairs++) {
        if (each == NULL)
            continue;
        g_autofree char *model = tg_results_set_model(s->set, file, row->model);
        TgResultsRow named = *row;

        named.model = model;
        if (g_strcmp0(model, row->model) != 0)
            json_object_set_new(named.json, "model", tg_json_text(model));
        if (!each(s, &named, error))
            return FALSE;
    }
    return next == TG_NEXT_END;
}

static gboolean meets_conditions(Selection *s, const TgResultsRow *row)
{
    gboolean good = TRUE;

    for (guint i = 0; i < s->conditions->len; i++) {
        const TgCondition *condition = s->conditions->pdata[i];
        const TgFieldValue value = tg_results_field(row, condition->field);

        s->seen[i] |= value.is_known;
        good = good && tg_condition_holds(condition, &value);
    }
    return good;
}

/* Write a text that ends with a newline, or, of results, a JSON object with its checksum. */
static gboolean write_text(Selection *s, const char *text, GError **error)
{
    g_autoptr(GString) sealed = g_string_new(NULL);

    if (s->as_results)
        tg_seal_append(&s->seal, text, strcspn(text, "\n"), sealed);
    if (fputs(s->as_results ? sealed->str : text, s->out->file) < 0)
        return tg_fail(error, TG_ERROR_OUTPUT, "%s: %s",
                       s->options->output != NULL ? s->options->output : "stdout",
                       g_strerror(errno));
    return TRUE;
}

static gboolean write_object(Selection *s, const json_t *object, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);

    tg_json_append(text, object);
    return write_text(s, text->str, error);
}

/* The header of the input, whatever shard it is: rows keep their numbers, and may lack others. */
static gboolean write_header(Selection *s, GError **error)
{
    json_auto_t *header = json_deep_copy(s->set->header->json);

    json_object_set_new(header, "shard", json_pack("{s:i, s:i}", "index", 1, "of", 1));
    json_object_set_new(header, "selected", json_true());
    return write_object(s, header, error);
}

static gboolean write_footer(Selection *s, GError **error)
{
    json_auto_t *footer =
        json_pack("{s:b, s:I, s:O, s:o*}", "end", 1, "rows", (json_int_t) s->n_written, "inputs",
                  s->set->data, "changed", tg_remarks_json(s->set->remarks));

    return write_object(s, footer, error);
}

static gboolean write_line(Selection *s, const char *line, GError **error)
{
    if (s->as_results && s->n_written == 0 && !write_header(s, error))
        return FALSE;
    s->n_written++;
    return write_text(s, line, error);
}

/* Give the scores of a row the form that --percent and --digits want. */
static void shape_scores(const TgGridForm *form, const TgResultsRow *row)
{
    json_t *scores = json_object_get(row->json, "scores");
    char pattern[16], text[400];

    g_snprintf(pattern, sizeof pattern, "%%.%df", CLAMP(form->digits, 0, 15));
    for (guint i = 0; (form->percent || form->fixed) && i < row->layout->n_columns; i++) {
        const char *name = row->layout->names[i];
        const json_t *score = json_object_get(scores, name);
        double value = json_number_value(score);

        if (!json_is_number(score))
            continue;
        if (form->percent && tg_score_layout_is_share(row->layout, i))
            value *= 100;
        if (form->fixed)
            value = g_ascii_strtod(g_ascii_formatd(text, sizeof text, pattern, value), NULL);
        json_object_set_new(scores, name, tg_json_number(value));
    }
}

/* A pair as it is written. (transfer full) */
static char *line_of(const Selection *s, const TgResultsRow *row)
{
    GString *line = g_string_new(NULL);

    shape_scores(&s->options->form, row);
    if (s->options->text_width > 0) {
        /* For people: where the pair is from, the first column of each metric, and the formulas. */
        g_autoptr(GString) heading = g_string_new(NULL);
        const TgScoreLayout *layout = row->layout;
        const char *const parts[] = { row->id, row->model, row->subset };
        const char *ref = json_string_value(json_array_get(json_object_get(row->json, "gt"), 0));
        const char *prediction = json_string_value(json_object_get(row->json, "pred"));

        g_string_append_printf(heading, "row %" G_GUINT64_FORMAT, row->row);
        for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
            if (parts[i] != NULL && *parts[i] != '\0') {
                g_string_append(heading, "  ");
                tg_visible_append(heading, parts[i], NULL);
            }
        }
        for (guint m = 0; m < layout->metrics->len; m++) {
            const char *label = tg_metric_label(layout->metrics->pdata[m]);
            const json_t *score = json_object_get(json_object_get(row->json, "scores"), label);
            const gboolean is_percent = s->options->form.percent &&
                                        tg_score_layout_is_share(layout, layout->first_column[m]);
            char text[32] = "-";

            if (json_is_number(score))
                g_ascii_formatd(text, sizeof text, "%.4g", json_number_value(score));
            g_string_append_printf(heading, "  %s%s %s", label, is_percent ? " %" : "", text);
        }
        tg_wrap_append(line, heading->str, 2, s->options->text_width);
        tg_side_by_side_append(line, ref != NULL ? ref : "", prediction != NULL ? prediction : "",
                               s->options->text_width);
        g_string_append_c(line, '\n');
    } else {
        tg_json_append(line, row->json);
        g_string_append_c(line, '\n');
    }
    return g_string_free(line, FALSE);
}

/* The only pass of conditions alone. */
static gboolean copy_row(Selection *s, const TgResultsRow *row, GError **error)
{
    g_autofree char *line = NULL;

    if (!meets_conditions(s, row) || (s->options->limit > 0 && s->n_written >= s->options->limit))
        return TRUE;
    line = line_of(s, row);
    return write_line(s, line, error);
}

/* The first pass of an order: note what each pair is ordered by, turned so that higher is better.
 */
static gboolean note_candidate(Selection *s, const TgResultsRow *row, GError **error)
{
    Candidate candidate = { .number = s->n_pairs };

    if (s->by[0] == NULL && row->layout->n_columns > 0)
        s->by[0] = g_strdup(row->layout->names[0]);
    if (s->by[0] == NULL)
        return tg_fail_usage(error, "these results have no column to order by");
    for (guint k = 0; k < 2 && s->by[k] != NULL; k++) {
        const TgFieldValue value = tg_results_field(row, s->by[k]);
        const gint column = tg_score_layout_find_column(row->layout, s->by[k]);
        const gboolean lower =
            column >= 0 ? row->layout->columns[column]->direction == TG_LOWER_IS_BETTER
                        : s->options->lower != NULL && g_strv_contains(s->options->lower, s->by[k]);

        s->seen_by[k] |= value.is_known;
        candidate.values[k] = lower ? -value.number : value.number;
    }
    if (!meets_conditions(s, row))
        return TRUE;
    const guint32 number = (guint32) s->n_pairs;
    g_array_append_val(s->numbers, number);
    if (!isnan(candidate.values[0]) && !isnan(candidate.values[1]))
        g_array_append_val(s->candidates, candidate);
    return TRUE;
}

/* The column, or the mean of the raters of a group, by which pages are ordered. */
static const TgPoolColumn *page_column(const TgTable *table, const char *name, gboolean *lower,
                                       GError **error)
{
    for (guint g = 0; g < table->groups->len; g++)
        if (strcmp(tg_table_group(table, g)->name, name) == 0)
            return &tg_table_group(table, g)->pool;
    const TgTableColumn *column = tg_table_find(table, name, error);
    if (column == NULL)
        return NULL;
    *lower = column->lower_is_better;
    return &column->pool;
}

/* Make candidates of the pages of each model, in place of the pairs, with the values of those of
 * their pairs that meet the conditions. */
static gboolean gather_pages(Selection *s, GError **error)
{
    const TgTableOptions how = { .lower = s->options->lower };
    g_autoptr(TgTable) table = tg_table_read(s->paths, &how, error);
    g_auto(TgTableMean) mean = { 0 };
    const TgPoolColumn *columns[2] = { NULL };
    gboolean lower[2] = { FALSE, FALSE };

    if (table == NULL || !tg_table_mean_init(&mean, table, s->options->mean, error))
        return FALSE;
    for (guint k = 0; k < 2 && s->by[k] != NULL; k++) {
        columns[k] = page_column(table, s->by[k], &lower[k], error);
        if (columns[k] == NULL)
            return FALSE;
    }
    g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
    s->pages = g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    for (guint i = 0; i < s->numbers->len; i++) {
        const guint32 row = g_array_index(s->numbers, guint32, i);
        const gsize page = (gsize) mean.group[row] * table->models->len + table->rows[row].model;
        GArray *rows = g_hash_table_lookup(known, GSIZE_TO_POINTER(page));
        if (rows == NULL) {
            rows = g_array_new(FALSE, FALSE, sizeof(guint32));
            g_hash_table_insert(known, GSIZE_TO_POINTER(page), rows);
            g_ptr_array_add(s->pages, rows);
        }
        g_array_append_val(rows, row);
    }
    g_array_set_size(s->candidates, 0);
    for (guint i = 0; i < s->pages->len; i++) {
        const GArray *rows = s->pages->pdata[i];
        g_auto(TgSelection) pairs = tg_table_select(
            table, &mean, -1, -1, (const guint32 *) (gpointer) rows->data, rows->len);
        Candidate page = { .number = i };
        for (guint k = 0; k < 2 && columns[k] != NULL; k++)
            page.values[k] = tg_pool(columns[k], &pairs) * (lower[k] ? -1 : 1);
        if (!isnan(page.values[0]) && !isnan(page.values[1]))
            g_array_append_val(s->candidates, page);
    }
    return TRUE;
}

/* Choose the first @n of the candidates, which are put in order: the worst, or those that the two
 * columns rank most differently; equal ones come in the order of their numbers. */
static void choose_candidates(Selection *s, guint n)
{
    Candidate *list = (Candidate *) (void *) s->candidates->data;

    if (s->options->disputed != NULL)
        rank_disputes(list, s->candidates->len);
    if (s->candidates->len > 1)
        qsort(list, s->candidates->len, sizeof *list, by_first_value);
    s->wanted = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < MIN(n, s->candidates->len); i++) {
        const GArray *rows = s->pages != NULL ? s->pages->pdata[list[i].number] : NULL;

        for (guint k = 0; k < (rows != NULL ? rows->len : 1); k++) {
            const guint64 number = rows != NULL ? g_array_index(rows, guint32, k) : list[i].number;
            const guint place = g_hash_table_size(s->wanted) + 1;

            g_hash_table_insert(s->wanted, GSIZE_TO_POINTER(number), GUINT_TO_POINTER(place));
        }
    }
    if (s->pages != NULL && s->options->n_pages != NULL)
        *s->options->n_pages = MIN(n, s->candidates->len);
}

/* Its last pass: keep the lines of the pairs that were chosen. */
static gboolean keep_row(Selection *s, const TgResultsRow *row, GError **error)
{
    const guint place =
        GPOINTER_TO_UINT(g_hash_table_lookup(s->wanted, GSIZE_TO_POINTER((gsize) s->n_pairs)));

    (void) error;
    if (place > 0)
        s->lines->pdata[place - 1] = line_of(s, row);
    return TRUE;
}

static gboolean select_in_order(Selection *s, GError **error)
{
    const TgSelectOptions *options = s->options;
    const guint most = options->limit > 0 ? options->limit : G_MAXUINT;

    if (!pass_rows(s, note_candidate, error))
        return FALSE;
    for (guint k = 0; k < 2 && s->n_pairs > 0; k++)
        if (s->by[k] != NULL && !s->seen_by[k])
            return tg_fail_usage(error, "no pair has a column '%s'", s->by[k]);
    g_auto(TgMean) mean = { 0 };
    if (!tg_mean_parse(options->mean != NULL ? options->mean : s->set->mean, &mean, error))
        return FALSE;
    if (mean.unit == TG_MEAN_PAGES && s->n_pairs > 0 && !gather_pages(s, error))
        return FALSE;
    choose_candidates(s, options->disputed == NULL ? MIN(most, options->worst)
                         : options->limit > 0      ? most
                                                   : DEFAULT_DISPUTED);
    g_ptr_array_set_size(s->lines, (gint) g_hash_table_size(s->wanted));
    if (!pass_rows(s, keep_row, error))
        return FALSE;
    for (guint i = 0; i < s->lines->len; i++)
        if (s->lines->pdata[i] != NULL && !write_line(s, s->lines->pdata[i], error))
            return FALSE;
    return TRUE;
}

/* ---- the whole ---- */

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
        return tg_fail_usage(error, "give either worst or disputed");
    if (options->worst > 0)
        s->by[0] = g_strdup(options->by);
    if (options->disputed != NULL) {
        g_auto(GStrv) names = g_strsplit(options->disputed, ",", -1);

        if (g_strv_length(names) != 2)
            return tg_fail_usage(error, "disputed takes two columns, A,B, not '%s'",
                                 options->disputed);
        s->by[0] = g_strdup(names[0]);
        s->by[1] = g_strdup(names[1]);
    }
    for (guint i = 0; options->lower != NULL && options->lower[i] != NULL; i++)
        if (g_strcmp0(options->lower[i], s->by[0]) != 0 &&
            g_strcmp0(options->lower[i], s->by[1]) != 0)
            return tg_fail_usage(error, "'%s' is not a column that orders the pairs",
                                 options->lower[i]);
    return TRUE;
}

/* Whether a file of the output says how all its pairs were scored: they were scored alike, and
 * their scores are written as they are. */
static gboolean can_be_results(const char *const *paths, const TgSelectOptions *options)
{
    const gboolean is_file = options->output != NULL && strcmp(options->output, "-") != 0;

    if (!is_file || options->text_width > 0 || options->form.percent || options->form.fixed)
        return FALSE;
    if (paths[0] == NULL || paths[1] == NULL)
        return TRUE;
    g_autoptr(TgResultsSet) alike = tg_results_set_new(paths, TG_RESULTS_ALIKE, FALSE, NULL);
    const TgResultsRow *row;
    TgNext next = TG_NEXT_ERROR;
    guint file;

    while (alike != NULL && (next = tg_results_set_next(alike, &row, &file, NULL)) == TG_NEXT_ROW)
        ;
    return next == TG_NEXT_END;
}

gboolean tg_select_run(const char *const *paths, const TgSelectOptions *options,
                       guint64 *n_selected, guint64 *n_pairs, GError **error)
{
    g_autoptr(TgResultsSet) set = tg_results_set_new(paths, TG_RESULTS_ANY, FALSE, error);
    g_autoptr(GPtrArray) conditions =
        g_ptr_array_new_with_free_func((GDestroyNotify) tg_condition_free);
    g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(Candidate));
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    Selection s = { .options = options,
                    .paths = paths,
                    .numbers = numbers,
                    .set = set,
                    .conditions = conditions,
                    .candidates = candidates,
                    .lines = lines,
                    .as_results = can_be_results(paths, options) };
    const gboolean is_order = options->worst > 0 || options->disputed != NULL;
    gboolean good = set != NULL && read_options(&s, error) &&
                    (!tg_results_set_needs_rows(set) || pass_rows(&s, NULL, error)) &&
                    (s.out = tg_output_open(options->output, error)) != NULL &&
                    (is_order ? select_in_order(&s, error) : pass_rows(&s, copy_row, error));

    for (guint i = 0; good && s.n_pairs > 0 && i < conditions->len; i++)
        if (!s.seen[i])
            good = tg_fail_usage(error, "no pair has a field '%s'",
                                 ((const TgCondition *) conditions->pdata[i])->field);
    if (good && s.as_results && s.n_written == 0 && set->header != NULL)
        good = write_header(&s, error);
    if (good && s.as_results && set->header != NULL)
        good = write_footer(&s, error);
    for (guint i = 0; good && options->remarks != NULL && i < set->remarks->len; i++)
        g_ptr_array_add(options->remarks, g_strdup(set->remarks->pdata[i]));
    good = good && tg_output_finish(s.out, error);
    tg_output_free(s.out);
    *n_selected = s.n_written;
    *n_pairs = s.n_pairs;
    g_free(s.by[0]);
    g_free(s.by[1]);
    g_free(s.seen);
    g_clear_pointer(&s.pages, g_ptr_array_unref);
    g_clear_pointer(&s.wanted, g_hash_table_unref);
    return good;
}
