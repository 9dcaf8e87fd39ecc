/* Cuts the bodies of arrays outside of braces and inner environments. */
#include "metrics/cdm/tolerant/cells.h"

#include <pthread.h>
#include <string.h>

#include "metrics/cdm/tolerant/scan.h"

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

static void keep(TgCdmText *text, Stretch at)
{
    tg_cdm_text_splice(text, at.end, text->string->len, "");
    tg_cdm_text_splice(text, 0, at.start, "");
}

void tg_cdm_strip_groups(TgCdmText *text)
{
    keep(text, strip_groups(text->string->str, (Stretch){ 0, text->string->len }));
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

void tg_cdm_tidy_cells(TgCdmText *text)
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

GPtrArray *tg_cdm_column_rows(const TgCdmText *text)
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
