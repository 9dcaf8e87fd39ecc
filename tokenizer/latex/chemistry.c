/* mhchem's \ce: a reaction is split into formulas, and these are written as nodes. The states of a
 * formula and what ends them are those of mhchem 4, so that both read the same: digits after an
 * element are a subscript, before one an amount, and so on. */
#include "tokenizer/latex/parser.h"

/* ---- Looking at tokens ----------------------------------------------------------------------- */

/* @tokens from @from up to @to. */
static TgTexTokens slice(TgTexTokens tokens, guint32 from, guint32 to)
{
    return (TgTexTokens){ tokens.tokens + from, to - from };
}

/* Index just past the item at @at: a {group}, `$..$`, or a single token. */
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

static gboolean is_lower(const TgTexToken *token)
{
    return token->kind == TG_TOK_CHAR && token->code >= 'a' && token->code <= 'z';
}

static gboolean is_digit_at(TgTexTokens tokens, guint32 i)
{
    return i < tokens.n && tg_token_is_digit(&tokens.tokens[i]);
}

static gboolean is_greek(const TgTexToken *token)
{
    return tg_token_is_command_of(
        token, "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi "
               "pi rho sigma tau upsilon phi chi psi omega Gamma Delta Theta Lambda Xi "
               "Pi Sigma Upsilon Phi Psi Omega");
}

/* How many tokens at the beginning are one of @characters. */
static guint32 count_of(TgTexTokens tokens, const char *characters)
{
    guint32 n = 0;

    while (n < tokens.n && tg_token_is_char_of(&tokens.tokens[n], characters))
        n++;
    return n;
}

static gboolean is_number(TgTexTokens tokens)
{
    return tokens.n > 0 && count_of(tokens, "0123456789") == tokens.n;
}

/* Where the slash of a quotient of numbers is, as 1/2; 0: it is none. */
static guint32 find_slash(TgTexTokens tokens)
{
    const guint32 slash = count_of(tokens, "0123456789");

    return slash > 0 && slash < tokens.n && tg_token_is_char(&tokens.tokens[slash], '/') &&
                   is_number(slice(tokens, slash + 1, tokens.n))
               ? slash
               : 0;
}

/* @tokens without dollars around them. */
static TgTexTokens without_dollars(TgTexTokens tokens)
{
    if (tokens.n >= 2 && tokens.tokens[0].kind == TG_TOK_DOLLAR &&
        tokens.tokens[tokens.n - 1].kind == TG_TOK_DOLLAR)
        return slice(tokens, 1, tokens.n - 1);
    return tokens;
}

/* True for a locant such as `1,2-`, `\alpha-`, `n-`: one letter, or digits with an optional `(` or
 * `/`. */
static gboolean is_locant(TgTexTokens tokens)
{
    tokens = without_dollars(tokens);
    if (tokens.n == 1 && (is_lower(tokens.tokens) ||
                          (is_greek(tokens.tokens) && g_ascii_islower(tokens.tokens->text[1]))))
        return TRUE;
    if (tokens.n > 0 && tg_token_is_char(tokens.tokens, '('))
        tokens = slice(tokens, 1, tokens.n);
    return is_number(tokens) || find_slash(tokens) > 0;
}

/* Whether @tokens are signs and single lower-case letters (n+1), which are then italic. */
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

/* A sum of at most two numbers and letters in dollars, which is an amount: $n$, $2-x$. */
static gboolean is_amount(TgTexTokens tokens)
{
    const TgTexTokens inside = without_dollars(tokens);
    guint32 letters = 0, signs = 0;

    if (inside.n == tokens.n || !is_counted(inside))
        return FALSE;
    for (guint32 i = 0; i < inside.n; i++) {
        if (!is_lower(&inside.tokens[i]) && !tg_token_is_char_of(&inside.tokens[i], "0123456789+-"))
            return FALSE;
        letters += is_lower(&inside.tokens[i]);
        signs += tg_token_is_char_of(&inside.tokens[i], "+-");
    }
    return letters <= 3 && signs <= 2 && (signs > 0 || inside.n == 1);
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

/* Where a state of aggregation, (aq), begins that @tokens end with; or their end. */
static guint32 find_aggregation(TgTexTokens tokens)
{
    guint32 at = tokens.n;

    if (at == 0 || !tg_token_is_char(&tokens.tokens[at - 1], ')'))
        return tokens.n;
    for (at--; at > 0 && is_lower(&tokens.tokens[at - 1]); at--)
        ;
    const guint32 n = tokens.n - 1 - at;
    return n >= 1 && n <= 3 && at > 0 && tg_token_is_char(&tokens.tokens[at - 1], '(') ? at - 1
                                                                                       : tokens.n;
}

/* ---- Lists of nodes -------------------------------------------------------------------------- */

/* A list of the tree being written at its end. */
typedef struct {
    TgParser *parser;
    TgNode *first, *last;
    guint32 n;
    gboolean scripted; /* the last element has a script */
} List;

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
    add(self, (TgNode *) list->u.list.first); /* the tree is still being built */
    self->last = parser->tail;
    self->n += list->u.list.n_items - 1;
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

/* Add `$..$` (with its dollars): a counter without spaces, or mathematics. */
static void add_math(List *self, TgTexTokens tokens)
{
    const TgTexToken *open = &tokens.tokens[0], *close = &tokens.tokens[tokens.n - 1];
    const TgTexTokens inside = slice(tokens, 1, MAX(tokens.n - (close->kind == TG_TOK_DOLLAR), 1));
    TgParser *parser = self->parser;

    if (is_counter(inside)) {
        List list = { .parser = parser };

        for (guint32 i = 0; i < inside.n; i++) {
            const TgTexToken *token = &inside.tokens[i];
            List sign = { .parser = parser };
            /* its signs are no operators: mhchem sets no space at them */
            List *to = tg_token_is_char_of(token, "+-,") ? &sign : &list;

            add_run(to, slice(inside, i, i + 1), TG_ALPHABET_DEFAULT);
            if (to == &sign)
                add(&list, take(&sign, token, token));
        }
        add(self, take(&list, open, close));
        return;
    }
    const TgFontState before = parser->font;
    TgNode *math = tg_parser_node(parser, TG_NODE_MATH, open);

    parser->font.alphabet = TG_ALPHABET_DEFAULT;
    math->u.body.body = tg_parser_sublist(parser, inside, FALSE, open);
    parser->font = before;
    math->end = MAX(open->end, close->end); /* what is read again can lie anywhere */
    TgNode *text = tg_parser_text_of(parser, open, tg_parser_list_of(parser, math));
    text->end = math->end;
    text->u.text.scales = 1;
    add(self, text);
}

/* ---- Scripts --------------------------------------------------------------------------------- */

/* Whether the token at @i means something else in a script than by itself. */
static gboolean is_special(TgTexTokens tokens, guint32 i, gboolean sup, gboolean counted)
{
    const TgTexToken *token = &tokens.tokens[i];
    const gboolean in_number = i > 0 && is_digit_at(tokens, i - 1) && is_digit_at(tokens, i + 1);

    return token->kind == TG_TOK_DOLLAR || (tg_token_is_char(token, ',') && (sup || !counted)) ||
           (sup && tg_token_is_char(token, '*')) ||
           (sup && tg_token_is_char(token, '.') && !in_number) || (counted && is_lower(token));
}

static void add_special(List *self, TgTexTokens tokens, guint32 i, guint32 end)
{
    const TgTexToken *token = &tokens.tokens[i];

    if (token->kind == TG_TOK_DOLLAR)
        add_math(self, slice(tokens, i, end));
    else if (tg_token_is_char(token, ',')) /* a decimal mark, or a little space after it */
        add_latex(self,
                  i > 0 && is_digit_at(tokens, i - 1) && is_digit_at(tokens, i + 1)
                      ? "{,}"
                      : "{,}\\mkern1mu ",
                  token);
    else if (tg_token_is_char(token, '.')) /* a radical */
        add_latex(self, "\\bullet ", token);
    else if (tg_token_is_char(token, '*')) /* an excited state */
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

/* The tokens of a script as LIST, or NULL: there are none. */
static TgNode *read_script(TgParser *parser, TgTexTokens tokens, gboolean sup)
{
    List list = { .parser = parser };
    guint32 run = 0;

    if (tokens.n == 0)
        return NULL;
    const gboolean aggregation = tokens.n == 3 && find_aggregation(tokens) == 0; /* (g) */
    const gboolean counted = is_counted(tokens) && (sup || !aggregation);
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

/* ---- Elements with their scripts, and amounts ------------------------------------------------ */

/* Where in a formula reading is. */
typedef enum {
    AT_START,       /* nothing of an element yet */
    AT_ELEMENT,     /* inside or after one */
    AT_PARENTHESIS, /* after (, which may begin an amount */
    AT_DOLLARS,     /* after $..$ at the start, which may be an amount */
    AT_AMOUNT,
    AT_BARE_AMOUNT, /* without a space after it */
    AT_MINUS,       /* after -, a bond or a charge */
    AT_SUP,         /* these eight: before and after the first token of a script */
    AT_SUP_MORE,
    AT_SUB,
    AT_SUB_MORE,
    AT_PRESUP,
    AT_PRESUP_MORE,
    AT_PRESUB,
    AT_PRESUB_MORE,
    N_STATES,
} State;

/* What is collected of an element until it is written. */
typedef enum { ELEMENT, SUP, SUB, PRESUP, PRESUB, N_PARTS } Part;

/* A formula being read. */
typedef struct {
    List *out;
    TgTexTokens in;
    guint32 i;
    State state;
    TgTexTokens parts[N_PARTS]; /* with room for all of @in */
    gboolean begun[N_PARTS];    /* a script has begun, perhaps without a token yet */
    gboolean sup_first;         /* the superscript was written before any subscript */
    gboolean counter;           /* the element is a number's letter: italic */
    gboolean locant;            /* the element written last is one: - after it is a hyphen */
    gboolean takes_scripts;     /* the item written last is a bracket or a command */
    gboolean bond;              /* the formula began with - */
    TgTexToken minus;
} Formula;

/* The element: upright letters, with text ({..}) and mathematics between them. */
static TgNode *element_node(const Formula *self)
{
    TgParser *parser = self->out->parser;
    const TgTexTokens tokens = self->parts[ELEMENT];
    List list = { .parser = parser };

    for (guint32 i = 0, end; i < tokens.n; i = end) {
        const TgTexToken *token = &tokens.tokens[i];

        end = end_of(tokens, i);
        if (token->kind == TG_TOK_OPEN) {
            const TgFontState before = parser->font;
            TgNode *text = tg_parser_text_of(parser, token, NULL);

            parser->font.text = (TgTextFont){ .size = before.text.size };
            text->u.text.body =
                tg_parser_sublist(parser, slice(tokens, i + 1, end - 1), TRUE, token);
            parser->font = before;
            text->end = MAX(text->end, tokens.tokens[end - 1].end);
            text->u.text.scales = 1;
            add(&list, text);
        } else if (token->kind == TG_TOK_DOLLAR) {
            add_math(&list, slice(tokens, i, end));
        } else if (self->counter || is_greek(token) || tg_token_is_char_of(token, "()[]/|")) {
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

/* A SCRIPTS with those of the two parts that have tokens, around @nucleus; or, when the element has
 * no letters, around the item before. */
static void add_scripts(Formula *self, Part sub, Part sup, TgScriptsForm form, TgNode *nucleus)
{
    TgParser *parser = self->out->parser;
    TgNode *scripts = tg_parser_node(parser, TG_NODE_SCRIPTS,
                                     self->parts[self->parts[sup].n > 0 ? sup : sub].tokens);
    TgNode *last = self->out->last, *below = read_script(parser, self->parts[sub], FALSE);
    TgNode *above = read_script(parser, self->parts[sup], TRUE);

    scripts->u.scripts.sub = below;
    scripts->u.scripts.sup = above;
    scripts->u.scripts.form = (guint8) form;
    if (below != NULL)
        scripts->start = MIN(scripts->start, below->start);
    scripts->end = MAX(below != NULL ? below->end : 0, above != NULL ? above->end : 0);
    if (nucleus == NULL && self->takes_scripts && last != NULL && tg_parser_takes_scripts(last)) {
        TgNode *inner = tg_parser_node(parser, TG_NODE_LIST,
                                       &(TgTexToken){ .start = last->start, .end = last->end });

        *inner = *last;
        inner->next = NULL;
        scripts->u.scripts.nucleus = inner;
        scripts->start = MIN(scripts->start, inner->start);
        *last = *scripts;
        return;
    }
    if (nucleus == NULL) { /* {}, so that no atom before gets them */
        nucleus = tg_parser_node(parser, TG_NODE_LIST,
                                 &(TgTexToken){ .start = scripts->start, .end = scripts->start });
        nucleus->u.list.braced = 1;
    }
    scripts->u.scripts.nucleus = nucleus;
    scripts->start = MIN(scripts->start, nucleus->start);
    add(self->out, scripts);
}

static void put_element(Formula *self)
{
    const gboolean isotope = self->parts[PRESUP].n > 0 || self->parts[PRESUB].n > 0;
    const TgTexTokens sup = self->parts[SUP];
    TgScriptsForm form = TG_SCRIPTS_SUB_SUP; /* side by side */

    if (isotope) {
        self->takes_scripts = FALSE;
        add_scripts(self, PRESUB, PRESUP, TG_SCRIPTS_BEFORE, NULL);
    }
    if (self->sup_first && sup.n > 0 && count_of(sup, "IVX") == sup.n) /* an oxidation state */
        form = TG_SCRIPTS_SUP_SUB;
    else if (self->sup_first && self->parts[SUB].n > 0) /* above each other, as written: X^2_3 */
        form = TG_SCRIPTS_STACKED;
    TgNode *element = self->parts[ELEMENT].n > 0 ? element_node(self) : NULL;
    self->out->scripted = sup.n > 0 || self->parts[SUB].n > 0;
    if (self->out->scripted)
        add_scripts(self, SUB, SUP, form, element);
    else if (element != NULL)
        add(self->out, element);
    self->locant = !isotope && is_locant(self->parts[ELEMENT]);
}

/* An amount; 1/2 is a fraction, and commas are decimal marks. */
static void put_amount(Formula *self)
{
    TgParser *parser = self->out->parser;
    const TgTexTokens tokens = self->parts[ELEMENT];
    const TgTexToken *first = &tokens.tokens[0], *last = &tokens.tokens[tokens.n - 1];
    const guint32 slash = find_slash(tokens);

    self->locant = is_locant(tokens);
    self->out->scripted = FALSE;
    if (slash > 0) {
        TgNode *fraction = tg_parser_node(parser, TG_NODE_FRACTION, first);
        List num = { .parser = parser }, den = { .parser = parser };

        add_run(&num, slice(tokens, 0, slash), TG_ALPHABET_DEFAULT);
        add_run(&den, slice(tokens, slash + 1, tokens.n), TG_ALPHABET_DEFAULT);
        fraction->u.fraction.num = take(&num, first, &tokens.tokens[slash - 1]);
        fraction->u.fraction.den = take(&den, &tokens.tokens[slash + 1], last);
        fraction->u.fraction.has_bar = 1;
        fraction->u.fraction.style = TG_STYLE_INHERIT;
        fraction->u.fraction.align = 'c';
        fraction->end = MAX(first->end, last->end);
        fraction->token = tg_parser_ink(parser, &tokens.tokens[slash], 0);
        add(self->out, fraction);
    } else {
        guint32 run = 0;

        for (guint32 i = 0; i <= tokens.n; i++) {
            const gboolean comma = i < tokens.n && tg_token_is_char(&tokens.tokens[i], ',');

            if (comma || i == tokens.n) {
                add_run(self->out, slice(tokens, run, i), TG_ALPHABET_DEFAULT);
                run = i + 1;
            }
            if (comma)
                add_latex(self->out, "{,}", &tokens.tokens[i]);
        }
    }
    if (self->state == AT_AMOUNT)
        add_latex(self->out, "\\,", first);
}

/* Write the element with its scripts, if there is anything of it. */
static void flush(Formula *self)
{
    gboolean any = FALSE;

    for (guint part = 0; part < N_PARTS; part++)
        any |= self->parts[part].n > 0;
    if (any && (self->state == AT_AMOUNT || self->state == AT_BARE_AMOUNT))
        put_amount(self);
    else if (any)
        put_element(self);
    for (guint part = 0; part < N_PARTS; part++) {
        self->parts[part].n = 0;
        self->begun[part] = FALSE;
    }
    self->takes_scripts &= !any;
    self->sup_first = self->counter = FALSE;
}

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

/* \frac{..}{..}, whose parts are chemistry: \frac{\ce{..}}{\ce{..}}. */
static void put_fraction(Formula *self, TgTexTokens command)
{
    TgExpander *in = &self->out->parser->in;
    const TgTexToken *at = &command.tokens[0];
    const TgTexToken open[] = { tg_token_made(at, TG_TOK_OPEN, "{"),
                                tg_token_made(at, TG_TOK_COMMAND, "\\ce") };
    const TgTexToken close = tg_token_made(at, TG_TOK_CLOSE, "}");
    const guint from = in->scratch->len;

    g_array_append_val(in->scratch, *at);
    for (guint32 i = 1, end; i < command.n; i = end) {
        end = end_of(command, i);
        g_array_append_vals(in->scratch, open, G_N_ELEMENTS(open));
        g_array_append_vals(in->scratch, &command.tokens[i], end - i);
        g_array_append_val(in->scratch, close);
    }
    add_run(self->out, tg_expander_take_scratch(in, from), TG_ALPHABET_DEFAULT);
}

/* ---- The states of a formula ----------------------------------------------------------------- */

/* Take the next token into a part: a group without its braces, unless @braces. */
static void take_token(Formula *self, Part part, gboolean braces)
{
    const guint32 end = end_of(self->in, self->i);
    const guint32 inner = !braces && self->in.tokens[self->i].kind == TG_TOK_OPEN;
    TgTexTokens *to = &self->parts[part];

    if (end - self->i > 2 || inner == 0) {
        const guint32 n = end - self->i - 2 * inner;

        memcpy((TgTexToken *) to->tokens + to->n, &self->in.tokens[self->i + inner],
               n * sizeof(TgTexToken));
        to->n += n;
    }
    self->i = end;
}

/* Begin a script, in an element of its own when this one has it already. */
static void begin_script(Formula *self, Part part, State state)
{
    if (self->begun[part])
        flush(self);
    self->begun[part] = TRUE;
    self->state = state;
}

static void take_minus(Formula *self)
{
    self->minus = self->in.tokens[self->i++];
    self->state = AT_MINUS;
}

/* A command with the groups after it is mathematics; Greek letters begin an element. */
static void take_command(Formula *self)
{
    guint32 end = self->i + 1;

    flush(self);
    self->state = AT_ELEMENT;
    if (is_greek(&self->in.tokens[self->i])) {
        take_token(self, ELEMENT, TRUE);
        return;
    }
    while (end < self->in.n && self->in.tokens[end].kind == TG_TOK_OPEN)
        end = end_of(self->in, end);
    const TgTexTokens command = slice(self->in, self->i, end);
    self->i = end;
    self->locant = FALSE;
    self->takes_scripts = TRUE;
    if (tg_token_is_command(command.tokens, "bond")) {
        put_bond_command(self, command);
        self->state = AT_ELEMENT;
    } else if (tg_token_is_command(command.tokens, "frac")) {
        put_fraction(self, command);
    } else {
        add_run(self->out, command, TG_ALPHABET_DEFAULT);
    }
}

/* A letter after ^2 begins an element with that to its left, the isotope of H2^{18}O; after other
 * scripts it begins one, too. */
static void take_letter(Formula *self)
{
    const gboolean isotope = self->begun[SUP] && is_number(self->parts[SUP]);
    TgTexTokens sup = self->parts[SUP], sub = self->parts[SUB];

    if (isotope) /* kept out of the way while what stands before it is written */
        self->parts[SUP].n = self->parts[SUB].n = 0;
    if (self->begun[SUP] || self->begun[SUB])
        flush(self);
    if (isotope) {
        self->parts[SUP] = self->parts[PRESUP];
        self->parts[SUB] = self->parts[PRESUB];
        self->parts[PRESUP] = sup;
        self->parts[PRESUB] = sub;
        self->begun[PRESUP] = TRUE;
        self->begun[PRESUB] = sub.n > 0;
    }
    take_token(self, ELEMENT, TRUE);
}

/* At the start and inside an element, by the kind of the token. */
static void step_element(Formula *self, const TgTexToken *token)
{
    const gboolean element = self->state == AT_ELEMENT;
    const gunichar code = token->kind == TG_TOK_CHAR ? token->code : 0;

    switch (token->kind) {
    case TG_TOK_COMMAND:
        take_command(self);
        return;
    case TG_TOK_OPEN: /* text; {} separates */
        flush(self);
        if (end_of(self->in, self->i) - self->i <= 2) {
            self->i += 2;
            return;
        }
        self->state = AT_ELEMENT;
        take_token(self, ELEMENT, TRUE);
        return;
    case TG_TOK_DOLLAR:
        if (!element)
            self->state = AT_DOLLARS;
        else if (self->begun[SUP] || self->begun[SUB])
            flush(self);
        take_token(self, ELEMENT, TRUE);
        return;
    case TG_TOK_SUP:
        begin_script(self, element ? SUP : PRESUP, element ? AT_SUP : AT_PRESUP);
        if (element)
            self->sup_first = !self->begun[SUB];
        self->i++;
        return;
    case TG_TOK_SUB:
        begin_script(self, element ? SUB : PRESUB, element ? AT_SUB : AT_PRESUB);
        self->i++;
        return;
    default:
        break;
    }
    if (code == '-') {
        if (!element) {
            flush(self);
            self->bond = TRUE;
        }
        take_minus(self);
    } else if (code == '+' && element) {
        self->begun[SUP] = TRUE;
        self->sup_first = FALSE;
        self->state = AT_SUP;
    } else if (code == '+') {
        begin_script(self, PRESUP, AT_PRESUP);
    } else if (tg_token_is_digit(token) && element) {
        begin_script(self, SUB, AT_SUB);
    } else if (tg_token_is_digit(token) || (!element && (code == '.' || code == ','))) {
        flush(self);
        self->state = AT_AMOUNT;
    } else if (code == '(' && !element) {
        flush(self);
        self->state = AT_PARENTHESIS;
        take_token(self, ELEMENT, TRUE);
    } else if (g_unichar_isalpha(code)) {
        if (element) {
            take_letter(self);
        } else {
            self->state = AT_ELEMENT;
            take_token(self, ELEMENT, TRUE);
        }
    } else { /* what stands for itself */
        self->i++;
        if (code == '=' || token->kind == TG_TOK_HASH) {
            put_bond(self, code == '=' ? "=" : "equiv", token);
        } else if (code == ',') {
            put_latex(self, "{,}\\mkern3mu ", token);
        } else if (code == '*' || code == '.') {
            put_latex(self, "\\,{\\cdot}\\,", token);
            self->state = AT_START;
        } else {
            const gboolean closes = code == ')' || code == ']' || code == '/';

            if (!closes && code != '[' && code != '(' && code != '|') {
                if (element)
                    flush(self);
                tg_parser_error(self->out->parser, token, TG_PARSE_CHARACTER,
                                "misplaced %.*s in \\ce", TG_TOKEN_TEXT(token));
            }
            flush(self);
            add_run(self->out, (TgTexTokens){ token, 1 }, TG_ALPHABET_DEFAULT);
            self->locant = FALSE;
            self->takes_scripts = closes;
            self->state = closes ? AT_ELEMENT : AT_START;
        }
    }
}

/* A script: its part, what goes on in it beside digits, and the state after it. */
static const struct {
    Part part;
    const char *more;
    State after;
} scripts[N_STATES] = {
    [AT_SUP] = { SUP, "", AT_ELEMENT },      [AT_SUP_MORE] = { SUP, "+", AT_ELEMENT },
    [AT_SUB] = { SUB, "/", AT_ELEMENT },     [AT_SUB_MORE] = { SUB, "/", AT_ELEMENT },
    [AT_PRESUP] = { PRESUP, "-", AT_START }, [AT_PRESUP_MORE] = { PRESUP, "", AT_START },
    [AT_PRESUB] = { PRESUB, "-", AT_START }, [AT_PRESUB_MORE] = { PRESUB, "", AT_START },
};

static void step_script(Formula *self, const TgTexToken *token)
{
    const State state = self->state;
    const Part part = scripts[state].part;
    const gboolean first = (state - AT_SUP) % 2 == 0;
    const gboolean goes_on =
        tg_token_is_digit(token) || tg_token_is_char_of(token, scripts[state].more);
    const gboolean minus = state == AT_SUP_MORE && tg_token_is_char(token, '-');

    if (first && goes_on)
        self->state = state + 1;
    else if (!goes_on && !minus)
        self->state = scripts[state].after;
    if (minus && is_locant(self->parts[ELEMENT]))
        take_minus(self);
    else if (first || goes_on || minus)
        take_token(self, part, FALSE);
}

static void step(Formula *self)
{
    const TgTexToken *token = &self->in.tokens[self->i];

    switch (self->state) {
    case AT_START:
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
            is_amount(self->parts[ELEMENT]))
            put_latex(self, "\\,", token);
        self->state = AT_ELEMENT;
        break;
    case AT_AMOUNT:
    case AT_BARE_AMOUNT:
        if (tg_token_is_digit(token) || tg_token_is_char_of(token, ").,/")) {
            take_token(self, ELEMENT, TRUE);
        } else if (tg_token_is_char(token, '-')) {
            self->state = AT_BARE_AMOUNT;
            flush(self);
            take_minus(self);
        } else {
            flush(self);
            self->state = AT_START;
        }
        break;
    default:
        step_script(self, token);
        break;
    }
}

/* White space or the end: - is a charge there, an amount has no space after it, and a lone letter
 * before a space is a counter. */
static void end_word(Formula *self, gboolean space)
{
    if (self->state == AT_MINUS && self->bond)
        put_bond(self, "-", &self->minus);
    else if (self->state == AT_MINUS)
        ((TgTexToken *) self->parts[SUP].tokens)[self->parts[SUP].n++] = self->minus;
    else if (self->state == AT_AMOUNT)
        self->state = AT_BARE_AMOUNT;
    else if (self->state == AT_ELEMENT && space && self->parts[ELEMENT].n == 1 &&
             self->parts[SUP].n == 0 && self->parts[SUB].n == 0)
        self->counter = is_lower(&self->parts[ELEMENT].tokens[0]);
    flush(self);
    if (space)
        put_latex(self, "\\,", &self->in.tokens[self->i++]);
    self->state = AT_START;
}

/* Add the formula @tokens, which has no arrows and operators. */
static void add_formula(List *list, TgTexTokens tokens)
{
    Formula self = { .out = list, .in = tokens };

    for (guint part = 0; part < N_PARTS; part++)
        self.parts[part].tokens =
            tg_arena_alloc(&list->parser->scratch, (tokens.n + 1) * sizeof(TgTexToken));
    while (self.i < tokens.n && tg_parser_alive(list->parser)) {
        if (tokens.tokens[self.i].kind == TG_TOK_SPACE)
            end_word(&self, TRUE);
        else
            step(&self);
    }
    end_word(&self, FALSE);
}

/* ---- Reactions: formulas with arrows and operators between them ------------------------------ */

/* Labels of arrows inside of labels, each of which is read by a call of its own. */
enum { MAX_LABEL_DEPTH = 8 };

/* A reaction being read. Tokens keep their places in the source. */
typedef struct {
    List out;
    TgTexTokens in;
    guint32 i;        /* next token of @in */
    guint32 from, to; /* words of a formula that are still to be written */
} Reaction;

static const TgTexToken *peek(const Reaction *self, guint32 ahead)
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
        const TgTexToken *token = peek(self, n);

        if (*sign == '^' ? token->kind != TG_TOK_SUP
                         : !tg_token_is_char(token, g_utf8_get_char(sign)))
            return 0;
    }
    return n;
}

/* Write the words that were collected. */
static void flush_words(Reaction *self)
{
    const TgTexTokens words = slice(self->in, self->from, self->to);
    guint32 state = find_aggregation(words);

    if (state == 0) /* nothing stands before it */
        state = words.n;
    if (words.n > 0)
        add_formula(&self->out, slice(words, 0, state));
    if (state < words.n) {
        if (!self->out.scripted)
            add_latex(&self->out, "\\hspace{.2ex}", &words.tokens[state]);
        add_formula(&self->out, slice(words, state, words.n));
    }
    self->from = self->to = self->i;
}

/* Write what was collected; tokens @n from here draw one sign, whose first one spans all in the
 * source. */
static TgTexToken take_sign(Reaction *self, guint32 n)
{
    flush_words(self);
    TgTexToken first = *peek(self, 0);
    const guint32 end = peek(self, n - 1)->end;

    if (end > first.end)
        tg_parser_extend(self->out.parser, &first, end);
    self->i += n;
    return first;
}

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

/* [..], with T or M before it when it is text or mathematics; NULL when there is none. */
static TgNode *read_label(Reaction *self)
{
    TgParser *parser = self->out.parser;
    const TgTexToken at = *peek(self, 0);
    const gboolean typed = tg_token_is_char_of(&at, "TMC");

    if (!tg_token_is_char(peek(self, typed), '['))
        return NULL;
    const guint32 from = self->i += 1 + typed;
    while (self->i < self->in.n && !tg_token_is_char(peek(self, 0), ']'))
        self->i = end_of(self->in, self->i);
    const TgTexTokens label = slice(self->in, from, self->i);
    self->i = MIN(self->i + 1, self->in.n);
    if (label.n == 0)
        return NULL;
    if (tg_token_is_char(&at, 'M'))
        return tg_parser_sublist(parser, label, FALSE, &at);
    if (!tg_token_is_char(&at, 'T'))
        return read_reaction(parser, label, &at);

    TgNode *text =
        tg_parser_text_of(parser, &label.tokens[0], tg_parser_sublist(parser, label, TRUE, &at));
    text->u.text.scales = 1;
    return tg_parser_list_of(parser, text);
}

/* An arrow here; @stray: inside a word, where mhchem takes none. */
static gboolean put_arrow(Reaction *self, gboolean stray)
{
    TgParser *parser = self->out.parser;
    guint32 k = 0, n = 0;

    while (k < G_N_ELEMENTS(arrows) && (n = match_sign(self, arrows[k].sign)) == 0)
        k++;
    if (n == 0)
        return FALSE;
    const TgTexToken arrow = take_sign(self, n);
    if (stray)
        tg_parser_error(parser, &arrow, TG_PARSE_CHARACTER,
                        "\\ce needs a space before the arrow %s", arrows[k].sign);
    if (arrows[k].symbol != NULL &&
        !tg_token_is_char(peek(self, tg_token_is_char_of(peek(self, 0), "TMC")), '[')) {
        add_sign(&self->out, arrows[k].symbol, &arrow);
        return TRUE;
    }
    TgNode *node = tg_parser_node(parser, TG_NODE_ARROW, &arrow);
    TgNode *above = read_label(self);
    node->u.arrow.form = (guint8) arrows[k].form;
    node->u.arrow.chemistry = 1;
    node->u.arrow.above = above != NULL ? above : tg_parser_empty_list(parser, &arrow);
    node->u.arrow.below = read_label(self);
    node->token = tg_parser_ink(parser, &arrow, 0);
    node->end = MAX(node->end, node->u.arrow.above->end);
    if (node->u.arrow.below != NULL)
        node->end = MAX(node->end, node->u.arrow.below->end);
    add(&self->out, node);
    return TRUE;
}

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
    if (tg_token_is_command(peek(self, 0), "pm"))
        return 1;
    return peek(self, 0)->kind == TG_TOK_DOLLAR && tg_token_is_command(peek(self, 1), "pm") &&
                   peek(self, 2)->kind == TG_TOK_DOLLAR && ends_word(peek(self, 3))
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
        if (operators[k].alone && !ends_word(peek(self, n)))
            n = 0;
        latex = operators[k].latex;
    }
    if (n == 0)
        return FALSE;
    const TgTexToken sign = take_sign(self, n);
    if (g_ascii_isalpha(latex[0]))
        add_sign(&self->out, latex, &sign);
    else
        add_latex(&self->out, latex, &sign);
    return TRUE;
}

static TgNode *read_reaction(TgParser *parser, TgTexTokens in, const TgTexToken *at)
{
    Reaction self = { .out = { .parser = parser }, .in = in };
    const TgTexToken *last = in.n > 0 ? &in.tokens[in.n - 1] : at;

    if (++parser->chemistry_depth > MAX_LABEL_DEPTH)
        tg_parser_error(parser, at, TG_PARSE_LIMIT, "more than %d arrows in the labels of others",
                        MAX_LABEL_DEPTH);
    while (self.i < in.n && tg_parser_alive(parser)) {
        if (peek(&self, 0)->kind == TG_TOK_SPACE) {
            const gboolean list =
                self.to > self.from && tg_token_is_char(&in.tokens[self.to - 1], ',');

            self.i++;
            if (list)
                flush_words(&self);
        } else if (!put_arrow(&self, FALSE) && !put_operator(&self)) {
            /* a word up to white space or an arrow */
            if (self.from == self.to)
                self.from = self.i;
            do {
                self.i = end_of(in, self.i);
                self.to = self.i;
            } while (!ends_word(peek(&self, 0)) && !put_arrow(&self, TRUE));
        }
    }
    flush_words(&self);
    parser->chemistry_depth--;
    return take(&self.out, at, last);
}

/* ---- \ce ------------------------------------------------------------------------------------- */

/* Whether @list has & or \\, which belong to the array around: \ce{a & b} is \ce{a} & \ce{b}, put
 * in its place. */
static gboolean split_at_cells(TgParser *self, TgTexTokens list, const TgTexToken *token)
{
    GArray *out = self->in.scratch;
    const guint from = out->len;
    const TgTexToken begin[] = { *token, tg_token_made(token, TG_TOK_OPEN, "{") };
    const TgTexToken close = tg_token_made(token, TG_TOK_CLOSE, "}");
    gboolean found = FALSE;

    g_array_append_vals(out, begin, G_N_ELEMENTS(begin));
    for (guint32 i = 0, end; i < list.n; i = end) {
        const gboolean splits =
            list.tokens[i].kind == TG_TOK_AMPERSAND || tg_token_is_command(&list.tokens[i], "\\");

        end = end_of(list, i);
        if (splits)
            g_array_append_val(out, close);
        g_array_append_vals(out, &list.tokens[i], end - i);
        if (splits)
            g_array_append_vals(out, begin, G_N_ELEMENTS(begin));
        found |= splits;
    }
    g_array_append_val(out, close);
    if (found)
        tg_expander_insert(&self->in, tg_expander_take_scratch(&self->in, from), 1);
    else
        g_array_set_size(out, from);
    return found;
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
    tg_parser_append_math(self, token, node);
}
