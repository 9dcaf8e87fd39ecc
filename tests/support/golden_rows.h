/* Golden tables: text, fields between tabs; first the names of the columns, or comments. */
#pragma once

#include "tests/support/test_support.h"

/**
 * The rows of tests/golden/@name, GStrv of @n_fields each (0: any number); a row of another length
 * is a failure.
 */
static inline GPtrArray *tg_golden_rows(const char *name, guint n_fields)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
    g_autofree char *path = g_build_filename(TG_SOURCE_ROOT, "tests", "golden", name, NULL);
    g_autofree char *text = NULL;

    if (!g_file_get_contents(path, &text, NULL, NULL))
        fail_msg("%s cannot be read", path);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 1; lines[i] != NULL; i++) {
        if (lines[i][0] == '\0' || (text[0] == '#' && lines[i][0] == '#'))
            continue;
        g_ptr_array_add(rows, g_strsplit(lines[i], "\t", -1));
        if (n_fields > 0 && g_strv_length(g_ptr_array_index(rows, rows->len - 1)) != n_fields)
            fail_msg("%s:%u: not %u fields", name, i + 1, n_fields);
    }
    return rows;
}

/** A field, in which `-` stands for nothing. */
static inline const char *tg_golden_field(const char *field)
{
    return strcmp(field, "-") == 0 ? "" : field;
}

/** The text of a field, in which U+2424 stands for a line feed and U+2420 for a blank. (transfer
 * full) */
static inline char *tg_golden_unfold(const char *field)
{
    GString *text = g_string_new(field);

    g_string_replace(text, "␤", "\n", 0);
    g_string_replace(text, "␠", " ", 0);
    return g_string_free(text, FALSE);
}
