#include "core/option_parse.h"

#include "core/fail.h"
#include "core/number.h"
#include "core/utf8.h"

/* Write @text into the member. Returns NULL, or the values that the option takes (transfer
 * full). */
static char *assign(const TgOption *option, gpointer instance, const char *text)
{
    static const char *const bools[] = { "no", "yes", "false", "true", "off", "on", "0", "1" };
    char *member = (char *) instance + option->offset;
    double number;

    switch (option->type) {
    case TG_OPTION_BOOL:
        for (guint i = 0; i < G_N_ELEMENTS(bools); i++)
            if (g_ascii_strcasecmp(text, bools[i]) == 0) {
                *(gboolean *) (gpointer) member = (gboolean) (i % 2);
                return NULL;
            }
        return g_strdup("yes or no");
    case TG_OPTION_INT:
        if (!tg_number_parse(text, &number) || number < option->min || number > option->max ||
            number != (double) (gint) number)
            return g_strdup_printf("a whole number from %.0f to %.0f", option->min, option->max);
        *(gint *) (gpointer) member = (gint) number;
        return NULL;
    case TG_OPTION_DOUBLE:
        if (!tg_number_parse(text, &number) || number < option->min || number > option->max)
            return g_strdup_printf("a number from %g to %g", option->min, option->max);
        *(double *) (gpointer) member = number;
        return NULL;
    case TG_OPTION_CHOICE:
        for (gint i = 0; option->choices[i] != NULL; i++)
            if (strcmp(option->choices[i], text) == 0) {
                *(gint *) (gpointer) member = i;
                return NULL;
            }
        return g_strjoinv(", ", (char **) option->choices);
    case TG_OPTION_STRING:
        g_free(*(char **) (gpointer) member);
        *(char **) (gpointer) member = g_strdup(text);
        return NULL;
    case TG_OPTION_END:
        break;
    }
    g_assert_not_reached();
}

void tg_options_preset(const TgOption *table, gpointer instance)
{
    for (const TgOption *option = table; option != NULL && option->name != NULL; option++) {
        g_autofree char *wrong = assign(option, instance, option->preset);
        if (wrong != NULL)
            g_error("option '%s' is preset to '%s', not %s", option->name, option->preset, wrong);
    }
}

void tg_options_clear(const TgOption *table, gpointer instance)
{
    for (const TgOption *option = table; option != NULL && option->name != NULL; option++)
        if (option->type == TG_OPTION_STRING)
            g_clear_pointer((char **) (gpointer) ((char *) instance + option->offset), g_free);
}

gboolean tg_options_set(const TgOption *table, gpointer instance, const char *owner,
                        const char *name, const char *value, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const TgOption *option = table;

    for (; option != NULL && option->name != NULL && strcmp(option->name, name) != 0; option++)
        g_ptr_array_add(names, (gpointer) option->name);
    g_ptr_array_add(names, NULL);
    if (option == NULL || option->name == NULL) {
        const char *meant = tg_nearest_name(name, (const char *const *) names->pdata);
        g_autofree char *known = g_strjoinv(", ", (char **) names->pdata);

        return tg_fail_usage(error, "%s has no option '%s'%s%s%s; it has %s", owner, name,
                             meant != NULL ? " (did you mean '" : "", meant != NULL ? meant : "",
                             meant != NULL ? "'?)" : "", *known != '\0' ? known : "none");
    }
    g_autofree char *wanted = assign(option, instance, value);
    if (wanted != NULL)
        return tg_fail_usage(error, "%s: option '%s' cannot be '%s'; allowed is %s%s", owner, name,
                             value, option->type == TG_OPTION_CHOICE ? "one of " : "", wanted);
    return TRUE;
}

char *tg_option_text(const TgOption *option, gconstpointer instance)
{
    const char *member = (const char *) instance + option->offset;
    char number[32];

    switch (option->type) {
    case TG_OPTION_BOOL:
        return g_strdup(*(const gboolean *) (gconstpointer) member ? "yes" : "no");
    case TG_OPTION_INT:
        return g_strdup_printf("%d", *(const gint *) (gconstpointer) member);
    case TG_OPTION_DOUBLE:
        tg_number_format(*(const double *) (gconstpointer) member, number);
        return g_strdup(number);
    case TG_OPTION_CHOICE:
        return g_strdup(option->choices[*(const gint *) (gconstpointer) member]);
    case TG_OPTION_STRING:
        return g_strdup(*(char *const *) (gconstpointer) member);
    case TG_OPTION_END:
        break;
    }
    g_assert_not_reached();
}
