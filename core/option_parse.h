/* Reading and writing option values by table; option structs that may grow. */
#pragma once

#include <string.h>

#include <texgauge/option.h>

/** Fill @instance with every option's preset; strings are allocated. */
void tg_options_preset(const TgOption *table, gpointer instance);

/** Free the strings that options put into @instance. */
void tg_options_clear(const TgOption *table, gpointer instance);

/**
 * Set one option from text.
 *
 * @owner: named in errors, as "metric 'bleu'"
 *
 * Returns: FALSE with TG_ERROR_USAGE: unknown name (the message lists the known ones), trailing
 * text, out of range
 */
gboolean tg_options_set(const TgOption *table, gpointer instance, const char *owner,
                        const char *name, const char *value, GError **error);

/** The current value of @option as text. (transfer full) */
char *tg_option_text(const TgOption *option, gconstpointer instance);

/**
 * Copy the caller's options over the defaults in @own. A caller built with an older header has a
 * shorter struct, a caller built with a newer header a longer one.
 */
#define TG_COPY_OPTIONS(own, given) memcpy(&(own), (given), MIN((given)->size, sizeof(own)))
