/* Fonts of the machine for characters that no TeX font has. */
#pragma once

#include "render/fonts/face.h"

G_BEGIN_DECLS

/** What fontconfig knows, and the faces opened so far; not safe for threads by itself. */
typedef struct TgFallback TgFallback;

TgFallback *tg_fallback_new(void);
void tg_fallback_free(TgFallback *fallback);

/** A face that has @code, or NULL when the machine has none. */
TgFace *tg_fallback_find(TgFallback *fallback, gunichar code);

G_END_DECLS
