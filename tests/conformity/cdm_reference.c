/* Reads dev.jsonl of the shared reference data. */
#include "tests/conformity/cdm_reference.h"

#include "tests/support/golden.h"

static char *string_of(const json_t *object, const char *key)
{
    return g_strdup(json_string_value(json_object_get(object, key)));
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const json_t *part(const json_t *object, const char *side, const char *what)
{
    g_autofree char *key = g_strdup_printf("%s_%s", side, what);

    return json_object_get(object, key);
}

static double entry(const json_t *array, gsize i)
{
    return json_number_value(json_array_get(array, i));
}

static CdmReferenceSide read_side(const json_t *official, const char *side)
{
    const json_t *tokens = part(official, side, "tokens"), *boxes = part(official, side, "boxes");
    const json_t *size = part(official, side, "size");
    const gsize n = json_array_size(tokens);
    CdmReferenceSide out = {
        .rendered = json_is_true(part(official, side, "rendered")),
        .tokens = g_new0(char *, n + 1),
        .n_tokens = (guint) n,
        .boxes = g_new0(TgRect, n),
        .inked = g_new0(gboolean, n),
        .width_px = entry(size, 0),
        .height_px = entry(size, 1),
    };

    for (gsize i = 0; i < n; i++) {
        const json_t *box = json_array_get(boxes, i);

        out.tokens[i] = g_strdup(json_string_value(json_array_get(tokens, i)));
        out.inked[i] = json_array_size(box) == 4;
        if (out.inked[i])
            out.boxes[i] = (TgRect){ entry(box, 0), entry(box, 1), entry(box, 2), entry(box, 3) };
    }
    return out;
}

static void clear_side(CdmReferenceSide *side)
{
    g_strfreev(side->tokens);
    g_free(side->boxes);
    g_free(side->inked);
}

static void free_pair(gpointer data)
{
    CdmReferencePair *pair = data;

    g_free(pair->id);
    g_free(pair->kind);
    g_free(pair->ref);
    g_free(pair->hyp);
    clear_side(&pair->gt_side);
    clear_side(&pair->pred_side);
    g_free(pair);
}

static CdmReferencePair *read_pair(const json_t *row)
{
    const json_t *official = json_object_get(row, "official");
    CdmReferencePair *pair = g_new0(CdmReferencePair, 1);

    pair->id = string_of(row, "id");
    pair->kind = string_of(row, "kind");
    pair->ref = string_of(row, "gt");
    pair->hyp = string_of(row, "pred");
    pair->gt_side = read_side(official, "gt");
    pair->pred_side = read_side(official, "pred");
    pair->f1 = number_of(official, "f1");
    pair->recall = number_of(official, "recall");
    pair->precision = number_of(official, "precision");
    return pair;
}

GPtrArray *cdm_reference_load(void)
{
    json_auto_t *rows = tg_golden_if_shared("cdm-reference/dev.jsonl");
    GPtrArray *pairs = rows != NULL ? g_ptr_array_new_with_free_func(free_pair) : NULL;

    tg_golden_each(row, rows) g_ptr_array_add(pairs, read_pair(row));
    return pairs;
}

TgCdmFormula *cdm_reference_ink(const CdmReferenceSide *side)
{
    g_autofree const char **tokens = g_new(const char *, side->n_tokens);
    g_autofree TgRect *boxes = g_new(TgRect, side->n_tokens);
    guint n = 0;

    for (guint i = 0; i < side->n_tokens; i++)
        if (side->inked[i]) {
            tokens[n] = side->tokens[i];
            boxes[n++] = side->boxes[i];
        }
    return cdm_boxes(tokens, boxes, n, side->width_px, side->height_px);
}
