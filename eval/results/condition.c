#include "eval/results/condition.h"

#include <math.h>
#include <string.h>

#include "core/number.h"

static TgFieldValue known_text(const char *text)
{
    return (TgFieldValue){ TRUE, NAN, text };
}

static TgFieldValue known_json(const json_t *value)
{
    if (json_is_number(value))
        return (TgFieldValue){ TRUE, json_number_value(value), NULL };
    return known_text(json_string_value(value));
}

static TgFieldValue mean_rating(const json_t *scores)
{
    double sum = 0.0;
    guint n = 0;

    for (guint i = 0; i < json_array_size(scores); i++) {
        const json_t *score = json_array_get(scores, i);

        sum += json_is_number(score) ? json_number_value(score) : 0.0;
        n += json_is_number(score);
    }
    return (TgFieldValue){ TRUE, n > 0 ? sum / n : NAN, NULL };
}

TgFieldValue tg_results_field(const TgScoreLayout *layout, const TgResultsRow *row,
                              const char *name)
{
    const gint column = tg_score_layout_find_column(layout, name);
    const json_t *stored = json_object_get(json_object_get(row->json, "stored"), name);
    const json_t *ratings = json_object_get(json_object_get(row->json, "human"), name);
    const json_t *status = json_object_get(row->json, "status");

    if (column >= 0)
        return (TgFieldValue){ TRUE, row->scores.columns[column], NULL };
    if (stored != NULL)
        return known_json(stored);
    if (ratings != NULL)
        return mean_rating(ratings);
    if (strcmp(name, "id") == 0)
        return known_text(row->id);
    if (strcmp(name, "model") == 0)
        return known_text(row->model);
    if (strcmp(name, "subset") == 0)
        return known_text(row->subset);
    if (g_str_has_prefix(name, "status.")) {
        const json_t *text = json_object_get(status, name + strlen("status."));

        if (text != NULL)
            return known_json(text);
    }
    return (TgFieldValue){ FALSE, NAN, NULL };
}

typedef enum {
    LESS,
    AT_MOST,
    MORE,
    AT_LEAST,
    EQUAL,
    UNEQUAL,
} Operator;

struct TgCondition {
    char *field;
    Operator operator;
    char *text;       /* as written */
    gboolean is_null; /* the text is null */
    double number;    /* NaN where the text is not one */
};

static const struct {
    const char *sign;
    Operator operator;
} operators[] = {
    /* longer ones first: "<=" ends in "=" */
    { "<=", AT_MOST }, { ">=", AT_LEAST }, { "==", EQUAL }, { "!=", UNEQUAL },
    { "<", LESS },     { ">", MORE },      { "=", EQUAL },
};

/* The operator that ends at @end (its last character), or NULL. */
static const char *operator_before(const char *start, const char *end, Operator *out)
{
    for (guint i = 0; i < G_N_ELEMENTS(operators); i++) {
        const gsize length = strlen(operators[i].sign);

        if ((gsize) (end + 1 - start) < length)
            continue;
        if (strncmp(end + 1 - length, operators[i].sign, length) == 0) {
            *out = operators[i].operator;
            return end + 1 - length;
        }
    }
    return NULL;
}

TgCondition *tg_condition_new(const char *text, GError **error)
{
    g_autoptr(TgCondition) condition = g_new0(TgCondition, 1);
    const char *last = text + strlen(text), *sign = NULL;

    /* The last operator counts: columns may be called "bleu:order=2". */
    while (sign == NULL && last > text)
        sign = operator_before(text, --last, &condition->operator);
    if (sign != NULL) {
        condition->field = g_strstrip(g_strndup(text, (gsize) (sign - text)));
        condition->text = g_strstrip(g_strdup(last + 1));
    }
    if (sign == NULL || *condition->field == '\0' || *condition->text == '\0') {
        g_set_error(
            error, TG_ERROR, TG_ERROR_USAGE,
            "'%s' is not a condition; write FIELD OP VALUE, where OP is one of < <= > >= == = !=",
            text);
        return NULL;
    }
    condition->is_null = strcmp(condition->text, "null") == 0;
    if (!tg_number_parse(condition->text, &condition->number))
        condition->number = NAN;
    if (condition->operator!= EQUAL && condition->operator!= UNEQUAL && isnan(condition->number)) {
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                    "'%s' compares with '%s', which is not a number", text, condition->text);
        return NULL;
    }
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

const char *tg_condition_field(const TgCondition *condition)
{
    return condition->field;
}

gboolean tg_condition_holds(const TgCondition *condition, const TgFieldValue *value)
{
    const gboolean undefined = value->text == NULL && isnan(value->number);
    gboolean equal;

    if (condition->is_null)
        return undefined == (condition->operator== EQUAL);
    if (undefined)
        return FALSE;
    if (value->text != NULL)
        equal = strcmp(value->text, condition->text) == 0;
    else
        equal = value->number == condition->number;
    switch (condition->operator) {
    case LESS:
        return value->number < condition->number;
    case AT_MOST:
        return value->number <= condition->number;
    case MORE:
        return value->number > condition->number;
    case AT_LEAST:
        return value->number >= condition->number;
    case EQUAL:
        return equal;
    case UNEQUAL:
        return !equal;
    }
    g_return_val_if_reached(FALSE);
}
