/* Decides by names and by values which field of a file plays which role; nothing else does. */
#pragma once

#include "datasets/records/fields.h"

/** The first rows of a file, field by field: of what kind its values are, and which are alike. */
typedef struct TgFieldSample TgFieldSample;

TgFieldSample *tg_field_sample_new(void);

/** Add a row of JSON. */
void tg_field_sample_add(TgFieldSample *self, json_t *object);

/** Note a column of a table, of which no row may have been added. */
void tg_field_sample_add_name(TgFieldSample *self, const char *name);

guint tg_field_sample_n_rows(const TgFieldSample *self);

/** The fields, or the first ones of many, as a message lists them: "a, b, 'c d'". (transfer full)
 */
char *tg_field_sample_names(const TgFieldSample *sample);

void tg_field_sample_free(TgFieldSample *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgFieldSample, tg_field_sample_free)

/**
 * Decide the roles that the user has not named. docs/reference/formats.md has the names and the
 * rules; in short, a guess is safe where
 *
 * - both formulas have known names, or one has and exactly one other field can be a formula;
 * - no second field is as good, unless both hold the same in every row;
 * - a reference with a general name ("latex", "answer") leaves no other formula over, and is no
 * copy of the prediction;
 * - the values can be formulas: no file names, no classes, no prose.
 *
 * @file: its name, for what to write
 * @is_row: a single row, which lacks a field of its file's roles: only known names count
 * @roles: (out) to be cleared by tg_roles_clear() in either case
 *
 * Returns: FALSE with @reason (transfer full, without the file): the fields, and the option to
 * write
 */
gboolean tg_roles_decide(const TgFieldMap *map, TgFileSide side, const TgFieldSample *sample,
                         const char *file, gboolean is_row, TgRoles *roles, char **reason);

/**
 * The mapped fields that no row of a file's @sample has, of roles that count on its @side, with the
 * fields that it has: "no field 'latx' (fields: latex, id)". (transfer full) NULL: it has all
 */
char *tg_field_sample_lacks(const TgFieldSample *sample, const TgFieldMap *map, TgFileSide side);

/** "reference: gt, prediction: pred, id: line number", and what was left aside. @no_id: what the id
 * is without a field, "line number". (transfer full) */
char *tg_roles_describe(const TgFieldMap *map, TgFileSide side, const TgRoles *roles,
                        const char *no_id);

void tg_roles_clear(TgRoles *roles);

/** The role that a name has by itself on a side; FALSE: none. */
gboolean tg_roles_know(const TgFieldMap *map, TgFileSide side, const char *name, TgRole *role);

/** Whether a name is one of formulas, whatever the side. */
gboolean tg_roles_is_formula_name(const char *name);

/** All names that may be ids, the fields of @sample that are unique in it, best first; for joins.
 * (transfer container) */
GPtrArray *tg_roles_ids(const TgFieldSample *sample);

/** Looks of a text. */
typedef enum {
    TG_LOOK_EMPTY,
    TG_LOOK_NUMBER, /**< also true and false */
    TG_LOOK_PATH,   /**< of a file, or a URL */
    TG_LOOK_WORD,   /**< a name such as "isolate_formula" */
    TG_LOOK_PROSE,
    TG_LOOK_FORMULA,
    TG_N_LOOKS,
} TgLook;

TgLook tg_look_of(const char *text, gsize len);

/** The length of @name without what is an extension of a file ("a.png": 1); @len if it has none. */
gsize tg_look_stem(const char *name, gsize len);

/** The text of a value that may be one: a string, the only text of a list, what a model says last
 * in a conversation or in the answer of an API; NULL for all others. Borrowed. */
json_t *tg_value_as_text(json_t *value);

/** The last answer of the model in a conversation that stands in a text as JSON, as columns of
 * chats have it: "[{"role": ..., "content": ...}, ...]". (transfer full) NULL: the text is none */
char *tg_talk_answer(const char *text, gsize len);
