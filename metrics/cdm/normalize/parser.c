/* A model of the parser behind the official normaliser; its oddities are on purpose. */
#include "metrics/cdm/normalize/parser.h"

#include <string.h>

#include "core/deadline.h"
#include "metrics/cdm/normalize/environment.h"
#include "metrics/cdm/normalize/lexer.h"

typedef struct {
    TgCdmSyntax *syntax;
    const char *line;
    const char *position; /* the end of the last token read */
    TgCdmToken next;
    gboolean text_mode;
    gboolean failed; /* from then on the input is at its end */
    guint depth;
} Parser;

/* What is found in an argument's place: a node, or a function whose own arguments have not been
 * read; neither at the end of the input. */
typedef struct {
    TgCdmNode *node;
    const TgCdmFunction *function;
    const char *name; /* of the function */
    TgCdmRange at;    /* of a symbol or of the function's name */
} Operand;

static GPtrArray *parse_expression(Parser *parser, gboolean before_infix, const char *stop);
static TgCdmNode *parse_function(Parser *parser, Operand operand);

/* ---- tokens ---- */

/* Where the next token stands. */
static TgCdmRange next_range(const Parser *parser)
{
    return (TgCdmRange){ (guint32) (parser->next.start - parser->line),
                         (guint32) (parser->next.end - parser->line) };
}

/* The next token as a symbol called @text. */
static TgCdmNode *new_symbol(Parser *parser, char *text)
{
    TgCdmNode *node = tg_cdm_node_new(
        parser->syntax, tg_cdm_symbol_is_known(text) ? TG_CDM_NODE_SYMBOL : TG_CDM_NODE_LETTER);

    node->text = text;
    node->at = next_range(parser);
    return node;
}

static void parser_fail(Parser *parser)
{
    parser->failed = TRUE;
    parser->next.kind = TG_CDM_TOKEN_END;
}

static void parser_look_ahead(Parser *parser)
{
    if (parser->failed)
        return;
    parser->next = tg_cdm_lex(parser->position, parser->text_mode);
    if (parser->next.kind == TG_CDM_TOKEN_BAD)
        parser_fail(parser);
}

static void parser_record(Parser *parser)
{
    GString *read = parser->syntax->tokens_read;

    g_string_append_len(read, parser->next.start, parser->next.end - parser->next.start);
    g_string_append_c(read, ' ');
}

static void parser_consume(Parser *parser)
{
    if (parser->failed)
        return;
    parser_record(parser);
    parser->position = parser->next.end;
    parser_look_ahead(parser);
    if (tg_too_long(50))
        parser_fail(parser);
}

static gboolean parser_next_is(const Parser *parser, const char *text)
{
    const TgCdmToken next = parser->next;

    return next.kind == TG_CDM_TOKEN_TEXT && strlen(text) == (gsize) (next.end - next.start) &&
           memcmp(next.start, text, strlen(text)) == 0;
}

static void parser_expect(Parser *parser, const char *text)
{
    if (parser_next_is(parser, text))
        parser_consume(parser);
    else
        parser_fail(parser);
}

static void parser_switch_mode(Parser *parser, gboolean text_mode)
{
    parser->text_mode = text_mode;
    parser_look_ahead(parser);
}

static gboolean at_end_of_expression(const Parser *parser)
{
    static const char *const ends[] = { "}", "\\end", "\\right", "&", "\\\\", "\\cr" };

    if (parser->next.kind == TG_CDM_TOKEN_END)
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++)
        if (parser_next_is(parser, ends[i]))
            return TRUE;
    return FALSE;
}

/* ---- groups and arguments ---- */

/* One token as a symbol or function; nothing at `{` and at the end. */
static Operand parse_symbol(Parser *parser)
{
    Operand operand = { NULL };

    if (parser->next.kind == TG_CDM_TOKEN_END || parser_next_is(parser, "{"))
        return operand;
    operand.at = next_range(parser);
    if (parser->next.kind == TG_CDM_TOKEN_SPACE) {
        operand.node = tg_cdm_node_new(parser->syntax, TG_CDM_NODE_SPACE);
        operand.node->at = operand.at;
    } else {
        char *text = g_strndup(parser->next.start, (gsize) (parser->next.end - parser->next.start));

        TgCdmNode *symbol = new_symbol(parser, text); /* keeps a function's name, too */

        operand.function = tg_cdm_function_find(text);
        operand.name = text;
        operand.node = operand.function == NULL ? symbol : NULL;
    }
    parser_consume(parser);
    return operand;
}

/* `{...}`, or where brackets are asked for `[...]`; else a symbol or, in their absence, nothing. */
static Operand parse_group(Parser *parser, gboolean brackets)
{
    const char *open = brackets ? "[" : "{", *close = brackets ? "]" : "}";

    if (!parser_next_is(parser, open))
        return brackets ? (Operand){ NULL } : parse_symbol(parser);
    parser_consume(parser);
    GPtrArray *children = parse_expression(parser, FALSE, brackets ? close : NULL);
    parser_expect(parser, close);
    return (Operand){ .node = tg_cdm_node_new_group(parser->syntax, children) };
}

/* The inside of braces or brackets is one token of its own kind. */
static Operand parse_raw_group(Parser *parser, TgCdmArgumentType type, gboolean brackets)
{
    const char *open = brackets ? "[" : "{", *close = brackets ? "]" : "}";

    if (!parser_next_is(parser, open)) {
        if (!brackets)
            parser_fail(parser);
        return (Operand){ NULL };
    }
    TgCdmNode *node = tg_cdm_node_new(parser->syntax, TG_CDM_NODE_SIZE);
    parser_record(parser);
    parser->next = type == TG_CDM_ARGUMENT_SIZE ? tg_cdm_lex_size(parser->next.end, &node->text)
                                                : tg_cdm_lex_color(parser->next.end);
    if (parser->next.kind == TG_CDM_TOKEN_BAD)
        parser_fail(parser);
    parser_consume(parser);
    parser_expect(parser, close);
    return (Operand){ .node = node };
}

/* Text mode begins behind the white space before the argument. */
static Operand parse_text_group(Parser *parser)
{
    const gboolean outer_mode = parser->text_mode;

    parser->position += strspn(parser->position, " \t\n\r");
    parser_switch_mode(parser, TRUE);
    const Operand operand = parse_group(parser, FALSE);
    parser_switch_mode(parser, outer_mode);
    return operand;
}

static Operand parse_argument(Parser *parser, TgCdmArgumentType type, gboolean optional)
{
    switch (type) {
    case TG_CDM_ARGUMENT_SIZE:
    case TG_CDM_ARGUMENT_COLOR:
        return parse_raw_group(parser, type, optional);
    case TG_CDM_ARGUMENT_TEXT:
        return parse_text_group(parser);
    default:
        return parse_group(parser, optional);
    }
}

/* A function may be an argument of one of lower rank. Otherwise the argument is whatever the one
 * before it was: a slip of the official parser. */
static void parse_arguments(Parser *parser, const TgCdmFunction *function, TgCdmNode **arguments)
{
    TgCdmNode *node = NULL;

    for (guint i = 0; i < function->n_optional + function->n_arguments; i++) {
        const gboolean optional = i < function->n_optional;
        const Operand operand = parse_argument(parser, function->types[i], optional);

        if (operand.node == NULL && operand.function == NULL) {
            if (!optional)
                parser_fail(parser);
            continue;
        }
        if (operand.function == NULL)
            node = operand.node;
        else if (operand.function->rank > function->rank)
            node = parse_function(parser, operand);
        arguments[i] = node;
    }
}

/* ---- functions ---- */

static void check_delimiter(Parser *parser, const TgCdmNode *delimiter)
{
    if (delimiter == NULL || delimiter->text == NULL ||
        (delimiter->kind != TG_CDM_NODE_SYMBOL && delimiter->kind != TG_CDM_NODE_LETTER) ||
        !tg_cdm_delimiter_is_known(delimiter->text))
        parser_fail(parser);
}

/* @operand with its arguments; NULL for nothing. */
static TgCdmNode *parse_function(Parser *parser, Operand operand)
{
    if (operand.function == NULL)
        return operand.node;

    TgCdmNode *node =
        tg_cdm_node_new_function(parser->syntax, operand.function, operand.name, operand.at);
    parse_arguments(parser, operand.function, node->arguments);
    switch (operand.function->kind) {
    case TG_CDM_DELIMITER:
    case TG_CDM_LEFT:
    case TG_CDM_RIGHT:
        check_delimiter(parser, node->arguments[0]);
        break;
    case TG_CDM_TEXT:
    case TG_CDM_PHANTOM:
    case TG_CDM_BEGIN:
    case TG_CDM_END:
        if (node->arguments[0] == NULL)
            parser_fail(parser);
        break;
    default:
        break;
    }
    return node;
}

static TgCdmNode *parse_left_right(Parser *parser, Operand left)
{
    const TgCdmNode *open = parse_function(parser, left);
    GPtrArray *children = parse_expression(parser, FALSE, NULL);
    TgCdmNode *node = tg_cdm_node_new(parser->syntax, TG_CDM_NODE_LEFT_RIGHT);

    node->children = children;
    if (!parser_next_is(parser, "\\right"))
        parser_fail(parser);
    const Operand right = parse_symbol(parser);
    const TgCdmNode *close = parse_function(parser, right);
    if (parser->failed)
        return node;
    node->at = (TgCdmRange){ left.at.start, open->arguments[0]->at.end };
    node->right_at = (TgCdmRange){ right.at.start, close->arguments[0]->at.end };
    node->text = g_strdup(open->arguments[0]->text);
    node->right = g_strdup(close->arguments[0]->text);
    return node;
}

/* ---- environments ---- */

/* Rows up to `\end` or `}`, each a group of cells, each cell a group. */
static GPtrArray *parse_rows(Parser *parser)
{
    GPtrArray *rows = g_ptr_array_new(), *row = g_ptr_array_new();

    g_ptr_array_add(rows, tg_cdm_node_new_group(parser->syntax, row));
    for (;;) {
        g_ptr_array_add(
            row, tg_cdm_node_new_group(parser->syntax, parse_expression(parser, FALSE, NULL)));
        if (parser_next_is(parser, "&")) {
            parser_consume(parser);
        } else if (parser_next_is(parser, "\\\\") || parser_next_is(parser, "\\cr")) {
            parse_function(parser, parse_symbol(parser));
            row = g_ptr_array_new();
            g_ptr_array_add(rows, tg_cdm_node_new_group(parser->syntax, row));
        } else {
            return rows;
        }
    }
}

static TgCdmNode *parse_array(Parser *parser, const TgCdmEnvironment *environment)
{
    const gboolean has_argument = environment->columns == TG_CDM_COLUMNS_ARGUMENT;
    /* The environment has no rank, so no function can be its argument. */
    const Operand preamble = has_argument ? parse_group(parser, FALSE) : (Operand){ NULL };
    TgCdmNode *array = tg_cdm_node_new(parser->syntax, TG_CDM_NODE_ARRAY);

    array->children = parse_rows(parser);
    if (has_argument && preamble.node == NULL)
        parser_fail(parser);
    else
        tg_cdm_environment_set_columns(environment, parser->syntax, array, preamble.node);
    if (environment->left == NULL)
        return array;

    TgCdmNode *fence = tg_cdm_node_new(parser->syntax, TG_CDM_NODE_LEFT_RIGHT);
    fence->text = g_strdup(environment->left);
    fence->right = g_strdup(environment->right);
    fence->children = g_ptr_array_new();
    g_ptr_array_add(fence->children, array);
    return fence;
}

/* The name in `\begin{name}`: the texts of all its tokens. In the record of tokens it is one. */
static char *parse_environment_name(Parser *parser, Operand operand)
{
    const gsize before = parser->syntax->tokens_read->len;
    const TgCdmNode *group = parse_function(parser, operand)->arguments[0];
    g_autoptr(GString) name = g_string_new(NULL);

    if (parser->failed)
        return g_strdup("");
    if (group->kind != TG_CDM_NODE_GROUP)
        return g_strdup(group->text != NULL ? group->text : "");
    for (guint i = 0; i < group->children->len; i++) {
        const TgCdmNode *node = group->children->pdata[i];
        g_string_append(name, node->text != NULL ? node->text : " ");
    }
    g_string_truncate(parser->syntax->tokens_read, before);
    g_string_append_printf(parser->syntax->tokens_read, "{%s} ", name->str);
    return g_strdup(name->str);
}

static TgCdmNode *parse_environment(Parser *parser, Operand begin)
{
    g_autofree char *name = parse_environment_name(parser, begin);
    const TgCdmEnvironment *environment = tg_cdm_environment_find(name);

    if (environment == NULL) {
        parser_fail(parser);
        return NULL;
    }
    const TgCdmRange at = { begin.at.start, (guint32) (parser->position - parser->line) };
    TgCdmNode *node = parse_array(parser, environment);
    if (!parser_next_is(parser, "\\end")) {
        parser_fail(parser);
        return NULL;
    }
    const Operand end = parse_symbol(parser);
    g_autofree char *end_name = parse_environment_name(parser, end);
    if (strcmp(name, end_name) != 0)
        parser_fail(parser);
    node->at = at;
    node->right_at = (TgCdmRange){ end.at.start, (guint32) (parser->position - parser->line) };
    return node;
}

/* `\matrix{...}`: the old plain TeX form of the environment. */
static TgCdmNode *parse_plain_array(Parser *parser, Operand operand)
{
    parser_expect(parser, "{");
    TgCdmNode *node = parse_array(parser, tg_cdm_environment_find(operand.name + 1));
    node->at = operand.at;
    node->right_at = next_range(parser);
    parser_expect(parser, "}");
    return node;
}

/* ---- expressions ---- */

static TgCdmNode *parse_switch(Parser *parser, Operand operand, gboolean before_infix)
{
    TgCdmNode *node =
        tg_cdm_node_new_function(parser->syntax, operand.function, operand.name, operand.at);

    node->children = parse_expression(parser, before_infix, NULL);
    return node;
}

/* What a script may stand behind. */
static TgCdmNode *parse_base(Parser *parser)
{
    const Operand operand = parse_group(parser, FALSE);

    if (operand.function == NULL)
        return operand.node;
    switch (operand.function->kind) {
    case TG_CDM_LEFT:
        return parse_left_right(parser, operand);
    case TG_CDM_BEGIN:
        return parse_environment(parser, operand);
    case TG_CDM_PLAIN_ARRAY:
        return parse_plain_array(parser, operand);
    case TG_CDM_SWITCH:
    case TG_CDM_ROMAN_SWITCH:
        return parse_switch(parser, operand, FALSE);
    case TG_CDM_STYLE:
        return parse_switch(parser, operand, TRUE);
    default:
        return parse_function(parser, operand);
    }
}

static TgCdmNode *parse_script(Parser *parser)
{
    parser_consume(parser);
    const Operand operand = parse_group(parser, FALSE);
    if (operand.function != NULL && operand.function->rank <= 1)
        parser_fail(parser);
    return parse_function(parser, operand);
}

static TgCdmNode *parse_primes(Parser *parser)
{
    GPtrArray *primes = g_ptr_array_new();

    while (parser_next_is(parser, "'")) {
        g_ptr_array_add(primes, new_symbol(parser, g_strdup("\\prime")));
        parser_consume(parser);
    }
    return tg_cdm_node_new_group(parser->syntax, primes);
}

static void set_limits(Parser *parser, TgCdmNode *base)
{
    if (!tg_cdm_node_is_function(base, TG_CDM_OPERATOR) &&
        !tg_cdm_node_is_function(base, TG_CDM_OPERATOR_SYMBOL))
        parser_fail(parser);
    else
        base->limits = parser_next_is(parser, "\\limits");
    parser_consume(parser);
}

/* A base with its scripts, the last of each kind winning; NULL for nothing. */
static TgCdmNode *parse_atom(Parser *parser)
{
    TgCdmNode *base = parse_base(parser), *sub = NULL, *sup = NULL;

    if (parser->text_mode)
        return base;
    for (;;) {
        if (parser_next_is(parser, "\\limits") || parser_next_is(parser, "\\nolimits"))
            set_limits(parser, base);
        else if (parser_next_is(parser, "^"))
            sup = parse_script(parser);
        else if (parser_next_is(parser, "_"))
            sub = parse_script(parser);
        else if (parser_next_is(parser, "'"))
            sup = parse_primes(parser);
        else
            break;
    }
    if (sub == NULL && sup == NULL)
        return base;

    TgCdmNode *scripts = tg_cdm_node_new(parser->syntax, TG_CDM_NODE_SCRIPTS);
    scripts->arguments[0] = base;
    scripts->arguments[1] = sub;
    scripts->arguments[2] = sup;
    return scripts;
}

/* One side of an infix function as a group, unless it is one already. */
static TgCdmNode *infix_side(Parser *parser, const GPtrArray *body, guint from, guint to)
{
    if (to - from == 1 && ((TgCdmNode *) body->pdata[from])->kind == TG_CDM_NODE_GROUP)
        return body->pdata[from];

    GPtrArray *children = g_ptr_array_new();
    for (guint i = from; i < to; i++)
        g_ptr_array_add(children, body->pdata[i]);
    return tg_cdm_node_new_group(parser->syntax, children);
}

/* An infix function takes everything to its left and right for its arguments. */
static GPtrArray *split_at_infix(Parser *parser, GPtrArray *body)
{
    guint at = body->len;

    for (guint i = 0; i < body->len; i++)
        if (tg_cdm_node_is_function(body->pdata[i], TG_CDM_INFIX)) {
            if (at < body->len)
                parser_fail(parser);
            at = i;
        }
    if (at == body->len)
        return body;

    const TgCdmNode *infix = body->pdata[at];
    const char *name = infix->function->printed;
    TgCdmNode *fraction =
        tg_cdm_node_new_function(parser->syntax, tg_cdm_function_find(name), name, infix->at);
    fraction->arguments[0] = infix_side(parser, body, 0, at);
    fraction->arguments[1] = infix_side(parser, body, at + 1, body->len);
    g_ptr_array_set_size(body, 0);
    g_ptr_array_add(body, fraction);
    return body;
}

/**
 * Atoms up to the end of the group.
 *
 * @before_infix: stop before an infix function, which then belongs to the expression around
 * @stop: (nullable) a further token that ends the expression
 */
static GPtrArray *parse_expression(Parser *parser, gboolean before_infix, const char *stop)
{
    GPtrArray *body = g_ptr_array_new();

    if (++parser->depth > TG_CDM_MAX_DEPTH)
        parser_fail(parser);
    while (!at_end_of_expression(parser) && !(stop != NULL && parser_next_is(parser, stop))) {
        const char *position = parser->position;
        const TgCdmToken next = parser->next;
        TgCdmNode *atom = parse_atom(parser);

        if (atom == NULL || parser->failed)
            break;
        if (before_infix && tg_cdm_node_is_function(atom, TG_CDM_INFIX)) {
            parser->position = position;
            parser->next = next;
            break;
        }
        g_ptr_array_add(body, atom);
    }
    parser->depth--;
    return split_at_infix(parser, body);
}

TgCdmSyntax *tg_cdm_syntax_parse(const char *line)
{
    g_autoptr(TgCdmSyntax) syntax = tg_cdm_syntax_new();
    Parser parser = { .syntax = syntax, .line = line, .position = line };

    parser_look_ahead(&parser);
    syntax->children = parse_expression(&parser, FALSE, NULL);
    if (parser.failed || parser.next.kind != TG_CDM_TOKEN_END)
        return NULL;
    return g_steal_pointer(&syntax);
}
