#include "tests/support/golden.h"

json_t *tg_golden_read(const char *path)
{
    g_autofree char *text = NULL;
    gsize size;
    json_error_t error;

    if (!g_file_get_contents(path, &text, &size, NULL))
        fail_msg("%s cannot be read", path);
    if (!g_str_has_suffix(path, ".jsonl")) {
        json_t *value = json_loadb(text, size, 0, &error);
        if (value == NULL)
            fail_msg("%s:%d: %s", path, error.line, error.text);
        return value;
    }

    json_t *records = json_array();
    for (const char *line = text, *end; line < text + size; line = end + 1) {
        end = memchr(line, '\n', size - (gsize) (line - text));
        assert_non_null(end);
        json_t *record = json_loadb(line, (size_t) (end - line), 0, &error);
        if (record == NULL)
            fail_msg("%s: %s", path, error.text);
        json_array_append_new(records, record);
    }
    return records;
}

json_t *tg_golden_shared(const char *relative)
{
    g_autofree char *path = tg_shared_or_skip(relative);

    return tg_golden_read(path);
}

json_t *tg_golden_if_shared(const char *relative)
{
    g_autofree char *path = tg_shared_path(relative);

    return path != NULL ? tg_golden_read(path) : NULL;
}

json_t *tg_golden_own(const char *name)
{
    g_autofree char *path = g_build_filename(TG_SOURCE_ROOT, "tests", "golden", name, NULL);

    return tg_golden_read(path);
}

const char *tg_golden_string(const json_t *record, const char *key)
{
    const json_t *value = json_object_get(record, key);

    if (!json_is_string(value))
        fail_msg("golden record without a string '%s'", key);
    return json_string_value(value);
}

double tg_golden_number(const json_t *record, const char *key)
{
    const json_t *value = json_object_get(record, key);

    if (!json_is_number(value))
        fail_msg("golden record without a number '%s'", key);
    return json_number_value(value);
}

double *tg_golden_numbers(const json_t *record, const char *key, guint *n)
{
    const json_t *array = json_object_get(record, key);
    double *numbers;

    if (!json_is_array(array))
        fail_msg("golden record without an array '%s'", key);
    *n = json_array_size(array);
    numbers = g_new(double, *n);
    for (guint i = 0; i < *n; i++) {
        if (!json_is_number(json_array_get(array, i)))
            fail_msg("'%s' of a golden record holds something else than numbers", key);
        numbers[i] = json_number_value(json_array_get(array, i));
    }
    return numbers;
}
