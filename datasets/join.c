/* References and predictions from different files, joined by id or by line. First it is found out
 * by which ids, then records are joined. */
#include <string.h>

#include "core/fail.h"
#include "core/number.h"
#include "datasets/id_set.h"
#include "datasets/parts.h"

/* The files of the references, or of a model's predictions. */
typedef struct {
    TgChain *chain;
    gboolean has_ids;
    gboolean is_folder; /* the user named a folder or a pattern */
    /* By a second reading, see scan_side(): the ids of the rows that have one; the number of rows
     * of each file, then that of all files. */
    GPtrArray *ids;
    gsize *n_rows;
} Side;

typedef struct {
    char *name;
    Side side;
    gboolean by_id;
    guint level; /* how ids are compared: see tg_id_key() */
    gboolean ended;
    gsize n_read, n_joined;
    GPtrArray *missing; /* the first ids of references without a prediction */
    gsize n_missing;
    /* the predictions with a reference of their own, those whose own is another, and the first */
    gsize n_own, n_other;
    char *first_other;
    GHashTable *waiting; /* by record_key(): read, and its reference has not come yet; row counts
                            from 1 */
} Model;

#define NO_ID "the row has no id, but rows are joined by id"

struct TgJoin {
    Side refs;
    GPtrArray *models; /* Model */
    char **subsets;    /* of the files of references, or NULL */
    TgIdSet *seen;     /* ids of references and, per model, of predictions */
    gboolean allow_duplicates;
    gboolean by_subset; /* ids are joined within their subsets */
    GPtrArray *notes;   /* char *; the source's */

    TgRecord ref;
    gboolean repeated; /* its id came before: no prediction is for it */
    gsize n_refs;
    guint next_model; /* to be delivered with @ref; all were when it is models->len */
    gboolean ended;   /* no more references */
    GQueue *strays;   /* TgRecord *: faulty predictions that belong to no reference */
};

/* Forget what a second reading of a side told. */
static void drop_scan(Side *side)
{
    g_clear_pointer(&side->ids, g_ptr_array_unref);
    g_clear_pointer(&side->n_rows, g_free);
}

static void clear_side(Side *side)
{
    drop_scan(side);
    tg_chain_free(side->chain);
}

static void free_model(gpointer data)
{
    Model *self = data;

    clear_side(&self->side);
    g_hash_table_unref(self->waiting);
    g_ptr_array_unref(self->missing);
    g_free(self->first_other);
    g_free(self->name);
    g_free(self);
}

void tg_join_free(TgJoin *self)
{
    if (self == NULL)
        return;
    clear_side(&self->refs);
    g_ptr_array_unref(self->models);
    g_strfreev(self->subsets);
    g_clear_pointer(&self->seen, g_hash_table_unref);
    tg_record_clear(&self->ref);
    g_queue_free_full(self->strays, tg_record_free);
    g_free(self);
}

TgChain *tg_join_chain(const TgJoin *self, guint i)
{
    if (i == 0)
        return self->refs.chain;
    return i <= self->models->len ? ((const Model *) self->models->pdata[i - 1])->side.chain : NULL;
}

/* Open the files of a side once more, by the options of its chain. @id_field: the field that is the
 * id, or NULL. (transfer full), or NULL with @error */
static TgChain *open_again(const Side *side, const char *id_field, GError **error)
{
    TgChainOptions options = side->chain->options;

    if (id_field != NULL)
        options.id_field = g_intern_string(id_field);
    return tg_chain_open(side->chain->files, side->chain->n_files, &options, error);
}

/* Read the files of a side from their beginnings, by options that were changed. */
static gboolean reopen_side(Side *side, const char *id_field, GError **error)
{
    TgChain *again = open_again(side, id_field, error);

    if (again == NULL)
        return FALSE;
    drop_scan(side);
    tg_chain_free(side->chain);
    side->chain = again;
    side->has_ids = tg_chain_look(again);
    return TRUE;
}

/* Read all rows of a side once more for their ids and their number. */
static gboolean scan_side(Side *side, GError **error)
{
    if (side->ids != NULL)
        return TRUE;
    g_autoptr(TgChain) chain = open_again(side, NULL, error);
    g_autofree gsize *n_rows = g_new0(gsize, side->chain->n_files + 1);
    side->ids = chain != NULL ? tg_chain_ids(chain, n_rows, error) : NULL;
    if (side->ids != NULL)
        side->n_rows = g_steal_pointer(&n_rows);
    return side->ids != NULL;
}

/* ---- rows by line ---- */

/* The files of a chain for messages: "a.txt" or "a.txt and 2 more". */
static char *describe_files(const TgChain *chain)
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
        "%s has %" G_GSIZE_FORMAT " row%s and %s has %" G_GSIZE_FORMAT
        ": without ids on both sides they are joined by line and must be equally long",
        refs, n_refs, tg_plural(n_refs), hyps, n_hyps);
}

/* Fail because all files of two chains have different numbers of rows. */
static gboolean fail_totals(const TgChain *refs, gsize n_refs, const TgChain *hyps, gsize n_hyps,
                            GError **error)
{
    g_autofree char *of_refs = describe_files(refs);
    g_autofree char *of_hyps = describe_files(hyps);

    return fail_lengths(of_refs, n_refs, of_hyps, n_hyps, error);
}

/* Compare what is to be joined by line ahead of the run: file by file where both sides have as many
 * files. */
static gboolean check_lines(Side *ref_side, Side *hyp_side, GError **error)
{
    const TgChain *refs = ref_side->chain, *hyps = hyp_side->chain;
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
    if (!scan_side(ref_side, error) || !scan_side(hyp_side, error))
        return FALSE;
    const gsize *n_refs = ref_side->n_rows, *n_hyps = hyp_side->n_rows;
    for (guint i = 0; pairs && i < n; i++)
        if (n_refs[i] != n_hyps[i])
            return fail_lengths(refs->labels[i], n_refs[i], hyps->labels[i], n_hyps[i], error);
    return n_refs[refs->n_files] == n_hyps[n] ||
           fail_totals(refs, n_refs[refs->n_files], hyps, n_hyps[n], error);
}

/* ---- ids of both sides ---- */

#define MAX_SHOWN 3 /* ids in a message */
#define MAX_TRIED 6 /* fields of a side that may be its id */

/* Candidates for the ids of one side: those that its rows have (@field NULL), or a field. */
typedef struct {
    const char *field;
    const char *name; /* of the field, also of the rows' own ids; NULL: they are in none */
    GPtrArray *ids;   /* NULL: not read yet */
} IdChoice;

static void id_choice_clear(gpointer data)
{
    g_clear_pointer(&((IdChoice *) data)->ids, g_ptr_array_unref);
}

static GArray *id_choices(const Side *side)
{
    const TgChain *chain = side->chain;
    GArray *choices = g_array_new(FALSE, TRUE, sizeof(IdChoice));
    const IdChoice own = { .name = chain->id_name };

    g_array_set_clear_func(choices, id_choice_clear);
    if (side->has_ids)
        g_array_append_val(choices, own);
    if (chain->sample == NULL || chain->files[0].fields->mapped[TG_ROLE_ID])
        return choices;
    g_autoptr(GPtrArray) fields = tg_roles_ids(chain->sample);
    for (guint i = 0; i < fields->len && choices->len < MAX_TRIED; i++) {
        const IdChoice choice = { .field = fields->pdata[i], .name = fields->pdata[i] };
        g_array_append_val(choices, choice);
    }
    return choices;
}

/* Read the ids of a choice if they are not read yet; those of files that are broken stay unknown.
 * FALSE with @error: the field cannot be an id, because it occurs twice */
static gboolean read_choice(Side *side, IdChoice *choice, GError **error)
{
    if (choice->ids == NULL && choice->field != NULL) {
        g_autoptr(TgChain) chain = open_again(side, choice->field, error);

        if (chain == NULL)
            return FALSE;
        choice->ids = tg_chain_ids(chain, NULL, NULL);
    } else if (choice->ids == NULL && scan_side(side, NULL)) {
        choice->ids = g_ptr_array_ref(side->ids);
    }
    return TRUE;
}

/* The id of a row within its subset. (transfer full) */
static char *pair_key(const char *subset, const char *id)
{
    return g_strconcat(subset != NULL ? subset : "", "\n", id, NULL);
}

static gboolean names_subset(const TgChain *chain)
{
    gboolean any = FALSE;

    for (const GList *item = chain->ahead.head; item != NULL && !any; item = item->next)
        any = ((const TgRecordAhead *) item->data)->record.subset != NULL;
    return any;
}

/* The ids of a side within their subsets, and alone in @ids; only of the rows that were looked at
 * if the side can be read once. (transfer full) */
static GHashTable *read_pairs(const Side *side, GHashTable *ids)
{
    GHashTable *pairs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(TgChain) again = side->chain->regular ? open_again(side, NULL, NULL) : NULL;
    const GList *item = side->chain->ahead.head;
    g_auto(TgRecord) record = { 0 };

    if (again != NULL) {
        while (tg_chain_next(again, &record, NULL) == TG_NEXT_ROW)
            if (record.id != NULL && g_hash_table_add(pairs, pair_key(record.subset, record.id)))
                g_hash_table_add(ids, g_strdup(record.id));
        return pairs;
    }
    for (; item != NULL; item = item->next) {
        const TgRecord *row = &((const TgRecordAhead *) item->data)->record;

        if (row->id != NULL && g_hash_table_add(pairs, pair_key(row->subset, row->id)))
            g_hash_table_add(ids, g_strdup(row->id));
    }
    return pairs;
}

/* Whether the ids of either side occur in several subsets, and some are on both sides in the same
 * subset: then ids alone would join rows of different subsets. */
static gboolean need_subsets(const Side *ref, const Side *hyp)
{
    if (!names_subset(ref->chain) || !names_subset(hyp->chain))
        return FALSE;
    g_autoptr(GHashTable) ref_ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) hyp_ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) refs = read_pairs(ref, ref_ids), hyps = read_pairs(hyp, hyp_ids);
    GHashTableIter iter;
    gpointer key;

    if (g_hash_table_size(ref_ids) == g_hash_table_size(refs) &&
        g_hash_table_size(hyp_ids) == g_hash_table_size(hyps))
        return FALSE;
    g_hash_table_iter_init(&iter, refs);
    while (g_hash_table_iter_next(&iter, &key, NULL))
        if (g_hash_table_contains(hyps, key))
            return TRUE;
    return FALSE;
}

/* Whether any id among the rows that were looked at is on both sides. */
static gboolean share_ids(const TgChain *a, const TgChain *b)
{
    g_autoptr(GHashTable) ids = g_hash_table_new(g_str_hash, g_str_equal);

    for (const GList *item = a->ahead.head; item != NULL; item = item->next)
        if (((const TgRecordAhead *) item->data)->record.id != NULL)
            g_hash_table_add(ids, ((TgRecordAhead *) item->data)->record.id);
    for (const GList *item = b->ahead.head; item != NULL; item = item->next) {
        const char *id = ((const TgRecordAhead *) item->data)->record.id;

        if (id != NULL && g_hash_table_contains(ids, id))
            return TRUE;
    }
    return FALSE;
}

/* Fail because no id is on both sides, or because two ids would be one without extensions or
 * folders. */
static gboolean fail_ids(const TgJoin *self, const Model *model, const TgIdFit *fit,
                         const IdChoice *ref, const IdChoice *hyp, GError **error)
{
    g_autofree char *a = describe_files(self->refs.chain), *b = describe_files(model->side.chain);

    if (fit->n_met > 0 && fit->a != NULL)
        return tg_fail_input(
            error,
            "%s and %s have no id in common; %s they would have, but '%s' and '%s' "
            "would be one",
            a, b, tg_id_level_names[fit->level], fit->a, fit->b);
    return tg_fail_input(error, "%s and %s have %s: '%s' and '%s', for example%s", a, b,
                         fit->n_met > 0 ? "few ids in common" : "no id in common",
                         (const char *) ref->ids->pdata[0], (const char *) hyp->ids->pdata[0],
                         self->refs.chain->options.stems || model->side.chain->options.stems
                             ? "; the ids are names of files"
                             : "; name the field that both share with --map id=FIELD");
}

/* Whether two names, of which either may be NULL, are those of one field. */
static gboolean same_field(const char *a, const char *b)
{
    return a != NULL && b != NULL && g_ascii_strcasecmp(a, b) == 0;
}

/*
 * Find the ids by which references and predictions are joined: those of their rows where any are on
 * both sides; or these without extensions or folders, if every one then has one partner; or a field
 * whose values are on both sides. Where the sides call their ids otherwise, as in COCO, where a
 * picture's number may be another annotation's, a field that both call the same comes first.
 */
static gboolean find_ids(TgJoin *self, Model *model, GError **error)
{
    Side *ref = &self->refs, *hyp = &model->side;
    const gboolean both = ref->has_ids && hyp->has_ids, any = ref->has_ids || hyp->has_ids;
    const char *ref_name = ref->chain->id_name, *hyp_name = hyp->chain->id_name;
    const gboolean alike = ref_name == NULL || hyp_name == NULL || same_field(ref_name, hyp_name);
    TgIdFit first = { 0 };

    model->by_id = both;
    if (!ref->chain->regular || !hyp->chain->regular ||
        (both && alike && share_ids(ref->chain, hyp->chain)))
        return TRUE;
    g_autoptr(GArray) refs = id_choices(ref), hyps = id_choices(hyp);
    if (self->models->len > 0) /* the first model has decided the ids of the references */
        g_array_set_size(refs, MIN(refs->len, 1));
    /* First look for a field of one name, then for ids that are equal to the letter, then for ids
     * that differ in extensions or folders. */
    for (guint pass = both && !alike ? 0 : 1; pass < 3; pass++) {
        for (guint pair = 0; pair < refs->len * hyps->len; pair++) {
            IdChoice *a = &g_array_index(refs, IdChoice, pair / hyps->len);
            IdChoice *b = &g_array_index(hyps, IdChoice, pair % hyps->len);

            /* Fields of unknown names are compared only where both sides call them the same. */
            if (pass == 0 ? !same_field(a->name, b->name) || !tg_roles_is_id_name(a->name)
                : a->field == NULL || b->field == NULL ? !any
                                                       : !same_field(a->field, b->field))
                continue;
            if (!read_choice(ref, a, error) || !read_choice(hyp, b, error))
                return FALSE;
            if (a->ids == NULL || b->ids == NULL)
                continue;
            const TgIdFit fit = tg_ids_fit(a->ids, b->ids);
            const gboolean own = a->field == NULL && b->field == NULL;
            if (own)
                first = fit;
            if (pass < 2 && fit.level != TG_ID_WHOLE)
                continue;
            if (!fit.total && !(own && fit.level == TG_ID_WHOLE && fit.n_met > 0))
                continue;
            if (pass > 0 && !own && a->ids->len != b->ids->len && a->field != NULL &&
                b->field != NULL)
                continue; /* a field of an unknown name is an id only if both sides have as many */
            if ((a->field != NULL && !reopen_side(ref, a->field, error)) ||
                (b->field != NULL && !reopen_side(hyp, b->field, error)))
                return FALSE;
            model->by_id = TRUE;
            model->level = fit.level;
            if (fit.level != TG_ID_WHOLE)
                g_ptr_array_add(self->notes, g_strdup_printf("ids are compared %s",
                                                             tg_id_level_names[fit.level]));
            return TRUE;
        }
    }
    const IdChoice *a = refs->len > 0 ? &g_array_index(refs, IdChoice, 0) : NULL;
    const IdChoice *b = hyps->len > 0 ? &g_array_index(hyps, IdChoice, 0) : NULL;
    if (!both || a->ids == NULL || b->ids == NULL || a->ids->len == 0 || b->ids->len == 0)
        return TRUE; /* rows are joined by line, or have faults of their own */
    return fail_ids(self, model, &first, a, b, error);
}

/* ---- files of which each is one formula ---- */

#define MANY_FILES 5 /* if four fifths of so many have one row, all are formulas */

/* Whether every file of a folder has one row; or nearly all have of many, so that the others are
 * formulas that a line feed breaks. */
static gboolean files_are_rows(Side *side)
{
    const guint n_files = side->chain->n_files;
    guint n = 0;

    if (!scan_side(side, NULL))
        return FALSE;
    for (guint i = 0; i < n_files; i++)
        n += side->n_rows[i] == 1;
    return n == n_files || (n >= MANY_FILES && 5 * n >= 4 * n_files);
}

/* The names, without folders and extensions, that the ids of a side are. */
static GHashTable *names_of_ids(Side *side)
{
    GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const gboolean good = scan_side(side, NULL);

    for (guint i = 0; good && i < side->ids->len; i++)
        g_hash_table_add(names, tg_id_key(TG_ID_NAME_ALONE, side->ids->pdata[i]));
    return names;
}

/* Whether half of the names of a chain's files are among @known. */
static gboolean files_are_known(const TgChain *chain, GHashTable *known)
{
    guint n = 0;

    for (guint i = 0; i < chain->n_files; i++)
        n += g_hash_table_contains(known, chain->files[i].id);
    return 2 * n >= chain->n_files;
}

/* Take the names of a side's files for ids where each file is a formula: a folder's whose files
 * have one row, or whose names are the ids of @other (NULL: unknown). */
static gboolean find_stems(Side *side, Side *other, GError **error)
{
    TgChain *chain = side->chain;

    if (!side->is_folder || side->has_ids || chain->n_files < 2 || !chain->regular)
        return TRUE;
    if (other == NULL && !files_are_rows(side))
        return TRUE;
    if (other != NULL) {
        if (g_strcmp0(chain->inputs[0].format, "list") != 0 || !other->chain->regular)
            return TRUE;
        g_autoptr(GHashTable) known = names_of_ids(other);
        if (!files_are_known(chain, known))
            return TRUE;
    }
    chain->options.stems = TRUE;
    return reopen_side(side, NULL, error);
}

/* Fail if a folder of predictions has files of another kind, such as a summary or a log, beside
 * files that are named as the references are. */
static gboolean check_strays(Side *refs, const TgChain *chain, GError **error)
{
    g_autoptr(GString) strays = g_string_new(NULL);
    const char *suffix = NULL;
    guint n = 0;

    if (chain->n_files < 2 || !chain->regular || !refs->chain->regular)
        return TRUE;
    g_autoptr(GHashTable) known = names_of_ids(refs);
    if (!files_are_known(chain, known))
        return TRUE;
    /* the suffix of the files that are named as references are */
    for (guint i = 0; i < chain->n_files && suffix == NULL; i++)
        if (g_hash_table_contains(known, chain->files[i].id))
            suffix = strrchr(chain->labels[i], '.');
    for (guint i = 0; i < chain->n_files && suffix != NULL; i++)
        if (!g_hash_table_contains(known, chain->files[i].id) &&
            g_strcmp0(strrchr(chain->labels[i], '.'), suffix) != 0 && n++ < MAX_SHOWN)
            g_string_append_printf(strays, "%s%s", n > 1 ? ", " : "", chain->labels[i]);
    if (n == 0)
        return TRUE;
    g_autofree char *folder = g_path_get_dirname(chain->labels[0]);
    return tg_fail_input(error,
                         "%s%s: no reference has such a name, and the other files are named as the "
                         "references are; give those alone by a quoted pattern: '%s/*%s'",
                         strays->str, n > MAX_SHOWN ? ", ..." : "", folder, suffix);
}

/* The ids of the files of a chain, each of which is one formula. (transfer full) */
static char **file_ids(const TgChain *chain)
{
    char **ids = g_new0(char *, chain->n_files + 1);

    for (guint i = 0; i < chain->n_files; i++)
        ids[i] = g_strdup(chain->files[i].id);
    return ids;
}

/* Read a side again with @names for the ids of its files. */
static gboolean reopen_with_names(Side *side, char *const *names, GError **error)
{
    for (guint i = 0; i < side->chain->n_files; i++) {
        char **id = &side->chain->files[i].id;
        g_free(*id);
        *id = g_strdup(names[i]);
    }
    return reopen_side(side, NULL, error);
}

static gboolean are_unique(char *const *names)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; names[i] != NULL; i++)
        if (!g_hash_table_add(seen, names[i]))
            return FALSE;
    return TRUE;
}

/* Where each file of both sides is one formula but their names differ ("1_gt.txt", "1_pred.txt";
 * "1/gt.txt", "1/pred.txt"), their ids are the parts of the names in which the files of a side
 * differ. */
static gboolean find_name_parts(TgJoin *self, Model *model, GError **error)
{
    const TgChain *refs = self->refs.chain, *hyps = model->side.chain;
    const gboolean is_first = self->models->len == 0;

    if (!refs->options.stems || !hyps->options.stems)
        return TRUE;
    g_auto(GStrv) a = file_ids(refs), b = file_ids(hyps);
    if (are_unique(a) && are_unique(b) && tg_input_count_shared(b, a, NULL) > 0)
        return TRUE; /* they meet as they are */
    g_auto(GStrv) parts_a = is_first ? tg_input_subsets(refs->labels) : g_strdupv(a);
    g_auto(GStrv) parts_b = tg_input_subsets(hyps->labels);
    if (parts_a == NULL || parts_b == NULL || !are_unique(parts_b) ||
        2 * tg_input_count_shared(parts_b, parts_a, NULL) < MIN(refs->n_files, hyps->n_files))
        return TRUE;
    return reopen_with_names(&model->side, parts_b, error) &&
           (!is_first || reopen_with_names(&self->refs, parts_a, error));
}

/* Files of both sides that are joined one with the other, line by line, have the same names. */
static gboolean check_names(const TgChain *refs, const TgChain *hyps, GError **error)
{
    g_auto(GStrv) a = tg_input_subsets(refs->labels), b = tg_input_subsets(hyps->labels);
    guint only_a, only_b;

    if (a == NULL || b == NULL)
        return TRUE;
    tg_input_count_shared(a, b, &only_a);
    tg_input_count_shared(b, a, &only_b);
    const gboolean of_a = only_a < refs->n_files, of_b = only_b < hyps->n_files;
    if (!of_a && !of_b)
        return TRUE;
    return tg_fail_input(error,
                         "the files of references and predictions have other names: %s has no "
                         "partner%s%s%s",
                         of_a ? refs->labels[only_a] : hyps->labels[only_b],
                         of_a && of_b ? ", and " : "", of_a && of_b ? hyps->labels[only_b] : "",
                         of_a && of_b ? " has none" : "");
}

/* Say that files of a few lines each are read as lists: they may be formulas that line feeds break.
 */
static gboolean say_lists(TgJoin *self, GError **error)
{
    enum { FEW_LINES = 20 };
    const guint n = self->refs.chain->n_files;

    if (n < 2 || self->models->len > 1 || !self->refs.chain->regular)
        return TRUE;
    if (!scan_side(&self->refs, error))
        return FALSE;
    const gsize n_rows = self->refs.n_rows[n];
    if (n_rows > n && n_rows < (gsize) FEW_LINES * n)
        g_ptr_array_add(
            self->notes,
            g_strdup_printf("the %u files of references are read as lists, with %" G_GSIZE_FORMAT
                            " formulas, one a line; a formula of "
                            "several lines needs $$ around it",
                            n, n_rows));
    return TRUE;
}

/* Check what a join by line needs, and note what the user should know. */
static gboolean join_by_line(TgJoin *self, Model *model, GError **error)
{
    Side *refs = &self->refs, *hyps = &model->side;
    const gboolean are_folders = refs->is_folder && hyps->is_folder;
    g_autofree char *a = describe_files(refs->chain), *b = describe_files(hyps->chain);

    if ((refs->chain->options.stems && refs->has_ids) ||
        (hyps->chain->options.stems && hyps->has_ids)) {
        const gboolean of_refs = refs->chain->options.stems;
        return tg_fail_input(
            error,
            "%s: each file is one formula, whose name is its id, and %s has no ids "
            "to join them by",
            of_refs ? a : b, of_refs ? b : a);
    }
    if (are_folders && (!check_names(refs->chain, hyps->chain, error) || !say_lists(self, error)))
        return FALSE;
    if (refs->has_ids || hyps->has_ids)
        g_ptr_array_add(self->notes,
                        g_strdup_printf("%s has no ids: its rows are joined with those of %s by "
                                        "line, in their order",
                                        refs->has_ids ? b : a, refs->has_ids ? a : b));
    return check_lines(refs, hyps, error);
}

/* Decide how a model's predictions are joined with the references. */
static gboolean join_model(TgJoin *self, Model *model, GError **error)
{
    Side *refs = &self->refs, *hyps = &model->side;
    const gboolean is_first = self->models->len == 0;

    hyps->has_ids = tg_chain_look(hyps->chain);
    if (hyps->is_folder && refs->has_ids && !check_strays(refs, hyps->chain, error))
        return FALSE;
    if (!find_stems(hyps, NULL, error) || (refs->has_ids && !find_stems(hyps, refs, error)) ||
        (hyps->has_ids && is_first && !find_stems(refs, hyps, error)))
        return FALSE;
    if (!find_name_parts(self, model, error) || !find_ids(self, model, error))
        return FALSE;
    const gboolean by_subset = model->by_id && need_subsets(refs, hyps);
    if (self->by_subset && !by_subset && !names_subset(hyps->chain)) {
        g_autofree char *files = describe_files(hyps->chain);
        return tg_fail_input(error,
                             "%s names no subsets, within which the ids of %s are joined: give it "
                             "a field 'subset'",
                             files, refs->chain->labels[0]);
    }
    self->by_subset = self->by_subset || (is_first && by_subset);
    return TRUE;
}

TgJoin *tg_join_open(char *const *refs, const TgFieldMap *fields, const TgInputNames *hyps,
                     const TgChainFile *files, const TgChainOptions *options,
                     gboolean allow_duplicates, const gboolean is_folder[2], GPtrArray *notes,
                     GError **error)
{
    TgChainOptions how = *options;
    g_autoptr(TgJoin) self = g_new0(TgJoin, 1);
    g_autoptr(GArray) own = g_array_new(FALSE, FALSE, sizeof(TgChainFile));

    self->models = g_ptr_array_new_with_free_func(free_model);
    self->strays = g_queue_new();
    self->notes = notes;
    self->seen = tg_id_set_new();
    self->allow_duplicates = allow_duplicates;
    self->subsets = tg_input_subsets(refs);
    for (guint i = 0; refs[i] != NULL; i++) {
        const char *subset = self->subsets != NULL ? self->subsets[i] : NULL;
        const TgChainFile file = { .path = refs[i], .subset = subset, .fields = fields };
        g_array_append_val(own, file);
    }
    how.side = TG_FILE_REFERENCES;
    self->refs.is_folder = is_folder[0];
    self->refs.chain = tg_chain_open((const TgChainFile *) own->data, own->len, &how, error);
    if (self->refs.chain == NULL)
        return NULL;
    self->refs.has_ids = tg_chain_look(self->refs.chain);
    if (!find_stems(&self->refs, NULL, error))
        return NULL;
    how.side = TG_FILE_HYPOTHESES;
    for (guint i = 0; i < hyps->n; i++) {
        g_array_set_size(own, 0);
        for (guint k = 0; k < hyps->n; k++)
            if (strcmp(hyps->at[k].model, hyps->at[i].model) == 0) {
                const TgChainFile file = { .path = files[k].path, .fields = files[k].fields };
                g_array_append_val(own, file);
            }
        const TgChainFile *of_model = (const TgChainFile *) own->data;
        if (of_model->path != files[i].path)
            continue; /* not the first file of its model */
        TgChain *chain = tg_chain_open(of_model, own->len, &how, error);
        if (chain == NULL)
            return NULL;
        Model *model = g_new0(Model, 1);
        model->name = g_strdup(hyps->at[i].model);
        model->side = (Side){ .chain = chain, .is_folder = is_folder[1] };
        model->missing = g_ptr_array_new_with_free_func(g_free);
        model->waiting = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, tg_record_free);
        const gboolean good = join_model(self, model, error);
        g_ptr_array_add(self->models, model); /* and this owns it */
        if (!good || (!model->by_id && !join_by_line(self, model, error)))
            return NULL;
        drop_scan(&model->side);
        self->allow_duplicates = self->allow_duplicates && !model->by_id;
    }
    drop_scan(&self->refs);
    self->next_model = self->models->len;
    return g_steal_pointer(&self);
}

/* ---- records ---- */

/* Note down @record's id; if it came before, that is a fault, and FALSE is returned. */
static gboolean check_new(TgJoin *self, const TgChain *chain, const char *model, TgRecord *record)
{
    const TgPlace place = { chain->last_file, record->line };
    TgPlace first;

    if (tg_id_set_add(self->seen, model, self->by_subset ? record->subset : NULL, record->id, place,
                      &first))
        return TRUE;
    tg_record_set_fault(record, "duplicate id '%s', first in %s:%" G_GSIZE_FORMAT "%s", record->id,
                        chain->labels[first.file], first.line,
                        record->subset != NULL && !self->by_subset
                            ? "; ids are joined within subsets only if both sides name them"
                            : "");
    return FALSE;
}

/* How a row is found by its partner. (transfer full) */
static char *record_key(const TgJoin *self, const Model *model, const TgRecord *record)
{
    g_autofree char *id = tg_id_key(model->level, record->id);

    return pair_key(self->by_subset ? record->subset : NULL, id);
}

static void push_stray(TgJoin *self, const Model *model, TgRecord *record)
{
    g_free(record->model);
    record->model = g_strdup(model->name);
    g_ptr_array_set_size(record->refs, 0);
    g_queue_push_tail(self->strays, record);
}

/* Read the next prediction that can wait for a reference: those that cannot become strays. */
static TgNext read_with_id(TgJoin *self, Model *model, GError **error)
{
    while (!model->ended) {
        TgRecord *record = g_new0(TgRecord, 1);
        const TgNext next = tg_chain_next(model->side.chain, record, error);

        if (next != TG_NEXT_ROW) {
            tg_record_free(record);
            model->ended = TRUE;
            return next;
        }
        record->row = ++model->n_read;
        if (record->id != NULL && check_new(self, model->side.chain, model->name, record)) {
            char *id = tg_id_key(model->level, record->id);
            g_hash_table_insert(model->waiting, record_key(self, model, record), record);
            g_free(record->id);
            record->id = id;
            return TG_NEXT_ROW;
        }
        tg_record_set_fault(record, NO_ID);
        push_stray(self, model, record);
    }
    return TG_NEXT_END;
}

/* The prediction for @key into *@out (transfer full), NULL if there is none; FALSE with @error. */
static gboolean find_by_key(TgJoin *self, Model *model, const char *key, TgRecord **out,
                            GError **error)
{
    TgNext next = TG_NEXT_ROW;
    gpointer stored;

    while (!g_hash_table_steal_extended(model->waiting, key, &stored, (gpointer *) out)) {
        if (next != TG_NEXT_ROW) {
            *out = NULL;
            return next == TG_NEXT_END;
        }
        next = read_with_id(self, model, error);
    }
    g_free(stored);
    return TRUE;
}

/* Count what is left of both sides for the message, and fail. */
static gboolean fail_at_end(TgJoin *self, Model *model, gsize n_hyps, GError **error)
{
    g_auto(TgRecord) record = { 0 };
    gsize n_refs = self->n_refs;

    while (tg_chain_next(self->refs.chain, &record, NULL) == TG_NEXT_ROW)
        n_refs++;
    while (tg_chain_next(model->side.chain, &record, NULL) == TG_NEXT_ROW)
        n_hyps++;
    return fail_totals(self->refs.chain, n_refs, model->side.chain, n_hyps, error);
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
    out->human = tg_human_groups_copy(hyp != NULL && hyp->human != NULL ? hyp->human : ref->human);
    /* a copy, since the records of several models may go to several threads */
    out->stored = json_deep_copy(ref->stored);
    if (hyp == NULL)
        return;
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
    /* the columns of the prediction, and where it has none those of the reference */
    if (out->stored == NULL)
        out->stored = json_incref(hyp->stored);
    else
        json_object_foreach(hyp->stored, name, value) if (!json_is_null(value))
            json_object_set_nocheck(out->stored, name, value);
}

/* Whether two formulas are the same text but for white space. */
static gboolean are_same(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \t\r\n");
        b += strspn(b, " \t\r\n");
        if (*a != *b || *a == '\0')
            return *a == *b;
    }
}

/* Count whether the reference that a prediction has of its own is the one that it is joined with.
 */
static void compare_references(Model *model, const TgRecord *ref, const TgRecord *hyp)
{
    gboolean same = FALSE;

    if (hyp->refs->len == 0 || ref->fault != NULL)
        return;
    for (guint i = 0; i < ref->refs->len && !same; i++)
        same = are_same(ref->refs->pdata[i], hyp->refs->pdata[0]);
    model->n_own++;
    model->n_other += !same;
    if (!same && model->first_other == NULL)
        model->first_other = g_strdup_printf("%s:%" G_GSIZE_FORMAT, hyp->file, hyp->line);
}

/* Deliver the reference at hand with the next model. */
static gboolean deliver_record(TgJoin *self, TgRecord *out, GError **error)
{
    Model *model = self->models->pdata[self->next_model++];
    TgRecord *hyp = NULL;

    if (!model->by_id) { /* it is on the same line */
        hyp = g_new0(TgRecord, 1);
        const TgNext next = tg_chain_next(model->side.chain, hyp, error);
        if (next != TG_NEXT_ROW) {
            tg_record_free(hyp);
            return next == TG_NEXT_END && fail_at_end(self, model, model->n_read, error);
        }
        model->n_read++;
        if (self->ref.id != NULL && hyp->id != NULL && strcmp(self->ref.id, hyp->id) != 0)
            tg_record_set_fault(hyp, "rows are joined by line, but the ids '%s' and '%s' differ",
                                self->ref.id, hyp->id);
    } else if (self->ref.id != NULL && !self->repeated) {
        g_autofree char *key = record_key(self, model, &self->ref);

        if (!find_by_key(self, model, key, &hyp, error))
            return FALSE;
        model->n_joined += hyp != NULL;
        model->n_missing += hyp == NULL;
        if (hyp == NULL && model->missing->len < MAX_SHOWN)
            g_ptr_array_add(model->missing, g_strdup(self->ref.id));
    }
    if (hyp != NULL)
        compare_references(model, &self->ref, hyp);
    combine_records(&self->ref, hyp, model->name, out);
    g_clear_pointer(&hyp, tg_record_free);
    return TRUE;
}

static int compare_rows(gconstpointer a, gconstpointer b)
{
    const TgRecord *first = a, *second = b;

    return first->row < second->row ? -1 : first->row > second->row;
}

/* Append "2 of 9 predictions have no reference ('a', 'b')" if there are any. @ids: of the first */
static void append_alone(GString *text, gsize n, gsize of, const char *what, const GPtrArray *ids)
{
    if (n == 0)
        return;
    g_string_append_printf(text, "%s%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " %s (",
                           text->len > 0 ? "; " : "", n, of, what);
    for (guint i = 0; i < ids->len; i++)
        g_string_append_printf(text, "%s'%s'", i > 0 ? ", " : "", (const char *) ids->pdata[i]);
    g_string_append(text, n > ids->len ? ", ...)" : ")");
}

/* Note how many rows have no partner; fail if they are more than half of the smaller side. */
static gboolean check_joined(TgJoin *self, const Model *model, const GList *left, GError **error)
{
    const gsize n_left = g_list_length((GList *) left), n_hyps = model->n_joined + n_left;
    const gsize n_refs = model->n_joined + model->n_missing;
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GPtrArray) ids = g_ptr_array_new();

    for (const GList *item = left; item != NULL && ids->len < MAX_SHOWN; item = item->next)
        g_ptr_array_add(ids, ((const TgRecord *) item->data)->id);
    append_alone(text, n_left, n_hyps, "predictions have no reference", ids);
    append_alone(text, model->n_missing, n_refs, "references have no prediction", model->missing);
    if (2 * model->n_joined < MIN(n_hyps, n_refs))
        return tg_fail_input(error, "%s: less than half joins: %s", model->name, text->str);
    if (text->len > 0)
        g_ptr_array_add(self->notes, g_strdup_printf("%s: %s", model->name, text->str));
    return TRUE;
}

/* No more references: predictions that are left become strays, in the order of their files. */
static gboolean end_model(TgJoin *self, Model *model, GError **error)
{
    TgNext next;

    if (2 * model->n_other > model->n_own) /* a few may be corrected or written otherwise */
        g_ptr_array_add(self->notes,
                        g_strdup_printf("%s: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                                        " predictions have another reference in their own file "
                                        "(first: %s): is this the same test set?",
                                        model->name, model->n_other, model->n_own,
                                        model->first_other));
    if (!model->by_id) {
        g_auto(TgRecord) extra = { 0 };

        next = tg_chain_next(model->side.chain, &extra, error);
        return next == TG_NEXT_ROW ? fail_at_end(self, model, model->n_read + 1, error)
                                   : next == TG_NEXT_END;
    }
    do
        next = read_with_id(self, model, error);
    while (next == TG_NEXT_ROW);
    if (next == TG_NEXT_ERROR)
        return FALSE;
    g_autoptr(GList) left = g_hash_table_get_values(model->waiting);
    GList *keys = g_hash_table_get_keys(model->waiting);
    g_hash_table_steal_all(model->waiting);
    g_list_free_full(keys, g_free);
    left = g_list_sort(left, compare_rows);
    const gboolean enough = check_joined(self, model, left, error);
    for (const GList *item = left; item != NULL; item = item->next) {
        TgRecord *record = item->data;

        if (model->missing->len > 0)
            tg_record_set_fault(record, "no reference has the id '%s', and no prediction has '%s'",
                                record->id, (const char *) model->missing->pdata[0]);
        else
            tg_record_set_fault(record, "no reference has the id '%s'", record->id);
        push_stray(self, model, record);
    }
    return enough;
}

TgNext tg_join_next(TgJoin *self, TgRecord *out, GError **error)
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
        const TgNext next = tg_chain_next(self->refs.chain, &self->ref, error);
        if (next == TG_NEXT_ROW) {
            self->n_refs++;
            self->next_model = 0;
            self->repeated = !self->allow_duplicates && self->ref.id != NULL &&
                             !check_new(self, self->refs.chain, NULL, &self->ref);
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
