/* Compares CDM with the official program, stage by stage: `./dev check conformity`. */
#include <stdlib.h>

#include "render/fonts/font.h"
#include "tests/conformity/stages.h"

static const struct {
    const char *name;
    ConformityStage run;
} stages[] = {
    { "boxes", conformity_boxes },     { "cdm", conformity_cdm },
    { "vectors", conformity_vectors }, { "dialects", conformity_dialects },
    { "strict", conformity_strict },
};

static TgCdmFormula *draw(TgLayout *setter, const char *latex)
{
    TgCdmFormula *formula = cdm_draw(setter, latex, TG_CDM_PAGE_OFFICIAL, G_MAXUINT);

    g_assert_nonnull(formula);
    return formula;
}

static void free_pair(gpointer data)
{
    ConformityPair *pair = data;

    tg_cdm_formula_unref(pair->ref);
    tg_cdm_formula_unref(pair->hyp);
    g_free(pair);
}

static GPtrArray *draw_pairs(const GPtrArray *reference, TgLayout *setter)
{
    GPtrArray *pairs = g_ptr_array_new_with_free_func(free_pair);

    for (guint i = 0; i < reference->len; i++) {
        ConformityPair *pair = g_new0(ConformityPair, 1);

        pair->official = reference->pdata[i];
        pair->ref = draw(setter, pair->official->ref);
        pair->hyp = draw(setter, pair->official->hyp);
        pair->score = cdm_score(pair->ref, pair->hyp);
        g_ptr_array_add(pairs, pair);
    }
    return pairs;
}

int main(void)
{
    g_autoptr(GPtrArray) reference = cdm_reference_load();
    GError *error = NULL;
    g_autoptr(TgFonts) fonts = tg_cdm_fonts_new(&error);
    gboolean all = TRUE;

    if (reference == NULL || fonts == NULL) {
        g_printerr("%s\n", fonts == NULL ? error->message
                                         : "the shared reference data are not there: set "
                                           "TEXGAUGE_SHARED");
        g_clear_error(&error);
        return 77; /* skipped */
    }
    g_autoptr(TgLayout) setter = tg_layout_new(fonts);
    g_autoptr(GPtrArray) pairs = draw_pairs(reference, setter);
    for (guint i = 0; i < G_N_ELEMENTS(stages); i++)
        if (!stages[i].run(pairs, setter)) {
            g_print("%s: BELOW what is asked\n\n", stages[i].name);
            all = FALSE;
        }
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
