/* texgauge eval: scores files of pairs, sums up and extends results, checks references. */
#include "cli/cli.h"

#include <string.h>

#include "core/fail.h"
#include "core/label_graph.h"
#include "core/number.h"
#include "core/utf8.h"
#include "datasets/source.h"
#include "eval/options/options.h"
#include "eval/results/results.h"
#include "metrics/crohme/crohme.h"
#include "metrics/metric.h"

typedef struct {
    TgEvalOptions run;
    TgSummaryFormat format;
    const char *add;
    gboolean check, quiet;
} EvalArgs;

#define AT(member) G_STRUCT_OFFSET(EvalArgs, member)

static const TgArg args[] = {
    { .kind = TG_ARG_TABLE, .offset = AT(run), .table = tg_run_args },
    { .kind = TG_ARG_TABLE, .offset = AT(run.summary), .table = tg_merge_args },
    { .kind = TG_ARG_TABLE, .offset = AT(format.form), .table = tg_style_args },
    { "all", TG_ARG_FLAG, AT(format.all), "show every column, not only each metric's first",
      .letter = 'a', .modes = TG_MODE_SUMMARY },
    { "pivot", TG_ARG_TEXT, AT(format.pivot),
      "show this column as a table of models by subsets, with the mean and the best", "COLUMN",
      .modes = TG_MODE_SUMMARY },
    { "add", TG_ARG_FILE, AT(add), "add metrics to finished results, in place or into -o FILE",
      "LIST", .modes = TG_MODE_ADD, .group = "Results and checks" },
    { "check", TG_ARG_FLAG, AT(check),
      "only list unreadable rows and references that cannot be typeset, with the reason",
      .modes = TG_MODE_CHECK },
    CLI_QUIET(EvalArgs),
    { 0 },
};

/* ---- scoring ---- */

/* Check that the options go together, before anything is scored. */
static gboolean check_scoring(const EvalArgs *eval, char **inputs, GError **error)
{
    const TgEvalOptions *run = &eval->run;
    const gboolean piped = g_strv_contains((const char *const *) inputs, "-");

    if (run->source.refs != NULL && *inputs != NULL)
        return tg_fail_usage(
            error, "--gt is used with --pred or --pages, not with another input ('%s')", *inputs);
    if (run->pages != NULL && (run->source.refs == NULL || run->source.refs[1] != NULL))
        return tg_fail_usage(error, "--pages %s needs one --gt, the file of pages", *run->pages);
    if (run->pages != NULL && run->source.hyps != NULL)
        return tg_fail_usage(error, "--pages and --pred are two kinds of predictions: give one");
    if (run->pages != NULL && run->source.maps != NULL)
        return tg_fail_usage(error, "--map names fields, which pages do not have");
    if (run->source.hyps != NULL && run->source.refs == NULL)
        return tg_fail_usage(error, "--pred %s needs a --gt to join with", *run->source.hyps);
    if (run->source.refs == NULL && *inputs == NULL)
        return tg_fail_usage(error, "no input: give files, '-' for stdin, or --gt and --pred");
    if (run->output == NULL && (eval->run.summary.force || run->scorer.detail) && *inputs != NULL &&
        !piped)
        return tg_fail_usage(error,
                             "--force and --detail are about the results: write them with -o");
    if (eval->format.pivot == NULL)
        return TRUE;
    g_autofree char *metrics = tg_eval_metrics(run);
    GPtrArray *list = tg_metric_new_list(metrics, error);
    g_autoptr(TgScoreLayout) layout = list != NULL ? tg_score_layout_new(list) : NULL;
    return layout != NULL && tg_summary_check_column(layout, eval->format.pivot, error);
}

/* With rows on stdout the summary goes to stderr, and only on request. */
static int print_summary(const TgSummary *summary, const TgSummaryFormat *format,
                         gboolean rows_on_stdout, gboolean asked)
{
    g_autofree char *text = tg_summary_format(summary, format);

    if ((rows_on_stdout && !asked) || format->form.style == TG_GRID_CSV) /* without notes */
        cli_remarks(summary->remarks);
    if (!rows_on_stdout)
        return cli_print(text);
    if (asked)
        fputs(text, stderr);
    return EXIT_DONE;
}

static int score_inputs(const CliCall *call, EvalArgs *eval)
{
    TgEvalOptions *run = &eval->run;
    GError *error = NULL;
    guint64 n_faults = 0;

    run->progress = cli_progress_update;
    run->fault = cli_remark;
    run->note = eval->quiet ? NULL : cli_remark;
    cli_progress_start(eval->quiet);
    g_autoptr(TgSummary) summary = tg_eval_run(run, &n_faults, &error);
    cli_progress_clear();
    if (summary == NULL)
        return cli_fail(error);
    const gboolean rows_on_stdout = g_strcmp0(run->output, "-") == 0;
    const int status =
        print_summary(summary, &eval->format, rows_on_stdout, cli_given(call, "summary"));
    if (cli_given(call, "output") && !rows_on_stdout && !eval->quiet)
        cli_message("results: %s", run->output);
    if (n_faults > 0)
        fprintf(stderr, "texgauge: %" G_GUINT64_FORMAT " fault%s in the input, see above\n",
                n_faults, tg_plural(n_faults));
    return status != EXIT_DONE ? status : n_faults > 0 ? EXIT_INPUT : EXIT_DONE;
}

/* ---- finished results ---- */

/* Print the summary of results; takes it, or the error where it is NULL. */
static int print_finished(const EvalArgs *eval, TgSummary *made, GError *error)
{
    g_autoptr(TgSummary) summary = made;
    const char *pivot = eval->format.pivot;

    if (summary == NULL ||
        (pivot != NULL && !tg_summary_check_column(summary->layout, pivot, &error)))
        return cli_fail(error);
    return print_summary(summary, &eval->format, FALSE, TRUE);
}

static int add_metrics(const EvalArgs *eval, char **inputs)
{
    const char *output = eval->run.output != NULL ? eval->run.output : inputs[0];
    GError *error = NULL;

    if (inputs[0] == NULL || inputs[1] != NULL)
        return cli_usage("--add needs one results file");
    if (eval->run.output != NULL &&
        !tg_output_check(output, NULL, eval->run.summary.force ? NULL : CLI_FORCE_ADVICE, &error))
        return cli_fail(error);
    TgSummary *summary =
        tg_eval_add(inputs[0], eval->add, output, &eval->run.summary, eval->run.threads, &error);
    if (summary != NULL && !eval->quiet)
        cli_message("results: %s", output);
    return print_finished(eval, summary, error);
}

/* ---- references alone ---- */

typedef struct {
    TgCauses *causes;
    guint64 n_refs, n_graphs, n_bad;
} Check;

/* The list is for people, wherever it goes. */
static void check_print(const char *text)
{
    g_autofree char *visible = tg_visible(text, "\n\t");

    cli_print(visible);
}

static void check_record(Check *check, const TgRecord *record)
{
    if (record->fault != NULL) {
        check->n_bad++;
        tg_causes_add_fault(check->causes, record);
        g_autofree char *line = g_strconcat(record->fault, "\n", NULL);
        check_print(line);
        return;
    }
    for (guint i = 0; i < record->refs->len; i++) {
        const char *tex = record->refs->pdata[i];
        const gboolean is_graph = tg_is_label_graph(tex);
        g_autofree char *fault =
            is_graph ? tg_crohme_label_graph_fault(tex) : tg_causes_first_fault(tex);

        check->n_refs++;
        check->n_graphs += is_graph;
        if (fault == NULL)
            continue;
        check->n_bad++;
        tg_causes_add_ref(check->causes, record, fault);
        g_autofree char *line =
            g_strdup_printf("%s:%" G_GSIZE_FORMAT ": %s%s%s%s%s\n", record->file, record->line,
                            record->id != NULL ? record->id : "", record->id != NULL ? ": " : "",
                            fault, is_graph ? "" : "\n    ", is_graph ? "" : tex);
        check_print(line);
    }
}

static int check_refs(const EvalArgs *eval, char **inputs)
{
    const TgSourceOptions options = {
        .format = eval->run.source.format,
        .maps = eval->run.source.maps,
        .allow_duplicates = eval->run.source.allow_duplicates,
        .refs_only = TRUE,
    };
    GError *error = NULL;

    if (*inputs == NULL)
        return cli_usage("--check needs INPUT files, which hold the references");
    g_autoptr(TgSource) source = tg_source_open((const char *const *) inputs, &options, &error);
    g_autoptr(TgCauses) causes = tg_causes_new();
    g_auto(TgRecord) record = { 0 };
    Check check = { .causes = causes };

    while (source != NULL && tg_source_next(source, &record, &error) == TG_NEXT_ROW)
        check_record(&check, &record);
    if (error != NULL)
        return cli_fail(error);
    tg_causes_report(causes, TRUE, cli_remark, NULL);
    tg_causes_report(causes, FALSE, cli_remark, NULL);
    if (check.n_refs + check.n_bad == 0)
        return cli_fail(
            g_error_new_literal(TG_ERROR, TG_ERROR_INPUT, "the inputs hold no references"));
    if (check.n_bad > 0)
        return EXIT_INPUT;
    printf("%" G_GUINT64_FORMAT " reference%s can be read%s\n", check.n_refs,
           tg_plural(check.n_refs),
           check.n_graphs == 0              ? " and typeset"
           : check.n_graphs == check.n_refs ? " as label graphs"
                                            : ", as label graphs or typeset");
    return EXIT_DONE;
}

/* ---- the command ---- */

static int run(CliCall *call)
{
    EvalArgs *eval = call->values;

    cli_form_complete(call, &eval->format.form);
    if (eval->check)
        return cli_check_mode(call, TG_MODE_CHECK, "is not for --check, which scores nothing")
                   ? check_refs(eval, call->words)
                   : EXIT_USAGE;
    if (eval->add != NULL)
        return cli_check_mode(call, TG_MODE_ADD, "is not for --add: the pairs are the results'")
                   ? add_metrics(eval, call->words)
                   : EXIT_USAGE;
    TgEvalOptions *run = &eval->run;
    GError *error = NULL;

    /* Results without --metrics: their summary, that of the run where they are all its shards. */
    if (run->metrics == NULL && tg_results_recognize_all((const char *const *) call->words)) {
        if (!cli_check_mode(call, TG_MODE_RESULTS,
                            "acts when pairs are scored: these are results already; name "
                            "--metrics to score them again, or --add to add some"))
            return EXIT_USAGE;
        TgSummary *summary =
            tg_eval_merge((const char *const *) call->words, &run->summary, &error);
        return print_finished(eval, summary, error);
    }
    if (run->metrics == NULL)
        run->metrics = run->pages != NULL ? "omnidocbench" : "default";
    run->inputs = *call->words != NULL ? (const char *const *) call->words : NULL;
    if (!check_scoring(eval, call->words, &error)) {
        const int status = cli_usage(error->message);
        g_error_free(error);
        return status;
    }
    if (run->output == NULL && run->inputs != NULL && g_strv_contains(run->inputs, "-"))
        run->output = "-"; /* a stage of a pipe */
    return score_inputs(call, eval);
}

const CliCommand cmd_eval = {
    "eval",
    "score the pairs in files with one or more metrics",
    "[MODEL=]INPUT... | --gt FILE --pred [MODEL=]FILE... | --gt FILE --pages [MODEL=]FOLDER...",
    "An INPUT holds references and predictions; '-' reads JSON lines from stdin and writes "
    "each row as soon as it is scored. --gt and --pred join separate files by id, or by line "
    "if they have no ids. --gt and --pages match folders of Markdown pages with their "
    "references, as OmniDocBench 1.6 does.\n"
    "Prints a summary per model and subset. Without --metrics it scores pairs with cdm, forte, "
    "edit, bleu and exprate, and pages with OmniDocBench's metrics, averaged over pages.\n"
    "Given results files, it prints their summary again; shards of one run are combined.",
    "texgauge eval predictions.json\n"
    "texgauge eval -m bleu,edit --gt truth.csv --pred A=a.json --pred B=b.txt\n"
    "texgauge eval --metrics cer --map gt=latex_true,pred=latex_pred -o out.jsonl set.csv\n"
    "texgauge eval --metrics bleu:smooth=nltk4:tokenize=words,exprate crohme.json\n"
    "texgauge eval --gt OmniDocBench.json --pages A=a/ --pages B=b/ -o results.jsonl\n"
    "texgauge eval --add forte results.jsonl\n"
    "texgauge eval --metrics chrf --shard 3/8 -o part3.jsonl big.jsonl.zst\n"
    "texgauge eval part1.jsonl part2.jsonl part3.jsonl --summary md\n"
    "texgauge eval --check truths.jsonl\n"
    "zcat pairs.jsonl.gz | texgauge eval --metrics edit - | jq .scores.edit",
    "Exit status: 0 success, also if pairs could not be scored (the results say so); 2 usage "
    "error; 3 an input is missing, corrupt or has unreadable rows (--check: or references that "
    "cannot be typeset); 4 any other error.\n"
    "See docs/reference/formats.md for formats and field names, docs/reference/results.md for "
    "the results.",
    args,
    sizeof(EvalArgs),
    .run = run,
    .words_are_files = TRUE,
};
