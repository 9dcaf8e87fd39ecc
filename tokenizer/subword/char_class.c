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

gboolean tg_char_is_word(gunichar c)
{
    if (c < 0x80)
        return g_ascii_isalnum((char) c) || c == '_';
    switch (g_unichar_type(c)) {
    case G_UNICODE_LOWERCASE_LETTER:
    case G_UNICODE_UPPERCASE_LETTER:
    case G_UNICODE_TITLECASE_LETTER:
    case G_UNICODE_MODIFIER_LETTER:
    case G_UNICODE_OTHER_LETTER:
    case G_UNICODE_LETTER_NUMBER:
    case G_UNICODE_DECIMAL_NUMBER:
    case G_UNICODE_SPACING_MARK:
    case G_UNICODE_ENCLOSING_MARK:
    case G_UNICODE_NON_SPACING_MARK:
    case G_UNICODE_CONNECT_PUNCTUATION:
        return TRUE;
    default:
        return c == 0x200C || c == 0x200D || is_enclosed_letter(c);
    }
}

gboolean tg_char_is_letter(gunichar c)
{
    if (c < 0x80)
        return g_ascii_isalpha((char) c);
    switch (g_unichar_type(c)) {
    case G_UNICODE_LOWERCASE_LETTER:
    case G_UNICODE_UPPERCASE_LETTER:
    case G_UNICODE_TITLECASE_LETTER:
    case G_UNICODE_MODIFIER_LETTER:
    case G_UNICODE_OTHER_LETTER:
        return TRUE;
    default:
        return FALSE;
    }
}

gboolean tg_char_is_number(gunichar c)
{
    if (c < 0x80)
        return g_ascii_isdigit((char) c);
    switch (g_unichar_type(c)) {
    case G_UNICODE_DECIMAL_NUMBER:
    case G_UNICODE_LETTER_NUMBER:
    case G_UNICODE_OTHER_NUMBER:
        return TRUE;
    default:
        return FALSE;
    }
}

gboolean tg_char_is_punctuation(gunichar c)
{
    if (c < 0x80)
        return g_ascii_ispunct((char) c);
    switch (g_unichar_type(c)) {
    case G_UNICODE_CONNECT_PUNCTUATION:
    case G_UNICODE_DASH_PUNCTUATION:
    case G_UNICODE_CLOSE_PUNCTUATION:
    case G_UNICODE_FINAL_PUNCTUATION:
    case G_UNICODE_INITIAL_PUNCTUATION:
    case G_UNICODE_OTHER_PUNCTUATION:
    case G_UNICODE_OPEN_PUNCTUATION:
        return TRUE;
    default:
        return FALSE;
    }
}
