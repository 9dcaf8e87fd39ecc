/* Elements, partners and verdicts of a pair as a GVariant. */
#include "metrics/cdm/detail.h"

static void detail_add(GVariantBuilder *builder, const char *name, GVariant *value)
{
    g_variant_builder_add(builder, "{sv}", name, value);
}

static GVariant *costs_variant(const TgCdmElementDetail *element, const char *const *names)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a{sd}"));
    for (guint i = 0; i < TG_CDM_MAX_COSTS && names[i] != NULL; i++)
        g_variant_builder_add(&builder, "{sd}", names[i], element->costs[i]);
    return g_variant_builder_end(&builder);
}

/* What is not known or not there is left out. */
static GVariant *element_variant(const TgCdmElementDetail *element, const char *const *cost_names)
{
    const TgRect box = element->box;
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    detail_add(&builder, "token", g_variant_new_take_string(g_utf8_make_valid(element->token, -1)));
    if (element->end > element->start)
        detail_add(&builder, "span", g_variant_new("(uu)", element->start, element->end));
    if (element->has_ink)
        detail_add(&builder, "box", g_variant_new("(dddd)", box.x0, box.y0, box.x1, box.y1));
    detail_add(&builder, "verdict", g_variant_new_string(element->verdict));
    if (element->partner != TG_CDM_NO_PARTNER) {
        detail_add(&builder, "partner", g_variant_new_uint32(element->partner));
        detail_add(&builder, "cost", costs_variant(element, cost_names));
    }
    return g_variant_builder_end(&builder);
}

static GVariant *side_variant(const TgCdmSideDetail *side, const char *const *cost_names)
{
    GVariantBuilder builder, elements;

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    detail_add(&builder, "width", g_variant_new_double(side->width_px));
    detail_add(&builder, "height", g_variant_new_double(side->height_px));
    if (side->trouble != NULL)
        detail_add(&builder, "trouble", g_variant_new_string(side->trouble));
    if (side->note != NULL)
        detail_add(&builder, "note", g_variant_new_string(side->note));
    g_variant_builder_init(&elements, G_VARIANT_TYPE("aa{sv}"));
    for (guint i = 0; i < side->n_elements; i++)
        g_variant_builder_add_value(&elements, element_variant(&side->elements[i], cost_names));
    detail_add(&builder, "elements", g_variant_builder_end(&elements));
    return g_variant_builder_end(&builder);
}

GVariant *tg_cdm_detail_new(guint reference, const TgCdmSideDetail *ref, const TgCdmSideDetail *hyp,
                            const char *const *cost_names)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    detail_add(&builder, "reference", g_variant_new_uint32(reference));
    detail_add(&builder, "gt", side_variant(ref, cost_names));
    detail_add(&builder, "pred", side_variant(hyp, cost_names));
    return g_variant_builder_end(&builder);
}
