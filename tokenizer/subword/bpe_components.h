/* Reads the components of a tokenizer.json: normalizer, pre-tokenizer, post-processor. */
#pragma once

#include <jansson.h>

#include "tokenizer/subword/bpe_model.h"

/**
 * Read one component, which may be NULL or null (nothing), or a Sequence, into @bpe's steps.
 *
 * Returns: FALSE with TG_ERROR_INPUT, naming what is not supported
 */
gboolean tg_bpe_read_normalizer(TgBpe *bpe, json_t *node, GError **error);
gboolean tg_bpe_read_pretokenizer(TgBpe *bpe, json_t *node, GError **error);
gboolean tg_bpe_read_post_processor(TgBpe *bpe, json_t *node, GError **error);
