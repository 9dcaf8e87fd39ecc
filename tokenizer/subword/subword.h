/* The inside of byte-pair tokenizers, for their loader, encoder and trainer. */
#pragma once

#include "core/vocab.h"
#include "tokenizer/subword/bpe.h"

/* ---- Classes of characters that tokenizers split at: Unicode properties ---------------------- */

/** Unicode White_Space: what `\s` matches (U+0085 does; U+200B, U+FEFF and U+001C-1F do not). */
gboolean tg_char_is_white(gunichar c);

/** Whether `\w` matches @c: Alphabetic, Mark, Decimal_Number, Connector_Punctuation,
 * Join_Control. */
gboolean tg_char_is_word(gunichar c);

/* ---- A text while it is rewritten and split into words --------------------------------------- */

/** A range of bytes, @end excluded. */
typedef struct {
    guint32 start;
    guint32 end;
} TgByteRange;

/**
 * The current text, its words, and for every byte the source bytes it came from. A step either
 * splits words or rewrites the text.
 */
typedef struct {
    const char *text; /**< the current text; not NUL-terminated */
    gsize len;
    GArray *words;     /**< TgByteRange: what is still to be encoded, left to right */
    gboolean at_start; /**< the text starts where the whole source does */

    /* Private. */
    guint32 base;      /* where the text starts in the source, while it is not rewritten */
    gboolean verbatim; /* not rewritten: byte i came from source byte base + i */
    GByteArray *bytes, *next_bytes;
    GArray *origin, *next_origin; /* TgByteRange per byte of a rewritten text */
    GArray *next_words;
} TgSpanText;

void tg_span_text_init(TgSpanText *st);
void tg_span_text_clear(TgSpanText *st);

/** Start with source bytes @base to @base + @len at @text, as one word. Borrows @text. */
void tg_span_text_set(TgSpanText *st, const char *text, gsize len, guint32 base);

/** The source bytes that the bytes @start to @end of the current text came from (not empty). */
TgByteRange tg_span_text_origin(const TgSpanText *st, gsize start, gsize end);

/* ---- Bytes as printable characters, so that GPT-2's vocabulary is readable text -------------- */

/** Write the character that stands for @byte in UTF-8; returns its length, 1 or 2. */
guint tg_byte_to_char(guchar byte, char out[2]);

/* ---- Normalizers: rewrite a text before it is split into words ------------------------------- */

typedef enum {
    TG_NORMALIZE_UNICODE, /**< NFC, NFD, NFKC, NFKD */
    TG_NORMALIZE_PREPEND, /**< put a string before a text that is not empty */
    TG_NORMALIZE_REPLACE, /**< replace every occurrence of a string */
} TgNormalizerKind;

/** One normalizer. */
typedef struct {
    TgNormalizerKind kind;
    GNormalizeMode mode; /**< UNICODE */
    char *pattern;       /**< REPLACE: not empty */
    char *content;       /**< PREPEND, REPLACE */
} TgNormalizer;

void tg_normalizer_clear(TgNormalizer *step);

/**
 * Apply one normalizer to a text that is still one word.
 *
 * A composed or decomposed character is traced to the whole cluster it came from: a base with all
 * its combining marks. (Hugging Face traces a composed character to the base alone.) Runs of more
 * than 64 characters without a base are normalized in parts, to bound the time.
 */
void tg_normalizer_apply(const TgNormalizer *step, TgSpanText *st);

/* ---- Pre-tokenizers: split a text into the words that are encoded ---------------------------- */

/**
 * The pattern of TeX-aware words: a control word, a control symbol, a run of ASCII letters, a run
 * of ASCII digits, or one other character; white space between them is dropped. A tokenizer.json
 * holds it as a Split pre-tokenizer with behavior Removed and inverted.
 */
#define TG_PATTERN_LATEX "\\\\[A-Za-z]+|\\\\\\S|[A-Za-z]+|[0-9]+|\\S"

typedef enum {
    TG_PRETOKENIZE_WHITESPACE,       /**< matches of `\w+|[^\w\s]+` */
    TG_PRETOKENIZE_WHITESPACE_SPLIT, /**< runs without white space */
    TG_PRETOKENIZE_PUNCTUATION,      /**< every punctuation character alone */
    TG_PRETOKENIZE_DIGITS,           /**< runs of `\p{N}`, or each alone */
    TG_PRETOKENIZE_BYTE_LEVEL,       /**< GPT-2: every byte written as a printable character */
    TG_PRETOKENIZE_METASPACE,        /**< spaces written as a visible character that starts words */
    TG_PRETOKENIZE_SPLIT,            /**< matches of TG_PATTERN_LATEX */
} TgPretokenizerKind;

/** When METASPACE puts its character before a text that does not start with it. */
typedef enum { TG_PREPEND_ALWAYS, TG_PREPEND_FIRST, TG_PREPEND_NEVER } TgPrepend;

/** One pre-tokenizer. */
typedef struct {
    TgPretokenizerKind kind;
    gboolean single_digits; /**< DIGITS */
    gboolean prefix_space;  /**< BYTE_LEVEL: a space before every word that has none */
    gboolean gpt2_split;    /**< BYTE_LEVEL: split by GPT-2's pattern first */
    char space[8];          /**< METASPACE: the visible character, NUL-terminated */
    TgPrepend prepend;      /**< METASPACE */
    gboolean keep_whole;    /**< METASPACE: do not split */
} TgPretokenizer;

/** Apply one pre-tokenizer: split the words of @st further, or rewrite them. */
void tg_pretokenizer_apply(const TgPretokenizer *step, TgSpanText *st);

/* ---- Added tokens: strings that a tokenizer finds in a text before anything else looks at it */

/** How one added token is found; as in a tokenizer.json. */
typedef struct {
    guint32 id;
    gboolean single_word; /**< not inside a word */
    gboolean lstrip;      /**< takes the white space before it along */
    gboolean rstrip;      /**< and after it */
} TgAddedToken;

/** The longest added token, in bytes. */
#define TG_ADDED_TOKEN_MAX 512

/** A set of added tokens; constant while only searched. */
typedef struct TgAddedTokens TgAddedTokens;

/** Add @text; FALSE if it is there already, empty, or longer than TG_ADDED_TOKEN_MAX. */
gboolean tg_added_tokens_add(TgAddedTokens *set, const char *text, gsize len, TgAddedToken token);

/* ---- The merging of byte-pair encoding: one word's symbols joined by rank -------------------- */

/** One symbol of a word: a token so far. */
typedef struct {
    guint32 id;
    guint32 len; /**< bytes of the word it covers; 0 once it is joined to the one before it */
    gint32 prev; /**< index of its neighbors, -1 at the ends */
    gint32 next;
} TgBpeSymbol;

/** Buffers for merging, reused for every word; for one thread. */
typedef struct {
    GArray *symbols; /**< TgBpeSymbol: filled by the caller, in order */
    GArray *queue;   /* private */
} TgBpeWord;

void tg_bpe_word_init(TgBpeWord *word);
void tg_bpe_word_clear(TgBpeWord *word);

/** Append a symbol. */
void tg_bpe_word_add(TgBpeWord *word, guint32 id, guint32 len);

/** The value of a merge table: rank (low is first) and the id that the pair becomes. */
static inline guint64 tg_bpe_merge_value(guint32 rank, guint32 id)
{
    return (guint64) rank << 32 | id;
}

/**
 * Join the adjacent pair of the lowest rank, the leftmost on a tie, until no pair is in @merges.
 * The result is the list from symbol 0 along `next`. Time O(n log n) in the number of symbols.
 *
 * @merges: tg_pair_key() of two ids to tg_bpe_merge_value()
 *
 * Source: Sennrich, Haddow and Birch (2016), Neural Machine Translation of Rare Words.
 */
void tg_bpe_word_merge(TgBpeWord *word, const TgVocab *merges);

/* ---- The inside of a loaded byte-pair tokenizer, for its loader and encoder ------------------ */

#define TG_BPE_NO_ID G_MAXUINT32

struct TgBpe {
    gint n_refs;
    TgVocab *vocab;        /* the model's tokens */
    TgVocab *extra;        /* added tokens that the model lacks */
    TgVocab *merges;       /* tg_pair_key() to tg_bpe_merge_value() */
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
