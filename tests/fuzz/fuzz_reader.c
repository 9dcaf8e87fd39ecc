/* Fuzz target: the reader of the format FUZZ_READER, or of whichever is recognized ("any";
 * compressed or not). */
#include "tests/fuzz/fuzz.h"

#include "datasets/readers/reader.h"
#include "tests/fuzz/records.h"

#define FUZZ_MAX_LINE 300 /* short, so that the limit is met */

/* Read all rows; how many lines of results are not as their run wrote them. */
static guint64 read_rows(const uint8_t *data, size_t size, const TgFieldMap *fields,
                         TgFileSide side, GError **error)
{
    const char *format = g_str_equal(FUZZ_READER, "any") ? NULL : FUZZ_READER;
    TgStream *stream = tg_stream_open_bytes("fuzz", data, size, FUZZ_MAX_LINE);
    g_autoptr(TgReader) reader = tg_reader_open(stream, format, fields, side, error);
    g_auto(TgRecord) record = { 0 };

    while (reader != NULL && tg_reader_next(reader, &record, error))
        check_record(&record, side);
    return reader != NULL ? reader->n_edited : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const columns[] = { "a.b,score", NULL };
    static const char *const human[] = { "H1=x,human", NULL };
    g_autoptr(TgFieldMap) fields = tg_field_map_new(NULL, human, columns, NULL);

    for (guint side = TG_FILE_PAIRS; side <= TG_FILE_HYPOTHESES; side++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GError) of_edited = NULL;

        fields->takes_edited = FALSE;
        const guint64 n_bad = read_rows(data, size, fields, (TgFileSide) side, &error);
        fields->takes_edited = TRUE;
        const guint64 n_edited = read_rows(data, size, fields, (TgFileSide) side, &of_edited);
        g_assert_true(error == NULL || g_error_matches(error, TG_ERROR, TG_ERROR_INPUT));
        g_assert_true(of_edited == NULL || g_error_matches(of_edited, TG_ERROR, TG_ERROR_INPUT));
        /* a line that is not taken ends the file */
        g_assert_cmpuint(n_bad, ==, MIN(n_edited, 1));
        g_assert_true(n_bad == 0 ? (error == NULL) == (of_edited == NULL) : error != NULL);
    }
    return 0;
}
