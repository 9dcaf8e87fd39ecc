/* What the files that write LaTeX share. */
#pragma once

#include "tokenizer/canonical/printer.h"

/** LaTeX being written. */
typedef struct {
    GString *out;
    gboolean word_end;  /**< a control word ends here: a letter needs a blank before it */
    gboolean blank_end; /**< a blank ends here: a second one would be lost */
    guint8 alphabet;    /**< in force, as a reader of @out would have it */
    guint8 bold;        /**< 1 inside \boldsymbol, \boldmath */
    TgTextFont font;    /**< of text, in force */
    gint32 stretch;     /**< \arraystretch in force */
} TgLatexWriter;

/** Text as it stands; a blank goes before it where a control word would swallow it. */
void tg_latex_put(TgLatexWriter *self, const char *text);

/** A command without its backslash: "frac". */
void tg_latex_put_command(TgLatexWriter *self, const char *name);

/** A command with an argument that is a number and a unit, `\relax` behind it. */
void tg_latex_put_length(TgLatexWriter *self, TgLength length);

/** The items of @list, without braces. */
void tg_latex_put_items(TgLatexWriter *self, const TgNode *list);

/** {items} */
void tg_latex_put_argument(TgLatexWriter *self, const TgNode *list);

/** A node that is no list of text. */
void tg_latex_put_node(TgLatexWriter *self, const TgNode *node);

/** The command of text that shows @code in mathematics too (\i, \o), or NULL. */
const char *tg_latex_text_symbol(gunichar code);

/** A character that shows @code. */
void tg_latex_put_character(TgLatexWriter *self, gunichar code);

/* tree_latex_array.c */
void tg_latex_put_array(TgLatexWriter *self, const TgArray *array);

/* tree_latex_text.c */

/** A CHAR, TEXT, MATH or ACCENT of text. */
void tg_latex_put_text_node(TgLatexWriter *self, const TgNode *node);

/** The items of a list of text. */
void tg_latex_put_words(TgLatexWriter *self, const TgNode *list);

/** The body of the TEXT or LIST @node in braces. */
void tg_latex_put_words_argument(TgLatexWriter *self, const TgNode *node);
