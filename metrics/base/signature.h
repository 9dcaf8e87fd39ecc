/* What a score depends on, as text: the metric, its options, the files it loaded, its version. */
#pragma once

#include <texgauge/metric.h>

/**
 * "name|option:value|file:hash|v:version": the options that are not the default, presets as init()
 * settled them, in alphabetical order; then the files (core/files/datadir.h).
 *
 * @instance: after init()
 * @files: NULL last
 *
 * Returns: (transfer full)
 */
char *tg_signature_new(const TgMetricInfo *info, gconstpointer instance, const char *const *files);

/**
 * Whether a signature that was written says the same as that of this instance. Those written
 * before 0.2 name all options, and no files.
 */
gboolean tg_signature_matches(const TgMetricInfo *info, gconstpointer instance,
                              const char *const *files, const char *written);
