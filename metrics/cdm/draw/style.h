/* How a metric draws its formulas: from the run's cache, or anew. */
#pragma once

#include <texgauge/metric.h>

#include "metrics/cdm/draw/formula.h"

/** Constant and counted by references; metrics of one run with equal styles share drawings. */
typedef struct TgCdmStyle TgCdmStyle;

/** @fonts: of tg_cdm_fonts_new(), kept alive */
TgCdmStyle *tg_cdm_style_new(TgFontSet *fonts, const TgCdmDialect *dialect, TgCdmPage page,
                             TgCdmLocate locate, guint max_elements);
void tg_cdm_style_unref(TgCdmStyle *style);

/**
 * The drawing of a formula: another model's or another metric's of the same run, or made now.
 *
 * Returns: (transfer full) the formula, or NULL with the errors of tg_cdm_formula_new()
 */
TgCdmFormula *tg_cdm_style_draw(TgCdmStyle *style, TgEnv *env, const char *latex, GError **error);
