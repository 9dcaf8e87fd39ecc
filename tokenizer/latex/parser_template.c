/* Commands of packages with optional arguments: the arguments are put into LaTeX that a template
 * gives. Its text is "arguments:template". Arguments, after xparse: s a star, o [..], m one that
 * must be there, g a {group} if one follows; b and v one that must be there in which | is a bar as
 * high as its fence, or a relation. In the template #1 is the first, and @1{..}{..} takes the first
 * group where it is given, else the second. */
#include "tokenizer/latex/handlers.h"

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

/* A group, if one comes next. */
static gboolean group_follows(TgParser *self, TgTexTokens *list)
{
    const TgTexToken token = tg_expander_raw_nonspace(&self->in);

    tg_expander_unread(&self->in, &token);
    return token.kind == TG_TOK_OPEN && tg_expander_argument(&self->in, list);
}

static gboolean read_one(TgParser *self, const TgTexToken *token, char kind, TgTexTokens *list)
{
    switch (kind) {
    case 's':
        return tg_expander_star(&self->in);
    case 'o':
        return tg_expander_optional(&self->in, list);
    case 'g':
        return group_follows(self, list);
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

/* Behind the group that begins at @text. */
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
