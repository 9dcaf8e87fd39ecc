/* What the text metrics have in common: three options, and a pair's texts as token sequences. */
#pragma once

#include <texgauge/metric.h>

#include "metrics/algorithms/algorithms.h"

/** Whether texts are rewritten before they are compared; a part of a metric's instance. */
typedef struct {
    char *normalize; /* belongs to the option table */
    gboolean canonical;
    TgCanonicalRules rules;
} TgTextForm;

/** How texts become tokens; a part of a metric's instance. Its strings belong to the option table.
 */
typedef struct {
    char *tokenize;
    gboolean lowercase;
    TgTextForm form;
    TgTokenizer *tokenizer; /* made by tg_text_input_init() */
} TgTextInput;

/** Entries of an option table; the member's path in @Type is a TgTextForm. */
#define TG_TEXT_OPTION_NORMALIZE(Type, form)                                                       \
    TG_OPTION_STRING(Type, form.normalize, "normalize", "none",                                    \
                     "canonical: rewrite formulas in one spelling first; rules as "                \
                     "canonical+spaces-groups")

/** The member is a gboolean. */
#define TG_TEXT_OPTION_LOWERCASE(Type, member)                                                     \
    TG_OPTION_BOOL(Type, member, "lowercase", "no", "compare in lower case")

/** All three; @input is a TgTextInput, @preset the tokenizer. */
#define TG_TEXT_OPTIONS(Type, input, preset)                                                       \
    TG_OPTION_STRING(                                                                              \
        Type, input.tokenize, "tokenize", preset,                                                  \
        "how a text is tokenized: latex, words (or none), codepoint, char, 13a, alnum, bpe:FILE"), \
        TG_TEXT_OPTION_LOWERCASE(Type, input.lowercase),                                           \
        TG_TEXT_OPTION_NORMALIZE(Type, input.form)

/** Read the option; FALSE with TG_ERROR_USAGE when it says neither none nor canonical. */
gboolean tg_text_form_init(TgTextForm *form, GError **error);

/** @text, or what is compared in its place: valid until the env's next pair. */
const char *tg_text_form_apply(const TgTextForm *form, TgEnv *env, const char *text,
                               TgCanonicalSpacing spacing);

/** Read the options and make the tokenizer; FALSE with TG_ERROR_USAGE or TG_ERROR_INPUT. */
gboolean tg_text_input_init(TgTextInput *input, GError **error);

void tg_text_input_clear(TgTextInput *input);

/** tg_text_input_init() and tg_text_input_clear() for the vtable of a metric whose instance begins
 * with a TgTextInput. */
gboolean tg_text_metric_init(gpointer instance, GError **error);
void tg_text_metric_clear(gpointer instance);

/** What is compared in place of @text, ready for the input's tokenizer. */
const char *tg_text_input_form(const TgTextInput *input, TgEnv *env, const char *text);

/** A pair as token sequences, in memory of its env. */
typedef struct {
    const TgSequence *refs;
    guint n_refs;
    TgSequence hyp;
} TgPairTokens;

/** Rewrite and tokenize a pair's texts; FALSE with TG_ERROR_DATA when a text is too long. */
gboolean tg_pair_tokenize(TgEnv *env, const TgTextInput *input, const TgPair *pair,
                          TgPairTokens *out, GError **error);
