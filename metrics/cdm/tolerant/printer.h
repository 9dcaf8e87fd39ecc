/* The tolerant normaliser's printer: units as tokens with a space behind each. */
#pragma once

#include "metrics/cdm/tolerant/unit.h"

typedef struct TgCdmPrinter TgCdmPrinter;
typedef struct TgCdmCursor TgCdmCursor;

/** Where the tokens go, and who prints the units that lists of units are in. */
struct TgCdmPrinter {
    const TgCdmText *line; /**< that was read */
    TgCdmText *out;
    gboolean in_text;   /**< in `\text`, where white space is printed as `~` */
    gboolean in_script; /**< in a script, where a prime is an ordinary character */
    /** A macro; the cursor stands behind it, where some find their arguments. */
    void (*print_macro)(TgCdmPrinter *printer, const TgCdmUnit *macro, TgCdmCursor *cursor);
    void (*print_environment)(TgCdmPrinter *printer, const TgCdmUnit *environment);
};

/** A place in a list of units. */
struct TgCdmCursor {
    const GPtrArray *units;
    guint at, end;
    gsize offset; /**< bytes of the characters at @at that were printed already */
};

/** What is printed at once: a unit, or one character of a run; nothing where both are NULL. */
typedef struct {
    const TgCdmUnit *unit; /**< NULL for a character */
    TgCdmRange character;  /**< in the line; `--` is one */
    gboolean is_space;     /**< white space in @in_text */
} TgCdmItem;

/** Print all units of @list. */
void tg_cdm_print_units(TgCdmPrinter *printer, const GPtrArray *list);

/** Print units @from to @end of @list. */
void tg_cdm_print_slice(TgCdmPrinter *printer, const GPtrArray *list, guint from, guint end);

/** Print one unit as it is written: a group in its braces. */
void tg_cdm_print_unit(TgCdmPrinter *printer, const TgCdmUnit *unit);

/** The next item of a list, or FALSE at its end. */
gboolean tg_cdm_cursor_next(TgCdmCursor *cursor, const TgCdmPrinter *printer, TgCdmItem *item);
void tg_cdm_print_item(TgCdmPrinter *printer, const TgCdmItem *item);

/** A token that stands for bytes @from of the line; those of @from may be none. */
void tg_cdm_print_token(TgCdmPrinter *printer, const char *token, TgCdmRange from);

/** A token of our own. */
void tg_cdm_print_mark(TgCdmPrinter *printer, const char *token);

/** What prints macros. */
void tg_cdm_print_macro(TgCdmPrinter *printer, const TgCdmUnit *macro, TgCdmCursor *cursor);

/** What prints environments: as arrays, between delimiters or not. */
void tg_cdm_print_environment(TgCdmPrinter *printer, const TgCdmUnit *environment);
