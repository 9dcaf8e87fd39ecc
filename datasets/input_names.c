#include "datasets/input_names.h"

#include <string.h>

#include "core/fail.h"
#include "datasets/chain.h"
#include "datasets/input_files.h"

/* Split "MODEL=FILE"; *@model is NULL for a FILE alone. The whole is a file where one of that name
 * exists, or where a '/' stands before the '='. */
static void input_split(const char *text, char **model, char **path)
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

/* How many bytes all names begin (end) with, up to and with a character that is in no word. */
static gsize input_shared(char *const *names, gboolean at_end)
{
    gsize shared = 0;

    for (gsize n = 1;; n++) {
        const gsize length = strlen(names[0]);

        if (n >= length)
            return shared;
        const char c = names[0][at_end ? length - n : n - 1];
        for (guint i = 1; names[i] != NULL; i++) {
            const gsize other = strlen(names[i]);

            if (n >= other || names[i][at_end ? other - n : n - 1] != c)
                return shared;
        }
        if (!g_ascii_isalnum(c) && (guchar) c < 0x80)
            shared = n;
    }
}

char **tg_input_subsets(const GPtrArray *paths)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();

    if (paths->len < 2)
        return NULL;
    for (guint i = 0; i < paths->len; i++)
        g_ptr_array_add(list, paths->pdata[i]);
    g_ptr_array_add(list, NULL);
    char **names = tg_input_parts((const char *const *) list->pdata);
    if (names == NULL)
        return NULL;
    const gsize front = input_shared(names, FALSE);
    gsize back = input_shared(names, TRUE);
    for (guint i = 0; names[i] != NULL; i++)
        if (front + back >= strlen(names[i]))
            back = 0;
    for (guint i = 0; names[i] != NULL; i++) {
        char *word = g_strndup(names[i] + front, strlen(names[i]) - front - back);

        g_free(names[i]);
        names[i] = word;
    }
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
        return tg_fail_usage(error, "'%s' would name both %s and %s; give %s a name, as MODEL=%s",
                             names->models[i], other, names->paths[i], names->paths[i],
                             names->paths[i]);
    }
    return TRUE;
}

/* Patterns without a name stand for one model a file, as if a shell had expanded them. */
static char **input_expand_patterns(const char *const *texts, GError **error)
{
    g_autoptr(GStrvBuilder) list = g_strv_builder_new();

    for (guint i = 0; texts != NULL && texts[i] != NULL; i++) {
        g_autofree char *model = NULL, *path = NULL;

        input_split(texts[i], &model, &path);
        if (model != NULL || !tg_input_is_pattern(path)) {
            g_strv_builder_add(list, texts[i]);
            continue;
        }
        g_auto(GStrv) files = tg_input_files(path, error);
        if (files == NULL)
            return NULL;
        g_strv_builder_addv(list, (const char **) files);
    }
    return g_strv_builder_end(list);
}

/* Folders, and patterns with a name, become the files of their model. */
static gboolean input_expand_folders(TgInputNames *names, GError **error)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new(), models = g_ptr_array_new();
    g_autoptr(GArray) named = g_array_new(FALSE, FALSE, sizeof(gboolean));
    gboolean good = TRUE;

    for (guint i = 0; good && i < names->n; i++) {
        g_auto(GStrv) files = tg_input_files(names->paths[i], error);

        good = files != NULL;
        for (guint k = 0; good && files[k] != NULL; k++) {
            g_ptr_array_add(paths, g_strdup(files[k]));
            g_ptr_array_add(models, g_strdup(names->models[i]));
            g_array_append_val(named, names->named[i]);
        }
    }
    tg_input_names_clear(names);
    names->n = paths->len;
    g_ptr_array_add(paths, NULL);
    g_ptr_array_add(models, NULL);
    names->paths = (char **) g_ptr_array_steal(paths, NULL);
    names->models = (char **) g_ptr_array_steal(models, NULL);
    names->named = (gboolean *) (void *) g_array_steal(named, NULL);
    return good;
}

static gboolean input_name_all(TgInputNames *names, const char *const *texts, const char *model,
                               GError **error)
{
    g_autoptr(GPtrArray) unnamed = g_ptr_array_new();
    const guint n = texts != NULL ? g_strv_length((char **) texts) : 0;

    *names = (TgInputNames){ n, g_new0(char *, n + 1), g_new0(char *, n + 1), g_new0(gboolean, n) };
    for (guint i = 0; i < n; i++) {
        input_split(texts[i], &names->models[i], &names->paths[i]);
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

gboolean tg_input_names_init(TgInputNames *names, const char *const *texts, const char *model,
                             GError **error)
{
    g_auto(GStrv) all = input_expand_patterns(texts, error);

    *names = (TgInputNames){ 0 };
    return all != NULL && input_name_all(names, (const char *const *) all, model, error) &&
           input_expand_folders(names, error);
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
