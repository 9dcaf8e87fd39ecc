/* Items of a page in Markdown by OmniDocBench's protocol: formulas, texts, and texts that may be
 * formulas. Each step takes items of one kind out of the page and leaves spaces in their place. */
#include "datasets/documents/document.h"

#include <string.h>

#define TEXT    "text_all"
#define FORMULA "equation_isolated"
#define RESCUED "formula_rescue"
#define TABLE   "html_table"

/* A part of a text. */
typedef struct {
    const char *start, *end;
} Part;

/* A page on its way through the steps: they take items out of the text and leave spaces. */
typedef struct {
    GString *text;
    GArray *items; /* TgPageItem */
    guint n_last;  /* number of the items that sort_items() puts after the others */
    gboolean cut;  /* the page has more items than are read */
    /* of the current step: the parts that it takes out, in order; a place in bytes and the same
     * place in code points */
    GArray *parts; /* Part */
    gsize byte;
    glong place;
} Page;

/* Whether reading must stop: the page has the maximum of items, or a step has found that many. */
static gboolean is_full(Page *page, guint n_found)
{
    const gboolean full = MAX(page->items->len, n_found) >= TG_PAGE_MAX_ITEMS;

    page->cut |= full;
    return full;
}

/* ---- texts that may be formulas without delimiters ---- */

/* Replace delimiters of formulas by spaces. */
static void unwrap(GString *text)
{
    const TgWordList delimiters = TG_WORDS_DELIMITERS;

    for (const TgWord *word = tg_words(delimiters); word->list == delimiters; word++)
        tg_text_replace_enclosed(text, word->word, word->with, FALSE, " ");
}

/* Whether the character at @at is one of @letters. */
static gboolean is_one_of(const char *at, const char *letters)
{
    const gunichar code = g_utf8_get_char(at);

    return code != 0 && g_utf8_strchr(letters, -1, code) != NULL;
}

static guint count_digits(const char *text)
{
    guint n = 0;

    for (; *text != '\0'; text = g_utf8_next_char(text))
        n += tg_is_digit_at(text);
    return n;
}

/* Whether a text has `\frac`, or a slash between digits. */
static gboolean has_fraction(const char *text)
{
    for (const char *slash = strchr(text, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        const char *before = tg_skip_blanks_back(text, slash);
        if (before > text && tg_is_digit_at(g_utf8_prev_char(before)) &&
            tg_is_digit_at(tg_skip_blanks(slash + 1)))
            return TRUE;
    }
    return strstr(text, "\\frac") != NULL;
}

static guint count_operators(const char *text)
{
    guint n = 0;

    while (*text != '\0') {
        const TgWord *operator= tg_word_at(TG_WORDS_OPERATORS, text);
        n += operator!= NULL || * text == '-';
        text = operator!= NULL ? text + strlen(operator->word) : g_utf8_next_char(text);
    }
    return n;
}

/* The number of characters but for commands, signs, digits and white space. */
static glong count_rest(const char *text)
{
    static const char *const signs = "=<>≤≥÷×±∑∫√^_□△…%/()+-";
    glong n = 0;

    while (*text != '\0') {
        if (text[0] == '\\' && g_ascii_isalpha(text[1])) {
            for (text++; g_ascii_isalpha(*text);)
                text++;
            continue;
        }
        n += !is_one_of(text, signs) && !tg_is_digit_at(text) && !tg_is_blank_at(text);
        text = g_utf8_next_char(text);
    }
    return n;
}

/* Whether there is a reaction arrow as a command. */
static gboolean has_long_arrow(const char *text)
{
    return strstr(text, "\\xrightarrow") != NULL || strstr(text, "\\longrightarrow") != NULL;
}

/* Whether a text looks like a formula: `so $x=1$`, `3 + □ = 5`, `A → B`, `1/2 + 1/3`, `a+b=c`. */
static gboolean is_formula_like(const char *text)
{
    g_autoptr(GString) folded = g_string_new(text), bare = NULL, dense = NULL;

    tg_text_fold(folded, " ");
    if (folded->len == 0 || tg_text_is_longer(folded->str, 220))
        return FALSE;
    bare = g_string_new(folded->str);
    unwrap(bare);
    dense = g_string_new(bare->str);
    tg_text_fold(dense, "");
    const glong length = g_utf8_strlen(dense->str, -1);
    if (length == 0)
        return FALSE;
    const guint n_operators = count_operators(bare->str), n_words = tg_count_words(bare->str, 4);
    guint n_han = 0;
    for (const char *at = bare->str; *at != '\0'; at = g_utf8_next_char(at))
        n_han += g_utf8_get_char(at) >= 0x4E00 && g_utf8_get_char(at) <= 0x9FFF;
    const gboolean has_box =
        strstr(bare->str, "□") != NULL || strstr(bare->str, "\\square") != NULL;
    const gboolean has_arrow = has_long_arrow(bare->str) || strstr(bare->str, "→") != NULL;
    const gboolean has_delimiters = strcmp(bare->str, folded->str) != 0;
    if (has_delimiters && count_rest(bare->str) <= 18 && n_operators >= 1)
        return TRUE;
    if (has_box && n_operators >= 1 && n_words <= 1 && length <= 80)
        return TRUE;
    if (has_arrow && n_han <= 24 && length <= 120)
        return TRUE;
    if (n_operators >= 2 && count_digits(bare->str) >= 1 && n_words <= 2 && n_han <= 12 &&
        length <= 100)
        return TRUE;
    return n_operators >= 3 && n_words == 0 && n_han <= 18 && length <= 80;
}

/* Write the first reaction arrow with its condition as text, `A \xrightarrow{点燃} B` as
 * `A \xrightarrow{\text{点燃}} B`; 氧化还原反应 (redox reaction) at the end goes below it. */
static void write_arrow(GString *text)
{
    static const char arrow[] = "\\xrightarrow", redox[] = "氧化还原反应";
    const char *at = strstr(text->str, arrow), *open = NULL, *close = NULL;

    for (; at != NULL; at = strstr(at + 1, arrow)) {
        open = tg_skip_blanks(at + strlen(arrow));
        close = tg_flat_group(open);
        if (close != NULL && close > open + 1)
            break;
    }
    if (at == NULL)
        return;
    g_autoptr(GString) before = tg_text_trimmed(text->str, at);
    g_autoptr(GString) label = tg_text_trimmed(open + 1, close);
    g_autoptr(GString) behind = tg_text_trimmed(close + 1, text->str + text->len);
    const gboolean is_text = label->len > 0 && strchr(label->str, '\\') == NULL;
    g_autofree char *whole = is_text ? g_strdup_printf("%s{\\text{%s}}", arrow, label->str)
                                     : g_strdup_printf("%s{%s}", arrow, label->str);
    if (g_str_has_suffix(behind->str, redox)) {
        g_string_truncate(behind, behind->len - strlen(redox));
        tg_text_trim(behind);
        g_string_printf(text, "%s \\underset{%s}{%s} %s", before->str, redox, whole, behind->str);
    } else {
        g_string_printf(text, "%s %s %s", before->str, whole, behind->str);
    }
}

void tg_page_sanitize(GString *text)
{
    tg_text_fold(text, " ");
    unwrap(text);
    tg_words_replace(TG_WORDS_SYMBOLS, text);
    write_arrow(text);
    for (gsize i = 0; i < text->len; i++) /* put a backslash before `%` and `&` without one */
        if ((text->str[i] == '%' || text->str[i] == '&') && (i == 0 || text->str[i - 1] != '\\'))
            g_string_insert_c(text, (gssize) i++, '\\');
    tg_text_fold(text, " ");
    if (text->len > 0 && !g_str_has_prefix(text->str, "\\begin{") &&
        !g_str_has_prefix(text->str, "$$") && !g_str_has_prefix(text->str, "\\[")) {
        g_string_prepend(text, "\\[ ");
        g_string_append(text, " \\]");
    }
}

gboolean tg_page_rescue(GString *text)
{
    const gboolean is_like = is_formula_like(text->str);

    if (is_like)
        tg_page_sanitize(text);
    return is_like && text->len > 0;
}

/* ---- items ---- */

static gboolean consists_of(const char *text, const char *letters)
{
    while (is_one_of(text, letters))
        text = g_utf8_next_char(text);
    return *text == '\0';
}

/* Whether an inline formula is only a name, `x_1`, a number or an arrow, so that it is no item. */
static gboolean is_mere_name(const char *formula)
{
    static const char *const latin =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._,";
    static const char *const greek = "ΓγλμνxyzuvwMNOabcABC0123456789._,";
    g_autoptr(GString) inside = g_string_new(formula), dense = NULL;

    unwrap(inside);
    dense = g_string_new(inside->str);
    tg_text_fold(dense, "");
    if (g_str_has_prefix(dense->str, "\\xrightarrow") ||
        g_str_has_prefix(dense->str, "\\longrightarrow"))
        return TRUE;
    if (dense->len == 0 || tg_text_is_longer(dense->str, 24) || strchr(inside->str, '-') != NULL ||
        tg_word_in(TG_WORDS_STRONG, inside->str) != NULL)
        return FALSE;
    return consists_of(dense->str, latin) || consists_of(dense->str, greek);
}

static void add_item(Page *page, const char *category, const char *kind, glong start, glong end,
                     const char *content)
{
    if (g_strcmp0(kind, "equation_inline") == 0 && is_mere_name(content))
        return;
    if (page->items->len == TG_PAGE_MAX_ITEMS)
        return;
    const TgPageItem item = { category, kind, start, end, g_strdup(content) };
    g_array_insert_val(page->items, page->items->len - page->n_last, item);
}

static void clear_item(gpointer item)
{
    g_free(((TgPageItem *) item)->content);
}

/* Add a text as a formula if it may be one without delimiters. */
static void rescue(Page *page, const char *text, glong start, glong end, const char *kind)
{
    g_autoptr(GString) content = g_string_new(text);

    if (tg_page_rescue(content))
        add_item(page, has_long_arrow(content->str) ? FORMULA : RESCUED, kind, start, end,
                 content->str);
}

/* Add the formulas in the cells of a table. Their places follow each other from the table's
 * start. */
static void rescue_cells(Page *page, const char *table, glong cursor)
{
    g_autoptr(GPtrArray) cells = tg_html_cells(table);

    for (guint i = 0; i < cells->len; i++) {
        g_autoptr(GString) content = cells->pdata[i];
        const glong length = g_utf8_strlen(content->str, -1);
        const gboolean is_computation = /* `1/2 + 1/2` */
            (tg_word_in(TG_WORDS_CELL, content->str) != NULL ||
             strchr(content->str, '-') != NULL) &&
            (count_digits(content->str) >= 2 || has_fraction(content->str));
        if (!is_computation || !tg_page_rescue(content))
            continue;
        add_item(page, FORMULA, "table_formula_rescue", cursor, cursor + length, content->str);
        cursor += length + 1;
    }
}

/* ---- displays: captions in their margins, arithmetic ---- */

/* A caption in the margin of a display. */
typedef struct {
    /* start of the spacing before the caption, if it follows the formula; start and end of the
     * caption */
    const char *start, *text, *end;
} Caption;

/* Whether a formula begins with figures or a Roman number in parentheses or in `\left(` and
 * `\right)`: `(3)`, with the white space and spacings that follow. */
static gboolean find_lead(const char *formula, Caption *caption)
{
    const char *at = formula;
    const gboolean is_long = g_str_has_prefix(at, "\\left(");
    const TgWord *space;

    if (!is_long && *at != '(')
        return FALSE;
    at = tg_skip_blanks(at + (is_long ? strlen("\\left(") : 1));
    const gsize n = strspn(at, "0123456789IVXivx");
    at = tg_skip_blanks(at + n);
    if (n == 0 || !g_str_has_prefix(at, is_long ? "\\right)" : ")"))
        return FALSE;
    at += is_long ? strlen("\\right)") : 1;
    *caption = (Caption){ formula, formula, at };
    at = tg_skip_blanks(at);
    while ((space = tg_word_at(TG_WORDS_MARGIN_SPACES, at)) != NULL)
        at = tg_skip_blanks(at + strlen(space->word));
    caption->start = at; /* of the formula, in this case */
    return TRUE;
}

/* The end of `\text{...}`, with a full stop that follows, or NULL. */
static const char *text_command_end(const char *at)
{
    if (!g_str_has_prefix(at, "\\text"))
        return NULL;
    const char *close = tg_flat_group(tg_skip_blanks(at + strlen("\\text")));
    return close != NULL ? close + 1 + (close[1] == '.') : NULL;
}

/* The end of `(...)` with a letter in it, and with a full stop that follows, or NULL. */
static const char *parenthesis_end(const char *at)
{
    const gsize n = *at == '(' ? 1 + strcspn(at + 1, ")") : 0;
    const gboolean has_letter = strcspn(at, G_CSET_A_2_Z G_CSET_a_2_z) < n;

    return has_letter && at[n] == ')' ? at + n + 1 + (at[n + 1] == '.') : NULL;
}

/* A caption as characters. (transfer full) */
static GString *caption_text(const char *from, const char *end)
{
    GString *text = tg_text_trimmed(from, end);

    tg_latex_to_text(text);
    tg_text_fold(text, " ");
    return text;
}

/* Whether a text beside a formula is a caption: it has words, and few signs of mathematics. */
static gboolean is_caption(const char *from, const char *end)
{
    static const char *const marks = "=<>≤≥÷×±∑∫√_^{}";
    g_autoptr(GString) raw = tg_text_trimmed(from, end), text = caption_text(from, end);
    const guint n_letters = tg_count_any(text->str, G_CSET_A_2_Z G_CSET_a_2_z);
    guint n_marks = tg_count_commands(raw->str);

    for (const char *at = raw->str; *at != '\0'; at = g_utf8_next_char(at))
        n_marks += is_one_of(at, marks);
    g_autoptr(GString) core = g_string_new(text->str);
    if (g_str_has_prefix(core->str, "(") && g_str_has_suffix(core->str, ")") && core->len > 1) {
        g_string_truncate(core, core->len - 1);
        g_string_erase(core, 0, 1);
        tg_text_trim(core);
    }
    if (core->len > 0 && core->str[strspn(core->str, "0123456789IVXivx ")] == '\0')
        return FALSE; /* a number */
    return (n_letters >= 10 && tg_count_words(text->str, 2) >= 2 && n_marks <= 6) ||
           (n_letters >= 14 && count_digits(text->str) == 0 && n_marks <= 3);
}

/* Find the first spacing from which a text goes to the end, and whether this is a caption. */
static gboolean find_trail(const char *formula, const char *(*caption_end)(const char *at),
                           Caption *caption)
{
    for (const char *at = strchr(formula, '\\'); at != NULL; at = strchr(at + 1, '\\')) {
        const TgWord *space = tg_word_at(TG_WORDS_MARGIN_SPACES, at);
        const char *text = space != NULL ? tg_skip_blanks(at + strlen(space->word)) : NULL;
        const char *end = text != NULL ? caption_end(text) : NULL;
        if (end != NULL && *tg_skip_blanks(end) == '\0') {
            *caption = (Caption){ at, text, end };
            return is_caption(text, end);
        }
    }
    return FALSE;
}

/* Add a caption as an item beside its formula. The length of its LaTeX determines the place. */
static void add_caption(Page *page, const Caption *caption, glong start, glong end,
                        gboolean is_lead)
{
    g_autoptr(GString) text = caption_text(caption->text, caption->end);
    const glong n = g_utf8_strlen(caption->text, caption->end - caption->text);

    if (text->len > 0)
        add_item(page, TEXT, "equation_caption", is_lead ? start : MAX(start, end - n),
                 is_lead ? MIN(end, start + n) : end, text->str);
}

/* Take the captions off a formula without delimiters. Returns whether there were any and a formula
 * is left; else nothing changes. */
static gboolean take_captions(Page *page, GString *formula, glong start, glong end)
{
    g_autoptr(GString) rest = g_string_new(formula->str);
    const guint n_before = page->items->len;
    gboolean found = FALSE;
    Caption caption;

    if (find_lead(rest->str, &caption)) {
        found = TRUE;
        add_caption(page, &caption, start, end, TRUE);
        g_string_erase(rest, 0, caption.start - rest->str);
        tg_text_trim(rest);
    }
    while (find_trail(rest->str, text_command_end, &caption) ||
           find_trail(rest->str, parenthesis_end, &caption)) {
        found = TRUE;
        add_caption(page, &caption, start, end, FALSE);
        g_string_truncate(rest, (gsize) (caption.start - rest->str));
        tg_text_trim(rest);
    }
    if (found)
        tg_text_cut_spaces(rest, TG_WORDS_MARGIN_SPACES);
    if (found && rest->len > 0)
        g_string_assign(formula, rest->str);
    else
        g_array_set_size(page->items, n_before);
    return found;
}

/* The pieces of a display between `\quad` or `\qquad`, if all are equations of arithmetic, such as
 * `1+1=2`; or NULL. (transfer full) */
static char **arithmetic_pieces(const char *formula)
{
    g_autoptr(GString) text = g_string_new(formula);
    g_autoptr(GStrvBuilder) out = g_strv_builder_new();
    gboolean fits = TRUE;

    tg_text_replace(text, "\\qquad", "\\quad");
    g_auto(GStrv) pieces = g_strsplit(text->str, "\\quad", -1);
    for (guint i = 0; pieces[i] != NULL; i++) {
        g_autoptr(GString) piece = tg_text_trimmed(pieces[i], pieces[i] + strlen(pieces[i]));
        if (piece->len == 0)
            continue;
        fits = fits && !tg_text_is_longer(piece->str, 160) &&
               tg_word_in(TG_WORDS_NO_ARITHMETIC, piece->str) == NULL &&
               tg_word_in(TG_WORDS_RELATIONS, piece->str) != NULL &&
               (count_digits(piece->str) >= 2 || has_fraction(piece->str));
        g_strv_builder_add(out, piece->str);
    }
    g_auto(GStrv) all = g_strv_builder_end(out);
    return fits && g_strv_length(all) >= 2 ? g_steal_pointer(&all) : NULL;
}

/* Add a display: unchanged, without the captions in its margins, or as its pieces of arithmetic. */
static void add_display(Page *page, const char *display, glong start, glong end, const char *kind)
{
    g_autoptr(GString) content = g_string_new(display), inside = g_string_new(display);
    const guint n_before = page->items->len;

    tg_text_fold(inside, " "); /* "\[ ... \]" */
    g_string_truncate(inside, inside->len - 2);
    g_string_erase(inside, 0, 2);
    tg_text_trim(inside);
    if (take_captions(page, inside, start, end)) {
        if (page->items->len > n_before)
            g_string_printf(content, "\\[ %s \\]", inside->str);
        else
            tg_text_fold(content, " "); /* the display has only captions */
    }
    page->n_last = page->items->len - n_before;
    g_auto(GStrv) pieces = arithmetic_pieces(inside->str);
    const glong n = pieces != NULL ? g_strv_length(pieces) : 0;
    const glong span = MAX(MAX(end - start, n) / MAX(n, 1), 1);
    for (glong i = 0; i < n; i++) {
        const glong first = start + i * span;
        g_string_printf(content, "\\[ %s \\]", pieces[i]);
        add_item(page, FORMULA, kind, first, i == n - 1 ? end : MIN(end, first + span),
                 content->str);
    }
    if (n == 0)
        add_item(page, FORMULA, kind, start, end, content->str);
    page->n_last = 0;
}

/* ---- steps ---- */

/* The place of @at in the page, in code points; places that are asked for only go forward. */
static glong place_of(Page *page, const char *at)
{
    const char *from = page->text->str + page->byte;

    page->place += g_utf8_strlen(from, at - from);
    page->byte += (gsize) (at - from);
    return page->place;
}

/* Take a part out of the page when the step ends. */
static void take_part(Page *page, const char *start, const char *end)
{
    const Part part = { start, end };

    g_array_append_val(page->parts, part);
}

/* End a step: write a space over each character of the parts that it took. */
static void end_step(Page *page)
{
    g_autoptr(GString) out = g_string_sized_new(page->text->len);
    const char *from = page->text->str;

    for (guint i = 0; i < page->parts->len; i++) {
        const Part part = g_array_index(page->parts, Part, i);
        const glong n = g_utf8_strlen(part.start, part.end - part.start);
        g_string_append_len(out, from, part.start - from);
        for (glong k = 0; k < n; k++)
            g_string_append_c(out, ' ');
        from = part.end;
    }
    g_string_append(out, from);
    g_string_assign(page->text, out->str);
    g_array_set_size(page->parts, 0);
    page->byte = 0;
    page->place = 0;
}

/* Images, `![1+1=2](p.png)`: their descriptions may be formulas. */
static void take_images(Page *page)
{
    const char *at = strstr(page->text->str, "![");
    TgSearch middles = { .word = "](" }, ends = { .word = ")" }, lines = { .word = "\n" };

    while (at != NULL && !is_full(page, page->parts->len)) {
        const char *middle = tg_search(&middles, at + 2);
        const char *end = middle != NULL ? tg_search(&ends, middle + 2) : NULL;
        const char *line = tg_search(&lines, at);
        if (end == NULL)
            break;
        if (line != NULL && line < end) {
            at = strstr(at + 2, "![");
            continue;
        }
        const glong start = place_of(page, at);
        g_autoptr(GString) description = tg_text_trimmed(at + 2, middle);
        rescue(page, description->str, start, place_of(page, end + 1), "image_formula");
        take_part(page, at, end + 1);
        at = strstr(end + 1, "![");
    }
    end_step(page);
}

/* Remove the marks that parsers put around a page, and shorten runs of blanks and underscores, by
 * the original's expressions. */
static void unwrap_page(GString *text)
{
    static const struct {
        const char *part, *expression, *with; /* every match has the part in it */
    } marks[] = {
        { "```markdown", "^```markdown\\n?", "" },
        { "```html", "^```html\\n?", "" },
        { "```latex", "^```latex\\n?", "" },
        { "```", "```\\n?$", "" },
        { "_____", "_{5,}", "____" },
        { "     ", " {5,}", "    " },
    };
    const GRegexCompileFlags flags = G_REGEX_MULTILINE | G_REGEX_RAW | G_REGEX_NEWLINE_LF;

    for (guint i = 0; i < G_N_ELEMENTS(marks); i++) {
        if (strstr(text->str, marks[i].part) == NULL)
            continue;
        g_autoptr(GRegex) regex = g_regex_new(marks[i].expression, flags, 0, NULL);
        g_autofree char *changed = g_regex_replace_literal(regex, text->str, (gssize) text->len, 0,
                                                           marks[i].with, 0, NULL);
        g_string_assign(text, changed);
    }
    tg_words_replace(TG_WORDS_HTML_FRAMES, text);
}

/* Take delimiters of formulas out of the paragraphs that describe an image: "The figure shows a
 * curve ..." */
static void open_descriptions(GString *text)
{
    g_autoptr(GString) out = g_string_sized_new(text->len);

    for (const char *at = text->str, *next; *at != '\0'; at = next) {
        /* end of the paragraph: an empty line follows, or a line with blanks */
        const char *end = at;
        for (next = NULL; *end != '\0'; end++) {
            if (*end != '\n')
                continue;
            const char *behind = tg_skip_blanks(end), *last = behind;
            while (last > end && last[-1] != '\n')
                last--;
            if (last > end + 1) {
                next = last;
                break;
            }
        }
        next = next != NULL ? next : end;
        g_autoptr(GString) paragraph = g_string_new_len(at, end - at);
        g_autoptr(GString) folded = g_string_new(paragraph->str);
        tg_text_fold(folded, " ");
        g_autofree char *lower = g_ascii_strdown(folded->str, -1);
        if (tg_text_is_longer(lower, 23) && tg_word_at(TG_WORDS_DESCRIPTIONS, lower) != NULL) {
            tg_text_replace_enclosed(paragraph, "\\(", "\\)", FALSE, "");
            tg_text_replace_enclosed(paragraph, "$", "$", FALSE, "");
        }
        g_string_append(out, paragraph->str);
        g_string_append_len(out, end, next - end);
    }
    g_string_assign(text, out->str);
}

/* Take each part from @open to the next @close. */
static void take_enclosed(Page *page, const char *open, const char *close)
{
    const char *at = page->text->str, *end;

    while ((at = strstr(at, open)) != NULL && (end = strstr(at, close)) != NULL) {
        take_part(page, at, end + strlen(close));
        at = end;
    }
}

/* Nested tables by their tags, as the original program scans for them: the scan goes on @skip bytes
 * behind the start of a tag, even if the tag has another length. */
typedef struct {
    const char *open;
    gboolean is_tag; /* the mark goes up to a `>` */
    const char *close;
    gsize skip;
} TableTags;

static const TableTags tabular_tags = { "\\begin{tabular}", FALSE, "\\end{tabular}", 14 };
static const TableTags html_tags = { "<table", TRUE, "</table>", 8 };

/* The same behind a tag that is not closed. */
#define RESTART 16

/* Limit of a scan for tables, in tags. */
#define MAX_TAGS 5000000u

/* The place behind @n code points, or the end. */
static const char *skip_characters(const char *at, gsize n)
{
    for (; n > 0 && *at != '\0'; n--)
        at = g_utf8_next_char(at);
    return at;
}

/* Take the outermost tables. */
static void find_tables(Page *page, const TableTags *tags)
{
    const char *from = page->text->str, *outer = NULL; /* the outermost tag that is open */
    guint n_tags = 0;

    while (from != NULL) { /* a tag that is not closed: search again behind it */
        TgSearch opens = { .word = tags->open }, closes = { .word = tags->close };
        TgSearch ends = { .word = ">" };
        const char *at = from;
        guint depth = 0;
        while (n_tags < MAX_TAGS) {
            const char *next = tg_search(&opens, at), *close = tg_search(&closes, at);
            if (next != NULL && tags->is_tag && tg_search(&ends, next) == NULL)
                next = NULL;
            if (close == NULL)
                break;
            n_tags++;
            if (next != NULL && next < close) {
                outer = depth++ == 0 ? next : outer;
                at = skip_characters(next, tags->skip);
                continue;
            }
            at = skip_characters(close, tags->skip);
            if (depth > 0 && --depth == 0)
                take_part(page, outer, at);
        }
        page->cut |= n_tags >= MAX_TAGS;
        from = depth > 0 && n_tags < MAX_TAGS ? skip_characters(outer, RESTART) : NULL;
    }
}

/* Add the tables that were taken, and the cells of these that may be formulas. @kind: the tables'
 * kind, or NULL */
static void add_tables(Page *page, const char *kind)
{
    for (guint i = 0; i < page->parts->len && !is_full(page, i); i++) {
        const Part part = g_array_index(page->parts, Part, i);
        g_autofree char *table = g_strndup(part.start, (gsize) (part.end - part.start));
        const glong start = place_of(page, part.start);
        add_item(page, TABLE, kind, start, place_of(page, part.end), table);
        rescue_cells(page, table, start);
    }
}

/* Take tables between tags out; those of LaTeX give no formulas. */
static void take_tagged_tables(Page *page, const TableTags *tags)
{
    find_tables(page, tags);
    if (tags->is_tag)
        add_tables(page, NULL);
    end_step(page);
}

/* ---- formulas ---- */

/* Find the first formula from a place on, up to the first closing delimiter; `\[a\]` only if
 * @brackets. Returns its delimiters, or NULL. @missing: see tg_word_close(); @part: (out) with
 * delimiters */
static const TgWord *find_formula(const char *from, gboolean brackets, guint64 *missing, Part *part)
{
    const TgWord *word;

    for (const char *at = strpbrk(from, "$\\"); at != NULL; at = strpbrk(at + 1, "$\\")) {
        if (!brackets && at[0] == '\\' && at[1] == '[')
            continue;
        *part = (Part){ at, tg_word_close(TG_WORDS_DELIMITERS, at, missing, &word) };
        if (part->end != NULL)
            return word;
    }
    return NULL;
}

static gboolean is_double(const TgWord *delimiters)
{
    return strcmp(delimiters->word, "$$") == 0;
}

/* Replace dollars, `\(` and `\)` by `\[` and `\]`. Formulas of one kind, displays like `$$a$$` if
 * @displays, else the others, stay between the brackets; formulas of the other kind are deleted. */
static void write_brackets(GString *text, gboolean displays)
{
    guint64 missing = 0;
    const char *from = text->str;
    g_autoptr(GString) out = g_string_new(NULL);
    const TgWord *word;
    Part part;

    while ((word = find_formula(from, FALSE, &missing, &part)) != NULL) {
        const gssize n = (gssize) strlen(word->word);
        g_string_append_len(out, from, part.start - from);
        g_string_append(out, "\\[");
        if (displays == is_double(word))
            g_string_append_len(out, part.start + n, part.end - part.start - 2 * n);
        g_string_append(out, "\\]");
        from = part.end;
    }
    g_string_append(out, from);
    g_string_assign(text, out->str);
}

/* Add a formula of the page. Returns whether to take it out of the text: `$a$` stays there, and so
 * does a display with a dollar in it. */
static gboolean add_formula(Page *page, const char *whole, glong start, glong end)
{
    guint64 missing = 0;
    g_autoptr(GString) display = g_string_new(whole);
    Part part;

    tg_text_replace(display, "\n", " ");
    const TgWord *word = find_formula(display->str, FALSE, &missing, &part);
    const gboolean in_line = word != NULL && (!is_double(word) || part.end - part.start == 4);
    write_brackets(display, !in_line);
    add_display(page, display->str, start, end, in_line ? "equation_inline" : NULL);
    return !in_line;
}

static void take_formulas(Page *page)
{
    const char *from = page->text->str;
    guint64 missing = 0;
    guint n_found = 0;
    Part part;

    while (!is_full(page, n_found) && find_formula(from, TRUE, &missing, &part) != NULL) {
        g_autofree char *whole = g_strndup(part.start, (gsize) (part.end - part.start));
        const glong start = place_of(page, part.start);
        n_found++;
        if (add_formula(page, whole, start, place_of(page, part.end)))
            take_part(page, part.start, part.end);
        from = part.end;
    }
    end_step(page);
}

/* ---- tables in Markdown ---- */

/* Find the next row of a table: from a bar to the first bar at the end of a line. */
static gboolean find_row(const char *from, Part *part)
{
    const char *start = strchr(from, '|'), *end = start != NULL ? strstr(start + 1, "|\n") : NULL;

    if (end == NULL)
        return FALSE;
    *part = (Part){ start, end + 2 };
    return TRUE;
}

/* Append the cells of a line, which stand between bars. */
static void append_cells(GString *out, const char *line, const char *tag)
{
    g_auto(GStrv) cells = g_strsplit(line, "|", -1);

    for (guint i = 1; cells[0] != NULL && cells[i] != NULL && cells[i + 1] != NULL; i++) {
        g_autoptr(GString) cell = tg_text_trimmed(cells[i], cells[i] + strlen(cells[i]));
        g_string_append_printf(out, "      <%s>%s</%s>\n", tag, cell->str, tag);
    }
}

/* Append a row as an HTML table of its own. Its first line is the head; its second line is lost. */
static void append_row_table(GString *out, const char *row, const char *end)
{
    g_autoptr(GString) text = tg_text_trimmed(row, end);
    g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);

    g_string_append(out, "<table>\n  <thead>\n    <tr>\n");
    append_cells(out, lines[0], "th");
    g_string_append(out, "    </tr>\n  </thead>\n  <tbody>\n");
    for (guint i = 1; lines[i] != NULL && lines[i + 1] != NULL; i++) {
        g_string_append(out, "    <tr>\n");
        append_cells(out, lines[i + 1], "td");
        g_string_append(out, "    </tr>\n");
    }
    g_string_append(out, "  </tbody>\n</table>\n");
}

/* Whether a line is part of a table's frame, so that joined tables leave it out. */
static gboolean is_frame(const char *line)
{
    static const char *const frames[] = { "<table>",  "<thead>",  "<tbody>",
                                          "</table>", "</thead>", "</tbody>" };
    guint i = 0;

    while (i < G_N_ELEMENTS(frames) && strstr(line, frames[i]) == NULL)
        i++;
    return i < G_N_ELEMENTS(frames);
}

/* Append consecutive rows of tables as one table, without rows that have no cell, and empty
 * @tables.
 */
static void append_joined(GString *out, GString *tables)
{
    const char *open, *close;
    guint n_lines = 0;

    tg_text_replace_enclosed(tables, "<!--", "-->", FALSE, NULL);
    close = tables->str;
    g_string_append(out, "\n\n\n<table>\n");
    while ((open = strstr(close, "<table>")) != NULL &&
           (close = strstr(open, "</table>")) != NULL) {
        g_autofree char *table = g_strndup(open, (gsize) (close - open) + strlen("</table>"));
        g_auto(GStrv) lines = g_strsplit(table, "\n", -1);
        guint n = 0;
        for (guint i = 0; lines[i] != NULL; i++)
            n += !is_frame(lines[i]);
        for (guint i = 0; lines[i] != NULL && n > 2; i++) {
            g_autoptr(GString) line = g_string_new(lines[i]);
            if (is_frame(lines[i]))
                continue;
            if (strstr(lines[i], "<th>") != NULL) {
                tg_text_replace(line, "<th>", "<td>");
                tg_text_replace(line, "</th>", "</td>");
            }
            g_string_append_printf(out, "%s%s", n_lines++ > 0 ? "\n" : "", line->str);
        }
    }
    g_string_append(out, "\n</table>\n\n");
    g_string_truncate(tables, 0);
}

/* Join tables that follow each other. The line before the first goes into the joined table, and
 * lines with `---`, `:` or the head's end are lost. */
static void join_tables(GString *text)
{
    g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);
    g_autoptr(GString) out = g_string_sized_new(text->len), tables = g_string_new(NULL);
    const char *last = "";
    gboolean inside = FALSE;

    for (guint i = 0; lines[i] != NULL; i++) {
        const char *line = lines[i];
        if (strstr(line, "<table>") != NULL) {
            inside = TRUE;
            g_string_append(tables, last);
        } else if (inside) {
            if (strstr(last, "---") == NULL && strchr(last, ':') == NULL &&
                strstr(last, "</thead>") == NULL)
                g_string_append_printf(tables, "\n%s", last);
            if (strstr(last, "</table>") != NULL) {
                inside = FALSE;
                append_joined(out, tables);
            }
        } else {
            g_string_append_printf(out, "\n%s", last);
        }
        last = line;
    }
    if (last[0] != '\0' && (inside || strstr(last, "</table>") != NULL)) {
        g_string_append_printf(tables, "\n%s", last);
        append_joined(out, tables);
    } else if (last[0] != '\0') {
        g_string_append_printf(out, "\n%s", last);
    }
    /* the first line has no line end before it */
    g_string_assign(text, out->len > 0 ? out->str + 1 : "");
}

/* Replace tables in Markdown by tables in HTML. */
static void write_markdown_tables(GString *text)
{
    g_autoptr(GString) out = g_string_sized_new(text->len);
    const char *from = text->str;
    Part part;

    while (find_row(from, &part)) {
        g_string_append_len(out, from, part.start - from);
        append_row_table(out, part.start, part.end);
        from = part.end;
    }
    g_string_append(out, from);
    join_tables(out);
    tg_text_replace(out, "<table>", "<table border=\"1\" >");
    tg_text_replace(out, "<td>", "<td colspan=\"1\" rowspan=\"1\">");
    g_string_assign(text, out->str);
}

/* Take tables in Markdown with two rows or more, whose cells may be formulas. Later places are
 * places in the text with HTML. */
static void take_markdown_tables(Page *page)
{
    g_autoptr(GString) text = g_string_new(page->text->str);
    guint n_rows = 0;
    Part row;

    g_string_append_c(text, '\n');
    for (const char *from = text->str; n_rows <= TG_PAGE_MAX_ITEMS && find_row(from, &row);
         from = row.end)
        n_rows++;
    page->cut |= n_rows > TG_PAGE_MAX_ITEMS;
    if (n_rows < 2 || n_rows > TG_PAGE_MAX_ITEMS)
        return;
    write_markdown_tables(text);
    g_string_assign(page->text, text->str);
    take_enclosed(page, "<table", "</table>");
    add_tables(page, "md2html_table");
    end_step(page);
}

/* ---- code and texts ---- */

/* Code between fences that name a language. */
static void take_code(Page *page)
{
    static const char fence[] = "```";
    TgSearch closes = { .word = fence };
    const char *at = strstr(page->text->str, fence);

    while (at != NULL && !is_full(page, page->parts->len)) {
        const char *name = at + strlen(fence), *line = name;
        while (*line == '_' || g_unichar_isalnum(g_utf8_get_char(line)))
            line = g_utf8_next_char(line);
        const char *end = line > name && *line == '\n' ? tg_search(&closes, line + 1) : NULL;
        if (end == NULL) {
            at = strstr(at + 1, fence);
            continue;
        }
        const glong start = place_of(page, at);
        g_autoptr(GString) code = tg_text_trimmed(line + 1, end);
        end += strlen(fence);
        add_item(page, TEXT, "code", start, place_of(page, end), code->str);
        take_part(page, at, end);
        at = strstr(end, fence);
    }
    end_step(page);
}

/* An argument `{X}`; white space or a star may stand before it. */
typedef struct {
    gboolean spaced;
    TgSearch closes;
} Argument;

/* Append the argument of `\title` or the like, trimmed. */
static const char *append_argument(const char *after, GString *out, gpointer data)
{
    Argument *argument = data;
    const char *open = argument->spaced ? tg_skip_blanks(after) : after + (*after == '*');
    const char *close = *open == '{' ? tg_search(&argument->closes, open) : NULL;

    if (close == NULL)
        return NULL;
    g_autoptr(GString) content = tg_text_trimmed(open + 1, close);
    g_string_append(out, content->str);
    return close + 1;
}

/* Replace `\title {X}` or the like by X. */
static void open_command(GString *text, const char *command, gboolean spaced)
{
    Argument argument = { spaced, { .word = "}" } };

    tg_text_replace_command(text, command, append_argument, &argument);
}

/* Take paragraphs; where there is no empty line, take lines. Their places do not count characters
 * between them. */
static void take_texts(Page *page)
{
    const char *text = page->text->str;
    g_auto(GStrv) pieces = g_strsplit(text, strstr(text, "\n\n") != NULL ? "\n\n" : "\n", -1);
    glong start = 0;

    for (guint i = 0; pieces[i] != NULL && !is_full(page, 0); i++) {
        g_autoptr(GString) block = g_string_new(pieces[i]);
        const glong end = start + g_utf8_strlen(pieces[i], -1);
        tg_html_block_text(block);
        if (block->len > 0) {
            add_item(page, TEXT, "text_block", start, end, block->str);
            rescue(page, block->str, start, end, "text_formula");
        }
        start = end;
    }
}

/* ---- the page ---- */

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
    g_array_sort(items, compare_starts); /* a stable sort */
    for (guint i = 0; i < items->len; i++) {
        const char *category = g_array_index(items, TgPageItem, i).category;
        for (guint k = i; k < items->len && category != NULL; k++) {
            TgPageItem *item = &g_array_index(items, TgPageItem, k);
            if (g_strcmp0(item->category, category) == 0) {
                g_array_append_val(out, *item);
                *item = (TgPageItem){ 0 }; /* the new array has the item now */
            }
        }
    }
    return out;
}

/* A page in the form of texts of this folder: valid UTF-8, NUL as TG_TEXT_NUL, line ends as LF. */
static GString *read_text(const char *markdown, gsize len)
{
    GString *text = g_string_sized_new(len + 1);

    for (const char *at = markdown, *end = markdown + len; at < end;) {
        const char *nul = memchr(at, '\0', (gsize) (end - at));
        const char *stop = nul != NULL ? nul : end;
        g_autofree char *valid = g_utf8_make_valid(at, stop - at);
        g_string_append(text, valid);
        if (nul != NULL)
            g_string_append(text, TG_TEXT_NUL);
        at = stop + (nul != NULL);
    }
    tg_text_replace(text, "\r\n", "\n");
    tg_text_replace(text, "\r", "\n");
    return text;
}

GArray *tg_page_items(const char *markdown, gsize len, gboolean *cut)
{
    g_autoptr(GString) text = read_text(markdown, len <= TG_PAGE_MAX ? len : 0);
    g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(TgPageItem));
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(Part));
    Page page = { .text = text, .items = items, .parts = parts };

    g_array_set_clear_func(items, clear_item);
    take_images(&page);
    unwrap_page(text);
    open_descriptions(text);
    take_enclosed(&page, "\\begin{table}", "\\end{table}"); /* give no formulas */
    end_step(&page);
    take_tagged_tables(&page, &tabular_tags);
    take_tagged_tables(&page, &html_tags);
    take_formulas(&page);
    take_markdown_tables(&page);
    take_code(&page);
    /* open titles, first titles that stand on one line */
    tg_text_replace_enclosed(text, "\\title{", "}", TRUE, "");
    open_command(text, "\\title", TRUE);
    open_command(text, "\\text", TRUE);
    tg_text_replace_enclosed(text, "\\section{", "}", TRUE, "");
    tg_text_replace_enclosed(text, "\\section*{", "}", TRUE, "");
    open_command(text, "\\section", FALSE);
    take_texts(&page);
    *cut = is_full(&page, 0) || page.cut || len > TG_PAGE_MAX;
    return sort_items(items);
}
