/* Fuzz target: the reader of the format FUZZ_READER, or of whichever is recognized ("any";
 * compressed or not). */
#include "tests/fuzz/fuzz.h"

#include "datasets/readers/reader.h"
#include "tests/fuzz/records.h"

#define FUZZ_MAX_LINE 300 /* short, so that the limit is met */

/* Read all rows; what was noticed of results that were changed has a first line, or there is none.
 */
static void read_rows(const uint8_t *data, size_t size, const TgFieldMap *fields, TgFileSide side,
                      GError **error)
{
    const char *format = g_str_equal(FUZZ_READER, "any") ? NULL : FUZZ_READER;
    TgStream *stream = tg_stream_open_bytes("fuzz", data, size, FUZZ_MAX_LINE);
    g_autoptr(TgReader) reader = tg_reader_open(stream, format, fields, side, NULL, error);
    g_auto(TgRecord) record = { 0 };

    while (reader != NULL && tg_reader_next(reader, &record, error) == TG_NEXT_ROW)
        check_record(&record, side);
    if (reader != NULL) {
        const TgDamage *damage = &reader->damage;
        g_autofree char *text = tg_damage_text(damage, "fuzz");

        g_assert_true((text != NULL) == (damage->first > 0));
        g_assert_true((damage->n_changed > 0 || damage->n_missing > 0 || damage->lacks_end) ==
                      (damage->first > 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const columns[] = { "a.b,score", NULL };
    static const char *const human[] = { "H1=x,human", NULL };
    g_autoptr(TgFieldMap) fields = tg_field_map_new(NULL, human, columns, NULL);

    for (guint side = TG_FILE_PAIRS; side <= TG_FILE_HYPOTHESES; side++) {
        g_autoptr(GError) error = NULL;

        read_rows(data, size, fields, (TgFileSide) side, &error);
        g_assert_true(error == NULL || g_error_matches(error, TG_ERROR, TG_ERROR_INPUT));
    }
    return 0;
}
