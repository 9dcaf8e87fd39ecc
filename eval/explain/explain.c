/* Explanations from FORTE's detail: tokens, edits, and how they are aligned. */
#include "eval/explain/explain.h"

#include <string.h>

#include "core/json.h"
#include "datasets/source.h"
#include "eval/results/results.h"
#include "metrics/metric.h"

static const char *const side_keys[TG_N_EXPLAIN_SIDES][2] = { { "ref-tokens", "ref-repairs" },
                                                              { "hyp-tokens", "hyp-repairs" } };

static gboolean is_kind(const TgExplainToken *token, const char *kinds)
{
    return strchr(kinds, token->kind) != NULL;
}

/* Which construct each mark ends; @open has a place for every token. */
static void find_openers(TgExplainSide *side, const char **open)
{
    guint n_open = 0;

    for (guint i = 0; i < side->n_tokens; i++) {
        TgExplainToken *token = &side->tokens[i];

        if (is_kind(token, "FSM"))
            open[n_open++] = token->name;
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

static void read_tokens(GVariant *detail, const char *key, TgExplainSide *out)
{
    g_autoptr(GVariant) list = g_variant_lookup_value(detail, key, G_VARIANT_TYPE("a(sssbuu)"));

    out->n_tokens = (guint) g_variant_n_children(list);
    out->tokens = g_new0(TgExplainToken, out->n_tokens + 1);
    for (guint i = 0; i < out->n_tokens; i++) {
        TgExplainToken *token = &out->tokens[i];
        const char *kind;

        g_variant_get_child(list, i, "(&s&s&sbuu)", &token->name, &kind, &token->font,
                            &token->upright, &token->start, &token->end);
        token->kind = kind[0];
    }
    g_autofree const char **open = g_new(const char *, out->n_tokens + 1);
    find_openers(out, open);
    find_binaries(out);
}

static void read_edits(TgExplanation *self)
{
    g_autoptr(GVariant) list =
        g_variant_lookup_value(self->detail, "edits", G_VARIANT_TYPE("a(sddssuuu)"));

    g_autoptr(GVariant) slips = g_variant_lookup_value(self->detail, "slips", G_VARIANT_TYPE("as"));

    self->n_edits = (guint) g_variant_n_children(list);
    self->edits = g_new0(TgExplainEdit, self->n_edits + 1);
    self->runs = g_new0(TgExplainRun, self->n_edits + 1);
    for (guint i = 0; i < self->n_edits; i++) {
        TgExplainEdit *edit = &self->edits[i];
        const char *names[TG_N_EXPLAIN_SIDES];

        g_variant_get_child(list, i, "(&sdd&s&suuu)", &edit->class, &edit->cost, &edit->counted,
                            &names[0], &names[1], &edit->at[0], &edit->at[1], &edit->run);
        g_variant_get_child(slips, i, "&s", &edit->slip);
        self->n_runs = edit->run + 1;
        if (self->runs[edit->run].n++ == 0)
            self->runs[edit->run].first = i;
        for (guint s = 0; s < TG_N_EXPLAIN_SIDES; s++)
            edit->has[s] = names[s][0] != '\0';
    }
}

/* Tokens without an edit are equal and aligned. */
static void align(TgExplanation *self)
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

static TgExplanation *explanation_of(const TgMetric *metric, const TgPair *pair,
                                     const TgResult *result)
{
    GVariant *detail = tg_result_detail(result);
    TgExplanation *self = g_new0(TgExplanation, 1);
    guint32 reference = 0;

    self->signature = g_strdup(tg_metric_signature(metric));
    self->detail = g_variant_ref(detail);
    self->score = tg_result_get(result, 0);
    g_variant_lookup(detail, "severity", "d", &self->severity);
    g_variant_lookup(detail, "distance", "d", &self->distance);
    g_variant_lookup(detail, "size", "d", &self->size);
    g_variant_lookup(detail, "repair-cost", "d", &self->repair_cost);
    g_variant_lookup(detail, "reference", "u", &reference);
    self->sources[TG_EXPLAIN_REF] = g_strdup(pair->refs[reference]);
    self->sources[TG_EXPLAIN_HYP] = g_strdup(pair->hyp);
    for (guint s = 0; s < TG_N_EXPLAIN_SIDES; s++) {
        self->sides[s].source = self->sources[s];
        g_variant_lookup(detail, side_keys[s][1], "u", &self->sides[s].n_repairs);
        read_tokens(detail, side_keys[s][0], &self->sides[s]);
    }
    read_edits(self);
    align(self);
    return self;
}

TgExplanation *tg_explanation_new(const TgMetric *metric, TgEnv *env, const TgPair *pair,
                                  GError **error)
{
    g_autoptr(TgResult) result = tg_result_new(metric, TRUE);

    if (strcmp(tg_metric_info(metric)->name, "forte") != 0) {
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE, "'%s' is not forte, whose edits this explains",
                    tg_metric_info(metric)->name);
        return NULL;
    }
    tg_env_next_pair(env);
    if (!tg_metric_score(metric, env, pair, result, error))
        return NULL;
    return explanation_of(metric, pair, result);
}

/* ---- pairs of files ---- */

static gboolean is_meant(const TgExplanationRow *wanted, guint64 row, const char *id,
                         const char *model)
{
    return (wanted->row == 0 || wanted->row == row) &&
           (wanted->id == NULL || g_strcmp0(wanted->id, id) == 0) &&
           (wanted->model == NULL || g_strcmp0(wanted->model, model) == 0);
}

void tg_explain_pair_clear(TgExplainPair *pair)
{
    g_clear_pointer(&pair->refs, g_ptr_array_unref);
    g_clear_pointer(&pair->hyp, g_free);
}

static gboolean find_result(TgResultsReader *reader, const TgExplanationRow *wanted,
                            TgExplainPair *out, GError **error)
{
    GError *trouble = NULL;
    const TgResultsRow *row;

    while (out->refs == NULL && tg_results_next(reader, &row, &trouble)) {
        const json_t *refs = json_object_get(row->json, "gt");

        if (!is_meant(wanted, row->row, row->id, row->model) || json_array_size(refs) == 0)
            continue;
        out->refs = g_ptr_array_new_with_free_func(g_free);
        for (size_t i = 0; i < json_array_size(refs); i++)
            g_ptr_array_add(out->refs, g_strdup(json_string_value(json_array_get(refs, i))));
        out->hyp = g_strdup(json_string_value(json_object_get(row->json, "pred")));
    }
    if (trouble == NULL)
        return TRUE;
    g_propagate_error(error, trouble);
    return FALSE;
}

static gboolean find_record(const TgExplanationRow *wanted, TgExplainPair *out, GError **error)
{
    const char *const inputs[] = { wanted->input, NULL };
    const TgSourceOptions options = { .format = wanted->format, .allow_duplicates = TRUE };
    g_autoptr(TgSource) source = tg_source_open(inputs, &options, error);
    g_auto(TgRecord) record = { 0 };
    GError *trouble = NULL;

    if (source == NULL)
        return FALSE;
    while (out->refs == NULL && tg_source_next(source, &record, &trouble)) {
        if (record.fault == NULL && is_meant(wanted, record.row, record.id, record.model)) {
            out->refs = g_steal_pointer(&record.refs);
            out->hyp = g_steal_pointer(&record.hyp);
        }
    }
    if (trouble == NULL)
        return TRUE;
    g_propagate_error(error, trouble);
    return FALSE;
}

gboolean tg_explain_find_pair(const TgExplanationRow *row, TgExplainPair *out, GError **error)
{
    g_autoptr(TgResultsReader) reader =
        row->format == NULL && g_file_test(row->input, G_FILE_TEST_IS_REGULAR)
            ? tg_results_open(row->input, NULL)
            : NULL;

    if (!(reader != NULL ? find_result(reader, row, out, error) : find_record(row, out, error)))
        return FALSE;
    if (out->refs == NULL) {
        g_set_error(error, TG_ERROR, TG_ERROR_INPUT, "%s: no such pair", row->input);
        return FALSE;
    }
    if (out->hyp == NULL)
        out->hyp = g_strdup("");
    return TRUE;
}

TgExplanation *tg_explanation_find(const TgMetric *metric, TgEnv *env, const TgExplanationRow *row,
                                   GError **error)
{
    g_auto(TgExplainPair) found = { 0 };

    if (!tg_explain_find_pair(row, &found, error))
        return NULL;
    const TgPair pair = { "", (const char *const *) found.refs->pdata, found.refs->len, found.hyp };
    return tg_explanation_new(metric, env, &pair, error);
}

TgPair tg_explanation_pair(const TgExplanation *explanation)
{
    return (TgPair){ "", (const char *const *) &explanation->sources[TG_EXPLAIN_REF], 1,
                     explanation->sources[TG_EXPLAIN_HYP] };
}

void tg_explanation_free(TgExplanation *explanation)
{
    if (explanation == NULL)
        return;
    for (guint s = 0; s < TG_N_EXPLAIN_SIDES; s++) {
        g_free(explanation->sides[s].tokens);
        g_free(explanation->sources[s]);
    }
    g_free(explanation->columns);
    g_free(explanation->runs);
    g_free(explanation->edits);
    g_variant_unref(explanation->detail);
    g_free(explanation->signature);
    g_free(explanation);
}

/* ---- runs ---- */

double tg_explain_run_counted(const TgExplanation *explanation, const TgExplainRun *run)
{
    double sum = 0;

    for (guint i = 0; i < run->n; i++)
        sum += explanation->edits[run->first + i].counted;
    return sum;
}

const char *tg_explain_run_class(const TgExplanation *explanation, const TgExplainRun *run)
{
    const TgExplainEdit *edits = &explanation->edits[run->first];

    for (guint i = 1; i < run->n; i++) {
        if (strcmp(edits[i].class, edits[0].class) != 0)
            return "sub-expression";
    }
    return edits[0].class;
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

static json_t *edits_json(const TgExplanation *self)
{
    json_t *edits = json_array();

    for (guint i = 0; i < self->n_edits; i++) {
        const TgExplainEdit *edit = &self->edits[i];

        json_array_append_new(
            edits, json_pack("{s:s, s:s, s:o, s:o, s:i, s:[i,i], s:o, s:o}", "class", edit->class,
                             "slip", edit->slip, "cost", tg_json_number(edit->cost), "counts",
                             tg_json_number(edit->counted), "run", (int) edit->run + 1, "at",
                             (int) edit->at[0], (int) edit->at[1], "truth",
                             edited_json(&self->sides[0], edit, 0), "prediction",
                             edited_json(&self->sides[1], edit, 1)));
    }
    return edits;
}

char *tg_explanation_json(const TgExplanation *explanation)
{
    GString *out = g_string_new(NULL);
    json_t *all = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "metric", tg_json_text(explanation->signature),
        "score", tg_json_number(explanation->score), "severity",
        tg_json_number(explanation->severity), "distance", tg_json_number(explanation->distance),
        "size", tg_json_number(explanation->size), "truth", side_json(&explanation->sides[0]),
        "prediction", side_json(&explanation->sides[1]), "edits", edits_json(explanation));

    tg_json_append(out, all);
    json_decref(all);
    return g_string_free(out, FALSE);
}
