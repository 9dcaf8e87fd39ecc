/* Layout of a pair's picture from top to bottom. */
#include "render/pictures/pair_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/paint/drawing.h"
#include "render/pictures/plain_text.h"

/* Lengths in pixels at 200 dpi, sizes of text in points. */
#define BASE_DPI     200.0
#define MARGIN       28.0
#define LINE         40.0  /* of a heading or the legend */
#define BASELINE     27.0  /* below the top of such a line */
#define GAP          72.0  /* between the drawings, for the lines between partners */
#define BEYOND       160.0 /* of ink beyond the edge of the page */
#define LABEL_LINE   21.0
#define LABEL_SPACE  8.0
#define LEADER       16.0 /* between the labels and the drawing */
#define MAX_LEVELS   10
#define MAX_LABEL    32 /* characters */
#define MAX_HEADING  160
#define HEADING_SIZE 9.5
#define LEGEND_SIZE  8.5
#define LABEL_SIZE   6.0

/* ---- text ------------------------------------------------------------------------------------ */

static double text_width(const TgDrawing *text)
{
    return tg_drawing_frame(text).width;
}

/* Add a text at (@x, @y); @width (out): how wide it is. */
static gboolean add_text(TgPairLayout *layout, TgRenderer *renderer, const char *text,
                         TgPlainFont font, double size, double x, double y, double *width,
                         GError **error)
{
    TgDrawing *drawing = tg_plain_text_draw(renderer, text, font, size, layout->dpi, error);

    if (drawing == NULL)
        return FALSE;
    const TgPairText placed = { drawing, x, y };
    g_array_append_val(layout->texts, placed);
    *width = text_width(drawing);
    layout->width = MAX(layout->width, x + *width + MARGIN * layout->unit);
    return TRUE;
}

static gboolean add_heading(TgPairLayout *layout, TgRenderer *renderer, TgPairSide side, double y,
                            GError **error)
{
    static const char *const names[] = { "truth", "prediction" };
    const char *text = layout->picture->sides[side].heading;
    g_autofree char *said = tg_plain_text_shorten(text != NULL ? text : "", MAX_HEADING);
    g_autofree char *heading =
        g_strconcat(said, layout->sides[side].is_cut ? "; beyond the page's edge: grey" : "", NULL);
    const double x = MARGIN * layout->unit;
    double width;

    y += BASELINE * layout->unit;
    if (!add_text(layout, renderer, names[side], TG_PLAIN_BOLD, HEADING_SIZE, x, y, &width, error))
        return FALSE;
    return *heading == '\0' || add_text(layout, renderer, heading, TG_PLAIN_ROMAN, HEADING_SIZE,
                                        x + width + 18 * layout->unit, y, &width, error);
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* A label above or below its box. */
typedef struct {
    const TgPairMark *mark;
    TgDrawing *text;
    double middle; /* of the box, on the layout */
} Label;

static void label_clear(gpointer data)
{
    tg_drawing_unref(((Label *) data)->text);
}

static gint compare_labels(gconstpointer a, gconstpointer b)
{
    const Label *x = a, *y = b;

    return x->middle != y->middle ? (x->middle > y->middle) - (x->middle < y->middle)
                                  : (x->mark > y->mark) - (x->mark < y->mark);
}

static gboolean is_shown(const TgPairMark *mark, TgLabels labels)
{
    if (mark->label == NULL || labels == TG_LABELS_NONE)
        return FALSE;
    return labels == TG_LABELS_ALL || (mark->tone != TG_TONE_GOOD && mark->tone != TG_TONE_FAINT);
}

/* The labels of a side from left to right; (transfer full), NULL with @error */
static GArray *list_labels(const TgPairLayout *layout, TgRenderer *renderer, TgPairSide side,
                           GError **error)
{
    const GArray *marks = layout->picture->sides[side].marks;
    g_autoptr(GArray) labels = g_array_new(FALSE, FALSE, sizeof(Label));

    g_array_set_clear_func(labels, label_clear);
    for (guint i = 0; i < marks->len; i++) {
        const TgPairMark *mark = &g_array_index(marks, TgPairMark, i);

        if (!is_shown(mark, layout->options->labels))
            continue;
        g_autofree char *text = tg_plain_text_shorten(mark->label, MAX_LABEL);
        const double middle = (mark->box.x0 + mark->box.x1) / 2 + layout->sides[side].x;
        const Label label = {
            mark, tg_plain_text_draw(renderer, text, TG_PLAIN_MONO, LABEL_SIZE, layout->dpi, error),
            middle
        };
        if (label.text == NULL)
            return NULL;
        g_array_append_val(labels, label);
    }
    g_array_sort(labels, compare_labels);
    return g_steal_pointer(&labels);
}

/* Give each label the level nearest to the drawing where it does not touch the one before;
 * returns how many levels there are. */
static guint choose_levels(const TgPairLayout *layout, const GArray *labels, guint *level,
                           double *left)
{
    double end[MAX_LEVELS];
    guint n = 0;

    for (guint i = 0; i < labels->len; i++) {
        const Label *label = &g_array_index(labels, Label, i);
        const double width = text_width(label->text);
        guint best = 0;

        left[i] = MAX(label->middle - width / 2, MARGIN * layout->unit / 2);
        while (best < n && end[best] > left[i])
            best++;
        if (best == MAX_LEVELS) {
            best = 0;
            for (guint k = 1; k < MAX_LEVELS; k++)
                if (end[k] < end[best])
                    best = k;
        }
        n = MAX(n, best + 1);
        level[i] = best;
        end[best] = left[i] + width + LABEL_SPACE * layout->unit;
    }
    return n;
}

/* The labels of a side in rows: the truth's grow upwards from its drawing, the prediction's
 * downwards. */
typedef struct {
    GArray *labels;
    guint *level;
    double *left;
    guint n_levels;
} LabelRows;

static void label_rows_clear(LabelRows *rows)
{
    g_clear_pointer(&rows->labels, g_array_unref);
    g_clear_pointer(&rows->level, g_free);
    g_clear_pointer(&rows->left, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LabelRows, label_rows_clear)

static gboolean label_rows_make(const TgPairLayout *layout, TgRenderer *renderer, TgPairSide side,
                                LabelRows *rows, GError **error)
{
    rows->labels = list_labels(layout, renderer, side, error);
    if (rows->labels == NULL)
        return FALSE;
    rows->level = g_new(guint, rows->labels->len);
    rows->left = g_new(double, rows->labels->len);
    rows->n_levels = choose_levels(layout, rows->labels, rows->level, rows->left);
    return TRUE;
}

static double label_rows_height(const TgPairLayout *layout, const LabelRows *rows)
{
    return rows->n_levels > 0 ? (LABEL_LINE * rows->n_levels + LEADER) * layout->unit : 0;
}

/* @near: the edge of the drawing next to which the labels stand */
static void add_label_rows(TgPairLayout *layout, const LabelRows *rows, TgPairSide side,
                           double near)
{
    const double unit = layout->unit, away = side == TG_SIDE_TRUTH ? -1 : 1;

    for (guint i = 0; i < rows->labels->len; i++) {
        const Label *label = &g_array_index(rows->labels, Label, i);
        const double middle_of_line =
            near + away * (LEADER + LABEL_LINE * (rows->level[i] + 0.5)) * unit;
        const double box_edge = side == TG_SIDE_TRUTH ? label->mark->box.y0 : label->mark->box.y1;
        const TgPairText text = { tg_drawing_ref(label->text), rows->left[i],
                                  middle_of_line + 5 * unit };
        const TgPairLeader leader = { label->middle, middle_of_line - away * LABEL_LINE / 2 * unit,
                                      label->middle, box_edge + layout->sides[side].y };

        g_array_append_val(layout->texts, text);
        g_array_append_val(layout->leaders, leader);
        layout->width =
            MAX(layout->width, rows->left[i] + text_width(label->text) + MARGIN / 2 * unit);
    }
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

static double place_x(TgPairLayout *layout, TgPairSide side)
{
    TgPairPlace *self = &layout->sides[side];
    const double margin = MARGIN * layout->unit;

    self->x = margin - self->area.x0;
    layout->width = MAX(layout->width, self->area.x1 - self->area.x0 + 2 * margin);
    return self->x;
}

/* Place a side from @y (inout) on. */
static gboolean add_panel(TgPairLayout *layout, TgRenderer *renderer, TgPairSide side, double *y,
                          GError **error)
{
    TgPairPlace *self = &layout->sides[side];
    const double height = self->area.y1 - self->area.y0;
    g_auto(LabelRows) rows = { 0 };

    place_x(layout, side);
    if (!label_rows_make(layout, renderer, side, &rows, error))
        return FALSE;
    const double top = *y + (side == TG_SIDE_TRUTH ? label_rows_height(layout, &rows) : 0);
    self->y = top - self->area.y0;
    add_label_rows(layout, &rows, side, side == TG_SIDE_TRUTH ? top : top + height);
    *y += height + label_rows_height(layout, &rows);
    return TRUE;
}

/* ---- legend ---------------------------------------------------------------------------------- */

static gboolean add_legend(TgPairLayout *layout, TgRenderer *renderer, double *y, GError **error)
{
    const double unit = layout->unit;
    double x = MARGIN * unit, width;
    gboolean any = FALSE;

    for (guint t = 0; t < TG_N_TONES; t++) {
        const char *name = layout->picture->tone_names[t];
        const TgPairSample sample = { { x, *y + 9 * unit, x + 30 * unit, *y + 29 * unit },
                                      (TgTone) t };

        if (name == NULL || (tg_pair_picture_count(layout->picture, TG_SIDE_TRUTH, t) == 0 &&
                             tg_pair_picture_count(layout->picture, TG_SIDE_PREDICTION, t) == 0))
            continue;
        any = TRUE;
        g_array_append_val(layout->samples, sample);
        if (!add_text(layout, renderer, name, TG_PLAIN_ROMAN, LEGEND_SIZE, x + 40 * unit,
                      *y + BASELINE * unit, &width, error))
            return FALSE;
        x += width + 70 * unit;
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

static gboolean lay_out_pair(TgPairLayout *layout, TgRenderer *renderer, GError **error)
{
    const gboolean bare = layout->options->bare;
    const double line = bare ? 0 : LINE * layout->unit;
    double y = MARGIN * layout->unit / 2;

    if (!bare && !add_heading(layout, renderer, TG_SIDE_TRUTH, y, error))
        return FALSE;
    y += line;
    if (!add_panel(layout, renderer, TG_SIDE_TRUTH, &y, error))
        return FALSE;
    y += GAP * layout->unit;
    if (!add_panel(layout, renderer, TG_SIDE_PREDICTION, &y, error) ||
        (!bare && !add_heading(layout, renderer, TG_SIDE_PREDICTION, y, error)))
        return FALSE;
    y += line;
    if (!bare && !add_legend(layout, renderer, &y, error))
        return FALSE;
    layout->height = y + MARGIN * layout->unit / 2;
    return TRUE;
}

static void pair_text_clear(gpointer data)
{
    tg_drawing_unref(((TgPairText *) data)->drawing);
}

gboolean tg_pair_layout_init(TgPairLayout *layout, const TgPairPicture *picture,
                             TgRenderer *renderer, const TgPairPictureOptions *options,
                             GError **error)
{
    *layout = (TgPairLayout){
        .picture = picture,
        .options = options,
        .dpi = dpi_of(picture),
        .texts = g_array_new(FALSE, FALSE, sizeof(TgPairText)),
        .leaders = g_array_new(FALSE, FALSE, sizeof(TgPairLeader)),
        .samples = g_array_new(FALSE, FALSE, sizeof(TgPairSample)),
    };
    g_array_set_clear_func(layout->texts, pair_text_clear);
    layout->unit = layout->dpi / BASE_DPI;
    for (guint s = 0; s < TG_N_SIDES; s++)
        choose_area(layout, &picture->sides[s], &layout->sides[s]);
    return lay_out_pair(layout, renderer, error);
}

void tg_pair_layout_clear(TgPairLayout *layout)
{
    g_clear_pointer(&layout->texts, g_array_unref);
    g_clear_pointer(&layout->leaders, g_array_unref);
    g_clear_pointer(&layout->samples, g_array_unref);
}
