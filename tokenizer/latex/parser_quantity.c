/* Numbers, units and quantities: siunitx's \num, \unit, \qty and their older names, as that package
 * sets them without options. Digits and letters keep their tokens; the rest is LaTeX in place of
 * a unit's name. */
#include "tokenizer/latex/handlers.h"

#include "tokenizer/latex/units.h"
#include "tokenizer/macros/names.h"

/* ---- What comes out -------------------------------------------------------------------------- */

static void put_latex(TgParser *self, const char *latex, const TgTexToken *at)
{
    const TgTexTokens list = tg_expander_lex(&self->in, latex, strlen(latex), at);

    g_array_append_vals(self->in.scratch, list.tokens, list.n);
}

static void put_tokens(TgParser *self, const TgTexToken *tokens, guint32 n)
{
    g_array_append_vals(self->in.scratch, tokens, n);
}

/* Letters upright, or LaTeX as it is. */
static void put_name(TgParser *self, const char *latex, const TgTexToken *at)
{
    const gsize n = strcspn(latex, "\\{");
    char *upright;

    if (n == 0) {
        put_latex(self, latex, at);
        return;
    }
    upright = tg_arena_alloc(&self->tree->arena, strlen(latex) + sizeof "\\mathrm{}");
    g_snprintf(upright, strlen(latex) + sizeof "\\mathrm{}", "\\mathrm{%.*s}", (int) n, latex);
    put_latex(self, upright, at);
    if (latex[n] == '\0')
        return;
    if (g_str_has_prefix(latex + n, "\\,")) {
        put_latex(self, "\\,", at);
        put_name(self, latex + n + 2, at); /* NOLINT(misc-no-recursion): our own text */
    } else {
        put_latex(self, latex + n, at);
    }
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* A run of digits, by place in the argument. */
typedef struct {
    guint32 first, n;
} Digits;

static Digits take_digits(const TgTexToken *tokens, guint32 n, guint32 *at)
{
    const guint32 first = *at;

    while (*at < n && tg_token_is_digit(&tokens[*at]))
        ++*at;
    return (Digits){ first, *at - first };
}

/* Digits in groups of three from the point on where there are five or more. */
static void put_digits(TgParser *self, const TgTexToken *tokens, Digits digits, gboolean decimals)
{
    for (guint32 i = 0; i < digits.n; i++) {
        const guint32 place = decimals ? i : digits.n - i;

        if (digits.n >= 5 && i > 0 && place % 3 == 0)
            put_latex(self, "\\,", &tokens[digits.first + i]);
        put_tokens(self, &tokens[digits.first + i], 1);
    }
}

/* Everything but spaces. */
static TgTexTokens without_spaces(TgParser *self, TgTexTokens list)
{
    TgTexToken *kept = tg_arena_alloc(&self->scratch, MAX(list.n, 1) * sizeof *kept);
    guint32 n = 0;

    for (guint32 i = 0; i < list.n; i++) {
        if (list.tokens[i].kind != TG_TOK_SPACE)
            kept[n++] = list.tokens[i];
    }
    return (TgTexTokens){ kept, n };
}

/* (2), or \pm 2, which is set the same way. Returns whether there is one. */
static gboolean put_uncertainty(TgParser *self, const TgTexToken *tokens, guint32 n, guint32 *at)
{
    const gboolean pm = *at < n && tg_token_is_command(&tokens[*at], "pm");

    if (*at >= n || (!pm && !tg_token_is_char(&tokens[*at], '(')))
        return FALSE;
    ++*at;
    const Digits digits = take_digits(tokens, n, at);
    if (digits.n == 0)
        return FALSE;
    put_latex(self, "(", &tokens[digits.first]);
    put_digits(self, tokens, digits, FALSE);
    put_latex(self, ")", &tokens[digits.first]);
    if (!pm && *at < n && tg_token_is_char(&tokens[*at], ')'))
        ++*at;
    return TRUE;
}

/* e-3 */
static void put_exponent(TgParser *self, const TgTexToken *tokens, guint32 n, guint32 *at,
                         gboolean alone)
{
    const TgTexToken *e = &tokens[*at];

    ++*at;
    put_latex(self, alone ? "10^{" : "\\times 10^{", e);
    if (*at < n && tg_token_is_char_of(&tokens[*at], "+-")) {
        if (tg_token_is_char(&tokens[*at], '-'))
            put_tokens(self, &tokens[*at], 1);
        ++*at;
    }
    put_digits(self, tokens, take_digits(tokens, n, at), FALSE);
    put_latex(self, "}", e);
}

/* What siunitx takes for a number; anything else is a fault and set as it is. */
static void put_number(TgParser *self, const TgTexToken *owner, TgTexTokens list)
{
    const TgTexTokens number = without_spaces(self, list);
    const TgTexToken *tokens = number.tokens;
    guint32 at = 0;

    while (at < number.n &&
           (tg_token_is_char_of(&tokens[at], "+-<>") || tg_token_is_command(&tokens[at], "pm")))
        put_tokens(self, &tokens[at++], 1);
    const Digits whole = take_digits(tokens, number.n, &at);
    put_digits(self, tokens, whole, FALSE);
    if (at < number.n && tg_token_is_char_of(&tokens[at], ".,")) {
        if (whole.n == 0)
            put_latex(self, "0", &tokens[at]);
        put_latex(self, ".", &tokens[at]);
        at++;
        put_digits(self, tokens, take_digits(tokens, number.n, &at), TRUE);
    }
    put_uncertainty(self, tokens, number.n, &at);
    if (at < number.n && tg_token_is_char_of(&tokens[at], "eEdD"))
        put_exponent(self, tokens, number.n, &at, at == 0);
    if (at < number.n) {
        tg_parser_error(self, owner, TG_PARSE_LENGTH, "%.*s: not a number", TG_TOKEN_TEXT(owner));
        put_tokens(self, tokens + at, number.n - at);
    }
}

/* ---- Units ----------------------------------------------------------------------------------- */

/* Units being written. */
typedef struct {
    TgParser *parser;
    gboolean any;           /* something was written */
    gboolean per;           /* \per comes before the next unit */
    guint power;            /* of the next unit, by \square */
    gboolean raised;        /* of the last unit: \per */
    const TgTexToken *unit; /* the last unit, whose power is still to come, or NULL */
} Units;

/* The power of the unit before, and its sign. @list: \tothe's argument, or NULL */
static void put_power(Units *self, guint power, const TgTexTokens *list)
{
    const TgTexToken *at = self->unit;

    if (at == NULL)
        return;
    self->unit = NULL;
    if (list == NULL && power <= 1 && !self->raised)
        return;
    put_latex(self->parser, self->raised ? "^{-" : "^{", at);
    if (list != NULL)
        put_tokens(self->parser, list->tokens, list->n);
    else
        put_latex(self->parser, power == 3 ? "3" : power == 2 ? "2" : "1", at);
    put_latex(self->parser, "}", at);
}

static void put_unit(Units *self, const char *unit, const TgTexToken *token)
{
    put_name(self->parser, unit, token);
    self->unit = token;
    self->raised = self->per;
    self->per = FALSE;
    self->any = TRUE;
    if (self->power > 1)
        put_power(self, self->power, NULL);
    self->power = 1;
}

/* A prefix or unit; a thin space comes before it unless it is the first or follows a prefix. */
static gboolean read_unit_name(Units *self, const TgTexToken *token, gboolean *prefixed)
{
    const char *prefix = tg_unit_prefix(token);
    const char *unit = prefix != NULL ? prefix : tg_unit(token);

    if (unit == NULL)
        return FALSE;
    put_power(self, 1, NULL);
    if (self->any && !*prefixed)
        put_latex(self->parser, "\\,", token);
    *prefixed = prefix != NULL;
    self->any = TRUE;
    if (prefix != NULL)
        put_name(self->parser, prefix, token);
    else
        put_unit(self, unit, token);
    return TRUE;
}

/* The group or token at @at, as a list. */
static TgTexTokens take_argument(TgTexTokens list, guint32 *at)
{
    guint32 first = *at, depth = 0;

    if (first >= list.n)
        return (TgTexTokens){ NULL, 0 };
    if (list.tokens[first].kind != TG_TOK_OPEN) {
        ++*at;
        return (TgTexTokens){ list.tokens + first, 1 };
    }
    do {
        depth += list.tokens[*at].kind == TG_TOK_OPEN;
        depth -= list.tokens[*at].kind == TG_TOK_CLOSE;
        ++*at;
    } while (depth > 0 && *at < list.n);
    /* without its braces; the input may end before the last */
    return (TgTexTokens){ list.tokens + first + 1, *at - first - (depth > 0 ? 1 : 2) };
}

/* \per, \squared ..: what changes units. */
static gboolean read_unit_change(Units *self, TgTexTokens list, guint32 *at)
{
    const TgTexToken *token = &list.tokens[*at];
    TgTexTokens power;

    ++*at;
    if (tg_token_is_command(token, "per")) {
        put_power(self, 1, NULL);
        self->per = TRUE;
    } else if (tg_token_is_command(token, "square") || tg_token_is_command(token, "cubic")) {
        put_power(self, 1, NULL);
        self->power = token->text[1] == 's' ? 2 : 3;
    } else if (tg_token_is_command(token, "squared") || tg_token_is_command(token, "cubed")) {
        put_power(self, token->text[1] == 's' ? 2 : 3, NULL);
    } else if (tg_token_is_command(token, "tothe")) {
        power = take_argument(list, at);
        put_power(self, 0, &power);
    } else {
        --*at;
        return FALSE;
    }
    return TRUE;
}

/* Units by name, or letters: upright, with a point or tie for the space between units. */
static void put_units(TgParser *parser, TgTexTokens list)
{
    Units units_read = { .parser = parser, .power = 1 };
    gboolean prefixed = FALSE;

    for (guint32 i = 0; i < list.n;) {
        const TgTexToken *token = &list.tokens[i];

        if (read_unit_change(&units_read, list, &i))
            continue;
        i++;
        if (token->kind == TG_TOK_SPACE || read_unit_name(&units_read, token, &prefixed))
            continue;
        put_power(&units_read, 1, NULL);
        if (token->kind == TG_TOK_CHAR && token->code < 0x80 &&
            g_ascii_isalpha((char) token->code)) {
            guint32 end = i;
            while (end < list.n && list.tokens[end].kind == TG_TOK_CHAR &&
                   list.tokens[end].code < 0x80 && g_ascii_isalpha((char) list.tokens[end].code))
                end++;
            put_latex(parser, "\\mathrm{", token);
            put_tokens(parser, token, end - i + 1);
            put_latex(parser, "}", token);
            i = end;
            units_read.any = TRUE;
        } else if (tg_token_is_char(token, '.') || token->kind == TG_TOK_TILDE) {
            put_latex(parser, "\\,", token);
        } else {
            put_tokens(parser, token, 1);
        }
    }
    put_power(&units_read, 1, NULL);
}

/* ---- Commands -------------------------------------------------------------------------------- */

/* The part of @list up to the next ; which is dropped from it. */
static TgTexTokens take_part(TgTexTokens *list)
{
    TgTexTokens part = { list->tokens, 0 };

    while (part.n < list->n && !tg_token_is_char(&list->tokens[part.n], ';'))
        part.n++;
    const guint32 taken = MIN(part.n + 1, list->n);
    list->tokens += taken;
    list->n -= taken;
    return part;
}

/* \ang{1;2;3} */
static void put_angle(TgParser *self, const TgTexToken *owner, TgTexTokens list)
{
    static const char *const signs[] = { "{{}^{\\circ}}", "{{}^{\\prime}}",
                                         "{{}^{\\prime\\prime}}" };

    for (guint i = 0; i < G_N_ELEMENTS(signs) && list.n > 0; i++) {
        const TgTexTokens part = take_part(&list);

        if (part.n == 0)
            continue;
        put_number(self, owner, part);
        put_latex(self, signs[i], owner);
    }
}

static void put_quantity(TgParser *self, const TgTexToken *owner, TgTexTokens number,
                         const TgTexTokens *units_list)
{
    put_number(self, owner, number);
    if (units_list != NULL) {
        put_latex(self, "\\,", owner);
        put_units(self, *units_list);
    }
}

/* How a command is made up: a number, units, a second number, a list of numbers, an angle. */
static const struct {
    const char *name, *arguments;
} forms[] = {
    { "SI", "nu" },      { "SIlist", "lu" },    { "SIrange", "nru" }, { "ang", "a" },
    { "num", "n" },      { "numlist", "l" },    { "numrange", "nr" }, { "qty", "nu" },
    { "qtylist", "lu" }, { "qtyrange", "nru" }, { "pu", "p" },        { "si", "u" },
    { "unit", "u" },
};

static void put_list(TgParser *self, const TgTexToken *owner, TgTexTokens list,
                     const TgTexTokens *units_list)
{
    gboolean first = TRUE;

    while (list.n > 0) {
        const TgTexTokens part = take_part(&list);

        if (!first)
            put_latex(self, list.n > 0 ? "\\text{, }" : "\\text{, and }", owner);
        put_quantity(self, owner, part, units_list);
        first = FALSE;
    }
}

/* Whether a number ends before @token, a digit or sign of a power: mol-1, m2. */
static gboolean is_power(const TgTexTokens *list, guint32 at)
{
    const TgTexToken *token = &list->tokens[at];
    const TgTexToken *before = at > 0 ? token - 1 : NULL;
    const gboolean digit = tg_token_is_digit(token);
    const gboolean sign =
        tg_token_is_char_of(token, "+-") && at + 1 < list->n && tg_token_is_digit(token + 1);

    return before != NULL && before->kind == TG_TOK_CHAR && g_unichar_isalpha(before->code) &&
           (digit || sign);
}

/* Units as mhchem's \pu reads them: letters, powers behind them, spaces and * between them. */
static void put_plain_units(TgParser *self, TgTexTokens list)
{
    for (guint32 i = 0; i < list.n; i++) {
        const TgTexToken *token = &list.tokens[i];

        if (token->kind == TG_TOK_SPACE) {
            put_latex(self, "\\,", token);
        } else if (tg_token_is_char(token, '*')) {
            put_latex(self, "\\cdot ", token);
        } else if (is_power(&list, i)) {
            put_latex(self, "^{", token);
            do
                put_tokens(self, &list.tokens[i++], 1);
            while (i < list.n && tg_token_is_digit(&list.tokens[i]));
            put_latex(self, "}", token);
            i--;
        } else if (tg_token_is_char(token, '/') && i > 0 && tg_token_is_char(token - 1, '/')) {
            continue; /* // is set as / */
        } else if (token->kind == TG_TOK_CHAR && g_unichar_isalpha(token->code)) {
            guint32 end = i + 1;
            while (end < list.n && list.tokens[end].kind == TG_TOK_CHAR &&
                   g_unichar_isalpha(list.tokens[end].code))
                end++;
            put_latex(self, "\\mathrm{", token);
            put_tokens(self, token, end - i);
            put_latex(self, "}", token);
            i = end - 1;
        } else {
            put_tokens(self, token, 1);
        }
    }
}

/* \pu{1.2e3 kJ mol-1}: a number up to the first space, if it begins like one, and units. */
static void put_plain_quantity(TgParser *self, const TgTexToken *owner, TgTexTokens list)
{
    guint32 n = 0;

    while (list.n > 0 && list.tokens[0].kind == TG_TOK_SPACE) {
        list.tokens++;
        list.n--;
    }
    if (list.n > 0 && (tg_token_is_digit(list.tokens) || tg_token_is_char_of(list.tokens, "+-.,")))
        while (n < list.n && list.tokens[n].kind != TG_TOK_SPACE)
            n++;
    put_number(self, owner, (TgTexTokens){ list.tokens, n });
    put_plain_units(self, (TgTexTokens){ list.tokens + n, list.n - n });
}

static void put_form(TgParser *self, const TgTexToken *owner, const char *kinds,
                     const TgTexTokens *args)
{
    const gsize n = strlen(kinds);
    const TgTexTokens *units_list = n > 1 && kinds[n - 1] == 'u' ? &args[n - 1] : NULL;

    if (kinds[0] == 'u')
        put_units(self, args[0]);
    else if (kinds[0] == 'p')
        put_plain_quantity(self, owner, args[0]);
    else if (kinds[0] == 'a')
        put_angle(self, owner, args[0]);
    else if (kinds[0] == 'l')
        put_list(self, owner, args[0], units_list);
    else
        put_quantity(self, owner, args[0], units_list);
    if (n > 1 && kinds[1] == 'r') {
        put_latex(self, "\\text{ to }", owner);
        put_quantity(self, owner, args[1], units_list);
    }
}

/* physics's \qty takes one argument in brackets of any kind: that is its \quantity. */
static gboolean is_physics(TgParser *self)
{
    static const char *const sizes[] = { "big", "Big", "bigg", "Bigg" };
    const TgTexToken next = tg_expander_raw_nonspace(&self->in);
    TgTexTokens first;

    tg_expander_unread(&self->in, &next);
    if (next.kind != TG_TOK_OPEN)
        return tg_token_is_char_of(&next, "([|") ||
               tg_token_is_command_of(&next, sizes, G_N_ELEMENTS(sizes));
    if (!tg_expander_argument(&self->in, &first))
        return FALSE;

    const TgTexToken second = tg_expander_raw_nonspace(&self->in);
    TgTexToken brace = next;
    tg_expander_unread(&self->in, &second);
    brace.kind = TG_TOK_CLOSE;
    brace.text = "}";
    brace.code = '}';
    tg_expander_unread(&self->in, &brace);
    tg_expander_insert(&self->in, first, 1);
    tg_expander_unread(&self->in, &next);
    return second.kind != TG_TOK_OPEN;
}

void tg_parser_quantity(TgParser *self, const TgTexToken *token)
{
    const char *kinds = "u";
    TgTexTokens args[3] = { { NULL, 0 } }, options;

    if (strcmp(token->command->name, "qty") == 0 && is_physics(self)) {
        TgTexToken physics = *token;
        physics.command = tg_command_find("quantity", 8);
        tg_parser_template(self, &physics);
        return;
    }

    for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
        if (strcmp(forms[i].name, token->command->name) == 0)
            kinds = forms[i].arguments;
    }
    if (tg_expander_optional(&self->in, &options) && options.n > 0)
        tg_parser_error(self, token, TG_PARSE_LENGTH, "%.*s: options are not supported",
                        TG_TOKEN_TEXT(token));
    for (guint i = 0; kinds[i] != '\0'; i++) {
        if (!tg_parser_tokens_argument(self, token, "an argument", &args[i]))
            return;
    }

    const guint from = self->in.scratch->len;
    put_latex(self, "\\ensuremath{", token);
    put_form(self, token, kinds, args);
    put_latex(self, "}", token);
    tg_expander_insert(&self->in, tg_expander_take_scratch(&self->in, from), 1);
}
