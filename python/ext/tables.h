/* Tables of Arrow's, which come and go as capsules. */
#pragma once

#include "python/ext/extension.h"

#include <texgauge/arrow.h>

/**
 * Take the stream out of the capsule that __arrow_c_stream__() gives; None: there is none.
 *
 * @stream: (out) to be released by the caller unless its release is NULL
 *
 * Returns: FALSE with an exception set
 */
gboolean py_take_stream(PyObject *capsule, struct ArrowArrayStream *stream);
