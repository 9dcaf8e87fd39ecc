/* The options that the program and Python, or several commands, have in common. */
#pragma once

#include "core/args.h"
#include "eval/compare/compare.h"
#include "eval/rate/rate.h"
#include "eval/report/report.h"
#include "eval/run/run.h"
#include "eval/study/study.h"

extern const TgArg tg_form_args[];    /**< TgGridForm: percent and digits */
extern const TgArg tg_style_args[];   /**< TgGridForm: the style, percent and digits */
extern const TgArg tg_compare_args[]; /**< TgCompareOptions */
extern const TgArg tg_study_args[];   /**< TgStudyOptions */
extern const TgArg tg_report_args[];  /**< TgReportOptions */
extern const TgArg tg_rate_args[];    /**< TgRateOptions */

/** Bits of the modes of study. */
enum { TG_MODE_STUDY = 1, TG_MODE_PLAN = 2 };

/** Bits of the modes of compare. */
enum { TG_MODE_COMPARE = 1, TG_MODE_GATE = 2 };
