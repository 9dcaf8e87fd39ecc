/* What stands in the scripts of \ce, and mathematics in it. */
#include "tokenizer/latex/chemistry.h"

gboolean tg_chem_is_counted(TgTexTokens tokens)
{
    gboolean after_letter = FALSE, any = FALSE;

    for (guint32 i = 0; i < tokens.n; i++) {
        const TgTexToken *token = &tokens.tokens[i];
        const gboolean letter = tg_chem_is_lower(token);

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

gboolean tg_chem_is_greek(const TgTexToken *token)
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

        if (token->kind != TG_TOK_SPACE && !tg_chem_is_greek(token) &&
            !(token->kind == TG_TOK_CHAR && (g_ascii_isalnum((gchar) MIN(token->code, 0x7F)) ||
                                             tg_token_is_char_of(token, "+-,.()"))))
            return FALSE;
    }
    return tokens.n > 0;
}

/* The signs of a counter are no operators: mhchem sets no space at them. */
static void add_counter(TgChemList *self, TgTexTokens tokens)
{
    for (guint32 i = 0; i < tokens.n; i++) {
        const TgTexToken *token = &tokens.tokens[i];

        if (tg_token_is_char_of(token, "+-,")) {
            TgChemList sign = { .parser = self->parser };

            tg_chem_add_run(&sign, tg_chem_slice(tokens, i, i + 1), TG_ALPHABET_DEFAULT);
            tg_chem_add(self, tg_chem_take(&sign, token, token));
        } else {
            tg_chem_add_run(self, tg_chem_slice(tokens, i, i + 1), TG_ALPHABET_DEFAULT);
        }
    }
}

void tg_chem_add_math(TgChemList *self, TgTexTokens tokens)
{
    const TgTexToken *open = &tokens.tokens[0], *close = &tokens.tokens[tokens.n - 1];
    const TgTexTokens inside =
        tg_chem_slice(tokens, 1, MAX(tokens.n - (close->kind == TG_TOK_DOLLAR), 1));
    TgParser *parser = self->parser;

    if (is_counter(inside)) {
        TgChemList list = { .parser = parser };

        add_counter(&list, inside);
        tg_chem_add(self, tg_chem_take(&list, open, close));
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
    tg_chem_add(self, text);
}

/* ---- Scripts ------------------------------------------------------------------------------- */

/* , between numbers is a decimal mark, else there is a little space behind it. */
static void add_comma(TgChemList *self, TgTexTokens tokens, guint32 i)
{
    const gboolean decimal = i > 0 && tg_token_is_digit(&tokens.tokens[i - 1]) &&
                             i + 1 < tokens.n && tg_token_is_digit(&tokens.tokens[i + 1]);

    tg_chem_add_latex(self, decimal ? "{,}" : "{,}\\mkern1mu ", &tokens.tokens[i]);
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
           (counted && tg_chem_is_lower(token));
}

static void add_special(TgChemList *self, TgTexTokens tokens, guint32 i, guint32 end)
{
    const TgTexToken *token = &tokens.tokens[i];

    if (token->kind == TG_TOK_DOLLAR)
        tg_chem_add_math(self, tg_chem_slice(tokens, i, end));
    else if (tg_token_is_char(token, ','))
        add_comma(self, tokens, i);
    else if (tg_token_is_char(token, '.'))
        tg_chem_add_latex(self, "\\bullet ", token);
    else if (tg_token_is_char(token, '*'))
        tg_chem_add_latex(self, "\\ast ", token);
    else
        tg_chem_add_run(self, tg_chem_slice(tokens, i, end), TG_ALPHABET_DEFAULT);
}

/* Letters are upright; digits and signs are that anyway. */
static void add_upright(TgChemList *self, TgTexTokens tokens)
{
    gboolean letters = FALSE;

    for (guint32 i = 0; i < tokens.n; i++)
        letters |= tokens.tokens[i].kind != TG_TOK_CHAR || g_unichar_isalpha(tokens.tokens[i].code);
    tg_chem_add_run(self, tokens, letters ? TG_ALPHABET_RM : TG_ALPHABET_DEFAULT);
}

/* (g), a state of aggregation. */
static gboolean is_state(TgTexTokens tokens)
{
    return tokens.n == 3 && tg_token_is_char(&tokens.tokens[0], '(') &&
           tg_chem_is_lower(&tokens.tokens[1]) && tg_token_is_char(&tokens.tokens[2], ')');
}

TgNode *tg_chem_script(TgParser *parser, TgTexTokens tokens, gboolean sup)
{
    const gboolean counted = tg_chem_is_counted(tokens) && (sup || !is_state(tokens));
    TgChemList list = { .parser = parser };
    guint32 run = 0;

    for (guint32 i = 0, end; i < tokens.n; i = end) {
        end = tg_chem_end_of(tokens, i);
        if (!is_special(tokens, i, sup, counted))
            continue;
        add_upright(&list, tg_chem_slice(tokens, run, i));
        run = end;
        add_special(&list, tokens, i, end);
    }
    add_upright(&list, tg_chem_slice(tokens, run, tokens.n));
    TgNode *node = tg_chem_take(&list, &tokens.tokens[0], &tokens.tokens[tokens.n - 1]);
    node->u.list.braced = 0;
    return node;
}
