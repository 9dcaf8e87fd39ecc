/* Fuzz inputs of several texts, separated by NUL. */
#pragma once

#include <glib.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define FUZZ_MAX_PARTS 16

typedef struct {
    char *bytes;
    const char *text[FUZZ_MAX_PARTS]; /* NUL-terminated; "" for those that the input lacks */
    gsize len[FUZZ_MAX_PARTS];
    guint n; /* that the input has, at least 1 */
} FuzzParts;

/** Split @data into up to @max parts; the last has whatever is left, its NULs included. */
static inline FuzzParts fuzz_parts(const uint8_t *data, gsize size, guint max)
{
    FuzzParts parts = { .bytes = g_strndup("", size + 1) };
    gsize start = 0;

    for (gsize i = 0; i < size; i++)
        parts.bytes[i] = (char) data[i];
    for (guint i = 0; i < max; i++) {
        parts.text[i] = parts.bytes + start;
        parts.len[i] = size - start;
        if (start >= size && i > 0)
            continue;
        parts.n = i + 1;
        for (gsize end = start; i + 1 < max && end < size; end++) {
            if (parts.bytes[end] == '\0') {
                parts.len[i] = end - start;
                break;
            }
        }
        start = MIN(start + parts.len[i] + 1, size);
    }
    return parts;
}

static inline void fuzz_parts_clear(FuzzParts *parts)
{
    g_free(parts->bytes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FuzzParts, fuzz_parts_clear)

/** Whether the first two texts are UTF-8. */
static inline gboolean fuzz_parts_are_utf8(const FuzzParts *parts)
{
    return g_utf8_validate(parts->text[0], -1, NULL) && g_utf8_validate(parts->text[1], -1, NULL);
}

/** Truth (0) or prediction (1) of two parts, made valid; the truth where there is no second. */
static inline char *fuzz_side(const FuzzParts *parts, gsize size, guint side)
{
    if (parts->len[0] == size)
        side = 0;
    return g_utf8_make_valid(parts->text[side], (gssize) parts->len[side]);
}
