/* Fuzz target: the reader of the format FUZZ_READER, or of whichever is recognised ("any";
 * compressed or not). */
#include "tests/fuzz/fuzz.h"

#include "datasets/readers/reader.h"
#include "tests/fuzz/records.h"

#define FUZZ_MAX_LINE 300 /* short, so that the limit is met */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const columns[] = { "a.b,score", NULL };
    static const char *const human[] = { "H1=x,human", NULL };
    const char *format = g_str_equal(FUZZ_READER, "any") ? NULL : FUZZ_READER;
    g_autoptr(TgFieldMap) fields = tg_field_map_new(NULL, human, columns, NULL);

    for (guint side = TG_FILE_PAIRS; side <= TG_FILE_HYPOTHESES; side++) {
        g_autoptr(GError) error = NULL;
        g_auto(TgRecord) record = { 0 };
        TgStream *stream = tg_stream_open_bytes("fuzz", data, size, FUZZ_MAX_LINE);
        g_autoptr(TgReader) reader =
            tg_reader_open(stream, format, fields, (TgFileSide) side, &error);

        while (reader != NULL && tg_reader_next(reader, &record, &error))
            check_record(&record, (TgFileSide) side);
        g_assert_true(error == NULL || g_error_matches(error, TG_ERROR, TG_ERROR_INPUT));
    }
    return 0;
}
