/* Character classes that subword tokenizers split at, from GLib's Unicode tables. */
#include "tokenizer/subword/char_class.h"

gboolean tg_char_is_white(gunichar c)
{
    if (c < 0x80)
        return c == ' ' || (c >= 0x09 && c <= 0x0D);
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
           c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/* Symbols that are Alphabetic by Unicode's Other_Alphabetic: circled and squared letters. */
static gboolean is_enclosed_letter(gunichar c)
{
    return (c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149) ||
           (c >= 0x1F150 && c <= 0x1F169) || (c >= 0x1F170 && c <= 0x1F189);
}

static gboolean has_type(gunichar c, guint32 types)
{
    return (types >> g_unichar_type(c) & 1) != 0;
}

#define TYPE(name) (1u << G_UNICODE_##name)

gboolean tg_char_is_word(gunichar c)
{
    if (c < 0x80)
        return g_ascii_isalnum((char) c) || c == '_';
    return g_unichar_isalpha(c) || g_unichar_ismark(c) || c == 0x200C || c == 0x200D ||
           has_type(c, TYPE(LETTER_NUMBER) | TYPE(DECIMAL_NUMBER) | TYPE(CONNECT_PUNCTUATION)) ||
           is_enclosed_letter(c);
}

gboolean tg_char_is_letter(gunichar c)
{
    return c < 0x80 ? g_ascii_isalpha((char) c) : g_unichar_isalpha(c);
}

gboolean tg_char_is_number(gunichar c)
{
    if (c < 0x80)
        return g_ascii_isdigit((char) c);
    return has_type(c, TYPE(DECIMAL_NUMBER) | TYPE(LETTER_NUMBER) | TYPE(OTHER_NUMBER));
}

gboolean tg_char_is_punctuation(gunichar c)
{
    if (c < 0x80)
        return g_ascii_ispunct((char) c);
    return has_type(c, TYPE(CONNECT_PUNCTUATION) | TYPE(DASH_PUNCTUATION) | TYPE(OPEN_PUNCTUATION) |
                           TYPE(CLOSE_PUNCTUATION) | TYPE(INITIAL_PUNCTUATION) |
                           TYPE(FINAL_PUNCTUATION) | TYPE(OTHER_PUNCTUATION));
}
