/* Reference above prediction, the differences marked. */
#include "core/number.h"
#include "eval/results/results.h"

#include <string.h>

#include "core/hash.h"
#include "core/utf8.h"
#include "metrics/algorithms/algorithms.h"
#include "tokenizer/macros/lexer.h"

enum { MAX_TOKENS = 10000, MIN_WIDTH = 40, LABEL_WIDTH = 12, MAX_LINES = 8 };

static const char *const labels[] = { "reference", "prediction" };

/* A token as it is printed. */
typedef struct {
    char *text;
    guint32 id;  /* the same for equal ones */
    guint width; /* columns of the page */
    guint glue;  /* 1: a blank must follow, as after \alpha before a letter */
} Token;

/* Two tokens one above the other; NULL where there is none. */
typedef struct {
    const Token *tokens[2];
    gboolean is_equal;
    guint width; /* of the wider */
} Column;

static void clear_token(gpointer token)
{
    g_free(((Token *) token)->text);
}

/* Tokens as they are printed. (transfer full) (element-type Token) */
static GArray *read_tokens(const GArray *source, GHashTable *numbers)
{
    GArray *tokens = g_array_new(FALSE, FALSE, sizeof(Token));
    gboolean is_command = FALSE; /* of letters: the token before */

    g_array_set_clear_func(tokens, clear_token);
    for (guint i = 0; i < MIN(source->len, MAX_TOKENS); i++) {
        const TgSideToken *piece = &g_array_index(source, TgSideToken, i);
        g_autofree char *valid = g_utf8_make_valid(piece->text, (gssize) piece->length);
        GString *text = g_string_new(NULL);
        Token token = { 0 };

        for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
            const gunichar code = g_utf8_get_char(at);
            const gunichar c = tg_is_steering(code) ? 0xFFFD : code;

            g_string_append_unichar(text, c);
            token.width += tg_columns_of_character(c);
        }
        if (is_command && g_unichar_isalpha(g_utf8_get_char(text->str)))
            g_array_index(tokens, Token, i - 1).glue = 1;
        is_command =
            text->len > 1 && text->str[0] == '\\' && g_ascii_isalpha(text->str[text->len - 1]);
        token.text = g_string_free(text, FALSE);
        token.id = tg_hash_number(numbers, g_strdup(token.text));
        g_array_append_val(tokens, token);
    }
    return tokens;
}

static guint32 *ids_of(const GArray *tokens)
{
    guint32 *ids = g_new(guint32, tokens->len);

    for (guint i = 0; i < tokens->len; i++)
        ids[i] = g_array_index(tokens, Token, i).id;
    return ids;
}

/* Equal tokens stand one above the other, and so do a token and what it was read as. (transfer
 * full) (element-type Column) */
static GArray *align_sides(const GArray *a, const GArray *b, guint32 id_bound)
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
        const Token *left = NULL, *right = NULL;

        if (edit == NULL || edit->kind != TG_EDIT_INSERT)
            left = &g_array_index(a, Token, i++);
        if (edit == NULL || edit->kind != TG_EDIT_DELETE)
            right = &g_array_index(b, Token, j++);
        g_array_append_val(columns,
                           ((Column){ { left, right },
                                      edit == NULL,
                                      MAX(left != NULL ? left->width + left->glue : 0,
                                          right != NULL ? right->width + right->glue : 0) }));
    }
    tg_arena_clear(&arena);
    return columns;
}

static void end_line(GString *out)
{
    while (out->len > 0 && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

/* Both sides, and marks under what differs. */
static void append_lines(GString *out, const Column *columns, guint n, gboolean differs)
{
    for (guint side = 0; side < 2; side++) {
        g_string_append_printf(out, "%-*s", LABEL_WIDTH, labels[side]);
        for (guint i = 0; i < n; i++) {
            const Token *token = columns[i].tokens[side];
            const guint used = token != NULL ? token->width : 0;

            g_string_append(out, token != NULL ? token->text : "");
            g_string_append_printf(out, "%*s", (int) (columns[i].width - used), "");
        }
        end_line(out);
    }
    if (!differs)
        return;
    g_string_append_printf(out, "%*s", LABEL_WIDTH, "");
    for (guint i = 0; i < n; i++)
        for (guint k = 0; k < columns[i].width; k++)
            g_string_append_c(out, columns[i].is_equal ? ' ' : '^');
    end_line(out);
}

void tg_side_by_side_append_tokens(GString *out, const GArray *ref, const GArray *hyp, guint width,
                                   guint max_lines)
{
    g_autoptr(GHashTable) numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GArray) a = read_tokens(ref, numbers), b = read_tokens(hyp, numbers);
    g_autoptr(GArray) columns = align_sides(a, b, g_hash_table_size(numbers));
    const guint room = MAX(width, MIN_WIDTH) - LABEL_WIDTH;
    gboolean was_left_out = FALSE;
    guint first = 0, n_lines = 0;

    do {
        const Column *line = columns->len > 0 ? &g_array_index(columns, Column, first) : NULL;
        guint n = 0, used = 0;
        gboolean differs = FALSE;

        for (; first + n < columns->len && (n == 0 || used + line[n].width <= room); n++) {
            used += line[n].width;
            differs = differs || !line[n].is_equal;
        }
        if (first == 0 || differs) {
            append_lines(out, line, n, differs);
            was_left_out = FALSE;
            n_lines++;
        } else if (!was_left_out) {
            g_string_append(out, "...\n");
            was_left_out = TRUE;
        }
        first += n;
    } while (first < columns->len && (max_lines == 0 || n_lines < max_lines));
    if (first < columns->len) {
        const guint n =
            columns->len - first + MAX(MAX(ref->len, hyp->len), MAX_TOKENS) - MAX_TOKENS;

        g_string_append_printf(out, "... and %u token%s more\n", n, tg_plural(n));
    }
}

/* The tokens of LaTeX, without white space. (transfer full) (element-type TgSideToken) */
static GArray *lex_side(const char *source)
{
    GArray *tokens = g_array_new(FALSE, FALSE, sizeof(TgSideToken));
    TgLexer lexer = { source, strlen(source), 0 };

    for (TgLexeme l = tg_lexer_next(&lexer); l.kind != TG_LEX_END; l = tg_lexer_next(&lexer)) {
        const TgSideToken token = { source + l.start, l.len };

        if (l.kind != TG_LEX_SPACE)
            g_array_append_val(tokens, token);
    }
    return tokens;
}

void tg_side_by_side_append(GString *out, const char *ref, const char *hyp, guint width)
{
    g_autoptr(GArray) a = lex_side(ref), b = lex_side(hyp);

    tg_side_by_side_append_tokens(out, a, b, width, MAX_LINES);
}
