/* Fuzz target: formulas out of any bytes, as LaTeX and as Markdown. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "datasets/documents/document.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (guint kind = 0; kind < 2; kind++) {
        g_autoptr(GArray) list =
            tg_document_extract((const char *) data, size, kind > 0, "", TRUE, NULL);
        for (guint i = 0; list != NULL && i < list->len; i++) {
            const TgDocumentFormula *formula = &g_array_index(list, TgDocumentFormula, i);
            g_assert_cmpuint(formula->line, >=, 1);
            g_assert_true(formula->latex == NULL || (g_utf8_validate(formula->latex, -1, NULL) &&
                                                     strchr(formula->latex, '\n') == NULL));
        }
    }
    return 0;
}
