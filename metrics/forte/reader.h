/* The token list that FORTE's reading writes: scripts and accents are put in order here. */
#pragma once

#include "metrics/forte/names.h"
#include "tokenizer/tree/tree.h"

#define TG_FORTE_NO_GROUP G_MAXUINT32

/** The scripts at the end of the list, which another script would join. */
typedef struct {
    guint32 end; /**< they end here, or there are none */
    guint32 sub; /**< where the subscript's mark is, or TG_FORTE_NO_GROUP */
    guint32 sup;
} TgForteTail;

typedef struct {
    const TgForteTables *tables;
    TgForteNames *names;
    const char *source;
    GArray *tokens; /**< of TgForteToken */
    TgForteTail tail;
    const TgNode *no_primes; /**< a superscript whose primes were written already */
    gboolean negate;         /**< behind \not */
    gboolean function;       /**< inside a function's name: no font */
} TgForteReader;

/** Where a token stands and how it looks. */
typedef struct {
    guint32 start, end;
    guint8 font;
    guint8 upright;
} TgForteLook;

/** Those of a node, with no font. */
TgForteLook tg_forte_look_of(const TgNode *node);

void tg_forte_put(TgForteReader *self, TgForteName name, TgForteKind kind, TgForteLook look);

/** A mark of structure of the construct @node. */
void tg_forte_put_mark(TgForteReader *self, TgForteMark mark, const TgNode *node);

/** What a spelling stands for. */
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

/** Move the tokens from @from to the end of the list to @to, which is before them. */
void tg_forte_move(TgForteReader *self, guint32 from, guint32 to);

/* ---- reading.c: the walk ---- */

/** Write what the list or item @node means. */
void tg_forte_read_node(TgForteReader *self, const TgNode *node);

/** The same for an item of a list, where it may stand behind \not. */
void tg_forte_read_item(TgForteReader *self, const TgNode *node);

/* ---- reading_symbols.c: each writes one sort of node ---- */

/** @fence: a delimiter, which has no font */
void tg_forte_read_symbol(TgForteReader *self, const TgNode *node, gboolean fence);

/** A delimiter of a construct; @node may be NULL. */
void tg_forte_read_fence(TgForteReader *self, const TgNode *node);
void tg_forte_read_char(TgForteReader *self, const TgNode *node);

/** Something that the parser could not read shows its source. */
void tg_forte_read_error(TgForteReader *self, const TgNode *node);
void tg_forte_read_accent(TgForteReader *self, const TgNode *node);

/** \d E in mathematics, where \d is a macro of the writer's: \d and E. FALSE: @text is other text.
 */
gboolean tg_forte_read_boxed_accent(TgForteReader *self, const TgNode *text);
void tg_forte_read_stretch(TgForteReader *self, const TgNode *node);
void tg_forte_read_enclosure(TgForteReader *self, const TgNode *node);

/** Put the stroke of \not through what was written since @begin. */
void tg_forte_negate(TgForteReader *self, guint32 begin, const TgNode *node);

/* ---- reading_structure.c: each writes one sort of node ---- */

void tg_forte_read_scripts(TgForteReader *self, const TgNode *node);
void tg_forte_read_sideset(TgForteReader *self, const TgNode *node);
void tg_forte_read_stack(TgForteReader *self, const TgNode *node);
void tg_forte_read_arrow(TgForteReader *self, const TgNode *node);
void tg_forte_read_fraction(TgForteReader *self, const TgNode *node);
void tg_forte_read_radical(TgForteReader *self, const TgNode *node);
void tg_forte_read_array(TgForteReader *self, const TgNode *node);
void tg_forte_read_delimited(TgForteReader *self, const TgNode *node);

/** Whether the item is a prime. */
gboolean tg_forte_is_prime(const TgNode *node);

/** Rules for the finished list: grids without delimiters, `||`, `...`, the end. */
void tg_forte_finish(TgForteReader *self);
