/* Files in, records out: inputs one after the other, or a join. */
#include "datasets/source.h"

#include <string.h>

#include "core/fail.h"
#include "datasets/chain.h"
#include "datasets/id_set.h"
#include "datasets/records/formula.h"

#define TWICE_STDIN "stdin ('-') can be given for one file only"

struct TgSource {
    TgFieldMap *fields;
    TgChainOptions options;
    char *format;
    char *model;         /* for rows without one, or NULL */
    TgInputNames names;  /* of the inputs */
    char **found_models; /* per input that the user named: what its rows call their model */
    TgChain *chain;      /* of the inputs, or NULL */
    TgJoin *join;        /* ... or this */
    TgRatings *ratings;  /* NULL: in the rows, if anywhere */
    TgIdSet *seen;       /* NULL: duplicates are allowed */
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

static gboolean open_join(TgSource *self, const TgSourceOptions *options, GError **error)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_auto(TgInputNames) names = { 0 };

    for (guint i = 0; options->truths != NULL && options->truths[i] != NULL; i++) {
        g_auto(GStrv) files = tg_input_files(options->truths[i], error);

        if (files == NULL)
            return FALSE;
        g_strv_builder_addv(builder, (const char **) files);
    }
    g_auto(GStrv) truths = g_strv_builder_end(builder);
    if (!tg_input_names_init(&names, options->predictions, NULL, error))
        return FALSE;
    if (truths[0] == NULL)
        return tg_fail_usage(error, "predictions need a file of truths");
    if (names.n == 0)
        return tg_fail_usage(error, "truths need a file of predictions");
    if (count_stdin(truths) + count_stdin(names.paths) > 1)
        return tg_fail_usage(error, TWICE_STDIN);
    self->join = tg_join_open((const char *const *) truths, &names, &self->options,
                              options->allow_duplicates, error);
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
    self->options.subsets = self->names.subsets;
    self->chain = tg_chain_open((const char *const *) self->names.paths, &self->options, error);
    return self->chain != NULL;
}

TgSource *tg_source_open(const char *const *inputs, const TgSourceOptions *options, GError **error)
{
    g_autoptr(TgSource) self = g_new0(TgSource, 1);

    self->inputs = g_array_new(FALSE, TRUE, sizeof(TgSourceInput));
    self->fields = tg_field_map_new(options->maps, options->ratings == NULL ? options->human : NULL,
                                    options->columns, error);
    if (self->fields == NULL)
        return NULL;
    if (options->ratings != NULL) {
        self->ratings =
            tg_ratings_read(options->ratings, options->human, TG_SOURCE_MAX_LINE, error);
        if (self->ratings == NULL)
            return NULL;
    }
    if (!tg_clean_parse(options->clean, &self->fields->clean, error))
        return NULL;
    self->fields->keep_others = options->keep_others;
    self->fields->keep_delimiters = options->keep_delimiters;
    self->fields->token_ids = options->token_ids;
    self->fields->takes_edited = options->edited;
    self->format = g_strdup(options->format);
    self->model = g_strdup(options->model);
    self->options = (TgChainOptions){
        .format = self->format,
        .fields = self->fields,
        .side = options->truth_only ? TG_FILE_REFERENCES : TG_FILE_PAIRS,
        .max_line = options->max_line != 0 ? options->max_line : TG_SOURCE_MAX_LINE,
    };
    self->pairs = options->pairs;
    self->n_pairs = options->n_pairs;
    if (self->pairs != NULL)
        return g_steal_pointer(&self);
    const gboolean joins = options->truths != NULL || options->predictions != NULL;
    if (joins && inputs != NULL && inputs[0] != NULL)
        return tg_null_usage(error, "give either inputs, or truths and predictions");
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
    tg_ratings_free(self->ratings);
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
        tg_record_set_fault(out, "there is no truth");
    for (guint i = 0; i < pair->n_refs; i++)
        take_text(self, TG_FILE_REFERENCES, pair->refs[i], out);
    if (pair->hyp != NULL)
        take_text(self, TG_FILE_HYPOTHESES, pair->hyp, out);
    return TG_NEXT_ROW;
}

gboolean tg_source_next(TgSource *self, TgRecord *out, GError **error)
{
    const TgNext next = self->pairs != NULL  ? next_pair(self, out)
                        : self->join != NULL ? tg_join_next(self->join, out, error)
                                             : tg_chain_next(self->chain, out, error);

    if (next != TG_NEXT_ROW)
        return FALSE;
    if (self->chain != NULL) {
        if (!name_model(self, out, error))
            return FALSE;
        /* The id must be new for its model; what stdin brings is never kept. */
        const TgPlace place = { self->chain->last_file, out->line };
        TgPlace first;
        if (self->seen != NULL && out->id != NULL &&
            strcmp(self->chain->inputs[place.file].name, "-") != 0 &&
            !tg_id_set_add(self->seen, out->model, out->subset, out->id, place, &first))
            tg_chain_set_duplicate(self->chain, out, first);
    }
    out->row = ++self->n_rows;
    if (self->ratings != NULL)
        tg_ratings_apply(self->ratings, out);
    return TRUE;
}

/* All chains, one after the other; NULL after the last. */
static const TgChain *chain_at(const TgSource *self, guint i)
{
    if (self->join != NULL)
        return tg_join_chain(self->join, i);
    return i == 0 ? self->chain : NULL;
}

void tg_source_progress(const TgSource *self, guint64 *bytes_read, guint64 *bytes_total)
{
    const TgChain *chain;
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
    const TgChain *chain;

    g_array_set_size(self->inputs, 0);
    if (self->pairs != NULL)
        g_array_append_val(self->inputs, memory);
    for (guint i = 0; (chain = chain_at(self, i)) != NULL; i++)
        g_array_append_vals(self->inputs, chain->inputs, chain->n_files);
    if (self->ratings != NULL)
        g_array_append_vals(self->inputs, &self->ratings->input, 1);
    *n = self->inputs->len;
    return (const TgSourceInput *) self->inputs->data;
}

const char *tg_source_unmet_field(const TgSource *self)
{
    return tg_field_map_unmet(self->fields);
}
