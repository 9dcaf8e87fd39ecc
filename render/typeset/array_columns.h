/* Column templates: from specifications, or the defaults of the environment. */
#pragma once

#include "render/typeset/layout_state.h"

G_BEGIN_DECLS

/** The template of one column. */
typedef struct {
    GArray *before, *after;   /**< TgHalignPiece */
    const TgNode *pre, *post; /**< >{..} and <{..} */
    TgScaled width;           /**< at least, of p{..}; its text is one line */
    guint8 align;             /**< l c r */
} TgArrayColumn;

/** A length of LaTeX as @array has it. */
TgScaled tg_array_setting(TgLayout *self, const TgArray *array, TgSetting setting);

/**
 * The columns of a specification like `r|c@{:}l`.
 *
 * Returns: (transfer full) (element-type TgArrayColumn)
 */
GPtrArray *tg_array_columns_read(TgLayout *self, const TgArray *array, const TgColumnItem *items,
                                 guint n);

/** Append the @n columns that the environment has without a specification. */
void tg_array_columns_add_default(TgLayout *self, const TgArray *array, GPtrArray *columns,
                                  guint n);

/** Whether @array is one of mathtools' cases (dcases, rcases), which are alignments; amsmath's are
 * an array. */
gboolean tg_array_is_aligned_cases(const TgArray *array);

G_END_DECLS
