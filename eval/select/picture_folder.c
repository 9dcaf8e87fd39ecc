/* Pictures, index.jsonl and index.html. */
#include "eval/select/picture_folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <texgauge/types.h>

#include "core/fail.h"
#include "core/json.h"

enum { MAX_ID = 80 };

struct TgPictureFolder {
    char *path;
    GHashTable *ours;  /* names of files that an earlier run wrote */
    FILE *list, *page; /* index.jsonl, index.html */
    GPtrArray *cards;  /* of the page, by place; NULL: written as they come */
};

/* ---- files ----------------------------------------------------------------------------------- */

static gboolean fail(const char *path, GError **error)
{
    return tg_fail(error, TG_ERROR_OUTPUT, "%s: %s", path, g_strerror(errno));
}

static gboolean write_text(FILE *file, const char *text, const TgPictureFolder *folder,
                           GError **error)
{
    return (fputs(text, file) >= 0 && fflush(file) == 0) || fail(folder->path, error);
}

static FILE *create(const TgPictureFolder *folder, const char *name, GError **error)
{
    g_autofree char *path = g_build_filename(folder->path, name, NULL);
    FILE *file = fopen(path, "wb");

    if (file == NULL)
        fail(path, error);
    return file;
}

static gboolean exists(const TgPictureFolder *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder->path, name, NULL);

    return g_file_test(path, G_FILE_TEST_EXISTS) || g_file_test(path, G_FILE_TEST_IS_SYMLINK);
}

/* `000012-name.svg`: the row, and of @id what any file system takes. (transfer full) */
static char *picture_file_name(guint64 row, const char *id)
{
    GString *name = g_string_new(NULL);

    g_string_printf(name, "%06" G_GUINT64_FORMAT, row);
    if (id != NULL && *id != '\0') {
        g_string_append_c(name, '-');
        for (guint i = 0; i < MAX_ID && id[i] != '\0'; i++)
            g_string_append_c(name,
                              g_ascii_isalnum(id[i]) || strchr("_-.", id[i]) != NULL ? id[i] : '_');
    }
    g_string_append(name, ".svg");
    return g_string_free(name, FALSE);
}

/* ---- what is ours ---------------------------------------------------------------------------- */

static gboolean not_ours(const TgPictureFolder *folder, const char *name, GError **error)
{
    return tg_fail(error, TG_ERROR_OUTPUT,
                   "%s/%s exists and was not written by this program; choose another folder",
                   folder->path, name);
}

/* The names in an earlier index; FALSE when the file is something else. */
static gboolean read_index(TgPictureFolder *folder, FILE *file)
{
    gboolean good = TRUE;

    for (guint i = 0; good; i++) {
        json_t *line = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL);
        const char *name = json_string_value(json_object_get(line, "file"));

        if (line == NULL)
            return i > 0; /* an interrupted run may have left half a line */
        if (i == 0)
            good = json_object_get(line, "texgauge_pictures") != NULL;
        else if (name != NULL)
            g_hash_table_add(folder->ours, g_strdup(name));
        json_decref(line);
    }
    return FALSE;
}

static gboolean find_ours(TgPictureFolder *folder, GError **error)
{
    g_autofree char *path = g_build_filename(folder->path, "index.jsonl", NULL);
    FILE *file;

    if (!exists(folder, "index.jsonl"))
        return !exists(folder, "index.html") || not_ours(folder, "index.html", error);
    file = fopen(path, "rb");
    if (file == NULL)
        return fail(path, error);
    const gboolean good = read_index(folder, file);
    fclose(file);
    return good || not_ours(folder, "index.jsonl", error);
}

/* ---- opening and closing --------------------------------------------------------------------- */

static gboolean start_index(TgPictureFolder *folder, const TgPictureFolderInfo *info,
                            GError **error)
{
    json_t *head = json_pack("{s:i, s:s, s:s}", "texgauge_pictures", 1, "metric", info->metric,
                             "only", info->only);
    g_autoptr(GString) line = g_string_new(NULL);
    g_autofree char *page = tg_picture_page_head(info);

    tg_json_append(line, head);
    g_string_append_c(line, '\n');
    json_decref(head);
    folder->list = create(folder, "index.jsonl", error);
    folder->page = folder->list != NULL ? create(folder, "index.html", error) : NULL;
    return folder->page != NULL && write_text(folder->list, line->str, folder, error) &&
           write_text(folder->page, page, folder, error);
}

TgPictureFolder *tg_picture_folder_open(const char *path, const TgPictureFolderInfo *info,
                                        GError **error)
{
    g_autoptr(TgPictureFolder) folder = g_new0(TgPictureFolder, 1);

    folder->path = g_strdup(path);
    folder->ours = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (info->n_places > 0) {
        folder->cards = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_set_size(folder->cards, (gint) info->n_places);
    }
    if (g_mkdir_with_parents(path, 0777) != 0) {
        fail(path, error);
        return NULL;
    }
    if (!find_ours(folder, error) || !start_index(folder, info, error))
        return NULL;
    return g_steal_pointer(&folder);
}

static gboolean close_file(FILE **file, const TgPictureFolder *folder, GError **error)
{
    FILE *closing = g_steal_pointer(file);

    return closing == NULL || fclose(closing) == 0 || fail(folder->path, error);
}

gboolean tg_picture_folder_finish(TgPictureFolder *folder, GError **error)
{
    for (guint i = 0; folder->cards != NULL && i < folder->cards->len; i++)
        if (folder->cards->pdata[i] != NULL &&
            !write_text(folder->page, folder->cards->pdata[i], folder, error))
            return FALSE;
    return write_text(folder->page, tg_picture_page_tail(), folder, error) &&
           close_file(&folder->page, folder, error) && close_file(&folder->list, folder, error);
}

void tg_picture_folder_free(TgPictureFolder *folder)
{
    if (folder == NULL)
        return;
    close_file(&folder->page, folder, NULL);
    close_file(&folder->list, folder, NULL);
    g_hash_table_unref(folder->ours);
    g_clear_pointer(&folder->cards, g_ptr_array_unref);
    g_free(folder->path);
    g_free(folder);
}

/* ---- entries --------------------------------------------------------------------------------- */

static char *entry_line(const TgPictureEntry *entry, const char *name, guint place)
{
    json_t *object = json_object();
    GString *line = g_string_new(NULL);

    json_object_set_new(object, "file", entry->fault == NULL ? json_string(name) : json_null());
    json_object_set_new(object, "rank", json_integer((json_int_t) place + 1));
    json_object_set_new(object, "row", json_integer((json_int_t) entry->row));
    json_object_set_new(object, "id", tg_json_text(entry->id));
    json_object_set_new(object, "model", tg_json_text(entry->model));
    json_object_set_new(object, "score", tg_json_number(entry->score));
    if (entry->fault != NULL)
        json_object_set_new(object, "fault", tg_json_text(entry->fault));
    tg_json_append(line, object);
    g_string_append_c(line, '\n');
    json_decref(object);
    return g_string_free(line, FALSE);
}

static gboolean picture_folder_write(const TgPictureFolder *folder, const char *name,
                                     GBytes *picture, GError **error)
{
    gsize n;
    const void *data = g_bytes_get_data(picture, &n);
    FILE *file = create(folder, name, error);

    if (file == NULL)
        return FALSE;
    const gboolean good = fwrite(data, 1, n, file) == n;
    return (fclose(file) == 0 && good) || fail(folder->path, error);
}

gboolean tg_picture_folder_add(TgPictureFolder *folder, const TgPictureEntry *entry, guint place,
                               GBytes *picture, GError **error)
{
    g_autofree char *name = picture_file_name(entry->row, entry->id);
    g_autofree char *line = entry_line(entry, name, place);
    g_autofree char *card = tg_picture_page_card(entry, name, place);

    if (picture != NULL && exists(folder, name) && !g_hash_table_contains(folder->ours, name))
        return not_ours(folder, name, error);
    if (!write_text(folder->list, line, folder, error) ||
        (picture != NULL && !picture_folder_write(folder, name, picture, error)))
        return FALSE;
    if (folder->cards == NULL)
        return write_text(folder->page, card, folder, error);
    g_free(folder->cards->pdata[place]);
    folder->cards->pdata[place] = g_steal_pointer(&card);
    return TRUE;
}
