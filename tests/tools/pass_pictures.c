/*
 * Draws one formula after each pass of typesetting, for docs/background/typesetting.md: the tree,
 * the noads, the boxes with their outlines, the flat list with its reference points.
 *
 *   pass_pictures FOLDER [FORMULA]
 */
#include <cairo-svg.h>
#include <fontconfig/fontconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/paint/drawing.h"
#include "render/typeset/typeset.h"
#include "tokenizer/latex/parse.h"

#define DEFAULT_FORMULA "\\sum_{i=1}^{n}\\frac{\\hat{x}_i^2}{\\sqrt{1+a}}"
#define FONT            "DejaVu Sans Mono"
#define TEXT_PX         12.0
#define LINE_PX         19.0
#define INDENT_PX       22.0
#define MARGIN_PX       12.0
#define GLYPH_PX        16.0 /* of a character beside its noad */
#define PX_PER_PT       7.0  /* of the formula */
#define PX_PER_SP       (PX_PER_PT / TG_SP_PER_PT)
#define TABLE_PX        330.0 /* width of the table of marks */

typedef struct {
    TgLayout *layout;
    TgTree *tree;
    const TgItem *box;
    GArray *marks;
} Passes;

/* ---- Outlines of nested things --------------------------------------------------------------- */

/* One line of a list in which depth is shown by indentation, perhaps with a character of a font. */
typedef struct {
    guint depth;
    char *text;
    const TgOutline *glyph;
} Line;

static void line_clear(gpointer data)
{
    g_free(((Line *) data)->text);
}

static GArray *lines_new(void)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(Line));

    g_array_set_clear_func(lines, line_clear);
    return lines;
}

static void add_line(GArray *lines, guint depth, const TgOutline *glyph, char *text)
{
    const Line line = { depth, text, glyph };

    g_array_append_val(lines, line);
}

static void show(cairo_t *cr, double x, double y, const char *text)
{
    cairo_move_to(cr, x, y);
    cairo_show_text(cr, text);
}

/* Draw a branch from each line to its parent line. */
static void draw_branches(cairo_t *cr, const GArray *lines)
{
    cairo_set_source_rgb(cr, 0.65, 0.65, 0.65);
    cairo_set_line_width(cr, 1);
    for (guint i = 1; i < lines->len; i++) {
        const guint depth = g_array_index(lines, Line, i).depth;
        guint parent = i;
        while (parent > 0 && g_array_index(lines, Line, parent).depth >= depth)
            parent--;
        const double x = MARGIN_PX + (depth - 1) * INDENT_PX + 5.5;
        const double y = MARGIN_PX + i * LINE_PX + LINE_PX / 2 + 0.5;
        cairo_move_to(cr, x, MARGIN_PX + (parent + 1) * LINE_PX);
        cairo_line_to(cr, x, y);
        cairo_line_to(cr, x + INDENT_PX - 9, y);
        cairo_stroke(cr);
    }
}

static cairo_t *open_svg(const char *folder, const char *name, double width, double height)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    cairo_surface_t *surface = cairo_svg_surface_create(path, width, height);
    cairo_t *cr = cairo_create(surface);

    cairo_surface_destroy(surface);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_select_font_face(cr, FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, TEXT_PX);
    return cr;
}

static void draw_lines(const char *folder, const char *name, const GArray *lines, double width)
{
    cairo_t *cr = open_svg(folder, name, width, 2 * MARGIN_PX + lines->len * LINE_PX);

    draw_branches(cr, lines);
    cairo_set_source_rgb(cr, 0, 0, 0);
    for (guint i = 0; i < lines->len; i++) {
        const Line *line = &g_array_index(lines, Line, i);
        const double x = MARGIN_PX + line->depth * INDENT_PX;
        const double y = MARGIN_PX + i * LINE_PX + LINE_PX * 0.7;
        cairo_text_extents_t extents;

        show(cr, x, y, line->text);
        if (line->glyph == NULL)
            continue;
        cairo_text_extents(cr, line->text, &extents);
        /* large symbols hang from their baseline: they are centered on the line */
        const double middle = (line->glyph->y_min + line->glyph->y_max) / 2 * GLYPH_PX;
        const double down = line->glyph->y_min < -0.5 ? middle - 0.3 * TEXT_PX : 0;
        tg_outline_path(cr, line->glyph, x + extents.x_advance + 10, y + down, GLYPH_PX, GLYPH_PX);
        cairo_fill(cr);
    }
    cairo_destroy(cr);
}

/* ---- The tree -------------------------------------------------------------------------------- */

static void add_node(GArray *lines, const Passes *passes, const TgNode *node, const char *role,
                     guint depth)
{
    const char *source = passes->tree->source;
    GString *text = g_string_new(NULL);
    TgChildIter iter = tg_child_iter(node);

    if (role != NULL)
        g_string_append_printf(text, "%s: ", role);
    g_string_append(text, tg_node_kinds[node->kind].name);
    if (node->token != TG_NO_TOKEN) {
        const TgInkToken *token = &passes->tree->tokens[node->token];
        g_string_append_printf(text, "  %.*s", (int) (token->end - token->start),
                               source + token->start);
        g_string_append_printf(text, "  (token %u)", node->token);
    }
    add_line(lines, depth, NULL, g_string_free(text, FALSE));
    for (const TgNode *child = tg_child_iter_next(&iter); child != NULL;
         child = tg_child_iter_next(&iter))
        add_node(lines, passes, child, node->kind == TG_NODE_LIST ? NULL : tg_role_names[iter.role],
                 depth + 1);
}

static void draw_tree(const char *folder, const Passes *passes)
{
    g_autoptr(GArray) lines = lines_new();

    add_node(lines, passes, passes->tree->root, NULL, 0);
    draw_lines(folder, "typesetting-1-tree.svg", lines, 460);
}

/* ---- Noads ----------------------------------------------------------------------------------- */

static void add_mlist(GArray *lines, const Passes *passes, const TgNoad *mlist, guint depth);

static const char *noad_name(const TgNoad *noad)
{
    static const char *const names[] = { "Ord",   "Op",    "Bin",    "Rel",     "Open",
                                         "Close", "Punct", "Inner",  "Radical", "Fraction",
                                         "Under", "Over",  "Accent", "Vcenter" };

    return noad->type < G_N_ELEMENTS(names) ? names[noad->type] : "(no atom)";
}

/* A character: its font at the size of text, its slot, its shape. */
static void add_char(GArray *lines, const Passes *passes, const char *role, guint font, guint slot,
                     guint depth)
{
    const TgFont *at = tg_math_font_at(passes->layout, font, TG_MATH_TEXT);

    add_line(lines, depth, at != NULL ? tg_face_outline(at->face, slot, NULL) : NULL,
             g_strdup_printf("%s: %s 0x%02X", role, at != NULL ? at->name : "?", slot));
}

static void add_field(GArray *lines, const Passes *passes, const char *role, const TgField *field,
                      guint depth)
{
    switch ((TgFieldKind) field->kind) {
    case TG_FIELD_EMPTY:
        break;
    case TG_FIELD_CHAR:
        add_char(lines, passes, role, field->font, field->slot, depth);
        break;
    case TG_FIELD_LIST:
        add_line(lines, depth, NULL, g_strdup_printf("%s: list", role));
        add_mlist(lines, passes, field->u.list, depth + 1);
        break;
    case TG_FIELD_BOX:
    case TG_FIELD_DEFERRED:
        add_line(lines, depth, NULL, g_strdup_printf("%s: box", role));
        break;
    }
}

static void add_mlist(GArray *lines, const Passes *passes, const TgNoad *mlist, guint depth)
{
    for (const TgNoad *noad = mlist; noad != NULL; noad = noad->next) {
        add_line(lines, depth, NULL, g_strdup(noad_name(noad)));
        if (noad->type == TG_NOAD_FRACTION) {
            add_field(lines, passes, "num", &noad->u.fraction.num, depth + 1);
            add_field(lines, passes, "den", &noad->u.fraction.den, depth + 1);
            continue;
        }
        if (noad->type == TG_NOAD_ACCENT)
            add_char(lines, passes, "accent", noad->u.accent.font, noad->u.accent.slot, depth + 1);
        if (noad->type == TG_NOAD_RADICAL)
            add_char(lines, passes, "sign", noad->u.delimiter.small_font,
                     noad->u.delimiter.small_slot, depth + 1);
        add_field(lines, passes, "nucleus", &noad->nucleus, depth + 1);
        add_field(lines, passes, "sub", &noad->sub, depth + 1);
        add_field(lines, passes, "sup", &noad->sup, depth + 1);
    }
}

static void draw_noads(const char *folder, const Passes *passes)
{
    g_autoptr(GArray) lines = lines_new();
    TgLayout *layout = passes->layout;

    /* in the state that a formula which is set leaves */
    tg_layout_tree(layout, passes->tree, TG_DISPLAY, NULL);
    layout->budget = passes->tree->n_nodes;
    tg_enter_math(layout, TG_DISPLAY);
    add_line(lines, 0, NULL, g_strdup("math list"));
    add_mlist(lines, passes, tg_build_mlist(layout, passes->tree->root), 1);
    draw_lines(folder, "typesetting-2-noads.svg", lines, 460);
}

/* ---- Marks ----------------------------------------------------------------------------------- */

static void draw_mark(cairo_t *cr, const TgMark *mark)
{
    const double x = (double) mark->x * PX_PER_SP, y = (double) mark->y * PX_PER_SP;
    const double size = (double) mark->size * PX_PER_SP;

    if (mark->kind == TG_MARK_GLYPH)
        tg_outline_path(cr, mark->outline, x, y, size, size);
    else
        cairo_rectangle(cr, x, y, (double) mark->width * PX_PER_SP,
                        (double) mark->height * PX_PER_SP);
    cairo_fill(cr);
}

static void draw_marks(cairo_t *cr, const GArray *marks, double gray)
{
    cairo_set_source_rgb(cr, gray, gray, gray);
    for (guint i = 0; i < marks->len; i++)
        draw_mark(cr, &g_array_index(marks, TgMark, i));
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

static void draw_kern(cairo_t *cr, double x, double y, double dx, double dy)
{
    static const double dashes[] = { 2, 2 };

    cairo_set_source_rgb(cr, 0.1, 0.6, 0.1);
    cairo_set_line_width(cr, 2);
    cairo_set_dash(cr, dashes, 2, 0);
    cairo_move_to(cr, x, y);
    cairo_rel_line_to(cr, dx, dy);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0);
}

static void draw_outline(cairo_t *cr, const TgItem *item, double x, double y)
{
    static const double dashes[] = { 4, 3 };
    const double width = (double) item->width * PX_PER_SP;
    const double height = (double) item->height * PX_PER_SP;
    const double depth = (double) item->depth * PX_PER_SP;
    const gboolean vertical = item->kind == TG_ITEM_VBOX;

    cairo_set_source_rgb(cr, vertical ? 0.85 : 0.1, 0.2, vertical ? 0.1 : 0.85);
    cairo_set_line_width(cr, vertical ? 1.4 : 0.7);
    cairo_rectangle(cr, x, y - height, width, height + depth);
    cairo_stroke(cr);
    cairo_set_line_width(cr, 0.5);
    cairo_set_dash(cr, dashes, 2, 0);
    cairo_move_to(cr, x, y);
    cairo_rel_line_to(cr, width, 0);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0);
}

/* Draw the outlines of a box and of all boxes in it, at the places that render/paint/flat.c
 * gives. */
static void draw_box(cairo_t *cr, const TgItem *box, double x, double y)
{
    const gboolean vertical = box->kind == TG_ITEM_VBOX;
    const double left = x;

    draw_outline(cr, box, x, y);
    if (vertical)
        y -= (double) box->height * PX_PER_SP;
    for (const TgItem *item = box->list; item != NULL; item = item->next) {
        const double width = (double) item->width * PX_PER_SP;
        const double shift = (double) item->shift * PX_PER_SP;
        const double height = (double) item->height * PX_PER_SP;

        if (item->kind == TG_ITEM_KERN && vertical)
            draw_kern(cr, left + 1, y, 0, width);
        else if (item->kind == TG_ITEM_KERN)
            draw_kern(cr, x, y, width, 0);
        else if (item->kind == TG_ITEM_HBOX || item->kind == TG_ITEM_VBOX)
            draw_box(cr, item, vertical ? left + shift : x, vertical ? y + height : y + shift);
        if (!vertical)
            x += width;
        else if (item->kind == TG_ITEM_KERN)
            y += width;
        else
            y += height + (double) item->depth * PX_PER_SP;
    }
}

/* A picture with room for the formula, its origin at the start of the baseline; @right: more room.
 */
static cairo_t *open_formula(const char *folder, const char *name, const Passes *passes,
                             double right, double least_height)
{
    const double height = (double) passes->box->height * PX_PER_SP;
    const double depth = (double) passes->box->depth * PX_PER_SP;
    cairo_t *cr =
        open_svg(folder, name, (double) passes->box->width * PX_PER_SP + 2 * MARGIN_PX + right,
                 MAX(height + depth + 2 * MARGIN_PX, least_height));

    cairo_translate(cr, MARGIN_PX, MARGIN_PX + height);
    return cr;
}

static void draw_boxes(const char *folder, const Passes *passes)
{
    cairo_t *cr = open_formula(folder, "typesetting-3-boxes.svg", passes, 0, 0);

    draw_marks(cr, passes->marks, 0.75);
    draw_box(cr, passes->box, 0, 0);
    cairo_destroy(cr);
}

/* ---- The flat list --------------------------------------------------------------------------- */

static char *describe_mark(const Passes *passes, guint i)
{
    const TgMark *mark = &g_array_index(passes->marks, TgMark, i);
    const char *source = passes->tree->source;
    static const TgInkToken nobody;
    const TgInkToken *token =
        mark->token < passes->tree->n_tokens ? &passes->tree->tokens[mark->token] : &nobody;

    return g_strdup_printf("%2u %-5s %-6.*s x %6.2f y %6.2f pt", i,
                           mark->kind == TG_MARK_GLYPH ? "glyph" : "rule",
                           (int) (token->end - token->start), source + token->start,
                           (double) mark->x / TG_SP_PER_PT, (double) mark->y / TG_SP_PER_PT);
}

static void draw_flat_list(const char *folder, const Passes *passes)
{
    const guint n = passes->marks->len;
    cairo_t *cr = open_formula(folder, "typesetting-4-flat.svg", passes, TABLE_PX,
                               2 * MARGIN_PX + n * LINE_PX);
    const double table_x = (double) passes->box->width * PX_PER_SP + 2 * MARGIN_PX;
    const double top = -(double) passes->box->height * PX_PER_SP;

    draw_marks(cr, passes->marks, 0.75);
    for (guint i = 0; i < n; i++) {
        const TgMark *mark = &g_array_index(passes->marks, TgMark, i);
        const double x = (double) mark->x * PX_PER_SP, y = (double) mark->y * PX_PER_SP;
        const TgRect ink = tg_mark_ink(mark, PX_PER_SP);
        g_autofree char *text = describe_mark(passes, i);
        g_autofree char *number = g_strdup_printf("%u", i);

        cairo_set_source_rgb(cr, 0.1, 0.2, 0.85);
        cairo_set_line_width(cr, 0.6);
        cairo_rectangle(cr, ink.x0, ink.y0, ink.x1 - ink.x0, ink.y1 - ink.y0);
        cairo_stroke(cr);
        cairo_set_source_rgb(cr, 0.85, 0.1, 0.1);
        cairo_arc(cr, x, y, 2.5, 0, 2 * G_PI);
        cairo_fill(cr);
        cairo_set_font_size(cr, 10);
        show(cr, ink.x0, ink.y0 - 2, number);
        cairo_set_font_size(cr, TEXT_PX);
        cairo_set_source_rgb(cr, 0, 0, 0);
        show(cr, table_x, top + (i + 0.7) * LINE_PX, text);
    }
    cairo_destroy(cr);
}

/* ---- All of them ----------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    const char *formula = argc > 2 ? argv[2] : DEFAULT_FORMULA;
    g_autoptr(GError) error = NULL;

    if (argc < 2) {
        fprintf(stderr, "usage: pass_pictures FOLDER [FORMULA]\n");
        return 2;
    }
    g_autoptr(TgFonts) fonts = tg_fonts_new(&error);
    g_autoptr(TgLayout) layout = fonts != NULL ? tg_layout_new(fonts) : NULL;
    const TgParseOptions options = { .strict = TRUE };
    g_autoptr(TgTree) tree = tg_tree_parse(formula, strlen(formula), &options, &error);
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(TgMark));
    if (layout == NULL || tree == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    Passes passes = { .layout = layout, .tree = tree, .marks = marks };

    draw_tree(argv[1], &passes);
    draw_noads(argv[1], &passes);
    passes.box = tg_layout_tree(layout, tree, TG_DISPLAY, &error);
    if (passes.box == NULL || !tg_flatten(passes.box, marks, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    draw_boxes(argv[1], &passes);
    draw_flat_list(argv[1], &passes);
    /* the leak checker cannot follow fontconfig's pointers, which Cairo keeps for its texts */
    cairo_debug_reset_static_data();
    FcFini();
    return EXIT_SUCCESS;
}
