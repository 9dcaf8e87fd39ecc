/* Reporting what is wrong with an input in one line of code. */
#pragma once

#include <texgauge/types.h>

/** Set @error to TG_ERROR_INPUT with the formatted message; always returns FALSE. */
gboolean tg_fail_input(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** The same with any code. */
gboolean tg_fail(GError **error, TgErrorCode code, const char *format, ...) G_GNUC_PRINTF(3, 4);

/** The same with TG_ERROR_USAGE. */
gboolean tg_fail_usage(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
