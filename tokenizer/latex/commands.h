/* What control sequences do: the table from a command's name to the parser's handler. */
#pragma once

#include "tokenizer/latex/expander.h"

typedef struct TgParser TgParser; /* tokenizer/latex/parser.h */

/** Reads a command's arguments and appends what it makes to the list being read. */
typedef void (*TgCommandHandler)(TgParser *parser, const TgTexToken *token);

typedef enum {
    TG_COMMAND_MACRO = 1 << 0,   /**< @text stands in its place, with @value arguments */
    TG_COMMAND_ARGS = 1 << 1,    /**< reads on behind its name: TeX refuses it as a bare argument */
    TG_COMMAND_GROUP = 1 << 2,   /**< yields a group first of all: TeX takes it in x^\frac12 */
    TG_COMMAND_TEXT = 1 << 3,    /**< works in text */
    TG_COMMAND_MATH = 1 << 4,    /**< works in mathematics */
    TG_COMMAND_ENDS = 1 << 5,    /**< ends a list: \right, \end, \\ */
    TG_COMMAND_ROW = 1 << 6,     /**< ends a row: \\, \cr */
    TG_COMMAND_CELL = 1 << 7,    /**< makes a cell of its own: \multicolumn */
    TG_COMMAND_BETWEEN = 1 << 8, /**< stands between rows: \hline */
} TgCommandFlags;

/** A command that is not a symbol. What @text, @value and @detail mean is the handler's matter. */
struct TgCommand {
    const char *name; /**< without backslash */
    TgCommandHandler handler;
    const char *text;
    gint32 value;
    guint8 detail;
    guint16 flags; /**< TgCommandFlags */
};

/** The command called @name (@len bytes, without backslash), or NULL. */
const TgCommand *tg_command_find(const char *name, gsize len);

/** All commands in the order of their names (bytes), @n of them. */
const TgCommand *tg_command_table(guint *n);
