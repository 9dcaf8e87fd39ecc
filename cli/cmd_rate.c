/* texgauge rate: a page on which people rate pairs. */
#include "cli/cli.h"

#include <string.h>

#include "core/number.h"
#include "eval/options/options.h"

typedef struct {
    TgRateOptions rate;
    const char *output;
    gboolean force, quiet;
} RateArgs;

#define AT(member) G_STRUCT_OFFSET(RateArgs, member)

static const TgArg args[] = {
    { "output", TG_ARG_FILE, AT(output), "page to write, .html", "FILE", .letter = 'o',
      .file = TG_ARG_WRITES, .group = "Page" },
    { "force", TG_ARG_FLAG, AT(force),
      "overwrite any file; take results together that were scored differently" },
    { .kind = TG_ARG_TABLE, .offset = AT(rate), .table = tg_rate_args },
    CLI_QUIET(RateArgs),
    { 0 },
};

static int run(CliCall *call)
{
    static const char *const marks[] = { "texgauge", NULL };
    RateArgs *w = call->values;
    g_autoptr(GPtrArray) remarks = w->rate.remarks = g_ptr_array_new_with_free_func(g_free);
    GError *error = NULL;
    guint n_pairs;

    if (w->output == NULL)
        return cli_usage("-o FILE is required, such as rating.html");
    if (*call->words == NULL && w->rate.eval.source.refs == NULL)
        return cli_usage("no input: give results of eval, or any input that it reads");
    if (!tg_output_check(w->output, marks, w->force ? NULL : CLI_FORCE_ADVICE, &error))
        return cli_fail(error);
    w->rate.table.force = w->force;
    w->rate.listener.tell = cli_progress_stage;
    cli_progress_start(w->quiet);
    g_autofree char *page =
        tg_rate_page((const char *const *) call->words, &w->rate, &n_pairs, &error);
    if (page == NULL || !tg_output_write(w->output, page, strlen(page), &error))
        return cli_fail(error);
    cli_remarks(remarks);
    if (!w->quiet)
        cli_message("page: %s, %u pair%s", w->output, n_pairs, tg_plural(n_pairs));
    return EXIT_DONE;
}

const CliCommand cmd_rate = {
    "rate",
    "make a page on which people rate pairs",
    "[MODEL=]INPUT... -o FILE",
    "INPUT is a file that 'texgauge eval -o' wrote, or any input that it reads.\n"
    "The page is a single file that opens in any browser and loads nothing. It shows one pair "
    "after the other, blind and in an order of its own for each rater, keeps every answer in the "
    "browser, and saves ratings-NAME.json, which study and report read with --ratings.\n"
    "No reference comes twice but with --same-references.",
    "texgauge rate results.jsonl --sample 100 --repeat 10 -o rating.html\n"
    "texgauge rate pairs.csv --scale 0-10 --anchors examples.jsonl -o rating.html\n"
    "texgauge rate results.jsonl --sample 100 --by disagreement:edit,cdm -o rating.html\n"
    "texgauge rate results.jsonl --preference edit,cdm -o choice.html\n"
    "texgauge rate results.jsonl --models A,B -o duel.html",
    "See docs/how-to/run-a-study.md.",
    args,
    sizeof(RateArgs),
    .run = run,
    .words_are_files = TRUE,
};
