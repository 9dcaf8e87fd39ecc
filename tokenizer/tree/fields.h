/* What each kind of node holds: the table by which trees are walked, copied and printed. */
#pragma once

#include "tokenizer/tree/node.h"

G_BEGIN_DECLS

/** What a child is to its parent. */
typedef enum {
    TG_ROLE_ITEM, /**< of a list */
    TG_ROLE_NUCLEUS,
    TG_ROLE_SUB,
    TG_ROLE_SUP,
    TG_ROLE_PRE_SUB,
    TG_ROLE_PRE_SUP,
    TG_ROLE_NUM,
    TG_ROLE_DEN,
    TG_ROLE_LEFT,  /**< delimiter or fence */
    TG_ROLE_RIGHT, /**< delimiter or fence */
    TG_ROLE_BODY,
    TG_ROLE_INDEX, /**< of a root */
    TG_ROLE_OVER,
    TG_ROLE_UNDER,
    TG_ROLE_DELIMITER, /**< of \big, \middle */
    TG_ROLE_DISPLAY,   /**< alternatives of \mathchoice, in the order of TgStyle */
    TG_ROLE_TEXT,
    TG_ROLE_SCRIPT,
    TG_ROLE_SCRIPTSCRIPT,
    TG_ROLE_COLUMN,  /**< material of a column specification */
    TG_ROLE_CELL,    /**< see TgChildIter.row and .column */
    TG_ROLE_BETWEEN, /**< \intertext */
} TgRole;

/** What a child consists of, and the style that TeX sets it in. */
typedef enum {
    TG_CONTENT_MATH,         /**< LIST in the style around it */
    TG_CONTENT_SMALLER,      /**< LIST as a script: \scriptstyle, then \scriptscriptstyle */
    TG_CONTENT_PART,         /**< LIST as a numerator or denominator */
    TG_CONTENT_SCRIPT,       /**< LIST in \scriptstyle */
    TG_CONTENT_SCRIPTSCRIPT, /**< LIST in \scriptscriptstyle */
    TG_CONTENT_CHOICE,       /**< LIST in the style that its role names */
    TG_CONTENT_WORDS,        /**< LIST of text */
    TG_CONTENT_BOX,          /**< TEXT, or LIST in the style around it */
    TG_CONTENT_NUCLEUS,      /**< any node */
    TG_CONTENT_DELIMITER,    /**< SYMBOL */
} TgContent;

typedef enum {
    TG_NODE_FIELD_END,       /**< behind the last field */
    TG_NODE_FIELD_CHILD,     /**< const TgNode *, may be NULL */
    TG_NODE_FIELD_FLAG,      /**< guint8 */
    TG_NODE_FIELD_NUMBER,    /**< guint8 */
    TG_NODE_FIELD_COUNT,     /**< guint16; not printed when 0 */
    TG_NODE_FIELD_ENUM,      /**< guint8, an index into .names */
    TG_NODE_FIELD_BITS,      /**< guint8, each bit with its name in .names */
    TG_NODE_FIELD_ALIGN,     /**< guint8: 'l', 'c' or 'r' */
    TG_NODE_FIELD_LENGTH,    /**< TgLength */
    TG_NODE_FIELD_GAP,       /**< TgLength; not printed when 0 */
    TG_NODE_FIELD_CHARACTER, /**< gunichar, 0 for none */
    TG_NODE_FIELD_SYMBOL,    /**< const TgSymbol *, may be NULL */
    TG_NODE_FIELD_COLOR,     /**< guint32: 0xRRGGBB */
    TG_NODE_FIELD_STRING,    /**< const char * */
} TgNodeFieldType;

/** One member of TgNode that a kind uses. */
typedef struct {
    guint8 type;      /**< TgNodeFieldType */
    guint8 role;      /**< CHILD: TgRole */
    guint8 content;   /**< CHILD: TgContent */
    guint8 unset;     /**< ENUM: the default, which is not printed; TG_NO_UNSET: none */
    guint16 offset;   /**< in TgNode */
    const char *name; /**< of a CHILD: that of its role */
    const char *const *names;
} TgNodeField;

#define TG_NO_UNSET 255

/** The fields of @kind up to a TG_NODE_FIELD_END, children last; none for lists and arrays. */
const TgNodeField *tg_node_fields(TgNodeKind kind);

/** The child that @field is of @node, or NULL. */
static inline const TgNode *tg_node_child(const TgNode *node, const TgNodeField *field)
{
    return *(const TgNode *const *) (gconstpointer) ((const guint8 *) node + field->offset);
}

/**
 * The command of a kind that is written as a command with its children as arguments; the names of
 * its ENUM fields end it ("math" and "rel"). NULL: @kind is written otherwise.
 */
const char *tg_node_kind_command(TgNodeKind kind);

/* ---- Names --------------------------------------------------------------------------------- */

/** "list", "symbol" and so on: the stable name of @kind; static. */
const char *tg_node_kind_name(TgNodeKind kind);

/** "item", "nucleus" and so on: the stable name of @role; static. */
const char *tg_role_name(TgRole role);

/* Names of values as LaTeX has them, by enumeration. */
extern const char *const tg_stretch_names[];   /**< "overline", by TgStretch */
extern const char *const tg_arrow_names[];     /**< "rightarrow", by TgArrow; "=" of \xlongequal */
extern const char *const tg_enclosure_names[]; /**< "boxed", by TgEnclosure */
extern const char *const tg_size_names[];      /**< "tiny", by TgTextSize */
extern const char *const tg_unit_names[];      /**< "pt", by TgUnit */
extern const char *const tg_setting_names[];   /**< by TgSetting */

G_END_DECLS
