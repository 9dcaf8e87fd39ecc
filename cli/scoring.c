#include "cli/scoring.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/progress.h"

#include "core/fail.h"
#include "eval/run/run.h"

void cli_scoring_clear(CliScoring *scoring)
{
    g_free(scoring->metrics);
    g_strfreev(scoring->truths);
    g_strfreev(scoring->predictions);
    g_free(scoring->format);
    g_strfreev(scoring->maps);
    g_strfreev(scoring->human);
    g_free(scoring->ratings);
    g_free(scoring->columns);
    g_free(scoring->model);
    g_free(scoring->delimiters);
    g_free(scoring->clean);
    g_free(scoring->tokens);
    g_free(scoring->undefined);
    g_strfreev(scoring->kept);
    memset(scoring, 0, sizeof *scoring);
}

gboolean cli_scoring_parse(int argc, char **argv, const GOptionEntry *entries, CliScoring *s,
                           const char *usage, const char *summary, const char *examples,
                           char ***rest, int *status)
{
    g_auto(GStrv) metrics = NULL;
    const GOptionEntry scoring[] = {
        { "metrics", 'm', 0, G_OPTION_ARG_FILENAME_ARRAY, &metrics,
          "metrics and sets of them, comma-separated: NAME, NAME:OPTION=VALUE, LABEL=NAME:..., "
          "text, drawn, all; may be repeated",
          "LIST" },
        { "gt", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &s->truths,
          "file of truths, joined with --pred; may be repeated", "FILE" },
        { "pred", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &s->predictions,
          "file of a model's predictions, joined with --gt; may be repeated", "[MODEL=]FILE" },
        { "format", 'f', 0, G_OPTION_ARG_STRING, &s->format, "format of the inputs (default: auto)",
          "NAME" },
        { "map", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &s->maps,
          "field names: gt=F,pred=F,id=F,subset=F,model=F,human=F; a dot descends into an object",
          "MAP" },
        { "human", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &s->human,
          "a group of raters and its fields; may be repeated", "GROUP=F,F" },
        { "ratings", 0, 0, G_OPTION_ARG_FILENAME, &s->ratings,
          "file with the human scores by id, or one score a row: id, rater, score", "FILE" },
        { "columns", 0, 0, G_OPTION_ARG_FILENAME, &s->columns,
          "fields of the input to store in the results (default: all other numbers and short "
          "texts; '': none)",
          "F,F" },
        { "model", 0, 0, G_OPTION_ARG_FILENAME, &s->model, "model of rows that name none", "NAME" },
        { "delimiters", 0, 0, G_OPTION_ARG_STRING, &s->delimiters,
          "outer $ $$ \\( \\[ equation ...: strip (default) or keep", "RULE" },
        { "clean", 0, 0, G_OPTION_ARG_STRING, &s->clean, CLI_CLEAN_HELP, "RULES" },
        { "tokens", 0, 0, G_OPTION_ARG_STRING, &s->tokens,
          "ids: formulas are token ids, as text or JSON lists (use tokenize=words)", "KIND" },
        { "undefined", 0, 0, G_OPTION_ARG_STRING, &s->undefined,
          "pairs that cannot be scored: worst, skip or stop (default: set by the metric)", "RULE" },
        { "pair-timeout", 0, 0, G_OPTION_ARG_DOUBLE, &s->pair_timeout,
          "time for a pair; what takes longer is too-long (default: no bound)", "SECONDS" },
        { "threads", 't', 0, G_OPTION_ARG_INT, &s->threads,
          "worker threads (default: one per processor)", "N" },
        { "percent", 0, 0, G_OPTION_ARG_NONE, &s->percent,
          "show scores that are shares of 1 from 0 to 100", NULL },
        { "digits", 0, 0, G_OPTION_ARG_INT, &s->digits, "decimal places of scores", "N" },
        { "allow-duplicates", 0, 0, G_OPTION_ARG_NONE, &s->allow_duplicates,
          "do not check for duplicate ids", NULL },
        { "quiet", 'q', 0, G_OPTION_ARG_NONE, &s->quiet, "no progress line, no notes", NULL },
        { NULL },
    };
    s->digits = CLI_NO_DIGITS;
    g_autoptr(GArray) all = g_array_new(TRUE, TRUE, sizeof(GOptionEntry));

    g_array_append_vals(all, scoring, 1); /* what with comes first, the rest last */
    for (guint i = 0; entries[i].long_name != NULL; i++)
        g_array_append_val(all, entries[i]);
    g_array_append_vals(all, scoring + 1, G_N_ELEMENTS(scoring) - 2);
    if (!cli_parse(argc, argv, (const GOptionEntry *) (void *) all->data, usage, summary, examples,
                   rest, status))
        return FALSE;
    if (metrics != NULL)
        s->metrics = g_strjoinv(",", metrics);
    if (s->format != NULL && strcmp(s->format, "auto") == 0)
        g_clear_pointer(&s->format, g_free);
    return TRUE;
}

gboolean cli_scoring_form(const CliScoring *scoring, const char *style, TgGridForm *form,
                          GError **error)
{
    return cli_grid_form(style, scoring->percent, scoring->digits, form, error);
}

static gboolean parse_delimiters(const char *text, TgEvalOptions *options, GError **error)
{
    if (text == NULL || strcmp(text, "strip") == 0)
        return TRUE;
    options->keep_delimiters = strcmp(text, "keep") == 0;
    return options->keep_delimiters ||
           tg_fail_usage(error, "--delimiters takes strip or keep, not '%s'", text);
}

gboolean cli_scoring_fill(CliScoring *scoring, char **inputs, TgEvalOptions *options,
                          GError **error)
{
    if (scoring->metrics == NULL)
        return tg_fail_usage(error, "--metrics is required; 'texgauge metrics' lists the metrics");
    if (scoring->truths != NULL && *inputs != NULL)
        return tg_fail_usage(error, "--gt is used with --pred, not with another input ('%s')",
                             *inputs);
    if (scoring->predictions != NULL && scoring->truths == NULL)
        return tg_fail_usage(error, "--pred %s needs a --gt to join with", *scoring->predictions);
    if (scoring->truths == NULL && *inputs == NULL)
        return tg_fail_usage(error, "no input: give files, '-' for stdin, or --gt and --pred");
    if (!(scoring->pair_timeout >= 0 && scoring->pair_timeout <= G_MAXDOUBLE))
        return tg_fail_usage(error, "--pair-timeout takes a number of seconds");
    if (scoring->threads < 0 || scoring->threads > 1024)
        return tg_fail_usage(error, "--threads must be 0 to 1024");

    if (scoring->tokens != NULL && strcmp(scoring->tokens, "ids") != 0)
        return tg_fail_usage(error, "--tokens takes ids, not '%s'", scoring->tokens);

    options->metrics = scoring->metrics;
    options->inputs = *inputs != NULL ? (const char *const *) inputs : NULL;
    options->truths = (const char *const *) scoring->truths;
    options->predictions = (const char *const *) scoring->predictions;
    options->format = scoring->format;
    options->maps = (const char *const *) scoring->maps;
    options->human = (const char *const *) scoring->human;
    options->ratings = scoring->ratings;
    if (scoring->columns != NULL && scoring->kept == NULL)
        scoring->kept = g_strsplit(scoring->columns, ",", -1);
    options->columns = (const char *const *) scoring->kept;
    options->model = scoring->model;
    options->token_ids = scoring->tokens != NULL;
    options->clean = scoring->clean;
    options->allow_duplicates = scoring->allow_duplicates;
    options->threads = (guint) scoring->threads;
    options->pair_timeout = scoring->pair_timeout;
    return parse_delimiters(scoring->delimiters, options, error) &&
           (scoring->undefined == NULL ||
            cli_parse_undefined(scoring->undefined, &options->undefined, error));
}

typedef struct {
    CliProgress progress;
} Watch;

static gboolean on_progress(const TgProgress *state, gpointer data)
{
    cli_progress_update(&((Watch *) data)->progress, state);
    return TRUE;
}

static void on_fault(const char *message, gpointer data)
{
    Watch *watch = data;

    cli_progress_clear(&watch->progress);
    cli_message("texgauge: %s", message);
}

TgSummary *cli_scoring_run(const CliScoring *scoring, TgEvalOptions *options, guint64 *n_faults,
                           GError **error)
{
    Watch watch = { 0 };

    options->progress = on_progress;
    options->fault = on_fault;
    options->note = scoring->quiet ? NULL : on_fault;
    options->data = &watch;
    cli_progress_start(&watch.progress, scoring->quiet);
    TgSummary *summary = tg_eval_run(options, n_faults, error);
    cli_progress_clear(&watch.progress);
    return summary;
}

/* Add to the fields to keep those of @also, but for what is there already. */
static void keep_also(CliScoring *scoring, const char *const *also)
{
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();

    if (also == NULL)
        return;
    if (scoring->columns != NULL) {
        g_auto(GStrv) asked = g_strsplit(scoring->columns, ",", -1);
        g_strv_builder_addv(names, (const char **) asked);
    }
    for (guint i = 0; also[i] != NULL; i++) {
        g_auto(GStrv) so_far = g_strv_builder_end(names);
        g_strv_builder_addv(names, (const char **) so_far);
        if (!g_strv_contains((const char *const *) so_far, also[i]))
            g_strv_builder_add(names, also[i]);
    }
    g_strfreev(scoring->kept);
    scoring->kept = g_strv_builder_end(names);
}

gboolean cli_scoring_check_unused(const CliScoring *s, GError **error)
{
    const struct {
        const char *name;
        gboolean is_given;
    } options[] = {
        { "gt", s->truths != NULL },
        { "pred", s->predictions != NULL },
        { "format", s->format != NULL },
        { "map", s->maps != NULL },
        { "human", s->human != NULL },
        { "ratings", s->ratings != NULL },
        { "model", s->model != NULL },
        { "delimiters", s->delimiters != NULL },
        { "clean", s->clean != NULL },
        { "tokens", s->tokens != NULL },
        { "undefined", s->undefined != NULL },
        { "pair-timeout", s->pair_timeout != 0 },
        { "allow-duplicates", s->allow_duplicates },
    };

    for (guint i = 0; i < G_N_ELEMENTS(options); i++)
        if (options[i].is_given)
            return tg_fail_usage(error, "--%s acts when pairs are scored: name --metrics as well",
                                 options[i].name);
    return TRUE;
}

gboolean cli_scoring_check_output(const CliScoring *scoring, char *const *inputs, const char *path,
                                  GError **error)
{
    char *const ratings[] = { scoring->ratings, NULL };
    char *const *const lists[] = { inputs, scoring->truths, scoring->predictions, ratings };

    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        if (!tg_output_is_no_input(path, (const char *const *) lists[i], error))
            return FALSE;
    return TRUE;
}

char *cli_temporary_results(GError **error)
{
    char *path = NULL;
    const gint file = g_file_open_tmp("texgauge-XXXXXX.jsonl", &path, error);

    if (file >= 0) {
        close(file);
        tg_output_remember(path);
    }
    return path;
}

gboolean cli_results_get(CliResults *results, CliScoring *scoring, char **inputs,
                         const char *const *also_kept, GError **error)
{
    TgEvalOptions options = { 0 };
    guint64 n_faults;

    if (scoring->metrics == NULL) {
        if (scoring->truths != NULL || scoring->predictions != NULL)
            return tg_fail_usage(error, "--gt and --pred need --metrics to be scored with");
        if (*inputs == NULL)
            return tg_fail_usage(error,
                                 "no input: give results files, or --metrics and files to score");
        if (!cli_scoring_check_unused(scoring, error))
            return FALSE;
        results->paths = g_strdupv(inputs);
        return TRUE;
    }
    keep_also(scoring, also_kept);
    if (!cli_scoring_fill(scoring, inputs, &options, error))
        return FALSE;
    results->temporary = cli_temporary_results(error);
    if (results->temporary == NULL)
        return FALSE;
    options.output = results->temporary;
    g_autoptr(TgSummary) summary = cli_scoring_run(scoring, &options, &n_faults, error);
    if (summary == NULL)
        return FALSE;
    results->paths = g_new0(char *, 2);
    results->paths[0] = g_strdup(results->temporary);
    return TRUE;
}

void cli_temporary_remove(const char *path)
{
    if (path == NULL)
        return;
    g_unlink(path);
    tg_output_forget(path);
}

void cli_results_clear(CliResults *results)
{
    cli_temporary_remove(results->temporary);
    g_free(results->temporary);
    g_strfreev(results->paths);
    memset(results, 0, sizeof *results);
}
