/* How far strict parsing agrees with TeX on real formulas: two rates and what is left. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/conformity/typeset_reference.h"
#include "tests/support/test_support.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/tree/tree.h"

#define MIN_ACCEPTED 0.995 /* of the formulas that TeX sets without an error */
#define MIN_REPORTED 0.80  /* of those that it does not */

int main(void)
{
    static const TgParseOptions strict = { .strict = TRUE, .source = TG_SOURCE_MATH };
    g_autoptr(GPtrArray) rows = typeset_reference_load();
    g_autoptr(GPtrArray) refused = typeset_classes_new(), overlooked = typeset_classes_new();
    guint n_good = 0, n_accepted = 0, n_bad = 0, n_reported = 0;

    if (rows == NULL)
        return tg_skip_program_without_shared();
    for (guint i = 0; i < rows->len; i++) {
        const TypesetRow *row = g_ptr_array_index(rows, i);
        g_autoptr(GError) error = NULL;
        g_autoptr(TgTree) tree = tg_tree_parse(row->source, strlen(row->source), &strict, &error);

        if (row->error == NULL) {
            n_good++;
            n_accepted += tree != NULL;
            if (tree == NULL) {
                *strstr(error->message, ", column") = '\0';
                typeset_classes_add(refused, error->message, row);
            }
        } else {
            n_bad++;
            n_reported += tree == NULL;
            if (tree != NULL)
                typeset_classes_add(overlooked, row->error, row);
        }
    }

    printf("set without an error by TeX: %u, accepted: %u (%.2f %%)\n", n_good, n_accepted,
           100.0 * n_accepted / n_good);
    printf("with an error in TeX: %u, reported: %u (%.1f %%)\n", n_bad, n_reported,
           100.0 * n_reported / n_bad);
    typeset_classes_print("refused although TeX sets them:", refused);
    typeset_classes_print("accepted although TeX reports an error:", overlooked);
    return n_accepted >= MIN_ACCEPTED * n_good && n_reported >= MIN_REPORTED * n_bad ? EXIT_SUCCESS
                                                                                     : EXIT_FAILURE;
}
