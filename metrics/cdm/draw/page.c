/* Geometry of the official page: landscape paper, scale=0.98, a displaymath at its top. */
#include "metrics/cdm/draw/page.h"

static const double px_per_pt = 200.0 / 72.27, px_per_mm = 200.0 / 25.4;

TgCdmPaper tg_cdm_paper(guint n_elements)
{
    static const struct {
        guint n_max;
        gint width_mm, height_mm;
    } sizes[] = { { 600, 210, 148 }, { 1300, 297, 210 }, { G_MAXUINT, 420, 297 } };
    guint i = 0;

    while (n_elements > sizes[i].n_max)
        i++;
    return (TgCdmPaper){
        .width_px = (gint) (sizes[i].width_mm * px_per_mm + 0.5),
        .height_px = (gint) (sizes[i].height_mm * px_per_mm + 0.5),
        .text_width_px = 0.98 * sizes[i].width_mm * px_per_mm,
        .left_px = 0.01 * sizes[i].width_mm * px_per_mm,
    };
}

double tg_cdm_page_x(const TgCdmPaper *paper, double width_px)
{
    const double free_px = paper->text_width_px - width_px;

    return paper->left_px + (free_px > 0 ? free_px / 2 : 0);
}

/* Below the page's first line, which is empty, and \abovedisplayskip come \baselineskip or, under a
 * formula too high for that, its height and \lineskip. The fraction of the first number is the one
 * with which most of the official boxes come out to the pixel. */
double tg_cdm_page_y(double height_px)
{
    const double top_px = 75.18, baselineskip_px = 14.5 * px_per_pt, lineskip_px = px_per_pt;

    return top_px + (height_px <= baselineskip_px ? baselineskip_px : height_px + lineskip_px);
}
