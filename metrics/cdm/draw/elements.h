/* Which tokens of a normalised formula become coloured elements, in which order and by which name.
 */
#pragma once

#include <texgauge/types.h>

#include "metrics/cdm/dialects/dialect.h"

/** What the official program does with a token that it colours. */
typedef enum {
    TG_CDM_ELEMENT_ALONE,     /**< the colour is around the token alone, even if it is a command
                                   that needs arguments */
    TG_CDM_ELEMENT_COMPOSITE, /**< it is around the command and its groups */
} TgCdmElementKind;

/** One element of the list. */
typedef struct {
    char *token; /**< its name */
    TgCdmElementKind kind;
    gsize start, end; /**< where the token stands in the normalised source */
} TgCdmElement;

/** What opens a colour in the coloured source: these two with the element's index between. */
#define TG_CDM_COLOUR_BEFORE "\\mathcolor[RGB]{<color_"
#define TG_CDM_COLOUR_BEHIND ">}{"

/**
 * The element list of a formula, as the official program makes it: in the order of the normalised
 * source, a composite before its parts. Whether an element has ink is not known here.
 *
 * @source: what tg_cdm_normalize() made
 * @coloured: (out) (nullable) (transfer full) the source with a colour around every element
 *
 * Returns: (transfer full) (element-type TgCdmElement) owning array; or NULL with @error set to
 *   TG_ERROR_PARSE  the official program gives up on this formula
 *
 * Source: UniMERNet/cdm at commit 5a2c80d, as docs/metrics/cdm.md records it.
 */
GPtrArray *tg_cdm_elements(const char *source, TgCdmVocabulary vocabulary, char **coloured,
                           GError **error);
