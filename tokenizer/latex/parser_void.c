/* Commands that leave no ink: definitions, groups without braces, labels, breaks, tags, lengths. */
#include "tokenizer/latex/handlers.h"
#include "tokenizer/macros/expander.h"
#include "tokenizer/tree/tree.h"

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

/* Whether the environment @name has numbers (1), forbids them (-1), or leaves that to what is
 * around it (0). */
static gint environment_tags(const char *name)
{
    g_autofree char *unstarred = g_strndup(name, strcspn(name, "*"));
    const TgEnvironmentInfo *info = tg_environment_find(unstarred);

    return info == NULL                          ? 0
           : (info->flags & TG_ENV_TAGS) != 0    ? 1
           : (info->flags & TG_ENV_NO_TAGS) != 0 ? -1
                                                 : 0;
}

/* Whether a number may stand here; a formula without delimiters is a display. */
static gboolean may_have_tag(const TgParser *self)
{
    for (const TgScope *scope = self->scope; scope != NULL; scope = scope->around) {
        if (scope->kind == TG_SCOPE_DOLLAR)
            return FALSE;
        if (scope->kind == TG_SCOPE_PAREN)
            return tg_token_is_command(&scope->open, "[");
        const gint tags = scope->kind == TG_SCOPE_CELL && scope->form == TG_CELL_NAMED
                              ? environment_tags(scope->name)
                              : 0;
        if (tags != 0)
            return tags > 0;
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

void tg_parser_def(TgParser *self, const TgTexToken *token)
{
    tg_define_macro(&self->in, token);
}

/* \newcommand and related commands: value says which. */
void tg_parser_newcommand(TgParser *self, const TgTexToken *token)
{
    tg_define_newcommand(&self->in, token, (char) token->command->value);
}

void tg_parser_let(TgParser *self, const TgTexToken *token)
{
    tg_define_let(&self->in, token);
}

void tg_parser_declare_operator(TgParser *self, const TgTexToken *token)
{
    tg_define_operator(&self->in, token);
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

/* ---- Lengths that are set ----------------------------------------------------------------------
 */

/* Put @length, to which what is in force is added, in force. */
static void set_register(TgParser *self, const TgTexToken *owner, const TgTexToken *name,
                         TgLength length, gboolean add)
{
    const TgRegister *found = tg_parser_find_register(name);

    if (found == NULL || found->set == TG_REGISTER_NOT_OBEYED) {
        tg_parser_error(self, owner, TG_PARSE_LENGTH, "setting %.*s is not supported",
                        TG_TOKEN_TEXT(name));
        return;
    }
    if (found->set == TG_REGISTER_NO_EFFECT)
        return;

    TgSettings *settings = tg_arena_alloc(&self->tree->arena, sizeof *settings);
    const TgLength before = tg_setting(self->settings, (TgSetting) found->set);
    for (guint i = 0; i < TG_N_SETTINGS; i++)
        settings->length[i] = tg_setting(self->settings, (TgSetting) i);
    if (add && before.unit != length.unit)
        tg_parser_error(self, owner, TG_PARSE_LENGTH, "%.*s: lengths of different units",
                        TG_TOKEN_TEXT(owner));
    else if (add)
        length.value =
            (gint32) CLAMP((gint64) length.value + before.value, -G_MAXINT32, G_MAXINT32);
    settings->length[found->set] = length;
    self->settings = settings;
}

/* \setlength{register}{length}, \addtolength: value 1. */
void tg_parser_setlength(TgParser *self, const TgTexToken *token)
{
    TgTexTokens name;
    TgLength length;

    if (!tg_parser_tokens_argument(self, token, "two arguments", &name))
        return;
    tg_parser_length_argument(self, token, FALSE, &length);
    const TgTexToken none = { .text = "", .kind = TG_TOK_CHAR };
    set_register(self, token, name.n > 0 ? &name.tokens[0] : &none, length,
                 token->command->value != 0);
}

/* \arraycolsep=1pt, \arraycolsep1pt: a register that is not read as a length. */
void tg_parser_assign(TgParser *self, const TgTexToken *token)
{
    const TgTexToken next = tg_expander_next_nonspace(&self->in);
    const TgRegister *found = tg_parser_find_register(token);
    TgLength length;

    if (!tg_token_is_char(&next, '='))
        tg_expander_unread(&self->in, &next);
    tg_parser_length(self, token, found != NULL && found->unit == TG_UNIT_MU, &length);
    set_register(self, token, token, length, FALSE);
}
