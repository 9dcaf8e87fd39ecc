/* OmniDocBench 1.6's spellings of a pair: without delimiters, fences and tags; matrices respelled.
 */
#include "metrics/cdm/normalize/normalize.h"

#include <pthread.h>
#include <string.h>

#include "tokenizer/macros/lexer.h"

/* ---- Delimiters, fences and tags, in the official program's order ---------------------------- */

static void keep(TgCdmText *text, gsize start, gsize end)
{
    tg_cdm_text_splice(text, end, text->string->len, "");
    tg_cdm_text_splice(text, 0, start, "");
    tg_cdm_text_strip(text);
}

static gboolean delete_pair(TgCdmText *text, const char *open, const char *close)
{
    const gsize length = text->string->len, a = strlen(open), b = strlen(close);

    if (length < a + b || !g_str_has_prefix(text->string->str, open) ||
        !g_str_has_suffix(text->string->str, close))
        return FALSE;
    keep(text, a, length - b);
    return TRUE;
}

static void delete_delimiters(TgCdmText *text)
{
    tg_cdm_text_strip(text);
    while (delete_pair(text, "$$", "$$") || delete_pair(text, "\\[", "\\]") ||
           delete_pair(text, "\\(", "\\)") || delete_pair(text, "$", "$"))
        continue;
}

static void delete_fence(TgCdmText *text)
{
    static const char fence[] = "```latex";
    const char *string = text->string->str, *open = g_strrstr(string, fence);
    const char *start = open != NULL ? open + strlen(fence) : string;
    const char *end = strstr(start, "```");

    tg_cdm_text_splice(text, end != NULL ? (gsize) (end - string) : text->string->len,
                       text->string->len, "");
    tg_cdm_text_splice(text, 0, (gsize) (start - string), "");
}

static void delete_dollars(TgCdmText *text)
{
    const char *string = text->string->str;
    const gsize start = strspn(string, "$");
    gsize end = text->string->len;

    while (end > start && string[end - 1] == '$')
        end--;
    keep(text, start, end);
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
    delete_dollars(text);
    delete_dollars(text);
    delete_pair(text, "\\[", "\\]");
    delete_pair(text, "\\(", "\\)");
    delete_tags(text);
    tg_cdm_text_strip(text);
}

/* ---- Cuts the bodies of arrays outside of braces and inner environments ---------------------- */

static const TgCdmRange no_origin = { 0, 0 };

/* A stretch of a text. */
typedef struct {
    gsize start, end;
} Stretch;

/* ---- braces around ---- */

/* Whether the brace at @start is closed by the one before @end, counting all braces. */
static gboolean is_one_group(const char *string, gsize start, gsize end)
{
    gint depth = 0;

    if (end < start + 2 || string[start] != '{' || string[end - 1] != '}')
        return FALSE;
    for (gsize i = start; i < end; i++) {
        depth += (string[i] == '{') - (string[i] == '}');
        if (depth == 0)
            return i + 1 == end;
    }
    return FALSE;
}

static Stretch strip_space(const char *string, Stretch at)
{
    while (at.start < at.end && tg_cdm_is_space(g_utf8_get_char(string + at.start)))
        at.start = (gsize) (g_utf8_next_char(string + at.start) - string);
    while (at.end > at.start) {
        const char *last = g_utf8_prev_char(string + at.end);
        if (!tg_cdm_is_space(g_utf8_get_char(last)))
            break;
        at.end = (gsize) (last - string);
    }
    return at;
}

/* Braces are counted anew for every pair, so their number is bounded. */
static Stretch strip_groups(const char *string, Stretch at)
{
    enum { MAX_GROUPS = 300 };

    at = strip_space(string, at);
    for (guint i = 0; i < MAX_GROUPS && is_one_group(string, at.start, at.end); i++) {
        const Stretch inside = strip_space(string, (Stretch){ at.start + 1, at.end - 1 });

        if (inside.start == inside.end)
            break;
        at = inside;
    }
    return at;
}

static void keep_stretch(TgCdmText *text, Stretch at)
{
    tg_cdm_text_splice(text, at.end, text->string->len, "");
    tg_cdm_text_splice(text, 0, at.start, "");
}

static void strip_all_groups(TgCdmText *text)
{
    keep_stretch(text, strip_groups(text->string->str, (Stretch){ 0, text->string->len }));
}

/* ---- cutting ---- */

/* Which marks cut: `\\` or `&`. */
typedef enum { AT_ROWS, AT_CELLS } Cut;

/* The length of the mark at @p; 0 for none. */
static gsize mark_length(const char *p, Cut cut)
{
    if (cut == AT_CELLS)
        return *p == '&';
    return g_str_has_prefix(p, "\\\\") ? 2 : 0;
}

/* How the depth changes at @p. */
static gint depth_change(const char *p)
{
    if (*p == '{' || g_str_has_prefix(p, "\\begin{"))
        return 1;
    return *p == '}' || g_str_has_prefix(p, "\\end{") ? -1 : 0;
}

/* The parts of @whole between marks outside of braces and environments. (transfer full) */
static GArray *cut_stretch(const char *string, Stretch whole, Cut cut)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(Stretch));
    Stretch part = { whole.start, whole.start };
    gint depth = 0;

    for (gsize i = whole.start; i < whole.end;) {
        const gsize length = depth <= 0 ? mark_length(string + i, cut) : 0;

        if (length > 0 && i + length <= whole.end) {
            part.end = i;
            g_array_append_val(parts, part);
            i += length;
            part.start = i;
            continue;
        }
        depth += depth_change(string + i);
        i += string[i] == '\\' && i + 1 < whole.end && string[i + 1] == '\\' ? 2 : 1;
    }
    part.end = whole.end;
    g_array_append_val(parts, part);
    return parts;
}

static gboolean last_is_empty(const char *string, const GArray *parts)
{
    const Stretch last = strip_space(string, g_array_index(parts, Stretch, parts->len - 1));

    return last.start == last.end;
}

/* ---- matrices ---- */

static void copy_row(TgCdmText *out, const TgCdmText *text, Stretch row)
{
    const char *string = text->string->str;
    g_autoptr(GArray) cells = cut_stretch(string, row, AT_CELLS);
    const guint n = cells->len - (cells->len > 1 && last_is_empty(string, cells));

    for (guint i = 0; i < n; i++) {
        const Stretch cell = strip_groups(string, g_array_index(cells, Stretch, i));

        if (i > 0)
            tg_cdm_text_append(out, "&", no_origin);
        tg_cdm_text_copy(out, text, cell.start, cell.end);
    }
}

static void copy_body(TgCdmText *out, const TgCdmText *text, Stretch body)
{
    const char *string = text->string->str;
    g_autoptr(GArray) rows = cut_stretch(string, body, AT_ROWS);
    const guint n = rows->len - (rows->len > 1 && last_is_empty(string, rows));

    for (guint i = 0; i < n; i++) {
        if (i > 0)
            tg_cdm_text_append(out, "\\\\", no_origin);
        copy_row(out, text, g_array_index(rows, Stretch, i));
    }
}

/* Tidy what is between @open (and a preamble) and @close, wherever they are. */
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
            copy_body(out, text, (Stretch){ (gsize) (body - string), (gsize) (end - string) });
        rest = end;
    }
    tg_cdm_text_copy(out, text, (gsize) (rest - string), text->string->len);
    tg_cdm_text_swap(text, out);
}

static void tidy_cells(TgCdmText *text)
{
    static const char *const names[] = { "array",   "matrix",  "bmatrix",    "pmatrix",
                                         "vmatrix", "Vmatrix", "smallmatrix" };

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *open = g_strdup_printf("\\begin{%s}", names[i]);
        g_autofree char *close = g_strdup_printf("\\end{%s}", names[i]);

        if (strstr(text->string->str, open) != NULL)
            tidy_environment(text, open, close, i == 0);
    }
}

/* ---- columns ---- */

static GRegex *column; /* constant once it is compiled */

static void make_column(void)
{
    column = g_regex_new("^\\s*\\\\begin\\{array\\}\\s*\\{\\s*l\\s*\\}(.*)\\\\end\\{array\\}\\s*$",
                         G_REGEX_DOTALL | G_REGEX_OPTIMIZE, 0, NULL);
}

/* Behind `\\`: blanks, one star, and directly behind that a length in brackets. */
static gsize skip_gap(const char *string, Stretch row)
{
    gsize at = strip_space(string, row).start;

    if (at < row.end && string[at] == '*')
        at++;
    if (at < row.end && string[at] == '[') {
        const char *end = memchr(string + at, ']', row.end - at);
        if (end != NULL)
            at = (gsize) (end - string) + 1;
    }
    return at;
}

static void text_free(gpointer text)
{
    tg_cdm_text_free(text);
}

static GPtrArray *column_rows(const TgCdmText *text)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *string = text->string->str;
    g_autoptr(GMatchInfo) info = NULL;
    gint start, end;

    pthread_once(&once, make_column);
    if (!g_regex_match(column, string, 0, &info))
        return NULL;
    g_match_info_fetch_pos(info, 1, &start, &end);
    g_autoptr(GArray) parts = cut_stretch(string, (Stretch){ (gsize) start, (gsize) end }, AT_ROWS);
    GPtrArray *rows = g_ptr_array_new_with_free_func(text_free);
    for (guint i = 0; i < parts->len; i++) {
        Stretch row = g_array_index(parts, Stretch, i);

        if (i > 0)
            row.start = skip_gap(string, row);
        row = strip_space(string, row);
        if (row.start == row.end)
            continue;
        TgCdmText *copy = tg_cdm_text_new_like(text);
        tg_cdm_text_copy(copy, text, row.start, row.end);
        g_ptr_array_add(rows, copy);
    }
    return rows;
}

/* ---- -------------------------------------------------------------------------------------- */

/* The spellings of a pair: how OmniDocBench 1.6 respells matrices that a model wrote another way.
 */

#define MATRICES "(?:[bpvV]?matrix|smallmatrix)"

/* Textual rules; the first group of a match stays, between @before and @behind. */
typedef struct {
    const char *pattern, *before, *behind;
} Respelling;

enum {
    EMPTY_PREAMBLE,
    DOUBLE_SUBSCRIPT,
    FONT,
    DETERMINANT,
    ROW_END_AT_START,
    ROW_END_AT_END,
    ALIGNED_AROUND,
    N_RESPELLINGS
};

static const Respelling respellings[] = {
    [EMPTY_PREAMBLE] = { "(\\\\begin\\{array\\})\\s*\\{\\s*\\}", "", "{l}" },
    [DOUBLE_SUBSCRIPT] = { "_\\{_\\{([^{}]+)\\}\\}", "_{", "}" },
    [FONT] = { "\\\\(?:boldsymbol|mathbf|mathrm|mathit|mathsf|mathtt|textbf)\\s*\\{([^{}]+)\\}", "",
               "" },
    [DETERMINANT] = { "\\\\operatorname\\s*\\{\\s*(det)\\s*\\}", "\\", "" },
    [ROW_END_AT_START] = { "(\\\\begin\\{" MATRICES "\\})\\\\\\\\", "", " " },
    [ROW_END_AT_END] = { "\\\\\\\\\\s*(\\\\end\\{" MATRICES "\\})", " ", "" },
    [ALIGNED_AROUND] = { "^\\\\begin\\{(aligned\\*?)\\}\\s*&?\\s*"
                         "(\\\\begin\\{(" MATRICES ")\\}.*?\\\\end\\{\\3\\})"
                         "\\s*(?:\\\\\\\\)?\\s*\\\\end\\{\\1\\}$",
                         "", "" },
};

/* Compiled once and constant from then on. */
static GRegex *regexes[N_RESPELLINGS];
static GRegex *hint, *empty_preamble;

static void make_regexes(void)
{
    for (guint i = 0; i < N_RESPELLINGS; i++)
        regexes[i] =
            g_regex_new(respellings[i].pattern, G_REGEX_DOTALL | G_REGEX_OPTIMIZE, 0, NULL);
    hint = g_regex_new("\\\\begin\\{" MATRICES "\\}", G_REGEX_OPTIMIZE, 0, NULL);
    empty_preamble = g_regex_new("\\\\begin\\{array\\}\\s*\\{\\s*\\}", G_REGEX_OPTIMIZE, 0, NULL);
}

static void compile_regexes(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_regexes);
}

/* Whether anything changed. */
static gboolean respell(TgCdmText *text, guint i)
{
    const gint group = i == ALIGNED_AROUND ? 2 : 1;
    const gsize length = text->string->len;

    tg_cdm_text_replace_around(text, regexes[i], group, group, respellings[i].before,
                               respellings[i].behind);
    return text->string->len != length;
}

/* Whether a formula has a matrix, or an array that may be one. */
static gboolean has_hint(const TgCdmText *text)
{
    const char *string = text->string->str;

    if (g_regex_match(hint, string, 0, NULL))
        return TRUE;
    return strstr(string, "\\begin{array}") != NULL &&
           (strstr(string, "\\left[") != NULL || strstr(string, "\\right]") != NULL ||
            strchr(string, '&') != NULL);
}

/* One pass of respelling. */
static void respell_formula(TgCdmText *text)
{
    strip_all_groups(text);
    respell(text, EMPTY_PREAMBLE);
    tg_cdm_text_replace(text, "\\dfrac", "\\frac", 0);
    respell(text, DOUBLE_SUBSCRIPT);
    while (respell(text, FONT) | respell(text, DETERMINANT))
        continue;
    tidy_cells(text);
    respell(text, ROW_END_AT_START);
    respell(text, ROW_END_AT_END);
    respell(text, ALIGNED_AROUND);
    tg_cdm_text_strip(text);
}

/* An array of one column around the whole: its rows on one line, if any of them is a matrix. */
static void join_rows(TgCdmText *text)
{
    g_autoptr(GPtrArray) rows = column_rows(text);
    gboolean any = FALSE;

    if (rows == NULL)
        return;
    for (guint i = 0; i < rows->len; i++) {
        respell_formula(rows->pdata[i]);
        any |= has_hint(rows->pdata[i]);
    }
    if (!any)
        return;
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);
    for (guint i = 0; i < rows->len; i++) {
        const TgCdmText *row = rows->pdata[i];

        if (i > 0)
            tg_cdm_text_append(out, " \\qquad ", (TgCdmRange){ 0, 0 });
        tg_cdm_text_copy(out, row, 0, row->string->len);
    }
    tg_cdm_text_swap(text, out);
}

static TgCdmText *copy_of(const TgCdmText *text)
{
    TgCdmText *copy = tg_cdm_text_new_like(text);

    tg_cdm_text_copy(copy, text, 0, text->string->len);
    return copy;
}

/* The formula without delimiters and tags. */
static TgCdmText *bare(const TgCdmText *text)
{
    TgCdmText *copy = copy_of(text);

    delete_delimiters(copy);
    delete_tags(copy);
    return copy;
}

/* The formula respelled, if it or @context has a matrix. */
static TgCdmText *respelled(const TgCdmText *text, const TgCdmText *context)
{
    g_autoptr(TgCdmText) formula = bare(text), around = bare(context);

    if (has_hint(formula) || has_hint(around)) {
        respell_formula(formula);
        join_rows(formula);
        respell_formula(formula);
    }
    return g_steal_pointer(&formula);
}

static gboolean is_empty(const TgCdmText *text)
{
    return text->string->len == 0;
}

/* An empty spelling counts as none. */
static const TgCdmText *or_else(const TgCdmText *text, const TgCdmText *other)
{
    return is_empty(text) ? other : text;
}

/* The truth without tags, and the prediction's other spelling where matrices are about. */
static void respell_pair(TgCdmSpellings *out)
{
    g_autoptr(TgCdmText) gt = bare(out->gt), pred = bare(out->pred);

    if (is_empty(gt) && is_empty(pred))
        return;
    if (has_hint(gt) || has_hint(pred)) {
        g_autoptr(TgCdmText) gt_respelled = respelled(gt, gt);
        g_autoptr(TgCdmText) other = respelled(pred, or_else(gt_respelled, gt));

        if (g_regex_match(empty_preamble, gt->string->str, 0, NULL))
            tg_cdm_text_swap(gt, gt_respelled);
        if (!is_empty(other) && strcmp(other->string->str, pred->string->str) != 0)
            out->alternative = g_steal_pointer(&other);
    }
    if (!is_empty(gt))
        tg_cdm_text_swap(out->gt, gt);
}

void tg_cdm_spellings_find(const char *gt, const char *pred, gboolean traced, TgCdmSpellings *out)
{
    *out = (TgCdmSpellings){ .gt = tg_cdm_text_new(gt, traced),
                             .pred = tg_cdm_text_new(pred, traced) };
    compile_regexes();
    /* longer ones fall back to raw text anyway */
    if (out->gt->string->len <= TG_CDM_GUARD_MAX_LENGTH &&
        out->pred->string->len <= TG_CDM_GUARD_MAX_LENGTH)
        respell_pair(out);
    delete_fence(out->pred);
    delete_wrappers(out->gt);
    delete_wrappers(out->pred);
    if (out->alternative != NULL) {
        delete_fence(out->alternative);
        delete_wrappers(out->alternative);
    }
}

void tg_cdm_spellings_clear(TgCdmSpellings *spellings)
{
    g_clear_pointer(&spellings->gt, tg_cdm_text_free);
    g_clear_pointer(&spellings->pred, tg_cdm_text_free);
    g_clear_pointer(&spellings->alternative, tg_cdm_text_free);
}
