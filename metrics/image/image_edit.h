/* im2markup's column edit distance of two pictures, and its test for equal pictures. */
#pragma once

#include "core/arena.h"
#include "metrics/image/image.h"

/**
 * The Levenshtein distance where every column of pixels is one symbol; a pixel is ink from 128
 * down. The lower picture is extended by white rows at its bottom. Divide by the larger width for
 * a value in [0, 1].
 */
guint32 tg_image_edit_distance(TgArena *arena, TgGrey ref, TgGrey hyp);

/** Columns by columns that are aligned at most: a few seconds. */
#define TG_IMAGE_EDIT_MAX_CELLS ((guint64) 1 << 33)

/** How tg_image_match() looks at the pictures. */
typedef enum {
    TG_IMAGE_MATCH_SKIP_BLANK = 1 << 0, /**< columns without ink do not count */
    TG_IMAGE_MATCH_COMPAT = 1 << 1,     /**< any number of inserted columns, as in im2markup */
} TgImageMatchFlags;

/**
 * Whether the pictures are equal up to a few columns: columns that differ in fewer than 5 pixels
 * are one symbol, and in the best alignment no 5 columns in a row may be replaced, lost or, unless
 * TG_IMAGE_MATCH_COMPAT, added. Two pictures without ink match; one without ink matches no other.
 *
 * Source: Deng, Kanervisto, Ling and Rush (2017), arXiv:1609.04938, and its evaluation script; of
 * several best alignments that of tg_align() counts.
 */
gboolean tg_image_match(TgArena *arena, TgGrey ref, TgGrey hyp, TgImageMatchFlags flags);
