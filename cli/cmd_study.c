/* texgauge study: correlates metrics with human scores. */
#include "cli/cli.h"

#include "eval/options/options.h"
#include "eval/results/ratings.h"

typedef struct {
    TgStudyOptions study;
    TgPlanOptions plan;
    gboolean is_plan;
    TgGridForm form;
    const char *const *parts;
    gboolean quiet;
} StudyArgs;

#define AT(member) G_STRUCT_OFFSET(StudyArgs, member)

static const TgArg args[] = {
    { .kind = TG_ARG_TABLE, .offset = AT(study), .table = tg_study_args },
    { "plan", TG_ARG_FLAG, AT(is_plan),
      "instead say how many pairs a study needs, by these results or --assume", .group = "Plan" },
    { "pairs", TG_ARG_NAMES, AT(plan.pairs), "numbers of pairs (default: 50,100,200)", "N,N",
      .modes = TG_MODE_PLAN, .group = "Plan" },
    { "raters", TG_ARG_COUNT, AT(plan.raters), "raters of each pair (default: 3)", "N",
      .modes = TG_MODE_PLAN },
    { "assume", TG_ARG_TEXT, AT(plan.assume),
      "correlation of a metric with what pairs are worth, noise of a rater, correlation between "
      "metrics, instead of those in the results",
      "r=R,noise=N,between=R", .modes = TG_MODE_PLAN },
    { "parts", TG_ARG_NAMES, AT(parts),
      "parts to print: correlations, systems, comparisons, raters, preferences, spellings "
      "(default: all)",
      "LIST", .group = "Output" },
    { .kind = TG_ARG_TABLE, .offset = AT(form), .table = tg_style_args },
    CLI_QUIET(StudyArgs),
    { 0 },
};

/* How many pairs a study needs; without results all is assumed. */
static int print_plan(CliCall *call, StudyArgs *w)
{
    const char *const *paths = (const char *const *) call->words;
    GError *error = NULL;
    g_autoptr(TgTable) table =
        *paths != NULL ? tg_table_read(paths, &w->study.table, &error) : NULL;

    w->plan.seed = w->study.seed;
    w->plan.level = w->study.level;
    g_autofree char *text =
        error == NULL ? tg_plan_format(table, &w->plan, &w->form, &error) : NULL;
    return text != NULL ? cli_print(text) : cli_fail(error);
}

static int run(CliCall *call)
{
    static const char *const none[] = { NULL };
    StudyArgs *w = call->values;
    GError *error = NULL;

    cli_take_ratings(call);
    if (*call->words == NULL && !w->is_plan)
        return cli_usage("no input: give results files of eval");
    if (!w->is_plan && !cli_check_mode(call, TG_MODE_STUDY, "is for --plan"))
        return EXIT_USAGE;
    if (!tg_study_check_parts(w->parts, &error))
        return cli_fail(error);
    if (w->study.table.stored == NULL)
        w->study.table.stored = none;
    cli_form_complete(call, &w->form);
    if (w->is_plan)
        return print_plan(call, w);
    g_autoptr(TgStudy) done = tg_study_run((const char *const *) call->words, &w->study, &error);
    if (done == NULL)
        return cli_fail(error);
    if (done->table->groups->len == 0 && done->table->ratings == NULL &&
        w->study.preferences == NULL && w->study.spellings == NULL)
        return cli_fail(g_error_new_literal(
            TG_ERROR, TG_ERROR_INPUT,
            "nothing to study: no human scores in these results; --human of eval names their "
            "fields when the pairs are scored, --ratings names files of people who rated a page "
            "of 'texgauge rate'"));
    g_autofree char *text = tg_study_format(done, w->parts, &w->form);
    if (w->form.style == TG_GRID_CSV) /* CSV has no notes */
        cli_remarks(done->table->remarks);
    else if (done->table->ratings != NULL && !w->quiet)
        cli_remarks(done->table->ratings->remarks);
    return cli_print(text);
}

const CliCommand cmd_study = {
    "study",
    "correlate metrics with human scores",
    "[MODEL=]RESULTS...",
    "RESULTS is a file that 'texgauge eval -o' wrote of pairs with human scores; see --human, "
    "--ratings and --map there.\n"
    "For each metric and group of raters it prints the correlations of Pearson, Spearman and "
    "Kendall and the pairwise accuracy, with p-values and bootstrap intervals. It tests which "
    "metric agrees better with people, and measures how well the raters agree.",
    "texgauge study results.jsonl\n"
    "texgauge study rated.jsonl --by subset --columns old.bleu,old.cer --lower old.cer\n"
    "texgauge study results.jsonl --ratings ratings-Ann.json ratings-Bob.json\n"
    "texgauge study --plan results.jsonl --pairs 50,100,200 --raters 3\n"
    "texgauge study choices.jsonl --preference choice=cdm,bleu",
    "See docs/how-to/study-metrics.md.",
    args,
    sizeof(StudyArgs),
    .run = run,
    .words_are_files = TRUE,
};
