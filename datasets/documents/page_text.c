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

/* The rules of a name; one without name is the end. */
static TgRule *find_rules(const char *name)
{
    const TgRules *rules = bsearch(name, tg_rules, tg_n_rules, sizeof *tg_rules, compare_names);

    g_assert(rules != NULL);
    return rules->rules;
}

static const GRegex *rule_regex(TgRule *rule)
{
    if (g_once_init_enter(&rule->regex)) {
        GRegex *regex = g_regex_new(rule->what,
                                    G_REGEX_OPTIMIZE | G_REGEX_NEWLINE_LF |
                                        (rule->kind == TG_RULE_RAW ? G_REGEX_RAW : 0),
                                    0, NULL);
        g_assert(regex != NULL);
        g_once_init_leave(&rule->regex, (gsize) regex);
    }
    return (const GRegex *) rule->regex; // NOLINT(performance-no-int-to-ptr)
}

gboolean tg_rule_find(const char *name, const GString *text, gsize from, TgSpans spans)
{
    g_autoptr(GMatchInfo) info = NULL;
    const gboolean found = g_regex_match_full(rule_regex(find_rules(name)), text->str,
                                              (gssize) text->len, (gint) from, 0, &info, NULL);

    for (int i = 0; found && i < (int) (sizeof(TgSpans) / sizeof *spans / 2); i++)
        if (!g_match_info_fetch_pos(info, i, &spans[2 * i], &spans[2 * i + 1]))
            spans[2 * i] = spans[2 * i + 1] = -1;
    return found;
}

guint tg_rule_count(const char *name, const char *text)
{
    guint n = 0;

    for (TgRule *rule = find_rules(name); rule->kind != TG_RULE_END; rule++) {
        g_autoptr(GMatchInfo) info = NULL;
        const char *at = text;
        if (rule->kind == TG_RULE_WORD)
            for (; (at = strstr(at, rule->what)) != NULL; at += strlen(rule->what))
                n++;
        else
            for (gboolean found = g_regex_match(rule_regex(rule), text, 0, &info); found; n++)
                found = g_match_info_next(info, NULL);
    }
    return n;
}

static void trim(GString *text)
{
    const char *start = text->str, *end = text->str + text->len;

    while (start < end && tg_is_space(g_utf8_get_char(start)))
        start = g_utf8_next_char(start);
    while (end > start && tg_is_space(g_utf8_get_char(g_utf8_prev_char(end))))
        end = g_utf8_prev_char(end);
    g_string_truncate(text, (gsize) (end - text->str));
    g_string_erase(text, 0, start - text->str);
}

/* Leave the words, with this between them. */
static void fold(GString *text, const char *between)
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

#define MAX_ROUNDS 1000u /* of rules that are applied again */

/* What `&#60;` or `&#x3C;` stands for. */
static gboolean append_character(const GMatchInfo *match, GString *out, gpointer unused)
{
    g_autofree char *digits = g_match_info_fetch(match, 1);
    const gboolean hex = !g_ascii_isdigit(digits[0]);
    const guint64 code = g_ascii_strtoull(digits + hex, NULL, hex ? 16 : 10);

    (void) unused;
    g_string_append_unichar(out, code > 0 && g_unichar_validate((gunichar) MIN(code, G_MAXUINT32))
                                     ? (gunichar) code
                                     : 0xFFFD);
    return FALSE;
}

void tg_rule_apply(const char *name, GString *text)
{
    TgRule *const first = find_rules(name);
    gsize before = text->len;
    guint round = 0;

    for (TgRule *rule = first; rule->kind != TG_RULE_END; rule++) {
        g_autofree char *out = NULL;
        if (rule->kind == TG_RULE_FOLD) {
            fold(text, rule->with);
        } else if (rule->kind == TG_RULE_TRIM) {
            trim(text);
        } else if (rule->kind == TG_RULE_USE) {
            tg_rule_apply(rule->what, text);
        } else if (rule->kind == TG_RULE_AGAIN) {
            rule = text->len != before && round++ < MAX_ROUNDS ? first - 1 : rule;
            before = text->len;
        } else if (rule->kind == TG_RULE_CODE) {
            out = g_regex_replace_eval(rule_regex(rule), text->str, (gssize) text->len, 0, 0,
                                       append_character, NULL, NULL);
        } else if (rule->kind != TG_RULE_WORD) {
            if (g_regex_match(rule_regex(rule), text->str, 0, NULL))
                out = g_regex_replace(rule_regex(rule), text->str, (gssize) text->len, 0,
                                      rule->with, 0, NULL);
        } else if (strstr(text->str, rule->what) != NULL) {
            g_auto(GStrv) parts = g_strsplit(text->str, rule->what, -1);
            out = g_strjoinv(rule->with, parts);
        }
        if (out != NULL)
            g_string_assign(text, out);
    }
}

GString *tg_rule_made(const char *name, const char *text)
{
    GString *out = g_string_new(text);

    tg_rule_apply(name, out);
    return out;
}

void tg_rule_replace(const char *name, GString *text, GRegexEvalCallback replace, gpointer data)
{
    g_autofree char *out = g_regex_replace_eval(rule_regex(find_rules(name)), text->str,
                                                (gssize) text->len, 0, 0, replace, data, NULL);

    if (out != NULL)
        g_string_assign(text, out);
}

char **tg_rule_split(const char *name, const char *text)
{
    return g_regex_split(rule_regex(find_rules(name)), text, 0);
}

char **tg_rule_pieces(const char *name, const char *text, const char *change)
{
    char **pieces = tg_rule_split(name, text);
    guint n = 0;

    for (char **piece = pieces; *piece != NULL; piece++) {
        g_autoptr(GString) changed = tg_rule_made(change, *piece);
        g_free(*piece);
        if (changed->len > 0)
            pieces[n++] = g_strdup(changed->str);
    }
    pieces[n] = NULL;
    return pieces;
}

const char *tg_rule_pair(const char *name, const char *at, guint64 *missing, const TgRule **found)
{
    guint64 bit = 1;

    *found = NULL;
    for (const TgRule *rule = find_rules(name); rule->kind != TG_RULE_END; rule++, bit <<= 1) {
        if (!g_str_has_prefix(at, rule->what))
            continue;
        const char *end =
            (*missing & bit) == 0 ? strstr(at + strlen(rule->what), rule->with) : NULL;
        *found = end != NULL || *found == NULL ? rule : *found;
        if (end != NULL)
            return end + strlen(rule->with);
        *missing |= bit;
    }
    return NULL;
}

/* ---- normal forms ---- */

#define MAX_FORMULA 100000u /* longer ones lose blanks only, and are not split */

void tg_page_formula_form(GString *text)
{
    tg_rule_apply(text->len <= MAX_FORMULA ? "formula" : "dense", text);
    g_autofree char *lower = g_malloc(2 * text->len + 1);
    lower[tg_utf8_lower(text->str, text->len, lower)] = '\0';
    g_string_assign(text, lower);
}

/* An inline formula as characters, unless it stays as it is. */
static gboolean rewrite_inline(const GMatchInfo *match, GString *out, gpointer unused)
{
    g_autofree char *whole = g_match_info_fetch(match, 0);
    g_autofree char *inside = g_match_info_fetch(match, 1);
    g_autoptr(GString) formula = tg_rule_made("inline escapes", inside);
    glong balance = 0;

    (void) unused;
    for (const char *p = formula->str; *p != '\0'; p++)
        balance += *p == '{' ? 1 : *p == '}' ? -1 : 0;
    if (balance == 0 && !tg_rule_count("inline stays", formula->str)) {
        tg_page_plain(formula);
        tg_rule_apply("trimmed", formula);
        g_string_append(out, formula->str);
    } else {
        g_string_append(out, whole);
    }
    return FALSE;
}

void tg_page_plain_inline(GString *text)
{
    tg_rule_replace("inline", text, rewrite_inline, NULL);
}

void tg_page_text_form(GString *text)
{
    tg_rule_apply("circled", text);
    tg_page_plain_inline(text);
    tg_rule_apply("text", text);
}

/* ---- rows of a formula ---- */

/* Rows are cut at `\\` outside of braces and environments, cells at `&` outside of environments. */

/* How many of the rows have two cells or more; with @filled those whose first cell is not empty. */
static guint count_cells(char *const *rows, gboolean filled)
{
    guint n = 0;

    for (; *rows != NULL; rows++) {
        g_auto(GStrv) cells = tg_rule_split("cell end", *rows);
        g_autoptr(GString) first = tg_rule_made("untagged", cells[0] != NULL ? cells[0] : "");
        n += g_strv_length(cells) >= 2 && (!filled || first->len > 0);
    }
    return n;
}

/* The group of a match. (transfer full) */
static GString *group_of(const GString *text, const TgSpans spans, guint group)
{
    return g_string_new_len(text->str + spans[2 * group], spans[2 * group + 1] - spans[2 * group]);
}

/* Whether an environment's rows are formulas of their own. */
static gboolean splits(const char *name, const char *extra, const char *body, gboolean outer)
{
    g_auto(GStrv) rows = tg_rule_pieces("row end", body, "trimmed");
    const guint n_rows = g_strv_length(rows);
    g_autoptr(GString) spec = tg_rule_made("spec noise", extra);
    const gboolean nested = tg_rule_count("inner environment", body);
    gboolean case_rows = FALSE, explained = FALSE, logical = FALSE;

    for (guint i = 0; i < n_rows; i++) {
        g_autoptr(GString) row = tg_rule_made("row start", rows[i]);
        tg_rule_apply("untagged", row);
        logical |= tg_rule_count("logic", rows[i]);
        case_rows |= i > 0 && tg_rule_count("case row", row->str);
        explained |= i > 0 && tg_rule_count("explanation", rows[i]);
    }
    if (strcmp(name, "cases") == 0)
        return n_rows >= 2 && count_cells(rows, FALSE) == 0 && tg_rule_count("logic", body) &&
               (nested || logical || explained);
    if (g_str_has_prefix(name, "align"))
        return !(nested && case_rows) &&
               !(outer && (nested || count_cells(rows, TRUE) >= 2 || explained || case_rows));
    return strcmp(name, "array") != 0 ||
           (tg_rule_count("spec", spec->str) && !(nested && case_rows) &&
            !(outer && strspn(spec->str, "l") == spec->len && n_rows >= 2));
}

/* The rows' environment in a formula: its body and what follows it. FALSE: none that splits. */
static gboolean find_environment(const GString *formula, GString *body, GString *suffix)
{
    g_autoptr(GString) text = tg_rule_made("outer", formula->str);
    TgSpans spans;

    if (!tg_rule_find("environment", text, 0, spans) || spans[0] > 0)
        return FALSE;
    g_autoptr(GString) name = group_of(text, spans, 1), extra = group_of(text, spans, 2);
    g_string_append_len(body, text->str + spans[6], spans[7] - spans[6]);
    g_string_append(suffix, text->str + spans[1]);
    tg_rule_apply("labels", suffix); /* the equation's number */
    g_auto(GStrv) suffix_rows = tg_rule_pieces("row end", suffix->str, "trimmed");
    return g_strv_length(suffix_rows) < 2 &&
           splits(name->str, extra->str, body->str, text->len < formula->len);
}

char **tg_page_rows(const char *raw)
{
    g_autoptr(GString) text = tg_rule_made("bare", raw), body = g_string_new(NULL);
    g_autoptr(GString) suffix = g_string_new(NULL);

    if (strstr(text->str, "\\\\") == NULL || text->len > MAX_FORMULA)
        return NULL;
    if (!find_environment(text, body, suffix)) {
        g_string_assign(body, text->str);
        g_string_truncate(suffix, 0);
    }
    tg_rule_apply("untagged", suffix);
    g_auto(GStrv) rows = tg_rule_pieces("row end", body->str, "untagged");
    const guint n = g_strv_length(rows);
    if (n < 2)
        return NULL;
    g_autofree char *last = rows[n - 1];
    rows[n - 1] = g_strconcat(last, suffix->len > 0 ? " " : "", suffix->str, NULL);
    return g_steal_pointer(&rows);
}

#define MAX_NESTED 32 /* environments inside environments */

typedef struct {
    guint depth;
    gboolean changed;
} Logic;

/* Rewrite the body of an environment, and the environment if it is one of cases that are logic. */
static gboolean rewrite_environment(const GMatchInfo *match, GString *out, gpointer data)
{
    Logic *logic = data, inner = { logic->depth + 1, FALSE };
    g_autofree char *whole = g_match_info_fetch(match, 0), *group = g_match_info_fetch(match, 3);
    g_autoptr(GString) body = g_string_new(group);
    int start, end, body_start, body_end;

    g_match_info_fetch_pos(match, 0, &start, &end);
    g_match_info_fetch_pos(match, 3, &body_start, &body_end);
    if (inner.depth < MAX_NESTED)
        tg_rule_replace("environment", body, rewrite_environment, &inner);
    logic->changed |= inner.changed;
    const char *after = g_match_info_get_string(match) + end;
    g_autofree char *near = g_utf8_substring(after, 0, MIN(200, g_utf8_strlen(after, -1)));
    g_auto(GStrv) rows = tg_rule_pieces("row end", body->str, "trimmed");
    if (g_str_has_prefix(whole, "\\begin{cases}") && g_strv_length(rows) >= 2 &&
        count_cells(rows, FALSE) == 0 &&
        (tg_rule_count("logic", body->str) || tg_rule_count("logic", near) ||
         tg_rule_count("next environment", near))) {
        tg_rule_apply("trimmed", body);
        g_string_append_printf(out, "\\left\\{ \\begin{array}{l} %s \\end{array} \\right.",
                               body->str);
        logic->changed = TRUE;
    } else {
        g_string_append_printf(out, "%.*s%s%s", body_start - start, whole, body->str,
                               whole + (body_end - start));
    }
    return FALSE;
}

gboolean tg_page_logic_form(GString *text)
{
    Logic logic = { 0 };

    if (strstr(text->str, "\\begin{cases}") != NULL)
        tg_rule_replace("environment", text, rewrite_environment, &logic);
    return logic.changed;
}

/* ---- LaTeX as characters ---- */

/* Whether a text stays as it is. */
static gboolean stays_latex(const char *text)
{
    return tg_rule_count("stays latex", text) > 0 || tg_rule_count("dollar", text) % 2 != 0 ||
           tg_rule_count("opens 0", text) != tg_rule_count("closes 0", text) ||
           tg_rule_count("opens 1", text) != tg_rule_count("closes 1", text) ||
           tg_rule_count("opens 2", text) != tg_rule_count("closes 2", text);
}

#define MAX_GROUPS 200 /* inside groups */
#define MAX_GROWTH 8   /* bytes out for each byte in: accents on accents double */

typedef struct {
    const char *at;
    guint depth;
    gsize left;      /* steps, and bytes of a group */
    gboolean failed; /* nothing is converted */
} Reader;

static void read_latex(Reader *reader, GString *out, char closing);

static const char *skip_blanks(const char *at)
{
    while (*at != '\0' && tg_is_space(g_utf8_get_char(at)))
        at = g_utf8_next_char(at);
    return at;
}

/* The row of the command at @reader, or NULL, which moves past its name and, after a word, past
 * blanks. */
static const TgLatexText *read_name(Reader *reader)
{
    const char *start = ++reader->at, *end = start;

    while (g_unichar_isalpha(g_utf8_get_char(end)))
        end = g_utf8_next_char(end);
    reader->at = end > start ? skip_blanks(end) : *end != '\0' ? g_utf8_next_char(end) : end;
    g_autofree char *name = g_strndup(start, (gsize) ((end > start ? end : reader->at) - start));
    return bsearch(name, tg_latex_texts, tg_n_latex_texts, sizeof *tg_latex_texts, compare_names);
}

static void read_character(Reader *reader, GString *out)
{
    for (const TgRule *rule = find_rules("ligatures"); rule->kind != TG_RULE_END; rule++)
        if (g_str_has_prefix(reader->at, rule->what)) {
            g_string_append(out, rule->with);
            reader->at += strlen(rule->what);
            return;
        }
    g_string_append_unichar(out, g_utf8_get_char(reader->at));
    reader->at = g_utf8_next_char(reader->at);
}

/* The output of a command, given its arguments; NULL: it was read without any. */
static void write_command(Reader *reader, const TgLatexText *row, char **arguments, GString *out)
{
    const char *output = arguments != NULL ? row->output : row->bare;

    reader->failed |= output == NULL;
    if (arguments == NULL || row->kind == TG_LATEX_TEXT) {
        for (; output != NULL && *output != '\0'; output++)
            if (*output < 1 || *output > TG_LATEX_MAX_ARGUMENTS)
                g_string_append_c(out, *output);
            else
                g_string_append(out, arguments[*output - 1]);
    } else {
        g_autoptr(GString) changed = tg_rule_made(output, arguments[0]);
        g_autofree char *composed = row->kind == TG_LATEX_ACCENT
                                        ? g_utf8_normalize(changed->str, -1, G_NORMALIZE_NFC)
                                        : NULL;
        g_string_append(out, composed != NULL ? composed : changed->str);
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
        const TgLatexText *row = read_name(reader);
        if (row != NULL)
            write_command(reader, row, NULL, out);
    } else if (*at != '}') {
        read_character(reader, out);
    }
    return g_string_free(g_steal_pointer(&out), FALSE);
}

static void read_command(Reader *reader, GString *out)
{
    const TgLatexText *row = read_name(reader);
    const guint n = row != NULL ? (guint) strlen(row->arguments) : 0;
    const char *after = reader->at;
    g_auto(GStrv) arguments = g_new0(char *, n + 1);
    guint i = 0;

    while (i < n && (arguments[i] = read_argument(reader, row->arguments[i])) != NULL)
        i++;
    reader->at = i < n ? after : reader->at;
    if (row != NULL && !reader->failed)
        write_command(reader, row, i < n ? NULL : arguments, out);
}

/* Convert until @closing, which is read, or the end. */
static void read_latex(Reader *reader, GString *out, char closing)
{
    reader->failed |= ++reader->depth > MAX_GROUPS;
    while (*reader->at != '\0' && !reader->failed) {
        const char c = *reader->at;
        reader->failed |= out->len >= reader->left--;
        if (c == '\\')
            read_command(reader, out);
        else if (c != closing && strchr("{%$}", c) == NULL)
            read_character(reader, out);
        else
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

    tg_rule_apply("trimmed", text);
    if (stays_latex(text->str))
        return;
    Reader reader = { .at = text->str, .left = MAX_GROWTH * text->len };
    read_latex(&reader, out, '\0');
    if (!reader.failed)
        g_string_assign(text, out->str);
}
