/* From the formula tree to math lists: what the files of this pass share. */
#pragma once

#include "render/typeset/layout.h"

G_BEGIN_DECLS

/** A list of the tree as a math list. */
TgNoad *tg_build_mlist(TgLayout *self, const TgNode *list);

/** Append what @node yields; TG_NODE_LIST here is a {group}. */
void tg_build_node(TgLayout *self, const TgNode *node, TgNoadList *out);

/** Append the items of @list; changes of font, size and colour in it end with it. */
void tg_build_items(TgLayout *self, const TgNode *list, TgNoadList *out);

/**
 * A list as field. One plain Ord without scripts is taken out of its group, as TeX does (§1186),
 * so that {x} is the letter x.
 */
TgField tg_build_field(TgLayout *self, const TgNode *list);

/** A field that is a math list built by hand. */
TgField tg_list_field(TgNoad *list);
TgField tg_box_field(TgItem *box);
TgField tg_char_field(TgLayout *self, guint font, guint slot, guint32 token);

/** A field whose box depends on the style; @make gets @node, with the state of now in force. */
typedef TgItem *(*TgMakeNode)(TgLayout *self, const TgNode *node);
TgField tg_make_field(TgLayout *self, TgMakeNode make, const TgNode *node);

/** Append a fresh noad of @type with @nucleus. */
TgNoad *tg_append_noad(TgLayout *self, TgNoadList *out, TgNoadType type, TgField nucleus);

/** Append space: in sp, or in 2^-16 mu. */
void tg_append_kern(TgLayout *self, TgNoadList *out, TgScaled amount);
void tg_append_mu(TgLayout *self, TgNoadList *out, TgScaled amount);
void tg_append_style(TgLayout *self, TgNoadList *out, int style);

/** The token whose ink is drawn now: @token, or that of the composite symbol around it. */
guint32 tg_ink(const TgLayout *self, guint32 token);

/** The delimiter that @symbol (a SYMBOL or NULL) stands for. */
TgDelimiter tg_build_delimiter(TgLayout *self, const TgNode *symbol);

/* One file each: what a kind of node yields. */
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

/** The class that \overset and \boldsymbol give to what they make of @mlist (amsmath's \binrel@).
 */
TgNoadType tg_binrel(const TgNoad *mlist);

/** Words as a horizontal list; `$..$` in them is set in @math_style. */
TgItem *tg_layout_line(TgLayout *self, const TgNode *list, int math_style);

/** The same without blanks at both ends, as a cell of a tabular. */
TgItem *tg_layout_trimmed_line(TgLayout *self, const TgNode *list);

/** The arrow @form (a TgArrow) in the style in force, @width wide, or as wide as its ends when they
 * are wider. */
TgItem *tg_arrow_fill(TgLayout *self, const TgNode *node, guint form, TgScaled width);

/** amsmath's \ex@, a length that grows with the size of the math fonts. */
TgScaled tg_ex_at(TgLayout *self);

/** The box of \strut, or of one of @stretch (2^-16) times its extent. */
TgItem *tg_strut(TgLayout *self, TgScaled stretch);

G_END_DECLS
