/* One row of a test set: creation and release. */
#include "datasets/records/record.h"

#include <math.h>

TgHumanGroup *tg_human_group_new(const char *name, guint n_scores)
{
    TgHumanGroup *group = g_malloc(sizeof *group + n_scores * sizeof group->scores[0]);

    group->name = g_strdup(name);
    group->n_scores = n_scores;
    for (guint i = 0; i < n_scores; i++)
        group->scores[i] = NAN;
    return group;
}

void tg_human_group_free(TgHumanGroup *group)
{
    if (group == NULL)
        return;
    g_free(group->name);
    g_free(group);
}

static void free_fields(TgRecord *record)
{
    g_free(record->id);
    g_free(record->model);
    g_free(record->subset);
    g_free(record->hyp);
    g_free(record->fault);
    g_clear_pointer(&record->human, g_ptr_array_unref);
    json_decref(record->stored);
}

void tg_record_reset(TgRecord *record)
{
    GPtrArray *refs = record->refs;

    free_fields(record);
    if (refs != NULL)
        g_ptr_array_set_size(refs, 0);
    else
        refs = g_ptr_array_new_with_free_func(g_free);
    *record = (TgRecord){ .refs = refs };
}

void tg_record_clear(TgRecord *record)
{
    free_fields(record);
    g_clear_pointer(&record->refs, g_ptr_array_unref);
    *record = (TgRecord){ 0 };
}

void tg_record_free(gpointer record)
{
    tg_record_clear(record);
    g_free(record);
}

void tg_record_set_fault(TgRecord *record, const char *format, ...)
{
    g_autofree char *what = NULL, *fault = NULL;
    va_list arguments;

    if (record->fault != NULL)
        return;
    va_start(arguments, format);
    what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    fault = g_strdup_printf("%s:%" G_GSIZE_FORMAT ": %s", record->file, record->line, what);
    record->fault = g_utf8_make_valid(fault, -1); /* file names and cut text may not be */
}
