/* Which column of a table, or member of a JSON object, plays which role in a row. */
#include "datasets/records/fields.h"

#include <string.h>

#include "core/fail.h"
#include "core/number.h"

#define FORMULA TG_N_ROLES /* truth or prediction, as the side says */

/* Names that are understood unasked, in any case; of several in a row the first one here counts. */
static const char *const aliases[] = {
    [TG_ROLE_REF] = "gt truth ground_truth groundtruth references reference refs ref gold "
                    "target label latex_true true_latex latex_gt gt_latex gt_formula "
                    "reference_latex",
    [TG_ROLE_HYP] = "pred prediction predicted hyp hypothesis candidate output model_output "
                    "generated response latex_pred pred_latex pred_formula extracted_formula "
                    "predict predicted_latex",
    [FORMULA] = "latex formula equation latex_formula tex caption answer conversations "
                "messages",
    [TG_ROLE_ID] = "id img_id image_id sample_id formula_id pair_id uid uuid key image "
                   "image_path image_name img_name filename file_name gt_id",
    [TG_ROLE_SUBSET] = "subset split category gt_category_type category_type type",
    [TG_ROLE_MODEL] = "model model_name system",
    [TG_ROLE_HUMAN] = "human human_scores human_score human_study_scores ratings rating",
};

static const char *const role_names[TG_N_ROLES] = {
    "gt", "pred", "id", "subset", "model", "human"
};

static const char *const role_meanings[TG_N_ROLES] = { "the reference", "the prediction",
                                                       "the id",        "the subset",
                                                       "the model",     "human scores" };

/* ---- paths into JSON values ---- */

/* Split at the dots that stand in no brackets. (transfer full) */
static char **split_steps(const char *text)
{
    g_autoptr(GStrvBuilder) steps = g_strv_builder_new();
    const char *start = text, *c = text;
    guint depth = 0;

    for (; *c != '\0'; c++) {
        if (*c == '[')
            depth++;
        else if (*c == ']' && depth > 0)
            depth--;
        if (*c != '.' || depth > 0)
            continue;
        g_autofree char *step = g_strndup(start, (gsize) (c - start));
        g_strv_builder_add(steps, step);
        start = c + 1;
    }
    g_strv_builder_add(steps, start);
    return g_strv_builder_end(steps);
}

static void field_path_free(gpointer data)
{
    TgFieldPath *path = data;

    g_free(path->text);
    g_strfreev(path->steps);
    g_free(path);
}

/* MEMBER[KEY=VALUE]; NULL where @step is not of this form, or nothing fits. */
static json_t *find_item(json_t *object, const char *step)
{
    const char *open = strchr(step, '['), *equals = open != NULL ? strchr(open, '=') : NULL;
    const gsize n = strlen(step);
    json_t *item;
    gsize i;

    if (equals == NULL || step[n - 1] != ']')
        return NULL;
    g_autofree char *member = g_strndup(step, (gsize) (open - step));
    g_autofree char *key = g_strndup(open + 1, (gsize) (equals - open - 1));
    g_autofree char *wanted = g_strndup(equals + 1, (gsize) (step + n - 1 - equals - 1));
    json_t *list = *member != '\0' ? json_object_get(object, member) : object;

    json_array_foreach(list, i, item)
    {
        const json_t *value = json_object_get(item, key);
        double number;

        if (json_is_string(value) ? strcmp(json_string_value(value), wanted) == 0
                                  : json_is_number(value) && tg_number_parse(wanted, &number) &&
                                        json_number_value(value) == number)
            return item;
    }
    return NULL;
}

static json_t *take_step(json_t *value, const char *step)
{
    guint64 index;

    if (json_is_array(value) && g_ascii_string_to_unsigned(step, 10, 0, G_MAXUINT32, &index, NULL))
        return json_array_get(value, (size_t) index);
    json_t *member = json_object_get(value, step);
    return member != NULL ? member : find_item(value, step);
}

/* The value that @path leads to, borrowed; NULL for none. */
static json_t *field_path_walk(const TgFieldPath *path, json_t *object)
{
    json_t *value = json_object_get(object, path->text);

    if (value != NULL)
        return value;
    value = object;
    for (guint i = 0; value != NULL && path->steps[i] != NULL; i++)
        value = take_step(value, path->steps[i]);
    return value;
}

/* ---- the texts of a map ---- */

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
        TgFieldPath *path = g_new(TgFieldPath, 1);
        *path = (TgFieldPath){ g_strdup(name), split_steps(name) };
        g_ptr_array_add(self->paths, path);
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

    if (equals == NULL)
        return tg_fail_usage(error, "map '%s': has no '=' (ROLE=FIELD)", text);
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
    return tg_fail_usage(
        error, "map '%s': there is no role '%s' (gt, pred, id, subset, model, human)", text, name);
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
            tg_fail_usage(error, "map '%s=%s': a field has no name", role_names[role],
                          fields[role]->str);
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

        if (equals == NULL || equals == human[i] || !add_paths(self, equals + 1, ",", &field.slots))
            return tg_fail_usage(error, "human '%s': is not GROUP=FIELD,FIELD...", human[i]);
        field.name = g_strstrip(g_strndup(human[i], (gsize) (equals - human[i])));
        for (guint k = 0; k < self->groups->len; k++) {
            if (strcmp(g_array_index(self->groups, TgHumanField, k).name, field.name) != 0)
                continue;
            tg_fail_usage(error, "human '%s': the group '%s' occurs twice", human[i], field.name);
            g_free(field.name);
            return FALSE;
        }
        g_array_append_val(self->groups, field);
    }
    return TRUE;
}

TgFieldMap *tg_field_map_new(const char *const *maps, const char *const *human,
                             const char *const *columns, GError **error)
{
    g_autoptr(TgFieldMap) self = g_new0(TgFieldMap, 1);

    self->paths = g_ptr_array_new_with_free_func(field_path_free);
    self->groups = g_array_new(FALSE, FALSE, sizeof(TgHumanField));
    g_array_set_clear_func(self->groups, human_clear);
    self->aliases = g_hash_table_new_full(hash_ignoring_case, equal_ignoring_case, g_free, NULL);
    for (guint role = 0; role < G_N_ELEMENTS(aliases); role++) {
        g_auto(GStrv) names = g_strsplit(aliases[role], " ", -1);

        for (guint i = 0; names[i] != NULL; i++) {
            const guint rank = g_hash_table_size(self->aliases) + 1;
            g_hash_table_insert(self->aliases, g_strdup(names[i]),
                                GUINT_TO_POINTER(rank * G_N_ELEMENTS(aliases) + role));
        }
    }
    if (!compile_maps(self, maps, error) || !compile_groups(self, human, error))
        return NULL;
    self->columns.first = self->paths->len;
    for (guint i = 0; columns != NULL && columns[i] != NULL; i++)
        if (!add_paths(self, columns[i], ",", &(TgSlotRange){ 0 }))
            return tg_null_usage(error, "columns '%s': a column has no name", columns[i]);
    self->columns.n = self->paths->len - self->columns.first;
    if (self->groups->len > 0 && self->mapped[TG_ROLE_HUMAN])
        return tg_null_usage(error, "give human scores by groups or by map, not by both");
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
    if (side == TG_FILE_RATINGS && (role == TG_ROLE_REF || role == TG_ROLE_HYP))
        return FALSE;
    return !(role == TG_ROLE_HYP && side == TG_FILE_REFERENCES) &&
           !(role == TG_ROLE_REF && side == TG_FILE_HYPOTHESES);
}

/* The role that @name is an alias of, and its rank (less is better); FALSE if it is none. */
static gboolean find_alias(const TgFieldMap *self, TgFileSide side, const char *name, TgRole *role,
                           guint *rank)
{
    const guint found = GPOINTER_TO_UINT(g_hash_table_lookup(self->aliases, name));

    if (found == 0)
        return FALSE;
    *rank = found / G_N_ELEMENTS(aliases);
    *role = (TgRole) (found % G_N_ELEMENTS(aliases));
    if ((guint) *role == FORMULA)
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

gboolean tg_field_map_is_other(const TgFieldMap *self, const TgValue *values, const char *name)
{
    const guint found = GPOINTER_TO_UINT(g_hash_table_lookup(self->aliases, name));
    const guint role = found % G_N_ELEMENTS(aliases);

    if (found != 0 && (role == TG_ROLE_REF || role == TG_ROLE_HYP || role == FORMULA))
        return FALSE;
    for (guint i = 0; i < tg_field_map_n_slots(self); i++)
        if (g_strcmp0(values[i].name, name) == 0)
            return FALSE;
    return TRUE;
}

/* Whether @name is that of an answer: the truth, or beside another truth the prediction. */
static gboolean is_answer(const char *name)
{
    return g_ascii_strcasecmp(name, "answer") == 0;
}

static gboolean lacks_prediction(const TgFieldMap *self, TgFileSide side, const guint *best)
{
    return side == TG_FILE_PAIRS && !self->mapped[TG_ROLE_HYP] && best[TG_ROLE_HYP] == G_MAXUINT;
}

static int find_column(char **names, const char *name)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

char *tg_field_map_suggest(const TgFieldMap *self, const char *const *names, TgFileSide side)
{
    static const TgRole roles[] = { TG_ROLE_REF, TG_ROLE_HYP };
    GString *map = g_string_new("--map ");
    guint next = 0;

    for (guint r = 0; r < G_N_ELEMENTS(roles); r++) {
        gboolean is_there = self->mapped[roles[r]] || !role_counts(roles[r], side);

        for (guint i = 0; names[i] != NULL && !is_there; i++) {
            TgRole role;
            guint rank;

            is_there = find_alias(self, side, names[i], &role, &rank) && role == roles[r];
        }
        if (is_there)
            continue;
        while (names[next] != NULL && g_hash_table_contains(self->aliases, names[next]))
            next++;
        g_string_append_printf(map, "%s%s=%s", map->str[map->len - 1] == ' ' ? "" : ",",
                               role_names[roles[r]], names[next] != NULL ? names[next++] : "FIELD");
    }
    return g_string_free(map, FALSE);
}

/* A formula without a column is a reason to stop: every row would lack it. */
static gboolean check_role(const TgFieldMap *self, TgFileSide side, TgRole role, char **names,
                           const int *columns, char **reason)
{
    if (self->mapped[role] || columns[self->paths->len + role] >= 0)
        return TRUE;
    g_autofree char *list = g_strjoinv(", ", names);
    g_autofree char *map = tg_field_map_suggest(self, (const char *const *) names, side);
    *reason = g_strdup_printf("no column is known as %s (columns: %s); name it: %s",
                              role_meanings[role], list, map);
    return FALSE;
}

gboolean tg_field_map_bind(const TgFieldMap *self, TgFileSide side, char **names, int *columns,
                           char **reason)
{
    const TgSlotRange *own = &self->roles[side == TG_FILE_REFERENCES ? TG_ROLE_REF : TG_ROLE_HYP];
    const guint n_slots = tg_field_map_n_slots(self);

    for (guint slot = 0; slot < n_slots; slot++)
        columns[slot] = -1;
    for (guint slot = 0; slot < self->paths->len; slot++) {
        const TgFieldPath *path = self->paths->pdata[slot];

        columns[slot] = find_column(names, path->text);
        self->met[slot] |= columns[slot] >= 0;
        /* When joined, other fields may be in the other file. */
        if (columns[slot] < 0 &&
            (side == TG_FILE_PAIRS || (slot >= own->first && slot < own->first + own->n))) {
            g_autofree char *list = g_strjoinv(", ", names);
            *reason = g_strdup_printf("no column '%s' (columns: %s)", path->text, list);
            return FALSE;
        }
    }
    /* The best alias of each role among @names, into the slots after the paths. */
    guint best[TG_N_ROLES], rank;
    int answer = -1;
    TgRole role;

    for (guint i = 0; i < TG_N_ROLES; i++)
        best[i] = G_MAXUINT;
    for (guint i = 0; names[i] != NULL; i++) {
        if (is_answer(names[i]))
            answer = (int) i;
        if (!find_alias(self, side, names[i], &role, &rank) || rank >= best[role])
            continue;
        best[role] = rank;
        columns[self->paths->len + role] = (int) i;
    }
    if (lacks_prediction(self, side, best) && columns[self->paths->len + TG_ROLE_REF] != answer)
        columns[self->paths->len + TG_ROLE_HYP] = answer;
    for (guint slot = 0; slot < n_slots; slot++) {
        if (columns[slot] < 0 || find_column(names + columns[slot] + 1, names[columns[slot]]) < 0)
            continue;
        *reason = g_strdup_printf("the column '%s' occurs twice", names[columns[slot]]);
        return FALSE;
    }
    if (side == TG_FILE_RATINGS)
        return TRUE;
    return (side == TG_FILE_HYPOTHESES ||
            check_role(self, side, TG_ROLE_REF, names, columns, reason)) &&
           (side == TG_FILE_REFERENCES ||
            check_role(self, side, TG_ROLE_HYP, names, columns, reason));
}

static TgValue value_of(const char *name, json_t *json)
{
    return (TgValue){
        .name = name, .text = json_string_value(json), .len = json_string_length(json), .json = json
    };
}

/* Whether @name holds a conversation with a model, as LLaVA's data and chats have it. */
static gboolean is_conversation(const char *name)
{
    return g_ascii_strcasecmp(name, "conversations") == 0 ||
           g_ascii_strcasecmp(name, "messages") == 0;
}

/* What the model says last in a conversation, or NULL. */
static json_t *last_answer(json_t *turns)
{
    static const char *const models[] = { "gpt", "assistant", "model", NULL };

    for (gsize i = json_array_size(turns); i-- > 0;) {
        json_t *turn = json_array_get(turns, i), *text;
        const char *who = json_string_value(json_object_get(turn, "from"));

        if (who == NULL)
            who = json_string_value(json_object_get(turn, "role"));
        if (who == NULL || !g_strv_contains(models, who))
            continue;
        text = json_object_get(turn, "value");
        return text != NULL ? text : json_object_get(turn, "content");
    }
    return NULL;
}

void tg_field_map_collect(const TgFieldMap *self, TgFileSide side, json_t *object, TgValue *values)
{
    guint best[TG_N_ROLES], rank;
    TgValue answer = { 0 };
    const char *name;
    json_t *json;
    TgRole role;

    for (guint i = 0; i < TG_N_ROLES; i++) {
        best[i] = G_MAXUINT;
        values[self->paths->len + i] = (TgValue){ 0 };
    }
    for (guint slot = 0; slot < self->paths->len; slot++) {
        const TgFieldPath *path = self->paths->pdata[slot];

        json = field_path_walk(path, object);
        self->met[slot] |= json != NULL;
        values[slot] = json != NULL ? value_of(path->text, json) : (TgValue){ 0 };
    }
    json_object_foreach(object, name, json)
    {
        if (is_conversation(name) && (json = last_answer(json)) == NULL)
            continue;
        if (is_answer(name) || is_conversation(name))
            answer = value_of(name, json);
        if (!find_alias(self, side, name, &role, &rank) || rank >= best[role])
            continue;
        best[role] = rank;
        values[self->paths->len + role] = value_of(name, json);
    }
    if (lacks_prediction(self, side, best) && answer.name != NULL &&
        values[self->paths->len + TG_ROLE_REF].name != answer.name)
        values[self->paths->len + TG_ROLE_HYP] = answer;
}
