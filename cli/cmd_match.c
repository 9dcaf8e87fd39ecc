/* texgauge match: pairs the formulas of papers with those of a parser. */
#include "cli/cli.h"

#include "datasets/documents/documents.h"

#include <string.h>

static double mean_distance(const TgMatchCounts *counts, TgMatchAssign way)
{
    return counts->pairs[way] > 0 ? counts->distance[way] / (double) counts->pairs[way] : 0.0;
}

/* Report both assignments, whichever was written. */
static void print_counts(const TgMatchCounts *counts)
{
    static const char *const names[] = { "greedy", "optimal" };

    for (guint way = 0; way < G_N_ELEMENTS(names); way++)
        fprintf(stderr,
                "%-8s %" G_GUINT64_FORMAT " pairs, %" G_GUINT64_FORMAT " missed, %" G_GUINT64_FORMAT
                " extra, mean distance %.4f\n",
                names[way], counts->pairs[way], counts->truths - counts->pairs[way],
                counts->predictions - counts->pairs[way], mean_distance(counts, way));
    fprintf(stderr,
            "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " truths are paired differently\n",
            counts->different, counts->truths);
}

static int match(TgMatchOptions *options, const char *output, char **inputs, gboolean force)
{
    TgMatchCounts counts;
    CliOutput out = { 0 };
    GError *error = NULL;

    const int opened = cli_output_open(&out, output, inputs, force);
    if (opened != EXIT_DONE)
        return opened;
    options->row = cli_output_line;
    options->data = &out;
    tg_match_run(options, &counts, &error);
    const int status = cli_output_close(&out, error);
    if (status == EXIT_DONE)
        print_counts(&counts);
    return status;
}

int cmd_match(int argc, char **argv)
{
    g_autofree char *output = NULL;
    g_autofree char *assign = NULL;
    g_auto(GStrv) inputs = NULL;
    TgMatchOptions options = { .first = 0.4, .second = 0.8 };
    gboolean force = FALSE;
    int status;
    const GOptionEntry entries[] = {
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "write to FILE (default: stdout)",
          "FILE" },
        { "force", 0, 0, G_OPTION_ARG_NONE, &force, "overwrite an output file that holds something",
          NULL },
        { "assign", 0, 0, G_OPTION_ARG_STRING, &assign,
          "greedy (in two rounds, default) or optimal (least total distance)", "WAY" },
        { "first", 0, 0, G_OPTION_ARG_DOUBLE, &options.first,
          "greatest distance in the first round (default: 0.4)", "DISTANCE" },
        { "second", 0, 0, G_OPTION_ARG_DOUBLE, &options.second,
          "greatest distance in the second round, and for optimal (default: 0.8)", "DISTANCE" },
        { "drop-extras", 0, 0, G_OPTION_ARG_NONE, &options.drop_extras,
          "write no rows for predictions without a truth", NULL },
        { NULL },
    };

    if (!cli_parse(
            argc, argv, entries, "TRUTH PREDICTION",
            "Pairs the formulas of two files that 'texgauge extract' wrote, document by\n"
            "document, and writes rows for 'texgauge eval'. A truth without a partner gets an\n"
            "empty prediction, a prediction without a partner an empty truth.",
            "Example:\n"
            "  texgauge match truth.jsonl parsed.jsonl -o pairs.jsonl",
            &inputs, &status))
        return status;
    if (g_strv_length(inputs) != 2)
        return cli_usage("match", "two files are required: the truths and the predictions");
    if (assign != NULL && strcmp(assign, "greedy") != 0 && strcmp(assign, "optimal") != 0)
        return cli_usage("match", "--assign must be greedy or optimal");
    if (!(options.first > 0 && options.first <= 1 && options.second > 0 && options.second <= 1))
        return cli_usage("match", "--first and --second must be above 0 and at most 1");
    options.truth = inputs[0];
    options.prediction = inputs[1];
    options.assign = g_strcmp0(assign, "optimal") == 0 ? TG_MATCH_OPTIMAL : TG_MATCH_GREEDY;
    return match(&options, output, inputs, force);
}
