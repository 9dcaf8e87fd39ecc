/* texgauge tokenize: tokens, tree, canonical form and label graph of formulas. */
#include "cli/cli.h"
#include "core/fail.h"
#include "core/files/stream.h"
#include "core/utf8.h"
#include "datasets/records/formula.h"
#include "metrics/base/base.h"
#include "metrics/crohme/crohme.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define FLUSH_BYTES 65536

/* How a formula is shown: by a tokenizer, or by reading it. */
typedef enum { TOKENIZER, TREE, CANONICAL, INK } Way;

static const char *const ways[] = { NULL, "tree", "canonical", "tokens" };

typedef struct {
    const char *name;
    Way way;
    TgTokenizer *tokenizer;
} View;

typedef struct {
    GArray *views;
    gboolean reads;   /* a view needs the parsed formula */
    int width;        /* of the names of several views; 0: one view, without its name */
    gboolean has_ids; /* a tab may stand between an id and the formula of a line */
    int status;       /* EXIT_INPUT once a formula could not be read */
    TgFormulaFlags flags;
    TgCanonicalRules rules;
    TgEnv *env;
    GString *out;
} Run;

static void view_clear(gpointer view)
{
    tg_tokenizer_free(((View *) view)->tokenizer);
}

static void run_clear(Run *run)
{
    g_array_unref(run->views);
    tg_env_free(run->env);
    g_string_free(run->out, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Run, run_clear)

static gboolean add_views(Run *run, const char *const *modes, GError **error)
{
    for (guint i = 0; modes[i] != NULL; i++) {
        View view = { modes[i], INK, NULL };

        while (view.way != TOKENIZER && strcmp(ways[view.way], modes[i]) != 0)
            view.way--;
        if (view.way == TOKENIZER) {
            view.tokenizer = tg_tokenizer_new(modes[i], TG_TOKENIZER_DEFAULT, error);
            if (view.tokenizer == NULL) {
                g_prefix_error(error, "--mode must be tree, canonical, tokens or a tokenizer: ");
                return FALSE;
            }
        }
        g_array_append_val(run->views, view);
        run->reads |= view.way != TOKENIZER;
        if (modes[1] != NULL)
            run->width = MAX(run->width, (int) strlen(modes[i]));
    }
    return TRUE;
}

/* ---- Lines --------------------------------------------------------------------------------- */

static void append_token(GString *out, const char *token, gsize n)
{
    if (out->len > 0)
        g_string_append_c(out, ' ');
    g_string_append_len(out, token, (gssize) n);
}

/* One view's line: its name and the number of its tokens where there are several views, and what it
 * shows. FALSE with @error where it cannot. @formula: NULL where it is not read, or rejected */
static gboolean append_line(const Run *run, const View *view, const CliFormula *source,
                            const TgFormula *formula, GError **error)
{
    g_autoptr(GString) line = g_string_new(NULL);
    g_autofree char *text = NULL;
    gboolean counted = view->way == TOKENIZER;
    guint n = 0;

    if (counted) {
        const TgTokens *tokens = tg_env_tokenize(run->env, view->tokenizer, source->text, error);

        if (tokens == NULL)
            return FALSE;
        tg_tokens_ids(tokens, &n);
        for (guint i = 0; i < n; i++) {
            gsize len;
            const char *token = tg_tokens_text(tokens, i, &len);

            append_token(line, token, len);
        }
    } else if (formula != NULL && view->way == INK) {
        const TgFormulaToken *tokens = tg_formula_tokens(formula, &n);

        for (guint i = 0; i < n; i++)
            append_token(line, tg_formula_source(formula, NULL) + tokens[i].start,
                         tokens[i].end - tokens[i].start);
        counted = TRUE;
    } else if (formula != NULL) {
        text = view->way == TREE ? tg_formula_to_json(formula, error)
                                 : tg_formula_canonical(formula, run->rules);
        if (text == NULL)
            return FALSE;
        g_string_append(line, text);
    }
    if (run->width > 0) {
        g_string_append_printf(run->out, "%-*s ", run->width, view->name);
        if (counted)
            g_string_append_printf(run->out, "%4u  ", n);
        else
            g_string_append(run->out, "      ");
    }
    g_string_append_printf(run->out, "%s\n", line->str);
    return TRUE;
}

/* Say why a formula cannot be read. */
static void refuse(Run *run, const char *place, const char *message)
{
    cli_message("texgauge: %s%s", place, message);
    run->status = EXIT_INPUT;
}

/* Whether the formula is UTF-8; says so where it is not. */
static gboolean check_text(Run *run, const CliFormula *source)
{
    const gboolean is_text = g_utf8_validate(source->text, (gssize) source->len, NULL);

    if (!is_text)
        refuse(run, source->place, "the formula is not UTF-8");
    return is_text;
}

/* Read a formula and print its faults; NULL, with the reason printed, when it is rejected. */
static TgFormula *read_formula(Run *run, const char *place, const char *text, gsize len)
{
    g_autoptr(GError) error = NULL;
    TgFormula *formula = tg_formula_parse(text, len, run->flags, &error);
    guint n;

    if (formula == NULL) {
        refuse(run, place, error->message);
        return NULL;
    }
    const TgFormulaFault *faults = tg_formula_faults(formula, &n);
    for (guint i = 0; i < n; i++)
        cli_message("texgauge: %s%s, column %u", place, faults[i].message, faults[i].column);
    return formula;
}

/* All views of one formula. An empty line stands for a view that has nothing to show, so that lines
 * of output stay beside lines of input. */
static void append_views(Run *run, const CliFormula *source)
{
    const gboolean is_text = check_text(run, source);
    g_autoptr(TgFormula) formula =
        is_text && run->reads ? read_formula(run, source->place, source->text, source->len) : NULL;

    tg_env_next_pair(run->env);
    for (guint i = 0; i < run->views->len; i++) {
        g_autoptr(GError) error = NULL;

        if (is_text &&
            append_line(run, &g_array_index(run->views, View, i), source, formula, &error))
            continue;
        if (error != NULL)
            refuse(run, source->place, error->message);
        g_string_append_c(run->out, '\n');
    }
}

/* The bytes of the id before the formula of a line, with the tab between them; 0: there is none. */
static gsize length_of_id(const char *line, gsize len)
{
    const char *tab = g_strrstr_len(line, (gssize) len, "\t");

    return tab != NULL ? (gsize) (tab - line) + 1 : 0;
}

/* The label graph of a formula, after the formula in a comment. */
static void append_graph(Run *run, const CliFormula *source)
{
    g_autoptr(GError) error = NULL;
    gsize len;
    const gsize head = run->has_ids ? length_of_id(source->text, source->len) : 0;
    const char *text = tg_delimiters_strip(source->text + head, source->len - head, &len);
    g_autofree char *tex = g_strndup(text, len);
    g_autofree char *line = g_strdelimit(tg_visible(tex, NULL), "\r\n", ' ');
    g_autofree char *id = g_strndup(source->text, head > 0 ? head - 1 : 0);
    g_autofree char *shown = g_strdelimit(tg_visible(id, NULL), "\r\n", ' ');

    g_string_append_printf(run->out, "%s%s%s# %s\n", head > 0 ? "# " : "", shown,
                           head > 0 ? "\n" : "", line);
    if (check_text(run, source) && !tg_crohme_label_graph_append(run->out, tex, &error))
        refuse(run, source->place, error->message);
}

/* Print what the formulas have become so far, once that is much or @now. */
static gboolean flush(Run *run, gboolean now)
{
    if (run->out->len < FLUSH_BYTES && !now)
        return TRUE;
    const int status = cli_print(run->out->str);
    g_string_truncate(run->out, 0);
    return status == EXIT_DONE;
}

/* @apart: an empty line stands between two formulas */
static int show_all(Run *run, const GPtrArray *formulas, gboolean apart,
                    void (*append)(Run *run, const CliFormula *source))
{
    for (guint i = 0; i < formulas->len; i++) {
        if (apart && i > 0)
            g_string_append_c(run->out, '\n');
        append(run, formulas->pdata[i]);
        if (!flush(run, i + 1 == formulas->len))
            return EXIT_INTERNAL;
    }
    return run->status;
}

/* ---- A file made canonical, line by line ------------------------------------------------------
 */

/* Members of a JSON object that hold formulas; the others are kept as they are. */
static const char *const formula_members[] = { "latex", "formula",    "tex",       "gt",
                                               "pred",  "prediction", "reference", NULL };

/* The canonical form of a formula; where it cannot be read, which is said, a copy of it. */
static char *canonical_of(Run *run, const char *place, const char *text, gsize len)
{
    g_autoptr(TgFormula) formula = NULL;
    guint n = 0;

    if (g_utf8_validate(text, (gssize) len, NULL))
        formula = read_formula(run, place, text, len);
    else
        refuse(run, place, "the formula is not UTF-8; it stays as it is");
    if (formula != NULL)
        tg_formula_faults(formula, &n);
    char *canonical = formula != NULL && n == 0 ? tg_formula_canonical(formula, run->rules) : NULL;
    if (canonical != NULL)
        return canonical;
    run->status = EXIT_INPUT;
    return g_strndup(text, len);
}

/* A line that is a JSON object: its formulas are replaced. FALSE where it is none, or an empty
 * group. */
static gboolean append_object(Run *run, const char *place, const char *line, gsize len)
{
    json_t *object = line[0] == '{' ? json_loadb(line, len, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
    const gboolean is_row = json_object_size(object) > 0;
    gboolean any = FALSE;

    for (guint i = 0; is_row && formula_members[i] != NULL; i++) {
        const json_t *member = json_object_get(object, formula_members[i]);

        if (!json_is_string(member))
            continue;
        g_autofree char *canonical =
            canonical_of(run, place, json_string_value(member), json_string_length(member));
        json_object_set_new(object, formula_members[i], json_string(canonical));
        any = TRUE;
    }
    if (any) {
        char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
        g_string_append_printf(run->out, "%s\n", text);
        free(text);
    } else if (is_row) {
        g_autofree char *names = g_strjoinv(", ", (char **) formula_members);
        g_autofree char *message =
            g_strdup_printf("the object has no formula (%s); it stays as it is", names);

        refuse(run, place, message);
        g_string_append_len(run->out, line, (gssize) len);
        g_string_append_c(run->out, '\n');
    }
    json_decref(object);
    return is_row;
}

/* One line: a JSON object, an id and after a tab its formula, or a formula. */
static void append_canonical_line(Run *run, const char *place, const char *line, gsize len)
{
    if (append_object(run, place, line, len))
        return;
    const gsize head = length_of_id(line, len);
    g_autofree char *canonical = canonical_of(run, place, line + head, len - head);

    g_string_append_len(run->out, line, (gssize) head);
    g_string_append(run->out, canonical);
    g_string_append_c(run->out, '\n');
}

/* Memory grows with the longest line only; from stdin each line is answered at once. */
static int show_canonical(Run *run, const char *input)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TgStream) stream = tg_stream_open(input, TG_TEXT_MAX, &error);
    const gboolean is_stdin = strcmp(input, "-") == 0;
    TgLineStatus status = TG_LINE_ERROR;
    char *line;
    gsize len;

    while (stream != NULL &&
           (status = tg_stream_read_line(stream, &line, &len, &error)) != TG_LINE_END &&
           status != TG_LINE_ERROR) {
        g_autofree char *place =
            g_strdup_printf("%s:%" G_GSIZE_FORMAT ": ", stream->name, stream->line);

        /* rows of JSON are objects, and an id may stand before a tab */
        if (status == TG_LINE_READ && stream->line == 1 && line[0] != '{' &&
            memchr(line, '\t', len) == NULL && !cli_check_lines(input, line, len, &error))
            return cli_fail(g_steal_pointer(&error));
        if (status == TG_LINE_READ) {
            append_canonical_line(run, place, line, len);
        } else {
            cli_message("texgauge: %sthe line is too long; an empty one stands for it", place);
            g_string_append_c(run->out, '\n');
            run->status = EXIT_INPUT;
        }
        if (!flush(run, is_stdin))
            return EXIT_INTERNAL;
    }
    if (status == TG_LINE_ERROR)
        return cli_fail(g_steal_pointer(&error));
    return flush(run, TRUE) ? run->status : EXIT_INTERNAL;
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
    gboolean strict, graph, canonical;
} TokenizeArgs;

#define AT(member) G_STRUCT_OFFSET(TokenizeArgs, member)

static const TgArg args[] = {
    { "mode", TG_ARG_LIST, AT(modes),
      "what to print: tree, canonical, tokens, or the tokens of latex (default), char, codepoint, "
      "words, none, 13a, alnum, chrf-words or bpe:FILE; repeatable",
      "NAME" },
    { "rules", TG_ARG_TEXT, AT(rules),
      "rules of canonical to switch on or off, as +spaces-groups; --rules help lists them",
      "LIST" },
    { "graph", TG_ARG_FLAG, AT(graph),
      "print label graphs (.lg) as CROHME's protocol makes them of LaTeX, instead of lines" },
    { "canonical", TG_ARG_FLAG, AT(canonical),
      "make each line of FILE canonical while it is read: a formula, an id and a tab before it, or "
      "a "
      "JSON object with formulas; lines that cannot be read stay as they are, are named, and give "
      "exit status 3" },
    { "strict", TG_ARG_FLAG, AT(strict), "tree, canonical, tokens: reject a formula with a fault" },
    { "input", TG_ARG_FILE, AT(input), "read a formula from each line of FILE; '-' is stdin",
      "FILE", .file = TG_ARG_READS },
    { 0 },
};

static int run_tokenize(CliCall *call)
{
    static const char *const preset[] = { "latex", NULL };
    const TokenizeArgs *w = call->values;
    g_auto(Run) run = { .views = g_array_new(FALSE, FALSE, sizeof(View)),
                        .env = tg_env_new(),
                        .out = g_string_new(NULL) };
    GError *error = NULL;

    g_array_set_clear_func(run.views, view_clear);
    if (w->rules != NULL && strcmp(w->rules, "help") == 0)
        return list_rules();
    if (w->graph && (w->modes != NULL || w->strict || w->rules != NULL))
        tg_fail_usage(&error, "--graph goes without --mode, --rules and --strict");
    else if (w->canonical &&
             (w->modes != NULL || w->graph || w->input == NULL || *call->words != NULL))
        tg_fail_usage(&error,
                      "--canonical needs --input FILE, and goes without --mode and --graph");
    if (error != NULL)
        return cli_fail(error);
    run.flags = w->strict ? TG_FORMULA_STRICT : TG_FORMULA_TOLERANT;
    if (!tg_canonical_parse_rules(w->rules != NULL ? w->rules : "", &run.rules, &error) ||
        !add_views(&run, w->modes != NULL ? w->modes : preset, &error))
        return cli_fail(error);
    if (w->canonical)
        return show_canonical(&run, w->input);
    g_autoptr(GPtrArray) formulas = cli_formulas_new(call->words, w->input, &error);
    if (formulas == NULL)
        return cli_fail(error);
    run.has_ids = w->input != NULL;
    return w->graph ? show_all(&run, formulas, TRUE, append_graph)
                    : show_all(&run, formulas, run.width > 0, append_views);
}

const CliCommand cmd_tokenize = {
    "tokenize",
    "print tokens, tree, canonical form or label graph",
    "[--] FORMULA... | --input FILE",
    "Prints one line per formula. '-' reads one formula from stdin.\n"
    "Beside the tokenizers there are three modes: 'tree' prints the parsed formula as JSON, "
    "'canonical' one spelling for all formulas that draw alike, 'tokens' the tokens that leave "
    "ink.\n"
    "Faults are printed on stderr with their columns. A formula that cannot be read gives an "
    "empty line and exit status 3.",
    "texgauge tokenize --mode latex '\\frac{a}{b}'\n"
    "texgauge tokenize --canonical --input formulas.jsonl > canonical.jsonl\n"
    "texgauge tokenize --mode 13a --mode bpe:tokenizer.json 'x_{1}=2.5'\n"
    "texgauge tokenize --mode canonical --rules +spaces 'x ^2_i\\,\\le {a \\over b}'\n"
    "texgauge tokenize --graph 'x^{2}' > x.lg\n"
    "texgauge tokenize --mode tree '\\sqrt{x}' | jq .tree",
    NULL,
    args,
    sizeof(TokenizeArgs),
    .run = run_tokenize,
};
