/* Layout of a pair's picture from top to bottom. */
#include "render/pictures/pair_layout.h"

#include <math.h>

#include "render/paint/drawing.h"
#include "render/pictures/pair_cut.h"
#include "render/pictures/pair_labels.h"
#include "render/pictures/pair_lines.h"

/* Lengths in pixels at 200 dpi, sizes of text in points. */
#define BASE_DPI     200.0
#define MARGIN       24.0
#define LINE         32.0 /* of a caption, a note or the legend */
#define BASELINE     22.0 /* below the top of such a line */
#define TITLE_LINE   42.0
#define ABOVE        8.0   /* between a caption and the drawing */
#define GAP          40.0  /* between the drawings */
#define LINES_GAP    84.0  /* the same with lines between partners */
#define BEYOND       160.0 /* of ink beyond the edge of the page */
#define WIDE         420.0 /* narrower drawings are enlarged to it, at most twice */
#define SPACE        12.0  /* between texts of a line */
#define INDENT       34.0  /* of notes, for their labels */
#define MAX_TEXT     110   /* characters */
#define MAX_NOTES    24
#define TITLE_SIZE   9.0
#define CAPTION_SIZE 7.5
#define TEXT_RGB     0x222222u
#define QUIET_RGB    0x5F5F5Fu

/* ---- text ------------------------------------------------------------------------------------ */

typedef struct {
    const char *text;
    TgPlainFont font;
    double size;
    guint32 rgb;
} Style;

/* Add a text at (@x, @y); @x (inout) moves behind it. */
static gboolean add_text(TgPairLayout *layout, TgRenderer *renderer, Style style, double *x,
                         double y, GError **error)
{
    g_autofree char *text = tg_plain_text_shorten(style.text, MAX_TEXT);
    TgDrawing *drawing =
        tg_plain_text_draw(renderer, text, style.font, style.size, layout->dpi, error);

    if (drawing == NULL)
        return FALSE;
    const TgPairText placed = {
        drawing,    g_steal_pointer(&text),
        style.font, style.size * layout->dpi / 72.27,
        style.rgb,  *x,
        y,
    };
    const double end = *x + tg_drawing_frame(drawing).width;
    g_array_append_val(layout->texts, placed);
    layout->width = MAX(layout->width, end + MARGIN * layout->unit);
    *x = end + SPACE * layout->unit;
    return TRUE;
}

static gboolean add_title(TgPairLayout *layout, TgRenderer *renderer, double *y, GError **error)
{
    const TgPairPicture *picture = layout->picture;
    const double baseline = *y + 28 * layout->unit;
    double x = MARGIN * layout->unit;

    if (picture->title == NULL && picture->name == NULL)
        return TRUE;
    *y += TITLE_LINE * layout->unit;
    return (picture->title == NULL ||
            add_text(layout, renderer,
                     (Style){ picture->title, TG_PLAIN_BOLD, TITLE_SIZE, TEXT_RGB }, &x, baseline,
                     error)) &&
           (picture->name == NULL ||
            add_text(layout, renderer,
                     (Style){ picture->name, TG_PLAIN_ROMAN, CAPTION_SIZE, QUIET_RGB }, &x,
                     baseline, error));
}

static gboolean add_caption(TgPairLayout *layout, TgRenderer *renderer, TgPairSide side, double y,
                            GError **error)
{
    static const char *const names[] = { "truth", "prediction" };
    const char *text = layout->picture->sides[side].heading;
    g_autofree char *heading =
        g_strconcat(text != NULL ? text : "",
                    layout->sides[side].is_cut ? "; beyond the page's edge: grey" : "", NULL);
    double x = MARGIN * layout->unit;

    y += BASELINE * layout->unit;
    return add_text(layout, renderer,
                    (Style){ names[side], TG_PLAIN_BOLD, CAPTION_SIZE, QUIET_RGB }, &x, y, error) &&
           (*heading == '\0' ||
            add_text(layout, renderer, (Style){ heading, TG_PLAIN_ROMAN, CAPTION_SIZE, QUIET_RGB },
                     &x, y, error));
}

static gboolean add_note(TgPairLayout *layout, TgRenderer *renderer, const TgPairNote *note,
                         double *y, GError **error)
{
    const double baseline = *y + BASELINE * layout->unit;
    double x = MARGIN * layout->unit;

    *y += LINE * layout->unit;
    if (note->label != NULL && !add_text(layout, renderer,
                                         (Style){ note->label, TG_PLAIN_BOLD, CAPTION_SIZE,
                                                  tg_pair_tone_color(note->tone) },
                                         &x, baseline, error))
        return FALSE;
    x = MAX(x, (MARGIN + INDENT) * layout->unit);
    return add_text(layout, renderer, (Style){ note->text, TG_PLAIN_ROMAN, CAPTION_SIZE, TEXT_RGB },
                    &x, baseline, error);
}

static gboolean add_notes(TgPairLayout *layout, TgRenderer *renderer, double *y, GError **error)
{
    const GArray *notes = layout->picture->notes;
    const guint n = MIN(notes->len, (guint) MAX_NOTES);

    for (guint i = 0; i < n; i++)
        if (!add_note(layout, renderer, &g_array_index(notes, TgPairNote, i), y, error))
            return FALSE;
    if (n == notes->len)
        return TRUE;
    g_autofree char *more = g_strdup_printf("and %u more", notes->len - n);
    const TgPairNote last = { TG_TONE_FAINT, NULL, more };
    return add_note(layout, renderer, &last, y, error);
}

/* ---- drawings -------------------------------------------------------------------------------- */

static gboolean ink_of(const TgDrawing *drawing, TgRect *ink)
{
    if (!tg_locate_all(drawing->marks, drawing->n_marks, drawing->px_per_sp, ink))
        return FALSE;
    *ink = tg_rect_moved(*ink, drawing->frame.origin_x, drawing->frame.origin_y);
    return TRUE;
}

/* The shown area: the drawing's frame, and where ink lies beyond the page some of that ink too. */
static void choose_area(const TgPairLayout *layout, const TgPairPanel *side, TgPairPlace *out)
{
    const double beyond = BEYOND * layout->unit;
    const TgRect page = side->page;
    TgRect ink;

    *out = (TgPairPlace){ 0 };
    if (side->drawing == NULL)
        return;
    out->area = (TgRect){ 0, 0, side->drawing->frame.width, side->drawing->frame.height };
    if (!side->has_page || !ink_of(side->drawing, &ink))
        return;
    out->is_cut = ink.x0 < page.x0 - 1 || ink.x1 > page.x1 + 1 || ink.y0 < page.y0 - 1 ||
                  ink.y1 > page.y1 + 1;
    if (!out->is_cut)
        return;
    out->area.x0 = MIN(out->area.x0, MAX(ink.x0, page.x0 - beyond));
    out->area.y0 = MIN(out->area.y0, MAX(ink.y0, page.y0 - beyond));
    out->area.x1 = MAX(out->area.x1, MIN(ink.x1, page.x1 + beyond));
    out->area.y1 = MAX(out->area.y1, MIN(ink.y1, page.y1 + beyond));
}

/* Narrow drawings are enlarged, both alike. */
static void choose_zoom(TgPairLayout *layout)
{
    double width = 1;

    for (guint s = 0; s < TG_N_SIDES; s++)
        width = MAX(width, layout->sides[s].area.x1 - layout->sides[s].area.x0);
    for (guint s = 0; s < TG_N_SIDES; s++)
        layout->sides[s].zoom =
            layout->options->bare ? 1 : CLAMP(WIDE * layout->unit / width, 1, 2);
}

static void place_x(TgPairLayout *layout, TgPairSide side)
{
    TgPairPlace *self = &layout->sides[side];
    const double margin = MARGIN * layout->unit;

    self->x = margin - self->zoom * self->area.x0;
    layout->width = MAX(layout->width, self->zoom * (self->area.x1 - self->area.x0) + 2 * margin);
}

/* Place a side from @y (inout) on. */
static gboolean add_panel(TgPairLayout *layout, TgRenderer *renderer, TgPairSide side, double *y,
                          GError **error)
{
    TgPairPlace *self = &layout->sides[side];
    const double height = self->zoom * (self->area.y1 - self->area.y0);
    g_auto(TgPairLabels) labels = { 0 };

    place_x(layout, side);
    if (!tg_pair_labels_make(layout, renderer, side, &labels, error))
        return FALSE;
    const double top = *y + labels.height[TG_ROW_ABOVE];
    self->y = top - self->zoom * self->area.y0;
    tg_pair_labels_place(layout, &labels, side, top, top + height);
    *y = top + height + labels.height[TG_ROW_BELOW];
    return TRUE;
}

static TgRect box_of(const TgPairLayout *layout, TgPairSide side, guint mark)
{
    return tg_pair_place_box(
        &layout->sides[side],
        g_array_index(layout->picture->sides[side].marks, TgPairMark, mark).box);
}

/* From the bottom of each box of the truth to the top of its partner's. */
static void place_lines(TgPairLayout *layout)
{
    for (guint i = 0; i < layout->lines->len; i++) {
        TgPairLine *line = &g_array_index(layout->lines, TgPairLine, i);
        const TgRect a = box_of(layout, TG_SIDE_TRUTH, line->truth);
        const TgRect b = box_of(layout, TG_SIDE_PREDICTION, line->prediction);

        line->segment = (TgPairSegment){ (a.x0 + a.x1) / 2, a.y1, (b.x0 + b.x1) / 2, b.y0 };
    }
}

/* Texts that a line would run through, such as labels between the drawings. */
static void add_text_boxes(const TgPairLayout *layout, GArray *boxes)
{
    for (guint i = 0; i < layout->texts->len; i++) {
        const TgPairText *text = &g_array_index(layout->texts, TgPairText, i);
        const double width = tg_drawing_frame(text->drawing).width, space = 3 * layout->unit;
        const TgRect box = { text->x - space, text->y - text->size_px - space,
                             text->x + width + space, text->y + text->size_px / 4 + space };

        g_array_append_val(boxes, box);
    }
}

static void add_strokes(TgPairLayout *layout, TgPairStroke stroke, const GArray *boxes,
                        const TgRect *own, const TgRect *own_start)
{
    g_autoptr(GArray) seen = g_array_new(FALSE, FALSE, sizeof(TgPairSegment));

    tg_pair_cut(stroke.segment, layout->unit, boxes, own, own_start, seen);
    for (guint i = 0; i < seen->len; i++) {
        stroke.segment = g_array_index(seen, TgPairSegment, i);
        g_array_append_val(layout->strokes, stroke);
    }
}

/* Lines between partners, then leaders, which may cross these but no ink. */
static void cut_lines(TgPairLayout *layout)
{
    g_autoptr(GArray) boxes = g_array_new(FALSE, FALSE, sizeof(TgRect));

    for (guint s = 0; s < TG_N_SIDES; s++)
        tg_pair_cut_ink(layout, (TgPairSide) s, boxes);
    const guint n_ink = boxes->len;
    add_text_boxes(layout, boxes);
    for (guint i = 0; i < layout->lines->len; i++) {
        const TgPairLine *line = &g_array_index(layout->lines, TgPairLine, i);
        const TgRect start = box_of(layout, TG_SIDE_TRUTH, line->truth);
        const TgRect end = box_of(layout, TG_SIDE_PREDICTION, line->prediction);

        add_strokes(layout, (TgPairStroke){ line->segment, FALSE, line->tone }, boxes, &end,
                    &start);
    }
    g_array_set_size(boxes, n_ink);
    for (guint i = 0; i < layout->leaders->len; i++) {
        const TgPairLeader *leader = &g_array_index(layout->leaders, TgPairLeader, i);

        add_strokes(layout, (TgPairStroke){ leader->segment, TRUE, TG_TONE_FAINT }, boxes,
                    &leader->box, NULL);
    }
}

/* ---- legend ---------------------------------------------------------------------------------- */

static gboolean is_in_legend(const TgPairLayout *layout, TgTone tone)
{
    const TgPairMark mark = { .tone = tone };

    return layout->picture->tone_names[tone] != NULL &&
           tg_pair_mark_is_shown(&mark, layout->options) &&
           (tg_pair_picture_count(layout->picture, TG_SIDE_TRUTH, tone) > 0 ||
            tg_pair_picture_count(layout->picture, TG_SIDE_PREDICTION, tone) > 0);
}

static gboolean add_legend(TgPairLayout *layout, TgRenderer *renderer, double *y, GError **error)
{
    const double unit = layout->unit;
    double x = MARGIN * unit;
    gboolean any = FALSE;

    for (guint t = 0; t < TG_N_TONES; t++) {
        const TgPairSample sample = { { x, *y + 9 * unit, x + 22 * unit, *y + 23 * unit },
                                      (TgTone) t };

        if (!is_in_legend(layout, (TgTone) t))
            continue;
        any = TRUE;
        g_array_append_val(layout->samples, sample);
        x += 32 * unit;
        if (!add_text(
                layout, renderer,
                (Style){ layout->picture->tone_names[t], TG_PLAIN_ROMAN, CAPTION_SIZE, QUIET_RGB },
                &x, *y + BASELINE * unit, error))
            return FALSE;
        x += 14 * unit;
    }
    *y += any ? LINE * unit : 0;
    return TRUE;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static double dpi_of(const TgPairPicture *picture)
{
    for (guint s = 0; s < TG_N_SIDES; s++)
        if (picture->sides[s].drawing != NULL)
            return picture->sides[s].drawing->dpi;
    return BASE_DPI;
}

static gboolean lay_out_sides(TgPairLayout *layout, TgRenderer *renderer, double *y, GError **error)
{
    const gboolean bare = layout->options->bare;
    const double unit = layout->unit;

    if (!bare && !add_caption(layout, renderer, TG_SIDE_TRUTH, *y, error))
        return FALSE;
    *y += bare ? 0 : (LINE + ABOVE) * unit;
    if (!add_panel(layout, renderer, TG_SIDE_TRUTH, y, error))
        return FALSE;
    *y += (layout->lines->len > 0 ? LINES_GAP : GAP) * unit;
    if (!add_panel(layout, renderer, TG_SIDE_PREDICTION, y, error))
        return FALSE;
    place_lines(layout);
    cut_lines(layout);
    *y += bare ? 0 : ABOVE * unit;
    if (!bare && !add_caption(layout, renderer, TG_SIDE_PREDICTION, *y, error))
        return FALSE;
    *y += bare ? 0 : LINE * unit;
    return TRUE;
}

static gboolean lay_out_pair(TgPairLayout *layout, TgRenderer *renderer, GError **error)
{
    const gboolean bare = layout->options->bare;
    double y = MARGIN / 2 * layout->unit;

    choose_zoom(layout);
    if ((!bare && !add_title(layout, renderer, &y, error)) ||
        !lay_out_sides(layout, renderer, &y, error))
        return FALSE;
    if (!bare) {
        y += layout->picture->notes->len > 0 ? ABOVE * layout->unit : 0;
        if (!add_notes(layout, renderer, &y, error) || !add_legend(layout, renderer, &y, error))
            return FALSE;
    }
    layout->height = y + MARGIN / 2 * layout->unit;
    return TRUE;
}

static void pair_text_clear(gpointer data)
{
    TgPairText *text = data;

    tg_drawing_unref(text->drawing);
    g_free(text->text);
}

gboolean tg_pair_layout_init(TgPairLayout *layout, const TgPairPicture *picture,
                             TgRenderer *renderer, const TgPairPictureOptions *options,
                             GError **error)
{
    const double dpi = dpi_of(picture), unit = dpi / BASE_DPI;

    *layout = (TgPairLayout){
        .picture = picture,
        .options = options,
        .dpi = dpi,
        .unit = unit,
        .texts = g_array_new(FALSE, FALSE, sizeof(TgPairText)),
        .leaders = g_array_new(FALSE, FALSE, sizeof(TgPairLeader)),
        .strokes = g_array_new(FALSE, FALSE, sizeof(TgPairStroke)),
        .lines = tg_pair_lines_choose(picture, options, unit),
        .samples = g_array_new(FALSE, FALSE, sizeof(TgPairSample)),
    };
    g_array_set_clear_func(layout->texts, pair_text_clear);
    for (guint s = 0; s < TG_N_SIDES; s++)
        choose_area(layout, &picture->sides[s], &layout->sides[s]);
    return lay_out_pair(layout, renderer, error);
}

void tg_pair_layout_clear(TgPairLayout *layout)
{
    g_clear_pointer(&layout->texts, g_array_unref);
    g_clear_pointer(&layout->leaders, g_array_unref);
    g_clear_pointer(&layout->strokes, g_array_unref);
    g_clear_pointer(&layout->lines, g_array_unref);
    g_clear_pointer(&layout->samples, g_array_unref);
}
