/* What is special in OmniDocBench's JSON: ids of pairs, and formulas as blocks of pages. */
#include "datasets/readers/omnidocbench.h"

#include <string.h>

/* Append the whole numbers in @list, joined by '+'; FALSE if there are none. */
static gboolean append_positions(GString *id, const char *prefix, json_t *list)
{
    gboolean any = FALSE;
    json_t *item;
    gsize i;

    json_array_foreach(list, i, item)
    {
        if (!json_is_integer(item))
            continue;
        g_string_append_printf(id, "%s%" JSON_INTEGER_FORMAT, any ? "+" : prefix,
                               json_integer_value(item));
        any = TRUE;
    }
    return any;
}

void tg_omnidocbench_complete_id(json_t *object, char **id)
{
    json_t *truth = json_object_get(object, "gt_idx");

    if (truth == NULL || *id == NULL)
        return;
    GString *whole = g_string_new(*id);
    if (!append_positions(whole, "#", truth))
        append_positions(whole, "#pred-", json_object_get(object, "pred_idx"));
    g_free(*id);
    *id = g_string_free(whole, FALSE);
}

json_t *tg_omnidocbench_blocks(json_t *value)
{
    json_t *blocks = json_object_get(value, "layout_dets");

    return json_is_array(blocks) ? blocks : NULL;
}

gboolean tg_omnidocbench_is_formula(json_t *block)
{
    const char *type = json_string_value(json_object_get(block, "category_type"));

    return type != NULL && g_str_has_prefix(type, "equation") &&
           json_object_get(block, "latex") != NULL;
}

char *tg_omnidocbench_block_id(json_t *page, json_t *block)
{
    json_t *image = json_object_get(json_object_get(page, "page_info"), "image_path");
    json_t *number = json_object_get(block, "anno_id");

    if (!json_is_string(image) || !json_is_integer(number))
        return NULL;
    return g_strdup_printf("%s#%" JSON_INTEGER_FORMAT, json_string_value(image),
                           json_integer_value(number));
}
