/* Numbers and lengths, read as TeX reads them; tolerant reading also accepts spaces inside.
 * Registers that a formula uses or sets; spaces. */
#include "tokenizer/latex/parser.h"

/* ---- Registers ------------------------------------------------------------------------------- */

/* The row of the register with the name @token, or NULL. */
static const TgCommand *find_register(const TgTexToken *token)
{
    const TgCommand *found =
        token->kind == TG_TOK_COMMAND ? tg_command_find(token->text + 1, token->len - 1) : NULL;

    return found != NULL && found->action == TG_ACTION_ASSIGN ? found : NULL;
}

/* The current value of the length that @name names, if formulas depend on that length; else
 * NULL. */
static TgLength *length_in_force(TgParser *self, const TgTexToken *name)
{
    return tg_token_is_command(name, "arraycolsep") ? &self->font.array_sep
           : tg_token_is_command(name, "fboxsep")   ? &self->font.frame_sep
           : tg_token_is_command(name, "fboxrule")  ? &self->font.frame_rule
                                                    : NULL;
}

/* \height and the like, which stand for the sizes of the box of \raisebox and \resizebox. */
static gboolean read_size(const TgTexToken *token, const TgTexToken *owner, TgLength *length)
{
    for (guint8 unit = 0; unit < TG_N_UNITS && tg_token_is_command_of(owner, "raisebox resizebox");
         unit++) {
        if (!tg_unit_is_of_box(unit) || !tg_token_is_command(token, tg_unit_names[unit]))
            continue;
        *length = (TgLength){ .value = 65536, .unit = unit };
        return TRUE;
    }
    return FALSE;
}

/* ---- Lengths --------------------------------------------------------------------------------- */

#define MAX_INTEGER 16383 /* TeX reports "Dimension too large" above this */
#define MAX_DIGITS  17    /* digits of a fraction that TeX uses (§452) */

/* A number: sign, whole part and decimals in 2^-16. */
typedef struct {
    gint64 value;
    gboolean negative;
    gboolean found; /* a digit or a point was found */
    guint n_spaces; /* between its characters, and those of its unit */
} Number;

/* Read the next token that is no space; @spaced is set if white space precedes it. */
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

/* Read signs, then digits with at most one point or comma. Returns the token after them. */
static TgTexToken read_number(TgParser *self, Number *number)
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
        /* A space ends a number of TeX, so that only a unit may follow. */
        number->n_spaces += spaced && (tg_token_is_digit(&token) || tg_token_is_char(&token, '.') ||
                                       tg_token_is_char(&token, ','));
    }
    number->value = whole * 65536 + round_decimals(digits, n);
    return token;
}

/* A unit's two letters, @token being the first; "true" before a unit has no effect here. */
static gboolean read_unit(TgParser *self, TgTexToken *token, Number *number, guint8 *unit)
{
    static const char keyword[] = "true";
    gboolean spaced;

    for (guint i = 0; i < 4 && tg_token_is_char(token, (guchar) keyword[i]); i++) {
        *token = next_within(self, &spaced);
        number->n_spaces += spaced && i < 3;
    }
    if (token->kind != TG_TOK_CHAR || token->code >= 0x80)
        return FALSE;

    const TgTexToken second = next_within(self, &spaced);
    if (second.kind == TG_TOK_CHAR && second.code < 0x80) {
        const char first = g_ascii_tolower((char) token->code);
        const char last = g_ascii_tolower((char) second.code);

        for (guint i = 0; i < TG_N_UNITS; i++) {
            if (tg_unit_names[i][0] == first && tg_unit_names[i][1] == last &&
                tg_unit_names[i][2] == '\0') { /* longer names are no units that can be written */
                *unit = (guint8) i;
                number->n_spaces += spaced;
                return TRUE;
            }
        }
    }
    tg_expander_unread(&self->in, &second);
    return FALSE;
}

static TgLength read_length(TgParser *self, const TgTexToken *owner, gboolean mu);

/* Read the lengths after \dimexpr, joined by + and -, and the \relax that may end them. */
static TgLength read_expression(TgParser *self, const TgTexToken *owner)
{
    double sum_pt = 0;
    gint sign = 1;

    for (;;) {
        sum_pt += sign * tg_length_points(read_length(self, owner, FALSE));
        const TgTexToken next = tg_expander_next_nonspace(&self->in);
        if (!tg_token_is_char_of(&next, "+-")) {
            if (!tg_token_is_command(&next, "relax"))
                tg_expander_unread(&self->in, &next);
            return tg_length_of_points(sum_pt);
        }
        sign = tg_token_is_char(&next, '-') ? -1 : 1;
    }
}

static TgLength read_length(TgParser *self, const TgTexToken *owner, gboolean mu)
{
    const gint64 max = (gint64) MAX_INTEGER << 16;
    Number number = { 0 };
    TgTexToken token = read_number(self, &number);
    TgLength length = { .unit = mu ? TG_UNIT_MU : TG_UNIT_PT };
    const char *fault = NULL;

    if (tg_token_is_command(&token, "fill")) {
        length.fil = 2;
        return length;
    }
    if (tg_token_is_command_of(&token, "dimexpr glueexpr") && !number.found && !mu) {
        length = read_expression(self, owner);
        length.value = number.negative ? -length.value : length.value;
        return length;
    }
    if (tg_token_is_command(&token, "stretch")) {
        g_free(tg_parser_string_argument(self, owner, "a factor"));
        length.fil = 2;
        return length;
    }

    const TgCommand *found = find_register(&token);
    const TgLength *here = length_in_force(self, &token);
    if (found != NULL)
        length = here != NULL ? *here : (TgLength){ .value = found->value, .unit = found->detail };
    const gboolean known = found != NULL || read_size(&token, owner, &length);
    if (known && number.found)
        length.value =
            (gint32) CLAMP(length.value * MIN(number.value, max) / 65536, -G_MAXINT32, G_MAXINT32);
    if (!known && (!number.found || !read_unit(self, &token, &number, &length.unit))) {
        fault = number.found ? ": unknown unit of length" : " needs a length";
        tg_expander_unread(&self->in, &token);
    } else if (number.n_spaces > 0) {
        fault = ": space inside a number or unit";
    } else if (!known && number.value > max) {
        fault = ": the length is too large";
    } else if (mu != (length.unit == TG_UNIT_MU)) {
        fault = mu ? " needs a length in mu" : ": a length in mu is not allowed";
    }
    if (fault != NULL)
        tg_report(&self->errors, owner, TG_PARSE_LENGTH, "%.*s%s", TG_TOKEN_TEXT(owner), fault);
    if (!known)
        length.value = (gint32) (MIN(number.value, max) / (length.unit == TG_UNIT_SP ? 65536 : 1));
    if (number.negative)
        length.value = -length.value;

    const guint32 end = self->in.end;
    /* white space after a unit is part of the length */
    token = tg_expander_next_nonspace(&self->in);
    tg_expander_unread(&self->in, &token);
    self->in.end = end;
    return length;
}

gboolean tg_parser_keyword(TgParser *self, const char *word)
{
    const guint from = self->in.scratch->len;
    TgTexToken token = tg_expander_next_nonspace(&self->in);
    const char *rest = word;

    for (; token.kind == TG_TOK_CHAR && token.code < 0x80 &&
           g_ascii_tolower((char) token.code) == *rest;
         token = tg_expander_next(&self->in)) {
        g_array_append_val(self->in.scratch, token);
        if (*++rest == '\0') {
            g_array_set_size(self->in.scratch, from);
            return TRUE;
        }
    }
    tg_expander_unread(&self->in, &token);
    tg_expander_insert(&self->in, tg_expander_take_scratch(&self->in, from), 1);
    return FALSE;
}

/* Read `plus 1fil` and `minus 1pt` after the length of a glue; a display does not stretch the
 * glue. */
static void read_stretch(TgParser *self, const TgTexToken *owner, gboolean mu, TgLength *length)
{
    static const char *const words[] = { "plus", "minus" };

    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        if (!tg_parser_keyword(self, words[i]))
            continue;
        Number number = { 0 };
        guint8 unit;
        TgTexToken token = read_number(self, &number);

        tg_expander_unread(&self->in, &token);
        if (tg_parser_keyword(self, "fil")) {
            length->fil = 1;
            while (tg_parser_keyword(self, "l"))
                length->fil = 2;
        } else {
            token = tg_expander_next_nonspace(&self->in);
            if (!number.found || !read_unit(self, &token, &number, &unit) ||
                mu != (unit == TG_UNIT_MU))
                tg_report(&self->errors, owner, TG_PARSE_LENGTH, "%.*s needs a length after %s",
                          TG_TOKEN_TEXT(owner), words[i]);
        }
    }
}

TgLength tg_parser_length_of(TgParser *self, TgTexTokens list, const TgTexToken *owner, gboolean mu)
{
    gboolean ok = TRUE;

    tg_parser_reread(self, list, owner);
    TgLength length = read_length(self, owner, mu);
    read_stretch(self, owner, mu, &length);

    TgTexToken rest = tg_expander_raw_nonspace(&self->in);
    for (; rest.kind != TG_TOK_CLOSE && rest.kind != TG_TOK_END; rest = tg_expander_raw(&self->in))
        ok = FALSE;
    if (!ok)
        tg_report(&self->errors, owner, TG_PARSE_LENGTH, "%.*s: not a length",
                  TG_TOKEN_TEXT(owner));
    return length;
}

TgLength tg_parser_length_argument(TgParser *self, const TgTexToken *owner, gboolean mu)
{
    TgTexTokens list;

    return tg_parser_tokens_argument(self, owner, "a length", &list)
               ? tg_parser_length_of(self, list, owner, mu)
               : (TgLength){ .unit = mu ? TG_UNIT_MU : TG_UNIT_PT };
}

TgLength tg_parser_length(TgParser *self, const TgTexToken *owner, gboolean mu)
{
    const TgTexToken token = tg_expander_next_nonspace(&self->in);

    tg_expander_unread(&self->in, &token);
    if (token.kind != TG_TOK_OPEN)
        return read_length(self, owner, mu);
    tg_refuse(&self->errors, owner, TG_PACKAGE_KATEX, TG_PARSE_LENGTH,
              "%.*s takes no braces around its length", TG_TOKEN_TEXT(owner));
    return tg_parser_length_argument(self, owner, mu);
}

/* ---- Lengths that are set -------------------------------------------------------------------- */

/* Set a length up to the end of the group; setting most registers has no effect, or is not
 * supported. */
static void set_length(TgParser *self, const TgTexToken *owner, const TgTexToken *name,
                       TgLength length)
{
    const TgCommand *found = find_register(name);
    TgLength *here = length_in_force(self, name);

    if (found == NULL || found->text == NULL)
        tg_report(&self->errors, owner, TG_PARSE_LENGTH, "setting %.*s is not supported",
                  TG_TOKEN_TEXT(name));
    if (here == NULL)
        return;
    if (tg_token_is_command(owner, "addtolength"))
        length = tg_length_of_points(tg_length_points(*here) + tg_length_points(length));
    *here = length;
}

/* \setlength{register}{length}, \addtolength */
void tg_parser_setlength(TgParser *self, const TgTexToken *token)
{
    const TgTexToken none = tg_token_made(NULL, TG_TOK_CHAR, "");
    TgTexTokens name;

    if (!tg_parser_tokens_argument(self, token, "two arguments", &name))
        return;
    const TgLength length = tg_parser_length_argument(self, token, FALSE);
    set_length(self, token, name.n > 0 ? &name.tokens[0] : &none, length);
}

/* \arraycolsep=1pt, \arraycolsep1pt: a register that is set, not read as a length. */
void tg_parser_assign(TgParser *self, const TgTexToken *token)
{
    const TgTexToken next = tg_expander_next_nonspace(&self->in);

    if (!tg_token_is_char(&next, '='))
        tg_expander_unread(&self->in, &next);
    set_length(self, token, token,
               tg_parser_length(self, token, token->command->detail == TG_UNIT_MU));
}

/* ---- Spaces ---------------------------------------------------------------------------------- */

static TgNode *append_space(TgParser *self, const TgTexToken *token, TgLength amount)
{
    TgNode *node = tg_parser_node(self, TG_NODE_SPACE, token);

    node->u.space.amount = amount;
    node->u.space.nonscript = self->nonscript;
    self->nonscript = 0;
    tg_parser_append(self, node);
    return node;
}

void tg_parser_interword_space(TgParser *self, const TgTexToken *token)
{
    TgNode *node =
        append_space(self, token, (TgLength){ .value = 65536, .unit = TG_UNIT_INTERWORD });

    node->u.space.interword = token->kind == TG_TOK_TILDE   ? TG_INTERWORD_TIE
                              : token->kind == TG_TOK_SPACE ? TG_INTERWORD_BLANK
                                                            : TG_INTERWORD_CONTROL;
}

/* \/, which has no effect in mathematics. */
void tg_parser_italic_correction(TgParser *self, const TgTexToken *token)
{
    if (self->scope->text)
        append_space(self, token, (TgLength){ .value = 65536, .unit = TG_UNIT_ITALIC })
            ->u.space.kern = 1;
}

/* \, \quad \!: value is the amount in 2^-16 of the unit, which is detail; \enspace has a text,
 * because it is a kern. */
void tg_parser_fixed_space(TgParser *self, const TgTexToken *token)
{
    append_space(self, token,
                 (TgLength){ .value = token->command->value, .unit = token->command->detail })
        ->u.space.kern = token->command->text != NULL;
}

/* \hfil, \hfill, \hss: value is the order of the stretch, detail the TgLeaders in it. */
void tg_parser_fill(TgParser *self, const TgTexToken *token)
{
    append_space(self, token, (TgLength){ .fil = (guint8) token->command->value })
        ->u.space.leaders = token->command->detail;
}

/* \hskip, \kern, \mskip, \mkern with a length after them: value 'k' for kerns, detail 1 for mu. */
void tg_parser_skip(TgParser *self, const TgTexToken *token)
{
    TgLength amount = tg_parser_length(self, token, token->command->detail != 0);

    if (token->command->value != 'k')
        read_stretch(self, token, token->command->detail != 0, &amount);
    append_space(self, token, amount)->u.space.kern = token->command->value == 'k';
}

/* \hspace{..}, \hspace*{..}, \mspace{..}: detail 1 for mu; \vspace: value 'v'. */
void tg_parser_hspace(TgParser *self, const TgTexToken *token)
{
    tg_expander_star(&self->in);
    const TgLength amount = tg_parser_length_argument(self, token, token->command->detail != 0);
    append_space(self, token, amount)->u.space.vertical = token->command->value == 'v';
}

/* \vskip, \smallskip: no width on a line. Value l: a length follows; else value is the order of the
 * stretch and detail the points. */
void tg_parser_vskip(TgParser *self, const TgTexToken *token)
{
    TgLength amount = { .value = token->command->detail * 65536, .unit = TG_UNIT_PT };

    if (token->command->value != 0 && !self->scope->text) /* LaTeX's own commands use \vadjust */
        tg_parser_fault(self, token, TG_PARSE_MODE, "is not allowed in mathematics");
    if (token->command->value == 'l')
        amount = tg_parser_length(self, token, FALSE);
    else
        amount.fil = (guint8) token->command->value;
    append_space(self, token, amount)->u.space.vertical = 1;
}

void tg_parser_nonscript(TgParser *self, const TgTexToken *token)
{
    (void) token;
    self->nonscript = 1;
}
