/* From LaTeX to marks on the official page. */
#include "metrics/cdm/draw/redraw.h"

#include "metrics/cdm/draw/normalizer.h"
#include "render/paint/drawing.h"

/* (transfer full) */
static TgDrawnToken *list_tokens(const TgCdmFormula *formula)
{
    TgDrawnToken *tokens = g_new0(TgDrawnToken, formula->elements->len);

    for (guint i = 0; i < formula->elements->len; i++)
        tokens[i].name = ((const TgCdmElement *) formula->elements->pdata[i])->token;
    for (guint k = 0; k < formula->drawing.n; k++) {
        TgDrawnToken *token = &tokens[formula->inked[k]];

        token->has_ink = TRUE;
        token->box = formula->boxes[k];
    }
    return tokens;
}

/* The picture is the page cropped to all ink. */
static TgDrawing *place_element(TgCdmSetter *setter, const TgCdmFormula *formula,
                                const GArray *marks, TgPixelRect all, TgRect *paper)
{
    const TgCdmPaper size = tg_cdm_setter_paper(setter);
    const gint x = all.x0 - TG_CDM_CROP_MARGIN, y = all.y0 - TG_CDM_CROP_MARGIN;
    const TgFrame picture = { (guint) formula->drawing.width_px, (guint) formula->drawing.height_px,
                              -x, -y };
    g_autofree TgDrawnToken *tokens = list_tokens(formula);

    *paper = (TgRect){ -x, -y, size.width_px - x, size.height_px - y };
    return tg_drawing_new_placed(tg_cdm_setter_fonts(setter), marks, tokens, formula->elements->len,
                                 picture, size.dpi);
}

TgDrawing *tg_cdm_redraw(TgCdmSetter *setter, const char *latex, const TgCdmDialect *dialect,
                         TgCdmPage page, const TgCdmFormula *formula, TgRect *paper, GError **error)
{
    g_auto(TgCdmNormalized) normalized = { 0 };
    g_auto(TgCdmDrawnSource) drawn = { 0 };
    g_autofree char *coloured = NULL;
    g_autoptr(GPtrArray) elements = NULL;
    g_autofree TgPixelRect *inks = g_new(TgPixelRect, formula->elements->len);
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(TgMark));
    TgPixelRect all;

    if (tg_cdm_dialect_normalize(latex, dialect, &normalized, error))
        elements = tg_cdm_elements(normalized.source, dialect->vocabulary, &coloured, error);
    if (elements == NULL ||
        !tg_cdm_drawn_source(coloured, normalized.is_chinese, elements, &drawn, error) ||
        !tg_cdm_localise(setter, &drawn, elements->len, dialect, page, inks, &all, marks, error))
        return NULL;
    return place_element(setter, formula, marks, all, paper);
}
