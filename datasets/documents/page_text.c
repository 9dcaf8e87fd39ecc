/* Strings of OmniDocBench's protocol: normal forms, rows of formulas, LaTeX as characters. */
#include "datasets/documents/document.h"

#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"

/* ---- rules ---- */

/* Rows of both tables begin with their name. */
static int compare_names(const void *name, const void *row)
{
    return strcmp(name, *(const char *const *) row);
}

/* The first rule of a name. */
static TgRule *find_rule(const char *name)
{
    TgRule *rule = bsearch(name, tg_rules, tg_n_rules, sizeof *rule, compare_names);

    g_assert(rule != NULL);
    while (rule > tg_rules && strcmp(rule[-1].name, name) == 0)
        rule--;
    return rule;
}

static TgRule *next_rule(const TgRule *rule)
{
    return rule + 1 < tg_rules + tg_n_rules && strcmp(rule[1].name, rule->name) == 0
               ? (TgRule *) rule + 1
               : NULL;
}

static const GRegex *rule_regex(TgRule *rule)
{
    if (g_once_init_enter(&rule->regex)) {
        GRegex *regex =
            g_regex_new(rule->pattern, G_REGEX_NEWLINE_LF | (rule->raw ? G_REGEX_RAW : 0), 0, NULL);
        g_assert(regex != NULL);
        g_once_init_leave(&rule->regex, (gsize) regex);
    }
    return (const GRegex *) rule->regex; // NOLINT(performance-no-int-to-ptr)
}

static gboolean find_match(TgRule *rule, const GString *text, gsize from, TgSpans spans)
{
    g_autoptr(GMatchInfo) info = NULL;
    const gboolean found = g_regex_match_full(rule_regex(rule), text->str, (gssize) text->len,
                                              (gint) from, 0, &info, NULL);

    for (int i = 0; found && i < (int) (sizeof(TgSpans) / sizeof *spans / 2); i++)
        if (!g_match_info_fetch_pos(info, i, &spans[2 * i], &spans[2 * i + 1]))
            spans[2 * i] = spans[2 * i + 1] = -1;
    return found;
}

gboolean tg_rule_find(const char *name, const GString *text, gsize from, TgSpans spans)
{
    return find_match(find_rule(name), text, from, spans);
}

gboolean tg_rule_has(const char *name, const char *text)
{
    for (TgRule *rule = find_rule(name); rule != NULL; rule = next_rule(rule))
        if (rule->word != NULL ? strstr(text, rule->word) != NULL
                               : g_regex_match(rule_regex(rule), text, 0, NULL))
            return TRUE;
    return FALSE;
}

guint tg_rule_count(const char *name, const char *text)
{
    g_autoptr(GMatchInfo) info = NULL;
    guint n = 0;

    for (gboolean found = g_regex_match(rule_regex(find_rule(name)), text, 0, &info); found; n++)
        found = g_match_info_next(info, NULL);
    return n;
}

void tg_rule_apply(const char *name, GString *text)
{
    for (TgRule *rule = find_rule(name); rule != NULL; rule = next_rule(rule)) {
        if (rule->word != NULL && strstr(text->str, rule->word) != NULL) {
            g_auto(GStrv) parts = g_strsplit(text->str, rule->word, -1);
            g_autofree char *out = g_strjoinv(rule->with, parts);
            g_string_assign(text, out);
        } else if (rule->word == NULL && g_regex_match(rule_regex(rule), text->str, 0, NULL)) {
            g_autofree char *out = g_regex_replace(rule_regex(rule), text->str, (gssize) text->len,
                                                   0, rule->with, 0, NULL);
            g_string_assign(text, out != NULL ? out : text->str);
        }
    }
}

void tg_rule_blank(const char *name, GString *text)
{
    for (TgRule *rule = find_rule(name); rule != NULL; rule = next_rule(rule)) {
        TgSpans spans;
        for (gsize at = 0; find_match(rule, text, at, spans); at = (gsize) spans[1])
            memset(text->str + spans[0], ' ', (gsize) (spans[1] - spans[0]));
    }
}

const char *tg_rule_pair(const char *name, const char *at, guint64 *missing, const TgRule **found)
{
    guint64 bit = 1;

    *found = NULL;
    for (const TgRule *rule = find_rule(name); rule != NULL; rule = next_rule(rule), bit <<= 1) {
        if (!g_str_has_prefix(at, rule->word))
            continue;
        const char *end =
            (*missing & bit) == 0 ? strstr(at + strlen(rule->word), rule->with) : NULL;
        *found = end != NULL || *found == NULL ? rule : *found;
        if (end != NULL)
            return end + strlen(rule->with);
        *missing |= bit;
    }
    return NULL;
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

void tg_page_fold(GString *text, const char *between)
{
    gsize out = 0;
    gboolean gap = FALSE;

    for (const char *p = text->str, *next; *p != '\0'; p = next) {
        next = g_utf8_next_char(p);
        if (tg_is_space(g_utf8_get_char(p))) {
            gap = out > 0;
            continue;
        }
        for (const char *c = between; gap && *c != '\0'; c++)
            text->str[out++] = *c; /* not longer than the blanks */
        gap = FALSE;
        while (p < next)
            text->str[out++] = *p++;
    }
    g_string_truncate(text, out);
}

/* Cut a text down to a part of it. */
static void keep_part(GString *text, int start, int end)
{
    g_string_truncate(text, (gsize) end);
    g_string_erase(text, 0, start);
}

gboolean tg_page_strip_once(GString *text, const char **open, const char **close)
{
    const TgRule *pair = find_rule("formula pair");

    tg_page_trim(text);
    while (pair != NULL &&
           (text->len < 2 * strlen(pair->word) || !g_str_has_prefix(text->str, pair->word) ||
            !g_str_has_suffix(text->str, pair->with)))
        pair = next_rule(pair);
    *open = pair != NULL ? pair->word : "";
    *close = pair != NULL ? pair->with : "";
    keep_part(text, (int) strlen(*open), (int) (text->len - strlen(*close)));
    tg_page_trim(text);
    return pair != NULL;
}

void tg_page_strip_delimiters(GString *text)
{
    const char *open, *close;

    while (tg_page_strip_once(text, &open, &close))
        ;
}

static const char *skip_blanks(const char *at)
{
    while (*at != '\0' && tg_is_space(g_utf8_get_char(at)))
        at = g_utf8_next_char(at);
    return at;
}

void tg_page_strip_tags(GString *text)
{
    tg_rule_apply("tags", text);
    tg_page_trim(text);
}

/* ---- normal forms ---- */

void tg_page_uncircle(GString *text)
{
    if (strstr(text->str, "\\textcircled") != NULL)
        tg_rule_apply("circled command", text);
    if (tg_rule_has("has circled", text->str))
        tg_rule_apply("circled", text);
}

/* Longer formulas lose blanks only, and are not split; rounds of taking braces off. */
#define MAX_FORMULA 100000u
#define MAX_ROUNDS  1000u

void tg_page_formula_form(GString *text)
{
    TgSpans spans;
    gsize before = text->len <= MAX_FORMULA ? G_MAXSIZE : text->len;

    if (before == G_MAXSIZE) {
        tg_page_uncircle(text);
        tg_page_strip_delimiters(text);
        tg_rule_apply("tags", text);
        if (tg_rule_find("inner display", text, 0, spans)) {
            const guint group = spans[2] >= 0 ? 2 : 4;
            keep_part(text, spans[group], spans[group + 1]);
            tg_page_trim(text);
        }
        while (tg_rule_find("phantom", text, 0, spans)) {
            g_string_erase(text, spans[0], spans[1] - spans[0]);
            if (spans[2] < 0)
                break; /* one that is not closed ends this */
        }
        tg_rule_apply("formula", text);
    }
    for (guint i = 0; i < MAX_ROUNDS && text->len != before; i++) { /* a change makes it shorter */
        before = text->len;
        tg_rule_apply("braces", text);
    }
    tg_page_fold(text, "");
    g_autofree char *lower = g_malloc(2 * text->len + 1);
    lower[tg_utf8_lower(text->str, text->len, lower)] = '\0';
    g_string_assign(text, lower);
}

/* An inline formula as characters; FALSE: it stays as it is. */
static gboolean rewrite_inline(GString *formula)
{
    glong balance = 0;

    tg_rule_apply("inline escapes", formula);
    if (strpbrk(formula->str, "\\^_") == NULL)
        return FALSE;
    if (g_str_has_suffix(formula->str, "\\"))
        g_string_append_c(formula, ' ');
    for (const char *p = formula->str; *p != '\0'; p++)
        balance += *p == '{' ? 1 : *p == '}' ? -1 : 0;
    g_autoptr(GString) trimmed = g_string_new(formula->str);
    tg_page_trim(trimmed);
    if (trimmed->len > 0 && (balance != 0 || g_utf8_strlen(trimmed->str, -1) > 128 ||
                             tg_rule_has("inline structure", trimmed->str)))
        return FALSE;
    tg_page_plain(formula);
    tg_page_trim(formula);
    return TRUE;
}

void tg_page_plain_inline(GString *text)
{
    TgSpans spans;
    g_autoptr(GString) out = g_string_new(NULL);
    gsize done = 0;

    for (; tg_rule_find("inline", text, done, spans); done = (gsize) spans[1]) {
        const guint group = spans[2] >= 0 ? 2 : 4;
        g_autoptr(GString) inside =
            g_string_new_len(text->str + spans[group], spans[group + 1] - spans[group]);
        const gboolean rewritten = rewrite_inline(inside);
        g_string_append_len(out, text->str + done,
                            (rewritten ? spans[0] : spans[1]) - (gssize) done);
        g_string_append(out, rewritten ? inside->str : "");
    }
    g_string_append(out, text->str + done);
    g_string_assign(text, out->str);
}

void tg_page_text_form(GString *text)
{
    gsize out = 0;

    tg_page_uncircle(text);
    tg_page_plain_inline(text);
    tg_page_uncircle(text);
    tg_rule_apply("text", text);
    for (const char *p = text->str, *next; *p != '\0'; p = next) { /* letters and digits stay */
        const gunichar c = g_utf8_get_char(p);
        next = g_utf8_next_char(p);
        if (c == '_' || g_unichar_isalnum(c)) {
            memmove(text->str + out, p, (gsize) (next - p));
            out += (gsize) (next - p);
        }
    }
    g_string_truncate(text, out);
}

/* ---- rows of a formula ---- */

static gboolean is_case_row(const char *row)
{
    g_autoptr(GString) text = g_string_new(row);

    tg_rule_apply("row start", text);
    tg_page_strip_tags(text);
    return tg_rule_has("case row", text->str);
}

/* Cut a text at `\\` outside of braces and environments, or at `&` outside of environments. */
static GPtrArray *cut_cells(const char *text, gboolean rows)
{
    GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) part = g_string_new(NULL);
    guint depth = 0, nested = 0;
    gboolean escaped = FALSE; /* an odd number of backslashes stands before this place */

    for (const char *p = text;;) {
        const gboolean begins = g_str_has_prefix(p, "\\begin{");
        const char *close = begins || g_str_has_prefix(p, "\\end{") ? strchr(p, '}') : NULL;
        if (*p == '\0' || (rows ? depth == 0 && nested == 0 && p[0] == '\\' && p[1] == '\\'
                                : nested == 0 && *p == '&' && !escaped)) {
            if (rows)
                tg_page_trim(part);
            if (!rows || part->len > 0)
                g_ptr_array_add(out, g_strdup(part->str));
            g_string_truncate(part, 0);
            if (*p == '\0')
                return out;
            p = rows ? skip_blanks(p + 2) : p + 1;
            p += rows && *p == '*';
            const char *bracket = rows && *p == '[' ? strchr(p, ']') : NULL;
            p = bracket != NULL ? bracket + 1 : p;
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
        n += cells->len >= 2 && (!filled || first->len > 0);
    }
    return n;
}

/* What stands after an environment without the equation's number. */
static void strip_labels(GString *text)
{
    gsize before;

    tg_page_trim(text);
    do {
        before = text->len;
        tg_rule_apply("labels", text);
        if (text->len < before)
            tg_rule_apply("last spacings", text);
        tg_page_trim(text);
    } while (text->len < before);
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
    g_autoptr(GPtrArray) rows = cut_cells(body, TRUE);
    g_autoptr(GString) spec = g_string_new(extra);
    const gboolean nested = tg_rule_has("inner environment", body);
    gboolean case_rows = FALSE, explained = FALSE, logical = FALSE;
    TgSpans spans;

    for (guint i = 0; i < rows->len; i++) {
        logical |= tg_rule_has("logic", rows->pdata[i]);
        case_rows |= i > 0 && is_case_row(rows->pdata[i]);
        explained |= i > 0 && tg_rule_has("explanation", rows->pdata[i]);
    }
    if (strcmp(name, "cases") == 0)
        return rows->len >= 2 && count_cells(rows, FALSE) == 0 && tg_rule_has("logic", body) &&
               (nested || logical || explained);
    if (g_str_has_prefix(name, "align"))
        return !(nested && case_rows) &&
               !(outer && (nested || count_cells(rows, TRUE) >= 2 || explained || case_rows));
    if (strcmp(name, "array") != 0)
        return TRUE;
    if (!tg_rule_find("spec group", spec, 0, spans))
        return FALSE;
    keep_part(spec, spans[2], spans[3]);
    tg_rule_apply("spec noise", spec);
    return tg_rule_has("spec", spec->str) && !(nested && case_rows) &&
           !(outer && strspn(spec->str, "l") == spec->len && rows->len >= 2);
}

/* The rows' environment in a formula: its body and what follows it. FALSE: none that splits. */
static gboolean find_environment(const GString *formula, GString *body, GString *suffix)
{
    g_autoptr(GString) text = g_string_new(formula->str);
    TgSpans spans;

    tg_rule_apply("outer right", text);
    tg_rule_apply("outer left", text);
    if (!tg_rule_find("environment", text, 0, spans))
        return FALSE;
    g_autofree char *name = g_strndup(text->str + spans[2], (gsize) (spans[3] - spans[2]));
    g_autofree char *extra = g_strndup(text->str + spans[4], (gsize) (spans[5] - spans[4]));
    const char *start = text->str + spans[1], *end = environment_end(start, name);
    if (end == NULL)
        return FALSE;
    g_string_append_len(body, start, end - start);
    g_string_append(suffix, end + strlen("\\end{}") + strlen(name));
    strip_labels(suffix);
    g_autoptr(GPtrArray) suffix_rows = cut_cells(suffix->str, TRUE);
    return suffix_rows->len < 2 && splits(name, extra, body->str, text->len < formula->len);
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
    if (strstr(text->str, "\\\\") == NULL || text->len > MAX_FORMULA)
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
    tg_page_strip_tags(suffix);
    g_autoptr(GPtrArray) raws = cut_cells(out->body->str, TRUE);
    for (guint i = 0; i < raws->len && raws->len >= 2; i++) {
        g_autoptr(GString) row = g_string_new(raws->pdata[i]);
        tg_page_strip_tags(row);
        if (row->len == 0)
            continue;
        g_ptr_array_add(out->raw, g_strdup(raws->pdata[i]));
        g_ptr_array_add(out->rows, g_strdup(row->str));
    }
    if (out->rows->len < 2)
        return NULL;
    if (suffix->len > 0) {
        g_autofree char *last = out->rows->pdata[out->rows->len - 1];
        out->rows->pdata[out->rows->len - 1] = g_strconcat(last, " ", suffix->str, NULL);
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
        g_autoptr(GString) rest = g_string_new(at);
        TgSpans spans;
        g_string_append_len(out, p, at - p);
        p = at;
        if (!tg_rule_find("environment", rest, 0, spans)) {
            g_string_append_len(out, p, strlen("\\begin{"));
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
        g_autofree char *near = g_utf8_substring(p, 0, MIN(200, g_utf8_strlen(p, -1)));
        if (strcmp(name, "cases") == 0 && rows->len >= 2 && count_cells(rows, FALSE) == 0 &&
            (tg_rule_has("logic", body->str) || tg_rule_has("logic", near) ||
             tg_rule_has("environment", skip_blanks(near)))) {
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
    return strstr(text->str, "\\begin{cases}") != NULL && logic_form(text, 0);
}

/* ---- LaTeX as characters ---- */

/* Whether braces and environments close each other, and delimiters come in pairs. */
static gboolean is_balanced(const GString *text)
{
    static const char *const pairs[][2] = { { "opens 0", "closes 0" },
                                            { "opens 1", "closes 1" },
                                            { "opens 2", "closes 2" } };
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    glong depth = 0;
    TgSpans spans;

    for (const char *p = text->str; *p != '\0' && depth >= 0; p++)
        if (p == text->str || p[-1] != '\\')
            depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
    for (gsize at = 0; tg_rule_find("begin or end", text, at, spans); at = (gsize) spans[1]) {
        g_autofree char *name = g_strndup(text->str + spans[4], (gsize) (spans[5] - spans[4]));
        if (text->str[spans[2]] == 'b')
            g_ptr_array_add(names, g_steal_pointer(&name));
        else if (names->len == 0 || strcmp(names->pdata[names->len - 1], name) != 0)
            return FALSE;
        else
            g_ptr_array_set_size(names, (gint) names->len - 1);
    }
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        if (tg_rule_count(pairs[i][0], text->str) != tg_rule_count(pairs[i][1], text->str))
            return FALSE;
    return depth == 0 && names->len == 0 && tg_rule_count("dollar", text->str) % 2 == 0;
}

/* Whether a text stays as it is. */
static gboolean stays_latex(const GString *text)
{
    const guint commands = tg_rule_count("command", text->str);
    const guint words = tg_rule_count("word 3", text->str);
    const guint marks = tg_rule_count("mark", text->str);
    const glong n = g_utf8_strlen(text->str, -1);

    return strpbrk(text->str, "\\{}$") == NULL ||
           (n >= 32 && tg_rule_count("signal", text->str) <= 2 && words >= 6 &&
            !tg_rule_has("not prose", text->str) && tg_rule_count("space", text->str) >= 5) ||
           strcmp(text->str, "\\\\") == 0 ||
           (g_str_has_suffix(text->str, "\\") && !g_str_has_suffix(text->str, "\\\\") &&
            commands == 0) ||
           (strchr(text->str, '\\') != NULL && commands == 0 && marks == 0) ||
           (words >= 2 && commands == 0 && marks <= 1) ||
           (words >= 4 && commands <= 1 && marks <= 2) || n > 8000 || !is_balanced(text);
}

#define MAX_GROUPS 200 /* inside groups */
#define MAX_GROWTH 8   /* steps and bytes out for each byte in: accents on accents double */

typedef struct {
    const char *at;
    guint depth;
    gsize n_steps, most;
    gboolean failed; /* nothing is converted */
} Reader;

static void read_latex(Reader *reader, GString *out, char closing);

static const TgLatexText *find_command(const char *name)
{
    return bsearch(name, tg_latex_texts, tg_n_latex_texts, sizeof *tg_latex_texts, compare_names);
}

/* The name of the command at @reader, which moves past it and, after a word, past blanks. */
static char *read_name(Reader *reader)
{
    const char *start = ++reader->at, *end = start;

    while (g_unichar_isalpha(g_utf8_get_char(end)))
        end = g_utf8_next_char(end);
    reader->at = end > start ? skip_blanks(end) : *end != '\0' ? g_utf8_next_char(end) : end;
    return g_strndup(start, (gsize) ((end > start ? end : reader->at) - start));
}

static void read_character(Reader *reader, GString *out)
{
    static const char *const specials[][2] = {
        { "---", "—" }, { "--", "–" }, { "``", "“" },       { "''", "”" },
        { "!`", "¡" },  { "?`", "¿" }, { "~", "\xC2\xA0" }, { "&", "   " },
    };

    for (guint i = 0; i < G_N_ELEMENTS(specials); i++)
        if (g_str_has_prefix(reader->at, specials[i][0])) {
            g_string_append(out, specials[i][1]);
            reader->at += strlen(specials[i][0]);
            return;
        }
    g_string_append_unichar(out, g_utf8_get_char(reader->at));
    reader->at = g_utf8_next_char(reader->at);
}

/* Letters and digits in another style. */
static void write_style(const char *text, const char *style_name, GString *out)
{
    g_autofree char *name = g_strconcat("=", style_name, NULL);
    const TgLatexText *style = find_command(name);

    for (const char *p = text; *p != '\0'; p = g_utf8_next_char(p)) {
        const char *letter = (guchar) *p < 0x80 ? strchr(style->arguments, *p) : NULL;
        const char *from =
            letter != NULL ? g_utf8_offset_to_pointer(style->output, letter - style->arguments) : p;
        g_string_append_unichar(out, g_utf8_get_char(from));
    }
}

static void write_accent(const char *text, const char *accent, GString *out)
{
    g_autoptr(GString) base = g_string_new(text != NULL ? text : " "), all = g_string_new(NULL);

    if (text != NULL)
        tg_page_trim(base);
    for (const char *p = base->str; *p != '\0'; p = g_utf8_next_char(p)) {
        const gunichar c = g_utf8_get_char(p);
        g_string_append_unichar(all, c == 0x131 || c == 0x1D6A4   ? 'i'
                                     : c == 0x237 || c == 0x1D6A5 ? 'j'
                                                                  : c);
        g_string_append(all, accent);
    }
    g_autofree char *composed = g_utf8_normalize(all->str, -1, G_NORMALIZE_NFC);
    g_string_append(out, composed);
}

/* The output of a command, given its arguments, or NULL for one that was read without any. */
static void write_command(Reader *reader, const TgLatexText *row, char **arguments, GString *out)
{
    const guint n = arguments != NULL ? g_strv_length(arguments) : 0;
    g_auto(GStrv) parts = g_strsplit(row->output, "%s", -1);
    const char *number = strstr(row->output, "%(");

    if (row->kind == TG_LATEX_TEXT) {
        g_string_append(out, row->output);
    } else if (row->kind == TG_LATEX_ARGS) {
        for (guint i = 0; i < n; i++)
            g_string_append(out, arguments[i]);
    } else if (row->kind == TG_LATEX_STYLE && n > 0) {
        write_style(arguments[0], row->output, out);
    } else if (row->kind == TG_LATEX_ACCENT) {
        write_accent(n > 0 ? arguments[0] : NULL, row->output, out);
    } else if (row->kind == TG_LATEX_FILL && number != NULL) {
        reader->failed |= (guint) (number[2] - '0') > n;
        if (!reader->failed)
            g_string_append_printf(out, "%.*s%s%s", (int) (number - row->output), row->output,
                                   arguments[number[2] - '1'], number + strlen("%(1)s"));
    } else if (row->kind == TG_LATEX_FILL) {
        const gboolean fits = g_strv_length(parts) == n + 1;
        for (guint i = 0; parts[i] != NULL; i++)
            g_string_append_printf(out, "%s%s", parts[i],
                                   parts[i + 1] == NULL ? ""
                                   : fits               ? arguments[i]
                                                        : "%s");
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
    if (kind == '*' || kind == '[' || *at == '{') {
        reader->at++;
        if (kind == '*')
            return g_strdup("*");
        read_latex(reader, out, kind == '[' ? ']' : '}');
    } else if (*at == '\\') {
        g_autofree char *name = read_name(reader);
        const TgLatexText *row = find_command(name);
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
    g_auto(GStrv) arguments = NULL;
    const TgLatexText *row = find_command(name);
    const char *after = reader->at;

    if (row == NULL || row->kind == TG_LATEX_LETTERS || strchr("()[]", name[0]) != NULL)
        return;
    arguments = g_new0(char *, strlen(row->arguments) + 1);
    for (guint i = 0; row->arguments[i] != '\0'; i++)
        if ((arguments[i] = read_argument(reader, row->arguments[i])) == NULL) {
            reader->at = after;
            write_command(reader, row, NULL, out);
            return;
        }
    if (!reader->failed)
        write_command(reader, row, arguments, out);
}

/* Convert until @closing, which is read, or the end. */
static void read_latex(Reader *reader, GString *out, char closing)
{
    reader->failed |= ++reader->depth > MAX_GROUPS;
    while (*reader->at != '\0' && !reader->failed) {
        const char c = *reader->at;
        reader->failed |= ++reader->n_steps > reader->most || out->len > reader->most;
        if (c == '\\') {
            read_command(reader, out);
            continue;
        }
        if (c != closing && strchr("{%$}", c) == NULL) {
            read_character(reader, out);
            continue;
        }
        reader->at += c == '%' ? strlen(reader->at) : 1;
        if (c == closing)
            break;
        if (c == '{')
            read_latex(reader, out, '}');
    }
    reader->depth--;
}

void tg_page_plain(GString *text)
{
    g_autoptr(GString) out = g_string_new(NULL);

    tg_page_trim(text);
    if (stays_latex(text))
        return;
    Reader reader = { .at = text->str, .most = MAX_GROWTH * text->len };
    read_latex(&reader, out, '\0');
    if (!reader.failed)
        g_string_assign(text, out->str);
}
