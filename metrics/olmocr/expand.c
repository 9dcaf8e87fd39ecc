/* KaTeX's tokens and macros. */
#include "metrics/olmocr/reader.h"

#include <pthread.h>

/* Bounds of expansion: macros used, tokens pending, definitions. */
enum { MAX_EXPANSIONS = 1000, MAX_TOKENS = 200000, MAX_MACROS = 1000 };

static const TgKatexFunction functions[] = {
#include "olmocr_functions.inc"
};

static const struct {
    const char *names, *body;
} macro_texts[] = {
#include "olmocr_macros.inc"
};

const char tg_katex_end[] = "EOF";

/* Constant once they are filled. */
static GHashTable *functions_by_name, *macros_by_name;

/* ---- Errors and memory ----------------------------------------------------------------------- */

void tg_katex_fail(TgKatexReader *reader, guint at, const char *format, ...)
{
    va_list values;

    if (reader->error != NULL)
        return;
    va_start(values, format);
    reader->error = tg_arena_vprintf(reader->arena, format, values);
    va_end(values);
    reader->error_at = at;
}

/* ---- Tokens ---------------------------------------------------------------------------------- */

static gboolean is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static gboolean is_name(char c)
{
    return g_ascii_isalpha(c) || c == '@';
}

/* One-character texts of ASCII, so that most tokens need no memory. */
static const char *ascii_text(char c)
{
    static char texts[0x80][2];

    if (texts[(guchar) c][0] != c) /* make_tables() has filled it before threads read it */
        texts[(guchar) c][0] = c;
    return texts[(guchar) c];
}

static TgKatexToken read_token(TgKatexReader *reader)
{
    const char *p = reader->position;
    TgKatexToken token = { .text = tg_katex_end };

    while (*p == '%') {
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    token.at = reader->source != NULL ? (guint32) (p - reader->source) : 0;
    const char *start = p;
    const guchar c = (guchar) *p;
    if (c == '\0') {
        reader->position = p;
        return token;
    }
    if (is_space(*p)) {
        while (is_space(*p))
            p++;
        token.text = " ";
    } else if (c == '\\' && is_name(p[1])) {
        for (p++; is_name(*p);)
            p++;
        token.text = tg_arena_text(reader->arena, start, (gsize) (p - start));
        while (is_space(*p))
            p++;
    } else if (c == '\\' && is_space(p[1])) {
        for (p++; is_space(*p);)
            p++;
        token.text = "\\ ";
    } else if (c == '\\') {
        if (p[1] == '\0') {
            tg_katex_fail(reader, token.at, "Unexpected character: '\\'");
            reader->position = p + 1;
            return token;
        }
        p = g_utf8_next_char(p + 1);
        token.text = tg_arena_text(reader->arena, start, (gsize) (p - start));
    } else {
        const gunichar code = g_utf8_get_char(p);
        if (code <= 0x20 || code == 0x7F || code == 0x2028 || code == 0x2029 ||
            (code >= 0xE000 && code < 0xF900))
            tg_katex_fail(reader, token.at, "Unexpected character: U+%04X", code);
        p = g_utf8_next_char(p);
        while (g_utf8_get_char(p) >= 0x300 && g_utf8_get_char(p) < 0x370)
            p = g_utf8_next_char(p);
        token.text = p - start == 1 && c < 0x80
                         ? ascii_text((char) c)
                         : tg_arena_text(reader->arena, start, (gsize) (p - start));
    }
    reader->position = p;
    return token;
}

void tg_katex_push(TgKatexReader *reader, TgKatexToken token)
{
    if (reader->stack->len > MAX_TOKENS)
        tg_katex_fail(reader, token.at, "Too many expansions: infinite loop");
    else
        g_array_append_val(reader->stack, token);
}

TgKatexToken tg_katex_pop(TgKatexReader *reader)
{
    TgKatexToken token;

    if (reader->error != NULL)
        return (TgKatexToken){ .text = tg_katex_end };
    if (reader->stack->len == 0)
        return read_token(reader);
    token = g_array_index(reader->stack, TgKatexToken, reader->stack->len - 1);
    g_array_set_size(reader->stack, reader->stack->len - 1);
    return token;
}

TgKatexToken tg_katex_peek(TgKatexReader *reader)
{
    const TgKatexToken token = tg_katex_pop(reader);

    tg_katex_push(reader, token);
    return token;
}

void tg_katex_skip_spaces(TgKatexReader *reader)
{
    while (reader->error == NULL && token_is(tg_katex_peek(reader), " "))
        tg_katex_pop(reader);
}

GArray *tg_katex_token_list(TgKatexReader *reader)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(TgKatexToken));

    g_ptr_array_add(reader->lists, list);
    return list;
}

static void reverse_tokens(GArray *list)
{
    for (guint i = 0; i < list->len / 2; i++) {
        const TgKatexToken kept = g_array_index(list, TgKatexToken, i);
        g_array_index(list, TgKatexToken, i) = g_array_index(list, TgKatexToken, list->len - 1 - i);
        g_array_index(list, TgKatexToken, list->len - 1 - i) = kept;
    }
}

/* Tokens of a text of our own, last one first. */
static GArray *tokens_of(TgKatexReader *reader, const char *text, guint at)
{
    GArray *list = tg_katex_token_list(reader);
    const char *position = reader->position, *source = reader->source;

    reader->position = text;
    reader->source = NULL;
    for (;;) {
        TgKatexToken token = read_token(reader);
        if (token.text == tg_katex_end)
            break;
        token.at = at;
        g_array_append_val(list, token);
    }
    reader->position = position;
    reader->source = source;
    reverse_tokens(list);
    return list;
}

void tg_katex_push_all(TgKatexReader *reader, const GArray *tokens)
{
    for (guint i = 0; i < tokens->len; i++)
        tg_katex_push(reader, g_array_index(tokens, TgKatexToken, i));
}

GArray *tg_katex_take_argument(TgKatexReader *reader, const char *until)
{
    GArray *list = tg_katex_token_list(reader);
    gint depth = 0;
    TgKatexToken token;

    if (until == NULL)
        tg_katex_skip_spaces(reader);
    do {
        token = tg_katex_pop(reader);
        if (token.text == tg_katex_end) {
            tg_katex_fail(reader, token.at,
                          "Unexpected end of input in a macro argument, expected '%s'",
                          until != NULL && depth == 0 ? until : "}");
            return list;
        }
        if (until != NULL && depth == 0 && token_is(token, until))
            break;
        depth += token_is(token, "{") - token_is(token, "}");
        if (depth < 0) {
            tg_katex_fail(reader, token.at, "Extra }");
            return list;
        }
        g_array_append_val(list, token);
    } while (depth != 0 || until != NULL);
    if (list->len >= 2 && token_is(g_array_index(list, TgKatexToken, 0), "{") &&
        token_is(g_array_index(list, TgKatexToken, list->len - 1), "}")) {
        gint inner = 0;
        guint i = 0;
        for (; i < list->len; i++) {
            const TgKatexToken t = g_array_index(list, TgKatexToken, i);
            inner += token_is(t, "{") - token_is(t, "}");
            if (inner == 0)
                break;
        }
        if (i == list->len - 1) {
            g_array_remove_index(list, list->len - 1);
            g_array_remove_index(list, 0);
        }
    }
    reverse_tokens(list);
    return list;
}

/* ---- Macros ---------------------------------------------------------------------------------- */

const TgKatexMacro *tg_katex_find_macro(const TgKatexReader *reader, const char *name)
{
    for (guint i = reader->macros->len; i-- > 0;) {
        const TgKatexMacro *macro = &g_array_index(reader->macros, TgKatexMacro, i);
        if (strcmp(macro->name, name) == 0)
            return macro->tokens != NULL ? macro : NULL;
    }
    return g_hash_table_lookup(macros_by_name, name);
}

void tg_katex_define_macro(TgKatexReader *reader, TgKatexMacro macro, gboolean global)
{
    if (reader->macros->len == MAX_MACROS) {
        tg_katex_fail(reader, reader->next.at, "Too many macros");
        return;
    }
    macro.level = global ? 0 : reader->level;
    for (guint i = reader->macros->len; global && i-- > 0;)
        if (strcmp(g_array_index(reader->macros, TgKatexMacro, i).name, macro.name) == 0)
            g_array_remove_index(reader->macros, i);
    if (global)
        g_array_prepend_val(reader->macros, macro);
    else
        g_array_append_val(reader->macros, macro);
}

void tg_katex_begin_scope(TgKatexReader *reader)
{
    reader->level++;
}

void tg_katex_end_scope(TgKatexReader *reader)
{
    while (reader->macros->len > 0 &&
           g_array_index(reader->macros, TgKatexMacro, reader->macros->len - 1).level >=
               reader->level &&
           reader->level > 0)
        g_array_set_size(reader->macros, reader->macros->len - 1);
    reader->level--;
}

const TgKatexFunction *tg_katex_find_function(const char *name)
{
    return g_hash_table_lookup(functions_by_name, name);
}

gboolean tg_katex_is_implicit(const char *name)
{
    return tg_katex_is_word(name, "^ _ \\limits \\nolimits");
}

static gboolean is_defined(const TgKatexReader *reader, const char *name)
{
    return tg_katex_find_macro(reader, name) != NULL || tg_katex_find_function(name) != NULL ||
           tg_katex_symbol(name) != NULL || tg_katex_is_implicit(name);
}

/* Replace the macro at the top of the stack. FALSE: it is none; it stays. */
static gboolean expand_once(TgKatexReader *reader, gboolean only_expandable)
{
    const TgKatexToken top = tg_katex_pop(reader);
    const TgKatexMacro *macro =
        top.text == tg_katex_end ? NULL : tg_katex_find_macro(reader, top.text);

    if (macro == NULL) {
        if (only_expandable && top.text[0] == '\\' && !is_defined(reader, top.text))
            tg_katex_fail(reader, top.at, "Undefined control sequence: %s", top.text);
        tg_katex_push(reader, top);
        return FALSE;
    }
    if (++reader->expansions > MAX_EXPANSIONS) {
        tg_katex_fail(reader, top.at, "Too many expansions: infinite loop");
        return FALSE;
    }
    const char *body = macro->expand != NULL ? macro->expand(reader, macro->name) : macro->body;
    if (macro->expand != NULL && body == NULL)
        return TRUE;
    const GArray *tokens = body != NULL ? tokens_of(reader, body, top.at) : macro->tokens;
    guint n = macro->n_arguments;
    for (const char *p = body; p != NULL && (p = strchr(p, '#')) != NULL; p++)
        if (g_ascii_isdigit(p[1]))
            n = MAX(n, (guint) (p[1] - '0'));
    GArray *arguments[10] = { NULL };
    for (guint i = 0; i < n && reader->error == NULL; i++)
        arguments[i] = tg_katex_take_argument(reader, NULL);
    /* last one first: the number comes before its hash sign */
    for (guint i = 0; i < tokens->len && reader->error == NULL; i++) {
        const TgKatexToken token = g_array_index(tokens, TgKatexToken, i);
        const char digit = token.text[0];
        if (n > 0 && i + 1 < tokens->len &&
            token_is(g_array_index(tokens, TgKatexToken, i + 1), "#") && g_ascii_isdigit(digit) &&
            token.text[1] == '\0' && digit >= '1' && (guint) (digit - '0') <= n) {
            tg_katex_push_all(reader, arguments[digit - '1']);
            i++;
        } else {
            tg_katex_push(reader, token);
        }
    }
    return TRUE;
}

TgKatexToken tg_katex_expand_next(TgKatexReader *reader)
{
    while (reader->error == NULL && expand_once(reader, FALSE))
        ;
    return tg_katex_pop(reader);
}

static const char *expand_text_or_math(TgKatexReader *reader, G_GNUC_UNUSED const char *self)
{
    const GArray *text = tg_katex_take_argument(reader, NULL),
                 *math = tg_katex_take_argument(reader, NULL);

    tg_katex_push_all(reader, reader->in_text ? text : math);
    return NULL;
}

static const char *expand_if_star(TgKatexReader *reader, G_GNUC_UNUSED const char *self)
{
    const GArray *starred = tg_katex_take_argument(reader, NULL),
                 *plain = tg_katex_take_argument(reader, NULL);

    tg_katex_skip_spaces(reader);
    if (token_is(tg_katex_peek(reader), "*")) {
        tg_katex_pop(reader);
        tg_katex_push_all(reader, starred);
    } else {
        tg_katex_push_all(reader, plain);
    }
    return NULL;
}

/* \newcommand, \renewcommand or \providecommand. */
static const char *define_command(TgKatexReader *reader, const char *command)
{
    const gboolean may_exist = strcmp(command, "\\newcommand") != 0;
    const gboolean may_be_new = strcmp(command, "\\renewcommand") != 0;
    const guint at = tg_katex_peek(reader).at;
    GArray *name = tg_katex_take_argument(reader, NULL);
    guint n_arguments = 0;

    if (reader->error != NULL)
        return NULL;
    if (name->len != 1) {
        tg_katex_fail(reader, at, "%s's first argument must be a macro name", command);
        return NULL;
    }
    const char *text = g_array_index(name, TgKatexToken, 0).text;
    const gboolean exists = is_defined(reader, text);
    if (exists ? !may_exist : !may_be_new) {
        tg_katex_fail(reader, at, "%s{%s} attempting to %s; use %s", command, text,
                      exists ? "redefine it" : "redefine what is not defined",
                      exists ? "\\renewcommand" : "\\newcommand");
        return NULL;
    }
    GArray *body = tg_katex_take_argument(reader, NULL);
    if (body->len == 1 && token_is(g_array_index(body, TgKatexToken, 0), "[")) {
        guint digits = 0;
        TgKatexToken token = tg_katex_expand_next(reader);
        while (reader->error == NULL && !token_is(token, "]") && token.text != tg_katex_end) {
            if (g_ascii_isdigit(token.text[0]) && token.text[1] == '\0') {
                n_arguments = 10 * n_arguments + (guint) (token.text[0] - '0');
                digits++;
            } else if (!token_is(token, " ")) {
                digits = 100;
            }
            token = tg_katex_expand_next(reader);
        }
        if (digits == 0 || digits > 2 || n_arguments > 9) {
            tg_katex_fail(reader, at, "Invalid number of arguments of %s", command);
            return NULL;
        }
        body = tg_katex_take_argument(reader, NULL);
    }
    if (reader->error == NULL)
        tg_katex_define_macro(
            reader, (TgKatexMacro){ .name = text, .n_arguments = n_arguments, .tokens = body },
            FALSE);
    return NULL;
}

static const char *expand_dots(TgKatexReader *reader, G_GNUC_UNUSED const char *self)
{
    static const struct {
        const char *dots, *names;
    } kinds[] = {
        { "\\dotsc", "," },
        { "\\dotsb", "\\not + = < > - * : \\DOTSB \\coprod \\bigvee \\bigwedge \\biguplus "
                     "\\bigcap \\bigcup \\prod \\sum \\bigotimes \\bigoplus \\bigodot \\bigsqcup "
                     "\\And \\longrightarrow \\Longrightarrow \\longleftarrow \\Longleftarrow "
                     "\\longleftrightarrow \\Longleftrightarrow \\mapsto \\longmapsto "
                     "\\hookrightarrow \\doteq \\mathbin \\mathrel \\relbar \\Relbar \\xrightarrow "
                     "\\xleftarrow" },
        { "\\dotsi", "\\DOTSI \\int \\oint \\iint \\iiint \\iiiint \\idotsint" },
        { "\\dotsx", "\\DOTSX" },
    };

    expand_once(reader, TRUE);
    const char *next = tg_katex_peek(reader).text;
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (tg_katex_is_word(next, kinds[i].names))
            return kinds[i].dots;
    const TgKatexSymbol *symbol = tg_katex_symbol(next);
    if (g_str_has_prefix(next, "\\not") || (symbol != NULL && (symbol->class == TG_KATEX_BINARY ||
                                                               symbol->class == TG_KATEX_RELATION)))
        return "\\dotsb";
    return "\\dotso";
}

static const char *expand_tag(TgKatexReader *reader, G_GNUC_UNUSED const char *self)
{
    const guint at = tg_katex_peek(reader).at;
    const GArray *text = tg_katex_take_argument(reader, NULL);
    static const TgKatexToken braces[] = { { "{", 0 }, { "\\text", 0 }, { "}", 0 } };

    if (tg_katex_find_macro(reader, "\\df@tag") != NULL) {
        tg_katex_fail(reader, at, "Multiple \\tag");
        return NULL;
    }
    GArray *body = tg_katex_token_list(reader);
    g_array_append_val(body, braces[2]);
    g_array_append_vals(body, text->data, text->len);
    g_array_append_val(body, braces[0]);
    g_array_append_val(body, braces[1]);
    tg_katex_define_macro(reader, (TgKatexMacro){ .name = "\\df@tag", .tokens = body }, TRUE);
    return "";
}

static void add_names(GHashTable *table, const char *names, gconstpointer value)
{
    g_auto(GStrv) list = g_strsplit(names, " ", -1);

    for (guint i = 0; list[i] != NULL; i++)
        g_hash_table_insert(table, g_strdup(list[i]), (gpointer) value);
}

static void make_tables(void)
{
    static const TgKatexMacro code[] = {
        { .name = "\\TextOrMath", .expand = expand_text_or_math },
        { .name = "\\@ifstar", .expand = expand_if_star },
        { .name = "\\newcommand", .expand = define_command },
        { .name = "\\renewcommand", .expand = define_command },
        { .name = "\\providecommand", .expand = define_command },
        { .name = "\\dots", .expand = expand_dots },
        { .name = "\\tag@literal", .expand = expand_tag },
    };
    static TgKatexMacro texts[G_N_ELEMENTS(macro_texts)];

    functions_by_name = g_hash_table_new(g_str_hash, g_str_equal);
    macros_by_name = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
        add_names(functions_by_name, functions[i].names, &functions[i]);
    for (guint i = 0; i < G_N_ELEMENTS(macro_texts); i++) {
        texts[i] = (TgKatexMacro){ .body = macro_texts[i].body };
        add_names(macros_by_name, macro_texts[i].names, &texts[i]);
    }
    for (guint i = 0; i < G_N_ELEMENTS(code); i++)
        g_hash_table_insert(macros_by_name, (gpointer) code[i].name, (gpointer) &code[i]);
    for (gint c = 0; c < 0x80; c++)
        ascii_text((char) c);
}

void tg_katex_need_functions(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_tables);
}
