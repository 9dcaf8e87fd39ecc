/* Options of commands and functions: a row of a table says how an option is written and which
 * member of a struct gets its value. */
#pragma once

#include <jansson.h>
#include <texgauge/types.h>

/** The type of an option's value and of its member. */
typedef enum {
    TG_ARG_END,  /**< ends a table */
    TG_ARG_FLAG, /**< no value; the member is a gboolean */
    TG_ARG_TEXT, /**< const char *, UTF-8 on the command line */
    TG_ARG_FILE, /**< const char * of any bytes */
    /** const char *const *, any bytes: an item each time that the option is given */
    TG_ARG_LIST,
    /** const char *const *: several items each time, separated by commas; "" is none */
    TG_ARG_NAMES,
    TG_ARG_JOINED, /**< const char *: the texts of all times, joined by commas */
    TG_ARG_COUNT,  /**< guint, from min to max */
    TG_ARG_SEED,   /**< guint64, from min */
    TG_ARG_NUMBER, /**< double, from min to max */
    TG_ARG_LEVEL,  /**< double between 0 and 1 */
    TG_ARG_CHOICE, /**< an enum, or gboolean: the place among the choices */
    TG_ARG_SHARD,  /**< K/N: two guint, the second after the first */
    TG_ARG_TABLE,  /**< the options of another table, in the struct that is the member */
} TgArgKind;

/** Uses of a file that an option names. */
typedef enum {
    TG_ARG_NO_FILE,
    TG_ARG_READS,  /**< an input: no output of the command may be it */
    TG_ARG_WRITES, /**< an output, or a folder of outputs */
} TgArgFile;

/** One option; a table ends with a row that is all zero. */
typedef struct TgArg TgArg;
struct TgArg {
    const char *name;
    TgArgKind kind;
    gsize offset;               /**< of the member in the struct of the table */
    const char *help;           /**< an imperative, as "print no notes" */
    const char *argument;       /**< the name of the value in help */
    const char *preset;         /**< the value where the option is not given; NULL: zero */
    const char *const *choices; /**< NULL last */
    double min, max;            /**< of numbers; max 0: no bound */
    char letter;                /**< of the short form, or 0 */
    TgArgFile file;             /**< of an option whose text may be any bytes */
    /** bits of the command's modes in which the option has an effect; 0: all */
    guint modes;
    /** of an option that changes numbers: its name in the headers of results; else NULL. A row with
     * a preset is always recorded, others only where they are set */
    const char *recorded;
    const TgArg *table;
    const char *group; /**< the heading of this option and the next ones in help; NULL: as before */
};

/** The options of a table and of those inside it, one after the other, in the struct of @table.
 * (transfer full) */
TgArg *tg_args_flatten(const TgArg *table);

/** Put the presets into @values. @rows: of tg_args_flatten() */
void tg_args_preset(const TgArg *rows, gpointer values, GPtrArray *pool);

/** The values of the recorded options, by name. (transfer full) */
json_t *tg_args_record(const TgArg *table, gconstpointer values);

/**
 * Write what tg_args_record() made into the members again; members that @record lacks are not
 * changed.
 *
 * Returns: FALSE with TG_ERROR_USAGE for a value that the option does not take
 */
gboolean tg_args_restore(const TgArg *table, gpointer values, const json_t *record, GPtrArray *pool,
                         GError **error);

/**
 * Parse @text and write the value into its member.
 *
 * @values: the struct of the row's table; memory of the values belongs to @pool, an array of
 * g_free()
 *
 * Returns: FALSE with TG_ERROR_USAGE that says what the option takes
 */
gboolean tg_arg_set(const TgArg *arg, gpointer values, const char *text, GPtrArray *pool,
                    GError **error);
