/* The environments that hold rows and cells, and how each is read. */
#pragma once

#include "tokenizer/tree/tree.h"

/** The arguments behind \begin{name}. */
typedef enum {
    TG_ENV_ARGS_NONE,
    TG_ENV_ARGS_COLUMNS, /**< [t]{lcr} */
    TG_ENV_ARGS_ALIGN,   /**< [t] */
    TG_ENV_ARGS_COLUMN,  /**< {c}: of subarray */
    TG_ENV_ARGS_NUMBER,  /**< [t]{2}: of alignat */
    TG_ENV_ARGS_PRESET,  /**< [r]: alignment of all columns, mathtools' matrix* */
} TgEnvironmentArgs;

typedef enum {
    TG_ENV_DISPLAY = 1 << 0, /**< cells in display style */
    TG_ENV_TEXT = 1 << 1,    /**< cells are text */
    TG_ENV_TIGHT = 1 << 2,   /**< amsmath's: after \\ and a space a [ is no gap */
    TG_ENV_OPEN = 1 << 3,    /**< no array: its content joins the list around (equation) */
} TgEnvironmentFlags;

typedef struct {
    const char *name;
    guint8 kind;        /**< TgEnvironment */
    guint8 args;        /**< TgEnvironmentArgs */
    guint8 flags;       /**< TgEnvironmentFlags */
    guint8 max_columns; /**< cells of a row that TeX takes; 0: no bound, or the specification's */
    const char *left;   /**< fences: names of symbols, or NULL */
    const char *right;
} TgEnvironmentInfo;

/** The environment called @name, or NULL. */
const TgEnvironmentInfo *tg_environment_find(const char *name);

/** All environments in the order of their names, @n (out) of them. */
const TgEnvironmentInfo *tg_environment_table(guint *n);

/** The form of a command with rows: "matrix" for \matrix{..}, "substack", "shortstack" .. */
const TgEnvironmentInfo *tg_environment_of_command(const char *name);

/** Whether @name is an environment of text without rows. */
gboolean tg_is_minipage(const char *name);
