/* Pairs of the reference that are said to draw alike and do not for us. */
#pragma once

#include "tests/conformity/cdm_reference.h"

/** Whether the two sides are one picture, as the reference has it. */
gboolean cdm_is_same_drawing(const CdmReferencePair *pair);

/** Why the pair @id cannot score 1 with cdm-strict; static; NULL: it must. */
const char *cdm_same_drawing_exception(const char *id);
