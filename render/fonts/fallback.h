/* Installed fonts for characters that no TeX font has. */
#pragma once

#include "render/fonts/face.h"

G_BEGIN_DECLS

/** fontconfig's configuration and the faces opened so far; not thread-safe. */
typedef struct TgFallback TgFallback;

TgFallback *tg_fallback_new(void);
void tg_fallback_free(TgFallback *fallback);

/** A face that has @code, or NULL when no installed font has it. */
TgFace *tg_fallback_find(TgFallback *fallback, gunichar code);

G_END_DECLS
