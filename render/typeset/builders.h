/* The builders of each kind of node, in files by construct: build_symbol.c, build_array.c, ... */
#pragma once

#include "render/typeset/build.h"

G_BEGIN_DECLS

void tg_build_symbol(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_operator(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_fraction(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_radical(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_accent(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_stretch(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_stack(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_arrow(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_sideset(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_delimited(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_big(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_bold(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_array(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_box(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_text(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_error(TgLayout *self, const TgNode *node, TgNoadList *out);

/* ---- Parts that several of them need --------------------------------------------------------- */

/** The delimiter of @symbol, a SYMBOL or NULL. */
TgDelimiter tg_build_delimiter(TgLayout *self, const TgNode *symbol);

/** Append a LEFT, MIDDLE or RIGHT noad with that delimiter. */
void tg_append_delimiter(TgLayout *self, TgNoadList *out, TgNoadType type, const TgNode *symbol);

/** Text as a horizontal list; `$..$` in them is set in @math_style. */
TgItem *tg_layout_line(TgLayout *self, const TgNode *list, int math_style);

/** The same without spaces at both ends, as a cell of a tabular. */
TgItem *tg_layout_trimmed_line(TgLayout *self, const TgNode *list);

/** @line, less @less, as wide as the TEXT @node says, to the side that it says. */
TgItem *tg_text_to_width(TgLayout *self, const TgNode *node, TgItem *line, TgScaled less);

/** \cancel and its kin around @body; \cancelto, a SCRIPTS, as a TgMakeNode. */
TgItem *tg_canceled_box(TgLayout *self, const TgNode *node, TgItem *body);
TgItem *tg_canceled_to(TgLayout *self, const TgNode *node);

/** SCRIPTS, SYMBOL and ARROW as mhchem's \ce sets them. */
void tg_build_chemistry_scripts(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_chemistry_sign(TgLayout *self, const TgNode *node, TgNoadList *out);
void tg_build_chemistry_arrow(TgLayout *self, const TgNode *node, TgNoadList *out);

/** The arrow @form (a TgArrow) in the style in force, @width wide, or as wide as its ends when they
 * are wider. */
TgItem *tg_arrow_fill(TgLayout *self, const TgNode *node, guint form, TgScaled width);

G_END_DECLS
