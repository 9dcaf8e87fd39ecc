/* The spellings of a pair: how OmniDocBench 1.6 respells matrices that a model wrote another way.
 */
#include <pthread.h>
#include <string.h>

#include "metrics/cdm/tolerant/cells.h"
#include "metrics/cdm/tolerant/guard.h"
#include "metrics/cdm/tolerant/tolerant.h"
#include "metrics/cdm/tolerant/wrappers.h"

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
    tg_cdm_strip_groups(text);
    respell(text, EMPTY_PREAMBLE);
    tg_cdm_text_replace(text, "\\dfrac", "\\frac", 0);
    respell(text, DOUBLE_SUBSCRIPT);
    while (respell(text, FONT) | respell(text, DETERMINANT))
        continue;
    tg_cdm_tidy_cells(text);
    respell(text, ROW_END_AT_START);
    respell(text, ROW_END_AT_END);
    respell(text, ALIGNED_AROUND);
    tg_cdm_text_strip(text);
}

/* An array of one column around the whole: its rows on one line, if any of them is a matrix. */
static void join_rows(TgCdmText *text)
{
    g_autoptr(GPtrArray) rows = tg_cdm_column_rows(text);
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

    tg_cdm_delete_delimiters(copy);
    tg_cdm_delete_tags(copy);
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
    tg_cdm_delete_fence(out->pred);
    tg_cdm_delete_wrappers(out->gt);
    tg_cdm_delete_wrappers(out->pred);
    if (out->alternative != NULL) {
        tg_cdm_delete_fence(out->alternative);
        tg_cdm_delete_wrappers(out->alternative);
    }
}
