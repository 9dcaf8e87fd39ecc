/* The page of the official program: its size, and where a formula is placed on it. */
#pragma once

#include <glib.h>

/** What a formula is drawn on. */
typedef enum {
    TG_CDM_PAGE_OFFICIAL,  /**< paper whose edge cuts long formulas off */
    TG_CDM_PAGE_UNLIMITED, /**< no edge, and no shrinking of spaces */
} TgCdmPage;

/** Pixels per scaled point at 200 dpi, the official resolution. */
#define TG_CDM_PX_PER_SP (200.0 / 72.27 / 65536)

/** Paper in pixels at 200 dpi. */
typedef struct {
    gint width_px, height_px;
    double text_width_px; /**< a longer formula is squeezed and begins at the left margin */
    double left_px;       /**< that margin */
} TgCdmPaper;

/** A5, from 601 elements on A4, from 1,301 on A3; all of them landscape. */
TgCdmPaper tg_cdm_paper(guint n_elements);

/** The left edge of a formula that is @width_px wide. */
double tg_cdm_page_x(const TgCdmPaper *paper, double width_px);

/** The baseline of a formula that rises @height_px above it. */
double tg_cdm_page_y(double height_px);
