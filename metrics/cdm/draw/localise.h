/* Where the elements' ink is, as the official program finds it in its picture. */
#pragma once

#include "core/rect.h"
#include "metrics/cdm/draw/drawn_source.h"
#include "metrics/cdm/draw/page.h"

/** All font data (render/fonts/font.h, whose names clash with those of public headers). */
typedef struct TgFontSet TgFontSet;

/* The picture is cropped to all ink with 8 pixels of margin at the left and top, 7 at the right and
 * bottom. */
#define TG_CDM_CROP_MARGIN  8
#define TG_CDM_CROP_MARGINS (TG_CDM_CROP_MARGIN + 7)

/** Sets formulas for CDM; belongs to one thread. */
typedef struct TgCdmSetter TgCdmSetter;

/** The fonts to set them with, on which layout decides as with the official program's. */
TgFontSet *tg_cdm_fonts_new(GError **error);
TgFontSet *tg_cdm_fonts_ref(TgFontSet *fonts);
void tg_cdm_fonts_unref(TgFontSet *fonts);

/** @fonts: kept alive by the setter */
TgCdmSetter *tg_cdm_setter_new(TgFontSet *fonts);
void tg_cdm_setter_free(TgCdmSetter *setter);

/** The paper of the formula set last. */
TgCdmPaper tg_cdm_setter_paper(const TgCdmSetter *setter);

/** The fonts it sets with; borrowed. */
TgFontSet *tg_cdm_setter_fonts(const TgCdmSetter *setter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCdmSetter, tg_cdm_setter_free)

/**
 * Set a formula and find the pixels that each element's ink touches on the official page.
 *
 * @inks: (out) @n_elements entries
 * @all: (out) all ink, also that of no element
 * @marks: (nullable) array of TgMark to append what is on the page to, in sp from its top left
 *   corner, with letters on whole pixels; a mark's token is its element or TG_NO_TOKEN
 *
 * Returns: FALSE with @error set to
 *   TG_ERROR_PARSE  the formula is beyond the typesetter's bounds, or higher than the page
 *   TG_ERROR_FONT   a font is missing or broken
 */
gboolean tg_cdm_localise(TgCdmSetter *setter, const TgCdmDrawnSource *drawn, guint n_elements,
                         const TgCdmDialect *dialect, TgCdmPage page, TgPixelRect *inks,
                         TgPixelRect *all, GArray *marks, GError **error);
