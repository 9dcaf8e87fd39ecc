#include "core/args.h"

#include <stdio.h>
#include <string.h>

#include "core/fail.h"
#include "core/json.h"
#include "core/number.h"

/* A text that lives as long as the pool. */
static char *keep_text(GPtrArray *pool, char *text)
{
    g_ptr_array_add(pool, text);
    return text;
}

static void append_value(const char *const **list, const char *text, GPtrArray *pool)
{
    const guint n = *list != NULL ? g_strv_length((char **) *list) : 0;
    const char **longer = g_new0(const char *, n + 2);

    if (n > 0)
        memcpy(longer, *list, n * sizeof *longer);
    if (text != NULL)
        longer[n] = keep_text(pool, g_strdup(text));
    g_ptr_array_add(pool, longer);
    *list = longer;
}

static gboolean set_number(const TgArg *arg, gpointer member, const char *text, GError **error)
{
    const gboolean whole = arg->kind == TG_ARG_COUNT;
    const double max = arg->max > 0 ? arg->max : whole ? G_MAXINT : G_MAXDOUBLE;
    double number;

    if (tg_number_parse(text, &number) && number >= arg->min && number <= max &&
        (!whole || number == (double) (guint) number)) {
        if (whole)
            *(guint *) member = (guint) number;
        else
            *(double *) member = number;
        return TRUE;
    }
    const char *what = whole ? "whole number" : "number";
    if (arg->max > 0)
        return tg_fail_usage(error, "%s takes a %s from %g to %g, not '%s'", arg->name, what,
                             arg->min, arg->max, text);
    return tg_fail_usage(error, "%s takes a %s that is not negative, not '%s'", arg->name, what,
                         text);
}

gboolean tg_arg_set(const TgArg *arg, gpointer values, const char *text, GPtrArray *pool,
                    GError **error)
{
    gpointer member = (char *) values + arg->offset;
    g_auto(GStrv) names = NULL;
    g_autofree char *all = NULL;
    const char **line = member;
    guint *shard = member;
    char rest;

    switch (arg->kind) {
    case TG_ARG_FLAG:
        *(gboolean *) member = TRUE;
        return TRUE;
    case TG_ARG_TEXT:
    case TG_ARG_FILE:
        *line = keep_text(pool, g_strdup(text));
        return TRUE;
    case TG_ARG_JOINED:
        *line =
            keep_text(pool, *line != NULL ? g_strconcat(*line, ",", text, NULL) : g_strdup(text));
        return TRUE;
    case TG_ARG_LIST:
        append_value(member, text, pool);
        return TRUE;
    case TG_ARG_NAMES:
        names = g_strsplit(text, ",", -1);
        append_value(member, names[0], pool);
        for (guint i = 1; names[0] != NULL && names[i] != NULL; i++)
            append_value(member, names[i], pool);
        return TRUE;
    case TG_ARG_COUNT:
    case TG_ARG_NUMBER:
        return set_number(arg, member, text, error);
    case TG_ARG_LEVEL:
        return (tg_number_parse(text, member) && *(double *) member > 0 &&
                *(double *) member < 1) ||
               tg_fail_usage(error, "%s must be between 0 and 1, not '%s'", arg->name, text);
    case TG_ARG_SEED:
        return g_ascii_string_to_unsigned(text, 10, (guint64) arg->min, G_MAXINT64, member, NULL) ||
               tg_fail_usage(error, "%s takes a whole number from %g, not '%s'", arg->name,
                             arg->min, text);
    case TG_ARG_CHOICE:
        for (gint i = 0; arg->choices[i] != NULL; i++)
            if (strcmp(arg->choices[i], text) == 0) {
                *(gint *) member = i;
                return TRUE;
            }
        all = g_strjoinv(", ", (char **) arg->choices);
        return tg_fail_usage(error, "%s must be one of %s; not '%s'", arg->name, all, text);
    case TG_ARG_SHARD:
        return (sscanf(text, "%6u/%6u%c", &shard[0], &shard[1], &rest) == 2 && shard[0] >= 1 &&
                shard[0] <= shard[1]) ||
               tg_fail_usage(error, "%s takes K/N with 1 <= K <= N, not '%s'", arg->name, text);
    case TG_ARG_END:
    case TG_ARG_TABLE:
        break;
    }
    g_assert_not_reached();
}

static void append_rows(GArray *rows, const TgArg *table, gsize offset)
{
    for (const TgArg *arg = table; arg->kind != TG_ARG_END; arg++) {
        TgArg row = *arg;

        row.offset += offset;
        if (arg->kind == TG_ARG_TABLE)
            append_rows(rows, arg->table, row.offset);
        else
            g_array_append_val(rows, row);
    }
}

TgArg *tg_args_flatten(const TgArg *table)
{
    GArray *rows = g_array_new(TRUE, TRUE, sizeof(TgArg)); /* the row after the last is zero */

    append_rows(rows, table, 0);
    return (TgArg *) (gpointer) g_array_free(rows, FALSE);
}

void tg_args_preset(const TgArg *rows, gpointer values, GPtrArray *pool)
{
    for (const TgArg *arg = rows; arg->kind != TG_ARG_END; arg++)
        if (arg->preset != NULL && !tg_arg_set(arg, values, arg->preset, pool, NULL))
            g_error("'%s' is not a value of --%s", arg->preset, arg->name);
}

/* The value of an option in the form of a header; NULL where it is zero. (transfer full) */
static json_t *recorded_value(const TgArg *arg, gconstpointer member)
{
    if (arg->kind == TG_ARG_CHOICE) {
        const gint choice = *(const gint *) member;
        return choice != 0 || arg->preset != NULL ? json_string(arg->choices[choice]) : NULL;
    }
    if (arg->kind == TG_ARG_TEXT) {
        const char *text = *(const char *const *) member;
        return text != NULL ? tg_json_text(text) : NULL;
    }
    /* no option of another kind changes numbers so far */
    g_assert(arg->kind == TG_ARG_COUNT || arg->kind == TG_ARG_NUMBER);
    const double number =
        arg->kind == TG_ARG_COUNT ? *(const guint *) member : *(const double *) member;
    return number != 0 ? tg_json_number(number) : NULL;
}

json_t *tg_args_record(const TgArg *table, gconstpointer values)
{
    g_autofree TgArg *rows = tg_args_flatten(table);
    json_t *record = json_object();

    for (const TgArg *arg = rows; arg->kind != TG_ARG_END; arg++) {
        json_t *value =
            arg->recorded != NULL ? recorded_value(arg, (const char *) values + arg->offset) : NULL;
        if (value != NULL)
            json_object_set_new(record, arg->recorded, value);
    }
    return record;
}

gboolean tg_args_restore(const TgArg *table, gpointer values, const json_t *record, GPtrArray *pool,
                         GError **error)
{
    g_autofree TgArg *rows = tg_args_flatten(table);

    for (const TgArg *arg = rows; arg->kind != TG_ARG_END; arg++) {
        const json_t *value = arg->recorded != NULL ? json_object_get(record, arg->recorded) : NULL;
        g_autofree char *number =
            json_is_number(value) ? g_strdup_printf("%.17g", json_number_value(value)) : NULL;
        const char *text = json_is_string(value) ? json_string_value(value) : number;

        if (value != NULL && !tg_arg_set(arg, values, text != NULL ? text : "", pool, error))
            return FALSE;
    }
    return TRUE;
}
