/* texgauge metrics: lists the metrics. */
#include "cli/cli.h"

#include <math.h>

#include "eval/grid/grid.h"
#include "metrics/metric.h"

/* Columns of the page where the explanations of columns and options begin. */
enum { COLUMN_INDENT = 29, OPTION_INDENT = 30 };

static const char *const pooling_names[] = { "mean", "sum", "stats" };
G_STATIC_ASSERT(G_N_ELEMENTS(pooling_names) == TG_POOL_STATS + 1);
static const char *const undefined_names[] = { "worst", "worst", "skip", "stop" };
G_STATIC_ASSERT(G_N_ELEMENTS(undefined_names) == TG_UNDEFINED_STOP + 1);
static const char *const type_names[] = { "", "yes|no", "integer", "number", "choice", "text" };
G_STATIC_ASSERT(G_N_ELEMENTS(type_names) == TG_OPTION_STRING + 1);

static json_t *bound_json(double bound)
{
    return fabs(bound) == G_MAXDOUBLE ? json_null() : json_real(bound);
}

static json_t *columns_json(const TgMetricInfo *info)
{
    json_t *list = json_array();

    for (const TgColumn *column = info->columns; column->name != NULL; column++)
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:o, s:o, s:s, s:s}", "name", column->name, "better",
                            column->direction == TG_HIGHER_IS_BETTER ? "higher" : "lower", "min",
                            bound_json(column->min), "max", bound_json(column->max), "pooling",
                            pooling_names[column->pooling], "help", column->help));
    return list;
}

static json_t *options_json(const TgMetricInfo *info)
{
    json_t *list = json_array();

    for (const TgOption *option = info->options; option != NULL && option->name != NULL; option++) {
        json_t *entry =
            json_pack("{s:s, s:s, s:s, s:s}", "name", option->name, "type",
                      type_names[option->type], "default", option->preset, "help", option->help);
        if (option->type == TG_OPTION_INT || option->type == TG_OPTION_DOUBLE) {
            json_object_set_new(entry, "min", json_real(option->min));
            json_object_set_new(entry, "max", json_real(option->max));
        }
        if (option->type == TG_OPTION_CHOICE) {
            json_t *choices = json_array();
            for (guint i = 0; option->choices[i] != NULL; i++)
                json_array_append_new(choices, json_string(option->choices[i]));
            json_object_set_new(entry, "choices", choices);
        }
        json_array_append_new(list, entry);
    }
    return list;
}

static int print_json(const TgMetricInfo *const *list, guint n)
{
    json_t *all = json_array();

    for (guint i = 0; i < n; i++) {
        const TgMetricInfo *info = list[i];

        json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s, s:o, s:o}", "name",
                                             info->name, "version", info->version, "summary",
                                             info->summary, "citation", info->citation, "plugin",
                                             tg_registry_origin(info), "undefined",
                                             undefined_names[info->undefined], "columns",
                                             columns_json(info), "options", options_json(info)));
    }
    return cli_print_json(all, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
}

static void append_range(GString *out, double min, double max)
{
    g_autofree char *low = min == -G_MAXDOUBLE ? g_strdup("-inf") : g_strdup_printf("%g", min);
    g_autofree char *high = max == G_MAXDOUBLE ? g_strdup("inf") : g_strdup_printf("%g", max);

    g_string_append_printf(out, "%s..%s", low, high);
}

static void append_option(GString *page, const TgOption *option)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_autofree char *head = g_strdup_printf("%s=%s", option->name, option->preset);

    g_string_append_printf(out, "    :%-24s %s", head, option->help);
    if (option->type == TG_OPTION_CHOICE) {
        g_autofree char *choices = g_strjoinv(", ", (char **) option->choices);
        g_string_append_printf(out, " (%s)", choices);
    } else if (option->type == TG_OPTION_INT || option->type == TG_OPTION_DOUBLE) {
        g_string_append(out, " (");
        append_range(out, option->min, option->max);
        g_string_append(out, ")");
    } else if (option->type == TG_OPTION_BOOL) {
        g_string_append(out, " (yes|no)");
    }
    tg_wrap_append(page, out->str, OPTION_INDENT, cli_width());
}

static void append_metric(GString *out, const TgMetricInfo *info)
{
    const char *origin = tg_registry_origin(info);
    g_autofree char *head =
        g_strdup_printf("%s (version %s)  %s", info->name, info->version, info->summary);

    tg_wrap_append(out, head, 4, cli_width());
    if (origin != NULL)
        g_string_append_printf(out, "    from the plugin %s\n", origin);
    for (const TgColumn *column = info->columns; column->name != NULL; column++) {
        const gboolean headline = column == info->columns;
        g_autofree char *name =
            g_strconcat(headline ? "" : ".", column->name,
                        column->direction == TG_HIGHER_IS_BETTER ? " ↑ " : " ↓ ", NULL);
        g_autoptr(GString) range = g_string_new(NULL);

        append_range(range, column->min, column->max);
        g_autofree char *line =
            g_strdup_printf("    %-18s %-7s %s", name, range->str, column->help);
        tg_wrap_append(out, line, COLUMN_INDENT, cli_width());
    }
    for (const TgOption *option = info->options; option != NULL && option->name != NULL; option++)
        append_option(out, option);
    g_string_append_printf(out, "    a pair that cannot be scored: %s\n    %s\n\n",
                           undefined_names[info->undefined], info->citation);
}

/* Sets are metrics as users see them: names for --metrics. */
static void append_sets(GString *out)
{
    guint n;
    const TgMetricSet *sets = tg_metric_sets(&n);

    g_string_append(out, "sets: names for several metrics, such as --metrics text\n");
    for (guint i = 0; i < n; i++) {
        g_string_append_printf(out, "    %-14s %s%s\n", sets[i].name, sets[i].summary,
                               sets[i].specs != NULL ? ":" : "");
        if (sets[i].specs == NULL)
            continue;
        g_auto(GStrv) specs = g_strsplit(sets[i].specs, ",", -1);
        g_autofree char *list = g_strjoinv(cli_width() > 0 ? ", " : ",", specs);
        g_string_append(out, "        ");
        tg_wrap_append(out, list, 8, cli_width());
    }
}

static const TgArg args[] = {
    { "json", TG_ARG_FLAG, 0, "print JSON" },
    { 0 },
};

static int run(CliCall *call)
{
    const gboolean *as_json = call->values;
    char **names = call->words;
    guint n, n_shown = 0;
    g_autofree const TgMetricInfo **list = tg_registry_list(&n);
    GError *error = NULL;

    for (guint i = 0; names[i] != NULL; i++)
        if (tg_metric_find_info(names[i], &error) == NULL)
            return cli_fail(error);
    for (guint i = 0; i < n; i++)
        if (*names == NULL || g_strv_contains((const char *const *) names, list[i]->name))
            list[n_shown++] = list[i];
    if (*as_json)
        return print_json(list, n_shown);

    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < n_shown; i++)
        append_metric(text, list[i]);
    if (*names == NULL)
        append_sets(text);
    return cli_print(text->str);
}

const CliCommand cmd_metrics = {
    "metrics",
    "list the metrics with their columns and options",
    "[NAME...]",
    "Each column has its range and an arrow: ↑ higher is better, ↓ lower is better. The first "
    "column is the metric's main one; the others are called LABEL.COLUMN in results. Each "
    "option has its default.",
    "texgauge metrics bleu\n"
    "texgauge metrics --json | jq '.[].name'",
    NULL,
    args,
    sizeof(gboolean),
    .run = run,
};
