/* How KaTeX reads: the source becomes tokens, macros are replaced, and the parser makes nodes of
 * the rest. KaTeX's refusals are here. To follow a formula, begin with tg_katex_read() at the end.
 */
#include "metrics/olmocr/katex.h"

#include <pthread.h>
#include <string.h>

#include "core/search.h"

/* ---- Tables and types ------------------------------------------------------------------------ */

/* The kinds of functions in the table. */
typedef enum {
    NODE, /* the row says it all */
    ACCENT,
    TEXT_ACCENT,
    COLOR,
    LINE_END,
    DEFINITION,
    DELIMITER,
    LEFT,
    RIGHT,
    MIDDLE,
    BEGIN,
    RULE_LINE,
    FONT,
    BOLD_SYMBOL,
    OLD_FONT,
    FRACTION,
    DOLLAR,
    NO_MATH,
    NOT_MODELED,
    CHOICE,
    CLASS,
    STACK,
    SIGN,
    MATHOP,
    NAME,
    OPERATORNAME,
    PMB,
    SIZE,
    STYLE,
} FunctionKind;

/* A row of olmocr_functions.tsv. */
typedef struct {
    FunctionKind kind;
    TgKatexKind node; /* of the node that it makes */
    const char *optional, *arguments, *use;
    gint value;
    const char *names;
} Function;

typedef struct {
    const char *text; /* a character, a command, " ", or `end_text` */
    guint32 at;
} Token;

typedef struct Reader Reader;

/* A macro that is code takes the arguments of @name and pushes tokens, or returns a text. */
typedef const char *ExpandFunc(Reader *reader, const char *name);

typedef struct {
    const char *name;
    guint level; /* of the group that defines it; 0: everywhere */
    guint n_arguments;
    GArray *tokens;
    const char *body;
    ExpandFunc *expand;
} Macro;

struct Reader {
    TgArena *arena;
    const char *source;
    GArray *stack;  /* of Token, the next one last */
    GArray *macros; /* of Macro: definitions of the formula, the one in force last */
    GPtrArray *lists;
    Token next;
    gboolean has_next, in_text;
    const char *position;
    guint level, depth, lefts, expansions;
    char *error;
    guint error_at;
    gboolean not_modeled;
};

static gboolean token_is(Token token, const char *text)
{
    return strcmp(token.text, text) == 0;
}

/* The digit that a token is, or -1. */
static gint digit_of(Token token)
{
    return token.text[0] != '\0' && token.text[1] == '\0' ? g_ascii_digit_value(token.text[0]) : -1;
}

/* Bounds: macros used, tokens pending, definitions; groups, arguments and environments nested. */
enum { MAX_EXPANSIONS = 1000, MAX_TOKENS = 200000, MAX_MACROS = 1000, MAX_DEPTH = 250 };

static const Function functions[] = {
#include "olmocr_functions.inc"
};

static const struct {
    const char *names, *body;
} macro_texts[] = {
#include "olmocr_macros.inc"
};

static const char end_text[] = "EOF";

/* Constant once they are filled. */
static GHashTable *functions_by_name, *macros_by_name;
static GRegex *length_begun, *length_found, *color_whole;

/* ---- Tokens ---------------------------------------------------------------------------------- */

/* Say what is wrong at byte @at of the source; only the first error counts, and after it all tokens
 * are `end_text`. Returns: NULL */
static gpointer G_GNUC_PRINTF(3, 4) reader_fail(Reader *reader, guint at, const char *format, ...)
{
    va_list values;

    if (reader->error != NULL)
        return NULL;
    va_start(values, format);
    reader->error = tg_arena_vprintf(reader->arena, format, values);
    va_end(values);
    reader->error_at = at;
    return NULL;
}

static gboolean is_name(char c)
{
    return g_ascii_isalpha(c) || c == '@';
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    return p;
}

static Token read_token(Reader *reader)
{
    const char *p = reader->position;
    Token token = { .text = end_text };

    while (*p == '%') {
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    const char *start = p;
    token.at = reader->source != NULL ? (guint32) (p - reader->source) : 0;
    if (*p == '\0') {
        /* the end, which may be read again */
    } else if (skip_blanks(p) > p) {
        p = skip_blanks(p);
        token.text = " ";
    } else if (*p == '\\' && skip_blanks(p + 1) > p + 1) {
        p = skip_blanks(p + 1);
        token.text = "\\ ";
    } else if (*p == '\\' && is_name(p[1])) {
        for (p++; is_name(*p);)
            p++;
        token.text = tg_arena_text(reader->arena, start, (gsize) (p - start));
        p = skip_blanks(p);
    } else if (*p == '\\' && p[1] == '\0') {
        reader_fail(reader, token.at, "Unexpected character: '\\'");
    } else {
        const gunichar code = g_utf8_get_char(p);
        if (code <= 0x20 || code == 0x7F || code == 0x2028 || code == 0x2029 ||
            (code >= 0xE000 && code < 0xF900))
            reader_fail(reader, token.at, "Unexpected character: U+%04X", code);
        p = g_utf8_next_char(*p == '\\' ? p + 1 : p);
        while (*start != '\\' && g_utf8_get_char(p) >= 0x300 && g_utf8_get_char(p) < 0x370)
            p = g_utf8_next_char(p);
        token.text = tg_arena_text(reader->arena, start, (gsize) (p - start));
    }
    reader->position = p;
    return token;
}

static void push_token(Reader *reader, Token token)
{
    if (reader->stack->len > MAX_TOKENS)
        reader_fail(reader, token.at, "Too many expansions: infinite loop");
    else
        g_array_append_val(reader->stack, token);
}

static Token pop_token(Reader *reader)
{
    Token token;

    if (reader->error != NULL)
        return (Token){ .text = end_text };
    if (reader->stack->len == 0)
        return read_token(reader);
    token = g_array_index(reader->stack, Token, reader->stack->len - 1);
    g_array_set_size(reader->stack, reader->stack->len - 1);
    return token;
}

static Token peek_token(Reader *reader)
{
    const Token token = pop_token(reader);

    push_token(reader, token);
    return token;
}

static void skip_spaces(Reader *reader)
{
    while (reader->error == NULL && token_is(peek_token(reader), " "))
        pop_token(reader);
}

static GArray *token_list(Reader *reader)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Token));

    g_ptr_array_add(reader->lists, list);
    return list;
}

/* Tokens of a text of our own. */
static GArray *tokens_of(Reader *reader, const char *text, guint at)
{
    GArray *list = token_list(reader);
    const char *position = reader->position, *source = reader->source;

    reader->position = text;
    reader->source = NULL;
    for (;;) {
        Token token = read_token(reader);
        if (token.text == end_text)
            break;
        token.at = at;
        g_array_append_val(list, token);
    }
    reader->position = position;
    reader->source = source;
    return list;
}

/* Put tokens before the rest. */
static void push_tokens(Reader *reader, const GArray *tokens)
{
    for (guint i = tokens->len; i-- > 0;)
        push_token(reader, g_array_index(tokens, Token, i));
}

/* An argument as tokens: a group without its braces, a token, or all up to @until. */
static GArray *take_argument(Reader *reader, const char *until)
{
    GArray *list = token_list(reader);
    gint depth = 0;
    guint n_parts = 0;

    if (until == NULL)
        skip_spaces(reader);
    do {
        const Token token = pop_token(reader);
        if (token.text == end_text) {
            reader_fail(reader, token.at,
                        "Unexpected end of input in a macro argument, expected '%s'",
                        until != NULL && depth == 0 ? until : "}");
            return list;
        }
        if (until != NULL && depth == 0 && token_is(token, until))
            break;
        depth += token_is(token, "{") - token_is(token, "}");
        if (depth < 0) {
            reader_fail(reader, token.at, "Extra }");
            return list;
        }
        g_array_append_val(list, token);
        n_parts += depth == 0;
    } while (depth != 0 || until != NULL);
    if (n_parts == 1 && token_is(g_array_index(list, Token, 0), "{")) {
        g_array_remove_index(list, list->len - 1);
        g_array_remove_index(list, 0);
    }
    return list;
}

/* ---- Macros ---------------------------------------------------------------------------------- */

/* The meaning of @name, or NULL. */
static const Macro *find_macro(const Reader *reader, const char *name)
{
    for (guint i = reader->macros->len; i-- > 0;)
        if (strcmp(g_array_index(reader->macros, Macro, i).name, name) == 0)
            return &g_array_index(reader->macros, Macro, i);
    return g_hash_table_lookup(macros_by_name, name);
}

/* Forget what the formula defines as @name. */
static void forget_macro(Reader *reader, const char *name)
{
    for (guint i = reader->macros->len; i-- > 0;)
        if (strcmp(g_array_index(reader->macros, Macro, i).name, name) == 0)
            g_array_remove_index(reader->macros, i);
}

static void define_macro(Reader *reader, Macro macro, gboolean global)
{
    if (reader->macros->len == MAX_MACROS) {
        reader_fail(reader, reader->next.at, "Too many macros");
    } else if (global) {
        forget_macro(reader, macro.name);
        g_array_prepend_val(reader->macros, macro);
    } else {
        macro.level = reader->level;
        g_array_append_val(reader->macros, macro);
    }
}

/* Forget what the group defines that ends here. */
static void end_scope(Reader *reader)
{
    while (reader->macros->len > 0 &&
           g_array_index(reader->macros, Macro, reader->macros->len - 1).level >= reader->level)
        g_array_set_size(reader->macros, reader->macros->len - 1);
    reader->level--;
}

static const Function *find_function(const char *name)
{
    return g_hash_table_lookup(functions_by_name, name);
}

static gboolean is_implicit(const char *name)
{
    return tg_is_one_of(name, -1, "^ _ \\limits \\nolimits");
}

static gboolean is_defined(const Reader *reader, const char *name)
{
    return find_macro(reader, name) != NULL || find_function(name) != NULL ||
           tg_katex_symbol(name) != NULL || is_implicit(name);
}

/* Replace the macro that comes next. FALSE: it is none; it stays. */
static gboolean expand_once(Reader *reader, gboolean only_expandable)
{
    const Token top = pop_token(reader);
    const Macro *macro = top.text == end_text ? NULL : find_macro(reader, top.text);

    if (macro == NULL) {
        if (only_expandable && top.text[0] == '\\' && !is_defined(reader, top.text))
            reader_fail(reader, top.at, "Undefined control sequence: %s", top.text);
        push_token(reader, top);
        return FALSE;
    }
    if (++reader->expansions > MAX_EXPANSIONS) {
        reader_fail(reader, top.at, "Too many expansions: infinite loop");
        return FALSE;
    }
    const char *body = macro->expand != NULL ? macro->expand(reader, macro->name) : macro->body;
    if (macro->expand != NULL && body == NULL)
        return TRUE;
    const GArray *tokens = body != NULL ? tokens_of(reader, body, top.at) : macro->tokens;
    guint n = macro->n_arguments;
    for (const char *p = body; p != NULL && (p = strchr(p, '#')) != NULL; p++)
        if (g_ascii_isdigit(p[1]))
            n = MAX(n, (guint) (p[1] - '0'));
    const GArray *arguments[10] = { NULL };
    for (guint i = 1; i <= n; i++)
        arguments[i] = take_argument(reader, NULL);
    for (guint i = tokens->len; i-- > 0;) {
        const Token token = g_array_index(tokens, Token, i);
        const gint digit = digit_of(token);
        if (i > 0 && digit > 0 && digit <= (gint) n &&
            token_is(g_array_index(tokens, Token, i - 1), "#")) {
            push_tokens(reader, arguments[digit]);
            i--;
        } else {
            push_token(reader, token);
        }
    }
    return TRUE;
}

static Token expand_next(Reader *reader)
{
    while (reader->error == NULL && expand_once(reader, FALSE))
        ;
    return pop_token(reader);
}

static const char *expand_text_or_math(Reader *reader, G_GNUC_UNUSED const char *self)
{
    const GArray *text = take_argument(reader, NULL), *math = take_argument(reader, NULL);

    push_tokens(reader, reader->in_text ? text : math);
    return NULL;
}

static const char *expand_if_star(Reader *reader, G_GNUC_UNUSED const char *self)
{
    const GArray *starred = take_argument(reader, NULL), *plain = take_argument(reader, NULL);

    skip_spaces(reader);
    if (token_is(peek_token(reader), "*")) {
        pop_token(reader);
        push_tokens(reader, starred);
    } else {
        push_tokens(reader, plain);
    }
    return NULL;
}

/* \newcommand, \renewcommand or \providecommand. */
static const char *define_command(Reader *reader, const char *command)
{
    const gboolean may_exist = strcmp(command, "\\newcommand") != 0;
    const gboolean may_be_new = strcmp(command, "\\renewcommand") != 0;
    const guint at = peek_token(reader).at;
    GArray *name = take_argument(reader, NULL);
    guint n_arguments = 0;

    if (name->len != 1)
        return reader_fail(reader, at, "%s's first argument must be a macro name", command);
    const char *text = g_array_index(name, Token, 0).text;
    const gboolean exists = is_defined(reader, text);
    if (exists ? !may_exist : !may_be_new)
        return reader_fail(reader, at, "%s{%s} attempting to %s; use %s", command, text,
                           exists ? "redefine it" : "redefine what is not defined",
                           exists ? "\\renewcommand" : "\\newcommand");
    GArray *body = take_argument(reader, NULL);
    if (body->len == 1 && token_is(g_array_index(body, Token, 0), "[")) {
        guint digits = 0;
        Token token = expand_next(reader);
        while (reader->error == NULL && !token_is(token, "]") && token.text != end_text) {
            if (digit_of(token) >= 0) {
                n_arguments = 10 * n_arguments + (guint) digit_of(token);
                digits++;
            } else if (!token_is(token, " ")) {
                digits = 100;
            }
            token = expand_next(reader);
        }
        if (digits == 0 || digits > 2 || n_arguments > 9)
            return reader_fail(reader, at, "Invalid number of arguments of %s", command);
        body = take_argument(reader, NULL);
    }
    if (reader->error == NULL)
        define_macro(reader, (Macro){ .name = text, .n_arguments = n_arguments, .tokens = body },
                     FALSE);
    return NULL;
}

static const char *expand_dots(Reader *reader, G_GNUC_UNUSED const char *self)
{
    static const struct {
        const char *dots, *names;
    } kinds[] = {
        { "\\dotsc", "," },
        { "\\dotsb", "\\not + = < > - * : \\DOTSB \\coprod \\bigvee \\bigwedge \\biguplus "
                     "\\bigcap \\bigcup \\prod \\sum \\bigotimes \\bigoplus \\bigodot \\bigsqcup "
                     "\\And \\longrightarrow \\Longrightarrow \\longleftarrow \\Longleftarrow "
                     "\\longleftrightarrow \\Longleftrightarrow \\mapsto \\longmapsto "
                     "\\hookrightarrow \\doteq \\mathbin \\mathrel \\relbar \\Relbar \\xrightarrow "
                     "\\xleftarrow" },
        { "\\dotsi", "\\DOTSI \\int \\oint \\iint \\iiint \\iiiint \\idotsint" },
        { "\\dotsx", "\\DOTSX" },
    };

    expand_once(reader, TRUE);
    const char *next = peek_token(reader).text;
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (tg_is_one_of(next, -1, kinds[i].names))
            return kinds[i].dots;
    const TgKatexSymbol *symbol = tg_katex_symbol(next);
    if (g_str_has_prefix(next, "\\not") ||
        (symbol != NULL && (symbol->class == BIN || symbol->class == REL)))
        return "\\dotsb";
    return "\\dotso";
}

static const char *expand_tag(Reader *reader, G_GNUC_UNUSED const char *self)
{
    static const Token before[] = { { "\\text", 0 }, { "{", 0 } }, after = { "}", 0 };
    const guint at = peek_token(reader).at;
    const GArray *text = take_argument(reader, NULL);
    GArray *body = token_list(reader);

    if (find_macro(reader, "\\df@tag") != NULL)
        return reader_fail(reader, at, "Multiple \\tag");
    g_array_append_vals(body, before, 2);
    g_array_append_vals(body, text->data, text->len);
    g_array_append_val(body, after);
    define_macro(reader, (Macro){ .name = "\\df@tag", .tokens = body }, TRUE);
    return "";
}

static void add_names(GHashTable *table, const char *names, gconstpointer value)
{
    g_auto(GStrv) list = g_strsplit(names, " ", -1);

    for (guint i = 0; list[i] != NULL; i++)
        g_hash_table_insert(table, g_strdup(list[i]), (gpointer) value);
}

/* The patterns are those of KaTeX. */
static void make_tables(void)
{
    static const Macro code[] = {
        { .name = "\\TextOrMath", .expand = expand_text_or_math },
        { .name = "\\@ifstar", .expand = expand_if_star },
        { .name = "\\newcommand", .expand = define_command },
        { .name = "\\renewcommand", .expand = define_command },
        { .name = "\\providecommand", .expand = define_command },
        { .name = "\\dots", .expand = expand_dots },
        { .name = "\\tag@literal", .expand = expand_tag },
    };
    static Macro texts[G_N_ELEMENTS(macro_texts)];

    functions_by_name = g_hash_table_new(g_str_hash, g_str_equal);
    macros_by_name = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
        add_names(functions_by_name, functions[i].names, &functions[i]);
    for (guint i = 0; i < G_N_ELEMENTS(macro_texts); i++) {
        texts[i] = (Macro){ .body = macro_texts[i].body };
        add_names(macros_by_name, macro_texts[i].names, &texts[i]);
    }
    for (guint i = 0; i < G_N_ELEMENTS(code); i++)
        g_hash_table_insert(macros_by_name, (gpointer) code[i].name, (gpointer) &code[i]);
    length_begun = g_regex_new("^[-+]? *(?:$|\\d+|\\d+\\.\\d*|\\.\\d*) *[a-z]{0,2} *$",
                               G_REGEX_RAW | G_REGEX_DOLLAR_ENDONLY, 0, NULL);
    length_found =
        g_regex_new("([-+]?) *(\\d+(?:\\.\\d*)?|\\.\\d+) *([a-z]{2})", G_REGEX_RAW, 0, NULL);
    color_whole = g_regex_new("^(#[a-f0-9]{3}|#?[a-f0-9]{6}|[a-z]+)$",
                              G_REGEX_CASELESS | G_REGEX_RAW | G_REGEX_DOLLAR_ENDONLY, 0, NULL);
}

static TgKatexNode *parse_expression(Reader *reader, gboolean break_on_infix, const char *until);
static TgKatexNode *parse_group(Reader *reader, const char *name, const char *until);

/* ---- Nodes ----------------------------------------------------------------------------------- */

static TgKatexNode *node_new(Reader *reader, TgKatexKind kind)
{
    TgKatexNode *node = tg_arena_zeros(reader->arena, sizeof *node);

    node->kind = kind;
    node->in_text = reader->in_text;
    return node;
}

static TgKatexNode *node_group(Reader *reader, TgKatexNode *list)
{
    TgKatexNode *node = node_new(reader, NODE_GROUP);

    node->list = list;
    return node;
}

static TgKatexNode *node_symbol(Reader *reader, TgKatexClass class, const char *text)
{
    TgKatexNode *node = node_new(reader, NODE_SYMBOL);

    node->class = class;
    node->text = text;
    return node;
}

static TgKatexNode *node_text_style(Reader *reader, TgKatexNode *list)
{
    TgKatexNode *node = node_new(reader, NODE_STYLE);

    node->number = 1;
    node->list = list;
    return node;
}

/* ---- The parser's tokens and arguments ------------------------------------------------------- */

/* The next token that is no macro, which stays. */
static Token fetch_token(Reader *reader)
{
    if (reader->error == NULL && !reader->has_next) {
        reader->next = expand_next(reader);
        reader->has_next = TRUE;
    }
    return reader->error == NULL ? reader->next : (Token){ .text = end_text };
}

static void consume_token(Reader *reader)
{
    reader->has_next = FALSE;
}

static void fetch_beyond_spaces(Reader *reader)
{
    while (token_is(fetch_token(reader), " "))
        consume_token(reader);
}

static void expect_token(Reader *reader, const char *text, gboolean take)
{
    const Token token = fetch_token(reader);

    if (!token_is(token, text))
        reader_fail(reader, token.at, "Expected '%s', got '%s'", text, token.text);
    if (take)
        consume_token(reader);
}

/* The tokens as an expression of their own, in the mode given. */
static TgKatexNode *parse_tokens(Reader *reader, const GArray *tokens, gboolean in_text)
{
    const Token end = { .text = end_text, .at = peek_token(reader).at };
    const gboolean outer = reader->in_text, had_next = reader->has_next;
    const Token next = reader->next;

    reader->has_next = FALSE;
    push_token(reader, end);
    push_tokens(reader, tokens);
    reader->in_text = in_text;
    reader->level++;
    TgKatexNode *list = parse_expression(reader, FALSE, end_text);
    expect_token(reader, end_text, TRUE);
    end_scope(reader);
    reader->in_text = outer;
    reader->next = next;
    reader->has_next = had_next;
    return list;
}

/* The tokens of an argument; NULL: an optional one that is not there. */
static const GArray *take_tokens(Reader *reader, gboolean optional)
{
    if (optional) {
        skip_spaces(reader);
        if (!token_is(peek_token(reader), "["))
            return NULL;
        pop_token(reader);
    }
    return take_argument(reader, optional ? "]" : NULL);
}

/* An argument in @in_text mode as a GROUP; NULL: an optional one that is not there. */
static TgKatexNode *parse_argument(Reader *reader, gboolean optional, gboolean in_text)
{
    const GArray *tokens = take_tokens(reader, optional);

    return tokens != NULL ? node_group(reader, parse_tokens(reader, tokens, in_text)) : NULL;
}

/* An argument as the texts of its expanded tokens; NULL: an optional one that is not there. */
static const char *parse_raw(Reader *reader, gboolean optional)
{
    g_autoptr(GString) text = g_string_new(NULL);
    const GArray *tokens = take_tokens(reader, optional);

    if (tokens == NULL)
        return NULL;
    push_token(reader, (Token){ .text = end_text });
    push_tokens(reader, tokens);
    for (Token token; (token = fetch_token(reader)).text != end_text; consume_token(reader))
        g_string_append(text, token.text);
    consume_token(reader);
    return tg_arena_text(reader->arena, text->str, text->len);
}

/* The longest beginning of the rest that may be that of a length. */
static const char *take_bare_length(Reader *reader)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (Token token; (token = fetch_token(reader)).text != end_text; consume_token(reader)) {
        const gsize length = text->len;
        g_string_append(text, token.text);
        if (!g_regex_match(length_begun, text->str, 0, NULL)) {
            g_string_truncate(text, length);
            break;
        }
    }
    return tg_arena_text(reader->arena, text->str, text->len);
}

/* A length: a sign, a number and two letters somewhere in an argument. */
static void parse_length(Reader *reader, gboolean optional, TgKatexLength *out)
{
    skip_spaces(reader);
    const guint at = peek_token(reader).at;
    const gboolean bare = !optional && !token_is(peek_token(reader), "{");
    const char *text = bare ? take_bare_length(reader) : parse_raw(reader, optional);
    g_autoptr(GMatchInfo) match = NULL;

    if (text == NULL)
        return;
    if (text[0] == '\0')
        text = bare ? fetch_token(reader).text : optional ? "" : "0pt";
    if (!g_regex_match(length_found, text, 0, &match)) {
        reader_fail(reader, at, "Invalid size: '%s'", text);
        return;
    }
    g_autofree char *sign = g_match_info_fetch(match, 1), *number = g_match_info_fetch(match, 2),
                    *unit = g_match_info_fetch(match, 3);
    out->number = g_ascii_strtod(number, NULL) * (sign[0] == '-' ? -1 : 1);
    g_strlcpy(out->unit, unit, sizeof out->unit);
    if (!tg_is_one_of(unit, -1, "pt mm cm in bp pc dd cc nd nc sp px em ex mu"))
        reader_fail(reader, at, "Invalid unit: '%s'", unit);
}

/* ---- Parts of nodes -------------------------------------------------------------------------- */

static gboolean has_one(const TgKatexNode *list)
{
    return list != NULL && list->next == NULL;
}

/* The only item of a group, or the node itself. */
static TgKatexNode *node_inner(TgKatexNode *node)
{
    return node->kind == NODE_GROUP && has_one(node->list) ? node->list : node;
}

/* The list inside a group, or the node as one. */
static TgKatexNode *node_as_list(TgKatexNode *node)
{
    return node != NULL && node->kind == NODE_GROUP ? node->list : node;
}

/* The class of \overset and the like: that of the first thing in @node if it is Bin or Rel. */
static TgKatexClass node_bin_or_rel(TgKatexNode *node)
{
    const TgKatexNode *first = node->kind == NODE_GROUP && node->list != NULL ? node->list : node;

    return first->kind == NODE_SYMBOL && (first->class == BIN || first->class == REL) ? first->class
                                                                                      : ORD;
}

/* ---- Environments ---------------------------------------------------------------------------- */

typedef enum {
    ENV_ARRAY,
    ENV_MATRIX,
    ENV_SUBARRAY,
    ENV_CASES,
    ENV_ALIGN,
    ENV_GATHER,
    ENV_EQUATION
} EnvKind;

typedef enum { NO_TAGS, WITH_TAGS, NUMBERED } EnvTags;

typedef struct {
    const char *name;
    EnvKind kind;
    const char *left, *right;
    gint style; /* of its cells, -1: that around */
    EnvTags tags;
    guint max_columns; /* 0: any number */
} Environment;

static const Environment environments[] = {
    { "array", ENV_ARRAY, NULL, NULL, 1, NO_TAGS, 0 },
    { "darray", ENV_ARRAY, NULL, NULL, 0, NO_TAGS, 0 },
    { "matrix", ENV_MATRIX, NULL, NULL, 1, NO_TAGS, 0 },
    { "pmatrix", ENV_MATRIX, "(", ")", 1, NO_TAGS, 0 },
    { "bmatrix", ENV_MATRIX, "[", "]", 1, NO_TAGS, 0 },
    { "Bmatrix", ENV_MATRIX, "\\{", "\\}", 1, NO_TAGS, 0 },
    { "vmatrix", ENV_MATRIX, "|", "|", 1, NO_TAGS, 0 },
    { "Vmatrix", ENV_MATRIX, "\\Vert", "\\Vert", 1, NO_TAGS, 0 },
    { "smallmatrix", ENV_MATRIX, NULL, NULL, 2, NO_TAGS, 0 },
    { "subarray", ENV_SUBARRAY, NULL, NULL, 2, NO_TAGS, 0 },
    { "cases", ENV_CASES, "\\{", ".", 1, NO_TAGS, 0 },
    { "dcases", ENV_CASES, "\\{", ".", 0, NO_TAGS, 0 },
    { "rcases", ENV_CASES, ".", "\\}", 1, NO_TAGS, 0 },
    { "drcases", ENV_CASES, ".", "\\}", 0, NO_TAGS, 0 },
    { "align", ENV_ALIGN, NULL, NULL, 0, NUMBERED, 0 },
    { "align*", ENV_ALIGN, NULL, NULL, 0, WITH_TAGS, 0 },
    { "aligned", ENV_ALIGN, NULL, NULL, 0, NO_TAGS, 0 },
    { "split", ENV_ALIGN, NULL, NULL, 0, NO_TAGS, 2 },
    { "alignat", ENV_ALIGN, NULL, NULL, 0, NUMBERED, 0 },
    { "alignat*", ENV_ALIGN, NULL, NULL, 0, WITH_TAGS, 0 },
    { "alignedat", ENV_ALIGN, NULL, NULL, 0, NO_TAGS, 0 },
    { "gather", ENV_GATHER, NULL, NULL, 0, NUMBERED, 0 },
    { "gather*", ENV_GATHER, NULL, NULL, 0, WITH_TAGS, 0 },
    { "gathered", ENV_GATHER, NULL, NULL, 0, NO_TAGS, 0 },
    { "equation", ENV_EQUATION, NULL, NULL, -1, NUMBERED, 1 },
    { "equation*", ENV_EQUATION, NULL, NULL, -1, WITH_TAGS, 1 },
};

/* The environment of that name; a matrix also has a name with a star. */
static const Environment *find_environment(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(environments); i++) {
        const Environment *row = &environments[i];
        const char *rest = g_str_has_prefix(name, row->name) ? name + strlen(row->name) : NULL;
        const gboolean may_star = row->kind == ENV_MATRIX && row->style == 1;
        if (rest != NULL && (rest[0] == '\0' || (may_star && strcmp(rest, "*") == 0)))
            return row;
    }
    return NULL;
}

/* The columns of a preamble: of l, c, r, | and :. @at: where the environment begins */
static const char *read_columns(Reader *reader, const TgKatexNode *preamble, gboolean rules,
                                guint at)
{
    g_autoptr(GString) columns = g_string_new(NULL);

    for (const TgKatexNode *node = preamble->list; node != NULL; node = node->next) {
        const gboolean is_symbol = node->kind == NODE_SYMBOL;
        const char *text = is_symbol ? node->text : "";
        if (strlen(text) != 1 || strchr(rules ? "lcr|:" : "lc", text[0]) == NULL)
            reader_fail(reader, is_symbol ? node->at : at, "Unknown column alignment: %s", text);
        g_string_append(columns, text);
    }
    return tg_arena_text(reader->arena, columns->str, columns->len);
}

/* Take the lines before a row: whether there are any. */
static gboolean take_lines(Reader *reader)
{
    gboolean any = FALSE;

    fetch_beyond_spaces(reader);
    if (token_is(fetch_token(reader), "\\relax")) {
        consume_token(reader);
        fetch_beyond_spaces(reader);
    }
    while (token_is(fetch_token(reader), "\\hline") ||
           token_is(fetch_token(reader), "\\hdashline")) {
        consume_token(reader);
        any = TRUE;
        fetch_beyond_spaces(reader);
    }
    return any;
}

/* The number that \tag gave, or NULL; then \tag may give another one. */
static TgKatexNode *take_tag(Reader *reader)
{
    const Macro *macro = find_macro(reader, "\\df@tag");

    if (macro == NULL)
        return NULL;
    const GArray *tokens = macro->tokens;
    forget_macro(reader, "\\df@tag");
    return node_group(reader, parse_tokens(reader, tokens, FALSE));
}

/* Rows up to \end, which stays. */
static TgKatexNode *parse_rows(Reader *reader, const Environment *environment, TgKatexArray *array)
{
    static const Token cr[] = { { "\\\\", 0 }, { "\\relax", 0 } };
    const gboolean single_row = environment->kind == ENV_EQUATION;
    const gboolean may_be_empty =
        single_row || environment->kind == ENV_ALIGN || environment->kind == ENV_GATHER;
    TgKatexNode *node = node_new(reader, NODE_ARRAY), **row_end = &node->list;
    gboolean at_end = FALSE;

    reader->level++;
    if (!single_row) {
        GArray *body = token_list(reader);
        g_array_append_vals(body, cr, 2);
        define_macro(reader, (Macro){ .name = "\\cr", .tokens = body }, FALSE);
    }
    reader->level++;
    while (reader->error == NULL && !at_end) {
        TgKatexNode **this_row = row_end, *row = node_group(reader, NULL), *cell;
        TgKatexNode **cell_end = &row->list;
        guint n_cells = 0;
        gboolean in_row = TRUE;
        row->flag = take_lines(reader);
        *row_end = row;
        row_end = &row->next;
        array->n_rows++;
        while (reader->error == NULL && in_row) {
            cell =
                node_group(reader, parse_expression(reader, FALSE, single_row ? "\\end" : "\\\\"));
            end_scope(reader);
            reader->level++;
            if (reader->error != NULL)
                break;
            *cell_end = cell;
            cell_end = &cell->next;
            n_cells++;
            array->n_columns = MAX(array->n_columns, n_cells);
            const Token next = fetch_token(reader);
            if (token_is(next, "&")) {
                if (n_cells == environment->max_columns)
                    reader_fail(reader, next.at, "Too many tab characters: &");
                consume_token(reader);
                continue;
            }
            in_row = FALSE;
            if (token_is(next, "\\end")) {
                at_end = TRUE;
                if (n_cells == 1 && cell->list == NULL && array->style >= 0 &&
                    (array->n_rows > 1 || !may_be_empty)) {
                    *this_row = NULL;
                    array->line_below = row->flag;
                    array->n_rows--;
                }
            } else if (token_is(next, "\\\\")) {
                consume_token(reader);
                if (!token_is(peek_token(reader), " "))
                    parse_length(reader, TRUE, &row->size);
            } else {
                reader_fail(reader, next.at, "Expected & or \\\\ or \\cr or \\end");
            }
            row->parts[0] = environment->tags != NO_TAGS ? take_tag(reader) : NULL;
        }
    }
    end_scope(reader);
    end_scope(reader);
    node->array = array;
    return node;
}

/* The alignment of a starred matrix: [l], [c] or [r]; c where there is none. */
static const char *take_alignment(Reader *reader)
{
    fetch_beyond_spaces(reader);
    if (!token_is(fetch_token(reader), "["))
        return "c";
    consume_token(reader);
    fetch_beyond_spaces(reader);
    const Token token = fetch_token(reader);
    if (!tg_is_one_of(token.text, -1, "l c r"))
        return reader_fail(reader, token.at, "Expected l or c or r");
    consume_token(reader);
    fetch_beyond_spaces(reader);
    expect_token(reader, "]", TRUE);
    return token.text;
}

/* @n columns that are aligned by turns as @pattern says. */
static const char *repeat_columns(Reader *reader, const char *pattern, guint n)
{
    char *columns = tg_arena_zeros(reader->arena, n + 1);

    for (guint i = 0; i < n; i++)
        columns[i] = pattern[i % strlen(pattern)];
    return columns;
}

/* The number of pairs of columns that an alignment may have. */
static guint take_pairs(Reader *reader)
{
    g_autoptr(GString) number = g_string_new(NULL);
    const TgKatexNode *argument = parse_argument(reader, FALSE, FALSE);

    for (const TgKatexNode *node = argument->list; node != NULL; node = node->next)
        g_string_append(number, node->kind == NODE_SYMBOL ? node->text : "");
    return (guint) CLAMP(g_ascii_strtod(number->str, NULL), 0, 10000);
}

/* The cells at the right of each pair begin with nothing, before which a relation has its space.
 * @n_pairs: at most so many; 0: any number */
static void finish_pairs(Reader *reader, TgKatexNode *rows, guint n_pairs)
{
    for (const TgKatexNode *row = rows; row != NULL; row = row->next) {
        guint i = 0;
        for (TgKatexNode *cell = row->list; cell != NULL; cell = cell->next, i++)
            if (i % 2 == 1) {
                TgKatexNode *empty = node_group(reader, NULL);
                empty->next = cell->list;
                cell->list = empty;
            }
        if (n_pairs > 0 && i / 2.0 > n_pairs)
            reader_fail(reader, fetch_token(reader).at, "Too many math in a row: expected %u",
                        n_pairs);
    }
}

static TgKatexNode *read_environment(Reader *reader, const char *name, guint at)
{
    const Environment *environment = find_environment(name);
    TgKatexArray *array = tg_arena_zeros(reader->arena, sizeof *array);
    const char *pattern = NULL;
    guint n_pairs = 0;

    if (environment == NULL)
        return reader_fail(reader, at, "No such environment: %s", name);
    const EnvKind kind = environment->kind;
    array->style = environment->style;
    array->cases = kind == ENV_CASES;
    array->jot = kind == ENV_ALIGN || kind == ENV_GATHER;
    array->numbered = environment->tags == NUMBERED;
    array->stretch = array->style == 2 ? .5 : array->cases ? 1.2 : 1;
    array->padded = kind == ENV_ARRAY;
    if (kind == ENV_ARRAY || kind == ENV_SUBARRAY) {
        const TgKatexNode *preamble = parse_argument(reader, FALSE, reader->in_text);
        array->columns = read_columns(reader, preamble, kind == ENV_ARRAY, at);
    } else if (kind == ENV_MATRIX) {
        pattern = g_str_has_suffix(name, "*") ? take_alignment(reader) : "c";
    } else if (kind == ENV_ALIGN) {
        pattern = "rl";
        n_pairs = strstr(name, "at") != NULL ? take_pairs(reader) : 0;
        array->aligned = n_pairs == 0;
    } else if (kind != ENV_EQUATION) {
        array->columns = array->cases ? "ll" : "c";
    }
    if (kind == ENV_SUBARRAY && strlen(array->columns) > 1)
        reader_fail(reader, fetch_token(reader).at, "{subarray} can contain only one column");
    TgKatexNode *node = parse_rows(reader, environment, array);
    if (kind == ENV_SUBARRAY && array->n_columns > 1)
        reader_fail(reader, fetch_token(reader).at, "{subarray} can contain only one column");
    if (pattern != NULL)
        array->columns = repeat_columns(reader, pattern, array->n_columns);
    if (kind == ENV_ALIGN)
        finish_pairs(reader, node->list, n_pairs);
    if (environment->left == NULL)
        return node;
    TgKatexNode *around = node_new(reader, NODE_LEFT_RIGHT);
    around->list = node;
    around->left = environment->left;
    around->right = environment->right;
    return around;
}

/* The name in a group of text. */
static const char *name_of(Reader *reader, const TgKatexNode *group, guint at)
{
    g_autoptr(GString) name = g_string_new(NULL);

    for (const TgKatexNode *node = group->list; node != NULL; node = node->next)
        if (node->kind == NODE_SYMBOL && node->class != SPACE)
            g_string_append(name, node->text);
        else
            reader_fail(reader, at, "A space or a command in the name of an environment");
    return tg_arena_text(reader->arena, name->str, name->len);
}

/* ---- Functions ------------------------------------------------------------------------------- */

typedef struct {
    Reader *reader;
    const Function *function;
    const char *name, *until;
    guint at;
    TgKatexNode *optional;
    TgKatexNode *arguments[6];
    TgKatexNode *body; /* the last of the arguments */
    TgKatexLength sizes[3];
    guint n_sizes;
} Call;

/* One argument of the kind @type. */
static TgKatexNode *parse_typed(Call *call, char type, gboolean optional)
{
    Reader *reader = call->reader;
    TgKatexNode *node = NULL;
    g_autofree char *name = NULL;
    const char *color;

    switch (type) {
    case 'o':
        return parse_argument(reader, optional, reader->in_text);
    case 't':
        return parse_argument(reader, optional, TRUE);
    case 'h':
        return node_text_style(reader, parse_argument(reader, optional, TRUE));
    case 'c':
        color = parse_raw(reader, optional);
        if (!g_regex_match(color_whole, color, 0, NULL))
            reader_fail(reader, call->at, "Invalid color: '%s'", color);
        return NULL;
    case 's':
        parse_length(reader, optional, &call->sizes[call->n_sizes++]);
        return NULL;
    default:
        if (type == 'q' && call->optional != NULL)
            return parse_argument(reader, FALSE, reader->in_text);
        name = g_strdup_printf("argument to '%s'", call->name);
        node = parse_group(reader, name, NULL);
        if (node == NULL)
            reader_fail(reader, fetch_token(reader).at, "Expected group as %s", name);
        return node;
    }
}

/* The delimiter that is the argument, or NULL. */
static const char *call_delimiter(const Call *call)
{
    const TgKatexNode *node = call->arguments[0];

    if (node->kind != NODE_SYMBOL)
        return reader_fail(call->reader, call->at, "Invalid delimiter type after '%s'", call->name);
    if (strcmp(node->text, ".") != 0 && !tg_katex_is_delimiter(node->text))
        return reader_fail(call->reader, call->at, "Invalid delimiter '%s' after '%s'", node->text,
                           call->name);
    return node->text;
}

static TgKatexNode *call_definition(Call *call)
{
    Reader *reader = call->reader;
    const Token name = pop_token(reader);
    gboolean delimited = FALSE;
    guint n_arguments = 0;

    if (name.text == end_text || tg_is_one_of(name.text, -1, "\\ { } $ & # ^ _"))
        return reader_fail(reader, name.at, "Expected a control sequence");
    while (reader->error == NULL && !token_is(peek_token(reader), "{")) {
        const Token token = pop_token(reader);
        if (token_is(token, "#")) {
            const Token digit = pop_token(reader);
            if (digit_of(digit) != (gint) n_arguments + 1 || n_arguments == 9)
                reader_fail(reader, token.at, "Argument number \"%s\" out of order", digit.text);
            n_arguments++;
        } else if (token.text == end_text) {
            reader_fail(reader, token.at, "Expected a macro definition");
        } else {
            delimited = TRUE;
        }
    }
    GArray *body = take_argument(reader, NULL);
    /* a text between the arguments is not supported: its use would hardly ever match */
    if (delimited)
        reader_fail(reader, name.at, "Use of the macro doesn't match its definition");
    if (reader->error == NULL)
        define_macro(reader,
                     (Macro){ .name = name.text, .n_arguments = n_arguments, .tokens = body },
                     call->name[1] == 'g' || call->name[1] == 'x');
    return node_new(reader, NODE_INTERNAL);
}

static TgKatexNode *call_left(Call *call)
{
    Reader *reader = call->reader;
    TgKatexNode *node = node_new(reader, NODE_LEFT_RIGHT);

    node->left = call_delimiter(call);
    reader->lefts++;
    node->list = parse_expression(reader, FALSE, NULL);
    reader->lefts--;
    expect_token(reader, "\\right", FALSE);
    const TgKatexNode *right = parse_group(reader, NULL, NULL);
    node->right = right != NULL ? right->text : NULL;
    return node;
}

static TgKatexNode *call_begin(Call *call)
{
    Reader *reader = call->reader;
    const char *name = name_of(reader, call->arguments[0], call->at);
    TgKatexNode *node = read_environment(reader, name, call->at);
    const guint at = fetch_token(reader).at;

    expect_token(reader, "\\end", TRUE);
    const char *ended = name_of(reader, parse_argument(reader, FALSE, TRUE), at);
    if (strcmp(name, ended) != 0)
        reader_fail(reader, at, "Mismatch: \\begin{%s} matched by \\end{%s}", name, ended);
    return node;
}

static TgKatexNode *make_fraction(Reader *reader, const char *name, gint style, TgKatexNode *above,
                                  TgKatexNode *below)
{
    static const struct {
        const char *names, *left, *right;
    } delimiters[] = {
        { "\\dbinom \\binom \\tbinom \\choose", "(", ")" },
        { "\\\\bracefrac \\brace", "\\{", "\\}" },
        { "\\\\brackfrac \\brack", "[", "]" },
    };
    TgKatexNode *node = node_new(reader, NODE_FRACTION);

    node->parts[0] = above;
    node->parts[1] = below;
    node->flag = tg_is_one_of(name, -1, "\\dfrac \\frac \\tfrac \\cfrac \\over \\above");
    node->no_shift = strcmp(name, "\\cfrac") == 0;
    node->number = style;
    for (guint i = 0; i < G_N_ELEMENTS(delimiters); i++)
        if (tg_is_one_of(name, -1, delimiters[i].names)) {
            node->left = delimiters[i].left;
            node->right = delimiters[i].right;
        }
    return node;
}

static TgKatexNode *call_stack(Call *call)
{
    Reader *reader = call->reader;
    const gboolean under = strcmp(call->name, "\\underset") == 0;
    const gboolean relation = strcmp(call->name, "\\stackrel") == 0;
    TgKatexNode *base = node_new(reader, NODE_OPERATOR);
    TgKatexNode *scripts = node_new(reader, NODE_SCRIPTS);
    TgKatexNode *node = node_new(reader, NODE_CLASS);

    node->class = relation ? REL : node_bin_or_rel(call->arguments[1]);
    base->limits = base->always_scripts = TRUE;
    base->no_shift = !relation;
    base->list = node_as_list(call->arguments[1]);
    scripts->parts[0] = base;
    scripts->parts[under ? 1 : 2] = call->arguments[0];
    node->list = scripts;
    return node;
}

/* The first name of the function, which says what its other names mean. */
static const char *main_name(const Call *call)
{
    const char *names = call->function->names;

    return tg_arena_text(call->reader->arena, names, strcspn(names, " "));
}

static TgKatexNode *call_math_in_text(Call *call)
{
    Reader *reader = call->reader;
    const char *close = call->name[0] == '$' ? "$" : "\\)";

    reader->in_text = FALSE;
    TgKatexNode *list = parse_expression(reader, FALSE, close);
    expect_token(reader, close, FALSE);
    reader->in_text = TRUE;
    consume_token(reader);
    return node_text_style(reader, list);
}

/* The node of a function: most are its last argument, with its name and its lengths. */
static TgKatexNode *call_function(Call *call)
{
    Reader *reader = call->reader;
    TgKatexNode *node = node_new(reader, call->function->node), **args = call->arguments;

    node->text = call->name;
    node->number = call->function->value;
    node->parts[0] = call->body;
    node->parts[1] = call->optional;
    node->list = node_as_list(call->body);
    node->size = call->sizes[0];
    memcpy(node->sizes, &call->sizes[1], sizeof node->sizes);
    switch (call->function->kind) {
    case NODE:
        return node;
    case ACCENT:
        node->parts[0] = node_inner(args[0]);
        node->flag = call->function->value != 0;
        return node;
    case TEXT_ACCENT:
        node->in_text = TRUE;
        return node;
    case DEFINITION:
        return call_definition(call);
    case LEFT:
        return call_left(call);
    case RIGHT:
    case MIDDLE:
    case DELIMITER:
        node->text = call_delimiter(call);
        node->class = g_str_has_suffix(call->name, "l")   ? OPEN
                      : g_str_has_suffix(call->name, "r") ? CLOSE
                      : g_str_has_suffix(call->name, "m") ? REL
                                                          : ORD;
        if (call->function->kind == MIDDLE && reader->lefts == 0)
            reader_fail(reader, call->at, "\\middle without preceding \\left");
        return node;
    case BEGIN:
        return call_begin(call);
    case FONT:
        node->text = main_name(call) + 1;
        node->parts[0] = node_inner(args[0]);
        return node;
    case OLD_FONT:
        node->text = tg_arena_printf(reader->arena, "math%s", call->name + 1);
        node->parts[0] = node_group(reader, parse_expression(reader, TRUE, call->until));
        return node;
    case BOLD_SYMBOL:
        node->class = node_bin_or_rel(args[0]);
        node->list = node_new(reader, NODE_FONT);
        node->list->text = "boldsymbol";
        node->list->parts[0] = node_inner(args[0]);
        return node;
    case FRACTION:
        return make_fraction(reader, call->name, call->function->value, args[0], args[1]);
    case STACK:
        return call_stack(call);
    case SIGN:
        node->text = main_name(call);
        node->flag = TRUE;
        node->limits = call->function->value != 0;
        return node;
    case NAME:
        node->limits = call->function->value != 0;
        return node;
    case MATHOP:
        node->text = NULL;
        node->limits = TRUE;
        return node;
    case OPERATORNAME:
        node->always_scripts = strcmp(call->name, "\\operatornamewithlimits") == 0;
        return node;
    case SIZE:
    case STYLE:
    case COLOR:
        node->list = parse_expression(reader, call->function->kind != SIZE, call->until);
        return node;
    case LINE_END:
        if (token_is(peek_token(reader), "["))
            parse_length(reader, TRUE, &node->size);
        return node;
    case CHOICE:
        memcpy(node->parts, args, sizeof node->parts);
        return node;
    case CLASS:
        node->class = (TgKatexClass) call->function->value;
        return node;
    case PMB:
        node->class = node_bin_or_rel(args[0]);
        return node;
    case DOLLAR:
        return call_math_in_text(call);
    case NOT_MODELED:
        reader_fail(reader, call->at, "KaTeX knows %s, which is not modeled here", call->name);
        reader->not_modeled = TRUE;
        return NULL;
    case NO_MATH:
        return reader_fail(reader, call->at, "Mismatched %s", call->name);
    case RULE_LINE:
        return reader_fail(reader, call->at, "%s valid only within array environment", call->name);
    }
    return NULL;
}

/* A function with its arguments, or NULL where the next token is none. @name: of the argument that
 * the function would be */
static TgKatexNode *parse_function(Reader *reader, const char *name, const char *until)
{
    const Token token = fetch_token(reader);
    const Function *function = token.text != end_text ? find_function(token.text) : NULL;
    Call call = {
        .reader = reader, .function = function, .name = token.text, .until = until, .at = token.at
    };

    if (function == NULL)
        return NULL;
    consume_token(reader);
    if (name != NULL && strcmp(name, "atom") != 0 && strchr(function->use, 'A') == NULL)
        return reader_fail(reader, token.at, "Got function '%s' with no arguments as %s",
                           token.text, name);
    if (reader->in_text ? strchr(function->use, 'T') == NULL : strchr(function->use, 'M') != NULL)
        return reader_fail(reader, token.at, "Can't use function '%s' in %s mode", token.text,
                           reader->in_text ? "text" : "math");
    guint n = 0;
    if (function->optional[0] != '\0')
        call.optional = parse_typed(&call, function->optional[0], TRUE);
    for (const char *p = function->arguments; *p != '\0' && reader->error == NULL; p++)
        call.arguments[n++] = call.body = parse_typed(&call, *p, FALSE);
    return reader->error == NULL ? call_function(&call) : NULL;
}

/* ---- Symbols, groups, atoms ------------------------------------------------------------------ */

static const struct {
    gunichar mark;
    const char *text, *math;
} marks[] = {
    { 0x301, "\\'", "\\acute" },    { 0x300, "\\`", "\\grave" }, { 0x308, "\\\"", "\\ddot" },
    { 0x303, "\\~", "\\tilde" },    { 0x304, "\\=", "\\bar" },   { 0x306, "\\u", "\\breve" },
    { 0x30C, "\\v", "\\check" },    { 0x302, "\\^", "\\hat" },   { 0x307, "\\.", "\\dot" },
    { 0x30A, "\\r", "\\mathring" }, { 0x30B, "\\H", NULL },      { 0x327, "\\c", NULL },
};

static TgKatexNode *parse_symbol(Reader *reader)
{
    const Token token = fetch_token(reader);
    const char *text = token.text;
    g_autofree char *apart = NULL;

    if (text == end_text)
        return NULL;
    const TgKatexSymbol *whole = tg_katex_symbol(text);
    if ((guchar) text[0] >= 0xC3 && (whole == NULL || (reader->in_text && whole->text == NULL)) &&
        g_utf8_get_char(text) < 0x2000) {
        apart = g_utf8_normalize(text, -1, G_NORMALIZE_NFD);
        if (g_utf8_strlen(apart, -1) > 1)
            text = tg_arena_text(reader->arena, apart, strlen(apart));
    }
    const char *rest = g_utf8_next_char(text);
    const gboolean accented = text[0] != '\\' && *rest != '\0' && g_utf8_get_char(rest) >= 0x300 &&
                              g_utf8_get_char(rest) < 0x370;
    const char *base = accented ? tg_arena_text(reader->arena, text, (gsize) (rest - text)) : text;
    if (accented && (strcmp(base, "i") == 0 || strcmp(base, "j") == 0))
        base = base[0] == 'i' ? "ı" : "ȷ";
    const TgKatexSymbol *symbol = tg_katex_symbol(base);
    TgKatexNode *node;
    const gboolean letter = g_ascii_isalpha(base[0]) && base[1] == '\0';
    if (strcmp(text, "\\ ") == 0 || (reader->in_text && strcmp(text, " ") == 0)) {
        node = node_symbol(reader, SPACE, text);
    } else if (letter) {
        node = node_symbol(reader, reader->in_text ? ORD : LETTER, base);
    } else if (symbol != NULL && (reader->in_text ? symbol->text != NULL : symbol->class != NONE)) {
        node = node_symbol(reader, !reader->in_text || symbol->class == SPACE ? symbol->class : ORD,
                           symbol->name[0] == '\\' && base[0] == '-' ? "-" : symbol->name);
    } else if ((guchar) base[0] >= 0x80) {
        const gunichar code = g_utf8_get_char(base);
        const gboolean alphabet = code >= 0x1D400 && code < 0x1D7CC && !reader->in_text;
        node = node_symbol(reader, alphabet ? LETTER : ORD, base);
        node->in_text = node->in_text || !alphabet;
    } else {
        return NULL;
    }
    node->at = token.at;
    consume_token(reader);
    guint depth = reader->depth; /* each mark is an accent over the one before it */
    for (const char *p = rest; accented && *p != '\0'; p = g_utf8_next_char(p)) {
        const gunichar mark = g_utf8_get_char(p);
        guint i = 0;
        if (++depth > MAX_DEPTH)
            return reader_fail(reader, token.at, "Accents are nested too deep");
        while (i < G_N_ELEMENTS(marks) && marks[i].mark != mark)
            i++;
        if (i == G_N_ELEMENTS(marks))
            return reader_fail(reader, token.at, "Unknown accent U+%04X", mark);
        const char *command =
            !reader->in_text && marks[i].math != NULL ? marks[i].math : marks[i].text;
        TgKatexNode *accent = node_new(reader, NODE_ACCENT);
        accent->text = command;
        accent->parts[0] = node;
        node = accent;
    }
    return node;
}

static TgKatexNode *parse_group(Reader *reader, const char *name, const char *until)
{
    const Token first = fetch_token(reader);
    const gboolean brace = token_is(first, "{");
    TgKatexNode *node;

    if (reader->error != NULL)
        return NULL;
    if (++reader->depth > MAX_DEPTH)
        return reader_fail(reader, first.at, "Groups are nested too deep");
    if (brace || token_is(first, "\\begingroup")) {
        const char *close = brace ? "}" : "\\endgroup";
        consume_token(reader);
        reader->level++;
        node = node_group(reader, parse_expression(reader, FALSE, close));
        node->flag = !brace;
        expect_token(reader, close, TRUE);
        end_scope(reader);
        reader->depth--;
        return node;
    }
    node = parse_function(reader, name, until);
    if (node == NULL && reader->error == NULL)
        node = parse_symbol(reader);
    reader->depth--;
    if (node == NULL && first.text[0] == '\\' && !is_implicit(first.text) &&
        find_function(first.text) == NULL)
        reader_fail(reader, first.at, "Undefined control sequence: %s", first.text);
    return reader->error == NULL ? node : NULL;
}

/* Raised and lowered characters of Unicode: the one at the same place stands for it. */
static const char raised[] = "⁺⁻⁼⁽⁾⁰¹²³⁴⁵⁶⁷⁸⁹ⁱⁿᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵝᵞᵟᵠᵡᶿ";
static const char raised_for[] =
    "+-=()0123456789inABDEGHIJKLMNOPRTUVWabcdefghjklmoprstuvwxyzβγδϕχθ";
static const char lowered[] = "₊₋₌₍₎₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ";
static const char lowered_for[] = "+-=()0123456789aehijklmnoprstuvxβγρϕχ";

/* The place in @meanings of what a raised or lowered character means, or NULL. */
static const char *script_of(const char *text, const char *scripts, const char *meanings)
{
    const gboolean may_be = (guchar) text[0] >= 0x80 && *g_utf8_next_char(text) == '\0';
    const char *found = may_be ? strstr(scripts, text) : NULL;

    return found != NULL
               ? g_utf8_offset_to_pointer(meanings, g_utf8_pointer_to_offset(scripts, found))
               : NULL;
}

/* A run of raised (or lowered) characters as a group; NULL: there is none. */
static TgKatexNode *parse_unicode_script(Reader *reader, const char *scripts, const char *meanings)
{
    GArray *tokens = NULL;
    const char *meaning;

    while ((meaning = script_of(fetch_token(reader).text, scripts, meanings)) != NULL) {
        const gsize length = (gsize) (g_utf8_next_char(meaning) - meaning);
        const Token token = { tg_arena_text(reader->arena, meaning, length),
                              fetch_token(reader).at };
        if (tokens == NULL)
            tokens = token_list(reader);
        g_array_append_val(tokens, token);
        consume_token(reader);
    }
    if (tokens == NULL)
        return NULL;
    /* the token that was fetched comes after the script */
    if (reader->has_next)
        push_token(reader, reader->next);
    reader->has_next = FALSE;
    return node_group(reader, parse_tokens(reader, tokens, FALSE));
}

static TgKatexNode *parse_script(Reader *reader, const char *name)
{
    const Token token = fetch_token(reader);
    TgKatexNode *group;

    consume_token(reader);
    fetch_beyond_spaces(reader);
    do
        group = parse_group(reader, name, NULL);
    while (group != NULL && group->kind == NODE_INTERNAL && reader->error == NULL);
    if (group == NULL)
        reader_fail(reader, token.at, "Expected group after '%s'", token.text);
    return group;
}

static TgKatexNode *parse_primes(Reader *reader)
{
    TgKatexNode *list = NULL, **end = &list;

    while (token_is(fetch_token(reader), "'")) {
        consume_token(reader);
        *end = node_symbol(reader, ORD, "\\prime");
        end = &(*end)->next;
    }
    if (token_is(fetch_token(reader), "^"))
        *end = parse_script(reader, "superscript");
    return node_group(reader, list);
}

static void set_limits(Reader *reader, TgKatexNode *base, Token token)
{
    const gboolean limits = token_is(token, "\\limits");

    if (base != NULL && base->kind == NODE_OPERATOR) {
        base->limits = limits;
        base->always_scripts = TRUE;
    } else if (base != NULL && base->kind == NODE_OPERATORNAME) {
        base->limits = base->always_scripts && limits;
    } else {
        reader_fail(reader, token.at, "Limit controls must follow a math operator");
    }
}

gboolean tg_katex_takes_limits(const TgKatexNode *base, gboolean display)
{
    return base != NULL &&
           ((base->kind == NODE_OPERATOR && base->limits && (display || base->always_scripts)) ||
            (base->kind == NODE_OPERATORNAME && base->always_scripts && (display || base->limits)));
}

/* A group with its scripts; NULL: there is nothing more. */
static TgKatexNode *parse_atom(Reader *reader, const char *until)
{
    TgKatexNode *base = parse_group(reader, "atom", until), *sup = NULL, *sub = NULL;

    if (reader->in_text || reader->error != NULL)
        return base;
    for (;;) {
        fetch_beyond_spaces(reader);
        const Token token = fetch_token(reader);
        TgKatexNode *script;
        if (reader->error != NULL)
            return NULL;
        if (token_is(token, "\\limits") || token_is(token, "\\nolimits")) {
            set_limits(reader, base, token);
            consume_token(reader);
        } else if (token_is(token, "^") || token_is(token, "'")) {
            if (sup != NULL)
                return reader_fail(reader, token.at, "Double superscript");
            sup = token.text[0] == '^' ? parse_script(reader, "superscript") : parse_primes(reader);
        } else if (token_is(token, "_")) {
            if (sub != NULL)
                return reader_fail(reader, token.at, "Double subscript");
            sub = parse_script(reader, "subscript");
        } else if ((script = parse_unicode_script(reader, raised, raised_for)) != NULL) {
            sup = script;
        } else if ((script = parse_unicode_script(reader, lowered, lowered_for)) != NULL) {
            sub = script;
        } else {
            break;
        }
    }
    if (sup == NULL && sub == NULL)
        return base;
    if (base != NULL && base->kind == NODE_INTERNAL)
        reader_fail(reader, fetch_token(reader).at, "A script on a space");
    TgKatexNode *node = node_new(reader, NODE_SCRIPTS);
    node->parts[0] = base;
    node->parts[1] = sub;
    node->parts[2] = sup;
    return node;
}

/* Split at \over and the like. */
static TgKatexNode *split_at_infix(Reader *reader, TgKatexNode *list)
{
    TgKatexNode *infix = NULL, *before = NULL;

    for (TgKatexNode *node = list, *last = NULL; node != NULL; last = node, node = node->next)
        if (node->kind == NODE_INFIX) {
            if (infix != NULL)
                reader_fail(reader, fetch_token(reader).at, "only one infix operator per group");
            infix = node;
            before = last;
        }
    if (infix == NULL || reader->error != NULL)
        return list;
    TgKatexNode *below = infix->next;
    if (before != NULL)
        before->next = NULL;
    else
        list = NULL;
    TgKatexNode *above =
        has_one(list) && list->kind == NODE_GROUP ? list : node_group(reader, list);
    below = has_one(below) && below->kind == NODE_GROUP ? below : node_group(reader, below);
    TgKatexNode *node = make_fraction(reader, infix->text, -1, above, below);
    if (strcmp(infix->text, "\\above") == 0) {
        node->size = infix->size;
        node->flag = infix->size.number > 0;
    }
    return node;
}

/* Join hyphens and quotes, as KaTeX does in text: the longest run of those that begin alike. */
static void join_ligatures(TgKatexNode *list)
{
    static const char *const ligatures[] = { "---", "--", "``", "''" };

    for (TgKatexNode *node = list; node != NULL; node = node->next)
        for (guint i = 0; i < G_N_ELEMENTS(ligatures); i++) {
            TgKatexNode *end = node;
            const char *p = ligatures[i];
            for (; *p != '\0'; p++, end = end->next)
                if (end == NULL || end->kind != NODE_SYMBOL || end->text[0] != *p ||
                    end->text[1] != '\0')
                    break;
            if (*p == '\0') {
                node->text = ligatures[i];
                node->next = end;
            }
        }
}

static TgKatexNode *parse_expression(Reader *reader, gboolean break_on_infix, const char *until)
{
    TgKatexNode *list = NULL, **end = &list;

    if (++reader->depth > MAX_DEPTH)
        reader_fail(reader, fetch_token(reader).at, "Groups are nested too deep");
    while (reader->error == NULL) {
        if (!reader->in_text)
            fetch_beyond_spaces(reader);
        const Token token = fetch_token(reader);
        if (tg_is_one_of(token.text, -1, "} \\endgroup \\end \\right &") ||
            (until != NULL && token_is(token, until)))
            break;
        const Function *function = break_on_infix ? find_function(token.text) : NULL;
        if (function != NULL && strchr(function->use, 'I') != NULL)
            break;
        TgKatexNode *atom = parse_atom(reader, until);
        if (atom == NULL)
            break;
        if (atom->kind == NODE_INTERNAL)
            continue;
        *end = atom;
        end = &atom->next;
    }
    reader->depth--;
    if (reader->error != NULL)
        return NULL;
    if (reader->in_text)
        join_ligatures(list);
    return split_at_infix(reader, list);
}

void tg_katex_read(const char *latex, TgArena *arena, TgKatexFormula *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_tables);
    Reader reader = {
        .arena = arena,
        .source = latex,
        .position = latex,
        .stack = g_array_new(FALSE, FALSE, sizeof(Token)),
        .macros = g_array_new(FALSE, FALSE, sizeof(Macro)),
        .lists = g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref),
    };

    *out = (TgKatexFormula){ 0 };
    reader.level++;
    out->list = parse_expression(&reader, FALSE, NULL);
    expect_token(&reader, end_text, FALSE);
    out->tag = take_tag(&reader);
    if (reader.error != NULL)
        *out = (TgKatexFormula){ .error = reader.error,
                                 .error_at = reader.error_at,
                                 .not_modeled = reader.not_modeled };
    g_array_unref(reader.stack);
    g_array_unref(reader.macros);
    g_ptr_array_unref(reader.lists);
}
