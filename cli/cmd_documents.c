/* texgauge documents: the formulas of documents, and pairs of those of papers and parsers, or of
 * pages and parsers. */
#include "cli/cli.h"

#include "datasets/documents/documents.h"
#include "eval/run/olmocr.h"

typedef struct {
    TgDocumentsOptions how;
    const char *output, *hyp, *tests;
    guint64 seed;
    gboolean force, quiet;
} DocumentsArgs;

enum { EXTRACT = 1, PAIRS = 2, PAGES = 4, TESTS = 8 }; /* modes */

#define AT(member) G_STRUCT_OFFSET(DocumentsArgs, member)

static const TgArg args[] = {
    { "output", TG_ARG_FILE, AT(output), "write to FILE (default: stdout)", "FILE", .letter = 'o',
      .file = TG_ARG_WRITES, .group = "Output" },
    { "force", TG_ARG_FLAG, AT(force), "overwrite an output file that is not empty" },
    { "inline", TG_ARG_FLAG, AT(how.with_inline), "include inline formulas", .letter = 'i',
      .modes = EXTRACT | PAIRS, .group = "Extraction" },
    { "kind", TG_ARG_CHOICE, AT(how.kind),
      "type of the files: auto (by name and content; default), latex or markdown", "KIND",
      .choices = tg_document_kinds, .modes = EXTRACT | PAIRS },
    { "macros", TG_ARG_LIST, AT(how.macros), "LaTeX file with macros of all papers; repeatable",
      "FILE", .modes = EXTRACT | PAIRS, .file = TG_ARG_READS },
    { "protocol", TG_ARG_CHOICE, AT(how.protocol),
      "how to pair formulas: cdm, as the paper on CDM does (default), omnidocbench, page by page, "
      "or "
      "olmocr, the math tests of a bench",
      "PROTOCOL", .choices = tg_document_protocols, .modes = PAIRS | PAGES | TESTS,
      .group = "Pairing" },
    { "tests", TG_ARG_FILE, AT(tests),
      "olmocr: the bench, a folder with .jsonl files of tests, or one such file", "BENCH",
      .modes = TESTS, .file = TG_ARG_READS },
    { "gt", TG_ARG_FILE, AT(how.ref),
      "papers, or their formulas as this command wrote them; with omnidocbench the JSON file of "
      "pages",
      "FILE", .modes = PAIRS | PAGES, .file = TG_ARG_READS },
    { "pred", TG_ARG_FILE, AT(hyp),
      "what a parser made of the papers, or its formulas as this command wrote them", "FILE",
      .modes = PAIRS, .file = TG_ARG_READS },
    { "drop-extras", TG_ARG_FLAG, AT(how.drop_extras),
      "cdm: write no rows for predictions without a reference", .modes = PAIRS },
    { "seed", TG_ARG_SEED, AT(seed), "olmocr: seed of the intervals (default: 0)", "N",
      .preset = "0", .modes = TESTS },
    { "threads", TG_ARG_COUNT, AT(how.threads),
      "omnidocbench and olmocr: worker threads (default: one per processor)", "N", .max = 1024,
      .letter = 't', .modes = PAGES | TESTS },
    CLI_QUIET(DocumentsArgs),
    { 0 },
};

static void print_note(const char *message, gpointer data)
{
    if (!((const DocumentsArgs *) data)->quiet)
        cli_message("%s", message);
}

static gboolean show_progress(const TgProgress *state, G_GNUC_UNUSED gpointer data)
{
    cli_progress_stage("pages", state->bytes_read, state->bytes_total, NULL);
    return TRUE;
}

/* FALSE after a message: options that do not go together. */
static gboolean check_call(CliCall *call)
{
    const DocumentsArgs *w = call->values;
    const char *ref = w->how.ref, *hyp = w->hyp;
    const gboolean pairs = ref != NULL || hyp != NULL, words = *call->words != NULL;
    const char *fault = NULL;

    if (w->how.protocol == TG_PROTOCOL_OLMOCR) {
        if (w->tests == NULL || !words)
            fault = "--protocol olmocr needs a bench, --tests FOLDER, and a folder of Markdown for "
                    "each parser, NAME=FOLDER";
    } else if (w->tests != NULL) {
        fault = "--tests needs --protocol olmocr";
    } else if (w->how.protocol == TG_PROTOCOL_OMNIDOCBENCH) {
        if (ref == NULL || !words)
            fault = "--protocol omnidocbench needs OmniDocBench's file of pages, --gt FILE, and a "
                    "folder of Markdown for each model, MODEL=FOLDER";
    } else if (ref != NULL && g_str_has_suffix(ref, ".json")) {
        fault = "a JSON file of pages needs --protocol omnidocbench";
    } else if (pairs && (ref == NULL || (hyp != NULL) == words)) {
        fault = "--gt needs --pred FILE, or MODEL=FILE for each of several parsers";
    } else if (!pairs && !words) {
        fault = "no file or folder given";
    }
    if (fault != NULL) {
        cli_usage(fault);
        return FALSE;
    }
    if (w->how.protocol == TG_PROTOCOL_OLMOCR)
        return cli_check_mode(call, TESTS, "is not for tests: --protocol olmocr has its rules");
    return w->how.protocol == TG_PROTOCOL_OMNIDOCBENCH
               ? cli_check_mode(call, PAGES,
                                "is not for pages: --protocol omnidocbench has its rules")
               : cli_check_mode(call, pairs ? PAIRS : EXTRACT,
                                pairs ? "is about pages: add --protocol omnidocbench"
                                      : "is about pairs: name --gt and --pred");
}

static int run(CliCall *call)
{
    const DocumentsArgs *w = call->values;
    const char *const single[] = { w->hyp, NULL };
    TgDocumentsOptions how = w->how;
    GError *error = NULL;
    guint64 n_faults = 0;

    if (!check_call(call))
        return EXIT_USAGE;
    if (!tg_output_check(w->output, NULL, w->force ? NULL : CLI_FORCE_ADVICE, &error))
        return cli_fail(error);
    g_autoptr(TgOutput) output = tg_output_open(w->output, &error);
    if (output == NULL)
        return cli_fail(error);
    how.inputs = w->hyp != NULL ? single : (const char *const *) call->words;
    how.without_model = w->hyp != NULL;
    how.rows = output->file;
    how.keep_zeros = TRUE;
    how.fault = cli_remark;
    how.note = print_note;
    how.progress = show_progress;
    how.data = call->values;
    cli_progress_start(w->quiet);
    if (how.protocol == TG_PROTOCOL_OLMOCR)
        tg_olmocr_run(&how, w->tests, w->seed, &n_faults, &error);
    else
        tg_documents_run(&how, &n_faults, &error);
    cli_progress_clear();
    if (error != NULL || !tg_output_finish(output, &error))
        return cli_fail(error);
    return n_faults > 0 ? EXIT_INPUT : EXIT_DONE;
}

const CliCommand cmd_documents = {
    "documents",
    "extract the formulas of papers and of parsed pages, and pair them",
    "FILE|FOLDER... | --gt FILE --pred FILE | --gt FILE MODEL=FILE... | --protocol omnidocbench "
    "--gt FILE FOLDER... | --protocol olmocr --tests BENCH FOLDER...",
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
    "Missing and empty pages count as the protocol says and are listed at the end.\n"
    "With --protocol olmocr it runs the math tests of olmOCR-bench on folders of Markdown, given "
    "as "
    "NAME=FOLDER, writes a row for each test, and prints the pass rates.",
    "texgauge documents papers/ -o truth.jsonl\n"
    "texgauge documents --gt truth.jsonl --pred parsed/ -o pairs.jsonl\n"
    "texgauge documents --protocol omnidocbench --gt gt.json A=a/ B=b/ -o pairs.jsonl\n"
    "texgauge documents --protocol olmocr --tests bench/ A=bench/a B=bench/b -o tests.jsonl",
    "See docs/how-to/score-documents.md and docs/how-to/score-a-parsers-pages.md.",
    args,
    sizeof(DocumentsArgs),
    .run = run,
    .words_are_files = TRUE,
};
