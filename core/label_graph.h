/* Texts that are label graphs of CROHME (.lg), and no LaTeX. */
#pragma once

#include <glib.h>

/** The last line of a text that was read from a .lg file, which says so whatever else is in it. */
#define TG_LABEL_GRAPH_MARK "#.lg"

/** Whether @text is a label graph: it ends with the mark, or it has a well-formed object
 * (O, id, label, weight, path), and each line is an object, a relation, a comment or blank. */
gboolean tg_is_label_graph(const char *text);

/** The bytes of a label graph without the paths of its objects, which grow with the square of its
 * size. */
gsize tg_label_graph_size(const char *text);
