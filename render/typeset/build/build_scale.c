/* \scalebox, \resizebox, \reflectbox and \rotatebox: boxes whose ink a matrix maps. */
#include "render/typeset/build/builders.h"

#include <math.h>

#define MAX_FACTOR 1000.0

static TgScaled scale_round(double length)
{
    const double most = 1 << 30; /* TeX's largest length */

    return (TgScaled) floor(CLAMP(length, -most, most) + 0.5);
}

static TgTurnedItem *turned_item(TgLayout *self, TgItem *body)
{
    TgTurnedItem *turned = tg_arena_alloc(&self->arena, sizeof *turned);

    *turned = (TgTurnedItem){ .item = *tg_item_new(&self->arena, TG_ITEM_TURNED) };
    turned->item.list = body;
    return turned;
}

/* What is asked for over what there is, as a factor. */
static double factor_of(TgScaled wanted, TgScaled natural)
{
    return natural != 0 ? CLAMP((double) wanted / (double) natural, -MAX_FACTOR, MAX_FACTOR) : 1;
}

static void find_factors(TgLayout *self, const TgNode *node, const TgItem *body, double *x,
                         double *y)
{
    const guint8 has = node->u.scale.has;

    *x = node->u.scale.x / 65536.0;
    *y = node->u.scale.y / 65536.0;
    if (node->u.scale.form != TG_SCALE_TO)
        return;
    *x = *y = 1;
    if ((has & 1) != 0)
        *x = factor_of(tg_layout_length_of(self, node->u.scale.width, body), body->width);
    if ((has & 2) != 0)
        *y = factor_of(tg_layout_length_of(self, node->u.scale.height, body),
                       body->height + ((has & 4) != 0 ? body->depth : 0));
    if ((has & 1) == 0)
        *x = *y;
    if ((has & 2) == 0)
        *y = *x;
}

static TgItem *scaled_box(TgLayout *self, const TgNode *node, TgItem *body)
{
    TgTurnedItem *turned = turned_item(self, body);
    double x, y;

    find_factors(self, node, body, &x, &y);
    const TgScaled width = scale_round(x * (double) body->width);
    const TgScaled height = scale_round(y * (double) body->height);
    const TgScaled depth = scale_round(y * (double) body->depth);
    turned->xx = x;
    turned->yy = y;
    TgItem *kern = tg_item_kern(&self->arena, MAX(-width, 0));
    kern->next = &turned->item;
    TgItem *box = tg_hpack(&self->arena, kern);
    box->width = ABS(width);
    box->height = y < 0 ? -depth : height;
    box->depth = y < 0 ? -height : depth;
    return box;
}

/* Sine and cosine, exact for quarter turns. */
static void find_turn(double degrees, double *sine, double *cosine)
{
    static const gint8 sines[] = { 0, 1, 0, -1 };
    const double quarters = degrees / 90;
    const gint64 whole = (gint64) floor(quarters);

    if ((double) whole == quarters) {
        *sine = sines[whole & 3];
        *cosine = sines[(whole + 1) & 3];
    } else {
        *sine = sin(degrees * G_PI / 180);
        *cosine = cos(degrees * G_PI / 180);
    }
}

/* The box around the turned corners; what the turn leaves in its place is the origin. */
static TgItem *rotated_box(TgLayout *self, const TgNode *node, TgItem *body)
{
    const double width = (double) body->width, height = (double) body->height;
    const double depth = (double) body->depth;
    const double x = node->u.scale.origin_x == 'l'   ? 0
                     : node->u.scale.origin_x == 'r' ? width
                                                     : width / 2;
    const double y = node->u.scale.origin_y == 'B'   ? 0
                     : node->u.scale.origin_y == 't' ? height
                     : node->u.scale.origin_y == 'b' ? -depth
                                                     : (height - depth) / 2;
    const double corners[][2] = {
        { 0, height }, { width, height }, { width, -depth }, { 0, -depth }
    };
    double sine, cosine, left = G_MAXDOUBLE, right = -G_MAXDOUBLE, top = -G_MAXDOUBLE;
    double bottom = G_MAXDOUBLE;
    TgTurnedItem *turned = turned_item(self, body);

    find_turn(node->u.scale.x / 65536.0, &sine, &cosine);
    for (guint i = 0; i < G_N_ELEMENTS(corners); i++) {
        const double right_of = corners[i][0] - x, above = corners[i][1] - y;
        const double to_x = cosine * right_of - sine * above;
        const double to_y = sine * right_of + cosine * above + y;
        left = MIN(left, to_x);
        right = MAX(right, to_x);
        top = MAX(top, to_y);
        bottom = MIN(bottom, to_y);
    }
    turned->xx = turned->yy = cosine;
    turned->yx = sine;
    turned->xy = -sine;
    turned->item.shift = -scale_round(-sine * x - cosine * y + y);
    TgItem *kern = tg_item_kern(&self->arena, scale_round(-cosine * x + sine * y - left));
    kern->next = &turned->item;
    TgItem *box = tg_hpack(&self->arena, kern);
    box->width = scale_round(right - left);
    box->height = scale_round(top);
    box->depth = scale_round(-bottom);
    return box;
}

static TgItem *make_scaled(TgLayout *self, const TgNode *node)
{
    TgItem *body = tg_body_box(self, node->u.scale.body, TG_TEXT);

    return node->u.scale.form == TG_SCALE_TURN ? rotated_box(self, node, body)
                                               : scaled_box(self, node, body);
}

void tg_build_scale(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    tg_append_noad(self, out, TG_NOAD_ORD, tg_make_field(self, make_scaled, node));
}
