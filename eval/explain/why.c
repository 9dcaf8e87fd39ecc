/* Why a metric of edits or of matched elements gave a pair its score: FORTE has explain.c. */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/json.h"
#include "core/label_graph.h"
#include "core/utf8.h"
#include "eval/explain/explain.h"
#include "eval/results/results.h"
#include "metrics/algorithms/algorithms.h"
#include "metrics/base/base.h"
#include "metrics/cdm/matched.h"

/* ---- metrics that count edits of tokens ---- */

/* Both texts as the metric compares them, and what it takes to get from one to the other. */
typedef struct {
    const TgTokens *ref, *hyp;
    TgAlignment alignment;
} Edited;

static const TgTokens *tokens_of(const TgTextInput *input, TgEnv *env, const char *text,
                                 GError **error)
{
    return tg_env_tokenize(env, input->tokenizer, tg_text_input_form(input, env, text), error);
}

static gboolean find_edits(const TgMetric *metric, TgEnv *env, const TgPair *pair, guint reference,
                           Edited *out, GError **error)
{
    const TgTextInput *input = tg_metric_text_input(metric);

    out->hyp = tokens_of(input, env, pair->hyp, error);
    out->ref = out->hyp != NULL ? tokens_of(input, env, pair->refs[reference], error) : NULL;
    if (out->ref == NULL)
        return FALSE;
    out->alignment = tg_align(tg_env_arena(env), tg_sequence(out->ref), tg_sequence(out->hyp));
    return TRUE;
}

static char *token_text(const TgTokens *tokens, guint i)
{
    gsize length;
    const char *text = tg_tokens_text(tokens, i, &length);

    return g_utf8_make_valid(text, (gssize) length);
}

/* (transfer full) (element-type TgSideToken) */
static GArray *side_tokens(const TgTokens *tokens)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(TgSideToken));
    guint n;

    tg_tokens_ids(tokens, &n);
    for (guint i = 0; i < n; i++) {
        TgSideToken token;

        token.text = tg_tokens_text(tokens, i, &token.length);
        g_array_append_val(out, token);
    }
    return out;
}

static json_t *token_json(const TgTokens *tokens, guint i)
{
    g_autofree char *text = token_text(tokens, i);

    return json_pack("{s:i, s:o}", "token", (int) i, "text", tg_json_text(text));
}

static json_t *edits_json(const Edited *e)
{
    static const char *const kinds[TG_N_EDIT_KINDS] = { "substitute", "delete", "insert" };
    json_t *edits = json_array();

    for (guint i = 0; i < e->alignment.n; i++) {
        const TgEdit *edit = &e->alignment.edits[i];

        json_array_append_new(
            edits,
            json_pack("{s:s, s:o, s:o}", "kind", kinds[edit->kind], "gt",
                      edit->kind != TG_EDIT_INSERT ? token_json(e->ref, edit->ref) : json_null(),
                      "pred",
                      edit->kind != TG_EDIT_DELETE ? token_json(e->hyp, edit->hyp) : json_null()));
    }
    return edits;
}

/* ---- metrics that match elements ---- */

enum { LABEL_WIDTH = 12, MIN_WIDTH = 40 };

/* One formula and its elements. */
typedef struct {
    const char *label, *source;
    GVariant *elements; /* aa{sv} */
} Side;

/* (transfer full) */
static GVariant *elements_of(GVariant *detail, const char *key)
{
    g_autoptr(GVariant) side = g_variant_lookup_value(detail, key, G_VARIANT_TYPE_VARDICT);

    return g_variant_lookup_value(side, "elements", G_VARIANT_TYPE("aa{sv}"));
}

static gboolean is_wrong(GVariant *element)
{
    const char *verdict = TG_MATCHED_ACCEPTED;

    g_variant_lookup(element, "verdict", "&s", &verdict);
    return strcmp(verdict, TG_MATCHED_ACCEPTED) != 0 && strcmp(verdict, TG_MATCHED_NO_INK) != 0;
}

/* Mark the bytes of the source that wrong elements are from. (transfer full) */
static gboolean *mark_bytes(const Side *side)
{
    const gsize length = strlen(side->source);
    gboolean *marked = g_new0(gboolean, length + 1);

    for (gsize i = 0; i < g_variant_n_children(side->elements); i++) {
        g_autoptr(GVariant) element = g_variant_get_child_value(side->elements, i);
        guint32 start, end;

        if (!is_wrong(element) || !g_variant_lookup(element, "span", "(uu)", &start, &end))
            continue;
        for (guint32 k = start; k < MIN(end, length); k++)
            marked[k] = TRUE;
    }
    return marked;
}

/* The source in lines, its own and cut ones, marks below those that have some. The mark of a label
 * graph is no part of it. */
static void append_side(GString *out, const Side *side, guint width)
{
    g_autofree gboolean *marked = mark_bytes(side);
    const char *at = side->source, *end = at + strlen(at);
    const char *label = side->label;

    if (g_str_has_suffix(at, "\n" TG_LABEL_GRAPH_MARK))
        end -= strlen("\n" TG_LABEL_GRAPH_MARK);
    do {
        g_autoptr(GString) line = g_string_new(NULL);
        g_autoptr(GString) marks = g_string_new(NULL);
        gboolean has_marks = FALSE;

        for (guint used = 0; at < end && *at != '\n' && used < width; at = g_utf8_next_char(at)) {
            const gunichar code = g_utf8_get_char(at);
            const gunichar c = tg_is_steering(code) ? 0xFFFD : code;
            const guint columns = tg_columns_of_character(c);
            const gboolean is_marked = marked[at - side->source];

            g_string_append_unichar(line, c);
            for (guint k = 0; k < columns; k++)
                g_string_append_c(marks, is_marked ? '^' : ' ');
            has_marks |= is_marked;
            used += columns;
        }
        g_string_append_printf(out, "%-*s%s\n", LABEL_WIDTH, label, line->str);
        if (has_marks)
            g_string_append_printf(out, "%*s%s\n", LABEL_WIDTH, "", g_strchomp(marks->str));
        label = "";
        at += at < end && *at == '\n';
    } while (at < end);
}

/* Append a metric's remark on a side. */
static void append_note(GString *out, GVariant *detail, const char *key)
{
    g_autoptr(GVariant) side = g_variant_lookup_value(detail, key, G_VARIANT_TYPE_VARDICT);
    const char *note;

    if (g_variant_lookup(side, "note", "&s", &note))
        g_string_append_printf(out, "%*s(%s)\n", LABEL_WIDTH, "", note);
}

/* A line for each wrong element; those with a partner once, from the reference's side. */
static void append_elements(GString *out, const Side *side, const Side *other, gboolean is_ref,
                            guint *number)
{
    for (gsize i = 0; i < g_variant_n_children(side->elements); i++) {
        g_autoptr(GVariant) element = g_variant_get_child_value(side->elements, i);
        const char *verdict = "", *token = "";
        guint32 partner;

        if (!is_wrong(element))
            continue;
        g_variant_lookup(element, "verdict", "&s", &verdict);
        g_variant_lookup(element, "token", "&s", &token);
        if (g_variant_lookup(element, "partner", "u", &partner) &&
            partner < g_variant_n_children(other->elements)) {
            g_autoptr(GVariant) theirs = g_variant_get_child_value(other->elements, partner);
            const char *read = "";

            g_variant_lookup(theirs, "token", "&s", &read);
            if (is_ref)
                g_string_append_printf(out, "%4u  %-12s %s -> %s\n", ++*number, verdict, token,
                                       read);
        } else {
            g_string_append_printf(out, "%4u  %-12s %s (%s)\n", ++*number, verdict, token,
                                   side->label);
        }
    }
}

static void append_matches(GString *out, const TgPair *pair, GVariant *detail, guint width)
{
    guint32 reference = 0;
    guint number = 0;

    g_variant_lookup(detail, "reference", "u", &reference);
    g_autoptr(GVariant) refs = elements_of(detail, "gt");
    g_autoptr(GVariant) reads = elements_of(detail, "pred");
    const Side ref = { "reference", pair->refs[reference], refs };
    const Side prediction = { "prediction", pair->hyp, reads };
    const guint room = MAX(width, MIN_WIDTH) - LABEL_WIDTH;

    append_side(out, &ref, room);
    append_note(out, detail, "gt");
    append_side(out, &prediction, room);
    append_note(out, detail, "pred");
    g_string_append_c(out, '\n');
    append_elements(out, &ref, &prediction, TRUE, &number);
    append_elements(out, &prediction, &ref, FALSE, &number);
    if (number == 0)
        g_string_append(out, "every element is matched\n");
}

/* ---- both ---- */

char *tg_explain_why(const TgMetric *metric, TgEnv *env, const TgPair *pair,
                     const TgExplanationStyle *style, gboolean json, GError **error)
{
    g_autoptr(TgResult) result = tg_result_new(metric, TRUE);
    const TgMetricInfo *info = tg_metric_info(metric);
    const gboolean by_edits = info->explain == TG_EXPLAIN_EDITS;
    Edited edited = { 0 };
    GVariant *detail;
    GString *out;

    if (info->explain == TG_EXPLAIN_EVENTS) {
        const TgExplanation *explanation = tg_explanation_new(metric, env, pair, error);

        if (explanation == NULL)
            return NULL;
        return json ? tg_explanation_json(explanation) : tg_explanation_text(explanation, style);
    }
    if (info->explain == TG_EXPLAIN_NONE) {
        guint n;
        g_autofree const TgMetricInfo **all = tg_registry_list(&n);
        g_autoptr(GString) names = g_string_new(NULL);

        for (guint i = 0; i < n; i++)
            if (all[i]->explain != TG_EXPLAIN_NONE)
                g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", all[i]->name);
        return tg_null_usage(error, "'%s' cannot explain a score; these can: %s", info->name,
                             names->str);
    }
    if (!tg_metric_score(metric, env, pair, result, error) ||
        (by_edits && !find_edits(metric, env, pair, result->reference, &edited, error)))
        return NULL;
    detail = result->detail;
    if (!by_edits && (detail == NULL || !g_variant_is_of_type(detail, G_VARIANT_TYPE_VARDICT) ||
                      !g_variant_lookup(detail, "gt", "@a{sv}", NULL)))
        return tg_null_input(error, "the metric '%s' left no elements in its detail", info->name);
    if (json) {
        json_t *all = json_pack("{s:s, s:{}, s:o}", "metric", tg_metric_signature(metric), "scores",
                                by_edits ? "edits" : "detail",
                                by_edits ? edits_json(&edited) : tg_json_variant(detail));

        for (guint i = 0; i < tg_metric_n_columns(metric); i++)
            json_object_set_new(json_object_get(all, "scores"), info->columns[i].name,
                                tg_json_number(tg_result_get(result, i)));
        return tg_json_take(all, "");
    }
    out = g_string_new(NULL);
    for (guint i = 0; i < tg_metric_n_columns(metric); i++) {
        char text[32];

        g_string_append_printf(
            out, "%s%s %s", i > 0 ? "  " : "", info->columns[i].name,
            g_ascii_formatd(text, sizeof text, "%.4g", tg_result_get(result, i)));
    }
    g_string_append(out, "\n\n");
    if (by_edits) {
        g_autoptr(GArray) ref = side_tokens(edited.ref), hyp = side_tokens(edited.hyp);

        tg_side_by_side_append_tokens(out, ref, hyp, style->width, 0);
        if (edited.alignment.n > 0)
            g_string_append_c(out, '\n');
        for (guint i = 0; i < edited.alignment.n; i++) {
            const TgEdit *edit = &edited.alignment.edits[i];
            g_autofree char *from =
                edit->kind != TG_EDIT_INSERT ? token_text(edited.ref, edit->ref) : NULL;
            g_autofree char *to =
                edit->kind != TG_EDIT_DELETE ? token_text(edited.hyp, edit->hyp) : NULL;

            g_string_append_printf(out, "%4u  ", i + 1);
            if (edit->kind == TG_EDIT_SUBSTITUTE)
                g_string_append_printf(out, "replaced  %s -> %s\n", from, to);
            else
                g_string_append_printf(out, "%s%s\n", from != NULL ? "lost      " : "added     ",
                                       from != NULL ? from : to);
        }
    } else
        append_matches(out, pair, detail, style->width);
    char *visible = tg_visible(out->str, "\n\t");
    g_string_free(out, TRUE);
    return visible;
}
