/* The label graph of a formula: nodes named by their paths, relations between nodes, and the common
 * parts of two graphs. */
#include "metrics/crohme/crohme.h"

#include <string.h>

#include "core/label_graph.h"
#include "core/search.h"

typedef TgCrohmeElement Element;

/* ---- Paths ----------------------------------------------------------------------------------- */

const char *const tg_crohme_relations[] = {
    "Right", "Sup", "Sub", "Above", "Below", "Inside", "Nrow", "Ncol", "NcellR", "NcellC", NULL,
};

#define ROOT_PATH 1u

/* Paths of one pair: the graph of a formula has one for each symbol, a hostile file one for each
 * byte. */
#define MAX_PATHS (1u << 22)

/* A path: a shorter path and a last step. In a label graph whose nodes are not named by paths, the
 * steps are the bytes of the name. */
typedef struct {
    guint32 before;
    guint32 step;        /* a relation, or a byte after all relations */
    guint32 length;      /* bytes of its text */
    guint32 first, next; /* the newest path that is a step longer; one with the same beginning */
} Path;

struct TgCrohmePaths {
    TgArena *arena;
    Path *paths; /* by their number; 0 is none */
    guint32 n, room;
};

TgCrohmePaths *tg_crohme_paths_new(TgArena *arena)
{
    TgCrohmePaths *self = tg_arena_zeros(arena, sizeof(TgCrohmePaths));

    self->arena = arena;
    self->room = 128;
    self->paths = tg_arena_alloc(arena, self->room * sizeof(Path));
    self->paths[0] = self->paths[ROOT_PATH] = (Path){ .length = 1 };
    self->n = ROOT_PATH + 1;
    return self;
}

static gboolean is_byte(guint32 step)
{
    return step >= TG_N_CROHME_RELATIONS;
}

/* The last step of a path as its text has it. */
static const char *step_text(guint32 step, char byte[2])
{
    byte[0] = is_byte(step) ? (char) (step - TG_N_CROHME_RELATIONS) : 'R';
    byte[1] = '\0';
    return is_byte(step) || step == TG_CROHME_RIGHT ? byte : tg_crohme_relations[step];
}

/* The number of the path that goes on from @before with @step; a new path gets a new number. 0 is
 * returned for @before 0 and where there are too many paths. */
static guint32 number_path(TgCrohmePaths *self, guint32 before, guint32 step)
{
    guint32 path = self->paths[before].first;
    char byte[2];

    while (path != 0 && self->paths[path].step != step)
        path = self->paths[path].next;
    if (path != 0 || before == 0 || self->n == MAX_PATHS)
        return path;
    if (self->n == self->room) {
        self->paths = tg_arena_regrow(self->arena, self->paths, self->n * sizeof(Path),
                                      2 * self->room * sizeof(Path));
        self->room *= 2;
    }
    Path *from = &self->paths[before];
    self->paths[self->n] = (Path){ .before = before,
                                   .step = step,
                                   .length = from->length + (guint32) strlen(step_text(step, byte)),
                                   .next = from->first };
    from->first = self->n;
    return self->n++;
}

guint32 tg_crohme_path_parse(TgCrohmePaths *paths, const char *text)
{
    guint32 path = ROOT_PATH;
    const char *at = text + 1;
    char byte[2];

    while (*at != '\0') {
        guint32 step = TG_CROHME_RIGHT;

        while (step < TG_N_CROHME_RELATIONS && !g_str_has_prefix(at, step_text(step, byte)))
            step++;
        if (step == TG_N_CROHME_RELATIONS)
            break;
        at += strlen(step_text(step, byte));
        path = number_path(paths, path, step);
    }
    if (*at == '\0')
        return path;
    path = ROOT_PATH;
    for (at = text + 1; *at != '\0'; at++)
        path = number_path(paths, path, TG_N_CROHME_RELATIONS + (guchar) *at);
    return path;
}

guint32 tg_crohme_path_length(const TgCrohmePaths *paths, guint32 path)
{
    return paths->paths[path].length;
}

void tg_crohme_path_append(GString *out, const TgCrohmePaths *paths, guint32 path, guint32 most)
{
    char byte[2];

    while (is_byte(paths->paths[path].step) && paths->paths[path].length > most)
        path = paths->paths[path].before; /* a name shows its beginning */
    const guint32 length = paths->paths[path].length, shown = MIN(length, most);
    if (shown < length)
        g_string_append(out, "...");
    g_string_set_size(out, out->len + shown);
    char *begin = out->str + out->len - shown, *end = out->str + out->len;
    for (; path > ROOT_PATH && end > begin; path = paths->paths[path].before) {
        const char *step = step_text(paths->paths[path].step, byte);
        const gsize size = strlen(step), fits = MIN(size, (gsize) (end - begin));

        end -= fits;
        memcpy(end, step + size - fits, fits);
    }
    if (end > begin)
        *begin = 'O';
}

/* ---- Labels ---------------------------------------------------------------------------------- */

typedef struct {
    const char *symbol, *label;
} LabelRow;

static const LabelRow labels[] = {
#include "labels.inc"
};

/* The label of a symbol in graphs. */
static const char *label_of(const char *symbol)
{
    if (symbol[0] == '\0' || (symbol[1] == '\0' && g_ascii_isalnum(symbol[0])))
        return symbol;
    if (strcmp(symbol, "\u2212") == 0)
        return "-";
    const LabelRow *row =
        tg_row_of_text(symbol, strlen(symbol), labels, G_N_ELEMENTS(labels), sizeof labels[0]);
    return row != NULL ? row->label : symbol;
}

/* Whether a label consists of characters U+0080 to U+00FF, which the converter writes as bytes that
 * the next program cannot read. */
static gboolean is_latin_1(const char *label)
{
    for (const char *at = label; *at != '\0'; at = g_utf8_next_char(at))
        if (((guchar) *at & 0xFC) != 0xC0)
            return FALSE;
    return label[0] != '\0';
}

/* ---- From elements to a graph ---------------------------------------------------------------- */

#define NONE G_MAXUINT32

/* A node while the graph is made. */
typedef struct {
    const Element *element;
    const char *label;
    guint32 parent; /* the parent node, or NONE */
    guint32 path;
    guint8 relation;  /* relation to the parent */
    gboolean missing; /* missing in the label graph, because of an & before it */
} Node;

/* The nodes of an element at which relations begin or end. */
typedef struct {
    guint32 first, main;
} Ends;

typedef struct {
    TgArena *arena;
    GArray *nodes; /* of Node */
    GArray *edges; /* of TgCrohmeEdge, from node to node instead of path to path */
    gboolean met_ampersand;
    const char *fault;
} Maker;

static Ends make_graph(Maker *self, const Element *element);

static Node *node_at(const Maker *self, guint32 i)
{
    return &g_array_index(self->nodes, Node, i);
}

/* The label graph lacks all nodes from an & on, because the converter does not escape it and the
 * rest cannot be read. It writes symbols, then bars, then roots. */
static guint32 add_node(Maker *self, const Element *element, const char *label)
{
    const gboolean is_symbol = element->kind == TG_CROHME_SYMBOL;

    self->met_ampersand = self->met_ampersand || (is_symbol && strcmp(label, "&") == 0);
    const Node node = { .element = element,
                        .label = label,
                        .parent = NONE,
                        .missing = is_symbol && self->met_ampersand };
    g_array_append_val(self->nodes, node);
    return self->nodes->len - 1;
}

/* Of two parents of a node, Right is kept and Inside is dropped; other cases come from tables,
 * where the first by the text of the two numbers is kept. */
static gboolean is_better_parent(const Maker *self, const Node *node, guint32 from,
                                 TgCrohmeRelation relation)
{
    char old[16], new[16];

    if (node->parent == NONE || node->relation == TG_CROHME_INSIDE)
        return TRUE;
    if (node->relation == TG_CROHME_RIGHT || relation == TG_CROHME_INSIDE)
        return FALSE;
    g_snprintf(old, sizeof old, "%u]", node_at(self, node->parent)->element->number);
    g_snprintf(new, sizeof new, "%u]", node_at(self, from)->element->number);
    return relation == TG_CROHME_RIGHT || strcmp(new, old) < 0;
}

static void relate_nodes(Maker *self, guint32 from, guint32 to, TgCrohmeRelation relation)
{
    const TgCrohmeEdge edge = { from, to, (guint8) relation, TG_CROHME_EQUAL };

    if (from == NONE || to == NONE)
        return;
    g_array_append_val(self->edges, edge);
    if (is_better_parent(self, node_at(self, to), from, relation)) {
        node_at(self, to)->parent = from;
        node_at(self, to)->relation = (guint8) relation;
    }
}

static Ends make_symbol_node(Maker *self, const Element *element)
{
    const char *label = label_of(element->label);

    if (strchr(label, ',') != NULL) { /* which ends a field of a label graph */
        g_auto(GStrv) parts = g_strsplit(label, ",", -1);
        g_autofree char *joined = g_strjoinv("COMMA", parts);
        label = tg_arena_text(self->arena, joined, strlen(joined));
    }
    if (is_latin_1(label) && self->fault == NULL)
        self->fault = tg_arena_printf(
            self->arena,
            "the official chain writes the symbol %s, byte %u, as Latin-1, which its next program "
            "cannot read",
            label, element->start + 1);
    const guint32 node = add_node(self, element, label);
    return (Ends){ node, node };
}

/* @root: the sign of a root, inside of which the first two items stand, or NONE */
static Ends make_row(Maker *self, const Element *first, guint32 root)
{
    Ends row = { NONE, NONE };
    guint n = 0;

    for (const Element *item = first; item != NULL; item = item->next) {
        const Ends ends = make_graph(self, item);

        if (n++ < 2)
            relate_nodes(self, root, ends.first, TG_CROHME_INSIDE);
        relate_nodes(self, row.main, ends.first, TG_CROHME_RIGHT);
        row.main = ends.main;
        if (row.first == NONE)
            row.first = ends.first;
    }
    return row;
}

/* Make the node of a fraction's bar or a root's sign. */
static Ends make_mark(Maker *self, const Element *element)
{
    const gboolean is_fraction = element->kind == TG_CROHME_FRACTION;
    const guint32 mark = add_node(self, element, is_fraction ? "-" : "\\sqrt");
    const Element *child = element->first, *other = child != NULL ? child->next : NULL;

    if (element->kind == TG_CROHME_ROOT && child != NULL && child->kind == TG_CROHME_ROW)
        make_row(self, child->first, mark);
    else if (child != NULL)
        relate_nodes(self, mark, make_graph(self, child).first,
                     is_fraction ? TG_CROHME_ABOVE : TG_CROHME_INSIDE);
    if (other != NULL)
        relate_nodes(self, mark, make_graph(self, other).first,
                     is_fraction ? TG_CROHME_BELOW : TG_CROHME_ABOVE);
    return (Ends){ mark, mark };
}

/* Make a base with one or two scripts or limits. */
static Ends make_scripts(Maker *self, const Element *element)
{
    static const guint8 relations[][2] = {
        [TG_CROHME_SUB] = { TG_CROHME_SUBSCRIPT },
        [TG_CROHME_SUP] = { TG_CROHME_SUPERSCRIPT },
        [TG_CROHME_SUBSUP] = { TG_CROHME_SUBSCRIPT, TG_CROHME_SUPERSCRIPT },
        [TG_CROHME_UNDER] = { TG_CROHME_BELOW },
        [TG_CROHME_OVER] = { TG_CROHME_ABOVE },
        [TG_CROHME_UNDEROVER] = { TG_CROHME_BELOW, TG_CROHME_ABOVE },
    };
    const Element *child = element->first;
    Ends ends = child != NULL ? make_graph(self, child) : (Ends){ NONE, NONE };

    for (guint i = 0; child != NULL && (child = child->next) != NULL && i < 2; i++) {
        const Ends script = make_graph(self, child);

        relate_nodes(self, ends.main, script.first, (TgCrohmeRelation) relations[element->kind][i]);
        if (ends.first == NONE)
            ends.first = script.first;
    }
    return ends;
}

/* Make a table with its rows, cells and columns; no relation joins the table to them. */
static Ends make_table(Maker *self, const Element *element)
{
    const guint32 table = add_node(self, element, "*M");
    g_autoptr(GArray) above = g_array_new(FALSE, FALSE, sizeof(guint32)); /* of the row before */
    guint32 row_before = NONE, column_before = NONE, n_columns = 0;

    for (const Element *row = element->first; row != NULL; row = row->next) {
        const guint32 node = add_node(self, row, "*R");
        guint32 left = NONE, column = 0;

        relate_nodes(self, row_before, node, TG_CROHME_NEXT_ROW);
        row_before = node;
        for (const Element *cell = row->first; cell != NULL; cell = cell->next, column++) {
            const guint32 own = add_node(self, cell, "*Cell");

            relate_nodes(self, left, own, TG_CROHME_NEXT_CELL);
            left = own;
            if (column < above->len) {
                guint32 *last = &g_array_index(above, guint32, column);
                relate_nodes(self, *last, own, TG_CROHME_CELL_BELOW);
                *last = own;
            } else {
                g_array_append_val(above, own);
            }
            make_row(self, cell->first, NONE);
        }
        g_array_set_size(above, column);
        n_columns = MAX(n_columns, column);
    }
    for (guint i = 0; i < n_columns; i++) {
        const guint32 node = add_node(self, element, "*C");

        relate_nodes(self, column_before, node, TG_CROHME_NEXT_COLUMN);
        column_before = node;
    }
    return (Ends){ table, table };
}

static Ends make_graph(Maker *self, const Element *element)
{
    switch ((TgCrohmeKind) element->kind) {
    case TG_CROHME_SYMBOL:
        return make_symbol_node(self, element);
    case TG_CROHME_FRACTION:
    case TG_CROHME_ROOT:
    case TG_CROHME_INDEX_ROOT:
        return make_mark(self, element);
    case TG_CROHME_TABLE:
        return make_table(self, element);
    case TG_CROHME_ROW:
    case TG_CROHME_TABLE_ROW:
    case TG_CROHME_CELL:
    case TG_CROHME_DELETED:
        return make_row(self, element->first, NONE);
    default:
        return make_scripts(self, element);
    }
}

/* Give each node its path, and leave out what is missing. A parent comes before its children, so
 * that its path is known. */
static TgCrohmeGraph finish_graph(const Maker *self, TgCrohmePaths *paths)
{
    TgCrohmeGraph graph = { .fault = NULL };

    graph.nodes = tg_arena_alloc(self->arena, (self->nodes->len + 1) * sizeof *graph.nodes);
    graph.edges = tg_arena_alloc(self->arena, (self->edges->len + 1) * sizeof *graph.edges);
    for (guint i = 0; i < self->nodes->len; i++) {
        Node *node = node_at(self, i);

        node->path = node->parent != NONE
                         ? number_path(paths, node_at(self, node->parent)->path, node->relation)
                         : ROOT_PATH;
        if (self->met_ampersand && node->element->kind != TG_CROHME_SYMBOL)
            node->missing = TRUE;
        if (!node->missing)
            graph.nodes[graph.n_nodes++] = (TgCrohmeNode){ .label = node->label,
                                                           .path = node->path,
                                                           .start = node->element->start,
                                                           .end = node->element->end };
    }
    for (guint i = 0; i < self->edges->len; i++) {
        TgCrohmeEdge edge = g_array_index(self->edges, TgCrohmeEdge, i);
        const Node *from = node_at(self, edge.from), *to = node_at(self, edge.to);

        edge.from = from->path;
        edge.to = to->path;
        if (!from->missing && !to->missing && edge.from != edge.to)
            graph.edges[graph.n_edges++] = edge;
    }
    return graph;
}

TgCrohmeGraph tg_crohme_graph(TgArena *arena, TgCrohmePaths *paths, const char *tex)
{
    Maker self = { .arena = arena };
    const char *fault;

    if (tg_is_label_graph(tex))
        return tg_crohme_label_graph_read(arena, paths, tex);
    const Element *formula = tg_crohme_read(arena, tex, &fault);
    if (formula == NULL)
        return (TgCrohmeGraph){ .fault = fault };
    self.nodes = g_array_sized_new(FALSE, FALSE, sizeof(Node), 64);
    self.edges = g_array_sized_new(FALSE, FALSE, sizeof(TgCrohmeEdge), 64);
    make_graph(&self, formula);
    const TgCrohmeGraph graph =
        self.fault == NULL ? finish_graph(&self, paths) : (TgCrohmeGraph){ .fault = self.fault };
    g_array_unref(self.nodes);
    g_array_unref(self.edges);
    return graph;
}

/* ---- Comparison ------------------------------------------------------------------------------ */

/* The labels of a graph by path: chains of nodes, and of the relations that end at a node, merged
 * by where they begin. */
typedef struct Label {
    struct Label *next;
    const char *label;
    guint32 node; /* of the graph */
} Label;

typedef struct Link {
    struct Link *next;
    guint32 from;
    guint32 relations; /* bits */
} Link;

typedef struct {
    Label **labels;
    Link **links;
    guint n_nodes, n_edges; /* paths and pairs */
} Index;

static Link *find_link(Link *link, guint32 from)
{
    while (link != NULL && link->from != from)
        link = link->next;
    return link;
}

static Index index_graph(TgArena *arena, const TgCrohmePaths *paths, const TgCrohmeGraph *graph)
{
    Index index = {
        .labels = tg_arena_zeros(arena, paths->n * sizeof(Label *)),
        .links = tg_arena_zeros(arena, paths->n * sizeof(Link *)),
    };

    for (guint i = 0; i < graph->n_nodes; i++) {
        const TgCrohmeNode *node = &graph->nodes[i];
        Label *label = tg_arena_alloc(arena, sizeof *label);

        index.n_nodes += index.labels[node->path] == NULL;
        *label = (Label){ index.labels[node->path], node->label, i };
        index.labels[node->path] = label;
    }
    for (guint i = 0; i < graph->n_edges; i++) {
        const TgCrohmeEdge *edge = &graph->edges[i];
        Link *link = find_link(index.links[edge->to], edge->from);

        if (link == NULL) {
            link = tg_arena_alloc(arena, sizeof *link);
            *link = (Link){ .next = index.links[edge->to], .from = edge->from };
            index.links[edge->to] = link;
            index.n_edges++;
        }
        link->relations |= 1u << edge->relation;
    }
    return index;
}

static gboolean have_common_label(const Label *a, const Label *b)
{
    for (; a != NULL; a = a->next)
        for (const Label *other = b; other != NULL; other = other->next)
            if (strcmp(a->label, other->label) == 0)
                return TRUE;
    return FALSE;
}

/* Whether a path has several labels, or a pair that ends there has several relations. */
static gboolean is_shared(const Label *label, const Link *links)
{
    for (const Label *other = label; other != NULL; other = other->next)
        if (strcmp(other->label, label->label) != 0)
            return TRUE;
    for (; links != NULL; links = links->next)
        if ((links->relations & (links->relations - 1)) != 0)
            return TRUE;
    return FALSE;
}

static void compare_links(TgCrohmeCounts *counts, Link *ref, Link *hyp)
{
    for (const Link *link = ref; link != NULL; link = link->next) {
        const Link *other = find_link(hyp, link->from);

        counts->edges += other != NULL;
        counts->relations += other != NULL && other->relations == link->relations;
        counts->edge_errors += other == NULL || (other->relations & link->relations) == 0;
    }
    for (const Link *link = hyp; link != NULL; link = link->next)
        counts->edge_errors += find_link(ref, link->from) == NULL;
}

/* Give the nodes and relations of @graph their verdicts, and nodes their partners. */
static void match_graph(const TgCrohmeGraph *graph, const Index *own, const Index *theirs)
{
    for (guint i = 0; i < graph->n_nodes; i++) {
        TgCrohmeNode *node = &graph->nodes[i];
        const Label *label = theirs->labels[node->path];

        node->verdict = label == NULL                                       ? TG_CROHME_UNMATCHED
                        : have_common_label(own->labels[node->path], label) ? TG_CROHME_EQUAL
                                                                            : TG_CROHME_OTHER;
        node->partner = label != NULL ? label->node : 0;
        for (; label != NULL; label = label->next)
            if (strcmp(label->label, node->label) == 0)
                node->partner = label->node;
    }
    for (guint i = 0; i < graph->n_edges; i++) {
        TgCrohmeEdge *edge = &graph->edges[i];
        const Link *mine = find_link(own->links[edge->to], edge->from);
        const Link *link = find_link(theirs->links[edge->to], edge->from);

        edge->verdict = link == NULL                               ? TG_CROHME_UNMATCHED
                        : (link->relations & mine->relations) != 0 ? TG_CROHME_EQUAL
                                                                   : TG_CROHME_OTHER;
    }
}

TgCrohmeCounts tg_crohme_compare(TgArena *arena, const TgCrohmePaths *paths,
                                 const TgCrohmeGraph *ref, const TgCrohmeGraph *hyp)
{
    const Index of_ref = index_graph(arena, paths, ref), of_hyp = index_graph(arena, paths, hyp);
    TgCrohmeCounts counts = {
        .ref_nodes = of_ref.n_nodes,
        .hyp_nodes = of_hyp.n_nodes,
        .ref_edges = of_ref.n_edges,
        .hyp_edges = of_hyp.n_edges,
    };

    for (guint32 path = ROOT_PATH; path < paths->n; path++) {
        const Label *in_ref = of_ref.labels[path], *in_hyp = of_hyp.labels[path];
        const gboolean common = have_common_label(in_ref, in_hyp);

        counts.nodes += in_ref != NULL && in_hyp != NULL;
        counts.labels += common;
        counts.node_errors += !common && (in_ref != NULL || in_hyp != NULL);
        compare_links(&counts, of_ref.links[path], of_hyp.links[path]);
        counts.shared = counts.shared || is_shared(in_ref, of_ref.links[path]);
    }
    counts.structure = hyp->fault == NULL && counts.nodes == counts.ref_nodes &&
                       counts.nodes == counts.hyp_nodes && counts.edges == counts.ref_edges &&
                       counts.edges == counts.hyp_edges;
    match_graph(ref, &of_ref, &of_hyp);
    match_graph(hyp, &of_hyp, &of_ref);
    return counts;
}
