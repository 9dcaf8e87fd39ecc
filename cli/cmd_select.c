/* texgauge select: selects pairs of a results file. */
#include "eval/select/select.h"

#include <stdio.h>

#include "cli/scoring.h"

/* The values of the options that only select has, not checked yet. */
typedef struct {
    char **where;
    char *by;
    char *disputed;
    char *lower;
    char *output;
    gint worst;
    gint limit;
    gboolean text, json, force;
} CliSelectArgs;

static void select_args_clear(CliSelectArgs *args)
{
    g_strfreev(args->where);
    g_free(args->by);
    g_free(args->disputed);
    g_free(args->lower);
    g_free(args->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliSelectArgs, select_args_clear)

enum { PAGE_WIDTH = 100 };

/* Text for eyes on a terminal, JSON lines for programs elsewhere, unless the user says otherwise;
 * 0 for the latter. */
static guint text_width(const CliSelectArgs *args)
{
    const guint width = args->output == NULL ? cli_width() : 0;

    if (args->json || (!args->text && width == 0))
        return 0;
    return width > 0 ? width : PAGE_WIDTH;
}

static int select_pairs(const CliSelectArgs *args, CliScoring *scoring, char **inputs)
{
    g_auto(CliResults) results = { 0 };
    g_auto(GStrv) lower = cli_list(args->lower);
    TgSelectOptions options = {
        .where = (const char *const *) args->where,
        .worst = (guint) MAX(args->worst, 0),
        .by = args->by,
        .disputed = args->disputed,
        .limit = (guint) MAX(args->limit, 0),
        .lower = (const char *const *) lower,
        .output = args->output,
        .text_width = text_width(args),
    };
    guint64 n_selected, n_pairs;
    GError *error = NULL;

    if (!cli_scoring_form(scoring, NULL, &options.form, &error))
        return cli_fail(error);
    if (args->worst < 0 || args->limit < 0)
        return cli_usage("select", "--worst and --limit must not be negative");
    if (args->by != NULL && args->worst == 0)
        return cli_usage("select", "--by is the column of --worst");
    if (args->lower != NULL && args->worst == 0 && args->disputed == NULL)
        return cli_usage("select", "--lower is about the columns of --by and --disputed");
    if (args->text && args->json)
        return cli_usage("select", "--text and --json are two forms; choose one");
    if (args->where == NULL && args->worst == 0 && args->disputed == NULL)
        return cli_usage("select", "--where, --worst or --disputed is required");
    if (!cli_scoring_check_output(scoring, inputs, args->output, &error) ||
        (!args->force && !tg_output_may_replace(args->output, NULL, CLI_FORCE_ADVICE, &error)))
        return cli_fail(error);
    if (!cli_results_get(&results, scoring, inputs, NULL, &error) ||
        !tg_select_run((const char *const *) results.paths, &options, &n_selected, &n_pairs,
                       &error))
        return cli_fail(error);
    if (!scoring->quiet)
        fprintf(stderr, "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " pairs selected\n",
                n_selected, n_pairs);
    return EXIT_DONE;
}

static const char summary_text[] =
    "Selects pairs of results files: those that meet conditions, the worst by a metric, or those\n"
    "that two metrics rank most differently. Prints them for reading on a terminal, as JSON lines\n"
    "into a file or pipe. INPUT is a results file of eval, or with --metrics any file that eval\n"
    "reads.";

static const char examples_text[] =
    "Examples:\n"
    "  texgauge select results.jsonl --where 'edit<1' -o hard.jsonl\n"
    "  texgauge select results.jsonl --where 'model=aster' --where 'status.bleu!=ok'\n"
    "  texgauge select results.jsonl --worst 50 --by cer\n"
    "  texgauge select results.jsonl --disputed edit,bleu --limit 100\n"
    "\n"
    "Fields: a metric's column, a stored field, a group of raters (its mean), id, model, subset,\n"
    "status.METRIC. An undefined value is null: --where 'edit=null'. See "
    "docs/how-to/compare-models.md.";

int cmd_select(int argc, char **argv)
{
    g_auto(CliSelectArgs) w = { 0 };
    g_auto(CliScoring) scoring = { 0 };
    g_auto(GStrv) inputs = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "where", 'w', 0, G_OPTION_ARG_STRING_ARRAY, &w.where,
          "a condition with < <= > >= == = or !=; may be repeated, all must hold", "FIELD<VALUE" },
        { "worst", 0, 0, G_OPTION_ARG_INT, &w.worst, "the N pairs with the worst score", "N" },
        { "by", 0, 0, G_OPTION_ARG_STRING, &w.by, "column for --worst (default: the first)",
          "COLUMN" },
        { "disputed", 0, 0, G_OPTION_ARG_STRING, &w.disputed,
          "the pairs that two columns rank most differently", "A,B" },
        { "limit", 'n', 0, G_OPTION_ARG_INT, &w.limit,
          "at most N pairs (default: all; 20 with --disputed)", "N" },
        { "lower", 0, 0, G_OPTION_ARG_FILENAME, &w.lower, CLI_LOWER_HELP, "F,F" },
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &w.output, "write to FILE (default: stdout)",
          "FILE" },
        { "force", 0, 0, G_OPTION_ARG_NONE, &w.force,
          "overwrite an output file that holds something", NULL },
        { "text", 0, 0, G_OPTION_ARG_NONE, &w.text,
          "print pairs for reading, differences marked (default on a terminal)", NULL },
        { "json", 0, 0, G_OPTION_ARG_NONE, &w.json, "print JSON lines (default elsewhere)", NULL },
        { NULL },
    };

    if (!cli_scoring_parse(argc, argv, entries, &scoring, "[MODEL=]INPUT...", summary_text,
                           examples_text, &inputs, &status))
        return status;
    return select_pairs(&w, &scoring, inputs);
}
