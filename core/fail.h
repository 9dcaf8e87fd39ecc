/* Setting a GError and returning in one statement. */
#pragma once

#include <texgauge/types.h>

/** The result of every next() of an iterator, which fills its row only with TG_NEXT_ROW. The
 * value of TG_NEXT_ERROR, which sets the error, is FALSE, so that `return tg_fail(...)` gives it.
 */
typedef enum { TG_NEXT_ERROR, TG_NEXT_END, TG_NEXT_ROW } TgNext;

/** Set @error to @code with the formatted message; always returns FALSE. */
gboolean tg_fail(GError **error, TgErrorCode code, const char *format, ...) G_GNUC_PRINTF(3, 4);

/** The same with the codes TG_ERROR_INPUT and TG_ERROR_USAGE. */
#define tg_fail_input(error, ...) tg_fail(error, TG_ERROR_INPUT, __VA_ARGS__)
#define tg_fail_usage(error, ...) tg_fail(error, TG_ERROR_USAGE, __VA_ARGS__)

/** Fail with TG_ERROR_USAGE: "unknown KIND 'NAME'; the KINDs are A, B", and the known name that is
 * most like NAME. @known: NULL last */
gboolean tg_fail_unknown(GError **error, const char *kind, const char *name,
                         const char *const *known);

/** The same, returning NULL, for functions that return a pointer. */
#define tg_null(...)              ((gpointer) (gsize) tg_fail(__VA_ARGS__))
#define tg_null_input(error, ...) tg_null(error, TG_ERROR_INPUT, __VA_ARGS__)
#define tg_null_usage(error, ...) tg_null(error, TG_ERROR_USAGE, __VA_ARGS__)
