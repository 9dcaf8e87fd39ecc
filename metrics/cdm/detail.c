/* Elements, partners and verdicts of a pair, as a GVariant and as marks of a picture. */
#include "metrics/cdm/detail.h"

#include <math.h>
#include <string.h>

void tg_cdm_detail_clear(TgCdmDetail *detail)
{
    g_clear_pointer(&detail->ref.elements, g_free);
    g_clear_pointer(&detail->hyp.elements, g_free);
    g_clear_pointer(&detail->names, g_string_chunk_free);
}

void tg_cdm_detail_match(TgCdmDetail *detail, guint i, guint k, const double *costs,
                         const char *verdict)
{
    TgCdmElementDetail *ref = &detail->ref.elements[i], *hyp = &detail->hyp.elements[k];

    ref->partner = k;
    hyp->partner = i;
    ref->verdict = hyp->verdict = verdict;
    for (guint c = 0; detail->cost_names[c] != NULL; c++)
        ref->costs[c] = hyp->costs[c] = costs[c];
}

/* ---- as a variant ---- */

static void detail_add(GVariantBuilder *builder, const char *name, GVariant *value)
{
    g_variant_builder_add(builder, "{sv}", name, value);
}

static GVariant *costs_variant(const TgCdmElementDetail *element, const char *const *names)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a{sd}"));
    for (guint i = 0; names[i] != NULL; i++)
        g_variant_builder_add(&builder, "{sd}", names[i], element->costs[i]);
    return g_variant_builder_end(&builder);
}

/* Unknown and missing members are left out. */
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

GVariant *tg_cdm_detail_variant(const TgCdmDetail *detail)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    detail_add(&builder, "reference", g_variant_new_uint32(detail->reference));
    detail_add(&builder, "gt", side_variant(&detail->ref, detail->cost_names));
    detail_add(&builder, "pred", side_variant(&detail->hyp, detail->cost_names));
    return g_variant_builder_end(&builder);
}

/* ---- as marks of a picture ---- */

/* The token, and what a line to the partner or its absence does not say. (transfer full) */
static char *label_of(const TgCdmElementDetail *element)
{
    static const char *const plain[] = { TG_CDM_VERDICT_ACCEPTED, TG_CDM_VERDICT_OTHER_TOKEN,
                                         TG_CDM_VERDICT_UNMATCHED, NULL };
    char *token = g_utf8_make_valid(element->token, -1);

    if (g_strv_contains(plain, element->verdict))
        return token;
    char *label = g_strdup_printf("%s (%s)", token, element->verdict);
    g_free(token);
    return label;
}

/* Amber: the costs of a match are differences of style, and it has some. */
static TgTone tone_of(const TgCdmDetail *detail, const TgCdmElementDetail *element)
{
    if (strcmp(element->verdict, TG_CDM_VERDICT_ACCEPTED) != 0)
        return TG_TONE_BAD;
    return strcmp(detail->cost_names[0], "style") == 0 && element->costs[0] > 0 ? TG_TONE_MINOR
                                                                                : TG_TONE_GOOD;
}

/* Mark one side; returns the mark of each element, or TG_NO_MARK. */
static guint *add_side(TgPairPicture *picture, TgPairSide which, const TgCdmDetail *detail,
                       double share)
{
    const TgCdmSideDetail *side = which == TG_SIDE_REF ? &detail->ref : &detail->hyp;
    const char *remark = side->trouble != NULL ? side->trouble : side->note;
    g_autoptr(GString) heading = g_string_new(NULL);
    guint *marks = g_new(guint, side->n_elements);
    guint n_inked = 0, n_accepted = 0;

    for (guint i = 0; i < side->n_elements; i++) {
        const TgCdmElementDetail *element = &side->elements[i];
        const TgTone tone = tone_of(detail, element);

        marks[i] = TG_NO_MARK;
        if (!element->has_ink)
            continue;
        g_autofree char *label = label_of(element);
        n_inked++;
        n_accepted += tone != TG_TONE_BAD;
        marks[i] = tg_pair_picture_add_box(picture, which, element->box, tone, label);
    }
    if (n_inked > 0)
        g_string_printf(heading, "%u of %u elements matched", n_accepted, n_inked);
    else
        g_string_assign(heading, "nothing drawn");
    if (!isnan(share))
        g_string_append_printf(heading, ", %s %.3f", which == TG_SIDE_REF ? "recall" : "precision",
                               share);
    if (remark != NULL)
        g_string_append_printf(heading, "; %s", remark);
    tg_pair_picture_set_heading(picture, which, heading->str);
    return marks;
}

void tg_cdm_show(TgPairPicture *picture, const TgCdmDetail *detail, const char *metric, double f1,
                 double recall, double precision)
{
    g_autofree char *title = isnan(f1) ? g_strdup_printf("%s: no score", metric)
                                       : g_strdup_printf("%s F1 %.3f", metric, f1);

    tg_pair_picture_set_title(picture, title);
    g_autofree guint *ref = add_side(picture, TG_SIDE_REF, detail, recall);
    g_autofree guint *hyp = add_side(picture, TG_SIDE_HYP, detail, precision);
    for (guint i = 0; i < detail->ref.n_elements; i++) {
        const guint partner = detail->ref.elements[i].partner;

        if (partner != TG_CDM_NO_PARTNER && ref[i] != TG_NO_MARK && hyp[partner] != TG_NO_MARK)
            tg_pair_picture_join(picture, ref[i], hyp[partner]);
    }
    tg_pair_picture_name_tone(picture, TG_TONE_GOOD, "matched");
    tg_pair_picture_name_tone(picture, TG_TONE_MINOR, "matched in another style");
    tg_pair_picture_name_tone(picture, TG_TONE_BAD, "not matched");
}
