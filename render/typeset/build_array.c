/* Environments with rows and columns: array, matrix, cases, aligned and related ones. Cells are
 * set first, then rows as TeX's \halign sets them: columns as wide as their widest cell.
 */
#include "render/typeset/typeset.h"

#define ALIGN_SEP        TG_PT(10)
#define NORMAL_LINE_SKIP TG_PT(1)
#define TAB_COL_SEP      TG_PT(6)
#define RULE_WIDTH       TG_PT(0.4)
#define DOUBLE_RULE_SEP  TG_PT(2)
#define JOT              TG_PT(3)
#define MULTLINE_GAP     TG_PT(10)
#define BORDER_GAP       TG_PT(2)
#define BORDER_ROOM      TG_PT(8.75)
#define RUNNING          TG_PT(-16384) /* of a rule as high or deep as its row */

/* ---- Environments ---------------------------------------------------------------------------- */

/* The properties of an environment. */
typedef struct {
    enum {
        LEADING_NONE, /* rows are kept apart by struts */
        LEADING_OPEN, /* \openup\jot */
        LEADING_PLAIN,
        LEADING_SMALL,
        LEADING_SUBARRAY,
    } leading;
    enum { STRUT_NONE, STRUT, STRUT_CASES, STRUT_ARRAY } strut; /* 1, 1.2, \arraystretch times */
    const char *aligns; /* of columns without a specification; NULL: as the first one has it */
    guint8 cycle;       /* this number of @aligns, at the end, repeats */
    enum {
        GAP_NONE,
        GAP_AROUND, /* \arraycolsep at both sides */
        GAP_TWICE,  /* two \arraycolsep before each column but the first */
        GAP_QUAD,   /* the same with \quad */
        GAP_THICK,
        GAP_QUAD_AFTER_FIRST,
        GAP_MULTLINED, /* beside the first row and the last */
        GAP_BORDER,    /* labels, a fence, and \quad between the others */
    } gap;
    enum {
        SIDE_NONE,
        SIDE_TRIMMED, /* the outer columns have no space at their outer sides */
        SIDE_THIN,    /* \, at both sides */
        SIDE_BOX,     /* \null at the left */
    } side;
    gboolean is_script, begins_with_atom;
    gboolean is_array; /* \\[gap] deepens the row's strut; \vspace in a cell comes below */
} Environment;

static const Environment environments[] = {
    [TG_ENV_ARRAY] = { LEADING_NONE, STRUT_ARRAY, "c", 1, GAP_AROUND, .is_array = TRUE },
    [TG_ENV_MATRIX] = { LEADING_NONE, STRUT_ARRAY, NULL, 1, GAP_AROUND, SIDE_TRIMMED,
                        .is_array = TRUE },
    [TG_ENV_SMALLMATRIX] = { LEADING_SMALL, STRUT_NONE, NULL, 1, GAP_THICK, SIDE_THIN,
                             .is_script = TRUE },
    [TG_ENV_CASES] = { LEADING_NONE, STRUT_CASES, "l", 1, GAP_QUAD_AFTER_FIRST, .is_array = TRUE },
    [TG_ENV_ALIGNED] = { LEADING_OPEN, STRUT, "rl", 2, GAP_NONE, SIDE_BOX,
                         .begins_with_atom = TRUE },
    [TG_ENV_ALIGNEDAT] = { LEADING_OPEN, STRUT, "rl", 2, GAP_NONE, SIDE_BOX,
                           .begins_with_atom = TRUE },
    [TG_ENV_EQNARRAY] = { LEADING_OPEN, STRUT, "rcl", 1, GAP_TWICE },
    [TG_ENV_GATHERED] = { LEADING_OPEN, STRUT, "c", 1, GAP_NONE, SIDE_BOX },
    [TG_ENV_MULTLINE] = { LEADING_OPEN, STRUT, "c", 1 },
    [TG_ENV_SUBARRAY] = { LEADING_SUBARRAY, STRUT_NONE, "c", 1, .is_script = TRUE },
    [TG_ENV_PLAIN_MATRIX] = { LEADING_PLAIN, STRUT_NONE, "c", 1, GAP_QUAD, SIDE_THIN },
};

/* mathtools' cases (dcases, rcases) are alignments; amsmath's are an array. */
static const Environment *environment_of(const TgArray *array)
{
    static const Environment aligned_cases = { LEADING_OPEN, STRUT, "l", 1, GAP_QUAD };
    static const Environment bordered = { LEADING_PLAIN, STRUT_NONE, "lc", 1, GAP_BORDER };
    static const Environment multlined = { LEADING_OPEN, STRUT, "c", 1, GAP_MULTLINED };
    const gboolean is_mathtools =
        array->display || array->left == NULL || g_str_has_suffix(array->name, "*");

    return array->environment == TG_ENV_CASES && is_mathtools ? &aligned_cases
           : strcmp(array->name, "bordermatrix") == 0         ? &bordered
           : strcmp(array->name, "multlined") == 0            ? &multlined
                                                              : &environments[array->environment];
}

/* ---- An array being set ---------------------------------------------------------------------- */

enum { BEFORE, AFTER, N_SIDES };

/* A cell that is set. */
typedef struct Cell Cell;
struct Cell {
    TgItem *box;       /* with the material of its column, in its natural size */
    guint first, last; /* columns that it covers */
    const Cell *next;  /* of those that end in the same column */
};

/* The template of one column: what stands at both sides of the content of a cell. */
typedef struct {
    TgItemList sides[N_SIDES];
    guint8 align;       /* l c r */
    TgScaled width;     /* at least */
    const Cell *ending; /* the cells that end in it */
} Column;

/* A row whose cells are set. */
typedef struct {
    Cell *cells;
    guint n_cells;
    TgScaled height, depth; /* of its strut and its cells */
    TgScaled gap;           /* after it */
} Row;

/* All of it lies in the arena of the layout. */
typedef struct {
    TgLayout *layout;
    const TgArray *array;
    const Environment *environment;
    Column *columns; /* by number */
    guint n_columns; /* that are used, at least 1 */
    Row *rows;
    TgScaled *widths, *tabskips; /* of columns, and after each */
    TgScaled total;              /* the width of all */
    TgItemList pile;             /* the vertical list */
    TgLeading leading;           /* in it */
} Setting;

/* ---- Columns --------------------------------------------------------------------------------- */

/* \arraycolsep where the array begins. */
static TgScaled column_sep(const Setting *setting)
{
    return tg_length(setting->layout, setting->array->sep);
}

/* The first @most columns of a specification like `r|c@{:}l`, as LaTeX's \@mkpream reads it, with
 * room for as many; material before the first column belongs to that one. @n_read: how many there
 * are */
static Column *read_columns(const Setting *setting, const TgColumnItem *items, guint n, guint most,
                            guint *n_read)
{
    TgLayout *self = setting->layout;
    const gboolean is_text = setting->array->text;
    const TgScaled sep = setting->environment->is_script ? 0
                         : is_text                       ? TAB_COL_SEP
                                                         : column_sep(setting);
    enum { START, COLUMN, LINE, MATERIAL } before = START;
    Column *columns = tg_arena_zeros(&self->arena, most * sizeof *columns);
    Column *column = columns;
    TgItemList outside = { NULL, NULL }, *list = &outside;

    for (guint i = 0; i < n && (items[i].kind != TG_COLUMN_CELL || column < columns + most); i++) {
        const TgColumnItem *item = &items[i];

        if (before == COLUMN && item->kind != TG_COLUMN_AT)
            tg_item_list_add(list, tg_kern(self, sep));
        switch ((TgColumnItemKind) item->kind) {
        case TG_COLUMN_CELL:
            if (column == columns)
                column->sides[BEFORE] = outside;
            if (before != MATERIAL)
                tg_item_list_add(&column->sides[BEFORE], tg_kern(self, sep));
            list = &column->sides[AFTER];
            column->align = strchr("pmb", item->align) != NULL ? 'l' : item->align;
            column->width = tg_length(self, item->width);
            column++;
            before = COLUMN;
            break;
        case TG_COLUMN_LINE:
            if (before == LINE)
                tg_item_list_add(list, tg_kern(self, DOUBLE_RULE_SEP));
            tg_item_list_add(/* centered on its place, without width */
                             list, tg_items(tg_kern(self, -RULE_WIDTH / 2),
                                            tg_rule(self, RULE_WIDTH, RUNNING, RUNNING,
                                                    tg_ink(self, item->token)),
                                            tg_kern(self, -(RULE_WIDTH - RULE_WIDTH / 2))));
            before = LINE;
            break;
        case TG_COLUMN_AT:
            if (before == LINE)
                tg_item_list_add(list, tg_kern(self, RULE_WIDTH / 2));
            tg_item_list_add(list, tg_formula_box(self, item->material, TG_TEXT));
            before = MATERIAL;
            break;
        }
    }
    if (before == COLUMN)
        tg_item_list_add(list, tg_kern(self, sep));
    *n_read = (guint) (column - columns);
    return columns;
}

/* Make column @n as the environment has it without a specification. */
static void add_default_column(const Setting *setting, guint n)
{
    TgLayout *self = setting->layout;
    const Environment *environment = setting->environment;
    const guint cycle = environment->cycle;
    const TgScaled quad = tg_em(self), sep = column_sep(setting);
    TgScaled before = 0, after = 0;
    guint8 align = 'c';

    if (environment->aligns != NULL) {
        const guint length = (guint) strlen(environment->aligns);
        align =
            (guint8) environment->aligns[n < length ? n : length - cycle + (n - length) % cycle];
    } else if (n > 0) {
        align = setting->columns[0].align;
    }
    if (environment->gap == GAP_AROUND)
        before = after = sep;
    else if (environment->gap == GAP_QUAD_AFTER_FIRST)
        after = n == 0 ? quad : 0;
    else if (environment->gap == GAP_BORDER && n == 0)
        after = BORDER_GAP + BORDER_ROOM;
    else if (n > 0)
        before = environment->gap == GAP_TWICE    ? 2 * sep
                 : environment->gap == GAP_QUAD   ? quad
                 : environment->gap == GAP_BORDER ? (n == 1 ? quad / 6 : quad)
                 : environment->gap == GAP_THICK  ? tg_xn_over_d(quad, 18199, 65536) /* .2777 em */
                                                  : 0;
    Column *column = &setting->columns[n];
    column->align = align;
    tg_item_list_add(&column->sides[BEFORE], tg_kern(self, before));
    tg_item_list_add(&column->sides[AFTER], tg_kern(self, after));
}

/* ---- Cells and rows -------------------------------------------------------------------------- */

static TgItem *cell_content(Setting *setting, const TgCell *cell, guint number)
{
    TgLayout *self = setting->layout;
    const int style = setting->array->display           ? TG_DISPLAY
                      : setting->environment->is_script ? TG_SCRIPT
                                                        : TG_TEXT;
    TgNoadList list = { NULL, NULL };

    if (cell->text)
        return tg_hpack(self, tg_trimmed_line(self, cell->content));
    const TgLayoutState kept = tg_enter_math(self, style);
    /* an empty atom, so that a relation at the start of the cell keeps its space */
    if (setting->environment->begins_with_atom && number % 2 == 1)
        tg_append_empty(self, &list);
    tg_build_items(self, cell->content, &list);
    TgItem *box = tg_list_box(self, list.first, style);
    self->now = kept;
    return box;
}

/* One side of a column's template, copied, because each cell has items of its own. */
static TgItem *side_items(TgLayout *self, const TgItem *item)
{
    TgItemList list = { NULL, NULL };

    for (; item != NULL; item = item->next) {
        TgItem *copy = tg_item_new(self, (TgItemKind) item->kind);

        *copy = *item;
        copy->next = NULL;
        tg_item_list_add(&list, copy);
    }
    return list.first;
}

/* The cell of row @r that begins in column @number. */
static TgItem *cell_box(Setting *setting, guint r, const TgCell *cell, guint number,
                        const Column *column)
{
    TgLayout *self = setting->layout;
    TgItem *content = cell_content(setting, cell, number);
    const TgScaled missing = MAX(column->width - content->width, 0);
    guint8 align = column->align;

    if (setting->array->environment == TG_ENV_MULTLINE && number == 0) {
        /* the first row at the left, the last at the right; those of mathtools' multlined keep
         * \multlinegap from the other side */
        const gboolean first = r == 0, last = r + 1 == setting->array->n_rows;
        TgItem *gap = tg_kern(self, MULTLINE_GAP);

        align = first ? 'l' : last ? 'r' : 'c';
        if (setting->environment->gap == GAP_MULTLINED && first != last)
            content = first ? tg_hbox(self, content, gap) : tg_hbox(self, gap, content);
    }
    /* the content is unpacked, so that an \hfill in it moves it within its column */
    TgItem *box =
        tg_hbox(self, side_items(self, column->sides[BEFORE].first),
                align != 'l' ? tg_fil(self) : NULL, content->list,
                align != 'r' ? tg_fil(self) : NULL, side_items(self, column->sides[AFTER].first));
    box->width += missing;
    return box;
}

static void set_row(Setting *setting, guint r)
{
    static const TgScaled stretches[] = { 0, 65536, TG_CASES_STRETCH };
    TgLayout *self = setting->layout;
    const TgRow *from = &setting->array->rows[r];
    const Environment *environment = setting->environment;
    const TgItem *strut =
        tg_strut(self, environment->strut == STRUT_ARRAY ? setting->array->stretch
                                                         : stretches[environment->strut]);
    Row *row = &setting->rows[r];
    guint number = 0;

    *row = (Row){ .cells = tg_arena_zeros(&self->arena, from->n_cells * sizeof(Cell)),
                  .height = strut->height,
                  .depth = strut->depth,
                  .gap = tg_length(self, from->gap) };
    if (environment->is_array && row->gap > 0) { /* a strut that much deeper */
        row->depth += row->gap;
        row->gap = 0;
    }
    if (environment->gap == GAP_MULTLINED && r == 0 && setting->array->n_rows > 1)
        row->gap -= TG_PT(1); /* its rows are a little closer */
    for (guint i = 0; i < from->n_cells && number < setting->n_columns; i++) {
        const TgCell *cell = &from->cells[i];
        const guint last = MIN(number + MAX(cell->span, 1), setting->n_columns) - 1;
        const Column *column = &setting->columns[number];

        if (cell->columns != NULL) { /* \multicolumn */
            guint n_own;
            const Column *own = read_columns(setting, cell->columns, cell->n_columns, 1, &n_own);
            if (n_own > 0)
                column = own;
        }
        TgItem *box = cell_box(setting, r, cell, number, column);
        row->cells[i] = (Cell){ box, number, last, setting->columns[last].ending };
        setting->columns[last].ending = &row->cells[i];
        row->n_cells++;
        row->height = MAX(row->height, box->height);
        row->depth = MAX(row->depth, box->depth);
        number = last + 1;
    }
}

/* ---- Widths ---------------------------------------------------------------------------------- */

/* The width of the columns from @first to before @end, with the space between them. */
static TgScaled span_width(const Setting *setting, guint first, guint end)
{
    TgScaled width = 0;

    for (guint c = first; c < end; c++)
        width += setting->widths[c] + (c + 1 < end ? setting->tabskips[c] : 0);
    return width;
}

/* Find widths from left to right: each column is as wide as the cells that end in it need, beside
 * earlier columns (TeX §801-804). If no cell ends in a column, neither the column nor the space
 * after it has width. */
static void measure_columns(Setting *setting)
{
    for (guint c = 0; c < setting->n_columns; c++) {
        const Cell *const ending = setting->columns[c].ending;

        for (const Cell *cell = ending; cell != NULL; cell = cell->next) {
            const TgScaled others = span_width(setting, cell->first, c) +
                                    (cell->first < c ? setting->tabskips[c - 1] : 0);
            const TgScaled wanted = cell->box->width - others;

            setting->widths[c] = cell == ending ? wanted : MAX(setting->widths[c], wanted);
        }
        if (ending == NULL)
            setting->tabskips[c] = 0;
    }
    setting->total =
        span_width(setting, 0, setting->n_columns) + setting->tabskips[setting->n_columns - 1];
}

/* ---- Rows as boxes --------------------------------------------------------------------------- */

static TgItem *row_box(Setting *setting, const Row *row)
{
    TgLayout *self = setting->layout;
    TgItemList list = { NULL, NULL };

    for (guint i = 0; i < row->n_cells; i++) {
        const Cell *cell = &row->cells[i];

        for (TgItem *item = cell->box->list; item != NULL; item = item->next) {
            if (item->kind == TG_ITEM_RULE && item->height == RUNNING) {
                item->height = row->height;
                item->depth = row->depth;
            }
        }
        tg_item_list_add(&list, tg_hpack_to(self, cell->box->list,
                                            span_width(setting, cell->first, cell->last + 1)));
        tg_item_list_add(&list, tg_kern(self, setting->tabskips[cell->last]));
    }
    return tg_box(self, TG_ITEM_HBOX, list.first, setting->total, row->height, row->depth);
}

/* A rule, whole or from one column to another. */
static TgItem *rule_box(Setting *setting, const TgBetween *between)
{
    TgLayout *self = setting->layout;
    TgScaled before = 0, width = setting->total;

    if (between->kind != TG_BETWEEN_HLINE) {
        const guint n = setting->n_columns, column = MAX(between->first, 1) - 1;
        const guint first = MIN(column, n), end = MIN(MAX(between->last, 1), n);
        before = span_width(setting, 0, first) + (first > 0 ? setting->tabskips[first - 1] : 0);
        width = span_width(setting, column, end);
    }
    TgItem *box = tg_hbox(self, tg_rule(self, width, RULE_WIDTH, 0, tg_ink(self, between->token)));
    box->shift = before;
    return box;
}

/* ---- The vertical list ----------------------------------------------------------------------- */

/* The interline glue of the environment. */
static TgLeading leading_of(const Setting *setting)
{
    TgLayout *self = setting->layout;
    const TgScaled baselineskip = self->now.text.baselineskip, ex = tg_ex_at(self);

    switch (setting->environment->leading) {
    case LEADING_NONE:
        return (TgLeading){ 0, 0, 0, -1 };
    case LEADING_PLAIN:
        return (TgLeading){ baselineskip, NORMAL_LINE_SKIP, 0, -1 };
    case LEADING_SMALL:
        return (TgLeading){ 6 * ex, ex + tg_half(ex), ex + tg_half(ex), -1 };
    case LEADING_SUBARRAY: {
        const TgLayoutState kept = tg_enter_math(self, TG_SCRIPT);
        const TgScaled skip = 3 * tg_rule_thickness(self);
        const TgScaled between =
            tg_math_sy(self, TG_PARAM_NUM3) + tg_math_sy(self, TG_PARAM_DENOM2);
        self->now = kept;
        return (TgLeading){ between, skip, skip, -1 };
    }
    case LEADING_OPEN:
    default:
        return (TgLeading){ baselineskip + JOT, NORMAL_LINE_SKIP + JOT, JOT, -1 };
    }
}

static void add_skip(Setting *setting, TgScaled skip)
{
    tg_item_list_add(&setting->pile, tg_kern(setting->layout, skip));
}

static void add_row(Setting *setting, guint r)
{
    const TgRow *row = &setting->array->rows[r];

    tg_add_line(setting->layout, &setting->pile, row_box(setting, &setting->rows[r]),
                &setting->leading);
    for (guint i = 0; setting->environment->is_array && i < row->n_cells; i++)
        for (const TgNode *item = row->cells[i].content->u.list.first; item != NULL;
             item = item->next)
            if (item->kind == TG_NODE_SPACE && item->u.space.vertical)
                add_skip(setting, tg_length(setting->layout, item->u.space.amount));
    if (setting->rows[r].gap != 0)
        add_skip(setting, setting->rows[r].gap);
}

/* Add the rules and the space before row @row. */
static void add_between(Setting *setting, guint row, guint *next)
{
    const TgArray *array = setting->array;

    for (; *next < array->n_between && array->between[*next].row == row; ++*next) {
        const TgBetween *between = &array->between[*next];
        const gboolean whole = between->kind == TG_BETWEEN_HLINE;

        if (between->kind == TG_BETWEEN_SPACE) {
            add_skip(setting, tg_length(setting->layout, between->space));
            continue;
        }
        if (whole && *next > 0 && between[-1].row == row && between[-1].kind == TG_BETWEEN_HLINE)
            add_skip(setting, DOUBLE_RULE_SEP - RULE_WIDTH);
        tg_item_list_add(&setting->pile, rule_box(setting, between));
        if (whole) /* without interline glue at both sides */
            setting->leading.depth_before = -1;
        else
            add_skip(setting, -RULE_WIDTH);
    }
}

/* ---- Whole arrays ---------------------------------------------------------------------------- */

/* Set the cells and measure the columns; the vertical list is still empty. */
static Setting set_cells(TgLayout *self, const TgArray *array)
{
    const guint n = MAX(array->n_used, 1);
    TgScaled *widths = tg_arena_zeros(&self->arena, 2 * n * sizeof *widths);
    Setting setting = { .layout = self,
                        .array = array,
                        .environment = environment_of(array),
                        .n_columns = n,
                        .rows = tg_arena_zeros(&self->arena, array->n_rows * sizeof(Row)),
                        .widths = widths,
                        .tabskips = widths + n };
    guint n_read;

    setting.columns = read_columns(&setting, array->columns, array->n_column_items, n, &n_read);
    for (guint c = n_read; c < n; c++)
        add_default_column(&setting, c);
    for (guint r = 0; r < array->n_rows; r++)
        set_row(&setting, r);
    if (array->environment == TG_ENV_ALIGNED) {
        /* 10 pt after each pair of columns, taken back where a row ends with \\ */
        for (guint c = 1; c < n; c += 2)
            setting.tabskips[c] = ALIGN_SEP;
        for (guint r = 0; r < array->n_rows; r++) {
            const TgRow *row = &array->rows[r];
            if (row->ended && row->n_cells % 2 == 0 && row->n_cells == n)
                setting.tabskips[n - 1] = 0;
        }
    }
    measure_columns(&setting);
    setting.leading = leading_of(&setting);
    return setting;
}

/* Rows and what is between them in one vertical box. */
static TgItem *make_array(TgLayout *self, const TgNode *node)
{
    const TgArray *array = node->u.array;
    Setting setting = set_cells(self, array);
    guint between = 0;

    for (guint r = 0; r < array->n_rows; r++) {
        add_between(&setting, r, &between);
        add_row(&setting, r);
    }
    add_between(&setting, array->n_rows, &between);
    TgItem *box = tg_vpack(self, setting.pile.first);
    if (setting.environment->leading == LEADING_OPEN && array->align == 'b' && array->n_rows > 0 &&
        array->rows[array->n_rows - 1].ended) { /* amsmath's \\ leaves glue below it */
        box->height += box->depth;
        box->depth = 0;
    }
    return array->align == 't' ? tg_top_aligned(box) : box;
}

/* A row without cells, and back to where it began. */
static void add_strut_row(Setting *setting, const TgItem *strut)
{
    TgLayout *self = setting->layout;
    TgItem *row = tg_empty_box(self, setting->total, strut->height, strut->depth);

    tg_add_line(self, &setting->pile, row, &setting->leading);
    add_skip(setting, -self->now.text.baselineskip);
}

/* Plain TeX's \bordermatrix: fences around all but the first row and the first column; the rows
 * stand under a line that holds a strut, and over another one. */
static TgItem *make_border_matrix(TgLayout *self, const TgNode *node)
{
    const TgArray *array = node->u.array;
    const TgItem *strut = tg_strut(self, 65536);
    const TgScaled top = strut->height + strut->depth + BORDER_GAP; /* above the second row */
    TgNoadList inside = { NULL, NULL }, all = { NULL, NULL };

    tg_enter_math(self, TG_TEXT);
    Setting setting = set_cells(self, array);
    const TgScaled label = setting.widths[0];
    add_skip(&setting, -top);
    add_strut_row(&setting, strut);
    for (guint r = 0; r < array->n_rows; r++) {
        add_row(&setting, r);
        if (r == 0)
            add_skip(&setting, BORDER_GAP);
    }
    add_strut_row(&setting, strut);

    tg_append_delimiter(self, &inside, TG_NOAD_LEFT, array->left);
    tg_append_kern(self, &inside, -label);
    tg_append(self, &inside, TG_NOAD_VCENTER, tg_box_field(tg_vpack(self, setting.pile.first)));
    tg_append_mu(self, &inside, 3);
    tg_append_delimiter(self, &inside, TG_NOAD_RIGHT, array->right);
    tg_append_kern(self, &all, label - BORDER_ROOM);
    tg_append(self, &all, TG_NOAD_INNER, tg_list_field(inside.first));
    return tg_vbox(self, tg_kern(self, top), tg_list_box(self, all.first, TG_TEXT));
}

/* The array with the space at its sides. */
static void append_array(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgArray *array = node->u.array;
    const Environment *environment = environment_of(array);
    const TgNoad *before = out->last;
    const gboolean after_negative =
        before != NULL && before->type == TG_NOAD_SPACE && before->u.space.amount < 0;

    if (environment->side == SIDE_TRIMMED)
        tg_append_kern(self, out, -tg_length(self, array->sep));
    if (environment->side == SIDE_THIN || environment->side == SIDE_BOX)
        tg_append(self, out, TG_NOAD_ORD, tg_box_field(tg_empty_box(self, 0, 0, 0)));
    if (environment->side == SIDE_THIN || (environment->side == SIDE_BOX && after_negative))
        tg_append_mu(self, out, 3);
    tg_append(self, out, array->align == 't' || array->align == 'b' ? TG_NOAD_ORD : TG_NOAD_VCENTER,
              tg_deferred_field(self, make_array, node));
    if (environment->side == SIDE_TRIMMED)
        tg_append_kern(self, out, -tg_length(self, array->sep));
    if (environment->side == SIDE_THIN)
        tg_append_mu(self, out, 3);
}

void tg_build_array(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgArray *array = node->u.array;
    TgNoadList inside = { NULL, NULL };

    if (environment_of(array)->gap == GAP_BORDER) {
        tg_append_empty(self, out);
        tg_append_mu(self, out, 5);
        tg_append(self, out, TG_NOAD_ORD, tg_deferred_field(self, make_border_matrix, node));
        return;
    }
    if (array->left == NULL && array->right == NULL) {
        append_array(self, node, out);
        return;
    }
    tg_append_delimiter(self, &inside, TG_NOAD_LEFT, array->left);
    append_array(self, node, &inside);
    tg_append_delimiter(self, &inside, TG_NOAD_RIGHT, array->right);
    TgNoad *fenced = tg_noad_new(self, TG_NOAD_INNER, tg_list_field(inside.first));
    if (array->environment != TG_ENV_SMALLMATRIX) {
        tg_noad_list_add(out, fenced);
        return;
    }
    /* mathtools has \mathopen{}\mathclose{..} */
    tg_append(self, out, TG_NOAD_OPEN, TG_NO_FIELD);
    tg_append(self, out, TG_NOAD_CLOSE, tg_list_field(fenced));
}
