/* Reading of golden values: JSON files and JSONL files (one record a line). */
#pragma once

#include "tests/support/test_support.h"

#include <jansson.h>

/** The records of a JSONL file as an array, or the value of a JSON file; to be json_decref()ed. */
json_t *tg_golden_read(const char *path);

/** tg_golden_read() of a file of the shared reference data; the test is skipped where it is absent.
 */
json_t *tg_golden_shared(const char *relative);

/** The same for programs that are no CMocka tests; NULL where the file is absent. */
json_t *tg_golden_if_shared(const char *relative);

/** tg_golden_read() of a file in tests/golden. */
json_t *tg_golden_own(const char *name);

/** Member @key of a record that must have it as a string. */
const char *tg_golden_string(const json_t *record, const char *key);

/** Member @key of a record that must have it as a number. */
double tg_golden_number(const json_t *record, const char *key);

/** Array @key of a record that must have it, all numbers, to be freed; @n: (out) how many. */
double *tg_golden_numbers(const json_t *record, const char *key, guint *n);

/** Goes through the records of an array. */
#define tg_golden_each(record, array)                                                              \
    for (size_t record##_at = 0; record##_at < json_array_size(array); record##_at++)              \
        for (const json_t *record = json_array_get(array, record##_at), *record##_once = record;   \
             record##_once != NULL; record##_once = NULL)
