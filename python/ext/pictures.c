/* Single pairs and formulas as data and as pictures. */
#include "python/ext/extension.h"

#include <pthread.h>

#include <texgauge/picture.h>
#include <texgauge/render.h>

#include "eval/explain/explain.h"
#include "eval/run/run.h"
#include "metrics/base/base.h"

static const char *const format_names[] = { "png", "svg", "pdf", NULL }; /* by TgPictureFormat */
G_STATIC_ASSERT(G_N_ELEMENTS(format_names) == TG_FORMAT_PDF + 2);

/* ---- fonts, read once ---- */

static pthread_mutex_t fonts_lock = PTHREAD_MUTEX_INITIALIZER;
static TgFonts *shared_fonts;

/* A renderer of the calling thread. The GIL is not needed. */
static TgRenderer *renderer_new(GError **error)
{
    pthread_mutex_lock(&fonts_lock);
    if (shared_fonts == NULL)
        shared_fonts = tg_fonts_new(error);
    TgRenderer *renderer = shared_fonts != NULL ? tg_renderer_new(shared_fonts) : NULL;
    pthread_mutex_unlock(&fonts_lock);
    return renderer;
}

/* ---- formulas ---- */

/* render(tex, format, dpi, size_pt, margin, text_style, strict, colors) -> bytes */
PyObject *py_render(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    static const char *const color_names[] = { "natural", "tokens", "flat", NULL };
    TgRenderOptions how = TG_RENDER_OPTIONS_INIT;
    const char *tex, *format_name, *colors_name;
    gint format, colors;
    Py_ssize_t n;
    GBytes *bytes = NULL;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "s#sdddpps", &tex, &n, &format_name, &how.dpi, &how.size_pt,
                          &how.margin_px, &how.text_style, &how.strict, &colors_name) ||
        !py_choice(format_name, format_names, "format", &format) ||
        !py_choice(colors_name, color_names, "colors", &colors))
        return NULL;
    Py_BEGIN_ALLOW_THREADS g_autoptr(TgRenderer) renderer = renderer_new(&error);
    g_autoptr(TgDrawing) drawing =
        renderer != NULL ? tg_renderer_draw(renderer, tex, (gsize) n, &how, &error) : NULL;
    if (drawing != NULL)
        bytes = tg_drawing_encode(drawing, (TgPictureFormat) format, (TgInkColors) colors, &error);
    Py_END_ALLOW_THREADS return py_take_bytes(bytes, error);
}

static PyObject *token_dict(gsize i, gconstpointer tokens)
{
    const TgDrawnToken *token = (const TgDrawnToken *) tokens + i;

    if (!token->has_ink)
        return Py_BuildValue("{s:s,s:(II),s:O}", "token", token->name, "span", token->start,
                             token->end, "box", Py_None);
    return Py_BuildValue("{s:s,s:(II),s:(dddd)}", "token", token->name, "span", token->start,
                         token->end, "box", token->box.x0, token->box.y0, token->box.x1,
                         token->box.y1);
}

/* boxes(tex, dpi, size_pt, margin, text_style) -> list of dicts of the tokens */
PyObject *py_boxes(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    TgRenderOptions how = TG_RENDER_OPTIONS_INIT;
    g_autoptr(TgDrawing) drawing = NULL;
    const char *tex;
    Py_ssize_t n;
    guint n_tokens;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "s#dddp", &tex, &n, &how.dpi, &how.size_pt, &how.margin_px,
                          &how.text_style))
        return NULL;
    Py_BEGIN_ALLOW_THREADS g_autoptr(TgRenderer) renderer = renderer_new(&error);
    if (renderer != NULL)
        drawing = tg_renderer_draw(renderer, tex, (gsize) n, &how, &error);
    Py_END_ALLOW_THREADS if (drawing == NULL) return py_raise(error);
    const TgDrawnToken *tokens = tg_drawing_tokens(drawing, &n_tokens);
    return py_list(n_tokens, token_dict, tokens);
}

/* ---- pairs ---- */

/* pair_row(metric, references, prediction) -> JSON of its row, with detail */
PyObject *py_pair_row(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    g_auto(PyPairs) pairs = { 0 };
    TgEvalOptions options = { .scorer.detail = TRUE };
    PyObject *references, *prediction;
    char *row;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "sOO", &options.metrics, &references, &prediction) ||
        !py_pair_init(&pairs, references, prediction))
        return NULL;
    Py_BEGIN_ALLOW_THREADS row = tg_eval_pair(&options, pairs.pairs, &error);
    Py_END_ALLOW_THREADS return py_take_str(row, error);
}

/* pair_picture(metric, references, prediction, format, scale, labels, lines,
 * boxes, tint) -> bytes */
PyObject *py_pair_picture(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    static const char *const label_names[] = { "none", "wrong", "all", NULL };
    g_auto(PyPairs) pairs = { 0 };
    TgEvalOptions options = { 0 };
    TgPairPictureOptions how = TG_PAIR_PICTURE_OPTIONS_INIT;
    PyObject *references, *prediction;
    const char *format_name, *labels_name;
    gint format, labels, lines;
    GBytes *bytes = NULL;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "sOOsdsppp", &options.metrics, &references, &prediction,
                          &format_name, &how.scale, &labels_name, &lines, &how.everything,
                          &how.tint) ||
        !py_choice(format_name, format_names, "format", &format) ||
        !py_choice(labels_name, label_names, "labels", &labels) ||
        !py_pair_init(&pairs, references, prediction))
        return NULL;
    how.labels = (TgLabels) labels;
    how.hide_lines = !lines;
    Py_BEGIN_ALLOW_THREADS g_autoptr(TgRenderer) renderer = renderer_new(&error);
    g_autoptr(TgPairPicture) picture =
        renderer != NULL ? tg_eval_picture(&options, renderer, pairs.pairs, &error) : NULL;
    if (picture != NULL)
        bytes = tg_pair_picture_encode(picture, renderer, (TgPictureFormat) format, &how, &error);
    Py_END_ALLOW_THREADS return py_take_bytes(bytes, error);
}

/* Refuse texts that no reader of files would accept. */
static gboolean check_texts(const TgPair *pair)
{
    gboolean good = pair->hyp != NULL && pair->n_refs > 0 && g_utf8_validate(pair->hyp, -1, NULL);

    for (guint i = 0; good && i < pair->n_refs; i++)
        good = g_utf8_validate(pair->refs[i], -1, NULL);
    if (!good)
        PyErr_SetString(PyExc_ValueError, "a formula is missing or not UTF-8");
    return good;
}

/* explain(metric, references, prediction, width) -> (text, JSON) */
PyObject *py_explain(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    g_auto(PyPairs) pairs = { 0 };
    TgExplanationStyle style = { 0 };
    PyObject *references, *prediction;
    const char *spec;
    char *text = NULL, *json = NULL;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "sOOI", &spec, &references, &prediction, &style.width) ||
        !py_pair_init(&pairs, references, prediction) || !check_texts(pairs.pairs))
        return NULL;
    pairs.pairs->id = "";
    Py_BEGIN_ALLOW_THREADS g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgMetric) metric = tg_metric_new(spec, &error);
    const TgExplanation *explanation =
        metric != NULL ? tg_explanation_new(metric, env, pairs.pairs, &error) : NULL;
    if (explanation != NULL) {
        text = tg_explanation_text(explanation, &style);
        json = tg_explanation_json(explanation);
    }
    Py_END_ALLOW_THREADS if (text == NULL) return py_raise(error);
    return Py_BuildValue("NN", py_take_str(text, NULL), py_take_str(json, NULL));
}
