/* The tree that the official program's parser builds, before it is printed again. */
#pragma once

#include "metrics/cdm/normalize/functions.h"
#include "metrics/cdm/normalize/text.h"

/** What a node is. */
typedef enum {
    TG_CDM_NODE_LETTER,     /**< a letter, or an unknown command: @text */
    TG_CDM_NODE_SYMBOL,     /**< a symbol that stays whole: @text */
    TG_CDM_NODE_SPACE,      /**< white space of text mode */
    TG_CDM_NODE_GROUP,      /**< `{...}`: @children */
    TG_CDM_NODE_SCRIPTS,    /**< @arguments: base, subscript, superscript; each may be NULL */
    TG_CDM_NODE_FUNCTION,   /**< @function, @text its name, @arguments; a switch has @children */
    TG_CDM_NODE_LEFT_RIGHT, /**< @children between the delimiters @text and @right */
    TG_CDM_NODE_ARRAY,      /**< @children are rows, groups of cells; @text is the preamble */
    TG_CDM_NODE_SIZE,       /**< @text: a number, a space and a unit; NULL for a colour */
} TgCdmNodeKind;

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

/** A parsed formula; owns its nodes. */
typedef struct {
    GPtrArray *nodes;     /**< all of them */
    GPtrArray *children;  /**< the formula's own */
    GString *tokens_read; /**< every token in the order of reading, a space behind each */
} TgCdmSyntax;

/** Without children, whose array is taken over later. */
TgCdmSyntax *tg_cdm_syntax_new(void);
void tg_cdm_syntax_free(TgCdmSyntax *syntax);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCdmSyntax, tg_cdm_syntax_free)

/** A node of @syntax, empty but for its kind. */
TgCdmNode *tg_cdm_node_new(TgCdmSyntax *syntax, TgCdmNodeKind kind);

/** @children: (transfer full) */
TgCdmNode *tg_cdm_node_new_group(TgCdmSyntax *syntax, GPtrArray *children);

/** @at: where its name stands in the line */
TgCdmNode *tg_cdm_node_new_function(TgCdmSyntax *syntax, const TgCdmFunction *function,
                                    const char *name, TgCdmRange at);

/** Whether @node, which may be NULL, is a function of this kind. */
gboolean tg_cdm_node_is_function(const TgCdmNode *node, TgCdmFunctionKind kind);
