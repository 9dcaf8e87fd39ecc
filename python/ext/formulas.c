/* Single formulas: the canonical form, tokens. */
#include "python/ext/extension.h"

#include <texgauge/env.h>
#include <texgauge/formula.h>
#include <texgauge/tokens.h>

#include "datasets/records/formula.h"
#include "metrics/base/base.h"

PyObject *py_canonical(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    const char *tex, *rules_spec = NULL;
    Py_ssize_t n;
    int strict = 0;
    TgCanonicalRules rules = tg_canonical_preset();
    GError *error = NULL;
    char *text = NULL;

    if (!PyArg_ParseTuple(args, "s#|zp", &tex, &n, &rules_spec, &strict))
        return NULL;
    if (rules_spec != NULL && !tg_canonical_parse_rules(rules_spec, &rules, &error))
        return py_raise(error);
    Py_BEGIN_ALLOW_THREADS g_autoptr(TgFormula) formula =
        tg_formula_parse(tex, (gsize) n, strict ? TG_FORMULA_STRICT : TG_FORMULA_TOLERANT, &error);
    if (formula != NULL)
        text = tg_formula_canonical(formula, rules);
    Py_END_ALLOW_THREADS return py_take_str(text, error);
}

static PyObject *token_text(gsize i, gconstpointer tokens)
{
    gsize len;
    const char *text = tg_tokens_text(tokens, (guint) i, &len);

    return PyUnicode_DecodeUTF8(text, (Py_ssize_t) len, "replace");
}

static void tokenizer_capsule_free(PyObject *capsule)
{
    tg_tokenizer_free(PyCapsule_GetPointer(capsule, "TgTokenizer"));
}

/* tokenizer(spec, lowercase) -> an object for tokens(), which may be used many times */
PyObject *py_tokenizer(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    const char *spec;
    int lowercase;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "sp", &spec, &lowercase))
        return NULL;
    TgTokenizer *made =
        tg_tokenizer_new(spec, lowercase ? TG_TOKENIZER_LOWERCASE : TG_TOKENIZER_DEFAULT, &error);
    if (made == NULL)
        return py_raise(error);
    PyObject *capsule = PyCapsule_New(made, "TgTokenizer", tokenizer_capsule_free);
    if (capsule == NULL)
        tg_tokenizer_free(made);
    return capsule;
}

/* tokens(text, tokenizer) -> list of str */
PyObject *py_tokens(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    const char *text;
    PyObject *capsule;
    guint n;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "sO", &text, &capsule))
        return NULL;
    const TgTokenizer *made = PyCapsule_GetPointer(capsule, "TgTokenizer");
    if (made == NULL)
        return NULL;
    g_autoptr(TgEnv) env = tg_env_new();
    tg_env_next_pair(env);
    const TgTokens *split = tg_env_tokenize(env, made, text, &error);
    if (split == NULL)
        return py_raise(error);
    tg_tokens_ids(split, &n);
    return py_list(n, token_text, split);
}

/* find_formula(answer, "WAY,WAY") -> (bytes or None, way or reason) */
PyObject *py_find_formula(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    const char *text, *names, *way;
    Py_ssize_t len;
    gsize n = 0;

    if (!PyArg_ParseTuple(args, "y#s", &text, &len, &names))
        return NULL;
    g_auto(GStrv) ways = g_strsplit(names, ",", -1);
    const char *found = tg_answer_find(text, (gsize) len, (const char *const *) ways, &n, &way);
    return Py_BuildValue("y#s", found, (Py_ssize_t) n, way);
}
