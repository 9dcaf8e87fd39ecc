/*
 * FORTE against edits made at random in formulas of im2latex: one visible edit must score below 1,
 * a rewrite that leaves the picture as it is must score 1. Prints how many do, by kind.
 */
#include <stdio.h>
#include <stdlib.h>

#include <texgauge/texgauge.h>

#include "tests/support/test_support.h"

#include "core/random.h"
#include "metrics/metric.h"

#define FORMULAS "data/im2latex/test.formulas.norm.txt"

enum { N_EDITS = 8000, N_RESTYLES = 10000, MAX_SHOWN = 12 };

#define MAX_MISSED 0.01  /* of the visible edits */
#define MAX_STRICT 0.005 /* of the rewrites */

/* ---- Tokens: the file has them between blanks ---- */

typedef struct {
    GPtrArray *tokens; /* of char * */
    TgRandom random;
} Formula;

static const char *token(const Formula *self, guint i)
{
    return i < self->tokens->len ? self->tokens->pdata[i] : "";
}

static gboolean is(const Formula *self, guint i, const char *text)
{
    return strcmp(token(self, i), text) == 0;
}

static void put(Formula *self, guint i, const char *text)
{
    g_free(self->tokens->pdata[i]);
    self->tokens->pdata[i] = g_strdup(text);
}

static void insert(Formula *self, guint i, const char *text)
{
    g_ptr_array_insert(self->tokens, (gint) i, g_strdup(text));
}

static gboolean is_letter(const Formula *self, guint i)
{
    return g_ascii_isalpha(token(self, i)[0]) && token(self, i)[1] == '\0';
}

static gboolean is_digit(const Formula *self, guint i)
{
    return g_ascii_isdigit(token(self, i)[0]) && token(self, i)[1] == '\0';
}

/* The closing brace of the group at @open, or 0. */
static guint find_close(const Formula *self, guint open)
{
    guint depth = 0;

    for (guint i = open; i < self->tokens->len; i++) {
        depth += is(self, i, "{");
        if (is(self, i, "}") && --depth == 0)
            return i;
    }
    return 0;
}

/* ---- Visible edits: each is FALSE where it finds no place at token @i ---- */

static const char *const greek[] = { "\\alpha", "\\beta",  "\\gamma", "\\delta", "\\lambda",
                                     "\\mu",    "\\sigma", "\\theta", "\\omega", "\\psi" };
static const char *const signs[] = { "+", "-", "=", "\\times", "<", ">" };

static gint find_word(const char *const *words, guint n, const char *text)
{
    for (guint i = 0; i < n; i++) {
        if (strcmp(words[i], text) == 0)
            return (gint) i;
    }
    return -1;
}

static gboolean put_other(Formula *self, guint i, const char *const *words, guint n)
{
    const gint at = find_word(words, n, token(self, i));

    if (at < 0)
        return FALSE;
    put(self, i, words[((guint) at + 1 + tg_random_below(&self->random, n - 1)) % n]);
    return TRUE;
}

static gboolean edit_letter(Formula *self, guint i)
{
    char other[] = { (char) ('a' + tg_random_below(&self->random, 26)), '\0' };

    if (!is_letter(self, i) || is(self, i, other))
        return FALSE;
    put(self, i, other);
    return TRUE;
}

static gboolean edit_digit(Formula *self, guint i)
{
    char other[] = { (char) ('0' + tg_random_below(&self->random, 10)), '\0' };

    if (!is_digit(self, i) || is(self, i, other))
        return FALSE;
    put(self, i, other);
    return TRUE;
}

static gboolean edit_greek(Formula *self, guint i)
{
    return put_other(self, i, greek, G_N_ELEMENTS(greek));
}

static gboolean edit_sign(Formula *self, guint i)
{
    return put_other(self, i, signs, G_N_ELEMENTS(signs));
}

static gboolean is_symbol(const Formula *self, guint i)
{
    return is_letter(self, i) || is_digit(self, i) ||
           find_word(greek, G_N_ELEMENTS(greek), token(self, i)) >= 0 ||
           find_word(signs, G_N_ELEMENTS(signs), token(self, i)) >= 0;
}

static gboolean edit_loss(Formula *self, guint i)
{
    if (!is_symbol(self, i))
        return FALSE;
    g_ptr_array_remove_index(self->tokens, i);
    return TRUE;
}

static gboolean edit_addition(Formula *self, guint i)
{
    if (!is_symbol(self, i))
        return FALSE;
    insert(self, i + 1, greek[tg_random_below(&self->random, G_N_ELEMENTS(greek))]);
    return TRUE;
}

static gboolean is_script(const Formula *self, guint i)
{
    return is(self, i, "_") || is(self, i, "^");
}

static gboolean edit_lost_script(Formula *self, guint i)
{
    const guint close = is_script(self, i) && is(self, i + 1, "{") ? find_close(self, i + 1) : 0;

    if (close <= i + 2)
        return FALSE;
    g_ptr_array_remove_range(self->tokens, i, close - i + 1);
    return TRUE;
}

/* A lone script up for down; beside another one it would be a second superscript. */
static gboolean edit_moved_script(Formula *self, guint i)
{
    const guint close = is_script(self, i) && is(self, i + 1, "{") ? find_close(self, i + 1) : 0;

    if (close <= i + 2 || is_script(self, close + 1) || is(self, close + 1, "'") || i == 0 ||
        is(self, i - 1, "}") || is(self, i - 1, "'") || is(self, i + 2, "\\prime"))
        return FALSE;
    put(self, i, is(self, i, "_") ? "^" : "_");
    return TRUE;
}

static gboolean same_range(const Formula *self, guint a, guint b, guint n)
{
    for (guint k = 0; k < n; k++) {
        if (!is(self, a + k, token(self, b + k)))
            return FALSE;
    }
    return TRUE;
}

static gboolean edit_fraction(Formula *self, guint i)
{
    const guint num = is(self, i, "\\frac") && is(self, i + 1, "{") ? find_close(self, i + 1) : 0;
    const guint den = num > 0 && is(self, num + 1, "{") ? find_close(self, num + 1) : 0;

    if (den == 0 || (num - i == den - num && same_range(self, i + 1, num + 1, num - i)))
        return FALSE;
    for (guint k = num + 1; k <= den; k++) { /* the denominator before the numerator */
        char *moved = g_ptr_array_steal_index(self->tokens, k);
        g_ptr_array_insert(self->tokens, (gint) (i + 1 + k - num - 1), moved);
    }
    return TRUE;
}

/* Sans serif for one of several that were plain. */
static gboolean edit_style(Formula *self, guint i)
{
    guint n = 0;

    if (!is_letter(self, i) || is(self, i - 1, "\\bf"))
        return FALSE;
    for (guint k = 0; k < self->tokens->len; k++)
        n += is(self, k, token(self, i));
    if (n < 2)
        return FALSE;
    insert(self, i, "{");
    insert(self, i, "\\mathsf");
    insert(self, i + 3, "}");
    return TRUE;
}

static gboolean edit_accent(Formula *self, guint i)
{
    if (!is_symbol(self, i) || find_word(signs, G_N_ELEMENTS(signs), token(self, i)) >= 0)
        return FALSE;
    insert(self, i, "{");
    insert(self, i, "\\breve");
    insert(self, i + 3, "}");
    return TRUE;
}

/* ---- Rewrites ---- */

static const char *const spellings[][2] = {
    { "\\le", "\\leq" },        { "\\ge", "\\geq" },     { "\\ne", "\\neq" },
    { "\\rightarrow", "\\to" }, { "\\ldots", "\\dots" }, { "\\cdots", "\\ldots" },
    { "\\ast", "*" },           { "\\vert", "|" },       { "\\lbrace", "\\{" },
};

static gboolean restyle_spelling(Formula *self, guint i)
{
    for (guint s = 0; s < G_N_ELEMENTS(spellings); s++) {
        for (guint k = 0; k < 2; k++) {
            if (!is(self, i, spellings[s][k]))
                continue;
            put(self, i, spellings[s][1 - k]);
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean restyle_over(Formula *self, guint i)
{
    const guint num = is(self, i, "\\frac") && is(self, i + 1, "{") ? find_close(self, i + 1) : 0;
    const guint den = num > 0 && is(self, num + 1, "{") ? find_close(self, num + 1) : 0;

    if (den == 0)
        return FALSE;
    put(self, i, "{");
    insert(self, den + 1, "}");
    insert(self, num + 1, "\\over");
    return TRUE;
}

static gboolean restyle_braces(Formula *self, guint i)
{
    if (!is_letter(self, i) && !is_digit(self, i))
        return FALSE;
    insert(self, i, "{");
    insert(self, i + 2, "}");
    return TRUE;
}

static gboolean restyle_no_braces(Formula *self, guint i)
{
    if (!is_script(self, i) || !is(self, i + 1, "{") || !is(self, i + 3, "}") ||
        (!is_letter(self, i + 2) && !is_digit(self, i + 2)))
        return FALSE;
    g_ptr_array_remove_index(self->tokens, i + 3);
    g_ptr_array_remove_index(self->tokens, i + 1);
    return TRUE;
}

static gboolean restyle_script_order(Formula *self, guint i)
{
    const guint first = is_script(self, i) && is(self, i + 1, "{") ? find_close(self, i + 1) : 0;
    const guint second = first > 0 && is_script(self, first + 1) && is(self, first + 2, "{")
                             ? find_close(self, first + 2)
                             : 0;

    if (second == 0 || is(self, first + 1, token(self, i)) || is(self, i - 1, "}"))
        return FALSE;
    for (guint k = first + 1; k <= second; k++) {
        char *moved = g_ptr_array_steal_index(self->tokens, k);
        g_ptr_array_insert(self->tokens, (gint) (i + k - first - 1), moved);
    }
    return TRUE;
}

static gboolean restyle_prime(Formula *self, guint i)
{
    if (!is(self, i, "^") || !is(self, i + 1, "{") || !is(self, i + 2, "\\prime") ||
        !is(self, i + 3, "}") || is(self, i + 4, "^") || is(self, i - 1, "}"))
        return FALSE;
    g_ptr_array_remove_range(self->tokens, i, 3);
    put(self, i, "'");
    return TRUE;
}

static gboolean restyle_thin_space(Formula *self, guint i)
{
    if (!is_symbol(self, i) || is_script(self, i + 1) || is(self, i + 1, "'"))
        return FALSE;
    insert(self, i + 1, "\\,");
    return TRUE;
}

static gboolean restyle_delimiter(Formula *self, guint i)
{
    guint depth = 0;

    if (!is(self, i, "\\left(") && !is(self, i, "\\left["))
        return FALSE;
    for (guint k = i; k < self->tokens->len; k++) {
        depth += g_str_has_prefix(token(self, k), "\\left") && token(self, k)[5] != 'a';
        if (!g_str_has_prefix(token(self, k), "\\right") || token(self, k)[6] == 'a' || --depth > 0)
            continue;
        if (token(self, k)[6] != ')' && token(self, k)[6] != ']')
            return FALSE;
        put(self, k, token(self, k)[6] == ')' ? ")" : "]");
        put(self, i, token(self, i)[5] == '(' ? "(" : "[");
        return TRUE;
    }
    return FALSE;
}

/* ---- The two trials ---- */

typedef struct {
    const char *name;
    gboolean (*apply)(Formula *, guint);
} Change;

static const Change edits[] = {
    { "letter", edit_letter },
    { "digit", edit_digit },
    { "greek", edit_greek },
    { "sign", edit_sign },
    { "loss", edit_loss },
    { "addition", edit_addition },
    { "lost script", edit_lost_script },
    { "moved script", edit_moved_script },
    { "fraction", edit_fraction },
    { "style", edit_style },
    { "accent", edit_accent },
};

static const Change restyles[] = {
    { "spelling", restyle_spelling },
    { "over", restyle_over },
    { "braces", restyle_braces },
    { "no braces", restyle_no_braces },
    { "script order", restyle_script_order },
    { "prime", restyle_prime },
    { "thin space", restyle_thin_space },
    { "delimiter", restyle_delimiter },
};

/* Formulas whose tokens may all be changed: with no lengths, columns or names among them. */
static gboolean is_plain(const char *line)
{
    static const char *const not [] = { "\\begin", "space",    "\\label",    "\\kern",
                                        "\\mbox",  "\\text",   "\\raise",    "\\operatorname",
                                        "\\rule",  "\\skew",   "box",        "phantom",
                                        "\\smash", "\\lower",  "\\stackrel", "\\root",
                                        "[ ",      "\\mathop", "\\not",      "\\over" };

    for (guint i = 0; i < G_N_ELEMENTS(not ); i++) {
        if (strstr(line, not [i]) != NULL)
            return FALSE;
    }
    return strlen(line) > 20;
}

/* Whether the tokens form the formula that @change makes of @line. */
static char *change_line(const char *line, const Change *change, TgRandom *random)
{
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    Formula formula = { g_ptr_array_new_with_free_func(g_free), *random };
    char *out = NULL;

    for (guint w = 0; words[w] != NULL; w++) {
        if (*words[w] != '\0')
            g_ptr_array_add(formula.tokens, g_strdup(words[w]));
    }
    const guint n = formula.tokens->len, start = tg_random_below(&formula.random, MAX(n, 1));
    for (guint k = 0; k < n && out == NULL; k++) {
        const guint i = (start + k) % n;

        if (i == 0 || !change->apply(&formula, i))
            continue;
        g_ptr_array_add(formula.tokens, NULL);
        out = g_strjoinv(" ", (char **) formula.tokens->pdata);
    }
    *random = formula.random;
    g_ptr_array_unref(formula.tokens);
    return out;
}

typedef struct {
    TgMetric *metric;
    TgEnv *env;
    TgResult *result;
    char **lines;
    guint n_lines;
} Trial;

/* How many of @n changed formulas score 1. */
static guint count_ones(Trial *self, const Change *changes, guint n_changes, guint n,
                        gboolean wanted)
{
    guint counts[16] = { 0 }, totals[16] = { 0 }, ones = 0, shown = 0;
    TgRandom random;

    tg_random_seed(&random, 1, wanted);
    for (guint k = 0; k < n;) {
        const guint c = k % n_changes;
        const char *line = self->lines[tg_random_below(&random, self->n_lines)];
        g_autofree char *changed = is_plain(line) ? change_line(line, &changes[c], &random) : NULL;
        if (changed == NULL)
            continue;
        const TgPair pair = { "pair", &line, 1, changed };

        tg_env_next_pair(self->env);
        k++;
        totals[c]++;
        if (!tg_metric_score(self->metric, self->env, &pair, self->result, NULL))
            continue;
        const gboolean one = tg_result_get(self->result, 0) == 1;
        counts[c] += one;
        ones += one;
        if (one != wanted && shown++ < MAX_SHOWN)
            printf("    %s\n      %.300s\n      %.300s\n", changes[c].name, line, changed);
    }
    for (guint c = 0; c < n_changes; c++)
        printf("  %-14s %5u, score 1: %u\n", changes[c].name, totals[c], counts[c]);
    return ones;
}

int main(void)
{
    g_autofree char *path = tg_shared_path(FORMULAS);
    g_autofree char *text = NULL;
    g_autoptr(TgMetric) metric = tg_metric_new("forte", NULL);

    if (path == NULL || !g_file_get_contents(path, &text, NULL, NULL))
        return tg_skip_program_without_shared();
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgResult) result = tg_result_new(metric, FALSE);
    Trial trial = { metric, env, result, lines, g_strv_length(lines) };

    printf("visible edits\n");
    const guint missed = count_ones(&trial, edits, G_N_ELEMENTS(edits), N_EDITS, FALSE);
    printf("rewrites that look the same\n");
    const guint same = count_ones(&trial, restyles, G_N_ELEMENTS(restyles), N_RESTYLES, TRUE);

    printf("forte: %u of %d visible edits score 1 (%.2f %%), %u of %d rewrites (%.2f %%)\n", missed,
           N_EDITS, 100.0 * missed / N_EDITS, same, N_RESTYLES, 100.0 * same / N_RESTYLES);
    return missed <= MAX_MISSED * N_EDITS && same >= (1 - MAX_STRICT) * N_RESTYLES ? EXIT_SUCCESS
                                                                                   : EXIT_FAILURE;
}
