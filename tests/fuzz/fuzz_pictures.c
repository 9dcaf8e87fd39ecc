/*
 * Fuzz target: scores with detail, and pictures, of any two texts. The input is the prediction and
 * the truth, separated by NUL. Partners must be mutual, spans inside of their texts, and for CDM an
 * identical pair has no red box.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/parts.h"

#include <stdlib.h>

#include <texgauge/picture.h>
#include <texgauge/registry.h>

#include "metrics/metric.h"

static const char *const specs[] = { "cdm", "cdm:page=unlimited:max-elements=300", "cdm-strict",
                                     "forte", "crohme-graph" };

/* Made once. Freed at the end, as the leak checker cannot follow fontconfig's pointers. */
static TgMetric *metrics[G_N_ELEMENTS(specs)];
static TgFonts *fonts;

static void release(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(specs); i++)
        tg_metric_free(metrics[i]);
    tg_fonts_unref(fonts);
}

static GVariant *elements_of(GVariant *detail, const char *side)
{
    g_autoptr(GVariant) found = g_variant_lookup_value(detail, side, G_VARIANT_TYPE_VARDICT);

    return g_variant_lookup_value(found, "elements", G_VARIANT_TYPE("aa{sv}"));
}

static void check_side(GVariant *elements, GVariant *others, const char *text)
{
    for (gsize i = 0; i < g_variant_n_children(elements); i++) {
        g_autoptr(GVariant) element = g_variant_get_child_value(elements, i);
        guint32 start, end, partner, back;

        if (g_variant_lookup(element, "span", "(uu)", &start, &end))
            g_assert_true(start < end && end <= strlen(text));
        if (!g_variant_lookup(element, "partner", "u", &partner))
            continue;
        g_autoptr(GVariant) other = g_variant_get_child_value(others, partner);
        g_assert_true(g_variant_lookup(other, "partner", "u", &back) && back == i);
    }
}

static void check_detail(GVariant *detail, const TgPair *pair)
{
    g_autoptr(GVariant) ref = elements_of(detail, "gt");
    g_autoptr(GVariant) hyp = elements_of(detail, "pred");

    check_side(ref, hyp, pair->refs[0]);
    check_side(hyp, ref, pair->hyp);
}

static void check_fact(const GError *error)
{
    if (error->code != TG_ERROR_DATA && error->code != TG_ERROR_PARSE)
        g_error("%s", error->message);
}

static void score(const TgMetric *metric, TgEnv *env, const TgPair *pair)
{
    g_autoptr(TgResult) result = tg_result_new(metric, TRUE);
    g_autoptr(GError) error = NULL;

    if (!tg_metric_score(metric, env, pair, result, &error))
        check_fact(error);
    else if (g_str_has_prefix(tg_metric_label(metric), "cdm"))
        check_detail(result->detail, pair);
}

static void draw(const TgMetric *metric, TgEnv *env, TgRenderer *renderer, const TgPair *pair)
{
    TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;
    g_autoptr(GError) error = NULL;
    g_autoptr(TgPairPicture) picture = tg_metric_picture(metric, env, renderer, pair, &error);

    options.labels = TG_LABELS_ALL;
    if (picture == NULL) {
        check_fact(error);
        return;
    }
    g_autoptr(GBytes) bytes =
        tg_pair_picture_encode(picture, renderer, TG_FORMAT_SVG, &options, &error);
    if (bytes == NULL)
        g_error("%s", error->message);
    if (strcmp(pair->refs[0], pair->hyp) == 0 && strcmp(tg_metric_label(metric), "cdm") == 0)
        g_assert_true(tg_pair_picture_count(picture, TG_SIDE_REF, TG_TONE_BAD) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_auto(FuzzParts) parts = fuzz_parts(data, size, 2);
    const char *hyp = parts.text[0], *ref = parts.text[1];

    if (!fuzz_parts_are_utf8(&parts))
        return 0;
    if (fonts == NULL) {
        fonts = tg_fonts_new(NULL);
        atexit(release);
    }

    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    const char *refs[] = { *ref != '\0' ? ref : hyp };
    const TgPair pair = { "fuzz", refs, 1, hyp };
    for (guint i = 0; i < G_N_ELEMENTS(specs); i++) {
        if (metrics[i] == NULL)
            metrics[i] = tg_metric_new(specs[i], NULL);
        score(metrics[i], env, &pair);
        draw(metrics[i], env, renderer, &pair);
    }
    return 0;
}
