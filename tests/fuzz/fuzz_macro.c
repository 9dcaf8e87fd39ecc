/* Fuzz target: expansion of any bytes ends, and every token points into the source. */
#include "tests/fuzz/fuzz.h"

#include <glib.h>
#include <string.h>

#include "tokenizer/macros/expander.h"

#define MAX_EXPANSIONS 1000
#define MAX_TOKENS     10000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TgArena arena = { 0 };
    TgParseErrors errors = { &arena, (const char *) data, size, FALSE };
    TgExpander expander;
    GArray *groups = g_array_new(FALSE, FALSE, sizeof(guint));

    tg_expander_init(&expander, &arena, &errors, (const char *) data, size, MAX_EXPANSIONS,
                     MAX_TOKENS);
    for (;;) {
        const TgTexToken token = tg_expander_next(&expander);

        if (token.kind == TG_TOK_END)
            break;
        g_assert_cmpuint(token.start, <=, token.end);
        g_assert_cmpuint(token.end, <=, size);
        tg_define(&expander, &token);
        if (token.kind == TG_TOK_OPEN) {
            const guint mark = tg_tex_macros_open_group(&expander.macros);
            g_array_append_val(groups, mark);
        } else if (token.kind == TG_TOK_CLOSE && groups->len > 0) {
            tg_tex_macros_close_group(&expander.macros,
                                      g_array_index(groups, guint, groups->len - 1));
            g_array_set_size(groups, groups->len - 1);
        }
    }
    g_array_unref(groups);
    tg_expander_clear(&expander);
    tg_arena_clear(&arena);
    return 0;
}
