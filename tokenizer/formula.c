/* The public handle of a parsed formula. */
#include <texgauge/formula.h>

#include "core/arena.h"
#include "core/fail.h"
#include "core/json.h"
#include "tokenizer/canonical/canonical.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/macros/expander.h"
#include "tokenizer/tree/tree_json.h"

struct TgFormula {
    gatomicrefcount refs;
    TgTree *tree;
    TgArena arena; /* owns the following */
    const TgFormulaFault *faults;
    TgFormulaToken *tokens;
    guint n_faults, n_tokens;
};

G_STATIC_ASSERT((guint) TG_TOKEN_FENCE == (guint) TG_INK_FENCE);
G_STATIC_ASSERT((guint) TG_TOKEN_RULE == (guint) TG_INK_RULE);
G_STATIC_ASSERT((guint) TG_TOKEN_ERROR == (guint) TG_INK_ERROR);

TgFormula *tg_formula_parse(const char *tex, gsize len, TgFormulaFlags flags, GError **error)
{
    g_return_val_if_fail(tex != NULL, NULL);

    const TgParseOptions options = { .strict = (flags & TG_FORMULA_STRICT) != 0 };
    TgTree *tree = tg_tree_parse(tex, len, &options, error);

    if (tree == NULL)
        return NULL;
    TgFormula *formula = g_new0(TgFormula, 1);
    g_atomic_ref_count_init(&formula->refs);
    formula->tree = tree;
    formula->faults = tg_tree_faults(tree, &formula->arena, &formula->n_faults);
    const TgInkToken *tokens = tree->tokens;

    formula->n_tokens = tree->n_tokens;
    formula->tokens =
        tg_arena_alloc(&formula->arena, ((gsize) formula->n_tokens + 1) * sizeof *formula->tokens);
    for (guint i = 0; i < formula->n_tokens; i++)
        formula->tokens[i] =
            (TgFormulaToken){ tokens[i].start, tokens[i].end, (guint32) tokens[i].flags };
    return formula;
}

TgFormula *tg_formula_ref(TgFormula *formula)
{
    g_return_val_if_fail(formula != NULL, NULL);
    g_atomic_ref_count_inc(&formula->refs);
    return formula;
}

void tg_formula_unref(TgFormula *formula)
{
    if (formula == NULL || !g_atomic_ref_count_dec(&formula->refs))
        return;
    tg_tree_free(formula->tree);
    tg_arena_clear(&formula->arena);
    g_free(formula);
}

const char *tg_formula_source(const TgFormula *formula, gsize *len)
{
    if (len != NULL)
        *len = formula->tree->len;
    return formula->tree->source;
}

const TgFormulaFault *tg_formula_faults(const TgFormula *formula, guint *n)
{
    *n = formula->n_faults;
    return formula->faults;
}

const TgFormulaToken *tg_formula_tokens(const TgFormula *formula, guint *n)
{
    *n = formula->n_tokens;
    return formula->tokens;
}

char *tg_formula_to_json(const TgFormula *formula, GError **error)
{
    const guint n = formula->tree->n_nodes;

    if (n > TG_JSON_MAX_NODES || formula->n_faults > TG_JSON_MAX_NODES)
        return tg_null(
            error, TG_ERROR_PARSE,
            "the formula has %u nodes and %u faults; the limit of the tree format is %u each", n,
            formula->n_faults, TG_JSON_MAX_NODES);

    json_auto_t *json = tg_tree_to_json(formula->tree);
    GString *text = g_string_new(NULL);
    tg_json_append(text, json);
    return g_string_free(text, FALSE);
}

char *tg_formula_canonical(const TgFormula *formula, TgCanonicalRules rules)
{
    return tg_canonical_latex(formula->tree->source, formula->tree->len, NULL, rules, NULL);
}
