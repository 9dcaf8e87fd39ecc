/* Fuzz target: what stays without delimiters is a part of the text, and so again. */
#include "tests/fuzz/fuzz.h"

#include "datasets/records/formula.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *) data;
    gsize len, again;
    const char *inner = tg_delimiters_strip(text, size, &len);

    g_assert_true(inner >= text && inner + len <= text + size);
    const char *inmost = tg_delimiters_strip(inner, len, &again);
    g_assert_true(inmost >= inner && inmost + again <= inner + len);
    return 0;
}
