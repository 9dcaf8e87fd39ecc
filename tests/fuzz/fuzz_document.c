/* Fuzz target: formulas out of any bytes, as LaTeX and as Markdown. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "datasets/documents/document.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (guint kind = 0; kind < 2; kind++) {
        json_auto_t *list =
            tg_document_extract((const char *) data, size, kind > 0, "", TRUE, NULL);
        const json_t *formula;
        size_t i;
        json_array_foreach(list, i, formula)
        {
            const char *latex = json_string_value(json_object_get(formula, "latex"));
            g_assert_cmpint(json_integer_value(json_object_get(formula, "line")), >=, 1);
            g_assert_true(latex == NULL || strchr(latex, '\n') == NULL);
        }
    }
    return 0;
}
