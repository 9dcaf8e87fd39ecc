#pragma once

#include <glib.h>

/** One file that a source read. */
typedef struct {
    const char *name;   /**< as given; "-" for stdin */
    const char *format; /**< the reader's name */
    const char *sha256; /**< of the raw bytes on disk, in hexadecimal; NULL before its end, and of
                              tables in memory */
} TgSourceInput;
