/* Reader of TeX font metric files. */
#pragma once

#include "render/fonts/font_metrics.h"

G_BEGIN_DECLS

/**
 * Read a font's metrics at a size.
 *
 * @data: the whole file, @len bytes; may be anything
 * @size: the size in sp, in [1, 2^27), or 0 for the font's own design size
 *
 * Returns: (transfer full) the metrics, or NULL with @error set to TG_ERROR_FONT: no TFM file, or
 * one whose parts contradict each other. Missing characters and parameters are no error.
 *
 * Threads: any. Source: TeX §§539-575, format of TFM files.
 */
TgMetrics *tg_tfm_read(const guint8 *data, gsize len, TgScaled size, GError **error);

G_END_DECLS
