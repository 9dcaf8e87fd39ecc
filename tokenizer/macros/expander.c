/* The expander: tokens from the source and from macros, in the order TeX would see them. */
#include "tokenizer/macros/expander.h"

#include "core/deadline.h"
#include "core/hash.h"
#include "core/utf8.h"

/* ---- Tokens from lexemes ------------------------------------------------------------------- */

#define C TG_TOK_CHAR

/* Kinds of the characters of ASCII that are tokens by themselves; 0 for all others. */
static const guint8 plain_kinds[256] = {
    /* clang-format off */
    ['!'] =
       /* ! */ C, C, TG_TOK_HASH, TG_TOK_DOLLAR, /* % */ 0, TG_TOK_AMPERSAND, C, C, C, C, C, C, C, C, C,
    /* 0 */ C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
    /* @ */ C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
    /* P */ C, C, C, C, C, C, C, C, C, C, C, C, /* \\ */ 0, C, TG_TOK_SUP, TG_TOK_SUB,
    /* ` */ C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
    /* p */ C, C, C, C, C, C, C, C, C, C, C, TG_TOK_OPEN, C, TG_TOK_CLOSE, TG_TOK_TILDE,
    /* clang-format on */
};

/* A comment includes the end of its line and the spaces at the beginning of the next one. */
static void token_skip_comment(TgLexer *lexer)
{
    const char *from = lexer->text + lexer->pos;
    const char *newline = memchr(from, '\n', lexer->len - lexer->pos);

    lexer->pos = newline != NULL ? (gsize) (newline - lexer->text) + 1 : lexer->len;
    while (lexer->pos < lexer->len && strchr(" \t\r\n", lexer->text[lexer->pos]) != NULL &&
           lexer->text[lexer->pos] != '\0')
        lexer->pos++;
}

/* Characters without a shape: joiners, directions of writing, tags, variants of the character
 * before. */
static gboolean is_invisible(gunichar code)
{
    if (code < 0xAD)
        return FALSE;
    if ((code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0000 && code <= 0xE0FFF) ||
        (code >= 0x180B && code <= 0x180F) || code == 0x034F || code == 0x115F || code == 0x1160 ||
        code == 0x17B4 || code == 0x17B5 || code == 0x3164 || code == 0xFFA0)
        return TRUE;
    return g_unichar_type(code) == G_UNICODE_FORMAT &&
           !((code >= 0x0600 && code <= 0x070F) || code == 0x0890 || code == 0x0891 ||
             code == 0x08E2 || code == 0x110BD || code == 0x110CD ||
             (code >= 0x13430 && code <= 0x1345F)); /* signs of Arabic, Kaithi, hieroglyphs */
}

/* Read the next lexeme, which is more than a character of ASCII. */
static G_NO_INLINE void read_lexeme(TgLexer *lexer, gboolean *skip_space, TgTexToken *token)
{
    TgLexeme lexeme = tg_lexer_next(lexer);

    while ((lexeme.kind == TG_LEX_SPACE && *skip_space) ||
           (lexeme.kind == TG_LEX_CHARACTER && (lexeme.code == '%' || is_invisible(lexeme.code)))) {
        if (lexeme.kind == TG_LEX_CHARACTER && lexeme.code == '%')
            token_skip_comment(lexer);
        lexeme = tg_lexer_next(lexer);
    }

    *token = (TgTexToken){
        .text = lexer->text + lexeme.start,
        .len = (guint32) lexeme.len,
        .code = lexeme.code,
        .start = (guint32) lexeme.start,
        .end = (guint32) (lexeme.start + lexeme.len),
        .kind = TG_TOK_COMMAND,
    };
    *skip_space = lexeme.kind == TG_LEX_CONTROL_WORD || lexeme.kind == TG_LEX_BACKSLASH;
    if (lexeme.kind == TG_LEX_END) {
        token->kind = TG_TOK_END;
    } else if (lexeme.kind == TG_LEX_SPACE) {
        token->kind = TG_TOK_SPACE;
    } else if (lexeme.kind == TG_LEX_CHARACTER) {
        token->kind = TG_TOK_CHAR;
        if (lexeme.code < G_N_ELEMENTS(plain_kinds) && plain_kinds[lexeme.code] != 0)
            token->kind = plain_kinds[lexeme.code];
    } else if (lexeme.kind == TG_LEX_BACKSLASH) {
        token->text = "\\ ";
        token->len = 2;
    }
}

/* ^^41, an A by its code in two small hexadecimal digits. */
static gboolean read_hexadecimal(TgLexer *lexer, TgTexToken *token)
{
    static const char characters[] =
        "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]"
        "^_`abcdefghijklmnopqrstuvwxyz{|}~";
    const char *at = lexer->text + lexer->pos;
    guint code = 0;

    if (lexer->len - lexer->pos < 4 || at[1] != '^')
        return FALSE;
    for (guint i = 2; i < 4; i++) {
        if (!g_ascii_isdigit(at[i]) && !(at[i] >= 'a' && at[i] <= 'f'))
            return FALSE;
        code = 16 * code + (guint) g_ascii_xdigit_value(at[i]);
    }
    if (code >= G_N_ELEMENTS(plain_kinds) || plain_kinds[code] == 0)
        return FALSE;
    *token = (TgTexToken){ .text = characters + (code - '!'),
                           .len = 1,
                           .code = code,
                           .start = (guint32) lexer->pos,
                           .end = (guint32) lexer->pos + 4,
                           .kind = plain_kinds[code] };
    lexer->pos += 4;
    return TRUE;
}

/* The next token of a text, its span being bytes of that text, without comments; END at the end.
 * @skip_space: (inout) whether white space comes after a control word, FALSE at first */
static void token_read(TgLexer *lexer, gboolean *skip_space, TgTexToken *token)
{
    gsize at = lexer->pos;

    while (*skip_space && at < lexer->len && lexer->text[at] == ' ')
        at++; /* the usual one, without a lexeme */

    const guchar code = at < lexer->len ? (guchar) lexer->text[at] : '\0';
    lexer->pos = at;
    if (code == '^' && read_hexadecimal(lexer, token)) {
        *skip_space = FALSE;
        return;
    }
    if (plain_kinds[code] == 0) {
        read_lexeme(lexer, skip_space, token);
        return;
    }
    lexer->pos++;
    *skip_space = FALSE;
    *token = (TgTexToken){ .text = lexer->text + at,
                           .len = 1,
                           .code = code,
                           .start = (guint32) at,
                           .end = (guint32) at + 1,
                           .kind = plain_kinds[code] };
}

/* Make @token stand where @at does. */
static inline void place_token(TgTexToken *token, const TgTexToken *at)
{
    token->start = at->start;
    token->end = at->end;
    token->lexeme = at->lexeme;
}

TgTexToken tg_token_made(const TgTexToken *at, TgTexTokenKind kind, const char *text)
{
    TgTexToken token = { .text = text,
                         .len = (guint32) strlen(text),
                         .code = kind == TG_TOK_COMMAND ? 0 : (guchar) text[0],
                         .kind = (guint8) kind };

    if (at != NULL)
        place_token(&token, at);
    return token;
}

TgTexTokens tg_tex_tokens_trim(TgTexTokens list)
{
    for (; list.n > 0 && list.tokens[0].kind == TG_TOK_SPACE; list.n--)
        list.tokens++;
    while (list.n > 0 && list.tokens[list.n - 1].kind == TG_TOK_SPACE)
        list.n--;
    return list;
}

char *tg_tex_tokens_text(TgTexTokens list)
{
    GString *text = g_string_new(NULL);

    for (guint32 i = 0; i < list.n; i++)
        g_string_append_len(text, list.tokens[i].text, list.tokens[i].len);
    return g_string_free(text, FALSE);
}

guint32 tg_tex_tokens_item_end(TgTexTokens list, guint32 at)
{
    guint depth = 0;

    do {
        depth += list.tokens[at].kind == TG_TOK_OPEN;
        depth -= list.tokens[at].kind == TG_TOK_CLOSE && depth > 0;
        at++;
    } while (depth > 0 && at < list.n);
    return at;
}

gboolean tg_token_is_command_of(const TgTexToken *token, const char *names)
{
    if (token->kind != TG_TOK_COMMAND)
        return FALSE;
    for (gsize n; (n = strcspn(names, " ")) > 0; names += n + (names[n] == ' ')) {
        if (n == token->len - 1 && memcmp(names, token->text + 1, n) == 0)
            return TRUE;
    }
    return FALSE;
}

/* ---- The user's macros --------------------------------------------------------------------- */

/* Keys are tokens, compared by their spelling. */
static guint hash_name(gconstpointer key)
{
    const TgTexToken *token = key;

    return (guint) tg_hash_bytes(token->text, token->len);
}

static gboolean equal_names(gconstpointer a, gconstpointer b)
{
    const TgTexToken *left = a, *right = b;

    return left->len == right->len && memcmp(left->text, right->text, left->len) == 0;
}

/* A definition to restore at the end of the group. */
typedef struct {
    const TgTexToken *name;
    const TgTexMacro *before; /* NULL: undefined */
} Saved;

static void save_definition(TgTexMacros *self, const TgTexToken *name, const TgTexMacro *macro)
{
    TgTexToken *key = tg_arena_alloc(self->arena, sizeof(TgTexToken));
    TgTexMacro *copy = tg_arena_alloc(self->arena, sizeof(TgTexMacro));

    *key = *name;
    *copy = *macro;
    copy->is_global = (guint8) self->is_global;
    self->is_global = FALSE;
    if (self->by_name == NULL) {
        self->by_name = g_hash_table_new(hash_name, equal_names);
        self->saved = g_array_new(FALSE, FALSE, sizeof(Saved));
    }

    const Saved saved = { key, g_hash_table_lookup(self->by_name, key) };
    g_array_append_val(self->saved, saved);
    g_hash_table_replace(self->by_name, key, copy);
}

guint tg_tex_macros_open_group(const TgTexMacros *self)
{
    return self->saved != NULL ? self->saved->len : 0;
}

void tg_tex_macros_close_group(TgTexMacros *self, guint mark)
{
    while (self->saved != NULL && self->saved->len > mark) {
        const Saved *saved = &g_array_index(self->saved, Saved, self->saved->len - 1);
        const TgTexMacro *now = g_hash_table_lookup(self->by_name, saved->name);

        if (saved->before != NULL && !now->is_global)
            g_hash_table_replace(self->by_name, (gpointer) saved->name, (gpointer) saved->before);
        else if (!now->is_global)
            g_hash_table_remove(self->by_name, saved->name);
        g_array_set_size(self->saved, self->saved->len - 1);
    }
}

/* The characters of an argument in the kinds of a macro. */
#define KIND_SIZE 3

/* ---- Frames -------------------------------------------------------------------------------- */

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

/* The next blank line from @at on; those at the end of the source do not count. */
static gsize find_blank_line(const char *source, gsize len, gsize at)
{
    while (len > 0 && g_ascii_isspace(source[len - 1]))
        len--;
    for (const char *newline;
         at < len && (newline = memchr(source + at, '\n', len - at)) != NULL;) {
        gsize end = (gsize) (newline - source) + 1;

        while (end < len && (source[end] == ' ' || source[end] == '\t' || source[end] == '\r'))
            end++;
        if (end < len && source[end] == '\n')
            return end;
        at = end;
    }
    return G_MAXSIZE;
}

/* An empty token at the offset @at of the source. */
static TgTexToken token_at(gsize at)
{
    return (TgTexToken){ .start = (guint32) at, .end = (guint32) at };
}

/* TeX has a \par where the lexer has passed a blank line. */
static G_NO_INLINE void pass_blank_line(TgExpander *self)
{
    const TgTexToken at = token_at(self->blank_line);

    if (!self->words)
        tg_refuse(self->errors, &at, TG_PACKAGE_NONE, TG_PARSE_MODE,
                  "a blank line is not allowed in mathematics");
    self->blank_line = find_blank_line(self->lexer.text, self->lexer.len, self->lexer.pos);
}

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
        .lexer = { source, len, 0 },
    };
    while (self->lexer.pos < len && g_ascii_isspace(source[self->lexer.pos]))
        self->lexer.pos++;
    self->blank_line = find_blank_line(source, len, self->lexer.pos);
    self->lexer.pos = 0;
}

void tg_expander_clear(TgExpander *self)
{
    g_array_unref(self->scratch);
    g_clear_pointer(&self->macros.by_name, g_hash_table_unref);
    g_clear_pointer(&self->macros.saved, g_array_unref);
}

/* ---- Reading ------------------------------------------------------------------------------- */

static void add_lexeme(TgExpander *self, guint32 start, guint32 end)
{
    if (self->n_lexemes == self->max_lexemes) {
        self->max_lexemes = MAX(2 * self->max_lexemes, FIRST_LEXEMES);
        self->lexemes =
            tg_arena_regrow(self->arena, self->lexemes, self->n_lexemes * sizeof(TgLexemeSpan),
                            self->max_lexemes * sizeof(TgLexemeSpan));
    }
    self->lexemes[self->n_lexemes++] = (TgLexemeSpan){ .start = start, .end = end };
}

/* tg_expander_raw(), which writes a token where it is wanted. */
static inline void read_raw(TgExpander *self, TgTexToken *token)
{
    if (self->errors->stopped || tg_deadline_spend(10)) {
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
    token_read(&self->lexer, &self->skip_space, token);
    if (G_UNLIKELY(self->lexer.pos > self->blank_line))
        pass_blank_line(self);
    self->end_before = self->end;
    self->end = token->end;
    token->lexeme = self->n_lexemes;
    if (token->kind != TG_TOK_END)
        add_lexeme(self, token->start, token->end);
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
    const TgTexToken at = token_at(self->lexer.pos);
    self->n_tokens += n;
    if (self->n_tokens > self->max_tokens)
        tg_report(self->errors, &at, TG_PARSE_LIMIT, "macros expand to more than %u tokens",
                  self->max_tokens);
    return (TgTexTokens){ tokens, n };
}

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

/* Collect tokens up to @end outside of groups, and outside of pairs of @open, if it is not 0, and
 * @end. Returns: the token that ends them; the end of the input or a closing brace, if that comes
 * first. The tokens before it are in the scratch array. */
static TgTexToken collect_tokens(TgExpander *self, TgTexTokens end, gunichar open)
{
    const guint from = self->scratch->len;

    for (guint depth = 0, n_pairs = 0;;) {
        const TgTexToken token = tg_expander_raw(self);

        if (token.kind == TG_TOK_END || (token.kind == TG_TOK_CLOSE && depth == 0))
            return token;
        g_array_append_val(self->scratch, token);
        if (depth == 0 && end.n > 0 && ends_with(self, from, end) && n_pairs-- == 0) {
            g_array_set_size(self->scratch, self->scratch->len - end.n);
            return token;
        }
        n_pairs += depth == 0 && open != 0 && tg_token_is_char(&token, open);
        depth += token.kind == TG_TOK_OPEN;
        depth -= token.kind == TG_TOK_CLOSE;
    }
}

/* Whether @last, which collect_tokens() returned, stands where its tokens should go on. */
static gboolean is_too_early(const TgTexToken *last)
{
    return last->kind == TG_TOK_END || last->kind == TG_TOK_CLOSE;
}

gboolean tg_expander_argument(TgExpander *self, TgTexTokens *list)
{
    const TgTexToken token = tg_expander_raw_nonspace(self);

    *list = (TgTexTokens){ NULL, 0 };
    if (token.kind == TG_TOK_CLOSE || token.kind == TG_TOK_END) {
        tg_expander_unread(self, &token);
        return FALSE;
    }

    const guint from = self->scratch->len;
    if (token.kind != TG_TOK_OPEN)
        g_array_append_val(self->scratch, token);
    else if (collect_tokens(self, (TgTexTokens){ NULL, 0 }, 0).kind == TG_TOK_END)
        tg_report(self->errors, &token, TG_PARSE_BRACE, "unclosed {");
    *list = tg_expander_take_scratch(self, from);
    return TRUE;
}

gboolean tg_expander_between(TgExpander *self, const char *open, const char *close, gboolean pairs,
                             TgTexTokens *list)
{
    const TgTexToken end = tg_token_made(NULL, TG_TOK_CHAR, close);
    TgTexToken space = { .kind = TG_TOK_END };
    TgTexToken token = tg_expander_raw(self);

    for (; token.kind == TG_TOK_SPACE; token = tg_expander_raw(self))
        space = token;
    if (!tg_token_is_char(&token, (guchar) open[0])) {
        tg_expander_unread(self, &token);
        tg_expander_unread(self, &space);
        return FALSE;
    }

    const guint from = self->scratch->len;
    const TgTexToken last =
        collect_tokens(self, (TgTexTokens){ &end, 1 }, pairs ? (guchar) open[0] : 0);
    if (is_too_early(&last)) {
        tg_expander_unread(self, &last);
        tg_report(self->errors, &token, TG_PARSE_MISSING_ARGUMENT, "unclosed %s", open);
    }
    *list = tg_expander_take_scratch(self, from);
    return TRUE;
}

gboolean tg_expander_optional(TgExpander *self, TgTexTokens *list)
{
    return tg_expander_between(self, "[", "]", FALSE, list);
}

gboolean tg_expander_optional_here(TgExpander *self, TgTexTokens *list)
{
    const TgTexToken next = tg_expander_raw(self);

    tg_expander_unread(self, &next);
    return tg_token_is_char(&next, '[') && tg_expander_optional(self, list);
}

static gboolean take_char(TgExpander *self, char code)
{
    const TgTexToken token = tg_expander_raw(self);

    if (tg_token_is_char(&token, (guchar) code))
        return TRUE;
    tg_expander_unread(self, &token);
    return FALSE;
}

gboolean tg_expander_star(TgExpander *self)
{
    return take_char(self, '*');
}

/* A delimited argument without the braces around all of it, as TeX reads it: {a}b{c} has none. */
static TgTexTokens without_braces(TgTexTokens list)
{
    guint32 depth = 0;

    for (guint32 i = 0; i < list.n; i++) {
        depth += list.tokens[i].kind == TG_TOK_OPEN;
        depth -= list.tokens[i].kind == TG_TOK_CLOSE;
        if (depth == 0)
            return i > 0 && i + 1 == list.n ? (TgTexTokens){ list.tokens + 1, list.n - 2 } : list;
    }
    return list;
}

gboolean tg_expander_until(TgExpander *self, const char *command, TgTexTokens *list)
{
    const TgTexToken end = tg_token_made(NULL, TG_TOK_COMMAND, command);
    const guint from = self->scratch->len;
    const TgTexToken last = collect_tokens(self, (TgTexTokens){ &end, 1 }, 0);
    const gboolean found = !is_too_early(&last);

    if (!found)
        tg_expander_unread(self, &last);
    *list = without_braces(tg_expander_take_scratch(self, from));
    return found;
}

/* ---- Expansion ----------------------------------------------------------------------------- */

/* An argument that @delimiter ends; one pair of braces around it is removed. */
static gboolean delimited_argument(TgExpander *self, TgTexTokens delimiter, TgTexTokens *list)
{
    const guint from = self->scratch->len;
    const TgTexToken last = collect_tokens(self, delimiter, 0);

    if (is_too_early(&last)) {
        g_array_set_size(self->scratch, from);
        return FALSE;
    }
    *list = without_braces(tg_expander_take_scratch(self, from));
    return TRUE;
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

/* The parameters in @list, a bit each. */
static guint parameters_of(TgTexTokens list)
{
    guint bits = 0;

    for (guint32 i = 0; i < list.n; i++)
        if (list.tokens[i].kind == TG_TOK_PARAM)
            bits |= 1u << (list.tokens[i].code - 1);
    return bits;
}

/* @body with the arguments in place. Its own tokens point at @call, unless that is NULL. */
static TgTexTokens fill_parameters(TgExpander *self, const TgTexToken *call, TgTexTokens body,
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
        if (call != NULL)
            place_token(&token, call);
        g_array_append_val(self->scratch, token);
    }
    return tg_expander_take_scratch(self, from);
}

static gboolean read_arguments(TgExpander *self, const TgTexMacro *macro, TgTexTokens *args)
{
    const TgTexTokens head = delimiter_at(macro->pattern, 0);
    guint missing = 0; /* a bit of each argument that is not there */

    for (guint32 i = 0; i < head.n; i++) {
        const TgTexToken token = tg_expander_raw(self);
        if (!same_token(&token, &head.tokens[i])) {
            tg_expander_unread(self, &token);
            return FALSE;
        }
    }
    for (guint32 i = head.n, n = 0; n < macro->n_args; n++) {
        const TgTexTokens delimiter = delimiter_at(macro->pattern, MIN(i + 1, macro->pattern.n));
        const char *kind = macro->kinds != NULL ? macro->kinds + KIND_SIZE * n : "m";
        const char open[] = { kind[0] != 'm' ? kind[1] : '\0', '\0' };

        i += 1 + delimiter.n;
        if (kind[0] == 's') { /* the first of two texts with the star, else the second */
            args[n] = (TgTexTokens){ macro->presets[n].tokens + !take_char(self, open[0]), 1 };
        } else if (kind[0] != 'm') {
            const char close[] = { kind[2], '\0' };
            if (!tg_expander_between(self, open, close, kind[0] == 'd', &args[n]))
                missing |= 1u << n;
        } else if (delimiter.n > 0 ? !delimited_argument(self, delimiter, &args[n])
                                   : !tg_expander_argument(self, &args[n])) {
            return FALSE;
        }
    }
    /* a preset may name other arguments, which may be missing, too */
    for (guint32 round = 0; missing != 0 && round < macro->n_args; round++)
        for (guint32 n = 0; n < macro->n_args; n++) {
            const guint needed = (missing & 1u << n) != 0 ? parameters_of(macro->presets[n]) : 0;
            if ((missing & 1u << n) == 0 || (missing & needed) != 0)
                continue;
            args[n] = needed != 0 ? fill_parameters(self, NULL, macro->presets[n], args)
                                  : macro->presets[n];
            missing &= ~(1u << n);
        }
    return TRUE;
}

/* Count the call of a macro. Returns: whether it is within bounds. */
static gboolean count_call(TgExpander *self, const TgTexToken *call)
{
    if (++self->n_expansions <= self->max_expansions)
        return TRUE;
    tg_report(self->errors, call, TG_PARSE_LIMIT, "more than %u macro calls", self->max_expansions);
    return FALSE;
}

void tg_expander_replace(TgExpander *self, const TgTexToken *call, TgTexTokens body,
                         const TgTexTokens *args)
{
    if (count_call(self, call))
        tg_expander_insert(self, fill_parameters(self, call, body, args), 1);
}

static void expand_macro(TgExpander *self, const TgTexToken *call, const TgTexMacro *macro)
{
    TgTexTokens args[TG_TEX_MAX_ARGS] = { { NULL, 0 } };

    if (!count_call(self, call))
        return;
    if (!read_arguments(self, macro, args))
        tg_report(self->errors, call, TG_PARSE_MACRO,
                  "the use of %.*s does not match its definition", TG_TOKEN_TEXT(call));
    tg_expander_insert(self, fill_parameters(self, call, macro->body, args), 1);
}

TgTexTokens tg_expander_lex(TgExpander *self, const char *text, gsize len, const TgTexToken *owner)
{
    const guint from = self->scratch->len;
    gboolean skip_space = FALSE;
    TgTexToken token;
    TgLexer lexer = { text, len, 0 };

    for (;;) {
        token_read(&lexer, &skip_space, &token);
        if (token.kind == TG_TOK_END)
            break;
        if (token.kind == TG_TOK_HASH) {
            const TgLexer rest = lexer;
            TgTexToken next;

            token_read(&lexer, &skip_space, &next);
            if (tg_token_is_digit(&next) && next.code != '0') {
                token.kind = TG_TOK_PARAM;
                token.code = next.code - '0';
            } else if (next.kind != TG_TOK_HASH) { /* ## is a hash, and one of the user's is, too */
                lexer = rest;
                skip_space = FALSE;
            }
        }
        place_token(&token, owner);
        g_array_append_val(self->scratch, token);
    }
    return tg_expander_take_scratch(self, from);
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
                add_lexeme(self, list->tokens[i].start, list->tokens[i].end);
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
    const gboolean browser = name->command != NULL && tg_command_is_of_browsers(name->command);
    if (name->command != NULL && !browser)
        token->command = name->command;
    else if (name->symbol != NULL)
        token->symbol = name->symbol;
    else if (!self->errors->strict)
        token->command = name->command;
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

/* A command that only a package has, in a document without it. */
static void refuse_package(TgExpander *self, const TgTexToken *token)
{
    TgPackage package = TG_PACKAGE_NONE;

    if (token->command != NULL)
        package = (TgPackage) token->command->package;
    else if (token->symbol != NULL && (token->symbol->flags & TG_SYMBOL_STMARYRD) != 0)
        package = TG_PACKAGE_STMARYRD;
    if (package == TG_PACKAGE_KATEX)
        tg_refuse(self->errors, token, package, TG_PARSE_UNKNOWN_COMMAND, "unknown command %.*s",
                  TG_TOKEN_TEXT(token));
    else if (package != TG_PACKAGE_NONE)
        tg_refuse(self->errors, token, package, TG_PARSE_UNKNOWN_COMMAND,
                  "unknown command %.*s without the package %s", TG_TOKEN_TEXT(token),
                  tg_package_names[package]);
}

/* ---- Expansions that TeX makes itself: \csname, \romannumeral, \iftrue .. ------------------ */

/* An argument that may be missing, and is. */
#define NO_VALUE "-NoValue-"

static void read_expanded(TgExpander *self, gboolean expand_own, TgTexToken *token);

/* \expandafter: the expansion of the second token comes after the first one. */
static void expand_after(TgExpander *self)
{
    const TgTexToken first = tg_expander_raw(self), second = tg_expander_raw(self);
    const TgTexMacro *macro =
        second.kind == TG_TOK_COMMAND ? tg_tex_macros_find(&self->macros, &second) : NULL;

    if (macro != NULL && !macro->is_alias) {
        expand_macro(self, &second, macro);
    } else {
        TgTexToken token = second;
        tg_expander_look_up(self, &token);
        tg_expander_unread(self, &second);
        if (token.command != NULL && token.command->action == TG_ACTION_EXPAND) {
            read_expanded(self, FALSE, &token);
            tg_expander_unread(self, &token);
        }
    }
    tg_expander_unread(self, &first);
}

/* \csname alpha\endcsname is \alpha. */
static void expand_name(TgExpander *self, const TgTexToken *call)
{
    g_autoptr(GString) name = g_string_new("\\");
    TgTexToken token = *call;

    for (read_expanded(self, FALSE, &token);
         token.kind == TG_TOK_CHAR || token.kind == TG_TOK_SPACE;
         read_expanded(self, FALSE, &token))
        g_string_append_len(name, token.text, token.len);
    if (!tg_token_is_command(&token, "endcsname")) {
        tg_expander_unread(self, &token);
        tg_report(self->errors, call, TG_PARSE_MACRO, "\\csname without \\endcsname");
    }
    const char *kept = tg_arena_text(self->arena, name->str, name->len);
    TgTexToken made = tg_token_made(call, TG_TOK_COMMAND, name->len > 1 ? kept : "\\relax");
    tg_expander_unread(self, &made);
}

gboolean tg_expander_integer(TgExpander *self, gint64 *number)
{
    TgTexToken token;
    gboolean found = FALSE, negative = FALSE;

    *number = 0;
    for (read_expanded(self, FALSE, &token);
         token.kind == TG_TOK_SPACE || tg_token_is_char_of(&token, "+-");
         read_expanded(self, FALSE, &token))
        negative ^= tg_token_is_char(&token, '-');
    if (tg_token_is_char(&token, '`')) {
        token = tg_expander_raw(self);
        *number = token.kind == TG_TOK_COMMAND ? (guchar) token.text[1] : token.code;
        found = token.kind != TG_TOK_END;
        read_expanded(self, FALSE, &token);
    } else {
        const gint base = tg_token_is_char(&token, '"')    ? 16
                          : tg_token_is_char(&token, '\'') ? 8
                                                           : 10;

        if (base != 10)
            read_expanded(self, FALSE, &token);
        for (; token.kind == TG_TOK_CHAR && token.code < 0x80; read_expanded(self, FALSE, &token)) {
            const gint digit = g_ascii_xdigit_value((char) token.code);

            if (digit < 0 || digit >= base)
                break;
            *number = MIN(*number * base + digit, G_MAXINT32);
            found = TRUE;
        }
    }
    if (token.kind != TG_TOK_SPACE || !found)
        tg_expander_unread(self, &token);
    if (negative)
        *number = -*number;
    return found;
}

/* A number that an expansion needs. */
static gint64 read_integer(TgExpander *self, const TgTexToken *call)
{
    gint64 number;

    if (!tg_expander_integer(self, &number))
        tg_report(self->errors, call, TG_PARSE_MACRO, "a number is missing");
    return number;
}

/* \number12 and \romannumeral12 */
static void expand_number(TgExpander *self, const TgTexToken *call, gboolean roman)
{
    static const struct {
        const char *text;
        guint value;
    } numerals[] = { { "m", 1000 }, { "cm", 900 }, { "d", 500 }, { "cd", 400 }, { "c", 100 },
                     { "xc", 90 },  { "l", 50 },   { "xl", 40 }, { "x", 10 },   { "ix", 9 },
                     { "v", 5 },    { "iv", 4 },   { "i", 1 } };
    enum { MAX_NUMBER = 20000 };
    g_autoptr(GString) text = g_string_new(NULL);
    const gint64 number = read_integer(self, call);
    gint64 n = CLAMP(number, -MAX_NUMBER, MAX_NUMBER);

    if (!roman) {
        g_string_append_printf(text, "%" G_GINT64_FORMAT, n);
    } else {
        for (guint i = 0; i < G_N_ELEMENTS(numerals); i++)
            for (; n >= numerals[i].value; n -= numerals[i].value)
                g_string_append(text, numerals[i].text);
    }
    const char *kept = tg_arena_text(self->arena, text->str, text->len);
    tg_expander_insert(self, tg_expander_lex(self, kept, text->len, call), 1);
}

gboolean tg_token_is_condition(const TgTexToken *token)
{
    return tg_token_is_command_of(
        token, "if ifcase ifcat ifcsname ifdefined ifdim ifeof iffalse iffontchar ifhbox ifhmode "
               "ifinner ifmmode ifnum ifodd iftrue ifvbox ifvmode ifvoid ifx");
}

/* Skip the branch that a condition leaves out: up to its \fi, or with @to_else up to \else. */
static void skip_branch(TgExpander *self, const TgTexToken *call, gboolean to_else)
{
    for (guint depth = 0;;) {
        const TgTexToken token = tg_expander_raw(self);

        if (token.kind == TG_TOK_END) {
            tg_report(self->errors, call, TG_PARSE_MACRO, "a condition without \\fi");
            return;
        }
        if (tg_token_is_command(&token, "fi") && depth-- == 0) {
            self->n_conditions--;
            return;
        }
        if (to_else && depth == 0 && tg_token_is_command(&token, "else"))
            return;
        depth += tg_token_is_condition(&token);
    }
}

/* \ifnum 1<2 */
static gboolean compare_integers(TgExpander *self, const TgTexToken *call)
{
    const gint64 left = read_integer(self, call);
    TgTexToken relation = *call;

    do
        read_expanded(self, FALSE, &relation);
    while (relation.kind == TG_TOK_SPACE);
    if (!tg_token_is_char_of(&relation, "<=>")) {
        tg_expander_unread(self, &relation);
        tg_report(self->errors, call, TG_PARSE_MACRO,
                  "\\ifnum needs <, = or > between two numbers");
        return FALSE;
    }
    const gint64 right = read_integer(self, call);
    return relation.code == '<'   ? left < right
           : relation.code == '=' ? left == right
                                  : left > right;
}

/* \IfBooleanTF{#1}{a}{b}, \IfValueT{#1}{a} and the like: one of the texts is read next. */
static void choose_text(TgExpander *self, const TgTexToken *call, char what)
{
    TgTexTokens tested, text, chosen = { NULL, 0 };
    gboolean complete = tg_expander_argument(self, &tested);
    g_autofree char *word = tg_tex_tokens_text(tested);
    const gboolean holds =
        (strcmp(word, what == 'b' ? "\\BooleanTrue" : NO_VALUE) == 0) != (what == 'v');

    for (const char *branch = "TF"; *branch != '\0'; branch++) {
        if (memchr(call->text + strlen("\\If"), *branch, call->len - strlen("\\If")) == NULL)
            continue;
        complete = complete && tg_expander_argument(self, &text);
        if (complete && holds == (*branch == 'T'))
            chosen = text;
    }
    if (!complete)
        tg_report(self->errors, call, TG_PARSE_MACRO,
                  "the use of %.*s does not match its definition", TG_TOKEN_TEXT(call));
    tg_expander_insert(self, chosen, 1);
}

/* Carry out an expansion; FALSE when it has no place here. */
static gboolean expand_primitive(TgExpander *self, const TgTexToken *call)
{
    const char what = (char) call->command->value;

    if (!count_call(self, call))
        return FALSE;
    switch (what) {
    case 'e':
        expand_after(self);
        return TRUE;
    case 'n':
        return TRUE;
    case 'c':
        expand_name(self, call);
        return TRUE;
    case 'd':
    case 'r':
        expand_number(self, call, what == 'r');
        return TRUE;
    case 'b':
    case 'v':
    case 'w':
        choose_text(self, call, what);
        return TRUE;
    case 'q':
    case 'p':
        self->n_conditions++;
        if (!(what == 'q' ? compare_integers(self, call) : read_integer(self, call) % 2 != 0))
            skip_branch(self, call, TRUE);
        return TRUE;
    case 't':
    case 'm':
    case 'f':
        self->n_conditions++;
        if (what == 'f' || (what == 'm' && self->words))
            skip_branch(self, call, TRUE);
        return TRUE;
    default: /* \else, \fi */
        if (self->n_conditions == 0 || tg_token_is_command(call, "endcsname"))
            return FALSE;
        if (what == 'o')
            skip_branch(self, call, FALSE);
        else
            self->n_conditions--;
        return TRUE;
    }
}

/* The next token with the user's macros expanded, and where asked for LaTeX's own. */
static void read_expanded(TgExpander *self, gboolean expand_own, TgTexToken *token)
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
        if (macro != NULL) {
            const TgTexToken alias = *token;

            *token = macro->target;
            place_token(token, &alias);
        }
        tg_expander_look_up(self, token);
        refuse_package(self, token);
        if (token->command != NULL && token->command->action == TG_ACTION_EXPAND &&
            expand_primitive(self, token))
            continue;
        if (!expand_own || token->command == NULL ||
            (token->command->flags & TG_COMMAND_MACRO) == 0)
            return;
        /* a macro of LaTeX's own, which the command table gives as text */
        const char *text = token->command->text;
        const TgTexMacro own = { .body = tg_expander_lex(self, text, strlen(text), token),
                                 .n_args = (guint8) token->command->value };
        expand_macro(self, token, &own);
    }
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

/* ---- Reading definitions --------------------------------------------------------------------- */

static void report_definition(TgExpander *in, const TgTexToken *command, const char *what)
{
    tg_report(in->errors, command, TG_PARSE_MACRO, "%.*s %s", TG_TOKEN_TEXT(command), what);
}

/* Whether LaTeX or the user gives a command a meaning. @of_package: (out) whether a package does */
static gboolean is_defined(const TgExpander *in, const TgTexToken *token, gboolean *of_package)
{
    const TgName *name = tg_name_find(token->text + 1, token->len - 1);
    const guint flags = name != NULL && name->command != NULL ? name->command->flags : 0;

    *of_package = (flags & TG_COMMAND_PACKAGE) != 0;
    return tg_tex_macros_find(&in->macros, token) != NULL ||
           (name != NULL && name->symbol != NULL) ||
           (name != NULL && name->command != NULL && (flags & TG_COMMAND_PACKAGE) == 0);
}

/* The name to be defined: \foo, or {\foo}. */
static gboolean read_name(TgExpander *in, const TgTexToken *command, TgTexToken *name)
{
    TgTexTokens list;

    if (tg_expander_argument(in, &list)) {
        const TgTexTokens words = tg_tex_tokens_trim(list);
        if (words.n > 0 && words.tokens[0].kind == TG_TOK_COMMAND) {
            *name = words.tokens[0];
            /* one space is enough to confuse LaTeX, but for a name that is new */
            if (words.n > 1 || (list.n > 1 && !tg_token_is_command(command, "newcommand")))
                report_definition(in, command, "needs a single command name");
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

/* \def, \gdef, \edef, \xdef: reads name, parameter text and body. */
static void define_macro(TgExpander *in, const TgTexToken *command)
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
    in->macros.is_global |= tg_token_is_command_of(command, "gdef xdef");
    save_definition(&in->macros, &name, &macro);
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

/* Read the character that comes after @i, of which an argument's kind is made. */
static gboolean read_mark(TgTexTokens kinds, guint32 *i, char *mark)
{
    while (++*i < kinds.n && kinds.tokens[*i].kind == TG_TOK_SPACE)
        continue;
    if (*i >= kinds.n || kinds.tokens[*i].kind != TG_TOK_CHAR || kinds.tokens[*i].code >= 0x80)
        return FALSE;
    *mark = (char) kinds.tokens[*i].code;
    return TRUE;
}

/* The argument {s O{a} m} of \NewDocumentCommand: how many arguments of which kinds; 10 where a
 * kind is another one of xparse's. */
static guint read_kinds(TgExpander *in, const TgTexToken *command, TgTexMacro *macro)
{
    char *kinds = tg_arena_zeros(in->arena, KIND_SIZE * TG_TEX_MAX_ARGS), *kind = kinds;
    TgTexTokens *presets = tg_arena_zeros(in->arena, TG_TEX_MAX_ARGS * sizeof *presets), list;
    guint n = 0;

    macro->kinds = kinds;
    macro->presets = presets;
    if (!tg_expander_argument(in, &list))
        return TG_TEX_MAX_ARGS + 1;
    for (guint32 i = 0; i < list.n; i++) {
        const TgTexToken *type = &list.tokens[i];

        if (type->kind == TG_TOK_SPACE || tg_token_is_char(type, '+')) /* +m takes a \par, too */
            continue;
        if (n == TG_TEX_MAX_ARGS || !tg_token_is_char_of(type, "mstoOdDrR"))
            return TG_TEX_MAX_ARGS + 1;
        memcpy(kind, strchr("m  s* t  o[]d  r  ", g_ascii_tolower((char) type->code)), KIND_SIZE);
        if (kind[1] == ' ' && kind[0] != 'm' && !read_mark(list, &i, &kind[1]))
            return TG_TEX_MAX_ARGS + 1;
        if (strchr("dr", kind[0]) != NULL && !read_mark(list, &i, &kind[2]))
            return TG_TEX_MAX_ARGS + 1;
        if (kind[0] != 'm')
            kind[0] = strchr("st", kind[0]) != NULL ? 's' : 'd';
        if (tg_token_is_char_of(type, "ODR")) {
            const TgTexTokens rest =
                tg_tex_tokens_trim((TgTexTokens){ list.tokens + i + 1, list.n - i - 1 });
            if (rest.n == 0)
                return TG_TEX_MAX_ARGS + 1;
            const guint32 end = tg_tex_tokens_item_end(rest, 0);
            presets[n] = without_braces((TgTexTokens){ rest.tokens, end });
            i = (guint32) (rest.tokens + end - list.tokens) - 1;
        } else if (kind[0] != 'm') {
            const char *text = kind[0] == 's' ? "\\BooleanTrue\\BooleanFalse" : NO_VALUE;
            presets[n] = tg_expander_lex(in, text, strlen(text), command);
        }
        kind += KIND_SIZE;
        n++;
    }
    for (guint i = 0; i < n; i++)
        if (!mark_parameters(in, presets[i], n, &presets[i]))
            return TG_TEX_MAX_ARGS + 1;
    return n;
}

/* The name of the command that begins, or with @prefix "\\end" ends the environment @list. */
static TgTexToken environment_command(TgExpander *in, const TgTexToken *command, TgTexTokens list,
                                      const char *prefix)
{
    g_autofree char *text = tg_tex_tokens_text(list);
    g_autofree char *name = g_strconcat(prefix, text, NULL);

    return tg_token_made(command, TG_TOK_COMMAND, tg_arena_text(in->arena, name, strlen(name)));
}

gboolean tg_expander_own_environment(TgExpander *self, const TgTexToken *at, TgTexTokens name,
                                     gboolean ends, TgTexToken *command)
{
    *command = environment_command(self, at, name, ends ? "\\end" : "\\");
    return self->macros.by_name != NULL && tg_tex_macros_find(&self->macros, command) != NULL;
}

/* The body of an environment's first command where the last one has the same arguments: it defines
 * the last one, too. */
static TgTexTokens body_with_end(TgExpander *in, TgTexToken name, TgTexTokens body, TgTexTokens end)
{
    TgTexToken tokens[] = { tg_token_made(&name, TG_TOK_COMMAND, "\\def"), name,
                            tg_token_made(&name, TG_TOK_OPEN, "{"),
                            tg_token_made(&name, TG_TOK_CLOSE, "}") };
    const guint from = in->scratch->len;

    tokens[0].primitive = 1;
    g_array_append_vals(in->scratch, tokens, 3);
    if (end.n > 0)
        g_array_append_vals(in->scratch, end.tokens, end.n);
    g_array_append_val(in->scratch, tokens[3]);
    if (body.n > 0)
        g_array_append_vals(in->scratch, body.tokens, body.n);
    return tg_expander_take_scratch(in, from);
}

/* \newcommand ('n'), \renewcommand ('r'), \providecommand ('p'), with or without star;
 * \NewDocumentCommand and its like; in capitals \newenvironment and its like, of which \foo and
 * \endfoo are made. */
static void define_newcommand(TgExpander *in, const TgTexToken *command)
{
    const char how = g_ascii_tolower((char) command->command->value);
    const gboolean is_environment = g_ascii_isupper((char) command->command->value);
    const gboolean has_kinds = command->command->detail != 0;
    TgTexMacro macro = { .n_args = 0 };
    TgTexTokens body, preset, environment, end;
    TgTexToken name;

    tg_expander_star(in);
    if (is_environment && !tg_expander_argument(in, &environment)) {
        report_definition(in, command, "needs the name of an environment");
        return;
    }
    if (is_environment)
        name = environment_command(in, command, environment, "\\");
    else if (!read_name(in, command, &name))
        return;

    const guint n_args = has_kinds ? read_kinds(in, command, &macro) : read_count(in);
    if (!has_kinds && tg_expander_optional(in, &preset)) {
        TgTexTokens *kept = tg_arena_alloc(in->arena, sizeof preset);
        *kept = preset;
        macro.presets = kept;
        macro.kinds = "o[]m  m  m  m  m  m  m  m  ";
    }
    const gboolean complete =
        tg_expander_argument(in, &body) && (!is_environment || tg_expander_argument(in, &end));
    const TgTexToken end_name =
        is_environment ? environment_command(in, command, environment, "\\end") : name;
    if (complete && is_environment && has_kinds)
        body = body_with_end(in, end_name, body, end);
    if (!complete || n_args > TG_TEX_MAX_ARGS ||
        (!has_kinds && macro.kinds != NULL && n_args == 0) ||
        !mark_parameters(in, body, n_args, &macro.body)) {
        report_definition(in, command,
                          has_kinds && n_args > TG_TEX_MAX_ARGS
                              ? "needs arguments of the types m, o, O, s, t, d, D, r and R"
                              : "is not followed by a definition");
        return;
    }

    gboolean of_package;
    const gboolean defined = is_defined(in, &name, &of_package);
    if (how == 'p' && defined)
        return;
    if ((how == 'n' && defined) || (how == 'r' && !defined && !of_package))
        tg_report(in->errors, &name, TG_PARSE_MACRO, "%.*s is %s", TG_TOKEN_TEXT(&name),
                  defined ? "defined already" : "not defined");
    macro.n_args = (guint8) n_args;
    save_definition(&in->macros, &name, &macro);
    if (is_environment && !has_kinds)
        save_definition(&in->macros, &end_name, &(TgTexMacro){ .body = end });
}

/* \let: reads name, optional = and target. */
static void define_let(TgExpander *in, const TgTexToken *command)
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
        save_definition(&in->macros, &name, meaning);
        return;
    }
    target.primitive = 1;
    save_definition(&in->macros, &name, &(TgTexMacro){ .is_alias = TRUE, .target = target });
}

/* Read a name and @n more arguments, which are what the definition @wants: @macro is the name's
 * meaning, whose body is @text with these arguments in the place of the parameters that come after
 * the macro's own. */
static void define_call(TgExpander *in, const TgTexToken *command, TgTexMacro macro,
                        const char *text, guint n, const char *wants)
{
    TgTexTokens lists[2];
    TgTexToken name;

    if (!read_name(in, command, &name))
        return;
    for (guint i = 0; i < n; i++) {
        if (!tg_expander_argument(in, &lists[i])) {
            report_definition(in, command, wants);
            return;
        }
    }
    const TgTexTokens own = tg_expander_lex(in, text, strlen(text), command);
    const guint from = in->scratch->len;
    for (guint32 i = 0; i < own.n; i++) {
        TgTexToken token = own.tokens[i];
        token.primitive = token.kind == TG_TOK_COMMAND;
        if (token.kind != TG_TOK_PARAM || token.code <= macro.n_args)
            g_array_append_val(in->scratch, token);
        else if (lists[token.code - macro.n_args - 1].n > 0)
            g_array_append_vals(in->scratch, lists[token.code - macro.n_args - 1].tokens,
                                lists[token.code - macro.n_args - 1].n);
    }
    macro.body = tg_expander_take_scratch(in, from);
    save_definition(&in->macros, &name, &macro);
}

/* \DeclarePairedDelimiter{\abs}{|}{|}: \abs{x}, \abs*{x} and \abs[\big]{x} as mathtools has them.
 */
static void define_paired(TgExpander *in, const TgTexToken *command)
{
    const char *star = "\\BooleanTrue\\BooleanFalse";
    TgTexTokens *presets = tg_arena_zeros(in->arena, 2 * sizeof *presets);

    presets[0] = tg_expander_lex(in, star, strlen(star), command);
    define_call(in, command, (TgTexMacro){ .n_args = 3, .kinds = "s* o[]m  ", .presets = presets },
                "\\IfBooleanTF#1{\\mathopen{}\\mathclose{\\left#4#3\\right#5}}"
                "{\\mathopen{#2#4}#3\\mathclose{#2#5}}",
                2, "needs two delimiters");
}

/* \global and the prefixes of a definition that say nothing here. */
static void define_global(TgExpander *in)
{
    TgTexToken next;

    do
        next = tg_expander_raw_nonspace(in);
    while (tg_token_is_command_of(&next, "global long outer protected"));
    tg_expander_look_up(in, &next);
    in->macros.is_global = TRUE;
    if (!tg_define(in, &next))
        tg_expander_unread(in, &next);
    in->macros.is_global = FALSE;
}

gboolean tg_define(TgExpander *in, const TgTexToken *command)
{
    const guint8 action = command->command != NULL ? command->command->action : TG_ACTION_NONE;

    if (action == TG_ACTION_DEF && command->command->value == 'g')
        define_global(in);
    else if (action == TG_ACTION_DEF)
        define_macro(in, command);
    else if (action == TG_ACTION_NEWCOMMAND)
        define_newcommand(in, command);
    else if (action == TG_ACTION_LET)
        define_let(in, command);
    else if (action == TG_ACTION_DECLARE_OPERATOR)
        define_call(in, command, (TgTexMacro){ .n_args = 0 },
                    tg_expander_star(in) ? "\\operatornamewithlimits{#1}" : "\\operatorname{#1}", 1,
                    "needs the text of the operator");
    else if (action == TG_ACTION_DECLARE_PAIRED)
        define_paired(in, command);
    else
        return FALSE;
    return TRUE;
}
