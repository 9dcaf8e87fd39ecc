/* HTML in a page, as OmniDocBench reads it by Python's html.parser: cells of tables and the text
 * of fragments. No element ends without its closing tag: a `<td>` inside an open `<td>` is its
 * child. */
#include "datasets/documents/document.h"

#include <stdlib.h>
#include <string.h>

/* Cells with more text, in code points, hold no formula. */
#define MAX_CELL 120

/* The maximum number of open elements; further ones are skipped. The elements without content. */
#define MAX_OPEN  1000u
#define MAX_VOIDS 40u

/* A piece of HTML. */
typedef enum { HTML_TEXT, HTML_OPEN, HTML_CLOSE, HTML_NOTHING } HtmlKind;

typedef struct {
    HtmlKind kind;
    /* name of an element in small letters; longer names, which no page needs, are cut */
    char name[16];
    gboolean is_empty; /* the tag closes itself: `<td/>`, `<br/>` */
    const char *end;
} HtmlPiece;

/* The end of a tag, behind its `>`; a `>` in quotes does not count. NULL: the tag has no end. */
static const char *tag_end(const char *at)
{
    for (; *at != '\0' && *at != '>'; at++) {
        const char *value = *at == '=' ? tg_skip_blanks(at + 1) : at;
        if (value > at && (*value == '"' || *value == '\'')) {
            const char *close = strchr(value + 1, *value);
            at = close != NULL ? close : at;
        }
    }
    return *at == '>' ? at + 1 : NULL;
}

static void read_tag(const char *at, HtmlPiece *piece)
{
    const gboolean closes = at[1] == '/';
    const char *name = at + 1 + closes;
    gsize n = 0;

    while (g_ascii_isalnum(*name) || *name == '-' || *name == ':') {
        if (n < sizeof piece->name - 1)
            piece->name[n++] = g_ascii_tolower(*name);
        name++;
    }
    piece->name[n] = '\0';
    piece->kind = closes ? HTML_CLOSE : HTML_OPEN;
    piece->is_empty = piece->end[-2] == '/';
}

/* Where the content of `<script>` or `<style>` ends. */
static const char *raw_end(const char *at, const char *name)
{
    for (const char *close = strstr(at, "</"); close != NULL; close = strstr(close + 2, "</"))
        if (g_ascii_strncasecmp(close + 2, name, strlen(name)) == 0)
            return close;
    return at + strlen(at);
}

/* Read the piece at a place that is not the end. Scripts and styles are HTML_NOTHING. */
static HtmlPiece read_piece(const char *at)
{
    HtmlPiece piece = { .kind = HTML_NOTHING };

    if (g_str_has_prefix(at, "<!--")) {
        const char *close = strstr(at + 4, "-->");
        piece.end = close != NULL ? close + 3 : at + strlen(at);
        return piece;
    }
    const gboolean is_tag = *at == '<' && g_ascii_isalpha(at[1 + (at[1] == '/')]);
    const gboolean is_mark = *at == '<' && (at[1] == '!' || at[1] == '?');
    piece.end = is_tag || is_mark ? tag_end(at + 1) : NULL;
    if (piece.end == NULL) {
        piece.kind = HTML_TEXT; /* up to the next character that may begin a tag */
        piece.end = at + 1 + strcspn(at + 1, "<");
    } else if (is_tag) {
        read_tag(at, &piece);
    }
    if (piece.kind == HTML_OPEN &&
        (strcmp(piece.name, "script") == 0 || strcmp(piece.name, "style") == 0)) {
        piece.kind = HTML_NOTHING;
        piece.end = raw_end(piece.end, piece.name);
    }
    return piece;
}

/* The character of a numeric reference; Python reads those below 256 as Windows does. */
static gunichar numbered_character(gulong number)
{
    if (number >= 0x80 && number < 0xA0) {
        const char byte = (char) number;
        g_autofree char *text = g_convert(&byte, 1, "UTF-8", "WINDOWS-1252", NULL, NULL, NULL);
        return text != NULL ? g_utf8_get_char(text) : (gunichar) number;
    }
    return number > 0 && number <= 0x10FFFF && g_unichar_validate((gunichar) number)
               ? (gunichar) number
               : 0xFFFD;
}

/* Read `#43` or `#x2b` and its semicolon behind an ampersand. Returns the end, or NULL if it is no
 * reference, as at the end of the text. */
static const char *append_numbered(GString *out, const char *at)
{
    const gboolean is_hex = at[1] == 'x' || at[1] == 'X';
    const char *digits = at + 1 + is_hex;
    char *end;

    if (!(is_hex ? g_ascii_isxdigit(*digits) : g_ascii_isdigit(*digits)))
        return NULL;
    const gulong number = strtoul(digits, &end, is_hex ? 16 : 10);
    if (*end == '\0')
        return NULL;
    if (number > 0)
        g_string_append_unichar(out, numbered_character(number));
    else
        g_string_append(out, TG_TEXT_NUL);
    return end + (*end == ';');
}

/* Read `amp` and its semicolon behind an ampersand. The name of an unknown entity stays, its
 * semicolon goes. Returns the end, or NULL if it is no reference. */
static const char *append_named(GString *out, const char *at)
{
    const char *end = at + g_ascii_isalpha(*at);

    while (end > at && (g_ascii_isalnum(*end) || *end == '-' || *end == '.'))
        end++;
    if (end == at || *end == '\0')
        return NULL;
    const TgWord *entity = tg_word_named(TG_WORDS_ENTITIES, at, (gsize) (end - at));
    if (entity != NULL)
        g_string_append(out, entity->with);
    else
        g_string_append_printf(out, "&%.*s", (int) (end - at), at);
    return end + (*end == ';');
}

/* Append text, with references such as `&amp;`, `&#43;`, `&times` as characters. */
static void append_text(GString *out, const char *from, const char *end)
{
    for (const char *at = from, *next; at < end; at = next) {
        next = *at != '&'     ? NULL
               : at[1] == '#' ? append_numbered(out, at + 1)
                              : append_named(out, at + 1);
        if (next == NULL) {
            g_string_append_c(out, *at);
            next = at + 1;
        }
    }
}

/* An element that is open. */
typedef struct {
    char name[16];
    GString *cell; /* for tg_html_cells(): the text of a cell, or NULL; */
    gsize start;   /* and where it starts in the text */
} OpenElement;

typedef struct {
    GArray *elements; /* OpenElement, the innermost last */
    GString *text;    /* of the pieces that were read */
    /* for each element without content: how many of its tags closed themselves */
    guint n_closed[MAX_VOIDS];
} OpenElements;

/* The innermost open element of this name, counted from 1; 0: there is none. */
static guint find_open(const OpenElements *open, const char *name)
{
    guint i = open->elements->len;

    while (i > 0 && strcmp(g_array_index(open->elements, OpenElement, i - 1).name, name) != 0)
        i--;
    return i;
}

/* The count in n_closed of an element without content; NULL for others. */
static guint *void_count(OpenElements *open, const char *name)
{
    const TgWord *element = tg_word_named(TG_WORDS_VOID, name, strlen(name));

    return element != NULL ? &open->n_closed[element - tg_words(TG_WORDS_VOID)] : NULL;
}

/* Whether a closing tag closes nothing. After `<br>`, which closes itself, the original takes the
 * end of `<br/>` or a `</br>` for the end of the first, so that the second `<br/>` stays open. */
static gboolean is_closed_already(OpenElements *open, const char *name)
{
    guint *n_closed = void_count(open, name);

    return n_closed != NULL && *n_closed > 0 && (*n_closed)-- > 0;
}

/* Open an element that may have content. @cell: its text or NULL */
static void open_element(OpenElements *open, const HtmlPiece *piece, GString *cell)
{
    guint *n_closed = void_count(open, piece->name);
    OpenElement element = { .cell = cell, .start = open->text->len };

    memcpy(element.name, piece->name, sizeof element.name);
    if (n_closed != NULL && !piece->is_empty)
        (*n_closed)++;
    else if (!piece->is_empty || is_closed_already(open, piece->name))
        if (open->elements->len < MAX_OPEN)
            g_array_append_val(open->elements, element);
}

static gboolean ends_line(const char *name)
{
    static const char *const names[] = { "div", "dir", "p", "li", NULL };

    return g_strv_contains(names, name);
}

/* Leave @n elements open. Cells that end get their text unless it is too long. Returns whether an
 * element that is closed ends a line. */
static gboolean close_elements(OpenElements *open, guint n)
{
    gboolean has_line_end = FALSE;

    for (; open->elements->len > n; g_array_set_size(open->elements, open->elements->len - 1)) {
        const OpenElement *last =
            &g_array_index(open->elements, OpenElement, open->elements->len - 1);
        const char *text = tg_skip_blanks(open->text->str + last->start);
        if (last->cell != NULL && !tg_text_is_longer(text, MAX_CELL))
            g_string_assign(last->cell, text);
        has_line_end |= ends_line(last->name);
    }
    return has_line_end;
}

/* Close the element that a tag closes, together with all elements in it. Returns whether one of
 * these ends a line. */
static gboolean close_tag(OpenElements *open, const HtmlPiece *piece)
{
    const guint first = is_closed_already(open, piece->name) ? 0 : find_open(open, piece->name);

    return first > 0 && close_elements(open, first - 1);
}

/* Append @piece, which is emptied, with its white space folded. */
static void append_folded(GString *out, GString *piece)
{
    tg_text_fold(piece, " ");
    g_string_append_printf(out, "%s%s", piece->len > 0 ? " " : "", piece->str);
    g_string_truncate(piece, 0);
}

GPtrArray *tg_html_cells(const char *html)
{
    g_autoptr(GArray) elements = g_array_new(FALSE, TRUE, sizeof(OpenElement));
    g_autoptr(GString) text = g_string_new(NULL), all = g_string_new(NULL);
    OpenElements open = { .elements = elements, .text = all };
    GPtrArray *cells = g_ptr_array_new();
    HtmlPiece piece;

    for (const char *at = html; *at != '\0'; at = piece.end) {
        piece = read_piece(at);
        if (piece.kind == HTML_TEXT) { /* a text goes up to the next tag */
            append_text(text, at, piece.end);
            continue;
        }
        append_folded(all, text);
        if (piece.kind == HTML_OPEN) {
            const gboolean is_cell = strcmp(piece.name, "td") == 0 || strcmp(piece.name, "th") == 0;
            GString *cell = is_cell ? g_string_new(NULL) : NULL;
            if (is_cell)
                g_ptr_array_add(cells, cell);
            open_element(&open, &piece, cell);
        } else if (piece.kind == HTML_CLOSE) {
            close_tag(&open, &piece);
        }
    }
    append_folded(all, text);
    close_elements(&open, 0);
    return cells;
}

/* Cut white space around lines, and then empty lines. */
static void trim_lines(GString *text)
{
    g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);

    g_string_truncate(text, 0);
    for (guint i = 0; lines[i] != NULL; i++) {
        g_autoptr(GString) line = tg_text_trimmed(lines[i], lines[i] + strlen(lines[i]));
        if (line->len > 0)
            g_string_append_printf(text, "%s%s", text->len > 0 ? "\n" : "", line->str);
    }
}

/* Append the text of a fragment: `<br>` and the ends of blocks are line ends. The content of a
 * `<br>` is lost. */
static void append_fragment(GString *out, const char *html)
{
    g_autoptr(GArray) elements = g_array_new(FALSE, TRUE, sizeof(OpenElement));
    OpenElements open = { .elements = elements, .text = out };
    HtmlPiece piece;

    for (const char *at = html; *at != '\0'; at = piece.end) {
        piece = read_piece(at);
        const gboolean is_lost = find_open(&open, "br") > 0;
        if (piece.kind == HTML_TEXT && !is_lost) {
            append_text(out, at, piece.end);
        } else if (piece.kind == HTML_OPEN) {
            if (!is_lost &&
                (strcmp(piece.name, "br") == 0 || (piece.is_empty && ends_line(piece.name))))
                g_string_append_c(out, '\n');
            open_element(&open, &piece, NULL);
        } else if (piece.kind == HTML_CLOSE && close_tag(&open, &piece)) {
            g_string_append_c(out, '\n');
        }
    }
}

void tg_html_block_text(GString *text)
{
    trim_lines(text);
    g_autofree char *lower = g_ascii_strdown(text->str, -1);
    const gboolean is_block = g_str_has_prefix(lower, "<div") || g_str_has_prefix(lower, "<dir");
    const gunichar next = is_block ? g_utf8_get_char(lower + 4) : 0;
    if (!is_block || next == '_' || g_unichar_isalnum(next) || strstr(lower, "<table") != NULL)
        return; /* no fragment of HTML: `<div>`, `<dir class="x">`, without a table in it */
    g_autoptr(GString) out = g_string_new(NULL);
    append_fragment(out, text->str);
    tg_text_replace(out, "\u00a0", " ");
    trim_lines(out);
    if (out->len > 0)
        g_string_assign(text, out->str);
}
