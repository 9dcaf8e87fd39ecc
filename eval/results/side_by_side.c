/* Truth above prediction, the differences marked. */
#include "eval/results/results.h"

#include <string.h>

#include "core/utf8.h"
#include "metrics/algorithms/algorithms.h"
#include "tokenizer/macros/lexer.h"

enum { MAX_TOKENS = 10000, MIN_WIDTH = 40, LABEL_WIDTH = 12, MAX_LINES = 8 };

static const char *const labels[] = { "truth", "prediction" };

/* A token as it is printed. */
typedef struct {
    char *text;
    guint32 id;
    guint width;       /* columns of the page */
    gboolean is_glued; /* a blank must follow: \alpha before a letter */
} Token;

/* Two tokens one above the other; NULL where there is none. */
typedef struct {
    const Token *tokens[2];
    gboolean is_equal;
} Column;

static void clear_token(gpointer token)
{
    g_free(((Token *) token)->text);
}

static void append_visible(Token *token, GString *text, const TgSideToken *source)
{
    g_autofree char *valid = g_utf8_make_valid(source->text, (gssize) source->length);

    for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
        const gunichar code = g_utf8_get_char(at);
        const gunichar c = tg_is_steering(code) ? 0xFFFD : code;

        g_string_append_unichar(text, c);
        token->width += tg_columns_of_character(c);
    }
}

/* A command of letters needs a blank before a letter. */
static gboolean needs_blank(const Token *left, const Token *right)
{
    const gsize length = strlen(left->text);

    return length > 1 && left->text[0] == '\\' && g_ascii_isalpha(left->text[length - 1]) &&
           g_unichar_isalpha(g_utf8_get_char(right->text));
}

/* Tokens as they are printed; equal ones have the same id. (transfer full) (element-type Token) */
static GArray *read_tokens(const TgSideToken *source, guint n, GHashTable *ids)
{
    GArray *tokens = g_array_new(FALSE, FALSE, sizeof(Token));

    g_array_set_clear_func(tokens, clear_token);
    for (guint i = 0; i < MIN(n, MAX_TOKENS); i++) {
        Token token = { 0 };
        GString *text = g_string_new(NULL);
        gpointer id;

        append_visible(&token, text, &source[i]);
        token.text = g_string_free(text, FALSE);
        if (!g_hash_table_lookup_extended(ids, token.text, NULL, &id)) {
            id = GUINT_TO_POINTER(g_hash_table_size(ids));
            g_hash_table_insert(ids, g_strdup(token.text), id);
        }
        token.id = GPOINTER_TO_UINT(id);
        if (i > 0) {
            Token *before = &g_array_index(tokens, Token, i - 1);

            before->is_glued = needs_blank(before, &token);
        }
        g_array_append_val(tokens, token);
    }
    return tokens;
}

static const Token *token_at(const GArray *tokens, guint i)
{
    return &g_array_index(tokens, Token, i);
}

static guint32 *ids_of(const GArray *tokens)
{
    guint32 *ids = g_new(guint32, tokens->len);

    for (guint i = 0; i < tokens->len; i++)
        ids[i] = token_at(tokens, i)->id;
    return ids;
}

/* Equal tokens stand one above the other, and so do a token and what it was read as. (transfer
 * full) (element-type Column) */
static GArray *align(const GArray *a, const GArray *b, guint32 id_bound)
{
    GArray *columns = g_array_new(FALSE, FALSE, sizeof(Column));
    g_autofree guint32 *ids_a = ids_of(a), *ids_b = ids_of(b);
    TgArena arena = { 0 };
    const TgAlignment alignment = tg_align(&arena, (TgSequence){ ids_a, a->len, id_bound },
                                           (TgSequence){ ids_b, b->len, id_bound });

    for (guint i = 0, j = 0, e = 0; i < a->len || j < b->len;) {
        const TgEdit *edit =
            e < alignment.n && alignment.edits[e].ref == i && alignment.edits[e].hyp == j
                ? &alignment.edits[e++]
                : NULL;
        const gboolean has_a = edit == NULL || edit->kind != TG_EDIT_INSERT;
        const gboolean has_b = edit == NULL || edit->kind != TG_EDIT_DELETE;
        const Column column = { { has_a ? token_at(a, i) : NULL, has_b ? token_at(b, j) : NULL },
                                edit == NULL };

        g_array_append_val(columns, column);
        i += has_a != FALSE;
        j += has_b != FALSE;
    }
    tg_arena_clear(&arena);
    return columns;
}

/* ---- lines ---- */

static guint token_width(const Token *token)
{
    return token != NULL ? token->width + (token->is_glued != FALSE) : 0;
}

static guint column_width(const Column *column)
{
    return MAX(token_width(column->tokens[0]), token_width(column->tokens[1]));
}

static void end_line(GString *out)
{
    while (out->len > 0 && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

static void append_side(GString *out, const Column *columns, guint n, guint side)
{
    g_string_append_printf(out, "%-*s", LABEL_WIDTH, labels[side]);
    for (guint i = 0; i < n; i++) {
        const Token *token = columns[i].tokens[side];
        const guint width = token != NULL ? token->width : 0;

        if (token != NULL)
            g_string_append(out, token->text);
        g_string_append_printf(out, "%*s", (int) (column_width(&columns[i]) - width), "");
    }
    end_line(out);
}

static void append_marks(GString *out, const Column *columns, guint n)
{
    g_string_append_printf(out, "%*s", LABEL_WIDTH, "");
    for (guint i = 0; i < n; i++) {
        for (guint k = 0; k < column_width(&columns[i]); k++)
            g_string_append_c(out, columns[i].is_equal ? ' ' : '^');
    }
    end_line(out);
}

/* How many columns fit a line; at least one. */
static guint fit(const Column *columns, guint n, guint width)
{
    guint used = 0, k = 0;

    while (k < n && (k == 0 || used + column_width(&columns[k]) <= width))
        used += column_width(&columns[k++]);
    return k;
}

static gboolean has_difference(const Column *columns, guint n)
{
    for (guint i = 0; i < n; i++) {
        if (!columns[i].is_equal)
            return TRUE;
    }
    return FALSE;
}

void tg_side_by_side_append_tokens(GString *out, const TgSideToken *truth, guint n_truth,
                                   const TgSideToken *prediction, guint n_prediction, guint width,
                                   guint max_lines)
{
    g_autoptr(GHashTable) ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GArray) a = read_tokens(truth, n_truth, ids);
    g_autoptr(GArray) b = read_tokens(prediction, n_prediction, ids);
    g_autoptr(GArray) columns = align(a, b, g_hash_table_size(ids));
    const guint room = MAX(width, MIN_WIDTH) - LABEL_WIDTH;
    gboolean was_left_out = FALSE;
    guint first = 0, n_lines = 0;

    do {
        const Column *line = first < columns->len ? &g_array_index(columns, Column, first) : NULL;
        const guint n = fit(line, columns->len - first, room);

        if (first == 0 || has_difference(line, n)) {
            append_side(out, line, n, 0);
            append_side(out, line, n, 1);
            if (has_difference(line, n))
                append_marks(out, line, n);
            was_left_out = FALSE;
            n_lines++;
        } else if (!was_left_out) {
            g_string_append(out, "...\n");
            was_left_out = TRUE;
        }
        first += n;
    } while (first < columns->len && (max_lines == 0 || n_lines < max_lines));
    if (first < columns->len)
        g_string_append_printf(out, "... and %u tokens more\n",
                               columns->len - first + MAX(MAX(n_truth, n_prediction), MAX_TOKENS) -
                                   MAX_TOKENS);
}

/* The tokens of LaTeX, without white space. (transfer full) (element-type TgSideToken) */
static GArray *lex(const char *source)
{
    GArray *tokens = g_array_new(FALSE, FALSE, sizeof(TgSideToken));
    TgLexer lexer;

    tg_lexer_init(&lexer, source, strlen(source));
    for (TgLexeme l = tg_lexer_next(&lexer); l.kind != TG_LEX_END; l = tg_lexer_next(&lexer)) {
        const TgSideToken token = { source + l.start, l.len };

        if (l.kind != TG_LEX_SPACE)
            g_array_append_val(tokens, token);
    }
    return tokens;
}

void tg_side_by_side_append(GString *out, const char *truth, const char *prediction, guint width)
{
    g_autoptr(GArray) a = lex(truth), b = lex(prediction);

    tg_side_by_side_append_tokens(out, (const TgSideToken *) (const void *) a->data, a->len,
                                  (const TgSideToken *) (const void *) b->data, b->len, width,
                                  MAX_LINES);
}
