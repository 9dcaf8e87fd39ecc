/* texgauge compare: compares models with each other and with thresholds. */
#include "eval/compare/compare.h"

#include <string.h>

#include "cli/progress.h"
#include "cli/scoring.h"
#include "core/fail.h"

/* The values of the options that only compare has, not checked yet. */
typedef struct {
    char *base;
    char *summary;
    char *lower;
    char *test;
    char **fail_under;
    char *baseline;
    char **tolerances;
    gint resamples;
    gint trials;
    gint pairs;
    gint64 seed;
    double level;
    gboolean all, force;
} CliCompareArgs;

enum { DEFAULT_PAIRS = 5 };

static void compare_args_clear(CliCompareArgs *args)
{
    g_free(args->base);
    g_free(args->summary);
    g_free(args->lower);
    g_free(args->test);
    g_strfreev(args->fail_under);
    g_free(args->baseline);
    g_strfreev(args->tolerances);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliCompareArgs, compare_args_clear)

static gboolean parse_rules(const char *name, TgTestRules *out, GError **error)
{
    for (TgTestRules rules = TG_TEST_TWO_SIDED; rules <= TG_TEST_SACREBLEU; rules++)
        if (name == NULL || strcmp(name, tg_test_rules_name(rules)) == 0) {
            *out = rules;
            return TRUE;
        }
    return tg_fail_usage(error, "no test '%s'; there are two-sided, sacrebleu", name);
}

static gboolean compare_options(const CliCompareArgs *args, const CliScoring *scoring,
                                char **stored, char **lower, TgCompareOptions *options,
                                GError **error)
{
    if (args->resamples < 0 || args->trials < 0 || args->pairs < 0 || args->seed < 0 ||
        scoring->threads < 0) {
        g_set_error_literal(
            error, TG_ERROR, TG_ERROR_USAGE,
            "--resamples, --trials, --pairs, --seed and --threads must not be negative");
        return FALSE;
    }
    *options = (TgCompareOptions){
        .base = args->base,
        .stored = (const char *const *) stored,
        .lower = (const char *const *) lower,
        .all_columns = args->all,
        .resamples = (guint) args->resamples,
        .trials = (guint) args->trials,
        .seed = (guint64) args->seed,
        .level = args->level,
        .pairs = (guint) args->pairs,
        .threads = (guint) scoring->threads,
        .force = args->force,
    };
    return cli_check_level(args->level, error) && parse_rules(args->test, &options->rules, error);
}

/* Thresholds: a line each, and the exit code. */
static int check_gates(const CliCompareArgs *args, const char *const *paths, char **stored,
                       char **lower)
{
    const TgGateOptions options = { (const char *const *) args->fail_under,
                                    args->baseline,
                                    (const char *const *) args->tolerances,
                                    (const char *const *) stored,
                                    (const char *const *) lower,
                                    args->force };
    g_autofree char *report = NULL;
    gboolean passed;
    GError *error = NULL;
    int status;

    if (!tg_gate_check(paths, &options, &report, &passed, &error))
        return cli_fail(error);
    status = cli_print(report);
    return status != EXIT_DONE ? status : passed ? EXIT_DONE : EXIT_THRESHOLD;
}

static int compare(const CliCompareArgs *args, CliScoring *scoring, char **inputs)
{
    g_auto(CliResults) results = { 0 };
    g_auto(GStrv) stored = cli_list(scoring->columns);
    g_auto(GStrv) lower = cli_list(args->lower);
    CliProgress progress = { 0 };
    const gboolean gates = args->fail_under != NULL || args->baseline != NULL;
    TgGridForm form;
    TgCompareOptions options;
    GError *error = NULL;

    if (args->tolerances != NULL && args->baseline == NULL)
        return cli_usage("compare", "--tolerance needs --baseline");
    if (gates &&
        (args->base != NULL || args->summary != NULL || args->test != NULL ||
         args->resamples != 0 || args->trials != 0 || args->pairs != DEFAULT_PAIRS || args->all))
        return cli_usage("compare",
                         "--base, --summary, --test, --resamples, --trials, --pairs and --all are "
                         "about comparisons, not thresholds");
    if (!cli_scoring_form(scoring, args->summary, &form, &error) ||
        !compare_options(args, scoring, stored, lower, &options, &error) ||
        !cli_results_get(&results, scoring, inputs, NULL, &error))
        return cli_fail(error);
    if (gates)
        return check_gates(args, (const char *const *) results.paths, stored, lower);
    cli_progress_start(&progress, scoring->quiet);
    options.listener = (TgListener){ cli_progress_stage, &progress };
    g_autoptr(TgComparison) done =
        tg_compare_run((const char *const *) results.paths, &options, &error);
    cli_progress_clear(&progress);
    if (done == NULL)
        return cli_fail(error);
    g_autofree char *text = tg_comparison_format(done, &form);
    return cli_print(text);
}

static const char summary_text[] =
    "Compares models on the same pairs: the difference of every metric over all pairs and per\n"
    "subset, with paired bootstrap, approximate randomisation, effect sizes, and the pairs that\n"
    "differ most. INPUT is a results file of eval (several: one model each), or with --metrics "
    "any\n"
    "file that eval reads. With --fail-under or --baseline it checks every model against "
    "thresholds\n"
    "instead, and exits with 1 when one is not met.";

static const char examples_text[] =
    "Examples:\n"
    "  texgauge compare results.jsonl\n"
    "  texgauge compare old.jsonl new.jsonl --summary md\n"
    "  texgauge compare --metrics bleu,edit --gt truth.txt --pred old=a.txt --pred new=b.txt\n"
    "  texgauge compare new.jsonl --fail-under edit=0.95 --fail-under cer=0.04\n"
    "  texgauge compare new.jsonl --baseline old.jsonl --tolerance 0.005 --tolerance bleu=0.01\n"
    "\n"
    "See docs/how-to/compare-models.md.";

int cmd_compare(int argc, char **argv)
{
    g_auto(CliCompareArgs) w = { .seed = 1, .level = 0.95, .pairs = DEFAULT_PAIRS };
    g_auto(CliScoring) scoring = { 0 };
    g_auto(GStrv) inputs = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "base", 0, 0, G_OPTION_ARG_STRING, &w.base,
          "model to compare the others with (default: the first)", "MODEL" },
        { "fail-under", 0, 0, G_OPTION_ARG_STRING_ARRAY, &w.fail_under,
          "exit with 1 when a model is worse than VALUE; may be repeated", "COLUMN=VALUE" },
        { "baseline", 0, 0, G_OPTION_ARG_FILENAME, &w.baseline,
          "exit with 1 when a model is worse than in these results", "FILE" },
        { "tolerance", 0, 0, G_OPTION_ARG_STRING_ARRAY, &w.tolerances,
          "by how much it may be worse, for all columns or one; may be repeated",
          "[COLUMN=]NUMBER" },
        { "lower", 0, 0, G_OPTION_ARG_FILENAME, &w.lower, CLI_LOWER_HELP, "F,F" },
        { "all", 'a', 0, G_OPTION_ARG_NONE, &w.all, CLI_ALL_HELP, NULL },
        { "pairs", 0, 0, G_OPTION_ARG_INT, &w.pairs,
          "pairs that differ most to show per metric (default: 5)", "N" },
        { "summary", 0, 0, G_OPTION_ARG_STRING, &w.summary, CLI_SUMMARY_HELP, "STYLE" },
        { "resamples", 0, 0, G_OPTION_ARG_INT, &w.resamples,
          "resamples of the paired bootstrap (default: 1000, or more for many tests)", "N" },
        { "trials", 0, 0, G_OPTION_ARG_INT, &w.trials,
          "trials of approximate randomisation (default: 10000, or more likewise)", "N" },
        { "seed", 0, 0, G_OPTION_ARG_INT64, &w.seed, "seed of both (default: 1)", "N" },
        { "test", 0, 0, G_OPTION_ARG_STRING, &w.test,
          "rules of the p-values: two-sided (default), or sacrebleu's", "RULES" },
        { "level", 0, 0, G_OPTION_ARG_DOUBLE, &w.level,
          "level of the confidence intervals; the verdict's is 1 - P (default: 0.95)", "P" },
        { "force", 0, 0, G_OPTION_ARG_NONE, &w.force, CLI_FORCE_HELP, NULL },
        { NULL },
    };

    if (!cli_scoring_parse(argc, argv, entries, &scoring, "[MODEL=]INPUT...", summary_text,
                           examples_text, &inputs, &status))
        return status;
    return compare(&w, &scoring, inputs);
}
