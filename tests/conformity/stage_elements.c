/* Elements alone: names and order, before anything is drawn. */
#include "tests/conformity/cdm_examples.h"
#include "tests/conformity/stages.h"
#include "tests/conformity/tally.h"

/* The names of @latex's elements, two blanks between them. */
static char *element_names(const char *latex)
{
    g_auto(TgCdmElements) elements = { 0 };
    g_autoptr(GString) names = g_string_new(NULL);

    cdm_elements(latex, &elements);
    for (guint i = 0; i < elements.n; i++)
        g_string_append_printf(names, "%s%s", i > 0 ? "  " : "", elements.list[i].token);
    return g_strdup(names->str);
}

static void compare(Tally *tally, const char *kind, const char *id, const char *latex,
                    char **wanted_names)
{
    g_autofree char *names = element_names(latex);
    g_autofree char *wanted = g_strjoinv("  ", wanted_names);
    const gboolean agrees = strcmp(names, wanted) == 0;

    tally_add(tally, kind, agrees);
    if (!agrees) {
        g_autofree char *cause = g_strdup_printf("elements %s, official %s", names, wanted);
        tally_note(tally, id, cause);
    }
}

static gboolean compare_examples(void)
{
    g_autoptr(GPtrArray) examples = cdm_examples_load();
    g_autoptr(Tally) tally = tally_new();

    for (guint i = 0; examples != NULL && i < examples->len; i++) {
        const CdmExample *example = examples->pdata[i];
        compare(tally, "example", example->input, example->input, example->elements);
    }
    tally_print(tally, "Element lists of the specification's examples");
    return tally_share(tally) >= 0.99;
}

gboolean conformity_elements(const GPtrArray *pairs, TgCdmSetter *setter)
{
    g_autoptr(Tally) tally = tally_new();

    (void) setter;
    for (guint i = 0; i < pairs->len; i++) {
        const CdmReferencePair *pair = ((const ConformityPair *) pairs->pdata[i])->official;

        if (pair->gt_side.n_tokens > 0)
            compare(tally, pair->kind, pair->id, pair->gt, pair->gt_side.tokens);
        if (pair->pred_side.n_tokens > 0)
            compare(tally, pair->kind, pair->id, pair->pred, pair->pred_side.tokens);
    }
    tally_print(tally, "Element lists of both sides");
    return compare_examples() && tally_share(tally) >= 0.99;
}
