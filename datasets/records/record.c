/* A record, and how it is filled from the values of a row: the part that all formats share. */
#include "datasets/records/record.h"

#include <math.h>
#include <string.h>

#include "core/number.h"
#include "datasets/records/fields.h"
#include "datasets/records/formula.h"

#define MAX_SCORE_DEPTH 3   /* a list of objects of numbers */
#define MAX_OTHER       200 /* bytes of another field that is kept */

TgHumanGroup *tg_human_group_new(const char *name, guint n_scores)
{
    TgHumanGroup *group = g_malloc(sizeof *group + n_scores * sizeof group->scores[0]);

    group->name = g_strdup(name);
    group->n_scores = n_scores;
    for (guint i = 0; i < n_scores; i++)
        group->scores[i] = NAN;
    return group;
}

static void human_group_free(gpointer data)
{
    g_free(((TgHumanGroup *) data)->name);
    g_free(data);
}

static gpointer human_group_copy(gconstpointer data, gpointer unused)
{
    const TgHumanGroup *from = data;
    TgHumanGroup *group = tg_human_group_new(from->name, from->n_scores);

    (void) unused;
    memcpy(group->scores, from->scores, from->n_scores * sizeof(double));
    return group;
}

GPtrArray *tg_human_groups_copy(const GPtrArray *groups)
{
    return groups != NULL ? g_ptr_array_copy((GPtrArray *) groups, human_group_copy, NULL) : NULL;
}

void tg_record_add_group(TgRecord *record, TgHumanGroup *group)
{
    if (record->human == NULL)
        record->human = g_ptr_array_new_with_free_func(human_group_free);
    g_ptr_array_add(record->human, group);
}

static void free_fields(TgRecord *record)
{
    g_free(record->id);
    g_free(record->model);
    g_free(record->subset);
    g_free(record->hyp);
    g_free(record->fault);
    g_free(record->remark);
    g_clear_pointer(&record->human, g_ptr_array_unref);
    json_decref(record->stored);
}

void tg_record_reset(TgRecord *record)
{
    GPtrArray *refs = record->refs;

    free_fields(record);
    if (refs != NULL)
        g_ptr_array_set_size(refs, 0);
    else
        refs = g_ptr_array_new_with_free_func(g_free);
    *record = (TgRecord){ .refs = refs };
}

void tg_record_clear(TgRecord *record)
{
    free_fields(record);
    g_clear_pointer(&record->refs, g_ptr_array_unref);
    *record = (TgRecord){ 0 };
}

void tg_record_free(gpointer record)
{
    tg_record_clear(record);
    g_free(record);
}

void tg_record_set_fault(TgRecord *record, const char *format, ...)
{
    g_autofree char *what = NULL, *fault = NULL;
    va_list arguments;

    if (record->fault != NULL)
        return;
    va_start(arguments, format);
    what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    fault = g_strdup_printf("%s:%" G_GSIZE_FORMAT ": %s", record->file, record->line, what);
    record->fault = g_utf8_make_valid(fault, -1); /* file names and cut text may not be */
}

/* ---- formulas ---- */

/* The name of the type of a JSON value, for messages. */
static const char *type_name(const json_t *json)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "an object",    [JSON_ARRAY] = "a list",  [JSON_STRING] = "text",
        [JSON_INTEGER] = "a number",    [JSON_REAL] = "a number", [JSON_TRUE] = "true or false",
        [JSON_FALSE] = "true or false", [JSON_NULL] = "null",
    };

    return names[json_typeof(json)];
}

static gboolean is_absent(const TgValue *value)
{
    return value->name == NULL || json_is_null(value->json);
}

/* NUL can come by \u0000 in JSON; no later stage takes it. @name: of the field */
static gboolean check_nul(const char *name, json_t *text, TgRecord *out)
{
    if (memchr(json_string_value(text), '\0', json_string_length(text)) == NULL)
        return TRUE;
    tg_record_set_fault(out, "field '%s' holds a NUL character, or half of a surrogate pair", name);
    return FALSE;
}

/* The first slot of @role that the row has, or NULL. */
static const TgValue *first_value(const TgFieldMap *map, TgRole role, const TgValue *values)
{
    const TgSlotRange range = tg_field_map_slots(map, role);

    for (guint i = range.first; i < range.first + range.n; i++)
        if (!is_absent(&values[i]))
            return &values[i];
    return NULL;
}

/* Text or a whole number as a name (transfer full); NULL if it is neither, or empty. */
static char *read_name(const TgFieldMap *map, TgRole role, const TgValue *values, TgRecord *out)
{
    const TgValue *value = first_value(map, role, values);

    if (value == NULL)
        return NULL;
    if (json_is_string(value->json))
        return json_string_length(value->json) > 0 && check_nul(value->name, value->json, out)
                   ? g_strdup(json_string_value(value->json))
                   : NULL;
    if (json_is_integer(value->json))
        return g_strdup_printf("%" JSON_INTEGER_FORMAT, json_integer_value(value->json));
    if (json_is_real(value->json) &&
        json_real_value(value->json) == trunc(json_real_value(value->json)))
        return g_strdup_printf("%.0f", json_real_value(value->json)); /* as pandas has them */
    if (role == TG_ROLE_ID || map->mapped[role])
        tg_record_set_fault(out, "field '%s' is %s, not text or a whole number", value->name,
                            type_name(value->json));
    return NULL;
}

/* Formulas as token ids: whether @text is nothing but whole numbers separated by spaces. */
static gboolean are_token_ids(const char *text, gsize len)
{
    for (gsize i = 0; i < len; i++) {
        const gboolean minus = text[i] == '-' && i + 1 < len && g_ascii_isdigit(text[i + 1]) &&
                               (i == 0 || g_ascii_isspace(text[i - 1]));
        if (!minus && !g_ascii_isdigit(text[i]) && !g_ascii_isspace(text[i]))
            return FALSE;
    }
    return TRUE;
}

void tg_row_take_formula(const TgFieldMap *map, TgFileSide side, const char *text, gsize len,
                         TgRecord *out)
{
    if (map->token_ids && !are_token_ids(text, len)) {
        tg_record_set_fault(out, "'%.*s' is not a list of token ids", (int) MIN(len, 40), text);
        return;
    }
    g_autofree char *cleaned = NULL;
    if (map->clean != 0 && !map->token_ids) {
        text = cleaned = tg_clean_apply(map->clean, side == TG_FILE_HYPOTHESES, text, len);
        len = strlen(text);
    }
    if (!map->keep_delimiters && !map->token_ids)
        text = tg_delimiters_strip(text, len, &len);
    if (side == TG_FILE_HYPOTHESES) {
        g_free(out->hyp);
        out->hyp = g_strndup(text, len);
    } else {
        g_ptr_array_add(out->refs, g_strndup(text, len));
    }
}

/* A JSON list of whole numbers, such as token ids, as one text, "12 7 31"; NULL: it is none.
 * (transfer full) */
static char *text_of_numbers(json_t *list)
{
    g_autoptr(GString) text = g_string_new(NULL);
    json_t *item;
    gsize i;

    json_array_foreach(list, i, item)
    {
        if (!json_is_integer(item))
            return NULL;
        g_string_append_printf(text, "%s%" JSON_INTEGER_FORMAT, i > 0 ? " " : "",
                               json_integer_value(item));
    }
    return json_is_array(list) ? g_strdup(text->str) : NULL;
}

/* Whether @text is a token that is no formula by itself: a mark of TeX alone, or a brace without
 * its partner. */
static gboolean is_fragment(const char *text)
{
    gint depth = 0;

    if (strcmp(text, "^") == 0 || strcmp(text, "_") == 0 || strcmp(text, "&") == 0)
        return TRUE;
    for (const char *c = text; *c != '\0' && depth >= 0; c++) {
        if (*c == '\\' && c[1] != '\0')
            c++;
        else
            depth += (*c == '{') - (*c == '}');
    }
    return depth != 0;
}

gboolean tg_row_is_tokens(json_t *list)
{
    json_t *item;
    gsize i;

    if (json_array_size(list) < 2)
        return FALSE;
    json_array_foreach(list, i, item)
    {
        if (json_is_string(item) && is_fragment(json_string_value(item)))
            return TRUE;
    }
    return FALSE;
}

/* The first member of @object that holds a formula, and not a status, an error, an id or a name. */
static const char *formula_member(json_t *object)
{
    const char *name;
    json_t *value;

    json_object_foreach(object, name, value)
    {
        json_auto_t *text = tg_value_as_text(value);

        if (json_is_string(text) && !g_str_has_suffix(name, "id") &&
            tg_look_of(json_string_value(text), json_string_length(text)) == TG_LOOK_FORMULA)
            return name;
    }
    return NULL;
}

/* Append to @path the steps from @value to the first formula inside, at most @depth of them. FALSE:
 * there is none, or it has a name that a map cannot have */
static gboolean append_steps(json_t *value, guint depth, GString *path)
{
    json_auto_t *text = tg_value_as_text(value);
    const char *formula = formula_member(value), *name;
    json_t *member;
    const gsize len = path->len;

    if (json_is_string(text) || depth == 0)
        return json_is_string(text) &&
               tg_look_of(json_string_value(text), json_string_length(text)) == TG_LOOK_FORMULA;
    if (json_is_array(value)) {
        g_string_append(path, ".0");
        return append_steps(json_array_get(value, 0), depth - 1, path);
    }
    json_object_foreach(value, name, member)
    {
        if (strpbrk(name, " ,+.") != NULL ||
            (formula != NULL ? strcmp(name, formula) != 0 : json_is_string(member)))
            continue;
        g_string_append_printf(path, ".%s", name);
        if (append_steps(member, depth - 1, path))
            return TRUE;
        g_string_truncate(path, len);
    }
    return FALSE;
}

/* A value that is no text; if it has texts inside, how to name one. */
static void fault_no_text(const TgValue *value, const char *role, TgRecord *out)
{
    g_autoptr(GString) path = g_string_new(value->name);
    const char *token = json_string_value(json_array_get(value->json, 0));

    if (token != NULL && (strlen(token) < 3 || tg_row_is_tokens(value->json)))
        tg_record_set_fault(out, "field '%s' is a list of tokens, not text; join them",
                            value->name);
    else if (json_is_number(value->json))
        tg_record_set_fault(out, "field '%s' is a number, not text; write it in quotes",
                            value->name);
    else if (strpbrk(value->name, " ,+.") != NULL || !append_steps(value->json, 8, path))
        tg_record_set_fault(out, "field '%s' is %s, not text", value->name, type_name(value->json));
    else
        tg_record_set_fault(
            out, "field '%s' is %s, not text; name one of its texts, such as --map %s=%s",
            value->name, type_name(value->json), role, path->str);
}

/* The formula in a text of the field @name. */
static void read_text(const TgFieldMap *map, TgFileSide side, const char *name, json_t *text,
                      TgRecord *out)
{
    if (check_nul(name, text, out))
        tg_row_take_formula(map, side, json_string_value(text), json_string_length(text), out);
}

/* The formula of a side: text, or of references a list of texts in JSON; with token ids, a list or
 * a list of lists. */
static void read_formula(const TgFieldMap *map, TgFileSide side, const TgRoles *roles,
                         const TgValue *value, TgRecord *out)
{
    const gboolean is_ref = side == TG_FILE_REFERENCES;
    json_auto_t *text = tg_value_as_text(value->json);
    json_t *item;
    gsize i;

    if (is_absent(value))
        return;
    if (json_is_string(text)) {
        read_text(map, side, value->name, text, out);
        return;
    }
    g_autofree char *numbers = text_of_numbers(value->json);
    if (numbers != NULL && map->token_ids) {
        tg_row_take_formula(map, side, numbers, strlen(numbers), out);
        return;
    }
    if (numbers != NULL && *numbers != '\0') {
        tg_record_set_fault(out,
                            "field '%s' is a list of numbers: token ids are read with --tokens "
                            "ids",
                            value->name);
        return;
    }
    /* An error or a refusal of an API that answers other rows is no prediction. */
    if (!is_ref && roles->answers &&
        (json_is_object(value->json) ||
         (json_is_array(value->json) && json_array_size(value->json) < 2)))
        return;
    if (!is_ref || !json_is_array(value->json) || tg_row_is_tokens(value->json)) {
        fault_no_text(value, is_ref ? "gt" : "pred", out);
        return;
    }
    json_array_foreach(value->json, i, item)
    {
        g_autofree char *ids = map->token_ids ? text_of_numbers(item) : NULL;

        if (ids != NULL)
            tg_row_take_formula(map, side, ids, strlen(ids), out);
        else if (json_is_string(item))
            read_text(map, side, value->name, item, out);
        else if (json_is_object(item))
            fault_no_text(value, "gt", out);
        else
            tg_record_set_fault(out, "field '%s' lists %s, not text", value->name, type_name(item));
    }
}

static void fault_no_reference(const TgFieldMap *map, const TgValue *values, json_t *object,
                               TgRecord *out)
{
    const TgSlotRange range = tg_field_map_slots(map, TG_ROLE_REF);

    if (range.n == 0) {
        tg_record_set_fault(out, "the map names no field for the reference");
        return;
    }
    if (values[range.first].name != NULL) {
        tg_record_set_fault(out, "field '%s' holds no reference", values[range.first].name);
        return;
    }
    g_autoptr(TgFieldSample) sample = tg_field_sample_new();
    tg_field_sample_add(sample, object);
    g_autofree char *names = tg_field_sample_names(sample);
    if (map->mapped[TG_ROLE_REF])
        tg_record_set_fault(out, "no field '%s' (fields: %s)",
                            ((const TgFieldPath *) map->paths->pdata[range.first])->text, names);
    else
        tg_record_set_fault(out, "no field is known as the reference (fields: %s)", names);
}

/* Whether a text is "4,5", a decimal number of some countries or the scores of two raters. */
static gboolean is_doubtful(const char *text)
{
    const gsize n = strspn(text, "0123456789");

    return n > 0 && text[n] == ',' && text[n + 1] != '\0' &&
           text[n + 1 + strspn(text + n + 1, "0123456789")] == '\0';
}

/* Append the scores in a text: "7", or several as "7;8;9", "7,5;8" or "[7, 8, 9]". FALSE: it has
 * other text. */
static gboolean add_score_text(GArray *scores, const char *text, gsize len)
{
    /* How programs write that a rater gave none. */
    static const char *const none[] = { "", "null", "none", "nan", "na", NULL };
    g_autofree char *copy = g_strstrip(g_strndup(text, len));
    const gsize n = strlen(copy);

    if (copy[0] == '[' && copy[n - 1] == ']') {
        copy[0] = ' ';
        copy[n - 1] = '\0';
    } else if (is_doubtful(copy)) {
        return FALSE;
    } else if (strchr(copy, ';') != NULL) {
        g_strdelimit(copy, ",", '.');
    }
    for (char *part = copy, *end; part != NULL; part = end) {
        double score = NAN;

        end = strpbrk(part, ";,");
        if (end != NULL)
            *end++ = '\0';
        g_autofree char *word = g_ascii_strdown(g_strstrip(part), -1);
        if (!g_strv_contains(none, word) && !tg_number_parse(part, &score))
            return FALSE;
        g_array_append_val(scores, score);
    }
    return TRUE;
}

/* The scores in a JSON value, in their order; FALSE if it holds anything else. A field that is
 * absent has none, as null. */
static gboolean add_score_json(GArray *scores, json_t *json, guint depth)
{
    double score = NAN;
    const char *key;
    json_t *item;
    gsize i;

    switch (json != NULL ? json_typeof(json) : JSON_NULL) {
    case JSON_INTEGER:
    case JSON_REAL:
        score = json_number_value(json);
        break;
    case JSON_NULL:
        break;
    case JSON_STRING:
        return add_score_text(scores, json_string_value(json), json_string_length(json));
    case JSON_ARRAY:
        json_array_foreach(
            json, i, item) if (depth == 0 || !add_score_json(scores, item, depth - 1)) return FALSE;
        return TRUE;
    case JSON_OBJECT:
        json_object_foreach(json, key,
                            item) if (depth == 0 ||
                                      !add_score_json(scores, item, depth - 1)) return FALSE;
        return TRUE;
    default:
        return FALSE;
    }
    g_array_append_val(scores, score);
    return TRUE;
}

/* One group of raters from @n fields, unless no rater gave a score. What holds no scores is a fault
 * where it was @wanted, and else left alone. */
static void read_group(const char *name, const TgValue *values, guint n, gboolean wanted,
                       TgRecord *out)
{
    g_autoptr(GArray) scores = g_array_new(FALSE, FALSE, sizeof(double));
    gboolean any = FALSE;

    for (guint i = 0; i < n; i++) {
        const TgValue *value = &values[i];
        const char *text = json_string_value(value->json);

        if (add_score_json(scores, value->json, MAX_SCORE_DEPTH))
            continue;
        const gboolean doubtful = text != NULL && is_doubtful(text);
        g_autofree char *what = g_strdup_printf(
            "field '%s' is %s: %.40s%s", value->name,
            doubtful ? "a decimal number or two scores" : "not a score",
            text != NULL ? text : type_name(value->json), doubtful ? "; write 4.5 or 4;5" : "");
        if (wanted)
            tg_record_set_fault(out, "%s", what);
        else if (out->remark == NULL)
            out->remark = g_utf8_make_valid(what, -1);
        return;
    }
    for (guint i = 0; i < scores->len; i++)
        any = any || !isnan(g_array_index(scores, double, i));
    if (!any)
        return;
    TgHumanGroup *group = tg_human_group_new(name, scores->len);
    memcpy(group->scores, scores->data, scores->len * sizeof(double));
    tg_record_add_group(out, group);
}

static void read_human(const TgFieldMap *map, const TgValue *values, TgRecord *out)
{
    const TgValue *found = &values[map->paths->len + TG_ROLE_HUMAN];
    const TgSlotRange *human = &map->roles[TG_ROLE_HUMAN];
    const char *name;
    json_t *list;

    for (guint i = 0; i < map->groups->len; i++) {
        const TgHumanField *field = &g_array_index(map->groups, TgHumanField, i);
        read_group(field->name, &values[field->slots.first], field->slots.n, TRUE, out);
    }
    if (map->mapped[TG_ROLE_HUMAN])
        read_group("human", &values[human->first], human->n, TRUE, out);
    if (is_absent(found))
        return;
    /* An object of lists is one of groups: {"experts": [4, 5], "students": [3]}. */
    gboolean is_groups = json_object_size(found->json) > 0;
    json_object_foreach(found->json, name, list) is_groups = is_groups && json_is_array(list);
    if (!is_groups)
        read_group("human", found, 1, FALSE, out);
    json_object_foreach(is_groups ? found->json : NULL, name, list)
        read_group(name, &(TgValue){ .name = name, .json = list }, 1, FALSE, out);
}

/* A JSON value as it is; a cell as a number where it is one, an empty one as null. */
static json_t *stored_value(json_t *json, gboolean is_cell)
{
    const char *cell = is_cell ? json_string_value(json) : NULL;
    double number;

    if (json == NULL || (cell != NULL && *cell == '\0'))
        return json_null();
    return cell != NULL && tg_number_parse(cell, &number) ? json_real(number)
                                                          : json_deep_copy(json);
}

/* The object that holds the other fields of a row; of a row of results, those that it stored. */
static json_t *others_of(const json_t *object)
{
    return json_is_object(json_object_get(object, "scores")) ? json_object_get(object, "stored")
                                                             : (json_t *) object;
}

/* Keep the other fields of a row. */
static void keep_others(const TgFieldMap *map, const TgValue *values, json_t *object,
                        gboolean is_table, TgRecord *out)
{
    const char *name;
    json_t *value;

    json_object_foreach(others_of(object), name, value)
    {
        const gsize n = json_string_length(value);
        const gboolean is_of_page = /* what texgauge documents says of pages */
            strcmp(name, "page_attributes") == 0 || strcmp(name, "page_extras") == 0 ||
            strcmp(name, "page_elsewhere") == 0;

        if (((n > MAX_OTHER || json_is_array(value)) && !is_of_page) || json_is_null(value) ||
            json_is_object(value) || (is_table && n == 0) ||
            !tg_field_map_is_other(map, values, name))
            continue;
        if (out->stored == NULL)
            out->stored = json_object();
        json_object_set_new_nocheck(out->stored, name, stored_value(value, is_table));
    }
}

/* Whether a row is what texgauge documents says of a math test, which takes formulas as they are.
 */
static gboolean is_of_test(const json_t *object)
{
    const json_t *others = others_of(object);

    return json_is_integer(json_object_get(others, "test_line")) &&
           json_is_boolean(json_object_get(others, "passed"));
}

/* The reference that a row of predictions has of its own, if a field's name alone says so: the join
 * compares it with the one that it finds. */
static void read_own_reference(const TgFieldMap *map, const TgValue *hyp, json_t *object,
                               TgRecord *out)
{
    g_auto(TgRecord) own = { 0 };
    const char *name;
    json_t *value;

    tg_record_reset(&own);
    json_object_foreach(object, name, value) if (json_is_string(value) && own.refs->len == 0 &&
                                                 g_strcmp0(name, hyp->name) != 0 &&
                                                 tg_roles_is_reference_name(name))
        read_text(map, TG_FILE_REFERENCES, name, value, &own);
    for (guint i = 0; own.fault == NULL && i < own.refs->len; i++)
        g_ptr_array_add(out->refs, g_strdup(own.refs->pdata[i]));
}

void tg_row_fill(const TgFieldMap *map, TgFileSide side, const TgRoles *roles, json_t *object,
                 gboolean is_table, TgRecord *out)
{
    g_autofree TgValue *values = g_new(TgValue, tg_field_map_n_slots(map));
    TgFieldMap own = *map;

    own.keep_delimiters = map->keep_delimiters || is_of_test(object);
    map = &own;
    tg_field_map_collect(map, roles, object, values);
    out->id = read_name(map, TG_ROLE_ID, values, out);
    out->model = read_name(map, TG_ROLE_MODEL, values, out);
    out->subset = read_name(map, TG_ROLE_SUBSET, values, out);
    if (side != TG_FILE_HYPOTHESES && side != TG_FILE_RATINGS) {
        const TgSlotRange range = tg_field_map_slots(map, TG_ROLE_REF);

        for (guint i = range.first; i < range.first + range.n; i++)
            /* an empty cell beside other references is none */
            if (range.n == 1 || !json_is_string(values[i].json) ||
                json_string_length(values[i].json) > 0)
                read_formula(map, TG_FILE_REFERENCES, roles, &values[i], out);
        if (out->refs->len == 0)
            fault_no_reference(map, values, object, out);
    }
    const TgValue *hyp = first_value(map, TG_ROLE_HYP, values);
    if (side != TG_FILE_REFERENCES && side != TG_FILE_RATINGS && hyp != NULL)
        read_formula(map, TG_FILE_HYPOTHESES, roles, hyp, out);
    if (side == TG_FILE_HYPOTHESES && hyp != NULL && !map->mapped[TG_ROLE_REF])
        read_own_reference(map, hyp, object, out);
    read_human(map, values, out);
    if (map->columns.n > 0)
        out->stored = json_object();
    for (guint i = map->columns.first; i < map->columns.first + map->columns.n; i++)
        json_object_set_new_nocheck(out->stored, ((const TgFieldPath *) map->paths->pdata[i])->text,
                                    stored_value(values[i].json, is_table));
    if (map->keep_others && (!is_table || out->fault == NULL))
        keep_others(map, values, object, is_table, out);
}
