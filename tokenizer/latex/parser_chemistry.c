/* mhchem's \ce: chemical formulas are rewritten as mathematics, token by token. */
#include "tokenizer/latex/handlers.h"

/* Labels of arrows inside of labels: a level copies its tokens, so that memory grows with both. */
enum { MAX_LABEL_DEPTH = 8 };

/* A formula being rewritten. Tokens keep their places in the source. */
typedef struct {
    TgParser *parser;
    TgTexTokens in;
    guint32 i;           /* next token of @in */
    GArray *out;         /* of TgTexToken */
    gboolean term_start; /* digits here are amounts, not subscripts */
    gboolean spaced;     /* after white space */
    gboolean after_base; /* after an item that takes scripts */
} Chemistry;

/* ---- Looking ------------------------------------------------------------------------------- */

static const TgTexToken *chem_peek(const Chemistry *self, guint32 ahead)
{
    static const TgTexToken end = { .kind = TG_TOK_END, .text = "" };

    return self->i + ahead < self->in.n ? &self->in.tokens[self->i + ahead] : &end;
}

static gboolean is_letter(const TgTexToken *token)
{
    return token->kind == TG_TOK_CHAR && g_unichar_isalpha(token->code);
}

static gboolean ends_term(const TgTexToken *token)
{
    return token->kind == TG_TOK_SPACE || token->kind == TG_TOK_END;
}

/* Whether a sign before @token is a charge and no bond. */
static gboolean ends_charge(const TgTexToken *token)
{
    return ends_term(token) || token->kind == TG_TOK_SUP || token->kind == TG_TOK_SUB ||
           token->kind == TG_TOK_AMPERSAND || tg_token_is_char_of(token, ")]([,");
}

/* ---- Writing ------------------------------------------------------------------------------- */

static void chem_put(Chemistry *self, const TgTexToken *token)
{
    g_array_append_val(self->out, *token);
}

/* Write LaTeX at the place of @at. */
static void chem_put_latex(Chemistry *self, const char *latex, const TgTexToken *at)
{
    const TgTexTokens list = tg_expander_lex(&self->parser->in, latex, strlen(latex), at);

    g_array_append_vals(self->out, list.tokens, list.n);
}

/* The next token as it is. */
static void chem_copy(Chemistry *self)
{
    chem_put(self, chem_peek(self, 0));
    self->i++;
}

/* The group that begins here, with its braces or without. */
static void copy_group(Chemistry *self, gboolean braces)
{
    guint depth = 0;

    do {
        const TgTexToken *token = chem_peek(self, 0);

        if (token->kind == TG_TOK_END)
            return;
        depth += token->kind == TG_TOK_OPEN;
        if (braces || (token->kind != TG_TOK_OPEN && token->kind != TG_TOK_CLOSE) || depth > 1)
            chem_put(self, token);
        depth -= token->kind == TG_TOK_CLOSE;
        self->i++;
    } while (depth > 0);
}

/* Tokens @n from here draw one sign: in the source the first one spans all. */
static TgTexToken chem_join(Chemistry *self, guint32 n)
{
    TgTexToken first = *chem_peek(self, 0);
    const guint32 end = chem_peek(self, n - 1)->end;

    if (end > first.end)
        tg_parser_extend(self->parser, &first, end);
    self->i += n;
    return first;
}

/* ---- Arrows -------------------------------------------------------------------------------- */

static const struct {
    const char *sign;
    const char *bare;   /* without labels */
    const char *labels; /* with them */
} arrows[] = {
    /* longest first */
    { "<=>>", "\\rightleftharpoons", "\\xrightleftharpoons" },
    { "<<=>", "\\rightleftharpoons", "\\xrightleftharpoons" },
    { "<-->", "\\rightleftarrows", "\\xtofrom" },
    { "<=>", "\\rightleftharpoons", "\\xrightleftharpoons" },
    { "<->", "\\longleftrightarrow", "\\xleftrightarrow" },
    { "->", "\\longrightarrow", "\\xrightarrow" },
    { "<-", "\\longleftarrow", "\\xleftarrow" },
    { "\342\206\222", "\\longrightarrow", "\\xrightarrow" },           /* U+2192 */
    { "\342\206\220", "\\longleftarrow", "\\xleftarrow" },             /* U+2190 */
    { "\342\206\224", "\\longleftrightarrow", "\\xleftrightarrow" },   /* U+2194 */
    { "\342\207\214", "\\rightleftharpoons", "\\xrightleftharpoons" }, /* U+21CC */
};

/* How many tokens make the sign @sign here; 0: they do not. */
static guint32 match_sign(const Chemistry *self, const char *sign)
{
    guint32 n = 0;

    for (; *sign != '\0'; sign = g_utf8_next_char(sign), n++) {
        if (!tg_token_is_char(chem_peek(self, n), g_utf8_get_char(sign)))
            return 0;
    }
    return n;
}

static TgTexTokens chem_rewrite(TgParser *parser, TgTexTokens in);

/* [..] behind an arrow, as chemistry in braces; FALSE when there is none. */
static gboolean put_label(Chemistry *self, const char *open, const char *close)
{
    const TgTexToken at = *chem_peek(self, 0);
    const guint32 from = self->i + 1;
    guint depth = 0;

    if (!tg_token_is_char(&at, '['))
        return FALSE;
    for (self->i++; chem_peek(self, 0)->kind != TG_TOK_END; self->i++) {
        const TgTexToken *token = chem_peek(self, 0);
        if (depth == 0 && tg_token_is_char(token, ']'))
            break;
        depth += token->kind == TG_TOK_OPEN;
        depth -= token->kind == TG_TOK_CLOSE && depth > 0;
    }

    const TgTexTokens inside =
        chem_rewrite(self->parser, (TgTexTokens){ self->in.tokens + from, self->i - from });
    self->i = MIN(self->i + 1, self->in.n);
    chem_put_latex(self, open, &at);
    g_array_append_vals(self->out, inside.tokens, inside.n);
    chem_put_latex(self, close, &at);
    return TRUE;
}

/* The command with [below]{above}; mhchem writes the label above first. */
static void put_labelled(Chemistry *self, const TgTexToken *arrow, const char *command)
{
    const guint command_at = self->out->len;
    GArray *above = g_array_new(FALSE, FALSE, sizeof(TgTexToken));

    put_label(self, "{", "}");
    g_array_append_vals(above, &g_array_index(self->out, TgTexToken, command_at),
                        self->out->len - command_at);
    g_array_set_size(self->out, command_at);
    chem_put_latex(self, command, arrow);
    put_label(self, "[", "]");
    g_array_append_vals(self->out, above->data, above->len);
    g_array_unref(above);
}

static gboolean put_arrow(Chemistry *self)
{
    for (guint k = 0; k < G_N_ELEMENTS(arrows); k++) {
        const guint32 n = match_sign(self, arrows[k].sign);

        if (n == 0)
            continue;
        const TgTexToken arrow = chem_join(self, n);
        if (tg_token_is_char(chem_peek(self, 0), '['))
            put_labelled(self, &arrow, arrows[k].labels);
        else
            chem_put_latex(self, arrows[k].bare, &arrow);
        self->term_start = TRUE;
        self->after_base = FALSE;
        return TRUE;
    }
    return FALSE;
}

/* ---- Amounts, scripts, charges ------------------------------------------------------------- */

static void put_digits(Chemistry *self)
{
    while (
        tg_token_is_digit(chem_peek(self, 0)) ||
        ((tg_token_is_char_of(chem_peek(self, 0), ".,")) && tg_token_is_digit(chem_peek(self, 1))))
        chem_copy(self);
}

/* 2, 0.5 or 1/2 before a formula, with a thin space behind it. */
static void put_amount(Chemistry *self)
{
    const TgTexToken at = *chem_peek(self, 0);
    guint32 n = 0;

    while (tg_token_is_digit(chem_peek(self, n)))
        n++;
    if (tg_token_is_char(chem_peek(self, n), '/') && tg_token_is_digit(chem_peek(self, n + 1))) {
        chem_put_latex(self, "\\tfrac{", chem_peek(self, n)); /* the slash becomes the bar */
        put_digits(self);
        chem_put_latex(self, "}{", &at);
        self->i++;
        put_digits(self);
        chem_put_latex(self, "}", &at);
    } else {
        put_digits(self);
    }

    const TgTexToken *next = chem_peek(self, chem_peek(self, 0)->kind == TG_TOK_SPACE ? 1 : 0);
    if (is_letter(next) || tg_token_is_char_of(next, "([.") || next->kind == TG_TOK_SUP ||
        next->kind == TG_TOK_SUB)
        chem_put_latex(self, "\\,", &at);
    self->after_base = FALSE;
}

/* Letters that follow each other, upright. */
static void put_letters(Chemistry *self)
{
    chem_put_latex(self, "\\mathrm{", chem_peek(self, 0));
    while (is_letter(chem_peek(self, 0)))
        chem_copy(self);
    chem_put_latex(self, "}", chem_peek(self, 0));
}

/* {..} behind ^ or _: oxidation states (capitals) are upright. */
static void put_script_group(Chemistry *self)
{
    const TgTexToken at = *chem_peek(self, 0);
    const gboolean upright = g_unichar_isupper(chem_peek(self, 1)->code);

    if (upright)
        chem_put_latex(self, "\\mathrm{", &at);
    copy_group(self, FALSE);
    if (upright)
        chem_put_latex(self, "}", &at);
}

/* A sign behind a number in a script, unless it begins an arrow. */
static void put_charge(Chemistry *self)
{
    if ((tg_token_is_char_of(chem_peek(self, 0), "+-")) &&
        !tg_token_is_char(chem_peek(self, 1), '>'))
        chem_copy(self);
}

/* What ^ or _ takes: a group, or a number and a sign, or one token. */
static void put_script(Chemistry *self)
{
    const TgTexToken script = *chem_peek(self, 0);

    if (!self->after_base && self->term_start)
        chem_put_latex(self, "{}", &script);
    chem_put(self, &script);
    self->i++;
    chem_put_latex(self, "{", &script);
    if (chem_peek(self, 0)->kind == TG_TOK_OPEN) {
        put_script_group(self);
    } else if (tg_token_is_char(chem_peek(self, 0), '.')) { /* a radical, perhaps with a sign */
        chem_put_latex(self, "\\bullet", chem_peek(self, 0));
        self->i++;
        put_charge(self);
    } else if (tg_token_is_digit(chem_peek(self, 0)) ||
               tg_token_is_char_of(chem_peek(self, 0), "+-")) {
        put_digits(self);
        put_charge(self);
    } else if (!ends_term(chem_peek(self, 0))) {
        chem_copy(self);
    }
    chem_put_latex(self, "}", &script);
}

static void put_subscript(Chemistry *self)
{
    const TgTexToken at = *chem_peek(self, 0);

    chem_put_latex(self, "_{", &at);
    put_digits(self);
    chem_put_latex(self, "}", &at);
}

/* + or - behind a formula: a charge, a bond or an operator. */
static void put_sign(Chemistry *self)
{
    const TgTexToken sign = *chem_peek(self, 0);
    const gboolean alone = self->term_start && ends_term(chem_peek(self, 1));

    self->i++;
    if (!self->term_start && ends_charge(chem_peek(self, 0))) {
        chem_put_latex(self, "^{", &sign);
        chem_put(self, &sign);
        chem_put_latex(self, "}", &sign);
        return;
    }
    chem_put_latex(self, alone ? "{}" : "{", &sign);
    chem_put(self, &sign);
    chem_put_latex(self, alone ? "{}" : "}", &sign);
    self->term_start = TRUE;
    self->after_base = FALSE;
}

/* ---- The rest ------------------------------------------------------------------------------ */

/* =, #, * and a leading point: bonds and the dot of addition compounds. */
static gboolean put_bond(Chemistry *self)
{
    const TgTexToken *token = chem_peek(self, 0);
    const char *latex = NULL;

    if (tg_token_is_char(token, '='))
        latex = self->term_start ? "=" : "{=}";
    else if (token->kind == TG_TOK_HASH)
        latex = "{\\equiv}";
    else if (tg_token_is_char(token, '*') || (tg_token_is_char(token, '.') && self->term_start))
        latex = "{\\cdot}";
    if (latex == NULL)
        return FALSE;
    chem_put_latex(self, latex, token);
    self->i++;
    self->term_start = TRUE;
    self->after_base = FALSE;
    return TRUE;
}

/* A lone ^ is a gas, a lone v a precipitate. */
static gboolean put_state(Chemistry *self)
{
    const TgTexToken *token = chem_peek(self, 0);

    if (!ends_term(chem_peek(self, 1)) || !self->spaced ||
        (token->kind != TG_TOK_SUP && !tg_token_is_char(token, 'v')))
        return FALSE;
    chem_put_latex(self, token->kind == TG_TOK_SUP ? "\\uparrow" : "\\downarrow", token);
    self->i++;
    return TRUE;
}

/* $..$ is mathematics. */
static void put_math(Chemistry *self)
{
    const TgTexToken at = *chem_peek(self, 0);

    chem_put_latex(self, "{", &at);
    for (self->i++; chem_peek(self, 0)->kind != TG_TOK_END;) {
        if (chem_peek(self, 0)->kind == TG_TOK_DOLLAR) {
            self->i++;
            break;
        }
        chem_copy(self);
    }
    chem_put_latex(self, "}", &at);
}

static void put_quoted(Chemistry *self)
{
    const TgTexToken at = *chem_peek(self, 0);

    chem_put_latex(self, "\\text{", &at);
    for (self->i++;
         chem_peek(self, 0)->kind != TG_TOK_END && !tg_token_is_char(chem_peek(self, 0), '"');)
        chem_copy(self);
    self->i += chem_peek(self, 0)->kind != TG_TOK_END;
    chem_put_latex(self, "}", &at);
}

/* \bond{=} */
static void put_bond_command(Chemistry *self)
{
    const TgTexToken at = *chem_peek(self, 0);
    const char *latex = "{-}";

    self->i++;
    if (chem_peek(self, 0)->kind == TG_TOK_OPEN) {
        const TgTexToken *sign = chem_peek(self, 1);
        if (tg_token_is_char_of(sign, "=2"))
            latex = "{=}";
        else if (sign->kind == TG_TOK_HASH || tg_token_is_char(sign, '3'))
            latex = "{\\equiv}";
        else if (tg_token_is_char(sign, '~'))
            latex = "{\\sim}";
        else if (tg_token_is_char(sign, '.'))
            latex = "{\\cdots}";
        const guint from = self->out->len;
        copy_group(self, TRUE);
        g_array_set_size(self->out, from);
    }
    chem_put_latex(self, latex, &at);
    self->term_start = TRUE;
}

/* A command is mathematics, with the groups that follow it. */
static void put_command(Chemistry *self)
{
    if (tg_token_is_command(chem_peek(self, 0), "bond")) {
        put_bond_command(self);
        return;
    }
    chem_copy(self);
    while (chem_peek(self, 0)->kind == TG_TOK_OPEN)
        copy_group(self, TRUE);
}

/* White space separates terms; between two formulas it shows. */
static void put_space(Chemistry *self)
{
    const TgTexToken *next = chem_peek(self, 1);
    const TgTexToken at = *chem_peek(self, 0);

    self->i++;
    self->term_start = self->spaced = TRUE;
    if (self->after_base && (is_letter(next) || tg_token_is_digit(next)) &&
        !(tg_token_is_char(next, 'v') && ends_term(chem_peek(self, 1))))
        chem_put_latex(self, "\\ ", &at);
}

static void put_character(Chemistry *self)
{
    const TgTexToken token = *chem_peek(self, 0);

    if (is_letter(&token)) {
        put_letters(self);
        return;
    }
    chem_copy(self);
    if (tg_token_is_char_of(&token, "(["))
        self->term_start = TRUE;
}

/* One step that leaves a base for scripts behind it. */
static void put_item(Chemistry *self)
{
    const TgTexToken *token = chem_peek(self, 0);
    const gboolean opens = tg_token_is_char_of(token, "([");

    if (token->kind == TG_TOK_SUP || token->kind == TG_TOK_SUB)
        put_script(self);
    else if (tg_token_is_digit(token))
        put_subscript(self);
    else if (token->kind == TG_TOK_DOLLAR)
        put_math(self);
    else if (token->kind == TG_TOK_COMMAND)
        put_command(self);
    else if (tg_token_is_char(token, '"'))
        put_quoted(self);
    else if (token->kind == TG_TOK_OPEN) {
        chem_put_latex(self, "\\text", token);
        copy_group(self, TRUE);
    } else
        put_character(self);
    self->term_start = opens;
    self->after_base = !opens;
}

static void chem_step(Chemistry *self)
{
    const TgTexToken *token = chem_peek(self, 0);

    if (token->kind == TG_TOK_SPACE) {
        put_space(self);
        return;
    }
    if (!put_arrow(self) && !put_bond(self) && !put_state(self)) {
        if (tg_token_is_char_of(token, "+-"))
            put_sign(self);
        else if (self->term_start && tg_token_is_digit(token))
            put_amount(self);
        else
            put_item(self);
    }
    self->spaced = FALSE;
}

static TgTexTokens chem_rewrite(TgParser *parser, TgTexTokens in)
{
    Chemistry self = {
        .parser = parser,
        .in = in,
        .out = g_array_new(FALSE, FALSE, sizeof(TgTexToken)),
        .term_start = TRUE,
        .spaced = TRUE,
    };

    if (++parser->chemistry_depth > MAX_LABEL_DEPTH)
        tg_parser_error(parser, chem_peek(&self, 0), TG_PARSE_LIMIT,
                        "more than %d arrows in the labels of others", MAX_LABEL_DEPTH);
    while (self.i < in.n && tg_parser_alive(parser))
        chem_step(&self);
    parser->chemistry_depth--;

    const gsize size = self.out->len * sizeof(TgTexToken);
    TgTexToken *tokens = tg_arena_alloc(parser->in.arena, MAX(size, 1));
    if (size > 0)
        memcpy(tokens, self.out->data, size);
    const TgTexTokens out = { tokens, self.out->len };
    g_array_unref(self.out);
    return out;
}

/* \ce{..} */
void tg_parser_chemistry(TgParser *self, const TgTexToken *token)
{
    const TgFontState before = self->font;
    TgTexTokens list;

    if (!tg_parser_tokens_argument(self, token, "an argument", &list))
        return;
    self->font.alphabet = TG_ALPHABET_DEFAULT;
    const TgTexTokens mathematics = chem_rewrite(self, list);
    TgNode *node = tg_parser_sublist(self, mathematics, FALSE, token);
    self->font = before;
    node->u.list.braced = 1;
    node->start = token->start;
    if (self->scope->text) {
        TgNode *math = tg_parser_node(self, TG_NODE_MATH, token);
        math->u.body.body = node;
        node = math;
    }
    tg_parser_append(self, node);
}
