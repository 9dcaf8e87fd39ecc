/* What a file format implements, and what the formats share. */
#pragma once

#include "core/files/stream.h"
#include "datasets/records/fields.h"
#include "datasets/records/record.h"

typedef struct TgReader TgReader;

/** The beginning of a file, by which formats recognise their own. */
typedef struct {
    const char *suffix; /**< of the name, in lower case, without the dot and without .gz or .zst */
    const char *text;   /**< @len bytes, not ended by NUL */
    gsize len;
    gboolean whole;   /**< there is no more */
    const char *line; /**< the first line that is not blank; ended by NUL; truncated if very long */
    const TgFieldMap *fields;
    TgFileSide side;
} TgSniff;

/** A format; constant, in a file of its name, listed in builtin.h and formats.c. */
typedef struct {
    const char *name;
    const char *summary; /**< half a sentence for lists of formats */

    /** Whether @sniff looks like this format; asked in the order of the table. */
    gboolean (*sniff)(const TgSniff *sniff);

    gsize size; /**< of the reader's struct, which begins with a TgReader; comes zeroed */

    /** Read what precedes the rows; may be NULL. FALSE with TG_ERROR_INPUT. */
    gboolean (*open)(TgReader *self, GError **error);

    /**
     * Fill @out, which is reset, with file and line set as far as the stream was read; @out->line
     * is set again by readers that know better. FALSE at the end, or with TG_ERROR_INPUT.
     */
    gboolean (*next)(TgReader *self, TgRecord *out, GError **error);

    void (*close)(TgReader *self); /**< free what open and next made; may be NULL */
} TgReaderClass;

/** What every reader has; the head of each one's struct. */
struct TgReader {
    const TgReaderClass *klass;
    TgStream *stream;
    const TgFieldMap *fields; /**< borrowed */
    TgFileSide side;
    TgValue *values; /**< scratch: a value for each slot of @fields */
};

/** Read the next row, as tg_source_next() does, with row, model and subset as the file gives. */
gboolean tg_reader_next(TgReader *self, TgRecord *out, GError **error);

void tg_reader_free(TgReader *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgReader, tg_reader_free)

/** What tg_reader_read_line() found. */
typedef enum {
    TG_READ_LINE,  /**< a line of UTF-8 without NUL */
    TG_READ_FAULT, /**< a line that cannot be used; @out has its fault */
    TG_READ_END,
    TG_READ_ERROR,
} TgReadStatus;

/** For formats with a row on each line: read one, with @out's line set. */
TgReadStatus tg_reader_read_line(TgReader *self, TgRecord *out, char **line, gsize *n,
                                 GError **error);

/** The same for any bytes: the text is not checked. */
TgReadStatus tg_reader_read_raw(TgReader *self, TgRecord *out, char **line, gsize *n,
                                GError **error);

/** What is wrong with the @n bytes at @line, which are to be UTF-8 without NUL (transfer full), or
 * NULL. */
char *tg_reader_check_text(const TgReader *self, const char *line, gsize n);
