/* What the parts of byte-pair encoding share: the loaded tokenizer. */
#pragma once

#include "tokenizer/subword/added_tokens.h"
#include "tokenizer/subword/bpe.h"
#include "tokenizer/subword/normalize.h"
#include "tokenizer/subword/pair_table.h"
#include "tokenizer/subword/pretokenize.h"

#define TG_BPE_NO_ID G_MAXUINT32

typedef enum {
    TG_DECODE_BYTE_LEVEL,
    TG_DECODE_METASPACE,
    TG_DECODE_SUFFIX,        /* BPEDecoder */
    TG_DECODE_BYTE_FALLBACK, /* <0x0A> to bytes */
    TG_DECODE_FUSE,
    TG_DECODE_STRIP,
    TG_DECODE_REPLACE,
} TgDecodeKind;

/** One decoder of the chain. */
typedef struct {
    TgDecodeKind kind;
    char *pattern;     /* METASPACE: the visible blank; SUFFIX; STRIP: a character; REPLACE */
    char *content;     /* REPLACE */
    gboolean drop;     /* METASPACE: the first token's visible blank is dropped */
    guint left, right; /* STRIP: how many at either end, at most */
} TgDecodeStep;

struct TgBpe {
    gint n_refs;
    TgVocab *vocab; /* the model's tokens */
    TgVocab *extra; /* added tokens that the model lacks */
    TgPairTable *merges;
    guint32 unk_id;        /* or TG_BPE_NO_ID */
    guint32 byte_ids[256]; /* byte fallback: all TG_BPE_NO_ID if there is none */
    gboolean fuse_unk;
    gboolean ignore_merges;
    char *prefix; /* continuing_subword_prefix; "" for none */
    char *suffix; /* end_of_word_suffix; "" for none */
    gboolean trim_offsets;

    GArray *normalizers;             /* TgNormalizer */
    GArray *pretokenizers;           /* TgPretokenizer */
    GArray *decoders;                /* TgDecodeStep */
    TgAddedTokens *added_raw;        /* looked for in the text as it is */
    TgAddedTokens *added_normalized; /* looked for in the normalised text */
    GHashTable *special;             /* ids of special tokens, as pointers */
};

/** An empty tokenizer, to be filled by the loader. */
TgBpe *tg_bpe_new(void);
