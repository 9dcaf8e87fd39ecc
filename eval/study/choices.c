/* Human choices beside scores: which of two metrics people prefer, and spellings of one formula. */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/json.h"
#include "eval/study/private.h"

/* ---- shown two metrics' scores of a pair, which one did a person find better? ---- */

static const char *const answer_names[TG_N_ANSWERS] = { "A", "B", "both", "neither" };

/* Ranges of equal width over 0 to 1, or over the values where they go beyond. */
static void set_ranges(TgStudyPreference *p, const TgTable *table)
{
    const double *values = tg_table_column(table, p->a)->values;
    double low = 0.0, high = 1.0;

    for (guint i = 0; i < table->n_rows; i++) {
        low = MIN(low, isnan(values[i]) ? low : values[i]);
        high = MAX(high, isnan(values[i]) ? high : values[i]);
    }
    p->all.from = low;
    p->all.to = high;
    for (guint r = 0; r < TG_N_SCORE_RANGES; r++) {
        p->range[r].from = low + (high - low) * r / TG_N_SCORE_RANGES;
        p->range[r].to = low + (high - low) * (r + 1) / TG_N_SCORE_RANGES;
    }
}

/* An answer is one of the four words, or a column's name. How many are there. */
static guint count_answers(TgStudyPreference *p, const TgTable *table)
{
    const TgTableColumn *columns[] = { tg_table_column(table, p->a), tg_table_column(table, p->b) };
    guint n = 0;

    for (guint i = 0; i < table->n_rows; i++) {
        const json_t *value = json_object_get(table->rows[i].stored, p->field);
        const char *text = json_is_string(value) ? json_string_value(value) : "";
        const double score = columns[0]->values[i];
        guint answer = 0, r = TG_N_SCORE_RANGES - 1;

        if (value == NULL || json_is_null(value))
            continue;
        while (answer < TG_N_ANSWERS && g_ascii_strcasecmp(text, answer_names[answer]) != 0 &&
               (answer > 1 || g_ascii_strcasecmp(text, columns[answer]->name) != 0))
            answer++;
        if (answer == TG_N_ANSWERS) {
            p->n_unknown++;
            continue;
        }
        p->all.count[answer]++;
        n++;
        while (r > 0 && score < p->range[r].from)
            r--;
        if (!isnan(score))
            p->range[r].count[answer]++;
    }
    return n;
}

static gboolean add_preference(TgStudy *study, const char *text, GError **error)
{
    g_auto(GStrv) sides = g_strsplit(text, "=", 2);
    g_auto(GStrv) names = g_strv_length(sides) == 2 ? g_strsplit(sides[1], ",", -1) : NULL;
    const TgTable *table = study->table;
    TgStudyPreference *p;
    guint column[2];

    if (names == NULL || g_strv_length(names) != 2)
        return tg_fail_usage(error, "a preference is FIELD=A,B with two columns, not '%s'", text);
    for (guint i = 0; i < 2; i++) {
        const TgTableColumn *found = tg_table_find(table, names[i], error);

        if (found == NULL || !g_ptr_array_find(table->columns, found, &column[i]))
            return FALSE;
    }
    p = g_new0(TgStudyPreference, 1);
    g_ptr_array_add(study->preferences, p);
    p->field = g_string_chunk_insert(table->texts, sides[0]);
    p->a = column[0];
    p->b = column[1];
    set_ranges(p, table);
    return count_answers(p, table) > 0 ||
           tg_fail_usage(error, "no pair has a stored field '%s' that says A, B, both or neither",
                         sides[0]);
}

gboolean tg_study_add_preferences(TgStudy *study, const TgStudyOptions *options, GError **error)
{
    for (guint i = 0; options->preferences != NULL && options->preferences[i] != NULL; i++) {
        if (!add_preference(study, options->preferences[i], error))
            return FALSE;
    }
    return TRUE;
}

static void put_answers(TgGrid *grid, const char *range, const TgStudyAnswers *answers)
{
    guint n = 0;

    for (guint i = 0; i < TG_N_ANSWERS; i++)
        n += answers->count[i];
    tg_grid_put(grid, range);
    tg_grid_put_count(grid, n);
    tg_grid_put_number(grid, answers->from, TG_STUDY_DIGITS);
    tg_grid_put_number(grid, answers->to, TG_STUDY_DIGITS);
    for (guint i = 0; i < TG_N_ANSWERS; i++) {
        tg_grid_put_count(grid, answers->count[i]);
        tg_grid_put_number(grid, n > 0 ? (double) answers->count[i] / n : NAN, TG_STUDY_DIGITS);
    }
}

/* The ranges of scores, and all pairs last. (transfer full) */
static TgGrid *preference_grid(const TgStudyWriter *w, const TgStudyPreference *p)
{
    const char *const heads[] = { tg_study_column_name(w->study, p->a),
                                  tg_study_column_name(w->study, p->b), answer_names[2],
                                  answer_names[3] };
    g_autofree char *title = g_strdup_printf("Preferred by people: %s", p->field);
    g_autofree char *range_head = g_strdup_printf("score of %s", heads[0]);
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_head(grid, range_head);
    tg_grid_head(grid, "pairs");
    tg_grid_column(grid, NULL, NULL, "from");
    tg_grid_column(grid, NULL, NULL, "to");
    for (guint i = 0; i < TG_N_ANSWERS; i++) {
        tg_grid_column(grid, NULL, NULL, answer_names[i]);
        tg_grid_head(grid, heads[i]);
    }
    for (guint r = 0; r < TG_N_SCORE_RANGES; r++) {
        char low[32], high[32];
        g_autofree char *range =
            g_strdup_printf("%s to %s", g_ascii_formatd(low, sizeof low, "%.4g", p->range[r].from),
                            g_ascii_formatd(high, sizeof high, "%.4g", p->range[r].to));

        put_answers(grid, range, &p->range[r]);
    }
    put_answers(grid, "all", &p->all);
    if (p->n_unknown > 0)
        tg_grid_note(grid, "%u pairs with another answer than A, B, both, neither are left out",
                     p->n_unknown);
    return grid;
}

void tg_study_write_preferences(TgStudyWriter *w)
{
    json_t *list = w->form->style == TG_GRID_JSON ? json_array() : NULL;

    for (guint i = 0; i < w->study->preferences->len; i++) {
        const TgStudyPreference *p = w->study->preferences->pdata[i];

        if (list == NULL) {
            g_ptr_array_add(w->grids, preference_grid(w, p));
            continue;
        }
        g_autoptr(TgGrid) grid = preference_grid(w, p);
        json_t *ranges = tg_grid_rows_json(grid, w->form);
        json_t *all = json_incref(json_array_get(ranges, TG_N_SCORE_RANGES));
        json_array_remove(ranges, TG_N_SCORE_RANGES);
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:i, s:o, s:o}", "field", tg_json_text(p->field), "a",
                            tg_json_text(tg_study_column_name(w->study, p->a)), "b",
                            tg_json_text(tg_study_column_name(w->study, p->b)), "unknown",
                            (int) p->n_unknown, "all", all, "ranges", ranges));
    }
    if (list != NULL)
        json_object_set_new(w->json, "preferences", list);
}

/* ---- does a metric give the same score to every spelling of a formula? ---- */

static char *group_name(const TgTable *table, const char *field, guint row)
{
    const json_t *value = json_object_get(table->rows[row].stored, field);

    if (json_is_integer(value))
        return g_strdup_printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return g_strdup(json_string_value(value));
}

/* The rows that name one group by text or number, in the order of their first row. (transfer full)
 * (element-type GArray<guint>) */
static GPtrArray *group_rows(const TgTable *table, const char *field)
{
    GPtrArray *groups = g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    g_autoptr(GHashTable) by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = 0; i < table->n_rows; i++) {
        char *name = group_name(table, field, i);
        GArray *rows = name != NULL ? g_hash_table_lookup(by_name, name) : NULL;

        if (name == NULL)
            continue;
        if (rows == NULL) {
            rows = g_array_new(FALSE, FALSE, sizeof(guint));
            g_ptr_array_add(groups, rows);
        }
        g_array_append_val(rows, i);
        g_hash_table_replace(by_name, name, rows);
    }
    return groups;
}

/* Highest less lowest, and standard deviation, of the defined values; FALSE for fewer than two. */
static gboolean spread_of(const TgTableColumn *column, const GArray *group, double *range,
                          double *deviation)
{
    double low = INFINITY, high = -INFINITY, sum = 0.0, squares = 0.0;
    guint n = 0;

    for (guint i = 0; i < group->len; i++) {
        const double value = column->values[g_array_index(group, guint, i)];

        if (isnan(value))
            continue;
        low = MIN(low, value);
        high = MAX(high, value);
        sum += value;
        n++;
    }
    if (n < 2)
        return FALSE;
    for (guint i = 0; i < group->len; i++) {
        const double d = column->values[g_array_index(group, guint, i)] - sum / n;

        squares += isnan(d) ? 0.0 : d * d;
    }
    *range = high - low;
    *deviation = high > low ? sqrt(squares / (n - 1)) : 0.0;
    return TRUE;
}

static void add_spellings_of(TgStudy *study, const char *field, const GPtrArray *groups,
                             guint column)
{
    TgStudySpellings *out = g_new0(TgStudySpellings, 1);
    const GArray *worst = NULL;
    double range, deviation;

    out->field = g_string_chunk_insert(study->table->texts, field);
    out->column = column;
    out->metric = tg_study_column_name(study, column);
    for (guint g = 0; g < groups->len; g++) {
        const GArray *group = groups->pdata[g];

        if (!spread_of(tg_table_column(study->table, column), group, &range, &deviation))
            continue;
        if (out->n_groups == 0 || range > out->largest_spread) {
            out->largest_spread = range;
            worst = group;
        }
        out->n_groups++;
        out->n_invariant += range == 0.0;
        out->mean_spread += range;
        out->mean_deviation += deviation;
    }
    if (worst != NULL) {
        g_autofree char *name = group_name(study->table, field, g_array_index(worst, guint, 0));

        out->worst_group = g_string_chunk_insert(study->table->texts, name);
    }
    out->mean_spread /= out->n_groups; /* NaN of no group */
    out->mean_deviation /= out->n_groups;
    out->largest_spread = worst != NULL ? out->largest_spread : NAN;
    g_ptr_array_add(study->spellings, out);
}

gboolean tg_study_add_spellings(TgStudy *study, const TgStudyOptions *options, GError **error)
{
    for (guint i = 0; options->spellings != NULL && options->spellings[i] != NULL; i++) {
        const char *field = options->spellings[i];
        g_autoptr(GPtrArray) groups = group_rows(study->table, field);

        if (groups->len == 0)
            return tg_fail_usage(
                error, "no pair has a stored field '%s' that names its group of spellings", field);
        for (guint c = 0; c < study->table->columns->len; c++)
            add_spellings_of(study, field, groups, c);
    }
    return TRUE;
}

void tg_study_write_spellings(TgStudyWriter *w)
{
#define OF(member) G_STRUCT_OFFSET(TgStudySpellings, member)
    enum { D = TG_STUDY_DIGITS };
    static const TgGridColumn columns[] = {
        { "groups by", "groups by", "field", TG_GRID_TEXT, OF(field) },
        { "metric", "metric", "metric", TG_GRID_TEXT, OF(metric) },
        { "widest group", "widest group", NULL, TG_GRID_TEXT, OF(worst_group) },
        { "groups", "groups", "groups", TG_GRID_COUNT, OF(n_groups) },
        { "constant", "constant", "constant", TG_GRID_COUNT, OF(n_invariant) },
        { "mean spread", "mean spread", "mean_spread", TG_GRID_NUMBER, OF(mean_spread), D },
        { "largest spread", "largest spread", "largest_spread", TG_GRID_NUMBER, OF(largest_spread),
          D },
        { "mean deviation", "mean deviation", "mean_deviation", TG_GRID_NUMBER, OF(mean_deviation),
          D },
        { NULL, NULL, "widest_group", TG_GRID_NAME, OF(worst_group) },
    };
#undef OF
    TgGrid *grid = tg_grid_new("Spread over spellings of one formula", 3);

    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < w->study->spellings->len; i++) {
        const TgStudySpellings *s = w->study->spellings->pdata[i];

        if (tg_study_for_programs(w) ||
            (tg_study_shows(w->study, s->column) && strcmp(s->field, s->metric) != 0))
            tg_grid_row(grid, columns, G_N_ELEMENTS(columns), s, FALSE);
    }
    tg_study_keep_grid(w, grid, "spellings");
}
