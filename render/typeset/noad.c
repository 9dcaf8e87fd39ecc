/* Noads and fields. */
#include "render/typeset/noad.h"

#include <string.h>

TgNoad *tg_noad_new(TgArena *arena, TgNoadType type)
{
    TgNoad *noad = tg_arena_alloc(arena, sizeof *noad);

    noad->next = NULL;
    noad->type = (guint8) type;
    noad->limits = noad->style = noad->in_word = 0;
    noad->nucleus = noad->sub = noad->sup = (TgField){ .kind = TG_FIELD_EMPTY };
    noad->hlist = NULL;
    if (type >= TG_NOAD_RADICAL) /* plain atoms, which are most, have no more */
        memset(&noad->u, 0, sizeof noad->u);
    return noad;
}

TgField tg_list_field(TgNoad *list)
{
    return (TgField){ .kind = TG_FIELD_LIST, .token = TG_NO_TOKEN, .u.list = list };
}

TgField tg_box_field(TgItem *box)
{
    return (TgField){ .kind = TG_FIELD_BOX, .token = TG_NO_TOKEN, .u.box = box };
}

gboolean tg_is_plain_ord(const TgNoad *mlist)
{
    return mlist != NULL && mlist->next == NULL && mlist->type == TG_NOAD_ORD &&
           mlist->sub.kind == TG_FIELD_EMPTY && mlist->sup.kind == TG_FIELD_EMPTY;
}
