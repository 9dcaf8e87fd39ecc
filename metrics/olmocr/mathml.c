/* The MathML that KaTeX writes beside what it shows. olmOCR-bench compares it as a string without
 * white space, so that here an attribute follows the name of its element at once. */
#include "metrics/olmocr/katex.h"

#include <string.h>

#include "core/search.h"

/* The invisible sign after the name of a function; no element stands around both. */
#define AFTER_NAME "<mo>\u2061</mo>"

/* Where elements are written, and the state that decides how letters are. */
typedef struct {
    GString *out;
    const char *font;
    guint style; /* half of TeX's number: 0 display */
} Writer;

static void write_node(Writer to, const TgKatexNode *node);

static void write_list(Writer to, const TgKatexNode *list)
{
    for (const TgKatexNode *node = list; node != NULL; node = node->next)
        write_node(to, node);
}

static void begin_element(Writer to, const char *tag, const char *attributes)
{
    g_string_append_c(to.out, '<');
    g_string_append(to.out, tag);
    g_string_append(to.out, attributes);
    g_string_append_c(to.out, '>');
}

static void end_element(Writer to, const char *tag)
{
    g_string_append(to.out, "</");
    g_string_append(to.out, tag);
    g_string_append_c(to.out, '>');
}

/* An element with a list in it. */
static void write_element(Writer to, const char *tag, const char *attributes,
                          const TgKatexNode *list)
{
    begin_element(to, tag, attributes);
    write_list(to, list);
    end_element(to, tag);
}

/* An element with a text in it. */
static void write_text(Writer to, const char *tag, const char *attributes, const char *text)
{
    begin_element(to, tag, attributes);
    for (const char *p = text; *p != '\0'; p = g_utf8_next_char(p)) {
        const gunichar c = g_utf8_get_char(p);
        if (tg_katex_is_invisible(c))
            continue;
        if (c == '&' || c == '<' || c == '>')
            g_string_append(to.out, c == '&' ? "&amp;" : c == '<' ? "&lt;" : "&gt;");
        else
            g_string_append_unichar(to.out, c);
    }
    end_element(to, tag);
}

/* A list as one element. */
static void write_row(Writer to, const TgKatexNode *list)
{
    if (list != NULL && list->next == NULL)
        write_node(to, list);
    else
        write_element(to, "mrow", "", list);
}

/* ---- Symbols --------------------------------------------------------------------------------- */

/* The value of mathvariant, or NULL. */
static const char *variant_of(const TgKatexNode *node, const char *font)
{
    if (font == NULL || strcmp(font, "mathnormal") == 0)
        return NULL;
    if (strcmp(font, "boldsymbol") == 0)
        return node->class == ORD ? "bold" : "bold-italic";
    const TgKatexMathFont *row = tg_katex_math_font(font);
    if (row != NULL && row->variant != NULL)
        return row->variant;
    return tg_katex_glyph(MAIN, tg_katex_shown(node->text, node->in_text), node->in_text) != NULL
               ? "normal"
               : NULL;
}

/* A letter, a digit or another ordinary symbol: a mathvariant that its element has by itself is
 * left out. */
static void write_ordinary(Writer to, const TgKatexNode *node, const char *variant,
                           const char *shown)
{
    const gboolean letter = node->class == LETTER;
    const char *tag = letter                               ? "mi"
                      : node->in_text                      ? "mtext"
                      : g_ascii_isdigit(node->text[0])     ? "mn"
                      : strcmp(node->text, "\\prime") == 0 ? "mo"
                                                           : "mi";
    const char *usual = strcmp(tag, "mi") == 0 ? "italic" : strcmp(tag, "mo") == 0 ? "" : "normal";
    char attribute[48] = "";

    if (variant == NULL)
        variant = letter ? "italic" : "normal";
    if (strcmp(variant, usual) != 0)
        g_snprintf(attribute, sizeof attribute, "mathvariant=\"%s\"", variant);
    write_text(to, tag, attribute, shown);
}

static void write_symbol(Writer to, const TgKatexNode *node)
{
    const char *shown = tg_katex_shown(node->text, node->in_text);
    const char *variant = variant_of(node, to.font), *attributes = "";

    switch (node->class) {
    case LETTER:
    case ORD:
        write_ordinary(to, node, variant, shown);
        return;
    case SPACE:
        write_text(to, tg_is_one_of(node->text, -1, "\\nobreak \\allowbreak") ? "mspace" : "mtext",
                   "", "");
        return;
    case PUNCT:
        attributes = "separator=\"true\"";
        break;
    case OPEN:
    case CLOSE:
        attributes = "stretchy=\"false\"";
        break;
    case BIN:
        if (variant != NULL && strcmp(variant, "bold-italic") == 0)
            attributes = "mathvariant=\"bold-italic\"";
        break;
    default:
        break;
    }
    write_text(to, "mo", attributes, shown);
}

/* ---- Other nodes ----------------------------------------------------------------------------- */

/* An element with the first part of a node, and the second one where there is one. */
static void write_parts(Writer to, const char *tag, const char *attributes, const TgKatexNode *node)
{
    begin_element(to, tag, attributes);
    write_node(to, node->parts[0]);
    if (node->parts[1] != NULL)
        write_node(to, node->parts[1]);
    end_element(to, tag);
}

/* A body with a sign over or under it; an arrow is the sign between its labels. */
static void write_signed(Writer to, const TgKatexNode *node)
{
    const gboolean line = node->kind == NODE_OVERLINE || node->kind == NODE_UNDERLINE;
    const gboolean under = node->kind == NODE_UNDERLINE || node->kind == NODE_UNDER_ACCENT ||
                           strcmp(node->text, "\\underbrace") == 0;
    const char *tag = under ? "munder" : "mover";

    begin_element(to, tag,
                  line && under                       ? "accentunder=\"true\""
                  : line || node->kind == NODE_ACCENT ? "accent=\"true\""
                                                      : "");
    write_node(to, node->parts[0]);
    write_text(to, "mo", node->kind == NODE_ACCENT ? "" : "stretchy=\"true\"",
               line ? "‾" : node->text);
    if (node->parts[1] != NULL)
        write_node(to, node->parts[1]);
    end_element(to, tag);
}

static void write_scripts(Writer to, const TgKatexNode *node)
{
    const TgKatexNode *base = node->parts[0], *sub = node->parts[1], *sup = node->parts[2];
    const gboolean limits = tg_katex_takes_limits(base, to.style == 0);
    const gboolean brace = base != NULL && base->kind == NODE_BRACE;
    const gboolean over = brace && strcmp(base->text, "\\overbrace") == 0;
    const char *tag = brace && (sup != NULL) == over ? over ? "mover" : "munder"
                      : sub == NULL                  ? limits ? "mover" : "msup"
                      : sup == NULL                  ? limits ? "munder" : "msub"
                      : limits                       ? "munderover"
                                                     : "msubsup";

    begin_element(to, tag, "");
    const gssize at = (gssize) to.out->len;
    write_node(to, base);
    /* the name of a function becomes one element with its sign */
    if (g_str_has_suffix(to.out->str, AFTER_NAME)) {
        g_string_insert(to.out, at, "<mrow>");
        end_element(to, "mrow");
    }
    if (sub != NULL)
        write_node(to, sub);
    if (sup != NULL)
        write_node(to, sup);
    end_element(to, tag);
}

static void write_fraction(Writer to, const TgKatexNode *node)
{
    guint style = to.style;

    if (node->number == 0)
        style = to.style >= 2 ? 1 : 0;
    else if (node->number == 1 && to.style == 0)
        style = 1;
    if (node->left != NULL) {
        begin_element(to, "mrow", "");
        write_text(to, "mo", "fence=\"true\"", node->left + (node->left[0] == '\\'));
    }
    if (style != to.style)
        begin_element(to, "mstyle",
                      style == 0 ? "displaystyle=\"true\"scriptlevel=\"0\""
                                 : "displaystyle=\"false\"scriptlevel=\"0\"");
    write_parts(to, "mfrac", node->flag ? "" : "linethickness=\"0px\"", node);
    if (style != to.style)
        end_element(to, "mstyle");
    if (node->right != NULL) {
        write_text(to, "mo", "fence=\"true\"", node->right + (node->right[0] == '\\'));
        end_element(to, "mrow");
    }
}

/* A list in another style; @as_row: as one element. */
static void write_in_style(Writer to, const TgKatexNode *list, gint style, gboolean as_row)
{
    static const char *const attributes[] = { "scriptlevel=\"0\"displaystyle=\"true\"",
                                              "scriptlevel=\"0\"displaystyle=\"false\"",
                                              "scriptlevel=\"1\"displaystyle=\"false\"",
                                              "scriptlevel=\"2\"displaystyle=\"false\"" };
    to.style = (guint) style;
    begin_element(to, "mstyle", attributes[style]);
    if (as_row)
        write_row(to, list);
    else
        write_list(to, list);
    end_element(to, "mstyle");
}

static void write_array(Writer to, const TgKatexNode *node)
{
    const TgKatexArray *array = node->array;

    g_string_append_printf(to.out, "<mtablecolumns=\"%s\"stretch=\"%g\"kind=\"%d%d%d%d\"",
                           array->columns != NULL ? array->columns : "", array->stretch,
                           array->cases, array->aligned, array->jot, array->style == 2);
    for (const TgKatexNode *row = node->list; row != NULL; row = row->next)
        g_string_append_c(to.out, row->flag ? 'l' : '-');
    g_string_append(to.out, array->line_below ? "l>" : "->");
    for (const TgKatexNode *row = node->list; row != NULL; row = row->next) {
        const TgKatexNode *tag = row->parts[0];
        begin_element(to, "mtr", "");
        if (array->numbered || tag != NULL)
            g_string_append(to.out, "<mtdstyle=\"width:50%;\"></mtd>");
        for (const TgKatexNode *cell = row->list; cell != NULL; cell = cell->next) {
            begin_element(to, "mtd", "");
            if (array->style < 0)
                write_node(to, cell);
            else
                write_in_style(to, cell->list, array->style, TRUE);
            end_element(to, "mtd");
        }
        if (tag != NULL) {
            begin_element(to, "mtd", "");
            write_node(to, tag);
            end_element(to, "mtd");
        } else if (array->numbered) {
            g_string_append(to.out, "<mtd><mtext>#</mtext></mtd>");
        }
        end_element(to, "mtr");
    }
    end_element(to, "mtable");
}

/* A list between delimiters, of which a dot shows nothing, as one element. */
static void write_fenced(Writer to, const TgKatexNode *node)
{
    const TgKatexNode *list = node->list;
    const gboolean left = !tg_katex_is_null(node->left), right = !tg_katex_is_null(node->right);
    const gint n_inside = list == NULL ? 0 : list->next == NULL ? 1 : 2;
    const gboolean is_one = left + n_inside + right == 1;

    if (!is_one)
        begin_element(to, "mrow", "");
    if (left)
        write_text(to, "mo", "fence=\"true\"", tg_katex_shown(node->left, FALSE));
    write_list(to, list);
    if (right)
        write_text(to, "mo", "fence=\"true\"", tg_katex_shown(node->right, FALSE));
    if (!is_one)
        end_element(to, "mrow");
}

static void write_delimiter(Writer to, const TgKatexNode *node)
{
    const gboolean fence = node->class == OPEN || node->class == CLOSE;
    char attributes[40];

    g_snprintf(attributes, sizeof attributes, "fence=\"%s\"size=\"%d\"", fence ? "true" : "false",
               node->number);
    write_text(to, "mo", attributes, tg_katex_shown(node->text, FALSE));
}

static void write_kern(Writer to, TgKatexLength size)
{
    static const double thin[] = { 1. / 18, 3. / 18, 4. / 18, 5. / 18 };
    const double em = strcmp(size.unit, "mu") == 0   ? size.number / 18
                      : strcmp(size.unit, "em") == 0 ? size.number
                                                     : 0;

    for (guint i = 0; i < G_N_ELEMENTS(thin); i++)
        if (ABS(em - thin[i]) < 1e-4 || ABS(em + thin[i]) < 1e-4) {
            /* white space, which does not count, and a sign where it is negative */
            g_string_append(to.out, em < 0 ? "\u2063" : "");
            return;
        }
    g_string_append_printf(to.out, "<mspacewidth=\"%.4g%s\"></mspace>", size.number, size.unit);
}

static void write_node(Writer to, const TgKatexNode *node)
{
    switch (node != NULL ? node->kind : NODE_INTERNAL) {
    case NODE_SYMBOL:
        write_symbol(to, node);
        break;
    case NODE_GROUP:
    case NODE_TEXT:
    case NODE_CLASS:
        write_row(to, node->list);
        break;
    case NODE_SCRIPTS:
        write_scripts(to, node);
        break;
    case NODE_OPERATOR:
        if (node->flag) {
            write_text(to, "mo", "", node->text);
        } else if (node->text == NULL) {
            write_element(to, "mo", "", node->list);
        } else {
            write_text(to, "mi", "", node->text + 1);
            g_string_append(to.out, AFTER_NAME);
        }
        break;
    case NODE_OPERATORNAME:
        to.font = "mathrm";
        write_element(to, "mi", "mathvariant=\"normal\"", node->list);
        g_string_append(to.out, AFTER_NAME);
        break;
    case NODE_FRACTION:
        write_fraction(to, node);
        break;
    case NODE_ROOT:
        write_parts(to, node->parts[1] != NULL ? "mroot" : "msqrt", "", node);
        break;
    case NODE_ACCENT:
    case NODE_UNDER_ACCENT:
    case NODE_OVERLINE:
    case NODE_UNDERLINE:
    case NODE_ARROW:
    case NODE_BRACE:
        write_signed(to, node);
        break;
    case NODE_LEFT_RIGHT:
        write_fenced(to, node);
        break;
    case NODE_DELIMITER:
        write_delimiter(to, node);
        break;
    case NODE_MIDDLE:
        write_text(to, "mo", "fence=\"true\"lspace=\"0.05em\"rspace=\"0.05em\"",
                   tg_katex_shown(node->text, FALSE));
        break;
    case NODE_ARRAY:
        write_array(to, node);
        break;
    case NODE_FONT:
        to.font = node->text;
        write_node(to, node->parts[0]);
        break;
    case NODE_KERN:
        write_kern(to, node->size);
        break;
    case NODE_RULE:
        g_string_append_printf(to.out, "<mspacerule=\"%g%g\"></mspace>", node->sizes[0].number,
                               node->sizes[1].number);
        break;
    case NODE_LINE_END:
        g_string_append(to.out, "<mspacelinebreak=\"newline\"></mspace>");
        break;
    case NODE_COLOR:
        write_element(to, "mstyle", "mathcolor", node->list);
        break;
    case NODE_PHANTOM:
        write_element(to, "mphantom", strcmp(node->text, "\\phantom") == 0 ? "" : node->text,
                      node->list);
        break;
    case NODE_STYLE:
        write_in_style(to, node->list, node->number, FALSE);
        break;
    case NODE_SIZING:
        g_string_append_printf(to.out, "<mstylemathsize=\"%d\">", node->number);
        write_list(to, node->list);
        end_element(to, "mstyle");
        break;
    case NODE_RAISE:
    case NODE_SMASH:
    case NODE_LAP:
    case NODE_BOX:
        g_string_append_printf(to.out, "<mpaddedis=\"%s%g\">", node->text, node->size.number);
        write_node(to, node->parts[0]);
        end_element(to, "mpadded");
        break;
    case NODE_CHOICE:
        write_row(to, node->parts[to.style]->list);
        break;
    default:
        write_row(to, NULL);
    }
}

char *tg_katex_mathml(const TgKatexFormula *formula)
{
    static const char half[] = "<mtdwidth=\"50%\"></mtd>";
    GString *out = g_string_new(NULL);
    const Writer to = { .out = out };

    if (formula->tag != NULL) {
        g_string_append_printf(out, "<mtablewidth=\"100%%\"><mtr>%s<mtd>", half);
        write_row(to, formula->list);
        g_string_append_printf(out, "</mtd>%s<mtd>", half);
        write_row(to, formula->tag->list);
        g_string_append(out, "</mtd></mtr></mtable>");
        return g_string_free(out, FALSE);
    }
    write_row(to, formula->list);
    /* a single element that is no row and no table stands in a row */
    if (!g_str_has_prefix(out->str, "<mrow>") && !g_str_has_prefix(out->str, "<mtable")) {
        g_string_prepend(out, "<mrow>");
        end_element(to, "mrow");
    }
    return g_string_free(out, FALSE);
}
