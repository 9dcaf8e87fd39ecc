/* Files in, records out: the only way for test sets into the program. */
#pragma once

#include <texgauge/metric.h>

#include "core/fail.h"
#include "core/json.h"
#include "datasets/records/record.h"

/** One file that a source read. */
typedef struct {
    const char *name;   /**< as given; "-" for stdin */
    const char *format; /**< the reader's name */
    const char *sha256; /**< of the raw bytes on disk, in hexadecimal; NULL before its end */
    TgDamage damage;    /**< of results that are read as pairs */
    const char *roles;  /**< which fields were which, in words; NULL before its end, and where the
                             format has no fields */
} TgSourceInput;

/** The longest line or CSV row that is read; a longer one is a faulty row. */
#define TG_SOURCE_MAX_LINE ((gsize) 64 << 20)

/**
 * How to read. All zero gives the defaults. Texts are borrowed during tg_source_open() only; lists
 * end in NULL, and a NULL list is an empty one.
 */
typedef struct {
    const char *format;      /**< name of a reader (datasets/readers/reader.h), or NULL or "auto" to
                                recognize each file by its content and name; stdin is then JSONL */
    const char *const *maps; /**< "ROLE=FIELD,ROLE=FIELD..." with the roles gt, pred, id, subset,
                                  model, human; FIELD is a column, or a path with dots into JSON
                                  objects; "a+b" or a repeated role: every one is a reference (gt)
                                  or a rater (human), or the first that is there counts (others);
                                  "id=" means none. Roles not named keep their aliases
                                  (docs/reference/formats.md) */
    const char *const *human;   /**< "GROUP=FIELD,FIELD...": one group of raters each */
    const char *ratings;        /**< a file with the human scores, instead of those in the
                                     rows; @human then names its fields. See ratings.h */
    const char *const *columns; /**< "FIELD,FIELD...": kept in TgRecord.stored */
    const char *const *refs;    /**< join: the files of the reference, one after the other */
    const char *const *hyps;    /**< join: "MODEL=FILE", or FILE (named as
                                            tg_input_names_init() says); the files of one model follow
                                            one another as the reference's do */
    const TgPair *pairs; /**< or: pairs in memory, which outlive the source and are called "data";
                              hyp may be NULL, n_refs 0, and texts need not be UTF-8 */
    gsize n_pairs;
    const char *model;         /**< name for rows without one; NULL: what the path tells
                                    where there are several inputs, else none */
    gboolean refs_only;        /**< only the references of the inputs are used */
    gboolean keep_others;      /**< keep the other short fields of a row beside the columns */
    gboolean keep_delimiters;  /**< leave outer math delimiters on */
    const char *clean;         /**< rules of cleaning, as tg_clean_parse() reads them;
                                    NULL: nothing */
    gboolean token_ids;        /**< formulas are token ids: whole numbers separated by spaces,
                                    in JSON also lists of them */
    gboolean allow_duplicates; /**< do not look for ids that occur twice */
    gsize max_line;            /**< bytes; 0 means TG_SOURCE_MAX_LINE */
} TgSourceOptions;

typedef struct TgSource TgSource;

/**
 * Open a stream of records: either @inputs one after the other ("-" is stdin; a name as in
 * "MODEL=FILE" replaces that of the rows, which must be of one model then), or, when
 * @options names references, the join of references and predictions (@inputs is then empty or
 * NULL).
 *
 * A join goes by id where both files have ids, by line otherwise; it delivers all models of a
 * reference together, in the order given, with hyp NULL where a model has none. A prediction
 * without reference comes as a faulty record at the end. Joins by line keep nothing in memory;
 * joins by id keep the predictions whose reference has not come yet.
 *
 * Memory does not grow with the rows, but for: JSON documents (their text), joins by id (above) and
 * the check for duplicates (about 60 bytes for each id; it counts per model, and leaves stdin out).
 *
 * Returns: (transfer full) the source; or NULL with @error set to
 *   TG_ERROR_USAGE  a map, group or format that does not exist or cannot be read
 *   TG_ERROR_INPUT  a file is missing, not readable or not what it should be; a mapped column is
 *                   not in the header; lists to be joined by line differ in length
 *
 * Threads: one at a time.
 */
TgSource *tg_source_open(const char *const *inputs, const TgSourceOptions *options, GError **error);

/**
 * Read the next record into @out, which is reset first (start with a zeroed one).
 *
 * Trouble with one row is no error: the row arrives with a fault. stdin delivers a row as soon as
 * its line is there.
 *
 * Returns: TG_NEXT_ERROR with @error set to
 *   TG_ERROR_INPUT  the input as a whole is broken from here on: read error, corrupt gzip or zstd,
 *                   malformed JSON document, or a fault of tg_source_open()'s kind in a later file
 */
TgNext tg_source_next(TgSource *self, TgRecord *out, GError **error);

/** How far reading is: raw @bytes_read of @bytes_total, which is 0 when unknown (stdin, pipes). */
void tg_source_progress(const TgSource *self, guint64 *bytes_read, guint64 *bytes_total);

/**
 * The files in the order given, references first, then model by model, and that of the ratings; @n
 * receives their number.
 * Borrowed until the next call.
 */
const TgSourceInput *tg_source_inputs(TgSource *self, guint *n);

/**
 * Messages about decisions on the inputs: rows that are joined by line although one
 * side has ids, ids that are equal without extension, rows without a partner. @n receives their
 * number. Borrowed until the next call.
 */
const char *const *tg_source_notes(const TgSource *self, guint *n);

/**
 * At the end: a field that @options named and that no row has had, or NULL. Tables are refused when
 * they are opened; objects of JSON may have a field or not, so that this can be said of all
 * together only. Borrowed.
 */
const char *tg_source_unmet_field(const TgSource *self);

void tg_source_free(TgSource *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgSource, tg_source_free)
