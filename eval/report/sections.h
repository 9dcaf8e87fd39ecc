/* The sections of a report, each in a file of its own, in the order of the tables. */
#pragma once

#include "eval/report/page_model.h"

/** Fill the blocks: values of all models and subsets, with intervals and tests. */
void tg_report_measure(TgReport *report);

/** The values as a table; what was run. */
void tg_report_add_overview(TgReport *report);

/** Who is better, in sentences made from the tests; after the overview. */
void tg_report_add_headline(TgReport *report);

/** How many predictions can be read and drawn, and why not; what metrics said about pairs. */
void tg_report_add_rendering(TgReport *report);

/** What goes wrong: by class, the most frequent, by construct and by length. */
void tg_report_add_errors(TgReport *report);

/** How the models changed from the first to the last: pairs that only one of them has right. */
void tg_report_add_changes(TgReport *report);

/** Rank correlations of the metrics with each other. */
void tg_report_add_agreement(TgReport *report);

/** Human scores, where the pairs have any. FALSE with @error as tg_report_new(). */
gboolean tg_report_add_human(TgReport *report, const char *const *stored, const char *const *lower,
                             GError **error);
