/* mhchem's \ce: a reaction, that is formulas with arrows and operators between them. */
#include "tokenizer/latex/chemistry.h"

#include "tokenizer/symbols/symbols.h"

/* Labels of arrows inside of labels, each of which is read by a call of its own. */
enum { MAX_LABEL_DEPTH = 8 };

/* A reaction being read. Tokens keep their places in the source. */
typedef struct {
    TgChemList out;
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
    while (n + 1 < tokens.n && tg_chem_is_lower(&tokens.tokens[tokens.n - 2 - n]))
        n++;
    return n >= 1 && n <= 3 && n + 2 < tokens.n &&
                   tg_token_is_char(&tokens.tokens[tokens.n - 2 - n], '(')
               ? tokens.n - 2 - n
               : tokens.n;
}

/* Write the words that were collected. */
static void flush_words(Reaction *self)
{
    const TgTexTokens words = tg_chem_slice(self->in, self->from, self->to);
    const guint32 state = find_state(words);

    if (words.n > 0)
        tg_chem_formula(&self->out, tg_chem_slice(words, 0, state));
    if (state < words.n) {
        if (!self->out.scripted)
            tg_chem_add_latex(&self->out, "\\hspace{.2ex}", &words.tokens[state]);
        tg_chem_formula(&self->out, tg_chem_slice(words, state, words.n));
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
        self->i = tg_chem_end_of(self->in, self->i);
    self->i = MIN(self->i + 1, self->in.n + 1);
    const TgTexTokens label = tg_chem_slice(self->in, from, self->i - 1);
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
            tg_chem_add(&self->out, labelled_arrow(self, &arrow, arrows[k].form));
        else
            tg_chem_add_sign(&self->out, arrows[k].symbol, &arrow);
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
        tg_chem_add_sign(&self->out, latex, &sign);
    else
        tg_chem_add_latex(&self->out, latex, &sign);
    return TRUE;
}

/* ---- The whole ----------------------------------------------------------------------------- */

/* A word up to white space or an arrow. */
static void take_word(Reaction *self)
{
    if (self->from == self->to)
        self->from = self->i;
    do {
        self->i = tg_chem_end_of(self->in, self->i);
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
    return tg_chem_take(&self.out, at, last);
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

    for (guint32 i = 0; i < list.n; i = tg_chem_end_of(list, i))
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

        end = tg_chem_end_of(list, i);
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
