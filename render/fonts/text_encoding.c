/* The OT1 encoding and Latin Modern's additions in its upper half. */
#include "render/fonts/text_encoding.h"

/* Characters beyond ASCII, by code point. */
static const struct {
    guint16 code;
    guint8 slot;
} rows[] = {
    { 0x00A1, 0x3C },                   /* inverted exclamation mark */
    { 0x00A3, 0xBF },                   /* pound */
    { 0x00A7, 0x9F },                   /* section */
    { 0x00AB, 0xC6 },                   /* guillemets */
    { 0x00B7, 0xBD },                   /* middle dot */
    { 0x00BB, 0xD7 }, { 0x00BF, 0x3E }, /* inverted question mark */
    { 0x00C6, 0x1D },                   /* AE */
    { 0x00D0, 0xD0 },                   /* Eth */
    { 0x00D8, 0x1F },                   /* O with stroke */
    { 0x00DE, 0xDE },                   /* Thorn */
    { 0x00DF, 0x19 },                   /* sharp s */
    { 0x00E6, 0x1A },                   /* ae */
    { 0x00F0, 0xF0 },                   /* eth */
    { 0x00F8, 0x1C },                   /* o with stroke */
    { 0x00FE, 0xFE },                   /* thorn */
    { 0x0111, 0x9E },                   /* d with stroke */
    { 0x0131, 0x10 },                   /* dotless i */
    { 0x0141, 0x8A },                   /* L with stroke */
    { 0x0142, 0xAA },                   /* l with stroke */
    { 0x0152, 0x1E },                   /* OE */
    { 0x0153, 0x1B },                   /* oe */
    { 0x0237, 0x11 },                   /* dotless j */
    { 0x0393, 0x00 },                   /* capital Greek */
    { 0x0394, 0x01 }, { 0x0398, 0x02 }, { 0x039B, 0x03 }, { 0x039E, 0x04 },
    { 0x03A0, 0x05 }, { 0x03A3, 0x06 }, { 0x03A5, 0x07 }, { 0x03A6, 0x08 },
    { 0x03A8, 0x09 }, { 0x03A9, 0x0A }, { 0x2013, 0x7B }, /* dashes */
    { 0x2014, 0x7C }, { 0x2018, 0x60 },                   /* quotation marks */
    { 0x2019, 0x27 }, { 0x201C, 0x5C }, { 0x201D, 0x22 }, { 0x201E, 0xFF },
    { 0x2030, 0xD8 }, /* per thousand */
};

gint tg_text_slot(gunichar code, gboolean mono)
{
    if (code < 0x80) {
        if (code < 0x21 || code == 0x7F)
            return -1;
        if (mono)
            return (gint) code;
        if (code == '_')
            return 0xE6;
        return code == '\\' || code == '{' || code == '}' ? -1 : (gint) code;
    }
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (rows[i].code == code)
            return rows[i].slot;
    }
    return -1;
}

gint tg_text_symbol_slot(gunichar code)
{
    switch (code) {
    case '{':
        return 0x66;
    case '}':
        return 0x67;
    case '\\':
        return 0x6E;
    case 0x2020:
        return 0x79;
    case 0x2021:
        return 0x7A;
    case 0x2022:
        return 0x0F;
    case 0x00B6:
        return 0x7B;
    default:
        return -1;
    }
}

gint tg_text_companion_slot(gunichar code)
{
    /* most stand where Latin-1 has them */
    static const guint8 latin[] = { 0xA2, 0xA4, 0xA5, 0xA6, 0xA9, 0xAA, 0xAC, 0xAE, 0xB0,
                                    0xB1, 0xB2, 0xB3, 0xB5, 0xB9, 0xBA, 0xBC, 0xBD, 0xBE };

    switch (code) {
    case 0x00D7: /* times */
        return 0xD6;
    case 0x00F7: /* division */
        return 0xF6;
    case 0x20AC: /* euro */
        return 0xBF;
    case 0x2122: /* trade mark */
        return 0x97;
    default:
        break;
    }
    for (guint i = 0; i < G_N_ELEMENTS(latin); i++) {
        if (latin[i] == code)
            return latin[i];
    }
    return -1;
}

gint tg_text_accent_slot(gunichar mark)
{
    static const struct {
        guint16 mark;
        guint8 slot;
    } accents[] = {
        { 0x0300, 0x12 }, { 0x0301, 0x13 }, { 0x0302, 0x5E }, { 0x0303, 0x7E },
        { 0x0304, 0x16 }, { 0x0306, 0x15 }, { 0x0307, 0x5F }, { 0x0308, 0x7F },
        { 0x030A, 0x17 }, { 0x030B, 0x7D }, { 0x030C, 0x14 }, { 0x0327, 0x18 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(accents); i++) {
        if (accents[i].mark == mark)
            return accents[i].slot;
    }
    return -1;
}
