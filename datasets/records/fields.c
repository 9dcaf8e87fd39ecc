/* The roles of the columns of a table, or of the members of a JSON object. */
#include "datasets/records/fields.h"

#include <string.h>

#include "core/fail.h"
#include "core/number.h"

static const char *const role_names[TG_N_ROLES] = {
    "gt", "pred", "id", "subset", "model", "human"
};

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

/* The value that @path leads to, borrowed; NULL for none. */
static json_t *field_path_walk(const TgFieldPath *path, json_t *object)
{
    json_t *value = json_object_get(object, path->text);
    guint64 index;

    if (value != NULL)
        return value;
    value = object;
    for (char **step = path->steps; value != NULL && *step != NULL; step++) {
        json_t *member = json_object_get(value, *step);

        if (json_is_array(value) &&
            g_ascii_string_to_unsigned(*step, 10, 0, G_MAXUINT32, &index, NULL))
            value = json_array_get(value, (size_t) index);
        else
            value = member != NULL ? member : find_item(value, *step);
    }
    return value;
}

/* ---- the texts of a map ---- */

static void human_clear(gpointer data)
{
    g_free(((TgHumanField *) data)->name);
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
        else if (role != TG_ROLE_REF && role != TG_ROLE_HUMAN)
            return tg_fail_usage(error,
                                 "map '%s=%s': '%s' is that field already; columns of several "
                                 "models are FILE:%s FILE:%s",
                                 name, equals + 1, fields[role]->str, fields[role]->str,
                                 equals + 1);
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
    g_free(self->met);
    g_free(self);
}

guint tg_field_map_n_slots(const TgFieldMap *self)
{
    return self->paths->len + TG_N_ROLES;
}

TgSlotRange tg_field_map_slots(const TgFieldMap *self, TgRole role)
{
    return self->mapped[role] ? self->roles[role] : (TgSlotRange){ self->paths->len + role, 1 };
}

gboolean tg_field_map_knows(const TgFieldMap *self, TgFileSide side, const char *name)
{
    TgRole role;

    for (guint i = 0; i < self->paths->len; i++) {
        const TgFieldPath *path = self->paths->pdata[i];

        if (strcmp(path->text, name) == 0 || g_strcmp0(path->steps[0], name) == 0)
            return TRUE;
    }
    return tg_roles_know(self, side, name, &role);
}

gboolean tg_field_map_is_other(const TgFieldMap *self, const TgValue *values, const char *name)
{
    for (guint i = 0; i < tg_field_map_n_slots(self); i++)
        if (g_strcmp0(values[i].name, name) == 0)
            return FALSE;
    return !tg_roles_is_formula_name(name);
}

gboolean tg_field_map_check(const TgFieldMap *self, TgFileSide side, const TgRoles *roles,
                            char **names, char **reason)
{
    const TgSlotRange *own = &self->roles[side == TG_FILE_REFERENCES ? TG_ROLE_REF : TG_ROLE_HYP];
    const guint n_paths = self->paths->len;

    for (guint slot = 0; slot < n_paths; slot++) {
        const TgFieldPath *path = self->paths->pdata[slot];
        const gboolean is_there = g_strv_contains((const char *const *) names, path->text);

        self->met[slot] |= is_there;
        /* When joined, other fields may be in the other file. */
        if (!is_there &&
            (side == TG_FILE_PAIRS || (slot >= own->first && slot < own->first + own->n))) {
            g_autofree char *list = g_strjoinv(", ", names);
            *reason = g_strdup_printf("no column '%s' (columns: %s)", path->text, list);
            return FALSE;
        }
    }
    for (guint slot = 0; slot < tg_field_map_n_slots(self); slot++) {
        const char *used = slot < n_paths ? ((const TgFieldPath *) self->paths->pdata[slot])->text
                                          : roles->fields[slot - n_paths];
        guint n = 0;

        for (guint i = 0; names[i] != NULL; i++)
            n += g_strcmp0(names[i], used) == 0;
        if (n > 1) {
            *reason = g_strdup_printf("the column '%s' occurs twice", used);
            return FALSE;
        }
    }
    return TRUE;
}

void tg_field_map_collect(const TgFieldMap *self, const TgRoles *roles, json_t *object,
                          TgValue *values)
{
    for (guint slot = 0; slot < self->paths->len; slot++) {
        const TgFieldPath *path = self->paths->pdata[slot];
        json_t *json = field_path_walk(path, object);

        self->met[slot] |= json != NULL;
        values[slot] = json != NULL ? (TgValue){ path->text, json } : (TgValue){ 0 };
    }
    for (guint role = 0; role < TG_N_ROLES; role++) {
        const char *name = roles->fields[role];
        json_t *json = name != NULL ? json_object_get(object, name) : NULL;

        for (char **other = roles->others[role]; other != NULL && json == NULL && *other != NULL;
             other++)
            json = json_object_get(object, name = *other);
        values[self->paths->len + role] = json != NULL ? (TgValue){ name, json } : (TgValue){ 0 };
    }
}
