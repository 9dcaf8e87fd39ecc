/* From the formula tree to math lists: shared by the builders of single constructs. */
#pragma once

#include "render/typeset/layout_field.h"

G_BEGIN_DECLS

/* ---- Lists of the tree ----------------------------------------------------------------------- */

/** A list of the tree as a math list. */
TgNoad *tg_build_mlist(TgLayout *self, const TgNode *list);

/** Append the noads of @node; a TG_NODE_LIST is a {group}. */
void tg_build_node(TgLayout *self, const TgNode *node, TgNoadList *out);

/** Append the items of @list; changes of font, size and colour in it end with it. */
void tg_build_items(TgLayout *self, const TgNode *list, TgNoadList *out);

/**
 * A list as field. One plain Ord without scripts is taken out of its group, as TeX does (§1186),
 * so that {x} is the letter x.
 */
TgField tg_build_field(TgLayout *self, const TgNode *list);

/** `$..$` in a box: the list in @style, uncramped, with the math fonts of the text in force. */
TgItem *tg_layout_formula(TgLayout *self, const TgNode *list, int style);

/** The same, or text, as a box. */
TgItem *tg_body_box(TgLayout *self, const TgNode *body, int style);

/* ---- Fields and noads ------------------------------------------------------------------------ */

/** One character of a math font as a field. */
TgField tg_char_field(TgLayout *self, guint font, guint slot, guint32 token);

/** A field whose box depends on the style; @make gets @node, in the state of now. */
typedef TgItem *(*TgMakeNode)(TgLayout *self, const TgNode *node);
TgField tg_make_field(TgLayout *self, TgMakeNode make, const TgNode *node);

/** Append a fresh noad of @type with @nucleus. */
TgNoad *tg_append_noad(TgLayout *self, TgNoadList *out, TgNoadType type, TgField nucleus);

/** Append space: in sp, or in 2^-16 mu. */
void tg_append_kern(TgLayout *self, TgNoadList *out, TgScaled amount);
void tg_append_mu(TgLayout *self, TgNoadList *out, TgScaled amount);
/** Append a change of style. */
void tg_append_style(TgLayout *self, TgNoadList *out, int style);

/** The box of \strut, or of one of @stretch (2^-16) times its extent. */
TgItem *tg_strut(TgLayout *self, TgScaled stretch);

G_END_DECLS
