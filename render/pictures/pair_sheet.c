/* Layout of a pair's picture from top to bottom. */
#include "render/pictures/pair_sheet.h"

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
#define BEYOND       160.0 /* of what lies behind the edge of the page */
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
    return tg_drawing_picture(text).width;
}

/* A token may be a whole paragraph. (transfer full) */
static char *shorten(const char *text, glong most)
{
    if (g_utf8_strlen(text, -1) <= most)
        return g_strdup(text);
    g_autofree char *start = g_utf8_substring(text, 0, most);
    return g_strconcat(start, "...", NULL);
}

/* Where a text is added to the sheet, and the width that it takes. */
static gboolean put_text(TgPairSheet *sheet, TgRenderer *renderer, const char *text,
                         TgPlainFont font, double size, double x, double y, double *width,
                         GError **error)
{
    TgDrawing *drawing = tg_plain_text_draw(renderer, text, font, size, sheet->dpi, error);

    if (drawing == NULL)
        return FALSE;
    const TgSheetText placed = { drawing, x, y };
    g_array_append_val(sheet->texts, placed);
    *width = text_width(drawing);
    sheet->width = MAX(sheet->width, x + *width + MARGIN * sheet->unit);
    return TRUE;
}

static gboolean put_heading(TgPairSheet *sheet, TgRenderer *renderer, TgPairSide side, double y,
                            GError **error)
{
    static const char *const names[] = { "truth", "prediction" };
    const char *text = sheet->picture->sides[side].heading;
    g_autofree char *said = shorten(text != NULL ? text : "", MAX_HEADING);
    g_autofree char *heading =
        g_strconcat(said, sheet->sides[side].is_cut ? "; beyond the page's edge: grey" : "", NULL);
    const double x = MARGIN * sheet->unit;
    double width;

    y += BASELINE * sheet->unit;
    if (!put_text(sheet, renderer, names[side], TG_PLAIN_BOLD, HEADING_SIZE, x, y, &width, error))
        return FALSE;
    return *heading == '\0' || put_text(sheet, renderer, heading, TG_PLAIN_ROMAN, HEADING_SIZE,
                                        x + width + 18 * sheet->unit, y, &width, error);
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* A label above or below its box. */
typedef struct {
    const TgPictureMark *mark;
    TgDrawing *text;
    double middle; /* of the box, on the sheet */
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

static gboolean is_shown(const TgPictureMark *mark, TgLabels labels)
{
    if (mark->label == NULL || labels == TG_LABELS_NONE)
        return FALSE;
    return labels == TG_LABELS_ALL || (mark->tone != TG_TONE_GOOD && mark->tone != TG_TONE_FAINT);
}

/* The labels of a side from left to right; (transfer full), NULL with @error */
static GArray *list_labels(const TgPairSheet *sheet, TgRenderer *renderer, TgPairSide side,
                           GError **error)
{
    const GArray *marks = sheet->picture->sides[side].marks;
    g_autoptr(GArray) labels = g_array_new(FALSE, FALSE, sizeof(Label));

    g_array_set_clear_func(labels, label_clear);
    for (guint i = 0; i < marks->len; i++) {
        const TgPictureMark *mark = &g_array_index(marks, TgPictureMark, i);

        if (!is_shown(mark, sheet->options->labels))
            continue;
        g_autofree char *text = shorten(mark->label, MAX_LABEL);
        const double middle = (mark->box.x0 + mark->box.x1) / 2 + sheet->sides[side].x;
        const Label label = {
            mark, tg_plain_text_draw(renderer, text, TG_PLAIN_MONO, LABEL_SIZE, sheet->dpi, error),
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
static guint choose_levels(const TgPairSheet *sheet, const GArray *labels, guint *level,
                           double *left)
{
    double end[MAX_LEVELS];
    guint n = 0;

    for (guint i = 0; i < labels->len; i++) {
        const Label *label = &g_array_index(labels, Label, i);
        const double width = text_width(label->text);
        guint best = 0;

        left[i] = MAX(label->middle - width / 2, MARGIN * sheet->unit / 2);
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
        end[best] = left[i] + width + LABEL_SPACE * sheet->unit;
    }
    return n;
}

/* The labels of a side in rows; returns by @height what they take, once where they begin is known:
 * the truth's rows grow upwards from its drawing, the prediction's downwards. */
typedef struct {
    GArray *labels;
    guint *level;
    double *left;
    guint n_levels;
} Rows;

static void rows_clear(Rows *rows)
{
    g_clear_pointer(&rows->labels, g_array_unref);
    g_clear_pointer(&rows->level, g_free);
    g_clear_pointer(&rows->left, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Rows, rows_clear)

static gboolean make_rows(const TgPairSheet *sheet, TgRenderer *renderer, TgPairSide side,
                          Rows *rows, GError **error)
{
    rows->labels = list_labels(sheet, renderer, side, error);
    if (rows->labels == NULL)
        return FALSE;
    rows->level = g_new(guint, rows->labels->len);
    rows->left = g_new(double, rows->labels->len);
    rows->n_levels = choose_levels(sheet, rows->labels, rows->level, rows->left);
    return TRUE;
}

static double rows_height(const TgPairSheet *sheet, const Rows *rows)
{
    return rows->n_levels > 0 ? (LABEL_LINE * rows->n_levels + LEADER) * sheet->unit : 0;
}

/* @near: the edge of the drawing next to which the labels stand */
static void put_rows(TgPairSheet *sheet, const Rows *rows, TgPairSide side, double near)
{
    const double unit = sheet->unit, away = side == TG_SIDE_TRUTH ? -1 : 1;

    for (guint i = 0; i < rows->labels->len; i++) {
        const Label *label = &g_array_index(rows->labels, Label, i);
        const double middle_of_line =
            near + away * (LEADER + LABEL_LINE * (rows->level[i] + 0.5)) * unit;
        const double box_edge = side == TG_SIDE_TRUTH ? label->mark->box.y0 : label->mark->box.y1;
        const TgSheetText text = { tg_drawing_ref(label->text), rows->left[i],
                                   middle_of_line + 5 * unit };
        const TgSheetLeader leader = { label->middle, middle_of_line - away * LABEL_LINE / 2 * unit,
                                       label->middle, box_edge + sheet->sides[side].y };

        g_array_append_val(sheet->texts, text);
        g_array_append_val(sheet->leaders, leader);
        sheet->width =
            MAX(sheet->width, rows->left[i] + text_width(label->text) + MARGIN / 2 * unit);
    }
}

/* ---- drawings -------------------------------------------------------------------------------- */

static gboolean ink_of(const TgDrawing *drawing, TgInkBox *ink)
{
    if (!tg_locate_all(drawing->marks, drawing->n_marks, drawing->px_per_sp, ink))
        return FALSE;
    ink->x0 += drawing->picture.origin_x;
    ink->x1 += drawing->picture.origin_x;
    ink->y0 += drawing->picture.origin_y;
    ink->y1 += drawing->picture.origin_y;
    return TRUE;
}

/* The drawing's picture, and where ink lies beyond the page a part of that. */
static void choose_area(const TgPairSheet *sheet, const TgPictureSide *side, TgSheetSide *out)
{
    const double beyond = BEYOND * sheet->unit;
    const TgPictureBox page = side->page;
    TgInkBox ink;

    *out = (TgSheetSide){ 0 };
    if (side->drawing == NULL)
        return;
    out->area = (TgPictureBox){ 0, 0, side->drawing->picture.width, side->drawing->picture.height };
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

static double place_x(TgPairSheet *sheet, TgPairSide side)
{
    TgSheetSide *self = &sheet->sides[side];
    const double margin = MARGIN * sheet->unit;

    self->x = margin - self->area.x0;
    sheet->width = MAX(sheet->width, self->area.x1 - self->area.x0 + 2 * margin);
    return self->x;
}

/* The truth from @y on; returns where it ends. */
static gboolean put_side(TgPairSheet *sheet, TgRenderer *renderer, TgPairSide side, double *y,
                         GError **error)
{
    TgSheetSide *self = &sheet->sides[side];
    const double height = self->area.y1 - self->area.y0;
    g_auto(Rows) rows = { 0 };

    place_x(sheet, side);
    if (!make_rows(sheet, renderer, side, &rows, error))
        return FALSE;
    const double top = *y + (side == TG_SIDE_TRUTH ? rows_height(sheet, &rows) : 0);
    self->y = top - self->area.y0;
    put_rows(sheet, &rows, side, side == TG_SIDE_TRUTH ? top : top + height);
    *y += height + rows_height(sheet, &rows);
    return TRUE;
}

/* ---- legend ---------------------------------------------------------------------------------- */

static gboolean put_legend(TgPairSheet *sheet, TgRenderer *renderer, double *y, GError **error)
{
    const double unit = sheet->unit;
    double x = MARGIN * unit, width;
    gboolean any = FALSE;

    for (guint t = 0; t < TG_N_TONES; t++) {
        const char *name = sheet->picture->tone_names[t];
        const TgSheetSample sample = { { x, *y + 9 * unit, x + 30 * unit, *y + 29 * unit },
                                       (TgTone) t };

        if (name == NULL || (tg_pair_picture_count(sheet->picture, TG_SIDE_TRUTH, t) == 0 &&
                             tg_pair_picture_count(sheet->picture, TG_SIDE_PREDICTION, t) == 0))
            continue;
        any = TRUE;
        g_array_append_val(sheet->samples, sample);
        if (!put_text(sheet, renderer, name, TG_PLAIN_ROMAN, LEGEND_SIZE, x + 40 * unit,
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

static gboolean lay_out(TgPairSheet *sheet, TgRenderer *renderer, GError **error)
{
    const gboolean bare = sheet->options->bare;
    const double line = bare ? 0 : LINE * sheet->unit;
    double y = MARGIN * sheet->unit / 2;

    if (!bare && !put_heading(sheet, renderer, TG_SIDE_TRUTH, y, error))
        return FALSE;
    y += line;
    if (!put_side(sheet, renderer, TG_SIDE_TRUTH, &y, error))
        return FALSE;
    y += GAP * sheet->unit;
    if (!put_side(sheet, renderer, TG_SIDE_PREDICTION, &y, error) ||
        (!bare && !put_heading(sheet, renderer, TG_SIDE_PREDICTION, y, error)))
        return FALSE;
    y += line;
    if (!bare && !put_legend(sheet, renderer, &y, error))
        return FALSE;
    sheet->height = y + MARGIN * sheet->unit / 2;
    return TRUE;
}

static void text_clear(gpointer data)
{
    tg_drawing_unref(((TgSheetText *) data)->drawing);
}

gboolean tg_pair_sheet_init(TgPairSheet *sheet, const TgPairPicture *picture, TgRenderer *renderer,
                            const TgPairPictureOptions *options, GError **error)
{
    *sheet = (TgPairSheet){
        .picture = picture,
        .options = options,
        .dpi = dpi_of(picture),
        .texts = g_array_new(FALSE, FALSE, sizeof(TgSheetText)),
        .leaders = g_array_new(FALSE, FALSE, sizeof(TgSheetLeader)),
        .samples = g_array_new(FALSE, FALSE, sizeof(TgSheetSample)),
    };
    g_array_set_clear_func(sheet->texts, text_clear);
    sheet->unit = sheet->dpi / BASE_DPI;
    for (guint s = 0; s < TG_N_SIDES; s++)
        choose_area(sheet, &picture->sides[s], &sheet->sides[s]);
    return lay_out(sheet, renderer, error);
}

void tg_pair_sheet_clear(TgPairSheet *sheet)
{
    g_clear_pointer(&sheet->texts, g_array_unref);
    g_clear_pointer(&sheet->leaders, g_array_unref);
    g_clear_pointer(&sheet->samples, g_array_unref);
}
