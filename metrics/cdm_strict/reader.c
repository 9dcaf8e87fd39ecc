/* Reads the formula tree: one element for each thing with ink, one row for each place. */
#include <math.h>
#include <string.h>

#include "metrics/cdm_strict/strict.h"

/* ---- Rows that are open while a tree is read, innermost last -------------------------------- */

/* The settings that hold inside a node; a style or color without a body holds to the end of its
 * list. */
typedef struct {
    guint8 style;         /* TgStyle */
    guint32 ink, ground;  /* colors; ink in the color of its ground is invisible */
    gboolean is_bold;     /* in \pmb */
    gboolean is_accented; /* text under an accent of text */
    guint32 shape;        /* hash of the boxes around that scale or turn the node */
} Settings;

typedef struct {
    TgArena *arena;
    const gboolean *has_ink; /* by token: whether the token has ink */
    guint32 n_tokens;
    guint32 *n_parts; /* by token: number of its elements so far */
    GArray *elements, *groups, *children;
    GArray *pending;   /* of guint32: children of the open rows */
    guint32 row_start; /* place of the first child of the innermost row */
    Settings now;
    TgStrictCell cell; /* cell that holds */
    guint32 n_grids, n_cells;
    guint32 line;         /* line that holds */
    gboolean is_break;    /* the next element begins a line; lines are read as one row */
    const TgNode *fenced; /* the only node between the \left and \right around */
    const TgNode *stroke; /* a \not that waits for its sign */
    const TgNode *letter; /* the letter before, or the first letter of the ligature with it */
    double back_em;       /* sum of negative spaces since the last element */
    gboolean is_integral; /* the last element is an integral, which \iint would set closer */
    gboolean is_alone;    /* the node has ink that is read alone in its list */
    gboolean is_last;     /* no node with ink follows in that list */
    guint n_error_elements;
} Reader;

/* A row that is open. */
typedef struct {
    guint32 row_start, pending, n_elements;
} OpenRow;

/* Add an element with the ink of @token, if the token has ink. Returns the element's index, or
 * TG_NO_TOKEN. */
static guint32 add_element(Reader *self, TgStrictGlyph glyph, guint32 token);
static void read_node(Reader *self, const TgNode *node);

static TgStrictElement *element_at(const Reader *self, guint32 i)
{
    return &g_array_index(self->elements, TgStrictElement, i);
}

/* Begin a row in the one that is open, and end it; a row without elements vanishes. */
static OpenRow open_row(Reader *self)
{
    self->back_em = 0;
    const OpenRow mark = { self->row_start, self->pending->len, self->elements->len };

    self->row_start = self->pending->len;
    return mark;
}

/* Turn a \not that still waits for its sign into a sign. */
static void end_stroke(Reader *self)
{
    const TgNode *stroke = self->stroke;

    self->stroke = NULL;
    if (stroke != NULL)
        add_element(self, tg_strict_symbol(stroke), stroke->token);
}

static void close_row(Reader *self, OpenRow mark, TgStrictRole role)
{
    end_stroke(self);
    self->row_start = mark.row_start;
    const TgStrictGroup group = { (guint8) role, self->children->len,
                                  self->pending->len - mark.pending };
    const guint32 child = self->groups->len | TG_STRICT_GROUP_BIT;
    const gboolean has_elements = self->elements->len > mark.n_elements;
    if (has_elements) {
        g_array_append_vals(self->children, &g_array_index(self->pending, guint32, mark.pending),
                            group.n_children);
        g_array_append_val(self->groups, group);
    }
    g_array_set_size(self->pending, mark.pending);
    if (has_elements)
        g_array_append_val(self->pending, child);
}

/* Join three dots in a row to an ellipsis, and two bars to a double line, in whatever way they are
 * written. */
static void join_last(Reader *self, guint32 n)
{
    const guint32 n_elements = self->elements->len, n_pending = self->pending->len;
    const guint32 *pending = &g_array_index(self->pending, guint32, 0);
    TgStrictGlyph joined = { 0 };

    if (n_elements < n || n_pending < self->row_start + n)
        return;
    TgStrictElement *first = element_at(self, n_elements - n);
    if (tg_strict_compare(first[n - 1].glyph, first->glyph, FALSE) != TG_STRICT_SAME ||
        !tg_strict_join(first->glyph, n, &joined))
        return;
    for (guint32 i = 0; i < n; i++) {
        if (pending[n_pending - n + i] != n_elements - n + i ||
            tg_strict_compare(first[i].glyph, first->glyph, FALSE) != TG_STRICT_SAME ||
            (i > 0 && first[i].cell.step))
            return;
    }
    joined.shape = first->glyph.shape;
    first->glyph = joined;
    first->last_token = first[n - 1].token;
    g_array_set_size(self->elements, n_elements - (n - 1));
    g_array_set_size(self->pending, n_pending - (n - 1));
}

#define WHITE 0xFFFFFF

/* The least negative space that puts a sign on the one before; a single \! is less. */
#define BACK_EM 0.35

static guint32 add_element(Reader *self, TgStrictGlyph glyph, guint32 token)
{
    const guint32 index = self->elements->len;
    const gboolean is_hidden = self->now.ink == self->now.ground;

    if (token >= self->n_tokens || !self->has_ink[token] || (is_hidden && self->now.ink == WHITE))
        return TG_NO_TOKEN;
    if (is_hidden) /* in the blot that \colorbox{black} makes, no sign is to be told */
        glyph = tg_strict_construct(TG_STRICT_RULE);
    if (self->back_em < -BACK_EM && self->elements->len > 0)
        glyph.moved = 1;
    self->back_em = 0;
    glyph.shape ^= self->now.shape;

    TgStrictElement element = {
        .glyph = glyph,
        .cell = self->cell,
        .line = self->line,
        .is_break = self->is_break,
        .token = token,
        .last_token = token,
        .part = self->n_parts[token]++,
    };
    if (self->stroke != NULL) {
        element.glyph.negated ^= 1;
        element.token = self->stroke->token < self->n_tokens ? self->stroke->token : token;
        self->stroke = NULL;
    }
    self->cell.step = 0;
    self->is_break = FALSE;
    g_array_append_val(self->elements, element);
    g_array_append_val(self->pending, index);
    join_last(self, 2);
    join_last(self, 3);
    return index;
}

/* End a cover: the elements up to here lie under @cover, an element or TG_NO_TOKEN. */
static void end_cover(Reader *self, guint32 cover)
{
    if (cover != TG_NO_TOKEN)
        element_at(self, cover)->cover_end = self->elements->len;
}

static void read_in_style(Reader *self, const TgNode *list, guint8 style)
{
    const guint8 around = self->now.style;

    self->now.style = style;
    read_node(self, list);
    self->now.style = around;
}

static void read_row(Reader *self, const TgNode *list, TgStrictRole role, TgStyle style)
{
    if (list == NULL)
        return;

    const OpenRow mark = open_row(self);
    read_in_style(self, list, (guint8) style);
    close_row(self, mark, role);
}

static void read_delimiter(Reader *self, const TgNode *delimiter)
{
    if (delimiter != NULL)
        add_element(self, tg_strict_symbol(delimiter), delimiter->token);
}

/* ---- The first and the last ink of a cell ---------------------------------------------------- */

/* Whether a node is a change, or space. */
static gboolean is_blank(const TgNode *node)
{
    return node->kind == TG_NODE_STYLE || node->kind == TG_NODE_SIZE ||
           node->kind == TG_NODE_SPACE || node->kind == TG_NODE_BREAK || node->kind == TG_NODE_TAG;
}

/* Whether a node other than a list has ink. */
static gboolean is_ink(const TgNode *node)
{
    if (node->kind == TG_NODE_COLOR)
        return node->u.color.body != NULL;
    if (node->kind == TG_NODE_PHANTOM)
        return (node->u.phantom.flags & TG_PHANTOM_NO_INK) == 0;
    return !is_blank(node);
}

typedef struct {
    const TgNode *first, *last; /* NULL: the list has no ink */
} InkEnds;

/* The first and the last node with ink of a list and the lists in it. */
static InkEnds ink_ends(const TgNode *list)
{
    InkEnds ends = { NULL, NULL };

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        InkEnds inner = { item, item };

        if (item->kind == TG_NODE_LIST)
            inner = ink_ends(item);
        else if (!is_ink(item))
            continue;
        ends.first = ends.first != NULL ? ends.first : inner.first;
        ends.last = inner.last != NULL ? inner.last : ends.last;
    }
    return ends;
}

/* The class that decides whether a line of mathematics may be aligned here; \overset has the class
 * of its base. */
static TgMathClass alignment_class(const TgNode *node)
{
    if (node != NULL && node->kind == TG_NODE_SCRIPTS)
        node = node->u.scripts.nucleus;
    if (node == NULL)
        return TG_CLASS_ORD;
    if (node->kind == TG_NODE_STACK && node->u.stack.form == TG_STACK_OVERSET)
        return alignment_class(ink_ends(node->u.stack.base).first);
    return tg_node_class(node);
}

/* ---- Arrays: lines of elements that know their column -------------------------------------- */

/* The boundary of two columns, as the cells on both sides show it. */
typedef struct {
    gboolean cuts;    /* some row has two cells there that do not meet at a relation */
    gboolean aligns;  /* some row has a relation there */
    gboolean is_used; /* the right column has a cell with ink */
} Boundary;

/* @left: the last ink of the cell before the boundary, @right: the first ink after it; or NULL */
static void look_at(Boundary *boundary, const TgNode *left, const TgNode *right)
{
    const TgMathClass before = alignment_class(left), after = alignment_class(right);

    if (right == NULL)
        return;
    boundary->is_used = TRUE;
    if (before == TG_CLASS_REL || after == TG_CLASS_REL)
        boundary->aligns = TRUE;
    else if (after != TG_CLASS_BIN)
        boundary->cuts = TRUE;
}

/* Whether the cells of a row are one line, and `&` only aligns it. */
static gboolean is_aligned(const TgArray *array)
{
    enum {
        ALIGNED = 1 << TG_ENV_ALIGNED | 1 << TG_ENV_ALIGNEDAT | 1 << TG_ENV_EQNARRAY |
                  1 << TG_ENV_GATHERED | 1 << TG_ENV_MULTLINE
    };

    return (ALIGNED >> array->environment & 1) != 0;
}

/* Whether `&` may stand at a relation of one formula, as in {rcl}; the cells of a matrix are
 * entries. */
static gboolean may_align(const TgArray *array)
{
    return is_aligned(array) || array->environment == TG_ENV_ARRAY ||
           array->environment == TG_ENV_CASES;
}

/* The number of each column, and after the last one the count of them, without empty columns and
 * `&` that only align. */
static const guint16 *number_columns(TgArena *arena, const TgArray *array)
{
    const guint n = array->n_columns;
    g_autofree Boundary *boundaries = g_new0(Boundary, (gsize) n + 1);
    guint16 *columns = tg_arena_zeros(arena, ((gsize) n + 1) * sizeof *columns);
    guint16 n_columns = 0;

    for (guint32 r = 0; r < array->n_rows; r++) {
        const TgNode *left = NULL;
        for (guint32 k = 0, c = 0; k < array->rows[r].n_cells && c < n; k++) {
            const InkEnds ends = ink_ends(array->rows[r].cells[k].content);

            look_at(&boundaries[c], left, ends.first);
            left = ends.last;
            c += array->rows[r].cells[k].span;
        }
    }
    guint last = 0;
    for (guint c = 0; c < n; c++)
        last = boundaries[c].is_used || (!may_align(array) && array->left != NULL) ? c : last;
    for (guint c = 0; c < n; c++) {
        const Boundary *boundary = &boundaries[c];
        /* an empty column between others is a gap as wide as two gaps */
        const gboolean gap = !is_aligned(array) && n_columns > 0 && c <= last;
        const gboolean glued = n_columns > 0 && may_align(array) &&
                               (is_aligned(array) || (boundary->aligns && !boundary->cuts));
        if (boundary->is_used ? !glued : gap)
            n_columns++;
        columns[c] = (guint16) (MAX(n_columns, 1) - 1);
    }
    columns[n] = n_columns;
    return columns;
}

/* ---- Lines --------------------------------------------------------------------------------- */

static gboolean has_relation(const TgArray *array)
{
    for (guint32 r = 0; r < array->n_rows; r++) {
        for (guint32 k = 0; k < array->rows[r].n_cells; k++) {
            const TgNode *list = array->rows[r].cells[k].content;
            for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
                if (alignment_class(item) == TG_CLASS_REL)
                    return TRUE;
            }
        }
    }
    return FALSE;
}

/* Whether the first column is flush left or right, as lines of text are. */
static gboolean is_flush(const TgArray *array)
{
    for (guint32 i = 0; i < array->n_column_items; i++) {
        if (array->columns[i].kind == TG_COLUMN_CELL)
            return array->columns[i].align != 'c';
    }
    return FALSE;
}

/* Whether the array @node consists of lines of a text, not of entries with a meaning of their
 * own. */
static gboolean is_lines(const TgNode *node)
{
    const TgArray *array = node->u.array;

    return array->left == NULL && array->right == NULL &&
           (is_aligned(array) ||
            (array->environment == TG_ENV_ARRAY && (is_flush(array) || has_relation(array))));
}

static void read_between(Reader *self, const TgArray *array, guint32 row)
{
    for (guint32 i = 0; i < array->n_between; i++) {
        const TgBetween *between = &array->between[i];

        if (between->row != row || between->token == TG_NO_TOKEN)
            continue;
        TgStrictGlyph line = tg_strict_construct(TG_STRICT_ROW_LINE);
        if (between->kind == TG_BETWEEN_CLINE &&
            (between->first > 1 || between->last < array->n_columns))
            line.shape = between->first << 16 | between->last;
        add_element(self, line, between->token);
    }
}

/* Read `|` and material between columns, which every row repeats, once before the rows. */
static void read_columns(Reader *self, const TgArray *array, const guint16 *columns)
{
    guint c = 0;

    for (guint32 i = 0; i < array->n_column_items; i++) {
        const TgColumnItem *item = &array->columns[i];

        self->cell.column = columns[MIN(c, array->n_columns)];
        if (item->kind == TG_COLUMN_LINE)
            add_element(self, tg_strict_construct(TG_STRICT_COLUMN_LINE), item->token);
        else if (item->kind == TG_COLUMN_CELL)
            c++;
        else if (item->kind == TG_COLUMN_AT)
            read_node(self, item->material);
    }
}

static void read_cells(Reader *self, const TgArray *array, const TgRow *row, const guint16 *columns)
{
    guint16 inked = 0; /* the last column with ink */
    guint32 c = 0;

    self->cell.column = 0;
    for (guint32 k = 0; k < row->n_cells; k++) {
        const guint16 column = columns[MIN(c, array->n_columns)];
        const guint32 n_elements = self->elements->len;

        self->cell.step = (guint8) MIN(column - inked, G_MAXUINT8);
        if (k == 0 || column > self->cell.column)
            self->cell.index = ++self->n_cells;
        self->cell.column = column;
        read_node(self, row->cells[k].content);
        if (self->elements->len > n_elements)
            inked = column;
        c += row->cells[k].span;
    }
    self->cell.step = 0;
}

static void read_rows(Reader *self, const TgArray *array, const guint16 *columns, gboolean splice)
{
    for (guint32 r = 0; r < array->n_rows; r++) {
        read_between(self, array, r);
        if (splice) {
            self->is_break = self->is_break || r > 0;
            read_cells(self, array, &array->rows[r], columns);
            self->line++;
        } else {
            const OpenRow line = open_row(self);
            read_cells(self, array, &array->rows[r], columns);
            close_row(self, line, TG_STRICT_LINE);
        }
    }
    read_between(self, array, array->n_rows);
    self->is_break = FALSE;
}

/* Whether the array has one row, as \substack{a}; then only its contents are drawn. */
static gboolean is_one_row(const TgArray *array)
{
    guint n_inked = 0;

    for (guint32 r = 0; r < array->n_rows; r++) {
        const TgRow *row = &array->rows[r];
        guint32 k = 0;

        while (k < row->n_cells && ink_ends(row->cells[k].content).first == NULL)
            k++;
        n_inked += k < row->n_cells;
    }
    return n_inked == 1 && array->left == NULL && array->right == NULL;
}

/* Read the cells and lines of such an array as items of the row around it. */
static void read_one_row(Reader *self, const TgArray *array, const guint16 *columns)
{
    const TgStrictCell around = self->cell;

    read_columns(self, array, columns);
    self->cell = around;
    for (guint32 r = 0; r < array->n_rows; r++) {
        const TgRow *row = &array->rows[r];
        guint32 c = 0, n_inked = 0;

        read_between(self, array, r);
        for (guint32 k = 0; k < row->n_cells; c += row->cells[k].span, k++) {
            const guint16 column = columns[MIN(c, array->n_columns)];
            if (column > n_inked) /* empty columns before it */
                self->cell.column = (guint16) (around.column + column - n_inked);
            n_inked += ink_ends(row->cells[k].content).first != NULL;
            read_node(self, row->cells[k].content);
        }
    }
    self->cell = around;
    read_between(self, array, array->n_rows);
}

/* Read the rows as lines of a grid, or with @splice one after the other in the row around. */
static void read_grid(Reader *self, const TgArray *array, const guint16 *columns, gboolean splice)
{
    const guint8 align = self->is_alone || array->n_rows < 2 ? 'c' : array->align;
    const TgStrictRole role = align == 't'   ? TG_STRICT_GRID_TOP
                              : align == 'b' ? TG_STRICT_GRID_BOTTOM
                                             : TG_STRICT_GRID;

    self->cell =
        (TgStrictCell){ .n_columns = MAX(columns[array->n_columns], 1), .grid = ++self->n_grids };
    self->line += splice; /* the elements before stand at the middle of all lines */
    const OpenRow mark = open_row(self);
    read_columns(self, array, columns);
    read_rows(self, array, columns, splice);
    if (splice)
        self->row_start = mark.row_start;
    else
        close_row(self, mark, role);
}

/* An array with its fences; @splice puts its rows one after the other into the open row. */
static void read_array_rows(Reader *self, const TgNode *node, gboolean splice)
{
    const TgArray *array = node->u.array;
    const TgStrictCell around = self->cell;
    const guint8 style = self->now.style;
    const guint16 *columns = number_columns(self->arena, array);

    read_delimiter(self, array->left);
    self->now.style = tg_style_of_cells(array);
    if (node != self->fenced && is_one_row(array))
        read_one_row(self, array, columns);
    else
        read_grid(self, array, columns, splice);
    self->cell = around;
    self->now.style = style;
    read_delimiter(self, array->right);
}

/* ---- The other kinds of nodes --------------------------------------------------------------- */

static void read_covered(Reader *self, TgStrictGlyph glyph, const TgNode *node, const TgNode *body)
{
    const guint32 cover = add_element(self, glyph, node->token);

    if (body != NULL)
        read_node(self, body);
    end_stroke(self);
    end_cover(self, cover);
}

/* ---- Lists --------------------------------------------------------------------------------- */

/* Whether an atom without ink stands where \not waits: before a relation it keeps the stroke off
 * the relation, and before other signs it changes no distance. */
static gboolean is_gap_of_stroke(const Reader *self, const TgNode *item)
{
    return self->stroke != NULL && item->kind == TG_NODE_LIST && item->u.list.first == NULL &&
           (item->next == NULL || alignment_class(item->next) != TG_CLASS_REL);
}

/* Read a list; in text it is a row of words, with which only a change of style ends. */
static void strict_read_list(Reader *self, const TgNode *list)
{
    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (tg_node_is_symbol(item, "not")) {
            end_stroke(self);
            self->stroke = item;
        } else if (!is_gap_of_stroke(self, item)) {
            if (item->kind == TG_NODE_LAP || item->kind == TG_NODE_TEXT ||
                item->kind == TG_NODE_ARRAY) {
                const InkEnds ends = ink_ends(list);

                self->is_last = ends.last == item;
                self->is_alone = self->is_last && ends.first == item;
            }
            read_node(self, item);
        }
    }
    end_stroke(self);
}

/* ---- Symbols and text ---------------------------------------------------------------------- */

static gunichar code_of(const TgNode *node)
{
    return node->kind == TG_NODE_CHAR ? node->u.character.code : node->u.symbol.code;
}

/* Add the letter @node, a CHAR or a SYMBOL. If the font has one sign for it and the letter before,
 * as `fi`, the letter before has the ink. */
static void add_letter(Reader *self, TgStrictGlyph glyph, const TgNode *node)
{
    const gunichar code = code_of(node);
    const gboolean has_own = node->token < self->n_tokens && self->has_ink[node->token];
    const gboolean may_join = self->letter != NULL && self->letter->kind == node->kind &&
                              code_of(self->letter) == 'f' &&
                              (code == 'f' || code == 'i' || code == 'l');

    if (may_join && (!has_own || node->token == self->letter->token))
        glyph.moved = 2;
    else
        self->letter = node;
    glyph.bold |= self->now.is_bold != FALSE;
    add_element(self, glyph, self->letter->token);
}

static void read_symbol(Reader *self, const TgNode *node)
{
    const TgSymbol *symbol = node->u.symbol.symbol;
    const guint n = symbol != NULL ? tg_symbol_n_integrals(symbol) : 0;

    if (n == 0) {
        if (tg_node_is_symbol(node, "int") && self->is_integral)
            self->back_em = 0;
        add_letter(self, tg_strict_symbol(node), node);
        self->is_integral = tg_node_is_symbol(node, "int");
        return;
    }
    TgNode integral = *node;
    self->back_em = 0;
    integral.u.symbol.symbol = tg_symbol_find("int", strlen("int"));
    integral.u.symbol.code = integral.u.symbol.symbol->codepoint;
    for (guint i = 0; i < n; i++)
        add_element(self, tg_strict_symbol(&integral), node->token);
}

/* Whether @node makes the mark before it an inverted mark, !` or ?`. */
static gboolean invert_mark(Reader *self, const TgNode *node)
{
    const gunichar mark = self->letter != NULL ? code_of(self->letter) : 0;

    if (node->u.character.code != '`' || (mark != '!' && mark != '?') ||
        self->letter->next != node || self->elements->len == 0 || node->token >= self->n_tokens ||
        self->has_ink[node->token])
        return FALSE;
    TgStrictElement *last = element_at(self, self->elements->len - 1);
    const guint32 shape = last->glyph.shape;
    if (last->token == self->letter->token) /* else the mark is white */
        last->glyph = tg_strict_char(mark == '!' ? 0xA1 : 0xBF, node->u.character.font, FALSE);
    last->glyph.shape = shape;
    return TRUE;
}

/* Read a character of text; a letter with an accent gives both, as if the accent were a command. */
static void read_char(Reader *self, const TgNode *node)
{
    gunichar code = node->u.character.code, base, mark;
    const TgTextFont font = node->u.character.font;

    if (invert_mark(self, node))
        return;

    if (g_unichar_decompose(code, &base, &mark) && mark >= 0x300 && mark < 0x370) {
        const guint32 accent = add_element(self, tg_strict_accent(mark, FALSE), node->token);
        const guint32 letter = add_element(self, tg_strict_char(base, font, FALSE), node->token);
        end_cover(self, accent);
        if (letter != TG_NO_TOKEN) /* the ink of both: the accent has no height of its own */
            element_at(self, letter)->cover_end = letter;
        return;
    }
    if (self->now.is_accented) /* \"\i is drawn like \"i */
        code = code == 0x131 ? 'i' : code == 0x237 ? 'j' : code;
    if (!g_unichar_isspace(code))
        add_letter(self, tg_strict_char(code, font, node->u.character.named != 0), node);
}

static void read_error(Reader *self, const TgNode *node)
{
    self->stroke = NULL;
    if (add_element(self, tg_strict_construct(TG_STRICT_ERROR), node->token) != TG_NO_TOKEN)
        self->n_error_elements++;
}

/* ---- Structure ----------------------------------------------------------------------------- */

/* Read the children that are drawn, in order. */
static void read_children(Reader *self, const TgNode *node)
{
    const guint8 style = self->now.style;
    TgChildIter iter = tg_child_iter(node);

    for (const TgNode *child; (child = tg_child_iter_next(&iter)) != NULL;) {
        if (!tg_child_is_seen(node, iter.role, style))
            continue;
        if (iter.content == TG_CONTENT_DELIMITER)
            read_delimiter(self, child);
        else
            read_in_style(self, child, tg_style_of_child(node, iter.content, iter.role, style));
    }
}

/* Read delimiters; the only row of a fenced array is still read as a row. */
static void read_delimited(Reader *self, const TgNode *node)
{
    const InkEnds ends = ink_ends(node->u.delimited.body);

    if (ends.first == ends.last)
        self->fenced = ends.first;
    read_children(self, node);
}

/* Read x^{'}, a script of an empty script, as x', because it is meant and mostly drawn so. */
static const TgNode *without_empty_nucleus(const TgNode *sup)
{
    const TgNode *only = sup != NULL ? tg_list_only(sup, TG_NODE_SCRIPTS) : NULL;

    if (only == NULL || only->u.scripts.sub != NULL || only->u.scripts.sup == NULL ||
        (only->u.scripts.nucleus != NULL && (only->u.scripts.nucleus->kind != TG_NODE_LIST ||
                                             only->u.scripts.nucleus->u.list.first != NULL)))
        return sup;
    return only->u.scripts.sup;
}

static void read_scripts(Reader *self, const TgNode *node)
{
    const TgStyle style = tg_style_of_scripts(self->now.style);
    const gboolean limits = tg_scripts_are_limits(node, self->now.style);

    if (node->u.scripts.nucleus != NULL)
        read_node(self, node->u.scripts.nucleus);
    read_row(self, node->u.scripts.sub, limits ? TG_STRICT_BELOW : TG_STRICT_SUB, style);
    read_row(self, without_empty_nucleus(node->u.scripts.sup),
             limits ? TG_STRICT_ABOVE : TG_STRICT_SUP, style);
}

static void read_stack(Reader *self, const TgNode *node)
{
    const TgStyle style = tg_style_of_scripts(self->now.style);

    read_node(self, node->u.stack.base);
    read_row(self, node->u.stack.under, TG_STRICT_BELOW, style);
    read_row(self, node->u.stack.over, TG_STRICT_ABOVE, style);
}

static void read_arrow(Reader *self, const TgNode *node)
{
    add_element(self, tg_strict_construct(TG_STRICT_ARROW + node->u.arrow.form), node->token);
    read_row(self, node->u.arrow.below, TG_STRICT_BELOW, TG_STYLE_SCRIPT);
    read_row(self, node->u.arrow.above, TG_STRICT_ABOVE, TG_STYLE_SCRIPT);
}

/* Read a fraction; without a bar it is two lines of a grid, as an array would draw it. */
static void read_fraction(Reader *self, const TgNode *node)
{
    const gboolean bar = node->u.fraction.has_bar != 0;
    const TgStyle style = tg_style_of_child(node, TG_CONTENT_PART, TG_ROLE_NUM, self->now.style);

    read_delimiter(self, node->u.fraction.left);
    const OpenRow mark = open_row(self);
    if (bar)
        add_element(self, tg_strict_construct(TG_STRICT_FRACTION_BAR), node->token);
    read_row(self, node->u.fraction.num, bar ? TG_STRICT_NUM : TG_STRICT_LINE, style);
    read_row(self, node->u.fraction.den, bar ? TG_STRICT_DEN : TG_STRICT_LINE, style);
    close_row(self, mark, bar ? TG_STRICT_FRACTION : TG_STRICT_GRID);
    read_delimiter(self, node->u.fraction.right);
}

/* Read a root: first its index, then the sign, which covers the body. */
static void read_radical(Reader *self, const TgNode *node)
{
    read_row(self, node->u.radical.index, TG_STRICT_INDEX, TG_STYLE_SCRIPTSCRIPT);
    read_covered(self, tg_strict_construct(TG_STRICT_RADICAL), node, node->u.radical.body);
}

static void read_enclosure(Reader *self, const TgNode *node)
{
    const guint8 form = node->u.enclose.form;
    const gboolean strikes = tg_enclosure_shapes[form] == TG_SHAPE_OF_STROKE;
    TgStrictGlyph glyph =
        tg_strict_construct(strikes                     ? TG_STRICT_CANCEL + (guint) form
                            : form == TG_ENCLOSE_CIRCLE ? (guint) TG_STRICT_CIRCLE
                                                        : (guint) TG_STRICT_FRAME);

    if (form == TG_ENCLOSE_BOXED)
        self->now.style = TG_STYLE_DISPLAY;
    if (tg_enclosure_shapes[form] == TG_SHAPE_OF_GROUND)
        self->now.ground = node->u.enclose.rgb;
    const gboolean is_thick = glyph.sign == tg_strict_construct(TG_STRICT_FRAME).sign &&
                              tg_length_points(node->u.enclose.line) >
                                  2 * tg_length_points((TgLength){ TG_FRAME_RULE, 0, 0 });
    glyph.bold = is_thick != FALSE;
    if (form == TG_ENCLOSE_COLORBOX)
        read_node(self, node->u.enclose.body);
    else
        read_covered(self, glyph, node, node->u.enclose.body);
}

/* ---- Nodes --------------------------------------------------------------------------------- */

static void read_accent(Reader *self, const TgNode *node)
{
    self->now.is_accented = node->u.accent.symbol == NULL;
    read_covered(self, tg_strict_accent(node->u.accent.code, node->u.accent.wide != 0), node,
                 node->u.accent.base);
}

static void read_stretch(Reader *self, const TgNode *node)
{
    read_covered(self, tg_strict_construct(TG_STRICT_STRETCH + node->u.stretch.form), node,
                 node->u.stretch.body);
}

static void read_rule(Reader *self, const TgNode *node)
{
    TgStrictGlyph glyph = node->u.rule.form == TG_RULE_RULE
                              ? tg_strict_rule(tg_length_points(node->u.rule.width),
                                               tg_length_points(node->u.rule.height))
                              : tg_strict_construct(TG_STRICT_RULE);

    glyph.shape = (guint32) lround(2 * tg_length_points(node->u.rule.raise));
    add_element(self, glyph, node->token);
}

static void read_space(Reader *self, const TgNode *node)
{
    if (!node->u.space.vertical)
        self->back_em += tg_length_points(node->u.space.amount) / 11.75;
}

static void read_raised(Reader *self, const TgNode *node)
{
    const gint32 amount = node->u.raise.amount.value;

    if (amount == 0)
        read_node(self, node->u.raise.body);
    else
        read_row(self, node->u.raise.body, amount > 0 ? TG_STRICT_RAISED : TG_STRICT_LOWERED,
                 self->now.style);
}

/* Read a node without width, which lies over its neighbors if it has any. */
static void read_lapped(Reader *self, const TgNode *body, char align)
{
    if (align == 'l')
        read_row(self, body, TG_STRICT_OVER_LEFT, self->now.style);
    else if (align == 'c' && !self->is_alone)
        read_row(self, body, TG_STRICT_OVER_BOTH, self->now.style);
    else if (align == 'r' && !self->is_last)
        read_row(self, body, TG_STRICT_OVER_RIGHT, self->now.style);
    else
        read_node(self, body);
}

static void read_lap(Reader *self, const TgNode *node)
{
    read_lapped(self, node->u.lap.body, (char) node->u.lap.align);
}

static void read_bold(Reader *self, const TgNode *node)
{
    self->now.is_bold |= node->u.body.flag == TG_BOLD_POOR;
    read_children(self, node);
}

/* Read text; \makebox[0pt][l]{..} is read as \rlap{..}. */
static void read_text(Reader *self, const TgNode *node)
{
    const guint8 align = node->u.text.align;

    if (node->u.text.shape != NULL)
        self->now.shape = 31 * self->now.shape + g_str_hash(node->u.text.shape);
    if (node->u.text.has_width && node->u.text.width.value == 0)
        read_lapped(self, node->u.text.body, align == 'l' ? 'r' : align == 'r' ? 'l' : 'c');
    else
        read_children(self, node);
}

/* Read a color; colors and backgrounds do not count, but for ink that is not to be seen. */
static void read_color(Reader *self, const TgNode *node)
{
    self->now.ink = node->u.color.rgb;
    if (node->u.color.body != NULL)
        read_node(self, node->u.color.body);
}

static void read_array(Reader *self, const TgNode *node)
{
    read_array_rows(self, node, FALSE);
}

static void read_style(Reader *self, const TgNode *node)
{
    self->now.style = node->u.change.style;
}

static void read_break(Reader *self, const TgNode *node)
{
    (void) node;
    self->line++;
}

static void read_node(Reader *self, const TgNode *node)
{
    static void (*const by_kind[TG_N_NODE_KINDS])(Reader *, const TgNode *) = {
        [TG_NODE_LIST] = strict_read_list,  [TG_NODE_SYMBOL] = read_symbol,
        [TG_NODE_CHAR] = read_char,         [TG_NODE_SCRIPTS] = read_scripts,
        [TG_NODE_FRACTION] = read_fraction, [TG_NODE_RADICAL] = read_radical,
        [TG_NODE_ACCENT] = read_accent,     [TG_NODE_STRETCH] = read_stretch,
        [TG_NODE_STACK] = read_stack,       [TG_NODE_ARROW] = read_arrow,
        [TG_NODE_BOLD] = read_bold,         [TG_NODE_DELIMITED] = read_delimited,
        [TG_NODE_ARRAY] = read_array,       [TG_NODE_STYLE] = read_style,
        [TG_NODE_ENCLOSE] = read_enclosure, [TG_NODE_RULE] = read_rule,
        [TG_NODE_BREAK] = read_break,       [TG_NODE_ERROR] = read_error,
        [TG_NODE_SPACE] = read_space,       [TG_NODE_RAISE] = read_raised,
        [TG_NODE_LAP] = read_lap,           [TG_NODE_TEXT] = read_text,
        [TG_NODE_COLOR] = read_color,
    };
    const Settings around = self->now;

    if (by_kind[node->kind] != NULL)
        by_kind[node->kind](self, node);
    else
        read_children(self, node);
    if (node->kind != TG_NODE_STYLE && (node->kind != TG_NODE_COLOR || node->u.color.body != NULL))
        self->now = around;
}

/* ---- The whole ----------------------------------------------------------------------------- */

/* The array of an item that is read as lines: an array by itself, or cases after a brace; else
 * NULL. */
static const TgNode *lines_of(const TgNode *item, gboolean *is_cases)
{
    *is_cases = FALSE;
    if (item->kind == TG_NODE_ARRAY) {
        *is_cases = item->u.array->environment == TG_ENV_CASES;
        return *is_cases || is_lines(item) ? item : NULL;
    }
    if (item->kind != TG_NODE_DELIMITED || item->u.delimited.left == NULL ||
        !tg_node_is_symbol(item->u.delimited.left, "{") || item->u.delimited.right != NULL)
        return NULL;
    const InkEnds ends = ink_ends(item->u.delimited.body);
    *is_cases = ends.first != NULL && ends.first == ends.last &&
                ends.first->kind == TG_NODE_ARRAY && is_lines(ends.first);
    return *is_cases ? ends.first : NULL;
}

/* Whether an item has only space and punctuation between lines. */
static gboolean is_between_lines(const TgNode *item)
{
    if (item->kind != TG_NODE_SYMBOL)
        return is_blank(item);
    return !tg_node_is_symbol(item, "not") &&
           (item->math_class == TG_CLASS_PUNCT || item->u.symbol.code == '.');
}

/* The innermost list of {{..}}: the first that has more than another list. */
static const TgNode *innermost(const TgNode *root)
{
    const TgNode *only;

    while ((only = tg_list_only(root, TG_NODE_LIST)) != NULL)
        root = only;
    return root;
}

gboolean tg_strict_is_broken(const TgTree *tree)
{
    const TgNode *root = innermost(tree->root);
    gboolean any = FALSE, any_cases = FALSE, others = FALSE, is_cases;

    for (const TgNode *item = root->u.list.first; item != NULL; item = item->next) {
        if (lines_of(item, &is_cases) != NULL)
            any = TRUE;
        else
            others = others || !is_between_lines(item);
        any_cases = any_cases || is_cases;
    }
    return any && (any_cases || !others);
}

static void read_lines(Reader *self, const TgNode *root)
{
    gboolean is_cases;

    for (const TgNode *item = root->u.list.first; item != NULL; item = item->next) {
        const TgNode *lines = lines_of(item, &is_cases);

        if (lines == NULL) {
            read_node(self, item);
            continue;
        }
        if (lines != item)
            read_delimiter(self, item->u.delimited.left);
        read_array_rows(self, lines, TRUE);
    }
}

/* The items of @list without spare room. */
static gpointer take_items(GArray *list, guint *n)
{
    const gsize size = (gsize) list->len * g_array_get_element_size(list);

    *n = list->len;
    return g_realloc(g_array_free(list, FALSE), size);
}

void tg_strict_read(const TgTree *tree, const gboolean *has_ink, gboolean as_lines, TgArena *arena,
                    TgStrictFormula *out)
{
    g_autoptr(GArray) pending = g_array_sized_new(FALSE, FALSE, sizeof(guint32), tree->n_tokens);
    Reader reader = {
        .arena = arena,
        .elements = g_array_sized_new(FALSE, FALSE, sizeof(TgStrictElement), tree->n_tokens),
        .groups = g_array_sized_new(FALSE, FALSE, sizeof(TgStrictGroup), tree->n_tokens),
        .children = g_array_sized_new(FALSE, FALSE, sizeof(guint32), tree->n_tokens),
        .pending = pending,
        .has_ink = has_ink,
        .now = { .style = TG_STYLE_DISPLAY, .ground = WHITE },
        .cell = { .n_columns = 1 },
        .n_tokens = tree->n_tokens,
        .n_parts = tg_arena_zeros(arena, tree->n_tokens * sizeof *reader.n_parts),
    };
    const OpenRow mark = open_row(&reader);
    if (as_lines)
        read_lines(&reader, innermost(tree->root));
    else
        strict_read_list(&reader, tree->root);
    close_row(&reader, mark, TG_STRICT_ROOT);
    out->elements = take_items(reader.elements, &out->n_elements);
    out->groups = take_items(reader.groups, &out->n_groups);
    out->children = take_items(reader.children, &out->n_children);
    out->n_unplaced = out->n_grave - MIN(out->n_grave, reader.n_error_elements);
}
