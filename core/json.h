/* Values as JSON, in the form that all output of this program has. */
#pragma once

#include <glib.h>
#include <jansson.h>

/** A number as JSON: null for NaN, an integer where the value is one, else a real. (transfer
 * full) */
json_t *tg_json_number(double value);

/** A string made valid UTF-8; null for NULL. (transfer full) */
json_t *tg_json_text(const char *text);

/** A list of texts (char *) as tg_json_text() makes them. (transfer full) */
json_t *tg_json_texts(const GPtrArray *texts);

/** A metric's detail: tuples and arrays become arrays, dictionaries objects. (transfer full) */
json_t *tg_json_variant(GVariant *variant);

/** Append @value as compact JSON: reals with 10 significant digits, keys in insertion order,
 * control characters and bidirectional marks as \uXXXX. */
void tg_json_append(GString *out, const json_t *value);

/** The text of @value, which is freed, and @end. (transfer full) */
char *tg_json_take(json_t *value, const char *end);

/** Append the JSON of tg_json_text(). This function and the next two write the members of every
 * pair, because making a jansson value for each member takes as long as scoring the pair. */
void tg_json_append_text(GString *out, const char *text);

/** Append the JSON of tg_json_number(). */
void tg_json_append_number(GString *out, double value);

/** Append the name of a member, which is UTF-8, after a comma unless the object has just begun. */
void tg_json_append_key(GString *out, const char *name);

/* ---- checksums of lines ---- */

/** Lines of JSON whose last member is a checksum of all lines so far; zeroed before the first. */
typedef struct {
    guint32 crc;
    gboolean fits; /**< the latest line has the right checksum */
} TgSeal;

/** Append a line to @out, with its newline: the JSON of @object, of @n bytes, and its checksum. */
void tg_seal_append(TgSeal *seal, const char *object, gsize n, GString *out);

/** Compare the checksum of a line and cut it off. The next line's checksum continues from it. */
void tg_seal_check(TgSeal *seal, char *line, gsize *n);

/**
 * Signs that rows of results were filtered or changed after their run, for example with jq, grep or
 * head. Each row has its number, and each checksum depends on the lines before. Before the first
 * row, @expected_row is the number that this row should have, @step the distance from one row to
 * the next; the rest is zero.
 */
typedef struct {
    guint64 expected_row, step;
    guint64 n_rows;     /**< that were read */
    guint64 n_whole;    /**< rows by the count of the last line; 0: unknown */
    guint64 n_missing;  /**< rows */
    guint64 n_changed;  /**< lines */
    gboolean has_end;   /**< the last line was read */
    gboolean lacks_end; /**< the last line is missing */
    gsize first;        /**< number of the first damaged line */
} TgDamage;

/** Note row @row of line @line; @fits: its checksum is right. A row after a gap cannot be
 * checked. */
void tg_damage_add_row(TgDamage *damage, guint64 row, gboolean fits, gsize line);

/** Note another line, such as the first one. */
void tg_damage_add_line(TgDamage *damage, gboolean fits, gsize line);

/** Note the last line, which counts @n_whole rows. */
void tg_damage_add_end(TgDamage *damage, guint64 n_whole, gboolean fits, gsize line);

/** Note that the file has no line of the end; @line is its last line. */
void tg_damage_add_no_end(TgDamage *damage, gsize line);

/** "FILE: 12 lines were changed after the run, 40 of 100 rows are missing; first: line 17".
 * (transfer full) NULL where no damage was found */
char *tg_damage_text(const TgDamage *damage, const char *path);

/** Whether @line is the first line of a file of results, even a damaged one. */
gboolean tg_seal_is_results(const char *line);
