/* texgauge documents: the formulas of documents, and pairs of those of papers and parsers. */
#include "cli/scoring.h"

#include "datasets/documents/documents.h"

#include <string.h>

typedef struct {
    char *output;
    char *kind;
    char **macros;
    char *truth, *prediction;
    char *assign;
    gboolean force, with_inline;
    TgMatchOptions match;
} CliDocumentsArgs;

static void documents_args_clear(CliDocumentsArgs *args)
{
    g_free(args->output);
    g_free(args->kind);
    g_strfreev(args->macros);
    g_free(args->truth);
    g_free(args->prediction);
    g_free(args->assign);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliDocumentsArgs, documents_args_clear)

static void print_fault(const char *message, gpointer out)
{
    (void) out;
    cli_message("texgauge: %s", message);
}

/* The formulas of @inputs as lines into @output; how many faults there were is added to @n_faults.
 */
static int extract(const CliDocumentsArgs *args, char *const *inputs, const char *output,
                   gboolean force, guint64 *n_faults)
{
    CliOutput out = { 0 };
    const TgExtractOptions options = {
        .inputs = (const char *const *) inputs,
        .macros = (const char *const *) args->macros,
        .kind = args->kind,
        .with_inline = args->with_inline,
        .row = cli_output_line,
        .fault = print_fault,
        .data = &out,
    };
    TgExtractCounts counts;
    GError *error = NULL;

    int status = cli_output_open(&out, output, inputs, force);
    if (status != EXIT_DONE)
        return status;
    tg_extract_run(&options, &counts, &error);
    status = cli_output_close(&out, error);
    if (status != EXIT_DONE)
        return status;
    fprintf(stderr,
            "%" G_GUINT64_FORMAT " formulas in %" G_GUINT64_FORMAT " file%s, %" G_GUINT64_FORMAT
            " faults\n",
            counts.formulas, counts.files, counts.files == 1 ? "" : "s", counts.faults);
    *n_faults += counts.faults;
    return EXIT_DONE;
}

/* Report both assignments, whichever was written. */
static void print_counts(const TgMatchCounts *counts)
{
    static const char *const names[] = { "greedy", "optimal" };

    for (guint way = 0; way < G_N_ELEMENTS(names); way++) {
        const guint64 n = counts->pairs[way];

        fprintf(stderr,
                "%-8s %" G_GUINT64_FORMAT " pairs, %" G_GUINT64_FORMAT " missed, %" G_GUINT64_FORMAT
                " extra, mean distance %.4f\n",
                names[way], n, counts->truths - n, counts->predictions - n,
                n > 0 ? counts->distance[way] / (double) n : 0.0);
    }
    fprintf(stderr,
            "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " truths are paired differently\n",
            counts->different, counts->truths);
}

/* A file of formulas: @side itself where this command wrote it, else a temporary one that is
 * returned in @made. */
static int formulas_of(const CliDocumentsArgs *args, char *side, char **made, const char **path,
                       guint64 *n_faults)
{
    char *const inputs[] = { side, NULL };
    GError *error = NULL;

    *path = side;
    if (strstr(side, ".jsonl") != NULL)
        return EXIT_DONE;
    *path = *made = cli_temporary_results(&error);
    return *made != NULL ? extract(args, inputs, *made, TRUE, n_faults) : cli_fail(error);
}

static int match(CliDocumentsArgs *args, guint64 *n_faults)
{
    char *const inputs[] = { args->truth, args->prediction, NULL };
    g_autofree char *truths = NULL, *predictions = NULL;
    TgMatchOptions *options = &args->match;
    TgMatchCounts counts;
    CliOutput out = { 0 };
    GError *error = NULL;

    int status = formulas_of(args, args->truth, &truths, &options->truth, n_faults);
    if (status == EXIT_DONE)
        status = formulas_of(args, args->prediction, &predictions, &options->prediction, n_faults);
    if (status == EXIT_DONE)
        status = cli_output_open(&out, args->output, inputs, args->force);
    if (status == EXIT_DONE) {
        options->row = cli_output_line;
        options->data = &out;
        tg_match_run(options, &counts, &error);
        status = cli_output_close(&out, error);
        if (status == EXIT_DONE)
            print_counts(&counts);
    }
    cli_temporary_remove(truths);
    cli_temporary_remove(predictions);
    return status;
}

static int documents_run(CliDocumentsArgs *args, char **inputs)
{
    const gboolean pairs = args->truth != NULL || args->prediction != NULL;
    TgMatchOptions *how = &args->match;
    guint64 n_faults = 0;

    if (pairs && (args->truth == NULL || args->prediction == NULL || *inputs != NULL))
        return cli_usage("documents", "--gt and --pred go together, without other files");
    if (!pairs && *inputs == NULL)
        return cli_usage("documents", "no file or folder given");
    if (!pairs && (args->assign != NULL || how->drop_extras || how->first != 0 || how->second != 0))
        return cli_usage("documents", "--assign, --first, --second and --drop-extras are about "
                                      "pairs: name --gt and --pred");
    if (args->assign != NULL && strcmp(args->assign, "greedy") != 0 &&
        strcmp(args->assign, "optimal") != 0)
        return cli_usage("documents", "--assign must be greedy or optimal");
    if (!(how->first >= 0 && how->first <= 1 && how->second >= 0 && how->second <= 1))
        return cli_usage("documents", "--first and --second must be above 0 and at most 1");
    how->assign = g_strcmp0(args->assign, "optimal") == 0 ? TG_MATCH_OPTIMAL : TG_MATCH_GREEDY;
    const int status = pairs ? match(args, &n_faults)
                             : extract(args, inputs, args->output, args->force, &n_faults);
    return status == EXIT_DONE && n_faults > 0 ? EXIT_INPUT : status;
}

int cmd_documents(int argc, char **argv)
{
    g_auto(CliDocumentsArgs) w = { 0 };
    g_auto(GStrv) inputs = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &w.output, "write to FILE (default: stdout)",
          "FILE" },
        { "force", 0, 0, G_OPTION_ARG_NONE, &w.force,
          "overwrite an output file that holds something", NULL },
        { "inline", 'i', 0, G_OPTION_ARG_NONE, &w.with_inline, "include inline formulas", NULL },
        { "kind", 0, 0, G_OPTION_ARG_STRING, &w.kind,
          "type of the files: latex or markdown (default: by name and content)", "KIND" },
        { "macros", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &w.macros,
          "LaTeX file with macros for all papers; may be repeated", "FILE" },
        { "gt", 0, 0, G_OPTION_ARG_FILENAME, &w.truth,
          "papers, or their formulas as this command wrote them, to pair with --pred", "FILE" },
        { "pred", 0, 0, G_OPTION_ARG_FILENAME, &w.prediction,
          "what a parser made of them, likewise", "FILE" },
        { "assign", 0, 0, G_OPTION_ARG_STRING, &w.assign,
          "pairs: greedy (in two rounds, default) or optimal (least total distance)", "WAY" },
        { "first", 0, 0, G_OPTION_ARG_DOUBLE, &w.match.first,
          "pairs: greatest distance in the first round (default: 0.4)", "DISTANCE" },
        { "second", 0, 0, G_OPTION_ARG_DOUBLE, &w.match.second,
          "pairs: greatest distance in the second round, and for optimal (default: 0.8)",
          "DISTANCE" },
        { "drop-extras", 0, 0, G_OPTION_ARG_NONE, &w.match.drop_extras,
          "pairs: no rows for predictions without a truth", NULL },
        { NULL },
    };

    if (!cli_parse(
            argc, argv, entries, "FILE|FOLDER... | --gt FILE --pred FILE",
            "Extracts the displayed formulas of LaTeX papers and of Markdown that document\n"
            "parsers wrote: one JSON object per line, with file and line. Macros that the\n"
            "author defined are expanded. With --gt and --pred it pairs the formulas of both\n"
            "sides, document by document, and writes rows for 'texgauge eval'. A truth\n"
            "without a partner gets an empty prediction, a prediction without a partner an\n"
            "empty truth.",
            "Examples:\n"
            "  texgauge documents papers/ -o truth.jsonl\n"
            "  texgauge documents --gt truth.jsonl --pred parsed/ -o pairs.jsonl\n"
            "  texgauge eval --metrics edit,texbleu pairs.jsonl",
            &inputs, &status))
        return status;
    return documents_run(&w, inputs);
}
