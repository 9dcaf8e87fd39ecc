/* Fuzz target: whatever stands in \ce is read and set; without a fault it has a canonical form. */
#include "tests/fuzz/fuzz.h"

#include <glib.h>

#include "render/typeset/layout.h"
#include "tokenizer/canonical/canonical.h"
#include "tokenizer/latex/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static TgLayout *layout; /* kept between inputs, as in a run */
    const TgParseOptions strict = { .strict = TRUE, .source = TG_SOURCE_MATH };
    g_autoptr(GString) source = g_string_new("\\ce{");

    g_string_append_len(source, (const char *) data, (gssize) size);
    g_string_append_c(source, '}');
    if (layout == NULL) {
        TgFonts *fonts = tg_fonts_new(NULL);
        if (fonts == NULL)
            return 0;
        layout = tg_layout_new(fonts);
        tg_fonts_unref(fonts); /* the layout keeps it */
    }
    g_autoptr(TgTree) tree = tg_tree_parse(source->str, source->len, NULL, NULL);
    if (tree != NULL)
        tg_layout_tree(layout, tree, TG_DISPLAY, NULL);
    g_free(tg_canonical_latex(source->str, source->len, &strict, tg_canonical_preset(), NULL));
    return 0;
}
