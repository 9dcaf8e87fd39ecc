/* Fuzz target: the canonical form of any formula without a fault is settled. */
#include "tests/fuzz/fuzz.h"

#include <glib.h>
#include <string.h>

#include "tokenizer/canonical/canonical.h"
#include "tokenizer/latex/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const TgParseOptions tolerant = { .max_depth = 30, .max_expansions = 100, .max_columns = 30 };
    TgParseOptions strict = tolerant;
    TgCanonicalRules all;

    strict.strict = TRUE;
    g_assert_true(tg_canonical_parse_rules("all", &all, NULL));
    g_free(tg_canonical_latex((const char *) data, size, &tolerant, all, NULL));
    g_free(tg_canonical_latex((const char *) data, size, &tolerant, 0, NULL));
    g_autofree char *once =
        tg_canonical_latex((const char *) data, size, &strict, tg_canonical_preset(), NULL);
    if (once == NULL)
        return 0;

    g_autoptr(GError) error = NULL;
    g_autofree char *twice =
        tg_canonical_latex(once, strlen(once), NULL, tg_canonical_preset(), &error);
    g_assert_no_error(error);

    g_assert_cmpstr(once, ==, twice);
    return 0;
}
