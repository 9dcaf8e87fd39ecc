/* Files that are written under a temporary name, outputs that a run must not replace, and files
 * that a signal removes. */
#include "core/files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/fail.h"

/* ---- the files of a run ---- */

/* The run of this thread: identities of files that it reads, places of files that it wrote. Another
 * process may replace a file by a new one with another inode, so files are known by their names. */
static GPrivate run_files = G_PRIVATE_INIT((GDestroyNotify) g_hash_table_unref);

void tg_run_files_begin(void)
{
    g_private_replace(&run_files, g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL));
}

static GHashTable *files_of_run(void)
{
    if (g_private_get(&run_files) == NULL)
        tg_run_files_begin();
    return g_private_get(&run_files);
}

static char *identity_of(const struct stat *info)
{
    return S_ISREG(info->st_mode)
               ? g_strdup_printf("%ju:%ju", (uintmax_t) info->st_dev, (uintmax_t) info->st_ino)
               : NULL;
}

/* Device and inode of the folder of a file, which need not exist, with the file's name; links are
 * followed. */
static char *place_of(const char *path)
{
    char *real = realpath(path, NULL);
    g_autofree char *whole = real != NULL ? g_strdup(real) : g_canonicalize_filename(path, NULL);
    g_autofree char *folder = g_path_get_dirname(whole);
    g_autofree char *name = g_path_get_basename(whole);
    struct stat info;

    free(real);
    if (stat(folder, &info) != 0)
        return g_steal_pointer(&whole);
    return g_strdup_printf("%ju:%ju/%s", (uintmax_t) info.st_dev, (uintmax_t) info.st_ino, name);
}

/* The identity of an output by device and inode, or its place if it does not exist. NULL: the
 * output is no file. */
static char *output_identity(const char *path)
{
    struct stat info;

    if (path == NULL || strcmp(path, "-") == 0)
        return fstat(STDOUT_FILENO, &info) == 0 ? identity_of(&info) : NULL;
    return stat(path, &info) == 0 ? identity_of(&info) : place_of(path);
}

void tg_run_files_note(const char *path)
{
    const char *equals = strchr(path, '='); /* an argument MODEL=FILE */
    struct stat info;

    if (equals != NULL)
        tg_run_files_note(equals + 1);
    if (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &info) != 0 : stat(path, &info) != 0)
        return;
    char *id = identity_of(&info);
    if (id != NULL)
        g_hash_table_add(files_of_run(), id);
}

void tg_run_files_allow(const char *path)
{
    g_autofree char *id = output_identity(path), *place = place_of(path);

    g_hash_table_remove(files_of_run(), place);
    if (id != NULL)
        g_hash_table_remove(files_of_run(), id);
}

gboolean tg_is_same_file(const char *a, const char *b)
{
    g_autofree char *one = output_identity(a), *other = output_identity(b);

    return one != NULL ? g_strcmp0(one, other) == 0 : strcmp(a, "-") == 0 && strcmp(b, "-") == 0;
}

static gboolean check_run_files(const char *path, GError **error)
{
    const gboolean named = path != NULL && strcmp(path, "-") != 0;
    g_autofree char *id = output_identity(path), *place = named ? place_of(path) : NULL;

    if (id != NULL && g_hash_table_contains(files_of_run(), id))
        return tg_fail_usage(error, "%s is an input, and cannot be the output",
                             named ? path : "stdout");
    return place == NULL || !g_hash_table_contains(files_of_run(), place) ||
           tg_fail_usage(error, "%s is written by this run already", path);
}

gboolean tg_output_check(const char *path, const char *const *marks, const char *advice,
                         GError **error)
{
    enum { HEAD = 64 << 10 };
    struct stat info;

    if (!check_run_files(path, error))
        return FALSE;
    if (advice == NULL || path == NULL || strcmp(path, "-") == 0 || stat(path, &info) != 0 ||
        !S_ISREG(info.st_mode) || info.st_size == 0)
        return TRUE;
    g_autofree char *head = g_malloc(HEAD);
    FILE *file = fopen(path, "rb");
    const gsize n = file != NULL ? fread(head, 1, HEAD, file) : 0;
    if (file != NULL)
        fclose(file);
    for (guint i = 0; marks != NULL && marks[i] != NULL; i++)
        if (g_strstr_len(head, (gssize) n, marks[i]) != NULL)
            return TRUE;
    return tg_fail(error, TG_ERROR_OUTPUT, "%s exists%s: %s", path,
                   marks != NULL ? " and is another kind of file" : "", advice);
}

/* ---- files that a signal removes ---- */

#define MAX_REMEMBERED 64

/* The handler may run at any moment, so that it reads nothing but these pointers. */
static _Atomic(char *) remembered[MAX_REMEMBERED];
static const int ending_signals[] = { SIGTERM, SIGINT, SIGHUP, SIGPIPE };

static void remove_and_end(int number)
{
    for (guint i = 0; i < MAX_REMEMBERED; i++) {
        const char *path = atomic_load(&remembered[i]);

        if (path != NULL)
            unlink(path);
    }
    signal(number, SIG_DFL);
    raise(number);
}

/* If a program has its own handlers, or ignores a signal, its handlers stay. */
static void catch_signals(void)
{
    static gsize done;

    if (!g_once_init_enter(&done))
        return;
    for (guint i = 0; i < G_N_ELEMENTS(ending_signals); i++) {
        struct sigaction action;

        if (sigaction(ending_signals[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
            signal(ending_signals[i], remove_and_end);
    }
    g_once_init_leave(&done, 1);
}

/* Remove @path when a signal ends this process, until forget_path(). If MAX_REMEMBERED paths are
 * there already, @path stays. */
static void remember_path(const char *path)
{
    char *copy = g_canonicalize_filename(path, NULL);

    catch_signals();
    for (guint i = 0; i < MAX_REMEMBERED; i++) {
        char *nothing = NULL;

        if (atomic_compare_exchange_strong(&remembered[i], &nothing, copy))
            return;
    }
    g_free(copy);
}

static void forget_path(const char *path)
{
    g_autofree char *whole = g_canonicalize_filename(path, NULL);

    for (guint i = 0; i < MAX_REMEMBERED; i++) {
        char *there = atomic_load(&remembered[i]);

        if (there != NULL && strcmp(there, whole) == 0 &&
            atomic_compare_exchange_strong(&remembered[i], &there, NULL))
            g_free(there);
    }
}

/* ---- writing ---- */

static gboolean fail_output(const char *name, GError **error)
{
    const int code = errno;
    g_autofree char *folder = g_path_get_dirname(name);

    if (code == ENOENT && !g_file_test(folder, G_FILE_TEST_EXISTS))
        return tg_fail(error, TG_ERROR_OUTPUT, "%s: there is no folder %s", name, folder);
    errno = code;
    return tg_fail(error, TG_ERROR_OUTPUT, "%s: %s", name, g_strerror(errno));
}

/* A temporary file beside @path that will replace it, with the permissions of a new file or of the
 * old one. */
static gboolean open_beside(TgOutput *self, const char *path)
{
    g_autofree char *target =
        g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? realpath(path, NULL) : NULL;
    g_autofree char *folder = g_path_get_dirname(target != NULL ? target : path);
    g_autofree char *base = g_path_get_basename(path);
    g_autofree char *name = g_strdup_printf(".%.100s.XXXXXX", base);
    char *part = g_build_filename(folder, name, NULL);
    const mode_t mask = umask(0);
    GStatBuf old;

    umask(mask);
    const int fd = g_mkstemp_full(part, O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) {
        g_free(part);
        return FALSE;
    }
    fchmod(fd, g_stat(path, &old) == 0 ? old.st_mode & 0777 : 0666 & ~mask);
    self->file = fdopen(fd, "wb");
    self->path = g_strdup(target != NULL ? target : path);
    self->part = part;
    remember_path(part);
    return TRUE;
}

TgOutput *tg_output_open(const char *path, GError **error)
{
    g_autoptr(TgOutput) self = g_new0(TgOutput, 1);
    GStatBuf info;

    if (!check_run_files(path, error))
        return NULL;
    self->name = g_strdup(path != NULL && strcmp(path, "-") != 0 ? path : "stdout");
    if (path == NULL || strcmp(path, "-") == 0)
        self->file = stdout;
    else if (g_stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        self->file = fopen(path, "wb");
    else if (g_access(path, F_OK) == 0 && g_access(path, W_OK) != 0)
        self->file = NULL; /* a write-protected file is not replaced */
    else
        open_beside(self, path);
    if (self->file == NULL) {
        fail_output(self->name, error);
        return NULL;
    }
    return g_steal_pointer(&self);
}

gboolean tg_output_finish(TgOutput *self, GError **error)
{
    FILE *file = g_steal_pointer(&self->file);
    gboolean good = fflush(file) == 0 && !ferror(file);

    if (file != stdout)
        good = fclose(file) == 0 && good;
    if (good && self->part == NULL)
        return TRUE;
    if (good && !check_run_files(self->path, error))
        return FALSE;
    if (!good || g_rename(self->part, self->path) != 0)
        return fail_output(self->name, error);
    g_hash_table_add(files_of_run(), place_of(self->path));
    forget_path(self->part);
    g_clear_pointer(&self->part, g_free);
    return TRUE;
}

void tg_output_free(TgOutput *self)
{
    if (self == NULL)
        return;
    if (self->file != NULL && self->file != stdout)
        fclose(self->file);
    if (self->part != NULL) {
        g_unlink(self->part);
        forget_path(self->part);
    }
    g_free(self->part);
    g_free(self->path);
    g_free(self->name);
    g_free(self);
}

gboolean tg_output_write(const char *path, const void *bytes, gsize n, GError **error)
{
    g_autoptr(TgOutput) output = tg_output_open(path, error);

    if (output == NULL)
        return FALSE;
    if (fwrite(bytes, 1, n, output->file) != n)
        return fail_output(output->name, error);
    return tg_output_finish(output, error);
}

char *tg_temporary_new(GError **error)
{
    char *path = NULL;
    const gint file = g_file_open_tmp("texgauge-XXXXXX.jsonl", &path, error);

    if (file >= 0) {
        close(file);
        remember_path(path);
    }
    return path;
}

void tg_temporary_remove(char *path)
{
    if (path == NULL)
        return;
    g_unlink(path);
    forget_path(path);
    g_free(path);
}
