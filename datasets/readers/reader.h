/* The formats of input files: how one is chosen for a file, and what they share. */
#pragma once

#include "core/fail.h"
#include "core/files/stream.h"
#include "core/json.h"
#include "datasets/records/fields.h"
#include "datasets/records/record.h"

typedef struct TgReader TgReader;

/**
 * Open @stream with the format called @format, or with the one that recognizes it if @format
 * is NULL or "auto"; stdin is then JSONL.
 *
 * @stream: (transfer full)
 * @fields: must outlive the reader
 * @id_field: is the id of every row, where it has none by the user's map; NULL: what the fields
 *   tell
 *
 * Returns: (transfer full), or NULL with @error set to
 *   TG_ERROR_USAGE  there is no such format
 *   TG_ERROR_INPUT  the file cannot be read, no format recognizes it, or its header does not fit
 */
TgReader *tg_reader_open(TgStream *stream, const char *format, const TgFieldMap *fields,
                         TgFileSide side, const char *id_field, GError **error);

/** The roles of the file's fields in words; NULL where it has no fields. @stems: its name is the
 * id. (transfer full) */
char *tg_reader_describe(const TgReader *self, gboolean stems);

/** Read the next row, as tg_source_next() does, with row, model and subset as the file gives. */
TgNext tg_reader_next(TgReader *self, TgRecord *out, GError **error);

void tg_reader_free(TgReader *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgReader, tg_reader_free)

/** The format of a text that plainly has rows with fields, whatever the file is called; NULL: its
 * lines may be formulas. */
const char *tg_reader_format_of_rows(const char *text, gsize len);

/* ---- for the formats ---- */

/** The beginning of a file, by which formats recognize their own. */
typedef struct {
    const char *suffix; /**< of the name, in lower case, without the dot and without .gz or .zst */
    const char *text;   /**< @len bytes, not ended by NUL */
    gsize len;
    gboolean whole;   /**< there is no more */
    const char *line; /**< the first line that is not blank; ended by NUL; truncated if very long */
    const TgFieldMap *fields;
    TgFileSide side;
} TgSniff;

/** A format; constant, listed in reader.c. */
typedef struct {
    const char *name;

    /** Whether @sniff looks like this format; asked in the order of the table. */
    gboolean (*sniff)(const TgSniff *sniff);

    gsize size; /**< of the reader's struct, which begins with a TgReader; comes zeroed */

    /** Read what precedes the rows; may be NULL. FALSE with TG_ERROR_INPUT. */
    gboolean (*open)(TgReader *self, GError **error);

    /**
     * Fill @out, which is reset, with file and line set as far as the stream was read; @out->line
     * is set again by readers that know better. The only error is TG_ERROR_INPUT.
     */
    TgNext (*next)(TgReader *self, TgRecord *out, GError **error);

    void (*close)(TgReader *self); /**< free what open and next made; may be NULL */

    gboolean is_row; /**< a file is one row: many are no subsets */
} TgReaderClass;

extern const TgReaderClass tg_reader_jsonl, tg_reader_json; /* json.c */
extern const TgReaderClass tg_reader_csv, tg_reader_tsv, tg_reader_captions,
    tg_reader_list;                               /* tabular.c */
extern const TgReaderClass tg_reader_label_graph; /* label_graph.c */
extern const TgReaderClass tg_reader_zip;         /* zip.c */

/** The members of every reader, at the head of its struct. */
struct TgReader {
    const TgReaderClass *klass;
    TgStream *stream;
    const TgFieldMap *fields; /**< borrowed */
    TgFileSide side;
    TgRoles roles;         /**< of the file's fields */
    gboolean decided;      /**< @roles are; else each row is asked until one tells */
    gboolean keyed;        /**< the key of a row in its document is its id */
    gboolean whole;        /**< a file of lines is one formula */
    const char *id_field;  /**< is the id, whatever else could be, or NULL; borrowed */
    TgFieldSample *sample; /**< of the first rows; NULL where the format has no fields */
    TgDamage damage;       /**< of results that are read as pairs */
};

#define TG_READER_SAMPLE 200 /* rows by which the roles of fields are decided */

/**
 * Decide the roles of the fields by the first rows, which the reader keeps.
 *
 * @sample: (transfer full)
 *
 * Returns: FALSE with TG_ERROR_INPUT that names the file, @line (0: none) and its fields
 */
gboolean tg_reader_decide(TgReader *self, TgFieldSample *sample, gsize line, GError **error);

/**
 * Read a line of any bytes, with @out's line set.
 *
 * @line: (out) NULL where the line is too long: then @out has the fault, and is a row of its own
 */
TgNext tg_reader_read_raw(TgReader *self, TgRecord *out, char **line, gsize *n, GError **error);

/** Check that @n bytes are UTF-8 without NUL; if not, @out has the fault. */
gboolean tg_reader_check_text(const TgReader *self, const char *line, gsize n, TgRecord *out);

/** The same for a line of text; one that is not UTF-8, or has a NUL, is a fault, too. */
TgNext tg_reader_read_line(TgReader *self, TgRecord *out, char **line, gsize *n, GError **error);
