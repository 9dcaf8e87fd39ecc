#include "eval/explain/values.h"

#include "core/json.h"

void tg_explain_append_values(GString *out, const TgMetric *metric, const TgResult *result)
{
    for (guint i = 0; i < tg_metric_n_columns(metric); i++) {
        char text[32];

        g_string_append_printf(
            out, "%s%s %s", i > 0 ? "  " : "", tg_metric_info(metric)->columns[i].name,
            g_ascii_formatd(text, sizeof text, "%.4g", tg_result_get(result, i)));
    }
    g_string_append_c(out, '\n');
}

json_t *tg_explain_values_json(const TgMetric *metric, const TgResult *result)
{
    json_t *scores = json_object();

    for (guint i = 0; i < tg_metric_n_columns(metric); i++)
        json_object_set_new(scores, tg_metric_info(metric)->columns[i].name,
                            tg_json_number(tg_result_get(result, i)));
    return scores;
}
