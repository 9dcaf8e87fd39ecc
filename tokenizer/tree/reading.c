/* Rules of TeX that all readers of the tree share: styles, classes, limits, visibility. */
#include "tokenizer/tree/tree.h"

#include <string.h>

/* ---- Styles -------------------------------------------------------------------------------- */

/* The roles of \mathchoice are in the order of the styles. */
G_STATIC_ASSERT(TG_ROLE_SCRIPTSCRIPT - TG_ROLE_DISPLAY == (int) TG_STYLE_SCRIPTSCRIPT);

guint8 tg_style_of_child(const TgNode *parent, TgContent content, TgRole role, guint8 style)
{
    switch (content) {
    case TG_CONTENT_SMALLER:
        return tg_style_of_scripts(style);
    case TG_CONTENT_PART: /* TeX's num_style() and denom_style() (§702) without cramped styles */
        if (parent->u.fraction.style != TG_STYLE_INHERIT)
            style = parent->u.fraction.style;
        return style == TG_STYLE_DISPLAY ? TG_STYLE_TEXT : tg_style_of_scripts(style);
    case TG_CONTENT_SCRIPT:
        return TG_STYLE_SCRIPT;
    case TG_CONTENT_SCRIPTSCRIPT:
        return TG_STYLE_SCRIPTSCRIPT;
    case TG_CONTENT_CHOICE:
        return (guint8) (role - TG_ROLE_DISPLAY);
    case TG_CONTENT_MATH:
    case TG_CONTENT_BOX: /* the style around the box, except in $..$, \boxed and \overbrace */
        if (parent->kind == TG_NODE_STRETCH && tg_node_class(parent) == TG_CLASS_OP)
            return TG_STYLE_DISPLAY;
        if (parent->kind == TG_NODE_MATH)
            return parent->u.body.flag ? TG_STYLE_DISPLAY : TG_STYLE_TEXT;
        if (parent->kind == TG_NODE_ENCLOSE && parent->u.enclose.form == TG_ENCLOSE_BOXED)
            return TG_STYLE_DISPLAY;
        return style;
    default:
        return style;
    }
}

guint8 tg_style_of_cells(const TgArray *array)
{
    if (array->display)
        return TG_STYLE_DISPLAY;
    return array->environment == TG_ENV_SMALLMATRIX || array->environment == TG_ENV_SUBARRAY
               ? TG_STYLE_SCRIPT
               : TG_STYLE_TEXT;
}

/* ---- Classes ------------------------------------------------------------------------------- */

TgMathClass tg_node_class(const TgNode *node)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_SYMBOL:
    case TG_NODE_CLASS:
        return (TgMathClass) node->math_class;
    case TG_NODE_LIST:
    case TG_NODE_ACCENT:
    case TG_NODE_RADICAL:
    case TG_NODE_TEXT:
        return TG_CLASS_ORD;
    case TG_NODE_SCRIPTS:
        return node->u.scripts.nucleus != NULL ? tg_node_class(node->u.scripts.nucleus)
                                               : TG_CLASS_ORD;
    case TG_NODE_OPERATOR:
        return TG_CLASS_OP;
    case TG_NODE_FRACTION: /* \cfrac has a kern behind its atom */
        return node->u.fraction.form == TG_FRACTION_FRAC ? TG_CLASS_ORD : TG_CLASS_NONE;
    case TG_NODE_STRETCH:
        return (TgMathClass) tg_stretch_forms[node->u.stretch.form].math_class;
    case TG_NODE_ARROW:
        return TG_CLASS_REL;
    case TG_NODE_STACK:
        return node->u.stack.form == TG_STACK_REL ? TG_CLASS_REL : TG_CLASS_NONE;
    case TG_NODE_DELIMITED:
        return TG_CLASS_INNER;
    default:
        return TG_CLASS_NONE;
    }
}

/* ---- Limits -------------------------------------------------------------------------------- */

/* The place of the scripts of @nucleus, which may be NULL, without \limits and \nolimits: above and
 * below an operator in display style, otherwise at its side. */
static TgLimits default_limits(const TgNode *nucleus)
{
    const TgSymbol *symbol;

    if (nucleus == NULL)
        return TG_LIMITS_OFF;
    if (nucleus->kind == TG_NODE_OPERATOR)
        return (TgLimits) nucleus->u.op.limits;
    if (tg_node_class(nucleus) != TG_CLASS_OP)
        return TG_LIMITS_OFF;
    switch ((TgNodeKind) nucleus->kind) {
    case TG_NODE_SYMBOL:
        symbol = nucleus->u.symbol.symbol;
        return symbol != NULL && ((symbol->flags & TG_SYMBOL_NO_LIMITS) != 0 ||
                                  tg_symbol_n_integrals(symbol) > 0)
                   ? TG_LIMITS_OFF
                   : TG_LIMITS_DISPLAY;
    case TG_NODE_CLASS:
        return TG_LIMITS_DISPLAY;
    case TG_NODE_STRETCH:
        return TG_LIMITS_ON;
    default:
        return TG_LIMITS_OFF;
    }
}

gboolean tg_scripts_are_limits(const TgNode *node, guint8 style)
{
    TgLimits limits = (TgLimits) node->u.scripts.limits;

    if (limits == TG_LIMITS_DEFAULT)
        limits = default_limits(node->u.scripts.nucleus);
    return limits == TG_LIMITS_ON || (limits == TG_LIMITS_DISPLAY && style == TG_STYLE_DISPLAY);
}

/* ---- Symbols and ink ----------------------------------------------------------------------- */

gboolean tg_node_is_symbol(const TgNode *node, const char *name)
{
    return node != NULL && node->kind == TG_NODE_SYMBOL && node->u.symbol.symbol != NULL &&
           strcmp(node->u.symbol.symbol->name, name) == 0;
}

guint tg_symbol_n_integrals(const TgSymbol *symbol)
{
    const gunichar code = symbol->codepoint;

    return code == 0x222C ? 2 : code == 0x222D ? 3 : code == 0x2A0C ? 4 : 0;
}

gboolean tg_child_is_seen(const TgNode *parent, TgRole role, guint8 style)
{
    if (parent->kind == TG_NODE_PHANTOM)
        return (parent->u.phantom.flags & TG_PHANTOM_NO_INK) == 0;
    if (parent->kind == TG_NODE_CHOICE)
        return role == TG_ROLE_DISPLAY + (TgRole) MIN(style, TG_STYLE_SCRIPTSCRIPT);
    return parent->kind != TG_NODE_TAG;
}
