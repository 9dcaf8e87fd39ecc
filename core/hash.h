/* Hashing of bytes and of 64-bit keys for tables that never reach the output by iteration. */
#pragma once

#include <glib.h>

/** Mix all bits of @key into all bits of the result (splitmix64's finaliser). */
static inline guint64 tg_hash_u64(guint64 key)
{
    key = (key ^ (key >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    key = (key ^ (key >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return key ^ (key >> 31);
}

/** FNV-1a over @len bytes, mixed. */
static inline guint64 tg_hash_bytes(const char *bytes, gsize len)
{
    guint64 hash = G_GUINT64_CONSTANT(0xcbf29ce484222325);

    for (gsize i = 0; i < len; i++)
        hash = (hash ^ (guchar) bytes[i]) * G_GUINT64_CONSTANT(0x100000001b3);
    return tg_hash_u64(hash);
}
