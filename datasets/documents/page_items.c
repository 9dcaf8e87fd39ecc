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

static void mark(Page *page, const char *start, const char *end)
{
    const Span span = { (gsize) (start - page->text->str), (gsize) (end - page->text->str) };

    g_array_append_val(page->gone, span);
}

/* Overwrite what is marked with a space for each character. */
static void blank_out(Page *page)
{
    g_autofree guint8 *gone = g_malloc0(page->text->len + 1);
    gsize out = 0;

    for (guint i = 0; i < page->gone->len; i++) {
        const Span *span = &g_array_index(page->gone, Span, i);
        memset(gone + span->start, 1, span->end - span->start);
    }
    for (gsize i = 0; i < page->text->len; i++) {
        if (!gone[i])
            page->text->str[out++] = page->text->str[i];
        else if (((guchar) page->text->str[i] & 0xC0) != 0x80)
            page->text->str[out++] = ' ';
    }
    g_string_truncate(page->text, out);
    g_array_set_size(page->gone, 0);
    page->byte = (gsize) (page->place = 0);
}

static void add_item(Page *page, const char *category, const char *kind, glong start, glong end,
                     const char *content)
{
    const TgPageItem item = { category, kind, start, end, g_strdup(content) };

    if (page->items->len < TG_PAGE_MAX_ITEMS)
        g_array_append_val(page->items, item);
    else
        g_free(item.content);
}

static void clear_item(gpointer item)
{
    g_free(((TgPageItem *) item)->content);
}

static glong length(const char *text)
{
    return g_utf8_strlen(text, -1);
}

/* ---- formulas without delimiters ---- */

gboolean tg_page_is_formula_like(const char *text)
{
    if (strlen(text) > 100000)
        return FALSE;
    g_autoptr(GString) folded = g_string_new(text);
    tg_page_fold(folded, " ");
    if (folded->len == 0 || length(folded->str) > 220)
        return FALSE;
    g_autoptr(GString) bare = g_string_new(folded->str);
    tg_rule_apply("unwrap", bare);
    g_autoptr(GString) dense = g_string_new(bare->str), rest = g_string_new(bare->str);
    tg_page_fold(dense, "");
    tg_rule_apply("residue", rest);
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
    tg_page_fold(text, " ");
    if (text->len == 0 || tg_rule_has("is display", text->str))
        return;
    g_string_prepend(text, "\\[ ");
    g_string_append(text, " \\]");
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

/* Characters that are written as `&lt;`, `&#60;`, `&#x3C;`. */
static void resolve_entities(GString *text)
{
    g_autoptr(GString) out = g_string_sized_new(text->len);
    TgSpans spans;
    gsize done = 0;

    for (; tg_rule_find("character number", text, done, spans); done = (gsize) spans[1]) {
        const gboolean hex = spans[2] >= 0;
        const guint64 code = g_ascii_strtoull(text->str + spans[hex ? 2 : 4], NULL, hex ? 16 : 10);
        const gboolean valid = code > 0 && code < 0x110000 && g_unichar_validate((gunichar) code);
        g_string_append_len(out, text->str + done, spans[0] - (gssize) done);
        g_string_append_unichar(out, valid ? (gunichar) code : 0xFFFD);
    }
    g_string_append(out, text->str + done);
    g_string_assign(text, out->str);
    tg_rule_apply("entities", text);
}

/* A text that is a `<div>`: what it says. */
static void strip_html(GString *text)
{
    g_autoptr(GString) out = g_string_new(text->str);

    if (!tg_rule_has("division", text->str) || tg_rule_has("table", text->str))
        return;
    tg_rule_apply("html text", out);
    resolve_entities(out);
    tg_rule_apply("no-break space", out);
    tg_rule_apply("line gaps", out);
    tg_page_trim(out);
    if (out->len > 0)
        g_string_assign(text, out->str);
}

/* What is looked at of open elements, and of the text of a cell in bytes. */
#define MAX_OPEN 64
#define MAX_CELL 600

/* An element of HTML that is open. */
typedef struct {
    const char *name;
    int n;
    GString *cell; /* NULL: it is no cell of a table */
} Element;

static void free_string(gpointer text)
{
    g_string_free(text, TRUE);
}

/* Formulas in the cells of a table. */
static void rescue_cells(Page *page, const char *table, glong cursor)
{
    g_autoptr(GString) html = g_string_new(table);
    g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(free_string);
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(Element));
    TgSpans spans; /* of a tag: slash, mark of a cell, name */

    tg_rule_apply("html nothing", html);
    for (gsize at = 0; tg_rule_find("html part", html, at, spans); at = (gsize) spans[1]) {
        const guint lowest = open->len > MAX_OPEN ? open->len - MAX_OPEN : 0;
        const gboolean is_tag = spans[6] >= 0, closes = is_tag && spans[3] > spans[2];
        Element tag = { html->str + MAX(spans[6], 0), spans[7] - spans[6], NULL };
        if (is_tag && !closes) {
            if (spans[4] >= 0)
                g_ptr_array_add(cells, tag.cell = g_string_new(NULL));
            g_array_append_val(open, tag);
        }
        for (guint i = open->len; i > lowest && (closes || !is_tag); i--) {
            const Element *outer = &g_array_index(open, Element, i - 1);
            if (closes && outer->n == tag.n &&
                g_ascii_strncasecmp(outer->name, tag.name, (gsize) tag.n) == 0) {
                g_array_set_size(open, i - 1);
                break;
            }
            if (!is_tag && outer->cell != NULL && outer->cell->len < MAX_CELL) {
                g_string_append_c(outer->cell, ' ');
                g_string_append_len(outer->cell, html->str + spans[0], spans[1] - spans[0]);
                tg_page_fold(outer->cell, " ");
            }
        }
    }
    for (guint i = 0; i < cells->len; i++) {
        GString *cell = cells->pdata[i];
        resolve_entities(cell);
        tg_page_fold(cell, " ");
        const glong n = length(cell->str);
        if (n < 1 || n > 120 || !tg_rule_has("calculation", cell->str) ||
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

/* Where a table may start: the tag needs an end somewhere. */
static const char *find_table(const char *at, const char *begin, const char *last)
{
    const char *found = strstr(at, begin);

    return found != NULL && (begin[0] == '\\' || found < last) ? found : NULL;
}

static const char *skip(const char *at, guint n)
{
    while (n-- > 0 && *at != '\0')
        at = g_utf8_next_char(at);
    return at;
}

#define MAX_SCANS 100 /* of a page for tables that are not closed */

/* Mark outermost tables; each that is not closed makes another scan from after its start on.
 * @n_begin, @n_end: what a start and an end are taken to be long. */
static void find_tables(Page *page, const char *begin, const char *end, guint n_begin, guint n_end)
{
    const char *from = page->text->str, *last = strrchr(from, '>');

    for (guint scan = 0; scan < MAX_SCANS && from != NULL; scan++) {
        const char *first = NULL, *at, *b = find_table(from, begin, last), *e = strstr(from, end);
        guint depth = 0;
        while (b != NULL || e != NULL) {
            if (b != NULL && (e == NULL || b < e)) {
                first = depth++ == 0 ? b : first;
                at = skip(b, n_end);
            } else {
                at = skip(e, n_end);
                if (depth > 0 && --depth == 0)
                    mark(page, first, at);
            }
            if (b != NULL && b < at)
                b = find_table(at, begin, last);
            if (e != NULL && e < at)
                e = strstr(at, end);
        }
        from = depth > 0 ? skip(first, n_begin) : NULL;
    }
}

/* Mark everything from @open to the next @close. */
static void find_pairs(Page *page, const char *open, const char *close)
{
    const char *at = page->text->str, *end;

    for (; (at = strstr(at, open)) != NULL && (end = strstr(at + strlen(open), close)) != NULL;
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

/* Rows of cells between `|` as a table in HTML: the first is its head, the second is lost. */
static void append_table(GString *out, const char *rows)
{
    g_autoptr(GString) trimmed = g_string_new(rows);

    tg_page_trim(trimmed);
    g_auto(GStrv) lines = g_strsplit(trimmed->str, "\n", -1);
    g_string_append(out, "<table>\n  <thead>\n    <tr>\n");
    for (guint i = 0; lines[i] != NULL; i++) {
        if (i == 1)
            continue;
        g_auto(GStrv) cells = g_strsplit(lines[i], "|", -1);
        g_string_append(out, i > 0 ? "    <tr>\n" : "");
        for (guint k = 1; cells[0] != NULL && cells[k] != NULL && cells[k + 1] != NULL; k++) {
            g_autoptr(GString) cell = g_string_new(cells[k]);
            tg_page_trim(cell);
            g_string_append_printf(out, i > 0 ? "      <td>%s</td>\n" : "      <th>%s</th>\n",
                                   cell->str);
        }
        g_string_append(out, i > 0 ? "    </tr>\n" : "    </tr>\n  </thead>\n  <tbody>\n");
    }
    g_string_append(out, "  </tbody>\n</table>\n");
}

/* The tables of a buffer as one. */
static void append_merged(GString *out, const GString *buffer)
{
    g_autoptr(GString) text = g_string_new(buffer->str), rows = g_string_new(NULL);
    const char *at, *end;

    tg_rule_apply("comment", text);
    for (at = text->str;
         (at = strstr(at, "<table>")) != NULL && (end = strstr(at, "</table>")) != NULL; at = end) {
        g_autofree char *table = g_strndup(at, (gsize) (end - at));
        g_auto(GStrv) lines = g_strsplit(table, "\n", -1);
        g_autoptr(GString) kept = g_string_new(NULL);
        guint n = 0;
        for (guint k = 1; lines[k] != NULL && lines[k + 1] != NULL; k++)
            if (!tg_rule_has("table parts", lines[k])) {
                g_string_append_printf(kept, "%s%s", n++ > 0 ? "\n" : "", lines[k]);
            }
        tg_rule_apply("head cells", kept);
        if (n > 2)
            g_string_append_printf(rows, "%s%s", rows->len > 0 ? "\n" : "", kept->str);
    }
    g_string_append_printf(out, "\n\n<table>\n%s\n</table>\n\n\n", rows->str);
}

/* Markdown tables as HTML; all positions after them change. */
static void convert_tables(Page *page)
{
    GString *text = page->text;
    g_autoptr(GString) html = g_string_new(NULL), out = g_string_new(NULL);
    g_autoptr(GString) buffer = g_string_new(NULL);
    gsize done = 0;
    gboolean inside = FALSE;
    const char *last = "";

    for (guint i = 0; i < page->gone->len; i++) {
        const Span *span = &g_array_index(page->gone, Span, i);
        g_autofree char *rows = g_strndup(text->str + span->start, span->end - span->start);
        g_string_append_len(html, text->str + done, (gssize) (span->start - done));
        append_table(html, rows);
        done = span->end;
    }
    g_string_append(html, text->str + done);
    g_auto(GStrv) lines = g_strsplit(html->str, "\n", -1);
    for (guint i = 0; lines[i] != NULL; last = lines[i++]) {
        if (strstr(lines[i], "<table>") != NULL) {
            inside = TRUE;
            g_string_append(buffer, last);
        } else if (inside) {
            if (strstr(last, "---") == NULL && strchr(last, ':') == NULL &&
                strstr(last, "</thead>") == NULL)
                g_string_append_printf(buffer, "\n%s", last);
            if (strstr(last, "</table>") != NULL) {
                inside = FALSE;
                append_merged(out, buffer);
                g_string_truncate(buffer, 0);
            }
        } else {
            g_string_append_printf(out, "%s\n", last);
        }
    }
    if (last[0] != '\0') {
        g_string_append_printf(buffer, "\n%s", last);
        if (inside || strstr(last, "</table>") != NULL)
            append_merged(out, buffer);
        else
            g_string_append_printf(out, "%s\n", last);
    }
    g_string_truncate(out, out->len - (out->len > 0)); /* lines are joined */
    tg_rule_apply("table attributes", out);
    g_string_assign(text, out->str);
    g_array_set_size(page->gone, 0);
    blank_out(page);
}

/* ---- displays ---- */

static gboolean is_arithmetic(const char *piece)
{
    g_autoptr(GString) text = g_string_new(piece);

    tg_page_fold(text, " ");
    return text->len > 0 && length(text->str) <= 160 && !tg_rule_has("not arithmetic", text->str) &&
           tg_rule_has("relation", text->str) &&
           (tg_rule_count("digit", text->str) >= 2 || tg_rule_has("fraction", text->str));
}

static gboolean is_caption(const char *raw)
{
    g_autoptr(GString) text = g_string_new(raw);
    const guint marks = tg_rule_count("caption mark", raw);

    tg_page_plain(text);
    tg_page_fold(text, " ");
    g_autoptr(GString) inside = g_string_new(text->str);
    tg_rule_apply("outer parentheses", inside);
    tg_page_fold(inside, "");
    const guint letters = tg_rule_count("letter", text->str);
    return !tg_rule_has("caption number", inside->str) &&
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
    g_autoptr(GString) folded = g_string_new(display), inside = g_string_new(NULL);
    g_autoptr(GArray) captions = g_array_new(FALSE, FALSE, sizeof(TgPageItem));
    g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *content = NULL;
    Page captioned = { .items = captions };
    const char *open, *close;
    gboolean arithmetic = TRUE;
    TgSpans spans;

    g_array_set_clear_func(captions, clear_item);
    tg_page_fold(folded, " ");
    g_string_assign(inside, folded->str);
    tg_page_strip_once(inside, &open, &close);
    gboolean any = take_caption(inside, "lead", &captioned, start, end);
    while (take_caption(inside, "trail 1", &captioned, start, end) ||
           take_caption(inside, "trail 2", &captioned, start, end))
        any = TRUE;
    if (any) {
        tg_rule_apply("end spacings", inside);
        tg_page_trim(inside);
        if (inside->len > 0)
            g_string_printf(folded, "%s %s %s", open, inside->str, close);
        else
            g_array_set_size(captions, 0);
        g_string_assign(inside, folded->str);
        tg_page_strip_once(inside, &open, &close);
    }
    content = g_strdup(any ? folded->str : display);
    for (gsize at = 0, stop; at <= inside->len; at = stop) {
        const gboolean more = tg_rule_find("quad", inside, at, spans);
        const gsize n = (more ? (gsize) spans[0] : inside->len) - at;
        g_autoptr(GString) piece = g_string_new_len(inside->str + at, (gssize) n);
        stop = more ? (gsize) spans[1] : inside->len + 1;
        tg_page_trim(piece);
        if (piece->len == 0)
            continue;
        arithmetic = arithmetic && is_arithmetic(piece->str);
        g_ptr_array_add(pieces, g_strdup(piece->str));
    }
    const glong n = pieces->len, span = MAX(MAX(end - start, n) / MAX(n, 1), 1);
    for (glong i = 0; i < n && n >= 2 && arithmetic; i++) {
        g_autofree char *piece =
            g_strdup_printf("%s %s %s", open, (char *) pieces->pdata[i], close);
        const glong first = start + i * span;
        add_item(page, FORMULA, kind, first, i + 1 == n ? end : MIN(end, first + span), piece);
    }
    if (n < 2 || !arithmetic)
        add_item(page, FORMULA, kind, start, end, content);
    g_array_append_vals(page->items, captions->data, captions->len);
    g_array_set_clear_func(captions, NULL); /* they moved */
}

static void take_formulas(Page *page)
{
    const char *text = page->text->str, *at = text, *end;
    guint64 missing = 0;
    const TgRule *pair;
    TgSpans spans;

    for (; (at = strpbrk(at, "$\\")) != NULL; at = end) {
        if ((end = tg_rule_pair("formula pair", at, &missing, &pair)) == NULL) {
            end = at + 1;
            continue;
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

static void take_images(Page *page)
{
    TgSpans spans;

    for (gsize at = 0; tg_rule_find("image", page->text, at, spans); at = (gsize) spans[1]) {
        g_autoptr(GString) text = g_string_new_len(page->text->str + spans[2], spans[3] - spans[2]);
        const glong start = place_of(page, (gsize) spans[0]);
        tg_page_trim(text);
        rescue(page, text->str, start, place_of(page, (gsize) spans[1]), "image_formula");
        mark(page, page->text->str + spans[0], page->text->str + spans[1]);
    }
    blank_out(page);
}

/* Descriptions of pictures hold no formulas. */
static void open_descriptions(GString *text)
{
    g_autoptr(GString) out = g_string_sized_new(text->len);
    TgSpans spans;

    for (gsize at = 0; at <= text->len;) {
        const gboolean more = tg_rule_find("paragraph end", text, at, spans);
        const gsize stop = more ? (gsize) spans[0] : text->len;
        g_autoptr(GString) piece = g_string_new_len(text->str + at, (gssize) (stop - at));
        g_autoptr(GString) folded = g_string_new(piece->str);
        tg_page_fold(folded, " ");
        if (tg_rule_has("description", folded->str) && length(folded->str) >= 24)
            tg_rule_apply("open description", piece);
        g_string_append(out, piece->str);
        if (more)
            g_string_append_len(out, text->str + spans[0], spans[1] - spans[0]);
        at = more ? (gsize) spans[1] : text->len + 1;
    }
    g_string_assign(text, out->str);
}

static void take_code(Page *page)
{
    const char *text = page->text->str, *end;
    TgSpans spans;

    for (gsize at = 0; tg_rule_find("code", page->text, at, spans) &&
                       (end = strstr(text + spans[1], "```")) != NULL;) {
        g_autoptr(GString) content = g_string_new_len(text + spans[1], end - (text + spans[1]));
        const glong start = place_of(page, (gsize) spans[0]);
        at = (gsize) (end + 3 - text);
        tg_page_trim(content);
        add_item(page, TEXT, "code", start, place_of(page, at), content->str);
        mark(page, text + spans[0], text + at);
    }
    blank_out(page);
}

static void take_texts(Page *page)
{
    g_auto(GStrv) pieces = g_strsplit(page->text->str, "\n\n", -1);
    glong start = 0;

    if (g_strv_length(pieces) <= 1) {
        g_strfreev(pieces);
        pieces = g_strsplit(page->text->str, "\n", -1);
    }
    for (guint i = 0; pieces[i] != NULL && page->items->len < TG_PAGE_MAX_ITEMS; i++) {
        g_autoptr(GString) text = g_string_new(pieces[i]);
        const glong end = start + length(pieces[i]);
        tg_rule_apply("line gaps", text);
        tg_page_trim(text);
        strip_html(text);
        if (text->len > 0) {
            add_item(page, TEXT, "text_block", start, end, text->str);
            rescue(page, text->str, start, end, "text_formula");
        }
        start = end;
    }
}

/* Whether an inline formula is a mere name. */
static gboolean is_short_inline(const TgPageItem *item)
{
    if (item->kind == NULL || strcmp(item->kind, "equation_inline") != 0)
        return FALSE;
    g_autoptr(GString) text = g_string_new(item->content);
    tg_rule_apply("unwrap", text);
    g_autoptr(GString) dense = g_string_new(text->str);
    tg_page_fold(dense, "");
    return tg_rule_has("short arrow", dense->str) ||
           (dense->len > 0 && length(dense->str) <= 24 &&
            !tg_rule_has("no short name", text->str) && tg_rule_has("short name", dense->str));
}

static gint compare_starts(gconstpointer a, gconstpointer b)
{
    const glong left = ((const TgPageItem *) a)->start, right = ((const TgPageItem *) b)->start;

    return (left > right) - (left < right);
}

/* Items by start, without mere names, those of a category together. */
static GArray *sort_items(GArray *items)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(TgPageItem));

    g_array_set_clear_func(out, clear_item);
    g_array_sort(items, compare_starts); /* stable */
    for (guint i = 0; i < items->len; i++) {
        TgPageItem *item = &g_array_index(items, TgPageItem, i);
        if (is_short_inline(item))
            g_clear_pointer(&item->content, g_free);
    }
    for (guint i = 0; i < items->len; i++) {
        const TgPageItem *first = &g_array_index(items, TgPageItem, i);
        const char *category = first->category;
        for (guint k = i; k < items->len && first->content != NULL; k++) {
            TgPageItem *item = &g_array_index(items, TgPageItem, k);
            if (item->content == NULL || strcmp(item->category, category) != 0)
                continue;
            g_array_append_val(out, *item);
            if (k > i)
                item->content = NULL;
        }
        g_array_index(items, TgPageItem, i).content = NULL;
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
    take_images(&page);
    tg_rule_apply("wrappers", text);
    open_descriptions(text);
    find_pairs(&page, "\\begin{table}", "\\end{table}");
    blank_out(&page);
    find_tables(&page, "\\begin{tabular}", "\\end{tabular}", 16, 14);
    blank_out(&page);
    find_tables(&page, "<table", "</table>", 16, 8);
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
    take_code(&page);
    tg_rule_apply("titles", text);
    take_texts(&page);
    *cut = len > TG_PAGE_MAX || items->len >= TG_PAGE_MAX_ITEMS;
    return sort_items(items);
}
