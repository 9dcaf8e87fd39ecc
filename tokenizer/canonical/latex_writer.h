/* LaTeX being written: what is in force, and the pieces that all constructs need. */
#pragma once

#include "tokenizer/tree/tree.h"

typedef struct TgLatexWriter TgLatexWriter;

/** LaTeX being written. */
struct TgLatexWriter {
    GString *out;
    gboolean word_end;          /**< a control word ends here: a letter needs a space before it */
    gboolean space_end;         /**< a space or a control space ends here: a blank would be lost */
    guint8 alphabet;            /**< in force, as a reader of @out would have it */
    guint8 bold;                /**< 1 inside \boldsymbol, \boldmath */
    TgTextFont font;            /**< of text, in force */
    gint32 stretch;             /**< \arraystretch in force */
    const TgSettings *settings; /**< lengths in force, or NULL: LaTeX's own */

    /** Writes any node; constructs write what is in them through it. */
    void (*put_node)(TgLatexWriter *self, const TgNode *node);
};

/** Text as it is; a space goes before it where a control word would swallow it. */
void tg_latex_put(TgLatexWriter *self, const char *text);

/** A command without its backslash: "frac". */
void tg_latex_put_command(TgLatexWriter *self, const char *name);

/** A command and {items} */
void tg_latex_put_command_with(TgLatexWriter *self, const char *name, const TgNode *list);

/** A character that shows @code. */
void tg_latex_put_character(TgLatexWriter *self, gunichar code);

/** A number and a unit, plus infinite stretch. */
void tg_latex_put_length(TgLatexWriter *self, TgLength length);

/** The same without braces, `\relax` behind it. */
void tg_latex_put_open_length(TgLatexWriter *self, TgLength length);

/** {length} */
void tg_latex_put_length_argument(TgLatexWriter *self, TgLength length);

/** [length] */
void tg_latex_put_length_option(TgLatexWriter *self, TgLength length);

/** \setlength for what is in force otherwise. */
void tg_latex_put_settings(TgLatexWriter *self, const TgSettings *settings);

/** The items of @list, without braces. */
void tg_latex_put_items(TgLatexWriter *self, const TgNode *list);

/** {items} */
void tg_latex_put_argument(TgLatexWriter *self, const TgNode *list);
