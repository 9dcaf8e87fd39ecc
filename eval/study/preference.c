/* Preferences: shown the scores of two metrics for a pair, which one did a person find better? */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "eval/study/parts.h"

const char *const tg_study_answer_names[TG_N_ANSWERS] = { "A", "B", "both", "neither" };

/* The number of an answer: one of the four words, or a column's name; TG_N_ANSWERS for others. */
static guint answer_of(const json_t *value, const TgTableColumn *a, const TgTableColumn *b)
{
    const char *text = json_string_value(value);

    if (text == NULL)
        return TG_N_ANSWERS;
    if (g_ascii_strcasecmp(text, a->name) == 0)
        return 0;
    if (g_ascii_strcasecmp(text, b->name) == 0)
        return 1;
    for (guint i = 0; i < TG_N_ANSWERS; i++) {
        if (g_ascii_strcasecmp(text, tg_study_answer_names[i]) == 0)
            return i;
    }
    return TG_N_ANSWERS;
}

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

static void count_answers(TgStudyPreference *p, const TgTable *table)
{
    const TgTableColumn *a = tg_table_column(table, p->a), *b = tg_table_column(table, p->b);

    for (guint i = 0; i < table->n_rows; i++) {
        const json_t *value = json_object_get(table->rows[i].stored, p->field);
        const guint answer = answer_of(value, a, b);
        guint r = TG_N_SCORE_RANGES - 1;

        if (value == NULL || json_is_null(value))
            continue;
        if (answer == TG_N_ANSWERS) {
            p->n_unknown++;
            continue;
        }
        p->all.count[answer]++;
        if (isnan(a->values[i]))
            continue;
        while (r > 0 && a->values[i] < p->range[r].from)
            r--;
        p->range[r].count[answer]++;
    }
}

static gboolean add_preference(TgStudy *study, const char *text, GError **error)
{
    g_auto(GStrv) sides = g_strsplit(text, "=", 2);
    g_auto(GStrv) names = g_strv_length(sides) == 2 ? g_strsplit(sides[1], ",", -1) : NULL;
    const TgTable *table = study->table;
    TgStudyPreference *p;
    guint column[2], answers = 0;

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
    count_answers(p, table);
    for (guint i = 0; i < TG_N_ANSWERS; i++)
        answers += p->all.count[i];
    if (answers == 0)
        return tg_fail_usage(
            error, "no pair has a stored field '%s' that says A, B, both or neither", sides[0]);
    return TRUE;
}

gboolean tg_study_add_preferences(TgStudy *study, const TgStudyOptions *options, GError **error)
{
    for (guint i = 0; options->preferences != NULL && options->preferences[i] != NULL; i++) {
        if (!add_preference(study, options->preferences[i], error))
            return FALSE;
    }
    return TRUE;
}
