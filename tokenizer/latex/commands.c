/* Commands that leave no ink, and those that LaTeX with arguments stands for. */
#include "tokenizer/latex/parser.h"

/* ---- Without ink ----------------------------------------------------------------------------- */

/* Takes as many arguments as value says, with a star and a bracket, and leaves nothing. */
void tg_parser_ignore(TgParser *self, const TgTexToken *token)
{
    TgTexTokens list;

    if (token->command->value == 0)
        return;
    tg_expander_star(&self->in);
    tg_expander_optional(&self->in, &list);
    for (gint32 i = 0; i < token->command->value; i++)
        tg_parser_tokens_argument(self, token, "an argument", &list);
}

/* \penalty-100: a sign, digits and a space. */
void tg_parser_penalty(TgParser *self, const TgTexToken *token)
{
    TgTexToken next = tg_expander_next_nonspace(&self->in);
    guint n_digits = 0;

    while (tg_token_is_char_of(&next, "+-"))
        next = tg_expander_next_nonspace(&self->in);
    for (; tg_token_is_digit(&next); n_digits++)
        next = tg_expander_next(&self->in);
    if (n_digits == 0)
        tg_parser_error(self, token, TG_PARSE_LENGTH, "\\penalty needs a number");
    if (next.kind != TG_TOK_SPACE)
        tg_expander_unread(&self->in, &next);
}

/* \space: ignored in mathematics. */
void tg_parser_space(TgParser *self, const TgTexToken *token)
{
    if (self->scope->text)
        tg_parser_interword_space(self, token);
}

/* Whether a number may stand here: the environment says it, or leaves it to what is around it; a
 * formula without delimiters is a display. */
static gboolean may_have_tag(const TgParser *self)
{
    for (const TgScope *scope = self->scope; scope != NULL; scope = scope->around) {
        if (scope->kind == TG_SCOPE_DOLLAR)
            return FALSE;
        if (scope->kind == TG_SCOPE_PAREN)
            return tg_token_is_command(&scope->open, "[");
        if (scope->kind != TG_SCOPE_CELL || scope->form != TG_CELL_NAMED)
            continue;
        g_autofree char *unstarred = g_strndup(scope->name, strcspn(scope->name, "*"));
        const TgEnvironmentInfo *info = tg_environment_find(unstarred);
        if (info != NULL && (info->flags & (TG_ENV_TAGS | TG_ENV_NO_TAGS)) != 0)
            return (info->flags & TG_ENV_TAGS) != 0;
    }
    return TRUE;
}

/* \tag{..}, \tag*{..} */
void tg_parser_tag(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_TAG, token);

    if (self->options.strict && !may_have_tag(self))
        tg_parser_error(self, token, TG_PARSE_MODE, "\\tag is allowed in displays only");
    node->u.body.flag = tg_expander_star(&self->in) != FALSE;
    node->u.body.body = tg_parser_text_argument(self, token, "an argument");
    tg_parser_append(self, node);
}

/* ---- Definitions and groups ------------------------------------------------------------------ */

void tg_parser_define(TgParser *self, const TgTexToken *token)
{
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
        tg_parser_error(self, token, TG_PARSE_BRACE, "\\endgroup without \\begingroup");
}

/* \bgroup: a brace that need not be balanced in arguments. */
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
        tg_parser_error(self, token, TG_PARSE_BRACE, "unmatched \\egroup");
}

/* ---- Templates: commands of packages for which LaTeX stands (commands.tsv) ------------------- */

typedef struct {
    TgTexTokens tokens[TG_TEX_MAX_ARGS];
    gboolean given[TG_TEX_MAX_ARGS];
} TemplateArguments;

/* @list with LaTeX in place of each | outside of braces. */
static TgTexTokens replace_bars(TgParser *self, TgTexTokens list, const char *latex)
{
    const guint from = self->in.scratch->len;
    guint depth = 0;

    for (guint32 i = 0; i < list.n; i++) {
        const TgTexToken token = list.tokens[i];

        depth += token.kind == TG_TOK_OPEN;
        depth -= token.kind == TG_TOK_CLOSE && depth > 0;
        if (depth == 0 && tg_token_is_char(&token, '|')) {
            const TgTexTokens bar = tg_expander_lex(&self->in, latex, strlen(latex), &token);
            g_array_append_vals(self->in.scratch, bar.tokens, bar.n);
        } else {
            g_array_append_val(self->in.scratch, token);
        }
    }
    return tg_expander_take_scratch(&self->in, from);
}

/* Read an argument of @kind, if there is one. */
static gboolean read_one(TgParser *self, const TgTexToken *token, char kind, TgTexTokens *list)
{
    TgTexToken next;

    switch (kind) {
    case 's':
        return tg_expander_star(&self->in);
    case 'o':
        return tg_expander_optional(&self->in, list);
    case 'g':
        next = tg_expander_raw_nonspace(&self->in);
        tg_expander_unread(&self->in, &next);
        return next.kind == TG_TOK_OPEN && tg_expander_argument(&self->in, list);
    default:
        if (!tg_parser_tokens_argument(self, token, "an argument", list))
            *list = (TgTexTokens){ NULL, 0 };
        if (kind == 'b')
            *list = replace_bars(self, *list, "\\,\\middle|\\,");
        if (kind == 'v')
            *list = replace_bars(self, *list, "\\mid ");
        return TRUE;
    }
}

/* After the group that begins at @text. */
static const char *behind_group(const char *text)
{
    guint depth = 0;

    do {
        if (*text == '\\')
            text++;
        else
            depth = *text == '{' ? depth + 1 : *text == '}' ? depth - 1 : depth;
        text++;
    } while (depth > 0);
    return text;
}

/* Append the template from @text up to @end with its alternatives decided. */
static void decide(GString *out, const char *text, const char *end, const TemplateArguments *args)
{
    while (text < end) {
        if (*text != '@') {
            g_string_append_c(out, *text++);
            continue;
        }
        const char *first = text + 2, *second = behind_group(first);
        const char *behind = behind_group(second);

        if (args->given[text[1] - '1'])
            decide(out, first + 1, second - 1, args); /* NOLINT(misc-no-recursion): our own text */
        else
            decide(out, second + 1, behind - 1, args);
        text = behind;
    }
}

void tg_parser_template(TgParser *self, const TgTexToken *token)
{
    const char *kinds = token->command->text;
    const char *body = strchr(kinds, ':') + 1;
    TemplateArguments args = { .given = { FALSE } };
    g_autoptr(GString) latex = g_string_new(NULL);

    for (guint i = 0; kinds + i < body - 1; i++)
        args.given[i] = read_one(self, token, kinds[i], &args.tokens[i]);
    decide(latex, body, body + strlen(body), &args);

    char *text = tg_arena_alloc(&self->tree->arena, latex->len + 1);
    memcpy(text, latex->str, latex->len + 1);
    tg_expander_replace(&self->in, token, tg_expander_lex(&self->in, text, latex->len, token),
                        args.tokens);
}
