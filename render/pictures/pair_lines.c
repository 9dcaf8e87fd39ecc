/* Which partners a line joins. */
#include "render/pictures/pair_lines.h"

#include <string.h>

/* More pairs than this are not searched for those that changed places. */
enum { MAX_PAIRS = 3000 };

/* Distances in pixels at 200 dpi. */
#define APART 4.0 /* two that are nearer to each other have no order */
#define BELOW 8.0

typedef struct {
    TgPairLine line;
    double x[TG_N_SIDES], y[TG_N_SIDES]; /* middles of the boxes */
    gboolean says_something;
} Pair;

static const TgPairMark *mark_of(const TgPairPicture *picture, TgPairSide side, guint i)
{
    return &g_array_index(picture->sides[side].marks, TgPairMark, i);
}

/* The same label at both ends joins them as well. */
static gboolean is_labelled_alike(const TgPairPicture *picture, const TgPairLine *line,
                                  const TgPairPictureOptions *options)
{
    const char *truth = mark_of(picture, TG_SIDE_TRUTH, line->truth)->label;
    const char *prediction = mark_of(picture, TG_SIDE_PREDICTION, line->prediction)->label;

    return options->labels != TG_LABELS_NONE && truth != NULL && prediction != NULL &&
           strcmp(truth, prediction) == 0;
}

static GArray *list_pairs(const TgPairPicture *picture, const TgPairPictureOptions *options)
{
    GArray *pairs = g_array_new(FALSE, FALSE, sizeof(Pair));
    const GArray *truths = picture->sides[TG_SIDE_TRUTH].marks;

    for (guint i = 0; i < truths->len; i++) {
        const TgPairMark *truth = mark_of(picture, TG_SIDE_TRUTH, i);

        if (truth->partner == TG_NO_MARK)
            continue;
        const TgRect a = truth->box, b = mark_of(picture, TG_SIDE_PREDICTION, truth->partner)->box;
        Pair pair = { { i, truth->partner, truth->tone, { 0 } },
                      { (a.x0 + a.x1) / 2, (b.x0 + b.x1) / 2 },
                      { (a.y0 + a.y1) / 2, (b.y0 + b.y1) / 2 },
                      FALSE };

        pair.says_something =
            options->everything || (truth->tone != TG_TONE_GOOD && truth->tone != TG_TONE_FAINT &&
                                    !is_labelled_alike(picture, &pair.line, options));
        g_array_append_val(pairs, pair);
    }
    return pairs;
}

/* Whether two matches stand in another order on the other side, beside or below each other. */
static gboolean changed_places(const Pair *p, const Pair *q, double unit)
{
    const double x = p->x[0] - q->x[0], x2 = p->x[1] - q->x[1];
    const double y = p->y[0] - q->y[0], y2 = p->y[1] - q->y[1];
    const double apart = APART * unit, below = BELOW * unit;

    if (x * x2 < 0 && ABS(x) > apart && ABS(x2) > apart)
        return TRUE;
    return y * y2 < 0 && ABS(y) > below && ABS(y2) > below && ABS(x) <= apart && ABS(x2) <= apart;
}

static void find_changes(GArray *pairs, double unit)
{
    if (pairs->len > MAX_PAIRS)
        return;
    for (guint i = 0; i < pairs->len; i++)
        for (guint k = i + 1; k < pairs->len; k++) {
            Pair *p = &g_array_index(pairs, Pair, i), *q = &g_array_index(pairs, Pair, k);

            if (p->line.tone == TG_TONE_GOOD && q->line.tone == TG_TONE_GOOD &&
                changed_places(p, q, unit))
                p->says_something = q->says_something = TRUE;
        }
}

GArray *tg_pair_lines_choose(const TgPairPicture *picture, const TgPairPictureOptions *options,
                             double unit)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(TgPairLine));

    if (options->hide_lines)
        return lines;
    g_autoptr(GArray) pairs = list_pairs(picture, options);
    find_changes(pairs, unit);
    for (guint i = 0; i < pairs->len; i++) {
        const Pair *pair = &g_array_index(pairs, Pair, i);

        if (pair->says_something)
            g_array_append_val(lines, pair->line);
    }
    return lines;
}
