/* Which tokens of a normalised formula become coloured elements, in which order and by which name.
 */
#pragma once

#include <texgauge/types.h>

/** One element of the list. */
typedef struct {
    char *token;  /**< its name */
    gsize offset; /**< where the token stands in the normalised source */
} TgCdmElement;

/**
 * The element list of a formula, as the official program makes it: in the order of the normalised
 * source, a composite before its parts. Whether an element has ink is not known here.
 *
 * @source: what tg_cdm_normalize() made
 *
 * Returns: (transfer full) (element-type TgCdmElement) owning array; or NULL with @error set to
 *   TG_ERROR_PARSE  the official program gives up on this formula
 *
 * Source: UniMERNet/cdm at commit 5a2c80d, as docs/metrics/cdm.md records it.
 */
GPtrArray *tg_cdm_elements(const char *source, GError **error);
