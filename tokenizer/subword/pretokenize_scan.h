/* Scanners for the patterns of pre-tokenizers, written out so that no text can make them slow. */
#pragma once

#include <glib.h>

/**
 * The pattern of TeX-aware words: a control word, a control symbol, a run of ASCII letters, a run
 * of ASCII digits, or one other character; white space between them is dropped. A tokenizer.json
 * holds it as a Split pre-tokenizer with behaviour Removed and inverted.
 */
#define TG_PATTERN_LATEX "\\\\[A-Za-z]+|\\\\\\S|[A-Za-z]+|[0-9]+|\\S"

/**
 * GPT-2's pattern: `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.
 *
 * Returns: length in bytes of the piece at @text (@len at least 1); pieces follow one another
 */
gsize tg_pretokenize_gpt2(const char *text, gsize len, gboolean *keep);

/** TG_PATTERN_LATEX: length of the match, or of the white space (@keep FALSE), at @text. */
gsize tg_pretokenize_latex(const char *text, gsize len, gboolean *keep);
