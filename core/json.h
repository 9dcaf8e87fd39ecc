/* Values as JSON, in the form that all output of this program has. */
#pragma once

#include <glib.h>
#include <jansson.h>

/** A number: null for NaN, an integer where it is one, else a real. (transfer full) */
json_t *tg_json_number(double value);

/** A string made valid UTF-8; null for NULL. (transfer full) */
json_t *tg_json_text(const char *text);

/** A list of texts (char *) as tg_json_text() makes them. (transfer full) */
json_t *tg_json_texts(const GPtrArray *texts);

/** A metric's detail: tuples and arrays become arrays, dictionaries objects. (transfer full) */
json_t *tg_json_variant(GVariant *variant);

/** Append @value as compact JSON, reals with 10 significant digits, keys in insertion order;
 * no control character and no bidirectional mark but as \uXXXX. */
void tg_json_append(GString *out, const json_t *value);

/** The text of @value, which is freed, and @end. (transfer full) */
char *tg_json_take(json_t *value, const char *end);

/** Append what tg_json_text() makes. This and the next two are for what is written for every pair:
 * one value of jansson for each member takes as long as to score the pair. */
void tg_json_append_text(GString *out, const char *text);

/** Append what tg_json_number() makes. */
void tg_json_append_number(GString *out, double value);

/** Append the name of a member, which is UTF-8; before it a comma unless the object has just begun.
 */
void tg_json_append_key(GString *out, const char *name);

/* ---- checksums of lines ---- */

/** Lines of JSON whose last member is a checksum of all lines so far; zeroed before the first. */
typedef struct {
    guint32 crc;
    gboolean fits; /**< the latest line has a checksum, which is right */
} TgSeal;

/** Append a line to @out, with its newline: the JSON of @object, of @n bytes, and its checksum. */
void tg_seal_append(TgSeal *seal, const char *object, gsize n, GString *out);

/** Compare the checksum of a line, with which the next line's goes on, and take it off. */
void tg_seal_check(TgSeal *seal, char *line, gsize *n);

/**
 * Signs, seen by a reader, that rows were filtered or changed after their run, as with jq, grep or
 * head: each row has its number, and the next one's checksum goes on with its own. Before the first
 * row @expected_row is the number that it should have, and @step from one row to the next; the rest
 * is zero.
 */
typedef struct {
    guint64 expected_row, step;
    guint64 n_rows;     /**< that were read */
    guint64 n_whole;    /**< that the last line counts; 0: unknown */
    guint64 n_missing;  /**< rows */
    guint64 n_changed;  /**< lines */
    gboolean has_end;   /**< the last line was read */
    gboolean lacks_end; /**< it is missing */
    gsize first;        /**< number of the first line of which anything was noticed */
} TgDamage;

/** Note row @row of line @line; @fits: its checksum does. A row after a gap cannot be checked. */
void tg_damage_add_row(TgDamage *damage, guint64 row, gboolean fits, gsize line);

/** Note another line, such as the first one. */
void tg_damage_add_line(TgDamage *damage, gboolean fits, gsize line);

/** Note the last line, which counts @n_whole rows. */
void tg_damage_add_end(TgDamage *damage, guint64 n_whole, gboolean fits, gsize line);

/** Note that there is no last line; @line is the last one that there is. */
void tg_damage_add_no_end(TgDamage *damage, gsize line);

/** "FILE: 12 lines were changed after the run, 40 of 100 rows are missing; first: line 17".
 * (transfer full) NULL where nothing was noticed */
char *tg_damage_text(const TgDamage *damage, const char *path);

/** Whether @line is the first one of results, also where it is damaged. */
gboolean tg_seal_is_results(const char *line);
