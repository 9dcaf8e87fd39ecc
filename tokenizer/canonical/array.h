/* The canonical form of arrays: the same rows, their parts made canonical. */
#pragma once

#include "tokenizer/canonical/writer.h"

const TgArray *tg_canonical_array(TgCanonicalWriter *self, const TgArray *array);
