/* The core of the parser: lists and their ends, arguments, errors. */
#include "tokenizer/latex/parser.h"

/* ---- Errors -------------------------------------------------------------------------------- */

void tg_parser_fault(TgParser *self, const TgTexToken *token, TgParseErrorKind kind,
                     const char *text)
{
    tg_report(&self->errors, token, kind, "%.*s %s", TG_TOKEN_TEXT(token), text);
}

void tg_parser_forbid(TgParser *self, const TgTexToken *token, TgParseErrorKind kind,
                      const char *text)
{
    tg_refuse(&self->errors, token, TG_PACKAGE_NONE, kind, "%.*s %s", TG_TOKEN_TEXT(token), text);
}

void tg_parser_error_node(TgParser *self, const TgTexToken *token, TgParseErrorKind kind,
                          const char *format, ...)
{
    va_list args;

    if (!tg_parser_alive(self))
        return;

    TgNode *node = tg_parser_node(self, TG_NODE_ERROR, token);
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    node->u.error.index = tg_report(&self->errors, token, kind, "%s", message);
    node->u.error.text = tg_arena_text(&self->tree->arena, token->text, token->len);
    node->token = tg_parser_ink(self, token, TG_INK_ERROR);
    tg_parser_append(self, node);
}

/* ---- Nodes --------------------------------------------------------------------------------- */

TgNode *tg_parser_node(TgParser *self, TgNodeKind kind, const TgTexToken *token)
{
    TgNodeBlock *block = self->blocks;

    if (block == NULL || block->n == block->size) {
        const guint32 size = block == NULL ? 64 : MIN(2 * block->size, 16384);

        block = tg_arena_alloc(&self->tree->arena, sizeof(TgNodeBlock) + size * sizeof(TgNode));
        *block = (TgNodeBlock){ .older = self->blocks, .size = size };
        self->blocks = block;
    }
    if (++self->tree->n_nodes > self->options.max_nodes)
        tg_report(&self->errors, token, TG_PARSE_LIMIT, "the formula has more than %u nodes",
                  self->options.max_nodes);

    TgNode *node = &block->nodes[block->n++];
    *node =
        (TgNode){ .kind = kind, .start = token->start, .end = token->end, .token = TG_NO_TOKEN };
    return node;
}

TgNode *tg_parser_empty_list(TgParser *self, const TgTexToken *token)
{
    TgNode *list = tg_parser_node(self, TG_NODE_LIST, token);

    list->start = list->end;
    return list;
}

TgNode *tg_parser_list_of(TgParser *self, TgNode *item)
{
    const TgTexToken span = { .start = item->start, .end = item->end };
    TgNode *list = tg_parser_node(self, TG_NODE_LIST, &span);

    list->u.list.first = item;
    list->u.list.n_items = 1;
    return list;
}

TgNode *tg_parser_text_of(TgParser *self, const TgTexToken *token, const TgNode *body)
{
    TgNode *text = tg_parser_node(self, TG_NODE_TEXT, token);

    text->u.text.body = body;
    text->u.text.align = 'c';
    return text;
}

guint32 tg_parser_ink(TgParser *self, const TgTexToken *token, guint8 flags)
{
    if (token->lexeme >= self->in.n_lexemes)
        return TG_NO_TOKEN;

    TgLexemeSpan *span = &self->in.lexemes[token->lexeme];
    span->inked = 1;
    span->flags |= flags;
    return token->lexeme;
}

void tg_parser_extend(TgParser *self, TgTexToken *token, guint32 end)
{
    if (token->lexeme >= self->in.n_lexemes)
        return;

    TgLexemeSpan *span = &self->in.lexemes[token->lexeme];
    span->end = token->end = MAX(span->end, end);
}

void tg_parser_append(TgParser *self, TgNode *node)
{
    TgScope *scope = self->scope;

    node->end = MAX(node->end, self->in.end);
    if (scope->last != NULL)
        scope->last->next = node;
    else
        scope->first = node;
    scope->last = node;
    scope->n_items++;
}

void tg_parser_append_math(TgParser *self, const TgTexToken *token, TgNode *node)
{
    if (self->scope->text) {
        TgNode *math = tg_parser_node(self, TG_NODE_MATH, token);

        math->u.body.body = node->kind == TG_NODE_LIST ? node : tg_parser_list_of(self, node);
        node = math;
    }
    tg_parser_append(self, node);
}

TgNode *tg_parser_wrap_last(TgParser *self, TgNodeKind kind)
{
    enum { USUAL = 2 }; /* marks on a letter of some scripts */
    TgScope *scope = self->scope;
    TgNode *last = scope->last;
    const TgTexToken span = { .start = last->start, .end = last->end };

    scope->n_wraps = scope->wrapped == last ? scope->n_wraps + 1 : 1;
    scope->wrapped = last;
    if (scope->n_wraps > USUAL && self->depth + ++self->n_stacked > self->options.max_depth)
        tg_report(&self->errors, &span, TG_PARSE_LIMIT, "more than %u marks and levels of nesting",
                  self->options.max_depth);
    if (self->display.met && self->scope->kind == TG_SCOPE_TOP &&
        self->scope->n_items == self->display.n_items)
        tg_parser_forbid(self, &self->display.open, TG_PARSE_ENVIRONMENT,
                         "is a display of its own, which takes no scripts");
    TgNode *inner = tg_parser_node(self, kind, &span);
    const TgNode outer = *inner;

    *inner = *last;
    *last = outer;
    return inner;
}

void tg_parser_splice(TgParser *self, TgNode *list)
{
    TgScope *scope = self->scope;
    TgNode *first = (TgNode *) list->u.list.first; /* the cast is right while the tree is built */

    if (first == NULL)
        return;
    if (scope->last != NULL)
        scope->last->next = first;
    else
        scope->first = first;
    scope->last = self->tail;
    scope->n_items += list->u.list.n_items;
}

/* The first item since the last \middle. */
static TgNode *first_of_segment(const TgScope *scope)
{
    return scope->segment == NULL ? scope->first : (TgNode *) scope->segment->next;
}

/* Replace the items since the last \middle, which were taken out, by @node. */
static void put_segment(TgScope *scope, TgNode *node)
{
    if (scope->segment != NULL)
        scope->segment->next = node;
    else
        scope->first = node;
    scope->last = node != NULL ? node : scope->segment;
    scope->n_items += node != NULL;
}

TgNode *tg_parser_take_items(TgParser *self)
{
    TgScope *scope = self->scope;
    const TgNode *first = first_of_segment(scope);
    const guint32 at = first != NULL ? first->start : self->in.end;
    const TgTexToken span = { .start = at, .end = first != NULL ? MAX(scope->last->end, at) : at };
    TgNode *list = tg_parser_node(self, TG_NODE_LIST, &span);

    list->u.list.first = first;
    for (const TgNode *item = first; item != NULL; item = item->next)
        list->u.list.n_items++;
    scope->n_items -= list->u.list.n_items;
    put_segment(scope, NULL);
    return list;
}

void tg_parser_finish_infix(TgParser *self)
{
    TgNode *node = self->scope->fraction;

    if (node == NULL)
        return;
    node->u.fraction.den = tg_parser_take_items(self);
    node->end = MAX(node->end, node->u.fraction.den->end);
    self->scope->fraction = NULL;
    if (self->scope->segment != NULL) { /* \middle divides the group into several lists */
        node = tg_parser_list_of(self, node);
        node->u.list.braced = 1;
    }
    put_segment(self->scope, node);
}

void tg_parser_end_segment(TgParser *self)
{
    TgScope *scope = self->scope;
    gboolean switches = scope->fraction != NULL && scope->segment == NULL;

    tg_parser_finish_infix(self);
    self->font = scope->font;
    tg_tex_macros_close_group(&self->in.macros, scope->macros);
    scope->macros = tg_tex_macros_open_group(&self->in.macros);
    for (const TgNode *item = first_of_segment(scope); item != NULL; item = item->next)
        switches |= item->kind == TG_NODE_STYLE || item->kind == TG_NODE_SIZE ||
                    (item->kind == TG_NODE_COLOR && item->u.color.body == NULL);
    if (switches) { /* \over, and switches that do not hold after the \middle */
        TgNode *group = tg_parser_take_items(self);
        group->u.list.braced = 1;
        put_segment(scope, group);
    }
}

/* ---- Lists --------------------------------------------------------------------------------- */

/* Report that the current list ends although no token closes it. */
static void report_unclosed(TgParser *self, const TgScope *scope)
{
    static const struct {
        TgParseErrorKind kind;
        const char *text;
    } scopes[TG_N_SCOPES] = {
        [TG_SCOPE_BRACE] = { TG_PARSE_BRACE, "unclosed {" },
        [TG_SCOPE_BRACKET] = { TG_PARSE_MISSING_ARGUMENT, "unclosed [" },
        [TG_SCOPE_LEFT] = { TG_PARSE_DELIMITER, "\\left without \\right" },
        [TG_SCOPE_GROUP] = { TG_PARSE_BRACE, "\\begingroup without \\endgroup" },
    };
    const TgTexToken *open = &scope->open;

    if (scopes[scope->kind].text != NULL)
        tg_report(&self->errors, open, scopes[scope->kind].kind, "%s", scopes[scope->kind].text);
    else if (scope->kind == TG_SCOPE_DOLLAR || scope->kind == TG_SCOPE_PAREN)
        tg_report(&self->errors, open, TG_PARSE_MODE, "unmatched %.*s", TG_TOKEN_TEXT(open));
    else if (scope->kind == TG_SCOPE_CELL && scope->form == TG_CELL_PLAIN)
        tg_report(&self->errors, open, TG_PARSE_BRACE, "unclosed \\%s{", scope->name);
    else if (scope->kind == TG_SCOPE_CELL && scope->form == TG_CELL_NAMED)
        tg_report(&self->errors, open, TG_PARSE_ENVIRONMENT, "\\begin{%s} without \\end{%s}",
                  scope->name, scope->name);
}

/* End the current list; if @stop has the kind END, no token closed it. */
static void end_list(TgParser *self, TgTexToken stop)
{
    self->scope->closed = 1;
    self->stop = stop;
}

void tg_parser_end_early(TgParser *self, const TgTexToken *token)
{
    report_unclosed(self, self->scope);
    tg_expander_unread(&self->in, token);
    end_list(self, (TgTexToken){ .kind = TG_TOK_END, .text = "" });
}

gboolean tg_parser_close(TgParser *self, const TgTexToken *token, TgScopeKind kind)
{
    if (self->scope->kind == kind) {
        end_list(self, *token);
        return TRUE;
    }
    if (self->open[kind] == 0)
        return FALSE;
    tg_parser_end_early(self, token);
    return TRUE;
}

void tg_parser_close_braced(TgParser *self, const TgTexToken *token)
{
    const TgScope *scope = self->scope; /* a group or a plain \matrix{..} ends */

    while (scope != NULL && scope->kind != TG_SCOPE_BRACE &&
           !(scope->kind == TG_SCOPE_CELL && scope->form == TG_CELL_PLAIN))
        scope = scope->around;
    if (scope == NULL)
        tg_report(&self->errors, token, TG_PARSE_BRACE, "unmatched }");
    else if (scope == self->scope)
        end_list(self, *token);
    else
        tg_parser_end_early(self, token);
}

void tg_parser_close_input(TgParser *self, const TgTexToken *token)
{
    if (self->scope->kind != TG_SCOPE_TOP)
        report_unclosed(self, self->scope);
    else if (self->display.met && self->scope->n_items > self->display.n_items)
        tg_parser_forbid(self, &self->display.open, TG_PARSE_ENVIRONMENT,
                         "is a display of its own, with nothing beside it");
    end_list(self, *token);
}

/* Set the span of a list: its braces, if it has any, or else its items. */
static void set_span(const TgParser *self, TgNode *list, const TgScope *scope)
{
    const gboolean delimited = scope->kind == TG_SCOPE_BRACE || scope->kind == TG_SCOPE_BRACKET;

    if (delimited && !scope->single && scope->open.kind != TG_TOK_COMMAND) {
        list->end = MAX(list->end, self->in.end);
        return;
    }
    list->start = scope->first != NULL ? scope->first->start : scope->open.end;
    list->end = MAX(list->start, scope->last != NULL ? scope->last->end : 0);
}

TgScope *tg_parser_cell(const TgParser *self)
{
    TgScope *scope = self->scope;

    while (scope != NULL && (scope->kind == TG_SCOPE_LEFT || scope->kind == TG_SCOPE_GROUP ||
                             scope->kind == TG_SCOPE_BRACKET))
        scope = scope->around;
    return scope != NULL && scope->kind == TG_SCOPE_CELL ? scope : NULL;
}

gboolean tg_parser_update_paragraphs(TgParser *self)
{
    self->in.words = !self->short_text && self->scope != NULL &&
                     (self->scope->text || self->paragraph_depth > 0);
    return self->in.words;
}

TgNode *tg_parser_read_list(TgParser *self, TgScope *scope)
{
    TgNode *list = tg_parser_node(self, TG_NODE_LIST, &scope->open);

    scope->around = self->scope;
    scope->font = self->font;
    if (scope->text) /* no alphabet of mathematics reaches words, and formulas in them */
        self->font.alphabet = TG_ALPHABET_DEFAULT;
    scope->macros = tg_tex_macros_open_group(&self->in.macros);
    self->scope = scope;
    tg_parser_update_paragraphs(self);
    self->open[scope->kind]++;
    if (++self->depth > self->options.max_depth)
        tg_report(&self->errors, &scope->open, TG_PARSE_LIMIT, "more than %u levels of nesting",
                  self->options.max_depth);

    do {
        if (!scope->text)
            tg_expander_skip_space(&self->in);
        const TgTexToken token = tg_expander_next(&self->in);
        tg_parser_read_item(self, &token);
    } while (!scope->closed && !scope->single);

    tg_parser_finish_infix(self);
    self->depth--;
    self->open[scope->kind]--;
    self->tail = scope->last;
    self->late = scope->late;
    self->scope = scope->around;
    tg_parser_update_paragraphs(self);
    if (scope->kind != TG_SCOPE_LEFT)
        tg_parser_read_late(self, scope->late);
    self->font = scope->font;
    tg_tex_macros_close_group(&self->in.macros, scope->macros);
    list->u.list.first = scope->first;
    list->u.list.n_items = scope->n_items;
    set_span(self, list, scope);
    return list;
}

TgNode *tg_parser_list(TgParser *self, TgScopeKind kind, gboolean text, const TgTexToken *open)
{
    TgScope scope = { .kind = kind, .text = text != FALSE, .open = *open };

    return tg_parser_read_list(self, &scope);
}

TgNode *tg_parser_sublist(TgParser *self, TgTexTokens list, gboolean text, const TgTexToken *owner)
{
    TgTexToken *tokens = tg_arena_alloc(self->in.arena, ((gsize) list.n + 1) * sizeof(TgTexToken));

    if (list.n > 0)
        memcpy(tokens, list.tokens, list.n * sizeof(TgTexToken));
    tokens[list.n] = tg_token_made(NULL, TG_TOK_CLOSE, "}");
    tokens[list.n].start = tokens[list.n].end = owner->end;
    tg_expander_insert(&self->in, (TgTexTokens){ tokens, list.n + 1 }, 1);
    return tg_parser_list(self, TG_SCOPE_BRACE, text, owner);
}

TgNode *tg_parser_latex(TgParser *self, const char *latex, gboolean text, const TgTexToken *token)
{
    return tg_parser_sublist(self, tg_expander_lex(&self->in, latex, strlen(latex), token), text,
                             token);
}

void tg_parser_read_instead(TgParser *self, const TgTexToken *token, const TgTexTokens *args,
                            const char *format, ...)
{
    va_list values;

    va_start(values, format);
    g_autofree char *latex = g_strdup_vprintf(format, values);
    va_end(values);
    const gsize len = strlen(latex);
    const char *kept = tg_arena_text(self->in.arena, latex, len);
    tg_expander_replace(&self->in, token, tg_expander_lex(&self->in, kept, len, token), args);
}

/* ---- Arguments ----------------------------------------------------------------------------- */

/* Whether @token ends a list, so that it cannot be an argument. */
static gboolean ends_list(const TgParser *self, const TgTexToken *token)
{
    if (tg_token_is_char(token, ']'))
        return self->scope->kind == TG_SCOPE_BRACKET;
    return token->kind == TG_TOK_END || token->kind == TG_TOK_CLOSE ||
           token->kind == TG_TOK_AMPERSAND || token->kind == TG_TOK_DOLLAR ||
           (token->command != NULL && (token->command->flags & TG_COMMAND_ENDS) != 0);
}

static void report_missing(TgParser *self, const TgTexToken *owner, const char *wants)
{
    tg_report(&self->errors, owner, TG_PARSE_MISSING_ARGUMENT, "%.*s needs %s",
              TG_TOKEN_TEXT(owner), wants);
}

/* The argument that begins with @token, if it is a group; an empty list, reported as missing, if
 * @token ends a list; else NULL. */
static TgNode *group_or_nothing(TgParser *self, const TgTexToken *owner, const TgTexToken *token,
                                gboolean text, const char *wants)
{
    if (token->kind == TG_TOK_OPEN) {
        TgNode *list = tg_parser_list(self, TG_SCOPE_BRACE, text, token);
        list->u.list.braced = 1;
        return list;
    }
    if (!ends_list(self, token))
        return NULL;
    tg_expander_unread(&self->in, token);
    report_missing(self, owner, wants);
    return tg_parser_empty_list(self, owner);
}

TgNode *tg_parser_single(TgParser *self, const TgTexToken *token, gboolean text)
{
    TgScope scope = { .kind = TG_SCOPE_BRACE, .text = text != FALSE, .single = 1, .open = *token };

    tg_expander_unread(&self->in, token);
    return tg_parser_read_list(self, &scope);
}

static gboolean is_accent(const TgTexToken *token)
{
    return token->symbol != NULL && token->symbol->kind == TG_SYMBOL_ACCENT;
}

static TgNode *read_argument(TgParser *self, const TgTexToken *owner, gboolean text,
                             const char *wants)
{
    TgTexToken token = tg_expander_raw_nonspace(&self->in);

    tg_expander_look_up(&self->in, &token);
    TgNode *list = group_or_nothing(self, owner, &token, text, wants);
    if (list != NULL)
        return list;
    if (is_accent(owner) &&
        is_accent(&token)) /* amsmath's accents find the base of an accent without braces */
        return tg_parser_single(self, &token, text);
    if (is_accent(&token) ||
        (token.command != NULL && (token.command->flags & TG_COMMAND_ARGS) != 0)) {
        /* the command needs arguments: TeX refuses it as an argument, but the meaning is clear */
        tg_report(&self->errors, &token, TG_PARSE_MISSING_ARGUMENT,
                  "%.*s needs braces as the argument of %.*s", TG_TOKEN_TEXT(&token),
                  TG_TOKEN_TEXT(owner));
        return tg_parser_single(self, &token, text);
    }

    /* one token, whose expansion ends with it */
    list = tg_parser_sublist(self, (TgTexTokens){ &token, 1 }, text, owner);
    list->start = token.start;
    list->end = MAX(list->end, token.end);
    return list;
}

TgNode *tg_parser_argument(TgParser *self, const TgTexToken *owner, const char *wants)
{
    const guint8 alphabet = self->font.alphabet;

    if (owner->command != NULL && (owner->command->flags & TG_COMMAND_OWN) != 0)
        self->font.alphabet = TG_ALPHABET_DEFAULT;
    TgNode *list = read_argument(self, owner, FALSE, wants);
    self->font.alphabet = alphabet;
    return list;
}

TgNode *tg_parser_text_argument(TgParser *self, const TgTexToken *owner, const char *wants)
{
    return read_argument(self, owner, TRUE, wants);
}

/* Whether TeX reports a missing { if @token is a script, because its expansion does not begin with
 * one character, or ends in \limits (large operators, except after \mathop). */
static gboolean needs_braces_as_script(const TgTexToken *token, const TgTexToken *owner)
{
    /* the beginnings of composites that begin with no character: a space, a separate atom, an
     * integral's kerns */
    static const char *const beginnings[] = { "\\;",       "\\!",         "\\mskip",
                                              "\\mathrel", "\\mathinner", "\\mathop" };
    const TgSymbol *symbol = token->symbol;

    if (token->command != NULL)
        return (token->command->flags & TG_COMMAND_GROUP) == 0;
    if (symbol == NULL)
        return tg_token_is_char(token, '\'');
    if (symbol->kind == TG_SYMBOL_COMPOSITE) {
        for (guint i = 0; i < G_N_ELEMENTS(beginnings); i++) {
            if (g_str_has_prefix(symbol->latex, beginnings[i]))
                return TRUE;
        }
        return symbol->math_class == TG_CLASS_OP;
    }
    /* amsmath's large operators are macros that end in \limits, except three characters */
    return symbol->kind != TG_SYMBOL_CHAR ||
           (symbol->math_class == TG_CLASS_OP && symbol->family == TG_MATH_FAMILY_LARGE &&
            !tg_token_is_command_of(token, "smallint intop ointop") &&
            !tg_token_is_command(owner, "mathop"));
}

TgNode *tg_parser_script_argument(TgParser *self, const TgTexToken *owner)
{
    TgTexToken token = tg_expander_next_nonspace(&self->in);

    TgNode *list = group_or_nothing(self, owner, &token, FALSE, "an argument");

    if (list != NULL)
        return list;
    if (token.command != NULL && token.command->action == TG_ACTION_OPEN_BRACE) {
        list = tg_parser_list(self, TG_SCOPE_BRACE, FALSE, &token);
        list->u.list.braced = 1;
        return list;
    }
    if (token.kind == TG_TOK_SUP || token.kind == TG_TOK_SUB || token.kind == TG_TOK_HASH) {
        tg_report(&self->errors, &token, TG_PARSE_SCRIPT, "%.*s cannot be the argument of %.*s",
                  TG_TOKEN_TEXT(&token), TG_TOKEN_TEXT(owner));
        token.kind = TG_TOK_CHAR;
        token.code = (guchar) token.text[0];
    } else if (needs_braces_as_script(&token, owner)) {
        tg_report(&self->errors, &token, TG_PARSE_SCRIPT,
                  "%.*s needs braces as the argument of %.*s", TG_TOKEN_TEXT(&token),
                  TG_TOKEN_TEXT(owner));
    }
    return tg_parser_single(self, &token, FALSE);
}

TgNode *tg_parser_optional(TgParser *self)
{
    const TgTexToken token = tg_expander_raw_nonspace(&self->in);

    if (tg_token_is_char(&token, '[')) {
        const TgTexToken first = tg_expander_raw(&self->in);

        tg_expander_unread(&self->in, &first);
        TgNode *list = tg_parser_list(self, TG_SCOPE_BRACKET, self->scope->text, &token);
        const TgNode *only = tg_list_only(list, TG_NODE_LIST);
        if (first.kind == TG_TOK_OPEN && only != NULL)
            list->u.list = only->u.list; /* TeX takes the braces of the whole argument off */
        return list;
    }
    tg_expander_unread(&self->in, &token);
    return NULL;
}

void tg_parser_reread(TgParser *self, TgTexTokens list, const TgTexToken *owner)
{
    TgTexToken stop = tg_token_made(NULL, TG_TOK_CLOSE, "}");

    stop.start = owner->start;
    stop.end = MAX(owner->start, self->in.end);
    tg_expander_unread(&self->in, &stop);
    tg_expander_insert(&self->in, list, 1);
}

char *tg_parser_spelling(TgTexTokens list)
{
    return g_strstrip(tg_tex_tokens_text(list));
}

gboolean tg_parser_tokens_argument(TgParser *self, const TgTexToken *owner, const char *wants,
                                   TgTexTokens *list)
{
    if (tg_expander_argument(&self->in, list))
        return TRUE;
    report_missing(self, owner, wants);
    return FALSE;
}

char *tg_parser_string_argument(TgParser *self, const TgTexToken *owner, const char *wants)
{
    TgTexTokens list;

    return tg_parser_tokens_argument(self, owner, wants, &list) ? tg_parser_spelling(list) : NULL;
}

char *tg_parser_string_optional(TgParser *self)
{
    TgTexTokens list;

    return tg_expander_optional(&self->in, &list) ? tg_parser_spelling(list) : NULL;
}
