/* Checks of a record that fuzz targets share, for every source. */
#pragma once

#include "datasets/readers/reader.h"

static inline void check_text(const char *text)
{
    g_assert_true(text == NULL || g_utf8_validate(text, -1, NULL));
}

/** Check the promises of tg_source_next() about a record. */
static inline void check_record(const TgRecord *record, TgFileSide side)
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
