/* How a metric draws its formulas: from the run's cache, or anew. */
#pragma once

#include <texgauge/metric.h>

#include "metrics/cdm/draw/formula.h"

/** Constant and counted by references; metrics of one run with equal styles share drawings. The
 * program that draws is chosen by the run: see tg_env_renderer(). */
typedef struct TgCdmStyle TgCdmStyle;

/** @fonts: of tg_cdm_fonts_new(), kept alive */
TgCdmStyle *tg_cdm_style_new(TgFontSet *fonts, const TgCdmDialect *dialect, TgCdmPage page,
                             TgCdmLocate locate, guint max_elements);
void tg_cdm_style_unref(TgCdmStyle *style);

/**
 * The drawing of a formula: another model's or another metric's of the same run, or made now.
 *
 * Returns: (transfer full) the formula, or NULL with the errors of tg_cdm_formula_new() and of
 * tg_cdm_style_draw_ahead()
 */
TgCdmFormula *tg_cdm_style_draw(TgCdmStyle *style, TgEnv *env, const char *latex, GError **error);

/** Which side of a pair was drawn by our typesetter while TeX drew the other one. */
typedef enum { TG_CDM_PARTNER_NONE, TG_CDM_PARTNER_REF, TG_CDM_PARTNER_HYP } TgCdmPartner;

/** With renderer `auto`: two programs differ by pixels, so TeX draws both sides or none. A side
 * without ink scores 0 beside any. */
TgCdmPartner tg_cdm_style_partner(const TgCdmFormula *ref, const TgCdmFormula *hyp);

/** As tg_cdm_style_draw(), by TeX. */
TgCdmFormula *tg_cdm_style_draw_partner(TgCdmStyle *style, TgEnv *env, const char *latex,
                                        GError **error);

/**
 * Draw all formulas of @n pairs that the run does not keep already, at once.
 *
 * Returns: FALSE with @error set when the run's renderer cannot draw: TG_ERROR_USAGE for a program
 * that is not installed, TG_ERROR_FONT for a font
 */
gboolean tg_cdm_style_draw_ahead(TgCdmStyle *style, TgEnv *env, const TgPair *pairs, guint n,
                                 GError **error);
