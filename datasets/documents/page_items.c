/* Items of a page in Markdown by OmniDocBench's protocol: formulas, texts, what may be a formula.
 */
#include "datasets/documents/document.h"

#include <string.h>

#include "core/utf8.h"

#define TEXT    "text_all"
#define FORMULA "equation_isolated"

typedef struct {
    gsize start, end;
} Span;

/* A page on its way: steps take items out of the text and leave spaces. */
typedef struct {
    GString *text;
    GArray *items; /* TgPageItem */
    GArray *gone;  /* Span: what was found, and becomes spaces */
    gsize byte;    /* a place in the text, */
    glong place;   /* and the same in code points */
    gboolean cut;  /* more was found than is read */
} Page;

/* A byte of the text in code points; asked for in rising order, mostly. */
static glong place_of(Page *page, gsize byte)
{
    if (byte < page->byte)
        page->byte = (gsize) (page->place = 0);
    page->place += g_utf8_strlen(page->text->str + page->byte, (gssize) (byte - page->byte));
    page->byte = byte;
    return page->place;
}

/* Whether a page has all the items, or all that becomes spaces at once, that are read. */
static gboolean is_full(Page *page)
{
    const gboolean full = MAX(page->items->len, page->gone->len) >= TG_PAGE_MAX_ITEMS;

    page->cut |= full;
    return full;
}

static void mark(Page *page, const char *start, const char *end)
{
    const Span span = { (gsize) (start - page->text->str), (gsize) (end - page->text->str) };

    g_array_append_val(page->gone, span);
}

/* Overwrite what is marked, in order, with a space for each character. */
static void blank_out(Page *page)
{
    g_autoptr(GString) out = g_string_sized_new(page->text->len + 1);
    const char *text = page->text->str;
    gsize done = 0;

    for (guint i = 0; i < page->gone->len; i++) {
        const Span *span = &g_array_index(page->gone, Span, i);
        const glong n = g_utf8_strlen(text + span->start, (gssize) (span->end - span->start));
        g_string_append_len(out, text + done, (gssize) (span->start - done));
        g_string_append_printf(out, "%*s", (int) n, "");
        done = span->end;
    }
    g_string_append(out, text + done);
    g_string_assign(page->text, out->str);
    g_array_set_size(page->gone, 0);
    page->byte = (gsize) (page->place = 0);
}

static glong length(const char *text)
{
    return g_utf8_strlen(text, -1);
}

/* Whether an inline formula is a mere name. */
static gboolean is_short_inline(const char *content)
{
    g_autoptr(GString) text = tg_rule_made("unwrap", content);
    g_autoptr(GString) dense = tg_rule_made("dense", text->str);

    return tg_rule_has("short arrow", dense->str) ||
           (dense->len > 0 && length(dense->str) <= 24 &&
            !tg_rule_has("no short name", text->str) && tg_rule_has("short name", dense->str));
}

static void add_item(Page *page, const char *category, const char *kind, glong start, glong end,
                     const char *content)
{
    if (page->items->len == TG_PAGE_MAX_ITEMS ||
        (g_strcmp0(kind, "equation_inline") == 0 && is_short_inline(content)))
        return;
    const TgPageItem item = { category, kind, start, end, g_strdup(content) };
    g_array_append_val(page->items, item);
}

static void clear_item(gpointer item)
{
    g_free(((TgPageItem *) item)->content);
}

/* ---- formulas without delimiters ---- */

gboolean tg_page_is_formula_like(const char *text)
{
    if (strlen(text) > 100000)
        return FALSE;
    g_autoptr(GString) folded = tg_rule_made("folded", text);
    if (length(folded->str) > 220)
        return FALSE;
    g_autoptr(GString) bare = tg_rule_made("unwrap", folded->str);
    g_autoptr(GString) dense = tg_rule_made("dense", bare->str);
    g_autoptr(GString) rest = tg_rule_made("residue", bare->str);
    const glong k = length(dense->str);
    const guint operators = tg_rule_count("operator", bare->str);
    const guint words = tg_rule_count("word 4", bare->str);
    const guint ideographs = tg_rule_count("ideograph", bare->str);
    const guint pairs =
        tg_rule_count("inline pair", folded->str) + tg_rule_count("display pair", folded->str);
    return k > 0 && ((pairs > 0 && length(rest->str) <= 18 && operators >= 1) ||
                     (tg_rule_has("box", bare->str) && operators >= 1 && words <= 1 && k <= 80) ||
                     (tg_rule_has("arrow", bare->str) && ideographs <= 24 && k <= 120) ||
                     (operators >= 2 && tg_rule_has("unicode digit", bare->str) && words <= 2 &&
                      ideographs <= 12 && k <= 100) ||
                     (operators >= 3 && words == 0 && ideographs <= 18 && k <= 80));
}

void tg_page_sanitize(GString *text)
{
    tg_page_fold(text, " ");
    tg_rule_apply("unwrap", text);
    tg_rule_apply("sanitize", text);
}

static void rescue(Page *page, const char *text, glong start, glong end, const char *kind)
{
    g_autoptr(GString) content = g_string_new(text);

    if (!tg_page_is_formula_like(text))
        return;
    tg_page_sanitize(content);
    add_item(page, tg_rule_has("long arrow", content->str) ? FORMULA : "formula_rescue", kind,
             start, end, content->str);
}

/* ---- HTML ---- */

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

static void resolve_entities(GString *text)
{
    tg_rule_replace("character number", text, append_character);
    tg_rule_apply("entities", text);
}

/* A text that is a `<div>`: what it says. */
static void strip_html(GString *text)
{
    if (!tg_rule_has("division", text->str))
        return;
    g_autoptr(GString) out = tg_rule_made("html text", text->str);
    resolve_entities(out);
    tg_rule_apply("html lines", out);
    if (out->len > 0)
        g_string_assign(text, out->str);
}

/* Formulas in the cells of a table. */
static void rescue_cells(Page *page, const char *table, glong cursor)
{
    g_autoptr(GString) html = tg_rule_made("html nothing", table);
    TgSpans spans;

    for (gsize at = 0; tg_rule_find("cell", html, at, spans); at = (gsize) spans[1]) {
        g_autoptr(GString) cell = g_string_new_len(html->str + spans[2], spans[3] - spans[2]);
        tg_rule_apply("html tag", cell);
        resolve_entities(cell);
        tg_page_fold(cell, " ");
        const glong n = length(cell->str);
        if (n > 120 || !tg_rule_has("calculation", cell->str) ||
            (tg_rule_count("unicode digit", cell->str) < 2 &&
             !tg_rule_has("fraction", cell->str)) ||
            !tg_page_is_formula_like(cell->str))
            continue;
        tg_page_sanitize(cell);
        add_item(page, FORMULA, "table_formula_rescue", cursor, cursor + n, cell->str);
        cursor += n + 1;
    }
}

/* ---- tables ---- */

/* Mark the outermost of those tables that are closed. */
static void find_tables(Page *page, const char *rule)
{
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(Span));
    TgSpans spans; /* of a tag; of one that opens */

    for (gsize at = 0; tg_rule_find(rule, page->text, at, spans); at = (gsize) spans[1]) {
        Span span = { (gsize) spans[0], (gsize) spans[1] };
        if (spans[2] >= 0) {
            g_array_append_val(open, span);
        } else if (open->len > 0) {
            span.start = g_array_index(open, Span, open->len - 1).start;
            g_array_set_size(open, open->len - 1);
            while (page->gone->len > 0 &&
                   g_array_index(page->gone, Span, page->gone->len - 1).start > span.start)
                g_array_set_size(page->gone, page->gone->len - 1);
            g_array_append_val(page->gone, span);
        }
    }
}

/* Mark everything from @open to the next @close. */
static void find_pairs(Page *page, const char *open, const char *close)
{
    const char *at = page->text->str, *end;

    for (; (at = strstr(at, open)) != NULL && (end = strstr(at + strlen(open), close)) != NULL &&
           !is_full(page);
         at = end) {
        end += strlen(close);
        mark(page, at, end);
    }
}

/* HTML tables that are marked as items, with their cells. */
static void take_tables(Page *page, const char *kind)
{
    for (guint i = 0; i < page->gone->len && page->items->len < TG_PAGE_MAX_ITEMS; i++) {
        const Span *span = &g_array_index(page->gone, Span, i);
        g_autofree char *table = g_strndup(page->text->str + span->start, span->end - span->start);
        const glong start = place_of(page, span->start);
        add_item(page, "html_table", kind, start, place_of(page, span->end), table);
        rescue_cells(page, table, start);
    }
    blank_out(page);
}

/* The rows of a table in Markdown as HTML: the second is lost, cells that look like it are, and all
 * where the text before them does. */
static void append_rows(GString *out, const char *start, const char *end)
{
    g_autofree char *markdown = g_strndup(start, (gsize) (end - start));
    g_autoptr(GString) rows = g_string_new(NULL), trimmed = tg_rule_made("trimmed", markdown);
    g_auto(GStrv) lines = g_strsplit(trimmed->str, "\n", -1);

    for (guint i = 0; lines[i] != NULL; i++) {
        g_autoptr(GString) cells = tg_rule_made("table row", lines[i]);
        if (i != 1)
            g_string_append_printf(rows, "%s    <tr>\n%s    </tr>", i > 0 ? "\n" : "", cells->str);
    }
    if (!tg_rule_has("lost table", trimmed->str) && strcmp(rows->str, "    <tr>\n    </tr>") != 0)
        g_string_append_printf(out, "%s%s", out->len > 0 ? "\n" : "", rows->str);
}

/* Tables in Markdown as HTML, those on lines that follow each other as one; the line before is
 * lost. All positions after them change. */
static void convert_tables(Page *page)
{
    const char *text = page->text->str;
    g_autoptr(GString) out = g_string_new(NULL), rows = g_string_new(NULL);
    gsize done = 0;

    for (guint i = 0; i <= page->gone->len; i++) {
        const gboolean more = i < page->gone->len;
        const Span *span = &g_array_index(page->gone, Span, more ? i : 0);
        const gsize end = more ? span->start : page->text->len;
        const char *last = g_strrstr_len(text + done, (gssize) (end - done), "\n");
        const char *start = last != NULL ? last + 1 : text + done;
        if (i > 0 && (last != NULL || !more)) {
            tg_rule_apply("comment", rows);
            g_string_append_printf(out, "\n\n<table>\n%s\n</table>\n\n\n", rows->str);
            g_string_truncate(rows, 0);
        } else if (last != NULL) {
            g_string_append_c(out, '\n');
        }
        if (more) {
            append_rows(rows, start, text + span->end);
            last = last != NULL ? g_strrstr_len(text + done, last - (text + done), "\n") : NULL;
        }
        if (last != NULL)
            g_string_append_len(out, text + done, last + 1 - (text + done));
        done = span->end;
    }
    g_string_truncate(out, out->len - (out->len > 0)); /* lines are joined */
    tg_rule_apply("table attributes", out);
    g_string_assign(page->text, out->str);
    g_array_set_size(page->gone, 0);
    blank_out(page);
}

/* ---- displays ---- */

static gboolean is_arithmetic(const char *piece)
{
    return length(piece) <= 160 && !tg_rule_has("not arithmetic", piece) &&
           tg_rule_has("relation", piece) &&
           (tg_rule_count("digit", piece) >= 2 || tg_rule_has("fraction", piece));
}

static gboolean is_caption(const char *raw)
{
    g_autoptr(GString) text = g_string_new(raw);
    const guint marks = tg_rule_count("caption mark", raw);

    tg_page_plain(text);
    tg_page_fold(text, " ");
    const guint letters = tg_rule_count("letter", text->str);
    return !tg_rule_has("caption number", text->str) &&
           ((letters >= 10 && tg_rule_count("word 2", text->str) >= 2 && marks <= 6) ||
            (letters >= 14 && !tg_rule_has("digit", text->str) && marks <= 3));
}

/* Take what a pattern matches off a formula: its group becomes a caption. FALSE: it does not. */
static gboolean take_caption(GString *formula, const char *rule, Page *captions, glong start,
                             glong end)
{
    const gboolean is_lead = strcmp(rule, "lead") == 0;
    TgSpans spans;

    if (!tg_rule_find(rule, formula, 0, spans))
        return FALSE;
    g_autoptr(GString) text = g_string_new_len(formula->str + spans[2], spans[3] - spans[2]);
    if (!is_lead && !is_caption(text->str))
        return FALSE;
    tg_page_plain(text);
    tg_page_trim(text);
    const glong n = length(text->str);
    if (text->len > 0)
        add_item(captions, TEXT, "equation_caption", is_lead ? start : MAX(start, end - n),
                 is_lead ? MIN(end, start + n) : end, text->str);
    g_string_erase(formula, spans[0], spans[1] - spans[0]);
    tg_page_trim(formula);
    return TRUE;
}

/* A display: as it is, without the captions in its margins, or as its pieces of arithmetic. */
static void add_display(Page *page, const char *display, glong start, glong end, const char *kind)
{
    g_autoptr(GString) content = g_string_new(display), folded = tg_rule_made("folded", display);
    g_autoptr(GArray) captions = g_array_new(FALSE, FALSE, sizeof(TgPageItem));
    Page captioned = { .items = captions };
    gboolean arithmetic = TRUE;
    glong n = 0, i = 0;
    TgSpans spans;

    g_array_set_clear_func(captions, clear_item);
    if (!tg_rule_find("delimiters", folded, 0, spans)) {
        add_item(page, FORMULA, kind, start, end, display);
        return;
    }
    const char *close = folded->str + spans[6];
    const int n_open = spans[3];
    g_autoptr(GString) inside = g_string_new_len(folded->str + spans[4], spans[5] - spans[4]);
    tg_page_trim(inside);
    g_autofree char *whole = g_strdup(inside->str);
    gboolean any = take_caption(inside, "lead", &captioned, start, end);
    while (take_caption(inside, "trail 1", &captioned, start, end) ||
           take_caption(inside, "trail 2", &captioned, start, end))
        any = TRUE;
    if (any) {
        tg_rule_apply("end spacings", inside);
        if (inside->len > 0) {
            g_string_printf(content, "%.*s %s %s", n_open, folded->str, inside->str, close);
        } else {
            g_array_set_size(captions, 0);
            g_string_assign(content, folded->str);
            g_string_assign(inside, whole);
        }
    }
    g_auto(GStrv) pieces = tg_rule_split("quad", inside->str);
    for (char **piece = pieces; *piece != NULL; piece++) {
        arithmetic = arithmetic && (**piece == '\0' || is_arithmetic(*piece));
        n += **piece != '\0';
    }
    const glong span = MAX(MAX(end - start, n) / MAX(n, 1), 1);
    for (char **piece = pieces; *piece != NULL && n >= 2 && arithmetic; piece++) {
        const glong first = start + i * span;
        if (**piece == '\0')
            continue;
        g_string_printf(content, "%.*s %s %s", n_open, folded->str, *piece, close);
        add_item(page, FORMULA, kind, first, ++i == n ? end : MIN(end, first + span), content->str);
    }
    if (n < 2 || !arithmetic)
        add_item(page, FORMULA, kind, start, end, content->str);
    g_array_append_vals(page->items, captions->data, captions->len);
    g_array_set_clear_func(captions, NULL); /* they moved */
}

static void take_formulas(Page *page)
{
    const char *text = page->text->str, *at = text, *end;
    guint n = 0;
    guint64 missing = 0;
    const TgRule *pair;
    TgSpans spans;

    for (; (at = strpbrk(at, "$\\")) != NULL && !is_full(page); at = end) {
        if ((end = tg_rule_pair("formula pair", at, &missing, &pair)) == NULL) {
            end = at + 1;
            continue;
        }
        if (n++ == TG_PAGE_MAX_ITEMS) {
            page->cut = TRUE;
            break;
        }
        g_autoptr(GString) display = g_string_new_len(at, end - at);
        const char *kind = NULL;
        g_strdelimit(display->str, "\n", ' ');
        if (tg_rule_find("dollars inside", display, 0, spans)) {
            kind = spans[2] < 0 || spans[3] == spans[2] ? "equation_inline" : NULL;
            tg_rule_apply(kind != NULL ? "inline inside" : "dollars inside", display);
        }
        if (kind == NULL)
            mark(page, at, end);
        const glong start = place_of(page, (gsize) (at - text));
        add_display(page, display->str, start, place_of(page, (gsize) (end - text)), kind);
    }
    blank_out(page);
}

/* ---- a page ---- */

/* Formulas in the descriptions of images, and code. */
static void take_all(Page *page, const char *rule)
{
    TgSpans spans;

    for (gsize at = 0; tg_rule_find(rule, page->text, at, spans) && !is_full(page);
         at = (gsize) spans[1]) {
        g_autoptr(GString) text = g_string_new_len(page->text->str + spans[2], spans[3] - spans[2]);
        const glong start = place_of(page, (gsize) spans[0]),
                    end = place_of(page, (gsize) spans[1]);
        tg_page_trim(text);
        if (strcmp(rule, "image") == 0)
            rescue(page, text->str, start, end, "image_formula");
        else
            add_item(page, TEXT, "code", start, end, text->str);
        mark(page, page->text->str + spans[0], page->text->str + spans[1]);
    }
    blank_out(page);
}

/* Descriptions of pictures hold no formulas. */
static void open_descriptions(GString *text)
{
    g_auto(GStrv) pieces = tg_rule_split("paragraph end", text->str);

    for (guint i = 0; pieces[i] != NULL; i++) {
        g_autoptr(GString) folded = tg_rule_made("folded", pieces[i]);
        if (!tg_rule_has("description", folded->str) || length(folded->str) < 24)
            continue;
        g_autofree char *piece = pieces[i];
        pieces[i] = g_string_free(tg_rule_made("open description", piece), FALSE);
    }
    g_autofree char *joined = g_strjoinv(NULL, pieces);
    g_string_assign(text, joined);
}

static void take_texts(Page *page)
{
    g_auto(GStrv) pieces = g_strsplit(page->text->str, "\n\n", -1);
    glong start = 0;

    if (g_strv_length(pieces) <= 1) {
        g_strfreev(pieces);
        pieces = g_strsplit(page->text->str, "\n", -1);
    }
    for (guint i = 0; pieces[i] != NULL && !is_full(page); i++) {
        g_autoptr(GString) text = g_string_new(pieces[i]);
        const glong end = start + length(pieces[i]);
        tg_rule_apply("line gaps", text);
        strip_html(text);
        if (text->len > 0) {
            add_item(page, TEXT, "text_block", start, end, text->str);
            rescue(page, text->str, start, end, "text_formula");
        }
        start = end;
    }
}

static gint compare_starts(gconstpointer a, gconstpointer b)
{
    const glong left = ((const TgPageItem *) a)->start, right = ((const TgPageItem *) b)->start;

    return (left > right) - (left < right);
}

/* Items by start, those of a category together. */
static GArray *sort_items(GArray *items)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(TgPageItem));

    g_array_set_clear_func(out, clear_item);
    g_array_sort(items, compare_starts); /* stable */
    for (guint i = 0; i < items->len; i++) {
        const char *category = g_array_index(items, TgPageItem, i).category;
        for (guint k = i; k < items->len && category != NULL; k++) {
            TgPageItem *item = &g_array_index(items, TgPageItem, k);
            if (g_strcmp0(item->category, category) == 0) {
                g_array_append_val(out, *item);
                item->category = NULL; /* it moved */
            }
        }
    }
    return out;
}

GArray *tg_page_items(const char *markdown, gsize len, gboolean *cut)
{
    g_autofree char *valid = g_utf8_make_valid(markdown, len <= TG_PAGE_MAX ? (gssize) len : 0);
    g_autoptr(GString) text = g_string_new(valid);
    g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(TgPageItem));
    g_autoptr(GArray) gone = g_array_new(FALSE, FALSE, sizeof(Span));
    Page page = { .text = text, .items = items, .gone = gone };

    tg_rule_apply("line ends", text);
    take_all(&page, "image");
    tg_rule_apply("wrappers", text);
    open_descriptions(text);
    find_pairs(&page, "\\begin{table}", "\\end{table}");
    blank_out(&page);
    find_tables(&page, "tabular tag");
    blank_out(&page);
    find_tables(&page, "table tag");
    take_tables(&page, NULL);
    take_formulas(&page);
    g_string_append_c(text, '\n');
    find_pairs(&page, "|", "|\n");
    if (gone->len >= 2) {
        convert_tables(&page);
        find_pairs(&page, "<table", "</table>");
        take_tables(&page, "md2html_table");
    } else {
        g_array_set_size(gone, 0);
        g_string_truncate(text, text->len - 1);
    }
    take_all(&page, "code");
    tg_rule_apply("titles", text);
    take_texts(&page);
    *cut = is_full(&page) || page.cut || len > TG_PAGE_MAX;
    return sort_items(items);
}
