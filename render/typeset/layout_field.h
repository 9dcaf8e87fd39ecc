/* What the files of layout share beside render/typeset/layout.h. */
#pragma once

#include "render/typeset/layout.h"

G_BEGIN_DECLS

/** How far something reaches from its baseline. */
typedef struct {
    TgScaled height, depth;
} TgExtent;

/** The metrics of a CHAR field at the size in force, or NULL when there is no such character. */
const TgCharMetrics *tg_fetch(TgLayout *self, const TgField *field, const TgFont **font);

/** A character of a fallback font in its fixed box. */
TgItem *tg_unicode_item(TgLayout *self, gunichar code, TgScaled size, guint32 token, guint32 color);

G_END_DECLS
