#include "eval/options/options.h"

static const char *const rules[] = { "two-sided", "sacrebleu", NULL };

#define AT(member) G_STRUCT_OFFSET(TgGridForm, member)

const TgArg tg_form_args[] = {
    { "percent", TG_ARG_FLAG, AT(percent),
      "show scores between 0 and 1 as percentages; distances stay fractions",
      .modes = TG_MODE_SUMMARY, .group = "Format" },
    { "digits", TG_ARG_COUNT, AT(digits), "decimal places of scores", "N", .max = 15,
      .modes = TG_MODE_SUMMARY },
    { 0 },
};

const TgArg tg_style_args[] = {
    { "summary", TG_ARG_CHOICE, AT(style), "output style: table (default), json, csv, md or latex",
      "STYLE", .choices = tg_grid_styles, .modes = TG_MODE_SUMMARY, .group = "Format" },
    { .kind = TG_ARG_TABLE, .table = tg_form_args },
    { 0 },
};

/* Options that comparisons, studies and reports have in common. */
#define COLUMNS                                                                                    \
    { "columns", TG_ARG_NAMES, AT(table.stored),                                                   \
      "stored numeric columns to include beside the metrics", "F,F" },                             \
    {                                                                                              \
        "lower", TG_ARG_NAMES, AT(table.lower), "stored columns of which lower values are better", \
            "F,F"                                                                                  \
    }
#define THREADS                                                                                    \
    {                                                                                              \
        "threads", TG_ARG_COUNT, AT(threads), "worker threads (default: one per processor)", "N",  \
            .max = 1024, .letter = 't'                                                             \
    }
#define ALL                                                                                        \
    {                                                                                              \
        "all", TG_ARG_FLAG, AT(all_columns), "show every column, not only each metric's first",    \
            .letter = 'a', .modes = TG_MODE_COMPARE                                                \
    }
#define LEVEL(member, help)                                                                        \
    {                                                                                              \
        "level", TG_ARG_LEVEL, AT(member), help, "P", .preset = "0.95"                             \
    }
#define MEAN                                                                                       \
    {                                                                                              \
        "mean", TG_ARG_FILE, AT(mean),                                                             \
            "average over pairs, pages or subsets (default: as the run did); pages=FIELD names "   \
            "the "                                                                                 \
            "field of the page",                                                                   \
            "MEAN"                                                                                 \
    }
#define RATINGS                                                                                    \
    {                                                                                              \
        "ratings", TG_ARG_LIST, AT(table.ratings),                                                 \
            "file that a page of 'texgauge rate' saved; repeatable, further ones may follow",      \
            "FILE", .file = TG_ARG_READS                                                           \
    }
#define FORCE                                                                                      \
    {                                                                                              \
        "force", TG_ARG_FLAG, AT(table.force), "combine results that were scored differently"      \
    }

#undef AT
#define AT(member) G_STRUCT_OFFSET(TgCompareOptions, member)

const TgArg tg_compare_args[] = {
    { "base", TG_ARG_TEXT, AT(base), "model to compare the others with (default: the first)",
      "MODEL", .modes = TG_MODE_COMPARE, .group = "Comparison" },
    COLUMNS,
    ALL,
    MEAN,
    { "pairs", TG_ARG_COUNT, AT(pairs), "show the N pairs per metric that differ most (default: 5)",
      "N", .preset = "5", .modes = TG_MODE_COMPARE },
    FORCE,
    { "resamples", TG_ARG_COUNT, AT(tests.resamples),
      "resamples of the bootstrap (default: 1000, or more for many tests)", "N",
      .modes = TG_MODE_COMPARE, .group = "Statistics" },
    { "trials", TG_ARG_COUNT, AT(tests.trials),
      "trials of the randomization test (default: 10000, or more for many tests)", "N",
      .modes = TG_MODE_COMPARE },
    { "seed", TG_ARG_SEED, AT(tests.seed), "seed of resamples and trials (default: 1)", "N",
      .preset = "1" },
    { "test", TG_ARG_CHOICE, AT(tests.rules),
      "rule of the p-values: two-sided (default) or sacrebleu", "RULES", .choices = rules,
      .modes = TG_MODE_COMPARE },
    LEVEL(tests.level, "confidence level of the intervals; verdicts use 1 - P (default: 0.95)"),
    THREADS,
    { 0 },
};

#undef AT
#define AT(member) G_STRUCT_OFFSET(TgStudyOptions, member)

const TgArg tg_study_args[] = {
    { "by", TG_ARG_LIST, AT(by),
      "also correlate by subset, by model, or by the values of a field; repeatable", "WHAT",
      .group = "Study" },
    COLUMNS,
    RATINGS,
    { "preference", TG_ARG_LIST, AT(preferences),
      "field that says which of two columns people prefer; repeatable", "FIELD=A,B" },
    { "spellings", TG_ARG_LIST, AT(spellings),
      "field with the same value for all spellings of a formula; repeatable", "FIELD" },
    ALL,
    FORCE,
    { "resamples", TG_ARG_COUNT, AT(resamples),
      "resamples of each bootstrap (default: 1000, or more for many comparisons)", "N",
      .group = "Statistics" },
    { "seed", TG_ARG_SEED, AT(seed), "seed of the bootstrap (default: 1)", "N", .preset = "1" },
    LEVEL(level, "confidence level of the intervals (default: 0.95)"),
    THREADS,
    { 0 },
};

#undef AT
#define AT(member) G_STRUCT_OFFSET(TgReportOptions, member)

const TgArg tg_report_args[] = {
    { "title", TG_ARG_TEXT, AT(title), "title of the report", "TEXT" },
    COLUMNS,
    RATINGS,
    { "no-drawings", TG_ARG_FLAG, AT(no_drawings),
      "show the LaTeX source of formulas only, which makes a smaller page" },
    MEAN,
    { "images", TG_ARG_FILE, AT(images),
      "folder with the scans of pages, to which the page links, and the pictures of pairs "
      "(image_path), which it shows",
      "FOLDER", .file = TG_ARG_READS },
    { "with-images", TG_ARG_FLAG, AT(with_images),
      "copy these pictures into report-images beside the page, which takes the copies" },
    { "force", TG_ARG_FLAG, AT(table.force),
      "combine results that were scored differently; overwrite any file" },
    { "resamples", TG_ARG_COUNT, AT(resamples),
      "resamples of each bootstrap (default: 1000, or more for many tests)", "N",
      .group = "Statistics" },
    { "seed", TG_ARG_SEED, AT(seed), "seed of the bootstrap (default: 1)", "N", .preset = "1" },
    THREADS,
    { 0 },
};

#undef AT
#define AT(member) G_STRUCT_OFFSET(TgRateOptions, member)

const TgArg tg_rate_args[] = {
    { "sample", TG_ARG_COUNT, AT(sample), "so many pairs (default: all)", "N", .group = "Pairs" },
    { "by", TG_ARG_TEXT, AT(by),
      "how they are drawn: random (default), subset, strata:COLUMN, disagreement or "
      "disagreement:A,B",
      "HOW" },
    { "repeat", TG_ARG_COUNT, AT(repeat),
      "so many pairs come twice, to see whether raters agree with themselves", "N" },
    { "same-references", TG_ARG_FLAG, AT(same_references),
      "several pairs may have the same reference" },
    { "seed", TG_ARG_SEED, AT(seed), "seed of the drawing and of the orders (default: 1)", "N",
      .preset = "1" },
    { "scale", TG_ARG_TEXT, AT(scale),
      "1-5 (default), 0-10, or words from best to worst such as good,bad", "SCALE",
      .group = "Question" },
    { "ends", TG_ARG_NAMES, AT(ends), "what the lowest and the highest number mean", "LOW,HIGH" },
    { "question", TG_ARG_TEXT, AT(question), "what is asked", "TEXT" },
    { "preference", TG_ARG_NAMES, AT(preference), "ask which of two columns is right", "A,B" },
    { "models", TG_ARG_NAMES, AT(models),
      "ask which of two predictions is better, of two models or more", "A,B" },
    { "anchors", TG_ARG_FILE, AT(anchors),
      "file of pairs with ratings, and reasons in a field 'why', shown first", "FILE",
      .file = TG_ARG_READS, .group = "Page" },
    { "title", TG_ARG_TEXT, AT(title), "title of the page", "TEXT" },
    { "source", TG_ARG_FLAG, AT(source), "show LaTeX always, not only on a key press" },
    { "with-images", TG_ARG_FLAG, AT(with_images),
      "put the pictures that image_path names into the page" },
    { "images", TG_ARG_FILE, AT(images), "folder of these pictures", "FOLDER",
      .file = TG_ARG_READS },
    { "metrics", TG_ARG_JOINED, AT(eval.metrics),
      "metrics of inputs that are no results, for --by and --preference (default: edit,bleu)",
      "LIST", .letter = 'm', .group = "Metrics" },
    { .kind = TG_ARG_TABLE, .offset = AT(eval), .table = tg_read_args },
    { 0 },
};
