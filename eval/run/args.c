/* The options of runs and summaries, for the program, its documents and Python. */
#include "eval/run/scorer.h"

static const char *const delimiters[] = { "strip", "keep", NULL }; /* keep_delimiters */
static const char *const kinds[] = { "latex", "ids", NULL };       /* token_ids */

enum { SCORE = TG_MODE_SCORE, CHECKS = TG_MODE_SCORE | TG_MODE_CHECK };

#define AT(member) G_STRUCT_OFFSET(TgEvalOptions, member)

const TgArg tg_read_args[] = {
    { "gt", TG_ARG_LIST, AT(source.refs),
      "file of references, joined with --pred by id or by line; repeatable", "FILE", .modes = SCORE,
      .file = TG_ARG_READS, .group = "Input" },
    { "pred", TG_ARG_LIST, AT(source.hyps),
      "file of a model's predictions, joined with --gt; repeatable", "[MODEL=]FILE", .modes = SCORE,
      .file = TG_ARG_READS },
    { "pages", TG_ARG_LIST, AT(pages),
      "folder of a model's Markdown pages, matched with the pages of --gt as OmniDocBench does; "
      "repeatable",
      "[MODEL=]FOLDER", .modes = SCORE, .file = TG_ARG_READS },
    { "format", TG_ARG_TEXT, AT(source.format), "format of the inputs (default: auto)", "NAME",
      .letter = 'f', .modes = CHECKS },
    { "map", TG_ARG_LIST, AT(source.maps),
      "names of the input fields, as gt=F,pred=F,id=F,subset=F,model=F,human=F; A.B is the field B "
      "of the object A; repeatable",
      "MAP", .modes = CHECKS },
    { "human", TG_ARG_LIST, AT(source.human),
      "group of raters and the fields of their ratings; repeatable", "GROUP=F,F", .modes = SCORE },
    { "ratings", TG_ARG_FILE, AT(source.ratings),
      "file of human scores: a row per id, or per score with id, rater and score", "FILE",
      .modes = SCORE, .file = TG_ARG_READS },
    { "columns", TG_ARG_NAMES, AT(source.columns),
      "input fields to keep in the results (default: all numbers and short texts; '' keeps none)",
      "F,F", .modes = SCORE },
    { "model", TG_ARG_FILE, AT(source.model), "model of rows that name none", "NAME",
      .modes = SCORE },
    { "tokens", TG_ARG_CHOICE, AT(source.token_ids),
      "input type: latex (default), or ids (token ids, as text or JSON lists; combine with "
      "tokenize=words)",
      "KIND", .choices = kinds, .modes = SCORE, .recorded = "tokens" },
    { "allow-duplicates", TG_ARG_FLAG, AT(source.allow_duplicates),
      "accept several rows with one id", .modes = CHECKS },
    { 0 },
};

const TgArg tg_score_args[] = {
    { "metrics", TG_ARG_JOINED, AT(metrics),
      "comma-separated metrics: NAME, NAME:OPTION=VALUE, LABEL=NAME:..., or a set such as text or "
      "all (texgauge metrics lists them); repeatable",
      "LIST", .letter = 'm', .modes = SCORE, .group = "Metrics" },
    { "delimiters", TG_ARG_CHOICE, AT(source.keep_delimiters),
      "strip (default) or keep math delimiters around a formula, such as $, \\[ and equation",
      "RULE", .preset = "strip", .choices = delimiters, .modes = SCORE, .recorded = "delimiters" },
    { "clean", TG_ARG_TEXT, AT(source.clean),
      "what to remove from formulas first: fences, dollars, brackets, parens, tags, labels, "
      "nonumber, punctuation; all; omnidocbench (default: none)",
      "RULES", .modes = SCORE, .recorded = "clean" },
    { "undefined", TG_ARG_CHOICE, AT(scorer.undefined),
      "what a pair that cannot be scored counts as: worst (the worst score), skip (leave it out) "
      "or "
      "stop (end the run) (default: set by each metric)",
      "RULE", .preset = "default", .choices = tg_undefined_names, .modes = SCORE,
      .recorded = "undefined" },
    { "detail", TG_ARG_FLAG, AT(scorer.detail), "store each metric's details of every pair",
      .modes = SCORE },
    { 0 },
};

const TgArg tg_run_args[] = {
    { .kind = TG_ARG_TABLE, .table = tg_score_args },
    { .kind = TG_ARG_TABLE, .table = tg_read_args },
    { "pair-timeout", TG_ARG_NUMBER, AT(scorer.pair_timeout),
      "time limit of a pair; a slower pair gets the status too-long (default: none)", "SECONDS",
      .modes = SCORE, .recorded = "pair_timeout", .group = "Run" },
    { "threads", TG_ARG_COUNT, AT(threads), "worker threads (default: one per processor)", "N",
      .max = 1024, .letter = 't' },
    { "output", TG_ARG_FILE, AT(output), "write a row per pair to FILE; '-' is stdout", "FILE",
      .letter = 'o', .modes = SCORE | TG_MODE_ADD, .file = TG_ARG_WRITES },
    { "resume", TG_ARG_FLAG, AT(resume), "continue an interrupted output file", .modes = SCORE },
    { "shard", TG_ARG_SHARD, AT(shard), "score only shard K of N", "K/N", .modes = SCORE },
    { 0 },
};

#undef AT
#define AT(member) G_STRUCT_OFFSET(TgSummaryOptions, member)

const TgArg tg_merge_args[] = {
    { "force", TG_ARG_FLAG, AT(force),
      "overwrite an output file that is not empty; combine results that were scored differently",
      .modes = TG_MODE_SUMMARY },
    { "confidence", TG_ARG_FLAG, AT(confidence), "show 95 % bootstrap intervals (1000 resamples)",
      .modes = TG_MODE_SUMMARY, .group = "Summary" },
    { "mean", TG_ARG_FILE, AT(mean),
      "average over pairs (default), pages (default with --pages) or subsets; pages=FIELD names "
      "the "
      "field of the page; of results the default is that of their run",
      "MEAN", .modes = TG_MODE_SUMMARY },
    { "by", TG_ARG_LIST, AT(by), "also show the pairs by the values of this field; repeatable",
      "FIELD", .modes = TG_MODE_SUMMARY },
    { 0 },
};
