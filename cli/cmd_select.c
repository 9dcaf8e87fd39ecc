/* texgauge select: selects pairs of a results file. */
#include "cli/cli.h"

#include "core/number.h"
#include "eval/options/options.h"
#include "eval/select/select.h"

typedef struct {
    TgSelectOptions select;
    gboolean text, json, force, quiet;
} SelectArgs;

#define AT(member) G_STRUCT_OFFSET(SelectArgs, member)

static const TgArg args[] = {
    { "where", TG_ARG_LIST, AT(select.where),
      "condition with < <= > >= == = or !=; repeatable, all must hold", "FIELD<VALUE",
      .letter = 'w', .group = "Pairs" },
    { "worst", TG_ARG_COUNT, AT(select.worst),
      "the N pairs, or pages, with the lowest score, or the highest where lower is better", "N" },
    { "by", TG_ARG_TEXT, AT(select.by), "column of --worst (default: the first)", "COLUMN" },
    { "disputed", TG_ARG_TEXT, AT(select.disputed),
      "pairs, or pages, that two columns rank most differently", "A,B" },
    { "limit", TG_ARG_COUNT, AT(select.limit),
      "at most N of these (default: all; 20 with --disputed)", "N", .letter = 'n' },
    { "mean", TG_ARG_FILE, AT(select.mean),
      "choose pairs, or pages of a model with all their pairs (default: as the run averaged); "
      "pages=FIELD names the field of the page",
      "MEAN" },
    { "lower", TG_ARG_NAMES, AT(select.lower), "stored columns where lower is better", "F,F" },
    { "output", TG_ARG_FILE, AT(select.output), "write to FILE (default: stdout)", "FILE",
      .letter = 'o', .file = TG_ARG_WRITES, .group = "Output" },
    { "force", TG_ARG_FLAG, AT(force), "overwrite an output file that is not empty" },
    { "text", TG_ARG_FLAG, AT(text),
      "print pairs for reading, with differences marked (default on a terminal)" },
    { "json", TG_ARG_FLAG, AT(json), "print JSON lines (default elsewhere)" },
    { .kind = TG_ARG_TABLE, .offset = AT(select.form), .table = tg_form_args },
    CLI_QUIET(SelectArgs),
    { 0 },
};

enum { PAGE_WIDTH = 100 };

static const char *usage_fault(const SelectArgs *w, char **inputs)
{
    const TgSelectOptions *select = &w->select;

    if (*inputs == NULL)
        return "no input: give results files of eval";
    if (select->by != NULL && select->worst == 0)
        return "--by is the column of --worst";
    if (select->lower != NULL && select->worst == 0 && select->disputed == NULL)
        return "--lower is about the columns of --by and --disputed";
    if (select->mean != NULL && select->worst == 0 && select->disputed == NULL)
        return "--mean is about what --worst and --disputed choose";
    if (w->text && w->json)
        return "--text and --json are two forms; choose one";
    if (select->where == NULL && select->worst == 0 && select->disputed == NULL)
        return "--where, --worst or --disputed is required";
    return NULL;
}

static int run(CliCall *call)
{
    SelectArgs *w = call->values;
    TgSelectOptions *select = &w->select;
    const char *const *paths = (const char *const *) call->words;
    const char *wrong = usage_fault(w, call->words);
    guint64 n_selected, n_pairs, n_pages = 0;
    GError *error = NULL;

    if (wrong != NULL)
        return cli_usage(wrong);
    cli_form_complete(call, &select->form);
    /* Text for eyes on a terminal, JSON lines for programs elsewhere, unless the user says
     * otherwise. */
    const guint width = select->output == NULL ? cli_width() : 0;
    select->text_width = w->json || (!w->text && width == 0) ? 0 : width > 0 ? width : PAGE_WIDTH;
    select->n_pages = &n_pages;
    g_autoptr(GPtrArray) remarks = select->remarks = g_ptr_array_new_with_free_func(g_free);
    if (!tg_output_check(select->output, NULL, w->force ? NULL : CLI_FORCE_ADVICE, &error) ||
        !tg_select_run(paths, select, &n_selected, &n_pairs, &error))
        return cli_fail(error);
    cli_remarks(remarks);
    g_autofree char *pages =
        g_strdup_printf(", those of %" G_GUINT64_FORMAT " page%s", n_pages, tg_plural(n_pages));
    if (!w->quiet)
        cli_message("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " pair%s selected%s", n_selected,
                    n_pairs, tg_plural(n_pairs), n_pages > 0 ? pages : "");
    return EXIT_DONE;
}

const CliCommand cmd_select = {
    "select",
    "select pairs by condition, lowest score or disagreement of metrics",
    "[MODEL=]RESULTS...",
    "RESULTS is a file that 'texgauge eval -o' wrote.\n"
    "On a terminal the pairs are printed for reading, with differences marked; into a file or "
    "a pipe they are written as JSON lines.",
    "texgauge select results.jsonl --where 'edit<1' -o hard.jsonl\n"
    "texgauge select results.jsonl --worst 50 --by cer\n"
    "texgauge select results.jsonl --where 'model=aster' --where 'status.bleu!=ok'\n"
    "texgauge select results.jsonl --disputed edit,bleu --limit 100",
    "A FIELD is a metric's column, a stored field, a group of raters (its mean), id, model, "
    "subset or status.METRIC. An undefined value is null: --where 'edit=null'.\n"
    "See docs/how-to/compare-models.md.",
    args,
    sizeof(SelectArgs),
    .run = run,
    .words_are_files = TRUE,
};
