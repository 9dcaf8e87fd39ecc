/* All pairs, for the script of the page. */
#pragma once

#include "eval/report/page_model.h"

/** JSON that is safe inside <script>. (transfer full) */
char *tg_report_pairs_json(const TgReport *report);
