/* Files in, records out: inputs one after the other or a join, and what holds for both. */
#include "datasets/source.h"

#include <string.h>

#include "core/fail.h"
#include "datasets/id_set.h"
#include "datasets/parts.h"
#include "datasets/records/formula.h"

/* ---- references of several files ---- */

/* The references by id: files of several models should have the same reference for an id. */
typedef struct {
    GHashTable *hashes; /* char * to the hash of the reference; NULL: there is one file */
    GHashTable *others; /* ids that have another one, too */
    char *first, *file; /* the first of these, and where it has another one */
} SharedRefs;

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

/* ---- the source ---- */

struct TgSource {
    TgFieldMap *fields;
    TgChainOptions options;
    char *format;
    char *model;            /* for rows without one, or NULL */
    TgInputNames names;     /* of the inputs */
    char **found_models;    /* per input that the user named: what its rows call their model */
    TgChain *chain;         /* of the inputs, or NULL */
    TgJoin *join;           /* ... or this */
    GPtrArray *column_maps; /* TgFieldMap, of inputs with a column of their own */
    TgRowRatings *ratings;  /* NULL: in the rows, if anywhere */
    TgIdSet *seen;          /* NULL: duplicates are allowed */
    SharedRefs shared;      /* of several inputs */
    GPtrArray *notes;       /* char * */
    char *first_id;         /* of the rows, or NULL */
    gboolean is_ended;
    gsize n_rows;
    GArray *inputs;      /* TgSourceInput, for tg_source_inputs() */
    const TgPair *pairs; /* in memory; NULL: there are files */
    gsize n_pairs;
};

/* stdin can be read once. @refs: NULL last, or NULL */
static gboolean check_stdin(char *const *refs, const TgInputNames *names, GError **error)
{
    guint n = 0;

    for (guint i = 0; refs != NULL && refs[i] != NULL; i++)
        n += strcmp(refs[i], "-") == 0;
    for (guint i = 0; i < names->n; i++)
        n += strcmp(names->at[i].path, "-") == 0;
    return n < 2 || tg_fail_usage(error, "stdin ('-') can be given for one file only");
}

/* Whether some of @texts stand for more files than one each. */
static gboolean are_folders(const char *const *texts, guint n_files)
{
    return texts != NULL && g_strv_length((char **) texts) < n_files;
}

/* The map of @maps and the options that hold for all inputs, but for @clean. (transfer full), or
 * NULL with @error */
static TgFieldMap *make_map(const char *const *maps, const TgSourceOptions *options, GError **error)
{
    TgFieldMap *map = tg_field_map_new(maps, options->ratings == NULL ? options->human : NULL,
                                       options->columns, error);

    if (map == NULL)
        return NULL;
    map->keep_others = options->keep_others;
    map->keep_delimiters = options->keep_delimiters;
    map->token_ids = options->token_ids;
    map->several = options->hyps != NULL && g_strv_length((char **) options->hyps) > 1;
    return map;
}

/* The files of a chain, each with a map of its own where the user named the column of its
 * predictions: MODEL=FILE:FIELD. (transfer container), or NULL with @error */
static TgChainFile *make_files(TgSource *self, const TgInputNames *names,
                               const TgSourceOptions *options, GError **error)
{
    g_autofree TgChainFile *files = g_new0(TgChainFile, names->n + 1);

    for (guint i = 0; i < names->n; i++) {
        const TgInputName *name = &names->at[i];
        g_autoptr(GStrvBuilder) maps = g_strv_builder_new();
        g_autofree char *own = g_strdup_printf("pred=%s", name->field);

        files[i] = (TgChainFile){ name->path, name->subset, self->fields, NULL };
        if (name->field == NULL)
            continue;
        if (options->maps != NULL)
            g_strv_builder_addv(maps, (const char **) options->maps);
        g_strv_builder_add(maps, own);
        g_auto(GStrv) texts = g_strv_builder_end(maps);
        TgFieldMap *map = make_map((const char *const *) texts, options, error);
        if (map == NULL)
            return NULL;
        map->clean = self->fields->clean;
        g_ptr_array_add(self->column_maps, map);
        files[i].fields = map;
    }
    return g_steal_pointer(&files);
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
    if (!check_stdin(refs, &names, error))
        return FALSE;
    g_autofree TgChainFile *files = make_files(self, &names, options, error);
    if (files == NULL)
        return FALSE;
    const gboolean is_folder[] = { are_folders(options->refs, g_strv_length(refs)),
                                   are_folders((const char *const *) hyps, names.n) };
    self->join = tg_join_open(refs, self->fields, &names, files, &self->options,
                              options->allow_duplicates, is_folder, self->notes, error);
    return self->join != NULL;
}

static gboolean open_chain(TgSource *self, const char *const *inputs,
                           const TgSourceOptions *options, GError **error)
{
    if (!tg_input_names_init(&self->names, inputs, self->model, error))
        return FALSE;
    if (self->names.n == 0)
        return tg_fail_usage(error, "no input given");
    if (!check_stdin(NULL, &self->names, error))
        return FALSE;
    self->found_models = g_new0(char *, self->names.n);
    if (!options->allow_duplicates)
        self->seen = tg_id_set_new();
    if (self->names.n > 1) {
        self->shared.hashes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        self->shared.others = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    }
    g_autofree TgChainFile *files = make_files(self, &self->names, options, error);
    if (files != NULL)
        self->chain = tg_chain_open(files, self->names.n, &self->options, error);
    return self->chain != NULL;
}

TgSource *tg_source_open(const char *const *inputs, const TgSourceOptions *options, GError **error)
{
    g_autoptr(TgSource) self = g_new0(TgSource, 1);

    self->inputs = g_array_new(FALSE, TRUE, sizeof(TgSourceInput));
    self->notes = g_ptr_array_new_with_free_func(g_free);
    self->column_maps = g_ptr_array_new_with_free_func((GDestroyNotify) tg_field_map_free);
    self->fields = make_map(options->maps, options, error);
    if (self->fields == NULL)
        return NULL;
    if (options->ratings != NULL) {
        self->ratings = tg_row_ratings_read(options->ratings, options->human, error);
        if (self->ratings == NULL)
            return NULL;
    }
    if (!tg_clean_parse(options->clean, &self->fields->clean, error))
        return NULL;
    self->format = g_strdup(options->format);
    self->model = g_strdup(options->model);
    self->options = (TgChainOptions){
        .format = self->format,
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
    tg_chain_free(self->chain);
    tg_join_free(self->join);
    g_clear_pointer(&self->seen, g_hash_table_unref);
    g_clear_pointer(&self->shared.hashes, g_hash_table_unref);
    g_clear_pointer(&self->shared.others, g_hash_table_unref);
    g_free(self->shared.first);
    g_free(self->shared.file);
    g_ptr_array_unref(self->notes);
    tg_row_ratings_free(self->ratings);
    g_ptr_array_unref(self->column_maps);
    tg_field_map_free(self->fields);
    for (guint i = 0; self->found_models != NULL && i < self->names.n; i++)
        g_free(self->found_models[i]);
    g_free(self->found_models);
    tg_input_names_clear(&self->names);
    g_free(self->format);
    g_free(self->model);
    g_free(self->first_id);
    g_array_unref(self->inputs);
    g_free(self);
}

/* A name that the user gives replaces that of the rows, which must be one model's. */
static gboolean name_model(TgSource *self, TgRecord *record, GError **error)
{
    const guint file = self->chain->last_file;
    const TgInputNames *names = &self->names;

    if (!names->at[file].named) {
        if (record->model == NULL)
            record->model =
                g_strdup(self->model == NULL && names->n > 1 ? names->at[file].model : self->model);
        return TRUE;
    }
    if (record->model != NULL && self->found_models[file] == NULL)
        self->found_models[file] = g_strdup(record->model);
    else if (record->model != NULL && strcmp(record->model, self->found_models[file]) != 0)
        return tg_fail_input(error, TG_INPUT_SEVERAL_MODELS, names->at[file].model,
                             names->at[file].path, self->found_models[file], record->model);
    g_free(record->model);
    record->model = g_strdup(names->at[file].model);
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
                        : self->join != NULL ? tg_join_next(self->join, out, error)
                                             : tg_chain_next(self->chain, out, error);

    if (next == TG_NEXT_END && !self->is_ended) {
        const SharedRefs *shared = &self->shared;

        if (shared->first != NULL)
            g_ptr_array_add(
                self->notes,
                g_strdup_printf(
                    "%u of %u ids have other references in one file than in another (first: "
                    "'%s' in %s): are these the same test set?",
                    g_hash_table_size(shared->others), g_hash_table_size(shared->hashes),
                    shared->first, shared->file));
        if (self->ratings != NULL)
            tg_row_ratings_remark(self->ratings, self->first_id, self->notes);
    }
    self->is_ended = next == TG_NEXT_END;
    if (next != TG_NEXT_ROW)
        return next;
    if (self->shared.hashes != NULL)
        shared_refs_add(&self->shared, out);
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
    if (self->first_id == NULL)
        self->first_id = g_strdup(out->id);
    if (self->ratings != NULL)
        tg_row_ratings_apply(self->ratings, out);
    return TG_NEXT_ROW;
}

/* All chains, one after the other; NULL after the last. */
static TgChain *chain_at(const TgSource *self, guint i)
{
    if (self->join != NULL)
        return tg_join_chain(self->join, i);
    return i == 0 ? self->chain : NULL;
}

void tg_source_progress(const TgSource *self, guint64 *bytes_read, guint64 *bytes_total)
{
    TgChain *chain;
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
    TgChain *chain;

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
        g_array_append_vals(self->inputs, tg_row_ratings_input(self->ratings), 1);
    *n = self->inputs->len;
    return (const TgSourceInput *) self->inputs->data;
}

const char *const *tg_source_notes(const TgSource *self, guint *n)
{
    *n = self->notes->len;
    return (const char *const *) self->notes->pdata;
}

/* Whether another field of the same role was met: of such fields a row needs only one. */
static gboolean another_field_is_met(const TgFieldMap *map, guint slot)
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
        if (!self->fields->met[slot] && !another_field_is_met(self->fields, slot))
            return ((const TgFieldPath *) self->fields->paths->pdata[slot])->text;
    return NULL;
}
