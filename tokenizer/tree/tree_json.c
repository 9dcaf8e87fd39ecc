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
static json_t *length_to_json(TgLength length)
{
    const double value = length.unit == TG_UNIT_SP ? length.value : length.value / 65536.0;

    return json_pack("[f, s, s*]", value, tg_unit_names[length.unit],
                     length.fil == 0   ? NULL
                     : length.fil == 1 ? "fil"
                                       : "fill");
}

/* ---- Fields -------------------------------------------------------------------------------- */

/* A field that is no child; NULL where it has its default. */
static json_t *field_to_json(const TgNode *node, const TgNodeField *field)
{
    gconstpointer at = (const guint8 *) node + field->offset;
    const guint8 small = *(const guint8 *) at;
    gunichar code;
    char utf8[6];
    json_t *bits;

    switch ((TgNodeFieldType) field->type) {
    case TG_NODE_FIELD_FLAG:
        return small != 0 ? json_true() : NULL;
    case TG_NODE_FIELD_NUMBER:
        return json_integer(small);
    case TG_NODE_FIELD_COUNT:
        return *(const guint16 *) at > 0 ? json_integer(*(const guint16 *) at) : NULL;
    case TG_NODE_FIELD_ENUM:
        return small != field->unset ? json_string(field->names[small]) : NULL;
    case TG_NODE_FIELD_BITS:
        bits = json_array();
        for (guint i = 0; field->names[i] != NULL; i++) {
            if ((small & 1u << i) != 0)
                json_array_append_new(bits, json_string(field->names[i]));
        }
        return bits;
    case TG_NODE_FIELD_ALIGN:
        return json_string(small == 'l' ? "left" : small == 'r' ? "right" : "center");
    case TG_NODE_FIELD_GAP:
        return ((const TgLength *) at)->value != 0 ? length_to_json(*(const TgLength *) at) : NULL;
    case TG_NODE_FIELD_LENGTH:
        return length_to_json(*(const TgLength *) at);
    case TG_NODE_FIELD_CHARACTER:
        code = *(const gunichar *) at;
        return code != 0 && g_unichar_validate(code)
                   ? json_stringn(utf8, (gsize) g_unichar_to_utf8(code, utf8))
                   : NULL;
    case TG_NODE_FIELD_SYMBOL:
        return *(const TgSymbol *const *) at != NULL
                   ? json_string((*(const TgSymbol *const *) at)->name)
                   : NULL;
    case TG_NODE_FIELD_COLOR:
        return json_sprintf("#%06X", *(const guint32 *) at & 0xFFFFFF);
    case TG_NODE_FIELD_STRING:
        return json_string(*(const char *const *) at);
    default:
        return NULL;
    }
}

static json_t *node_to_json(const TgNode *node, const TgTree *tree);

/* A column specification; NULL if it is empty. */
static json_t *columns_to_json(const TgColumnItem *items, guint32 n, const TgTree *tree)
{
    json_t *list = n > 0 ? json_array() : NULL;

    for (guint32 i = 0; i < n; i++) {
        const char align[2] = { (char) items[i].align, '\0' };
        json_t *item =
            json_pack("{s: s, s: s*, s: o*}", "kind", column_names[items[i].kind], "align",
                      items[i].kind == TG_COLUMN_CELL ? align : NULL, "material",
                      items[i].material != NULL ? node_to_json(items[i].material, tree) : NULL);

        set_token(item, items[i].token);
        json_array_append_new(list, item);
    }
    return list;
}

static json_t *between_to_json(const TgArray *array)
{
    json_t *list = array->n_between > 0 ? json_array() : NULL;

    for (guint32 i = 0; i < array->n_between; i++) {
        const TgBetween *between = &array->between[i];
        json_t *item = json_pack("{s: s, s: I}", "kind", between_names[between->kind], "before",
                                 (json_int_t) between->row);

        if (between->kind == TG_BETWEEN_CLINE) {
            set_integer(item, "first", between->first);
            set_integer(item, "last", between->last);
        }
        if (between->kind == TG_BETWEEN_SPACE)
            json_object_set_new(item, "space", length_to_json(between->space));
        set_token(item, between->token);
        json_array_append_new(list, item);
    }
    return list;
}

static json_t *rows_to_json(const TgArray *array, const TgTree *tree)
{
    json_t *rows = json_array();

    for (guint32 i = 0; i < array->n_rows; i++) {
        const TgRow *row = &array->rows[i];
        json_t *cells = json_array();

        /* A cell is its list; what \multicolumn says stands beside the items. */
        for (guint32 k = 0; k < row->n_cells; k++) {
            const TgCell *cell = &row->cells[k];
            json_t *content = node_to_json(cell->content, tree);

            if (cell->span > 1)
                set_integer(content, "covers", cell->span);
            json_object_set_new(content, "columns",
                                columns_to_json(cell->columns, cell->n_columns, tree));
            json_array_append_new(cells, content);
        }
        json_array_append_new(rows, json_pack("{s: o, s: o*, s: o}", "span",
                                              span_to_json(row->start, row->end), "gap",
                                              row->gap.value != 0 ? length_to_json(row->gap) : NULL,
                                              "cells", cells));
    }
    return rows;
}

/* The name is left out if it is no UTF-8. */
static json_t *array_to_json(const TgArray *array, const TgTree *tree)
{
    const char align[2] = { (char) array->align, '\0' };

    return json_pack("{s: s, s: o*, s: I, s: o*, s: o*, s: s*, s: o}", "environment",
                     environment_names[array->environment], "name", json_string(array->name),
                     "n_columns", (json_int_t) array->n_columns, "columns",
                     columns_to_json(array->columns, array->n_column_items, tree), "between",
                     between_to_json(array), "align", array->align != 'c' ? align : NULL, "rows",
                     rows_to_json(array, tree));
}

/* Set the members that depend on several fields, or on the tree. */
static void set_special(json_t *object, const TgNode *node, const TgTree *tree)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_FRACTION:
        json_object_set_new(object, "bar",
                            node->u.fraction.has_bar == 2 ? length_to_json(node->u.fraction.bar)
                                                          : json_boolean(node->u.fraction.has_bar));
        break;
    case TG_NODE_TEXT:
        if (node->u.text.has_width)
            json_object_set_new(object, "width", length_to_json(node->u.text.width));
        set_string(object, "shape", node->u.text.shape); /* nothing if it is NULL */
        break;
    case TG_NODE_ARRAY:
        json_object_update_new(object, array_to_json(node->u.array, tree));
        break;
    case TG_NODE_ERROR:
        set_string(object, "error", tg_parse_error_names[tree->errors[node->u.error.index].kind]);
        break;
    default:
        break;
    }
}

/* ---- The whole ----------------------------------------------------------------------------- */

/* Items stand in an array, single children by the name of their role; array_to_json() gives the
 * rest.
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
        json_object_set_new(object, field->name, field_to_json(node, field));
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
