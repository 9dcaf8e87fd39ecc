/* texgauge explain: explains the score that a metric gives a pair, as text, JSON or picture. */
#include "cli/cli.h"
#include "metrics/metric.h"

#include "eval/explain/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/file.h"

enum { DEFAULT_WIDTH = 100 };

typedef struct {
    char *metric;
    char *color;
    char *output;
    char *input, *format, *id, *model;
    gint64 row;
    gint width;
    gboolean json;
} CliExplainArgs;

static void explain_args_clear(CliExplainArgs *args)
{
    g_free(args->metric);
    g_free(args->color);
    g_free(args->output);
    g_free(args->input);
    g_free(args->format);
    g_free(args->id);
    g_free(args->model);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliExplainArgs, explain_args_clear)

/* The width of the terminal on stdout, or DEFAULT_WIDTH. */
static guint terminal_width(void)
{
    struct winsize size;

    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return DEFAULT_WIDTH;
}

/* Colours are for terminals, unless the user has set NO_COLOR (no-color.org). */
static gboolean wants_colors(const char *color, gboolean *colors)
{
    const char *off = g_getenv("NO_COLOR");

    if (color == NULL || strcmp(color, "auto") == 0)
        *colors = isatty(STDOUT_FILENO) && (off == NULL || *off == '\0');
    else if (strcmp(color, "always") == 0 || strcmp(color, "never") == 0)
        *colors = strcmp(color, "always") == 0;
    else
        return FALSE;
    return TRUE;
}

static int print_explanation(const CliExplainArgs *args, const TgExplanation *explanation,
                             gboolean colors)
{
    const TgExplanationStyle style = {
        .width = args->width > 0 ? (guint) args->width : terminal_width(),
        .colors = colors,
    };
    g_autofree char *text =
        args->json ? tg_explanation_json(explanation) : tg_explanation_text(explanation, &style);
    g_autofree char *line = args->json ? g_strconcat(text, "\n", NULL) : g_steal_pointer(&text);

    return cli_print_colored(line);
}

/* The pair that the arguments name; FALSE with @error. */
static gboolean explain_get_pair(const CliExplainArgs *args, char **formulas, TgExplainPair *out,
                                 GError **error)
{
    const guint n = g_strv_length(formulas);
    const TgExplanationRow row = {
        .input = args->input,
        .format = args->format,
        .id = args->id,
        .model = args->model,
        .row = (guint64) args->row,
    };

    if (args->input != NULL)
        return tg_explain_find_pair(&row, out, error);
    out->refs = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i + 1 < n; i++)
        g_ptr_array_add(out->refs, g_strdup(formulas[i]));
    out->hyp = g_strdup(formulas[n - 1]);
    return TRUE;
}

static gboolean explain_draw(const CliExplainArgs *args, const TgPair *pair, const TgMetric *metric,
                             TgEnv *env, GError **error)
{
    const TgPairPictureOptions how = { .size = sizeof how, .scale = 1, .labels = TG_LABELS_WRONG };
    TgPictureFormat format;
    gsize n;

    if (!cli_picture_format(args->output, &format, error))
        return FALSE;
    g_autoptr(TgFonts) fonts = tg_fonts_new(error);
    if (fonts == NULL)
        return FALSE;
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    g_autoptr(TgPairPicture) picture = tg_metric_picture(metric, env, renderer, pair, error);
    if (picture == NULL)
        return FALSE;
    if (args->id != NULL) {
        g_autofree char *name = g_strconcat(
            "id ", args->id, args->model != NULL ? ", model " : NULL, args->model, NULL);
        tg_pair_picture_set_name(picture, name);
    }
    g_autoptr(GBytes) bytes = tg_pair_picture_encode(picture, renderer, format, &how, error);
    if (bytes == NULL)
        return FALSE;
    const void *data = g_bytes_get_data(bytes, &n);
    return cli_write_file(args->output, data, n, error);
}

static int explain_by_forte(const CliExplainArgs *args, const TgPair *pair, const TgMetric *metric,
                            TgEnv *env, gboolean colors)
{
    GError *error = NULL;
    g_autoptr(TgExplanation) explanation = tg_explanation_new(metric, env, pair, &error);

    if (explanation == NULL)
        return cli_fail(error);
    const TgPair counted = tg_explanation_pair(explanation);
    if (args->output != NULL && !explain_draw(args, &counted, metric, env, &error))
        return cli_fail(error);
    if (args->output != NULL && strcmp(args->output, "-") == 0)
        return EXIT_DONE;
    return print_explanation(args, explanation, colors);
}

/* Any other metric that can say why. */
static int explain_otherwise(const CliExplainArgs *args, const TgPair *pair, const TgMetric *metric,
                             TgEnv *env)
{
    const guint width = args->width > 0 ? (guint) args->width : terminal_width();
    GError *error = NULL;
    g_autofree char *text = tg_explain_why(metric, env, pair, width, args->json, &error);

    if (text == NULL || (args->output != NULL && !explain_draw(args, pair, metric, env, &error)))
        return cli_fail(error);
    if (args->output != NULL && strcmp(args->output, "-") == 0)
        return EXIT_DONE;
    g_autofree char *line = args->json ? g_strconcat(text, "\n", NULL) : g_steal_pointer(&text);
    return cli_print_colored(line);
}

static int explain(const CliExplainArgs *args, char **formulas, gboolean colors)
{
    GError *error = NULL;
    g_autoptr(TgEnv) env = tg_env_new();
    g_auto(TgExplainPair) found = { 0 };
    g_autoptr(TgMetric) metric =
        tg_metric_new(args->metric != NULL ? args->metric : "forte", &error);

    if (metric == NULL || !explain_get_pair(args, formulas, &found, &error))
        return cli_fail(error);
    const TgPair pair = { "", (const char *const *) found.refs->pdata, found.refs->len, found.hyp };
    return strcmp(tg_metric_info(metric)->name, "forte") == 0
               ? explain_by_forte(args, &pair, metric, env, colors)
               : explain_otherwise(args, &pair, metric, env);
}

static int explain_run(const CliExplainArgs *args, char **formulas)
{
    const guint n = g_strv_length(formulas);
    gboolean colors;

    if (args->input != NULL ? n > 0 : n < 2)
        return cli_usage(
            "explain", "a truth and a prediction are required, or --input FILE with --id or --row");
    if (args->row < 0 || args->width < 0)
        return cli_usage("explain", "--row and --width must not be negative");
    if (!wants_colors(args->color, &colors))
        return cli_usage("explain", "--color must be auto, always or never");
    for (guint i = 0; i < n; i++)
        if (!g_utf8_validate(formulas[i], -1, NULL))
            return cli_usage("explain", "a formula is not UTF-8");
    return explain(args, formulas, colors);
}

int cmd_explain(int argc, char **argv)
{
    g_auto(CliExplainArgs) w = { 0 };
    g_auto(GStrv) formulas = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "metric", 'm', 0, G_OPTION_ARG_FILENAME, &w.metric,
          "forte, cdm, cdm-strict, edit or another metric of edits, with options (default: forte)",
          "SPEC" },
        { "input", 0, 0, G_OPTION_ARG_FILENAME, &w.input,
          "take the pair from a results file, or from any file that eval reads", "FILE" },
        { "id", 0, 0, G_OPTION_ARG_STRING, &w.id, "id of the pair in --input", "ID" },
        { "row", 0, 0, G_OPTION_ARG_INT64, &w.row, "row of the pair in --input, from 1", "N" },
        { "model", 0, 0, G_OPTION_ARG_STRING, &w.model, "model of the pair in --input", "NAME" },
        { "format", 'f', 0, G_OPTION_ARG_STRING, &w.format, "format of --input (default: auto)",
          "NAME" },
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &w.output,
          "also draw the edits: .png, .svg, .pdf, or '-' to print PNG and nothing else", "FILE" },
        { "json", 0, 0, G_OPTION_ARG_NONE, &w.json,
          "print all tokens and edits with their spans in the sources", NULL },
        { "color", 0, 0, G_OPTION_ARG_STRING, &w.color,
          "auto, always or never (default: auto, on terminals unless NO_COLOR is set)", "WHEN" },
        { "width", 0, 0, G_OPTION_ARG_INT, &w.width,
          "width of the text in columns (default: the terminal's, or 100)", "N" },
        { NULL },
    };

    if (!cli_parse(argc, argv, entries, "[--] TRUTH... PREDICTION | --input FILE --id ID",
                   "Shows why a metric gives a pair its score: truth and prediction as sequences "
                   "of tokens\n"
                   "with every edit between them (forte: with its class and cost), or the elements "
                   "that cdm\n"
                   "does not match.",
                   "Examples:\n"
                   "  texgauge explain 'x^{2}+\\alpha' 'x^{3}+a'\n"
                   "  texgauge explain '\\sum_{i} x_i' '\\sum x_i' -o edits.png\n"
                   "  texgauge explain --json '\\frac{a}{b}' 'a/b'\n"
                   "  texgauge explain -m forte:variant=simple -- '-x' 'x'\n"
                   "  texgauge explain -m cdm --input results.jsonl --id 7\n"
                   "  texgauge explain -m edit 'x^{2}' 'x_{2}'\n"
                   "\n"
                   "See docs/metrics/forte.md for the classes and costs.",
                   &formulas, &status))
        return status;
    return explain_run(&w, formulas);
}
