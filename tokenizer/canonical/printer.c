/* Writing a formula tree back as LaTeX, in one fixed spelling. */
#include "tokenizer/canonical/printer.h"

#include "tokenizer/canonical/latex_writer.h"
#include "tokenizer/canonical/printer_array.h"
#include "tokenizer/canonical/printer_boxes.h"
#include "tokenizer/canonical/printer_structure.h"
#include "tokenizer/canonical/printer_symbols.h"
#include "tokenizer/canonical/printer_text.h"
#include "tokenizer/tree/tree.h"

/* A mark that has no command where it stands is written behind its base: \c and \d are of text. */
static void put_any_accent(TgLatexWriter *self, const TgNode *node)
{
    const TgNode *base = node->u.accent.base->u.list.first;

    if (node->u.accent.symbol != NULL) {
        tg_latex_put_accent(self, node);
    } else if (base != NULL && base->kind == TG_NODE_CHAR) {
        tg_latex_put_text_accent(self, node);
    } else {
        tg_latex_put_argument(self, node->u.accent.base);
        tg_latex_put_character(self, node->u.accent.code);
    }
}

static void put_child(TgLatexWriter *self, const TgNode *child, TgContent content)
{
    if (content == TG_CONTENT_DELIMITER)
        tg_latex_put_delimiter(self, child);
    else if (content == TG_CONTENT_WORDS)
        tg_latex_put_words_argument(self, child);
    else if (content == TG_CONTENT_BOX)
        tg_latex_put_box_argument(self, child);
    else
        tg_latex_put_argument(self, child);
}

/* The command that the table of kinds has, and the children as its arguments. */
static void put_command(TgLatexWriter *self, const TgNode *node)
{
    const TgNodeField *field = tg_node_fields((TgNodeKind) node->kind);
    g_autoptr(GString) command = g_string_new(tg_node_kind_command((TgNodeKind) node->kind));

    for (; field->type == TG_NODE_FIELD_ENUM; field++)
        g_string_append(command, field->names[*((const guint8 *) node + field->offset)]);
    tg_latex_put_command(self, command->str);
    for (; field->type == TG_NODE_FIELD_CHILD; field++)
        put_child(self, tg_node_child(node, field), (TgContent) field->content);
}

static void put_node(TgLatexWriter *self, const TgNode *node)
{
    static void (*const by_kind[TG_N_NODE_KINDS])(TgLatexWriter *, const TgNode *) = {
        [TG_NODE_LIST] = tg_latex_put_group,
        [TG_NODE_SYMBOL] = tg_latex_put_symbol,
        [TG_NODE_OPERATOR] = tg_latex_put_operator,
        [TG_NODE_SCRIPTS] = tg_latex_put_scripts,
        [TG_NODE_SIDESET] = tg_latex_put_sideset,
        [TG_NODE_FRACTION] = tg_latex_put_fraction,
        [TG_NODE_RADICAL] = tg_latex_put_radical,
        [TG_NODE_STRETCH] = tg_latex_put_stretch,
        [TG_NODE_VCENTER] = tg_latex_put_vcenter,
        [TG_NODE_ACCENT] = put_any_accent,
        [TG_NODE_STACK] = tg_latex_put_stack,
        [TG_NODE_ARROW] = tg_latex_put_arrow,
        [TG_NODE_DELIMITED] = tg_latex_put_delimited,
        [TG_NODE_BIG] = tg_latex_put_big,
        [TG_NODE_BOLD] = tg_latex_put_bold,
        [TG_NODE_ARRAY] = tg_latex_put_array,
        [TG_NODE_TEXT] = tg_latex_put_text,
        [TG_NODE_CHAR] = tg_latex_put_char,
        [TG_NODE_MATH] = tg_latex_put_math,
        [TG_NODE_STYLE] = tg_latex_put_style,
        [TG_NODE_SIZE] = tg_latex_put_size,
        [TG_NODE_COLOR] = tg_latex_put_color,
        [TG_NODE_SPACE] = tg_latex_put_space,
        [TG_NODE_BREAK] = tg_latex_put_break,
        [TG_NODE_TAG] = tg_latex_put_tag,
        [TG_NODE_PHANTOM] = tg_latex_put_phantom,
        [TG_NODE_LAP] = tg_latex_put_lap,
        [TG_NODE_RAISE] = tg_latex_put_raise,
        [TG_NODE_ENCLOSE] = tg_latex_put_enclose,
        [TG_NODE_RULE] = tg_latex_put_rule,
        [TG_NODE_ERROR] = tg_latex_put_error,
    };

    if (by_kind[node->kind] != NULL)
        by_kind[node->kind](self, node);
    else
        put_command(self, node);
}

/* Whether the formula is text with a display in it: in a box, `$$` would be no display. */
static gboolean is_islands(const TgNode *root)
{
    const TgNode *only = root->u.list.first;

    if (only == NULL || only->next != NULL || only->kind != TG_NODE_TEXT)
        return FALSE;
    for (const TgNode *item = only->u.text.body->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_MATH && item->u.body.flag)
            return TRUE;
    }
    return FALSE;
}

/* The only display of a text that is blank around it, or NULL: a formula between dollars. */
static const TgNode *lone_display(const TgNode *words)
{
    const TgNode *display = NULL;

    for (const TgNode *item = words->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_SPACE && item->u.space.amount.unit == TG_UNIT_INTERWORD &&
            item->u.space.interword != TG_INTERWORD_TIE)
            continue;
        if (display != NULL || item->kind != TG_NODE_MATH)
            return NULL;
        display = item;
    }
    return display;
}

char *tg_tree_to_latex(const TgTree *tree)
{
    const TgNode *root = tg_tree_root(tree);
    TgLatexWriter writer = {
        .out = g_string_new(NULL),
        .font.size = TG_SIZE_NORMAL,
        .stretch = 65536,
        .put_node = put_node,
    };

    if (is_islands(root)) {
        const TgNode *words = root->u.list.first->u.text.body, *display = lone_display(words);

        if (display != NULL)
            tg_latex_put_items(&writer, display->u.body.body);
        else
            tg_latex_put_words(&writer, words);
    } else {
        tg_latex_put_items(&writer, root);
    }
    return g_string_free(writer.out, FALSE);
}
