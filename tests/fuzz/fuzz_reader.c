/* Fuzz target: the reader of the format FUZZ_READER, or of whichever is recognised ("any";
 * compressed or not). */
#include "tests/fuzz/fuzz.h"

#include "datasets/readers/formats.h"

#define FUZZ_MAX_LINE 300 /* short, so that the limit is met */

static void check_text(const char *text)
{
    g_assert_true(text == NULL || g_utf8_validate(text, -1, NULL));
}

/* What tg_source_next() promises of a record. */
static void check_record(const TgRecord *record, TgFileSide side)
{
    g_assert_cmpstr(record->file, ==, "fuzz");
    g_assert_cmpuint(record->line, >, 0);
    check_text(record->id);
    check_text(record->model);
    check_text(record->subset);
    check_text(record->hyp);
    check_text(record->fault);
    for (guint i = 0; i < record->refs->len; i++)
        check_text(record->refs->pdata[i]);
    if (side != TG_FILE_HYPOTHESES)
        g_assert_true(record->fault != NULL || record->refs->len > 0);
    if (record->fault != NULL)
        g_assert_true(g_str_has_prefix(record->fault, "fuzz:"));
    if (record->human != NULL)
        for (guint i = 0; i < record->human->len; i++)
            g_assert_cmpuint(((const TgHumanGroup *) record->human->pdata[i])->n_scores, >, 0);
    if (record->stored != NULL)
        g_assert_cmpuint(json_object_size(record->stored), ==, 2);
}

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
            tg_reader_open(stream, format, fields, (TgFileSide) side, size % 2 == 1, &error);

        while (reader != NULL && tg_reader_next(reader, &record, &error))
            check_record(&record, (TgFileSide) side);
        g_assert_true(error == NULL || g_error_matches(error, TG_ERROR, TG_ERROR_INPUT));
    }
    return 0;
}
