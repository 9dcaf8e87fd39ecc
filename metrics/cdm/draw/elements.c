/* The official program's walk over the tokens, which colors them; here it mainly counts them. */
#include <string.h>

#include "core/deadline.h"
#include "core/fail.h"
#include "metrics/cdm/draw/draw.h"

/* Deeper recursion than MAX_DEPTH ends the official program with an exception. Tokens that are met
 * again can multiply in nested groups; a walk of more than MAX_VISITS per token is given up. */
enum { MAX_DEPTH = 900, MAX_VISITS = 20 };

/* A token in the list that is walked, or the closing brace of a color. */
typedef struct Item Item;
struct Item {
    const char *text;
    guint32 start, end;
    guint32 color; /* of the element that it is, or TG_CDM_NO_ELEMENT */
    gboolean is_braced, ends_color;
    const Item *inner; /* how it was colored before, where the walk met it twice */
};

/* The list is changed while it is walked: the closing braces of colors are items of their own, and
 * everything after them moves on by one. The walk does not always take note of that, so some tokens
 * are passed over or met twice. */
typedef struct {
    GArray *items;     /* of Item */
    GArray *elements;  /* of TgCdmElement */
    GPtrArray *others; /* texts that are not in the source */
    TgCdmVocabulary vocabulary;
    guint depth;
    gsize visits_left;
    gboolean failed;
} Walk;

static Item *item_at(const Walk *walk, guint at)
{
    return &g_array_index(walk->items, Item, at);
}

/* Whether there is a token at @at and it is @wanted, not colored. */
static gboolean is_token(const Walk *walk, guint at, const char *wanted)
{
    return at < walk->items->len && item_at(walk, at)->text[0] == wanted[0] &&
           strcmp(item_at(walk, at)->text, wanted) == 0 &&
           item_at(walk, at)->color == TG_CDM_NO_ELEMENT;
}

static guint find_end(Walk *walk, guint start, const char *open, const char *close)
{
    guint depth = 0;

    for (guint i = start; i < walk->items->len; i++) {
        if (is_token(walk, i, open)) {
            depth++;
        } else if (is_token(walk, i, close) && --depth == 0) {
            (void) tg_deadline_spend(i - start);
            return i;
        }
    }
    (void) tg_deadline_spend(walk->items->len);
    walk->failed = TRUE;
    return start;
}

static guint find_group_end(Walk *walk, guint start)
{
    return find_end(walk, start, "{", "}");
}

/* ---- colors ---- */

static void append_item(TgCdmText *out, const Item *item)
{
    guint n_open = 0;

    for (const Item *outer = item; outer != NULL; outer = outer->inner) {
        if (outer->is_braced)
            tg_cdm_text_append(out, "{", tg_cdm_no_origin);
        if (outer->color != TG_CDM_NO_ELEMENT)
            tg_cdm_text_append(out, "\xFF", (TgCdmRange){ outer->color, outer->color + 1 });
        if (outer->ends_color)
            n_open += outer->is_braced ? 2 : 1;
    }
    tg_cdm_text_append(out, item->text, tg_cdm_no_origin);
    for (; n_open > 0; n_open--)
        tg_cdm_text_append(out, "}", tg_cdm_no_origin);
}

/* The item at @at becomes an element. If it is one already, what the official program reads as its
 * name is the text of the color around it. */
static void color_item(Walk *walk, guint at, gboolean is_composite, gboolean is_braced)
{
    Item *item = item_at(walk, at);
    const char *token = item->text;
    TgCdmElement element = { .is_composite = is_composite, .start = item->start, .end = item->end };

    if (item->color != TG_CDM_NO_ELEMENT) {
        const TgCdmElement *known = &g_array_index(walk->elements, TgCdmElement, item->color);
        const char *end = !item->ends_color ? "" : item->is_braced ? "}}" : "}";
        char *name = g_strdup_printf("%s\\mathcolor[RGB]{<color_%u>}{%s%s",
                                     item->is_braced ? "{" : "", item->color, known->token, end);

        token = name;
        item->inner = g_memdup2(item, sizeof *item);
        g_ptr_array_add(walk->others, name);
        g_ptr_array_add(walk->others, (gpointer) item->inner);
    }
    element.token = token;
    element.canonical = tg_cdm_canonical_token(token, walk->vocabulary, walk->others);
    item->color = walk->elements->len;
    item->is_braced = is_braced;
    item->ends_color = !is_composite;
    g_array_append_val(walk->elements, element);
}

static void color_composite(Walk *walk, guint at, guint end, gboolean is_braced)
{
    const guint32 place = item_at(walk, end)->end;
    const Item close = {
        is_braced ? "}}" : "}", place, place, TG_CDM_NO_ELEMENT, FALSE, FALSE, NULL
    };

    (void) tg_deadline_spend((walk->items->len - end) / 4); /* the items behind move on by one */
    color_item(walk, at, TRUE, is_braced);
    g_array_insert_val(walk->items, end + 1, close);
}

/* ---- the walk ---- */

static guint visit_item(Walk *walk, guint at, gboolean in_brackets);

/* Walk the inside of a group up to where its end was before. */
static void visit_inside(Walk *walk, guint start, guint end, gboolean in_brackets)
{
    for (guint at = start + 1; at < end && at < walk->items->len && !walk->failed;)
        at = visit_item(walk, at, in_brackets);
}

static guint visit_visible(Walk *walk, guint at, gboolean two)
{
    guint end = find_group_end(walk, at + 1);

    if (two)
        end = find_group_end(walk, end + 1);
    if (walk->failed)
        return at;
    color_composite(walk, at, end,
                    !two && is_token(walk, end + 1, "_") && !is_token(walk, at, "\\underbrace"));
    return at + 1;
}

static guint visit_one_invisible(Walk *walk, guint at)
{
    const guint end = find_group_end(walk, at + 1);

    if (walk->failed)
        return at;
    if (end == at + 3) /* a single token, whatever it is */
        color_item(walk, at + 2, FALSE, FALSE);
    else
        visit_inside(walk, at + 1, end, FALSE);
    return end + 1;
}

static guint visit_bracket(Walk *walk, guint at)
{
    const gboolean has_brackets = is_token(walk, at + 1, "[");
    const guint bracket_end = has_brackets ? find_end(walk, at + 1, "[", "]") : at;
    const guint end = find_group_end(walk, bracket_end + 1);

    if (walk->failed)
        return at;
    color_composite(walk, at, end, FALSE);
    if (has_brackets)
        visit_inside(walk, at + 1, bracket_end, TRUE);
    visit_inside(walk, bracket_end + 1, end, FALSE);
    return end + 1;
}

/* `\multicolumn` and `\multirow`: only the third group holds something visible. */
static guint visit_multicolumn(Walk *walk, guint at)
{
    const guint start = find_group_end(walk, find_group_end(walk, at + 1) + 1) + 1;
    const guint end = find_group_end(walk, start);

    if (walk->failed)
        return at;
    visit_inside(walk, start, end, FALSE);
    return end + 1;
}

/* Brackets are elements, but for those next to a root; the test for `]` looks three items back. */
static gboolean is_visible_bracket(const Walk *walk, guint at)
{
    if (is_token(walk, at, "["))
        return at == 0 || !is_token(walk, at - 1, "\\sqrt");
    return is_token(walk, at, "]") && at >= 3 && !is_token(walk, at - 3, "\\sqrt");
}

/* Whether the letters of a token's name say that it is an environment or a line. */
static gboolean is_skipped(const char *token)
{
    if (strchr("{}[]^_", *token) != NULL)
        return TRUE;
    if (*token != '\\')
        return FALSE;
    if (g_str_has_prefix(token, "\\begin{") || g_str_has_prefix(token, "\\end{"))
        return strchr(token, '}') != NULL;
    return strstr(token, "rule") != NULL || strstr(token, "line") != NULL;
}

static void visit_plain(Walk *walk, guint at, gboolean in_brackets)
{
    color_item(walk, at, FALSE, in_brackets || (at > 1 && is_token(walk, at - 1, "_")));
}

/* Color the token at @at and its arguments; returns where the walk goes on. */
static guint visit_token(Walk *walk, guint at, gboolean in_brackets)
{
    const Item *item = item_at(walk, at);
    const char *token = item->text;

    if (item->color !=
        TG_CDM_NO_ELEMENT) { /* met again: the text now begins with `\mathcolor` or a brace */
        if (!item->is_braced && strstr(token, "rule") == NULL && strstr(token, "line") == NULL)
            visit_plain(walk, at, in_brackets);
        return at + 1;
    }
    if (*token == '\0')
        return at + 1;
    const TgCdmRole role = tg_cdm_role(token, strlen(token), walk->vocabulary);
    switch (role) {
    case TG_CDM_ROLE_TWO_VISIBLE:
    case TG_CDM_ROLE_ONE_VISIBLE:
        return visit_visible(walk, at, role == TG_CDM_ROLE_TWO_VISIBLE);
    case TG_CDM_ROLE_ONE_INVISIBLE:
        return visit_one_invisible(walk, at);
    case TG_CDM_ROLE_BRACKET:
        return visit_bracket(walk, at);
    case TG_CDM_ROLE_MULTICOLUMN:
        return visit_multicolumn(walk, at);
    case TG_CDM_ROLE_PHANTOM:
        if (at + 1 >= walk->items->len)
            walk->failed = TRUE;
        return (is_token(walk, at + 1, "{") ? find_group_end(walk, at + 1) : at + 1) + 1;
    case TG_CDM_ROLE_NONE:
        if (is_visible_bracket(walk, at))
            color_item(walk, at, FALSE, FALSE);
        else if (!is_skipped(token))
            visit_plain(walk, at, in_brackets);
        break;
    case TG_CDM_ROLE_TWO_INVISIBLE:
    case TG_CDM_ROLE_SKIPPED:
        break;
    }
    return at + 1;
}

static guint visit_item(Walk *walk, guint at, gboolean in_brackets)
{
    guint next = at;

    if (++walk->depth > MAX_DEPTH || walk->visits_left-- == 0 || tg_deadline_spend(100))
        walk->failed = TRUE;
    else
        next = visit_token(walk, at, in_brackets);
    walk->depth--;
    return next;
}

/* ---- all of it ---- */

/* The parts between single spaces, empty ones included. */
static GArray *split_items(char *names)
{
    GArray *items = g_array_sized_new(FALSE, FALSE, sizeof(Item), 64);
    gsize start = 0;

    for (gboolean is_last = FALSE; !is_last;) {
        const gsize end = start + strcspn(names + start, " ");
        const Item item = { names + start, (guint32) start, (guint32) end, TG_CDM_NO_ELEMENT,
                            FALSE,         FALSE,           NULL };

        is_last = names[end] == '\0';
        names[end] = '\0';
        g_array_append_val(items, item);
        start = end + 1;
    }
    return items;
}

gboolean tg_cdm_elements(const char *source, TgCdmVocabulary vocabulary, TgCdmElements *out,
                         TgCdmText *colored, GError **error)
{
    out->names = g_strdup(source);
    out->others = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) items = split_items(out->names);
    GArray *elements = g_array_sized_new(FALSE, FALSE, sizeof(TgCdmElement), items->len);
    Walk walk = { .items = items,
                  .elements = elements,
                  .others = out->others,
                  .vocabulary = vocabulary,
                  .visits_left = MAX_VISITS * (gsize) items->len };

    for (guint at = 0; at < items->len && !walk.failed;)
        at = visit_item(&walk, at, FALSE);
    out->n = elements->len;
    out->list = (TgCdmElement *) (gpointer) g_array_free(elements, FALSE);
    if (walk.failed) {
        tg_cdm_elements_clear(out);
        tg_fail(error, TG_ERROR_PARSE, "the official program cannot color this");
        return FALSE;
    }
    out->list = g_renew(TgCdmElement, out->list, out->n); /* the list is kept: no spare room */
    for (guint i = 0; colored != NULL && i < items->len; i++) {
        if (i > 0)
            tg_cdm_text_append(colored, " ", tg_cdm_no_origin);
        append_item(colored, item_at(&walk, i));
    }
    return TRUE;
}

void tg_cdm_elements_clear(TgCdmElements *elements)
{
    g_clear_pointer(&elements->list, g_free);
    g_clear_pointer(&elements->names, g_free);
    g_clear_pointer(&elements->others, g_ptr_array_unref);
    elements->n = 0;
}
