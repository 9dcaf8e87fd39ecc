/* Hash functions for tables whose order of iteration never reaches the output, numbers of keys, and
 * a binary heap over a GArray. A macro makes the heap for one type and one order, so that the
 * comparison is inlined. */
#pragma once

#include <string.h>

#include <glib.h>

/** Mix all bits of @key into all bits of the result (splitmix64's finalizer). */
static inline guint64 tg_hash_u64(guint64 key)
{
    key = (key ^ (key >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    key = (key ^ (key >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return key ^ (key >> 31);
}

/** Eight of @len bytes at a time, each word mixed into all bits. No two texts of the same length up
 * to 8 have the same hash. */
static inline guint64 tg_hash_bytes(const char *bytes, gsize len)
{
    guint64 hash = len, word;

    for (; len >= sizeof word; bytes += sizeof word, len -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = tg_hash_u64(hash ^ word) + G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    }
    word = 0;
    if (len > 0)
        memcpy(&word, bytes, len);
    return tg_hash_u64(hash ^ word);
}

/** The number of @key in a table of numbers: how many other keys came before it. @key: (transfer
 * full) where the table frees its keys */
static inline guint tg_hash_number(GHashTable *numbers, gpointer key)
{
    gpointer number;

    if (!g_hash_table_lookup_extended(numbers, key, NULL, &number))
        number = GUINT_TO_POINTER(g_hash_table_size(numbers));
    g_hash_table_insert(numbers, key, number); /* keeps the key that is there already */
    return GPOINTER_TO_UINT(number);
}

/**
 * Defines `NAME_push(queue, item)` and `NAME_pop(queue)` on a GArray of @Type whose first element
 * is the one that comes before all others. NAME_pop() removes that element; the queue must not be
 * empty.
 *
 * @is_before: gboolean (const Type *a, const Type *b), a strict order
 */
#define TG_DEFINE_HEAP(NAME, Type, is_before)                                                      \
    static inline void NAME##_push(GArray *queue, Type item)                                       \
    {                                                                                              \
        guint i = queue->len;                                                                      \
                                                                                                   \
        g_array_append_val(queue, item);                                                           \
        Type *heap = (Type *) (gpointer) queue->data;                                              \
        for (; i > 0 && is_before(&item, &heap[(i - 1) / 2]); i = (i - 1) / 2)                     \
            heap[i] = heap[(i - 1) / 2];                                                           \
        heap[i] = item;                                                                            \
    }                                                                                              \
                                                                                                   \
    static inline Type NAME##_pop(GArray *queue)                                                   \
    {                                                                                              \
        Type *heap = (Type *) (gpointer) queue->data;                                              \
        const Type top = heap[0], last = heap[queue->len - 1];                                     \
        const guint n = queue->len - 1;                                                            \
        guint i = 0;                                                                               \
                                                                                                   \
        for (guint child = 1; child < n; child = 2 * i + 1) {                                      \
            if (child + 1 < n && is_before(&heap[child + 1], &heap[child]))                        \
                child++;                                                                           \
            if (!is_before(&heap[child], &last))                                                   \
                break;                                                                             \
            heap[i] = heap[child];                                                                 \
            i = child;                                                                             \
        }                                                                                          \
        heap[i] = last;                                                                            \
        g_array_set_size(queue, n);                                                                \
        return top;                                                                                \
    }
