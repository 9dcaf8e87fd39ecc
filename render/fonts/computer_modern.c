/* Computer Modern's metrics and measured pixels on Latin Modern's fonts. */
#include "render/fonts/computer_modern.h"

static void set_box(TgMetrics *metrics, const TgComputerModernBox *box)
{
    TgCharMetrics *out = &metrics->chars[box->code];

    out->width = tg_metrics_scale(box->width, metrics->size);
    out->height = tg_metrics_scale(box->height, metrics->size);
    out->depth = tg_metrics_scale(box->depth, metrics->size);
    out->italic = tg_metrics_scale(box->italic, metrics->size);
}

static void set_metrics(TgMetrics *metrics, const TgComputerModernMetrics *from)
{
    for (guint i = 0; i < from->n_boxes; i++)
        set_box(metrics, &from->boxes[i]);
    for (guint i = TG_PARAM_SLANT + 1; i <= from->n_params; i++)
        metrics->params[i] = tg_metrics_scale(from->params[i - 1], metrics->size);
}

gboolean tg_font_set_imitate_computer_modern(TgFontSet *set, GError **error)
{
    for (guint i = 0; i < tg_computer_modern_n_metrics; i++) {
        const TgComputerModernMetrics *from = &tg_computer_modern_metrics[i];
        const TgFont *font = tg_font_set_get(set, from->font, from->size_pt * TG_SP_PER_PT, error);

        if (font == NULL)
            return FALSE;
        set_metrics((TgMetrics *) font->metrics, from); /* nobody else has the set yet */
    }
    tg_font_set_measured(set, tg_computer_modern_pixels);
    return TRUE;
}
