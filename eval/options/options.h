/* The options of what eval/ does, each written once: for the program, its documents and Python. */
#pragma once

#include "core/args.h"
#include "eval/compare/compare.h"
#include "eval/rate/rate.h"
#include "eval/report/report.h"
#include "eval/run/run.h"
#include "eval/select/select.h"
#include "eval/study/plan.h"
#include "eval/study/study.h"

extern const TgArg tg_form_args[];    /**< TgGridForm: percent and digits */
extern const TgArg tg_style_args[];   /**< TgGridForm: the style, percent and digits */
extern const TgArg tg_compare_args[]; /**< TgCompareOptions */
extern const TgArg tg_gate_args[];    /**< TgGateOptions, but for what comparisons have, too */
extern const TgArg tg_study_args[];   /**< TgStudyOptions */
extern const TgArg tg_plan_args[];    /**< TgPlanOptions, but for what studies have, too */
extern const TgArg tg_report_args[];  /**< TgReportOptions */
extern const TgArg tg_rate_args[];    /**< TgRateOptions */
extern const TgArg tg_select_args[];  /**< TgSelectOptions */

/** Bits of the modes of study. */
enum { TG_MODE_STUDY = 1, TG_MODE_PLAN = 2 };

/** Bits of the modes of compare. */
enum { TG_MODE_COMPARE = 1, TG_MODE_GATE = 2 };
