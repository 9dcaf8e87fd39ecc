/* The inside of a loaded byte-pair tokenizer, for its loader and encoder. */
#pragma once

#include "tokenizer/subword/added_tokens.h"
#include "tokenizer/subword/bpe.h"
#include "tokenizer/subword/normalize.h"
#include "tokenizer/subword/pair_table.h"
#include "tokenizer/subword/pretokenize.h"

#define TG_BPE_NO_ID G_MAXUINT32

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
    TgAddedTokens *added_raw;        /* looked for in the text as it is */
    TgAddedTokens *added_normalized; /* looked for in the normalized text */
};

/** An empty tokenizer, to be filled by the loader. */
TgBpe *tg_bpe_new(void);
