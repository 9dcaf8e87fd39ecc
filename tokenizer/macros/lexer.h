/* The lexer of LaTeX source, used by the `latex` tokenizer and the TeX parser. */
#pragma once

#include <glib.h>

typedef enum {
    TG_LEX_END,            /**< nothing is left: empty, at the end of the text */
    TG_LEX_SPACE,          /**< a run of white space (tg_is_space()) */
    TG_LEX_CONTROL_WORD,   /**< a backslash and the longest run of ASCII letters: `\frac` */
    TG_LEX_CONTROL_SYMBOL, /**< a backslash and one character that is no space: `\{`, `\\` */
    TG_LEX_BACKSLASH,      /**< a backslash before white space or at the end of the text */
    TG_LEX_CHARACTER,      /**< any other single character */
} TgLexKind;

typedef struct {
    TgLexKind kind;
    gunichar code; /**< CHARACTER: itself; CONTROL_SYMBOL: the one after the backslash; else 0 */
    gsize start;   /**< first byte in the text */
    gsize len;     /**< bytes; the lexemes of a text follow each other without gaps */
} TgLexeme;

/** A place in a text, which must outlive the lexer: { text, len } is its beginning. Copying it
 * remembers the place. */
typedef struct {
    /** need not end in NUL and may hold NUL; bytes that are not valid UTF-8 count as one character
     * each, TG_UTF8_INVALID */
    const char *text;
    gsize len;
    gsize pos;
} TgLexer;

/**
 * The next lexeme; at the end always TG_LEX_END. Comments, `*` after a control word and `\ ` are
 * left to the caller, who sees every byte.
 */
TgLexeme tg_lexer_next(TgLexer *lexer);

/**
 * The end of a command with its argument, as `\tag*{1}`, of an argument that never ends that of the
 * command alone.
 *
 * @p: at the backslash
 * @never_closed: (inout) FALSE at the first call for a source; then no end is looked for in vain
 * twice
 *
 * Returns: the end, or @p where it is another command or has no group after it
 */
const char *tg_source_command_end(const char *p, const char *command, gboolean *never_closed);

/** Whether an odd number of backslashes stands between @start and @at: the last one escapes @at. */
gboolean tg_is_escaped(const char *start, const char *at);
