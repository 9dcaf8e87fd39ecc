/* GPT-2's bytes as characters: printable Latin-1 stays, the 68 other bytes follow from U+0100. */
#include "tokenizer/subword/byte_level.h"

static gboolean is_printable(guint byte)
{
    return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) ||
           (byte >= 0xAE && byte <= 0xFF);
}

/* U+0100 to U+0120 stand for bytes 0 to 32, U+0121 to U+0142 for 127 to 160, U+0143 for 173. */
static guint char_of_byte(guint byte)
{
    if (is_printable(byte))
        return byte;
    if (byte <= 32)
        return 0x100 + byte;
    return byte == 173 ? 0x143 : 0x121 + (byte - 127);
}

guint tg_byte_to_char(guchar byte, char out[2])
{
    const guint c = char_of_byte(byte);

    if (c < 0x80) {
        out[0] = (char) c;
        return 1;
    }
    out[0] = (char) (0xC0 | c >> 6);
    out[1] = (char) (0x80 | (c & 0x3F));
    return 2;
}
