#include "eval/results/side_by_side.h"

#include <string.h>

#include "tokenizer/latex/lexer.h"

enum { MAX_ALIGNED = 2000, MIN_WIDTH = 40, LABEL_WIDTH = 12 };

static const char *const labels[] = { "truth", "prediction" };

/* A token as it is printed. */
typedef struct {
    char *text;
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

static void append_visible(Token *token, GString *text, const char *source, gsize length)
{
    g_autofree char *valid = g_utf8_make_valid(source, (gssize) length);

    for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
        const gunichar c = g_utf8_get_char(at);

        g_string_append_unichar(text, g_unichar_iscntrl(c) ? 0xFFFD : c);
        token->width += g_unichar_iswide(c) ? 2 : !g_unichar_iszerowidth(c);
    }
}

/* The tokens of a source without its white space. (transfer full) (element-type Token) */
static GArray *read_tokens(const char *source)
{
    GArray *tokens = g_array_new(FALSE, FALSE, sizeof(Token));
    gboolean is_word = FALSE;
    TgLexer lexer;

    g_array_set_clear_func(tokens, clear_token);
    tg_lexer_init(&lexer, source, strlen(source));
    for (TgLexeme l = tg_lexer_next(&lexer); l.kind != TG_LEX_END; l = tg_lexer_next(&lexer)) {
        Token token = { 0 };
        GString *text;

        if (l.kind == TG_LEX_SPACE)
            continue;
        if (is_word && l.kind == TG_LEX_CHARACTER && g_unichar_isalpha(l.code))
            g_array_index(tokens, Token, tokens->len - 1).is_glued = TRUE;
        is_word = l.kind == TG_LEX_CONTROL_WORD;
        text = g_string_new(NULL);
        append_visible(&token, text, source + l.start, l.len);
        token.text = g_string_free(text, FALSE);
        g_array_append_val(tokens, token);
    }
    return tokens;
}

static const Token *token_at(const GArray *tokens, guint i)
{
    return &g_array_index(tokens, Token, i);
}

static gboolean are_equal(const GArray *a, guint i, const GArray *b, guint j)
{
    return strcmp(token_at(a, i)->text, token_at(b, j)->text) == 0;
}

static void add_column(GArray *columns, const Token *a, const Token *b, gboolean is_equal)
{
    const Column column = { { a, b }, is_equal };

    g_array_append_val(columns, column);
}

/* ---- alignment ---- */

/* The parts of both that differ: from @first, @n and @m tokens. */
typedef struct {
    const GArray *a, *b;
    guint first, n, m;
} Middle;

static Middle find_middle(const GArray *a, const GArray *b)
{
    Middle middle = { a, b, 0, a->len, b->len };

    while (middle.n > 0 && middle.m > 0 && are_equal(a, middle.first, b, middle.first)) {
        middle.first++;
        middle.n--;
        middle.m--;
    }
    while (middle.n > 0 && middle.m > 0 &&
           are_equal(a, middle.first + middle.n - 1, b, middle.first + middle.m - 1)) {
        middle.n--;
        middle.m--;
    }
    return middle;
}

enum { BOTH, TRUTH_ALONE, PREDICTION_ALONE };

/*
 * The step that leads to each cell of the table of edit distances, by Wagner, Fischer (1974); of
 * equal ones a replacement first, so that what was misread stands below what it was. (transfer
 * full)
 */
static guint8 *find_steps(const Middle *m)
{
    const gsize width = (gsize) m->m + 1;
    guint8 *steps = g_new(guint8, (m->n + (gsize) 1) * width);
    g_autofree guint *costs = g_new(guint, width);

    for (guint j = 0; j <= m->m; j++) {
        costs[j] = j;
        steps[j] = PREDICTION_ALONE;
    }
    for (guint i = 1; i <= m->n; i++) {
        guint diagonal = costs[0];

        costs[0] = i;
        steps[i * width] = TRUTH_ALONE;
        for (guint j = 1; j <= m->m; j++) {
            const guint both =
                diagonal + !are_equal(m->a, m->first + i - 1, m->b, m->first + j - 1);
            const guint least = MIN(both, MIN(costs[j], costs[j - 1]) + 1);

            diagonal = costs[j];
            steps[i * width + j] = both == least           ? BOTH
                                   : costs[j] + 1 == least ? TRUTH_ALONE
                                                           : PREDICTION_ALONE;
            costs[j] = least;
        }
    }
    return steps;
}

static void align_middle(const Middle *m, GArray *columns)
{
    g_autofree guint8 *steps = find_steps(m);
    g_autoptr(GArray) reversed = g_array_new(FALSE, FALSE, sizeof(Column));
    guint i = m->n, j = m->m;

    while (i > 0 || j > 0) {
        const guint8 step = steps[i * ((gsize) m->m + 1) + j];
        const Token *a = step != PREDICTION_ALONE ? token_at(m->a, m->first + --i) : NULL;
        const Token *b = step != TRUTH_ALONE ? token_at(m->b, m->first + --j) : NULL;

        add_column(reversed, a, b, a != NULL && b != NULL && strcmp(a->text, b->text) == 0);
    }
    for (guint k = reversed->len; k > 0; k--)
        g_array_append_val(columns, g_array_index(reversed, Column, k - 1));
}

/* (transfer full) (element-type Column) */
static GArray *align(const GArray *a, const GArray *b)
{
    GArray *columns = g_array_new(FALSE, FALSE, sizeof(Column));
    const Middle middle = find_middle(a, b);

    for (guint i = 0; i < middle.first; i++)
        add_column(columns, token_at(a, i), token_at(b, i), TRUE);
    if (middle.n <= MAX_ALIGNED && middle.m <= MAX_ALIGNED) {
        align_middle(&middle, columns);
    } else {
        for (guint i = 0; i < MAX(middle.n, middle.m); i++)
            add_column(columns, i < middle.n ? token_at(a, middle.first + i) : NULL,
                       i < middle.m ? token_at(b, middle.first + i) : NULL, FALSE);
    }
    for (guint i = middle.first + middle.n; i < a->len; i++)
        add_column(columns, token_at(a, i), token_at(b, i + middle.m - middle.n), TRUE);
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

void tg_side_by_side_append(GString *out, const char *truth, const char *prediction, guint width)
{
    g_autoptr(GArray) a = read_tokens(truth);
    g_autoptr(GArray) b = read_tokens(prediction);
    g_autoptr(GArray) columns = align(a, b);
    const guint room = MAX(width, MIN_WIDTH) - LABEL_WIDTH;
    gboolean was_left_out = FALSE;
    guint first = 0;

    do {
        const Column *line = &g_array_index(columns, Column, first);
        const guint n = fit(line, columns->len - first, room);

        if (first == 0 || has_difference(line, n)) {
            append_side(out, line, n, 0);
            append_side(out, line, n, 1);
            if (has_difference(line, n))
                append_marks(out, line, n);
            was_left_out = FALSE;
        } else if (!was_left_out) {
            g_string_append(out, "...\n");
            was_left_out = TRUE;
        }
        first += n;
    } while (first < columns->len);
}
