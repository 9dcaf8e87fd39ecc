/* Items of a page in Markdown by OmniDocBench's protocol: formulas, texts, what may be a formula.
 */
#include "datasets/documents/document.h"

#include <string.h>

#include "core/utf8.h"

#define TEXT    "text_all"
#define FORMULA "equation_isolated"
#define RESCUED "formula_rescue"
#define TABLE   "html_table"

/* A page on its way: steps take items out of the text and leave spaces. */
typedef struct {
    GString *text;
    GArray *items;               /* TgPageItem */
    const char *category, *kind; /* of what a step takes; */
    guint n_found;               /* matches of it so far; */
    gsize byte;                  /* a place in the text that it writes, */
    glong place;                 /* and the same in code points */
    guint n_last;                /* items that come after those that are added */
    gboolean cut;                /* more was found than is read */
} Page;

/* Whether no more is read: a page, or a step, has all the items. */
static gboolean is_full(Page *page)
{
    const gboolean full = MAX(page->items->len, page->n_found) >= TG_PAGE_MAX_ITEMS;

    page->cut |= full;
    return full;
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
    g_array_insert_val(page->items, page->items->len - page->n_last, item);
}

static void clear_item(gpointer item)
{
    g_free(((TgPageItem *) item)->content);
}

/* What may be a formula without delimiters. */
static void rescue(Page *page, const char *text, glong start, glong end, const char *kind)
{
    g_autoptr(GString) content = tg_rule_made("rescue", text);

    if (content->len > 0)
        add_item(page, tg_rule_count("long arrow", content->str) ? FORMULA : RESCUED, kind, start,
                 end, content->str);
}

/* Formulas in the cells of a table. */
static void rescue_cells(Page *page, const char *table, glong cursor)
{
    g_auto(GStrv) cells = tg_rule_split("cells", table);

    for (guint i = 0; cells[i] != NULL; i++) {
        g_autoptr(GString) content = tg_rule_made("cell formula", cells[i]);
        if (content->len == 0)
            continue;
        add_item(page, FORMULA, "table_formula_rescue", cursor, cursor + length(cells[i]),
                 content->str);
        cursor += length(cells[i]) + 1;
    }
}

/* ---- displays ---- */

/* Take what a pattern matches off a formula: its group becomes a caption. FALSE: it does not. */
static gboolean take_caption(Page *page, GString *formula, const char *rule, glong start, glong end)
{
    const gboolean is_lead = strcmp(rule, "lead") == 0;
    TgSpans spans;

    if (!tg_rule_find(rule, formula, 0, spans))
        return FALSE;
    g_autofree char *group = g_strndup(formula->str + spans[2], (gsize) (spans[3] - spans[2]));
    g_autoptr(GString) raw = tg_rule_made("trimmed", group);
    g_autoptr(GString) text = tg_rule_made(is_lead ? "lead caption" : "caption", group);
    const glong n = length(raw->str); /* it is placed by its length with its LaTeX */
    if (text->len > 0)
        add_item(page, TEXT, "equation_caption", is_lead ? start : MAX(start, end - n),
                 is_lead ? MIN(end, start + n) : end, text->str);
    else if (!is_lead)
        return FALSE;
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
    const guint n_before = page->items->len;

    gboolean any = take_caption(page, inside, "lead", start, end);
    while (take_caption(page, inside, "trail 1", start, end) ||
           take_caption(page, inside, "trail 2", start, end))
        any = TRUE;
    if (any)
        tg_rule_apply("end spacings", inside);
    if (any && inside->len > 0) {
        g_string_printf(content, "\\[ %s \\]", inside->str);
    } else if (any) { /* it is nothing but captions */
        g_array_set_size(page->items, n_before);
        tg_rule_apply("folded", content);
        g_string_assign(inside, whole);
    }
    page->n_last = page->items->len - n_before;
    g_auto(GStrv) pieces = tg_rule_split("quad", inside->str);
    const glong n = g_strv_length(pieces), span = MAX(MAX(end - start, n) / MAX(n, 1), 1);
    gboolean split = n >= 2;
    for (glong i = 0; i < n; i++)
        split = split && tg_rule_count("arithmetic", pieces[i]);
    for (glong i = 0; i < n && split; i++) {
        const glong first = start + i * span;
        g_string_printf(content, "\\[ %s \\]", pieces[i]);
        add_item(page, FORMULA, kind, first, i == n - 1 ? end : MIN(end, first + span),
                 content->str);
    }
    if (!split)
        add_item(page, FORMULA, kind, start, end, content->str);
    page->n_last = 0;
}

/* ---- steps ---- */

/* What is closed nowhere opens no formula, and is not looked through for each. */
static void hide_unclosed(GString *text, const char *opens, const char *closes)
{
    const char *last = g_strrstr(text->str, closes);

    for (char *at = text->str + (last != NULL ? last - text->str : 0);
         (at = strstr(at, opens)) != NULL; at++)
        *at = '\x01';
}

/* A formula in a page; those in the line stay there. */
static gboolean take_formula(Page *page, const char *whole, glong start, glong end)
{
    g_autoptr(GString) display = tg_rule_made("formula of a page", whole);
    const gboolean in_line = tg_rule_count("inline display", display->str) > 0;

    tg_rule_apply(in_line ? "inline inside" : "dollars inside", display);
    add_display(page, display->str, start, end, in_line ? "equation_inline" : NULL);
    return in_line;
}

/* A match becomes items of its step, if that has any, and spaces. */
static gboolean take_match(const GMatchInfo *match, GString *out, gpointer data)
{
    Page *page = data;
    g_autofree char *whole = g_match_info_fetch(match, 0), *group = g_match_info_fetch(match, 1);
    g_autoptr(GString) inside = tg_rule_made("trimmed", group != NULL ? group : whole);
    const gboolean full = is_full(page);
    const char *category = full ? NULL : page->category;
    gboolean stays = full;

    page->place += g_utf8_strlen(out->str + page->byte, (gssize) (out->len - page->byte));
    page->byte = out->len;
    const glong start = page->place, end = start + length(whole);
    page->n_found++;
    if (g_strcmp0(category, RESCUED) == 0)
        rescue(page, inside->str, start, end, page->kind);
    else if (g_strcmp0(category, FORMULA) == 0)
        stays = take_formula(page, whole, start, end);
    else if (category != NULL)
        add_item(page, category, page->kind, start, end, inside->str);
    if (g_strcmp0(category, TABLE) == 0)
        rescue_cells(page, whole, start);
    if (stays)
        g_string_append(out, whole);
    else
        g_string_append_printf(out, "%*s", (int) (end - start), "");
    return full;
}

static void take_all(Page *page, const char *rule, const char *category, const char *kind)
{
    page->category = category;
    page->kind = kind;
    page->n_found = 0;
    page->byte = (gsize) (page->place = 0);
    tg_rule_replace(rule, page->text, take_match, page);
}

static void take_texts(Page *page)
{
    const char *text = page->text->str;
    g_auto(GStrv) pieces = g_strsplit(text, strstr(text, "\n\n") != NULL ? "\n\n" : "\n", -1);
    glong start = 0;

    for (guint i = 0; pieces[i] != NULL && !is_full(page); i++) {
        g_autoptr(GString) block = tg_rule_made("text block", pieces[i]);
        const glong end = start + length(pieces[i]);
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
                *item = (TgPageItem){ 0 }; /* it moved */
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

    g_array_set_clear_func(items, clear_item);
    tg_rule_apply("line ends", text);
    take_all(&page, "image", RESCUED, "image_formula");
    tg_rule_apply("wrappers", text);
    tg_rule_apply("descriptions", text);
    take_all(&page, "table", NULL, NULL);
    take_all(&page, "tabular", NULL, NULL);
    take_all(&page, "html table", TABLE, NULL);
    hide_unclosed(text, "\\[", "\\]");
    hide_unclosed(text, "\\(", "\\)");
    take_all(&page, "page formula", FORMULA, NULL);
    tg_rule_apply("opened", text);
    g_string_append_c(text, '\n');
    const guint n_tables = tg_rule_count("markdown table", text->str);
    page.cut |= n_tables > TG_PAGE_MAX_ITEMS;
    if (n_tables > 1 && n_tables <= TG_PAGE_MAX_ITEMS) {
        tg_rule_apply("markdown tables", text);
        take_all(&page, "markdown html table", TABLE, "md2html_table");
    }
    g_string_truncate(text, text->len - 1);
    take_all(&page, "code", TEXT, "code");
    tg_rule_apply("titles", text);
    page.n_found = 0;
    take_texts(&page);
    *cut = is_full(&page) || page.cut || len > TG_PAGE_MAX;
    return sort_items(items);
}
