/* Metrics from the table of AMS fonts. */
#include "render/fonts/ams_metrics.h"

#include <string.h>

const TgAmsFont *tg_ams_find(const char *name)
{
    for (guint i = 0; i < tg_ams_n_fonts; i++) {
        if (strcmp(tg_ams_fonts[i].name, name) == 0)
            return &tg_ams_fonts[i];
    }
    return NULL;
}

static void add_skew(TgMetrics *metrics, TgCharMetrics *out, TgScaled kern)
{
    const guint i = metrics->n_kerns++;

    metrics->n_program++;
    metrics->kerns[i] = kern;
    metrics->program[i] = (TgLigKern){ 128, TG_AMS_SKEWCHAR, (guint8) (128 + i / 256), i % 256 };
    out->tag = TG_CHAR_LIGATURES;
    out->rest = (guint8) i;
}

TgMetrics *tg_ams_metrics(const TgAmsFont *font, TgScaled size)
{
    TgMetrics *metrics = g_new0(TgMetrics, 1);

    metrics->size = size;
    metrics->program = g_new(TgLigKern, font->n_chars);
    metrics->kerns = g_new(TgScaled, font->n_chars);
    for (guint c = 0; c < 256; c++)
        metrics->chars[c].tag = TG_CHAR_ABSENT;
    for (guint i = 0; i < font->n_chars; i++) {
        const TgAmsChar *in = &font->chars[i];
        TgCharMetrics *out = &metrics->chars[in->code];

        out->width = tg_metrics_scale(in->width, size);
        out->height = tg_metrics_scale(in->height, size);
        out->depth = tg_metrics_scale(in->depth, size);
        out->italic = tg_metrics_scale(in->italic, size);
        out->tag = in->larger != 0 ? TG_CHAR_NEXT : TG_CHAR_PLAIN;
        out->rest = in->larger;
        if (in->skew != 0)
            add_skew(metrics, out, tg_metrics_scale(in->skew, size));
    }
    for (guint i = 1; i <= MIN(font->n_params, TG_N_PARAMS - 1u); i++)
        metrics->params[i] = i == TG_PARAM_SLANT ? font->params[i - 1] / 16
                                                 : tg_metrics_scale(font->params[i - 1], size);
    return metrics;
}
