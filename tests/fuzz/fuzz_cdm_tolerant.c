/*
 * Fuzz target: OmniDocBench 1.6's normalizer on a truth and a prediction, separated by NUL. Every
 * spelling of the pair is normalized; what is traced has the same tokens, and origins inside the
 * user's string.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/parts.h"
#include "tests/support/cdm_support.h"

static void check_origins(const TgCdmText *text, gsize size)
{
    for (guint i = 0; text->origins != NULL && i < text->origins->len; i++) {
        const TgCdmRange origin = g_array_index(text->origins, TgCdmRange, i);

        g_assert_cmpuint(origin.start, <=, origin.end);
        g_assert_cmpuint(origin.end, <=, size);
    }
}

/* @spelling is traced to a string of @size bytes; it is normalized. */
static void normalize_spelling(TgCdmText *spelling, gsize size)
{
    const TgCdmDialect *dialect = tg_cdm_dialect(TG_CDM_OMNIDOCBENCH_16);
    TgCdmNormalized flags;
    g_autoptr(TgCdmText) plain =
        cdm_normalize(spelling->string->str, TG_CDM_OMNIDOCBENCH_16, &flags);

    check_origins(spelling, size);
    g_assert_true(tg_cdm_normalize(spelling, dialect, &flags, NULL) == (plain != NULL));
    if (plain == NULL)
        return;
    g_assert_cmpstr(spelling->string->str, ==, plain->string->str);
    g_assert_true(g_utf8_validate(plain->string->str, -1, NULL));
    check_origins(spelling, size);
    g_auto(TgCdmElements) elements = { 0 };
    tg_cdm_elements(plain->string->str, TG_CDM_VOCABULARY_2025, &elements, NULL, NULL);
    for (guint i = 0; i < elements.n; i++)
        g_assert_cmpuint(elements.list[i].end, <=, plain->string->len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_auto(FuzzParts) parts = fuzz_parts(data, size, 2);
    g_autofree char *ref = fuzz_side(&parts, size, 0), *hyp = fuzz_side(&parts, size, 1);
    g_auto(TgCdmSpellings) spellings = { 0 };

    tg_cdm_spellings_find(tg_cdm_dialect(TG_CDM_OMNIDOCBENCH_16), ref, hyp, &spellings);
    normalize_spelling(spellings.ref, strlen(ref));
    normalize_spelling(spellings.hyp, strlen(hyp));
    if (spellings.alternative != NULL)
        normalize_spelling(spellings.alternative, strlen(hyp));
    return 0;
}
