/* Fuzz target: the list reader. */
#include "tests/fuzz/fuzz.h"

#include "tests/fuzz/reader_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_reader("list", data, size);
}
