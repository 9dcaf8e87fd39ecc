/* Sets a formula, places it on the page, and finds the pixels that ghostscript would touch. */
#include <math.h>

#include "core/deadline.h"
#include "core/fail.h"
#include "metrics/cdm/draw/draw.h"
#include "render/fonts/font.h"
#include "render/paint/drawing.h"
#include "render/typeset/typeset.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/tree/tree.h"

/* \medmuskip is 4mu in a display, and may shrink to nothing in a line that is too long. */
enum { SP_PER_PT = 65536, MEDMUSKIP = 4 * SP_PER_PT };

/* ---- the paper: landscape, scale=0.98, a displaymath at its top ---- */

#define PT_PER_IN 72.27
#define MM_PER_IN 25.4

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

/* The baseline of a formula that rises @height_px above it. Below the page's first line, which is
 * empty, and \abovedisplayskip come \baselineskip or, under a formula too high for that, its height
 * and \lineskip. The fraction of the first number is the one with which most of the official boxes
 * come out to the pixel at 200 dpi. */
static double page_y(const TgCdmPaper *paper, double height_px)
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

/* ---- a formula on its page ---- */

typedef struct {
    const TgInkToken *tokens;
    guint n_tokens;
    const GArray *origins; /* of the drawn source */
    gsize start;           /* of the part that is set, in it */
    guint n_owners;
    gboolean cut; /* at the edges of the paper */
    const TgCdmDialect *dialect;
    TgCdmPaper paper;
    gboolean overflows; /* the page */
    double x_px, y_px;  /* of the start of the baseline */
    TgCdmInk *ink;      /* found */
    GArray *marks;      /* NULL: not wanted */
} PageLayout;

/* ---- spaces of a formula that is too long ---- */

/* A space between atoms of the formula's own line, which can shrink. */
typedef struct {
    TgScaled x, width;
} Space;

/* The spaces of a formula, and the sum of their widths. (transfer full) */
static GArray *find_spaces(TgLayout *layout, const TgItem *box, double *shrink)
{
    GArray *spaces = g_array_new(FALSE, FALSE, sizeof(Space));
    TgScaled x = 0;

    const TgFont *symbols = tg_layout_font(layout, TG_FONT_SYMBOLS, tg_text_size(TG_SIZE_NORMAL));
    const TgScaled mu = symbols != NULL ? symbols->metrics->params[TG_PARAM_QUAD] / 18 : 0;
    const TgScaled medium = tg_mu_to_sp(mu, MEDMUSKIP);

    *shrink = 0.0;
    for (const TgItem *item = box->list; item != NULL; item = item->next) {
        const Space space = { x, item->width };

        if (item->kind == TG_ITEM_KERN && item->width == medium) {
            g_array_append_val(spaces, space);
            *shrink += (double) item->width;
        }
        x += item->width;
    }
    return spaces;
}

/* TeX sets a display that is wider than the line to the width of the line; what cannot shrink
 * sticks out at the right. Returns the new width in pixels. */
static double squeeze_ink(const TgItem *box, const TgCdmPaper *paper, const GArray *spaces,
                          double shrink, GArray *marks)
{
    const double excess = (double) box->width - paper->text_width_px / paper->px_per_sp;
    const double ratio = shrink > 0 ? MIN(1.0, excess / shrink) : 0.0;
    for (guint i = 0; i < marks->len && !tg_deadline_spend(spaces->len); i++) {
        TgMark *mark = &g_array_index(marks, TgMark, i);
        const TgScaled x = mark->x;

        for (guint k = 0; k < spaces->len; k++) {
            const Space space = g_array_index(spaces, Space, k);
            if (space.x < x)
                mark->x -= (TgScaled) ((double) space.width * ratio);
        }
    }
    return ((double) box->width - ratio * shrink) * paper->px_per_sp;
}

/* ---- pixels ---- */

/* The pixels of a letter between two edges. Ghostscript smooths with 4 x 4 samples a pixel: those
 * of which a sample is covered; without smoothing those whose center is inside, and at least one.
 */
static void letter_span(gboolean smooths, double start, double end, gint *first, gint *last)
{
    if (smooths) {
        *first = (gint) floor(ceil(start * 4 - 0.55) / 4);
        *last = (gint) floor(floor(end * 4 - 0.45) / 4);
        return;
    }
    *first = (gint) ceil(start - 0.5);
    *last = (gint) ceil(end - 0.5) - 1;
    if (*last < *first)
        *first = *last = (gint) floor((start + end) / 2);
}

/* Where a mark stands on the page, in pixels. */
static double mark_x(const PageLayout *self, const TgMark *mark)
{
    return self->x_px + (double) mark->x * self->paper.px_per_sp;
}

static double mark_y(const PageLayout *self, const TgMark *mark)
{
    return self->y_px + (double) mark->y * self->paper.px_per_sp;
}

/* Ghostscript puts a letter's bitmap on whole pixels. */
static TgPixelRect on_whole_pixels(const PageLayout *self, const TgMark *mark, TgPixelRect ink)
{
    return tg_pixel_rect_moved(ink, (gint) floor(mark_x(self, mark) + 0.5),
                               (gint) floor(mark_y(self, mark) + 0.5));
}

/* The pixels of a letter by our outline. */
static TgPixelRect outline_pixels(const PageLayout *self, const TgMark *mark)
{
    const TgOutline *outline = mark->outline;
    const double size = (double) mark->size * self->paper.px_per_sp;
    const double wide = size * mark->x_stretch;
    TgPixelRect ink = { .has_ink = outline->x_max > outline->x_min };

    letter_span(self->dialect->smooths, outline->x_min * wide, outline->x_max * wide, &ink.x0,
                &ink.x1);
    letter_span(self->dialect->smooths, -outline->y_max * size, -outline->y_min * size, &ink.y0,
                &ink.y1);
    return on_whole_pixels(self, mark, ink);
}

/* The pixels of a letter as measured in the official program's font, else by our outline. */
static TgPixelRect letter_pixels(const PageLayout *self, const TgMark *mark)
{
    const TgGlyphPixels *measured = tg_outline_measured(
        mark->outline, (double) mark->size / SP_PER_PT, (guint) self->paper.dpi);

    if (measured == NULL)
        return outline_pixels(self, mark);
    return on_whole_pixels(
        self, mark, (TgPixelRect){ measured->x0, measured->y0, measured->x1, measured->y1, TRUE });
}

/* A rule has every pixel that it touches. */
static TgPixelRect rule_pixels(const PageLayout *self, const TgMark *mark)
{
    const double scale = self->paper.px_per_sp;
    const double x = mark_x(self, mark), y = mark_y(self, mark);

    return (TgPixelRect){
        .x0 = (gint) floor(x),
        .y0 = (gint) floor(y),
        .x1 = (gint) ceil(x + (double) mark->width * scale) - 1,
        .y1 = (gint) ceil(y + (double) mark->height * scale) - 1,
        .has_ink = mark->width > 0 && mark->height > 0,
    };
}

static TgPixelRect cut_at_edges(const TgCdmPaper *paper, TgPixelRect ink)
{
    const TgPixelRect cut = {
        MAX(ink.x0, 0),
        MAX(ink.y0, 0),
        MIN(ink.x1, paper->width_px - 1),
        MIN(ink.y1, paper->height_px - 1),
        ink.has_ink,
    };

    return cut.x0 <= cut.x1 && cut.y0 <= cut.y1 ? cut : (TgPixelRect){ 0 };
}

static TgScaled to_sp(const PageLayout *self, double px)
{
    return (TgScaled) llround(px / self->paper.px_per_sp);
}

/* Whether the outline reaches beyond the pixels of @ink, or leaves more than one at a side. */
static gboolean outline_misses_pixels(const PageLayout *self, const TgMark *mark, TgPixelRect ink)
{
    const TgPixelRect own = outline_pixels(self, mark);

    return own.x0 < ink.x0 || own.x0 > ink.x0 + 1 || own.x1 > ink.x1 || own.x1 < ink.x1 - 1 ||
           own.y0 < ink.y0 || own.y0 > ink.y0 + 1 || own.y1 > ink.y1 || own.y1 < ink.y1 - 1;
}

/* Scale an outline so that it covers the centers of the pixels of @ink and no others. */
static void fit_mark(const PageLayout *self, TgMark *mark, TgPixelRect ink)
{
    const double inset_px = 0.3;
    const TgOutline *outline = mark->outline;
    const double wide_px = ink.x1 + 1 - ink.x0 - 2 * inset_px;
    const double high_px = ink.y1 + 1 - ink.y0 - 2 * inset_px;
    const double size_px = high_px / (outline->y_max - outline->y_min);

    mark->size = to_sp(self, size_px);
    mark->x_stretch = wide_px / (outline->x_max - outline->x_min) / size_px;
    mark->x = to_sp(self, ink.x0 + inset_px - outline->x_min * size_px * mark->x_stretch);
    mark->y = to_sp(self, ink.y0 + inset_px + outline->y_max * size_px);
}

/* Add the pixels of a mark to the ink; tokens that TeX skips with an error have none. */
static void add_mark(PageLayout *self, const TgMark *mark)
{
    const TgInkToken *token = mark->token < self->n_tokens ? &self->tokens[mark->token] : NULL;
    TgPixelRect ink =
        mark->kind == TG_MARK_GLYPH ? letter_pixels(self, mark) : rule_pixels(self, mark);

    if (token != NULL && (token->flags & TG_INK_ERROR))
        return;
    const gsize at = token != NULL ? self->start + token->start : self->origins->len;
    const guint32 owner = at < self->origins->len
                              ? g_array_index(self->origins, TgCdmRange, at).start
                              : TG_CDM_NO_ELEMENT;
    if (self->marks != NULL) {
        const double x = mark_x(self, mark), y = mark_y(self, mark);
        const gboolean is_letter = mark->kind == TG_MARK_GLYPH;
        TgMark kept = *mark;

        kept.x = to_sp(self, is_letter ? floor(x + 0.5) : x);
        kept.y = to_sp(self, is_letter ? floor(y + 0.5) : y);
        if (is_letter && outline_misses_pixels(self, mark, ink))
            fit_mark(self, &kept, ink);
        kept.token = owner < self->n_owners ? owner : TG_NO_TOKEN;
        kept.color = 0;
        g_array_append_val(self->marks, kept);
    }
    if (self->cut)
        ink = cut_at_edges(&self->paper, ink);
    tg_pixel_rect_join(&self->ink->all, ink);
    if (owner < self->n_owners)
        tg_pixel_rect_join(&self->ink->elements[owner], ink);
}

/* ---- setting ---- */

static gboolean overflows_page(const PageLayout *self, const TgItem *box)
{
    const double scale = self->paper.px_per_sp;

    return tg_cdm_page_overflows(&self->paper, (double) box->width * scale,
                                 (double) box->height * scale, (double) box->depth * scale);
}

/* TeX complains of a line that sticks out by more than \hfuzz. */
static gboolean is_overfull(const PageLayout *self, const TgItem *box, double shrink)
{
    const double hfuzz = 0.1 * 65536;

    return ((double) box->width - shrink - hfuzz) * self->paper.px_per_sp >
               self->paper.text_width_px ||
           overflows_page(self, box);
}

static void place_display(TgLayout *layout, PageLayout *self, const TgItem *box, GArray *marks)
{
    double width_px = (double) box->width * self->paper.px_per_sp, shrink;
    g_autoptr(GArray) spaces = find_spaces(layout, box, &shrink);

    if (self->cut && self->dialect->grows_paper) {
        for (guint n = 1; !self->paper.is_largest && is_overfull(self, box, shrink); n++)
            self->paper = tg_cdm_paper(self->dialect, self->n_owners, n);
    } else if (self->cut) {
        self->overflows = overflows_page(self, box);
    }
    if (self->cut && width_px > self->paper.text_width_px)
        width_px = squeeze_ink(box, &self->paper, spaces, shrink, marks);
    self->x_px = self->paper.left_px + MAX(self->paper.text_width_px - width_px, 0) / 2;
    self->y_px = page_y(&self->paper, (double) box->height * self->paper.px_per_sp);
}

/* Set the display, or its tag on its baseline at the right margin, and put it on the page. */
static gboolean set_part(TgLayout *layout, PageLayout *self, const TgCdmDrawnSource *drawn,
                         gboolean is_tag, GError **error)
{
    const TgParseOptions options = { .source = TG_SOURCE_MATH };
    const gsize start = is_tag ? drawn->tag_start : 0;
    const gsize end = is_tag ? drawn->latex->string->len : drawn->tag_start;
    g_autoptr(TgTree) tree =
        tg_tree_parse(drawn->latex->string->str + start, end - start, &options, error);
    const TgItem *box = tree != NULL ? tg_layout_tree(layout, tree, TG_DISPLAY, error) : NULL;
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(TgMark));

    self->ink->is_guess = self->ink->is_guess || (tree != NULL && tree->n_errors > 0);
    if (box == NULL || !tg_flatten(box, marks, error))
        return FALSE;
    if (is_tag)
        self->x_px = self->paper.left_px + self->paper.text_width_px -
                     (double) box->width * self->paper.px_per_sp;
    else
        place_display(layout, self, box, marks);
    self->tokens = tree->tokens;
    self->n_tokens = tree->n_tokens;
    self->origins = drawn->latex->origins;
    self->start = start;
    for (guint i = 0; i < marks->len; i++)
        add_mark(self, &g_array_index(marks, TgMark, i));
    return TRUE;
}

gboolean tg_cdm_find_pixels(TgLayout *layout, const TgCdmDrawnSource *drawn, guint n_elements,
                            const TgCdmDialect *dialect, TgCdmPage page, TgCdmInk *ink,
                            GArray *marks, GError **error)
{
    PageLayout self = {
        .n_owners = n_elements,
        .cut = page == TG_CDM_PAGE_OFFICIAL,
        .dialect = dialect,
        .paper = tg_cdm_paper(dialect, n_elements, 0),
        .ink = ink,
        .marks = marks,
    };

    ink->is_guess = drawn->is_guess;
    if (!set_part(layout, &self, drawn, FALSE, error) ||
        (drawn->tag_start < drawn->latex->string->len &&
         !set_part(layout, &self, drawn, TRUE, error)))
        return FALSE;
    ink->paper = self.paper;
    if (!self.overflows)
        return TRUE;
    return tg_fail(error, TG_ERROR_PARSE, "higher than the official program's page");
}

/* ---- fonts ---- */

TgFonts *tg_cdm_fonts_new(GError **error)
{
    g_autoptr(TgFonts) fonts = tg_fonts_new(error);

    if (fonts == NULL || !tg_fonts_imitate_computer_modern(fonts, error))
        return NULL;
    return g_steal_pointer(&fonts);
}
