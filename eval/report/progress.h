/* How far the work on a report is. */
#pragma once

#include <glib.h>

/** Told that @done of @total steps of @stage are done. */
typedef void (*TgReportProgress)(const char *stage, guint done, guint total, gpointer data);

/** Whom to tell; all zero: nobody. */
typedef struct {
    TgReportProgress tell;
    gpointer data;
} TgReportListener;

/** Tell it, but not at every step. */
static inline void tg_report_tell(const TgReportListener *listener, const char *stage, guint done,
                                  guint total)
{
    if (listener->tell != NULL && done % 256 == 0)
        listener->tell(stage, done, total, listener->data);
}
