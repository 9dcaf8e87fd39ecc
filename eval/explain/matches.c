#include "eval/explain/matches.h"

#include <string.h>

#include "core/json.h"
#include "core/utf8.h"
#include "eval/explain/values.h"
#include "metrics/cdm/detail.h"

enum { LABEL_WIDTH = 12, MIN_WIDTH = 40 };

/* One formula and its elements. */
typedef struct {
    const char *label, *source;
    GVariant *elements; /* aa{sv} */
} Side;

/* (transfer full) */
static GVariant *elements_of(GVariant *detail, const char *key)
{
    g_autoptr(GVariant) side = g_variant_lookup_value(detail, key, G_VARIANT_TYPE_VARDICT);

    return g_variant_lookup_value(side, "elements", G_VARIANT_TYPE("aa{sv}"));
}

static gboolean is_wrong(GVariant *element)
{
    const char *verdict = TG_CDM_VERDICT_ACCEPTED;

    g_variant_lookup(element, "verdict", "&s", &verdict);
    return strcmp(verdict, TG_CDM_VERDICT_ACCEPTED) != 0 &&
           strcmp(verdict, TG_CDM_VERDICT_NO_INK) != 0;
}

/* Which bytes of the source wrong elements are from. (transfer full) */
static gboolean *mark_bytes(const Side *side)
{
    const gsize length = strlen(side->source);
    gboolean *marked = g_new0(gboolean, length + 1);

    for (gsize i = 0; i < g_variant_n_children(side->elements); i++) {
        g_autoptr(GVariant) element = g_variant_get_child_value(side->elements, i);
        guint32 start, end;

        if (!is_wrong(element) || !g_variant_lookup(element, "span", "(uu)", &start, &end))
            continue;
        for (guint32 k = start; k < MIN(end, length); k++)
            marked[k] = TRUE;
    }
    return marked;
}

/* The source in lines, marks below those that have some. */
static void append_side(GString *out, const Side *side, guint width)
{
    g_autofree gboolean *marked = mark_bytes(side);
    const char *at = side->source;
    const char *label = side->label;

    do {
        g_autoptr(GString) line = g_string_new(NULL);
        g_autoptr(GString) marks = g_string_new(NULL);
        gboolean has_marks = FALSE;

        for (guint used = 0; *at != '\0' && used < width; at = g_utf8_next_char(at)) {
            const gunichar code = g_utf8_get_char(at);
            const gunichar c = tg_is_steering(code) ? 0xFFFD : code;
            const guint columns = tg_columns_of_character(c);
            const gboolean is_marked = marked[at - side->source];

            g_string_append_unichar(line, c);
            for (guint k = 0; k < columns; k++)
                g_string_append_c(marks, is_marked ? '^' : ' ');
            has_marks |= is_marked;
            used += columns;
        }
        g_string_append_printf(out, "%-*s%s\n", LABEL_WIDTH, label, line->str);
        if (has_marks)
            g_string_append_printf(out, "%*s%s\n", LABEL_WIDTH, "", g_strchomp(marks->str));
        label = "";
    } while (*at != '\0');
}

/* A line for each wrong element; those with a partner once, from the truth's side. */
static void append_elements(GString *out, const Side *side, const Side *other, gboolean is_truth,
                            guint *number)
{
    for (gsize i = 0; i < g_variant_n_children(side->elements); i++) {
        g_autoptr(GVariant) element = g_variant_get_child_value(side->elements, i);
        const char *verdict = "", *token = "";
        guint32 partner;

        if (!is_wrong(element))
            continue;
        g_variant_lookup(element, "verdict", "&s", &verdict);
        g_variant_lookup(element, "token", "&s", &token);
        if (g_variant_lookup(element, "partner", "u", &partner) &&
            partner < g_variant_n_children(other->elements)) {
            g_autoptr(GVariant) theirs = g_variant_get_child_value(other->elements, partner);
            const char *read = "";

            g_variant_lookup(theirs, "token", "&s", &read);
            if (is_truth)
                g_string_append_printf(out, "%4u  %-12s %s -> %s\n", ++*number, verdict, token,
                                       read);
        } else {
            g_string_append_printf(out, "%4u  %-12s %s (%s)\n", ++*number, verdict, token,
                                   side->label);
        }
    }
}

char *tg_explain_matches(const TgMetric *metric, const TgPair *pair, const TgResult *result,
                         guint width, gboolean json)
{
    GVariant *detail = tg_result_detail(result);
    GString *out = g_string_new(NULL);
    guint32 reference = 0;
    guint number = 0;

    if (json) {
        json_t *all =
            json_pack("{s:s, s:o, s:o}", "metric", tg_metric_signature(metric), "scores",
                      tg_explain_values_json(metric, result), "detail", tg_json_variant(detail));

        tg_json_append(out, all);
        json_decref(all);
        return g_string_free(out, FALSE);
    }
    g_variant_lookup(detail, "reference", "u", &reference);
    g_autoptr(GVariant) truths = elements_of(detail, "gt");
    g_autoptr(GVariant) reads = elements_of(detail, "pred");
    const Side truth = { "truth", pair->refs[reference], truths };
    const Side prediction = { "prediction", pair->hyp, reads };
    const guint room = MAX(width, MIN_WIDTH) - LABEL_WIDTH;

    tg_explain_append_values(out, metric, result);
    g_string_append_c(out, '\n');
    append_side(out, &truth, room);
    append_side(out, &prediction, room);
    g_string_append_c(out, '\n');
    append_elements(out, &truth, &prediction, TRUE, &number);
    append_elements(out, &prediction, &truth, FALSE, &number);
    if (number == 0)
        g_string_append(out, "every element is matched\n");
    return g_string_free(out, FALSE);
}
