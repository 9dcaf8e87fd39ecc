/* What the script of the page reads: the summary, and every pair. */
#pragma once

#include "eval/report/page_model.h"

/** Names, values, tests: what the first screen shows. JSON, safe inside <script>. (transfer full)
 */
char *tg_report_summary_json(const TgReport *report);

/** Every pair with scores, errors and drawings, as JSON, not yet safe. (transfer full) */
char *tg_report_pairs_json(const TgReport *report);

/**
 * Append data as the text of a script element: small ones as they are, large ones compressed.
 *
 * Returns: the type of the element: "application/json", or "text/plain" for base 64 of zlib's
 * format, which browsers unpack; static
 */
const char *tg_report_pack(GString *out, const char *json);
