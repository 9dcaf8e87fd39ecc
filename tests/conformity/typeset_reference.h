/* Real formulas as TeX sets them (shared typeset-reference), with their sources. */
#pragma once

#include <glib.h>

/** One formula; dimensions in scaled points, only where TeX met no error. */
typedef struct {
    const char *set; /**< "im2latex-test" and so on; static */
    char *id;
    char *source; /**< as TeX got it between dollars, newlines being blanks */
    char *error;  /**< TeX's first message, or NULL */
    gint32 cm_width, cm_height, cm_depth; /**< in Computer Modern */
    gint32 lm_width, lm_height, lm_depth; /**< in Latin Modern */
} TypesetRow;

/** (transfer full) (element-type TypesetRow) all rows, or NULL where the data is absent. */
GPtrArray *typeset_reference_load(void);

/** Formulas that are alike in what is wrong with them. */
GPtrArray *typeset_classes_new(void);
void typeset_classes_add(GPtrArray *classes, const char *what, const TypesetRow *row);

/** Print the largest with an example each. */
void typeset_classes_print(const char *title, GPtrArray *classes);
