/* Where KaTeX puts the characters of a formula: its boxes, with the widths of Times.
 *
 * The sections stand in the order in which they use each other; KaTeX's own file is in brackets:
 *   Styles, sizes, parameters   lengths of a style [Options.js, fontMetricsData.js]
 *   Boxes                       rows, columns, scaled boxes [buildCommon.js]
 *   Symbols                     one character in the font in force [buildCommon.js]
 *   Lists                       joined characters, space between atoms [buildHTML.js]
 *   Delimiters                  glyphs and pieces that are high enough [delimiter.js]
 *   Scripts and operators       scripts, limits [supsub.js, op.js, assembleSupSub.js]
 *   Fractions, roots, accents, bars [genfrac.js, sqrt.js, accent.js, overline.js]
 *   Arrays                      [array.js]
 *   All nodes                   build_group() sends each node to its function; small ones are there
 *   From boxes to symbols       places in px, as a browser rounds them
 * To follow a formula, begin with tg_katex_set() at the end. */
#include "metrics/olmocr/katex.h"

#include <math.h>
#include <string.h>

#include "core/search.h"

/* Size of text in px: 24 px times 1.21. */
#define PX_PER_EM 29.04

/* ---- Styles, sizes, parameters --------------------------------------------------------------- */

/* TeX's styles, the cramped one of each after it. */
enum { DISPLAY = 0, TEXT_STYLE = 2, SCRIPT_STYLE = 4, SCRIPTSCRIPT = 6, CRAMPED = 1 };

enum { BASE_SIZE = 6 };

typedef struct {
    TgArena *arena;
    guint64 *budget; /* of nodes that may still be set */
    guint style, size, text_size;
    const char *font;                    /* of mathematics, as "mathbf"; NULL: none */
    const char *family, *weight, *shape; /* of text, "" for the usual one */
} Options;

static double multiplier_of(Options options)
{
    static const double multipliers[] = { .5, .6, .7, .8, .9, 1, 1.2, 1.44, 1.728, 2.074, 2.488 };

    return multipliers[options.size - 1];
}

static Options with_style(Options options, guint style)
{
    static const guint8 sizes[][2] = { { 1, 1 }, { 1, 1 }, { 1, 1 }, { 2, 1 }, { 2, 1 }, { 3, 1 },
                                       { 4, 2 }, { 6, 3 }, { 7, 6 }, { 8, 7 }, { 10, 9 } };

    options.style = style;
    options.size = style < SCRIPT_STYLE ? options.text_size
                                        : sizes[options.text_size - 1][style >= SCRIPTSCRIPT];
    return options;
}

/* The style of text in this style: TEXT_STYLE where it is one of scripts. */
static guint text_of_style(guint style)
{
    return style < TEXT_STYLE ? style : TEXT_STYLE + (style & CRAMPED);
}

static Options with_base_style(Options options, guint style)
{
    options.text_size = BASE_SIZE;
    return with_style(options, style);
}

static Options with_cramped(Options options)
{
    return with_style(options, options.style | CRAMPED);
}

static guint sup_style(guint style)
{
    return style < SCRIPT_STYLE ? SCRIPT_STYLE + (style & CRAMPED)
                                : SCRIPTSCRIPT + (style & CRAMPED);
}

static guint sub_style(guint style)
{
    return sup_style(style) | CRAMPED;
}

static gboolean is_tight(Options options)
{
    return options.style >= SCRIPT_STYLE;
}

static gboolean is_display(Options options)
{
    return options.style < TEXT_STYLE;
}

/* Parameters of Computer Modern's symbols at the three sizes, in em of each. */
typedef struct {
    double x_height, quad, num1, num2, num3, denom1, denom2, sup1, sup2, sup3, sub1, sub2, sup_drop,
        sub_drop, delim1, delim2, axis, rule;
} Metrics;

static const Metrics *metrics_of(Options options)
{
    static const Metrics metrics[] = {
        { .431, 1, .677, .394, .444, .686, .345, .413, .363, .289, .15, .247, .386, .05, 2.39, 1.01,
          .25, .04 },
        { .431, 1.171, .732, .384, .471, .752, .344, .503, .431, .286, .143, .286, .353, .071, 1.7,
          1.157, .25, .049 },
        { .431, 1.472, .925, .387, .504, 1.025, .532, .504, .404, .294, .2, .4, .494, .1, 1.98,
          1.42, .25, .049 },
    };

    return &metrics[options.size >= 5 ? 0 : options.size >= 3 ? 1 : 2];
}

/* A length in em of the font in force; one without a unit is 0. */
static double length_of(TgKatexLength length, Options options)
{
    static const struct {
        const char *unit;
        double points;
    } units[] = { { "pt", 1 },
                  { "mm", 7227. / 2540 },
                  { "cm", 7227. / 254 },
                  { "in", 72.27 },
                  { "bp", 803. / 800 },
                  { "pc", 12 },
                  { "dd", 1238. / 1157 },
                  { "cc", 14856. / 1157 },
                  { "nd", 685. / 642 },
                  { "nc", 1370. / 107 },
                  { "sp", 1. / 65536 },
                  { "px", 803. / 800 } };

    const double number = CLAMP(length.number, -1e6, 1e6);

    for (guint i = 0; i < G_N_ELEMENTS(units); i++)
        if (strcmp(units[i].unit, length.unit) == 0)
            return number * units[i].points / 10 / multiplier_of(options);
    if (strcmp(length.unit, "mu") == 0)
        return number * metrics_of(options)->quad / 18;
    const Options text =
        is_tight(options) ? with_style(options, text_of_style(options.style)) : options;
    const double unit = length.unit[1] == 'x' ? metrics_of(text)->x_height : metrics_of(text)->quad;
    return number * unit * multiplier_of(text) / multiplier_of(options);
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

/* Lengths in em of the box around; those of children in em of the box, times @scale. */
typedef struct Box Box;
struct Box {
    TgKatexClass type;
    gboolean is_fragment; /* a row that becomes part of a list around it */
    gboolean is_symbol, is_space, is_newline, is_tight, is_middle;
    double width, height, depth, italic, skew;
    double x, y;  /* of its reference point in the box around, y downwards */
    double scale; /* of what is in it */
    double gap;   /* of a line end */
    const char *text, *font, *family, *weight, *shape;
    Box *next, *first;
};

static Box *build_group(TgKatexNode *node, Options options);
static Box *build_expression(TgKatexNode *list, Options options, gboolean real, gboolean root,
                             TgKatexClass left, TgKatexClass right);

static Box *box_new(TgKatexClass type, Options options)
{
    Box *box = tg_arena_zeros(options.arena, sizeof *box);

    box->type = type;
    box->is_tight = is_tight(options);
    box->scale = 1;
    return box;
}

/* The link at the end of a list of boxes. */
static Box **find_end(Box **link)
{
    while (*link != NULL)
        link = &(*link)->next;
    return link;
}

/* Boxes side by side. */
static Box *box_row(TgKatexClass type, Box *list, Options options)
{
    Box *box = box_new(type, options);

    box->first = list;
    for (Box *child = list; child != NULL; child = child->next) {
        child->x += box->width;
        box->width += child->width;
        box->height = MAX(box->height, child->height);
        box->depth = MAX(box->depth, child->depth);
    }
    return box;
}

/* A box as large as its contents times @factor. */
static Box *box_scaled(Box *inner, double factor, Options options)
{
    Box *box = box_new(NONE, options);

    *box = (Box){ .type = inner->type,
                  .is_tight = inner->is_tight,
                  .is_space = inner->is_space,
                  .is_newline = inner->is_newline,
                  .gap = inner->gap,
                  .width = inner->width * factor,
                  .height = inner->height * factor,
                  .depth = inner->depth * factor,
                  .italic = inner->italic,
                  .skew = inner->skew,
                  .scale = factor,
                  .first = inner };
    inner->next = NULL;
    return box;
}

static Box *box_sized(TgKatexClass type, double width, double height, double depth, Options options)
{
    Box *box = box_new(type, options);

    box->width = width;
    box->height = height;
    box->depth = depth;
    return box;
}

static Box *box_space(double width, Options options)
{
    Box *box = box_sized(NONE, width, 0, 0, options);

    box->is_space = TRUE;
    return box;
}

/* A part of a vertical list: a box, or space. */
typedef struct {
    Box *box;
    double kern;
    double shift;       /* of its reference point, downwards */
    double left, right; /* margins at its sides */
} Line;

/* Boxes above each other, the lowest one first. @base: the line that stands at its shift, while the
 * others touch it; -1: each stands at its own; @align: 0 left, .5 centered, 1 right */
static Box *box_column(gint base, const Line *lines, guint n, double align, Options options)
{
    Box *box = box_new(NONE, options), **end = &box->first;
    const Line *fixed = &lines[MAX(base, 0)];
    double position = -fixed->shift - fixed->box->depth;

    for (const Line *line = lines; line < fixed; line++)
        position -= line->box != NULL ? line->box->height + line->box->depth : line->kern;
    double top = position, low = position;
    for (guint i = 0; i < n; i++) {
        Box *child = lines[i].box;
        if (child == NULL) {
            position += lines[i].kern;
        } else {
            if (base < 0)
                position = -lines[i].shift - child->depth;
            child->y = -(position + child->depth);
            position += child->height + child->depth;
            box->width = MAX(box->width, lines[i].left + child->width + lines[i].right);
            *end = child;
            end = &child->next;
        }
        top = MAX(top, position);
        low = MIN(low, position);
    }
    *end = NULL;
    box->height = top;
    box->depth = -low;
    for (guint i = 0; i < n; i++)
        if (lines[i].box != NULL) {
            const double width = lines[i].left + lines[i].box->width + lines[i].right;
            lines[i].box->x = lines[i].left + align * (box->width - width);
        }
    return box;
}

/* The box of a node in @inner options, in em of @outer. */
static Box *build_in(TgKatexNode *node, Options inner, Options outer)
{
    Box *box = build_group(node, inner);

    return inner.size == outer.size
               ? box
               : box_scaled(box, multiplier_of(inner) / multiplier_of(outer), outer);
}

/* ---- Symbols --------------------------------------------------------------------------------- */

static Box *box_symbol(TgKatexClass type, const char *shown, TgKatexFont font, const char *css,
                       gboolean in_text, Options options)
{
    const TgKatexGlyph *glyph = tg_katex_glyph(font, shown, in_text);
    const gboolean slanted = font == MATH || font == MATH_BOLD || font == ITALIC ||
                             font == BOLD_ITALIC || font == SANS_ITALIC;
    const gboolean bold =
        font == BOLD || font == MATH_BOLD || font == BOLD_ITALIC || font == SANS_BOLD;
    Box *box = box_new(type, options);

    box->is_symbol = TRUE;
    box->text = shown;
    box->font = css;
    box->family = box->weight = box->shape = "";
    if (glyph != NULL) {
        box->height = glyph->height;
        box->depth = glyph->depth;
        box->italic = in_text || (options.font != NULL && strcmp(options.font, "mathit") == 0)
                          ? 0
                          : glyph->italic;
        box->skew = glyph->skew;
    }
    box->width = tg_times_width(shown, slanted, bold) + box->italic;
    return box;
}

static TgKatexFont text_font_of(Options options)
{
    const gboolean bold = strcmp(options.weight, "textbf") == 0;
    const gboolean italic = strcmp(options.shape, "textit") == 0;

    if (strcmp(options.family, "textsf") == 0)
        return bold ? SANS_BOLD : italic ? SANS_ITALIC : SANS;
    if (strcmp(options.family, "texttt") == 0)
        return TT;
    return bold && italic ? BOLD_ITALIC : bold ? BOLD : italic ? ITALIC : MAIN;
}

/* A letter of one of Unicode's alphabets as the plain one, and its font; NULL: none of these. */
static const char *plain_letter(gunichar code, TgKatexFont *font, const char **css, Options options)
{
    static const struct {
        gunichar first;
        TgKatexFont font;
        const char *css, *letters;
    } alphabets[] = {
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGITS  "0123456789"
        { 0x1D400, BOLD, "mathbf", LETTERS },
        { 0x1D434, MATH, "mathnormal", LETTERS },
        { 0x1D468, MATH_BOLD, "boldsymbol", LETTERS },
        /* KaTeX knows the capital script letters and k */
        { 0x1D49C, SCRIPT, "mathscr", "ABCDEFGHIJKLMNOPQRSTUVWXYZ          k" },
        { 0x1D504, FRAK, "mathfrak", LETTERS },
        { 0x1D538, AMS, "mathbb", LETTERS },
        { 0x1D56C, FRAK, "mathboldfrak", LETTERS },
        { 0x1D5A0, SANS, "mathsf", LETTERS },
        { 0x1D5D4, SANS_BOLD, "mathboldsf", LETTERS },
        { 0x1D608, SANS_ITALIC, "mathitsf", LETTERS },
        { 0x1D670, TT, "mathtt", LETTERS },
        { 0x1D7CE, BOLD, "mathbf", DIGITS },
        { 0x1D7E2, SANS, "mathsf", DIGITS },
        { 0x1D7EC, SANS_BOLD, "mathboldsf", DIGITS },
        { 0x1D7F6, TT, "mathtt", DIGITS },
    };
    char letter = ' ';

    for (guint i = 0; i < G_N_ELEMENTS(alphabets); i++)
        if (code >= alphabets[i].first &&
            code - alphabets[i].first < strlen(alphabets[i].letters)) {
            letter = alphabets[i].letters[code - alphabets[i].first];
            *font = alphabets[i].font;
            *css = alphabets[i].css;
        }
    return letter != ' ' ? tg_arena_text(options.arena, &letter, 1) : NULL;
}

/* An ordinary symbol in the fonts in force. */
static Box *build_ord(const char *shown, gboolean letter, gboolean in_text, TgKatexFont own,
                      Options options)
{
    TgKatexFont font = own;
    const char *css = "";

    if ((guchar) shown[0] >= 0xF0) {
        const char *plain = plain_letter(g_utf8_get_char(shown), &font, &css, options);
        if (plain != NULL)
            return box_symbol(ORD, plain, font, css, in_text, options);
    }
    if (options.font != NULL) {
        if (strcmp(options.font, "boldsymbol") == 0) {
            const gboolean slanted = letter && tg_katex_glyph(MATH_BOLD, shown, in_text) != NULL;
            font = slanted ? MATH_BOLD : BOLD;
            css = slanted ? "boldsymbol" : "mathbf";
        } else {
            const TgKatexMathFont *row = tg_katex_math_font(options.font);
            font = row != NULL ? row->font : own;
            css = options.font;
        }
        if (tg_katex_glyph(font, shown, in_text) != NULL)
            return box_symbol(ORD, shown, font, css, in_text, options);
    }
    if (letter)
        return box_symbol(ORD, shown, MATH, "mathnormal", in_text, options);
    if (own == AMS)
        return box_symbol(ORD, shown, AMS, "amsrm", in_text, options);
    Options text = options;
    if (!in_text || options.font != NULL ||
        tg_katex_glyph(text_font_of(options), shown, in_text) == NULL)
        text.family = "";
    Box *box = box_symbol(ORD, shown, text_font_of(text), "", in_text, options);
    box->family = text.family;
    box->weight = text.weight;
    box->shape = text.shape;
    return box;
}

static Box *build_symbol(const TgKatexNode *node, Options options)
{
    const TgKatexSymbol *symbol = tg_katex_symbol(node->text);
    const TgKatexFont own = symbol != NULL && !node->in_text ? symbol->font : MAIN;
    const char *shown = tg_katex_shown(node->text, node->in_text);

    if (node->class == SPACE) {
        if (strcmp(node->text, "\\nobreak") == 0 || strcmp(node->text, "\\allowbreak") == 0)
            return box_space(0, options);
        if (!node->in_text)
            return box_space(.25, options);
        return build_ord("\u00a0", FALSE, TRUE, MAIN, options);
    }
    if (node->class == ORD || node->class == LETTER)
        return build_ord(shown, node->class == LETTER, node->in_text, own, options);
    const gboolean bold = options.font != NULL && strcmp(options.font, "boldsymbol") == 0 &&
                          tg_katex_glyph(BOLD, shown, node->in_text) != NULL;
    const char *css = bold ? "mathbf" : own == AMS ? "amsrm" : "";
    return box_symbol(node->class, shown, bold ? BOLD : own, css, node->in_text, options);
}

/* Whether two neighbors become one element. */
static gboolean can_join(const Box *a, const Box *b)
{
    return a->is_symbol && b->is_symbol && a->type == b->type && a->is_tight == b->is_tight &&
           a->skew == b->skew && a->scale == b->scale && strcmp(a->font, b->font) == 0 &&
           strcmp(a->family, b->family) == 0 && strcmp(a->weight, b->weight) == 0 &&
           strcmp(a->shape, b->shape) == 0;
}

static void join_symbols(Box *list, Options options)
{
    for (Box *box = list; box != NULL; box = box->next) {
        gsize length = box->text != NULL ? strlen(box->text) : 0;
        Box *end = box;
        for (; end->next != NULL && can_join(end, end->next); end = end->next)
            length += strlen(end->next->text);
        if (end == box)
            continue;
        char *text = tg_arena_alloc(options.arena, length + 1), *p = g_stpcpy(text, box->text);
        for (const Box *next = box->next; next != end->next; next = next->next) {
            p = g_stpcpy(p, next->text);
            box->width += next->width - box->italic;
            box->italic = next->italic;
            box->height = MAX(box->height, next->height);
            box->depth = MAX(box->depth, next->depth);
        }
        box->text = text;
        box->next = end->next;
    }
}

/* TeX's rules for binary operators that have no operand. */
static void settle_binaries(Box *list, TgKatexClass left, TgKatexClass right, gboolean root)
{
    const guint before =
        1u << LEFTMOST | 1u << BIN | 1u << OPEN | 1u << REL | 1u << OP | 1u << PUNCT;
    const guint after = 1u << RIGHTMOST | 1u << REL | 1u << CLOSE | 1u << PUNCT;
    TgKatexClass previous_type = left;
    Box *previous = NULL;

    for (Box *box = list; box != NULL; box = box->next) {
        if (box->is_space) {
            if (root && box->is_newline) {
                previous_type = LEFTMOST;
                previous = NULL;
            }
            continue;
        }
        if (previous_type == BIN && (after & 1u << box->type) != 0) {
            previous->type = ORD;
        } else if (box->type == BIN && (before & 1u << previous_type) != 0) {
            box->type = ORD;
        }
        previous = box;
        previous_type = box->type;
    }
    if (previous != NULL && previous->type == BIN && (after & 1u << right) != 0)
        previous->type = ORD;
}

/* Space between two types, in mu. */
static guint space_between(TgKatexClass left, TgKatexClass right, gboolean tight)
{
    static const guint8 spaces[RIGHTMOST + 1][RIGHTMOST + 1] = {
        /*       none ord op bin rel open close punct inner */
        [ORD] = { 0, 0, 3, 4, 5, 0, 0, 0, 3 },   [OP] = { 0, 3, 3, 0, 5, 0, 0, 0, 3 },
        [BIN] = { 0, 4, 4, 0, 0, 4, 0, 0, 4 },   [REL] = { 0, 5, 5, 0, 0, 5, 0, 0, 5 },
        [CLOSE] = { 0, 0, 3, 4, 5, 0, 0, 0, 3 }, [PUNCT] = { 0, 3, 3, 0, 5, 3, 3, 3, 3 },
        [INNER] = { 0, 3, 3, 4, 5, 3, 0, 3, 3 },
    };

    if (tight)
        return (right == OP && (left == ORD || left == OP || left == CLOSE || left == INNER)) ||
                       (left == OP && right == ORD)
                   ? 3
                   : 0;
    return spaces[left][right];
}

static Box *space_list(Box *list, TgKatexClass left, TgKatexClass right, gboolean root,
                       Options options)
{
    TgKatexClass previous = left;
    Box **link = &list;

    for (Box *box = list; box != NULL; link = &box->next, box = box->next) {
        if (box->is_space) {
            if (root && box->is_newline)
                previous = LEFTMOST;
            continue;
        }
        const guint mu = space_between(previous, box->type, box->is_tight);
        if (mu > 0) {
            Box *space = box_space(mu * metrics_of(options)->quad / 18, options);
            *link = space;
            space->next = box;
        }
        previous = box->type;
    }
    const guint mu = space_between(previous, right, is_tight(options) && right == CLOSE);
    if (mu > 0)
        *link = box_space(mu * metrics_of(options)->quad / 18, options);
    return list;
}

/* A list as boxes. @real: spaces stand between them; @root: lines may end in it */
static Box *build_expression(TgKatexNode *list, Options options, gboolean real, gboolean root,
                             TgKatexClass left, TgKatexClass right)
{
    Box *first = NULL, **end = &first;

    for (TgKatexNode *node = list; node != NULL; node = node->next) {
        Box *box = build_group(node, options);
        *end = box->is_fragment ? box->first : box;
        for (Box *part = box->first; box->is_fragment && part != NULL; part = part->next)
            part->x = 0;
        end = find_end(end);
    }
    join_symbols(first, options);
    if (!real)
        return first;
    settle_binaries(first, left, right, root);
    return space_list(first, left, right, root, options);
}

static Box *build_list(TgKatexNode *list, Options options)
{
    return build_expression(list, options, TRUE, FALSE, LEFTMOST, RIGHTMOST);
}

/* A list in @inner options, in em of @outer, that becomes part of the list around it. */
static Box *build_fragment(TgKatexNode *list, Options inner, Options outer)
{
    Box *first = build_expression(list, inner, FALSE, FALSE, LEFTMOST, RIGHTMOST), **link = &first;

    for (; inner.size != outer.size && *link != NULL; link = &(*link)->next) {
        Box *next = (*link)->next;
        *link = box_scaled(*link, multiplier_of(inner) / multiplier_of(outer), outer);
        (*link)->next = next;
    }
    Box *box = box_row(NONE, first, inner);
    box->is_fragment = TRUE;
    return box;
}

/* ---- Delimiters ------------------------------------------------------------------------------ */

typedef enum { NEVER_STACKED, LARGE_THEN_STACKED, STACKED_ONLY } DelimiterKind;

/* A delimiter: how it grows, and its pieces beyond the largest size, bottom, middle, top; none:
 * drawn, without text. */
typedef struct {
    const char *names;
    DelimiterKind kind;
    const char *pieces[3];
    TgKatexFont font;
    double width; /* of what is drawn */
} Delimiter;

static const Delimiter delimiters[] = {
    { "( \\lparen ) \\rparen", LARGE_THEN_STACKED, { NULL }, SIZE4, .875 },
    { "[ \\lbrack ] \\rbrack", LARGE_THEN_STACKED, { NULL }, SIZE4, .667 },
    { "\\lfloor \\rfloor \u230a \u230b", LARGE_THEN_STACKED, { NULL }, SIZE4, .667 },
    { "\\lceil \\rceil \u2308 \u2309", LARGE_THEN_STACKED, { NULL }, SIZE4, .667 },
    { "\\{ \\lbrace", LARGE_THEN_STACKED, { "⎩", "⎨", "⎧" }, SIZE4, .889 },
    { "\\} \\rbrace", LARGE_THEN_STACKED, { "⎭", "⎬", "⎫" }, SIZE4, .889 },
    { "< > \\lt \\gt / \\backslash", NEVER_STACKED, { NULL }, SIZE4, 0 },
    { "\\langle \\rangle \u27e8 \u27e9", NEVER_STACKED, { NULL }, SIZE4, 0 },
    { "| \\vert \\lvert \\rvert", STACKED_ONLY, { NULL }, SIZE1, .333 },
    { "\\| \\Vert \\lVert \\rVert", STACKED_ONLY, { NULL }, SIZE1, .556 },
    { "\\lgroup \u27ee", STACKED_ONLY, { "⎩", NULL, "⎧" }, SIZE4, .889 },
    { "\\rgroup \u27ef", STACKED_ONLY, { "⎭", NULL, "⎫" }, SIZE4, .889 },
    { "\\lmoustache \u23b0", STACKED_ONLY, { "⎭", NULL, "⎧" }, SIZE4, .889 },
    { "\\rmoustache \u23b1", STACKED_ONLY, { "⎩", NULL, "⎫" }, SIZE4, .889 },
    { "\\uparrow", STACKED_ONLY, { "⏐", NULL, "↑" }, SIZE1, .667 },
    { "\\Uparrow", STACKED_ONLY, { "‖", NULL, "⇑" }, SIZE1, .778 },
    { "\\downarrow", STACKED_ONLY, { "↓", NULL, "⏐" }, SIZE1, .667 },
    { "\\Downarrow", STACKED_ONLY, { "⇓", NULL, "‖" }, SIZE1, .778 },
    { "\\updownarrow", STACKED_ONLY, { "↓", NULL, "↑" }, SIZE1, .667 },
    { "\\Updownarrow", STACKED_ONLY, { "⇓", NULL, "⇑" }, SIZE1, .778 },
};

/* The row of a delimiter, or NULL. */
static const Delimiter *find_delimiter(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(delimiters); i++)
        if (tg_is_one_of(name, -1, delimiters[i].names))
            return &delimiters[i];
    return NULL;
}

gboolean tg_katex_is_delimiter(const char *name)
{
    return find_delimiter(name) != NULL;
}

gboolean tg_katex_is_null(const char *delimiter)
{
    return delimiter == NULL || strcmp(delimiter, ".") == 0;
}

/* The height and depth of a character in @font, @unknown where the font lacks it. */
static double extent_of(TgKatexFont font, const char *shown, double unknown)
{
    const TgKatexGlyph *glyph = tg_katex_glyph(font, shown, FALSE);

    return glyph != NULL ? (double) (glyph->height + glyph->depth) : unknown;
}

static const char *delimiter_shown(const char *name)
{
    if (tg_is_one_of(name, -1, "< \\lt"))
        return "⟨";
    if (tg_is_one_of(name, -1, "> \\gt"))
        return "⟩";
    return tg_katex_shown(name, FALSE);
}

static Box *null_delimiter(TgKatexClass type, Options options)
{
    Box *box = box_new(type, options);

    box->width = .12 / multiplier_of(options);
    return box;
}

/* One glyph of @font in the size of style @style. */
static Box *glyph_delimiter(const char *shown, TgKatexFont font, guint style, gboolean centered,
                            TgKatexClass type, Options options)
{
    const Options sized = with_base_style(options, style);
    Box *symbol = box_symbol(NONE, shown, font, "", FALSE, options);
    Box *box = box_scaled(symbol, multiplier_of(sized) / multiplier_of(options), options);

    symbol->italic = 0;
    if (centered) {
        const double shift =
            (1 - multiplier_of(options) / multiplier_of(sized)) * metrics_of(options)->axis;
        box->height -= shift;
        box->depth += shift;
        symbol->y = shift;
    }
    box->type = type;
    return box;
}

/* A delimiter of pieces, @height high. */
static Box *stacked_delimiter(const char *name, double height, gboolean centered, TgKatexClass type,
                              Options options)
{
    const Delimiter *row = find_delimiter(name);
    const char *const *pieces = row->pieces;
    const TgKatexFont font = row->font;
    const Options sized = with_base_style(options, TEXT_STYLE);
    double axis = metrics_of(options)->axis * (centered ? multiplier_of(options) : 1);
    double total = 0;
    Box *column;

    for (guint i = 0; i < 3; i++)
        if (pieces[i] != NULL)
            total += extent_of(font, pieces[i], .6);
    if (pieces[0] == NULL) {
        /* drawn: its ends are of one size, and what repeats between them is .6 em or less high */
        const gboolean bar = row->kind == STACKED_ONLY;
        const double least = bar ? 1.2 : 3.6;
        total = least + MAX(0, ceil((height - least) / .6 - 1e-3)) * .6;
        column = box_sized(NONE, row->width, total / 2 + axis, total / 2 - axis, options);
    } else {
        const double factor = pieces[1] != NULL ? 2 : 1;
        const double step = font == SIZE4 ? .3 : .6;
        const double real =
            total + MAX(0, ceil((height - total) / (factor * step) - 1e-3)) * factor * step;
        const double inner =
            pieces[1] != NULL ? (real - total) / 2 + 2 * .008 : real - total + 2 * .008;
        Line lines[12];
        guint n = 0;
        for (guint i = 0; i < 3; i++) {
            if (pieces[i] == NULL)
                continue;
            if (n > 0) {
                lines[n++] = (Line){ .kern = -.008 };
                lines[n++] = (Line){ .box = box_sized(NONE, row->width, inner, 0, options) };
                lines[n++] = (Line){ .kern = -.008 };
            }
            lines[n++] = (Line){ .box = box_symbol(NONE, pieces[i], font, "", FALSE, sized) };
        }
        lines[0].shift = real / 2 - axis - lines[0].box->depth;
        column = box_column(0, lines, n, .5, options);
    }
    Box *box = box_scaled(column, multiplier_of(sized) / multiplier_of(options), options);
    box->type = type;
    return box;
}

static const double size_heights[] = { 0, 1.2, 1.8, 2.4, 3 };

/* A delimiter that is at least @height high, if there is one. */
static Box *grown_delimiter(const char *name, double height, TgKatexClass type, Options options)
{
    static const guint styles[] = { SCRIPTSCRIPT, SCRIPT_STYLE, TEXT_STYLE };
    const DelimiterKind kind = find_delimiter(name)->kind;
    const char *shown = delimiter_shown(name);

    for (guint i = MIN(2, 3 - options.style / 2); i < 3; i++) {
        if (extent_of(MAIN, shown, 0) * multiplier_of(with_base_style(options, styles[i])) > height)
            return glyph_delimiter(shown, MAIN, styles[i], TRUE, type, options);
    }
    for (guint i = 1; kind != STACKED_ONLY && i <= 4; i++) {
        const TgKatexFont font = (TgKatexFont) (SIZE1 + i - 1);
        if (extent_of(font, shown, size_heights[i]) > height || (kind == NEVER_STACKED && i == 4))
            return glyph_delimiter(shown, font, TEXT_STYLE, TRUE, type, options);
    }
    return stacked_delimiter(name, height, TRUE, type, options);
}

/* A delimiter around something of @height and @depth, in em of base size. */
static Box *around_delimiter(const char *name, double height, double depth, TgKatexClass type,
                             Options options)
{
    const double axis = metrics_of(options)->axis * multiplier_of(options);
    const double reach = MAX(height - axis, depth + axis);

    if (tg_katex_is_null(name))
        return null_delimiter(type, options);
    return grown_delimiter(name, MAX(reach / 500 * 901, 2 * reach - .5), type, options);
}

static Box *sized_delimiter(const char *name, guint size, TgKatexClass type, Options options)
{
    if (find_delimiter(name)->kind == STACKED_ONLY)
        return stacked_delimiter(name, size_heights[size], FALSE, type, options);
    return glyph_delimiter(delimiter_shown(name), (TgKatexFont) (SIZE1 + size - 1), TEXT_STYLE,
                           FALSE, type, options);
}

/* \middle delimiters, which grow when the contents are known, in groups that are transparent. */
static Box *build_left_right(TgKatexNode *node, Options options)
{
    Box *list = build_expression(node->list, options, TRUE, FALSE, OPEN, CLOSE);
    double height = 0, depth = 0;

    for (const Box *box = list; box != NULL; box = box->next)
        if (!box->is_middle) {
            height = MAX(height, box->height);
            depth = MAX(depth, box->depth);
        }
    height *= multiplier_of(options);
    depth *= multiplier_of(options);
    for (Box **link = &list; *link != NULL; link = &(*link)->next)
        if ((*link)->is_middle) {
            Box *grown = around_delimiter((*link)->text, height, depth, NONE, options);
            grown->next = (*link)->next;
            *link = grown;
        }
    Box *left = around_delimiter(node->left, height, depth, OPEN, options);
    left->next = list;
    *find_end(&left->next) = around_delimiter(node->right, height, depth, CLOSE, options);
    return box_row(INNER, left, options);
}

/* ---- Scripts and operators ------------------------------------------------------------------- */

static TgKatexNode *base_of(TgKatexNode *node)
{
    for (;;) {
        if (node == NULL)
            return NULL;
        if ((node->kind == NODE_GROUP || node->kind == NODE_COLOR) && node->list != NULL &&
            node->list->next == NULL)
            node = node->list;
        else if (node->kind == NODE_FONT)
            node = node->parts[0];
        else
            return node;
    }
}

static gboolean is_character(TgKatexNode *node)
{
    const TgKatexNode *base = base_of(node);

    return base != NULL && base->kind == NODE_SYMBOL && base->class != SPACE;
}

/* An operator between its limits, of which it has at least one. */
static Box *attach_limits(Box *base, TgKatexNode *sub, TgKatexNode *sup, Options options,
                          double slant, double shift)
{
    static const double gap_above = .111, gap_below = .166, rise = .2, drop = .6, margin = .1;
    const Options sup_options = with_style(options, sup_style(options.style));
    const Options sub_options = with_style(options, sub_style(options.style));
    Box *above = sup != NULL ? build_in(sup, sup_options, options) : NULL;
    Box *below = sub != NULL ? build_in(sub, sub_options, options) : NULL;
    Line lines[7];
    guint n = 0;

    base = box_row(NONE, base, options);
    if (below != NULL) {
        lines[n++] = (Line){ .kern = margin };
        lines[n++] = (Line){ .box = below, .left = -slant };
        lines[n++] = (Line){ .kern = MAX(gap_below, drop - below->height) };
    }
    const gint at_base = (gint) n;
    lines[n++] = (Line){ .box = base, .shift = shift };
    if (above != NULL) {
        lines[n++] = (Line){ .kern = MAX(gap_above, rise - above->depth) };
        lines[n++] = (Line){ .box = above, .left = slant };
        lines[n++] = (Line){ .kern = margin };
    }
    return box_row(OP, box_column(at_base, lines, n, .5, options), options);
}

/* An operator's name, a letter each. */
static Box *build_name(const char *name, Options options)
{
    Box *list = NULL, **end = &list;
    gboolean any = FALSE;

    for (const char *p = name + 1; *p != '\0'; p++) {
        *end = box_symbol(NONE, tg_arena_text(options.arena, p, 1), MAIN, "", FALSE, options);
        any = any || (*end)->italic > 0;
        end = &(*end)->next;
    }
    /* where a letter needs an element for its italic correction, the others have none */
    if (!is_tight(options) && !any)
        join_symbols(list, options);
    for (Box *box = list; box != NULL && !is_tight(options) && any; box = box->next)
        if (box->italic == 0)
            box->text = "";
    return box_row(OP, list, options);
}

/* Whether a node is a double or triple integral with a circle, which is no character. */
static gboolean is_drawn_integral(const TgKatexNode *node)
{
    return node != NULL && node->kind == NODE_OPERATOR && node->text != NULL &&
           tg_is_one_of(node->text, -1, "\\oiint \\oiiint");
}

/* An operator; with scripts they are its limits. */
static Box *build_operator(TgKatexNode *node, TgKatexNode *sub, TgKatexNode *sup, Options options)
{
    double shift = 0, slant = 0;
    Box *base;

    if (node->flag) {
        const gboolean large = is_display(options) && strcmp(node->text, "\\smallint") != 0;
        base = box_symbol(OP, tg_katex_shown(node->text, FALSE), large ? SIZE2 : SIZE1, "op-symbol",
                          FALSE, options);
    } else if (node->text == NULL) {
        Box *list = build_list(node->list, options);
        if (list != NULL && list->next == NULL && list->is_symbol) {
            base = list;
            base->type = OP;
        } else {
            base = box_row(OP, list, options);
        }
    } else {
        base = build_name(node->text, options);
    }
    if ((base->is_symbol || is_drawn_integral(node)) && !node->no_shift) {
        shift = (base->height - base->depth) / 2 - metrics_of(options)->axis;
        slant = base->italic;
    }
    if (sub != NULL || sup != NULL)
        return attach_limits(base, sub, sup, options, slant, shift);
    if (base->is_symbol)
        base->y += shift;
    return base;
}

static Box *build_operator_name(TgKatexNode *node, TgKatexNode *sub, TgKatexNode *sup,
                                Options options)
{
    Options roman = options;
    TgKatexNode *copies = NULL, **end = &copies;

    roman.font = "mathrm";
    for (TgKatexNode *child = node->list; child != NULL; child = child->next) {
        TgKatexNode *copy = tg_arena_regrow(options.arena, child, sizeof *copy, sizeof *copy);
        if (copy->kind == NODE_SYMBOL && copy->class != SPACE)
            copy->class = ORD;
        copy->next = NULL;
        *end = copy;
        end = &copy->next;
    }
    Box *base = box_row(OP, build_list(copies, roman), options);
    return sub != NULL || sup != NULL ? attach_limits(base, sub, sup, options, 0, 0) : base;
}

static Box *build_accent(TgKatexNode *node, TgKatexNode *scripts, Options options);

/* Scripts at the right of a base that is built already. */
static Box *attach_scripts(Box *base, TgKatexNode *node, Options options)
{
    const Metrics *metrics = metrics_of(options);
    const double factor = multiplier_of(options), right = .05 / factor;
    const gboolean character = is_character(node->parts[0]);
    Box *sub = NULL, *sup = NULL, *scripts;
    double up = 0, down = 0, left = 0;

    if (node->parts[2] != NULL) {
        const Options inner = with_style(options, sup_style(options.style));
        sup = build_in(node->parts[2], inner, options);
        if (!character)
            up = base->height - metrics_of(inner)->sup_drop * multiplier_of(inner) / factor;
    }
    if (node->parts[1] != NULL) {
        const Options inner = with_style(options, sub_style(options.style));
        sub = build_in(node->parts[1], inner, options);
        if (!character)
            down = base->depth + metrics_of(inner)->sub_drop * multiplier_of(inner) / factor;
        if (base->is_symbol || is_drawn_integral(node->parts[0]))
            left = -base->italic;
    }
    const double least = options.style == DISPLAY  ? metrics->sup1
                         : options.style & CRAMPED ? metrics->sup3
                                                   : metrics->sup2;
    if (sup != NULL)
        up = MAX(MAX(up, least), sup->depth + .25 * metrics->x_height);
    if (sup != NULL && sub != NULL) {
        down = MAX(down, metrics->sub2);
        const double gap = 4 * metrics->rule;
        if (up - sup->depth - (sub->height - down) < gap) {
            down = gap - (up - sup->depth) + sub->height;
            const double psi = .8 * metrics->x_height - (up - sup->depth);
            if (psi > 0) {
                up += psi;
                down -= psi;
            }
        }
        const Line lines[] = { { .box = sub, .shift = down, .left = left, .right = right },
                               { .box = sup, .shift = -up, .right = right } };
        scripts = box_column(-1, lines, 2, 0, options);
    } else {
        if (sub != NULL)
            down = MAX(MAX(down, metrics->sub1), sub->height - .8 * metrics->x_height);
        const Line line = { .box = sub != NULL ? sub : sup,
                            .shift = sub != NULL ? down : -up,
                            .left = left,
                            .right = right };
        scripts = box_column(0, &line, 1, 0, options);
    }
    const TgKatexClass type = base->type == NONE ? ORD : base->type;
    base->next = scripts;
    return box_row(type, base, options);
}

static Box *build_scripts(TgKatexNode *node, Options options)
{
    TgKatexNode *base = node->parts[0], *sub = node->parts[1], *sup = node->parts[2];

    if (tg_katex_takes_limits(base, is_display(options)))
        return base->kind == NODE_OPERATOR ? build_operator(base, sub, sup, options)
                                           : build_operator_name(base, sub, sup, options);
    if (base != NULL && base->kind == NODE_ACCENT && is_character(base->parts[0]))
        return build_accent(base, node, options);
    if (base != NULL && base->kind == NODE_BRACE &&
        (sub == NULL) == (strcmp(base->text, "\\overbrace") == 0))
        return box_row(ORD, attach_limits(build_group(base, options), sub, sup, options, 0, 0),
                       options);
    return attach_scripts(build_group(base, options), node, options);
}

/* ---- Fractions, roots, accents, bars --------------------------------------------------------- */

static Box *build_fraction(TgKatexNode *node, Options options)
{
    const guint around = options.style & ~(guint) CRAMPED;
    guint style = options.style;

    if (node->number == 0)
        style = around >= SCRIPT_STYLE ? text_of_style(options.style) : DISPLAY;
    else if (node->number == 1 && around == DISPLAY)
        style = TEXT_STYLE;
    const guint above_style = style < TEXT_STYLE ? style + TEXT_STYLE : sup_style(style);
    const guint below_style = above_style | CRAMPED;
    Box *above = build_in(node->parts[0], with_style(options, above_style), options);
    Box *below = build_in(node->parts[1], with_style(options, below_style), options);
    const Metrics *metrics = metrics_of(options);
    const gboolean display = style < TEXT_STYLE || node->number == 0;
    double bar = 0, spacing = metrics->rule, up, down, clearance;
    if (node->flag) {
        bar = node->size.unit[0] != '\0' ? length_of(node->size, options) : MAX(metrics->rule, .04);
        spacing = bar;
    }
    if (display) {
        up = metrics->num1;
        down = metrics->denom1;
        clearance = (bar > 0 ? 3 : 7) * spacing;
    } else {
        up = bar > 0 ? metrics->num2 : metrics->num3;
        down = metrics->denom2;
        clearance = bar > 0 ? spacing : 3 * spacing;
    }
    if (!node->flag) {
        const double gap = up - above->depth - (below->height - down);
        if (gap < clearance) {
            up += .5 * (clearance - gap);
            down += .5 * (clearance - gap);
        }
    } else {
        const double axis = metrics->axis;
        if (up - above->depth - (axis + .5 * bar) < clearance)
            up += clearance - (up - above->depth - (axis + .5 * bar));
        if (axis - .5 * bar - (below->height - down) < clearance)
            down += clearance - (axis - .5 * bar - (below->height - down));
    }
    const Line lines[] = { { .box = below, .shift = down }, { .box = above, .shift = -up } };
    Box *fraction = box_column(-1, lines, 2, .5, options);
    const Options styled = with_style(options, style);
    const double factor = multiplier_of(styled) / multiplier_of(options);
    fraction->height *= factor;
    fraction->depth *= factor;
    const double size = style < TEXT_STYLE ? metrics->delim1
                        : style >= SCRIPTSCRIPT
                            ? metrics_of(with_style(options, SCRIPT_STYLE))->delim2
                            : metrics->delim2;
    Box *left = node->left != NULL ? grown_delimiter(node->left, size, OPEN, styled)
                                   : null_delimiter(OPEN, options);
    Box *right = node->no_shift        ? box_new(NONE, options)
                 : node->right != NULL ? grown_delimiter(node->right, size, CLOSE, styled)
                                       : null_delimiter(CLOSE, options);
    left->next = fraction;
    fraction->next = right;
    Box *row = box_row(ORD, left, options);
    if (styled.size == options.size)
        return row;
    Box *scaled = box_scaled(row, factor, options);
    scaled->height = row->height;
    scaled->depth = row->depth;
    return scaled;
}

static Box *build_root(TgKatexNode *node, Options options)
{
    const Metrics *metrics = metrics_of(options);
    Box *inner = build_group(node->parts[0], with_cramped(options));
    const double rule = metrics->rule;
    const double phi = is_display(options) ? metrics->x_height : rule;
    double clearance = rule + phi / 4;

    inner = box_row(NONE, inner, options);
    if (inner->height == 0)
        inner->height = metrics->x_height;
    /* the sign: the smallest form that is high enough */
    const Options base =
        with_base_style(options, options.style < SCRIPT_STYLE ? TEXT_STYLE : options.style);
    const double wanted = inner->height + inner->depth + clearance + rule;
    const double want = wanted * multiplier_of(base);
    double height = wanted, advance = 1.056, factor = multiplier_of(base);
    if (want < 1) {
        factor = wanted < 1 ? 1 : wanted < 1.4 ? .7 : factor;
        height = 1 / factor;
        advance = .833 / factor;
    } else {
        for (guint i = 1; i <= 4; i++)
            if (size_heights[i] > want) {
                height = size_heights[i] / factor;
                advance = 1 / factor;
                break;
            }
    }
    const double bar = .04 * factor, below = height - bar;
    if (below > inner->height + inner->depth + clearance)
        clearance = (clearance + below - inner->height - inner->depth) / 2;
    const double shift = height - inner->height - clearance - bar;
    const Line lines[] = { { .box = inner, .left = advance },
                           { .kern = -(inner->height + shift) },
                           { .box = box_sized(NONE, 0, height, 0, options) },
                           { .kern = bar } };
    Box *body = box_column(0, lines, 4, 0, options);
    if (node->parts[1] == NULL)
        return box_row(ORD, body, options);
    Box *index = build_in(node->parts[1], with_style(options, SCRIPTSCRIPT), options);
    const Line line = { .box = index, .shift = -.6 * (body->height - body->depth) };
    Box *raised = box_column(0, &line, 1, 0, options);
    Box *before = box_space(5. / 18, options);
    Box *after = box_space(-10. / 18, options);
    before->next = raised;
    raised->next = after;
    after->next = body;
    body->next = NULL;
    return box_row(ORD, before, options);
}

/* An accent: what it shows, and the width that centers it. */
static const struct {
    const char *name, *shown;
    double width;
} accents[] = {
    { "\\acute", "ˊ", .5 },     { "\\grave", "ˋ", .5 },      { "\\ddot", "¨", .5 },
    { "\\tilde", "~", .5 },     { "\\bar", "ˉ", .5 },        { "\\breve", "˘", .5 },
    { "\\check", "ˇ", .5 },     { "\\hat", "^", .5 },        { "\\dot", "˙", .27778 },
    { "\\mathring", "˚", .75 }, { "\\'", "ˊ", .5 },          { "\\`", "ˋ", .5 },
    { "\\^", "ˆ", .5 },         { "\\~", "˜", .5 },          { "\\=", "ˉ", .5 },
    { "\\u", "˘", .5 },         { "\\.", "˙", .27778 },      { "\\c", "¸", .44445 },
    { "\\\"", "¨", .5 },        { "\\r", "˚", .75 },         { "\\H", "˝", .5 },
    { "\\v", "ˇ", .5 },         { "\\textcircled", "◯", 1 }, { "\\vec", NULL, .471 },
};

static Box *accent_column(TgKatexNode *node, Options options)
{
    Box *body = build_group(node->parts[0], with_cramped(options));
    const char *shown = NULL;
    double width = .5, skew = 0;
    Box *accent;

    const gboolean below = strcmp(node->text, "\\c") == 0;
    if (node->flag) {
        accent = box_sized(NONE, 0, .3, 0, options); /* .24 to .56 in KaTeX */
        const Line lines[] = { { .box = body }, { .box = accent } };
        return box_column(0, lines, 2, 0, options);
    }
    if (is_character(node->parts[0])) {
        const Box *base = build_group(base_of(node->parts[0]), with_cramped(options));
        skew = base->is_symbol ? base->skew : 0;
    }
    double clearance =
        below ? body->height + body->depth : MIN(body->height, metrics_of(options)->x_height);
    for (guint i = 0; i < G_N_ELEMENTS(accents); i++)
        if (strcmp(accents[i].name, node->text) == 0) {
            shown = accents[i].shown;
            width = accents[i].width;
        }
    if (shown == NULL) {
        accent = box_sized(NONE, 0, .714, 0, options);
    } else {
        accent = build_ord(shown, FALSE, node->in_text, MAIN, options);
        accent->width -= accent->italic;
        accent->italic = 0;
        if (below)
            clearance += accent->depth;
    }
    Box *holder = box_row(NONE, accent, options);
    holder->width = 0;
    const Line lines[] = { { .box = body }, { .kern = -clearance }, { .box = holder } };
    Box *column = box_column(0, lines, 3, .5, options);
    holder->x = column->width / 2 + skew - width / 2;
    return column;
}

static Box *build_accent(TgKatexNode *node, TgKatexNode *scripts, Options options)
{
    Box *wrap = box_row(ORD, accent_column(node, options), options);

    if (scripts == NULL)
        return wrap;
    /* scripts are placed as if the accent were not there */
    TgKatexNode bare = *scripts;
    bare.parts[0] = node->parts[0];
    Box *base = build_group(node->parts[0], options);
    Box *whole = attach_scripts(base, &bare, options);
    Box *attached = whole->first->next;
    whole->type = ORD;
    whole->first = wrap;
    wrap->next = attached;
    attached->x += wrap->width - base->width;
    whole->width += wrap->width - base->width;
    whole->height = MAX(whole->height, wrap->height);
    return whole;
}

static Box *build_bar(TgKatexNode *node, Options options)
{
    const gboolean over = node->kind == NODE_OVERLINE;
    const double rule = metrics_of(options)->rule;
    Box *inner = build_group(node->parts[0], over ? with_cramped(options) : options);
    Box *line = box_sized(NONE, 0, rule, 0, options);

    inner = box_row(NONE, inner, options);
    const Line above[] = {
        { .box = inner }, { .kern = 3 * rule }, { .box = line }, { .kern = rule }
    };
    const Line below[] = {
        { .kern = rule }, { .box = line }, { .kern = 3 * rule }, { .box = inner }
    };
    return box_row(ORD,
                   over ? box_column(0, above, 4, 0, options) : box_column(3, below, 4, 0, options),
                   options);
}

static Box *build_box(TgKatexNode *node, Options options)
{
    Box *inner = box_row(NONE, build_group(node->parts[0], options), options);
    double pad = 0, top = 0;

    if (tg_is_one_of(node->text, -1, "\\fbox \\fcolorbox \\colorbox")) {
        pad = .3;
        top = .3 + (strcmp(node->text, "\\colorbox") == 0 ? 0 : .04);
    }
    inner->x = pad;
    Box *box =
        box_sized(ORD, inner->width + 2 * pad, inner->height + top, inner->depth + top, options);
    box->first = inner;
    return box;
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

static Box *build_array(TgKatexNode *node, Options options)
{
    const TgKatexArray *array = node->array;
    const guint n_columns = array->n_columns, n_rows = array->n_rows;
    const double skip = array->stretch * 1.2, strut_height = .7 * skip, strut_depth = .3 * skip;
    const Options cells =
        array->style >= 0 ? with_style(options, (guint) array->style * 2) : options;
    g_autofree Box **boxes = g_new0(Box *, (gsize) MAX(n_columns, 1) * MAX(n_rows, 1));
    g_autofree double *places = g_new0(double, n_rows + 1);
    g_autofree double *heights = g_new0(double, n_rows + 1);
    g_autofree double *depths = g_new0(double, n_rows + 1);
    double total = 0;
    guint r = 0;

    for (TgKatexNode *row = node->list; row != NULL; row = row->next, r++) {
        double height = strut_height, depth = strut_depth;
        double gap = length_of(row->size, options);
        guint c = 0;
        for (TgKatexNode *cell = row->list; cell != NULL; cell = cell->next, c++) {
            Box *box = build_in(cell, cells, options);
            boxes[r * n_columns + c] = box;
            height = MAX(height, box->height);
            depth = MAX(depth, box->depth);
        }
        if (gap > 0) {
            depth = MAX(depth, gap + strut_depth);
            gap = 0;
        }
        if (array->jot)
            depth += .3;
        total += height;
        places[r] = total;
        heights[r] = height;
        depths[r] = depth;
        total += depth + gap;
    }
    const double offset = total / 2 + metrics_of(options)->axis;
    Box *list = NULL, **end = &list;
    const char *format = array->columns != NULL ? array->columns : "";
    for (guint c = 0; c < n_columns || *format != '\0'; c++) {
        while (*format == '|' || *format == ':')
            format++;
        const double align = *format == 'l' ? 0 : *format == 'r' ? 1 : .5;
        format += *format != '\0';
        if (c >= n_columns)
            continue;
        const double usual = array->cases || array->jot ? 0 : .5;
        const double before = array->aligned && c % 2 == 0 ? 1 : usual;
        const double after = array->cases && c == 0 ? 1 : usual;
        if ((c > 0 || array->padded) && before > 0) {
            *end = box_space(before, options);
            end = &(*end)->next;
        }
        g_autofree Line *lines = g_new0(Line, n_rows + 1);
        guint n = 0;
        for (r = 0; r < n_rows; r++)
            if (boxes[r * n_columns + c] != NULL) {
                Box *cell = box_row(NONE, boxes[r * n_columns + c], options);
                cell->height = heights[r];
                cell->depth = depths[r];
                lines[n++] = (Line){ .box = cell, .shift = places[r] - offset };
            }
        if (n > 0) {
            *end = box_column(-1, lines, n, align, options);
            end = &(*end)->next;
        }
        if ((c + 1 < n_columns || array->padded) && after > 0) {
            *end = box_space(after, options);
            end = &(*end)->next;
        }
    }
    Box *table = box_row(ORD, list, options);
    /* the numbers of rows are printed over their right ends */
    end = find_end(&table->first);
    r = 0;
    for (const TgKatexNode *row = node->list; row != NULL; row = row->next, r++)
        if (row->parts[0] != NULL) {
            Box *tag = box_row(NONE, build_group(row->parts[0], options), options);
            tag->x = table->width - tag->width;
            tag->y = places[r] - offset;
            *end = tag;
            end = &tag->next;
        }
    return table;
}

/* ---- All nodes ------------------------------------------------------------------------------- */

static Options with_text_font(Options options, const char *command)
{
    if (tg_is_one_of(command, -1, "\\textrm \\textsf \\texttt \\textnormal"))
        options.family = command + 1;
    else if (tg_is_one_of(command, -1, "\\textbf \\textmd"))
        options.weight = command + 1;
    else if (strcmp(command, "\\emph") == 0)
        options.shape = strcmp(options.shape, "textit") == 0 ? "textup" : "textit";
    else if (tg_is_one_of(command, -1, "\\textit \\textup"))
        options.shape = command + 1;
    return options;
}

static Box *build_lap(TgKatexNode *node, Options options)
{
    Box *inner = box_row(NONE, build_group(node->parts[0], options), options);

    inner->x = strcmp(node->text, "\\mathllap") == 0   ? -inner->width
               : strcmp(node->text, "\\mathclap") == 0 ? -inner->width / 2
                                                       : 0;
    Box *box = box_sized(ORD, 0, inner->height, inner->depth, options);
    box->first = inner;
    return box;
}

static Box *build_phantom(TgKatexNode *node, Options options)
{
    if (strcmp(node->text, "\\phantom") == 0)
        return build_fragment(node->list, options, options);
    Box *inner = box_row(NONE, build_group(node->parts[0], options), options);
    Box *box = box_row(ORD, inner, options);
    if (strcmp(node->text, "\\hphantom") == 0)
        box->height = box->depth = 0;
    else
        box->width = 0;
    return box;
}

static Box *build_group(TgKatexNode *node, Options options)
{
    Options inner = options;
    Box *box;
    double shift, axis;

    if (node == NULL || *options.budget == 0)
        return box_new(NONE, options);
    --*options.budget;
    switch (node->kind) {
    case NODE_SYMBOL:
        return build_symbol(node, options);
    case NODE_GROUP:
        return node->flag ? build_fragment(node->list, options, options)
                          : box_row(ORD, build_list(node->list, options), options);
    case NODE_SCRIPTS:
        return build_scripts(node, options);
    case NODE_OPERATOR:
        return build_operator(node, NULL, NULL, options);
    case NODE_OPERATORNAME:
        return build_operator_name(node, NULL, NULL, options);
    case NODE_FRACTION:
        return build_fraction(node, options);
    case NODE_ROOT:
        return build_root(node, options);
    case NODE_ACCENT:
        return build_accent(node, NULL, options);
    case NODE_ARROW:
        /* drawn, so that only its place counts */
        axis = metrics_of(options)->axis;
        box = box_sized(NONE, 1.5, axis + .26, .26 - axis, options);
        box = attach_limits(box, node->parts[1], node->parts[0], options, 0, 0);
        return box_row(REL, box, options);
    case NODE_OVERLINE:
    case NODE_UNDERLINE:
        return build_bar(node, options);
    case NODE_BRACE:
    case NODE_SMASH:
    case NODE_UNDER_ACCENT:
        return box_row(ORD, build_group(node->parts[0], options), options);
    case NODE_LEFT_RIGHT:
        return build_left_right(node, options);
    case NODE_BOX:
        return build_box(node, options);
    case NODE_ARRAY:
        return build_array(node, options);
    case NODE_COLOR:
        return build_fragment(node->list, options, options);
    case NODE_FONT:
        inner.font = node->text;
        return build_group(node->parts[0], inner);
    case NODE_CLASS:
        return box_row(node->class, build_list(node->list, options), options);
    case NODE_SIZING:
        inner.text_size = (guint) node->number;
        inner = with_style(inner, text_of_style(options.style));
        return build_fragment(node->list, inner, options);
    case NODE_STYLE:
        inner = with_style(options, (guint) node->number * 2);
        inner.font = NULL;
        return build_fragment(node->list, inner, options);
    case NODE_TEXT:
        inner = with_text_font(options, node->text);
        return box_row(ORD, build_list(node->list, inner), inner);
    case NODE_LAP:
        return build_lap(node, options);
    case NODE_PHANTOM:
        return build_phantom(node, options);
    case NODE_LINE_END:
        box = box_space(0, options);
        box->is_newline = TRUE;
        box->gap = length_of(node->size, options);
        return box;
    case NODE_DELIMITER:
        if (tg_katex_is_null(node->text))
            return box_new(node->class, options);
        return sized_delimiter(node->text, (guint) node->number, node->class, options);
    case NODE_MIDDLE:
        box = tg_katex_is_null(node->text) ? null_delimiter(NONE, options)
                                           : sized_delimiter(node->text, 1, NONE, options);
        box->is_middle = TRUE;
        box->text = node->text;
        return box;
    case NODE_KERN:
        return box_space(length_of(node->size, options), options);
    case NODE_RULE:
        shift = length_of(node->size, options);
        return box_sized(ORD, length_of(node->sizes[0], options),
                         length_of(node->sizes[1], options) + shift, -shift, options);
    case NODE_RAISE:
        box = box_row(NONE, build_group(node->parts[0], options), options);
        shift = -length_of(node->size, options);
        return box_column(0, &(Line){ .box = box, .shift = shift }, 1, 0, options);
    case NODE_CHOICE:
        return build_fragment(node->parts[options.style / 2]->list, options, options);
    default:
        return box_new(NONE, options);
    }
}

/* ---- From boxes to symbols ------------------------------------------------------------------- */

/* Whether a browser shows nothing for a character. */
static gboolean is_invisible(gunichar c)
{
    return tg_katex_is_invisible(c) || c == 0x85;
}

/* Round to 1/64 px, because a browser places boxes on that grid. */
static double to_grid(double x)
{
    return floor(x * 64 + .5) / 64;
}

static void emit_symbol(const Box *box, double x, double y, double scale, GArray *out)
{
    const double px = PX_PER_EM * scale;
    const double middle = (round(.891 * px) - round(.216 * px)) / 2;
    const double left = to_grid(x * PX_PER_EM);
    const double width = to_grid((box->width - box->italic) * px);
    guint n = 0, i = 0;

    for (const char *p = box->text; *p != '\0'; p = g_utf8_next_char(p))
        n += !is_invisible(g_utf8_get_char(p));
    for (const char *p = box->text; *p != '\0'; p = g_utf8_next_char(p)) {
        const gunichar c = g_utf8_get_char(p);
        if (is_invisible(c))
            continue;
        const TgOlmocrSymbol at = { c, (float) (left + width * (i + .5) / n),
                                    (float) (to_grid(y * PX_PER_EM) - middle) };
        g_array_append_val(out, at);
        i++;
    }
}

/* Places of children are in em of the box, times its scale. */
static void emit_box(const Box *box, double x, double y, double scale, GArray *out)
{
    x += box->x * scale;
    y += box->y * scale;
    scale *= box->scale;
    if (box->is_symbol)
        emit_symbol(box, x, y, scale, out);
    for (const Box *child = box->first; child != NULL; child = child->next)
        emit_box(child, x, y, scale, out);
}

TgOlmocrSymbol *tg_katex_set(TgKatexFormula *formula, TgArena *arena, guint *n)
{
    guint64 budget = 200000;
    const Options options = { .arena = arena,
                              .budget = &budget,
                              .style = DISPLAY,
                              .size = BASE_SIZE,
                              .text_size = BASE_SIZE,
                              .family = "",
                              .weight = "",
                              .shape = "" };
    g_autoptr(GArray) symbols = g_array_new(FALSE, FALSE, sizeof(TgOlmocrSymbol));
    const double ascent = 27.42 / PX_PER_EM, descent = 7.42 / PX_PER_EM;
    double y = 0, right = 0, depth = 0;
    gboolean is_first = TRUE;

    Box *list = build_expression(formula->list, options, TRUE, TRUE, LEFTMOST, RIGHTMOST);
    for (Box *line = list; line != NULL;) {
        Box *end = line;
        double width = 0, height = ascent, low = descent;
        for (; end != NULL && !end->is_newline; end = end->next) {
            width += end->width;
            height = MAX(height, end->height);
            low = MAX(low, end->depth);
        }
        if (end != line) {
            y += is_first ? 0 : depth + height;
            depth = low;
            is_first = FALSE;
            double x = -width / 2;
            for (const Box *box = line; box != end; box = box->next) {
                emit_box(box, x, y, 1, symbols);
                x += box->width;
            }
            right = MAX(right, width / 2);
        }
        if (end != NULL)
            y += end->gap;
        line = end != NULL ? end->next : NULL;
    }
    if (formula->tag != NULL) {
        const Box *tag = build_group(formula->tag, options);
        emit_box(tag, right - tag->width, y, 1, symbols);
    }
    *n = symbols->len;
    return g_memdup2(symbols->data, symbols->len * sizeof(TgOlmocrSymbol));
}
