/* Label graphs as files write them: objects (O) with the paths that name them, and relations (R).
 */
#include "metrics/crohme/crohme.h"

#include <string.h>

#include "core/fail.h"
#include "core/label_graph.h"

/* Bytes of the paths of a graph, which grow with its square. */
#define MAX_PATHS ((gsize) 64 << 20)

typedef struct {
    TgArena *arena;
    TgCrohmePaths *paths;
    TgCrohmeGraph graph;
    GHashTable *objects; /* id to path */
    guint line;
} Reader;

static void G_GNUC_PRINTF(2, 3) fail(Reader *self, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    const char *message = tg_arena_vprintf(self->arena, format, list);
    va_end(list);
    if (self->graph.fault == NULL)
        self->graph.fault =
            tg_arena_printf(self->arena, "label graph, line %u: %s", self->line, message);
}

/* O, id, label, weight, path */
static void read_object(Reader *self, char **fields, guint n)
{
    if (n < 5) {
        fail(self, "an object has an id, a label, a weight and a path");
    } else if (fields[2][0] == '\0' && fields[3][0] == '\0') {
        fail(self, "object %s has no label (a comma is written COMMA)", fields[1]);
    } else if (n > 5) {
        fail(self,
             "object %s has %u strokes: only graphs whose objects have one path each can be "
             "compared",
             fields[1], n - 4);
    } else if (fields[4][0] != 'O') {
        fail(self,
             "the path %s does not begin with O: it is a graph of strokes, and only graphs of "
             "symbols can be compared",
             fields[4]);
    } else {
        const guint32 path = tg_crohme_path_parse(self->paths, fields[4]);

        if (path == 0)
            fail(self, "the paths of the objects are too long");
        self->graph.nodes[self->graph.n_nodes++] =
            (TgCrohmeNode){ .label = tg_arena_text(self->arena, fields[2], strlen(fields[2])),
                            .path = path };
        if (!g_hash_table_insert(self->objects, g_strdup(fields[1]), GUINT_TO_POINTER(path)))
            fail(self, "a second object %s", fields[1]);
    }
}

/* R or EO, id, id, relation, weight */
static void read_relation(Reader *self, char **fields, guint n)
{
    guint relation = 0;

    if (n != 5) {
        fail(self, "a relation has two ids, a name and a weight");
        return;
    }
    while (relation < TG_N_CROHME_RELATIONS &&
           strcmp(fields[3], tg_crohme_relations[relation]) != 0)
        relation++;
    const guint32 from = GPOINTER_TO_UINT(g_hash_table_lookup(self->objects, fields[1]));
    const guint32 to = GPOINTER_TO_UINT(g_hash_table_lookup(self->objects, fields[2]));
    if (relation == TG_N_CROHME_RELATIONS) {
        g_autofree char *names = g_strjoinv(", ", (char **) tg_crohme_relations);
        fail(self, "no relation is called %s (there are %s)", fields[3], names);
    } else if (from == 0 || to == 0)
        fail(self, "there is no object %s", from == 0 ? fields[1] : fields[2]);
    else if (from != to)
        self->graph.edges[self->graph.n_edges++] = (TgCrohmeEdge){ from, to, (guint8) relation, 0 };
}

/* Read the objects or the relations of @lines: relations may stand before their objects. */
static void read_lines(Reader *self, char *const *lines, gboolean relations)
{
    for (guint i = 0; lines[i] != NULL && self->graph.fault == NULL; i++) {
        g_auto(GStrv) fields = g_strsplit(lines[i], ",", -1);
        const guint n = g_strv_length(fields);

        if (lines[i][0] == '\0' || lines[i][0] == '#')
            continue;
        self->line = i + 1;
        for (guint k = 0; k < n; k++)
            g_strstrip(fields[k]);
        const gboolean is_relation = strcmp(fields[0], "R") == 0 || strcmp(fields[0], "EO") == 0;
        if (is_relation && relations)
            read_relation(self, fields, n);
        else if (strcmp(fields[0], "O") == 0 && !relations)
            read_object(self, fields, n);
        else if (strcmp(fields[0], "N") == 0 || strcmp(fields[0], "E") == 0)
            fail(self,
                 "lines N and E are about strokes: only symbols (O) and relations (R) are read");
        else if (!is_relation && !relations)
            fail(self, "it begins neither with O nor with R");
    }
}

TgCrohmeGraph tg_crohme_label_graph_read(TgArena *arena, TgCrohmePaths *paths, const char *text)
{
    g_autoptr(GHashTable) objects = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    const guint n_lines = g_strv_length(lines);
    Reader self = { .arena = arena, .paths = paths, .objects = objects };

    for (guint i = 0; i < n_lines; i++)
        g_strstrip(lines[i]);
    self.graph.nodes = tg_arena_alloc(arena, n_lines * sizeof *self.graph.nodes);
    self.graph.edges = tg_arena_alloc(arena, n_lines * sizeof *self.graph.edges);
    read_lines(&self, lines, FALSE);
    read_lines(&self, lines, TRUE);
    if (self.graph.n_nodes == 0 && self.graph.fault == NULL)
        self.graph.fault = strcmp(text, TG_LABEL_GRAPH_MARK) == 0
                               ? "the label graph is empty or cannot be read"
                               : "the label graph has no symbols";
    if (self.graph.fault != NULL)
        return (TgCrohmeGraph){ .fault = self.graph.fault };
    return self.graph;
}

char *tg_crohme_label_graph_fault(const char *text)
{
    TgArena arena = { 0 };
    const TgCrohmeGraph graph =
        tg_crohme_label_graph_read(&arena, tg_crohme_paths_new(&arena), text);
    char *fault = g_strdup(graph.fault);

    tg_arena_clear(&arena);
    return fault;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void append_graph(GString *out, const TgCrohmePaths *paths, const TgCrohmeGraph *graph)
{
    g_autoptr(GHashTable) objects = g_hash_table_new(NULL, NULL); /* path to number */

    for (guint i = 0; i < graph->n_nodes; i++) {
        g_hash_table_insert(objects, GUINT_TO_POINTER(graph->nodes[i].path),
                            GUINT_TO_POINTER(i + 1));
        g_string_append_printf(out, "O, %u, %s, 1.0, ", i + 1, graph->nodes[i].label);
        tg_crohme_path_append(out, paths, graph->nodes[i].path, G_MAXUINT32);
        g_string_append_c(out, '\n');
    }
    for (guint i = 0; i < graph->n_edges; i++) {
        const TgCrohmeEdge *edge = &graph->edges[i];

        g_string_append_printf(
            out, "R, %u, %u, %s, 1.0\n",
            GPOINTER_TO_UINT(g_hash_table_lookup(objects, GUINT_TO_POINTER(edge->from))),
            GPOINTER_TO_UINT(g_hash_table_lookup(objects, GUINT_TO_POINTER(edge->to))),
            tg_crohme_relations[edge->relation]);
    }
}

gboolean tg_crohme_label_graph_append(GString *out, const char *tex, GError **error)
{
    TgArena arena = { 0 };
    TgCrohmePaths *paths = tg_crohme_paths_new(&arena);
    const TgCrohmeGraph graph = tg_crohme_graph(&arena, paths, tex);
    gsize length = 0;
    gboolean good = graph.fault == NULL;

    for (guint i = 0; i < graph.n_nodes; i++)
        length += tg_crohme_path_length(paths, graph.nodes[i].path);
    if (!good)
        tg_fail(error, TG_ERROR_PARSE, "does not convert to a label graph: %s", graph.fault);
    else if (length > MAX_PATHS)
        good = tg_fail(error, TG_ERROR_PARSE, "its label graph would be larger than 64 MiB");
    else
        append_graph(out, paths, &graph);
    tg_arena_clear(&arena);
    return good;
}
