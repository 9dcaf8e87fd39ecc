/* The formula tree: its storage, and the table of node kinds with their names and fields. */
#include "tokenizer/tree/tree.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"

/* ---- Storage ------------------------------------------------------------------------------- */

TgTree *tg_tree_new(const char *tex, gsize len)
{
    TgTree *tree = g_new0(TgTree, 1);

    tree->source = tg_arena_text(&tree->arena, tex, len);
    tree->len = len;
    return tree;
}

void tg_tree_free(TgTree *tree)
{
    if (tree == NULL)
        return;
    tg_arena_clear(&tree->arena);
    g_free(tree);
}

/* ---- Names --------------------------------------------------------------------------------- */

static const char *const class_names[] = {
    "ord", "op", "bin", "rel", "open", "close", "punct", "inner",
};
G_STATIC_ASSERT(G_N_ELEMENTS(class_names) == TG_CLASS_INNER + 1);
#define TEXT_OF(name, text)                                     text,
#define TEXT_BEFORE(name, text, attribute)                      text,
#define TEXT_OF_STRETCH(name, text, shape, class, under, arrow) text,
#define FORM_OF_STRETCH(name, text, shape, class, under, arrow)                                    \
    { TG_SHAPE_OF_##shape, TG_CLASS_##class, under, TG_ARROW_##arrow },
#define SHAPE_OF_ENCLOSURE(name, text, shape) TG_SHAPE_OF_##shape,
#define POINTS_OF_UNIT(name, text, points)    points,
const char *const tg_stretch_names[] = { TG_STRETCH_LIST(TEXT_OF_STRETCH) };
const TgStretchForm tg_stretch_forms[] = { TG_STRETCH_LIST(FORM_OF_STRETCH) };
const char *const tg_arrow_names[] = { TG_ARROW_LIST(TEXT_OF) };
const char *const tg_enclosure_names[] = { TG_ENCLOSURE_LIST(TEXT_BEFORE) };
const guint8 tg_enclosure_shapes[] = { TG_ENCLOSURE_LIST(SHAPE_OF_ENCLOSURE) };
const char *const tg_unit_names[] = { TG_UNIT_LIST(TEXT_BEFORE) };
const char *const tg_package_names[] = { "", TG_PACKAGE_LIST(TEXT_OF) NULL };
const char *const tg_size_names[] = {
    "tiny",  "scriptsize", "footnotesize", "small", "normalsize",
    "large", "Large",      "LARGE",        "huge",  "Huge",
};
G_STATIC_ASSERT(G_N_ELEMENTS(tg_size_names) == TG_SIZE_HUGE2 + 1);

TgLength tg_length_of_points(double points)
{
    return (TgLength){ .value = (gint32) floor(65536 * CLAMP(points, -16383, 16383) + 0.5) };
}

double tg_length_points(TgLength length)
{
    static const double unit_pt[] = { TG_UNIT_LIST(POINTS_OF_UNIT) };

    return length.value / 65536.0 * unit_pt[length.unit];
}

static const char *const alphabet_names[] = {
    "default", "normal", "rm", "bf", "it", "sf", "tt", "cal", "scr", "bb", "frak",
};
G_STATIC_ASSERT(G_N_ELEMENTS(alphabet_names) == TG_ALPHABET_FRAK + 1);
static const char *const style_names[] = {
    "display", "text", "script", "scriptscript", "inherit",
};
G_STATIC_ASSERT(G_N_ELEMENTS(style_names) == TG_STYLE_INHERIT + 1);
static const char *const limits_names[] = { "default", "display", "on", "off" };
G_STATIC_ASSERT(G_N_ELEMENTS(limits_names) == TG_LIMITS_OFF + 1);
static const char *const scripts_names[] = { "plain", "sub-sup", "before" };
G_STATIC_ASSERT(G_N_ELEMENTS(scripts_names) == TG_SCRIPTS_BEFORE + 1);
static const char *const fraction_names[] = { "frac", "cfrac", "infix" };
G_STATIC_ASSERT(G_N_ELEMENTS(fraction_names) == TG_FRACTION_INFIX + 1);
static const char *const stack_names[] = { "overset", "stackrel" };
G_STATIC_ASSERT(G_N_ELEMENTS(stack_names) == TG_STACK_REL + 1);
static const char *const leaders_names[] = { "none", "dots", "rule" };
G_STATIC_ASSERT(G_N_ELEMENTS(leaders_names) == TG_LEADERS_RULE + 1);
static const char *const family_names[] = { "rm", "sf", "tt" };
G_STATIC_ASSERT(G_N_ELEMENTS(family_names) == TG_FAMILY_TT + 1);
static const char *const shape_names[] = { "up", "it", "sl", "sc" };
G_STATIC_ASSERT(G_N_ELEMENTS(shape_names) == TG_SHAPE_SC + 1);
static const char *const rule_names[] = { "rule", "strut", "vline" };
G_STATIC_ASSERT(G_N_ELEMENTS(rule_names) == TG_RULE_VLINE + 1);
static const char *const phantom_names[] = {
    "no-ink", "no-width", "no-height", "no-depth", "cramped", NULL,
};

const char *const tg_role_names[] = {
    "item",  "nucleus", "sub",          "sup",    "num",   "den",       "left",
    "right", "body",    "index",        "over",   "under", "delimiter", "display",
    "text",  "script",  "scriptscript", "column", "cell",
};
G_STATIC_ASSERT(G_N_ELEMENTS(tg_role_names) == TG_ROLE_CELL + 1);
const char *const tg_parse_error_names[] = { TG_PARSE_ERROR_LIST(TEXT_OF) };

/* ---- Kinds --------------------------------------------------------------------------------- */

#define FIELD(t, key, member)                                                                      \
    {                                                                                              \
        .type = TG_NODE_FIELD_##t, .name = key, .offset = G_STRUCT_OFFSET(TgNode, member)          \
    }
#define ENUM(key, member, list, value)                                                             \
    {                                                                                              \
        .type = TG_NODE_FIELD_ENUM, .name = key, .offset = G_STRUCT_OFFSET(TgNode, member),        \
        .names = list, .unset = value                                                              \
    }
#define CHILD(r, c, member)                                                                        \
    {                                                                                              \
        .type = TG_NODE_FIELD_CHILD, .role = TG_ROLE_##r, .content = TG_CONTENT_##c,               \
        .offset = G_STRUCT_OFFSET(TgNode, member)                                                  \
    }
#define BODY(content)                                                                              \
    {                                                                                              \
        CHILD(BODY, content, u.body.body)                                                          \
    }

const TgNodeKindInfo tg_node_kinds[TG_N_NODE_KINDS] = {
    [TG_NODE_LIST] = { "list", { { 0 } } },
    [TG_NODE_SYMBOL] = { "symbol",
                         { FIELD(SYMBOL, "name", u.symbol.symbol),
                           FIELD(CHARACTER, "shows", u.symbol.code),
                           ENUM("class", math_class, class_names, TG_NO_UNSET),
                           ENUM("alphabet", alphabet, alphabet_names, TG_ALPHABET_DEFAULT),
                           FIELD(FLAG, "bold", bold),
                           FIELD(FLAG, "chemistry", u.symbol.chemistry) } },
    [TG_NODE_OPERATOR] = { "operator",
                           { ENUM("limits", u.op.limits, limits_names, TG_NO_UNSET),
                             CHILD(BODY, MATH, u.op.body) } },
    [TG_NODE_SCRIPTS] = { "scripts",
                          { FIELD(COUNT, "primes", u.scripts.n_primes),
                            ENUM("limits", u.scripts.limits, limits_names, TG_LIMITS_DEFAULT),
                            ENUM("form", u.scripts.form, scripts_names, TG_SCRIPTS_PLAIN),
                            CHILD(NUCLEUS, NUCLEUS, u.scripts.nucleus),
                            CHILD(SUB, SMALLER, u.scripts.sub),
                            CHILD(SUP, SMALLER, u.scripts.sup) } },
    [TG_NODE_FRACTION] = { "fraction",
                           { ENUM("form", u.fraction.form, fraction_names, TG_NO_UNSET),
                             ENUM("style", u.fraction.style, style_names, TG_STYLE_INHERIT),
                             CHILD(LEFT, DELIMITER, u.fraction.left),
                             CHILD(NUM, PART, u.fraction.num), CHILD(DEN, PART, u.fraction.den),
                             CHILD(RIGHT, DELIMITER, u.fraction.right) } },
    [TG_NODE_RADICAL] = { "radical",
                          { CHILD(INDEX, SCRIPTSCRIPT, u.radical.index),
                            CHILD(BODY, MATH, u.radical.body) } },
    [TG_NODE_ACCENT] = { "accent",
                         { FIELD(SYMBOL, "name", u.accent.symbol),
                           FIELD(CHARACTER, "shows", u.accent.code),
                           CHILD(BODY, MATH, u.accent.base) } },
    [TG_NODE_STRETCH] = { "stretch",
                          { ENUM("form", u.stretch.form, tg_stretch_names, TG_NO_UNSET),
                            CHILD(BODY, MATH, u.stretch.body) },
                          .command = "" },
    [TG_NODE_STACK] = { "stack",
                        { ENUM("form", u.stack.form, stack_names, TG_NO_UNSET),
                          CHILD(BODY, MATH, u.stack.base), CHILD(OVER, SMALLER, u.stack.over),
                          CHILD(UNDER, SMALLER, u.stack.under) } },
    [TG_NODE_ARROW] = { "arrow",
                        { ENUM("form", u.arrow.form, tg_arrow_names, TG_NO_UNSET),
                          FIELD(FLAG, "chemistry", u.arrow.chemistry),
                          CHILD(OVER, SCRIPT, u.arrow.above),
                          CHILD(UNDER, SCRIPT, u.arrow.below) } },
    [TG_NODE_DELIMITED] = { "delimited",
                            { CHILD(LEFT, DELIMITER, u.delimited.left),
                              CHILD(BODY, MATH, u.delimited.body),
                              CHILD(RIGHT, DELIMITER, u.delimited.right) } },
    [TG_NODE_MIDDLE] = { "middle",
                         { CHILD(DELIMITER, DELIMITER, u.big.delimiter) },
                         .command = "middle" },
    [TG_NODE_BIG] = { "big",
                      { FIELD(NUMBER, "size", u.big.size),
                        ENUM("class", math_class, class_names, TG_NO_UNSET),
                        CHILD(DELIMITER, DELIMITER, u.big.delimiter) } },
    [TG_NODE_CLASS] = { "class",
                        { ENUM("class", math_class, class_names, TG_NO_UNSET),
                          CHILD(BODY, MATH, u.body.body) },
                        .command = "math" },
    [TG_NODE_BOLD] = { "bold", BODY(MATH) },
    [TG_NODE_CHOICE] = { "choice",
                         { CHILD(DISPLAY, CHOICE, u.choice.style[TG_STYLE_DISPLAY]),
                           CHILD(TEXT, CHOICE, u.choice.style[TG_STYLE_TEXT]),
                           CHILD(SCRIPT, CHOICE, u.choice.style[TG_STYLE_SCRIPT]),
                           CHILD(SCRIPTSCRIPT, CHOICE, u.choice.style[TG_STYLE_SCRIPTSCRIPT]) },
                         .command = "mathchoice" },
    [TG_NODE_ARRAY] = { "array", { { 0 } } },
    [TG_NODE_TEXT] = { "text",
                       { FIELD(FLAG, "scales", u.text.scales), CHILD(BODY, WORDS, u.text.body) } },
    [TG_NODE_CHAR] = { "char",
                       { FIELD(CHARACTER, "shows", u.character.code),
                         FIELD(FLAG, "named", u.character.named),
                         ENUM("family", u.character.font.family, family_names, TG_FAMILY_RM),
                         ENUM("shape", u.character.font.shape, shape_names, TG_SHAPE_UP),
                         FIELD(FLAG, "bold", u.character.font.bold),
                         ENUM("size", u.character.font.size, tg_size_names, TG_SIZE_NORMAL) } },
    [TG_NODE_MATH] = { "math", BODY(MATH) },
    [TG_NODE_STYLE] = { "style", { ENUM("style", u.change.style, style_names, TG_NO_UNSET) } },
    [TG_NODE_SIZE] = { "size", { ENUM("size", u.change.style, tg_size_names, TG_NO_UNSET) } },
    [TG_NODE_COLOR] = { "color",
                        { FIELD(COLOR, "color", u.color.rgb), CHILD(BODY, MATH, u.color.body) } },
    [TG_NODE_SPACE] = { "space",
                        { FIELD(LENGTH, "amount", u.space.amount),
                          ENUM("leaders", u.space.leaders, leaders_names, TG_LEADERS_NONE),
                          FIELD(FLAG, "kern", u.space.kern),
                          FIELD(FLAG, "vertical", u.space.vertical) } },
    [TG_NODE_BREAK] = { "break", { FIELD(GAP, "gap", u.line_break.gap) } },
    [TG_NODE_TAG] = { "tag", BODY(WORDS) },
    [TG_NODE_PHANTOM] = { "phantom",
                          { { .type = TG_NODE_FIELD_BITS,
                              .name = "hides",
                              .offset = G_STRUCT_OFFSET(TgNode, u.phantom.flags),
                              .names = phantom_names },
                            CHILD(BODY, MATH, u.phantom.body) } },
    [TG_NODE_LAP] = { "lap", { FIELD(ALIGN, "align", u.lap.align), CHILD(BODY, BOX, u.lap.body) } },
    [TG_NODE_RAISE] = { "raise",
                        { FIELD(LENGTH, "amount", u.raise.amount),
                          CHILD(BODY, BOX, u.raise.body) } },
    [TG_NODE_VCENTER] = { "vcenter", BODY(WORDS), .command = "vcenter" },
    [TG_NODE_ENCLOSE] = { "enclose",
                          { ENUM("form", u.enclose.form, tg_enclosure_names, TG_NO_UNSET),
                            CHILD(BODY, BOX, u.enclose.body) } },
    [TG_NODE_RULE] = { "rule",
                       { ENUM("form", u.rule.form, rule_names, TG_NO_UNSET),
                         FIELD(LENGTH, "width", u.rule.width),
                         FIELD(LENGTH, "height", u.rule.height) } },
    [TG_NODE_ERROR] = { "error", { FIELD(STRING, "text", u.error.text) } },
};

gboolean tg_packages_parse(const char *text, TgPackages *packages, GError **error)
{
    g_auto(GStrv) names = g_strsplit(text, "+", -1);

    *packages = 0;
    for (guint i = 0; strcmp(text, "none") != 0 && names[i] != NULL; i++) {
        guint package = TG_PACKAGE_NONE + 1;

        while (package < TG_N_PACKAGES && strcmp(tg_package_names[package], names[i]) != 0)
            package++;
        if (package == TG_N_PACKAGES) {
            g_autofree char *known = g_strjoinv(", ", (char **) tg_package_names + 1);
            return tg_fail_usage(
                error, "unknown package '%s': write none, or of these with + between them: %s",
                names[i], known);
        }
        *packages |= 1u << package;
    }
    return TRUE;
}

const TgParseError *tg_tree_refusal(const TgTree *tree, TgPackages packages)
{
    const TgParseError *first = tree->n_errors > 0 ? tree->errors : NULL;

    for (guint i = 0; i < tree->n_refusals; i++) {
        const TgParseError *refusal = &tree->refusals[i];
        if ((packages & 1u << refusal->package) == 0 &&
            (first == NULL || refusal->start < first->start))
            first = refusal;
    }
    return first;
}

/* ---- Walking over the children of a node ----------------------------------------------------- */

TgChildIter tg_child_iter(const TgNode *parent)
{
    return (TgChildIter){ .parent = parent,
                          .field = tg_node_kinds[parent->kind].fields,
                          .part = TG_ROLE_LEFT,
                          .item = parent->kind == TG_NODE_LIST    ? parent->u.list.first
                                  : parent->kind == TG_NODE_ARRAY ? parent->u.array->left
                                                                  : NULL };
}

/* Go on to the next part of an array: its columns, a cell with its own columns, the right fence. */
static gboolean begin_part(TgChildIter *iter, const TgArray *array)
{
    if (iter->part == TG_ROLE_LEFT) {
        iter->part = TG_ROLE_COLUMN;
        iter->columns = array->columns;
        iter->n_columns = array->n_column_items;
        return TRUE;
    }
    for (; iter->row < array->n_rows; iter->row++, iter->cell = 0) {
        const TgRow *row = &array->rows[iter->row];

        if (iter->cell == row->n_cells)
            continue;
        const TgCell *cell = &row->cells[iter->cell++];
        iter->part = TG_ROLE_CELL;
        iter->columns = cell->columns;
        iter->n_columns = cell->n_columns;
        iter->item = cell->content;
        return TRUE;
    }
    iter->item = iter->part != TG_ROLE_RIGHT ? array->right : NULL;
    iter->part = TG_ROLE_RIGHT;
    return iter->item != NULL;
}

/* Give the material of a part's columns, then its item. */
static const TgNode *next_of_array(TgChildIter *iter)
{
    do {
        while (iter->n_columns > 0) {
            const TgNode *material = iter->columns++->material;

            iter->n_columns--;
            iter->role = TG_ROLE_COLUMN;
            if (material != NULL)
                return material;
        }
        if (iter->item != NULL) {
            iter->role = iter->part;
            return g_steal_pointer(&iter->item);
        }
    } while (begin_part(iter, iter->parent->u.array));
    return NULL;
}

const TgNode *tg_child_iter_next(TgChildIter *iter)
{
    if (iter->parent->kind == TG_NODE_ARRAY)
        return next_of_array(iter);
    if (iter->parent->kind == TG_NODE_LIST) {
        const TgNode *item = iter->item;

        iter->item = item != NULL ? item->next : NULL;
        iter->role = TG_ROLE_ITEM;
        return item;
    }

    for (const TgNodeField *field = iter->field; field->type != TG_NODE_FIELD_END; field++) {
        const TgNode *child =
            field->type == TG_NODE_FIELD_CHILD ? tg_node_child(iter->parent, field) : NULL;

        if (child == NULL)
            continue;
        iter->field = field + 1;
        iter->role = (TgRole) field->role;
        iter->content = (TgContent) field->content;
        return child;
    }
    return NULL;
}
