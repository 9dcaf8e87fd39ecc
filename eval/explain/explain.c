/* Explanations from FORTE's comparison: tokens, edits, how they are aligned, and the events. */
#include "eval/explain/explain.h"

#include <string.h>

#include "core/fail.h"
#include "core/json.h"
#include "datasets/source.h"
#include "eval/results/results.h"
#include "metrics/base/base.h"
#include "metrics/forte/forte.h"
#include "metrics/metric.h"

static gboolean is_kind(const TgExplainToken *token, const char *kinds)
{
    return strchr(kinds, token->kind) != NULL;
}

/* Find the construct that each mark ends. */
static void find_openers(TgExplainSide *side)
{
    g_autoptr(GPtrArray) open = g_ptr_array_new();

    for (guint i = 0; i < side->n_tokens; i++) {
        TgExplainToken *token = &side->tokens[i];

        if (is_kind(token, "FSM"))
            g_ptr_array_add(open, token);
        else if (is_kind(token, "E") && strcmp(token->name, "|acc|") != 0 && open->len > 0)
            token->opener = open->pdata[open->len - 1];
        if (strcmp(token->name, "|end|") == 0 || (is_kind(token, "E") && token->name[0] == ')'))
            g_ptr_array_set_size(open, (gint) (open->len - (open->len > 0)));
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

static TgExplainSide read_side(TgArena *arena, const TgVocab *names, const GArray *tokens,
                               const char *source)
{
    static const char letters[] = TG_FORTE_KIND_LETTERS;
    TgExplainSide out = { .source = source, .n_tokens = tokens->len };
    char buffer[TG_FORTE_NAME_BUFFER];

    out.tokens = tg_arena_alloc(arena, tokens->len * sizeof *out.tokens);
    for (guint i = 0; i < out.n_tokens; i++) {
        const TgForteToken *token = tg_forte_at(tokens, i);
        const char *name = tg_forte_name_text(names, token->name, buffer);

        out.tokens[i] = (TgExplainToken){
            .name = tg_arena_text(arena, name, strlen(name)),
            .font = tg_forte_font_names[token->font],
            .kind = letters[token->kind],
            .upright = token->upright,
            .start = token->start,
            .end = token->end,
        };
    }
    find_openers(&out);
    find_binaries(&out);
    return out;
}

const TgExplanation *tg_explanation_new(const TgMetric *metric, TgEnv *env, const TgPair *pair,
                                        GError **error)
{
    g_autoptr(TgResult) result = tg_result_new(metric, FALSE);
    TgArena *arena = tg_env_arena(env);

    if (tg_metric_info(metric)->explain != TG_EXPLAIN_EVENTS)
        return tg_null_usage(error, "'%s' is not forte, whose edits this explains",
                             tg_metric_info(metric)->name);
    tg_env_next_pair(env);
    if (!tg_metric_score(metric, env, pair, result, error))
        return NULL;
    const TgForteComparison *found = tg_forte_last_comparison(env);
    g_return_val_if_fail(found != NULL, NULL);
    TgExplanation *self = tg_arena_alloc(arena, sizeof *self);
    *self = (TgExplanation){
        .metric = metric,
        .found = found,
        .sides = { read_side(arena, found->names, found->ref, pair->refs[found->reference]),
                   read_side(arena, found->names, found->hyp, pair->hyp) },
    };
    return self;
}

const TgExplainToken *tg_explain_next(const TgExplanation *explanation, guint number, guint side,
                                      guint *e)
{
    const GArray *edits = explanation->found->edits;

    while (*e < edits->len) {
        const TgForteEdit *edit = tg_forte_edit(edits, (*e)++);

        if (edit->event == number && (side == TG_EXPLAIN_REF ? edit->lost : edit->added))
            return &explanation->sides[side].tokens[tg_explain_place(edit, side)];
    }
    return NULL;
}

TgExplainPrice tg_explain_price(const TgExplanation *explanation, const TgForteEvent *event)
{
    const TgForteComparison *found = explanation->found;
    TgExplainPrice out = { 0 };

    out.price = tg_forte_price(event, found->profile, out.factors, &out.n_factors);
    const TgForteSums without = tg_forte_without(&found->sums, event, out.price);
    out.without = tg_forte_score(&without);
    return out;
}

/* ---- pairs of files ---- */

void tg_explain_pair_clear(TgExplainPair *pair)
{
    g_clear_pointer(&pair->refs, g_ptr_array_unref);
    g_clear_pointer(&pair->hyp, g_free);
    g_clear_pointer(&pair->model, g_free);
    g_clear_pointer(&pair->others, g_ptr_array_unref);
    g_clear_pointer(&pair->first, g_free);
    g_clear_pointer(&pair->remark, g_free);
}

/* "row 3, id 'a', model 'b'" of what is not 0 or NULL. (transfer full) */
static char *name_of_row(guint64 row, const char *id, const char *model)
{
    const struct {
        const char *label, *name;
    } parts[] = { { "id", id }, { "model", model } };
    GString *out = g_string_new(NULL);

    if (row != 0)
        g_string_append_printf(out, "row %" G_GUINT64_FORMAT, row);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (parts[i].name != NULL)
            g_string_append_printf(out, "%s%s '%s'", out->len > 0 ? ", " : "", parts[i].label,
                                   parts[i].name);
    return g_string_free(out, FALSE);
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

    if (out->first == NULL)
        out->first = name_of_row(row, id, model);
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
    if (out->refs == NULL) {
        g_autofree char *wanted = name_of_row(row->row, row->id, row->model);

        return tg_fail_input(error, "%s: no such pair%s%s; %s%s", row->input,
                             *wanted != '\0' ? ": " : "", wanted,
                             out->first != NULL ? "the first pair is " : "the file has none",
                             out->first != NULL ? out->first : "");
    }
    if (reader != NULL)
        out->remark = tg_results_remark(reader);
    if (out->hyp == NULL)
        out->hyp = g_strdup("");
    return TRUE;
}

/* ---- JSON ---- */

static json_t *span_json(const TgExplainToken *token)
{
    return json_pack("[i,i]", (int) token->start, (int) token->end);
}

static json_t *side_json(const TgExplainSide *side, guint n_repairs)
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
                     (int) n_repairs, "tokens", tokens);
}

/* The token of an edit. */
static json_t *edited_json(const TgExplainSide *side, guint32 at)
{
    const TgExplainToken *token = &side->tokens[at];

    return json_pack("{s:i, s:o, s:o}", "token", (int) at, "name", tg_json_text(token->name),
                     "span", span_json(token));
}

static json_t *event_json(const TgExplanation *explanation, const TgForteEvent *event)
{
    const TgForteTypeRow *type = &tg_forte_tables.types[event->type];
    const TgExplainPrice price = tg_explain_price(explanation, event);
    json_t *factors = json_array();

    for (guint f = 0; f < price.n_factors; f++)
        json_array_append_new(factors,
                              json_pack("{s:s, s:o}", "reason", price.factors[f].reason, "factor",
                                        tg_json_number(price.factors[f].factor)));
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "type", type->name, "class",
                     tg_forte_tables.classes[type->class].name, "name", type->text, "price",
                     tg_json_number(price.price), "share",
                     tg_json_number(price.price / explanation->found->sums.price), "without",
                     tg_json_number(price.without), "factors", factors);
}

char *tg_explanation_json(const TgExplanation *explanation)
{
    const TgForteComparison *found = explanation->found;
    const TgExplainSide *ref = &explanation->sides[TG_EXPLAIN_REF];
    const TgExplainSide *hyp = &explanation->sides[TG_EXPLAIN_HYP];
    json_t *edits = json_array(), *events = json_array();

    for (guint i = 0; i < found->edits->len; i++) {
        const TgForteEdit *edit = tg_forte_edit(found->edits, i);

        json_array_append_new(
            edits, json_pack("{s:i, s:[i,i], s:o, s:o}", "event", (int) edit->event, "at",
                             (int) edit->ref, (int) edit->hyp, "truth",
                             edit->lost ? edited_json(ref, edit->ref) : json_null(), "prediction",
                             edit->added ? edited_json(hyp, edit->hyp) : json_null()));
    }
    for (guint e = 0; e < found->events->len; e++)
        json_array_append_new(events, event_json(explanation, tg_forte_event(found->events, e)));
    json_t *all = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "metric",
        tg_json_text(tg_metric_signature(explanation->metric)), "score",
        tg_json_number(found->score), "price", tg_json_number(found->sums.price), "size",
        tg_json_number(found->sums.size), "truth", side_json(ref, found->ref_repairs), "prediction",
        side_json(hyp, found->hyp_repairs), "edits", edits, "events", events);

    return tg_json_take(all, "");
}
