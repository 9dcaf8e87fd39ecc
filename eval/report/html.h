/* A report as one HTML page that loads nothing else. */
#pragma once

#include "eval/report/page_model.h"

/** (transfer full) */
char *tg_report_html(const TgReport *report);
