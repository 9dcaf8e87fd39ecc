/* The options of what eval/ does, each written once: for the program, its documents and Python. */
#pragma once

#include "core/args.h"
#include "eval/compare/compare.h"
#include "eval/report/report.h"
#include "eval/run/run.h"
#include "eval/select/select.h"
#include "eval/study/study.h"

extern const TgArg tg_read_args[];    /**< TgEvalOptions: how inputs are read */
extern const TgArg tg_score_args[];   /**< TgEvalOptions: how a pair is scored */
extern const TgArg tg_run_args[];     /**< TgEvalOptions: the rest, with the two above */
extern const TgArg tg_merge_args[];   /**< TgSummaryOptions */
extern const TgArg tg_form_args[];    /**< TgGridForm: percent and digits */
extern const TgArg tg_style_args[];   /**< TgGridForm: the style */
extern const TgArg tg_compare_args[]; /**< TgCompareOptions */
extern const TgArg tg_gate_args[];    /**< TgGateOptions, but for what comparisons have, too */
extern const TgArg tg_study_args[];   /**< TgStudyOptions */
extern const TgArg tg_report_args[];  /**< TgReportOptions */
extern const TgArg tg_select_args[];  /**< TgSelectOptions */

/** Bits of the modes of eval: what an option acts on. */
enum {
    TG_MODE_SCORE = 1,   /**< pairs are scored */
    TG_MODE_RESULTS = 2, /**< finished results are summed up */
    TG_MODE_ADD = 4,     /**< metrics are added to them */
    TG_MODE_CHECK = 8,   /**< truths are read and checked */
    TG_MODE_SUMMARY = TG_MODE_SCORE | TG_MODE_RESULTS | TG_MODE_ADD,
};

/** Bits of the modes of compare. */
enum { TG_MODE_COMPARE = 1, TG_MODE_GATE = 2 };
