/* Numbers and lengths, read as TeX reads them; tolerant reading also takes spaces inside. */
#include "tokenizer/latex/handlers.h"

#define MAX_INTEGER 16383 /* TeX: "Dimension too large" beyond */
#define MAX_DIGITS  17    /* of a fraction that count (§452) */

static const struct {
    const char *name;
    guint8 unit;
} units[] = {
    { "pt", TG_UNIT_PT }, { "pc", TG_UNIT_PC }, { "in", TG_UNIT_IN }, { "bp", TG_UNIT_BP },
    { "cm", TG_UNIT_CM }, { "mm", TG_UNIT_MM }, { "dd", TG_UNIT_DD }, { "cc", TG_UNIT_CC },
    { "sp", TG_UNIT_SP }, { "em", TG_UNIT_EM }, { "ex", TG_UNIT_EX }, { "mu", TG_UNIT_MU },
};

/* A number: sign, whole part and decimals in 2^-16. */
typedef struct {
    gint64 value;
    gboolean negative;
    gboolean found; /* any digit or point */
} Number;

/* The next token that is no space; @spaced is set when white space precedes it. */
static TgTexToken next_within(TgParser *self, gboolean *spaced)
{
    TgTexToken token = tg_expander_next(&self->in);

    *spaced = token.kind == TG_TOK_SPACE;
    while (token.kind == TG_TOK_SPACE)
        token = tg_expander_next(&self->in);
    return token;
}

/* TeX's round_decimals (§102): decimal digits to 2^-16. */
static gint32 round_decimals(const guint8 *digits, guint n)
{
    gint32 a = 0;

    while (n > 0)
        a = (a + digits[--n] * 131072) / 10;
    return (a + 1) / 2;
}

/* Signs, then digits with at most one point or comma. @spaces counts spaces inside. */
static TgTexToken read_number(TgParser *self, Number *number, guint *spaces)
{
    guint8 digits[MAX_DIGITS];
    guint n = 0;
    gboolean point = FALSE, spaced;
    gint64 whole = 0;
    TgTexToken token = tg_expander_next_nonspace(&self->in);

    for (; tg_token_is_char(&token, '-') || tg_token_is_char(&token, '+');
         token = next_within(self, &spaced))
        number->negative ^= token.code == '-';

    for (;;) {
        if (tg_token_is_digit(&token) && point) {
            if (n < MAX_DIGITS)
                digits[n++] = (guint8) (token.code - '0');
        } else if (tg_token_is_digit(&token)) {
            whole = MIN(whole * 10 + (token.code - '0'), 1 << 30);
        } else if (!point && (tg_token_is_char(&token, '.') || tg_token_is_char(&token, ','))) {
            point = TRUE;
        } else {
            break;
        }
        number->found = TRUE;
        token = next_within(self, &spaced);
        /* A space ends TeX's number; what follows must then be the unit. */
        *spaces += spaced && (tg_token_is_digit(&token) || tg_token_is_char(&token, '.') ||
                              tg_token_is_char(&token, ','));
    }
    number->value = whole * 65536 + round_decimals(digits, n);
    return token;
}

/* A unit's two letters, @first being the first; "true" before it changes nothing here. */
static gboolean read_unit(TgParser *self, TgTexToken *token, guint *spaces, guint8 *unit)
{
    static const char keyword[] = "true";
    gboolean spaced;

    for (guint i = 0; i < 4 && tg_token_is_char(token, (guchar) keyword[i]); i++) {
        *token = next_within(self, &spaced);
        *spaces += spaced && i < 3;
    }
    if (token->kind != TG_TOK_CHAR || token->code >= 0x80)
        return FALSE;

    const TgTexToken second = next_within(self, &spaced);
    if (second.kind == TG_TOK_CHAR && second.code < 0x80) {
        const char first = g_ascii_tolower((char) token->code);
        const char last = g_ascii_tolower((char) second.code);

        for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
            if (units[i].name[0] == first && units[i].name[1] == last) {
                *unit = units[i].unit;
                *spaces += spaced;
                return TRUE;
            }
        }
    }
    tg_expander_unread(&self->in, &second);
    return FALSE;
}

static gboolean read_register(const TgParser *self, const TgTexToken *token, const Number *factor,
                              TgLength *length)
{
    if (!tg_parser_register(self, token, length))
        return FALSE;
    if (factor->found) {
        const gint64 value = length->value * MIN(factor->value, (gint64) MAX_INTEGER << 16) / 65536;
        length->value = (gint32) CLAMP(value, -G_MAXINT32, G_MAXINT32);
    }
    return TRUE;
}

/* The order of infinite stretch that `fil`, `fill`, `filll` name, after the f. */
static guint8 read_fil(TgParser *self)
{
    static const char keyword[] = "il";
    guint8 order = 0;
    gboolean spaced;
    TgTexToken token = next_within(self, &spaced);

    for (guint i = 0; i < 2 && tg_token_is_char(&token, (guchar) keyword[i]); i++) {
        token = next_within(self, &spaced);
        order = i == 1;
    }
    for (; order > 0 && order < 3 && tg_token_is_char(&token, 'l'); order++)
        token = next_within(self, &spaced);
    tg_expander_unread(&self->in, &token);
    return order;
}

/* Whether the word @keyword comes next; it is taken then. Nothing is taken otherwise. */
static gboolean take_keyword(TgParser *self, const char *keyword)
{
    const guint32 end = self->in.end;
    TgTexToken read[8];
    guint n = 0;
    gboolean spaced;

    while (keyword[n] != '\0') {
        read[n] = next_within(self, &spaced);
        if (!tg_token_is_char(&read[n], (guchar) keyword[n])) {
            for (guint i = n + 1; i > 0; i--)
                tg_expander_unread(&self->in, &read[i - 1]);
            self->in.end = end;
            return FALSE;
        }
        n++;
    }
    return TRUE;
}

/* `plus 1fil minus 2pt`: only infinite stretch matters where nothing is stretched to a width. */
static void read_stretch(TgParser *self, TgLength *length)
{
    static const char *const keywords[] = { "plus", "minus" };

    for (guint i = 0; i < G_N_ELEMENTS(keywords); i++) {
        if (!take_keyword(self, keywords[i]))
            continue;

        Number number = { 0 };
        guint spaces = 0;
        guint8 unit;
        TgTexToken token = read_number(self, &number, &spaces);

        if (tg_token_is_char(&token, 'f')) {
            const guint8 order = read_fil(self);
            if (i == 0)
                length->fil = order;
        } else if (!read_unit(self, &token, &spaces, &unit)) {
            tg_expander_unread(&self->in, &token);
        }
    }
}

static void read_length(TgParser *self, const TgTexToken *owner, gboolean mu, TgLength *length)
{
    Number number = { 0 };
    guint spaces = 0;
    guint8 unit = mu ? TG_UNIT_MU : TG_UNIT_PT;
    TgTexToken token = read_number(self, &number, &spaces);

    *length = (TgLength){ .unit = unit };
    if (tg_token_is_command(&token, "fill")) {
        length->fil = 2;
        return;
    }

    const gboolean known = read_register(self, &token, &number, length);
    if (!known && (!number.found || !read_unit(self, &token, &spaces, &unit))) {
        tg_parser_error(self, owner, TG_PARSE_LENGTH,
                        number.found ? "%.*s: unknown unit of length" : "%.*s needs a length",
                        TG_TOKEN_TEXT(owner));
        tg_expander_unread(&self->in, &token);
    } else if (spaces > 0) {
        tg_parser_error(self, owner, TG_PARSE_LENGTH, "%.*s: space inside a number or unit",
                        TG_TOKEN_TEXT(owner));
    } else if (!known && number.value > (gint64) MAX_INTEGER << 16) {
        tg_parser_error(self, owner, TG_PARSE_LENGTH, "%.*s: the length is too large",
                        TG_TOKEN_TEXT(owner));
    } else if (mu != (!known ? unit == TG_UNIT_MU : length->unit == TG_UNIT_MU)) {
        tg_parser_error(self, owner, TG_PARSE_LENGTH,
                        mu ? "%.*s needs a length in mu" : "%.*s: a length in mu is not allowed",
                        TG_TOKEN_TEXT(owner));
    }
    if (!known) {
        length->value = (gint32) MIN(number.value, (gint64) MAX_INTEGER << 16);
        length->unit = unit;
        if (unit == TG_UNIT_SP)
            length->value /= 65536;
    }
    if (number.negative)
        length->value = -length->value;
    read_stretch(self, length);
}

void tg_parser_length_of(TgParser *self, TgTexTokens list, const TgTexToken *owner, gboolean mu,
                         TgLength *length)
{
    gboolean ok = TRUE;

    tg_parser_reread(self, list, owner);
    read_length(self, owner, mu, length);

    TgTexToken rest = tg_expander_raw_nonspace(&self->in);
    for (; rest.kind != TG_TOK_CLOSE && rest.kind != TG_TOK_END; rest = tg_expander_raw(&self->in))
        ok = FALSE;
    if (!ok)
        tg_parser_error(self, owner, TG_PARSE_LENGTH, "%.*s: not a length", TG_TOKEN_TEXT(owner));
}

void tg_parser_length_argument(TgParser *self, const TgTexToken *owner, gboolean mu,
                               TgLength *length)
{
    TgTexTokens list;

    *length = (TgLength){ .unit = mu ? TG_UNIT_MU : TG_UNIT_PT };
    if (tg_parser_tokens_argument(self, owner, "a length", &list))
        tg_parser_length_of(self, list, owner, mu, length);
}

/* KaTeX takes the length of \kern and the like in braces. */
static gboolean read_braced(TgParser *self, const TgTexToken *owner, gboolean mu, TgLength *length)
{
    const TgTexToken token = tg_expander_next_nonspace(&self->in);

    tg_expander_unread(&self->in, &token);
    if (self->options.strict || token.kind != TG_TOK_OPEN)
        return FALSE;
    tg_parser_length_argument(self, owner, mu, length);
    return TRUE;
}

void tg_parser_length(TgParser *self, const TgTexToken *owner, gboolean mu, TgLength *length)
{
    if (!read_braced(self, owner, mu, length))
        read_length(self, owner, mu, length);
}
