/* texgauge study: correlates metrics with human scores. */
#include "eval/study/study.h"

#include <string.h>

#include "cli/scoring.h"
#include "core/fail.h"

/* The values of the options that only study has, not checked yet. */
typedef struct {
    char *summary;
    char *parts;
    char **by;
    char *lower;
    char **preferences;
    char **spellings;
    gint resamples;
    gint64 seed;
    double level;
    gboolean all, force;
} CliStudyArgs;

static void study_args_clear(CliStudyArgs *args)
{
    g_free(args->summary);
    g_free(args->parts);
    g_strfreev(args->by);
    g_free(args->lower);
    g_strfreev(args->preferences);
    g_strfreev(args->spellings);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliStudyArgs, study_args_clear)

static gboolean parse_parts(const char *text, TgStudyParts *out, GError **error)
{
    static const char *const names[] = { "correlations", "comparisons", "raters",
                                         "preferences",  "spellings",   "systems" };
    g_auto(GStrv) words = g_strsplit(text != NULL ? text : "", ",", -1);

    *out = text == NULL ? TG_STUDY_ALL : 0;
    for (guint i = 0; words[i] != NULL; i++) {
        gboolean known = FALSE;

        for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
            if (strcmp(words[i], names[k]) != 0)
                continue;
            *out |= 1u << k;
            known = TRUE;
        }
        if (!known)
            return tg_fail_usage(
                error,
                "--parts takes correlations, comparisons, raters, preferences, spellings, "
                "systems; not '%s'",
                words[i]);
    }
    return TRUE;
}

/* The fields that preferences, spellings and --by need, which scoring must keep. */
static char **needed_fields(const CliStudyArgs *args)
{
    g_autoptr(GStrvBuilder) fields = g_strv_builder_new();

    for (guint i = 0; args->preferences != NULL && args->preferences[i] != NULL; i++) {
        g_auto(GStrv) sides = g_strsplit(args->preferences[i], "=", 2);

        g_strv_builder_add(fields, sides[0]);
    }
    if (args->spellings != NULL)
        g_strv_builder_addv(fields, (const char **) args->spellings);
    for (guint i = 0; args->by != NULL && args->by[i] != NULL; i++)
        if (strcmp(args->by[i], "subset") != 0 && strcmp(args->by[i], "model") != 0)
            g_strv_builder_add(fields, args->by[i]);
    return g_strv_builder_end(fields);
}

static gboolean study_options(const CliStudyArgs *args, CliScoring *scoring, char **stored,
                              char **lower, TgStudyOptions *options, GError **error)
{
    if (args->resamples < 0 || args->seed < 0 || scoring->threads < 0) {
        g_set_error_literal(error, TG_ERROR, TG_ERROR_USAGE,
                            "--resamples, --seed and --threads must not be negative");
        return FALSE;
    }
    options->stored = (const char *const *) stored;
    options->lower = (const char *const *) lower;
    options->all_columns = args->all;
    options->preferences = (const char *const *) args->preferences;
    options->spellings = (const char *const *) args->spellings;
    options->resamples = (guint) args->resamples;
    options->seed = (guint64) args->seed;
    options->level = args->level;
    options->threads = (guint) scoring->threads;
    options->force = args->force;
    options->by = (const char *const *) args->by;
    return cli_check_level(args->level, error);
}

static int study(const CliStudyArgs *args, CliScoring *scoring, char **inputs)
{
    g_auto(CliResults) results = { 0 };
    g_auto(GStrv) stored = cli_list(scoring->columns);
    g_auto(GStrv) lower = cli_list(args->lower);
    g_auto(GStrv) fields = needed_fields(args);
    TgStudyOptions options = { 0 };
    TgGridForm form;
    TgStudyParts parts;
    GError *error = NULL;

    if (!parse_parts(args->parts, &parts, &error) ||
        !cli_scoring_form(scoring, args->summary, &form, &error) ||
        !study_options(args, scoring, stored, lower, &options, &error) ||
        !cli_results_get(&results, scoring, inputs, (const char *const *) fields, &error))
        return cli_fail(error);
    g_autoptr(TgStudy) done = tg_study_run((const char *const *) results.paths, &options, &error);
    if (done == NULL)
        return cli_fail(error);
    if (done->table->groups->len == 0 && args->preferences == NULL && args->spellings == NULL)
        return cli_fail(g_error_new_literal(
            TG_ERROR, TG_ERROR_INPUT,
            "nothing to study: no human scores in these results; --human names their fields when "
            "the pairs are scored"));
    g_autofree char *text = tg_study_format(done, parts, &form);
    return cli_print(text);
}

static const char summary_text[] =
    "Correlates every metric with human scores: Pearson, Spearman, Kendall and pairwise accuracy\n"
    "with p-values and bootstrap intervals, per group of raters; tests which metric agrees "
    "better;\n"
    "and says how well the raters agree. INPUT is a results file of eval, or with --metrics any\n"
    "file that eval reads. The input holds the human scores, see --human.";

static const char examples_text[] =
    "Examples:\n"
    "  texgauge study results.jsonl\n"
    "  texgauge study rated.jsonl --metrics bleu,edit,cer --map human=ratings\n"
    "  texgauge study rated.csv --metrics texbleu,cer --human H1=r1,r2 --human H2=r3,r4 --by "
    "subset\n"
    "  texgauge study rated.jsonl --metrics bleu --columns old.bleu,old.cer --lower old.cer\n"
    "  texgauge study choices.jsonl --metrics cdm,bleu --preference choice=cdm,bleu\n"
    "\n"
    "See docs/how-to/study-metrics.md.";

int cmd_study(int argc, char **argv)
{
    g_auto(CliStudyArgs) w = { .seed = 1, .level = 0.95 };
    g_auto(CliScoring) scoring = { 0 };
    g_auto(GStrv) inputs = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "by", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &w.by,
          "also by subset, by model, or by the values of a field; may be repeated", "WHAT" },
        { "lower", 0, 0, G_OPTION_ARG_FILENAME, &w.lower, CLI_LOWER_HELP, "F,F" },
        { "preference", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &w.preferences,
          "field that says which of two columns people prefer", "FIELD=A,B" },
        { "spellings", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &w.spellings,
          "field that is equal for all spellings of a formula", "FIELD" },
        { "all", 'a', 0, G_OPTION_ARG_NONE, &w.all, CLI_ALL_HELP, NULL },
        { "parts", 0, 0, G_OPTION_ARG_STRING, &w.parts,
          "parts to print: correlations, systems, comparisons, raters, preferences, "
          "spellings (default: all)",
          "LIST" },
        { "summary", 0, 0, G_OPTION_ARG_STRING, &w.summary, CLI_SUMMARY_HELP, "STYLE" },
        { "resamples", 0, 0, G_OPTION_ARG_INT, &w.resamples,
          "resamples of each bootstrap (default: 1000, or more for many comparisons)", "N" },
        { "seed", 0, 0, G_OPTION_ARG_INT64, &w.seed, "seed of the bootstrap (default: 1)", "N" },
        { "level", 0, 0, G_OPTION_ARG_DOUBLE, &w.level,
          "level of the confidence intervals (default: 0.95)", "P" },
        { "force", 0, 0, G_OPTION_ARG_NONE, &w.force, CLI_FORCE_HELP, NULL },
        { NULL },
    };

    if (!cli_scoring_parse(argc, argv, entries, &scoring, "[MODEL=]INPUT...", summary_text,
                           examples_text, &inputs, &status))
        return status;
    return study(&w, &scoring, inputs);
}
