/* The formula tree as JSON, for people and for programs in other languages. */
#include "tokenizer/tree/tree_json.h"

#include "tokenizer/symbols/symbols.h"
#include "tokenizer/tree/fields.h"
#include "tokenizer/tree/reading.h"
#include "tokenizer/tree/tree_private.h"

static const char *const environment_names[] = {
    "array",        "matrix",      "smallmatrix", "cases",        "aligned",
    "alignedat",    "eqnarray",    "gathered",    "multline",     "subarray",
    "plain-matrix", "plain-cases", "eqalign",     "displaylines", "shortstack",
};
static const char *const column_names[] = { "cell", "line", "at", "bang", "pre", "post" };
static const char *const between_names[] = { "hline", "cline", "space", "text" };

static void set_string(json_t *object, const char *key, const char *value)
{
    json_object_set_new(object, key, json_string(value));
}

static void set_integer(json_t *object, const char *key, gint64 value)
{
    json_object_set_new(object, key, json_integer(value));
}

static void set_span(json_t *object, guint32 start, guint32 end)
{
    json_object_set_new(object, "span", json_pack("[I, I]", (json_int_t) start, (json_int_t) end));
}

static void set_token(json_t *object, guint32 token)
{
    if (token != TG_NO_TOKEN)
        set_integer(object, "token", token);
}

static void set_character(json_t *object, const char *key, gunichar code)
{
    char utf8[7] = { 0 };

    if (code == 0 || !g_unichar_validate(code))
        return;
    utf8[g_unichar_to_utf8(code, utf8)] = '\0';
    set_string(object, key, utf8);
}

/* A length as [number of units, unit], as "1.5em" would be [1.5, "em"]. */
static void set_length(json_t *object, const char *key, TgLength length)
{
    const double value = length.unit == TG_UNIT_SP ? length.value : length.value / 65536.0;
    json_t *pair = json_array();

    json_array_append_new(pair, json_real(value));
    json_array_append_new(pair, json_string(tg_unit_names[length.unit]));
    if (length.fil > 0)
        json_array_append_new(pair, json_string(length.fil == 1 ? "fil" : "fill"));
    json_object_set_new(object, key, pair);
}

static void set_color(json_t *object, const char *key, guint32 rgb)
{
    char text[8];

    g_snprintf(text, sizeof text, "#%06X", rgb & 0xFFFFFF);
    set_string(object, key, text);
}

static void set_bits(json_t *object, const TgNodeField *field, guint8 bits)
{
    json_t *list = json_array();

    for (guint i = 0; field->names[i] != NULL; i++) {
        if ((bits & 1u << i) != 0)
            json_array_append_new(list, json_string(field->names[i]));
    }
    json_object_set_new(object, field->name, list);
}

static void set_flag(json_t *object, const char *key, gboolean value)
{
    if (value)
        json_object_set_new(object, key, json_true());
}

static const char *align_name(guint8 align)
{
    return align == 'l' ? "left" : align == 'r' ? "right" : "center";
}

/* ---- Fields -------------------------------------------------------------------------------- */

/* A field that is no child; nothing where it has its default. */
static void set_field(json_t *object, const TgNode *node, const TgNodeField *field)
{
    gconstpointer at = (const guint8 *) node + field->offset;
    const guint8 small = *(const guint8 *) at;
    const TgLength *length = at;

    switch ((TgNodeFieldType) field->type) {
    case TG_NODE_FIELD_FLAG:
        set_flag(object, field->name, small != 0);
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
        set_bits(object, field, small);
        break;
    case TG_NODE_FIELD_ALIGN:
        set_string(object, field->name, align_name(small));
        break;
    case TG_NODE_FIELD_GAP:
        if (length->value == 0)
            break;
        G_GNUC_FALLTHROUGH;
    case TG_NODE_FIELD_LENGTH:
        set_length(object, field->name, *length);
        break;
    case TG_NODE_FIELD_CHARACTER:
        set_character(object, field->name, *(const gunichar *) at);
        break;
    case TG_NODE_FIELD_SYMBOL:
        if (*(const TgSymbol *const *) at != NULL)
            set_string(object, field->name, (*(const TgSymbol *const *) at)->name);
        break;
    case TG_NODE_FIELD_COLOR:
        set_color(object, field->name, *(const guint32 *) at);
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
        json_t *item = json_object();
        const char align[2] = { (char) items[i].align, '\0' };

        set_string(item, "kind", column_names[items[i].kind]);
        if (items[i].kind == TG_COLUMN_CELL)
            set_string(item, "align", align);
        if (items[i].width.value != 0)
            set_length(item, "width", items[i].width);
        if (items[i].material != NULL)
            json_object_set_new(item, "material", node_to_json(items[i].material, tree));
        set_token(item, items[i].token);
        json_array_append_new(list, item);
    }
    json_object_set_new(object, "columns", list);
}

static void set_between(json_t *object, const TgArray *array, const TgTree *tree)
{
    json_t *list = json_array();

    for (guint32 i = 0; i < array->n_between; i++) {
        const TgBetween *between = &array->between[i];
        json_t *item = json_object();

        set_string(item, "kind", between_names[between->kind]);
        set_integer(item, "before", between->row);
        if (between->kind == TG_BETWEEN_CLINE) {
            set_integer(item, "first", between->first);
            set_integer(item, "last", between->last);
        }
        if (between->kind == TG_BETWEEN_SPACE)
            set_length(item, "space", between->space);
        if (between->text != NULL)
            json_object_set_new(item, "text", node_to_json(between->text, tree));
        set_token(item, between->token);
        json_array_append_new(list, item);
    }
    json_object_set_new(object, "between", list);
}

/* A cell is its list; what \multicolumn says stands beside the items. */
static json_t *cell_to_json(const TgCell *cell, const TgTree *tree)
{
    json_t *object = node_to_json(cell->content, tree);

    if (cell->span > 1)
        set_integer(object, "covers", cell->span);
    if (cell->n_columns > 0)
        set_columns(object, cell->columns, cell->n_columns, tree);
    return object;
}

static void set_rows(json_t *object, const TgArray *array, const TgTree *tree)
{
    json_t *rows = json_array();

    for (guint32 i = 0; i < array->n_rows; i++) {
        const TgRow *row = &array->rows[i];
        json_t *item = json_object(), *cells = json_array();

        for (guint32 k = 0; k < row->n_cells; k++)
            json_array_append_new(cells, cell_to_json(&row->cells[k], tree));
        set_span(item, row->start, row->end);
        if (row->gap.value != 0)
            set_length(item, "gap", row->gap);
        json_object_set_new(item, "cells", cells);
        json_array_append_new(rows, item);
    }
    json_object_set_new(object, "rows", rows);
}

/* Lengths that the formula has set. */
static void set_settings(json_t *object, const TgSettings *settings)
{
    for (guint i = 0; settings != NULL && i < TG_N_SETTINGS; i++) {
        const TgLength length = tg_setting(settings, (TgSetting) i);
        const TgLength usual = tg_setting(NULL, (TgSetting) i);

        if (length.value != usual.value || length.unit != usual.unit)
            set_length(object, tg_setting_names[i], length);
    }
}

static void set_array(json_t *object, const TgArray *array, const TgTree *tree)
{
    set_string(object, "environment", environment_names[array->environment]);
    set_string(object, "name", array->name);
    set_integer(object, "n_columns", array->n_columns);
    if (array->n_column_items > 0)
        set_columns(object, array->columns, array->n_column_items, tree);
    if (array->n_between > 0)
        set_between(object, array, tree);
    set_settings(object, array->settings);
    if (array->align != 'c')
        set_string(object, "align", array->align == 't' ? "t" : "b");
    set_rows(object, array, tree);
}

/* What depends on more than one field, or on the tree. */
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
        break;
    case TG_NODE_ENCLOSE:
        set_settings(object, node->u.enclose.settings);
        break;
    case TG_NODE_ARRAY:
        set_array(object, node->u.array, tree);
        break;
    case TG_NODE_ERROR:
        set_string(
            object, "error",
            tg_parse_error_kind_name((TgParseErrorKind) tree->errors[node->u.error.index].kind));
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
    TgChildIter iter;
    const TgNode *child;

    tg_child_iter_init(&iter, node);
    while ((child = tg_child_iter_next(&iter)) != NULL) {
        switch (iter.role) {
        case TG_ROLE_CELL:
        case TG_ROLE_COLUMN:
        case TG_ROLE_BETWEEN:
            break;
        case TG_ROLE_ITEM:
            if (items == NULL)
                items = json_array();
            json_array_append_new(items, node_to_json(child, tree));
            break;
        default:
            json_object_set_new(object, tg_role_name(iter.role), node_to_json(child, tree));
        }
    }
    if (items != NULL)
        json_object_set_new(object, "items", items);
}

static json_t *node_to_json(const TgNode *node, const TgTree *tree)
{
    json_t *object = json_object();

    set_string(object, "kind", tg_node_kind_name((TgNodeKind) node->kind));
    set_span(object, node->start, node->end);
    set_token(object, node->token);
    for (const TgNodeField *field = tg_node_fields((TgNodeKind) node->kind);
         field->type != TG_NODE_FIELD_END; field++)
        set_field(object, node, field);
    set_special(object, node, tree);
    set_children(object, node, tree);
    return object;
}

static json_t *tokens_to_json(const TgTree *tree)
{
    static const char *const flags[] = { "fence", "rule", "error" };
    const char *source = tg_tree_source(tree, NULL);
    json_t *list = json_array();
    guint n;
    const TgInkToken *tokens = tg_tree_tokens(tree, &n);

    for (guint i = 0; i < n; i++) {
        json_t *token = json_object();
        g_autofree char *text =
            g_utf8_make_valid(source + tokens[i].start, (gssize) (tokens[i].end - tokens[i].start));

        set_span(token, tokens[i].start, tokens[i].end);
        set_string(token, "text", text);
        for (guint flag = 0; flag < G_N_ELEMENTS(flags); flag++) {
            if ((tokens[i].flags & 1u << flag) != 0)
                json_object_set_new(token, flags[flag], json_true());
        }
        json_array_append_new(list, token);
    }
    return list;
}

static json_t *errors_to_json(const TgTree *tree)
{
    json_t *list = json_array();
    guint n;
    const TgParseError *errors = tg_tree_errors(tree, &n);

    for (guint i = 0; i < n; i++) {
        json_t *error = json_object();
        g_autofree char *message = g_utf8_make_valid(errors[i].message, -1);

        set_string(error, "kind", tg_parse_error_kind_name((TgParseErrorKind) errors[i].kind));
        set_span(error, errors[i].start, errors[i].end);
        set_integer(error, "column", errors[i].column);
        set_string(error, "message", message);
        json_array_append_new(list, error);
    }
    return list;
}

json_t *tg_tree_to_json(const TgTree *tree)
{
    json_t *object = json_object();

    json_object_set_new(object, "tree", node_to_json(tg_tree_root(tree), tree));
    json_object_set_new(object, "tokens", tokens_to_json(tree));
    json_object_set_new(object, "errors", errors_to_json(tree));
    return object;
}
