/* Fuzz target: what users write in options: metric specs, conditions, maps of fields. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "datasets/records/fields.h"
#include "eval/results/results.h"
#include "metrics/metric.h"
#include "tests/fuzz/parts.h"
#include <texgauge/registry.h>

/* Specs that name a file would open whatever the input says. */
static void try_spec(const char *spec)
{
    g_autoptr(GError) error = NULL;

    if (strchr(spec, '/') != NULL || strchr(spec, '.') != NULL)
        return;
    g_autoptr(TgMetric) metric = tg_metric_new(spec, &error);
    if (metric == NULL) {
        g_assert_true(error != NULL && error->domain == TG_ERROR);
        return;
    }
    /* The signature names the same metric again. */
    g_assert_true(g_utf8_validate(tg_metric_signature(metric), -1, NULL));
}

static void try_condition(const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TgCondition) condition = tg_condition_new(text, &error);
    const TgFieldValue number = { TRUE, 0.5, NULL }, word = { TRUE, 0, "word" };

    if (condition == NULL) {
        g_assert_error(error, TG_ERROR, TG_ERROR_USAGE);
        return;
    }
    tg_condition_holds(condition, &number);
    tg_condition_holds(condition, &word);
}

static void try_map(const char *map, const char *object)
{
    const char *const maps[] = { map, NULL }, *const human[] = { "H=a", NULL };
    g_autoptr(TgFieldMap) fields = tg_field_map_new(maps, human, maps, NULL);
    json_auto_t *json = json_loads(object, 0, NULL);

    if (fields != NULL && json_is_object(json)) {
        g_autoptr(TgFieldSample) sample = tg_field_sample_new();
        g_autofree char *reason = NULL;
        g_auto(TgRecord) record = { 0 };
        TgRoles roles;

        tg_field_sample_add(sample, json);
        g_assert_true(tg_roles_decide(fields, TG_FILE_PAIRS, sample, "data", FALSE, &roles,
                                      &reason) == (reason == NULL));
        tg_record_reset(&record);
        record.file = "data";
        tg_row_fill(fields, TG_FILE_PAIRS, &roles, json, FALSE, &record);
        tg_roles_clear(&roles);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_auto(FuzzParts) parts = fuzz_parts(data, size, 2);

    if (!g_utf8_validate(parts.text[0], -1, NULL))
        return 0;
    try_spec(parts.text[0]);
    try_condition(parts.text[0]);
    try_map(parts.text[0], parts.text[1]);
    return 0;
}
