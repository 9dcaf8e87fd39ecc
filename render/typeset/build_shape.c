/* Boxes that graphicx scales and turns: their sizes as TeX has them. Ink is scaled, too; in boxes
 * that are turned or mirrored it stays upright. */
#include "render/typeset/typeset.h"

#include <math.h>

#define MAX_SIZE (TG_PT(16384)) /* beyond it TeX stops: Dimension too large */

/* ---- Scaling ------------------------------------------------------------------------------- */

typedef struct {
    double x, y; /* not negative */
} Factors;

static TgScaled times(TgScaled length, double factor)
{
    return (TgScaled) CLAMP((double) length * factor, -(double) MAX_SIZE, (double) MAX_SIZE);
}

/* A copy of the items of a box, scaled. */
static TgItem *scaled_list(TgLayout *self, const TgItem *list, gboolean vertical, Factors by)
{
    TgItemList out = { NULL, NULL };

    for (; list != NULL && tg_layout_spend(self); list = list->next) {
        TgItem *item = tg_item_new(self, (TgItemKind) list->kind);

        *item = *list;
        item->next = NULL;
        item->width = times(item->width, vertical && item->kind == TG_ITEM_KERN ? by.y : by.x);
        item->height = times(item->height, by.y);
        item->depth = times(item->depth, by.y);
        item->shift = times(item->shift, vertical ? by.x : by.y);
        item->italic = times(item->italic, item->kind == TG_ITEM_CHAR ? by.x : by.y);
        if (item->kind == TG_ITEM_CHAR) {
            TgFont *font = tg_arena_alloc(&self->arena, sizeof *font);

            *font = *item->font;
            font->size = MAX(times(font->size, by.y), 1);
            item->font = font;
        }
        item->list = scaled_list(self, item->list, item->kind == TG_ITEM_VBOX, by);
        tg_item_list_add(&out, item);
    }
    return out.first;
}

/* \scalebox: a negative factor mirrors the box; downwards its depth becomes its height. */
static TgItem *scaled_box(TgLayout *self, const TgItem *body, double x, double y)
{
    const Factors by = { fabs(x), fabs(y) };
    TgItem *box = tg_item_new(self, TG_ITEM_HBOX);

    box->width = times(body->width, by.x);
    box->height = times(y < 0 ? body->depth : body->height, by.y);
    box->depth = times(y < 0 ? body->height : body->depth, by.y);
    if (by.x > 0 && by.y > 0)
        box->list = scaled_list(self, body, FALSE, by);
    if (box->list != NULL && y < 0) /* the ink fills the same box */
        box->list->shift = times(body->depth - body->height, by.y) + box->list->shift;
    return box;
}

/* ---- Turning ------------------------------------------------------------------------------- */

/* \rotatebox: the upright box around @body turned by @degrees around (@x0, @y0), counted from its
 * reference point. */
static TgItem *turned_box(TgLayout *self, TgItem *body, double degrees, double x0, double y0)
{
    const double angle = degrees * G_PI / 180, cosine = cos(angle), sine = sin(angle);
    const double xs[] = { -x0, (double) body->width - x0 };
    const double ys[] = { (double) -body->depth - y0, (double) body->height - y0 };
    double left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;

    for (guint i = 0; i < 4; i++) {
        const double x = xs[i & 1] * cosine - ys[i >> 1] * sine;
        const double y = xs[i & 1] * sine + ys[i >> 1] * cosine;

        left = MIN(left, x);
        right = MAX(right, x);
        bottom = MIN(bottom, y);
        top = MAX(top, y);
    }
    const TgScaled width = times(1, right - left);
    const TgScaled height = times(1, top + y0), depth = times(1, -bottom - y0);
    const TgScaled beside = tg_half(width - body->width);
    TgItem *upright = tg_hpack(self, body);
    upright->shift = tg_half((upright->height - upright->depth) - (height - depth));
    TgItem *box = tg_hbox(self, tg_kern(self, beside), upright);
    box->width = width;
    box->height = height;
    box->depth = depth;
    return box;
}

/* The place of \rotatebox's origin on @body: letters of `origin=lb`. */
static void find_origin(const TgItem *body, const char *options, double *x0, double *y0)
{
    const char *origin = strstr(options, "origin=");

    for (origin = origin != NULL ? origin + 7 : ""; g_ascii_isalpha(*origin); origin++) {
        if (*origin == 'c') {
            *x0 = (double) body->width / 2;
            *y0 = (double) (body->height - body->depth) / 2;
        }
        *x0 = *origin == 'r' ? (double) body->width : *origin == 'l' ? 0 : *x0;
        *y0 = *origin == 't'   ? (double) body->height
              : *origin == 'b' ? (double) -body->depth
              : *origin == 'B' ? 0
                               : *y0;
    }
}

/* ---- Arguments ----------------------------------------------------------------------------- */

/* A length, or a multiple of a size of @body or of the width of the text. */
static gboolean read_size(TgLayout *self, const char *text, const TgItem *body, TgScaled *size)
{
    char *unit = NULL;
    double factor = g_ascii_strtod(text, &unit);

    if (unit == text)
        factor = *text == '-' ? -1 : 1;
    unit += unit == text && *text == '-';
    g_autofree char *name = g_strstrip(g_strdup(unit));
    const struct {
        const char *name;
        TgScaled size;
    } known[] = {
        { "\\width", body->width },    { "\\height", body->height },
        { "\\depth", body->depth },    { "\\totalheight", body->height + body->depth },
        { "\\textwidth", TG_PT(390) }, { "\\linewidth", TG_PT(390) },
        { "\\hsize", TG_PT(390) },     { "\\columnwidth", TG_PT(390) },
    };

    for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
        if (strcmp(name, known[i].name) == 0) {
            *size = times(known[i].size, factor);
            return TRUE;
        }
    }
    for (guint8 i = 0; unit != text && i < TG_UNIT_MU; i++) {
        const TgLength one = { .value = i == TG_UNIT_SP ? 1 : 65536, .unit = i };

        if (strcmp(name, tg_unit_names[i]) == 0) {
            *size = times(tg_length(self, one), factor);
            return TRUE;
        }
    }
    return FALSE;
}

/* graphics' \Gscale@div, with its errors of rounding. */
static double ratio_of(TgScaled wanted, TgScaled size)
{
    TgScaled parts = wanted < 0 ? -65536 : 65536, whole = ABS(wanted);

    if (whole == 0)
        return 0;
    while (parts >= 2 && whole < TG_PT(8192)) {
        whole *= 2;
        parts /= 2;
    }
    const TgScaled unit = size / parts, ratio = unit != 0 ? whole / unit : 65536;
    return ratio / 65536.0;
}

/* \resizebox: `!` stands for what keeps the proportions. */
static TgItem *resized_box(TgLayout *self, TgItem *body, const char *width, const char *height,
                           gboolean total)
{
    const TgScaled tall = total ? body->height + body->depth : body->height;
    TgScaled wanted = 0;
    double x = 1, y = 1;

    const gboolean has_x = read_size(self, width, body, &wanted) && body->width != 0;
    if (has_x)
        x = ratio_of(wanted, body->width);
    const gboolean has_y = read_size(self, height, body, &wanted) && tall != 0;
    if (has_y)
        y = ratio_of(wanted, tall);
    return scaled_box(self, body, has_x ? x : y, has_y ? y : x);
}

TgItem *tg_shaped_box(TgLayout *self, TgItem *body, const char *shape)
{
    const char *start = strpbrk(shape, "[{");
    g_auto(GStrv) parts = g_strsplit_set(start != NULL ? start + 1 : "", "[]{}", -1);
    const char *args[2] = { "", "" };
    guint n_args = 0;

    for (guint i = 0; parts[i] != NULL && n_args < 2; i++) /* between arguments there is nothing */
        if (parts[i][0] != '\0')
            args[n_args++] = parts[i];
    if (g_str_has_prefix(shape, "\\scalebox")) {
        const double x = g_ascii_strtod(args[0], NULL);
        return scaled_box(self, body, x, n_args > 1 ? g_ascii_strtod(args[1], NULL) : x);
    }
    if (g_str_has_prefix(shape, "\\resizebox"))
        return resized_box(self, body, args[0], args[1], strchr(shape, '*') != NULL);

    double x0 = 0, y0 = 0;
    if (n_args > 1)
        find_origin(body, args[0], &x0, &y0);
    return turned_box(self, body, g_ascii_strtod(args[n_args > 1], NULL), x0, y0);
}
