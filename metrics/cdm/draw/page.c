/* Geometry of the official page: landscape paper, scale=0.98, a displaymath at its top. */
#include "metrics/cdm/draw/page.h"

#define PT_PER_IN 72.27
#define MM_PER_IN 25.4

enum { SP_PER_PT = 65536 };

TgCdmPaper tg_cdm_paper(const TgCdmDialect *dialect, guint n_elements, guint n_larger)
{
    static const struct {
        guint n_max;
        gint width_mm, height_mm;
    } sizes[] = {
        { 600, 210, 148 },       { 1300, 297, 210 },      { G_MAXUINT, 420, 297 },
        { G_MAXUINT, 594, 420 }, { G_MAXUINT, 841, 594 },
    };
    const double px_per_mm = dialect->dpi / MM_PER_IN;
    guint i = 0;

    while (n_elements > sizes[i].n_max)
        i++;
    i = MIN(i + n_larger, (guint) G_N_ELEMENTS(sizes) - 1);
    return (TgCdmPaper){
        .width_px = (gint) (sizes[i].width_mm * px_per_mm + 0.5),
        .height_px = (gint) (sizes[i].height_mm * px_per_mm + 0.5),
        .dpi = dialect->dpi,
        .px_per_sp = dialect->dpi / PT_PER_IN / SP_PER_PT,
        .text_width_px = 0.98 * sizes[i].width_mm * px_per_mm,
        .left_px = 0.01 * sizes[i].width_mm * px_per_mm,
        .text_height_px = 0.98 * sizes[i].height_mm * px_per_mm,
        .is_largest = i + 1 == G_N_ELEMENTS(sizes),
    };
}

double tg_cdm_page_x(const TgCdmPaper *paper, double width_px)
{
    const double free_px = paper->text_width_px - width_px;

    return paper->left_px + (free_px > 0 ? free_px / 2 : 0);
}

/* Below the page's first line, which is empty, and \abovedisplayskip come \baselineskip or, under a
 * formula too high for that, its height and \lineskip. The fraction of the first number is the one
 * with which most of the official boxes come out to the pixel at 200 dpi. */
double tg_cdm_page_y(const TgCdmPaper *paper, double height_px)
{
    const double px_per_pt = paper->px_per_sp * SP_PER_PT;
    const double top_px = 75.18 * (paper->dpi / 200), baselineskip_px = 14.5 * px_per_pt,
                 lineskip_px = px_per_pt;

    return top_px + (height_px <= baselineskip_px ? baselineskip_px : height_px + lineskip_px);
}

/* \topskip over the empty line, \lineskip, and at least 5 pt of \abovedisplayskip where the display
 * begins in the first 2 em of the line; below that, \maxdepth may stick out. */
gboolean tg_cdm_page_overflows(const TgCdmPaper *paper, double width_px, double height_px,
                               double depth_px)
{
    const double px_per_pt = paper->px_per_sp * SP_PER_PT;
    const gboolean is_wide = (paper->text_width_px - width_px) / 2 <= 23.5 * px_per_pt;
    const double above_px = (is_wide ? 18 : 13) * px_per_pt, maxdepth_px = 6 * px_per_pt;

    return above_px + height_px + MAX(depth_px - maxdepth_px, 0) > paper->text_height_px;
}
