/* Calls of the page into the library: score, explain and draw one pair, with the fonts and the
 * metrics kept between calls. Each returns JSON, which the page frees; a fault is {"error": ..,
 * "domain": ..}, so that the page can fetch what is missing or say what is wrong. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <emscripten.h>

#include <texgauge/texgauge.h>

#include "core/json.h"
#include "eval/explain/explain.h"
#include "metrics/metric.h"
#include "render/paint/drawing.h"

#define PAGE_CALL EMSCRIPTEN_KEEPALIVE

PAGE_CALL char *web_score(const char *metrics, const char *ref, const char *hyp);
PAGE_CALL char *web_draw(const char *tex);
PAGE_CALL char *web_explain(const char *spec, const char *ref, const char *hyp);

/* Emscripten 3.1.6 declares this function and has none. There is one thread, so nothing is to do.
 */
int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit)
{
    (void) attributes, (void) inherit;
    return 0;
}

static TgFonts *fonts;
static TgRenderer *renderer;
static TgScorer *scorer; /* of scorer_spec */
static char *scorer_spec;

/* A pair may take this long, in seconds: a formula that does not end must not hold the page. */
#define PAIR_TIMEOUT 5

static char *give_value(json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);

    json_decref(value);
    return text;
}

static char *give_error(GError *error)
{
    char *text = give_value(json_pack("{s:s, s:b}", "error", error->message, "font",
                                      g_error_matches(error, TG_ERROR, TG_ERROR_FONT)));

    g_error_free(error);
    return text;
}

static gboolean open_fonts(GError **error)
{
    if (fonts == NULL)
        fonts = tg_fonts_new(error);
    if (fonts != NULL && renderer == NULL)
        renderer = tg_renderer_new(fonts);
    return renderer != NULL;
}

static TgScorer *get_scorer(const char *metrics, GError **error)
{
    const TgScorerOptions options = { .size = sizeof options, .pair_timeout = PAIR_TIMEOUT };

    if (g_strcmp0(metrics, scorer_spec) == 0)
        return scorer;
    g_clear_pointer(&scorer, tg_scorer_unref);
    g_clear_pointer(&scorer_spec, g_free);
    scorer = tg_scorer_new(metrics, &options, error);
    if (scorer != NULL)
        scorer_spec = g_strdup(metrics);
    return scorer;
}

/* {"version": .., "metrics": [{"name": .., "value": .., "higher": .., "status": ..,
 * "note": ..}]} with a row for each metric: its first column. */
char *web_score(const char *metrics, const char *ref, const char *hyp)
{
    const TgPair pair = { "", &ref, 1, hyp };
    GError *error = NULL;
    TgScorer *with = get_scorer(metrics, &error);
    g_autoptr(TgBatch) batch = with != NULL ? tg_scorer_score(with, &pair, 1, NULL, &error) : NULL;

    if (batch == NULL)
        return give_error(error);
    json_t *rows = json_array();
    for (guint m = 0, column = 0; m < tg_scorer_n_metrics(with); m++) {
        const TgColumn *about = tg_scorer_column(with, column);
        const double value = *tg_batch_column(batch, column);

        json_array_append_new(
            rows, json_pack("{s:s, s:o, s:b, s:s, s:s?, s:s}", "name",
                            tg_scorer_column_name(with, column), "value", tg_json_number(value),
                            "higher", about->direction == TG_HIGHER_IS_BETTER, "status",
                            tg_batch_status(batch, 0, m), "note", tg_batch_note(batch, 0, m),
                            "signature", tg_metric_signature(tg_scorer_metric(with, m))));
        column += tg_metric_n_columns(tg_scorer_metric(with, m));
    }
    return give_value(json_pack("{s:o}", "metrics", rows));
}

static json_t *svg_of(GBytes *bytes)
{
    gsize n;
    const char *data = g_bytes_get_data(bytes, &n);

    return json_stringn(data, n);
}

/* {"svg": .., "canonical": .., "faults": ["unknown command \\foo, column 3"]} of a formula. */
char *web_draw(const char *tex)
{
    TgRenderOptions how = TG_RENDER_OPTIONS_INIT;
    GError *error = NULL;
    guint n;

    if (!open_fonts(&error))
        return give_error(error);
    g_autoptr(TgDrawing) drawing = tg_renderer_draw(renderer, tex, strlen(tex), &how, &error);
    g_autoptr(GBytes) svg =
        drawing != NULL ? tg_drawing_encode(drawing, TG_FORMAT_SVG, TG_INK_NATURAL, &error) : NULL;
    g_autoptr(TgFormula) formula =
        svg != NULL ? tg_formula_parse(tex, strlen(tex), TG_FORMULA_TOLERANT, &error) : NULL;
    if (formula == NULL)
        return give_error(error);
    json_t *faults = json_array();
    const TgFormulaFault *fault = tg_drawing_faults(drawing, &n);
    for (guint i = 0; i < n; i++)
        json_array_append_new(faults,
                              json_sprintf("%s, column %u", fault[i].message, fault[i].column));
    g_autofree char *missing = tg_drawing_missing(drawing);
    if (missing != NULL)
        json_array_append_new(
            faults, json_sprintf("no font of this page has %s: drawn as frames", missing));
    g_autofree char *canonical = tg_formula_canonical(formula, tg_canonical_preset());
    return give_value(
        json_pack("{s:o, s:s, s:o}", "svg", svg_of(svg), "canonical", canonical, "faults", faults));
}

/* {"text": .., "svg": ..}: why a metric gives its score, in words and marked in the drawing. */
char *web_explain(const char *spec, const char *ref, const char *hyp)
{
    const TgPairPictureOptions how = {
        .size = sizeof how, .scale = 1, .labels = TG_LABELS_WRONG, .everything = TRUE
    };
    const TgExplanationStyle style = { .width = 80 };
    const TgPair pair = { "", &ref, 1, hyp };
    GError *error = NULL;
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgMetric) metric = open_fonts(&error) ? tg_metric_new(spec, &error) : NULL;
    g_autofree char *text =
        metric != NULL ? tg_explain_why(metric, env, &pair, &style, FALSE, &error) : NULL;
    g_autoptr(TgPairPicture) picture =
        text != NULL ? tg_metric_picture(metric, env, renderer, &pair, &error) : NULL;
    g_autoptr(GBytes) svg =
        picture != NULL ? tg_pair_picture_encode(picture, renderer, TG_FORMAT_SVG, &how, &error)
                        : NULL;

    if (svg == NULL)
        return give_error(error);
    return give_value(json_pack("{s:s, s:o}", "text", text, "svg", svg_of(svg)));
}
