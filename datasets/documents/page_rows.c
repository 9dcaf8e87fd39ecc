/* Formulas of several rows: decides whether an environment is one formula or one in each row, and
 * joins rows again. Each decision is a condition with a name; the original's tests differ for case
 * distinctions, aligned equations and arrays. */
#include "datasets/documents/document.h"

#include <string.h>

#include "tokenizer/macros/lexer.h"

/* Longer formulas, in code points, are not split. */
#define MAX_FORMULA 100000

/* The maximum depth of environments for the logic form; deeper ones are not read. */
#define MAX_DEPTH 80u

/* The number of code points after a case distinction that are searched for logic. */
#define CONTEXT 200

/* Copy @n bytes. (transfer full) */
static char *copy_part(const char *from, const char *end)
{
    return g_strndup(from, (gsize) (end - from));
}

/* The end of `\begin{...}` or `\end{...}` at a place, or NULL. @begins: (out) */
static const char *environment_mark_end(const char *at, gboolean *begins)
{
    *begins = g_str_has_prefix(at, "\\begin{");
    if (!*begins && !g_str_has_prefix(at, "\\end{"))
        return NULL;
    const char *close = strchr(at, '}');
    return close != NULL ? close + 1 : NULL;
}

/* ---- rows and cells ---- */

static void add_part(GPtrArray *parts, const char *from, const char *end, gboolean keep_empty)
{
    g_autoptr(GString) part = tg_text_trimmed(from, end);

    if (part->len > 0 || keep_empty)
        g_ptr_array_add(parts, g_strdup(part->str));
}

/* Cut a formula at each `\\` outside braces and environments, and drop empty rows; or with
 * @at_cells a row at each `&` outside environments, even in braces. (transfer full) */
static GPtrArray *split_formula(const char *body, gboolean at_cells)
{
    GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
    const char *from = body, *next;
    guint n_braces = 0, n_environments = 0;
    gboolean begins;

    for (const char *at = body; *at != '\0'; at = next) {
        if ((next = environment_mark_end(at, &begins)) != NULL) {
            n_environments = begins ? n_environments + 1 : n_environments - (n_environments > 0);
            continue;
        }
        next = at + 1;
        if (at_cells) {
            if (*at == '&' && n_environments == 0 && !tg_is_escaped(body, at)) {
                add_part(parts, from, at, TRUE);
                from = next;
            }
        } else if (at[0] == '\\' && at[1] == '\\' && n_braces == 0 && n_environments == 0) {
            add_part(parts, from, at, FALSE);
            next = tg_skip_blanks(at + 2);
            next += *next == '*';
            const char *close = *next == '[' ? strchr(next, ']') : NULL; /* of `\\[2pt]` */
            next = from = close != NULL ? close + 1 : next;
        } else if (*at == '{' && !tg_is_escaped(body, at)) {
            n_braces++;
        } else if (*at == '}' && !tg_is_escaped(body, at)) {
            n_braces -= n_braces > 0;
        }
    }
    add_part(parts, from, from + strlen(from), at_cells);
    return parts;
}

static gboolean has_cells(const char *row)
{
    g_autoptr(GPtrArray) cells = split_formula(row, TRUE);

    return cells->len > 1;
}

/* ---- conditions ---- */

/* Whether a text has `\Rightarrow` or the like, or 单调 (monotone), 否定 (negation). */
static gboolean has_logic(const char *text)
{
    const TgWordList logic = TG_WORDS_LOGIC;

    for (const char *at = strchr(text, '\\'); at != NULL; at = strchr(at + 1, '\\'))
        for (const TgWord *word = tg_words(logic); word->list == logic; word++) {
            const char *next = at + 1 + strlen(word->word);
            if (g_str_has_prefix(at + 1, word->word) && *next != '_' &&
                !g_unichar_isalnum(g_utf8_get_char(next)))
                return TRUE;
        }
    return strstr(text, "单调") != NULL || strstr(text, "否定") != NULL;
}

/* The environment of rows that a text begins with, its name followed by `}`; or NULL. */
static const TgWord *environment_named(const char *name)
{
    const gsize n = strspn(name, "abcdefghijklmnopqrstuvwxyz*");

    return name[n] == '}' ? tg_word_named(TG_WORDS_ENVIRONMENTS, name, n) : NULL;
}

/* Whether an environment of rows begins somewhere in a body. The original program does not look for
 * `gather`. */
static gboolean has_environment(const char *body)
{
    static const char begin[] = "\\begin{";

    for (const char *at = strstr(body, begin); at != NULL; at = strstr(at + 1, begin)) {
        const TgWord *environment = environment_named(at + strlen(begin));
        if (environment != NULL && strcmp(environment->word, "gather") != 0 &&
            strcmp(environment->word, "gather*") != 0)
            return TRUE;
    }
    return FALSE;
}

/* Whether a row begins as a case does: `(1)`, `2`, `\Rightarrow`, `\leftarrow`. */
static gboolean begins_as_case(const char *row)
{
    for (row = tg_skip_blanks(row); *row == '&';) /* marks of columns */
        row = tg_skip_blanks(row + 1);
    g_autoptr(GString) lead = g_string_new(row);
    tg_text_untag(lead);
    tg_text_trim(lead);
    return tg_is_digit_at(lead->str + (lead->str[0] == '(')) ||
           tg_word_at(TG_WORDS_CASE, lead->str) != NULL;
}

/* Whether a row has words: `\text{if}`, `\operatorname{...}`. */
static gboolean has_words(const char *row)
{
    static const char *const commands[] = { "\\text", "\\mathrm", "\\operatorname" };

    for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
        for (const char *at = strstr(row, commands[i]); at != NULL;
             at = strstr(at + 1, commands[i]))
            if (*tg_skip_blanks(at + strlen(commands[i])) == '{')
                return TRUE;
    return FALSE;
}

/* Whether a row is an equation of its own: `a &= b`, not `&= b`. */
static gboolean has_left_side(const char *row)
{
    g_autoptr(GPtrArray) cells = split_formula(row, TRUE);
    g_autoptr(GString) first = g_string_new(cells->pdata[0]);

    tg_text_untag(first);
    return cells->len > 1 && *tg_skip_blanks(first->str) != '\0';
}

/* The number of consecutive rows from @first on for which @is_like holds. */
static guint count_rows(const GPtrArray *rows, guint first, gboolean (*is_like)(const char *row))
{
    guint n = 0;

    for (guint i = first; i < rows->len; i++)
        n += is_like(rows->pdata[i]);
    return n;
}

/* Whether rows of `cases` are formulas of their own: two or more, none with several cells, and
 * logic among them. */
static gboolean cases_split(const char *body, const GPtrArray *rows)
{
    if (rows->len < 2 || count_rows(rows, 0, has_cells) > 0 || !has_logic(body))
        return FALSE;
    return has_environment(body) || count_rows(rows, 0, has_logic) > 0 ||
           count_rows(rows, 1, has_words) > 0;
}

/* Whether aligned equations are one formula: there is an environment inside and a later row begins
 * as a case does; or the rows stand between `\left\{` and `\right.` and are alternatives. */
static gboolean aligned_stays(const char *body, const GPtrArray *rows, gboolean is_in_brace)
{
    const gboolean nested = has_environment(body);

    if (nested && count_rows(rows, 1, begins_as_case) > 0)
        return TRUE;
    return is_in_brace &&
           (nested || count_rows(rows, 0, has_left_side) >= 2 ||
            count_rows(rows, 1, has_words) > 0 || count_rows(rows, 1, begins_as_case) > 0);
}

/* Whether the rows of an array are one formula. They are formulas of their own if it has one
 * column, or two that are not both centered: `{l}`, `{r|l}`, not `{cc}`; but see aligned_stays().
 */
static gboolean array_stays(const char *specification, const char *body, const GPtrArray *rows,
                            gboolean is_in_brace)
{
    g_autoptr(GString) columns = g_string_new(specification);

    tg_text_fold(columns, "");
    tg_text_replace(columns, "|", "");
    tg_text_replace_enclosed(columns, "@{", "}", FALSE, NULL);
    tg_text_replace_enclosed(columns, "!{", "}", FALSE, NULL);
    if (columns->len == 0 || columns->len > 2 ||
        columns->str[strspn(columns->str, "lcr")] != '\0' || strcmp(columns->str, "cc") == 0)
        return TRUE;
    if (has_environment(body) && count_rows(rows, 1, begins_as_case) > 0)
        return TRUE;
    return is_in_brace && columns->str[strspn(columns->str, "l")] == '\0' && rows->len > 1;
}

/* ---- labels behind an environment ---- */

/* Cut the first `\tag{...}` or `\tag*{...}` if it reaches to the end of the text. */
static gboolean cut_last_tag(GString *text)
{
    static const char tag[] = "\\tag";

    for (const char *at = strstr(text->str, tag); at != NULL; at = strstr(at + 1, tag)) {
        const char *after = at + strlen(tag);
        const char *close = tg_flat_group(tg_skip_blanks(after + (*after == '*')));
        if (close == NULL)
            continue;
        if (close[1] == '\0')
            g_string_truncate(text, (gsize) (at - text->str));
        return close[1] == '\0';
    }
    return FALSE;
}

/* Whether a label may follow this text: it is empty or ends in white space, or its last ten
 * characters have a spacing. */
static gboolean may_precede_label(const char *start, const char *end)
{
    const char *from = end;

    if (end == start || tg_is_blank_at(g_utf8_prev_char(end)))
        return TRUE;
    for (guint i = 0; i < 10 && from > start; i++)
        from = g_utf8_prev_char(from);
    g_autofree char *last = copy_part(from, end);
    return tg_word_in(TG_WORDS_LABEL_SPACES, last) != NULL;
}

/* Whether a text is a label: `3a`, `2.1`, `\theequation`; not `n`, `max`. */
static gboolean is_label(const char *text)
{
    const gsize n = strlen(text), n_small = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    const char *at = text;

    if (n == 0 || (n <= 3 && n_small == n))
        return FALSE;
    if (text[strspn(text, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS ".-#")] == '\0')
        return TRUE;
    while (*at == '\\' && (g_ascii_isalpha(at[1]) || at[1] == '#'))
        at += 1 + strspn(at + 1, G_CSET_a_2_z G_CSET_A_2_Z "#");
    return *at == '\0';
}

/* Cut `(3a)` or `[2.1]` at the end if the content is a label. */
static gboolean cut_last_label(GString *text)
{
    const char last = text->len > 0 ? text->str[text->len - 1] : '\0';
    const char *open = last == ')'   ? strrchr(text->str, '(')
                       : last == ']' ? strrchr(text->str, '[')
                                     : NULL;

    if (open == NULL)
        return FALSE;
    g_autoptr(GString) label = tg_text_trimmed(open + 1, text->str + text->len - 1);
    if (!is_label(label->str) || !may_precede_label(text->str, open))
        return FALSE;
    g_string_truncate(text, (gsize) (open - text->str));
    return TRUE;
}

/* The end of `\label{...}`. */
static const char *label_end(const char *after, GString *out, gpointer unused)
{
    const char *close = tg_flat_group(tg_skip_blanks(after));

    (void) out;
    (void) unused;
    return close != NULL ? close + 1 : NULL;
}

/* Cut labels and tags off the end of the text that follows an environment. */
static void cut_labels(GString *text)
{
    tg_text_replace_command(text, "\\label", label_end, NULL);
    do {
        g_string_truncate(
            text, (gsize) (tg_skip_blanks_back(text->str, text->str + text->len) - text->str));
        if (text->len == 0)
            return;
        if (!cut_last_tag(text) && !cut_last_label(text))
            return;
        tg_text_cut_spaces(text, TG_WORDS_LABEL_SPACES);
    } while (text->len > 0);
}

/* ---- rows of a formula ---- */

/* An environment of rows. */
typedef struct {
    const TgWord *name;
    const char *groups, *body, *end; /* `{ll}` behind the name; the content; its `\end` */
} Environment;

/* Read the environment of rows that begins at a place. @env: (out) its `end` is NULL where the
 * environment is not closed */
static gboolean read_environment(const char *at, Environment *env)
{
    static const char begin[] = "\\begin{";
    guint depth = 1;

    env->name = g_str_has_prefix(at, begin) ? environment_named(at + strlen(begin)) : NULL;
    if (env->name == NULL)
        return FALSE;
    g_autofree char *opens = g_strdup_printf("\\begin{%s}", env->name->word);
    g_autofree char *closes = g_strdup_printf("\\end{%s}", env->name->word);
    TgSearch next_open = { .word = opens }, next_close = { .word = closes };
    env->groups = at + strlen(opens);
    env->body = tg_skip_blanks(env->groups);
    env->end = NULL;
    /* The original swallows groups even where they are content. */
    for (const char *close; (close = tg_flat_group(env->body)) != NULL;)
        env->body = tg_skip_blanks(close + 1);
    for (const char *from = env->body; env->end == NULL;) {
        const char *open = tg_search(&next_open, from), *close = tg_search(&next_close, from);
        if (close == NULL)
            break;
        if (open != NULL && open < close) {
            depth++;
            from = open + strlen(opens);
        } else if (--depth > 0) {
            from = close + strlen(closes);
        } else {
            env->end = close;
        }
    }
    return TRUE;
}

/* Cut `\left\{` or `\left.` from the start and `\right.` or `\right\}` from the end. Returns
 * whether one of them was cut. */
static gboolean cut_outer_brace(GString *text)
{
    static const char left[] = "\\left", *const ends[] = { "\\right.", "\\right\\}" };
    const char *after = g_str_has_prefix(text->str, left) ? text->str + strlen(left) : "";
    const char *brace = tg_skip_blanks(after);
    gboolean found = *after == '.' || g_str_has_prefix(brace, "\\{");

    if (found)
        g_string_erase(text, 0, (*after == '.' ? after + 1 : brace + 2) - text->str);
    tg_text_trim(text);
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++)
        if (g_str_has_suffix(text->str, ends[i])) {
            found = TRUE;
            g_string_truncate(text, text->len - strlen(ends[i]));
            break;
        }
    tg_text_trim(text);
    return found;
}

/* If a formula is an environment whose rows are formulas of their own: the body of the environment,
 * and in @suffix the text behind it; else NULL. (transfer full) */
static char *body_of_rows(const char *formula, GString *suffix)
{
    g_autoptr(GString) text = g_string_new(formula);
    const gboolean is_in_brace = cut_outer_brace(text);
    Environment env;

    if (!read_environment(text->str, &env) || env.end == NULL)
        return NULL;
    g_autofree char *body = copy_part(env.body, env.end);
    g_autoptr(GPtrArray) rows = split_formula(body, FALSE);
    const char *name = env.name->word;
    if (strcmp(name, "cases") == 0 && !cases_split(body, rows))
        return NULL;
    if (g_str_has_prefix(name, "align") && aligned_stays(body, rows, is_in_brace))
        return NULL;
    if (strcmp(name, "array") == 0) {
        const char *group = tg_skip_blanks(env.groups);
        g_autofree char *columns =
            copy_part(group + (group < env.body), group + strcspn(group, "}"));
        if (group >= env.body || array_stays(columns, body, rows, is_in_brace))
            return NULL;
    }
    g_string_assign(suffix, env.end + strlen("\\end{}") + strlen(name));
    cut_labels(suffix);
    g_autoptr(GPtrArray) suffix_rows = split_formula(suffix->str, FALSE);
    return suffix_rows->len < 2 ? g_steal_pointer(&body) : NULL;
}

char **tg_formula_rows(const char *formula)
{
    g_autoptr(GString) bare = g_string_new(formula), suffix = g_string_new(NULL);
    g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(g_free);

    if (tg_text_is_longer(formula, MAX_FORMULA))
        return NULL;
    tg_text_bare(bare);
    g_autofree char *body = body_of_rows(bare->str, suffix);
    g_autoptr(GPtrArray) rows = split_formula(body != NULL ? body : bare->str, FALSE);
    for (guint i = 0; i < rows->len; i++) {
        g_autoptr(GString) row = g_string_new(rows->pdata[i]);
        tg_text_untag(row);
        tg_text_trim(row);
        if (row->len > 0)
            g_ptr_array_add(out, g_strdup(row->str));
    }
    if (out->len < 2)
        return NULL;
    tg_text_untag(suffix);
    tg_text_trim(suffix);
    if (body != NULL && suffix->len > 0) {
        g_autofree char *last = g_ptr_array_steal_index(out, out->len - 1);
        g_ptr_array_add(out, g_strconcat(last, " ", suffix->str, NULL));
    }
    g_ptr_array_add(out, NULL);
    return (char **) g_ptr_array_free(g_steal_pointer(&out), FALSE);
}

char *tg_formula_of_rows(const char *const *rows, guint n)
{
    g_autoptr(GString) out = g_string_new(NULL);
    guint n_rows = 0;

    for (guint i = 0; i < n; i++) {
        g_autoptr(GString) row = g_string_new(rows[i]);
        tg_text_bare(row);
        if (row->len > 0)
            g_string_append_printf(out, "%s%s", n_rows++ > 0 ? "} \\\\ {" : "", row->str);
    }
    return n_rows < 2 ? g_strdup(out->str)
                      : g_strdup_printf("\\begin{array}{l} {%s} \\end{array}", out->str);
}

/* ---- logic ---- */

/* Whether a case distinction becomes an array: it has two or more rows, none with several cells,
 * and logic in it or right behind it, or another environment behind it. */
static gboolean cases_are_logic(const char *body, const char *behind)
{
    g_autoptr(GPtrArray) rows = split_formula(body, FALSE);
    glong n = 0;
    const char *end = behind;
    Environment env;

    if (rows->len < 2 || count_rows(rows, 0, has_cells) > 0)
        return FALSE;
    for (; n < CONTEXT && *end != '\0'; n++)
        end = g_utf8_next_char(end);
    g_autofree char *context = copy_part(behind, end);
    return has_logic(body) || has_logic(context) || read_environment(tg_skip_blanks(context), &env);
}

/* Append a formula in which case distinctions with logic are arrays. */
static void append_logic_form(GString *out, const char *formula, guint depth)
{
    static const char begin[] = "\\begin{";
    const char *from = formula;
    Environment env;

    for (const char *at = formula; (at = strstr(at, begin)) != NULL;) {
        if (!read_environment(at, &env)) {
            at += strlen(begin);
            continue;
        }
        if (env.end == NULL)
            break;
        g_autofree char *inner = copy_part(env.body, env.end);
        g_autoptr(GString) body = g_string_new(NULL);
        const char *behind = env.end + strlen("\\end{}") + strlen(env.name->word);
        if (depth < MAX_DEPTH)
            append_logic_form(body, inner, depth + 1);
        else
            g_string_assign(body, inner);
        const gboolean is_logic =
            strcmp(env.name->word, "cases") == 0 && cases_are_logic(body->str, behind);
        g_string_append_len(out, from, (is_logic ? at : env.body) - from);
        if (is_logic) {
            tg_text_trim(body);
            g_string_append_printf(out, "\\left\\{ \\begin{array}{l} %s \\end{array} \\right.",
                                   body->str);
        } else {
            g_string_append(out, body->str);
            g_string_append_len(out, env.end, behind - env.end);
        }
        from = at = behind;
    }
    g_string_append(out, from);
}

gboolean tg_formula_logic_form(GString *formula)
{
    g_autoptr(GString) out = g_string_new(NULL);

    if (strstr(formula->str, "\\begin{cases}") == NULL)
        return FALSE;
    append_logic_form(out, formula->str, 0);
    const gboolean changed = strcmp(out->str, formula->str) != 0;
    g_string_assign(formula, out->str);
    return changed;
}
