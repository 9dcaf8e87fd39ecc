/* From math list to horizontal list. */
#pragma once

#include "render/typeset/layout_state.h"

G_BEGIN_DECLS

/** TeX's mlist_to_hlist; everybody else calls it as tg_mlist_to_hlist() of layout_field.h. */
TgItem *tg_set_mlist(TgLayout *self, TgNoad *mlist, int style);

G_END_DECLS
