/* From LaTeX to elements with boxes: parsing, typesetting, the walk over the tree. */
#include "metrics/cdm_strict/formula.h"

#include <math.h>
#include <string.h>

#include <texgauge/types.h>

#include "metrics/cdm_strict/reader.h"
#include "render/drawing.h"
#include "render/layout_state.h"

#define PX_PER_SP (200 / 72.27 / TG_SP_PER_PT) /* 12 pt at 200 dpi, as CDM */
#define MARGIN_PX 8

struct TgStrictSetter {
    TgLayout *layout;
    GArray *marks; /* of TgMark: the formula being set */
};

TgStrictSetter *tg_strict_setter_new(gpointer fonts)
{
    TgStrictSetter *setter = g_new(TgStrictSetter, 1);

    setter->layout = tg_layout_new(fonts);
    setter->marks = g_array_new(FALSE, FALSE, sizeof(TgMark));
    return setter;
}

void tg_strict_setter_free(TgStrictSetter *setter)
{
    if (setter == NULL)
        return;
    tg_layout_free(setter->layout);
    g_array_unref(setter->marks);
    g_free(setter);
}

/* ---- Ink ----------------------------------------------------------------------------------- */

/* The ink of one token. */
typedef struct {
    guint32 first_mark, n_marks; /* in the order of drawing, in Ink.by_token */
    TgInkBox box;
    double em_px; /* of its first glyph; 0: it has none */
} TokenInk;

/* Where each token has its ink, relative to the start of the baseline. */
typedef struct {
    guint n_tokens;
    TokenInk *tokens;
    gboolean *has_ink;
    guint32 *by_token; /* marks, sorted by token */
} Ink;

static void ink_clear(Ink *ink)
{
    g_free(ink->tokens);
    g_free(ink->has_ink);
    g_free(ink->by_token);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Ink, ink_clear)

static void find_ink(const GArray *marks, guint n_tokens, Ink *ink)
{
    guint32 next = 0;

    ink->n_tokens = n_tokens;
    ink->tokens = g_new0(TokenInk, (gsize) n_tokens + 1);
    ink->has_ink = g_new0(gboolean, (gsize) n_tokens + 1);
    ink->by_token = g_new(guint32, (gsize) marks->len + 1);
    for (guint i = 0; i < marks->len; i++) {
        const TgMark *mark = &g_array_index(marks, TgMark, i);
        const TgInkBox box = tg_mark_ink(mark, PX_PER_SP);

        if (mark->token >= n_tokens || !(box.x1 > box.x0) || !(box.y1 > box.y0))
            continue;
        if (ink->tokens[mark->token].em_px == 0)
            ink->tokens[mark->token].em_px = (double) mark->size * PX_PER_SP;
        tg_ink_join(&ink->tokens[mark->token].box, &box, ink->has_ink[mark->token]);
        ink->has_ink[mark->token] = TRUE;
        ink->tokens[mark->token].n_marks++;
    }
    for (guint t = 0; t < n_tokens; t++) {
        ink->tokens[t].first_mark = next;
        next += ink->tokens[t].n_marks;
        ink->tokens[t].n_marks = 0;
    }
    for (guint i = 0; i < marks->len; i++) {
        const TgMark *mark = &g_array_index(marks, TgMark, i);
        const TgInkBox box = tg_mark_ink(mark, PX_PER_SP);

        if (mark->token >= n_tokens || !(box.x1 > box.x0) || !(box.y1 > box.y0))
            continue;
        TokenInk *token = &ink->tokens[mark->token];
        ink->by_token[token->first_mark + token->n_marks++] = i;
    }
}

/* ---- Boxes --------------------------------------------------------------------------------- */

/* The box of one element: of a token with a mark for each of its elements (\sin) its own mark. */
static TgInkBox element_ink(const TgStrictElement *element, const Ink *ink, const GArray *marks,
                            const guint32 *n_parts)
{
    const TokenInk *token = &ink->tokens[element->token];
    TgInkBox box = token->box;

    if (token->n_marks > 1 && token->n_marks == n_parts[element->token])
        box = tg_mark_ink(
            &g_array_index(marks, TgMark, ink->by_token[token->first_mark + element->part]),
            PX_PER_SP);
    for (guint32 t = element->token + 1; t <= element->last_token; t++) {
        if (ink->has_ink[t])
            tg_ink_join(&box, &ink->tokens[t].box, TRUE);
    }
    return box;
}

static void set_boxes(TgStrictFormula *formula, const TgInkToken *tokens, const GArray *marks,
                      const Ink *ink)
{
    g_autofree guint32 *n_parts = g_new0(guint32, (gsize) ink->n_tokens + 1);
    TgInkBox all = { 0, 0, 0, 0 };

    tg_locate_all((const TgMark *) (gpointer) marks->data, marks->len, PX_PER_SP, &all);
    formula->width_px = all.x1 - all.x0 + 2 * MARGIN_PX;
    formula->height_px = all.y1 - all.y0 + 2 * MARGIN_PX;
    for (guint i = 0; i < formula->elements->len; i++)
        n_parts[tg_strict_element(formula, i)->token]++;
    for (guint i = 0; i < formula->elements->len; i++) {
        TgStrictElement *element = &g_array_index(formula->elements, TgStrictElement, i);
        const TgInkBox box = element_ink(element, ink, marks, n_parts);
        const double x = MARGIN_PX - all.x0, y = MARGIN_PX - all.y0;

        element->start = tokens[element->token].start;
        element->end = tokens[element->last_token].end;
        element->em_px = ink->tokens[element->token].em_px;
        element->box = (TgCdmBox){ box.x0 + x, box.y0 + y, box.x1 + x, box.y1 + y };
    }
}

/* ---- Showing ------------------------------------------------------------------------------- */

/* The element that a mark is the ink of: where a token has one for each of its marks, its own. */
static guint32 element_of_mark(const TgStrictFormula *formula, const TgMark *mark, guint32 part)
{
    guint32 found = TG_NO_TOKEN;

    for (guint i = 0; i < formula->elements->len; i++) {
        const TgStrictElement *element = tg_strict_element(formula, i);

        if (mark->token < element->token || mark->token > element->last_token)
            continue;
        if (found == TG_NO_TOKEN || element->part == part)
            found = i;
    }
    return found;
}

/* Marks in the picture of the boxes, which begins at all ink less the margin. */
static void own_marks(const TgStrictFormula *formula, GArray *marks)
{
    TgInkBox all = { 0, 0, 0, 0 };
    guint32 last = TG_NO_TOKEN, part = 0;

    tg_locate_all((const TgMark *) (gpointer) marks->data, marks->len, PX_PER_SP, &all);
    for (guint i = 0; i < marks->len; i++) {
        TgMark *mark = &g_array_index(marks, TgMark, i);

        part = mark->token == last ? part + 1 : 0;
        last = mark->token;
        mark->x -= (TgScaled) llround(all.x0 / PX_PER_SP);
        mark->y -= (TgScaled) llround(all.y0 / PX_PER_SP);
        mark->token = element_of_mark(formula, mark, part);
    }
}

TgDrawing *tg_strict_redraw(TgStrictSetter *setter, const TgStrictFormula *formula, GError **error)
{
    g_autoptr(TgTree) tree = tg_tree_parse(formula->source, strlen(formula->source), NULL, error);
    const TgItem *box =
        tree != NULL ? tg_layout_tree(setter->layout, tree, TG_DISPLAY, error) : NULL;
    const TgPicture picture = { (guint) ceil(formula->width_px), (guint) ceil(formula->height_px),
                                MARGIN_PX, MARGIN_PX };
    g_autofree TgDrawnToken *tokens = g_new0(TgDrawnToken, (gsize) formula->elements->len + 1);

    g_array_set_size(setter->marks, 0);
    if (box == NULL || !tg_flatten(box, setter->marks, error))
        return NULL;
    own_marks(formula, setter->marks);
    for (guint i = 0; i < formula->elements->len; i++) {
        const TgStrictElement *element = tg_strict_element(formula, i);
        const TgCdmBox ink = element->box;

        tokens[i] = (TgDrawnToken){ element->start, element->end, "",     0,     TRUE,
                                    ink.x0,         ink.y0,       ink.x1, ink.y1 };
    }
    return tg_drawing_new_placed(setter->layout->fonts, setter->marks, tokens,
                                 formula->elements->len, picture, 200);
}

/* ---- Formulas ------------------------------------------------------------------------------ */

static TgStrictFormula *formula_alloc(const char *latex)
{
    TgStrictFormula *formula = g_new0(TgStrictFormula, 1);

    g_atomic_ref_count_init(&formula->refs);
    formula->source = g_strdup(latex);
    formula->elements = g_array_new(FALSE, FALSE, sizeof(TgStrictElement));
    formula->groups = g_array_new(FALSE, FALSE, sizeof(TgStrictGroup));
    formula->children = g_array_new(FALSE, FALSE, sizeof(guint32));
    return formula;
}

TgStrictFormula *tg_strict_formula_ref(TgStrictFormula *formula)
{
    g_atomic_ref_count_inc(&formula->refs);
    return formula;
}

void tg_strict_formula_unref(TgStrictFormula *formula)
{
    if (formula == NULL || !g_atomic_ref_count_dec(&formula->refs))
        return;
    tg_strict_formula_unref(formula->as_lines);
    g_free(formula->source);
    g_array_unref(formula->elements);
    g_array_unref(formula->groups);
    g_array_unref(formula->children);
    g_free(formula->first_error);
    g_free(formula->trouble);
    g_free(formula);
}

/* Whether a fault concerns what counts: white space and colours do not. */
static gboolean is_grave(const TgParseError *error)
{
    return error->kind != TG_PARSE_LENGTH && error->kind != TG_PARSE_COLOR;
}

static void note_errors(TgStrictFormula *formula, const TgTree *tree)
{
    const TgParseError *errors = tg_tree_errors(tree, &formula->n_errors);

    for (guint i = 0; i < formula->n_errors; i++)
        formula->n_grave += is_grave(&errors[i]);
    if (formula->n_errors > 0)
        formula->first_error =
            g_strdup_printf("%s, column %u", errors[0].message, errors[0].column);
}

static gboolean set_tree(TgStrictSetter *setter, TgStrictFormula *formula, const TgTree *tree,
                         GError **error)
{
    const TgItem *box = tg_layout_tree(setter->layout, tree, TG_DISPLAY, error);
    g_auto(Ink) ink = { 0 };
    guint n_tokens;

    g_array_set_size(setter->marks, 0);
    if (box == NULL || !tg_flatten(box, setter->marks, error))
        return FALSE;
    const TgInkToken *tokens = tg_tree_tokens(tree, &n_tokens);
    find_ink(setter->marks, n_tokens, &ink);
    tg_strict_read(tree, ink.has_ink, FALSE, formula);
    set_boxes(formula, tokens, setter->marks, &ink);
    if (tg_strict_is_broken(tree)) {
        TgStrictFormula *lines = formula->as_lines = formula_alloc(formula->source);
        note_errors(lines, tree);
        tg_strict_read(tree, ink.has_ink, TRUE, lines);
        set_boxes(lines, tokens, setter->marks, &ink);
    }
    return TRUE;
}

/* Whether there are more elements, or rows for them, than may be compared. */
static gboolean check_size(const TgStrictFormula *formula, guint max_elements, GError **error)
{
    const guint n = tg_strict_formula_size(formula);

    if (n <= max_elements && formula->groups->len <= 2 * (gsize) max_elements)
        return TRUE;
    g_set_error(error, TG_ERROR, TG_ERROR_DATA, "too-large: %u elements in %u rows", n,
                formula->groups->len);
    return FALSE;
}

TgStrictFormula *tg_strict_formula_new(TgStrictSetter *setter, const char *latex,
                                       guint max_elements, GError **error)
{
    g_autoptr(TgStrictFormula) formula = formula_alloc(latex);
    GError *fault = NULL;
    g_autoptr(TgTree) tree = tg_tree_parse(latex, strlen(latex), NULL, &fault);

    if (tree != NULL)
        note_errors(formula, tree);
    if (tree == NULL || !set_tree(setter, formula, tree, &fault)) {
        if (!g_error_matches(fault, TG_ERROR, TG_ERROR_PARSE)) {
            g_propagate_error(error, fault);
            return NULL;
        }
        formula->trouble = g_strdup(fault->message); /* a fact about the formula */
        g_clear_error(&fault);
    } else if (formula->elements->len == 0) {
        formula->trouble = g_strdup(formula->first_error);
    }
    return check_size(formula, max_elements, error) ? g_steal_pointer(&formula) : NULL;
}

guint tg_strict_formula_size(const TgStrictFormula *formula)
{
    return formula->elements->len + formula->n_unplaced;
}

/* ---- Sharing ------------------------------------------------------------------------------- */

static gpointer ref_shared(gpointer formula)
{
    return tg_strict_formula_ref(formula);
}

static void unref_shared(gpointer formula)
{
    tg_strict_formula_unref(formula);
}

static gsize size_of_array(const GArray *array)
{
    return sizeof *array + (gsize) array->len * g_array_get_element_size((GArray *) array);
}

static gsize size_of_shared(gconstpointer object)
{
    const TgStrictFormula *formula = object;

    return sizeof *formula + strlen(formula->source) + size_of_array(formula->elements) +
           size_of_array(formula->groups) + size_of_array(formula->children) +
           (formula->as_lines != NULL ? size_of_shared(formula->as_lines) : 0);
}

const TgSharedKind tg_strict_formula_kind = { ref_shared, unref_shared, size_of_shared };
