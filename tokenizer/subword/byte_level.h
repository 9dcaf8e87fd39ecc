/* GPT-2's way to write bytes as printable characters, so that a vocabulary is readable text. */
#pragma once

#include <glib.h>

/** Write the character that stands for @byte in UTF-8; returns its length, 1 or 2. */
guint tg_byte_to_char(guchar byte, char out[2]);
