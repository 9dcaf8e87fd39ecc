/* A file in memory, for readers that take a path. */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/** Write @size bytes to the one file of this process. Returns: its path, borrowed. */
static inline const char *memory_file(const uint8_t *data, gsize size)
{
    static char path[32];
    static int file = -1;

    if (file < 0) {
        file = memfd_create("fuzz", 0);
        g_snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (gssize) size)
        abort();
    return path;
}
