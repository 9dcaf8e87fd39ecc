/* One formula on its way through CDM: from LaTeX to elements with boxes, as UniMERNet/cdm at commit
 * 5a2c80d makes them and docs/metrics/cdm.md records it. */
#pragma once

#include <texgauge/env.h>
#include <texgauge/render.h>

#include "core/rect.h"
#include "metrics/cdm/normalize/normalize.h"
#include "render/typeset/layout.h"

/* ---- elements ---- */

/** One element. Its texts belong to the list. */
typedef struct {
    const char *token;     /**< its name */
    const char *canonical; /**< that of its symbol, see tg_cdm_canonical_token() */
    gboolean is_composite; /**< the color is around the command and its groups; else around the
                              token alone, even if it is a command that needs arguments */
    guint32 start, end;    /**< where the token stands in the normalized source */
    gboolean has_ink;
    TgRect box; /**< of the ink, in pixels of the cropped picture */
} TgCdmElement;

/** Elements in the official program's order, and the texts that they point into. */
typedef struct {
    TgCdmElement *list;
    guint n;
    char *names;       /**< the normalized source, its spaces replaced by NUL */
    GPtrArray *others; /**< names that are no part of it */
} TgCdmElements;

void tg_cdm_elements_clear(TgCdmElements *elements);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgCdmElements, tg_cdm_elements_clear)

/** A row of a table of synonyms. */
typedef struct {
    const char *token, *canonical;
} TgCdmSynonym;

/** In strcmp() order of their tokens. */
extern const TgCdmSynonym tg_cdm_synonyms[];
extern const guint tg_cdm_n_synonyms;

/** The table of the programs of 2024. */
extern const TgCdmSynonym tg_cdm_synonyms_2024[];
extern const guint tg_cdm_n_synonyms_2024;

/**
 * The canonical form of an element's name: two elements whose names differ but whose canonical
 * forms agree cost little to match. Sized delimiters lose their size, synonyms become one name.
 *
 * The rules and the table are the official program's, with its slips (`\bigcup` and `\bigcap`
 * both become `p`, `\ne` and `\neq` stay different), because its scores are to be reproduced. That
 * of 2024 had another table and other rules.
 *
 * @others: as in TgCdmElements
 *
 * Returns: @token or a text of @others
 */
const char *tg_cdm_canonical_token(const char *token, TgCdmVocabulary vocabulary,
                                   GPtrArray *others);

/** The byte with which a color begins in a colored source, and which no UTF-8 text has. Its origin
 * begins with the index of the element. */
#define TG_CDM_COLOR '\xFF'

/**
 * The element list of a formula, as the official program makes it: in the order of the normalized
 * source, a composite before its parts. Whether an element has ink is not known here.
 *
 * @source: tokens that tg_cdm_normalize() made
 * @out: (out) what tg_cdm_elements_clear() frees
 * @colored: (nullable) traced; the source is appended with a color around every element; a color
 *   ends with a brace
 *
 * Returns: FALSE with @error set to
 *   TG_ERROR_PARSE  the official program gives up on this formula
 */
gboolean tg_cdm_elements(const char *source, TgCdmVocabulary vocabulary, TgCdmElements *out,
                         TgCdmText *colored, GError **error);

/* ---- what TeX makes of the colors ---- */

/** The length of the command whose backslash is at @at: with all its letters, or one character. */
gsize tg_cdm_command_length(const char *at);

/** Whether the command at @at is @name, which has letters. */
gboolean tg_cdm_is_command(const char *at, const char *name);

/**
 * Rewrite the arrays of a colored formula that TeX does not set as they are written:
 *
 * - more cells in a row than its preamble has columns: TeX ends the row there and begins another;
 * - `\hline` inside a cell, where the official normalizer leaves it. TeX ends the array with the
 *   word "height", sets the rest of the cell as a paragraph under it, all of that as wide as the
 *   page, further cells beside it at the right margin, and further rows below the display.
 *   Where a script makes the paragraph a formula, the cells go on in it.
 *
 * @colored: of tg_cdm_elements(); replaced where it has arrays
 *
 * Returns: FALSE with @error set to
 *   TG_ERROR_PARSE  TeX does not come to an end, or makes no page
 */
gboolean tg_cdm_rewrite_alignments(TgCdmText *colored, GError **error);

#define TG_CDM_NO_ELEMENT G_MAXUINT32

/** The LaTeX to draw, and whose ink each byte of it makes. */
typedef struct {
    TgCdmText *latex;  /**< the origin of a byte begins with an index into the elements, or
                            TG_CDM_NO_ELEMENT */
    gsize tag_start;   /**< from here on it is a tag for the right margin; its length for none */
    gboolean is_guess; /**< TeX goes on after an error in a way that is not followed */
} TgCdmDrawnSource;

/**
 * Take the colors out of a colored formula without changing what TeX makes of it. Whose ink
 * something is follows from the braces as TeX pairs them, which need not be the pairs that the
 * colors were written with. A color also separates a command from its arguments, keeps the letters
 * at its sides from being kerned, and a single letter in a group from being taken out of it: for
 * the latter two stands a kern of 0 pt.
 *
 * @colored: of tg_cdm_elements() with @elements, after tg_cdm_rewrite_alignments()
 * @out: (out) what tg_cdm_drawn_source_clear() frees
 *
 * Returns: TRUE, or FALSE with @error set to TG_ERROR_PARSE where TeX makes no page
 */
gboolean tg_cdm_drawn_source(const TgCdmText *colored, gboolean is_chinese,
                             const TgCdmElements *elements, TgCdmDrawnSource *out, GError **error);

void tg_cdm_drawn_source_clear(TgCdmDrawnSource *drawn);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgCdmDrawnSource, tg_cdm_drawn_source_clear)

/* ---- the page ---- */

/** The page on which a formula is drawn. */
typedef enum {
    TG_CDM_PAGE_OFFICIAL,  /**< paper whose edge cuts long formulas off */
    TG_CDM_PAGE_UNLIMITED, /**< no edge, and no shrinking of spaces */
} TgCdmPage;

/** Paper in pixels. */
typedef struct {
    gint width_px, height_px;
    double dpi;
    double px_per_sp;      /**< pixels per scaled point */
    double text_width_px;  /**< a longer formula is squeezed and begins at the left margin */
    double left_px;        /**< that margin */
    double text_height_px; /**< what is higher with its spaces makes two pages */
    gboolean is_largest;   /**< A1 */
} TgCdmPaper;

/** A5, from 601 elements on A4, from 1,301 on A3; all of them landscape. @n_larger sizes more where
 * a dialect tries larger paper. */
TgCdmPaper tg_cdm_paper(const TgCdmDialect *dialect, guint n_elements, guint n_larger);

/** Whether a display is higher than the page, so that TeX makes another one. @height_px and
 * @depth_px are those of its line, @width_px its width. */
gboolean tg_cdm_page_overflows(const TgCdmPaper *paper, double width_px, double height_px,
                               double depth_px);

/* The picture is cropped to all ink with 8 pixels of margin at the left and top, 7 at the right and
 * bottom. */
#define TG_CDM_CROP_MARGIN  8
#define TG_CDM_CROP_MARGINS (TG_CDM_CROP_MARGIN + 7)

/** The fonts of the layouts that formulas are set with, which decide as with the official
 * program's. */
TgFonts *tg_cdm_fonts_new(GError **error);

/** Where ink was found, in pixels of the page. */
typedef struct {
    TgPixelRect *elements; /**< of each element */
    TgPixelRect all;       /**< also of no element */
    TgCdmPaper paper;
    gboolean is_guess; /**< TeX meets errors in what is set */
} TgCdmInk;

/**
 * Set a formula and find the pixels that each element's ink touches on the official page.
 *
 * @ink: (inout) zeros but for @elements, which has room for @n_elements and is zeros, too
 * @marks: (nullable) array of TgMark to append what is on the page to, in sp from its top left
 *   corner, with letters on whole pixels; a mark's token is its element or TG_NO_TOKEN
 *
 * Returns: FALSE with @error set to
 *   TG_ERROR_PARSE  the formula is beyond the typesetter's bounds, or higher than the page
 *   TG_ERROR_FONT   a font is missing or broken
 */
gboolean tg_cdm_find_pixels(TgLayout *layout, const TgCdmDrawnSource *drawn, guint n_elements,
                            const TgCdmDialect *dialect, TgCdmPage page, TgCdmInk *ink,
                            GArray *marks, GError **error);

/** The most pixels of a picture that is painted to be located in. */
#define TG_CDM_RASTER_MAX_PIXELS (1u << 24)

/**
 * Paint the marks of a formula, each in the 24-bit color of its element and without smooth edges,
 * and find where each color is by Leptonica. Elements whose ink overlaps or touches are painted on
 * different layers, so that none covers another: a negation's stroke, an accent, a radical lose
 * nothing.
 *
 * @marks: of TgMark, as tg_cdm_find_pixels() lists them
 * @ink: (inout) what the typesetter says, which decides on layers and on the picture's size;
 *   replaced by what the pixels say
 *
 * Returns: FALSE with TG_ERROR_PARSE when the picture would be beyond the bound
 */
gboolean tg_cdm_raster_inks(const GArray *marks, guint n_elements, TgCdmInk *ink, GError **error);

/* ---- all of it ---- */

/** How the ink is located. */
typedef enum {
    TG_CDM_LOCATE_LAYOUT, /**< the extents of glyphs and rules, from the typesetter */
    TG_CDM_LOCATE_RASTER, /**< from pixels: see tg_cdm_raster_inks() */
} TgCdmLocate;

/** How a formula is drawn. */
typedef struct {
    const TgCdmDialect *dialect;
    gint page;         /**< TgCdmPage */
    gint locate;       /**< TgCdmLocate */
    gint max_elements; /**< a formula of more is not drawn */
} TgCdmHow;

/** A formula as the official program sees it. Immutable and counted by references
 * (g_atomic_rc_box), so any thread may read. */
typedef struct {
    char *latex;            /**< that was drawn */
    TgCdmElements elements; /**< none where the official program gave up */
    guint *inked;           /**< indices of those with ink, which alone count */
    guint n_inked;
    double width_px, height_px; /**< of the cropped picture; 0 where nothing has ink */
    gboolean tokenizer_failed;  /**< elements are chunks of the raw source */
    gboolean is_guess;          /**< TeX meets errors and passes over them, by rules that are not
                                     all known */
    char *trouble;              /**< why nothing could be drawn, or NULL */
} TgCdmFormula;

/** A formula to be shown as CDM draws it: page, squeezed spaces, lost arguments and all. */
typedef struct {
    TgDrawing *drawing; /**< the cropped picture, its tokens the elements; NULL: without ink */
    TgRect paper;       /**< the edges of the page, in pixels of the picture */
} TgCdmPicture;

/**
 * Normalize, list elements, set, and take the ink from the layout.
 *
 * @picture: (out) (nullable) the same drawing to be shown
 *
 * Returns: (transfer full) the formula, which may be without ink, or NULL with @error set to
 *   TG_ERROR_DATA  it has more than @how->max_elements elements
 *   TG_ERROR_FONT  a font is missing or broken
 */
TgCdmFormula *tg_cdm_draw(TgLayout *layout, const char *latex, const TgCdmHow *how,
                          TgCdmPicture *picture, GError **error);

void tg_cdm_formula_unref(gpointer formula);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCdmFormula, tg_cdm_formula_unref)

/** Formulas as objects that a run keeps (see tg_env_share()). */
extern const TgSharedKind tg_cdm_formula_kind;
