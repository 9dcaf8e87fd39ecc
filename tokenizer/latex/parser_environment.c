/* Environments and the commands that hold rows: \begin, \end, \matrix{..}, \substack{..}. */
#include "tokenizer/latex/handlers.h"

static const char *keep_name(TgParser *self, const char *name)
{
    const gsize size = strlen(name) + 1;

    return memcpy(tg_arena_alloc(&self->tree->arena, size), name, size);
}

/* [t], [c] or [b]; mathtools' width of multlined is not obeyed. */
static guint8 read_position(TgParser *self, const TgTexToken *token)
{
    g_autofree char *position = tg_parser_string_optional(self);

    if (position != NULL && strlen(position) > 1)
        tg_parser_error(self, token, TG_PARSE_LENGTH, "[%s] is not supported: [t], [c] or [b] is",
                        position);
    return position != NULL && (position[0] == 't' || position[0] == 'b') ? (guint8) position[0]
                                                                          : 'c';
}

/* One column with the alignment @align, or none at all. */
static void set_column(TgParser *self, TgArray *array, char align)
{
    TgColumnItem *item = tg_arena_alloc(&self->tree->arena, sizeof(TgColumnItem));

    *item = (TgColumnItem){ .kind = TG_COLUMN_CELL, .align = (guint8) align, .token = TG_NO_TOKEN };
    array->columns = item;
    array->n_column_items = 1;
}

static void read_args(TgParser *self, const TgTexToken *token, const TgEnvironmentInfo *info,
                      TgArray *array)
{
    g_autofree char *word = NULL;

    array->align = 'c';
    switch ((TgEnvironmentArgs) info->args) {
    case TG_ENV_ARGS_NONE:
        break;
    case TG_ENV_ARGS_COLUMNS:
        array->align = read_position(self, token);
        array->n_columns = tg_parser_columns(self, token, &array->columns, &array->n_column_items);
        break;
    case TG_ENV_ARGS_ALIGN:
        array->align = read_position(self, token);
        break;
    case TG_ENV_ARGS_COLUMN:
        array->align = read_position(self, token);
        word = tg_parser_string_argument(self, token, "a column");
        set_column(self, array, word != NULL && word[0] == 'l' ? 'l' : 'c');
        break;
    case TG_ENV_ARGS_NUMBER:
        array->align = read_position(self, token);
        word = tg_parser_string_argument(self, token, "a number");
        break;
    case TG_ENV_ARGS_PRESET:
        word = tg_parser_string_optional(self);
        if (word != NULL && word[0] != '\0' && strchr("lcr", word[0]) != NULL)
            set_column(self, array, word[0]);
        break;
    }
}

/* equation and related ones: their content joins the list around. */
static void read_open_environment(TgParser *self, const TgTexToken *token, const char *name)
{
    do {
        tg_parser_splice(self, tg_parser_cell(self, name, TG_CELL_NAMED, FALSE, token));
        if (self->stop.kind == TG_TOK_AMPERSAND)
            tg_parser_error(self, &self->stop, TG_PARSE_ALIGNMENT, "misplaced & outside an array");
        else if (self->stop.command != NULL && (self->stop.command->flags & TG_COMMAND_ROW) != 0)
            tg_parser_append(self, tg_parser_node(self, TG_NODE_BREAK, &self->stop));
        else
            break;
    } while (tg_parser_alive(self));
}

static gboolean has_outer_space(TgTexTokens list)
{
    return list.n > 0 &&
           (list.tokens[0].kind == TG_TOK_SPACE || list.tokens[list.n - 1].kind == TG_TOK_SPACE);
}

void tg_parser_begin(TgParser *self, const TgTexToken *token)
{
    TgTexTokens list;
    TgTexToken open = *token;

    if (!tg_parser_tokens_argument(self, token, "a name", &list))
        return;
    if (self->in.end >= open.end)
        tg_parser_extend(self, &open, self->in.end);

    g_autofree char *word = tg_parser_spelling(list);
    const char *name = keep_name(self, word);
    const TgEnvironmentInfo *info = tg_environment_find(name);
    if (info == NULL) {
        tg_parser_error(self, &open, TG_PARSE_UNKNOWN_ENVIRONMENT, "unknown environment %s", name);
        info = tg_environment_find("aligned");
    }
    if (self->options.strict && has_outer_space(list))
        tg_parser_error(self, &open, TG_PARSE_UNKNOWN_ENVIRONMENT,
                        "unknown environment %s with a space beside its name", name);
    if (self->options.strict && self->scope->text && self->scope->kind == TG_SCOPE_BRACE &&
        (info->flags & TG_ENV_TEXT) == 0)
        tg_parser_error(self, &open, TG_PARSE_MODE, "\\begin{%s} is allowed in math mode only",
                        name);
    if (strcmp(name, "minipage") == 0) {
        tg_parser_minipage(self, &open, name);
        return;
    }
    if ((info->flags & TG_ENV_OPEN) != 0) {
        read_open_environment(self, &open, name);
        return;
    }

    TgArray *array = tg_arena_alloc(&self->tree->arena, sizeof(TgArray));
    *array = (TgArray){ .align = 'c' };
    read_args(self, &open, info, array);
    tg_parser_append(self, tg_parser_rows(self, &open, info, name, array, TG_CELL_NAMED));
}

static gboolean is_named_cell(const TgScope *scope)
{
    return scope->kind == TG_SCOPE_CELL && scope->form == TG_CELL_NAMED;
}

/* Whether the environment @name is open. */
static gboolean is_open(const TgParser *self, const char *name)
{
    for (const TgScope *scope = self->scope; scope != NULL; scope = scope->around) {
        if (is_named_cell(scope) && strcmp(scope->name, name) == 0)
            return TRUE;
    }
    return FALSE;
}

void tg_parser_end(TgParser *self, const TgTexToken *token)
{
    TgTexTokens list;
    TgTexToken stop = *token;

    if (!tg_parser_tokens_argument(self, token, "a name", &list))
        return;
    tg_parser_extend(self, &stop, self->in.end);

    g_autofree char *name = tg_parser_spelling(list);
    const TgScope *scope = self->scope;
    const gboolean here = is_named_cell(scope) && strcmp(scope->name, name) == 0;

    if (here) {
        tg_parser_close(self, &stop, TG_SCOPE_CELL);
    } else if (is_open(self, name)) {
        /* Something in between is not closed: that ends first, then \end is read again. */
        const TgTexToken open = { .kind = TG_TOK_OPEN, .text = "{", .len = 1 };
        const TgTexToken close = { .kind = TG_TOK_CLOSE, .text = "}", .len = 1 };
        tg_expander_unread(&self->in, &close);
        tg_expander_insert(&self->in, list, 1);
        tg_expander_unread(&self->in, &open);
        tg_parser_end_early(self, token);
    } else if (is_named_cell(scope)) {
        tg_parser_error(self, &stop, TG_PARSE_ENVIRONMENT, "\\begin{%s} closed by \\end{%s}",
                        scope->name, name);
        tg_parser_close(self, &stop, TG_SCOPE_CELL);
    } else {
        tg_parser_error(self, &stop, TG_PARSE_ENVIRONMENT, "\\end{%s} without \\begin{%s}", name,
                        name);
    }
}

/* \matrix{..}, \cases{..}, \substack{..}: rows between braces. */
void tg_parser_row_command(TgParser *self, const TgTexToken *token)
{
    const TgEnvironmentInfo *info = tg_environment_of_command(token->command->name);
    TgArray *array = tg_arena_alloc(&self->tree->arena, sizeof(TgArray));

    *array = (TgArray){ .align = 'c' };
    if (info->kind == TG_ENV_SHORTSTACK) {
        g_autofree char *align = tg_parser_string_optional(self);
        set_column(self, array,
                   align != NULL && (align[0] == 'l' || align[0] == 'r') ? align[0] : 'c');
    } else if (info->kind == TG_ENV_SUBARRAY) {
        set_column(self, array, 'c');
    }

    const TgTexToken open = tg_expander_next_nonspace(&self->in);
    if (open.kind != TG_TOK_OPEN) {
        tg_expander_unread(&self->in, &open);
        tg_parser_error(self, token, TG_PARSE_MISSING_ARGUMENT, "%.*s needs an argument in braces",
                        TG_TOKEN_TEXT(token));
        return;
    }
    tg_parser_append(self, tg_parser_rows(self, token, info, info->name, array, TG_CELL_PLAIN));
}

TgNode *tg_parser_implied_aligned(TgParser *self)
{
    const TgTexToken start = { .text = "", .lexeme = G_MAXUINT32 };
    TgArray *array = tg_arena_alloc(&self->tree->arena, sizeof(TgArray));
    TgScope around = { .kind = TG_SCOPE_TOP, .open = start }; /* what begins a cell is read in it */

    *array = (TgArray){ .align = 'c' };
    self->scope = &around;
    TgNode *node = tg_parser_rows(self, &start, tg_environment_find("aligned"), "aligned", array,
                                  TG_CELL_IMPLIED);
    self->scope = NULL;
    return node;
}

/* \multicolumn or \hdotsfor (detail 1) that does not begin a cell. */
void tg_parser_multicolumn(TgParser *self, const TgTexToken *token)
{
    const TgColumnItem *items;
    guint32 n_items;

    tg_parser_error(self, token, TG_PARSE_ALIGNMENT, "%.*s must begin a cell",
                    TG_TOKEN_TEXT(token));
    if (token->command->detail != 0)
        g_free(tg_parser_string_optional(self));
    g_free(tg_parser_string_argument(self, token, "three arguments"));
    if (token->command->detail != 0)
        return;
    tg_parser_columns(self, token, &items, &n_items);
    tg_parser_splice(self, self->scope->text
                               ? tg_parser_text_argument(self, token, "three arguments")
                               : tg_parser_argument(self, token, "three arguments"));
}
