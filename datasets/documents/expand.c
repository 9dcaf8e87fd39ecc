#include "datasets/documents/expand.h"

#include <string.h>

#include "core/arena.h"
#include "core/fail.h"
#include "tokenizer/macros/define.h"

/* What macros may yield, beside so much for each byte of the document. */
#define MIN_EXPANSIONS 10000u
#define MIN_TOKENS     100000u
#define EXPANSIONS     2u
#define TOKENS         8u

void tg_expanded_text_clear(TgExpandedText *expanded)
{
    if (expanded->text != NULL)
        g_string_free(expanded->text, TRUE);
    g_clear_pointer(&expanded->marks, g_array_unref);
    expanded->text = NULL;
}

gsize tg_expanded_text_source(const TgExpandedText *expanded, gsize at)
{
    guint low = 0, high = expanded->marks->len;

    while (high - low > 1) {
        const guint middle = low + (high - low) / 2;
        if (g_array_index(expanded->marks, TgDocumentMark, middle).at <= at)
            low = middle;
        else
            high = middle;
    }
    if (high == 0)
        return 0;
    const TgDocumentMark *mark = &g_array_index(expanded->marks, TgDocumentMark, low);
    return mark->source + (at - mark->at);
}

/* Writing tokens back as text. */
typedef struct {
    const char *source;
    gsize n_macros;
    gsize done;          /* of the source, in bytes */
    gboolean after_word; /* a control word was written last */
    TgExpandedText *out;
} Writer;

static gboolean is_blank(const char *text, gsize start, gsize end)
{
    for (gsize i = start; i < end; i++)
        if (!g_ascii_isspace(text[i]))
            return FALSE;
    return TRUE;
}

/* The source before a token: white space stays, macro calls and braces of arguments
 * go. */
static void write_gap(Writer *writer, gsize start)
{
    if (start > writer->done && is_blank(writer->source, writer->done, start)) {
        g_string_append_len(writer->out->text, writer->source + writer->done,
                            (gssize) (start - writer->done));
        writer->after_word = FALSE;
    }
}

static void write_token(Writer *writer, const TgTexToken *token)
{
    static const char limits_operator[] = "\\operatornamewithlimits";
    GString *text = writer->out->text;

    if (token->start < writer->n_macros && token->end <= writer->n_macros)
        return;
    write_gap(writer, token->start);
    const TgDocumentMark mark = { text->len, token->start - writer->n_macros };
    g_array_append_val(writer->out->marks, mark);
    if (writer->after_word && token->len > 0 && g_ascii_isalpha(token->text[0]))
        g_string_append_c(text, ' ');
    /* The expander's name for \operatorname*. */
    if (token->len == strlen(limits_operator) &&
        memcmp(token->text, limits_operator, token->len) == 0)
        g_string_append(text, "\\operatorname*");
    else
        g_string_append_len(text, token->text, token->len);
    writer->after_word = token->kind == TG_TOK_COMMAND && token->len > 1 &&
                         g_ascii_isalpha(token->text[token->len - 1]);
    writer->done = MAX(writer->done, token->end);
}

static gboolean is_named(const TgTexToken *token, const char *name)
{
    return token->len == strlen(name) && memcmp(token->text, name, token->len) == 0;
}

/* Read a definition if @token starts one. */
static gboolean read_definition(TgExpander *expander, const TgTexToken *token)
{
    if (token->kind != TG_TOK_COMMAND)
        return FALSE;
    if (is_named(token, "\\def") || is_named(token, "\\gdef") || is_named(token, "\\edef") ||
        is_named(token, "\\xdef"))
        tg_define_macro(expander, token);
    else if (is_named(token, "\\newcommand") || is_named(token, "\\renewcommand") ||
             is_named(token, "\\DeclareRobustCommand"))
        tg_define_newcommand(expander, token, 'n');
    else if (is_named(token, "\\providecommand"))
        tg_define_newcommand(expander, token, 'p');
    else if (is_named(token, "\\let"))
        tg_define_let(expander, token);
    else if (is_named(token, "\\DeclareMathOperator"))
        tg_define_operator(expander, token);
    else
        return FALSE;
    return TRUE;
}

static void open_group(TgExpander *expander, GArray *groups)
{
    const guint mark = tg_tex_macros_open_group(&expander->macros);

    g_array_append_val(groups, mark);
}

static void close_group(TgExpander *expander, GArray *groups)
{
    if (groups->len == 0)
        return;
    tg_tex_macros_close_group(&expander->macros, g_array_index(groups, guint, groups->len - 1));
    g_array_set_size(groups, groups->len - 1);
}

static void expand_document(TgExpander *expander, Writer *writer, GArray *groups)
{
    for (;;) {
        const TgTexToken token = tg_expander_next_user(expander);
        if (token.kind == TG_TOK_END)
            return;
        if (read_definition(expander, &token)) {
            writer->done = MAX(writer->done, expander->end);
            continue;
        }
        if (token.kind == TG_TOK_OPEN)
            open_group(expander, groups);
        else if (token.kind == TG_TOK_CLOSE)
            close_group(expander, groups);
        write_token(writer, &token);
    }
}

gboolean tg_document_expand(const char *text, gsize len, gsize n_macros, TgExpandedText *out,
                            GError **error)
{
    TgArena arena = { 0 };
    TgParseErrors errors;
    TgExpander expander;
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(guint));
    Writer writer = { .source = text, .n_macros = n_macros, .done = n_macros, .out = out };

    out->text = g_string_sized_new(len);
    out->marks = g_array_new(FALSE, FALSE, sizeof(TgDocumentMark));
    tg_parse_errors_init(&errors, &arena, text, len, FALSE);
    tg_expander_init(&expander, &arena, &errors, text, len,
                     MIN_EXPANSIONS + EXPANSIONS * (guint) len, MIN_TOKENS + TOKENS * (guint) len);
    expand_document(&expander, &writer, groups);
    const gboolean limit = errors.limit;
    tg_expander_clear(&expander);
    tg_arena_clear(&arena);
    return !limit || tg_fail_input(error, "the macros expand without end");
}
