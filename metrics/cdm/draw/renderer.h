/* What finds the ink of coloured formulas, our typesetter or a TeX program: one interface. */
#pragma once

#include "metrics/cdm/draw/localise.h"
#include "render/tex/tex.h"

/** A formula in the official program's colours to be drawn, and where its ink was found. */
typedef struct {
    const char *coloured; /**< with the elements, of tg_cdm_elements(); borrowed */
    const GPtrArray *elements;
    const TgCdmDialect *dialect;
    gboolean is_chinese, is_table;
    TgPixelRect *inks; /**< (out) one for each element, given as zeros; borrowed */
    TgPixelRect all;   /**< (out) all ink, also that of no element */
    char *trouble;     /**< (out) (transfer full) why it has no ink; NULL where it could be drawn */
    gboolean has_faults;  /**< (out) our typesetter met errors, which TeX may pass over otherwise */
    const char *drawn_by; /**< (out) name of the program, NULL for our typesetter; static */
} TgCdmDrawTask;

/** A way to draw; belongs to one thread. */
typedef struct TgCdmRenderer TgCdmRenderer;
struct TgCdmRenderer {
    /**
     * Draw @n formulas and find each element's ink. A formula that cannot be drawn gets its
     * trouble; FALSE with @error set says that none could be: a font or a program is missing.
     */
    gboolean (*locate)(TgCdmRenderer *self, TgCdmDrawTask *tasks, guint n, TgCdmPage page,
                       GError **error);
    void (*free)(TgCdmRenderer *self);
};

void tg_cdm_renderer_free(TgCdmRenderer *renderer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCdmRenderer, tg_cdm_renderer_free)

/** How our typesetter's ink is located. */
typedef enum {
    TG_CDM_LOCATE_LAYOUT, /**< the extents of glyphs and rules, from the typesetter */
    TG_CDM_LOCATE_RASTER, /**< from pixels: see tg_cdm_raster_inks() */
} TgCdmLocate;

/** Our typesetter. @fonts: of tg_cdm_fonts_new(), kept alive */
TgCdmRenderer *tg_cdm_renderer_native(TgFontSet *fonts, TgCdmLocate how);

/** One task of it, with the caller's setter. */
gboolean tg_cdm_native_locate(TgCdmSetter *setter, TgCdmLocate how, TgCdmDrawTask *task,
                              TgCdmPage page, GError **error);

/** CPU time that TeX may take for one formula: as in the official program, and where TeX has only
 * what our typesetter leaves. */
#define TG_CDM_PDFLATEX_SECONDS 2
#define TG_CDM_LUALATEX_SECONDS 10
#define TG_CDM_AUTO_SECONDS     2

/**
 * A TeX program, which gets the coloured formulas as the official program writes them.
 *
 * Returns: (transfer full), or NULL with the errors of tg_tex_new()
 */
TgCdmRenderer *tg_cdm_renderer_tex(TgTexProgram program, double seconds, GError **error);

/**
 * Our typesetter, and pdflatex for what it cannot set as TeX does: formulas that it refuses or that
 * have faults.
 *
 * Returns: (transfer full), or NULL with the errors of tg_tex_new()
 */
TgCdmRenderer *tg_cdm_renderer_auto(TgFontSet *fonts, TgCdmLocate how, double seconds,
                                    GError **error);
