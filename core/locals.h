/* Objects that one thread makes once and keeps: buffers, encoders, renderers. */
#pragma once

#include <glib.h>

/** A handful of objects under the addresses that they were made for; zero it to start. */
typedef struct {
    GArray *entries;
} TgLocals;

/**
 * The object of @key, made by @make at first use. As the address is the key, the object must keep
 * what is there alive (by a reference), or it must outlive the locals.
 */
gpointer tg_locals_get(TgLocals *locals, gpointer key, gpointer (*make)(gpointer key),
                       GDestroyNotify destroy);

/** Destroy all objects. */
void tg_locals_clear(TgLocals *locals);
