/* Every row of the tables of symbols against TeX (tests/tools/make_symbol_golden.py) and Unicode
 * (make_character_golden.py). */
#include "tests/support/golden_rows.h"

#include "tokenizer/symbols/symbols.h"

/* Columns of symbols.tsv. */
enum {
    SYMBOL,
    PACKAGE,
    UNICODE,
    CLASS,
    SLOT,
    DELIMITER,
    FLAGS,
    CANONICAL,
    BODY,
    WIDTH,
    N_FIELDS = 12
};

static const char *const classes[] = {
    "ord", "op", "bin", "rel", "open", "close", "punct", "inner"
};
static const char *const fonts[] = { "roman", "letters", "symbols", "large",
                                     "ams-a", "ams-b",   "euler",   "stmary" };

/* A symbol as it is written: \alpha, or a character of ASCII. */
static const TgSymbol *find(const char *written)
{
    return written[0] == '\\' && written[1] != '\0'
               ? tg_symbol_find(written + 1, strlen(written) - 1)
               : tg_symbol_find_char((guchar) written[0]);
}

static char *slot_text(guint8 family, guint8 slot)
{
    return family == TG_MATH_FAMILY_NONE ? g_strdup("")
                                         : g_strdup_printf("%s:%02X", fonts[family], slot);
}

static char *delimiter_text(const TgSymbol *symbol)
{
    if ((symbol->flags & TG_SYMBOL_DELIMITER) == 0)
        return g_strdup("");
    g_autofree char *small = slot_text(symbol->small_family, symbol->small_slot);
    g_autofree char *large = slot_text(symbol->large_family, symbol->large_slot);
    return g_strconcat(small, " ", large, NULL);
}

static char *flags_text(guint8 flags)
{
    static const char *const names[] = { "alphabetic", "no-limits", "wide" };
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (flags & 1u << i)
            g_string_append_printf(text, "%s%s", text->len > 0 ? " " : "", names[i]);
    return g_string_free(text, FALSE);
}

/* Where the table leaves TeX: in LaTeX \mathbf does not reach signs whose mathcode is their code,
 * but changes the accent \vec, for which it takes another from the bold font. */
static gboolean differs_in_alphabets(const char *symbol)
{
    static const char *const known[] = {
        "\\#", "\\$", "\\%", "\\&", "\"", "@", "`", "\\vec", NULL
    };

    return g_strv_contains(known, symbol);
}

static void assert_field(const char *symbol, const char *what, const char *ours, const char *golden)
{
    if (strcmp(ours, tg_golden_field(golden)) != 0)
        fail_msg("%s: %s is '%s', TeX says '%s'", symbol, what, ours, golden);
}

static void check_row(const TgSymbol *symbol, char **row)
{
    const TgSymbolKind kind = (TgSymbolKind) symbol->kind;
    g_autofree char *unicode =
        symbol->codepoint != 0 ? g_strdup_printf("U+%04X", symbol->codepoint) : g_strdup("");
    g_autofree char *slot = slot_text(symbol->family, symbol->slot);
    g_autofree char *delimiter = delimiter_text(symbol);
    g_autofree char *flags = flags_text(symbol->flags);

    assert_field(row[SYMBOL], "the character", unicode, row[UNICODE]);
    /* Composites of several atoms have no one class in TeX; test_typeset sees their spacing.
     */
    if (kind != TG_SYMBOL_ACCENT && (kind != TG_SYMBOL_COMPOSITE || strcmp(row[CLASS], "-") != 0))
        assert_field(row[SYMBOL], "the class", classes[symbol->math_class], row[CLASS]);
    assert_field(row[SYMBOL], "the slot", slot, row[SLOT]);
    assert_field(row[SYMBOL], "the delimiter", delimiter, row[DELIMITER]);
    if (kind != TG_SYMBOL_COMPOSITE && !differs_in_alphabets(row[SYMBOL]))
        assert_field(row[SYMBOL], "flags", flags, row[FLAGS]);
    assert_field(row[SYMBOL], "the body", symbol->latex != NULL ? symbol->latex : "", row[BODY]);

    const TgSymbol *canonical = tg_symbol_canonical(symbol);
    const char *wanted = tg_golden_field(row[CANONICAL]);
    if (canonical != (wanted[0] != '\0' ? find(wanted) : symbol))
        fail_msg("%s: the canonical symbol is %s, not %s", row[SYMBOL], canonical->name, wanted);
}

TEST(test_symbol_tables__rows_are_those_of_tex)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("symbols.tsv", N_FIELDS);
    guint n_commands, n_characters = 0;

    tg_symbol_list(&n_commands);
    for (guint c = 0; c < 128; c++)
        n_characters += tg_symbol_find_char(c) != NULL;
    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        const TgSymbol *symbol = find(row[SYMBOL]);

        if (symbol == NULL)
            fail_msg("%s is not in the table", row[SYMBOL]);
        check_row(symbol, row);
    }
    assert_int_equal(rows->len, n_commands + n_characters - 1); /* \poundslot, no command of TeX */
}

/* Kinds that TeX does not tell apart: what is drawn, and what is an accent. */
TEST(test_symbol_tables__kinds)
{
    static const char *const drawn[] = { "cong", "ddots", "notin", "vdots", NULL };
    static const char *const accents[] = { "acute",    "bar",     "breve",     "check",
                                           "ddddot",   "dddot",   "ddot",      "dot",
                                           "grave",    "hat",     "tilde",     "vec",
                                           "mathring", "widehat", "widetilde", NULL };
    guint n;
    const TgSymbol *list = tg_symbol_list(&n);

    for (guint i = 0; i < n; i++) {
        assert_int_equal(list[i].kind == TG_SYMBOL_DRAWN, g_strv_contains(drawn, list[i].name));
        assert_int_equal(list[i].kind == TG_SYMBOL_ACCENT, g_strv_contains(accents, list[i].name));
        assert_int_equal(list[i].kind == TG_SYMBOL_OPERATOR || list[i].kind == TG_SYMBOL_COMPOSITE,
                         list[i].latex != NULL);
    }
}

TEST(test_symbol_tables__characters)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("characters.tsv", 3);
    g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
    char source[TG_UNICODE_SOURCE_MAX];

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        const gunichar code = (gunichar) g_ascii_strtoull(row[0] + strlen("U+"), NULL, 16);
        const TgSymbol *symbol = tg_symbol_find_char(code);

        g_hash_table_add(known, GUINT_TO_POINTER(code));
        row[2][strlen(row[2]) - 1] = '\0'; /* a bar ends the source, which may end with a space */
        if (row[1][0] != '\0'
                ? symbol == NULL || strcmp(symbol->name, row[1]) != 0
                : symbol != NULL || !tg_unicode_source(code, source) || strcmp(source, row[2]) != 0)
            fail_msg("%s does not mean %s%s", row[0], row[1], row[2]);
    }
    for (gunichar code = 0x80; code <= 0x10FFFF; code++) {
        if (g_hash_table_contains(known, GUINT_TO_POINTER(code)) || !g_unichar_isdefined(code))
            continue;
        assert_false(tg_unicode_source(code, source));
        const TgSymbol *symbol = tg_symbol_find_char(code);
        if (symbol != NULL && symbol->codepoint != code)
            fail_msg("U+%04X means \\%s", code, symbol->name);
    }
}

TEST(test_symbol_tables__colors_are_those_of_xcolor)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("colors.tsv", 2);
    guint n_known = 0;

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        guint32 rgb;

        assert_true(tg_color_parse(NULL, row[0], &rgb));
        if (rgb != g_ascii_strtoull(row[1], NULL, 16))
            fail_msg("%s is %06X, xcolor says %s", row[0], rgb, row[1]);
    }
    assert_int_equal(rows->len, 19);
    for (guint i = 0; i < tg_n_named_colors; i++)
        n_known += tg_named_colors[i].xcolor >= 0;
    assert_int_equal(n_known, 19); /* no other name */
}

TEST(test_symbol_tables__models_and_mixtures_of_colors)
{
    static const struct {
        const char *model;
        const char *spec;
        gint32 rgb; /* -1: xcolor refuses it */
    } cases[] = {
        { NULL, " red", 0xFF0000 },
        { NULL, "red ", -1 },
        { NULL, "Red", -1 },
        { NULL, "red!50", 0xFF8080 },
        { NULL, "red!50 ", 0xFF8080 },
        { NULL, "red !50", -1 },
        { NULL, "red!50! blue", 0x800080 },
        { NULL, "red!150", -1 },
        { NULL, "-red", 0x00FFFF },
        { NULL, "--red", 0xFF0000 },
        { NULL, "-red!50", 0x008080 },
        { NULL, "rgb:red,1;blue,3", 0x4000BF },
        { NULL, "rgb,2:red,1;blue,1", 0x800080 },
        { NULL, "rgb,1:red,1;white,1", -1 },
        { NULL, "rgb:red,0", -1 },
        { NULL, "rgb,0:red,1", -1 },
        { "named", "red", 0xFF0000 },
        { "named", "bleu", -1 },
        { "rgb", " 1 , 0 , 0.5 ", 0xFF0080 },
        { "rgb", "1.1,0,0", -1 },
        { "rgb", "-.1,0,0", -1 },
        { "rgb", "nan,0,0", -1 },
        { "rgb", "1,0", -1 },
        { "RGB", "255,0,51", 0xFF0033 },
        { "RGB", "256,0,0", -1 },
        { "gray", "0.2", 0x333333 },
        { "gray", "2", -1 },
        { "cmy", "0,1,1", 0xFF0000 },
        { "cmyk", "0,1,1,0.2", 0xCC0000 },
        { "cmyk", "0,0,0,2", -1 },
        { "HTML", " FF8000 ", 0xFF8000 },
        { "HTML", "FF80", -1 },
        { "hsb", "0.3,0.5,0.7", 0x6BB359 },
        { "hsb", "0.9,0.4,0.8", 0xCC7AAB },
        { "HSB", "132,240,240", 0x00B2FF },
        { "Hsb", "198,1,1", 0x00B2FF },
        { "Hsb", "361,1,1", -1 },
        { " rgb", "1,0,0", -1 },
        { "thing", "1,0,0", -1 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        guint32 rgb;
        const gboolean known = tg_color_parse(cases[i].model, cases[i].spec, &rgb);

        if ((known ? (gint32) rgb : -1) != cases[i].rgb)
            fail_msg("[%s]{%s} is %06X", cases[i].model, cases[i].spec, known ? rgb : 0xFFFFFFFF);
    }
}
