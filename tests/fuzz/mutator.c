/* libFuzzer's mutator for targets that read formulas: bytes change as always, or a part by the
 * grammar. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "tests/fuzz/grammar.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    TgRandom random;

    tg_random_seed(&random, seed, 0);
    if (tg_random_below(&random, 3) == 0)
        return LLVMFuzzerMutate(data, size, max_size);

    /* Of several texts that NUL separates one is changed. */
    const char *text = (const char *) data;
    const size_t at = size > 0 ? tg_random_below(&random, (guint32) size) : 0;
    size_t start = at, end = at;
    while (start > 0 && text[start - 1] != '\0')
        start--;
    while (end < size && text[end] != '\0')
        end++;
    g_autofree char *part = g_strndup(text + start, end - start);
    g_autofree char *changed = fuzz_mutated(&random, part);
    const size_t n = strlen(changed);
    if (size - (end - start) + n > max_size)
        return LLVMFuzzerMutate(data, size, max_size);
    memmove(data + start + n, data + end, size - end);
    memcpy(data + start, changed, n);
    return size - (end - start) + n;
}
