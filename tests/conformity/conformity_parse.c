/* How far strict parsing agrees with TeX on real formulas: two rates and what is left. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/conformity/typeset_reference.h"
#include "tests/support/test_support.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/tree/tree.h"

#define MIN_ACCEPTED 0.995 /* of the formulas that TeX sets without an error */
#define MIN_REPORTED 0.80  /* of those that it does not */
#define MAX_CLASSES  30

/* Formulas on which we and TeX disagree, with the same message. */
typedef struct {
    char *what;
    guint n;
    char *example;
} Class;

static void class_free(gpointer data)
{
    Class *class = data;

    g_free(class->what);
    g_free(class->example);
    g_free(class);
}

static void add_to_class(GPtrArray *classes, const char *what, const TypesetRow *row)
{
    for (guint i = 0; i < classes->len; i++) {
        Class *class = g_ptr_array_index(classes, i);
        if (strcmp(class->what, what) == 0) {
            class->n++;
            return;
        }
    }

    Class *class = g_new(Class, 1);
    *class = (Class){ g_strdup(what), 1,
                      g_strdup_printf("%s %s: %.150s", row->set, row->id, row->source) };
    g_ptr_array_add(classes, class);
}

static int by_size(gconstpointer a, gconstpointer b)
{
    const Class *left = *(Class *const *) a, *right = *(Class *const *) b;

    return right->n != left->n ? (right->n > left->n ? 1 : -1) : strcmp(left->what, right->what);
}

static void print_classes(const char *title, GPtrArray *classes)
{
    printf("\n%s\n", title);
    g_ptr_array_sort(classes, by_size);
    for (guint i = 0; i < MIN(classes->len, MAX_CLASSES); i++) {
        const Class *class = g_ptr_array_index(classes, i);
        printf("%5u  %s\n       %s\n", class->n, class->what, class->example);
    }
}

int main(void)
{
    static const TgParseOptions strict = { .strict = TRUE, .source = TG_SOURCE_MATH };
    g_autoptr(GPtrArray) rows = typeset_reference_load();
    g_autoptr(GPtrArray) refused = g_ptr_array_new_with_free_func(class_free);
    g_autoptr(GPtrArray) overlooked = g_ptr_array_new_with_free_func(class_free);
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
                add_to_class(refused, error->message, row);
            }
        } else {
            n_bad++;
            n_reported += tree == NULL;
            if (tree != NULL)
                add_to_class(overlooked, row->error, row);
        }
    }

    printf("set without an error by TeX: %u, accepted: %u (%.2f %%)\n", n_good, n_accepted,
           100.0 * n_accepted / n_good);
    printf("with an error in TeX: %u, reported: %u (%.1f %%)\n", n_bad, n_reported,
           100.0 * n_reported / n_bad);
    print_classes("refused although TeX sets them:", refused);
    print_classes("accepted although TeX reports an error:", overlooked);
    return n_accepted >= MIN_ACCEPTED * n_good && n_reported >= MIN_REPORTED * n_bad ? EXIT_SUCCESS
                                                                                     : EXIT_FAILURE;
}
