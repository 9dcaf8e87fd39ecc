/* The examples of the CDM specification (shared specs/cdm.md). */
#pragma once

#include <glib.h>

/** A line of section 2.6. */
typedef struct {
    char *input;
    char *tokens;    /**< after stage 2; NULL where the tokeniser fails */
    char *source;    /**< after stage 3 */
    char **elements; /**< names of the element list; NULL at the end */
} CdmExample;

/** (transfer full) (element-type CdmExample) NULL where the specification is absent. */
GPtrArray *cdm_examples_load(void);

/** A line of section 8.5. */
typedef struct {
    char *ref, *hyp;
    double recall, precision, f1; /**< NaN where the official program leaves the pair out */
} CdmVector;

/** (transfer full) (element-type CdmVector) NULL where the specification is absent. */
GPtrArray *cdm_vectors_load(void);
