/* Items of a page in Markdown by OmniDocBench's protocol: formulas, texts, what may be a formula.
 */
#include "datasets/documents/document.h"

#include <string.h>

#include "core/utf8.h"

#define TEXT    "text_all"
#define FORMULA "equation_isolated"

/* A page on its way: steps take items out of the text and leave spaces. */
typedef struct {
    GString *text;
    GArray *items;    /* TgPageItem */
    const char *step; /* the name of its rule; */
    guint n_found;    /* matches of it so far; */
    gsize byte;       /* a place in the text that it writes, */
    glong place;      /* and the same in code points */
    gboolean cut;     /* more was found than is read */
} Page;

static void begin_step(Page *page, const char *step)
{
    page->step = step;
    page->n_found = 0;
    page->byte = (gsize) (page->place = 0);
}

/* Whether no more is read: a page, or a step, has all the items. */
static gboolean is_full(Page *page)
{
    const gboolean full = MAX(page->items->len, page->n_found) >= TG_PAGE_MAX_ITEMS;

    page->cut |= full;
    return full;
}

/* How long the text that a step writes is, in code points, which are as many as it has read. */
static glong place_of(Page *page, const GString *out)
{
    page->place += g_utf8_strlen(out->str + page->byte, (gssize) (out->len - page->byte));
    page->byte = out->len;
    return page->place;
}

static glong length(const char *text)
{
    return g_utf8_strlen(text, -1);
}

static void add_item(Page *page, const char *category, const char *kind, glong start, glong end,
                     const char *content)
{
    if (g_strcmp0(kind, "equation_inline") == 0) {
        g_autoptr(GString) inside = tg_rule_made("inside", content);
        if (tg_rule_count("mere name", inside->str))
            return;
    }
    if (page->items->len == TG_PAGE_MAX_ITEMS)
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
                     (tg_rule_count("box", bare->str) && operators >= 1 && words <= 1 && k <= 80) ||
                     (tg_rule_count("arrow", bare->str) && ideographs <= 24 && k <= 120) ||
                     (operators >= 2 && tg_rule_count("unicode digit", bare->str) && words <= 2 &&
                      ideographs <= 12 && k <= 100) ||
                     (operators >= 3 && words == 0 && ideographs <= 18 && k <= 80));
}

static void rescue(Page *page, const char *text, glong start, glong end, const char *kind)
{
    g_autoptr(GString) content = g_string_new(text);

    if (!tg_page_is_formula_like(text))
        return;
    tg_rule_apply("sanitize", content);
    add_item(page, tg_rule_count("long arrow", content->str) ? FORMULA : "formula_rescue", kind,
             start, end, content->str);
}

/* Formulas in the cells of a table. */
static void rescue_cells(Page *page, const char *table, glong cursor)
{
    g_autoptr(GString) html = tg_rule_made("html nothing", table);
    TgSpans spans;

    for (gsize at = 0; tg_rule_find("cell", html, at, spans); at = (gsize) spans[1]) {
        g_autoptr(GString) cell = g_string_new_len(html->str + spans[2], spans[3] - spans[2]);
        tg_rule_apply("cell text", cell);
        const glong n = length(cell->str);
        if (n > 120 || !tg_rule_count("calculation", cell->str) ||
            (tg_rule_count("unicode digit", cell->str) < 2 &&
             !tg_rule_count("fraction", cell->str)) ||
            !tg_page_is_formula_like(cell->str))
            continue;
        tg_rule_apply("sanitize", cell);
        add_item(page, FORMULA, "table_formula_rescue", cursor, cursor + n, cell->str);
        cursor += n + 1;
    }
}

/* ---- steps that match a rule ---- */

/* A match becomes an item, if the step has any, and spaces. */
static gboolean take_match(const GMatchInfo *match, GString *out, gpointer data)
{
    Page *page = data;
    g_autofree char *whole = g_match_info_fetch(match, 0), *group = g_match_info_fetch(match, 1);
    g_autoptr(GString) inside = tg_rule_made("trimmed", group != NULL ? group : "");
    const glong n = length(whole), start = place_of(page, out), end = start + n;

    if (is_full(page)) {
        g_string_append(out, whole);
        return TRUE;
    }
    page->n_found++;
    if (strcmp(page->step, "image") == 0) {
        rescue(page, inside->str, start, end, "image_formula");
    } else if (strcmp(page->step, "code") == 0) {
        add_item(page, TEXT, "code", start, end, inside->str);
    } else if (g_str_has_suffix(page->step, "html table")) {
        const char *kind = strcmp(page->step, "html table") == 0 ? NULL : "md2html_table";
        add_item(page, "html_table", kind, start, end, whole);
        rescue_cells(page, whole, start);
    }
    g_string_append_printf(out, "%*s", (int) n, "");
    return FALSE;
}

static void take_all(Page *page, const char *step)
{
    begin_step(page, step);
    tg_rule_replace(step, page->text, take_match, page);
}

/* The rows of a table in Markdown as HTML: the second is lost, cells that look like it are, and all
 * where the text before them does. */
static void append_rows(GString *out, const char *markdown)
{
    g_autoptr(GString) rows = g_string_new(NULL), trimmed = tg_rule_made("trimmed", markdown);
    g_auto(GStrv) lines = g_strsplit(trimmed->str, "\n", -1);

    for (guint i = 0; lines[i] != NULL; i++) {
        g_autoptr(GString) cells = tg_rule_made("table row", lines[i]);
        if (i != 1)
            g_string_append_printf(rows, "%s    <tr>\n%s    </tr>", i > 0 ? "\n" : "", cells->str);
    }
    if (!tg_rule_count("lost table", trimmed->str) && strcmp(rows->str, "    <tr>\n    </tr>") != 0)
        g_string_append_printf(out, "%s%s", out->len > 0 ? "\n" : "", rows->str);
}

/* Tables in Markdown that follow each other as one of HTML; the line before is lost. */
static gboolean convert_tables(const GMatchInfo *match, GString *out, gpointer data)
{
    Page *page = data;
    g_autofree char *group = g_match_info_fetch(match, 1);
    g_autoptr(GString) tables = g_string_new(group), rows = g_string_new(NULL);
    TgSpans spans;
    gsize at = 0;

    for (; !is_full(page) && tg_rule_find("markdown table", tables, at, spans); page->n_found++) {
        g_autofree char *table = g_strndup(tables->str + at, (gsize) spans[1] - at);
        append_rows(rows, table);
        at = (gsize) spans[1];
    }
    tg_rule_apply("comment", rows);
    g_string_append_printf(out, "\n\n<table>\n%s\n</table>\n\n\n%s", rows->str, tables->str + at);
    return is_full(page);
}

/* ---- displays ---- */

static gboolean is_arithmetic(const char *piece)
{
    return length(piece) <= 160 && !tg_rule_count("not arithmetic", piece) &&
           tg_rule_count("relation", piece) &&
           (tg_rule_count("digit", piece) >= 2 || tg_rule_count("fraction", piece));
}

static gboolean is_caption(const char *raw)
{
    g_autoptr(GString) text = g_string_new(raw);
    const guint marks = tg_rule_count("caption mark", raw);

    tg_rule_apply("plain", text);
    tg_rule_apply("folded", text);
    const guint letters = tg_rule_count("letter", text->str);
    return !tg_rule_count("caption number", text->str) &&
           ((letters >= 10 && tg_rule_count("word 2", text->str) >= 2 && marks <= 6) ||
            (letters >= 14 && !tg_rule_count("digit", text->str) && marks <= 3));
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
    tg_rule_apply("plain", text);
    tg_rule_apply("trimmed", text);
    const glong n = length(text->str);
    if (text->len > 0)
        add_item(captions, TEXT, "equation_caption", is_lead ? start : MAX(start, end - n),
                 is_lead ? MIN(end, start + n) : end, text->str);
    g_string_erase(formula, spans[0], spans[1] - spans[0]);
    tg_rule_apply("trimmed", formula);
    return TRUE;
}

/* A display: as it is, without the captions in its margins, or as its pieces of arithmetic. */
static void add_display(Page *page, const char *display, glong start, glong end, const char *kind)
{
    g_autoptr(GString) content = g_string_new(display);
    g_autoptr(GString) inside = tg_rule_made("display inside", display);
    g_autofree char *whole = g_strdup(inside->str);
    g_autoptr(GArray) captions = g_array_new(FALSE, FALSE, sizeof(TgPageItem));
    Page captioned = { .items = captions };

    g_array_set_clear_func(captions, clear_item);
    gboolean any = take_caption(inside, "lead", &captioned, start, end);
    while (take_caption(inside, "trail 1", &captioned, start, end) ||
           take_caption(inside, "trail 2", &captioned, start, end))
        any = TRUE;
    if (any)
        tg_rule_apply("end spacings", inside);
    if (any && inside->len > 0) {
        g_string_printf(content, "\\[ %s \\]", inside->str);
    } else if (any) { /* it is nothing but captions */
        g_array_set_size(captions, 0);
        tg_rule_apply("folded", content);
        g_string_assign(inside, whole);
    }
    g_auto(GStrv) pieces = tg_rule_pieces("quad", inside->str, "trimmed");
    const glong n = g_strv_length(pieces), span = MAX(MAX(end - start, n) / MAX(n, 1), 1);
    gboolean split = n >= 2;
    for (glong i = 0; i < n; i++)
        split = split && is_arithmetic(pieces[i]);
    for (glong i = 0; i < n && split; i++) {
        const glong first = start + i * span;
        g_string_printf(content, "\\[ %s \\]", pieces[i]);
        add_item(page, FORMULA, kind, first, i == n - 1 ? end : MIN(end, first + span),
                 content->str);
    }
    if (!split)
        add_item(page, FORMULA, kind, start, end, content->str);
    g_array_append_vals(page->items, captions->data, captions->len);
    g_array_set_clear_func(captions, NULL); /* they moved */
}

static void take_formulas(Page *page)
{
    g_autoptr(GString) out = g_string_sized_new(page->text->len + 1);
    const char *at = page->text->str, *end;
    guint64 missing = 0;
    const TgRule *pair;
    TgSpans spans;

    begin_step(page, "formula pair");
    for (;; at = end) {
        const gsize gap = strcspn(at, "$\\");
        g_string_append_len(out, at, (gssize) gap);
        at += gap;
        if (*at == '\0' || is_full(page))
            break;
        if ((end = tg_rule_pair(page->step, at, &missing, &pair)) == NULL) {
            end = at + 1;
            g_string_append_c(out, *at);
            continue;
        }
        g_autoptr(GString) display = g_string_new_len(at, end - at);
        const glong start = place_of(page, out), n = length(display->str);
        const char *kind = NULL;
        page->n_found++;
        g_strdelimit(display->str, "\n", ' ');
        if (tg_rule_find("dollars inside", display, 0, spans)) {
            kind = spans[2] < 0 || spans[3] == spans[2] ? "equation_inline" : NULL;
            tg_rule_apply(kind != NULL ? "inline inside" : "dollars inside", display);
        }
        add_display(page, display->str, start, start + n, kind);
        if (kind != NULL)
            g_string_append_len(out, at, end - at);
        else
            g_string_append_printf(out, "%*s", (int) n, "");
    }
    g_string_append(out, at);
    g_string_assign(page->text, out->str);
}

/* ---- a page ---- */

static void take_texts(Page *page)
{
    const char *text = page->text->str;
    g_auto(GStrv) pieces = g_strsplit(text, strstr(text, "\n\n") != NULL ? "\n\n" : "\n", -1);
    glong start = 0;

    for (guint i = 0; pieces[i] != NULL && !is_full(page); i++) {
        g_autoptr(GString) block = tg_rule_made("line gaps", pieces[i]);
        const glong end = start + length(pieces[i]);
        if (tg_rule_count("division", block->str)) { /* what a `<div>` says, if anything */
            g_autoptr(GString) said = tg_rule_made("html text", block->str);
            if (said->len > 0)
                g_string_assign(block, said->str);
        }
        if (block->len > 0) {
            add_item(page, TEXT, "text_block", start, end, block->str);
            rescue(page, block->str, start, end, "text_formula");
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
    Page page = { .text = text, .items = items };

    tg_rule_apply("line ends", text);
    take_all(&page, "image");
    tg_rule_apply("wrappers", text);
    tg_rule_apply("descriptions", text);
    take_all(&page, "table");
    take_all(&page, "tabular");
    take_all(&page, "html table");
    take_formulas(&page);
    g_string_append_c(text, '\n');
    if (tg_rule_count("two markdown tables", text->str)) {
        begin_step(&page, "markdown tables");
        g_string_prepend_c(text, '\n'); /* a line that is lost before a table */
        tg_rule_replace(page.step, text, convert_tables, &page);
        tg_rule_apply("table attributes", text);
        take_all(&page, "markdown html table");
    }
    g_string_truncate(text, text->len - 1);
    take_all(&page, "code");
    tg_rule_apply("titles", text);
    begin_step(&page, NULL);
    take_texts(&page);
    *cut = is_full(&page) || page.cut || len > TG_PAGE_MAX;
    return sort_items(items);
}
