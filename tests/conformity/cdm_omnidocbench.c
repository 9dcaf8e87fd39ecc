/* Reads dialect-c-dev-tokens.jsonl of the shared reference data, and the pairs' LaTeX. */
#include "tests/conformity/cdm_omnidocbench.h"

#include "tests/conformity/cdm_reference.h"
#include "tests/support/golden.h"

static const json_t *field(const json_t *row, const char *side, const char *what)
{
    g_autofree char *key = g_strdup_printf("%s_%s", side, what);

    return json_object_get(row, key);
}

static CdmOmniDocBenchSide read_side(const json_t *row, const char *side, const char *latex)
{
    const json_t *elements = field(row, side, "elements");
    const gsize n = json_array_size(elements);
    CdmOmniDocBenchSide out = {
        .latex = g_strdup(latex),
        .tokens = g_strdup(json_string_value(field(row, side, "norm"))),
        .elements = json_is_array(elements) ? g_new0(char *, n + 1) : NULL,
    };

    for (gsize i = 0; i < n; i++)
        out.elements[i] = g_strdup(json_string_value(json_array_get(elements, i)));
    return out;
}

static void clear_side(CdmOmniDocBenchSide *side)
{
    g_free(side->latex);
    g_free(side->tokens);
    g_strfreev(side->elements);
}

static void free_pair(gpointer data)
{
    CdmOmniDocBenchPair *pair = data;

    g_free(pair->id);
    clear_side(&pair->gt);
    clear_side(&pair->pred);
    g_free(pair);
}

/* NULL for a pair that is not among @sources. */
static CdmOmniDocBenchPair *read_pair(const json_t *row, GHashTable *sources)
{
    const char *id = json_string_value(json_object_get(row, "id"));
    const CdmReferencePair *source = id != NULL ? g_hash_table_lookup(sources, id) : NULL;

    if (source == NULL)
        return NULL;
    CdmOmniDocBenchPair *pair = g_new(CdmOmniDocBenchPair, 1);
    *pair = (CdmOmniDocBenchPair){
        .id = g_strdup(id),
        .gt = read_side(row, "gt", source->gt),
        .pred = read_side(row, "pred", source->pred),
        .has_alternative = json_is_true(json_object_get(row, "alt")),
        .alternative_won = g_strcmp0(json_string_value(json_object_get(row, "best")), "alt") == 0,
    };
    return pair;
}

GPtrArray *cdm_omnidocbench_load(void)
{
    json_auto_t *rows = tg_golden_if_shared("cdm-reference/dialect-c-dev-tokens.jsonl");
    g_autoptr(GPtrArray) sources = cdm_reference_load();
    g_autoptr(GHashTable) by_id = g_hash_table_new(g_str_hash, g_str_equal);

    if (rows == NULL || sources == NULL)
        return NULL;
    for (guint i = 0; i < sources->len; i++) {
        CdmReferencePair *source = sources->pdata[i];
        g_hash_table_insert(by_id, source->id, source);
    }
    GPtrArray *pairs = g_ptr_array_new_with_free_func(free_pair);
    tg_golden_each(row, rows)
    {
        CdmOmniDocBenchPair *pair = read_pair(row, by_id);

        if (pair != NULL)
            g_ptr_array_add(pairs, pair);
    }
    return pairs;
}
