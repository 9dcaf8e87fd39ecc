/* The function that every fuzz target defines. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Try the code under test on @size bytes; returns 0. A fault shows as a crash or a sanitizer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
