/* The reader of UniMERNet's CDM: an old KaTeX parser that accepts unknown commands, and its
 * printer. */
#include "metrics/cdm/normalize/normalize.h"

#include <glib.h>
#include <pthread.h>
#include <string.h>

#include "core/deadline.h"
#include "core/search.h"

/* Kinds of functions, which decide how a function is parsed and printed. */
typedef enum {
    FRACTION,        /* `\frac`, `\binom`: two arguments */
    INFIX,           /* `\over`, `\choose`: splits the expression it stands in */
    ROOT,            /* `\sqrt[index]{body}` */
    ACCENT,          /* its argument is printed in braces */
    LINE,            /* its argument is printed in one more pair of braces */
    FONT,            /* name and argument as written */
    TEXT,            /* an argument in text mode, printed as `\mathrm` */
    PHANTOM,         /* `\phantom` */
    RULE,            /* `\rule[shift]{width}{height}` */
    SWITCH,          /* acts on the rest of the group */
    ROMAN_SWITCH,    /* `\rm`: printed as `\mathrm{rest}` */
    STYLE,           /* a switch whose rest ends before an infix function */
    OPERATOR,        /* `\sin`: spelled out */
    LIMITS_OPERATOR, /* `\lim`: the same with limits above and below unless said otherwise */
    OPERATOR_SYMBOL, /* `\sum`: printed as it is */
    DELIMITER,       /* the `\big` family */
    LEFT,            /* `\left ... \right` */
    RIGHT,           /* only read by LEFT */
    BEGIN,           /* an environment */
    END,             /* only read by BEGIN */
    ROW_END,         /* `\\`, `\cr`, with an optional length */
    PLAIN_ARRAY,     /* `\matrix{...}` and the like */
    COLOR,           /* `\color{name}{...}`: cannot be printed */
    UNPRINTABLE,     /* further functions that cannot be printed */
} FunctionKind;

typedef struct {
    FunctionKind kind;
    guint rank;            /* as an argument it needs a rank above the outer function's */
    const char *arguments; /* `[` optional, `{` plain, t in text mode, c a color; s a number and a
                              unit, S the same in brackets and optional */
    const char *printed;   /* the name it is printed with; NULL: its own */
    const char *names;
} Function;

/* The part of the input from @start to @end. */
typedef struct {
    enum {
        TOKEN_TEXT,  /* a character, a command, or `--` and `---` */
        TOKEN_SPACE, /* a run of white space; in text mode only */
        TOKEN_END,   /* the end of the input */
        TOKEN_BAD,   /* a character that no token begins with */
    } kind;
    const char *start, *end;
} Token;

typedef struct Node Node;
struct Node {
    enum {
        NODE_LETTER,     /* a letter, or an unknown command: @text */
        NODE_SYMBOL,     /* a symbol that stays whole: @text */
        NODE_SPACE,      /* white space of text mode */
        NODE_GROUP,      /* `{...}`: @children */
        NODE_SCRIPTS,    /* @arguments: base, subscript, superscript; each may be NULL */
        NODE_FUNCTION,   /* @function, @text its name, @arguments; of a switch, one group */
        NODE_LEFT_RIGHT, /* @children between the delimiters @text and @right */
        NODE_ARRAY,      /* @children are rows, groups of cells; @text is the preamble */
        NODE_SIZE,       /* @text: a number, a space and a unit; NULL for a color */
    } kind;
    const Function *function;
    const char *text, *right;
    GPtrArray *children;
    Node *arguments[3];      /* optional ones first; NULL where one is missing */
    gboolean limits;         /* of an operator */
    TgCdmRange at, right_at; /* where @text and @right stand in the line; none for marks of
                                structure */
};

/* An environment and what it is printed as: an array, mostly between delimiters. */
typedef struct {
    const char *name;
    const char *left, *right; /* NULL for none */
    enum {
        COLUMNS_ARGUMENT,  /* from its argument */
        COLUMNS_FIRST_ROW, /* l for every cell of the first row */
        COLUMNS_TWO,       /* l l */
        COLUMNS_ALIGNED,   /* r l r l for the widest row */
    } columns;
} Environment;

/* Brace groups and switches may be nested this deep; deeper input counts as not readable. */
#define MAX_DEPTH 500

/* ---- Functions and known symbols ------------------------------------------------------------- */

static const Function functions[] = {
#include "katex_functions.inc"
};

static const char delimiters[] =
    "( ) [ ] < > / | . \\lbrack \\rbrack \\{ \\} \\lbrace \\rbrace \\lfloor \\rfloor \\lceil "
    "\\rceil \\langle \\rangle \\lt \\gt \\lvert \\rvert \\lVert \\rVert \\lgroup \\rgroup "
    "\\lmoustache \\rmoustache \\backslash \\vert \\| \\Vert \\uparrow \\downarrow \\updownarrow "
    "\\Uparrow \\Downarrow \\Updownarrow";

static const char *const known_symbols[] = {
#include "katex_symbols.inc"
};

/* Constant once they are filled. */
static GHashTable *functions_by_name, *symbol_names;

static void make_tables(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
        tg_cdm_add_names(&functions_by_name, functions[i].names, &functions[i]);
    for (guint i = 0; i < G_N_ELEMENTS(known_symbols); i++)
        tg_cdm_add_names(&symbol_names, known_symbols[i], known_symbols[i]);
    g_hash_table_add(symbol_names, g_strdup("\\ "));
}

static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static const char aligned[] =
    "\\\\begin\\{(split|align|alignedat|alignat|eqnarray)\\*?\\}(.+?)\\\\end\\{\\1\\*?\\}";
static const char matrix[] = "\\\\begin\\{(smallmatrix)\\*?\\}(.+?)\\\\end\\{\\1\\*?\\}";
static const char hskip[] = "hskip((?-s:.*?)(?:cm|in|pt|mm|em))";
static const char size_of_group[] =
    "(-?)[ \\t\\n\\r]*([0-9]+\\.?[0-9]*|\\.[0-9]+)[ \\t\\n\\r]*([a-z]{2})";
static const char color_of_group[] = "#[0-9A-Za-z]+|[A-Za-z]+";

static const Function *function_find(const char *name)
{
    return *name == '\\' ? g_hash_table_lookup(functions_by_name, name) : NULL;
}

/* ---- Tokens of the parser -------------------------------------------------------------------- */

static const char spaces[] = " \t\n\r";
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

static Token lex_token(const char *input, gboolean text_mode)
{
    const gsize n_spaces = strspn(input, spaces);

    if (n_spaces > 0 && text_mode)
        return (Token){ TOKEN_SPACE, input, input + n_spaces };
    input += n_spaces;
    const gunichar c = g_utf8_get_char(input);
    const char *end = input;
    if (c == '\0')
        return (Token){ TOKEN_END, input, input };
    if (c == '\\') {
        const gsize n_letters = strspn(input + 1, letters);

        if (n_letters > 0)
            end = input + 1 + n_letters;
        else if (input[1] != '\0' && g_utf8_get_char(input + 1) <= 0xFFFF)
            end = g_utf8_next_char(input + 1);
    } else if (g_str_has_prefix(input, "--")) {
        end = input + (input[2] == '-' ? 3 : 2);
    } else if (c >= 0x20 && c != 0x2028 && c != 0x2029 && (c < 0xE000 || c > 0xF8FF)) {
        end = g_utf8_next_char(input);
    }
    return (Token){ end > input ? TOKEN_TEXT : TOKEN_BAD, input, end };
}

/* A size as it is printed: `-.50cm` as `-0.5 cm`, `2.em` as `2 em`. (transfer full) */
static char *tidy_size(const GMatchInfo *size)
{
    g_autofree char *sign = g_match_info_fetch(size, 1), *digits = g_match_info_fetch(size, 2);
    g_autofree char *unit = g_match_info_fetch(size, 3);
    g_autoptr(GString) number = g_string_new(digits + strspn(digits, "0"));

    if (strchr(number->str, '.') != NULL) {
        while (g_str_has_suffix(number->str, "0"))
            g_string_truncate(number, number->len - 1);
        if (g_str_has_suffix(number->str, "."))
            g_string_truncate(number, number->len - 1);
    }
    if (number->len == 0 || number->str[0] == '.')
        g_string_prepend_c(number, '0');
    return g_strdup_printf("%s%s %s", strcmp(number->str, "0") != 0 ? sign : "", number->str, unit);
}

static Node *node_new(TgCdmPool *pool, guint kind)
{
    Node *node = tg_arena_zeros(&pool->arena, sizeof *node);

    node->kind = kind;
    return node;
}

static Node *node_new_group(TgCdmPool *pool, GPtrArray *children)
{
    Node *group = node_new(pool, NODE_GROUP);

    group->children = children;
    return group;
}

static Node *node_new_function(TgCdmPool *pool, const Function *function, const char *name,
                               TgCdmRange at)
{
    Node *node = node_new(pool, NODE_FUNCTION);

    node->function = function;
    node->text = name;
    node->limits = function->kind == LIMITS_OPERATOR;
    node->at = at;
    return node;
}

static gboolean node_is_function(const Node *node, FunctionKind kind)
{
    return node != NULL && node->kind == NODE_FUNCTION && node->function->kind == kind;
}

/* ---- Environments, and the columns that they are printed with -------------------------------- */

static const Environment environments[] = {
    { "array", NULL, NULL, COLUMNS_ARGUMENT },
    { "tabular", NULL, NULL, COLUMNS_ARGUMENT },
    { "matrix", NULL, NULL, COLUMNS_FIRST_ROW },
    { "pmatrix", "(", ")", COLUMNS_FIRST_ROW },
    { "bmatrix", "[", "]", COLUMNS_FIRST_ROW },
    { "Bmatrix", "\\{", "\\}", COLUMNS_FIRST_ROW },
    { "vmatrix", "|", "|", COLUMNS_FIRST_ROW },
    { "Vmatrix", "\\Vert", "\\Vert", COLUMNS_FIRST_ROW },
    { "cases", "\\{", ".", COLUMNS_TWO },
    { "picture", "\\{", ".", COLUMNS_TWO },
    { "aligned", NULL, NULL, COLUMNS_ALIGNED },
};

static const Environment *environment_find(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(environments); i++)
        if (strcmp(environments[i].name, name) == 0)
            return &environments[i];
    return NULL;
}

static void set_columns(const Environment *environment, TgCdmPool *pool, Node *array,
                        const Node *argument)
{
    const GPtrArray *rows = array->children, one = { (gpointer *) &argument, 1 };
    const gboolean is_aligned = environment->columns == COLUMNS_ALIGNED;
    g_autoptr(GString) columns = g_string_new(NULL);
    guint n_columns = 0;

    if (environment->columns == COLUMNS_ARGUMENT) { /* its letters l, c and r */
        const GPtrArray *items = argument->kind == NODE_GROUP ? argument->children : &one;

        for (guint i = 0; i < items->len; i++) {
            const Node *node = items->pdata[i];

            if (node->kind == NODE_LETTER && strlen(node->text) == 1 &&
                strchr("lcr", node->text[0]) != NULL)
                g_string_append_printf(columns, "%s ", node->text);
        }
    } else if (environment->columns == COLUMNS_TWO) {
        n_columns = 2;
    } else {
        n_columns = ((const Node *) rows->pdata[0])->children->len;
    }
    for (guint i = 0; is_aligned && i < rows->len; i++) {
        const GPtrArray *cells = ((const Node *) rows->pdata[i])->children;

        for (guint k = 1; k < cells->len; k += 2) /* begins with an empty group */
            g_ptr_array_insert(((Node *) cells->pdata[k])->children, 0,
                               node_new_group(pool, tg_cdm_pool_list(pool)));
        n_columns = MAX(n_columns, cells->len);
    }
    for (guint i = 0; i < n_columns; i++)
        g_string_append(columns, is_aligned && i % 2 == 0 ? "r " : "l ");
    array->text = tg_arena_text(&pool->arena, columns->str, columns->len);
}

/* ---- The parser ------------------------------------------------------------------------------ */

typedef struct {
    TgCdmPool *pool;
    GString *read; /* every token in the order of reading, a space after each */
    const char *line;
    const char *position; /* the end of the last token read */
    Token next;
    gboolean text_mode;
    gboolean failed; /* from then on the input is at its end */
    guint depth;
} Parser;

static GPtrArray *parse_expression(Parser *parser, gboolean before_infix, const char *stop);
static Node *parse_function(Parser *parser, Node *node);

/* ---- tokens ---- */

/* Where the next token stands. */
static TgCdmRange next_range(const Parser *parser)
{
    return (TgCdmRange){ (guint32) (parser->next.start - parser->line),
                         (guint32) (parser->next.end - parser->line) };
}

/* The next token as a symbol called @text. */
static Node *new_symbol(Parser *parser, const char *text)
{
    Node *node = node_new(parser->pool,
                          g_hash_table_contains(symbol_names, text) ? NODE_SYMBOL : NODE_LETTER);

    node->text = text;
    node->at = next_range(parser);
    return node;
}

static void parser_fail(Parser *parser)
{
    parser->failed = TRUE;
    parser->next.kind = TOKEN_END;
}

static void parser_look_ahead(Parser *parser)
{
    if (parser->failed)
        return;
    parser->next = lex_token(parser->position, parser->text_mode);
    if (parser->next.kind == TOKEN_BAD)
        parser_fail(parser);
}

static void parser_record(Parser *parser)
{
    g_string_append_len(parser->read, parser->next.start, parser->next.end - parser->next.start);
    g_string_append_c(parser->read, ' ');
}

static void parser_consume(Parser *parser)
{
    if (parser->failed)
        return;
    parser_record(parser);
    parser->position = parser->next.end;
    parser_look_ahead(parser);
    if (tg_deadline_spend(50))
        parser_fail(parser);
}

/* Whether the next token is one of @words, between which there is a space each. */
static gboolean parser_next_is(const Parser *parser, const char *words)
{
    return parser->next.kind == TOKEN_TEXT &&
           tg_is_one_of(parser->next.start, parser->next.end - parser->next.start, words);
}

static void parser_expect(Parser *parser, const char *text)
{
    if (parser_next_is(parser, text))
        parser_consume(parser);
    else
        parser_fail(parser);
}

static gboolean at_end_of_expression(const Parser *parser)
{
    return parser->next.kind == TOKEN_END || parser_next_is(parser, "} \\end \\right & \\\\ \\cr");
}

/* ---- groups and arguments ---- */

/* One token as a symbol, or as a function whose arguments have not been read; NULL at `{` and at
 * the end. */
static Node *parse_symbol(Parser *parser)
{
    const Token next = parser->next;
    Node *node;

    if (next.kind == TOKEN_END || parser_next_is(parser, "{"))
        return NULL;
    if (next.kind == TOKEN_SPACE) {
        node = node_new(parser->pool, NODE_SPACE);
        node->at = next_range(parser);
    } else {
        const char *name =
            tg_arena_text(&parser->pool->arena, next.start, (gsize) (next.end - next.start));
        const Function *function = function_find(name);
        node = function != NULL
                   ? node_new_function(parser->pool, function, name, next_range(parser))
                   : new_symbol(parser, name);
    }
    parser_consume(parser);
    return node;
}

static Node *parse_group(Parser *parser, gboolean brackets)
{
    const char *open = brackets ? "[" : "{", *close = brackets ? "]" : "}";

    if (!parser_next_is(parser, open))
        return brackets ? NULL : parse_symbol(parser);
    parser_consume(parser);
    GPtrArray *children = parse_expression(parser, FALSE, brackets ? close : NULL);
    parser_expect(parser, close);
    return node_new_group(parser->pool, children);
}

/* The inside of braces or brackets is one token of its own kind. */
static Node *parse_raw_group(Parser *parser, char type)
{
    const gboolean brackets = type == 'S';
    const GRegex *inside = tg_cdm_regex(type == 'c' ? color_of_group : size_of_group);
    g_autoptr(GMatchInfo) info = NULL;
    gint length = 0;

    if (!parser_next_is(parser, brackets ? "[" : "{")) {
        if (!brackets)
            parser_fail(parser);
        return NULL;
    }
    Node *node = node_new(parser->pool, NODE_SIZE);
    const char *start = parser->next.end + strspn(parser->next.end, spaces);
    parser_record(parser);
    if (g_regex_match_full(inside, start, (gssize) strcspn(start, "}]"), 0, G_REGEX_MATCH_ANCHORED,
                           &info, NULL)) {
        g_match_info_fetch_pos(info, 0, NULL, &length);
        parser->next = (Token){ TOKEN_TEXT, start, start + length };
        if (type != 'c') {
            g_autofree char *size = tidy_size(info);
            node->text = tg_arena_text(&parser->pool->arena, size, strlen(size));
        }
    } else {
        parser_fail(parser);
    }
    parser_consume(parser);
    parser_expect(parser, brackets ? "]" : "}");
    return node;
}

/* Text mode begins after the white space before the argument. */
static Node *parse_text_group(Parser *parser)
{
    const gboolean outer_mode = parser->text_mode;

    parser->position += strspn(parser->position, spaces);
    parser->text_mode = TRUE;
    parser_look_ahead(parser);
    Node *node = parse_group(parser, FALSE);
    parser->text_mode = outer_mode;
    parser_look_ahead(parser);
    return node;
}

/* A function may be an argument of one of lower rank. Otherwise the argument is whatever the one
 * before it was: a slip of the official parser. */
static void parse_arguments(Parser *parser, const Function *function, Node **arguments)
{
    Node *kept = NULL;

    for (guint i = 0; function->arguments[i] != '\0'; i++) {
        const char type = function->arguments[i];
        const gboolean optional = type == '[' || type == 'S';
        Node *node = type == '{' || type == '[' ? parse_group(parser, optional)
                     : type == 't'              ? parse_text_group(parser)
                                                : parse_raw_group(parser, type);

        if (node == NULL) {
            if (!optional)
                parser_fail(parser);
            continue;
        }
        if (node->kind != NODE_FUNCTION || node->function->rank > function->rank)
            kept = parse_function(parser, node);
        arguments[i] = kept;
    }
}

/* ---- functions ---- */

/* Read the arguments of @node where it is a function. Returns @node. */
static Node *parse_function(Parser *parser, Node *node)
{
    if (node == NULL || node->kind != NODE_FUNCTION)
        return node;

    parse_arguments(parser, node->function, node->arguments);
    const Node *argument = node->arguments[0];
    switch (node->function->kind) {
    case DELIMITER:
    case LEFT:
    case RIGHT:
        if (argument == NULL || argument->text == NULL ||
            (argument->kind != NODE_SYMBOL && argument->kind != NODE_LETTER) ||
            !tg_is_one_of(argument->text, -1, delimiters))
            parser_fail(parser);
        break;
    case TEXT:
    case PHANTOM:
    case BEGIN:
    case END:
        if (argument == NULL)
            parser_fail(parser);
        break;
    default:
        break;
    }
    return node;
}

static Node *parse_left_right(Parser *parser, Node *left)
{
    const Node *open = parse_function(parser, left);
    GPtrArray *children = parse_expression(parser, FALSE, NULL);
    Node *node = node_new(parser->pool, NODE_LEFT_RIGHT);

    node->children = children;
    if (!parser_next_is(parser, "\\right"))
        parser_fail(parser);
    const Node *close = parse_function(parser, parse_symbol(parser));
    if (parser->failed)
        return node;
    node->at = (TgCdmRange){ open->at.start, open->arguments[0]->at.end };
    node->right_at = (TgCdmRange){ close->at.start, close->arguments[0]->at.end };
    node->text = open->arguments[0]->text;
    node->right = close->arguments[0]->text;
    return node;
}

/* ---- environments ---- */

static GPtrArray *parse_rows(Parser *parser)
{
    TgCdmPool *pool = parser->pool;
    GPtrArray *rows = tg_cdm_pool_list(pool), *row = tg_cdm_pool_list(pool);

    g_ptr_array_add(rows, node_new_group(pool, row));
    for (;;) {
        g_ptr_array_add(row, node_new_group(pool, parse_expression(parser, FALSE, NULL)));
        if (parser_next_is(parser, "&")) {
            parser_consume(parser);
        } else if (parser_next_is(parser, "\\\\ \\cr")) {
            parse_function(parser, parse_symbol(parser));
            row = tg_cdm_pool_list(pool);
            g_ptr_array_add(rows, node_new_group(pool, row));
        } else {
            return rows;
        }
    }
}

static Node *parse_array(Parser *parser, const Environment *environment)
{
    const gboolean has_argument = environment->columns == COLUMNS_ARGUMENT;
    /* The environment has no rank, so no function can be its argument. */
    const Node *preamble = has_argument ? parse_group(parser, FALSE) : NULL;
    Node *array = node_new(parser->pool, NODE_ARRAY);

    array->children = parse_rows(parser);
    if (has_argument && (preamble == NULL || preamble->kind == NODE_FUNCTION))
        parser_fail(parser);
    else
        set_columns(environment, parser->pool, array, preamble);
    if (environment->left == NULL)
        return array;

    Node *fence = node_new(parser->pool, NODE_LEFT_RIGHT);
    fence->text = environment->left;
    fence->right = environment->right;
    fence->children = tg_cdm_pool_list(parser->pool);
    g_ptr_array_add(fence->children, array);
    return fence;
}

/* The name in `\begin{name}`: the texts of all its tokens. In the record of tokens it is one. */
static char *parse_environment_name(Parser *parser, Node *mark)
{
    const gsize before = parser->read->len;
    const Node *group = parse_function(parser, mark)->arguments[0];
    g_autoptr(GString) name = g_string_new(NULL);

    if (parser->failed)
        return g_strdup("");
    if (group->kind != NODE_GROUP)
        return g_strdup(group->text != NULL ? group->text : "");
    for (guint i = 0; i < group->children->len; i++) {
        const Node *node = group->children->pdata[i];
        g_string_append(name, node->text != NULL ? node->text : " ");
    }
    g_string_truncate(parser->read, before);
    g_string_append_printf(parser->read, "{%s} ", name->str);
    return g_strdup(name->str);
}

static Node *parse_environment(Parser *parser, Node *begin)
{
    g_autofree char *name = parse_environment_name(parser, begin);
    const Environment *environment = environment_find(name);

    if (environment == NULL) {
        parser_fail(parser);
        return NULL;
    }
    const TgCdmRange at = { begin->at.start, (guint32) (parser->position - parser->line) };
    Node *node = parse_array(parser, environment);
    if (!parser_next_is(parser, "\\end")) {
        parser_fail(parser);
        return NULL;
    }
    Node *end = parse_symbol(parser);
    g_autofree char *end_name = parse_environment_name(parser, end);
    if (strcmp(name, end_name) != 0)
        parser_fail(parser);
    node->at = at;
    node->right_at = (TgCdmRange){ end->at.start, (guint32) (parser->position - parser->line) };
    return node;
}

/* Parse the base of a script. */
static Node *parse_base(Parser *parser)
{
    Node *node = parse_group(parser, FALSE), *array;

    if (node == NULL || node->kind != NODE_FUNCTION)
        return node;
    switch (node->function->kind) {
    case LEFT:
        return parse_left_right(parser, node);
    case BEGIN:
        return parse_environment(parser, node);
    case PLAIN_ARRAY: /* `\matrix{...}`: the old plain TeX form of the environment */
        parser_expect(parser, "{");
        array = parse_array(parser, environment_find(node->text + 1));
        array->at = node->at;
        array->right_at = next_range(parser);
        parser_expect(parser, "}");
        return array;
    case SWITCH:
    case ROMAN_SWITCH:
    case STYLE:
        node->arguments[0] = node_new_group(
            parser->pool, parse_expression(parser, node->function->kind == STYLE, NULL));
        return node;
    default:
        return parse_function(parser, node);
    }
}

static Node *parse_script(Parser *parser)
{
    parser_consume(parser);
    Node *node = parse_group(parser, FALSE);
    if (node != NULL && node->kind == NODE_FUNCTION && node->function->rank <= 1)
        parser_fail(parser);
    return parse_function(parser, node);
}

/* A base with its scripts, the last of each kind winning; NULL for nothing. */
static Node *parse_atom(Parser *parser)
{
    Node *base = parse_base(parser), *sub = NULL, *sup = NULL;

    if (parser->text_mode)
        return base;
    for (;;) {
        if (parser_next_is(parser, "\\limits \\nolimits")) {
            if (!node_is_function(base, OPERATOR) && !node_is_function(base, LIMITS_OPERATOR) &&
                !node_is_function(base, OPERATOR_SYMBOL))
                parser_fail(parser);
            else
                base->limits = parser_next_is(parser, "\\limits");
            parser_consume(parser);
        } else if (parser_next_is(parser, "^")) {
            sup = parse_script(parser);
        } else if (parser_next_is(parser, "_")) {
            sub = parse_script(parser);
        } else if (parser_next_is(parser, "'")) {
            GPtrArray *primes = tg_cdm_pool_list(parser->pool);
            for (; parser_next_is(parser, "'"); parser_consume(parser))
                g_ptr_array_add(primes, new_symbol(parser, "\\prime"));
            sup = node_new_group(parser->pool, primes);
        } else {
            break;
        }
    }
    if (sub == NULL && sup == NULL)
        return base;

    Node *scripts = node_new(parser->pool, NODE_SCRIPTS);
    scripts->arguments[0] = base;
    scripts->arguments[1] = sub;
    scripts->arguments[2] = sup;
    return scripts;
}

/* One side of an infix function as a group, unless it is one already. */
static Node *infix_side(Parser *parser, const GPtrArray *body, guint from, guint to)
{
    if (to - from == 1 && ((Node *) body->pdata[from])->kind == NODE_GROUP)
        return body->pdata[from];

    GPtrArray *children = tg_cdm_pool_list(parser->pool);
    for (guint i = from; i < to; i++)
        g_ptr_array_add(children, body->pdata[i]);
    return node_new_group(parser->pool, children);
}

/* An infix function takes everything to its left and right for its arguments. */
static void split_at_infix(Parser *parser, GPtrArray *body)
{
    guint at = body->len;

    for (guint i = 0; i < body->len; i++)
        if (node_is_function(body->pdata[i], INFIX)) {
            if (at < body->len)
                parser_fail(parser);
            at = i;
        }
    if (at == body->len)
        return;

    const Node *infix = body->pdata[at];
    const char *name = infix->function->printed;
    Node *fraction = node_new_function(parser->pool, function_find(name), name, infix->at);
    fraction->arguments[0] = infix_side(parser, body, 0, at);
    fraction->arguments[1] = infix_side(parser, body, at + 1, body->len);
    g_ptr_array_set_size(body, 0);
    g_ptr_array_add(body, fraction);
}

/* Atoms up to the end of the group or the token @stop; NULL: no such token. @before_infix: stop
 * before an infix function, which then belongs to the expression around. */
static GPtrArray *parse_expression(Parser *parser, gboolean before_infix, const char *stop)
{
    GPtrArray *body = tg_cdm_pool_list(parser->pool);

    if (++parser->depth > MAX_DEPTH)
        parser_fail(parser);
    while (!at_end_of_expression(parser) && !(stop != NULL && parser_next_is(parser, stop))) {
        const char *position = parser->position;
        const Token next = parser->next;
        Node *atom = parse_atom(parser);

        if (atom == NULL || parser->failed)
            break;
        if (before_infix && node_is_function(atom, INFIX)) {
            parser->position = position;
            parser->next = next;
            break;
        }
        g_ptr_array_add(body, atom);
    }
    parser->depth--;
    split_at_infix(parser, body);
    return body;
}

/* ---- The printer: tokens with a space after each --------------------------------------------- */

/* The state of printing. Nobody reads what is printed after a failure. */
typedef struct {
    TgCdmText *out;
    const TgCdmText *line; /* that was parsed */
    gboolean *failed;
    gboolean roman;    /* inside `\mathrm`, where letters and unknown names are spelled out */
    TgCdmRange origin; /* of what is printed now */
} Printer;

static void print_node(Printer printer, const Node *node);

static TgCdmRange origin_of(Printer printer, TgCdmRange at)
{
    return tg_cdm_text_origin(printer.line, at.start, at.end);
}

static void print_list(Printer printer, const GPtrArray *nodes)
{
    for (guint i = 0; i < nodes->len; i++)
        print_node(printer, nodes->pdata[i]);
}

static void print_text(Printer printer, const char *text)
{
    tg_cdm_text_append(printer.out, text, printer.origin);
}

static void print_token(Printer printer, const char *token)
{
    print_text(printer, token);
    print_text(printer, " ");
}

static void print_letters(Printer printer, const char *text)
{
    for (const char *p = text, *end; *p != '\0'; p = end) {
        char letter[8] = "";

        end = g_utf8_next_char(p);
        memcpy(letter, p, (gsize) (end - p));
        print_token(printer, letter);
    }
}

/* A group as it is, anything else in braces of its own. */
static void print_braced(Printer printer, const Node *node)
{
    if (node != NULL && node->kind == NODE_GROUP) {
        print_node(printer, node);
        return;
    }
    print_token(printer, "{");
    print_node(printer, node);
    print_token(printer, "}");
}

static void print_function(Printer printer, const Node *node)
{
    const FunctionKind kind = node->function->kind;
    const char *name = node->function->printed != NULL ? node->function->printed : node->text;
    Node *const *arguments = node->arguments;

    switch (kind) {
    case FONT:
        printer.roman = strcmp(name, "\\mathrm") == 0;
        /* fall through */
    case FRACTION:
    case OPERATOR_SYMBOL:
        print_token(printer, name);
        for (gsize i = 0; i < strlen(node->function->arguments); i++)
            print_node(printer, arguments[i]);
        break;
    case ROOT:
        print_token(printer, name);
        if (arguments[0] != NULL) {
            print_token(printer, "[");
            print_list(printer, arguments[0]->children);
            print_token(printer, "]");
        }
        print_node(printer, arguments[1]);
        break;
    case ACCENT:
    case TEXT:
    case PHANTOM:
        print_token(printer, name);
        print_braced(printer, arguments[0]);
        break;
    case LINE:
        print_token(printer, name);
        print_token(printer, "{");
        print_node(printer, arguments[0]);
        print_token(printer, "}");
        break;
    case RULE:
        *printer.failed |= arguments[1] == NULL || arguments[2] == NULL;
        if (*printer.failed)
            break;
        print_token(printer, name);
        for (guint i = 1; i <= 2; i++) {
            print_token(printer, "{");
            print_token(printer, arguments[i]->text);
            print_token(printer, "}");
        }
        break;
    case SWITCH:
    case STYLE:
        print_token(printer, name);
        print_list(printer, arguments[0]->children);
        break;
    case ROMAN_SWITCH:
        printer.roman = TRUE;
        print_token(printer, "\\mathrm");
        print_node(printer, arguments[0]);
        break;
    case OPERATOR:
    case LIMITS_OPERATOR:
        print_token(printer, node->limits ? "\\operatorname*" : "\\operatorname");
        print_token(printer, "{");
        print_letters(printer, node->text + 1);
        print_token(printer, "}");
        break;
    case DELIMITER:
        print_token(printer, name);
        printer.origin = origin_of(printer, arguments[0]->at);
        print_token(printer, arguments[0]->text);
        break;
    default: /* a color, or an infix function with a script */
        *printer.failed = TRUE;
    }
}

/* Print an array without its empty rows, and empty cells as nothing. The test for an empty cell
 * looks at the text, so a cell that ends in `\{` loses its end, too. */
static void print_array(Printer printer, const Node *node)
{
    print_text(printer, "\\begin{array} { ");
    print_text(printer, node->text);
    print_text(printer, "} ");
    for (guint i = 0; i < node->children->len; i++) {
        const GPtrArray *cells = ((const Node *) node->children->pdata[i])->children;
        guint n_items = 0;

        for (guint k = 0; k < cells->len; k++)
            n_items += ((const Node *) cells->pdata[k])->children->len;
        for (guint k = 0; n_items > 0 && k < cells->len; k++) {
            if (k > 0)
                print_token(printer, "&");
            print_node(printer, cells->pdata[k]);
            const GString *printed = printer.out->string;
            if (g_str_has_suffix(printed->str, "{ } "))
                tg_cdm_text_splice(printer.out, printed->len - strlen("{ } "), printed->len, "");
        }
        if (n_items > 0)
            print_token(printer, "\\\\");
    }
    print_token(printer, "\\end{array}");
}

static void print_node(Printer printer, const Node *node)
{
    *printer.failed |= node == NULL || tg_deadline_spend(50);
    if (*printer.failed)
        return;
    if (node->at.end > node->at.start)
        printer.origin = origin_of(printer, node->at);
    switch (node->kind) {
    case NODE_LETTER:
        if (printer.roman) {
            print_letters(printer, node->text);
            break;
        }
        /* fall through */
    case NODE_SYMBOL:
        print_token(printer, node->text);
        break;
    case NODE_SPACE:
        print_token(printer, "~");
        break;
    case NODE_GROUP:
        print_token(printer, "{");
        print_list(printer, node->children);
        print_token(printer, "}");
        break;
    case NODE_SCRIPTS:
        print_node(printer, node->arguments[0]);
        for (guint i = 1; i <= 2; i++)
            if (node->arguments[i] != NULL) {
                print_token(printer, i == 1 ? "_" : "^");
                print_braced(printer, node->arguments[i]);
            }
        break;
    case NODE_FUNCTION:
        print_function(printer, node);
        break;
    case NODE_LEFT_RIGHT:
        print_text(printer, "\\left");
        print_token(printer, node->text);
        print_list(printer, node->children);
        printer.origin = origin_of(printer, node->right_at);
        print_text(printer, "\\right");
        print_token(printer, node->right);
        break;
    case NODE_ARRAY:
        print_array(printer, node);
        break;
    case NODE_SIZE:
        *printer.failed = TRUE;
        break;
    }
}

/* ---- The text before and after it is parsed -------------------------------------------------- */

/* The official program replaces in a loop of this many rounds, one occurrence a round. */
enum { ROUNDS = 300 };

void tg_cdm_rename_environments(TgCdmText *text)
{
    if (strstr(text->string->str, "\\begin{") == NULL)
        return;
    tg_cdm_text_replace_around(text, tg_cdm_regex(aligned), 2, "\\begin{aligned}",
                               "\\end{aligned}");
    tg_cdm_text_replace_around(text, tg_cdm_regex(matrix), 2, "\\begin{matrix}", "\\end{matrix}");
}

void tg_cdm_delete_comment(TgCdmText *line)
{
    if (line->string->str[0] == '%')
        tg_cdm_text_splice(line, 0, 1, "");
    tg_cdm_text_keep(line, 0, strcspn(line->string->str, "%"));
}

static void delete_tabs_and_labels(TgCdmText *line, gboolean dollars_too)
{
    tg_cdm_text_replace(line, "\\~", " ", 0);
    for (guint i = 0; i < ROUNDS && !tg_deadline_spend(line->string->len / 8); i++) {
        const gboolean tab = tg_cdm_text_replace(line, "\\>", " ", 1);
        const gboolean dollar = dollars_too && tg_cdm_text_replace(line, "$", " ", 1);
        const gboolean label = tg_cdm_text_delete_first(line, "\\label{", "}");

        if (!tab && !dollar && !label)
            break;
    }
}

/* Line breaks outside of any array become thin spaces. */
void tg_cdm_replace_line_breaks(TgCdmText *line, guint rounds)
{
    static const char *const arrays[] = { "matrix", "cases", "array", "begin" };

    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        if (strstr(line->string->str, arrays[i]) != NULL)
            return;
    tg_cdm_text_replace(line, "\\\\", "\\,", rounds);
}

gboolean tg_cdm_is_operator(const char *name)
{
    g_autofree char *command = g_strconcat("\\", name, NULL);

    pthread_once(&tables_once, make_tables);
    const Function *function = function_find(command);
    return strcmp(name, "injlim") == 0 || strcmp(name, "projlim") == 0 ||
           (function != NULL && (function->kind == OPERATOR || function->kind == LIMITS_OPERATOR));
}

/* `\operatorname { s i n }` becomes `\sin`. The official list of names begins with arccos and ends
 * with tanh, but its pattern misses its first and its last entry. */
static void respell_operators(TgCdmText *text)
{
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);
    g_autoptr(GMatchInfo) info = NULL;
    gint start, end, from, to, done = 0;

    for (g_regex_match(tg_cdm_regex("\\\\operatorname \\{([ a-zP]*)\\}"), text->string->str, 0,
                       &info);
         g_match_info_matches(info); g_match_info_next(info, NULL)) {
        g_match_info_fetch_pos(info, 0, &start, &end);
        g_match_info_fetch_pos(info, 1, &from, &to);
        g_autoptr(GString) name = g_string_new_len(text->string->str + from, to - from);

        g_string_replace(name, " ", "", 0);
        if (!tg_cdm_is_operator(name->str) || tg_is_one_of(name->str, -1, "arccos tanh"))
            continue;
        tg_cdm_text_copy(out, text, (gsize) done, (gsize) start + 1);
        tg_cdm_text_put(out, name->str, text, (gsize) from, (gsize) to);
        done = end;
    }
    tg_cdm_text_copy(out, text, (gsize) done, text->string->len);
    tg_cdm_text_swap(text, out);
}

/* Turn the line into what the parser reads. */
static void prepare_formula(TgCdmText *line)
{
    tg_cdm_rename_environments(line);
    /* lines end at a carriage return, and the last one wins */
    if (g_str_has_suffix(line->string->str, "\r"))
        tg_cdm_text_keep(line, 0, line->string->len - 1);
    const char *last = strrchr(line->string->str, '\r');
    if (last != NULL)
        tg_cdm_text_keep(line, (gsize) (last + 1 - line->string->str), line->string->len);
    tg_cdm_delete_comment(line);
    delete_tabs_and_labels(line, TRUE);
    tg_cdm_replace_line_breaks(line, ROUNDS);
    tg_cdm_text_splice(line, line->string->len, line->string->len, " ");
    gboolean any = TRUE;

    for (guint i = 0; any && i < ROUNDS && !tg_deadline_spend(line->string->len / 8); i++) {
        any = tg_cdm_text_replace(line, "{\\rm", "\\mathrm{", 1);
        any |= tg_cdm_text_replace(line, "{ \\rm", "\\mathrm{", 1);
        any |= tg_cdm_text_replace(line, "\\rm{", "\\mathrm{", 1);
    }
}

/* Prepare the text of a table; `hskip3pt` becomes `hspace{3pt}`. */
void tg_cdm_prepare_table(TgCdmText *line)
{
    tg_cdm_text_keep(line, 0, strcspn(line->string->str, "%"));
    if (strstr(line->string->str, "\\end{tabular}") == NULL)
        tg_cdm_text_splice(line, line->string->len, line->string->len, "\\end{tabular}");
    g_strdelimit(line->string->str, "\r\n", ' ');
    tg_cdm_text_replace_around(line, tg_cdm_regex(hskip), 1, "hspace{", "}");
    delete_tabs_and_labels(line, FALSE);
    tg_cdm_replace_line_breaks(line, ROUNDS);
    tg_cdm_text_splice(line, line->string->len, line->string->len, " ");
}

gboolean tg_cdm_read_by_katex(TgCdmText *text, gboolean is_table)
{
    g_autoptr(TgCdmText) line = tg_cdm_text_new_like(text), tokens = tg_cdm_text_new_like(text);
    g_auto(TgCdmPool) pool = { 0 };
    g_autoptr(GString) read = g_string_new(NULL);
    gboolean failed = FALSE;

    tg_cdm_text_copy(line, text, 0, text->string->len);
    (is_table ? tg_cdm_prepare_table : prepare_formula)(line);
    Parser parser = {
        .pool = &pool, .read = read, .line = line->string->str, .position = line->string->str
    };

    pthread_once(&tables_once, make_tables);
    parser_look_ahead(&parser);
    const GPtrArray *formula = parse_expression(&parser, FALSE, NULL);
    if (parser.failed || parser.next.kind != TOKEN_END)
        return FALSE;
    if (is_table) {
        tg_cdm_text_append(tokens, read->str, tg_cdm_no_origin);
    } else {
        print_list((Printer){ .out = tokens, .line = line, .failed = &failed }, formula);
        /* six S stand for a dollar sign there */
        tg_cdm_text_replace(tokens, " S S S S S S", "$", ROUNDS);
    }
    tg_cdm_text_delete_first(tokens, "\\label { ", " }");
    tg_cdm_text_squeeze(tokens);
    if (failed || tokens->string->len == 0)
        return FALSE;
    if (!is_table) {
        respell_operators(tokens);
        tg_cdm_text_replace(tokens, "\\\\ \\end{array}", "\\end{array}", 0);
    }
    tg_cdm_text_swap(text, tokens);
    return TRUE;
}
