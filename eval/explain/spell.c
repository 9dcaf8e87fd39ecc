/* Tokens of FORTE's as people write them. */
#include <string.h>

#include "eval/explain/explain.h"

typedef struct {
    const char *name;
    const char *spelled;
    const char *words;
} MarkWords;

/* The marks of structure as LaTeX would have them, and in words. */
static const MarkWords *find_mark(char kind, const char *name)
{
    static const MarkWords marks[] = {
        { "FRAC", "\\frac{", "fraction" },
        { "SQRT", "\\sqrt{", "root" },
        { "_(", "_{", "subscript" },
        { "^(", "^{", "superscript" },
        { ")", "}", "end" },
        { "|den|", "}{", "bar" },
        { "|end|", "}", "end" },
        { "|idx|", "}{", "end of the index" },
        { "|acc|", "{", "start of what an accent is over" },
        { "MAT", "\\matrix{", "grid" },
        { "|row|", "\\\\", "row break" },
        { "|cell|", "&", "cell break" },
    };

    if (strchr("FSMVEC", kind) == NULL)
        return NULL;
    for (guint i = 0; i < G_N_ELEMENTS(marks); i++) {
        if (strcmp(marks[i].name, name) == 0)
            return &marks[i];
    }
    return NULL;
}

char *tg_explain_mark_in_words(const TgExplainToken *token)
{
    const MarkWords *mark = find_mark(token->kind, token->name);
    const MarkWords *opener = token->opener != NULL
                                  ? find_mark(token->opener[0] == 'M' ? 'M' : 'F', token->opener)
                                  : NULL;

    if (mark == NULL)
        return NULL;
    return opener != NULL ? g_strdup_printf("%s of a %s", mark->words, opener->words)
                          : g_strdup(mark->words);
}

/* A name that is one character as itself where it can be seen, all others behind a backslash. */
static void spell_name(GString *out, const char *name)
{
    static const char *const special[][2] = {
        { "{", "\\{" }, { "}", "\\}" }, { "<<", "\\langle" }, { ">>", "\\rangle" }
    };

    for (guint i = 0; i < G_N_ELEMENTS(special); i++) {
        if (strcmp(name, special[i][0]) == 0) {
            g_string_append(out, special[i][1]);
            return;
        }
    }
    if (*g_utf8_next_char(name) != '\0')
        g_string_append_c(out, '\\');
    for (const char *at = name; *at != '\0'; at = g_utf8_next_char(at)) {
        const gunichar code = g_utf8_get_char(at);

        if (g_unichar_isprint(code) && !g_unichar_iszerowidth(code))
            g_string_append_unichar(out, code);
        else
            g_string_append_printf(out, "U+%04X", code);
    }
}

void tg_explain_spell(GString *out, const TgExplainToken *token)
{
    static const char *const fonts[][2] = { { "b", "\\mathbf{" },    { "bb", "\\mathbb{" },
                                            { "cal", "\\mathcal{" }, { "fr", "\\mathfrak{" },
                                            { "sf", "\\mathsf{" },   { "tt", "\\mathtt{" } };
    const MarkWords *mark = find_mark(token->kind, token->name);
    const char *closing = "";

    if (mark != NULL) {
        g_string_append(out, mark->spelled);
        return;
    }
    for (guint i = 0; i < G_N_ELEMENTS(fonts); i++) {
        if (strcmp(token->font, fonts[i][0]) == 0) {
            g_string_append(out, fonts[i][1]);
            closing = "}";
        }
    }
    spell_name(out, token->name);
    g_string_append(out, closing);
}

/* Whether a token is spelled with letters at its end, which would swallow a letter. */
static gboolean ends_in_letters(const TgExplainToken *token)
{
    return token->font[0] == '\0' && token->name[0] != '\0' && token->name[1] != '\0' &&
           find_mark(token->kind, token->name) == NULL && token->kind != 'X';
}

/* A word ends where letters of another sort follow. */
static gboolean ends_word(const TgExplainToken *left, const TgExplainToken *right)
{
    return left->kind == 'L' && right->kind == 'L' && left->upright != right->upright;
}

gboolean tg_explain_needs_blank(const TgExplainToken *left, const TgExplainToken *right)
{
    return left->is_binary || right->is_binary || strchr("PVC", left->kind) != NULL ||
           strchr("VC", right->kind) != NULL || ends_word(left, right) ||
           (ends_in_letters(left) && strchr("LGDBNZA", right->kind) != NULL);
}

void tg_explain_spell_tokens(GString *out, const TgExplainToken *tokens, guint n)
{
    for (guint i = 0; i < n; i++) {
        if (i > 0 && tg_explain_needs_blank(&tokens[i - 1], &tokens[i]))
            g_string_append_c(out, ' ');
        tg_explain_spell(out, &tokens[i]);
    }
}

/* What a token does to the braces of a spelled run. */
typedef enum { BRACE_NONE, BRACE_OPENS, BRACE_PARTS, BRACE_CLOSES, BRACE_INVISIBLE } Brace;

static Brace brace_of(const TgExplainToken *token)
{
    if (strchr("FSM", token->kind) != NULL)
        return BRACE_OPENS;
    if (token->kind != 'E')
        return BRACE_NONE;
    if (strcmp(token->name, "|acc|") == 0)
        return BRACE_INVISIBLE; /* the accent stands behind what it is over */
    return strcmp(token->name, ")") == 0 || strcmp(token->name, "|end|") == 0 ? BRACE_CLOSES
                                                                              : BRACE_PARTS;
}

/* Spell the tokens of a run; @balanced: without ends of what begins before it, and with the ends
 * that it lacks itself. */
static void spell_tokens(GString *out, const TgExplanation *explanation, const TgExplainRun *run,
                         guint side, gboolean balanced)
{
    const TgExplainToken *before = NULL;
    guint depth = 0;

    for (guint i = 0; i < run->n; i++) {
        const TgExplainEdit *edit = &explanation->edits[run->first + i];
        const TgExplainToken *token = &explanation->sides[side].tokens[edit->at[side]];

        if (!edit->has[side])
            continue;
        const Brace brace = brace_of(token);
        if (balanced && (brace == BRACE_INVISIBLE ||
                         ((brace == BRACE_CLOSES || brace == BRACE_PARTS) && depth == 0)))
            continue;
        depth += brace == BRACE_OPENS;
        depth -= balanced && brace == BRACE_CLOSES;
        if (before != NULL && tg_explain_needs_blank(before, token))
            g_string_append_c(out, ' ');
        tg_explain_spell(out, token);
        before = token;
    }
    for (; balanced && depth > 0; depth--)
        g_string_append_c(out, '}');
}

void tg_explain_spell_run(GString *out, const TgExplanation *explanation, const TgExplainRun *run,
                          guint side)
{
    const gsize start = out->len;

    spell_tokens(out, explanation, run, side, TRUE);
    if (out->len == start) /* nothing but ends */
        spell_tokens(out, explanation, run, side, FALSE);
}
