/* The commands that the official program's parser takes for functions, and its known symbols. */
#pragma once

#include <glib.h>

/** What a function does; decides how it is parsed and printed. */
typedef enum {
    TG_CDM_FRACTION,        /**< `\frac`, `\binom`: two arguments */
    TG_CDM_INFIX,           /**< `\over`, `\choose`: splits the expression it stands in */
    TG_CDM_ROOT,            /**< `\sqrt[index]{body}` */
    TG_CDM_ACCENT,          /**< its argument is printed in braces */
    TG_CDM_LINE,            /**< its argument is printed in one more pair of braces */
    TG_CDM_FONT,            /**< name and argument as written */
    TG_CDM_TEXT,            /**< an argument in text mode, printed as `\mathrm` */
    TG_CDM_PHANTOM,         /**< `\phantom` */
    TG_CDM_RULE,            /**< `\rule[shift]{width}{height}` */
    TG_CDM_SWITCH,          /**< acts on the rest of the group */
    TG_CDM_ROMAN_SWITCH,    /**< `\rm`: printed as `\mathrm{rest}` */
    TG_CDM_STYLE,           /**< a switch whose rest ends before an infix function */
    TG_CDM_OPERATOR,        /**< `\sin`, `\lim`: spelled out */
    TG_CDM_OPERATOR_SYMBOL, /**< `\sum`: printed as it is */
    TG_CDM_DELIMITER,       /**< the `\big` family */
    TG_CDM_LEFT,            /**< `\left ... \right` */
    TG_CDM_RIGHT,           /**< only read by TG_CDM_LEFT */
    TG_CDM_BEGIN,           /**< an environment */
    TG_CDM_END,             /**< only read by TG_CDM_BEGIN */
    TG_CDM_ROW_END,         /**< `\\`, `\cr`, with an optional length */
    TG_CDM_PLAIN_ARRAY,     /**< `\matrix{...}` and the like */
    TG_CDM_COLOR,           /**< `\color{name}{...}`: cannot be printed */
    TG_CDM_UNPRINTABLE,     /**< further functions that cannot be printed */
} TgCdmFunctionKind;

/** How an argument is read. */
typedef enum {
    TG_CDM_ARGUMENT_PLAIN,
    TG_CDM_ARGUMENT_TEXT,  /**< in text mode */
    TG_CDM_ARGUMENT_SIZE,  /**< a number and a unit */
    TG_CDM_ARGUMENT_COLOR, /**< a name or #hex */
} TgCdmArgumentType;

/** A row of the table of functions. */
typedef struct {
    TgCdmFunctionKind kind;
    const char *names;   /**< whitespace-separated */
    const char *printed; /**< the name it is printed with; NULL: its own */
    guint rank;          /**< as an argument it needs a rank above the outer function's */
    guint n_optional, n_arguments;
    TgCdmArgumentType types[3]; /**< optional arguments first */
    gboolean limits; /**< TG_CDM_OPERATOR: limits above and below unless said otherwise */
} TgCdmFunction;

/** The function called @name, backslash included, or NULL. */
const TgCdmFunction *tg_cdm_function_find(const char *name);

/** Whether @name is a symbol that stays whole inside `\mathrm`, where others are spelled out. */
gboolean tg_cdm_symbol_is_known(const char *name);

/** Whether @name may stand behind `\left`, `\right` and the `\big` family. */
gboolean tg_cdm_delimiter_is_known(const char *name);
