/* The expander: tokens from the source and from macros, in the order TeX would see them. */
#include "tokenizer/macros/expander.h"

#include "core/deadline.h"
#include "core/utf8.h"
#include "tokenizer/macros/names.h"

/* Tokens that are read before the source goes on. */
typedef struct TgTexFrame {
    struct TgTexFrame *below;
    const TgTexToken *tokens;
    guint32 n;
    guint32 i;
    guint32 repeat; /* how many more times */
} Frame;

/* Enough for most formulas. */
#define FIRST_LEXEMES 256

void tg_expander_init(TgExpander *self, TgArena *arena, TgParseErrors *errors, const char *source,
                      gsize len, guint max_expansions, guint max_tokens)
{
    *self = (TgExpander){
        .arena = arena,
        .errors = errors,
        .scratch = g_array_new(FALSE, FALSE, sizeof(TgTexToken)),
        .max_expansions = max_expansions,
        .max_tokens = max_tokens,
        .macros = { .arena = arena },
    };
    tg_lexer_init(&self->lexer, source, len);
}

void tg_expander_clear(TgExpander *self)
{
    g_array_unref(self->scratch);
    tg_tex_macros_clear(&self->macros);
}

/* ---- Reading ------------------------------------------------------------------------------- */

static void expander_add_lexeme(TgExpander *self, guint32 start, guint32 end)
{
    if (self->n_lexemes == self->max_lexemes) {
        self->max_lexemes = MAX(2 * self->max_lexemes, FIRST_LEXEMES);
        self->lexemes =
            tg_arena_regrow(self->arena, self->lexemes, self->n_lexemes * sizeof(TgLexemeSpan),
                            self->max_lexemes * sizeof(TgLexemeSpan));
    }
    self->lexemes[self->n_lexemes++] = (TgLexemeSpan){ .start = start, .end = end };
}

static inline void read_source(TgExpander *self, TgTexToken *token)
{
    tg_token_read(&self->lexer, &self->skip_space, token);
    self->end_before = self->end;
    self->end = token->end;
    token->lexeme = self->n_lexemes;
    if (token->kind != TG_TOK_END)
        expander_add_lexeme(self, token->start, token->end);
}

/* tg_expander_raw(), which writes a token where it is wanted. */
static inline void read_raw(TgExpander *self, TgTexToken *token)
{
    if (self->errors->stopped || tg_too_long(10)) {
        *token = (TgTexToken){ .kind = TG_TOK_END, .text = "" };
        return;
    }

    while (self->frame != NULL) {
        Frame *frame = self->frame;

        if (frame->i < frame->n) {
            *token = frame->tokens[frame->i++];
            self->end_before = self->end;
            self->end = token->end;
            return;
        }
        if (frame->repeat > 0) {
            frame->repeat--;
            frame->i = 0;
        } else {
            self->frame = frame->below;
        }
    }
    read_source(self, token);
}

TgTexToken tg_expander_raw(TgExpander *self)
{
    TgTexToken token;

    read_raw(self, &token);
    return token;
}

TgTexToken tg_expander_raw_nonspace(TgExpander *self)
{
    TgTexToken token;

    tg_expander_skip_space(self);
    do
        token = tg_expander_raw(self);
    while (token.kind == TG_TOK_SPACE);
    return token;
}

static void push_frame(TgExpander *self, const TgTexToken *tokens, guint32 n, guint repeat)
{
    if (n == 0)
        return;

    /* Frames that are used up are dropped, so that tail recursion does not pile them up. */
    while (self->frame != NULL && self->frame->i == self->frame->n && self->frame->repeat == 0)
        self->frame = self->frame->below;

    Frame *frame = tg_arena_alloc(self->arena, sizeof(Frame));
    *frame = (Frame){ self->frame, tokens, n, 0, repeat };
    self->frame = frame;
}

void tg_expander_unread(TgExpander *self, const TgTexToken *token)
{
    self->end = self->end_before;
    if (token->kind == TG_TOK_END)
        return;
    if (self->frame != NULL && self->frame->i > 0 &&
        self->frame->tokens[self->frame->i - 1].text == token->text &&
        self->frame->tokens[self->frame->i - 1].lexeme == token->lexeme) {
        self->frame->i--; /* it came from there: no frame of its own */
        return;
    }

    TgTexToken *copy = tg_arena_alloc(self->arena, sizeof(TgTexToken));
    *copy = *token;
    push_frame(self, copy, 1, 0);
}

void tg_expander_insert(TgExpander *self, TgTexTokens list, guint n)
{
    if (n > 0)
        push_frame(self, list.tokens, list.n, n - 1);
}

/* ---- Arguments ----------------------------------------------------------------------------- */

TgTexTokens tg_expander_take_scratch(TgExpander *self, guint from)
{
    const guint32 n = self->scratch->len - from;
    TgTexToken *tokens = tg_arena_alloc(self->arena, MAX(n, 1) * sizeof(TgTexToken));

    if (n > 0)
        memcpy(tokens, &g_array_index(self->scratch, TgTexToken, from), n * sizeof(TgTexToken));
    g_array_set_size(self->scratch, from);
    self->n_tokens += n;
    if (self->n_tokens > self->max_tokens)
        tg_parse_errors_add(self->errors, TG_PARSE_LIMIT, (guint32) self->lexer.pos,
                            (guint32) self->lexer.pos, "macros expand to more than %u tokens",
                            self->max_tokens);
    return (TgTexTokens){ tokens, n };
}

/* Collect tokens up to the brace that closes the group just opened. */
static TgTexTokens read_group(TgExpander *self, const TgTexToken *open)
{
    const guint from = self->scratch->len;

    for (guint depth = 1;;) {
        const TgTexToken token = tg_expander_raw(self);

        if (token.kind == TG_TOK_END) {
            tg_parse_errors_add(self->errors, TG_PARSE_BRACE, open->start, open->end, "unclosed {");
            break;
        }
        depth += token.kind == TG_TOK_OPEN;
        depth -= token.kind == TG_TOK_CLOSE;
        if (depth == 0)
            break;
        g_array_append_val(self->scratch, token);
    }
    return tg_expander_take_scratch(self, from);
}

gboolean tg_expander_argument(TgExpander *self, TgTexTokens *list)
{
    const TgTexToken token = tg_expander_raw_nonspace(self);

    *list = (TgTexTokens){ NULL, 0 };
    if (token.kind == TG_TOK_OPEN) {
        *list = read_group(self, &token);
        return TRUE;
    }
    if (token.kind == TG_TOK_CLOSE || token.kind == TG_TOK_END) {
        tg_expander_unread(self, &token);
        return FALSE;
    }

    const guint from = self->scratch->len;
    g_array_append_val(self->scratch, token);
    *list = tg_expander_take_scratch(self, from);
    return TRUE;
}

gboolean tg_expander_optional(TgExpander *self, TgTexTokens *list)
{
    TgTexToken space = { .kind = TG_TOK_END };
    TgTexToken token = tg_expander_raw(self);

    for (; token.kind == TG_TOK_SPACE; token = tg_expander_raw(self))
        space = token;
    if (token.kind != TG_TOK_CHAR || token.code != '[') {
        tg_expander_unread(self, &token);
        tg_expander_unread(self, &space);
        return FALSE;
    }

    const TgTexToken open = token;
    const guint from = self->scratch->len;
    for (guint depth = 0;;) {
        token = tg_expander_raw(self);
        if (token.kind == TG_TOK_END || (depth == 0 && token.kind == TG_TOK_CLOSE)) {
            tg_expander_unread(self, &token);
            tg_parse_errors_add(self->errors, TG_PARSE_MISSING_ARGUMENT, open.start, open.end,
                                "unclosed [");
            break;
        }
        if (depth == 0 && tg_token_is_char(&token, ']'))
            break;
        depth += token.kind == TG_TOK_OPEN;
        depth -= token.kind == TG_TOK_CLOSE;
        g_array_append_val(self->scratch, token);
    }
    *list = tg_expander_take_scratch(self, from);
    return TRUE;
}

gboolean tg_expander_star(TgExpander *self)
{
    const TgTexToken token = tg_expander_raw_nonspace(self);

    if (tg_token_is_char(&token, '*'))
        return TRUE;
    tg_expander_unread(self, &token);
    return FALSE;
}

gboolean tg_expander_until(TgExpander *self, const char *name, TgTexTokens *list)
{
    const guint from = self->scratch->len;
    gboolean found = FALSE;
    gint depth = 0;

    while (!found) {
        const TgTexToken token = tg_expander_raw(self);

        depth += token.kind == TG_TOK_OPEN;
        depth -= token.kind == TG_TOK_CLOSE;
        if (token.kind == TG_TOK_END || depth < 0) {
            tg_expander_unread(self, &token);
            break;
        }
        found = depth == 0 && tg_token_is_command(&token, name);
        if (!found)
            g_array_append_val(self->scratch, token);
    }
    *list = tg_expander_take_scratch(self, from);
    return found;
}

/* ---- Expansion ----------------------------------------------------------------------------- */

static gboolean same_token(const TgTexToken *a, const TgTexToken *b)
{
    return a->kind == b->kind &&
           (a->kind == TG_TOK_SPACE || (a->len == b->len && memcmp(a->text, b->text, a->len) == 0));
}

/* Whether the collected tokens from @from on end with @delimiter. */
static gboolean ends_with(const TgExpander *self, guint from, TgTexTokens delimiter)
{
    const guint32 n = self->scratch->len - from;

    if (n < delimiter.n)
        return FALSE;
    for (guint32 i = 0; i < delimiter.n; i++) {
        const TgTexToken *token =
            &g_array_index(self->scratch, TgTexToken, self->scratch->len - delimiter.n + i);
        if (!same_token(token, &delimiter.tokens[i]))
            return FALSE;
    }
    return TRUE;
}

/* An argument that @delimiter ends; one pair of braces around it is removed. */
static gboolean delimited_argument(TgExpander *self, TgTexTokens delimiter, TgTexTokens *list)
{
    const guint from = self->scratch->len;
    gint depth = 0;

    for (;;) {
        const TgTexToken token = tg_expander_raw(self);

        if (token.kind == TG_TOK_END)
            break;
        g_array_append_val(self->scratch, token);
        if (depth == 0 && ends_with(self, from, delimiter)) {
            g_array_set_size(self->scratch, self->scratch->len - delimiter.n);
            *list = tg_expander_take_scratch(self, from);
            if (list->n >= 2 && list->tokens[0].kind == TG_TOK_OPEN &&
                list->tokens[list->n - 1].kind == TG_TOK_CLOSE)
                *list = (TgTexTokens){ list->tokens + 1, list->n - 2 };
            return TRUE;
        }
        depth += token.kind == TG_TOK_OPEN;
        depth -= token.kind == TG_TOK_CLOSE;
        if (depth < 0)
            break;
    }
    g_array_set_size(self->scratch, from);
    return FALSE;
}

/* The tokens of a pattern from @i on up to the next parameter. */
static TgTexTokens delimiter_at(TgTexTokens pattern, guint32 i)
{
    TgTexTokens delimiter = { NULL, 0 };

    if (i < pattern.n)
        delimiter.tokens = pattern.tokens + i;
    while (i + delimiter.n < pattern.n && pattern.tokens[i + delimiter.n].kind != TG_TOK_PARAM)
        delimiter.n++;
    return delimiter;
}

static gboolean read_arguments(TgExpander *self, const TgTexMacro *macro, TgTexTokens *args)
{
    guint n = 0;

    if (macro->has_preset && !tg_expander_optional(self, &args[0]))
        args[0] = macro->preset;
    n += macro->has_preset;

    const TgTexTokens head = delimiter_at(macro->pattern, 0);
    for (guint32 i = 0; i < head.n; i++) {
        const TgTexToken token = tg_expander_raw(self);
        if (!same_token(&token, &head.tokens[i])) {
            tg_expander_unread(self, &token);
            return FALSE;
        }
    }
    for (guint32 i = head.n; n < macro->n_args; n++) {
        const TgTexTokens delimiter = delimiter_at(macro->pattern, MIN(i + 1, macro->pattern.n));

        i += 1 + delimiter.n;
        if (delimiter.n > 0 ? !delimited_argument(self, delimiter, &args[n])
                            : !tg_expander_argument(self, &args[n]))
            return FALSE;
    }
    return TRUE;
}

/* The body with the arguments in place; what is not an argument's points at the call. */
static void substitute_arguments(TgExpander *self, const TgTexToken *call, TgTexTokens body,
                                 const TgTexTokens *args)
{
    const guint from = self->scratch->len;

    for (guint32 i = 0; i < body.n; i++) {
        TgTexToken token = body.tokens[i];

        if (token.kind == TG_TOK_PARAM) {
            const TgTexTokens *arg = &args[token.code - 1];
            if (arg->n > 0)
                g_array_append_vals(self->scratch, arg->tokens, arg->n);
            continue;
        }
        token.start = call->start;
        token.end = call->end;
        token.lexeme = call->lexeme;
        g_array_append_val(self->scratch, token);
    }

    const TgTexTokens result = tg_expander_take_scratch(self, from);
    push_frame(self, result.tokens, result.n, 0);
}

void tg_expander_replace(TgExpander *self, const TgTexToken *call, TgTexTokens body,
                         const TgTexTokens *args)
{
    if (++self->n_expansions > self->max_expansions)
        tg_parse_errors_add(self->errors, TG_PARSE_LIMIT, call->start, call->end,
                            "more than %u macro calls", self->max_expansions);
    else
        substitute_arguments(self, call, body, args);
}

static void expand_macro(TgExpander *self, const TgTexToken *call, const TgTexMacro *macro)
{
    TgTexTokens args[TG_TEX_MAX_ARGS] = { { NULL, 0 } };

    if (++self->n_expansions > self->max_expansions) {
        tg_parse_errors_add(self->errors, TG_PARSE_LIMIT, call->start, call->end,
                            "more than %u macro calls", self->max_expansions);
        return;
    }
    if (!read_arguments(self, macro, args))
        tg_parse_errors_add(self->errors, TG_PARSE_MACRO, call->start, call->end,
                            "the use of %.*s does not match its definition", TG_TOKEN_TEXT(call));
    substitute_arguments(self, call, macro->body, args);
}

TgTexTokens tg_expander_lex(TgExpander *self, const char *text, gsize len, const TgTexToken *owner)
{
    const guint from = self->scratch->len;
    gboolean skip_space = FALSE;
    TgTexToken token;
    TgLexer lexer;

    tg_lexer_init(&lexer, text, len);
    for (;;) {
        tg_token_read(&lexer, &skip_space, &token);
        if (token.kind == TG_TOK_END)
            break;
        if (token.kind == TG_TOK_HASH) {
            tg_token_read(&lexer, &skip_space, &token);
            if (token.kind != TG_TOK_HASH) { /* ## is a hash */
                token.kind = TG_TOK_PARAM;
                token.code -= '0';
            }
        }
        token.start = owner->start;
        token.end = owner->end;
        token.lexeme = owner->lexeme;
        g_array_append_val(self->scratch, token);
    }
    return tg_expander_take_scratch(self, from);
}

/* A macro of LaTeX's own, which the command table gives as text. */
static void expand_command(TgExpander *self, const TgTexToken *call)
{
    const TgCommand *command = call->command;
    const TgTexTokens body = tg_expander_lex(self, command->text, strlen(command->text), call);
    const TgTexMacro macro = { .body = body, .n_args = (guint8) command->value };

    expand_macro(self, call, &macro);
}

/* Whether tokens stand before the rest of the source. */
static gboolean has_frames(const TgExpander *self)
{
    for (const Frame *frame = self->frame; frame != NULL; frame = frame->below) {
        if (frame->i < frame->n || frame->repeat > 0)
            return TRUE;
    }
    return FALSE;
}

/* The next character of the source, whatever it means to TeX; END at the end of the line. */
static TgTexToken read_character(const TgExpander *self, gsize pos)
{
    const TgLexer *lexer = &self->lexer;
    TgTexToken token = { .kind = TG_TOK_END, .text = "" };

    if (pos == lexer->len || lexer->text[pos] == '\n')
        return token;
    token.kind = TG_TOK_CHAR;
    token.text = lexer->text + pos;
    token.len = tg_utf8_decode(token.text, lexer->len - pos, &token.code);
    token.start = (guint32) pos;
    token.end = token.start + token.len;
    return token;
}

gboolean tg_expander_verbatim(TgExpander *self, TgTexTokens *list)
{
    enum { MAX_VERBATIM = 1000 };
    const guint from = self->scratch->len;
    TgTexToken fence = read_character(self, self->lexer.pos);

    if (tg_token_is_char(&fence, '*')) /* \verb* */
        fence = read_character(self, fence.end);
    if (has_frames(self) || fence.kind == TG_TOK_END)
        return FALSE;
    TgTexToken token = read_character(self, fence.end);
    for (guint n = 0; token.kind != TG_TOK_END && n < MAX_VERBATIM; n++) {
        if (token.code == fence.code) {
            self->lexer.pos = self->end = token.end;
            self->skip_space = FALSE;
            *list = tg_expander_take_scratch(self, from);
            for (guint32 i = 0; i < list->n; i++)
                expander_add_lexeme(self, list->tokens[i].start, list->tokens[i].end);
            return TRUE;
        }
        token.lexeme = self->n_lexemes + n;
        if (token.code == ' ') {
            token.kind = TG_TOK_COMMAND;
            token.text = "\\ ";
            token.len = 2;
        }
        g_array_append_val(self->scratch, token);
        token = read_character(self, token.end);
    }
    g_array_set_size(self->scratch, from);
    return FALSE;
}

void tg_expander_look_up(const TgExpander *self, TgTexToken *token)
{
    if (token->kind != TG_TOK_COMMAND || tg_tex_macros_find(&self->macros, token) != NULL)
        return;

    const TgName *name = tg_name_find(token->text + 1, token->len - 1);
    if (name == NULL)
        return;
    if (name->command != NULL)
        token->command = name->command;
    else if (name->symbol != NULL)
        token->symbol = name->symbol;
    else if (!self->errors->strict)
        token->command = name->browser;
}

gboolean tg_expander_lookup(const TgExpander *self, const char *name, TgTexTokens *body)
{
    const TgTexToken key = { .text = name, .len = (guint32) strlen(name) };
    const TgTexMacro *macro = tg_tex_macros_find(&self->macros, &key);

    if (macro == NULL || macro->is_alias)
        return FALSE;
    *body = macro->body;
    return TRUE;
}

/* The meaning of the alias @token, at the place of @token. */
static TgTexToken resolve_alias(const TgTexToken *token, const TgTexMacro *alias)
{
    TgTexToken target = alias->target;

    target.start = token->start;
    target.end = token->end;
    target.lexeme = token->lexeme;
    return target;
}

/* The next token with the user's macros expanded, and where asked for LaTeX's own. */
static inline void read_expanded(TgExpander *self, gboolean expand_own, TgTexToken *token)
{
    for (;;) {
        read_raw(self, token);
        if (token->kind != TG_TOK_COMMAND)
            return;

        const TgTexMacro *macro = tg_tex_macros_find(&self->macros, token);
        if (macro != NULL && !macro->is_alias) {
            expand_macro(self, token, macro);
            continue;
        }
        if (macro != NULL)
            *token = resolve_alias(token, macro);
        tg_expander_look_up(self, token);
        if (!expand_own || token->command == NULL ||
            (token->command->flags & TG_COMMAND_MACRO) == 0)
            return;
        expand_command(self, token);
    }
}

void tg_expander_read(TgExpander *self, TgTexToken *token)
{
    read_expanded(self, TRUE, token);
}

TgTexToken tg_expander_next(TgExpander *self)
{
    TgTexToken token;

    read_expanded(self, TRUE, &token);
    return token;
}

TgTexToken tg_expander_next_user(TgExpander *self)
{
    TgTexToken token;

    read_expanded(self, FALSE, &token);
    return token;
}

TgTexToken tg_expander_next_nonspace(TgExpander *self)
{
    TgTexToken token;

    tg_expander_skip_space(self);
    do
        read_expanded(self, TRUE, &token);
    while (token.kind == TG_TOK_SPACE);
    return token;
}
