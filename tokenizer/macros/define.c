/* Reading definitions: \def, \let, \newcommand and related commands. */
#include "tokenizer/macros/define.h"

#include "tokenizer/macros/names.h"

static gboolean is_of_package(const TgTexToken *token)
{
    const TgName *name = tg_name_find(token->text + 1, token->len - 1);

    return name != NULL && name->of_package;
}

static void report_definition(TgExpander *in, const TgTexToken *command, const char *what)
{
    tg_parse_errors_add(in->errors, TG_PARSE_MACRO, command->start, command->end, "%.*s %s",
                        TG_TOKEN_TEXT(command), what);
}

/* Whether a command has a meaning: macro, command of the table or symbol. */
static gboolean is_defined(const TgExpander *in, const TgTexToken *token)
{
    const TgName *name = tg_name_find(token->text + 1, token->len - 1);

    return tg_tex_macros_find(&in->macros, token) != NULL ||
           (name != NULL && ((name->command != NULL && !name->of_package) || name->symbol != NULL));
}

/* The name to be defined: \foo, or {\foo}. */
static gboolean read_name(TgExpander *in, const TgTexToken *command, TgTexToken *name)
{
    TgTexTokens list;

    if (tg_expander_argument(in, &list)) {
        guint32 i = 0;
        while (i < list.n && list.tokens[i].kind == TG_TOK_SPACE)
            i++;
        if (i < list.n && list.tokens[i].kind == TG_TOK_COMMAND) {
            if (list.n > 1) /* one space is enough to confuse LaTeX */
                report_definition(in, command, "needs a single command name");
            *name = list.tokens[i];
            return TRUE;
        }
    }
    report_definition(in, command, "needs the name of a command");
    return FALSE;
}

/* `#1` becomes one token, `##` a `#`; numbers beyond @n_args are faults. */
static gboolean mark_parameters(TgExpander *in, TgTexTokens list, guint n_args, TgTexTokens *marked)
{
    const guint from = in->scratch->len;
    gboolean ok = TRUE;

    for (guint32 i = 0; i < list.n; i++) {
        TgTexToken token = list.tokens[i];

        if (token.kind == TG_TOK_HASH && i + 1 < list.n) {
            const TgTexToken *next = &list.tokens[++i];
            if (tg_token_is_digit(next) && next->code - '0' >= 1 && next->code - '0' <= n_args) {
                token.kind = TG_TOK_PARAM;
                token.code = next->code - '0';
            } else if (next->kind != TG_TOK_HASH) {
                ok = FALSE;
                continue;
            }
        } else if (token.kind == TG_TOK_HASH) {
            ok = FALSE;
            continue;
        }
        g_array_append_val(in->scratch, token);
    }
    *marked = tg_expander_take_scratch(in, from);
    return ok;
}

/* The parameter text of \def: up to the opening brace, with its parameters counted. */
static gboolean read_pattern(TgExpander *in, TgTexTokens *pattern, guint *n_args)
{
    const guint from = in->scratch->len;
    TgTexToken token = tg_expander_raw(in);
    gboolean ok = TRUE;

    for (; token.kind != TG_TOK_OPEN; token = tg_expander_raw(in)) {
        if (token.kind == TG_TOK_END || token.kind == TG_TOK_CLOSE) {
            ok = FALSE;
            break;
        }
        if (token.kind == TG_TOK_HASH) {
            token = tg_expander_raw(in);
            if (token.kind != TG_TOK_CHAR || token.code != '1' + *n_args ||
                *n_args == TG_TEX_MAX_ARGS) {
                ok = FALSE;
                break;
            }
            token.kind = TG_TOK_PARAM;
            token.code = ++*n_args;
        }
        g_array_append_val(in->scratch, token);
    }
    tg_expander_unread(in, &token);
    *pattern = tg_expander_take_scratch(in, from);
    return ok;
}

void tg_define_macro(TgExpander *in, const TgTexToken *command)
{
    const TgTexToken name = tg_expander_raw_nonspace(in);
    TgTexMacro macro = { .n_args = 0 };
    TgTexTokens body;
    guint n_args = 0;

    if (name.kind != TG_TOK_COMMAND) {
        tg_expander_unread(in, &name);
        report_definition(in, command, "needs the name of a command");
        return;
    }
    if (!read_pattern(in, &macro.pattern, &n_args) || !tg_expander_argument(in, &body) ||
        !mark_parameters(in, body, n_args, &macro.body)) {
        report_definition(in, command, "is not followed by a definition");
        return;
    }
    macro.n_args = (guint8) n_args;
    tg_tex_macros_define(&in->macros, &name, &macro);
}

/* The parameter text of a macro without delimiters: #1#2.. */
static TgTexTokens plain_pattern(TgExpander *in, guint n)
{
    const guint from = in->scratch->len;

    for (guint i = 1; i <= n; i++) {
        const TgTexToken token = { .kind = TG_TOK_PARAM, .code = i };
        g_array_append_val(in->scratch, token);
    }
    return tg_expander_take_scratch(in, from);
}

/* [n]: how many arguments; 10 when it is no number that LaTeX takes. */
static guint read_count(TgExpander *in)
{
    TgTexTokens list;
    guint n = 0;

    if (!tg_expander_optional(in, &list))
        return 0;
    for (guint32 i = 0; i < list.n; i++) {
        if (list.tokens[i].kind == TG_TOK_SPACE)
            continue;
        if (!tg_token_is_digit(&list.tokens[i]))
            return TG_TEX_MAX_ARGS + 1;
        n = MIN(n * 10 + (list.tokens[i].code - '0'), TG_TEX_MAX_ARGS + 1);
    }
    return n;
}

void tg_define_newcommand(TgExpander *in, const TgTexToken *command, char how)
{
    TgTexMacro macro = { .n_args = 0 };
    TgTexTokens body;
    TgTexToken name;

    tg_expander_star(in);
    if (!read_name(in, command, &name))
        return;

    const guint n_args = read_count(in);
    macro.has_preset = tg_expander_optional(in, &macro.preset);
    if (!tg_expander_argument(in, &body) || n_args > TG_TEX_MAX_ARGS ||
        (macro.has_preset && n_args == 0) || !mark_parameters(in, body, n_args, &macro.body)) {
        report_definition(in, command, "is not followed by a definition");
        return;
    }

    const gboolean defined = is_defined(in, &name);
    if (how == 'p' && defined)
        return;
    if ((how == 'n' && defined) || (how == 'r' && !defined && !is_of_package(&name)))
        tg_parse_errors_add(in->errors, TG_PARSE_MACRO, name.start, name.end, "%.*s is %s",
                            TG_TOKEN_TEXT(&name), defined ? "defined already" : "not defined");
    macro.n_args = (guint8) n_args;
    macro.pattern = plain_pattern(in, n_args - macro.has_preset);
    tg_tex_macros_define(&in->macros, &name, &macro);
}

void tg_define_let(TgExpander *in, const TgTexToken *command)
{
    const TgTexToken name = tg_expander_raw_nonspace(in);
    TgTexToken target = tg_expander_raw_nonspace(in);

    if (tg_token_is_char(&target, '='))
        target = tg_expander_raw_nonspace(in);
    if (name.kind != TG_TOK_COMMAND || target.kind == TG_TOK_END) {
        tg_expander_unread(in, &target);
        report_definition(in, command, "needs the name of a command and its meaning");
        return;
    }

    const TgTexMacro *meaning =
        target.kind == TG_TOK_COMMAND ? tg_tex_macros_find(&in->macros, &target) : NULL;
    if (meaning != NULL) {
        tg_tex_macros_define(&in->macros, &name, meaning);
        return;
    }
    target.flags |= TG_TOK_PRIMITIVE;
    tg_tex_macros_define(&in->macros, &name, &(TgTexMacro){ .is_alias = TRUE, .target = target });
}

void tg_define_operator(TgExpander *in, const TgTexToken *command)
{
    const gboolean starred = tg_expander_star(in);
    TgTexTokens text;
    TgTexToken name;

    if (!read_name(in, command, &name))
        return;
    if (!tg_expander_argument(in, &text)) {
        report_definition(in, command, "needs the text of the operator");
        return;
    }

    /* \name becomes \operatorname{text} or \operatorname*{text}. */
    const char *operator= starred ? "\\operatornamewithlimits" : "\\operatorname";
    const TgTexToken head = { .text = operator,
                              .len =(guint32) strlen(operator),
                              .kind = TG_TOK_COMMAND,
                              .flags = TG_TOK_PRIMITIVE };
    const TgTexToken open = { .text = "{", .len = 1, .code = '{', .kind = TG_TOK_OPEN };
    const TgTexToken close = { .text = "}", .len = 1, .code = '}', .kind = TG_TOK_CLOSE };
    const guint from = in->scratch->len;

    g_array_append_val(in->scratch, head);
    g_array_append_val(in->scratch, open);
    if (text.n > 0)
        g_array_append_vals(in->scratch, text.tokens, text.n);
    g_array_append_val(in->scratch, close);
    tg_tex_macros_define(&in->macros, &name,
                         &(TgTexMacro){ .body = tg_expander_take_scratch(in, from) });
}
