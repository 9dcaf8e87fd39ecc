/* Elements, partners and verdicts of a pair, as columns, as a GVariant, as marks of a picture. */
#include "metrics/cdm/matched.h"

#include <string.h>

void tg_matched_set_columns(TgResult *out, double f1, double precision, double recall,
                            gboolean exact)
{
    const double values[] = { f1, precision, recall, exact };

    for (guint i = 0; i < G_N_ELEMENTS(values); i++)
        tg_result_set(out, i, values[i]);
}

void tg_matched_clear(TgMatchedPair *pair)
{
    g_clear_pointer(&pair->ref.elements, g_free);
    g_clear_pointer(&pair->hyp.elements, g_free);
    g_clear_pointer(&pair->names, g_string_chunk_free);
}

void tg_matched_join(TgMatchedPair *pair, guint i, guint k, const double *costs,
                     const char *verdict)
{
    TgMatchedElement *ref = &pair->ref.elements[i], *hyp = &pair->hyp.elements[k];

    ref->partner = k;
    hyp->partner = i;
    ref->verdict = hyp->verdict = verdict;
    for (guint c = 0; pair->cost_names[c] != NULL; c++)
        ref->costs[c] = hyp->costs[c] = costs[c];
}

/* ---- as a variant ---- */

/* The variant leaves out what is unknown or missing. */
static GVariant *element_variant(const TgMatchedElement *element, const char *const *cost_names)
{
    const TgRect box = element->box;
    GVariantBuilder builder, costs;

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add(&builder, "{sv}", "token",
                          g_variant_new_take_string(g_utf8_make_valid(element->token, -1)));
    if (element->end > element->start)
        g_variant_builder_add(&builder, "{sv}", "span",
                              g_variant_new("(uu)", element->start, element->end));
    if (element->has_ink)
        g_variant_builder_add(&builder, "{sv}", "box",
                              g_variant_new("(dddd)", box.x0, box.y0, box.x1, box.y1));
    g_variant_builder_add(&builder, "{sv}", "verdict", g_variant_new_string(element->verdict));
    if (element->partner != TG_MATCHED_NO_PARTNER) {
        g_variant_builder_add(&builder, "{sv}", "partner", g_variant_new_uint32(element->partner));
        g_variant_builder_init(&costs, G_VARIANT_TYPE("a{sd}"));
        for (guint i = 0; cost_names[i] != NULL; i++)
            g_variant_builder_add(&costs, "{sd}", cost_names[i], element->costs[i]);
        g_variant_builder_add(&builder, "{sv}", "cost", g_variant_builder_end(&costs));
    }
    return g_variant_builder_end(&builder);
}

static GVariant *side_variant(const TgMatchedSide *side, const char *const *cost_names)
{
    GVariantBuilder builder, elements;

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add(&builder, "{sv}", "width", g_variant_new_double(side->width_px));
    g_variant_builder_add(&builder, "{sv}", "height", g_variant_new_double(side->height_px));
    if (side->trouble != NULL)
        g_variant_builder_add(&builder, "{sv}", "trouble", g_variant_new_string(side->trouble));
    if (side->note != NULL)
        g_variant_builder_add(&builder, "{sv}", "note", g_variant_new_string(side->note));
    g_variant_builder_init(&elements, G_VARIANT_TYPE("aa{sv}"));
    for (guint i = 0; i < side->n_elements; i++)
        g_variant_builder_add_value(&elements, element_variant(&side->elements[i], cost_names));
    g_variant_builder_add(&builder, "{sv}", "elements", g_variant_builder_end(&elements));
    return g_variant_builder_end(&builder);
}

GVariant *tg_matched_variant(const TgMatchedPair *pair)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add(&builder, "{sv}", "reference", g_variant_new_uint32(pair->reference));
    g_variant_builder_add(&builder, "{sv}", "gt", side_variant(&pair->ref, pair->cost_names));
    g_variant_builder_add(&builder, "{sv}", "pred", side_variant(&pair->hyp, pair->cost_names));
    return g_variant_builder_end(&builder);
}

/* ---- as marks of a picture ---- */

/* The token, with the verdict where the picture does not show it by a line or by its absence.
 * (transfer full) */
static char *label_of(const TgMatchedElement *element)
{
    static const char *const plain[] = { TG_MATCHED_ACCEPTED, TG_MATCHED_OTHER_TOKEN,
                                         TG_MATCHED_UNMATCHED, NULL };
    char *token = g_utf8_make_valid(element->token, -1);

    if (g_strv_contains(plain, element->verdict))
        return token;
    char *label = g_strdup_printf("%s (%s)", token, element->verdict);
    g_free(token);
    return label;
}

/* A match that differs in style alone is amber. */
static TgTone tone_of(const TgMatchedPair *pair, const TgMatchedElement *element)
{
    if (strcmp(element->verdict, TG_MATCHED_ACCEPTED) != 0)
        return TG_TONE_BAD;
    return strcmp(pair->cost_names[0], "style") == 0 && element->costs[0] > 0 ? TG_TONE_MINOR
                                                                              : TG_TONE_GOOD;
}

/* Mark one side; returns the mark of each element, or TG_NO_MARK. */
static guint *mark_side(TgPairPicture *picture, TgPairSide which, const TgMatchedPair *pair)
{
    const TgMatchedSide *side = which == TG_SIDE_REF ? &pair->ref : &pair->hyp;
    const char *remark = side->trouble != NULL ? side->trouble : side->note;
    g_autoptr(GString) heading = g_string_new(NULL);
    guint *marks = g_new(guint, side->n_elements);
    guint n_inked = 0, n_accepted = 0;

    for (guint i = 0; i < side->n_elements; i++) {
        const TgMatchedElement *element = &side->elements[i];
        const TgTone tone = tone_of(pair, element);

        marks[i] = TG_NO_MARK;
        if (!element->has_ink)
            continue;
        g_autofree char *label = label_of(element);
        n_inked++;
        n_accepted += tone != TG_TONE_BAD;
        marks[i] = tg_pair_picture_add_box(picture, which, element->box, tone, label);
        for (guint32 t = element->first_token; t <= element->last_token; t++)
            tg_pair_picture_own_token(picture, which, t, marks[i]);
    }
    if (n_inked > 0)
        g_string_printf(heading, "%u of %u elements matched", n_accepted, n_inked);
    else
        g_string_assign(heading, "nothing drawn");
    if (pair->is_scored)
        g_string_append_printf(heading, which == TG_SIDE_REF ? ", recall %.3f" : ", precision %.3f",
                               which == TG_SIDE_REF ? pair->recall : pair->precision);
    if (remark != NULL)
        g_string_append_printf(heading, "; %s", remark);
    tg_pair_picture_set_heading(picture, which, heading->str);
    return marks;
}

void tg_matched_show(const TgMatchedPair *pair, const char *metric, TgPairPicture *picture)
{
    g_autofree char *title = pair->is_scored ? g_strdup_printf("%s F1 %.3f", metric, pair->f1)
                                             : g_strdup_printf("%s: no score", metric);

    tg_pair_picture_set_title(picture, title);
    g_autofree guint *ref = mark_side(picture, TG_SIDE_REF, pair);
    g_autofree guint *hyp = mark_side(picture, TG_SIDE_HYP, pair);
    for (guint i = 0; i < pair->ref.n_elements; i++) {
        const guint partner = pair->ref.elements[i].partner;

        if (partner != TG_MATCHED_NO_PARTNER && ref[i] != TG_NO_MARK && hyp[partner] != TG_NO_MARK)
            tg_pair_picture_join(picture, ref[i], hyp[partner]);
    }
    tg_pair_picture_name_tone(picture, TG_TONE_GOOD, "matched");
    tg_pair_picture_name_tone(picture, TG_TONE_MINOR, "matched in another style");
    tg_pair_picture_name_tone(picture, TG_TONE_BAD, "not matched");
}
