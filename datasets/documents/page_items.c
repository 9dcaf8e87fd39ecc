/* Items of a page in Markdown by OmniDocBench's protocol: formulas, texts, what may be a formula.
 */
#include "datasets/documents/page.h"

#include <string.h>

#include "core/utf8.h"

#define S TG_BLANK

#define TEXT    "text_all"
#define FORMULA "equation_isolated"

/* A page on its way: steps take items out of the text and leave spaces. */
typedef struct {
    GString *text;
    GArray *items; /* TgPageItem */
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

/* The text was changed. */
static void restart(Page *page)
{
    page->byte = (gsize) (page->place = 0);
}

typedef struct {
    gsize start, end;
} Span;

/* Overwrite spans, in rising order unless they overlap, with a space for each character. */
static void blank_out(Page *page, const GArray *spans)
{
    g_autofree guint8 *gone = g_malloc0(page->text->len + 1);
    gsize out = 0;

    for (guint i = 0; i < spans->len; i++) {
        const Span *span = &g_array_index(spans, Span, i);
        memset(gone + span->start, 1, span->end - span->start);
    }
    for (gsize i = 0; i < page->text->len; i++) {
        if (!gone[i])
            page->text->str[out++] = page->text->str[i];
        else if (((guchar) page->text->str[i] & 0xC0) != 0x80)
            page->text->str[out++] = ' ';
    }
    g_string_truncate(page->text, out);
    restart(page);
}

static void add_item(Page *page, const char *category, const char *kind, glong start, glong end,
                     const char *content)
{
    const TgPageItem item = { category, kind, start, end, g_strdup(content) };

    g_array_append_val(page->items, item);
}

static gboolean has(TgPattern *pattern, const char *text)
{
    return tg_pattern_find(pattern, text, strlen(text), 0, NULL);
}

static guint count(TgPattern *pattern, const char *text)
{
    return tg_pattern_count(pattern, text, strlen(text));
}

static glong length(const char *text)
{
    return g_utf8_strlen(text, -1);
}

/* ---- formulas without delimiters ---- */

static TgPattern calculation = { "[0-9]" S "*/" S "*[0-9]", 0 }; /* digits / digits */
static TgPattern all_blanks = { S "+", 0 };

static void unwrap(GString *text)
{
    static TgPattern pairs[] = { { "(?s)\\$\\$(.*?)\\$\\$", 0 },
                                 { "(?s)\\\\\\[(.*?)\\\\\\]", 0 },
                                 { "(?s)\\\\\\((.*?)\\\\\\)", 0 },
                                 { "(?s)\\$(.*?)\\$", 0 } };

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        tg_pattern_replace(&pairs[i], text, " \\1 ");
}

gboolean tg_page_is_formula_like(const char *text)
{
    static TgPattern operators = {
        "\\\\frac|\\\\sqrt|\\\\sum|\\\\int|\\\\prod|\\\\times|\\\\div|\\\\square|\\\\cdots|"
        "\\\\left|"
        "\\\\right|\\\\approx|\\\\xrightarrow|\\\\rightarrow|\\\\longrightarrow|"
        "[=<>≤≥≈÷×±∑∫√→^_□△…%/+-]",
        0
    };
    static TgPattern inline_pair = { "\\$.*?\\$|\\\\\\(.*?\\\\\\)", 0 };
    static TgPattern display_pair = { "\\$\\$.*?\\$\\$|\\\\\\[.*?\\\\\\]", 0 };
    static TgPattern digit = { "\\d", 0 }, ideograph = { "[\\x{4E00}-\\x{9FFF}]", 0 };
    static TgPattern word = { "[A-Za-z]{4,}", 0 };
    static TgPattern command = { "\\\\[A-Za-z]+", 0 },
                     marks = { "[=<>≤≥÷×±∑∫√^_□△…%/()+\\-\\d]", 0 };
    static TgPattern box = { "□|\\\\square", 0 };
    static TgPattern arrow = { "\\\\xrightarrow|\\\\longrightarrow|→", 0 };

    if (strlen(text) > 100000)
        return FALSE;
    g_autoptr(GString) folded = g_string_new(text);
    tg_page_fold(folded);
    if (folded->len == 0 || length(folded->str) > 220)
        return FALSE;
    g_autoptr(GString) bare = g_string_new(folded->str);
    unwrap(bare);
    g_autoptr(GString) dense = g_string_new(bare->str), rest = g_string_new(bare->str);
    tg_pattern_replace(&all_blanks, dense, "");
    tg_pattern_replace(&command, rest, "");
    tg_pattern_replace(&marks, rest, "");
    tg_pattern_replace(&all_blanks, rest, "");
    const glong k = length(dense->str);
    const guint n_operators = count(&operators, bare->str), n_words = count(&word, bare->str);
    const guint n_ideographs = count(&ideograph, bare->str);
    const guint n_pairs = count(&inline_pair, folded->str) + count(&display_pair, folded->str);
    if (k == 0)
        return FALSE;
    return (n_pairs > 0 && length(rest->str) <= 18 && n_operators >= 1) ||
           (has(&box, bare->str) && n_operators >= 1 && n_words <= 1 && k <= 80) ||
           (has(&arrow, bare->str) && n_ideographs <= 24 && k <= 120) ||
           (n_operators >= 2 && has(&digit, bare->str) && n_words <= 2 && n_ideographs <= 12 &&
            k <= 100) ||
           (n_operators >= 3 && n_words == 0 && n_ideographs <= 18 && k <= 80);
}

void tg_page_sanitize(GString *text)
{
    static const char *const words[][2] = {
        { "……", " \\cdots \\cdots " },
        { "…", " \\cdots " },
        { "×", " \\times " },
        { "÷", " \\div " },
        { "≤", " \\leq " },
        { "≥", " \\geq " },
        { "≠", " \\neq " },
        { "≈", " \\approx " },
        { "□", " \\square " },
        { "△", " \\triangle " },
        { "（", "(" },
        { "）", ")" },
        { "［", "[" },
        { "］", "]" },
        { "｛", "{" },
        { "｝", "}" },
    };
    static const char redox[] = "氧化还原反应";
    static TgPattern arrow = { "\\\\xrightarrow" S "*\\{([^{}]*)\\}", 0 };
    static TgPattern special = { "(?<!\\\\)([%&])", 0 };
    TgSpans spans;

    tg_page_fold(text);
    if (text->len == 0)
        return;
    unwrap(text);
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        g_string_replace(text, words[i][0], words[i][1], 0);
    if (tg_pattern_find(&arrow, text->str, text->len, 0, spans)) {
        g_autoptr(GString) left = g_string_new_len(text->str, spans[0]);
        g_autoptr(GString) over = g_string_new_len(text->str + spans[2], spans[3] - spans[2]);
        g_autoptr(GString) right = g_string_new(text->str + spans[1]);
        tg_page_trim(left);
        tg_page_trim(over);
        tg_page_trim(right);
        const gboolean bare = strchr(over->str, '\\') == NULL;
        const gboolean is_redox = g_str_has_suffix(right->str, redox);
        if (is_redox)
            g_string_truncate(right, right->len - strlen(redox));
        g_string_printf(text, "%s %s\\xrightarrow{%s%s%s}%s %s", left->str,
                        is_redox ? "\\underset{氧化还原反应}{" : "", bare ? "\\text{" : "",
                        over->str, bare ? "}" : "", is_redox ? "}" : "", right->str);
    }
    tg_pattern_replace(&special, text, "\\\\\\1");
    tg_page_fold(text);
    if (text->len == 0 || g_str_has_prefix(text->str, "\\begin{") ||
        g_str_has_prefix(text->str, "$$") || g_str_has_prefix(text->str, "\\["))
        return;
    g_string_prepend(text, "\\[ ");
    g_string_append(text, " \\]");
}

static void rescue(Page *page, const char *text, glong start, glong end, const char *kind)
{
    g_autoptr(GString) content = NULL;

    if (!tg_page_is_formula_like(text))
        return;
    content = g_string_new(text);
    tg_page_sanitize(content);
    const gboolean arrow = strstr(content->str, "\\xrightarrow") != NULL ||
                           strstr(content->str, "\\longrightarrow") != NULL;
    add_item(page, arrow ? FORMULA : "formula_rescue", kind, start, end, content->str);
}

/* ---- HTML ---- */

typedef enum { HTML_END, HTML_TEXT, HTML_OPEN, HTML_CLOSE, HTML_NOTHING } HtmlKind;

static void append_entity(GString *out, const char **at)
{
    static const char *const names[][2] = {
        { "amp", "&" },    { "lt", "<" },          { "gt", ">" },    { "quot", "\"" },
        { "apos", "'" },   { "nbsp", "\xC2\xA0" }, { "times", "×" }, { "divide", "÷" },
        { "plusmn", "±" }, { "le", "≤" },          { "ge", "≥" },    { "ne", "≠" },
        { "asymp", "≈" },  { "minus", "−" },       { "deg", "°" },   { "middot", "·" },
        { "hellip", "…" }, { "ndash", "–" },       { "mdash", "—" }, { "rarr", "→" },
        { "radic", "√" },  { "sum", "∑" },         { "pi", "π" },    { "alpha", "α" },
        { "beta", "β" },
    };
    const char *start = *at + 1, *end = start + strcspn(start, "; <&\n");

    if (*start == '#') {
        const gboolean hex = start[1] == 'x' || start[1] == 'X';
        char *after;
        const guint64 code = g_ascii_strtoull(start + 1 + hex, &after, hex ? 16 : 10);
        if (after > start + 1 + hex && code > 0 && code < 0x110000 &&
            g_unichar_validate((gunichar) code)) {
            g_string_append_unichar(out, (gunichar) code);
            *at = *after == ';' ? after + 1 : after;
            return;
        }
    }
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (*end == ';' && (gsize) (end - start) == strlen(names[i][0]) &&
            strncmp(start, names[i][0], (gsize) (end - start)) == 0) {
            g_string_append(out, names[i][1]);
            *at = end + 1;
            return;
        }
    g_string_append_c(out, *(*at)++);
}

/* The next part of HTML: a text, or the name of a tag in lower case. Script and style vanish. */
static HtmlKind next_html(const char **at, const char *end, GString *out)
{
    const char *p = *at;
    HtmlKind kind = HTML_NOTHING;

    g_string_truncate(out, 0);
    if (p >= end)
        return HTML_END;
    if (g_str_has_prefix(p, "<!--")) {
        const char *close = strstr(p, "-->");
        *at = close != NULL && close < end ? close + 3 : end;
        return HTML_NOTHING;
    }
    if (*p == '<' && (g_ascii_isalpha(p[1]) || strchr("/!?", p[1]) != NULL) && p + 1 < end) {
        if (p[1] == '/' || g_ascii_isalpha(p[1])) {
            kind = p[1] == '/' ? HTML_CLOSE : HTML_OPEN;
            for (p += p[1] == '/' ? 2 : 1; g_ascii_isalnum(*p); p++)
                g_string_append_c(out, g_ascii_tolower(*p));
        }
        while (p < end && *p != '>') {
            const char *quote = *p == '"' || *p == '\'' ? strchr(p + 1, *p) : NULL;
            p = quote != NULL && quote < end ? quote + 1 : p + 1;
        }
        *at = p < end ? p + 1 : end;
        if (kind == HTML_OPEN &&
            (strcmp(out->str, "script") == 0 || strcmp(out->str, "style") == 0)) {
            g_autofree char *closing = g_strdup_printf("</%s", out->str);
            const char *close = strstr(*at, closing);
            *at = close != NULL && close < end ? close : end;
        }
        return kind;
    }
    do {
        if (*p == '&')
            append_entity(out, &p);
        else
            g_string_append_c(out, *p++);
    } while (p < end && *p != '<');
    *at = p;
    return HTML_TEXT;
}

static gboolean is_word(const char *word, const char *const *list, guint n)
{
    for (guint i = 0; i < n; i++)
        if (strcmp(word, list[i]) == 0)
            return TRUE;
    return FALSE;
}

/* Trim all lines, drop empty ones. */
static void trim_lines(GString *text)
{
    g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);

    g_string_truncate(text, 0);
    for (guint i = 0; lines[i] != NULL; i++) {
        g_autoptr(GString) line = g_string_new(lines[i]);
        tg_page_trim(line);
        if (line->len > 0)
            g_string_append_printf(text, "%s%s", text->len > 0 ? "\n" : "", line->str);
    }
}

/* A text that is a `<div>`: what it says. */
static void strip_html(GString *text)
{
    static TgPattern division = { "(?i)\\A<(?:div|dir)(?!\\w)", 0 }, table = { "(?i)<table", 0 };
    static const char *const lines[] = { "div", "dir", "p", "li" };
    g_autoptr(GString) part = g_string_new(NULL), out = g_string_new(NULL);
    const char *at = text->str, *end = text->str + text->len;
    HtmlKind kind;

    if (!has(&division, text->str) || has(&table, text->str))
        return;
    while ((kind = next_html(&at, end, part)) != HTML_END) {
        if (kind == HTML_TEXT)
            g_string_append(out, part->str);
        else if ((kind == HTML_OPEN && strcmp(part->str, "br") == 0) ||
                 (kind == HTML_CLOSE && is_word(part->str, lines, G_N_ELEMENTS(lines))))
            g_string_append_c(out, '\n');
    }
    g_string_replace(out, "\xC2\xA0", " ", 0);
    trim_lines(out);
    if (out->len > 0)
        g_string_assign(text, out->str);
}

/* What is looked at of open elements, and of the text of a cell in bytes. */
#define MAX_OPEN 64
#define MAX_CELL 600

static void add_cells(Page *page, GArray *open, GPtrArray *cells, glong cursor)
{
    static TgPattern sign = { "[=+×÷/≈-]|\\\\times|\\\\div|\\\\approx", 0 };
    static TgPattern digit = { "\\d", 0 }, number = { "\\d" S "*/" S "*\\d", 0 };

    (void) open;
    for (guint i = 0; i < cells->len; i++) {
        GString *cell = cells->pdata[i];
        tg_page_fold(cell);
        const glong n = length(cell->str);
        if (n < 1 || n > 120 || !has(&sign, cell->str) ||
            (count(&digit, cell->str) < 2 && strstr(cell->str, "\\frac") == NULL &&
             !has(&number, cell->str)) ||
            !tg_page_is_formula_like(cell->str))
            continue;
        tg_page_sanitize(cell);
        add_item(page, FORMULA, "table_formula_rescue", cursor, cursor + n, cell->str);
        cursor += n + 1;
    }
}

static void free_string(gpointer text)
{
    g_string_free(text, TRUE);
}

typedef struct {
    char name[12];
    GString *cell; /* NULL: none */
} Element;

/* Formulas in the cells of a table. */
static void rescue_cells(Page *page, const char *table, gsize len, glong start)
{
    static const char *const empty[] = {
        "area",  "base", "br",   "col",   "embed",  "hr",    "img",
        "input", "link", "meta", "param", "source", "track", "wbr"
    };
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(Element));
    g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(free_string);
    g_autoptr(GString) part = g_string_new(NULL);
    const char *at = table;
    HtmlKind kind;

    while ((kind = next_html(&at, table + len, part)) != HTML_END) {
        const guint lowest = open->len > MAX_OPEN ? open->len - MAX_OPEN : 0;
        if (kind == HTML_OPEN && !is_word(part->str, empty, G_N_ELEMENTS(empty))) {
            Element element = { { 0 }, NULL };
            g_strlcpy(element.name, part->str, sizeof element.name);
            if (strcmp(part->str, "td") == 0 || strcmp(part->str, "th") == 0)
                g_ptr_array_add(cells, element.cell = g_string_new(NULL));
            g_array_append_val(open, element);
        }
        for (guint i = open->len; i > lowest && kind != HTML_OPEN; i--) {
            Element *element = &g_array_index(open, Element, i - 1);
            if (kind == HTML_CLOSE && strcmp(element->name, part->str) == 0) {
                g_array_set_size(open, i - 1);
                break;
            }
            if (kind == HTML_TEXT && element->cell != NULL && element->cell->len < MAX_CELL) {
                g_string_append_printf(element->cell, " %s", part->str);
                tg_page_fold(element->cell);
            }
        }
    }
    add_cells(page, open, cells, start);
}

/* ---- tables ---- */

/* Where a table may start: the tag needs an end somewhere. */
static const char *find_table(const char *at, const char *begin, const char *last)
{
    const char *found = at != NULL ? strstr(at, begin) : NULL;

    return found != NULL && (begin[0] == '\\' || found < last) ? found : NULL;
}

static const char *skip(const char *at, guint n)
{
    while (n-- > 0 && *at != '\0')
        at = g_utf8_next_char(at);
    return at;
}

#define MAX_SCANS 100 /* of a page for tables that are not closed */

/* Outermost tables; each that is not closed makes another scan from after its start on.
 * @n_begin, @n_end: what a start and an end are taken to be long. */
static GArray *find_tables(const char *text, const char *begin, const char *end, guint n_begin,
                           guint n_end)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(Span));
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(const char *));
    const char *from = text, *last = strrchr(text, '>');

    for (guint scan = 0; scan < MAX_SCANS && from != NULL; scan++) {
        const char *at = from, *b = find_table(at, begin, last), *e = strstr(at, end);
        g_array_set_size(open, 0);
        while (b != NULL || e != NULL) {
            if (b != NULL && (e == NULL || b < e)) {
                g_array_append_val(open, b);
                at = skip(b, n_end);
            } else {
                at = skip(e, n_end);
                if (open->len > 0) {
                    const Span span = { (gsize) (g_array_index(open, const char *, open->len - 1) -
                                                 text),
                                        (gsize) (at - text) };
                    g_array_set_size(open, open->len - 1);
                    if (open->len == 0)
                        g_array_append_val(out, span);
                }
            }
            if (b != NULL && b < at)
                b = find_table(at, begin, last);
            if (e != NULL && e < at)
                e = strstr(at, end);
        }
        from = open->len > 0 ? skip(g_array_index(open, const char *, 0), n_begin) : NULL;
    }
    return out;
}

/* Everything from @open to the next @close. */
static GArray *find_pairs(const char *text, const char *open, const char *close)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(Span));
    const char *at = text, *end;

    while ((at = strstr(at, open)) != NULL && (end = strstr(at + strlen(open), close)) != NULL) {
        const Span span = { (gsize) (at - text), (gsize) (end - text) + strlen(close) };
        g_array_append_val(out, span);
        at = text + span.end;
    }
    return out;
}

/* HTML tables as items, with their cells. */
static void take_tables(Page *page, const GArray *spans, const char *kind)
{
    for (guint i = 0; i < spans->len; i++) {
        const Span *span = &g_array_index(spans, Span, i);
        g_autofree char *table = g_strndup(page->text->str + span->start, span->end - span->start);
        const glong start = place_of(page, span->start);
        add_item(page, "html_table", kind, start, place_of(page, span->end), table);
        rescue_cells(page, table, strlen(table), start);
    }
    blank_out(page, spans);
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
    static TgPattern comment = { "(?s)<!--.*?-->", 0 };
    static const char *const dropped[] = { "<table>",  "</table>", "<thead>",
                                           "</thead>", "<tbody>",  "</tbody>" };
    g_autoptr(GString) text = g_string_new(buffer->str), rows = g_string_new(NULL);

    tg_pattern_replace(&comment, text, "");
    g_autoptr(GArray) tables = find_pairs(text->str, "<table>", "</table>");
    for (guint i = 0; i < tables->len; i++) {
        const Span *span = &g_array_index(tables, Span, i);
        g_autofree char *table = g_strndup(text->str + span->start, span->end - span->start);
        g_auto(GStrv) lines = g_strsplit(table, "\n", -1);
        g_autoptr(GString) kept = g_string_new(NULL);
        guint n = 0;
        for (guint k = 0; lines[k] != NULL; k++) {
            gboolean drop = FALSE;
            g_autoptr(GString) line = g_string_new(lines[k]);
            if (strstr(line->str, "<th>") != NULL) {
                g_string_replace(line, "<th>", "<td>", 0);
                g_string_replace(line, "</th>", "</td>", 0);
            }
            for (guint d = 0; d < G_N_ELEMENTS(dropped); d++)
                drop |= strstr(line->str, dropped[d]) != NULL;
            if (!drop)
                g_string_append_printf(kept, "%s%s", n++ > 0 ? "\n" : "", line->str);
        }
        if (n > 2)
            g_string_append_printf(rows, "%s%s", rows->len > 0 ? "\n" : "", kept->str);
    }
    g_string_append_printf(out, "\n\n<table>\n%s\n</table>\n\n\n", rows->str);
}

/* Markdown tables as HTML; all positions behind them change. */
static void convert_tables(GString *text, const GArray *tables)
{
    g_autoptr(GString) html = g_string_new(NULL), out = g_string_new(NULL);
    g_autoptr(GString) buffer = g_string_new(NULL);
    gsize done = 0;
    gboolean inside = FALSE;
    const char *last = "";

    for (guint i = 0; i < tables->len; i++) {
        const Span *span = &g_array_index(tables, Span, i);
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
    g_string_replace(out, "<table>", "<table border=\"1\" >", 0);
    g_string_replace(out, "<td>", "<td colspan=\"1\" rowspan=\"1\">", 0);
    g_string_assign(text, out->str);
}

/* ---- displays ---- */

#define SPACING "\\\\(?:qquad|quad|enspace|[,;:])"

static gboolean is_arithmetic(const char *piece)
{
    static TgPattern structure = {
        "\\\\begin\\{|\\\\end\\{|\\\\(?:mathbf|left|right|cdot|lambda|Gamma|varGamma|text|matrix|"
        "pmatrix|bmatrix)",
        0
    };
    static TgPattern relation = { "=|\\\\approx|≈|\\\\neq|≠|\\\\leq|≤|\\\\geq|≥", 0 };
    static TgPattern digit = { "[0-9]", 0 };
    g_autoptr(GString) text = g_string_new(piece);

    tg_page_fold(text);
    return text->len > 0 && length(text->str) <= 160 && !has(&structure, text->str) &&
           has(&relation, text->str) &&
           (count(&digit, text->str) >= 2 || strstr(text->str, "\\frac") != NULL ||
            has(&calculation, text->str));
}

/* A caption in a formula's margin as text. */
static GString *caption_text(const char *raw)
{
    GString *text = g_string_new(raw);

    tg_page_trim(text);
    tg_page_plain(text);
    tg_page_trim(text);
    return text;
}

static gboolean is_caption(const char *raw)
{
    static TgPattern letter = { "[A-Za-z]", 0 }, word = { "[A-Za-z]{2,}", 0 },
                     digit = { "[0-9]", 0 };
    static TgPattern mark = { "\\\\[A-Za-z]+|[=<>≤≥÷×±∑∫√_^{}]", 0 };
    static TgPattern label = { "\\A[0-9IVXivx]*\\z", 0 };
    g_autoptr(GString) text = caption_text(raw);

    tg_page_fold(text);
    g_autoptr(GString) inside = g_string_new(text->str);
    if (inside->len >= 2 && inside->str[0] == '(' && g_str_has_suffix(inside->str, ")")) {
        g_string_truncate(inside, inside->len - 1);
        g_string_erase(inside, 0, 1);
    }
    tg_pattern_replace(&all_blanks, inside, "");
    const guint letters = count(&letter, text->str), marks = count(&mark, raw);
    return !has(&label, inside->str) &&
           ((letters >= 10 && count(&word, text->str) >= 2 && marks <= 6) ||
            (letters >= 14 && !has(&digit, text->str) && marks <= 3));
}

/* Take the number before a formula and the captions after it off: items in @captions, unless
 * nothing would be left. FALSE: none. */
static gboolean split_margins(GString *formula, GArray *captions, glong start, glong end)
{
    static TgPattern lead = { "\\A" S "*(\\\\left\\(" S "*[0-9IVXivx]+" S "*\\\\right\\)|\\(" S
                              "*[0-9IVXivx]+" S "*\\))" S "*(?:" SPACING S "*)*+",
                              0 };
    static TgPattern trails[] = {
        { SPACING S "*(\\\\text" S "*\\{[^{}]*\\}\\.?" S "*)\\z", 0 },
        { SPACING S "*(\\((?=[^)]*[A-Za-z])[^)]*\\)\\.?" S "*)\\z", 0 },
    };
    static TgPattern spacings = { "(?:" SPACING S "*)++\\z", 0 };
    Page captioned = { .items = captions };
    TgSpans spans;
    gboolean any = FALSE;

    if (tg_pattern_find(&lead, formula->str, formula->len, 0, spans)) {
        g_autofree char *raw = g_strndup(formula->str + spans[2], (gsize) (spans[3] - spans[2]));
        g_autoptr(GString) caption = caption_text(raw);
        if (caption->len > 0)
            add_item(&captioned, TEXT, "equation_caption", start,
                     MIN(end, start + length(caption->str)), caption->str);
        g_string_erase(formula, 0, spans[1]);
        tg_page_trim(formula);
        any = TRUE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(trails);) {
        g_autofree char *raw = NULL;
        if (tg_pattern_find(&trails[i], formula->str, formula->len, 0, spans))
            raw = g_strndup(formula->str + spans[2], (gsize) (spans[3] - spans[2]));
        if (raw == NULL || !is_caption(raw)) {
            i++;
            continue;
        }
        g_autoptr(GString) caption = caption_text(raw);
        add_item(&captioned, TEXT, "equation_caption", MAX(start, end - length(caption->str)), end,
                 caption->str);
        g_string_truncate(formula, (gsize) spans[0]);
        tg_page_trim(formula);
        any = TRUE;
        i = 0;
    }
    if (any && tg_pattern_find(&spacings, formula->str, formula->len, 0, spans)) {
        g_string_truncate(formula, (gsize) spans[0]);
        tg_page_trim(formula);
    }
    return any;
}

static void add_display(Page *page, const char *display, glong start, glong end, const char *kind)
{
    static TgPattern quad = { S "*\\\\(?:qquad|quad)" S "*", 0 };
    g_autoptr(GString) folded = g_string_new(display), inside = NULL;
    g_autoptr(GArray) captions = g_array_new(FALSE, FALSE, sizeof(TgPageItem));
    const char *open = "", *close = "";
    g_autofree char *content = g_strdup(display);

    tg_page_fold(folded);
    for (guint pass = 0; pass < 2; pass++) {
        /* Once for margins, once for pieces of what is left. */
        inside = inside != NULL ? inside : g_string_new(NULL);
        g_string_assign(inside, folded->str);
        for (guint i = 0; i < 4; i++) {
            const char *const *pair =
                (const char *const[]){ "\\[", "\\]", "\\(", "\\)", "$$", "$$", "$", "$" } + 2 * i;
            if (folded->len >= 2 * strlen(pair[0]) && g_str_has_prefix(folded->str, pair[0]) &&
                g_str_has_suffix(folded->str, pair[1])) {
                g_string_truncate(inside, inside->len - strlen(pair[1]));
                g_string_erase(inside, 0, (gssize) strlen(pair[0]));
                tg_page_trim(inside);
                open = pair[0];
                close = pair[1];
                break;
            }
        }
        if (pass == 1 || !split_margins(inside, captions, start, end))
            continue;
        if (inside->len > 0)
            g_string_printf(folded, "%s %s %s", open, inside->str, close);
        else
            g_array_set_size(captions, 0);
        g_free(content);
        content = g_strdup(folded->str);
    }
    g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
    gboolean arithmetic = TRUE;
    TgSpans spans;
    for (gsize at = 0; at <= inside->len;) {
        const gboolean more = tg_pattern_find(&quad, inside->str, inside->len, at, spans);
        const gsize stop = more ? (gsize) spans[0] : inside->len;
        g_autoptr(GString) piece = g_string_new_len(inside->str + at, (gssize) (stop - at));
        tg_page_trim(piece);
        if (piece->len > 0) {
            arithmetic = arithmetic && is_arithmetic(piece->str);
            g_ptr_array_add(pieces, g_strdup(piece->str));
        }
        at = more ? (gsize) spans[1] : inside->len + 1;
    }
    if (pieces->len >= 2 && arithmetic) {
        const glong n = pieces->len, span = MAX(MAX(end - start, n) / n, 1);
        for (glong i = 0; i < n; i++) {
            g_autofree char *piece =
                g_strdup_printf("%s %s %s", open, (char *) pieces->pdata[i], close);
            const glong first = start + i * span;
            add_item(page, FORMULA, kind, first, i + 1 == n ? end : MIN(end, first + span), piece);
        }
    } else {
        add_item(page, FORMULA, kind, start, end, content);
    }
    g_array_append_vals(page->items, captions->data, captions->len);
}

/* The end of the formula that begins at @at; NULL: none does. */
static const char *formula_end(const char *at, gboolean *missing)
{
    static const char *const pairs[4][2] = {
        { "$$", "$$" }, { "\\[", "\\]" }, { "$", "$" }, { "\\(", "\\)" }
    };

    for (guint i = 0; i < 4; i++) {
        if (missing[i] || !g_str_has_prefix(at, pairs[i][0]))
            continue;
        const char *end = strstr(at + strlen(pairs[i][0]), pairs[i][1]);
        if (end != NULL)
            return end + strlen(pairs[i][1]);
        missing[i] = TRUE;
    }
    return NULL;
}

static void take_formulas(Page *page)
{
    static TgPattern inner = { "(?s)\\$\\$(.*?)\\$\\$|\\$(.*?)\\$|\\\\\\((.*?)\\\\\\)", 0 };
    g_autoptr(GArray) gone = g_array_new(FALSE, FALSE, sizeof(Span));
    const char *text = page->text->str, *at = text, *end;
    gboolean missing[4] = { FALSE };
    TgSpans spans;

    while ((at = strpbrk(at, "$\\")) != NULL) {
        if ((end = formula_end(at, missing)) == NULL) {
            at++;
            continue;
        }
        const Span span = { (gsize) (at - text), (gsize) (end - text) };
        g_autoptr(GString) display = g_string_new_len(at, end - at);
        const char *kind = NULL;
        g_strdelimit(display->str, "\n", ' ');
        if (tg_pattern_find(&inner, display->str, display->len, 0, spans)) {
            kind = spans[2] < 0 || spans[3] == spans[2] ? "equation_inline" : NULL;
            tg_pattern_replace(&inner, display,
                               kind != NULL ? "\\\\[\\2\\3\\\\]" : "\\\\[\\1\\\\]");
        }
        if (kind == NULL)
            g_array_append_val(gone, span);
        const glong start = place_of(page, span.start);
        add_display(page, display->str, start, place_of(page, span.end), kind);
        at = end;
    }
    blank_out(page, gone);
}

/* ---- a page ---- */

static void take_images(Page *page)
{
    static TgPattern image = { "!\\[(.*?)\\]\\(.*?\\)", 0 };
    g_autoptr(GArray) gone = g_array_new(FALSE, FALSE, sizeof(Span));
    TgSpans spans;

    for (gsize at = 0; tg_pattern_find(&image, page->text->str, page->text->len, at, spans);
         at = (gsize) spans[1]) {
        g_autoptr(GString) text = g_string_new_len(page->text->str + spans[2], spans[3] - spans[2]);
        const Span span = { (gsize) spans[0], (gsize) spans[1] };
        const glong start = place_of(page, span.start);
        tg_page_trim(text);
        rescue(page, text->str, start, place_of(page, span.end), "image_formula");
        g_array_append_val(gone, span);
    }
    blank_out(page, gone);
}

/* Descriptions of pictures hold no formulas. */
static void open_descriptions(GString *text)
{
    static TgPattern gap = { "\\n" S "*\\n", 0 };
    static TgPattern start = { "\\A(?:the image |the image displays|the figure |the figure shows|"
                               "the diagram |diagram:|\\[diagram:|\\[image:|qr code )",
                               0 };
    static TgPattern parens = { "(?s)\\\\\\((.*?)\\\\\\)", 0 }, dollars = { "(?s)\\$(.*?)\\$", 0 };
    g_autoptr(GString) out = g_string_sized_new(text->len);
    TgSpans spans;

    for (gsize at = 0; at <= text->len;) {
        const gboolean more = tg_pattern_find(&gap, text->str, text->len, at, spans);
        const gsize stop = more ? (gsize) spans[0] : text->len;
        g_autoptr(GString) piece = g_string_new_len(text->str + at, (gssize) (stop - at));
        g_autoptr(GString) folded = g_string_new(piece->str);
        tg_page_fold(folded);
        g_autofree char *lower = g_utf8_strdown(folded->str, 100 < folded->len ? 40 : -1);
        if (has(&start, lower) && length(folded->str) >= 24) {
            tg_pattern_replace(&parens, piece, "\\1");
            tg_pattern_replace(&dollars, piece, "\\1");
        }
        g_string_append(out, piece->str);
        if (more)
            g_string_append_len(out, text->str + spans[0], spans[1] - spans[0]);
        at = more ? (gsize) spans[1] : text->len + 1;
    }
    g_string_assign(text, out->str);
}

static void take_code(Page *page)
{
    static TgPattern code = { "```\\w+\\n", 0 };
    g_autoptr(GArray) gone = g_array_new(FALSE, FALSE, sizeof(Span));
    const char *text = page->text->str, *end;
    TgSpans spans;

    for (gsize at = 0; tg_pattern_find(&code, text, page->text->len, at, spans) &&
                       (end = strstr(text + spans[1], "```")) != NULL;) {
        g_autoptr(GString) content = g_string_new_len(text + spans[1], end - (text + spans[1]));
        const Span span = { (gsize) spans[0], at = (gsize) (end + 3 - text) };
        const glong start = place_of(page, span.start);
        tg_page_trim(content);
        add_item(page, TEXT, "code", start, place_of(page, span.end), content->str);
        g_array_append_val(gone, span);
    }
    blank_out(page, gone);
}

static void take_texts(Page *page)
{
    g_auto(GStrv) pieces = g_strsplit(page->text->str, "\n\n", -1);
    glong start = 0;

    if (g_strv_length(pieces) <= 1) {
        g_strfreev(pieces);
        pieces = g_strsplit(page->text->str, "\n", -1);
    }
    for (guint i = 0; pieces[i] != NULL; i++) {
        g_autoptr(GString) text = g_string_new(pieces[i]);
        const glong end = start + length(pieces[i]);
        trim_lines(text);
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
    static TgPattern arrow = { "\\A\\\\(?:xrightarrow|longrightarrow)", 0 };
    static TgPattern operator= { "[=<>≤≥≈≠^+/-]|\\\\(?:cdot|frac|sqrt|sum|int|times|div|approx|neq|"
                                 "leq|geq|xrightarrow|longrightarrow)",
                                 0 };
    static TgPattern name = { "\\A(?:[A-Za-z0-9._,-]+|[ΓγλμνxyzuvwMNOabcABC0-9._,-]+)\\z", 0 };

    if (item->kind == NULL || strcmp(item->kind, "equation_inline") != 0)
        return FALSE;
    g_autoptr(GString) text = g_string_new(item->content);
    unwrap(text);
    g_autoptr(GString) dense = g_string_new(text->str);
    tg_pattern_replace(&all_blanks, dense, "");
    return has(&arrow, dense->str) || (dense->len > 0 && length(dense->str) <= 24 &&
                                       !has(&operator, text->str) && has(&name, dense->str));
}

static void clear_item(gpointer item)
{
    g_free(((TgPageItem *) item)->content);
}

static gint compare_starts(gconstpointer a, gconstpointer b)
{
    const TgPageItem *left = *(const TgPageItem *const *) a,
                     *right = *(const TgPageItem *const *) b;

    return left->start != right->start ? (left->start < right->start ? -1 : 1)
                                       : (left < right ? -1 : left > right);
}

/* Items by start, without mere names, those of a category together. */
static GArray *sort_items(GArray *items)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(TgPageItem));
    g_autoptr(GPtrArray) order = g_ptr_array_new();

    g_array_set_clear_func(out, clear_item);
    for (guint i = 0; i < items->len; i++)
        g_ptr_array_add(order, &g_array_index(items, TgPageItem, i));
    g_ptr_array_sort(order, compare_starts);
    for (guint i = 0; i < order->len; i++) {
        TgPageItem *first = order->pdata[i];
        if (first->content != NULL && is_short_inline(first))
            g_clear_pointer(&first->content, g_free);
        const char *category = first->content != NULL ? first->category : NULL;
        for (guint k = i; k < order->len && category != NULL; k++) {
            TgPageItem *item = order->pdata[k];
            if (item->content == NULL || strcmp(item->category, category) != 0)
                continue;
            if (!is_short_inline(item))
                g_array_append_val(out, *item);
            else
                g_free(item->content);
            item->content = NULL;
        }
    }
    return out;
}

/* The text as the protocol reads it: valid UTF-8, one kind of line ends, without wrappers. */
static void prepare(Page *page, const char *markdown, gsize len)
{
    static TgPattern fences[] = { { "(?m)^```markdown\\n?", 0 },
                                  { "(?m)^```html\\n?", 0 },
                                  { "(?m)^```latex\\n?", 0 },
                                  { "(?m)```\\n?$", 0 } };
    static TgPattern underscores = { "_{5,}", 0 }, spaces = { " {5,}", 0 };
    static TgPattern wrapper = { "</?(?:html|body)>", 0 };
    g_autofree char *valid = g_utf8_make_valid(markdown, (gssize) len);

    g_string_assign(page->text, valid);
    g_string_replace(page->text, "\r\n", "\n", 0);
    g_string_replace(page->text, "\r", "\n", 0);
    take_images(page);
    for (guint i = 0; i < G_N_ELEMENTS(fences); i++)
        tg_pattern_replace(&fences[i], page->text, "");
    tg_pattern_replace(&underscores, page->text, "____");
    tg_pattern_replace(&spaces, page->text, "    ");
    tg_pattern_replace(&wrapper, page->text, "");
    open_descriptions(page->text);
    restart(page);
}

GArray *tg_page_items(const char *markdown, gsize len)
{
    static TgPattern titles[] = {
        { "\\\\title\\{([^}\\n]*)\\}", 0 },
        { "\\\\title" S "*\\{" S "*([^}]*?)" S "*\\}", 0 },
        { "\\\\text" S "*\\{" S "*([^}]*?)" S "*\\}", 0 },
        { "\\\\section\\*?\\{([^}\\n]*)\\}", 0 },
        { "\\\\section\\*?" S "*\\{" S "*([^}]*?)" S "*\\}", 0 },
    };
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(TgPageItem));
    Page page = { .text = text, .items = items };

    prepare(&page, markdown, len);
    g_autoptr(GArray) floats = find_pairs(text->str, "\\begin{table}", "\\end{table}");
    blank_out(&page, floats);
    g_autoptr(GArray) tabulars =
        find_tables(text->str, "\\begin{tabular}", "\\end{tabular}", 16, 14);
    blank_out(&page, tabulars);
    g_autoptr(GArray) tables = find_tables(text->str, "<table", "</table>", 16, 8);
    take_tables(&page, tables, NULL);
    take_formulas(&page);
    g_string_append_c(text, '\n');
    g_autoptr(GArray) rows = find_pairs(text->str, "|", "|\n");
    if (rows->len >= 2) {
        convert_tables(text, rows);
        restart(&page);
        g_autoptr(GArray) converted = find_pairs(text->str, "<table", "</table>");
        take_tables(&page, converted, "md2html_table");
    } else {
        g_string_truncate(text, text->len - 1);
    }
    take_code(&page);
    for (guint i = 0; i < G_N_ELEMENTS(titles); i++)
        tg_pattern_replace(&titles[i], text, "\\1");
    take_texts(&page);
    return sort_items(items);
}
