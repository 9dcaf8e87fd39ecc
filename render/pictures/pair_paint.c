/* A pair's picture: laid out from top to bottom, then painted with Cairo. */
#include "render/pictures/pair_picture.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/option_parse.h"
#include "render/paint/drawing.h"

/* Lengths in pixels at 200 dpi, sizes of text in points. */
#define BASE_DPI     200.0
#define MARGIN       24.0
#define LINE         32.0 /* of a caption, a note or the legend */
#define BASELINE     22.0 /* below the top of such a line */
#define TITLE_LINE   42.0
#define ABOVE        8.0   /* between a caption and the drawing */
#define GAP          40.0  /* between the drawings */
#define LINES_GAP    84.0  /* the same with lines between partners */
#define BEYOND       160.0 /* how much ink beyond the edge of the page is shown */
#define WIDE         420.0 /* narrower drawings are enlarged to this width, at most twice */
#define SPACE        12.0  /* between texts of a line */
#define INDENT       34.0  /* of notes, for their labels */
#define LABEL_LINE   26.0  /* of the labels of marks */
#define TITLE_SIZE   9.0
#define CAPTION_SIZE 7.5
#define LABEL_SIZE   6.5
#define TEXT_RGB     0x222222u
#define QUIET_RGB    0x5F5F5Fu
#define BEYOND_RGB   0xBDBDBDu
#define EDGE_RGB     0x555555u

/* Matches count as having changed places if their order differs and they are at least this far
 * apart. */
#define APART 4.0
#define BELOW 8.0

enum {
    MAX_TEXT = 110, /* characters */
    MAX_LABEL = 32,
    MAX_NOTES = 24,
    MAX_PAIRS = 3000,     /* with more pairs, parts that changed places are not searched */
    MAX_PIXELS = 1 << 25, /* 128 MiB */
};

/* The look of a tone; lengths in pixels at 200 dpi. */
static const struct {
    guint32 rgb;
    double width; /* of the line around a box */
    double dashes[4];
    int n_dashes;
    double fill; /* opacity inside */
    double line; /* opacity of the line to the partner */
} looks[TG_N_TONES] = {
    [TG_TONE_GOOD] = { 0x0B7F4F, 1.2, { 0 }, 0, 0.06, 0.55 },
    [TG_TONE_BAD] = { 0xC92A0E, 2.4, { 0 }, 0, 0.14, 0.90 },
    [TG_TONE_MINOR] = { 0xA86B00, 2.2, { 2, 3 }, 2, 0.14, 0.80 },
    [TG_TONE_STRUCTURE] = { 0x5B45C0, 2.2, { 8, 3, 2, 3 }, 4, 0.12, 0.80 },
    [TG_TONE_FAINT] = { 0x8A8A8A, 1.0, { 0 }, 0, 0.04, 0.35 },
};

/* A line of text, set; (x, y) is the start of its baseline. */
typedef struct {
    TgDrawing *drawing;
    guint32 rgb;
    double x, y;
} Text;

/* The part of a drawing that is shown, and where its pixel (0, 0) is in the picture. */
typedef struct {
    TgRect area;
    double x, y, zoom;
    gboolean is_cut; /* ink lies beyond the page */
} Place;

/* A line from a mark of the reference to one of the prediction. */
typedef struct {
    guint marks[TG_N_SIDES];
    double x[TG_N_SIDES], y[TG_N_SIDES]; /* middles of the boxes, in pixels of the drawings */
    TgTone tone;
    gboolean is_shown;
} Line;

/* A picture being laid out; lengths are pixels of the drawings. */
typedef struct {
    const TgPairPicture *picture;
    const TgPairPictureOptions *options;
    TgRenderer *renderer;
    GError *error; /* of the first text that could not be set */
    double unit;   /* length of a pixel at 200 dpi */
    double dpi, width, y;
    double scale; /* of the whole picture, from pixels of the drawings */
    Place sides[TG_N_SIDES];
    GArray *texts;              /* of Text */
    GArray *lines;              /* of Line */
    TgRect samples[TG_N_TONES]; /* of the legend; empty: none */
} Layout;

static const TgPairMark *mark_of(const Layout *self, guint side, guint i)
{
    return &g_array_index(self->picture->sides[side].marks, TgPairMark, i);
}

/* Whether marks of this tone are drawn; matched parts are not. */
static gboolean is_shown(const Layout *self, TgTone tone)
{
    return self->options->everything || (tone != TG_TONE_GOOD && tone != TG_TONE_FAINT);
}

static TgRect placed(const Place *place, TgRect box)
{
    return (TgRect){ place->x + place->zoom * box.x0, place->y + place->zoom * box.y0,
                     place->x + place->zoom * box.x1, place->y + place->zoom * box.y1 };
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Plain text as LaTeX. */
static void append_escaped(GString *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("{}_%#&$", *text) != NULL)
            g_string_append_printf(out, "\\%c", *text);
        else if (*text == '^' || *text == '~')
            g_string_append_printf(out, "\\%c{}", *text);
        else if (*text == '-' || *text == '\'' || *text == '`') /* no ligatures */
            g_string_append_printf(out, "{%c}", *text);
        else if (*text == ' ' || *text == '\n') /* as wide after a full stop as elsewhere */
            g_string_append(out, "\\ ");
        else if (*text == '\\')
            g_string_append(out, "\\textbackslash{}");
        else
            g_string_append_c(out, *text);
    }
}

/* Sets @text, shortened to @most characters, with its baseline at (@x, @y); returns its width. */
static double add_text(Layout *self, const char *text, glong most, const char *font, double size,
                       guint32 rgb, double x, double y)
{
    TgRenderOptions options = TG_RENDER_OPTIONS_INIT;
    g_autoptr(GString) latex = g_string_new(NULL);
    const gboolean is_long = g_utf8_strlen(text, -1) > most;
    g_autofree char *start = is_long ? g_utf8_substring(text, 0, most) : g_strdup(text);

    if (self->error != NULL)
        return 0;
    g_string_append_printf(latex, "\\%s{", font);
    append_escaped(latex, start);
    g_string_append(latex, is_long ? "...}" : "}");
    options.size_pt = size;
    options.dpi = self->dpi;
    options.margin_px = 0;
    TgDrawing *drawing =
        tg_renderer_draw(self->renderer, latex->str, latex->len, &options, &self->error);
    if (drawing == NULL)
        return 0;
    const Text added = { drawing, rgb, x, y };
    const double width = tg_drawing_frame(drawing).width;
    g_array_append_val(self->texts, added);
    self->width = MAX(self->width, x + width + MARGIN * self->unit);
    return width;
}

/* A line of at most two texts, the first in bold; @indent: where the second begins at least. */
static void add_line(Layout *self, const char *bold, guint32 bold_rgb, const char *text,
                     guint32 rgb, double size, double indent)
{
    const double baseline = self->y + BASELINE * self->unit;
    double x = MARGIN * self->unit;

    if (bold != NULL)
        x += add_text(self, bold, MAX_TEXT, "textbf", size, bold_rgb, x, baseline) +
             SPACE * self->unit;
    x = MAX(x, (MARGIN + indent) * self->unit);
    if (text != NULL && *text != '\0')
        add_text(self, text, MAX_TEXT, "text", CAPTION_SIZE, rgb, x, baseline);
    self->y += LINE * self->unit;
}

static void add_caption(Layout *self, TgPairSide side)
{
    const char *text = self->picture->sides[side].heading;
    g_autofree char *heading =
        g_strconcat(text != NULL ? text : "",
                    self->sides[side].is_cut ? "; beyond the page's edge: gray" : "", NULL);

    add_line(self, side == TG_SIDE_REF ? "reference" : "prediction", QUIET_RGB, heading, QUIET_RGB,
             CAPTION_SIZE, 0);
}

static void add_notes(Layout *self)
{
    const GArray *notes = self->picture->notes;
    const guint n = MIN(notes->len, (guint) MAX_NOTES);

    for (guint i = 0; i < n; i++) {
        const TgPairNote *note = &g_array_index(notes, TgPairNote, i);

        add_line(self, note->label, looks[note->tone].rgb, note->text, TEXT_RGB, CAPTION_SIZE,
                 INDENT);
    }
    if (n == notes->len)
        return;
    g_autofree char *more = g_strdup_printf("and %u more", notes->len - n);
    add_line(self, NULL, 0, more, TEXT_RGB, CAPTION_SIZE, INDENT);
}

static void add_legend(Layout *self)
{
    const double unit = self->unit, top = self->y;
    double x = MARGIN * unit;

    for (guint t = 0; t < TG_N_TONES; t++) {
        const TgTone tone = (TgTone) t;

        if (self->picture->tone_names[t] == NULL || !is_shown(self, tone) ||
            tg_pair_picture_count(self->picture, TG_SIDE_REF, tone) +
                    tg_pair_picture_count(self->picture, TG_SIDE_HYP, tone) ==
                0)
            continue;
        self->samples[t] = (TgRect){ x, top + 9 * unit, x + 22 * unit, top + 23 * unit };
        x += 32 * unit;
        x += add_text(self, self->picture->tone_names[t], MAX_TEXT, "text", CAPTION_SIZE, QUIET_RGB,
                      x, top + BASELINE * unit) +
             (SPACE + 14) * unit;
        self->y = top + LINE * unit;
    }
}

/* ---- Drawings -------------------------------------------------------------------------------- */

/* The shown area: the drawing's frame, and a part of the ink beyond the page if there is any. */
static void choose_area(const Layout *self, const TgPairPanel *side, Place *out)
{
    const double beyond = BEYOND * self->unit;
    const TgDrawing *drawing = side->drawing;
    const TgRect page = side->page;
    TgRect ink;

    if (drawing == NULL)
        return;
    out->area = (TgRect){ 0, 0, drawing->frame.width, drawing->frame.height };
    if (!side->has_page ||
        !tg_locate_all(drawing->marks, drawing->n_marks, drawing->px_per_sp, &ink))
        return;
    ink = tg_rect_moved(ink, drawing->frame.origin_x, drawing->frame.origin_y);
    out->is_cut = ink.x0 < page.x0 - 1 || ink.x1 > page.x1 + 1 || ink.y0 < page.y0 - 1 ||
                  ink.y1 > page.y1 + 1;
    if (!out->is_cut)
        return;
    out->area.x0 = MIN(out->area.x0, MAX(ink.x0, page.x0 - beyond));
    out->area.y0 = MIN(out->area.y0, MAX(ink.y0, page.y0 - beyond));
    out->area.x1 = MAX(out->area.x1, MIN(ink.x1, page.x1 + beyond));
    out->area.y1 = MAX(out->area.y1, MIN(ink.y1, page.y1 + beyond));
}

static gint compare_marks(gconstpointer a, gconstpointer b)
{
    const TgPairMark *x = *(const TgPairMark *const *) a, *y = *(const TgPairMark *const *) b;
    const double at_x = x->box.x0 + x->box.x1, at_y = y->box.x0 + y->box.x1;

    return at_x != at_y ? (at_x > at_y) - (at_x < at_y) : (x > y) - (x < y);
}

/* Put labels in a row in the order of their boxes, each over the middle of its box or as near to it
 * as the label before allows. */
static void add_labels(Layout *self, TgPairSide side)
{
    const Place *place = &self->sides[side];
    const GArray *marks = self->picture->sides[side].marks;
    const TgLabels wanted = self->options->labels;
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();
    double free_from = MARGIN * self->unit;

    for (guint i = 0; i < marks->len; i++) {
        const TgPairMark *mark = mark_of(self, side, i);

        if (mark->label != NULL &&
            (wanted == TG_LABELS_ALL || (wanted == TG_LABELS_WRONG && mark->tone != TG_TONE_GOOD &&
                                         mark->tone != TG_TONE_FAINT)))
            g_ptr_array_add(sorted, (gpointer) mark);
    }
    if (sorted->len == 0)
        return;
    g_ptr_array_sort(sorted, compare_marks);
    for (guint i = 0; i < sorted->len; i++) {
        const TgPairMark *mark = g_ptr_array_index(sorted, i);
        const guint n = self->texts->len;
        const double middle = place->x + place->zoom * (mark->box.x0 + mark->box.x1) / 2;
        const double width = add_text(self, mark->label, MAX_LABEL, "text", LABEL_SIZE,
                                      looks[mark->tone].rgb, 0, self->y + 18 * self->unit);

        if (self->error != NULL)
            return;
        g_array_index(self->texts, Text, n).x = MAX(free_from, middle - width / 2);
        free_from = MAX(free_from, middle - width / 2) + width + SPACE * self->unit;
    }
    self->width = MAX(self->width, free_from + MARGIN * self->unit);
    self->y += LABEL_LINE * self->unit;
}

/* Labels of the reference stand above the drawing, labels of the prediction below. */
static void add_panel(Layout *self, TgPairSide side)
{
    Place *place = &self->sides[side];
    const double margin = MARGIN * self->unit;

    place->x = margin - place->zoom * place->area.x0;
    self->width = MAX(self->width, place->zoom * (place->area.x1 - place->area.x0) + 2 * margin);
    if (side == TG_SIDE_REF)
        add_labels(self, side);
    place->y = self->y - place->zoom * place->area.y0;
    self->y += place->zoom * (place->area.y1 - place->area.y0);
    if (side == TG_SIDE_HYP)
        add_labels(self, side);
}

/* ---- Lines between partners ------------------------------------------------------------------ */

/* Whether two matches stand in another order on the other side, beside or below each other. */
static gboolean changed_places(const Line *p, const Line *q, double unit)
{
    const double x = p->x[0] - q->x[0], x2 = p->x[1] - q->x[1];
    const double y = p->y[0] - q->y[0], y2 = p->y[1] - q->y[1];
    const double apart = APART * unit, below = BELOW * unit;

    if (x * x2 < 0 && ABS(x) > apart && ABS(x2) > apart)
        return TRUE;
    return y * y2 < 0 && ABS(y) > below && ABS(y2) > below && ABS(x) <= apart && ABS(x2) <= apart;
}

/* Choose the lines: they join parts that do not match, unless the label is the same, and parts that
 * changed places. */
static void choose_lines(Layout *self)
{
    const GArray *refs = self->picture->sides[TG_SIDE_REF].marks;
    GArray *lines = self->lines;

    for (guint i = 0; i < refs->len && !self->options->hide_lines; i++) {
        const TgPairMark *ref = mark_of(self, TG_SIDE_REF, i);

        if (ref->partner == TG_NO_MARK)
            continue;
        const TgPairMark *hyp = mark_of(self, TG_SIDE_HYP, ref->partner);
        const TgRect a = ref->box, b = hyp->box;
        const gboolean alike = self->options->labels != TG_LABELS_NONE && ref->label != NULL &&
                               g_strcmp0(ref->label, hyp->label) == 0;
        const Line line = {
            { i, ref->partner },
            { (a.x0 + a.x1) / 2, (b.x0 + b.x1) / 2 },
            { (a.y0 + a.y1) / 2, (b.y0 + b.y1) / 2 },
            ref->tone,
            self->options->everything || (is_shown(self, ref->tone) && !alike),
        };
        g_array_append_val(lines, line);
    }
    for (guint i = 0; i < lines->len && lines->len <= MAX_PAIRS; i++)
        for (guint k = i + 1; k < lines->len; k++) {
            Line *p = &g_array_index(lines, Line, i), *q = &g_array_index(lines, Line, k);

            if (p->tone == TG_TONE_GOOD && q->tone == TG_TONE_GOOD &&
                changed_places(p, q, self->unit))
                p->is_shown = q->is_shown = TRUE;
        }
    for (guint i = lines->len; i-- > 0;)
        if (!g_array_index(lines, Line, i).is_shown)
            g_array_remove_index(lines, i);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void lay_out(Layout *self)
{
    const TgPairPicture *picture = self->picture;
    const gboolean bare = self->options->bare;
    const double unit = self->unit;
    double width = 1;

    for (guint s = 0; s < TG_N_SIDES; s++) {
        choose_area(self, &picture->sides[s], &self->sides[s]);
        width = MAX(width, self->sides[s].area.x1 - self->sides[s].area.x0);
    }
    for (guint s = 0; s < TG_N_SIDES; s++) /* narrow drawings are enlarged, both alike */
        self->sides[s].zoom = bare ? 1 : CLAMP(WIDE * unit / width, 1, 2);
    choose_lines(self);

    self->y = MARGIN / 2 * unit;
    if (!bare && (picture->title != NULL || picture->name != NULL)) {
        add_line(self, picture->title, TEXT_RGB, picture->name, QUIET_RGB, TITLE_SIZE, 0);
        self->y += (TITLE_LINE - LINE) * unit;
    }
    if (!bare) {
        add_caption(self, TG_SIDE_REF);
        self->y += ABOVE * unit;
    }
    add_panel(self, TG_SIDE_REF);
    self->y += (self->lines->len > 0 ? LINES_GAP : GAP) * unit;
    add_panel(self, TG_SIDE_HYP);
    if (!bare) {
        self->y += ABOVE * unit;
        add_caption(self, TG_SIDE_HYP);
        self->y += picture->notes->len > 0 ? ABOVE * unit : 0;
        add_notes(self);
        add_legend(self);
    }
    self->y += MARGIN / 2 * unit;
}

static void add_rectangle(cairo_t *cr, TgRect box)
{
    cairo_rectangle(cr, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
}

static void paint_box(cairo_t *cr, TgRect box, TgTone tone, double unit)
{
    const double width = looks[tone].width * unit, out = width / 2 + unit;
    double dashes[G_N_ELEMENTS(looks[tone].dashes)];

    for (int i = 0; i < looks[tone].n_dashes; i++)
        dashes[i] = looks[tone].dashes[i] * unit;
    add_rectangle(cr, box);
    tg_set_color(cr, looks[tone].rgb, looks[tone].fill);
    cairo_fill(cr);
    /* the line goes around the ink */
    add_rectangle(cr, (TgRect){ box.x0 - out, box.y0 - out, box.x1 + out, box.y1 + out });
    cairo_set_dash(cr, dashes, looks[tone].n_dashes, 0);
    cairo_set_line_width(cr, width);
    tg_set_color(cr, looks[tone].rgb, 1);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0);
}

/* Colors of the ink of a side. */
typedef struct {
    const TgPairPanel *side;
    gboolean tint;
} Tint;

/* The color of a wrong part is the color of its tone; on request all marked parts have such
 * colors. */
static guint32 color_by_tone(const TgMark *mark, gconstpointer data)
{
    const Tint *tint = data;
    const TgPairPanel *side = tint->side;
    const guint owner =
        mark->token < side->drawing->n_tokens ? side->owner[mark->token] : TG_NO_MARK;

    if (owner == TG_NO_MARK)
        return mark->color;
    const TgTone tone = g_array_index(side->marks, TgPairMark, owner).tone;
    return tint->tint || (tone != TG_TONE_GOOD && tone != TG_TONE_FAINT) ? looks[tone].rgb
                                                                         : mark->color;
}

/* A TgMarkColor of one color, which @data points to. */
static guint32 color_plain(G_GNUC_UNUSED const TgMark *mark, gconstpointer data)
{
    return *(const guint32 *) data;
}

static void paint_clipped(cairo_t *cr, const TgDrawing *drawing, const TgRect *clip,
                          TgMarkColor color, gconstpointer data)
{
    cairo_save(cr);
    add_rectangle(cr, *clip);
    cairo_clip(cr);
    tg_paint_drawing(cr, drawing, color, data);
    cairo_restore(cr);
}

/* Paint the ink on the page over the same ink in gray, which shows beyond the edge of the page. */
static void paint_ink(cairo_t *cr, const Layout *self, TgPairSide which)
{
    const TgPairPanel *side = &self->picture->sides[which];
    const Place *place = &self->sides[which];
    const Tint tint = { side, self->options->tint };
    const guint32 beyond = BEYOND_RGB;
    const double dashes[] = { 8 * self->unit, 5 * self->unit };

    cairo_save(cr);
    cairo_translate(cr, place->x, place->y);
    cairo_scale(cr, place->zoom, place->zoom);
    if (place->is_cut) {
        paint_clipped(cr, side->drawing, &place->area, color_plain, &beyond);
        paint_clipped(cr, side->drawing, &side->page, color_by_tone, &tint);
    } else {
        tg_paint_drawing(cr, side->drawing, color_by_tone, &tint);
    }
    cairo_restore(cr);
    if (!place->is_cut)
        return;
    add_rectangle(cr, placed(place, (TgRect){ MAX(side->page.x0, place->area.x0),
                                              MAX(side->page.y0, place->area.y0),
                                              MIN(side->page.x1, place->area.x1),
                                              MIN(side->page.y1, place->area.y1) }));
    cairo_set_dash(cr, dashes, G_N_ELEMENTS(dashes), 0);
    cairo_set_line_width(cr, 2 * self->unit);
    tg_set_color(cr, EDGE_RGB, 1);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0);
}

static void paint_pair(cairo_t *cr, gconstpointer data)
{
    const Layout *self = data;

    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_scale(cr, self->scale, self->scale);
    for (guint i = 0; i < self->lines->len; i++) { /* the ink goes over them */
        const Line *line = &g_array_index(self->lines, Line, i);
        const TgRect a = placed(&self->sides[0], mark_of(self, 0, line->marks[0])->box);
        const TgRect b = placed(&self->sides[1], mark_of(self, 1, line->marks[1])->box);

        cairo_move_to(cr, (a.x0 + a.x1) / 2, a.y1);
        cairo_line_to(cr, (b.x0 + b.x1) / 2, b.y0);
        cairo_set_line_width(cr, 1.4 * self->unit);
        tg_set_color(cr, looks[line->tone].rgb, looks[line->tone].line);
        cairo_stroke(cr);
    }
    for (guint s = 0; s < TG_N_SIDES; s++) {
        if (self->picture->sides[s].drawing == NULL)
            continue;
        for (guint i = 0; i < self->picture->sides[s].marks->len; i++)
            if (is_shown(self, mark_of(self, s, i)->tone))
                paint_box(cr, placed(&self->sides[s], mark_of(self, s, i)->box),
                          mark_of(self, s, i)->tone, self->unit);
        paint_ink(cr, self, (TgPairSide) s);
    }
    for (guint i = 0; i < self->texts->len; i++) {
        const Text *text = &g_array_index(self->texts, Text, i);
        const TgFrame frame = tg_drawing_frame(text->drawing);

        cairo_save(cr);
        cairo_translate(cr, text->x - frame.origin_x, text->y - frame.origin_y);
        tg_paint_drawing(cr, text->drawing, color_plain, &text->rgb);
        cairo_restore(cr);
    }
    for (guint t = 0; t < TG_N_TONES; t++)
        if (self->samples[t].x1 > 0)
            paint_box(cr, self->samples[t], (TgTone) t, self->unit);
}

static void text_clear(gpointer data)
{
    tg_drawing_unref(((Text *) data)->drawing);
}

GBytes *tg_pair_picture_encode(const TgPairPicture *picture, TgRenderer *renderer,
                               TgPictureFormat format, const TgPairPictureOptions *options,
                               GError **error)
{
    TgPairPictureOptions how = TG_PAIR_PICTURE_OPTIONS_INIT;
    GBytes *bytes = NULL;

    g_return_val_if_fail(picture != NULL && renderer != NULL, NULL);
    if (options != NULL)
        TG_COPY_OPTIONS(how, options);
    if (!(how.scale >= 0.05 && how.scale <= 20))
        return tg_null(error, TG_ERROR_USAGE, "the scale must be 0.05 to 20");
    Layout layout = { .picture = picture,
                      .options = &how,
                      .renderer = renderer,
                      .dpi = BASE_DPI,
                      .texts = g_array_new(FALSE, FALSE, sizeof(Text)),
                      .lines = g_array_new(FALSE, FALSE, sizeof(Line)) };
    for (guint s = TG_N_SIDES; s-- > 0;)
        if (picture->sides[s].drawing != NULL)
            layout.dpi = picture->sides[s].drawing->dpi;
    layout.unit = layout.dpi / BASE_DPI;
    g_array_set_clear_func(layout.texts, text_clear);
    lay_out(&layout);
    if (layout.error != NULL) {
        g_propagate_error(error, layout.error);
    } else {
        /* smaller where the picture would be too large */
        const double most = TG_CANVAS_MAX_SIDE - 1;
        layout.scale = MIN(how.scale, MIN(most / layout.width, most / layout.y));
        if (format == TG_FORMAT_PNG)
            layout.scale = MIN(layout.scale, sqrt(MAX_PIXELS / (layout.width * layout.y)));
        const TgCanvas canvas = { (guint) ceil(layout.width * layout.scale),
                                  (guint) ceil(layout.y * layout.scale), layout.dpi };
        bytes = tg_canvas_encode(&canvas, format, paint_pair, &layout, error);
    }
    g_array_unref(layout.texts);
    g_array_unref(layout.lines);
    return bytes;
}
