/* The roles of the columns of a table, or of the members of a JSON object. */
#pragma once

#include <jansson.h>
#include <texgauge/types.h>

#include "datasets/records/record.h"

typedef enum {
    TG_ROLE_REF,
    TG_ROLE_HYP,
    TG_ROLE_ID,
    TG_ROLE_SUBSET,
    TG_ROLE_MODEL,
    TG_ROLE_HUMAN,
    TG_N_ROLES,
} TgRole;

/** The side of a pair that a file holds. A field that just says "formula" is the reference or the
 * prediction. */
typedef enum {
    TG_FILE_PAIRS,      /**< references and predictions */
    TG_FILE_REFERENCES, /**< the references alone */
    TG_FILE_HYPOTHESES, /**< the predictions alone */
    TG_FILE_RATINGS,    /**< neither */
} TgFileSide;

/**
 * A name of a field as users write it, and the steps that it may be read as: "a.b",
 * "scores.0.value", "scores[judge=gpt-5].value". A step is the member of an object, the number of
 * an item of a list, from 0, or MEMBER[KEY=VALUE]: the first object of the list MEMBER whose KEY is
 * the text or number VALUE.
 */
typedef struct {
    char *text;   /**< as given; a column or member of just this name comes first */
    char **steps; /**< split at the dots outside brackets */
} TgFieldPath;

/** Paths [first, first + n) of a map. */
typedef struct {
    guint first, n;
} TgSlotRange;

typedef struct {
    char *name;
    TgSlotRange slots;
} TgHumanField;

/**
 * A compiled map. A row is read into an array of values with one slot for each path in @paths, and
 * after them one for each role that is decided by the names and values of a file (roles.c).
 */
typedef struct {
    GPtrArray *paths;              /**< TgFieldPath */
    gboolean mapped[TG_N_ROLES];   /**< the user named the fields; nothing is guessed */
    TgSlotRange roles[TG_N_ROLES]; /**< ... which are these */
    GArray *groups;                /**< TgHumanField */
    TgSlotRange columns;
    gboolean keep_others; /**< rows store other fields, too: see tg_row_fill() */
    gboolean keep_delimiters;
    guint clean;        /**< rules of formula.h */
    gboolean several;   /**< predictions come from several files, so that each may name its field */
    gboolean token_ids; /**< formulas are whole numbers, not LaTeX */
    gboolean *met;      /**< for each path, whether any file has had such a field */
} TgFieldMap;

/** The fields of one file that play a role which the user has not named. */
typedef struct {
    char *fields[TG_N_ROLES]; /**< NULL: none */
    GStrv others[TG_N_ROLES]; /**< of names: what counts in rows that lack the field; NULL: none */
    gboolean lists;           /**< references are lists of several texts */
    gboolean answers;         /**< predictions are answers of an API, of which some may be errors */
    gboolean several;         /**< predictions are the first of several such answers */
    char *aside;              /**< fields that could have been one, and why they are not; or NULL */
} TgRoles;

/** One field of one row; borrowed from it. All zero: the row has no such field. */
typedef struct {
    const char *name; /**< of the field */
    json_t *json;
} TgValue;

/**
 * Compile the texts of a map (see TgSourceOptions). NULL lists are empty.
 *
 * Returns: (transfer full), or NULL with TG_ERROR_USAGE: unknown role, no "=", empty name, a
 * group named twice
 */
TgFieldMap *tg_field_map_new(const char *const *maps, const char *const *human,
                             const char *const *columns, GError **error);

void tg_field_map_free(TgFieldMap *self);

/** The number of values that a row needs: one for each path, and one for each role. */
guint tg_field_map_n_slots(const TgFieldMap *self);

/** The slots of a role: those of the paths that the user named, or the one that is decided. */
TgSlotRange tg_field_map_slots(const TgFieldMap *self, TgRole role);

/** Whether a field of this name may play a role, so that a line that names it may be a header. */
gboolean tg_field_map_knows(const TgFieldMap *self, TgFileSide side, const char *name);

/**
 * Check the header of a table.
 *
 * @names: of its columns, NULL last
 *
 * Returns: FALSE with @reason (transfer full, without file and line): a column that was named is
 * missing, or a used one occurs twice
 */
gboolean tg_field_map_check(const TgFieldMap *self, TgFileSide side, const TgRoles *roles,
                            char **names, char **reason);

/** Whether the field @name of a row that @values were found in plays no role there, and is no
 * formula of whatever role. */
gboolean tg_field_map_is_other(const TgFieldMap *self, const TgValue *values, const char *name);

/** Find the slots in a row. @values: (out) tg_field_map_n_slots() values, all set. */
void tg_field_map_collect(const TgFieldMap *self, const TgRoles *roles, json_t *object,
                          TgValue *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgFieldMap, tg_field_map_free)

/**
 * Fill @out, whose file and line are set, from a row. What cannot be used becomes a fault; the rest
 * is filled all the same.
 *
 * Scores of raters may be numbers, text that is one, lists of these ("7;8;9", "[7, 8]", JSON lists)
 * and objects of these; an empty or null one is a rater who gave none. Under a known name, an
 * object of lists is one of groups, and what holds no scores is left alone; under a name that was
 * asked for that is a fault.
 *
 * Where the map keeps other fields, those are stored that play no role: a number, a truth value, or
 * a text of at most 200 bytes, so that neither pages nor pictures come along; and what texgauge
 * documents says of a page, its "page_attributes" and "page_extras".
 *
 * @object: a row of JSON, or the cells of a table by their columns
 * @is_table: its values are cells: an empty one says nothing, and a number is one without quotes
 */
void tg_row_fill(const TgFieldMap *map, TgFileSide side, const TgRoles *roles, json_t *object,
                 gboolean is_table, TgRecord *out);

/** Whether a list of texts is one formula in tokens, because some cannot stand alone, such as "{"
 * or
 * "^": no list of references. */
gboolean tg_row_is_tokens(json_t *list);

/** Add the @len bytes of @text to the references of @out, or make them its prediction. */
void tg_row_take_formula(const TgFieldMap *map, TgFileSide side, const char *text, gsize len,
                         TgRecord *out);

/* ---- decisions by names and by values (roles.c); nothing else decides ---- */

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

/** Whether a name is that of an id in all files. */
gboolean tg_roles_is_id_name(const char *name);

/** Whether a name can only be that of a reference. */
gboolean tg_roles_is_reference_name(const char *name);

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
 * in the answer of an API, in a conversation, or in one that stands in a string as JSON, as columns
 * of chats have it: "[{"role": ..., "content": ...}, ...]"; NULL for all others. (transfer full) */
json_t *tg_value_as_text(json_t *value);
