/* Definitions: \def, \let, \newcommand and kin, and the groups that end them. */
#include "tokenizer/latex/expander.h"

#include <string.h>

#include "tokenizer/latex/commands.h"
#include "tokenizer/latex/macro.h"
#include "tokenizer/symbols/symbols.h"

/* ---- The table of definitions -------------------------------------------------------------- */

/* A name is its bytes without the backslash; tokens serve as keys. */
static guint hash_name(gconstpointer key)
{
    const TgTexToken *token = key;
    guint32 hash = 2166136261u; /* FNV-1a */

    for (guint32 i = 0; i < token->len; i++)
        hash = (hash ^ (guchar) token->text[i]) * 16777619u;
    return hash;
}

static gboolean equal_names(gconstpointer a, gconstpointer b)
{
    const TgTexToken *left = a, *right = b;

    return left->len == right->len && memcmp(left->text, right->text, left->len) == 0;
}

const TgTexMacro *tg_expander_find(const TgExpander *self, const TgTexToken *token)
{
    if (self->macros == NULL || (token->flags & TG_TOK_PRIMITIVE) != 0)
        return NULL;
    return g_hash_table_lookup(self->macros, token);
}

/* What a group gives back at its end. */
typedef struct {
    const TgTexToken *name;
    const TgTexMacro *before; /* NULL: undefined */
} Saved;

static void define(TgExpander *self, const TgTexToken *name, const TgTexMacro *macro)
{
    TgTexToken *key = tg_arena_alloc(self->arena, sizeof(TgTexToken));
    TgTexMacro *copy = tg_arena_alloc(self->arena, sizeof(TgTexMacro));

    *key = *name;
    *copy = *macro;
    if (self->macros == NULL) {
        self->macros = g_hash_table_new(hash_name, equal_names);
        self->saved = g_array_new(FALSE, FALSE, sizeof(Saved));
    }

    const Saved saved = { key, g_hash_table_lookup(self->macros, key) };
    g_array_append_val(self->saved, saved);
    g_hash_table_replace(self->macros, key, copy);
}

guint tg_expander_open_group(TgExpander *self)
{
    return self->saved != NULL ? self->saved->len : 0;
}

void tg_expander_close_group(TgExpander *self, guint mark)
{
    while (self->saved != NULL && self->saved->len > mark) {
        const Saved *saved = &g_array_index(self->saved, Saved, self->saved->len - 1);

        if (saved->before != NULL)
            g_hash_table_replace(self->macros, (gpointer) saved->name, (gpointer) saved->before);
        else
            g_hash_table_remove(self->macros, saved->name);
        g_array_set_size(self->saved, self->saved->len - 1);
    }
}

gboolean tg_expander_is_defined(const TgExpander *self, const TgTexToken *token)
{
    return tg_expander_find(self, token) != NULL ||
           tg_command_find(token->text + 1, token->len - 1) != NULL ||
           tg_symbol_find(token->text + 1, token->len - 1) != NULL;
}

gboolean tg_expander_lookup(const TgExpander *self, const char *name, TgTexTokens *body)
{
    const TgTexToken key = { .text = name, .len = (guint32) strlen(name) };
    const TgTexMacro *macro = tg_expander_find(self, &key);

    if (macro == NULL || macro->is_alias)
        return FALSE;
    *body = macro->body;
    return TRUE;
}

/* ---- Reading definitions ------------------------------------------------------------------- */

static void complain(TgExpander *self, const TgTexToken *command, const char *what)
{
    tg_parse_errors_add(self->errors, TG_PARSE_MACRO, command->start, command->end, "%.*s %s",
                        (int) command->len, command->text, what);
}

/* The name to be defined: \foo, or {\foo}. */
static gboolean read_name(TgExpander *self, const TgTexToken *command, TgTexToken *name)
{
    TgTexTokens list;

    if (tg_expander_argument(self, &list)) {
        guint32 i = 0;
        while (i < list.n && list.tokens[i].kind == TG_TOK_SPACE)
            i++;
        if (i < list.n && list.tokens[i].kind == TG_TOK_COMMAND) {
            if (list.n > 1) /* a blank is enough to confuse LaTeX */
                complain(self, command, "needs a name and nothing else");
            *name = list.tokens[i];
            return TRUE;
        }
    }
    complain(self, command, "needs the name of a command");
    return FALSE;
}

/* `#1` becomes one token, `##` a `#`; numbers beyond @n_args are faults. */
static gboolean mark_parameters(TgExpander *self, TgTexTokens list, guint n_args,
                                TgTexTokens *marked)
{
    const guint from = self->scratch->len;
    gboolean ok = TRUE;

    for (guint32 i = 0; i < list.n; i++) {
        TgTexToken token = list.tokens[i];

        if (token.kind == TG_TOK_HASH && i + 1 < list.n) {
            const TgTexToken *next = &list.tokens[++i];
            const gboolean digit = next->kind == TG_TOK_CHAR && g_ascii_isdigit((char) next->code);

            if (digit && next->code - '0' >= 1 && next->code - '0' <= n_args) {
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
        g_array_append_val(self->scratch, token);
    }
    *marked = tg_expander_take_scratch(self, from);
    return ok;
}

/* What stands between the name and the opening brace of \def, with its parameters counted. */
static gboolean read_pattern(TgExpander *self, TgTexTokens *pattern, guint *n_args)
{
    const guint from = self->scratch->len;
    TgTexToken token = tg_expander_raw(self);
    gboolean ok = TRUE;

    for (; token.kind != TG_TOK_OPEN; token = tg_expander_raw(self)) {
        if (token.kind == TG_TOK_END || token.kind == TG_TOK_CLOSE) {
            ok = FALSE;
            break;
        }
        if (token.kind == TG_TOK_HASH) {
            token = tg_expander_raw(self);
            if (token.kind != TG_TOK_CHAR || token.code != '1' + *n_args ||
                *n_args == TG_TEX_MAX_ARGS) {
                ok = FALSE;
                break;
            }
            token.kind = TG_TOK_PARAM;
            token.code = ++*n_args;
        }
        g_array_append_val(self->scratch, token);
    }
    tg_expander_unread(self, &token);
    *pattern = tg_expander_take_scratch(self, from);
    return ok;
}

void tg_expander_read_def(TgExpander *self, const TgTexToken *command)
{
    const TgTexToken name = tg_expander_raw_dark(self);
    TgTexMacro macro = { .n_args = 0 };
    TgTexTokens body;
    guint n_args = 0;

    if (name.kind != TG_TOK_COMMAND) {
        tg_expander_unread(self, &name);
        complain(self, command, "needs the name of a command");
        return;
    }
    if (!read_pattern(self, &macro.pattern, &n_args) || !tg_expander_argument(self, &body) ||
        !mark_parameters(self, body, n_args, &macro.body)) {
        complain(self, command, "is followed by something that is no definition");
        return;
    }
    macro.n_args = (guint8) n_args;
    define(self, &name, &macro);
}

/* The parameter text of a macro without delimiters: #1#2.. */
static TgTexTokens plain_pattern(TgExpander *self, guint n)
{
    const guint from = self->scratch->len;

    for (guint i = 1; i <= n; i++) {
        const TgTexToken token = { .kind = TG_TOK_PARAM, .code = i };
        g_array_append_val(self->scratch, token);
    }
    return tg_expander_take_scratch(self, from);
}

static void skip_star(TgExpander *self)
{
    const TgTexToken token = tg_expander_raw_dark(self);

    if (token.kind != TG_TOK_CHAR || token.code != '*')
        tg_expander_unread(self, &token);
}

/* [n]: how many arguments; 10 when it is no number that LaTeX takes. */
static guint read_count(TgExpander *self)
{
    TgTexTokens list;
    guint n = 0;

    if (!tg_expander_optional(self, &list))
        return 0;
    for (guint32 i = 0; i < list.n; i++) {
        if (list.tokens[i].kind == TG_TOK_SPACE)
            continue;
        if (list.tokens[i].kind != TG_TOK_CHAR || !g_ascii_isdigit((char) list.tokens[i].code))
            return TG_TEX_MAX_ARGS + 1;
        n = MIN(n * 10 + (list.tokens[i].code - '0'), TG_TEX_MAX_ARGS + 1);
    }
    return n;
}

void tg_expander_read_newcommand(TgExpander *self, const TgTexToken *command, char how)
{
    TgTexMacro macro = { .n_args = 0 };
    TgTexTokens body;
    TgTexToken name;

    skip_star(self);
    if (!read_name(self, command, &name))
        return;

    const guint n_args = read_count(self);
    macro.has_preset = tg_expander_optional(self, &macro.preset);
    if (!tg_expander_argument(self, &body) || n_args > TG_TEX_MAX_ARGS ||
        (macro.has_preset && n_args == 0) || !mark_parameters(self, body, n_args, &macro.body)) {
        complain(self, command, "is followed by something that is no definition");
        return;
    }

    const gboolean defined = tg_expander_is_defined(self, &name);
    if (how == 'p' && defined)
        return;
    if ((how == 'n' && defined) || (how == 'r' && !defined))
        tg_parse_errors_add(self->errors, TG_PARSE_MACRO, name.start, name.end, "%.*s is %s",
                            (int) name.len, name.text, defined ? "defined already" : "not defined");
    macro.n_args = (guint8) n_args;
    macro.pattern = plain_pattern(self, n_args - macro.has_preset);
    define(self, &name, &macro);
}

void tg_expander_read_let(TgExpander *self, const TgTexToken *command)
{
    const TgTexToken name = tg_expander_raw_dark(self);
    TgTexToken target = tg_expander_raw_dark(self);

    if (target.kind == TG_TOK_CHAR && target.code == '=')
        target = tg_expander_raw_dark(self);
    if (name.kind != TG_TOK_COMMAND || target.kind == TG_TOK_END) {
        tg_expander_unread(self, &target);
        complain(self, command, "needs the name of a command and what it shall mean");
        return;
    }

    const TgTexMacro *meaning =
        target.kind == TG_TOK_COMMAND ? tg_expander_find(self, &target) : NULL;
    if (meaning != NULL) {
        define(self, &name, meaning);
        return;
    }
    target.flags |= TG_TOK_PRIMITIVE;
    define(self, &name, &(TgTexMacro){ .is_alias = TRUE, .target = target });
}

void tg_expander_read_operator(TgExpander *self, const TgTexToken *command)
{
    const TgTexToken star = tg_expander_raw_dark(self);
    const gboolean starred = star.kind == TG_TOK_CHAR && star.code == '*';
    TgTexTokens text;
    TgTexToken name;

    if (!starred)
        tg_expander_unread(self, &star);
    if (!read_name(self, command, &name))
        return;
    if (!tg_expander_argument(self, &text)) {
        complain(self, command, "needs the text of the operator");
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
    const guint from = self->scratch->len;

    g_array_append_val(self->scratch, head);
    g_array_append_val(self->scratch, open);
    if (text.n > 0)
        g_array_append_vals(self->scratch, text.tokens, text.n);
    g_array_append_val(self->scratch, close);
    define(self, &name, &(TgTexMacro){ .body = tg_expander_take_scratch(self, from) });
}
