/* From a detail to marks. */
#include "metrics/cdm/show.h"

#include <math.h>
#include <string.h>

#include "metrics/cdm/detail.h"

/* The marks of one side. */
typedef struct {
    GVariant *elements;
    gsize n;
    guint *marks; /* of each element, or TG_NO_MARK */
    guint n_inked, n_accepted;
} Side;

static void side_clear(Side *side)
{
    g_clear_pointer(&side->elements, g_variant_unref);
    g_clear_pointer(&side->marks, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Side, side_clear)

/* The token, and what a line to the partner or its absence does not say. (transfer full) */
static char *label_of(GVariant *element, const char *verdict)
{
    static const char *const plain[] = { TG_CDM_VERDICT_ACCEPTED, TG_CDM_VERDICT_OTHER_TOKEN,
                                         TG_CDM_VERDICT_UNMATCHED, NULL };
    const char *token = "";

    g_variant_lookup(element, "token", "&s", &token);
    return g_strv_contains(plain, verdict) ? g_strdup(token)
                                           : g_strdup_printf("%s (%s)", token, verdict);
}

static TgTone tone_of(GVariant *element, const char *verdict)
{
    g_autoptr(GVariant) costs = g_variant_lookup_value(element, "cost", G_VARIANT_TYPE("a{sd}"));
    double style = 0;

    if (strcmp(verdict, TG_CDM_VERDICT_ACCEPTED) != 0)
        return TG_TONE_BAD;
    if (costs != NULL)
        g_variant_lookup(costs, "style", "d", &style);
    return style > 0 ? TG_TONE_MINOR : TG_TONE_GOOD;
}

static guint add_mark(TgPairPicture *picture, TgPairSide which, Side *side, GVariant *element)
{
    const char *verdict = "";
    TgRect box;

    if (!g_variant_lookup(element, "box", "(dddd)", &box.x0, &box.y0, &box.x1, &box.y1) ||
        !g_variant_lookup(element, "verdict", "&s", &verdict))
        return TG_NO_MARK;
    const TgTone tone = tone_of(element, verdict);
    g_autofree char *label = label_of(element, verdict);

    side->n_inked++;
    side->n_accepted += tone != TG_TONE_BAD;
    return tg_pair_picture_add_box(picture, which, box, tone, label);
}

static void set_heading(TgPairPicture *picture, TgPairSide which, GVariant *description,
                        const Side *side, double share)
{
    g_autoptr(GString) heading = g_string_new(NULL);
    const char *remark = NULL;

    if (side->n_inked > 0)
        g_string_printf(heading, "%u of %u elements matched", side->n_accepted, side->n_inked);
    else
        g_string_assign(heading, "nothing drawn");
    if (!isnan(share))
        g_string_append_printf(heading, ", %s %.3f",
                               which == TG_SIDE_TRUTH ? "recall" : "precision", share);
    if (g_variant_lookup(description, "trouble", "&s", &remark) ||
        g_variant_lookup(description, "note", "&s", &remark))
        g_string_append_printf(heading, "; %s", remark);
    tg_pair_picture_set_heading(picture, which, heading->str);
}

static void add_side(TgPairPicture *picture, TgPairSide which, GVariant *detail, const char *name,
                     Side *side, double share)
{
    g_autoptr(GVariant) description = g_variant_lookup_value(detail, name, G_VARIANT_TYPE_VARDICT);

    side->elements = g_variant_lookup_value(description, "elements", G_VARIANT_TYPE("aa{sv}"));
    side->n = g_variant_n_children(side->elements);
    side->marks = g_new(guint, side->n);
    for (gsize i = 0; i < side->n; i++) {
        g_autoptr(GVariant) element = g_variant_get_child_value(side->elements, i);

        side->marks[i] = add_mark(picture, which, side, element);
    }
    set_heading(picture, which, description, side, share);
}

static void join_partners(TgPairPicture *picture, const Side *ref, const Side *hyp)
{
    for (gsize i = 0; i < ref->n; i++) {
        g_autoptr(GVariant) element = g_variant_get_child_value(ref->elements, i);
        guint32 partner;

        if (ref->marks[i] != TG_NO_MARK && g_variant_lookup(element, "partner", "u", &partner) &&
            partner < hyp->n && hyp->marks[partner] != TG_NO_MARK)
            tg_pair_picture_join(picture, ref->marks[i], hyp->marks[partner]);
    }
}

void tg_cdm_show(TgPairPicture *picture, GVariant *detail, const char *metric, double f1,
                 double recall, double precision)
{
    g_auto(Side) ref = { 0 };
    g_auto(Side) hyp = { 0 };
    g_autofree char *title = isnan(f1) ? g_strdup_printf("%s: no score", metric)
                                       : g_strdup_printf("%s F1 %.3f", metric, f1);

    tg_pair_picture_set_title(picture, title);
    add_side(picture, TG_SIDE_TRUTH, detail, "gt", &ref, recall);
    add_side(picture, TG_SIDE_PREDICTION, detail, "pred", &hyp, precision);
    join_partners(picture, &ref, &hyp);
    tg_pair_picture_name_tone(picture, TG_TONE_GOOD, "matched");
    tg_pair_picture_name_tone(picture, TG_TONE_MINOR, "matched in another style");
    tg_pair_picture_name_tone(picture, TG_TONE_BAD, "not matched");
}
