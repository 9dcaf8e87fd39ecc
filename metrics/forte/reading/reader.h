/* The token list that FORTE's reading fills: scripts and accents are put in order here. */
#pragma once

#include "metrics/forte/reading/names.h"
#include "tokenizer/tree/tree.h"

#define TG_FORTE_NO_GROUP G_MAXUINT32

/** The scripts at the end of the list, which another script would join. */
typedef struct {
    guint32 end; /**< they end here, or there are none */
    guint32 sub; /**< where the subscript's mark is, or TG_FORTE_NO_GROUP */
    guint32 sup;
} TgForteTail;

typedef struct TgForteReader TgForteReader;
struct TgForteReader {
    const TgForteTables *tables;
    TgForteNames *names;
    const char *source;
    GArray *tokens; /**< of TgForteToken */
    TgForteTail tail;
    const TgNode *no_primes; /**< a superscript whose primes were written already */
    TgForteReading *reading;
    guint32 text_end;  /**< a character of text ends the list while the list is this long */
    gboolean blank;    /**< a space was met behind it */
    gboolean bold;     /**< inside \pmb, which its symbols do not know */
    gboolean negate;   /**< behind \not */
    gboolean function; /**< inside a function's name: no font */

    /** Reads any node; what a node holds is read through it. */
    void (*read_node)(TgForteReader *self, const TgNode *node);
};

/** The source span and the font of a token. */
typedef struct {
    guint32 start, end;
    guint8 font;
    guint8 upright;
} TgForteLook;

/** The span of a node, with no font. */
TgForteLook tg_forte_look_of(const TgNode *node);

void tg_forte_put(TgForteReader *self, TgForteName name, TgForteKind kind, TgForteLook look);

/** A mark of structure of the construct @node. */
void tg_forte_put_mark(TgForteReader *self, TgForteMark mark, const TgNode *node);

/** The names that a spelling stands for. */
void tg_forte_put_spelling(TgForteReader *self, const TgForteSpelling *spelling, TgForteLook look);

/** A character, by its spelling if it has one. */
void tg_forte_put_character(TgForteReader *self, gunichar code, TgForteLook look);

/** A command that is no symbol of the parser's; @name has @len bytes and no backslash. */
void tg_forte_put_command(TgForteReader *self, const char *name, gsize len, TgForteLook look);

/** Put the accent @name behind what was written since @begin. */
void tg_forte_accent(TgForteReader *self, guint32 begin, TgForteName name, TgForteLook look);

/** Close the script whose mark stands at @begin; @tail is that of before the mark. */
void tg_forte_close_script(TgForteReader *self, guint32 begin, TgForteTail tail,
                           const TgNode *node);

/**
 * Put the primes that were written since @begin before the subscript that stands there: the two
 * are one above the other, `{x_i}'` is `x'_i`. @tail is that of before the primes.
 */
void tg_forte_close_primes(TgForteReader *self, guint32 begin, TgForteTail tail);

/** Drop the commas, stops and semicolons at the end of the list, which is that of a row. */
void tg_forte_end_row(TgForteReader *self, guint32 begin);

/** Rules for the finished list: grids without delimiters, `||`, `...`, angles, the end. */
void tg_forte_finish(TgForteReader *self);
