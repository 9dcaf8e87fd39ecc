/* A chemical formula as nodes. The states and what ends them are those of mhchem 4, so that both
 * read the same: digits behind an element are a subscript, before one an amount, and so on. */
#include "tokenizer/latex/chemistry.h"

/* ---- Items that stand for themselves ------------------------------------------------------- */

static void put_latex(TgChemFormula *self, const char *latex, const TgTexToken *at)
{
    tg_chem_flush(self);
    tg_chem_add_latex(self->out, latex, at);
    self->locant = self->takes_scripts = FALSE;
}

static void put_bond(TgChemFormula *self, const char *sign, const TgTexToken *at)
{
    TgChemList bond = { .parser = self->out->parser };

    tg_chem_flush(self);
    tg_chem_add_sign(&bond, sign, at);
    tg_chem_add(self->out, tg_chem_take(&bond, at, at));
    self->locant = self->takes_scripts = FALSE;
    self->state = TG_CHEM_AT_START;
}

/* A bracket or slash; those that close take scripts. */
static void put_bracket(TgChemFormula *self, const TgTexToken *at, TgChemState state)
{
    tg_chem_flush(self);
    tg_chem_add_run(self->out, (TgTexTokens){ at, 1 }, TG_ALPHABET_DEFAULT);
    self->locant = FALSE;
    self->takes_scripts = state == TG_CHEM_AT_ELEMENT;
    self->state = state;
}

static const struct {
    const char *name; /* \bond{name} */
    const char *sign; /* a symbol that mhchem sets in its way, or NULL */
    const char *latex;
} bonds[] = {
    { "-", "-", NULL },
    { "1", "-", NULL },
    { "=", "=", NULL },
    { "2", "=", NULL },
    { "#", "equiv", NULL },
    { "3", "equiv", NULL },
    { "~", "sim", NULL },
    { "~-", "simeq", NULL },
    { "~--", "cong", NULL },
    { "~=", "cong", NULL },
    { "-~-", "approxeq", NULL },
    { "...", NULL, "{\\cdot}{\\cdot}{\\cdot}" },
    { "....", NULL, "{\\cdot}{\\cdot}{\\cdot}{\\cdot}" },
    { "->", NULL, "{\\rightarrow}" },
    { "<-", NULL, "{\\leftarrow}" },
};

/* \bond{=} */
static void put_bond_command(TgChemFormula *self, TgTexTokens command)
{
    TgTexToken at = command.tokens[0];
    const TgTexTokens group =
        command.n > 2 ? tg_chem_slice(command, 2, command.n - 1) : (TgTexTokens){ NULL, 0 };
    g_autofree char *name = tg_parser_spelling(group);

    tg_parser_extend(self->out->parser, &at, command.tokens[command.n - 1].end);
    for (guint i = 0; i < G_N_ELEMENTS(bonds); i++) {
        if (strcmp(bonds[i].name, name) != 0)
            continue;
        if (bonds[i].sign != NULL)
            put_bond(self, bonds[i].sign, &at);
        else
            put_latex(self, bonds[i].latex, &at);
        return;
    }
    tg_parser_error(self->out->parser, &at, TG_PARSE_CHARACTER, "mhchem has no bond %s", name);
    put_bond(self, "-", &at);
}

/* \frac{..}{..}, whose parts are chemistry. */
static void put_fraction(TgChemFormula *self, TgTexTokens command)
{
    GArray *tokens = g_array_new(FALSE, FALSE, sizeof(TgTexToken));
    TgTexToken ce = command.tokens[0], open = ce, close = ce;

    ce.text = "\\ce", ce.len = 3;
    open.kind = TG_TOK_OPEN, open.text = "{", open.len = 1;
    close.kind = TG_TOK_CLOSE, close.text = "}", close.len = 1;
    g_array_append_val(tokens, command.tokens[0]);
    for (guint32 i = 1, end; i < command.n; i = end) {
        end = tg_chem_end_of(command, i);
        g_array_append_val(tokens, open);
        g_array_append_val(tokens, ce);
        g_array_append_vals(tokens, &command.tokens[i], end - i);
        g_array_append_val(tokens, close);
    }
    tg_chem_add_run(self->out, (TgTexTokens){ (const TgTexToken *) tokens->data, tokens->len },
                    TG_ALPHABET_DEFAULT);
    g_array_unref(tokens);
}

/* A command with the groups behind it is mathematics; Greek letters begin an element. */
static void put_command(TgChemFormula *self)
{
    const TgTexToken *token = &self->in.tokens[self->i];
    guint32 end = self->i + 1;

    tg_chem_flush(self);
    self->state = TG_CHEM_AT_ELEMENT;
    if (tg_chem_is_greek(token)) {
        g_array_append_val(self->parts[TG_CHEM_ELEMENT], *token);
        self->i++;
        return;
    }
    while (end < self->in.n && self->in.tokens[end].kind == TG_TOK_OPEN)
        end = tg_chem_end_of(self->in, end);
    const TgTexTokens command = tg_chem_slice(self->in, self->i, end);
    self->i = end;
    self->locant = FALSE;
    self->takes_scripts = TRUE;
    if (tg_token_is_command(token, "bond")) {
        put_bond_command(self, command);
        self->state = TG_CHEM_AT_ELEMENT;
    } else if (tg_token_is_command(token, "frac")) {
        put_fraction(self, command);
    } else {
        tg_chem_add_run(self->out, command, TG_ALPHABET_DEFAULT);
    }
}

/* ---- The states ---------------------------------------------------------------------------- */

/* Take the next token into a part: a group without its braces, unless @braces. */
static void chem_take_token(TgChemFormula *self, guint part, gboolean braces)
{
    const guint32 end = tg_chem_end_of(self->in, self->i);
    const gboolean inner = !braces && self->in.tokens[self->i].kind == TG_TOK_OPEN;

    if (end - self->i > 2 || !inner)
        g_array_append_vals(self->parts[part], &self->in.tokens[self->i + inner],
                            end - self->i - 2 * inner);
    self->i = end;
}

/* Begin a script, in an element of its own when this one has it already. */
static void begin_script(TgChemFormula *self, guint part, TgChemState state)
{
    if (self->begun[part])
        tg_chem_flush(self);
    self->begun[part] = TRUE;
    self->state = state;
}

static void chem_minus(TgChemFormula *self)
{
    self->minus = self->in.tokens[self->i++];
    self->state = TG_CHEM_AT_MINUS;
}

/* {..}, which is text; {} separates. */
static void chem_group(TgChemFormula *self)
{
    tg_chem_flush(self);
    if (tg_chem_end_of(self->in, self->i) - self->i <= 2) {
        self->i += 2;
        return;
    }
    self->state = TG_CHEM_AT_ELEMENT;
    chem_take_token(self, TG_CHEM_ELEMENT, TRUE);
}

/* A character that mhchem does not know; it is set as it is. */
static void chem_stray(TgChemFormula *self, const TgTexToken *token)
{
    tg_parser_error(self->out->parser, token, TG_PARSE_CHARACTER, "misplaced %.*s in \\ce",
                    TG_TOKEN_TEXT(token));
    put_bracket(self, token, TG_CHEM_AT_START);
}

/* = and #, + and the like: what means the same at the start and behind an element. */
static gboolean chem_sign(TgChemFormula *self, const TgTexToken *token)
{
    if (tg_token_is_char(token, '=')) {
        put_bond(self, "=", token);
    } else if (token->kind == TG_TOK_HASH) {
        put_bond(self, "equiv", token);
    } else if (tg_token_is_char(token, '*') ||
               (tg_token_is_char(token, '.') && self->state == TG_CHEM_AT_ELEMENT)) {
        put_latex(self, "\\,{\\cdot}\\,", token);
        self->state = TG_CHEM_AT_START;
    } else if (tg_token_is_char_of(token, ")]/")) {
        put_bracket(self, token, TG_CHEM_AT_ELEMENT);
    } else if (tg_token_is_char(token, '[') ||
               (tg_token_is_char(token, '(') && self->state == TG_CHEM_AT_ELEMENT)) {
        put_bracket(self, token, TG_CHEM_AT_START);
    } else {
        return FALSE;
    }
    self->i++;
    return TRUE;
}

static void step_start(TgChemFormula *self, const TgTexToken *token)
{
    if (token->kind == TG_TOK_COMMAND) {
        put_command(self);
    } else if (token->kind == TG_TOK_OPEN) {
        chem_group(self);
    } else if (token->kind == TG_TOK_DOLLAR) {
        self->state = TG_CHEM_AT_DOLLARS;
        chem_take_token(self, TG_CHEM_ELEMENT, TRUE);
    } else if (tg_token_is_char(token, '-')) {
        tg_chem_flush(self);
        self->bond = TRUE;
        chem_minus(self);
    } else if (token->kind == TG_TOK_SUP || tg_token_is_char(token, '+')) {
        begin_script(self, TG_CHEM_PRESUP, TG_CHEM_AT_PRESUP);
        self->i += token->kind == TG_TOK_SUP;
    } else if (token->kind == TG_TOK_SUB) {
        begin_script(self, TG_CHEM_PRESUB, TG_CHEM_AT_PRESUB);
        self->i++;
    } else if (tg_token_is_char(token, '(')) {
        tg_chem_flush(self);
        self->state = TG_CHEM_AT_PARENTHESIS;
        chem_take_token(self, TG_CHEM_ELEMENT, TRUE);
    } else if (tg_token_is_digit(token) || tg_token_is_char_of(token, ".,")) {
        tg_chem_flush(self);
        self->state = TG_CHEM_AT_AMOUNT;
    } else if (tg_token_is_char(token, '|')) {
        put_bracket(self, token, TG_CHEM_AT_START);
        self->i++;
    } else if (token->kind == TG_TOK_CHAR && g_unichar_isalpha(token->code)) {
        self->state = TG_CHEM_AT_ELEMENT;
        chem_take_token(self, TG_CHEM_ELEMENT, TRUE);
    } else if (!chem_sign(self, token)) {
        chem_stray(self, token);
        self->i++;
    }
}

/* A letter behind ^2 begins an element with that to its left: the isotope of H2^{18}O. */
static void move_to_isotope(TgChemFormula *self)
{
    GArray *sup = self->parts[TG_CHEM_SUP], *sub = self->parts[TG_CHEM_SUB];

    self->parts[TG_CHEM_SUP] = self->parts[TG_CHEM_PRESUP];
    self->parts[TG_CHEM_SUB] = self->parts[TG_CHEM_PRESUB];
    self->parts[TG_CHEM_PRESUP] = sup;
    self->parts[TG_CHEM_PRESUB] = sub;
}

/* The same with what stands before the element kept out of the way while that is written. */
static void flush_before_isotope(TgChemFormula *self)
{
    g_autoptr(GArray) sup = g_array_copy(self->parts[TG_CHEM_SUP]);
    g_autoptr(GArray) sub = g_array_copy(self->parts[TG_CHEM_SUB]);

    g_array_set_size(self->parts[TG_CHEM_SUP], 0);
    g_array_set_size(self->parts[TG_CHEM_SUB], 0);
    tg_chem_flush(self);
    g_array_append_vals(self->parts[TG_CHEM_SUP], sup->data, sup->len);
    g_array_append_vals(self->parts[TG_CHEM_SUB], sub->data, sub->len);
    move_to_isotope(self);
    self->begun[TG_CHEM_PRESUP] = TRUE;
    self->begun[TG_CHEM_PRESUB] = sub->len > 0;
}

static void element_letter(TgChemFormula *self)
{
    if (self->begun[TG_CHEM_SUP] && tg_chem_is_number(tg_chem_part(self, TG_CHEM_SUP)))
        flush_before_isotope(self);
    else if (self->begun[TG_CHEM_SUP] || self->begun[TG_CHEM_SUB])
        tg_chem_flush(self);
    chem_take_token(self, TG_CHEM_ELEMENT, TRUE);
}

static void step_element(TgChemFormula *self, const TgTexToken *token)
{
    if (token->kind == TG_TOK_COMMAND) {
        put_command(self);
    } else if (token->kind == TG_TOK_OPEN) {
        chem_group(self);
    } else if (token->kind == TG_TOK_DOLLAR) {
        if (self->begun[TG_CHEM_SUP] || self->begun[TG_CHEM_SUB])
            tg_chem_flush(self);
        chem_take_token(self, TG_CHEM_ELEMENT, TRUE);
    } else if (tg_token_is_char(token, '-')) {
        chem_minus(self);
    } else if (token->kind == TG_TOK_SUP) {
        begin_script(self, TG_CHEM_SUP, TG_CHEM_AT_SUP);
        self->sup_first = !self->begun[TG_CHEM_SUB];
        self->i++;
    } else if (token->kind == TG_TOK_SUB) {
        begin_script(self, TG_CHEM_SUB, TG_CHEM_AT_SUB);
        self->i++;
    } else if (tg_token_is_char(token, ',')) {
        put_latex(self, "{,}\\mkern3mu ", token);
        self->i++;
    } else if (tg_token_is_char(token, '+')) {
        self->begun[TG_CHEM_SUP] = TRUE;
        self->sup_first = FALSE;
        self->state = TG_CHEM_AT_SUP;
    } else if (token->kind == TG_TOK_CHAR && g_unichar_isalpha(token->code)) {
        element_letter(self);
    } else if (tg_token_is_digit(token)) {
        begin_script(self, TG_CHEM_SUB, TG_CHEM_AT_SUB);
    } else if (!chem_sign(self, token)) {
        tg_chem_flush(self);
        self->state = TG_CHEM_AT_START;
    }
}

/* The first token of a script; digits go on. */
static void step_script(TgChemFormula *self, guint part, const TgTexToken *token, const char *more,
                        TgChemState behind)
{
    const gboolean goes_on = tg_token_is_digit(token) || tg_token_is_char_of(token, more);

    self->state = goes_on ? (TgChemState) (self->state + 1) : behind;
    chem_take_token(self, part, FALSE);
}

static void step_script_more(TgChemFormula *self, guint part, const TgTexToken *token,
                             const char *more, TgChemState behind)
{
    if (tg_token_is_digit(token) || tg_token_is_char_of(token, more))
        chem_take_token(self, part, FALSE);
    else if (part == TG_CHEM_SUP && tg_token_is_char(token, '-')) {
        if (tg_chem_is_locant(tg_chem_part(self, TG_CHEM_ELEMENT)))
            chem_minus(self);
        else
            chem_take_token(self, part, FALSE);
    } else
        self->state = behind;
}

static void step_amount(TgChemFormula *self, const TgTexToken *token)
{
    if (tg_token_is_digit(token) || tg_token_is_char_of(token, ").,/")) {
        chem_take_token(self, TG_CHEM_ELEMENT, TRUE);
    } else if (tg_token_is_char(token, '-')) {
        self->state = TG_CHEM_AT_BARE_AMOUNT;
        tg_chem_flush(self);
        chem_minus(self);
    } else {
        tg_chem_flush(self);
        self->state = TG_CHEM_AT_START;
    }
}

static void chem_step(TgChemFormula *self)
{
    const TgTexToken *token = &self->in.tokens[self->i];

    switch (self->state) {
    case TG_CHEM_AT_START:
        step_start(self, token);
        break;
    case TG_CHEM_AT_ELEMENT:
        step_element(self, token);
        break;
    case TG_CHEM_AT_MINUS: /* no charge: something follows */
        tg_chem_flush(self);
        if (self->locant)
            tg_chem_add_latex(self->out, "\\text{-}", &self->minus);
        else
            put_bond(self, "-", &self->minus);
        self->locant = FALSE;
        self->state = TG_CHEM_AT_START;
        break;
    case TG_CHEM_AT_PARENTHESIS:
        if (!tg_token_is_digit(token))
            tg_chem_flush(self);
        self->state = tg_token_is_digit(token) ? TG_CHEM_AT_AMOUNT : TG_CHEM_AT_START;
        break;
    case TG_CHEM_AT_DOLLARS:
        if ((g_unichar_isupper(token->code) || tg_token_is_char_of(token, "([")) &&
            tg_chem_is_amount(tg_chem_part(self, TG_CHEM_ELEMENT)))
            put_latex(self, "\\,", token);
        self->state = TG_CHEM_AT_ELEMENT;
        break;
    case TG_CHEM_AT_AMOUNT:
    case TG_CHEM_AT_BARE_AMOUNT:
        step_amount(self, token);
        break;
    case TG_CHEM_AT_SUP:
        step_script(self, TG_CHEM_SUP, token, "", TG_CHEM_AT_ELEMENT);
        break;
    case TG_CHEM_AT_SUP_MORE:
        step_script_more(self, TG_CHEM_SUP, token, "+", TG_CHEM_AT_ELEMENT);
        break;
    case TG_CHEM_AT_SUB:
        step_script(self, TG_CHEM_SUB, token, "/", TG_CHEM_AT_ELEMENT);
        break;
    case TG_CHEM_AT_SUB_MORE:
        step_script_more(self, TG_CHEM_SUB, token, "/", TG_CHEM_AT_ELEMENT);
        break;
    case TG_CHEM_AT_PRESUP:
        step_script(self, TG_CHEM_PRESUP, token, "-", TG_CHEM_AT_START);
        break;
    case TG_CHEM_AT_PRESUP_MORE:
        step_script_more(self, TG_CHEM_PRESUP, token, "", TG_CHEM_AT_START);
        break;
    case TG_CHEM_AT_PRESUB:
        step_script(self, TG_CHEM_PRESUB, token, "-", TG_CHEM_AT_START);
        break;
    case TG_CHEM_AT_PRESUB_MORE:
        step_script_more(self, TG_CHEM_PRESUB, token, "", TG_CHEM_AT_START);
        break;
    }
}

/* White space or the end: - is a charge there, an amount has no space behind it, and a lone letter
 * before a space is a counter. */
static void chem_end_word(TgChemFormula *self, gboolean space)
{
    if (self->state == TG_CHEM_AT_MINUS && self->bond)
        put_bond(self, "-", &self->minus);
    else if (self->state == TG_CHEM_AT_MINUS)
        g_array_append_val(self->parts[TG_CHEM_SUP], self->minus);
    else if (self->state == TG_CHEM_AT_AMOUNT)
        self->state = TG_CHEM_AT_BARE_AMOUNT;
    else if (self->state == TG_CHEM_AT_ELEMENT && space && self->parts[TG_CHEM_ELEMENT]->len == 1 &&
             tg_chem_has_no(self, TG_CHEM_SUP) && tg_chem_has_no(self, TG_CHEM_SUB))
        self->counter =
            tg_chem_is_lower(&g_array_index(self->parts[TG_CHEM_ELEMENT], TgTexToken, 0));
    tg_chem_flush(self);
    if (space)
        put_latex(self, "\\,", &self->in.tokens[self->i++]);
    self->state = TG_CHEM_AT_START;
}

void tg_chem_formula(TgChemList *list, TgTexTokens tokens)
{
    TgChemFormula self = { .out = list, .in = tokens };

    for (guint part = 0; part < TG_N_CHEM_PARTS; part++)
        self.parts[part] = g_array_new(FALSE, FALSE, sizeof(TgTexToken));
    while (self.i < tokens.n && tg_parser_alive(list->parser)) {
        if (tokens.tokens[self.i].kind == TG_TOK_SPACE)
            chem_end_word(&self, TRUE);
        else
            chem_step(&self);
    }
    chem_end_word(&self, FALSE);
    for (guint part = 0; part < TG_N_CHEM_PARTS; part++)
        g_array_unref(self.parts[part]);
}
