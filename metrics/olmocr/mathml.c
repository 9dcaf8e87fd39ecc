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

static Element *element_of(TgArena *arena, const char *tag, const char *text,
                           const char *attributes)
{
    Element *element = element_new(arena, tag, element_text(arena, text));

    element->attributes = attributes;
    return element;
}

static char *arena_text(TgArena *arena, const char *text)
{
    return strcpy(tg_arena_alloc(arena, strlen(text) + 1), text);
}

static gboolean is_tag(const Element *element, const char *tag)
{
    return element != NULL && element->tag != NULL && strcmp(element->tag, tag) == 0;
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

static const char *shown_text(const char *name, gboolean in_text)
{
    const TgKatexSymbol *symbol = tg_katex_symbol(name);

    if (in_text) {
        static const char *const joined[][2] = {
            { "--", "–" }, { "---", "—" }, { "``", "“" }, { "''", "”" }
        };
        for (guint i = 0; i < G_N_ELEMENTS(joined); i++)
            if (strcmp(joined[i][0], name) == 0)
                return joined[i][1];
        return symbol != NULL && symbol->text != NULL && name[0] != '-' ? symbol->text : name;
    }
    return symbol != NULL && symbol->shown != NULL ? symbol->shown : name;
}

/* The value of mathvariant, or NULL. */
static const char *variant_of(const TgKatexNode *node, MathOptions options)
{
    static const char *const variants[][2] = {
        { "mathit", "italic" },        { "mathbf", "bold" },
        { "mathbb", "double-struck" }, { "mathsfit", "sans-serif-italic" },
        { "mathfrak", "fraktur" },     { "mathscr", "script" },
        { "mathcal", "script" },       { "mathsf", "sans-serif" },
        { "mathtt", "monospace" },
    };
    if (options.font == NULL || strcmp(options.font, "mathnormal") == 0)
        return NULL;
    if (strcmp(options.font, "boldsymbol") == 0)
        return node->class == TG_KATEX_ORD ? "bold" : "bold-italic";
    for (guint i = 0; i < G_N_ELEMENTS(variants); i++)
        if (strcmp(variants[i][0], options.font) == 0)
            return variants[i][1];
    return tg_katex_glyph(TG_KATEX_MAIN, shown_text(node->text, node->in_text), node->in_text) !=
                   NULL
               ? "normal"
               : NULL;
}

static Element *write_symbol(TgArena *arena, const TgKatexNode *node, MathOptions options)
{
    const char *variant = variant_of(node, options), *text = shown_text(node->text, node->in_text);
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
    Element *element = element_of(arena, tag, text, "");
    if (strcmp(variant, usual) != 0) {
        g_autofree char *attribute = g_strdup_printf("mathvariant=\"%s\"", variant);
        element->attributes = arena_text(arena, attribute);
    }
    return element;
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
    const gboolean display = options.style == 0 && !options.cramped;
    const gboolean brace = base != NULL && base->kind == TG_KATEX_N_BRACE &&
                           (sup != NULL) == (strcmp(base->text, "\\overbrace") == 0);
    const gboolean limits =
        base != NULL &&
        ((base->kind == TG_KATEX_N_OPERATOR && base->limits && (display || base->always_scripts)) ||
         (base->kind == TG_KATEX_N_OPERATORNAME && base->always_scripts &&
          (base->limits || display)));
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
    Element *name = element_new(arena, "mi", write_list(arena, node->list, roman));
    name->attributes = "mathvariant=\"normal\"";
    return write_function_name(arena, name);
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
    if (style != options.style) {
        element = element_new(arena, "mstyle", element);
        element->attributes = style == 0 ? "displaystyle=\"true\"scriptlevel=\"0\""
                                         : "displaystyle=\"false\"scriptlevel=\"0\"";
    }
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

static Element *write_accent(TgArena *arena, TgKatexNode *node, MathOptions options)
{
    Element *element = pair_of(arena, "mover", write_node(arena, node->parts[0], options),
                               element_of(arena, "mo", node->text, ""));
    element->attributes = "accent=\"true\"";
    return element;
}

static Element *write_cell(TgArena *arena, TgKatexNode *cell, MathOptions options, gint style)
{
    Element *inner;

    if (style < 0) {
        inner = write_node(arena, cell, options);
    } else {
        options.style = (guint) style;
        options.cramped = FALSE;
        inner = element_new(arena, "mstyle", write_row(arena, cell->list, options));
        inner->attributes = style == 0   ? "scriptlevel=\"0\"displaystyle=\"true\""
                            : style == 1 ? "scriptlevel=\"0\"displaystyle=\"false\""
                                         : "scriptlevel=\"1\"displaystyle=\"false\"";
    }
    return element_new(arena, "mtd", inner);
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
            append_child(line, write_cell(arena, cell, options, array->style));
        if (array->tags != NULL && (array->numbered || array->tags[r] != NULL)) {
            Element *pad = element_new(arena, "mtd", NULL);
            pad->attributes = "style=\"width:50%;\"";
            pad->next = line->first;
            line->first = pad;
            Element *number = array->tags[r] != NULL ? write_node(arena, array->tags[r], options)
                                                     : element_of(arena, "mtext", "#", "");
            append_child(line, element_new(arena, "mtd", number));
        }
        append_child(table, line);
    }
    g_string_append_printf(attributes, "columns=\"%s\"stretch=\"%g\"",
                           array->columns != NULL ? array->columns : "", array->stretch);
    g_string_append_printf(attributes, "kind=\"%d%d%d%d\"", array->cases, array->aligned,
                           array->jot, array->small);
    for (guint i = 0; i <= array->n_rows; i++)
        g_string_append_c(attributes, array->lines[i] > 0 ? 'l' : '-');
    table->attributes = arena_text(arena, attributes->str);
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
        append_child(row, element_of(arena, "mo", shown_text(node->left, FALSE), "fence=\"true\""));
    append_child(row, write_list(arena, node->list, options));
    if (node->right != NULL && strcmp(node->right, ".") != 0)
        append_child(row,
                     element_of(arena, "mo", shown_text(node->right, FALSE), "fence=\"true\""));
    return element_row(arena, row->first);
}

/* Something with attributes around a list. */
static Element *write_styled(TgArena *arena, const char *tag, TgKatexNode *list,
                             MathOptions options, const char *format, double value)
{
    Element *element = element_new(arena, tag, write_list(arena, list, options));
    g_autofree char *number = g_strdup_printf("%g", value);
    g_autoptr(GString) attributes = g_string_new(format);

    g_string_replace(attributes, "%", number, 1);
    element->attributes = arena_text(arena, attributes->str);
    return element;
}

static Element *write_kern(TgArena *arena, const TgKatexNode *node)
{
    g_autofree char *width =
        g_strdup_printf("width=\"%.4g%s\"", node->size.number, node->size.unit);
    Element *element;
    const double em = strcmp(node->size.unit, "mu") == 0   ? node->size.number / 18
                      : strcmp(node->size.unit, "em") == 0 ? node->size.number
                                                           : 0;
    static const double thin[] = { 1. / 18, 3. / 18, 4. / 18, 5. / 18 };

    for (guint i = 0; i < G_N_ELEMENTS(thin); i++)
        if (ABS(em - thin[i]) < 1e-4 || ABS(em + thin[i]) < 1e-4) {
            /* white space, which does not count, and a sign where it is negative */
            element = element_text(arena, em < 0 ? "\u2063" : "");
            return element;
        }
    element = element_new(arena, "mspace", NULL);
    element->attributes = arena_text(arena, width);
    return element;
}

static Element *write_other(TgArena *arena, TgKatexNode *node, MathOptions options)
{
    g_autofree char *value = NULL;
    Element *element;

    switch (node->kind) {
    case TG_KATEX_N_LINE_END:
        element = element_new(arena, "mspace", NULL);
        element->attributes = "linebreak=\"newline\"";
        return element;
    case TG_KATEX_N_DELIMITER:
        value = g_strdup_printf(
            "fence=\"%s\"size=\"%d\"",
            node->class == TG_KATEX_OPEN || node->class == TG_KATEX_CLOSE ? "true" : "false",
            node->number);
        return element_of(arena, "mo", shown_text(node->text, FALSE), arena_text(arena, value));
    case TG_KATEX_N_MIDDLE:
        return element_of(arena, "mo", shown_text(node->text, FALSE),
                          "fence=\"true\"lspace=\"0.05em\"rspace=\"0.05em\"");
    case TG_KATEX_N_RAISE:
    case TG_KATEX_N_SMASH:
    case TG_KATEX_N_LAP:
    case TG_KATEX_N_BOX:
        element = element_new(arena, "mpadded", write_node(arena, node->parts[0], options));
        value =
            g_strdup_printf("is=\"%s%g\"", node->text != NULL ? node->text : "", node->size.number);
        element->attributes = arena_text(arena, value);
        return element;
    case TG_KATEX_N_RULE:
        element = element_new(arena, "mspace", NULL);
        value = g_strdup_printf("rule=\"%g%g\"", node->sizes[0].number, node->sizes[1].number);
        element->attributes = arena_text(arena, value);
        return element;
    case TG_KATEX_N_CHOICE:
        return write_row(arena,
                         node->parts[options.style]->kind == TG_KATEX_N_GROUP
                             ? node->parts[options.style]->list
                             : node->parts[options.style],
                         options);
    case TG_KATEX_N_PHANTOM:
        return write_styled(arena, "mphantom", node->list, options,
                            strcmp(node->text, "\\phantom") == 0 ? "" : node->text, 0);
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

static Element *write_node(TgArena *arena, TgKatexNode *node, MathOptions options)
{
    MathOptions inner = options;
    Element *element;

    if (node == NULL)
        return element_new(arena, "mrow", NULL);
    switch (node->kind) {
    case TG_KATEX_N_SYMBOL:
        return write_symbol(arena, node, options);
    case TG_KATEX_N_GROUP:
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
        return write_accent(arena, node, options);
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
    case TG_KATEX_N_TEXT:
        return write_row(arena, node->list, options);
    case TG_KATEX_N_KERN:
        return write_kern(arena, node);
    case TG_KATEX_N_CLASS:
        return write_row(arena, node->list, options);
    case TG_KATEX_N_COLOR:
        return write_styled(arena, "mstyle", node->list, options, "mathcolor", 0);
    case TG_KATEX_N_SIZING:
        return write_styled(arena, "mstyle", node->list, options, "mathsize=\"%\"", node->number);
    case TG_KATEX_N_STYLE:
        inner.style = (guint) node->number;
        inner.cramped = FALSE;
        element = element_new(arena, "mstyle", write_list(arena, node->list, inner));
        element->attributes = node->number == 0   ? "scriptlevel=\"0\"displaystyle=\"true\""
                              : node->number == 1 ? "scriptlevel=\"0\"displaystyle=\"false\""
                              : node->number == 2 ? "scriptlevel=\"1\"displaystyle=\"false\""
                                                  : "scriptlevel=\"2\"displaystyle=\"false\"";
        return element;
    default:
        return write_other(arena, node, options);
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
    Element *list = write_list(arena, formula->list, options), *top;

    if (formula->tag != NULL) {
        static const char half[] = "<mtdwidth=\"50%\"></mtd>";
        g_string_append_printf(out, "<mtablewidth=\"100%%\"><mtr>%s<mtd>", half);
        print_element(out, element_row(arena, list));
        g_string_append_printf(out, "</mtd>%s<mtd>", half);
        print_element(out, write_row(arena, formula->tag->list, options));
        g_string_append(out, "</mtd></mtr></mtable>");
        return arena_text(arena, out->str);
    }
    top = list != NULL && list->next == NULL && (is_tag(list, "mrow") || is_tag(list, "mtable"))
              ? list
              : element_new(arena, "mrow", list);
    print_element(out, top);
    return arena_text(arena, out->str);
}
