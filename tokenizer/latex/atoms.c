/* The atoms of mathematics: symbols, scripts, characters, delimiters, dots; and the table of
 * the functions that read them. */
#include "core/utf8.h"
#include "tokenizer/latex/parser.h"

/* ---- Scripts, primes and \limits, which belong to the atom before -------------------------- */

/* The number of primes that the character @token shows: 1 for ', 2 for U+2033, else 0. */
static guint count_primes(const TgTexToken *token)
{
    char source[TG_UNICODE_SOURCE_MAX];

    if (token->kind != TG_TOK_CHAR)
        return 0;
    if (token->code == '\'' || token->code == 0x2019)
        return 1;
    if (token->code < 0x2032 || token->code > 0x2057 || !tg_unicode_source(token->code, source))
        return 0;
    return (guint) strspn(source, "'");
}

gboolean tg_parser_takes_scripts(const TgNode *node)
{
    const guint8 kind = node->kind;

    if (kind == TG_NODE_COLOR)
        return node->u.color.body != NULL;
    return kind != TG_NODE_MIDDLE && kind != TG_NODE_CHOICE && kind != TG_NODE_CHAR &&
           kind != TG_NODE_MATH && kind != TG_NODE_STYLE && kind != TG_NODE_SIZE &&
           kind != TG_NODE_SPACE && kind != TG_NODE_BREAK && kind != TG_NODE_TAG &&
           kind != TG_NODE_PHANTOM;
}

/* Append a SCRIPTS without a nucleus, as TeX does where there is no atom. */
static TgNode *append_scripts(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_SCRIPTS, token);

    tg_parser_append(self, node);
    return node;
}

/* The SCRIPTS for a script that comes now: wrapped around the last atom, which keeps its place. */
static TgNode *scripts_here(TgParser *self, const TgTexToken *token)
{
    TgNode *last = self->scope->last;

    if (last == NULL || !tg_parser_takes_scripts(last))
        return append_scripts(self, token);
    if (last->kind != TG_NODE_SCRIPTS) {
        const TgNode *nucleus = tg_parser_wrap_last(self, TG_NODE_SCRIPTS);
        last->u.scripts.nucleus = nucleus;
    }
    return last;
}

/* The same, but a new SCRIPTS if that one already has such a script. */
static TgNode *scripts_with_room(TgParser *self, const TgTexToken *token, gboolean sup)
{
    TgNode *node = scripts_here(self, token);

    if ((sup ? node->u.scripts.sup : node->u.scripts.sub) == NULL)
        return node;
    tg_report(&self->errors, token, TG_PARSE_SCRIPT, "double %s",
              sup ? "superscript" : "subscript");
    return append_scripts(self, token);
}

static void set_script(TgParser *self, TgNode *node, const TgNode *list, gboolean sup)
{
    if (sup)
        node->u.scripts.sup = list;
    else
        node->u.scripts.sub = list;
    node->end = MAX(node->end, MAX(list->end, self->in.end));
}

/* Read ^ or _ and the script. */
static void read_script(TgParser *self, const TgTexToken *token)
{
    const gboolean sup = token->kind == TG_TOK_SUP;
    TgNode *node = scripts_with_room(self, token, sup);

    set_script(self, node, tg_parser_script_argument(self, token), sup);
}

/* Take the next token if it is a prime or ^, with or without white space before it. */
static gboolean next_of_primes(TgParser *self, TgTexToken *token)
{
    TgTexToken next = tg_expander_raw(&self->in);
    const gboolean spaced = next.kind == TG_TOK_SPACE;

    if (spaced)
        next = tg_expander_raw(&self->in);
    if (next.kind != TG_TOK_SUP && count_primes(&next) == 0) {
        tg_expander_unread(&self->in, &next);
        return FALSE;
    }
    if (spaced) /* because TeX only looks at the very next token */
        tg_report(&self->errors, &next, TG_PARSE_SCRIPT, "double superscript: space before %.*s",
                  TG_TOKEN_TEXT(&next));
    *token = next;
    return TRUE;
}

/* Read consecutive primes, and a ^ that follows them. */
static void read_primes(TgParser *self, const TgTexToken *first)
{
    TgNode *node = scripts_with_room(self, first, TRUE);
    TgNode *list = tg_parser_node(self, TG_NODE_LIST, first);
    const TgSymbol *prime = tg_symbol_find("prime", strlen("prime"));
    const TgNode **end = &list->u.list.first;
    TgTexToken token = *first;

    list->u.list.braced = 1;
    do {
        if (token.kind == TG_TOK_SUP) {
            const TgNode *more = tg_parser_script_argument(self, &token);

            *end = more->u.list.first;
            list->u.list.n_items += more->u.list.n_items;
            list->end = MAX(list->end, more->end);
            break;
        }
        for (guint n = count_primes(&token); n > 0; n--) {
            TgNode *item = tg_parser_symbol_node(self, &token, prime, prime->codepoint);

            *end = item;
            end = &item->next;
            list->u.list.n_items++;
            node->u.scripts.n_primes++;
        }
        list->end = MAX(list->end, token.end);
    } while (next_of_primes(self, &token));
    set_script(self, node, list, TRUE);
}

/* Read \limits, \nolimits or \displaylimits, which follow an Op; value is the TgLimits. */
void tg_parser_limits(TgParser *self, const TgTexToken *token)
{
    const TgNode *last = self->scope->last;

    if (last == NULL || tg_node_class(last) != TG_CLASS_OP) {
        tg_parser_fault(self, token, TG_PARSE_LIMITS, "must follow an operator");
        return;
    }
    if (last->kind == TG_NODE_OPERATOR && last->u.op.limits == TG_LIMITS_OFF &&
        token->command->value == TG_LIMITS_ON) /* amsopn's \log removes the \limits after it */
        return;
    scripts_here(self, token)->u.scripts.limits = (guint8) token->command->value;
}

/* ---- Symbols, accents and named operators -------------------------------------------------- */

const TgSymbol *tg_parser_accent_of_mark(gunichar mark)
{
    enum { MACRON = 0x0304, OVERLINE = 0x0305 };
    const gunichar drawn = mark == OVERLINE ? MACRON : mark;
    guint n;
    const TgSymbol *symbols = tg_symbol_list(&n);

    for (guint i = 0; i < n; i++) {
        if (symbols[i].kind == TG_SYMBOL_ACCENT && symbols[i].codepoint == drawn &&
            (symbols[i].flags & TG_SYMBOL_WIDE) == 0)
            return &symbols[i];
    }
    return NULL;
}

TgNode *tg_parser_symbol_node(TgParser *self, const TgTexToken *token, const TgSymbol *symbol,
                              gunichar code)
{
    TgNode *node = tg_parser_node(self, TG_NODE_SYMBOL, token);

    node->u.symbol.symbol = symbol;
    node->u.symbol.code = code;
    node->math_class = symbol != NULL ? symbol->math_class : TG_CLASS_ORD;
    node->alphabet = self->font.alphabet;
    node->bold = self->font.bold;
    if (self->font.plain_in != TG_ALPHABET_DEFAULT && self->font.plain_in == node->alphabet &&
        symbol != NULL && (symbol->flags & TG_SYMBOL_ALPHABETIC) != 0)
        node->bold = 0;
    node->token = tg_parser_ink(self, token, 0);
    return node;
}

static void append_symbol(TgParser *self, const TgTexToken *token, const TgSymbol *symbol)
{
    if (symbol->kind == TG_SYMBOL_ACCENT) {
        TgNode *node = tg_parser_node(self, TG_NODE_ACCENT, token);

        node->u.accent.symbol = symbol;
        node->u.accent.code = symbol->codepoint;
        node->u.accent.wide = (symbol->flags & TG_SYMBOL_WIDE) != 0;
        node->alphabet = self->font.alphabet;
        node->token = tg_parser_ink(self, token, 0);
        node->u.accent.base = tg_parser_argument(self, token, "a base");
        tg_parser_append(self, node);
    } else if (symbol->kind == TG_SYMBOL_OPERATOR) {
        /* \sin, \lim: upright letters that the symbol table gives as LaTeX */
        TgNode *node = tg_parser_node(self, TG_NODE_OPERATOR, token);
        const guint8 alphabet = self->font.alphabet;

        self->font.alphabet = TG_ALPHABET_RM;
        node->u.op.body = tg_parser_latex(self, symbol->latex, FALSE, token);
        self->font.alphabet = alphabet;
        node->u.op.limits =
            (symbol->flags & TG_SYMBOL_NO_LIMITS) != 0 ? TG_LIMITS_OFF : TG_LIMITS_DISPLAY;
        node->math_class = TG_CLASS_OP;
        tg_parser_append(self, node);
    } else {
        tg_parser_append(self, tg_parser_symbol_node(self, token, symbol, symbol->codepoint));
    }
}

/* ---- Characters, Unicode ones included ----------------------------------------------------- */

/* The content of "^{2}" or "_{2}" as tokens at the place of @token; FALSE if the text is no
 * script. */
static gboolean lex_script(TgParser *self, const TgTexToken *token, char kind, TgTexTokens *list)
{
    char source[TG_UNICODE_SOURCE_MAX];

    if (token->kind != TG_TOK_CHAR || !tg_unicode_source(token->code, source) ||
        source[0] != kind || source[1] != '{')
        return FALSE;

    const gsize len = strlen(source) - strlen("^{}");
    char *text = tg_arena_alloc(self->in.arena, len);
    memcpy(text, source + 2, len);
    *list = tg_expander_lex(&self->in, text, len, token);
    return TRUE;
}

/* Join consecutive raised or lowered characters to one script: `x\u00B9\u00B2` is x^{12}. */
static void append_unicode_script(TgParser *self, const TgTexToken *first, char kind)
{
    const TgTexToken script =
        tg_token_made(first, kind == '^' ? TG_TOK_SUP : TG_TOK_SUB, kind == '^' ? "^" : "_");
    TgTexToken open = tg_token_made(NULL, TG_TOK_OPEN, "{");
    TgTexToken close = tg_token_made(NULL, TG_TOK_CLOSE, "}");
    TgTexTokens pieces[32];
    TgTexToken token = *first;
    guint n = 0;

    while (n < G_N_ELEMENTS(pieces) && lex_script(self, &token, kind, &pieces[n])) {
        token = tg_expander_raw(&self->in);
        n++;
    }
    tg_expander_unread(&self->in, &token);
    open.start = open.end = first->start;
    close.start = close.end = first->end;
    tg_expander_unread(&self->in, &close);
    while (n > 0)
        tg_expander_insert(&self->in, pieces[--n], 1);
    tg_expander_unread(&self->in, &open);
    read_script(self, &script);
}

/* Join `=` and U+0338 to the symbol U+2260; if Unicode has no joined character, a stroke becomes
 * \not. */
static gboolean compose_last(TgParser *self, const TgTexToken *token, gunichar mark)
{
    TgNode *last = self->scope->last;
    const gboolean stroke = mark == 0x0338;
    const TgSymbol *symbol = NULL;
    gunichar whole;

    if (last == NULL || last->kind != TG_NODE_SYMBOL)
        return FALSE;
    if (g_unichar_compose(last->u.symbol.code, mark, &whole))
        symbol = tg_symbol_find_char(whole);
    if (symbol != NULL) {
        last->u.symbol.symbol = symbol;
        last->u.symbol.code = symbol->codepoint;
        last->math_class = symbol->math_class;
        last->end = MAX(last->end, token->end);
        return TRUE;
    }
    if (!stroke)
        return FALSE;
    TgNode *base = tg_parser_symbol_node(self, token, NULL, 0);
    const TgNode kept = *last;
    const TgSymbol *negation = tg_symbol_find("not", strlen("not"));
    *last = *base;
    last->start = kept.start;
    last->u.symbol.symbol = negation;
    last->u.symbol.code = negation->codepoint;
    last->math_class = negation->math_class;
    last->token = kept.token; /* tokens are numbered in the order in which they are drawn */
    const guint32 of_stroke = base->token;
    *base = kept;
    base->token = of_stroke;
    base->next = NULL;
    tg_parser_append(self, base);
    return TRUE;
}

void tg_parser_append_mark(TgParser *self, const TgTexToken *token, gunichar mark)
{
    const TgNode *base;

    if (compose_last(self, token, mark))
        return;

    if (self->scope->last == NULL) {
        base = tg_parser_empty_list(self, token);
        tg_parser_append(self, tg_parser_node(self, TG_NODE_ACCENT, token));
    } else {
        base = tg_parser_list_of(self, tg_parser_wrap_last(self, TG_NODE_ACCENT));
    }

    TgNode *node = self->scope->last;
    node->u.accent.base = base;
    node->u.accent.symbol = self->scope->text ? NULL : tg_parser_accent_of_mark(mark);
    node->u.accent.code = mark;
    node->end = MAX(node->end, token->end);
    node->token = tg_parser_ink(self, token, 0);
}

/* Read a character of mathematics: a symbol, a prime, a combining mark .. */
static void read_character(TgParser *self, const TgTexToken *token)
{
    const gunichar code = token->code;
    char source[TG_UNICODE_SOURCE_MAX];
    gunichar base, mark;
    const TgSymbol *symbol;

    if (count_primes(token) > 0) {
        read_primes(self, token);
    } else if (code == TG_UTF8_INVALID) {
        tg_parser_error_node(self, token, TG_PARSE_CHARACTER, "invalid UTF-8");
    } else if (code >= 0x20 && code < 0x7F) {
        tg_parser_append(self, tg_parser_symbol_node(self, token, tg_symbol_find_char(code), code));
    } else if (g_unichar_iscntrl(code)) {
        tg_report(&self->errors, token, TG_PARSE_CHARACTER, "control character U+%04X", code);
    } else if ((symbol = tg_symbol_find_char(code)) != NULL) {
        append_symbol(self, token, symbol);
    } else if (tg_unicode_source(code, source)) {
        if (source[0] == '^' || source[0] == '_')
            append_unicode_script(self, token, source[0]);
        else
            tg_parser_splice(self, tg_parser_latex(self, source, FALSE, token));
    } else if (g_unichar_ismark(code)) {
        tg_parser_append_mark(self, token, code);
    } else if (code >= 0xFF01 && code <= 0xFF5E) { /* full-width forms of ASCII */
        const gunichar plain = code - 0xFEE0;
        const char name = (char) plain;

        symbol = tg_symbol_find_char(plain);
        tg_parser_append(
            self, tg_parser_symbol_node(self, token,
                                        symbol != NULL ? symbol : tg_symbol_find(&name, 1), plain));
    } else if (g_unichar_decompose(code, &base, &mark) && tg_parser_accent_of_mark(mark) != NULL) {
        TgTexToken part = *token;

        part.code = base;
        read_character(self, &part); /* NOLINT(misc-no-recursion): a character has one base */
        tg_parser_append_mark(self, token, mark);
    } else {
        tg_parser_append(self, tg_parser_symbol_node(self, token, NULL, code));
    }
}

/* ---- Delimiters: \left, \middle, \right and the \big family -------------------------------- */

static TgNode *delimiter_node(TgParser *self, const TgTexToken *token, const TgSymbol *symbol)
{
    gunichar code = symbol->codepoint;

    if (code == '<' || code == '>') /* as delimiters these are angles */
        code = code == '<' ? 0x27E8 : 0x27E9;
    return tg_parser_symbol_node(self, token, symbol, code);
}

TgNode *tg_parser_delimiter(TgParser *self, const TgTexToken *owner)
{
    TgTexToken token = tg_expander_next_nonspace(&self->in);

    if (token.kind == TG_TOK_CHAR && token.code >= 0xFF01 && token.code <= 0xFF5E)
        token.code -= 0xFEE0; /* full-width forms of ASCII */
    const TgSymbol *symbol = token.command == NULL ? token.symbol : NULL;
    if (tg_token_is_char_of(&token, "{}")) /* full-width braces: TeX's own are no characters */
        symbol = tg_symbol_find(token.code == '{' ? "{" : "}", 1);
    else if (token.kind == TG_TOK_CHAR)
        symbol = tg_symbol_find_char(token.code);

    if (symbol != NULL && (symbol->flags & TG_SYMBOL_DELIMITER) != 0)
        return delimiter_node(self, &token, symbol);
    if (tg_token_is_char(&token, '.'))
        return NULL;

    tg_parser_fault(self, owner, TG_PARSE_DELIMITER, "needs a delimiter");
    /* A bare brace is read as a delimiter unless it closes a group. */
    if (token.kind == TG_TOK_OPEN ||
        (token.kind == TG_TOK_CLOSE && self->open[TG_SCOPE_BRACE] == 0))
        return delimiter_node(self, &token, tg_symbol_find(token.text, 1));
    tg_expander_unread(&self->in, &token);
    return NULL;
}

TgNode *tg_parser_fence(TgParser *self, const TgTexToken *token, const char *name)
{
    const TgSymbol *symbol = tg_symbol_find(name, strlen(name));

    if (symbol == NULL)
        symbol = tg_symbol_find_char((guchar) name[0]);
    TgNode *node = delimiter_node(self, token, symbol);
    tg_parser_ink(self, token, TG_INK_FENCE);
    return node;
}

void tg_parser_left(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_DELIMITED, token);

    node->u.delimited.left = tg_parser_delimiter(self, token);
    node->u.delimited.body = tg_parser_list(self, TG_SCOPE_LEFT, FALSE, token);
    const TgLateToken *late = self->late;
    if (self->stop.kind == TG_TOK_COMMAND)
        node->u.delimited.right = tg_parser_delimiter(self, &self->stop);
    tg_parser_read_late(self, late);
    tg_parser_append(self, node);
}

void tg_parser_right(TgParser *self, const TgTexToken *token)
{
    if (tg_parser_close(self, token, TG_SCOPE_LEFT))
        return;
    tg_report(&self->errors, token, TG_PARSE_DELIMITER, "\\right without \\left");

    TgNode *delimiter = tg_parser_delimiter(self, token);
    if (delimiter != NULL)
        tg_parser_append(self, delimiter);
}

void tg_parser_middle(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_MIDDLE, token);

    if (self->scope->kind != TG_SCOPE_LEFT)
        tg_report(&self->errors, token, TG_PARSE_DELIMITER, "\\middle outside \\left...\\right");
    else
        tg_parser_end_segment(self);
    node->u.big.delimiter = tg_parser_delimiter(self, token);
    tg_parser_append(self, node);
    if (self->scope->kind == TG_SCOPE_LEFT)
        self->scope->segment = node;
}

/* Read \big and similar commands: value is the size, detail the class. */
void tg_parser_big(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_BIG, token);
    const TgTexToken next = tg_expander_raw_nonspace(&self->in);
    TgTexTokens list;

    tg_expander_unread(&self->in, &next);
    if (next.kind == TG_TOK_OPEN && tg_expander_argument(&self->in, &list)) /* \big{(} */
        tg_expander_insert(&self->in, list, 1);
    node->u.big.delimiter = tg_parser_delimiter(self, token);
    node->u.big.size = (guint8) token->command->value;
    node->math_class = token->command->detail;
    tg_parser_append(self, node);
}

/* ---- Dots that depend on the next token, as amsmath's do ------------------------------------- */

/* Whether amsmath's \extra@ puts a thin space before @next: a closing delimiter, or the end of the
 * formula. */
static gboolean is_closing(const TgTexToken *next)
{
    return next->kind == TG_TOK_END || next->kind == TG_TOK_DOLLAR ||
           tg_token_is_char_of(next, ")]") ||
           tg_token_is_command_of(
               next, "rbrack } rbrace rangle rceil rfloor rgroup rmoustache right bigr biggr "
                     "Bigr Biggr");
}

/* Whether @next ends a cell. In a cell whose template ends in `#$`, that dollar follows the content
 * before &. */
static gboolean ends_cell(const TgParser *self, const TgTexToken *next)
{
    static const char *const braced[] = { "align", "eqn", "split", "flalign", "eqalign" };
    const TgScope *scope = self->scope;

    if (scope->kind != TG_SCOPE_CELL || scope->name == NULL ||
        (next->kind != TG_TOK_AMPERSAND && !tg_token_is_command(next, "cr")))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(braced); i++) {
        if (g_str_has_prefix(scope->name, braced[i]))
            return FALSE;
    }
    return TRUE;
}

/* The symbol that \dots becomes before @next (amsmath's \mdots@@). */
static const char *dots_before(const TgTexToken *next)
{
    const TgSymbol *symbol = next->symbol;

    if (tg_token_is_char_of(next, "+=<>-*:"))
        return "cdots";
    if (symbol == NULL)
        return "ldots";
    if (symbol->math_class == TG_CLASS_BIN || symbol->math_class == TG_CLASS_REL)
        return "cdots";
    if (symbol->math_class == TG_CLASS_OP && symbol->kind != TG_SYMBOL_OPERATOR)
        return (symbol->flags & TG_SYMBOL_NO_LIMITS) != 0 ? "dotsi" : "cdots";
    return "ldots";
}

/* \cdots, \dotsc, \dotso ..: text is the symbol; value 'p' if , ; . get a space before them, 'c' if
 * ; and . do, 'o' for \dots, which chooses by the next token. */
void tg_parser_dots(TgParser *self, const TgTexToken *token)
{
    const gint32 value = token->command->value;
    TgTexToken next = tg_expander_raw(&self->in);

    tg_expander_unread(&self->in, &next);
    if (self->scope->text) {
        tg_parser_text_char(self, token, 0x2026);
        return;
    }
    tg_expander_look_up(&self->in, &next);

    const char *name = value == 'o' ? dots_before(&next) : token->command->text;
    const TgSymbol *symbol = tg_symbol_find(name, strlen(name));
    TgNode *node = tg_parser_symbol_node(self, token, symbol, symbol->codepoint);
    node->alphabet = TG_ALPHABET_DEFAULT;
    tg_parser_append(self, node);
    if (is_closing(&next) || ends_cell(self, &next) ||
        (value != 'o' && tg_token_is_char_of(&next, value == 'p' ? ",;." : ";."))) {
        node = tg_parser_node(self, TG_NODE_SPACE, token);
        node->u.space.amount = (TgLength){ .value = 3 * 65536, .unit = TG_UNIT_MU };
        tg_parser_append(self, node);
    }
}

/* ---- The function for each token: commands by their action, other tokens by their kind ------- */

/* Reads a command's arguments and appends the resulting node to the current list. */
typedef void (*Handler)(TgParser *parser, const TgTexToken *token);

static const Handler handlers[TG_N_ACTIONS] = {
#define TG_HANDLER(action, handler) [TG_ACTION_##action] = tg_parser_##handler,
    TG_COMMAND_ACTIONS(TG_HANDLER)
#undef TG_HANDLER
};

/* Handle tokens that end a list, &, and groups, in mathematics and in text. Returns FALSE for any
 * other @token. */
static gboolean end_or_open(TgParser *self, const TgTexToken *token)
{
    switch ((TgTexTokenKind) token->kind) {
    case TG_TOK_END:
        tg_parser_close_input(self, token);
        return TRUE;
    case TG_TOK_CLOSE:
        tg_parser_close_braced(self, token);
        return TRUE;
    case TG_TOK_AMPERSAND:
        tg_parser_ampersand(self, token);
        return TRUE;
    case TG_TOK_OPEN:
        tg_parser_open_brace(self, token);
        return TRUE;
    case TG_TOK_CHAR:
        return token->code == ']' && self->scope->kind == TG_SCOPE_BRACKET &&
               tg_parser_close(self, token, TG_SCOPE_BRACKET);
    default:
        return FALSE;
    }
}

/* Read a $ in mathematics: it ends a formula inside text; in a formula between dollars it begins
 * text. */
static void dollar_in_math(TgParser *self, const TgTexToken *token)
{
    if (self->scope->kind == TG_SCOPE_TOP && self->options.source == TG_SOURCE_MATH) {
        const TgNode *words = tg_parser_list(self, TG_SCOPE_DOLLAR, TRUE, token);

        tg_parser_append(self, tg_parser_text_of(self, token, words));
    } else if (!tg_parser_close(self, token, TG_SCOPE_DOLLAR)) {
        tg_report(&self->errors, token, TG_PARSE_MODE, "unmatched $");
    }
}

static void command_in_math(TgParser *self, const TgTexToken *token)
{
    const TgCommand *command = token->command;

    if (command != NULL && (command->flags & TG_COMMAND_MATH) != 0)
        handlers[command->action](self, token);
    else if (token->symbol != NULL)
        append_symbol(self, token, token->symbol);
    else if (command != NULL)
        tg_parser_error_node(self, token, TG_PARSE_MODE, "%.*s is allowed in text mode only",
                             TG_TOKEN_TEXT(token));
    else
        tg_parser_error_node(self, token, TG_PARSE_UNKNOWN_COMMAND, "unknown command %.*s",
                             TG_TOKEN_TEXT(token));
}

static void command_in_text(TgParser *self, const TgTexToken *token)
{
    static const guint16 here = TG_COMMAND_TEXT | TG_COMMAND_ENDS;
    static const char symbols[] =
        "# $ % & P S _ copyright dag ddag dots ldots pounds { } checkmark "
        "maltese circledR yen lq rq slash";

    if (token->command != NULL && (token->command->flags & here) != 0) {
        handlers[token->command->action](self, token);
    } else if (token->symbol != NULL && tg_token_is_command_of(token, symbols)) {
        tg_parser_text_sign(self, token, token->symbol->codepoint);
    } else if (token->command != NULL || token->symbol != NULL) {
        /* read as if dollars stood around it */
        tg_parser_fault(self, token, TG_PARSE_MODE, "is allowed in math mode only");
        tg_parser_append_math(self, token, tg_parser_single(self, token, FALSE));
    } else {
        tg_parser_error_node(self, token, TG_PARSE_UNKNOWN_COMMAND, "unknown command %.*s",
                             TG_TOKEN_TEXT(token));
    }
}

void tg_parser_read_item(TgParser *self, const TgTexToken *token)
{
    const gboolean text = self->scope->text;
    const guint8 kind = token->kind;

    if (end_or_open(self, token))
        return;
    if (kind == TG_TOK_CHAR && text) {
        tg_parser_text_char(self, token, token->code);
    } else if (kind == TG_TOK_CHAR) {
        read_character(self, token);
    } else if (kind == TG_TOK_COMMAND) {
        (text ? command_in_text : command_in_math)(self, token);
    } else if (kind == TG_TOK_TILDE || (kind == TG_TOK_SPACE && text)) {
        tg_parser_interword_space(self, token);
    } else if (kind == TG_TOK_DOLLAR) {
        (text ? tg_parser_text_dollar : dollar_in_math)(self, token);
    } else if (kind == TG_TOK_HASH && !text) {
        tg_parser_error_node(self, token, TG_PARSE_CHARACTER,
                             "misplaced #: write \\# for the character");
    } else if ((kind == TG_TOK_SUP || kind == TG_TOK_SUB) && !text) {
        read_script(self, token);
    } else if (kind == TG_TOK_SUP || kind == TG_TOK_SUB || kind == TG_TOK_HASH) {
        tg_parser_fault(self, token, TG_PARSE_MODE, "is allowed in math mode only");
        tg_parser_text_char(self, token, (guchar) token->text[0]);
    }
}
