/* Fuzz target: any bytes as a page in Markdown, before it a line for each formula of the truth up
 * to an empty line. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "datasets/documents/document.h"

static void check_row(const TgPageRow *row)
{
    g_assert_true(g_utf8_validate(row->ref, -1, NULL) && g_utf8_validate(row->hyp, -1, NULL));
    g_assert_cmpint(row->ref_idx, >=, 0);
    g_assert_cmpuint(row->edits, <=, row->length);
    g_assert_true(row->match_edit >= 0 && row->match_edit <= 1);
    g_assert_true((row->n_items == 0) == (row->hyp_type[0] == '\0'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_utf8_make_valid((const char *) data, (gssize) size);
    const char *gap = strstr(text, "\n\n");
    const char *markdown = gap != NULL ? gap + 2 : text;
    g_autofree char *head = g_strndup(text, gap != NULL ? (gsize) (gap - text) : 0);
    g_auto(GStrv) formulas = g_strsplit(head, "\n", -1);
    g_autoptr(GArray) ref = g_array_new(FALSE, TRUE, sizeof(TgPageItem));
    TgPage page = { .ref = ref };

    for (guint i = 0; formulas[i] != NULL; i++) {
        const TgPageItem item = { .category = TG_PAGE_FORMULA,
                                  .content = formulas[i],
                                  .order = i + 1.0 };
        g_array_append_val(ref, item);
    }
    g_autoptr(TgPageMatch) match = tg_page_match(&page, markdown, strlen(markdown));
    for (guint i = 0; i < match->n_rows; i++)
        check_row(&match->rows[i]);
    return 0;
}
