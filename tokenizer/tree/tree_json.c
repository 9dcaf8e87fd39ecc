/* The formula tree as JSON, for people and for programs in other languages. */
#include "tokenizer/tree/tree_json.h"

#include "tokenizer/symbols/symbols.h"
#include "tokenizer/tree/tree.h"

static const char *const environment_names[] = {
    "array",    "matrix",   "smallmatrix", "cases",    "aligned",      "alignedat",
    "eqnarray", "gathered", "multline",    "subarray", "plain-matrix",
};
G_STATIC_ASSERT(G_N_ELEMENTS(environment_names) == TG_ENV_PLAIN_MATRIX + 1);
static const char *const column_names[] = { "cell", "line", "at" };
G_STATIC_ASSERT(G_N_ELEMENTS(column_names) == TG_COLUMN_AT + 1);
static const char *const between_names[] = { "hline", "cline", "space" };
G_STATIC_ASSERT(G_N_ELEMENTS(between_names) == TG_BETWEEN_SPACE + 1);

static void set_string(json_t *object, const char *key, const char *value)
{
    json_object_set_new(object, key, json_string(value));
}

static void set_integer(json_t *object, const char *key, gint64 value)
{
    json_object_set_new(object, key, json_integer(value));
}

static json_t *span_to_json(guint32 start, guint32 end)
{
    return json_pack("[I, I]", (json_int_t) start, (json_int_t) end);
}

static void set_token(json_t *object, guint32 token)
{
    if (token != TG_NO_TOKEN)
        set_integer(object, "token", token);
}

/* A length as [number of units, unit], as "1.5em" would be [1.5, "em"]. */
static void set_length(json_t *object, const char *key, TgLength length)
{
    const double value = length.unit == TG_UNIT_SP ? length.value : length.value / 65536.0;
    json_t *pair = json_pack("[f, s]", value, tg_unit_names[length.unit]);

    if (length.fil > 0)
        json_array_append_new(pair, json_string(length.fil == 1 ? "fil" : "fill"));
    json_object_set_new(object, key, pair);
}

/* ---- Fields -------------------------------------------------------------------------------- */

/* A field that is no child; nothing where it has its default. */
static void set_field(json_t *object, const TgNode *node, const TgNodeField *field)
{
    gconstpointer at = (const guint8 *) node + field->offset;
    const guint8 small = *(const guint8 *) at;
    const TgLength *length = at;
    const gunichar code = field->type == TG_NODE_FIELD_CHARACTER ? *(const gunichar *) at : 0;
    char utf8[7] = { 0 };
    json_t *bits;

    switch ((TgNodeFieldType) field->type) {
    case TG_NODE_FIELD_FLAG:
        if (small != 0)
            json_object_set_new(object, field->name, json_true());
        break;
    case TG_NODE_FIELD_NUMBER:
        set_integer(object, field->name, small);
        break;
    case TG_NODE_FIELD_COUNT:
        if (*(const guint16 *) at > 0)
            set_integer(object, field->name, *(const guint16 *) at);
        break;
    case TG_NODE_FIELD_ENUM:
        if (small != field->unset)
            set_string(object, field->name, field->names[small]);
        break;
    case TG_NODE_FIELD_BITS:
        bits = json_array();
        for (guint i = 0; field->names[i] != NULL; i++) {
            if ((small & 1u << i) != 0)
                json_array_append_new(bits, json_string(field->names[i]));
        }
        json_object_set_new(object, field->name, bits);
        break;
    case TG_NODE_FIELD_ALIGN:
        set_string(object, field->name, small == 'l' ? "left" : small == 'r' ? "right" : "center");
        break;
    case TG_NODE_FIELD_GAP:
        if (length->value == 0)
            break;
        G_GNUC_FALLTHROUGH;
    case TG_NODE_FIELD_LENGTH:
        set_length(object, field->name, *length);
        break;
    case TG_NODE_FIELD_CHARACTER:
        if (code != 0 && g_unichar_validate(code)) {
            utf8[g_unichar_to_utf8(code, utf8)] = '\0';
            set_string(object, field->name, utf8);
        }
        break;
    case TG_NODE_FIELD_SYMBOL:
        if (*(const TgSymbol *const *) at != NULL)
            set_string(object, field->name, (*(const TgSymbol *const *) at)->name);
        break;
    case TG_NODE_FIELD_COLOR:
        json_object_set_new(object, field->name,
                            json_sprintf("#%06X", *(const guint32 *) at & 0xFFFFFF));
        break;
    case TG_NODE_FIELD_STRING:
        set_string(object, field->name, *(const char *const *) at);
        break;
    case TG_NODE_FIELD_CHILD:
    case TG_NODE_FIELD_END:
        break;
    }
}

static json_t *node_to_json(const TgNode *node, const TgTree *tree);

static void set_columns(json_t *object, const TgColumnItem *items, guint32 n, const TgTree *tree)
{
    json_t *list = json_array();

    for (guint32 i = 0; i < n; i++) {
        const char align[2] = { (char) items[i].align, '\0' };
        json_t *item =
            json_pack("{s: s, s: s*, s: o*}", "kind", column_names[items[i].kind], "align",
                      items[i].kind == TG_COLUMN_CELL ? align : NULL, "material",
                      items[i].material != NULL ? node_to_json(items[i].material, tree) : NULL);

        set_token(item, items[i].token);
        json_array_append_new(list, item);
    }
    json_object_set_new(object, "columns", list);
}

static void set_between(json_t *object, const TgArray *array)
{
    json_t *list = json_array();

    for (guint32 i = 0; i < array->n_between; i++) {
        const TgBetween *between = &array->between[i];
        json_t *item = json_pack("{s: s, s: I}", "kind", between_names[between->kind], "before",
                                 (json_int_t) between->row);

        if (between->kind == TG_BETWEEN_CLINE) {
            set_integer(item, "first", between->first);
            set_integer(item, "last", between->last);
        }
        if (between->kind == TG_BETWEEN_SPACE)
            set_length(item, "space", between->space);
        set_token(item, between->token);
        json_array_append_new(list, item);
    }
    json_object_set_new(object, "between", list);
}

static void set_rows(json_t *object, const TgArray *array, const TgTree *tree)
{
    json_t *rows = json_array();

    for (guint32 i = 0; i < array->n_rows; i++) {
        const TgRow *row = &array->rows[i];
        json_t *item = json_pack("{s: o}", "span", span_to_json(row->start, row->end));
        json_t *cells = json_array();

        /* A cell is its list; what \multicolumn says stands beside the items. */
        for (guint32 k = 0; k < row->n_cells; k++) {
            const TgCell *cell = &row->cells[k];
            json_t *content = node_to_json(cell->content, tree);

            if (cell->span > 1)
                set_integer(content, "covers", cell->span);
            if (cell->n_columns > 0)
                set_columns(content, cell->columns, cell->n_columns, tree);
            json_array_append_new(cells, content);
        }
        if (row->gap.value != 0)
            set_length(item, "gap", row->gap);
        json_object_set_new(item, "cells", cells);
        json_array_append_new(rows, item);
    }
    json_object_set_new(object, "rows", rows);
}

static void set_array(json_t *object, const TgArray *array, const TgTree *tree)
{
    set_string(object, "environment", environment_names[array->environment]);
    set_string(object, "name", array->name);
    set_integer(object, "n_columns", array->n_columns);
    if (array->n_column_items > 0)
        set_columns(object, array->columns, array->n_column_items, tree);
    if (array->n_between > 0)
        set_between(object, array);
    if (array->align != 'c')
        set_string(object, "align", array->align == 't' ? "t" : "b");
    set_rows(object, array, tree);
}

/* Set the members that depend on several fields, or on the tree. */
static void set_special(json_t *object, const TgNode *node, const TgTree *tree)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_FRACTION:
        if (node->u.fraction.has_bar == 2)
            set_length(object, "bar", node->u.fraction.bar);
        else
            json_object_set_new(object, "bar", json_boolean(node->u.fraction.has_bar));
        break;
    case TG_NODE_TEXT:
        if (node->u.text.has_width)
            set_length(object, "width", node->u.text.width);
        if (node->u.text.shape != NULL)
            set_string(object, "shape", node->u.text.shape);
        break;
    case TG_NODE_ARRAY:
        set_array(object, node->u.array, tree);
        break;
    case TG_NODE_ERROR:
        set_string(object, "error", tg_parse_error_names[tree->errors[node->u.error.index].kind]);
        break;
    default:
        break;
    }
}

/* ---- The whole ----------------------------------------------------------------------------- */

/* Items stand in an array, single children by the name of their role; set_array() wrote the rest.
 */
static void set_children(json_t *object, const TgNode *node, const TgTree *tree)
{
    json_t *items = NULL;
    TgChildIter iter = tg_child_iter(node);

    for (const TgNode *child; (child = tg_child_iter_next(&iter)) != NULL;) {
        if (iter.role == TG_ROLE_ITEM) {
            if (items == NULL)
                items = json_array();
            json_array_append_new(items, node_to_json(child, tree));
        } else if (iter.role != TG_ROLE_CELL && iter.role != TG_ROLE_COLUMN) {
            json_object_set_new(object, tg_role_names[iter.role], node_to_json(child, tree));
        }
    }
    if (items != NULL)
        json_object_set_new(object, "items", items);
}

static json_t *node_to_json(const TgNode *node, const TgTree *tree)
{
    json_t *object = json_object();

    set_string(object, "kind", tg_node_kinds[node->kind].name);
    json_object_set_new(object, "span", span_to_json(node->start, node->end));
    set_token(object, node->token);
    for (const TgNodeField *field = tg_node_kinds[node->kind].fields;
         field->type != TG_NODE_FIELD_END; field++)
        set_field(object, node, field);
    set_special(object, node, tree);
    set_children(object, node, tree);
    return object;
}

json_t *tg_tree_to_json(const TgTree *tree)
{
    static const char *const flags[] = { "fence", "rule", "error" };
    json_t *tokens = json_array(), *errors = json_array();

    for (guint i = 0; i < tree->n_tokens; i++) {
        const TgInkToken *ink = &tree->tokens[i];
        g_autofree char *text =
            g_utf8_make_valid(tree->source + ink->start, (gssize) (ink->end - ink->start));
        json_t *token = json_object();

        json_object_set_new(token, "span", span_to_json(ink->start, ink->end));
        set_string(token, "text", text);
        for (guint flag = 0; flag < G_N_ELEMENTS(flags); flag++) {
            if ((ink->flags & 1u << flag) != 0)
                json_object_set_new(token, flags[flag], json_true());
        }
        json_array_append_new(tokens, token);
    }
    for (guint i = 0; i < tree->n_errors; i++) {
        const TgParseError *fault = &tree->errors[i];
        g_autofree char *message = g_utf8_make_valid(fault->message, -1);

        json_array_append_new(errors, json_pack("{s: s, s: o, s: I, s: s}", "kind",
                                                tg_parse_error_names[fault->kind], "span",
                                                span_to_json(fault->start, fault->end), "column",
                                                (json_int_t) fault->column, "message", message));
    }
    return json_pack("{s: o, s: o, s: o}", "tree", node_to_json(tree->root, tree), "tokens", tokens,
                     "errors", errors);
}
