/* Boxes around things: phantoms, overlaps, frames, rules, raised text, the strokes of cancel. */
#include "render/typeset/typeset.h"

#define FRAME_GAP TG_PT(3)

TgItem *tg_make_phantom(TgLayout *self, const TgNode *node)
{
    const guint flags = node->u.phantom.flags;
    const int style = (flags & TG_PHANTOM_CRAMPED) != 0 ? self->now.style | TG_CRAMPED
                                                        : self->now.style & ~TG_CRAMPED;
    TgItem *box = tg_body_box(self, node->u.phantom.body, style);

    if ((flags & TG_PHANTOM_NO_INK) != 0)
        box->list = NULL;
    if ((flags & TG_PHANTOM_NO_WIDTH) != 0)
        box->width = 0;
    if ((flags & TG_PHANTOM_NO_HEIGHT) != 0)
        box->height = 0;
    if ((flags & TG_PHANTOM_NO_DEPTH) != 0)
        box->depth = 0;
    return box;
}

TgItem *tg_make_lap(TgLayout *self, const TgNode *node)
{
    TgItem *box = tg_body_box(self, node->u.lap.body, self->now.style & ~TG_CRAMPED);
    const TgScaled width = box->width;
    const TgScaled before = node->u.lap.align == 'l'   ? -width
                            : node->u.lap.align == 'c' ? -tg_half(width)
                                                       : 0;

    return tg_hbox(self, tg_kern(self, before), box, tg_kern(self, -width - before));
}

/* A length that may be a multiple of the size of @box. */
static TgScaled length_of_box(TgLayout *self, TgLength length, const TgItem *box)
{
    const TgScaled sizes[TG_N_UNITS] = {
        [TG_UNIT_HEIGHT] = box->height,
        [TG_UNIT_DEPTH] = box->depth,
        [TG_UNIT_TOTAL] = box->height + box->depth,
        [TG_UNIT_WIDTH] = box->width,
    };

    if (!tg_unit_is_of_box(length.unit))
        return tg_length(self, length);
    return (TgScaled) ((gint64) sizes[length.unit] * length.value / 65536);
}

TgItem *tg_make_raised(TgLayout *self, const TgNode *node)
{
    TgItem *box = tg_body_box(self, node->u.raise.body, TG_TEXT);

    if (box->shift != 0)
        box = tg_hpack(self, box);
    const TgItem body = *box;
    box->shift = -length_of_box(self, node->u.raise.amount, &body);
    TgItem *raised = tg_hpack(self, box);
    if ((node->u.raise.has & 1) != 0)
        raised->height = length_of_box(self, node->u.raise.height, &body);
    if ((node->u.raise.has & 2) != 0)
        raised->depth = length_of_box(self, node->u.raise.depth, &body);
    return raised;
}

/* ---- Frames ---------------------------------------------------------------------------------- */

/* \colorbox: the body on its color; the background is no token's ink. */
static TgItem *colored_box(TgLayout *self, const TgNode *node, TgItem *body)
{
    const TgScaled gap = FRAME_GAP;
    TgItem *ground = tg_rule(self, body->width + 2 * gap, body->height + gap, body->depth + gap,
                             (TgInk){ TG_NO_TOKEN, node->u.enclose.rgb });

    return tg_hbox(self, ground, tg_kern(self, gap - ground->width), tg_hpack(self, body),
                   tg_kern(self, gap));
}

/* \fbox: @gap, then lines around it. */
static TgItem *framed_box(TgLayout *self, const TgNode *node, TgItem *body, TgScaled gap)
{
    const TgScaled line = tg_length(self, node->u.enclose.line), beside = gap;
    const TgScaled width = body->width + 2 * (beside + line);
    const TgScaled inner = body->height + body->depth + 2 * gap;
    TgInk ink = tg_ink(self, node->token);

    if (node->u.enclose.form == TG_ENCLOSE_FCOLORBOX)
        ink.color = node->u.enclose.frame;
    TgItem *padded = tg_vbox(self, tg_kern(self, gap), tg_hpack(self, body), tg_kern(self, gap));
    padded->height += padded->depth;
    padded->depth = 0;
    TgItem *row = tg_hbox(self, tg_rule(self, line, inner, 0, ink), tg_kern(self, beside), padded,
                          tg_kern(self, beside), tg_rule(self, line, inner, 0, ink));
    TgItem *box =
        tg_vbox(self, tg_rule(self, width, line, 0, ink), row, tg_rule(self, width, line, 0, ink));
    box->height = body->height + gap + line;
    box->depth = body->depth + gap + line;
    return box;
}

/* \textcircled as LaTeX's \ooalign has it: the body a little raised over the circle, which is as
   wide as it is; the height is the body's, the depth the circle's. */
static TgItem *circled_box(TgLayout *self, const TgNode *node, TgItem *body)
{
    enum { CIRCLE = 0x0D };
    const TgFont *font = tg_layout_font(self, TG_FONT_SYMBOLS, self->now.text.size);
    TgItem *circle = font != NULL ? tg_char(self, font, CIRCLE, tg_ink(self, node->token)) : NULL;

    if (circle == NULL)
        return body;

    const TgScaled raise = tg_xn_over_d(font->metrics->params[TG_PARAM_X_HEIGHT], 4588, 65536);
    const TgScaled width = MAX(body->width, circle->width);
    TgItem *raised = tg_hpack(self, body);
    raised->shift = -raise;
    TgItem *box =
        tg_hbox(self, circle, tg_kern(self, tg_half(width - body->width) - circle->width), raised);
    box->width = width;
    box->height = body->height + raise;
    box->depth = circle->depth;
    return box;
}

/* ---- \cancel --------------------------------------------------------------------------------- */

/* The extent of the stroke over something, as the package cancel chooses it from the slopes that
   LaTeX's \line has. */
static void stroke_extent(TgScaled width, TgScaled total, TgScaled *across, TgScaled *up)
{
    static const guint8 slopes[][2] = { { 6, 1 }, { 4, 1 }, { 2, 1 }, { 4, 3 }, { 1, 1 } };
    static const TgScaled parts[] = { 10486, 16384, 32768, 49152, 65536 }; /* .16 .25 .5 .75 1 */

    width = MAX(width, TG_PT(2));
    total = MAX(total, TG_PT(6));
    if (total < width) {
        width = MAX(width, TG_PT(8));
        const guint8 *slope = slopes[MIN(total * 5 / width, 4)];
        *across = width + TG_PT(2);
        *up = *across * slope[1] / slope[0];
        return;
    }
    total = MAX(total, TG_PT(8)) + TG_PT(2);
    const TgScaled k = MIN(width * 5 / total, 4);
    *across = tg_xn_over_d(total, parts[k], 65536);
    *up = *across * slopes[k][0] / slopes[k][1];
}

/* A line over the middle of the box. Both are centered on the axis, laid on one baseline and raised
   to where the box was; the line decides the height. */
static TgItem *canceled_box(TgLayout *self, const TgNode *node, TgItem *body)
{
    const guint form = node->u.enclose.form;
    const TgInk ink = tg_ink(self, node->token);
    const TgScaled middle = tg_half(body->height - body->depth);
    const TgScaled axis = tg_math_sy_at(self, TG_PARAM_AXIS_HEIGHT, TG_MATH_TEXT),
                   raise = middle - axis;
    TgItemList list = { NULL, NULL };
    TgScaled across, up;

    stroke_extent(body->width, body->height + body->depth, &across, &up);
    const TgScaled before = tg_half(body->width - across), height = middle + tg_half(up);
    for (TgStroke stroke = TG_STROKE_UP; stroke <= TG_STROKE_DOWN; stroke++) {
        if (form == (stroke == TG_STROKE_UP ? TG_ENCLOSE_BCANCEL : TG_ENCLOSE_CANCEL))
            continue;
        tg_item_list_add(&list, tg_items(tg_kern(self, before),
                                         tg_stroke(self, stroke, across, height, up - height, ink),
                                         tg_kern(self, -before - across)));
    }
    TgItem *box = tg_hbox(self, list.first, body);
    box->height = MAX(axis + tg_half(up), 0) + raise;
    box->depth = MAX(tg_half(body->height + body->depth) - axis, 0) - raise;
    return box;
}

/* ---- Enclosures and rules
 * ------------------------------------------------------------------------------- */

TgItem *tg_make_enclosure(TgLayout *self, const TgNode *node)
{
    const guint form = node->u.enclose.form;
    const gboolean strikes = tg_enclosure_shapes[form] == TG_SHAPE_OF_STROKE;
    const int style = form == TG_ENCLOSE_BOXED ? TG_DISPLAY
                      : strikes                ? self->now.style & ~TG_CRAMPED
                                               : TG_TEXT;
    TgItem *body = tg_body_box(self, node->u.enclose.body, style);

    switch ((TgEnclosure) form) {
    case TG_ENCLOSE_CANCEL:
    case TG_ENCLOSE_BCANCEL:
    case TG_ENCLOSE_XCANCEL:
        return canceled_box(self, node, body);
    case TG_ENCLOSE_CIRCLE:
        return circled_box(self, node, body);
    case TG_ENCLOSE_STRIKE:
        return tg_hbox(self,
                       tg_stroke(self, TG_STROKE_ACROSS, body->width, body->height, body->depth,
                                 tg_ink(self, node->token)),
                       tg_kern(self, -body->width), body);
    case TG_ENCLOSE_COLORBOX:
        return colored_box(self, node, body);
    case TG_ENCLOSE_FCOLORBOX:
        return framed_box(self, node, colored_box(self, node, body), 0);
    case TG_ENCLOSE_BOXED:
    case TG_ENCLOSE_FBOX:
    default:
        return framed_box(self, node, body, tg_length(self, node->u.enclose.sep));
    }
}

void tg_build_rule(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgScaled raise = tg_length(self, node->u.rule.raise);
    TgItem *box = node->u.rule.form == TG_RULE_STRUT
                      ? tg_strut(self, 65536)
                      : tg_hbox(self, tg_rule(self, tg_length(self, node->u.rule.width),
                                              tg_length(self, node->u.rule.height) + raise, -raise,
                                              tg_ink(self, node->token)));

    tg_append(self, out, TG_NOAD_ORD, tg_box_field(box));
}
