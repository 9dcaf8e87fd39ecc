/* gzip (zlib) and zstd (libzstd) behind one interface. */
#include "core/files/decompress.h"

#include <string.h>

#include <zlib.h>
#include <zstd.h>

#include "core/fail.h"

static const guint8 gzip_magic[] = { 0x1f, 0x8b };
static const guint8 zstd_magic[] = { 0x28, 0xb5, 0x2f, 0xfd };

struct TgDecoder {
    TgCodec codec;
    gboolean complete; /* nothing read yet, or a member has just ended */
    z_stream gzip;
    ZSTD_DStream *zstd;
};

static TgCodec match(const guint8 *bytes, gsize n, const guint8 *magic, gsize n_magic, TgCodec hit)
{
    if (memcmp(bytes, magic, MIN(n, n_magic)) != 0)
        return TG_CODEC_NONE;
    return n >= n_magic ? hit : TG_CODEC_UNDECIDED;
}

TgCodec tg_codec_recognise(const guint8 *bytes, gsize n)
{
    const TgCodec gzip = match(bytes, n, gzip_magic, sizeof gzip_magic, TG_CODEC_GZIP);

    if (gzip != TG_CODEC_NONE)
        return gzip;
    return match(bytes, n, zstd_magic, sizeof zstd_magic, TG_CODEC_ZSTD);
}

TgDecoder *tg_decoder_new(TgCodec codec)
{
    TgDecoder *self = g_new0(TgDecoder, 1);

    self->codec = codec;
    self->complete = TRUE;
    if (codec == TG_CODEC_GZIP) {
        if (inflateInit2(&self->gzip, MAX_WBITS + 16) != Z_OK)
            g_error("zlib cannot start"); /* out of memory, or another zlib than we built with */
    } else {
        self->zstd = ZSTD_createDStream();
    }
    return self;
}

static gssize run_gzip(TgDecoder *self, const guint8 **in, gsize *n_in, guint8 *out, gsize n_out,
                       GError **error)
{
    z_stream *z = &self->gzip;
    const guint n = (guint) MIN(*n_in, G_MAXINT);

    if (self->complete && n > 0)
        inflateReset(z); /* another member follows */
    z->next_in = (z_const Bytef *) *in;
    z->avail_in = n;
    z->next_out = out;
    z->avail_out = (guint) MIN(n_out, G_MAXINT);
    const int status = inflate(z, Z_NO_FLUSH);

    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        tg_fail_input(error, "the gzip data are corrupt (%s)",
                      z->msg != NULL ? z->msg : "a preset dictionary is needed");
        return -1;
    }
    *in += n - z->avail_in;
    *n_in -= n - z->avail_in;
    self->complete = status == Z_STREAM_END;
    return z->next_out - out;
}

static gssize run_zstd(TgDecoder *self, const guint8 **in, gsize *n_in, guint8 *out, gsize n_out,
                       GError **error)
{
    ZSTD_inBuffer input = { *in, *n_in, 0 };
    ZSTD_outBuffer output = { out, n_out, 0 };
    const size_t status = ZSTD_decompressStream(self->zstd, &output, &input);

    if (ZSTD_isError(status)) {
        tg_fail_input(error, "the zstd data are corrupt (%s)", ZSTD_getErrorName(status));
        return -1;
    }
    *in += input.pos;
    *n_in -= input.pos;
    self->complete = status == 0;
    return (gssize) output.pos;
}

gssize tg_decoder_run(TgDecoder *self, const guint8 **in, gsize *n_in, guint8 *out, gsize n_out,
                      GError **error)
{
    if (self->complete && *n_in == 0)
        return 0;
    return self->codec == TG_CODEC_GZIP ? run_gzip(self, in, n_in, out, n_out, error)
                                        : run_zstd(self, in, n_in, out, n_out, error);
}

gboolean tg_decoder_is_complete(const TgDecoder *self)
{
    return self->complete;
}

const char *tg_decoder_name(const TgDecoder *self)
{
    return self->codec == TG_CODEC_GZIP ? "gzip" : "zstd";
}

void tg_decoder_free(TgDecoder *self)
{
    if (self == NULL)
        return;
    if (self->codec == TG_CODEC_GZIP)
        inflateEnd(&self->gzip);
    else
        ZSTD_freeDStream(self->zstd);
    g_free(self);
}
