/* A formula tree in one short line, for tests. */
#include "tests/support/tree_sketch.h"

#include "tests/support/test_support.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/symbols/symbols.h"

static void put_node(GString *out, const TgNode *node);

static void put_length(GString *out, TgLength length)
{
    static const char *const units[] = { "pt",    "pc",    "in",    "bp",    "cm",     "mm",
                                         "dd",    "cc",    "nd",    "nc",    "px",     "sp",
                                         "em",    "ex",    "mu",    "space", "height", "depth",
                                         "total", "width", "italic" };
    static const char *const fils[] = { "", "fil", "fill", "filll" };
    char number[G_ASCII_DTOSTR_BUF_SIZE];

    if (length.unit == TG_UNIT_SP)
        g_string_append_printf(out, " %dsp", length.value);
    else if (length.value != 0 || length.fil == 0)
        g_string_append_printf(
            out, " %s%s", g_ascii_formatd(number, sizeof number, "%.5g", length.value / 65536.0),
            units[length.unit]);
    if (length.fil > 0)
        g_string_append_printf(out, " %s", fils[length.fil]);
}

static void put_symbol(GString *out, const TgNode *node)
{
    static const char *const alphabets[] = { "",    ":normal", ":rm",  ":bf", ":it",  ":sf",
                                             ":tt", ":cal",    ":scr", ":bb", ":frak" };

    if (node->u.symbol.symbol != NULL)
        g_string_append(out, node->u.symbol.symbol->name);
    else
        g_string_append_unichar(out, node->u.symbol.code);
    g_string_append(out, alphabets[node->alphabet]);
    if (node->bold == 1)
        g_string_append_c(out, '!');
}

static void put_char(GString *out, const TgNode *node)
{
    const TgTextFont *font = &node->u.character.font;

    g_string_append_unichar(out, node->u.character.code);
    if (font->family != TG_FAMILY_RM)
        g_string_append(out, font->family == TG_FAMILY_SF ? ":sf" : ":tt");
    if (font->shape != TG_SHAPE_UP)
        g_string_append(out, font->shape == TG_SHAPE_IT   ? ":it"
                             : font->shape == TG_SHAPE_SL ? ":sl"
                                                          : ":sc");
    if (font->bold)
        g_string_append(out, ":bf");
    if (font->size != TG_SIZE_NORMAL)
        g_string_append_printf(out, ":%u", font->size);
}

/* Write the properties of a node other than its children. */
static void put_own(GString *out, const TgNode *node)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_OPERATOR:
        g_string_append(out, node->u.op.limits == TG_LIMITS_DISPLAY ? " limits" : "");
        break;
    case TG_NODE_SCRIPTS:
        if (node->u.scripts.n_primes > 0)
            g_string_append_printf(out, " primes %u", node->u.scripts.n_primes);
        if (node->u.scripts.limits != TG_LIMITS_DEFAULT)
            g_string_append_printf(out, " limits %u", node->u.scripts.limits);
        break;
    case TG_NODE_FRACTION:
        if (node->u.fraction.form != TG_FRACTION_FRAC)
            g_string_append(out, node->u.fraction.form == TG_FRACTION_CFRAC ? " cfrac" : " infix");
        if (node->u.fraction.style != TG_STYLE_INHERIT)
            g_string_append_printf(out, " style %u", node->u.fraction.style);
        if (node->u.fraction.has_bar == 0)
            g_string_append(out, " bare");
        else if (node->u.fraction.has_bar == 2)
            put_length(out, node->u.fraction.bar);
        break;
    case TG_NODE_ACCENT:
        g_string_append_printf(out, " U+%04X", node->u.accent.code);
        break;
    case TG_NODE_STRETCH:
        g_string_append_printf(out, " %u", node->u.stretch.form);
        break;
    case TG_NODE_STACK:
        g_string_append(out, node->u.stack.form == TG_STACK_REL ? " rel" : "");
        break;
    case TG_NODE_ARROW:
        g_string_append_printf(out, " %u", node->u.arrow.form);
        break;
    case TG_NODE_BIG:
        g_string_append_printf(out, " %u class %u", node->u.big.size, node->math_class);
        break;
    case TG_NODE_CLASS:
        g_string_append_printf(out, " %u", node->math_class);
        break;
    case TG_NODE_STYLE:
    case TG_NODE_SIZE:
        g_string_append_printf(out, " %u", node->u.change.style);
        break;
    case TG_NODE_COLOR:
        g_string_append_printf(out, " %06X", node->u.color.rgb);
        break;
    case TG_NODE_SPACE:
        g_string_append(out, node->u.space.kern ? " kern" : "");
        g_string_append(out, node->u.space.nonscript ? " nonscript" : "");
        g_string_append(out, node->u.space.vertical ? " vertical" : "");
        put_length(out, node->u.space.amount);
        if (node->u.space.leaders != TG_LEADERS_NONE)
            g_string_append(out, node->u.space.leaders == TG_LEADERS_DOTS ? " dots" : " rule");
        break;
    case TG_NODE_PHANTOM:
        g_string_append_printf(out, " %u", node->u.phantom.flags);
        break;
    case TG_NODE_LAP:
        g_string_append_printf(out, " %c", node->u.lap.align);
        break;
    case TG_NODE_RAISE:
        put_length(out, node->u.raise.amount);
        break;
    case TG_NODE_ENCLOSE:
        g_string_append_printf(out, " %u", node->u.enclose.form);
        break;
    case TG_NODE_TEXT:
        g_string_append(out, node->u.text.scales ? " scales" : "");
        if (node->u.text.has_width)
            put_length(out, node->u.text.width);
        if (node->u.text.shape != NULL)
            g_string_append_printf(out, " %s", node->u.text.shape);
        break;
    case TG_NODE_BOLD:
    case TG_NODE_MATH:
    case TG_NODE_TAG:
        g_string_append(out, node->u.body.flag ? " 1" : "");
        break;
    case TG_NODE_RULE:
        g_string_append_printf(out, " %u", node->u.rule.form);
        put_length(out, node->u.rule.width);
        put_length(out, node->u.rule.height);
        break;
    case TG_NODE_ERROR:
        g_string_append_printf(out, " %s", node->u.error.text);
        break;
    default:
        break;
    }
}

static void put_columns(GString *out, const TgColumnItem *items, guint32 n)
{
    g_string_append_c(out, ' ');
    for (guint32 i = 0; i < n; i++) {
        const gboolean named = items[i].kind == TG_COLUMN_CELL;

        g_string_append_c(out, named ? (char) items[i].align : "c|@"[items[i].kind]);
        if (items[i].material != NULL) {
            g_string_append_c(out, '[');
            put_node(out, items[i].material);
            g_string_append_c(out, ']');
        }
    }
}

static void put_between(GString *out, const TgArray *array, guint32 row)
{
    static const char *const names[] = { "hline", "cline", "space" };

    for (guint32 i = 0; i < array->n_between; i++) {
        const TgBetween *between = &array->between[i];

        if (between->row != row)
            continue;
        g_string_append_printf(out, " <%s", names[between->kind]);
        if (between->kind == TG_BETWEEN_CLINE)
            g_string_append_printf(out, " %u-%u", between->first, between->last);
        if (between->kind == TG_BETWEEN_SPACE)
            put_length(out, between->space);
        g_string_append_c(out, '>');
    }
}

static void put_array(GString *out, const TgArray *array)
{
    g_string_append_printf(out, "(%s", array->name);
    if (array->align != 'c')
        g_string_append_printf(out, " %c", array->align);
    if (array->n_column_items > 0)
        put_columns(out, array->columns, array->n_column_items);
    for (guint32 r = 0; r < array->n_rows; r++) {
        const TgRow *row = &array->rows[r];

        put_between(out, array, r);
        for (guint32 c = 0; c < row->n_cells; c++) {
            g_string_append(out, c > 0 ? " & " : " ");
            if (row->cells[c].columns != NULL) {
                g_string_append_printf(out, "<%u", row->cells[c].span);
                put_columns(out, row->cells[c].columns, row->cells[c].n_columns);
                g_string_append_c(out, '>');
            }
            put_node(out, row->cells[c].content);
        }
        g_string_append(out, r + 1 < array->n_rows ? " ;" : "");
        if (row->gap.value != 0)
            put_length(out, row->gap);
    }
    put_between(out, array, array->n_rows);
    g_string_append_c(out, ')');
}

/* The items of a list, with blanks between. */
static void put_items(GString *out, const TgNode *list)
{
    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        const gboolean group = item->kind == TG_NODE_LIST;

        if (item != list->u.list.first)
            g_string_append_c(out, ' ');
        if (group)
            g_string_append_c(out, '{');
        put_node(out, item);
        if (group)
            g_string_append_c(out, '}');
    }
}

static void put_node(GString *out, const TgNode *node)
{
    TgChildIter iter = tg_child_iter(node);
    const TgNode *child;

    if (node->kind == TG_NODE_LIST) {
        put_items(out, node);
        return;
    }
    if (node->kind == TG_NODE_SYMBOL) {
        put_symbol(out, node);
        return;
    }
    if (node->kind == TG_NODE_CHAR) {
        put_char(out, node);
        return;
    }
    if (node->kind == TG_NODE_ARRAY) {
        put_array(out, node->u.array);
        return;
    }

    g_string_append_printf(out, "(%s", tg_node_kinds[node->kind].name);
    put_own(out, node);
    while ((child = tg_child_iter_next(&iter)) != NULL) {
        g_string_append_printf(out, " %s[", tg_role_names[iter.role]);
        put_node(out, child);
        g_string_append_c(out, ']');
    }
    g_string_append_c(out, ')');
}

char *node_sketch(const TgNode *node)
{
    GString *out = g_string_new(NULL);

    put_node(out, node);
    return g_string_free(out, FALSE);
}

char *tree_sketch(const TgTree *tree)
{
    return node_sketch(tree->root);
}

void tree_sketch_check(const SketchCase *cases, guint n)
{
    static const TgParseOptions strict = { .strict = TRUE };

    for (guint i = 0; i < n; i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(TgTree) tree =
            tg_tree_parse(cases[i].source, strlen(cases[i].source), &strict, &error);

        if (tree == NULL)
            fail_msg("%s: %s", cases[i].source, error->message);
        g_autofree char *sketch = tree_sketch(tree);
        if (strcmp(sketch, cases[i].sketch) != 0)
            fail_msg("%s\n gives %s\nwanted %s", cases[i].source, sketch, cases[i].sketch);
    }
}
