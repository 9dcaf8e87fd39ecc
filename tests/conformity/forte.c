/*
 * How far FORTE's reading and alignment agree with its reference program: rates, and what differs.
 *
 * Severity and score are defined anew since version 3 (docs/metrics/forte.md), and so is the price
 * of a wrong digit; styles that mean something and blanks are edits that the program does not know.
 * Alphabets of signs (\mathcal{\theta}) and what follows \not are read as TeX sets them since 17.
 */
#include <stdio.h>
#include <stdlib.h>

#include <texgauge/texgauge.h>

#include "tests/support/golden.h"

#include "metrics/metric.h"

#define MIN_READ   0.92
#define MIN_AGREED 0.86 /* with the same edits, of several that cost the same */

/* The parts that are compared, in this order; the first that differs names the class. */
typedef enum { PART_REF, PART_HYP, PART_EDITS, N_PARTS } Part;

static const char *const part_names[N_PARTS] = { "tokens of the truth", "tokens of the prediction",
                                                 "edits" };

static const char *string_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* Whether a token is an upright letter: of other tokens the flag means nothing and is not compared.
 */
static int is_upright_letter(const char *kind, gboolean upright)
{
    return upright && strcmp(kind, "L") == 0;
}

/* "name/kind/font/upright ..." of the reference's list. */
static char *expected_tokens(const json_t *list)
{
    GString *out = g_string_new(NULL);

    tg_golden_each(token, list) g_string_append_printf(
        out, "%s/%s/%s/%d ", json_string_value(json_array_get(token, 0)),
        json_string_value(json_array_get(token, 1)), json_string_value(json_array_get(token, 2)),
        is_upright_letter(json_string_value(json_array_get(token, 1)),
                          json_integer_value(json_array_get(token, 3)) != 0));
    return g_string_free(out, FALSE);
}

static char *actual_tokens(GVariant *detail, const char *key)
{
    g_autoptr(GVariant) list = g_variant_lookup_value(detail, key, G_VARIANT_TYPE("a(sssbuu)"));
    GString *out = g_string_new(NULL);
    GVariantIter iter;
    const char *name, *kind, *font;
    gboolean upright;

    g_variant_iter_init(&iter, list);
    while (g_variant_iter_next(&iter, "(&s&s&sbuu)", &name, &kind, &font, &upright, NULL, NULL))
        g_string_append_printf(out, "%s/%s/%s/%d ", name, kind, font,
                               is_upright_letter(kind, upright));
    return g_string_free(out, FALSE);
}

/* Of a digit for another and of another sign for a digit: 1.2 and 1.3 in the program. Of pi for
 * another letter: 1 and 1.15. */
static double expected_cost(const json_t *edit)
{
    const char *class = json_string_value(json_array_get(edit, 0));
    const char *ref = json_string_value(json_array_get(edit, 2));
    const char *hyp = json_string_value(json_array_get(edit, 3));
    const gboolean digit = g_ascii_isdigit(ref[0]) || g_ascii_isdigit(hyp[0]);
    const gboolean pi = strcmp(ref, "pi") == 0 || strcmp(hyp, "pi") == 0;

    return strcmp(class, "digit") == 0 || (strcmp(class, "cross-kind") == 0 && digit) ||
                   (strcmp(class, "letter") == 0 && pi)
               ? 1.6
               : json_number_value(json_array_get(edit, 1));
}

static char *expected_edits(const json_t *list)
{
    GString *out = g_string_new(NULL);

    tg_golden_each(edit, list) g_string_append_printf(
        out, "%.9f %s>%s %d %d;", expected_cost(edit), json_string_value(json_array_get(edit, 2)),
        json_string_value(json_array_get(edit, 3)),
        (int) json_integer_value(json_array_get(edit, 4)),
        (int) json_integer_value(json_array_get(edit, 5)));
    return g_string_free(out, FALSE);
}

static char *actual_edits(GVariant *detail)
{
    g_autoptr(GVariant) list = g_variant_lookup_value(detail, "edits", G_VARIANT_TYPE("a(udssuu)"));
    GString *out = g_string_new(NULL);
    GVariantIter iter;
    const char *ref, *hyp;
    double cost;
    guint32 i, j;

    g_variant_iter_init(&iter, list);
    while (g_variant_iter_next(&iter, "(ud&s&suu)", NULL, &cost, &ref, &hyp, &i, &j))
        g_string_append_printf(out, "%.9f %s>%s %u %u;", cost, ref, hyp, i, j);
    return g_string_free(out, FALSE);
}

static gboolean same_text(const char *source, const char *id, Part part, const char *expected,
                          const char *actual)
{
    gsize at = 0;

    if (strcmp(expected, actual) == 0)
        return TRUE;
    while (expected[at] == actual[at])
        at++;
    at = at > 24 ? at - 24 : 0;
    printf("%s: %s\n    of    %.220s\n    want  %.100s\n    have  %.100s\n", id, part_names[part],
           source, expected + at, actual + at);
    return FALSE;
}

/* The first part in which a pair differs, or N_PARTS. */
static Part compare_pair(const json_t *row, const char *ref, const char *hyp, GVariant *detail)
{
    const char *id = string_of(row, "id");
    g_autofree char *want_ref = expected_tokens(json_object_get(row, "gt_tokens"));
    g_autofree char *have_ref = actual_tokens(detail, "ref-tokens");
    g_autofree char *want_hyp = expected_tokens(json_object_get(row, "pred_tokens"));
    g_autofree char *have_hyp = actual_tokens(detail, "hyp-tokens");
    g_autofree char *want_edits = expected_edits(json_object_get(row, "edits"));
    g_autofree char *have_edits = actual_edits(detail);

    if (!same_text(ref, id, PART_REF, want_ref, have_ref))
        return PART_REF;
    if (!same_text(hyp, id, PART_HYP, want_hyp, have_hyp))
        return PART_HYP;
    if (!same_text(hyp, id, PART_EDITS, want_edits, have_edits))
        return PART_EDITS;
    return N_PARTS;
}

static const json_t *find_row(const json_t *rows, const char *id)
{
    tg_golden_each(row, rows) if (g_strcmp0(string_of(row, "id"), id) == 0) return row;
    return NULL;
}

int main(void)
{
    json_auto_t *values = tg_golden_if_shared("reference/forte/dev.jsonl");
    json_auto_t *pairs = tg_golden_if_shared("cdm-reference/dev.jsonl");
    g_autoptr(GError) error = NULL;
    g_autoptr(TgMetric) metric = tg_metric_new("forte", &error);
    g_autoptr(TgEnv) env = tg_env_new();
    guint counts[N_PARTS + 1] = { 0 };
    const guint n = (guint) json_array_size(values);

    if (values == NULL || pairs == NULL)
        return tg_skip_program_without_shared();
    if (metric == NULL) {
        printf("%s\n", error->message);
        return EXIT_FAILURE;
    }
    tg_golden_each(row, values)
    {
        const json_t *pair = find_row(pairs, string_of(row, "id"));
        const gboolean raw = json_object_get(pair, "gt_raw") != NULL;
        const char *ref = string_of(pair, raw ? "gt_raw" : "gt");
        const char *hyp = string_of(pair, raw ? "pred_raw" : "pred");
        g_autoptr(TgResult) result = tg_result_new(metric, TRUE);
        const TgPair scored = { string_of(row, "id"), &ref, 1, hyp };

        tg_env_next_pair(env);
        if (!tg_metric_score(metric, env, &scored, result, NULL) || result->detail == NULL) {
            printf("%s: no score: %s\n", scored.id, tg_result_status(result));
            counts[PART_REF]++;
            continue;
        }
        counts[compare_pair(row, ref, hyp, result->detail)]++;
    }

    for (guint p = 0; p < N_PARTS; p++)
        printf("%4u differ in %s\n", counts[p], part_names[p]);
    printf("%u of %u pairs agree (%.2f %%)\n", counts[N_PARTS], n, 100.0 * counts[N_PARTS] / n);
    return counts[N_PARTS] + counts[PART_EDITS] >= MIN_READ * n && counts[N_PARTS] >= MIN_AGREED * n
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
