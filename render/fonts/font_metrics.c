/* Scaling of font metrics and the lig/kern program. */
#include "render/fonts/font_metrics.h"

TgScaled tg_metrics_scale(gint32 fix_word, TgScaled size)
{
    /* alpha = 16 size and beta = 2^20 / alpha' keep every product below 2^31, as in TeX. */
    gint32 alpha = 16, z = (gint32) size;

    while (z >= 0x800000) {
        z /= 2;
        alpha += alpha;
    }
    const gint32 beta = 256 / alpha;
    alpha *= z;

    const guint32 bits = (guint32) fix_word;
    const gint32 b = (bits >> 16) & 0xFF, c = (bits >> 8) & 0xFF, d = bits & 0xFF;
    const gint32 scaled = (((d * z) / 256 + c * z) / 256 + b * z) / beta;
    return fix_word < 0 ? scaled - alpha : scaled;
}

TgCharPair tg_metrics_pair(const TgMetrics *metrics, guint8 left, guint8 right)
{
    const TgCharPair nothing = { .kind = TG_PAIR_NOTHING };

    if (metrics->chars[left].tag != TG_CHAR_LIGATURES)
        return nothing;

    guint at = metrics->chars[left].rest;
    if (metrics->program[at].skip > 128) /* the program starts farther away */
        at = 256 * metrics->program[at].op + metrics->program[at].rest;
    for (; at < metrics->n_program; at += metrics->program[at].skip + 1u) {
        const TgLigKern *step = &metrics->program[at];

        if (step->next == right && step->skip <= 128) {
            if (step->op >= 128) {
                const TgScaled kern = metrics->kerns[256 * (step->op - 128) + step->rest];
                return (TgCharPair){ .kind = TG_PAIR_KERN, .kern = kern };
            }
            return (
                TgCharPair){ .kind = TG_PAIR_LIGATURE, .character = step->rest, .op = step->op };
        }
        if (step->skip >= 128)
            break;
    }
    return nothing;
}

void tg_metrics_free(TgMetrics *metrics)
{
    if (metrics == NULL)
        return;
    g_free(metrics->program);
    g_free(metrics->kerns);
    g_free(metrics->recipes);
    g_free(metrics);
}
