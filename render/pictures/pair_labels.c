/* Labels of marks: in rows, in the order of their boxes, as near to them as there is room. */
#include "render/pictures/pair_labels.h"

#include "render/pictures/pair_cut.h"

/* Lengths in pixels at 200 dpi, sizes of text in points. */
#define LABEL_LINE  22.0
#define LABEL_SPACE 10.0
#define LEADER      18.0 /* between the labels and the drawing */
#define LABEL_SIZE  6.5
#define LABEL_RGB   0x222222u

enum { MAX_LABEL = 32 /* characters */ };

typedef struct {
    const TgPairMark *mark;
    char *text;
    TgDrawing *drawing;
    double width, left;
    double middle; /* of the box, on the layout */
} Label;

static void label_clear(gpointer data)
{
    Label *label = data;

    tg_drawing_unref(label->drawing);
    g_free(label->text);
}

void tg_pair_labels_clear(TgPairLabels *labels)
{
    for (guint row = 0; row < TG_N_ROWS; row++)
        g_clear_pointer(&labels->labels[row], g_array_unref);
}

static gint compare_labels(gconstpointer a, gconstpointer b)
{
    const Label *x = a, *y = b;

    return x->middle != y->middle ? (x->middle > y->middle) - (x->middle < y->middle)
                                  : (x->mark > y->mark) - (x->mark < y->mark);
}

static gboolean has_label(const TgPairMark *mark, TgLabels labels)
{
    if (mark->label == NULL || labels == TG_LABELS_NONE)
        return FALSE;
    return labels == TG_LABELS_ALL || (mark->tone != TG_TONE_GOOD && mark->tone != TG_TONE_FAINT);
}

/* The row to which less ink is in the way. */
static guint row_of(const TgPairLayout *layout, TgPairSide side, TgRect box, const GArray *ink)
{
    const TgPairPlace *place = &layout->sides[side];
    const TgRect area = tg_pair_place_box(place, place->area);
    const double x = (box.x0 + box.x1) / 2, up = box.y0 - area.y0, down = area.y1 - box.y1;
    const double above =
        up * tg_pair_cut((TgPairSegment){ x, area.y0, x, box.y0 }, 1, ink, &box, NULL, NULL);
    const double below =
        down * tg_pair_cut((TgPairSegment){ x, area.y1, x, box.y1 }, 1, ink, &box, NULL, NULL);

    if (above == below)
        return side == TG_SIDE_TRUTH ? TG_ROW_ABOVE : TG_ROW_BELOW;
    return above < below ? TG_ROW_ABOVE : TG_ROW_BELOW;
}

static gboolean list_labels(const TgPairLayout *layout, TgRenderer *renderer, TgPairSide side,
                            GArray *const *rows, GError **error)
{
    const GArray *marks = layout->picture->sides[side].marks;
    g_autoptr(GArray) ink = g_array_new(FALSE, FALSE, sizeof(TgRect));

    tg_pair_cut_ink(layout, side, ink);

    for (guint i = 0; i < marks->len; i++) {
        const TgPairMark *mark = &g_array_index(marks, TgPairMark, i);
        const TgRect box = tg_pair_place_box(&layout->sides[side], mark->box);

        if (!has_label(mark, layout->options->labels))
            continue;
        Label label = { .mark = mark, .middle = (box.x0 + box.x1) / 2 };
        label.text = tg_plain_text_shorten(mark->label, MAX_LABEL);
        label.drawing =
            tg_plain_text_draw(renderer, label.text, TG_PLAIN_MONO, LABEL_SIZE, layout->dpi, error);
        if (label.drawing == NULL) {
            g_free(label.text);
            return FALSE;
        }
        label.width = tg_drawing_frame(label.drawing).width;
        g_array_append_val(rows[row_of(layout, side, box, ink)], label);
    }
    return TRUE;
}

/* A run of labels that touch each other. */
typedef struct {
    guint first, n;
    double width; /* with the space behind each */
    double wish;  /* the sum of where each wants the run to begin */
} Run;

static double run_left(const Run *run, double least)
{
    return MAX(run->wish / run->n, least);
}

/* Least squares: labels that would overlap become runs, in which each pulls with the same force. */
static void spread_labels(GArray *labels, double space, double least)
{
    g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(Run));

    for (guint i = 0; i < labels->len; i++) {
        const Label *label = &g_array_index(labels, Label, i);
        Run run = { i, 1, label->width + space, label->middle - label->width / 2 };

        while (runs->len > 0) {
            const Run *last = &g_array_index(runs, Run, runs->len - 1);

            if (run_left(last, least) + last->width <= run_left(&run, least))
                break;
            run = (Run){ last->first, last->n + run.n, last->width + run.width,
                         last->wish + run.wish - last->width * run.n };
            g_array_set_size(runs, runs->len - 1);
        }
        g_array_append_val(runs, run);
    }
    for (guint r = 0; r < runs->len; r++) {
        const Run *run = &g_array_index(runs, Run, r);
        double left = run_left(run, least);

        for (guint i = run->first; i < run->first + run->n; i++) {
            Label *label = &g_array_index(labels, Label, i);
            label->left = left;
            left += label->width + space;
        }
    }
}

gboolean tg_pair_labels_make(const TgPairLayout *layout, TgRenderer *renderer, TgPairSide side,
                             TgPairLabels *labels, GError **error)
{
    for (guint row = 0; row < TG_N_ROWS; row++) {
        labels->labels[row] = g_array_new(FALSE, FALSE, sizeof(Label));
        g_array_set_clear_func(labels->labels[row], label_clear);
    }
    if (!list_labels(layout, renderer, side, labels->labels, error))
        return FALSE;
    for (guint row = 0; row < TG_N_ROWS; row++) {
        GArray *list = labels->labels[row];

        g_array_sort(list, compare_labels);
        spread_labels(list, LABEL_SPACE * layout->unit, 12 * layout->unit);
        labels->height[row] = list->len > 0 ? (LABEL_LINE + LEADER) * layout->unit : 0;
    }
    return TRUE;
}

static void place_label(TgPairLayout *layout, const Label *label, TgPairSide side, guint row,
                        double near)
{
    const double unit = layout->unit, away = row == TG_ROW_ABOVE ? -1 : 1;
    const double middle = near + away * (LEADER + LABEL_LINE / 2) * unit;
    const TgRect box = tg_pair_place_box(&layout->sides[side], label->mark->box);
    const guint32 rgb =
        label->mark->tone == TG_TONE_GOOD ? LABEL_RGB : tg_pair_tone_color(label->mark->tone);
    const TgPairText text = { tg_drawing_ref(label->drawing),
                              g_strdup(label->text),
                              TG_PLAIN_MONO,
                              LABEL_SIZE * layout->dpi / 72.27,
                              rgb,
                              label->left,
                              middle + 5 * unit };
    const TgPairLeader leader = { { label->left + label->width / 2,
                                    middle - away * LABEL_LINE / 2 * unit, label->middle,
                                    row == TG_ROW_ABOVE ? box.y0 : box.y1 },
                                  box };

    g_array_append_val(layout->texts, text);
    g_array_append_val(layout->leaders, leader);
    layout->width = MAX(layout->width, label->left + label->width + 14 * unit);
}

void tg_pair_labels_place(TgPairLayout *layout, const TgPairLabels *labels, TgPairSide side,
                          double top, double bottom)
{
    for (guint row = 0; row < TG_N_ROWS; row++)
        for (guint i = 0; i < labels->labels[row]->len; i++)
            place_label(layout, &g_array_index(labels->labels[row], Label, i), side, row,
                        row == TG_ROW_ABOVE ? top : bottom);
}
