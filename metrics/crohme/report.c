/* Differences between two label graphs, for results and on the drawings. */
#include "metrics/crohme/crohme.h"

#include <string.h>

#include "core/label_graph.h"
#include "render/pictures/pair_picture.h"

static const char *const verdict_names[] = { "accepted", "other-token", "unmatched" };
G_STATIC_ASSERT(G_N_ELEMENTS(verdict_names) == TG_CROHME_UNMATCHED + 1);

#define MAX_PATH  60 /* maximum length in bytes of a path in a text for people */
#define MAX_WRONG 3  /* nodes and relations that a heading names */

/* ---- The detail ------------------------------------------------------------------------------ */

/* Nodes have the first numbers of a graph's parts, relations the next ones. */
static guint verdict_of(const TgCrohmeGraph *graph, guint i)
{
    return i < graph->n_nodes ? graph->nodes[i].verdict : graph->edges[i - graph->n_nodes].verdict;
}

/* "2 at OSup", "Sup from O to OSup". (transfer full) */
static char *name_of(const TgCrohmePaths *paths, const TgCrohmeGraph *graph, guint i)
{
    GString *name = g_string_new(NULL);

    if (i < graph->n_nodes) {
        const char *label = graph->nodes[i].label;
        g_string_append_printf(name, "%s at ", label[0] != '\0' ? label : "no symbol");
        tg_crohme_path_append(name, paths, graph->nodes[i].path, MAX_PATH);
    } else {
        const TgCrohmeEdge *edge = &graph->edges[i - graph->n_nodes];
        g_string_append_printf(name, "%s from ", tg_crohme_relations[edge->relation]);
        tg_crohme_path_append(name, paths, edge->from, MAX_PATH);
        g_string_append(name, " to ");
        tg_crohme_path_append(name, paths, edge->to, MAX_PATH);
    }
    return g_string_free(name, FALSE);
}

static GVariant *describe_side(const TgCrohmePaths *paths, const TgCrohmeGraph *graph)
{
    GVariantBuilder side, elements, element;

    g_variant_builder_init(&side, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_init(&elements, G_VARIANT_TYPE("aa{sv}"));
    for (guint i = 0; i < graph->n_nodes + graph->n_edges; i++) {
        const TgCrohmeNode *node = i < graph->n_nodes ? &graph->nodes[i] : NULL;

        g_variant_builder_init(&element, G_VARIANT_TYPE_VARDICT);
        g_variant_builder_add(&element, "{sv}", "token",
                              g_variant_new_take_string(name_of(paths, graph, i)));
        if (node != NULL && node->end > node->start)
            g_variant_builder_add(&element, "{sv}", "span",
                                  g_variant_new("(uu)", node->start, node->end));
        g_variant_builder_add(&element, "{sv}", "verdict",
                              g_variant_new_string(verdict_names[verdict_of(graph, i)]));
        if (node != NULL && node->verdict != TG_CROHME_UNMATCHED)
            g_variant_builder_add(&element, "{sv}", "partner", g_variant_new_uint32(node->partner));
        g_variant_builder_add_value(&elements, g_variant_builder_end(&element));
    }
    if (graph->fault != NULL)
        g_variant_builder_add(
            &side, "{sv}", "note",
            g_variant_new_take_string(g_strconcat("does not convert: ", graph->fault, NULL)));
    g_variant_builder_add(&side, "{sv}", "elements", g_variant_builder_end(&elements));
    return g_variant_builder_end(&side);
}

GVariant *tg_crohme_describe(const TgCrohmeComparison *comparison)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add(&builder, "{sv}", "reference", g_variant_new_uint32(comparison->n_ref));
    g_variant_builder_add(&builder, "{sv}", "gt",
                          describe_side(comparison->paths, &comparison->ref));
    g_variant_builder_add(&builder, "{sv}", "pred",
                          describe_side(comparison->paths, &comparison->hyp));
    return g_variant_builder_end(&builder);
}

/* ---- The drawing ----------------------------------------------------------------------------- */

/* Mark nodes without a partner or with another label, and the ends of relations that the other
 * graph lacks if the node itself is right. @marks: (out) a mark for each node */
static void mark_side(TgPairPicture *picture, TgPairSide side, const TgCrohmePaths *paths,
                      const TgCrohmeGraph *graph, guint *marks)
{
    g_autoptr(GHashTable) wrong = g_hash_table_new(NULL, NULL); /* ends of wrong relations */

    for (guint i = 0; i < graph->n_edges; i++)
        if (graph->edges[i].verdict != TG_CROHME_EQUAL)
            g_hash_table_add(wrong, GUINT_TO_POINTER(graph->edges[i].to));
    for (guint i = 0; i < graph->n_nodes; i++) {
        const TgCrohmeNode *node = &graph->nodes[i];
        g_autofree char *name = name_of(paths, graph, i);
        const TgTone tone = node->verdict == TG_CROHME_OTHER       ? TG_TONE_BAD
                            : node->verdict == TG_CROHME_UNMATCHED ? TG_TONE_MINOR
                            : g_hash_table_contains(wrong, GUINT_TO_POINTER(node->path))
                                ? TG_TONE_STRUCTURE
                                : TG_TONE_GOOD;

        marks[i] = node->end > node->start
                       ? tg_pair_picture_add_span(picture, side, node->start, node->end, tone, name)
                       : TG_NO_MARK;
    }
}

/* Append the first nodes and relations of a graph that are wrong, for a side without a drawing. */
static void append_wrong(GString *out, const TgCrohmePaths *paths, const TgCrohmeGraph *graph)
{
    guint n = 0;

    for (guint i = 0; i < graph->n_nodes + graph->n_edges; i++) {
        if (verdict_of(graph, i) == TG_CROHME_EQUAL || n++ >= MAX_WRONG)
            continue;
        g_autofree char *name = name_of(paths, graph, i);
        g_string_append_printf(out, "%s%s", n == 1 ? "; wrong: " : ", ", name);
    }
    if (n > MAX_WRONG)
        g_string_append_printf(out, " and %u more", n - MAX_WRONG);
}

static gboolean draw_side(TgPairPicture *picture, TgRenderer *renderer, TgPairSide side,
                          const char *source, const TgCrohmePaths *paths,
                          const TgCrohmeGraph *graph, GError **error)
{
    g_autofree char *heading =
        graph->fault != NULL
            ? g_strdup_printf("does not convert: %s", graph->fault)
            : g_strdup_printf("%u symbols, %u relations", graph->n_nodes, graph->n_edges);

    if (!tg_is_label_graph(source))
        return tg_pair_picture_draw(picture, renderer, side, source, heading, error);
    g_autoptr(GString) text = g_string_new("a label graph, not drawn: ");
    g_string_append(text, heading);
    append_wrong(text, paths, graph);
    tg_pair_picture_set_heading(picture, side, text->str);
    return TRUE;
}

gboolean tg_crohme_show(TgArena *arena, TgPairPicture *picture, TgRenderer *renderer,
                        const char *ref, const char *hyp, const TgCrohmeComparison *comparison,
                        GError **error)
{
    static const char *const tones[TG_N_TONES] = {
        [TG_TONE_BAD] = "another symbol",
        [TG_TONE_MINOR] = "a place that the other graph has not",
        [TG_TONE_STRUCTURE] = "another relation",
    };
    const TgCrohmeCounts *counts = &comparison->counts;
    const TgCrohmePaths *paths = comparison->paths;
    const TgCrohmeGraph *left = &comparison->ref, *right = &comparison->hyp;
    guint *ref_marks = tg_arena_alloc(arena, left->n_nodes * sizeof *ref_marks);
    guint *hyp_marks = tg_arena_alloc(arena, right->n_nodes * sizeof *hyp_marks);
    g_autofree char *title = g_strdup_printf("CROHME: %u wrong nodes, %u wrong relations",
                                             counts->node_errors, counts->edge_errors);

    if (!draw_side(picture, renderer, TG_SIDE_REF, ref, paths, left, error) ||
        !draw_side(picture, renderer, TG_SIDE_HYP, hyp, paths, right, error))
        return FALSE;
    tg_pair_picture_set_title(picture, title);
    mark_side(picture, TG_SIDE_REF, paths, left, ref_marks);
    mark_side(picture, TG_SIDE_HYP, paths, right, hyp_marks);
    for (guint i = 0; i < right->n_nodes; i++) {
        const TgCrohmeNode *node = &right->nodes[i];

        if (node->verdict != TG_CROHME_UNMATCHED && hyp_marks[i] != TG_NO_MARK &&
            ref_marks[node->partner] != TG_NO_MARK)
            tg_pair_picture_join(picture, ref_marks[node->partner], hyp_marks[i]);
    }
    tg_pair_picture_name_tones(picture, tones);
    return TRUE;
}
