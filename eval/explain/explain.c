/* Explanations from FORTE's comparison: tokens, edits, how they are aligned, and the events. */
#include "eval/explain/explain.h"

#include <string.h>

#include "core/fail.h"
#include "core/json.h"
#include "datasets/source.h"
#include "eval/results/results.h"
#include "metrics/forte/forte.h"
#include "metrics/metric.h"

enum { TEXTS = 1024 /* bytes of names that are kept together */ };

static gboolean is_kind(const TgExplainToken *token, const char *kinds)
{
    return strchr(kinds, token->kind) != NULL;
}

/* Find the construct that each mark ends; @open has a place for every token. */
static void find_openers(TgExplainSide *side, const TgExplainToken **open)
{
    guint n_open = 0;

    for (guint i = 0; i < side->n_tokens; i++) {
        TgExplainToken *token = &side->tokens[i];

        if (is_kind(token, "FSM"))
            open[n_open++] = token;
        else if (is_kind(token, "E") && strcmp(token->name, "|acc|") != 0 && n_open > 0)
            token->opener = open[n_open - 1];
        if (strcmp(token->name, "|end|") == 0 || (is_kind(token, "E") && token->name[0] == ')'))
            n_open -= n_open > 0;
    }
}

/* An operator at the beginning, or after one that needs an operand, is a sign: the - of "(-1". */
static void find_binaries(TgExplainSide *side)
{
    for (guint i = 0; i < side->n_tokens; i++) {
        TgExplainToken *token = &side->tokens[i];
        const TgExplainToken *before = i > 0 ? token - 1 : NULL;

        token->is_binary = is_kind(token, "OR") && strchr("!%|", token->name[0]) == NULL &&
                           before != NULL && !is_kind(before, "FSMVCBP") && !before->is_binary &&
                           strcmp(before->name, "|den|") != 0 && strcmp(before->name, "(") != 0 &&
                           strcmp(before->name, "[") != 0 && strcmp(before->name, "{") != 0;
    }
}

static void read_tokens(TgExplanation *self, const TgVocab *names, const GArray *tokens,
                        TgExplainSide *out)
{
    static const char letters[] = TG_FORTE_KIND_LETTERS;
    g_autofree const TgExplainToken **open = g_new(const TgExplainToken *, tokens->len + 1);
    char buffer[TG_FORTE_NAME_BUFFER];

    out->n_tokens = tokens->len;
    out->tokens = g_new0(TgExplainToken, out->n_tokens + 1);
    for (guint i = 0; i < out->n_tokens; i++) {
        const TgForteToken *token = &g_array_index(tokens, TgForteToken, i);
        const char *name = tg_forte_name_text(names, token->name, buffer);

        out->tokens[i] = (TgExplainToken){
            .name = g_string_chunk_insert(self->texts, name),
            .font = tg_forte_font_names[token->font],
            .kind = letters[token->kind],
            .upright = token->upright,
            .start = token->start,
            .end = token->end,
        };
    }
    find_openers(out, open);
    find_binaries(out);
}

/* Tokens without an edit are equal and aligned. */
static void align_tokens(TgExplanation *self)
{
    const TgExplainSide *ref = &self->sides[0], *hyp = &self->sides[1];
    guint32 i = 0, j = 0, e = 0;

    self->columns = g_new0(TgExplainColumn, (gsize) ref->n_tokens + hyp->n_tokens + 1);
    while (i < ref->n_tokens || j < hyp->n_tokens) {
        const TgExplainEdit *edit =
            e < self->n_edits && self->edits[e].at[0] == i && self->edits[e].at[1] == j
                ? &self->edits[e++]
                : NULL;
        const gboolean has_ref = edit == NULL || edit->has[0];
        const gboolean has_hyp = edit == NULL || edit->has[1];

        self->columns[self->n_columns++] =
            (TgExplainColumn){ .tokens = { has_ref ? &ref->tokens[i] : NULL,
                                           has_hyp ? &hyp->tokens[j] : NULL },
                               .edit = edit };
        i += has_ref != FALSE;
        j += has_hyp != FALSE;
    }
}

static TgExplanation *explanation_of(const TgMetric *metric, const TgPair *pair, double score,
                                     const TgForteComparison *comparison)
{
    TgExplanation *self = g_new0(TgExplanation, 1);
    TgExplainSide *ref = &self->sides[TG_EXPLAIN_REF], *hyp = &self->sides[TG_EXPLAIN_HYP];

    self->signature = g_strdup(tg_metric_signature(metric));
    self->texts = g_string_chunk_new(TEXTS);
    self->score = score;
    self->price = comparison->sums.price;
    self->size = comparison->sums.size;
    ref->source = g_strdup(pair->refs[comparison->reference]);
    hyp->source = g_strdup(pair->hyp);
    ref->n_repairs = comparison->ref_repairs;
    hyp->n_repairs = comparison->hyp_repairs;
    read_tokens(self, comparison->names, comparison->ref, ref);
    read_tokens(self, comparison->names, comparison->hyp, hyp);
    self->n_edits = comparison->edits->len;
    self->edits = g_new0(TgExplainEdit, self->n_edits + 1);
    for (guint i = 0; i < self->n_edits; i++) {
        const TgForteEdit *edit = tg_forte_edit(comparison->edits, i);

        self->edits[i] = (TgExplainEdit){
            .at = { edit->ref, edit->hyp },
            .has = { edit->lost, edit->added },
            .event = edit->event,
        };
    }
    self->n_events = comparison->events->len;
    self->events = g_new0(TgExplainEvent, self->n_events + 1);
    for (guint e = 0; e < self->n_events; e++) {
        const TgForteEvent *event = tg_forte_event(comparison->events, e);
        const TgForteTypeRow *type = &tg_forte_tables.types[event->type];
        TgExplainEvent *out = &self->events[e];

        *out = (TgExplainEvent){ .type = type->name,
                                 .class = tg_forte_tables.classes[type->class].name,
                                 .name = type->text,
                                 .first = event->first,
                                 .n_edits = event->n_edits,
                                 .parts = { event->parts[0], event->parts[1] } };
        out->price = tg_forte_price(event, comparison->profile, out->factors, &out->n_factors);
        const TgForteSums without = tg_forte_without(&comparison->sums, event, out->price);
        out->without = tg_forte_score(&without);
    }
    align_tokens(self);
    return self;
}

TgExplanation *tg_explanation_new(const TgMetric *metric, TgEnv *env, const TgPair *pair,
                                  GError **error)
{
    g_autoptr(TgResult) result = tg_result_new(metric, FALSE);
    const TgForteComparison *comparison;

    if (tg_metric_info(metric)->explain != TG_EXPLAIN_EVENTS)
        return tg_null_usage(error, "'%s' is not forte, whose edits this explains",
                             tg_metric_info(metric)->name);
    tg_env_next_pair(env);
    if (!tg_metric_score(metric, env, pair, result, error))
        return NULL;
    comparison = tg_forte_last_comparison(env);
    g_return_val_if_fail(comparison != NULL, NULL);
    return explanation_of(metric, pair, tg_result_get(result, 0), comparison);
}

/* ---- pairs of files ---- */

void tg_explain_pair_clear(TgExplainPair *pair)
{
    g_clear_pointer(&pair->refs, g_ptr_array_unref);
    g_clear_pointer(&pair->hyp, g_free);
    g_clear_pointer(&pair->model, g_free);
    g_clear_pointer(&pair->others, g_ptr_array_unref);
    g_clear_pointer(&pair->remark, g_free);
}

/* Whether rows after the one that was found may be what the user wanted. */
static gboolean is_open(const TgExplanationRow *wanted, const TgExplainPair *pair)
{
    return pair->refs == NULL ||
           (wanted->row == 0 && wanted->id != NULL && wanted->model == NULL && pair->model != NULL);
}

/* Whether a row is the first that the user wants, whose model is kept. Of those after it the other
 * models are. */
static gboolean take_row(const TgExplanationRow *wanted, guint64 row, const char *id,
                         const char *model, TgExplainPair *out)
{
    const gboolean is_first = out->refs == NULL;

    if ((wanted->row != 0 && wanted->row != row) ||
        (wanted->id != NULL && g_strcmp0(wanted->id, id) != 0) ||
        (wanted->model != NULL && g_strcmp0(wanted->model, model) != 0))
        return FALSE;
    if (is_first)
        out->model = g_strdup(model);
    else if (model != NULL && strcmp(model, out->model) != 0 &&
             !g_ptr_array_find_with_equal_func(out->others, model, g_str_equal, NULL))
        g_ptr_array_add(out->others, g_strdup(model));
    return is_first;
}

static gboolean find_result(TgResultsReader *reader, const TgExplanationRow *wanted,
                            TgExplainPair *out, GError **error)
{
    const TgResultsRow *row;
    TgNext next = TG_NEXT_END;

    while (is_open(wanted, out) && (next = tg_results_next(reader, &row, error)) == TG_NEXT_ROW) {
        const json_t *refs = json_object_get(row->json, "gt");

        if (json_array_size(refs) == 0 || !take_row(wanted, row->row, row->id, row->model, out))
            continue;
        out->refs = g_ptr_array_new_with_free_func(g_free);
        for (size_t i = 0; i < json_array_size(refs); i++)
            g_ptr_array_add(out->refs, g_strdup(json_string_value(json_array_get(refs, i))));
        out->hyp = g_strdup(json_string_value(json_object_get(row->json, "pred")));
    }
    return next != TG_NEXT_ERROR;
}

static gboolean find_record(const TgExplanationRow *wanted, TgExplainPair *out, GError **error)
{
    const char *const inputs[] = { wanted->input, NULL };
    const TgSourceOptions options = { .format = wanted->format,
                                      .maps = wanted->maps,
                                      .allow_duplicates = TRUE };
    g_autoptr(TgSource) source = tg_source_open(inputs, &options, error);
    g_auto(TgRecord) record = { 0 };
    TgNext next = TG_NEXT_END;

    if (source == NULL)
        return FALSE;
    while (is_open(wanted, out) && (next = tg_source_next(source, &record, error)) == TG_NEXT_ROW) {
        if (record.fault != NULL || !take_row(wanted, record.row, record.id, record.model, out))
            continue;
        out->refs = g_steal_pointer(&record.refs);
        out->hyp = g_steal_pointer(&record.hyp);
    }
    return next != TG_NEXT_ERROR;
}

gboolean tg_explain_find_pair(const TgExplanationRow *row, TgExplainPair *out, GError **error)
{
    const gboolean is_results = row->format == NULL &&
                                g_file_test(row->input, G_FILE_TEST_IS_REGULAR) &&
                                tg_results_recognize(row->input);
    g_autoptr(TgResultsReader) reader = is_results ? tg_results_open(row->input, error) : NULL;

    if (is_results && reader == NULL)
        return FALSE;
    out->others = g_ptr_array_new_with_free_func(g_free);
    if (!(reader != NULL ? find_result(reader, row, out, error) : find_record(row, out, error)))
        return FALSE;
    if (out->refs == NULL)
        return tg_fail_input(error, "%s: no such pair", row->input);
    if (reader != NULL)
        out->remark = tg_results_remark(reader);
    if (out->hyp == NULL)
        out->hyp = g_strdup("");
    return TRUE;
}

void tg_explanation_free(TgExplanation *explanation)
{
    if (explanation == NULL)
        return;
    for (guint s = 0; s < TG_N_EXPLAIN_SIDES; s++) {
        g_free(explanation->sides[s].tokens);
        g_free(explanation->sides[s].source);
    }
    g_free(explanation->columns);
    g_free(explanation->events);
    g_free(explanation->edits);
    g_string_chunk_free(explanation->texts);
    g_free(explanation->signature);
    g_free(explanation);
}

/* ---- JSON ---- */

static json_t *span_json(const TgExplainToken *token)
{
    return json_pack("[i,i]", (int) token->start, (int) token->end);
}

static json_t *side_json(const TgExplainSide *side)
{
    json_t *tokens = json_array();

    for (guint i = 0; i < side->n_tokens; i++) {
        const TgExplainToken *token = &side->tokens[i];

        json_array_append_new(tokens, json_pack("{s:o, s:s#, s:s, s:b, s:o}", "name",
                                                tg_json_text(token->name), "kind", &token->kind, 1,
                                                "font", token->font, "upright", token->upright,
                                                "span", span_json(token)));
    }
    return json_pack("{s:o, s:i, s:o}", "source", tg_json_text(side->source), "repairs",
                     (int) side->n_repairs, "tokens", tokens);
}

/* The token of an edit, or null. */
static json_t *edited_json(const TgExplainSide *side, const TgExplainEdit *edit, guint s)
{
    if (!edit->has[s])
        return json_null();

    const TgExplainToken *token = &side->tokens[edit->at[s]];
    return json_pack("{s:i, s:o, s:o}", "token", (int) edit->at[s], "name",
                     tg_json_text(token->name), "span", span_json(token));
}

static json_t *event_json(const TgExplainEvent *event, double total)
{
    json_t *factors = json_array();

    for (guint f = 0; f < event->n_factors; f++)
        json_array_append_new(factors,
                              json_pack("{s:s, s:o}", "reason", event->factors[f].reason, "factor",
                                        tg_json_number(event->factors[f].factor)));
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "type", event->type, "class",
                     event->class, "name", event->name, "price", tg_json_number(event->price),
                     "share", tg_json_number(event->price / total), "without",
                     tg_json_number(event->without), "factors", factors);
}

char *tg_explanation_json(const TgExplanation *explanation)
{
    json_t *edits = json_array(), *events = json_array();

    for (guint i = 0; i < explanation->n_edits; i++) {
        const TgExplainEdit *edit = &explanation->edits[i];

        json_array_append_new(edits,
                              json_pack("{s:i, s:[i,i], s:o, s:o}", "event", (int) edit->event,
                                        "at", (int) edit->at[0], (int) edit->at[1], "truth",
                                        edited_json(&explanation->sides[0], edit, 0), "prediction",
                                        edited_json(&explanation->sides[1], edit, 1)));
    }
    for (guint e = 0; e < explanation->n_events; e++)
        json_array_append_new(events, event_json(&explanation->events[e], explanation->price));
    json_t *all = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "metric", tg_json_text(explanation->signature),
        "score", tg_json_number(explanation->score), "price", tg_json_number(explanation->price),
        "size", tg_json_number(explanation->size), "truth", side_json(&explanation->sides[0]),
        "prediction", side_json(&explanation->sides[1]), "edits", edits, "events", events);

    return tg_json_take(all, "");
}
