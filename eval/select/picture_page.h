/* The page that shows a folder of pictures: what surrounds the cards, and a card. */
#pragma once

#include <glib.h>

/** What the index says of a pair. Borrowed. */
typedef struct {
    guint64 row;
    const char *id, *model; /**< NULL: none */
    const char *truth, *prediction;
    double score;      /**< NaN: none */
    const char *fault; /**< why there is no picture; NULL: there is one */
} TgPictureEntry;

/** The heading of the index. Borrowed. */
typedef struct {
    const char *metric; /**< signature */
    const char *only;   /**< which pairs */
    guint n_places;     /**< how many entries are put into an order; 0: they come in their order */
} TgPictureFolderInfo;

/** The start of the page with its heading. (transfer full) */
char *tg_picture_page_head(const TgPictureFolderInfo *info);

/** The card of a pair. @name: of its picture's file. (transfer full) */
char *tg_picture_page_card(const TgPictureEntry *entry, const char *name, guint place);

/** The end of the page, with what searches, filters and sorts the cards; static. */
const char *tg_picture_page_tail(void);
