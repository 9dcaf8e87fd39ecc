/* The table of built-in metrics: a new one is a file, a word here, and a line in meson.build. */
#pragma once

#include <texgauge/metric.h>

/* clang-format off */
#define TG_BUILTIN_METRICS(X) \
    X(bleu) \
    X(edit) \
    X(edit_dist) \
    X(cer) \
    X(wer) \
    X(edit_ops) \
    X(exprate) \
    X(crohme_graph) \
    X(olmocr) \
    X(rouge) \
    X(chrf) \
    X(texbleu) \
    X(ebleu) \
    X(forte) \
    X(render) \
    X(cdm) \
    X(cdm_strict) \
    X(imgedit) \
    X(mse) \
    X(ssim)
/* clang-format on */

#define X(name) extern const TgMetricInfo tg_metric_##name;
TG_BUILTIN_METRICS(X)
#undef X
