/* Arrays: lines of elements that know their column. */
#include "metrics/cdm_strict/reader_array.h"

#include "tokenizer/tree/tree.h"

/* ---- What a cell begins and ends with ------------------------------------------------------ */

/* Of anything but a list. */
static gboolean is_ink(const TgNode *node)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_STYLE:
    case TG_NODE_SIZE:
    case TG_NODE_SPACE:
    case TG_NODE_BREAK:
    case TG_NODE_TAG:
        return FALSE;
    case TG_NODE_COLOR:
        return node->u.color.body != NULL;
    case TG_NODE_PHANTOM:
        return (node->u.phantom.flags & TG_PHANTOM_NO_INK) == 0;
    default:
        return TRUE;
    }
}

/* Each list is looked into once: asking first whether it has ink would double the work at every
 * level. */
const TgNode *tg_strict_first(const TgNode *list)
{
    const TgNode *first = NULL;

    for (const TgNode *item = list->u.list.first; item != NULL && first == NULL;
         item = item->next) {
        if (item->kind == TG_NODE_LIST)
            first = tg_strict_first(item);
        else if (is_ink(item))
            first = item;
    }
    return first;
}

const TgNode *tg_strict_last(const TgNode *list)
{
    const TgNode *last = NULL;

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_LIST) {
            const TgNode *inner = tg_strict_last(item);
            last = inner != NULL ? inner : last;
        } else if (is_ink(item)) {
            last = item;
        }
    }
    return last;
}

/* The class that tells where a line of mathematics may be aligned: \overset has that of its base.
 */
static TgMathClass alignment_class(const TgNode *node)
{
    if (node != NULL && node->kind == TG_NODE_SCRIPTS)
        node = node->u.scripts.nucleus;
    if (node == NULL)
        return TG_CLASS_ORD;
    if (node->kind == TG_NODE_STACK && node->u.stack.form == TG_STACK_OVERSET)
        return alignment_class(tg_strict_first(node->u.stack.base));
    return tg_node_class(node);
}

/* ---- Columns ------------------------------------------------------------------------------- */

/* The column of each `&`, counted without empty ones and those that only align. */
typedef struct {
    guint16 n;       /* how many are left */
    guint16 *number; /* [n_columns + 1]: of each column */
} Columns;

/* What the cells on both sides of a boundary say about it. */
typedef struct {
    gboolean cuts;    /* some row has two cells there that do not meet at a relation */
    gboolean aligns;  /* some row has a relation there */
    gboolean is_used; /* the right column has a cell with ink */
} Boundary;

static void look_at(Boundary *boundary, const TgNode *left, const TgNode *right)
{
    const TgNode *first = tg_strict_first(right),
                 *last = left != NULL ? tg_strict_last(left) : NULL;
    const TgMathClass before = alignment_class(last), after = alignment_class(first);

    if (first == NULL)
        return;
    boundary->is_used = TRUE;
    if (before == TG_CLASS_REL || after == TG_CLASS_REL)
        boundary->aligns = TRUE;
    else if (after != TG_CLASS_BIN)
        boundary->cuts = TRUE;
}

static gboolean is_aligned(const TgArray *array)
{
    switch ((TgEnvironment) array->environment) {
    case TG_ENV_ALIGNED:
    case TG_ENV_ALIGNEDAT:
    case TG_ENV_EQNARRAY:
    case TG_ENV_EQALIGN:
    case TG_ENV_GATHERED:
    case TG_ENV_MULTLINE:
    case TG_ENV_DISPLAYLINES:
        return TRUE;
    default:
        return FALSE;
    }
}

/* Whether `&` may stand at a relation of one formula, as in {rcl}; a matrix has entries. */
static gboolean may_align(const TgArray *array)
{
    return is_aligned(array) || array->environment == TG_ENV_ARRAY ||
           array->environment == TG_ENV_CASES || array->environment == TG_ENV_PLAIN_CASES;
}

static Columns count_columns(const TgArray *array)
{
    const guint n = array->n_columns;
    g_autofree Boundary *boundaries = g_new0(Boundary, (gsize) n + 1);
    Columns columns = { 0, g_new0(guint16, (gsize) n + 1) };

    for (guint32 r = 0; r < array->n_rows; r++) {
        const TgNode *left = NULL;
        for (guint32 k = 0, c = 0; k < array->rows[r].n_cells && c < n; k++) {
            const TgCell *cell = &array->rows[r].cells[k];
            look_at(&boundaries[c], left, cell->content);
            left = cell->content;
            c += cell->span;
        }
    }
    for (guint c = 0; c < n; c++) {
        const Boundary *boundary = &boundaries[c];
        const gboolean glued = columns.n > 0 && may_align(array) &&
                               (is_aligned(array) || (boundary->aligns && !boundary->cuts));
        if (boundary->is_used && !glued)
            columns.n++;
        columns.number[c] = (guint16) (MAX(columns.n, 1) - 1);
    }
    columns.number[n] = columns.n;
    columns.n = MAX(columns.n, 1);
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

/* Whether the first column is set flush left or right, as lines are. */
static gboolean is_flush(const TgArray *array)
{
    for (guint32 i = 0; i < array->n_column_items; i++) {
        if (array->columns[i].kind == TG_COLUMN_CELL)
            return array->columns[i].align != 'c';
    }
    return FALSE;
}

gboolean tg_strict_is_lines(const TgNode *node)
{
    const TgArray *array = node->u.array;

    return array->left == NULL && array->right == NULL &&
           (is_aligned(array) ||
            (array->environment == TG_ENV_ARRAY && (is_flush(array) || has_relation(array))));
}

static void read_between(TgStrictReader *self, const TgNode *node, guint32 row)
{
    const TgArray *array = node->u.array;

    for (guint32 i = 0; i < array->n_between; i++) {
        const TgBetween *between = &array->between[i];

        if (between->row != row)
            continue;
        if (between->text != NULL)
            tg_strict_read_row(self, between->text, TG_STRICT_LINE, TG_STYLE_TEXT);
        else if (between->token != TG_NO_TOKEN)
            tg_strict_add(self, tg_strict_construct(TG_STRICT_ROW_LINE), between->token);
    }
}

/* `|` and material between columns, which every row repeats, are read once, before the rows. */
static void read_columns(TgStrictReader *self, const TgNode *node, const Columns *columns)
{
    const TgArray *array = node->u.array;
    guint c = 0;

    for (guint32 i = 0; i < array->n_column_items; i++) {
        const TgColumnItem *item = &array->columns[i];

        self->cell.column = columns->number[MIN(c, array->n_columns)];
        if (item->kind == TG_COLUMN_LINE)
            tg_strict_add(self, tg_strict_construct(TG_STRICT_COLUMN_LINE), item->token);
        else if (item->kind == TG_COLUMN_CELL)
            c++;
        else if (item->kind == TG_COLUMN_AT || item->kind == TG_COLUMN_BANG)
            self->read_node(self, item->material);
    }
}

static void read_cells(TgStrictReader *self, const TgArray *array, const TgRow *row,
                       const Columns *columns)
{
    guint32 c = 0;

    self->cell.column = 0;
    for (guint32 k = 0; k < row->n_cells; k++) {
        const guint16 column = columns->number[MIN(c, array->n_columns)];

        self->cell.is_first = column > self->cell.column;
        self->cell.column = column;
        if (k == 0 || self->cell.is_first)
            self->cell.index = ++self->n_cells;
        self->read_node(self, row->cells[k].content);
        c += row->cells[k].span;
    }
    self->cell.is_first = 0;
}

static void read_rows(TgStrictReader *self, const TgNode *node, const Columns *columns,
                      gboolean splice)
{
    const TgArray *array = node->u.array;

    for (guint32 r = 0; r < array->n_rows; r++) {
        read_between(self, node, r);
        if (splice) {
            read_cells(self, array, &array->rows[r], columns);
            self->line++;
        } else {
            const TgStrictMark line = tg_strict_open(self);
            read_cells(self, array, &array->rows[r], columns);
            tg_strict_close(self, line, TG_STRICT_LINE);
        }
    }
    read_between(self, node, array->n_rows);
}

static gboolean has_ink(const TgRow *row)
{
    for (guint32 k = 0; k < row->n_cells; k++)
        if (tg_strict_first(row->cells[k].content) != NULL)
            return TRUE;
    return FALSE;
}

/* Whether the array is one row, as \\substack{a} is: then it draws what is in it. */
static gboolean is_one_row(const TgArray *array)
{
    guint n_inked = 0;

    for (guint32 r = 0; r < array->n_rows; r++)
        n_inked += has_ink(&array->rows[r]);
    return n_inked == 1 && array->left == NULL && array->right == NULL;
}

/* Its cells and lines as items of the row around it. */
static void read_one_row(TgStrictReader *self, const TgNode *node, const Columns *columns)
{
    const TgArray *array = node->u.array;
    const TgStrictCell around = self->cell;

    read_columns(self, node, columns);
    self->cell = around;
    for (guint32 r = 0; r < array->n_rows; r++) {
        read_between(self, node, r);
        for (guint32 k = 0; k < array->rows[r].n_cells; k++)
            self->read_node(self, array->rows[r].cells[k].content);
    }
    read_between(self, node, array->n_rows);
}

/* The rows as lines of a grid, or with @splice behind each other in the row around. */
static void read_grid(TgStrictReader *self, const TgNode *node, const Columns *columns,
                      gboolean splice)
{
    self->cell = (TgStrictCell){ .n_columns = columns->n, .grid = ++self->n_grids };
    self->line += splice; /* what stands before is as high as the middle of all lines */
    const TgStrictMark mark = tg_strict_open(self);
    read_columns(self, node, columns);
    read_rows(self, node, columns, splice);
    if (splice)
        self->row_start = mark.row_start;
    else
        tg_strict_close(self, mark, TG_STRICT_GRID);
}

void tg_strict_read_array(TgStrictReader *self, const TgNode *node, gboolean splice)
{
    const TgArray *array = node->u.array;
    const TgStrictCell around = self->cell;
    const guint8 style = self->style;
    Columns columns = count_columns(array);

    tg_strict_read_delimiter(self, array->left);
    self->style = tg_style_of_cells(array);
    if (node != self->fenced && is_one_row(array))
        read_one_row(self, node, &columns);
    else
        read_grid(self, node, &columns, splice);
    self->cell = around;
    self->style = style;
    tg_strict_read_delimiter(self, array->right);
    g_free(columns.number);
}
