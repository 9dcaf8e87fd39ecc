/* texgauge eval: files of pairs -> results and a summary. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"

#define MAX_SHOWN_FAULTS 20

/* What the options say, before it is checked. */
typedef struct {
    char *metrics;
    char **truths;
    char **predictions;
    char *format;
    char **maps;
    char **human;
    char *columns;
    char *delimiters;
    char *output;
    char *summary;
    char *undefined;
    char *shard;
    gint threads;
    gint digits;
    gint max_line_mb;
    gboolean resume, detail, percent, all, quiet, replace_bad_bytes, allow_duplicates;
} Words;

static void words_clear(Words *words)
{
    g_free(words->metrics);
    g_strfreev(words->truths);
    g_strfreev(words->predictions);
    g_free(words->format);
    g_strfreev(words->maps);
    g_strfreev(words->human);
    g_free(words->columns);
    g_free(words->delimiters);
    g_free(words->output);
    g_free(words->summary);
    g_free(words->undefined);
    g_free(words->shard);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Words, words_clear)

typedef struct {
    CliProgress progress;
    gint n_faults; /* atomic */
} Watch;

static void on_progress(const TgProgress *state, gpointer data)
{
    cli_progress_update(&((Watch *) data)->progress, state);
}

static void on_fault(const char *message, gpointer data)
{
    Watch *watch = data;
    const gint before = g_atomic_int_add(&watch->n_faults, 1);

    if (before >= MAX_SHOWN_FAULTS)
        return;
    cli_progress_clear(&watch->progress);
    fprintf(stderr, "texgauge: %s\n", message);
    if (before + 1 == MAX_SHOWN_FAULTS)
        fprintf(stderr, "texgauge: further faults are only counted; the results name them all\n");
}

G_GNUC_PRINTF(2, 3)
static gboolean wrong(GError **error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    *error = g_error_new_valist(TG_ERROR, TG_ERROR_USAGE, format, args);
    va_end(args);
    return FALSE;
}

static gboolean parse_shard(const char *text, TgEvalOptions *options, GError **error)
{
    guint index, of;
    char rest;

    if (text == NULL)
        return TRUE;
    if (sscanf(text, "%6u/%6u%c", &index, &of, &rest) != 2 || index < 1 || index > of)
        return wrong(error, "--shard takes K/N with 1 <= K <= N, not '%s'", text);
    options->shard = index;
    options->n_shards = of;
    return TRUE;
}

static gboolean parse_delimiters(const char *text, TgEvalOptions *options, GError **error)
{
    if (text == NULL || strcmp(text, "strip") == 0)
        return TRUE;
    options->keep_delimiters = strcmp(text, "keep") == 0;
    return options->keep_delimiters ||
           wrong(error, "--delimiters takes strip or keep, not '%s'", text);
}

static gboolean fill_options(const Words *words, char **inputs, TgEvalOptions *options,
                             TgSummaryFormat *format, char ***columns, GError **error)
{
    if (words->metrics == NULL)
        return wrong(error, "--metrics names what to score with; 'texgauge metrics' lists them");
    if (words->truths != NULL && *inputs != NULL)
        return wrong(error, "--gt goes with --pred, not with another input ('%s')", *inputs);
    if (words->predictions != NULL && words->truths == NULL)
        return wrong(error, "--pred %s needs a --gt to be joined with", *words->predictions);
    if (words->truths == NULL && *inputs == NULL)
        return wrong(error, "no input; name files, '-' for stdin, or --gt and --pred");
    if (words->threads < 0 || words->threads > 1024 || words->max_line_mb < 0)
        return wrong(error, "--threads is 0 to 1024, --max-line is positive");

    options->metrics = words->metrics;
    options->inputs = *inputs != NULL ? (const char *const *) inputs : NULL;
    options->truths = (const char *const *) words->truths;
    options->predictions = (const char *const *) words->predictions;
    options->format = words->format;
    options->maps = (const char *const *) words->maps;
    options->human = (const char *const *) words->human;
    if (words->columns != NULL)
        *columns = g_strsplit(words->columns, ",", -1);
    options->columns = (const char *const *) *columns;
    options->replace_bad_bytes = words->replace_bad_bytes;
    options->allow_duplicates = words->allow_duplicates;
    options->max_line = (gsize) words->max_line_mb << 20;
    options->output = words->output;
    options->resume = words->resume;
    options->detail = words->detail;
    options->threads = (guint) words->threads;
    if (options->output == NULL && options->inputs != NULL && g_strv_contains(options->inputs, "-"))
        options->output = "-"; /* a stage of a pipe */
    format->percent = words->percent;
    format->digits = words->digits;
    format->all = words->all;
    return parse_shard(words->shard, options, error) &&
           parse_delimiters(words->delimiters, options, error) &&
           (words->undefined == NULL ||
            cli_parse_undefined(words->undefined, &options->undefined, error)) &&
           (words->summary == NULL ||
            tg_summary_style_parse(words->summary, &format->style, error));
}

/* Rows on stdout leave the summary only stderr, and only when it was asked for. */
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

static int evaluate(const Words *words, char **inputs)
{
    TgEvalOptions options = { 0 };
    TgSummaryFormat format = { 0 };
    Watch watch = { 0 };
    GError *error = NULL;
    guint64 n_faults = 0;
    g_auto(GStrv) columns = NULL;

    if (!fill_options(words, inputs, &options, &format, &columns, &error)) {
        g_autofree char *message = g_strdup(error->message);
        g_error_free(error);
        return cli_usage("eval", message);
    }
    options.progress = on_progress;
    options.fault = on_fault;
    options.data = &watch;
    cli_progress_start(&watch.progress, words->quiet);
    g_autoptr(TgSummary) summary = tg_eval_run(&options, &n_faults, &error);
    cli_progress_clear(&watch.progress);
    if (summary == NULL)
        return cli_fail(error);

    const gboolean rows_on_stdout = options.output != NULL && strcmp(options.output, "-") == 0;
    const int status = print_summary(summary, &format, rows_on_stdout, words->summary != NULL);
    if (options.output != NULL && !rows_on_stdout && !words->quiet)
        fprintf(stderr, "results: %s\n", options.output);
    if (n_faults > 0)
        fprintf(stderr,
                "texgauge: %" G_GUINT64_FORMAT
                " rows could not be read as pairs; they are in the results with a status\n",
                n_faults);
    return status != EXIT_DONE ? status : n_faults > 0 ? EXIT_INPUT : EXIT_DONE;
}

static const char summary_text[] =
    "Scores every pair of the inputs and prints a summary per model and subset. An INPUT holds\n"
    "truth and prediction side by side; --gt and --pred join separate files by id, or by line\n"
    "where there are no ids. '-' reads JSON lines from stdin and writes each row when it is "
    "scored.";

static const char examples_text[] =
    "Examples:\n"
    "  texgauge eval --metrics bleu,edit,exprate predictions.json\n"
    "  texgauge eval --metrics cer --map gt=latex_true,pred=latex_pred -o results.jsonl set.csv\n"
    "  texgauge eval --metrics bleu --gt truth.csv --pred A=a.json --pred B=b.txt --summary latex\n"
    "  texgauge eval --metrics bleu:smooth=nltk4:tokenize=words,exprate --percent crohme.json\n"
    "  texgauge eval --metrics chrf --shard 3/8 -o part3.jsonl big.jsonl.zst\n"
    "  zcat pairs.jsonl.gz | texgauge eval --metrics edit - | jq .scores.edit\n"
    "\n"
    "Exit codes: 0 done (pairs without a score are in the results), 1 threshold not met,\n"
    "2 wrong call, 3 input missing or broken or rows unreadable, 4 anything of ours.\n"
    "Formats and field names: docs/formats.md. Results: docs/results.md.";

int cmd_eval(int argc, char **argv)
{
    g_auto(Words) w = { 0 };
    g_auto(GStrv) inputs = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "metrics", 'm', 0, G_OPTION_ARG_FILENAME, &w.metrics,
          "comma-separated: name, name:option=value, or label=name:...", "LIST" },
        { "gt", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &w.truths, "file of truths, to join", "FILE" },
        { "pred", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &w.predictions,
          "file of one model's predictions, to join; repeat for more", "[MODEL=]FILE" },
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &w.output,
          "write a row per pair to FILE ('-': stdout)", "FILE" },
        { "resume", 0, 0, G_OPTION_ARG_NONE, &w.resume, "go on with an interrupted output", NULL },
        { "summary", 0, 0, G_OPTION_ARG_STRING, &w.summary,
          "table, json, csv, md or latex (default: table)", "STYLE" },
        { "percent", 0, 0, G_OPTION_ARG_NONE, &w.percent, "show 0 to 1 as 0 to 100", NULL },
        { "digits", 0, 0, G_OPTION_ARG_INT, &w.digits, "decimals in the table", "N" },
        { "all", 'a', 0, G_OPTION_ARG_NONE, &w.all,
          "every column in the table, not each metric's first", NULL },
        { "detail", 0, 0, G_OPTION_ARG_NONE, &w.detail, "write what metrics know per pair", NULL },
        { "format", 'f', 0, G_OPTION_ARG_STRING, &w.format,
          "how to read the inputs (default: auto)", "NAME" },
        { "map", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &w.maps,
          "gt=F,pred=F,id=F,subset=F,model=F,human=F: field names; dots go into objects", "MAP" },
        { "human", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &w.human,
          "a group of raters and its fields; repeat for more", "GROUP=F,F" },
        { "columns", 0, 0, G_OPTION_ARG_FILENAME, &w.columns,
          "stored fields to keep in the results", "F,F" },
        { "delimiters", 0, 0, G_OPTION_ARG_STRING, &w.delimiters,
          "outer $ $$ \\( \\[ equation ...: strip (default) or keep", "RULE" },
        { "undefined", 0, 0, G_OPTION_ARG_STRING, &w.undefined,
          "pairs that cannot be scored: worst, skip, stop (default: each metric's)", "RULE" },
        { "threads", 't', 0, G_OPTION_ARG_INT, &w.threads, "default: one per processor", "N" },
        { "shard", 0, 0, G_OPTION_ARG_STRING, &w.shard, "score only part K of N", "K/N" },
        { "replace-bad-bytes", 0, 0, G_OPTION_ARG_NONE, &w.replace_bad_bytes,
          "read bytes that are not UTF-8 as U+FFFD", NULL },
        { "allow-duplicates", 0, 0, G_OPTION_ARG_NONE, &w.allow_duplicates,
          "do not look for ids that occur twice", NULL },
        { "max-line", 0, 0, G_OPTION_ARG_INT, &w.max_line_mb, "longest line (default: 64)", "MB" },
        { "quiet", 'q', 0, G_OPTION_ARG_NONE, &w.quiet, "no progress, no remarks", NULL },
        { NULL },
    };

    if (!cli_parse(argc, argv, entries, "INPUT... | --gt FILE --pred [MODEL=]FILE...", summary_text,
                   examples_text, &inputs, &status))
        return status;
    if (w.format != NULL && strcmp(w.format, "auto") == 0)
        g_clear_pointer(&w.format, g_free);
    return evaluate(&w, inputs);
}
