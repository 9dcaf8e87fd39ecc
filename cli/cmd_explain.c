/* texgauge explain: explains the score that a metric gives a pair, as text, JSON or picture. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/utf8.h"
#include "datasets/records/formula.h"
#include "eval/explain/explain.h"
#include "metrics/metric.h"

enum { DEFAULT_WIDTH = 100 };

typedef struct {
    const char *metric, *output;
    TgExplanationRow row;
    guint width;
    enum { AUTO, ALWAYS, NEVER } color;
    gboolean json;
} ExplainArgs;

#define AT(member) G_STRUCT_OFFSET(ExplainArgs, member)

static const char *const when[] = { "auto", "always", "never", NULL };

static const TgArg args[] = {
    { "metric", TG_ARG_FILE, AT(metric),
      "metric with its options: forte (default), cdm, cdm-strict, crohme-graph, edit or another "
      "metric of edits",
      "SPEC", .preset = "forte", .letter = 'm', .group = "Pair" },
    { "input", TG_ARG_FILE, AT(row.input),
      "take the pair from results or from any file that eval reads", "FILE", .file = TG_ARG_READS },
    { "id", TG_ARG_TEXT, AT(row.id), "id of the pair in --input", "ID" },
    { "row", TG_ARG_SEED, AT(row.row), "row of the pair in --input, from 1", "N" },
    { "model", TG_ARG_TEXT, AT(row.model), "model of the pair in --input", "NAME" },
    { "format", TG_ARG_TEXT, AT(row.format), "format of --input (default: auto)", "NAME",
      .letter = 'f' },
    { "map", TG_ARG_LIST, AT(row.maps),
      "names of the fields of --input, as gt=F,pred=F,id=F,model=F; repeatable", "MAP" },
    { "output", TG_ARG_FILE, AT(output),
      "also draw the edits: .png, .svg, .pdf, or '-' for PNG on stdout", "FILE", .letter = 'o',
      .file = TG_ARG_WRITES, .group = "Output" },
    { "json", TG_ARG_FLAG, AT(json), "print all tokens and edits with their spans in the sources" },
    { "color", TG_ARG_CHOICE, AT(color),
      "use colors: auto (on terminals, unless NO_COLOR is set), always or never", "WHEN",
      .choices = when },
    { "width", TG_ARG_COUNT, AT(width),
      "width of the text in columns (default: the terminal's, or 100)", "N" },
    { 0 },
};

/* A formula of the command line as a row would have it: without outer delimiters. (transfer full)
 */
static char *strip_formula(const char *formula)
{
    gsize len;
    const char *text = tg_delimiters_strip(formula, strlen(formula), &len);

    return g_strndup(text, len);
}

/* The pair that the arguments name; FALSE with @error. */
static gboolean get_pair(const ExplainArgs *w, char **formulas, TgExplainPair *out, GError **error)
{
    const guint n = g_strv_length(formulas);

    if (w->row.input != NULL)
        return tg_explain_find_pair(&w->row, out, error);
    out->refs = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i + 1 < n; i++)
        g_ptr_array_add(out->refs, strip_formula(formulas[i]));
    out->hyp = strip_formula(formulas[n - 1]);
    return TRUE;
}

static gboolean draw_pair(const ExplainArgs *w, const TgPair *pair, const char *model,
                          const TgMetric *metric, TgEnv *env, GError **error)
{
    const TgPairPictureOptions how = { .size = sizeof how, .scale = 1, .labels = TG_LABELS_WRONG };
    TgPictureFormat format;
    gsize n;

    if (!cli_picture_format(w->output, &format, error))
        return FALSE;
    g_autoptr(TgFonts) fonts = tg_fonts_new(error);
    if (fonts == NULL)
        return FALSE;
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    g_autoptr(TgPairPicture) picture = tg_metric_picture(metric, env, renderer, pair, error);
    if (picture == NULL)
        return FALSE;
    if (w->row.id != NULL) {
        g_autofree char *name =
            g_strconcat("id ", w->row.id, model != NULL ? ", model " : NULL, model, NULL);
        tg_pair_picture_set_name(picture, name);
    }
    g_autoptr(GBytes) bytes = tg_pair_picture_encode(picture, renderer, format, &how, error);
    if (bytes == NULL)
        return FALSE;
    const void *data = g_bytes_get_data(bytes, &n);
    return cli_write_file(w->output, data, n, error);
}

/* "model ant", where the user named none, with the other models that have the same id. (transfer
 * full) NULL: there is nothing to say */
static char *model_line(const ExplainArgs *w, const TgExplainPair *found)
{
    GString *out = g_string_new(NULL);

    if (w->row.model == NULL && found->model != NULL) {
        g_string_append_printf(out, "model %s", found->model);
        for (guint i = 0; i < found->others->len; i++)
            g_string_append_printf(out, "%s%s", i == 0 ? "; --model shows another: " : ", ",
                                   (const char *) found->others->pdata[i]);
    }
    return g_string_free(out, out->len == 0);
}

static int run(CliCall *call)
{
    const ExplainArgs *w = call->values;
    const guint n = g_strv_length(call->words);
    const guint wide = w->width > 0 ? w->width : cli_width();
    const char *off = g_getenv("NO_COLOR"); /* no-color.org */
    const gboolean is_shown = isatty(STDOUT_FILENO) && (off == NULL || *off == '\0');
    const TgExplanationStyle style = {
        .width = wide > 0 ? wide : DEFAULT_WIDTH,
        .colors = w->color == AUTO ? is_shown : w->color == ALWAYS,
    };
    g_auto(TgExplainPair) found = { 0 };
    GError *error = NULL;

    if (w->row.input != NULL ? n > 0 : n < 2)
        return cli_usage(
            "a reference and a prediction are required, or --input FILE with --id or --row");
    for (guint i = 0; i < n; i++)
        if (!g_utf8_validate(call->words[i], -1, NULL))
            return cli_usage("a formula is not UTF-8");
    cli_hint_files(call->words);
    g_autoptr(TgMetric) metric = tg_metric_new(w->metric, &error);
    if (metric == NULL || !get_pair(w, call->words, &found, &error))
        return cli_fail(error);
    if (found.remark != NULL)
        cli_message("texgauge: %s", found.remark);
    const TgPair pair = { "", (const char *const *) found.refs->pdata, found.refs->len, found.hyp };
    g_autoptr(TgEnv) env = tg_env_new();
    g_autofree char *text = tg_explain_why(metric, env, &pair, &style, w->json, &error);
    if (text == NULL ||
        (w->output != NULL && !draw_pair(w, &pair, found.model, metric, env, &error)))
        return cli_fail(error);
    if (g_strcmp0(w->output, "-") == 0)
        return EXIT_DONE;
    g_autofree char *model = model_line(w, &found);
    if (w->json && model != NULL && found.others->len > 0)
        cli_message("texgauge: %s", model);
    g_autoptr(GString) lines = g_string_new(NULL);
    if (!w->json && model != NULL) {
        tg_visible_append(lines, model, NULL);
        g_string_append_c(lines, '\n');
    }
    g_string_append_printf(lines, "%s%s", text, w->json ? "\n" : "");
    return cli_print_colored(lines->str);
}

const CliCommand cmd_explain = {
    "explain",
    "show why a pair got its score",
    "[--] REFERENCE... PREDICTION | --input FILE --id ID",
    "Prints both formulas as sequences of tokens with every edit between them. With forte it "
    "prints each error by name with its price, with cdm the elements that have no match.",
    "texgauge explain 'x^{2}+\\alpha' 'x^{3}+a'\n"
    "texgauge explain -m cdm --input results.jsonl --id 7\n"
    "texgauge explain '\\sum_{i} x_i' '\\sum x_i' -o edits.png\n"
    "texgauge explain --json '\\frac{a}{b}' 'a/b'\n"
    "texgauge explain -m forte:profile=ocr -- '-x' 'x'",
    "See docs/metrics/forte.md for the errors and their prices.",
    args,
    sizeof(ExplainArgs),
    .run = run,
};
