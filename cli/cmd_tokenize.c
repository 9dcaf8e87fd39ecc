/* texgauge tokenize: tokens, tree and canonical form of formulas. */
#include "cli/cli.h"
#include "metrics/base/base.h"

#include <stdio.h>
#include <string.h>

#define FLUSH_BYTES 65536

/* Appends one line about a formula; gives the number of its tokens, or NO_COUNT, also with @error.
 */
typedef int Show(const TgFormula *formula, TgCanonicalRules rules, GString *out, GError **error);

enum { NO_COUNT = -1 };

/* One way to look at a formula: by a tokenizer, or by reading it. */
typedef struct {
    char *name;
    TgTokenizer *tokenizer; /* NULL: @show */
    Show *show;
} View;

typedef struct {
    GPtrArray *views;
    gboolean reads; /* a view needs the parsed formula */
    TgFormulaFlags flags;
    TgCanonicalRules rules;
    TgEnv *env;
    GString *out;
} Run;

static void run_clear(Run *run)
{
    g_ptr_array_unref(run->views);
    tg_env_free(run->env);
    g_string_free(run->out, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Run, run_clear)

/* ---- Ways to show a formula that was read -------------------------------------------------- */

static int show_tree(const TgFormula *formula, TgCanonicalRules rules, GString *out, GError **error)
{
    g_autofree char *json = tg_formula_to_json(formula, error);

    (void) rules;
    g_string_append(out, json != NULL ? json : "");
    return NO_COUNT;
}

static int show_canonical(const TgFormula *formula, TgCanonicalRules rules, GString *out,
                          GError **error)
{
    g_autofree char *latex = tg_formula_canonical(formula, rules);

    (void) error;
    g_string_append(out, latex);
    return NO_COUNT;
}

static int show_ink(const TgFormula *formula, TgCanonicalRules rules, GString *out, GError **error)
{
    const char *source = tg_formula_source(formula, NULL);
    guint n;
    const TgFormulaToken *tokens = tg_formula_tokens(formula, &n);

    (void) rules;
    (void) error;
    for (guint i = 0; i < n; i++) {
        if (i > 0)
            g_string_append_c(out, ' ');
        g_string_append_len(out, source + tokens[i].start,
                            (gssize) (tokens[i].end - tokens[i].start));
    }
    return (int) n;
}

static const struct {
    const char *name;
    Show *show;
} shows[] = {
    { "tree", show_tree },
    { "canonical", show_canonical },
    { "tokens", show_ink },
};

/* ---- Views --------------------------------------------------------------------------------- */

static void view_free(gpointer data)
{
    View *view = data;

    g_free(view->name);
    tg_tokenizer_free(view->tokenizer);
    g_free(view);
}

static View *view_new(const char *mode, GError **error)
{
    View view = { 0 };

    for (guint i = 0; i < G_N_ELEMENTS(shows); i++)
        if (strcmp(shows[i].name, mode) == 0)
            view.show = shows[i].show;
    if (view.show == NULL) {
        view.tokenizer = tg_tokenizer_new(mode, TG_TOKENIZER_DEFAULT, error);
        if (view.tokenizer == NULL) {
            g_prefix_error(error, "--mode must be tree, canonical, tokens or a tokenizer: ");
            return NULL;
        }
    }
    view.name = g_strdup(mode);
    return g_memdup2(&view, sizeof view);
}

static gboolean add_views(Run *run, const char *const *modes, GError **error)
{
    for (guint i = 0; modes[i] != NULL; i++) {
        View *view = view_new(modes[i], error);
        if (view == NULL)
            return FALSE;
        g_ptr_array_add(run->views, view);
        run->reads |= view->tokenizer == NULL;
    }
    return TRUE;
}

/* ---- Lines --------------------------------------------------------------------------------- */

static int tokenize(const View *view, TgEnv *env, const char *text, GString *out, GError **error)
{
    const TgTokens *tokens = tg_env_tokenize(env, view->tokenizer, text, error);
    guint n;

    if (tokens == NULL)
        return NO_COUNT;
    tg_tokens_ids(tokens, &n);
    for (guint i = 0; i < n; i++) {
        gsize len;
        const char *token = tg_tokens_text(tokens, i, &len);

        if (i > 0)
            g_string_append_c(out, ' ');
        g_string_append_len(out, token, (gssize) len);
    }
    return (int) n;
}

/* One view's line; behind its name and the number of tokens if @width is not 0. */
static gboolean append_line(const Run *run, const View *view, int width, const CliFormula *source,
                            const TgFormula *formula, GError **error)
{
    g_autoptr(GString) line = g_string_new(NULL);
    GError *fault = NULL;
    int n = NO_COUNT;

    if (view->tokenizer != NULL)
        n = tokenize(view, run->env, source->text, line, &fault);
    else if (formula != NULL)
        n = view->show(formula, run->rules, line, &fault);
    if (fault != NULL) {
        g_propagate_error(error, fault);
        return FALSE;
    }
    if (width > 0)
        g_string_append_printf(run->out, "%-*s ", width, view->name);
    if (width > 0 && n != NO_COUNT)
        g_string_append_printf(run->out, "%4d  ", n);
    else if (width > 0)
        g_string_append(run->out, "      ");
    g_string_append(run->out, line->str);
    g_string_append_c(run->out, '\n');
    return TRUE;
}

static void tell(const CliFormula *source, const char *message)
{
    cli_message("texgauge: %s%s", source->place, message);
}

/* Read a formula and print its faults; NULL, with the reason printed, when it is rejected. */
static TgFormula *read_formula(const Run *run, const CliFormula *source)
{
    g_autoptr(GError) error = NULL;
    TgFormula *formula = tg_formula_parse(source->text, source->len, run->flags, &error);
    guint n;

    if (formula == NULL) {
        tell(source, error->message);
        return NULL;
    }
    const TgFormulaFault *faults = tg_formula_faults(formula, &n);
    for (guint i = 0; i < n; i++) {
        g_autofree char *message =
            g_strdup_printf("%s, column %u", faults[i].message, faults[i].column);
        tell(source, message);
    }
    return formula;
}

/* All views of one formula; FALSE when one of them has nothing to show. An empty line stands there,
 * so that lines of output stay beside lines of input. */
static gboolean append_formula(const Run *run, int width, const CliFormula *source)
{
    if (!g_utf8_validate(source->text, (gssize) source->len, NULL)) {
        tell(source, "the formula is not UTF-8");
        for (guint i = 0; i < run->views->len; i++)
            g_string_append_c(run->out, '\n');
        return FALSE;
    }

    g_autoptr(TgFormula) formula = run->reads ? read_formula(run, source) : NULL;
    gboolean good = !run->reads || formula != NULL;

    tg_env_next_pair(run->env);
    for (guint i = 0; i < run->views->len; i++) {
        g_autoptr(GError) error = NULL;
        if (append_line(run, run->views->pdata[i], width, source, formula, &error))
            continue;
        tell(source, error->message);
        g_string_append_c(run->out, '\n');
        good = FALSE;
    }
    return good;
}

static int show_all(Run *run, const GPtrArray *formulas)
{
    const gboolean several = run->views->len > 1;
    gboolean good = TRUE;
    int width = 0;

    for (guint i = 0; several && i < run->views->len; i++) {
        const View *view = run->views->pdata[i];
        width = MAX(width, (int) strlen(view->name));
    }
    for (guint i = 0; i < formulas->len; i++) {
        const CliFormula *source = formulas->pdata[i];
        if (several && i > 0)
            g_string_append_c(run->out, '\n');
        good = append_formula(run, width, source) && good;
        if (run->out->len < FLUSH_BYTES)
            continue;
        if (cli_print(run->out->str) != EXIT_DONE)
            return EXIT_INTERNAL;
        g_string_truncate(run->out, 0);
    }
    if (cli_print(run->out->str) != EXIT_DONE)
        return EXIT_INTERNAL;
    return good ? EXIT_DONE : EXIT_INPUT;
}

/* ---- The command --------------------------------------------------------------------------- */

static int list_rules(void)
{
    g_autoptr(GString) out = g_string_new(NULL);
    guint n;
    const TgCanonicalRule *rules = tg_canonical_rules(&n);

    for (guint i = 0; i < n; i++)
        g_string_append_printf(out, "%-11s %-4s %s\n", rules[i].name,
                               rules[i].preset ? "on" : "off", rules[i].summary);
    return cli_print(out->str);
}

typedef struct {
    const char *const *modes;
    const char *rules, *input;
    gboolean strict;
} TokenizeArgs;

#define AT(member) G_STRUCT_OFFSET(TokenizeArgs, member)

static const TgArg args[] = {
    { "mode", TG_ARG_LIST, AT(modes),
      "tree, canonical, tokens, or a tokenizer: latex, char, codepoint, words, none, 13a, alnum, "
      "chrf-words, bpe:FILE (default: latex); may be repeated",
      "NAME" },
    { "rules", TG_ARG_TEXT, AT(rules),
      "canonical: rules to switch on or off, as +spaces-groups; help lists them", "LIST" },
    { "strict", TG_ARG_FLAG, AT(strict), "tree, canonical, tokens: reject a formula with a fault" },
    { "input", TG_ARG_FILE, AT(input), "read a formula from each line of FILE; '-' is stdin",
      "FILE" },
    { 0 },
};

static int run_tokenize(CliCall *call)
{
    static const char *const preset[] = { "latex", NULL };
    const TokenizeArgs *w = call->values;
    g_auto(Run) run = { .views = g_ptr_array_new_with_free_func(view_free),
                        .env = tg_env_new(),
                        .out = g_string_new(NULL) };
    GError *error = NULL;

    if (w->rules != NULL && strcmp(w->rules, "help") == 0)
        return list_rules();
    run.flags = w->strict ? TG_FORMULA_STRICT : TG_FORMULA_TOLERANT;
    if (!tg_canonical_parse_rules(w->rules != NULL ? w->rules : "", &run.rules, &error) ||
        !add_views(&run, w->modes != NULL ? w->modes : preset, &error))
        return cli_fail(error);
    g_autoptr(GPtrArray) formulas = cli_formulas_new(call->words, w->input, &error);
    return formulas != NULL ? show_all(&run, formulas) : cli_fail(error);
}

const CliCommand cmd_tokenize = {
    "tokenize",
    "show the tokens of a formula, its tree or its canonical form",
    "[--] FORMULA... | --input FILE",
    "Prints the tokens of each formula on a line, separated by spaces, or its tree or\n"
    "canonical form. '-' reads one formula from stdin.",
    "tree prints JSON, canonical one spelling for all formulas that draw alike, tokens the tokens\n"
    "that leave ink. Faults are printed on stderr with their columns; a formula that cannot be\n"
    "read gives an empty line and exit status 3.\n\n"
    "Examples:\n"
    "  texgauge tokenize --mode 13a 'x_{1}=2.5'\n"
    "  texgauge tokenize --mode latex --mode bpe:tokenizer.json '\\frac{a}{b}'\n"
    "  texgauge tokenize --mode canonical --rules +spaces 'x ^2_i\\,\\le {a \\over b}'\n"
    "  texgauge tokenize --mode tree '\\sqrt{x}' | jq .tree\n"
    "  texgauge tokenize --mode canonical --strict --input formulas.txt > canonical.txt",
    args,
    sizeof(TokenizeArgs),
    .run = run_tokenize,
};
