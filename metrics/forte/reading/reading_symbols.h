/* Symbols, characters and what is over them in FORTE's tokens: a function for each kind of node. */
#pragma once

#include "metrics/forte/reading/reader.h"

/** An item of a list; \not is a stroke through the one behind it. */
void tg_forte_read_item(TgForteReader *self, const TgNode *node);

void tg_forte_read_symbol(TgForteReader *self, const TgNode *node);

/** A delimiter, which has no font. */
void tg_forte_read_delimiter(TgForteReader *self, const TgNode *node);

void tg_forte_read_char(TgForteReader *self, const TgNode *node);
/** A space counts between words of text. */
void tg_forte_read_space(TgForteReader *self, const TgNode *node);

void tg_forte_read_text(TgForteReader *self, const TgNode *node);
void tg_forte_read_operator(TgForteReader *self, const TgNode *node);
void tg_forte_read_accent(TgForteReader *self, const TgNode *node);
void tg_forte_read_stretch(TgForteReader *self, const TgNode *node);
void tg_forte_read_enclosure(TgForteReader *self, const TgNode *node);

/** What could not be parsed: its source. */
void tg_forte_read_error(TgForteReader *self, const TgNode *node);
