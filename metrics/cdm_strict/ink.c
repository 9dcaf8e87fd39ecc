/* The marks of a drawing, sorted by token; a token's elements share its ink. */
#include "metrics/cdm_strict/ink.h"

#include "render/paint/drawing.h"

/* The ink of one token. */
struct TgStrictTokenInk {
    guint32 first_mark, n_marks; /* in TgStrictInk.by_token */
    double em_px;                /* of its first glyph; 0: it has none */
};

/* The ink of a mark; FALSE when it belongs to no token or cannot be seen. */
static gboolean find_mark(const TgDrawing *drawing, guint32 i, TgRect *box)
{
    *box = tg_mark_ink(&drawing->marks[i], drawing->px_per_sp);
    return drawing->marks[i].token < drawing->n_tokens && box->x1 > box->x0 && box->y1 > box->y0;
}

/* Count the marks of each token, then put them where their token's begin. */
static void sort_marks(TgStrictInk *ink)
{
    const TgDrawing *drawing = ink->drawing;
    guint32 next = 0;
    TgRect box;

    for (guint32 i = 0; i < drawing->n_marks; i++) {
        if (find_mark(drawing, i, &box))
            ink->tokens[drawing->marks[i].token].n_marks++;
    }
    for (guint32 t = 0; t < drawing->n_tokens; t++) {
        ink->tokens[t].first_mark = next;
        next += ink->tokens[t].n_marks;
        ink->tokens[t].n_marks = 0;
    }
    for (guint32 i = 0; i < drawing->n_marks; i++) {
        if (!find_mark(drawing, i, &box))
            continue;
        struct TgStrictTokenInk *token = &ink->tokens[drawing->marks[i].token];
        if (token->em_px == 0)
            token->em_px = (double) drawing->marks[i].size * drawing->px_per_sp;
        ink->by_token[token->first_mark + token->n_marks++] = i;
        ink->has_ink[drawing->marks[i].token] = TRUE;
    }
}

void tg_strict_ink_init(TgStrictInk *ink, const TgDrawing *drawing)
{
    ink->drawing = drawing;
    ink->tokens = g_new0(struct TgStrictTokenInk, (gsize) drawing->n_tokens + 1);
    ink->has_ink = g_new0(gboolean, (gsize) drawing->n_tokens + 1);
    ink->by_token = g_new(guint32, (gsize) drawing->n_marks + 1);
    sort_marks(ink);
}

void tg_strict_ink_clear(TgStrictInk *ink)
{
    g_clear_pointer(&ink->tokens, g_free);
    g_clear_pointer(&ink->has_ink, g_free);
    g_clear_pointer(&ink->by_token, g_free);
}

/* The ink of marks @first to @first + @n - 1 of those sorted by token. */
static TgRect join_marks(const TgStrictInk *ink, guint32 first, guint32 n)
{
    TgRect sum = { 0, 0, 0, 0 }, box;

    for (guint32 i = first; i < first + n; i++) {
        find_mark(ink->drawing, ink->by_token[i], &box);
        tg_rect_join(&sum, box, i > first);
    }
    return sum;
}

/* The ink of an element: of a token with a mark for each of its elements (\sin) its own mark. */
static TgRect find_element(const TgStrictInk *ink, const TgStrictElement *element,
                           const guint32 *n_parts)
{
    const struct TgStrictTokenInk *token = &ink->tokens[element->token];
    const struct TgStrictTokenInk *last = &ink->tokens[element->last_token];

    if (element->token == element->last_token && token->n_marks == n_parts[element->token])
        return join_marks(ink, token->first_mark + element->part, 1);
    return join_marks(ink, token->first_mark, last->first_mark + last->n_marks - token->first_mark);
}

void tg_strict_ink_place(const TgStrictInk *ink, TgStrictFormula *formula)
{
    const TgDrawing *drawing = ink->drawing;
    const double x = drawing->frame.origin_x, y = drawing->frame.origin_y;
    g_autofree guint32 *n_parts = g_new0(guint32, (gsize) drawing->n_tokens + 1);

    formula->width_px = drawing->frame.width;
    formula->height_px = drawing->frame.height;
    for (guint i = 0; i < formula->elements->len; i++) {
        const TgStrictElement *element = tg_strict_element(formula, i);
        n_parts[element->token] = MAX(n_parts[element->token], element->part + 1);
    }
    for (guint i = 0; i < formula->elements->len; i++) {
        TgStrictElement *element = &g_array_index(formula->elements, TgStrictElement, i);

        element->start = drawing->tokens[element->token].start;
        element->end = drawing->tokens[element->last_token].end;
        element->em_px = ink->tokens[element->token].em_px;
        element->box = tg_rect_moved(find_element(ink, element, n_parts), x, y);
    }
}
