/* Files in, records out: inputs one after the other, or a join; human scores of their own. */
#include "datasets/source.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "core/fail.h"
#include "core/files/output.h"
#include "core/number.h"
#include "datasets/id_set.h"
#include "datasets/input_names.h"
#include "datasets/readers/reader.h"
#include "datasets/records/formula.h"

/* ---- several files read as one, each with its own format ---- */

/** How the files of a chain are read; borrowed by it. */
typedef struct {
    const char *format; /* NULL: each file's own */
    const TgFieldMap *fields;
    TgFileSide side;
    gsize max_line;
    char *const *subsets;          /* of rows that name none, for each file; NULL: none */
    const TgFieldMap *const *maps; /* of each file instead of @fields; NULL: none */
    gboolean stems;                /* a row without an id has the name of its file for it */
    gboolean whole;                /* a file of lines is one formula */
    char *const *names;            /* ids of the files instead of @stems' names; NULL: none */
    const char *id_field;          /* is the id of all rows, or NULL */
} ChainOptions;

typedef struct {
    ChainOptions options;
    guint n_files;
    TgSourceInput *inputs; /* names and hashes are owned */
    char **labels;         /* of the files, for messages */
    gboolean regular;      /* all files are, so that they can be read more than once */
    guint64 bytes_total;
    guint64 bytes_before; /* in the files before the one that is read */
    guint file;           /* number of the one being read; n_files at the end */
    guint last_file;      /* the one that the last record came from */
    TgReader *reader;
    TgFieldSample *sample; /* of the first file that has fields, or NULL */
    const char *subset;    /* that the name of the file tells, or NULL */
    GQueue ahead;          /* records that chain_look() read and that were not delivered */
    GError *pending;       /* what comes after these, or NULL */
} Chain;

#define LOOK_AHEAD 1000 /* records */

typedef struct {
    TgRecord record;
    guint file;
} Ahead;

static void ahead_free(gpointer data)
{
    tg_record_clear(&((Ahead *) data)->record);
    g_free(data);
}

static void chain_free(Chain *self)
{
    if (self == NULL)
        return;
    tg_reader_free(self->reader);
    g_queue_clear_full(&self->ahead, ahead_free);
    g_clear_error(&self->pending);
    tg_field_sample_free(self->sample);
    for (guint i = 0; i < self->n_files; i++) {
        g_free((char *) self->inputs[i].name);
        g_free((char *) self->inputs[i].sha256);
        g_free((char *) self->inputs[i].roles);
    }
    g_free(self->inputs);
    g_strfreev(self->labels);
    g_free(self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Chain, chain_free)

/* Add the size of a file, which must be readable; note whether it is a regular file. Those that
 * are opened later are inputs of the run from now on. */
static gboolean inspect_file(Chain *self, const char *path, GError **error)
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

static gboolean open_file(Chain *self, GError **error)
{
    TgSourceInput *input = &self->inputs[self->file];
    const ChainOptions *options = &self->options;
    TgStream *stream = tg_stream_open(input->name, options->max_line, error);
    const TgFieldMap *fields = options->maps != NULL ? options->maps[self->file] : options->fields;

    self->reader = stream != NULL
                       ? tg_reader_open(stream, options->format, fields, options->side, error)
                       : NULL;
    if (self->reader == NULL)
        return FALSE;
    if (options->id_field != NULL)
        tg_reader_set_id(self->reader, options->id_field);
    self->reader->whole = self->reader->whole || options->whole;
    if (self->sample == NULL)
        self->sample = g_steal_pointer(&self->reader->sample);
    self->subset = options->stems ? NULL : tg_subset_of_name(input->name);
    if (self->subset == NULL && options->subsets != NULL && !options->stems &&
        !self->reader->klass->is_row)
        self->subset = options->subsets[self->file];
    input->format = self->reader->klass->name;
    return TRUE;
}

/* Check that all @paths (NULL last) can be opened, and open the first. (transfer full), or NULL
 * with the errors of tg_source_open() */
static Chain *chain_open(const char *const *paths, const ChainOptions *options, GError **error)
{
    g_autoptr(Chain) self = g_new0(Chain, 1);

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

static TgNext read_record(Chain *self, TgRecord *out, GError **error)
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
                out->id = self->options.names != NULL
                              ? g_strdup(self->options.names[self->file])
                              : tg_stem_of_name(self->inputs[self->file].name);
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

/* Read the next record, as tg_source_next() does. Its file belongs to the chain; a subset that the
 * row does not name is taken from the name of the file. */
static TgNext chain_next(Chain *self, TgRecord *out, GError **error)
{
    Ahead *ahead = g_queue_pop_head(&self->ahead);
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

/* Read the first 1000 rows, which come again by chain_next(). Returns whether any has an id: then
 * all must. */
static gboolean chain_look(Chain *self)
{
    gboolean any = FALSE;

    while (g_queue_get_length(&self->ahead) < LOOK_AHEAD) {
        Ahead *ahead = g_new0(Ahead, 1);

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

/* Read the files of a chain once more, from their beginnings, in another way. */
static Chain *chain_again(const Chain *of, const ChainOptions *options, GError **error)
{
    return chain_open((const char *const *) of->labels, options, error);
}

/* All ids of a chain, in their order, with NULL last; NULL with @error. */
static GPtrArray *chain_ids(const Chain *of, const char *id_field, GError **error)
{
    g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);
    g_auto(TgRecord) record = { 0 };
    ChainOptions options = of->options;
    TgNext next;

    if (id_field != NULL)
        options.id_field = id_field;
    g_autoptr(Chain) chain = chain_again(of, &options, error);
    if (chain == NULL)
        return NULL;
    while ((next = chain_next(chain, &record, error)) == TG_NEXT_ROW)
        if (record.id != NULL)
            g_ptr_array_add(ids, g_steal_pointer(&record.id));
    return next == TG_NEXT_END ? g_steal_pointer(&ids) : NULL;
}

/* ---- reference and predictions from different files, joined by id or by line ---- */

typedef struct {
    char *name;
    Chain *chain;
    gboolean has_ids, by_id;
    guint level; /* how ids are compared: see id_key() */
    gboolean ended;
    gsize n_read, n_joined;
    GPtrArray *missing; /* the first ids of references without a prediction */
    gsize n_missing;
    GHashTable *waiting; /* by id: read, and its reference has not come yet; row counts from 1 */
    const TgFieldMap **maps; /* of its files, or NULL */
    char **names;            /* ids of its files, or NULL */
} Model;

#define NO_ID "the row has no id, but rows are joined by id"

typedef struct {
    Chain *refs;
    GPtrArray *models; /* Model */
    char **subsets;    /* of the files of references, or NULL */
    char **names;      /* ids of these files, or NULL */
    TgIdSet *seen;     /* ids of references and, per model, of predictions */
    gboolean allow_duplicates;
    gboolean have_ids; /* the references */
    GPtrArray *notes;  /* char * */

    TgRecord ref;
    gboolean repeated; /* its id came before: no prediction is for it */
    gsize n_refs;
    guint next_model; /* to be delivered with @ref; all were when it is models->len */
    gboolean ended;   /* no more references */
    GQueue *strays;   /* TgRecord *: faulty predictions that belong to no reference */
} Join;

static void free_model(gpointer data)
{
    Model *self = data;

    chain_free(self->chain);
    g_hash_table_unref(self->waiting);
    g_ptr_array_unref(self->missing);
    g_free(self->maps);
    g_strfreev(self->names);
    g_free(self->name);
    g_free(self);
}

static void join_free(Join *self)
{
    if (self == NULL)
        return;
    chain_free(self->refs);
    g_ptr_array_unref(self->models);
    g_strfreev(self->subsets);
    g_strfreev(self->names);
    g_clear_pointer(&self->seen, g_hash_table_unref);
    tg_record_clear(&self->ref);
    g_queue_free_full(self->strays, tg_record_free);
    g_ptr_array_unref(self->notes);
    g_free(self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Join, join_free)

/* The chain of the references (@i 0) and of each model (from 1); NULL after the last. */
static const Chain *join_chain(const Join *self, guint i)
{
    if (i == 0)
        return self->refs;
    return i <= self->models->len ? ((const Model *) self->models->pdata[i - 1])->chain : NULL;
}

/* The files of a chain for messages: "a.txt" or "a.txt and 2 more". */
static char *describe_files(const Chain *chain)
{
    if (chain->n_files == 1)
        return g_strdup(chain->labels[0]);
    return g_strdup_printf("%s and %u more", chain->labels[0], chain->n_files - 1);
}

static gboolean fail_lengths(const char *refs, gsize n_refs, const char *hyps, gsize n_hyps,
                             GError **error)
{
    return tg_fail_input(
        error,
        "%s has %" G_GSIZE_FORMAT " rows and %s has %" G_GSIZE_FORMAT
        ": without ids on both sides they are joined by line and must be equally long",
        refs, n_refs, hyps, n_hyps);
}

/* The same of all files of two chains. */
static gboolean fail_totals(const Chain *refs, gsize n_refs, const Chain *hyps, gsize n_hyps,
                            GError **error)
{
    g_autofree char *of_refs = describe_files(refs);
    g_autofree char *of_hyps = describe_files(hyps);

    return fail_lengths(of_refs, n_refs, of_hyps, n_hyps, error);
}

/* Read the files of a chain once more. Their rows, and after them those of all files (transfer
 * full); NULL with @error */
static gsize *count_rows(const Chain *of, GError **error)
{
    g_autoptr(Chain) chain = chain_again(of, &of->options, error);
    g_autofree gsize *counts = g_new0(gsize, of->n_files + 1);
    g_auto(TgRecord) record = { 0 };
    TgNext next;

    if (chain == NULL)
        return NULL;
    while ((next = chain_next(chain, &record, error)) == TG_NEXT_ROW) {
        counts[chain->last_file]++;
        counts[of->n_files]++;
    }
    return next == TG_NEXT_END ? g_steal_pointer(&counts) : NULL;
}

/* The maps of the files of the model that input @i is of; NULL: they have none of their own. */
static const TgFieldMap **maps_of_files(const TgFieldMap *const *maps, const TgInputNames *names,
                                        guint i)
{
    const TgFieldMap **own = maps != NULL ? g_new0(const TgFieldMap *, names->n) : NULL;

    for (guint k = 0, n = 0; own != NULL && k < names->n; k++)
        if (strcmp(names->models[k], names->models[i]) == 0)
            own[n++] = maps[k];
    return own;
}

/* Compare what is to be joined by line ahead of the run: file by file where both sides have as many
 * files. */
static gboolean check_lines(const Chain *refs, const Chain *hyps, GError **error)
{
    const guint n = hyps->n_files;
    const gboolean pairs = refs->n_files == n;

    /* The files of a model must be in the order of the reference's. */
    for (guint i = 0; pairs && i < n; i++) {
        const char *a = tg_subset_of_name(refs->labels[i]);
        const char *b = tg_subset_of_name(hyps->labels[i]);

        if (a != NULL && b != NULL && a != b)
            return tg_fail_input(
                error, "%s (%s) is joined with %s (%s): give both sides in the same order",
                hyps->labels[i], b, refs->labels[i], a);
    }
    if (!refs->regular || !hyps->regular)
        return TRUE; /* then the end of the run tells */
    g_autofree gsize *n_refs = count_rows(refs, error);
    g_autofree gsize *n_rows = n_refs != NULL ? count_rows(hyps, error) : NULL;
    if (n_rows == NULL)
        return FALSE;
    for (guint i = 0; pairs && i < n; i++)
        if (n_refs[i] != n_rows[i])
            return fail_lengths(refs->labels[i], n_refs[i], hyps->labels[i], n_rows[i], error);
    return n_refs[refs->n_files] == n_rows[n] ||
           fail_totals(refs, n_refs[refs->n_files], hyps, n_rows[n], error);
}

/* ---- ids of both sides ---- */

#define MAX_SHOWN 3 /* ids in a message */
#define MAX_TRIED 6 /* fields of a side that may be its id */

enum { EXACT, WITHOUT_SUFFIX, WITHOUT_FOLDER, NAME_ALONE, N_LEVELS };

static const char *const level_names[] = { "", "without their extensions", "without their folders",
                                           "without folders and extensions" };

/* An id as it is compared: whole, or without what says how a file is called or where it is.
 * (transfer full) */
static char *id_key(guint level, const char *id)
{
    if (level == WITHOUT_FOLDER || level == NAME_ALONE) {
        const char *slash = strrchr(id, '/');
        if (slash == NULL && tg_look_stem(id, strlen(id)) < strlen(id))
            slash = strrchr(id, '\\'); /* a path of Windows */
        id = slash != NULL && slash[1] != '\0' ? slash + 1 : id;
    }
    const gsize n = strlen(id);
    if (level == WITHOUT_SUFFIX && n > 2 && strspn(id, "0123456789") == n - 2 &&
        strcmp(id + n - 2, ".0") == 0) /* a whole number as pandas writes it beside empty cells */
        return g_strndup(id, n - 2);
    if (level == WITHOUT_SUFFIX || level == NAME_ALONE)
        return g_strndup(id, tg_look_stem(id, strlen(id)));
    return g_strdup(id);
}

/* The ids of @ids by their keys; two of one key are told in @a and @b (borrowed). */
static GHashTable *keyed_ids(const GPtrArray *ids, guint level, const char **a, const char **b)
{
    GHashTable *keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    *a = *b = NULL;
    for (guint i = 0; i < ids->len; i++) {
        char *key = id_key(level, ids->pdata[i]);
        const char *other = g_hash_table_lookup(keys, key);

        if (other != NULL && *a == NULL && strcmp(other, ids->pdata[i]) != 0) {
            *a = other;
            *b = ids->pdata[i];
        }
        if (other == NULL)
            g_hash_table_insert(keys, key, ids->pdata[i]);
        else
            g_free(key);
    }
    return keys;
}

/* How well the ids of both sides fit. */
typedef struct {
    gboolean total;     /* every id of the smaller side has its partner, and one only */
    guint level, n_met; /* the first level at which any do */
    const char *a, *b;  /* two of one side that are one at this level, or NULL */
} Fit;

static Fit fit_ids(const GPtrArray *refs, const GPtrArray *hyps)
{
    Fit fit = { 0 };

    for (fit.level = EXACT; fit.level < N_LEVELS; fit.level++) {
        const char *a, *b;
        g_autoptr(GHashTable) keys = keyed_ids(refs, fit.level, &fit.a, &fit.b);
        g_autoptr(GHashTable) others = keyed_ids(hyps, fit.level, &a, &b);
        GHashTableIter iter;
        gpointer key;

        g_hash_table_iter_init(&iter, others);
        while (g_hash_table_iter_next(&iter, &key, NULL))
            fit.n_met += g_hash_table_contains(keys, key);
        if (fit.a == NULL) {
            fit.a = a;
            fit.b = b;
        }
        if (fit.n_met == 0)
            continue;
        fit.total =
            fit.a == NULL && fit.n_met == MIN(g_hash_table_size(keys), g_hash_table_size(others));
        return fit;
    }
    return fit;
}

/* Candidates for the ids of one side: those that its rows have (@field NULL), or a field. */
typedef struct {
    const char *field;
    GPtrArray *ids; /* NULL: not read yet */
} IdChoice;

static void id_choice_clear(gpointer data)
{
    g_clear_pointer(&((IdChoice *) data)->ids, g_ptr_array_unref);
}

static GArray *id_choices(const Chain *chain, gboolean has_ids)
{
    GArray *choices = g_array_new(FALSE, TRUE, sizeof(IdChoice));
    const IdChoice own = { 0 };

    g_array_set_clear_func(choices, id_choice_clear);
    if (has_ids)
        g_array_append_val(choices, own);
    if (chain->sample == NULL || chain->options.fields->mapped[TG_ROLE_ID])
        return choices;
    g_autoptr(GPtrArray) fields = tg_roles_ids(chain->sample);
    for (guint i = 0; i < fields->len && choices->len < MAX_TRIED; i++) {
        const IdChoice choice = { .field = fields->pdata[i] };
        g_array_append_val(choices, choice);
    }
    return choices;
}

/* Whether any id among the rows that were looked at is on both sides. */
static gboolean share_ids(const Chain *a, const Chain *b)
{
    g_autoptr(GHashTable) ids = g_hash_table_new(g_str_hash, g_str_equal);

    for (const GList *item = a->ahead.head; item != NULL; item = item->next)
        if (((const Ahead *) item->data)->record.id != NULL)
            g_hash_table_add(ids, ((Ahead *) item->data)->record.id);
    for (const GList *item = b->ahead.head; item != NULL; item = item->next) {
        const char *id = ((const Ahead *) item->data)->record.id;

        if (id != NULL && g_hash_table_contains(ids, id))
            return TRUE;
    }
    return FALSE;
}

/* Read a chain from its beginning with another field as the id. */
static gboolean reopen_with_id(Chain **chain, const char *field, gboolean *has_ids, GError **error)
{
    ChainOptions options = (*chain)->options;

    options.id_field = g_intern_string(field);
    Chain *again = chain_again(*chain, &options, error);
    if (again == NULL)
        return FALSE;
    chain_free(*chain);
    *chain = again;
    *has_ids = chain_look(again);
    return TRUE;
}

/* No id is on both sides, or more than one is the same. */
static gboolean fail_ids(const Join *self, const Model *model, const Fit *fit, const IdChoice *ref,
                         const IdChoice *hyp, GError **error)
{
    g_autofree char *a = describe_files(self->refs), *b = describe_files(model->chain);

    if (fit->n_met > 0 && fit->a != NULL)
        return tg_fail_input(
            error,
            "%s and %s have no id in common; %s they would have, but '%s' and '%s' "
            "would be one",
            a, b, level_names[fit->level], fit->a, fit->b);
    return tg_fail_input(error, "%s and %s have %s: '%s' and '%s', for example%s", a, b,
                         fit->n_met > 0 ? "few ids in common" : "no id in common",
                         (const char *) ref->ids->pdata[0], (const char *) hyp->ids->pdata[0],
                         self->refs->options.stems || model->chain->options.stems
                             ? "; the ids are names of files"
                             : "; name the field that both share with --map id=FIELD");
}

/* Whether these two fields may be compared at all: of unknown names only the same on both sides. */
static gboolean choices_may_pair(const IdChoice *a, const IdChoice *b, gboolean any_ids)
{
    return (a->field == NULL || b->field == NULL ? any_ids : FALSE) ||
           (a->field != NULL && b->field != NULL && g_ascii_strcasecmp(a->field, b->field) == 0);
}

/*
 * Find the ids by which references and predictions are joined: those of their rows where any are on
 * both sides; or these without extensions or folders, if every one then has one partner; or a field
 * whose values are on both sides.
 */
static gboolean find_ids(Join *self, Model *model, GError **error)
{
    const gboolean both = self->have_ids && model->has_ids;
    Fit first = { 0 };

    model->by_id = both;
    if (!self->refs->regular || !model->chain->regular ||
        (both && share_ids(self->refs, model->chain)))
        return TRUE;
    g_autoptr(GArray) refs = id_choices(self->refs, self->have_ids);
    g_autoptr(GArray) hyps = id_choices(model->chain, model->has_ids);
    if (self->models->len > 0) /* the first model's is for all */
        g_array_set_size(refs, MIN(refs->len, 1));
    /* First those that are equal to the letter, then what differs in extensions and folders. */
    for (guint all = 0; all < 2; all++) {
        for (guint pair = 0; pair < refs->len * hyps->len; pair++) {
            IdChoice *a = &g_array_index(refs, IdChoice, pair / hyps->len);
            IdChoice *b = &g_array_index(hyps, IdChoice, pair % hyps->len);

            if (!choices_may_pair(a, b, self->have_ids || model->has_ids))
                continue;
            if (a->ids == NULL && (a->ids = chain_ids(self->refs, a->field, NULL)) == NULL)
                continue;
            if (b->ids == NULL && (b->ids = chain_ids(model->chain, b->field, NULL)) == NULL)
                continue;
            const Fit fit = fit_ids(a->ids, b->ids);
            const gboolean own = a->field == NULL && b->field == NULL;
            if (own)
                first = fit;
            if (all == 0 && fit.level != EXACT)
                continue;
            if (!fit.total && !(own && fit.level == EXACT && fit.n_met > 0))
                continue;
            if (!own && a->ids->len != b->ids->len && a->field != NULL && b->field != NULL)
                continue; /* equal sets alone speak for a field of an unknown name */
            if ((a->field != NULL &&
                 !reopen_with_id(&self->refs, a->field, &self->have_ids, error)) ||
                (b->field != NULL &&
                 !reopen_with_id(&model->chain, b->field, &model->has_ids, error)))
                return FALSE;
            model->by_id = TRUE;
            model->level = fit.level;
            if (fit.level != EXACT)
                g_ptr_array_add(self->notes,
                                g_strdup_printf("ids are compared %s", level_names[fit.level]));
            return TRUE;
        }
    }
    const IdChoice *a = refs->len > 0 ? &g_array_index(refs, IdChoice, 0) : NULL;
    const IdChoice *b = hyps->len > 0 ? &g_array_index(hyps, IdChoice, 0) : NULL;
    if (!both || a->ids == NULL || b->ids == NULL || a->ids->len == 0 || b->ids->len == 0)
        return TRUE; /* by line; or what is wrong comes with the rows */
    return fail_ids(self, model, &first, a, b, error);
}

/* ---- files of which each is one formula ---- */

#define MANY_FILES 5 /* from which on most of them tell what all are */

/* Whether every file of a folder has one row; or nearly all have of many, so that the others are
 * formulas that a line feed breaks. */
static gboolean files_are_rows(const Chain *chain)
{
    g_autofree gsize *counts = count_rows(chain, NULL);
    guint n = 0;

    for (guint i = 0; counts != NULL && i < chain->n_files; i++)
        n += counts[i] == 1;
    return counts != NULL &&
           (n == chain->n_files || (n >= MANY_FILES && 5 * n >= 4 * chain->n_files));
}

/* Whether half of the names of a chain's files are ids of another's. */
static gboolean files_are_ids(const Chain *chain, const Chain *other)
{
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) ids = chain_ids(other, NULL, NULL);
    guint n = 0;

    for (guint i = 0; ids != NULL && i < ids->len; i++)
        g_hash_table_add(known, id_key(NAME_ALONE, ids->pdata[i]));
    for (guint i = 0; i < chain->n_files; i++) {
        g_autofree char *stem = tg_stem_of_name(chain->inputs[i].name);
        n += g_hash_table_contains(known, stem);
    }
    return 2 * n >= chain->n_files;
}

/* Take a chain's file names for ids where each file is a formula: a folder's whose files have one
 * row, or whose names are the ids of @other (NULL: unknown). */
static gboolean find_stems(Chain **chain, gboolean is_folder, gboolean *has_ids, const Chain *other,
                           GError **error)
{
    ChainOptions options = (*chain)->options;

    if (!is_folder || *has_ids || (*chain)->n_files < 2 || !(*chain)->regular)
        return TRUE;
    if (other == NULL && !files_are_rows(*chain))
        return TRUE;
    if (other != NULL && !(g_strcmp0((*chain)->inputs[0].format, "list") == 0 && other->regular &&
                           files_are_ids(*chain, other)))
        return TRUE;
    options.stems = TRUE;
    options.whole = TRUE;
    Chain *again = chain_again(*chain, &options, error);
    if (again == NULL)
        return FALSE;
    chain_free(*chain);
    *chain = again;
    *has_ids = chain_look(again);
    return TRUE;
}

/* Files of predictions by name, among which are some of another kind: a summary, a log. */
static gboolean check_strays(const Chain *refs, const Chain *chain, GError **error)
{
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) ids = NULL;
    g_autoptr(GString) strays = g_string_new(NULL);
    const char *suffix = NULL;
    guint n = 0, n_named = 0;

    if (chain->n_files < 2 || !chain->regular || !refs->regular ||
        chain->inputs[0].format == NULL || !files_are_ids(chain, refs) ||
        (ids = chain_ids(refs, NULL, NULL)) == NULL)
        return TRUE;
    for (guint i = 0; i < ids->len; i++)
        g_hash_table_add(known, id_key(NAME_ALONE, ids->pdata[i]));
    for (guint all = 0; all < 2; all++) /* first the kind of those that are known */
        for (guint i = 0; i < chain->n_files; i++) {
            g_autofree char *stem = tg_stem_of_name(chain->labels[i]);
            const char *dot = strrchr(chain->labels[i], '.');
            const gboolean is_known = g_hash_table_contains(known, stem);

            if (all == 0 && is_known && suffix == NULL)
                suffix = dot;
            if (all == 0 || is_known || suffix == NULL || g_strcmp0(dot, suffix) == 0)
                continue;
            if (n++ < MAX_SHOWN)
                g_string_append_printf(strays, "%s%s", n > 1 ? ", " : "", chain->labels[i]);
            n_named++;
        }
    if (n_named == 0)
        return TRUE;
    g_autofree char *folder = g_path_get_dirname(chain->labels[0]);
    return tg_fail_input(error,
                         "%s%s: no reference has such a name, and the other files are named as the "
                         "references are; give those alone by a quoted pattern: '%s/*%s'",
                         strays->str, n > MAX_SHOWN ? ", ..." : "", folder, suffix);
}

/* Read a chain again with other ids for its files. */
static gboolean reopen_with_names(Chain **chain, char *const *names, gboolean *has_ids,
                                  GError **error)
{
    ChainOptions options = (*chain)->options;

    options.names = names;
    Chain *again = chain_again(*chain, &options, error);
    if (again == NULL)
        return FALSE;
    chain_free(*chain);
    *chain = again;
    *has_ids = chain_look(again);
    return TRUE;
}

static gboolean are_unique(char *const *names)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; names[i] != NULL; i++)
        if (!g_hash_table_add(seen, names[i]))
            return FALSE;
    return TRUE;
}

static char **stems_of(const Chain *chain)
{
    char **stems = g_new0(char *, chain->n_files + 1);

    for (guint i = 0; i < chain->n_files; i++)
        stems[i] = tg_stem_of_name(chain->labels[i]);
    return stems;
}

/* Where each file of both sides is one formula but their names differ ("1_gt.txt", "1_pred.txt";
 * "1/gt.txt", "1/pred.txt"), their ids are the parts of the names in which the files of a side
 * differ. */
static gboolean find_name_parts(Join *self, Model *model, GError **error)
{
    Chain *refs = self->refs, *hyps = model->chain;
    guint n = 0;

    if (!refs->options.stems || !hyps->options.stems)
        return TRUE;
    g_auto(GStrv) a =
        refs->options.names != NULL ? g_strdupv((char **) refs->options.names) : stems_of(refs);
    g_auto(GStrv) b = stems_of(hyps);
    if (are_unique(a) && are_unique(b))
        for (guint i = 0; b[i] != NULL; i++)
            if (g_strv_contains((const char *const *) a, b[i]))
                return TRUE; /* they meet as they are */
    const gboolean is_decided = refs->options.names != NULL || self->models->len > 0;
    g_auto(GStrv) parts_a = is_decided ? g_strdupv(a) : tg_input_subsets(refs->labels);
    g_auto(GStrv) parts_b = tg_input_subsets(hyps->labels);
    if (parts_a == NULL || parts_b == NULL || !are_unique(parts_b))
        return TRUE;
    for (guint i = 0; parts_b[i] != NULL; i++)
        n += g_strv_contains((const char *const *) parts_a, parts_b[i]);
    if (2 * n < MIN(refs->n_files, hyps->n_files))
        return TRUE;
    model->names = g_steal_pointer(&parts_b);
    if (!reopen_with_names(&model->chain, model->names, &model->has_ids, error))
        return FALSE;
    if (is_decided)
        return TRUE;
    self->names = g_steal_pointer(&parts_a);
    return reopen_with_names(&self->refs, self->names, &self->have_ids, error);
}

/* Files of both sides that are joined one with the other, line by line, have the same names. */
static gboolean check_names(const Chain *refs, const Chain *hyps, GError **error)
{
    g_auto(GStrv) a = tg_input_subsets(refs->labels), b = tg_input_subsets(hyps->labels);
    const char *only_a = NULL, *only_b = NULL;

    if (a == NULL || b == NULL)
        return TRUE;
    for (guint i = 0; i < refs->n_files && only_a == NULL; i++)
        if (!g_strv_contains((const char *const *) b, a[i]))
            only_a = refs->labels[i];
    for (guint i = 0; i < hyps->n_files && only_b == NULL; i++)
        if (!g_strv_contains((const char *const *) a, b[i]))
            only_b = hyps->labels[i];
    if (only_a == NULL && only_b == NULL)
        return TRUE;
    return tg_fail_input(error,
                         "the files of references and predictions have other names: %s has no "
                         "partner%s%s%s",
                         only_a != NULL ? only_a : only_b,
                         only_a != NULL && only_b != NULL ? ", and " : "",
                         only_a != NULL && only_b != NULL ? only_b : "",
                         only_a != NULL && only_b != NULL ? " has none" : "");
}

/* Say that files of a few lines each are read as lists: they may be formulas that line feeds break.
 */
static gboolean say_lists(Join *self, GError **error)
{
    enum { FEW_LINES = 20 };
    const guint n = self->refs->n_files;

    if (n < 2 || self->models->len > 1 || !self->refs->regular)
        return TRUE;
    g_autofree gsize *counts = count_rows(self->refs, error);
    if (counts == NULL)
        return FALSE;
    if (counts[n] > n && counts[n] < (gsize) FEW_LINES * n)
        g_ptr_array_add(
            self->notes,
            g_strdup_printf("the %u files of references are read as lists, with %" G_GSIZE_FORMAT
                            " formulas, one a line; a formula of "
                            "several lines needs $$ around it",
                            n, counts[n]));
    return TRUE;
}

/* By line, then: what must be checked, and what must be said. */
static gboolean join_by_line(Join *self, Model *model, gboolean are_folders, GError **error)
{
    g_autofree char *a = describe_files(self->refs), *b = describe_files(model->chain);

    if ((self->refs->options.stems && self->have_ids) ||
        (model->chain->options.stems && model->has_ids)) {
        const gboolean of_refs = self->refs->options.stems;
        return tg_fail_input(
            error,
            "%s: each file is one formula, whose name is its id, and %s has no ids "
            "to join them by",
            of_refs ? a : b, of_refs ? b : a);
    }
    if (are_folders && !check_names(self->refs, model->chain, error))
        return FALSE;
    if (are_folders && !say_lists(self, error))
        return FALSE;
    if (self->have_ids || model->has_ids)
        g_ptr_array_add(self->notes,
                        g_strdup_printf("%s has no ids: its rows are joined with those of %s by "
                                        "line, in their order",
                                        self->have_ids ? b : a, self->have_ids ? a : b));
    return check_lines(self->refs, model->chain, error);
}

static Model *model_new(const char *name, Chain *chain)
{
    Model *model = g_new0(Model, 1);

    model->name = g_strdup(name);
    model->chain = chain;
    model->missing = g_ptr_array_new_with_free_func(g_free);
    model->waiting = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, tg_record_free);
    return model;
}

/* Join references and predictions as tg_source_open() says. Lists to be joined by line are counted
 * first where the files can be read twice, so that a difference shows before any row is scored.
 * @is_folder: whether the references, and the predictions, are named as folders or patterns. */
static Join *join_open(const char *const *refs, const TgInputNames *hyps,
                       const ChainOptions *options, gboolean allow_duplicates,
                       const gboolean is_folder[2], GError **error)
{
    ChainOptions how = *options;
    g_autoptr(Join) self = g_new0(Join, 1);

    self->models = g_ptr_array_new_with_free_func(free_model);
    self->strays = g_queue_new();
    self->notes = g_ptr_array_new_with_free_func(g_free);
    self->seen = tg_id_set_new();
    self->allow_duplicates = allow_duplicates;
    self->subsets = tg_input_subsets((char *const *) refs);
    how.side = TG_FILE_REFERENCES;
    how.subsets = self->subsets;
    how.maps = NULL;
    self->refs = chain_open(refs, &how, error);
    if (self->refs == NULL)
        return NULL;
    self->have_ids = chain_look(self->refs);
    if (!find_stems(&self->refs, is_folder[0], &self->have_ids, NULL, error))
        return NULL;
    how.side = TG_FILE_HYPOTHESES;
    how.subsets = NULL;
    for (guint i = 0; i < hyps->n; i++) {
        g_autofree const char **paths = tg_input_files_of(hyps, i);
        g_autofree const TgFieldMap **maps = NULL;

        if (paths[0] != hyps->paths[i])
            continue; /* not the first file of its model */
        maps = maps_of_files(options->maps, hyps, i);
        how.maps = maps;
        Chain *chain = chain_open(paths, &how, error);
        if (chain == NULL)
            return NULL;
        Model *model = model_new(hyps->models[i], chain);
        model->maps = g_steal_pointer(&maps);
        model->has_ids = chain_look(chain);
        gboolean good = !is_folder[1] || !self->have_ids || check_strays(self->refs, chain, error);
        good = good && find_stems(&model->chain, is_folder[1], &model->has_ids, NULL, error);
        if (good && self->have_ids)
            good = find_stems(&model->chain, is_folder[1], &model->has_ids, self->refs, error);
        if (good && model->has_ids && self->models->len == 0)
            good = find_stems(&self->refs, is_folder[0], &self->have_ids, model->chain, error);
        good = good && find_name_parts(self, model, error) && find_ids(self, model, error);
        g_ptr_array_add(self->models, model); /* and this owns it */
        if (good && model->by_id)
            self->allow_duplicates = FALSE;
        else if (!good || !join_by_line(self, model, is_folder[0] && is_folder[1], error))
            return NULL;
    }
    self->next_model = self->models->len;
    return g_steal_pointer(&self);
}

/* Note down @record's id; if it came before, that is a fault, and FALSE is returned. */
static gboolean check_new(Join *self, const Chain *chain, const char *model, TgRecord *record)
{
    const TgPlace place = { chain->last_file, record->line };
    TgPlace first;

    if (tg_id_set_add(self->seen, model, NULL, record->id, place, &first))
        return TRUE;
    tg_record_set_fault(record, "duplicate id '%s', first in %s:%" G_GSIZE_FORMAT, record->id,
                        chain->labels[first.file], first.line);
    return FALSE;
}

static void push_stray(Join *self, const Model *model, TgRecord *record)
{
    g_free(record->model);
    record->model = g_strdup(model->name);
    g_queue_push_tail(self->strays, record);
}

/* Read the next prediction into *@out (transfer full) that can wait for a reference: those that
 * cannot become strays. */
static TgNext read_with_id(Join *self, Model *model, TgRecord **out, GError **error)
{
    while (!model->ended) {
        TgRecord *record = g_new0(TgRecord, 1);
        const TgNext next = chain_next(model->chain, record, error);

        if (next != TG_NEXT_ROW) {
            tg_record_free(record);
            model->ended = TRUE;
            return next;
        }
        record->row = ++model->n_read;
        if (record->id != NULL && check_new(self, model->chain, model->name, record)) {
            if (model->level != EXACT) {
                char *key = id_key(model->level, record->id);
                g_free(record->id);
                record->id = key;
            }
            *out = record;
            return TG_NEXT_ROW;
        }
        tg_record_set_fault(record, NO_ID);
        push_stray(self, model, record);
    }
    return TG_NEXT_END;
}

/* The prediction for @id into *@out (transfer full), NULL if there is none; FALSE with @error. */
static gboolean find_by_id(Join *self, Model *model, const char *id, TgRecord **out, GError **error)
{
    TgNext next;

    *out = g_hash_table_lookup(model->waiting, id);
    if (*out != NULL) {
        g_hash_table_steal(model->waiting, id);
        return TRUE;
    }
    while ((next = read_with_id(self, model, out, error)) == TG_NEXT_ROW) {
        if (strcmp((*out)->id, id) == 0)
            return TRUE;
        g_hash_table_insert(model->waiting, (*out)->id, *out);
    }
    *out = NULL;
    return next == TG_NEXT_END;
}

/* Count what is left of both sides for the message, and fail. */
static gboolean fail_at_end(Join *self, Model *model, gsize n_hyps, GError **error)
{
    g_auto(TgRecord) record = { 0 };
    gsize n_refs = self->n_refs;

    while (chain_next(self->refs, &record, NULL) == TG_NEXT_ROW)
        n_refs++;
    while (chain_next(model->chain, &record, NULL) == TG_NEXT_ROW)
        n_hyps++;
    return fail_totals(self->refs, n_refs, model->chain, n_hyps, error);
}

/* @ref and @hyp, which may be NULL, as one record. */
static void combine_records(const TgRecord *ref, TgRecord *hyp, const char *model, TgRecord *out)
{
    const char *name;
    json_t *value;

    tg_record_reset(out);
    out->id = g_strdup(ref->id);
    out->model = g_strdup(model);
    out->subset = g_strdup(ref->subset);
    out->file = ref->file;
    out->line = ref->line;
    out->fault = g_strdup(ref->fault);
    out->remark = g_strdup(ref->remark);
    for (guint i = 0; i < ref->refs->len; i++)
        g_ptr_array_add(out->refs, g_strdup(ref->refs->pdata[i]));
    if (hyp == NULL) {
        out->human = tg_human_groups_copy(ref->human);
        out->stored = json_deep_copy(ref->stored);
        return;
    }
    out->file = hyp->file;
    out->line = hyp->line;
    out->hyp = g_steal_pointer(&hyp->hyp);
    if (out->id == NULL)
        out->id = g_steal_pointer(&hyp->id);
    if (out->subset == NULL)
        out->subset = g_steal_pointer(&hyp->subset);
    if (out->fault == NULL)
        out->fault = g_steal_pointer(&hyp->fault);
    if (out->remark == NULL)
        out->remark = g_steal_pointer(&hyp->remark);
    out->human =
        hyp->human != NULL ? g_steal_pointer(&hyp->human) : tg_human_groups_copy(ref->human);
    /* The columns of the prediction, and where it has none those of the reference, which are copied
     * since the records of several models may go to several threads. */
    out->stored = json_deep_copy(ref->stored);
    if (out->stored == NULL)
        out->stored = json_incref(hyp->stored);
    else
        json_object_foreach(hyp->stored, name, value) if (!json_is_null(value))
            json_object_set_nocheck(out->stored, name, value);
}

/* Deliver the reference at hand with the next model. */
static gboolean deliver_record(Join *self, TgRecord *out, GError **error)
{
    Model *model = self->models->pdata[self->next_model++];
    TgRecord *hyp = NULL;

    if (!model->by_id) { /* it is on the same line */
        hyp = g_new0(TgRecord, 1);
        const TgNext next = chain_next(model->chain, hyp, error);
        if (next != TG_NEXT_ROW) {
            tg_record_free(hyp);
            return next == TG_NEXT_END && fail_at_end(self, model, model->n_read, error);
        }
        model->n_read++;
        if (self->ref.id != NULL && hyp->id != NULL && strcmp(self->ref.id, hyp->id) != 0)
            tg_record_set_fault(hyp,
                                "rows are joined by line, but the ids '%s' and '%s' "
                                "differ",
                                self->ref.id, hyp->id);
    } else if (self->ref.id != NULL && !self->repeated) {
        g_autofree char *key = model->level != EXACT ? id_key(model->level, self->ref.id) : NULL;

        if (!find_by_id(self, model, key != NULL ? key : self->ref.id, &hyp, error))
            return FALSE;
        model->n_joined += hyp != NULL;
        model->n_missing += hyp == NULL;
        if (hyp == NULL && model->missing->len < MAX_SHOWN)
            g_ptr_array_add(model->missing, g_strdup(self->ref.id));
    }
    combine_records(&self->ref, hyp, model->name, out);
    if (hyp != NULL)
        tg_record_free(hyp);
    return TRUE;
}

static int compare_rows(gconstpointer a, gconstpointer b)
{
    const TgRecord *first = a, *second = b;

    return first->row < second->row ? -1 : first->row > second->row;
}

/* Say how much did not join: an error if that is more than half of the smaller side. */
static gboolean check_joined(Join *self, const Model *model, const GList *left, GError **error)
{
    const gsize n_left = g_list_length((GList *) left), n_hyps = model->n_joined + n_left;
    const gsize n_refs = model->n_joined + model->n_missing;
    g_autoptr(GString) text = g_string_new(NULL);
    guint n = 0;

    if (n_left > 0) {
        g_string_append_printf(
            text, "%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " predictions have no reference (",
            n_left, n_hyps);
        for (const GList *item = left; item != NULL && n < MAX_SHOWN; item = item->next, n++)
            g_string_append_printf(text, "%s'%s'", n > 0 ? ", " : "",
                                   ((const TgRecord *) item->data)->id);
        g_string_append(text, n_left > n ? ", ...)" : ")");
    }
    if (model->n_missing > 0) {
        g_string_append_printf(
            text, "%s%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " references have no prediction (",
            n_left > 0 ? "; " : "", model->n_missing, n_refs);
        for (guint i = 0; i < model->missing->len; i++)
            g_string_append_printf(text, "%s'%s'", i > 0 ? ", " : "",
                                   (const char *) model->missing->pdata[i]);
        g_string_append(text, model->n_missing > model->missing->len ? ", ...)" : ")");
    }
    if (2 * model->n_joined < MIN(n_hyps, n_refs))
        return tg_fail_input(error, "%s: less than half joins: %s", model->name, text->str);
    if (text->len > 0)
        g_ptr_array_add(self->notes, g_strdup_printf("%s: %s", model->name, text->str));
    return TRUE;
}

/* No more references: predictions that are left become strays, in the order of their files. */
static gboolean end_model(Join *self, Model *model, GError **error)
{
    TgRecord *record;
    TgNext next;

    if (!model->by_id) {
        g_auto(TgRecord) extra = { 0 };

        next = chain_next(model->chain, &extra, error);
        return next == TG_NEXT_ROW ? fail_at_end(self, model, model->n_read + 1, error)
                                   : next == TG_NEXT_END;
    }
    while ((next = read_with_id(self, model, &record, error)) == TG_NEXT_ROW)
        g_hash_table_insert(model->waiting, record->id, record);
    if (next == TG_NEXT_ERROR)
        return FALSE;
    g_autoptr(GList) left = g_hash_table_get_values(model->waiting);
    g_hash_table_steal_all(model->waiting);
    left = g_list_sort(left, compare_rows);
    const gboolean enough = check_joined(self, model, left, error);
    for (const GList *item = left; item != NULL; item = item->next) {
        record = item->data;
        if (model->missing->len > 0)
            tg_record_set_fault(record, "no reference has the id '%s', and no prediction has '%s'",
                                record->id, (const char *) model->missing->pdata[0]);
        else
            tg_record_set_fault(record, "no reference has the id '%s'", record->id);
        push_stray(self, model, record);
    }
    return enough;
}

/* Read the next record, but for its row number, as tg_source_next() does. */
static TgNext join_next(Join *self, TgRecord *out, GError **error)
{
    while (self->next_model == self->models->len) {
        TgRecord *stray = g_queue_pop_head(self->strays);

        if (stray != NULL) {
            tg_record_clear(out);
            *out = *stray;
            g_free(stray);
            return TG_NEXT_ROW;
        }
        if (self->ended)
            return TG_NEXT_END;
        const TgNext next = chain_next(self->refs, &self->ref, error);
        if (next == TG_NEXT_ROW) {
            self->n_refs++;
            self->next_model = 0;
            self->repeated = !self->allow_duplicates && self->ref.id != NULL &&
                             !check_new(self, self->refs, NULL, &self->ref);
            /* A row by id without an id cannot have a prediction; say so once, at the reference. */
            for (guint i = 0; self->ref.id == NULL && i < self->models->len; i++)
                if (((const Model *) self->models->pdata[i])->by_id)
                    tg_record_set_fault(&self->ref, NO_ID);
            continue;
        }
        self->ended = TRUE;
        for (guint i = 0; next == TG_NEXT_END && i < self->models->len; i++)
            if (!end_model(self, self->models->pdata[i], error))
                return TG_NEXT_ERROR;
        if (next == TG_NEXT_ERROR)
            return next;
    }
    return deliver_record(self, out, error) ? TG_NEXT_ROW : TG_NEXT_ERROR;
}

/* ---- human scores from a file of their own ---- */

typedef struct {
    GHashTable *rated;   /* rows of the test set */
    GHashTable *raters;  /* char * to index + 1 */
    TgSourceInput input; /* the file they are from */
} Ratings;

/* The ratings of one row of the test set; Ratings has them by key_of(). */
typedef struct {
    GPtrArray *human; /* TgHumanGroup *, or NULL */
    GArray *scores;   /* double, by rater; NaN where one gave none */
} Rated;

static void rated_free(gpointer data)
{
    Rated *rated = data;

    g_clear_pointer(&rated->human, g_ptr_array_unref);
    g_array_unref(rated->scores);
    g_free(rated);
}

static void ratings_free(Ratings *ratings)
{
    if (ratings == NULL)
        return;
    g_hash_table_unref(ratings->rated);
    g_hash_table_unref(ratings->raters);
    g_free((char *) ratings->input.name);
    g_free((char *) ratings->input.format);
    g_free((char *) ratings->input.sha256);
    g_free(ratings);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Ratings, ratings_free)

/* No name holds a line feed and a NUL is none, so keys of different pairs differ. */
static char *key_of(const char *model, const char *id)
{
    return g_strconcat(model != NULL ? model : "", "\n", id, NULL);
}

/* The first of @names that the row has. */
static json_t *stored_one(const TgRecord *record, const char *const *names)
{
    for (guint i = 0; names[i] != NULL; i++) {
        json_t *value = json_object_get(record->stored, names[i]);

        if (value != NULL && !json_is_null(value))
            return value;
    }
    return NULL;
}

/* The name of the rater of a single score; NULL where the row is of another form. */
static char *rater_of(const TgRecord *record)
{
    static const char *const names[] = { "rater", "annotator", "rater_id", "annotator_id", NULL };
    const json_t *rater = stored_one(record, names);
    char text[32];

    if (json_is_string(rater))
        return g_strdup(json_string_value(rater));
    if (!json_is_number(rater))
        return NULL;
    tg_number_format(json_number_value(rater), text);
    return g_strdup(text);
}

static double score_of(const TgRecord *record)
{
    static const char *const names[] = { "score", "value", NULL };
    const json_t *score = stored_one(record, names);
    const TgHumanGroup *group = record->human != NULL ? record->human->pdata[0] : NULL;

    if (json_is_number(score))
        return json_number_value(score);
    return group != NULL && group->n_scores == 1 ? group->scores[0] : NAN;
}

static gboolean add_score(Ratings *ratings, Rated *rated, const TgRecord *record, const char *rater,
                          GError **error)
{
    const double score = score_of(record), none = NAN;
    guint index = GPOINTER_TO_UINT(g_hash_table_lookup(ratings->raters, rater));

    if (isnan(score))
        return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": no field 'score' with a number",
                             record->file, record->line);
    if (index == 0) {
        index = g_hash_table_size(ratings->raters) + 1;
        g_hash_table_insert(ratings->raters, g_strdup(rater), GUINT_TO_POINTER(index));
    }
    while (rated->scores->len < index)
        g_array_append_val(rated->scores, none);
    if (!isnan(g_array_index(rated->scores, double, index - 1)))
        return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": a second score of rater '%s' for '%s'",
                             record->file, record->line, rater, record->id);
    g_array_index(rated->scores, double, index - 1) = score;
    return TRUE;
}

static gboolean add_row(Ratings *ratings, TgRecord *record, GError **error)
{
    g_autofree char *rater = rater_of(record);

    if (record->fault != NULL)
        return tg_fail_input(error, "%s", record->fault);
    if (record->id == NULL)
        return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": a rating without an id", record->file,
                             record->line);
    char *key = key_of(record->model, record->id);
    Rated *rated = g_hash_table_lookup(ratings->rated, key);
    if (rated != NULL) {
        g_free(key);
    } else {
        rated = g_new0(Rated, 1);
        rated->scores = g_array_new(FALSE, FALSE, sizeof(double));
        g_hash_table_insert(ratings->rated, key, rated);
    }
    if (rater != NULL)
        return add_score(ratings, rated, record, rater, error);
    if (rated->human != NULL)
        return tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": a second row of ratings for '%s'",
                             record->file, record->line, record->id);
    rated->human = g_steal_pointer(&record->human);
    return TRUE;
}

/* Read a file of ratings, whose rows have an id, perhaps a model, and either human scores as rows
 * of a test set have them, or one score of one rater: the fields "rater" (or "annotator") and
 * "score" (or "rating", "value"). (transfer full), or NULL with TG_ERROR_USAGE (@human) or
 * TG_ERROR_INPUT */
static Ratings *ratings_read(const char *path, const char *const *human, gsize max_line,
                             GError **error)
{
    static const char *const columns[] = { "rater,annotator,rater_id,annotator_id,score,value",
                                           NULL };
    g_autoptr(TgFieldMap) fields = tg_field_map_new(NULL, human, columns, error);
    const char *const paths[] = { path, NULL };
    g_autoptr(Ratings) ratings = g_new0(Ratings, 1);
    g_auto(TgRecord) record = { 0 };
    TgNext next;

    ratings->rated = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, rated_free);
    ratings->raters = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (fields == NULL)
        return NULL;
    const ChainOptions options = { .fields = fields,
                                   .side = TG_FILE_RATINGS,
                                   .max_line = max_line };
    g_autoptr(Chain) chain = chain_open(paths, &options, error);
    if (chain == NULL)
        return NULL;
    while ((next = chain_next(chain, &record, error)) == TG_NEXT_ROW)
        if (!add_row(ratings, &record, error))
            return NULL;
    if (next == TG_NEXT_ERROR)
        return NULL;
    if (g_hash_table_size(ratings->rated) == 0)
        return tg_null_input(error, "%s: has no ratings", path);
    const TgSourceInput *input = &chain->inputs[0];
    ratings->input =
        (TgSourceInput){ g_strdup(input->name), g_strdup(input->format), g_strdup(input->sha256) };
    return g_steal_pointer(&ratings);
}

/* Give @record the ratings of its id: those for its model, or else those that name no model. Raters
 * of single scores are one group, "human", in the order of their first score. */
static void ratings_apply(const Ratings *ratings, TgRecord *record)
{
    const char *const models[] = { record->model, NULL };
    const Rated *rated = NULL;

    if (record->id == NULL)
        return;
    for (guint i = record->model == NULL; i < G_N_ELEMENTS(models) && rated == NULL; i++) {
        g_autofree char *key = key_of(models[i], record->id);

        rated = g_hash_table_lookup(ratings->rated, key);
    }
    if (rated == NULL)
        return;
    g_clear_pointer(&record->human, g_ptr_array_unref);
    record->human = tg_human_groups_copy(rated->human);
    if (rated->scores->len > 0) {
        TgHumanGroup *group = tg_human_group_new("human", g_hash_table_size(ratings->raters));

        memcpy(group->scores, rated->scores->data, rated->scores->len * sizeof(double));
        if (record->human == NULL)
            record->human = g_ptr_array_new_with_free_func((GDestroyNotify) tg_human_group_free);
        g_ptr_array_add(record->human, group);
    }
}

/* ---- the source ---- */

/* References by id of several files, which should be the same for all models. */
typedef struct {
    GHashTable *hashes; /* char * to the hash of the reference */
    GHashTable *others; /* ids that have another one, too */
    char *first, *file; /* the first of these, and where it has another one */
} SharedRefs;

static SharedRefs *shared_refs_new(void)
{
    SharedRefs *self = g_new0(SharedRefs, 1);

    self->hashes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    self->others = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return self;
}

static void shared_refs_free(SharedRefs *self)
{
    if (self == NULL)
        return;
    g_hash_table_unref(self->hashes);
    g_hash_table_unref(self->others);
    g_free(self->first);
    g_free(self->file);
    g_free(self);
}

static void shared_refs_add(SharedRefs *self, const TgRecord *record)
{
    gpointer known;
    guint hash = 5381;

    if (record->id == NULL || record->fault != NULL || record->refs->len == 0)
        return;
    for (const char *c = record->refs->pdata[0]; *c != '\0'; c++)
        hash = g_ascii_isspace(*c) ? hash : hash * 33 + (guchar) *c;
    char *key = g_strconcat(record->subset != NULL ? record->subset : "", "\n", record->id, NULL);
    if (!g_hash_table_lookup_extended(self->hashes, key, NULL, &known)) {
        g_hash_table_insert(self->hashes, key, GUINT_TO_POINTER(hash));
        return;
    }
    if (GPOINTER_TO_UINT(known) == hash) {
        g_free(key);
        return;
    }
    if (self->first == NULL) {
        self->first = g_strdup(record->id);
        self->file = g_strdup(record->file);
    }
    g_hash_table_add(self->others, key);
}

/* One line about ids that have several references. (transfer full), or NULL */
static char *shared_refs_note(const SharedRefs *self)
{
    if (self->first == NULL)
        return NULL;
    return g_strdup_printf("%u of %u ids have other references in one file than in another (first: "
                           "'%s' in %s): are these the same test set?",
                           g_hash_table_size(self->others), g_hash_table_size(self->hashes),
                           self->first, self->file);
}

#define TWICE_STDIN "stdin ('-') can be given for one file only"

struct TgSource {
    TgFieldMap *fields;
    ChainOptions options;
    char *format;
    char *model;             /* for rows without one, or NULL */
    TgInputNames names;      /* of the inputs */
    char **found_models;     /* per input that the user named: what its rows call their model */
    Chain *chain;            /* of the inputs, or NULL */
    Join *join;              /* ... or this */
    GPtrArray *column_maps;  /* TgFieldMap, of inputs with a column of their own; or NULL */
    const TgFieldMap **maps; /* of each input, or NULL */
    Ratings *ratings;        /* NULL: in the rows, if anywhere */
    TgIdSet *seen;           /* NULL: duplicates are allowed */
    SharedRefs *shared;      /* of several inputs, or NULL */
    GPtrArray *notes;        /* char *, of inputs without a join */
    gsize n_rows;
    GArray *inputs;      /* TgSourceInput, for tg_source_inputs() */
    const TgPair *pairs; /* in memory; NULL: there are files */
    gsize n_pairs;
};

/* stdin can be read once. */
static guint count_stdin(char *const *paths)
{
    guint n = 0;

    for (guint i = 0; paths[i] != NULL; i++)
        n += strcmp(paths[i], "-") == 0;
    return n;
}

/* Whether some of @texts stand for more files than one each. */
static gboolean are_folders(const char *const *texts, guint n_files)
{
    return texts != NULL && g_strv_length((char **) texts) < n_files;
}

/* A map for each input whose user named the column of its predictions: MODEL=FILE:FIELD. */
static gboolean compile_columns(TgSource *self, const TgInputNames *names,
                                const TgSourceOptions *options, GError **error)
{
    gboolean any = FALSE;

    for (guint i = 0; i < names->n; i++)
        any = any || names->fields[i] != NULL;
    if (!any)
        return TRUE;
    self->column_maps = g_ptr_array_new_with_free_func((GDestroyNotify) tg_field_map_free);
    self->maps = g_new0(const TgFieldMap *, names->n);
    for (guint i = 0; i < names->n; i++) {
        g_autoptr(GStrvBuilder) maps = g_strv_builder_new();
        g_autofree char *own = g_strdup_printf("pred=%s", names->fields[i]);

        self->maps[i] = self->fields;
        if (names->fields[i] == NULL)
            continue;
        if (options->maps != NULL)
            g_strv_builder_addv(maps, (const char **) options->maps);
        g_strv_builder_add(maps, own);
        g_auto(GStrv) texts = g_strv_builder_end(maps);
        TgFieldMap *map = tg_field_map_new((const char *const *) texts,
                                           options->ratings == NULL ? options->human : NULL,
                                           options->columns, error);
        if (map == NULL)
            return FALSE;
        map->clean = self->fields->clean;
        map->keep_others = self->fields->keep_others;
        map->keep_delimiters = self->fields->keep_delimiters;
        map->token_ids = self->fields->token_ids;
        g_ptr_array_add(self->column_maps, map);
        self->maps[i] = map;
    }
    self->options.maps = self->maps;
    return TRUE;
}

static gboolean open_join(TgSource *self, const TgSourceOptions *options, GError **error)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_auto(TgInputNames) names = { 0 };

    for (guint i = 0; options->refs != NULL && options->refs[i] != NULL; i++) {
        g_auto(GStrv) files = tg_input_files(options->refs[i], error);

        if (files == NULL)
            return FALSE;
        g_strv_builder_addv(builder, (const char **) files);
    }
    g_auto(GStrv) refs = g_strv_builder_end(builder);
    g_auto(GStrv) hyps = tg_input_join_patterns(options->hyps, refs);
    if (!tg_input_names_init(&names, (const char *const *) hyps, NULL, error))
        return FALSE;
    if (refs[0] == NULL)
        return tg_fail_usage(error, "predictions need a file of references");
    if (names.n == 0)
        return tg_fail_usage(error, "references need a file of predictions");
    if (count_stdin(refs) + count_stdin(names.paths) > 1)
        return tg_fail_usage(error, TWICE_STDIN);
    if (!compile_columns(self, &names, options, error))
        return FALSE;
    const gboolean is_folder[] = { are_folders(options->refs, g_strv_length(refs)),
                                   are_folders((const char *const *) hyps, names.n) };
    self->join = join_open((const char *const *) refs, &names, &self->options,
                           options->allow_duplicates, is_folder, error);
    return self->join != NULL;
}

static gboolean open_chain(TgSource *self, const char *const *inputs,
                           const TgSourceOptions *options, GError **error)
{
    if (!tg_input_names_init(&self->names, inputs, self->model, error))
        return FALSE;
    if (self->names.n == 0)
        return tg_fail_usage(error, "no input given");
    if (count_stdin(self->names.paths) > 1)
        return tg_fail_usage(error, TWICE_STDIN);
    self->found_models = g_new0(char *, self->names.n);
    if (!options->allow_duplicates)
        self->seen = tg_id_set_new();
    if (self->names.n > 1)
        self->shared = shared_refs_new();
    self->options.subsets = self->names.subsets;
    if (!compile_columns(self, &self->names, options, error))
        return FALSE;
    self->chain = chain_open((const char *const *) self->names.paths, &self->options, error);
    return self->chain != NULL;
}

TgSource *tg_source_open(const char *const *inputs, const TgSourceOptions *options, GError **error)
{
    g_autoptr(TgSource) self = g_new0(TgSource, 1);

    self->inputs = g_array_new(FALSE, TRUE, sizeof(TgSourceInput));
    self->notes = g_ptr_array_new_with_free_func(g_free);
    self->fields = tg_field_map_new(options->maps, options->ratings == NULL ? options->human : NULL,
                                    options->columns, error);
    if (self->fields == NULL)
        return NULL;
    if (options->ratings != NULL) {
        self->ratings = ratings_read(options->ratings, options->human, TG_SOURCE_MAX_LINE, error);
        if (self->ratings == NULL)
            return NULL;
    }
    if (!tg_clean_parse(options->clean, &self->fields->clean, error))
        return NULL;
    self->fields->keep_others = options->keep_others;
    self->fields->keep_delimiters = options->keep_delimiters;
    self->fields->token_ids = options->token_ids;
    self->format = g_strdup(options->format);
    self->model = g_strdup(options->model);
    self->options = (ChainOptions){
        .format = self->format,
        .fields = self->fields,
        .side = options->refs_only ? TG_FILE_REFERENCES : TG_FILE_PAIRS,
        .max_line = options->max_line != 0 ? options->max_line : TG_SOURCE_MAX_LINE,
    };
    self->pairs = options->pairs;
    self->n_pairs = options->n_pairs;
    if (self->pairs != NULL)
        return g_steal_pointer(&self);
    const gboolean joins = options->refs != NULL || options->hyps != NULL;
    if (joins && inputs != NULL && inputs[0] != NULL)
        return tg_null_usage(error, "give either inputs, or references and predictions");
    const gboolean good =
        joins ? open_join(self, options, error) : open_chain(self, inputs, options, error);
    return good ? g_steal_pointer(&self) : NULL;
}

void tg_source_free(TgSource *self)
{
    if (self == NULL)
        return;
    chain_free(self->chain);
    join_free(self->join);
    g_clear_pointer(&self->seen, g_hash_table_unref);
    shared_refs_free(self->shared);
    g_ptr_array_unref(self->notes);
    ratings_free(self->ratings);
    g_clear_pointer(&self->column_maps, g_ptr_array_unref);
    g_free(self->maps);
    tg_field_map_free(self->fields);
    for (guint i = 0; self->found_models != NULL && i < self->names.n; i++)
        g_free(self->found_models[i]);
    g_free(self->found_models);
    tg_input_names_clear(&self->names);
    g_free(self->format);
    g_free(self->model);
    g_array_unref(self->inputs);
    g_free(self);
}

/* A name that the user gives replaces that of the rows, which must be one model's. */
static gboolean name_model(TgSource *self, TgRecord *record, GError **error)
{
    const guint file = self->chain->last_file;
    const TgInputNames *names = &self->names;

    if (!names->named[file]) {
        if (record->model == NULL)
            record->model =
                g_strdup(self->model == NULL && names->n > 1 ? names->models[file] : self->model);
        return TRUE;
    }
    if (record->model != NULL && self->found_models[file] == NULL)
        self->found_models[file] = g_strdup(record->model);
    else if (record->model != NULL && strcmp(record->model, self->found_models[file]) != 0)
        return tg_fail_input(error, TG_INPUT_SEVERAL_MODELS, names->models[file],
                             names->paths[file], self->found_models[file], record->model);
    g_free(record->model);
    record->model = g_strdup(names->models[file]);
    return TRUE;
}

static void take_text(const TgSource *self, TgFileSide side, const char *text, TgRecord *out)
{
    if (g_utf8_validate(text, -1, NULL))
        tg_row_take_formula(self->fields, side, text, strlen(text), out);
    else
        tg_record_set_fault(out, "a formula is not UTF-8");
}

/* The next pair of those in memory. */
static TgNext next_pair(TgSource *self, TgRecord *out)
{
    const TgPair *pair = self->pairs + self->n_rows;

    if (self->n_rows == self->n_pairs)
        return TG_NEXT_END;
    tg_record_reset(out);
    out->file = "data";
    out->line = self->n_rows + 1;
    out->model = g_strdup(self->model);
    if (pair->n_refs == 0)
        tg_record_set_fault(out, "there is no reference");
    for (guint i = 0; i < pair->n_refs; i++)
        take_text(self, TG_FILE_REFERENCES, pair->refs[i], out);
    if (pair->hyp != NULL)
        take_text(self, TG_FILE_HYPOTHESES, pair->hyp, out);
    return TG_NEXT_ROW;
}

TgNext tg_source_next(TgSource *self, TgRecord *out, GError **error)
{
    const TgNext next = self->pairs != NULL  ? next_pair(self, out)
                        : self->join != NULL ? join_next(self->join, out, error)
                                             : chain_next(self->chain, out, error);

    if (next == TG_NEXT_END && self->shared != NULL) {
        char *note = shared_refs_note(self->shared);

        if (note != NULL)
            g_ptr_array_add(self->notes, note);
        g_clear_pointer(&self->shared, shared_refs_free);
    }
    if (next != TG_NEXT_ROW)
        return next;
    if (self->shared != NULL)
        shared_refs_add(self->shared, out);
    if (self->chain != NULL) {
        if (!name_model(self, out, error))
            return TG_NEXT_ERROR;
        /* The id must be new for its model; what stdin brings is never kept. */
        const TgPlace place = { self->chain->last_file, out->line };
        TgPlace first;
        if (self->seen != NULL && out->id != NULL &&
            strcmp(self->chain->inputs[place.file].name, "-") != 0 &&
            !tg_id_set_add(self->seen, out->model, out->subset, out->id, place, &first))
            tg_record_set_fault(
                out,
                "duplicate id '%s', first in %s:%" G_GSIZE_FORMAT
                "; rows that are pairs of their own: --map %s, ratings: --ratings",
                out->id, self->chain->labels[first.file], first.line,
                json_object_get(out->stored, "filter") != NULL ? "subset=filter (lm-eval)" : "id=");
    }
    out->row = ++self->n_rows;
    if (self->ratings != NULL)
        ratings_apply(self->ratings, out);
    return TG_NEXT_ROW;
}

/* All chains, one after the other; NULL after the last. */
static const Chain *chain_at(const TgSource *self, guint i)
{
    if (self->join != NULL)
        return join_chain(self->join, i);
    return i == 0 ? self->chain : NULL;
}

void tg_source_progress(const TgSource *self, guint64 *bytes_read, guint64 *bytes_total)
{
    const Chain *chain;
    gboolean known = TRUE;

    *bytes_read = *bytes_total = 0;
    for (guint i = 0; (chain = chain_at(self, i)) != NULL; i++) {
        known = known && chain->regular && chain->bytes_total > 0;
        *bytes_total += chain->bytes_total;
        *bytes_read += chain->bytes_before;
        if (chain->reader != NULL)
            *bytes_read += chain->reader->stream->bytes_read;
    }
    if (!known)
        *bytes_total = 0;
}

const TgSourceInput *tg_source_inputs(TgSource *self, guint *n)
{
    const TgSourceInput memory = { "data", "memory", NULL };
    const Chain *chain;

    g_array_set_size(self->inputs, 0);
    if (self->pairs != NULL)
        g_array_append_val(self->inputs, memory);
    for (guint i = 0; (chain = chain_at(self, i)) != NULL; i++) {
        TgSourceInput *input = chain->reader != NULL ? &chain->inputs[chain->file] : NULL;

        if (input != NULL && input->roles == NULL) /* of the file that is open */
            input->roles = tg_reader_describe(chain->reader, chain->options.stems);
        g_array_append_vals(self->inputs, chain->inputs, chain->n_files);
    }
    if (self->ratings != NULL)
        g_array_append_vals(self->inputs, &self->ratings->input, 1);
    *n = self->inputs->len;
    return (const TgSourceInput *) self->inputs->data;
}

const char *const *tg_source_notes(const TgSource *self, guint *n)
{
    const GPtrArray *notes = self->join != NULL ? self->join->notes : self->notes;

    *n = notes->len;
    return *n > 0 ? (const char *const *) notes->pdata : NULL;
}

/* Whether a field is one of several for a role of which the first that is there counts. */
static gboolean other_is_met(const TgFieldMap *map, guint slot)
{
    for (guint role = TG_ROLE_HYP; role < TG_ROLE_HUMAN; role++) {
        const TgSlotRange *range = &map->roles[role];

        for (guint i = range->first; i < range->first + range->n; i++)
            if (map->met[i] && slot >= range->first && slot < range->first + range->n)
                return TRUE;
    }
    return FALSE;
}

const char *tg_source_unmet_field(const TgSource *self)
{
    for (guint slot = 0; slot < self->fields->paths->len; slot++)
        if (!self->fields->met[slot] && !other_is_met(self->fields, slot))
            return ((const TgFieldPath *) self->fields->paths->pdata[slot])->text;
    return NULL;
}
