/* Byte-pair encoding: tokenizer files of Hugging Face and GPT-2, text to subwords. */
#pragma once

#include <texgauge/types.h>

#include "core/vocab.h"

/** Texts are shorter than this, in bytes. */
#define TG_BPE_MAX_TEXT (64u << 20)

/** A tokenizer as loaded from a file; constant, so any thread may use it. */
typedef struct TgBpe TgBpe;

/** One subword of a text. */
typedef struct {
    guint32 id;
    guint32 start; /**< bytes of the source text that it came from, end excluded; a byte-level */
    guint32 end;   /**< token covers every character that it has a part of */
} TgSubword;

/**
 * Load a tokenizer.
 *
 * @path: a tokenizer.json of Hugging Face, a vocab.json with merges.txt beside it (GPT-2's files;
 *   `<|endoftext|>` is special), or a folder that holds either
 *
 * Understood are: the model BPE with all its options but dropout; the normalizers NFC, NFD, NFKC,
 * NFKD, Prepend, Replace (of a string), Sequence; the pre-tokenizers Whitespace, WhitespaceSplit,
 * Punctuation (isolated), Digits, ByteLevel, Metaspace, Split (by TG_PATTERN_LATEX), Sequence;
 * added tokens. Post-processors ByteLevel, TemplateProcessing and Sequence are accepted; the tokens
 * that a template puts around a text are not added. The decoder is not read.
 *
 * Returns: (transfer full) the tokenizer, or NULL with @error set to
 *   TG_ERROR_INPUT  not readable, not such a file, or it holds a component not listed here, which
 *                   the message names
 */
TgBpe *tg_bpe_load(const char *path, GError **error);

/** As tg_bpe_load(), from the text of a tokenizer.json. */
TgBpe *tg_bpe_load_json(const char *json, gsize len, GError **error);

/** As tg_bpe_load(), from the texts of GPT-2's vocab.json and merges.txt. */
TgBpe *tg_bpe_load_gpt2(const char *vocab, gsize vocab_len, const char *merges, gsize merges_len,
                        GError **error);

void tg_bpe_unref(TgBpe *bpe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgBpe, tg_bpe_unref)

/** One more than the largest id. */
guint32 tg_bpe_id_bound(const TgBpe *bpe);

/** Encodes texts, one after the other: holds buffers and a cache of words. For one thread. */
typedef struct TgBpeEncoder TgBpeEncoder;

/** The encoder holds a reference on @bpe. */
TgBpeEncoder *tg_bpe_encoder_new(TgBpe *bpe);
void tg_bpe_encoder_free(TgBpeEncoder *encoder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgBpeEncoder, tg_bpe_encoder_free)

/**
 * Encode @text. Added tokens written in it are found; none are added around it; nothing is
 * truncated.
 *
 * @text: UTF-8 of @len bytes
 * @n: (out) number of subwords
 *
 * Returns: (transfer none) the subwords, valid until the next call; NULL with @error set to
 *   TG_ERROR_DATA  @text is too long
 */
const TgSubword *tg_bpe_encode(TgBpeEncoder *encoder, const char *text, gsize len, guint *n,
                               GError **error);
