/* CROHME's label graphs, inner parts: the elements that the official chain of programs makes of a
 * formula, the graph of nodes and relations that it makes of the elements, and the common parts of
 * two graphs. */
#pragma once

#include <texgauge/picture.h>
#include <texgauge/types.h>

#include "core/arena.h"

/* ---- Elements (elements.c) ------------------------------------------------------------------- */

/** The kinds of elements; children in the order of the comment. */
typedef enum {
    TG_CROHME_SYMBOL,
    TG_CROHME_ROW,
    TG_CROHME_FRACTION,   /**< numerator, denominator */
    TG_CROHME_ROOT,       /**< radicand */
    TG_CROHME_INDEX_ROOT, /**< radicand, index */
    TG_CROHME_SUB,        /**< base, subscript */
    TG_CROHME_SUP,        /**< base, superscript */
    TG_CROHME_SUBSUP,     /**< base, subscript, superscript */
    TG_CROHME_UNDER,      /**< base, element below */
    TG_CROHME_OVER,       /**< base, element above */
    TG_CROHME_UNDEROVER,  /**< base, element below, element above */
    TG_CROHME_TABLE,      /**< rows */
    TG_CROHME_TABLE_ROW,  /**< cells */
    TG_CROHME_CELL,       /**< its content: a row, or nothing */
    /** fonts, text, spaces: removed, and the children after it take its place */
    TG_CROHME_DELETED,
} TgCrohmeKind;

/** An element; it lives in the arena that it was made in. */
typedef struct TgCrohmeElement {
    struct TgCrohmeElement *first, *last; /**< children */
    struct TgCrohmeElement *next;         /**< sibling */
    /** label of a SYMBOL as pandoc writes it; may be empty */
    const char *label;
    guint32 start, end; /**< bytes of the source where it is visible */
    guint32 number; /**< place in the order of the document, from 1, before rows are dissolved */
    guint8 kind;    /**< TgCrohmeKind */
    guint8 of_list; /**< 1: the row of a group, an argument or a cell */
    guint8 limits;  /**< 1: its scripts stand above and below */
} TgCrohmeElement;

/**
 * Read a formula as pandoc reads it and the chain dissolves its rows (specification:
 * docs/metrics/crohme-graph.md).
 *
 * @tex: NUL-terminated UTF-8
 * @fault: (out) why it does not convert, in @arena; or NULL
 *
 * Returns: the formula in @arena, NULL with @fault
 */
TgCrohmeElement *tg_crohme_read(TgArena *arena, const char *tex, const char **fault);

/* ---- Graphs (graph.c) ------------------------------------------------------------------------ */

/** The relations that the chain knows; as bits they are sets. */
typedef enum {
    TG_CROHME_RIGHT,
    TG_CROHME_SUPERSCRIPT,
    TG_CROHME_SUBSCRIPT,
    TG_CROHME_ABOVE,
    TG_CROHME_BELOW,
    TG_CROHME_INSIDE,
    TG_CROHME_NEXT_ROW,
    TG_CROHME_NEXT_COLUMN,
    TG_CROHME_NEXT_CELL,  /**< of the row */
    TG_CROHME_CELL_BELOW, /**< of the column */
    TG_N_CROHME_RELATIONS,
} TgCrohmeRelation;

/** "Right", "Sup" and so on; NULL last. */
extern const char *const tg_crohme_relations[];

/** Paths from the root of a graph to a node, each with a number from 1; shared by graphs that are
 * compared. */
typedef struct TgCrohmePaths TgCrohmePaths;

TgCrohmePaths *tg_crohme_paths_new(TgArena *arena);

/** The path that @text writes: O and relations; or O and any other text, a name of its own. 0 where
 * the paths are longer than a formula has them. */
guint32 tg_crohme_path_parse(TgCrohmePaths *paths, const char *text);

/** The bytes of a path's text. */
guint32 tg_crohme_path_length(const TgCrohmePaths *paths, guint32 path);

/** Append a path as label graphs write it: O, then the relations, Right as R; at most the last
 * @most bytes. */
void tg_crohme_path_append(GString *out, const TgCrohmePaths *paths, guint32 path, guint32 most);

/** Verdict on a node or relation of one graph against another graph. */
typedef enum {
    TG_CROHME_EQUAL,     /**< no error */
    TG_CROHME_OTHER,     /**< the other graph has another label or kind */
    TG_CROHME_UNMATCHED, /**< the other graph has no partner */
} TgCrohmeVerdict;

typedef struct {
    const char *label; /**< label as label graphs write it */
    /** identity of the node: nodes with one path are one node with several labels */
    guint32 path;
    guint32 start, end; /**< bytes of the formula; 0, 0 of a label graph */
    /** a TgCrohmeVerdict, and unless it is unmatched its index in the other graph */
    guint32 verdict, partner;
} TgCrohmeNode;

typedef struct {
    guint32 from, to; /**< paths */
    guint8 relation;  /**< TgCrohmeRelation */
    guint8 verdict;   /**< TgCrohmeVerdict */
} TgCrohmeEdge;

/** A graph, in an arena. */
typedef struct {
    TgCrohmeNode *nodes;
    TgCrohmeEdge *edges;
    guint n_nodes, n_edges;
    /** the reason why the formula does not convert, so that there is no graph; or NULL */
    const char *fault;
} TgCrohmeGraph;

/** The graph of @tex, which is LaTeX, or the text of a label graph (tg_is_label_graph()). */
TgCrohmeGraph tg_crohme_graph(TgArena *arena, TgCrohmePaths *paths, const char *tex);

/** Counts of paths and of ordered pairs of paths in two graphs, and in both. */
typedef struct {
    guint node_errors;  /**< D_C: paths that one graph lacks, or that have no common label */
    guint edge_errors;  /**< D_L: pairs that one graph lacks, or that have no common relation */
    gboolean structure; /**< the same paths and the same pairs */
    guint ref_nodes, hyp_nodes, nodes, labels;    /**< in both; in both with a common label */
    guint ref_edges, hyp_edges, edges, relations; /**< in both; in both with equal relations */
    gboolean shared; /**< several labels have one path, or several relations one pair, in @ref */
} TgCrohmeCounts;

/** Compare two graphs of @paths; their nodes and relations get their verdicts against the other
 * graph, and nodes their partners. */
TgCrohmeCounts tg_crohme_compare(TgArena *arena, const TgCrohmePaths *paths,
                                 const TgCrohmeGraph *ref, const TgCrohmeGraph *hyp);

/* ---- Reports (report.c) ---------------------------------------------------------------------- */

/** A pair, compared with the reference that has the fewest errors. */
typedef struct {
    TgCrohmePaths *paths;
    TgCrohmeGraph ref, hyp;
    TgCrohmeCounts counts;
    guint n_ref; /**< number of the reference, from 0 */
} TgCrohmeComparison;

/** The detail: nodes and relations of both sides with verdicts (docs/reference/results.md).
 * (transfer floating) */
GVariant *tg_crohme_describe(const TgCrohmeComparison *comparison);

/** Draw both sides with the wrong nodes and relations marked. FALSE with @error where the renderer
 * has a fault. */
gboolean tg_crohme_show(TgArena *arena, TgPairPicture *picture, TgRenderer *renderer,
                        const char *ref, const char *hyp, const TgCrohmeComparison *comparison,
                        GError **error);

/* ---- Label graphs as text (label_graph.c) ---------------------------------------------------- */

/** The graph of a text that tg_is_label_graph(). One without symbols has a fault. */
TgCrohmeGraph tg_crohme_label_graph_read(TgArena *arena, TgCrohmePaths *paths, const char *text);

/**
 * Append the label graph of a formula: a line O for each node, then a line R for each relation.
 *
 * @tex: NUL-terminated UTF-8
 *
 * Returns: FALSE with TG_ERROR_PARSE and nothing appended where the formula does not convert
 */
gboolean tg_crohme_label_graph_append(GString *out, const char *tex, GError **error);

/** The reason why a text with tg_is_label_graph() cannot be read, or NULL. (transfer full) */
char *tg_crohme_label_graph_fault(const char *text);
