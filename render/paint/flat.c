/* From boxes to the flat list (TeX's hlist_out and vlist_out). */
#include "render/paint/drawing.h"

#include "core/deadline.h"

typedef struct {
    GArray *marks;
    GError **error;
    gboolean failed;
} Walk;

static void put_box(Walk *walk, const TgItem *box, TgScaled x, TgScaled y);

static TgMark *new_mark(Walk *walk, const TgItem *item, TgMarkKind kind, TgScaled x, TgScaled y)
{
    const TgMark mark = { .x = x,
                          .y = y,
                          .x_stretch = 1,
                          .code = item->code,
                          .token = item->token,
                          .color = item->color,
                          .kind = (guint8) kind };

    g_array_append_val(walk->marks, mark);
    return &g_array_index(walk->marks, TgMark, walk->marks->len - 1);
}

/* The horizontal scale of a glyph: small AMS designs are drawn with the 10 pt outlines, in the
 * width of their metrics. */
static double stretch_of(const TgItem *item, const TgOutline *outline)
{
    const double drawn = outline->advance * (double) item->font->size;
    const double ratio = drawn > 0 ? (double) item->width / drawn : 1;

    return ratio > 0.5 && ratio < 2 && (ratio < 0.995 || ratio > 1.005) ? ratio : 1;
}

static void put_char(Walk *walk, const TgItem *item, TgScaled x, TgScaled y)
{
    const TgOutline *outline =
        tg_face_outline(item->font->face, item->code, walk->failed ? NULL : walk->error);

    if (outline == NULL) {
        walk->failed = TRUE;
        return;
    }
    if (outline->n_ops == 0)
        return;

    TgMark *mark = new_mark(walk, item, TG_MARK_GLYPH, x, y);
    mark->outline = outline;
    mark->size = item->font->size;
    mark->x_stretch = stretch_of(item, outline);
}

static void put_rectangle(Walk *walk, const TgItem *item, TgMarkKind kind, TgScaled x, TgScaled y)
{
    const TgScaled height = item->height + item->depth;

    if (item->width <= 0 || height <= 0)
        return;

    TgMark *mark = new_mark(walk, item, kind, x, y - item->height);
    mark->width = item->width;
    mark->height = height;
    mark->size = item->italic;
}

static void put_item(Walk *walk, const TgItem *item, TgScaled x, TgScaled y)
{
    if (item->kind == TG_ITEM_CHAR)
        put_char(walk, item, x, y);
    else if (item->kind == TG_ITEM_HBOX || item->kind == TG_ITEM_VBOX)
        put_box(walk, item, x, y);
    else
        put_rectangle(walk, item,
                      item->kind == TG_ITEM_UNICODE ? TG_MARK_UNICODE
                      : item->kind == TG_ITEM_RULE  ? TG_MARK_RULE
                                                    : TG_MARK_STROKE,
                      x, y);
}

/* The depth of this recursion is a few times the depth of the formula tree, which is bounded. */
static void put_box(Walk *walk, const TgItem *box, TgScaled x, TgScaled y)
{
    const gboolean across = box->kind == TG_ITEM_HBOX;

    y -= across ? 0 : box->height;
    for (const TgItem *item = box->list; item != NULL && !tg_deadline_spend(5); item = item->next) {
        if (item->kind == TG_ITEM_KERN) {
            *(across ? &x : &y) += item->width;
        } else if (across) {
            put_item(walk, item, x, y + item->shift);
            x += item->width;
        } else {
            put_item(walk, item, x + item->shift, y + item->height);
            y += item->height + item->depth;
        }
    }
}

gboolean tg_flatten(const TgItem *box, GArray *marks, GError **error)
{
    Walk walk = { .marks = marks, .error = error };

    put_box(&walk, box, 0, 0);
    return !walk.failed && tg_deadline_check(error);
}
