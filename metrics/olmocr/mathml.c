/* The MathML that KaTeX writes beside what it shows: olmOCR-bench compares it as a string. */
#include "metrics/olmocr/katex.h"

#include <string.h>

/* An element; @attributes as they are written, each after a space that is left out. */
typedef struct Element Element;
struct Element {
    const char *tag; /* NULL: a text, or the children alone */
    const char *text;
    const char *attributes;
    Element *next, *first;
    Element *end; /* a child near the last one, from where that is looked for */
};

/* The state that decides how letters are written. */
typedef struct {
    const char *font;
    guint style; /* half of TeX's number: 0 display */
    gboolean cramped;
} MathOptions;

static Element *write_node(TgArena *arena, TgKatexNode *node, MathOptions options);

static Element *element_new(TgArena *arena, const char *tag, Element *first)
{
    Element *element = tg_arena_zeros(arena, sizeof *element);

    element->tag = tag;
    element->attributes = "";
    element->first = first;
    return element;
}

static Element *element_text(TgArena *arena, const char *text)
{
    Element *element = element_new(arena, NULL, NULL);

    element->text = text;
    return element;
}

static Element *element_with(TgArena *arena, const char *tag, Element *first,
                             const char *attributes)
{
    Element *element = element_new(arena, tag, first);

    element->attributes = attributes;
    return element;
}

static Element *element_of(TgArena *arena, const char *tag, const char *text,
                           const char *attributes)
{
    return element_with(arena, tag, element_text(arena, text), attributes);
}

static gboolean is_tag(const Element *element, const char *tag)
{
    return element->tag != NULL && strcmp(element->tag, tag) == 0;
}

static void append_child(Element *element, Element *child)
{
    Element *last = element->end != NULL ? element->end : element->first;

    while (last != NULL && last->next != NULL)
        last = last->next;
    if (last != NULL)
        last->next = child;
    else
        element->first = child;
    element->end = child;
}

static Element *write_list(TgArena *arena, TgKatexNode *list, MathOptions options)
{
    Element *first = NULL, **link = &first;

    for (TgKatexNode *node = list; node != NULL; node = node->next) {
        *link = write_node(arena, node, options);
        link = &(*link)->next;
        *link = NULL;
    }
    return first;
}

/* The elements as one. */
static Element *element_row(TgArena *arena, Element *list)
{
    return list != NULL && list->next == NULL ? list : element_new(arena, "mrow", list);
}

static Element *write_row(TgArena *arena, TgKatexNode *list, MathOptions options)
{
    return element_row(arena, write_list(arena, list, options));
}

/* ---- Symbols --------------------------------------------------------------------------------- */

/* The value of mathvariant, or NULL. */
static const char *variant_of(const TgKatexNode *node, MathOptions options)
{
    if (options.font == NULL || strcmp(options.font, "mathnormal") == 0)
        return NULL;
    if (strcmp(options.font, "boldsymbol") == 0)
        return node->class == TG_KATEX_ORD ? "bold" : "bold-italic";
    const TgKatexMathFont *row = tg_katex_math_font(options.font);
    if (row != NULL && row->variant != NULL)
        return row->variant;
    return tg_katex_glyph(TG_KATEX_MAIN, tg_katex_shown(node->text, node->in_text),
                          node->in_text) != NULL
               ? "normal"
               : NULL;
}

static Element *write_symbol(TgArena *arena, const TgKatexNode *node, MathOptions options)
{
    const char *variant = variant_of(node, options),
               *text = tg_katex_shown(node->text, node->in_text);
    const char *tag, *usual;

    switch (node->class) {
    case TG_KATEX_SPACE:
        return strcmp(node->text, "\\nobreak") == 0 || strcmp(node->text, "\\allowbreak") == 0
                   ? element_new(arena, "mspace", NULL)
                   : element_of(arena, "mtext", "", "");
    case TG_KATEX_LETTER:
        variant = variant != NULL ? variant : "italic";
        tag = "mi";
        usual = "italic";
        break;
    case TG_KATEX_ORD:
        variant = variant != NULL ? variant : "normal";
        tag = node->in_text                        ? "mtext"
              : g_ascii_isdigit(node->text[0])     ? "mn"
              : strcmp(node->text, "\\prime") == 0 ? "mo"
                                                   : "mi";
        usual = strcmp(tag, "mi") == 0 ? "italic" : strcmp(tag, "mo") == 0 ? "" : "normal";
        break;
    case TG_KATEX_PUNCTUATION:
        return element_of(arena, "mo", text, "separator=\"true\"");
    case TG_KATEX_OPEN:
    case TG_KATEX_CLOSE:
        return element_of(arena, "mo", text, "stretchy=\"false\"");
    case TG_KATEX_BINARY:
        return element_of(arena, "mo", text,
                          variant != NULL && strcmp(variant, "bold-italic") == 0
                              ? "mathvariant=\"bold-italic\""
                              : "");
    default:
        return element_of(arena, "mo", text, "");
    }
    return element_of(
        arena, tag, text,
        strcmp(variant, usual) == 0 ? "" : tg_arena_printf(arena, "mathvariant=\"%s\"", variant));
}

/* ---- Other nodes ----------------------------------------------------------------------------- */

static Element *pair_of(TgArena *arena, const char *tag, Element *a, Element *b)
{
    a->next = b;
    b->next = NULL;
    return element_new(arena, tag, a);
}

static Element *write_script_bases(TgArena *arena, TgKatexNode *node, MathOptions options)
{
    TgKatexNode *base = node->parts[0], *sub = node->parts[1], *sup = node->parts[2];
    const gboolean limits = tg_katex_takes_limits(base, options.style == 0 && !options.cramped);
    const gboolean brace = base != NULL && base->kind == TG_KATEX_N_BRACE &&
                           (sup != NULL) == (strcmp(base->text, "\\overbrace") == 0);
    Element *first =
        base != NULL ? write_node(arena, base, options) : element_new(arena, "mrow", NULL);

    /* a name and its invisible sign are one here */
    if (base != NULL && first->tag == NULL && first->text == NULL)
        first = element_new(arena, "mrow", first->first);
    first->next = NULL;
    Element *element = element_new(arena, NULL, first);
    if (sub != NULL)
        append_child(element, write_node(arena, sub, options));
    if (sup != NULL)
        append_child(element, write_node(arena, sup, options));
    element->tag = brace         ? strcmp(base->text, "\\overbrace") == 0 ? "mover" : "munder"
                   : sub == NULL ? limits ? "mover" : "msup"
                   : sup == NULL ? limits ? "munder" : "msub"
                   : limits      ? "munderover"
                                 : "msubsup";
    return element;
}

static Element *write_function_name(TgArena *arena, Element *name)
{
    name->next = element_of(arena, "mo", "\u2061", "");
    return element_new(arena, NULL, name);
}

static Element *write_operator(TgArena *arena, TgKatexNode *node, MathOptions options)
{
    if (node->flag)
        return element_of(arena, "mo", node->text, "");
    if (node->text == NULL)
        return element_new(arena, "mo", write_list(arena, node->list, options));
    return write_function_name(arena, element_of(arena, "mi", node->text + 1, ""));
}

static Element *write_operator_name(TgArena *arena, TgKatexNode *node, MathOptions options)
{
    MathOptions roman = options;

    roman.font = "mathrm";
    return write_function_name(
        arena,
        element_with(arena, "mi", write_list(arena, node->list, roman), "mathvariant=\"normal\""));
}

static Element *write_fraction(TgArena *arena, TgKatexNode *node, MathOptions options)
{
    Element *element = pair_of(arena, "mfrac", write_node(arena, node->parts[0], options),
                               write_node(arena, node->parts[1], options));
    guint style = options.style;

    if (!node->flag)
        element->attributes = "linethickness=\"0px\"";
    if (node->number == 0)
        style = options.style >= 2 ? 1 : 0;
    else if (node->number == 1 && options.style == 0)
        style = 1;
    else if (node->number >= 2)
        style = (guint) node->number;
    if (style != options.style)
        element = element_with(arena, "mstyle", element,
                               style == 0 ? "displaystyle=\"true\"scriptlevel=\"0\""
                                          : "displaystyle=\"false\"scriptlevel=\"0\"");
    if (node->left == NULL && node->right == NULL)
        return element;
    Element *row = element_new(arena, "mrow", NULL);
    if (node->left != NULL)
        append_child(
            row, element_of(arena, "mo", node->left + (node->left[0] == '\\'), "fence=\"true\""));
    append_child(row, element);
    if (node->right != NULL)
        append_child(
            row, element_of(arena, "mo", node->right + (node->right[0] == '\\'), "fence=\"true\""));
    return row;
}

/* A list in the style @style; @as_row: as one element. */
static Element *write_in_style(TgArena *arena, TgKatexNode *list, MathOptions options, gint style,
                               gboolean as_row)
{
    static const char *const attributes[] = { "scriptlevel=\"0\"displaystyle=\"true\"",
                                              "scriptlevel=\"0\"displaystyle=\"false\"",
                                              "scriptlevel=\"1\"displaystyle=\"false\"",
                                              "scriptlevel=\"2\"displaystyle=\"false\"" };

    options.style = (guint) style;
    options.cramped = FALSE;
    Element *first = write_list(arena, list, options);
    return element_with(arena, "mstyle", as_row ? element_row(arena, first) : first,
                        attributes[style]);
}

static Element *write_array(TgArena *arena, TgKatexNode *node, MathOptions options)
{
    const TgKatexArray *array = node->array;
    Element *table = element_new(arena, "mtable", NULL);
    g_autoptr(GString) attributes = g_string_new(NULL);
    guint r = 0;

    for (TgKatexNode *row = node->list; row != NULL; row = row->next, r++) {
        Element *line = element_new(arena, "mtr", NULL);
        for (TgKatexNode *cell = row->list; cell != NULL; cell = cell->next)
            append_child(line,
                         element_new(arena, "mtd",
                                     array->style < 0 ? write_node(arena, cell, options)
                                                      : write_in_style(arena, cell->list, options,
                                                                       array->style, TRUE)));
        if (array->numbered || array->rows[r].tag != NULL) {
            Element *pad = element_with(arena, "mtd", NULL, "style=\"width:50%;\"");
            pad->next = line->first;
            line->first = pad;
            Element *number = array->rows[r].tag != NULL
                                  ? write_node(arena, array->rows[r].tag, options)
                                  : element_of(arena, "mtext", "#", "");
            append_child(line, element_new(arena, "mtd", number));
        }
        append_child(table, line);
    }
    g_string_append_printf(attributes, "columns=\"%s\"stretch=\"%g\"",
                           array->columns != NULL ? array->columns : "", array->stretch);
    g_string_append_printf(attributes, "kind=\"%d%d%d%d\"", array->cases, array->aligned,
                           array->jot, array->style == 2);
    for (guint i = 0; i <= array->n_rows; i++)
        g_string_append_c(attributes, array->rows[i].lines > 0 ? 'l' : '-');
    table->attributes = tg_arena_text(arena, attributes->str, attributes->len);
    return table;
}

static Element *write_bar(TgArena *arena, TgKatexNode *node, MathOptions options)
{
    const gboolean over = node->kind == TG_KATEX_N_OVERLINE;
    Element *element =
        pair_of(arena, over ? "mover" : "munder", write_node(arena, node->parts[0], options),
                element_of(arena, "mo", "‾", "stretchy=\"true\""));

    element->attributes = over ? "accent=\"true\"" : "accentunder=\"true\"";
    return element;
}

static Element *write_fenced(TgArena *arena, TgKatexNode *node, MathOptions options)
{
    Element *row = element_new(arena, NULL, NULL);

    if (node->left != NULL && strcmp(node->left, ".") != 0)
        append_child(row,
                     element_of(arena, "mo", tg_katex_shown(node->left, FALSE), "fence=\"true\""));
    append_child(row, write_list(arena, node->list, options));
    if (node->right != NULL && strcmp(node->right, ".") != 0)
        append_child(row,
                     element_of(arena, "mo", tg_katex_shown(node->right, FALSE), "fence=\"true\""));
    return element_row(arena, row->first);
}

static Element *write_kern(TgArena *arena, const TgKatexNode *node)
{
    const double em = strcmp(node->size.unit, "mu") == 0   ? node->size.number / 18
                      : strcmp(node->size.unit, "em") == 0 ? node->size.number
                                                           : 0;
    static const double thin[] = { 1. / 18, 3. / 18, 4. / 18, 5. / 18 };

    for (guint i = 0; i < G_N_ELEMENTS(thin); i++)
        if (ABS(em - thin[i]) < 1e-4 || ABS(em + thin[i]) < 1e-4) {
            /* white space, which does not count, and a sign where it is negative */
            return element_text(arena, em < 0 ? "\u2063" : "");
        }
    return element_with(
        arena, "mspace", NULL,
        tg_arena_printf(arena, "width=\"%.4g%s\"", node->size.number, node->size.unit));
}

static Element *write_node(TgArena *arena, TgKatexNode *node, MathOptions options)
{
    MathOptions inner = options;
    Element *element;
    TgKatexNode *choice;

    if (node == NULL)
        return element_new(arena, "mrow", NULL);
    switch (node->kind) {
    case TG_KATEX_N_SYMBOL:
        return write_symbol(arena, node, options);
    case TG_KATEX_N_GROUP:
    case TG_KATEX_N_TEXT:
    case TG_KATEX_N_CLASS:
        return write_row(arena, node->list, options);
    case TG_KATEX_N_SCRIPTS:
        return write_script_bases(arena, node, options);
    case TG_KATEX_N_OPERATOR:
        return write_operator(arena, node, options);
    case TG_KATEX_N_OPERATORNAME:
        return write_operator_name(arena, node, options);
    case TG_KATEX_N_FRACTION:
        return write_fraction(arena, node, options);
    case TG_KATEX_N_ROOT:
        return node->parts[1] != NULL
                   ? pair_of(arena, "mroot", write_node(arena, node->parts[0], options),
                             write_node(arena, node->parts[1], options))
                   : element_new(arena, "msqrt", write_node(arena, node->parts[0], options));
    case TG_KATEX_N_ACCENT:
        element = pair_of(arena, "mover", write_node(arena, node->parts[0], options),
                          element_of(arena, "mo", node->text, ""));
        element->attributes = "accent=\"true\"";
        return element;
    case TG_KATEX_N_OVERLINE:
    case TG_KATEX_N_UNDERLINE:
        return write_bar(arena, node, options);
    case TG_KATEX_N_LEFT_RIGHT:
        return write_fenced(arena, node, options);
    case TG_KATEX_N_ARRAY:
        return write_array(arena, node, options);
    case TG_KATEX_N_FONT:
        inner.font = node->text;
        return write_node(arena, node->parts[0], inner);
    case TG_KATEX_N_KERN:
        return write_kern(arena, node);
    case TG_KATEX_N_COLOR:
        return element_with(arena, "mstyle", write_list(arena, node->list, options), "mathcolor");
    case TG_KATEX_N_SIZING:
        return element_with(arena, "mstyle", write_list(arena, node->list, options),
                            tg_arena_printf(arena, "mathsize=\"%d\"", node->number));
    case TG_KATEX_N_PHANTOM:
        return element_with(arena, "mphantom", write_list(arena, node->list, options),
                            strcmp(node->text, "\\phantom") == 0 ? "" : node->text);
    case TG_KATEX_N_STYLE:
        return write_in_style(arena, node->list, options, node->number, FALSE);
    case TG_KATEX_N_LINE_END:
        return element_with(arena, "mspace", NULL, "linebreak=\"newline\"");
    case TG_KATEX_N_DELIMITER:
        return element_of(
            arena, "mo", tg_katex_shown(node->text, FALSE),
            tg_arena_printf(arena, "fence=\"%s\"size=\"%d\"",
                            node->class == TG_KATEX_OPEN || node->class == TG_KATEX_CLOSE ? "true"
                                                                                          : "false",
                            node->number));
    case TG_KATEX_N_MIDDLE:
        return element_of(arena, "mo", tg_katex_shown(node->text, FALSE),
                          "fence=\"true\"lspace=\"0.05em\"rspace=\"0.05em\"");
    case TG_KATEX_N_RAISE:
    case TG_KATEX_N_SMASH:
    case TG_KATEX_N_LAP:
    case TG_KATEX_N_BOX:
        return element_with(arena, "mpadded", write_node(arena, node->parts[0], options),
                            tg_arena_printf(arena, "is=\"%s%g\"", node->text, node->size.number));
    case TG_KATEX_N_RULE:
        return element_with(
            arena, "mspace", NULL,
            tg_arena_printf(arena, "rule=\"%g%g\"", node->sizes[0].number, node->sizes[1].number));
    case TG_KATEX_N_CHOICE:
        choice = node->parts[options.style];
        return write_row(arena, choice->kind == TG_KATEX_N_GROUP ? choice->list : choice, options);
    case TG_KATEX_N_ARROW:
    case TG_KATEX_N_UNDER_ACCENT:
    case TG_KATEX_N_BRACE:
        element =
            pair_of(arena,
                    node->kind == TG_KATEX_N_UNDER_ACCENT || strcmp(node->text, "\\underbrace") == 0
                        ? "munder"
                        : "mover",
                    write_node(arena, node->parts[0], options),
                    element_of(arena, "mo", node->text, "stretchy=\"true\""));
        if (node->kind == TG_KATEX_N_ARROW && node->parts[1] != NULL)
            append_child(element, write_node(arena, node->parts[1], options));
        return element;
    default:
        return element_new(arena, "mrow", NULL);
    }
}

/* ---- The string ------------------------------------------------------------------------------ */

static void print_text(GString *out, const char *text)
{
    for (const char *p = text; *p != '\0'; p = g_utf8_next_char(p)) {
        const gunichar c = g_utf8_get_char(p);
        if (g_unichar_isspace(c) || (c >= 0x200A && c <= 0x200D) || c == 0x2060 || c == 0xFEFF)
            continue;
        if (c == '&' || c == '<' || c == '>')
            g_string_append(out, c == '&' ? "&amp;" : c == '<' ? "&lt;" : "&gt;");
        else
            g_string_append_unichar(out, c);
    }
}

static void print_element(GString *out, const Element *element)
{
    if (element->text != NULL)
        print_text(out, element->text);
    if (element->tag != NULL)
        g_string_append_printf(out, "<%s%s>", element->tag, element->attributes);
    for (const Element *child = element->first; child != NULL; child = child->next)
        print_element(out, child);
    if (element->tag != NULL)
        g_string_append_printf(out, "</%s>", element->tag);
}

char *tg_katex_mathml(const TgKatexFormula *formula, TgArena *arena)
{
    const MathOptions options = { 0 };
    g_autoptr(GString) out = g_string_new(NULL);
    Element *list = write_list(arena, formula->list, options);

    if (formula->tag != NULL) {
        static const char half[] = "<mtdwidth=\"50%\"></mtd>";
        g_string_append_printf(out, "<mtablewidth=\"100%%\"><mtr>%s<mtd>", half);
        print_element(out, element_row(arena, list));
        g_string_append_printf(out, "</mtd>%s<mtd>", half);
        print_element(out, write_row(arena, formula->tag->list, options));
        g_string_append(out, "</mtd></mtr></mtable>");
        return tg_arena_text(arena, out->str, out->len);
    }
    const gboolean is_whole =
        list != NULL && list->next == NULL && (is_tag(list, "mrow") || is_tag(list, "mtable"));
    print_element(out, is_whole ? list : element_new(arena, "mrow", list));
    return tg_arena_text(arena, out->str, out->len);
}
