/* mhchem's \ce: splits a reaction into formulas and writes these as nodes. The states of a formula
 * and the tokens that end them are those of mhchem 4: digits after an element are a subscript,
 * digits before one an amount, and so on. Dollars are left out. */
#include "tokenizer/latex/parser.h"

/* ---- Looking at tokens ----------------------------------------------------------------------- */

/* The tokens of @tokens from @from up to @to. */
static TgTexTokens slice_tokens(TgTexTokens tokens, guint32 from, guint32 to)
{
    return (TgTexTokens){ tokens.tokens + from, to - from };
}

/* The place of the slash in a quotient of numbers, as 1/2; 0: no quotient. */
static guint32 find_slash(TgTexTokens tokens)
{
    guint32 slash = 0;

    for (guint32 i = 0; i < tokens.n; i++) {
        if (slash == 0 && tg_token_is_char(&tokens.tokens[i], '/'))
            slash = i;
        else if (!tg_token_is_digit(&tokens.tokens[i]))
            return 0;
    }
    return slash + 1 < tokens.n ? slash : 0;
}

/* ---- Lists of nodes -------------------------------------------------------------------------- */

/* A list of the tree while items are added at its end. */
typedef struct {
    TgParser *parser;
    TgNode *first, *last;
    guint32 n;
} List;

static void add_node(List *self, TgNode *node)
{
    if (self->last != NULL)
        self->last->next = node;
    else
        self->first = node;
    self->last = node;
    self->n++;
}

/* Add @tokens, read as mathematics with letters in @alphabet. */
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
    add_node(self, (TgNode *) list->u.list.first); /* the cast is right while the tree is built */
    self->last = parser->tail;
    self->n += list->u.list.n_items - 1;
}

/* Add constant LaTeX with the span of @at. */
static void add_latex(List *self, const char *latex, const TgTexToken *at)
{
    add_run(self, tg_expander_lex(&self->parser->in, latex, strlen(latex), at),
            TG_ALPHABET_DEFAULT);
}

/* Take the items as a {group} that spans @from to @to. */
static TgNode *take_group(List *self, const TgTexToken *from, const TgTexToken *to)
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

/* The tokens of a script as LIST, or NULL if there are none. Letters are upright, except a single
 * letter that is a number: NO_x. */
static TgNode *read_script(TgParser *parser, TgTexTokens tokens)
{
    List list = { .parser = parser };
    gboolean letters = FALSE;

    if (tokens.n == 0)
        return NULL;
    for (guint32 i = 0; i < tokens.n; i++)
        letters |= tokens.tokens[i].kind != TG_TOK_CHAR || g_unichar_isalpha(tokens.tokens[i].code);
    if (tokens.n == 1 && g_unichar_islower(tokens.tokens[0].code))
        letters = FALSE;
    add_run(&list, tokens, letters ? TG_ALPHABET_RM : TG_ALPHABET_DEFAULT);
    TgNode *node = take_group(&list, &tokens.tokens[0], &tokens.tokens[tokens.n - 1]);
    node->u.list.braced = 0;
    return node;
}

/* ---- Elements with their scripts, and amounts ------------------------------------------------ */

/* The state of a formula while it is read. */
typedef enum {
    AT_START,   /* before any part of an element */
    AT_ELEMENT, /* in or after an element */
    AT_AMOUNT,
    AT_MINUS,  /* after -, a bond or a charge */
    IN_SCRIPT, /* in the part .script */
} State;

/* The parts of an element, which are collected until the element is written. */
typedef enum { ELEMENT, SUP, SUB, PRESUP, PRESUB, N_PARTS } Part;

/* A formula while it is read. */
typedef struct {
    List *out;
    TgTexTokens in;
    guint32 i;
    State state;
    Part script;                /* IN_SCRIPT: the part that is read */
    gboolean before_script;     /* none of its tokens was read */
    TgTexTokens parts[N_PARTS]; /* each has room for all of @in */
    gboolean begun[N_PARTS];    /* the script has begun, perhaps without a token so far */
    gboolean takes_scripts;     /* the last item written is a bracket or a command */
    gboolean bond;              /* the formula began with - */
    TgTexToken minus;
} Formula;

/* The element: upright letters, with text ({..}) between them. */
static TgNode *element_node(const Formula *self)
{
    TgParser *parser = self->out->parser;
    const TgTexTokens tokens = self->parts[ELEMENT];
    List list = { .parser = parser };

    for (guint32 i = 0, end; i < tokens.n; i = end) {
        const TgTexToken *token = &tokens.tokens[i];

        end = tg_tex_tokens_item_end(tokens, i);
        if (token->kind == TG_TOK_OPEN) {
            const TgFontState before = parser->font;
            TgNode *text = tg_parser_text_of(parser, token, NULL);

            parser->font.text = (TgTextFont){ .size = before.text.size };
            text->u.text.body =
                tg_parser_sublist(parser, slice_tokens(tokens, i + 1, end - 1), TRUE, token);
            parser->font = before;
            text->end = MAX(text->end, tokens.tokens[end - 1].end);
            text->u.text.scales = 1;
            add_node(&list, text);
        } else {
            while (end < tokens.n && tokens.tokens[end].kind == TG_TOK_CHAR)
                end++;
            add_run(&list, slice_tokens(tokens, i, end), TG_ALPHABET_RM);
        }
    }
    if (list.n == 1 && list.first->kind == TG_NODE_TEXT)
        return list.first;
    return take_group(&list, &tokens.tokens[0], &tokens.tokens[tokens.n - 1]);
}

/* Add a SCRIPTS with the two parts, if they have tokens, around @nucleus; if the element has no
 * letters, around the item before. */
static void add_scripts(Formula *self, Part sub, Part sup, TgScriptsForm form, TgNode *nucleus)
{
    TgParser *parser = self->out->parser;
    TgNode *scripts = tg_parser_node(parser, TG_NODE_SCRIPTS,
                                     self->parts[self->parts[sup].n > 0 ? sup : sub].tokens);
    TgNode *last = self->out->last, *below = read_script(parser, self->parts[sub]);
    TgNode *above = read_script(parser, self->parts[sup]);

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
    if (nucleus == NULL) { /* an empty nucleus, so that no atom before gets the scripts */
        nucleus = tg_parser_node(parser, TG_NODE_LIST,
                                 &(TgTexToken){ .start = scripts->start, .end = scripts->start });
        nucleus->u.list.braced = 1;
    }
    scripts->u.scripts.nucleus = nucleus;
    scripts->start = MIN(scripts->start, nucleus->start);
    add_node(self->out, scripts);
}

static void put_element(Formula *self)
{
    if (self->parts[PRESUP].n > 0 || self->parts[PRESUB].n > 0) {
        self->takes_scripts = FALSE;
        add_scripts(self, PRESUB, PRESUP, TG_SCRIPTS_BEFORE, NULL);
    }
    TgNode *element = self->parts[ELEMENT].n > 0 ? element_node(self) : NULL;
    if (self->parts[SUP].n > 0 || self->parts[SUB].n > 0)
        add_scripts(self, SUB, SUP, TG_SCRIPTS_SUB_SUP, element);
    else if (element != NULL)
        add_node(self->out, element);
}

/* Write an amount; 1/2 is a fraction. */
static void put_amount(Formula *self)
{
    TgParser *parser = self->out->parser;
    const TgTexTokens tokens = self->parts[ELEMENT];
    const TgTexToken *first = &tokens.tokens[0], *last = &tokens.tokens[tokens.n - 1];
    const guint32 slash = find_slash(tokens);

    if (slash == 0) {
        add_run(self->out, tokens, TG_ALPHABET_DEFAULT);
        return;
    }
    TgNode *fraction = tg_parser_node(parser, TG_NODE_FRACTION, first);
    List num = { .parser = parser }, den = { .parser = parser };

    add_run(&num, slice_tokens(tokens, 0, slash), TG_ALPHABET_DEFAULT);
    add_run(&den, slice_tokens(tokens, slash + 1, tokens.n), TG_ALPHABET_DEFAULT);
    fraction->u.fraction.num = take_group(&num, first, &tokens.tokens[slash - 1]);
    fraction->u.fraction.den = take_group(&den, &tokens.tokens[slash + 1], last);
    fraction->u.fraction.has_bar = 1;
    fraction->u.fraction.style = TG_STYLE_INHERIT;
    fraction->end = MAX(first->end, last->end);
    fraction->token = tg_parser_ink(parser, &tokens.tokens[slash], 0);
    add_node(self->out, fraction);
}

/* Write the element with its scripts, if it has any part. */
static void flush_element(Formula *self)
{
    gboolean any = FALSE;

    for (guint part = 0; part < N_PARTS; part++)
        any |= self->parts[part].n > 0;
    if (any && self->state == AT_AMOUNT)
        put_amount(self);
    else if (any)
        put_element(self);
    for (guint part = 0; part < N_PARTS; part++) {
        self->parts[part].n = 0;
        self->begun[part] = FALSE;
    }
    self->takes_scripts &= !any;
}

/* ---- Items that stand for themselves ------------------------------------------------------- */

static void put_latex(Formula *self, const char *latex, const TgTexToken *at)
{
    flush_element(self);
    add_latex(self->out, latex, at);
    self->takes_scripts = FALSE;
}

/* Write a bond or another sign, after which a new element begins. */
static void put_sign(Formula *self, const char *latex, const TgTexToken *at)
{
    put_latex(self, latex, at);
    self->state = AT_START;
}

/* ---- The states of a formula ----------------------------------------------------------------- */

/* Take the next token into a part; a group loses its braces unless @braces. */
static void take_token(Formula *self, Part part, gboolean braces)
{
    const guint32 end = tg_tex_tokens_item_end(self->in, self->i);
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

static void begin_script(Formula *self, Part part)
{
    self->begun[part] = TRUE;
    self->state = IN_SCRIPT;
    self->script = part;
    self->before_script = TRUE;
}

/* Begin a script; if the element already has one of this kind, begin a new element. */
static void begin_new_script(Formula *self, Part part)
{
    if (self->begun[part])
        flush_element(self);
    begin_script(self, part);
}

/* Read a command and the groups after it as mathematics. */
static void take_command(Formula *self)
{
    guint32 end = self->i + 1;

    flush_element(self);
    while (end < self->in.n && self->in.tokens[end].kind == TG_TOK_OPEN)
        end = tg_tex_tokens_item_end(self->in, end);
    add_run(self->out, slice_tokens(self->in, self->i, end), TG_ALPHABET_DEFAULT);
    self->i = end;
    self->state = AT_ELEMENT;
    self->takes_scripts = TRUE;
}

/* Write \bond{..} if it comes next. Dashed bonds are not known, because they are minus signs that
 * are scaled. */
static gboolean put_bond(Formula *self, const TgTexToken *token)
{
    static const struct {
        const char *written, *latex;
    } bonds[] = {
        { "-", "{-}" },
        { "1", "{-}" },
        { "=", "{=}" },
        { "2", "{=}" },
        { "#", "{\\equiv}" },
        { "3", "{\\equiv}" },
        { "...", "{\\cdot}{\\cdot}{\\cdot}" },
        { "....", "{\\cdot}{\\cdot}{\\cdot}{\\cdot}" },
        { "->", "{\\rightarrow}" },
        { "<-", "{\\leftarrow}" },
    };
    const guint32 from = self->i + 1;

    if (!tg_token_is_command(token, "bond") || from >= self->in.n ||
        self->in.tokens[from].kind != TG_TOK_OPEN)
        return FALSE;
    const guint32 end = tg_tex_tokens_item_end(self->in, from);
    if (self->in.tokens[end - 1].kind != TG_TOK_CLOSE)
        return FALSE;
    g_autofree char *text = tg_parser_spelling(slice_tokens(self->in, from + 1, end - 1));
    for (guint k = 0; k < G_N_ELEMENTS(bonds); k++) {
        if (strcmp(text, bonds[k].written) != 0)
            continue;
        put_latex(self, bonds[k].latex, token);
        self->i = end;
        self->state = AT_ELEMENT;
        self->takes_scripts = TRUE;
        return TRUE;
    }
    return FALSE;
}

/* Handle a token at the start of or inside an element, by its kind. */
static void step_element(Formula *self, const TgTexToken *token)
{
    const gboolean element = self->state == AT_ELEMENT;
    const gunichar code = token->kind == TG_TOK_CHAR ? token->code : 0;

    switch (token->kind) {
    case TG_TOK_COMMAND:
        if (!put_bond(self, token))
            take_command(self);
        return;
    case TG_TOK_OPEN: /* a group is text; {} only separates */
        flush_element(self);
        if (tg_tex_tokens_item_end(self->in, self->i) - self->i <= 2) {
            self->i += 2;
            return;
        }
        self->state = AT_ELEMENT;
        take_token(self, ELEMENT, TRUE);
        return;
    case TG_TOK_SUP:
        begin_new_script(self, element ? SUP : PRESUP);
        self->i++;
        return;
    case TG_TOK_SUB:
        begin_new_script(self, element ? SUB : PRESUB);
        self->i++;
        return;
    default:
        break;
    }
    if (code == '-') {
        if (!element) {
            flush_element(self);
            self->bond = TRUE;
        }
        self->minus = self->in.tokens[self->i++];
        self->state = AT_MINUS;
    } else if (code == '+' && element) {
        begin_script(self, SUP);
    } else if (code == '+') {
        begin_new_script(self, PRESUP);
    } else if (tg_token_is_digit(token) && element) {
        begin_new_script(self, SUB);
    } else if (tg_token_is_digit(token) || (!element && (code == '.' || code == ','))) {
        flush_element(self);
        self->state = AT_AMOUNT;
    } else if (g_unichar_isalpha(code)) { /* after a script a letter begins a new element */
        if (self->begun[SUP] || self->begun[SUB])
            flush_element(self);
        self->state = AT_ELEMENT;
        take_token(self, ELEMENT, TRUE);
    } else { /* other characters are items of their own */
        self->i++;
        if (code == '=' || token->kind == TG_TOK_HASH) {
            put_sign(self, code == '=' ? "{=}" : "{\\equiv}", token);
        } else if (code == ',') {
            put_latex(self, "{,}\\mkern3mu ", token);
        } else if (code == '*' || code == '.') {
            put_sign(self, "\\,{\\cdot}\\,", token);
        } else {
            const gboolean closes = code == ')' || code == ']' || code == '/';

            if (!closes && code != '[' && code != '(' && code != '|') {
                if (element)
                    flush_element(self);
                tg_report(&self->out->parser->errors, token, TG_PARSE_CHARACTER,
                          "misplaced %.*s in \\ce", TG_TOKEN_TEXT(token));
            }
            flush_element(self);
            add_run(self->out, (TgTexTokens){ token, 1 }, TG_ALPHABET_DEFAULT);
            self->takes_scripts = closes;
            self->state = closes ? AT_ELEMENT : AT_START;
        }
    }
}

/* The characters that a script takes beside digits, as its first one and after it. */
static const struct {
    const char *first, *more;
} script_characters[N_PARTS] = {
    [SUP] = { "", "+-" },
    [SUB] = { "/", "/" },
    [PRESUP] = { "-", "" },
    [PRESUB] = { "-", "" },
};

static void step_script(Formula *self, const TgTexToken *token)
{
    const Part part = self->script;
    const gboolean first = self->before_script;
    const gboolean goes_on = tg_token_is_digit(token) ||
                             tg_token_is_char_of(token, first ? script_characters[part].first
                                                              : script_characters[part].more);

    self->before_script = FALSE;
    if (!goes_on)
        self->state = part == SUP || part == SUB ? AT_ELEMENT : AT_START;
    if (first || goes_on)
        take_token(self, part, FALSE);
}

static void read_formula_token(Formula *self)
{
    const TgTexToken *token = &self->in.tokens[self->i];

    switch (self->state) {
    case AT_START:
    case AT_ELEMENT:
        step_element(self, token);
        break;
    case AT_MINUS: /* it is no charge, because something follows */
        put_sign(self, "{-}", &self->minus);
        break;
    case AT_AMOUNT:
        if (tg_token_is_digit(token) || tg_token_is_char_of(token, ").,/")) {
            take_token(self, ELEMENT, TRUE);
        } else {
            const TgTexToken at = self->parts[ELEMENT].tokens[0];

            put_sign(self, "\\,", &at);
        }
        break;
    default:
        step_script(self, token);
        break;
    }
}

/* Handle white space or the end: a - before it is a charge, and an amount gets no space after
 * it. */
static void end_word(Formula *self, gboolean space)
{
    if (self->state == AT_MINUS && self->bond)
        put_sign(self, "{-}", &self->minus);
    else if (self->state == AT_MINUS)
        ((TgTexToken *) self->parts[SUP].tokens)[self->parts[SUP].n++] = self->minus;
    flush_element(self);
    if (space)
        put_latex(self, "\\,", &self->in.tokens[self->i++]);
    self->state = AT_START;
}

/* Add the formula @tokens, which contains no arrows or operators. */
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
            read_formula_token(&self);
    }
    end_word(&self, FALSE);
}

/* ---- Reactions: formulas with arrows and operators between them ------------------------------ */

/* The maximum depth of labels of arrows inside labels, because each is read by a recursive call. */
enum { MAX_LABEL_DEPTH = 8 };

/* A reaction while it is read. Tokens keep their places in the source. */
typedef struct {
    List out;
    TgTexTokens in;
    guint32 i;        /* next token of @in */
    guint32 from, to; /* words of a formula that are not yet written */
} Reaction;

static const TgTexToken *peek_token(const Reaction *self, guint32 ahead)
{
    static const TgTexToken end = { .kind = TG_TOK_END, .text = "" };

    return self->i + ahead < self->in.n ? &self->in.tokens[self->i + ahead] : &end;
}

static gboolean ends_word(const TgTexToken *token)
{
    return token->kind == TG_TOK_SPACE || token->kind == TG_TOK_END;
}

/* The number of tokens that form the sign @sign here; 0: another sign stands here. */
static guint32 match_sign(const Reaction *self, const char *sign)
{
    guint32 n = 0;

    for (; *sign != '\0'; sign = g_utf8_next_char(sign), n++) {
        const TgTexToken *token = peek_token(self, n);

        if (*sign == '^' ? token->kind != TG_TOK_SUP
                         : !tg_token_is_char(token, g_utf8_get_char(sign)))
            return 0;
    }
    return n;
}

/* Write the collected words. */
static void flush_words(Reaction *self)
{
    const TgTexTokens words = slice_tokens(self->in, self->from, self->to);

    if (words.n > 0)
        add_formula(&self->out, words);
    self->from = self->to = self->i;
}

/* Write the collected words, then take @n tokens that draw one sign. Returns the first of them,
 * with the span of all. */
static TgTexToken take_sign(Reaction *self, guint32 n)
{
    flush_words(self);
    TgTexToken first = *peek_token(self, 0);
    const guint32 end = peek_token(self, n - 1)->end;

    if (end > first.end)
        tg_parser_extend(self->out.parser, &first, end);
    self->i += n;
    return first;
}

/* Single arrows are set as mhchem sets them, pairs as amsmath and mathtools do. */
static const struct {
    const char *sign;
    const char *symbol; /* without labels */
    TgArrow form;       /* with labels */
    gboolean single;
} arrows[] = {
    /* longest names first */
    { "<=>>", "rightleftharpoons", TG_ARROW_RIGHT_LEFT_HARPOONS, FALSE },
    { "<<=>", "rightleftharpoons", TG_ARROW_RIGHT_LEFT_HARPOONS, FALSE },
    { "<-->", "rightleftarrows", TG_ARROW_RIGHT_LEFT, FALSE },
    { "<=>", "rightleftharpoons", TG_ARROW_RIGHT_LEFT_HARPOONS, FALSE },
    { "<->", "longleftrightarrow", TG_ARROW_LEFTRIGHT, TRUE },
    { "->", "longrightarrow", TG_ARROW_RIGHT, TRUE },
    { "<-", "longleftarrow", TG_ARROW_LEFT, TRUE },
    { "\342\206\222", "longrightarrow", TG_ARROW_RIGHT, TRUE },                   /* U+2192 */
    { "\342\207\214", "rightleftharpoons", TG_ARROW_RIGHT_LEFT_HARPOONS, FALSE }, /* U+21CC */
};

static TgNode *read_reaction(TgParser *parser, TgTexTokens in, const TgTexToken *at);

/* Read [..]; NULL when there is none. */
static TgNode *read_label(Reaction *self)
{
    const TgTexToken at = *peek_token(self, 0);

    if (!tg_token_is_char(&at, '['))
        return NULL;
    const guint32 from = ++self->i;
    while (self->i < self->in.n && !tg_token_is_char(peek_token(self, 0), ']'))
        self->i = tg_tex_tokens_item_end(self->in, self->i);
    const TgTexTokens label = slice_tokens(self->in, from, self->i);
    self->i = MIN(self->i + 1, self->in.n);
    return label.n > 0 ? read_reaction(self->out.parser, label, &at) : NULL;
}

/* Write an arrow if one stands here; @stray: inside a word, where mhchem accepts none. */
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
        tg_report(&parser->errors, &arrow, TG_PARSE_CHARACTER,
                  "\\ce needs a space before the arrow %s", arrows[k].sign);
    const gboolean single = arrows[k].single;
    if (!tg_token_is_char(peek_token(self, 0), '[')) {
        const char *name = arrows[k].symbol;
        const TgSymbol *symbol = tg_symbol_find(name, strlen(name));
        TgNode *sign = tg_parser_symbol_node(parser, &arrow, symbol, symbol->codepoint);
        sign->u.symbol.chemistry = single != FALSE;
        add_node(&self->out, sign);
        return TRUE;
    }
    TgNode *node = tg_parser_node(parser, TG_NODE_ARROW, &arrow);
    TgNode *above = read_label(self);
    node->u.arrow.form = (guint8) arrows[k].form;
    node->u.arrow.chemistry = single != FALSE;
    node->u.arrow.above = above != NULL ? above : tg_parser_empty_list(parser, &arrow);
    node->u.arrow.below = read_label(self);
    node->token = tg_parser_ink(parser, &arrow, 0);
    node->end = MAX(node->end, node->u.arrow.above->end);
    if (node->u.arrow.below != NULL)
        node->end = MAX(node->end, node->u.arrow.below->end);
    add_node(&self->out, node);
    return TRUE;
}

static const struct {
    const char *sign;
    const char *latex;
    gboolean alone; /* it is an operator only as a whole word */
} operators[] = {
    { "+", "{}+{}", FALSE },
    { "-", "\\hspace{.5ex}{-}\\hspace{.5ex}", TRUE },
    { "=", "\\hspace{.5ex}{=}\\hspace{.5ex}", TRUE },
    { "(v)", "{}\\mathop{\\downarrow}{}", TRUE },
    { "v", "{}\\mathop{\\downarrow}{}", TRUE },
    { "(^)", "{}\\mathop{\\uparrow}{}", TRUE },
    { "^", "{}\\mathop{\\uparrow}{}", TRUE },
    { ".", "\\,{\\cdot}\\,", TRUE },
    { "*", "\\,{\\cdot}\\,", TRUE },
    { "\302\267", "\\,{\\cdot}\\,", FALSE }, /* U+00B7 */
};

/* Write an operator if one stands at the beginning of a word. */
static gboolean put_operator(Reaction *self)
{
    const char *latex = NULL;
    guint32 n = 0;

    for (guint k = 0; k < G_N_ELEMENTS(operators) && n == 0; k++) {
        n = match_sign(self, operators[k].sign);
        if (operators[k].alone && !ends_word(peek_token(self, n)))
            n = 0;
        latex = operators[k].latex;
    }
    if (n == 0)
        return FALSE;
    const TgTexToken sign = take_sign(self, n);
    add_latex(&self->out, latex, &sign);
    return TRUE;
}

static TgNode *read_reaction(TgParser *parser, TgTexTokens in, const TgTexToken *at)
{
    Reaction self = { .out = { .parser = parser }, .in = in };
    const TgTexToken *last = in.n > 0 ? &in.tokens[in.n - 1] : at;

    if (++parser->chemistry_depth > MAX_LABEL_DEPTH)
        tg_report(&parser->errors, at, TG_PARSE_LIMIT,
                  "more than %d arrows in the labels of others", MAX_LABEL_DEPTH);
    while (self.i < in.n && tg_parser_alive(parser)) {
        if (peek_token(&self, 0)->kind == TG_TOK_SPACE) {
            self.i++;
        } else if (!put_arrow(&self, FALSE) && !put_operator(&self)) {
            /* collect a word up to white space or an arrow */
            if (self.from == self.to)
                self.from = self.i;
            do {
                self.i = tg_tex_tokens_item_end(in, self.i);
                self.to = self.i;
            } while (!ends_word(peek_token(&self, 0)) && !put_arrow(&self, TRUE));
        }
    }
    flush_words(&self);
    parser->chemistry_depth--;
    return take_group(&self.out, at, last);
}

/* ---- \ce ------------------------------------------------------------------------------------- */

void tg_parser_chemistry(TgParser *self, const TgTexToken *token)
{
    const TgFontState before = self->font;
    TgTexTokens list;

    if (!tg_parser_tokens_argument(self, token, "an argument", &list))
        return;
    TgTexToken *kept = tg_arena_alloc(&self->scratch, (list.n + 1) * sizeof *kept);
    guint32 n = 0;
    for (guint32 i = 0; i < list.n; i++) {
        if (list.tokens[i].kind != TG_TOK_DOLLAR)
            kept[n++] = list.tokens[i];
    }
    self->font.alphabet = TG_ALPHABET_DEFAULT;
    TgNode *node = read_reaction(self, (TgTexTokens){ kept, n }, token);
    self->font = before;
    node->start = token->start;
    tg_parser_append_math(self, token, node);
}
