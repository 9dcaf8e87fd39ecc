/* Who is told how far a long work is. */
#pragma once

#include <glib.h>

/** Told that @done of @total steps of @stage are done; often, so it must be quick. */
typedef void (*TgListenFunc)(const char *stage, guint done, guint total, gpointer data);

/** Whom to tell; all zero: nobody. */
typedef struct {
    TgListenFunc tell;
    gpointer data;
} TgListener;

static inline void tg_listener_tell(const TgListener *listener, const char *stage, guint done,
                                    guint total)
{
    if (listener->tell != NULL)
        listener->tell(stage, done, total, listener->data);
}
