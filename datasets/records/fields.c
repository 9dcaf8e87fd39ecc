/* Which column of a table, or member of a JSON object, plays which role in a row. */
#include "datasets/records/fields.h"

#include <string.h>

#define FORMULA TG_N_ROLES /* in the table below: truth or prediction, as the side says */

/* Names that are understood unasked, in any case; of several in a row the first one here counts. */
static const struct {
    guint role;
    const char *name;
} aliases[] = {
    { TG_ROLE_REF, "gt" },
    { TG_ROLE_REF, "truth" },
    { TG_ROLE_REF, "ground_truth" },
    { TG_ROLE_REF, "groundtruth" },
    { TG_ROLE_REF, "references" },
    { TG_ROLE_REF, "reference" },
    { TG_ROLE_REF, "refs" },
    { TG_ROLE_REF, "ref" },
    { TG_ROLE_REF, "gold" },
    { TG_ROLE_REF, "target" },
    { TG_ROLE_REF, "label" },
    { TG_ROLE_REF, "latex_true" },
    { TG_ROLE_REF, "true_latex" },
    { TG_ROLE_REF, "latex_gt" },
    { TG_ROLE_REF, "gt_latex" },
    { TG_ROLE_REF, "gt_formula" },

    { TG_ROLE_HYP, "pred" },
    { TG_ROLE_HYP, "prediction" },
    { TG_ROLE_HYP, "predicted" },
    { TG_ROLE_HYP, "hyp" },
    { TG_ROLE_HYP, "hypothesis" },
    { TG_ROLE_HYP, "candidate" },
    { TG_ROLE_HYP, "output" },
    { TG_ROLE_HYP, "model_output" },
    { TG_ROLE_HYP, "generated" },
    { TG_ROLE_HYP, "response" },
    { TG_ROLE_HYP, "latex_pred" },
    { TG_ROLE_HYP, "pred_latex" },
    { TG_ROLE_HYP, "pred_formula" },
    { TG_ROLE_HYP, "extracted_formula" },

    { FORMULA, "latex" },
    { FORMULA, "formula" },
    { FORMULA, "equation" },
    { FORMULA, "latex_formula" },
    { FORMULA, "tex" },
    { FORMULA, "caption" },

    { TG_ROLE_ID, "id" },
    { TG_ROLE_ID, "img_id" },
    { TG_ROLE_ID, "image_id" },
    { TG_ROLE_ID, "sample_id" },
    { TG_ROLE_ID, "formula_id" },
    { TG_ROLE_ID, "pair_id" },
    { TG_ROLE_ID, "uid" },
    { TG_ROLE_ID, "uuid" },
    { TG_ROLE_ID, "key" },
    { TG_ROLE_ID, "image" },
    { TG_ROLE_ID, "image_path" },
    { TG_ROLE_ID, "image_name" },
    { TG_ROLE_ID, "img_name" },
    { TG_ROLE_ID, "filename" },
    { TG_ROLE_ID, "file_name" },

    { TG_ROLE_SUBSET, "subset" },
    { TG_ROLE_SUBSET, "split" },
    { TG_ROLE_SUBSET, "category" },
    { TG_ROLE_SUBSET, "gt_category_type" },
    { TG_ROLE_SUBSET, "category_type" },
    { TG_ROLE_SUBSET, "type" },

    { TG_ROLE_MODEL, "model" },
    { TG_ROLE_MODEL, "model_name" },
    { TG_ROLE_MODEL, "system" },

    { TG_ROLE_HUMAN, "human" },
    { TG_ROLE_HUMAN, "human_scores" },
    { TG_ROLE_HUMAN, "human_score" },
    { TG_ROLE_HUMAN, "human_study_scores" },
    { TG_ROLE_HUMAN, "ratings" },
    { TG_ROLE_HUMAN, "rating" },
};

static const char *const role_names[TG_N_ROLES] = {
    "gt", "pred", "id", "subset", "model", "human"
};

static const char *const role_meanings[TG_N_ROLES] = { "the truth", "the prediction",
                                                       "the id",    "the subset",
                                                       "the model", "human scores" };

static void path_free(gpointer data)
{
    TgFieldPath *path = data;

    g_free(path->text);
    g_strfreev(path->steps);
    g_free(path);
}

static void human_clear(gpointer data)
{
    g_free(((TgHumanField *) data)->name);
}

static guint hash_ignoring_case(gconstpointer key)
{
    guint hash = 5381;

    for (const char *c = key; *c != '\0'; c++)
        hash = hash * 33 + (guchar) g_ascii_tolower(*c);
    return hash;
}

static gboolean equal_ignoring_case(gconstpointer a, gconstpointer b)
{
    return g_ascii_strcasecmp(a, b) == 0;
}

/* Append @text as a path. */
static void add_path(TgFieldMap *self, const char *text)
{
    TgFieldPath *path = g_new(TgFieldPath, 1);

    path->text = g_strdup(text);
    path->steps = g_strsplit(text, ".", -1);
    g_ptr_array_add(self->paths, path);
}

/* Append the names in @list, which stand between @separator; FALSE if one is empty. */
static gboolean add_paths(TgFieldMap *self, const char *list, const char *separator,
                          TgSlotRange *range)
{
    g_auto(GStrv) names = g_strsplit(list, separator, -1);

    range->first = self->paths->len;
    for (guint i = 0; names[i] != NULL; i++) {
        const char *name = g_strstrip(names[i]);
        if (name[0] == '\0')
            return FALSE;
        add_path(self, name);
    }
    range->n = self->paths->len - range->first;
    return TRUE;
}

/* "ROLE=FIELD": note it down; the fields of one role are joined by '+' in @fields. */
static gboolean read_assignment(const char *text, GString *fields[TG_N_ROLES], GError **error)
{
    const char *equals = strchr(text, '=');
    g_autofree char *name =
        g_strstrip(g_strndup(text, equals != NULL ? (gsize) (equals - text) : strlen(text)));

    if (equals == NULL) {
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE, "map '%s': has no '=' (ROLE=FIELD)", text);
        return FALSE;
    }
    for (guint role = 0; role < TG_N_ROLES; role++) {
        if (strcmp(name, role_names[role]) != 0)
            continue;
        if (fields[role] == NULL)
            fields[role] = g_string_new(NULL);
        else
            g_string_append_c(fields[role], '+');
        g_string_append(fields[role], equals + 1);
        return TRUE;
    }
    g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                "map '%s': there is no role '%s' (gt, pred, id, subset, model, human)", text, name);
    return FALSE;
}

static gboolean compile_maps(TgFieldMap *self, const char *const *maps, GError **error)
{
    GString *fields[TG_N_ROLES] = { NULL };
    gboolean ok = TRUE;

    for (guint i = 0; ok && maps != NULL && maps[i] != NULL; i++) {
        g_auto(GStrv) parts = g_strsplit(maps[i], ",", -1);
        for (guint k = 0; ok && parts[k] != NULL; k++)
            ok = read_assignment(parts[k], fields, error);
    }
    for (guint role = 0; role < TG_N_ROLES; role++) {
        if (fields[role] == NULL)
            continue;
        self->mapped[role] = TRUE;
        if (ok && fields[role]->len > 0 &&
            !add_paths(self, fields[role]->str, "+", &self->roles[role])) {
            g_set_error(error, TG_ERROR, TG_ERROR_USAGE, "map '%s=%s': a field has no name",
                        role_names[role], fields[role]->str);
            ok = FALSE;
        }
        g_string_free(fields[role], TRUE);
    }
    return ok;
}

static gboolean compile_groups(TgFieldMap *self, const char *const *human, GError **error)
{
    for (guint i = 0; human != NULL && human[i] != NULL; i++) {
        const char *equals = strchr(human[i], '=');
        TgHumanField field = { 0 };

        if (equals == NULL || equals == human[i] ||
            !add_paths(self, equals + 1, ",", &field.slots)) {
            g_set_error(error, TG_ERROR, TG_ERROR_USAGE, "human '%s': is not GROUP=FIELD,FIELD...",
                        human[i]);
            return FALSE;
        }
        field.name = g_strstrip(g_strndup(human[i], (gsize) (equals - human[i])));
        for (guint k = 0; k < self->groups->len; k++) {
            if (strcmp(g_array_index(self->groups, TgHumanField, k).name, field.name) != 0)
                continue;
            g_set_error(error, TG_ERROR, TG_ERROR_USAGE, "human '%s': the group '%s' stands twice",
                        human[i], field.name);
            g_free(field.name);
            return FALSE;
        }
        g_array_append_val(self->groups, field);
    }
    return TRUE;
}

static gboolean compile_columns(TgFieldMap *self, const char *const *columns, GError **error)
{
    self->columns.first = self->paths->len;
    for (guint i = 0; columns != NULL && columns[i] != NULL; i++) {
        TgSlotRange range;
        if (!add_paths(self, columns[i], ",", &range)) {
            g_set_error(error, TG_ERROR, TG_ERROR_USAGE, "columns '%s': one has no name",
                        columns[i]);
            return FALSE;
        }
    }
    self->columns.n = self->paths->len - self->columns.first;
    return TRUE;
}

TgFieldMap *tg_field_map_new(const char *const *maps, const char *const *human,
                             const char *const *columns, GError **error)
{
    g_autoptr(TgFieldMap) self = g_new0(TgFieldMap, 1);

    self->paths = g_ptr_array_new_with_free_func(path_free);
    self->groups = g_array_new(FALSE, FALSE, sizeof(TgHumanField));
    g_array_set_clear_func(self->groups, human_clear);
    self->aliases = g_hash_table_new(hash_ignoring_case, equal_ignoring_case);
    for (guint i = 0; i < G_N_ELEMENTS(aliases); i++)
        g_hash_table_insert(self->aliases, (gpointer) aliases[i].name, GUINT_TO_POINTER(i + 1));
    if (!compile_maps(self, maps, error) || !compile_groups(self, human, error) ||
        !compile_columns(self, columns, error))
        return NULL;
    if (self->groups->len > 0 && self->mapped[TG_ROLE_HUMAN]) {
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                    "human scores are given by groups and by map; only one is possible");
        return NULL;
    }
    self->met = g_new0(gboolean, self->paths->len + 1);
    return g_steal_pointer(&self);
}

void tg_field_map_free(TgFieldMap *self)
{
    if (self == NULL)
        return;
    g_ptr_array_unref(self->paths);
    g_array_unref(self->groups);
    g_hash_table_unref(self->aliases);
    g_free(self->met);
    g_free(self);
}

guint tg_field_map_n_slots(const TgFieldMap *self)
{
    return self->paths->len + TG_N_ROLES;
}

/* Rows read for one side leave the formula of the other alone. */
static gboolean role_counts(TgRole role, TgFileSide side)
{
    return !(role == TG_ROLE_HYP && side == TG_FILE_REFERENCES) &&
           !(role == TG_ROLE_REF && side == TG_FILE_HYPOTHESES);
}

/* The role that @name is an alias of, and its rank (less is better); FALSE if it is none. */
static gboolean find_alias(const TgFieldMap *self, TgFileSide side, const char *name, TgRole *role,
                           guint *rank)
{
    const guint i = GPOINTER_TO_UINT(g_hash_table_lookup(self->aliases, name));

    if (i == 0)
        return FALSE;
    *rank = i;
    *role = (TgRole) aliases[i - 1].role;
    if (aliases[i - 1].role == FORMULA)
        *role = side == TG_FILE_HYPOTHESES ? TG_ROLE_HYP : TG_ROLE_REF;
    if (*role == TG_ROLE_HUMAN && self->groups->len > 0)
        return FALSE;
    return !self->mapped[*role] && role_counts(*role, side);
}

gboolean tg_field_map_knows(const TgFieldMap *self, TgFileSide side, const char *name)
{
    TgRole role;
    guint rank;

    for (guint i = 0; i < self->paths->len; i++)
        if (strcmp(((const TgFieldPath *) self->paths->pdata[i])->text, name) == 0)
            return TRUE;
    return find_alias(self, side, name, &role, &rank);
}

/* The best alias of each role among @names, into the slots behind the paths. */
static void bind_aliases(const TgFieldMap *self, TgFileSide side, char **names, int *columns)
{
    guint best[TG_N_ROLES], rank;
    TgRole role;

    for (guint i = 0; i < TG_N_ROLES; i++)
        best[i] = G_MAXUINT;
    for (guint i = 0; names[i] != NULL; i++) {
        if (!find_alias(self, side, names[i], &role, &rank) || rank >= best[role])
            continue;
        best[role] = rank;
        columns[self->paths->len + role] = (int) i;
    }
}

static int find_column(char **names, const char *name)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static gboolean slot_is_in(const TgSlotRange *range, guint slot)
{
    return slot >= range->first && slot < range->first + range->n;
}

/* Whether a named column must be found: when joined, other fields may be in the other file. */
static gboolean is_needed(const TgFieldMap *self, TgFileSide side, guint slot)
{
    if (side == TG_FILE_PAIRS)
        return TRUE;
    return slot_is_in(&self->roles[side == TG_FILE_REFERENCES ? TG_ROLE_REF : TG_ROLE_HYP], slot);
}

/* A formula without a column is a reason to stop: every row would lack it. */
static gboolean check_role(const TgFieldMap *self, TgRole role, char **names, const int *columns,
                           char **reason)
{
    if (self->mapped[role] || columns[self->paths->len + role] >= 0)
        return TRUE;
    g_autofree char *list = g_strjoinv(", ", names);
    *reason = g_strdup_printf("no column is known as %s (columns: %s); name it: %s=COLUMN",
                              role_meanings[role], list, role_names[role]);
    return FALSE;
}

gboolean tg_field_map_bind(const TgFieldMap *self, TgFileSide side, char **names, int *columns,
                           char **reason)
{
    const guint n_slots = tg_field_map_n_slots(self);

    for (guint slot = 0; slot < n_slots; slot++)
        columns[slot] = -1;
    for (guint slot = 0; slot < self->paths->len; slot++) {
        const TgFieldPath *path = self->paths->pdata[slot];

        columns[slot] = find_column(names, path->text);
        self->met[slot] |= columns[slot] >= 0;
        if (columns[slot] < 0 && is_needed(self, side, slot)) {
            g_autofree char *list = g_strjoinv(", ", names);
            *reason = g_strdup_printf("no column '%s' (columns: %s)", path->text, list);
            return FALSE;
        }
    }
    bind_aliases(self, side, names, columns);
    for (guint slot = 0; slot < n_slots; slot++) {
        if (columns[slot] < 0 || find_column(names + columns[slot] + 1, names[columns[slot]]) < 0)
            continue;
        *reason = g_strdup_printf("the column '%s' stands there twice", names[columns[slot]]);
        return FALSE;
    }
    return (side == TG_FILE_HYPOTHESES || check_role(self, TG_ROLE_REF, names, columns, reason)) &&
           (side == TG_FILE_REFERENCES || check_role(self, TG_ROLE_HYP, names, columns, reason));
}

const char *tg_field_map_unmet(const TgFieldMap *self)
{
    for (guint slot = 0; slot < self->paths->len; slot++)
        if (!self->met[slot])
            return ((const TgFieldPath *) self->paths->pdata[slot])->text;
    return NULL;
}

static TgValue value_of(const char *name, json_t *json)
{
    return (TgValue){
        .name = name, .text = json_string_value(json), .len = json_string_length(json), .json = json
    };
}

/* The member that @path leads to, or NULL. */
static json_t *walk(json_t *object, const TgFieldPath *path)
{
    json_t *value = json_object_get(object, path->text);

    if (value != NULL || path->steps[1] == NULL)
        return value;
    value = object;
    for (guint i = 0; value != NULL && path->steps[i] != NULL; i++)
        value = json_object_get(value, path->steps[i]);
    return value;
}

void tg_field_map_collect(const TgFieldMap *self, TgFileSide side, json_t *object, TgValue *values)
{
    guint best[TG_N_ROLES], rank;
    const char *name;
    json_t *json;
    TgRole role;

    for (guint i = 0; i < TG_N_ROLES; i++) {
        best[i] = G_MAXUINT;
        values[self->paths->len + i] = (TgValue){ 0 };
    }
    for (guint slot = 0; slot < self->paths->len; slot++) {
        const TgFieldPath *path = self->paths->pdata[slot];

        json = walk(object, path);
        self->met[slot] |= json != NULL;
        values[slot] = json != NULL ? value_of(path->text, json) : (TgValue){ 0 };
    }
    json_object_foreach(object, name, json)
    {
        if (!find_alias(self, side, name, &role, &rank) || rank >= best[role])
            continue;
        best[role] = rank;
        values[self->paths->len + role] = value_of(name, json);
    }
}
