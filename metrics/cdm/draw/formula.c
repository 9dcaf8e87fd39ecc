/* The stages before matching, one after the other. */
#include <string.h>

#include "core/fail.h"
#include "metrics/cdm/draw/draw.h"
#include "render/paint/drawing.h"
#include "render/typeset/typeset.h"
#include "tokenizer/latex/parse.h"

/* Boxes are one pixel larger than the ink on every side, in pixels of the cropped picture. */
static void set_boxes(TgCdmFormula *formula, const TgCdmInk *ink)
{
    const gint x = ink->all.x0 - TG_CDM_CROP_MARGIN, y = ink->all.y0 - TG_CDM_CROP_MARGIN;

    formula->inked = g_new(guint, formula->elements.n);
    for (guint i = 0; i < formula->elements.n; i++) {
        const TgPixelRect own = ink->elements[i];
        TgCdmElement *element = &formula->elements.list[i];

        if (!own.has_ink)
            continue;
        formula->inked[formula->n_inked++] = i;
        element->has_ink = TRUE;
        element->box = (TgRect){ own.x0 - 1 - x, own.y0 - 1 - y, own.x1 + 1 - x, own.y1 + 1 - y };
    }
    if (formula->n_inked == 0)
        return;
    formula->width_px = ink->all.x1 - ink->all.x0 + 1 + TG_CDM_CROP_MARGINS;
    formula->height_px = ink->all.y1 - ink->all.y0 + 1 + TG_CDM_CROP_MARGINS;
}

/* The picture is the page cropped to all ink, its tokens the elements. */
static void set_picture(TgCdmPicture *picture, TgFonts *fonts, const TgCdmFormula *formula,
                        const TgCdmInk *ink, const GArray *marks)
{
    const gint x = ink->all.x0 - TG_CDM_CROP_MARGIN, y = ink->all.y0 - TG_CDM_CROP_MARGIN;
    const TgFrame frame = { (guint) formula->width_px, (guint) formula->height_px, -x, -y };
    const guint n = formula->elements.n;
    g_autofree TgDrawnToken *tokens = g_new0(TgDrawnToken, n);

    for (guint i = 0; i < n; i++) {
        const TgCdmElement *element = &formula->elements.list[i];

        tokens[i].name = element->token;
        tokens[i].has_ink = element->has_ink;
        tokens[i].box = element->box;
    }
    picture->paper = (TgRect){ -x, -y, ink->paper.width_px - x, ink->paper.height_px - y };
    picture->drawing = tg_drawing_new_placed(fonts, marks, tokens, n, frame, ink->paper.dpi);
}

/* Find the boxes of the elements in a colored source. */
static gboolean draw_colored(TgLayout *layout, const TgCdmHow *how, TgCdmText *colored,
                             gboolean is_chinese, TgCdmFormula *formula, TgCdmPicture *picture,
                             GError **error)
{
    const guint n = formula->elements.n;
    const gboolean is_painted = how->locate == TG_CDM_LOCATE_RASTER;
    g_auto(TgCdmDrawnSource) drawn = { 0 };
    g_autofree TgPixelRect *inks = g_new0(TgPixelRect, n);
    g_autoptr(GArray) marks =
        is_painted || picture != NULL ? g_array_new(FALSE, FALSE, sizeof(TgMark)) : NULL;
    TgCdmInk ink = { .elements = inks };

    if (!tg_cdm_rewrite_alignments(colored, error) ||
        !tg_cdm_drawn_source(colored, is_chinese, &formula->elements, &drawn, error) ||
        !tg_cdm_find_pixels(layout, &drawn, n, how->dialect, (TgCdmPage) how->page, &ink, marks,
                            error) ||
        (is_painted && !tg_cdm_raster_inks(marks, n, &ink, error)))
        return FALSE;
    formula->is_guess = ink.is_guess;
    set_boxes(formula, &ink);
    if (picture != NULL && formula->n_inked > 0)
        set_picture(picture, layout->fonts, formula, &ink, marks);
    return TRUE;
}

/* Whether LaTeX refuses @latex, whatever packages it has: the program's TeX goes on after the
 * error, or its normalizer has made something else of it. */
static gboolean is_refused(const char *latex)
{
    static const TgPackages any = ~0u;
    g_autoptr(TgTree) tree = tg_tree_parse(latex, strlen(latex), NULL, NULL);

    return tree == NULL || tg_tree_refusal(tree, any) != NULL;
}

TgCdmFormula *tg_cdm_draw(TgLayout *layout, const char *latex, const TgCdmHow *how,
                          TgCdmPicture *picture, GError **error)
{
    g_autoptr(TgCdmFormula) formula = g_atomic_rc_box_new0(TgCdmFormula);
    g_autoptr(TgCdmText) colored = tg_cdm_text_new("", TRUE);
    g_autoptr(TgCdmText) source = tg_cdm_text_new(latex, FALSE);
    TgCdmNormalized normalized = { 0 };
    GError *fault = NULL;

    formula->latex = g_strdup(latex);
    const gboolean is_read = tg_cdm_normalize(source, how->dialect, &normalized, &fault) &&
                             tg_cdm_elements(source->string->str, how->dialect->vocabulary,
                                             &formula->elements, colored, &fault);
    formula->tokenizer_failed = normalized.tokenizer_failed;
    if (formula->elements.n > (guint) how->max_elements)
        return tg_null(error, TG_ERROR_DATA, "too-large: more than %d elements", how->max_elements);
    if (is_read &&
        draw_colored(layout, how, colored, normalized.is_chinese, formula, picture, &fault)) {
        formula->is_guess |= formula->n_inked > 0 && is_refused(latex);
        return g_steal_pointer(&formula);
    }
    if (!g_error_matches(fault, TG_ERROR, TG_ERROR_PARSE)) {
        g_propagate_error(error, fault);
        return NULL;
    }
    formula->trouble = g_strdup(fault->message); /* a fact about the formula */
    g_error_free(fault);
    return g_steal_pointer(&formula);
}

/* ---- as an object that a run keeps ---- */

static void formula_clear(gpointer object)
{
    TgCdmFormula *formula = object;

    tg_cdm_elements_clear(&formula->elements);
    g_free(formula->latex);
    g_free(formula->inked);
    g_free(formula->trouble);
}

void tg_cdm_formula_unref(gpointer formula)
{
    g_atomic_rc_box_release_full(formula, formula_clear);
}

/* The size is rough: it leaves out the allocator's own bytes and odd names. */
static gsize formula_size(gconstpointer object)
{
    const TgCdmFormula *formula = object;
    const guint n = formula->elements.n;

    return sizeof *formula + strlen(formula->latex) + n * (sizeof(TgCdmElement) + sizeof(guint)) +
           (n > 0 ? formula->elements.list[n - 1].end : 0);
}

const TgSharedKind tg_cdm_formula_kind = { g_atomic_rc_box_acquire, tg_cdm_formula_unref,
                                           formula_size };
