/* Texts of byte-pair tokens. */
#pragma once

#include "tokenizer/subword/subword.h"

/** The text of a token of the model or of one that was added; NULL where there is none. */
static inline const char *test_bpe_text(const TgBpe *bpe, guint32 id, gsize *len)
{
    const char *text = tg_vocab_text(bpe->vocab, id, len);

    return text != NULL ? text : tg_vocab_text(bpe->extra, id, len);
}
