/* A chemical formula as nodes. The states and what ends them are those of mhchem 4, so that both
 * read the same: digits behind an element are a subscript, before one an amount, and so on. */
#include "tokenizer/latex/chemistry.h"

typedef enum {
    CHEM_START,       /* nothing of an element yet */
    CHEM_ELEMENT,     /* inside or behind one */
    CHEM_PARENTHESIS, /* behind (, which may begin an amount */
    CHEM_DOLLARS,     /* behind $..$ at the start, which may be an amount */
    CHEM_AMOUNT,
    CHEM_BARE_AMOUNT, /* without a space behind it */
    CHEM_MINUS,       /* behind -, a bond or a charge */
    CHEM_SUP,         /* these six: before and behind the first token of a script */
    CHEM_SUP_MORE,
    CHEM_SUB,
    CHEM_SUB_MORE,
    CHEM_PRESUP,
    CHEM_PRESUP_MORE,
    CHEM_PRESUB,
    CHEM_PRESUB_MORE,
} ChemState;

enum { PART_ELEMENT, PART_SUP, PART_SUB, PART_PRESUP, PART_PRESUB, N_PARTS };

typedef struct {
    TgChemList *out;
    TgTexTokens in;
    guint32 i;
    ChemState state;
    GArray *parts[N_PARTS];  /* of TgTexToken */
    gboolean begun[N_PARTS]; /* a script has begun, perhaps without a token yet */
    gboolean sup_first;      /* the superscript was written before any subscript */
    gboolean counter;        /* the element is a number's letter: italic */
    gboolean locant;         /* the element written last is one: - behind it is a hyphen */
    gboolean takes_scripts;  /* the item written last is a bracket or a command */
    gboolean bond;           /* the formula began with - */
    TgTexToken minus;
} ChemFormula;

/* ---- Looking ------------------------------------------------------------------------------- */

static TgTexTokens chem_part(const ChemFormula *self, guint part)
{
    const GArray *tokens = self->parts[part];

    return (TgTexTokens){ (const TgTexToken *) tokens->data, tokens->len };
}

static gboolean part_is_empty(const ChemFormula *self, guint part)
{
    return self->parts[part]->len == 0;
}

static gboolean all_digits(TgTexTokens tokens)
{
    for (guint32 i = 0; i < tokens.n; i++) {
        if (!tg_token_is_digit(&tokens.tokens[i]))
            return FALSE;
    }
    return tokens.n > 0;
}

static gboolean all_of(TgTexTokens tokens, const char *characters)
{
    for (guint32 i = 0; i < tokens.n; i++) {
        if (!tg_token_is_char_of(&tokens.tokens[i], characters))
            return FALSE;
    }
    return tokens.n > 0;
}

/* @tokens without dollars around them. */
static TgTexTokens without_dollars(TgTexTokens tokens)
{
    if (tokens.n >= 2 && tokens.tokens[0].kind == TG_TOK_DOLLAR &&
        tokens.tokens[tokens.n - 1].kind == TG_TOK_DOLLAR)
        return tg_chem_slice(tokens, 1, tokens.n - 1);
    return tokens;
}

/* A lower-case letter, a number, (a number, a quotient: 1,2-, \alpha-, n-. */
static gboolean is_locant(TgTexTokens tokens)
{
    guint32 slash = 0;

    tokens = without_dollars(tokens);
    if (tokens.n == 1 &&
        (tg_chem_is_lower(tokens.tokens) ||
         (tg_chem_is_greek(tokens.tokens) && g_ascii_islower(tokens.tokens->text[1]))))
        return TRUE;
    if (tokens.n > 0 && tg_token_is_char(tokens.tokens, '('))
        tokens = tg_chem_slice(tokens, 1, tokens.n);
    while (slash < tokens.n && tg_token_is_digit(&tokens.tokens[slash]))
        slash++;
    return slash > 0 &&
           (slash == tokens.n || (tg_token_is_char(&tokens.tokens[slash], '/') &&
                                  all_digits(tg_chem_slice(tokens, slash + 1, tokens.n))));
}

/* A sum of at most two numbers and letters in dollars, which is an amount: $n$, $2-x$. */
static gboolean is_amount(TgTexTokens tokens)
{
    TgTexTokens inside = without_dollars(tokens);
    guint32 i = 0, letters = 0, signs = 0;

    if (inside.n == tokens.n || !all_of(inside, "0123456789+-abcdefghijklmnopqrstuvwxyz"))
        return FALSE;
    for (i = 0; i < inside.n; i++) {
        letters += tg_chem_is_lower(&inside.tokens[i]);
        signs += tg_token_is_char_of(&inside.tokens[i], "+-");
    }
    return letters > 0 && letters <= 3 && signs <= 2 &&
           (signs > 0 || (letters == 1 && inside.n == 1)) && tg_chem_is_counted(inside);
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* {..} in a formula is text. */
static void add_text(TgChemList *list, TgTexTokens group)
{
    TgParser *parser = list->parser;
    TgNode *text = tg_parser_node(parser, TG_NODE_TEXT, &group.tokens[0]);
    const TgFontState before = parser->font;

    parser->font.text = (TgTextFont){ .size = before.text.size };
    text->u.text.body =
        tg_parser_sublist(parser, tg_chem_slice(group, 1, group.n - 1), TRUE, &group.tokens[0]);
    parser->font = before;
    text->end = group.tokens[group.n - 1].end;
    text->u.text.scales = 1;
    text->u.text.align = 'c';
    tg_chem_add(list, text);
}

/* The element: upright letters, with text and mathematics between them. */
static TgNode *element_node(ChemFormula *self)
{
    const TgTexTokens tokens = chem_part(self, PART_ELEMENT);
    TgChemList list = { .parser = self->out->parser };

    for (guint32 i = 0, end; i < tokens.n; i = end) {
        const TgTexToken *token = &tokens.tokens[i];
        const gboolean plain =
            self->counter || tg_chem_is_greek(token) || tg_token_is_char_of(token, "()[]/|");

        end = tg_chem_end_of(tokens, i);
        if (token->kind == TG_TOK_OPEN) {
            add_text(&list, tg_chem_slice(tokens, i, end));
        } else if (token->kind == TG_TOK_DOLLAR) {
            tg_chem_add_math(&list, tg_chem_slice(tokens, i, end));
        } else if (plain) {
            tg_chem_add_run(&list, tg_chem_slice(tokens, i, end), TG_ALPHABET_DEFAULT);
        } else {
            while (end < tokens.n && tokens.tokens[end].kind == TG_TOK_CHAR)
                end++;
            tg_chem_add_run(&list, tg_chem_slice(tokens, i, end), TG_ALPHABET_RM);
        }
    }
    if (list.n == 1 && (list.first->kind == TG_NODE_TEXT || list.first->kind == TG_NODE_LIST ||
                        tg_token_is_char_of(tokens.tokens, "(")))
        return list.first;
    return tg_chem_take(&list, &tokens.tokens[0], &tokens.tokens[tokens.n - 1]);
}

/* A SCRIPTS with those of the two parts that have tokens. */
static TgNode *scripts_node(ChemFormula *self, guint sub, guint sup, TgScriptsForm form)
{
    TgParser *parser = self->out->parser;
    const TgTexToken *at =
        (const TgTexToken *) self->parts[part_is_empty(self, sup) ? sub : sup]->data;
    TgNode *node = tg_parser_node(parser, TG_NODE_SCRIPTS, at);

    if (!part_is_empty(self, sub))
        node->u.scripts.sub = tg_chem_script(parser, chem_part(self, sub), FALSE);
    if (!part_is_empty(self, sup))
        node->u.scripts.sup = tg_chem_script(parser, chem_part(self, sup), TRUE);
    node->u.scripts.form = (guint8) form;
    if (node->u.scripts.sub != NULL)
        node->start = MIN(node->start, node->u.scripts.sub->start);
    node->end = MAX(node->u.scripts.sub != NULL ? node->u.scripts.sub->end : 0,
                    node->u.scripts.sup != NULL ? node->u.scripts.sup->end : 0);
    return node;
}

/* How the scripts behind the element stand: side by side, or above each other as an index is that
 * was written X^2_3; roman numbers are oxidation states and come first. */
static TgScriptsForm scripts_form(const ChemFormula *self)
{
    if (self->sup_first && all_of(chem_part(self, PART_SUP), "IVX"))
        return TG_SCRIPTS_SUP_SUB;
    return self->sup_first && !part_is_empty(self, PART_SUB) ? TG_SCRIPTS_STACKED
                                                             : TG_SCRIPTS_SUB_SUP;
}

/* Hang @nucleus into @scripts; or, when the element has no letters, the item before. */
static void add_scripts(ChemFormula *self, TgNode *scripts, TgNode *nucleus)
{
    TgNode *last = self->out->last;

    if (nucleus == NULL && self->takes_scripts && last != NULL) {
        TgNode *inner = tg_parser_node(self->out->parser, TG_NODE_LIST,
                                       &(TgTexToken){ .start = last->start, .end = last->end });

        *inner = *last;
        inner->next = NULL;
        scripts->u.scripts.nucleus = inner;
        scripts->start = inner->start;
        *last = *scripts;
        return;
    }
    if (nucleus == NULL) { /* {}, so that no atom before gets them */
        nucleus = tg_parser_node(self->out->parser, TG_NODE_LIST,
                                 &(TgTexToken){ .start = scripts->start, .end = scripts->start });
        nucleus->u.list.braced = 1;
    }
    scripts->u.scripts.nucleus = nucleus;
    scripts->start = MIN(scripts->start, nucleus->start);
    tg_chem_add(self->out, scripts);
}

static void put_element(ChemFormula *self)
{
    const gboolean isotope = !part_is_empty(self, PART_PRESUP) || !part_is_empty(self, PART_PRESUB);
    const gboolean scripts = !part_is_empty(self, PART_SUP) || !part_is_empty(self, PART_SUB);

    if (isotope) {
        self->takes_scripts = FALSE;
        add_scripts(self, scripts_node(self, PART_PRESUB, PART_PRESUP, TG_SCRIPTS_BEFORE), NULL);
    }
    TgNode *element = part_is_empty(self, PART_ELEMENT) ? NULL : element_node(self);
    if (scripts)
        add_scripts(self, scripts_node(self, PART_SUB, PART_SUP, scripts_form(self)), element);
    else if (element != NULL)
        tg_chem_add(self->out, element);
    self->locant = !isotope && is_locant(chem_part(self, PART_ELEMENT));
    self->out->scripted = scripts;
}

/* A number, whose commas are decimal marks. */
static void add_number(TgChemList *list, TgTexTokens tokens)
{
    guint32 run = 0;

    for (guint32 i = 0; i < tokens.n; i++) {
        if (!tg_token_is_char(&tokens.tokens[i], ','))
            continue;
        tg_chem_add_run(list, tg_chem_slice(tokens, run, i), TG_ALPHABET_DEFAULT);
        tg_chem_add_latex(list, "{,}", &tokens.tokens[i]);
        run = i + 1;
    }
    tg_chem_add_run(list, tg_chem_slice(tokens, run, tokens.n), TG_ALPHABET_DEFAULT);
}

/* 1/2, whose slash is at @slash. */
static void add_quotient(TgChemList *list, TgTexTokens tokens, guint32 slash)
{
    const TgTexToken *first = &tokens.tokens[0], *last = &tokens.tokens[tokens.n - 1];
    TgNode *fraction = tg_parser_node(list->parser, TG_NODE_FRACTION, first);
    TgChemList num = { .parser = list->parser }, den = { .parser = list->parser };

    tg_chem_add_run(&num, tg_chem_slice(tokens, 0, slash), TG_ALPHABET_DEFAULT);
    tg_chem_add_run(&den, tg_chem_slice(tokens, slash + 1, tokens.n), TG_ALPHABET_DEFAULT);
    fraction->u.fraction.num = tg_chem_take(&num, first, &tokens.tokens[slash - 1]);
    fraction->u.fraction.den = tg_chem_take(&den, &tokens.tokens[slash + 1], last);
    fraction->u.fraction.has_bar = 1;
    fraction->u.fraction.style = TG_STYLE_INHERIT;
    fraction->u.fraction.align = 'c';
    fraction->end = last->end;
    fraction->token = tg_parser_ink(list->parser, &tokens.tokens[slash], 0);
    tg_chem_add(list, fraction);
}

/* An amount; 1/2 is a fraction. */
static void put_amount(ChemFormula *self)
{
    const TgTexTokens tokens = chem_part(self, PART_ELEMENT);
    const TgTexToken *at = &tokens.tokens[0];
    guint32 slash = 0;

    self->locant = is_locant(tokens);
    self->out->scripted = FALSE;
    while (slash < tokens.n && tg_token_is_digit(&tokens.tokens[slash]))
        slash++;
    if (slash > 0 && slash < tokens.n && tg_token_is_char(&tokens.tokens[slash], '/') &&
        all_digits(tg_chem_slice(tokens, slash + 1, tokens.n))) {
        add_quotient(self->out, tokens, slash);
    } else {
        add_number(self->out, tokens);
    }
    if (self->state == CHEM_AMOUNT)
        tg_chem_add_latex(self->out, "\\,", at);
}

/* Write the element with its scripts, if there is anything of it. */
static void chem_flush(ChemFormula *self)
{
    gboolean any = FALSE;

    for (guint part = 0; part < N_PARTS; part++)
        any |= !part_is_empty(self, part);
    if (any && (self->state == CHEM_AMOUNT || self->state == CHEM_BARE_AMOUNT))
        put_amount(self);
    else if (any)
        put_element(self);
    for (guint part = 0; part < N_PARTS; part++) {
        g_array_set_size(self->parts[part], 0);
        self->begun[part] = FALSE;
    }
    self->takes_scripts &= !any;
    self->sup_first = self->counter = FALSE;
}

/* ---- Items that stand for themselves ------------------------------------------------------- */

static void put_latex(ChemFormula *self, const char *latex, const TgTexToken *at)
{
    chem_flush(self);
    tg_chem_add_latex(self->out, latex, at);
    self->locant = self->takes_scripts = FALSE;
}

static void put_bond(ChemFormula *self, const char *sign, const TgTexToken *at)
{
    TgChemList bond = { .parser = self->out->parser };

    chem_flush(self);
    tg_chem_add_sign(&bond, sign, at);
    tg_chem_add(self->out, tg_chem_take(&bond, at, at));
    self->locant = self->takes_scripts = FALSE;
    self->state = CHEM_START;
}

/* A bracket or slash; those that close take scripts. */
static void put_bracket(ChemFormula *self, const TgTexToken *at, ChemState state)
{
    chem_flush(self);
    tg_chem_add_run(self->out, (TgTexTokens){ at, 1 }, TG_ALPHABET_DEFAULT);
    self->locant = FALSE;
    self->takes_scripts = state == CHEM_ELEMENT;
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
static void put_bond_command(ChemFormula *self, TgTexTokens command)
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
static void put_fraction(ChemFormula *self, TgTexTokens command)
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
static void put_command(ChemFormula *self)
{
    const TgTexToken *token = &self->in.tokens[self->i];
    guint32 end = self->i + 1;

    chem_flush(self);
    self->state = CHEM_ELEMENT;
    if (tg_chem_is_greek(token)) {
        g_array_append_val(self->parts[PART_ELEMENT], *token);
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
        self->state = CHEM_ELEMENT;
    } else if (tg_token_is_command(token, "frac")) {
        put_fraction(self, command);
    } else {
        tg_chem_add_run(self->out, command, TG_ALPHABET_DEFAULT);
    }
}

/* ---- The states ---------------------------------------------------------------------------- */

/* Take the next token into a part: a group without its braces, unless @braces. */
static void chem_take_token(ChemFormula *self, guint part, gboolean braces)
{
    const guint32 end = tg_chem_end_of(self->in, self->i);
    const gboolean inner = !braces && self->in.tokens[self->i].kind == TG_TOK_OPEN;

    if (end - self->i > 2 || !inner)
        g_array_append_vals(self->parts[part], &self->in.tokens[self->i + inner],
                            end - self->i - 2 * inner);
    self->i = end;
}

/* Begin a script, in an element of its own when this one has it already. */
static void begin_script(ChemFormula *self, guint part, ChemState state)
{
    if (self->begun[part])
        chem_flush(self);
    self->begun[part] = TRUE;
    self->state = state;
}

static void chem_minus(ChemFormula *self)
{
    self->minus = self->in.tokens[self->i++];
    self->state = CHEM_MINUS;
}

/* {..}, which is text; {} separates. */
static void chem_group(ChemFormula *self)
{
    chem_flush(self);
    if (tg_chem_end_of(self->in, self->i) - self->i <= 2) {
        self->i += 2;
        return;
    }
    self->state = CHEM_ELEMENT;
    chem_take_token(self, PART_ELEMENT, TRUE);
}

/* A character that mhchem does not know; it is set as it is. */
static void chem_stray(ChemFormula *self, const TgTexToken *token)
{
    tg_parser_error(self->out->parser, token, TG_PARSE_CHARACTER, "misplaced %.*s in \\ce",
                    TG_TOKEN_TEXT(token));
    put_bracket(self, token, CHEM_START);
}

/* = and #, + and the like: what means the same at the start and behind an element. */
static gboolean chem_sign(ChemFormula *self, const TgTexToken *token)
{
    if (tg_token_is_char(token, '=')) {
        put_bond(self, "=", token);
    } else if (token->kind == TG_TOK_HASH) {
        put_bond(self, "equiv", token);
    } else if (tg_token_is_char(token, '*') ||
               (tg_token_is_char(token, '.') && self->state == CHEM_ELEMENT)) {
        put_latex(self, "\\,{\\cdot}\\,", token);
        self->state = CHEM_START;
    } else if (tg_token_is_char_of(token, ")]/")) {
        put_bracket(self, token, CHEM_ELEMENT);
    } else if (tg_token_is_char(token, '[') ||
               (tg_token_is_char(token, '(') && self->state == CHEM_ELEMENT)) {
        put_bracket(self, token, CHEM_START);
    } else {
        return FALSE;
    }
    self->i++;
    return TRUE;
}

static void step_start(ChemFormula *self, const TgTexToken *token)
{
    if (token->kind == TG_TOK_COMMAND) {
        put_command(self);
    } else if (token->kind == TG_TOK_OPEN) {
        chem_group(self);
    } else if (token->kind == TG_TOK_DOLLAR) {
        self->state = CHEM_DOLLARS;
        chem_take_token(self, PART_ELEMENT, TRUE);
    } else if (tg_token_is_char(token, '-')) {
        chem_flush(self);
        self->bond = TRUE;
        chem_minus(self);
    } else if (token->kind == TG_TOK_SUP || tg_token_is_char(token, '+')) {
        begin_script(self, PART_PRESUP, CHEM_PRESUP);
        self->i += token->kind == TG_TOK_SUP;
    } else if (token->kind == TG_TOK_SUB) {
        begin_script(self, PART_PRESUB, CHEM_PRESUB);
        self->i++;
    } else if (tg_token_is_char(token, '(')) {
        chem_flush(self);
        self->state = CHEM_PARENTHESIS;
        chem_take_token(self, PART_ELEMENT, TRUE);
    } else if (tg_token_is_digit(token) || tg_token_is_char_of(token, ".,")) {
        chem_flush(self);
        self->state = CHEM_AMOUNT;
    } else if (tg_token_is_char(token, '|')) {
        put_bracket(self, token, CHEM_START);
        self->i++;
    } else if (token->kind == TG_TOK_CHAR && g_unichar_isalpha(token->code)) {
        self->state = CHEM_ELEMENT;
        chem_take_token(self, PART_ELEMENT, TRUE);
    } else if (!chem_sign(self, token)) {
        chem_stray(self, token);
        self->i++;
    }
}

/* A letter behind ^2 begins an element with that to its left: the isotope of H2^{18}O. */
static void move_to_isotope(ChemFormula *self)
{
    GArray *sup = self->parts[PART_SUP], *sub = self->parts[PART_SUB];

    self->parts[PART_SUP] = self->parts[PART_PRESUP];
    self->parts[PART_SUB] = self->parts[PART_PRESUB];
    self->parts[PART_PRESUP] = sup;
    self->parts[PART_PRESUB] = sub;
}

/* The same with what stands before the element kept out of the way while that is written. */
static void flush_before_isotope(ChemFormula *self)
{
    g_autoptr(GArray) sup = g_array_copy(self->parts[PART_SUP]);
    g_autoptr(GArray) sub = g_array_copy(self->parts[PART_SUB]);

    g_array_set_size(self->parts[PART_SUP], 0);
    g_array_set_size(self->parts[PART_SUB], 0);
    chem_flush(self);
    g_array_append_vals(self->parts[PART_SUP], sup->data, sup->len);
    g_array_append_vals(self->parts[PART_SUB], sub->data, sub->len);
    move_to_isotope(self);
    self->begun[PART_PRESUP] = TRUE;
    self->begun[PART_PRESUB] = sub->len > 0;
}

static void element_letter(ChemFormula *self)
{
    if (self->begun[PART_SUP] && all_digits(chem_part(self, PART_SUP)))
        flush_before_isotope(self);
    else if (self->begun[PART_SUP] || self->begun[PART_SUB])
        chem_flush(self);
    chem_take_token(self, PART_ELEMENT, TRUE);
}

static void step_element(ChemFormula *self, const TgTexToken *token)
{
    if (token->kind == TG_TOK_COMMAND) {
        put_command(self);
    } else if (token->kind == TG_TOK_OPEN) {
        chem_group(self);
    } else if (token->kind == TG_TOK_DOLLAR) {
        if (self->begun[PART_SUP] || self->begun[PART_SUB])
            chem_flush(self);
        chem_take_token(self, PART_ELEMENT, TRUE);
    } else if (tg_token_is_char(token, '-')) {
        chem_minus(self);
    } else if (token->kind == TG_TOK_SUP) {
        begin_script(self, PART_SUP, CHEM_SUP);
        self->sup_first = !self->begun[PART_SUB];
        self->i++;
    } else if (token->kind == TG_TOK_SUB) {
        begin_script(self, PART_SUB, CHEM_SUB);
        self->i++;
    } else if (tg_token_is_char(token, ',')) {
        put_latex(self, "{,}\\mkern3mu ", token);
        self->i++;
    } else if (tg_token_is_char(token, '+')) {
        self->begun[PART_SUP] = TRUE;
        self->sup_first = FALSE;
        self->state = CHEM_SUP;
    } else if (token->kind == TG_TOK_CHAR && g_unichar_isalpha(token->code)) {
        element_letter(self);
    } else if (tg_token_is_digit(token)) {
        begin_script(self, PART_SUB, CHEM_SUB);
    } else if (!chem_sign(self, token)) {
        chem_flush(self);
        self->state = CHEM_START;
    }
}

/* The first token of a script; digits go on. */
static void step_script(ChemFormula *self, guint part, const TgTexToken *token, const char *more,
                        ChemState behind)
{
    const gboolean goes_on = tg_token_is_digit(token) || tg_token_is_char_of(token, more);

    self->state = goes_on ? (ChemState) (self->state + 1) : behind;
    chem_take_token(self, part, FALSE);
}

static void step_script_more(ChemFormula *self, guint part, const TgTexToken *token,
                             const char *more, ChemState behind)
{
    if (tg_token_is_digit(token) || tg_token_is_char_of(token, more))
        chem_take_token(self, part, FALSE);
    else if (part == PART_SUP && tg_token_is_char(token, '-')) {
        if (is_locant(chem_part(self, PART_ELEMENT)))
            chem_minus(self);
        else
            chem_take_token(self, part, FALSE);
    } else
        self->state = behind;
}

static void step_amount(ChemFormula *self, const TgTexToken *token)
{
    if (tg_token_is_digit(token) || tg_token_is_char_of(token, ").,/")) {
        chem_take_token(self, PART_ELEMENT, TRUE);
    } else if (tg_token_is_char(token, '-')) {
        self->state = CHEM_BARE_AMOUNT;
        chem_flush(self);
        chem_minus(self);
    } else {
        chem_flush(self);
        self->state = CHEM_START;
    }
}

static void chem_step(ChemFormula *self)
{
    const TgTexToken *token = &self->in.tokens[self->i];

    switch (self->state) {
    case CHEM_START:
        step_start(self, token);
        break;
    case CHEM_ELEMENT:
        step_element(self, token);
        break;
    case CHEM_MINUS: /* no charge: something follows */
        chem_flush(self);
        if (self->locant)
            tg_chem_add_latex(self->out, "\\text{-}", &self->minus);
        else
            put_bond(self, "-", &self->minus);
        self->locant = FALSE;
        self->state = CHEM_START;
        break;
    case CHEM_PARENTHESIS:
        if (!tg_token_is_digit(token))
            chem_flush(self);
        self->state = tg_token_is_digit(token) ? CHEM_AMOUNT : CHEM_START;
        break;
    case CHEM_DOLLARS:
        if ((g_unichar_isupper(token->code) || tg_token_is_char_of(token, "([")) &&
            is_amount(chem_part(self, PART_ELEMENT)))
            put_latex(self, "\\,", token);
        self->state = CHEM_ELEMENT;
        break;
    case CHEM_AMOUNT:
    case CHEM_BARE_AMOUNT:
        step_amount(self, token);
        break;
    case CHEM_SUP:
        step_script(self, PART_SUP, token, "", CHEM_ELEMENT);
        break;
    case CHEM_SUP_MORE:
        step_script_more(self, PART_SUP, token, "+", CHEM_ELEMENT);
        break;
    case CHEM_SUB:
        step_script(self, PART_SUB, token, "/", CHEM_ELEMENT);
        break;
    case CHEM_SUB_MORE:
        step_script_more(self, PART_SUB, token, "/", CHEM_ELEMENT);
        break;
    case CHEM_PRESUP:
        step_script(self, PART_PRESUP, token, "-", CHEM_START);
        break;
    case CHEM_PRESUP_MORE:
        step_script_more(self, PART_PRESUP, token, "", CHEM_START);
        break;
    case CHEM_PRESUB:
        step_script(self, PART_PRESUB, token, "-", CHEM_START);
        break;
    case CHEM_PRESUB_MORE:
        step_script_more(self, PART_PRESUB, token, "", CHEM_START);
        break;
    }
}

/* White space or the end: - is a charge there, an amount has no space behind it, and a lone letter
 * before a space is a counter. */
static void chem_end_word(ChemFormula *self, gboolean space)
{
    if (self->state == CHEM_MINUS && self->bond)
        put_bond(self, "-", &self->minus);
    else if (self->state == CHEM_MINUS)
        g_array_append_val(self->parts[PART_SUP], self->minus);
    else if (self->state == CHEM_AMOUNT)
        self->state = CHEM_BARE_AMOUNT;
    else if (self->state == CHEM_ELEMENT && space && self->parts[PART_ELEMENT]->len == 1 &&
             part_is_empty(self, PART_SUP) && part_is_empty(self, PART_SUB))
        self->counter = tg_chem_is_lower(&g_array_index(self->parts[PART_ELEMENT], TgTexToken, 0));
    chem_flush(self);
    if (space)
        put_latex(self, "\\,", &self->in.tokens[self->i++]);
    self->state = CHEM_START;
}

void tg_chem_formula(TgChemList *list, TgTexTokens tokens)
{
    ChemFormula self = { .out = list, .in = tokens };

    for (guint part = 0; part < N_PARTS; part++)
        self.parts[part] = g_array_new(FALSE, FALSE, sizeof(TgTexToken));
    while (self.i < tokens.n && tg_parser_alive(list->parser)) {
        if (tokens.tokens[self.i].kind == TG_TOK_SPACE)
            chem_end_word(&self, TRUE);
        else
            chem_step(&self);
    }
    chem_end_word(&self, FALSE);
    for (guint part = 0; part < N_PARTS; part++)
        g_array_unref(self.parts[part]);
}
