#include "eval/explain/edits.h"

#include <math.h>
#include <string.h>

#include "core/arena.h"
#include "core/json.h"
#include "eval/explain/values.h"
#include "eval/results/results.h"
#include "metrics/algorithms/algorithms.h"
#include "metrics/base/env.h"

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

/* What the best reference has least of: edits, or for `edit` edits of the longer length. */
static double distance_of(const TgMetric *metric, const TgTokens *ref, const TgTokens *hyp, guint n)
{
    const guint length = MAX(tg_sequence(ref).n, tg_sequence(hyp).n);

    return strcmp(tg_metric_info(metric)->name, "edit") == 0 ? (double) n / MAX(length, 1) : n;
}

static gboolean find_edits(const TgMetric *metric, TgEnv *env, const TgPair *pair, Edited *out,
                           GError **error)
{
    const TgTextInput *input = tg_metric_text_input(metric);
    double least = INFINITY;

    *out = (Edited){ .hyp = tokens_of(input, env, pair->hyp, error) };
    if (out->hyp == NULL)
        return FALSE;
    for (guint r = 0; r < pair->n_refs; r++) {
        const TgTokens *ref = tokens_of(input, env, pair->refs[r], error);
        TgAlignment alignment;
        double distance;

        if (ref == NULL)
            return FALSE;
        alignment = tg_align(tg_env_arena(env), tg_sequence(ref), tg_sequence(out->hyp));
        distance = distance_of(metric, ref, out->hyp, alignment.n);
        if (distance < least) {
            least = distance;
            out->ref = ref;
            out->alignment = alignment;
        }
    }
    return TRUE;
}

static char *token_text(const TgTokens *tokens, guint i)
{
    gsize length;
    const char *text = tg_tokens_text(tokens, i, &length);

    return g_utf8_make_valid(text, (gssize) length);
}

static void append_edit(GString *out, const Edited *e, guint number)
{
    const TgEdit *edit = &e->alignment.edits[number];
    g_autofree char *ref = edit->kind != TG_EDIT_INSERT ? token_text(e->ref, edit->ref) : NULL;
    g_autofree char *hyp = edit->kind != TG_EDIT_DELETE ? token_text(e->hyp, edit->hyp) : NULL;

    g_string_append_printf(out, "%4u  ", number + 1);
    if (edit->kind == TG_EDIT_SUBSTITUTE)
        g_string_append_printf(out, "replaced  %s -> %s\n", ref, hyp);
    else if (edit->kind == TG_EDIT_DELETE)
        g_string_append_printf(out, "lost      %s\n", ref);
    else
        g_string_append_printf(out, "added     %s\n", hyp);
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

static void append_text(GString *out, const Edited *e, guint width)
{
    g_autoptr(GArray) ref = side_tokens(e->ref), hyp = side_tokens(e->hyp);

    g_string_append_c(out, '\n');
    tg_side_by_side_append_tokens(out, (const TgSideToken *) (const void *) ref->data, ref->len,
                                  (const TgSideToken *) (const void *) hyp->data, hyp->len, width,
                                  0);
    if (e->alignment.n > 0)
        g_string_append_c(out, '\n');
    for (guint i = 0; i < e->alignment.n; i++)
        append_edit(out, e, i);
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

char *tg_explain_edits(const TgMetric *metric, TgEnv *env, const TgPair *pair,
                       const TgResult *result, guint width, gboolean json, GError **error)
{
    GString *out;
    Edited edited;

    if (!find_edits(metric, env, pair, &edited, error))
        return NULL;
    out = g_string_new(NULL);
    if (json) {
        json_t *all =
            json_pack("{s:s, s:o, s:o}", "metric", tg_metric_signature(metric), "scores",
                      tg_explain_values_json(metric, result), "edits", edits_json(&edited));

        tg_json_append(out, all);
        json_decref(all);
    } else {
        tg_explain_append_values(out, metric, result);
        append_text(out, &edited, width);
    }
    return g_string_free(out, FALSE);
}
