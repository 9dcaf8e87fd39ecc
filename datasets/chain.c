/* Several files read as one, each with its own format. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "core/fail.h"
#include "core/files/output.h"
#include "datasets/parts.h"

#define LOOK_AHEAD 1000 /* records */

static void ahead_free(gpointer data)
{
    tg_record_clear(&((TgRecordAhead *) data)->record);
    g_free(data);
}

void tg_chain_free(TgChain *self)
{
    if (self == NULL)
        return;
    tg_reader_free(self->reader);
    g_queue_clear_full(&self->ahead, ahead_free);
    g_clear_error(&self->pending);
    tg_field_sample_free(self->sample);
    g_free(self->id_name);
    for (guint i = 0; i < self->n_files; i++) {
        g_free((char *) self->inputs[i].name);
        g_free((char *) self->inputs[i].sha256);
        g_free((char *) self->inputs[i].roles);
        g_free(self->files[i].id);
    }
    g_free(self->inputs);
    g_free(self->files);
    g_strfreev(self->labels);
    g_free(self);
}

/* Fail unless the file is readable; add its size, and note whether it is a regular file. Also files
 * that are opened later count as inputs from now on, so that no output replaces them. */
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
    const TgChainFile *file = &self->files[self->file];

    self->reader = stream != NULL ? tg_reader_open(stream, options->format, file->fields,
                                                   options->side, options->id_field, error)
                                  : NULL;
    if (self->reader == NULL)
        return FALSE;
    self->reader->whole = self->reader->whole || options->stems;
    if (self->sample == NULL) {
        self->sample = g_steal_pointer(&self->reader->sample);
        self->id_name =
            self->reader->keyed ? NULL : g_strdup(self->reader->roles.fields[TG_ROLE_ID]);
    }
    self->subset = options->stems ? NULL : tg_subset_of_name(input->name);
    if (self->subset == NULL && !options->stems && !self->reader->klass->is_row)
        self->subset = file->subset;
    input->format = self->reader->klass->name;
    return TRUE;
}

TgChain *tg_chain_open(const TgChainFile *files, guint n_files, const TgChainOptions *options,
                       GError **error)
{
    g_autoptr(TgChain) self = g_new0(TgChain, 1);

    self->options = *options;
    self->n_files = n_files;
    self->files = g_new0(TgChainFile, n_files);
    self->inputs = g_new0(TgSourceInput, n_files);
    self->labels = g_new0(char *, n_files + 1);
    self->regular = TRUE;
    for (guint i = 0; i < n_files; i++) {
        self->inputs[i].name = g_strdup(files[i].path);
        self->files[i] = files[i];
        self->files[i].path = self->inputs[i].name;
        self->files[i].id =
            files[i].id != NULL ? g_strdup(files[i].id) : tg_stem_of_name(files[i].path);
        self->labels[i] = g_strdup(strcmp(files[i].path, "-") == 0 ? "stdin" : files[i].path);
        if (!inspect_file(self, files[i].path, error))
            return NULL;
    }
    if (n_files > 0 && !open_file(self, error))
        return NULL;
    return g_steal_pointer(&self);
}

static TgNext read_record(TgChain *self, TgRecord *out, GError **error)
{
    while (self->reader != NULL) {
        const TgNext next = tg_reader_next(self->reader, out, error);

        if (next == TG_NEXT_ERROR)
            return next;
        if (next == TG_NEXT_ROW) {
            out->file = self->labels[self->file];
            if (out->subset == NULL)
                out->subset = g_strdup(self->subset);
            if (out->id == NULL && self->options.stems)
                out->id = g_strdup(self->files[self->file].id);
            return TG_NEXT_ROW;
        }
        /* The file is read: take its hash, and open the next one if there is one. */
        TgStream *stream = self->reader->stream;
        if (!tg_stream_finish(stream, error))
            return TG_NEXT_ERROR;
        self->inputs[self->file].sha256 = g_strdup(tg_stream_sha256(stream));
        self->inputs[self->file].damage = self->reader->damage;
        g_free((char *) self->inputs[self->file].roles);
        self->inputs[self->file].roles = tg_reader_describe(self->reader, self->options.stems);
        self->bytes_before += stream->bytes_read;
        g_clear_pointer(&self->reader, tg_reader_free);
        if (++self->file < self->n_files && !open_file(self, error))
            return TG_NEXT_ERROR;
    }
    return TG_NEXT_END;
}

TgNext tg_chain_next(TgChain *self, TgRecord *out, GError **error)
{
    TgRecordAhead *ahead = g_queue_pop_head(&self->ahead);
    TgNext next = TG_NEXT_ROW;

    if (ahead != NULL) {
        tg_record_clear(out);
        *out = ahead->record;
        self->last_file = ahead->file;
        g_free(ahead);
    } else if (self->pending != NULL) {
        g_propagate_error(error, g_steal_pointer(&self->pending));
        next = TG_NEXT_ERROR;
    } else {
        next = read_record(self, out, error);
        self->last_file = self->file;
    }
    return next;
}

gboolean tg_chain_look(TgChain *self)
{
    gboolean any = FALSE;

    while (g_queue_get_length(&self->ahead) < LOOK_AHEAD) {
        TgRecordAhead *ahead = g_new0(TgRecordAhead, 1);

        if (read_record(self, &ahead->record, &self->pending) != TG_NEXT_ROW) {
            ahead_free(ahead);
            break;
        }
        ahead->file = self->file;
        any = any || ahead->record.id != NULL;
        g_queue_push_tail(&self->ahead, ahead);
    }
    return any;
}

GPtrArray *tg_chain_ids(TgChain *self, gsize *n_rows, GError **error)
{
    g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);
    g_auto(TgRecord) record = { 0 };
    TgNext next;

    while ((next = tg_chain_next(self, &record, error)) == TG_NEXT_ROW) {
        if (n_rows != NULL) {
            n_rows[self->last_file]++;
            n_rows[self->n_files]++;
        }
        if (record.id != NULL)
            g_ptr_array_add(ids, g_steal_pointer(&record.id));
    }
    return next == TG_NEXT_END ? g_steal_pointer(&ids) : NULL;
}
