/* The official program's walk over the tokens, which colours them; here it only counts them. */
#include "metrics/cdm/draw/elements.h"

#include <string.h>

#include "core/deadline.h"
#include "metrics/cdm/normalize/normalize.h"

/* Deeper recursion than MAX_DEPTH ends the official program with an exception. Tokens that are met
 * again can multiply in nested groups; a walk of more than MAX_VISITS per token is given up. */
enum { MAX_DEPTH = 900, MAX_VISITS = 20 };

typedef struct {
    gsize start, end;
} Place;

/* The list that is walked, and changed while it is: the closing braces of colours are items of
 * their own, and everything behind them moves on by one. That the walk does not always take note
 * is why some tokens are passed over or met twice. */
typedef struct {
    GPtrArray *items;
    GArray *places; /* of the items in the source */
    GPtrArray *elements;
    TgCdmVocabulary vocabulary;
    guint depth;
    gsize visits_left;
    gboolean failed;
} Walk;

static const char *const phantoms[] = { "\\fontfamily", "\\vphantom", "\\phantom",
                                        "\\rowcolor",   "\\ref",      NULL };
static const char *const phantoms_2025[] = { "\\thesubequation", "\\global", "\\theboldgroup",
                                             NULL };

static const char *const skipped[] = {
    "\\",
    "\\\\",
    "\\index",
    "\\a",
    "&",
    "$",
    "\\def",
    "\\raggedright",
    "\\url",
    "\\cr",
    "\\ensuremath",
    "\\left",
    "\\right",
    "\\mathchoice",
    "\\scriptstyle",
    "\\displaystyle",
    "\\qquad",
    "\\quad",
    "\\,",
    "\\!",
    "~",
    "\\boldmath",
    NULL,
};
static const char *const skipped_2025[] = { "\\edef", "\\gdef", "\\today", "\\the", NULL };

static void element_free(gpointer data)
{
    TgCdmElement *element = data;

    g_free(element->token);
    g_free(element);
}

static TgCdmRole walk_role(const Walk *walk, const char *token)
{
    return tg_cdm_role(token, walk->vocabulary);
}

static const char *item_text(const Walk *walk, guint at)
{
    return walk->items->pdata[at];
}

static guint find_end(Walk *walk, guint start, const char *open, const char *close)
{
    guint end = start;

    if (!tg_cdm_find_closing(walk->items, start, open, close, &end))
        walk->failed = TRUE;
    return end;
}

static guint find_group_end(Walk *walk, guint start)
{
    return find_end(walk, start, "{", "}");
}

static Place item_place(const Walk *walk, guint at)
{
    return g_array_index(walk->places, Place, at);
}

/* The item at @at becomes an element; with the colour in front of it, it is another text. */
static void colour_item(Walk *walk, TgCdmElementKind kind, guint at, const char *before,
                        const char *behind)
{
    TgCdmElement *element = g_new(TgCdmElement, 1);
    char *coloured = g_strdup_printf("%s" TG_CDM_COLOUR_BEFORE "%u" TG_CDM_COLOUR_BEHIND "%s%s",
                                     before, walk->elements->len, item_text(walk, at), behind);

    *element = (TgCdmElement){
        .token = walk->items->pdata[at],
        .kind = kind,
        .start = item_place(walk, at).start,
        .end = item_place(walk, at).end,
    };
    g_ptr_array_add(walk->elements, element);
    walk->items->pdata[at] = coloured;
}

static void colour_alone(Walk *walk, guint at, gboolean braces)
{
    colour_item(walk, TG_CDM_ELEMENT_ALONE, at, braces ? "{" : "", braces ? "}}" : "}");
}

static void colour_composite(Walk *walk, guint at, guint end, gboolean braces)
{
    const Place behind = { item_place(walk, end).end, item_place(walk, end).end };

    (void) tg_too_long((walk->items->len - end) / 4); /* they move on by one */
    colour_item(walk, TG_CDM_ELEMENT_COMPOSITE, at, braces ? "{" : "", "");
    g_ptr_array_insert(walk->items, (gint) end + 1, g_strdup(braces ? "}}" : "}"));
    g_array_insert_val(walk->places, end + 1, behind);
}

static guint visit_item(Walk *walk, guint at, gboolean in_brackets);

/* Walk the inside of a group up to where its end was before. */
static void visit_inside(Walk *walk, guint start, guint end, gboolean in_brackets)
{
    for (guint at = start + 1; at < end && at < walk->items->len && !walk->failed;)
        at = visit_item(walk, at, in_brackets);
}

static guint visit_phantom(Walk *walk, guint at)
{
    if (at + 1 >= walk->items->len)
        walk->failed = TRUE;
    return (tg_cdm_token_is(walk->items, at + 1, "{") ? find_group_end(walk, at + 1) : at + 1) + 1;
}

static guint visit_two_visible(Walk *walk, guint at)
{
    const guint end = find_group_end(walk, find_group_end(walk, at + 1) + 1);

    if (walk->failed)
        return at;
    colour_composite(walk, at, end, FALSE);
    return at + 1;
}

static guint visit_one_visible(Walk *walk, guint at)
{
    const guint end = find_group_end(walk, at + 1);

    if (walk->failed)
        return at;
    const gboolean before_subscript = tg_cdm_token_is(walk->items, end + 1, "_") &&
                                      !tg_cdm_token_is(walk->items, at, "\\underbrace");
    colour_composite(walk, at, end, before_subscript);
    return at + 1;
}

static guint visit_one_invisible(Walk *walk, guint at)
{
    const guint end = find_group_end(walk, at + 1);

    if (walk->failed)
        return at;
    if (end == at + 3) /* a single token, whatever it is */
        colour_alone(walk, at + 2, FALSE);
    else
        visit_inside(walk, at + 1, end, FALSE);
    return end + 1;
}

static guint visit_bracket(Walk *walk, guint at)
{
    const gboolean has_brackets = tg_cdm_token_is(walk->items, at + 1, "[");
    const guint bracket_end = has_brackets ? find_end(walk, at + 1, "[", "]") : at;
    const guint end = find_group_end(walk, bracket_end + 1);

    if (walk->failed)
        return at;
    colour_composite(walk, at, end, FALSE);
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

static gboolean is_skipped(const Walk *walk, const char *token)
{
    if (*token != '\0' && strchr("{}[]^_", *token) != NULL)
        return TRUE;
    if (g_str_has_prefix(token, "\\begin{") || g_str_has_prefix(token, "\\end{"))
        return strchr(token, '}') != NULL;
    if (*token == '\\' && (strstr(token, "rule") != NULL || strstr(token, "line") != NULL))
        return TRUE;
    if (*token != '\\' && *token != '&' && *token != '$' && *token != '~')
        return FALSE;
    return walk_role(walk, token) == TG_CDM_ROLE_TWO_INVISIBLE || g_strv_contains(skipped, token) ||
           (walk->vocabulary == TG_CDM_VOCABULARY_2025 && g_strv_contains(skipped_2025, token));
}

/* Brackets are elements, but for those next to a root; the test for `]` looks three items back. */
static gboolean is_visible_bracket(const Walk *walk, guint at)
{
    if (tg_cdm_token_is(walk->items, at, "["))
        return at == 0 || !tg_cdm_token_is(walk->items, at - 1, "\\sqrt");
    return tg_cdm_token_is(walk->items, at, "]") && at >= 3 &&
           !tg_cdm_token_is(walk->items, at - 3, "\\sqrt");
}

static void visit_plain(Walk *walk, guint at, gboolean in_brackets)
{
    colour_alone(walk, at, in_brackets || (at > 1 && tg_cdm_token_is(walk->items, at - 1, "_")));
}

static gboolean is_phantom(const Walk *walk, const char *token)
{
    return *token == '\\' &&
           (g_strv_contains(phantoms, token) ||
            (walk->vocabulary == TG_CDM_VOCABULARY_2025 && g_strv_contains(phantoms_2025, token)));
}

/* Colour what begins at @at; returns where the walk goes on. */
static guint visit_token(Walk *walk, guint at, gboolean in_brackets)
{
    const char *token = item_text(walk, at);

    if (*token == '\0')
        return at + 1;
    if (is_phantom(walk, token))
        return visit_phantom(walk, at);
    switch (walk_role(walk, token)) {
    case TG_CDM_ROLE_TWO_VISIBLE:
        return visit_two_visible(walk, at);
    case TG_CDM_ROLE_ONE_VISIBLE:
        return visit_one_visible(walk, at);
    case TG_CDM_ROLE_ONE_INVISIBLE:
        return visit_one_invisible(walk, at);
    case TG_CDM_ROLE_BRACKET:
        return visit_bracket(walk, at);
    default:
        break;
    }
    if (strcmp(token, "\\multicolumn") == 0 || strcmp(token, "\\multirow") == 0)
        return visit_multicolumn(walk, at);
    if (is_visible_bracket(walk, at))
        colour_alone(walk, at, FALSE);
    else if (!is_skipped(walk, token))
        visit_plain(walk, at, in_brackets);
    return at + 1;
}

static guint visit_item(Walk *walk, guint at, gboolean in_brackets)
{
    guint next = at;

    if (++walk->depth > MAX_DEPTH || walk->visits_left-- == 0 || tg_too_long(100))
        walk->failed = TRUE;
    else
        next = visit_token(walk, at, in_brackets);
    walk->depth--;
    return next;
}

GPtrArray *tg_cdm_elements(const char *source, TgCdmVocabulary vocabulary, char **coloured,
                           GError **error)
{
    g_autoptr(GPtrArray) items = tg_cdm_split(source);
    g_autoptr(GPtrArray) elements = g_ptr_array_new_with_free_func(element_free);
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(Place));
    Walk walk = { .items = items,
                  .places = places,
                  .elements = elements,
                  .vocabulary = vocabulary,
                  .visits_left = MAX_VISITS * (gsize) items->len };
    gsize start = 0;

    for (guint i = 0; i < items->len; i++) {
        const Place found = { start, start + strlen(items->pdata[i]) };

        g_array_append_val(places, found);
        start = found.end + 1;
    }
    for (guint at = 0; at < items->len && !walk.failed;)
        at = visit_item(&walk, at, FALSE);
    if (walk.failed) {
        g_set_error(error, TG_ERROR, TG_ERROR_PARSE, "the official program cannot colour this");
        return NULL;
    }
    if (coloured != NULL)
        *coloured = tg_cdm_join(items);
    return g_steal_pointer(&elements);
}
