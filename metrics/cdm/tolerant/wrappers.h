/* What stands around a formula in a model's output and is no part of it. */
#pragma once

#include "metrics/cdm/normalize/text.h"

/** Take off pairs of math delimiters around the whole text, as often as there are any. */
void tg_cdm_delete_delimiters(TgCdmText *text);

/** Delete every `\tag{...}`, `\notag` and `\nonumber`. */
void tg_cdm_delete_tags(TgCdmText *text);

/** Delete what is around a fence of ```` ```latex ````. */
void tg_cdm_delete_fence(TgCdmText *text);

/** Take off dollars on both sides, then `\[ \]` or `\( \)`, once each; then the tags and white
 * space. */
void tg_cdm_delete_wrappers(TgCdmText *text);
