/* Writes tokens, edits and numbers of a comparison as a GVariant. */
#include "metrics/forte/detail.h"

#include "metrics/forte/runs.h"
#include "metrics/forte/slips.h"

static GVariant *describe_tokens(const TgForteNames *names, const GArray *tokens)
{
    static const char letters[] = TG_FORTE_KIND_LETTERS;
    char buffer[TG_FORTE_NAME_BUFFER];
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(sssbuu)"));
    for (guint i = 0; i < tokens->len; i++) {
        const TgForteToken *token = &g_array_index(tokens, TgForteToken, i);
        const char kind[] = { letters[token->kind], '\0' };

        g_variant_builder_add(&builder, "(sssbuu)", tg_forte_names_text(names, token->name, buffer),
                              kind, tg_forte_font_name((TgForteFont) token->font),
                              (gboolean) token->upright, token->start, token->end);
    }
    return g_variant_builder_end(&builder);
}

static const char *edit_name(const TgForteNames *names, const GArray *tokens, guint32 i,
                             gboolean there, char *buffer)
{
    return there ? tg_forte_names_text(names, g_array_index(tokens, TgForteToken, i).name, buffer)
                 : "";
}

static GVariant *describe_edits(const TgForteComparison *self)
{
    const GArray *edits = self->edits, *ref = self->ref, *hyp = self->hyp;
    g_autofree double *counted = g_new0(double, (gsize) edits->len + 1);
    g_autofree guint *runs = tg_forte_runs(edits);
    char ref_buffer[TG_FORTE_NAME_BUFFER], hyp_buffer[TG_FORTE_NAME_BUFFER];
    GVariantBuilder builder;

    tg_forte_severity(self->weights, ref, hyp, edits, counted);
    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(sddssuuu)"));
    for (guint i = 0; i < edits->len; i++) {
        const TgForteEdit *edit = &g_array_index(edits, TgForteEdit, i);

        g_variant_builder_add(
            &builder, "(sddssuuu)", tg_forte_edit_class_name((TgForteEditClass) edit->class),
            edit->cost, counted[i], edit_name(self->names, ref, edit->ref, edit->lost, ref_buffer),
            edit_name(self->names, hyp, edit->hyp, edit->added, hyp_buffer), edit->ref, edit->hyp,
            runs[i]);
    }
    return g_variant_builder_end(&builder);
}

/* The slip that each edit is a part of, "" for none, its parts, and what else it holds. */
static GVariant *describe_slips(const GArray *edits)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(suud)"));
    for (guint i = 0; i < edits->len; i++) {
        const TgForteEdit *edit = &g_array_index(edits, TgForteEdit, i);

        g_variant_builder_add(&builder, "(suud)", tg_forte_slip_name((TgForteSlip) edit->slip),
                              edit->parts[0], edit->parts[1], edit->rest);
    }
    return g_variant_builder_end(&builder);
}

GVariant *tg_forte_describe(const TgForteComparison *comparison, const TgForteOutcome *outcome)
{
    GVariantDict dict;

    g_variant_dict_init(&dict, NULL);
    g_variant_dict_insert(&dict, "distance", "d", outcome->distance);
    g_variant_dict_insert(&dict, "severity", "d", outcome->severity);
    g_variant_dict_insert(&dict, "size", "d", outcome->size);
    g_variant_dict_insert(&dict, "repair-cost", "d", outcome->repair_cost);
    g_variant_dict_insert(&dict, "reference", "u", outcome->ref);
    g_variant_dict_insert(&dict, "ref-repairs", "u", outcome->ref_repairs);
    g_variant_dict_insert(&dict, "hyp-repairs", "u", outcome->hyp_repairs);
    g_variant_dict_insert_value(&dict, "ref-tokens",
                                describe_tokens(comparison->names, comparison->ref));
    g_variant_dict_insert_value(&dict, "hyp-tokens",
                                describe_tokens(comparison->names, comparison->hyp));
    g_variant_dict_insert_value(&dict, "edits", describe_edits(comparison));
    g_variant_dict_insert_value(&dict, "slips", describe_slips(comparison->edits));
    return g_variant_dict_end(&dict);
}
