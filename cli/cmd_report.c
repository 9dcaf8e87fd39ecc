/* texgauge report: results files to a report. */
#include "cli/cli.h"

#include "core/files/datadir.h"
#include "eval/options/options.h"

typedef struct {
    TgReportOptions report;
    const char *const *outputs;
    gboolean quiet;
} ReportArgs;

#define AT(member) G_STRUCT_OFFSET(ReportArgs, member)

static const TgArg args[] = {
    { "output", TG_ARG_LIST, AT(outputs), "file to write, .html or .md; repeatable", "FILE",
      .letter = 'o', .file = TG_ARG_WRITES, .group = "Report" },
    { .kind = TG_ARG_TABLE, .offset = AT(report), .table = tg_report_args },
    { .kind = TG_ARG_TABLE, .offset = AT(report.form), .table = tg_form_args },
    CLI_QUIET(ReportArgs),
    { 0 },
};

/* The inputs with the `.jsonl` files of a folder in its place, by name. (transfer full) */
static char **expand_folders(char *const *inputs)
{
    GPtrArray *paths = g_ptr_array_new();

    for (guint i = 0; inputs[i] != NULL; i++) {
        g_autoptr(GError) no_folder = NULL;
        g_autoptr(GPtrArray) names = tg_folder_names(inputs[i], ".jsonl", &no_folder);

        if (no_folder != NULL)
            g_ptr_array_add(paths, g_strdup(inputs[i]));
        for (guint k = 0; k < names->len; k++)
            g_ptr_array_add(paths, g_build_filename(inputs[i], names->pdata[k], NULL));
    }
    g_ptr_array_add(paths, NULL);
    return (char **) g_ptr_array_free(paths, FALSE);
}

static int run(CliCall *call)
{
    static const char *const none[] = { NULL };
    ReportArgs *w = call->values;
    cli_take_ratings(call);
    g_auto(GStrv) inputs = expand_folders(call->words);
    const char *const *paths = (const char *const *) inputs;
    GError *error = NULL;

    if (w->outputs == NULL)
        return cli_usage("-o FILE is required, such as report.html");
    if (*paths == NULL)
        return cli_usage("no input: give results files of eval");
    for (guint i = 0; paths[i] != NULL; i++)
        tg_run_files_note(paths[i]); /* also files in folders */
    if (!tg_report_check_outputs(w->outputs, w->report.table.force ? NULL : CLI_FORCE_ADVICE,
                                 &error))
        return cli_fail(error);
    if (w->report.table.stored == NULL)
        w->report.table.stored = none;
    cli_form_complete(call, &w->report.form);
    w->report.form.width = 0;
    w->report.listener.tell = cli_progress_stage;
    cli_progress_start(w->quiet);
    g_autoptr(TgReport) report = tg_report_new(paths, &w->report, &error);
    if (report == NULL)
        return cli_fail(error);
    if (!w->quiet)
        cli_remarks(tg_report_remarks(report));
    for (guint i = 0; w->outputs[i] != NULL; i++) {
        if (!tg_report_write(report, w->outputs[i], &error))
            return cli_fail(error);
        if (!w->quiet)
            cli_message("report: %s", w->outputs[i]);
    }
    return EXIT_DONE;
}

const CliCommand cmd_report = {
    "report",
    "write a report of results as an HTML page or as Markdown",
    "[MODEL=]RESULTS... -o FILE",
    "RESULTS is a file that 'texgauge eval -o' wrote, or a folder of such files; each of "
    "several files is a model.\n"
    "The report shows which model is better and whether the difference is significant, the "
    "frequent errors, what changed between models, every pair with its drawing, and the "
    "agreement of metrics with human scores. The HTML page is a single file that loads nothing "
    "else.",
    "texgauge report results.jsonl -o report.html\n"
    "texgauge report a.jsonl b.jsonl -o report.html -o report.md --title 'Two models'\n"
    "texgauge report runs/ -o leaderboard.html",
    "See docs/how-to/write-a-report.md.",
    args,
    sizeof(ReportArgs),
    .run = run,
    .words_are_files = TRUE,
};
