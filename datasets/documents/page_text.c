/* Texts by OmniDocBench's protocol: the normal forms in which formulas and texts are compared, and
 * formulas inside texts. Its defects are reproduced: it deletes commands that begin longer
 * commands, and single braces of a pair. */
#include "datasets/documents/document.h"

#include <string.h>

#include "core/utf8.h"

/* The normal form of longer formulas, in code points, only loses white space. */
#define MAX_FORMULA 99999

/* The maximum number of rounds in which braces are taken off. */
#define MAX_ROUNDS 1000

/* Append the number of "\textcircled{ 3 }". */
static const char *append_circled(const char *after, GString *out, gpointer unused)
{
    const char *open = tg_skip_blanks(after), *close = tg_flat_group(open);

    (void) unused;
    if (close == NULL || close == open + 1)
        return NULL;
    g_autoptr(GString) content = tg_text_trimmed(open + 1, close);
    g_string_append(out, content->str);
    return close + 1;
}

void tg_text_uncircle(GString *text)
{
    tg_text_replace_command(text, "\\textcircled", append_circled, NULL);
    tg_words_replace(TG_WORDS_CIRCLED, text); /* characters such as "③" */
}

void tg_text_bare(GString *text)
{
    const TgWordList delimiters = TG_WORDS_DELIMITERS;
    const TgWord *word = tg_words(delimiters);

    tg_text_trim(text);
    while (word->list == delimiters) {
        const gsize n = strlen(word->word);
        if (text->len < 2 * n || !g_str_has_prefix(text->str, word->word) ||
            !g_str_has_suffix(text->str, word->with)) {
            word++;
            continue;
        }
        g_string_truncate(text, text->len - n);
        g_string_erase(text, 0, (gssize) n);
        tg_text_trim(text);
        word = tg_words(delimiters);
    }
}

guint *tg_closing_braces(const char *text)
{
    const gsize len = strlen(text);
    guint *closes = g_new0(guint, len + 1);
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint));

    for (guint at = 0; at < len; at++)
        if (text[at] == '{') {
            g_array_append_val(open, at);
        } else if (text[at] == '}' && open->len > 0) {
            closes[g_array_index(open, guint, open->len - 1)] = at;
            g_array_set_size(open, open->len - 1);
        }
    return closes;
}

/* The braces of a text. */
typedef struct {
    const char *text;
    const guint *closes; /* see tg_closing_braces() */
} Braces;

/* The end of `\tag{1}`. Of "\tag{1" without a closing brace only the command is deleted, and
 * "\tags" stays. */
static const char *tag_end(const char *after, GString *out, gpointer data)
{
    const Braces *braces = data;
    const char *open = tg_skip_blanks(after);

    (void) out;
    open = *open == '*' ? tg_skip_blanks(open + 1) : open;
    if (g_unichar_isalpha(g_utf8_get_char(after)) || *open != '{')
        return NULL;
    const guint close = braces->closes[open - braces->text];
    return close > 0 ? braces->text + close + 1 : after;
}

void tg_text_untag(GString *text)
{
    g_autofree guint *closes =
        strstr(text->str, "\\tag") != NULL ? tg_closing_braces(text->str) : NULL;
    Braces braces = { text->str, closes };

    tg_text_replace_command(text, "\\tag", tag_end, &braces);
    tg_text_replace(text, "\\notag", "");
    tg_text_replace(text, "\\nonumber", "");
}

/* ---- formulas ---- */

/* Leave only the first formula between delimiters if there is one: `x = 1 \[a+b\] y = 2` becomes
 * `a+b`. The formula must be closed on its line, by a delimiter behind a character that is no
 * backslash. */
static void keep_inner_formula(GString *text)
{
    /* delimiters that open before this place are not closed */
    const char *open_until[2] = { text->str, text->str };

    for (const char *at = strchr(text->str, '\\'); at != NULL; at = strchr(at + 1, '\\')) {
        const guint kind = at[1] == '(';
        const char close = kind == 0 ? ']' : ')', *content = at + 2, *end = content + 1;
        if ((at[1] != '[' && at[1] != '(') || at < open_until[kind])
            continue;
        if (content[0] == '\0' || content[0] == '\n')
            continue;
        while (*end != '\0' && *end != '\n' &&
               !(end[0] == '\\' && end[1] == close && end[-1] != '\\'))
            end++;
        if (*end == '\\') {
            g_autoptr(GString) inner = tg_text_trimmed(content, end);
            g_string_assign(text, inner->str);
            return;
        }
        open_until[kind] = end;
    }
}

/* Delete each `\phantom{...}`. Of the first that is not closed only the command is deleted, and the
 * search ends. */
static void delete_phantoms(GString *text)
{
    static const char command[] = "\\phantom";
    const gssize n = strlen(command);
    gsize from = 0;

    for (const char *at; (at = strstr(text->str + from, "\\phantom{")) != NULL;) {
        const char *end = at + n;
        gint depth = 0;
        do {
            depth += (*end == '{') - (*end == '}');
            end++;
        } while (depth > 0 && *end != '\0');
        const gsize place = (gsize) (at - text->str);
        g_string_erase(text, (gssize) place, depth == 0 ? end - at : n);
        if (depth > 0)
            return;
        /* text on both sides may now form the command */
        from = place > (gsize) n ? place - (gsize) n : 0;
    }
}

/* Delete spaces like `\,` and the marks between columns. */
static void delete_spaces(GString *text)
{
    gsize n = 0;

    for (const char *at = text->str; *at != '\0'; at++)
        if (at[0] == '\\' && at[1] != '\0' && strchr("!,;:", at[1]) != NULL)
            at++;
        else if (*at != '&' || (n > 0 && text->str[n - 1] == '\\'))
            text->str[n++] = *at;
    g_string_truncate(text, n);
}

/* Whether a group of @n bytes is a specification of columns like `{l c|r}`. */
static gboolean is_columns(const char *content, gsize n)
{
    return n > 0 && strspn(content, "lcr| ") == n; /* then a brace */
}

/* Whether a group of @n bytes has only letters, digits and the like. */
static gboolean is_simple(const char *content, gsize n)
{
    return n > 0 && strspn(content, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS ".+-") == n;
}

/* Whether a group of @n bytes has 160 characters at most and contains a sign or `\\`. */
static gboolean has_sign(const char *content, gsize n)
{
    gboolean found = FALSE;

    for (gsize i = 0; i < n && !found; i++)
        found = strchr("=+-^_[]()", content[i]) != NULL ||
                (i > 0 && content[i] == '\\' && content[i - 1] == '\\');
    return found && g_utf8_strlen(content, (gssize) n) <= 160;
}

/* Take the braces off the innermost groups for which @is_like holds; also delete their content if
 * not @keep. */
static void open_groups(GString *text, gboolean (*is_like)(const char *content, gsize n),
                        gboolean keep)
{
    gsize n = 0;

    for (const char *at = text->str; *at != '\0';) {
        const gsize length = *at == '{' ? strcspn(at + 1, "{}") : 0;
        const gboolean opens = *at == '{' && at[length + 1] == '}' && is_like(at + 1, length);
        const char *from = opens ? at + 1 : at;
        const gsize taken = !opens ? 1 : keep ? length : 0;
        memmove(text->str + n, from, taken);
        n += taken;
        at = opens ? at + length + 2 : at + 1;
    }
    g_string_truncate(text, n);
}

/* Replace consecutive braces by one, even if their partners are not consecutive. */
static void merge_braces(GString *text)
{
    gsize n = 0;

    for (const char *at = text->str; *at != '\0'; at++)
        if ((*at != '{' && *at != '}') || n == 0 || text->str[n - 1] != *at)
            text->str[n++] = *at;
    g_string_truncate(text, n);
}

/* Take off braces until nothing changes or MAX_ROUNDS is reached. */
static void open_braces(GString *text)
{
    gsize before;
    guint round = 0;

    do {
        before = text->len;
        open_groups(text, is_simple, TRUE);
        tg_text_replace(text, "{}", "");
        merge_braces(text);
        open_groups(text, has_sign, TRUE);
    } while (text->len < before && ++round < MAX_ROUNDS);
}

void tg_text_formula_form(GString *text)
{
    if (!tg_text_is_longer(text->str, MAX_FORMULA)) {
        tg_text_uncircle(text);
        tg_text_bare(text);
        tg_text_untag(text);
        keep_inner_formula(text);
        delete_phantoms(text);
        delete_spaces(text);
        tg_words_replace(TG_WORDS_SIGNS, text);
        tg_text_replace_enclosed(text, "\\hspace{", "}", TRUE, NULL);
        tg_text_replace_enclosed(text, "\\begin{", "}", TRUE, NULL);
        tg_text_replace_enclosed(text, "\\end{", "}", TRUE, NULL);
        tg_text_replace_enclosed(text, "\\arraycolsep", "}", TRUE, NULL);
        open_groups(text, is_columns, FALSE);
        g_string_erase(text, 0, (gssize) strspn(text->str, "."));
        while (g_str_has_suffix(text->str, "."))
            g_string_truncate(text, text->len - 1);
        tg_words_replace(TG_WORDS_DROPPED, text);
        open_braces(text);
    }
    g_autofree char *lower = g_malloc(2 * text->len + 1);
    lower[tg_utf8_lower(text->str, text->len, lower)] = '\0';
    g_string_assign(text, lower);
    tg_text_fold(text, "");
}

/* ---- formulas in texts ---- */

/* Append an inline formula as characters if that is possible, else unchanged: @n bytes with its
 * delimiters. It is too complex if it is long, has marks of an environment, or has unequal numbers
 * of braces. */
static void append_inline(GString *out, const char *whole, gsize n, const char *content,
                          const char *end)
{
    g_autoptr(GString) formula = g_string_new(NULL);

    for (const char *at = content; at < end; at++)
        if (at[0] == '\\' && at + 1 < end && strchr("\\_&%^", at[1]) != NULL)
            at++;
        else
            g_string_append_c(formula, *at);
    const gboolean is_plain = strpbrk(formula->str, "\\^_") == NULL; /* only letters and escapes */
    if (g_str_has_suffix(formula->str, "\\"))
        g_string_append_c(formula, ' ');
    g_autoptr(GString) trimmed = tg_text_trimmed(formula->str, formula->str + formula->len);
    if (is_plain || tg_text_is_longer(trimmed->str, 128) ||
        tg_word_in(TG_WORDS_COMPLEX, trimmed->str) != NULL ||
        tg_count_any(trimmed->str, "{") != tg_count_any(trimmed->str, "}")) {
        g_string_append_len(out, whole, (gssize) n);
        return;
    }
    tg_latex_to_text(formula);
    tg_text_trim(formula);
    g_string_append(out, formula->str);
}

void tg_text_inline(GString *text)
{
    TgSearch dollars = { .word = "$" }, parens = { .word = "\\)" }, lines = { .word = "\n" };
    const char *from = text->str, *at = strpbrk(from, "$\\");
    g_autoptr(GString) out = g_string_new(NULL);

    while (at != NULL) {
        const gboolean is_dollar = *at == '$';
        const char *content = at + (is_dollar ? 1 : 2);
        const char *end = is_dollar      ? tg_search(&dollars, content)
                          : at[1] == '(' ? tg_search(&parens, content)
                                         : NULL;
        const char *line = end != NULL ? tg_search(&lines, content) : NULL;
        if (end == NULL || (line != NULL && line < end)) {
            at = strpbrk(at + 1, "$\\");
            continue;
        }
        const char *next = end + (is_dollar ? 1 : 2);
        g_string_append_len(out, from, at - from);
        append_inline(out, at, (gsize) (next - at), content, end);
        from = next;
        at = strpbrk(next, "$\\");
    }
    g_string_append(out, from);
    g_string_assign(text, out->str);
}

void tg_text_text_form(GString *text)
{
    gsize n = 0;

    tg_text_uncircle(text);
    tg_text_inline(text);
    tg_text_replace(text, "\\t", "");
    tg_text_replace(text, "\\n", "");
    tg_text_replace(text, "\t", "");
    tg_text_replace(text, "\n", "");
    tg_text_replace(text, "/t", "");
    tg_text_replace(text, "/n", "");
    for (const char *at = text->str, *next; *at != '\0'; at = next) {
        next = g_utf8_next_char(at);
        if (*at == '_' || g_unichar_isalnum(g_utf8_get_char(at)))
            while (at < next)
                text->str[n++] = *at++;
    }
    g_string_truncate(text, n);
}
