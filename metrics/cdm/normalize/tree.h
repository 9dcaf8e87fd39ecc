/* The tree that the official program's parser builds, before it is printed again. */
#pragma once

#include <glib.h>

#include "metrics/cdm/normalize/functions.h"

/** What a node is. */
typedef enum {
    TG_CDM_NODE_LETTER,     /**< a letter, or a command nobody knows: @text */
    TG_CDM_NODE_SYMBOL,     /**< a symbol that stays whole: @text */
    TG_CDM_NODE_SPACE,      /**< blanks of text mode */
    TG_CDM_NODE_GROUP,      /**< `{...}`: @children */
    TG_CDM_NODE_SCRIPTS,    /**< @arguments: base, subscript, superscript; each may be NULL */
    TG_CDM_NODE_FUNCTION,   /**< @function, @text its name, @arguments; a switch has @children */
    TG_CDM_NODE_LEFT_RIGHT, /**< @children between the delimiters @text and @right */
    TG_CDM_NODE_ARRAY,      /**< @children are rows, groups of cells; @text is the preamble */
    TG_CDM_NODE_SIZE,       /**< @text: a number, a blank and a unit; NULL for a colour */
} TgCdmNodeKind;

/** Bytes of a text; none when both are equal. */
typedef struct {
    guint32 start, end;
} TgCdmRange;

typedef struct TgCdmNode TgCdmNode;
struct TgCdmNode {
    TgCdmNodeKind kind;
    const TgCdmFunction *function;
    char *text, *right;
    GPtrArray *children;
    TgCdmNode *arguments[3]; /**< optional ones first; NULL where one is missing */
    gboolean limits;         /**< of TG_CDM_OPERATOR */
    TgCdmRange at, right_at; /**< where @text and @right stand in the line; none for marks of
                                  structure */
};
