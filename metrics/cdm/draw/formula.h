/* One formula on its way through CDM: from LaTeX to elements with boxes. */
#pragma once

#include <texgauge/env.h>

#include "metrics/cdm/draw/drawing.h"
#include "metrics/cdm/draw/elements.h"
#include "metrics/cdm/draw/renderer.h"

/** A formula as the official program sees it. Immutable, so any thread may read. */
typedef struct {
    gatomicrefcount refs;
    char *source;         /**< normalised; NULL where the official program gave up */
    GPtrArray *elements;  /**< of TgCdmElement; empty where it gave up */
    gboolean *has_ink;    /**< of each element */
    guint *inked;         /**< for each inked element its index among all */
    TgCdmDrawing drawing; /**< the inked elements */
    const char **tokens;  /**< what @drawing borrows */
    TgRect *boxes;
    gboolean tokenizer_failed; /**< elements are chunks of the raw source */
    char *trouble;             /**< why nothing could be drawn, or NULL */
} TgCdmFormula;

/**
 * Normalise, list elements, set with our typesetter, and take the ink from its layout.
 *
 * @max_elements: a formula of more is not drawn
 *
 * Returns: (transfer full) the formula, which may be without ink, or NULL with @error set to
 *   TG_ERROR_DATA  it has more than @max_elements elements
 *   TG_ERROR_FONT  a font is missing or broken
 */
TgCdmFormula *tg_cdm_formula_new(TgCdmSetter *setter, TgCdmLocate locate, const char *latex,
                                 const TgCdmDialect *dialect, TgCdmPage page, guint max_elements,
                                 GError **error);

/** Formulas as objects that a run keeps (see tg_env_share()). */
extern const TgSharedKind tg_cdm_formula_kind;

TgCdmFormula *tg_cdm_formula_ref(TgCdmFormula *formula);
void tg_cdm_formula_unref(TgCdmFormula *formula);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCdmFormula, tg_cdm_formula_unref)
