/* texgauge extract: the formulas of documents. */
#include "cli/cli.h"

#include "datasets/documents/documents.h"

static void print_fault(const char *message, gpointer out)
{
    (void) out;
    cli_message("texgauge: %s", message);
}

static int extract(TgExtractOptions *options, const char *output, char **inputs, gboolean force)
{
    TgExtractCounts counts;
    CliOutput out = { 0 };
    GError *error = NULL;

    const int opened = cli_output_open(&out, output, inputs, force);
    if (opened != EXIT_DONE)
        return opened;
    options->row = cli_output_line;
    options->fault = print_fault;
    options->data = &out;
    tg_extract_run(options, &counts, &error);
    const int status = cli_output_close(&out, error);
    if (status != EXIT_DONE)
        return status;
    fprintf(stderr,
            "%" G_GUINT64_FORMAT " formulas in %" G_GUINT64_FORMAT " file%s, %" G_GUINT64_FORMAT
            " faults\n",
            counts.formulas, counts.files, counts.files == 1 ? "" : "s", counts.faults);
    return counts.faults > 0 ? EXIT_INPUT : EXIT_DONE;
}

int cmd_extract(int argc, char **argv)
{
    g_autofree char *output = NULL;
    g_autofree char *kind = NULL;
    g_auto(GStrv) macros = NULL;
    g_auto(GStrv) inputs = NULL;
    TgExtractOptions options = { 0 };
    gboolean force = FALSE;
    int status;
    const GOptionEntry entries[] = {
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "write to FILE (default: stdout)",
          "FILE" },
        { "force", 0, 0, G_OPTION_ARG_NONE, &force, "overwrite an output file that holds something",
          NULL },
        { "inline", 'i', 0, G_OPTION_ARG_NONE, &options.with_inline, "include inline formulas",
          NULL },
        { "kind", 0, 0, G_OPTION_ARG_STRING, &kind,
          "type of the files: latex or markdown (default: by name and content)", "KIND" },
        { "macros", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &macros,
          "LaTeX file with macros for all papers; may be repeated", "FILE" },
        { NULL },
    };

    if (!cli_parse(argc, argv, entries, "FILE|FOLDER...",
                   "Extracts the displayed formulas of LaTeX papers and of Markdown that document\n"
                   "parsers wrote: one JSON object per line, with file and line. Macros that the\n"
                   "author defined are expanded.",
                   "Example:\n"
                   "  texgauge extract papers/ -o truth.jsonl\n"
                   "  texgauge extract parsed/ -o parsed.jsonl\n"
                   "  texgauge match truth.jsonl parsed.jsonl -o pairs.jsonl\n"
                   "  texgauge eval --metrics edit,texbleu pairs.jsonl",
                   &inputs, &status))
        return status;
    if (*inputs == NULL)
        return cli_usage("extract", "no file or folder given");
    options.inputs = (const char *const *) inputs;
    options.macros = (const char *const *) macros;
    options.kind = kind;
    return extract(&options, output, inputs, force);
}
