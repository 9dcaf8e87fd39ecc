/* Several files read as one, each with its own format. */
#include "datasets/chain.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "core/fail.h"
#include "core/files/output.h"

#define LOOK_AHEAD 1000 /* records */

typedef struct {
    TgRecord record;
    guint file;
} Ahead;

/* Add the size of a file, which must be readable; note whether it is a regular file. Those that
 * are opened later are inputs of the run from now on. */
static gboolean inspect_file(TgChain *self, const char *path, GError **error)
{
    GStatBuf info;

    tg_run_files_note(path);
    if (strcmp(path, "-") == 0) {
        self->regular = FALSE;
        return TRUE;
    }
    if (g_stat(path, &info) != 0 || g_access(path, R_OK) != 0)
        return tg_fail_input(error, "%s: cannot be opened: %s", path, g_strerror(errno));
    if (S_ISREG(info.st_mode))
        self->bytes_total += (guint64) info.st_size;
    else
        self->regular = FALSE;
    return TRUE;
}

static gboolean open_file(TgChain *self, GError **error)
{
    TgSourceInput *input = &self->inputs[self->file];
    const TgChainOptions *options = &self->options;
    TgStream *stream = tg_stream_open(input->name, options->max_line, error);

    self->reader = stream != NULL ? tg_reader_open(stream, options->format, options->fields,
                                                   options->side, error)
                                  : NULL;
    if (self->reader == NULL)
        return FALSE;
    self->subset = tg_subset_of_name(input->name);
    if (self->subset == NULL && options->subsets != NULL)
        self->subset = options->subsets[self->file];
    input->format = self->reader->klass->name;
    return TRUE;
}

TgChain *tg_chain_open(const char *const *paths, const TgChainOptions *options, GError **error)
{
    g_autoptr(TgChain) self = g_new0(TgChain, 1);

    self->options = *options;
    self->n_files = g_strv_length((char **) paths);
    self->inputs = g_new0(TgSourceInput, self->n_files);
    self->labels = g_new0(char *, self->n_files + 1);
    self->regular = TRUE;
    for (guint i = 0; i < self->n_files; i++) {
        self->inputs[i].name = g_strdup(paths[i]);
        self->labels[i] = g_strdup(strcmp(paths[i], "-") == 0 ? "stdin" : paths[i]);
    }
    for (guint i = 0; i < self->n_files; i++)
        if (!inspect_file(self, paths[i], error))
            return NULL;
    if (self->n_files > 0 && !open_file(self, error))
        return NULL;
    return g_steal_pointer(&self);
}

static void ahead_free(gpointer data)
{
    tg_record_clear(&((Ahead *) data)->record);
    g_free(data);
}

void tg_chain_free(TgChain *self)
{
    if (self == NULL)
        return;
    tg_reader_free(self->reader);
    g_queue_clear_full(&self->ahead, ahead_free);
    for (guint i = 0; i < self->n_files; i++) {
        g_free((char *) self->inputs[i].name);
        g_free((char *) self->inputs[i].sha256);
    }
    g_free(self->inputs);
    g_strfreev(self->labels);
    g_free(self);
}

static TgNext read_record(TgChain *self, TgRecord *out, GError **error)
{
    while (self->reader != NULL) {
        GError *problem = NULL;

        if (tg_reader_next(self->reader, out, &problem)) {
            out->file = self->labels[self->file];
            if (out->subset == NULL)
                out->subset = g_strdup(self->subset);
            return TG_NEXT_ROW;
        }
        /* The file is read: take its hash, and open the next one if there is one. */
        TgStream *stream = self->reader->stream;
        if (problem != NULL || !tg_stream_finish(stream, &problem)) {
            g_propagate_error(error, problem);
            return TG_NEXT_ERROR;
        }
        self->inputs[self->file].sha256 = g_strdup(tg_stream_sha256(stream));
        self->inputs[self->file].n_edited = self->reader->n_edited;
        self->bytes_before += stream->bytes_read;
        g_clear_pointer(&self->reader, tg_reader_free);
        if (++self->file < self->n_files && !open_file(self, error))
            return TG_NEXT_ERROR;
    }
    return TG_NEXT_END;
}

TgNext tg_chain_next(TgChain *self, TgRecord *out, GError **error)
{
    Ahead *ahead = g_queue_pop_head(&self->ahead);
    TgNext next = TG_NEXT_ROW;

    if (ahead != NULL) {
        tg_record_clear(out);
        *out = ahead->record;
        self->last_file = ahead->file;
        g_free(ahead);
    } else {
        next = read_record(self, out, error);
        self->last_file = self->file;
    }
    return next;
}

void tg_chain_set_duplicate(const TgChain *self, TgRecord *record, TgPlace first)
{
    tg_record_set_fault(record, "duplicate id '%s', first in %s:%" G_GSIZE_FORMAT, record->id,
                        self->labels[first.file], first.line);
}

gboolean tg_chain_has_ids(TgChain *self, gboolean *has_ids, GError **error)
{
    *has_ids = FALSE;
    while (g_queue_get_length(&self->ahead) < LOOK_AHEAD) {
        Ahead *ahead = g_new0(Ahead, 1);
        const TgNext next = read_record(self, &ahead->record, error);

        if (next != TG_NEXT_ROW) {
            ahead_free(ahead);
            return next == TG_NEXT_END;
        }
        ahead->file = self->file;
        g_queue_push_tail(&self->ahead, ahead);
        if (ahead->record.fault == NULL || ahead->record.id != NULL) {
            *has_ids = ahead->record.id != NULL;
            return TRUE;
        }
    }
    return TRUE;
}
