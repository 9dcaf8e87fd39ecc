/* Objects of one thread, made at first use: buffers, encoders, renderers. */
#pragma once

#include <glib.h>

/** A few objects by key; zero it to start. */
typedef struct {
    GArray *entries;
} TgLocals;

/**
 * The object of @key, made by @make at first use. Keys are compared by identity, so the object must
 * hold a reference to @key, or @key must outlive the locals.
 */
gpointer tg_locals_get(TgLocals *locals, gpointer key, gpointer (*make)(gpointer key),
                       GDestroyNotify destroy);

/** Destroy all objects. */
void tg_locals_clear(TgLocals *locals);
