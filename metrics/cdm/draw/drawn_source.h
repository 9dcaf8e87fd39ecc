/* What the official program's coloured source makes TeX draw, as LaTeX for our typesetter. */
#pragma once

#include <texgauge/types.h>

#define TG_CDM_NO_ELEMENT G_MAXUINT32

/** The LaTeX to draw, and whose ink each byte of it makes. */
typedef struct {
    char *latex;
    gsize length;
    guint32 *owner;  /**< per byte an index into the elements, or TG_CDM_NO_ELEMENT */
    gsize tag_start; /**< from here on it is a tag for the right margin; @length for none */
} TgCdmDrawnSource;

/**
 * Take the colours out of a coloured formula without changing what TeX makes of it. Whose ink
 * something is follows from the braces as TeX pairs them, which need not be the pairs that the
 * colours were written with. A colour also separates a command from its arguments (see
 * tg_cdm_separated()), keeps the letters at its sides from being kerned, and a single letter in a
 * group from being taken out of it: for the latter two stands a kern of 0 pt.
 *
 * @coloured, @elements: of tg_cdm_elements()
 * @out: (out) what tg_cdm_drawn_source_clear() frees
 *
 * Returns: TRUE, or FALSE with @error set to TG_ERROR_PARSE where TeX makes no page
 */
gboolean tg_cdm_drawn_source(const char *coloured, gboolean is_chinese, const GPtrArray *elements,
                             TgCdmDrawnSource *out, GError **error);

void tg_cdm_drawn_source_clear(TgCdmDrawnSource *drawn);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgCdmDrawnSource, tg_cdm_drawn_source_clear)
