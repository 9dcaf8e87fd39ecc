/* From LaTeX to elements with boxes: parsing, typesetting, reading the tree. */
#include <string.h>

#include "core/fail.h"
#include "metrics/cdm_strict/strict.h"
#include "render/paint/drawing.h"
#include "tokenizer/latex/parse.h"

/* ---- Memory -------------------------------------------------------------------------------- */

static TgStrictFormula *formula_new(const char *latex)
{
    TgStrictFormula *formula = g_atomic_rc_box_new0(TgStrictFormula);

    formula->source = g_strdup(latex);
    return formula;
}

static void formula_clear(gpointer object)
{
    TgStrictFormula *formula = object;

    if (formula->as_lines != NULL)
        tg_strict_formula_unref(formula->as_lines);
    g_free(formula->source);
    g_free(formula->elements);
    g_free(formula->groups);
    g_free(formula->children);
    g_free(formula->first_error);
    g_free(formula->trouble);
}

void tg_strict_formula_unref(gpointer formula)
{
    g_atomic_rc_box_release_full(formula, formula_clear);
}

guint tg_strict_formula_size(const TgStrictFormula *formula)
{
    return formula->n_elements + formula->n_unplaced;
}

/* ---- Sharing ------------------------------------------------------------------------------- */

static gsize size_of_shared(gconstpointer object)
{
    const TgStrictFormula *formula = object;

    return sizeof *formula + strlen(formula->source) +
           formula->n_elements * sizeof *formula->elements +
           formula->n_groups * sizeof *formula->groups +
           formula->n_children * sizeof *formula->children +
           (formula->as_lines != NULL ? size_of_shared(formula->as_lines) : 0);
}

const TgSharedKind tg_strict_formula_kind = { g_atomic_rc_box_acquire, tg_strict_formula_unref,
                                              size_of_shared };

/* ---- The marks of a formula, sorted by token; a token's elements share its ink ------------- */

typedef struct {
    guint32 first_mark, n_marks; /* in Ink.by_token */
    double em_px;                /* of its first glyph; 0: it has none */
} TokenInk;

/* Inked parts of a formula by token. */
typedef struct {
    TgFrame frame;
    const TgInkToken *names;
    guint n_tokens;
    TokenInk *tokens;
    gboolean *has_ink; /* of each token, whether something of it is seen */
    TgRect *by_token;  /* ink of the marks, sorted by token, in the order of drawing */
} Ink;

/* The token that gets ink from @mark; NULL where the mark belongs to no token or cannot be seen. */
static TokenInk *token_of(const Ink *ink, const TgSetFormula *set, guint32 mark)
{
    const guint32 token = set->marks[mark].token;
    const TgRect *box = &set->inks[mark];

    return token < ink->n_tokens && box->x1 > box->x0 && box->y1 > box->y0 ? &ink->tokens[token]
                                                                           : NULL;
}

/* Count the marks of each token, then put them where their token's begin. */
static void ink_init(Ink *ink, const TgSetFormula *set, const TgTree *tree, TgArena *arena)
{
    TokenInk *token;
    guint32 next = 0;

    ink->frame = set->frame;
    ink->names = tree->tokens;
    ink->n_tokens = tree->n_tokens;
    ink->tokens = tg_arena_zeros(arena, ink->n_tokens * sizeof *ink->tokens);
    ink->has_ink = tg_arena_zeros(arena, ink->n_tokens * sizeof *ink->has_ink);
    ink->by_token = tg_arena_alloc(arena, set->n_marks * sizeof *ink->by_token);
    for (guint32 i = 0; i < set->n_marks; i++)
        if ((token = token_of(ink, set, i)) != NULL)
            token->n_marks++;
    for (guint32 t = 0; t < ink->n_tokens; t++) {
        ink->tokens[t].first_mark = next;
        next += ink->tokens[t].n_marks;
        ink->tokens[t].n_marks = 0;
    }
    for (guint32 i = 0; i < set->n_marks; i++) {
        if ((token = token_of(ink, set, i)) == NULL)
            continue;
        if (token->em_px == 0)
            token->em_px = (double) set->marks[i].size * set->px_per_sp;
        ink->by_token[token->first_mark + token->n_marks++] = set->inks[i];
        ink->has_ink[set->marks[i].token] = TRUE;
    }
}

/* The ink of marks @first to @first + @n - 1 of those sorted by token. */
static TgRect join_marks(const Ink *ink, guint32 first, guint32 n)
{
    TgRect sum = { 0, 0, 0, 0 };

    for (guint32 i = first; i < first + n; i++)
        tg_rect_join(&sum, ink->by_token[i], i > first);
    return sum;
}

/* The ink of an element: its own mark where its token has a mark for each of its elements (\sin),
 * else all marks of its tokens. */
static TgRect find_element(const Ink *ink, const TgStrictElement *element, const guint32 *n_parts)
{
    const TokenInk *token = &ink->tokens[element->token];
    const TokenInk *last = &ink->tokens[element->last_token];

    if (element->token == element->last_token && token->n_marks == n_parts[element->token])
        return join_marks(ink, token->first_mark + element->part, 1);
    return join_marks(ink, token->first_mark, last->first_mark + last->n_marks - token->first_mark);
}

/* Set the spans, boxes and font sizes of a formula's elements, and the size of its picture. */
static void ink_place(const Ink *ink, TgStrictFormula *formula, TgArena *arena)
{
    const double x = ink->frame.origin_x, y = ink->frame.origin_y;
    guint32 *n_parts = tg_arena_zeros(arena, ink->n_tokens * sizeof *n_parts);
    guint8 *is_mixed = tg_arena_zeros(arena, ink->n_tokens * sizeof *is_mixed);

    formula->width_px = ink->frame.width;
    formula->height_px = ink->frame.height;
    for (guint i = 0; i < formula->n_elements; i++) {
        const TgStrictElement *element = &formula->elements[i];
        n_parts[element->token] = MAX(n_parts[element->token], element->part + 1);
        is_mixed[element->token] |= tg_strict_is_construct(element->glyph);
    }
    for (guint i = 0; i < formula->n_elements; i++) {
        TgStrictElement *element = &formula->elements[i];

        element->start = ink->names[element->token].start;
        element->end = ink->names[element->last_token].end;
        /* where a command draws a bar and letters (\dv), it is not known which element a mark
         * belongs to */
        element->em_px = is_mixed[element->token] && n_parts[element->token] > 1
                             ? 0
                             : ink->tokens[element->token].em_px;
        element->box = tg_rect_moved(find_element(ink, element, n_parts), x, y);
    }
}

/* ---- Drawing and reading ------------------------------------------------------------------- */

static void note_errors(TgStrictFormula *formula, const TgTree *tree)
{
    const TgParseError *errors = tree->errors;

    formula->n_errors = tree->n_errors;
    for (guint i = 0; i < formula->n_errors; i++) /* white space and colors do not count */
        formula->n_grave += errors[i].kind != TG_PARSE_LENGTH && errors[i].kind != TG_PARSE_COLOR;
    if (formula->n_errors > 0)
        formula->first_error =
            g_strdup_printf("%s, column %u", errors[0].message, errors[0].column);
    for (guint i = 0; i < tree->n_refusals; i++)
        formula->n_errors += (TG_PACKAGES_PRESET & 1u << tree->refusals[i].package) == 0;
}

/* List the elements of a drawing, and say where they are. */
static void read_drawing(const Ink *ink, const TgTree *tree, gboolean as_lines, TgArena *arena,
                         TgStrictFormula *out)
{
    note_errors(out, tree);
    tg_strict_read(tree, ink->has_ink, as_lines, arena, out);
    ink_place(ink, out, arena);
}

/* Draw the formula and list what has ink. */
static gboolean draw_formula(TgRenderer *renderer, TgStrictFormula *formula, const TgTree *tree,
                             TgArena *arena, GError **error)
{
    static const TgRenderOptions options = TG_RENDER_OPTIONS_INIT;
    TgSetFormula set;
    Ink ink;

    if (!tg_renderer_set(renderer, tree, &options, &set, error))
        return FALSE;
    ink_init(&ink, &set, tree, arena);
    if (tg_strict_is_broken(tree)) {
        formula->as_lines = formula_new(formula->source);
        read_drawing(&ink, tree, TRUE, arena, formula->as_lines);
    }
    read_drawing(&ink, tree, FALSE, arena, formula);
    return TRUE;
}

TgStrictFormula *tg_strict_formula_new(TgRenderer *renderer, const char *latex, guint max_elements,
                                       TgArena *arena, GError **error)
{
    const gsize len = strlen(latex);
    GError *fault = NULL;

    if (len > TG_TEXT_MAX)
        return tg_null(error, TG_ERROR_DATA, "too-large: longer than %u bytes", TG_TEXT_MAX);
    g_autoptr(TgStrictFormula) formula = formula_new(latex);
    g_autoptr(TgTree) tree = tg_tree_parse(latex, len, NULL, &fault);
    const gboolean is_drawn = tree != NULL && draw_formula(renderer, formula, tree, arena, &fault);
    if (!is_drawn && !g_error_matches(fault, TG_ERROR, TG_ERROR_PARSE)) {
        g_propagate_error(error, fault);
        return NULL;
    }
    if (!is_drawn && tree != NULL)
        note_errors(formula, tree);
    if (formula->n_elements == 0) /* a fact about the formula */
        formula->trouble = g_strdup(is_drawn ? formula->first_error : fault->message);
    g_clear_error(&fault);
    const guint n = tg_strict_formula_size(formula);
    if (n <= max_elements && formula->n_groups <= 2 * (gsize) max_elements)
        return g_steal_pointer(&formula);
    return tg_null(error, TG_ERROR_DATA, "too-large: %u elements in %u rows", n, formula->n_groups);
}
