/* Reads and writes .safetensors files: named arrays of numbers, mapped into memory. */
#pragma once

#include <texgauge/types.h>

/** An open file; constant, so any thread may read it. */
typedef struct TgSafetensors TgSafetensors;

typedef enum { TG_TENSOR_F32, TG_TENSOR_F16, TG_TENSOR_BF16 } TgTensorType;

/** One matrix of a file; valid as long as the file is open. */
typedef struct {
    TgTensorType type;
    guint32 rows;
    guint32 columns;
    const guint8 *data; /**< rows * columns numbers, little-endian, row by row; any alignment */
} TgTensor;

/**
 * Open a file. The header is checked whole: every tensor must lie inside the file.
 *
 * Returns: (transfer full) the file, or NULL with TG_ERROR_INPUT
 */
TgSafetensors *tg_safetensors_open(const char *path, GError **error);

/** As tg_safetensors_open(), from @len bytes that are borrowed until tg_safetensors_free(). */
TgSafetensors *tg_safetensors_open_bytes(const guint8 *bytes, gsize len, GError **error);

void tg_safetensors_free(TgSafetensors *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgSafetensors, tg_safetensors_free)

/** Whether there is a tensor called @name, of whatever type. */
gboolean tg_safetensors_has(const TgSafetensors *file, const char *name);

/**
 * The matrix called @name.
 *
 * Returns: FALSE with TG_ERROR_INPUT: not there, not a matrix, or not F32, F16 or BF16
 */
gboolean tg_safetensors_get(const TgSafetensors *file, const char *name, TgTensor *out,
                            GError **error);

/** All numbers of @tensor as floats, to @out[rows * columns]. */
void tg_tensor_read(const TgTensor *tensor, float *out);

/**
 * A file that holds one matrix in half precision.
 *
 * @len: (out) its size
 *
 * Returns: (transfer full) the bytes of the file
 */
guint8 *tg_safetensors_write_f16(const char *name, const float *values, guint32 rows,
                                 guint32 columns, gsize *len);
