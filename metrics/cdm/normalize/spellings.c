/* Cleaning of the strings of a pair by dialect: OmniDocBench takes off delimiters, fences and tags,
 * and respells matrices. */
#include "metrics/cdm/normalize/normalize.h"

#include <string.h>

#include "tokenizer/macros/lexer.h"

/* ---- Delimiters, fences and tags, in the official program's order ---------------------------- */

static gboolean delete_pair(TgCdmText *text, const char *open, const char *close)
{
    const gsize length = text->string->len, a = strlen(open), b = strlen(close);

    if (length < a + b || !g_str_has_prefix(text->string->str, open) ||
        !g_str_has_suffix(text->string->str, close))
        return FALSE;
    tg_cdm_text_keep(text, a, length - b);
    tg_cdm_text_strip(text);
    return TRUE;
}

static void delete_fence(TgCdmText *text)
{
    static const char fence[] = "```latex";
    const char *string = text->string->str, *open = g_strrstr(string, fence);
    const char *start = open != NULL ? open + strlen(fence) : string;
    const char *end = strstr(start, "```");

    tg_cdm_text_keep(text, (gsize) (start - string),
                     end != NULL ? (gsize) (end - string) : text->string->len);
}

/* Take off those of @characters that stand at the ends. */
static void trim_characters(TgCdmText *text, const char *characters)
{
    const char *string = text->string->str;
    const gsize start = strspn(string, characters);
    gsize end = text->string->len;

    while (end > start && strchr(characters, string[end - 1]) != NULL)
        end--;
    tg_cdm_text_keep(text, start, end);
}

static void delete_tags(TgCdmText *text)
{
    const char *string = text->string->str, *rest = string;
    const char *found = strstr(string, "\\tag");
    gboolean never_closed = FALSE;

    if (found != NULL) {
        g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);
        for (; found != NULL; found = strstr(MAX(found + 1, rest), "\\tag")) {
            const char *end = tg_source_command_end(found, "\\tag", &never_closed);

            if (end == found)
                continue;
            tg_cdm_text_copy(out, text, (gsize) (rest - string), (gsize) (found - string));
            rest = end;
        }
        tg_cdm_text_copy(out, text, (gsize) (rest - string), text->string->len);
        tg_cdm_text_swap(text, out);
    }
    tg_cdm_text_replace(text, "\\notag", "", 0);
    tg_cdm_text_replace(text, "\\nonumber", "", 0);
}

static void delete_wrappers(TgCdmText *text)
{
    tg_cdm_text_strip(text);
    for (guint i = 0; i < 2; i++) {
        trim_characters(text, "$");
        tg_cdm_text_strip(text);
    }
    delete_pair(text, "\\[", "\\]");
    delete_pair(text, "\\(", "\\)");
    delete_tags(text);
    tg_cdm_text_strip(text);
}

/* ---- Cutting the bodies of arrays outside of braces and inner environments ------------------- */

/* ---- braces around ---- */

/* Whether a group is all that stands there, counting all braces. */
static gboolean is_one_group(const char *string, TgCdmRange at)
{
    gint depth = 0;

    if (at.end < at.start + 2 || string[at.start] != '{' || string[at.end - 1] != '}')
        return FALSE;
    for (gsize i = at.start; i < at.end; i++) {
        depth += (string[i] == '{') - (string[i] == '}');
        if (depth == 0)
            return i + 1 == at.end;
    }
    return FALSE;
}

/* Braces are counted anew for every pair, so their number is bounded. */
static TgCdmRange strip_groups(const char *string, TgCdmRange at)
{
    enum { MAX_GROUPS = 300 };

    at = tg_cdm_strip(string, at);
    for (guint i = 0; i < MAX_GROUPS && is_one_group(string, at); i++) {
        const TgCdmRange inside = tg_cdm_strip(string, (TgCdmRange){ at.start + 1, at.end - 1 });

        if (inside.start == inside.end)
            break;
        at = inside;
    }
    return at;
}

/* ---- cutting ---- */

/* The parts of @whole between @marks, `\\` or `&`, outside of braces and environments. An empty one
 * at the end is not counted where @drop_last says so. (transfer full) */
static GArray *cut_stretch(const char *string, TgCdmRange whole, const char *mark,
                           gboolean drop_last)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(TgCdmRange));
    TgCdmRange part = { whole.start, whole.start };
    gint depth = 0;

    for (guint32 i = whole.start; i < whole.end;) {
        const char *p = string + i;

        if (depth <= 0 && g_str_has_prefix(p, mark) && i + strlen(mark) <= whole.end) {
            part.end = i;
            g_array_append_val(parts, part);
            i += (guint32) strlen(mark);
            part.start = i;
            continue;
        }
        if (*p == '{' || g_str_has_prefix(p, "\\begin{"))
            depth++;
        else if (*p == '}' || g_str_has_prefix(p, "\\end{"))
            depth--;
        i += *p == '\\' && i + 1 < whole.end && p[1] == '\\' ? 2 : 1;
    }
    part.end = whole.end;
    const TgCdmRange last = tg_cdm_strip(string, part);
    if (!drop_last || parts->len == 0 || last.start < last.end)
        g_array_append_val(parts, part);
    return parts;
}

/* ---- matrices ---- */

static void copy_body(TgCdmText *out, const TgCdmText *text, TgCdmRange body)
{
    const char *string = text->string->str;
    g_autoptr(GArray) rows = cut_stretch(string, body, "\\\\", TRUE);

    for (guint i = 0; i < rows->len; i++) {
        g_autoptr(GArray) cells =
            cut_stretch(string, g_array_index(rows, TgCdmRange, i), "&", TRUE);

        if (i > 0)
            tg_cdm_text_append(out, "\\\\", tg_cdm_no_origin);
        for (guint k = 0; k < cells->len; k++) {
            const TgCdmRange cell = strip_groups(string, g_array_index(cells, TgCdmRange, k));

            if (k > 0)
                tg_cdm_text_append(out, "&", tg_cdm_no_origin);
            tg_cdm_text_copy(out, text, cell.start, cell.end);
        }
    }
}

/* Tidy the text between each @open, with its preamble, and the next @close, whether or not the two
 * belong together. */
static void tidy_environment(TgCdmText *text, const char *open, const char *close,
                             gboolean has_preamble)
{
    const char *string = text->string->str, *rest = string, *found;
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);

    while ((found = strstr(rest, open)) != NULL) {
        const char *body = found + strlen(open);
        const char *preamble_end = has_preamble && *body == '{' ? strchr(body, '}') : NULL;

        if (preamble_end != NULL)
            body = preamble_end + 1;
        const char *end = strstr(body, close);
        if (end == NULL)
            break;
        if (has_preamble && preamble_end == NULL)
            end = body;
        tg_cdm_text_copy(out, text, (gsize) (rest - string), (gsize) (body - string));
        if (end > body)
            copy_body(out, text,
                      (TgCdmRange){ (guint32) (body - string), (guint32) (end - string) });
        rest = end;
    }
    tg_cdm_text_copy(out, text, (gsize) (rest - string), text->string->len);
    tg_cdm_text_swap(text, out);
}

/* ---- textual rules ---- */

#define MATRICES "(?:[bpvV]?matrix|smallmatrix)"

static const char empty_preamble[] = "(\\\\begin\\{array\\})\\s*\\{\\s*\\}";
static const char double_subscript[] = "_\\{_\\{([^{}]+)\\}\\}";
static const char font[] =
    "\\\\(?:boldsymbol|mathbf|mathrm|mathit|mathsf|mathtt|textbf)\\s*\\{([^{}]+)\\}";
static const char determinant[] = "\\\\operatorname\\s*\\{\\s*(det)\\s*\\}";
static const char row_end_at_start[] = "(\\\\begin\\{" MATRICES "\\})\\\\\\\\";
static const char row_end_at_end[] = "\\\\\\\\\\s*(\\\\end\\{" MATRICES "\\})";
static const char aligned_around[] = "^\\\\begin\\{(aligned\\*?)\\}\\s*&?\\s*"
                                     "(\\\\begin\\{(" MATRICES ")\\}.*?\\\\end\\{\\3\\})"
                                     "\\s*(?:\\\\\\\\)?\\s*\\\\end\\{\\1\\}$";
static const char column[] =
    "^\\s*\\\\begin\\{array\\}\\s*\\{\\s*l\\s*\\}(.*)\\\\end\\{array\\}\\s*$";

/* ---- columns ---- */

/* Skip what may follow `\\`: blanks, one star, and directly after the star a length in brackets. */
static guint32 skip_gap(const char *string, TgCdmRange row)
{
    guint32 at = tg_cdm_strip(string, row).start;

    if (at < row.end && string[at] == '*')
        at++;
    if (at < row.end && string[at] == '[') {
        const char *end = memchr(string + at, ']', row.end - at);
        if (end != NULL)
            at = (guint32) (end - string) + 1;
    }
    return at;
}

/* ---- The spellings of a pair: matrices that a model wrote another way ------------------------ */

/* Whether a formula has a matrix, or an array that may be one. */
static gboolean has_hint(const TgCdmText *text)
{
    const char *string = text->string->str;

    if (g_regex_match(tg_cdm_regex("\\\\begin\\{" MATRICES "\\}"), string, 0, NULL))
        return TRUE;
    return strstr(string, "\\begin{array}") != NULL &&
           (strstr(string, "\\left[") != NULL || strstr(string, "\\right]") != NULL ||
            strchr(string, '&') != NULL);
}

/* One pass of respelling. */
static void respell_formula(TgCdmText *text)
{
    const TgCdmRange inside =
        strip_groups(text->string->str, (TgCdmRange){ 0, (guint32) text->string->len });

    tg_cdm_text_keep(text, inside.start, inside.end);
    tg_cdm_text_replace_around(text, tg_cdm_regex(empty_preamble), 1, "", "{l}");
    tg_cdm_text_replace(text, "\\dfrac", "\\frac", 0);
    tg_cdm_text_replace_around(text, tg_cdm_regex(double_subscript), 1, "_{", "}");
    while (tg_cdm_text_replace_around(text, tg_cdm_regex(font), 1, "", "") |
           tg_cdm_text_replace_around(text, tg_cdm_regex(determinant), 1, "\\", ""))
        continue;
    static const char *const names[] = { "array",   "matrix",  "bmatrix",    "pmatrix",
                                         "vmatrix", "Vmatrix", "smallmatrix" };

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *open = g_strdup_printf("\\begin{%s}", names[i]);
        g_autofree char *close = g_strdup_printf("\\end{%s}", names[i]);

        if (strstr(text->string->str, open) != NULL)
            tidy_environment(text, open, close, i == 0);
    }
    tg_cdm_text_replace_around(text, tg_cdm_regex(row_end_at_start), 1, "", " ");
    tg_cdm_text_replace_around(text, tg_cdm_regex(row_end_at_end), 1, " ", "");
    tg_cdm_text_replace_around(text, tg_cdm_regex(aligned_around), 2, "", "");
    tg_cdm_text_strip(text);
}

/* Put the rows of an array of one column on one line, if the array is all of @text and one of the
 * rows is a matrix. */
static void join_rows(TgCdmText *text)
{
    const char *string = text->string->str;
    g_autoptr(GMatchInfo) info = NULL;
    guint n_rows = 0;
    gboolean any = FALSE;
    gint start, end;

    if (!g_regex_match(tg_cdm_regex(column), string, 0, &info))
        return;
    g_match_info_fetch_pos(info, 1, &start, &end);
    g_autoptr(GArray) rows =
        cut_stretch(string, (TgCdmRange){ (guint32) start, (guint32) end }, "\\\\", FALSE);
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);
    for (guint i = 0; i < rows->len; i++) {
        TgCdmRange at = g_array_index(rows, TgCdmRange, i);

        if (i > 0)
            at.start = skip_gap(string, at);
        at = tg_cdm_strip(string, at);
        if (at.start == at.end)
            continue;
        g_autoptr(TgCdmText) row = tg_cdm_text_new_like(text);
        tg_cdm_text_copy(row, text, at.start, at.end);
        respell_formula(row);
        any |= has_hint(row);
        if (n_rows++ > 0)
            tg_cdm_text_append(out, " \\qquad ", tg_cdm_no_origin);
        tg_cdm_text_copy(out, row, 0, row->string->len);
    }
    if (any)
        tg_cdm_text_swap(text, out);
}

/* The formula without delimiters and tags. */
static TgCdmText *bare_formula(const TgCdmText *text)
{
    TgCdmText *copy = tg_cdm_text_new_like(text);

    tg_cdm_text_copy(copy, text, 0, text->string->len);
    tg_cdm_text_strip(copy);
    while (delete_pair(copy, "$$", "$$") || delete_pair(copy, "\\[", "\\]") ||
           delete_pair(copy, "\\(", "\\)") || delete_pair(copy, "$", "$"))
        continue;
    delete_tags(copy);
    return copy;
}

/* The formula respelled, if it or @context has a matrix. */
static TgCdmText *respelled_formula(const TgCdmText *text, const TgCdmText *context)
{
    g_autoptr(TgCdmText) formula = bare_formula(text), around = bare_formula(context);

    if (has_hint(formula) || has_hint(around)) {
        respell_formula(formula);
        join_rows(formula);
        respell_formula(formula);
    }
    return g_steal_pointer(&formula);
}

/* Take the tags off the reference, and find another spelling of the prediction where one of the two
 * has a matrix. An empty spelling counts as none. */
static void respell_pair(TgCdmSpellings *out)
{
    g_autoptr(TgCdmText) ref = bare_formula(out->ref), hyp = bare_formula(out->hyp);

    if (has_hint(ref) || has_hint(hyp)) {
        g_autoptr(TgCdmText) gt_respelled = respelled_formula(ref, ref);
        g_autoptr(TgCdmText) other =
            respelled_formula(hyp, gt_respelled->string->len > 0 ? gt_respelled : ref);

        if (g_regex_match(tg_cdm_regex(empty_preamble), ref->string->str, 0, NULL))
            tg_cdm_text_swap(ref, gt_respelled);
        if (other->string->len > 0 && strcmp(other->string->str, hyp->string->str) != 0)
            out->alternative = g_steal_pointer(&other);
    }
    if (ref->string->len > 0)
        tg_cdm_text_swap(out->ref, ref);
}

void tg_cdm_spellings_find(const TgCdmDialect *dialect, const char *ref, const char *hyp,
                           TgCdmSpellings *out)
{
    *out = (TgCdmSpellings){ .ref = tg_cdm_text_new(ref, TRUE), .hyp = tg_cdm_text_new(hyp, TRUE) };
    if (dialect->cleaning == TG_CDM_CLEAN_NOTHING)
        return;
    if (dialect->cleaning == TG_CDM_CLEAN_DOLLARS) {
        delete_fence(out->hyp);
        trim_characters(out->ref, "$ \t\n\f\r");
        trim_characters(out->hyp, "$ \t\n\f\r");
        return;
    }
    /* a longer formula is split as raw text anyway */
    if (out->ref->string->len <= TG_CDM_GUARD_MAX_LENGTH &&
        out->hyp->string->len <= TG_CDM_GUARD_MAX_LENGTH)
        respell_pair(out);
    delete_fence(out->hyp);
    delete_wrappers(out->ref);
    delete_wrappers(out->hyp);
    if (out->alternative != NULL) {
        delete_fence(out->alternative);
        delete_wrappers(out->alternative);
    }
}

void tg_cdm_spellings_clear(TgCdmSpellings *spellings)
{
    g_clear_pointer(&spellings->ref, tg_cdm_text_free);
    g_clear_pointer(&spellings->hyp, tg_cdm_text_free);
    g_clear_pointer(&spellings->alternative, tg_cdm_text_free);
}
