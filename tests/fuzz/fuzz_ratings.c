/* Fuzz target: a file of ratings, applied to a record of the first id of the test's seeds. */
#define _GNU_SOURCE
#include "tests/fuzz/fuzz.h"

#include "datasets/source.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const human[] = { "A=a,b", NULL };
    g_autoptr(GError) error = NULL;

    for (guint i = 0; i < 2; i++) {
        const TgPair pair = { 0 };
        const TgSourceOptions options = { .ratings = memory_file(data, size),
                                          .human = i == 0 ? NULL : human,
                                          .pairs = &pair };
        TgSource *source = tg_source_open(NULL, &options, &error);

        if (source == NULL)
            g_assert_true(g_error_matches(error, TG_ERROR, TG_ERROR_INPUT));
        tg_source_free(source);
        g_clear_error(&error);
    }
    return 0;
}
