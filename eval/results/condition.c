/* Fields of a results row by name, and conditions on them. */
#include "eval/results/results.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/number.h"

static TgFieldValue known_json(const json_t *value)
{
    const double number = json_is_number(value) ? json_number_value(value) : NAN;

    return (TgFieldValue){ TRUE, number, json_string_value(value) };
}

TgFieldValue tg_results_field(const TgResultsRow *row, const char *name)
{
    const gint column = tg_score_layout_find_column(row->layout, name);
    const json_t *stored = json_object_get(json_object_get(row->json, "stored"), name);
    const json_t *ratings = json_object_get(json_object_get(row->json, "human"), name);
    const json_t *status = json_object_get(row->json, "status");
    const struct {
        const char *name, *text;
    } own[] = { { "id", row->id }, { "model", row->model }, { "subset", row->subset } };

    if (column >= 0)
        return (TgFieldValue){ TRUE, row->scores.columns[column], NULL };
    if (stored != NULL)
        return known_json(stored);
    if (ratings != NULL) {
        double sum = 0.0;
        guint n = 0;

        for (guint i = 0; i < json_array_size(ratings); i++) {
            const json_t *rating = json_array_get(ratings, i);

            sum += json_number_value(rating);
            n += json_is_number(rating);
        }
        return (TgFieldValue){ TRUE, n > 0 ? sum / n : NAN, NULL };
    }
    for (guint i = 0; i < G_N_ELEMENTS(own); i++)
        if (strcmp(name, own[i].name) == 0)
            return (TgFieldValue){ TRUE, NAN, own[i].text };
    if (g_str_has_prefix(name, "status.")) {
        const json_t *text = json_object_get(status, name + strlen("status."));

        if (text != NULL)
            return known_json(text);
    }
    return (TgFieldValue){ FALSE, NAN, NULL };
}

const char **tg_results_refs(const TgResultsRow *row, guint *n)
{
    const json_t *list = json_object_get(row->json, "gt");
    const char **refs = g_new0(const char *, json_array_size(list) + 1);

    *n = 0;
    for (gsize i = 0; i < json_array_size(list); i++)
        if (json_is_string(json_array_get(list, i)))
            refs[(*n)++] = json_string_value(json_array_get(list, i));
    return refs;
}

/* Outcomes when a value is compared with that of a condition; operators are sets of these. */
enum { LESS = 1, EQUAL = 2, MORE = 4, UNEQUAL = LESS | MORE };

static const struct {
    const char *sign;
    guint holds;
} operators[] = {
    /* longer ones first: "<=" ends in "=" */
    { "<=", LESS | EQUAL }, { ">=", MORE | EQUAL }, { "==", EQUAL }, { "!=", UNEQUAL },
    { "<", LESS },          { ">", MORE },          { "=", EQUAL },
};

TgCondition *tg_condition_new(const char *text, GError **error)
{
    g_autoptr(TgCondition) condition = g_new0(TgCondition, 1);

    /* The last operator counts: columns may be called "bleu:order=2". */
    for (gsize end = strlen(text); end > 0 && condition->field == NULL; end--)
        for (guint i = 0; i < G_N_ELEMENTS(operators) && condition->field == NULL; i++) {
            const gsize n = strlen(operators[i].sign);

            if (n > end || strncmp(text + end - n, operators[i].sign, n) != 0)
                continue;
            condition->holds = operators[i].holds;
            condition->field = g_strstrip(g_strndup(text, end - n));
            condition->text = g_strstrip(g_strdup(text + end));
        }
    if (condition->field == NULL || *condition->field == '\0' || *condition->text == '\0')
        return tg_null_usage(
            error,
            "'%s' is not a condition; write FIELD OP VALUE, where OP is one of < <= > >= == = !=",
            text);
    condition->is_null = strcmp(condition->text, "null") == 0;
    if (!tg_number_parse(condition->text, &condition->number))
        condition->number = NAN;
    if (condition->holds != EQUAL && condition->holds != UNEQUAL && isnan(condition->number))
        return tg_null_usage(error, "'%s' compares with '%s', which is not a number", text,
                             condition->text);
    return g_steal_pointer(&condition);
}

void tg_condition_free(TgCondition *condition)
{
    if (condition == NULL)
        return;
    g_free(condition->field);
    g_free(condition->text);
    g_free(condition);
}

gboolean tg_condition_holds(const TgCondition *condition, const TgFieldValue *value)
{
    const gboolean undefined = value->text == NULL && isnan(value->number);
    const gboolean is_order = condition->holds != EQUAL && condition->holds != UNEQUAL;
    const gboolean equal = value->text != NULL ? strcmp(value->text, condition->text) == 0
                                               : value->number == condition->number;

    if (condition->is_null)
        return undefined == (condition->holds == EQUAL);
    if (undefined || (is_order && value->text != NULL))
        return FALSE;
    return (condition->holds & (equal                               ? EQUAL
                                : value->number < condition->number ? LESS
                                                                    : MORE)) != 0;
}
