/* Rules of TeX that all readers of the tree share: styles, classes, limits, what is seen. */
#pragma once

#include "tokenizer/tree/fields.h"

G_BEGIN_DECLS

/** The style of scripts in @style, both TgStyle. */
static inline guint8 tg_style_of_scripts(guint8 style)
{
    return style <= TG_STYLE_TEXT ? TG_STYLE_SCRIPT : TG_STYLE_SCRIPTSCRIPT;
}

/** The style in which @parent, which stands in @style, sets a child. */
guint8 tg_style_of_child(const TgNode *parent, TgContent content, TgRole role, guint8 style);

/** The style of an array's cells. */
guint8 tg_style_of_cells(const TgArray *array);

/**
 * The class of the atom that @node makes by its kind, before TeX turns a Bin without operands into
 * an Ord. TG_CLASS_NONE: no atom, a box, an atom with the class of its body (\overset), or \big
 * and its family, which readers take for delimiters whatever their class.
 */
TgMathClass tg_node_class(const TgNode *node);

/** Whether the scripts of the SCRIPTS @node stand above and below in @style. */
gboolean tg_scripts_are_limits(const TgNode *node, guint8 style);

/** Whether @node, which may be NULL, is the symbol @name: "prime", "not". */
gboolean tg_node_is_symbol(const TgNode *node, const char *name);

/** How many integral signs the symbol is (2 for \iint), 0 for other symbols and \int. */
guint tg_symbol_n_integrals(const TgSymbol *symbol);

/**
 * Whether a child is drawn when @parent stands in @style: nothing in \phantom and \tag is, and only
 * one alternative of \mathchoice.
 */
gboolean tg_child_is_seen(const TgNode *parent, TgRole role, guint8 style);

/** A length of LaTeX as @settings has it; NULL: as it is unless a formula sets it. */
TgLength tg_setting(const TgSettings *settings, TgSetting setting);

G_END_DECLS
