/*
 * The sections of a report, each in a file of its own, in the order of the page. Each function adds
 * its sections if there is content for them, and returns FALSE with @error as tg_report_new().
 */
#pragma once

#include "eval/report/page_model.h"

/** What was run: files, metrics with signatures; and all values with intervals. */
void tg_report_add_overview(TgReport *report);

/** How many predictions can be read and drawn, and why not; what metrics said about pairs. */
void tg_report_add_rendering(TgReport *report);

/* Plots; not for a report without pairs or columns. */

/** Histogram and cumulative distribution of each column. */
gboolean tg_report_add_distributions(TgReport *report, GError **error);

/** Columns against human scores, where the pairs have any. */
gboolean tg_report_add_human_plots(TgReport *report, GError **error);

/** Columns against each other, and their rank correlations. */
gboolean tg_report_add_agreement(TgReport *report, GError **error);

/** Columns against the length of the truth. */
gboolean tg_report_add_lengths(TgReport *report, GError **error);

/** Confusions of tokens: substitutions, deletions and insertions. */
void tg_report_add_confusions(TgReport *report);

/** Which elements CDM and related metrics matched with others: substitutions per model. */
void tg_report_add_matches(TgReport *report);

/** Errors per model by class, as metrics count them; FORTE's substitutions; its edits per pair. */
void tg_report_add_edits(TgReport *report);

/** Human scores, where the pairs have any. */
gboolean tg_report_add_human(TgReport *report, const char *const *stored, const char *const *lower,
                             GError **error);

/** Drawings of the worst, the median and the most disputed pairs. */
gboolean tg_report_add_pictures(TgReport *report, const char *wanted, GError **error);
