/* The stages of CDM that are compared with the official program, each by itself. */
#pragma once

#include <glib.h>

#include "tests/conformity/cdm_reference.h"

/**
 * Compare one stage with the official program on @pairs and print a table by kind and every
 * disagreement with its cause.
 *
 * Returns: whether the stage reaches the share that is asked of it
 */
typedef gboolean (*ConformityStage)(const GPtrArray *pairs);

/** Scores from the official elements, boxes and sizes. */
gboolean conformity_scores(const GPtrArray *pairs);

/** Element lists against the official ones, and the specification's examples. */
gboolean conformity_elements(const GPtrArray *pairs);
