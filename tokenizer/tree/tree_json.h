/* The formula tree as JSON, for people and for programs in other languages. */
#pragma once

#include <jansson.h>

#include "tokenizer/tree/tree.h"

/**
 * The tree as a JSON object; its form is described in docs/reference/parsing.md.
 *
 *   tree    the root node: "kind", "span" [start, end] in bytes of the source, "token" where it
 *           makes ink, what is special to its kind, and its children by role
 *   tokens  [{"span": [start, end], "text": "\\alpha"}], ids are indices; "flags" where there are
 *   errors  [{"kind", "span", "column", "message"}]
 *
 * Returns: (transfer full) the object
 */
json_t *tg_tree_to_json(const TgTree *tree);
