#include "eval/options/options.h"

#include "eval/run/scorer.h"

static const char *const delimiters[] = { "strip", "keep", NULL }; /* keep_delimiters */
static const char *const kinds[] = { "latex", "ids", NULL };       /* token_ids */
static const char *const rules[] = { "two-sided", "sacrebleu", NULL };

enum { SCORE = TG_MODE_SCORE, CHECKS = TG_MODE_SCORE | TG_MODE_CHECK };

#define AT(member) G_STRUCT_OFFSET(TgEvalOptions, member)

const TgArg tg_read_args[] = {
    { "gt", TG_ARG_LIST, AT(truths), "file of truths, joined with --pred; may be repeated", "FILE",
      .modes = SCORE, .file = TG_ARG_READS },
    { "pred", TG_ARG_LIST, AT(predictions),
      "file of a model's predictions, joined with --gt; may be repeated", "[MODEL=]FILE",
      .modes = SCORE, .file = TG_ARG_READS },
    { "pages", TG_ARG_LIST, AT(pages),
      "folder of a model's pages in Markdown, matched with the pages of --gt as OmniDocBench does; "
      "may be repeated",
      "[MODEL=]FOLDER", .modes = SCORE, .file = TG_ARG_READS },
    { "format", TG_ARG_TEXT, AT(format), "format of the inputs (default: auto)", "NAME",
      .letter = 'f', .modes = CHECKS },
    { "map", TG_ARG_LIST, AT(maps),
      "field names: gt=F,pred=F,id=F,subset=F,model=F,human=F; a dot descends into an object",
      "MAP", .modes = CHECKS },
    { "human", TG_ARG_LIST, AT(human), "a group of raters and its fields; may be repeated",
      "GROUP=F,F", .modes = SCORE },
    { "ratings", TG_ARG_FILE, AT(ratings),
      "file with the human scores by id, or one score a row: id, rater, score", "FILE",
      .modes = SCORE, .file = TG_ARG_READS },
    { "columns", TG_ARG_NAMES, AT(columns),
      "fields of the input to store in the results (default: all other numbers and short texts; "
      "'': none)",
      "F,F", .modes = SCORE },
    { "model", TG_ARG_FILE, AT(model), "model of rows that name none", "NAME", .modes = SCORE },
    { "tokens", TG_ARG_CHOICE, AT(token_ids),
      "ids: formulas are token ids, as text or JSON lists (use tokenize=words)", "KIND",
      .choices = kinds, .modes = SCORE },
    { "allow-duplicates", TG_ARG_FLAG, AT(allow_duplicates), "do not check for duplicate ids",
      .modes = CHECKS },
    { 0 },
};

const TgArg tg_score_args[] = {
    { "metrics", TG_ARG_JOINED, AT(metrics),
      "metrics and sets of them, comma-separated: NAME, NAME:OPTION=VALUE, LABEL=NAME:..., text, "
      "drawn, all; may be repeated",
      "LIST", .letter = 'm', .modes = SCORE },
    { "delimiters", TG_ARG_CHOICE, AT(keep_delimiters),
      "outer $ $$ \\( \\[ equation ...: strip (default) or keep", "RULE", .choices = delimiters,
      .modes = SCORE },
    { "clean", TG_ARG_TEXT, AT(clean),
      "take off: fences, dollars, brackets, parens, tags, labels, nonumber, punctuation; all, "
      "omnidocbench (default: none)",
      "RULES", .modes = SCORE },
    { "undefined", TG_ARG_CHOICE, AT(undefined),
      "pairs that cannot be scored: worst, skip or stop (default: set by the metric)", "RULE",
      .choices = tg_undefined_names, .modes = SCORE },
    { "detail", TG_ARG_FLAG, AT(detail), "store the details that metrics have on each pair",
      .modes = SCORE },
    { 0 },
};

const TgArg tg_run_args[] = {
    { .kind = TG_ARG_TABLE, .table = tg_score_args },
    { .kind = TG_ARG_TABLE, .table = tg_read_args },
    { "pair-timeout", TG_ARG_NUMBER, AT(pair_timeout),
      "time for a pair; what takes longer is too-long (default: no bound)", "SECONDS",
      .modes = SCORE },
    { "threads", TG_ARG_COUNT, AT(threads), "worker threads (default: one per processor)", "N",
      .max = 1024, .letter = 't' },
    { "output", TG_ARG_FILE, AT(output), "write a row per pair to FILE ('-': stdout)", "FILE",
      .letter = 'o', .modes = SCORE | TG_MODE_ADD, .file = TG_ARG_WRITES },
    { "resume", TG_ARG_FLAG, AT(resume), "continue an interrupted output file", .modes = SCORE },
    { "shard", TG_ARG_SHARD, AT(shard), "score only shard K of N", "K/N", .modes = SCORE },
    { 0 },
};

#undef AT
#define AT(member) G_STRUCT_OFFSET(TgSummaryOptions, member)

const TgArg tg_merge_args[] = {
    { "force", TG_ARG_FLAG, AT(force),
      "overwrite an output file that holds something; also results that were not scored in the "
      "same way",
      .modes = TG_MODE_SUMMARY },
    { "edited", TG_ARG_FLAG, AT(edited),
      "also results that were changed after the run; the output says so",
      .modes = TG_MODE_SUMMARY | TG_MODE_CHECK },
    { "confidence", TG_ARG_FLAG, AT(confidence), "show 95 % bootstrap intervals (1000 resamples)",
      .modes = TG_MODE_SUMMARY },
    { "mean", TG_ARG_FILE, AT(mean),
      "values are means over pairs (default), pages or subsets; pages=FIELD names them by a field",
      "MEAN", .modes = TG_MODE_SUMMARY },
    { "by", TG_ARG_LIST, AT(by), "also show the pairs by the values of this field; may be repeated",
      "FIELD", .modes = TG_MODE_SUMMARY },
    { 0 },
};

#undef AT
#define AT(member) G_STRUCT_OFFSET(TgGridForm, member)

const TgArg tg_form_args[] = {
    { "percent", TG_ARG_FLAG, AT(percent), "show scores that are shares of 1 from 0 to 100",
      .modes = TG_MODE_SUMMARY },
    { "digits", TG_ARG_COUNT, AT(digits), "decimal places of scores", "N", .max = 15,
      .modes = TG_MODE_SUMMARY },
    { 0 },
};

const TgArg tg_style_args[] = {
    { "summary", TG_ARG_CHOICE, AT(style), "table, json, csv, md or latex (default: table)",
      "STYLE", .choices = tg_grid_styles, .modes = TG_MODE_SUMMARY },
    { 0 },
};

/* What comparisons, studies and reports have in common. */
#define COLUMNS                                                                                    \
    { "columns", TG_ARG_NAMES, AT(stored), "stored columns of numbers to take beside the metrics", \
      "F,F" },                                                                                     \
    {                                                                                              \
        "lower", TG_ARG_NAMES, AT(lower), "stored columns where lower is better", "F,F"            \
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
#define LEVEL(help)                                                                                \
    {                                                                                              \
        "level", TG_ARG_LEVEL, AT(level), help, "P", .preset = "0.95"                              \
    }
#define FORCE                                                                                      \
    {                                                                                              \
        "force", TG_ARG_FLAG, AT(force), "also results that were not scored in the same way"       \
    }

#define EDITED                                                                                     \
    {                                                                                              \
        "edited", TG_ARG_FLAG, AT(edited), "also results that were changed after the run"          \
    }

#undef AT
#define AT(member) G_STRUCT_OFFSET(TgCompareOptions, member)

const TgArg tg_compare_args[] = {
    { "base", TG_ARG_TEXT, AT(base), "model to compare the others with (default: the first)",
      "MODEL", .modes = TG_MODE_COMPARE },
    COLUMNS,
    ALL,
    { "pairs", TG_ARG_COUNT, AT(pairs), "pairs that differ most to show per metric (default: 5)",
      "N", .preset = "5", .modes = TG_MODE_COMPARE },
    { "resamples", TG_ARG_COUNT, AT(resamples),
      "resamples of the paired bootstrap (default: 1000, or more for many tests)", "N",
      .modes = TG_MODE_COMPARE },
    { "trials", TG_ARG_COUNT, AT(trials),
      "trials of approximate randomisation (default: 10000, or more likewise)", "N",
      .modes = TG_MODE_COMPARE },
    { "seed", TG_ARG_SEED, AT(seed), "seed of both (default: 1)", "N", .preset = "1" },
    { "test", TG_ARG_CHOICE, AT(rules),
      "rules of the p-values: two-sided (default), or sacrebleu's", "RULES", .choices = rules,
      .modes = TG_MODE_COMPARE },
    LEVEL("level of the confidence intervals; the verdict's is 1 - P (default: 0.95)"),
    THREADS,
    FORCE,
    EDITED,
    { 0 },
};

#undef AT
#define AT(member) G_STRUCT_OFFSET(TgGateOptions, member)

const TgArg tg_gate_args[] = {
    { "fail-under", TG_ARG_LIST, AT(fail_under),
      "exit with 1 when a model is worse than VALUE; may be repeated", "COLUMN=VALUE",
      .modes = TG_MODE_GATE },
    { "baseline", TG_ARG_FILE, AT(baseline),
      "exit with 1 when a model is worse than in these results", "FILE", .modes = TG_MODE_GATE,
      .file = TG_ARG_READS },
    { "tolerance", TG_ARG_LIST, AT(tolerances),
      "by how much it may be worse, for all columns or one; may be repeated", "[COLUMN=]NUMBER",
      .modes = TG_MODE_GATE },
    { 0 },
};

#undef AT
#define AT(member) G_STRUCT_OFFSET(TgStudyOptions, member)

const TgArg tg_study_args[] = {
    { "by", TG_ARG_LIST, AT(by),
      "also by subset, by model, or by the values of a field; may be repeated", "WHAT" },
    COLUMNS,
    { "preference", TG_ARG_LIST, AT(preferences),
      "field that says which of two columns people prefer", "FIELD=A,B" },
    { "spellings", TG_ARG_LIST, AT(spellings), "field that is equal for all spellings of a formula",
      "FIELD" },
    ALL,
    { "resamples", TG_ARG_COUNT, AT(resamples),
      "resamples of each bootstrap (default: 1000, or more for many comparisons)", "N" },
    { "seed", TG_ARG_SEED, AT(seed), "seed of the bootstrap (default: 1)", "N", .preset = "1" },
    LEVEL("level of the confidence intervals (default: 0.95)"),
    THREADS,
    FORCE,
    EDITED,
    { 0 },
};

#undef AT
#define AT(member) G_STRUCT_OFFSET(TgReportOptions, member)

const TgArg tg_report_args[] = {
    { "title", TG_ARG_TEXT, AT(title), "title of the report", "TEXT" },
    COLUMNS,
    { "no-drawings", TG_ARG_FLAG, AT(no_drawings),
      "a smaller page, with the sources of formulas alone" },
    { "mean", TG_ARG_FILE, AT(mean),
      "values are means over pairs (default), pages or subsets; pages=FIELD names them by a field",
      "MEAN" },
    { "resamples", TG_ARG_COUNT, AT(resamples), "resamples of each bootstrap (default: 1000)",
      "N" },
    { "seed", TG_ARG_SEED, AT(seed), "seed of the bootstrap (default: 1)", "N", .preset = "1" },
    THREADS,
    { "force", TG_ARG_FLAG, AT(force),
      "also results that were not scored in the same way, and over any file" },
    EDITED,
    { 0 },
};

#undef AT
#define AT(member) G_STRUCT_OFFSET(TgSelectOptions, member)

const TgArg tg_select_args[] = {
    { "where", TG_ARG_LIST, AT(where),
      "a condition with < <= > >= == = or !=; may be repeated, all must hold", "FIELD<VALUE",
      .letter = 'w' },
    { "worst", TG_ARG_COUNT, AT(worst), "the N pairs with the worst score", "N" },
    { "by", TG_ARG_TEXT, AT(by), "column for --worst (default: the first)", "COLUMN" },
    { "disputed", TG_ARG_TEXT, AT(disputed), "the pairs that two columns rank most differently",
      "A,B" },
    { "limit", TG_ARG_COUNT, AT(limit), "at most N pairs (default: all; 20 with --disputed)", "N",
      .letter = 'n' },
    { "lower", TG_ARG_NAMES, AT(lower), "stored columns where lower is better", "F,F" },
    { "output", TG_ARG_FILE, AT(output), "write to FILE (default: stdout)", "FILE", .letter = 'o',
      .file = TG_ARG_WRITES },
    EDITED,
    { 0 },
};
