/* texgauge check: lists truths that cannot be read or set. */
#include "cli/cli.h"

#include "core/visible.h"
#include "datasets/source.h"
#include "eval/run/causes.h"

typedef struct {
    TgCauses *causes;
    guint64 n_truths, n_bad;
} Check;

/* The list is for people, wherever it goes. */
static void check_print(const char *text)
{
    g_autofree char *visible = tg_visible(text, "\n\t");

    cli_print(visible);
}

static void check_truth(Check *check, const TgRecord *record, const char *tex)
{
    g_autofree char *fault = tg_causes_first_fault(tex);

    check->n_truths++;
    if (fault == NULL)
        return;
    check->n_bad++;
    tg_causes_add_formula(check->causes, record, TRUE, fault);
    g_autofree char *line = g_strdup_printf(
        "%s:%" G_GSIZE_FORMAT ": %s%s%s\n    %s\n", record->file, record->line,
        record->id != NULL ? record->id : "", record->id != NULL ? ": " : "", fault, tex);
    check_print(line);
}

static void check_record(Check *check, const TgRecord *record)
{
    if (record->fault != NULL) {
        check->n_bad++;
        tg_causes_add_fault(check->causes, record);
        g_autofree char *line = g_strconcat(record->fault, "\n", NULL);
        check_print(line);
        return;
    }
    for (guint i = 0; i < record->refs->len; i++)
        check_truth(check, record, record->refs->pdata[i]);
}

static void print_cause(const char *text, gpointer data)
{
    (void) data;
    cli_message("texgauge: %s", text);
}

static int check_files(const char *const *inputs, const TgSourceOptions *options)
{
    GError *error = NULL;
    g_autoptr(TgSource) source = tg_source_open(inputs, options, &error);
    g_autoptr(TgCauses) causes = tg_causes_new();
    g_auto(TgRecord) record = { 0 };
    Check check = { .causes = causes };

    while (source != NULL && tg_source_next(source, &record, &error))
        check_record(&check, &record);
    if (error != NULL)
        return cli_fail(error);
    tg_causes_report(causes, TRUE, print_cause, NULL);
    tg_causes_report(causes, FALSE, print_cause, NULL);
    if (check.n_truths + check.n_bad == 0)
        return cli_fail(g_error_new_literal(TG_ERROR, TG_ERROR_INPUT, "the inputs hold no truths"));
    if (check.n_bad > 0)
        return EXIT_INPUT;
    printf("%" G_GUINT64_FORMAT " truths can be read and set\n", check.n_truths);
    return EXIT_DONE;
}

int cmd_check(int argc, char **argv)
{
    g_autofree char *format = NULL;
    g_auto(GStrv) maps = NULL;
    g_auto(GStrv) inputs = NULL;
    TgSourceOptions options = { .truth_only = TRUE };
    int status;
    const GOptionEntry entries[] = {
        { "format", 'f', 0, G_OPTION_ARG_STRING, &format, "format of the inputs (default: auto)",
          "NAME" },
        { "map", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &maps,
          "field names: gt=F,id=F,subset=F; may be repeated", "MAP" },
        { "replace-bad-bytes", 0, 0, G_OPTION_ARG_NONE, &options.replace_bad_bytes,
          "read bytes that are not UTF-8 as U+FFFD", NULL },
        { "allow-duplicates", 0, 0, G_OPTION_ARG_NONE, &options.allow_duplicates,
          "do not check for duplicate ids", NULL },
        { NULL },
    };

    if (!cli_parse(
            argc, argv, entries, "INPUT...",
            "Lists the rows that cannot be read and the truths that cannot be set as LaTeX,\n"
            "with file, line and reason, before a model is scored against them.",
            "Example:\n"
            "  texgauge check truths.jsonl\n"
            "\n"
            "Exit status: 0 every truth can be set, 2 usage error, 3 some cannot.",
            &inputs, &status))
        return status;
    if (*inputs == NULL)
        return cli_usage("check", "no input given");
    options.format = format;
    options.maps = (const char *const *) maps;
    return check_files((const char *const *) inputs, &options);
}
