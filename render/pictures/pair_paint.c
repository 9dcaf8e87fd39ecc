/* Painting of a pair's picture: boxes, ink, lines between partners, text. */
#include <math.h>

#include "core/option_struct.h"
#include "render/pictures/pair_brush.h"
#include "render/pictures/pair_layout.h"

#define MAX_PIXELS (1u << 25) /* 128 MiB */
#define LEADER_RGB 0x9A9A9Au
#define BEYOND_RGB 0xBDBDBDu
#define EDGE_RGB   0x555555u

/* How a tone looks beside its colour; lengths in pixels at 200 dpi. */
typedef struct {
    double width;
    double dashes[4];
    guint n_dashes;
    double fill; /* opacity inside */
    double line; /* opacity of the line to the partner */
} Look;

static const Look looks[TG_N_TONES] = {
    [TG_TONE_GOOD] = { 1.2, { 0 }, 0, 0.06, 0.55 },
    [TG_TONE_BAD] = { 2.4, { 0 }, 0, 0.14, 0.90 },
    [TG_TONE_MINOR] = { 2.2, { 2, 3 }, 2, 0.14, 0.80 },
    [TG_TONE_STRUCTURE] = { 2.2, { 8, 3, 2, 3 }, 4, 0.12, 0.80 },
    [TG_TONE_FAINT] = { 1.0, { 0 }, 0, 0.04, 0.35 },
};

/* ---- boxes ----------------------------------------------------------------------------------- */

static void frame_box(TgPairBrush *brush, TgRect box, TgTone tone, double unit)
{
    const Look *look = &looks[tone];
    const double out = (look->width / 2 + 1) * unit; /* the line goes around the ink */
    double dashes[G_N_ELEMENTS(look->dashes)];

    for (guint i = 0; i < look->n_dashes; i++)
        dashes[i] = look->dashes[i] * unit;
    brush->frame(
        brush, (TgRect){ box.x0 - out, box.y0 - out, box.x1 + out, box.y1 + out },
        &(TgPairPen){ tg_pair_tone_color(tone), 1, look->width * unit, dashes, look->n_dashes });
}

static void fill_box(TgPairBrush *brush, TgRect box, TgTone tone, double unit)
{
    (void) unit;
    brush->fill(brush, box, tg_pair_tone_color(tone), looks[tone].fill);
}

static void for_each_box(TgPairBrush *brush, const TgPairLayout *layout, TgPairSide side,
                         void (*paint)(TgPairBrush *brush, TgRect box, TgTone tone, double unit))
{
    const GArray *marks = layout->picture->sides[side].marks;

    for (guint i = 0; i < marks->len; i++) {
        const TgPairMark *mark = &g_array_index(marks, TgPairMark, i);

        if (tg_pair_mark_is_shown(mark, layout->options))
            paint(brush, tg_pair_place_box(&layout->sides[side], mark->box), mark->tone,
                  layout->unit);
    }
}

/* ---- ink ------------------------------------------------------------------------------------- */

/* What colours the ink of a side. */
typedef struct {
    const TgPairPanel *side;
    gboolean tint;
} Tint;

/* What is wrong has the colour of its tone; on request all that has a mark. */
static guint32 color_by_tone(const TgMark *mark, gconstpointer data)
{
    const Tint *tint = data;
    const TgPairPanel *side = tint->side;
    const guint owner =
        mark->token < side->drawing->n_tokens ? side->owner[mark->token] : TG_NO_MARK;

    if (owner == TG_NO_MARK)
        return mark->color;
    const TgTone tone = g_array_index(side->marks, TgPairMark, owner).tone;
    return tint->tint || (tone != TG_TONE_GOOD && tone != TG_TONE_FAINT) ? tg_pair_tone_color(tone)
                                                                         : mark->color;
}

static guint32 color_grey(const TgMark *mark, gconstpointer data)
{
    (void) mark;
    (void) data;
    return BEYOND_RGB;
}

/* Ink on the page over the same in grey, which is seen beyond its edge. */
static void paint_ink(TgPairBrush *brush, const TgPairLayout *layout, TgPairSide which)
{
    const TgPairPanel *side = &layout->picture->sides[which];
    const TgPairPlace *place = &layout->sides[which];
    const Tint tint = { side, layout->options->tint };
    const double dashes[] = { 3 * layout->unit, 3 * layout->unit };
    TgPairInk ink = { side->drawing, place->x, place->y, place->zoom, NULL, color_by_tone, &tint };

    if (!place->is_cut) {
        brush->ink(brush, &ink);
        return;
    }
    ink.color = color_grey;
    ink.clip = &place->area;
    brush->ink(brush, &ink);
    ink.color = color_by_tone;
    ink.clip = &side->page;
    brush->ink(brush, &ink);
    const TgRect page = { MAX(side->page.x0, place->area.x0), MAX(side->page.y0, place->area.y0),
                          MIN(side->page.x1, place->area.x1), MIN(side->page.y1, place->area.y1) };
    brush->frame(brush, tg_pair_place_box(place, page),
                 &(TgPairPen){ EDGE_RGB, 1, 2 * layout->unit, dashes, 2 });
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void paint_lines(TgPairBrush *brush, const TgPairLayout *layout)
{
    for (guint i = 0; i < layout->strokes->len; i++) {
        const TgPairStroke *stroke = &g_array_index(layout->strokes, TgPairStroke, i);
        const TgPairPen line = { tg_pair_tone_color(stroke->tone), looks[stroke->tone].line,
                                 1.4 * layout->unit, NULL, 0 };
        const TgPairPen leader = { LEADER_RGB, 1, 0.8 * layout->unit, NULL, 0 };

        brush->line(brush, stroke->segment, stroke->is_leader ? &leader : &line);
    }
}

static void paint_pair(TgPairBrush *brush, gconstpointer data)
{
    const TgPairLayout *layout = data;

    for (guint s = 0; s < TG_N_SIDES; s++) {
        if (layout->picture->sides[s].drawing == NULL)
            continue;
        for_each_box(brush, layout, (TgPairSide) s, fill_box);
        paint_ink(brush, layout, (TgPairSide) s);
        for_each_box(brush, layout, (TgPairSide) s, frame_box);
    }
    paint_lines(brush, layout);
    for (guint i = 0; i < layout->texts->len; i++)
        brush->text(brush, &g_array_index(layout->texts, TgPairText, i));
    for (guint i = 0; i < layout->samples->len; i++) {
        const TgPairSample *sample = &g_array_index(layout->samples, TgPairSample, i);

        fill_box(brush, sample->box, sample->tone, layout->unit);
        frame_box(brush, sample->box, sample->tone, layout->unit);
    }
}

/* @scale, or less where the picture would be too large. */
static double fitting_scale(const TgPairLayout *layout, double scale, gboolean pixels)
{
    const double most = TG_CANVAS_MAX_SIDE - 1;

    scale = MIN(scale, MIN(most / layout->width, most / layout->height));
    if (pixels)
        scale = MIN(scale, sqrt(MAX_PIXELS / (layout->width * layout->height)));
    return scale;
}

GBytes *tg_pair_picture_encode(const TgPairPicture *picture, TgRenderer *renderer,
                               TgPictureFormat format, const TgPairPictureOptions *options,
                               GError **error)
{
    TgPairPictureOptions how = TG_PAIR_PICTURE_OPTIONS_INIT;
    g_auto(TgPairLayout) layout = { 0 };

    g_return_val_if_fail(picture != NULL && renderer != NULL, NULL);
    if (options != NULL)
        TG_COPY_OPTIONS(how, options);
    if (!(how.scale >= 0.05 && how.scale <= 20)) {
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE, "the scale must be 0.05 to 20");
        return NULL;
    }
    if (!tg_pair_layout_init(&layout, picture, renderer, &how, error))
        return NULL;
    const double scale = fitting_scale(&layout, how.scale, format == TG_FORMAT_PNG);
    const TgCanvas canvas = { (guint) ceil(layout.width * scale),
                              (guint) ceil(layout.height * scale), layout.dpi };
    if (format == TG_FORMAT_SVG)
        return tg_pair_brush_svg(&canvas, scale, paint_pair, &layout);
    return tg_pair_brush_cairo(&canvas, scale, format, paint_pair, &layout, error);
}
