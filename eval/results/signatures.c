#include "eval/results/signatures.h"

#include <string.h>

#include "metrics/metric.h"

enum { CHECKSUM = 12 }; /* hexadecimal digits of a file in a signature */

json_t *tg_signatures_json(const TgScoreLayout *layout)
{
    json_t *out = json_object();

    for (guint m = 0; m < layout->metrics->len; m++)
        json_object_set_new(out, tg_metric_label(tg_score_layout_metric(layout, m)),
                            json_string(tg_metric_signature(tg_score_layout_metric(layout, m))));
    return out;
}

/* "FILE:3c45fc0e2ee0" */
static gboolean signatures_is_checksum(const char *item)
{
    const char *colon = strrchr(item, ':');

    return colon != NULL && strlen(colon + 1) == CHECKSUM &&
           strspn(colon + 1, "0123456789abcdef") == CHECKSUM;
}

/* "bleu smooth:nltk4 v2" of "bleu|smooth:nltk4|v:2". (transfer full) */
static char *signatures_short(const char *signature)
{
    g_auto(GStrv) items = g_strsplit(signature, "|", -1);
    GString *out = g_string_new(items[0]);

    for (guint i = 1; items[0] != NULL && items[i] != NULL; i++) {
        if (items[i + 1] == NULL && g_str_has_prefix(items[i], "v:"))
            g_string_append_printf(out, " v%s", items[i] + 2);
        else if (!signatures_is_checksum(items[i]))
            g_string_append_printf(out, " %s", items[i]);
    }
    return g_string_free(out, FALSE);
}

void tg_signatures_note(TgGrid *grid, const TgScoreLayout *layout)
{
    g_autoptr(GString) list = g_string_new(NULL);

    for (guint m = 0; m < layout->metrics->len; m++) {
        const TgMetric *metric = tg_score_layout_metric(layout, m);
        const char *label = tg_metric_label(metric);
        g_autofree char *text = signatures_short(tg_metric_signature(metric));
        const gboolean named = strcmp(label, tg_metric_spec(metric)) != 0;

        g_string_append_printf(list, "%s%s%s%s", list->len > 0 ? "; " : "", named ? label : "",
                               named ? " = " : "", text);
    }
    if (list->len > 0)
        tg_grid_note(grid, "Metrics: %s.", list->str);
}
