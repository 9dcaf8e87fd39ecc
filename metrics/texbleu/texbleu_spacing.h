/* The spaces that TeXBLEU inserts before commands. */
#pragma once

#include <glib.h>

typedef enum {
    TG_TEXBLEU_SPACING_PAPER, /**< a space before every command (`\\` is one), runs of white space
                                   become one space, none at the ends */
    TG_TEXBLEU_SPACING_REPO,  /**< a space before every backslash that does not follow a space in
                                   the text as given, also at its start; nothing is squeezed */
} TgTexbleuSpacing;

/** Longest result for @len bytes. */
#define TG_TEXBLEU_SPACED_MAX(len) (2 * (gsize) (len) + 1)

/** Write @text with its spaces to @out; returns the length. */
gsize tg_texbleu_space(TgTexbleuSpacing spacing, const char *text, gsize len, char *out);
