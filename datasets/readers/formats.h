/* The formats, and the choice of one for a file. */
#pragma once

#include "datasets/readers/reader.h"

/**
 * Open @stream with the format called @format, or with the one that recognises it if @format
 * is NULL or "auto"; stdin is then JSONL.
 *
 * @stream: (transfer full)
 * @fields: must outlive the reader
 *
 * Returns: (transfer full), or NULL with @error set to
 *   TG_ERROR_USAGE  there is no such format
 *   TG_ERROR_INPUT  the file cannot be read, no format recognises it, or its header does not fit
 */
TgReader *tg_reader_open(TgStream *stream, const char *format, const TgFieldMap *fields,
                         TgFileSide side, GError **error);
