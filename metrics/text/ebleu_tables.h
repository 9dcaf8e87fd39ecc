/* Tables of words for EBLEU: synonyms, and rare words of a corpus. */
#pragma once

#include "metrics/text/text_input.h"

/** Groups of words that mean the same; constant. */
typedef struct TgSynonyms TgSynonyms;

/** The most words of a table. */
#define TG_SYNONYMS_MAX 100000

/**
 * Read a table: a group of words on each line, whitespace-separated; "#" and a space start a
 * comment line.
 *
 * Returns: (transfer full) the table, or NULL with TG_ERROR_INPUT: not readable, a word in two
 * groups, too large
 */
TgSynonyms *tg_synonyms_load(const char *path, GError **error);
void tg_synonyms_free(TgSynonyms *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgSynonyms, tg_synonyms_free)

/** How many words there are; they are numbered from 0, groups without gaps. */
guint tg_synonyms_size(const TgSynonyms *table);

/** The number of a word; FALSE if it is in no group. */
gboolean tg_synonyms_find(const TgSynonyms *table, const char *word, gsize len, guint *number);

/** The words of @number's group: @first (out) up to and without @end (out). */
void tg_synonyms_group(const TgSynonyms *table, guint number, guint *first, guint *end);

/** The rare words of a corpus; constant. */
typedef struct TgRareWords TgRareWords;

/**
 * Read a text, tokenize its lines as @input does, sort the distinct words by falling frequency (the
 * one that comes first on a tie) and take the last 10 %, rounded down; of 20 words or fewer none is
 * rare.
 *
 * Returns: (transfer full) the set, or NULL with TG_ERROR_INPUT or TG_ERROR_DATA
 */
TgRareWords *tg_rare_words_load(const char *path, const TgTextInput *input, GError **error);
void tg_rare_words_free(TgRareWords *words);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgRareWords, tg_rare_words_free)

gboolean tg_rare_words_contain(const TgRareWords *words, const char *word, gsize len);
