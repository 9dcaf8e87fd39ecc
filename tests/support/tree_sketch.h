/* A formula tree in one short line, for tests. */
#pragma once

#include "tokenizer/tree/tree.h"

/**
 * Items are separated by spaces; a braced list is {..}, a child [..] after the name of its role.
 * Symbols and characters show themselves (name of the command or the character), followed by
 * `:bf` where an alphabet other than the default is in force and `!` where bold is. Other nodes are
 * (kind what role[..]). Cells are rows between `;` with `&` in between.
 *
 * Returns: (transfer full) the line
 */
char *tree_sketch(const TgTree *tree);

/** The same for one node. (transfer full) */
char *node_sketch(const TgNode *node);

/** A formula and the sketch of its tree. */
typedef struct {
    const char *source;
    const char *sketch;
} SketchCase;

/** Fails unless each source gives its sketch, in strict mode and so without a fault. */
void tree_sketch_check(const SketchCase *cases, guint n);
