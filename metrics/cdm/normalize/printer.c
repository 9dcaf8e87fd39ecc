/* Prints a parsed formula as the official normaliser does: tokens with a space behind each. */
#include "metrics/cdm/normalize/printer.h"

#include <string.h>

#include "core/deadline.h"

/* Where the text goes; @roman: inside `\mathrm`, where letters and unknown names are spelled out.
 */
typedef struct {
    TgCdmText *out;
    const TgCdmText *line; /* that was parsed */
    gboolean roman;
    TgCdmRange origin; /* of what is printed now */
} Printer;

static gboolean print_node(Printer printer, const TgCdmNode *node);

static TgCdmRange origin_of(Printer printer, TgCdmRange at)
{
    return tg_cdm_text_origin(printer.line, at.start, at.end);
}

static gboolean print_list(Printer printer, const GPtrArray *nodes)
{
    for (guint i = 0; i < nodes->len; i++)
        if (!print_node(printer, nodes->pdata[i]))
            return FALSE;
    return TRUE;
}

static void print_text(Printer printer, const char *text)
{
    tg_cdm_text_append(printer.out, text, printer.origin);
}

static void print_token(Printer printer, const char *token)
{
    print_text(printer, token);
    print_text(printer, " ");
}

static void print_letters(Printer printer, const char *text)
{
    for (const char *p = text, *end; *p != '\0'; p = end) {
        char letter[8] = "";

        end = g_utf8_next_char(p);
        memcpy(letter, p, (gsize) (end - p));
        print_token(printer, letter);
    }
}

/* A group as it is, anything else in braces of its own. */
static gboolean print_braced(Printer printer, const TgCdmNode *node)
{
    if (node == NULL)
        return FALSE;
    if (node->kind == TG_CDM_NODE_GROUP)
        return print_node(printer, node);
    print_token(printer, "{");
    const gboolean ok = print_node(printer, node);
    print_token(printer, "}");
    return ok;
}

/* What is inside a group, or the node itself. */
static gboolean print_inside(Printer printer, const TgCdmNode *node)
{
    if (node != NULL && node->kind == TG_CDM_NODE_GROUP)
        return print_list(printer, node->children);
    return print_node(printer, node);
}

static gboolean print_scripts(Printer printer, const TgCdmNode *node)
{
    static const char *const marks[] = { NULL, "_", "^" };

    if (!print_node(printer, node->arguments[0]))
        return FALSE;
    for (guint i = 1; i <= 2; i++) {
        if (node->arguments[i] == NULL)
            continue;
        print_token(printer, marks[i]);
        if (!print_braced(printer, node->arguments[i]))
            return FALSE;
    }
    return TRUE;
}

static gboolean print_root(Printer printer, const TgCdmNode *node)
{
    print_token(printer, "\\sqrt");
    if (node->arguments[0] != NULL) {
        print_token(printer, "[");
        if (!print_inside(printer, node->arguments[0]))
            return FALSE;
        print_token(printer, "]");
    }
    return print_node(printer, node->arguments[1]);
}

static void print_operator(Printer printer, const TgCdmNode *node)
{
    print_token(printer, node->limits ? "\\operatorname*" : "\\operatorname");
    print_token(printer, "{");
    print_letters(printer, node->text + 1);
    print_token(printer, "}");
}

static gboolean print_rule(Printer printer, const TgCdmNode *node)
{
    const TgCdmNode *width = node->arguments[1], *height = node->arguments[2];

    if (width == NULL || height == NULL)
        return FALSE;
    g_autofree char *rule = g_strdup_printf("\\rule { %s } { %s } ", width->text, height->text);
    print_text(printer, rule);
    return TRUE;
}

/* The name, and one or two arguments as written. */
static gboolean print_name_and_arguments(Printer printer, const char *name, const TgCdmNode *node)
{
    print_token(printer, name);
    for (guint i = 0; i < node->function->n_arguments; i++)
        if (!print_node(printer, node->arguments[i]))
            return FALSE;
    return TRUE;
}

static gboolean print_in_braces(Printer printer, const char *name, const GPtrArray *nodes)
{
    print_token(printer, name);
    print_token(printer, "{");
    const gboolean ok = print_list(printer, nodes);
    print_token(printer, "}");
    return ok;
}

static gboolean print_font(Printer printer, const char *name, const TgCdmNode *node)
{
    printer.roman = strcmp(name, "\\mathrm") == 0;
    return print_name_and_arguments(printer, name, node);
}

static gboolean print_function(Printer printer, const TgCdmNode *node)
{
    const char *name = node->function->printed != NULL ? node->function->printed : node->text;

    switch (node->function->kind) {
    case TG_CDM_FRACTION:
        return print_name_and_arguments(printer, name, node);
    case TG_CDM_ROOT:
        return print_root(printer, node);
    case TG_CDM_ACCENT:
        print_token(printer, name);
        return print_braced(printer, node->arguments[0]);
    case TG_CDM_LINE:
        print_token(printer, name);
        print_token(printer, "{");
        if (!print_node(printer, node->arguments[0]))
            return FALSE;
        print_token(printer, "}");
        return TRUE;
    case TG_CDM_FONT:
        return print_font(printer, name, node);
    case TG_CDM_TEXT:
    case TG_CDM_PHANTOM:
        print_token(printer, name);
        print_token(printer, "{");
        if (!print_inside(printer, node->arguments[0]))
            return FALSE;
        print_token(printer, "}");
        return TRUE;
    case TG_CDM_RULE:
        return print_rule(printer, node);
    case TG_CDM_SWITCH:
    case TG_CDM_STYLE:
        print_token(printer, name);
        return print_list(printer, node->children);
    case TG_CDM_ROMAN_SWITCH:
        printer.roman = TRUE;
        return print_in_braces(printer, "\\mathrm", node->children);
    case TG_CDM_OPERATOR:
        print_operator(printer, node);
        return TRUE;
    case TG_CDM_OPERATOR_SYMBOL:
        print_token(printer, name);
        return TRUE;
    case TG_CDM_DELIMITER:
        print_token(printer, name);
        printer.origin = origin_of(printer, node->arguments[0]->at);
        print_token(printer, node->arguments[0]->text);
        return TRUE;
    default: /* an infix function behind which stands a script, a colour */
        return FALSE;
    }
}

static gboolean row_is_empty(const GPtrArray *cells)
{
    for (guint i = 0; i < cells->len; i++)
        if (((const TgCdmNode *) cells->pdata[i])->children->len > 0)
            return FALSE;
    return TRUE;
}

/* Empty cells are printed as nothing; the test for them looks at the text, so a cell that ends in
 * `\{` loses its end, too. */
static gboolean print_row(Printer printer, const GPtrArray *cells)
{
    for (guint i = 0; i < cells->len; i++) {
        if (i > 0)
            print_token(printer, "&");
        if (!print_node(printer, cells->pdata[i]))
            return FALSE;
        const GString *printed = printer.out->string;
        if (g_str_has_suffix(printed->str, "{ } "))
            tg_cdm_text_splice(printer.out, printed->len - strlen("{ } "), printed->len, "");
    }
    print_token(printer, "\\\\");
    return TRUE;
}

static gboolean print_array(Printer printer, const TgCdmNode *node)
{
    print_text(printer, "\\begin{array} { ");
    print_text(printer, node->text);
    print_text(printer, "} ");
    for (guint i = 0; i < node->children->len; i++) {
        const GPtrArray *cells = ((const TgCdmNode *) node->children->pdata[i])->children;

        if (!row_is_empty(cells) && !print_row(printer, cells))
            return FALSE;
    }
    print_token(printer, "\\end{array}");
    return TRUE;
}

static gboolean print_left_right(Printer printer, const TgCdmNode *node)
{
    print_text(printer, "\\left");
    print_token(printer, node->text);
    if (!print_list(printer, node->children))
        return FALSE;
    printer.origin = origin_of(printer, node->right_at);
    print_text(printer, "\\right");
    print_token(printer, node->right);
    return TRUE;
}

static gboolean print_node(Printer printer, const TgCdmNode *node)
{
    if (node == NULL || tg_too_long(50))
        return FALSE;
    if (node->at.end > node->at.start)
        printer.origin = origin_of(printer, node->at);
    switch (node->kind) {
    case TG_CDM_NODE_LETTER:
        if (printer.roman)
            print_letters(printer, node->text);
        else
            print_token(printer, node->text);
        return TRUE;
    case TG_CDM_NODE_SYMBOL:
        print_token(printer, node->text);
        return TRUE;
    case TG_CDM_NODE_SPACE:
        print_token(printer, "~");
        return TRUE;
    case TG_CDM_NODE_GROUP:
        print_token(printer, "{");
        if (!print_list(printer, node->children))
            return FALSE;
        print_token(printer, "}");
        return TRUE;
    case TG_CDM_NODE_SCRIPTS:
        return print_scripts(printer, node);
    case TG_CDM_NODE_FUNCTION:
        return print_function(printer, node);
    case TG_CDM_NODE_LEFT_RIGHT:
        return print_left_right(printer, node);
    case TG_CDM_NODE_ARRAY:
        return print_array(printer, node);
    case TG_CDM_NODE_SIZE:
        return FALSE;
    }
    g_return_val_if_reached(FALSE);
}

gboolean tg_cdm_syntax_print(const TgCdmSyntax *syntax, const TgCdmText *line, TgCdmText *out)
{
    return print_list((Printer){ .out = out, .line = line }, syntax->children);
}
