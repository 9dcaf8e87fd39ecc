/* Commands without ink, and commands that are replaced by LaTeX with arguments. */
#include "tokenizer/latex/parser.h"

/* ---- Without ink ----------------------------------------------------------------------------- */

/* Take as many arguments as value says, with a star and a bracket, and append nothing; detail 't':
 * works in text only, 'r': TeX prints what it refers to, or ??. */
void tg_parser_ignore(TgParser *self, const TgTexToken *token)
{
    TgTexTokens list;

    if (token->command->detail == 't' && !self->scope->text)
        tg_refuse(&self->errors, token, TG_PACKAGE_KATEX, TG_PARSE_MODE,
                  "%.*s, which \\TeX and \\LaTeX use, is allowed in text only",
                  TG_TOKEN_TEXT(token));
    self->refers |= token->command->detail == 'r';
    if (token->command->value == 0)
        return;
    tg_expander_star(&self->in);
    tg_expander_optional(&self->in, &list);
    for (gint32 i = 0; i < token->command->value; i++) {
        if (!tg_parser_tokens_argument(self, token, "an argument", &list))
            return;
        if (token->command->detail == 'r' && list.n > 0 && list.tokens[0].kind == TG_TOK_COMMAND &&
            tg_name_find(list.tokens[0].text + 1, list.tokens[0].len - 1) != NULL)
            tg_refuse(&self->errors, token, TG_PACKAGE_NONE, TG_PARSE_MISSING_ARGUMENT,
                      "the argument of %.*s is a name", TG_TOKEN_TEXT(token));
    }
}

/* \aftergroup: the next token is read after the end of the group, of \left after \right). */
void tg_parser_aftergroup(TgParser *self, const TgTexToken *token)
{
    TgScope *scope = self->scope;

    (void) token;
    if (scope->kind != TG_SCOPE_BRACE && scope->kind != TG_SCOPE_GROUP &&
        scope->kind != TG_SCOPE_LEFT)
        return;
    TgLateToken *late = tg_arena_alloc(&self->scratch, sizeof *late);
    late->before = scope->late;
    late->token = tg_expander_raw_nonspace(&self->in);
    scope->late = late;
}

void tg_parser_read_late(TgParser *self, const TgLateToken *late)
{
    for (; late != NULL; late = late->before)
        tg_expander_insert(&self->in, (TgTexTokens){ &late->token, 1 }, 1);
}

/* \penalty-100 */
void tg_parser_penalty(TgParser *self, const TgTexToken *token)
{
    gint64 number;

    if (!tg_expander_integer(&self->in, &number))
        tg_parser_fault(self, token, TG_PARSE_LENGTH, "needs a number");
}

/* \par, and blank lines, which the expander reports: TeX ends the formula there. */
void tg_parser_paragraph(TgParser *self, const TgTexToken *token)
{
    if (!tg_parser_update_paragraphs(self))
        tg_parser_forbid(self, token, TG_PARSE_MODE, "is not allowed in mathematics");
}

/* \label{..}. LaTeX would lose all labels of one display or row but the last. */
void tg_parser_label(TgParser *self, const TgTexToken *token)
{
    if (self->labeled)
        tg_refuse(&self->errors, token, TG_PACKAGE_NONE, TG_PARSE_MODE,
                  "a second \\label in one row");
    self->labeled = TRUE;
    tg_parser_ignore(self, token);
}

/* \uproot{2}, \leftroot{2}: amsmath only accepts them at the beginning of a root's index. */
void tg_parser_uproot(TgParser *self, const TgTexToken *token)
{
    const TgScope *scope = self->scope;
    const gboolean braced = scope->kind == TG_SCOPE_BRACE && scope->around != NULL;
    const gboolean in_index = (braced ? scope->around : scope)->kind == TG_SCOPE_BRACKET ||
                              tg_token_is_command(&scope->open, "root");

    if (scope->first != NULL || !in_index)
        tg_parser_forbid(self, token, TG_PARSE_MODE,
                         "is allowed at the start of a root's index only");
    tg_parser_ignore(self, token);
}

/* \space: ignored in mathematics. */
void tg_parser_space(TgParser *self, const TgTexToken *token)
{
    if (self->scope->text)
        tg_parser_interword_space(self, token);
}

/* Whether a number may stand here: the environment decides, or the construct around it; a formula
 * without delimiters is a display. */
static gboolean may_have_tag(const TgParser *self)
{
    for (const TgScope *scope = self->scope; scope != NULL; scope = scope->around) {
        if (scope->kind == TG_SCOPE_DOLLAR)
            return FALSE;
        if (scope->kind == TG_SCOPE_PAREN)
            return tg_token_is_command(&scope->open, "[");
        if (scope->kind != TG_SCOPE_CELL || scope->form != TG_CELL_NAMED)
            continue;
        const TgEnvironmentInfo *info = tg_environment_find(scope->name);
        if (info != NULL && (info->flags & (TG_ENV_TAGS | TG_ENV_NO_TAGS)) != 0)
            return (info->flags & TG_ENV_TAGS) != 0;
    }
    return TRUE;
}

/* Whether the innermost environment is a display of rows such as align. */
static gboolean is_in_numbered_rows(const TgParser *self)
{
    const TgScope *scope = self->scope;

    while (scope != NULL && (scope->kind != TG_SCOPE_CELL || scope->form != TG_CELL_NAMED))
        scope = scope->around;
    const TgEnvironmentInfo *info = scope != NULL ? tg_environment_find(scope->name) : NULL;
    return info != NULL && (info->flags & (TG_ENV_TAGS | TG_ENV_OPEN)) == TG_ENV_TAGS;
}

/* \tag{..}, \tag*{..} */
void tg_parser_tag(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_TAG, token);

    if (!may_have_tag(self))
        tg_parser_forbid(self, token, TG_PARSE_MODE, "is allowed in displays only");
    else if (self->tagged)
        tg_refuse(&self->errors, token, TG_PACKAGE_NONE, TG_PARSE_MODE,
                  "a second \\tag in one row");
    self->tagged = TRUE;
    node->u.body.flag = tg_expander_star(&self->in) != FALSE;
    const TgTexToken next = tg_expander_raw_nonspace(&self->in);
    tg_expander_unread(&self->in, &next);
    if (next.kind != TG_TOK_OPEN && next.kind != TG_TOK_END && !is_in_numbered_rows(self))
        tg_parser_forbid(self, token, TG_PARSE_MISSING_ARGUMENT, "needs braces");
    node->u.body.body = tg_parser_text_argument(self, token, "an argument");
    tg_parser_append(self, node);
}

/* a=b\eqno(1): everything that follows in the display is its number, a formula in text style. */
void tg_parser_eqno(TgParser *self, const TgTexToken *token)
{
    const TgScopeKind kind = (TgScopeKind) self->scope->kind;

    if (self->options.source ==
        TG_SOURCE_MATH) { /* between dollars TeX has no place for a number */
        tg_parser_error_node(self, token, TG_PARSE_MODE, "%.*s is allowed in displays only",
                             TG_TOKEN_TEXT(token));
        return;
    }
    TgNode *node = tg_parser_node(self, TG_NODE_TAG, token);
    TgNode *math = tg_parser_node(self, TG_NODE_MATH, token);
    const guint from = self->in.scratch->len;
    TgTexToken next = tg_expander_raw(&self->in);

    const gboolean in_display =
        kind == TG_SCOPE_TOP || kind == TG_SCOPE_PAREN || kind == TG_SCOPE_DOLLAR ||
        (self->scope->name != NULL && strcmp(self->scope->name, "displaymath") == 0);
    if (self->tagged || !in_display)
        tg_parser_forbid(self, token, TG_PARSE_MODE, "is allowed once in a display");
    self->tagged = TRUE;
    for (guint depth = 0; next.kind != TG_TOK_END; next = tg_expander_raw(&self->in)) {
        if (depth == 0 && tg_token_is_command_of(&next, "eqno leqno")) /* LaTeX's \relax there */
            continue;
        if (depth == 0 && (next.kind == TG_TOK_CLOSE || next.kind == TG_TOK_DOLLAR ||
                           tg_token_is_command_of(&next, "] ) end"))) /* the end of the display */
            break;
        depth += next.kind == TG_TOK_OPEN;
        depth -= next.kind == TG_TOK_CLOSE;
        g_array_append_val(self->in.scratch, next);
    }
    tg_expander_unread(&self->in, &next);
    math->u.body.body =
        tg_parser_sublist(self, tg_expander_take_scratch(&self->in, from), FALSE, token);
    node->u.body.flag = 1;
    node->u.body.body = tg_parser_list_of(self, math);
    tg_parser_append(self, node);
}

/* Read a command that is a part of a missing construct: \fi without \if. */
void tg_parser_expand(TgParser *self, const TgTexToken *token)
{
    tg_report(&self->errors, token, TG_PARSE_MACRO, "extra %.*s", TG_TOKEN_TEXT(token));
}

/* ---- Definitions and groups ------------------------------------------------------------------ */

void tg_parser_define(TgParser *self, const TgTexToken *token)
{
    if (token->command->action == TG_ACTION_DECLARE_OPERATOR && !self->options.strict)
        tg_parser_forbid(self, token, TG_PARSE_MACRO, "is allowed before the document only");
    tg_define(&self->in, token);
}

/* \begingroup: definitions and fonts are local, but the items join the list around. */
void tg_parser_open_group(TgParser *self, const TgTexToken *token)
{
    tg_parser_splice(self, tg_parser_list(self, TG_SCOPE_GROUP, self->scope->text, token));
}

void tg_parser_close_group(TgParser *self, const TgTexToken *token)
{
    if (!tg_parser_close(self, token, TG_SCOPE_GROUP))
        tg_report(&self->errors, token, TG_PARSE_BRACE, "\\endgroup without \\begingroup");
}

/* {, and \bgroup, which need not be balanced in arguments. */
void tg_parser_open_brace(TgParser *self, const TgTexToken *token)
{
    TgNode *list = tg_parser_list(self, TG_SCOPE_BRACE, self->scope->text, token);

    list->start = token->start;
    list->u.list.braced = 1;
    tg_parser_append(self, list);
}

void tg_parser_close_brace(TgParser *self, const TgTexToken *token)
{
    if (!tg_parser_close(self, token, TG_SCOPE_BRACE))
        tg_report(&self->errors, token, TG_PARSE_BRACE, "unmatched \\egroup");
}

/* \sideset{_a^b}{_c^d}\prod: scripts at the corners of an operator; the operator's limits follow
 * it. */
void tg_parser_sideset(TgParser *self, const TgTexToken *token)
{
    TgTexTokens args[3];

    for (guint i = 0; i < 3; i++)
        if (!tg_parser_tokens_argument(self, token, "three arguments", &args[i]))
            return;
    TgTexToken base = args[2].n > 0 ? args[2].tokens[0] : *token;
    tg_expander_look_up(&self->in, &base);
    if ((base.symbol == NULL || base.symbol->math_class != TG_CLASS_OP) &&
        !tg_token_is_command_of(&base, "mathop operatorname sideset"))
        tg_parser_forbid(self, token, TG_PARSE_LIMITS, "needs an operator after its scripts");
    tg_parser_read_instead(self, token, args, "{\\displaystyle{\\vphantom{#3}}#1{#3\\nolimits#2}}");
    TgNode *before = tg_parser_empty_list(self, token);
    TgNode *node = tg_parser_node(self, TG_NODE_CLASS, token);
    before->u.list.braced = 1;
    tg_parser_append(self, before);
    node->math_class = TG_CLASS_OP;
    node->u.body.flag = 1;
    node->u.body.body = tg_parser_script_argument(self, token);
    tg_parser_append(self, node);
}

/* \Aboxed{a&=b}: a frame around both sides of an alignment, which is drawn in the right column. */
void tg_parser_aboxed(TgParser *self, const TgTexToken *token)
{
    TgTexTokens args[2] = { { NULL, 0 } };
    guint32 i = 0;

    if (!tg_parser_tokens_argument(self, token, "an argument", &args[0]))
        return;
    while (i < args[0].n && args[0].tokens[i].kind != TG_TOK_AMPERSAND)
        i = tg_tex_tokens_item_end(args[0], i);
    const gboolean is_aligned = i < args[0].n && tg_parser_cell(self) != NULL;
    if (!is_aligned)
        tg_parser_forbid(self, token, TG_PARSE_ALIGNMENT,
                         "needs an & in its argument and an alignment around it");
    if (i < args[0].n) {
        args[1] = (TgTexTokens){ args[0].tokens + i + 1, args[0].n - i - 1 };
        args[0].n = i;
    }
    tg_parser_read_instead(self, token, args, is_aligned ? "&\\boxed{#1{}#2}" : "\\boxed{#1}");
}

/* ---- Templates: commands of packages that are replaced by LaTeX (commands.tsv) --------------- */

/* @list with @latex in place of each | outside of braces. */
static TgTexTokens replace_bars(TgParser *self, TgTexTokens list, const char *latex)
{
    const guint from = self->in.scratch->len;

    for (guint32 i = 0, end; i < list.n; i = end) {
        TgTexTokens item = { list.tokens + i, 0 };

        end = tg_tex_tokens_item_end(list, i);
        item.n = end - i;
        if (tg_token_is_char(item.tokens, '|'))
            item = tg_expander_lex(&self->in, latex, strlen(latex), item.tokens);
        g_array_append_vals(self->in.scratch, item.tokens, item.n);
    }
    return tg_expander_take_scratch(&self->in, from);
}

void tg_parser_template(TgParser *self, const TgTexToken *token)
{
    const char *kind = token->command->text, *body = strchr(kind, ':') + 1;
    const char *starred = strstr(body, ";;");
    TgTexTokens args[TG_TEX_MAX_ARGS] = { { NULL, 0 } };
    gboolean star = FALSE;

    for (guint i = 0; *kind != ':'; i++, kind++) {
        if (*kind == 's')
            star = tg_expander_star(&self->in);
        else if (*kind == 'o')
            tg_expander_optional(&self->in, &args[i]);
        else if (tg_parser_tokens_argument(self, token, "an argument", &args[i]) &&
                 (*kind == 'b' || *kind == 'v'))
            args[i] = replace_bars(self, args[i], *kind == 'b' ? "\\,\\middle|\\," : "\\mid ");
    }
    if (starred == NULL || star)
        tg_parser_read_instead(self, token, args, "%s", starred != NULL ? starred + 2 : body);
    else
        tg_parser_read_instead(self, token, args, "%.*s", (int) (starred - body), body);
}
