/* The meanings of commands and environments: the rows of commands.tsv and environments.tsv. */
#pragma once

#include "tokenizer/symbols/symbols.h"
#include "tokenizer/tree/tree.h"

/**
 * Actions of the parser, by which commands are carried out: TG_ACTION_FRAC is carried out by
 * tg_parser_frac() (tokenizer/latex/parser.h), X(FRAC, frac).
 */
/* clang-format off */
#define TG_COMMAND_ACTIONS(X)                                                                      \
    X(ROW_BREAK, row_break) X(MISPLACED_BETWEEN, misplaced_between) X(BEGIN, begin) X(END, end)    \
    X(ROW_COMMAND, row_command) X(MULTICOLUMN, multicolumn) X(PHANTOM, construct) X(SMASH, smash)    \
    X(LAP, construct) X(RAISEBOX, raisebox) X(RAISE, raise) X(VCENTER, vcenter)            \
    X(ENCLOSE, enclose) X(CIRCLE, circle) X(RULE, rule) X(FIXED_RULE, fixed_rule)                  \
    X(CHEMISTRY, chemistry) X(COLOR, color) X(COLORBOX, colorbox)          \
    X(DEF, define) X(NEWCOMMAND, define) X(LET, define) X(DECLARE_OPERATOR, define)        \
    X(DECLARE_PAIRED, define) X(ABOXED, aboxed) X(PARBOX, parbox)            \
    X(OPEN_GROUP, open_group) X(CLOSE_GROUP, close_group) X(OPEN_BRACE, open_brace)                \
    X(CLOSE_BRACE, close_brace) X(LEFT, left) X(RIGHT, right) X(MIDDLE, middle) X(BIG, big)        \
    X(DOTS, dots) X(ALPHABET, alphabet) X(BOLDMATH, boldmath) X(BOLDSYMBOL, boldsymbol)            \
    X(CLASS, construct) X(OPERATORNAME, operatorname) X(CHANGE, change) X(MATHCHOICE, construct)      \
    X(FRAC, frac) X(GENFRAC, genfrac) X(INFIX, infix) X(SQRT, sqrt)  \
    X(LIMITS, limits) X(INTERWORD_SPACE, interword_space)                  \
    X(FIXED_SPACE, fixed_space) X(ITALIC_CORRECTION, italic_correction)  \
    X(FILL, fill) X(SKIP, skip) X(HSPACE, hspace) X(VSKIP, vskip) X(NONSCRIPT, nonscript)          \
    X(STRETCH, construct) X(OVERSET, construct) X(UNDERSET, construct) X(BUILDREL, buildrel)    \
    X(ARROW, construct) X(TEXT, text) X(HBOX, hbox)        \
    X(MAKEBOX, makebox) X(SHAPED_BOX, shaped_box) X(TEXT_FONT, text_font) X(TEXT_SWITCH, text_switch)      \
    X(OLD_FONT, old_font) X(TEXT_SYMBOL, text_symbol) X(TEXT_ACCENT, text_accent)                  \
    X(SYMBOL_NUMBER, symbol_number) X(CHAR_NUMBER, char_number) X(CHANGE_CASE, change_case)        \
    X(VERB, verb) X(OPEN_MATH, open_math) X(CLOSE_MATH, close_math) X(ENSUREMATH, ensuremath)      \
    X(IGNORE, ignore) X(AFTERGROUP, aftergroup) X(LABEL, label) X(UPROOT, uproot) X(PENALTY, penalty) X(SPACE, space) X(TAG, tag) X(TEMPLATE, template)        \
    X(MULTIROW, multirow) X(SETLENGTH, setlength) X(ASSIGN, assign)                                \
    X(PARAGRAPH, paragraph) X(EQNO, eqno) X(DEFINE_COLOR, define_color) X(VRULE, vrule)            \
    X(OOALIGN, ooalign) X(SIDESET, sideset) X(EXPAND, expand) X(DERIVATIVE, derivative)                                \
    X(DIFFERENTIAL, differential) X(QUANTITY, quantity) X(MATRIX_QUANTITY, matrix_quantity)        \
    X(EVALUATED, evaluated) X(BRACKET, bracket) X(SIUNITX, siunitx)
/* clang-format on */

typedef enum {
    TG_ACTION_NONE, /**< of macros */
#define TG_ACTION(action, handler) TG_ACTION_##action,
    TG_COMMAND_ACTIONS(TG_ACTION)
#undef TG_ACTION
        TG_N_ACTIONS,
} TgCommandAction;

typedef enum {
    TG_COMMAND_MACRO = 1 << 0,   /**< @text replaces it, with @value arguments */
    TG_COMMAND_ARGS = 1 << 1,    /**< takes arguments: TeX refuses it as a bare argument */
    TG_COMMAND_GROUP = 1 << 2,   /**< expands to a group: TeX takes it in x^\frac12 */
    TG_COMMAND_TEXT = 1 << 3,    /**< works in text */
    TG_COMMAND_MATH = 1 << 4,    /**< works in mathematics */
    TG_COMMAND_ENDS = 1 << 5,    /**< ends a list: \right, \end, \\ */
    TG_COMMAND_ROW = 1 << 6,     /**< ends a row: \\, \cr */
    TG_COMMAND_CELL = 1 << 7,    /**< makes a cell of its own: \multicolumn */
    TG_COMMAND_BETWEEN = 1 << 8, /**< stands between rows: \hline */
    TG_COMMAND_PACKAGE = 1 << 9, /**< of a package: a formula may define it, too */
    TG_COMMAND_OWN =
        1 << 10, /**< sets its argument as a formula of its own: no \mathrm reaches it */
} TgCommandFlags;

/** The attribute that a font command of text changes, and its new value. */
typedef enum {
    TG_TEXT_NORMAL,
    TG_TEXT_RM,
    TG_TEXT_SF,
    TG_TEXT_TT,
    TG_TEXT_UP,
    TG_TEXT_IT,
    TG_TEXT_SL,
    TG_TEXT_SC,
    TG_TEXT_MD,
    TG_TEXT_BF,
    TG_TEXT_EM,
} TgTextChange;

/** A command that is not a symbol. The meaning of @text, @value and @detail depends on @action. */
typedef struct TgCommand {
    const char *name; /**< without backslash */
    const char *text;
    gint32 value;
    guint8 action; /**< TgCommandAction */
    guint8 detail;
    guint8 package; /**< TgPackage that has it; NONE: every document does */
    guint16 flags;  /**< TgCommandFlags */
} TgCommand;

/** Whether only browsers know @command, KaTeX and MathJax: a symbol of that name comes first. */
static inline gboolean tg_command_is_of_browsers(const TgCommand *command)
{
    return command->package == TG_PACKAGE_KATEX;
}

/** The meanings of one name. */
typedef struct {
    const char *name;
    const TgCommand *command; /**< NULL: none */
    const TgSymbol *symbol;   /**< NULL: none; comes after a command, but before a browser's */
} TgName;

/** The meanings of @name (@len bytes, without backslash), or NULL when it has none. */
const TgName *tg_name_find(const char *name, gsize len);

/** The command of LaTeX or a package called @name, or NULL. */
const TgCommand *tg_command_find(const char *name, gsize len);

/** The command that makes a character of text: \ss for U+00DF, \' for the mark U+0301; or NULL. */
const TgCommand *tg_command_of_text(gunichar code);

/* ---- Environments -------------------------------------------------------------------------- */

/** The arguments after \begin{name}. */
typedef enum {
    TG_ENV_ARGS_NONE,
    TG_ENV_ARGS_COLUMNS, /**< [t]{lcr} */
    TG_ENV_ARGS_ALIGN,   /**< [t]; mathtools takes another bracket for content */
    TG_ENV_ARGS_PLACE,   /**< [t]; amsmath drops what another bracket holds */
    TG_ENV_ARGS_BOX,     /**< [t][width], in any order: of multlined */
    TG_ENV_ARGS_COLUMN,  /**< {c}: of subarray */
    TG_ENV_ARGS_NUMBER,  /**< [t]{2}: of alignat */
    TG_ENV_ARGS_PRESET,  /**< [r]: alignment of all columns, mathtools' matrix* */
} TgEnvironmentArgs;

typedef enum {
    TG_ENV_DISPLAY = 1 << 0, /**< cells in display style */
    TG_ENV_TEXT = 1 << 1,    /**< cells are text */
    TG_ENV_TIGHT = 1 << 2,   /**< amsmath's: after \\ and a space a [ is no gap */
    TG_ENV_OPEN = 1 << 3,    /**< no array: its content joins the list around (equation) */
    TG_ENV_TAGS = 1 << 4,    /**< has numbers */
    TG_ENV_NO_TAGS = 1 << 5, /**< forbids them */
    TG_ENV_KATEX = 1 << 6,   /**< LaTeX has it not */
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

const TgEnvironmentInfo *tg_environment_find(const char *name);

/** The form of a command with rows: "matrix" for \matrix{..}, "substack", "shortstack" .. */
const TgEnvironmentInfo *tg_environment_of_command(const char *name);

/* ---- The tables, written by command_tables.py in the order of names (bytes) -------------------
 */

extern const TgCommand tg_commands[];
extern const guint tg_n_commands;
extern const TgEnvironmentInfo tg_environments[];
extern const guint tg_n_environments;
extern const TgEnvironmentInfo tg_row_commands[];
extern const guint tg_n_row_commands;
extern const TgName tg_names[];
extern const guint tg_n_names;

/** An open hash of the names: 1 + the index of one, or 0; a power of two of places. */
extern const guint16 tg_name_places[];
extern const guint tg_n_name_places;
