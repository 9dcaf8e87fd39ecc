/* The renderer: from source to drawing. */
#include <texgauge/render.h>

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/option_parse.h"
#include "render/paint/drawing.h"
#include "render/typeset/layout.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/macros/expander.h"

struct TgRenderer {
    TgFonts *fonts;
    TgLayout *layout;
    GArray *marks, *inks; /* of the current formula */
};

/* ---- Renderers ------------------------------------------------------------------------------- */

TgRenderer *tg_renderer_new(TgFonts *fonts)
{
    g_return_val_if_fail(fonts != NULL, NULL);

    TgRenderer *renderer = g_new(TgRenderer, 1);
    renderer->fonts = tg_fonts_ref(fonts);
    renderer->layout = tg_layout_new(fonts);
    renderer->marks = g_array_new(FALSE, FALSE, sizeof(TgMark));
    renderer->inks = g_array_new(FALSE, FALSE, sizeof(TgRect));
    return renderer;
}

void tg_renderer_free(TgRenderer *renderer)
{
    if (renderer == NULL)
        return;
    g_array_unref(renderer->marks);
    g_array_unref(renderer->inks);
    tg_layout_free(renderer->layout);
    tg_fonts_unref(renderer->fonts);
    g_free(renderer);
}

/* ---- Drawings -------------------------------------------------------------------------------- */

static gboolean renderer_check_options(const TgRenderOptions *options, GError **error)
{
    return (options->size_pt >= 1 && options->size_pt <= 1000 && options->dpi >= 10 &&
            options->dpi <= 4800 && options->margin_px >= 0 && options->margin_px <= 1000) ||
           tg_fail(error, TG_ERROR_USAGE,
                   "the size must be 1 to 1000 pt, the resolution 10 to 4800 dpi, the margin 0 to "
                   "1000 pixels");
}

/* The smallest frame of whole pixels around @box, which contains TeX's box and all ink, and around
 * the margin. */
static TgFrame frame_around(TgRect box, double margin)
{
    const double left = floor(box.x0) - ceil(margin), top = floor(box.y0) - ceil(margin);
    const double right = ceil(box.x1) + ceil(margin), bottom = ceil(box.y1) + ceil(margin);

    return (TgFrame){ .width = (guint) CLAMP(right - left, 1, G_MAXINT),
                      .height = (guint) CLAMP(bottom - top, 1, G_MAXINT),
                      .origin_x = (gint) CLAMP(-left, -G_MAXINT, G_MAXINT),
                      .origin_y = (gint) CLAMP(-top, -G_MAXINT, G_MAXINT) };
}

/* Pixels for each sp. Layout is done at 12 pt and then scaled. */
static double px_per_sp(double size_pt, double dpi)
{
    return size_pt / 12 * dpi / 72.27 / TG_SP_PER_PT;
}

gboolean tg_renderer_set(TgRenderer *renderer, const TgTree *tree, const TgRenderOptions *options,
                         TgSetFormula *out, GError **error)
{
    const double scale = px_per_sp(options->size_pt, options->dpi);
    const TgItem *item =
        tg_layout_tree(renderer->layout, tree, options->text_style ? TG_TEXT : TG_DISPLAY, error);

    g_array_set_size(renderer->marks, 0);
    if (item == NULL || !tg_flatten(item, renderer->marks, error))
        return FALSE;
    g_array_set_size(renderer->inks, renderer->marks->len);
    *out = (TgSetFormula){ .marks = (const TgMark *) (const void *) renderer->marks->data,
                           .inks = (const TgRect *) (const void *) renderer->inks->data,
                           .n_marks = renderer->marks->len,
                           .dimensions = { item->width, item->height, item->depth },
                           .px_per_sp = scale };
    TgRect box = { 0, -(double) item->height * scale, (double) item->width * scale,
                   (double) item->depth * scale };
    for (guint i = 0; i < out->n_marks; i++) {
        const TgRect ink = tg_mark_ink(&out->marks[i], scale);
        g_array_index(renderer->inks, TgRect, i) = ink;
        tg_rect_join(&box, ink, TRUE);
    }
    out->frame = frame_around(box, options->margin_px);
    return TRUE;
}

/* A drawing of these marks, whose tokens are still empty. */
static TgDrawing *drawing_of_marks(TgFonts *fonts, const TgMark *marks, guint n_marks,
                                   guint n_tokens, TgFrame frame, double scale, double dpi)
{
    TgDrawing *drawing = g_new0(TgDrawing, 1);

    g_atomic_ref_count_init(&drawing->refs);
    drawing->fonts = tg_fonts_ref(fonts);
    drawing->frame = frame;
    drawing->px_per_sp = scale;
    drawing->dpi = dpi;
    drawing->n_marks = n_marks;
    drawing->marks =
        tg_arena_regrow(&drawing->arena, marks, n_marks * sizeof(TgMark), n_marks * sizeof(TgMark));
    drawing->n_tokens = n_tokens;
    drawing->tokens = tg_arena_zeros(&drawing->arena, n_tokens * sizeof *drawing->tokens);
    return drawing;
}

TgDrawing *tg_drawing_new_placed(TgFonts *fonts, const GArray *marks, const TgDrawnToken *tokens,
                                 guint n_tokens, TgFrame frame, double dpi)
{
    TgDrawing *drawing = drawing_of_marks(fonts, (const TgMark *) (const void *) marks->data,
                                          marks->len, n_tokens, frame, px_per_sp(12, dpi), dpi);

    for (guint i = 0; i < n_tokens; i++) {
        drawing->tokens[i] = tokens[i];
        drawing->tokens[i].name =
            tg_arena_text(&drawing->arena, tokens[i].name, strlen(tokens[i].name));
    }
    return drawing;
}

TgDrawing *tg_renderer_draw(TgRenderer *renderer, const char *tex, gsize len,
                            const TgRenderOptions *options, GError **error)
{
    TgRenderOptions how = TG_RENDER_OPTIONS_INIT;
    TgSetFormula set;

    g_return_val_if_fail(renderer != NULL && tex != NULL, NULL);
    if (options != NULL)
        TG_COPY_OPTIONS(how, options);

    const TgParseOptions parsing = { .strict = how.strict };
    g_autoptr(TgTree) tree =
        renderer_check_options(&how, error) ? tg_tree_parse(tex, len, &parsing, error) : NULL;
    if (tree == NULL || !tg_renderer_set(renderer, tree, &how, &set, error))
        return NULL;
    TgDrawing *drawing = drawing_of_marks(renderer->fonts, set.marks, set.n_marks, tree->n_tokens,
                                          set.frame, set.px_per_sp, how.dpi);
    drawing->dimensions = set.dimensions;
    for (guint i = 0; i < tree->n_tokens; i++) {
        const TgInkToken *from = &tree->tokens[i];
        TgDrawnToken *token = &drawing->tokens[i];

        token->start = from->start;
        token->end = from->end;
        token->flags = from->flags;
        token->name =
            tg_arena_text(&drawing->arena, tree->source + from->start, from->end - from->start);
    }
    drawing->faults = tg_tree_faults(tree, &drawing->arena, &drawing->n_faults);
    /* each token's box, in pixels of the picture */
    for (guint i = 0; i < drawing->n_marks; i++) {
        if (drawing->marks[i].token >= drawing->n_tokens)
            continue;
        TgDrawnToken *token = &drawing->tokens[drawing->marks[i].token];
        const TgFrame *frame = &drawing->frame;
        tg_rect_join(&token->box, tg_rect_moved(set.inks[i], frame->origin_x, frame->origin_y),
                     token->has_ink);
        token->has_ink = TRUE;
    }
    return drawing;
}

TgDrawing *tg_drawing_ref(TgDrawing *drawing)
{
    g_return_val_if_fail(drawing != NULL, NULL);
    g_atomic_ref_count_inc(&drawing->refs);
    return drawing;
}

void tg_drawing_unref(TgDrawing *drawing)
{
    if (drawing == NULL || !g_atomic_ref_count_dec(&drawing->refs))
        return;
    tg_arena_clear(&drawing->arena);
    tg_fonts_unref(drawing->fonts);
    g_free(drawing);
}

TgDimensions tg_drawing_dimensions(const TgDrawing *drawing)
{
    return drawing->dimensions;
}

TgFrame tg_drawing_frame(const TgDrawing *drawing)
{
    return drawing->frame;
}

const TgDrawnToken *tg_drawing_tokens(const TgDrawing *drawing, guint *n)
{
    *n = drawing->n_tokens;
    return drawing->tokens;
}

const TgFormulaFault *tg_drawing_faults(const TgDrawing *drawing, guint *n)
{
    *n = drawing->n_faults;
    return drawing->faults;
}
