/* Fuzz target: a results file, read as every command does, and the table made from it. */
#define _GNU_SOURCE
#include "tests/fuzz/fuzz.h"

#include "eval/results/results.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    const char *path = memory_file(data, size);
    g_autoptr(TgResultsReader) reader = tg_results_open(path, &error);
    const TgResultsRow *row;

    if (reader == NULL) {
        g_assert_true(g_error_matches(error, TG_ERROR, TG_ERROR_INPUT));
        return 0;
    }
    reader->is_continued = size % 2 == 0;
    while (tg_results_next(reader, &row, &error) == TG_NEXT_ROW) {
        g_assert_true(row->id == NULL || g_utf8_validate(row->id, -1, NULL));
        g_assert_true(row->json != NULL);
    }
    g_assert_true(error == NULL || g_error_matches(error, TG_ERROR, TG_ERROR_INPUT));
    g_assert_cmpuint(reader->offset, <=, size);
    return 0;
}
