/* texgauge eval --check: lists truths that cannot be read or set. */
#include "cli/scoring.h"

#include "core/utf8.h"
#include "datasets/source.h"
#include "eval/run/run.h"

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

int cli_check_truths(char *const *inputs, const CliScoring *scoring)
{
    const TgSourceOptions options = {
        .format = scoring->format,
        .maps = (const char *const *) scoring->maps,
        .allow_duplicates = scoring->allow_duplicates,
        .truth_only = TRUE,
    };
    GError *error = NULL;
    g_autoptr(TgSource) source = tg_source_open((const char *const *) inputs, &options, &error);
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
