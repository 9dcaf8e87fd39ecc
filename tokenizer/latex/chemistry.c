/* mhchem's \ce: a reaction is split into formulas, and these are written as nodes. The states of a
 * formula and what ends them are those of mhchem 4, so that both read the same. */
#include "tokenizer/latex/parser.h"

/* A list of the tree being written at its end. */
typedef struct {
    TgParser *parser;
    TgNode *first, *last;
    guint32 n;
    gboolean scripted; /* the last element has a script */
} List;

/* Where in a formula reading is. */
typedef enum {
    AT_START,       /* nothing of an element yet */
    AT_ELEMENT,     /* inside or behind one */
    AT_PARENTHESIS, /* behind (, which may begin an amount */
    AT_DOLLARS,     /* behind $..$ at the start, which may be an amount */
    AT_AMOUNT,
    AT_BARE_AMOUNT, /* without a space behind it */
    AT_MINUS,       /* behind -, a bond or a charge */
    AT_SUP,         /* these six: before and behind the first token of a script */
    AT_SUP_MORE,
    AT_SUB,
    AT_SUB_MORE,
    AT_PRESUP,
    AT_PRESUP_MORE,
    AT_PRESUB,
    AT_PRESUB_MORE,
} State;

/* What is collected of an element until it is written. */
typedef enum {
    ELEMENT,
    SUP,
    SUB,
    PRESUP,
    PRESUB,
    N_PARTS,
} Part;

/* A formula being read. */
typedef struct {
    List *out;
    TgTexTokens in;
    guint32 i;
    State state;
    GArray *parts[N_PARTS];  /* of TgTexToken */
    gboolean begun[N_PARTS]; /* a script has begun, perhaps without a token yet */
    gboolean sup_first;      /* the superscript was written before any subscript */
    gboolean counter;        /* the element is a number's letter: italic */
    gboolean locant;         /* the element written last is one: - behind it is a hyphen */
    gboolean takes_scripts;  /* the item written last is a bracket or a command */
    gboolean bond;           /* the formula began with - */
    TgTexToken minus;
} Formula;

static inline TgTexTokens part_of(const Formula *self, Part part)
{
    const GArray *tokens = self->parts[part];

    return (TgTexTokens){ (const TgTexToken *) tokens->data, tokens->len };
}

static inline gboolean has_no(const Formula *self, Part part)
{
    return self->parts[part]->len == 0;
}

/* @tokens from @from up to @to. */
static inline TgTexTokens slice(TgTexTokens tokens, guint32 from, guint32 to)
{
    return (TgTexTokens){ tokens.tokens + from, to - from };
}

static inline gboolean is_lower(const TgTexToken *token)
{
    return token->kind == TG_TOK_CHAR && token->code >= 'a' && token->code <= 'z';
}

/* ---- Lists of nodes -------------------------------------------------------------------------- */

static void add(List *self, TgNode *node)
{
    if (self->last != NULL)
        self->last->next = node;
    else
        self->first = node;
    self->last = node;
    self->n++;
}

/* Add @tokens, read as mathematics; letters are in @alphabet. */
static void add_run(List *self, TgTexTokens tokens, TgAlphabet alphabet)
{
    TgParser *parser = self->parser;
    const TgFontState before = parser->font;

    if (tokens.n == 0)
        return;
    parser->font.alphabet = alphabet;
    const TgNode *list = tg_parser_sublist(parser, tokens, FALSE, &tokens.tokens[tokens.n - 1]);
    parser->font = before;
    if (list->u.list.first == NULL)
        return;
    if (self->last != NULL)
        self->last->next = list->u.list.first;
    else
        self->first = (TgNode *) list->u.list.first; /* the tree is still being built */
    self->last = parser->tail;
    self->n += list->u.list.n_items;
}

/* Add constant LaTeX at the place of @at. */
static void add_latex(List *self, const char *latex, const TgTexToken *at)
{
    add_run(self, tg_expander_lex(&self->parser->in, latex, strlen(latex), at),
            TG_ALPHABET_DEFAULT);
}

/* Add the symbol @name at the place of @at, set as mhchem does. */
static void add_sign(List *self, const char *name, const TgTexToken *at)
{
    const TgSymbol *symbol = name[1] == '\0' ? tg_symbol_find_char((guchar) name[0])
                                             : tg_symbol_find(name, strlen(name));
    const TgFontState before = self->parser->font;

    self->parser->font.alphabet = TG_ALPHABET_DEFAULT;
    TgNode *node = tg_parser_symbol_node(self->parser, at, symbol, symbol->codepoint);
    self->parser->font = before;
    node->u.symbol.chemistry = 1;
    add(self, node);
}

/* The items as a {group} that spans @from to @to. */
static TgNode *take(List *self, const TgTexToken *from, const TgTexToken *to)
{
    TgNode *list = tg_parser_node(self->parser, TG_NODE_LIST, from);

    list->end = MAX(from->end, to->end);
    list->u.list.first = self->first;
    list->u.list.n_items = self->n;
    list->u.list.braced = 1;
    self->first = self->last = NULL;
    self->n = 0;
    return list;
}

/* Where what begins at @at ends: behind a {group}, behind `$..$`, or behind the token. */
static guint32 end_of(TgTexTokens tokens, guint32 at)
{
    const TgTexToken *first = &tokens.tokens[at];
    guint depth = 0;

    if (first->kind != TG_TOK_OPEN && first->kind != TG_TOK_DOLLAR)
        return at + 1;
    for (at += first->kind == TG_TOK_DOLLAR; at < tokens.n; at++) {
        const TgTexToken *token = &tokens.tokens[at];

        if (token->kind == TG_TOK_DOLLAR && first->kind == TG_TOK_DOLLAR && depth == 0)
            return at + 1;
        depth += token->kind == TG_TOK_OPEN;
        if (token->kind == TG_TOK_CLOSE && depth > 0 && --depth == 0 && first->kind == TG_TOK_OPEN)
            return at + 1;
    }
    return tokens.n;
}

/* ---- Scripts, and mathematics in them -------------------------------------------------------- */

/*
 * Whether @tokens are signs and single lower-case letters (n+1), which are then italic.
 */
static gboolean is_counted(TgTexTokens tokens)
{
    gboolean after_letter = FALSE, any = FALSE;

    for (guint32 i = 0; i < tokens.n; i++) {
        const TgTexToken *token = &tokens.tokens[i];
        const gboolean letter = is_lower(token);

        if (!letter && !tg_token_is_char_of(token, "0123456789+-,.()") &&
            token->kind != TG_TOK_SPACE)
            return FALSE;
        if (letter && after_letter)
            return FALSE;
        after_letter = letter;
        any |= letter;
    }
    return any;
}

/* ---- Mathematics --------------------------------------------------------------------------- */

/* Whether @token is a Greek letter, as a command. */
static gboolean is_greek(const TgTexToken *token)
{
    static const char *const names[] = {
        "alpha",   "beta",   "gamma", "delta",   "epsilon", "zeta",  "eta",   "theta", "iota",
        "kappa",   "lambda", "mu",    "nu",      "xi",      "pi",    "rho",   "sigma", "tau",
        "upsilon", "phi",    "chi",   "psi",     "omega",   "Gamma", "Delta", "Theta", "Lambda",
        "Xi",      "Pi",     "Sigma", "Upsilon", "Phi",     "Psi",   "Omega",
    };

    return tg_token_is_command_of(token, names, G_N_ELEMENTS(names));
}

/* A counter such as n+1: letters, Greek, digits, signs. */
static gboolean is_counter(TgTexTokens tokens)
{
    for (guint32 i = 0; i < tokens.n; i++) {
        const TgTexToken *token = &tokens.tokens[i];

        if (token->kind != TG_TOK_SPACE && !is_greek(token) &&
            !(token->kind == TG_TOK_CHAR && (g_ascii_isalnum((gchar) MIN(token->code, 0x7F)) ||
                                             tg_token_is_char_of(token, "+-,.()"))))
            return FALSE;
    }
    return tokens.n > 0;
}

/* The signs of a counter are no operators: mhchem sets no space at them. */
static void add_counter(List *self, TgTexTokens tokens)
{
    for (guint32 i = 0; i < tokens.n; i++) {
        const TgTexToken *token = &tokens.tokens[i];

        if (tg_token_is_char_of(token, "+-,")) {
            List sign = { .parser = self->parser };

            add_run(&sign, slice(tokens, i, i + 1), TG_ALPHABET_DEFAULT);
            add(self, take(&sign, token, token));
        } else {
            add_run(self, slice(tokens, i, i + 1), TG_ALPHABET_DEFAULT);
        }
    }
}

/* Add `$..$` (with its dollars): a counter without spaces, or mathematics. */
static void add_math(List *self, TgTexTokens tokens)
{
    const TgTexToken *open = &tokens.tokens[0], *close = &tokens.tokens[tokens.n - 1];
    const TgTexTokens inside = slice(tokens, 1, MAX(tokens.n - (close->kind == TG_TOK_DOLLAR), 1));
    TgParser *parser = self->parser;

    if (is_counter(inside)) {
        List list = { .parser = parser };

        add_counter(&list, inside);
        add(self, take(&list, open, close));
        return;
    }
    const TgFontState before = parser->font;
    TgNode *math = tg_parser_node(parser, TG_NODE_MATH, open);
    TgNode *text = tg_parser_node(parser, TG_NODE_TEXT, open);

    parser->font.alphabet = TG_ALPHABET_DEFAULT;
    math->u.body.body = tg_parser_sublist(parser, inside, FALSE, open);
    parser->font = before;
    math->end = text->end = MAX(open->end, close->end); /* what is read again can lie anywhere */
    text->u.text.body = tg_parser_list_of(parser, math);
    text->u.text.scales = 1;
    text->u.text.align = 'c';
    add(self, text);
}

/* ---- Scripts ------------------------------------------------------------------------------- */

/* , between numbers is a decimal mark, else there is a little space behind it. */
static void add_comma(List *self, TgTexTokens tokens, guint32 i)
{
    const gboolean decimal = i > 0 && tg_token_is_digit(&tokens.tokens[i - 1]) &&
                             i + 1 < tokens.n && tg_token_is_digit(&tokens.tokens[i + 1]);

    add_latex(self, decimal ? "{,}" : "{,}\\mkern1mu ", &tokens.tokens[i]);
}

/* The point of a superscript is that of a number between digits, else a radical's. */
static gboolean is_radical(TgTexTokens tokens, guint32 i)
{
    return !(i > 0 && tg_token_is_digit(&tokens.tokens[i - 1]) && i + 1 < tokens.n &&
             tg_token_is_digit(&tokens.tokens[i + 1]));
}

/* Whether the token at @i means something else in a script than by itself. */
static gboolean is_special(TgTexTokens tokens, guint32 i, gboolean sup, gboolean counted)
{
    const TgTexToken *token = &tokens.tokens[i];

    return token->kind == TG_TOK_DOLLAR || (tg_token_is_char(token, ',') && (sup || !counted)) ||
           (sup && tg_token_is_char(token, '*')) ||
           (sup && tg_token_is_char(token, '.') && is_radical(tokens, i)) ||
           (counted && is_lower(token));
}

static void add_special(List *self, TgTexTokens tokens, guint32 i, guint32 end)
{
    const TgTexToken *token = &tokens.tokens[i];

    if (token->kind == TG_TOK_DOLLAR)
        add_math(self, slice(tokens, i, end));
    else if (tg_token_is_char(token, ','))
        add_comma(self, tokens, i);
    else if (tg_token_is_char(token, '.'))
        add_latex(self, "\\bullet ", token);
    else if (tg_token_is_char(token, '*'))
        add_latex(self, "\\ast ", token);
    else
        add_run(self, slice(tokens, i, end), TG_ALPHABET_DEFAULT);
}

/* Letters are upright; digits and signs are that anyway. */
static void add_upright(List *self, TgTexTokens tokens)
{
    gboolean letters = FALSE;

    for (guint32 i = 0; i < tokens.n; i++)
        letters |= tokens.tokens[i].kind != TG_TOK_CHAR || g_unichar_isalpha(tokens.tokens[i].code);
    add_run(self, tokens, letters ? TG_ALPHABET_RM : TG_ALPHABET_DEFAULT);
}

/* (g), a state of aggregation. */
static gboolean is_state(TgTexTokens tokens)
{
    return tokens.n == 3 && tg_token_is_char(&tokens.tokens[0], '(') &&
           is_lower(&tokens.tokens[1]) && tg_token_is_char(&tokens.tokens[2], ')');
}

/* The tokens of a script as LIST; @sup: points are radicals, asterisks excited states. */
static TgNode *script(TgParser *parser, TgTexTokens tokens, gboolean sup)
{
    const gboolean counted = is_counted(tokens) && (sup || !is_state(tokens));
    List list = { .parser = parser };
    guint32 run = 0;

    for (guint32 i = 0, end; i < tokens.n; i = end) {
        end = end_of(tokens, i);
        if (!is_special(tokens, i, sup, counted))
            continue;
        add_upright(&list, slice(tokens, run, i));
        run = end;
        add_special(&list, tokens, i, end);
    }
    add_upright(&list, slice(tokens, run, tokens.n));
    TgNode *node = take(&list, &tokens.tokens[0], &tokens.tokens[tokens.n - 1]);
    node->u.list.braced = 0;
    return node;
}

/* ---- Elements -------------------------------------------------------------------------------- */

/* ---- Looking ------------------------------------------------------------------------------- */

/* Whether @tokens are digits and nothing else. */
static gboolean is_number(TgTexTokens tokens)
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
        return slice(tokens, 1, tokens.n - 1);
    return tokens;
}

/* A lower-case letter, a number, (a number, a quotient: 1,2-, \alpha-, n-. */
static gboolean is_locant(TgTexTokens tokens)
{
    guint32 slash = 0;

    tokens = without_dollars(tokens);
    if (tokens.n == 1 && (is_lower(tokens.tokens) ||
                          (is_greek(tokens.tokens) && g_ascii_islower(tokens.tokens->text[1]))))
        return TRUE;
    if (tokens.n > 0 && tg_token_is_char(tokens.tokens, '('))
        tokens = slice(tokens, 1, tokens.n);
    while (slash < tokens.n && tg_token_is_digit(&tokens.tokens[slash]))
        slash++;
    return slash > 0 && (slash == tokens.n || (tg_token_is_char(&tokens.tokens[slash], '/') &&
                                               is_number(slice(tokens, slash + 1, tokens.n))));
}

/* A sum of at most two numbers and letters in dollars, which is an amount: $n$, $2-x$. */
static gboolean is_amount(TgTexTokens tokens)
{
    TgTexTokens inside = without_dollars(tokens);
    guint32 i = 0, letters = 0, signs = 0;

    if (inside.n == tokens.n || !all_of(inside, "0123456789+-abcdefghijklmnopqrstuvwxyz"))
        return FALSE;
    for (i = 0; i < inside.n; i++) {
        letters += is_lower(&inside.tokens[i]);
        signs += tg_token_is_char_of(&inside.tokens[i], "+-");
    }
    return letters > 0 && letters <= 3 && signs <= 2 &&
           (signs > 0 || (letters == 1 && inside.n == 1)) && is_counted(inside);
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* {..} in a formula is text. */
static void add_text(List *list, TgTexTokens group)
{
    TgParser *parser = list->parser;
    TgNode *text = tg_parser_node(parser, TG_NODE_TEXT, &group.tokens[0]);
    const TgFontState before = parser->font;

    parser->font.text = (TgTextFont){ .size = before.text.size };
    text->u.text.body =
        tg_parser_sublist(parser, slice(group, 1, group.n - 1), TRUE, &group.tokens[0]);
    parser->font = before;
    text->end = MAX(text->end, group.tokens[group.n - 1].end);
    text->u.text.scales = 1;
    text->u.text.align = 'c';
    add(list, text);
}

/* The element: upright letters, with text and mathematics between them. */
static TgNode *element_node(Formula *self)
{
    const TgTexTokens tokens = part_of(self, ELEMENT);
    List list = { .parser = self->out->parser };

    for (guint32 i = 0, end; i < tokens.n; i = end) {
        const TgTexToken *token = &tokens.tokens[i];
        const gboolean plain =
            self->counter || is_greek(token) || tg_token_is_char_of(token, "()[]/|");

        end = end_of(tokens, i);
        if (token->kind == TG_TOK_OPEN) {
            add_text(&list, slice(tokens, i, end));
        } else if (token->kind == TG_TOK_DOLLAR) {
            add_math(&list, slice(tokens, i, end));
        } else if (plain) {
            add_run(&list, slice(tokens, i, end), TG_ALPHABET_DEFAULT);
        } else {
            while (end < tokens.n && tokens.tokens[end].kind == TG_TOK_CHAR)
                end++;
            add_run(&list, slice(tokens, i, end), TG_ALPHABET_RM);
        }
    }
    if (list.n == 1 && (list.first->kind == TG_NODE_TEXT || list.first->kind == TG_NODE_LIST ||
                        tg_token_is_char_of(tokens.tokens, "(")))
        return list.first;
    return take(&list, &tokens.tokens[0], &tokens.tokens[tokens.n - 1]);
}

/* A SCRIPTS with those of the two parts that have tokens. */
static TgNode *scripts_node(Formula *self, guint sub, guint sup, TgScriptsForm form)
{
    TgParser *parser = self->out->parser;
    const TgTexToken *at = (const TgTexToken *) self->parts[has_no(self, sup) ? sub : sup]->data;
    TgNode *node = tg_parser_node(parser, TG_NODE_SCRIPTS, at);

    if (!has_no(self, sub))
        node->u.scripts.sub = script(parser, part_of(self, sub), FALSE);
    if (!has_no(self, sup))
        node->u.scripts.sup = script(parser, part_of(self, sup), TRUE);
    node->u.scripts.form = (guint8) form;
    if (node->u.scripts.sub != NULL)
        node->start = MIN(node->start, node->u.scripts.sub->start);
    node->end = MAX(node->u.scripts.sub != NULL ? node->u.scripts.sub->end : 0,
                    node->u.scripts.sup != NULL ? node->u.scripts.sup->end : 0);
    return node;
}

/* How the scripts behind the element stand: side by side, or above each other as an index is that
 * was written X^2_3; roman numbers are oxidation states and come first. */
static TgScriptsForm scripts_form(const Formula *self)
{
    if (self->sup_first && all_of(part_of(self, SUP), "IVX"))
        return TG_SCRIPTS_SUP_SUB;
    return self->sup_first && !has_no(self, SUB) ? TG_SCRIPTS_STACKED : TG_SCRIPTS_SUB_SUP;
}

/* Hang @nucleus into @scripts; or, when the element has no letters, the item before. */
static void add_scripts(Formula *self, TgNode *scripts, TgNode *nucleus)
{
    TgNode *last = self->out->last;

    if (nucleus == NULL && self->takes_scripts && last != NULL && tg_parser_takes_scripts(last)) {
        TgNode *inner = tg_parser_node(self->out->parser, TG_NODE_LIST,
                                       &(TgTexToken){ .start = last->start, .end = last->end });

        *inner = *last;
        inner->next = NULL;
        scripts->u.scripts.nucleus = inner;
        scripts->start = MIN(scripts->start, inner->start);
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
    add(self->out, scripts);
}

static void put_element(Formula *self)
{
    const gboolean isotope = !has_no(self, PRESUP) || !has_no(self, PRESUB);
    const gboolean scripts = !has_no(self, SUP) || !has_no(self, SUB);

    if (isotope) {
        self->takes_scripts = FALSE;
        add_scripts(self, scripts_node(self, PRESUB, PRESUP, TG_SCRIPTS_BEFORE), NULL);
    }
    TgNode *element = has_no(self, ELEMENT) ? NULL : element_node(self);
    if (scripts)
        add_scripts(self, scripts_node(self, SUB, SUP, scripts_form(self)), element);
    else if (element != NULL)
        add(self->out, element);
    self->locant = !isotope && is_locant(part_of(self, ELEMENT));
    self->out->scripted = scripts;
}

/* A number, whose commas are decimal marks. */
static void add_number(List *list, TgTexTokens tokens)
{
    guint32 run = 0;

    for (guint32 i = 0; i < tokens.n; i++) {
        if (!tg_token_is_char(&tokens.tokens[i], ','))
            continue;
        add_run(list, slice(tokens, run, i), TG_ALPHABET_DEFAULT);
        add_latex(list, "{,}", &tokens.tokens[i]);
        run = i + 1;
    }
    add_run(list, slice(tokens, run, tokens.n), TG_ALPHABET_DEFAULT);
}

/* 1/2, whose slash is at @slash. */
static void add_quotient(List *list, TgTexTokens tokens, guint32 slash)
{
    const TgTexToken *first = &tokens.tokens[0], *last = &tokens.tokens[tokens.n - 1];
    TgNode *fraction = tg_parser_node(list->parser, TG_NODE_FRACTION, first);
    List num = { .parser = list->parser }, den = { .parser = list->parser };

    add_run(&num, slice(tokens, 0, slash), TG_ALPHABET_DEFAULT);
    add_run(&den, slice(tokens, slash + 1, tokens.n), TG_ALPHABET_DEFAULT);
    fraction->u.fraction.num = take(&num, first, &tokens.tokens[slash - 1]);
    fraction->u.fraction.den = take(&den, &tokens.tokens[slash + 1], last);
    fraction->u.fraction.has_bar = 1;
    fraction->u.fraction.style = TG_STYLE_INHERIT;
    fraction->u.fraction.align = 'c';
    fraction->end = MAX(first->end, last->end);
    fraction->token = tg_parser_ink(list->parser, &tokens.tokens[slash], 0);
    add(list, fraction);
}

/* An amount; 1/2 is a fraction. */
static void put_amount(Formula *self)
{
    const TgTexTokens tokens = part_of(self, ELEMENT);
    const TgTexToken *at = &tokens.tokens[0];
    guint32 slash = 0;

    self->locant = is_locant(tokens);
    self->out->scripted = FALSE;
    while (slash < tokens.n && tg_token_is_digit(&tokens.tokens[slash]))
        slash++;
    if (slash > 0 && slash < tokens.n && tg_token_is_char(&tokens.tokens[slash], '/') &&
        is_number(slice(tokens, slash + 1, tokens.n))) {
        add_quotient(self->out, tokens, slash);
    } else {
        add_number(self->out, tokens);
    }
    if (self->state == AT_AMOUNT)
        add_latex(self->out, "\\,", at);
}

/* Write the element with its scripts, if there is anything of it. */
static void flush(Formula *self)
{
    gboolean any = FALSE;

    for (guint part = 0; part < N_PARTS; part++)
        any |= !has_no(self, part);
    if (any && (self->state == AT_AMOUNT || self->state == AT_BARE_AMOUNT))
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

/* ---- Formulas -------------------------------------------------------------------------------- */

/* ---- Items that stand for themselves ------------------------------------------------------- */

static void put_latex(Formula *self, const char *latex, const TgTexToken *at)
{
    flush(self);
    add_latex(self->out, latex, at);
    self->locant = self->takes_scripts = FALSE;
}

static void put_bond(Formula *self, const char *sign, const TgTexToken *at)
{
    List bond = { .parser = self->out->parser };

    flush(self);
    add_sign(&bond, sign, at);
    add(self->out, take(&bond, at, at));
    self->locant = self->takes_scripts = FALSE;
    self->state = AT_START;
}

/* A bracket or slash; those that close take scripts. */
static void put_bracket(Formula *self, const TgTexToken *at, State state)
{
    flush(self);
    add_run(self->out, (TgTexTokens){ at, 1 }, TG_ALPHABET_DEFAULT);
    self->locant = FALSE;
    self->takes_scripts = state == AT_ELEMENT;
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
static void put_bond_command(Formula *self, TgTexTokens command)
{
    TgTexToken at = command.tokens[0];
    const TgTexTokens group =
        command.n > 2 ? slice(command, 2, command.n - 1) : (TgTexTokens){ NULL, 0 };
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
static void put_fraction(Formula *self, TgTexTokens command)
{
    GArray *tokens = g_array_new(FALSE, FALSE, sizeof(TgTexToken));
    TgTexToken ce = command.tokens[0], open = ce, close = ce;

    ce.text = "\\ce", ce.len = 3;
    open.kind = TG_TOK_OPEN, open.text = "{", open.len = 1;
    close.kind = TG_TOK_CLOSE, close.text = "}", close.len = 1;
    g_array_append_val(tokens, command.tokens[0]);
    for (guint32 i = 1, end; i < command.n; i = end) {
        end = end_of(command, i);
        g_array_append_val(tokens, open);
        g_array_append_val(tokens, ce);
        g_array_append_vals(tokens, &command.tokens[i], end - i);
        g_array_append_val(tokens, close);
    }
    add_run(self->out, (TgTexTokens){ (const TgTexToken *) tokens->data, tokens->len },
            TG_ALPHABET_DEFAULT);
    g_array_unref(tokens);
}

/* A command with the groups behind it is mathematics; Greek letters begin an element. */
static void put_command(Formula *self)
{
    const TgTexToken *token = &self->in.tokens[self->i];
    guint32 end = self->i + 1;

    flush(self);
    self->state = AT_ELEMENT;
    if (is_greek(token)) {
        g_array_append_val(self->parts[ELEMENT], *token);
        self->i++;
        return;
    }
    while (end < self->in.n && self->in.tokens[end].kind == TG_TOK_OPEN)
        end = end_of(self->in, end);
    const TgTexTokens command = slice(self->in, self->i, end);
    self->i = end;
    self->locant = FALSE;
    self->takes_scripts = TRUE;
    if (tg_token_is_command(token, "bond")) {
        put_bond_command(self, command);
        self->state = AT_ELEMENT;
    } else if (tg_token_is_command(token, "frac")) {
        put_fraction(self, command);
    } else {
        add_run(self->out, command, TG_ALPHABET_DEFAULT);
    }
}

/* ---- The states ---------------------------------------------------------------------------- */

/* Take the next token into a part: a group without its braces, unless @braces. */
static void chem_take_token(Formula *self, guint part, gboolean braces)
{
    const guint32 end = end_of(self->in, self->i);
    const gboolean inner = !braces && self->in.tokens[self->i].kind == TG_TOK_OPEN;

    if (end - self->i > 2 || !inner)
        g_array_append_vals(self->parts[part], &self->in.tokens[self->i + inner],
                            end - self->i - 2 * inner);
    self->i = end;
}

/* Begin a script, in an element of its own when this one has it already. */
static void begin_script(Formula *self, guint part, State state)
{
    if (self->begun[part])
        flush(self);
    self->begun[part] = TRUE;
    self->state = state;
}

static void chem_minus(Formula *self)
{
    self->minus = self->in.tokens[self->i++];
    self->state = AT_MINUS;
}

/* {..}, which is text; {} separates. */
static void chem_group(Formula *self)
{
    flush(self);
    if (end_of(self->in, self->i) - self->i <= 2) {
        self->i += 2;
        return;
    }
    self->state = AT_ELEMENT;
    chem_take_token(self, ELEMENT, TRUE);
}

/* A character that mhchem does not know; it is set as it is. */
static void chem_stray(Formula *self, const TgTexToken *token)
{
    tg_parser_error(self->out->parser, token, TG_PARSE_CHARACTER, "misplaced %.*s in \\ce",
                    TG_TOKEN_TEXT(token));
    put_bracket(self, token, AT_START);
}

/* = and #, + and the like: what means the same at the start and behind an element. */
static gboolean chem_sign(Formula *self, const TgTexToken *token)
{
    if (tg_token_is_char(token, '=')) {
        put_bond(self, "=", token);
    } else if (token->kind == TG_TOK_HASH) {
        put_bond(self, "equiv", token);
    } else if (tg_token_is_char(token, '*') ||
               (tg_token_is_char(token, '.') && self->state == AT_ELEMENT)) {
        put_latex(self, "\\,{\\cdot}\\,", token);
        self->state = AT_START;
    } else if (tg_token_is_char_of(token, ")]/")) {
        put_bracket(self, token, AT_ELEMENT);
    } else if (tg_token_is_char(token, '[') ||
               (tg_token_is_char(token, '(') && self->state == AT_ELEMENT)) {
        put_bracket(self, token, AT_START);
    } else {
        return FALSE;
    }
    self->i++;
    return TRUE;
}

static void step_start(Formula *self, const TgTexToken *token)
{
    if (token->kind == TG_TOK_COMMAND) {
        put_command(self);
    } else if (token->kind == TG_TOK_OPEN) {
        chem_group(self);
    } else if (token->kind == TG_TOK_DOLLAR) {
        self->state = AT_DOLLARS;
        chem_take_token(self, ELEMENT, TRUE);
    } else if (tg_token_is_char(token, '-')) {
        flush(self);
        self->bond = TRUE;
        chem_minus(self);
    } else if (token->kind == TG_TOK_SUP || tg_token_is_char(token, '+')) {
        begin_script(self, PRESUP, AT_PRESUP);
        self->i += token->kind == TG_TOK_SUP;
    } else if (token->kind == TG_TOK_SUB) {
        begin_script(self, PRESUB, AT_PRESUB);
        self->i++;
    } else if (tg_token_is_char(token, '(')) {
        flush(self);
        self->state = AT_PARENTHESIS;
        chem_take_token(self, ELEMENT, TRUE);
    } else if (tg_token_is_digit(token) || tg_token_is_char_of(token, ".,")) {
        flush(self);
        self->state = AT_AMOUNT;
    } else if (tg_token_is_char(token, '|')) {
        put_bracket(self, token, AT_START);
        self->i++;
    } else if (token->kind == TG_TOK_CHAR && g_unichar_isalpha(token->code)) {
        self->state = AT_ELEMENT;
        chem_take_token(self, ELEMENT, TRUE);
    } else if (!chem_sign(self, token)) {
        chem_stray(self, token);
        self->i++;
    }
}

/* A letter behind ^2 begins an element with that to its left: the isotope of H2^{18}O. */
static void move_to_isotope(Formula *self)
{
    GArray *sup = self->parts[SUP], *sub = self->parts[SUB];

    self->parts[SUP] = self->parts[PRESUP];
    self->parts[SUB] = self->parts[PRESUB];
    self->parts[PRESUP] = sup;
    self->parts[PRESUB] = sub;
}

/* The same with what stands before the element kept out of the way while that is written. */
static void flush_before_isotope(Formula *self)
{
    g_autoptr(GArray) sup = g_array_copy(self->parts[SUP]);
    g_autoptr(GArray) sub = g_array_copy(self->parts[SUB]);

    g_array_set_size(self->parts[SUP], 0);
    g_array_set_size(self->parts[SUB], 0);
    flush(self);
    g_array_append_vals(self->parts[SUP], sup->data, sup->len);
    g_array_append_vals(self->parts[SUB], sub->data, sub->len);
    move_to_isotope(self);
    self->begun[PRESUP] = TRUE;
    self->begun[PRESUB] = sub->len > 0;
}

static void element_letter(Formula *self)
{
    if (self->begun[SUP] && is_number(part_of(self, SUP)))
        flush_before_isotope(self);
    else if (self->begun[SUP] || self->begun[SUB])
        flush(self);
    chem_take_token(self, ELEMENT, TRUE);
}

static void step_element(Formula *self, const TgTexToken *token)
{
    if (token->kind == TG_TOK_COMMAND) {
        put_command(self);
    } else if (token->kind == TG_TOK_OPEN) {
        chem_group(self);
    } else if (token->kind == TG_TOK_DOLLAR) {
        if (self->begun[SUP] || self->begun[SUB])
            flush(self);
        chem_take_token(self, ELEMENT, TRUE);
    } else if (tg_token_is_char(token, '-')) {
        chem_minus(self);
    } else if (token->kind == TG_TOK_SUP) {
        begin_script(self, SUP, AT_SUP);
        self->sup_first = !self->begun[SUB];
        self->i++;
    } else if (token->kind == TG_TOK_SUB) {
        begin_script(self, SUB, AT_SUB);
        self->i++;
    } else if (tg_token_is_char(token, ',')) {
        put_latex(self, "{,}\\mkern3mu ", token);
        self->i++;
    } else if (tg_token_is_char(token, '+')) {
        self->begun[SUP] = TRUE;
        self->sup_first = FALSE;
        self->state = AT_SUP;
    } else if (token->kind == TG_TOK_CHAR && g_unichar_isalpha(token->code)) {
        element_letter(self);
    } else if (tg_token_is_digit(token)) {
        begin_script(self, SUB, AT_SUB);
    } else if (!chem_sign(self, token)) {
        flush(self);
        self->state = AT_START;
    }
}

/* The first token of a script; digits go on. */
static void step_script(Formula *self, guint part, const TgTexToken *token, const char *more,
                        State behind)
{
    const gboolean goes_on = tg_token_is_digit(token) || tg_token_is_char_of(token, more);

    self->state = goes_on ? (State) (self->state + 1) : behind;
    chem_take_token(self, part, FALSE);
}

static void step_script_more(Formula *self, guint part, const TgTexToken *token, const char *more,
                             State behind)
{
    if (tg_token_is_digit(token) || tg_token_is_char_of(token, more))
        chem_take_token(self, part, FALSE);
    else if (part == SUP && tg_token_is_char(token, '-')) {
        if (is_locant(part_of(self, ELEMENT)))
            chem_minus(self);
        else
            chem_take_token(self, part, FALSE);
    } else
        self->state = behind;
}

static void step_amount(Formula *self, const TgTexToken *token)
{
    if (tg_token_is_digit(token) || tg_token_is_char_of(token, ").,/")) {
        chem_take_token(self, ELEMENT, TRUE);
    } else if (tg_token_is_char(token, '-')) {
        self->state = AT_BARE_AMOUNT;
        flush(self);
        chem_minus(self);
    } else {
        flush(self);
        self->state = AT_START;
    }
}

static void chem_step(Formula *self)
{
    const TgTexToken *token = &self->in.tokens[self->i];

    switch (self->state) {
    case AT_START:
        step_start(self, token);
        break;
    case AT_ELEMENT:
        step_element(self, token);
        break;
    case AT_MINUS: /* no charge: something follows */
        flush(self);
        if (self->locant)
            add_latex(self->out, "\\text{-}", &self->minus);
        else
            put_bond(self, "-", &self->minus);
        self->locant = FALSE;
        self->state = AT_START;
        break;
    case AT_PARENTHESIS:
        if (!tg_token_is_digit(token))
            flush(self);
        self->state = tg_token_is_digit(token) ? AT_AMOUNT : AT_START;
        break;
    case AT_DOLLARS:
        if ((g_unichar_isupper(token->code) || tg_token_is_char_of(token, "([")) &&
            is_amount(part_of(self, ELEMENT)))
            put_latex(self, "\\,", token);
        self->state = AT_ELEMENT;
        break;
    case AT_AMOUNT:
    case AT_BARE_AMOUNT:
        step_amount(self, token);
        break;
    case AT_SUP:
        step_script(self, SUP, token, "", AT_ELEMENT);
        break;
    case AT_SUP_MORE:
        step_script_more(self, SUP, token, "+", AT_ELEMENT);
        break;
    case AT_SUB:
        step_script(self, SUB, token, "/", AT_ELEMENT);
        break;
    case AT_SUB_MORE:
        step_script_more(self, SUB, token, "/", AT_ELEMENT);
        break;
    case AT_PRESUP:
        step_script(self, PRESUP, token, "-", AT_START);
        break;
    case AT_PRESUP_MORE:
        step_script_more(self, PRESUP, token, "", AT_START);
        break;
    case AT_PRESUB:
        step_script(self, PRESUB, token, "-", AT_START);
        break;
    case AT_PRESUB_MORE:
        step_script_more(self, PRESUB, token, "", AT_START);
        break;
    }
}

/* White space or the end: - is a charge there, an amount has no space behind it, and a lone letter
 * before a space is a counter. */
static void chem_end_word(Formula *self, gboolean space)
{
    if (self->state == AT_MINUS && self->bond)
        put_bond(self, "-", &self->minus);
    else if (self->state == AT_MINUS)
        g_array_append_val(self->parts[SUP], self->minus);
    else if (self->state == AT_AMOUNT)
        self->state = AT_BARE_AMOUNT;
    else if (self->state == AT_ELEMENT && space && self->parts[ELEMENT]->len == 1 &&
             has_no(self, SUP) && has_no(self, SUB))
        self->counter = is_lower(&g_array_index(self->parts[ELEMENT], TgTexToken, 0));
    flush(self);
    if (space)
        put_latex(self, "\\,", &self->in.tokens[self->i++]);
    self->state = AT_START;
}

/* Add the formula @tokens, which has no arrows and operators. */
static void formula(List *list, TgTexTokens tokens)
{
    Formula self = { .out = list, .in = tokens };

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

/* ---- Reactions ------------------------------------------------------------------------------- */

/* Labels of arrows inside of labels, each of which is read by a call of its own. */
enum { MAX_LABEL_DEPTH = 8 };

/* A reaction being read. Tokens keep their places in the source. */
typedef struct {
    List out;
    TgTexTokens in;
    guint32 i;        /* next token of @in */
    guint32 from, to; /* words of a formula that are still to be written */
} Reaction;

static const TgTexToken *reaction_peek(const Reaction *self, guint32 ahead)
{
    static const TgTexToken end = { .kind = TG_TOK_END, .text = "" };

    return self->i + ahead < self->in.n ? &self->in.tokens[self->i + ahead] : &end;
}

static gboolean ends_word(const TgTexToken *token)
{
    return token->kind == TG_TOK_SPACE || token->kind == TG_TOK_END;
}

/* How many tokens make the sign @sign here; 0: they do not. */
static guint32 match_sign(const Reaction *self, const char *sign)
{
    guint32 n = 0;

    for (; *sign != '\0'; sign = g_utf8_next_char(sign), n++) {
        const TgTexToken *token = reaction_peek(self, n);

        if (*sign == '^' ? token->kind != TG_TOK_SUP
                         : !tg_token_is_char(token, g_utf8_get_char(sign)))
            return 0;
    }
    return n;
}

/* Tokens @n from here draw one sign: in the source the first one spans all. */
static TgTexToken reaction_join(Reaction *self, guint32 n)
{
    TgTexToken first = *reaction_peek(self, 0);
    const guint32 end = reaction_peek(self, n - 1)->end;

    if (end > first.end)
        tg_parser_extend(self->out.parser, &first, end);
    self->i += n;
    return first;
}

/* ---- Formulas ------------------------------------------------------------------------------ */

/* Where a state of aggregation, (aq), begins that @tokens end with; or their end. */
static guint32 find_state(TgTexTokens tokens)
{
    guint32 n = 0;

    if (tokens.n == 0 || !tg_token_is_char(&tokens.tokens[tokens.n - 1], ')'))
        return tokens.n;
    while (n + 1 < tokens.n && is_lower(&tokens.tokens[tokens.n - 2 - n]))
        n++;
    return n >= 1 && n <= 3 && n + 2 < tokens.n &&
                   tg_token_is_char(&tokens.tokens[tokens.n - 2 - n], '(')
               ? tokens.n - 2 - n
               : tokens.n;
}

/* Write the words that were collected. */
static void flush_words(Reaction *self)
{
    const TgTexTokens words = slice(self->in, self->from, self->to);
    const guint32 state = find_state(words);

    if (words.n > 0)
        formula(&self->out, slice(words, 0, state));
    if (state < words.n) {
        if (!self->out.scripted)
            add_latex(&self->out, "\\hspace{.2ex}", &words.tokens[state]);
        formula(&self->out, slice(words, state, words.n));
    }
    self->from = self->to = self->i;
}

/* ---- Arrows -------------------------------------------------------------------------------- */

static const struct {
    const char *sign;
    const char *symbol; /* without labels */
    TgArrow form;       /* with them */
} arrows[] = {
    /* longest first */
    { "<=>>", NULL, TG_ARROW_EQUILIBRIUM_RIGHT },
    { "<<=>", NULL, TG_ARROW_EQUILIBRIUM_LEFT },
    { "<-->", "rightleftarrows", TG_ARROW_RIGHT_LEFT },
    { "<=>", "rightleftharpoons", TG_ARROW_RIGHT_LEFT_HARPOONS },
    { "<->", "longleftrightarrow", TG_ARROW_LEFTRIGHT },
    { "->", "longrightarrow", TG_ARROW_RIGHT },
    { "<-", "longleftarrow", TG_ARROW_LEFT },
    { "\342\206\222", "longrightarrow", TG_ARROW_RIGHT },                  /* U+2192 */
    { "\342\206\220", "longleftarrow", TG_ARROW_LEFT },                    /* U+2190 */
    { "\342\206\224", "longleftrightarrow", TG_ARROW_LEFTRIGHT },          /* U+2194 */
    { "\342\207\204", "rightleftarrows", TG_ARROW_RIGHT_LEFT },            /* U+21C4 */
    { "\342\207\214", "rightleftharpoons", TG_ARROW_RIGHT_LEFT_HARPOONS }, /* U+21CC */
};

static TgNode *read_reaction(TgParser *parser, TgTexTokens in, const TgTexToken *at);

/* The tokens of [..] here, which is passed. */
static TgTexTokens label_tokens(Reaction *self)
{
    const guint32 from = ++self->i;

    while (self->i < self->in.n && !tg_token_is_char(reaction_peek(self, 0), ']'))
        self->i = end_of(self->in, self->i);
    self->i = MIN(self->i + 1, self->in.n + 1);
    const TgTexTokens label = slice(self->in, from, self->i - 1);
    self->i = MIN(self->i, self->in.n);
    return label;
}

/* [..], with T or M before it when it is text or mathematics; NULL when there is none. */
static TgNode *read_label(Reaction *self)
{
    TgParser *parser = self->out.parser;
    const TgTexToken at = *reaction_peek(self, 0);
    const gboolean typed = tg_token_is_char_of(&at, "TMC");

    if (!tg_token_is_char(reaction_peek(self, typed), '['))
        return NULL;
    self->i += typed;
    const TgTexTokens label = label_tokens(self);
    if (label.n == 0)
        return NULL;
    if (tg_token_is_char(&at, 'M'))
        return tg_parser_sublist(parser, label, FALSE, &at);
    if (!tg_token_is_char(&at, 'T'))
        return read_reaction(parser, label, &at);

    TgNode *text = tg_parser_node(parser, TG_NODE_TEXT, &label.tokens[0]);
    text->u.text.body = tg_parser_sublist(parser, label, TRUE, &at);
    text->u.text.scales = 1;
    text->u.text.align = 'c';
    return tg_parser_list_of(parser, text);
}

static TgNode *labelled_arrow(Reaction *self, const TgTexToken *arrow, TgArrow form)
{
    TgParser *parser = self->out.parser;
    TgNode *node = tg_parser_node(parser, TG_NODE_ARROW, arrow);
    TgNode *above = read_label(self);

    node->u.arrow.form = (guint8) form;
    node->u.arrow.chemistry = 1;
    node->u.arrow.above = above != NULL ? above : tg_parser_empty_list(parser, arrow);
    node->u.arrow.below = read_label(self);
    node->token = tg_parser_ink(parser, arrow, 0);
    node->end = MAX(node->end, node->u.arrow.above->end);
    if (node->u.arrow.below != NULL)
        node->end = MAX(node->end, node->u.arrow.below->end);
    return node;
}

/* Whether [..] or T[..] follows. */
static gboolean label_follows(const Reaction *self)
{
    return tg_token_is_char(reaction_peek(self, tg_token_is_char_of(reaction_peek(self, 0), "TMC")),
                            '[');
}

/* An arrow here; @stray: inside a word, where mhchem takes none. */
static gboolean put_arrow(Reaction *self, gboolean stray)
{
    for (guint k = 0; k < G_N_ELEMENTS(arrows); k++) {
        const guint32 n = match_sign(self, arrows[k].sign);

        if (n == 0)
            continue;
        flush_words(self);
        const TgTexToken arrow = reaction_join(self, n);
        if (stray)
            tg_parser_error(self->out.parser, &arrow, TG_PARSE_CHARACTER,
                            "\\ce needs a space before the arrow %s", arrows[k].sign);
        if (arrows[k].symbol == NULL || label_follows(self))
            add(&self->out, labelled_arrow(self, &arrow, arrows[k].form));
        else
            add_sign(&self->out, arrows[k].symbol, &arrow);
        return TRUE;
    }
    return FALSE;
}

/* ---- Operators ----------------------------------------------------------------------------- */

static const struct {
    const char *sign;
    const char *latex; /* or the name of a symbol */
    gboolean alone;    /* an operator as a whole word only */
} operators[] = {
    { "+", "{}+{}", FALSE },
    { "-", "\\hspace{.5ex}{-}\\hspace{.5ex}", TRUE },
    { "=", "\\hspace{.5ex}{=}\\hspace{.5ex}", TRUE },
    { "(v)", "downarrow", TRUE },
    { "v", "downarrow", TRUE },
    { "(^)", "uparrow", TRUE },
    { "^", "uparrow", TRUE },
    { ".", "\\,{\\cdot}\\,", TRUE },
    { "*", "\\,{\\cdot}\\,", TRUE },
    { "\302\267", "\\,{\\cdot}\\,", FALSE }, /* U+00B7 */
};

/* \pm or $\pm$ here: how many tokens. */
static guint32 match_pm(const Reaction *self)
{
    if (tg_token_is_command(reaction_peek(self, 0), "pm"))
        return 1;
    return reaction_peek(self, 0)->kind == TG_TOK_DOLLAR &&
                   tg_token_is_command(reaction_peek(self, 1), "pm") &&
                   reaction_peek(self, 2)->kind == TG_TOK_DOLLAR &&
                   ends_word(reaction_peek(self, 3))
               ? 3
               : 0;
}

/* An operator at the beginning of a word. */
static gboolean put_operator(Reaction *self)
{
    const char *latex = "{}\\pm{}";
    guint32 n = match_pm(self);

    for (guint k = 0; k < G_N_ELEMENTS(operators) && n == 0; k++) {
        n = match_sign(self, operators[k].sign);
        if (operators[k].alone && !ends_word(reaction_peek(self, n)))
            n = 0;
        latex = operators[k].latex;
    }
    if (n == 0)
        return FALSE;
    flush_words(self);
    const TgTexToken sign = reaction_join(self, n);
    if (g_ascii_isalpha(latex[0]))
        add_sign(&self->out, latex, &sign);
    else
        add_latex(&self->out, latex, &sign);
    return TRUE;
}

/* ---- The whole ----------------------------------------------------------------------------- */

/* A word up to white space or an arrow. */
static void take_word(Reaction *self)
{
    if (self->from == self->to)
        self->from = self->i;
    do {
        self->i = end_of(self->in, self->i);
        self->to = self->i;
    } while (!ends_word(reaction_peek(self, 0)) && !put_arrow(self, TRUE));
}

static TgNode *read_reaction(TgParser *parser, TgTexTokens in, const TgTexToken *at)
{
    Reaction self = { .out = { .parser = parser }, .in = in };
    const TgTexToken *last = in.n > 0 ? &in.tokens[in.n - 1] : at;

    if (++parser->chemistry_depth > MAX_LABEL_DEPTH)
        tg_parser_error(parser, at, TG_PARSE_LIMIT, "more than %d arrows in the labels of others",
                        MAX_LABEL_DEPTH);
    while (self.i < in.n && tg_parser_alive(parser)) {
        if (reaction_peek(&self, 0)->kind == TG_TOK_SPACE) {
            const gboolean list =
                self.to > self.from && tg_token_is_char(&in.tokens[self.to - 1], ',');

            self.i++;
            if (list)
                flush_words(&self);
        } else if (!put_arrow(&self, FALSE) && !put_operator(&self)) {
            take_word(&self);
        }
    }
    flush_words(&self);
    parser->chemistry_depth--;
    return take(&self.out, at, last);
}

/* ---- \ce ----------------------------------------------------------------------------------- */

static gboolean splits(const TgTexToken *token)
{
    return token->kind == TG_TOK_AMPERSAND || tg_token_is_command(token, "\\");
}

/* Whether @list has & or \\, which belong to the array around: \ce{a & b} is \ce{a} & \ce{b}, put
 * in its place. */
static gboolean split_at_cells(TgParser *self, TgTexTokens list, const TgTexToken *token)
{
    const TgTexToken open = { .kind = TG_TOK_OPEN,
                              .text = "{",
                              .len = 1,
                              .code = '{',
                              .start = token->start,
                              .end = token->end };
    TgTexToken close = open;
    guint32 n_cells = 1, n = 0;

    for (guint32 i = 0; i < list.n; i = end_of(list, i))
        n_cells += splits(&list.tokens[i]);
    if (n_cells == 1)
        return FALSE;
    close.kind = TG_TOK_CLOSE, close.text = "}", close.code = '}';

    TgTexToken *out =
        tg_arena_alloc(self->in.arena, ((gsize) list.n + 3 * n_cells) * sizeof(TgTexToken));
    out[n++] = *token;
    out[n++] = open;
    for (guint32 i = 0, end; i < list.n; i = end) {
        const gboolean cell = splits(&list.tokens[i]);

        end = end_of(list, i);
        if (cell)
            out[n++] = close;
        memcpy(&out[n], &list.tokens[i], (end - i) * sizeof(TgTexToken));
        n += end - i;
        if (cell) {
            out[n++] = *token;
            out[n++] = open;
        }
    }
    out[n++] = close;
    tg_expander_insert(&self->in, (TgTexTokens){ out, n }, 1);
    return TRUE;
}

/* \ce{..} */
void tg_parser_chemistry(TgParser *self, const TgTexToken *token)
{
    const TgFontState before = self->font;
    TgTexTokens list;

    if (!tg_parser_tokens_argument(self, token, "an argument", &list) ||
        split_at_cells(self, list, token))
        return;
    self->font.alphabet = TG_ALPHABET_DEFAULT;
    TgNode *node = read_reaction(self, list, token);
    self->font = before;
    node->start = token->start;
    if (self->scope->text) {
        TgNode *math = tg_parser_node(self, TG_NODE_MATH, token);
        math->u.body.body = node;
        node = math;
    }
    tg_parser_append(self, node);
}
