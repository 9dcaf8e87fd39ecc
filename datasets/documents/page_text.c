/* Strings of OmniDocBench's protocol: normal forms, rows of formulas, LaTeX as characters. */
#include "datasets/documents/page.h"

#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"

#define S TG_BLANK

/* ---- regular expressions ---- */

static GRegex *pattern_regex(TgPattern *pattern)
{
    if (g_once_init_enter(&pattern->regex)) {
        g_autoptr(GError) error = NULL;
        GRegex *regex =
            g_regex_new(pattern->source, G_REGEX_OPTIMIZE | G_REGEX_NEWLINE_LF, 0, &error);
        g_assert_no_error(error);
        g_once_init_leave(&pattern->regex, (gsize) regex);
    }
    return (GRegex *) pattern->regex; // NOLINT(performance-no-int-to-ptr)
}

gboolean tg_pattern_find(TgPattern *pattern, const char *text, gsize len, gsize from, TgSpans spans)
{
    g_autoptr(GMatchInfo) info = NULL;
    const gboolean found =
        g_regex_match_full(pattern_regex(pattern), text, (gssize) len, (gint) from, 0, &info, NULL);

    for (int i = 0; found && spans != NULL && i < (int) G_N_ELEMENTS((TgSpans){ 0 }) / 2; i++)
        if (!g_match_info_fetch_pos(info, i, &spans[2 * i], &spans[2 * i + 1]))
            spans[2 * i] = spans[2 * i + 1] = -1;
    return found;
}

void tg_pattern_replace(TgPattern *pattern, GString *text, const char *with)
{
    if (!tg_pattern_find(pattern, text->str, text->len, 0, NULL))
        return;
    g_autofree char *out =
        g_regex_replace(pattern_regex(pattern), text->str, (gssize) text->len, 0, with, 0, NULL);
    if (out != NULL)
        g_string_assign(text, out);
}

guint tg_pattern_count(TgPattern *pattern, const char *text, gsize len)
{
    TgSpans spans;
    guint n = 0;

    for (gsize at = 0; at <= len && tg_pattern_find(pattern, text, len, at, spans); n++)
        at = (gsize) spans[1] + (spans[1] == spans[0]);
    return n;
}

/* ---- ends of texts ---- */

void tg_page_trim(GString *text)
{
    const char *start = text->str, *end = text->str + text->len;

    while (start < end && tg_is_space(g_utf8_get_char(start)))
        start = g_utf8_next_char(start);
    while (end > start && tg_is_space(g_utf8_get_char(g_utf8_prev_char(end))))
        end = g_utf8_prev_char(end);
    g_string_truncate(text, (gsize) (end - text->str));
    g_string_erase(text, 0, start - text->str);
}

void tg_page_fold(GString *text)
{
    gsize out = 0;
    gboolean gap = FALSE;

    for (const char *p = text->str, *next; *p != '\0'; p = next) {
        next = g_utf8_next_char(p);
        if (tg_is_space(g_utf8_get_char(p))) {
            gap = out > 0;
            continue;
        }
        if (gap)
            text->str[out++] = ' ';
        gap = FALSE;
        while (p < next)
            text->str[out++] = *p++;
    }
    g_string_truncate(text, out);
}

void tg_page_strip_delimiters(GString *text)
{
    guint i;

    do {
        tg_page_trim(text);
        for (i = 0; i < 4; i++) {
            const char *open = tg_page_delimiters[i][0], *close = tg_page_delimiters[i][1];
            if (text->len >= 2 * strlen(open) && g_str_has_prefix(text->str, open) &&
                g_str_has_suffix(text->str, close)) {
                g_string_truncate(text, text->len - strlen(close));
                g_string_erase(text, 0, (gssize) strlen(open));
                break;
            }
        }
    } while (i < 4);
}

const char *const tg_page_delimiters[4][2] = {
    { "$$", "$$" }, { "\\[", "\\]" }, { "\\(", "\\)" }, { "$", "$" }
};

/* The end of a group at @at, braces counted whatever stands before them; NULL: not closed. */
static const char *raw_group_end(const char *at)
{
    guint depth = 0;

    for (; *at != '\0'; at++) {
        depth += *at == '{';
        if (*at == '}' && --depth == 0)
            return at + 1;
    }
    return NULL;
}

static const char *skip_blanks(const char *at)
{
    while (*at != '\0' && tg_is_space(g_utf8_get_char(at)))
        at = g_utf8_next_char(at);
    return at;
}

void tg_page_strip_tags(GString *text)
{
    gboolean closes = TRUE; /* some group after this place */

    for (char *at = strstr(text->str, "\\tag"); at != NULL; at = strstr(at, "\\tag")) {
        const char *open = at + 4, *end;
        if (g_unichar_isalpha(g_utf8_get_char(open))) {
            at += 4;
            continue;
        }
        open = skip_blanks(open);
        if (*open == '*')
            open = skip_blanks(open + 1);
        if (*open != '{') {
            at += 4;
            continue;
        }
        end = closes ? raw_group_end(open) : NULL;
        closes = end != NULL;
        const gsize place = (gsize) (at - text->str);
        g_string_erase(text, (gssize) place, end != NULL ? end - at : 4);
        at = text->str + place;
    }
    g_string_replace(text, "\\notag", "", 0);
    g_string_replace(text, "\\nonumber", "", 0);
}

/* ---- normal forms ---- */

void tg_page_uncircle(GString *text)
{
    static TgPattern circled = { "\\\\textcircled" S "*\\{" S "*([^{}]+?)" S "*\\}", 0 };

    if (strstr(text->str, "\\textcircled") != NULL)
        tg_pattern_replace(&circled, text, "\\1");
    if (strstr(text->str, "\xE2\x91") == NULL && strstr(text->str, "\xE2\x92") == NULL &&
        strstr(text->str, "\xE2\x93") == NULL)
        return;
    g_autoptr(GString) out = g_string_sized_new(text->len);
    for (const char *p = text->str; *p != '\0'; p = g_utf8_next_char(p)) {
        const gunichar c = g_utf8_get_char(p);
        if (c >= 0x2460 && c <= 0x2473)
            g_string_append_printf(out, "%u", c - 0x2460 + 1);
        else if (c >= 0x24B6 && c <= 0x24E9)
            g_string_append_c(out, (char) (c >= 0x24D0 ? c - 0x24D0 + 'a' : c - 0x24B6 + 'A'));
        else
            g_string_append_unichar(out, c);
    }
    g_string_assign(text, out->str);
}

/* What the normal form of formulas replaces, in this order: patterns, then plain words. */
static TgPattern formula_patterns[] = {
    { "\\\\[!,;:]", 0 },         { "(?<!\\\\)&", 0 },       { "\\\\hspace\\{.*?\\}", 0 },
    { "\\\\begin\\{.*?\\}", 0 }, { "\\\\end\\{.*?\\}", 0 }, { "\\\\arraycolsep.*?\\}", 0 },
    { "\\{[lcr| ]+\\}", 0 },
};
static const char *const formula_words[] = {
    "\\mathbf",
    "\\mathrm",
    "\\mathnormal",
    "\\mathit",
    "\\mathbb",
    "\\mathcal",
    "\\mathscr",
    "\\mathfrak",
    "\\mathsf",
    "\\mathtt",
    "\\textbf",
    "\\text",
    "\\boldmath",
    "\\boldsymbol",
    "\\operatorname",
    "\\bm",
    "\\symbfit",
    "\\mathbfcal",
    "\\symbf",
    "\\scriptscriptstyle",
    "\\notag",
    "\\setlength",
    "\\coloneqq",
    "\\space",
    "\\thickspace",
    "\\thinspace",
    "\\medspace",
    "\\nobreakspace",
    "\\negmedspace",
    "\\quad",
    "\\qquad",
    "\\enspace",
    "\\substackw",
    " ",
    "$$",
    "\\left",
    "\\right",
    "\\displaystyle",
    "\\text",
};

/* Longer formulas keep their braces: taking these off may take a round for each. */
#define MAX_BRACED 20000u

static void take_braces_off(GString *text)
{
    static TgPattern word = { "\\{([A-Za-z0-9.+-]+)\\}", 0 }, opening = { "\\{\\{+", 0 },
                     closing = { "\\}\\}+", 0 },
                     short_group = {
                         "\\{(?=[^{}]{1,160}\\})([^{}]*?(?:[=+^_\\[\\]()-]|\\\\\\\\)[^{}]*)\\}", 0
                     };
    g_autofree char *before = NULL;

    if (text->len > MAX_BRACED)
        return;
    do {
        g_free(before);
        before = g_strdup(text->str);
        tg_pattern_replace(&word, text, "\\1");
        g_string_replace(text, "{}", "", 0);
        tg_pattern_replace(&opening, text, "{");
        tg_pattern_replace(&closing, text, "}");
        tg_pattern_replace(&short_group, text, "\\1");
    } while (strcmp(before, text->str) != 0);
}

void tg_page_formula_form(GString *text)
{
    static TgPattern inner = { "\\\\\\[(.+?)(?<!\\\\)\\\\\\]|\\\\\\((.+?)(?<!\\\\)\\\\\\)", 0 };
    static TgPattern blanks = { S "+", 0 };
    TgSpans spans;

    tg_page_uncircle(text);
    tg_page_strip_delimiters(text);
    tg_page_strip_tags(text);
    if (tg_pattern_find(&inner, text->str, text->len, 0, spans)) {
        const guint group = spans[2] >= 0 ? 2 : 4;
        g_string_truncate(text, (gsize) spans[group + 1]);
        g_string_erase(text, 0, spans[group]);
        tg_page_trim(text);
    }
    for (char *at = text->str; (at = strstr(at, "\\phantom{")) != NULL;) {
        const gsize place = (gsize) (at - text->str);
        const char *end = raw_group_end(at + strlen("\\phantom"));
        g_string_erase(text, (gssize) place, end != NULL ? end - at : (gssize) strlen("\\phantom"));
        if (end == NULL)
            break;
        at = text->str + place;
    }
    for (guint i = 0; i < G_N_ELEMENTS(formula_patterns); i++) {
        tg_pattern_replace(&formula_patterns[i], text, "");
        if (i != 1)
            continue;
        g_string_replace(text, "\\mid", "|", 0);
        g_string_replace(text, "\\vert", "|", 0);
        g_string_replace(text, "\\{", "", 0);
        g_string_replace(text, "\\}", "", 0);
        g_string_replace(text, "~", "", 0);
    }
    while (text->len > 0 && text->str[text->len - 1] == '.')
        g_string_truncate(text, text->len - 1);
    g_string_erase(text, 0, (gssize) strspn(text->str, "."));
    for (guint i = 0; i < G_N_ELEMENTS(formula_words); i++)
        g_string_replace(text, formula_words[i], "", 0);
    take_braces_off(text);
    tg_pattern_replace(&blanks, text, "");
    g_autofree char *lower = g_malloc(2 * text->len + 1);
    lower[tg_utf8_lower(text->str, text->len, lower)] = '\0';
    g_string_assign(text, lower);
}

/* What may be in an inline formula that is rewritten as characters. */
static gboolean is_plain_inline(const GString *formula)
{
    static const char *const structures[] = { "\\begin{", "\\end{",    "\\array",
                                              "\\matrix", "\\tabular", "\\cases",
                                              "\\align",  "\\\\",      "&" };
    glong balance = 0;

    for (const char *p = formula->str; *p != '\0'; p++)
        balance += *p == '{' ? 1 : *p == '}' ? -1 : 0;
    for (guint i = 0; i < G_N_ELEMENTS(structures); i++)
        if (strstr(formula->str, structures[i]) != NULL)
            return FALSE;
    return balance == 0 && g_utf8_strlen(formula->str, -1) <= 128;
}

void tg_page_plain_inline(GString *text)
{
    static TgPattern formula = { "\\$(.*?)\\$|\\\\\\((.*?)\\\\\\)", 0 };
    static TgPattern escapes = { "\\\\[\\\\_&%^]", 0 };
    TgSpans spans;
    g_autoptr(GString) out = g_string_new(NULL);
    gsize done = 0;

    while (tg_pattern_find(&formula, text->str, text->len, done, spans)) {
        const guint group = spans[2] >= 0 ? 2 : 4;
        g_autoptr(GString) inside =
            g_string_new_len(text->str + spans[group], (gssize) (spans[group + 1] - spans[group]));
        g_string_append_len(out, text->str + done, spans[0] - (gssize) done);
        tg_pattern_replace(&escapes, inside, "");
        gboolean keep = strpbrk(inside->str, "\\^_") == NULL;
        if (g_str_has_suffix(inside->str, "\\"))
            g_string_append_c(inside, ' ');
        g_autoptr(GString) trimmed = g_string_new(inside->str);
        tg_page_trim(trimmed);
        if (keep || (trimmed->len > 0 && !is_plain_inline(trimmed))) {
            g_string_append_len(out, text->str + spans[0], spans[1] - spans[0]);
        } else {
            tg_page_plain(inside);
            tg_page_trim(inside);
            g_string_append(out, inside->str);
        }
        done = (gsize) spans[1];
    }
    g_string_append(out, text->str + done);
    g_string_assign(text, out->str);
}

void tg_page_text_form(GString *text)
{
    static const char *const words[] = { "\\t", "\\n", "\t", "\n", "/t", "/n" };
    gsize out = 0;

    tg_page_uncircle(text);
    tg_page_plain_inline(text);
    tg_page_uncircle(text);
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        g_string_replace(text, words[i], "", 0);
    for (const char *p = text->str, *next; *p != '\0'; p = next) {
        const gunichar c = g_utf8_get_char(p);
        next = g_utf8_next_char(p);
        if (c == '_' || g_unichar_isalnum(c))
            while (p < next)
                text->str[out++] = *p++;
    }
    g_string_truncate(text, out);
}

/* ---- rows of a formula ---- */

#define WITH_ROWS                                                                                  \
    "array|aligned|align\\*?|alignedat\\*?|split|gather\\*?|gathered|multline\\*?|flalign\\*?|"    \
    "eqnarray\\*?|cases"

static TgPattern environment = { "\\A\\\\begin\\{(" WITH_ROWS ")\\}(" S "*(?:\\{[^{}]*\\}" S
                                 "*)*+)",
                                 0 };
static TgPattern inner_environment = {
    "\\\\begin\\{(?:array|aligned|align\\*?|alignedat\\*?|split|gather|gathered|multline\\*?|"
    "flalign\\*?|eqnarray\\*?|cases)\\}",
    0
};
static TgPattern logic = {
    "\\\\(?:Rightarrow|Leftrightarrow|Longrightarrow|Longleftrightarrow|longrightarrow|"
    "longleftrightarrow|implies|therefore|because|uparrow|downarrow|Updownarrow|forall|exists)"
    "(?!\\w)|单调|否定",
    0
};
static TgPattern case_like = {
    "\\A(?:[((]?[0-9]+[))]?|\\\\(?:Rightarrow|Leftrightarrow|Longrightarrow|Longleftrightarrow|"
    "implies|therefore|uparrow|downarrow|Updownarrow|leftarrow|rightarrow))",
    0
};
static TgPattern explanation = { "\\\\(?:text|mathrm|operatorname)" S "*\\{", 0 };

static gboolean found(TgPattern *pattern, const char *text)
{
    return tg_pattern_find(pattern, text, strlen(text), 0, NULL);
}

static gboolean is_case_like(const char *row)
{
    g_autoptr(GString) text = g_string_new(row);
    gsize n = 0;

    while (text->str[n] == '&' || tg_is_space(g_utf8_get_char(text->str + n)))
        n += (gsize) (g_utf8_next_char(text->str + n) - (text->str + n));
    g_string_erase(text, 0, (gssize) n);
    tg_page_strip_tags(text);
    tg_page_trim(text);
    return found(&case_like, text->str);
}

/* Cut a text at `\\` outside of braces and environments, or at `&` outside of environments. */
static GPtrArray *cut_cells(const char *text, gboolean rows)
{
    GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) part = g_string_new(NULL);
    guint depth = 0, nested = 0;
    gboolean escaped = FALSE; /* an odd number of backslashes stands before this place */

    for (const char *p = text;;) {
        const gboolean begins = g_str_has_prefix(p, "\\begin{"),
                       ends = g_str_has_prefix(p, "\\end{");
        const char *close = begins || ends ? strchr(p, '}') : NULL;
        const gboolean cuts = rows ? depth == 0 && nested == 0 && p[0] == '\\' && p[1] == '\\'
                                   : nested == 0 && *p == '&' && !escaped;
        if (cuts || *p == '\0') {
            if (rows)
                tg_page_trim(part);
            if (!rows || part->len > 0)
                g_ptr_array_add(out, g_strdup(part->str));
            g_string_truncate(part, 0);
            if (*p == '\0')
                return out;
            p += rows ? 2 : 1;
            if (rows) {
                const char *bracket;
                p = skip_blanks(p);
                p += *p == '*';
                bracket = *p == '[' ? strchr(p, ']') : NULL;
                p = bracket != NULL ? bracket + 1 : p;
            }
            escaped = FALSE;
        } else if (close != NULL) {
            nested = begins ? nested + 1 : nested - (nested > 0);
            g_string_append_len(part, p, close + 1 - p);
            p = close + 1;
            escaped = FALSE;
        } else {
            if (!escaped)
                depth = *p == '{' ? depth + 1 : depth - (*p == '}' && depth > 0);
            escaped = *p == '\\' && !escaped;
            g_string_append_c(part, *p++);
        }
    }
}

/* How many of the rows have two cells or more; with @filled those whose first cell is not empty. */
static guint count_cells(const GPtrArray *rows, gboolean filled)
{
    guint n = 0;

    for (guint i = 0; i < rows->len; i++) {
        g_autoptr(GPtrArray) cells = cut_cells(rows->pdata[i], FALSE);
        g_autoptr(GString) first = g_string_new(cells->pdata[0]);
        tg_page_strip_tags(first);
        tg_page_trim(first);
        n += cells->len >= 2 && (!filled || first->len > 0);
    }
    return n;
}

/* What stands behind an environment without the equation's number. */
static void strip_labels(GString *text)
{
    static TgPattern label = { "\\\\label\\{[^{}]*\\}", 0 };
    static TgPattern tag = { "\\\\tag\\*?" S "*\\{[^{}]*\\}", 0 };
    static TgPattern spacings = { "(?:(?:\\\\(?:qquad|quad|[,;!>:])|~)" S "*)++\\z", 0 };
    static TgPattern spacing = { "\\\\(?:qquad|quad|[,;!>:])|~", 0 };
    static TgPattern number = { "\\A(?:[A-Za-z0-9.#-]+|\\\\(?:[A-Za-z]+|#))\\z", 0 };
    static TgPattern word = { "\\A[a-z]{1,3}\\z", 0 };
    TgSpans spans;

    tg_pattern_replace(&label, text, "");
    for (;;) {
        tg_page_trim(text);
        if (text->len == 0)
            return;
        if (tg_pattern_find(&tag, text->str, text->len, 0, spans) &&
            (gsize) spans[1] == text->len) {
            g_string_truncate(text, (gsize) spans[0]);
        } else {
            const char last = text->str[text->len - 1];
            const char *open = last == ')'   ? strrchr(text->str, '(')
                               : last == ']' ? strrchr(text->str, '[')
                                             : NULL;
            if (open == NULL)
                return;
            const gsize before = (gsize) (open - text->str);
            g_autoptr(GString) inside =
                g_string_new_len(open + 1, (gssize) (text->len - before) - 2);
            tg_page_trim(inside);
            const char *tail = text->str;
            if (g_utf8_strlen(tail, (gssize) before) > 10)
                tail = g_utf8_offset_to_pointer(open, -10);
            if (!found(&number, inside->str) || found(&word, inside->str) ||
                (before > 0 && !tg_is_space(g_utf8_get_char(g_utf8_prev_char(open))) &&
                 !tg_pattern_find(&spacing, tail, (gsize) (open - tail), 0, NULL)))
                return;
            g_string_truncate(text, before);
        }
        tg_page_trim(text);
        if (tg_pattern_find(&spacings, text->str, text->len, 0, spans))
            g_string_truncate(text, (gsize) spans[0]);
    }
}

/* Where `\end{NAME}` of the environment whose inside starts at @at begins; NULL: nowhere. */
static const char *environment_end(const char *at, const char *name)
{
    g_autofree char *begin = g_strdup_printf("\\begin{%s}", name);
    g_autofree char *end = g_strdup_printf("\\end{%s}", name);

    for (guint depth = 1; (at = strchr(at, '\\')) != NULL; at++) {
        depth += g_str_has_prefix(at, begin);
        if (g_str_has_prefix(at, end) && --depth == 0)
            return at;
    }
    return NULL;
}

/* Whether an environment's rows are formulas of their own. */
static gboolean splits(const char *name, const char *extra, const char *body, gboolean outer)
{
    static TgPattern spec_noise = { S "|\\||[@!]\\{.*?\\}", 0 };
    static TgPattern spec_good = { "\\A(?:[lcr]|[lr][lcr]|[lcr][lr])\\z", 0 };
    static TgPattern spec_group = { "\\{([^{}]*)\\}", 0 };
    g_autoptr(GPtrArray) rows = cut_cells(body, TRUE);
    const gboolean nested = found(&inner_environment, body);
    gboolean case_rows = FALSE, explained = FALSE, logical = FALSE;
    TgSpans spans;

    for (guint i = 0; i < rows->len; i++) {
        logical |= found(&logic, rows->pdata[i]);
        case_rows |= i > 0 && is_case_like(rows->pdata[i]);
        explained |= i > 0 && found(&explanation, rows->pdata[i]);
    }
    if (strcmp(name, "cases") == 0)
        return rows->len >= 2 && count_cells(rows, FALSE) == 0 && found(&logic, body) &&
               (nested || logical || explained);
    if (g_str_has_prefix(name, "align"))
        return !(nested && case_rows) &&
               !(outer && (nested || count_cells(rows, TRUE) >= 2 || explained || case_rows));
    if (strcmp(name, "array") != 0)
        return TRUE;
    if (!tg_pattern_find(&spec_group, extra, strlen(extra), 0, spans))
        return FALSE;
    g_autoptr(GString) spec = g_string_new_len(extra + spans[2], spans[3] - spans[2]);
    tg_pattern_replace(&spec_noise, spec, "");
    return found(&spec_good, spec->str) && !(nested && case_rows) &&
           !(outer && strspn(spec->str, "l") == spec->len && rows->len >= 2);
}

/* The rows' environment in a formula: its body and what follows it. FALSE: none that splits. */
static gboolean find_environment(const GString *formula, GString *body, GString *suffix)
{
    static TgPattern prefix = { "\\A(?:\\\\left" S "*\\\\\\{|\\\\left\\.)" S "*", 0 };
    static TgPattern right = { S "*\\\\right(?:\\.|\\\\\\})" S "*\\z", 0 };
    TgSpans spans;
    g_autoptr(GString) text = g_string_new(formula->str);
    gboolean outer = FALSE;

    if (tg_pattern_find(&right, text->str, text->len, 0, spans)) {
        g_string_truncate(text, (gsize) spans[0]);
        outer = TRUE;
    }
    if (tg_pattern_find(&prefix, text->str, text->len, 0, spans)) {
        g_string_erase(text, 0, spans[1]);
        outer = TRUE;
    }
    if (!tg_pattern_find(&environment, text->str, text->len, 0, spans))
        return FALSE;
    g_autofree char *name = g_strndup(text->str + spans[2], (gsize) (spans[3] - spans[2]));
    g_autofree char *extra = g_strndup(text->str + spans[4], (gsize) (spans[5] - spans[4]));
    const char *start = text->str + spans[1], *end = environment_end(start, name);
    if (end == NULL)
        return FALSE;
    g_string_append_len(body, start, end - start);
    g_string_append(suffix, end + strlen("\\end{}") + strlen(name));
    strip_labels(suffix);
    tg_page_trim(suffix);
    g_autoptr(GPtrArray) suffix_rows = cut_cells(suffix->str, TRUE);
    return suffix_rows->len < 2 && splits(name, extra, body->str, outer);
}

void tg_page_rows_free(TgPageRows *rows)
{
    g_string_free(rows->body, TRUE);
    g_ptr_array_unref(rows->raw);
    g_ptr_array_unref(rows->rows);
    g_free(rows);
}

TgPageRows *tg_page_rows(const char *raw)
{
    g_autoptr(GString) text = g_string_new(raw), suffix = g_string_new(NULL);
    g_autoptr(TgPageRows) out = g_new0(TgPageRows, 1);
    const char *at;

    out->body = g_string_new(NULL);
    out->raw = g_ptr_array_new_with_free_func(g_free);
    out->rows = g_ptr_array_new_with_free_func(g_free);
    tg_page_strip_delimiters(text);
    if (text->len == 0 || strstr(text->str, "\\\\") == NULL)
        return NULL;
    if (!find_environment(text, out->body, suffix)) {
        g_string_assign(out->body, text->str);
        g_string_truncate(suffix, 0);
    }
    at = strstr(raw, out->body->str);
    out->body_start = at != NULL ? g_utf8_pointer_to_offset(raw, at) : 0;
    out->suffix_end = -1;
    if (suffix->len > 0 && (at = strstr((at != NULL ? at : raw) + out->body->len, "\\end{")) &&
        (at = strstr(at, suffix->str)) != NULL)
        out->suffix_end = g_utf8_pointer_to_offset(raw, at + suffix->len);
    g_autoptr(GPtrArray) raws = cut_cells(out->body->str, TRUE);
    if (raws->len < 2)
        return NULL;
    for (guint i = 0; i < raws->len; i++) {
        g_autoptr(GString) row = g_string_new(raws->pdata[i]);
        tg_page_strip_tags(row);
        tg_page_trim(row);
        if (row->len == 0)
            continue;
        g_ptr_array_add(out->raw, g_strdup(raws->pdata[i]));
        g_ptr_array_add(out->rows, g_strdup(row->str));
    }
    tg_page_strip_tags(suffix);
    tg_page_trim(suffix);
    if (out->rows->len < 2)
        return NULL;
    if (suffix->len > 0) {
        char **last = (char **) &out->rows->pdata[out->rows->len - 1];
        char *longer = g_strconcat(*last, " ", suffix->str, NULL);
        g_free(*last);
        *last = longer;
    }
    return g_steal_pointer(&out);
}

#define MAX_NESTED 32 /* environments inside environments */

static gboolean logic_form(GString *text, guint depth)
{
    g_autoptr(GString) out = g_string_new(NULL);
    gboolean changed = FALSE;
    const char *p = text->str, *at;

    while (depth < MAX_NESTED && (at = strstr(p, "\\begin{")) != NULL) {
        TgSpans spans;
        g_string_append_len(out, p, at - p);
        p = at;
        if (!tg_pattern_find(&environment, at, strlen(at), 0, spans)) {
            g_string_append(out, "\\begin{");
            p += strlen("\\begin{");
            continue;
        }
        g_autofree char *name = g_strndup(at + spans[2], (gsize) (spans[3] - spans[2]));
        const char *start = at + spans[1], *end = environment_end(start, name);
        if (end == NULL)
            break;
        g_autoptr(GString) body = g_string_new_len(start, end - start);
        const gsize n_end = strlen("\\end{}") + strlen(name);
        changed |= logic_form(body, depth + 1);
        p = end + n_end;
        g_autoptr(GPtrArray) rows = cut_cells(body->str, TRUE);
        const char *near = p;
        for (guint i = 0; i < 200 && *near != '\0'; i++)
            near = g_utf8_next_char(near);
        const char *next = skip_blanks(p);
        if (strcmp(name, "cases") == 0 && rows->len >= 2 && count_cells(rows, FALSE) == 0 &&
            (found(&logic, body->str) || tg_pattern_find(&logic, p, (gsize) (near - p), 0, NULL) ||
             (next < near &&
              tg_pattern_find(&environment, next, (gsize) (near - next), 0, NULL)))) {
            tg_page_trim(body);
            g_string_append_printf(out, "\\left\\{ \\begin{array}{l} %s \\end{array} \\right.",
                                   body->str);
            changed = TRUE;
        } else {
            g_string_append_len(out, at, spans[1]);
            g_string_append(out, body->str);
            g_string_append_len(out, end, (gssize) n_end);
        }
    }
    g_string_append(out, p);
    g_string_assign(text, out->str);
    return changed;
}

gboolean tg_page_logic_form(GString *text)
{
    return logic_form(text, 0);
}

/* ---- LaTeX as characters ---- */

/* Whether a text stays as it is. */
gboolean tg_page_stays_latex(const char *text)
{
    static TgPattern command = { "\\\\[A-Za-z]+", 0 }, word = { "[A-Za-z]{3,}", 0 };
    static TgPattern simple = { "[{}$^_]|\\\\(?:frac|sqrt|left|right|begin|end|sum|int|alpha|beta)",
                                0 };
    static TgPattern environments = { "\\\\(begin|end)\\{(.*?)\\}", 0 };
    static TgPattern lefts = { "\\\\left(?!\\w)", 0 }, rights = { "\\\\right(?!\\w)", 0 };
    static TgPattern dollars = { "(?<!\\\\)\\$", 0 };
    const gsize len = strlen(text);
    static const char brackets[] = "()[]";
    glong depth = 0;
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    guint marks = 0, spaces = 0, pairs[4] = { 0 };
    TgSpans spans;

    if (strpbrk(text, "\\{}$") == NULL)
        return TRUE;
    const guint n_commands = tg_pattern_count(&command, text, len);
    const guint n_words = tg_pattern_count(&word, text, len);
    for (const char *p = text; *p != '\0'; p++) {
        marks += strchr("{}$^_=&%#", *p) != NULL;
        spaces += *p == ' ';
    }
    guint signals = n_commands;
    for (const char *p = text; *p != '\0'; p++)
        signals += strchr("_^{}$&%#", *p) != NULL;
    if ((g_utf8_strlen(text, -1) >= 32 && signals <= 2 && !found(&simple, text) && n_words >= 6 &&
         spaces >= 5) ||
        strcmp(text, "\\") == 0 || strcmp(text, "\\\\") == 0 ||
        (text[len - 1] == '\\' && (len < 2 || text[len - 2] != '\\') && n_commands == 0) ||
        (strchr(text, '\\') != NULL && n_commands == 0 && marks == 0) ||
        (n_words >= 2 && n_commands == 0 && marks <= 1) ||
        (n_words >= 4 && n_commands <= 1 && marks <= 2) || g_utf8_strlen(text, -1) > 8000)
        return TRUE;
    for (const char *p = text; *p != '\0'; p++) {
        const char *pair = p[0] == '\\' && p[1] != '\0' ? strchr(brackets, p[1]) : NULL;
        if (pair != NULL)
            pairs[pair - brackets]++;
        if (p == text || p[-1] != '\\')
            depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
        if (depth < 0)
            return TRUE;
    }
    for (gsize at = 0; tg_pattern_find(&environments, text, len, at, spans);
         at = (gsize) spans[1]) {
        g_autofree char *name = g_strndup(text + spans[4], (gsize) (spans[5] - spans[4]));
        if (text[spans[2]] == 'b') {
            g_ptr_array_add(names, g_steal_pointer(&name));
            continue;
        }
        if (names->len == 0 || strcmp(names->pdata[names->len - 1], name) != 0)
            return TRUE;
        g_ptr_array_set_size(names, (gint) names->len - 1);
    }
    return depth > 0 || names->len > 0 || pairs[0] != pairs[1] || pairs[2] != pairs[3] ||
           tg_pattern_count(&lefts, text, len) != tg_pattern_count(&rights, text, len) ||
           tg_pattern_count(&dollars, text, len) % 2 != 0;
}

#define MAX_GROUPS 200 /* inside groups */

typedef struct {
    const char *at;
    guint depth;
    gboolean failed; /* nothing is converted */
} Reader;

static void read_latex(Reader *reader, GString *out, char closing);

static int compare_names(const void *name, const void *row)
{
    return strcmp(name, ((const TgLatexText *) row)->name);
}

/* The name of the command at @reader, and the blanks after a word; NULL at the end. */
static char *read_name(Reader *reader)
{
    const char *start = ++reader->at, *end = start;

    while (g_unichar_isalpha(g_utf8_get_char(end)))
        end = g_utf8_next_char(end);
    reader->at = end > start ? skip_blanks(end) : *end != '\0' ? g_utf8_next_char(end) : end;
    return g_strndup(start, (gsize) ((end > start ? end : reader->at) - start));
}

/* Characters that stand for others. */
static const char *const specials[][2] = {
    { "---", "—" }, { "--", "–" }, { "``", "“" },       { "''", "”" },
    { "!`", "¡" },  { "?`", "¿" }, { "~", "\xC2\xA0" }, { "&", "   " },
};

static void read_character(Reader *reader, GString *out)
{
    for (guint i = 0; i < G_N_ELEMENTS(specials); i++)
        if (g_str_has_prefix(reader->at, specials[i][0])) {
            g_string_append(out, specials[i][1]);
            reader->at += strlen(specials[i][0]);
            return;
        }
    g_string_append_unichar(out, g_utf8_get_char(reader->at));
    reader->at = g_utf8_next_char(reader->at);
}

/* The output of a command, given its arguments, or NULL for one that was read without any. */
static void write_command(Reader *reader, const TgLatexText *row, char **arguments, GString *out)
{
    const char *first = arguments != NULL ? arguments[0] : NULL;

    if (row->kind == TG_LATEX_TEXT) {
        g_string_append(out, row->output);
    } else if (row->kind == TG_LATEX_ARGS && arguments != NULL) {
        for (guint i = 0; arguments[i] != NULL; i++)
            g_string_append(out, arguments[i]);
    } else if (row->kind == TG_LATEX_STYLE && first != NULL) {
        g_autofree char *name = g_strconcat("=", row->output, NULL);
        const TgLatexText *style =
            bsearch(name, tg_latex_texts, tg_n_latex_texts, sizeof *style, compare_names);
        for (const char *p = first; *p != '\0'; p = g_utf8_next_char(p)) {
            const char *letter = (guchar) *p < 0x80 ? strchr(style->arguments, *p) : NULL;
            g_string_append_unichar(
                out, g_utf8_get_char(letter != NULL ? g_utf8_offset_to_pointer(
                                                          style->output, letter - style->arguments)
                                                    : p));
        }
    } else if (row->kind == TG_LATEX_ACCENT) {
        g_autoptr(GString) base = g_string_new(first != NULL ? first : " "),
                           all = g_string_new(NULL);
        if (first != NULL)
            tg_page_trim(base);
        for (const char *p = base->str; *p != '\0'; p = g_utf8_next_char(p)) {
            const gunichar c = g_utf8_get_char(p);
            g_string_append_unichar(all, c == 0x131 || c == 0x1D6A4   ? 'i'
                                         : c == 0x237 || c == 0x1D6A5 ? 'j'
                                                                      : c);
            g_string_append(all, row->output);
        }
        g_autofree char *composed = g_utf8_normalize(all->str, -1, G_NORMALIZE_NFC);
        g_string_append(out, composed);
    } else if (row->kind == TG_LATEX_FILL) {
        const guint n = arguments != NULL ? g_strv_length(arguments) : 0;
        g_auto(GStrv) parts = g_strsplit(row->output, "%s", -1);
        const char *number = strstr(row->output, "%(");
        if (number != NULL && (guint) (number[2] - '0') > n)
            reader->failed = TRUE;
        else if (number != NULL)
            g_string_append_printf(out, "%.*s%s%s", (int) (number - row->output), row->output,
                                   arguments[number[2] - '1'], number + strlen("%(1)s"));
        else if (g_strv_length(parts) != n + 1)
            g_string_append(out, row->output);
        else
            for (guint i = 0; parts[i] != NULL; i++)
                g_string_append_printf(out, "%s%s", parts[i], i < n ? arguments[i] : "");
    }
}

/* One argument of the given kind; NULL where the text ends. */
static char *read_argument(Reader *reader, char kind)
{
    const char *at = skip_blanks(reader->at);
    g_autoptr(GString) out = g_string_new(NULL);

    if (kind != '{' && *at != kind)
        return g_strdup("");
    if (*at == '\0')
        return NULL;
    reader->at = at;
    if (kind == '*') {
        reader->at++;
        return g_strdup("*");
    }
    if (kind == '[' || *at == '{') {
        reader->at++;
        read_latex(reader, out, kind == '[' ? ']' : '}');
    } else if (*at == '\\') {
        g_autofree char *name = read_name(reader);
        const TgLatexText *row =
            bsearch(name, tg_latex_texts, tg_n_latex_texts, sizeof *row, compare_names);
        if (row != NULL)
            write_command(reader, row, NULL, out);
    } else if (*at != '}') {
        read_character(reader, out);
    }
    return g_string_free(g_steal_pointer(&out), FALSE);
}

static void read_command(Reader *reader, GString *out)
{
    g_autofree char *name = read_name(reader);
    g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
    const char *after = reader->at;

    if (name[0] == '\0' || strchr("()[]", name[0]) != NULL)
        return;
    const TgLatexText *row =
        bsearch(name, tg_latex_texts, tg_n_latex_texts, sizeof *row, compare_names);
    if (row == NULL || row->kind == TG_LATEX_LETTERS)
        return;
    for (const char *kind = row->arguments; *kind != '\0'; kind++) {
        char *argument = read_argument(reader, *kind);
        if (argument == NULL) {
            reader->at = after;
            write_command(reader, row, NULL, out);
            return;
        }
        g_ptr_array_add(arguments, argument);
    }
    g_ptr_array_add(arguments, NULL);
    write_command(reader, row, (char **) arguments->pdata, out);
}

/* Convert until @closing, which is read, or the end. */
static void read_latex(Reader *reader, GString *out, char closing)
{
    if (++reader->depth > MAX_GROUPS)
        reader->failed = TRUE;
    while (*reader->at != '\0' && !reader->failed) {
        const char c = *reader->at;
        if (c == closing) {
            reader->at++;
            break;
        }
        if (c == '\\') {
            read_command(reader, out);
        } else if (c == '{') {
            reader->at++;
            read_latex(reader, out, '}');
        } else if (c == '%') {
            reader->at += strlen(reader->at);
        } else if (c == '$' || c == '}') {
            reader->at++;
        } else {
            read_character(reader, out);
        }
    }
    reader->depth--;
}

void tg_page_plain(GString *text)
{
    g_autoptr(GString) out = g_string_new(NULL);

    tg_page_trim(text);
    Reader reader = { .at = text->str };
    if (tg_page_stays_latex(text->str))
        return;
    read_latex(&reader, out, '\0');
    if (!reader.failed)
        g_string_assign(text, out->str);
}
