#include "datasets/input_names.h"

#include <glob.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "core/utf8.h"

/* ---- the files that a path stands for ---- */

/* Whether @path has a wildcard (* ? [) and is no file itself. */
static gboolean is_pattern(const char *path)
{
    return strpbrk(path, "*?[") != NULL && !g_file_test(path, G_FILE_TEST_EXISTS);
}

static GPtrArray *files_in_folder(const char *path)
{
    g_autoptr(GPtrArray) names = tg_folder_names(path, "", NULL);
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        g_autofree char *file = g_build_filename(path, name, NULL);

        if (*name != '.' && !g_file_test(file, G_FILE_TEST_IS_DIR))
            g_ptr_array_add(files, g_steal_pointer(&file));
    }
    return files;
}

static GPtrArray *files_of_pattern(const char *pattern)
{
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
    glob_t found = { 0 };

    if (glob(pattern, 0, NULL, &found) == 0)
        for (gsize i = 0; i < found.gl_pathc; i++)
            if (!g_file_test(found.gl_pathv[i], G_FILE_TEST_IS_DIR))
                g_ptr_array_add(files, g_strdup(found.gl_pathv[i]));
    globfree(&found);
    return files;
}

char **tg_input_files(const char *path, GError **error)
{
    const gboolean pattern = is_pattern(path);
    const char *const alone[] = { path, NULL };

    if (!pattern && !g_file_test(path, G_FILE_TEST_IS_DIR))
        return g_strdupv((char **) alone);
    g_autoptr(GPtrArray) files = pattern ? files_of_pattern(path) : files_in_folder(path);
    if (files->len == 0)
        return tg_null_input(error,
                             pattern ? "%s: matches no file"
                                     : "%s: the folder has no files; those of folders in it are "
                                       "given by a quoted pattern, such as '%s/*/NAME.txt'",
                             path, path);
    tg_texts_sort(files); /* whatever the order on the disk */
    g_ptr_array_add(files, NULL);
    return (char **) g_ptr_array_steal(files, NULL);
}

/* ---- what a path tells ---- */

const char *tg_subset_of_name(const char *path)
{
    static const char *const subsets[] = { "spe", "cpe", "sce", "hwe" };
    g_autofree char *base = g_path_get_basename(path);

    for (const char *word = base; *word != '\0';) {
        gsize n = 0;

        while (g_ascii_isalnum(word[n]))
            n++;
        for (guint i = 0; i < G_N_ELEMENTS(subsets); i++)
            if (n == 3 && g_ascii_strncasecmp(word, subsets[i], 3) == 0)
                return subsets[i];
        word += MAX(n, 1);
    }
    return NULL;
}

char *tg_stem_of_name(const char *path)
{
    char *base = g_path_get_basename(path);

    for (guint i = 0; i < 2; i++) {
        char *dot = strrchr(base, '.');
        if (dot == NULL || dot == base)
            break;
        const gboolean packed = strcmp(dot, ".gz") == 0 || strcmp(dot, ".zst") == 0;
        *dot = '\0';
        if (!packed)
            break;
    }
    return base;
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

/* These parts of all paths (char **), or NULL where two are alike. */
static char **input_parts_at(const GPtrArray *all, guint skip, guint length, gboolean keep_suffix)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    g_auto(GStrv) names = g_new0(char *, all->len + 1);

    for (guint i = 0; i < all->len; i++) {
        names[i] = input_part(all->pdata[i], skip, length, keep_suffix);
        if (!g_hash_table_add(seen, names[i]))
            return NULL;
    }
    return g_steal_pointer(&names);
}

char **tg_input_parts(const char *const *paths)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
    char **names = NULL;
    guint depth = 1;

    for (guint i = 0; paths[i] != NULL; i++) {
        g_autofree char *whole = g_canonicalize_filename(paths[i], NULL);
        const char *from_root = whole + strspn(whole, "/");

        g_ptr_array_add(all, g_strsplit(strcmp(paths[i], "-") == 0 ? "-" : from_root, "/", -1));
        depth = MAX(depth, g_strv_length(all->pdata[i]));
    }
    for (guint keep = 0; names == NULL && keep < 2; keep++)
        for (guint length = 1; names == NULL && length <= depth; length++)
            for (guint skip = 0; names == NULL && skip + length <= depth; skip++)
                names = input_parts_at(all, skip, length, keep > 0);
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

char **tg_input_subsets(char *const *paths)
{
    if (paths[0] == NULL || paths[1] == NULL)
        return NULL;
    char **names = tg_input_parts((const char *const *) paths);
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

/* The names of files without folders and suffixes. (transfer full), NULL last */
static char **input_stems(char *const *paths)
{
    char **stems = g_new0(char *, g_strv_length((char **) paths) + 1);

    for (guint i = 0; paths[i] != NULL; i++)
        stems[i] = tg_stem_of_name(paths[i]);
    return stems;
}

guint tg_input_count_shared(char *const *names, char *const *others, guint *only)
{
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    guint n = 0, first = G_MAXUINT;

    for (guint i = 0; others[i] != NULL; i++)
        g_hash_table_add(known, others[i]);
    for (guint i = 0; names[i] != NULL; i++)
        if (g_hash_table_contains(known, names[i]))
            n++;
        else
            first = MIN(first, i);
    if (only != NULL)
        *only = first;
    return n;
}

/* ---- a list ---- */

/* Take ":FIELD" off "FILE:FIELD", where FILE exists and the whole does not; NULL: there is none.
 * (transfer full) */
static char *split_field(char *path)
{
    if (g_file_test(path, G_FILE_TEST_EXISTS))
        return NULL;
    for (char *colon = strchr(path, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
        *colon = '\0';
        if (colon[1] != '\0' && g_file_test(path, G_FILE_TEST_EXISTS))
            return g_strdup(colon + 1);
        *colon = ':';
    }
    return NULL;
}

/* Whether "FILE" or "FILE:FIELD" names a file that is there. */
static gboolean input_exists(const char *text)
{
    g_autofree char *path = g_strdup(text);
    g_autofree char *field = split_field(path);

    return field != NULL || g_file_test(path, G_FILE_TEST_EXISTS);
}

void tg_input_split(const char *text, char **model, char **path)
{
    const char *equals = strchr(text, '=');
    const gboolean named =
        equals != NULL && equals > text && equals[1] != '\0' &&
        !g_file_test(text, G_FILE_TEST_EXISTS) &&
        (memchr(text, '/', (gsize) (equals - text)) == NULL || input_exists(equals + 1));

    *path = g_strdup(named ? equals + 1 : text);
    *model = named ? g_strndup(text, (gsize) (equals - text)) : NULL;
}

static gboolean input_fail_twice(const GPtrArray *paths, GError **error)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = 0; i + 1 < paths->len; i++) {
        const char *path = paths->pdata[i];

        if (g_hash_table_add(seen, g_canonicalize_filename(path, NULL)))
            continue;
        if (strcmp(path, "-") == 0)
            tg_fail_usage(error, "stdin ('-') can be given for one file only");
        else
            tg_fail_usage(error,
                          "%s is given twice; to take it for two models, name them: A=%s B=%s",
                          path, path, path);
        break;
    }
    return FALSE;
}

/* A name that a path tells must not be one that the user gave to another input. */
static gboolean input_check_taken(const TgInputNames *names, GError **error)
{
    g_autoptr(GHashTable) given = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < names->n; i++)
        if (names->at[i].named)
            g_hash_table_insert(given, names->at[i].model, names->at[i].path);
    for (guint i = 0; i < names->n; i++) {
        const char *other = g_hash_table_lookup(given, names->at[i].model);

        if (names->at[i].named || other == NULL)
            continue;
        return tg_fail_usage(error, "'%s' would name both %s and %s; give %s a name, as MODEL=%s",
                             names->at[i].model, other, names->at[i].path, names->at[i].path,
                             names->at[i].path);
    }
    return TRUE;
}

/* Patterns without a name stand for one model a file, as if a shell had expanded them. */
static char **input_expand_patterns(const char *const *texts, GError **error)
{
    g_autoptr(GStrvBuilder) list = g_strv_builder_new();

    for (guint i = 0; texts != NULL && texts[i] != NULL; i++) {
        g_autofree char *model = NULL, *path = NULL;

        tg_input_split(texts[i], &model, &path);
        if (model != NULL || !is_pattern(path)) {
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

/* Whether half of @files are called as some of @refs are, by their stems or by the parts in which
 * they differ. */
static gboolean input_names_meet(char *const *files, char *const *refs)
{
    char **(*const namers[])(char *const *paths) = { input_stems, tg_input_subsets };

    for (guint k = 0; k < G_N_ELEMENTS(namers); k++) {
        g_auto(GStrv) words = namers[k](files), others = namers[k](refs);
        const guint n = g_strv_length((char **) files);

        if (words == NULL || others == NULL)
            return FALSE;
        if (n > 1 && 2 * tg_input_count_shared(words, others, NULL) >= n)
            return TRUE;
    }
    return FALSE;
}

/* The folder of a pattern, without parts that are patterns themselves. (transfer full) */
static char *input_pattern_folder(const char *pattern)
{
    char *folder = g_path_get_dirname(pattern);

    while (strpbrk(folder, "*?[") != NULL) {
        char *above = g_path_get_dirname(folder);
        g_free(folder);
        folder = above;
    }
    return folder;
}

char **tg_input_join_patterns(const char *const *texts, char *const *refs)
{
    g_autoptr(GPtrArray) folders = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) patterns = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) at = g_array_new(FALSE, FALSE, sizeof(guint));
    char **list = g_strdupv((char **) texts);

    for (guint i = 0; list != NULL && list[i] != NULL && refs[0] != NULL && refs[1] != NULL; i++) {
        g_autofree char *model = NULL, *path = NULL;

        tg_input_split(list[i], &model, &path);
        g_auto(GStrv) files = model == NULL && is_pattern(path) ? tg_input_files(path, NULL) : NULL;
        if (files == NULL || !input_names_meet(files, refs))
            continue;
        g_ptr_array_add(folders, input_pattern_folder(path));
        g_ptr_array_add(patterns, g_steal_pointer(&path));
        g_array_append_val(at, i);
    }
    g_ptr_array_add(folders, NULL);
    g_ptr_array_add(patterns, NULL);
    g_auto(GStrv) names = tg_input_parts((const char *const *) folders->pdata);
    if (names == NULL)
        names = tg_input_parts((const char *const *) patterns->pdata);
    for (guint i = 0; names != NULL && i < at->len; i++) {
        char **text = &list[g_array_index(at, guint, i)];
        g_free(*text);
        *text = g_strconcat(names[i], "=", patterns->pdata[i], NULL);
    }
    return list;
}

/* Folders, and patterns with a name, become the files of their model. */
static gboolean input_expand_folders(TgInputNames *names, GError **error)
{
    g_autoptr(GArray) all = g_array_new(FALSE, TRUE, sizeof(TgInputName));
    gboolean good = TRUE;

    for (guint i = 0; good && i < names->n; i++) {
        const TgInputName *from = &names->at[i];
        g_auto(GStrv) files = tg_input_files(from->path, error);

        good = files != NULL;
        for (guint k = 0; good && files[k] != NULL; k++) {
            const TgInputName file = { .path = g_strdup(files[k]),
                                       .model = g_strdup(from->model),
                                       .named = from->named,
                                       .field = g_strdup(from->field) };
            g_array_append_val(all, file);
        }
    }
    tg_input_names_clear(names);
    names->n = all->len;
    names->at = (TgInputName *) (void *) g_array_steal(all, NULL);
    return good;
}

gboolean tg_input_name_all(TgInputNames *names, const char *const *texts, const char *model,
                           GError **error)
{
    g_autoptr(GPtrArray) unnamed = g_ptr_array_new();
    const guint n = texts != NULL ? g_strv_length((char **) texts) : 0;

    *names = (TgInputNames){ n, g_new0(TgInputName, n) };
    for (guint i = 0; i < n; i++) {
        TgInputName *name = &names->at[i];

        tg_input_split(texts[i], &name->model, &name->path);
        name->field = split_field(name->path);
        if (name->model == NULL) /* the column's name it is */
            name->model = g_strdup(name->field);
        name->named = name->model != NULL;
        if (!name->named && model == NULL)
            g_ptr_array_add(unnamed, name->path);
        else if (!name->named)
            name->model = g_strdup(model);
    }
    g_ptr_array_add(unnamed, NULL);
    g_auto(GStrv) parts = tg_input_parts((const char *const *) unnamed->pdata);
    if (parts == NULL)
        return input_fail_twice(unnamed, error);
    for (guint i = 0, k = 0; i < n; i++)
        if (names->at[i].model == NULL)
            names->at[i].model = g_strdup(parts[k++]);
    return model != NULL || input_check_taken(names, error);
}

gboolean tg_input_names_init(TgInputNames *names, const char *const *texts, const char *model,
                             GError **error)
{
    g_auto(GStrv) all = input_expand_patterns(texts, error);

    *names = (TgInputNames){ 0 };
    if (all == NULL || !tg_input_name_all(names, (const char *const *) all, model, error) ||
        !input_expand_folders(names, error))
        return FALSE;
    /* the part of the name in which the files of one model differ, if it has several */
    for (guint first = 0; first < names->n; first++) {
        g_autoptr(GPtrArray) own = g_ptr_array_new();

        for (guint i = 0; i < names->n; i++)
            if (strcmp(names->at[i].model, names->at[first].model) == 0)
                g_ptr_array_add(own, names->at[i].path);
        if (own->pdata[0] != names->at[first].path)
            continue; /* its model had its turn */
        g_ptr_array_add(own, NULL);
        g_auto(GStrv) words = tg_input_subsets((char *const *) own->pdata);
        for (guint i = first, k = 0; words != NULL && i < names->n; i++)
            if (names->at[i].path == own->pdata[k])
                names->at[i].subset = g_strdup(words[k++]);
    }
    return TRUE;
}

void tg_input_names_clear(TgInputNames *names)
{
    for (guint i = 0; i < names->n; i++) {
        g_free(names->at[i].path);
        g_free(names->at[i].model);
        g_free(names->at[i].field);
        g_free(names->at[i].subset);
    }
    g_free(names->at);
    *names = (TgInputNames){ 0 };
}
