/* Faults of a formula's source. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
    TG_PARSE_UNKNOWN_COMMAND,
    TG_PARSE_UNKNOWN_ENVIRONMENT,
    TG_PARSE_MISSING_ARGUMENT,
    TG_PARSE_BRACE,       /**< an opening brace without a closing one, or the other way round */
    TG_PARSE_DELIMITER,   /**< \left without \right, or something that is no delimiter */
    TG_PARSE_ENVIRONMENT, /**< \begin without \end, or another one's */
    TG_PARSE_ALIGNMENT,   /**< misplaced &, too many columns, \hline or \cr out of place */
    TG_PARSE_SCRIPT,      /**< double superscript or subscript */
    TG_PARSE_FRACTION,    /**< a second \over in one group */
    TG_PARSE_LIMITS,      /**< \limits after something that is no operator */
    TG_PARSE_LENGTH,      /**< a number or unit that TeX does not read */
    TG_PARSE_COLUMNS,     /**< a column specification with unknown letters */
    TG_PARSE_MODE,        /**< mathematics in text or text in mathematics */
    TG_PARSE_CHARACTER,   /**< a control character, bytes that are no UTF-8, a lone # */
    TG_PARSE_MACRO,       /**< a definition or call that does not fit */
    TG_PARSE_COLOR,       /**< an unknown colour */
    TG_PARSE_CHEMISTRY,   /**< \ce with something unreadable */
    TG_PARSE_LIMIT,       /**< a bound of TgParseOptions: reading stops, in both modes */
} TgParseErrorKind;

/** One fault of the source. */
typedef struct {
    guint8 kind;         /**< TgParseErrorKind */
    guint32 start, end;  /**< source span in bytes of what is at fault */
    guint32 column;      /**< of @start, in code points from 1 */
    const char *message; /**< plain sentence without full stop, column not included */
} TgParseError;

/** "unknown-command" and so on: the stable name of @kind; static. */
const char *tg_parse_error_kind_name(TgParseErrorKind kind);

G_END_DECLS
