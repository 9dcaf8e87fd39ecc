/* texgauge compare: compares models with each other and with thresholds. */
#include "cli/cli.h"

#include "eval/options/options.h"

typedef struct {
    TgCompareOptions compare;
    TgGateOptions gate;
    TgGridForm form;
    gboolean quiet;
} CompareArgs;

#define AT(member) G_STRUCT_OFFSET(CompareArgs, member)

static const TgArg args[] = {
    { "fail-under", TG_ARG_LIST, AT(gate.fail_under),
      "exit with 1 if a model is worse than VALUE in this column; repeatable", "COLUMN=VALUE",
      .modes = TG_MODE_GATE, .group = "Thresholds" },
    { "baseline", TG_ARG_FILE, AT(gate.baseline),
      "exit with 1 if a model is worse than these results", "FILE", .modes = TG_MODE_GATE,
      .file = TG_ARG_READS },
    { "tolerance", TG_ARG_LIST, AT(gate.tolerances),
      "how much worse it may be, in all columns or in one; repeatable", "[COLUMN=]NUMBER",
      .modes = TG_MODE_GATE },
    { .kind = TG_ARG_TABLE, .offset = AT(compare), .table = tg_compare_args },
    { .kind = TG_ARG_TABLE, .offset = AT(form), .table = tg_style_args },
    CLI_QUIET(CompareArgs),
    { 0 },
};

static int run(CliCall *call)
{
    static const char *const none[] = { NULL };
    CompareArgs *w = call->values;
    const char *const *paths = (const char *const *) call->words;
    GError *error = NULL;

    if (*paths == NULL)
        return cli_usage("no input: give results files of eval");
    if (w->gate.tolerances != NULL && w->gate.baseline == NULL)
        return cli_usage("--tolerance needs --baseline");
    if (w->gate.fail_under != NULL || w->gate.baseline != NULL) {
        w->gate.mean = w->compare.mean;
        w->gate.table =
            w->compare.table; /* all columns, of which thresholds name those they want */
        g_autofree char *report = NULL;
        gboolean passed;

        if (!cli_check_mode(call, TG_MODE_GATE, "is about comparisons, not thresholds"))
            return EXIT_USAGE;
        if (!tg_gate_check(paths, &w->gate, &report, &passed, &error))
            return cli_fail(error);
        const int status = cli_print(report);
        return status != EXIT_DONE ? status : passed ? EXIT_DONE : EXIT_THRESHOLD;
    }
    if (w->compare.table.stored == NULL)
        w->compare.table.stored = none;
    cli_form_complete(call, &w->form);
    cli_progress_start(w->quiet);
    w->compare.listener.tell = cli_progress_stage;
    g_autoptr(TgComparison) done = tg_compare_run(paths, &w->compare, &error);
    if (done == NULL)
        return cli_fail(error);
    g_autofree char *text = tg_comparison_format(done, &w->form);
    if (w->form.style == TG_GRID_CSV) /* CSV has no notes */
        cli_remarks(done->table->remarks);
    return cli_print(text);
}

const CliCommand cmd_compare = {
    "compare",
    "compare models on the same pairs, or check them against thresholds",
    "[MODEL=]RESULTS...",
    "RESULTS is a file that 'texgauge eval -o' wrote; each of several files is a model.\n"
    "For every metric, over all pairs and per subset, it prints the difference from the base "
    "model, the verdict, its confidence interval by the paired bootstrap, the p-value by "
    "approximate randomization with Holm's correction, the effect size, and the pairs that "
    "differ most.\n"
    "With --fail-under or --baseline it checks every model against thresholds instead and "
    "exits with 1 if a model does not meet one.",
    "texgauge compare results.jsonl\n"
    "texgauge compare old.jsonl new.jsonl --summary md\n"
    "texgauge compare new.jsonl --fail-under edit=0.95 --fail-under cer=0.04\n"
    "texgauge compare new.jsonl --baseline old.jsonl --tolerance 0.005",
    "See docs/how-to/compare-models.md.",
    args,
    sizeof(CompareArgs),
    .run = run,
    .words_are_files = TRUE,
};
