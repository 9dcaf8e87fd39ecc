#include "eval/report/private.h"

#include <math.h>
#include <string.h>

#include "core/hash.h"
#include "core/label_graph.h"
#include "eval/explain/explain.h"
#include "tokenizer/macros/lexer.h"
#include "tokenizer/symbols/symbols.h"

const guint tg_report_lengths[TG_REPORT_N_LENGTHS + 1] = { 0, 6, 11, 21, 41, 81, G_MAXUINT };

enum {
    CONSTRUCT_SUPERSCRIPT,
    CONSTRUCT_SUBSCRIPT,
    CONSTRUCT_FRACTION,
    CONSTRUCT_ROOT,
    CONSTRUCT_BIG,
    CONSTRUCT_FUNCTION,
    CONSTRUCT_ACCENT,
    CONSTRUCT_GRID,
};

const char *const tg_report_constructs[TG_REPORT_N_CONSTRUCTS] = {
    [CONSTRUCT_SUPERSCRIPT] = "superscript",
    [CONSTRUCT_SUBSCRIPT] = "subscript",
    [CONSTRUCT_FRACTION] = "fraction",
    [CONSTRUCT_ROOT] = "root",
    [CONSTRUCT_BIG] = "sum, integral, product",
    [CONSTRUCT_FUNCTION] = "named function",
    [CONSTRUCT_ACCENT] = "accent",
    [CONSTRUCT_GRID] = "matrix, cases",
};

void tg_report_errors_free(TgReportErrors *errors)
{
    if (errors == NULL)
        return;
    g_array_unref(errors->list);
    g_hash_table_unref(errors->numbers);
    g_ptr_array_unref(errors->words);
    g_ptr_array_unref(errors->classes);
    g_free(errors->of);
    g_free(errors);
}

static guint word_number(TgReportErrors *errors, const char *word)
{
    const guint number = tg_hash_number(errors->numbers, g_strdup(word));

    if (number == errors->words->len)
        g_ptr_array_add(errors->words, g_strdup(word));
    return number;
}

/* @class: static */
static guint class_number(TgReportErrors *errors, const char *class)
{
    guint number;

    if (g_ptr_array_find_with_equal_func(errors->classes, class, g_str_equal, &number))
        return number;
    g_ptr_array_add(errors->classes, (gpointer) class);
    return errors->classes->len - 1;
}

/* ---- the reference ---- */

/* The construct that a command begins, or TG_REPORT_N_CONSTRUCTS. */
static guint construct_of_command(const char *name, gsize len)
{
    static const struct {
        const char *name;
        guint construct;
    } commands[] = {
        { "frac", CONSTRUCT_FRACTION },     { "dfrac", CONSTRUCT_FRACTION },
        { "tfrac", CONSTRUCT_FRACTION },    { "cfrac", CONSTRUCT_FRACTION },
        { "over", CONSTRUCT_FRACTION },     { "binom", CONSTRUCT_FRACTION },
        { "sqrt", CONSTRUCT_ROOT },         { "begin", CONSTRUCT_GRID },
        { "matrix", CONSTRUCT_GRID },       { "pmatrix", CONSTRUCT_GRID },
        { "substack", CONSTRUCT_GRID },     { "cases", CONSTRUCT_GRID },
        { "prime", CONSTRUCT_SUPERSCRIPT },
    };
    const TgSymbol *symbol;

    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        if (strlen(commands[i].name) == len && memcmp(commands[i].name, name, len) == 0)
            return commands[i].construct;
    }
    symbol = tg_symbol_find(name, len);
    if (symbol == NULL)
        return TG_REPORT_N_CONSTRUCTS;
    if (symbol->kind == TG_SYMBOL_ACCENT)
        return CONSTRUCT_ACCENT;
    if (symbol->kind == TG_SYMBOL_OPERATOR)
        return CONSTRUCT_FUNCTION;
    return symbol->math_class == TG_CLASS_OP ? CONSTRUCT_BIG : TG_REPORT_N_CONSTRUCTS;
}

static void measure_ref(TgReportFindings *findings, const char *tex)
{
    TgLexer lexer = { tex, strlen(tex), 0 };
    TgLexeme lexeme;

    do {
        guint construct = TG_REPORT_N_CONSTRUCTS;

        lexeme = tg_lexer_next(&lexer);
        findings->length += lexeme.kind != TG_LEX_SPACE && lexeme.kind != TG_LEX_END;
        if (lexeme.kind == TG_LEX_CONTROL_WORD)
            construct = construct_of_command(tex + lexeme.start + 1, lexeme.len - 1);
        else if (lexeme.kind == TG_LEX_CHARACTER && (lexeme.code == '^' || lexeme.code == '\''))
            construct = CONSTRUCT_SUPERSCRIPT;
        else if (lexeme.kind == TG_LEX_CHARACTER && lexeme.code == '_')
            construct = CONSTRUCT_SUBSCRIPT;
        if (construct < TG_REPORT_N_CONSTRUCTS)
            findings->constructs |= 1u << construct;
    } while (lexeme.kind != TG_LEX_END);
}

/* ---- FORTE's events ---- */

/* Bytes of a mark's own command: `^`, `\frac`; its span is that of the whole construct. */
static guint mark_end(const TgExplainSide *side, const TgExplainToken *token)
{
    TgLexer lexer = { side->source + token->start, token->end - token->start, 0 };

    return token->start + (guint) tg_lexer_next(&lexer).len;
}

/* Find the part of a source that an event covers: its symbols, or without any its marks. */
static void cover_side(const TgExplanation *explanation, guint number, guint s, TgReportError *out)
{
    const TgExplainSide *side = &explanation->sides[s];
    const TgForteComparison *found = explanation->found;
    const TgExplainToken *token;
    gboolean any = FALSE;

    for (gboolean marks = FALSE; marks <= TRUE && !any; marks++) {
        for (guint e = 0; (token = tg_explain_next(explanation, number, s, &e)) != NULL;) {
            if (tg_explain_is_mark(token) != marks)
                continue;
            out->start[s] = any ? MIN(out->start[s], token->start) : token->start;
            out->end[s] = MAX(out->end[s], marks ? mark_end(side, token) : token->end);
            any = TRUE;
        }
    }
    if (!any) { /* nothing of this side: the place after the last symbol before the event */
        const TgForteEvent *event = tg_forte_event(found->events, number - 1);
        guint i = side->n_tokens;

        if (event->n_edits > 0)
            i = MIN(i, tg_explain_place(tg_forte_edit(found->edits, event->first), s));
        while (i > 0 && tg_explain_is_mark(&side->tokens[i - 1]))
            i--;
        out->start[s] = out->end[s] = i > 0 ? side->tokens[i - 1].end : 0;
    }
}

/* Add the errors of a row: FORTE's events, each with the part of both sources that it covers; or
 * one for the whole reference where there is no prediction. What FORTE cannot read has none. */
static void compare_row(TgReportErrors *errors, const TgMetric *forte, TgEnv *env,
                        const TgTableRow *row, TgReportFindings *findings)
{
    const TgPair pair = { "", row->refs, g_strv_length((char **) row->refs),
                          row->hyp != NULL ? row->hyp : "" };
    const TgExplanation *explanation = tg_explanation_new(forte, env, &pair, NULL);

    findings->price = NAN;
    if (explanation == NULL)
        return; /* too long, or nothing that can be read */
    const TgForteComparison *found = explanation->found;
    findings->price = found->sums.price;
    for (guint r = 0; r < pair.n_refs; r++) {
        if (strcmp(row->refs[r], explanation->sides[0].source) == 0)
            findings->reference = r;
    }
    const char *match = json_string_value(json_object_get(row->stored, "match"));
    const gboolean is_missed = g_strcmp0(match, "missed") == 0; /* of a page */
    if (row->hyp == NULL || is_missed) {
        const TgReportError missing = {
            .class = class_number(errors, is_missed ? "missed" : "no prediction"),
            .text = word_number(errors, is_missed ? "missed formula" : "no prediction"),
            .names = { TG_REPORT_NONE, TG_REPORT_NONE },
            .counted = findings->price,
            .end = { (guint) strlen(explanation->sides[0].source), 0 },
        };

        g_array_append_val(errors->list, missing);
        return;
    }
    for (guint number = 1; number <= found->events->len; number++) {
        const TgForteEvent *event = tg_forte_event(found->events, number - 1);
        const TgForteTypeRow *type = &tg_forte_tables.types[event->type];
        const TgForteEdit *edit = tg_forte_edit(found->edits, event->first);
        g_autofree char *what = tg_explain_event_text(explanation, number);
        TgReportError out = {
            .class = class_number(errors, tg_forte_tables.classes[type->class].name),
            .text = word_number(errors, *what != '\0' ? what : type->text),
            .names = { TG_REPORT_NONE, TG_REPORT_NONE },
            .counted = tg_explain_price(explanation, event).price,
        };

        for (guint s = 0; s < TG_N_EXPLAIN_SIDES; s++) {
            guint e = 0;
            const TgExplainToken *token = tg_explain_next(explanation, number, s, &e);

            cover_side(explanation, number, s, &out);
            if (event->n_edits == 1 && edit->lost && edit->added && !tg_explain_is_mark(token)) {
                g_autoptr(GString) name = g_string_new(NULL);

                tg_explain_spell(name, token);
                out.names[s] = word_number(errors, name->str);
            }
        }
        g_array_append_val(errors->list, out);
    }
}

static gboolean has_graph(const TgTableRow *row)
{
    for (guint r = 0; row->refs[r] != NULL; r++)
        if (tg_is_label_graph(row->refs[r]))
            return TRUE;
    return row->hyp != NULL && tg_is_label_graph(row->hyp);
}

/* The first FORTE that the pairs were scored with, else one with its defaults. */
static const TgMetric *find_forte(const TgTable *table, TgMetric **own, GError **error)
{
    const TgScoreLayout *layout = table->layout;

    for (guint m = 0; m < layout->metrics->len; m++) {
        const TgMetric *metric = layout->metrics->pdata[m];

        if (tg_metric_info(metric)->explain == TG_EXPLAIN_EVENTS)
            return metric;
    }
    *own = tg_metric_new("forte", error);
    return *own;
}

TgReportErrors *tg_report_errors_new(const TgTable *table, const TgListener *listener,
                                     GError **error)
{
    g_autoptr(TgMetric) own = NULL;
    const TgMetric *forte = find_forte(table, &own, error);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgReportErrors) errors = g_new0(TgReportErrors, 1);

    errors->list = g_array_new(FALSE, TRUE, sizeof(TgReportError));
    errors->of = g_new0(TgReportFindings, table->n_rows);
    errors->words = g_ptr_array_new_with_free_func(g_free);
    errors->numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    errors->classes = g_ptr_array_new();
    if (forte == NULL)
        return NULL;
    for (guint i = 0; i < table->n_rows; i++) {
        const TgTableRow *row = &table->rows[i];
        TgReportFindings *findings = &errors->of[i];

        tg_listener_tell(listener, "errors", i, table->n_rows);
        findings->first = errors->list->len;
        if (row->refs[0] == NULL) {
            findings->price = NAN;
            continue;
        }
        if (has_graph(row)) { /* FORTE would compare the lines of the graphs */
            findings->is_graph = TRUE;
            findings->price = NAN;
            errors->n_graphs++;
            continue;
        }
        measure_ref(findings, row->refs[0]);
        if (g_strcmp0(row->refs[0], row->hyp) != 0)
            compare_row(errors, forte, env, row, findings);
        findings->n = errors->list->len - findings->first;
    }
    return g_steal_pointer(&errors);
}
