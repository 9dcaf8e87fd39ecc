/* Column templates: from specifications, or the defaults of the environment. */
#pragma once

#include "render/typeset/boxes/layout_state.h"

G_BEGIN_DECLS

/* Lengths of LaTeX's array. */
#define TG_ARRAY_COL_SEP   TG_PT(5)
#define TG_ARRAY_RULE      TG_PT(0.4)
#define TG_DOUBLE_RULE_SEP TG_PT(2)

/** The template of one column. */
typedef struct {
    GArray *before, *after;   /**< TgHalignPiece */
    const TgNode *pre, *post; /**< >{..} and <{..} */
    TgScaled width;           /**< of p{..}, else -1 */
    guint8 align;             /**< l c r */
} TgArrayColumn;

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
