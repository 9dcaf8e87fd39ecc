/* texgauge documents: the formulas of documents, and pairs of those of papers and parsers, or of
 * pages and parsers. */
#include "cli/cli.h"

#include "datasets/documents/documents.h"
#include "datasets/input_names.h"

#include <string.h>

typedef struct {
    const char *output, *kind;
    const char *const *macros;
    gboolean force, with_inline, quiet;
    TgMatchOptions match;
    guint protocol, threads;
} DocumentsArgs;

enum { EXTRACT = 1, PAIRS = 2, PAGES = 4 }; /* modes */
enum { CDM, OMNIDOCBENCH };                 /* protocols */

#define AT(member) G_STRUCT_OFFSET(DocumentsArgs, member)

static const char *const ways[] = { "greedy", "optimal", NULL }; /* by TgMatchAssign */

static const char *const protocols[] = { "cdm", "omnidocbench", NULL };

static const TgArg args[] = {
    { "output", TG_ARG_FILE, AT(output), "write to FILE (default: stdout)", "FILE", .letter = 'o',
      .file = TG_ARG_WRITES, .group = "Output" },
    { "force", TG_ARG_FLAG, AT(force), "overwrite an output file that is not empty" },
    { "inline", TG_ARG_FLAG, AT(with_inline), "include inline formulas", .letter = 'i',
      .modes = EXTRACT | PAIRS, .group = "Extraction" },
    { "kind", TG_ARG_TEXT, AT(kind),
      "type of the files: latex or markdown (default: by name and content)", "KIND",
      .modes = EXTRACT | PAIRS },
    { "macros", TG_ARG_LIST, AT(macros), "LaTeX file with macros of all papers; repeatable", "FILE",
      .modes = EXTRACT | PAIRS, .file = TG_ARG_READS },
    { "protocol", TG_ARG_CHOICE, AT(protocol),
      "how to pair formulas: cdm, as the paper on CDM does (default), or omnidocbench, page by "
      "page",
      "PROTOCOL", .choices = protocols, .modes = PAIRS | PAGES, .group = "Pairing" },
    { "gt", TG_ARG_FILE, AT(match.truth),
      "papers, or their formulas as this command wrote them; with omnidocbench the JSON file of "
      "pages",
      "FILE", .modes = PAIRS | PAGES, .file = TG_ARG_READS },
    { "pred", TG_ARG_FILE, AT(match.prediction),
      "what a parser made of the papers, or its formulas as this command wrote them", "FILE",
      .modes = PAIRS, .file = TG_ARG_READS },
    { "assign", TG_ARG_CHOICE, AT(match.assign),
      "cdm: greedy in two rounds (default), or optimal, the least total distance", "WAY",
      .choices = ways, .modes = PAIRS },
    { "first", TG_ARG_NUMBER, AT(match.first),
      "cdm: greatest distance in the first round (default: 0.4)", "DISTANCE", .max = 1,
      .modes = PAIRS },
    { "second", TG_ARG_NUMBER, AT(match.second),
      "cdm: greatest distance in the second round and with optimal (default: 0.8)", "DISTANCE",
      .max = 1, .modes = PAIRS },
    { "drop-extras", TG_ARG_FLAG, AT(match.drop_extras),
      "cdm: write no rows for predictions without a reference", .modes = PAIRS },
    { "threads", TG_ARG_COUNT, AT(threads),
      "omnidocbench: worker threads (default: one per processor)", "N", .max = 1024, .letter = 't',
      .modes = PAGES },
    CLI_QUIET(DocumentsArgs),
    { 0 },
};

static int open_output(TgOutput **output, const char *path, gboolean force)
{
    GError *error = NULL;

    if (!tg_output_check(path, NULL, force ? NULL : CLI_FORCE_ADVICE, &error))
        return cli_fail(error);
    *output = tg_output_open(path, &error);
    return *output != NULL ? EXIT_DONE : cli_fail(error);
}

static void write_line(const char *line, gpointer output)
{
    fprintf((*(TgOutput **) output)->file, "%s\n", line);
}

/* @error: why writing ended early, or NULL */
static int close_output(TgOutput *output, GError *error)
{
    g_autoptr(TgOutput) to = output;

    return error == NULL && tg_output_finish(to, &error) ? EXIT_DONE : cli_fail(error);
}

static void print_fault(const char *message, gpointer out)
{
    (void) out;
    cli_message("texgauge: %s", message);
}

/* The formulas of @inputs as lines into @output; how many faults there were is added to @n_faults.
 */
static int extract(const DocumentsArgs *w, char *const *inputs, const char *output, gboolean force,
                   guint64 *n_faults)
{
    TgOutput *out = NULL;
    const TgExtractOptions options = {
        .inputs = (const char *const *) inputs,
        .macros = w->macros,
        .kind = w->kind,
        .with_inline = w->with_inline,
        .row = write_line,
        .fault = print_fault,
        .data = &out,
    };
    TgExtractCounts counts;
    GError *error = NULL;

    int status = open_output(&out, output, force);
    if (status != EXIT_DONE)
        return status;
    tg_extract_run(&options, &counts, &error);
    status = close_output(out, error);
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
static void print_counts(const TgMatchCounts *counts, const char *model)
{
    if (model != NULL)
        fprintf(stderr, "%s:\n", model);
    for (guint way = 0; ways[way] != NULL; way++) {
        const guint64 n = counts->pairs[way];

        fprintf(stderr,
                "%-8s %" G_GUINT64_FORMAT " pairs, %" G_GUINT64_FORMAT " missed, %" G_GUINT64_FORMAT
                " extra, mean distance %.4f\n",
                ways[way], n, counts->truths - n, counts->predictions - n,
                n > 0 ? counts->distance[way] / (double) n : 0.0);
    }
    fprintf(stderr,
            "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " references are paired differently\n",
            counts->different, counts->truths);
}

/* A file of formulas instead of @side, unless this command wrote that: a temporary one, @made. */
static int formulas_of(const DocumentsArgs *w, const char **side, char **made, guint64 *n_faults)
{
    char *const inputs[] = { (char *) *side, NULL };
    GError *error = NULL;

    if (strstr(*side, ".jsonl") != NULL)
        return EXIT_DONE;
    *side = *made = tg_temporary_new(&error);
    return *made != NULL ? extract(w, inputs, *made, TRUE, n_faults) : cli_fail(error);
}

/* Pair the truth with the predictions that --pred names, or with those of each model. */
static int match(const DocumentsArgs *w, char *const *words, guint64 *n_faults)
{
    const guint n = w->match.prediction != NULL ? 1 : g_strv_length((char **) words);
    g_auto(GStrv) models = g_new0(char *, n + 1), paths = g_new0(char *, n + 1);
    g_autofree char **made = g_new0(char *, n + 1); /* temporary files, the truth's last */
    TgOutput *out = NULL;
    TgMatchOptions options = w->match;
    GError *error = NULL;

    int status = formulas_of(w, &options.truth, &made[n], n_faults);
    for (guint i = 0; i < n && status == EXIT_DONE; i++) {
        if (w->match.prediction != NULL)
            paths[i] = g_strdup(w->match.prediction);
        else
            tg_input_split(words[i], &models[i], &paths[i]);
        if (models[i] == NULL)
            models[i] = g_path_get_basename(paths[i]);
        for (guint k = 0; k < i && status == EXIT_DONE; k++)
            if (strcmp(models[k], models[i]) == 0)
                status = cli_usage("a model is named twice");
        const char *side = paths[i];
        if (status == EXIT_DONE)
            status = formulas_of(w, &side, &made[i], n_faults);
    }
    if (status == EXIT_DONE)
        status = open_output(&out, w->output, w->force);
    if (status == EXIT_DONE) {
        options.row = write_line;
        options.data = &out;
        for (guint i = 0; i < n && error == NULL; i++) {
            TgMatchCounts counts;
            options.prediction = made[i] != NULL ? made[i] : paths[i];
            options.model = w->match.prediction == NULL ? models[i] : NULL;
            if (tg_match_run(&options, &counts, &error))
                print_counts(&counts, options.model);
        }
        status = close_output(out, error);
    }
    for (guint i = 0; i <= n; i++)
        tg_temporary_remove(made[i]);
    return status;
}

/* ---- pages ---- */

typedef struct {
    CliProgress progress;
    gboolean quiet;
} Pages;

static void print_page_fault(const char *message, gpointer pages)
{
    cli_progress_clear(&((Pages *) pages)->progress);
    cli_message("texgauge: %s", message);
}

static void print_page_note(const char *message, gpointer pages)
{
    cli_progress_clear(&((Pages *) pages)->progress);
    if (!((Pages *) pages)->quiet)
        cli_message("%s", message);
}

static gboolean show_page_progress(const TgProgress *state, gpointer pages)
{
    cli_progress_stage("pages", (guint) state->bytes_read, (guint) state->bytes_total,
                       &((Pages *) pages)->progress);
    return TRUE;
}

static int match_pages(const DocumentsArgs *w, char *const *folders, guint64 *n_faults)
{
    Pages pages = { .quiet = w->quiet };
    TgOutput *out = NULL;
    TgPagesOptions options = {
        .truth = w->match.truth,
        .folders = (const char *const *) folders,
        .threads = w->threads,
        .fault = print_page_fault,
        .note = print_page_note,
        .progress = show_page_progress,
        .data = &pages,
    };
    GError *error = NULL;

    const int status = open_output(&out, w->output, w->force);
    if (status != EXIT_DONE)
        return status;
    options.rows = out->file;
    cli_progress_start(&pages.progress, w->quiet);
    tg_pages_run(&options, n_faults, &error);
    cli_progress_clear(&pages.progress);
    return close_output(out, error);
}

static int run(CliCall *call)
{
    const DocumentsArgs *w = call->values;
    const TgMatchOptions *how = &w->match;
    const gboolean pairs = how->truth != NULL || how->prediction != NULL;
    guint64 n_faults = 0;
    int status;

    if (w->protocol == OMNIDOCBENCH) {
        if (how->truth == NULL || *call->words == NULL)
            return cli_usage("--protocol omnidocbench needs OmniDocBench's file of pages, --gt "
                             "FILE, and a folder of Markdown for each model, MODEL=FOLDER");
        if (!cli_check_mode(call, PAGES, "is not for pages: --protocol omnidocbench has its rules"))
            return EXIT_USAGE;
        status = match_pages(w, call->words, &n_faults);
        return status == EXIT_DONE && n_faults > 0 ? EXIT_INPUT : status;
    }
    if (how->truth != NULL && how->prediction == NULL && g_str_has_suffix(how->truth, ".json"))
        return cli_usage("a JSON file of pages needs --protocol omnidocbench");
    if (pairs && (how->truth == NULL || (how->prediction == NULL) == (*call->words == NULL)))
        return cli_usage("--gt needs --pred FILE, or MODEL=FILE for each of several parsers");
    if (!pairs && *call->words == NULL)
        return cli_usage("no file or folder given");
    if (!cli_check_mode(call, pairs ? PAIRS : EXTRACT,
                        pairs ? "is about pages: add --protocol omnidocbench"
                              : "is about pairs: name --gt and --pred"))
        return EXIT_USAGE;
    status = pairs ? match(w, call->words, &n_faults)
                   : extract(w, call->words, w->output, w->force, &n_faults);
    return status == EXIT_DONE && n_faults > 0 ? EXIT_INPUT : status;
}

const CliCommand cmd_documents = {
    "documents",
    "extract the formulas of papers and of parsed pages, and pair them",
    "FILE|FOLDER... | --gt FILE --pred FILE | --gt FILE MODEL=FILE... | --protocol omnidocbench "
    "--gt FILE FOLDER...",
    "Without --gt it extracts the displayed formulas of LaTeX papers and of a parser's "
    "Markdown: one JSON object per line, with file and line. Macros that the author defined "
    "are expanded.\n"
    "With --gt and --pred (or MODEL=FILE for each of several parsers) it pairs the formulas of "
    "both sides, document by document, and writes pairs for 'texgauge eval'. A reference without a "
    "partner gets an empty prediction, "
    "a prediction without a partner an empty reference.\n"
    "With --protocol omnidocbench it matches folders of Markdown pages, given as MODEL=FOLDER, "
    "with a JSON file of "
    "pages, as OmniDocBench 1.6 does, and writes a pair for each formula of the references. "
    "Missing and empty pages count as the protocol says and are listed at the end.",
    "texgauge documents papers/ -o truth.jsonl\n"
    "texgauge documents --gt truth.jsonl --pred parsed/ -o pairs.jsonl\n"
    "texgauge documents --protocol omnidocbench --gt gt.json A=a/ B=b/ -o pairs.jsonl",
    "See docs/how-to/score-documents.md and docs/how-to/score-a-parsers-pages.md.",
    args,
    sizeof(DocumentsArgs),
    .run = run,
    .words_are_files = TRUE,
};
