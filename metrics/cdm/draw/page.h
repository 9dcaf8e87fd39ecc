/* The page of the official program: its size, and where a formula is placed on it. */
#pragma once

#include <texgauge/types.h>

#include "metrics/cdm/dialects/dialect.h"

/** What a formula is drawn on. */
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

/** The left edge of a formula that is @width_px wide. */
double tg_cdm_page_x(const TgCdmPaper *paper, double width_px);

/** The baseline of a formula that rises @height_px above it. */
double tg_cdm_page_y(const TgCdmPaper *paper, double height_px);
