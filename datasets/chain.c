/* Several files read as one, each with its own format. */
#include "datasets/chain.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "core/fail.h"
#include "datasets/readers/reader.h"

#define LOOK_AHEAD 1000 /* records */

struct TgChain {
    TgChainOptions options;
    guint n_files;
    TgSourceInput *inputs; /* names and hashes are owned */
    char **labels;
    guint64 bytes_total;
    gboolean regular;

    guint file; /* number of the one being read; n_files at the end */
    TgReader *reader;
    const char *subset;   /* of its name, or NULL */
    guint64 bytes_before; /* in the files before */
    GQueue *ahead;        /* TgRecord *: read by tg_chain_has_ids() and not delivered */
    GQueue *ahead_files;  /* number of each one's file */
    guint last_file;
};

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

/* Add the size of a file, which must be readable; note whether it is a regular file. */
static gboolean inspect_file(TgChain *self, const char *path, GError **error)
{
    GStatBuf info;

    if (strcmp(path, "-") == 0) {
        self->regular = FALSE;
        return TRUE;
    }
    if (g_stat(path, &info) != 0 || g_access(path, R_OK) != 0) {
        return tg_fail_input(error, "%s: cannot be opened: %s", path, g_strerror(errno));
    }
    if (S_ISREG(info.st_mode))
        self->bytes_total += (guint64) info.st_size;
    else
        self->regular = FALSE;
    return TRUE;
}

static TgReader *open_reader(const char *name, const TgChainOptions *options, GError **error)
{
    TgStream *stream = tg_stream_open(name, options->max_line, error);
    return stream != NULL
               ? tg_reader_open(stream, options->format, options->fields, options->side, error)
               : NULL;
}

static gboolean open_file(TgChain *self, GError **error)
{
    TgSourceInput *input = &self->inputs[self->file];
    const TgChainOptions *options = &self->options;

    self->reader = open_reader(input->name, options, error);
    if (self->reader == NULL)
        return FALSE;
    self->subset = tg_subset_of_name(input->name);
    if (self->subset == NULL && options->subsets != NULL)
        self->subset = options->subsets[self->file];
    input->format = self->reader->klass->name;
    return TRUE;
}

TgChain *tg_chain_open(const GPtrArray *paths, const TgChainOptions *options, GError **error)
{
    g_autoptr(TgChain) self = g_new0(TgChain, 1);

    self->options = *options;
    self->n_files = paths->len;
    self->inputs = g_new0(TgSourceInput, paths->len);
    self->labels = g_new0(char *, paths->len + 1);
    self->ahead = g_queue_new();
    self->ahead_files = g_queue_new();
    self->regular = TRUE;
    for (guint i = 0; i < paths->len; i++) {
        const char *path = paths->pdata[i];
        self->inputs[i].name = g_strdup(path);
        self->labels[i] = g_strdup(strcmp(path, "-") == 0 ? "stdin" : path);
    }
    for (guint i = 0; i < paths->len; i++)
        if (!inspect_file(self, paths->pdata[i], error))
            return NULL;
    if (paths->len > 0 && !open_file(self, error))
        return NULL;
    return g_steal_pointer(&self);
}

void tg_chain_free(TgChain *self)
{
    if (self == NULL)
        return;
    tg_reader_free(self->reader);
    g_queue_free_full(self->ahead, tg_record_free);
    g_queue_free(self->ahead_files);
    for (guint i = 0; i < self->n_files; i++) {
        g_free((char *) self->inputs[i].name);
        g_free((char *) self->inputs[i].sha256);
    }
    g_free(self->inputs);
    g_strfreev(self->labels);
    g_free(self);
}

/* The file is read: take its hash, and open the next one if there is one. */
static gboolean next_file(TgChain *self, GError **error)
{
    TgStream *stream = self->reader->stream;

    if (!tg_stream_finish(stream, error))
        return FALSE;
    self->inputs[self->file].sha256 = g_strdup(tg_stream_sha256(stream));
    self->bytes_before += tg_stream_bytes_read(stream);
    g_clear_pointer(&self->reader, tg_reader_free);
    self->file++;
    return self->file == self->n_files || open_file(self, error);
}

static gboolean read_record(TgChain *self, TgRecord *out, GError **error)
{
    while (self->reader != NULL) {
        g_autoptr(GError) problem = NULL;

        if (tg_reader_next(self->reader, out, &problem)) {
            out->file = self->labels[self->file];
            if (out->subset == NULL)
                out->subset = g_strdup(self->subset);
            return TRUE;
        }
        if (problem != NULL) {
            g_propagate_error(error, g_steal_pointer(&problem));
            return FALSE;
        }
        if (!next_file(self, error))
            return FALSE;
    }
    return FALSE;
}

gboolean tg_chain_next(TgChain *self, TgRecord *out, GError **error)
{
    TgRecord *ahead = g_queue_pop_head(self->ahead);

    if (ahead != NULL) {
        tg_record_clear(out);
        *out = *ahead;
        g_free(ahead);
        self->last_file = GPOINTER_TO_UINT(g_queue_pop_head(self->ahead_files));
        return TRUE;
    }
    if (!read_record(self, out, error))
        return FALSE;
    self->last_file = self->file;
    return TRUE;
}

gboolean tg_chain_has_ids(TgChain *self, gboolean *has_ids, GError **error)
{
    *has_ids = FALSE;
    while (g_queue_get_length(self->ahead) < LOOK_AHEAD) {
        TgRecord *record = g_new0(TgRecord, 1);
        g_autoptr(GError) problem = NULL;

        if (!read_record(self, record, &problem)) {
            tg_record_free(record);
            if (problem == NULL)
                return TRUE;
            g_propagate_error(error, g_steal_pointer(&problem));
            return FALSE;
        }
        g_queue_push_tail(self->ahead, record);
        g_queue_push_tail(self->ahead_files, GUINT_TO_POINTER(self->file));
        if (record->fault == NULL || record->id != NULL) {
            *has_ids = record->id != NULL;
            return TRUE;
        }
    }
    return TRUE;
}

guint tg_chain_file(const TgChain *self)
{
    return self->last_file;
}

guint tg_chain_n_files(const TgChain *self)
{
    return self->n_files;
}

const TgSourceInput *tg_chain_input(const TgChain *self, guint i)
{
    return &self->inputs[i];
}

const char *tg_chain_label(const TgChain *self, guint i)
{
    return self->labels[i];
}

gboolean tg_chain_is_regular(const TgChain *self)
{
    return self->regular;
}

void tg_chain_progress(const TgChain *self, guint64 *bytes_read, guint64 *bytes_total)
{
    *bytes_read = self->bytes_before +
                  (self->reader != NULL ? tg_stream_bytes_read(self->reader->stream) : 0);
    *bytes_total = self->regular ? self->bytes_total : 0;
}
