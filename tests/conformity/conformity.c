/* Compares CDM with the official program, stage by stage: `./dev conformity`. */
#include <stdlib.h>

#include "tests/conformity/stages.h"

static const struct {
    const char *name;
    ConformityStage run;
} stages[] = {
    { "scores", conformity_scores },
    { "elements", conformity_elements },
};

int main(void)
{
    g_autoptr(GPtrArray) pairs = cdm_reference_load();
    gboolean all = TRUE;

    if (pairs == NULL) {
        g_printerr("the shared reference data are not there: set TEXGAUGE_SHARED\n");
        return 77; /* skipped */
    }
    for (guint i = 0; i < G_N_ELEMENTS(stages); i++)
        if (!stages[i].run(pairs)) {
            g_print("%s: BELOW what is asked\n\n", stages[i].name);
            all = FALSE;
        }
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
