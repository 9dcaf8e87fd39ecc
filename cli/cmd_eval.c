/* texgauge eval: scores files of pairs. */
#include "cli/progress.h"
#include "cli/scoring.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "core/fail.h"
#include "datasets/input_names.h"
#include "eval/results/results.h"
#include "eval/run/run.h"
#include "eval/select/select.h"
#include "metrics/metric.h"

#include "cli/file.h"

/* The values of the options that only eval has, not checked yet. */
typedef struct {
    char *output;
    char *summary;
    char *shard;
    char *pictures; /* folder */
    char *only;
    char *temporary; /* results kept only for the pictures */
    char *add;
    char *pivot;
    char *mean;
    char **by;
    gboolean resume, force, detail, all, confidence, check;
} Words;

static void words_clear(Words *words)
{
    g_free(words->output);
    g_free(words->summary);
    g_free(words->shard);
    g_free(words->pictures);
    g_free(words->only);
    g_free(words->pivot);
    g_free(words->add);
    g_free(words->mean);
    g_strfreev(words->by);
    cli_temporary_remove(words->temporary);
    g_free(words->temporary);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Words, words_clear)

static gboolean parse_shard(const char *text, TgEvalOptions *options, GError **error)
{
    guint index, of;
    char rest;

    if (text == NULL)
        return TRUE;
    if (sscanf(text, "%6u/%6u%c", &index, &of, &rest) != 2 || index < 1 || index > of)
        return tg_fail_usage(error, "--shard takes K/N with 1 <= K <= N, not '%s'", text);
    options->shard = index;
    options->n_shards = of;
    return TRUE;
}

/* Pairs are drawn from the results, so a results file is needed. */
static gboolean prepare_pictures(Words *words, TgEvalOptions *options, GError **error)
{
    if (words->pictures == NULL)
        return words->only == NULL || tg_fail_usage(error, "--only needs --pictures FOLDER");
    if (!tg_pictures_check(words->only, options->metrics, error))
        return FALSE;
    if (options->output != NULL && strcmp(options->output, "-") == 0)
        return tg_fail_usage(error,
                             "--pictures draws from the results: write them to a file with -o");
    if (options->output == NULL)
        options->output = words->temporary = cli_temporary_results(error);
    return options->output != NULL;
}

static void on_picture(guint64 done, guint64 total, gpointer data)
{
    const TgProgress state = { .rows = done, .bytes_read = done, .bytes_total = total };

    cli_progress_update(data, &state);
}

static gboolean draw_pictures(const Words *words, const char *results, gboolean quiet,
                              GError **error)
{
    CliProgress progress = { 0 };
    TgPicturesOptions options = {
        .folder = words->pictures, .only = words->only, .progress = on_picture, .data = &progress
    };
    guint64 n;

    if (words->pictures == NULL)
        return TRUE;
    cli_progress_start(&progress, quiet);
    const gboolean good = tg_pictures_write(results, &options, &n, error);
    cli_progress_clear(&progress);
    if (!good)
        return FALSE;
    if (!quiet)
        cli_message("pictures: %" G_GUINT64_FORMAT " in %s, shown by its index.html", n,
                    words->pictures);
    return TRUE;
}

/* The column that is named for the table must be there before anything is scored. */
static gboolean check_pivot(const char *pivot, const char *metrics, GError **error)
{
    GPtrArray *list = tg_metric_new_list(metrics, error);

    if (list == NULL)
        return FALSE;
    TgScoreLayout *layout = tg_score_layout_new(list);
    const gboolean good = tg_summary_check_column(layout, pivot, error);
    tg_score_layout_unref(layout);
    return good;
}

static gboolean fill_options(Words *words, CliScoring *scoring, char **inputs,
                             TgEvalOptions *options, TgSummaryFormat *format, GError **error)
{
    if (!cli_scoring_fill(scoring, inputs, options, error))
        return FALSE;
    if (words->output == NULL && (words->force || words->detail) && *inputs != NULL &&
        !g_strv_contains((const char *const *) inputs, "-"))
        return tg_fail_usage(error,
                             "--force and --detail are about the results: write them with -o");
    options->output = words->output;
    options->resume = words->resume;
    options->force = words->force;
    options->detail = words->detail;
    options->confidence = words->confidence;
    options->mean = words->mean;
    options->by = (const char *const *) words->by;
    if (options->output == NULL && options->inputs != NULL && g_strv_contains(options->inputs, "-"))
        options->output = "-"; /* a stage of a pipe */
    format->all = words->all;
    format->pivot = words->pivot;
    return (words->pivot == NULL || check_pivot(words->pivot, options->metrics, error)) &&
           parse_shard(words->shard, options, error) && prepare_pictures(words, options, error) &&
           cli_scoring_form(scoring, words->summary, &format->form, error);
}

/* With rows on stdout the summary goes to stderr, and only on request. */
static int print_summary(const TgSummary *summary, const TgSummaryFormat *format,
                         gboolean rows_on_stdout, gboolean asked)
{
    g_autofree char *text = tg_summary_format(summary, format);

    if (!rows_on_stdout)
        return cli_print(text);
    if (asked)
        fputs(text, stderr);
    return EXIT_DONE;
}

static int evaluate(Words *words, CliScoring *scoring, char **inputs)
{
    TgEvalOptions options = { 0 };
    TgSummaryFormat format = { 0 };
    GError *error = NULL;
    guint64 n_faults = 0;

    if (!fill_options(words, scoring, inputs, &options, &format, &error)) {
        g_autofree char *message = g_strdup(error->message);
        g_error_free(error);
        return cli_usage("eval", message);
    }
    g_autoptr(TgSummary) summary = cli_scoring_run(scoring, &options, &n_faults, &error);
    if (summary == NULL)
        return cli_fail(error);

    if (!draw_pictures(words, options.output, scoring->quiet, &error))
        return cli_fail(error);
    const gboolean rows_on_stdout = options.output != NULL && strcmp(options.output, "-") == 0;
    const int status = print_summary(summary, &format, rows_on_stdout, words->summary != NULL);
    if (words->output != NULL && !rows_on_stdout && !scoring->quiet)
        cli_message("results: %s", options.output);
    if (n_faults > 0)
        fprintf(stderr, "texgauge: %" G_GUINT64_FORMAT " %s in the input, see above\n", n_faults,
                n_faults == 1 ? "fault" : "faults");
    return status != EXIT_DONE ? status : n_faults > 0 ? EXIT_INPUT : EXIT_DONE;
}

/* ---- finished results ---- */

/* Whether all inputs are results of eval. */
static gboolean are_results(char **inputs)
{
    g_auto(TgInputNames) names = { 0 };
    gboolean all =
        *inputs != NULL && tg_input_names_init(&names, (const char *const *) inputs, NULL, NULL);

    for (guint i = 0; all && i < names.n; i++) { /* what is read from a pipe is gone */
        g_autoptr(TgResultsReader) reader = g_file_test(names.paths[i], G_FILE_TEST_IS_REGULAR)
                                                ? tg_results_open(names.paths[i], NULL)
                                                : NULL;

        all = reader != NULL;
    }
    return all;
}

static int print_finished(const Words *words, const CliScoring *scoring, const TgSummary *summary)
{
    TgSummaryFormat format = { .all = words->all, .pivot = words->pivot };
    const TgScoreLayout *layout = tg_summary_layout(summary);
    GError *error = NULL;

    if (!cli_scoring_form(scoring, words->summary, &format.form, &error) ||
        (words->pivot != NULL && !tg_summary_check_column(layout, words->pivot, &error)))
        return cli_fail(error);
    return print_summary(summary, &format, FALSE, TRUE);
}

static TgSummaryOptions merge_options(const Words *words)
{
    return (TgSummaryOptions){ words->force, words->confidence, words->mean,
                               (const char *const *) words->by };
}

/* Results without --metrics: their summary, that of the run where they are all its shards. */
static int show_results(const Words *words, const CliScoring *scoring, char **inputs)
{
    GError *error = NULL;

    if (words->output != NULL || words->pictures != NULL)
        return cli_usage("eval", "these are results already: name --metrics to score them again, "
                                 "or --add to add some");
    if (words->resume || words->detail || words->shard != NULL || words->only != NULL)
        return cli_usage("eval", "--resume, --detail, --shard and --only act when "
                                 "pairs are scored");
    if (!cli_scoring_check_unused(scoring, &error))
        return cli_fail(error);
    const TgSummaryOptions options = merge_options(words);
    g_autoptr(TgSummary) summary = tg_eval_merge((const char *const *) inputs, &options, &error);
    return summary != NULL ? print_finished(words, scoring, summary) : cli_fail(error);
}

static int add_metrics(const Words *words, const CliScoring *scoring, char **inputs)
{
    const char *output = words->output != NULL ? words->output : inputs[0];
    GError *error = NULL;

    if (inputs[0] == NULL || inputs[1] != NULL || scoring->truths != NULL)
        return cli_usage("eval", "--add needs one results file");
    if (scoring->metrics != NULL)
        return cli_usage("eval", "--add names the metrics to add, without --metrics");
    if (words->resume || words->detail || words->shard != NULL || words->pictures != NULL)
        return cli_usage("eval",
                         "--add takes no --resume, --detail, --shard or --pictures: the pairs are "
                         "those of the results");
    if (!cli_scoring_check_unused(scoring, &error))
        return cli_fail(error);
    if (words->output != NULL && !words->force &&
        !tg_output_may_replace(output, NULL, CLI_FORCE_ADVICE, &error))
        return cli_fail(error);
    const TgSummaryOptions options = merge_options(words);
    g_autoptr(TgSummary) summary = tg_eval_add(inputs[0], words->add, output, &options,
                                               (guint) MAX(scoring->threads, 0), &error);
    if (summary == NULL)
        return cli_fail(error);
    if (!scoring->quiet)
        cli_message("results: %s", output);
    return print_finished(words, scoring, summary);
}

/* Nothing is scored, so what is about scores would change nothing. */
static int check_truths(const Words *words, const CliScoring *scoring, char **inputs)
{
    if (*inputs == NULL || scoring->truths != NULL)
        return cli_usage("eval", "--check needs INPUT files, which hold the truths");
    if (scoring->metrics != NULL || words->add != NULL || words->output != NULL ||
        words->summary != NULL || words->pictures != NULL || words->shard != NULL)
        return cli_usage("eval",
                         "--check reads truths and scores nothing: only --format, --map and "
                         "--allow-duplicates go with it");
    return cli_check_truths(inputs, scoring);
}

static const char summary_text[] =
    "Scores every pair of the inputs and prints a summary per model and subset. An INPUT holds\n"
    "truths and predictions; --gt and --pred join separate files by id, or by line where there\n"
    "are no ids. Without --metrics they are scored with cdm, forte, edit, bleu and exprate; of\n"
    "results, those of all shards of a run for one, it prints the summary.\n"
    "'-' reads JSON lines from stdin and writes each row as soon as it is scored.";

static const char examples_text[] =
    "Examples:\n"
    "  texgauge eval predictions.json\n"
    "  texgauge eval --metrics bleu,edit,exprate predictions.json\n"
    "  texgauge eval --metrics crohme --percent crohme_2014.3b.json\n"
    "  texgauge eval --metrics cer --map gt=latex_true,pred=latex_pred -o results.jsonl set.csv\n"
    "  texgauge eval --metrics bleu --gt truth.csv --pred A=a.json --pred B=b.txt --summary latex\n"
    "  texgauge eval --metrics bleu:smooth=nltk4:tokenize=words,exprate --percent crohme.json\n"
    "  texgauge eval --add forte results.jsonl\n"
    "  texgauge eval --metrics chrf --shard 3/8 -o part3.jsonl big.jsonl.zst\n"
    "  texgauge eval part1.jsonl part2.jsonl part3.jsonl --summary md\n"
    "  texgauge eval --check truths.jsonl\n"
    "  texgauge eval --metrics cdm --pictures worst/ --only worst:50 predictions.jsonl\n"
    "  zcat pairs.jsonl.gz | texgauge eval --metrics edit - | jq .scores.edit\n"
    "\n"
    "Exit status: 0 success (pairs that could not be scored are in the results), 2 usage error,\n"
    "3 an input is missing, corrupt or has unreadable rows (--check: or truths that cannot be "
    "set), 4 any other error.\n"
    "See docs/reference/formats.md for formats and field names, docs/reference/results.md for\n"
    "the results.";

int cmd_eval(int argc, char **argv)
{
    g_auto(Words) w = { 0 };
    g_auto(CliScoring) scoring = { 0 };
    g_auto(GStrv) inputs = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &w.output,
          "write a row per pair to FILE ('-': stdout)", "FILE" },
        { "resume", 0, 0, G_OPTION_ARG_NONE, &w.resume, "continue an interrupted output file",
          NULL },
        { "force", 0, 0, G_OPTION_ARG_NONE, &w.force,
          "overwrite an output file that holds something", NULL },
        { "add", 0, 0, G_OPTION_ARG_FILENAME, &w.add,
          "add metrics to finished results, in place or into -o FILE", "LIST" },
        { "summary", 0, 0, G_OPTION_ARG_STRING, &w.summary, CLI_SUMMARY_HELP, "STYLE" },
        { "all", 'a', 0, G_OPTION_ARG_NONE, &w.all, CLI_ALL_HELP, NULL },
        { "confidence", 0, 0, G_OPTION_ARG_NONE, &w.confidence,
          "show 95 % bootstrap intervals (1000 resamples)", NULL },
        { "mean", 0, 0, G_OPTION_ARG_FILENAME, &w.mean, CLI_MEAN_HELP, "MEAN" },
        { "by", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &w.by, CLI_BY_HELP, "FIELD" },
        { "pivot", 0, 0, G_OPTION_ARG_STRING, &w.pivot,
          "show models by subsets with this column, its mean, and the best", "COLUMN" },
        { "detail", 0, 0, G_OPTION_ARG_NONE, &w.detail,
          "store the details that metrics have on each pair", NULL },
        { "pictures", 0, 0, G_OPTION_ARG_FILENAME, &w.pictures,
          "draw how pairs are scored into FOLDER as SVG, with an index.html", "FOLDER" },
        { "only", 0, 0, G_OPTION_ARG_STRING, &w.only,
          "pairs to draw: all, worst:N, median:N, random:N[:SEED] (default: worst:100)", "WHICH" },
        { "check", 0, 0, G_OPTION_ARG_NONE, &w.check,
          "only list rows that cannot be read and truths that cannot be set, with the reason",
          NULL },
        { "shard", 0, 0, G_OPTION_ARG_STRING, &w.shard, "score only shard K of N", "K/N" },
        { NULL },
    };

    if (!cli_scoring_parse(argc, argv, entries, &scoring,
                           "[MODEL=]INPUT... | --gt FILE --pred [MODEL=]FILE...", summary_text,
                           examples_text, &inputs, &status))
        return status;
    if (w.check)
        return check_truths(&w, &scoring, inputs);
    if (w.add != NULL)
        return add_metrics(&w, &scoring, inputs);
    if (scoring.metrics == NULL && are_results(inputs))
        return show_results(&w, &scoring, inputs);
    if (scoring.metrics == NULL)
        scoring.metrics = g_strdup("default");
    return evaluate(&w, &scoring, inputs);
}
