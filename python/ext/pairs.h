/* Lists of Python's strings as pairs. */
#pragma once

#include "python/ext/extension.h"

#include <texgauge/metric.h>

/** Pairs whose texts Python objects own; usable without the GIL. */
typedef struct {
    TgPair *pairs;
    gsize n;
    const char **refs; /**< of all pairs, one after the other */
    PyObject *owners;  /**< list of tuples that keep the texts alive */
} PyPairs;

/**
 * Make pairs.
 *
 * @references: sequence of str, of None (no truth), or of sequences of str
 * @predictions: sequence of str or None (no prediction), as long as @references
 *
 * Returns: FALSE with an exception set
 */
gboolean py_pairs_init(PyPairs *pairs, PyObject *references, PyObject *predictions);
void py_pairs_clear(PyPairs *pairs);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PyPairs, py_pairs_clear)
