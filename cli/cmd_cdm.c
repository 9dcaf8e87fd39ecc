/* texgauge cdm: how CDM scores one pair, as numbers and as a picture. */
#include "cli/cli.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include <texgauge/picture.h>

#include "cli/file.h"
#include "cli/self_check.h"
#include "eval/run/pair.h"

#define BASE_DPI 200.0 /* of the drawings */

typedef struct {
    char *metric;
    char *output;
    char *labels;
    gboolean json, no_lines, boxes, tint, keep_delimiters, self_check;
    double dpi, scale;
    TgPairPictureOptions picture;
} CliCdmArgs;

static void cdm_args_clear(CliCdmArgs *args)
{
    g_free(args->metric);
    g_free(args->output);
    g_free(args->labels);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliCdmArgs, cdm_args_clear)

/* Read the options of the picture; an error message, or NULL. */
static const char *cdm_options(CliCdmArgs *args)
{
    static const char *const names[] = { "none", "wrong", "all" };

    if (args->dpi != 0 && args->scale != 0)
        return "give --dpi or --scale, not both";
    args->picture.scale = args->dpi != 0     ? args->dpi / BASE_DPI
                          : args->scale != 0 ? args->scale
                                             : 1;
    args->picture.hide_lines = args->no_lines;
    args->picture.everything = args->boxes;
    args->picture.tint = args->tint;
    if (!(args->picture.scale >= 0.05 && args->picture.scale <= 20))
        return "--dpi must be 10 to 4000, --scale 0.05 to 20";
    if (args->labels == NULL)
        return NULL;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(args->labels, names[i]) == 0) {
            args->picture.labels = (TgLabels) i;
            return NULL;
        }
    return "--labels must be none, wrong or all";
}

/* "name value" per column, then the status. (transfer full) */
static char *scores_text(const char *row)
{
    json_t *object = json_loads(row, 0, NULL);
    const json_t *scores = json_object_get(object, "scores");
    GString *out = g_string_new(NULL);
    const char *name;
    json_t *value;

    json_object_foreach((json_t *) scores, name, value)
    {
        if (json_is_number(value))
            g_string_append_printf(out, "%-20s %.4g\n", name, json_number_value(value));
        else
            g_string_append_printf(out, "%-20s -\n", name);
    }
    json_object_foreach(json_object_get(object, "status"), name, value)
        g_string_append_printf(out, "%-20s %s\n", "status", json_string_value(value));
    json_decref(object);
    return g_string_free(out, FALSE);
}

static gboolean cdm_draw(const CliCdmArgs *args, const TgEvalOptions *options, const TgPair *pair,
                         GError **error)
{
    TgPictureFormat format = TG_FORMAT_PNG;
    gsize n;

    if (!cli_picture_format(args->output, &format, error))
        return FALSE;
    g_autoptr(TgFonts) fonts = tg_fonts_new(error);
    if (fonts == NULL)
        return FALSE;
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    g_autoptr(TgPairPicture) picture = tg_eval_picture(options, renderer, pair, error);
    if (picture == NULL)
        return FALSE;
    g_autoptr(GBytes) bytes =
        tg_pair_picture_encode(picture, renderer, format, &args->picture, error);
    if (bytes == NULL)
        return FALSE;
    const void *data = g_bytes_get_data(bytes, &n);
    return cli_write_file(args->output, data, n, error);
}

/* Exit status 1: a score differs. */
static int cdm_self_check(char **formulas)
{
    gboolean all_equal;
    GError *error = NULL;

    if (formulas[0] != NULL)
        return cli_usage("cdm", "--self-check has pairs of its own");
    if (!cli_self_check(&all_equal, &error))
        return cli_fail(error);
    return all_equal ? EXIT_DONE : EXIT_THRESHOLD;
}

static int cdm_run(CliCdmArgs *args, char **formulas)
{
    const char *wrong = cdm_options(args);
    const guint n = g_strv_length(formulas);
    TgEvalOptions options = {
        .metrics = args->metric != NULL ? args->metric : "cdm",
        .keep_delimiters = args->keep_delimiters,
        .detail = args->json,
    };
    GError *error = NULL;

    if (wrong != NULL)
        return cli_usage("cdm", wrong);
    if (n < 2)
        return cli_usage("cdm", "a truth and a prediction are required");
    if (strchr(options.metrics, ',') != NULL)
        return cli_usage("cdm", "--metric takes a single metric");
    const TgPair pair = { "", (const char *const *) formulas, n - 1, formulas[n - 1] };
    g_autofree char *row = tg_eval_pair(&options, &pair, &error);
    if (row == NULL || (args->output != NULL && !cdm_draw(args, &options, &pair, &error)))
        return cli_fail(error);
    if (args->output != NULL && strcmp(args->output, "-") == 0)
        return EXIT_DONE;
    g_autofree char *text = args->json ? g_strconcat(row, "\n", NULL) : scores_text(row);
    return cli_print(text);
}

int cmd_cdm(int argc, char **argv)
{
    g_auto(CliCdmArgs) w = { .picture = TG_PAIR_PICTURE_OPTIONS_INIT };
    g_auto(GStrv) formulas = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &w.output,
          "picture of the match: .png, .svg, .pdf, or '-' to print PNG and nothing else", "FILE" },
        { "metric", 'm', 0, G_OPTION_ARG_FILENAME, &w.metric,
          "a metric that has pictures, and its options: cdm:page=unlimited (default: cdm)",
          "SPEC" },
        { "json", 0, 0, G_OPTION_ARG_NONE, &w.json,
          "print every element: token, span, box, partner, costs, verdict", NULL },
        { "labels", 0, 0, G_OPTION_ARG_STRING, &w.labels,
          "boxes to label with their tokens: none, wrong or all (default: none)", "WHICH" },
        { "boxes", 0, 0, G_OPTION_ARG_NONE, &w.boxes,
          "also boxes and lines of what matched (else only lines that cross)", NULL },
        { "no-lines", 0, 0, G_OPTION_ARG_NONE, &w.no_lines, "draw no lines between partners",
          NULL },
        { "tint", 0, 0, G_OPTION_ARG_NONE, &w.tint, "draw the ink in the colour of its box", NULL },
        { "dpi", 0, 0, G_OPTION_ARG_DOUBLE, &w.dpi, "pixels per inch (default: 200)", "N" },
        { "scale", 0, 0, G_OPTION_ARG_DOUBLE, &w.scale, "scale instead of --dpi (default: 1)",
          "F" },
        { "self-check", 0, 0, G_OPTION_ARG_NONE, &w.self_check,
          "score bundled pairs of every dialect and compare with the official scores", NULL },
        { "keep-delimiters", 0, 0, G_OPTION_ARG_NONE, &w.keep_delimiters,
          "do not strip outer $ $$ \\( \\[ equation ...", NULL },
        { NULL },
    };

    if (!cli_parse(
            argc, argv, entries, "[--] TRUTH... PREDICTION",
            "Scores one pair by character detection matching and shows which elements of the\n"
            "truth and the prediction were matched, and which were not.",
            "Examples:\n"
            "  texgauge cdm --self-check\n"
            "  texgauge cdm '\\frac{a}{b}' '\\frac{a}{6}' -o match.png\n"
            "  texgauge cdm 'x^{2}' 'x_{2}' -o match.svg --labels wrong\n"
            "  texgauge cdm -m cdm:page=unlimited --json -- '-x' 'x'",
            &formulas, &status))
        return status;
    return w.self_check ? cdm_self_check(formulas) : cdm_run(&w, formulas);
}
