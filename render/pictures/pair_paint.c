/* A pair's picture with Cairo: boxes, ink, lines between partners. */
#include <math.h>

#include "core/option_struct.h"
#include "render/paint/canvas.h"
#include "render/paint/paint.h"
#include "render/pictures/pair_layout.h"

#define MAX_PIXELS (1u << 25) /* 128 MiB */
#define TEXT_RGB   0x222222u
#define LEADER_RGB 0x9A9A9Au
#define BEYOND_RGB 0xBDBDBDu
#define EDGE_RGB   0x555555u

/* How a tone looks; lengths in pixels at 200 dpi. */
typedef struct {
    guint32 rgb;
    double width;
    double dashes[4];
    guint n_dashes;
    double fill; /* opacity inside */
    gboolean is_hatched;
    double line; /* opacity of the line to the partner */
} Look;

static const Look looks[TG_N_TONES] = {
    [TG_TONE_GOOD] = { 0x0B7F4F, 1.5, { 0 }, 0, 0.10, FALSE, 0.40 },
    [TG_TONE_BAD] = { 0xC92A0E, 2.2, { 7, 4 }, 2, 0.10, TRUE, 0.90 },
    [TG_TONE_MINOR] = { 0xA86B00, 2.0, { 2, 3 }, 2, 0.14, FALSE, 0.80 },
    [TG_TONE_STRUCTURE] = { 0x5B45C0, 2.0, { 8, 3, 2, 3 }, 4, 0.12, FALSE, 0.80 },
    [TG_TONE_FAINT] = { 0x8A8A8A, 1.0, { 0 }, 0, 0.04, FALSE, 0.35 },
};

/* ---- boxes ----------------------------------------------------------------------------------- */

static void set_stroke(cairo_t *cr, const Look *look, double unit, double opacity)
{
    double dashes[G_N_ELEMENTS(look->dashes)];

    for (guint i = 0; i < look->n_dashes; i++)
        dashes[i] = look->dashes[i] * unit;
    cairo_set_dash(cr, dashes, (int) look->n_dashes, 0);
    cairo_set_line_width(cr, look->width * unit);
    tg_set_color(cr, look->rgb, opacity);
}

static void add_rectangle(cairo_t *cr, TgRect box)
{
    cairo_rectangle(cr, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
}

/* Rising lines, ended at the box here and not by a clip: plain lines in every format. */
static void hatch_box(cairo_t *cr, TgRect box, double unit)
{
    const double step = 7 * unit, height = box.y1 - box.y0, width = box.x1 - box.x0;

    for (double t = step; t < width + height; t += step) { /* x - x0 = t - (y1 - y) ... */
        const double from_x = MAX(0, t - height), to_x = MIN(width, t);

        cairo_move_to(cr, box.x0 + from_x, box.y0 + (t - from_x));
        cairo_line_to(cr, box.x0 + to_x, box.y0 + (t - to_x));
    }
    cairo_set_dash(cr, NULL, 0, 0);
    cairo_set_line_width(cr, 0.8 * unit);
    cairo_stroke(cr);
}

static void fill_box(cairo_t *cr, TgRect box, TgTone tone, double unit)
{
    const Look *look = &looks[tone];

    tg_set_color(cr, look->rgb, look->fill);
    add_rectangle(cr, box);
    cairo_fill(cr);
    if (!look->is_hatched)
        return;
    tg_set_color(cr, look->rgb, 0.35);
    hatch_box(cr, box, unit);
}

static void outline_box(cairo_t *cr, TgRect box, TgTone tone, double unit)
{
    const double out =
        looks[tone].width / 2 * unit; /* the line goes around the box, not over ink */

    set_stroke(cr, &looks[tone], unit, 1);
    add_rectangle(cr, (TgRect){ box.x0 - out, box.y0 - out, box.x1 + out, box.y1 + out });
    cairo_stroke(cr);
}

static void for_each_box(cairo_t *cr, const TgPairPanel *side, double unit,
                         void (*paint)(cairo_t *cr, TgRect box, TgTone tone, double unit))
{
    for (guint i = 0; i < side->marks->len; i++) {
        const TgPairMark *mark = &g_array_index(side->marks, TgPairMark, i);

        paint(cr, mark->box, mark->tone, unit);
    }
}

/* ---- ink ------------------------------------------------------------------------------------- */

static guint32 color_plain(const TgMark *mark, gconstpointer data)
{
    (void) data;
    return mark->color;
}

static guint32 color_fixed(const TgMark *mark, gconstpointer data)
{
    (void) mark;
    return *(const guint32 *) data;
}

/* @data: the TgPairPanel */
static guint32 color_by_tone(const TgMark *mark, gconstpointer data)
{
    const TgPairPanel *side = data;
    const guint owner =
        mark->token < side->drawing->n_tokens ? side->owner[mark->token] : TG_NO_MARK;

    return owner != TG_NO_MARK ? looks[g_array_index(side->marks, TgPairMark, owner).tone].rgb
                               : TEXT_RGB;
}

static void paint_ink(cairo_t *cr, const TgPairPanel *side, gboolean tint)
{
    tg_paint_drawing(cr, side->drawing, tint ? color_by_tone : color_plain, side);
}

/* Ink on the page, and ink beyond its edge in grey. */
static void paint_cut_ink(cairo_t *cr, const TgPairPanel *side, TgRect area, gboolean tint,
                          double unit)
{
    static const guint32 grey = BEYOND_RGB;
    const double dashes[] = { 3 * unit, 3 * unit };

    cairo_save(cr);
    add_rectangle(cr, area);
    cairo_clip(cr);
    cairo_save(cr);
    cairo_set_fill_rule(cr, CAIRO_FILL_RULE_EVEN_ODD);
    add_rectangle(cr, area);
    add_rectangle(cr, side->page);
    cairo_clip(cr);
    cairo_set_fill_rule(cr, CAIRO_FILL_RULE_WINDING);
    tg_paint_drawing(cr, side->drawing, color_fixed, &grey);
    cairo_restore(cr);
    cairo_save(cr);
    add_rectangle(cr, side->page);
    cairo_clip(cr);
    paint_ink(cr, side, tint);
    cairo_restore(cr);
    cairo_set_dash(cr, dashes, 2, 0);
    cairo_set_line_width(cr, 2 * unit);
    tg_set_color(cr, EDGE_RGB, 1);
    add_rectangle(cr, side->page);
    cairo_stroke(cr);
    cairo_restore(cr);
}

static void paint_side(cairo_t *cr, const TgPairLayout *layout, TgPairSide which)
{
    const TgPairPanel *side = &layout->picture->sides[which];
    const TgPairPlace *place = &layout->sides[which];

    if (side->drawing == NULL)
        return;
    cairo_save(cr);
    cairo_translate(cr, place->x, place->y);
    for_each_box(cr, side, layout->unit, fill_box);
    if (place->is_cut)
        paint_cut_ink(cr, side, place->area, layout->options->tint, layout->unit);
    else
        paint_ink(cr, side, layout->options->tint);
    for_each_box(cr, side, layout->unit, outline_box);
    cairo_restore(cr);
}

/* ---- lines and text -------------------------------------------------------------------------- */

/* From the bottom of each box of the truth to the top of its partner's. */
static void paint_lines(cairo_t *cr, const TgPairLayout *layout)
{
    const GArray *truths = layout->picture->sides[TG_SIDE_TRUTH].marks;
    const GArray *predictions = layout->picture->sides[TG_SIDE_PREDICTION].marks;
    const TgPairPlace *above = &layout->sides[TG_SIDE_TRUTH];
    const TgPairPlace *below = &layout->sides[TG_SIDE_PREDICTION];

    for (guint i = 0; i < truths->len; i++) {
        const TgPairMark *a = &g_array_index(truths, TgPairMark, i);

        if (a->partner == TG_NO_MARK)
            continue;
        const TgPairMark *b = &g_array_index(predictions, TgPairMark, a->partner);
        set_stroke(cr, &looks[a->tone], layout->unit * 0.8, looks[a->tone].line);
        cairo_move_to(cr, (a->box.x0 + a->box.x1) / 2 + above->x, a->box.y1 + above->y);
        cairo_line_to(cr, (b->box.x0 + b->box.x1) / 2 + below->x, b->box.y0 + below->y);
        cairo_stroke(cr);
    }
}

static void paint_leaders(cairo_t *cr, const TgPairLayout *layout)
{
    cairo_set_dash(cr, NULL, 0, 0);
    cairo_set_line_width(cr, 0.8 * layout->unit);
    tg_set_color(cr, LEADER_RGB, 0.6);
    for (guint i = 0; i < layout->leaders->len; i++) {
        const TgPairLeader *leader = &g_array_index(layout->leaders, TgPairLeader, i);

        cairo_move_to(cr, leader->x0, leader->y0);
        cairo_line_to(cr, leader->x1, leader->y1);
        cairo_stroke(cr);
    }
}

static void paint_texts(cairo_t *cr, const TgPairLayout *layout)
{
    static const guint32 color = TEXT_RGB;

    for (guint i = 0; i < layout->texts->len; i++) {
        const TgPairText *text = &g_array_index(layout->texts, TgPairText, i);

        cairo_save(cr);
        cairo_translate(cr, text->x - text->drawing->frame.origin_x,
                        text->y - text->drawing->frame.origin_y);
        tg_paint_drawing(cr, text->drawing, color_fixed, &color);
        cairo_restore(cr);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

typedef struct {
    const TgPairLayout *layout;
    double scale;
} Job;

static void paint_pair(cairo_t *cr, gconstpointer data)
{
    const Job *job = data;
    const TgPairLayout *layout = job->layout;

    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_scale(cr, job->scale, job->scale);
    for (guint s = 0; s < TG_N_SIDES; s++)
        paint_side(cr, layout, s);
    if (!layout->options->hide_lines)
        paint_lines(cr, layout);
    paint_leaders(cr, layout);
    paint_texts(cr, layout);
    for (guint i = 0; i < layout->samples->len; i++) {
        const TgPairSample *sample = &g_array_index(layout->samples, TgPairSample, i);

        fill_box(cr, sample->box, sample->tone, layout->unit);
        outline_box(cr, sample->box, sample->tone, layout->unit);
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
    const Job job = { &layout, fitting_scale(&layout, how.scale, format == TG_FORMAT_PNG) };
    const TgCanvas canvas = { (guint) ceil(layout.width * job.scale),
                              (guint) ceil(layout.height * job.scale), layout.dpi };
    return tg_canvas_encode(&canvas, format, paint_pair, &job, error);
}
