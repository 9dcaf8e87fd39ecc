/* gzip and zstd behind one interface: raw bytes in, decoded bytes out. */
#pragma once

#include <texgauge/types.h>

typedef enum {
    TG_CODEC_NONE,
    TG_CODEC_GZIP,
    TG_CODEC_ZSTD,
    TG_CODEC_UNDECIDED, /**< so far the bytes are the beginning of a magic number */
} TgCodec;

/**
 * Which codec @bytes, the first ones of a file, belong to. At most four bytes are looked at; fewer
 * may be undecided.
 */
TgCodec tg_codec_recognise(const guint8 *bytes, gsize n);

typedef struct TgDecoder TgDecoder;

/** @codec must be GZIP or ZSTD. (transfer full) */
TgDecoder *tg_decoder_new(TgCodec codec);

/**
 * Decode as much as fits.
 *
 * @in, @n_in: advanced past what was taken
 * @n_out: size of @out
 *
 * Several members (gzip) or frames (zstd) in a row are one text. A zstd window larger than
 * 128 MiB is rejected, so that a small file cannot ask for all memory.
 *
 * Returns: the number of bytes written, 0 when more input is needed; or -1 with TG_ERROR_INPUT
 * (corrupt data; the message names no file)
 */
gssize tg_decoder_run(TgDecoder *self, const guint8 **in, gsize *n_in, guint8 *out, gsize n_out,
                      GError **error);

/** Whether the input may end here, between two members. */
gboolean tg_decoder_is_complete(const TgDecoder *self);

/** "gzip" or "zstd". */
const char *tg_decoder_name(const TgDecoder *self);

void tg_decoder_free(TgDecoder *self);
