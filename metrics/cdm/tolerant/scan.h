/* Tokens of the tolerant reader. */
#pragma once

#include "metrics/cdm/normalize/text.h"

typedef enum {
    TG_CDM_SCAN_CHARACTER,
    TG_CDM_SCAN_SPECIALS,   /**< one or more characters that belong together */
    TG_CDM_SCAN_MACRO,      /**< from the backslash to the white space behind a word */
    TG_CDM_SCAN_BEGIN,      /**< `\begin{name}` */
    TG_CDM_SCAN_END,        /**< `\end{name}` */
    TG_CDM_SCAN_OPEN,       /**< `{`, or `[` where brackets count */
    TG_CDM_SCAN_CLOSE,      /**< `}`, or `]` where brackets count */
    TG_CDM_SCAN_MATH,       /**< a mark that begins or ends math */
    TG_CDM_SCAN_END_OF_TEXT /**< also before a backslash that ends the text */
} TgCdmScanKind;

/** A token: bytes of the text. White space stands from @space to @start. */
typedef struct {
    TgCdmScanKind kind;
    gsize space, start, end;
    gsize name, name_end; /**< of a macro or an environment */
} TgCdmScanToken;

/**
 * The token at byte @at of @text.
 *
 * @brackets: `[` and `]` open and close
 * @environments: `\begin` and `\end` are no macros
 */
TgCdmScanToken tg_cdm_scan(const char *text, gsize at, gboolean brackets, gboolean environments);
