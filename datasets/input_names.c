#include "datasets/input_names.h"

#include <string.h>

#include "datasets/chain.h"

void tg_input_split(const char *text, char **model, char **path)
{
    const char *equals = strchr(text, '=');
    const gboolean named = equals != NULL && equals > text && equals[1] != '\0' &&
                           memchr(text, '/', (gsize) (equals - text)) == NULL &&
                           !g_file_test(text, G_FILE_TEST_EXISTS);

    *path = g_strdup(named ? equals + 1 : text);
    *model = named ? g_strndup(text, (gsize) (equals - text)) : NULL;
}

/* ---- what a path tells ---- */

/* The parts of a path from the root; "-" is one part. */
static char **input_parts_of(const char *path)
{
    g_autofree char *whole = g_canonicalize_filename(path, NULL);

    if (strcmp(path, "-") == 0)
        return g_strsplit("-", "/", 2);
    return g_strsplit(whole + strspn(whole, "/"), "/", -1);
}

/* @length parts of a path that end @skip parts before its end, fewer at its start. */
static char *input_part(char **parts, guint skip, guint length, gboolean keep_suffix)
{
    const guint n = g_strv_length(parts), end = n - MIN(skip, n - 1);
    const guint start = end - MIN(length, end);
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = start; i < end; i++) {
        const gboolean is_file = i + 1 == n && !keep_suffix;
        g_autofree char *part = is_file ? tg_stem_of_name(parts[i]) : g_strdup(parts[i]);

        g_string_append_printf(text, "%s%s", i > start ? "/" : "", part);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* These parts of all paths, or NULL where two are alike. */
static char **input_parts_at(char ***all, guint n, guint skip, guint length, gboolean keep_suffix)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    g_auto(GStrv) names = g_new0(char *, n + 1);

    for (guint i = 0; i < n; i++) {
        names[i] = input_part(all[i], skip, length, keep_suffix);
        if (!g_hash_table_add(seen, names[i]))
            return NULL;
    }
    return g_steal_pointer(&names);
}

char **tg_input_parts(const char *const *paths)
{
    const guint n = g_strv_length((char **) paths);
    char ***all = g_new0(char **, n + 1);
    char **names = NULL;
    guint depth = 1;

    for (guint i = 0; i < n; i++) {
        all[i] = input_parts_of(paths[i]);
        depth = MAX(depth, g_strv_length(all[i]));
    }
    for (guint keep = 0; names == NULL && keep < 2; keep++)
        for (guint length = 1; names == NULL && length <= depth; length++)
            for (guint skip = 0; names == NULL && skip + length <= depth; skip++)
                names = input_parts_at(all, n, skip, length, keep > 0);
    for (guint i = 0; i < n; i++)
        g_strfreev(all[i]);
    g_free(all);
    return names;
}

/* ---- a list ---- */

static gboolean input_fail_twice(const GPtrArray *paths, GError **error)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = 0; i + 1 < paths->len; i++) {
        const char *path = paths->pdata[i];

        if (g_hash_table_add(seen, g_canonicalize_filename(path, NULL)))
            continue;
        if (strcmp(path, "-") == 0)
            g_set_error_literal(error, TG_ERROR, TG_ERROR_USAGE,
                                "stdin ('-') can be given for one file only");
        else
            g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                        "%s is given twice; to take it for two models, name them: A=%s B=%s", path,
                        path, path);
        break;
    }
    return FALSE;
}

/* A name that a path tells must not be one that the user gave to another input. */
static gboolean input_check_taken(const TgInputNames *names, GError **error)
{
    g_autoptr(GHashTable) given = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < names->n; i++)
        if (names->named[i])
            g_hash_table_insert(given, names->models[i], names->paths[i]);
    for (guint i = 0; i < names->n; i++) {
        const char *other = g_hash_table_lookup(given, names->models[i]);

        if (names->named[i] || other == NULL)
            continue;
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                    "'%s' would name both %s and %s; give %s a name, as MODEL=%s", names->models[i],
                    other, names->paths[i], names->paths[i], names->paths[i]);
        return FALSE;
    }
    return TRUE;
}

gboolean tg_input_names_init(TgInputNames *names, const char *const *texts, const char *model,
                             GError **error)
{
    g_autoptr(GPtrArray) unnamed = g_ptr_array_new();
    const guint n = texts != NULL ? g_strv_length((char **) texts) : 0;

    *names = (TgInputNames){ n, g_new0(char *, n + 1), g_new0(char *, n + 1), g_new0(gboolean, n) };
    for (guint i = 0; i < n; i++) {
        tg_input_split(texts[i], &names->models[i], &names->paths[i]);
        names->named[i] = names->models[i] != NULL;
        if (!names->named[i] && model == NULL)
            g_ptr_array_add(unnamed, names->paths[i]);
        else if (!names->named[i])
            names->models[i] = g_strdup(model);
    }
    g_ptr_array_add(unnamed, NULL);
    g_auto(GStrv) parts = tg_input_parts((const char *const *) unnamed->pdata);
    if (parts == NULL)
        return input_fail_twice(unnamed, error);
    for (guint i = 0, k = 0; i < n; i++)
        if (names->models[i] == NULL)
            names->models[i] = g_strdup(parts[k++]);
    return model != NULL || input_check_taken(names, error);
}

void tg_input_names_clear(TgInputNames *names)
{
    g_strfreev(names->paths);
    for (guint i = 0; names->models != NULL && i < names->n; i++)
        g_free(names->models[i]);
    g_free(names->models);
    g_free(names->named);
    memset(names, 0, sizeof *names);
}
